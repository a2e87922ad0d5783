/* The engine of a run: created at the start, and replaced where another method or other equations
 * are to continue. */
#include "solve/delays.h"
#include "solve/solver.h"

#include "integrate/engines.h"
#include "integrate/stages.h"
#include "method/catalogue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Puts an engine of the method of that name to work for the simulation's problem, at a point; NULL:
 * at that of a state that is restored. */
static dae_status put_to_work(dae_solver *s, const char *name, const engine_options *options,
                              const engine_point *at)
{
    simulation *c = s->simulation;
    engine *next, *last = s->engine;
    bool same = s->method && strcmp(s->method->name, name) == 0;
    method *which = s->method;
    dae_status status = same ? DAE_OK : method_create(&which, name, &s->message);
    if (status != DAE_OK) return status;
    if (at) status = kernel_examine(c->problem, which, options, at, &s->message);
    if (status == DAE_OK) status = engine_create(&next, c->problem, which, options, &s->message);
    if (status != DAE_OK) { /* the last results stay available */
        if (!same) method_free(which);
        return message_fail(&s->message, status, "%s",
                            status == DAE_SINGULAR
                                ? "the iteration matrix is structurally singular: "
                                  "the equations do not determine the variables"
                                : "memory is exhausted");
    }
    next->start_level = options->first_level;
    engine_start(next, at ? at->t : last->t, at ? at->y : c->y, at ? at->yp : c->yp);
    next->start_level = 0;
    if (last) next->counts = last->counts;
    engine_free(last);
    if (!same) method_free(s->method);
    s->engine = next;
    s->method = which;
    s->stats.method = which->name;
    if (s->selection.automatic) s->selection.at_work = name;
    return DAE_OK;
}

/* No step is longer than a constant lag, so that what is delayed is known. */
static double longest_step(const dae_solver *s)
{
    const delays *d = s->simulation->delays;
    double most = s->options.max_step;
    if (!d || isinf(d->least)) return most;
    return most > 0 ? fmin(most, d->least) : d->least;
}

static engine_options options_of(const dae_solver *s)
{
    const dae_options *o = &s->options;
    return (engine_options){.rtol = o->rtol,
                            .atol = o->atol,
                            .atols = s->inner_atols,
                            .fixed_step = o->step,
                            .first_step = o->first_step,
                            .max_step = longest_step(s),
                            .events = s->simulation->events != NULL,
                            .stable_steps = o->stable_steps,
                            .max_order = (int)o->max_order,
                            .watch = s->selection.automatic,
                            .direction = 1};
}

dae_status solve_take_tolerances(dae_solver *s)
{
    const simulation *c = s->simulation;
    free(s->inner_atols);
    s->inner_atols = NULL;
    if (!s->atols && problem_time_unit(c->problem) == 1) return DAE_OK;
    double *own = malloc((c->n + 1) * sizeof *own);
    s->inner_atols = malloc((c->problem->n + 1) * sizeof *s->inner_atols);
    for (size_t i = 0; own && i < c->n; i++) own[i] = s->atols ? s->atols[i] : s->options.atol;
    if (own && s->inner_atols) c->ops->tolerances(c, own, s->inner_atols);
    dae_status status = own && s->inner_atols ? DAE_OK : DAE_NO_MEMORY;
    free(own);
    return message_status(&s->message, status);
}

/* Warns where equations are integrated as given though they could be reduced: methods are known to
 * converge up to index 3, and error tests count index-3 variables with the square of the step. */
static void note_direct(dae_solver *s)
{
    enum { KNOWN = 3 };
    long index = s->stats.structural_index;
    if (!option_is(s->options.formulation, "direct") || index < KNOWN) return;
    if (index > KNOWN)
        message_note(&s->message,
                     "these equations have index %ld as they are given, and %s promises nothing "
                     "beyond %d: variables can be wrong however small the step; formulation auto "
                     "reduces them to index 1",
                     index, s->method->name, KNOWN);
    else if (!(s->options.step > 0) && !strstr(dae_solver_notes(s), "has index 3: it can be"))
        message_note(&s->message,
                     "an error of what has index %d counts with the square of the step where these "
                     "equations are integrated as they are given: it can be less accurate than the "
                     "tolerance says; formulation auto reduces them to index 1",
                     KNOWN);
}

