#include "event/bent_impulse.h"

#include "base/arena.h"
#include "base/round_off.h"
#include "base/scatter.h"
#include "event/impulse_way.h"
#include "linalg/linear_solver.h"

#include <math.h>
#include <string.h>

/* A motion is found where twice as many parts change it by no more than EXACT of its jump. Motions
 * that lead further apart than ALIKE are different; so are Jacobians. */
static const double EXACT = 1e-8, ALIKE = 1e-6;
enum { FEWEST_PARTS = 16, MOST_PARTS = 1024 };

/* The most equations: their effects on each other are a full matrix. */
enum { LARGEST = 200 };

/* Ways on which constraints are met, and the most terms of their polynomials. */
enum { WAYS = 3, TERMS = 40 };

typedef struct bent_impulse {
    const constraint_levels *l;
    const constraint_level *last;
    const fast_equations *f;
    double t;
    size_t n, size, depth, all; /* all: coefficients, 2 depth size */
    linear_solver *solver;
    unsigned *forced;    /* n: c_i of rows that are missed, less what begins to be missed */
    unsigned *order;     /* n: c_i */
    unsigned *in_middle; /* n: scratch */
    double *miss;        /* n x levels: r_i,k, k <= c_i */
    double *way;         /* n x TERMS: 1 - h_i */
    size_t *drives;      /* n: the column that a row drives, from 1; 0: none */
    double *drive;       /* n x levels: its jump as the b-th integral */
    bool driven;
    bool *moves;           /* n x n */
    double *value, *other; /* nonzeros of the last level */
    double *right;         /* n */
    double *from, *z;      /* size */
    impulse_way motion;    /* of the coefficients */
    double *most;          /* 2 depth: the largest coefficient of each power on the way */
    double largest;        /* highest derivative on the way, in nominal sizes */
    double *found, *kept;  /* size: where the first way has led to; the state before */
    workspace space, more; /* more: what depends on the depth */
} bent_impulse;

static void carve(bent_impulse *p)
{
    workspace *w = &p->space;
    size_t nonzeros = p->last->pattern->nonzeros;
    p->forced = workspace_take(w, p->n, sizeof *p->forced);
    p->order = workspace_take(w, p->n, sizeof *p->order);
    p->in_middle = workspace_take(w, p->n, sizeof *p->in_middle);
    p->moves = workspace_take(w, p->n * p->n, sizeof *p->moves);
    p->miss = workspace_doubles(w, p->n * p->l->count);
    p->way = workspace_doubles(w, p->n * TERMS);
    p->drives = workspace_take(w, p->n, sizeof *p->drives);
    p->drive = workspace_doubles(w, p->n * p->l->count);
    workspace_vectors(w, nonzeros, (double **[]){&p->value, &p->other, NULL});
    workspace_vectors(w, p->n, (double **[]){&p->right, NULL});
    workspace_vectors(w, p->size, (double **[]){&p->from, &p->z, &p->found, &p->kept, NULL});
}

static void carve_more(bent_impulse *p)
{
    impulse_way_carve(&p->motion, &p->more);
    p->most = workspace_doubles(&p->more, 2 * p->depth);
}

/* --- what is missed, and what that moves --- */

static dae_status find_missed(bent_impulse *p)
{
    const constraint_levels *l = p->l;
    memset(p->miss, 0, p->n * l->count * sizeof *p->miss);
    for (size_t b = l->count; b-- > 0;) {
        const constraint_level *level = &l->level[l->count - 1 - b];
        dae_status status = l->form->value(l->self, l->count - 1 - b, p->t, p->from, p->right);
        if (status != DAE_OK) return status;
        for (size_t r = 0; r < level->rows; r++) {
            size_t i = level->last_row[r];
            if (p->order[i] == 0) p->order[i] = (unsigned)b; /* 0: is not differentiated */
            p->miss[i * l->count + p->order[i] - b] = p->right[r];
            if (p->right[r] != 0 && p->forced[i] == 0) p->forced[i] = (unsigned)b;
        }
    }
    return DAE_OK;
}

