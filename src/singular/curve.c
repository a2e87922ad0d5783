#include "singular/curve.h"

#include "singular/curve_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Errors of steps are held at this part of the tolerances, because they add up along the curve. */
static const double SHARE = 0.1;

/* First step, shortest and longest step, in arc lengths. */
static const double FIRST = 1e-4, SHORTEST = 1e-13, LONGEST = 0.5;

/* Safety factor of the step, and the least and largest change of the step at once. */
static const double SAFETY = 0.9, LEAST_CHANGE = 0.2, LARGEST_CHANGE = 5;

/* A stage whose tangent is more than 60 degrees from that at the start of the step is too far. */
static const double SMALLEST_COSINE = 0.5;

/* The start may be as far from the constraints as this, in arc lengths. */
static const double FAR = 1e-2;

/* Points beside the start, in scales, at which the structure of the equations is looked at too. */
static const double BESIDE = 1e-3;

/* Entries of dF/dy' that change by more than this part with y' are nonlinear in it: differences do
 * not show less. */
static const double BENT = 1e-5;

static void carve_point(curve_point *p, size_t size, workspace *space)
{
    p->u = workspace_doubles(space, size);
    p->slope = workspace_doubles(space, size);
}

static void carve(solution_curve *c)
{
    workspace *w = &c->space;
    size_t n = c->n, most = 2 * n, size = most + 1;
    workspace_vectors(w, n,
                      (double **[]){&c->residual, &c->by_t, &c->yp, &c->other, &c->aside, NULL});
    workspace_vectors(w, size,
                      (double **[]){&c->row_size, &c->usual, &c->scale, &c->tau, &c->values,
                                    &c->trial, &c->error, NULL});
    carve_point(&c->here, size, w);
    carve_point(&c->next, size, w);
    carve_point(&c->within, size, w);
    c->held = workspace_take(w, most, sizeof *c->held);
    c->derivative = workspace_take(w, n, sizeof *c->derivative);
    c->work = workspace_doubles(w, WORK * size);
    c->stage = workspace_doubles(w, METHOD_MOST_STAGES * size);
}

/* The matrices are as large as the form of the equations needs. */
static dae_status make_matrices(solution_curve *c)
{
    c->matrix = malloc((c->order * c->size + 1) * sizeof *c->matrix);
    c->factor = malloc((c->order * c->size + 1) * sizeof *c->factor);
    return c->matrix && c->factor ? DAE_OK : DAE_NO_MEMORY;
}

size_t curve_order(const solution_curve *c)
{
    return c->order;
}

size_t curve_size(const solution_curve *c)
{
    return c->n;
}

size_t curve_derivative_of(const solution_curve *c, size_t j)
{
    return c->derivative[j - c->n];
}

const double *curve_scale(const solution_curve *c)
{
    return c->scale;
}

const curve_point *curve_here(const solution_curve *c)
{
    return &c->here;
}

const curve_point *curve_next(const solution_curve *c)
{
    return &c->next;
}

double curve_length(const solution_curve *c)
{
    return c->length;
}

/* --- steps --- */

/* The point a step of length h after `here`, and the error of the embedded pair in tolerances. The
 * last stage of the pair is its end. */
