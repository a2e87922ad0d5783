/* What a model's equations divide by, as the author wrote them: divisors() of simulation_ops. */
#include "base/round_off.h"
#include "solve/model_simulation.h"

#include "base/scatter.h"
#include "symbolic/derive.h"
#include "symbolic/domain.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* A pole must remain one when variables are changed by this many tolerances. */
static const double ERRORS = 10;

/* Divisors that may change their sign, each with the side of an equation that contains it. Only
 * that side is used: the other one may be a derivative of the step, which the stages at a pole may
 * dominate. An equation that is linear in the variable it gives, c u + r = 0, divides by c without
 * writing it. Its side is r/c, where r is reduced by what errors of the variables make of it. */
typedef struct division {
    sym by, side;
    size_t equation;
    size_t alone; /* the only variable of the divisor, or PROBLEM_NOWHERE */
} division;

struct model_divisors {
    size_t count;
    const division *item;
    const double *atols; /* for all variables */
    double rtol;
    sym_tape *divisors, *sides;
    double *input, *other; /* time, values, derivatives; a second such input */
    double *way;           /* what a step adds to these on the way from a zero to its end */
    double *side, *value;  /* count each */
};

typedef struct search {
    sym_graph *graph;
    arena *memory;
    const sym_system *system;
    const dae_options *options;
    const signature *of; /* NULL: no equation switches and no variable jumps */
    LIST(division) list;
} search;

static size_t slot(void *context, const sym_view *leaf)
{
    const size_t *unknowns = context;
    return leaf->op == SYM_TIME ? 0 : 1 + leaf->order * *unknowns + leaf->id;
}

static bool varies(sym_graph *g, sym f)
{
    const sym_leaf *leaf;
    return sym_leaves(g, f, &leaf) > 0 || sym_holds_time(g, 1, &f);
}

/* The only variable that an expression depends on, without derivatives or time; PROBLEM_NOWHERE
 * where there is more. */
static size_t only_variable(sym_graph *g, sym f)
{
    const sym_leaf *leaf;
    if (sym_holds_time(g, 1, &f) || sym_leaves(g, f, &leaf) != 1) return PROBLEM_NOWHERE;
    return leaf->order > 0 ? PROBLEM_NOWHERE : leaf->id;
}

/* Whether a divisor cannot jump even though other equations switch: it depends only on
 * differentiated variables and time. */
static bool is_steady(const search *s, sym divisor)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(s->graph, divisor, &leaf);
    for (size_t l = 0; l < leaves; l++)
        if (leaf[l].order > 0 || s->of->d[leaf[l].id] == 0) return false;
    return true;
}

static void note(search *s, sym by, sym side, size_t equation)
{
    sym_graph *g = s->graph;
    if (s->of && (sym_equation_has_pieces(s->system, equation) || !is_steady(s, by))) return;
    for (size_t k = 0; k < s->list.count; k++)
        if (s->list.item[k].by == by) return;
    if (!varies(g, by)) return;
    list_push(s->memory, &s->list, ((division){by, side, equation, only_variable(g, by)}));
}

/* Notes negative whole powers and tangents as divisors. Other powers have no value beyond a change
 * of sign. */
static void search_side(search *s, sym side, size_t equation)
{
    const sym_domain_limit *limit;
    size_t limits = sym_domain_limits(s->graph, 1, &side, 0, NULL, &limit);
    for (size_t k = 0; k < limits; k++) {
        if (limit[k].op == SYM_TAN)
            note(s, sym_function(s->graph, SYM_COS, limit[k].argument), side, equation);
        else if (sym_is_divisor(&limit[k]))
            note(s, limit[k].argument, side, equation);
    }
}

static double atol_of(const search *s, size_t j)
{
    const dae_options *o = s->options;
    return o->atols ? o->atols[j] : o->atol * s->system->unknown.item[j].nominal;
}

/* The possible error of a variable or a derivative. Derivatives of a step are hardly accurate. */
static sym error_of(const search *s, sym leaf)
{
    sym_graph *g = s->graph;
    sym_view view = sym_look(g, leaf);
    sym size = sym_function(g, SYM_ABS, leaf);
    if (view.order > 0) return sym_scale(g, 1 / ERRORS, size);
    return sym_add(g, sym_number(g, atol_of(s, view.id)), sym_scale(g, s->options->rtol, size));
}

