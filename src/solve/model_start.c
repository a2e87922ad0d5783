/* A model's start: chooses its formulation, and finds the consistent values it begins with. */
#include "formulation/prolonged_levels.h"
#include "solve/mechanism_simulation.h"
#include "solve/model_formed.h"
#include "solve/model_homotopy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most differentiations of derivative arrays in search of the index of a system whose structure
 * misleads: for arrays that are to be integrated with, and for those that only tell the index. */
enum { HIGHEST_LOCAL_INDEX = 2, HIGHEST_INDEX = 6 };

static message *messages_of(model_simulation *m)
{
    return m->base.solver.message;
}

typedef struct index_search {
    model_simulation *m;
    const sym_system *system; /* whose index is sought; NULL: of m->system */
    const structure *own;
    double t;
    unsigned highest; /* highest index to search */
    index_at_start index;
    bool misleads;                  /* the structure misleads; it says nothing of the index then */
    const double *value, *value_yp; /* the index is sought near them; NULL: near the start values */
} index_search;

/* Runs a part that takes memory from the simulation's arena. */
static dae_status protect(model_simulation *m, void (*part)(void *argument), index_search *b)
{
    return message_status(messages_of(m), arena_protect(m->home, part, b));
}

static void find_regular_index(void *argument)
{
    index_search *b = argument;
    model_simulation *m = b->m;
    author_lift(m->formulation->author, b->t, m->z, m->base.value, NULL);
    b->index = solve_index_regular(m->formulation);
}

static void find_index_beyond_structure(void *argument)
{
    index_search *b = argument;
    b->index = solve_index_beyond_structure(b->system ? b->system : b->m->system,
                                            b->system ? b->own : b->m->own, b->t, b->highest,
                                            b->value, b->value_yp);
}

/* Marks variables of higher index: they count less in the error norm of equations integrated as
 * given. */
static void mark_index(void *argument)
{
    index_search *b = argument;
    prolonged_form *form = b->m->formulation->form;
    prolonged_form_scatter(form, b->m->z, b->m->base.y, b->m->base.yp);
    if (b->misleads) {
        if (problem_linearize(&form->problem, b->t, b->m->base.y, b->m->base.yp) == DAE_OK)
            prolonged_form_find_hidden_direction(form);
        bool settles = b->m->formulation->choice.kind == FORMULATION_ARRAY;
        prolonged_levels *levels = b->m->formulation->levels;
        if (settles) message_status(messages_of(b->m), prolonged_levels_solve_hidden(levels));
        return;
    }
    for (size_t j = 0; b->index.variable && j < form->p->n; j++) {
        unsigned index = b->index.variable[form->p->unknown[j]];
        form->problem.index[form->first[j]] = (unsigned char)(index < 1   ? 1
                                                              : index > 3 ? 3
                                                                          : index);
    }
}

/* Names the rank deficiency. Equations that define an explicit variable were taken out, and are
 * independent. The rank of large systems is not determined. */
static void name_deception(model_simulation *m, const local_rank *rank)
{
    size_t all = m->system->equation.count, dependent = rank->of - rank->rank;
    text_clear(&m->misleads);
    if (rank->known)
        text_format(&m->misleads,
                    "the system Jacobian has only rank %zu of %zu, at the start and beside it",
                    all - dependent, all);
    else
        text_format(&m->misleads,
                    "the system Jacobian of %zu equations is singular, at the start "
                    "and beside it",
                    all);
}

/* The equations of the present system as they are given, with the constraints that the derivative
 * array hides. */
static formulation_choice array_of(const index_at_start *index, bool project)
{
    formulation_choice choice = {
        .kind = FORMULATION_ARRAY, .replace = EXPLICIT_LITTLE_FILL, .project = project};
    choice.index_1 = index->index == 1;
    choice.extra = index->index > 1 ? (uint32_t)(index->index - 1) : 0;
    return choice;
}

bool model_simulation_formulate_array(model_simulation *m, double t, const double *value,
                                      const double *value_yp, formulation_choice *chosen)
{
    index_search b = {.m = m,
                      .t = t,
                      .highest = HIGHEST_LOCAL_INDEX,
                      .misleads = true,
                      .value = value,
                      .value_yp = value_yp};
    bool project = m->formulation->choice.project;
    if (m->formulation->choice.kind != FORMULATION_INDEX1) return false;
    if (arena_protect(m->home, find_index_beyond_structure, &b) != DAE_OK || b.index.index < 0)
        return false;
    *chosen = array_of(&b.index, project);
    return model_simulation_formulate_as(m, chosen) == DAE_OK;
}

