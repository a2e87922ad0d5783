/* The solver handle: its creation, its queries, its end. */
#include "solve/solver.h"

#include "formulation/problem_handle.h"
#include "integrate/refusal.h"
#include "solve/callback_simulation.h"
#include "solve/mechanical_simulation.h"
#include "solve/model_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void find_method(dae_solver *s)
{
    const char *name = s->options.method;
    if (s->message.status != DAE_OK || strcmp(name, "auto") == 0) return;
    if (method_create(&s->method, name, &s->message) != DAE_OK) return;
    bool may_choose = method_is_adaptive(s->method) || s->options.step > 0;
    if (!may_choose) refusal_of_control(s->method->name, "radau-iia3", &s->message);
}

static void create_simulation(dae_solver *s, const dae_problem *source, bool describes)
{
    const simulation_solver seen = {&s->message, &s->options, &s->stats, &s->reasons, describes};
    if (problem_handle_status(source, &s->message) != DAE_OK) return;
    const equations *e = source->equations;
    const mechanical_form *mechanics = source->mechanical;
    const double *given = source->start;
    s->simulation = e           ? callback_simulation_create(e, given, &seen)
                    : mechanics ? mechanical_simulation_create(&mechanics->given, given, &seen)
                                : model_simulation_create(source, &seen);
    if (!s->simulation) message_status(&s->message, DAE_NO_MEMORY);
    if (s->message.status == DAE_OK) solve_keep_atols(s);
}

static dae_solver *create(dae_problem *source, const dae_options *options, bool describes)
{
    dae_solver *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->stats.index = s->stats.structural_index = -1;
    s->stats.rank_margin = s->stats.max_residual = (double)NAN;
    s->stats.method = s->stats.formulation = s->stats.projection = s->stats.linear_solver = "none";
    solve_take_options(s, options);
    if (!source)
        message_fail(&s->message, DAE_NO_MEMORY, "there is no problem: memory is exhausted");
    find_method(s);
    if (s->message.status != DAE_OK) return s;
    create_simulation(s, source, describes);
    return s;
}

dae_solver *dae_solver_create(dae_problem *source, const dae_options *options)
{
    return create(source, options, false);
}

dae_solver *solver_to_describe(dae_problem *source)
{
    return create(source, NULL, true);
}

bool solve_enter(dae_solver *s, const char *function, bool asks)
{
    const char *inside = s->place.inside;
    if (!inside || (asks && s->place.between)) {
        s->outer = s->place;
        s->place = (solve_place){.inside = function};
        return true;
    }
    if (!s->reported_place)
        message_note(&s->message,
                     "%s() was called from within a callback of %s() of the same solver: it did "
                     "nothing and returned %s, and %s() went on",
                     function, inside, dae_status_word(DAE_USAGE), inside);
    s->reported_place = true;
    return false;
}

/* A function that asks calls nothing from which another one might begin, so one place is enough. */
dae_status solve_leave(dae_solver *s, dae_status status)
{
    s->place = s->outer;
    s->outer = (solve_place){0};
    return status;
}

void dae_solver_watch(dae_solver *s, dae_watch watch, void *user)
{
    if (!s) return;
    s->watch = watch;
    s->watch_user = user;
}

void dae_solver_watch_start(dae_solver *s, dae_watch watch, void *user)
{
    if (!s || !s->simulation) return;
    s->simulation->watch = watch;
    s->simulation->watch_user = user;
}

double dae_solver_time(const dae_solver *s)
{
    if (!s) return (double)NAN;
    return s->engine ? s->engine->t : s->t_start;
}

const dae_stats *dae_solver_stats(dae_solver *s)
{
    if (!s) return NULL;
    dae_stats *stats = &s->stats;
    stats->status = dae_status_word(s->message.status);
    stats->message = dae_solver_message(s);
    stats->reasons = text_string(&s->reasons);
    const simulation *c = s->simulation;
    if (c && c->problem) {
        const problem *p = c->problem;
        stats->formulation = c->formulation;
        /* Values are measured at the start, and from then on. */
        bool measured = !isnan(stats->max_residual);
        stats->constraint_levels = measured ? c->constraint_levels : 0;
        stats->max_constraint = c->constraint;
        const problem *called = p->author ? p->author : p;
        stats->residual_calls = called->counts.residuals;
        stats->jacobian_calls = called->counts.jacobians;
        stats->factorizations = p->counts.factorizations;
        stats->reorderings = p->counts.reorderings;
        stats->linear_solver = p->linear_solver;
        stats->factor_nonzeros = p->factor_nonzeros;
    }
    if (s->engine) {
        stats->steps = s->engine->counts.steps;
        stats->rejected = s->engine->counts.rejected;
        stats->newton_iterations = s->engine->counts.newton_iterations;
        stats->frequency = s->engine->frequency;
        stats->stable_step = s->engine->stable_step;
    }
    return stats;
}

dae_status dae_solver_status(const dae_solver *s)
{
    return s ? s->message.status : DAE_USAGE;
}

const char *dae_solver_message(const dae_solver *s)
{
    if (!s) return NULL;
    return s->message.status == DAE_OK ? "" : message_string(&s->message);
}

const char *dae_solver_notes(const dae_solver *s)
{
    return s ? text_string(&s->message.notes) : NULL;
}

void dae_solver_free(dae_solver *s)
{
    if (!s) return;
    solve_free_watches(s);
    engine_free(s->engine);
    workspace_free(&s->selection.space);
    solve_free_events(s);
    method_free(s->method);
    if (s->simulation) s->simulation->ops->free(s->simulation);
    trajectory_clear(&s->kept);
    free(s->time_list);
    free(s->atols);
    free(s->inner_atols);
    free(s->largest);
    text_free(&s->reasons);
    message_free(&s->message);
    free(s);
}
