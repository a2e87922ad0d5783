#include "problem/callbacks.h"

#include "linalg/rows.h"
#include "nonlinear/differences.h"
#include "problem/callback_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The widest distance in time for derivatives, in units of time: t itself does not tell how fast
 * things change. It is at least the part LATE of t, so that t + s differs from t. Distances shrink
 * from there to 1e-9 of it, by powers of 2, because at late t others would be rounded in t + s. */
static const double WIDEST = 0x1p-3, LATE = 0x1p-27;

struct callback_start {
    start_system system;
    callbacks *c;
    arena memory;
    size_t n, hiddens;
    size_t *row; /* hiddens: the algebraic rows that are differentiated */

    /* The places of the Jacobian's entries, in the order in which they were listed: dF/dy, dF/dy',
     * hidden rows by y', hidden rows by y. */
    const uint32_t *where;
    size_t *taken;          /* the nonzero of dF/dy for each entry of the third part */
    differences *curvature; /* derivatives of the hidden rows by y: the fourth part */
    double *curved;         /* its values */
    double *hidden_here;    /* hiddens */

    derivative_along *along; /* NULL: the author gave all derivatives */
    double *point;           /* n: a point of the curve */
    double *rest;            /* n: F there, and dF/dt */
    /* n each: start values and guesses of y', borrowed while this is made; NULL: none */
    const double *start, *start_yp;
    double t; /* of what is being differentiated */
    const double *y, *yp;
};

/* The hidden rows of F along (1, y'), or by time only if the Jacobian gives the rest. */
static dae_status curve_value(void *self, double s, double *g)
{
    callback_start *b = self;
    bool by_time = callback_has_jacobian(b->c->e);
    for (size_t j = 0; j < b->n; j++) b->point[j] = b->y[j] + (by_time ? 0 : s * b->yp[j]);
    b->c->problem.counts.residuals++;
    dae_status status = callback_residual(b->c, b->t + s, b->point, b->yp, b->rest);
    for (size_t h = 0; status == DAE_OK && h < b->hiddens; h++) g[h] = b->rest[b->row[h]];
    return status;
}

/* g += dF/dy y' in the hidden rows. */
static dae_status add_jacobian_part(callback_start *b, double *g)
{
    callbacks *c = b->c;
    dae_status status = callback_linearize(c, b->t, b->y, b->yp, DIFFERENCES_FINE);
    if (status != DAE_OK) return status;
    sparse_multiply(c->jacobian_pattern, c->jacobian, b->yp, b->rest);
    for (size_t h = 0; h < b->hiddens; h++) g[h] += b->rest[b->row[h]];
    return DAE_OK;
}

/* The derivatives of the hidden rows at (t, y, y'). */
static dae_status hidden_value(callback_start *b, double *g)
{
    callbacks *c = b->c;
    dae_status status;
    if (b->along) {
        double late = exp2(ceil(log2(fmax(LATE * fabs(b->t), c->problem.time_unit))));
        status = derivative_along_find(b->along, curve_value, b, WIDEST * late, g);
    } else {
        status = callback_time_derivative(c, b->t, b->y, b->yp, b->rest);
        for (size_t h = 0; h < b->hiddens; h++) g[h] = b->rest[b->row[h]];
    }
    if (status == DAE_OK && callback_has_jacobian(c->e)) status = add_jacobian_part(b, g);
    return status == DAE_OK && !vector_is_finite(b->hiddens, g) ? DAE_NOT_EVALUABLE : status;
}

static void stand(callback_start *b, double t, const double *y, const double *yp)
{
    b->t = t;
    b->y = y;
    b->yp = yp;
}

/* Where a callback refuses the point, no row has a value; otherwise those that are finite have. */
static dae_status start_value(void *self, double t, const double *z, double *r)
{
    callback_start *b = self;
    stand(b, t, z, z + b->n);
    dae_status status = problem_residual(&b->c->problem, t, z, z + b->n, r);
    bool refused = status == DAE_NOT_EVALUABLE && b->c->refused;
    for (size_t i = 0; i < b->n && refused; i++) r[i] = (double)NAN;
    if (b->hiddens == 0) return status;
    if (status == DAE_OK) status = hidden_value(b, r + b->n);
    for (size_t h = 0; h < b->hiddens && status == DAE_NOT_EVALUABLE; h++)
        r[b->n + h] = (double)NAN;
    return status;
}

static dae_status hidden_of_y(void *self, const double *y, double *g)
{
    callback_start *b = self;
    b->y = y;
    return hidden_value(b, g);
}

