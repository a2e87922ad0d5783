/* The index of a C program's equations, found by ranks at a start that is made consistent. */
#include "base/round_off.h"
#include "nonlinear/corrections.h"
#include "problem/callback_reduced_parts.h"

#include <float.h>
#include <string.h>

/* Other entries meet a constraint in place of held ones if they move it by at least this much. */
static const double MOVES = 1e-7;

/* Given derivatives stay if the derivatives found differ by less than this, in their units. */
static const double SLOPE_KNOWN = 1e-9;

/* The search for y' ends when changes are below the first number, in at most MOST_SLOPES
 * iterations. Its matrices must not be more singular than the second number. */
static const double SLOPE_SETTLED = 1e-9, SLOPE_REGULAR = 1e-11;
enum { MOST_SLOPES = 10 };

/* Differences that leave out more than the first number, in units of the unknowns, resolve nothing.
 * On the way they may leave out the second number times what they leave out at the start. */
static const double UNRESOLVED = 1e-4, WORSE_LATER = 3;

/* Singular values below these parts of the largest are taken for 0. The second number is tried if
 * the first leaves out too much, or gives too many or too few constraints for an index: stiff terms
 * make singular values that are not 0 and yet smaller than any noise of differences. */
static const double ZERO[] = {1e-9, REDUCED_LEAST_ZERO};

/* How many other steps of the differences are tried if no index is found, and the factor by which
 * their unit of time grows. */
enum { ATTEMPTS = 4 };
static const double NEXT_UNIT = 1024;

/* Ranks at a start are checked again this many steps of the differences later. */
static const double AHEAD = 2;

/* y and its derivatives are consistent once they change by less, in their units. */
static const double KNOWN = ROUND_OFF_ELIMINATED;

/* x += the least change of entries held less than `least` that removes `missed`. `missed` and
 * `hidden` are scaled by `of_hidden`, which makes the constraints' rows orthonormal: rows of high
 * levels are smaller by powers of the step of the differences. */
static bool add_least(callback_reduced *r, unsigned char least, const double *missed, double *x)
{
    size_t n = r->n, count = r->constraints;
    const svd *all = &r->of_hidden, *s = &r->of_free;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < count; i++)
            r->product[j * count + i] = r->held[j] >= least ? 0 : all->right[j * n + i];
    if (!svd_decompose(&r->of_free, count, n, r->product)) return false;
    for (size_t i = 0; i < count; i++)
        r->product[i] = vector_dot(count, all->left + i * count, missed) / all->size[i];
    for (size_t k = 0; k < count && s->size[k] > MOVES; k++) {
        double part = vector_dot(count, s->left + k * count, r->product) / s->size[k];
        for (size_t j = 0; j < n; j++) x[j] += part * s->right[j * n + k];
    }
    return true;
}

/* missed = what the constraints miss after a change x of y. */
static void take_missed(callback_reduced *r, const double *x, double *missed)
{
    for (size_t i = 0; i < r->constraints; i++) {
        missed[i] = vector_dot(r->rows, r->z2 + i * r->rows, r->array.value);
        for (size_t j = 0; j < r->n; j++) missed[i] -= r->hidden[j * r->constraints + i] * x[j];
    }
}

/* Whether the constraints miss more than round-off of the array. Beside stiff terms, correcting
 * round-off would move y by much. */
static bool is_seen(callback_reduced *r, const double *missed)
{
    static const double MARGIN = 8;
    callback_array_round_off(&r->array, r->change); /* of all orders except F itself */
    for (size_t j = 0; j < r->n; j++)
        r->change[j] = DBL_EPSILON * r->array.size[j] * r->array.row[j];
    for (size_t i = 0; i < r->constraints; i++) {
        double noise = 0;
        for (size_t k = 0; k < r->rows; k++) noise += fabs(r->z2[i * r->rows + k]) * r->change[k];
        if (fabs(missed[i]) > MARGIN * noise) return true;
    }
    return false;
}

/* Move y least onto the linearised constraints, held entries no more than necessary; update the
 * array's values. */
