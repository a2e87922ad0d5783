/* The start of a mechanical system's simulation: chooses formulation and projection, and finds
 * values. */
#include "mechanical/mechanical.h"
#include "method/structural.h"
#include "solve/mechanical_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most that multipliers may move, in their tolerances, where positions and velocities move by
 * theirs. Of the systems in tests/zoo, only two exceed 50: a governor, and the stiff double
 * pendulum with 230, one multiplier of which is off by 1e3 and more. */
static const double MOST_SPREAD = 100;

/* Up to this many velocities, dense matrices of twice that size are cheaper than what the
 * multipliers add to sparse ones, and the tangent formulation, whose matrices are dense, is chosen.
 */
enum { SMALL = 100 };

/* The method that the options name. NULL where they leave it open; where the name is wrong, which
 * is reported elsewhere; or where memory is exhausted, which is reported here. */
static method *named(const simulation *c)
{
    const char *name = c->solver.options->method;
    method *which = NULL;
    message discarded = {0};
    if (!option_is(name, "auto") && method_create(&which, name, &discarded) != DAE_OK) which = NULL;
    if (discarded.status == DAE_NO_MEMORY)
        message_fail(c->solver.message, DAE_NO_MEMORY, "memory is exhausted");
    message_free(&discarded);
    return which;
}

/* Its family; -1 for none. */
static int family_named(const simulation *c)
{
    method *which = named(c);
    int family = which ? (int)which->family : -1;
    method_free(which);
    return family;
}

/* Whether it is a Runge-Kutta or multistep method that needs no Jacobian. */
static bool names_explicit(const simulation *c)
{
    method *which = named(c);
    const method_multistep *steps = which ? which->multistep : NULL;
    bool is_explicit = which && which->family == METHOD_EXPLICIT;
    if (steps && !steps->variable) is_explicit = steps->beta[steps->steps] == 0;
    method_free(which);
    return is_explicit;
}

/* A formulation with multipliers in the error test that outputs them as they were found. NULL: none
 * suits the options. */
static const char *with_multipliers(const simulation *c)
{
    const dae_options *o = c->solver.options;
    int family = family_named(c);
    /* These keep their order on index 2 and choose their steps. */
    bool suits_index_2 = family == METHOD_RADAU_IIA || family == METHOD_BDF ||
                         family == METHOD_MEBDF;
    if (!option_is(o->projection, "auto")) return NULL;
    if (option_is(o->method, "auto") || suits_index_2) return "ggl";
    /* These solve the equations at the ends of their steps as they are. */
    return family == METHOD_ESDIRK ? "baumgarte" : NULL;
}

/* The spread of the multipliers at the start (mechanical_simulation.h), and the one with the
 * largest.
 */
static double find_spread(mechanical_simulation *k, double t, size_t *worst)
{
    const mechanical_form *f = k->form;
    const dae_options *o = k->base.solver.options;
    double *atol = malloc((f->n + 1) * sizeof *atol);
    if (!atol) return 0;
    for (size_t j = 0; j < f->n; j++)
        atol[j] = o->atols ? o->atols[j] : o->atol * k->base.nominal[j];
    const mechanical_spreading given = {.system = k->system,
                                        .t = t,
                                        .from = &k->point,
                                        .nominal = f->nominal,
                                        .atol = atol,
                                        .rtol = o->rtol,
                                        .multipliers = f->constraints};
    double found = mechanical_spread(&given, worst);
    free(atol);
    return found;
}

/* The formulation of a small system. With a damper c v, multipliers computed from velocities are
 * off by c times the error of v. Where that exceeds their tolerances, multipliers become unknowns.
 */
