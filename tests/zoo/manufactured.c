#include "zoo/manufactured.h"

#include <string.h>

/* to += factor * M x */
static void add_mass(const manufactured *m, const double *x, double factor, double *to)
{
    for (size_t j = 0; j < m->n; j++)
        for (size_t i = 0; i < m->n; i++) to[i] += factor * m->mass[j * m->n + i] * x[j];
}

static void solution(const manufactured *m, double t, double *y, double *yp, double *ypp)
{
    m->exact(m->speed * t, y, yp, ypp);
    for (size_t i = 0; i < m->n; i++) yp[i] *= m->speed, ypp[i] *= m->speed * m->speed;
}

void manufactured_exact(const manufactured *m, double t, double *y, double *yp)
{
    double ypp[MANUFACTURED_MOST];
    solution(m, t, y, yp, ypp);
}

int manufactured_f(double t, const double *y, double *f, void *user)
{
    const manufactured *m = user;
    double exact[MANUFACTURED_MOST], slope[MANUFACTURED_MOST], curve[MANUFACTURED_MOST];
    double there[MANUFACTURED_MOST];
    solution(m, t, exact, slope, curve);
    m->phi(t, exact, there);
    m->phi(t, y, f);
    for (size_t i = 0; i < m->n; i++) f[i] -= there[i];
    add_mass(m, slope, 1, f);
    return 0;
}

int manufactured_f_y(double t, const double *y, double *dy, void *user)
{
    const manufactured *m = user;
    m->phi_y(t, y, dy);
    return 0;
}

int manufactured_f_t(double t, const double *y, double *dt, void *user)
{
    const manufactured *m = user;
    double exact[MANUFACTURED_MOST], slope[MANUFACTURED_MOST], curve[MANUFACTURED_MOST];
    double there[MANUFACTURED_MOST], by[MANUFACTURED_MOST * MANUFACTURED_MOST] = {0};
    solution(m, t, exact, slope, curve);
    m->phi_t(t, exact, there);
    m->phi_y(t, exact, by);
    m->phi_t(t, y, dt);
    for (size_t i = 0; i < m->n; i++) {
        dt[i] -= there[i];
        for (size_t j = 0; j < m->n; j++) dt[i] -= by[j * m->n + i] * slope[j];
    }
    add_mass(m, curve, 1, dt);
    return 0;
}

int manufactured_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const manufactured *m = user;
    (void)manufactured_f(t, y, r, user);
    for (size_t i = 0; i < m->n; i++) r[i] = -r[i];
    add_mass(m, yp, 1, r);
    return 0;
}

int manufactured_jacobian(double t, const double *y, const double *yp, double *dy, double *dyp,
                          void *user)
{
    const manufactured *m = user;
    (void)yp;
    m->phi_y(t, y, dy);
    for (size_t k = 0; k < m->n * m->n; k++) dy[k] = -dy[k];
    memcpy(dyp, m->mass, m->n * m->n * sizeof *dyp);
    return 0;
}

int manufactured_slope(double t, const double *y, const double *yp, double *dt, void *user)
{
    const manufactured *m = user;
    (void)yp;
    (void)manufactured_f_t(t, y, dt, user);
    for (size_t i = 0; i < m->n; i++) dt[i] = -dt[i];
    return 0;
}