/* |r|, reduced by what errors of the variables except `exact` make of it. */
static sym certain_size(const search *s, sym r, size_t exact)
{
    sym_graph *g = s->graph;
    sym_partials by = {.count = 0};
    sym size = sym_function(g, SYM_ABS, r);
    sym_gradient(g, r, &by);
    for (size_t k = 0; k < by.count; k++) {
        sym_view leaf = sym_look(g, by.item[k].leaf);
        if (leaf.op != SYM_VARIABLE || (leaf.id == exact && leaf.order == 0)) continue;
        sym by_leaf = sym_function(g, SYM_ABS, by.item[k].value);
        sym error = sym_multiply(g, by_leaf, error_of(s, by.item[k].leaf));
        size = sym_subtract(g, size, sym_scale(g, ERRORS, error));
    }
    return sym_binary(g, SYM_MAX, size, sym_number(g, 0));
}

/* Notes one factor of the coefficient of the variable that an equation gives. Where the factor is
 * 0, its only variable has exactly that value, so it has no error there. */
static void note_factor(search *s, sym factor, sym coefficient, sym r, size_t equation)
{
    sym_graph *g = s->graph;
    sym size = certain_size(s, r, only_variable(g, factor));
    note(s, factor, sym_divide(g, size, sym_function(g, SYM_ABS, coefficient)), equation);
}

/* Notes each factor of the coefficient, whatever its power. */
static void note_factors(search *s, sym coefficient, sym r, size_t equation)
{
    sym whole = coefficient;
    sym_view view = sym_look(s->graph, coefficient);
    if (view.op == SYM_SUM && view.count == 1 && view.value == 0) {
        coefficient = view.argument[0];
        view = sym_look(s->graph, coefficient);
    }
    if (view.op != SYM_PRODUCT) {
        note_factor(s, coefficient, whole, r, equation);
        return;
    }
    sym *factor = arena_array(s->memory, view.count, sizeof *factor);
    uint32_t count = 0;
    for (uint32_t i = 0; i < view.count; i++)
        if (view.factor[i] > 0 && view.factor[i] == floor(view.factor[i]))
            factor[count++] = view.argument[i];
    for (uint32_t i = 0; i < count; i++) note_factor(s, factor[i], whole, r, equation);
}

/* Whether the coefficient of a leaf is plainly a number, as that of x' in x' - f = 0: most are, and
 * derivatives of the equation are not formed then. */
static bool has_number(sym_graph *g, sym row, sym leaf)
{
    sym_view view = sym_look(g, row);
    bool found = false;
    if (view.op != SYM_SUM) return row == leaf;
    for (uint32_t i = 0; i < view.count; i++) {
        const sym *reached;
        if (view.argument[i] == leaf) found = true;
        if (view.argument[i] == leaf) continue;
        size_t count = sym_reach(g, 1, &view.argument[i], &reached);
        if (reached[sym_place(count, reached, leaf)] == leaf) return false;
    }
    return found;
}

/* Searches an equation that gives `leaf` and is linear in it. */
static void search_coefficient(search *s, size_t equation, sym leaf)
{
    sym_graph *g = s->graph;
    sym coefficient, rest, row = sym_residual(s->system, equation);
    if (has_number(g, row, leaf) || !sym_split_linear(g, row, leaf, &coefficient, &rest)) return;
    if (varies(g, coefficient)) note_factors(s, coefficient, rest, equation);
}

/* Searches the equations that are not differentiated and each give one unknown or its derivative.
 */
static void search_blocks(search *s, const structure *own)
{
    const signature *of = own->s;
    const incidence *in = own->in;
    for (size_t b = 0; b < own->blocks->count; b++) {
        size_t i = own->blocks->row[own->blocks->start[b]];
        if (own->blocks->start[b + 1] - own->blocks->start[b] > 1 || of->c[i] > 0) continue;
        for (size_t k = in->start[i]; k < in->start[i + 1]; k++)
            if (in->column[k] == of->match[i])
                search_coefficient(s, i, sym_variable(s->graph, in->column[k], in->order[k]));
    }
}

