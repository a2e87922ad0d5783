#include "random/condition.h"

#include "linalg/lapack.h"
#include "random/derivative_array.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 32, MOST_SIMULATIONS = ROUNDINGS + SYSTEM_MOST };

/* The method damps what grows by much more than this in a step, and would not see it: such a step
 * is halved, so many times at most. */
static const double MOST_RATE = 0.5;
enum { MOST_HALVINGS = 12 };

/* Perturbations that grow by more make errors of single steps, each within the tolerance, exceed
 * ten tolerances at the end. */
static const double MOST_GROWTH = 15;

/* Perturbations that have become so small say nothing of later ones. */
static const double DIED_OUT = 0.1;

/* Points of a step, 1/3 and 1 of it, and the start. */
typedef struct simulation {
    const linearised *l;
    int n, count;
    double t0, h;
    level_at at[2 * STEPS + 1];
    quad d[SYSTEM_MOST][MOST_SIMULATIONS]; /* roundings, then one a free value */
} simulation;

static void settle(simulation *c, const level_at *at, int first)
{
    for (int i = 0; i < c->n; i++) {
        if (!at->dependent[i]) continue;
        for (int k = first; k < c->count; k++) {
            quad value = k < ROUNDINGS ? at->level[i][k] : 0;
            for (int j = 0; j < c->n; j++) value -= at->by[i][j] * c->d[j][k];
            c->d[i][k] = value;
        }
    }
}

/* In units of 1 + |y|: what column k has in variable i. */
static quad scaled(const simulation *c, const level_at *at, int i, int k)
{
    return c->d[i][k] / (1 + (quad)fabs(at->y[i]));
}

/* The most that any variable is off by. */
static double size(const simulation *c, const level_at *at)
{
    double most = 0;
    for (int i = 0; i < c->n; i++) {
        double sum = 0;
        for (int k = ROUNDINGS; k < c->count; k++)
            sum += (double)(scaled(c, at, i, k) * scaled(c, at, i, k));
        most = fmax(most, sqrt(sum));
    }
    return most;
}

static quad product(const simulation *c, const level_at *at, int k, int l)
{
    quad sum = 0;
    for (int i = 0; i < c->n; i++) sum += scaled(c, at, i, k) * scaled(c, at, i, l);
    return sum;
}

/* The columns of free values become orthonormal, all variables counted: where one is sensitive to
 * the others, some of their combinations leave it as it is, and these may be what grows. */
static void orthonormalise(simulation *c, const level_at *at)
{
    for (int k = ROUNDINGS; k < c->count; k++) {
        for (int l = ROUNDINGS; l < k; l++) {
            quad part = product(c, at, k, l);
            for (int i = 0; i < c->n; i++) c->d[i][k] -= part * c->d[i][l];
        }
        double length = sqrt((double)product(c, at, k, k));
        for (int i = 0; i < c->n; i++) c->d[i][k] /= (quad)length;
    }
}

/* Values that are free at a point are off in every direction. */
static void begin_free(simulation *c, const level_at *at)
{
    c->count = ROUNDINGS;
    for (int i = 0; i < c->n; i++)
        for (int k = ROUNDINGS; k < MOST_SIMULATIONS; k++) c->d[i][k] = 0;
    for (int i = 0; i < c->n; i++)
        if (!at->dependent[i]) c->d[i][c->count++] = 1;
    settle(c, at, ROUNDINGS);
    orthonormalise(c, at);
    double unit = size(c, at);
    for (int k = ROUNDINGS; k < c->count; k++)
        for (int i = 0; i < c->n; i++) c->d[i][k] /= (quad)unit;
}

/* The same, and by a rounding. */
static void begin(simulation *c, const level_at *at, const unsigned char *sign)
{
    c->count = ROUNDINGS;
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < ROUNDINGS; k++)
            c->d[i][k] = (sign[i] >> k & 1 ? 1 : -1) * (quad)0x1p-53 * (quad)at->y[i];
    settle(c, at, 0);
    begin_free(c, at);
}

/* Of values that are free, f, with d = -by f: f' = (slope_ff - slope_fd by) f, by columns. */
static int free_slopes(const simulation *c, const level_at *at, double *slope)
{
    int n = 0, list[SYSTEM_MOST];
    for (int i = 0; i < c->n; i++)
        if (!at->dependent[i]) list[n++] = i;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            quad sum = at->slope[list[i]][list[j]];
            for (int d = 0; d < c->n; d++)
                if (at->dependent[d]) sum -= at->slope[list[i]][d] * at->by[d][list[j]];
            slope[j * n + i] = (double)sum;
        }
    }
    return n;
}

/* The rate at which something grows at a point. */
static double rate(const simulation *c, const level_at *at)
{
    enum { MOST = SYSTEM_MOST, WORK = 8 * SYSTEM_MOST };
    double slope[MOST * MOST], re[MOST], im[MOST], work[WORK], most = 0;
    int n = free_slopes(c, at, slope), one = 1, room = WORK, info;
    if (n == 0) return 0;
    dgeev_("N", "N", &n, slope, &n, re, im, NULL, &one, NULL, &one, work, &room, &info, 1, 1);
    for (int i = 0; i < n; i++) most = fmax(most, re[i]);
    return info == 0 ? most : HUGE_VAL;
}

