/* The events of a model: its relations, time events, and what it changes at them. */
#include "solve/model_formed.h"
#include "symbolic/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dae_status own_state(model_simulation *m, double t, const double *y, const double *yp,
                            double *z)
{
    (void)t;
    memcpy(z, m->z, m->formulation->p->size * sizeof *z);
    prolonged_form_gather(m->formulation->form, y, yp, z);
    return DAE_OK;
}

/* At m->z_out. */
static dae_status roots_of(model_simulation *m, double t, double *value)
{
    switching_roots(m->switching, t, m->z_out, value);
    if (m->base.delays)
        delays_roots(m->base.delays, t, m->z_out, value + switching_root_count(m->switching));
    return DAE_OK;
}

static dae_status model_roots(void *self, double t, const double *y, const double *yp,
                              double *value)
{
    model_simulation *m = self;
    dae_status status = m->way->state(m, t, y, yp, m->z_out);
    return status == DAE_OK ? roots_of(m, t, value) : status;
}

static void model_sides(const void *self, signed char *side, bool *closed)
{
    const model_simulation *m = self;
    switching_sides(m->switching, side, closed);
    for (size_t k = switching_root_count(m->switching); k < m->source.count; k++) {
        side[k] = 1;
        closed[k] = false;
    }
}

static void model_bands(void *self, double *band, double *edge)
{
    switching_bands(((model_simulation *)self)->switching, band, edge);
}

static void model_errors(void *self, double *by)
{
    switching_errors(((model_simulation *)self)->switching, by);
}

static void model_equal(const void *self, double *by)
{
    const model_simulation *m = self;
    switching_equal(m->switching, by);
    for (size_t k = switching_root_count(m->switching); k < m->source.count; k++) by[k] = 0;
}

static void model_rounding(void *self, double *by)
{
    model_simulation *m = self;
    switching_rounding(m->switching, by);
    for (size_t k = switching_root_count(m->switching); k < m->source.count; k++) by[k] = 0;
}

/* Unknowns that are copied into z have bounds there. */
static bool model_bends(const void *self, size_t root)
{
    const model_simulation *m = self;
    return m->way == &model_events_own && switching_bends(m->switching, root);
}

static void model_enclose(void *self, size_t root, const event_box *box, event_bounds *bounds)
{
    model_simulation *m = self;
    range value, slope, time = {box->t_low, box->t_high};
    (void)own_state(m, time.low, box->y_low, box->yp_low, m->z_low);
    (void)own_state(m, time.low, box->y_high, box->yp_high, m->z_high);
    switching_enclose(m->switching, root, time, m->z_low, m->z_high, &value, &slope);
    *bounds = (event_bounds){value.low, value.high, slope.low, slope.high};
}

static bool model_ending(void *self, bool closely, double *scratch, signed char *crossed)
{
    switching *s = ((model_simulation *)self)->switching;
    return switching_find_ending(s, closely, scratch, crossed);
}

static double model_next(void *self, double t, double direction)
{
    model_simulation *m = self;
    double next = switching_next(m->switching, t, direction);
    return m->base.delays ? fmin(next, delays_next(m->base.delays, t)) : next;
}

void model_events_count_roots(model_simulation *m)
{
    size_t delayed = m->base.delays ? m->base.delays->varying : 0;
    m->source.count = switching_root_count(m->switching) + delayed;
}

static dae_status own_resolve(void *self, double t, switching **s, double **z, message *to)
{
    model_simulation *m = self;
    dae_status status = model_modes_take(m, t, *s, *z, to);
    *s = m->switching;
    *z = m->z_out;
    return status == DAE_OK ? model_events_settle(m, t, *z, to) : status;
}

static void take_result(const switching_result *result, event_outcome *outcome)
{
    outcome->ends = result->terminates;
    outcome->reason = result->reason;
    outcome->rests = result->rests;
    outcome->moved = result->moved;
    outcome->switched = result->switched;
    outcome->blurred = result->blurred && !result->rests;
    outcome->recurs = result->recurs;
}

/* Room for one more snapshot of modes and cells. */
static dae_status add_earlier(model_simulation *m)
{
    model_modes *grown = realloc(m->earlier, (m->earlier_count + 1) * sizeof *grown);
    if (!grown) return DAE_NO_MEMORY;
    m->earlier = grown;
    dae_status status = model_modes_make(m, &grown[m->earlier_count]);
    m->earlier_count += status == DAE_OK;
    return status;
}

