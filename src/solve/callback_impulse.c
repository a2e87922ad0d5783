/* Jumps of the states of a C program's equations at an event after which they miss constraints.
 *
 * Within the instant derivatives are impulses, and so are the algebraic variables that cause them.
 * Their coefficients x and c meet E x + B c = 0, with E = dF/dy' and B = dF/dz of the algebraic
 * variables: where [E B] is singular, its kernel holds the ways that impulses can move the states,
 * and as many combinations of the equations are constraints on these. So currents share charges and
 * contacts momentum (P. J. Rabier & W. C. Rheinboldt, Linear Algebra Appl. 247 (1996) 271). This
 * determines the jump where F is linear along it, and one constraint belongs to each way. */
#include "solve/callback_impulse.h"

#include "base/round_off.h"
#include "linalg/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The ratio of singular values below which one is 0, and the part of itself by which a kernel may
 * turn along the jump. Both are far above the errors of the differences. */
static const double SINGULAR = 1e-8, TURNS = 1e-6;

/* Differences over this part of a variable's size are exact where F is linear, and good to the
 * square of it otherwise. */
static const double PART = 1e-3;

typedef struct jump {
    callback_simulation *k;
    problem *p; /* the author's equations */
    double t;
    size_t n, ways;      /* unknowns; dimensions of the kernel */
    double *y, *yp;      /* n each */
    double *a, *u, *vt;  /* n x n, columns: [E B], scaled by sizes; its singular vectors */
    double *fy;          /* n x n, columns: dF/dy of differential variables, scaled; else 0 */
    double *s, *r, *low; /* n each: singular values; F */
    double *size;        /* n: of the variables */
    double *g, *h, *c;   /* ways x ways, ways each */
    double *work;
    int works, *pivot;
} jump;

static bool allocate(jump *j)
{
    size_t n = j->n;
    j->works = (int)(10 * n + 16);
    size_t count = 5 * n * n + 9 * n + (size_t)j->works;
    double *all = calloc(count, sizeof *all);
    j->pivot = calloc(n, sizeof *j->pivot);
    j->y = all;
    if (!all || !j->pivot) return false;
    double **vector[] = {&j->y, &j->yp, &j->s, &j->r, &j->low, &j->size, &j->h, &j->c};
    double **matrix[] = {&j->a, &j->u, &j->vt, &j->fy, &j->g};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++, all += n) *vector[i] = all;
    for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++, all += n * n) *matrix[i] = all;
    j->work = all;
    return true;
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

/* [E B], and dF/dy, at the present point. */
static dae_status linearize(jump *j)
{
    dae_status status = DAE_OK;
    for (size_t i = 0; i < j->n && status == DAE_OK; i++) {
        bool moves = j->p->dynamic[i];
        status = difference(j, moves ? &j->yp[i] : &j->y[i], j->size[i], j->a + i * j->n);
        if (moves && status == DAE_OK)
            status = difference(j, &j->y[i], j->size[i], j->fy + i * j->n);
    }
    return status;
}

/* The kernel of [E B]: the last rows of vt, and from the left the last columns of u. */
static bool find_kernel(jump *j)
{
    int n = (int)j->n, info = 0;
    double *a = malloc(j->n * j->n * sizeof *a);
    if (!a) return false;
    memcpy(a, j->a, j->n * j->n * sizeof *a);
    dgesvd_("A", "A", &n, &n, a, &n, j->s, j->u, &n, j->vt, &n, j->work, &j->works, &info, 1, 1);
    free(a);
    j->ways = 0;
    while (j->ways < j->n && !(j->s[j->n - 1 - j->ways] > SINGULAR * j->s[0])) j->ways++;
    return info == 0 && j->ways > 0 && j->ways < j->n;
}

/* Entry i of way w, in units of the size of variable i. */
static double way(const jump *j, size_t w, size_t i)
{
    return j->vt[i * j->n + (j->n - j->ways + w)];
}

static double combined(const jump *j, size_t w, const double *column)
{
    const double *u = j->u + (j->n - j->ways + w) * j->n;
    double sum = 0;
    for (size_t i = 0; i < j->n; i++) sum += u[i] * column[i];
    return sum;
}