/* The same in the middle of a way. *known: no other rows are missed, nor by deeper levels. */
static dae_status find_missed_there(bent_impulse *p, bool *known)
{
    size_t levels = p->l->count;
    unsigned *forced = p->in_middle;
    double most = 0;
    memcpy(forced, p->forced, p->n * sizeof *forced);
    dae_status status = find_missed(p);
    memcpy(p->forced, forced, p->n * sizeof *forced);
    for (size_t k = 0; k < p->n * levels; k++) most = fmax(most, fabs(p->miss[k]));
    for (size_t i = 0; i < p->n; i++) {
        for (unsigned k = 0; k < p->order[i]; k++) {
            if (p->forced[i] > 0 && p->order[i] - k <= p->forced[i]) continue;
            *known = *known && fabs(p->miss[i * levels + k]) <= ALIKE * most;
            p->miss[i * levels + k] = 0;
        }
    }
    return status;
}

/* --- states that are given --- */

/* Returns false if rows cannot give way to all of them. */
static bool take_driven(bent_impulse *p, size_t count, const impulse_state *state)
{
    for (size_t k = 0; k < count; k++) {
        size_t i = state[k].holder, column = state[k].column + 1;
        bool free = p->drives[i] == 0 ? p->order[i] == 0 : p->drives[i] == column;
        if (!free) return false;
        p->drives[i] = column;
        p->drive[i * p->l->count + state[k].b] = state[k].moves;
        p->driven = true;
    }
    for (size_t i = 0; i < p->n; i++)
        for (unsigned b = 1; b < p->l->count; b++)
            if (p->drives[i] > 0 && p->drive[i * p->l->count + b] != 0)
                p->order[i] = p->forced[i] = b;
    return true;
}

/* Whether no row is needed for a faster motion of what it drives: where a velocity is given whose
 * position jumps, that follows from the row. */
static bool drives_fully(const bent_impulse *p)
{
    for (size_t i = 0; i < p->n; i++) {
        size_t column = p->drives[i];
        if (column && p->f->weight[p->f->first[column] - 1] > p->order[i]) return false;
    }
    return true;
}

