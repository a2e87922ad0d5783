#include "projection/projection.h"

#include "base/scatter.h"
#include "base/workspace.h"
#include "projection/damped.h"
#include "projection/directions.h"
#include "projection/slow_motion.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Far from the level an exponential is approached by one unit of its argument an iteration. */
enum { MOST_ITERATIONS = 60 };

/* Corrections this small, relative to the size of z, are round-off; and the rate of convergence
 * above which the Jacobian is renewed, or where the level is met for the other levels. */
static const double ROUND_OFF = 4 * DBL_EPSILON, SLOW = 0.2, CHANGED = 0.02;

/* Newton's iteration diverges where a correction is larger than all it corrects and so many times
 * the last one: what it comes to far off may look as if it had converged. */
static const double DIVERGES = 10;

/* Below this, corrections that no longer shrink are round-off, amplified by the matrix. */
static const double STAGNATION = 1e-7;

/* Nothing larger counts as round-off, however little the equations determine there: of what is
 * integrated, and of a square last level's derivatives and algebraic variables, which at late times
 * and beside stiff directions are known to few digits. */
static const double LARGEST_ROUND_OFF = 1e-5, LARGEST_OF_LAST = 1e-2;

/* A correction is round-off up to so many times what rounding was seen to make. */
static const double MARGIN = 10;

/* A state within a step that has been moved by so many times what its polynomial may be off is
 * sought anew. Some such polynomials are off by 30 times the tolerance in algebraic variables; of
 * what is integrated none is off by more than stay_near() has as OFF, which adds up over steps. */
static const double MUCH_MOVED = 50;

struct projection {
    const constraint_levels *levels;
    directions steps, apart;            /* at the ends of steps; where states are only looked at */
    directions together;                /* all levels at once, where the levels have that */
    directions *now;                    /* one of them */
    slow_motion slow_steps, slow_apart; /* the same, where the levels have `whole` */
    bool at_end;                        /* see projection_meet_end() */
    bool follows_step;                  /* projection_after_step() has been called */
    int corrections;                    /* of post-stabilisation; 0: levels are met */
    size_t passed;                      /* levels that it corrects: all but a square last one */
    bool algebraic_follow;              /* within steps: see projection_after_step() */
    double accuracy;                    /* projection_expect(); 0: not known */
    workspace space;                    /* holds what follows */
    double *saved, *kept, *rounded;     /* levels->size */
    double *unit, *leeway;              /* levels->size: see take_units() */
    double *exact, *above;              /* rows of the largest level */
    damped far;                         /* from far off */
    size_t failure_level, failure_row;
};

static size_t most_rows(const constraint_levels *levels)
{
    size_t most = levels->together ? levels->together->level[0].rows : 0;
    for (size_t k = 0; k < levels->count; k++)
        if (levels->level[k].rows > most) most = levels->level[k].rows;
    return most;
}

static void carve(projection *p)
{
    size_t size = p->levels->size, rows = most_rows(p->levels);
    double **whole[] = {&p->saved,  &p->kept,     &p->rounded,  &p->unit,
                        &p->leeway, &p->far.base, &p->far.step, &p->far.from};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        *whole[i] = workspace_doubles(&p->space, size);
    p->exact = workspace_doubles(&p->space, rows);
    p->above = workspace_doubles(&p->space, rows);
}

static dae_status make_room(projection *p)
{
    carve(p);
    dae_status status = workspace_allocate(&p->space);
    if (status == DAE_OK) carve(p);
    return status;
}

dae_status projection_create(projection **created, const constraint_levels *levels,
                             projection_way way)
{
    projection *p = calloc(1, sizeof *p);
    if (!p) return DAE_NO_MEMORY;
    bool nested = constraint_levels_nested(levels);
    p->levels = levels;
    p->corrections = way == PROJECTION_POST ? 1 : way == PROJECTION_POST2 ? 2 : 0;
    p->passed = levels->count - nested;
    bool along_fz = way != PROJECTION_COORDINATE && (nested || constraint_levels_paired(levels));
    dae_status status = make_room(p);
    if (status == DAE_OK) status = directions_begin(&p->steps, levels, along_fz);
    if (status == DAE_OK) status = directions_begin(&p->apart, levels, along_fz);
    if (status == DAE_OK && levels->together)
        status = directions_begin(&p->together, levels->together, false);
    p->together.unit = p->unit;
    if (status == DAE_OK && levels->whole) status = slow_motion_begin(&p->slow_steps, levels);
    if (status == DAE_OK && levels->whole) status = slow_motion_begin(&p->slow_apart, levels);
    if (status != DAE_OK) {
        projection_free(p);
        return status;
    }
    *created = p;
    return DAE_OK;
}

