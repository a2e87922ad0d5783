/* A model's start: chooses its formulation, and finds the consistent values it begins with. */
#include "solve/model_start.h"

#include "solve/mechanism_simulation.h"
#include "solve/model_formed.h"
#include "solve/model_homotopy.h"
#include "solve/start_laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static message *messages_of(model_simulation *m)
{
    return m->base.solver.message;
}

/* Takes over the messages of a first attempt: its notes, or its failure. */
dae_status model_start_take_over(model_simulation *m, message *told)
{
    message_move(messages_of(m), told);
    return messages_of(m)->status;
}

/* Whether the equations are integrated as given. A mechanism starts with the reduced equations. */
static bool is_direct(const model_simulation *m)
{
    return option_is(m->base.solver.options->formulation, "direct") && m->wish != MECHANISM_YES;
}

/* Searches the start with more variables, fewer explicit ones being taken out, at last with all. A
 * guess of an explicit variable is not a guess of the variables that give it, so what depends on it
 * may have no value at their guesses. The message is that of the first search, unless another one
 * finds a start. */
static dae_status find_start_of_more(model_simulation *m, double t, formulation_choice *choice,
                                     message *first)
{
    static const explicit_extent FEWER[] = {EXPLICIT_LITTLE_FILL, EXPLICIT_NONE};
    const explicit_extent most = choice->replace;
    for (size_t k = 0; k < sizeof FEWER / sizeof *FEWER; k++) {
        if (first->status != DAE_NO_START || choice->replace <= FEWER[k]) continue;
        message again = {0};
        choice->replace = FEWER[k];
        dae_status status = model_simulation_formulate_as(m, choice);
        bool found = status == DAE_OK && model_simulation_find_start(m, t, &again) == DAE_OK;
        message_free(found ? first : &again);
        if (found) *first = again;
        if (found) return DAE_OK;
    }
    if (choice->replace == most) return first->status;
    choice->replace = most; /* messages refer to these equations */
    dae_status status = model_simulation_formulate_as(m, choice);
    return status == DAE_OK ? first->status : status;
}

/* Reports that equations contradict each other whatever the start, if a search has found none and
 * they do. */
static bool contradicts(model_simulation *m, double t, message *first)
{
    if (!m->formulation || (first->status != DAE_NO_START && first->status != DAE_CONTRADICTION))
        return false;
    for (size_t i = 0; i < m->base.n; i++) m->base.value[i] = m->system->unknown.item[i].start;
    if (model_simulation_depends(m, t, m->base.value, true) != DAE_STRUCTURE) return false;
    message_free(first);
    return true;
}

/* A start in modes that do not agree with it, where the event of the start may find others. */
static bool take_unsettled(model_simulation *m, double t, message *first)
{
    message again = {0};
    if (first->status != DAE_NO_START || !m->switching) return false;
    switching_reset(m->system, m->modes);
    m->takes_unsettled = true;
    bool found = model_simulation_find_start(m, t, &again) == DAE_OK;
    m->takes_unsettled = false;
    message_free(found ? first : &again);
    if (found) *first = again;
    return found;
}

/* Searches further where a first search has found no start. Equations that contradict each other
 * whatever the start are not searched with, unless those of another mode may not do so. */
static dae_status search_further(model_simulation *m, double t, formulation_choice *choice,
                                 message *first, bool *found)
{
    bool one_mode = !m->switching && !m->system->homotopy.led;
    *found = false;
    if (one_mode && contradicts(m, t, first)) return messages_of(m)->status;
    if (find_start_of_more(m, t, choice, first) == DAE_OK) return DAE_OK;
    bool sought = first->status == DAE_NO_START || first->status == DAE_CONTRADICTION;
    dae_status status = sought ? model_modes_start_elsewhere(m, t, found) : DAE_OK;
    m->sought_elsewhere = m->sought_elsewhere || sought;
    if (*found || status != DAE_OK || take_unsettled(m, t, first)) return status;
    model_homotopy_blame(m, first);
    if (one_mode || !contradicts(m, t, first)) model_start_take_over(m, first);
    return messages_of(m)->status;
}

/* Formulates the equations and finds their start. Where start values follow from parameters that
 * are found there, it is sought again from these. */
static dae_status find_start(model_simulation *m, double t, const formulation_choice *choice,
                             message *told)
{
    enum { MOST_PASSES = 50 };
    const bool laws = m->system->start_law.count > 0;
    dae_status status = DAE_OK;
    bool moves = laws;
    if (laws) status = start_laws_guess(m, t);
    for (int pass = 0; pass == 0 || (moves && pass < MOST_PASSES); pass++) {
        message_free(told);
        if (status == DAE_OK) status = model_simulation_formulate_as(m, choice);
        if (status != DAE_OK) return message_status(told, status);
        status = model_simulation_find_start(m, t, told);
        if (status != DAE_OK || !laws) return status;
        moves = start_laws_take(m, t);
    }
    if (moves)
        message_note(told, "start values that depend on parameters which are found at the start do "
                           "not settle: give the variables numbers, or initial equations");
    return message_status(told, status);
}

