#include "stepping/stepping.h"

#include "base/round_off.h"
#include "stepping/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A factorisation is kept if the step would grow by less (RADAU5's QUOT1 and QUOT2). */
static const double KEEP_STEP = 1.2;

/* A first step that is computed here is at least this many times the round-off of the time, which
 * matters in seconds since 1970. */
static const double FIRST_IN_ROUND_OFF = 1000;

/* The internal tolerance is not below this unless the user's is: it would be in the range of
 * round-off. */
static const double LEAST_RTOL = 2 * ROUND_OFF_LONG_SUM;

/* Below this tolerance, values within steps are not controlled. Polynomials are made of
 * differences, in which round-off is larger than at the ends of steps, and shorter steps would not
 * reduce it. */
static const double TIGHTEST_WITHIN = 1e-11;

/* For methods based on differences the internal tolerance is not below this unless the user's is,
 * because round-off enters differences more strongly. */
static const double LEAST_TOLERANCE = 1e-12;

/* On a higher index the errors of algebraic variables enter the others, so less error is
 * allowed. */
static const double SHARE_OF_HIGHER_INDEX = 0.3;

/* Equations hardly amplify the round-off of their variables by more than this. With looser
 * tolerances round-off is far below them. */
static const double ROUND_OFF_SHOWS = 1e6;

/* An error in the values of equations stays when the step becomes much shorter than the first
 * failed one. An error of the method falls, even at order 1. An accepted step that is hardly
 * shorter ends the search. */
static const double SHORTER = 0.1, MUCH_SHORTER = 1e-4, FALLEN = 0.01, RESTING = 0.9;

/* Where Newton's correction at the start of a short step is below this part of the change within
 * it, the start meets the equations, and the change is a fast transient. */
static const double MEETS = 0.1;

/* Failures of one step after which no smaller step is tried. */
enum { MOST_FAILURES = 40 };

/* After this many failures of Newton's iteration in one step, algebraic variables are solved for
 * anew at the start of the step, over this part of the step that failed last. */
enum { FAILURES_BEFORE_ANEW = 4 };
static const double PART_OF_FAILED = 1e-2;

/* Failures of one step after which the round-off of the equations is measured. */
static const int FAILURES_BEFORE_NOISE[] = {8, 16, 28};

/* It is also measured after a failure of a step that is this part of the longest. */
static const double SHORT_FOR_NOISE = 1e-5;

/* The error of a variable is held at this many times that noise, but at no more than this many
 * times the tolerance asked for. For differential variables it is also at most this many times the
 * tolerance at which steps are held, which may be far smaller: errors of many steps add up. */
static const double ABOVE_NOISE = 30, MOST_ABOVE_TOLERANCE = 100, MOST_ABOVE_HELD = 300;

/* The same as a last resort, on index 1 only. On a higher index errors grow on the way to other
 * variables. */
static const double MOST_AT_LAST = 10;

/* A relative tolerance below this asks for round-off itself. Then the run stops and reports
 * that. */
static const double TIGHTEST_FOR_NOISE = 1e-11;

/* Noise whose multiple is below this part of the tolerance of a step does not hinder it. */
static const double SHOWS = 0.1;

/* If a weight falls below this part of itself, another attempt is worthwhile. */
static const double RAISED = 0.7;

void stepping_hold(engine *e, int estimate_order, int order, double least_exponent)
{
    stepping *s = &e->stepping;
    double rtol = e->options.rtol;
    s->rtol = control_tolerance(rtol, estimate_order, order, least_exponent);
    s->rtol = fmax(s->rtol, fmin(rtol, LEAST_RTOL));
    s->share = s->rtol / rtol;
    s->within = rtol < TIGHTEST_WITHIN ? 0 : 1;
    s->control.order = estimate_order;
}

void stepping_hold_differences(engine *e, int estimate_order, int order)
{
    stepping *s = &e->stepping;
    double rtol = e->options.rtol;
    stepping_hold(e, estimate_order, order, 0);
    double share = problem_highest_index(e->problem) > 1 ? SHARE_OF_HIGHER_INDEX : 1;
    s->rtol = share * fmax(s->rtol, fmin(rtol, LEAST_TOLERANCE));
    s->share = s->rtol / rtol;
}

