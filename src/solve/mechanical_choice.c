/* Chooses the formulation of a mechanical system where the author leaves it open: its own for
 * methods of equations in general, the way of a structural method for these. */
#include "method/structural.h"
#include "solve/mechanical_simulation.h"

#include <stdlib.h>

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

bool mechanical_simulation_names(const simulation *c, bool (*is_one)(const method *m))
{
    method *which = named(c);
    bool such = which && is_one(which);
    method_free(which);
    return such;
}

/* Whether a method keeps its order on index 2 and chooses its steps. */
static bool suits_index_2(const method *m)
{
    return m->family == METHOD_RADAU_IIA || m->family == METHOD_BDF || m->family == METHOD_MEBDF;
}

/* Whether another method solves the equations at the ends of its steps as they are. */
static bool suits_index_1(const method *m)
{
    return m->family == METHOD_ESDIRK;
}

/* A formulation with multipliers in the error test that outputs them as they were found. NULL: none
 * suits the options. */
static const char *with_multipliers(const simulation *c)
{
    const dae_options *o = c->solver.options;
    if (!option_is(o->projection, "auto")) return NULL;
    if (option_is(o->method, "auto") || mechanical_simulation_names(c, suits_index_2)) return "ggl";
    return mechanical_simulation_names(c, suits_index_1) ? "baumgarte" : NULL;
}

/* Restores k->system to k->point: its evaluation and its factors. */
static void look_back(mechanical_simulation *k, double t)
{
    if (mechanical_evaluate(k->system, t, k->point.q) == DAE_OK)
        mechanical_factor(k->system, 0, 1, 0, 0);
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
    if (judged) look_back(k, t);
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

const char *mechanical_simulation_formulation(mechanical_simulation *k, bool with_explicit,
                                              double t)
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

static bool is_structural(const method *m)
{
    return m->structural != NULL;
}

bool mechanical_structural_asked(const simulation *c)
{
    return mechanical_simulation_names(c, is_structural);
}

dae_status mechanical_structural_choose(const simulation *c, const mechanical_form *f,
                                        const structural_way **way)
{
    const char *wanted = c->solver.options->formulation;
    method *which = named(c);
    bool structural = which && is_structural(which);
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
