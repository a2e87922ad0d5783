#include "problem/callbacks.h"

#include "problem/callback_state.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static dae_status form_residual(void *self, double t, const double *y, const double *yp, double *r)
{
    callbacks *c = self;
    c->refused = NULL;
    return callback_residual(c, t, y, yp, r);
}

static dae_status form_linearize(void *self, double t, const double *y, const double *yp)
{
    return callback_linearize(self, t, y, yp, DIFFERENCES_FINE);
}

/* y' = M^-1 f(t, y) */
static dae_status form_yp(void *self, double t, const double *y, double *yp)
{
    callbacks *c = self;
    c->refused = NULL;
    dae_status status = callback_right_side(c, t, y, yp);
    if (status == DAE_OK) /* checked here, before the solution mixes the rows */
        status = problem_finite(&c->problem, c->e->n, yp);
    if (status == DAE_OK && c->mass_solver) linear_solver_solve(c->mass_solver, yp);
    return status;
}

static bool occurs_in(const sparse_pattern *p, const bool *seen, size_t i, size_t j)
{
    for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
        if ((size_t)p->row[k] == i) return seen[k];
    return false;
}

bool callbacks_yp_occurs(const callbacks *c, size_t i, size_t j)
{
    return occurs_in(c->mass_pattern, c->seen.mass, i, j);
}

static bool form_occurs(const void *self, size_t i, size_t j)
{
    const callbacks *c = self;
    return occurs_in(c->jacobian_pattern, c->seen.jacobian, i, j) || callbacks_yp_occurs(c, i, j);
}

static void mark(const sparse_pattern *p, const bool *seen, size_t j, bool *row)
{
    for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
        if (seen[k]) row[p->row[k]] = true;
}

void callbacks_mark_rows(const void *self, size_t j, bool *row)
{
    const callbacks *c = self;
    mark(c->jacobian_pattern, c->seen.jacobian, j, row);
    mark(c->mass_pattern, c->seen.mass, j, row);
}

static void form_name_variable(void *self, size_t j, text *t)
{
    text_add(t, ((const callbacks *)self)->e->variable[j]);
}

static void form_name_equation(void *self, size_t i, text *t)
{
    const equations *e = ((const callbacks *)self)->e;
    if (e->equation)
        text_add(t, e->equation[i]);
    else
        text_format(t, "equation %zu", i + 1);
}

/* What a C program's equations cost, estimated from what occurs in them. */

/* Costs in nanoseconds, from the problems of the Test Set for IVP Solvers: for each equation; for
 * each entry of the Jacobians that occurs, when the equations are evaluated; and for each, when a
 * callback computes it. */
static const double EQUATION = 3, TERM = 0.5, ENTRY = 3;

/* The cost of one evaluation per colour, and of the division of all entries. */
static double differences_cost(const differences *d, double evaluation)
{
    double columns = (double)d->pattern->columns, entries = (double)d->pattern->nonzeros;
    return (double)d->colouring->colours * (evaluation + columns) + ENTRY * entries;
}

static void form_costs(const void *self, problem_costs *costs)
{
    const callbacks *c = self;
    double jacobians = (double)c->seen.jacobians, masses = (double)c->seen.masses;
    costs->residual = EQUATION * (double)c->e->n + TERM * (jacobians + masses);
    costs->jacobian = costs->residual;
    if (callback_has_jacobian(c->e)) costs->jacobian += ENTRY * jacobians;
    if (form_call_given(&c->e->calls.mass_by_y)) costs->jacobian += ENTRY * jacobians;
    if (!c->e->constant_mass) costs->jacobian += ENTRY * masses;
    if (c->by_y) costs->jacobian += differences_cost(c->by_y, costs->residual);
    if (c->by_yp) costs->jacobian += differences_cost(c->by_yp, costs->residual);
}

static bool is_identity(const sparse_pattern *p, const double *value)
{
    bool identity = p->nonzeros == p->columns;
    for (size_t k = 0; identity && k < p->nonzeros; k++)
        identity = (size_t)p->row[k] == k && p->start[k] == (sparse_index)k && value[k] == 1;
    return identity;
}