static void weigh(const stepping *s, const engine *e)
{
    const engine_options *o = &e->options;
    bool fixed = o->fixed_step > 0; /* the iteration has to be exact, whatever the tolerances */
    control_weights(e->problem->n, e->y, fixed ? 1 : s->rtol, fixed ? 1 : o->atol,
                    fixed ? e->problem->nominal : o->atols, fixed ? 1 : s->share, s->weight);
    for (size_t k = 0; e->care > 1 && k < e->problem->n; k++) s->weight[k] *= e->care;
    memcpy(s->effect_weight, s->weight, e->problem->n * sizeof *s->weight);
    for (size_t k = 0; e->noise > 0 && k < e->problem->n; k++) {
        double part = s->noise[k] * s->weight[k];
        s->weight[k] /= 1 + ABOVE_NOISE * part;
        s->effect_weight[k] /= 1 + part; /* noise is no error of the variables from which this one
                                          * follows */
    }
}

void stepping_start(engine *e)
{
    stepping *s = &e->stepping;
    size_t n = e->problem->n;
    s->control = (step_control){.choice = s->control.choice, .order = s->control.order};
    s->round_off = (round_off_watch){0};
    s->failed_step = 0;
    s->stays = false;
    s->first = true;
    s->begun = e->t;
    s->counted_step = 0;
    s->step = e->options.fixed_step > 0 ? e->options.fixed_step : e->options.first_step;
    s->computed = !(s->step > 0);
    if (!s->computed) return;
    /* Hairer, Norsett & Wanner I, Sec. II.4 */
    weigh(s, e);
    double size = control_norm(n, e->y, s->weight, NULL, 1), speed = 0;
    for (size_t k = 0; k < n; k++) {
        double part = e->problem->dynamic[k] ? e->yp[k] * s->weight[k] : 0;
        speed += part * part;
    }
    speed = sqrt(speed / (double)(n ? n : 1));
    s->step = speed > 1e-5 && size > 1e-5 ? 0.01 * size / speed : 1e-6;
    /* a very short step is not safe there: round-off grows with h^-2 and h^-3 */
    if (speed > 0 && problem_highest_index(e->problem) == 1) s->step = fmin(s->step, 1 / speed);
    s->step = fmax(s->step, FIRST_IN_ROUND_OFF * DBL_EPSILON * fabs(e->t));
}

static double limited(const stepping *s, const engine *e, double t_end, bool *last)
{
    double left = fabs(t_end - e->t), h = s->step;
    if (e->options.max_step > 0) h = fmin(h, e->options.max_step);
    double tolerated = e->options.fixed_step > 0 ? 1 + ROUND_OFF_AMPLIFIED : 1.01;
    *last = h * tolerated >= left;
    if (*last) h = left;
    h *= e->options.direction;
    return s->late && !*last ? e->t + h - e->t : h;
}

/* If a run is later than this many times its length, the rounding of the time is a visible part of
 * a step. */
static const double LATE = 100;

/* A first step that is raised because of the rounding of times is at most this part of the run. */
static const double FIRST_OF_RUN = 0.01;

void stepping_pass_end(engine *e, double h, double factor)
{
    static const double WORTH = 2;
    stepping *s = &e->stepping;
    if (factor >= WORTH) s->step = fmax(s->step, WORTH * fabs(h));
}

void stepping_blame_error(engine *e, double h, double size, const double *error)
{
    stepping *s = &e->stepping;
    e->failure.cause = DAE_ERROR_TEST;
    failure_find_variable(&e->failure, e->problem->n, 1, error, s->weight);
    if (s->failed_step == 0 || fabs(h) > s->failed_step) {
        s->failed_step = fabs(h);
        s->failed_size = size;
    }
    bool much_shorter = fabs(h) < MUCH_SHORTER * s->failed_step;
    s->stays = much_shorter && size > FALLEN * s->failed_size;
    s->rests = much_shorter && s->last_size > 0 && size > RESTING * s->last_size;
    s->last_size = size;
}

/* Late in time, the rounding of the time in a step shorter than this exceeds PART of the relative
 * tolerance, and the equations amplify it. */
static double least_resolved(const stepping *s, const engine *e)
{
    static const double PART = 0.1;
    return s->late ? DBL_EPSILON * fabs(e->t) / (PART * e->options.rtol) : 0;
}

/* With looser tolerances the tests say nothing about round-off. */
static bool is_tight(const stepping *s)
{
    return s->rtol < ROUND_OFF_SHOWS * DBL_EPSILON;
}

