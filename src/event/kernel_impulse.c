/* Jumps of the states of equations that are integrated as they are given.
 *
 * Within the instant derivatives are impulses, and so are the variables that cause them. With E =
 * dF/dy' and A = dF/dy, jumps x and impulses c meet E c = 0 and E x + A c = 0: so currents share
 * charges and contacts momentum (P. J. Rabier & W. C. Rheinboldt, Linear Algebra Appl. 247 (1996)
 * 271). With a basis K of the kernel of E, c = K g, and what x holds of K is not integrated: it
 * follows from the equations after the jump. The ways that impulses can move the states are thus
 * the kernel of
 *     M = [E A K; K^T 0],
 * and the kernel of M^T holds as many combinations of the equations that are constraints on them.
 * The other constraints determine what they can of K. This determines the jump where F is linear
 * along it and in what has an impulse, and one constraint belongs to each way. Combinations of the
 * constraints that do not change along the ways, as those on positions, give way to their time
 * derivatives. */
#include "event/kernel_impulse.h"

#include "base/arena.h"
#include "base/round_off.h"
#include "linalg/lapack.h"

#include <math.h>
#include <string.h>

/* The ratio of singular values below which one is 0, and the part of itself by which a kernel may
 * turn along the jump. Both are far above the errors of the differences. */
static const double SINGULAR = 1e-8, TURNS = 1e-6;

/* Differences over this part of a variable's size are exact where F is linear, and good to the
 * square of it otherwise. */
static const double PART = 1e-3;

/* Constraints that are missed by no more than this part are met, but for errors of the state. */
static const double MET = 1e-6;

/* What has an impulse is moved by this many times its size, to see whether F is linear in it. */
static const double AWAY = 1e3;

typedef struct jump {
    problem *p;
    double t;
    size_t n, kernel, all, ways; /* unknowns; dimensions of the kernels of E, and of M: all rows */
    double *y, *yp;              /* n each */
    double *e, *f;               /* n x n, columns: E and A, scaled by sizes */
    double *k, *left; /* n x n: singular vectors of E, its kernels in the last rows and columns */
    double *h, *hu, *hv;     /* n x n: constraints by K, and their singular vectors */
    double *m, *u, *vt;      /* 2 n x 2 n, columns: M and its singular vectors */
    double *copy;            /* 2 n x 2 n */
    double largest, *values; /* singular values of M at the begin: the largest; all, 2 n */
    double *s, *r, *low;     /* 2 n, n, n: singular values; F */
    double *size, *found;    /* n each: of the variables; where the jump leads to */
    double *from, *from_yp;  /* n each: y and yp, while others are looked at */
    double *g, *c, *sum;     /* ways x ways, ways each: of a step, and of all */
    double *d, *dc, *aside;  /* the same of their changes in time; ways */
    double soon;             /* the time in which these are taken */
    double *work;
    int works, *pivot;
} jump;

static void carve(jump *j, workspace *w)
{
    size_t n = j->n;
    j->works = (int)(20 * n + 16);
    workspace_vectors(w, n,
                      (double **[]){&j->y, &j->yp, &j->r, &j->low, &j->size, &j->found, &j->from,
                                    &j->from_yp, &j->c, &j->sum, &j->dc, &j->aside, NULL});
    workspace_vectors(
        w, n * n,
        (double **[]){&j->e, &j->f, &j->k, &j->left, &j->g, &j->d, &j->h, &j->hu, &j->hv, NULL});
    workspace_vectors(w, 4 * n * n, (double **[]){&j->m, &j->u, &j->vt, &j->copy, NULL});
    workspace_vectors(w, 2 * n, (double **[]){&j->s, &j->values, NULL});
    j->work = workspace_doubles(w, (size_t)j->works);
    j->pivot = workspace_take(w, 2 * n, sizeof *j->pivot);
}