/* Keeps the modes before an event, by which segments before it are evaluated. */
static dae_status keep_modes(model_simulation *m)
{
    bool all = m->base.solver.options->keep_trajectory;
    dae_status status = all || m->earlier_count == 0 ? add_earlier(m) : DAE_OK;
    if (status == DAE_OK) model_modes_take_present(m, &m->earlier[m->earlier_count - 1]);
    return status;
}

void model_modes_exchange(const model_simulation *m, sym_graph *g, size_t number)
{
    bool all = m->base.solver.options->keep_trajectory;
    model_modes *at = &m->earlier[all ? number : 0];
    model_modes_swap(at, g);
    for (size_t k = 0; k < m->system->delay.count; k++) {
        past_window now = m->base.delays->window[k];
        m->base.delays->window[k] = at->window[k];
        at->window[k] = now;
    }
}

/* The author's variables at z. */
static const double *lift(model_simulation *m, double t, const double *z)
{
    author_lift(m->formulation->author, t, z, m->base.value, m->base.value_yp);
    return m->base.value;
}

dae_status model_delays_start(model_simulation *m, double t, const double *z)
{
    const dae_options *o = m->base.solver.options;
    const delays *d = m->base.delays;
    if (o->step > d->least)
        return message_fail(m->base.solver.message, DAE_UNSUPPORTED,
                            "fixed steps of %g are longer than a delay of %g: what is delayed is "
                            "not known yet within them",
                            o->step, d->least);
    return delays_start(m->base.delays, t, lift(m, t, z));
}

/* Marks the breaking points that the event makes. */
static dae_status mark_delays(model_simulation *m, double t, bool moved)
{
    const model_modes *before = &m->earlier[m->earlier_count - 1];
    return delays_mark(m->base.delays, t, lift(m, t, m->z_out), m->base.value_yp, m->system->graph,
                       before->mode, before->cell, moved, m->base.solver.message);
}

/* The author's variables before an event. A mechanism has its own way to go on. */
static void keep_values(model_simulation *m, double t, const double *z)
{
    if (m->base.followed) return;
    memcpy(m->modes->before, lift(m, t, z), m->modes->unknowns * sizeof *m->modes->before);
    m->modes->moves = false;
}

/* Whether relations, numbers and motions along surfaces are as before the event. */
static bool keeps_modes(const model_simulation *m)
{
    const model_modes *before = &m->earlier[m->earlier_count - 1];
    const sym_graph *g = m->system->graph;
    for (size_t k = 0; k < m->modes->relations; k++) {
        const relation_state *r = &m->modes->relation[k];
        if (r->is != before->mode[k] || r->slides != (before->slides[k] != 0)) return false;
    }
    for (uint32_t i = 0; i < sym_cell_count(g); i++) {
        double is = sym_cell_value(g, i), was = before->cell[i];
        if (is != was && !(isnan(is) && isnan(was))) return false;
    }
    return true;
}

static bool is_constrained(const model_simulation *m)
{
    return m->formulation->choice.kind == FORMULATION_ARRAY ||
           m->formulation->levels->levels.count > 1;
}

/* Brings a state of the polynomial to the equations before the event, whatever projection the steps
 * have: what it misses of constraints would count for a jump. Without constraints among states
 * these stay as they were located. */
static dae_status own_before(model_simulation *m, double t, const double *y, const double *yp,
                             double *z)
{
    projection *p = m->base.projection;
    bool constrained = is_constrained(m);
    own_state(m, t, y, yp, z);
    if (constrained && !p && model_settles_need(m) != DAE_OK) return DAE_NO_MEMORY;
    if (constrained) return projection_meet_apart(p ? p : m->settles, t, z);
    message told = {0};
    dae_status status = model_events_settle(m, t, z, &told);
    message_free(&told);
    return status == DAE_STOPPED ? status : DAE_OK;
}

static dae_status model_met_roots(void *self, double t, const double *y, const double *yp,
                                  double *value)
{
    model_simulation *m = self;
    dae_status status = m->way->before(m, t, y, yp, m->z_out);
    return status == DAE_OK ? roots_of(m, t, value) : status;
}

/* A root of states alone stays as it is where the equations are met, if no constraint holds among
 * the states. */
static bool model_stays(const void *self, size_t root)
{
    const model_simulation *m = self;
    const switching *s = m->switching;
    return m->way->before == own_before && !is_constrained(m) && root < s->roots &&
           s->of_states[s->of_root[root]];
}

static dae_status own_settle(model_simulation *m, double t, bool replaced, double *y, double *yp)
{
    (void)t;
    if (replaced) y = m->base.y, yp = m->base.yp;
    prolonged_form_scatter(m->formulation->form, m->z, y, yp);
    return DAE_OK;
}

