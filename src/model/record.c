/* Variables of record type, expanded into variables for their components. */
#include "model/record.h"

#include "model/evaluator.h"

#include <string.h>

/* What a declaration says of a component: its own, or that of a record around it. The outermost one
 * that says something counts (Modelica 3.6, Sec. 7.2.4). */
typedef struct source {
    const model_modifiers *modifier;
    model_expression *value; /* NULL: none */
    model_scope scope;       /* of names in it; around NULL: as they stand */
    uint32_t lift;           /* it is for one element of the first so many dimensions */
    struct source *next;
} source;

/* The records around a component, innermost first. */
typedef struct nest {
    const model_class *record;
    const struct nest *outer;
} nest;

typedef LIST(model_declaration *) declarations;

typedef struct expander {
    model_reader *r;
    declarations list; /* expanded so far */
    size_t components; /* of all lists */
    bool function;
    bool full; /* no more components are allowed; reported */
} expander;

static const model_modifiers nothing;

static const model_modifier *find(const model_modifiers *list, uint32_t name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].name == name) return &list->item[i];
    return NULL;
}

/* The record of a declaration's type; NULL: it is of another type. */
static const model_class *record_of(const model_reader *r, const model_declaration *d,
                                    const model_class **alias)
{
    model_type type;
    bool known = model_find_type(r, d->type, &type, alias);
    return known && type.base == TYPE_RECORD ? type.declared : NULL;
}

static model_expression *new_node(expander *x, model_expression_kind kind, model_span at,
                                  uint32_t count, model_expression *const *operand)
{
    model_expression *e = arena_take(x->r->a, sizeof *e);
    *e = (model_expression){.kind = kind, .at = at, .count = count};
    e->operand = arena_duplicate(x->r->a, operand, count, sizeof *operand);
    return e;
}

/* value.name */
static model_expression *member_of(expander *x, model_expression *value, uint32_t name,
                                   const model_class *record, model_kept *kept)
{
    model_expression *e = new_node(x, EXPRESSION_MEMBER, value->at, 1, &value);
    e->member = arena_take(x->r->a, sizeof *e->member);
    *e->member = (model_member){.name = name, .at = value->at, .record = record, .kept = kept};
    return e;
}

/* A component that no one may give another value (Modelica 3.6, Sec. 12.6). */
static bool is_settled(const model_declaration *c)
{
    return c->binding && (c->final || c->variability == VARIABILITY_CONSTANT);
}

/* What the sources of a record say of its component c. */
static source derive(expander *x, const source *s, const model_declaration *c,
                     const model_declaration *around, const model_class *record)
{
    const model_modifier *m = find(s->modifier, c->name);
    source derived = *s;
    derived.next = NULL;
    derived.modifier = m ? &m->nested : &nothing;
    derived.value = m ? m->value : NULL;
    if (m && m->each) derived.lift = around->dimensions;
    const char *name = model_spelled(x->r, c->name);
    if (m && m->value && s->value)
        model_error(x->r, m->at, "%s is given twice: here and by the value of the record",
                    "leave one of them out", name);
    if (m && m->value && is_settled(c))
        model_error(x->r, m->at, "%s is %s in its record and keeps its value",
                    "leave the value out", name, c->final ? "final" : "a constant");
    if (is_settled(c))
        derived.value = NULL;
    else if (s->value)
        derived.value = member_of(
            x, s->value, c->name, record,
            s->scope.around || s->lift || !around->composed ? NULL : around->composed->kept);
    return derived;
}

/* Add what the types say by which a record is declared: type Q = R(x = 1). */
static void add_aliases(expander *x, const model_class *alias, uint32_t lift, source **last)
{
    for (const model_class *c = alias; c && c->kind == CLASS_TYPE; c = model_alias_base(x->r, c)) {
        *last = arena_take(x->r->a, sizeof **last);
        **last = (source){.modifier = &c->modifier, .lift = lift};
        last = &(*last)->next;
    }
}

