#include "base/arena.h"
#include "base/scatter.h"
#include "integrate/engines.h"
#include "integrate/stages.h"
#include "method/properties.h"
#include "stepping/instant.h"

#include <math.h>

/* alpha of the pencil alpha F_y' + F_y, in units of the pace at which the solution changes. */
static const double FAR = 1e9;

/* How far aside the points lie, in units of the variables' sizes and of the time in which these
 * change. The nearer point is used if there is no solution near the first. */
static const double ASIDE[] = {1e-3, 1e-5};

typedef struct look {
    problem *p;
    const engine_point *start;
    double direction, pace, alpha;
    double *kernel, *scale, *inside, *noise; /* a vector of the kernel; F_y' times the vector it was
                                              * made from, times it, and times it at a point that
                                              * differs by round-off */
    double *y, *yp, *change, *scratch;       /* the point aside */
    workspace space;
} look;

static void carve(look *l)
{
    workspace_vectors(&l->space, l->p->n,
                      (double **[]){&l->kernel, &l->scale, &l->inside, &l->noise, &l->y, &l->yp,
                                    &l->change, &l->scratch, NULL});
}

static double size_of(const look *l, size_t k)
{
    return fmax(fabs(l->start->y[k]), l->p->nominal[k]);
}

static double rate_of(const look *l, size_t k)
{
    return fmax(fabs(l->start->yp[k]), l->pace * size_of(l, k));
}

static void find_pace(look *l, const engine_options *options)
{
    const problem *p = l->p;
    for (size_t k = 0; k < p->n; k++)
        if (p->dynamic[k]) l->pace = fmax(l->pace, fabs(l->start->yp[k]) / size_of(l, k));
    if (!(l->pace > 0)) l->pace = options->fixed_step > 0 ? 1 / options->fixed_step : 1;
    l->alpha = FAR * l->pace;
}

static void move_aside(look *l, double near)
{
    for (size_t k = 0; k < l->p->n; k++) {
        double turn = l->p->dynamic[k] ? near * rate_of(l, k) * scattered(3 * k) : 0;
        l->y[k] = l->start->y[k] + near * size_of(l, k) * scattered(2 * k);
        l->yp[k] = l->start->yp[k] + turn;
    }
}

/* Finds a vector of the kernel at the start, and what round-off makes of F_y' times this vector. If
 * Jacobians are difference quotients, F_y' is a different one at a point that differs by
 * round-off. */
static dae_status look_here(look *l)
{
    problem *p = l->p;
    const engine_point *s = l->start;
    dae_status status = problem_linearize(p, s->t, s->y, s->yp);
    if (status == DAE_OK) status = problem_factor(p, 0, l->alpha, 1);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < p->n; k++) l->kernel[k] = p->nominal[k] * scattered(2 * k + 1);
    problem_multiply(p, l->kernel, l->scale);
    open_yp_find(p, 0, l->alpha, l->kernel, l->scratch);
    problem_multiply(p, l->kernel, l->inside);
    move_aside(l, 1e-13);
    status = problem_linearize(p, s->t, l->y, l->yp);
    if (status == DAE_OK) problem_multiply(p, l->kernel, l->noise);
    return status;
}

/* One Newton step from a point aside to the equations there, because only solutions must have the
 * rank of F_y'. y moves in the directions that the kernel leaves open, y' in the others. */
static dae_status approach(look *l, double t, double *size)
{
    problem *p = l->p;
    dae_status status = problem_linearize(p, t, l->y, l->yp);
    if (status == DAE_OK) status = problem_factor(p, 0, l->alpha, 1);
    if (status == DAE_OK) status = problem_residual(p, t, l->y, l->yp, l->change);
    if (status != DAE_OK) return status;
    problem_solve(p, 0, l->change);
    problem_multiply(p, l->change, l->scratch);
    for (size_t k = 0; k < p->n; k++) l->scratch[k] *= l->alpha;
    problem_solve(p, 0, l->scratch);
    *size = 0;
    for (size_t k = 0; k < p->n; k++) {
        double yp = l->alpha * l->scratch[k];
        l->change[k] -= l->scratch[k];
        l->y[k] -= l->change[k];
        l->yp[k] -= yp;
        *size = fmax(*size, fmax(fabs(l->change[k]) / size_of(l, k), fabs(yp) / rate_of(l, k)));
    }
    return isfinite(*size) ? DAE_OK : DAE_NEWTON;
}

/* Linearises at a solution aside from the start. DAE_NEWTON if none is found. */
static dae_status look_aside(look *l, double near)
{
    enum { ITERATIONS = 8 };
    const double converged = 1e-9;
    double t = l->start->t + l->direction * near / l->pace, size = HUGE_VAL;
    move_aside(l, near);
    for (int i = 0; i < ITERATIONS; i++) {
        dae_status status = approach(l, t, &size);
        if (status != DAE_OK) return status;
        if (size < converged) return DAE_OK;
    }
    return DAE_NEWTON;
}

/* Whether F_y' at the last point maps the kernel's vector from the start to more than round-off. */
static bool has_moved(look *l)
{
    problem *p = l->p;
    problem_multiply(p, l->kernel, l->change);
    for (size_t k = 0; k < p->n; k++) {
        double noise = fmax(fabs(l->inside[k]), fabs(l->noise[k]));
        if (fabs(l->change[k]) > 1e-9 * fabs(l->scale[k]) + 30 * noise) return true;
    }
    return false;
}

