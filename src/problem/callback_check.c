/* Whether a Jacobian that the author gave, or its pattern, agrees with his equations. */
#include "base/scatter.h"
#include "problem/callback_state.h"

#include <math.h>
#include <stdlib.h>

/* Steps along the direction, relative to the sizes of the unknowns; and the part of a row by which
 * it may be off before that is worth a remark. */
static const double LONG_STEP = 0x1p-14, SHORT_STEP = 0x1p-17, GROSS = 0.01;

typedef struct check {
    callbacks *c;
    double t;
    const double *y, *yp;
    bool by_derivative;                                      /* dF/dy' is looked at */
    double *direction, *moved, *after, *before, *far, *near; /* n each */
} check;

/* dF along the direction by a central difference. */
static bool difference(check *k, double step, double *slope)
{
    callbacks *c = k->c;
    size_t n = c->e->n;
    const double *x = k->by_derivative ? k->yp : k->y;
    for (int side = 0; side < 2; side++) {
        double *r = side ? k->before : k->after;
        for (size_t j = 0; j < n; j++) k->moved[j] = x[j] + (side ? -step : step) * k->direction[j];
        c->problem.counts.residuals++;
        if (callback_residual(c, k->t, k->by_derivative ? k->y : k->moved,
                              k->by_derivative ? k->moved : k->yp, r) != DAE_OK)
            return false;
    }
    for (size_t i = 0; i < n; i++) slope[i] = (k->after[i] - k->before[i]) / (2 * step);
    return true;
}

/* Note the rows where the matrix and both differences, which agree, are far apart. */
static void compare(check *k, const sparse_pattern *p, const double *value, message *m)
{
    callbacks *c = k->c;
    size_t n = c->e->n, wrong = 0, first = 0;
    double *product = k->after, *size = k->before, off = 0;
    sparse_multiply(p, value, k->direction, product);
    for (size_t i = 0; i < n; i++) size[i] = fabs(k->near[i]);
    for (size_t j = 0; j < n; j++)
        for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++)
            size[p->row[e]] += fabs(value[e] * k->direction[j]);
    for (size_t i = 0; i < n; i++) {
        double error = fabs(product[i] - k->near[i]);
        if (!(error > GROSS * size[i]) || !(fabs(k->near[i] - k->far[i]) < 0.1 * error)) continue;
        if (wrong++ > 0) continue;
        first = i;
        off = error / size[i];
    }
    if (wrong == 0) return;
    text name = {0};
    c->problem.form->name_equation(c, first, &name);
    if (wrong > 1) text_format(&name, " (and of %zu more)", wrong - 1);
    message_note(
        m,
        "the Jacobian by %s disagrees with differences of %s by %.3g %% of its size along a "
        "direction of test: look at its callback and its pattern",
        k->by_derivative ? "y'" : "y", text_string(&name), 100 * off);
    text_free(&name);
}

static void look_along(check *k, const sparse_pattern *p, const double *value, message *m)
{
    const callbacks *c = k->c;
    for (size_t j = 0; j < c->e->n; j++) {
        double x = k->by_derivative ? k->yp[j] : k->y[j];
        k->direction[j] = fmax(fabs(x), c->e->nominal[j]) * scattered(j);
    }
    if (difference(k, LONG_STEP, k->far) && difference(k, SHORT_STEP, k->near))
        compare(k, p, value, m);
}

void callbacks_check_jacobian(callbacks *c, double t, const double *y, const double *yp, message *m)
{
    const equations *e = c->e;
    size_t n = e->n;
    bool given = callback_has_jacobian(e) || callback_has_mass_slope(e),
         residual = e->kind == EQUATIONS_RESIDUAL;
    bool dense = e->slope.dense && (!residual || e->mass.dense) && !e->detect_pattern;
    if (e->constant_slope || (!given && dense)) return; /* nothing that could be wrong */
    if (callback_linearize(c, t, y, yp, DIFFERENCES_FINE) != DAE_OK) return;
    double *space = calloc(6 * n, sizeof *space);
    if (!space) return;
    check k = {.c = c,
               .t = t,
               .y = y,
               .yp = yp,
               .direction = space,
               .moved = space + n,
               .after = space + 2 * n,
               .before = space + 3 * n,
               .far = space + 4 * n,
               .near = space + 5 * n};
    look_along(&k, c->slope_pattern, c->slope, m);
    k.by_derivative = true;
    if (!e->constant_mass) look_along(&k, c->mass_pattern, c->mass, m);
    free(space);
}
