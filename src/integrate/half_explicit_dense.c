/* What lies within a step of a half-explicit method. */
#include "integrate/half_explicit_parts.h"

#include <string.h>

/* The degree of the polynomial of algebraic variables where a cubic is too little, and the points
 * within the step that it takes. */
enum { SHARP = 6, INNER = 3 };

instant_task half_explicit_task(half_explicit *e, double t, double h)
{
    return (instant_task){.kind = INSTANT_HERE,
                          .t = t,
                          .h = h,
                          .weight = e->stepping.weight,
                          .trouble = &e->base.trouble};
}

void half_explicit_add(const half_explicit *e, int count, const double *weight, double h,
                       double *sum)
{
    size_t n = e->base.problem->n;
    for (int j = 0; j < count; j++) {
        if (weight[j] == 0) continue;
        const double *slope = e->slope + (size_t)j * n;
        for (size_t k = 0; k < n; k++) sum[k] += h * weight[j] * slope[k];
    }
}

/* x^2 (1 - x)^2 (a + b x + c x^2), which leaves values and derivatives at both ends alone. */
static void add_bump(half_explicit *e, size_t k, double a, double b, double c)
{
    size_t n = e->base.problem->n;
    double *from_second = e->next.coefficient + 2 * n + k;
    const double bump[SHARP - 1] = {a, b - 2 * a, c - 2 * b + a, b - 2 * c, c};
    for (size_t power = 0; power < SHARP - 1; power++) from_second[power * n] += bump[power];
}

/* Algebraic variables solved for at three points within the step, where the differential ones are
 * known so well that a cubic would not do: of degree SHARP. The rows of e->slope have served. */
static dae_status sharpen(half_explicit *e, double h)
{
    size_t n = e->base.problem->n;
    double *off[INNER] = {e->slope, e->slope + n, e->slope + 2 * n};
    for (int i = 0; i < INNER; i++) {
        double x = 0.25 * (i + 1), size = x * x * (1 - x) * (1 - x), t = e->base.t + x * h;
        instant_task task = half_explicit_task(e, t, h);
        dense_output_evaluate(&e->next, t, e->stage, off[i]);
        memcpy(e->from, e->stage, n * sizeof *e->from);
        task.y = e->stage;
        task.yp = off[i];
        dae_status status = instant_solve(&e->instant, &task);
        if (status != DAE_OK) return status;
        for (size_t k = 0; k < n; k++) off[i][k] = (e->stage[k] - e->from[k]) / size;
    }
    for (size_t k = 0; k < n; k++) {
        if (e->base.problem->dynamic[k]) continue;
        double c = 8 * (off[0][k] - 2 * off[1][k] + off[2][k]);
        double b = 2 * (off[2][k] - off[0][k]) - c;
        add_bump(e, k, off[1][k] - b / 2 - c / 4, b, c);
    }
    return DAE_OK;
}

/* Of differential variables the method's own polynomial, where it has one. */
dae_status half_explicit_interpolate(half_explicit *e, double h)
{
    size_t n = e->base.problem->n;
    const scheme *s = &e->scheme;
    bool own = s->degree > 3;
    e->next.t = e->base.t;
    e->next.h = h;
    dense_output_make_hermite(&e->next, e->base.y, e->base.yp, e->end, e->end_slope);
    if (!own) return DAE_OK;
    for (int i = 0; i < s->extra; i++) {
        dae_status status = half_explicit_solve_stage(e, s->stages + i, h);
        if (status != DAE_OK) return status;
    }
    size_t higher = (size_t)(s->degree - e->next.degree);
    memset(e->next.coefficient + 4 * n, 0, higher * n * sizeof *e->next.coefficient);
    e->next.degree = s->degree;
    for (int m = 0; m < s->degree; m++) {
        double *row = e->next.coefficient + (size_t)(m + 1) * n;
        for (size_t k = 0; k < n; k++)
            if (e->base.problem->dynamic[k]) row[k] = 0;
        half_explicit_add(e, s->stages + s->extra, s->interpolant[m], h, row);
    }
    return s->degree > SHARP && e->instant.algebraic > 0 ? sharpen(e, h) : DAE_OK;
}
