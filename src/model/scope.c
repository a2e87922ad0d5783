#include "model/builtin.h"
#include "model/evaluator.h"
#include "model/record.h"

#include <stdlib.h>
#include <string.h>

static bool is_word(const model_reader *r, uint32_t name, const char *word)
{
    return strcmp(names_string(r->words, name), word) == 0;
}

static bool declares(const model_class *c, const model_declaration *d)
{
    for (size_t i = 0; i < c->declaration.count; i++)
        if (c->declaration.item[i] == d) return true;
    return false;
}

/* Report a name that is declared twice; true if it is new. What hides a declaration around the
 * class `within` (NULL: none) is left to the pass that resolves names of nested classes. */
static bool is_new(model_reader *r, uint32_t name, model_span at, const model_class *within)
{
    const model_symbol *symbol = r->symbol_of[name];
    const model_class *class = r->class_of[name];
    if (class && (class->kind == CLASS_MODEL || class->kind == CLASS_PACKAGE)) class = NULL;
    if (!symbol && !class) return true;
    bool hides = class || (within && !declares(within, symbol->declaration));
    if (hides && r->structure == MODEL_FLAT) r->structure = MODEL_MAYBE_STRUCTURED;
    model_span first = symbol ? symbol->declaration->at : class->at;
    const char *spelled = model_spelled(r, name);
    if (first.end) {
        model_error(r, at, "%s is already declared in line %u",
                    "give one of them another name, or remove it", spelled,
                    model_line_number(r, first));
    } else {
        model_error(r, at, "%s is the name of a type of the language", "choose another name",
                    spelled);
    }
    return false;
}

/* StateSelect and AssertionLevel, as if the text declared them. */
static void declare_predefined(model_reader *r, const char *name, size_t count,
                               const char *const *literal)
{
    model_class *c = arena_take(r->a, sizeof *c);
    c->kind = CLASS_ENUMERATION;
    c->name = names_intern(r->words, name, strlen(name));
    for (size_t i = 0; i < count; i++) {
        uint32_t number = names_intern(r->words, literal[i], strlen(literal[i]));
        list_push(r->a, &c->literal, ((model_literal){.name = number}));
    }
    list_push(r->a, &r->classes, c);
}

static model_base predefined_base(const model_reader *r, uint32_t name)
{
    model_base base = TYPE_STRING;
    while (base > TYPE_NONE && !is_word(r, name, model_base_name[base])) base--;
    return base;
}

const model_part *model_own_part(const model_reader *r, const model_path *path)
{
    const model_part *part = &path->first, *flat = part->next ? model_flat_part(r, path) : NULL;
    if (flat) return flat;
    while (part->next && part->count == 0 && part->name < r->known) {
        const model_class *package = r->class_of[part->name];
        if (!package || package->kind != CLASS_PACKAGE) break;
        part = part->next;
    }
    return part;
}

/* The class of the text with the name of a part; NULL: none. */
static const model_class *class_named(const model_reader *r, const model_part *part)
{
    return part->name < r->known ? r->class_of[part->name] : NULL;
}

bool model_find_type(const model_reader *r, const model_path *path, model_type *type,
                     const model_class **alias)
{
    const model_part *part = model_own_part(r, path);
    const model_class *class = class_named(r, part), *declared = class;
    *type = (model_type){.base = TYPE_NONE};
    *alias = NULL;
    for (size_t steps = 0; class && class->kind == CLASS_TYPE && !part->next; steps++) {
        if (steps > r->classes.count) return false; /* it is a loop */
        part = model_own_part(r, class->base);
        class = class_named(r, part);
    }
    if (part->next) return false;
    if (!class) type->base = predefined_base(r, part->name);
    if (!class && type->base == TYPE_NONE) class = model_record_called(r, part->name);
    if (!declared) declared = class;
    if (class && (class->kind == CLASS_ENUMERATION || class->kind == CLASS_RECORD))
        *type = (model_type){class->kind == CLASS_RECORD ? TYPE_RECORD : TYPE_ENUMERATION, class};
    if (class && class->kind == CLASS_FUNCTION) *type = (model_type){TYPE_FUNCTION, class};
    if (class && class->kind == CLASS_OBJECT) *type = (model_type){TYPE_OBJECT, class};
    if (type->base != TYPE_NONE) *alias = declared;
    return type->base != TYPE_NONE;
}

