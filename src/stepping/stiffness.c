#include "stepping/control.h"

#include "base/round_off.h"
#include "base/scatter.h"

#include <math.h>
#include <string.h>

/* Length of the differences in tolerances: far above round-off, and within the linear range. */
static const double LENGTH = 1;

void stiffness_carve(stiffness *s, workspace *space, problem *p)
{
    s->problem = p;
    s->possible = p->form->yp || p->form->solve_algebraic;
    workspace_vectors(space, p->n,
                      (double **[]){&s->direction, &s->value, &s->yp[0], &s->yp[1], NULL});
    s->radius = 0;
}

/* The initial direction, to which no eigenvector is likely to be orthogonal. */
static void begin(stiffness *s, const double *weight)
{
    const bool *dynamic = s->problem->dynamic;
    for (size_t k = 0; k < s->problem->n; k++)
        s->direction[k] = dynamic[k] ? (0.5 + scattered(k)) / weight[k] : 0;
}

/* Finds y' (n, 0 for algebraic variables) at s->value, whose algebraic variables change. */
static dae_status find_yp(stiffness *s, double t, double *yp)
{
    problem *p = s->problem;
    if (p->form->yp) return problem_yp(p, t, s->value, yp);
    memset(yp, 0, p->n * sizeof *yp);
    return problem_solve_algebraic(p, t, s->value, yp);
}

static dae_status iterate(stiffness *s, double t, const double *y, const double *weight)
{
    size_t n = s->problem->n;
    double length = control_norm(n, s->direction, weight, NULL, 1), along = 0;
    for (size_t k = 0; k < n; k++) {
        s->direction[k] *= LENGTH / length;
        s->value[k] = y[k] + s->direction[k];
    }
    dae_status status = find_yp(s, t, s->yp[1]);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < n; k++) {
        double change = s->yp[1][k] - s->yp[0][k];
        along += change * weight[k] * s->direction[k] * weight[k];
        s->yp[1][k] = change;
    }
    double grown = control_norm(n, s->yp[1], weight, NULL, 1) / LENGTH;
    s->radius = s->grown > 0 ? sqrt(grown * s->grown) : grown;
    s->grown = grown;
    s->damping = -along / ((double)n * LENGTH * LENGTH);
    if (grown > 0 && isfinite(grown))
        memcpy(s->direction, s->yp[1], n * sizeof *s->direction);
    else
        begin(s, weight);
    return DAE_OK;
}

dae_status stiffness_iterate(stiffness *s, int iterations, double t, const double *y,
                             const double *weight)
{
    if (s->radius == 0) begin(s, weight);
    s->grown = 0;
    memcpy(s->value, y, s->problem->n * sizeof *y);
    dae_status status = find_yp(s, t, s->yp[0]);
    for (int i = 0; status == DAE_OK && i < iterations; i++) status = iterate(s, t, y, weight);
    return status;
}

double stiffness_accurate_step(stiffness *s, int order, double t, const double *y,
                               const double *weight)
{
    size_t n = s->problem->n;
    double *yp = s->yp[0], *change = s->yp[1];
    double size = control_norm(n, y, weight, NULL, 1), speed = control_norm(n, yp, weight, NULL, 1);
    double h = size > 1e-5 && speed > 1e-5 ? 0.01 * size / speed : 1e-6;
    for (size_t k = 0; k < n; k++) s->value[k] = y[k] + h * yp[k];
    if (find_yp(s, t, change) != DAE_OK) return 0;
    for (size_t k = 0; k < n; k++) change[k] = (change[k] - yp[k]) / h;
    double most = fmax(speed, control_norm(n, change, weight, NULL, 1));
    return most > ROUND_OFF_NORM ? fmin(100 * h, pow(0.01 / most, 1.0 / (order + 1))) : 100 * h;
}
