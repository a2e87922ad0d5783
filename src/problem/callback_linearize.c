/* Jacobians of a C program's equations: from its callbacks, by differences, or constant. */
#include "base/round_off.h"
#include "problem/callback_state.h"
#include "problem/levels.h"

#include <math.h>
#include <string.h>

bool callback_has_jacobian(const equations *e)
{
    return e->constant_jacobian || form_call_given(&e->calls.by_y);
}

bool callback_has_matrices(const equations *e)
{
    bool varies = form_call_given(&e->calls.mass) && !form_call_given(&e->calls.mass_by_y);
    return callback_has_jacobian(e) && !varies;
}

void callback_prepare(callbacks *c)
{
    const equations *e = c->e;
    arena *a = &c->memory;
    bool has_jacobian = callback_has_jacobian(e);
    size_t jacobians = c->jacobian_pattern->nonzeros, masses = c->mass_pattern->nonzeros;
    c->jacobian = arena_array(a, jacobians, sizeof(double));
    c->mass = arena_array(a, masses, sizeof(double));
    c->added = arena_array(a, jacobians, sizeof(double));
    bool given = has_jacobian || form_call_given(&e->calls.mass_by_y);
    c->author_jacobian = arena_array(a, given ? e->jacobian.length : 0, sizeof(double));
    c->author_mass = arena_array(a, e->constant_mass ? 0 : e->mass.length, sizeof(double));
    if (!callback_has_matrices(e)) c->by_y = differences_create(a, c->jacobian_pattern);
    if (e->row->implicit && !has_jacobian) c->by_yp = differences_create(a, c->mass_pattern);
    if (e->constant_mass) memcpy(c->mass, e->constant_mass, masses * sizeof(double));
    for (size_t k = 0; e->constant_jacobian && k < jacobians; k++)
        c->jacobian[k] = -e->constant_jacobian[k];
}

/* The value that is differenced at the point, as a function of y or of y'. */
static dae_status value_of(void *self, const double *x, double *r)
{
    callbacks *c = self;
    if (c->differenced != MOMENTUM_BY_Y) c->problem.counts.residuals++;
    switch (c->differenced) {
    case RESIDUAL_BY_Y: return callback_residual(c, c->at_t, x, c->at_yp, r);
    case RESIDUAL_BY_YP: return callback_residual(c, c->at_t, c->at_y, x, r);
    case RIGHT_SIDE_BY_Y: return callback_right_side(c, c->at_t, x, r);
    case MOMENTUM_BY_Y: break;
    }
    memset(r, 0, c->e->n * sizeof *r);
    return callback_add_momentum(c, c->at_t, x, c->at_yp, r);
}

/* Evaluate it at the point itself, before differences of it are taken: into c->here. */
static dae_status look_here(callbacks *c, callback_differenced what, const double *x)
{
    c->problem.bad_row = PROBLEM_NOWHERE;
    c->differenced = what;
    dae_status status = value_of(c, x, c->here);
    return status == DAE_OK ? problem_finite(&c->problem, c->e->n, c->here) : status;
}

/* Differences from c->here. */
static dae_status take_differences(callbacks *c, callback_differenced what, const double *x,
                                   double increment, double *jacobian)
{
    const vector_function f = {.value = value_of, .self = c};
    bool by_yp = what == RESIDUAL_BY_YP;
    differences *by = by_yp ? c->by_yp : c->by_y;
    const double *nominal = by_yp ? c->yp_step : c->problem.nominal;
    c->differenced = what;
    dae_status status = differences_jacobian(by, f, x, nominal, c->here, increment, jacobian);
    if (status == DAE_NOT_EVALUABLE) c->problem.bad_row = by->bad_row;
    if (c->problem.bad_row != PROBLEM_NOWHERE) c->refused = NULL; /* set by an earlier increment */
    return status;
}

static dae_status look_and_take(callbacks *c, callback_differenced what, const double *x,
                                double increment, double *jacobian)
{
    dae_status status = look_here(c, what, x);
    return status == DAE_OK ? take_differences(c, what, x, increment, jacobian) : status;
}

/* The size of the terms of each equation at the point, into `size` (n): from the derivatives by y,
 * and from the residual without y'. */