/* Differences of F by one variable, over `by`, of size `size`. */
static dae_status difference(jump *j, double *by, double size, double *column)
{
    double was = *by;
    *by = was + PART * size;
    dae_status status = problem_residual(j->p, j->t, j->y, j->yp, column);
    *by = was - PART * size;
    if (status == DAE_OK) status = problem_residual(j->p, j->t, j->y, j->yp, j->low);
    *by = was;
    for (size_t i = 0; i < j->n; i++) column[i] = (column[i] - j->low[i]) / (2 * PART);
    return status;
}

/* E and A at the present point. */
static dae_status linearize(jump *j)
{
    dae_status status = DAE_OK;
    for (size_t i = 0; i < j->n && status == DAE_OK; i++) {
        double *e = j->e + i * j->n;
        memset(e, 0, j->n * sizeof *e);
        if (j->p->dynamic[i]) status = difference(j, &j->yp[i], j->size[i], e);
        if (status == DAE_OK) status = difference(j, &j->y[i], j->size[i], j->f + i * j->n);
    }
    return status;
}

/* Singular values and vectors of a (order x order), and the number of values that are 0; order + 1:
 * they are not found. */
static size_t decompose(jump *j, size_t order, const double *a, double *u, double *vt)
{
    int n = (int)order, info = 0;
    size_t zero = 0;
    memcpy(j->copy, a, order * order * sizeof *a);
    dgesvd_("A", "A", &n, &n, j->copy, &n, j->s, u, &n, vt, &n, j->work, &j->works, &info, 1, 1);
    while (zero < order && !(j->s[order - 1 - zero] > SINGULAR * j->s[0])) zero++;
    return info == 0 ? zero : order + 1;
}

/* Entry i of the k-th vector in the kernel of E. */
static double held(const jump *j, size_t k, size_t i)
{
    return j->k[i * j->n + (j->n - j->kernel + k)];
}

/* M by the present E and A, and the kernel of E where the jump begins. */
static void form(jump *j)
{
    size_t n = j->n, all = j->all;
    memset(j->m, 0, all * all * sizeof *j->m);
    for (size_t i = 0; i < n; i++) memcpy(j->m + i * all, j->e + i * n, n * sizeof *j->m);
    for (size_t k = 0; k < j->kernel; k++) {
        for (size_t i = 0; i < n; i++) {
            j->m[i * all + n + k] = held(j, k, i);
            for (size_t row = 0; row < n; row++)
                j->m[(n + k) * all + row] += j->f[i * n + row] * held(j, k, i);
        }
    }
}

/* The ways and constraints: the kernel of M in the last rows of vt, that of M^T in the last columns
 * of u. */
static bool find_ways(jump *j)
{
    j->kernel = decompose(j, j->n, j->e, j->left, j->k);
    if (j->kernel >= j->n) return false;
    j->all = j->n + j->kernel;
    form(j);
    j->ways = decompose(j, j->all, j->m, j->u, j->vt);
    j->largest = j->s[0];
    memcpy(j->values, j->s, j->all * sizeof *j->s);
    return j->ways < j->n;
}

/* Entry i of way w: of its jump in units of the size of variable i, then of its impulses. */
static double way(const jump *j, size_t w, size_t i)
{
    return j->vt[i * j->all + (j->all - j->ways + w)];
}

static double combined(const jump *j, size_t w, const double *column)
{
    const double *u = j->u + (j->all - j->ways + w) * j->all;
    double sum = 0;
    for (size_t i = 0; i < j->n; i++) sum += u[i] * column[i];
    return sum;
}

/* y' and what has impulses, as F gives them at the present state. They may occur nonlinearly. The
 * singular values of M are those at the begin of the jump. */
static dae_status find_rates(jump *j)
{
    enum { ROUNDS = 4 };
    dae_status status = DAE_OK;
    for (int round = 0; round < ROUNDS && status == DAE_OK; round++) {
        status = problem_residual(j->p, j->t, j->y, j->yp, j->r);
        for (size_t v = 0; v < j->all - j->ways && status == DAE_OK; v++) {
            double part = 0;
            for (size_t i = 0; i < j->n; i++) part -= j->u[v * j->all + i] * j->r[i] / j->values[v];
            for (size_t i = 0; i < j->n; i++) {
                j->yp[i] += j->p->dynamic[i] ? part * j->vt[i * j->all + v] * j->size[i] : 0;
                for (size_t k = 0; k < j->kernel; k++)
                    j->y[i] += part * held(j, k, i) * j->vt[(j->n + k) * j->all + v] * j->size[i];
            }
        }
    }
    return status;
}