void stepping_look_back(engine *e, double second, double third)
{
    if (is_tight(&e->stepping)) round_off_look_back(&e->stepping.round_off, second, third);
}

bool stepping_decide(engine *e, double h, double size, const double *error, double effort,
                     bool keeps, bool last)
{
    stepping *s = &e->stepping;
    double factor = control_factor(&s->control, fabs(h), size, effort);
    if (factor < 1) stepping_blame_error(e, h, size, error);
    keeps = keeps && factor >= 1 && factor <= fmax(KEEP_STEP, s->keep_growth);
    s->declined = keeps ? factor : 1;
    int order = s->control.order;
    double least = least_resolved(s, e), trial = 0;
    if (is_tight(s) || fabs(h) < least || s->round_off.before > 0)
        trial = round_off_follow(&s->round_off, fabs(h), size, order, least, last);
    if (trial > 0) {
        s->declined = 1;
        s->step = trial;
        return true;
    }
    if (size < 1) {
        /* a step cut short at the end of an interval says nothing against a longer one */
        double next = fabs(h) * (keeps ? 1 : factor);
        s->step = last ? fmax(next, fmin(s->step, 8 * fabs(h))) : next;
        return true;
    }
    e->counts.rejected++;
    s->step = fabs(h) * (s->first ? 0.1 : factor);
    return false;
}

static bool is_mended(const problem *p, size_t k)
{
    return !p->dynamic[k] && !(p->index && p->index[k] > 1);
}

bool stepping_may_mend(const engine *e)
{
    bool any = false;
    for (size_t k = 0; k < e->problem->n; k++) any = any || is_mended(e->problem, k);
    return any && e->stepping.rests;
}

void stepping_mend_start(engine *e, const double *end, const double *missed)
{
    const problem *p = e->problem;
    double most_missed = 0, most_moved = 0;
    for (size_t k = 0; k < p->n; k++) {
        double weight = is_mended(p, k) ? e->stepping.weight[k] : 0;
        most_missed = fmax(most_missed, fabs(missed[k]) * weight);
        most_moved = fmax(most_moved, fabs(end[k] - e->y[k]) * weight);
    }
    if (most_missed < MEETS * most_moved) return;
    for (size_t k = 0; k < p->n; k++)
        if (is_mended(p, k)) e->y[k] = end[k];
}

/* Shortens the step after an attempt of length h. h may be less than s->step, if that would have
 * passed the end of the run and was never tried. Late in time h is rounded. */
static void shorten(stepping *s, engine *e, double h, dae_status status)
{
    static const double NEARLY = 1.01;
    double factor = status == DAE_NOT_EVALUABLE ? 0.25 : 0.5;
    e->counts.rejected++;
    if (e->ops->shortened) e->ops->shortened(e, status, &factor);
    s->step = fmin(s->step, NEARLY * fabs(h)) * factor;
    s->control.rejected = true;
}

/* Sums of many equal steps do not end where they should. With fixed steps the time is counted from
 * where the equal steps began. */
static void keep_time(stepping *s, engine *e, double h, bool last, double t_end)
{
    bool same = h == s->counted_step;
    if (!same) s->origin = e->dense.t;
    s->counted = same ? s->counted + 1 : 1;
    s->counted_step = last ? 0 : h;
    if (last)
        e->t = t_end;
    else if (e->options.fixed_step > 0)
        e->t = s->origin + (double)s->counted * h;
}

/* Continues from the present state as from a start. */
static void restart(stepping *s, engine *e, double step)
{
    engine_polynomial(e);
    e->ops->start(e);
    s->step = step;
}

/* Whether to measure the noise: after several failures of one step, and whenever failed steps have
 * become shorter by another power of ten. */
static bool is_time_for_noise(stepping *s, double h, int failures)
{
    bool is_time = false;
    for (size_t i = 0; i < sizeof FAILURES_BEFORE_NOISE / sizeof *FAILURES_BEFORE_NOISE; i++)
        is_time = is_time || failures == FAILURES_BEFORE_NOISE[i];
    double short_enough = SHORT_FOR_NOISE * s->longest;
    if (s->measured_step > 0) short_enough = fmin(short_enough, 0.1 * s->measured_step);
    if (fabs(h) < short_enough) is_time = true, s->measured_step = fabs(h);
    return is_time;
}

