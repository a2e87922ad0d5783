/* Whether a Jacobian that the author gave, or its pattern, agrees with his equations. */
#include "base/scatter.h"
#include "problem/callback_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    bool given;         /* by the author, else by differences */
    double allowed;     /* the error that a row may have, as a part of it */
    bool wrong;         /* an entry of the author's is */
    bool *bent;         /* n: columns along which a row bends; of the row that is looked at */
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

/* An entry of the matrix that is not the derivative of the row, and what is. */
typedef struct wrong_entry {
    size_t column;
    double given, found;
} wrong_entry;

/* By how much the matrix misses the change of a row along some columns only. */
static double error_along(check *k, const sparse_pattern *p, const double *value, size_t row,
                          size_t begin, size_t end)
{
    double product = 0;
    for (size_t j = 0; j < p->columns; j++)
        k->direction[j] = j >= begin && j < end && !k->bent[j] ? size_of(k, j) * part_of(j) : 0;
    for (size_t j = begin; j < end; j++)
        for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++)
            if ((size_t)p->row[e] == row) product += value[e] * k->direction[j];
    if (!difference(k, SHORT_STEP, k->near)) return 0;
    return fabs(product - k->near[row]);
}

/* Whether one entry misses at least `least` of a row, by itself: slopes by both steps, and to both
 * sides, agree, as they do neither where the row bends or jumps nor where round-off makes them. */
static bool entry_is_wrong(check *k, const sparse_pattern *p, const double *value, size_t row,
                           double least, wrong_entry *w)
{
    static const double AGREE = 0.1;
    double error = error_along(k, p, value, row, w->column, w->column + 1);
    double way = k->direction[w->column], near = k->near[row];
    double above = k->after[row], below = k->before[row];
    if (!(error >= least) || !difference(k, LONG_STEP, k->far) ||
        !(fabs(k->far[row] - near) <= AGREE * error) ||
        callback_residual(k->c, k->t, k->y, k->yp, k->near) != DAE_OK)
        return false;
    k->c->problem.counts.residuals++;
    double here = k->near[row], up = (above - here) / SHORT_STEP,
           down = (here - below) / SHORT_STEP;
    if (!(fabs(up - down) <= AGREE * error)) return false;
    w->given = 0;
    w->found = near / way;
    for (sparse_index e = p->start[w->column]; e < p->start[w->column + 1]; e++)
        if ((size_t)p->row[e] == row) w->given = value[e];
    return true;
}

/* Halving finds the entry that makes most of the error of a row in a few evaluations. Errors of
 * several entries may cancel in a half, but not in both. */
static size_t find_largest(check *k, const sparse_pattern *p, const double *value, size_t row)
{
    size_t begin = 0, end = p->columns;
    while (end - begin > 1) {
        size_t middle = begin + (end - begin) / 2;
        double first = error_along(k, p, value, row, begin, middle);
        if (first >= error_along(k, p, value, row, middle, end))
            end = middle;
        else
            begin = middle;
    }
    return begin;
}

/* The same without columns along which the row bends, where there is no derivative to give. */
static bool find_wrong(check *k, const sparse_pattern *p, const double *value, size_t row,
                       double least, wrong_entry *w)
{
    enum { MOST_BENDS = 4 };
    memset(k->bent, 0, p->columns * sizeof *k->bent);
    for (int bends = 0; bends <= MOST_BENDS; bends++) {
        w->column = find_largest(k, p, value, row);
        if (entry_is_wrong(k, p, value, row, least, w)) return true;
        k->bent[w->column] = true;
    }
    return false;
}

