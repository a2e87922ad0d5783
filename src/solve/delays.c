#include "solve/delays.h"

#include "base/round_off.h"
#include "symbolic/derive.h"
#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

/* The window through which delay k is read. Within an event its lag may jump, and the window has
 * not followed yet: a polynomial that is continued to the new time would have any value there. */
static past_window window_of(const delays *d, size_t k, double argument)
{
    past_window w = d->window[k];
    if (!d->settling || !d->system->delay.item[k].varies) return w;
    double near = delays_resolution(d->event, d->event - argument);
    while (past_window_to(&d->past, &w) < argument - near) past_next_window(&d->past, k, &w);
    while (past_window_from(&d->past, &w) > argument + near) past_last_window(&d->past, k, &w);
    return w;
}

static double value_of_input(void *self, uint32_t id, uint32_t order, double argument)
{
    delays *d = self;
    past_window open;
    if (d->past.count == 0) return 0; /* before a start */
    if (d->system->delay.item[id].kind != SYM_DELAYED) {
        double reached = d->reached;
        double carried = transports_value(d->transports, id, &d->window[id], order, argument,
                                          &reached);
        if (transports_reads_open(d->transports, id, &open)) d->reached = reached;
        return carried;
    }
    if (d->system->delay.item[id].varies && argument > d->reached) d->reached = argument;
    const past_window w = window_of(d, id, argument);
    double value = (double)NAN;
    if (order > 0) value = past_value(&d->past, d->count + id, &w, order - 1, argument);
    if (!isnan(value)) return value;
    return past_value(&d->past, id, &w, order, argument);
}

/* --- creation --- */

/* Derivatives of variables follow on the variables; their number is the context. */
static size_t author_slot(void *variables, const sym_view *leaf)
{
    size_t from = leaf->order > 0 ? *(const size_t *)variables : 0;
    return leaf->op == SYM_TIME ? 0 : 1 + from + (size_t)leaf->id;
}

static double number(const sym_graph *g, sym node)
{
    double value = (double)NAN;
    sym_number_of(g, node, &value);
    return sym_value(g, value);
}

static bool is_among(size_t count, const sym *ascending, sym wanted)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ascending[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ascending[low] == wanted;
}

/* Whether an equation makes a discrete variable one of the author's: x = its cell. */
static bool is_name(const sym_graph *g, const sym_equation *e)
{
    sym_op l = sym_look(g, e->lhs).op, r = sym_look(g, e->rhs).op;
    return (l == SYM_VARIABLE && r == SYM_CELL) || (l == SYM_CELL && r == SYM_VARIABLE);
}

/* What equations and delayed expressions depend on. */
static void find_influence(delays *d)
{
    const sym_system *system = d->system;
    sym_graph *g = system->graph;
    arena *a = system->memory;
    size_t equations = system->equation.count, count = 2 * equations + d->count;
    sym *root = arena_array(a, count, sizeof *root);
    const sym *reached;
    count = 0;
    for (size_t i = 0; i < equations; i++) {
        if (is_name(g, &system->equation.item[i])) continue;
        root[count++] = system->equation.item[i].lhs;
        root[count++] = system->equation.item[i].rhs;
    }
    for (size_t k = 0; k < d->count; k++) root[count++] = system->delay.item[k].value;
    count = sym_reach(g, count, root, &reached);
    d->by_relation = arena_array(a, sym_relation_count(g), sizeof *d->by_relation);
    d->by_cell = arena_array(a, sym_cell_count(g), sizeof *d->by_cell);
    for (size_t k = 0; k < sym_relation_count(g); k++)
        d->by_relation[k] = is_among(count, reached, sym_relation_node(g, k));
    for (size_t i = 0; i < count; i++) {
        sym_view view = sym_look(g, reached[i]);
        if (view.op == SYM_CELL) d->by_cell[view.id] = true;
    }
}

