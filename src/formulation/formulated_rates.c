/* Derivatives along the solution of variables whose derivative does not occur in the equations.
 *
 * With every equation differentiated once more than the reduced system needs, the derivatives of
 * the order d_j + 1 follow linearly, J y^(d+1) = -(the rest), where J is the system Jacobian
 * (Pryce, BIT 41 (2001), the stages after the first that is square). The derivative of a variable
 * that was replaced by an expression follows by the chain rule. */
#include "formulation/from_model.h"
#include "linalg/linear_solver.h"

#include <math.h>
#include <string.h>

typedef struct formulated_rates {
    formulation *f;
    prolongation *p; /* of the core, each order one higher */
    sym_tape *rest;  /* core->n: the highest rows, where the highest derivatives are 0 */
    sym_matrix *jacobian;
    sym_tape *first; /* unknowns: the first derivatives */
    linear_solver *solver;
    double *input, *right, *entry;
} formulated_rates;

static bool never_varies(const formulation *f, size_t i)
{
    return f->system->unknown.item[i].discrete;
}

/* Whether z contains all derivatives that the highest rows need. */
static bool are_held(const formulation *f)
{
    if (!f->choice.project && f->choice.kind != FORMULATION_INDEX1)
        return f->reduced->differentiations == 0;
    for (size_t j = 0; j < f->core->n; j++)
        if (f->p->d[j] < f->reduced->d[j]) return false;
    return true;
}

static uint32_t *one_more(arena *a, size_t n, const uint32_t *order)
{
    uint32_t *more = arena_array(a, n, sizeof *more);
    for (size_t i = 0; i < n; i++) more[i] = order[i] + 1;
    return more;
}

static void create(void *argument)
{
    formulated_rates *r = argument;
    formulation *f = r->f;
    arena *a = f->system->memory;
    size_t n = f->core->n, unknowns = f->system->unknown.count;
    const uint32_t *c = one_more(a, n, f->reduced->c), *d = one_more(a, n, f->reduced->d);
    r->p = structure_prolong(a, f->system->graph, f->core, c, d);
    sym *row = arena_array(a, n, sizeof *row), *value = arena_array(a, unknowns, sizeof *value);
    for (size_t i = 0; i < n; i++) row[i] = r->p->row[r->p->first_row[i] + c[i]];
    r->rest = prolongation_tape(a, r->p, n, row);
    r->jacobian = prolongation_matrix(a, r->p, n, n, structure_system_entries(r->p));
    for (uint32_t i = 0; i < unknowns; i++) value[i] = sym_variable(f->system->graph, i, 1);
    structure_to_core(f->system, f->core, unknowns, value);
    r->first = prolongation_tape(a, r->p, unknowns, value);
    r->input = arena_array(a, prolongation_inputs(r->p), sizeof *r->input);
    r->right = arena_array(a, n, sizeof *r->right);
    r->entry = arena_array(a, r->jacobian->pattern->nonzeros, sizeof *r->entry);
    f->rates = r;
}

static void take(void *argument)
{
    formulated_rates *r = argument;
    formulation *f = r->f;
    formulated_rates *kept = arena_take(f->system->memory, sizeof *kept);
    kept->f = f;
    create(kept);
}

/* The derivatives that are known, and 0 for the highest ones. */
static void fill(formulated_rates *r, double t, const double *z)
{
    const prolongation *from = r->f->p, *to = r->p;
    r->input[0] = t;
    for (size_t j = 0; j < to->n; j++)
        for (uint32_t k = 0; k <= to->d[j]; k++)
            r->input[1 + to->first[j] + k] = k < to->d[j] ? z[from->first[j] + k] : 0;
}

static dae_status solve(formulated_rates *r)
{
    dae_status status = DAE_OK;
    sym_matrix_eval(r->jacobian, r->input, r->entry);
    sym_tape_eval(r->rest, r->input, r->right);
    if (!r->solver) status = linear_solver_create(&r->solver, r->jacobian->pattern, false);
    if (status == DAE_OK) linear_solver_forget(r->solver);
    if (status == DAE_OK) status = linear_solver_factor(r->solver, r->entry);
    if (status != DAE_OK) return status;
    linear_solver_solve(r->solver, r->right);
    for (size_t j = 0; j < r->p->n; j++) r->input[1 + r->p->first[j] + r->p->d[j]] = -r->right[j];
    return DAE_OK;
}

dae_status formulation_rates(formulation *f, double t, const double *z, double *rate)
{
    size_t unknowns = f->system->unknown.count;
    formulated_rates wanted = {.f = f};
    for (size_t i = 0; i < unknowns; i++) rate[i] = (double)NAN;
    if (!are_held(f)) return DAE_OK;
    if (!f->rates && arena_protect(f->system->memory, take, &wanted) != DAE_OK)
        return DAE_NO_MEMORY;
    fill(f->rates, t, z);
    dae_status status = solve(f->rates);
    if (status == DAE_NO_MEMORY) return status;
    if (status != DAE_OK) return DAE_OK;
    sym_tape_eval(f->rates->first, f->rates->input, rate);
    for (size_t i = 0; i < unknowns; i++)
        if (never_varies(f, i)) rate[i] = (double)NAN;
    return DAE_OK;
}

void formulation_rates_free(formulation *f)
{
    if (f->rates) linear_solver_free(f->rates->solver);
}
