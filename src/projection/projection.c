#include "projection/projection.h"

#include "base/round_off.h"
#include "nonlinear/corrections.h"
#include "projection/meet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A state within a step that has moved by more than this many times the error of its polynomial is
 * sought anew. Some polynomials have errors of 30 times the tolerance in algebraic variables. In
 * what is integrated, none has an error larger than OFF in stay_near(), because such errors add up
 * over steps. */
static const double MUCH_MOVED = 50;

struct projection {
    const constraint_levels *levels;
    directions steps;      /* for the ends of steps */
    directions apart;      /* for states that are only looked at, once there is one */
    directions together;   /* all levels at once, if the levels offer that, once it is needed */
    bool at_end;           /* see projection_meet_end() */
    bool follows_step;     /* projection_after_step() has been called */
    int corrections;       /* how many post-stabilisation makes; 0: levels are met */
    size_t passed;         /* levels that post-stabilisation corrects: all but a square last one */
    bool algebraic_follow; /* within steps: see projection_after_step() */
    double accuracy;       /* projection_expect(); 0: not known */
    arena memory;          /* holds what follows */
    double *saved, *kept;  /* levels->size */
    double *unit, *leeway; /* levels->size: see take_units() */
    meeting meet;          /* uses one of the directions */
    size_t failure_row;
};

static size_t most_rows(const constraint_levels *levels)
{
    size_t most = levels->together ? levels->together->level[0].rows : 0;
    for (size_t k = 0; k < levels->count; k++)
        if (levels->level[k].rows > most) most = levels->level[k].rows;
    return most;
}

static void make_room(void *self)
{
    projection *p = self;
    arena_vectors(&p->memory, p->levels->size,
                  (double **const[]){&p->saved, &p->kept, &p->unit, &p->leeway, NULL});
    meeting_make(&p->meet, &p->memory, p->levels->size, most_rows(p->levels));
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
    dae_status status = arena_protect(&p->memory, make_room, p);
    if (status == DAE_OK) status = directions_begin(&p->steps, levels, along_fz, NULL);
    if (status == DAE_OK)
        *created = p;
    else
        projection_free(p);
    return status;
}

void projection_expect(projection *p, double accuracy)
{
    p->accuracy = accuracy;
}

void projection_after_step(projection *p, double h, bool follows)
{
    p->algebraic_follow = follows;
    p->steps.step = h;
    p->follows_step = true;
}

/* A state that is only looked at needs its values wherever it lies, because no shorter step can be
 * asked for there. The end of a step should be near. */
static dae_status meet_from_afar(projection *p, size_t k, double t, double *z)
{
    enum { MOST_AT_END = 20, MOST_APART = 1000 };
    return meeting_from_afar(&p->meet, k, t, z, p->meet.d == &p->apart ? MOST_APART : MOST_AT_END);
}

/* One correction of all levels below a square last one, each by its residual at the same z. */
static dae_status correct_all(projection *p, double t, double *z)
{
    directions *d = p->meet.d;
    for (size_t k = 0; k < p->passed; k++) {
        dae_status status = meeting_look(&p->meet, k, t, z);
        if (status == DAE_OK) status = directions_factor(d, k, z);
        if (status != DAE_OK) return status;
        if (!isfinite(directions_correct(d, k))) return DAE_SINGULAR;
    }
    for (size_t k = 0; k < p->passed; k++) directions_apply(d, k, z);
    return DAE_OK;
}

typedef struct slow_run {
    projection *p;
    slow_motion *slow;
    double t, *z;
} slow_run;

static dae_status find_slow(void *self, double *size)
{
    const slow_run *r = self;
    return slow_motion_find(r->slow, r->t, r->z, size);
}

/* Move, then meet the other levels again unless the correction is round-off. */
static dae_status move_slow(void *self, double part, double size)
{
    const slow_run *r = self;
    dae_status status = DAE_OK;
    for (size_t j = 0; j < r->p->levels->size; j++) r->z[j] += part * r->slow->change[j];
    for (size_t k = 0; status == DAE_OK && size > ROUND_OFF_VALUE && k + 1 < r->p->levels->count;
         k++)
        status = meeting_level(&r->p->meet, k, r->t, r->z);
    return status;
}

