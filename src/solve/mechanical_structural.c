#include "solve/mechanical_simulation.h"

#include "method/structural.h"

/* The most velocities for the tangent formulation, because its matrices are dense. */
enum { SMALL = 100 };

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

static dae_status find(const simulation *c, const method *which, const mechanical_form *f,
                       const structural_way **way)
{
    const char *wanted = c->solver.options->formulation;
    if (option_is(wanted, "direct")) wanted = "index3";
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (option_is(wanted, ways[i].name)) *way = &ways[i];
    if (option_is(wanted, "auto")) *way = choose(which->structural, f);
    if (*way) return DAE_OK;
    return message_fail(c->solver.message, DAE_UNSUPPORTED,
                        "%s advances a mechanical system as it is, with formulation index3, "
                        "index2, index1 or tangent, not %s",
                        which->name, wanted);
}

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

bool mechanical_structural_asked(const simulation *c)
{
    method *which = named(c);
    bool structural = which && which->structural;
    method_free(which);
    return structural;
}

dae_status mechanical_structural_choose(const simulation *c, const mechanical_form *f,
                                        const structural_way **way)
{
    *way = NULL;
    method *which = named(c);
    dae_status status = c->solver.message->status;
    if (status != DAE_OK) return status;
    bool structural = which && which->structural;
    if (structural) status = find(c, which, f, way);
    method_free(which);
    if (structural || !option_is(c->solver.options->formulation, "tangent")) return status;
    return message_fail(c->solver.message, DAE_UNSUPPORTED,
                        "formulation tangent is one of structural methods, such as newmark, "
                        "fox-goodwin or generalized-alpha");
}