/* Report a type that is not declared. */
static void report_type(model_reader *r, const model_path *path)
{
    const model_part *part = model_own_part(r, path);
    const model_class *class = class_named(r, part);
    if (r->structure == MODEL_FLAT)
        r->structure = part->next ? MODEL_STRUCTURED : MODEL_MAYBE_STRUCTURED;
    if (class && class->kind == CLASS_MODEL && !part->next) {
        r->structure = MODEL_STRUCTURED;
        model_refuse(r, path->at, NULL, "components that are models are not supported yet",
                     "flatten the model first");
        return;
    }
    if (r->incomplete) return;
    if (class && class->kind == CLASS_TYPE && !part->next)
        return; /* reported where it is declared */
    if (!part->next &&
        (is_word(r, part->name, "Clock") || is_word(r, part->name, "ExternalObject"))) {
        model_refuse(r, path->at, NULL, "the type %s is not supported yet",
                     is_word(r, part->name, "Clock")
                         ? "sample(start, interval) in a when gives events at equal intervals"
                         : "declare the class of the object: class X extends ExternalObject; ...",
                     names_string(r->words, part->name));
        return;
    }
    const char *spelled = model_excerpt(r, path->at);
    model_error(r, path->at, "the type %s is not declared", NULL, spelled);
    if (part->next && strncmp(spelled, "Modelica.", 9) == 0) {
        model_remedy_library(r, spelled);
        return;
    }
    if (part->next) {
        model_remedy(
            r, "libraries are not read: declare it, for example type Voltage = Real(unit = \"V\")");
        return;
    }
    model_remedy(r, "declare it, for example: type %s = Real;", spelled);
    LIST(const char *) candidate = {0};
    for (model_base b = TYPE_REAL; b <= TYPE_STRING; b++)
        list_push(r->a, &candidate, model_base_name[b]);
    for (size_t i = 0; i < r->classes.count; i++)
        if (r->classes.item[i]->kind >= CLASS_TYPE)
            list_push(r->a, &candidate, model_spelled(r, r->classes.item[i]->name));
    model_remedy_nearest(r, spelled, candidate.count, candidate.item);
}

const model_class *model_alias_base(const model_reader *r, const model_class *type)
{
    return type->kind == CLASS_TYPE ? class_named(r, model_own_part(r, type->base)) : NULL;
}

/* Real[3] x[2] is x[2, 3]. */
static void gather_sizes(model_reader *r, model_symbol *s)
{
    const model_declaration *d = s->declaration;
    const model_part *type = &d->type->first;
    for (uint32_t i = 0; i < d->dimensions; i++) list_push(r->a, &s->sizes, d->size[i]);
    if (s->type.base == TYPE_RECORD) return; /* they are all in the declaration: record.c */
    for (uint32_t i = 0; i < type->count; i++) list_push(r->a, &s->sizes, type->subscript[i]);
    for (const model_class *c = s->alias; c && c->base; c = model_alias_base(r, c))
        for (uint32_t i = 0; i < c->base->first.count; i++)
            list_push(r->a, &s->sizes, c->base->first.subscript[i]);
}

static model_symbol *new_symbol(model_reader *r, const model_declaration *d)
{
    model_symbol *s = arena_take(r->a, sizeof *s);
    s->declaration = d;
    s->name = model_spelled(r, d->name);
    s->input = d->direction == DIRECTION_INPUT;
    if (!model_find_type(r, d->type, &s->type, &s->alias)) report_type(r, d->type);
    gather_sizes(r, s);
    return s;
}