static void keep_sizes(stepping *s, const engine *e)
{
    for (size_t k = 0; k < e->problem->n; k++) s->largest[k] = fmax(s->largest[k], fabs(e->y[k]));
}

/* Finds the variable whose noise is the largest part of its tolerance at these sizes (n), and that
 * part, either among differential variables or among the others. */
static double find_noisiest(const stepping *s, const engine *e, const double *sizes, bool dynamic,
                            size_t *noisiest)
{
    const engine_options *o = &e->options;
    double most = 0;
    for (size_t k = 0; k < e->problem->n; k++) {
        double part = s->noise[k] / engine_tolerance(o, k, sizes[k]);
        if (e->problem->dynamic[k] == dynamic && part > most) most = part, *noisiest = k;
    }
    return most;
}

/* Whether noise beyond what a tolerance may be raised to is that of equations of index 1 that are
 * badly conditioned wherever one looks. Their solution is known to no more than that, by any
 * method, and a note says so. Errors of states add up. */
static bool is_bearable(engine *e, double h, double span)
{
    return problem_highest_index(e->problem) == 1 &&
           noise_is_everywhere(e, h, e->options.direction * span);
}

/* Holds errors at the noise that has been measured. Returns whether that allows much more than
 * before. */
static bool hold_at_noise(stepping *s, engine *e, size_t noisiest, double part)
{
    double *before = s->previous;
    e->noise = s->noise[noisiest];
    e->noisiest = noisiest;
    e->held_at = part * ABOVE_NOISE;
    memcpy(before, s->weight, e->problem->n * sizeof *before);
    weigh(s, e);
    bool raised = false;
    for (size_t k = 0; k < e->problem->n; k++) raised = raised || s->weight[k] < RAISED * before[k];
    return raised;
}

/* `part`: of the tolerance asked for. */
static void blame_noise(const stepping *s, engine *e, size_t noisiest, double part)
{
    e->failure.noise = part / fmin(1, s->share);
    e->failure.noisiest = noisiest;
}

/* If step after step fails because the tolerance asks for more than the accuracy of the equations'
 * values, raises the tolerance to their noise. Returns whether it was raised. */
static bool allow_for_noise(stepping *s, engine *e, double h, double span, double most)
{
    size_t noisiest = 0, among_states = 0;
    if (e->options.rtol < TIGHTEST_FOR_NOISE) return false;
    if (noise_measure(e, h) != DAE_OK) return false;
    keep_sizes(s, e);
    double of_sizes = find_noisiest(s, e, s->largest, false, &noisiest);
    double part = find_noisiest(s, e, e->y, false, &noisiest);
    double of_states = find_noisiest(s, e, e->y, true, &among_states);
    bool adds_up = of_states * ABOVE_NOISE > MOST_ABOVE_HELD * s->share;
    /* a variable passes 0 without its accuracy being that of small values; nothing adds up there */
    bool of_state = of_states * ABOVE_NOISE > most || adds_up;
    bool is_beyond = of_state || of_sizes * ABOVE_NOISE > most;
    if (of_states > part || adds_up) part = of_states, noisiest = among_states;
    if (part * ABOVE_NOISE < SHOWS * s->share) return false;
    bool before = e->noise_everywhere; /* where Newton's iteration may end at it, too */
    e->noise_everywhere = !of_state && is_bearable(e, h, span);
    if (!e->noise_everywhere && part * ABOVE_NOISE < s->share) return false;
    bool holds = !is_beyond || e->noise_everywhere;
    bool raised = holds && hold_at_noise(s, e, noisiest, part);
    if (raised || (e->noise_everywhere && !before)) return true;
    if (is_beyond) blame_noise(s, e, noisiest, part);
    return false;
}

/* The last resort before a run ends because steps are too short, or because shorter ones are no
 * more accurate. Returns whether the tolerance has been raised to the noise of the equations, so
 * that the run continues. */
static bool resume(stepping *s, engine *e, double h, double span, double first_step)
{
    dae_status cause = e->failure.cause;
    bool by_noise = e->failure.by_round_off || cause == DAE_ERROR_TEST || cause == DAE_NEWTON;
    if (e->options.fixed_step > 0 || !by_noise || problem_highest_index(e->problem) > 1)
        return false;
    if (!allow_for_noise(s, e, h, span, MOST_AT_LAST)) return false;
    e->failure.by_round_off = false;
    restart(s, e, fmax(first_step, s->longest));
    return true;
}

