/* The formulations of a model's modes.
 *
 * One formulation serves all modes as long as its system Jacobian is regular in each of them. Where
 * it is singular, as where an ideal switch opens, a pendulum breaks or a clutch catches, index and
 * structure are other ones: then the equations of that mode alone are analysed and formulated
 * (symbolic/specialize.h). Formulations stay for modes that are visited again. */
#include "solve/model_simulation.h"
#include "symbolic/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most formulations of a run. */
enum { MOST_FORMULATIONS = 1000 };

/* --- keys --- */

static size_t key_size(const model_simulation *m)
{
    return m->whole.selectors.relations + m->whole.selectors.cells + 1;
}

static void make_key(const model_simulation *m, double *key)
{
    const sym_selectors *s = &m->whole.selectors;
    for (size_t i = 0; i < s->relations; i++) *key++ = m->modes->relation[s->relation[i]].is;
    for (size_t i = 0; i < s->cells; i++) *key++ = sym_cell_value(m->system->graph, s->cell[i]);
    *key = m->modes->slides == SYM_NONE ? -1 : (double)m->modes->slides;
}

/* The mode with the key that stands behind the others; NULL: it is new. */
static const model_mode *find_mode(const model_simulation *m)
{
    const double *key = m->mode[m->mode_count].key;
    for (size_t i = 0; i < m->mode_count; i++)
        if (memcmp(m->mode[i].key, key, key_size(m) * sizeof *key) == 0) return &m->mode[i];
    return NULL;
}

/* Room for one more key, with the present one in it. */
static dae_status note_key(model_simulation *m)
{
    model_mode *more = realloc(m->mode, (m->mode_count + 1) * sizeof *more);
    if (!more) return DAE_NO_MEMORY;
    m->mode = more;
    more[m->mode_count].key = malloc(key_size(m) * sizeof(double));
    if (!more[m->mode_count].key) return DAE_NO_MEMORY;
    make_key(m, more[m->mode_count].key);
    return DAE_OK;
}

static void forget_key(model_simulation *m)
{
    free(m->mode[m->mode_count].key);
}

/* --- change of the formulation --- */

/* What the simulation has for all formulations is taken over from what it was before. */
static void share(model_simulation *to, const model_simulation *from)
{
    simulation base = from->base;
    const simulation *own = &to->base;
    base.problem = own->problem;
    base.formulation = own->formulation;
    base.y = own->y, base.yp = own->yp;
    base.beside = own->beside;
    base.levels = own->levels;
    base.projection = own->projection;
    base.project_steps = own->project_steps, base.keep_values = own->keep_values;
    base.constraint_levels = own->constraint_levels;
    base.constraint = own->constraint;
    base.determinants = own->determinants;
    base.combined = own->combined;
    base.bent = own->bent;
    to->base = base;
    to->memory = from->memory;
    to->searched = from->searched;
    to->misleads = from->misleads;
    to->source = from->source;
    to->earlier = from->earlier;
    to->earlier_count = from->earlier_count;
    to->formed = from->formed;
    to->newest = from->newest;
    to->mode = from->mode;
    to->mode_count = from->mode_count;
    to->whole = from->whole;
}

/* Puts the state z of `last` into m->z_out. */
static void carry_state(model_simulation *m, const model_simulation *last, double t,
                        const double *z)
{
    double *value = m->base.value, *value_yp = m->base.value_yp;
    value[m->base.n] = 0.5; /* the share of a sliding motion, if there is none in z */
    value_yp[m->base.n] = 0;
    author_lift(last->formulation->author, t, z, value, value_yp);
    model_simulation_guess(m, last, z, value, value_yp, m->z_out);
    switching_adopt(m->switching, last->system->graph);
    m->source.count = switching_root_count(m->switching);
}

static void enter(model_simulation *m, size_t number, double t, const double *z)
{
    model_simulation last = *m;
    m->formed[last.base.formulation_number] = last;
    model_simulation next = m->formed[number];
    share(&next, &last);
    *m = next;
    m->base.formulation_number = m->base.segment_formulation = number;
    model_simulation_carry_measures(m, &last);
    carry_state(m, &last, t, z);
}

/* A search for modes that begins again goes back to the formulation in which it began, whose state
 * is z. */