/* Whether a type is declared by itself, directly or by a loop, and is the first of its loop. */
static bool is_circular(const model_reader *r, const model_class *type)
{
    const model_class *c = type;
    for (size_t steps = 0; steps < r->classes.count; steps++) {
        const model_part *base = model_own_part(r, c->base);
        c = base->next ? NULL : class_named(r, base);
        if (!c || c->kind != CLASS_TYPE || c->at.begin < type->at.begin) return false;
        if (c == type) return true;
    }
    return false;
}

static void check_types(model_reader *r)
{
    for (size_t i = 0; i < r->classes.count; i++) {
        const model_class *alias, *c = r->classes.item[i];
        model_type type;
        if (c->kind != CLASS_TYPE || model_find_type(r, c->base, &type, &alias)) continue;
        if (is_circular(r, c)) {
            model_error(r, c->at, "the type %s is declared in terms of itself",
                        "declare it by Real, Integer, Boolean or String",
                        model_spelled(r, c->name));
        } else {
            report_type(r, c->base);
        }
    }
}

static int by_name(const void *a, const void *b)
{
    const model_symbol *x = *(model_symbol *const *)a, *y = *(model_symbol *const *)b;
    if (x->declaration->name != y->declaration->name)
        return x->declaration->name < y->declaration->name ? -1 : 1;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

model_symbol *model_local(const model_class *function, uint32_t name)
{
    size_t low = 0, high = function->by_name.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        model_symbol *s = function->by_name.item[middle];
        if (s->declaration->name == name) return s;
        if (s->declaration->name < name)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Join a variable of record type and its components. Where another variable has the name of a
 * component (reported), it has no value. */
static void join_members(model_reader *r, const model_class *function, model_symbol *s)
{
    const model_declaration *d = s->declaration;
    for (size_t i = 0; d->composed && i < d->composed->member.count; i++) {
        const model_declaration *member = d->composed->member.item[i];
        uint32_t name = member->name;
        model_symbol *m = function ? model_local(function, name) : r->symbol_of[name];
        if (!m || m->declaration != member) continue;
        m->owner = s;
        list_push(r->a, &s->member, m);
    }
}

/* A variable whose type is a function, where it may not be. */
static void refuse_function(model_reader *r, model_symbol *s)
{
    model_error(r, s->declaration->at, "%s is a function: it can be an input of a function alone",
                "declare a variable of a type, or hand the function on where it is called",
                s->name);
    s->type = (model_type){.base = TYPE_NONE};
}

/* An object is made once, before the start, as a parameter is. */
static void declare_object(model_reader *r, model_symbol *s)
{
    model_declaration *d = arena_duplicate(r->a, s->declaration, 1, sizeof *d);
    if (d->variability < VARIABILITY_PARAMETER) d->variability = VARIABILITY_PARAMETER;
    s->declaration = d;
    if (s->sizes.count)
        model_refuse(r, d->at, NULL, "arrays of external objects are not supported yet",
                     "declare them one by one");
    if (s->sizes.count) s->type = (model_type){.base = TYPE_NONE};
}

static void declare_locals(model_reader *r, model_class *f)
{
    bool record = f->kind == CLASS_RECORD;
    size_t count = record ? f->expanded.count : f->declaration.count;
    model_declaration **declaration = record ? f->expanded.item : f->declaration.item;
    for (size_t i = 0; i < count; i++) {
        model_symbol *s = new_symbol(r, declaration[i]);
        s->slot = f->slots++;
        const model_composed *composed = declaration[i]->composed;
        if (composed && composed->kept) composed->kept->slot = s->slot;
        list_push(r->a, &f->local, s);
        list_push(r->a, &f->by_name, s);
    }
    if (f->local.count == 0) return;
    qsort(f->by_name.item, f->by_name.count, sizeof *f->by_name.item, by_name);
    for (size_t i = 1; i < f->by_name.count; i++) {
        const model_symbol *s = f->by_name.item[i], *first = f->by_name.item[i - 1];
        if (s->declaration->name == first->declaration->name)
            model_error(r, s->declaration->at, "%s is already declared in line %u",
                        "give one of them another name, or remove it", s->name,
                        model_line_number(r, first->declaration->at));
    }
    for (size_t i = 0; i < f->local.count; i++) join_members(r, f, f->local.item[i]);
    for (size_t i = 0; i < f->local.count; i++) {
        model_symbol *s = f->local.item[i];
        bool input = f->kind == CLASS_FUNCTION && s->input && !s->sizes.count;
        if (s->type.base == TYPE_FUNCTION && !input) refuse_function(r, s);
    }
}

/* Declare the variables of the model and the constants of the packages around it. */
static void declare_symbols(model_reader *r, const model_class *c)
{
    for (size_t i = 0; i < c->declaration.count; i++) {
        const model_declaration *d = c->declaration.item[i];
        if (!is_new(r, d->name, d->at, c)) continue;
        if (is_word(r, d->name, "time"))
            model_error(r, d->at, "time is the time of the simulation and needs no declaration",
                        "leave the declaration out, or choose another name");
        if (c->kind == CLASS_PACKAGE && d->variability != VARIABILITY_CONSTANT)
            model_error(r, d->at, "a package holds constants only, and %s is not one",
                        "make it a constant, or move it into the model", model_spelled(r, d->name));
        model_symbol *s = new_symbol(r, d);
        if (s->type.base == TYPE_FUNCTION) refuse_function(r, s);
        if (s->type.base == TYPE_OBJECT) declare_object(r, s);
        r->symbol_of[d->name] = s;
        if (s->type.base == TYPE_RECORD)
            list_push(r->a, &r->record, s);
        else
            list_push(r->a, &r->symbol, s);
    }
}

/* Gather all classes within `c`. Notes the model; a second one is reported. */
static void gather_classes(model_reader *r, const model_class *c)
{
    for (size_t i = 0; i < c->inner.count; i++) {
        model_class *inner = c->inner.item[i];
        list_push(r->a, &r->classes, inner);
        if (c->kind == CLASS_OBJECT) inner->name = model_joined_name(r, c->name, inner->name);
        r->incomplete = r->incomplete || inner->incomplete;
        bool second = inner->kind == CLASS_MODEL && (c->kind == CLASS_MODEL || r->model);
        if (second) r->structure = MODEL_STRUCTURED;
        if (inner->kind == CLASS_MODEL && c->kind == CLASS_MODEL) {
            model_refuse(r, inner->at, NULL, "models within a model are not supported yet",
                         "flatten the model first");
        } else if (inner->kind == CLASS_MODEL && r->model) {
            model_refuse(r, inner->at, NULL,
                         "several models in one text are not supported yet; the first one, %s, "
                         "begins in line %u",
                         "flatten the model first, so that it is the only one",
                         model_spelled(r, r->model->name), model_line_number(r, r->model->at));
        } else if (inner->kind == CLASS_MODEL) {
            r->model = inner;
        }
        gather_classes(r, inner);
    }
}

static void name_classes(model_reader *r)
{
    for (size_t i = 0; i < r->classes.count; i++) {
        model_class *c = r->classes.item[i];
        if (c->unnamed && r->class_of[c->name]) continue; /* the same literals, in another class */
        if (is_new(r, c->name, c->at, NULL) && (!r->class_of[c->name] || c->kind != CLASS_MODEL))
            r->class_of[c->name] = c;
    }
}

/* Whether a name looks like an element of another symbol: the name 'x[2]' and the array x. */
static bool is_element_name(const model_reader *r, const char *name)
{
    size_t length = strlen(name);
    const char *bracket = strrchr(name, '[');
    if (!bracket || name[length - 1] != ']') return false;
    uint32_t plain = names_find(r->words, name, (size_t)(bracket - name));
    const model_symbol *s = plain < r->known ? r->symbol_of[plain] : NULL;
    return s && s->sizes.count > 0;
}

/* Whether a name would be ambiguous without its quotes: another variable is shown so. '\'a.b\'' is
 * shown as 'a.b', unless 'a.b' keeps its own quotes. */
static bool needs_quotes(const model_reader *r, const model_symbol *s)
{
    if (names_string(r->words, s->declaration->name)[0] != '\'') return false;
    const char *name = model_spelled(r, s->declaration->name);
    uint32_t plain = names_find(r->words, name, strlen(name));
    const model_symbol *other = plain < r->known ? r->symbol_of[plain] : NULL;
    if (other && other != s && name[0] == '\'') return needs_quotes(r, other);
    return other || strcmp(name, "time") == 0 || is_element_name(r, name);
}

static void name_symbol(model_reader *r, model_symbol *s)
{
    if (needs_quotes(r, s)) s->name = names_string(r->words, s->declaration->name);
}

static void check_literals(model_reader *r)
{
    uint32_t *seen = arena_array(r->a, r->known,
                                 sizeof *seen); /* the last enumeration with it, from 1 */
    for (size_t i = 0; i < r->classes.count; i++) {
        const model_class *c = r->classes.item[i];
        for (size_t k = 0; k < c->literal.count; k++) {
            const model_literal *literal = &c->literal.item[k];
            if (seen[literal->name] == i + 1)
                model_error(r, literal->at, "the literal %s is already declared",
                            "each literal has a name of its own", model_spelled(r, literal->name));
            seen[literal->name] = (uint32_t)i + 1;
        }
    }
    arena_return(r->a, seen, r->known, sizeof *seen);
}

/* Room for what names stand for; it is found anew where more names have come. */
static void name_all(model_reader *r)
{
    arena_return(r->a, r->symbol_of, r->known, sizeof *r->symbol_of);
    arena_return(r->a, r->class_of, r->known, sizeof *r->class_of);
    arena_return(r->a, r->family_of, r->known, sizeof *r->family_of);
    r->known = (uint32_t)names_count(r->words);
    r->symbol_of = arena_array(r->a, r->known, sizeof *r->symbol_of);
    r->class_of = arena_array(r->a, r->known, sizeof *r->class_of);
    r->family_of = arena_array(r->a, r->known, sizeof *r->family_of);
    for (size_t i = 0; i < r->family.count; i++)
        r->family_of[r->family.item[i]->name] = r->family.item[i];
    name_classes(r);
}

void model_declare(model_reader *r)
{
    static const char *const select[] = {"never", "avoid", "default", "prefer", "always"};
    static const char *const assertion[] = {"warning", "error"};
    declare_predefined(r, "StateSelect", 5, select);
    declare_predefined(r, "AssertionLevel", 2, assertion);
    gather_classes(r, r->root);
    model_find_constructors(r);
    if (r->model) model_find_families(r, r->model);
    model_name_attributes(r);
    name_all(r);
    if (model_declare_library(r)) name_all(r);
    model_expand_records(r);
    model_name_builtins(r);
    name_all(r);
    check_types(r);
    check_literals(r);
    if (!r->model) {
        model_error(r, r->root->inner.count ? r->root->inner.item[0]->at : (model_span){0, 1},
                    "no model in this text",
                    "a model is written: model NAME ... equation ... end NAME;");
        return;
    }
    for (size_t i = 0; i < r->classes.count; i++) {
        model_class *c = r->classes.item[i];
        if (c->kind == CLASS_PACKAGE) declare_symbols(r, c);
        if (c->kind == CLASS_FUNCTION || c->kind == CLASS_RECORD) declare_locals(r, c);
    }
    declare_symbols(r, r->model);
    for (size_t i = 0; i < r->record.count; i++) join_members(r, NULL, r->record.item[i]);
    for (size_t i = 0; i < r->symbol.count; i++) name_symbol(r, r->symbol.item[i]);
}