static void compile(model_divisors *d, const search *s)
{
    arena *a = s->memory;
    const size_t *unknowns = &s->system->unknown.count;
    size_t inputs = 1 + 2 * *unknowns;
    sym *by = arena_array(a, d->count, sizeof *by);
    sym *side = arena_array(a, d->count, sizeof *side);
    double *atols = arena_array(a, *unknowns, sizeof *atols);
    for (size_t j = 0; j < *unknowns; j++) atols[j] = atol_of(s, j);
    for (size_t k = 0; k < d->count; k++) {
        by[k] = d->item[k].by;
        side[k] = d->item[k].side;
    }
    d->atols = atols;
    d->rtol = s->options->rtol;
    d->divisors = sym_tape_compile(a, s->graph, d->count, by, inputs, slot, (void *)unknowns);
    d->sides = sym_tape_compile(a, s->graph, d->count, side, inputs, slot, (void *)unknowns);
    arena_vectors(a, inputs, (double **[]){&d->input, &d->other, &d->way, NULL});
    arena_vectors(a, d->count, (double **[]){&d->side, &d->value, NULL});
}

model_divisors *model_divisors_find(const sym_system *system, const structure *own, bool smooth,
                                    const dae_options *options, arena *a, size_t *count)
{
    if (!smooth && (!own || !own->s->regular)) return NULL;
    search s = {.of = smooth ? NULL : own->s,
                .graph = system->graph,
                .memory = a,
                .system = system,
                .options = options};
    for (size_t i = 0; i < system->equation.count; i++) {
        search_side(&s, system->equation.item[i].lhs, i);
        search_side(&s, system->equation.item[i].rhs, i);
    }
    if (own) search_blocks(&s, own);
    model_divisors *d = arena_take(a, sizeof *d);
    *d = (model_divisors){.count = s.list.count, .item = s.list.item};
    if (d->count > 0) compile(d, &s);
    *count = d->count;
    return d;
}

static void load_values(simulation *c, double t)
{
    const model_divisors *d = ((model_simulation *)c)->divisors;
    d->input[0] = t;
    memcpy(d->input + 1, c->value, c->n * sizeof *c->value);
    memcpy(d->input + 1 + c->n, c->value_yp, c->n * sizeof *c->value_yp);
}

static void load(simulation *c, double t, const double *y, const double *yp)
{
    model_simulation *m = (model_simulation *)c;
    const formulation *f = m->formulation;
    memcpy(m->z_out, m->z, f->p->size * sizeof *m->z);
    prolonged_form_gather(f->form, y, yp, m->z_out);
    author_lift(f->author, t, m->z_out, c->value, c->value_yp);
    load_values(c, t);
}

void model_divisors_evaluate(simulation *c, double t, const double *y, const double *yp,
                             double *divisor)
{
    const model_divisors *d = ((model_simulation *)c)->divisors;
    if (y)
        load(c, t, y, yp);
    else
        load_values(c, t);
    sym_tape_eval(d->divisors, d->input, divisor);
}

double model_divisors_size(simulation *c, double t, const double *y, const double *yp, size_t which)
{
    const model_divisors *d = ((model_simulation *)c)->divisors;
    load(c, t, y, yp);
    sym_tape_eval(d->sides, d->input, d->side);
    return isfinite(d->side[which]) ? fabs(d->side[which]) : HUGE_VAL;
}

static double divisor_at(model_divisors *d, size_t which, double v)
{
    d->input[1 + d->item[which].alone] = v;
    sym_tape_eval(d->divisors, d->input, d->value);
    return d->value[which];
}

static double side_at(model_divisors *d, double *input, size_t which, double v)
{
    input[1 + d->item[which].alone] = v;
    sym_tape_eval(d->sides, input, d->side);
    return d->side[which];
}

/* The zero of the divisor between two values of its variable, to the last digit. */
static double zero_between(model_divisors *d, size_t which, double low, double high)
{
    double at_low = divisor_at(d, which, low);
    for (int i = 0; i < 2100; i++) {
        double middle = low + 0.5 * (high - low);
        if (middle == low || middle == high) break;
        *(divisor_at(d, which, middle) * at_low > 0 ? &low : &high) = middle;
    }
    return low;
}

