/* The start of a mechanism's simulation, carried over from the model's start. */
#include "formulation/dependent_constraints.h"
#include "mechanical/mechanical.h"
#include "solve/mechanism_simulation.h"
#include "solve/start_stages.h"

#include <math.h>
#include <stdlib.h>

/* Takes q and q' of the formulation that was started into k->given; false where it lacks some. */
static bool take_start(model_simulation *m, double t)
{
    mechanism_simulation *k = m->mechanism;
    simulation *c = &m->base;
    size_t n = k->form->n;
    author_lift(m->formulation->author, t, m->z, c->value, c->value_yp);
    for (size_t j = 0; j < n; j++) {
        k->given[j] = c->value[k->found->coordinate[j]];
        k->given[n + j] = c->value_yp[k->found->coordinate[j]];
        if (!isfinite(k->given[j]) || !isfinite(k->given[n + j])) return false;
    }
    for (size_t l = 0; l < k->form->m; l++) k->given[2 * n + l] = (double)NAN;
    return true;
}

/* Sets sizes of coordinates and velocities by which constraints can be told apart at k->given. */
static dae_status finish_sizes(mechanism_simulation *k, double t)
{
    mechanism_form *f = k->form;
    const sparse_pattern *mass = f->mass.matrix->pattern, *gradient = f->gradient.matrix->pattern;
    size_t of_mass = mass->nonzeros, of_gradient = gradient->nonzeros;
    double *room = calloc(of_mass + of_gradient + f->n + 1, sizeof *room);
    bool better = false;
    if (!room) return DAE_NO_MEMORY;
    double *mass_value = room, *gradient_value = room + of_mass;
    double *factor = gradient_value + of_gradient;
    mechanism_form_take_nominal(f);
    mechanism_form_matrix(f, &f->mass, t, k->given, mass_value);
    mechanism_form_matrix(f, &f->gradient, t, k->given, gradient_value);
    const mechanical_sizing here = {.mass = {mass, mass_value},
                                    .gradient = {gradient, gradient_value},
                                    .size = f->nominal + f->n};
    dae_status status = mechanical_better_sizes(&here, factor, &better);
    for (size_t j = 0; better && j < 2 * f->n; j++) f->nominal[j] *= factor[j % f->n];
    mechanism_reactions_take_sizes(k->reactions, mass_value);
    free(room);
    return status;
}

/* Sets sizes of the form's own multipliers from those of the author's. */
static dae_status take_sizes(mechanism_simulation *k, double t)
{
    mechanism_form *f = k->form;
    dae_status status = mechanism_reactions_shares(k->reactions, t, k->given, k->share);
    for (size_t row = 0; status == DAE_OK && row < f->m; row++) {
        double size = 0;
        for (size_t l = 0; l < f->m; l++)
            size += k->share[l * f->m + row] *
                    f->system->unknown.item[k->found->multiplier[l]].nominal;
        f->nominal[2 * f->n + row] = size > 0 && isfinite(size) ? size : 1;
    }
    return status;
}

static dae_status start_inner(model_simulation *m, double t)
{
    mechanism_simulation *k = m->mechanism;
    simulation_solver seen = m->base.solver;
    seen.message = &k->collected;
    seen.reasons = &k->reasons;
    dae_status status = finish_sizes(k, t);
    if (status == DAE_OK) status = take_sizes(k, t);
    if (status != DAE_OK)
        return message_fail(&k->collected, status, "%s", dae_status_meaning(status));
    k->inner = mechanical_simulation_create(&k->form->form, k->given, &seen);
    if (!k->inner) return message_fail(&k->collected, DAE_NO_MEMORY, "memory is exhausted");
    if (k->collected.status != DAE_OK) return k->collected.status;
    ((mechanical_simulation *)k->inner)->of_model = true;
    k->inner->watch = m->base.watch;
    k->inner->watch_user = m->base.watch_user;
    return simulation_start(k->inner, t, k->given);
}

void mechanism_simulation_drop(mechanism_simulation *k)
{
    if (k->inner) k->inner->ops->free(k->inner);
    k->inner = NULL;
    text_clear(&k->reasons);
    message_free(&k->collected);
    k->collected = (message){0};
}

