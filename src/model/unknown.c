/* The unknowns of the system: their names; and the attributes of all symbols. */
#include "model/discrete.h"
#include "model/evaluator.h"
#include "model/record.h"
#include "model/string.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

/* Mark the variables to which when-clauses assign: they are discrete (Modelica 3.6, Sec. 3.8.3). */

static void mark_symbol(model_symbol *s)
{
    s->in_when = true;
    for (size_t i = 0; i < s->member.count; i++) mark_symbol(s->member.item[i]);
}

static void mark_target(const model_expression *left)
{
    bool list = left->kind == EXPRESSION_TUPLE || left->kind == EXPRESSION_RECORD ||
                left->kind == EXPRESSION_ARRAY;
    for (uint32_t i = 0; list && i < left->count; i++) mark_target(left->operand[i]);
    if (left->kind == EXPRESSION_SUBSCRIPT) mark_target(left->operand[0]);
    if (left->kind != EXPRESSION_REFERENCE) return;
    const model_meaning *m = &left->reference->meaning;
    if (m->kind == MEANS_SYMBOL) mark_symbol(m->symbol);
}

static bool is_string(const model_expression *left)
{
    const model_meaning *m = left->kind == EXPRESSION_REFERENCE ? &left->reference->meaning : NULL;
    return m && m->kind == MEANS_SYMBOL && m->symbol->type.base == TYPE_STRING;
}

static void mark_targets(const model_clauses *list, bool in_when)
{
    for (size_t i = 0; i < list->count; i++) {
        const model_clause *c = list->item[i];
        bool assigns = c->kind == CLAUSE_EQUATION || c->kind == CLAUSE_ASSIGNMENT;
        bool string = c->kind == CLAUSE_ASSIGNMENT && is_string(c->left);
        if ((in_when && assigns) || string) mark_target(c->left);
        for (size_t k = 0; k < c->branch.count; k++)
            mark_targets(&c->branch.item[k].body, in_when || c->kind == CLAUSE_WHEN);
    }
}

/* Find out which variables are discrete. */
static void find_discrete(model_reader *r)
{
    mark_targets(&r->model->equation, false);
    for (size_t i = 0; i < r->model->algorithm.count; i++)
        mark_targets(&r->model->algorithm.item[i].statement, false);
    for (size_t i = 0; i < r->symbol.count; i++) {
        model_symbol *s = r->symbol.item[i];
        model_variability v = s->declaration->variability;
        bool jumps = s->type.base == TYPE_INTEGER || s->type.base == TYPE_BOOLEAN ||
                     s->type.base == TYPE_ENUMERATION;
        bool real = s->type.base == TYPE_REAL && (v == VARIABILITY_DISCRETE || s->in_when);
        bool string = s->type.base == TYPE_STRING && s->in_when; /* it has memory */
        s->discrete = v < VARIABILITY_PARAMETER && (jumps || real || string);
    }
}

static sym add_unknown(model_reader *r, model_symbol *s, size_t i)
{
    bool parameter = s->declaration->variability == VARIABILITY_PARAMETER;
    const char *name = model_element_name(r, s, i);
    name = arena_copy(r->home, name, strlen(name));
    sym_unknown u = {.name = name,
                     .unit = "",
                     .at = model_place(&r->source, s->declaration->at),
                     .nominal = 1,
                     .select = SYM_SELECT_DEFAULT,
                     .input = s->declaration->direction == DIRECTION_INPUT,
                     .output = s->declaration->direction == DIRECTION_OUTPUT,
                     .parameter = parameter};
    list_push(r->home, &r->system->unknown, u);
    list_push(r->a, &r->unknown_symbol, s);
    return sym_variable(r->graph, (uint32_t)r->system->unknown.count - 1, 0);
}

