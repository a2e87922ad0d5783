#include "solve/judge.h"

#include "base/round_off.h"

#include <math.h>

/* After HALVINGS bisections at a sign change, a determinant that passes 0 has fallen to this part
 * of its end values. One that passes a pole has grown. */
enum { HALVINGS = 40 };
static const double FALLEN = 1e-3;

/* Limits to the repetitions of a step: their number; its length relative to the first step that
 * passed; and the determinant relative to its value before that step. A smaller determinant may be
 * all error. */
enum { MOST_ATTEMPTS = 60 };
static const double SHORTEST = 1e-7, LEAST_LEFT = 1e-5;

/* Near such a point no step may take more than this part of a determinant. */
static const double LOSES = 0.5;

/* Near such a point, errors are held at the tolerances divided by CARE, though not below a relative
 * tolerance of TIGHTEST. The reason: on the way to the point, an error moves the solution by its
 * square root. */
static const double CARE = 1e4, TIGHTEST = 1e-10;

/* A determinant has vanished where it is this small relative to its largest value. It vanished
 * evenly where it fell by at least EVENLY times its mean rate. */
static const double NOTHING = 1e-6, EVENLY = 0.1;

/* Points to leap from are kept where a determinant that falls evenly to 0 is LEAP_FROM of its
 * largest value, and each time it is NEARER of the last one. A leap is tried after MANY steps from
 * the first on. */
static const double LEAP_FROM = 0.05, NEARER = 0.25;
enum { MANY = 200 };

/* A determinant rests at 0 where it does so for RESTS times the time that it had to fall, and is
 * not small for other reasons. The units may be others there: so multiplied by the variables that
 * are determined it is as small beside what it was, where a variable that passes 0 counts with
 * NO_ZERO of that. A law may be flat there, as that of a diode: so it is another one where the
 * variables are moved by SHIFT of what they were. */
static const double RESTS = 20, NO_ZERO = 1e-3, SHIFT = 1e-6;

void crossing_carve(crossing *x, size_t n, workspace *space)
{
    if (x->count == 0) return;
    workspace_vectors(
        space, x->count,
        (double **[]){&x->before, &x->most, &x->most_t, &x->slope, &x->here, &x->within, NULL});
    engine_point_carve(&x->aside, n, space);
    engine_point_carve(&x->end, n, space);
    for (int k = 0; k < LEAP_POINTS; k++) engine_point_carve(&x->leap[k].at, n, space);
}

void crossing_begin(crossing *x, simulation *c, const engine *e)
{
    if (x->count == 0) return;
    c->ops->determinants(c, e->t, e->y, e->yp, x->here);
    crossing_keep(x, c, e);
}

/* Evaluates the determinants at time t of a step, on its polynomial, into x->within. */
static void look_within(crossing *x, simulation *c, const dense_output *step, double t)
{
    dense_output_evaluate(step, t, x->aside.y, x->aside.yp);
    c->ops->determinants(c, t, x->aside.y, x->aside.yp, x->within);
}

static double determinant_at(crossing *x, simulation *c, const dense_output *step, size_t k,
                             double t)
{
    look_within(x, c, step, t);
    return x->within[k];
}

/* Finds where block k becomes singular between the ends of the last step. If the sign already
 * differs at the start of the polynomial, the solution went over as its algebraic variables were
 * solved for anew. If the sign differs only after the end of the polynomial, it went over in the
 * projection onto the constraints. */
static bool find_zero(crossing *x, simulation *c, engine *e, size_t k, double *t)
{
    const dense_output *step = engine_polynomial(e);
    double low = step->t, high = step->t + step->h, first = x->before[k], last = x->here[k];
    double here = determinant_at(x, c, step, k, *t = low);
    if (here * first < 0) return true;
    here = determinant_at(x, c, step, k, *t = high);
    if (here * first > 0) return true;
    for (int i = 0; i < HALVINGS; i++) {
        *t = low + 0.5 * (high - low);
        here = determinant_at(x, c, step, k, *t);
        if (here * first > 0)
            low = *t;
        else
            high = *t;
    }
    return fabs(here) < FALLEN * fmax(fabs(first), fabs(last));
}