dae_status model_simulation_mark_hidden(model_simulation *m, double t, const double *z)
{
    index_search b = {.m = m, .t = t, .misleads = true};
    memcpy(m->z, z, m->formulation->p->size * sizeof *z);
    return protect(m, mark_index, &b);
}

static void note_misleading(model_simulation *m, const local_rank *rank)
{
    name_deception(m, rank);
    simulation_reason(&m->base, "the structure misleads: %s; the equations are integrated as given",
                      text_string(&m->misleads));
}

/* Takes over the messages of a first attempt: its notes, or its failure. */
static dae_status take_over(model_simulation *m, message *told)
{
    message_move(messages_of(m), told);
    return messages_of(m)->status;
}

static void note_converted(model_simulation *m, const local_rank *rank)
{
    size_t count = m->formulation->converted;
    name_deception(m, rank);
    simulation_reason(
        &m->base,
        "the structure misleads: %s; %zu equation%s replaced by combinations of equations "
        "whose structure does not, and these reduced to index 1",
        text_string(&m->misleads), count, count == 1 ? "" : "s");
}

/* For a misleading structure: takes combinations of equations whose structure does not mislead.
 * `found` where there are some, and they have a start with a regular system Jacobian. */
static dae_status formulate_converted(model_simulation *m, double t, const local_rank *rank,
                                      bool project, bool *found)
{
    const conversion_point point = {.t = t,
                                    .time_unit = m->formulation->start->time_unit,
                                    .value = m->searched.value,
                                    .yp = m->searched.value_yp};
    const formulation_choice choice = {
        .kind = FORMULATION_INDEX1,
        .project = project,
        .at_once = option_is(m->base.solver.options->projection, "least-squares"),
        .convert = &point};
    message collected = {0};
    dae_status status = model_simulation_formulate_as(m, &choice);
    *found = status == DAE_OK && m->formulation->converted > 0 &&
             model_simulation_find_start(m, t, &collected) == DAE_OK &&
             model_simulation_is_regular_beyond_rounding(m, t);
    if (collected.status == DAE_STOPPED || *found) status = take_over(m, &collected);
    message_free(&collected);
    if (status != DAE_OK || !*found) return status;
    note_converted(m, rank);
    m->converts = true;
    m->converted_by = choice;
    m->time_unit = point.time_unit;
    model_pivots_begin(m, t);
    return DAE_OK;
}

/* Refuses a solution of equations without derivatives around which they have lost derivatives that
 * they have elsewhere, as those of exponentials that are too small for numbers. */
static dae_status refuse_flat(model_simulation *m, const local_rank *rank)
{
    static const double FAR = 10;
    const start_system *s = &m->formulation->start->start;
    size_t farthest = 0;
    double most = -1;
    for (size_t j = 0; j < s->size; j++) {
        double way = s->variable[j] ? fabs(m->z[j] - s->guess[j]) / s->nominal[j] : 0;
        if (way > most) farthest = j, most = way;
    }
    text name = {0};
    if (most > FAR) text_add(&name, ", where ");
    if (most > FAR) s->form->name_entry(s->self, farthest, &name);
    if (most > FAR) text_format(&name, " = %.6g", m->z[farthest]);
    dae_status status = message_fail(
        messages_of(m), DAE_NO_START,
        "no start was found that the equations determine: around the one that was found%s, %zu of "
        "the %zu equations do not tell their variables apart, though around the start values they "
        "do\n  remedy: give guesses nearer to another solution (start = ...)",
        text_string(&name), rank->known ? rank->of - rank->rank : (size_t)1,
        m->system->equation.count);
    text_free(&name);
    return status;
}

/* Refuses equations without derivatives whose Jacobian is singular along their solutions. No number
 * of differentiations determines their variables, because one equation repeats others there, such
 * as another equation multiplied by a function. */