static dae_status start_jacobian(void *self, double t, const double *z, double *value)
{
    callback_start *b = self;
    callbacks *c = b->c;
    const uint32_t *where = b->where;
    size_t entries = b->curvature->pattern->nonzeros;
    dae_status status = problem_linearize(&c->problem, t, z, z + b->n);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < c->jacobian_pattern->nonzeros; k++) value[*where++] = c->jacobian[k];
    for (size_t k = 0; k < c->mass_pattern->nonzeros; k++) value[*where++] = c->mass[k];
    for (size_t k = 0; k < entries; k++) value[*where++] = c->jacobian[b->taken[k]];
    if (b->hiddens == 0) return DAE_OK;
    stand(b, t, z, z + b->n);
    status = hidden_value(b, b->hidden_here);
    const vector_function f = {.value = hidden_of_y, .self = b};
    if (status == DAE_OK)
        status = differences_jacobian(b->curvature, f, z, c->problem.nominal, b->hidden_here,
                                      DIFFERENCES_FINE, b->curved);
    for (size_t k = 0; status == DAE_OK && k < entries; k++) value[*where++] = b->curved[k];
    return status;
}

static void start_name_row(void *self, size_t row, text *t)
{
    callback_start *b = self;
    problem *p = &b->c->problem;
    if (row >= b->n) text_add(t, "the derivative of ");
    p->form->name_equation(p->self, row >= b->n ? b->row[row - b->n] : row, t);
}

static void start_locate_row(void *self, size_t row, text *t)
{
    (void)row;
    text_add(t, ((callback_start *)self)->c->e->name);
}

static void start_name_entry(void *self, size_t entry, text *t)
{
    callback_start *b = self;
    problem *p = &b->c->problem;
    if (entry >= b->n) text_add(t, "the derivative of ");
    p->form->name_variable(p->self, entry % b->n, t);
}

static const start_form callback_start_form = {
    .rows_apart = true,
    .value = start_value,
    .jacobian = start_jacobian,
    .name_row = start_name_row,
    .locate_row = start_locate_row,
    .name_entry = start_name_entry,
};

/* What the rows of F contain, as bits. */
enum { HAS_DERIVATIVE = 1, HAS_ALGEBRAIC = 2 };

static void look_at_rows(const callbacks *c, unsigned char *contains)
{
    const sparse_pattern *m = c->mass_pattern, *s = c->jacobian_pattern;
    for (size_t k = 0; k < m->nonzeros; k++)
        if (c->seen.mass[k]) contains[m->row[k]] |= HAS_DERIVATIVE;
    for (size_t j = 0; j < s->columns; j++)
        for (sparse_index k = s->start[j]; k < s->start[j + 1]; k++)
            if (c->seen.jacobian[k] && !c->problem.dynamic[j]) contains[s->row[k]] |= HAS_ALGEBRAIC;
}

static void choose_rows(callback_start *b)
{
    const callbacks *c = b->c;
    unsigned char *contains = arena_array(&b->memory, b->n, sizeof *contains);
    bool high = false;
    for (size_t j = 0; j < b->n; j++) high = high || c->problem.index[j] > 1;
    look_at_rows(c, contains);
    b->row = arena_array(&b->memory, b->n, sizeof *b->row);
    for (size_t i = 0; i < b->n; i++)
        if (contains[i] == 0 || (high && contains[i] == HAS_ALGEBRAIC)) b->row[b->hiddens++] = i;
}

/* Make a matrix of the seen part of dF/dy in the rows that are differentiated. */
static void take_hidden_part(callback_start *b)
{
    const sparse_pattern *s = b->c->jacobian_pattern;
    arena *a = &b->memory;
    size_t *hidden_of = arena_array(a, b->n, sizeof *hidden_of); /* counted from 1 */
    bool *kept = arena_array(a, s->nonzeros, sizeof *kept);
    for (size_t h = 0; h < b->hiddens; h++) hidden_of[b->row[h]] = h + 1;
    for (size_t k = 0; k < s->nonzeros; k++)
        kept[k] = b->c->seen.jacobian[k] && hidden_of[s->row[k]];
    sparse_pattern *p = sparse_part(a, s, kept, &b->taken);
    p->rows = b->hiddens;
    for (size_t k = 0; k < p->nonzeros; k++) p->row[k] = (sparse_index)hidden_of[p->row[k]] - 1;
    b->curvature = differences_create(a, p);
    b->curved = arena_array(a, p->nonzeros, sizeof(double));
    b->hidden_here = arena_array(a, b->hiddens, sizeof(double));
}

static void build_pattern(callback_start *b)
{
    const callbacks *c = b->c;
    arena *a = &b->memory;
    take_hidden_part(b);
    sparse_entries e = sparse_entries_take(a, c->jacobian_pattern->nonzeros +
                                                  c->mass_pattern->nonzeros +
                                                  2 * b->curvature->pattern->nonzeros);
    sparse_entries_add_all(&e, c->jacobian_pattern, 0, 0);
    sparse_entries_add_all(&e, c->mass_pattern, 0, b->n);
    sparse_entries_add_all(&e, b->curvature->pattern, b->n, b->n);
    sparse_entries_add_all(&e, b->curvature->pattern, b->n, 0);
    b->system.pattern = sparse_entries_build(a, &e, b->n + b->hiddens, 2 * b->n);
    b->where = e.where;
}