typedef struct kernel_found {
    bool oblique; /* it holds more than variables whose derivatives do not occur */
    bool moves;
} kernel_found;

static dae_status look_at(look *l, kernel_found *found)
{
    dae_status status = look_here(l);
    if (status != DAE_OK) return status;
    found->oblique = open_yp_is_any(l->p, l->kernel, true);
    if (!open_yp_is_any(l->p, l->kernel, false) || l->p->constant_mass) return DAE_OK;
    for (size_t k = 0; k < sizeof ASIDE / sizeof *ASIDE; k++) {
        status = look_aside(l, ASIDE[k]);
        if (status == DAE_OK) found->moves = has_moved(l);
        if (status == DAE_OK || status == DAE_STOPPED) return status;
    }
    return status;
}

/* If values cannot be evaluated, nothing is reported here; the run will show it. */
static dae_status find_kernel(problem *p, const engine_options *options, const engine_point *start,
                              kernel_found *found, message *m)
{
    look l = {.p = p, .start = start, .direction = options->direction};
    *found = (kernel_found){false, false};
    carve(&l);
    dae_status status = workspace_allocate(&l.space);
    if (status == DAE_OK) status = problem_reserve(p, 1, (const bool[]){false});
    if (status == DAE_OK) {
        carve(&l);
        find_pace(&l, options);
        status = look_at(&l, found);
    }
    workspace_free(&l.space);
    if (status == DAE_STOPPED) return message_fail(m, status, "stopped at the start");
    return status == DAE_NO_MEMORY ? status : DAE_OK;
}

static const char MOVES[] =
    "combinations of derivatives that the equations leave open change along the run (the kernel of "
    "F_y' moves)";

/* What these methods cannot do with a kernel that moves, or, `one_leg`, with any. */
static dae_status refuse(const method *which, bool one_leg, message *m)
{
    if (one_leg)
        return message_fail(m, DAE_UNSUPPORTED,
                            "%s cannot advance these equations: they leave combinations of "
                            "derivatives open, and one-leg methods with a root of sigma that is "
                            "not inside the unit circle do not lessen the errors there from step "
                            "to step; try radau-iia3, esdirk4 or bdf3",
                            which->name);
    return message_fail(m, DAE_UNSUPPORTED,
                        "%s cannot advance these equations: %s, and errors in them grow from step "
                        "to step, for sigma has a root outside the unit circle; try radau-iia3 or "
                        "bdf3",
                        which->name, MOVES);
}

dae_status kernel_examine(problem *p, const method *which, const engine_options *options,
                          const engine_point *start, message *m)
{
    method_properties known;
    kernel_found kernel;
    bool one_leg = which->multistep && which->multistep->one_leg;
    if (which->structural || which->base || which->family == METHOD_HALF_EXPLICIT) return DAE_OK;
    if ((p->constant_mass && !one_leg) || p->hidden_directions > 0 || problem_highest_index(p) > 1)
        return DAE_OK;
    dae_status status = method_properties_find(which, &known);
    bool grows = one_leg && known.index1[1] == METHOD_NO_ORDER;
    if (status != DAE_OK || (known.moving_kernel >= known.index1[0] && !grows)) return status;
    status = find_kernel(p, options, start, &kernel, m);
    if (status != DAE_OK) return status;
    if (grows && (kernel.oblique || kernel.moves)) return refuse(which, true, m);
    if (!kernel.moves) return DAE_OK;
    if (known.moving_kernel == METHOD_NO_ORDER) return refuse(which, false, m);
    message_note(m, "%s: there %s is of order %d in place of %d%s; try radau-iia3 or bdf", MOVES,
                 which->name, known.moving_kernel, known.index1[0],
                 options->fixed_step > 0 ? ""
                                         : ", and can be less accurate than the tolerance says");
    return DAE_OK;
}

/* A method of s stages has order 2s - 1 in y, order s in algebraic variables of index 2, and order
 * s - 1 in multipliers of index 3 (Hairer & Wanner II, Table VII.4.1). */
const char *starter_name(const problem *p, int order)
{
    int index = problem_highest_index(p);
    int wanted = index == 1 ? (order + 2) / 2 : order + index - 2;
    return wanted <= 3 ? "radau-iia3" : wanted <= 5 ? "radau-iia5" : "radau-iia7";
}

dae_status starter_create(engine *owner, const char *name, message *m)
{
    starter *s = &owner->starter;
    dae_status status = method_create(&s->method, name, m);
    if (status != DAE_OK) return status;
    return engine_create(&s->engine, owner->problem, s->method, &owner->options, m);
}

dae_status starter_step(engine *owner, corrector *q, double t)
{
    engine *e = owner->starter.engine;
    size_t iterations = e->counts.newton_iterations;
    e->options.direction = owner->options.direction;
    engine_polynomial(owner); /* the history's, before the starter's takes its place */
    engine_start(e, owner->t, owner->y, owner->yp);
    dae_status status = engine_step(e, t);
    owner->counts.newton_iterations += e->counts.newton_iterations - iterations;
    corrector_restart(q);
    if (status == DAE_OK)
        owner->dense = e->dense;
    else
        owner->failure = e->failure;
    return status;
}

void starter_state(engine *owner, state_visit *to)
{
    engine *e = owner->starter.engine;
    bool shares = e && owner->dense.coefficient == e->dense.coefficient;
    STATE(to, shares);
    if (e) engine_part_state(e, to);
    owner->dense.coefficient = shares ? e->dense.coefficient : owner->next.coefficient;
}