const model_events_way model_events_own = {
    .state = own_state, .before = own_before, .resolve = own_resolve, .settle = own_settle};

static dae_status fail(model_simulation *m, double t, dae_status status)
{
    return m->way->fail ? m->way->fail(m, t, status) : status;
}

/* Whether whoever watches searches wants an end. It may share what evaluations do. */
static bool is_stopped(const simulation *c, double t)
{
    if (!c->watch) return false;
    bool stopped = c->watch(t, c->watch_user) != 0;
    if (c->reported) *c->reported = false;
    return stopped;
}

/* A switching_resolve: of touching bodies an event may try very many modes. */
static dae_status watched_resolve(void *self, double t, switching **s, double **z, message *to)
{
    model_simulation *m = self;
    message *told = m->base.solver.message;
    if (told->status == DAE_STOPPED) return DAE_STOPPED;
    if (!is_stopped(&m->base, t)) return m->way->resolve(self, t, s, z, to);
    return message_fail(told, DAE_STOPPED, "stopped at t = %.9g on request, within an event", t);
}

/* Relations that the equations hold at 0 have the values there, not those of rounding. */
static dae_status settle_equal(model_simulation *m, double t, switching_resolve resolve,
                               switching_result *result)
{
    dae_status status = model_equal_find(m, t, m->z_out);
    if (status != DAE_OK) return status;
    return switching_settle_equal(m->switching, t, m->z_out, resolve, m, m->base.solver.message,
                                  result);
}

static dae_status model_update(void *self, double t, const signed char *crossed, bool due,
                               double *y, double *yp, event_outcome *outcome)
{
    model_simulation *m = self;
    simulation *c = &m->base;
    switching_result result;
    dae_status status = m->way->before(m, t, y, yp, m->z_out);
    if (status == DAE_OK) status = keep_modes(m);
    if (status != DAE_OK) return status;
    c->mode_number++;
    keep_values(m, t, m->z_out);
    size_t before = c->formulation_number, roots = switching_root_count(m->switching);
    model_invariants *invariants = c->followed ? NULL : m->invariants; /* a mechanism keeps none */
    model_formed_begin_event(m);
    if (invariants) model_invariants_before(invariants, t, m->z_out);
    if (c->delays) delays_pass(c->delays, t, lift(m, t, m->z_out), crossed + roots);
    const switching_gaps gaps = {outcome->accumulates, outcome->nears, outcome->recurrence};
    status = switching_settle(m->switching, t, crossed, due, &gaps, m->z_out, watched_resolve, m,
                              c->solver.message, &result);
    if (status == DAE_OK) status = settle_equal(m, t, watched_resolve, &result);
    if (status == DAE_OK) status = model_events_meet(m, t, m->z_out);
    if (status == DAE_OK && c->delays) status = mark_delays(m, t, result.moved);
    if (status != DAE_OK) return fail(m, t, status);
    if (invariants) model_invariants_behind(m, t, m->z_out);
    outcome->replaced = c->formulation_number != before;
    memcpy(m->z, m->z_out, m->formulation->p->size * sizeof *m->z);
    take_result(&result, outcome);
    outcome->attempts = m->modes->attempts;
    outcome->futile = !outcome->replaced && !result.moved && !result.rests && keeps_modes(m);
    return m->way->settle(m, t, outcome->replaced, y, yp);
}

/* terminal() is true. */
static dae_status model_finish(void *self, double t, const signed char *crossed, double *y,
                               double *yp, event_outcome *outcome)
{
    model_simulation *m = self;
    const sym_discrete_part *d = &m->system->discrete;
    switching_tell_waiting(m->switching, m->base.solver.message);
    outcome->unchanged = !d->terminal.used;
    if (!d->terminal.used) return DAE_OK;
    sym_set_cell(m->system->graph, d->terminal.cell, 1);
    return model_update(self, t, crossed, false, y, yp, outcome);
}

static void model_name(const void *self, size_t root, text *t)
{
    const model_simulation *m = self;
    size_t roots = switching_root_count(m->switching);
    if (root < roots)
        switching_name(m->switching, root, t);
    else
        text_add(t, delays_root_name(m->base.delays, root - roots));
}

static void model_name_due(void *self, double t, text *to)
{
    model_simulation *m = self;
    switching_name_due(m->switching, t, to);
    if (m->base.delays) delays_name_due(m->base.delays, t, to);
}

