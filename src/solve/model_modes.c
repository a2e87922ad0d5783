/* The formulations of a model's modes.
 *
 * One formulation serves all modes as long as its system Jacobian is regular in each of them. Where
 * it is singular, as where an ideal switch opens, a pendulum breaks or a clutch catches, index and
 * structure are other ones: then the equations of that mode alone are analysed and formulated
 * (symbolic/specialize.h). Formulations stay for modes that are visited again. */
#include "solve/model_formed.h"
#include "symbolic/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most formulations that are made in search of the modes after one event, and the most modes
 * whose formulation is known. */
enum { MOST_AT_EVENT = 1000, MOST_KNOWN = 1000 };

/* From so many rows on a sparse factorisation is less work than orthogonal transformations. */
enum { LARGE = 40 };

/* --- modes that were visited --- */

static size_t key_size(const model_simulation *m)
{
    const sym_selectors *s = &m->whole.selectors;
    size_t size = s->relations + s->cells * sizeof(double) + m->modes->relations;
    if (s->followed > 0)
        size += m->modes->relations + sym_cell_count(m->system->graph) * sizeof(double);
    return size;
}

static void add_cell(const model_simulation *m, uint32_t cell, unsigned char *key)
{
    double value = sym_cell_value(m->system->graph, cell) + 0.0; /* -0 is 0 */
    memcpy(key, &value, sizeof value);
}

/* Whether a discrete variable follows from a relation along whose surface the solution slides. */
static bool follows_sliding(const switching_modes *m, const sym_followed *f)
{
    for (size_t i = 0; i < f->relations && m->sliding > 0; i++)
        if (m->relation[m->relation[f->relation[i]].surface].slides) return true;
    return false;
}

/* The equations of a sliding motion hold the numbers that such variables have on both sides: adds
 * what these follow from, of all relations and of all cells. */
static void add_followed(const model_simulation *m, const sym_followed *f, unsigned char *key)
{
    const relation_state *r = m->modes->relation;
    unsigned char *cells = key + m->modes->relations;
    if (!follows_sliding(m->modes, f)) return;
    for (size_t i = 0; i < f->relations; i++) {
        size_t k = f->relation[i];
        if (!r[r[k].surface].slides) key[k] = r[k].is;
    }
    for (size_t i = 0; i < f->cells; i++)
        add_cell(m, f->cell[i], cells + f->cell[i] * sizeof(double));
}

static void make_key(const model_simulation *m, unsigned char *key)
{
    const sym_selectors *s = &m->whole.selectors;
    memset(key, 0, key_size(m));
    for (size_t i = 0; i < s->relations; i++) *key++ = m->modes->relation[s->relation[i]].is;
    for (size_t i = 0; i < s->cells; i++, key += sizeof(double)) add_cell(m, s->cell[i], key);
    switching_sliding_key(m->modes, key);
    key += m->modes->relations;
    for (size_t i = 0; i < s->followed; i++) add_followed(m, &s->of[i], key);
}

/* Puts the visit with this key first; false: the mode is new. */
static bool find_visit(model_simulation *m, const unsigned char *key)
{
    for (size_t i = 0; i < m->visits; i++) {
        if (memcmp(m->visit[i].key, key, key_size(m)) != 0) continue;
        model_visit found = m->visit[i];
        memmove(m->visit + 1, m->visit, i * sizeof *m->visit);
        m->visit[0] = found;
        return true;
    }
    return false;
}

/* Adds a visit, whose key it owns from then on, in front of the others; the oldest one gives way.
 */
static bool add_visit(model_simulation *m, unsigned char *key)
{
    if (m->visits == MOST_KNOWN) free(m->visit[--m->visits].key);
    model_visit *more = realloc(m->visit, (m->visits + 1) * sizeof *more);
    if (!more) return false;
    memmove(more + 1, more, m->visits++ * sizeof *more);
    more[0] = (model_visit){key, m->base.formulation_number};
    m->visit = more;
    return true;
}

/* --- change of the formulation --- */

