/* Error estimates of Runge-Kutta steps. */
#include "integrate/runge_kutta_parts.h"

#include <math.h>
#include <string.h>

/* The error within a step counts more by this factor than the error at its end, which later steps
 * contract. */
static const double INTERPOLATION_SHARE = 2;

/* The residual form of (IV.8.20): (lambda/h F_y' + F_y) error = -F(t, y, -lambda/h sum e_i z_i). */
static dae_status extra_node(runge_kutta *e, double h, const double *y, double *norm)
{
    size_t n = e->base.problem->n;
    const scheme *s = e->stages.scheme;
    const scheme_part *part = &s->block[0].part[0];
    memset(e->rate, 0, n * sizeof *e->rate);
    for (int i = 0; i < s->stages; i++)
        for (size_t k = 0; k < n; k++)
            e->rate[k] -= part->re / h * s->error[0][i] * e->stages.z[(size_t)i * n + k];
    dae_status status = problem_residual(e->base.problem, e->base.t, y, e->rate, e->error);
    if (status != DAE_OK) return status;
    problem_solve(e->base.problem, (size_t)part->slot, e->error);
    *norm = stages_norm(&e->stages, e->error, h);
    return isfinite(*norm) ? DAE_OK : DAE_NOT_EVALUABLE;
}

/* A first estimate beyond the limit is filtered once more on the first step and after a rejection,
 * where stiff components may dominate it: (IV.8.20'). */
static dae_status judge_extra_node(runge_kutta *e, double h, double *size)
{
    dae_status status = extra_node(e, h, e->base.y, size);
    if (status != DAE_OK) return status;
    if (*size < 1 || !(e->base.stepping.first || e->base.stepping.control.rejected)) return DAE_OK;
    for (size_t k = 0; k < e->base.problem->n; k++) e->stages.value[k] = e->base.y[k] - e->error[k];
    double again;
    if (extra_node(e, h, e->stages.value, &again) == DAE_OK) *size = again;
    return DAE_OK;
}

/* Where the end of a step meets the equations, algebraic variables of index 2 count with a factor
 * h, as in Newton's iteration. Without them a step would be as long as the differential variables
 * allow, and these may be known from a constraint alone. Other algebraic variables of index 2, and
 * those of index 3, are left out: their estimates do not fall with h, and accuracy in the other
 * variables makes them accurate (Brenan, Campbell & Petzold 1996, Sec. 5.4.2). */
static double embedded_norm(runge_kutta *e, double h)
{
    const problem *p = e->base.problem;
    int highest = e->stages.scheme->stiffly_accurate ? 2 : 1;
    for (size_t k = 0; k < p->n; k++)
        if (p->index && p->index[k] > highest && !p->dynamic[k]) e->error[k] = 0;
    return stages_norm(&e->stages, e->error, h);
}

/* In stiff components the difference of two formulas is far too large. (F_y' + h gamma F_y)^-1 F_y'
 * damps it there and leaves it as it is elsewhere (L. F. Shampine & L. S. Baca, Numer. Math. 44
 * (1984)). Where both solutions meet the equations, their algebraic variables differ by no more
 * than the error of the variables from which they follow, so that the raw difference may be
 * used. */
static void embedded(runge_kutta *e, double h, int which)
{
    problem *p = e->base.problem;
    const scheme *s = e->stages.scheme;
    memset(e->error, 0, p->n * sizeof *e->error);
    stages_add(&e->stages, s->stages, s->error[which], h, e->error);
    if (!s->filters) return;
    const scheme_part *part = &s->block[s->blocks - 1].part[0];
    for (size_t k = 0; k < p->n; k++) e->rate[k] = part->re / h * e->error[k];
    problem_multiply(p, e->rate, e->error);
    problem_solve(p, (size_t)part->slot, e->error);
    for (size_t k = 0; k < p->n; k++) { /* F_y' does not see algebraic variables */
        int index = p->index ? p->index[k] : 1;
        double raw = h / part->re * e->rate[k];
        if (p->dynamic[k] || index > 2) continue;
        if (index == 2 || (s->embedded_meets && fabs(raw) > fabs(e->error[k]))) e->error[k] = raw;
    }
}

static dae_status judge_embedded(runge_kutta *e, double h, double *size)
{
    const scheme *s = e->stages.scheme;
    double other = 0;
    if (s->errors == 2) {
        embedded(e, h, 1);
        other = embedded_norm(e, h);
    }
    embedded(e, h, 0);
    *size = embedded_norm(e, h);
    if (s->errors == 2) *size = control_joint_size(*size, other);
    return isfinite(*size) ? DAE_OK : DAE_NOT_EVALUABLE;
}

/* The end of the last step, as a reference for the extrapolation of its polynomial. This is the
 * projected state, from which the stages begin. If projection has moved that far from the end of
 * the polynomial, the end of the polynomial is taken. */
static void find_last_end(runge_kutta *e, double h, double *end, double *moved)
{
    size_t n = e->base.problem->n;
    dense_output_evaluate_at(&e->base.dense, e->base.t, 1, end, NULL);
    for (size_t k = 0; k < n; k++) moved[k] = e->base.y[k] - end[k];
    if (stages_norm(&e->stages, moved, h) > 1) return;
    memcpy(end, e->base.y, n * sizeof *end);
}

/* Adds the part of the stages to e->rate, which becomes the divided difference of this step's
 * polynomial with one more value, at `back` (in steps from the start). The part of that value is
 * already in e->rate. */
