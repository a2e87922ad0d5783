#include "random/condition.h"

#include "random/derivative_array.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 8, MOST_COURSES = ROUNDINGS + SYSTEM_MOST };

/* Perturbations that grow by more make errors of single steps, each within the tolerance, exceed
 * ten tolerances at the end. */
static const double MOST_GROWTH = 15;

/* Points of a step, 1/3 and 1 of it, and the start. */
typedef struct course {
    int n, count;
    double h;
    level_at at[2 * STEPS + 1];
    quad d[SYSTEM_MOST][MOST_COURSES]; /* roundings, then one a free value */
} course;

static void settle(course *c, const level_at *at, int first)
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

static double size(const course *c, const level_at *at, int k)
{
    double most = 0;
    for (int i = 0; i < c->n; i++)
        most = fmax(most, fabs((double)c->d[i][k]) / (1 + fabs(at->y[i])));
    return most;
}

/* Values that are free at a point are off: by a rounding, and each by one after the other. */
static void begin(course *c, const level_at *at, const unsigned char *sign)
{
    c->count = ROUNDINGS;
    for (int i = 0; i < c->n; i++) {
        for (int k = 0; k < MOST_COURSES; k++) c->d[i][k] = 0;
        for (int k = 0; k < ROUNDINGS; k++)
            c->d[i][k] = (sign[i] >> k & 1 ? 1 : -1) * (quad)0x1p-53 * (quad)at->y[i];
    }
    for (int i = 0; i < c->n; i++)
        if (!at->dependent[i]) c->d[i][c->count++] = 1;
    settle(c, at, 0);
    for (int k = ROUNDINGS; k < c->count; k++) {
        double unit = size(c, at, k);
        for (int i = 0; i < c->n; i++) c->d[i][k] /= (quad)unit;
    }
}

/* The matrix of both stages' slopes: I - h A x slope. */
static void stage_matrix(const course *c, const level_at *one, const level_at *two, quad *m)
{
    static const double a[2][2] = {{5, -1}, {9, 3}}; /* twelfths */
    int n = c->n;
    for (int s = 0; s < 2; s++) {
        const level_at *at = s ? two : one;
        for (int i = 0; i < n; i++)
            for (int r = 0; r < 2; r++)
                for (int j = 0; j < n; j++)
                    m[(s * n + i) * 2 * n + r * n + j] =
                        (s == r && i == j) - (quad)(c->h * a[s][r] / 12) * at->slope[i][j];
    }
}

static void stage_right(const course *c, const level_at *at, int k, quad *b)
{
    for (int i = 0; i < c->n; i++) {
        b[i] = k < ROUNDINGS ? at->push[i][k] : 0;
        for (int j = 0; j < c->n; j++) b[i] += at->slope[i][j] * c->d[j][k];
    }
}

static bool step(course *c, int number)
{
    enum { MOST = 2 * SYSTEM_MOST };
    const level_at *one = &c->at[2 * number + 1], *two = &c->at[2 * number + 2];
    quad m[MOST * MOST], inverse[MOST * MOST], b[MOST];
    int n = c->n;
    stage_matrix(c, one, two, m);
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
            c->d[i][k] += (quad)c->h * (3 * first + second) / 4;
        }
    }
    settle(c, two, 0);
    return true;
}

static void look(const course *c, const level_at *at, condition *found)
{
    for (int k = ROUNDINGS; k < c->count; k++) found->growth = fmax(found->growth, size(c, at, k));
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < ROUNDINGS; k++)
            found->effect[i] = fmax(found->effect[i], fabs((double)c->d[i][k]));
}

static bool follow(course *c, int from, const unsigned char *sign, condition *found)
{
    begin(c, &c->at[2 * from], sign);
    look(c, &c->at[2 * from], found);
    for (int k = from; k < STEPS; k++) {
        if (!step(c, k)) return false;
        look(c, &c->at[2 * k + 2], found);
    }
    return true;
}

static const char *find_levels(course *c, const linearised *l, const random_system *s)
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
    course *c = malloc(sizeof *c);
    unsigned char sign[SYSTEM_MOST];
    if (!c) exit(3);
    *found = (condition){.growth = 0};
    for (int i = 0; i < s->n; i++) sign[i] = (unsigned char)draw_below(d, 1 << ROUNDINGS);
    linearised_open(&l, s, d);
    c->n = s->n, c->h = (s->t1 - s->t0) / STEPS;
    found->fault = find_levels(c, &l, s);
    if (!found->fault && !(follow(c, 0, sign, found) && follow(c, STEPS / 2, sign, found)))
        found->fault = "a singular linearisation";
    if (!found->fault && !(found->growth <= MOST_GROWTH)) found->fault = "perturbations grow";
    for (int i = 0; i < s->n && !found->fault; i++) found->free[i] = !c->at[0].dependent[i];
    linearised_close(&l);
    free(c);
}
