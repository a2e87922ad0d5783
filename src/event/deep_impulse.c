#include "event/deep_impulse.h"

#include "base/arena.h"
#include "base/round_off.h"
#include "event/bent_impulse.h"
#include "linalg/linear_solver.h"

#include <math.h>
#include <string.h>

/* Jumps that differ by more than this part of the largest of their order are different. */
static const double DIFFERENT = 1e-6;

/* What has an impulse is moved by this many times its size, to see whether equations are linear. */
static const double AWAY = 1e3;

/* The most corrections of the last level, and of all levels, which leave round-off. */
enum { MOST_OF_LAST = 10, MOST_OF_ALL = 3 };

/* Arrays of `all` numbers are by b, then by columns or rows of the last level; those of b = 0 are
 * not used. */
typedef struct deep_impulse {
    const constraint_levels *l;
    const constraint_level *last;
    size_t n, count, all; /* count: of b */
    double t;
    linear_solver *solver;
    double *value;              /* nonzeros of the last level: its Jacobian */
    double *missed;             /* all: r */
    double *first, *second;     /* all: s */
    double *unit;               /* all: sizes of what s is in */
    double *right, *terms;      /* n */
    double *from, *end, *aside; /* l->size */
    size_t *place;              /* all: the entry of z; LEVEL_NOWHERE: it is an impulse */
    size_t *gives_way;          /* all: of an equation, the state to which, from 1; 0: none */
    impulse_state *given;
    size_t given_count, given_most;
    workspace space;
} deep_impulse;

static void carve(deep_impulse *p)
{
    workspace *w = &p->space;
    p->value = workspace_doubles(w, p->last->pattern->nonzeros);
    workspace_vectors(w, p->all, (double **[]){&p->missed, &p->first, &p->second, &p->unit, NULL});
    workspace_vectors(w, p->n, (double **[]){&p->right, &p->terms, NULL});
    workspace_vectors(w, p->l->size, (double **[]){&p->from, &p->end, &p->aside, NULL});
    p->place = workspace_take(w, p->all, sizeof *p->place);
    p->gives_way = workspace_take(w, p->all, sizeof *p->gives_way);
    p->given = workspace_take(w, p->given_most, sizeof *p->given);
}

/* b < l->count */
static const constraint_level *level_of(const deep_impulse *p, size_t b)
{
    return &p->l->level[p->l->count - 1 - b];
}

static dae_status create(deep_impulse *p)
{
    dae_status status = linear_solver_create(&p->solver, p->last->pattern, false);
    if (status != DAE_OK) return status;
    carve(p);
    if (workspace_allocate(&p->space) != DAE_OK) return DAE_NO_MEMORY;
    carve(p);
    for (size_t k = 0; k < p->all; k++) {
        p->place[k] = LEVEL_NOWHERE;
        p->unit[k] = p->l->nominal[p->last->column[k % p->n]];
    }
    for (size_t b = 0; b < p->l->count; b++) {
        const constraint_level *level = level_of(p, b);
        for (size_t j = 0; j < level->columns; j++)
            if (level->last_column[j] != LEVEL_NOWHERE)
                p->place[b * p->n + level->last_column[j]] = level->column[j];
    }
    return DAE_OK;
}

/* By how much z misses the equations. */
static dae_status look_at_levels(deep_impulse *p, const double *z)
{
    const constraint_levels *l = p->l;
    for (size_t b = 1; b < p->count; b++) {
        jump_balance balance;
        double *missed = p->missed + b * p->n;
        dae_status status = l->form->balance(l->self, b, p->t, z, &balance);
        if (status != DAE_OK) return status;
        memcpy(missed, balance.missed, p->n * sizeof *missed);
        if (b < l->count) {
            const constraint_level *level = level_of(p, b);
            status = l->form->value(l->self, l->count - 1 - b, p->t, z, p->right);
            if (status != DAE_OK) return status;
            for (size_t i = 0; i < level->rows; i++) missed[level->last_row[i]] = p->right[i];
        }
        for (size_t i = 0; i < p->n; i++)
            if (!isfinite(missed[i])) return DAE_NOT_EVALUABLE;
    }
    return DAE_OK;
}

