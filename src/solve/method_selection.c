#include "solve/method_selection.h"

#include <math.h>
#include <string.h>

/* Iterations for the largest eigenvalue: at the start, and at each later look. */
enum { FIRST_LOOK = 12, LATER_LOOK = 2 };

/* A problem counts as stiff after STIFF_STEPS steps at the border of stability with no CALM_STEPS
 * calm ones in a row between (Hairer & Wanner II, Sec. IV.2). SUSPECT_STEPS suffice where the start
 * made stiffness possible. It counts as nonstiff again after CALM_LOOKS looks, one in LOOK_EVERY
 * steps. */
enum { STIFF_STEPS = 15, SUSPECT_STEPS = 2, CALM_STEPS = 6, CALM_LOOKS = 3, LOOK_EVERY = 20 };

/* An explicit method could make the steps of an implicit one where h times the eigenvalue, relative
 * to what dopri5 bears, is below EXPLICIT_REACH. */
static const double EXPLICIT_REACH = 1.5, DOPRI5_BEARS = 3.3;

enum { DOP853_ORDER = 8 };

/* After this many steps since a failure, the next failure is treated as the first. */
enum { CAME_ON = 20 };

/* Near the imaginary axis an explicit method bears little, and its steps hardly show what limits
 * them. h times the eigenvalue is examined once in EXPLICIT_LOOK steps; above MAY_BE_BOUND,
 * stability may be the limit. After many such steps an implicit method is tried (method_trial.c).
 * The same holds after steps below CREEPING times the longest one. A body that comes to rest in dry
 * friction makes such steps: it goes to and fro across a law steeper than the tolerance, which no
 * single point shows. */
static const double MAY_BE_BOUND = 0.7, CREEPING = 1e-3;
enum { EXPLICIT_LOOK = 100 };

/* After this many steps of an implicit method, creeping steps no longer exclude an explicit one. */
enum { CREPT_FOR_LONG = 1000 };

/* An eigenvalue counts as damped, and the problem perhaps as stiff, where at least this part of it
 * is damping. */
static const double DAMPED_PART = 0.3;

/* Limits of the relative tolerance. Below TIGHT_FOR_EXPLICIT, DOP853 takes fewer evaluations than
 * DOPRI5. Below TIGHT_FOR_RADAU, Radau methods of higher order than 5 are worth their larger
 * systems, and modified extended BDF its three stages. Below TIGHTEST_FOR_RADAU, Radau methods are
 * worth them in the shortest of runs too. */
static const double TIGHT_FOR_EXPLICIT = 1e-8, TIGHT_FOR_RADAU = 1e-5, TIGHTEST_FOR_RADAU = 2e-7;

/* Below this one its orders are worth it between announced events too, from which on each run has
 * to find its order again. */
static const double TIGHT_FOR_PIECES = 1e-8;

/* Work of a run, in the units of problem_costs. The set-up of a method of higher order, with its
 * factorisations, takes a part of LONG_FOR_ORDERS. The set-up of an explicit method that soon gives
 * way again takes a part of LONG_ENOUGH. */
static const double LONG_FOR_ORDERS = 5e4, LONG_ENOUGH = 1.5e5;

/* From this work on, a method that varies its order up to 13 may pay. */
static const double VERY_LONG = 1e6;

static const char *const ROBUST = "radau-iia3";

static size_t count_dynamic(const problem *p)
{
    size_t count = 0;
    for (size_t k = 0; k < p->n; k++) count += p->dynamic[k];
    return count;
}

/* The explicit method. Where each stage solves a linear system, fewer steps pay at any tolerance.
 */
static const char *explicit_method(const method_view *v)
{
    const problem *p = v->problem;
    if (p->form->solve_algebraic) return count_dynamic(p) < p->n ? "state-space-dop853" : "dop853";
    return v->solves_yp || v->rtol < TIGHT_FOR_EXPLICIT ? "dop853" : "dopri5";
}

static double work_of_run(const method_selection *c, const method_view *v)
{
    return v->problem->work - c->begun;
}

/* Whether steps of high order are worth their systems: at once at tight tolerances, otherwise in a
 * run that has lasted. The order is lost across a switch, and long steps miss more of it. The same
 * holds at corners of the input, at which a solver is started again and again. */
static bool wants_orders(const method_selection *c, const method_view *v)
{
    if (v->switches || c->behind) return false;
    bool lasted = work_of_run(c, v) > LONG_FOR_ORDERS;
    return v->rtol < TIGHTEST_FOR_RADAU || (v->rtol <= TIGHT_FOR_RADAU && lasted);
}