static double move_to_constraints(callback_reduced *r, double *y)
{
    callback_array *g = &r->array;
    size_t n = r->n, rows = r->rows;
    memset(r->f, 0, n * sizeof *r->f);
    take_missed(r, r->f, r->coefficient);
    if (!is_seen(r, r->coefficient)) return 0;
    for (int least = CALLBACK_GIVEN; least <= CALLBACK_HELD + 1; least++) {
        if (!add_least(r, (unsigned char)least, r->coefficient, r->f)) return (double)NAN;
        take_missed(r, r->f, r->coefficient);
    }
    if (vector_largest(n, r->f) <= KNOWN) return 0;
    for (size_t j = 0; j < n; j++) {
        y[j] -= g->column[j] * r->f[j];
        for (size_t i = 0; i < rows; i++) g->value[i] -= g->by_y[j * rows + i] * r->f[j];
    }
    return vector_largest(n, r->f);
}

/* Whether a status is DAE_OK. A point without a value is a result for the caller; a status that
 * ends the run is stored. */
static bool succeeds(callback_reduced *r, dae_status status)
{
    bool is_local = status == DAE_NOT_EVALUABLE || status == DAE_SINGULAR;
    if (status != DAE_OK && !is_local) r->ended = status;
    return status == DAE_OK;
}

typedef struct consistent_run {
    callback_reduced *r;
    double *y;
    double moved, changed; /* relative sizes of the last correction: of y, and of its derivatives */
} consistent_run;

static dae_status correct_start(void *self, double *size)
{
    consistent_run *k = self;
    callback_reduced *r = k->r;
    callback_array *g = &r->array;
    if (!succeeds(r, callback_array_linearize(g, r->t, k->y, r->rest)) || !reduced_find_bases(r) ||
        !succeeds(r, callback_array_value(g, r->t, k->y, r->rest)))
        return DAE_NEWTON;
    double moved = move_to_constraints(r, k->y);
    reduced_solve_rest(r, g->value, r->change);
    for (size_t j = 0; j < r->rows; j++) r->rest[j] -= r->change[j];
    double all = 1 + vector_largest(r->rows, r->rest);
    k->moved = moved / all;
    k->changed = vector_largest(r->rows, r->change) / all;
    *size = fmax(k->moved, k->changed);
    return DAE_OK;
}

static bool is_rounded_start(void *self, double size)
{
    const consistent_run *k = self;
    callback_reduced *r = k->r;
    (void)size;
    return k->moved <= reduced_round_off(r, &r->of_hidden, r->constraints) &&
           k->changed <= reduced_round_off(r, &r->of_array, r->rank);
}

/* Make y and its derivatives consistent by Gauss-Newton, until nothing changes but round-off. y
 * moves least in its units, and not at all if it is consistent. */
static bool make_consistent(callback_reduced *r, double *y)
{
    static const correction_ops OPS = {.find = correct_start, .is_round_off = is_rounded_start};
    static const correction_rules RULES = {.most = 30, .round_off = 1e2 * KNOWN};
    consistent_run k = {.r = r, .y = y};
    return corrections_run(&OPS, &k, &RULES, NULL) == DAE_OK;
}

/* Expand the polynomial at s, into ahead_y and ahead_rest. */
static void go_ahead(callback_reduced *r, const double *y, double s)
{
    size_t n = r->n, orders = r->array.orders;
    memset(r->ahead_rest, 0, r->rows * sizeof *r->ahead_rest);
    for (size_t j = 0; j < n; j++) {
        double sum = 0, power = 1;
        for (size_t k = 1; k <= orders; k++) {
            double c = r->rest[(k - 1) * n + j], binomial = 1, lower = 1;
            power *= s;
            sum += c * power;
            for (size_t i = k; i >= 1; i--) { /* the binomial (k over i) times s^(k - i) */
                r->ahead_rest[(i - 1) * n + j] += binomial * lower * c;
                binomial *= (double)i / (double)(k - i + 1);
                lower *= s;
            }
        }
        r->ahead_y[j] = y[j] + r->array.column[j] * sum;
    }
}

/* Whether ranks are the same a little later. A start is often a special point, where a sine is 0,
 * and its ranks do not hold beside it. The matrices are then those of the later point. */
