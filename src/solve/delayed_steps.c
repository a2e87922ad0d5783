/* The past that delays need, from the steps of a run. */
#include "solve/delays.h"
#include "solve/solver.h"

#include <math.h>
#include <string.h>

/* The polynomials through the nodes may be off by this part of the tolerance, unless there are as
 * many nodes as can be kept. */
static const double OFF = 0.01;

/* The nodes at which a step's polynomial of that degree is sampled at first. */
static size_t nodes_of(int degree)
{
    enum { LEAST = 5, MORE = 2 };
    size_t nodes = (size_t)degree + MORE;
    return nodes < LEAST ? LEAST : nodes < PAST_MOST_NODES ? nodes : PAST_MOST_NODES;
}

/* What an algebraic variable is off by comes back through its own delay: it may be off by this part
 * of the tolerance, that of states by the tolerance. */
static const double OF_ALGEBRAIC = 1e-3;

/* Delayed expressions at the nodes of a part of the last step. */
static dae_status look_at(dae_solver *s, size_t nodes, double t, double end)
{
    simulation *c = s->simulation;
    delays *d = c->delays;
    const dense_output *step = engine_polynomial(s->engine);
    bool as_it_is = d->view->of_states && d->view->derived == 0;
    dae_status status = DAE_OK;
    for (size_t i = 0; i < nodes && status == DAE_OK; i++) {
        double at = i + 1 < nodes ? past_node(i, nodes, t, end - t) : end;
        const dense_output *from = at < s->engine->t ? step : NULL;
        status = as_it_is ? solve_evaluate_as_it_is(s, at, from) : solve_evaluate(s, at, from);
        double *value = d->at_nodes + i * 2 * d->count;
        delays_look(d, at, c->value, value, NULL);
        delays_look_at_rates(d, at, c->value, c->value_yp, value + d->count);
    }
    memcpy(d->at_nodes, delays_behind(d), d->count * sizeof *d->at_nodes); /* it is continuous */
    return status;
}

static double tolerance(const dae_solver *s, double value)
{
    return s->options.atol + s->options.rtol * fabs(value);
}

/* By how much the polynomials through the nodes may miss what is delayed, which need not be linear
 * in what the steps give; 1: as much as they may. */
static double miss_between(const dae_solver *s, size_t nodes)
{
    const delays *d = s->simulation->delays;
    double most = 0;
    for (size_t k = 0; k < d->count; k++) {
        double size = 0;
        for (size_t i = 0; i < nodes; i++)
            size = fmax(size, fabs(d->at_nodes[i * 2 * d->count + k]));
        double off = past_tail(2 * d->count, k, nodes, d->at_nodes);
        off /= OFF * tolerance(s, size);
        most = off <= most ? most : off;
    }
    return most;
}

/* *off: miss_between() the nodes. */
static dae_status look_along(dae_solver *s, size_t *nodes, double t, double end, double *off)
{
    *nodes = nodes_of(engine_polynomial(s->engine)->degree);
    dae_status status = look_at(s, *nodes, t, end);
    if (status == DAE_OK) *off = miss_between(s, *nodes);
    if (status != DAE_OK || *off <= 1 || *nodes == PAST_MOST_NODES) return status;
    *nodes = PAST_MOST_NODES;
    status = look_at(s, *nodes, t, end);
    if (status == DAE_OK) *off = miss_between(s, *nodes);
    return status;
}

/* Half of a part misses less than this part of what the whole does, or it is noise that is missed,
 * as rounding is, and halves would follow that. */
static const double LESS = 0.1;

/* Adds a part of the last step to the past, in halves where one polynomial does not follow: a step
 * may be long where what is delayed is no state. What was supposed of the step is one polynomial,
 * and is read meanwhile. */
static dae_status keep_part(dae_solver *s, double t, double end, int halvings)
{
    enum { MOST_HALVINGS = 8 };
    delays *d = s->simulation->delays;
    size_t nodes;
    double middle = t + (end - t) / 2, off, half;
    bool splits = !d->supposed && halvings < MOST_HALVINGS && middle > t && middle < end;
    dae_status status = look_along(s, &nodes, t, end, &off);
    if (status == DAE_OK && off > 1 && splits) {
        status = look_along(s, &nodes, t, middle, &half);
        if (status == DAE_OK && half <= LESS * off) {
            status = keep_part(s, t, middle, halvings + 1);
            return status == DAE_OK ? keep_part(s, middle, end, halvings + 1) : status;
        }
        if (status == DAE_OK) status = look_along(s, &nodes, t, end, &off);
    }
    if (status != DAE_OK) return status;
    return message_status(&s->message, delays_add(d, t, end - t, nodes, d->at_nodes));
}

static dae_status refuse_backward(dae_solver *s, const sym_delay *x, double by)
{
    return message_fail(&s->message, DAE_ASSERTION,
                        "x of %s (%s:%u) moves against positiveVelocity: by %.3g up to t = %.9g\n"
                        "  remedy: positiveVelocity is der(x) >= 0",
                        x->text, s->simulation->delays->system->file, x->at.line, by, s->engine->t);
}

