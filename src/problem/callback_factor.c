/* Factorisations of a C program's equations.
 *
 * A dense pattern says nothing: the matrices take in the entries that the look at the start has
 * seen, and more where a linearisation shows more, which is looked at each time. So rows with two
 * entries and sparse matrices are known as such whatever the author says, and no entry is lost. */
#include "problem/callback_state.h"

/* After so many times what the author's patterns allow is all taken in. */
enum { MOST_GROWTHS = 4 };

/* What a pattern that says something of zeros holds is taken in whole. */
static bool *taken_at_first(callbacks *c, const sparse_pattern *p, bool dense, const bool *seen)
{
    bool *taken = arena_array(&c->memory, p->nonzeros, sizeof *taken);
    for (size_t k = 0; k < p->nonzeros; k++) taken[k] = !dense || seen[k];
    return taken;
}

void callback_make_pencil(callbacks *c)
{
    const equations *e = c->e;
    c->slope_taken = taken_at_first(c, c->slope_pattern, e->slope.dense, c->seen.slope);
    c->mass_taken = taken_at_first(c, c->mass_pattern, e->mass.dense, c->seen.mass);
    c->scale = arena_array(&c->memory, e->n, sizeof(double));
    c->pencil = pencil_create(&c->memory, (pencil_matrix){c->mass_pattern, c->mass_taken},
                              (pencil_matrix){c->slope_pattern, c->slope_taken});
}

/* Whether entries that are not 0 are not known of. */
static bool any_new(size_t nonzeros, const double *value, const bool *taken)
{
    bool some = false;
    for (size_t k = 0; k < nonzeros; k++) some |= !taken[k] & (value[k] != 0);
    return some;
}

static void take_new(size_t nonzeros, const double *value, bool all, bool *taken)
{
    for (size_t k = 0; k < nonzeros; k++) taken[k] = taken[k] || all || value[k] != 0;
}

static void extend(void *self)
{
    callbacks *c = self;
    pencil_extend(c->pencil, &c->memory);
}

/* Entries that are not 0, or `all`. */
static dae_status take_in(callbacks *c, bool all)
{
    take_new(c->slope_pattern->nonzeros, c->slope, all, c->slope_taken);
    take_new(c->mass_pattern->nonzeros, c->mass, all, c->mass_taken);
    return arena_protect(&c->memory, extend, c);
}

/* What is seen at the start may be singular by its zeros where all that may occur is not. */
dae_status callback_reserve(void *self, size_t slots, const bool *is_complex)
{
    callbacks *c = self;
    dae_status status = pencil_reserve(c->pencil, slots, is_complex);
    if (status == DAE_SINGULAR) {
        status = take_in(c, true);
        if (status == DAE_OK) status = pencil_reserve(c->pencil, slots, is_complex);
    }
    if (status == DAE_OK && slots > 0)
        c->problem.linear_solver = linear_solver_name(pencil_solver(c->pencil, 0));
    return status;
}

/* What the last linearisation has shown. */
static dae_status look_again(callbacks *c)
{
    size_t slopes = c->slope_pattern->nonzeros, masses = c->mass_pattern->nonzeros;
    if (!c->unlooked) return DAE_OK;
    c->unlooked = false;
    if (!any_new(slopes, c->slope, c->slope_taken) && !any_new(masses, c->mass, c->mass_taken))
        return DAE_OK;
    return take_in(c, ++c->growths > MOST_GROWTHS);
}

dae_status callback_factor(void *self, size_t slot, double complex alpha, double complex beta)
{
    callbacks *c = self;
    dae_status status = look_again(c);
    if (status != DAE_OK) return status;
    const linear_solver *solver = pencil_solver(c->pencil, slot);
    size_t reordered = linear_solver_reordered(solver);
    const double *scale = problem_column_scales(&c->problem, alpha, beta, c->scale) ? c->scale
                                                                                    : NULL;
    status = pencil_factor(c->pencil, slot, alpha, c->mass, beta, c->slope, scale);
    if (status == DAE_SINGULAR) /* LINEAR_SOLVER_NOWHERE is PROBLEM_NOWHERE */
        pencil_singular(c->pencil, slot, &c->problem.bad_row, &c->problem.bad_column);
    if (pencil_solver(c->pencil, slot) != solver) { /* of a pattern that was extended */
        c->problem.counts.reorderings++;
        return status;
    }
    c->problem.counts.reorderings += linear_solver_reordered(solver) - reordered;
    c->problem.factor_nonzeros = linear_solver_nonzeros(solver);
    return status;
}
