#include "solve/method_selection.h"

#include "stepping/control.h"
#include "stepping/stepping.h"

#include <math.h>
#include <string.h>

/* Iterations that show the largest eigenvalue at the start, and at each later look. */
enum { FIRST_LOOK = 12, LATER_LOOK = 2 };

/* A problem is stiff after so many steps at the border of stability, or after fewer where that was
 * thought possible at the start, with fewer than CALM_STEPS others in a row between (Hairer &
 * Wanner II, Sec. IV.2); it is no longer so after CALM_LOOKS
 * looks, one in LOOK_EVERY steps. */
enum { STIFF_STEPS = 15, SUSPECT_STEPS = 2, CALM_STEPS = 6, CALM_LOOKS = 3, LOOK_EVERY = 20 };

/* Steps of an implicit method that an explicit one could make as well: h times the eigenvalue, over
 * what dopri5 bears. */
static const double EXPLICIT_REACH = 1.5, DOPRI5_BEARS = 3.3;

enum { DOP853_ORDER = 8 };

/* After so many steps since a failure the next one is treated as the first. */
enum { CAME_ON = 20 };

/* A method on trial is judged after so many steps, by the last LOOK_EVERY; where the other one
 * crept, it has to find its way from what that left first. */
enum { TRIAL_STEPS = 60, CREPT_STEPS = 300 };

/* Towards the imaginary axis an explicit method bears little, and its steps show little of what
 * binds them: it may be stability where h times the eigenvalue, looked at once in so many steps, is
 * more than this. After so many such steps an implicit method is tried, and after so many times as
 * many again. So it is after steps that are this part of the longest: what comes to rest in dry
 * friction goes to and fro across a law steeper than the tolerance, of which no point shows. */
static const double MAY_BE_BOUND = 0.7, CREEPING = 1e-3;
enum { EXPLICIT_LOOK = 100, FIRST_REVISIT = 1000, LATER_REVISIT = 4 };

/* An eigenvalue counts as damped, and the problem perhaps as stiff, where this part of it is. */
static const double DAMPED_PART = 0.3;

/* Below, DOP853 takes fewer evaluations than DOPRI5; Radau methods of higher order than 5 are worth
 * their larger systems, at the lower one in the shortest of runs, and modified extended BDF its
 * three stages. */
static const double TIGHT_FOR_EXPLICIT = 1e-8, TIGHT_FOR_RADAU = 1e-5, TIGHTEST_FOR_RADAU = 2e-7;

/* A method of higher order, with its factorisations, takes a part of this to be set up, and so does
 * an explicit one that soon gives way again; in the units of problem_costs. */
static const double LONG_FOR_ORDERS = 5e4, LONG_ENOUGH = 1.5e5;

/* From here on orders up to 13 may pay, between which the method changes by itself. */
static const double VERY_LONG = 1e6;

static const char *const ROBUST = "radau-iia3", *const HIGHER = "radau-iia5",
                         *const ORDERS = "radau", *const FORMULAS = "bdf",
                         *const EXTENDED = "mebdf";

static size_t count_dynamic(const problem *p)
{
    size_t count = 0;
    for (size_t k = 0; k < p->n; k++) count += p->dynamic[k];
    return count;
}

/* Where each stage solves a linear system, fewer steps count at any tolerance. */
static const char *explicit_method(const method_view *v)
{
    const problem *p = v->problem;
    if (p->form->solve_algebraic) return count_dynamic(p) < p->n ? "state-space-dop853" : "dop853";
    return v->solves_slopes || v->rtol < TIGHT_FOR_EXPLICIT ? "dop853" : "dopri5";
}

static double work_of_run(const method_selection *c, const method_view *v)
{
    return v->problem->work - c->begun;
}

static bool is_tight(const method_view *v)
{
    return v->rtol < TIGHT_FOR_RADAU;
}

/* Whether steps of high order are worth their systems: at once, or in a run that has lasted. Across
 * a switch the order is lost, and long steps miss more of it; so it is at the corners at which a
 * solver is started again and again. */
static bool wants_orders(const method_selection *c, const method_view *v)
{
    if (v->switches || c->behind) return false;
    bool lasted = work_of_run(c, v) > LONG_FOR_ORDERS;
    return v->rtol < TIGHTEST_FOR_RADAU || (v->rtol <= TIGHT_FOR_RADAU && lasted);
}

static const char *implicit_method(const method_selection *c, const method_view *v)
{
    bool given = problem_highest_index(v->problem) > 2;
    if (c->method_trial.at_work == METHOD_TRIAL_MULTISTEP)
        return is_tight(v) || given ? EXTENDED : FORMULAS;
    if (!wants_orders(c, v)) return ROBUST;
    return work_of_run(c, v) > VERY_LONG && !given ? ORDERS : HIGHER;
}

static const char *const CAME_LESS_FAR = "it came only %.2g times as far for its work";

/* One reason more, after a semicolon. */
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

