/* Names with dots and subscripts that stand without quotes, as flat models have them that compilers
 * print: `Real a.b[1].c; Real x[1]; Real x[2];`. Each is the name of one variable, 'a.b[1].c', or
 * one class. */
#include "model/parser.h"
#include "model/reader.h"

#include <stdlib.h>
#include <string.h>

/* Appends [1,2]; false: a subscript is no whole number. */
static bool add_subscripts(text *t, uint32_t count, model_expression *const *subscript)
{
    for (uint32_t i = 0; i < count; i++) {
        const model_expression *e = subscript[i];
        if (e->kind != EXPRESSION_NUMBER || !e->whole) return false;
        text_format(t, "%s%.0f", i ? "," : "[", e->number);
    }
    if (count) text_add(t, "]");
    return true;
}

static void add_name(const model_reader *r, text *t, uint32_t name)
{
    const char *string = names_string(r->words, name);
    size_t length = strlen(string);
    bool quoted = length >= 2 && string[0] == '\'';
    text_format(t, "%.*s", (int)(quoted ? length - 2 : length), string + quoted);
}

/* The parts from the first one up to `last`, whose own subscripts do not count, as a quoted name.
 * False: it cannot be one. */
static bool join(const model_reader *r, const model_part *first, const model_part *last, text *t)
{
    bool fits = true;
    text_add(t, "'");
    for (const model_part *part = first; fits; part = part->next) {
        fits = part->name != NAMES_NONE;
        if (fits) add_name(r, t, part->name);
        if (part == last) break;
        fits = fits && add_subscripts(t, part->count, part->subscript);
        text_add(t, ".");
    }
    text_add(t, "'");
    return fits;
}

/* Whether a dot follows a token at once. After a blank it begins a name of the outermost level, as
 * in "model M .P.C c;". */
static bool has_dot(const model_token *t)
{
    return t[1].kind == TOKEN_DOT && t[1].at.begin == t->at.end;
}

/* Whether the next tokens are a name with more than one part. */
static bool is_dotted(const model_parser *p)
{
    const model_token *t = p->token;
    if (p->panic || t->kind != TOKEN_NAME) return false;
    if (t[1].kind != TOKEN_LEFT_BRACKET) return has_dot(t);
    int open = 0;
    for (t++; t->kind != TOKEN_TEXT_END && t->kind != TOKEN_SEMICOLON; t++) {
        open += (t->kind == TOKEN_LEFT_BRACKET) - (t->kind == TOKEN_RIGHT_BRACKET);
        if (open == 0) return has_dot(t);
    }
    return false;
}

uint32_t model_flat_name(model_parser *p, const char *where, model_part *last)
{
    *last = (model_part){.at = p->token->at};
    if (!is_dotted(p)) return model_name(p, where);
    model_path path;
    model_span at = p->token->at;
    text joined = {0};
    model_parse_path(p, &path);
    const model_part *end = &path.first;
    while (end->next) end = end->next;
    bool fits = join(p->r, &path.first, end, &joined);
    uint32_t name = NAMES_NONE;
    if (fits) name = names_intern(p->r->words, text_string(&joined), joined.length);
    if (!fits && model_panic(p))
        model_error(p->r, at, "%s cannot be a name",
                    "the subscripts of a name with dots are whole numbers",
                    model_excerpt(p->r, path.at));
    text_free(&joined);
    *last = *end;
    last->at = path.at;
    return name;
}

const char *model_flat_text(const model_reader *r, const model_path *path, const model_part *last,
                            bool whole)
{
    text t = {0};
    bool fits = join(r, &path->first, last, &t);
    const char *joined = NULL;
    if (fits) {
        joined = arena_copy(r->a, text_string(&t) + 1, t.length - 2);
        text_clear(&t);
        fits = !whole || add_subscripts(&t, last->count, last->subscript);
        if (fits && whole && last->count)
            joined = arena_format(r->a, "%s%s", joined, text_string(&t));
    }
    text_free(&t);
    return fits ? joined : NULL;
}

uint32_t model_joined_name(model_reader *r, uint32_t name, uint32_t component)
{
    text t = {0};
    text_add(&t, "'");
    add_name(r, &t, name);
    text_add(&t, ".");
    add_name(r, &t, component);
    text_add(&t, "'");
    uint32_t joined = names_intern(r->words, text_string(&t), t.length);
    text_free(&t);
    return joined;
}

const model_part *model_flat_part(const model_reader *r, const model_path *path)
{
    const model_part *found = NULL;
    text joined = {0};
    for (const model_part *part = path->first.next; part; part = part->next) {
        text_clear(&joined);
        if (!join(r, &path->first, part, &joined)) break;
        uint32_t name = names_find(r->words, text_string(&joined), joined.length);
        if (name >= r->known || !(r->symbol_of[name] || r->class_of[name] || r->family_of[name]))
            continue;
        model_part *whole = arena_take(r->a, sizeof *whole);
        *whole = *part;
        whole->name = name;
        whole->at = (model_span){path->first.at.begin, part->at.end};
        found = whole;
    }
    text_free(&joined);
    return found;
}

const model_part *model_joined_part(const model_reader *r, const model_path *path)
{
    text joined = {0};
    LIST(model_expression *) subscript = {0};
    const model_part *last = &path->first;
    text_add(&joined, "'");
    for (const model_part *part = last; part && part->name != NAMES_NONE; part = part->next) {
        if (part != &path->first) text_add(&joined, ".");
        add_name(r, &joined, part->name);
        for (uint32_t i = 0; i < part->count; i++) list_push(r->a, &subscript, part->subscript[i]);
        last = part;
    }
    text_add(&joined, "'");
    uint32_t name = names_find(r->words, text_string(&joined), joined.length);
    text_free(&joined);
    const model_symbol *s = name < r->known ? r->symbol_of[name] : NULL;
    if (!s || last->next || subscript.count != s->sizes.count) return NULL;
    model_part *whole = arena_duplicate(r->a, last, 1, sizeof *whole);
    whole->name = name;
    whole->at = path->at;
    whole->count = (uint32_t)subscript.count;
    whole->subscript = subscript.item;
    return whole;
}