static dae_status go_back(model_simulation *m, const switching *s, double t, double *z)
{
    size_t number = 0;
    while (number <= m->newest && m->formed[number].switching != s) number++;
    size_t bytes = m->formed[number].formulation->p->size * sizeof *z;
    double *kept = malloc(bytes + 1);
    if (!kept) return DAE_NO_MEMORY;
    memcpy(kept, z, bytes);
    enter(m, number, t, m->z_out);
    memcpy(z, kept, bytes);
    free(kept);
    switching_define(m->switching, t, z);
    return DAE_OK;
}

/* --- new formulations --- */

static void specialize(void *argument)
{
    model_simulation *m = argument;
    message unheard = {0};
    m->system = sym_specialize(m->home, m->whole.system, m->modes->slides,
                               switching_along(m->modes, m->home));
    m->own = structure_analyze(m->system, &unheard);
    message_free(&unheard);
}

/* Makes the formulation of the present modes alone; false: their equations do not determine the
 * variables, or memory is exhausted. */
static bool formulate_mode(model_simulation *m)
{
    sym_graph *whole = m->whole.system->graph, *present = m->system->graph;
    for (size_t k = 0; k < m->modes->relations; k++)
        sym_hold_relation(whole, k, (sym_mode)m->modes->relation[k].is);
    for (uint32_t i = 0; whole != present && i < sym_cell_count(whole); i++)
        sym_set_cell(whole, i, sym_cell_value(present, i));
    m->home = m->own_home = calloc(1, sizeof *m->home);
    if (!m->home) return false;
    return arena_protect(m->home, specialize, m) == DAE_OK && m->own &&
           model_simulation_formulate(m) == DAE_OK;
}

static bool is_regular(model_simulation *m, double t, const double *z)
{
    const prolonged_levels *levels = m->formulation->levels;
    const constraint_levels *l = &levels->levels;
    local_rank rank = {0};
    return l->form->linearize(l->self, t, z) == DAE_OK &&
           structure_local_rank(levels->jacobian->pattern, levels->jacobian_value, &rank) ==
               DAE_OK &&
           rank.full;
}

/* Whether a state behind the event meets the equations of the present formulation, which determine
 * its derivatives. */
static bool serves(model_simulation *m, double t, message *told)
{
    size_t bytes = m->formulation->p->size * sizeof *m->z_out;
    double *tried = malloc(bytes);
    if (!tried) return false;
    memcpy(tried, m->z_out, bytes);
    message_free(told);
    bool fits = model_events_settle(m, t, tried, told) == DAE_OK && is_regular(m, t, tried);
    free(tried);
    return fits;
}

static bool serves_as_whole(model_simulation *m, double t, const double *z, message *told)
{
    if (!m->whole.usable || m->modes->slides != SYM_NONE) return false;
    if (m->base.formulation_number != 0)
        enter(m, 0, t, z);
    else
        memcpy(m->z_out, z, m->formulation->p->size * sizeof *z);
    return serves(m, t, told);
}

/* What is wrong with the equations of a mode. */
static dae_status report_mode(const model_simulation *m, double t, message *told, message *to)
{
    if (told->status != DAE_OK)
        message_move(to, told);
    else
        message_fail(
            to, DAE_EVENT,
            "the event at t = %.9g leads to a mode in which the equations do not determine "
            "the variables%s",
            t, m->newest >= MOST_FORMULATIONS ? ", or to too many modes" : "");
    return to->status;
}

/* A formulation of the present modes alone, made from the present one. */
static dae_status make_formulation(model_simulation *m, double t, const double *z, message *told)
{
    model_simulation last = *m;
    if (m->newest >= MOST_FORMULATIONS) return DAE_EVENT;
    if (m->base.delays || m->invariants)
        return message_fail(told, DAE_EVENT,
                            "the event at t = %.9g leads to a mode whose equations have another "
                            "structure, which is not supported together with %s",
                            t, m->base.delays ? "delay()" : "invariants");
    model_simulation_leave_present(m);
    m->own_home = NULL;
    if (formulate_mode(m)) {
        carry_state(m, &last, t, z);
        if (serves(m, t, told) && model_simulation_finish_formed(m) &&
            model_simulation_keep(m, &last)) {
            model_simulation_carry_measures(m, &last);
            return DAE_OK;
        }
    }
    model_simulation_go_back(m, &last);
    m->source.count = switching_root_count(m->switching);
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
    if (!serves_as_whole(m, t, here, &told)) {
        if (m->base.formulation_number != from) enter(m, from, t, m->z_out);
        status = make_formulation(m, t, here, &told);
    }
    if (status != DAE_OK) status = report_mode(m, t, &told, to);
    message_free(&told);
    free(here);
    return status;
}