/* Elements of a parameter that are found at the start. */
static void place_parameter(model_reader *r, model_symbol *s)
{
    model_value fixed;
    bool given = s->declaration->variability == VARIABILITY_PARAMETER &&
                 s->value.type.base != TYPE_NONE && model_attribute(r, s, ATTRIBUTE_FIXED, &fixed);
    for (size_t i = 0; given && i < s->value.count; i++) {
        if (!sym_is(r->graph, model_element_of(&fixed, i), 0)) continue;
        if (s->type.base != TYPE_REAL) {
            model_refuse(r, s->declaration->at, NULL,
                         "%s parameters with fixed = false are not supported", "give it a value",
                         model_type_text(r, s->type));
            return;
        }
        if (!s->leaf) {
            s->leaf = arena_array(r->a, s->value.count, sizeof *s->leaf);
            for (size_t k = 0; k < s->value.count; k++) s->leaf[k] = SYM_NONE;
        }
        s->leaf[i] = add_unknown(r, s, i);
        r->free_parameters = true;
    }
}

/* An element of a discrete variable: its cells, and the unknown by which it is also one of the
 * author's variables. */
static sym add_discrete(model_reader *r, model_symbol *s, size_t i)
{
    if (s->type.base == TYPE_STRING) { /* its value is the number of a name, which is no result */
        const char *name = model_element_name(r, s, i);
        list_push(r->a, &r->discrete, ((model_discrete){.symbol = s, .unknown = UINT32_MAX}));
        place at = model_place(&r->source, s->declaration->at);
        return model_value_leaf(
            r, model_new_discrete(r, name, at, (model_type){.base = TYPE_INTEGER}));
    }
    add_unknown(r, s, i);
    uint32_t id = (uint32_t)r->system->unknown.count - 1;
    sym_unknown *u = &r->system->unknown.item[id];
    u->discrete = true;
    list_push(r->a, &r->discrete, ((model_discrete){.symbol = s, .unknown = id}));
    return model_value_leaf(r, model_new_discrete(r, u->name, u->at, s->type));
}

static void place_variable(model_reader *r, model_symbol *s)
{
    bool supported = s->type.base == TYPE_REAL || s->discrete;
    if (s->type.base == TYPE_STRING && !s->discrete) return; /* it is what its equation says */
    s->valued = PROGRESS_DONE;
    if (s->value.type.base == TYPE_NONE) return;
    sym *element = model_new_elements(r, &s->value);
    for (size_t i = 0; i < s->value.count; i++)
        element[i] = s->discrete ? add_discrete(r, s, i)
                     : supported ? add_unknown(r, s, i)
                                 : model_stand_in(r);
}

/* Whether the number of elements of all variables is allowed. If not, no variable gets a value. */
static bool are_placeable(model_reader *r)
{
    size_t total = 0;
    const model_symbol *last = NULL;
    for (size_t i = 0; i < r->symbol.count && total <= MODEL_MOST_ELEMENTS; i++) {
        last = r->symbol.item[i];
        if (last->declaration->variability < VARIABILITY_PARAMETER) total += last->value.count;
    }
    if (total <= MODEL_MOST_ELEMENTS) return true;
    model_error(r, last->declaration->at, "more than %d unknowns", NULL, MODEL_MOST_ELEMENTS);
    for (size_t i = 0; i < r->symbol.count; i++)
        if (r->symbol.item[i]->declaration->variability < VARIABILITY_PARAMETER)
            r->symbol.item[i]->value = model_none();
    return false;
}

void model_place_unknowns(model_reader *r)
{
    if (!are_placeable(r)) r->exhausted = true;
    find_discrete(r);
    model_find_texts(r);
    for (size_t i = 0; i < r->symbol.count; i++) {
        model_symbol *s = r->symbol.item[i];
        if (s->declaration->variability >= VARIABILITY_PARAMETER)
            place_parameter(r, s);
        else
            place_variable(r, s);
    }
}

/* The value of an attribute, which takes place in `room`; NULL: it has none. */
static const model_value *attribute(model_reader *r, const model_symbol *s,
                                    model_attribute_name name, model_value *room)
{
    return model_attribute(r, s, name, room) ? room : NULL;
}