static const event_source_ops row = {
    .roots = model_roots,
    .met_roots = model_met_roots,
    .stays = model_stays,
    .solved_roots = model_met_roots,
    .sides = model_sides,
    .bands = model_bands,
    .errors = model_errors,
    .equal = model_equal,
    .rounding = model_rounding,
    .bends = model_bends,
    .enclose = model_enclose,
    .ending = model_ending,
    .next = model_next,
    .update = model_update,
    .finish = model_finish,
    .name = model_name,
    .name_due = model_name_due,
};

/* A switching_note. */
static void note_start(void *self, double t, const double *z, const char *name)
{
    model_simulation *m = self;
    simulation *c = &m->base;
    lift(m, t, z);
    memcpy(c->before_start, c->value, c->n * sizeof *c->value);
    memcpy(c->before_start + c->n, c->value_yp, c->n * sizeof *c->value_yp);
    text_clear(&m->start_event);
    text_add(&m->start_event, name);
    c->start_event = text_string(&m->start_event);
}

dae_status model_events_begin(model_simulation *m, double t, const model_events_way *way)
{
    simulation *c = &m->base;
    switching_result result;
    c->events = NULL;
    c->terminated = c->start_event = NULL;
    c->starts_to_slide = false;
    m->way = way;
    if (!m->switching) return DAE_OK;
    memcpy(m->z_out, m->z, m->formulation->p->size * sizeof *m->z);
    keep_values(m, t, m->z_out);
    dae_status status = model_equal_find(m, t, m->z_out);
    if (status != DAE_OK) return status;
    start_verify_begin(m, t);
    status = switching_begin(m->switching, t, m->z_out, way->resolve, start_verify, note_start, m,
                             c->solver.message, &result);
    if (status == DAE_OK) status = settle_equal(m, t, way->resolve, &result);
    if (status != DAE_OK) return fail(m, t, status);
    memcpy(m->z, m->z_out, m->formulation->p->size * sizeof *m->z);
    if (c->delays) { /* what the event of the start has changed is delayed from there on */
        status = delays_settle_start(c->delays, t, lift(m, t, m->z));
        if (status == DAE_OK) status = model_events_settle(m, t, m->z, c->solver.message);
        if (status != DAE_OK) return fail(m, t, status);
    }
    m->source = (event_source){.ops = &row, .self = m};
    model_events_count_roots(m);
    c->events = &m->source;
    c->terminated = result.reason;
    c->starts_to_slide = m->modes->sliding > 0;
    return DAE_OK;
}

/* The modes before each event; the solver that is restored has passed none. */
static void earlier_state(model_simulation *m, state_visit *s)
{
    const sym_graph *g = m->system->graph;
    size_t count = m->earlier_count;
    STATE(s, count);
    while (m->earlier_count < count && s->status == DAE_OK) state_fail(s, add_earlier(m));
    for (size_t k = 0; k < count && s->status == DAE_OK; k++) {
        state_bytes(s, m->earlier[k].mode, sym_relation_count(g));
        state_doubles(s, m->earlier[k].cell, sym_cell_count(g));
        state_bytes(s, m->earlier[k].window, m->system->delay.count * sizeof(past_window));
    }
}

void model_events_state(model_simulation *m, state_visit *s)
{
    sym_graph *g = m->system->graph;
    if (!m->switching) return;
    for (size_t k = 0; k < m->switching->relations; k++) {
        STATE(s, m->modes->relation[k]);
        sym_hold_relation(g, k, (sym_mode)m->modes->relation[k].is);
    }
    state_doubles(s, sym_cell_values(g), sym_cell_count(g));
    kept_roots_state(m->modes->root, m->modes->relations, s);
    STATE(s, m->modes->events);
    STATE_MEMBERS(s, switching_modes, m->modes, told_several, unset);
    STATE(s, m->modes->direction);
    STATE(s, m->modes->begun);
    state_bytes(s, m->modes->waiting, m->system->discrete.variable.count);
    earlier_state(m, s);
    model_modes_state(m, s);
    model_settles_state(m, s);
    if (m->base.delays) delays_state(m->base.delays, s);
    if (m->held_blocks) model_blocks_state(m->held_blocks, s);
}

void model_events_free(model_simulation *m)
{
    projection_free(m->settles);
    model_array_free(m->array);
    m->settles = NULL;
    m->array = NULL;
    for (size_t k = 0; k < m->earlier_count; k++) model_modes_free(&m->earlier[k]);
    free(m->earlier);
    m->earlier = NULL;
    m->earlier_count = 0;
    m->base.events = NULL;
}
