#include "integrate/stages.h"

#include "integrate/control.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 7, MOST_ITERATIONS_TIGHT = 50, PATIENCE = 3 };

/* The same relative to the variables, for an iteration that ends at a tolerance. */
static const double ROUND_OFF = 1e-12;

/* The first corrections may grow: they bring positions in order, and only then can velocities and
 * multipliers follow, whose errors are those of positions over h and h^2. */
static const double FIRST_RATE = 2;

/* An iteration down to round-off ends where the corrections have found no new minimum in PATIENCE
 * iterations, if that is below this size: on index 3 round-off is amplified by h^-2. */
static const double STAGNATION = 1e-6;

void stages_carve(stages *s, workspace *space, problem *p, const collocation_row *row)
{
    size_t n = p->n, all = n * (size_t)row->stages;
    s->problem = p;
    s->row = row;
    s->n = n;
    s->z = workspace_doubles(space, all);
    s->residual = workspace_doubles(space, all);
    s->correction = workspace_doubles(space, all);
    s->softened = workspace_doubles(space, n);
    s->value = workspace_doubles(space, n);
    s->slope = workspace_doubles(space, n);
    s->real_part = workspace_doubles(space, n);
    s->complex_part = workspace_take(space, n, sizeof *s->complex_part);
}

dae_status stages_reserve(stages *s)
{
    bool is_complex[COLLOCATION_MOST_BLOCKS];
    for (int k = 0; k < s->row->blocks; k++) is_complex[k] = s->row->block[k].is_complex;
    return s->problem->form->reserve(s->problem->self, (size_t)s->row->blocks, is_complex);
}

dae_status stages_factor(stages *s, double h)
{
    s->factored_step = 0;
    for (int k = 0; k < s->row->blocks; k++) {
        const collocation_block *b = &s->row->block[k];
        double part[2] = {b->re / h, b->im / h}; /* C17 6.2.5: how a complex number is laid out */
        double complex alpha;
        memcpy(&alpha, part, sizeof alpha);
        dae_status status = problem_factor(s->problem, (size_t)k, alpha, 1);
        if (status != DAE_OK) return status;
    }
    s->factored_step = h;
    return DAE_OK;
}

double stages_norm(stages *s, const double *x, const double *weight, double h)
{
    const problem *p = s->problem;
    if (p->softs > 0 && fabs(h) < 1) {
        problem_soften(p, fabs(h), x, s->softened);
        x = s->softened;
    }
    return control_norm(s->n, x, weight, p->index, fabs(h));
}

void stages_slope(const stages *s, int i, double h, double *slope)
{
    memset(slope, 0, s->n * sizeof *slope);
    for (int j = 0; j < s->row->stages; j++) {
        double factor = s->row->inverse[i][j] / h;
        const double *z = s->z + (size_t)j * s->n;
        for (size_t k = 0; k < s->n; k++) slope[k] += factor * z[k];
    }
}

static dae_status evaluate(stages *s, double t, double h, const double *y)
{
    for (int i = 0; i < s->row->stages; i++) {
        const double *z = s->z + (size_t)i * s->n;
        for (size_t k = 0; k < s->n; k++) s->value[k] = y[k] + z[k];
        stages_slope(s, i, h, s->slope);
        dae_status status = problem_residual(s->problem, t + s->row->c[i] * h, s->value, s->slope,
                                             s->residual + (size_t)i * s->n);
        if (status != DAE_OK) return status;
    }
    return DAE_OK;
}

static void correct_real(stages *s, size_t slot, const collocation_block *b)
{
    double *w = s->real_part;
    memset(w, 0, s->n * sizeof *w);
    for (int i = 0; i < s->row->stages; i++)
        for (size_t k = 0; k < s->n; k++) w[k] -= b->into_re[i] * s->residual[(size_t)i * s->n + k];
    problem_solve(s->problem, slot, w);
    for (int i = 0; i < s->row->stages; i++)
        for (size_t k = 0; k < s->n; k++)
            s->correction[(size_t)i * s->n + k] += b->from_re[i] * w[k];
}

/* A conjugate pair adds twice the real part of its one solution. */
static void correct_complex(stages *s, size_t slot, const collocation_block *b)
{
    double complex *w = s->complex_part;
    double *part = (double *)w; /* real and imaginary parts in turn */
    memset(w, 0, s->n * sizeof *w);
    for (int i = 0; i < s->row->stages; i++) {
        for (size_t k = 0; k < s->n; k++) {
            double r = s->residual[(size_t)i * s->n + k];
            part[2 * k] -= b->into_re[i] * r;
            part[2 * k + 1] -= b->into_im[i] * r;
        }
    }
    problem_solve(s->problem, slot, w);
    for (int i = 0; i < s->row->stages; i++)
        for (size_t k = 0; k < s->n; k++)
            s->correction[(size_t)i * s->n + k] += 2 * (b->from_re[i] * part[2 * k] -
                                                        b->from_im[i] * part[2 * k + 1]);
}