void model_modes_carry(model_simulation *m, const model_simulation *last, double t, const double *z)
{
    double *value = m->base.value, *value_yp = m->base.value_yp;
    for (size_t i = 0; i < m->modes->sliding; i++) { /* shares, if there are none in z */
        value[m->base.n + i] = 0.5;
        value_yp[m->base.n + i] = 0;
    }
    author_lift(last->formulation->author, t, z, value, value_yp);
    model_embedded_carry(m, last, z, value, value_yp);
    model_simulation_guess(m, last, z, value, value_yp, m->z_out);
    switching_adopt(m->switching, last->system->graph);
    model_events_count_roots(m);
}

static dae_status enter(model_simulation *m, size_t number, double t, const double *z)
{
    size_t before = m->base.formulation_number;
    dae_status status = model_formed_enter(m, number);
    if (status == DAE_OK) model_modes_carry(m, model_formed_at(m, before, false), t, z);
    return status;
}

/* A search for modes that begins again goes back to the formulation in which it began, with the
 * state z and the cells of `s`. Those of the formulation that is left are of a trial. The
 * definitions in `s` do not tell them: they hold in its modes alone. */
static dae_status go_back(model_simulation *m, const switching *s, double t, double *z)
{
    sym_graph *g = s->system->graph;
    size_t number = model_formed_number(m, s), cells = sym_cell_count(g);
    size_t size = model_formed_at(m, number, false)->formulation->p->size;
    double *kept = malloc((size + cells + 1) * sizeof *kept);
    if (!kept) return DAE_NO_MEMORY;
    memcpy(kept, z, size * sizeof *z);
    if (cells) memcpy(kept + size, sym_cell_values(g), cells * sizeof *kept);
    dae_status status = enter(m, number, t, m->z_out);
    memcpy(z, kept, size * sizeof *z);
    for (uint32_t i = 0; i < cells; i++) sym_set_cell(g, i, kept[size + i]);
    free(kept);
    return status;
}

/* --- new formulations --- */

/* Whether the Jacobian that was linearised last is regular. Where it has been found so with these
 * values, that is known: a switched source changes nothing in it. */
static bool is_regular(prolonged_levels *levels)
{
    const sparse_pattern *pattern = levels->jacobian->pattern;
    const double *value = levels->jacobian_value;
    size_t bytes = pattern->nonzeros * sizeof *value;
    local_rank rank = {0};
    if (levels->regular && memcmp(levels->regular, value, bytes) == 0) return true;
    bool clear = pattern->rows >= LARGE && structure_is_clearly_regular(pattern, value);
    if (!clear && (structure_local_rank(pattern, value, &rank) != DAE_OK || !rank.full))
        return false;
    if (!levels->regular) levels->regular = malloc(bytes + 1);
    if (levels->regular) memcpy(levels->regular, value, bytes);
    return true;
}

static bool has_full_rank(model_simulation *m, double t, const double *z)
{
    prolonged_levels *levels = m->formulation->levels;
    const constraint_levels *l = &levels->levels;
    return l->form->linearize(l->self, t, z) == DAE_OK && is_regular(levels);
}

/* The same beside the points at which laws are flat, as q*abs(q) at q = 0: there a law determines
 * its variable, though not to first order. */
static bool has_full_rank_beside(model_simulation *m, double t, const double *z)
{
    size_t bytes = m->formulation->p->size * sizeof *z;
    if (!m->base.flat) return false;
    double *beside = malloc(bytes + 1);
    if (!beside) return false;
    memcpy(beside, z, bytes);
    model_leave_flat(m, beside);
    bool full = has_full_rank(m, t, beside);
    free(beside);
    return full;
}

bool model_modes_are_regular(model_simulation *m, double t, const double *z)
{
    return has_full_rank(m, t, z) || has_full_rank_beside(m, t, z);
}

/* Whether the system Jacobian is regular at z beyond rounding, and along the solutions: asked where
 * structure has misled. */
