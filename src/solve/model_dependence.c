/* Finds equations of a model that depend on each other whatever the values. */
#include "solve/mechanism_simulation.h"
#include "solve/model_simulation.h"
#include "structure/dependence.h"

typedef struct search {
    model_simulation *m;
    double t;
    const double *value;
    bool contradicts; /* only contradictions are of interest */
    text remedy;
} search;

static void look(void *argument)
{
    search *s = argument;
    model_simulation *m = s->m;
    const dependence *d = structure_dependence(m->system, m->own->s, s->t, s->value);
    if (d->count == 0 || (s->contradicts && !structure_contradicts(d))) return;
    mechanism_simulation_report_remedy(&m->base, &s->remedy);
    structure_report_dependence(d, text_string(&s->remedy), m->base.solver.message);
}

dae_status model_simulation_depends(model_simulation *m, double t, const double *value,
                                    bool contradicts)
{
    message *reported = m->base.solver.message;
    search s = {.m = m, .t = t, .value = value, .contradicts = contradicts};
    if (arena_protect(&m->memory, look, &s) != DAE_OK)
        message_fail(reported, DAE_NO_MEMORY, "memory is exhausted");
    text_free(&s.remedy);
    return reported->status;
}