static source *sources_of(expander *x, const source *given, const model_declaration *c,
                          const model_declaration *around, const model_class *record)
{
    source *first = NULL, **last = &first;
    for (const source *s = given; s; s = s->next) {
        if (!s->value && !find(s->modifier, c->name)) continue; /* it says nothing of c */
        *last = arena_take(x->r->a, sizeof **last);
        **last = derive(x, s, c, around, record);
        last = &(*last)->next;
    }
    *last = arena_take(x->r->a, sizeof **last);
    **last = (source){.modifier = &c->modifier,
                      .value = c->binding,
                      .scope = {record, around, around->dimensions},
                      .lift = around->dimensions};
    return first;
}

static model_expression *whole_number(expander *x, model_span at, uint32_t number)
{
    model_expression *e = new_node(x, EXPRESSION_NUMBER, at, 0, NULL);
    e->whole = true;
    e->number = number;
    return e;
}

/* The size of dimension k (from 0) of a component: that of the variable whose value gives ':';
 * NULL: there is none. */
static model_expression *size_of(expander *x, const model_declaration *d, uint32_t k)
{
    if (d->size[k]->kind != EXPRESSION_COLON) return d->size[k];
    while (d->composed && d->composed->owner) d = d->composed->owner;
    if (!d->binding || k >= d->dimensions) return NULL;
    model_span at = d->binding->at;
    model_expression *e = new_node(x, EXPRESSION_CALL, at, 2,
                                   (model_expression *[]){d->binding, whole_number(x, at, k + 1)});
    uint32_t none[] = {NAMES_NONE, NAMES_NONE};
    e->call = arena_take(x->r->a, sizeof *e->call);
    e->call->function = (model_path){.at = at, .first.at = at};
    e->call->function.first.name = names_intern(x->r->words, "size", 4);
    e->call->argument = arena_duplicate(x->r->a, none, 2, sizeof *none);
    return e;
}

static bool is_enumeration(const model_reader *r, const model_expression *e)
{
    if (e->kind != EXPRESSION_REFERENCE) return false;
    const model_part *part = model_own_part(r, &e->reference->path);
    const model_class *c = part->next || part->name >= r->known ? NULL : r->class_of[part->name];
    return c && c->kind == CLASS_ENUMERATION;
}

/* {e for i in 1:n} over the first dimensions of d, for an expression of one element. NULL: their
 * sizes come with a value. */
static model_expression *lifted(expander *x, model_expression *e, const model_declaration *d,
                                uint32_t lift)
{
    for (uint32_t k = lift; k-- > 0;) {
        model_expression *size = size_of(x, d, k);
        if (!size) return NULL;
        model_expression *range = size;
        if (!is_enumeration(x->r, size))
            range = new_node(x, EXPRESSION_RANGE, size->at, 2,
                             (model_expression *[]){whole_number(x, size->at, 1), size});
        e = new_node(x, EXPRESSION_ARRAY, e->at, 1, &e);
        e->iterator = arena_take(x->r->a, sizeof *e->iterator);
        list_push(
            x->r->a, e->iterator,
            ((model_iterator){.name = model_index_name(x->r, k), .at = e->at, .range = range}));
    }
    return e;
}

/* An expression of a source for the variable d. */
static model_expression *place_value(expander *x, const source *s, model_expression *e,
                                     const model_declaration *d, bool always)
{
    bool replaced = false;
    if (s->scope.around) e = model_copy_expression(x->r, e, &s->scope, &replaced);
    if (!s->lift || !(always || replaced)) return e;
    return lifted(x, e, d, s->lift);
}

/* The attributes and the value of a component from its sources, the first of which counts. */
static void take_sources(expander *x, const source *given, model_declaration *d)
{
    d->binding = NULL;
    d->modifier = (model_modifiers){0};
    for (const source *s = given; s; s = s->next) {
        if (s->value && !d->binding) d->binding = place_value(x, s, s->value, d, true);
        for (size_t i = 0; i < s->modifier->count; i++) {
            model_modifier m = s->modifier->item[i];
            if (find(&d->modifier, m.name)) continue;
            if (m.value) m.value = place_value(x, s, m.value, d, false);
            list_push(x->r->a, &d->modifier, m);
        }
    }
}