static void report_wrong(check *k, size_t row, const wrong_entry *w, message *m)
{
    const problem_form *form = &k->c->form;
    const equations *e = k->c->e;
    /* M y' - f has the author's derivatives of f with the other sign */
    bool turned = !k->by_derivative && !e->row->implicit && !form_call_given(&e->calls.mass_by_y);
    double sign = turned ? -1 : 1;
    text name = {0}, variable = {0};
    const char *prime = k->by_derivative ? "'" : "";
    form->name_equation(k->c, row, &name);
    form->name_variable(k->c, w->column, &variable);
    message_note(
        m,
        "the Jacobian by y%s disagrees with differences of %s: by %s%s its callback gives "
        "%.6g, and differences give %.6g. Correct it, or leave it out, so that it is found "
        "by differences: iterations may converge slowly or not at all, and Rosenbrock "
        "methods lose their order",
        prime, text_string(&name), text_string(&variable), prime, sign * w->given + 0.0,
        sign * w->found + 0.0);
    text_free(&variable);
    text_free(&name);
    k->wrong = true;
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

/* A row that the matrix is far from, by which part of its size, and by how much at least. */
typedef struct far_row {
    size_t row;
    double off, least;
} far_row;

/* Notes the first of these rows of which that can be told, if it is one of the first few. */
static void note_rows(check *k, const sparse_pattern *p, const double *value, const far_row *far,
                      size_t count, message *m)
{
    enum { MOST_ROWS = 8 };
    bool told = false;
    for (size_t i = 0; i < count && i < MOST_ROWS && !told; i++) {
        size_t left_out = find_left_out(k, p, far[i].row, far[i].least);
        wrong_entry w;
        told = !k->given || left_out != PROBLEM_NOWHERE;
        if (told) {
            report(k, far[i].row, left_out, count - 1, far[i].off, m);
            k->wrong = k->given;
        } else if (find_wrong(k, p, value, far[i].row, far[i].least, &w)) {
            report_wrong(k, far[i].row, &w, m);
            told = true;
        }
    }
}

/* Note the rows where the two differences agree and the matrix is far from them. */
static void compare(check *k, const sparse_pattern *p, const double *value, message *m)
{
    size_t n = k->c->e->n, count = 0;
    double *product = k->after, *size = k->before;
    far_row *far = malloc((n + 1) * sizeof *far);
    if (!far) return;
    sparse_multiply(p, value, k->direction, product);
    for (size_t i = 0; i < n; i++) size[i] = fabs(k->near[i]);
    miss_add_terms(p, value, k->direction, NULL, size);
    for (size_t i = 0; i < n; i++) {
        double error = fabs(product[i] - k->near[i]);
        if (error > k->allowed * size[i] && fabs(k->near[i] - k->far[i]) < 0.1 * error)
            far[count++] = (far_row){i, error / size[i], 0.05 * error};
    }
    note_rows(k, p, value, far, count, m);
    free(far);
}

static void look_along(check *k, const sparse_pattern *p, const double *value, message *m)
{
    const callbacks *c = k->c;
    for (size_t j = 0; j < c->e->n; j++) k->direction[j] = size_of(k, j) * part_of(j);
    if (difference(k, LONG_STEP, k->far) && difference(k, SHORT_STEP, k->near))
        compare(k, p, value, m);
}

bool callbacks_check_jacobian(callbacks *c, double t, const double *y, const double *yp, message *m)
{
    const equations *e = c->e;
    size_t n = e->n;
    bool given = callback_has_jacobian(e) || form_call_given(&e->calls.mass_by_y);
    bool dense = e->jacobian.dense && (!e->row->implicit || e->mass.dense) && !e->detect_pattern;
    if (e->constant_jacobian || (!given && dense)) return true; /* nothing can be wrong */
    if (callback_linearize(c, t, y, yp, DIFFERENCES_FINE) != DAE_OK) return true;
    double *space = calloc(6 * n, sizeof *space);
    bool *bent = calloc(n, sizeof *bent);
    if (!space || !bent) {
        free(space);
        free(bent);
        return true;
    }
    check k = {.c = c,
               .t = t,
               .y = y,
               .yp = yp,
               .given = given,
               .allowed = given ? GROSS : FINE,
               .bent = bent,
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
    free(bent);
    return !k.wrong;
}
