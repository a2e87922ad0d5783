/* Factors of alpha dF/dy' + beta dF/dy, of any problem.
 *
 * A dense pattern says nothing. Its matrix holds the entries that are known to occur. Each
 * linearisation is examined for more, and they are taken in. So rows with two entries and sparse
 * matrices are recognised whatever the author declares, and no entry is lost. */
#include "problem/pencil.h"
#include "problem/problem.h"

#include <stdlib.h>

/* After this many extensions, everything that the patterns allow is taken in. */
enum { MOST_GROWTHS = 4 };

struct problem_factors {
    arena memory;
    pencil *pencil;
    bool *yp_taken, *y_taken; /* the nonzeros that the pencil holds; NULL: all */
    int growths;              /* how often nonzeros were added */
    bool unlooked;            /* the last linearisation was not yet examined for new nonzeros */
    double *scale;            /* n: scales of the columns, for a factorisation */
};

static bool *taken_at_first(arena *a, const problem_matrix *m)
{
    bool *taken = m->occurs ? arena_array(a, m->pattern->nonzeros, sizeof *taken) : NULL;
    for (size_t k = 0; taken && k < m->pattern->nonzeros; k++) taken[k] = m->occurs[k];
    return taken;
}

static void make(void *argument)
{
    problem *p = argument;
    problem_factors *f = p->factors;
    f->yp_taken = taken_at_first(&f->memory, &p->by_yp);
    f->y_taken = taken_at_first(&f->memory, &p->by_y);
    f->scale = arena_array(&f->memory, p->n, sizeof *f->scale);
    f->pencil = pencil_create(&f->memory, (pencil_matrix){p->by_yp.pattern, f->yp_taken},
                              (pencil_matrix){p->by_y.pattern, f->y_taken});
}

static dae_status create(problem *p)
{
    p->factors = calloc(1, sizeof *p->factors);
    if (!p->factors) return DAE_NO_MEMORY;
    p->factors->unlooked = true;
    dae_status status = arena_protect(&p->factors->memory, make, p);
    if (status != DAE_OK) problem_factors_free(p);
    return status;
}

void problem_factors_free(problem *p)
{
    if (!p->factors) return;
    pencil_free(p->factors->pencil);
    arena_free(&p->factors->memory);
    free(p->factors);
    p->factors = NULL;
}

void problem_factors_look(problem *p, bool anew)
{
    if (!p->factors) return;
    p->factors->unlooked = true;
    if (anew) p->factors->growths = 0;
}

/* Whether there are nonzero entries that the pencil does not hold. */
static bool any_new(const problem_matrix *m, const bool *taken)
{
    bool some = false;
    for (size_t k = 0; taken && k < m->pattern->nonzeros; k++)
        some |= !taken[k] & (m->value[k] != 0);
    return some;
}

static void take_new(const problem_matrix *m, bool all, bool *taken)
{
    for (size_t k = 0; taken && k < m->pattern->nonzeros; k++)
        taken[k] = taken[k] || all || m->value[k] != 0;
}

static void extend(void *argument)
{
    problem_factors *f = argument;
    pencil_extend(f->pencil, &f->memory);
}

/* Take in the nonzero entries, or `all`. */
static dae_status take_in(problem *p, bool all)
{
    take_new(&p->by_y, all, p->factors->y_taken);
    take_new(&p->by_yp, all, p->factors->yp_taken);
    return arena_protect(&p->factors->memory, extend, p->factors);
}

/* Take in what the last linearisation has shown. */
static dae_status look_again(problem *p)
{
    problem_factors *f = p->factors;
    if (!f->unlooked) return DAE_OK;
    f->unlooked = false;
    if (!any_new(&p->by_y, f->y_taken) && !any_new(&p->by_yp, f->yp_taken)) return DAE_OK;
    return take_in(p, ++f->growths > MOST_GROWTHS);
}

/* The entries seen at the start may be structurally singular where all that may occur are not. Then
 * all are taken in. */
static dae_status reserve(problem *p, size_t slots, const bool *is_complex)
{
    dae_status status = pencil_reserve(p->factors->pencil, slots, is_complex);
    if (status != DAE_SINGULAR || (!p->factors->y_taken && !p->factors->yp_taken)) return status;
    status = take_in(p, true);
    return status == DAE_OK ? pencil_reserve(p->factors->pencil, slots, is_complex) : status;
}

dae_status problem_reserve(problem *p, size_t slots, const bool *is_complex)
{
    p->real_slot = 0;
    while (p->real_slot < slots && is_complex[p->real_slot]) p->real_slot++;
    p->has_real_slot = p->real_slot < slots;
    p->real_c = 0;
    dae_status status = p->factors ? DAE_OK : create(p);
    if (status == DAE_OK) status = reserve(p, slots, is_complex);
    if (status == DAE_OK && slots > 0)
        p->linear_solver = pencil_solver(p->factors->pencil, 0)->name;
    return status;
}