/* As in meet.c, for a correction along slow motions. If derivatives have just been solved for at an
 * end, they stay, unless the time is rounded too much for that. */
static bool is_rounded_motion(void *self, double size)
{
    const slow_run *r = self;
    if (r->p->at_end)
        return size <
               fmin(slow_motion_round_off_of_time(r->slow, r->t, r->z), MEETING_LARGEST_ROUND_OFF);
    return size <= fmin(MEETING_MARGIN * slow_motion_round_off(r->slow, r->t, r->z),
                        MEETING_LARGEST_OF_LAST);
}

/* Correct motions that decay within a tenth of that step; meet the other levels after each
 * correction. DAE_CONSTRAINT if both do not converge together. */
static dae_status meet_together(projection *p, slow_motion *slow, double t, double *z, double step)
{
    static const correction_ops OPS = {
        .find = find_slow, .move = move_slow, .is_round_off = is_rounded_motion};
    static const correction_rules RULES = {
        .most = 20,
        .round_off = ROUND_OFF_VALUE,
        .nearly = ROUND_OFF_ITERATED, /* as accurate as the other levels */
        .falls = 0.5,
        .first = 1,
        .must_fall = true};
    slow_run r = {p, slow, t, z};
    dae_status status = slow_motion_factor(slow, t, z, step);
    if (status == DAE_OK) status = corrections_run(&OPS, &r, &RULES, NULL);
    return status == DAE_NEWTON ? DAE_CONSTRAINT : status;
}

static double size_of(const projection *p, const double *z, size_t entry)
{
    return fmax(fabs(z[entry]), p->levels->nominal[entry]);
}

/* Set the units in which moves are judged. Derivatives that are not integrated count in units of
 * their variable over the step. A polynomial of degree s with an error e has derivatives with
 * errors of up to e s^2 / h, so a larger move of derivatives alone is no reason to leave a state.
 * Nor is a move of algebraic variables of which the polynomial says nothing. */
static void take_units(projection *p, const double *z)
{
    static const double SLOPES = 100, FREE = 1e6;
    const constraint_level *whole = p->levels->whole;
    for (size_t j = 0; j < p->levels->size; j++) p->unit[j] = p->leeway[j] = 1;
    for (size_t k = 0; k < whole->pairs; k++) {
        const level_pair *pair = &whole->pair[k];
        if (pair->derivative == PAIR_NOWHERE && p->algebraic_follow)
            p->unit[pair->value] = p->leeway[pair->value] = FREE;
        if (pair->derivative == PAIR_NOWHERE || pair->chained) continue;
        double derivative = size_of(p, z, pair->value) / fabs(p->meet.d->step);
        p->unit[pair->derivative] = derivative / size_of(p, z, pair->derivative);
        p->leeway[pair->derivative] = SLOPES * p->unit[pair->derivative];
    }
}

static double moved(const projection *p, const double *from, const double *to)
{
    double most = 0;
    for (size_t j = 0; j < p->levels->size; j++)
        most = fmax(most, fabs(to[j] - from[j]) / (p->leeway[j] * size_of(p, to, j)));
    return most;
}

/* The same for the integrated variables only. */
static double integrated_moved(const projection *p, const double *from, const double *to)
{
    double most = 0;
    const constraint_level *whole = p->levels->whole;
    for (size_t k = 0; k < whole->pairs; k++) {
        size_t j = whole->pair[k].value;
        if (whole->pair[k].derivative == PAIR_NOWHERE) continue;
        most = fmax(most, fabs(to[j] - from[j]) / size_of(p, to, j));
    }
    return most;
}

/* What few runs need is made when it is needed: for a large model it takes as much memory as the
 * matrices of its steps. */
static dae_status begin_once(directions *d, const constraint_levels *levels, bool along_fz,
                             const directions *first)
{
    if (d->levels) return DAE_OK;
    dae_status status = directions_begin(d, levels, along_fz, first);
    if (status != DAE_OK) directions_clear(d);
    return status;
}

