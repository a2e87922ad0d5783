#include "integrate/refusal.h"

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
    for (double part = 0.1; part > 0.005; part /= 10)
        while (x < 100 && growth(s, x + part) <= 1) x += part;
    return x;
}

/* The last stage at the time of the end whose values are not those of the end; 0: there is none. */
static int twin_of_end(const scheme *s)
{
    for (int i = s->stages - 1; i > 0; i--) {
        bool is_end = true;
        for (int j = 0; j < s->stages; j++) is_end = is_end && s->a[i][j] == s->b[j];
        if (s->c[i] == 1 && !is_end) return i;
    }
    return 0;
}

void watching_begin(watching *w, const scheme *s)
{
    if (s->is_implicit) return;
    w->scheme = s;
    w->twin = twin_of_end(s);
    if (w->twin > 0) w->bears = stability_interval(s);
}

void watching_measure(const watching *w, engine *e, double h, const double *end,
                      const double *end_yp, const double *yp)
{
    if (w->bears == 0) return;
    const double *a = w->scheme->a[w->twin];
    size_t n = e->problem->n;
    double of_yp = 0, values = 0;
    for (size_t k = 0; k < n; k++) {
        if (!e->problem->dynamic[k]) continue;
        double weight = e->stepping.weight[k], value = e->y[k] - end[k];
        double off = yp[(size_t)w->twin * n + k] - end_yp[k];
        for (int j = 0; j < w->twin; j++) value += h * a[j] * yp[(size_t)j * n + k];
        of_yp += weight * weight * off * off;
        values += weight * weight * value * value;
    }
    e->stiffness = values > 0 ? fabs(h) * sqrt(of_yp / values) / w->bears : 0;
}