/* In place of the rows that give way stand x_j^(d_j). */
static void give_way(const bent_impulse *p)
{
    const sparse_pattern *pattern = p->last->pattern;
    for (size_t j = 0; j < p->n && p->driven; j++)
        for (sparse_index k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            if (p->drives[pattern->row[k]]) p->value[k] = p->drives[pattern->row[k]] == j + 1;
}

/* Which rows have an effect on which columns, whatever the values of the Jacobian are. */
static dae_status find_effects(bent_impulse *p)
{
    for (size_t k = 0; k < p->last->pattern->nonzeros; k++) p->value[k] = 1.5 + scattered(k);
    give_way(p);
    dae_status status = linear_solver_factor(p->solver, p->value);
    for (size_t i = 0; i < p->n && status == DAE_OK; i++) {
        double most = 0;
        memset(p->right, 0, p->n * sizeof *p->right);
        p->right[i] = 1;
        linear_solver_solve(p->solver, p->right);
        for (size_t j = 0; j < p->n; j++) most = fmax(most, fabs(p->right[j]));
        for (size_t j = 0; j < p->n; j++)
            p->moves[i * p->n + j] = fabs(p->right[j]) > ROUND_OFF_AMPLIFIED * most;
    }
    return status;
}

/* --- ways --- */

static double over(unsigned n, unsigned k)
{
    double value = 1;
    for (unsigned i = 0; i < k; i++) value *= (double)(n - i) / (i + 1);
    return value;
}

/* 1 - h with h' proportional to s^a (1 - s)^b: h and c derivatives are smooth at both ends. On each
 * way the rows have others. */
static void choose_way(bent_impulse *p, unsigned number)
{
    for (size_t i = 0; i < p->n; i++) {
        double *term = p->way + i * TERMS, whole = 0;
        unsigned a = p->order[i] + 1, b = a;
        if (number > 0) a += (number + i) % 3, b += (2 * number + 1 + i) % 3;
        memset(term, 0, TERMS * sizeof *term);
        for (unsigned m = 0; m <= b; m++) {
            term[a + m + 1] = (m % 2 ? 1 : -1) * over(b, m) / (a + m + 1);
            whole -= term[a + m + 1];
        }
        for (unsigned m = 0; m < TERMS; m++) term[m] /= whole;
        term[0] = 1;
    }
}

/* The c-th derivative of s^k (1 - h_i). */
static double way_of(const bent_impulse *p, size_t i, unsigned c, unsigned k, double s)
{
    double sum = 0, power = 1;
    for (unsigned m = c > k ? c - k : 0; m < TERMS; m++, power *= s) {
        double times = 1;
        for (unsigned d = 0; d < c; d++) times *= m + k - d;
        sum += p->way[i * TERMS + m] * times * power;
    }
    return sum;
}

/* The coefficient of eps^(k - c_i) of the c_i-th derivative of rho_i (1 - h_i). */
static double force_of(const bent_impulse *p, size_t i, unsigned k, double s)
{
    double missed = p->miss[i * p->l->count + k];
    if (missed == 0) return 0;
    for (unsigned d = 2; d <= k; d++) missed /= d;
    return missed * way_of(p, i, p->order[i], k, s);
}

/* The coefficient of eps^(q - depth) of the highest derivative that row i drives. */
static double drive_of(const bent_impulse *p, size_t i, size_t q, double s)
{
    size_t b = q < p->depth ? p->depth - q : 0;
    double moves = b > 0 && b < p->l->count ? p->drive[i * p->l->count + b] : 0;
    return moves == 0 ? 0 : -moves * way_of(p, i, (unsigned)b, 0, s);
}

/* --- the motion --- */

static dae_status factor(bent_impulse *p, const double *coefficient)
{
    const constraint_levels *l = p->l;
    for (size_t e = 0; e < p->size; e++)
        p->z[e] = p->f->weight[e] == 0 ? coefficient[p->depth * p->size + e] : p->from[e];
    for (size_t j = 0; j < p->n; j++)
        p->z[p->f->first[j + 1] - 1] = p->from[p->f->first[j + 1] - 1];
    dae_status status = l->form->linearize(l->self, p->t, p->z);
    if (status != DAE_OK) return status;
    l->form->jacobian(l->self, l->count - 1, p->value);
    give_way(p);
    return linear_solver_factor(p->solver, p->value);
}

/* Corrects the highest derivatives at eps^(q - depth). *by: the largest correction, in nominal
 * sizes. */
static dae_status correct_highest(bent_impulse *p, size_t q, double s, double *coefficient,
                                  double *by)
{
    p->l->form->fast_rows(p->l->self, q, p->t, s, p->z, coefficient, p->right);
    for (size_t i = 0; i < p->n; i++) {
        bool forced = p->order[i] + q >= p->depth;
        double force = forced ? force_of(p, i, (unsigned)(p->order[i] + q - p->depth), s) : 0;
        p->right[i] = q == p->depth && !p->f->tells[i] ? 0 : force - p->right[i];
        if (p->drives[i])
            p->right[i] = drive_of(p, i, q, s) -
                          coefficient[q * p->size + p->f->first[p->drives[i]] - 1];
        if (!isfinite(p->right[i])) return DAE_NOT_EVALUABLE;
    }
    linear_solver_solve(p->solver, p->right);
    for (size_t j = 0; j < p->n; j++) {
        size_t e = p->f->first[j + 1] - 1;
        double *value = &coefficient[q * p->size + e];
        *value += p->right[j];
        *by = fmax(*by, fabs(p->right[j]) / p->l->nominal[e]);
        p->largest = fmax(p->largest, fabs(*value) / p->l->nominal[e]);
    }
    return DAE_OK;
}

/* The highest derivatives at s, power by power. A row that is a product of two impulses needs those
 * of higher powers: further passes take them in. */
static dae_status solve_highest(bent_impulse *p, double s, double *coefficient)
{
    enum { MOST_PASSES = 8 };
    dae_status status = factor(p, coefficient);
    for (size_t q = 0; q < 2 * p->depth; q++)
        for (size_t j = 0; j < p->n; j++) coefficient[q * p->size + p->f->first[j + 1] - 1] = 0;
    for (int pass = 0; pass < MOST_PASSES && status == DAE_OK; pass++) {
        double by = 0;
        for (size_t q = 0; q <= p->depth && status == DAE_OK; q++)
            status = correct_highest(p, q, s, coefficient, &by);
        if (status == DAE_OK && by <= ROUND_OFF_ITERATED * p->largest) return DAE_OK;
    }
    return status == DAE_OK ? DAE_NEWTON : status;
}

/* The derivatives by s: d x^(k) / dt has one power of eps less. The highest ones serve for this
 * alone. */
static dae_status find_slope(void *self, double s, double *coefficient, double *slope)
{
    bent_impulse *p = self;
    dae_status status = solve_highest(p, s, coefficient);
    memset(slope, 0, p->all * sizeof *slope);
    for (size_t q = 0; q < 2 * p->depth; q++) {
        for (size_t j = 0; j < p->n; j++) {
            for (size_t e = p->f->first[j]; q > 0 && e + 1 < p->f->first[j + 1]; e++)
                slope[q * p->size + e] = coefficient[(q - 1) * p->size + e + 1];
        }
        for (size_t e = 0; e < p->size; e++)
            p->most[q] = fmax(p->most[q], fabs(coefficient[q * p->size + e]) / p->l->nominal[e]);
    }
    for (size_t q = 0; q < 2 * p->depth; q++) {
        for (size_t j = 0; j < p->n; j++) {
            size_t e = q * p->size + p->f->first[j + 1] - 1;
            coefficient[e] = p->motion.begin[e];
        }
    }
    return status;
}

/* Whether nothing is left of the powers below 0. */
static bool has_ended(const bent_impulse *p)
{
    for (size_t q = 0; q < p->depth; q++)
        for (size_t e = 0; e < p->size; e++)
            if (fabs(p->motion.end[q * p->size + e]) > ALIKE * p->most[q] * p->l->nominal[e])
                return false;
    return true;
}

/* With the state before, which is at eps^0. */
static dae_status find_motion(bent_impulse *p, bool *found)
{
    impulse_way *w = &p->motion;
    p->largest = 0;
    memset(p->most, 0, 2 * p->depth * sizeof *p->most);
    memset(w->begin, 0, p->all * sizeof *w->begin);
    memcpy(w->begin + w->at, p->from, p->size * sizeof *w->begin);
    dae_status status = impulse_way_follow(w, found);
    for (size_t k = 0; k < p->all && *found; k++) w->end[k] += (w->end[k] - w->coarse[k]) / 15;
    return status;
}

/* --- what jumps within the equations themselves --- */

/* Whether the Jacobian is that of the modes before the event: otherwise it jumps with them, and the
 * equations do not say how. */
static dae_status keeps_jacobian(bent_impulse *p, const impulse_given *given,
                                 const double *coefficient, bool *keeps)
{
    const constraint_levels *l = p->l;
    dae_status status = factor(p, coefficient);
    if (status != DAE_OK) return status;
    memcpy(p->other, p->value, p->last->pattern->nonzeros * sizeof *p->other);
    given->exchange(given->self);
    status = l->form->linearize(l->self, p->t, p->z);
    l->form->jacobian(l->self, l->count - 1, p->value);
    give_way(p);
    given->exchange(given->self);
    memset(p->right, 0, p->n * sizeof *p->right);
    const sparse_pattern *pattern = p->last->pattern;
    for (size_t k = 0; k < pattern->nonzeros; k++)
        p->right[pattern->row[k]] = fmax(p->right[pattern->row[k]], fabs(p->other[k]));
    for (size_t k = 0; k < pattern->nonzeros; k++)
        *keeps = *keeps && fabs(p->value[k] - p->other[k]) <= ALIKE * p->right[pattern->row[k]];
    return status;
}

/* Coefficients that jump may do so anywhere on the way. With those before, the constraints move by
 * this part of what they miss; from there on the present ones count. *same: that leads where the
 * first way has led. */
static dae_status switch_after(bent_impulse *p, const impulse_given *given, double part, bool *same)
{
    const impulse_way *w = &p->motion;
    size_t levels = p->l->count, bytes = p->size * sizeof *p->from;
    for (size_t i = 0; i < p->n; i++) {
        double *miss = p->miss + i * levels, moved = miss[p->order[i] - p->forced[i]];
        memset(miss, 0, levels * sizeof *miss);
        miss[p->order[i] - p->forced[i]] = p->forced[i] ? part * moved : 0;
    }
    given->exchange(given->self);
    dae_status status = find_motion(p, same);
    given->exchange(given->self);
    *same = *same && has_ended(p);
    if (status != DAE_OK || !*same) return status;
    memcpy(p->from, w->end + w->at, bytes);
    status = find_missed_there(p, same);
    if (status == DAE_OK && *same) status = find_motion(p, same);
    *same = *same && has_ended(p);
    memcpy(p->from, p->kept, bytes);
    *same = *same && impulse_way_alike(w, p->found, w->end + w->at, ALIKE);
    return status;
}

static dae_status switch_on_ways(bent_impulse *p, const impulse_given *given, bool *same)
{
    static const double PART[] = {0.5, -0.25, 1.5};
    dae_status status = DAE_OK;
    memcpy(p->kept, p->from, p->size * sizeof *p->from);
    for (unsigned k = 0; k < sizeof PART / sizeof *PART && status == DAE_OK && *same; k++) {
        choose_way(p, k);
        status = switch_after(p, given, PART[k], same);
        memcpy(p->from, p->kept, p->size * sizeof *p->from);
        if (status == DAE_OK) status = find_missed(p);
    }
    *same = *same && status == DAE_OK;
    return status == DAE_NO_MEMORY || status == DAE_STOPPED ? status : DAE_OK;
}

/* --- all of it --- */

static dae_status go_ways(bent_impulse *p, const impulse_given *given, impulse_fault *fault)
{
    bool found = true;
    const impulse_way *w = &p->motion;
    for (unsigned way = 0; way < WAYS; way++) {
        choose_way(p, way);
        *fault = IMPULSE_BENT;
        dae_status status = find_motion(p, &found);
        if (status != DAE_OK || !found) return status;
        if (way == 0) {
            memcpy(p->found, w->end + w->at, p->size * sizeof *p->found);
            status = keeps_jacobian(p, given, w->begin, &found);
            if (status == DAE_OK) status = keeps_jacobian(p, given, w->end, &found);
            if (status != DAE_OK) return status;
            if (!found && p->driven) return DAE_OK;
            if (!found) {
                found = true;
                *fault = IMPULSE_UNFIT;
                status = switch_on_ways(p, given, &found);
            }
            if (status != DAE_OK || !found) return status;
        }
        *fault = IMPULSE_UNFIT;
        if (!has_ended(p) || !impulse_way_alike(w, p->found, w->end + w->at, ALIKE)) return DAE_OK;
    }
    *fault = IMPULSE_FOUND;
    return DAE_OK;
}

static dae_status apply(bent_impulse *p, const impulse_given *given, size_t count,
                        const impulse_state *state, double *z, impulse_fault *fault)
{
    const constraint_levels *l = p->l;
    memcpy(p->from, z, p->size * sizeof *z);
    dae_status status = find_missed(p);
    if (status == DAE_OK && !take_driven(p, count, state)) return DAE_OK;
    if (status == DAE_OK) status = find_effects(p);
    if (status == DAE_OK) status = l->form->fast_equations(l->self, p->forced, p->moves, &p->f);
    if (status != DAE_OK) return status;
    if (!drives_fully(p)) return DAE_OK;
    p->depth = p->f->depth;
    p->all = 2 * p->depth * p->size;
    p->motion = (impulse_way){.levels = l,
                              .from = p->from,
                              .size = p->all,
                              .at = p->depth * p->size,
                              .slope = find_slope,
                              .self = p,
                              .fewest = FEWEST_PARTS,
                              .most = MOST_PARTS,
                              .exact = EXACT};
    carve_more(p);
    if (workspace_allocate(&p->more) != DAE_OK) return DAE_NO_MEMORY;
    carve_more(p);
    status = go_ways(p, given, fault);
    if (status != DAE_OK || *fault != IMPULSE_FOUND) return status;
    for (size_t e = 0; e < p->size; e++) {
        if (given->has && p->f->weight[e] > 0) given->has[e] = true;
    }
    memcpy(z, p->found, p->size * sizeof *z);
    return DAE_OK;
}

dae_status bent_impulse_apply(const constraint_levels *levels, double t, const impulse_given *given,
                              size_t count, const impulse_state *state, double *z,
                              impulse_fault *fault)
{
    bent_impulse p = {.l = levels, .t = t, .size = levels->size};
    p.last = &levels->level[levels->count - 1];
    p.n = p.last->rows;
    *fault = IMPULSE_BENT;
    if (!levels->form->fast_equations || !given->exchange || p.n > LARGEST) return DAE_OK;
    dae_status status = linear_solver_create(&p.solver, p.last->pattern, false);
    carve(&p);
    if (status == DAE_OK) status = workspace_allocate(&p.space);
    carve(&p);
    if (status == DAE_OK) status = apply(&p, given, count, state, z, fault);
    linear_solver_free(p.solver);
    workspace_free(&p.space);
    workspace_free(&p.more);
    return impulse_end(status, fault);
}