static bool is_trusted(model_simulation *m, double t, const double *z)
{
    size_t bytes = m->formulation->p->size * sizeof *z;
    if (m->misleads.length == 0 || m->formulation->choice.kind != FORMULATION_INDEX1) return true;
    double *kept = malloc(2 * bytes + 1);
    if (!kept) return false;
    double *was = kept + m->formulation->p->size;
    memcpy(kept, m->z_out, bytes);
    memcpy(was, m->z, bytes);
    memcpy(m->z, z, bytes);
    bool trusted = m->base.flat || model_simulation_is_regular_as_found(m, t);
    memcpy(m->z_out, kept, bytes);
    memcpy(m->z, was, bytes);
    free(kept);
    return trusted;
}

bool model_modes_serve(model_simulation *m, double t, message *told)
{
    size_t bytes = m->formulation->p->size * sizeof *m->z_out;
    double *tried = malloc(bytes);
    if (!tried) return false;
    memcpy(tried, m->z_out, bytes);
    message_free(told);
    bool fits = model_events_settle(m, t, tried, told) == DAE_OK &&
                model_modes_are_regular(m, t, tried) && is_trusted(m, t, tried);
    free(tried);
    return fits;
}

/* Whether the equations of all modes serve; *status: they could not be entered. */
static bool serves_as_whole(model_simulation *m, double t, const double *z, message *told,
                            dae_status *status)
{
    if (!m->whole.usable || m->modes->sliding > 0) return false;
    if (m->base.formulation_number != 0)
        *status = enter(m, 0, t, z);
    else
        memcpy(m->z_out, z, m->formulation->p->size * sizeof *z);
    return *status == DAE_OK && model_modes_serve(m, t, told);
}

static bool are_too_many(const model_simulation *m)
{
    return m->newest - m->newest_before >= MOST_AT_EVENT;
}

/* What is wrong with the equations of a mode. */
static dae_status report_mode(const model_simulation *m, double t, message *told, message *to)
{
    if (told->status != DAE_OK)
        message_move(to, told);
    else
        message_fail(to, DAE_EVENT,
                     "the event at t = %.9g leads to a mode in which the equations do not "
                     "determine the variables%s",
                     t, are_too_many(m) ? ", or to too many modes" : "");
    return to->status;
}

/* The present modes alone may have equations whose structure misleads: then these are met as they
 * are given, with their derivative array. */
static bool serves_as_array(model_simulation *m, const model_simulation *last, double t,
                            const double *z, model_modes *modes, message *told)
{
    const double *value = m->base.value, *value_yp = m->base.value_yp;
    if (model_modes_are_regular(m, t, m->z_out) ||
        !model_simulation_formulate_array(m, t, value, value_yp, &modes->choice))
        return false;
    model_formed_free_present(m); /* once more without what the search has left in the graph: the
                                     order of terms is that of their nodes */
    if (!model_formed_make(m, modes)) return false;
    model_modes_carry(m, last, t, z);
    if (!model_modes_serve(m, t, told)) return false;
    size_t bytes = m->formulation->p->size * sizeof *z;
    modes->made = malloc(bytes + 1);
    if (!modes->made) return false;
    modes->t = t;
    modes->size = m->formulation->p->size;
    memcpy(modes->made, m->z_out, bytes);
    return model_events_settle(m, t, modes->made, told) == DAE_OK &&
           model_simulation_mark_hidden(m, t, modes->made) == DAE_OK;
}

/* A formulation of the present modes alone, made from the present one. */
static dae_status make_formulation(model_simulation *m, double t, const double *z, message *told)
{
    model_simulation last = *m;
    model_modes modes;
    if (are_too_many(m)) return DAE_EVENT;
    if (model_modes_note(m, &modes) != DAE_OK) return DAE_NO_MEMORY;
    model_formed_leave(m);
    if (model_formed_make(m, &modes)) {
        model_modes_carry(m, &last, t, z);
        bool found = model_modes_serve(m, t, told) ||
                     (m->converts && model_modes_combine(m, &last, t, z, &modes, told)) ||
                     serves_as_array(m, &last, t, z, &modes, told) ||
                     (!m->converts && model_modes_combine(m, &last, t, z, &modes, told));
        bool again = !modes.embeds;
        if (found && model_simulation_finish_formed(m) &&
            model_formed_keep(m, &last, again ? &modes : NULL)) {
            if (!again) model_modes_free(&modes);
            model_simulation_carry_measures(m, &last);
            return DAE_OK;
        }
    }
    model_modes_free(&modes);
    model_formed_go_back(m, &last);
    model_events_count_roots(m);
    return DAE_EVENT;
}

