/* auto: which formulation, projection and method; and the consistent start they begin with. */
#include "base/scatter.h"
#include "formulation/jet_index.h"
#include "initial/consistent.h"
#include "integrate/collocation.h"
#include "method/method.h"
#include "solve/index_at_start.h"
#include "solve/solver.h"
#include "solve/watched_start.h"

#include <math.h>
#include <string.h>

/* Derivative arrays are differentiated no further than this in search of the index of a system
 * whose structure deceives. */
enum { HIGHEST_DECEIVED_INDEX = 2 };

static bool is(const char *option, const char *word)
{
    return strcmp(option, word) == 0;
}

static void reason(dae_solver *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void reason(dae_solver *s, const char *format, ...)
{
    va_list arguments;
    if (s->reasons.length) text_add(&s->reasons, "; ");
    va_start(arguments, format);
    text_format_list(&s->reasons, format, arguments);
    va_end(arguments);
}

typedef struct building {
    dae_solver *s;
    formulation_choice choice;
    double t;
    index_at_start index;
} building;

static void build_formulation(void *argument)
{
    building *b = argument;
    dae_solver *s = b->s;
    s->formulation = formulation_create(s->system, s->own, &b->choice);
    const start_system *start = &s->formulation->start->start;
    arena *a = &s->memory;
    s->z = arena_array(a, start->size + 1, sizeof(double));
    s->z_out = arena_array(a, start->size + 1, sizeof(double));
    s->z_marked = arena_array(a, start->size + 1, sizeof(double));
    s->open = NULL;
    for (int k = 0; k < 2; k++) {
        s->inner[k] = arena_array(a, s->formulation->form->problem.n + 1, sizeof(double));
        s->author[k] = arena_array(a, s->system->unknown.count + 1, sizeof(double));
    }
    s->constraint = arena_array(a, s->formulation->constraint_levels + 1, sizeof(double));
}

/* Run a part that takes memory from the solver's arena. */
static dae_status protect(dae_solver *s, void (*part)(void *argument), building *b)
{
    if (arena_protect(&s->memory, part, b) == DAE_OK) return DAE_OK;
    return message_fail(&s->message, DAE_NO_MEMORY, "memory is exhausted");
}

static dae_status formulate(dae_solver *s, const formulation_choice *choice)
{
    building b = {.s = s, .choice = *choice};
    formulation_free(s->formulation);
    s->formulation = NULL;
    return protect(s, build_formulation, &b);
}

static dae_status find_start(dae_solver *s, double t, message *m)
{
    initial_result result;
    watched_start w;
    watched_start_begin(&w, &s->formulation->start->start, s->watch_start, s->watch_start_user);
    dae_status status = initial_consistent(&w.system, t, s->z, &result, m);
    if (w.stopped) { /* whatever the search says of it */
        text_clear(&m->sentence);
        m->status = DAE_OK;
        return message_fail(m, DAE_STOPPED, "stopped on request in the search for the start");
    }
    if (status == DAE_NO_START) solve_blame_start(s, t, m);
    return status;
}

/* The system Jacobian at z, and where it is singular also beside z: singular at one point is a
 * matter of the start, singular all around of the equations. */
static dae_status look_at_rank(dae_solver *s, double t, local_rank *here, bool *deceived)
{
    const jet_levels *levels = s->formulation->levels;
    const constraint_levels *l = &levels->levels;
    *deceived = false;
    dae_status status = l->form->linearize(l->self, t, s->z);
    if (status == DAE_OK)
        status = structure_local_rank(jet_levels_pattern(levels), jet_levels_values(levels), here);
    if (status != DAE_OK || here->full) return status;
    local_rank beside = {0};
    for (double size = 1e-2; size > 1e-9; size *= 0.03) {
        for (size_t j = 0; j < l->size; j++)
            s->z_out[j] = s->z[j] + size * scattered(j) * fmax(fabs(s->z[j]), l->nominal[j]);
        status = l->form->linearize(l->self, t, s->z_out);
        if (status == DAE_NOT_EVALUABLE) continue;
        if (status == DAE_OK)
            status = structure_local_rank(jet_levels_pattern(levels), jet_levels_values(levels),
                                          &beside);
        if (status != DAE_OK) return status;
        *deceived = !beside.full;
        return DAE_OK;
    }
    return DAE_OK;
}

static void find_regular_index(void *argument)
{
    building *b = argument;
    dae_solver *s = b->s;
    author_lift(s->formulation->author, b->t, s->z, s->author[0], NULL);
    b->index = solve_index_regular(s->formulation);
}

static void find_deceived_index(void *argument)
{
    building *b = argument;
    b->index = solve_index_deceived(b->s->system, b->s->own, b->t, HIGHEST_DECEIVED_INDEX);
}

/* Variables of higher index count less in the error norm of what is integrated as given. */
static void mark_index(void *argument)
{
    building *b = argument;
    jet_form *form = b->s->formulation->form;
    jet_form_scatter(form, b->s->z, b->s->inner[0], b->s->inner[1]);
    if (b->s->formulation->choice.kind == FORMULATION_ARRAY) {
        if (problem_linearize(&form->problem, b->t, b->s->inner[0], b->s->inner[1]) == DAE_OK)
            jet_form_find_soft(form);
        if (jet_levels_settle_soft(b->s->formulation->levels) != DAE_OK)
            message_fail(&b->s->message, DAE_NO_MEMORY, "memory is exhausted");
        return;
    }
    for (size_t j = 0; b->index.variable && j < form->p->n; j++) {
        unsigned index = b->index.variable[form->p->unknown[j]];
        form->problem.index[form->first[j]] = (unsigned char)(index < 1   ? 1
                                                              : index > 3 ? 3
                                                                          : index);
    }
}

/* The structure deceives: integrate the equations as given, with the constraints that the
 * derivative array hides. */
static dae_status formulate_deceived(dae_solver *s, double t, const local_rank *rank, bool project)
{
    building b = {.s = s, .t = t};
    dae_status status = protect(s, find_deceived_index, &b);
    if (status != DAE_OK) return status;
    s->stats.index = b.index.index;
    formulation_choice choice = {.kind = FORMULATION_ARRAY, .replace = true, .project = project};
    choice.extra = b.index.index > 1 ? (uint32_t)(b.index.index - 1) : 0;
    text_clear(&s->deceived);
    text_format(&s->deceived,
                "the system Jacobian has only rank %zu of %zu, at the start and beside it",
                rank->rank, s->formulation->core->n);
    reason(s, "the structure deceives: %s; the equations are integrated as given",
           text_string(&s->deceived));
    if (b.index.index < 0) {
        message_note(&s->message,
                     "the structure deceives, and the hidden constraints were not "
                     "determined (%s): only the equations as given are met",
                     b.index.reason);
        reason(s, "hidden constraints not determined");
    }
    status = formulate(s, &choice);
    if (status == DAE_OK) status = find_start(s, t, &s->message);
    if (status == DAE_OK) status = protect(s, mark_index, &b);
    return status == DAE_OK ? s->message.status : status;
}

/* Take over what a first attempt has told: its notes, or its failure. */
static dae_status take_over(dae_solver *s, message *first)
{
    if (first->notes.length) text_add(&s->message.notes, text_string(&first->notes));
    if (first->status != DAE_OK) {
        message_fail(&s->message, first->status, "%s", "");
        text_add(&s->message.sentence, message_string(first));
    }
    message_free(first);
    return s->message.status;
}

static dae_status settle_regular(dae_solver *s, double t, bool direct)
{
    building b = {.s = s, .t = t};
    dae_status status = protect(s, find_regular_index, &b);
    s->stats.index = b.index.index;
    reason(s, "structural index %zu: %s", s->own->s->index,
           direct ? "integrated as given"
           : s->own->s->index > 1
               ? "reduced to index 1 by differentiation and by taking explicit variables out"
               : "nothing to reduce");
    return status == DAE_OK && direct ? protect(s, mark_index, &b) : status;
}

static dae_status choose_formulation(dae_solver *s, double t)
{
    const char *wanted = s->options.formulation, *projected = s->options.projection;
    bool direct = is(wanted, "direct"), deceived = false;
    formulation_choice choice = {
        .kind = direct ? FORMULATION_DIRECT : FORMULATION_INDEX1,
        .replace = !direct,
        .project = is(projected, "coordinate") || (is(projected, "auto") && !direct),
    };
    message first = {0};
    local_rank rank = {0};
    dae_status status = formulate(s, &choice);
    if (status == DAE_OK && find_start(s, t, &first) != DAE_OK) return take_over(s, &first);
    if (status == DAE_OK) status = look_at_rank(s, t, &rank, &deceived);
    if (status == DAE_OK && deceived && !direct) {
        message_free(&first);
        s->stats.rank_margin = 0;
        return formulate_deceived(s, t, &rank, choice.project);
    }
    take_over(s, &first);
    if (status != DAE_OK)
        return message_fail(&s->message, status,
                            "the Jacobian of the equations has no finite value "
                            "at the start");
    s->stats.rank_margin = rank.margin;
    if (!rank.full && !deceived)
        message_note(&s->message, "the system Jacobian is singular at the start, though not beside "
                                  "it: the solution may not be unique");
    return settle_regular(s, t, direct);
}

/* Where the levels are met: at each output all of them; after each step those below the last, if
 * there are any, for states, or all of an array. */
static dae_status choose_projection(dae_solver *s)
{
    const formulation *f = s->formulation;
    projection_free(s->projection);
    s->projection = NULL;
    s->stats.projection = "none";
    if (!f->choice.project) return DAE_OK;
    dae_status status = projection_create(&s->projection, &f->levels->levels);
    if (status == DAE_NO_MEMORY) return message_fail(&s->message, status, "memory is exhausted");
    if (status != DAE_OK)
        return message_fail(&s->message, status, "the system Jacobian is structurally singular");
    s->project_steps = f->choice.kind == FORMULATION_ARRAY || f->levels->levels.count > 1;
    if (s->project_steps) s->stats.projection = "coordinate";
    if (s->project_steps)
        reason(s, "%zu constraint levels met after each step and at each output",
               f->constraint_levels);
    return DAE_OK;
}

static dae_status choose_method(dae_solver *s, double t)
{
    const char *name = is(s->options.method, "auto") ? "radau-iia3" : s->options.method;
    method *wanted;
    dae_status status = method_create(&wanted, name, &s->message);
    if (status != DAE_OK) return status;
    const engine_options options = {
        .rtol = s->options.rtol,
        .atol = s->options.atol,
        .fixed_step = s->options.step,
        .first_step = s->options.first_step,
        .max_step = s->options.max_step,
        .direction = 1,
    };
    engine_free(s->engine);
    s->engine = NULL;
    s->stats.method = wanted->row->name;
    status = collocation_radau_iia(&s->row, wanted->stages);
    method_free(wanted);
    if (status == DAE_OK)
        status = collocation_create(&s->engine, &s->formulation->form->problem, &s->row, &options);
    if (status == DAE_SINGULAR)
        return message_fail(&s->message, status,
                            "the iteration matrix is structurally singular: "
                            "the equations do not determine the variables");
    if (status != DAE_OK) return message_fail(&s->message, status, "memory is exhausted");
    jet_form_scatter(s->formulation->form, s->z, s->inner[0], s->inner[1]);
    engine_start(s->engine, t, s->inner[0], s->inner[1]);
    reason(s, "%s, Radau IIA of order %d", s->stats.method, s->row.order);
    return DAE_OK;
}

dae_status solve_start(dae_solver *s, double t)
{
    text_clear(&s->reasons);
    text_clear(&s->deceived);
    dae_status status = choose_formulation(s, t);
    if (status == DAE_OK) status = choose_projection(s);
    if (status == DAE_OK) status = choose_method(s, t);
    return status;
}