/* One step of Newton's iteration for the constraints, along the ways. */
static dae_status step(jump *j, double *size)
{
    int m = (int)j->ways, one = 1, info = 0;
    dae_status status = linearize(j);
    if (status == DAE_OK) status = problem_residual(j->p, j->t, j->y, j->yp, j->r);
    if (status != DAE_OK) return status;
    memset(j->g, 0, j->ways * j->ways * sizeof *j->g);
    for (size_t w = 0; w < j->ways; w++) j->c[w] = -combined(j, w, j->r);
    for (size_t i = 0; i < j->n; i++) {
        if (!j->p->dynamic[i]) continue;
        for (size_t row = 0; row < j->ways; row++) {
            double slope = combined(j, row, j->fy + i * j->n);
            for (size_t w = 0; w < j->ways; w++) j->g[row + w * j->ways] += slope * way(j, w, i);
        }
    }
    double largest = 0, least = HUGE_VAL;
    dgetrf_(&m, &m, j->g, &m, j->pivot, &info);
    for (size_t w = 0; w < j->ways; w++) {
        double pivot = fabs(j->g[w + w * j->ways]);
        largest = fmax(largest, pivot), least = fmin(least, pivot);
    }
    if (info != 0 || !(least > SINGULAR * largest)) return DAE_SINGULAR;
    dgetrs_("N", &m, &one, j->g, &m, j->pivot, j->c, &m, &info, 1);
    *size = 0;
    for (size_t i = 0; i < j->n; i++) {
        double change = 0;
        for (size_t w = 0; w < j->ways; w++) change += j->c[w] * way(j, w, i);
        if (!j->p->dynamic[i]) continue;
        j->y[i] += change * j->size[i];
        *size = fmax(*size, fabs(change));
    }
    return isfinite(*size) ? DAE_OK : DAE_NOT_EVALUABLE;
}

/* Whether the ways at the end of the jump are those at its begin. */
static bool is_straight(const jump *j)
{
    for (size_t w = 0; w < j->ways; w++)
        for (size_t row = 0; row < j->n; row++) {
            double sum = 0, terms = 0;
            for (size_t i = 0; i < j->n; i++) {
                double term = j->a[row + i * j->n] * way(j, w, i);
                sum += term, terms += fabs(term);
            }
            if (fabs(sum) > TURNS * (terms + j->s[0])) return false;
        }
    return true;
}

static dae_status find(jump *j)
{
    enum { MOST_STEPS = 12 };
    dae_status status = linearize(j);
    if (status != DAE_OK) return status;
    if (!find_kernel(j)) return DAE_SINGULAR;
    double size = 1;
    for (int i = 0; i < MOST_STEPS && size > ROUND_OFF_ITERATED && status == DAE_OK; i++)
        status = step(j, &size);
    if (status != DAE_OK) return status;
    return size <= ROUND_OFF_ITERATED && is_straight(j) ? DAE_OK : DAE_NEWTON;
}

dae_status callback_impulse(callback_simulation *k, double t, const double *settled_yp, double *own)
{
    enum { LARGEST = 100 }; /* the matrices are full */
    problem *p = callbacks_problem(k->callbacks);
    jump j = {.k = k, .p = p, .t = t, .n = p->n};
    if (p->n != k->base.n || p->n > LARGEST) return DAE_SINGULAR;
    dae_status status = allocate(&j) ? DAE_OK : DAE_NO_MEMORY;
    for (size_t i = 0; i < j.n && status == DAE_OK; i++) {
        j.y[i] = own[i];
        j.yp[i] = p->dynamic[i] && isfinite(settled_yp[i]) ? settled_yp[i] : 0;
        j.size[i] = fmax(fabs(own[i]), p->nominal[i]);
    }
    if (status == DAE_OK) status = find(&j);
    for (size_t i = 0; i < j.n && status == DAE_OK; i++)
        if (p->dynamic[i]) own[i] = j.y[i];
    free(j.y);
    free(j.pivot);
    return status;
}
