/* What occurs where, in equations that are known by their values only: a look at several points. */
#include "base/scatter.h"
#include "problem/callback_state.h"
#include "problem/time_unit.h"

#include <math.h>
#include <string.h>

enum { POINTS = 3 };

/* The distance of the points from the start, relative to the sizes of the unknowns. A shorter one
 * is tried if the equations have no value at the one before. */
static const double REACH[] = {0.1, 1e-3, 0};

/* How much later the points are, in units of time per unit of reach. They must be later because at
 * a start a sine of time is often 0. */
static const double LATER = 1e-3;

/* Point number `point` of those scattered around y, with derivatives of the size of the
 * unknowns. */
static void choose_point(const callbacks *c, const double *y, double reach, size_t point,
                         double *at, double *jacobian)
{
    size_t n = c->e->n;
    for (size_t j = 0; j < n; j++) {
        double middle = y && !isnan(y[j]) ? y[j] : 0;
        double size = fmax(fabs(middle), c->e->nominal[j]);
        at[j] = middle + reach * size * scattered(2 * point * n + j);
        jacobian[j] = c->yp_nominal[j] * scattered((2 * point + 1) * n + j);
    }
}

/* A point that differs from y by a part of each value, or of its nominal size where the value is 0.
 * If an author gives values without nominal sizes, a point farther away would say nothing of their
 * surroundings. */
static void stay_beside(const callbacks *c, const double *y, double reach, double *at)
{
    for (size_t j = 0; j < c->e->n; j++) {
        double middle = y && !isnan(y[j]) ? y[j] : 0;
        at[j] = middle + reach * (middle == 0 ? c->e->nominal[j] : middle) * scattered(j);
    }
}

static void mark(size_t nonzeros, const double *value, bool *seen)
{
    for (size_t k = 0; k < nonzeros; k++) seen[k] = seen[k] || value[k] != 0;
}

/* Find the unit of time from the Jacobians near y, with y' = 0: which derivatives are large depends
 * on the unit that is sought. */
static void find_time_unit(callbacks *c, double t, const double *y)
{
    size_t n = c->e->n;
    double *work = arena_array(&c->memory, 3 * n, sizeof *work);
    c->problem.time_unit = 1;
    memcpy(c->yp_nominal, c->e->nominal, n * sizeof *c->yp_nominal);
    memcpy(c->yp_step, c->e->nominal, n * sizeof *c->yp_step);
    for (size_t r = 0; r < sizeof REACH / sizeof *REACH; r++) {
        stay_beside(c, y, REACH[r], c->look_at);
        memset(c->look_yp, 0, n * sizeof *c->look_yp);
        callback_calibrate_yp(c, t, c->look_at);
        if (callback_linearize(c, t, c->look_at, c->look_yp, DIFFERENCES_COARSE) != DAE_OK)
            continue;
        c->problem.time_unit = time_unit_of_matrices(
            (pencil_values){c->mass_pattern, c->mass},
            (pencil_values){c->jacobian_pattern, c->jacobian}, c->e->nominal, work);
        break;
    }
    for (size_t j = 0; j < n; j++) c->yp_nominal[j] /= c->problem.time_unit;
}

/* Mark what is seen at `points` points near y. True once the equations have been evaluated at all
 * points of one reach.
 * If a callback refuses such a point, that only means that there is no value: the point is not part
 * of the solution. */
static bool look_around(callbacks *c, double t, const double *y, size_t points, callback_sight *s)
{
    memset(s->jacobian, false, c->jacobian_pattern->nonzeros);
    memset(s->mass, false, c->mass_pattern->nonzeros);
    for (size_t r = 0; r < sizeof REACH / sizeof *REACH; r++) {
        bool looked = true;
        for (size_t point = 0; looked && point < points; point++) {
            choose_point(c, y, REACH[r], point, c->look_at, c->look_yp);
            double there = t + LATER * REACH[r] * (double)point * c->problem.time_unit;
            looked = callback_linearize(c, there, c->look_at, c->look_yp, DIFFERENCES_COARSE) ==
                     DAE_OK;
            if (!looked) continue;
            mark(c->jacobian_pattern->nonzeros, c->jacobian, s->jacobian);
            mark(c->mass_pattern->nonzeros, c->mass, s->mass);
        }
        if (looked) return true;
    }
    return false;
}

