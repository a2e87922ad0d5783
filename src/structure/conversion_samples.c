/* Points near the start at which expressions are evaluated; and combinations freed of divisors. */
#include "base/scatter.h"
#include "linalg/rows.h"
#include "problem/time_unit.h"
#include "structure/conversion_parts.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* First, combinations with divisors that may vanish. */

/* Split x = above / below, as far as its factors show that; below is 1 if they show no divisor. */
static void split(sym_graph *g, sym x, sym *above, sym *below)
{
    sym_view view = sym_look(g, x);
    double scale = 1;
    *above = x;
    *below = sym_number(g, 1);
    if (view.op == SYM_SUM && view.count == 1 && view.value == 0) {
        scale = view.factor[0];
        view = sym_look(g, view.argument[0]);
    }
    if (view.op != SYM_PRODUCT) return;
    *above = sym_number(g, scale);
    for (uint32_t k = 0; k < view.count; k++) {
        sym *side = view.factor[k] < 0 ? below : above;
        *side = sym_multiply(g, *side, sym_power_number(g, view.argument[k], fabs(view.factor[k])));
    }
}

/* Find the only other equation whose factor in the combination for l has a divisor; it must be
 * differentiated as often as l. False if there is none, or more than one. */
static bool find_other(const conversion *v, size_t l, divisor *d)
{
    size_t found = 0;
    for (size_t k = 0; k < v->n; k++) {
        sym above, below;
        if (k == l || term_is_zero(v, &v->factor[l * v->n + k])) continue;
        split(v->g, v->factor[l * v->n + k].value, &above, &below);
        if (sym_is_number(v->g, below, NULL)) continue;
        if (v->s->c[k] != v->s->c[l]) return false;
        *d = (divisor){.other = k, .above = above, .below = below};
        found++;
    }
    return found == 1;
}

bool conversion_free_of_divisor(conversion *v, size_t l, divisor *d)
{
    double at[SAMPLES];
    term *factor = v->factor + l * v->n;
    if (!find_other(v, l, d) || !conversion_look(v, 1, &d->below, at)) return false;
    for (size_t k = 0; k < v->n; k++) {
        if (term_is_zero(v, &factor[k])) continue;
        factor[k].value = k == d->other ? d->above : sym_multiply(v->g, factor[k].value, d->below);
        for (int s = 0; s < SAMPLES; s++) {
            factor[k].at[s] *= at[s];
            factor[k].size[s] *= fabs(at[s]);
        }
    }
    return true;
}

/* The least common multiple of divisors, as far as their factors show it. */
static sym common_multiple(sym_graph *g, sym a, sym b)
{
    sym above, below;
    split(g, sym_divide(g, a, b), &above, &below);
    return sym_multiply(g, b, above);
}

bool conversion_clear_divisors(conversion *v, size_t l, sym *below)
{
    double at[SAMPLES];
    term *factor = v->factor + l * v->n;
    *below = sym_number(v->g, 1);
    for (size_t k = 0; k < v->n; k++) {
        sym above, own;
        if (term_is_zero(v, &factor[k])) continue;
        split(v->g, factor[k].value, &above, &own);
        if (!sym_is_number(v->g, own, NULL)) *below = common_multiple(v->g, own, *below);
    }
    if (sym_is_number(v->g, *below, NULL) || !conversion_look(v, 1, below, at)) return false;
    for (size_t k = 0; k < v->n; k++) {
        if (term_is_zero(v, &factor[k])) continue;
        factor[k].value = sym_multiply(v->g, factor[k].value, *below);
        for (int s = 0; s < SAMPLES; s++) {
            factor[k].at[s] *= at[s];
            factor[k].size[s] *= fabs(at[s]);
        }
    }
    return true;
}

sym conversion_across(const conversion *v, size_t l, const divisor *d, const sym *residual)
{
    return sym_subtract(v->g, sym_multiply(v->g, d->below, residual[d->other]),
                        sym_multiply(v->g, d->above, residual[l]));
}

/* The distance of the samples from the point, in sizes of the unknowns. The first sample is the
 * point itself. */
static const double DISTANCE[] = {0.3, 0.03, 1e-3};

/* Make a sample at a distance; `number` counts all that are tried. */
static void scatter(const conversion *v, double distance, size_t number, double *input)
{
    const prolongation *p = v->p;
    const conversion_point *at = v->point;
    size_t next = number * (p->size + 1);
    double span = time_unit_beside(at->time_unit, at->t);
    input[0] = at->t + distance * scattered(next) * span;
    for (size_t j = 0; j < p->columns; j++) {
        uint32_t id = p->unknown[j];
        double nominal = v->system->unknown.item[id].nominal;
        for (uint32_t d = 0; d <= p->d[j]; d++) {
            double base = d == 0 ? at->value[id] : d == 1 ? at->yp[id] : 0;
            if (!isfinite(base)) base = 0;
            double size = fmax(fabs(base), nominal / pow(at->time_unit, d));
            size_t k = 1 + p->first[j] + d;
            input[k] = base + distance * scattered(next + k) * size;
        }
    }
}

/* Values of expressions at some of the inputs; false if a value is not finite. */
static bool evaluate(const conversion *v, double *const *input, int from, int to, size_t count,
                     const sym *f, double *value)
{
    sym_tape *tape = prolongation_tape(v->a, v->p, count, f);
    for (int s = from; s < to; s++) {
        double *at = value + (size_t)s * count;
        sym_tape_eval(tape, input[s], at);
        if (!vector_is_finite(count, at)) return false;
    }
    return true;
}

