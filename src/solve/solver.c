/* The solver handle: its making, its questions, its end. */
#include "solve/solver.h"

#include "formulation/model_problem.h"
#include "method/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dae_options dae_options_default(void)
{
    return (dae_options){
        .size = sizeof(dae_options),
#define X(type, name, default_value, lowest, highest, unit, meaning) .name = default_value,
#include <daedal/options.def>
#undef X
    };
}

/* Whether a number lies within the bounds of its option; names are looked up elsewhere. */
static bool within(double value, double lowest, double highest)
{
    return value >= lowest && value <= highest;
}

#define CHECK_double(name, lowest, highest)   CHECK_NUMBER(name, lowest, highest)
#define CHECK_size_t(name, lowest, highest)   CHECK_NUMBER(name, lowest, highest)
#define CHECK_bool(name, lowest, highest)     CHECK_NUMBER(name, lowest, highest)
#define CHECK_dae_name(name, lowest, highest) (void)0
#define CHECK_NUMBER(name, lowest, highest)                                            \
    if (!within((double)o->name, lowest, highest))                                     \
    message_fail(m, DAE_USAGE, "option " #name " = %.9g is not between %.9g and %.9g", \
                 (double)o->name, (double)(lowest), (double)(highest))

static void check_numbers(const dae_options *o, message *m)
{
#define X(type, name, default_value, lowest, highest, unit, meaning) \
    CHECK_##type(name, lowest, highest);
#include <daedal/options.def>
#undef X
}

static void check_word(const char *option, const char *word, const char *const *known, size_t count,
                       message *m)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, known[i]) == 0) return;
    const char *nearest = text_nearest(word, known, count);
    message_fail(m, DAE_USAGE, "%s \"%s\" is not known%s%s%s; there are", option, word,
                 nearest ? "; nearest: \"" : "", nearest ? nearest : "", nearest ? "\"" : "");
    for (size_t i = 0; i < count; i++) message_more(m, "%s %s", i ? "," : "", known[i]);
}

static void check_options(const dae_options *o, message *m)
{
    static const char *const formulations[] = {"auto", "direct", "index1"};
    static const char *const projections[] = {"auto", "none", "coordinate"};
    check_numbers(o, m);
    check_word("formulation", o->formulation, formulations, 3, m);
    check_word("projection", o->projection, projections, 3, m);
    if (m->status != DAE_OK || strcmp(o->method, "auto") == 0) return;
    method *wanted;
    if (method_create(&wanted, o->method, m) != DAE_OK) return;
    if (wanted->family != METHOD_RADAU_IIA || wanted->stages % 2 == 0 || wanted->rungs > 0)
        message_fail(m, DAE_UNSUPPORTED, "method \"%s\" is in the catalogue, but not yet run",
                     wanted->name);
    method_free(wanted);
}

static void analyze(void *argument)
{
    dae_solver *s = argument;
    s->own = structure_analyze(s->system, &s->message);
}

static void note_switches(dae_solver *s)
{
    const sym_system *system = s->system;
    if (system->switches.count == 0) return;
    message_note(&s->message,
                 "%zu relation%s switch%s without the instant being located (the first in "
                 "%s:%u); the step control copes with the jump",
                 system->switches.count, system->switches.count == 1 ? "" : "s",
                 system->switches.count == 1 ? "es" : "", system->file,
                 system->switches.item[0].line);
}

dae_solver *dae_solver_create(dae_problem *source, const dae_options *options)
{
    dae_solver *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->options = options ? *options : dae_options_default();
    s->stats.index = s->stats.structural_index = -1;
    s->stats.rank_margin = s->stats.max_residual = (double)NAN;
    s->stats.method = s->stats.formulation = s->stats.projection = s->stats.linear_solver = "none";
    check_options(&s->options, &s->message);
    if (s->message.status != DAE_OK) return s;
    if (model_problem_load(source, &s->memory, &s->message, &s->system) != DAE_OK) return s;
    note_switches(s);
    if (arena_protect(&s->memory, analyze, s) != DAE_OK)
        message_fail(&s->message, DAE_NO_MEMORY, "memory is exhausted");
    if (s->own) s->stats.structural_index = (long)s->own->s->index;
    return s;
}

dae_status dae_solver_output(dae_solver *s, const dae_times *times, dae_output output, void *user)
{
    if (s->message.status != DAE_OK) return s->message.status;
    free(s->time_list);
    s->time_list = NULL;
    s->output = output;
    s->output_user = user;
    s->next_time = 0;
    s->times = times ? *times : (dae_times){0};
    if (!times || !times->at) return DAE_OK;
    s->time_list = malloc((times->count + 1) * sizeof *s->time_list);
    if (!s->time_list) return message_fail(&s->message, DAE_NO_MEMORY, "memory is exhausted");
    memcpy(s->time_list, times->at, times->count * sizeof *s->time_list);
    s->times.at = s->time_list;
    return DAE_OK;
}

void dae_solver_watch(dae_solver *s, dae_watch watch, void *user)
{
    s->watch = watch;
    s->watch_user = user;
}

void dae_solver_watch_start(dae_solver *s, dae_watch watch, void *user)
{
    s->watch_start = watch;
    s->watch_start_user = user;
}

double dae_solver_time(const dae_solver *s)
{
    return s->engine ? s->engine->t : s->t_start;
}

const dae_stats *dae_solver_stats(dae_solver *s)
{
    dae_stats *stats = &s->stats;
    stats->status = dae_status_word(s->message.status);
    stats->message = dae_solver_message(s);
    stats->reasons = text_string(&s->reasons);
    if (s->formulation) {
        const problem *p = &s->formulation->form->problem;
        stats->formulation = s->formulation->name;
        bool measured = !isnan(stats->max_residual); /* at the start, and from then on */
        stats->constraint_levels = measured ? s->formulation->constraint_levels : 0;
        stats->max_constraint = s->constraint;
        stats->residual_calls = p->counts.residuals;
        stats->jacobian_calls = p->counts.jacobians;
        stats->factorizations = p->counts.factorizations;
        stats->linear_solver = p->linear_solver;
        stats->factor_nonzeros = p->factor_nonzeros;
    }
    if (s->engine) {
        stats->steps = s->engine->counts.steps;
        stats->rejected = s->engine->counts.rejected;
        stats->newton_iterations = s->engine->counts.newton_iterations;
    }
    return stats;
}

dae_status dae_solver_status(const dae_solver *s)
{
    return s->message.status;
}

const char *dae_solver_message(const dae_solver *s)
{
    return s->message.status == DAE_OK ? "" : message_string(&s->message);
}

const char *dae_solver_notes(const dae_solver *s)
{
    return text_string(&s->message.notes);
}

void dae_solver_free(dae_solver *s)
{
    if (!s) return;
    engine_free(s->engine);
    projection_free(s->projection);
    formulation_free(s->formulation);
    trajectory_clear(&s->kept);
    free(s->time_list);
    text_free(&s->reasons);
    text_free(&s->deceived);
    message_free(&s->message);
    arena_free(&s->memory);
    free(s);
}
