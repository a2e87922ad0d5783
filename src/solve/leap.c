/* A leap over a point at which solutions cross.
 *
 * Where s^2 + c^2 = 1 gives c, and s comes to 1, an error d of s moves c by d/c: steps that keep it
 * within the tolerance become shorter and shorter, and end on s = 1, c = 0, another solution of
 * der(s) = w*c. Along the curve of solutions such a point is a simple bifurcation. A step along the
 * tangent passes it, and stays on the smooth branch, as the tangent is well determined on both
 * sides of it (W. C. Rheinboldt, SIAM J. Numer. Anal. 17 (1980) 221).
 *
 * So points before it are kept, from far to near. From one of them the curve is followed to
 * twice the distance of the zero of the determinant. At that end the determinant must be about as
 * large as at the point, with the opposite sign; then the engine continues from the end. */
#include "singular/curve.h"
#include "solve/solver.h"

#include <math.h>
#include <string.h>

/* Steps of a leap, points at which its polynomial is examined. */
enum { MOST_STEPS = 64, POINTS = 128, PARTS = 2 };

/* The polynomial may be off by so many tolerances between its ends. */
static const double OFF = 1;

/* The tolerance of the curve, far below that of the run. Where solutions only come close, at a
 * distance d, the tangent at a distance u from there differs from that of a crossing by (d/u)^2.
 * Steps that accurate show it, and turn with the solution. */
static const double SHOWS = 1e-10;

/* A leap ends at this part of the way that it was to go, or farther. */
static const double FAR_ENOUGH = 0.9;

/* Times of the zero that points tell may differ by this part of the way to it. */
static const double APART = 0.25;

/* Beyond, the determinant is that before, up to this factor. */
static const double ALIKE = 3;

typedef struct leap {
    dae_solver *solver;
    const leap_point *from;
    solution_curve *curve;
    size_t n, points;
    double direction;
    double t[POINTS], *y[POINTS]; /* of points on the way, n each; the last: its end */
    double *begin, *begin_yp, *end_yp, *middle; /* n */
    dense_output between;
    workspace space;
} leap;

static dae_status take_room(leap *l)
{
    for (int placing = 0; placing < 2; placing++) {
        for (int k = 0; k < POINTS; k++) l->y[k] = workspace_doubles(&l->space, l->n);
        workspace_vectors(&l->space, l->n,
                          (double **[]){&l->begin, &l->begin_yp, &l->end_yp, &l->middle, NULL});
        l->between.coefficient = workspace_doubles(&l->space, 4 * l->n);
        if (!placing && workspace_allocate(&l->space) != DAE_OK) return DAE_NO_MEMORY;
    }
    return DAE_OK;
}

static double time_at(const leap *l, const curve_point *at)
{
    return at->u[curve_order(l->curve)];
}

static double time_rate(const leap *l, const curve_point *at)
{
    return at->slope[curve_order(l->curve)] * l->direction;
}

/* Values at a point and the derivatives by time, of all variables. */
static void take_values(const leap *l, const curve_point *at, double *y, double *yp)
{
    memcpy(y, at->u, l->n * sizeof *y);
    for (size_t k = 0; k < l->n; k++) yp[k] = at->slope[k] / at->slope[curve_order(l->curve)];
}

static dae_status keep_points(leap *l)
{
    for (int k = 1; k <= PARTS; k++) {
        const curve_point *at = curve_next(l->curve);
        dae_status status = DAE_OK;
        if (k < PARTS) status = curve_within(l->curve, (double)k / PARTS, &at);
        if (status != DAE_OK) return status;
        memcpy(l->y[l->points], at->u, l->n * sizeof *at->u);
        l->t[l->points++] = time_at(l, at);
    }
    return DAE_OK;
}

/* Follows the curve for about the time `way`. */
static dae_status follow(leap *l, double way)
{
    solution_curve *c = l->curve;
    double begun = time_at(l, curve_here(c)), passed = 0;
    take_values(l, curve_here(c), l->begin, l->begin_yp);
    for (int i = 0; i < MOST_STEPS && passed < FAR_ENOUGH * way; i++) {
        double rate = time_rate(l, curve_here(c));
        if (!(rate > 0)) return DAE_SINGULAR;
        dae_status status = curve_step(c, (way - passed) / rate);
        if (status == DAE_OK) status = keep_points(l);
        if (status != DAE_OK) return status;
        curve_move(c, curve_next(c));
        passed = (time_at(l, curve_here(c)) - begun) * l->direction;
    }
    if (passed < FAR_ENOUGH * way || !(time_rate(l, curve_here(c)) > 0)) return DAE_SINGULAR;
    double t = time_at(l, curve_here(c));
    take_values(l, curve_here(c), l->middle, l->end_yp);
    l->between.t = begun;
    l->between.h = t - begun;
    l->between.n = l->n;
    dense_output_make_hermite(&l->between, l->begin, l->begin_yp, l->middle, l->end_yp);
    return DAE_OK;
}

/* Whether the polynomial through both ends goes through the points between them. */
static bool is_close(const leap *l)
{
    const engine_options *o = &l->solver->engine->options;
    for (size_t i = 0; i + 1 < l->points; i++) {
        dense_output_evaluate(&l->between, l->t[i], l->middle, NULL);
        for (size_t k = 0; k < l->n; k++) {
            double off = fabs(l->middle[k] - l->y[i][k]);
            if (!(off <= OFF * engine_tolerance(o, k, l->y[i][k]))) return false;
        }
    }
    return true;
}