/* The start of the equations reduced to index 1, or as given, and their rank there. */
static dae_status model_search(simulation *c, double t)
{
    model_simulation *m = (model_simulation *)c;
    const char *projected = c->solver.options->projection;
    bool direct = is_direct(m), wished = m->wish == MECHANISM_YES;
    message *told = &m->searched.told;
    formulation_choice choice = {
        .kind = direct ? FORMULATION_DIRECT : FORMULATION_INDEX1,
        .replace = direct ? EXPLICIT_NONE : EXPLICIT_SOLVED,
        .project = wished ||
                   (option_is(projected, "auto") ? !direct : !option_is(projected, "none")),
        .at_once = option_is(projected, "least-squares"),
    };
    m->whole.choice = choice;
    dae_status status = message_status(messages_of(m), model_homotopy_lead(m, t));
    if (status != DAE_OK) return status;
    if (find_start(m, t, &choice, told) != DAE_OK) {
        bool elsewhere;
        status = search_further(m, t, &choice, told, &elsewhere);
        if (elsewhere || status != DAE_OK) return status;
    }
    m->whole.choice = choice;
    model_whole_start_keep(m);
    status = model_simulation_look_at_rank(m, t, &m->searched.rank, &m->searched.misleads);
    if (status == DAE_OK) return DAE_OK;
    model_start_take_over(m, told);
    if (status == DAE_NO_MEMORY) return message_status(messages_of(m), status);
    return message_fail(messages_of(m), status,
                        "the Jacobian of the equations has no finite value at the start");
}

/* In the formulation of the search, unless the structure misleads or the model is followed as a
 * mechanism. */
static dae_status model_formulate(simulation *c, double t)
{
    model_simulation *m = (model_simulation *)c;
    const local_rank *rank = &m->searched.rank;
    bool direct = is_direct(m), misleads = m->searched.misleads;
    if (misleads && !direct) {
        bool found;
        dae_status status = model_modes_start(m, t, &found);
        if (status != DAE_OK) return message_status(messages_of(m), status);
        if (!found) return model_start_finish_misleading(m, t);
        misleads = false;
    }
    model_start_take_over(m, &m->searched.told);
    c->solver.stats->rank_margin = rank->margin;
    dae_status status = misleads ? model_start_finish_as_given(m, t)
                                 : model_start_finish_regular(m, t, direct);
    if (status == DAE_OK) status = mechanism_simulation_try(m, t);
    if (status == DAE_OK && !rank->full && !misleads && !m->base.followed)
        message_note(messages_of(m),
                     "the system Jacobian is singular at the start, though not beside "
                     "it: the solution may not be unique");
    return status;
}

static void apply_start(model_simulation *m)
{
    for (size_t i = 0; i < m->base.n; i++) {
        if (isnan(m->base.start[i])) continue;
        m->system->unknown.item[i].start = m->base.start[i];
        m->system->unknown.item[i].start_given = true;
    }
}

static dae_status model_take(simulation *c, double t)
{
    model_simulation *m = (model_simulation *)c;
    (void)t;
    m->system = m->whole.system; /* nothing is embedded */
    m->own = m->whole.own;
    m->written = (model_written){m->system, m->own, NULL};
    model_homotopy_forget(m);
    apply_start(m);
    model_events_free(m);
    model_formed_forget(m);
    model_whole_start_forget(m);
    model_modes_reset(m);
    switching_reset(m->system, m->modes);
    m->modes->rtol = c->solver.options->rtol;
    m->modes->atol = c->solver.options->atol;
    mechanism_simulation_wish(m);
    m->formed_at = (double)NAN;
    m->formed_anew = 0;
    m->converts = false;
    m->sought_elsewhere = false;
    text_clear(&m->misleads);
    model_simulation_follow_own(m);
    return DAE_OK;
}

static dae_status begin_events(model_simulation *m, double t)
{
    simulation *c = &m->base;
    c->bent = m->formulation->core->bent;
    model_simulation_report_way(m);
    dae_status status = message_status(messages_of(m), model_simulation_find_blocks(m));
    if (status == DAE_OK) status = model_simulation_choose_projection(m);
    return status == DAE_OK ? model_events_begin(m, t, &model_events_own) : status;
}

/* Whether the modes of the start can be others than those in which one was found. */
static bool may_begin_elsewhere(const model_simulation *m, dae_status status)
{
    bool disagrees = status == DAE_NO_START || status == DAE_EVENT;
    return disagrees && !m->sought_elsewhere && !m->homotopy && !m->searched.misleads &&
           !m->converts && !is_direct(m);
}

/* Where the event of the start does not end at one: a start of another mode. *status stays that of
 * the first one, with its message, if there is none. */
static void begin_elsewhere(model_simulation *m, double t, dae_status *status)
{
    simulation *c = &m->base;
    message first = message_take_failure(messages_of(m));
    bool found = false;
    model_take(c, t);
    m->chosen = m->whole.choice;
    dae_status sought = model_modes_start_elsewhere(m, t, &found);
    m->sought_elsewhere = true;
    if (sought == DAE_OK && found) sought = model_formulate(c, t);
    found = found && sought == DAE_OK && !c->followed;
    if (found) sought = begin_events(m, t);
    if (sought == DAE_STOPPED || sought == DAE_NO_MEMORY || (found && sought == DAE_OK)) {
        *status = sought;
    } else {
        message later = message_take_failure(messages_of(m));
        message_free(&later);
        message_move(messages_of(m), &first);
    }
    message_free(&first);
}

/* A mechanism's states are projected by its own simulation. */
static dae_status model_project(simulation *c, double t)
{
    model_simulation *m = (model_simulation *)c;
    if (c->followed) {
        model_start_modes_tell(m);
        return DAE_OK;
    }
    dae_status status = begin_events(m, t);
    if (may_begin_elsewhere(m, status)) begin_elsewhere(m, t, &status);
    if (status == DAE_OK) model_start_modes_tell(m);
    if (status == DAE_OK && m->invariants) status = model_invariants_begin(m, t, m->z);
    if (status == DAE_OK) prolonged_form_scatter(m->formulation->form, m->z, c->y, c->yp);
    return status;
}

const start_stages model_simulation_stages = {
    .take = model_take,
    .search = model_search,
    .formulate = model_formulate,
    .project = model_project,
};
