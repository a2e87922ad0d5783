/* Chooses the formulation of a mechanical system where the author leaves it open. */
#include "method/method.h"
#include "solve/mechanical_simulation.h"

#include <stdlib.h>

/* The most that multipliers may move, in their tolerances, where positions and velocities move by
 * theirs. Of the systems in tests/zoo, only two exceed 50: a governor, and the stiff double
 * pendulum with 230, one multiplier of which is off by 1e3 and more. */
static const double MOST_SPREAD = 100;

/* Up to this many velocities, dense matrices of twice that size are cheaper than what the
 * multipliers add to sparse ones. */
enum { SMALL = 100 };

bool mechanical_simulation_names(const simulation *c, bool (*is_one)(const method *m))
{
    const char *name = c->solver.options->method;
    message discarded = {0};
    method *named = NULL;
    bool found = !option_is(name, "auto") && method_create(&named, name, &discarded) == DAE_OK;
    bool such = found && is_one(named);
    if (found) method_free(named);
    message_free(&discarded);
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
                          "%s moves by %.2g of its tolerances where positions and velocities do by "
                          "theirs, or by round-off, so that multipliers are unknowns",
                          name, spread);
    else
        message_note(c->solver.message,
                     "%s moves by %.2g of its tolerances where positions and velocities do by "
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