/* --- the linear systems --- */

static double largest(const deep_impulse *p, const double *s)
{
    double most = 0;
    for (size_t k = p->n; k < p->all; k++) most = fmax(most, fabs(s[k]) / p->unit[k]);
    return most;
}

/* to (n) += the terms of s with larger b than b. What is round-off counts for 0 where its
 * coefficient is not known. */
static void add_others(const deep_impulse *p, size_t b, const jump_balance *of, const double *s,
                       double small, double *to)
{
    const sparse_pattern *pattern = of->pattern;
    for (size_t j = 0; j < p->n; j++) {
        for (size_t c = b + 1; c < p->count; c++) {
            size_t column = j * p->count + c;
            double jump = s[c * p->n + j];
            bool is_small = fabs(jump) <= small * p->unit[c * p->n + j];
            for (sparse_index k = pattern->start[column]; k < pattern->start[column + 1]; k++)
                if (!(isnan(of->value[k]) && is_small)) to[pattern->row[k]] += of->value[k] * jump;
        }
    }
}

/* In place of the equations that give way stand s = the jumps that are asked for. */
static void give_way(deep_impulse *p, size_t b, bool moves)
{
    const sparse_pattern *pattern = p->last->pattern;
    const size_t *to = p->gives_way + b * p->n;
    for (size_t j = 0; j < p->n; j++) {
        for (sparse_index k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            size_t state = to[pattern->row[k]];
            if (state > 0) p->value[k] = p->given[state - 1].column == j ? 1 : 0;
        }
    }
    for (size_t i = 0; i < p->n; i++)
        if (to[i] > 0) p->right[i] = moves ? p->given[to[i] - 1].moves : 0;
}

/* s with the coefficients at z. moves: states that are given jump as they are to. */
static dae_status find_jumps(deep_impulse *p, const double *z, bool moves, double *s)
{
    const constraint_levels *l = p->l;
    memset(s, 0, p->all * sizeof *s);
    for (size_t b = p->count - 1; b > 0; b--) {
        jump_balance balance;
        dae_status status = l->form->balance(l->self, b, p->t, z, &balance);
        if (status == DAE_OK) status = l->form->linearize(l->self, p->t, z);
        if (status != DAE_OK) return status;
        l->form->jacobian(l->self, l->count - 1, p->value);
        memcpy(p->right, p->missed + b * p->n, p->n * sizeof *p->right);
        add_others(p, b, &balance, s, ROUND_OFF_ITERATED * largest(p, s), p->right);
        for (size_t i = 0; i < p->n; i++) p->right[i] = -p->right[i];
        give_way(p, b, moves);
        for (size_t i = 0; i < p->n; i++)
            if (!isfinite(p->right[i])) return DAE_NOT_EVALUABLE;
        status = linear_solver_factor(p->solver, p->value);
        if (status != DAE_OK) return status;
        linear_solver_solve(p->solver, p->right);
        memcpy(s + b * p->n, p->right, p->n * sizeof *s);
    }
    return DAE_OK;
}

static void add_jumps(const deep_impulse *p, const double *s, double *z)
{
    for (size_t k = p->n; k < p->all; k++)
        if (p->place[k] != LEVEL_NOWHERE) z[p->place[k]] += s[k];
}

/* Whether two jumps are the same, those of states alone or all; *column is the one that differs
 * most. */
static bool alike(const deep_impulse *p, const double *a, const double *b, bool states,
                  size_t *column)
{
    double round_off = ROUND_OFF_ITERATED * largest(p, a), worst = 0;
    for (size_t k = p->n; k < p->all; k += p->n) {
        double size = 0;
        for (size_t j = k; j < k + p->n; j++) size = fmax(size, fabs(a[j]) / p->unit[j]);
        for (size_t j = k; j < k + p->n; j++) {
            if (states && p->place[j] == LEVEL_NOWHERE) continue;
            double off = fabs(a[j] - b[j]) / p->unit[j] / (DIFFERENT * size + round_off);
            if (off > worst) worst = off, *column = j % p->n;
            if (isnan(off)) return false;
        }
    }
    return worst <= 1;
}

