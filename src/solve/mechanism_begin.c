/* Whether a model is followed as a mechanical system, and the start of that system, carried over
 * from the model's start. */
#include "formulation/dependent_constraints.h"
#include "mechanical/mechanical.h"
#include "solve/mechanism_simulation.h"
#include "symbolic/domain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool mechanism_simulation_take_own(model_simulation *m, double t)
{
    mechanism_simulation *k = m->mechanism;
    simulation *c = &m->base;
    size_t n = k->form->n;
    author_lift(&k->own, t, m->z, c->value, c->value_yp);
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
    mechanism_form_evaluate(f, &f->mass, t, k->given, NULL, mass_value);
    mechanism_form_evaluate(f, &f->gradient, t, k->given, NULL, gradient_value);
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
    if (status != DAE_OK) return message_status(&k->collected, status);
    simulation *inner = mechanical_simulation_create(&k->form->form, k->given, &seen);
    m->base.followed = inner;
    if (!inner) return message_status(&k->collected, DAE_NO_MEMORY);
    if (k->collected.status != DAE_OK) return k->collected.status;
    ((mechanical_simulation *)inner)->of_model = true;
    inner->watch = m->base.watch;
    inner->watch_user = m->base.watch_user;
    return simulation_start(inner, t, k->given, NULL);
}

void mechanism_simulation_drop(model_simulation *m)
{
    mechanism_simulation *k = m->mechanism;
    if (m->base.followed) m->base.followed->ops->free(m->base.followed);
    m->base.followed = NULL;
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
    mechanism_simulation_drop(m);
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

static void lift_to_own(void *argument)
{
    const model_simulation *m = ((lifting *)argument)->m;
    mechanism_lift_to(m->mechanism->lift, m->formulation->p);
}

/* For a form that has been found and is not followed: whether it could be followed from a start,
 * and is small enough for `elimination` to pass singular configurations. */
static bool passes_singular(model_simulation *m)
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

/* How well a mechanism reproduces the model's own equations and multipliers, at the start and
 * beside it. */
typedef struct looking {
    model_simulation *m;
    author *from;      /* lifts to the author's variables */
    double *level;     /* from->levels + 1 */
    double missed;     /* the worst violation of the author's equations so far */
    double spread;     /* how many of its tolerances the most sensitive multiplier moves, where
                          positions and velocities move by theirs */
    size_t multiplier; /* that one, among the author's variables */
} looking;

/* Evaluates the author's variables at a point, into c->value, and the author's multipliers. Raises
 * l->missed to the worst violation of the author's equations there. */
static dae_status look(void *self, double t, const mechanical_point *p, double *multiplier)
{
    looking *l = self;
    mechanism_simulation *k = l->m->mechanism;
    const double *value = l->m->base.value;
    dae_status status = mechanism_simulation_lift(l->m, l->from, t, p, NULL);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < k->form->m; i++) multiplier[i] = value[k->found->multiplier[i]];
    author_measure(l->from, t, &l->missed, l->level);
    return DAE_OK;
}

static void look_around(looking *l, double t, double *room)
{
    mechanism_simulation *k = l->m->mechanism;
    const simulation *c = &l->m->base;
    const dae_options *o = c->solver.options;
    const mechanical_simulation *inner = (const mechanical_simulation *)c->followed;
    size_t n = k->form->n, worst;
    double *own = room, *atol = own + c->n, *multiplier = atol + 2 * n + k->form->m;
    l->level = multiplier + k->form->m;
    for (size_t i = 0; i < c->n; i++) own[i] = o->atols ? o->atols[i] : o->atol * c->nominal[i];
    memcpy(atol, mechanism_simulation_atols(k, own), 2 * n * sizeof *atol);
    for (size_t i = 0; i < k->form->m; i++) atol[2 * n + i] = own[k->found->multiplier[i]];
    const mechanical_spreading given = {.system = inner->system,
                                        .t = t,
                                        .from = &inner->point,
                                        .nominal = k->form->nominal,
                                        .atol = atol,
                                        .rtol = o->rtol,
                                        .multipliers = k->form->m,
                                        .look = look,
                                        .self = l};
    look(l, t, &inner->point, multiplier);
    if (k->form->m == 0) return;
    /* Beside the start as well: a reaction that is 0 there need not be. */
    l->spread = mechanical_spread(&given, &worst);
    l->multiplier = k->found->multiplier[worst];
}

/* Whether the mechanical way, where it is optional, would lose a multiplier or miss the equations.
 * m->base.value is lost. */
static bool loses(model_simulation *m, author *from, double t)
{
    if (m->wish != MECHANISM_OPEN) return false;
    looking l = {.m = m, .from = from};
    const mechanism_form *f = m->mechanism->form;
    double *room = calloc(m->base.n + 2 * f->n + 2 * f->m + from->levels + 1, sizeof *room);
    if (room) look_around(&l, t, room);
    free(room);
    bool misses = l.missed > MOST_MISSED;
    if (!misses && l.spread <= MOST_SPREAD) return false;
    text why = {0};
    if (misses)
        text_format(&why, "it misses the equations by %.2g at the start or beside it", l.missed);
    else
        text_format(&why,
                    "%s changes by %.2g of its tolerances when positions and velocities change by "
                    "theirs, or by round-off",
                    m->base.variable[l.multiplier], l.spread);
    give_up(m, DAE_UNSUPPORTED, text_string(&why));
    text_free(&why);
    return true;
}