static dae_status refuse_algebraic(model_simulation *m, double t, const local_rank *rank)
{
    const incidence *in = m->own->in;
    for (size_t e = 0; e < in->start[in->rows]; e++)
        if (in->order[e] > 0) return DAE_OK;
    if (model_simulation_is_flat(m, t)) return refuse_flat(m, rank);
    return message_fail(messages_of(m), DAE_STRUCTURE,
                        "the equations do not determine the variables: no derivative occurs in "
                        "them, and wherever they hold, %zu of the %zu follow%s from the "
                        "others\n  remedy: look for an equation that is another one times a "
                        "variable or an expression, and for one that is missing",
                        rank->known ? rank->of - rank->rank : (size_t)1, m->system->equation.count,
                        rank->known && rank->of - rank->rank > 1 ? "" : "s");
}

/* By more and more derivatives, once the formulation does not need the index. */
static dae_status find_high_index(model_simulation *m, index_search *b)
{
    dae_status status = DAE_OK;
    while (status == DAE_OK && b->index.index < 0 && b->highest++ < HIGHEST_INDEX)
        status = protect(m, find_index_beyond_structure, b);
    return status;
}

/* For a misleading structure: embeds the equations in a larger system whose structure does not
 * mislead. `found` where there is one with a start. */
static dae_status formulate_embedded(model_simulation *m, double t, index_search *b, bool *found)
{
    size_t count;
    name_deception(m, &m->searched.rank);
    b->system = m->system;
    b->own = m->own;
    dae_status status = model_simulation_embed(m, t, &count);
    *found = status == DAE_OK && count > 0;
    if (*found)
        simulation_reason(&m->base,
                          "the structure misleads: %s; %zu equation%s embedded in a larger system "
                          "whose structure does not, and this reduced to index 1",
                          text_string(&m->misleads), count, count == 1 ? "" : "s");
    return *found ? find_high_index(m, b) : status;
}

/* For a misleading structure: integrates the equations as given, with the constraints that the
 * derivative array hides. */
static dae_status formulate_misleading(model_simulation *m, double t)
{
    const local_rank *rank = &m->searched.rank;
    bool project = m->formulation->choice.project;
    const double *value = m->searched.value;
    index_search b = {.m = m,
                      .t = t,
                      .highest = HIGHEST_LOCAL_INDEX,
                      .misleads = true,
                      .value = value,
                      .value_yp = m->searched.value_yp};
    author_lift(m->formulation->author, t, m->z, m->searched.value, m->searched.value_yp);
    dae_status status = model_simulation_depends(m, t, value, false);
    if (status == DAE_OK) status = refuse_algebraic(m, t, rank);
    if (status == DAE_OK) status = protect(m, find_index_beyond_structure, &b);
    if (status != DAE_OK) return status;
    bool found = false;
    if (b.index.index != 1) status = formulate_converted(m, t, rank, project, &found);
    if (found && status == DAE_OK) status = find_high_index(m, &b);
    if (found) m->base.solver.stats->index = b.index.index;
    if (status != DAE_OK || found) return status;
    if (b.index.index < 0) status = formulate_embedded(m, t, &b, &found);
    if (status == DAE_OK && !found && b.index.index < 0)
        status = model_simulation_depends(m, t, value, false);
    m->base.solver.stats->index = b.index.index;
    if (status != DAE_OK || found) return status;
    const formulation_choice choice = array_of(&b.index, project);
    note_misleading(m, rank);
    if (b.index.index < 0) {
        message_note(messages_of(m),
                     "the structure misleads, and the hidden constraints were not "
                     "determined (%s): only the equations as given are met. Perhaps one of "
                     "them follows from the others, and another one is missing",
                     b.index.reason);
        simulation_reason(&m->base, "hidden constraints not determined");
    }
    status = model_simulation_formulate_as(m, &choice);
    if (status == DAE_OK) m->formulation->start->start.incomplete = b.index.index < 0;
    if (status == DAE_OK) status = model_simulation_find_start(m, t, messages_of(m));
    if (status == DAE_OK) status = protect(m, mark_index, &b);
    return status == DAE_OK ? messages_of(m)->status : status;
}

static dae_status finish_regular(model_simulation *m, double t, bool direct)
{
    index_search b = {.m = m, .t = t};
    dae_status status = protect(m, find_regular_index, &b);
    m->base.solver.stats->index = b.index.index;
    return status == DAE_OK && direct ? protect(m, mark_index, &b) : status;
}

/* Whether the equations are integrated as given. A mechanism starts with the reduced equations. */
static bool is_direct(const model_simulation *m)
{
    return option_is(m->base.solver.options->formulation, "direct") && m->wish != MECHANISM_YES;
}