/* Finds a formulation for modes that are new. */
static dae_status find_formulation(model_simulation *m, double t, const double *z, message *to)
{
    size_t from = m->base.formulation_number;
    size_t bytes = m->formulation->p->size * sizeof *z;
    double *here = malloc(bytes + 1);
    message told = {0};
    if (!here) return message_status(to, DAE_NO_MEMORY);
    memcpy(here, z, bytes);
    dae_status status = DAE_OK;
    if (!serves_as_whole(m, t, here, &told, &status)) {
        if (m->base.formulation_number != from) status = enter(m, from, t, m->z_out);
        if (status == DAE_OK) status = make_formulation(m, t, here, &told);
    }
    if (status == DAE_NO_MEMORY)
        message_status(to, status);
    else if (status != DAE_OK)
        status = report_mode(m, t, &told, to);
    message_free(&told);
    free(here);
    return status;
}

/* The same, unless it has been tried at this event. */
static dae_status find_untried(model_simulation *m, double t, const double *z,
                               const unsigned char *key, message *to)
{
    model_attempt a;
    if (model_attempt_note(m, t, z, key, key_size(m), &a) != DAE_OK)
        return message_status(to, DAE_NO_MEMORY);
    if (model_failures_find(m, &a, to)) {
        model_attempt_free(&a);
        return to->status;
    }
    dae_status status = find_formulation(m, t, z, to);
    if (status == DAE_OK)
        model_attempt_free(&a);
    else
        model_failures_keep(m, &a, to);
    return status;
}

/* The formulation of modes that are new becomes the present one, and is known by this key. */
static dae_status take_new(model_simulation *m, double t, const double *z, unsigned char *key,
                           message *to)
{
    dae_status status = find_untried(m, t, z, key, to);
    if (status == DAE_OK && add_visit(m, key)) return DAE_OK;
    free(key);
    return status == DAE_OK ? message_status(to, DAE_NO_MEMORY) : status;
}

dae_status model_modes_take(model_simulation *m, double t, const switching *s, double *z,
                            message *to)
{
    if (s != m->switching && go_back(m, s, t, z) != DAE_OK)
        return message_status(to, DAE_NO_MEMORY);
    const sym_selectors *select = &m->whole.selectors;
    bool known = select->relations + select->cells == 0 && m->modes->sliding == 0;
    size_t number = 0;
    if (!known || m->base.formulation_number != 0) {
        unsigned char *key = malloc(key_size(m));
        if (!key) return message_status(to, DAE_NO_MEMORY);
        make_key(m, key);
        if (!find_visit(m, key)) return take_new(m, t, z, key, to);
        free(key);
        number = m->visit[0].number;
    }
    if (number != m->base.formulation_number) return message_status(to, enter(m, number, t, z));
    if (z != m->z_out) memcpy(m->z_out, z, m->formulation->p->size * sizeof *z);
    return DAE_OK;
}

void model_modes_forget(model_simulation *m)
{
    for (size_t i = 0; i < m->visits; i++) free(m->visit[i].key);
    free(m->visit);
    m->visit = NULL;
    m->visits = 0;
    model_failures_forget(m);
}

void model_modes_state(model_simulation *m, state_visit *s)
{
    size_t count = m->visits;
    STATE(s, count);
    if (s->way == STATE_RESTORE) model_modes_forget(m);
    for (size_t i = 0; i < count && s->status == DAE_OK; i++) {
        size_t number = s->way == STATE_RESTORE ? 0 : m->visit[count - 1 - i].number;
        unsigned char *key = s->way == STATE_RESTORE ? malloc(key_size(m)) : NULL;
        if (s->way == STATE_RESTORE && (!key || !add_visit(m, key))) {
            free(key);
            state_fail(s, DAE_NO_MEMORY);
            return;
        }
        model_visit *visit = s->way == STATE_RESTORE ? m->visit : &m->visit[count - 1 - i];
        STATE(s, number);
        visit->number = number;
        state_bytes(s, visit->key, key_size(m));
    }
}