/* Take the seen entries for all entries, in Jacobians that are found by differences. */
static void reduce_patterns(callbacks *c)
{
    size_t *place, *unused;
    c->jacobian_pattern = sparse_part(&c->memory, c->jacobian_pattern, c->seen.jacobian, &place);
    for (size_t k = 0; k < c->jacobian_pattern->nonzeros; k++)
        place[k] = c->jacobian_place[place[k]];
    c->jacobian_place = place;
    memset(c->seen.jacobian, true, c->jacobian_pattern->nonzeros);
    if (c->e->row->implicit) {
        c->mass_pattern = sparse_part(&c->memory, c->mass_pattern, c->seen.mass, &unused);
        memset(c->seen.mass, true, c->mass_pattern->nonzeros);
    }
    callback_prepare(c);
}

static void count(callbacks *c)
{
    callback_sight *s = &c->seen;
    s->jacobians = s->masses = 0;
    for (size_t k = 0; k < c->jacobian_pattern->nonzeros; k++) s->jacobians += s->jacobian[k];
    for (size_t k = 0; k < c->mass_pattern->nonzeros; k++) s->masses += s->mass[k];
}

void callback_look(callbacks *c, double t, const double *y, message *m)
{
    const equations *e = c->e;
    callback_sight *sights[] = {&c->seen, &c->seen_now};
    for (size_t k = 0; k < 2; k++) {
        sights[k]->jacobian = arena_array(&c->memory, c->jacobian_pattern->nonzeros, sizeof(bool));
        sights[k]->mass = arena_array(&c->memory, c->mass_pattern->nonzeros, sizeof(bool));
    }
    arena_vectors(&c->memory, e->n,
                  (double **const[]){&c->look_at, &c->look_yp, &c->yp_nominal, &c->yp_step, NULL});
    find_time_unit(c, t, y);
    c->looked = look_around(c, t, y, POINTS, &c->seen);
    bool detect = e->detect_pattern && !callback_has_jacobian(e);
    if (!c->looked) memset(c->seen.jacobian, true, c->jacobian_pattern->nonzeros);
    if (!c->looked) memset(c->seen.mass, true, c->mass_pattern->nonzeros);
    if (c->looked && detect) reduce_patterns(c);
    if (!c->looked && detect)
        message_note(m, "the pattern of the Jacobian was not detected, as the equations have no "
                        "value near the start; it is taken as given, or dense");
    count(c);
    c->refused = NULL;
}

static bool can_look_again(const callbacks *c)
{
    return c->looked && !(c->e->detect_pattern && !callback_has_jacobian(c->e));
}

/* Adds the entries of dF/dy that were seen last. */
static void add_seen(callbacks *c)
{
    c->refused = NULL;
    for (size_t k = 0; k < c->jacobian_pattern->nonzeros; k++)
        c->seen.jacobian[k] = c->seen.jacobian[k] || c->seen_now.jacobian[k];
    count(c);
}

bool callback_looks_alike(callbacks *c, double t, const double *y)
{
    if (!can_look_again(c)) return false;
    bool looked = look_around(c, t, y, POINTS, &c->seen_now);
    add_seen(c);
    return looked && memcmp(c->seen_now.mass, c->seen.mass, c->mass_pattern->nonzeros) == 0;
}

bool callbacks_stay(callbacks *c, double t, const double *y)
{
    if (!can_look_again(c)) return false;
    c->problem.counts.jacobians++;
    bool looked = look_around(c, t, y, 1, &c->seen_now);
    add_seen(c);
    for (size_t k = 0; k < c->mass_pattern->nonzeros; k++)
        looked = looked && c->seen.mass[k] >= c->seen_now.mass[k];
    return looked;
}