/* x(start = p) with a parameter p that is found at the start: an initial equation if x is fixed. */
static void start_equation(model_reader *r, sym_unknown *u, uint32_t id, sym value)
{
    sym_equation e = {.lhs = sym_variable(r->graph, id, 0), .rhs = value, .at = u->at, .text = ""};
    if (u->fixed) list_push(r->home, &r->system->initial, e);
    if (!u->fixed) list_push(r->home, &r->system->start_law, ((sym_start_law){id, value}));
    u->start_given = !u->fixed;
    u->fixed = false;
}

/* The start value of a variable, if it is known. One that changes with time is reported. */
static bool find_start(model_reader *r, const model_symbol *s, sym value, double *start)
{
    if (sym_number_of(r->graph, value, start)) {
        if (!sym_ask(r->graph, IS_FINITE, *start, 0))
            model_error(r, s->declaration->at, "the start value of %s is not finite",
                        "give it a number", s->name);
        return true;
    }
    if (model_varies(r, value)) {
        model_error(r, s->declaration->at,
                    "the start value of %s depends on values that change with time", NULL, s->name);
        model_remedy(r, "write an initial equation: %s = ...", s->name);
    }
    return false;
}

static void describe_start(model_reader *r, const model_symbol *s, uint32_t id, sym start)
{
    sym_unknown *u = &r->system->unknown.item[id];
    u->start_given = find_start(r, s, start, &u->start);
    if (!u->start_given && !model_varies(r, start)) start_equation(r, u, id, start);
}

/* start and fixed of a discrete variable. If it is fixed, `start` is its value before the start. */
static void describe_discrete(model_reader *r, const model_symbol *s, uint32_t variable, size_t i,
                              const model_value *const *given)
{
    sym_discrete *d = &r->system->discrete.variable.item[variable];
    sym_unknown *u = &r->system->unknown.item[r->discrete.item[variable].unknown];
    const model_value *start = given[ATTRIBUTE_START];
    bool set = model_setting_of(r, s, i, &d->start);
    d->fixed = u->fixed;
    u->fixed = false;
    d->start_given = set || (start && find_start(r, s, model_element_of(start, i), &d->start));
    if (start && !d->start_given && d->fixed) { /* by a parameter that is found at the start */
        sym_initially e = {
            .discrete = variable, .before = true, .value = model_element_of(start, i), .at = u->at};
        list_push(r->home, &r->system->discrete.initially, e);
        d->fixed = false;
    }
    if (r->traces && d->start_given && s->type.base == TYPE_REAL)
        d->start = sym_trace_parameter(r->graph, u->name, d->start, set);
}

static void describe_nominal(model_reader *r, const model_symbol *s, sym_unknown *u, sym nominal)
{
    double number;
    u->sized = true;
    if (sym_is_number(r->graph, nominal, &number) && number != 0 && isfinite(number))
        u->nominal = fabs(number);
    else {
        model_error(r, s->declaration->at, "the nominal value of %s must be a number that is not 0",
                    "it is a typical size of the variable, for example 1e5", s->name);
    }
}

static void describe_unit(model_reader *r, sym_unknown *u, sym unit)
{
    double number;
    if (!sym_is_number(r->graph, unit, &number)) return;
    const char *spelled = names_string(r->words, (uint32_t)number);
    char *copy = arena_copy(r->home, spelled, strlen(spelled));
    model_clean(copy, strlen(copy));
    u->unit = copy;
}

/* Bounds that are numbers. */
static void describe_bounds(model_reader *r, sym_unknown *u, size_t i,
                            const model_value *const *given)
{
    double number;
    u->min = -HUGE_VAL, u->max = HUGE_VAL;
    if (given[ATTRIBUTE_MIN] &&
        sym_number_of(r->graph, model_element_of(given[ATTRIBUTE_MIN], i), &number))
        u->min = sym_value(r->graph, number);
    if (given[ATTRIBUTE_MAX] &&
        sym_number_of(r->graph, model_element_of(given[ATTRIBUTE_MAX], i), &number))
        u->max = sym_value(r->graph, number);
    u->bounded = u->min > -HUGE_VAL || u->max < HUGE_VAL;
}