/* One Newton correction, added to z; its norm. */
static double correct(stages *s, double h, const double *weight)
{
    size_t all = s->n * (size_t)s->row->stages;
    double sum = 0;
    memset(s->correction, 0, all * sizeof *s->correction);
    for (int k = 0; k < s->row->blocks; k++) {
        const collocation_block *b = &s->row->block[k];
        if (b->is_complex)
            correct_complex(s, (size_t)k, b);
        else
            correct_real(s, (size_t)k, b);
    }
    for (int i = 0; i < s->row->stages; i++) {
        double part = stages_norm(s, s->correction + (size_t)i * s->n, weight, h);
        sum += part * part;
    }
    for (size_t k = 0; k < all; k++) s->z[k] += s->correction[k];
    return sqrt(sum / s->row->stages);
}

static void name_trouble(const stages *s, const double *weight, dae_status cause,
                         engine_trouble *trouble)
{
    double worst = -1, worst_row = -1;
    trouble->cause = cause;
    for (int i = 0; i < s->row->stages; i++) {
        for (size_t k = 0; k < s->n; k++) {
            double change = fabs(s->correction[(size_t)i * s->n + k]) * weight[k];
            if (change > worst) worst = change, trouble->worst = k;
        }
    }
    for (size_t k = 0; k < s->n; k++) {
        if (!s->problem->form->occurs(s->problem->self, k, trouble->worst)) continue;
        for (int i = 0; i < s->row->stages; i++) {
            double residual = fabs(s->residual[(size_t)i * s->n + k]);
            if (residual > worst_row) worst_row = residual, trouble->worst_row = k;
        }
    }
    if (cause == DAE_NOT_EVALUABLE) trouble->worst_row = s->problem->bad_row;
}

/* Whether the iteration will arrive in time, by its rate; if not, the step that might. */
static bool will_converge(stages *s, int left, double size, double tolerance)
{
    double expected = pow(s->rate, left) / (1 - s->rate) * size / tolerance;
    if (expected < 1) return true;
    double q = fmax(1e-4, fmin(20, expected));
    s->suggested = 0.8 * pow(q, -1.0 / (4 + left));
    return false;
}

/* Evaluate and correct once; the size of the correction, infinite where it has none. */
static dae_status iterate(stages *s, double t, double h, const double *y, const double *weight,
                          double *size, engine_trouble *trouble)
{
    dae_status status = evaluate(s, t, h, y);
    if (status == DAE_NOT_EVALUABLE) name_trouble(s, weight, status, trouble);
    if (status != DAE_OK) return status;
    *size = correct(s, h, weight);
    if (isfinite(*size)) return DAE_OK;
    name_trouble(s, weight, DAE_NEWTON, trouble);
    return DAE_NEWTON;
}

dae_status stages_solve(stages *s, double t, double h, const double *y, const double *weight,
                        double tolerance, engine_trouble *trouble)
{
    double size = 0, last = 0, last_rate = 0, eta = 1; /* eta: rate / (1 - rate) */
    s->suggested = 0;
    s->rate = 0;
    for (s->iterations = 1; s->iterations <= MOST_ITERATIONS; s->iterations++) {
        dae_status status = iterate(s, t, h, y, weight, &size, trouble);
        if (status != DAE_OK) return status;
        if (size == 0) return DAE_OK;
        if (s->iterations > 1) {
            double rate = size / last;
            s->rate = s->iterations == 2 ? rate : sqrt(rate * last_rate);
            last_rate = rate;
            if (size >= 0.5 * last && size < ROUND_OFF / s->rtol)
                return DAE_OK; /* corrections no longer shrink: only round-off is left */
            if (s->rate >= (s->iterations == 2 ? FIRST_RATE : 0.99)) break;
            eta = s->rate < 1 ? s->rate / (1 - s->rate) : HUGE_VAL;
            if (s->iterations > 2 && s->iterations < MOST_ITERATIONS &&
                !will_converge(s, MOST_ITERATIONS - 1 - s->iterations, size, tolerance))
                break;
        }
        last = size;
        if (eta * size <= tolerance) return DAE_OK;
    }
    name_trouble(s, weight, DAE_NEWTON, trouble);
    return DAE_NEWTON;
}

dae_status stages_solve_exactly(stages *s, double t, double h, const double *y,
                                const double *weight, engine_trouble *trouble)
{
    double size = 0, least = HUGE_VAL, first = 0;
    int stale = 0;
    s->suggested = 0;
    for (s->iterations = 1; s->iterations <= MOST_ITERATIONS_TIGHT; s->iterations++) {
        dae_status status = iterate(s, t, h, y, weight, &size, trouble);
        if (status != DAE_OK) return status;
        if (size < DBL_EPSILON) return DAE_OK;
        if (s->iterations == 1) first = size;
        stale = size < 0.9 * least ? 0 : stale + 1;
        least = fmin(least, size);
        if (stale >= PATIENCE && least < STAGNATION) return DAE_OK;
        if (size > 1e3 * first) break; /* it runs away */
    }
    name_trouble(s, weight, DAE_NEWTON, trouble);
    return DAE_NEWTON;
}
