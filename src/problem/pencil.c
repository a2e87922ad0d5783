#include "problem/pencil.h"

#include "problem/pair_rows.h"

#include <stdlib.h>
#include <string.h>

/* The entries of a matrix that occur: their places in the matrix and in the sum. */
typedef struct pencil_part {
    size_t first, count; /* among those of both matrices */
    const uint32_t *from, *where;
} pencil_part;

/* How the sum is made of the two matrices, and how it is reduced. */
typedef struct pencil_sum {
    pencil_part b, a;
    const sparse_pattern *pattern;
    pair_rows *pairs;
} pencil_sum;

typedef struct pencil_slot {
    const pencil_sum *sum; /* NULL: the slot has to be made */
    linear_solver *solver; /* of the reduced matrix, or of the sum */
    bool is_complex, reduces;
    bool factored, scaled; /* the last factorisation succeeded; its columns were scaled */
    size_t bad_row;        /* a pair row that is singular; LINEAR_SOLVER_NOWHERE: none */
    void *value, *reduced; /* nonzeros of the sum and of the reduced matrix, + 1 each: double, or
                              double complex */
    double *scale;         /* of the columns of the reduced matrix */
    pair_factors pairs;
    workspace space;
} pencil_slot;

struct pencil {
    pencil_matrix b, a;
    const pencil_sum *sum;
    size_t slots;
    pencil_slot *slot;
};

/* Append a matrix's entries. */
static pencil_part list_entries(sparse_entries *e, const pencil_matrix *m)
{
    const sparse_pattern *p = m->pattern;
    size_t first = e->count;
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            if (!m->occurs || m->occurs[k])
                sparse_entries_add_from(e, (size_t)p->row[k], j, (size_t)k);
    return (pencil_part){.first = first, .count = e->count - first};
}

/* The places of entries whose pattern is built. */
static void place(pencil_part *part, const sparse_entries *e)
{
    part->from = e->from + part->first;
    part->where = e->where + part->first;
}

void pencil_extend(pencil *p, arena *a)
{
    pencil_sum *sum = arena_take(a, sizeof *sum);
    size_t n = p->b.pattern->columns;
    sparse_entries e = sparse_entries_take(a, p->b.pattern->nonzeros + p->a.pattern->nonzeros);
    sum->b = list_entries(&e, &p->b);
    sum->a = list_entries(&e, &p->a);
    sum->pattern = sparse_entries_build(a, &e, n, n);
    place(&sum->b, &e);
    place(&sum->a, &e);
    sum->pairs = pair_rows_find(a, sum->pattern);
    p->sum = sum;
}

pencil *pencil_create(arena *a, pencil_matrix b, pencil_matrix at)
{
    pencil *p = arena_take(a, sizeof *p);
    p->b = b;
    p->a = at;
    pencil_extend(p, a);
    return p;
}

static void free_slot(pencil_slot *s)
{
    linear_solver_free(s->solver);
    workspace_free(&s->space);
    *s = (pencil_slot){.is_complex = s->is_complex, .bad_row = LINEAR_SOLVER_NOWHERE};
}

void pencil_free(pencil *p)
{
    if (!p || !p->slot) return;
    for (size_t i = 0; i < p->slots; i++) free_slot(&p->slot[i]);
    free(p->slot);
    p->slot = NULL;
    p->slots = 0;
}

static void carve(pencil_slot *s, const pencil_sum *sum)
{
    size_t number = s->is_complex ? sizeof(double complex) : sizeof(double);
    s->value = workspace_take(&s->space, sum->pattern->nonzeros, number);
    s->scale = workspace_doubles(&s->space, sum->pattern->columns);
    if (!s->reduces) return;
    s->reduced = workspace_take(&s->space, sum->pairs->reduced->nonzeros + 1, number);
    pair_factors_carve(&s->pairs, &s->space);
}

/* The cost of reducing, in the nanoseconds of linear_solver.h (measured): for each entry of a
 * matrix, and for each pair, in the matrix and in a right side. The choice assumes this many
 * solutions. */
static const double MERGING = 2.5, PAIR = 10, SOLUTIONS = 3;

static double cost_of(const linear_solver *solver)
{
    return linear_solver_factor_cost(solver) + SOLUTIONS * linear_solver_solve_cost(solver);
}

static bool reducing_pays(const pencil_sum *sum, const linear_solver *whole,
                          const linear_solver *reduced)
{
    double pairs = (double)sum->pairs->count, entries = (double)sum->pattern->nonzeros;
    return cost_of(reduced) + MERGING * entries + (1 + SOLUTIONS) * PAIR * pairs < cost_of(whole);
}