bool delays_see(const delays *d, const sym_graph *g, const unsigned char *mode_before,
                const double *cell_before, bool moved)
{
    bool any = moved;
    for (size_t k = 0; k < sym_relation_count(g) && !any; k++)
        any = d->by_relation[k] && sym_relation_mode(g, k) != (sym_mode)mode_before[k];
    for (uint32_t i = 0; i < sym_cell_count(g) && !any; i++)
        any = d->by_cell[i] && sym_cell_value(g, i) != cell_before[i];
    return any;
}

bool delays_has_root(const delays *d, size_t k)
{
    const sym_delay *x = &d->system->delay.item[k];
    return x->varies && x->kind != SYM_CARRIER;
}

delays *delays_create(const sym_system *system, bool keeps_all)
{
    size_t count = system->delay.count, n = system->unknown.count;
    arena *a = system->memory;
    if (count == 0) return NULL;
    delays *d = arena_take(a, sizeof *d);
    *d = (delays){.system = system, .count = count, .least = HUGE_VAL, .keeps_all = keeps_all};
    d->window = arena_array(a, count, sizeof *d->window);
    arena_vectors(a, 2 * count, (double **[]){&d->lag, &d->now, &d->before, &d->begun, NULL});
    arena_vectors(a, 2 * (n + 1) + 1, (double **[]){&d->input, NULL}); /* with a share of sliding */
    arena_vectors(a, PAST_MOST_NODES * 2 * count, (double **[]){&d->at_nodes, NULL});
    arena_vectors(a, 2 * count, (double **[]){&d->behind, NULL});
    arena_vectors(a, n + 1, (double **[]){&d->y_before, NULL});
    d->moved = arena_array(a, n + 1, sizeof *d->moved);
    d->arriving = arena_array(a, count, sizeof *d->arriving);
    d->level = arena_array(a, 2 * count, sizeof *d->level);
    for (size_t k = 0; k < count; k++) {
        const sym_delay *x = &system->delay.item[k];
        d->varying += delays_has_root(d, k);
        d->most = fmax(d->most, number(system->graph, x->most));
        d->lag[k] = x->varies ? 0 : number(system->graph, x->lag);
        if (!x->varies) d->least = fmin(d->least, d->lag[k]);
    }
    d->transports = transports_create(system, &d->past, keeps_all);
    sym_give_inputs(system->graph, (sym_inputs){value_of_input, d});
    find_influence(d);
    return d;
}

/* Whether an expression of the core is made of time and of states, values below the highest
 * derivative. */
static bool is_of_states(const prolongation *p, sym f)
{
    const sym *reached;
    size_t count = sym_reach(p->g, 1, &f, &reached);
    for (size_t i = 0; i < count; i++) {
        sym_view view = sym_look(p->g, reached[i]);
        if (view.op == SYM_CELL || view.op == SYM_INPUT || view.op == SYM_CALL) return false;
        if (view.op >= SYM_LESS) return false;
        if (view.op == SYM_VARIABLE && view.order >= p->d[p->column_of[view.id]]) return false;
    }
    return true;
}

static bool is_continuous(sym_op op)
{
    return op == SYM_VARIABLE || op == SYM_TIME || op == SYM_INPUT;
}

static size_t highest_derivative(const prolongation *p)
{
    const sym *reached;
    size_t count = sym_reach(p->g, p->rows, p->row, &reached), highest = 0;
    for (size_t i = 0; i < count; i++) {
        sym_view view = sym_look(p->g, reached[i]);
        if (view.op == SYM_INPUT && view.order > highest) highest = view.order;
    }
    return highest;
}

static bool is_input(sym_op op)
{
    return op == SYM_INPUT;
}

static bool have_pieces(const formulation *f, size_t count, const sym *root)
{
    for (size_t i = 0; i < f->core->n; i++)
        if (sym_has_pieces(f->p->g, f->core->residual[i])) return true;
    for (size_t k = 0; k < count; k++)
        if (sym_has_pieces(f->p->g, root[k])) return true;
    return false;
}

