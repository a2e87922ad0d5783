/* Inputs of the model: `input Real u` without an equation is given from outside, by a course in
 * time or as its start value. */
#include "model/builtin.h"
#include "model/discrete.h"
#include "model/evaluator.h"
#include "model/flatten.h"
#include "model/load.h"
#include "model/record.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

static bool is_input(const model_symbol *s)
{
    return s->declaration->direction == DIRECTION_INPUT &&
           s->declaration->variability < VARIABILITY_PARAMETER;
}

/* Whether one of the scalars of a symbol is given its course. */
static bool is_fed(model_reader *r, const model_symbol *s, size_t i)
{
    for (size_t k = 0; k < r->fed.count; k++) {
        const model_fed *f = &r->fed.item[k];
        size_t element;
        if (f->to.symbol == s && model_assigned_element(r, &f->to, &element) && element == i)
            return true;
    }
    return false;
}

/* Element i of an input equals a value that is given from outside. said: the equation in messages;
 * NULL: as that of a declaration. */
static void equate(model_flattening *f, const model_symbol *s, size_t i, sym value,
                   const char *said)
{
    model_clause *c = arena_take(f->r->a, sizeof *c);
    c->at = s->declaration->at;
    c->declared = s->name;
    c->text = said;
    c->where = model_place(&f->r->source, c->at);
    model_scalar_equation e = {.lhs = model_element(&s->value, i), .rhs = value, .from = c};
    sym_view element = sym_look(f->r->graph, e.lhs);
    if (element.op == SYM_VARIABLE) f->r->system->unknown.item[element.id].supplied = true;
    list_push(f->r->a, &f->list, e);
}

static bool may_have_course(const model_symbol *s)
{
    model_base base = s->value.type.base;
    return base == TYPE_REAL || base == TYPE_INTEGER || base == TYPE_BOOLEAN ||
           base == TYPE_ENUMERATION;
}

/* The first value that an input of this type does not have; NULL: all fit. */
static const double *unfit(const model_symbol *s, const model_course *c)
{
    double literals = 0;
    if (s->value.type.base == TYPE_REAL) return NULL;
    if (s->value.type.base == TYPE_ENUMERATION)
        literals = (double)s->value.type.declared->literal.count;
    for (size_t k = 0; k < c->count; k++) {
        const double *v = &c->value[k];
        if (*v != floor(*v) || (s->value.type.base == TYPE_BOOLEAN && *v != 0 && *v != 1) ||
            (literals > 0 && (*v < 1 || *v > literals)))
            return v;
    }
    return NULL;
}

static void feed(model_flattening *f, const model_fed *fed)
{
    model_reader *r = f->r;
    const model_symbol *s = fed->to.symbol;
    const model_course *c = fed->course;
    size_t i;
    if (!s || !is_input(s) || !model_assigned_element(r, &fed->to, &i)) return;
    if (!may_have_course(s) || unfit(s, c)) return; /* reported later */
    sym course = model_curve_at(r, c->count, c->time, c->value, sym_time(r->graph), s->discrete,
                                arena_format(r->a, "%s(time)", fed->to.name), s);
    if (course == SYM_NONE) return;
    if (s->value.type.base == TYPE_BOOLEAN)
        course = sym_binary(r->graph, SYM_LESS, sym_number(r->graph, 0.5), course);
    equate(f, s, i, course, NULL);
}

/* Adds a name to a list of at most a few. */
static const char *listed(model_reader *r, const char *list, const char *name, size_t number)
{
    enum { SHOWN = 6 };
    if (number == SHOWN) return arena_format(r->a, "%s, ...", list);
    return number > SHOWN ? list : arena_format(r->a, "%s%s%s", list, number ? ", " : "", name);
}

void model_note_held(model_reader *r)
{
    const char *list = "";
    size_t count = r->held.count;
    for (size_t i = 0; i < count; i++) list = listed(r, list, r->held.item[i], i);
    if (count > 0)
        list_push(r->a, &r->note,
                  arena_format(r->a, "held at %s: the input%s %s, which nothing in the model gives",
                               count > 1 ? "their start values" : "its start value",
                               count > 1 ? "s" : "", list));
}

/* A scalar of an input that has no course. */
typedef struct open_input {
    const model_symbol *symbol;
    size_t element;
} open_input;

typedef LIST(open_input) open_inputs;

static void find_open(model_reader *r, open_inputs *list)
{
    for (size_t k = 0; k < r->symbol.count; k++) {
        const model_symbol *s = r->symbol.item[k];
        if (!is_input(s) || s->declaration->binding || s->discrete) continue;
        for (size_t i = 0; i < s->value.count; i++) {
            bool unknown = sym_look(r->graph, model_element(&s->value, i)).op == SYM_VARIABLE;
            if (unknown && !is_fed(r, s, i)) list_push(r->a, list, ((open_input){s, i}));
        }
    }
}