void projection_expect(projection *p, double accuracy)
{
    p->accuracy = accuracy;
}

void projection_after_step(projection *p, double h, bool follows)
{
    p->algebraic_follow = follows;
    p->steps.step = p->apart.step = h;
    p->follows_step = true;
}

static dae_status evaluate(projection *p, size_t k, double t, const double *z)
{
    const constraint_levels *l = p->now->levels;
    p->failure_level = k;
    return l->form->value(l->self, k, t, z, p->now->work[k].residual);
}

static dae_status renew(projection *p, size_t k, double t, const double *z)
{
    p->failure_level = p->levels->count;
    dae_status status = directions_linearize(p->now, t, z);
    if (status != DAE_OK) return status;
    p->failure_level = k;
    return directions_factor(p->now, k, z);
}

/* The level's residual so far to one side of z. */
static dae_status look_beside(projection *p, size_t k, double t, const double *z, double distance,
                              size_t probe)
{
    size_t next = probe * (p->levels->size + 1);
    for (size_t j = 0; j < p->levels->size; j++)
        p->rounded[j] = z[j] +
                        distance * scattered(next + j) * fmax(fabs(z[j]), p->levels->nominal[j]);
    return evaluate(p, k, t, p->rounded);
}

/* The longest correction that rounding within the equations of level k makes, as where terms of
 * 1e6 cancel: what second differences over short distances show. Where the equations bend over
 * these, as a logarithm near 0, differences grow with the square of the distance, and show no
 * rounding. */
static double rounding_within(projection *p, size_t k, double t, const double *z)
{
    static const double DISTANCE[] = {0x1p-27, 0x1p-25, 0x1p-23, 0x1p-21}, BENDS = 64;
    enum { PROBES = sizeof DISTANCE / sizeof *DISTANCE };
    size_t rows = p->now->levels->level[k].rows;
    double *residual = p->now->work[k].residual, most = 0, first = 0;
    for (size_t probe = 0; probe < PROBES; probe++) {
        if (look_beside(p, k, t, z, DISTANCE[probe], probe) != DAE_OK) return 0;
        memcpy(p->above, residual, rows * sizeof *residual);
        if (look_beside(p, k, t, z, -DISTANCE[probe], probe) != DAE_OK) return 0;
        for (size_t i = 0; i < rows; i++)
            residual[i] = (residual[i] + p->above[i] - 2 * p->exact[i]) / 2;
        most = fmax(most, directions_correct(p->now, k));
        if (probe == 0) first = most;
    }
    return most > BENDS * first ? 0 : most;
}

/* Whether a correction of level k is no longer than what rounding all values and the time makes of
 * it: among stiff equations, or units far apart, that is far above the round-off of what is
 * corrected. The level's residual and change are overwritten. */
static bool is_round_off(projection *p, size_t k, double t, const double *z, double size)
{
    enum { PROBES = 3 };
    const constraint_level *level = &p->now->levels->level[k];
    double *residual = p->now->work[k].residual, most = 0;
    memcpy(p->rounded, z, p->levels->size * sizeof *z);
    if (evaluate(p, k, t, z) != DAE_OK) return false;
    memcpy(p->exact, residual, level->rows * sizeof *residual);
    for (size_t probe = 0; probe < PROBES; probe++) {
        size_t next = probe * (p->levels->size + 1);
        for (size_t j = 0; j < p->levels->size; j++)
            p->rounded[j] = z[j] * (1 + ROUND_OFF * scattered(next + j));
        double moved = t * (1 + ROUND_OFF * scattered(next + p->levels->size));
        if (evaluate(p, k, moved, p->rounded) != DAE_OK) return false;
        for (size_t i = 0; i < level->rows; i++) residual[i] -= p->exact[i];
        most = fmax(most, directions_correct(p->now, k));
    }
    bool last = p->now->work[k].square != NULL;
    if (last) most = fmax(most, rounding_within(p, k, t, z));
    return size <= fmin(MARGIN * most, last ? LARGEST_OF_LAST : LARGEST_ROUND_OFF);
}

/* The level is met. Where that took corrections that shrank by little, its Jacobian has changed on
 * the way, and that of the others with it. */
