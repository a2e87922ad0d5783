/* Solutions of saddle-point systems, refined until only round-off remains of the right-hand side.
 * Solutions with a shift are iterated until the shift has no effect; x then meets the rows in the
 * least-squares sense. */
#include "base/round_off.h"
#include "linalg/saddle_point_parts.h"

#include <math.h>
#include <string.h>

static const double CONTRADICTION = 1e-12;

enum { MOST_ITERATIONS = 40, MOST_REFINEMENTS = 2 };

static void solve_once(saddle_point *p, double *x)
{
    switch (p->way) {
    case SADDLE_SMALL: saddle_small_solve(p, x); break;
    case SADDLE_BLOCKS: saddle_blocks_solve(p, x); break;
    case SADDLE_NULL: saddle_null_solve(p, x); break;
    default: saddle_square_solve(p, x); break;
    }
}

/* s->left = the residual of s->solution, and the sizes of the terms of each row. */
static void look_at_rest(saddle_point *p, const double *x)
{
    saddle_square *s = &p->square;
    double *left = s->left, *terms = s->terms, *now = s->solution;
    for (size_t i = 0; i < p->n + p->m; i++) left[i] = x[i], terms[i] = fabs(x[i]);
    for (size_t j = 0; j < p->n; j++) {
        for (sparse_index k = p->h->start[j]; k < p->h->start[j + 1]; k++) {
            double term = p->h_value[k] * now[j];
            left[p->h->row[k]] -= term;
            terms[p->h->row[k]] += fabs(term);
        }
        for (sparse_index k = p->g->start[j]; k < p->g->start[j + 1]; k++) {
            size_t i = p->n + (size_t)p->g->row[k];
            double down = p->g_value[k] * now[j], across = p->g_value[k] * now[i];
            left[i] -= down;
            left[j] += across;
            terms[i] += fabs(down);
            terms[j] += fabs(across);
        }
    }
}

static bool has_rest(const saddle_square *s, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!(fabs(s->left[i]) <= ROUND_OFF_LONG_SUM * s->terms[i])) return true;
    return false;
}

/* Rows with terms of very different sizes may keep more than their round-off. One step of
 * refinement removes it (Skeel, Math. Comp. 35 (1980)). */
static void solve_refined(saddle_point *p, double *x)
{
    saddle_square *s = &p->square;
    size_t size = p->n + p->m;
    memcpy(s->solution, x, size * sizeof *x);
    solve_once(p, s->solution);
    for (int k = 0; k < MOST_REFINEMENTS; k++) {
        look_at_rest(p, x);
        if (!has_rest(s, size)) break;
        solve_once(p, s->left);
        for (size_t i = 0; i < size; i++) s->solution[i] += s->left[i];
    }
    memcpy(x, s->solution, size * sizeof *x);
}

/* The residual of the constraint rows, relative to the rows. */
static double rows_left(const saddle_point *p)
{
    const saddle_square *s = &p->square;
    double sum = 0;
    for (size_t i = 0; i < p->m; i++)
        sum += s->left[p->n + i] * s->left[p->n + i] / (s->length[i] * s->length[i]);
    return sqrt(sum);
}

/* Each solution with the shift leaves a residual in the rows that depends on their dependence and
 * on the shift. The residual at the end is the contradiction among the rows; the multipliers have
 * taken up multiples of it. */
static void solve_shifted(saddle_point *p, double *x)
{
    saddle_square *s = &p->square;
    size_t size = p->n + p->m, k = 0;
    memset(s->solution, 0, size * sizeof(double));
    look_at_rest(p, x);
    double first = rows_left(p), last, now = first;
    do {
        last = now;
        solve_once(p, s->left);
        for (size_t i = 0; i < size; i++) s->solution[i] += s->left[i];
        look_at_rest(p, x);
        now = rows_left(p);
        k++;
    } while (k < MOST_ITERATIONS && (k < 3 || (now > ROUND_OFF_NORM * first && now < 0.9 * last)));
    for (size_t i = 0; now > CONTRADICTION * first && i < p->m; i++)
        s->solution[p->n + i] -= (double)k * s->left[p->n + i] / s->shift[i];
    memcpy(x, s->solution, size * sizeof *x);
}

void saddle_point_solve(saddle_point *p, double *x)
{
    if (p->way == SADDLE_SHIFTED)
        solve_shifted(p, x);
    else
        solve_refined(p, x);
}

void saddle_point_solve_once(saddle_point *p, double *x)
{
    if (p->way == SADDLE_SMALL && p->small.good[0] && p->small.good[1])
        saddle_small_solve(p, x);
    else
        saddle_point_solve(p, x);
}
