/* The solver handle: its making, its questions, its end. */
#include "solve/solver.h"

#include "formulation/problem_handle.h"
#include "solve/callback_course.h"
#include "solve/model_course.h"

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
}

/* Taken where nothing speaks for another. */
static const char *const PREFERRED = "radau-iia3";

static void find_method(dae_solver *s)
{
    const char *name = s->options.method;
    if (s->message.status != DAE_OK) return;
    method_create(&s->method, strcmp(name, "auto") == 0 ? PREFERRED : name, &s->message);
}

/* The options with what they point to. */
static dae_status keep_atols(dae_solver *s)
{
    const double *atols = s->options.atols;
    size_t n = s->course->n;
    if (!atols) return DAE_OK;
    s->options.atols = NULL;
    for (size_t i = 0; i < n; i++)
        if (!within(atols[i], 1e-300, 1e300))
            return message_fail(&s->message, DAE_USAGE,
                                "option atols[%zu] = %.9g is not between 1e-300 and 1e+300", i,
                                atols[i]);
    s->atols = malloc((n + 1) * sizeof *s->atols);
    if (!s->atols) return message_fail(&s->message, DAE_NO_MEMORY, "memory is exhausted");
    memcpy(s->atols, atols, n * sizeof *atols);
    s->options.atols = s->atols;
    return DAE_OK;
}

static void create_course(dae_solver *s, const dae_problem *source)
{
    const course_solver seen = {&s->message, &s->options, &s->stats, &s->reasons};
    if (problem_handle_status(source, &s->message) != DAE_OK) return;
    const equations *e = problem_handle_equations(source);
    s->course = e ? callback_course_create(e, problem_handle_start(source), &seen)
                  : model_course_create(source, &seen);
    if (!s->course) message_fail(&s->message, DAE_NO_MEMORY, "memory is exhausted");
    if (s->message.status == DAE_OK) keep_atols(s);
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
    find_method(s);
    if (s->message.status != DAE_OK) return s;
    create_course(s, source);
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
    if (!s->course) return;
    s->course->watch = watch;
    s->course->watch_user = user;
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
    const course *c = s->course;
    if (c && c->problem) {
        const problem *p = c->problem;
        stats->formulation = c->formulation;
        bool measured = !isnan(stats->max_residual); /* at the start, and from then on */
        stats->constraint_levels = measured ? c->constraint_levels : 0;
        stats->max_constraint = c->constraint;
        stats->residual_calls = p->counts.residuals;
        stats->jacobian_calls = p->counts.jacobians;
        stats->factorizations = p->counts.factorizations;
        stats->reorderings = p->counts.reorderings;
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
    method_free(s->method);
    if (s->course) s->course->row->free(s->course);
    trajectory_clear(&s->kept);
    free(s->time_list);
    free(s->atols);
    free(s->inner_atols);
    text_free(&s->reasons);
    message_free(&s->message);
    free(s);
}
