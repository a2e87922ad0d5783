/* The engine of a run: made at its start, and made anew where another method is to go on. */
#include "solve/solver.h"

#include <stdlib.h>
#include <string.h>

static choice_view view_of(const dae_solver *s, double t, const double *y)
{
    return (choice_view){.problem = s->course->problem,
                         .t = t,
                         .rtol = s->options.rtol,
                         .atol = s->options.atol,
                         .y = y,
                         .atols = s->inner_atols,
                         .fixed_step = s->options.step > 0};
}

static dae_status no_memory(dae_solver *s)
{
    return message_fail(&s->message, DAE_NO_MEMORY, "memory is exhausted");
}

/* The engine of this name into s->engine, which is NULL before. */
static dae_status make_engine(dae_solver *s, const engine_options *options)
{
    dae_status status = engine_create(&s->engine, s->course->problem, s->method, options,
                                      &s->message);
    if (status == DAE_SINGULAR)
        return message_fail(&s->message, status,
                            "the iteration matrix is structurally singular: "
                            "the equations do not determine the variables");
    if (status != DAE_OK) return message_fail(&s->message, status, "memory is exhausted");
    s->stats.method = s->method->name;
    return DAE_OK;
}

/* The method that `auto` takes, in place of the one that was. */
static dae_status take_method(dae_solver *s, const char *name)
{
    method *found;
    dae_status status = method_create(&found, name, &s->message);
    if (status != DAE_OK) return status;
    s->stats.method = found->name;
    method_free(s->method);
    s->method = found;
    return DAE_OK;
}

static engine_options options_of(const dae_solver *s)
{
    const dae_options *o = &s->options;
    return (engine_options){.rtol = o->rtol,
                            .atol = o->atol,
                            .atols = s->inner_atols,
                            .fixed_step = o->step,
                            .first_step = o->first_step,
                            .max_step = o->max_step,
                            .max_order = (int)o->max_order,
                            .watch = s->choice.automatic,
                            .direction = 1};
}

static dae_status take_tolerances(dae_solver *s)
{
    free(s->inner_atols);
    s->inner_atols = NULL;
    if (!s->atols) return DAE_OK;
    s->inner_atols = malloc((s->course->problem->n + 1) * sizeof *s->inner_atols);
    if (!s->inner_atols) return no_memory(s);
    s->course->row->tolerances(s->course, s->atols, s->inner_atols);
    return DAE_OK;
}

dae_status solve_begin_engine(dae_solver *s, double t)
{
    course *c = s->course;
    dae_status status = take_tolerances(s);
    if (status != DAE_OK) return status;
    if (strcmp(s->options.method, "auto") == 0) {
        choice_view view = view_of(s, t, c->y);
        if (choice_begin(&s->choice, &view, &s->reasons) != DAE_OK) return no_memory(s);
        status = take_method(s, s->choice.name);
        if (status != DAE_OK) return status;
    }
    engine_options options = options_of(s);
    status = make_engine(s, &options);
    if (status != DAE_OK) return status;
    course_reason(c, "%s, of the %s", s->method->name, method_family_sentence(s->method->family));
    engine_start(s->engine, t, c->y, c->yp);
    return engine_examine(s->engine, &s->message);
}

dae_status solve_change_engine(dae_solver *s)
{
    engine *old = s->engine;
    engine_options options = options_of(s);
    options.direction = old->options.direction;
    options.dense = old->options.dense;
    dae_status status = take_method(s, s->choice.next);
    if (status != DAE_OK) return status;
    s->choice.next = NULL;
    s->engine = NULL;
    status = make_engine(s, &options);
    if (status == DAE_OK) {
        engine_start(s->engine, old->t, old->y, old->yp);
        s->engine->counts = old->counts;
        s->stats.method_changes++;
        status = engine_examine(s->engine, &s->message);
        engine_free(old);
    } else {
        s->engine = old; /* what it computed last can still be asked for */
    }
    return status;
}

void solve_watch_method(dae_solver *s)
{
    const engine *e = s->engine;
    if (!s->choice.automatic) return;
    choice_view view = view_of(s, e->t, e->y);
    choice_watch(&s->choice, &view, e->dense.h, e->stiffness, &s->reasons);
}
