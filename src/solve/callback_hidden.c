/* Algebraic variables that the search for a start leaves open, where equations of a C program are
 * integrated as given.
 *
 * That search differentiates the rows without derivatives, once. Where each row mixes constraints
 * with differential equations by a matrix, or where the index is 3, such derivatives do not
 * determine all algebraic variables, and the search leaves the others at their guesses. The
 * derivative array determines them, because it combines rows (callback_reduced.h). */
#include "initial/consistent.h"
#include "solve/callback_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dae_status callback_simulation_reduce(callback_simulation *k, double t)
{
    simulation *c = &k->base;
    const bool *dynamic = callbacks_problem(k->callbacks)->dynamic;
    memcpy(k->z, c->y, c->n * sizeof *c->y);
    bool all_given = true;
    for (size_t j = 0; j < c->n; j++) all_given = all_given && !(dynamic[j] && isnan(c->start[j]));
    for (size_t j = 0; j < c->n; j++) {
        bool given = !isnan(c->start[j]), held = given && dynamic[j];
        k->held[j] = held ? CALLBACK_HELD : given && !all_given ? CALLBACK_GIVEN : CALLBACK_OPEN;
        if (held) c->y[j] = c->start[j]; /* the search did not see all hidden constraints */
    }
    dae_status status = callback_reduced_create(&k->reduced, k->callbacks, t,
                                                c->solver.options->rtol, k->held, c->y, c->yp);
    if (!k->reduced) memcpy(c->y, k->z, c->n * sizeof *c->y);
    return status;
}

/* In systems whose rank is too costly to find: at most as many algebraic variables of index 2 are
 * determined as constraints are differentiated, and none of index 3. */
static bool is_left_open(const callback_simulation *k, size_t variable)
{
    const problem *p = callbacks_problem(k->callbacks);
    size_t hidden, high = 0;
    callback_start_hidden(k->search, &hidden);
    for (size_t j = 0; j < p->n; j++) high += !p->dynamic[j] && p->index[j] > 1;
    return p->index[variable] > 2 || (p->index[variable] > 1 && high > hidden);
}

/* Marks the algebraic variables that the start's system leaves open at (y, y') of the simulation.
 */
static dae_status find_open(callback_simulation *k, double t)
{
    const simulation *c = &k->base;
    const bool *dynamic = callbacks_problem(k->callbacks)->dynamic;
    const start_system *system = callback_start_system(k->search);
    size_t count = 0, *chosen = calloc(system->size + 1, sizeof *chosen);
    bool known = false;
    if (!chosen) return DAE_NO_MEMORY;
    memcpy(k->z, c->y, c->n * sizeof *c->y);
    memcpy(k->z + c->n, c->yp, c->n * sizeof *c->yp);
    dae_status status = initial_states(system, t, k->z, chosen, &count, &known);
    for (size_t i = 0; status == DAE_OK && i < count; i++)
        if (chosen[i] < c->n) k->open[chosen[i]] = !dynamic[chosen[i]];
    for (size_t j = 0; !known && j < c->n; j++) k->open[j] = !dynamic[j] && is_left_open(k, j);
    free(chosen);
    return status == DAE_NO_MEMORY || status == DAE_STOPPED ? status : DAE_OK;
}

void callback_simulation_note_open(const callback_simulation *k, double t)
{
    const simulation *c = &k->base;
    text list = {0};
    for (size_t j = 0; j < c->n; j++)
        if (k->open[j])
            text_format(&list, "%s%s = %.6g", list.length ? ", " : "", c->variable[j], c->y[j]);
    if (list.length)
        message_note(c->solver.message,
                     "integrated as given: the equations and the derivatives of those without "
                     "derivatives leave %s open at t = %.9g, and differences do not show beyond "
                     "doubt what determines them. These values are guesses there: give good ones, "
                     "or exact derivatives (jacobian)",
                     text_string(&list), t);
    text_free(&list);
}

/* The linearised equations have shown a lower index, or none: which variables have the one that the
 * derivative array shows is not known, and methods rely on it. */
static void take_array_index(callback_simulation *k)
{
    const simulation *c = &k->base;
    long found = callback_reduced_index(k->reduced), *index = &c->solver.stats->index;
    if (found <= *index || equations_about(k->equations)->index) return;
    *index = found;
    message_note(c->solver.message,
                 "integrated as given: the index is %ld, and which variables have it does not show "
                 "at the start. Declare it (about.index), or take formulation auto",
                 found);
}

/* Finds what is open by the derivative array, which is not needed any longer then. */
static dae_status find_values(callback_simulation *k, double t)
{
    problem *p = callbacks_problem(k->callbacks);
    const problem_counts counts = p->counts;
    dae_status status = callback_simulation_reduce(k, t);
    p->counts = counts;
    if (!k->reduced) return status;
    take_array_index(k);
    memset(k->open, 0, k->base.n * sizeof *k->open);
    callback_reduced_free(k->reduced);
    k->reduced = NULL;
    return status;
}

dae_status callback_simulation_find_open(callback_simulation *k, double t, bool by_array)
{
    dae_status status = find_open(k, t);
    for (size_t j = 0; j < k->base.n; j++) k->left_open = k->left_open || k->open[j];
    if (status == DAE_OK && k->left_open && by_array) status = find_values(k, t);
    if (status == DAE_OK) callback_simulation_note_open(k, t);
    return message_status(k->base.solver.message, status);
}