/* Errors that are held at the noise fail by it all the same, if it is larger than measured. */
static dae_status give_up(const stepping *s, engine *e, dae_status status)
{
    bool held = e->noise_everywhere && e->held_at > s->share;
    if (held && e->failure.noise == 0) blame_noise(s, e, e->noisiest, e->held_at / ABOVE_NOISE);
    e->failure.by_round_off = e->failure.cause == DAE_ERROR_TEST && s->stays && is_tight(s);
    return e->failure.by_round_off ? DAE_ERROR_TEST : status;
}

dae_status engine_step(engine *e, double t_end)
{
    stepping *s = &e->stepping;
    if (e->ops->begin) e->ops->begin(e, t_end);
    bool accepted = false, fixed = e->options.fixed_step > 0;
    int iterations_failed = 0;
    double first_step = s->step;
    s->last_size = 0;
    s->rests = s->lacks = false;
    e->failure.noise = 0;
    e->evidence = (engine_evidence){0};
    double span = fmax(fabs(t_end - s->begun), fabs(e->t - s->begun));
    s->late = e->options.fixed_step == 0 && fabs(e->t) > LATE * span;
    if (s->first && s->computed)
        s->step = fmax(s->step, fmin(least_resolved(s, e), FIRST_OF_RUN * fabs(t_end - e->t)));
    weigh(s, e);
    for (int failures = 0; !accepted; failures++) {
        bool last;
        dae_status led;
        if (e->ops->lead && e->ops->lead(e, t_end, &led)) return led;
        double h = limited(s, e, t_end, &last);
        if (fabs(h) <= ROUND_OFF_VALUE * fmax(fabs(e->t), DBL_MIN) && !last) {
            if (failures == 0 || !resume(s, e, h, span, first_step))
                return give_up(s, e, DAE_STEP_TOO_SMALL);
            continue;
        }
        if (failures == MOST_FAILURES) return give_up(s, e, e->failure.cause);
        e->failure.by_round_off = round_off_rules(&s->round_off);
        if (e->failure.by_round_off) {
            if (!resume(s, e, h, span, first_step)) return DAE_ERROR_TEST;
            continue;
        }
        e->counts.attempts++;
        e->problem->follows = 1; /* what rejected stages have met says nothing */
        e->failure.step = h;
        dae_status status = e->ops->attempt(e, h, last, &accepted);
        if (accepted) s->first = false, s->longest = fmax(s->longest, fabs(h)), keep_sizes(s, e);
        if (accepted) keep_time(s, e, h, last, t_end);
        if (accepted && fabs(h) > SHORTER * s->failed_step) s->failed_step = 0;
        bool has_values = status == DAE_OK || status == DAE_NEWTON;
        if (!accepted && !fixed && has_values && is_time_for_noise(s, h, failures + 1) &&
            allow_for_noise(s, e, h, span, MOST_ABOVE_TOLERANCE)) {
            restart(s, e, first_step);
            continue;
        }
        if (status == DAE_OK) continue;
        if (status != DAE_NEWTON) failure_of_problem(&e->failure, e->problem, status);
        bool smaller_may_help = status == DAE_NEWTON || status == DAE_NOT_EVALUABLE ||
                                status == DAE_SINGULAR;
        if (!smaller_may_help || fixed) return status;
        s->lacks = s->lacks || status == DAE_NOT_EVALUABLE;
        shorten(s, e, h, status);
        iterations_failed += status != DAE_SINGULAR;
        /* If iterations keep failing, the reason may be the start of the step, not its length. */
        if (status != DAE_SINGULAR && iterations_failed == FAILURES_BEFORE_ANEW &&
            algebraic_start_solve(e, PART_OF_FAILED * h))
            restart(s, e, first_step);
    }
    return DAE_OK;
}

void stepping_state(engine *e, state_visit *to)
{
    stepping *s = &e->stepping;
    size_t n = e->problem->n;
    STATE_MEMBERS(to, stepping, s, control, weight);
    state_doubles(to, s->weight, n);
    state_doubles(to, s->effect_weight, n);
    state_doubles(to, s->noise, n);
    state_doubles(to, s->largest, n);
}