static void describe_element(model_reader *r, const model_symbol *s, uint32_t id, size_t i,
                             const model_value *const *given)
{
    sym_unknown *u = &r->system->unknown.item[id];
    double number;
    bool set = false;
    if (given[ATTRIBUTE_FIXED] &&
        sym_is_number(r->graph, model_element_of(given[ATTRIBUTE_FIXED], i), &number))
        u->fixed = number != 0;
    if (u->parameter) u->fixed = false;
    if (given[ATTRIBUTE_NOMINAL])
        describe_nominal(r, s, u, model_element_of(given[ATTRIBUTE_NOMINAL], i));
    if (given[ATTRIBUTE_UNIT]) describe_unit(r, u, model_element_of(given[ATTRIBUTE_UNIT], i));
    if (given[ATTRIBUTE_STATE_SELECT] &&
        sym_is_number(r->graph, model_element_of(given[ATTRIBUTE_STATE_SELECT], i), &number))
        u->select = (sym_select)(SYM_SELECT_NEVER + (int)number - 1);
    if (s->discrete) return;
    if (s->type.base == TYPE_REAL) describe_bounds(r, u, i, given);
    if (model_setting_of(r, s, i, &u->start))
        u->start_given = set = true;
    else if (given[ATTRIBUTE_START])
        describe_start(r, s, id, model_element_of(given[ATTRIBUTE_START], i));
    if (r->traces && u->start_given && s->type.base == TYPE_REAL)
        u->start = sym_trace_parameter(r->graph, u->name, u->start, set);
}

/* start and fixed of String variables that have memory. */
static void describe_texts(model_reader *r)
{
    for (size_t k = 0; k < r->symbol.count; k++) {
        const model_symbol *s = r->symbol.item[k];
        bool string = s->type.base == TYPE_STRING && s->discrete && s->value.type.base != TYPE_NONE;
        model_value room[2];
        const model_value *start = string ? attribute(r, s, ATTRIBUTE_START, &room[0]) : NULL;
        const model_value *fixed = string ? attribute(r, s, ATTRIBUTE_FIXED, &room[1]) : NULL;
        for (size_t i = 0; string && i < s->value.count; i++) {
            uint32_t variable = model_variable_of(r, model_element(&s->value, i), false);
            sym_discrete *d = &r->system->discrete.variable.item[variable];
            d->start = names_intern(r->words, "", 0);
            d->start_given = start && find_start(r, s, model_element_of(start, i), &d->start);
            d->fixed = fixed && sym_is(r->graph, model_element_of(fixed, i), 1);
        }
    }
}

/* The guess for a parameter that is found at the start: its value, or else its start attribute. */
static const model_value *guess(model_reader *r, const model_symbol *s, model_value *room)
{
    if (!s->leaf || !s->declaration->binding) return attribute(r, s, ATTRIBUTE_START, room);
    model_mode before = model_enter_model(r);
    bool fits = model_binding_value(r, s, &s->value, room);
    r->mode = before;
    return fits ? room : NULL;
}

void model_describe_unknowns(model_reader *r)
{
    const model_symbol *s = NULL;
    const model_value *given[ATTRIBUTE_COUNT];
    model_value room[ATTRIBUTE_COUNT];
    size_t element = 0;
    for (uint32_t id = 0; id < r->system->unknown.count; id++, element++) {
        if (r->unknown_symbol.item[id] != s) {
            s = r->unknown_symbol.item[id];
            element = 0;
            for (int k = 0; k < ATTRIBUTE_COUNT; k++)
                given[k] = k == ATTRIBUTE_START ? guess(r, s, &room[k])
                                                : attribute(r, s, k, &room[k]);
        }
        while (s->leaf && s->leaf[element] == SYM_NONE) element++;
        describe_element(r, s, id, element, given);
        if (!s->discrete) continue;
        uint32_t variable = model_variable_of(r, model_element(&s->value, element), false);
        describe_discrete(r, s, variable, element, given);
    }
    describe_texts(r);
}