/* The same at all inputs, sample by sample. At samples beside the point, functions are kept from
 * dying out: a later pulse is 1e-160 at the start, and what it multiplies would be taken for
 * zero. */
static bool look_at_inputs(const conversion *v, double *const *input, size_t count, const sym *f,
                           double *value)
{
    sym *lively = arena_duplicate(v->a, f, count, sizeof *lively);
    sym_enliven(v->g, count, lively);
    return evaluate(v, input, 0, 1, count, f, value) &&
           evaluate(v, input, 1, SAMPLES, count, lively, value);
}

bool conversion_look(const conversion *v, size_t count, const sym *f, double *value)
{
    return look_at_inputs(v, v->input, count, f, value);
}

/* The size of a node by those of its arguments: of the terms that make it, in sums and in factors
 * that are sums. `value`: of the nodes that it is made of. */
static double term_size(const sym_view *view, const size_t *at, const double *value,
                        const double *size)
{
    double all = view->op == SYM_SUM ? fabs(view->value) : 1;
    for (uint32_t k = 0; k < view->count; k++) {
        double factor = view->factor[k];
        bool terms = view->op == SYM_SUM || (factor > 0 && factor == floor(factor));
        double own = terms ? size[at[k]] : fabs(value[at[k]]);
        if (view->op == SYM_SUM)
            all += fabs(factor) * own;
        else
            all *= pow(own, factor);
    }
    return all;
}

/* What the rounding of the terms of expressions leaves of them: N. J. Higham, Accuracy and
 * Stability of Numerical Algorithms (2002), Sec. 3.3. The nodes are evaluated, and none is made,
 * because their numbers decide the order of terms. */
static void round_terms(const conversion *v, size_t count, const sym *f, double *rounding)
{
    const sym *node;
    size_t nodes = sym_keep_reached(v->g, count, f, &node);
    sym_tape *tape = prolongation_tape(v->a, v->p, nodes, node);
    double *value = arena_array(v->a, 2 * nodes + 1, sizeof *value), *size = value + nodes;
    size_t *at = arena_array(v->a, nodes + 1, sizeof *at);
    for (size_t s = 0; s < SAMPLES; s++) {
        sym_tape_eval(tape, v->input[s], value);
        for (size_t i = 0; i < nodes; i++) {
            sym_view view = sym_look(v->g, node[i]);
            bool adds = view.op == SYM_SUM || view.op == SYM_PRODUCT;
            for (uint32_t k = 0; adds && k < view.count; k++)
                at[k] = sym_place(nodes, node, view.argument[k]);
            size[i] = adds ? term_size(&view, at, value, size) : fabs(value[i]);
        }
        for (size_t k = 0; k < count; k++) {
            double own = DBL_EPSILON * size[sym_place(nodes, node, f[k])];
            rounding[s * count + k] = isfinite(own) ? own : 0;
        }
    }
}

/* A last digit of the terms that make an expression counts, and the change by one of each input,
 * which matters where terms within functions cancel. Numbers have digits, too, and an input of 0
 * has no last one. */
void conversion_find_rounding(const conversion *v, size_t count, const sym *f, const double *value,
                              double *rounding)
{
    enum { PROBES = 3 };
    size_t inputs = prolongation_inputs(v->p);
    double *input[SAMPLES], *moved = arena_array(v->a, SAMPLES * count, sizeof *moved);
    for (size_t s = 0; s < SAMPLES; s++) input[s] = arena_array(v->a, inputs, sizeof(double));
    round_terms(v, count, f, rounding);
    for (size_t probe = 0; probe < PROBES; probe++) {
        for (size_t s = 0; s < SAMPLES; s++)
            for (size_t k = 0; k < inputs; k++)
                input[s][k] = v->input[s][k] *
                              (1 + 2 * DBL_EPSILON * scattered(probe * inputs + k));
        if (!look_at_inputs(v, input, count, f, moved)) continue;
        for (size_t k = 0; k < SAMPLES * count; k++)
            rounding[k] = fmax(rounding[k], fabs(moved[k] - value[k]));
    }
}

bool conversion_find_samples(conversion *v, const sym_entries *entries, double *value,
                             double *rounding)
{
    const prolongation *p = v->p;
    size_t count = entries->count + p->rows, tried = 0;
    sym *f = arena_array(v->a, count, sizeof *f);
    double *found = arena_array(v->a, SAMPLES * count, sizeof *found);
    for (size_t k = 0; k < entries->count; k++) f[k] = entries->item[k].value;
    memcpy(f + entries->count, p->row, p->rows * sizeof *f);
    for (int s = 0; s < SAMPLES; s++)
        v->input[s] = arena_array(v->a, prolongation_inputs(p), sizeof(double));
    for (size_t k = 0; k < sizeof DISTANCE / sizeof *DISTANCE; k++) {
        for (int s = 0; s < SAMPLES; s++)
            scatter(v, s == 0 ? 0 : DISTANCE[k], tried++, v->input[s]);
        if (!conversion_look(v, count, f, found)) continue;
        for (int s = 0; s < SAMPLES; s++)
            memcpy(value + (size_t)s * entries->count, found + (size_t)s * count,
                   entries->count * sizeof *value);
        conversion_find_rounding(v, entries->count, f, value, rounding);
        return true;
    }
    return false;
}