/* Whether errors of all other variables leave the side at v about the same. */
static bool is_certain(model_divisors *d, size_t unknowns, size_t which, double v)
{
    double side = side_at(d, d->input, which, v);
    for (int sign = -1; sign <= 1; sign += 2) {
        memcpy(d->other, d->input, (1 + 2 * unknowns) * sizeof *d->other);
        for (size_t j = 0; j < unknowns; j++) {
            double error = ERRORS * (d->atols[j] + d->rtol * fabs(d->input[1 + j]));
            d->other[1 + j] += scattered(j) < 0 ? -sign * error : sign * error;
        }
        if (!(side_at(d, d->other, which, v) / side > 0.5)) return false;
    }
    return true;
}

/* Whether the side at v is about the same where the step has moved the divisor's variable by its
 * error: z*w = f with f = 0 where z = 0 has no pole, but where z = 0 by an error alone, f is not
 * quite 0, and f/z grows as at a pole. */
static bool is_certain_on_way(model_divisors *d, size_t unknowns, size_t which, double v)
{
    static const double LEAST = 0.5, MOST = 2;
    size_t j = d->item[which].alone;
    double side = side_at(d, d->input, which, v), change = fabs(d->way[1 + j]),
           error = ERRORS * (d->atols[j] + d->rtol * fabs(v)),
           part = change > error ? error / change : 1;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (size_t k = 0; k < 1 + 2 * unknowns; k++)
            d->other[k] = d->input[k] + sign * part * d->way[k];
        double ratio = side_at(d, d->other, which, v) / side;
        if (!(ratio > LEAST && ratio < MOST)) return false;
    }
    return true;
}

/* Whether the side grows like a power: by more than 16 times, and equally, in the last two steps
 * that each divide the distance to the zero by 32. Errors in its parts would grow irregularly. */
static bool is_power(model_divisors *d, size_t unknowns, size_t which, double zero, double way)
{
    static const double SHORTER = 1. / 32, SHORTEST = ROUND_OFF_NORM, OF_ZERO = 1e-6, LEAST = 16,
                        ALIKE = 0.2;
    double growth[2] = {0}, shortest = fmax(SHORTEST * fabs(way), OF_ZERO * fabs(zero));
    double side = side_at(d, d->input, which, zero + way);
    while (fabs(way) * SHORTER > shortest) {
        double before = side;
        way *= SHORTER;
        side = side_at(d, d->input, which, zero + way);
        growth[0] = growth[1];
        growth[1] = side / before;
    }
    return isfinite(side) && fmin(growth[0], growth[1]) > LEAST &&
           fabs(growth[1] / growth[0] - 1) < ALIKE && is_certain(d, unknowns, which, zero + way) &&
           is_certain_on_way(d, unknowns, which, zero + way);
}

bool model_divisors_is_pole(simulation *c, const engine_point *from, const engine_point *to,
                            const engine_point *between, size_t which, double *pole)
{
    model_divisors *d = ((model_simulation *)c)->divisors;
    size_t j = d->item[which].alone;
    if (j == PROBLEM_NOWHERE) return false;
    load(c, from->t, from->y, from->yp);
    double low = d->input[1 + j];
    load(c, to->t, to->y, to->yp);
    double high = d->input[1 + j];
    memcpy(d->way, d->input, (1 + 2 * c->n) * sizeof *d->way);
    load(c, between->t, between->y, between->yp);
    for (size_t k = 0; k < 1 + 2 * c->n; k++) d->way[k] -= d->input[k];
    if (!(divisor_at(d, which, low) * divisor_at(d, which, high) < 0)) return false;
    *pole = zero_between(d, which, low, high);
    return is_power(d, c->n, which, *pole, low - *pole) &&
           is_power(d, c->n, which, *pole, high - *pole);
}

double model_divisors_beyond(simulation *c, const engine_point *p, size_t which, double pole)
{
    const model_divisors *d = ((model_simulation *)c)->divisors;
    size_t j = d->item[which].alone;
    load(c, p->t, p->y, p->yp);
    double value = d->input[1 + j];
    return fabs(value - pole) / (d->atols[j] + d->rtol * fmax(fabs(value), fabs(pole)));
}

void model_divisors_name(const simulation *c, size_t which, text *t)
{
    const model_simulation *m = (const model_simulation *)c;
    sym_equation_name(m->system, &m->system->equation.item[m->divisors->item[which].equation], t);
}