/* A size in a record that may depend on other components. Those of an array of records give a size
 * for each element, which must be the same. */
static model_expression *copy_size(expander *x, const model_expression *e,
                                   const model_declaration *around, const model_scope *scope)
{
    bool replaced = false;
    model_expression *size = model_copy_expression(x->r, e, scope, &replaced);
    if (!replaced || !scope->rank) return size;
    model_expression *all = lifted(x, size, around, scope->rank);
    if (!all) *size = (model_expression){.kind = EXPRESSION_COLON, .at = e->at};
    return all ? all : size;
}

static void copy_sizes(expander *x, model_declaration *d, const model_declaration *around,
                       const model_scope *scope)
{
    arena *a = x->r->a;
    uint32_t outer = around->dimensions, typed = d->type->first.count;
    model_expression **size = arena_array(a, outer + d->dimensions, sizeof *size);
    for (uint32_t i = 0; i < outer; i++) size[i] = around->size[i];
    for (uint32_t i = 0; i < d->dimensions; i++)
        size[outer + i] = copy_size(x, d->size[i], around, scope);
    model_path *type = arena_duplicate(a, d->type, 1, sizeof *type);
    type->first.subscript = arena_array(a, typed, sizeof *size);
    for (uint32_t i = 0; i < typed; i++)
        type->first.subscript[i] = copy_size(x, d->type->first.subscript[i], around, scope);
    d->type = type;
    d->size = size;
    d->dimensions += outer;
}

/* Take all sizes of a variable of record type together: R[3] r[2] is r[2, 3]. */
static void join_sizes(model_reader *r, model_declaration *d, const model_class *alias)
{
    LIST(model_expression *) size = {0};
    const model_part *type = &d->type->first;
    for (uint32_t i = 0; i < d->dimensions; i++) list_push(r->a, &size, d->size[i]);
    for (uint32_t i = 0; i < type->count; i++) list_push(r->a, &size, type->subscript[i]);
    for (const model_class *c = alias; c && c->base; c = model_alias_base(r, c))
        for (uint32_t i = 0; i < c->base->first.count; i++)
            list_push(r->a, &size, c->base->first.subscript[i]);
    model_path *path = arena_duplicate(r->a, d->type, 1, sizeof *path);
    path->first.count = 0;
    d->type = path;
    d->size = size.item;
    d->dimensions = (uint32_t)size.count;
}

static void check_names(expander *x, const model_class *record, const source *given)
{
    for (const source *s = given; s; s = s->next)
        for (size_t i = 0; i < s->modifier->count; i++) {
            const model_modifier *m = &s->modifier->item[i];
            bool known = record->incomplete;
            for (size_t k = 0; k < record->declaration.count; k++)
                known = known || record->declaration.item[k]->name == m->name;
            if (!known) model_report_component(x->r, m->at, record, m->name);
            if (find(s->modifier, m->name) != m)
                model_error(x->r, m->at, "%s is given twice", "leave one of them out",
                            model_spelled(x->r, m->name));
        }
}

/* Whether a record may be expanded: it does not contain itself, and there are not too many. */
static bool may_expand(expander *x, const model_declaration *d, const model_class *record,
                       const nest *around)
{
    const char *name = model_spelled(x->r, record->name);
    for (const nest *n = around; n; n = n->outer)
        if (n->record == record)
            return model_error(x->r, record->at, "the record %s contains itself",
                               "a record holds other records, never one of its own type", name);
    if (x->components <= MODEL_MOST_COMPONENTS) return true;
    if (x->full) return false;
    x->full = true;
    return model_error(x->r, d->at, "more than %d components of records", NULL,
                       MODEL_MOST_COMPONENTS);
}

static model_composed *composed_of(const expander *x, model_declaration *d)
{
    if (!d->composed) d->composed = arena_take(x->r->a, sizeof *d->composed);
    return d->composed;
}