static void look(method_selection *c, const method_view *v, int iterations)
{
    control_weights(v->problem->n, v->y, v->rtol, v->atol, v->atols, 1, c->weight);
    if (stiffness_iterate(&c->stiffness, iterations, v->t, v->y, c->weight) != DAE_OK)
        c->stiffness.radius = 0;
}

/* Steps as long as accuracy allows, over those that dopri5 bears. */
static double reach_at_start(method_selection *c, const method_view *v)
{
    double h = stiffness_accurate_step(&c->stiffness, DOP853_ORDER, v->t, v->y, c->weight);
    return h * c->stiffness.radius / DOPRI5_BEARS;
}

/* Whether to begin with an explicit method: where y' follows from y, and no damped eigenvalue is
 * seen, or, where Jacobians are dear, none that would make steps short. */
static bool begins_explicit(method_selection *c, const method_view *v, text *reasons)
{
    const problem *p = v->problem;
    const stiffness *s = &c->stiffness;
    if (!s->possible || count_dynamic(p) == 0) {
        text_format(also(reasons), "%zu unknowns of index %d at most: an implicit method", p->n,
                    problem_highest_index(p));
        return false;
    }
    look(c, v, FIRST_LOOK);
    bool damped = s->damping > DAMPED_PART * s->grown;
    text_format(also(reasons),
                "%zu differential unknowns, whose largest eigenvalue at the start is about %.2g in "
                "modulus and %s",
                count_dynamic(p), s->radius, damped ? "damped" : "not damped");
    bool stiff = damped;
    if (damped && v->solves_slopes) {
        double reach = reach_at_start(c, v);
        stiff = !(reach > 0 && reach < 1);
        text_format(reasons,
                    ", accurate steps being %.2g times as long as an explicit method bears", reach);
    }
    text_format(reasons, ": begun with an %s method", stiff ? "implicit" : "explicit");
    return !stiff;
}

dae_status method_selection_begin(method_selection *c, const method_view *v, text *reasons)
{
    method_trial shown = c->method_trial; /* what earlier runs have shown */
    bool behind = c->started && v->t != c->start;
    method_selection_free(c);
    *c = (method_selection){.automatic = true,
                            .patience = LOOK_EVERY,
                            .revisit = FIRST_REVISIT,
                            .seen = v->problem->work,
                            .begun = v->problem->work,
                            .method_trial = shown,
                            .started = true,
                            .start = v->t,
                            .behind = behind};
    carve(c, &c->space, v->problem);
    dae_status status = workspace_allocate(&c->space);
    if (status != DAE_OK) return status;
    carve(c, &c->space, v->problem);
    c->name = ROBUST;
    if (v->fixed_step) return DAE_OK;
    method_trial_begin(&c->method_trial, v->problem);
    if (problem_highest_index(v->problem) > 2) /* a change begins with order 1, which spoils it */
        method_trial_close(&c->method_trial,
                           is_tight(v) ? METHOD_TRIAL_ONE_STEP : METHOD_TRIAL_MULTISTEP);
    c->is_explicit = begins_explicit(c, v, reasons);
    c->suspect = c->stiffness.damping > DAMPED_PART * c->stiffness.grown;
    c->name = c->is_explicit ? explicit_method(v) : implicit_method(c, v);
    return DAE_OK;
}

static void change(method_selection *c, const method_view *v, text *reasons, const char *why,
                   double number)
{
    const char *name = c->is_explicit ? explicit_method(v) : implicit_method(c, v);
    text_format(also(reasons), "at t = %.6g %s gave way to %s: ", v->t, c->name, name);
    text_format(reasons, why, number);
    c->next = c->name = name;
    c->method_trial.seen = c->seen = v->problem->work;
    c->stiff = c->calm = c->since = c->bound = 0;
    c->before = c->advanced = 0;
}

/* The same, for a trial. */
static void try_other(method_selection *c, const method_view *v, text *reasons, const char *why,
                      double number)
{
    double pace = c->pace;
    c->is_explicit = !c->is_explicit;
    change(c, v, reasons, why, number);
    c->before = pace;
}

static void keep_pace(method_selection *c, const method_view *v, double h)
{
    c->advanced += fabs(h);
    if (c->since % LOOK_EVERY != 0) return;
    double work = v->problem->work - c->seen;
    c->pace = work > 0 ? c->advanced / work : 0;
    c->advanced = 0;
    c->seen = v->problem->work;
}

/* Whether a trial has failed, and the method before goes on. */
static bool gives_up_trial(method_selection *c, const method_view *v, text *reasons)
{
    if (c->before == 0 || c->since < (c->crept ? CREPT_STEPS : TRIAL_STEPS)) return false;
    double part = c->pace / c->before;
    c->before = 0;
    if (part >= 1) return false;
    if (c->is_explicit)
        c->patience *= 4;
    else
        c->revisit *= LATER_REVISIT;
    c->is_explicit = !c->is_explicit;
    change(c, v, reasons, CAME_LESS_FAR, part);
    return true;
}