static void add_stages(runge_kutta *e, double back)
{
    const scheme *s = e->stages.scheme;
    size_t n = e->base.problem->n;
    for (int i = 0; i < s->stages; i++) {
        double product = s->c[i] * (s->c[i] - back);
        for (int j = 0; j < s->stages; j++)
            if (j != i) product *= s->c[i] - s->c[j];
        for (size_t k = 0; k < n; k++) e->rate[k] += e->stages.z[(size_t)i * n + k] / product;
    }
}

/* An estimate of the distance between the polynomial of this step and the solution within it. The
 * error is the node polynomial x (x - c_1) ... (x - c_s) times a divided difference, for which the
 * last step supplies the additional value. In stiff components it can be much larger than the error
 * at the end of the step. */
static double interpolation_error(runge_kutta *e, double h)
{
    const scheme *s = e->stages.scheme;
    size_t n = e->base.problem->n;
    double back = -fmin(0.5, fabs(e->base.dense.h / h)), product = back;
    double *difference = e->rate, *end = e->end;
    find_last_end(e, h, end, difference);
    dense_output_evaluate_at(&e->base.dense, e->base.t + back * h, 1 + back * h / e->base.dense.h,
                             difference, NULL);
    for (int i = 0; i < s->stages; i++) product *= back - s->c[i];
    for (size_t k = 0; k < n; k++) difference[k] = (difference[k] - end[k]) / product;
    add_stages(e, back);
    double size = stages_norm(&e->stages, difference, h);
    return e->base.stepping.within * INTERPOLATION_SHARE * s->largest_node_product * size;
}

/* Before there is a last step, the derivative at the start takes the place of its value. */
static void find_first_difference(runge_kutta *e, double h)
{
    const scheme *s = e->stages.scheme;
    double all = 1;
    for (int i = 0; i < s->stages; i++) all *= -s->c[i];
    for (size_t k = 0; k < e->base.problem->n; k++) e->rate[k] = h * e->base.yp[k] / all;
    add_stages(e, 0);
}

/* Turns a divided difference, which one of the two functions above has left in `off` (n), into the
 * error of the derivatives at the end of the step. Returns false where no algebraic variable of
 * index 1 depends on it. */
static bool find_end_yp(const runge_kutta *e, double h, double *off)
{
    const problem *p = e->base.problem;
    const scheme *s = e->stages.scheme;
    double product = 1 / h;
    bool any = false;
    for (int i = 0; i + 1 < s->stages; i++) product *= 1 - s->c[i];
    for (size_t k = 0; k < p->n; k++) {
        off[k] *= p->dynamic[k] ? product : 0;
        any = any || !(p->dynamic[k] || (p->index && p->index[k] > 1));
    }
    return any;
}

/* Motions that are not stiff are more accurate at the end of a step than their polynomial. Their
 * part of the derivatives' error, lambda/h (lambda/h F_y' + F_y)^-1 F_y' off, is subtracted. */
static void leave_stiff(runge_kutta *e, double h, double *off)
{
    problem *p = e->base.problem;
    const scheme_part *part = &e->stages.scheme->block[0].part[0];
    double *slow = e->stages.value;
    problem_multiply(p, off, slow);
    problem_solve(p, (size_t)part->slot, slow);
    for (size_t k = 0; k < p->n; k++) off[k] -= part->re / h * slow[k];
}

/* A stiff variable follows its slow motion at each stage, with the derivative of the polynomial. An
 * algebraic variable that is known from this derivative takes over its error, which is of order s,
 * as variables of index 2 do. The estimate of the extra node sees the derivative at the start of
 * the step, whose error is s times smaller. It sees even less where the missed part changes its
 * sign there, or where the equations change within the step. So the equations are evaluated at the
 * end of the step, with the derivative there less its error. The result is the error of the
 * variable itself, which no step damps. Therefore it counts in the user's tolerance, even where the
 * estimate is held at a larger one. */
static dae_status judge_end_yp(runge_kutta *e, double h, double *size)
{
    problem *p = e->base.problem;
    stages *s = &e->stages;
    const scheme_part *part = &s->scheme->block[0].part[0];
    double *off = e->rate, *y = s->value;
    const double *z = s->z + (size_t)(s->scheme->stages - 1) * p->n;
    const double *yp = s->yp + (size_t)(s->scheme->stages - 1) * p->n;
    if (e->base.stepping.within == 0 || !find_end_yp(e, h, off)) return DAE_OK;
    leave_stiff(e, h, off);
    for (size_t k = 0; k < p->n; k++) y[k] = e->base.y[k] + z[k], off[k] = yp[k] - off[k];
    dae_status status = problem_residual(p, e->base.t + h, y, off, s->residual);
    if (status != DAE_OK) return status == DAE_STOPPED ? status : DAE_OK;
    problem_solve(p, (size_t)part->slot, s->residual);
    for (size_t k = 0; k < p->n; k++)
        if (p->dynamic[k] || (p->index && p->index[k] > 1)) s->residual[k] = 0;
    double norm = stages_norm(s, s->residual, h) * fmax(1, e->base.stepping.share);
    control_raise(p->n, norm, s->residual, size, e->error);
    return DAE_OK;
}

dae_status runge_kutta_judge(runge_kutta *e, double h, double *size)
{
    if (e->stages.scheme->estimate == SCHEME_EMBEDDED) return judge_embedded(e, h, size);
    dae_status status = judge_extra_node(e, h, size);
    if (status != DAE_OK) return status;
    if (e->has_polynomial)
        *size = fmax(*size, interpolation_error(e, h));
    else
        find_first_difference(e, h);
    return *size < 1 ? judge_end_yp(e, h, size) : DAE_OK;
}