static void expand(expander *x, model_declaration *d, const model_class *record,
                   const source *given, const nest *around)
{
    nest here = {record, around};
    if (!may_expand(x, d, record, around)) return;
    check_names(x, record, given);
    model_scope scope = {record, d, d->dimensions};
    for (size_t i = 0; i < record->declaration.count; i++) {
        const model_declaration *c = record->declaration.item[i];
        const model_class *alias, *nested = record_of(x->r, c, &alias);
        model_declaration *to = arena_duplicate(x->r->a, c, 1, sizeof *to);
        to->name = model_joined_name(x->r, d->name, c->name);
        to->at = d->at;
        to->composed = c->composed ? arena_duplicate(x->r->a, c->composed, 1, sizeof *c->composed)
                                   : arena_take(x->r->a, sizeof *to->composed);
        to->composed->owner = d;
        to->component = c->name;
        if (d->variability > c->variability) to->variability = d->variability;
        if (x->function && !is_settled(c)) to->variability = VARIABILITY_CONTINUOUS;
        to->direction = d->direction;
        to->final = c->final || d->final;
        to->hidden = c->hidden || d->hidden;
        source *sources = sources_of(x, given, c, d, record);
        copy_sizes(x, to, d, &scope);
        list_push(x->r->a, &composed_of(x, d)->member, to);
        list_push(x->r->a, &x->list, to);
        x->components++;
        if (!nested) {
            take_sources(x, sources, to);
            continue;
        }
        join_sizes(x->r, to, alias);
        to->binding = NULL;
        to->modifier = nothing;
        source *last = sources;
        while (last->next) last = last->next;
        add_aliases(x, alias, to->dimensions, &last->next);
        expand(x, to, nested, sources, &here);
    }
}

/* One declaration with its components into the list. */
static void add(expander *x, model_declaration *d, const nest *around)
{
    const model_class *alias, *record = record_of(x->r, d, &alias);
    list_push(x->r->a, &x->list, d);
    if (!record) return;
    join_sizes(x->r, d, alias);
    if (d->binding) {
        model_kept *kept = composed_of(x, d)->kept = arena_take(x->r->a, sizeof *kept);
        kept->local = x->function;
    }
    source given = {.modifier = &d->modifier, .value = d->binding};
    add_aliases(x, alias, d->dimensions, &given.next);
    expand(x, d, record, &given, around);
}

/* The constructor of a record: a function whose inputs are the components, except for those that
 * keep their values (Modelica 3.6, Sec. 12.6). */
static void make_constructor(expander *x, model_class *record)
{
    nest here = {record, NULL};
    if (record->equation.count || record->initial.count || record->algorithm.count)
        model_error(x->r, record->at, "the record %s has equations or an algorithm",
                    "write them in the model", model_spelled(x->r, record->name));
    for (size_t i = 0; i < record->declaration.count; i++) {
        const model_declaration *c = record->declaration.item[i];
        model_declaration *d = arena_duplicate(x->r->a, c, 1, sizeof *d);
        d->direction = is_settled(c) ? DIRECTION_NONE : DIRECTION_INPUT;
        d->variability = VARIABILITY_CONTINUOUS;
        add(x, d, &here);
    }
    list_copy(x->r->a, &record->expanded, &x->list);
}

void model_expand_records(model_reader *r)
{
    expander x = {.r = r};
    for (size_t i = 0; i < r->classes.count; i++) {
        model_class *c = r->classes.item[i];
        x.function = c->kind == CLASS_FUNCTION || c->kind == CLASS_RECORD;
        x.list = (declarations){0};
        if (c->kind == CLASS_RECORD) make_constructor(&x, c);
        bool holds = c->kind == CLASS_FUNCTION || c->kind == CLASS_PACKAGE || c == r->model;
        if (!holds) continue;
        for (size_t k = 0; k < c->declaration.count; k++) add(&x, c->declaration.item[k], NULL);
        list_return(r->a, &c->declaration);
        list_copy(r->a, &c->declaration, &x.list);
        list_return(r->a, &x.list);
    }
}
