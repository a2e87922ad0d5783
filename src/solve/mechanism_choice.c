/* Decides whether a model is followed as a mechanical system. */
#include "solve/mechanism_simulation.h"

#include "symbolic/domain.h"

/* Whether a formulation is one of a model itself. Structural methods use two of these names too. */
static bool is_own(const char *name)
{
    return option_is(name, "auto") || option_is(name, "direct") || option_is(name, "index1");
}

static bool leaves_way_open(const simulation *c)
{
    const dae_options *o = c->solver.options;
    return option_is(o->formulation, "auto") && option_is(o->projection, "auto");
}

static mechanism_wish wish_of(const simulation *c)
{
    const dae_options *o = c->solver.options;
    if (!is_own(o->formulation) || option_is(o->projection, "mass") ||
        mechanical_structural_asked(c))
        return MECHANISM_YES;
    return leaves_way_open(c) && option_is(o->method, "auto") ? MECHANISM_OPEN : MECHANISM_NO;
}

static void refuse(const model_simulation *m)
{
    const dae_options *o = m->base.solver.options;
    message *reported = m->base.solver.message;
    static const char NONE[] = "and this model has not the form of one";
    if (!is_own(o->formulation))
        message_fail(reported, DAE_UNSUPPORTED,
                     "formulation %s is one of mechanical systems, %s: take index1, which "
                     "reduces it to index 1, or direct, which integrates it as it is",
                     o->formulation, NONE);
    else if (option_is(o->projection, "mass"))
        message_fail(reported, DAE_UNSUPPORTED,
                     "projection mass weighs changes by the mass of a mechanical system, "
                     "%s: take coordinate",
                     NONE);
    else
        message_fail(reported, DAE_UNSUPPORTED,
                     "%s is a method of structural dynamics for mechanical systems, %s", o->method,
                     NONE);
}

/* Whether values may be missing, or assertions fail, where the equations of the mechanism can be
 * evaluated. */
static bool may_fail(const model_simulation *m, const mechanism_lift *l)
{
    const sym_system *system = m->system;
    const sym_domain_limit *limit;
    return system->assertion.count > 0 ||
           sym_domain_limits(system->graph, system->unknown.count, l->core.value, l->core.n,
                             l->core.residual, &limit) > 0;
}

typedef struct looking {
    model_simulation *m;
    text line;
} looking;

static void look(void *argument)
{
    looking *l = argument;
    model_simulation *m = l->m;
    bool constrained = m->own->s->index > 1;
    const mechanism *found = constrained ? structure_mechanical(m->system)
                                         : structure_unconstrained(m->system);
    if (!found) return;
    arena *a = &m->memory;
    mechanism_simulation *k = arena_take(a, sizeof *k);
    size_t rows = found->constraints, all = 2 * found->coordinates + rows;
    k->found = found;
    k->form = mechanism_form_create(found, &l->line);
    k->lift = mechanism_lift_create(found);
    k->ends_may_fail = may_fail(m, k->lift);
    k->given = arena_array(a, all, sizeof *k->given);
    k->atols = arena_array(a, all, sizeof *k->atols);
    k->lambda = arena_array(a, rows, sizeof *k->lambda);
    k->share = arena_array(a, rows * rows, sizeof *k->share);
    k->reactions = mechanism_reactions_create(k->form);
    m->mechanism = k;
}

/* Looks for a mechanism once, because the equations do not change. With constraints, the structural
 * index is at least 2. A system without constraints is followed as a mechanical one only if a
 * structural method is to advance it. */
static dae_status find(model_simulation *m)
{
    message *reported = m->base.solver.message;
    if (m->looked || (m->own->s->index < 2 && !mechanical_structural_asked(&m->base)))
        return DAE_OK;
    looking l = {.m = m};
    dae_status status = arena_protect(&m->memory, look, &l);
    text_free(&l.line);
    if (status == DAE_OK && m->mechanism)
        status = mechanism_reactions_factors(m->mechanism->reactions);
    m->looked = status == DAE_OK;
    return status == DAE_OK ? DAE_OK : message_fail(reported, DAE_NO_MEMORY, "memory is exhausted");
}

void mechanism_simulation_wish(model_simulation *m)
{
    m->wish = wish_of(&m->base);
}

void mechanism_simulation_look(model_simulation *m)
{
    mechanism_simulation_wish(m);
    if (m->wish == MECHANISM_YES && find(m) == DAE_OK && !m->mechanism) refuse(m);
}

void mechanism_simulation_open(model_simulation *m)
{
    if (m->wish == MECHANISM_NO && leaves_way_open(&m->base)) m->wish = MECHANISM_OPEN;
}

dae_status mechanism_simulation_try(model_simulation *m, double t)
{
    if (m->wish == MECHANISM_NO) return DAE_OK;
    dae_status status = find(m);
    return status == DAE_OK && m->mechanism ? mechanism_simulation_start(m, t) : status;
}

void mechanism_simulation_report_remedy(simulation *c, text *t)
{
    model_simulation *m = (model_simulation *)c;
    static const double LITTLE = 0.1;            /* what is left of the weakest constraint */
    if (m->wish != MECHANISM_NO) return;         /* it is followed, or was tried without success */
    if (c->switches && c->left > LITTLE) return; /* a jump is more likely the cause */
    message discarded = {0};
    message *own = c->solver.message;
    c->solver.message = &discarded;
    bool passes = find(m) == DAE_OK && m->mechanism && mechanism_simulation_passes_singular(m);
    c->solver.message = own;
    message_free(&discarded);
    if (passes)
        text_add(t,
                 "\n  remedy: this is a mechanism, and where its constraints come to depend on "
                 "each other the way on is that of a mechanical system: formulation elimination");
}

bool mechanism_simulation_followed(const model_simulation *m)
{
    return m->mechanism && m->mechanism->inner;
}