/* F where the differential variables have gone on by their rates for a time. */
static dae_status residual_aside(jump *j, double time, double *r)
{
    const bool *dynamic = j->p->dynamic;
    for (size_t i = 0; i < j->n; i++) j->y[i] += dynamic[i] ? time * j->yp[i] : 0;
    dae_status status = problem_residual(j->p, j->t + time, j->y, j->yp, r);
    for (size_t i = 0; i < j->n; i++) j->y[i] -= dynamic[i] ? time * j->yp[i] : 0;
    return status;
}

static void go_back(jump *j)
{
    memcpy(j->y, j->from, j->n * sizeof *j->y);
    memcpy(j->yp, j->from_yp, j->n * sizeof *j->yp);
}

/* The shortest time within which a variable changes by its size, at most that since the start. */
static double shortest_time(const jump *j)
{
    double fastest = 1 / fmax(fabs(j->t), 1);
    for (size_t i = 0; i < j->n; i++)
        if (j->p->dynamic[i]) fastest = fmax(fastest, fabs(j->yp[i]) / j->size[i]);
    return 1 / fastest;
}

/* By how much the constraints change in the time j->soon, into `into` (ways), where y is `part`
 * along way w. j->soon is found if it is 0. */
static dae_status differentiate(jump *j, size_t w, double part, double *into)
{
    memcpy(j->from, j->y, j->n * sizeof *j->y);
    memcpy(j->from_yp, j->yp, j->n * sizeof *j->yp);
    for (size_t i = 0; i < j->n; i++) j->y[i] += part * way(j, w, i) * j->size[i];
    dae_status status = find_rates(j);
    if (!(j->soon > 0)) j->soon = shortest_time(j);
    if (status == DAE_OK) status = residual_aside(j, PART * j->soon, j->r);
    if (status == DAE_OK) status = residual_aside(j, -PART * j->soon, j->low);
    for (size_t row = 0; row < j->ways && status == DAE_OK; row++)
        into[row] = (combined(j, row, j->r) - combined(j, row, j->low)) / (2 * PART);
    go_back(j);
    return status;
}

/* The changes of the constraints in time, into dc, and how these differ along the ways, into d. */
static dae_status take_derivatives(jump *j)
{
    size_t ways = j->ways;
    j->soon = 0;
    dae_status status = differentiate(j, 0, 0, j->dc);
    for (size_t w = 0; w < ways && status == DAE_OK; w++) {
        double *high = j->d + w * ways, *low = j->aside;
        status = differentiate(j, w, PART, high);
        if (status == DAE_OK) status = differentiate(j, w, -PART, low);
        for (size_t row = 0; row < ways; row++) high[row] = (high[row] - low[row]) / (2 * PART);
    }
    return status;
}

/* The constraints, into c, and how they change along the ways, into g. Returns the largest slope.
 */
static double take_constraints(jump *j)
{
    double most = 0;
    memset(j->g, 0, j->ways * j->ways * sizeof *j->g);
    for (size_t w = 0; w < j->ways; w++) j->c[w] = combined(j, w, j->r);
    for (size_t i = 0; i < j->n; i++) {
        for (size_t row = 0; row < j->ways; row++) {
            double slope = combined(j, row, j->f + i * j->n);
            most = fmax(most, fabs(slope));
            for (size_t w = 0; w < j->ways; w++) j->g[row + w * j->ways] += slope * way(j, w, i);
        }
    }
    return most;
}

/* Turns a column over the constraints into one over their combinations by singular vectors of g. */
static void combine(const jump *j, double *column)
{
    for (size_t v = 0; v < j->ways; v++) {
        j->r[v] = 0;
        for (size_t row = 0; row < j->ways; row++)
            j->r[v] += j->hu[v * j->ways + row] * column[row];
    }
    memcpy(column, j->r, j->ways * sizeof *column);
}