/* The matrix of both stages' slopes: I - h A x slope. */
static void stage_matrix(const simulation *c, double h, const level_at *one, const level_at *two,
                         quad *m)
{
    static const double a[2][2] = {{5, -1}, {9, 3}}; /* twelfths */
    int n = c->n;
    for (int s = 0; s < 2; s++) {
        const level_at *at = s ? two : one;
        for (int i = 0; i < n; i++)
            for (int r = 0; r < 2; r++)
                for (int j = 0; j < n; j++)
                    m[(s * n + i) * 2 * n + r * n + j] = (s == r && i == j) -
                                                         (quad)(h * a[s][r] / 12) * at->slope[i][j];
    }
}

static void stage_right(const simulation *c, const level_at *at, int k, quad *b)
{
    for (int i = 0; i < c->n; i++) {
        b[i] = k < ROUNDINGS ? at->push[i][k] : 0;
        for (int j = 0; j < c->n; j++) b[i] += at->slope[i][j] * c->d[j][k];
    }
}

/* A step of a length, by its points. */
static bool step(simulation *c, double h, const level_at *one, const level_at *two)
{
    enum { MOST = 2 * SYSTEM_MOST };
    quad m[MOST * MOST], inverse[MOST * MOST], b[MOST];
    int n = c->n;
    stage_matrix(c, h, one, two, m);
    if (quad_invert(2 * n, 2 * n, m, inverse) == 0) return false;
    for (int k = 0; k < c->count; k++) {
        stage_right(c, one, k, b);
        stage_right(c, two, k, b + n);
        for (int i = 0; i < n; i++) {
            quad first = 0, second = 0;
            for (int j = 0; j < 2 * n; j++) {
                first += inverse[i * 2 * n + j] * b[j];
                second += inverse[(n + i) * 2 * n + j] * b[j];
            }
            c->d[i][k] += (quad)h * (3 * first + second) / 4;
        }
    }
    settle(c, two, 0);
    return true;
}

static void look(const simulation *c, const level_at *at, condition *found)
{
    found->growth = fmax(found->growth, size(c, at));
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < ROUNDINGS; k++)
            found->effect[i] = fmax(found->effect[i], fabs((double)c->d[i][k]));
}

/* A step from t, as a whole or in halves. */
static bool advance(simulation *c, double t, double h, const level_at *one, const level_at *two,
                    int halvings, condition *found)
{
    double growing = h * fmax(rate(c, one), rate(c, two));
    if (growing <= MOST_RATE) {
        if (!step(c, h, one, two)) return false;
        look(c, two, found);
        return true;
    }
    if (halvings == MOST_HALVINGS) found->growth = HUGE_VAL;
    if (found->growth > MOST_GROWTH) return true;
    level_at first, middle, third;
    double half = h / 2;
    return derivative_array(c->l, t + half / 3, &first) &&
           derivative_array(c->l, t + half, &middle) &&
           derivative_array(c->l, t + half + half / 3, &third) &&
           advance(c, t, half, &first, &middle, halvings + 1, found) &&
           advance(c, t + half, half, &third, two, halvings + 1, found);
}

/* Steps make errors all along the way: what has died out begins anew, for it may grow from there.
 */
static bool follow(simulation *c, int from, const unsigned char *sign, condition *found)
{
    begin(c, &c->at[2 * from], sign);
    look(c, &c->at[2 * from], found);
    for (int k = from; k < STEPS && found->growth <= MOST_GROWTH; k++) {
        if (size(c, &c->at[2 * k]) < DIED_OUT) begin_free(c, &c->at[2 * k]);
        if (!advance(c, c->t0 + k * c->h, c->h, &c->at[2 * k + 1], &c->at[2 * k + 2], 0, found))
            return false;
    }
    return true;
}

static const char *find_levels(simulation *c, const linearised *l, const random_system *s)
{
    for (int k = 0; k <= 2 * STEPS; k++) {
        double t = s->t0 + c->h * (k % 2 ? k / 2 + 1.0 / 3 : k / 2);
        if (!derivative_array(l, t, &c->at[k])) return "a higher index than meant";
        if (c->at[k].freedom > s->freedom) return "more freedom than meant";
        if (c->at[k].freedom < s->freedom) return "less freedom than meant";
    }
    return NULL;
}

void condition_find(random_system *s, draw *d, condition *found)
{
    linearised l;
    simulation *c = malloc(sizeof *c);
    unsigned char sign[SYSTEM_MOST];
    if (!c) exit(3);
    *found = (condition){.growth = 0};
    for (int i = 0; i < s->n; i++) sign[i] = (unsigned char)draw_below(d, 1 << ROUNDINGS);
    linearised_open(&l, s, d);
    c->l = &l, c->n = s->n, c->t0 = s->t0, c->h = (s->t1 - s->t0) / STEPS;
    found->fault = find_levels(c, &l, s);
    if (!found->fault && !(follow(c, 0, sign, found) && follow(c, STEPS / 2, sign, found)))
        found->fault = "a singular linearisation";
    if (!found->fault && !(found->growth <= MOST_GROWTH)) found->fault = "perturbations grow";
    for (int i = 0; i < s->n && !found->fault; i++) found->free[i] = !c->at[0].dependent[i];
    linearised_close(&l);
    free(c);
}
