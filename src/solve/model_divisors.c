/* What a model's equations divide by, as the author wrote them: see course_row's divisors(). */
#include "solve/model_course.h"

#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* Divisors that may change their sign, each with the side of an equation that holds it: the other
 * side may be a slope of the step, which what its stages made of a pole may rule. */
struct model_divisors {
    size_t count;
    const size_t *equation;
    sym_tape *divisors, *sides;
    double *divisors_work, *sides_work;
    double *input, *side; /* time, values, slopes; count */
};

typedef struct found {
    sym divisor, side;
    size_t equation;
} found;

typedef struct search {
    sym_graph *graph;
    arena *memory;
    LIST(found) list;
} search;

static size_t slot(void *context, const sym_view *leaf)
{
    const size_t *unknowns = context;
    return leaf->op == SYM_TIME ? 0 : 1 + leaf->order * *unknowns + leaf->id;
}

/* Whether it varies, and is made of what author_lift() gives. */
static bool is_at_hand(sym_graph *g, sym divisor)
{
    const sym *node;
    bool varies = false;
    size_t nodes = sym_reach(g, 1, &divisor, &node);
    for (size_t k = 0; k < nodes; k++) {
        sym_view view = sym_look(g, node[k]);
        if (view.op == SYM_VARIABLE && view.order > 1) return false;
        varies = varies || view.op == SYM_VARIABLE || view.op == SYM_TIME;
    }
    return varies;
}

static void note(search *s, sym divisor, sym side, size_t equation)
{
    for (size_t k = 0; k < s->list.count; k++)
        if (s->list.item[k].divisor == divisor) return;
    if (!is_at_hand(s->graph, divisor)) return;
    list_push(s->memory, &s->list, ((found){divisor, side, equation}));
}

/* Powers that are no whole numbers have no value beyond a change of the sign. */
static void search_side(search *s, sym side, size_t equation)
{
    const sym *reached;
    size_t nodes = sym_reach(s->graph, 1, &side, &reached);
    sym *node = arena_array(s->memory, nodes, sizeof *node);
    memcpy(node, reached, nodes * sizeof *node);
    for (size_t k = 0; k < nodes; k++) {
        sym_view view = sym_look(s->graph, node[k]);
        if (view.op == SYM_TAN)
            note(s, sym_function(s->graph, SYM_COS, view.argument[0]), side, equation);
        for (uint32_t i = 0; view.op == SYM_PRODUCT && i < view.count; i++)
            if (view.factor[i] < 0 && view.factor[i] == floor(view.factor[i]))
                note(s, view.argument[i], side, equation);
    }
}

static void compile(model_divisors *d, const search *s, const sym_system *system, arena *a)
{
    size_t *unknowns = arena_take(a, sizeof *unknowns);
    *unknowns = system->unknown.count;
    size_t inputs = 1 + 2 * *unknowns, *equation = arena_array(a, d->count, sizeof *equation);
    sym *divisor = arena_array(a, d->count, sizeof *divisor);
    sym *side = arena_array(a, d->count, sizeof *side);
    for (size_t k = 0; k < d->count; k++) {
        divisor[k] = s->list.item[k].divisor;
        equation[k] = s->list.item[k].equation;
        side[k] = s->list.item[k].side;
    }
    d->equation = equation;
    d->divisors = sym_tape_compile(a, s->graph, d->count, divisor, inputs, slot, unknowns);
    d->sides = sym_tape_compile(a, s->graph, d->count, side, inputs, slot, unknowns);
    d->divisors_work = arena_array(a, sym_tape_work(d->divisors), sizeof(double));
    d->sides_work = arena_array(a, sym_tape_work(d->sides), sizeof(double));
    d->input = arena_array(a, inputs, sizeof(double));
    d->side = arena_array(a, d->count, sizeof(double));
    sym_tape_prepare(d->divisors, d->divisors_work);
    sym_tape_prepare(d->sides, d->sides_work);
}

model_divisors *model_divisors_find(const sym_system *system, arena *a)
{
    search s = {.graph = system->graph, .memory = a};
    for (size_t i = 0; i < system->equation.count; i++) {
        search_side(&s, system->equation.item[i].lhs, i);
        search_side(&s, system->equation.item[i].rhs, i);
    }
    model_divisors *d = arena_take(a, sizeof *d);
    *d = (model_divisors){.count = s.list.count};
    if (d->count > 0) compile(d, &s, system, a);
    return d;
}

size_t model_divisors_count(const model_divisors *d)
{
    return d ? d->count : 0;
}

static void load(course *c, double t, const double *y, const double *yp)
{
    model_course *m = (model_course *)c;
    const formulation *f = m->formulation;
    memcpy(m->z_out, m->z, f->p->size * sizeof *m->z);
    jet_form_gather(f->form, y, yp, m->z_out);
    author_lift(f->author, t, m->z_out, c->value, c->slope);
    m->divisors->input[0] = t;
    memcpy(m->divisors->input + 1, c->value, c->n * sizeof *c->value);
    memcpy(m->divisors->input + 1 + c->n, c->slope, c->n * sizeof *c->slope);
}

void model_divisors_evaluate(course *c, double t, const double *y, const double *yp,
                             double *divisor)
{
    const model_divisors *d = ((model_course *)c)->divisors;
    load(c, t, y, yp);
    sym_tape_eval(d->divisors, d->input, divisor, d->divisors_work);
}

double model_divisors_size(course *c, double t, const double *y, const double *yp, size_t which)
{
    const model_divisors *d = ((model_course *)c)->divisors;
    load(c, t, y, yp);
    sym_tape_eval(d->sides, d->input, d->side, d->sides_work);
    return isfinite(d->side[which]) ? fabs(d->side[which]) : HUGE_VAL;
}

void model_divisors_name(const course *c, size_t which, text *t)
{
    const model_course *m = (const model_course *)c;
    sym_equation_name(m->system, &m->system->equation.item[m->divisors->equation[which]], t);
}