/* The given values, once held ones are fixed: those of algebraic variables only in the parts in
 * which a differential one is not given. `guessed`: all that are given; NULL if there is no such
 * part. */
static bool *guessed_in_parts(callback_start *b, const bool *given, bool *guessed)
{
    arena *a = &b->memory;
    const sparse_pattern *pattern = b->system.pattern;
    const bool *dynamic = b->c->problem.dynamic;
    size_t *row_part = arena_array(a, pattern->rows, sizeof *row_part),
           *part = arena_array(a, pattern->columns, sizeof *part),
           parts = sparse_parts(a, pattern, row_part, part);
    bool *missing = arena_array(a, parts + 1, sizeof *missing), any = false;
    for (size_t j = 0; j < b->n; j++) {
        if (!dynamic[j] || given[j]) continue;
        any = true;
        if (part[j] != SPARSE_NO_PART) missing[part[j]] = true;
    }
    for (size_t j = 0; j < b->n; j++)
        if (part[j] == SPARSE_NO_PART || !missing[part[j]]) guessed[j] = given[j];
    return any ? guessed : NULL;
}

/* Preference as a state: given values before others, differentiated variables before those that
 * only occur, and variables before their derivatives. The start of a model has the same order. Once
 * held values are fixed, given algebraic values rank before differential ones that are not given,
 * and after those that are. If all differential values are given, algebraic values only say where
 * the search begins. */
static void take_start_values(callback_start *b)
{
    arena *a = &b->memory;
    const problem *p = &b->c->problem;
    size_t n = b->n;
    double *guess, *nominal, *preference;
    arena_vectors(a, 2 * n, (double **const[]){&guess, &nominal, &preference, NULL});
    bool *given = arena_array(a, 2 * n, sizeof *given);
    bool *guessed = arena_array(a, 2 * n, sizeof *guessed);
    bool *variable = arena_array(a, 2 * n, sizeof *variable);
    bool *differentiated = arena_array(a, 2 * n, sizeof *differentiated);
    for (size_t j = 0; j < n; j++) {
        guessed[j] = b->start && !isnan(b->start[j]);
        given[j] = guessed[j] && p->dynamic[j];
        guess[j] = guessed[j] ? b->start[j] : 0;
        guess[n + j] = b->start_yp ? b->start_yp[j] : 0;
        nominal[j] = p->nominal[j];
        nominal[n + j] = b->c->yp_nominal[j];
        preference[j] = (given[j] ? 10 : 1) * (p->dynamic[j] ? 1 : 1e-12);
        preference[n + j] = 1e-18;
        variable[j] = true;
        differentiated[j] = p->dynamic[j];
    }
    b->system.guess = guess;
    b->system.nominal = nominal;
    b->system.preference = preference;
    b->system.given = b->system.held = given;
    b->system.variable = variable;
    b->system.fixed = arena_array(a, 2 * n, sizeof(bool)); /* none */
    b->system.guessed = guessed_in_parts(b, given, guessed);
    b->system.differentiated = differentiated;
}

static void make(void *argument)
{
    callback_start *b = argument;
    const equations *e = b->c->e;
    b->n = e->n;
    b->system.form = &callback_start_form;
    b->system.self = b;
    choose_rows(b);
    build_pattern(b);
    take_start_values(b);
    b->system.size = 2 * b->n;
    b->system.equations = b->system.rows = b->n + b->hiddens;
    arena_vectors(&b->memory, b->n, (double **const[]){&b->point, &b->rest, NULL});
    if (!callback_has_jacobian(e) || !callback_has_time_derivative(e))
        b->along = derivative_along_create(&b->memory, b->hiddens);
}

dae_status callback_start_create(callback_start **created, callbacks *c, const double *start,
                                 const double *yp)
{
    callback_start *b = calloc(1, sizeof *b);
    if (!b) return DAE_NO_MEMORY;
    b->c = c;
    b->start = start;
    b->start_yp = yp;
    dae_status status = arena_protect(&b->memory, make, b);
    if (status == DAE_OK)
        *created = b;
    else
        callback_start_free(b);
    return status;
}

const start_system *callback_start_system(const callback_start *b)
{
    return &b->system;
}

const size_t *callback_start_hidden(const callback_start *b, size_t *count)
{
    *count = b->hiddens;
    return b->row;
}

void callback_start_free(callback_start *b)
{
    if (!b) return;
    arena_free(&b->memory);
    free(b);
}