static bool holds_ahead(callback_reduced *r, const double *y)
{
    go_ahead(r, y, AHEAD);
    double there = r->t + AHEAD * r->array.h;
    dae_status status = callback_array_linearize(&r->array, there, r->ahead_y, r->ahead_rest);
    return succeeds(r, status) && reduced_keeps_bases(r);
}

static bool has_index(callback_reduced *r, size_t orders, double *y, const double *yp)
{
    r->array.orders = orders;
    r->rows = orders * r->n;
    r->index = (int)orders;
    memset(r->rest, 0, r->rows * sizeof *r->rest);
    for (size_t j = 0; j < r->n; j++)
        if (r->author->dynamic[j]) r->rest[j] = yp[j] * r->array.h / r->array.column[j];
    r->uncertain = callback_array_uncertainty(&r->array, r->t, y, r->rest);
    return make_consistent(r, y) && holds_ahead(r, y) &&
           succeeds(r, callback_array_linearize(&r->array, r->t, y, r->rest)) &&
           reduced_find_bases(r) && reduced_leaves_out_little(r, r->t, y);
}

/* The same by the first limits in ZERO that give that index. y (n), made consistent, is then in
 * r->consistent. */
static bool has_index_by_some(callback_reduced *r, size_t orders, const double *y, const double *yp)
{
    for (size_t k = 0; k < sizeof ZERO / sizeof *ZERO && r->ended == DAE_OK; k++) {
        r->zero = ZERO[k];
        memcpy(r->consistent, y, r->n * sizeof *y);
        if (has_index(r, orders, r->consistent, yp)) return true;
    }
    return false;
}

/* Set r->product: the rows of Z1^T F_y' and of the constraints by y, in units of y', each divided
 * by its length. Set missed: what they miss at y', divided likewise. by_time: the time derivative
 * of the reduced equations. */
static void take_yp_rows(callback_reduced *r, const double *yp, const double *by_time,
                         double *missed)
{
    const callback_array *g = &r->array;
    size_t n = r->n, d = n - r->constraints;
    for (size_t i = 0; i < n; i++) {
        const double *matrix = i < d ? r->mass : r->jacobian;
        double length = 0;
        missed[i] = i < d ? vector_dot(n, r->z1 + i * n, r->f) : by_time[i];
        for (size_t j = 0; j < n; j++) {
            double entry = matrix[j * n + i] * g->column[j] / g->h;
            r->product[j * n + i] = entry;
            length = hypot(length, entry);
            if (i >= d) missed[i] += matrix[j * n + i] * yp[j];
        }
        for (size_t j = 0; j < n; j++) r->product[j * n + i] /= length;
        missed[i] /= length;
    }
}

/* Find y' from the reduced equations: Z1^T F(t, y, y') = 0 and the constraints' derivatives
 * along the solution. The array determines y' no better than its own derivatives. */
static bool find_yp(callback_reduced *r, const double *y, double *yp)
{
    const callback_array *g = &r->array;
    size_t n = r->n;
    double *missed = r->step, *by_time = r->step + n;
    const svd *s = &r->of_free;
    if (!succeeds(r, r->problem.form->time_derivative(r, r->t, y, yp, by_time))) return false;
    for (int k = 0; k < MOST_SLOPES; k++) {
        double most = 0, moved = 0;
        if (!succeeds(r, reduced_fill_matrices(r, r->t, y, yp)) ||
            !succeeds(r, callback_array_residual(&r->array, r->t, y, yp, r->f)))
            return false;
        take_yp_rows(r, yp, by_time, missed);
        bool regular = svd_decompose(&r->of_free, n, n, r->product) &&
                       s->size[n - 1] > SLOPE_REGULAR * s->size[0];
        if (!regular) return false;
        for (size_t j = 0; j < n; j++) {
            double unit = g->column[j] / g->h, part = 0;
            for (size_t i = 0; i < n; i++)
                part += s->right[j * n + i] * vector_dot(n, s->left + i * n, missed) / s->size[i];
            yp[j] -= unit * part;
            moved = fmax(moved, fabs(part));
            most = fmax(most, fabs(yp[j]) / unit);
        }
        if (!isfinite(moved)) return false;
        if (moved <= SLOPE_SETTLED * most) return true;
    }
    return false;
}