static const char *implicit_method(const method_selection *c, const method_view *v)
{
    bool given = problem_highest_index(v->problem) > 2;
    double tight = c->trial.by_pieces && !c->trial.of_state ? TIGHT_FOR_PIECES : TIGHT_FOR_RADAU;
    if (c->trial.implicit == ARM_MULTISTEP) return v->rtol < tight || given ? "mebdf" : "bdf";
    if (!wants_orders(c, v)) return ROBUST;
    return work_of_run(c, v) > VERY_LONG && !given ? "radau" : "radau-iia5";
}

static const char *name_of_arm(const method_selection *c, const method_view *v)
{
    return c->trial.arm == ARM_EXPLICIT ? explicit_method(v) : implicit_method(c, v);
}

/* Appends a semicolon before another reason. */
static text *also(text *reasons)
{
    if (reasons->length > 0) text_add(reasons, "; ");
    return reasons;
}

static void carve(method_selection *c, workspace *space, problem *p)
{
    stiffness_carve(&c->stiffness, space, p);
    c->weight = workspace_doubles(space, p->n);
}

dae_status method_selection_make(method_selection *c, problem *p)
{
    workspace_free(&c->space);
    carve(c, &c->space, p);
    dae_status status = workspace_allocate(&c->space);
    if (status == DAE_OK) carve(c, &c->space, p);
    return status;
}

static dae_status look(method_selection *c, const method_view *v, int iterations)
{
    control_weights(v->problem->n, v->y, v->rtol, v->atol, v->atols, 1, c->weight);
    dae_status status = stiffness_iterate(&c->stiffness, iterations, v->t, v->y, c->weight);
    if (status != DAE_OK) c->stiffness.radius = 0;
    return status;
}

/* Whether to begin with an explicit method. y' must follow from y, and no damped eigenvalue may be
 * seen. Where Jacobians are expensive, a damped eigenvalue is allowed if it would not make steps
 * short. Memory may be exhausted. */
static bool begins_explicit(method_selection *c, const method_view *v, text *reasons,
                            dae_status *memory)
{
    const problem *p = v->problem;
    const stiffness *s = &c->stiffness;
    if (!s->possible || count_dynamic(p) == 0) {
        text_format(also(reasons), "%zu unknowns of index %d at most: an implicit method", p->n,
                    problem_highest_index(p));
        return false;
    }
    *memory = look(c, v, FIRST_LOOK) == DAE_NO_MEMORY ? DAE_NO_MEMORY : DAE_OK;
    bool damped = s->damping > DAMPED_PART * s->grown;
    text_format(also(reasons),
                "%zu differential unknowns, whose largest eigenvalue at the start is about %.2g in "
                "modulus and %s",
                count_dynamic(p), s->radius, damped ? "damped" : "not damped");
    bool stiff = damped;
    if (damped && v->solves_yp) {
        double h = stiffness_accurate_step(&c->stiffness, DOP853_ORDER, v->t, v->y, c->weight);
        double reach = h * s->radius / DOPRI5_BEARS;
        stiff = !(reach > 0 && reach < 1);
        text_format(reasons,
                    ", accurate steps being %.2g times as long as an explicit method bears", reach);
    }
    text_format(reasons, ": begun with an %s method", stiff ? "implicit" : "explicit");
    return !stiff;
}

dae_status method_selection_begin(method_selection *c, const method_view *v, text *reasons)
{
    method_trial shown = c->trial; /* what earlier runs have shown */
    bool behind = c->started && v->t != c->start;
    workspace_free(&c->space);
    *c = (method_selection){.automatic = true,
                            .begun = v->problem->work,
                            .trial = shown,
                            .started = true,
                            .start = v->t,
                            .behind = behind};
    dae_status status = method_selection_make(c, v->problem);
    if (status != DAE_OK) return status;
    c->name = c->at_work = ROBUST;
    if (v->fixed_step) return DAE_OK;
    method_trial_begin(&c->trial, v->problem);
    /* Changing the method begins with order 1, which spoils a higher index. */
    if (problem_highest_index(v->problem) > 2)
        method_trial_close(&c->trial, v->rtol < TIGHT_FOR_RADAU ? ARM_ONE_STEP : ARM_MULTISTEP);
    if (begins_explicit(c, v, reasons, &status))
        method_trial_change(&c->trial, v->problem, ARM_EXPLICIT);
    c->suspect = c->stiffness.damping > DAMPED_PART * c->stiffness.grown;
    c->name = c->at_work = name_of_arm(c, v);
    return status;
}

/* Why another method may continue. */
typedef enum verdict {
    STAYS,
    FAILED_TRIAL,
    STIFF,        /* the explicit arm is at the border of its stability */
    MAY_BE_STIFF, /* it may be, near the imaginary axis */
    WITHIN_REACH, /* an explicit arm could make the steps of an implicit one */
    HIGHER_ORDERS,
    DEAR_STEPS,  /* its steps are expensive, compared with those of the other implicit arm */
    ANNOUNCED,   /* events lie ahead from which each method begins anew */
    OTHER_PIECE, /* the other implicit arm is tried between two of them */
    VERDICTS
} verdict;