dae_status model_modes_take(model_simulation *m, double t, const switching *s, double *z,
                            message *to)
{
    if (s != m->switching && go_back(m, s, t, z) != DAE_OK)
        return message_status(to, DAE_NO_MEMORY);
    size_t size = m->formulation->p->size;
    if (key_size(m) == 1 && m->modes->slides == SYM_NONE && m->base.formulation_number == 0) {
        if (z != m->z_out) memcpy(m->z_out, z, size * sizeof *z);
        return DAE_OK;
    }
    dae_status status = note_key(m);
    if (status != DAE_OK) return message_status(to, status);
    const model_mode *known = find_mode(m);
    if (!known) {
        status = find_formulation(m, t, z, to);
        if (status != DAE_OK) {
            forget_key(m);
            return status;
        }
        m->mode[m->mode_count++].number = m->base.formulation_number;
        return DAE_OK;
    }
    size_t number = known->number;
    forget_key(m);
    if (number != m->base.formulation_number)
        enter(m, number, t, z);
    else if (z != m->z_out)
        memcpy(m->z_out, z, size * sizeof *z);
    return DAE_OK;
}

/* --- at the start --- */

/* Takes what the present formulation has outside the arena of the model away. */
static void free_present(model_simulation *m)
{
    projection_free(m->base.projection);
    projection_free(m->settles);
    formulation_free(m->formulation);
    if (m->own_home) arena_free(m->own_home);
    free(m->own_home);
    model_simulation_leave_present(m);
    m->own_home = NULL;
}

static void take_whole(model_simulation *m)
{
    m->system = m->whole.system;
    m->own = m->whole.own;
    m->home = &m->memory;
}

void model_modes_reset(model_simulation *m)
{
    for (size_t i = 0; i < m->mode_count; i++) free(m->mode[i].key);
    free(m->mode);
    m->mode = NULL;
    m->mode_count = 0;
    if (m->own_home) free_present(m);
    take_whole(m);
    m->whole.usable = true;
}

/* Holds the relations by their values at m->z; returns whether one has changed. */
static bool hold_all(model_simulation *m, double t)
{
    bool changed = false;
    switching_look(m->switching, t, m->z);
    for (size_t k = 0; k < m->modes->relations; k++) {
        unsigned char is = switching_holds(m->switching, k) ? SYM_HELD_TRUE : SYM_HELD_FALSE;
        changed = changed || m->modes->relation[k].is != is;
        m->modes->relation[k].is = is;
    }
    switching_adopt(m->switching, m->system->graph);
    return changed;
}

/* The start with the equations of the present modes alone. */
static bool start_in_mode(model_simulation *m, double t, message *told)
{
    message_free(told);
    free_present(m);
    return formulate_mode(m) && (switching_adopt(m->switching, m->whole.system->graph), true) &&
           model_simulation_find_start(m, t, told) == DAE_OK && is_regular(m, t, m->z);
}

static void take_guess(model_simulation *m)
{
    memcpy(m->z, m->formulation->start->start.guess, m->formulation->p->size * sizeof *m->z);
}

/* Goes back to the equations of all modes, and their start; to the guesses, if they have none. */
static bool restore_whole(model_simulation *m, double t)
{
    message told = {0};
    free_present(m);
    take_whole(m);
    switching_reset(m->system, m->modes);
    if (model_simulation_formulate(m) != DAE_OK) return false;
    bool found = model_simulation_find_start(m, t, &told) == DAE_OK;
    message_free(&told);
    if (!found) take_guess(m);
    hold_all(m, t);
    return true;
}

/* Of so many relations of the state all modes are tried at the start; so many modes where the start
 * values may contradict the equations in each of them. */
enum { MOST_AT_START = 10, MOST_TRIED = 100 };