/* Take the derivatives found, except where the given ones agree with them up to their errors. */
static void take_yp(callback_reduced *r, const double *y, double *yp)
{
    const callback_array *g = &r->array;
    double *jacobian = r->before;
    for (size_t j = 0; j < r->n; j++) jacobian[j] = r->rest[j] * g->column[j] / g->h;
    if (!find_yp(r, y, jacobian))
        for (size_t j = 0; j < r->n; j++) jacobian[j] = r->rest[j] * g->column[j] / g->h;
    for (size_t j = 0; j < r->n; j++) {
        double unit = g->column[j] / g->h, found = jacobian[j];
        double allowed = SLOPE_KNOWN * (fabs(found) + unit);
        if (r->author->dynamic[j] && !(fabs(found - yp[j]) <= allowed)) yp[j] = found;
    }
}

/* Whether differences resolve the motion. If even the best at the start leave out more than
 * allowed, that much is allowed: the error of the equations as given would be larger. */
static bool is_resolved(callback_reduced *r, const double *y)
{
    if (!succeeds(r, callback_array_value(&r->array, r->t, y, r->rest))) return false;
    memcpy(r->trial, r->rest, r->rows * sizeof *r->trial);
    double left_out = reduced_truncation(r, r->t, y);
    r->most_left_out = fmax(r->most_left_out, WORSE_LATER * left_out);
    return left_out <= UNRESOLVED;
}

/* The index, found by ranks; 0: none with these steps of the differences. Index 1 is not
 * reduced. */
static size_t orders_of(callback_reduced *r, const double *y, const double *yp)
{
    for (size_t orders = 1; orders <= CALLBACK_ARRAY_MOST && r->ended == DAE_OK; orders++)
        if (has_index_by_some(r, orders, y, yp)) return orders;
    return 0;
}

/* Find the index with steps that suit the motion at the start; y is then in r->consistent. Such
 * steps can be so short that round-off hides the ranks: where a stiff equation's time sets the
 * unit, or where that equation turns guessed values into a motion that does not exist. Then longer
 * steps are tried. */
static size_t find_index(callback_reduced *r, const double *y, const double *yp)
{
    callback_array *g = &r->array;
    size_t orders = 0;
    double unit = r->author->time_unit;
    const double *motion = yp;
    memset(r->before, 0, r->n * sizeof *r->before);
    for (int k = 0; k < ATTEMPTS && orders == 0 && r->ended == DAE_OK; k++) {
        if (!succeeds(r, callback_array_calibrate(g, r->t, y, motion, unit, r->rest))) return 0;
        orders = orders_of(r, y, motion);
        if (callback_array_is_longest(g, unit))
            unit *= NEXT_UNIT;
        else if (motion == yp)
            motion = r->before; /* no motion */
        else
            break;
    }
    return orders;
}

/* For starts where round-off in the differences moves y: whether the index is the same with the
 * longer steps that suit the motion found. The first steps may have been chosen for a guessed
 * motion, and the perturbation that they cause in y would stay. */
static bool has_index_with_less_noise(callback_reduced *r, size_t orders)
{
    callback_array *g = &r->array;
    double *y = r->consistent, *yp = r->before, before = g->h;
    for (size_t j = 0; j < r->n; j++) yp[j] = r->rest[j] * g->column[j] / g->h;
    return succeeds(r, callback_array_retune(g, r->t, y, yp, true, r->rest)) &&
           (g->h == before || has_index(r, orders, y, yp));
}

bool reduced_analyse(callback_reduced *r, double t, const unsigned char *held, double *y,
                     double *yp)
{
    r->t = t;
    r->held = held;
    size_t orders = find_index(r, y, yp);
    if (orders < 2) return false;
    if (reduced_noise_counts(r, r->consistent) && !has_index_with_less_noise(r, orders) &&
        (r->ended != DAE_OK || find_index(r, y, yp) < 2))
        return false;
    if (!is_resolved(r, r->consistent)) return false;
    r->noise = reduced_noise(r);
    r->based = r->array.coarse = true;
    reduced_keep(r, STATE_SAVE);
    memcpy(y, r->consistent, r->n * sizeof *y);
    take_yp(r, y, yp);
    return r->ended == DAE_OK;
}
