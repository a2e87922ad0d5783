/* What a model is integrated with once a start of it is known: its index there, and other equations
 * where the structure of the given ones misleads about that. */
#include "formulation/prolonged_levels.h"
#include "solve/mechanism_simulation.h"
#include "solve/model_start.h"

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

/* Whether the start that was found meets the equations as written. One of combinations may be where
 * their divisors vanish, or what they were freed of. */
static bool meets_given(const model_simulation *m, double t)
{
    static const double GROSS = 1e-3;
    double all = 0, *level = calloc(m->base.constraint_levels + 1, sizeof *level);
    if (!level) return true; /* what follows fails */
    author_lift(m->formulation->author, t, m->z, m->base.value, NULL);
    author_measure(m->formulation->author, t, &all, level);
    free(level);
    return all <= GROSS;
}

/* Takes combinations of equations that are found near a point. `found` where there are some, and
 * they have a start with a regular system Jacobian. */
static dae_status formulate_converted_near(model_simulation *m, const conversion_point *point,
                                           bool project, bool *found)
{
    const formulation_choice choice = {
        .kind = FORMULATION_INDEX1,
        .project = project,
        .at_once = option_is(m->base.solver.options->projection, "least-squares"),
        .convert = point};
    message collected = {0};
    dae_status status = model_simulation_formulate_as(m, &choice);
    *found = status == DAE_OK && m->formulation->converted > 0 &&
             model_simulation_find_start(m, point->t, &collected) == DAE_OK &&
             meets_given(m, point->t) && model_simulation_is_regular_beyond_rounding(m, point->t);
    if (collected.status == DAE_STOPPED || *found) status = model_start_take_over(m, &collected);
    message_free(&collected);
    if (status == DAE_OK && *found) m->converted_by = choice;
    return status;
}

/* For a misleading structure: takes combinations of equations whose structure does not mislead,
 * found near the start of the given equations. Where their structure misleads, that may be far from
 * any start, where nothing is told apart; then they are sought near the start values. */
static dae_status formulate_converted(model_simulation *m, double t, const local_rank *rank,
                                      bool project, bool *found)
{
    size_t n = m->base.n;
    double *guess = malloc((2 * n + 1) * sizeof *guess);
    if (!guess) return message_status(messages_of(m), DAE_NO_MEMORY);
    for (size_t i = 0; i < n; i++) {
        guess[i] = m->system->unknown.item[i].start;
        guess[n + i] = (double)NAN;
    }
    const double unit = m->formulation->start->time_unit;
    const conversion_point near[] = {
        {.t = t, .time_unit = unit, .value = m->searched.value, .yp = m->searched.value_yp},
        {.t = t, .time_unit = unit, .value = guess, .yp = guess + n},
        {t, unit, m->searched.value, m->searched.value_yp, .divides = true}};
    dae_status status = DAE_OK;
    *found = false;
    for (size_t k = 0; k < sizeof near / sizeof *near && status == DAE_OK && !*found; k++)
        status = formulate_converted_near(m, &near[k], project, found);
    free(guess);
    if (status != DAE_OK || !*found) return status;
    note_converted(m, rank);
    m->converts = true;
    m->time_unit = unit;
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

/* For a misleading structure of equations that switch: the same of the present modes alone. */
static dae_status formulate_in_mode(model_simulation *m, double t, index_search *b, bool *found)
{
    name_deception(m, &m->searched.rank);
    dae_status status = model_modes_start_misled(m, t, found);
    if (status != DAE_OK || !*found) return status;
    b->system = m->written.system;
    b->own = m->written.own;
    size_t converted = m->formulation->converted, embedded = m->system->implied.count;
    simulation_reason(&m->base,
                      "the structure misleads: %s; of the equations of the present modes, %zu %s, "
                      "and these reduced to index 1",
                      text_string(&m->misleads), converted + embedded,
                      embedded > 0 ? "embedded in a larger system whose structure does not"
                                   : "replaced by combinations whose structure does not");
    return DAE_OK;
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
    if (status == DAE_OK && !found && b.index.index != 1)
        status = formulate_in_mode(m, t, &b, &found);
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

dae_status model_start_finish_regular(model_simulation *m, double t, bool direct)
{
    index_search b = {.m = m, .t = t};
    dae_status status = protect(m, find_regular_index, &b);
    m->base.solver.stats->index = b.index.index;
    return status == DAE_OK && direct ? protect(m, mark_index, &b) : status;
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

/* The index of a mechanism whose equations hid that its constraints are independent. */
static dae_status find_index_of_mechanism(model_simulation *m, double t)
{
    const mechanical_simulation *inner = (const mechanical_simulation *)m->base.followed;
    author_lift(m->formulation->author, t, m->z, m->searched.value, m->searched.value_yp);
    index_search b = {.m = m,
                      .t = t,
                      .index.index = -1,
                      .value = m->searched.value,
                      .value_yp = m->searched.value_yp};
    dae_status status = inner->system->dependent > 0 ? DAE_OK : find_high_index(m, &b);
    m->base.solver.stats->index = b.index.index;
    return status;
}

/* What follows where the structure misleads, after a first start with its message. */
dae_status model_start_finish_misleading(model_simulation *m, double t)
{
    message *first = &m->searched.told;
    m->base.solver.stats->rank_margin = 0;
    m->base.solver.stats->index = -1; /* there is none where multipliers are not determined */
    mechanism_simulation_open(m);
    dae_status status = mechanism_simulation_try(m, t);
    if (status == DAE_OK && m->base.followed) status = find_index_of_mechanism(m, t);
    if (status == DAE_OK && m->base.followed) note_open_multipliers(m, t, first);
    if (status != DAE_OK || m->base.followed) return model_start_take_over(m, first);
    message_free(first);
    return formulate_misleading(m, t);
}

/* The same without the constraints that the array hides, as the options ask for. */
dae_status model_start_finish_as_given(model_simulation *m, double t)
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