static const struct {
    bool on_trial;
    trial_kind kind;
    const char *why; /* printed with the number that decided */
} verdicts[VERDICTS] = {
    [FAILED_TRIAL] = {.why = "it came only %.2g times as far for its work"},
    [STIFF] = {.why = "steps are %.2g times as long as an explicit method bears"},
    [MAY_BE_STIFF] = {true, TRIAL_OF_IMPLICIT,
                      "stability may bind steps, which are %.2g over the eigenvalue"},
    [WITHIN_REACH] = {true, TRIAL_OF_EXPLICIT,
                      "steps are %.2g times as long as an explicit method bears"},
    [HIGHER_ORDERS] = {.why = "higher orders for a relative tolerance of %.1g"},
    [DEAR_STEPS] = {true, TRIAL_OF_OTHER, "a step took as much as %.2g of a multistep method"},
    [ANNOUNCED] = {.why = "an event is announced at t = %.6g, and each method begins anew there"},
    [OTHER_PIECE] = {true, TRIAL_OF_OTHER, "a trial after %.0f pieces between events"},
};

static bool creeps(const method_selection *c, double h)
{
    return fabs(h) < CREEPING * c->longest;
}

/* Changes to the method that follows from a verdict. */
static void follow(method_selection *c, const method_view *v, verdict why, double h, double number,
                   text *reasons)
{
    bool is_explicit = c->trial.arm == ARM_EXPLICIT;
    if (verdicts[why].on_trial)
        method_trial_start(&c->trial, v->problem, verdicts[why].kind, is_explicit && creeps(c, h));
    else if (why != FAILED_TRIAL)
        method_trial_change(&c->trial, v->problem, c->trial.implicit);
    const char *name = name_of_arm(c, v);
    text_format(also(reasons), "at t = %.6g %s gave way to %s: ", v->t, c->name, name);
    text_format(reasons, verdicts[why].why, number);
    c->next = c->name = name;
    c->stiff = c->calm = c->bound = 0;
}

/* Whether so many steps may have been bound by stability that a trial is worthwhile. */
static bool may_be_bound(method_selection *c, const method_view *v, double h)
{
    if (!c->stiffness.possible || c->trial.since % EXPLICIT_LOOK != 0) return false;
    look(c, v, LATER_LOOK);
    c->behind = c->behind || creeps(c, h);
    if (creeps(c, h) || fabs(h) * c->stiffness.radius > MAY_BE_BOUND) c->bound += EXPLICIT_LOOK;
    return c->bound >= c->trial.patience[TRIAL_OF_IMPLICIT];
}

static verdict judge_explicit(method_selection *c, const method_view *v, double h, double shown,
                              double *number)
{
    if (shown > 1) {
        c->stiff++;
        c->calm = 0;
    } else if (++c->calm >= CALM_STEPS) {
        c->stiff = 0;
    }
    if (!c->trial.on_trial && may_be_bound(c, v, h)) {
        /* Later looks would show the explicit arm no better. */
        method_trial_put_off(&c->trial, TRIAL_OF_EXPLICIT);
        *number = fabs(h) * c->stiffness.radius;
        return MAY_BE_STIFF;
    }
    if (c->stiff < (c->suspect ? SUSPECT_STEPS : STIFF_STEPS)) return STAYS;
    if (c->trial.since < 10 * STIFF_STEPS) /* the explicit arm did not last */
        method_trial_put_off(&c->trial, TRIAL_OF_EXPLICIT);
    c->suspect = false;
    *number = shown;
    return STIFF;
}

/* Whether an explicit method could make the steps of the implicit one. Any method takes short steps
 * after an event, until the motion with the fastest eigenvalue has decayed to the tolerance; so the
 * mean step since the method began counts as well as the present one. */
static bool is_within_reach(method_selection *c, const method_view *v, double h, double *reach)
{
    size_t since = c->trial.since;
    if (!c->stiffness.possible || c->trial.on_trial) return false;
    if (since < c->trial.patience[TRIAL_OF_EXPLICIT] || since % LOOK_EVERY != 0) return false;
    if (work_of_run(c, v) < LONG_ENOUGH) return false;
    look(c, v, LATER_LOOK);
    double length = fmax(fabs(h), method_trial_step_length(&c->trial));
    *reach = length * c->stiffness.radius / DOPRI5_BEARS;
    bool kept = creeps(c, h) && since < CREPT_FOR_LONG;
    kept = kept || exp(-c->trial.length * c->stiffness.radius) > v->rtol;
    c->calm = !kept && *reach < EXPLICIT_REACH && c->stiffness.radius > 0 ? c->calm + 1 : 0;
    return c->calm >= CALM_LOOKS;
}