/* Make a solver for the first slot: of the sum or of the reduced matrix, whichever costs less. */
static dae_status choose_solver(pencil_slot *s, const pencil_sum *sum)
{
    linear_solver *reduced = NULL;
    dae_status status = linear_solver_create(&s->solver, sum->pattern, s->is_complex);
    if (status != DAE_OK || sum->pairs->count == 0) return status;
    status = linear_solver_create(&reduced, sum->pairs->reduced, s->is_complex);
    if (status != DAE_OK) return status;
    s->reduces = reducing_pays(sum, s->solver, reduced);
    linear_solver_free(s->reduces ? s->solver : reduced);
    if (s->reduces) s->solver = reduced;
    return DAE_OK;
}

/* Another slot for the same sum, whose choices a new slot takes over. */
static const pencil_slot *alike(const pencil *p)
{
    for (size_t i = 0; i < p->slots; i++)
        if (p->slot[i].sum == p->sum) return &p->slot[i];
    return NULL;
}

static dae_status make_slot(pencil *p, pencil_slot *s)
{
    free_slot(s);
    const pencil_slot *other = alike(p);
    if (other) s->reduces = other->reduces;
    dae_status status = other ? linear_solver_create_like(&s->solver, other->solver, s->is_complex)
                              : choose_solver(s, p->sum);
    if (status != DAE_OK) return status;
    s->pairs = (pair_factors){.rows = p->sum->pairs, .is_complex = s->is_complex};
    carve(s, p->sum);
    status = workspace_allocate(&s->space);
    if (status != DAE_OK) return status;
    carve(s, p->sum);
    s->sum = p->sum;
    return DAE_OK;
}

/* Whether the present slots can stay because they have the kinds that are asked for. */
static bool slots_fit(const pencil *p, size_t slots, const bool *is_complex)
{
    for (size_t i = 0; i < p->slots; i++)
        if (!p->slot[i].solver || (i < slots && p->slot[i].is_complex != is_complex[i]))
            return false;
    return true;
}

dae_status pencil_reserve(pencil *p, size_t slots, const bool *is_complex)
{
    dae_status status = DAE_OK;
    if (!slots_fit(p, slots, is_complex)) pencil_free(p);
    if (p->slot && slots <= p->slots) return DAE_OK;
    pencil_slot *grown = realloc(p->slot, (slots + 1) * sizeof *grown);
    if (!grown) return DAE_NO_MEMORY;
    p->slot = grown;
    for (; p->slots < slots && status == DAE_OK; p->slots++) {
        p->slot[p->slots] = (pencil_slot){.is_complex = is_complex[p->slots]};
        status = make_slot(p, &p->slot[p->slots]);
    }
    return status;
}

size_t pencil_slots(const pencil *p, bool *is_complex)
{
    for (size_t i = 0; i < p->slots; i++) is_complex[i] = p->slot[i].is_complex;
    return p->slots;
}

static void add(const pencil_slot *s, double complex factor, const pencil_part *part,
                const double *value)
{
    double real = creal(factor), imaginary = cimag(factor), *sum = s->value;
    for (size_t k = 0; s->is_complex && k < part->count; k++) {
        sum[2 * part->where[k]] += real * value[part->from[k]];
        sum[2 * part->where[k] + 1] += imaginary * value[part->from[k]];
    }
    for (size_t k = 0; !s->is_complex && k < part->count; k++)
        sum[part->where[k]] += real * value[part->from[k]];
}

/* A column of the reduced matrix counts in the units of its root. */
static void scale_columns(pencil_slot *s, void *matrix, const double *scale)
{
    size_t columns = s->reduces ? s->pairs.rows->reduced->columns : s->sum->pattern->columns;
    for (size_t j = 0; scale && j < columns; j++)
        s->scale[j] = scale[s->reduces ? s->pairs.root[j] : j];
    linear_solver_scale_columns(s->solver, matrix, scale ? s->scale : NULL);
}

