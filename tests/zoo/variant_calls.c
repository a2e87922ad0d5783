/* The callbacks of a variant, which call those of the problem in its own order and units. */
#include "zoo/variant_parts.h"

#include <string.h>

static void lift(const zoo_variant *v, const double *y, double *full)
{
    for (size_t i = 0; i < v->n; i++) full[v->unknown[i]] = v->unit[i] * y[i];
}

/* Equations `first` to `end`. */
static void rows(const zoo_variant *v, const double *full, size_t first, size_t end, double *r)
{
    for (size_t i = first; i < end; i++) r[i - first] = full[v->equation[i]] / v->divisor[i];
}

void zoo_spread(const zoo_mapped *m, double *values)
{
    for (size_t k = 0; k < m->count; k++) values[m->place[k]] += m->factor[k] * m->old[k];
}

static void clear(zoo_mapped *m)
{
    memset(m->old, 0, m->count * sizeof *m->old);
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    zoo_variant *v = user;
    double a[ZOO_MOST], b[ZOO_MOST], all[ZOO_MOST];
    lift(v, y, a), lift(v, yp, b);
    int answer = v->was->as.residual.residual(t, a, b, all, v->user);
    rows(v, all, 0, v->n, r);
    return answer;
}

static int residual_jacobian(double t, const double *y, const double *yp, double *dy, double *dyp,
                             void *user)
{
    zoo_variant *v = user;
    double a[ZOO_MOST], b[ZOO_MOST];
    lift(v, y, a), lift(v, yp, b);
    clear(&v->by_y), clear(&v->by_yp);
    int answer = v->was->as.residual.jacobian(t, a, b, v->by_y.old, v->by_yp.old, v->user);
    zoo_spread(&v->by_y, dy), zoo_spread(&v->by_yp, dyp);
    return answer;
}

static int residual_slope(double t, const double *y, const double *yp, double *dt, void *user)
{
    zoo_variant *v = user;
    double a[ZOO_MOST], b[ZOO_MOST], all[ZOO_MOST];
    lift(v, y, a), lift(v, yp, b);
    int answer = v->was->as.residual.time_derivative(t, a, b, all, v->user);
    rows(v, all, 0, v->n, dt);
    return answer;
}

static int mass_f(double t, const double *y, double *f, void *user)
{
    zoo_variant *v = user;
    double a[ZOO_MOST], all[ZOO_MOST];
    lift(v, y, a);
    int answer = v->was->as.mass.f(t, a, all, v->user);
    rows(v, all, 0, v->n, f);
    return answer;
}

static int mass_f_y(double t, const double *y, double *dy, void *user)
{
    zoo_variant *v = user;
    double a[ZOO_MOST];
    lift(v, y, a);
    clear(&v->by_y);
    int answer = v->was->as.mass.f_y(t, a, v->by_y.old, v->user);
    zoo_spread(&v->by_y, dy);
    return answer;
}

static int mass_f_t(double t, const double *y, double *dt, void *user)
{
    zoo_variant *v = user;
    double a[ZOO_MOST], all[ZOO_MOST];
    lift(v, y, a);
    int answer = v->was->as.mass.f_t(t, a, all, v->user);
    rows(v, all, 0, v->n, dt);
    return answer;
}

static int mass(double t, const double *y, double *m, void *user)
{
    zoo_variant *v = user;
    double a[ZOO_MOST];
    lift(v, y, a);
    clear(&v->by_yp);
    int answer = v->was->as.mass.mass(t, a, v->by_yp.old, v->user);
    zoo_spread(&v->by_yp, m);
    return answer;
}

static int mass_y(double t, const double *y, const double *w, double *dy, void *user)
{
    zoo_variant *v = user;
    double a[ZOO_MOST], b[ZOO_MOST];
    lift(v, y, a), lift(v, w, b);
    clear(&v->by_y);
    int answer = v->was->as.mass.mass_y(t, a, b, v->by_y.old, v->user);
    zoo_spread(&v->by_y, dy);
    return answer;
}

static void lift_parts(const zoo_variant *v, const double *x, const double *z, double *full)
{
    double y[ZOO_MOST];
    size_t nx = v->was->as.semi_explicit.nx;
    for (size_t i = 0; i < v->n; i++) y[i] = i < nx ? x[i] : z[i - nx];
    lift(v, y, full);
}

static int explicit_f(double t, const double *x, const double *z, double *f, void *user)
{
    zoo_variant *v = user;
    double a[ZOO_MOST], all[ZOO_MOST];
    size_t nx = v->was->as.semi_explicit.nx;
    lift_parts(v, x, z, a);
    int answer = v->was->as.semi_explicit.f(t, a, a + nx, all, v->user);
    rows(v, all, 0, nx, f);
    return answer;
}

static int explicit_g(double t, const double *x, const double *z, double *g, void *user)
{
    zoo_variant *v = user;
    double a[ZOO_MOST], all[ZOO_MOST];
    size_t nx = v->was->as.semi_explicit.nx;
    lift_parts(v, x, z, a);
    int answer = v->was->as.semi_explicit.g(t, a, a + nx, all + nx, v->user);
    rows(v, all, nx, v->n, g);
    return answer;
}

static int explicit_jacobian(double t, const double *x, const double *z, double *j, void *user)
{
    zoo_variant *v = user;
    double a[ZOO_MOST];
    lift_parts(v, x, z, a);
    clear(&v->by_y);
    int answer = v->was->as.semi_explicit.jacobian(t, a, a + v->was->as.semi_explicit.nx,
                                                   v->by_y.old, v->user);
    zoo_spread(&v->by_y, j);
    return answer;
}

static int explicit_slope(double t, const double *x, const double *z, double *dt, void *user)
{
    zoo_variant *v = user;
    double a[ZOO_MOST], all[ZOO_MOST];
    lift_parts(v, x, z, a);
    int answer = v->was->as.semi_explicit.time_derivative(t, a, a + v->was->as.semi_explicit.nx,
                                                          all, v->user);
    rows(v, all, 0, v->n, dt);
    return answer;
}

void zoo_variant_wrap(zoo_variant *v)
{
    dae_residual_form *r = &v->form.as.residual;
    dae_mass_form *m = &v->form.as.mass;
    dae_semi_explicit_form *s = &v->form.as.semi_explicit;
    switch (v->form.kind) {
    case ZOO_RESIDUAL:
        r->residual = residual, r->jacobian = residual_jacobian;
        r->time_derivative = residual_slope;
        break;
    case ZOO_MASS:
        m->f = mass_f, m->f_y = mass_f_y, m->f_t = mass_f_t;
        m->mass = m->mass ? mass : NULL, m->mass_y = m->mass_y ? mass_y : NULL;
        break;
    default:
        s->f = explicit_f, s->g = explicit_g;
        s->jacobian = explicit_jacobian, s->time_derivative = explicit_slope;
        break;
    }
}
