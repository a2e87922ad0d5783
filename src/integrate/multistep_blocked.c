/* Beta-blocked multistep methods (C. Arevalo, C. Fuhrer & G. Soderlind, "Beta-blocked multistep
 * methods for Euler-Lagrange DAEs", Z. Angew. Math. Mech. 76 (1996)).
 *
 * On y' = f(y, z), 0 = g(y), of index 2, such a method has
 *
 *   sum_j alpha_j y_(n+j) / h = sum_j beta_j f_(n+j) - f_z sum_j gamma_j z_(n+j).
 *
 * The last term is taken into the newest f: with x = z_(n+k) - sum_j gamma_j z_(n+j) / beta_k the
 * right side is beta_k f(y_(n+k), x) + sum_(j < k) beta_j f_(n+j), exactly where f is linear in z.
 * Elsewhere it differs by a multiple of the square of sum gamma_j z_(n+j), that is by h^(2k). So
 * the equations are solved as they are, with x in place of z; then z follows from x, and f_(n+k),
 * which the next steps need, from z. */
#include "integrate/multistep_parts.h"

#include <string.h>

void multistep_find_carried(multistep *e)
{
    const problem *p = e->base.problem;
    for (size_t k = 0; k < p->n; k++)
        e->carried[k] = e->formula.one_leg ||
                        (e->formula.blocked && p->index && p->index[k] > 1 && !p->dynamic[k]);
}

/* Whether the method is blocked and carries any variable. */
static bool blocks_any(const multistep *e)
{
    if (!e->formula.blocked) return false;
    for (size_t k = 0; k < e->base.problem->n; k++)
        if (e->carried[k]) return true;
    return false;
}

static dae_status refuse(const char *name, const char *why, message *m)
{
    return message_fail(m, DAE_UNSUPPORTED,
                        "%s has to tell the derivatives from the rest of the equations, and %s; "
                        "try radau-iia3 or bdf3",
                        name, why);
}

dae_status multistep_refuse_blocked(const multistep *e, const char *name, message *m)
{
    const problem *p = e->base.problem;
    if (e->formula.blocked && p->hidden_directions > 0)
        return refuse(name, "what has index 2 here is no variable by itself", m);
    if (!e->formula.blocked || p->constant_mass) return DAE_OK;
    for (size_t k = 0; p->index && k < p->n; k++)
        if (p->index[k] > 1 && !p->dynamic[k])
            return refuse(name, "their factors are not constant", m);
    return DAE_OK;
}

/* Finds the row and the factor of one derivative. Returns false if the derivative occurs in no
 * equation, in several, or in one that already has another derivative. */
static bool find_factor(multistep *e, size_t k, const bool *taken)
{
    const problem *p = e->base.problem;
    memset(e->x, 0, p->n * sizeof *e->x);
    e->x[k] = 1;
    problem_multiply(p, e->x, e->xp);
    size_t found = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (e->xp[i] == 0) continue;
        e->row[k] = i;
        e->mass[k] = e->xp[i];
        found++;
    }
    return found == 1 && !taken[e->row[k]];
}

dae_status multistep_examine_blocked(multistep *e, const char *name, message *m)
{
    problem *p = e->base.problem;
    bool *taken = e->taken;
    if (!blocks_any(e)) return DAE_OK;
    dae_status status = problem_linearize(p, e->base.t, e->base.y, e->base.yp);
    if (status != DAE_OK) return status;
    corrector_restart(&e->corrector);
    memset(taken, 0, p->n * sizeof *taken);
    for (size_t k = 0; k < p->n; k++) {
        if (!p->dynamic[k]) continue;
        if (!find_factor(e, k, taken))
            return refuse(name, "an equation has several of them, or several have the same", m);
        taken[e->row[k]] = true;
    }
    return DAE_OK;
}

dae_status multistep_finish_blocked(multistep *e, double t)
{
    problem *p = e->base.problem;
    if (!blocks_any(e)) return DAE_OK;
    dae_status status = problem_residual(p, t, e->x, e->xp, e->change);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < p->n; k++)
        if (p->dynamic[k]) e->xp[k] -= e->change[e->row[k]] / e->mass[k];
    return DAE_OK;
}