/* If dF/dy' is constant and regular, y' follows from one solution. */
static dae_status factor_mass(callbacks *c)
{
    if (!c->e->constant_mass) return DAE_OK;
    c->has_yp = is_identity(c->mass_pattern, c->mass);
    if (c->has_yp) return DAE_OK;
    dae_status status = linear_solver_create(&c->mass_solver, c->mass_pattern, false);
    if (status == DAE_OK) status = linear_solver_factor(c->mass_solver, c->mass);
    bool regular = status == DAE_OK &&
                   linear_solver_rcond(c->mass_solver) > (double)c->e->n * DBL_EPSILON;
    if (!regular) linear_solver_free(c->mass_solver);
    if (!regular) c->mass_solver = NULL;
    c->has_yp = regular;
    return status == DAE_SINGULAR ? DAE_OK : status;
}

static void fill_form(callbacks *c)
{
    c->form = (problem_form){
        .name = c->e->row->name,
        .residual = form_residual,
        .linearize = form_linearize,
        .costs = form_costs,
        .time_derivative = callback_has_time_derivative(c->e) ? callback_time_derivative : NULL,
        .yp = c->has_yp ? form_yp : NULL,
        .occurs = form_occurs,
        .mark_rows = callbacks_mark_rows,
        .name_variable = form_name_variable,
        .name_equation = form_name_equation,
    };
}

/* Set the problem to its state before any use. */
static void reset_problem(callbacks *c, const bool *dynamic, unsigned char *index)
{
    const equations *e = c->e;
    memcpy(index, e->index, e->n * sizeof *index);
    problem p = problem_make(&c->form, c, e->n);
    p.by_yp = (problem_matrix){c->mass_pattern, c->mass, e->mass.dense ? c->seen.mass : NULL};
    p.by_y = (problem_matrix){c->jacobian_pattern, c->jacobian,
                              e->jacobian.dense ? c->seen.jacobian : NULL};
    p.factors = c->problem.factors;
    p.has_sign = true;
    p.nominal = e->nominal;
    p.dynamic = dynamic;
    p.constant_mass = e->constant_mass != NULL;
    p.constant = e->constant_mass && e->constant_jacobian;
    p.index = index;
    p.time_unit = c->problem.time_unit;
    c->problem = p;
}

static void describe(callbacks *c)
{
    const equations *e = c->e;
    bool *dynamic = arena_array(&c->memory, e->n, sizeof *dynamic);
    unsigned char *index = arena_array(&c->memory, e->n, sizeof *index);
    for (size_t j = 0; j < e->n; j++) {
        for (sparse_index k = c->mass_pattern->start[j]; k < c->mass_pattern->start[j + 1]; k++)
            dynamic[j] = dynamic[j] || c->seen.mass[k];
    }
    reset_problem(c, dynamic, index);
}

typedef struct making {
    callbacks *c;
    double t;
    const double *y;
    message *m;
} making;

static void make(void *argument)
{
    const making *g = argument;
    callbacks *c = g->c;
    const equations *e = c->e;
    c->jacobian_pattern = e->jacobian.pattern;
    c->jacobian_place = e->jacobian.place;
    c->mass_pattern = e->mass.pattern;
    c->here = arena_array(&c->memory, e->n, sizeof(double));
    c->problem = (problem){.n = e->n, .nominal = e->nominal};
    callback_prepare(c);
    callback_look(c, g->t, g->y, g->m);
    describe(c);
}

dae_status callbacks_create(callbacks **created, const equations *e, double t, const double *y,
                            message *m)
{
    callbacks *c = calloc(1, sizeof *c);
    if (!c) return message_fail(m, DAE_NO_MEMORY, "memory is exhausted");
    c->e = e;
    making g = {.c = c, .t = t, .y = y, .m = m};
    dae_status status = arena_protect(&c->memory, make, &g);
    if (status == DAE_OK) status = factor_mass(c);
    if (status != DAE_OK) {
        callbacks_free(c);
        return status == DAE_NO_MEMORY ? equations_out_of_memory(e->n, m)
                                       : message_fail(m, status, "%s", dae_status_meaning(status));
    }
    fill_form(c);
    *created = c;
    return DAE_OK;
}

bool callbacks_begin_again(callbacks *c, double t, const double *y)
{
    bool alike = callback_looks_alike(c, t, y);
    reset_problem(c, c->problem.dynamic, c->problem.index);
    problem_factors_look(&c->problem, true);
    return alike;
}

problem *callbacks_problem(callbacks *c)
{
    return &c->problem;
}

const char *callbacks_refused(const callbacks *c, int *code)
{
    *code = c->refused ? c->code : 0;
    return c->refused;
}

void callbacks_free(callbacks *c)
{
    if (!c) return;
    problem_factors_free(&c->problem);
    linear_solver_free(c->mass_solver);
    arena_free(&c->memory);
    free(c);
}