static dae_status find_row_sizes(callbacks *c, const double *y, double *size)
{
    const sparse_pattern *p = c->jacobian_pattern;
    dae_status status = look_and_take(c, RESIDUAL_BY_Y, y, DIFFERENCES_FINE, c->jacobian);
    for (size_t i = 0; i < p->rows; i++) size[i] = fabs(c->here[i]);
    if (status == DAE_OK) miss_add_terms(p, c->jacobian, y, c->problem.nominal, size);
    return status;
}

/* The change of y'_j's equations from c->here to `there`, as parts of their sizes. Returns the
 * largest part; NaN if they have no value, 0 if no size is known. *least: the smallest part that is
 * not rounding. */
static double part_changed(const callbacks *c, size_t j, const double *there, const double *size,
                           double *least)
{
    static const double ROUNDED = 4 * ROUND_OFF_LONG_SUM;
    const sparse_pattern *p = c->mass_pattern;
    double most = 0;
    *least = HUGE_VAL;
    for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
        size_t i = (size_t)p->row[k];
        double part = fabs(there[i] - c->here[i]) / size[i];
        if (!(size[i] > 0)) continue;
        if (!(part <= most)) most = part;
        if (part > ROUNDED) *least = fmin(*least, part);
    }
    return most;
}

/* Change all y' of a colour once; returns whether each change has the right size now. Next to a
 * small equation that contains y'_j there may be one with large terms, whose rounding matters. For
 * that one, increments may be LARGER times what the small equation bears, if the small one is not
 * linear. */
static bool calibrate_colour(callbacks *c, size_t colour, const double *size, double *moved,
                             double *change)
{
    static const double LEAST = 0x1p-10, MOST = 0x1p-3, FACTOR = 0x1p6, LONGEST = 0x1p200;
    static const double LARGER = 0x1p10;
    const colouring *all = c->by_yp->colouring;
    bool right = true;
    for (size_t k = all->first[colour]; k < all->first[colour + 1]; k++)
        moved[all->column[k]] = change[all->column[k]];
    dae_status status = value_of(c, moved, c->by_yp->there);
    for (size_t k = all->first[colour]; k < all->first[colour + 1]; k++) {
        size_t j = all->column[k];
        double least = 0, part = (double)NAN;
        if (status == DAE_OK) part = part_changed(c, j, c->by_yp->there, size, &least);
        bool shorter = !(part <= MOST), longer = part < LEAST;
        moved[j] = 0;
        if (part > 0 && !shorter) /* a power of 2, so that whole coefficients come out exactly */
            c->yp_step[j] = exp2(round(log2(change[j] / fmax(least, part / LARGER))));
        if ((!shorter && !longer) || fabs(log2(change[j])) > log2(LONGEST)) continue;
        change[j] *= shorter ? 1 / FACTOR : FACTOR;
        right = false;
    }
    return right;
}

void callback_calibrate_yp(callbacks *c, double t, const double *y)
{
    enum { MOST = 80 };
    size_t n = c->e->n;
    if (!c->by_yp) return;
    double *room = arena_array(&c->memory, 3 * n, sizeof *room);
    double *size = room, *moved = room + n, *change = moved + n;
    for (size_t j = 0; j < n; j++) change[j] = DIFFERENCES_COARSE * c->yp_step[j];
    c->at_t = t;
    c->at_y = y;
    c->at_yp = moved; /* 0 */
    if (find_row_sizes(c, y, size) != DAE_OK || look_here(c, RESIDUAL_BY_YP, moved) != DAE_OK)
        return;
    for (size_t colour = 0; colour < c->by_yp->colouring->colours; colour++)
        for (int k = 0; k < MOST; k++)
            if (calibrate_colour(c, colour, size, moved, change)) break;
}

/* A derivative by y from the author, into c->author_jacobian and, of the residual form,
 * c->author_mass. */
static dae_status call_jacobian(callbacks *c, const form_call *f, double t, const double *y,
                                const double *second)
{
    const equations *e = c->e;
    if (callback_is_stopped(c)) return DAE_STOPPED;
    memset(c->author_jacobian, 0, e->jacobian.length * sizeof(double));
    if (e->row->implicit) memset(c->author_mass, 0, e->mass.length * sizeof(double));
    return callback_call(c, f, t, y, second, c->author_jacobian);
}