/* Gives up the mechanical system, and reports why. */
static dae_status give_up(model_simulation *m, dae_status status, const char *why)
{
    simulation *c = &m->base;
    if (status == DAE_NO_MEMORY || status == DAE_STOPPED || m->wish == MECHANISM_YES)
        message_fail(c->solver.message, status, "%s", why);
    else
        simulation_reason(c, "not followed as a mechanism: %s", why);
    mechanism_simulation_drop(m->mechanism);
    return c->solver.message->status;
}

/* The reason where derivatives are needed that a mechanism does not have. */
static const char BEYOND[] = "its equations or assertions ask for derivatives that the mechanical "
                             "system does not give: take formulation index1";

typedef struct lifting {
    model_simulation *m;
    author *to;
    bool possible;
} lifting;

static void lift_from_mechanism(void *argument)
{
    lifting *l = argument;
    const mechanism_lift *from = l->m->mechanism->lift;
    l->possible = author_lift_from(l->to, &l->m->memory, &from->core, from->p, from->p->d);
}

bool mechanism_simulation_passes_singular(model_simulation *m)
{
    const mechanism_form *f = m->mechanism->form;
    if (f->n + f->m > DEPENDENT_CONSTRAINTS_MOST || !m->formulation) return false;
    author tried = *m->formulation->author; /* a copy; the model is still lifted as before */
    lifting l = {.m = m, .to = &tried};
    return arena_protect(&m->memory, lift_from_mechanism, &l) == DAE_OK && l.possible;
}

/* The most that multipliers may move, in their tolerances, where positions and velocities move by
 * theirs. The error tests of a mechanism's formulations do not contain the multipliers: with a
 * stiff damper c v, the reaction is off by c times the error of v. Of the models in tests/ and
 * examples/ none reaches 20. */
static const double MOST_SPREAD = 30;

/* Violations of equations above this are more than round-off: rows were taken for dependent that
 * are not. */
static const double MOST_MISSED = 1e-6;

/* Whether the mechanical way, where it is optional, would lose a multiplier or miss the equations.
 */
static bool loses(model_simulation *m, author *from, double t)
{
    if (m->wish != MECHANISM_OPEN) return false;
    mechanism_spread found = mechanism_simulation_spread(m, from, t);
    bool misses = found.missed > MOST_MISSED;
    if (!misses && found.spread <= MOST_SPREAD) return false;
    text why = {0};
    if (misses) {
        text_format(&why, "it misses the equations by %.2g at the start or beside it",
                    found.missed);
    } else {
        model_simulation_name(&m->base, found.multiplier, &why);
        text_format(&why, " moves by %.2g of its tolerances where positions and velocities do by ",
                    found.spread);
        text_add(&why, "theirs, or by round-off");
    }
    give_up(m, DAE_UNSUPPORTED, text_string(&why));
    text_free(&why);
    return true;
}

dae_status mechanism_simulation_start(model_simulation *m, double t)
{
    mechanism_simulation *k = m->mechanism;
    simulation *c = &m->base;
    /* A copy: the model may continue as before. */
    author mechanism_author = *m->formulation->author;
    lifting l = {.m = m, .to = &mechanism_author};
    long index = c->solver.stats->index;
    if (!take_start(m, t)) return give_up(m, DAE_UNSUPPORTED, BEYOND);
    dae_status status = start_inner(m, t);
    c->solver.stats->index = index;
    if (status != DAE_OK) return give_up(m, status, message_string(&k->collected));
    if (arena_protect(&m->memory, lift_from_mechanism, &l) != DAE_OK)
        return give_up(m, DAE_NO_MEMORY, "memory is exhausted");
    if (!l.possible) return give_up(m, DAE_UNSUPPORTED, BEYOND);
    if (loses(m, &mechanism_author, t)) return c->solver.message->status;
    author own = *m->formulation->author;
    *m->formulation->author = mechanism_author;
    if (m->wish == MECHANISM_OPEN && !mechanism_simulation_keeps_fixed(m, t)) {
        *m->formulation->author = own;
        return give_up(m, DAE_UNSUPPORTED, "its start would leave a fixed value");
    }
    mechanism_simulation_follow(m);
    return DAE_OK;
}

void mechanism_simulation_free(mechanism_simulation *k)
{
    if (!k) return;
    mechanism_simulation_drop(k);
    text_free(&k->reasons);
    mechanism_reactions_free(k->reactions);
}