static const char *small_formulation(mechanical_simulation *k, double t)
{
    simulation *c = &k->base;
    size_t worst = 0;
    bool judged = !k->of_model && k->form->constraints > 0 && c->solver.options->step == 0;
    double spread = judged ? find_spread(k, t, &worst) : 0;
    if (judged && mechanical_evaluate(k->system, t, k->point.q) == DAE_OK)
        mechanical_factor(k->system, 0, 1, 0, 0); /* the system is at k->point again */
    if (spread <= MOST_SPREAD) return "elimination";
    const char *other = with_multipliers(c);
    const char *name = k->form->variable[k->form->nq + k->form->nv + worst];
    if (other)
        simulation_reason(c,
                          "%s changes by %.2g of its tolerances when positions and velocities "
                          "change by theirs, or by round-off, so that multipliers are unknowns",
                          name, spread);
    else
        message_note(c->solver.message,
                     "%s changes by %.2g of its tolerances when positions and velocities change by "
                     "theirs, or by round-off, and may be off by as many; formulation ggl, with "
                     "radau-iia5 or bdf, "
                     "controls it",
                     name, spread);
    return other ? other : "elimination";
}

/* Chooses the formulation by the options. Where they leave it open:
 * elimination suits explicit methods. It also suits implicit ones for small systems, unless
 * multipliers would be far less accurate than the states. The equations of Gear, Gupta and
 * Leimkuhler keep the sparsity of a large system, and have multipliers in the error test. Examines
 * states beside k->point. */
static const char *choose_formulation(mechanical_simulation *k, bool with_explicit, double t)
{
    const char *wanted = k->base.solver.options->formulation;
    if (option_is(wanted, "direct")) return "index3";
    if (!option_is(wanted, "auto")) return wanted;
    if (k->system->dependent == MECHANICAL_UNCOUNTED) return "elimination";
    if (k->form->nv <= SMALL) return small_formulation(k, t);
    return with_explicit ? "elimination" : "ggl";
}

/* The ways, by level. The names are those of formulations of mechanical systems, except for the
 * first. */
static const structural_way ways[] = {
    {"tangent", "the method in the tangent of the constraints, which hold on all levels", 0, false},
    {"index1", "each step meets the constraints on accelerations", 1, true},
    {"index2", "each step meets the constraints on velocities", 2, true},
    {"index3", "each step meets the constraints on positions", 3, false},
};

/* The highest level on which multipliers converge; the tangent where that is not the first level.
 */
static const structural_way *choose(const method_structural *s, const mechanical_form *f)
{
    if (f->constraints == 0) return &ways[3];
    int level = f->holonomic > 0 ? 3 : 2;
    while (level > 1 && structural_radius_at_infinity(s, level) > 1 - 1e-12)
        level = f->nv <= SMALL ? 0 : level - 1;
    return &ways[level];
}

/* Sets *way for a structural method; NULL where the options name none of its ways. */
static void find(const method *which, const char *wanted, const mechanical_form *f,
                 const structural_way **way)
{
    if (option_is(wanted, "direct")) wanted = "index3";
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (option_is(wanted, ways[i].name)) *way = &ways[i];
    if (option_is(wanted, "auto")) *way = choose(which->structural, f);
}

bool mechanical_structural_asked(const simulation *c)
{
    return family_named(c) == METHOD_STRUCTURAL;
}

/* The way that the options name, or that suits the method where they leave it open. NULL where the
 * method is not structural. DAE_UNSUPPORTED with its message where formulation and method do not go
 * together. */
static dae_status choose_structural(const simulation *c, const mechanical_form *f,
                                    const structural_way **way)
{
    const char *wanted = c->solver.options->formulation;
    method *which = named(c);
    bool structural = which && which->structural;
    *way = NULL;
    if (structural) find(which, wanted, f, way);
    if (structural && !*way)
        message_fail(c->solver.message, DAE_UNSUPPORTED,
                     "%s advances a mechanical system as it is, with formulation index3, index2, "
                     "index1 or tangent, not %s",
                     which->name, wanted);
    if (!structural && option_is(wanted, "tangent"))
        message_fail(c->solver.message, DAE_UNSUPPORTED,
                     "formulation tangent is one of structural methods, such as newmark, "
                     "fox-goodwin or generalized-alpha");
    method_free(which);
    return c->solver.message->status;
}

/* --- projection --- */