static dae_status leave_level(projection *p, size_t k, double t, const double *z, double slowest)
{
    if (slowest <= CHANGED || k + 1 >= p->now->levels->count) return DAE_OK;
    dae_status status = renew(p, k, t, z);
    return status == DAE_STOPPED ? status : DAE_OK;
}

static dae_status meet_level(projection *p, size_t k, double t, double *z)
{
    directions *d = p->now;
    double last = HUGE_VAL, slowest = 0;
    p->failure_level = k;
    dae_status status = directions_factor(d, k, z);
    for (int i = 0; status == DAE_OK && i < MOST_ITERATIONS; i++) {
        status = evaluate(p, k, t, z);
        if (status != DAE_OK) return status;
        double size = directions_correct(d, k);
        if (!isfinite(size)) return DAE_SINGULAR;
        if (size > fmax(1, DIVERGES * last)) return DAE_CONSTRAINT;
        directions_apply(d, k, z);
        if (size <= ROUND_OFF || (size < STAGNATION && size >= 0.5 * last))
            return leave_level(p, k, t, z, slowest);
        if (size >= 0.5 * last && is_round_off(p, k, t, z, size)) return DAE_OK;
        if (i > 0) slowest = fmax(slowest, size / last);
        if (size > SLOW * last || (i == 0 && size > 1e-3)) status = renew(p, k, t, z);
        last = size;
    }
    return status == DAE_OK ? DAE_CONSTRAINT : status;
}

/* The same from where Newton's iteration does not arrive, with damping. A state that is only looked
 * at is to have its values wherever it lies, for no shorter step can be asked for there; the end of
 * a step is to be near. */
static dae_status meet_from_afar(projection *p, size_t k, double t, double *z)
{
    enum { MOST_AT_END = 20, MOST_APART = 1000 };
    directions *d = p->now;
    if (d == &p->together) return meet_level(p, k, t, z);
    size_t bytes = p->levels->size * sizeof *z;
    memcpy(p->far.from, z, bytes);
    dae_status status = meet_level(p, k, t, z);
    if (status == DAE_OK || status == DAE_STOPPED) return status;
    memcpy(z, p->far.from, bytes);
    int most = d == &p->apart ? MOST_APART : MOST_AT_END;
    if (damped_meet(&p->far, d, k, t, z, most) == DAE_OK && meet_level(p, k, t, z) == DAE_OK)
        return DAE_OK;
    memcpy(z, p->far.from, bytes);
    return meet_level(p, k, t, z); /* what is told is told of this */
}

/* One correction of all levels below a square last one, each by its residual at the same z. */
static dae_status correct_all(projection *p, double t, double *z)
{
    directions *d = p->now;
    for (size_t k = 0; k < p->passed; k++) {
        dae_status status = evaluate(p, k, t, z);
        if (status == DAE_OK) status = directions_factor(d, k, z);
        if (status != DAE_OK) return status;
        if (!isfinite(directions_correct(d, k))) return DAE_SINGULAR;
    }
    for (size_t k = 0; k < p->passed; k++) directions_apply(d, k, z);
    return DAE_OK;
}

/* As is_round_off(), of a correction along slow motions. At an end whose derivatives have just been
 * solved for these stay, unless the time is rounded too much for that. */
static bool is_rounded_motion(const projection *p, slow_motion *slow, double t, const double *z,
                              double size)
{
    if (p->at_end) return size < fmin(slow_motion_round_off_of_time(slow, t, z), LARGEST_ROUND_OFF);
    return size <= fmin(MARGIN * slow_motion_round_off(slow, t, z), LARGEST_OF_LAST);
}

/* By corrections for motions that decay within a tenth of that step, each followed by the other
 * levels. DAE_CONSTRAINT where these do not converge together. */
static dae_status meet_together(projection *p, slow_motion *slow, double t, double *z, double step)
{
    static const double MOST = 1, NEARLY = 1e-12; /* all levels are to be met nearly so well */
    enum { MOST_CORRECTIONS = 20 };
    size_t last_level = p->levels->count - 1;
    double last = MOST, size;
    dae_status status = slow_motion_factor(slow, t, z, step);
    for (int i = 0; status == DAE_OK && i < MOST_CORRECTIONS; i++) {
        status = slow_motion_correct(slow, t, z, &size);
        if (status == DAE_OK && size <= ROUND_OFF) return DAE_OK;
        bool stagnates = size >= 0.5 * last;
        for (size_t k = 0; status == DAE_OK && k < last_level; k++) status = meet_level(p, k, t, z);
        bool met = stagnates && status == DAE_OK;
        if (met && (size < NEARLY || is_rounded_motion(p, slow, t, z, size))) return DAE_OK;
        if (stagnates) break;
        last = size;
    }
    return status == DAE_OK ? DAE_CONSTRAINT : status;
}