static dae_status advance(solution_curve *c, double h, curve_point *end, double *size)
{
    const method *m = c->pair;
    memcpy(c->stage, c->here.slope, c->size * sizeof *c->stage);
    for (int i = 1; i < m->stages; i++) {
        double *slope = c->stage + (size_t)i * c->size;
        memcpy(end->u, c->here.u, c->size * sizeof *end->u);
        for (int k = 0; k < i; k++) {
            const double a = h * (double)m->a[i][k], *of = c->stage + (size_t)k * c->size;
            for (size_t j = 0; j < c->size; j++) end->u[j] += a * of[j];
        }
        dae_status status = curve_find_slope(c, end, c->here.slope);
        if (status != DAE_OK) return status;
        if (curve_cosine(c, end->slope, c->here.slope) < SMALLEST_COSINE) return DAE_CONSTRAINT;
        memcpy(slope, end->slope, c->size * sizeof *slope);
    }
    *size = 0;
    for (size_t j = 0; j < c->size; j++) {
        double error = 0, scale = c->scale[j], atol = c->options.atol * scale;
        for (int i = 0; i < m->stages; i++)
            error += h * (double)(m->b[i] - m->b_hat[0][i]) * c->stage[(size_t)i * c->size + j];
        if (j < c->n && c->options.atols) atol = c->options.atols[j];
        *size = fmax(*size, fabs(error) / (SHARE * (atol + c->options.rtol * fabs(end->u[j]))));
    }
    dae_status status = curve_project(c, end->u, fmax(FAR, h));
    return status == DAE_OK ? curve_find_slope(c, end, c->here.slope) : status;
}

dae_status curve_step(solution_curve *c, double longest)
{
    double h = fmin(c->h, LONGEST), size;
    if (longest > 0) h = fmin(h, longest);
    while (h > SHORTEST) {
        dae_status status = advance(c, h, &c->next, &size);
        bool fails = status == DAE_NOT_EVALUABLE || status == DAE_CONSTRAINT;
        if (status != DAE_OK && !fails) return status;
        double change = fails ? LEAST_CHANGE : SAFETY * pow(fmax(size, DBL_MIN), -0.2);
        change = fmin(fmax(change, LEAST_CHANGE), LARGEST_CHANGE);
        if (!fails && size <= 1) {
            c->length = h;
            c->h = change * h;
            return DAE_OK;
        }
        h *= fmin(change, SAFETY);
    }
    return DAE_STEP_TOO_SMALL;
}

dae_status curve_within(solution_curve *c, double part, const curve_point **found)
{
    double size;
    *found = &c->within;
    return advance(c, part * c->length, &c->within, &size);
}

void curve_move(solution_curve *c, const curve_point *to)
{
    memcpy(c->here.u, to->u, c->size * sizeof *to->u);
    memcpy(c->here.slope, to->slope, c->size * sizeof *to->slope);
    c->here.orientation = to->orientation;
}

void curve_reverse(solution_curve *c)
{
    for (size_t j = 0; j < c->size; j++) c->here.slope[j] = -c->here.slope[j];
    c->here.orientation = -c->here.orientation;
}

void curve_values(const solution_curve *c, const curve_point *at, double *y, double *yp)
{
    memcpy(y, at->u, c->n * sizeof *y);
    for (size_t j = 0; j < c->n; j++)
        yp[j] = c->problem->dynamic[j] ? at->slope[j] / at->slope[c->order] : (double)NAN;
    for (size_t j = c->n; j < c->order; j++) yp[c->derivative[j - c->n]] = at->u[j];
}

/* --- creation --- */

/* Marks the rows in which a derivative occurs at y, and tells whether dF/dy' depends on y'. */
static dae_status look_at_rows(solution_curve *c, double t, const double *y, bool *bent)
{
    problem *p = c->problem;
    const problem_matrix *m = &p->by_yp;
    double *first = c->work;
    size_t nonzeros = m->pattern->nonzeros;
    double *kept = malloc((nonzeros + 1) * sizeof *kept);
    if (!kept) return DAE_NO_MEMORY;
    memset(first, 0, c->n * sizeof *first);
    dae_status status = problem_linearize(p, t, y, first);
    if (status == DAE_OK) memcpy(kept, m->value, nonzeros * sizeof *kept);
    for (int side = -1; side <= 1 && status == DAE_OK && !p->constant; side += 2) {
        for (size_t j = 0; j < c->n; j++)
            c->yp[j] = side * (1 + 0.1 * (double)(j % 7)) * c->scale[j] / c->options.time_unit;
        status = problem_linearize(p, t, y, c->yp);
        for (size_t k = 0; k < nonzeros && status == DAE_OK; k++)
            *bent |= fabs(m->value[k] - kept[k]) > BENT * fmax(fabs(kept[k]), fabs(m->value[k]));
    }
    for (size_t k = 0; k < nonzeros && status == DAE_OK; k++)
        if (kept[k] != 0) c->held[m->pattern->row[k]] = false;
    free(kept);
    return status;
}

