/* Whether a Jacobian that the author gave, or its pattern, agrees with his equations. */
#include "base/scatter.h"
#include "problem/callback_state.h"

#include <math.h>
#include <stdlib.h>

/* Steps along the direction, relative to the sizes of the unknowns; and the error, as a part of a
 * row, above which a remark is made. GROSS holds for a Jacobian that the author computes, which
 * need not be exact. FINE holds for differences, which have a larger error only if the pattern
 * leaves something out. */
static const double LONG_STEP = 0x1p-14, SHORT_STEP = 0x1p-17, GROSS = 0.01, FINE = 1e-5;

typedef struct check {
    callbacks *c;
    double t;
    const double *y, *yp;
    bool by_derivative; /* dF/dy' is checked, else dF/dy */
    double allowed;     /* the error that a row may have, as a part of it */
    double *direction, *moved, *after, *before, *far, *near; /* n each */
} check;

/* The derivative of F along the direction, by a central difference. */
static bool difference(check *k, double step, double *jacobian)
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
    for (size_t i = 0; i < n; i++) jacobian[i] = (k->after[i] - k->before[i]) / (2 * step);
    return true;
}

static double size_of(const check *k, size_t j)
{
    double x = k->by_derivative ? k->yp[j] : k->y[j];
    return fmax(fabs(x), k->by_derivative ? k->c->yp_nominal[j] : k->c->e->nominal[j]);
}

/* The direction of the test, as parts of the sizes. No part is small, and neighbouring columns get
 * different parts, because differences attribute what a pattern leaves out to another column.
 * Multiples of the golden section, modulo 1, have these properties. */
static double part_of(size_t j)
{
    return 1 + 0.5 * scattered(j);
}

/* How a row changes along some columns only. */
static double change_along(check *k, size_t row, const size_t *column, size_t begin, size_t end)
{
    for (size_t j = 0; j < k->c->e->n; j++) k->direction[j] = 0;
    for (size_t i = begin; i < end; i++)
        k->direction[column[i]] = size_of(k, column[i]) * part_of(column[i]);
    return difference(k, SHORT_STEP, k->near) ? fabs(k->near[row]) : 0;
}

static size_t columns_without(const sparse_pattern *p, size_t row, size_t *column)
{
    size_t count = 0;
    for (size_t j = 0; j < p->columns; j++) {
        bool there = false;
        for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++)
            there = there || (size_t)p->row[e] == row;
        if (!there) column[count++] = j;
    }
    return count;
}

/* A column that the pattern leaves out of a row although the row changes with it by `least` or
 * more. Halving finds it in a few evaluations. PROBLEM_NOWHERE: there is none. */
static size_t find_left_out(check *k, const sparse_pattern *p, size_t row, double least)
{
    size_t *column = malloc((p->columns + 1) * sizeof *column), begin = 0;
    size_t end = column ? columns_without(p, row, column) : 0;
    bool any = end > 0 && change_along(k, row, column, begin, end) >= least;
    while (any && end - begin > 1) {
        size_t middle = begin + (end - begin) / 2;
        double first = change_along(k, row, column, begin, middle);
        if (first >= change_along(k, row, column, middle, end))
            end = middle;
        else
            begin = middle;
    }
    size_t found = any ? column[begin] : PROBLEM_NOWHERE;
    free(column);
    return found;
}

static void report(check *k, size_t row, size_t left_out, size_t others, double off, message *m)
{
    const problem_form *form = &k->c->form;
    text name = {0}, variable = {0};
    form->name_equation(k->c, row, &name);
    if (others > 0) text_format(&name, " (and %zu more)", others);
    if (left_out != PROBLEM_NOWHERE) {
        form->name_variable(k->c, left_out, &variable);
        message_note(
            m,
            "the pattern of the Jacobian by %s leaves out %s%s, which occurs in %s: add it, "
            "or iterations converge slowly and Rosenbrock methods lose their order",
            k->by_derivative ? "y'" : "y", text_string(&variable), k->by_derivative ? "'" : "",
            text_string(&name));
    } else {
        message_note(m,
                     "the Jacobian by %s disagrees with differences of %s by %.3g %% of its size "
                     "along a test direction: check its callback and its pattern",
                     k->by_derivative ? "y'" : "y", text_string(&name), 100 * off);
    }
    text_free(&variable);
    text_free(&name);
}

/* Note the rows where the two differences agree and the matrix is far from them. */
static void compare(check *k, const sparse_pattern *p, const double *value, message *m)
{
    size_t n = k->c->e->n, wrong = 0, first = 0;
    double *product = k->after, *size = k->before, off = 0, least = 0;
    sparse_multiply(p, value, k->direction, product);
    for (size_t i = 0; i < n; i++) size[i] = fabs(k->near[i]);
    miss_add_terms(p, value, k->direction, NULL, size);
    for (size_t i = 0; i < n; i++) {
        double error = fabs(product[i] - k->near[i]);
        if (!(error > k->allowed * size[i]) || !(fabs(k->near[i] - k->far[i]) < 0.1 * error))
            continue;
        if (wrong++ > 0) continue;
        first = i;
        off = error / size[i];
        least = 0.05 * error;
    }
    if (wrong > 0) report(k, first, find_left_out(k, p, first, least), wrong - 1, off, m);
}

static void look_along(check *k, const sparse_pattern *p, const double *value, message *m)
{
    const callbacks *c = k->c;
    for (size_t j = 0; j < c->e->n; j++) k->direction[j] = size_of(k, j) * part_of(j);
    if (difference(k, LONG_STEP, k->far) && difference(k, SHORT_STEP, k->near))
        compare(k, p, value, m);
}

void callbacks_check_jacobian(callbacks *c, double t, const double *y, const double *yp, message *m)
{
    const equations *e = c->e;
    size_t n = e->n;
    bool given = callback_has_jacobian(e) || form_call_given(&e->calls.mass_by_y);
    bool dense = e->jacobian.dense && (!e->row->implicit || e->mass.dense) && !e->detect_pattern;
    if (e->constant_jacobian || (!given && dense)) return; /* nothing can be wrong */
    if (callback_linearize(c, t, y, yp, DIFFERENCES_FINE) != DAE_OK) return;
    double *space = calloc(6 * n, sizeof *space);
    if (!space) return;
    check k = {.c = c,
               .t = t,
               .y = y,
               .yp = yp,
               .allowed = given ? GROSS : FINE,
               .direction = space,
               .moved = space + n,
               .after = space + 2 * n,
               .before = space + 3 * n,
               .far = space + 4 * n,
               .near = space + 5 * n};
    look_along(&k, c->jacobian_pattern, c->jacobian, m);
    k.by_derivative = true;
    if (!e->constant_mass) look_along(&k, c->mass_pattern, c->mass, m);
    free(space);
}