/* Whether the determinant has the other sign at the end, and is as large. */
static bool is_beyond(leap *l)
{
    crossing *x = &l->solver->crossing;
    simulation *c = l->solver->simulation;
    size_t end = l->points - 1;
    curve_values(l->curve, curve_here(l->curve), l->middle, l->begin_yp);
    for (size_t k = 0; k < l->n; k++)
        if (!isfinite(l->begin_yp[k])) l->begin_yp[k] = 0;
    c->ops->determinants(c, l->t[end], l->y[end], l->begin_yp, x->within);
    double part = -x->within[l->from->which] / l->from->left;
    return part > 1 / ALIKE && part < ALIKE;
}

static bool try_leap(leap *l, double way)
{
    dae_solver *s = l->solver;
    const engine *e = s->engine;
    const engine_point *at = &l->from->at;
    curve_options options = {.rtol = SHOWS, .atol = SHOWS, .time_unit = way};
    l->points = 0;
    dae_status status = curve_create(&l->curve, e->problem, &options, at->t, at->y, at->yp);
    if (status == DAE_OK && l->direction < 0) curve_reverse(l->curve);
    if (status == DAE_OK) status = follow(l, way);
    bool made = status == DAE_OK && is_close(l) && is_beyond(l);
    curve_free(l->curve);
    l->curve = NULL;
    return made;
}

/* The engine goes on at the end, with one step that leads there. */
static void take(leap *l)
{
    dae_solver *s = l->solver;
    engine *e = s->engine;
    crossing *x = &s->crossing;
    const engine_point *from = &l->from->at;
    size_t end = l->points - 1;
    double h = fabs(l->between.h);
    engine_restart(e, from->t, from->y, from->yp, h, 0);
    engine_point_keep(&s->judge.begun, e);
    engine_restart(e, l->t[end], l->y[end], l->begin_yp, h, 0);
    dense_output_put(&e->dense, &l->between);
    e->dense.formulation_number = s->simulation->formulation_number;
    e->dense.mode_number = s->simulation->mode_number;
    e->evidence = (engine_evidence){0};
    e->care = 1;
    e->counts.steps++;
    e->counts.attempts++;
    x->before[l->from->which] = l->from->left;
    x->place = CROSSING_PASSING;
    x->until = e->t;
    trajectory_cut(&s->kept, from->t);
}

static bool can_leap(const dae_solver *s, const leap_point *from)
{
    const simulation *c = s->simulation;
    const engine *e = s->engine;
    bool known = s->options.step == 0 && !c->delays && engine_can_lend(e) && e->room >= 3;
    bool since = s->stats.events == 0 || (from->at.t - s->event.t) * e->options.direction >= 0;
    return known && since && from->formulation_number == c->formulation_number;
}

/* Whether a point and the next one, or the last one before it, tell the same time of the zero: the
 * determinant falls as a straight line, and not ever faster, as towards a fold. */
static bool falls_straight(const crossing *x, size_t k)
{
    if (x->leaps < 2) return true;
    const leap_point *p = &x->leap[k], *q = &x->leap[k + 1 < x->leaps ? k + 1 : k - 1];
    double far = fmax(fabs(p->reach), fabs(q->reach));
    return fabs(p->at.t + p->reach - q->at.t - q->reach) <= APART * far;
}

/* From the farthest point on: what is nearer is less well determined. */
static bool leap_from_any(leap *l, bool *tried)
{
    crossing *x = &l->solver->crossing;
    bool made = false;
    for (size_t k = 0; k < x->leaps && !made; k++) {
        l->from = &x->leap[k];
        double way = 2 * fabs(l->from->reach);
        double left = (x->limit - l->from->at.t) * l->direction;
        if (!(left > way) || !falls_straight(x, k) || !can_leap(l->solver, l->from)) continue;
        *tried = true;
        made = try_leap(l, way);
    }
    return made;
}

bool solve_leaps(dae_solver *s)
{
    crossing *x = &s->crossing;
    engine *e = s->engine;
    if (x->leaps == 0 || x->leapt || !can_leap(s, &x->leap[0])) return false;
    leap l = {.solver = s, .n = e->problem->n, .direction = e->options.direction};
    x->leapt = true;
    bool tried = false, made = take_room(&l) == DAE_OK && leap_from_any(&l, &tried);
    if (tried) engine_lend(e);
    if (made) take(&l);
    workspace_free(&l.space);
    return made;
}

/* A run that has come onto a solution on which the equations determine nothing is none of theirs
 * for sure. */
dae_status solve_report_rest(dae_solver *s)
{
    const leap_point *first = &s->crossing.leap[0];
    text named = {0};
    s->simulation->ops->name_determined(s->simulation, first->which, &named);
    message_fail(&s->message, DAE_SINGULAR,
                 "stopped at t = %.9g: near t = %.6g solutions cross, and since then the run "
                 "is on one along which the equations do not determine %s. What was computed up to "
                 "there is kept\n  remedy: an equation that determines these there, as the "
                 "derivative of a constraint in its place, or a tighter tolerance",
                 s->engine->t, first->at.t + first->reach, text_string(&named));
    text_free(&named);
    return s->message.status;
}
