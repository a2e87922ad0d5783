/* Whether equations of a C program have a higher index than their author says, as far as that can
 * be seen at the start. */
#include "linalg/linear_solver.h"
#include "solve/callback_course.h"

#include <float.h>

typedef struct algebraic_part {
    const callback_course *k;
    arena *memory;
    sparse_pattern *pattern; /* of dg/dz */
    double *value;
} algebraic_part;

/* The entries of dF/dy in the rows of g and the columns of z. */
static void take_part(void *argument)
{
    algebraic_part *part = argument;
    const callbacks *c = part->k->callbacks;
    const sparse_pattern *all = callbacks_slope_pattern(c);
    size_t nx = part->k->equations->form.semi_explicit.nx, nz = all->columns - nx;
    size_t *row = arena_array(part->memory, all->nonzeros, sizeof *row);
    size_t *column = arena_array(part->memory, all->nonzeros, sizeof *column);
    size_t *where = arena_array(part->memory, all->nonzeros, sizeof *where), entries = 0;
    part->value = arena_array(part->memory, all->nonzeros, sizeof *part->value);
    for (size_t j = nx; j < all->columns; j++) {
        for (sparse_index e = all->start[j]; e < all->start[j + 1]; e++) {
            if ((size_t)all->row[e] < nx) continue;
            part->value[entries] = callbacks_slope(c)[e]; /* no two coincide: the order stays */
            row[entries] = (size_t)all->row[e] - nx;
            column[entries++] = j - nx;
        }
    }
    part->pattern = sparse_build(part->memory, nz, nz, entries, row, column, where);
}

static bool is_singular(const algebraic_part *part)
{
    linear_solver *solver = NULL;
    dae_status status = linear_solver_create(&solver, part->pattern, false);
    if (status == DAE_OK) status = linear_solver_factor(solver, part->value);
    double size = (double)part->pattern->rows;
    bool singular = status == DAE_SINGULAR ||
                    (status == DAE_OK && linear_solver_rcond(solver) <= size * DBL_EPSILON);
    linear_solver_free(solver);
    return singular;
}

/* x' = f, 0 = g is of index 1 where dg/dz is regular. */
void callback_course_note_index(callback_course *k, double t)
{
    const equations *e = k->equations;
    arena memory = {0};
    algebraic_part part = {.k = k, .memory = &memory};
    if (e->kind != EQUATIONS_SEMI_EXPLICIT || e->form.semi_explicit.nz == 0) return;
    if (callback_course_index(e) > 1) return;
    dae_status status = problem_linearize(k->base.problem, t, k->base.y, k->base.yp);
    if (status == DAE_OK) status = arena_protect(&memory, take_part, &part);
    if (status == DAE_OK && is_singular(&part))
        message_note(k->base.solver.message,
                     "at the start g does not determine z: the index is above 1, and about.index "
                     "does not say so; without it the step is chosen, and its error tested, as for "
                     "index 1");
    arena_free(&memory);
}