size_t problem_slots(const problem *p, bool *is_complex)
{
    return p->factors ? pencil_slots(p->factors->pencil, is_complex) : 0;
}

static dae_status factor(problem *p, size_t slot, double complex alpha, double complex beta)
{
    problem_factors *f = p->factors;
    dae_status status = look_again(p);
    if (status != DAE_OK) return status;
    const linear_solver *solver = pencil_solver(f->pencil, slot);
    size_t reordered = solver->reordered;
    bool outgrown = pencil_outgrown(f->pencil, slot);
    const double *scale = problem_column_scales(p, alpha, beta, f->scale) ? f->scale : NULL;
    status = pencil_factor(f->pencil, slot, alpha, p->by_yp.value, beta, p->by_y.value, scale);
    if (status == DAE_SINGULAR) /* LINEAR_SOLVER_NOWHERE is PROBLEM_NOWHERE */
        pencil_singular(f->pencil, slot, &p->bad_row, &p->bad_column);
    if (outgrown) { /* it has another solver, perhaps where the last one was */
        p->counts.reorderings++;
        return status;
    }
    p->counts.reorderings += solver->reordered - reordered;
    p->factor_nonzeros = solver->nonzeros;
    return status;
}

dae_status problem_factor(problem *p, size_t slot, double complex alpha, double complex beta)
{
    p->counts.factorizations++;
    bool real = p->has_real_slot && slot == p->real_slot;
    if (real) p->real_c = 0;
    dae_status status = factor(p, slot, alpha, beta);
    if (status != DAE_OK) return status;
    if (real && beta == 1 && cimag(alpha) == 0) p->real_c = creal(alpha);
    problem_estimate_costs(p, slot, &p->costs);
    p->work += p->costs.factor;
    p->solve_cost[slot] = p->costs.solve;
    return DAE_OK;
}

void problem_forget(problem *p, size_t slot)
{
    pencil_forget(p->factors->pencil, slot);
}

void problem_solve(problem *p, size_t slot, void *b)
{
    p->work += p->solve_cost[slot];
    pencil_solve(p->factors->pencil, slot, b);
}

int problem_sign(const problem *p)
{
    return p->real_c != 0 && p->has_sign ? pencil_sign(p->factors->pencil, p->real_slot) : 0;
}

void problem_multiply(const problem *p, const double *v, double *r)
{
    sparse_multiply(p->by_yp.pattern, p->by_yp.value, v, r);
}

void problem_estimate_costs(const problem *p, size_t slot, problem_costs *costs)
{
    *costs = (problem_costs){0};
    if (!p->form->costs) return;
    p->form->costs(p->self, costs);
    pencil_costs(p->factors->pencil, slot, &costs->factor, &costs->solve);
    if (p->constant) costs->jacobian = 0;
}

static void taken_state(const problem_matrix *m, bool *taken, state_visit *s)
{
    if (taken) state_bytes(s, taken, m->pattern->nonzeros * sizeof *taken);
}

/* Explicit methods need no factors: there are none unless an implicit one has worked here. */
static bool factors_are_kept(problem *p, state_visit *s)
{
    bool kept = p->factors;
    STATE(s, kept);
    if (s->way != STATE_RESTORE) return kept;
    if (!kept) problem_factors_free(p);
    if (kept && !p->factors) state_fail(s, create(p));
    return kept && p->factors;
}

static void factors_state(problem *p, state_visit *s)
{
    problem_factors *f = p->factors;
    taken_state(&p->by_yp, f->yp_taken, s);
    taken_state(&p->by_y, f->y_taken, s);
    STATE(s, f->growths);
    STATE(s, f->unlooked);
    if (s->way == STATE_RESTORE) state_fail(s, arena_protect(&f->memory, extend, f));
    if (s->status == DAE_OK) pencil_state(f->pencil, s);
}

void problem_state(problem *p, state_visit *s)
{
    if (p->form->forget && s->way != STATE_COUNT) p->form->forget(p->self);
    STATE_MEMBERS(s, problem, p, real_c, author);
    STATE_MEMBERS(s, problem, p, counts, linear_solver);
    STATE(s, p->factor_nonzeros);
    state_doubles(s, (double *)p->by_yp.value, p->by_yp.pattern->nonzeros);
    state_doubles(s, (double *)p->by_y.value, p->by_y.pattern->nonzeros);
    if (factors_are_kept(p, s)) factors_state(p, s);
}