static dae_status refuse_embedded(const simulation *c)
{
    return message_fail(
        c->solver.message, DAE_UNSUPPORTED,
        "projection embedded stabilises the invariants of an ODE: for a mechanical system take "
        "coordinate, mass, fz, derivative, post, post2 or least-squares, or formulation baumgarte");
}

/* The projection of each name. Multipliers act along M^-1 G^T, so fz is the same as mass. */
static mechanical_way way_of(const char *wanted)
{
    static const struct {
        const char *word;
        mechanical_way way;
    } words[] = {{"post", MECHANICAL_POST},
                 {"post2", MECHANICAL_POST},
                 {"mass", MECHANICAL_BY_MASS},
                 {"fz", MECHANICAL_BY_MASS},
                 {"least-squares", MECHANICAL_AT_ONCE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (option_is(wanted, words[i].word)) return words[i].way;
    return MECHANICAL_NEAREST;
}

/* The projection for a Gauss method. The end of its step is not one of its stages and does not meet
 * the equations. |R| = 1 at infinity carries what it misses on, undamped or amplified by 1/h.
 *
 * For index 2, the multipliers do not converge with variable steps unless states are projected
 * (Ascher & Petzold, SIAM J. Numer. Anal. 28 (1991) 1097). With constant steps, projection would
 * cost q and v their order, because mu acts in another direction. For index 1, it is enough to
 * compute the multipliers from the state (the state space form, Hairer & Wanner II, Sec. VI.1). */
static const char *way_of_gauss(mechanical_simulation *k)
{
    const mechanical_formulation_ops *row = k->structural ? NULL : k->formulation->ops;
    if (!row || !row->holds_multipliers || family_named(&k->base) != METHOD_GAUSS) return NULL;
    if (row->index == 2) return k->base.solver.options->step > 0 ? NULL : "mass";
    if (row->index != 1) return NULL;
    k->way = MECHANICAL_SETTLED;
    k->base.project_steps = true;
    simulation_reason(&k->base, "accelerations and multipliers at the ends of steps found from the "
                                "state, which a Gauss method does not do");
    return NULL;
}

/* Chooses the projection of the ends of steps and of values within them. A step of index 2 may end
 * as far off the velocity constraints as its stages are (Ascher & Petzold, SIAM J. Numer. Anal. 28
 * (1991) 1097). Then only the way back along M^-1 G^T, on which the multipliers act, keeps the
 * order. */
static dae_status mechanical_choose_projection(simulation *c, double t)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    (void)t;
    const char *wanted = c->solver.options->projection;
    size_t invariants = k->form->given.invariants;
    bool constrained = k->form->constraints > 0 || invariants > 0;
    k->way = MECHANICAL_NOTHING;
    c->project_steps = c->keep_values = false;
    c->solver.stats->projection = "none";
    if (option_is(wanted, "embedded")) return refuse_embedded(c);
    if (option_is(wanted, "none") || !constrained) return DAE_OK;
    if (option_is(wanted, "auto")) {
        bool drifts = k->structural ? k->structural->drifts : k->formulation->ops->drifts;
        bool by_mass = !k->structural && k->formulation->ops->by_mass;
        wanted = drifts ? by_mass ? "mass" : "coordinate" : way_of_gauss(k);
        if (!wanted) return c->solver.message->status;
    }
    k->way = way_of(wanted);
    k->corrections = option_is(wanted, "post2") ? 2 : 1;
    c->project_steps = true;
    c->keep_values = option_is(wanted, "derivative");
    c->solver.stats->projection = wanted;
    simulation_reason(c, "states brought back to the constraints on positions and velocities (%s)",
                      wanted);
    if (invariants > 0)
        simulation_reason(c, "and velocities to %zu invariant%s", invariants,
                          invariants == 1 ? "" : "s");
    return DAE_OK;
}

dae_status mechanical_simulation_take_inner(mechanical_simulation *k)
{
    simulation *c = &k->base;
    free(c->y);
    free(c->yp);
    c->y = calloc(k->formulation->n + 1, sizeof *c->y);
    c->yp = calloc(k->formulation->n + 1, sizeof *c->yp);
    return c->y && c->yp ? DAE_OK : DAE_NO_MEMORY;
}

int mechanical_simulation_index(const mechanical_form *form)
{
    return form->holonomic ? 3 : form->nonholonomic ? 2 : 0;
}

static void report_formulation(mechanical_simulation *k)
{
    simulation *c = &k->base;
    const mechanical_form *f = k->form;
    const mechanical_formulation_ops *row = k->formulation->ops;
    const char *name = k->structural ? k->structural->name : row->name;
    const char *says = k->structural ? k->structural->says : row->says;
    c->formulation = option_is(c->solver.options->formulation, "direct") ? "direct" : name;
    c->solver.stats->index = mechanical_simulation_index(f);
    /* The given level, each hidden one, and one for the invariants. */
    c->constraint_levels = (size_t)c->solver.stats->index + (f->given.invariants > 0);
    memset(c->constraint, 0, 4 * sizeof *c->constraint);
    simulation_reason(
        c,
        "a mechanical system of %zu coordinates, %zu velocities and %zu constraint%s, %s: "
        "%s",
        f->nq, f->nv, f->constraints, f->constraints == 1 ? "" : "s", name, says);
    if (k->system->dependent == MECHANICAL_UNCOUNTED)
        simulation_reason(c, "some of the constraints depend on the others; in so large a system "
                             "they are not counted");
    else if (k->system->dependent)
        simulation_reason(c, "%zu of the constraints depend on the others", k->system->dependent);
}

/* Fails with a status of k->system at the start. */
dae_status mechanical_simulation_fail_at_start(mechanical_simulation *k, double t,
                                               dae_status status)
{
    message *m = k->base.solver.message;
    if (m->status != DAE_OK) return m->status;
    message_fail(m, status, "at the start, t = %.9g: ", t);
    mechanical_simulation_report_point(&k->base, status, &m->sentence);
    return m->status;
}

/* Multiplies the nominal sizes of velocities by `factor`, and those of coordinates where these are
 * the integrals of velocities. */
static void change_sizes(mechanical_simulation *k, const double *factor)
{
    const mechanical_form *f = k->form;
    for (size_t j = 0; j < f->nv; j++) {
        f->nominal[f->nq + j] *= factor[j];
        if (!f->kinematics.pattern) f->nominal[j] *= factor[j];
    }
    mechanical_take_sizes(k->system);
    simulation_reason(
        &k->base,
        "the nominal sizes do not tell the constraints apart: sizes are taken from the mass");
}

dae_status mechanical_simulation_finish_sizes(mechanical_simulation *k, double t)
{
    const mechanical *m = k->system;
    bool better;
    dae_status status = mechanical_evaluate(k->system, t, k->point.q);
    if (status != DAE_OK) return status;
    const mechanical_sizing here = {
        .mass = m->mass, .gradient = m->gradient, .size = k->form->nominal + k->form->nq};
    status = mechanical_better_sizes(&here, k->change, &better);
    if (status == DAE_OK && better) change_sizes(k, k->change);
    return status;
}

/* Chooses the way of a structural method. Records the values of the invariants at k->point, and
 * finds which constraints depend on others there, for reports and refusals. */
static dae_status look_at_start(mechanical_simulation *k, double t)
{
    mechanical *m = k->system;
    dae_status status = choose_structural(&k->base, k->form, &k->structural);
    if (status != DAE_OK) return status;
    m->unkept = 0;
    if (m->invariants > 0) status = mechanical_invariants(m, t, k->point.q, k->point.v, k->kept);
    if (status == DAE_OK) status = mechanical_simulation_finish_sizes(k, t);
    if (status == DAE_OK) status = mechanical_evaluate(m, t, k->point.q);
    if (status == DAE_OK) status = mechanical_factor(m, 0, 1, 0, 0);
    return status == DAE_OK ? DAE_OK : mechanical_simulation_fail_at_start(k, t, status);
}

/* Refuses formulations with multipliers as unknowns where constraints depend on others but were not
 * counted. Such multipliers must be determined, and in a large system the dependent ones are not
 * known. */
static dae_status refuse_uncounted(mechanical_simulation *k, const char *name)
{
    const mechanical_formulation_ops *row = mechanical_formulation_find(name);
    bool counted = k->system->dependent != MECHANICAL_UNCOUNTED;
    if (k->structural || counted || !row || !row->holds_multipliers) return DAE_OK;
    return message_fail(k->base.solver.message, DAE_UNSUPPORTED,
                        "formulation %s: some of the constraints depend on others, and in a system "
                        "of %zu velocities and %zu constraints it does not tell them from these\n  "
                        "remedy: take elimination, whose multipliers are no unknowns, or leave out "
                        "the constraints that follow from others",
                        row->name, k->form->nv, k->form->constraints);
}

dae_status mechanical_simulation_formulate(mechanical_simulation *k, const char *name,
                                           bool with_explicit, double t, size_t number)
{
    simulation *c = &k->base;
    message *m = c->solver.message;
    dae_status status = mechanical_formulation_create(&k->formulation, k->form, name, with_explicit,
                                                      t, &k->point, m);
    if (status != DAE_OK) return status;
    mechanical_formulation_number(k->formulation, number);
    k->formulation->keeps = c->solver.options->keep_trajectory;
    status = mechanical_simulation_take_inner(k);
    if (status == DAE_OK)
        status = k->formulation->ops->lower(k->formulation, t, &k->point, c->y, c->yp);
    if (status == DAE_OK)
        status = callbacks_create(&k->callbacks, k->formulation->equations, t, c->y, m);
    if (status != DAE_OK) return status;
    c->problem = callbacks_problem(k->callbacks);
    c->problem->depth = k->formulation->depth;
    return DAE_OK;
}

/* Creates the formulation and the engine's variables from k->point. */
static dae_status mechanical_formulate(simulation *c, double t)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    dae_status status = look_at_start(k, t);
    if (status != DAE_OK) return status;
    bool with_explicit = names_explicit(c);
    const char *name = k->structural ? "index3" /* q, v and lambda */
                                     : choose_formulation(k, with_explicit, t);
    status = refuse_uncounted(k, name);
    if (status != DAE_OK) return status;
    status = mechanical_simulation_formulate(k, name, with_explicit, t, 0);
    if (status != DAE_OK) return mechanical_simulation_fail_at_start(k, t, status);
    if (k->structural) {
        c->problem->mechanical = k->formulation->mechanical;
        c->problem->level = k->structural->level;
        k->formulation->engine_moves = true;
    }
    report_formulation(k);
    return c->solver.message->status;
}