/* The equation element = value, which its author wrote as a declaration. */
static void show_element(model_reader *r, model_symbol *s, size_t i, const model_value *unit)
{
    sym value = model_element(&s->value, i), shown = add_unknown(r, s, i);
    sym_unknown *u = &r->system->unknown.item[r->system->unknown.count - 1];
    u->discrete = true;
    u->parameter = false;
    if (unit) describe_unit(r, u, model_element_of(unit, i));
    sym_equation e = {.lhs = shown, .rhs = value, .at = u->at, .text = ""};
    list_push(r->home, &r->system->equation, e);
}

/* What only asserts, terminates or has Strings has a variable that results do not show, so that
 * time passes. */
static void pass_time(model_reader *r)
{
    sym_system *system = r->system;
    const sym_discrete_part *d = &system->discrete;
    bool texts = false;
    for (size_t k = 0; k < r->symbol.count; k++)
        texts = texts || (r->symbol.item[k]->type.base == TYPE_STRING &&
                          r->symbol.item[k]->declaration->variability < VARIABILITY_PARAMETER);
    if (!texts && !system->assertion.count && !d->action.count && !d->watched.count) return;
    sym_unknown u = {.name = "time",
                     .unit = "s",
                     .at = model_place(&r->source, r->model->at),
                     .nominal = 1,
                     .select = SYM_SELECT_DEFAULT};
    sym_equation e = {
        .lhs = sym_variable(r->graph, 0, 0), .rhs = sym_time(r->graph), .at = u.at, .text = ""};
    list_push(r->home, &system->unknown, u);
    list_push(r->home, &system->equation, e);
    system->hidden++;
}

void model_show_parameters(model_reader *r)
{
    if (r->system->unknown.count || r->system->equation.count || r->reports.list.count) return;
    for (size_t k = 0; k < r->symbol.count; k++) {
        model_symbol *s = r->symbol.item[k];
        bool number = s->type.base != TYPE_STRING && s->type.base <= TYPE_ENUMERATION &&
                      s->value.type.base != TYPE_NONE;
        model_value room;
        const model_value *unit = number ? attribute(r, s, ATTRIBUTE_UNIT, &room) : NULL;
        for (size_t i = 0; number && i < s->value.count; i++) show_element(r, s, i, unit);
    }
    if (!r->system->unknown.count) {
        pass_time(r);
        return;
    }
    list_push(r->a, &r->note,
              arena_format(r->a,
                           "%s:%u: model %s has no variables, there is nothing to solve; the "
                           "results are its parameters and constants",
                           r->source.file, model_line_number(r, r->model->at), r->system->name));
}

static const struct {
    const char *name, *of;
    model_base value;
} table[ATTRIBUTE_COUNT] = {
#define ATTRIBUTE(attribute, spelling, types, base) {spelling, types, base},
#include "model/attributes.def"
#undef ATTRIBUTE
};

void model_name_attributes(model_reader *r)
{
    for (int i = 0; i < ATTRIBUTE_COUNT; i++)
        r->attribute[i] = names_intern(r->words, table[i].name, strlen(table[i].name));
}

/* Whether variables of a type have an attribute. */
static bool belongs(int attribute, model_type type)
{
    static const char letter[] = {[TYPE_REAL] = 'R',
                                  [TYPE_INTEGER] = 'I',
                                  [TYPE_BOOLEAN] = 'B',
                                  [TYPE_STRING] = 'S',
                                  [TYPE_ENUMERATION] = 'E'};
    return type.base <= TYPE_ENUMERATION && strchr(table[attribute].of, letter[type.base]) != NULL;
}