/* Repeats the notes of the start without those on multipliers, which the mechanism finds. The
 * mechanism's constraints may be independent even though the equations hid that. Then they
 * determine each multiplier, and nothing is missing where there are as many constraints as
 * coordinates. */
static void note_open_multipliers(model_simulation *m, double t, message *first)
{
    message again = {0};
    const mechanical_simulation *inner = (const mechanical_simulation *)m->base.followed;
    bool depend = inner->system->dependent > 0;
    bool all = !depend && inner->form->holonomic == inner->form->nv;
    m->formulation->start->start.settled_elsewhere = true;
    bool found = all || model_simulation_find_start(m, t, &again) == DAE_OK;
    message_free(found ? first : &again);
    if (found) *first = again;
    if (!depend) return;
    message_note(first,
                 "constraints depend on each other and do not determine each multiplier by itself: "
                 "of all multipliers with the same effect the smallest ones are reported");
}

/* What follows where the structure misleads, after a first start with its message. */
static dae_status finish_misleading(model_simulation *m, double t)
{
    message *first = &m->searched.told;
    m->base.solver.stats->rank_margin = 0;
    m->base.solver.stats->index = -1; /* there is none where multipliers are not determined */
    mechanism_simulation_open(m);
    dae_status status = mechanism_simulation_try(m, t);
    if (status == DAE_OK && m->base.followed) note_open_multipliers(m, t, first);
    if (status != DAE_OK || m->base.followed) return take_over(m, first);
    message_free(first);
    return formulate_misleading(m, t);
}

/* The same without the constraints that the array hides, as the options ask for. */
static dae_status finish_as_given(model_simulation *m, double t)
{
    index_search b = {.m = m, .t = t, .highest = HIGHEST_LOCAL_INDEX, .misleads = true};
    dae_status status = protect(m, find_index_beyond_structure, &b);
    m->base.solver.stats->index = b.index.index;
    note_misleading(m, &m->searched.rank);
    author_lift(m->formulation->author, t, m->z, m->base.value, NULL);
    if (status == DAE_OK && b.index.index < 0)
        status = model_simulation_depends(m, t, m->base.value, false);
    return status == DAE_OK ? protect(m, mark_index, &b) : status;
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
    if (*found || status != DAE_OK || take_unsettled(m, t, first)) return status;
    model_homotopy_blame(m, first);
    if (one_mode || !contradicts(m, t, first)) take_over(m, first);
    return messages_of(m)->status;
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
    if (status == DAE_OK) status = model_simulation_formulate_as(m, &choice);
    if (status != DAE_OK) return status;
    if (model_simulation_find_start(m, t, told) != DAE_OK) {
        bool elsewhere;
        status = search_further(m, t, &choice, told, &elsewhere);
        if (elsewhere || status != DAE_OK) return status;
    }
    m->whole.choice = choice;
    status = model_simulation_look_at_rank(m, t, &m->searched.rank, &m->searched.misleads);
    if (status == DAE_OK) return DAE_OK;
    take_over(m, told);
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
        if (!found) return finish_misleading(m, t);
        misleads = false;
    }
    take_over(m, &m->searched.told);
    c->solver.stats->rank_margin = rank->margin;
    dae_status status = misleads ? finish_as_given(m, t) : finish_regular(m, t, direct);
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
    model_homotopy_forget(m);
    apply_start(m);
    model_events_free(m);
    model_formed_forget(m);
    model_modes_reset(m);
    switching_reset(m->system, m->modes);
    mechanism_simulation_wish(m);
    m->formed_at = (double)NAN;
    m->formed_anew = 0;
    m->converts = false;
    text_clear(&m->misleads);
    model_simulation_follow_own(m);
    return DAE_OK;
}

/* A mechanism's states are projected by its own simulation. */
static dae_status model_project(simulation *c, double t)
{
    model_simulation *m = (model_simulation *)c;
    if (c->followed) {
        model_start_modes_tell(m);
        return DAE_OK;
    }
    c->bent = m->formulation->core->bent;
    model_simulation_report_way(m);
    dae_status status = message_status(messages_of(m), model_simulation_find_blocks(m));
    if (status == DAE_OK) status = model_simulation_choose_projection(m);
    if (status == DAE_OK) status = model_events_begin(m, t, &model_events_own);
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