/* Prepares a new engine, and checks whether its method can advance the equations from its state. */
static dae_status prepare(dae_solver *s, dae_status status)
{
    if (status == DAE_OK) status = solve_begin_watches(s);
    return status == DAE_OK ? engine_examine(s->engine, &s->message) : status;
}

dae_status solve_begin_engine(dae_solver *s, double t)
{
    simulation *c = s->simulation;
    const engine_point at = {.t = t, .y = c->y, .yp = c->yp};
    bool chosen = strcmp(s->options.method, "auto") == 0;
    dae_status status = solve_take_tolerances(s);
    if (status == DAE_OK) status = solve_begin_sizes(s);
    if (status != DAE_OK) return status;
    method_view view = solve_method_view(s, t, c->y);
    if (chosen && method_selection_begin(&s->selection, &view, &s->reasons) != DAE_OK)
        return message_status(&s->message, DAE_NO_MEMORY);
    engine_options options = options_of(s);
    s->stats.method = chosen ? s->selection.name : solve_name_of(s, false, NULL);
    text derived = {0};
    bool slides = !chosen && c->starts_to_slide;
    const char *name = slides ? solve_method_of_formed(s, t, &derived) : s->stats.method;
    status = put_to_work(s, name, &options, &at);
    text_free(&derived);
    if (status != DAE_OK) return status;
    simulation_reason(c, "%s, of the %s", s->method->name,
                      method_family_sentence(s->method->family));
    if (c->keep_values && !method_goes_on_from_yp(s->method))
        message_note(&s->message,
                     "%s continues from values alone, and projection derivative changes no values: "
                     "it acts on the output, not on the steps",
                     s->method->name);
    note_direct(s);
    solve_forget_unseen_sizes(s);
    solve_keep_sizes(s);
    return prepare(s, DAE_OK);
}

dae_status solve_take_engine(dae_solver *s, const char *name, bool anew)
{
    dae_status status = anew ? solve_take_tolerances(s) : DAE_OK;
    engine_options options = options_of(s);
    if (status == DAE_OK) status = put_to_work(s, name, &options, NULL);
    if (anew) solve_forget_unseen_sizes(s);
    return status == DAE_OK && anew ? solve_begin_watches(s) : status;
}

dae_status solve_change_engine(dae_solver *s)
{
    const engine *e = s->engine;
    const engine_point at = {.t = e->t, .y = e->y, .yp = e->yp};
    engine_options options = options_of(s);
    options.direction = e->options.direction;
    options.first_step = method_selection_first_step(&s->selection, e->dense.h);
    const char *name = s->selection.next;
    s->selection.next = NULL;
    dae_status status = put_to_work(s, name, &options, &at);
    if (status != DAE_OK) return status;
    s->stats.method_changes++;
    s->crossing.place = CROSSING_AWAY;
    s->growth.watches = s->growth.watches && engine_can_lend(s->engine);
    growth_begin(s); /* what grew before grew by another method, and may lie ahead of here */
    return engine_examine(s->engine, &s->message);
}

dae_status solve_form_engine(dae_solver *s, const char *name, double t, double first_step)
{
    const simulation *c = s->simulation;
    const engine *last = s->engine;
    const engine_point at = {.t = t, .y = c->y, .yp = c->yp};
    dae_status status = solve_take_tolerances(s);
    engine_options options = options_of(s); /* with the new tolerances */
    options.direction = last->options.direction;
    options.first_step = first_step > 0 ? first_step : options.first_step;
    bool same = s->method->multistep && strcmp(s->method->name, name) == 0;
    options.first_level = first_step > 0 && same ? last->order_level : 0;
    solve_forget_unseen_sizes(s);
    return prepare(s, status == DAE_OK ? put_to_work(s, name, &options, &at) : status);
}
