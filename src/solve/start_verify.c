/* Whether a start stays one in the event of the start.
 *
 * The search finds values that meet the equations, the initial equations and what is fixed, with
 * values of relations and discrete variables. The event of the start then has all of these agree,
 * and may change algebraic variables on the way. In its first round, before conditions act and
 * pre() has other values than those before the start, all are still one system (Modelica 3.6, Sec.
 * 8.6): what has been found there has to meet the initial equations as well. */
#include "solve/model_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void start_verify_begin(model_simulation *m, double t)
{
    const simulation *c = &m->base;
    author_lift(m->formulation->author, t, m->z, c->value, c->value_yp);
    memcpy(c->before_start, c->value, c->n * sizeof *c->value);
}

/* Whether two values are the same for the tolerance of the run. */
static bool is_near(const model_simulation *m, double one, double other, double nominal)
{
    return fabs(one - other) <= m->base.solver.options->rtol * fmax(fabs(other), nominal) ||
           (isnan(one) && isnan(other));
}

/* Whether the author's variables, lifted last, are those where the start was found. */
static bool have_stayed(const model_simulation *m)
{
    const simulation *c = &m->base;
    for (size_t i = 0; i < c->n; i++)
        if (!is_near(m, c->value[i], c->before_start[i], c->nominal[i])) return false;
    return true;
}

/* Whether the values are those of the author, as far as these are fixed. */
static bool keeps_fixed(const model_simulation *m, const double *z)
{
    const start_system *start = &m->formulation->start->start;
    for (size_t j = 0; j < start->size; j++)
        if (start->fixed[j] && !is_near(m, z[j], start->guess[j], start->nominal[j])) return false;
    return true;
}

/* Whether the search for a start finds nothing else from there on. */
static bool stays(model_simulation *m, double t, const double *z, double *found)
{
    text redundancy = {0};
    message unheard = {0};
    start_system from = m->formulation->start->start;
    from.guess = z;
    from.start = from.nearest = NULL;
    from.taken = NULL;
    from.redundancy = &redundancy;
    bool same = start_search(&m->base, &from, t, found, &unheard) == DAE_OK;
    for (size_t j = 0; same && j < from.size; j++)
        same = is_near(m, found[j], z[j], from.nominal[j]);
    text_free(&redundancy);
    message_free(&unheard);
    return same;
}

/* The first relation that decides and has another value than where the start was found; the count
 * of relations: there is none. */
static size_t find_turned(const model_simulation *m)
{
    size_t k = 0;
    while (k < m->modes->relations) {
        const relation_state *r = &m->modes->relation[k];
        if (r->decides && m->start_modes[k] != (r->is == SYM_HELD_TRUE)) break;
        k++;
    }
    return k;
}

static void tell_turned(const model_simulation *m, double t, size_t k, message *told)
{
    text name = {0};
    if (k < m->modes->relations) switching_name_number(m->switching, k, &name);
    message_fail(told, DAE_NO_START,
                 "no start was found at t = %.9g that agrees with the relations%s%s%s: what it "
                 "gives them leads to values that miss initial equations or fixed values\n  "
                 "remedy: let one of these go, or give start values nearer to a start that agrees",
                 t, name.length ? ": " : "", text_string(&name),
                 k >= m->modes->relations ? ""
                 : m->start_modes[k]      ? " is true where the start was found"
                                          : " is false where the start was found");
    text_free(&name);
}

/* Whether z is a start of the present formulation, whose system has explicit variables besides. */
static dae_status look(model_simulation *m, double t, const double *z, bool *met)
{
    const formulation *f = m->formulation;
    const start_system *start = &f->start->start;
    double *at = malloc((2 * start->size + 1) * sizeof *at);
    if (!at) return DAE_NO_MEMORY;
    memcpy(at, z, f->p->size * sizeof *at);
    for (size_t k = 0; k < f->start->extras; k++)
        at[f->p->size + k] = m->base.value[f->start->extra[k]];
    *met = keeps_fixed(m, at) && stays(m, t, at, at + start->size);
    free(at);
    return DAE_OK;
}

dae_status start_verify(void *self, double t, const double *z)
{
    model_simulation *m = self;
    bool settled = m->unsettled.status == DAE_OK, met = true;
    size_t turned = find_turned(m);
    author_lift(m->formulation->author, t, z, m->base.value, m->base.value_yp);
    if (settled && turned == m->modes->relations && have_stayed(m)) return DAE_OK;
    dae_status status = message_status(m->base.solver.message, look(m, t, z, &met));
    if (!met && settled) tell_turned(m, t, turned, &m->unsettled);
    if (!met) message_move(m->base.solver.message, &m->unsettled);
    message_free(&m->unsettled);
    return met ? status : DAE_NO_START;
}