/* --- equations that are not linear --- */

/* The equation that misses its balance of jumps most with the coefficients at z. */
static size_t least_balanced(deep_impulse *p, const double *z, const double *s)
{
    const constraint_levels *l = p->l;
    double most = 0;
    size_t worst = 0;
    for (size_t b = 1; b < p->count; b++) {
        jump_balance balance;
        if (l->form->balance(l->self, b, p->t, z, &balance) != DAE_OK) return worst;
        const sparse_pattern *pattern = balance.pattern;
        memcpy(p->right, p->missed + b * p->n, p->n * sizeof *p->right);
        memset(p->terms, 0, p->n * sizeof *p->terms);
        for (size_t j = 0; j < p->n; j++) {
            for (size_t c = b; c < p->count; c++) {
                size_t column = j * p->count + c;
                for (sparse_index k = pattern->start[column]; k < pattern->start[column + 1]; k++) {
                    double term = balance.value[k] * s[c * p->n + j];
                    p->right[pattern->row[k]] += term;
                    p->terms[pattern->row[k]] += fabs(term);
                }
            }
        }
        for (size_t i = 0; i < p->n; i++) {
            double off = fabs(p->right[i]) / p->terms[i];
            if (p->gives_way[b * p->n + i] == 0 && off > most) most = off, worst = i;
        }
    }
    return worst;
}

/* Meets the last level, from states that stay. */
static dae_status meet_last(deep_impulse *p, double *z)
{
    const constraint_levels *l = p->l;
    dae_status status = DAE_OK;
    for (int i = 0; i < MOST_OF_LAST && status == DAE_OK; i++) {
        double moved = 0;
        status = l->form->value(l->self, l->count - 1, p->t, z, p->right);
        if (status == DAE_OK) status = l->form->linearize(l->self, p->t, z);
        if (status != DAE_OK) break;
        l->form->jacobian(l->self, l->count - 1, p->value);
        status = linear_solver_factor(p->solver, p->value);
        if (status != DAE_OK) break;
        linear_solver_solve(p->solver, p->right);
        for (size_t j = 0; j < p->n; j++) {
            size_t at = p->last->column[j];
            z[at] -= p->right[j];
            moved = fmax(moved, fabs(p->right[j]) / fmax(fabs(z[at]), l->nominal[at]));
        }
        if (moved <= ROUND_OFF_ITERATED) break;
    }
    return status;
}

/* Moves all derivatives that have an impulse, and marks them. Those whose impulse is itself the
 * derivative of one have no direction. */
static void go_away(const deep_impulse *p, const double *s, double *z, const impulse_given *given)
{
    double none = ROUND_OFF_ITERATED * largest(p, s);
    for (size_t j = 0; j < p->n; j++) {
        size_t deepest = p->count - 1;
        while (deepest > 0 && fabs(s[deepest * p->n + j]) <= none * p->unit[deepest * p->n + j])
            deepest--;
        for (size_t b = 0; b < deepest; b++) {
            size_t at = p->place[b * p->n + j];
            double far = AWAY * (1 + 0.1 * (double)(j % 7));
            if (at == LEVEL_NOWHERE) continue;
            if (given->has) given->has[at] = true;
            if (given->strength && b + 1 == deepest) given->strength[at] = s[deepest * p->n + j];
            z[at] += far * fmax(fabs(z[at]), p->l->nominal[at]);
        }
    }
}

/* Whether p->first is the jump with the coefficients at z, too. */
static dae_status holds_at(deep_impulse *p, const double *z, bool *holds, size_t *row)
{
    size_t column = 0;
    dae_status status = find_jumps(p, z, true, p->second);
    *holds = status == DAE_OK && alike(p, p->first, p->second, false, &column);
    if (!*holds) *row = least_balanced(p, z, p->first);
    return status == DAE_NO_MEMORY || status == DAE_STOPPED ? status : DAE_OK;
}