dae_status solve_keep_past(dae_solver *s)
{
    delays *d = s->simulation->delays;
    if (!d) return DAE_OK;
    const dense_output *step = engine_polynomial(s->engine);
    double by;
    memcpy(d->begun, delays_behind(d), d->count * sizeof *d->begun);
    dae_status status = keep_part(s, step->t, s->engine->t, 0);
    if (status == DAE_OK) delays_end_step(d, step->t);
    const sym_delay *x = d->transports ? transports_find_backward(d->transports, &by) : NULL;
    return status == DAE_OK && x ? refuse_backward(s, x, by) : status;
}

/* The segments that the last step has added. */
static past_window of_step(const past *p, double begin)
{
    past_window w = past_newest(p);
    while (w.first > p->first && past_segment_at(p, w.first - 1)->t >= begin) w.first--;
    return w;
}

/* Whether their polynomials pass the values at the nodes of the part of the step up to an event. */
static bool pass_through(const dae_solver *s, size_t nodes, double t, double end)
{
    const delays *d = s->simulation->delays;
    const past_window w = of_step(&d->past, t);
    for (size_t i = 0; i < nodes; i++) {
        for (size_t k = 0; k < d->count; k++) {
            double is = d->at_nodes[i * 2 * d->count + k];
            double was = past_value(&d->past, k, &w, 0, past_node(i, nodes, t, end - t));
            if (!(fabs(is - was) <= OFF * tolerance(s, is))) return false;
        }
    }
    return true;
}

/* After the event what is delayed may have another piece, as max(x, 0) has: a polynomial through
 * both is off on both sides. Where the piece before is continued far, as that of a delay is,
 * nothing is left of its values but rounding. */
dae_status solve_cut_past(dae_solver *s, double t)
{
    static const double SHORTEST = 1e-6; /* of the step */
    delays *d = s->simulation->delays;
    if (!d || !d->view->pieces) return DAE_OK;
    const dense_output *step = engine_polynomial(s->engine);
    double begin = step->t, *behind = d->past.behind, *at_end = d->before;
    size_t nodes;
    double off;
    if (t == s->engine->t || !(t - begin > SHORTEST * (s->engine->t - begin))) return DAE_OK;
    memcpy(at_end, behind, d->count * sizeof *behind);
    memcpy(behind, d->begun, d->count * sizeof *behind);
    dae_status status = look_along(s, &nodes, begin, t, &off);
    if (status != DAE_OK || pass_through(s, nodes, begin, t)) {
        memcpy(behind, at_end, d->count * sizeof *behind);
        return status;
    }
    past_drop_from(&d->past, begin);
    return keep_part(s, begin, t, 0);
}

/* By how many tolerances what is delayed at the nodes of the last step differs from what it has
 * taken from within itself. */
static double miss(const dae_solver *s, size_t nodes)
{
    const delays *d = s->simulation->delays;
    double t = s->engine->dense.t, h = s->engine->t - t, known = delays_known(d), most = 0;
    double reached = fmin(d->reached, t + h);
    for (size_t i = 0; i < nodes; i++) {
        double at = past_node(i, nodes, t, h);
        for (size_t k = 0; k < d->count && at > known && at <= reached; k++) {
            past_window w;
            bool counts = delays_reads_open(d, k, &w);
            double is = d->at_nodes[i * 2 * d->count + k];
            double was = counts ? past_value(&d->past, k, &w, 0, at) : is;
            double part = fabs(is - was) / tolerance(s, is);
            if (counts) most = part <= most ? most : part;
        }
    }
    return most;
}

/* Within a step that reaches into itself, algebraic variables follow from what is delayed, and this
 * from them: these values are iterated until they differ by no more than this part of a tolerance.
 */
static const double CLOSE = 1e-4;
enum { MOST_ITERATIONS = 200, MOST_REPEATS = 6 };

/* Takes what is delayed at the nodes for what the step finds, and iterates. DAE_NEWTON: that does
 * not converge. */
static dae_status iterate(dae_solver *s, size_t nodes)
{
    delays *d = s->simulation->delays;
    double t = engine_polynomial(s->engine)->t, h = s->engine->t - t, before = HUGE_VAL;
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        dae_status status = delays_suppose(d, t, h, nodes, d->at_nodes);
        if (status == DAE_OK) status = look_at(s, nodes, t, s->engine->t);
        if (status != DAE_OK) return status;
        double off = miss(s, nodes);
        if (off <= CLOSE) return delays_suppose(d, t, h, nodes, d->at_nodes);
        if (!(off < before)) break;
        before = off;
    }
    return DAE_NEWTON;
}

bool solve_misses_past(dae_solver *s, bool *repeats)
{
    delays *d = s->simulation->delays;
    *repeats = false;
    if (!d || s->options.step > 0) return false;
    if (!d->view->nested && !(d->reached > delays_known(d))) return false;
    double t = engine_polynomial(s->engine)->t;
    size_t nodes;
    double off;
    bool found = look_along(s, &nodes, t, s->engine->t, &off) == DAE_OK;
    if (found && !(d->reached > delays_known(d))) return false;
    bool misses = !found || !(miss(s, nodes) <= (d->view->of_states ? 1 : OF_ALGEBRAIC));
    if (misses && found && d->repeats++ < MOST_REPEATS) *repeats = iterate(s, nodes) == DAE_OK;
    if (misses && !*repeats) delays_forget_supposed(d);
    d->reached = -HUGE_VAL;
    return misses && !*repeats;
}