/* Finds which rows are constraints, and whether the derivatives have to be unknowns. Where the
 * equations have no value with y' = 0, they are not linear in y'. */
static dae_status look_at_form(solution_curve *c, double t, const double *y)
{
    bool bent = false;
    for (size_t i = 0; i < c->n; i++) c->held[i] = true;
    for (int side = 0; side < 2; side++) {
        for (size_t j = 0; j < c->n; j++)
            c->aside[j] = y[j] + side * BESIDE * (1 + 0.1 * (double)(j % 5)) * c->scale[j];
        dae_status status = look_at_rows(c, t, c->aside, &bent);
        if (status == DAE_NOT_EVALUABLE && side == 1) break;
        if (status == DAE_NOT_EVALUABLE) bent = true;
        if (status != DAE_OK && status != DAE_NOT_EVALUABLE) return status;
    }
    c->implicit = bent;
    for (size_t j = 0; j < c->n && bent; j++)
        if (c->problem->dynamic[j]) c->derivative[c->order++ - c->n] = j;
    for (size_t i = 0; i < c->order; i++)
        if (bent) c->held[i] = i < c->n;
    for (size_t i = 0; i < c->n; i++) c->constraints += c->held[i];
    c->size = c->order + 1;
    return c->order > CURVE_MOST_UNKNOWNS ? DAE_UNSUPPORTED : make_matrices(c);
}

static void take_scales(solution_curve *c, const double *y, const double *yp)
{
    for (size_t j = 0; j < c->n; j++) c->scale[j] = fmax(c->problem->nominal[j], fabs(y[j]));
    for (size_t j = c->n; j < c->order; j++) {
        size_t of = c->derivative[j - c->n];
        c->scale[j] = fmax(c->scale[of] / c->options.time_unit, fabs(yp[of]));
    }
    c->scale[c->order] = c->options.time_unit;
}

static dae_status begin(solution_curve *c, double t, const double *y, const double *yp)
{
    take_scales(c, y, yp);
    dae_status status = look_at_form(c, t, y);
    if (status != DAE_OK) return status;
    take_scales(c, y, yp);
    memcpy(c->here.u, y, c->n * sizeof *y);
    for (size_t j = c->n; j < c->order; j++) c->here.u[j] = yp[c->derivative[j - c->n]];
    c->here.u[c->order] = t;
    c->h = FIRST;
    status = curve_project(c, c->here.u, FAR);
    return status == DAE_OK ? curve_find_slope(c, &c->here, NULL) : status;
}

static dae_status create(solution_curve *c, double t, const double *y, const double *yp)
{
    message unsaid = {0};
    dae_status status = method_create(&c->pair, "dopri5", &unsaid);
    message_free(&unsaid);
    carve(c);
    if (status == DAE_OK) status = workspace_allocate(&c->space);
    if (status != DAE_OK) return status;
    carve(c);
    return begin(c, t, y, yp);
}

dae_status curve_create(solution_curve **created, problem *p, const curve_options *options,
                        double t, const double *y, const double *yp)
{
    *created = NULL;
    if (p->mechanical || problem_highest_index(p) > 1 || p->n == 0 || p->n > CURVE_MOST_UNKNOWNS)
        return DAE_UNSUPPORTED;
    solution_curve *c = calloc(1, sizeof *c);
    if (!c) return DAE_NO_MEMORY;
    *c = (solution_curve){.problem = p, .options = *options, .n = p->n, .order = p->n};
    dae_status status = create(c, t, y, yp);
    if (status == DAE_OK)
        *created = c;
    else
        curve_free(c);
    return status;
}

void curve_free(solution_curve *c)
{
    if (!c) return;
    method_free(c->pair);
    free(c->matrix);
    free(c->factor);
    workspace_free(&c->space);
    free(c);
}