/* Whether p->first, which leads to p->end, depends on coefficients that jump. */
static dae_status is_straight(deep_impulse *p, const impulse_given *given, bool *straight,
                              size_t *row)
{
    dae_status status = meet_last(p, p->end);
    if (status == DAE_OK) status = holds_at(p, p->end, straight, row);
    if (status != DAE_OK || !*straight) return status;
    memcpy(p->aside, p->end, p->l->size * sizeof *p->aside);
    go_away(p, p->first, p->aside, given);
    return holds_at(p, p->aside, straight, row);
}

/* --- states that are given --- */

/* The next equation after row `after` whose b-th integral can give way to a state: it holds the
 * derivative of the state, is then no constraint, and has not given way to another one. From 1; 0:
 * there is none. */
static size_t next_holder(const deep_impulse *p, const impulse_state *x, size_t after)
{
    const sparse_pattern *pattern = p->last->pattern;
    const constraint_level *level = level_of(p, x->b);
    for (sparse_index k = pattern->start[x->column]; k < pattern->start[x->column + 1]; k++) {
        size_t i = (size_t)pattern->row[k];
        bool free = i + 1 > after && p->value[k] != 0 && p->gives_way[x->b * p->n + i] == 0;
        for (size_t r = 0; r < level->rows && free; r++) free = level->last_row[r] != i;
        if (free) return i + 1;
    }
    return 0;
}

/* Takes the states that levels determine; each has its value before in p->from. Returns false if no
 * equation can give way to one of them. */
static bool take_given(deep_impulse *p, const impulse_given *given, const double *z)
{
    for (size_t g = 0; g < given->count; g++) {
        size_t k = p->n, entry = given->entry[g];
        while (k < p->all && p->place[k] != entry) k++;
        if (k == p->all) continue;
        impulse_state *x = &p->given[p->given_count++];
        *x = (impulse_state){.b = k / p->n, .column = k % p->n};
        size_t holder = next_holder(p, x, 0);
        if (holder == 0) return false;
        x->holder = holder - 1;
        x->moves = z[entry] - given->before[g];
        p->gives_way[x->b * p->n + x->holder] = p->given_count;
        p->from[entry] = given->before[g];
    }
    return true;
}

/* Whether it does not matter which of several equations gives way to a state. */
static dae_status is_told(deep_impulse *p, bool *told)
{
    dae_status status = DAE_OK;
    size_t column;
    *told = true;
    for (size_t g = 0; g < p->given_count && *told; g++) {
        impulse_state *x = &p->given[g];
        size_t *to = p->gives_way + x->b * p->n, other = 0;
        while (status == DAE_OK && *told) {
            p->l->form->jacobian(p->l->self, p->l->count - 1, p->value);
            other = next_holder(p, x, other);
            if (other == 0) break;
            to[x->holder] = 0, to[other - 1] = g + 1;
            status = find_jumps(p, p->from, true, p->second);
            to[other - 1] = 0, to[x->holder] = g + 1;
            *told = status != DAE_OK || alike(p, p->first, p->second, true, &column);
            if (status == DAE_SINGULAR) status = DAE_OK; /* that one cannot give way */
        }
    }
    return status;
}

static dae_status begin(deep_impulse *p, const impulse_given *given, const double *z, bool *taken)
{
    memcpy(p->from, z, p->l->size * sizeof *z);
    dae_status status = p->l->form->linearize(p->l->self, p->t, z);
    if (status != DAE_OK) return status;
    p->l->form->jacobian(p->l->self, p->l->count - 1, p->value);
    *taken = take_given(p, given, z);
    return DAE_OK;
}

/* Meets all levels to round-off: what is left is a jump like that before. */
static dae_status finish(deep_impulse *p, double *z)
{
    dae_status status = DAE_OK;
    for (int i = 0; i < MOST_OF_ALL && status == DAE_OK; i++) {
        status = look_at_levels(p, z);
        if (status == DAE_OK) status = find_jumps(p, z, false, p->second);
        if (status != DAE_OK) break;
        add_jumps(p, p->second, z);
        if (largest(p, p->second) <= ROUND_OFF_SOLVED * largest(p, p->first)) break;
    }
    return status;
}