static double size_of(const projection *p, const double *z, size_t entry)
{
    return fmax(fabs(z[entry]), p->levels->nominal[entry]);
}

/* Slopes that are not integrated are as large as their variables over the step. A polynomial of
 * degree s that is off by e has slopes that are off by up to e s^2 / h: those alone are no reason
 * to leave a state; nor are algebraic variables of which it knows nothing. */
static void take_units(projection *p, const double *z)
{
    static const double SLOPES = 100, FREE = 1e6;
    const constraint_level *whole = p->levels->whole;
    for (size_t j = 0; j < p->levels->size; j++) p->unit[j] = p->leeway[j] = 1;
    for (size_t k = 0; k < whole->pairs; k++) {
        const level_pair *pair = &whole->pair[k];
        if (pair->slope == PAIR_NOWHERE && p->algebraic_follow)
            p->unit[pair->value] = p->leeway[pair->value] = FREE;
        if (pair->slope == PAIR_NOWHERE || pair->chained) continue;
        double slope = size_of(p, z, pair->value) / fabs(p->now->step);
        p->unit[pair->slope] = slope / size_of(p, z, pair->slope);
        p->leeway[pair->slope] = SLOPES * p->unit[pair->slope];
    }
}

static double moved(const projection *p, const double *from, const double *to)
{
    double most = 0;
    for (size_t j = 0; j < p->levels->size; j++)
        most = fmax(most, fabs(to[j] - from[j]) / (p->leeway[j] * size_of(p, to, j)));
    return most;
}

/* The same of what is integrated alone. */
static double integrated_moved(const projection *p, const double *from, const double *to)
{
    double most = 0;
    const constraint_level *whole = p->levels->whole;
    for (size_t k = 0; k < whole->pairs; k++) {
        size_t j = whole->pair[k].value;
        if (whole->pair[k].slope == PAIR_NOWHERE) continue;
        most = fmax(most, fabs(to[j] - from[j]) / size_of(p, to, j));
    }
    return most;
}

static dae_status meet_at_once(projection *p, double t, double *z)
{
    directions *before = p->now;
    p->now = &p->together;
    directions_forget(p->now);
    dae_status status = directions_linearize(p->now, t, z);
    if (status == DAE_OK) status = meet_level(p, 0, t, z);
    p->now = before;
    return status;
}

/* A state of a step, within it or at its end, is near its polynomial. The way level by level may
 * lead far away: where a level moves the derivative of a stiff variable, as the variable itself
 * belongs to a level before, an error is multiplied by the stiffness, and goes from there into all
 * others. The solution is no further from the polynomial than this is accurate, so that the nearest
 * state that meets all levels at once is off by no more than twice as much. Where what is
 * integrated has to move further for that, the polynomial of algebraic variables is at fault, as
 * beside the instant at which a diode blocks: then they follow from what is integrated, unless that
 * moves it much further. */
static dae_status stay_near(projection *p, double t, double *z)
{
    static const double MUCH_NEARER = 0.5, OFF = 2, LESS = 0.1;
    size_t bytes = p->levels->size * sizeof *z;
    if (!p->levels->together || p->accuracy == 0) return DAE_OK;
    take_units(p, p->saved);
    double far = moved(p, p->saved, z), integrated = integrated_moved(p, p->saved, z);
    if (far <= MUCH_MOVED * p->accuracy && integrated <= OFF * p->accuracy) return DAE_OK;
    double most = fmax(OFF * p->accuracy, LESS * integrated);
    memcpy(p->kept, z, bytes);
    memcpy(z, p->saved, bytes);
    dae_status status = meet_at_once(p, t, z);
    if (status == DAE_STOPPED) return status;
    bool nearer = status == DAE_OK && moved(p, p->saved, z) < MUCH_NEARER * far &&
                  integrated_moved(p, p->saved, z) <= most;
    if (!nearer) memcpy(z, p->kept, bytes);
    return DAE_OK;
}

/* The last level of a state that comes from a step, whose other levels are met: see slow_motion.h.
 * A correction leaves of them terms of its own size times the time in which motions count as
 * algebraic, over that in which the constraints turn: where both do not converge together, that
 * time is shorter. Where nothing converges z is as it was, and the level is solved as after a
 * start. */