static void compile_rates(arena *a, const delays *d, const sym_system *system, delays_view *v)
{
    sym_graph *g = system->graph;
    sym *rate = arena_array(a, d->count, sizeof *rate);
    for (size_t k = 0; k < d->count; k++)
        rate[k] = sym_time_derivative(g, system->delay.item[k].value);
    v->rate_tape = sym_tape_compile(a, g, d->count, rate, 2 * v->variables + 1, author_slot,
                                    &v->variables);
}

const delays_view *delays_fit(delays *d, const formulation *f)
{
    const sym_system *system = f->system;
    arena *a = system->memory;
    delays_view *v = arena_take(a, sizeof *v);
    sym *root = arena_array(a, 2 * d->count, sizeof *root);
    for (size_t k = 0; k < d->count; k++) {
        root[k] = system->delay.item[k].value;
        root[d->count + k] = system->delay.item[k].lag;
    }
    v->variables = system->unknown.count;
    v->derived = highest_derivative(f->p);
    v->tape = sym_tape_compile(a, system->graph, 2 * d->count, root, v->variables + 1, author_slot,
                               &v->variables);
    if (v->derived > 0) compile_rates(a, d, system, v);
    structure_to_core(system, f->core, 2 * d->count, root);
    v->smooths = arena_array(a, d->count, sizeof *v->smooths);
    v->held = arena_array(a, d->count, sizeof *v->held);
    v->of_states = true;
    for (size_t k = 0; k < d->count; k++) {
        v->smooths[k] = is_of_states(f->p, root[k]);
        v->held[k] = !sym_any(f->p->g, 1, &root[k], is_continuous);
        v->of_states = v->of_states && v->smooths[k];
    }
    /* What holds a delay is another piece where that passes a breaking point; known times of these
     * are never within a step. */
    v->nested = d->varying > 0 && sym_any(f->p->g, d->count, root, is_input);
    v->pieces = v->nested || have_pieces(f, d->count, root);
    v->whole = system == d->system;
    v->levels = delayed_levels_create(f);
    if (v->whole) d->levels = v->levels;
    v->lag_tape = prolongation_tape(a, f->p, d->count, root + d->count);
    arena_vectors(a, prolongation_inputs(f->p), (double **[]){&v->z_input, NULL});
    return v;
}

void delays_look_through(delays *d, const delays_view *view)
{
    d->view = view;
}

/* --- values --- */

void delays_look(delays *d, double t, const double *y, double *value, double *lag)
{
    d->input[0] = t;
    memcpy(d->input + 1, y, (sym_tape_inputs(d->view->tape) - 1) * sizeof *y);
    sym_tape_eval(d->view->tape, d->input, d->now);
    memcpy(value, d->now, d->count * sizeof *value);
    if (lag) memcpy(lag, d->now + d->count, d->count * sizeof *lag);
}

void delays_look_at_rates(delays *d, double t, const double *y, const double *yp, double *rate)
{
    const delays_view *v = d->view;
    for (size_t k = 0; k < d->count; k++) rate[k] = (double)NAN;
    if (!v->rate_tape) return;
    d->input[0] = t;
    memcpy(d->input + 1, y, v->variables * sizeof *y);
    memcpy(d->input + 1 + v->variables, yp, v->variables * sizeof *yp);
    sym_tape_eval(v->rate_tape, d->input, rate);
    for (size_t k = 0; k < d->count; k++)
        if (!isfinite(rate[k])) rate[k] = (double)NAN;
}

/* The past before the start: all is constant. What is delayed may hold other delays, and what
 * leaves transports, whose values it reads from that past: it is looked at until it does not change
 * any more, once for each level of nesting. */
