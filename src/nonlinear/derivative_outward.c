#include "nonlinear/differences.h"

#include "base/round_off.h"

#include <float.h>
#include <math.h>

/* Distances grow by 4. Extrapolations have order 8 at most. A row is finished once its errors
 * exceed RISEN times the least error at two consecutive distances: a single error may be far below
 * the others by chance. */
enum { DEEPEST = 3, RISES = 2 };
static const double GROWTH = 4, RISEN = 16;

/* No derivative is known better than to this part of it: where g is 0, two quotients may agree in
 * all digits. */

/* A derivative counts as known if its error is below this part of it, or below this many times the
 * round-off. */
static const double SETTLED = 1e-5, NEAR_ROUND_OFF = 1e4;

/* A derivative contradicts another one if its error is below this part of their difference. */
static const double AGREED = 0.1;

struct derivative_outward_room {
    double *tableau[DEEPEST + 1]; /* rows: extrapolations that end with the previous distance */
    double *after, *before;       /* rows: g at s and -s */
    int side;       /* 1 or -1: differences are taken between g(0) and that side; 0: central */
    int *rises;     /* rows: for how many consecutive distances errors have been large */
    size_t *joined; /* rows: quotients so far */
    bool *moved;    /* rows: whether a quotient was not 0 */
};

derivative_outward *derivative_outward_create(arena *a, size_t rows)
{
    derivative_outward *s = arena_take(a, sizeof *s);
    struct derivative_outward_room *room = arena_take(a, sizeof *room);
    arena_vectors(a, rows,
                  (double **const[]){&s->derivative, &s->error, &s->noise, &s->distance,
                                     &room->after, &room->before, NULL});
    s->risen = arena_array(a, rows, sizeof(bool));
    for (size_t d = 0; d <= DEEPEST; d++) room->tableau[d] = arena_array(a, rows, sizeof(double));
    room->rises = arena_array(a, rows, sizeof(int));
    room->joined = arena_array(a, rows, sizeof(size_t));
    room->moved = arena_array(a, rows, sizeof(bool));
    s->room = room;
    return s;
}

static void begin(derivative_outward *s, size_t row)
{
    s->error[row] = HUGE_VAL;
    s->room->rises[row] = 0;
    s->room->joined[row] = 0;
    s->room->moved[row] = false;
    s->risen[row] = false;
}

/* Neville's scheme for one row, in the squares of the distances, or to one side in the distances: a
 * new quotient joins those at shorter distances. True if one of the new values is the best so far;
 * *least: the least of their errors. */
static bool extrapolate(derivative_outward *s, size_t row, double quotient, double noise,
                        double late, double *least)
{
    size_t earlier = s->room->joined[row]++;
    double power = 1;
    bool better = false;
    *least = HUGE_VAL;
    for (size_t d = 0; d < earlier && d < DEEPEST; d++) {
        double nearer = s->room->tableau[d][row];
        power *= s->room->side ? GROWTH : GROWTH * GROWTH;
        noise *= GROWTH; /* the noise at the shortest distance that contributes */
        late *= GROWTH;
        double value = nearer + (nearer - quotient) / (power - 1);
        double error = fmax(fabs(value - quotient), fabs(value - nearer)) + noise + late +
                       ROUND_OFF_LONG_SUM * fabs(value);
        s->room->tableau[d][row] = quotient;
        quotient = value;
        *least = fmin(*least, error);
        if (!(error < s->error[row])) continue;
        s->error[row] = error;
        s->derivative[row] = value;
        s->noise[row] = noise;
        better = true;
    }
    s->room->tableau[earlier < DEEPEST ? earlier : DEEPEST][row] = quotient;
    return better;
}

/* Add the values at one distance. True while a row is unfinished. Distances too short to change a
 * value are discarded once a longer one does. */
static bool join(derivative_outward *s, const derivative_range *range, double distance)
{
    struct derivative_outward_room *room = s->room;
    bool open = false;
    for (size_t i = 0; i < range->rows; i++) {
        if (room->rises[i] >= RISES) continue;
        double size = fmax(fabs(room->after[i]), fabs(room->before[i])), least;
        double quotient = (room->after[i] - room->before[i]) / distance;
        if (!room->side) quotient /= 2;
        double noise = (range->noise[i] + DBL_EPSILON * size) / distance;
        double late = range->argument * fabs(quotient) / distance;
        if (quotient != 0 && !room->moved[i]) begin(s, i);
        room->moved[i] = quotient != 0 || room->moved[i];
        bool better = extrapolate(s, i, quotient, noise, late, &least);
        bool risen = least < HUGE_VAL && least > RISEN * s->error[i];
        if (better || (least < HUGE_VAL && !risen)) s->distance[i] = distance;
        room->rises[i] = risen ? room->rises[i] + 1 : 0;
        s->risen[i] = room->rises[i] >= RISES;
        open = open || room->rises[i] < RISES;
    }
    return open;
}

static dae_status look(const derivative_outward *s, curve g, void *self, size_t rows,
                       double distance)
{
    const struct derivative_outward_room *room = s->room;
    dae_status status = g(self, room->side < 0 ? 0 : distance, room->after);
    if (status == DAE_OK) status = g(self, room->side > 0 ? 0 : -distance, room->before);
    for (size_t i = 0; status == DAE_OK && i < rows; i++)
        if (!isfinite(room->after[i] - room->before[i])) status = DAE_NOT_EVALUABLE;
    return status;
}

static dae_status find(derivative_outward *s, curve g, void *self, const derivative_range *range)
{
    bool begun = false;
    for (size_t i = 0; i < range->rows; i++) begin(s, i);
    for (double distance = range->least; distance <= range->most; distance *= GROWTH) {
        dae_status status = look(s, g, self, range->rows, distance);
        if (status == DAE_NOT_EVALUABLE) break;
        if (status != DAE_OK) return status;
        begun = true;
        if (!join(s, range, distance)) break;
    }
    return begun ? DAE_OK : DAE_NOT_EVALUABLE;
}

dae_status derivative_outward_find(derivative_outward *s, curve g, void *self,
                                   const derivative_range *range)
{
    static const int sides[] = {0, 1, -1};
    dae_status status = DAE_NOT_EVALUABLE;
    for (int k = 0; status == DAE_NOT_EVALUABLE && k < 3; k++) {
        s->room->side = sides[k];
        status = find(s, g, self, range);
    }
    return status;
}

bool derivative_outward_settled(const derivative_outward *s, size_t row)
{
    double error = s->error[row];
    return error <= SETTLED * fabs(s->derivative[row]) || error <= NEAR_ROUND_OFF * s->noise[row];
}

size_t derivative_outward_denies(const derivative_outward *s, size_t rows, const double *given,
                                 const double *size, double allowed)
{
    double worst = allowed;
    size_t found = rows;
    for (size_t i = 0; i < rows; i++) {
        double error = fabs(given[i] - s->derivative[i]);
        bool known = derivative_outward_settled(s, i) && s->error[i] < AGREED * error;
        if (!known || !(error > worst * size[i])) continue;
        worst = error / size[i];
        found = i;
    }
    return found;
}
