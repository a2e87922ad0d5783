/* Each step of a multistep method satisfies the formula of its row and the equations. */
#include "integrate/multistep_rows.h"

enum { MOST_POINTS = METHOD_MOST_STEPS + 1 };

static void begin_circle(example *e, engine_options options, const char *name, engine **g)
{
    double f[3];
    begin(e, 3, 2, circle, circle_slope);
    e->index[2] = 2;
    e->problem.constant_mass = true;
    e->mass[0] = 2, e->mass[1] = 0.5;
    *g = engine_for(e, name, options);
    circle(0, on_circle, f);
    f[0] /= 2, f[1] *= 2;
    engine_start(*g, 0, on_circle, f);
}

/* The last points, newest first. */
typedef struct points {
    double t[MOST_POINTS], y[MOST_POINTS][3], yp[MOST_POINTS][3];
} points;

static void remember(points *p, const engine *g)
{
    memmove(p->t + 1, p->t, sizeof p->t - sizeof *p->t);
    memmove(p->y + 1, p->y, sizeof p->y - sizeof *p->y);
    memmove(p->yp + 1, p->yp, sizeof p->yp - sizeof *p->yp);
    p->t[0] = g->t;
    memcpy(p->y[0], g->y, g->problem->n * sizeof(double));
    memcpy(p->yp[0], g->yp, g->problem->n * sizeof(double));
}

static double sum_of(const quad *factor, int steps, const points *p, bool slopes, size_t k)
{
    double sum = 0;
    for (int j = 0; j <= steps; j++)
        sum += (double)factor[j] * (slopes ? p->yp : p->y)[steps - j][k];
    return sum;
}

/* How far the newest step is from its formula and the equations, times h and over the largest
 * value.
 */
static double defect_of(const example *e, const points *p, double h)
{
    const method_multistep *f = e->which->multistep;
    const problem *q = &e->problem;
    double leg[3], slope[3], t = 0, r[3], worst = 0, largest = 1;
    double tau = f->blocked && q->index[2] == 2 ? sum_of(f->gamma, f->steps, p, false, 2) : 0;
    for (int j = 0; j <= f->steps; j++) t += (double)f->beta[j] * p->t[f->steps - j];
    for (size_t k = 0; k < q->n; k++) {
        for (int j = 0; j <= f->steps; j++) largest = fmax(largest, fabs(p->y[j][k]));
        leg[k] = f->one_leg ? sum_of(f->beta, f->steps, p, false, k) : p->y[0][k];
        double rise = sum_of(f->alpha, f->steps, p, false, k) / h;
        slope[k] = f->one_leg ? rise : p->yp[0][k];
        if (f->one_leg || !q->dynamic[k]) continue;
        double off = rise - sum_of(f->beta, f->steps, p, true, k);
        off += p->y[0][k] / e->mass[k] * tau; /* of the circle, whose y'_z that is */
        worst = fmax(worst, fabs(off * h));
    }
    ck_assert_int_eq(example_residual((void *)e, f->one_leg ? t : p->t[0], leg, slope, r), DAE_OK);
    for (size_t k = 0; k < q->n; k++) worst = fmax(worst, fabs(r[k] * h));
    return worst / largest;
}

/* After the points with which it starts; one of them, and later the newest one, is replaced. */
static void check_formula(example *e, engine *g, double h)
{
    points p = {0};
    int steps = e->which->multistep->steps;
    remember(&p, g);
    for (int n = 1; n < 24; n++) {
        double y[3] = {0}, yp[3] = {0};
        size_t size = g->problem->n * sizeof *y, last = g->problem->n > 1;
        dae_status status = engine_step(g, 100);
        ck_assert_msg(status == DAE_OK, "%s, step %d: %s", e->which->name, n,
                      dae_status_word(status));
        remember(&p, g);
        if (n > 5 && n >= steps) {
            double off = defect_of(e, &p, h);
            ck_assert_msg(off < 1e-13, "%s, step %d: off by %g", e->which->name, n, off);
        }
        if (n != 4 && n != 12) continue;
        memcpy(y, g->y, size);
        memcpy(yp, g->yp, size);
        y[0] += 1e-7, yp[last] -= 1e-5;
        engine_replace(g, y, yp);
        ck_assert(g->y[0] == y[0] && g->yp[last] == yp[last]);
        memcpy(p.y[0], y, size);
        memcpy(p.yp[0], yp, size);
    }
}

/* On equations of this index; whether a blocked method had something to block. */
static bool check_row(const char *name, int index)
{
    const double h = 0.01;
    const engine_options options = {.fixed_step = h};
    example e;
    engine *g;
    message m = {0};
    double y[3], yp[3];
    if (index == 2) {
        begin_circle(&e, options, name, &g);
    } else if (index == 1) {
        begin(&e, 3, 2, nonlinear, nonlinear_slope);
        g = engine_for(&e, name, options);
        exact(0.2, y, yp);
        engine_start(g, 0.2, y, yp);
    } else {
        begin(&e, 1, 1, square, square_slope);
        g = engine_for(&e, name, options);
        engine_start(g, 0.2, (const double[]){-1}, (const double[]){1});
    }
    ck_assert_int_eq(engine_examine(g, &m), DAE_OK);
    check_formula(&e, g, h);
    bool blocks = index == 2 && e.which->multistep->blocked;
    dispose(&e, g);
    return blocks;
}

START_TEST(steps_satisfy_their_formulas)
{
    size_t i = 0;
    int rows = 0, blocked = 0;
    for (const char *name = multistep_at(&i); name; name = multistep_at(&i), rows++) {
        int highest = highest_index(name);
        for (int index = 0; index <= highest; index++) blocked += check_row(name, index);
    }
    ck_assert_int_ge(rows, 30);
    ck_assert_int_ge(blocked, 7);
}
END_TEST

UNIT_MAIN("integrate/multistep", 30, steps_satisfy_their_formulas)