/* Whether relation k is one of abs, min or max: where it changes, equations only bend. */
static bool is_kink(const model_simulation *m, size_t k)
{
    const sym_discrete_part *d = &m->whole.system->discrete;
    for (size_t i = 0; i < d->watched.count; i++)
        if (d->watched.item[i].relation == sym_relation_node(m->whole.system->graph, k))
            return d->watched.item[i].kink;
    return false;
}

/* Whether equations jump, or anything is done, at events. */
static bool jumps(const model_simulation *m)
{
    const sym_system *system = m->whole.system;
    const sym_discrete_part *d = &system->discrete;
    bool found = d->variable.count > 0 || d->sample.count > 0 || d->action.count > 0 ||
                 d->initial.used || d->terminal.used;
    for (size_t k = 0; !found && k < sym_relation_count(system->graph); k++) found = !is_kink(m, k);
    return found;
}

/* A pulse between two examined points leaves no trace, whether it is made of jumps or of bends. */
static void note_switches(model_simulation *m)
{
    const sym_system *system = m->system;
    size_t count = system->switches.count;
    m->base.switches = count > 0;
    if (count == 0) return;
    const char *how = m->base.solver.options->step > 0
                          ? "; fixed steps are not made shorter there"
                          : ": the step control finds the jumps and bends that it meets, but it "
                            "can miss a pulse that is shorter than a hundredth of the run; option "
                            "max_step below the shortest pulse makes sure that it does not";
    message_note(m->base.solver.message,
                 "%zu relation%s switch%s without the instant being located (the first in %s:%u)%s",
                 count, count == 1 ? "" : "s", count == 1 ? "es" : "", system->file,
                 system->switches.item[0].line, how);
}

/* Events are settled by the model's own formulation, which has to have a regular system Jacobian.
 * Without it bends are passed as they stand. */
static dae_status begin_events(model_simulation *m, double t)
{
    simulation *c = &m->base;
    c->switches = false;
    if (!m->switching) return DAE_OK;
    if (!m->searched.misleads && m->system == m->whole.system)
        return model_events_begin(m, t, &mechanism_simulation_events);
    if (jumps(m))
        return message_fail(
            c->solver.message, DAE_UNSUPPORTED,
            "a model whose structure misleads is not followed as a mechanism across "
            "events, and in this one equations switch or values change at "
            "events\n  remedy: --formulation index1");
    note_switches(m);
    return DAE_OK;
}

/* For a form that has been found, whatever the options say. */
static dae_status start(model_simulation *m, double t)
{
    mechanism_simulation *k = m->mechanism;
    simulation *c = &m->base;
    k->own = *m->formulation->author; /* a copy: the model may continue as before */
    author mechanism_author = k->own;
    lifting l = {.m = m, .to = &mechanism_author};
    long index = c->solver.stats->index;
    dae_status status = begin_events(m, t);
    if (status != DAE_OK) return status;
    if (!mechanism_simulation_take_own(m, t)) return give_up(m, DAE_UNSUPPORTED, BEYOND);
    status = start_inner(m, t);
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
    if (!c->events) return DAE_OK;
    return message_status(c->solver.message, arena_protect(&m->memory, lift_to_own, &l));
}

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

typedef struct searching {
    model_simulation *m;
    text line;
} searching;

static void search(void *argument)
{
    searching *l = argument;
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
    arena_vectors(a, all, (double **[]){&k->given, &k->atols, NULL});
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
    if (m->looked || m->system->delay.count > 0 ||
        (m->own->s->index < 2 && !mechanical_structural_asked(&m->base)))
        return DAE_OK;
    searching l = {.m = m};
    dae_status status = arena_protect(&m->memory, search, &l);
    text_free(&l.line);
    if (status == DAE_OK && m->mechanism)
        status = mechanism_reactions_factors(m->mechanism->reactions);
    m->looked = status == DAE_OK;
    return status == DAE_OK ? DAE_OK : message_fail(reported, DAE_NO_MEMORY, "memory is exhausted");
}

/* Whether there may be events, across which a mechanism is followed on request alone. */
static bool has_events(const model_simulation *m)
{
    return sym_relation_count(m->system->graph) > 0 || sym_has_discrete(&m->system->discrete) ||
           m->system->delay.count > 0 || m->invariants;
}

void mechanism_simulation_wish(model_simulation *m)
{
    m->wish = wish_of(&m->base);
    if (m->wish == MECHANISM_OPEN && has_events(m)) m->wish = MECHANISM_NO;
}

void mechanism_simulation_look(model_simulation *m)
{
    mechanism_simulation_wish(m);
    if (m->wish != MECHANISM_YES) return;
    switching_reset(m->system, m->modes); /* matrices may hold discrete variables */
    if (find(m) == DAE_OK && !m->mechanism) refuse(m);
}

void mechanism_simulation_open(model_simulation *m)
{
    if (m->wish == MECHANISM_NO && !has_events(m) && leaves_way_open(&m->base))
        m->wish = MECHANISM_OPEN;
}

dae_status mechanism_simulation_try(model_simulation *m, double t)
{
    if (m->wish == MECHANISM_NO) return DAE_OK;
    dae_status status = find(m);
    return status == DAE_OK && m->mechanism ? start(m, t) : status;
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
    bool passes = find(m) == DAE_OK && m->mechanism && passes_singular(m);
    c->solver.message = own;
    message_free(&discarded);
    if (passes)
        text_add(t,
                 "\n  remedy: this is a mechanism, and where its constraints come to depend on "
                 "each other the way on is that of a mechanical system: formulation elimination");
}

void mechanism_simulation_free(model_simulation *m)
{
    if (!m->mechanism) return;
    mechanism_simulation_drop(m);
    text_free(&m->mechanism->reasons);
    mechanism_reactions_free(m->mechanism->reactions);
}