static void report_attribute(model_reader *r, const model_symbol *s, const model_modifier *m)
{
    const char *candidate[ATTRIBUTE_COUNT];
    size_t count = 0;
    for (int i = 0; i < ATTRIBUTE_COUNT; i++)
        if (belongs(i, s->type)) candidate[count++] = table[i].name;
    const char *name = model_spelled(r, m->name);
    const char *list = "";
    for (size_t i = 0; i < count; i++)
        list = arena_format(r->a, "%s%s%s", list, i ? ", " : "", candidate[i]);
    model_error(r, m->at, "%s has no attribute %s", NULL, model_type_text(r, s->type), name);
    model_remedy(r, "its attributes: %s", list);
    model_remedy_nearest(r, name, count, candidate);
}

static void check_modifiers(model_reader *r, const model_symbol *s, const model_modifiers *list)
{
    bool given[ATTRIBUTE_COUNT] = {false};
    for (size_t i = 0; i < list->count; i++) {
        const model_modifier *m = &list->item[i];
        int k = 0;
        while (k < ATTRIBUTE_COUNT && r->attribute[k] != m->name) k++;
        if (k == ATTRIBUTE_COUNT || !belongs(k, s->type)) {
            report_attribute(r, s, m);
            continue;
        }
        if (given[k])
            model_error(r, m->at, "%s is given twice", "leave one of them out", table[k].name);
        given[k] = true;
        if (m->nested.count || !m->value)
            model_error(r, m->at, "expected a value for %s: %s = ...", NULL, table[k].name,
                        table[k].name);
    }
}

void model_check_attributes(model_reader *r, const model_symbol *s)
{
    if (s->type.base == TYPE_NONE) return;
    check_modifiers(r, s, &s->declaration->modifier);
    for (const model_class *c = s->alias; c; c = model_alias_base(r, c))
        check_modifiers(r, s, &c->modifier);
}

static const model_modifier *find(const model_modifiers *list, uint32_t name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].name == name && list->item[i].value) return &list->item[i];
    return NULL;
}

/* Whether a value is a scalar or an array of the last dimensions of the symbol. */
static bool size_fits(const model_symbol *s, const model_value *v)
{
    if (v->rank > s->value.rank) return false;
    for (uint32_t k = 0; k < v->rank; k++)
        if (v->size[k] != s->value.size[s->value.rank - v->rank + k]) return false;
    return true;
}

static const model_modifier *modifier_of(const model_reader *r, const model_symbol *s,
                                         model_attribute_name name)
{
    const model_modifier *m = find(&s->declaration->modifier, r->attribute[name]);
    for (const model_class *c = s->alias; c && !m; c = model_alias_base(r, c))
        m = find(&c->modifier, r->attribute[name]);
    return m;
}

const model_expression *model_attribute_written(const model_reader *r, const model_symbol *s,
                                                model_attribute_name name)
{
    const model_modifier *m = modifier_of(r, s, name);
    return m ? m->value : NULL;
}

bool model_attribute(model_reader *r, const model_symbol *s, model_attribute_name name,
                     model_value *v)
{
    const model_modifier *m = modifier_of(r, s, name);
    if (!m) return false;
    model_mode before = model_enter_model(r);
    *v = model_evaluate(r, m->value);
    r->mode = before;
    if (v->type.base == TYPE_NONE) return false;
    bool fits = false;
    switch (table[name].value) {
    case TYPE_NONE: fits = model_convert(r, m->value->at, table[name].name, s->type, v); break;
    case TYPE_ENUMERATION:
        fits = v->type.base == TYPE_ENUMERATION &&
               strcmp(names_string(r->words, v->type.declared->name), "StateSelect") == 0;
        if (!fits) model_report_type(r, m->value, v, "a StateSelect");
        break;
    default:
        fits = model_convert(r, m->value->at, table[name].name,
                             (model_type){.base = table[name].value}, v);
    }
    if (!fits || size_fits(s, v)) return fits;
    return model_error(r, m->value->at, "%s is %s, but its %s is %s",
                       "write 'each' before it to give all elements one value", s->name,
                       model_size_text(r, &s->value), table[name].name, model_size_text(r, v));
}

sym model_element_of(const model_value *v, size_t i)
{
    return v->count ? model_element(v, i % v->count) : 0;
}
