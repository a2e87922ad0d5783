#include "integrate/stages.h"

#include "linalg/rows.h"
#include "stepping/control.h"

#include <math.h>
#include <string.h>

void stages_carve(stages *s, workspace *space, engine *e)
{
    size_t n = s->n = e->problem->n;
    s->engine = e;
    s->problem = e->problem;
    workspace_vectors(space, n * (size_t)s->sizes.stages, (double **[]){&s->z, &s->yp, NULL});
    workspace_vectors(
        space, n * (size_t)s->sizes.coupled,
        (double **[]){&s->shift, &s->residual, &s->correction, &s->transformed, NULL});
    workspace_vectors(space, n, (double **[]){&s->value, &s->scaled, NULL});
    s->complex_part = workspace_take(space, n, sizeof *s->complex_part);
}

dae_status stages_reserve(stages *s)
{
    const stages_sizes *sizes = &s->sizes;
    bool is_complex[SCHEME_MOST_SLOTS + 1];
    size_t slots = (size_t)sizes->slots;
    memcpy(is_complex, sizes->slot_is_complex, slots * sizeof *is_complex);
    s->yp_slot = PROBLEM_NOWHERE;
    if (sizes->ends || (sizes->of_yp && !s->problem->form->yp)) {
        is_complex[slots] = false;
        s->yp_slot = slots++;
    }
    if (slots == 0) return DAE_OK;
    return problem_reserve(s->problem, slots, is_complex);
}

static dae_status factor_part(stages *s, const scheme_part *part, double h)
{
    double value[2] = {part->re / h,
                       part->im / h}; /* C17 6.2.5: how a complex number is laid out */
    double complex alpha;
    memcpy(&alpha, value, sizeof alpha);
    return problem_factor(s->problem, (size_t)part->slot, alpha, 1);
}

dae_status stages_factor(stages *s, double h)
{
    bool done[SCHEME_MOST_SLOTS] = {false};
    s->factored_step = 0;
    for (int k = 0; k < s->scheme->blocks; k++) {
        const scheme_block *b = &s->scheme->block[k];
        for (int i = 0; i < b->parts; i++) {
            if (done[b->part[i].slot]) continue;
            dae_status status = factor_part(s, &b->part[i], h);
            if (status != DAE_OK) return status;
            done[b->part[i].slot] = true;
        }
    }
    s->factored_step = h;
    return DAE_OK;
}

double stages_norm(stages *s, const double *x, double h)
{
    return control_norm_in_step(s->problem, x, s->engine->stepping.weight, h, s->scaled);
}

void stages_add(const stages *s, int count, const double *weight, double h, double *sum)
{
    rows_combine(s->n, sum, count, weight, h, s->yp, sum);
}

/* A block that is being solved. */
typedef struct block_work {
    stages *s;
    const scheme_block *block;
    double h;
} block_work;

/* Y_i' = sum_j (A^-1)_ij (Z_j - s_j) / h */
static void find_yp(const block_work *w)
{
    const scheme_block *b = w->block;
    stages *s = w->s;
    size_t all = s->n * (size_t)b->stages;
    const double *z = s->z + (size_t)b->first * s->n;
    if (b->first > 0) {
        for (size_t k = 0; k < all; k++) s->residual[k] = z[k] - s->shift[k];
        z = s->residual;
    }
    rows_transform(s->n, b->stages, b->inverse[0], SCHEME_MOST_COUPLED, 1 / w->h, z,
                   s->yp + (size_t)b->first * s->n);
}

/* Finds the time of a stage as a rounded number, and how much later this is than the exact time. A
 * state that has to meet the equations at the rounded time must be moved by that much. Late in time
 * the difference matters beside a stiff direction: at t = 1e6 half a unit in the last place is
 * 6e-11, and a force of 1e4 (y - s(t)) is off by 6e-7 of ds/dt. */
static double time_of_stage(const block_work *w, size_t stage, double *later)
{
    const engine *e = w->s->engine;
    double ahead = w->s->scheme->c[stage] * w->h, t = e->t + ahead;
    *later = e->stepping.late ? t - e->t - ahead : 0;
    return t;
}

static dae_status evaluate(const block_work *w)
{
    const scheme_block *b = w->block;
    stages *s = w->s;
    const double *y = s->engine->y;
    find_yp(w);
    for (int i = 0; i < b->stages; i++) {
        size_t stage = (size_t)b->first + (size_t)i;
        const double *z = s->z + stage * s->n, *yp = s->yp + stage * s->n;
        double later, t = time_of_stage(w, stage, &later);
        for (size_t k = 0; k < s->n; k++) s->value[k] = y[k] + z[k] + later * yp[k];
        dae_status status = problem_residual(s->problem, t, s->value, yp,
                                             s->residual + (size_t)i * s->n);
        if (status != DAE_OK) return status;
    }
    return DAE_OK;
}

/* Of a real part only `re` is solved for. */
static void solve_part(const stages *s, const scheme_part *part, double *re, double *im)
{
    double *x = (double *)s->complex_part; /* real and imaginary parts in turn */
    if (!part->is_complex) {
        problem_solve(s->problem, (size_t)part->slot, re);
        return;
    }
    for (size_t k = 0; k < s->n; k++) x[2 * k] = re[k], x[2 * k + 1] = im[k];
    problem_solve(s->problem, (size_t)part->slot, s->complex_part);
    for (size_t k = 0; k < s->n; k++) re[k] = x[2 * k], im[k] = x[2 * k + 1];
}