/* The residual form: both Jacobians from one callback, or both by differences. */
static dae_status linearize_residual(callbacks *c, double t, const double *y, const double *yp,
                                     double increment)
{
    const equations *e = c->e;
    if (!callback_has_jacobian(e)) {
        dae_status status = look_and_take(c, RESIDUAL_BY_Y, y, increment, c->jacobian);
        if (status != DAE_OK) return status;
        return take_differences(c, RESIDUAL_BY_YP, yp, increment, c->mass);
    }
    dae_status status = call_jacobian(c, &e->calls.by_y, t, y, yp);
    for (size_t k = 0; k < c->jacobian_pattern->nonzeros; k++)
        c->jacobian[k] = c->author_jacobian[c->jacobian_place[k]];
    for (size_t k = 0; k < c->mass_pattern->nonzeros; k++)
        c->mass[k] = c->author_mass[e->mass.place[k]];
    return status;
}

/* Differences into c->jacobian: - df/dy, or all of dF/dy if the author does not give the dependence
 * of M on y. */
static dae_status differentiate(callbacks *c, const double *y, double increment)
{
    bool f_alone = c->e->constant_mass || form_call_given(&c->e->calls.mass_by_y);
    dae_status status = look_and_take(c, f_alone ? RIGHT_SIDE_BY_Y : RESIDUAL_BY_Y, y, increment,
                                      c->jacobian);
    for (size_t k = 0; f_alone && k < c->jacobian_pattern->nonzeros; k++)
        c->jacobian[k] = -c->jacobian[k];
    return status;
}

/* - df/dy from the author, into c->jacobian. */
static dae_status take_jacobian(callbacks *c, double t, const double *y)
{
    dae_status status = call_jacobian(c, &c->e->calls.by_y, t, y, y + c->e->split);
    for (size_t k = 0; k < c->jacobian_pattern->nonzeros; k++)
        c->jacobian[k] = -c->author_jacobian[c->jacobian_place[k]];
    return status;
}

/* Add the derivative of M(t, y) y' by y to c->jacobian, from the author. */
static dae_status add_mass_jacobian(callbacks *c, double t, const double *y, const double *yp)
{
    dae_status status = call_jacobian(c, &c->e->calls.mass_by_y, t, y, yp);
    for (size_t k = 0; k < c->jacobian_pattern->nonzeros; k++)
        c->jacobian[k] += c->author_jacobian[c->jacobian_place[k]];
    return status;
}

/* The same by differences. */
static dae_status add_mass_differences(callbacks *c, const double *y, double increment)
{
    dae_status status = look_and_take(c, MOMENTUM_BY_Y, y, increment, c->added);
    for (size_t k = 0; k < c->jacobian_pattern->nonzeros; k++) c->jacobian[k] += c->added[k];
    return status;
}

/* M y' - f(t, y) */
static dae_status linearize_explicit(callbacks *c, double t, const double *y, const double *yp,
                                     double increment)
{
    const equations *e = c->e;
    bool given = callback_has_jacobian(e);
    dae_status status = given ? take_jacobian(c, t, y) : differentiate(c, y, increment);
    if (status != DAE_OK || e->constant_mass) return status;
    if (form_call_given(&e->calls.mass_by_y))
        status = add_mass_jacobian(c, t, y, yp);
    else if (given)
        status = add_mass_differences(c, y, increment);
    return status == DAE_OK ? callback_mass(c, t, y, c->mass) : status;
}

/* Whether all values are finite; the first row that is not is noted. */
static bool all_finite(callbacks *c, const sparse_pattern *p, const double *value)
{
    double nothing = 0; /* stays 0 unless a value is infinite or NaN */
    for (size_t k = 0; k < p->nonzeros; k++) nothing += 0 * value[k];
    for (size_t k = 0; nothing != 0 && k < p->nonzeros; k++) {
        if (isfinite(value[k])) continue;
        c->problem.bad_row = (size_t)p->row[k];
        c->refused = NULL;
        return false;
    }
    return true;
}

dae_status callback_linearize(callbacks *c, double t, const double *y, const double *yp,
                              double increment)
{
    if (c->e->constant_jacobian) return DAE_OK;
    c->refused = NULL;
    c->at_t = t;
    c->at_y = y;
    c->at_yp = yp;
    dae_status status = c->e->row->implicit ? linearize_residual(c, t, y, yp, increment)
                                            : linearize_explicit(c, t, y, yp, increment);
    if (status != DAE_OK) return status;
    bool finite = all_finite(c, c->jacobian_pattern, c->jacobian) &&
                  all_finite(c, c->mass_pattern, c->mass);
    return finite ? DAE_OK : DAE_NOT_EVALUABLE;
}