static verdict judge_implicit(method_selection *c, const method_view *v, double h, double *number)
{
    if (is_within_reach(c, v, h, number)) return WITHIN_REACH;
    bool alone = c->trial.arm == ARM_ONE_STEP && !c->trial.on_trial && !c->failed;
    *number = v->rtol;
    if (alone && strcmp(c->name, implicit_method(c, v)) != 0) return HIGHER_ORDERS;
    *number = method_trial_dearness(&c->trial, v->problem);
    return method_trial_wants_other(&c->trial, v->problem) ? DEAR_STEPS : STAYS;
}

void method_selection_watch(method_selection *c, const method_view *v, double h, double shown,
                            text *reasons)
{
    double number = 0;
    if (v->fixed_step) return;
    c->trial.besides = v->besides;
    c->since_failure++;
    c->longest = fmax(c->longest, fabs(h));
    if (c->trial.counted) {
        c->trial.counted = false;
        return;
    }
    method_trial_step(&c->trial, v->problem, h);
    verdict found = STAYS;
    trial_outcome outcome = method_trial_judge(&c->trial, v->problem, &number);
    if (outcome == TRIAL_FAILED)
        found = FAILED_TRIAL;
    else if (c->trial.arm == ARM_EXPLICIT)
        found = judge_explicit(c, v, h, shown, &number);
    else if (outcome != TRIAL_PASSED)
        found = judge_implicit(c, v, h, &number);
    if (found != STAYS) follow(c, v, found, h, number, reasons);
}

void method_selection_announce(method_selection *c, const method_view *v, double next,
                               text *reasons)
{
    if (v->fixed_step || c->failed || c->name == NULL) return;
    if (method_trial_announce(&c->trial, v->problem))
        follow(c, v, ANNOUNCED, 0, next, reasons);
    else if (c->trial.by_pieces && strcmp(c->name, name_of_arm(c, v)) != 0 && c->trial.since == 0)
        c->next = c->name = name_of_arm(c, v);
}

void method_selection_pass_event(method_selection *c, const method_view *v, double h,
                                 bool announced, text *reasons)
{
    double number = 0;
    if (v->fixed_step || c->failed) return;
    c->trial.besides = v->besides;
    if (!announced && !method_trial_restart(&c->trial, v->problem)) return;
    method_trial_step(&c->trial, v->problem, h);
    c->trial.counted = true;
    trial_outcome outcome = method_trial_end_piece(&c->trial, v->problem, &number);
    if (outcome == TRIAL_FAILED)
        follow(c, v, FAILED_TRIAL, h, number, reasons);
    else if (outcome == TRIAL_RUNS && method_trial_wants_piece(&c->trial))
        follow(c, v, OTHER_PIECE, h, (double)c->trial.pieces, reasons);
    c->trial.steps = 0;
}

/* 0, so that the method finds its first step: multistep methods begin with order 1, and after a
 * failure the last step is the one that failed. */
double method_selection_first_step(const method_selection *c, double h)
{
    return c->failed || c->trial.implicit == ARM_MULTISTEP ? 0 : 0.5 * fabs(h);
}

/* The methods that are tried in turn after a failure, the most robust first. */
static const char *const AFTER_FAILURE[] = {"radau-iia3", "bdf", "mebdf", "radau-iia5"};

enum { AFTERS = sizeof AFTER_FAILURE / sizeof *AFTER_FAILURE };

/* The first method that has not been tried, AFTERS where all have been. The one that has just
 * stopped counts as tried. */
static int untried(method_selection *c)
{
    int first = AFTERS;
    for (int k = AFTERS - 1; k >= 0; k--) {
        if (strcmp(c->name, AFTER_FAILURE[k]) == 0) c->tried |= 1u << k;
        if (!(c->tried >> k & 1)) first = k;
    }
    return first;
}

static void go_on_with(method_selection *c, const char *name)
{
    c->failed = true;
    c->next = c->name = name;
    c->since_failure = 0;
    method_trial_close(&c->trial, ARM_ONE_STEP);
}

bool method_selection_after_failure(method_selection *c, const method_view *v, text *reasons)
{
    if (v->fixed_step) return false;
    if (c->since_failure >= CAME_ON) c->tried = 0;
    int next = untried(c);
    if (next == AFTERS) return false;
    text_format(also(reasons), "at t = %.6g, where %s stops, %s was tried", v->t, c->name,
                AFTER_FAILURE[next]);
    c->tried |= 1u << next;
    go_on_with(c, AFTER_FAILURE[next]);
    return true;
}

void method_selection_go_back(method_selection *c, const method_view *v, text *reasons)
{
    text_format(also(reasons), "no method went on, and the run went back to t = %.6g, with %s",
                v->t, ROBUST);
    c->tried = 1;
    go_on_with(c, ROBUST);
}