/* Combinations of the constraints that do not change along the ways are met already, and give way
 * to their time derivatives. */
static dae_status go_deeper(jump *j, double most)
{
    size_t ways = j->ways, rank = 0;
    if (decompose(j, ways, j->g, j->hu, j->hv) > ways) return DAE_SINGULAR;
    while (rank < ways && j->s[rank] > SINGULAR * most) rank++;
    if (rank == ways) return DAE_OK;
    dae_status status = take_derivatives(j);
    if (status != DAE_OK) return status;
    combine(j, j->c), combine(j, j->dc);
    for (size_t w = 0; w < ways; w++) combine(j, j->g + w * ways), combine(j, j->d + w * ways);
    for (size_t v = rank; v < ways; v++) {
        if (fabs(j->c[v]) > MET * j->largest) return DAE_SINGULAR;
        j->c[v] = j->dc[v];
        for (size_t w = 0; w < ways; w++) j->g[v + w * ways] = j->d[v + w * ways];
    }
    return DAE_OK;
}

/* The constraints by the ways, factored. */
static dae_status factor(jump *j)
{
    int m = (int)j->ways, info = 0;
    double largest = 0, least = HUGE_VAL;
    dae_status status = go_deeper(j, take_constraints(j));
    if (status != DAE_OK) return status;
    dgetrf_(&m, &m, j->g, &m, j->pivot, &info);
    for (size_t w = 0; w < j->ways; w++) {
        double pivot = fabs(j->g[w + w * j->ways]);
        largest = fmax(largest, pivot), least = fmin(least, pivot);
    }
    return info == 0 && least > SINGULAR * largest ? DAE_OK : DAE_SINGULAR;
}

/* Moves y along a direction of one kernel; raises *size to the move. */
static void move(jump *j, size_t i, double change, double *size)
{
    j->y[i] += change * j->size[i];
    *size = fmax(*size, fabs(change));
}

/* One step of Newton's iteration for the constraints, along the ways. */
static dae_status step(jump *j, double *size)
{
    int m = (int)j->ways, one = 1, info = 0;
    dae_status status = factor(j);
    if (status != DAE_OK) return status;
    dgetrs_("N", &m, &one, j->g, &m, j->pivot, j->c, &m, &info, 1);
    for (size_t w = 0; w < j->ways; w++) j->sum[w] -= j->c[w];
    for (size_t i = 0; i < j->n; i++) {
        double change = 0;
        for (size_t w = 0; w < j->ways; w++) change -= j->c[w] * way(j, w, i);
        move(j, i, change, size);
    }
    return DAE_OK;
}

static double constraint(const jump *j, size_t row, const double *column)
{
    const double *u = j->left + (j->n - j->kernel + row) * j->n;
    double sum = 0;
    for (size_t i = 0; i < j->n; i++) sum += u[i] * column[i];
    return sum;
}

/* What is not integrated follows from constraints of its own, the shortest way. */
static bool step_within(jump *j, double *size)
{
    size_t k = j->kernel, n = j->n;
    double most = 0;
    memset(j->h, 0, k * k * sizeof *j->h);
    for (size_t i = 0; i < n * n; i++) most = fmax(most, fabs(j->f[i]));
    for (size_t i = 0; i < n; i++)
        for (size_t row = 0; row < k; row++) {
            double slope = constraint(j, row, j->f + i * n);
            for (size_t c = 0; c < k; c++) j->h[row + c * k] += slope * held(j, c, i);
        }
    if (decompose(j, k, j->h, j->hu, j->hv) > k) return false;
    for (size_t v = 0; v < k && j->s[v] > SINGULAR * most; v++) {
        double strength = 0;
        for (size_t row = 0; row < k; row++)
            strength -= j->hu[v * k + row] * constraint(j, row, j->r) / j->s[v];
        for (size_t i = 0; i < n; i++) {
            double change = 0;
            for (size_t c = 0; c < k; c++) change += strength * j->hv[c * k + v] * held(j, c, i);
            move(j, i, change, size);
        }
    }
    return true;
}

