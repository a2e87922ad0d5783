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

/* Delayed expressions at the nodes of the last step. */
static dae_status look_at(dae_solver *s, size_t nodes, double t, double h)
{
    simulation *c = s->simulation;
    delays *d = c->delays;
    const dense_output *step = engine_polynomial(s->engine);
    bool to_end = h == s->engine->t - step->t;
    bool as_it_is = d->view->of_states && d->view->derived == 0;
    dae_status status = DAE_OK;
    for (size_t i = 0; i < nodes && status == DAE_OK; i++) {
        double at = past_node(i, nodes, t, h);
        const dense_output *from = i + 1 < nodes || !to_end ? step : NULL;
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

/* Whether the polynomials through the nodes are what is delayed, which need not be linear in what
 * the steps give. */
static bool are_enough(const dae_solver *s, size_t nodes)
{
    const delays *d = s->simulation->delays;
    for (size_t k = 0; k < d->count; k++) {
        double size = 0;
        for (size_t i = 0; i < nodes; i++)
            size = fmax(size, fabs(d->at_nodes[i * 2 * d->count + k]));
        double off = past_tail(2 * d->count, k, nodes, d->at_nodes);
        if (!(off <= OFF * tolerance(s, size))) return false;
    }
    return true;
}

static dae_status look_along(dae_solver *s, size_t *nodes, double t, double h)
{
    *nodes = nodes_of(engine_polynomial(s->engine)->degree);
    dae_status status = look_at(s, *nodes, t, h);
    if (status != DAE_OK || *nodes == PAST_MOST_NODES || are_enough(s, *nodes)) return status;
    *nodes = PAST_MOST_NODES;
    return look_at(s, *nodes, t, h);
}

dae_status solve_keep_past(dae_solver *s)
{
    delays *d = s->simulation->delays;
    if (!d) return DAE_OK;
    const dense_output *step = engine_polynomial(s->engine);
    double t = step->t, h = s->engine->t - t;
    size_t nodes;
    dae_status status = look_along(s, &nodes, t, h);
    if (status != DAE_OK) return status;
    return message_status(&s->message, delays_add(d, t, h, nodes, d->at_nodes));
}

/* Whether the polynomials of the last segment pass the values at the nodes of its part up to an
 * event. */
static bool pass_through(const dae_solver *s, size_t nodes, double t, double h)
{
    const delays *d = s->simulation->delays;
    const past_window last = past_newest(&d->past);
    for (size_t i = 0; i < nodes; i++) {
        for (size_t k = 0; k < d->count; k++) {
            double is = d->at_nodes[i * 2 * d->count + k];
            double was = past_value(&d->past, k, &last, 0, past_node(i, nodes, t, h));
            if (!(fabs(is - was) <= OFF * tolerance(s, is))) return false;
        }
    }
    return true;
}

/* Behind the event what is delayed may have another piece, as max(x, 0) has: a polynomial through
 * both is off on both sides. */
dae_status solve_cut_past(dae_solver *s, double t)
{
    static const double SHORTEST = 1e-6; /* of the step */
    delays *d = s->simulation->delays;
    if (!d || !d->view->pieces) return DAE_OK;
    const dense_output *step = engine_polynomial(s->engine);
    double h = t - step->t;
    size_t nodes;
    if (t == s->engine->t || !(h > SHORTEST * (s->engine->t - step->t))) return DAE_OK;
    dae_status status = look_along(s, &nodes, step->t, h);
    if (status != DAE_OK) return status;
    const past_window last = past_newest(&d->past);
    for (size_t k = 0; k < d->count; k++)
        d->at_nodes[k] = past_value(&d->past, k, &last, 0, step->t);
    if (pass_through(s, nodes, step->t, h)) return DAE_OK;
    return message_status(&s->message, past_replace(&d->past, step->t, h, nodes, d->at_nodes));
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
            double is = d->at_nodes[i * 2 * d->count + k];
            double was = past_value(&d->past, k, &d->window[k], 0, at);
            bool counts = d->system->delay.item[k].varies && d->window[k].last == PAST_OPEN;
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
        if (status == DAE_OK) status = look_at(s, nodes, t, h);
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
    if (!d || s->options.step > 0 || !(d->reached > delays_known(d))) return false;
    double t = engine_polynomial(s->engine)->t, h = s->engine->t - t;
    size_t nodes;
    bool found = look_along(s, &nodes, t, h) == DAE_OK;
    bool misses = !found || !(miss(s, nodes) <= (d->view->of_states ? 1 : OF_ALGEBRAIC));
    if (misses && found && d->repeats++ < MOST_REPEATS) *repeats = iterate(s, nodes) == DAE_OK;
    if (misses && !*repeats) delays_forget_supposed(d);
    d->reached = -HUGE_VAL;
    return misses && !*repeats;
}