/* Whether determinant k, now `value`, has another sign than before. */
static bool turns(const crossing *x, size_t k, double value)
{
    return value * x->before[k] < 0 && fabs(value) > ROUND_OFF_AMPLIFIED * x->most[k];
}

/* Nonlinear blocks are searched before linear ones, because linear blocks have no other solutions
 * to go over to. Near such a point, a determinant that keeps its sign may also lose more than it
 * may, by its slope over the last step: the step may then have come back on another solution. */
static bool turns_at_end(crossing *x, simulation *c, engine *e, bool nonlinear)
{
    bool is_near = x->place == CROSSING_NEAR, found = false;
    for (size_t k = 0; k < x->count && !found; k++) {
        if (c->ops->nonlinear(c, k) != nonlinear) continue;
        double left = LOSES * x->before[k] + x->slope[k] * e->dense.h;
        found = turns(x, k, x->here[k]) ? find_zero(x, c, e, k, &x->t)
                                        : is_near && nonlinear && left * x->before[k] < 0;
        x->which = k;
    }
    return found;
}

/* The same at the points within the step that the judge examines. */
static bool turns_within(crossing *x, simulation *c, engine *e, const judge *j)
{
    const dense_output *step = engine_polynomial(e);
    bool found = false;
    for (size_t i = 0; i < j->points && !found; i++) {
        x->t = judge_time(j, step, i);
        look_within(x, c, step, x->t);
        for (size_t k = 0; k < x->count && !found; k++) {
            found = c->ops->nonlinear(c, k) && turns(x, k, x->within[k]);
            x->which = k;
        }
    }
    return found;
}

/* The least slope of a determinant that falls evenly. */
static double even_slope(const crossing *x, const engine *e, size_t k)
{
    return EVENLY * x->most[k] / fabs(e->t - x->most_t[k]);
}

/* Whether a determinant that fell evenly to nothing rises again. A run that creeps up to a point
 * where solutions meet turns back to the same side of it. The determinant of x^3 = t^3 flattens out
 * instead. */
static bool turns_back(crossing *x, const engine *e)
{
    bool found = false;
    for (size_t k = 0; k < x->count && !found; k++) {
        double was = fabs(x->before[k]), is = fabs(x->here[k]), h = fabs(e->dense.h);
        double even = even_slope(x, e, k);
        bool fell = x->slope[k] * e->dense.h * x->before[k] < 0 && fabs(x->slope[k]) > even;
        found = fell && is > was && is - was > even * h && was < NOTHING * x->most[k];
        x->which = k;
        x->t = e->t;
    }
    return found;
}

static double care_near(const engine *e)
{
    return fmax(1, fmin(CARE, e->options.rtol / TIGHTEST));
}

bool crossing_look(crossing *x, simulation *c, engine *e, const judge *j)
{
    if (x->count == 0) return false;
    if ((j->begun.t - x->until) * e->options.direction >= 0) x->place = CROSSING_AWAY;
    e->care = x->place == CROSSING_NEAR ? care_near(e) : 1;
    c->ops->determinants(c, e->t, e->y, e->yp, x->here);
    bool over = turns_at_end(x, c, e, true) || turns_within(x, c, e, j);
    x->found = over || turns_at_end(x, c, e, false) || turns_back(x, e);
    return over;
}

bool crossing_makes_again(crossing *x, engine *e, const judge *j, bool holds)
{
    double h = fabs(e->dense.h), left = fabs(x->before[x->which]);
    if (x->place == CROSSING_AWAY) {
        /* without memory for it, shorter steps are not tried */
        if (!dense_output_copy(&x->step, engine_polynomial(e))) return false;
        engine_point_keep(&x->end, e);
        x->place = CROSSING_NEAR;
        x->holds = holds;
        x->attempts = 0;
        x->length = h;
        x->left = left;
        x->until = j->begun.t + 2 * e->dense.h;
    }
    if (x->attempts == MOST_ATTEMPTS) return false;
    if (JUDGE_SHORTER * h < SHORTEST * x->length || left < LEAST_LEFT * x->left) return false;
    x->attempts++;
    e->care = care_near(e);
    return true;
}