/* The jump where it does not depend on coefficients that jump, into p->end. */
static dae_status find_straight(deep_impulse *p, const impulse_given *given, impulse_fault *fault,
                                size_t *row)
{
    bool holds;
    *fault = IMPULSE_DEEP;
    dae_status status = look_at_levels(p, p->from);
    if (status != DAE_OK) return status;
    *fault = IMPULSE_SINGULAR;
    status = find_jumps(p, p->from, true, p->first);
    if (status != DAE_OK) return status;
    *fault = IMPULSE_SHARED;
    status = is_told(p, &holds);
    if (status != DAE_OK || !holds) return status;
    *fault = IMPULSE_BENT;
    memcpy(p->end, p->from, p->l->size * sizeof *p->end);
    add_jumps(p, p->first, p->end);
    status = is_straight(p, given, &holds, row);
    if (status == DAE_OK && holds) *fault = IMPULSE_FOUND;
    return status;
}

/* The jump along constraints that are not linear, into p->end. */
static dae_status find_bent(deep_impulse *p, const impulse_given *given, impulse_fault *fault)
{
    impulse_fault bent;
    if (p->count != p->l->count || *fault == IMPULSE_SHARED) return DAE_OK;
    if (given->has) memset(given->has, 0, p->l->size * sizeof *given->has);
    if (given->strength) memset(given->strength, 0, p->l->size * sizeof *given->strength);
    memcpy(p->end, p->from, p->l->size * sizeof *p->end);
    dae_status status = bent_impulse_apply(p->l, p->t, given, p->given_count, p->given, p->end,
                                           &bent);
    if (bent != IMPULSE_BENT) *fault = bent;
    if (status != DAE_OK || bent != IMPULSE_FOUND) return status;
    for (size_t g = 0; g < p->given_count; g++) {
        const impulse_state *x = &p->given[g];
        size_t entry = p->place[x->b * p->n + x->column];
        p->end[entry] = p->from[entry] + x->moves;
    }
    memset(p->first, 0, p->all * sizeof *p->first);
    for (size_t k = p->n; k < p->all; k++)
        if (p->place[k] != LEVEL_NOWHERE) p->first[k] = p->end[p->place[k]] - p->from[p->place[k]];
    status = look_at_levels(p, p->end);
    if (status == DAE_OK) status = find_jumps(p, p->end, false, p->second);
    if (status == DAE_OK && !(largest(p, p->second) <= DIFFERENT * largest(p, p->first)))
        *fault = IMPULSE_BENT; /* the levels are not met there */
    return status;
}

static dae_status apply(deep_impulse *p, const impulse_given *given, double *z,
                        impulse_fault *fault, size_t *row)
{
    bool taken;
    *fault = IMPULSE_SINGULAR;
    dae_status status = begin(p, given, z, &taken);
    if (status != DAE_OK) return status;
    *fault = p->given_count > 0 ? IMPULSE_GIVEN : IMPULSE_SINGULAR;
    if (!taken) return DAE_OK;
    status = find_straight(p, given, fault, row);
    if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    if (*fault != IMPULSE_FOUND) status = find_bent(p, given, fault);
    if (status == DAE_OK && *fault == IMPULSE_FOUND) status = finish(p, p->end);
    if (status == DAE_OK && *fault == IMPULSE_FOUND) memcpy(z, p->end, p->l->size * sizeof *z);
    return status;
}

dae_status deep_impulse_apply(const constraint_levels *levels, double t, const impulse_given *given,
                              double *z, impulse_fault *fault, size_t *row)
{
    const constraint_level *last = &levels->level[levels->count - 1];
    *fault = IMPULSE_DEEP;
    if (levels->count < 2 || !levels->form->balance || !levels->level[0].last_row) return DAE_OK;
    jump_balance balance;
    dae_status status = levels->form->balance(levels->self, 1, t, z, &balance);
    if (status != DAE_OK) return status;
    deep_impulse p = {.l = levels, .last = last, .n = last->rows, .count = balance.count, .t = t};
    p.all = p.n * p.count;
    p.given_most = given->count;
    status = create(&p);
    if (status == DAE_OK) status = apply(&p, given, z, fault, row);
    linear_solver_free(p.solver);
    workspace_free(&p.space);
    return impulse_end(status, fault);
}