/* Both steps, one after the other. */
static dae_status step_all(jump *j, double *size)
{
    dae_status status = DAE_OK;
    *size = 0;
    for (int part = 0; part < 2 && status == DAE_OK; part++) {
        status = linearize(j);
        if (status == DAE_OK) status = problem_residual(j->p, j->t, j->y, j->yp, j->r);
        if (status != DAE_OK) return status;
        if (part == 0 && j->ways > 0) status = step(j, size);
        if (part == 1 && !step_within(j, size)) status = DAE_SINGULAR;
    }
    return status == DAE_OK && !isfinite(*size) ? DAE_NOT_EVALUABLE : status;
}

/* Whether the ways at the present point are those at the begin of the jump. */
static bool is_straight(jump *j)
{
    if (linearize(j) != DAE_OK) return false;
    form(j);
    for (size_t w = 0; w < j->ways; w++)
        for (size_t row = 0; row < j->n; row++) {
            double sum = 0, terms = 0;
            for (size_t i = 0; i < j->all; i++) {
                double term = j->m[row + i * j->all] * way(j, w, i);
                sum += term, terms += fabs(term);
            }
            if (fabs(sum) > TURNS * (terms + j->largest)) return false;
        }
    return true;
}

/* Moves what has an impulse far away: equations that are not linear in it do not balance there. */
static void go_away(jump *j)
{
    for (size_t w = 0; w < j->ways; w++) {
        double strength = j->sum[w] != 0 ? AWAY : 0;
        for (size_t i = 0; i < j->n; i++) {
            j->yp[i] += j->p->dynamic[i] ? strength * way(j, w, i) * j->size[i] : 0;
            for (size_t k = 0; k < j->kernel; k++)
                j->y[i] += strength * held(j, k, i) * way(j, w, j->n + k) * j->size[i];
        }
    }
}

/* The jump, at j->found (n). */
static dae_status find(jump *j)
{
    enum { MOST_STEPS = 12 };
    double size = 1;
    dae_status status = linearize(j);
    if (status != DAE_OK) return status;
    if (!find_ways(j)) return DAE_SINGULAR;
    if (j->kernel == 0) size = 0;
    for (int i = 0; i < MOST_STEPS && size > ROUND_OFF_ITERATED && status == DAE_OK; i++)
        status = step_all(j, &size);
    if (status != DAE_OK) return status;
    memcpy(j->found, j->y, j->n * sizeof *j->y);
    bool straight = size <= ROUND_OFF_ITERATED && is_straight(j);
    go_away(j);
    return straight && is_straight(j) ? DAE_OK : DAE_NEWTON;
}

/* The strength of the impulse of variable i. */
static double impulse_of(const jump *j, size_t i)
{
    double strength = 0;
    for (size_t w = 0; w < j->ways; w++)
        for (size_t k = 0; k < j->kernel; k++)
            strength += j->sum[w] * held(j, k, i) * way(j, w, j->n + k) * j->size[i];
    return strength;
}

dae_status kernel_impulse(problem *p, double t, const double *yp, double *y, double *strength)
{
    enum { LARGEST = 100 }; /* the matrices are full */
    jump j = {.p = p, .t = t, .n = p->n};
    workspace w = {0};
    if (p->n > LARGEST) return DAE_SINGULAR;
    carve(&j, &w);
    if (workspace_allocate(&w) != DAE_OK) return DAE_NO_MEMORY;
    carve(&j, &w);
    for (size_t i = 0; i < j.n; i++) {
        j.y[i] = y[i];
        j.yp[i] = p->dynamic[i] && isfinite(yp[i]) ? yp[i] : 0;
        j.size[i] = fmax(fabs(y[i]), p->nominal[i]);
    }
    dae_status status = find(&j);
    for (size_t i = 0; i < j.n && status == DAE_OK; i++)
        if (p->dynamic[i]) y[i] = j.found[i];
    for (size_t i = 0; i < j.n && status == DAE_OK && strength; i++)
        strength[i] = impulse_of(&j, i);
    workspace_free(&w);
    return status;
}
