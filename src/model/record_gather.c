/* Records of which the components alone are declared, as compilers print them: where `Real r.x;
 * Real r.y;` are declared, r is the record of x and y, as in f(r) and r = f(x); and where `Real
 * r[1].x; Real r[2].x;` are, r is an array of records. */
#include "model/evaluator.h"
#include "model/record.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100 }; /* records and arrays in each other, parts of a path, dimensions */

typedef LIST(model_expression *) expressions;

/* What is gathered: the place of the name, and how deep it is. */
typedef struct gathering {
    model_reader *r;
    model_span at;
    int depth;
} gathering;

static model_expression *gather(gathering *g, const char *name);

static int by_name(const void *a, const void *b)
{
    return strcmp((*(model_symbol *const *)a)->name, (*(model_symbol *const *)b)->name);
}

/* Sort the symbols once. */
static void sort_symbols(model_reader *r)
{
    if (r->sorted || !r->symbol.count) return;
    r->sorted = arena_duplicate(r->a, r->symbol.item, r->symbol.count, sizeof(model_symbol *));
    qsort(r->sorted, r->symbol.count, sizeof(model_symbol *), by_name);
}

/* The name of the i-th symbol in their order; one that begins with nothing after the last. */
static const char *name_at(const model_reader *r, size_t i)
{
    return i < r->symbol.count ? r->sorted[i]->name : "";
}

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* The first symbol whose name is not before `prefix`, or (past) after all that begin with it. */
static size_t bound(const model_reader *r, const char *prefix, bool past)
{
    size_t begin = 0, end = r->symbol.count, length = strlen(prefix);
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        int order = strncmp(name_at(r, middle), prefix, length);
        if (order < 0 || (past && order == 0))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static model_expression *node(const gathering *g, model_expression_kind kind,
                              const expressions *operand)
{
    model_expression *e = arena_take(g->r->a, sizeof *e);
    *e = (model_expression){.kind = kind, .at = g->at};
    if (operand) e->count = (uint32_t)operand->count;
    if (operand) e->operand = operand->item;
    return e;
}

static model_expression *variable(const gathering *g, const model_symbol *s)
{
    model_expression *e = node(g, EXPRESSION_REFERENCE, NULL);
    e->reference = arena_take(g->r->a, sizeof *e->reference);
    e->reference->path = (model_path){.at = g->at, .first.at = g->at};
    e->reference->path.first.name = s->declaration->name;
    return e;
}

/* Components r.x, r.y[2].z, ... of `name`, which are those from symbol i on. */
static model_expression *gather_record(gathering *g, const char *name, size_t i)
{
    model_reader *r = g->r;
    expressions operand = {0};
    model_class *record = arena_take(r->a, sizeof *record);
    const char *dot = arena_format(r->a, "%s.", name);
    record->kind = CLASS_RECORD;
    record->name = names_intern(r->words, name, strlen(name));
    while (begins(name_at(r, i), dot)) {
        const char *behind = name_at(r, i) + strlen(dot);
        size_t length = strcspn(behind, ".[");
        model_declaration *d = arena_take(r->a, sizeof *d);
        const char *whole = arena_format(r->a, "%s%.*s", dot, (int)length, behind);
        const char *rest = arena_format(r->a, "%s%.1s", whole, behind + length);
        model_expression *e = length ? gather(g, whole) : NULL;
        if (!e) return NULL;
        d->name = names_intern(r->words, behind, length);
        list_push(r->a, &record->declaration, d);
        list_push(r->a, &operand, e);
        i = behind[length] ? bound(r, rest, true) : i + 1;
    }
    model_expression *e = node(g, EXPRESSION_RECORD, &operand);
    e->record = record;
    return e;
}

/* The subscripts of elements that are declared one by one. */
typedef struct extent {
    uint32_t rank;
    size_t size[DEEPEST]; /* the largest of each dimension */
    size_t elements;
} extent;

/* Read [1,2] in a name; false: it is something else. */
static bool read_index(const char *at, extent *x)
{
    uint32_t rank = 0;
    do {
        char *end;
        unsigned long index = strtoul(at + 1, &end, 10);
        if (end == at + 1 || index < 1 || rank == DEEPEST) return false;
        if (index > x->size[rank]) x->size[rank] = index;
        rank++;
        at = end;
    } while (*at == ',');
    bool fits = *at == ']' && (x->elements == 0 || rank == x->rank);
    x->rank = rank;
    x->elements++;
    return fits;
}

/* {name[1,1], name[1,2], ...} from dimension k on, where the subscripts before are in `name`. */
static model_expression *elements(gathering *g, const extent *x, const char *name, uint32_t k)
{
    expressions operand = {0};
    for (size_t i = 1; i <= x->size[k]; i++) {
        const char *index = arena_format(g->r->a, "%s%s%zu", name, k ? "," : "[", i);
        model_expression *e = k + 1 < x->rank ? elements(g, x, index, k + 1)
                                              : gather(g, arena_format(g->r->a, "%s]", index));
        if (!e) return NULL;
        list_push(g->r->a, &operand, e);
    }
    return node(g, EXPRESSION_ARRAY, &operand);
}

static model_expression *gather_array(gathering *g, const char *name, size_t i)
{
    model_reader *r = g->r;
    extent x = {0};
    size_t length = strlen(name), total = 1;
    while (name_at(r, i)[0] && begins(name_at(r, i), name) && name_at(r, i)[length] == '[') {
        const char *index = name_at(r, i) + length;
        if (!read_index(index, &x)) return NULL;
        int end = (int)(strcspn(index, "]") + 1 + length);
        i = bound(r, arena_format(r->a, "%.*s", end, name_at(r, i)), true);
    }
    for (uint32_t k = 0; k < x.rank; k++) {
        if (x.size[k] > x.elements / total) return NULL; /* an element is missing */
        total *= x.size[k];
    }
    return total == x.elements ? elements(g, &x, name, 0) : NULL;
}

/* The variable of a name, or the record or array whose components are declared; NULL: neither. */
static model_expression *gather(gathering *g, const char *name)
{
    model_reader *r = g->r;
    if (g->depth == DEEPEST || !model_spend(r, g->at, MODEL_STEP)) return NULL;
    size_t exact = bound(r, name, false);
    size_t dot = bound(r, arena_format(r->a, "%s.", name), false);
    size_t bracket = bound(r, arena_format(r->a, "%s[", name), false);
    model_expression *e = NULL;
    g->depth++;
    if (strcmp(name_at(r, exact), name) == 0)
        e = variable(g, r->sorted[exact]);
    else if (begins(name_at(r, dot), arena_format(r->a, "%s.", name)))
        e = gather_record(g, name, dot);
    else if (begins(name_at(r, bracket), arena_format(r->a, "%s[", name)))
        e = gather_array(g, name, bracket);
    g->depth--;
    return e;
}

/* The record of which an expression is a value, or an array of values; NULL: of none. */
static const model_class *record_of(const model_expression *e)
{
    while ((e->kind == EXPRESSION_ARRAY || e->kind == EXPRESSION_SUBSCRIPT) && e->count)
        e = e->operand[0];
    return e->kind == EXPRESSION_RECORD ? e->record : NULL;
}

static bool has_component(const model_reader *r, const model_class *record, uint32_t name)
{
    for (size_t i = 0; record && i < record->declaration.count; i++)
        if (model_same_name(r, record->declaration.item[i]->name, name)) return true;
    return false;
}

/* (e)[subscripts of the part] */
static model_expression *with_subscripts(const gathering *g, model_expression *e,
                                         const model_part *part)
{
    expressions operand = {0};
    list_push(g->r->a, &operand, e);
    for (uint32_t i = 0; i < part->count; i++) list_push(g->r->a, &operand, part->subscript[i]);
    return part->count ? node(g, EXPRESSION_SUBSCRIPT, &operand) : e;
}

/* e with what follows a part of its path: components and subscripts. */
static model_expression *with_components(const gathering *g, model_expression *e,
                                         const model_part *part)
{
    for (part = part->next; part && e; part = part->next) {
        if (!has_component(g->r, record_of(e), part->name)) return NULL;
        expressions operand = {0};
        list_push(g->r->a, &operand, e);
        e = node(g, EXPRESSION_MEMBER, &operand);
        e->member = arena_take(g->r->a, sizeof *e->member);
        *e->member = (model_member){.name = part->name, .at = part->at};
        e = with_subscripts(g, e, part);
    }
    return e;
}

bool model_gather_record(model_reader *r, model_expression *e)
{
    const model_path *path = &e->reference->path;
    gathering g = {.r = r, .at = e->at};
    sort_symbols(r);
    model_expression *found = NULL;
    const model_part *all[DEEPEST];
    size_t count = 0;
    for (const model_part *p = &path->first; p && count < DEEPEST; p = p->next) all[count++] = p;
    while (count-- > 0 && !found) {
        const model_part *part = all[count];
        for (int k = 0; k < 2 && !found; k++) {
            const char *name = model_flat_text(r, path, part, k == 0);
            if (!name) continue;
            found = gather(&g, name);
            if (found && k) found = with_subscripts(&g, found, part);
            if (found) found = with_components(&g, found, part);
        }
    }
    if (!found || found->kind == EXPRESSION_REFERENCE) return false;
    *e = *found;
    return true;
}