dae_status delays_settle_start(delays *d, double t, const double *y)
{
    double *value = d->at_nodes, *lag = d->before + d->count;
    bool same = d->past.count == 0;                 /* it has been refused to begin */
    memset(value, 0, 2 * d->count * sizeof *value); /* and derivatives are 0 */
    for (size_t level = 0; level <= d->count && !same; level++) {
        delays_look(d, t, y, value, lag);
        same = level > 0 && memcmp(value, d->past.behind, d->count * sizeof *value) == 0;
        past_set_start(&d->past, value);
        if (!d->transports) continue;
        dae_status status = transports_begin(d->transports, value, lag, d->window);
        if (status != DAE_OK) return status;
    }
    return DAE_OK;
}

dae_status delays_start(delays *d, double t, const double *y)
{
    memset(d->at_nodes, 0, 2 * d->count * sizeof *d->at_nodes);
    dae_status status = past_begin(&d->past, 2 * d->count, t, d->at_nodes, 1);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < d->count; k++) d->window[k] = (past_window){0, 0};
    d->reached = -HUGE_VAL;
    d->supposed = d->settling = false;
    d->repeats = 0;
    double *lag = d->before + d->count;
    memset(d->before, 0, 2 * d->count * sizeof *d->before);
    if (d->transports) /* something to read from before the first look */
        status = transports_begin(d->transports, d->before, lag, d->window);
    if (status == DAE_OK) status = delays_settle_start(d, t, y);
    for (size_t k = 0; k < d->count && status == DAE_OK; k++) delays_follow(d, k, t, lag[k]);
    return status;
}
dae_status delays_add(delays *d, double t, double h, size_t nodes, const double *value)
{
    delays_forget_supposed(d);
    return past_add(&d->past, t, h, nodes, value);
}

void delays_end_step(delays *d, double begin)
{
    double needed = begin - 2 * d->most;
    d->reached = -HUGE_VAL;
    d->repeats = 0;
    if (d->transports) needed = fmin(needed, transports_add(d->transports, begin));
    if (!d->keeps_all) past_forget(&d->past, needed);
}

dae_status delays_suppose(delays *d, double t, double h, size_t nodes, const double *value)
{
    delays_forget_supposed(d);
    memcpy(d->behind, d->past.behind, 2 * d->count * sizeof *d->behind);
    d->known = past_end(&d->past);
    dae_status status = past_add(&d->past, t, h, nodes, value);
    d->supposed = status == DAE_OK;
    return status;
}

void delays_forget_supposed(delays *d)
{
    if (d->supposed) past_drop(&d->past, d->behind);
    d->supposed = false;
}

const double *delays_behind(const delays *d)
{
    return d->supposed ? d->behind : d->past.behind;
}

double delays_known(const delays *d)
{
    return d->supposed ? d->known : past_end(&d->past);
}

/* --- the rest --- */

bool delays_report_lag(delays *d, size_t assertion, double t, const double *y, text *to)
{
    for (size_t k = 0; k < d->count; k++) {
        const sym_delay *x = &d->system->delay.item[k];
        if (!x->varies || x->assertion != assertion) continue;
        delays_look(d, t, y, d->before, d->before + d->count);
        double lag = d->before[d->count + k], most = number(d->system->graph, x->most);
        text_format(to, "the lag of %s is %.6g at t = %.9g, %s (%s:%u)", x->text, lag, t,
                    lag < 0 ? "below 0" : "above its largest value", d->system->file, x->at.line);
        if (lag > most) text_format(to, "\n  remedy: the largest lag that is given is %.6g", most);
        return true;
    }
    return false;
}

void delays_state(delays *d, state_visit *s)
{
    past_state(&d->past, s);
    state_bytes(s, d->window, d->count * sizeof *d->window);
    STATE(s, d->reached);
    if (d->transports) transports_state(d->transports, s);
}

bool delays_reads_open(const delays *d, size_t k, past_window *w)
{
    *w = d->window[k];
    if (d->system->delay.item[k].kind != SYM_DELAYED)
        return transports_reads_open(d->transports, k, w);
    return d->system->delay.item[k].varies && w->last == PAST_OPEN;
}

void delays_free(delays *d)
{
    past_free(&d->past);
    if (d->transports) transports_free(d->transports);
}