static dae_status meet_at_once(projection *p, double t, double *z)
{
    directions *before = p->meet.d;
    dae_status status = begin_once(&p->together, p->levels->together, false, NULL);
    if (status != DAE_OK) return status;
    p->together.unit = p->unit;
    p->meet.d = &p->together;
    directions_forget(p->meet.d);
    status = directions_linearize(p->meet.d, t, z);
    if (status == DAE_OK) status = meeting_level(&p->meet, 0, t, z);
    p->meet.d = before;
    return status;
}

/* A state within a step or at its end should stay near its polynomial. Meeting level by level may
 * lead far away. If a level moves the derivative of a stiff variable because the variable itself
 * belongs to an earlier level, an error is multiplied by the stiffness and spreads to all others.
 * The solution is within the polynomial's accuracy, so the nearest state that meets all levels at
 * once has at most twice that error. If the integrated variables have to move further for that, the
 * polynomial of algebraic variables is at fault, as beside the instant at which a diode blocks.
 * Then algebraic variables follow from the integrated ones, unless that moves the integrated ones
 * much further. */
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

/* Meet the last level of a state that comes from a step and whose other levels are met: see
 * slow_motion.h. A correction disturbs the other levels by its own size times the time in which
 * motions count as algebraic, divided by the time in which the constraints turn. If both do not
 * converge together, a shorter time is tried. If nothing converges, z is restored, and the level is
 * solved as after a start. */
static dae_status meet_slow_motion(projection *p, double t, double *z)
{
    static const double SHORTER[] = {1, 10, 100, 1000};
    slow_motion *slow = &p->meet.d->slow;
    memcpy(slow->before, z, p->levels->size * sizeof *z);
    for (size_t i = 0; i < sizeof SHORTER / sizeof *SHORTER; i++) {
        dae_status status = meet_together(p, slow, t, z, p->meet.d->step / SHORTER[i]);
        if (status == DAE_OK || status == DAE_STOPPED) return status;
        memcpy(z, slow->before, p->levels->size * sizeof *z);
        status = directions_linearize(p->meet.d, t, z); /* the last may be far away */
        if (status != DAE_OK) return status;
    }
    return meet_from_afar(p, p->levels->count - 1, t, z);
}

static dae_status bring_back(projection *p, double t, double *z, int corrections, size_t from)
{
    const constraint_levels *l = p->levels;
    dae_status status = l->form->solve_hidden ? l->form->solve_hidden(l->self, t, z, p->accuracy)
                                              : DAE_OK;
    if (status == DAE_OK) status = directions_linearize(p->meet.d, t, z);
    for (int i = 0; status == DAE_OK && i < corrections; i++) status = correct_all(p, t, z);
    bool slow = p->levels->whole && p->follows_step && p->corrections == 0;
    if (status == DAE_OK && slow && p->at_end) status = meeting_level(&p->meet, l->count - 1, t, z);
    for (size_t k = from; status == DAE_OK && k + slow < l->count; k++)
        status = meet_from_afar(p, k, t, z);
    if (status == DAE_OK && slow) status = meet_slow_motion(p, t, z);
    return status == DAE_OK && slow ? stay_near(p, t, z) : status;
}

/* The row of the level that failed: one that contains no unknown, else the one that is missed
 * most. */
static void find_failure(projection *p)
{
    const level_work *w = &p->meet.d->work[p->meet.failed];
    size_t singular = w->square ? w->square->singular_row : LINEAR_SOLVER_NOWHERE;
    p->failure_row = 0;
    for (size_t i = 1; i < p->levels->level[p->meet.failed].rows; i++)
        if (!(fabs(w->residual[i]) <= fabs(w->residual[p->failure_row]))) p->failure_row = i;
    if (singular != LINEAR_SOLVER_NOWHERE) p->failure_row = singular;
}

static dae_status attempt(projection *p, double t, double *z, int corrections, size_t from)
{
    memcpy(p->saved, z, p->levels->size * sizeof *z);
    p->meet.failed = p->levels->count; /* until the Jacobian has been evaluated */
    dae_status status = bring_back(p, t, z, corrections, from);
    if (status == DAE_OK) return DAE_OK;
    memcpy(z, p->saved, p->levels->size * sizeof *z);
    if (p->meet.failed < p->levels->count) find_failure(p);
    return status;
}

