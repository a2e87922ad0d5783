/* The polynomial within a step of a half-explicit method. */
#include "integrate/half_explicit_parts.h"

#include <string.h>

/* The degree of the polynomial of algebraic variables where a quartic is not accurate enough, and
 * the number of points within the step that determine it. */
enum { SHARP = 6, INNER = 3 };

int half_explicit_degree(const scheme *s)
{
    if (s->degree > 3) return s->degree;
    return s->order > 4 ? 4 : 3;
}

void half_explicit_add(const half_explicit *e, int count, const double *weight, double h,
                       double *sum)
{
    size_t n = e->base.problem->n;
    for (int j = 0; j < count; j++) {
        if (weight[j] == 0) continue;
        const double *yp = e->yp + (size_t)j * n;
        for (size_t k = 0; k < n; k++) sum[k] += h * weight[j] * yp[k];
    }
}

/* Adds x^2 (1 - x)^2 (a + b x + c x^2), which changes neither values nor derivatives at the
 * ends. */
static void add_bump(half_explicit *e, size_t k, double a, double b, double c)
{
    size_t n = e->base.problem->n;
    double *from_second = e->base.next.coefficient + 2 * n + k;
    const double bump[SHARP - 1] = {a, b - 2 * a, c - 2 * b + a, b - 2 * c, c};
    for (size_t power = 0; power < SHARP - 1; power++) from_second[power * n] += bump[power];
}

/* Adds x^2 (1 - x)^2 a, which changes neither of them. */
static void add_quartic(half_explicit *e, size_t k, double a)
{
    double *coefficient = e->base.next.coefficient + k;
    size_t n = e->base.problem->n;
    coefficient[2 * n] += a;
    coefficient[3 * n] -= 2 * a;
    coefficient[4 * n] += a;
}

/* Solves for y' and the algebraic variables (in e->stage) at x. The values of the polynomial there
 * stay in e->from. */
static dae_status solve_within(half_explicit *e, double h, double x, double *yp)
{
    const instant_task task = {.kind = e->instant.positions > 0 ? INSTANT_ALONG : INSTANT_HERE,
                               .t = e->base.t + x * h,
                               .h = h,
                               .y = e->stage,
                               .yp = yp};
    dense_output_evaluate(&e->base.next, task.t, e->stage, yp);
    memcpy(e->from, e->stage, e->base.problem->n * sizeof *e->from);
    return instant_solve(&e->instant, &task);
}

/* The distance from the polynomial to the algebraic variables that solve the equations at x,
 * divided by the value of x^2 (1 - x)^2 there. */
static dae_status find_off(half_explicit *e, double h, double x, double *off)
{
    double size = x * x * (1 - x) * (1 - x);
    dae_status status = solve_within(e, h, x, off);
    for (size_t k = 0; status == DAE_OK && k < e->base.problem->n; k++)
        off[k] = (e->stage[k] - e->from[k]) / size;
    return status;
}

/* Solves for the algebraic variables at three points within the step and raises their polynomial to
 * degree SHARP. This is for steps whose differential variables are so accurate that a quartic would
 * not do. The rows of e->yp are free by now. */
static dae_status sharpen(half_explicit *e, double h)
{
    size_t n = e->base.problem->n;
    double *off[INNER] = {e->yp, e->yp + n, e->yp + 2 * n};
    for (int i = 0; i < INNER; i++) {
        dae_status status = find_off(e, h, 0.25 * (i + 1), off[i]);
        if (status != DAE_OK) return status;
    }
    for (size_t k = 0; k < n; k++) {
        if (e->base.problem->dynamic[k]) continue;
        double c = 8 * (off[0][k] - 2 * off[1][k] + off[2][k]);
        double b = 2 * (off[2][k] - off[0][k]) - c;
        add_bump(e, k, off[1][k] - b / 2 - c / 4, b, c);
    }
    return DAE_OK;
}

/* The same at the middle only, for a quartic. */
static dae_status sharpen_middle(half_explicit *e, double h)
{
    dae_status status = find_off(e, h, 0.5, e->yp);
    for (size_t k = 0; status == DAE_OK && k < e->base.problem->n; k++)
        if (!e->base.problem->dynamic[k]) add_quartic(e, k, e->yp[k]);
    return status;
}

/* Raises the polynomial of the differential variables to the quartic whose derivative at a quarter
 * of the step is that of the equations. The cubic is accurate enough to evaluate the equations
 * there: its error of order 4 would cost the step one order, but a derivative times the step loses
 * none (W. H. Enright et al., ACM Trans. Math. Software 12 (1986)). */
static dae_status bootstrap(half_explicit *e, double h)
{
    static const double AT = 0.25, SLOPE = 2 * 0.25 * 0.75 * 0.5; /* of the bump, over a step */
    size_t n = e->base.problem->n;
    double *yp = e->yp, *cubic = e->yp + n;
    dense_output_evaluate(&e->base.next, e->base.t + AT * h, e->stage, cubic);
    dae_status status = solve_within(e, h, AT, yp);
    for (size_t k = 0; status == DAE_OK && k < n; k++)
        if (e->base.problem->dynamic[k]) add_quartic(e, k, h * (yp[k] - cubic[k]) / SLOPE);
    return status;
}

/* Takes the method's own polynomial for the differential variables. */
static dae_status take_own(half_explicit *e, double h)
{
    size_t n = e->base.problem->n;
    const scheme *s = &e->scheme;
    for (int i = 0; i < s->extra; i++) {
        dae_status status = half_explicit_solve_stage(e, s->stages + i, h);
        if (status != DAE_OK) return status;
    }
    for (int m = 0; m < s->degree; m++) {
        double *row = e->base.next.coefficient + (size_t)(m + 1) * n;
        for (size_t k = 0; k < n; k++)
            if (e->base.problem->dynamic[k]) row[k] = 0;
        half_explicit_add(e, s->stages + s->extra, s->interpolant[m], h, row);
    }
    return DAE_OK;
}

dae_status half_explicit_interpolate(half_explicit *e, double h)
{
    size_t n = e->base.problem->n;
    const scheme *s = &e->scheme;
    e->base.next.t = e->base.t;
    e->base.next.h = h;
    e->base.next.follows = true;
    dense_output_make_hermite(&e->base.next, e->base.y, e->base.yp, e->end, e->end_yp);
    if (half_explicit_degree(s) == e->base.next.degree) return DAE_OK;
    e->base.next.degree = half_explicit_degree(s);
    size_t higher = (size_t)e->base.next.degree - 3;
    memset(e->base.next.coefficient + 4 * n, 0, higher * n * sizeof *e->base.next.coefficient);
    dae_status status = s->degree > 3 ? take_own(e, h) : bootstrap(e, h);
    if (status != DAE_OK || e->instant.algebraic == 0) return status;
    return s->degree > SHARP ? sharpen(e, h) : sharpen_middle(e, h);
}
