/* Starts in one of a model's modes: where the equations of all modes together mislead, or have no
 * start. */
#include "solve/model_formed.h"
#include "symbolic/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take_whole(model_simulation *m)
{
    m->system = m->whole.system;
    m->own = m->whole.own;
    m->invariants = m->whole.invariants;
    m->home = &m->memory;
}

void model_modes_reset(model_simulation *m)
{
    model_modes_forget(m);
    if (m->own_home) model_formed_free_present(m);
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

/* The values of the cells that select branches; NULL: memory is exhausted. */
static double *selecting_cells(const model_simulation *m)
{
    const sym_selectors *s = &m->whole.selectors;
    double *value = malloc((s->cells + 1) * sizeof *value);
    for (size_t i = 0; value && i < s->cells; i++)
        value[i] = sym_cell_value(m->system->graph, s->cell[i]);
    return value;
}

static bool have_values(const model_simulation *m, const double *value)
{
    const sym_selectors *s = &m->whole.selectors;
    for (size_t i = 0; i < s->cells; i++)
        if (sym_cell_value(m->system->graph, s->cell[i]) != value[i]) return false;
    return true;
}

static bool start_with_cells(model_simulation *m, double t, message *told)
{
    model_modes modes;
    message_free(told);
    if (model_modes_note(m, &modes) != DAE_OK) return false;
    model_formed_free_present(m);
    bool made = model_formed_make(m, &modes);
    model_modes_free(&modes);
    return made && model_simulation_find_start(m, t, told) == DAE_OK &&
           model_modes_are_regular(m, t, m->z);
}

/* The start with the equations of the present modes alone. The equations have the branches that
 * discrete variables select: where the start gives these other values, the equations are those of
 * them. */
static bool start_in_mode(model_simulation *m, double t, message *told)
{
    enum { MOST_TURNS = 10 };
    bool found = true, stays = false;
    for (int i = 0; i < MOST_TURNS && found && !stays; i++) {
        double *value = selecting_cells(m);
        found = value && start_with_cells(m, t, told);
        stays = found && have_values(m, value);
        free(value);
    }
    return stays;
}

static void take_guess(model_simulation *m)
{
    memcpy(m->z, m->formulation->start->start.guess, m->formulation->p->size * sizeof *m->z);
}

/* Goes back to the equations of all modes, and their start; to the guesses, if they have none. */
static bool restore_whole(model_simulation *m, double t)
{
    message told = {0};
    model_formed_free_present(m);
    take_whole(m);
    switching_reset(m->system, m->modes);
    if (model_simulation_formulate(m) != DAE_OK) return false;
    bool found = model_simulation_find_start(m, t, &told) == DAE_OK;
    message_free(&told);
    if (!found) take_guess(m);
    hold_all(m, t);
    return true;
}

/* Of so many open relations all modes are tried at the start; so many modes where the start
 * values may contradict the equations in each of them. */
enum { MOST_AT_START = 10, MOST_TRIED = 100 };

/* Whether the search may choose the mode of a relation: time and discrete variables do not give it.
 */
static bool is_open(const model_simulation *m, size_t k)
{
    const switching_relation *r = &m->switching->relation[k];
    return r->kind == RELATION_STATE || r->is_found;
}

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

/* The open relations; 0: there are too many. */
static size_t find_open_relations(const model_simulation *m, size_t *which)
{
    size_t count = 0;
    for (size_t k = 0; k < m->modes->relations; k++) {
        if (!is_open(m, k)) continue;
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

/* Tries the modes of all open relations, those with the fewest changes first: from
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

/* The first open relation from `from` on whose value its mode excludes, by more than the
 * errors of a state; the count of relations: there is none. */
static size_t find_excluded(model_simulation *m, double t, size_t from)
{
    const switching *s = m->switching;
    size_t k = from;
    switching_look(m->switching, t, m->z);
    for (; k < m->modes->relations; k++) {
        bool differs = switching_holds(s, k) != (m->modes->relation[k].is == SYM_HELD_TRUE);
        double band = s->relation[k].kind == RELATION_STATE ? switching_band(s, k) : 0;
        if (differs && is_open(m, k) && fabs(s->value[k]) > band) break;
    }
    return k;
}

static void turn_one(model_simulation *m, double t, size_t k)
{
    bool was = m->modes->relation[k].is == SYM_HELD_TRUE;
    m->modes->relation[k].is = was ? SYM_HELD_FALSE : SYM_HELD_TRUE;
    switching_adopt(m->switching, m->system->graph);
    switching_define(m->switching, t, m->z);
}

/* From the mode in which all open relations are true, or false: turns the first one that is
 * excluded, as long as the equations then have a start (Murty, 1972, as in event/search.c). */
static bool try_pivots(model_simulation *m, double t, bool all, message *told)
{
    size_t relations = m->modes->relations, left = 4 * relations, k = 0;
    for (size_t i = 0; i < relations; i++)
        if (is_open(m, i)) m->modes->relation[i].is = all ? SYM_HELD_TRUE : SYM_HELD_FALSE;
    switching_adopt(m->switching, m->system->graph);
    switching_define(m->switching, t, m->z);
    bool starts = start_in_mode(m, t, told);
    while (starts && left-- > 0) {
        k = find_excluded(m, t, k);
        if (k == relations) return !is_excluded(m, t);
        turn_one(m, t, k);
        bool turns = start_in_mode(m, t, told);
        if (!turns && !m->formulation) return false;
        if (!turns) turn_one(m, t, k);
        starts = turns || start_in_mode(m, t, told);
        k = turns ? 0 : k + 1;
    }
    return false;
}

/* Where there are too many relations to try all modes. */
static bool try_many(model_simulation *m, double t, message *told)
{
    size_t open = 0;
    for (size_t k = 0; k < m->modes->relations; k++) open += is_open(m, k);
    if (open <= MOST_AT_START) return false;
    for (int all = 1; all >= 0; all--) {
        if (try_pivots(m, t, all, told)) return true;
        if (!restore_whole(m, t)) return false;
    }
    return false;
}

static bool may_start_in_mode(const model_simulation *m)
{
    return m->switching && m->whole.selectors.relations + m->whole.selectors.cells > 0;
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
        *found = try_modes(m, t, 1, (size_t)1 << MOST_AT_START, &told) || try_many(m, t, &told);
    m->whole.usable = !*found;
    if (*found) return take_mode(m, t, &told);
    message_free(&told);
    return restore_whole(m, t) ? DAE_OK : DAE_NO_START;
}

dae_status model_modes_start_elsewhere(model_simulation *m, double t, bool *found)
{
    message told = {0};
    *found = false;
    if (!may_start_in_mode(m) || m->modes->relations == 0 || !restore_whole(m, t)) return DAE_OK;
    *found = try_modes(m, t, 0, MOST_TRIED, &told) || try_many(m, t, &told);
    if (*found) return take_mode(m, t, &told);
    message_free(&told);
    return restore_whole(m, t) ? DAE_OK : DAE_NO_MEMORY;
}

void model_start_modes_keep(model_simulation *m, double t)
{
    switching_look(m->switching, t, m->z);
    for (size_t k = 0; k < m->modes->relations; k++) {
        sym_mode held = sym_relation_mode(m->system->graph, k);
        bool holds = switching_holds(m->switching, k);
        m->start_modes[k] = held == SYM_FREE ? holds : held == SYM_HELD_TRUE;
    }
}

void model_start_modes_tell(model_simulation *m)
{
    bool same = true;
    for (size_t k = 0; m->switching && !m->base.followed && k < m->modes->relations; k++) {
        const relation_state *r = &m->modes->relation[k];
        same = same && (!r->decides || m->start_modes[k] == (r->is == SYM_HELD_TRUE));
    }
    if (same && m->redundancy->length)
        message_note(m->base.solver.message, "%s", text_string(m->redundancy));
    text_clear(m->redundancy);
}
