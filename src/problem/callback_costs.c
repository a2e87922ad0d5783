/* What a C program's equations cost, estimated from what occurs in them. */
#include "problem/callback_state.h"

/* Costs in nanoseconds, from the problems of the Test Set for IVP Solvers: for each equation; for
 * each entry of the Jacobians that occurs, when the equations are evaluated; and for each, when a
 * callback computes it. */
static const double EQUATION = 3, TERM = 0.5, ENTRY = 3;

/* The cost of one evaluation per colour, and of the division of all entries. */
static double differences_cost(const differences *d, double evaluation)
{
    double columns = (double)d->pattern->columns, entries = (double)d->pattern->nonzeros;
    return (double)d->colouring->colours * (evaluation + columns) + ENTRY * entries;
}

void callback_costs(const void *self, problem_costs *costs)
{
    const callbacks *c = self;
    double jacobians = (double)c->seen.jacobians, masses = (double)c->seen.masses;
    costs->residual = EQUATION * (double)c->e->n + TERM * (jacobians + masses);
    costs->jacobian = costs->residual;
    if (callback_has_jacobian(c->e)) costs->jacobian += ENTRY * jacobians;
    if (callback_has_mass_jacobian(c->e)) costs->jacobian += ENTRY * jacobians;
    if (!c->e->constant_mass) costs->jacobian += ENTRY * masses;
    if (c->by_y) costs->jacobian += differences_cost(c->by_y, costs->residual);
    if (c->by_yp) costs->jacobian += differences_cost(c->by_yp, costs->residual);
}