static dae_status meet_slow_motion(projection *p, double t, double *z)
{
    static const double SHORTER[] = {1, 10, 100, 1000};
    slow_motion *slow = p->now == &p->apart ? &p->slow_apart : &p->slow_steps;
    memcpy(slow->before, z, p->levels->size * sizeof *z);
    for (size_t i = 0; i < sizeof SHORTER / sizeof *SHORTER; i++) {
        dae_status status = meet_together(p, slow, t, z, p->now->step / SHORTER[i]);
        if (status == DAE_OK || status == DAE_STOPPED) return status;
        memcpy(z, slow->before, p->levels->size * sizeof *z);
        status = directions_linearize(p->now, t, z); /* the last one may be of far away */
        if (status != DAE_OK) return status;
    }
    return meet_from_afar(p, p->levels->count - 1, t, z);
}

static bool follows_slow_motion(const projection *p)
{
    return p->levels->whole && p->follows_step && p->corrections == 0;
}

static dae_status bring_back(projection *p, double t, double *z, int corrections, size_t from)
{
    const constraint_levels *l = p->levels;
    dae_status status = l->form->solve_hidden ? l->form->solve_hidden(l->self, t, z) : DAE_OK;
    if (status == DAE_OK) status = directions_linearize(p->now, t, z);
    for (int i = 0; status == DAE_OK && i < corrections; i++) status = correct_all(p, t, z);
    bool slow = follows_slow_motion(p);
    if (status == DAE_OK && slow && p->at_end) status = meet_level(p, l->count - 1, t, z);
    for (size_t k = from; status == DAE_OK && k + slow < l->count; k++)
        status = meet_from_afar(p, k, t, z);
    if (status == DAE_OK && slow) status = meet_slow_motion(p, t, z);
    return status == DAE_OK && slow ? stay_near(p, t, z) : status;
}

/* The row of the level that failed: one that nothing enters, else the one that is missed most. */
static void find_failure(projection *p)
{
    const level_work *w = &p->now->work[p->failure_level];
    size_t singular = w->square ? linear_solver_singular_row(w->square) : LINEAR_SOLVER_NOWHERE;
    p->failure_row = 0;
    for (size_t i = 1; i < p->levels->level[p->failure_level].rows; i++)
        if (!(fabs(w->residual[i]) <= fabs(w->residual[p->failure_row]))) p->failure_row = i;
    if (singular != LINEAR_SOLVER_NOWHERE) p->failure_row = singular;
}

static dae_status attempt(projection *p, double t, double *z, int corrections, size_t from)
{
    memcpy(p->saved, z, p->levels->size * sizeof *z);
    p->failure_level = p->levels->count; /* until the Jacobian itself has had a value */
    dae_status status = bring_back(p, t, z, corrections, from);
    if (status == DAE_OK) return DAE_OK;
    memcpy(z, p->saved, p->levels->size * sizeof *z);
    if (p->failure_level < p->levels->count) find_failure(p);
    return status;
}

dae_status projection_meet(projection *p, double t, double *z)
{
    p->now = &p->steps;
    return attempt(p, t, z, p->corrections, p->corrections ? p->passed : 0);
}

/* Earlier factors would show in the last digits, and looking at a state must change nothing. */
static void turn_aside(projection *p)
{
    p->now = &p->apart;
    directions_forget(p->now);
    if (p->levels->whole) slow_motion_forget(&p->slow_apart);
}

dae_status projection_meet_apart(projection *p, double t, double *z)
{
    turn_aside(p);
    return attempt(p, t, z, p->corrections, p->corrections ? p->passed : 0);
}

dae_status projection_meet_end(projection *p, double t, double *z)
{
    p->at_end = true;
    dae_status status = projection_meet(p, t, z);
    p->at_end = false;
    return status;
}

dae_status projection_complete(projection *p, double t, double *z)
{
    turn_aside(p);
    return attempt(p, t, z, 0, p->corrections ? p->passed : 0);
}

double projection_weakest(projection *p, bool by_nominal)
{
    return directions_weakest(&p->steps, by_nominal);
}

void projection_failure(const projection *p, size_t *level, size_t *row)
{
    *level = p->failure_level;
    *row = p->failure_row;
}

const double *projection_failure_point(const projection *p)
{
    return p->saved;
}

void projection_free(projection *p)
{
    if (!p) return;
    directions_clear(&p->together);
    directions_clear(&p->steps);
    directions_clear(&p->apart);
    slow_motion_clear(&p->slow_steps);
    slow_motion_clear(&p->slow_apart);
    workspace_free(&p->space);
    free(p);
}