static bool is_variable(const model_reader *r, sym node, uint32_t id)
{
    sym_view view = sym_look(r->graph, node);
    return view.op == SYM_VARIABLE && view.id == id && view.order == 0;
}

static bool gives(model_reader *r, sym lhs, sym rhs, uint32_t id)
{
    return (is_variable(r, lhs, id) && !model_has_trait(r, rhs, TRAIT_UNKNOWN)) ||
           (is_variable(r, rhs, id) && !model_has_trait(r, lhs, TRAIT_UNKNOWN));
}

/* Whether an equation of the model says what an input is, as u = sin(time) does. */
static bool is_given(const model_flattening *f, uint32_t id)
{
    const sym_equations *all = &f->r->system->equation;
    bool given = false;
    for (size_t i = 0; i < all->count && !given; i++)
        given = gives(f->r, all->item[i].lhs, all->item[i].rhs, id);
    for (size_t i = 0; i < f->list.count && !given; i++)
        given = gives(f->r, f->list.item[i].lhs, f->list.item[i].rhs, id);
    return given;
}

/* The inputs of the list that no equation gives by itself. */
static void leave_open(const model_flattening *f, open_inputs *open)
{
    size_t kept = 0;
    for (size_t i = 0; i < open->count; i++) {
        const open_input *o = &open->item[i];
        uint32_t id = sym_look(f->r->graph, model_element(&o->symbol->value, o->element)).id;
        if (!is_given(f, id)) open->item[kept++] = *o;
    }
    open->count = kept;
}

/* Where so many equations are missing as there are inputs without a value, or more, these keep
 * their start values: der(u) = 0 would leave these open. */
static void hold_others(model_flattening *f)
{
    model_reader *r = f->r;
    open_inputs open = {0};
    size_t unknowns = 0, equations = r->system->equation.count + f->list.count;
    for (size_t i = 0; i < r->system->unknown.count; i++)
        unknowns += !r->system->unknown.item[i].parameter;
    find_open(r, &open);
    if (open.count > 0 && unknowns >= equations + open.count) leave_open(f, &open);
    if (unknowns < equations + open.count) return;
    for (size_t i = 0; i < open.count; i++) {
        const model_symbol *s = open.item[i].symbol;
        size_t element = open.item[i].element;
        uint32_t id = sym_look(r->graph, model_element(&s->value, element)).id;
        const sym_unknown *u = &r->system->unknown.item[id];
        const char *said = arena_format(r->home, "%s = %g, as nothing gives this input", u->name,
                                        sym_value(r->graph, u->start));
        equate(f, s, element, sym_number(r->graph, u->start), said);
        list_push(r->a, &r->held, r->system->unknown.item[id].name);
    }
}

void model_feed_inputs(model_flattening *f)
{
    for (size_t k = 0; k < f->r->fed.count; k++) feed(f, &f->r->fed.item[k]);
    model_take_definitions(f); /* of discrete inputs */
    if (!f->r->reports.list.count && !f->r->dropped) hold_others(f);
}

/* What is wrong with the course of what a name stands for; NULL: nothing. */
static const char *wrong_course(model_reader *r, const model_fed *f)
{
    const model_symbol *s = f->to.symbol;
    const char *name = f->to.name, *list = "";
    size_t count = 0, element;
    if (s && is_input(s)) {
        const double *v = unfit(s, f->course);
        if (!may_have_course(s))
            return arena_format(r->a, "the input %s is %s and has no course in time", name,
                                model_type_text(r, s->value.type));
        if (v)
            return arena_format(r->a, "the input %s is %s and cannot be %g, as its course is at %g",
                                name, model_type_text(r, s->value.type), *v,
                                f->course->time[v - f->course->value]);
        if (!model_assigned_element(r, &f->to, &element))
            return arena_format(r->a, "%s: %s is %s; each element has a course of its own", name,
                                s->name, model_size_text(r, &s->value));
        return NULL;
    }
    for (size_t k = 0; k < r->symbol.count; k++)
        if (is_input(r->symbol.item[k])) list = listed(r, list, r->symbol.item[k]->name, count++);
    return arena_format(r->a, "%s is no input of the model, which %s%s%s", name,
                        count ? "has the input" : "has none",
                        count > 1 ? "s "
                        : count   ? " "
                                  : "",
                        list);
}

dae_status model_check_courses(model_reader *r, message *m)
{
    for (size_t k = 0; k < r->fed.count; k++) {
        const char *wrong = wrong_course(r, &r->fed.item[k]);
        if (wrong) return message_fail(m, DAE_USAGE, "%s", wrong);
    }
    return DAE_OK;
}
