/* Starts in one of a model's modes: where the equations of all modes together mislead, or have no
 * start. */
#include "solve/start_modes.h"

#include "solve/model_formed.h"
#include "symbolic/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take_whole(model_simulation *m)
{
    m->system = m->whole.system;
    m->own = m->whole.own;
    m->written = (model_written){m->system, m->own, NULL};
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

/* Whether the system Jacobian is regular at m->z, as it is judged for the equations of all modes:
 * by entries that are only rounding a structure that misleads on solutions would seem right. */
static bool is_regular(model_simulation *m, double t)
{
    return model_modes_are_regular(m, t, m->z) &&
           (m->base.flat || model_simulation_is_regular(m, t));
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

/* A formulation of the present modes alone; the one before stays where there is none. */
static bool formulate_mode(model_simulation *m)
{
    model_modes modes;
    if (model_modes_note(m, &modes) != DAE_OK) return false;
    model_simulation last = *m;
    model_formed_leave(m);
    bool made = model_formed_make(m, &modes);
    model_modes_free(&modes);
    if (made)
        model_formed_free_present(&last);
    else
        model_formed_go_back(m, &last);
    return made;
}

static void take_guess(model_simulation *m)
{
    memcpy(m->z, m->formulation->start->start.guess, m->formulation->p->size * sizeof *m->z);
}

/* In a mode without a start, m->z is left at the guesses. */
static bool start_with_cells(model_simulation *m, double t, message *told)
{
    message_free(told);
    if (!formulate_mode(m)) return false;
    take_guess(m);
    return !start_mode_is_singular(m) && model_simulation_find_start(m, t, told) == DAE_OK &&
           is_regular(m, t);
}

/* Whether a search that has found no start has come nearest to one where discrete variables select
 * other branches: they then have these values. Friction that sticks by the guesses is found to slip
 * so, where a speed is fixed. */
static bool take_near(model_simulation *m, const double *tried)
{
    const sym_selectors *s = &m->whole.selectors;
    if (!m->knows_near) return false;
    for (size_t i = 0; i < s->cells; i++)
        sym_set_cell(m->system->graph, s->cell[i], m->near_cells[s->cell[i]]);
    return !have_values(m, tried);
}

/* The equations have the branches that discrete variables select: where the start gives these other
 * values, the equations are those of them. */
bool start_mode_start(model_simulation *m, double t, message *told)
{
    enum { MOST_TURNS = 10 };
    bool goes_on = true, stays = false;
    m->near_cells = malloc((m->modes->cells + 1) * sizeof *m->near_cells);
    for (int i = 0; i < MOST_TURNS && goes_on && !stays; i++) {
        double *value = selecting_cells(m);
        m->knows_near = false;
        bool found = value && m->near_cells && start_with_cells(m, t, told);
        stays = found && have_values(m, value);
        goes_on = found || (value && m->near_cells && take_near(m, value));
        free(value);
    }
    free(m->near_cells);
    m->near_cells = NULL;
    return stays;
}

void model_whole_start_forget(model_simulation *m)
{
    free(m->whole_start.z);
    free(m->whole_start.cell);
    free(m->whole_start.mode);
    text_free(&m->whole_start.redundancy);
    memset(&m->whole_start, 0, sizeof m->whole_start);
}

/* Nothing is kept where a search leaves more than values behind. */
void model_whole_start_keep(model_simulation *m)
{
    const sym_graph *g = m->system->graph;
    size_t size = m->formulation->p->size, cells = sym_cell_count(g);
    model_whole_start_forget(m);
    bool more = m->base.delays || m->homotopy || m->unsettled.status != DAE_OK;
    if (!m->switching || more || size == 0) return;
    m->whole_start.z = malloc(size * sizeof *m->whole_start.z);
    m->whole_start.cell = malloc((cells + 1) * sizeof *m->whole_start.cell);
    m->whole_start.mode = malloc((m->modes->relations + 1) * sizeof *m->whole_start.mode);
    if (!m->whole_start.z || !m->whole_start.cell || !m->whole_start.mode) return;
    m->whole_start.size = size;
    m->whole_start.choice = m->formulation->choice;
    memcpy(m->whole_start.z, m->z, size * sizeof *m->z);
    if (cells) memcpy(m->whole_start.cell, sym_cell_values(g), cells * sizeof(double));
    memcpy(m->whole_start.mode, m->start_modes, m->modes->relations * sizeof *m->start_modes);
    text_add(&m->whole_start.redundancy, text_string(m->redundancy));
}

/* Whether the start that is kept is one of the present formulation, to which it goes. */
static bool take_whole_start(model_simulation *m)
{
    const formulation_choice *now = &m->formulation->choice, *kept = &m->whole_start.choice;
    if (m->whole_start.size != m->formulation->p->size || now->kind != kept->kind ||
        now->replace != kept->replace || now->project != kept->project ||
        now->at_once != kept->at_once)
        return false;
    memcpy(m->z, m->whole_start.z, m->whole_start.size * sizeof *m->z);
    for (uint32_t i = 0; i < sym_cell_count(m->system->graph); i++)
        sym_set_cell(m->system->graph, i, m->whole_start.cell[i]);
    memcpy(m->start_modes, m->whole_start.mode, m->modes->relations * sizeof *m->start_modes);
    text_clear(m->redundancy);
    text_add(m->redundancy, text_string(&m->whole_start.redundancy));
    message_free(&m->unsettled);
    m->modes->starting = true;
    m->modes->passed_on = false;
    return true;
}

/* Goes back to the equations of all modes, and their start; to the guesses, if they have none. */
static bool restore_whole(model_simulation *m, double t)
{
    message told = {0};
    model_formed_free_present(m);
    take_whole(m);
    switching_reset(m->system, m->modes);
    if (model_simulation_formulate(m) != DAE_OK) return false;
    bool found = take_whole_start(m) || model_simulation_find_start(m, t, &told) == DAE_OK;
    message_free(&told);
    if (!found) take_guess(m);
    hold_all(m, t);
    return true;
}

/* The most modes that are tried where the structure of all modes together misleads, and where the
 * start values may contradict the equations in each of them. */
enum { MOST_WHERE_MISLED = 1024, MOST_TRIED = 100 };

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

/* The most turns in which modes follow from a start, and a start from modes. */
enum { MOST_TURNS = 10 };

dae_status model_modes_start(model_simulation *m, double t, bool *found)
{
    message told = {0};
    *found = false;
    if (!may_start_in_mode(m)) return DAE_OK;
    hold_all(m, t);
    bool again = true;
    for (int i = 0; again && i < MOST_TURNS; i++) {
        *found = start_mode_start(m, t, &told);
        again = *found && hold_all(m, t);
    }
    *found = *found && !again;
    if (!*found && restore_whole(m, t)) *found = start_mode_search(m, t, MOST_WHERE_MISLED, &told);
    m->whole.usable = !*found;
    if (*found) return take_mode(m, t, &told);
    message_free(&told);
    return restore_whole(m, t) ? DAE_OK : DAE_NO_START;
}

dae_status model_modes_start_misled(model_simulation *m, double t, bool *found)
{
    message told = {0};
    *found = false;
    if (!may_start_in_mode(m)) return DAE_OK;
    bool again = true;
    for (int i = 0; again && i < MOST_TURNS; i++) {
        *found = model_modes_start_combined(m, t, &told);
        again = *found && hold_all(m, t);
    }
    *found = *found && !again;
    m->whole.usable = !*found;
    if (*found) {
        message_move(m->base.solver.message, &told);
        return m->base.solver.message->status;
    }
    message_free(&told);
    return restore_whole(m, t) ? DAE_OK : DAE_NO_START;
}

dae_status model_modes_start_elsewhere(model_simulation *m, double t, bool *found)
{
    message told = {0};
    *found = false;
    if (!may_start_in_mode(m) || m->modes->relations == 0 || !restore_whole(m, t)) return DAE_OK;
    *found = start_mode_search(m, t, MOST_TRIED, &told);
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