static const char *const OUT_OF_REACH = "steps are %.2g times as long as an explicit method bears";

/* Whether so many steps were that it is worth a trial. */
static bool may_be_bound(method_selection *c, const method_view *v, double h)
{
    if (!c->stiffness.possible || c->before > 0 || c->since % EXPLICIT_LOOK != 0) return false;
    look(c, v, LATER_LOOK);
    bool creeps = fabs(h) < CREEPING * c->longest;
    c->crept = creeps;
    c->behind = c->behind || creeps;
    if (creeps || fabs(h) * c->stiffness.radius > MAY_BE_BOUND) c->bound += EXPLICIT_LOOK;
    return c->bound >= c->revisit;
}

static void watch_explicit(method_selection *c, const method_view *v, double h, double shown,
                           text *reasons)
{
    if (shown > 1) {
        c->stiff++;
        c->calm = 0;
    } else if (++c->calm >= CALM_STEPS) {
        c->stiff = 0;
    }
    if (may_be_bound(c, v, h)) {
        c->patience *= 4; /* what its looks do not show they will not show later */
        try_other(c, v, reasons, "stability may bind steps, which are %.2g over the eigenvalue",
                  fabs(h) * c->stiffness.radius);
        return;
    }
    if (c->stiff < (c->suspect ? SUSPECT_STEPS : STIFF_STEPS)) return;
    if (c->since < 10 * STIFF_STEPS) c->patience *= 4; /* it was not for long */
    c->is_explicit = c->suspect = false;
    change(c, v, reasons, OUT_OF_REACH, shown);
}

static bool becomes_explicit(method_selection *c, const method_view *v, double h, double *reach)
{
    if (!c->stiffness.possible) return false;
    if (c->since < c->patience || c->since % LOOK_EVERY != 0) return false;
    if (work_of_run(c, v) < LONG_ENOUGH) return false;
    look(c, v, LATER_LOOK);
    *reach = fabs(h) * c->stiffness.radius / DOPRI5_BEARS;
    bool creeps = fabs(h) < CREEPING * c->longest && c->since < FIRST_REVISIT;
    c->calm = !creeps && *reach < EXPLICIT_REACH && c->stiffness.radius > 0 ? c->calm + 1 : 0;
    return c->calm >= CALM_LOOKS;
}

static bool wants_another_order(const method_selection *c, const method_view *v)
{
    bool alone = c->method_trial.at_work == METHOD_TRIAL_ONE_STEP && !c->method_trial.on_trial &&
                 !c->failed;
    return alone && strcmp(c->name, implicit_method(c, v)) != 0;
}

static void watch_implicit(method_selection *c, const method_view *v, double h, text *reasons)
{
    double reach, rate = c->method_trial.rate;
    bool was_on_trial = c->method_trial.on_trial;
    if (c->before == 0 && becomes_explicit(c, v, h, &reach)) {
        try_other(c, v, reasons, OUT_OF_REACH, reach);
    } else if (wants_another_order(c, v)) {
        change(c, v, reasons, "higher orders for a relative tolerance of %.1g", v->rtol);
    } else if (method_trial_watch(&c->method_trial, v->problem, h)) {
        change(c, v, reasons,
               was_on_trial ? CAME_LESS_FAR : "a step took as much as %.2g of a multistep method",
               was_on_trial ? method_trial_rate(&c->method_trial) / rate
                            : method_trial_dearness(&c->method_trial, v->problem));
    }
}

void method_selection_watch(method_selection *c, const method_view *v, double h, double shown,
                            text *reasons)
{
    if (v->fixed_step) return;
    c->since++;
    c->since_failure++;
    c->longest = fmax(c->longest, fabs(h));
    keep_pace(c, v, h);
    if (gives_up_trial(c, v, reasons)) return;
    if (c->is_explicit)
        watch_explicit(c, v, h, shown, reasons);
    else
        watch_implicit(c, v, h, reasons);
}

/* Multistep methods begin with order 1, and after a failure the step is what failed. */
double method_selection_first_step(const method_selection *c, double h)
{
    return c->failed || c->method_trial.at_work == METHOD_TRIAL_MULTISTEP ? 0 : 0.5 * fabs(h);
}

/* Methods that are tried in turn after a failure, the most robust first. */
static const char *const AFTER_FAILURE[] = {"radau-iia3", "bdf", "mebdf", "radau-iia5"};

enum { AFTERS = sizeof AFTER_FAILURE / sizeof *AFTER_FAILURE };

/* The first that has not been tried, AFTERS where all have been; the one that has just stopped
 * counts as tried. */
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
    c->is_explicit = false;
    c->before = 0;
    c->since_failure = 0;
    method_trial_close(&c->method_trial, METHOD_TRIAL_ONE_STEP);
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

void method_selection_free(method_selection *c)
{
    workspace_free(&c->space);
}