dae_status pencil_factor(pencil *p, size_t slot, double complex alpha, const double *b,
                         double complex beta, const double *at, const double *scale)
{
    pencil_slot *s = &p->slot[slot];
    dae_status status = s->sum == p->sum ? DAE_OK : make_slot(p, s);
    if (status != DAE_OK) return status;
    size_t number = s->is_complex ? sizeof(double complex) : sizeof(double);
    memset(s->value, 0, s->sum->pattern->nonzeros * number);
    add(s, alpha, &s->sum->b, b);
    add(s, beta, &s->sum->a, at);
    s->bad_row = LINEAR_SOLVER_NOWHERE;
    s->factored = false;
    if (s->reduces) {
        size_t bad = pair_factors_reduce(&s->pairs, s->value, scale, s->reduced);
        if (bad < s->sum->pattern->rows) s->bad_row = bad;
        if (bad < s->sum->pattern->rows) return DAE_SINGULAR;
    }
    void *matrix = s->reduces ? s->reduced : s->value;
    s->scaled = scale != NULL;
    scale_columns(s, matrix, scale);
    status = linear_solver_factor(s->solver, matrix);
    s->factored = status == DAE_OK;
    return status;
}

void pencil_forget(pencil *p, size_t slot)
{
    if (p->slot[slot].solver) linear_solver_forget(p->slot[slot].solver);
}

void pencil_singular(const pencil *p, size_t slot, size_t *row, size_t *column)
{
    const pencil_slot *s = &p->slot[slot];
    *row = s->bad_row;
    *column = LINEAR_SOLVER_NOWHERE;
    if (s->bad_row != LINEAR_SOLVER_NOWHERE) return;
    *row = s->solver->singular_row;
    *column = s->solver->singular_column;
    if (!s->reduces) return;
    if (*row != LINEAR_SOLVER_NOWHERE) *row = s->pairs.rows->kept[*row];
    if (*column != LINEAR_SOLVER_NOWHERE) *column = s->pairs.root[*column];
}

int pencil_sign(const pencil *p, size_t slot)
{
    const pencil_slot *s = &p->slot[slot];
    int sign = linear_solver_sign(s->solver);
    return s->reduces ? pair_factors_sign(&s->pairs, sign) : sign;
}

void pencil_solve(pencil *p, size_t slot, void *x)
{
    pencil_slot *s = &p->slot[slot];
    if (!s->reduces) {
        linear_solver_solve(s->solver, x);
        return;
    }
    pair_factors_take(&s->pairs, x);
    linear_solver_solve(s->solver, s->pairs.right);
    pair_factors_give(&s->pairs, x);
}

bool pencil_outgrown(const pencil *p, size_t slot)
{
    return slot < p->slots && p->slot[slot].sum != p->sum;
}

const linear_solver *pencil_solver(const pencil *p, size_t slot)
{
    return slot < p->slots ? p->slot[slot].solver : NULL;
}

void pencil_costs(const pencil *p, size_t slot, double *factor, double *solve)
{
    const pencil_slot *s = &p->slot[slot];
    double pairs = (double)s->pairs.rows->count, entries = (double)s->sum->pattern->nonzeros;
    *factor = linear_solver_factor_cost(s->solver) + entries;
    *solve = linear_solver_many_solves_cost(s->solver);
    if (!s->reduces) return;
    *factor += MERGING * entries + PAIR * pairs;
    *solve += PAIR * pairs;
}

static dae_status factor_alone(const pencil_slot *s)
{
    linear_solver_forget(s->solver);
    return linear_solver_factor(s->solver, s->reduces ? s->reduced : s->value);
}

/* The slots become as many as were saved, of their kinds: slots of earlier engines stay. */
static void slots_state(pencil *p, state_visit *s)
{
    size_t count = p->slots;
    STATE(s, count);
    if (s->way == STATE_RESTORE) {
        pencil_free(p);
        p->slot = calloc(count + 1, sizeof *p->slot);
        if (!p->slot) state_fail(s, DAE_NO_MEMORY);
        p->slots = p->slot ? count : 0;
    }
    for (size_t i = 0; i < p->slots; i++) STATE(s, p->slot[i].is_complex);
}

static void slot_state(pencil *p, pencil_slot *slot, state_visit *s)
{
    dae_status status = slot->sum == p->sum ? DAE_OK : make_slot(p, slot);
    state_fail(s, status);
    if (status != DAE_OK) return;
    STATE(s, slot->factored);
    STATE(s, slot->scaled);
    if (s->way == STATE_RESTORE) {
        slot->solver->column_scale = slot->scaled ? slot->scale : NULL;
        slot->pairs.value = slot->value;
    }
    state_bytes(s, slot->space.base, slot->space.size);
    if (slot->factored && s->way != STATE_COUNT) state_fail(s, factor_alone(slot));
}

void pencil_state(pencil *p, state_visit *s)
{
    slots_state(p, s);
    for (size_t i = 0; i < p->slots && s->status == DAE_OK; i++) slot_state(p, &p->slot[i], s);
}