bool crossing_takes_first(crossing *x, simulation *c, engine *e)
{
    if (x->place != CROSSING_NEAR) return false;
    x->place = CROSSING_PASSING;
    e->care = 1;
    if (!x->holds || x->step.formulation_number != c->formulation_number) return false;
    x->found = true;
    engine_restart(e, x->end.t, x->end.y, x->end.yp, x->length, 0);
    dense_output_put(&e->dense, &x->step);
    c->ops->determinants(c, e->t, e->y, e->yp, x->here);
    return true;
}

/* The last point is that of the other sign, or as far away as the first one: the run is past. */
static bool is_past(const crossing *x)
{
    size_t k = x->leap[0].which;
    return fabs(x->here[k]) > LEAP_FROM * x->most[k];
}

/* Whether the point is one to leap from, and nearer than those before it. */
static bool leads_over(const crossing *x, const engine *e, size_t k)
{
    double size = fabs(x->here[k]), slope = x->slope[k] * e->options.direction;
    bool falls = slope * x->here[k] < 0 && fabs(slope) > even_slope(x, e, k);
    if (!falls || size > LEAP_FROM * x->most[k] || x->leaps == LEAP_POINTS) return false;
    if (x->leaps == 0) return true;
    const leap_point *last = &x->leap[x->leaps - 1];
    return last->which == k && x->here[k] * last->left > 0 && size < NEARER * fabs(last->left);
}

static void keep_leap_points(crossing *x, const simulation *c, const engine *e)
{
    if (x->leaps > 0 && is_past(x)) x->leaps = 0;
    if (x->leaps > 0) x->since++;
    for (size_t k = 0; k < x->count; k++) {
        if (!c->ops->nonlinear(c, k) || !leads_over(x, e, k)) continue;
        if (x->leaps == 0) x->since = 0;
        leap_point *p = &x->leap[x->leaps++];
        engine_point_keep(&p->at, e);
        p->which = k;
        p->left = x->here[k];
        p->reach = -x->here[k] / x->slope[k];
        p->formulation_number = c->formulation_number;
        x->leapt = false;
    }
}

bool crossing_wants_leap(const crossing *x)
{
    if (x->leaps == 0 || x->leapt) return false;
    size_t k = x->leap[0].which;
    return x->since > MANY || fabs(x->here[k]) <= NOTHING * x->most[k];
}

/* Whether determinant k vanishes at a point as it does where solutions cross. */
static bool vanishes(const crossing *x, simulation *c, size_t k, const engine_point *now)
{
    const leap_point *first = &x->leap[0];
    double value[SIMULATION_BLOCK], before[SIMULATION_BLOCK], by[SIMULATION_BLOCK], size = 1;
    size_t count = c->ops->variables(c, now, k, value);
    c->ops->variables(c, &first->at, k, before);
    for (size_t i = 0; i < count; i++) {
        if (before[i] != 0) size *= fmax(fabs(value[i] / before[i]), NO_ZERO);
        by[i] = SHIFT * fmax(fabs(value[i]), fabs(before[i]));
    }
    double here = fabs(x->here[k]);
    if (!(here * size <= NOTHING / LEAP_FROM * fabs(first->left))) return false;
    return fabs(c->ops->moved(c, now, k, by) - x->here[k]) > here;
}

bool crossing_rests(const crossing *x, simulation *c, const engine *e)
{
    if (x->leaps == 0) return false;
    const leap_point *first = &x->leap[0];
    const engine_point now = {e->t, e->y, e->yp};
    size_t k = first->which;
    bool far = fabs(e->t - first->at.t) > RESTS * fabs(first->reach);
    if (!far || !(fabs(x->here[k]) <= NOTHING * x->most[k])) return false;
    return first->formulation_number == c->formulation_number && vanishes(x, c, k, &now);
}

void crossing_keep(crossing *x, const simulation *c, const engine *e)
{
    for (size_t k = 0; k < x->count; k++) {
        double size = fabs(x->here[k]), h = e->dense.h;
        if (!isfinite(size)) continue;
        if (size > x->most[k]) x->most[k] = size, x->most_t[k] = e->t;
        x->slope[k] = h != 0 ? (x->here[k] - x->before[k]) / h : 0;
        if (size > ROUND_OFF_AMPLIFIED * x->most[k]) x->before[k] = x->here[k];
    }
    keep_leap_points(x, c, e);
}
