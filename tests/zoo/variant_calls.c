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

/* Callbacks of the problem by what they take: y and y', or x and z; y alone. */
typedef int (*call_of_two)(double t, const double *a, const double *b, double *to, void *user);
typedef int (*call_of_one)(double t, const double *y, double *to, void *user);

static int of_slopes(call_of_two call, double t, const double *y, const double *yp, double *r,
                     const zoo_variant *v)
{
    double a[ZOO_MOST], b[ZOO_MOST], all[ZOO_MOST];
    lift(v, y, a), lift(v, yp, b);
    int answer = call(t, a, b, all, v->user);
    rows(v, all, 0, v->n, r);
    return answer;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const zoo_variant *v = user;
    return of_slopes(v->was->as.residual.residual, t, y, yp, r, v);
}

static int residual_slope(double t, const double *y, const double *yp, double *dt, void *user)
{
    const zoo_variant *v = user;
    return of_slopes(v->was->as.residual.time_derivative, t, y, yp, dt, v);
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

static int of_values(call_of_one call, double t, const double *y, double *f, const zoo_variant *v)
{
    double a[ZOO_MOST], all[ZOO_MOST];
    lift(v, y, a);
    int answer = call(t, a, all, v->user);
    rows(v, all, 0, v->n, f);
    return answer;
}

static int mass_f(double t, const double *y, double *f, void *user)
{
    const zoo_variant *v = user;
    return of_values(v->was->as.mass.f, t, y, f, v);
}

static int mass_f_t(double t, const double *y, double *dt, void *user)
{
    const zoo_variant *v = user;
    return of_values(v->was->as.mass.f_t, t, y, dt, v);
}

static int matrix(call_of_one call, double t, const double *y, const zoo_variant *v, zoo_mapped *m,
                  double *to)
{
    double a[ZOO_MOST];
    lift(v, y, a);
    clear(m);
    int answer = call(t, a, m->old, v->user);
    zoo_spread(m, to);
    return answer;
}

static int mass_f_y(double t, const double *y, double *dy, void *user)
{
    zoo_variant *v = user;
    return matrix(v->was->as.mass.f_y, t, y, v, &v->by_y, dy);
}

static int mass(double t, const double *y, double *m, void *user)
{
    zoo_variant *v = user;
    return matrix(v->was->as.mass.mass, t, y, v, &v->by_yp, m);
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

/* Equations `first` to `end`. */
static int of_parts(call_of_two call, double t, const double *x, const double *z, size_t first,
                    size_t end, double *to, const zoo_variant *v)
{
    double a[ZOO_MOST], all[ZOO_MOST];
    lift_parts(v, x, z, a);
    int answer = call(t, a, a + v->was->as.semi_explicit.nx, all + first, v->user);
    rows(v, all, first, end, to);
    return answer;
}

static int explicit_f(double t, const double *x, const double *z, double *f, void *user)
{
    const zoo_variant *v = user;
    const dae_semi_explicit_form *s = &v->was->as.semi_explicit;
    return of_parts(s->f, t, x, z, 0, s->nx, f, v);
}

static int explicit_g(double t, const double *x, const double *z, double *g, void *user)
{
    const zoo_variant *v = user;
    const dae_semi_explicit_form *s = &v->was->as.semi_explicit;
    return of_parts(s->g, t, x, z, s->nx, v->n, g, v);
}

static int explicit_slope(double t, const double *x, const double *z, double *dt, void *user)
{
    const zoo_variant *v = user;
    return of_parts(v->was->as.semi_explicit.time_derivative, t, x, z, 0, v->n, dt, v);
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