dae_status projection_meet(projection *p, double t, double *z)
{
    p->meet.d = &p->steps;
    return attempt(p, t, z, p->corrections, p->corrections ? p->passed : 0);
}

/* Earlier factors would change the last digits, and looking at a state must have no effect. */
static dae_status turn_aside(projection *p)
{
    dae_status status = begin_once(&p->apart, p->levels, p->steps.along_fz, &p->steps);
    if (status != DAE_OK) {
        p->meet.failed = p->levels->count;
        return status;
    }
    p->apart.step = p->steps.step;
    p->meet.d = &p->apart;
    directions_forget(p->meet.d);
    return DAE_OK;
}

dae_status projection_meet_apart(projection *p, double t, double *z)
{
    dae_status status = turn_aside(p);
    return status == DAE_OK ? attempt(p, t, z, p->corrections, p->corrections ? p->passed : 0)
                            : status;
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
    dae_status status = turn_aside(p);
    return status == DAE_OK ? attempt(p, t, z, 0, p->corrections ? p->passed : 0) : status;
}

/* The last level may have several solutions, and long corrections lead to any of them. Where more
 * than one of them has led far, so that the equations bend, that along Newton's flow is preferred.
 */
static dae_status prefer_flow(projection *p, double t, double *z)
{
    static const double FAR = 0.1;
    enum { OF_LINEAR = 2 };
    size_t bytes = p->levels->size * sizeof *z;
    double most = 0;
    for (size_t j = 0; j < p->levels->size; j++)
        most = fmax(most, fabs(z[j] - p->saved[j]) / size_of(p, p->saved, j));
    if (!(most > FAR) || p->meet.count <= OF_LINEAR) return DAE_OK;
    memcpy(p->kept, z, bytes);
    memcpy(z, p->saved, bytes);
    dae_status status = meeting_by_flow(&p->meet, p->levels->count - 1, t, z);
    if (status == DAE_OK || status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    memcpy(z, p->kept, bytes);
    return directions_linearize(p->meet.d, t, z);
}

dae_status projection_settle(projection *p, double t, double *z, double off, double *missed,
                             size_t *level, size_t *row)
{
    size_t last = p->levels->count - 1;
    *missed = 0;
    dae_status status = turn_aside(p);
    if (status == DAE_OK) status = attempt(p, t, z, 0, last);
    if (status == DAE_OK) status = prefer_flow(p, t, z);
    for (size_t k = 0; status == DAE_OK && k < last && !(*missed > off); k++) {
        size_t worst = 0;
        status = directions_factor(p->meet.d, k, z);
        if (status == DAE_OK) status = meeting_look(&p->meet, k, t, z);
        if (status != DAE_OK) break;
        double by = meeting_missed(&p->meet, k, z, &worst);
        if (by <= *missed) continue;
        *missed = by, *level = k, *row = worst;
    }
    return status;
}

double projection_weakest(projection *p, bool by_nominal)
{
    return directions_weakest(&p->steps, by_nominal);
}

void projection_failure(const projection *p, size_t *level, size_t *row)
{
    *level = p->meet.failed;
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
    arena_free(&p->memory);
    free(p);
}

void projection_state(projection *p, state_visit *s)
{
    size_t size = p->levels->size;
    bool by_together = p->meet.d == &p->together, by_steps = p->meet.d == &p->steps;
    STATE_MEMBERS(s, projection, p, at_end, memory);
    STATE(s, by_together);
    STATE(s, by_steps);
    p->meet.d = by_together ? &p->together : by_steps ? &p->steps : &p->apart;
    state_doubles(s, p->saved, size);
    state_doubles(s, p->unit, size);
    state_doubles(s, p->leeway, size);
    STATE(s, p->failure_row);
    STATE(s, p->steps.step);
    if (s->way == STATE_COUNT) return;
    directions_forget(&p->steps);
    directions_forget(&p->apart);
    directions_forget(&p->together);
}