static dae_status mechanical_take(simulation *c, double t)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    (void)t;
    mechanical_simulation_clear(k);
    return DAE_OK;
}

static bool mechanical_is_differentiated(const simulation *c, size_t j)
{
    const mechanical_form *f = ((const mechanical_simulation *)c)->form;
    return j < f->nq + f->nv;
}

static dae_status mechanical_accept(simulation *c, double t, const double *y, const double *yp,
                                    double *miss, text *where)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    static const char *const derivative[] = {"", "the derivative of ", "the second derivative of "};
    double equation = 0, level[3] = {0, 0, 0};
    memcpy(c->value, y, c->n * sizeof *y);
    memcpy(k->point.vp, yp + k->form->nq, k->form->nv * sizeof *yp);
    k->worst.found = 0;
    dae_status status = mechanical_simulation_judge(k, t, &equation, level);
    if (status != DAE_OK) return mechanical_simulation_fail_at_start(k, t, status);
    *miss = fmax(fmax(equation, level[0]), fmax(level[1], level[2]));
    text_format(where, "%s%s", derivative[k->worst.order], k->equation[k->worst.row]);
    return DAE_OK;
}

const start_stages mechanical_simulation_stages = {
    .take = mechanical_take,
    .search = mechanical_simulation_search,
    .accept = mechanical_accept,
    .is_differentiated = mechanical_is_differentiated,
    .verify_derivatives = mechanical_simulation_verify,
    .formulate = mechanical_formulate,
    .project = mechanical_choose_projection,
    .verify_invariants = mechanical_simulation_verify_invariants,
    .note = mechanical_simulation_note,
};