void stages_solve_part(stages *s, const scheme_part *part, bool of_yp, double *x)
{
    double re = of_yp ? part->re / s->factored_step : 1;
    double im = of_yp ? part->im / s->factored_step : 0;
    for (size_t k = 0; k < s->n; k++) s->value[k] = im * x[k], x[k] *= re;
    solve_part(s, part, x, s->value);
}

/* From the residuals to the corrections of all stages of a block. */
static void solve_parts(const block_work *w)
{
    const scheme_block *b = w->block;
    stages *s = w->s;
    size_t n = s->n;
    rows_transform(n, b->stages, b->into[0], SCHEME_MOST_COUPLED, -1, s->residual, s->transformed);
    for (int k = 0; k < b->parts; k++) {
        double *x = s->transformed + (size_t)b->part[k].row * n;
        solve_part(s, &b->part[k], x, x + n);
    }
    rows_transform(n, b->stages, b->from[0], SCHEME_MOST_COUPLED, 1, s->transformed, s->correction);
}

/* One Newton correction of a block, added to z. */
static dae_status correct(void *self, double *size)
{
    const block_work *w = self;
    stages *s = w->s;
    size_t all = s->n * (size_t)w->block->stages;
    double sum = 0, *z = s->z + (size_t)w->block->first * s->n;
    dae_status status = evaluate(w);
    if (status != DAE_OK) return status;
    solve_parts(w);
    for (int i = 0; i < w->block->stages; i++) {
        double part = stages_norm(s, s->correction + (size_t)i * s->n, w->h);
        sum += part * part;
    }
    for (size_t k = 0; k < all; k++) z[k] += s->correction[k];
    *size = sqrt(sum / w->block->stages);
    return isfinite(*size) ? DAE_OK : DAE_NEWTON;
}

static dae_status solve_implicit(const block_work *w)
{
    stages *s = w->s;
    const scheme_block *b = w->block;
    for (int i = 0; i < b->stages && b->first > 0; i++)
        rows_combine(s->n, NULL, b->first, s->scheme->a[b->first + i], w->h, s->yp,
                     s->shift + (size_t)i * s->n);
    dae_status status = newton_solve(&s->newton, correct, (void *)w);
    s->worst_rate = fmax(s->worst_rate, s->newton.rate);
    if (s->newton.iterations > s->iterations) s->iterations = s->newton.iterations;
    if (status == DAE_NEWTON)
        failure_of_newton(&s->engine->failure, s->problem, b->stages, s->correction,
                          s->engine->stepping.weight, s->residual);
    if (status == DAE_OK) find_yp(w);
    return status;
}

/* Solves for the algebraic variables of Y_i, with those of the stage before as first guess. The
 * differential variables are known, in s->value. */
static dae_status solve_algebraic(stages *s, int i, double t, double h)
{
    const double *y = s->engine->y;
    double *z = s->z + (size_t)i * s->n, *yp = s->yp + (size_t)i * s->n;
    const double *before = i > 0 ? z - s->n : NULL;
    const instant_task task = {.kind = INSTANT_HERE, .t = t, .h = h, .y = s->value, .yp = yp};
    for (size_t k = 0; k < s->n; k++)
        if (!s->problem->dynamic[k]) s->value[k] = y[k] + (before ? before[k] : 0);
    dae_status status = instant_solve(s->instant, &task);
    for (size_t k = 0; k < s->n; k++) {
        z[k] = s->value[k] - y[k];
        if (!s->problem->dynamic[k]) yp[k] = 0; /* a formal derivative, which nothing needs */
    }
    return status;
}

/* Y_i is known; its derivative follows from it. */
static dae_status solve_explicit(stages *s, int i, double h)
{
    const engine *e = s->engine;
    double *z = s->z + (size_t)i * s->n, *yp = s->yp + (size_t)i * s->n;
    if (i == 0 && s->scheme->carries_yp) {
        memset(z, 0, s->n * sizeof *z);
        memcpy(yp, e->yp, s->n * sizeof *yp);
        return DAE_OK;
    }
    rows_combine(s->n, NULL, i, s->scheme->a[i], h, s->yp, z);
    for (size_t k = 0; k < s->n; k++) s->value[k] = e->y[k] + z[k];
    memcpy(yp, i > 0 ? yp - s->n : e->yp, s->n * sizeof *yp);
    double t = e->t + s->scheme->c[i] * h;
    if (!s->instant) return stages_find_yp(s, t, s->value, yp);
    return solve_algebraic(s, i, t, h);
}

dae_status stages_solve(stages *s, double h)
{
    dae_status status = DAE_OK;
    s->worst_rate = 0;
    s->iterations = 0;
    for (int k = 0; status == DAE_OK && k < s->scheme->blocks; k++) {
        const scheme_block *b = &s->scheme->block[k];
        const block_work work = {.s = s, .block = b, .h = h};
        status = b->is_implicit ? solve_implicit(&work) : solve_explicit(s, b->first, h);
    }
    return status;
}

dae_status stages_solve_extra(stages *s, double h)
{
    dae_status status = DAE_OK;
    for (int i = 0; status == DAE_OK && i < s->scheme->extra; i++)
        status = solve_explicit(s, s->scheme->stages + i, h);
    return status;
}

void stages_state(stages *s, state_visit *to)
{
    const scheme *at_work = s->scheme;
    state_doubles(to, s->z, s->n * (size_t)at_work->stages);
    state_doubles(to, s->yp, s->n * (size_t)(at_work->stages + at_work->extra));
    STATE(to, s->factored_step);
    STATE(to, s->yp_factored);
    newton_state(&s->newton, to);
    STATE(to, s->worst_rate);
    STATE(to, s->iterations);
}
