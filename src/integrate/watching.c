/* How stiff a problem shows itself to an explicit method, without a further evaluation. */
#include "integrate/runge_kutta_parts.h"

#include <math.h>

/* |R(-x)| of an explicit method, R(z) = 1 + z sum_i b_i Y_i with Y_i = 1 + z sum_j a_ij Y_j. */
static double growth(const scheme *s, double x)
{
    double stage[METHOD_MOST_STAGES], end = 1;
    for (int i = 0; i < s->stages; i++) {
        stage[i] = 1;
        for (int j = 0; j < i; j++) stage[i] -= x * s->a[i][j] * stage[j];
        end -= x * s->b[i] * stage[i];
    }
    return fabs(end);
}

/* Where the interval of stability on the negative real axis ends. */
static double stability_interval(const scheme *s)
{
    double x = 0;
    while (x < 100 && growth(s, x + 0.01) <= 1) x += 0.01;
    return x;
}

/* The last stage before the end of the step at which another value of the same time was
 * evaluated; 0: there is none. */
static int twin_of_end(const scheme *s)
{
    for (int i = s->stages - 1; i > 0; i--) {
        bool is_end = true;
        for (int j = 0; j < s->stages; j++) is_end = is_end && s->a[i][j] == s->b[j];
        if (s->c[i] == 1 && !is_end) return i;
    }
    return 0;
}

void runge_kutta_watch_from_now(runge_kutta *e)
{
    const scheme *s = e->stages.scheme;
    if (s->is_implicit) return;
    e->twin = twin_of_end(s);
    if (e->twin > 0) e->bears = stability_interval(s);
}

/* The difference of two slopes at the same time over that of their values, in the norm of the error
 * test: a bound from below of the largest eigenvalue, near it where the step is at the border of
 * stability. L. F. Shampine (1977); Hairer & Wanner II, Sec. IV.2. */
void runge_kutta_watch(runge_kutta *e, double h)
{
    const scheme *s = e->stages.scheme;
    size_t n = e->base.problem->n;
    int twin = e->twin;
    double slopes = 0, values = 0;
    e->base.stiffness = 0;
    for (size_t k = 0; k < n; k++) {
        double weight = e->stepping.weight[k], value = e->base.y[k] - e->end[k];
        double slope = e->stages.slope[(size_t)twin * n + k] - e->end_slope[k];
        for (int j = 0; j < twin; j++)
            value += h * s->a[twin][j] * e->stages.slope[(size_t)j * n + k];
        slopes += weight * weight * slope * slope;
        values += weight * weight * value * value;
    }
    if (values > 0) e->base.stiffness = fabs(h) * sqrt(slopes / values) / e->bears;
}