/* Whether relations have values that their modes exclude, by more than the errors of a state. */
static bool is_excluded(model_simulation *m, double t)
{
    const switching *s = m->switching;
    switching_look(m->switching, t, m->z);
    for (size_t k = 0; k < m->modes->relations; k++) {
        bool differs = switching_holds(s, k) != (m->modes->relation[k].is == SYM_HELD_TRUE);
        bool at_surface = s->relation[k].kind == RELATION_STATE &&
                          fabs(s->value[k]) <= switching_band(s, k);
        if (differs && !at_surface) return true;
    }
    return false;
}

/* The relations of the state; 0: there are too many. */
static size_t find_open_relations(const model_simulation *m, size_t *which)
{
    size_t count = 0;
    for (size_t k = 0; k < m->modes->relations; k++) {
        if (m->switching->relation[k].kind != RELATION_STATE) continue;
        if (count == MOST_AT_START) return 0;
        which[count++] = k;
    }
    return count;
}

/* Takes the modes of a start with some relations turned, and the discrete variables that follow. */
static void turn_modes(model_simulation *m, double t, const unsigned char *first, size_t count,
                       const size_t *which, size_t bits)
{
    for (size_t k = 0; k < m->modes->relations; k++) m->modes->relation[k].is = first[k];
    for (size_t i = 0; i < count; i++)
        if (bits >> i & 1)
            m->modes->relation[which[i]].is = first[which[i]] == SYM_HELD_TRUE ? SYM_HELD_FALSE
                                                                               : SYM_HELD_TRUE;
    switching_adopt(m->switching, m->system->graph);
    switching_define(m->switching, t, m->z);
}

/* Tries the modes of all relations of the state, those with the fewest changes first: from
 * `least` changes on, `most` modes. */
static bool try_modes(model_simulation *m, double t, size_t least, size_t most, message *told)
{
    size_t which[MOST_AT_START], count = find_open_relations(m, which);
    unsigned char *first = malloc(m->modes->relations + 1);
    bool found = false;
    size_t tried = 0;
    for (size_t k = 0; first && k < m->modes->relations; k++) first[k] = m->modes->relation[k].is;
    for (size_t changes = least; first && changes <= count && !found; changes++) {
        for (size_t bits = 0; bits < (size_t)1 << count && !found; bits++) {
            if ((size_t)__builtin_popcountll(bits) != changes) continue;
            if (tried++ == most) break;
            turn_modes(m, t, first, count, which, bits);
            found = start_in_mode(m, t, told) && !is_excluded(m, t);
            if (!found && m->formulation) continue;
            if (!found && !restore_whole(m, t)) break;
        }
    }
    free(first);
    return found;
}

static bool may_start_in_mode(const model_simulation *m)
{
    return m->switching && key_size(m) > 1 && !m->base.delays && !m->invariants;
}

/* Takes the start that was found in one mode, with what was told about it. */
static dae_status take_mode(model_simulation *m, double t, message *told)
{
    m->whole.usable = false;
    message_free(&m->searched.told);
    m->searched.told = *told;
    return model_simulation_look_at_rank(m, t, &m->searched.rank, &m->searched.misleads);
}

dae_status model_modes_start(model_simulation *m, double t, bool *found)
{
    enum { MOST_TURNS = 10 };
    message told = {0};
    *found = false;
    if (!may_start_in_mode(m)) return DAE_OK;
    hold_all(m, t);
    bool again = true;
    for (int i = 0; again && i < MOST_TURNS; i++) {
        *found = start_in_mode(m, t, &told);
        again = *found && hold_all(m, t);
    }
    *found = *found && !again;
    if (!*found && restore_whole(m, t))
        *found = try_modes(m, t, 1, (size_t)1 << MOST_AT_START, &told);
    m->whole.usable = !*found;
    if (*found) return take_mode(m, t, &told);
    message_free(&told);
    return restore_whole(m, t) ? DAE_OK : DAE_NO_START;
}

dae_status model_modes_start_elsewhere(model_simulation *m, double t, bool *found)
{
    message told = {0};
    *found = false;
    if (!may_start_in_mode(m) || !restore_whole(m, t)) return DAE_OK;
    *found = try_modes(m, t, 0, MOST_TRIED, &told);
    if (*found) return take_mode(m, t, &told);
    message_free(&told);
    return restore_whole(m, t) ? DAE_OK : DAE_NO_MEMORY;
}