/* --- variables whose elements are declared one by one --- */

static uint32_t element_name(model_reader *r, uint32_t name, uint32_t count,
                             model_expression *const *subscript)
{
    text t = {0};
    uint32_t found = NAMES_NONE;
    text_add(&t, "'");
    add_name(r, &t, name);
    if (add_subscripts(&t, count, subscript)) {
        text_add(&t, "'");
        found = names_intern(r->words, text_string(&t), t.length);
    }
    text_free(&t);
    return found;
}

static int by_name(const void *a, const void *b)
{
    const model_declaration *x = *(model_declaration *const *)a;
    const model_declaration *y = *(model_declaration *const *)b;
    if (x->name != y->name) return x->name < y->name ? -1 : 1;
    return (x->at.begin > y->at.begin) - (x->at.begin < y->at.begin);
}

static bool is_element(const model_declaration *d, uint32_t rank)
{
    bool is = d->dimensions == rank && rank > 0 && d->type->first.count == 0;
    for (uint32_t i = 0; i < d->dimensions && is; i++)
        is = d->size[i]->kind == EXPRESSION_NUMBER && d->size[i]->whole;
    return is;
}

/* Gives the declarations of one name, which are elements, names of their own. */
static void add_family(model_reader *r, size_t count, model_declaration *const *declaration)
{
    model_family *f = arena_take(r->a, sizeof *f);
    f->rank = declaration[0]->dimensions;
    f->size = arena_array(r->a, f->rank, sizeof *f->size);
    f->name = declaration[0]->name;
    for (size_t i = 0; i < count; i++) {
        model_declaration *d = declaration[i];
        for (uint32_t k = 0; k < f->rank; k++)
            if (d->size[k]->number > f->size[k]) f->size[k] = (uint32_t)d->size[k]->number;
        d->name = element_name(r, d->name, d->dimensions, d->size);
        d->dimensions = 0;
    }
    list_push(r->a, &r->family, f);
}

void model_find_families(model_reader *r, model_class *c)
{
    size_t count = c->declaration.count;
    if (count == 0) return;
    model_declaration **sorted = arena_duplicate(r->a, c->declaration.item, count,
                                                 sizeof(model_declaration *));
    qsort(sorted, count, sizeof *sorted, by_name);
    for (size_t i = 0, end; i < count; i = end) {
        bool are = true;
        for (end = i; end < count && sorted[end]->name == sorted[i]->name; end++)
            are = are && is_element(sorted[end], sorted[i]->dimensions);
        if (are && end - i > 1) add_family(r, end - i, sorted + i);
    }
    arena_return(r->a, sorted, count, sizeof *sorted);
}

/* A reference to one element. */
static model_expression *element(model_reader *r, const model_family *f, model_span at,
                                 const uint32_t *index)
{
    model_expression *e = arena_take(r->a, sizeof *e);
    text t = {0};
    text_add(&t, "'");
    add_name(r, &t, f->name);
    for (uint32_t k = 0; k < f->rank; k++) text_format(&t, "%s%u", k ? "," : "[", index[k]);
    text_add(&t, "]'");
    *e = (model_expression){.kind = EXPRESSION_REFERENCE, .at = at};
    e->reference = arena_take(r->a, sizeof *e->reference);
    e->reference->path = (model_path){.at = at, .first.at = at};
    e->reference->path.first.name = names_find(r->words, text_string(&t), t.length);
    text_free(&t);
    return e;
}

/* {{a[1,1], a[1,2]}, ...}, from dimension k on. */
static model_expression *all_elements(model_reader *r, const model_family *f, model_span at,
                                      uint32_t k, uint32_t *index)
{
    if (k == f->rank) return element(r, f, at, index);
    model_expression *e = arena_take(r->a, sizeof *e);
    *e = (model_expression){.kind = EXPRESSION_ARRAY, .at = at, .count = f->size[k]};
    e->operand = arena_array(r->a, e->count, sizeof *e->operand);
    for (uint32_t i = 0; i < e->count; i++) {
        index[k] = i + 1;
        e->operand[i] = all_elements(r, f, at, k + 1, index);
    }
    return e;
}

void model_expand_family(model_reader *r, model_expression *e, const model_family *f,
                         const model_part *part)
{
    uint32_t *index = arena_array(r->a, f->rank, sizeof *index);
    bool one = part->count == f->rank;
    for (uint32_t k = 0; k < part->count; k++) {
        const model_expression *s = part->subscript[k];
        one = one && s->kind == EXPRESSION_NUMBER && s->whole;
        if (one) index[k] = (uint32_t)s->number;
    }
    if (one) {
        *e = *element(r, f, e->at, index);
        return;
    }
    model_expression *all = all_elements(r, f, e->at, 0, index);
    if (part->count == 0) {
        *e = *all;
        return;
    }
    *e = (model_expression){.kind = EXPRESSION_SUBSCRIPT, .at = e->at, .count = part->count + 1};
    e->operand = arena_array(r->a, e->count, sizeof *e->operand);
    e->operand[0] = all;
    memcpy(e->operand + 1, part->subscript, part->count * sizeof *e->operand);
}
