/* dF/dp and dF/du of formulations, held against differences of F: over numbers that
 * dae_problem_set() takes, and over the source of inputs. */
#ifndef TESTS_FORMULATION_GIVEN_H
#define TESTS_FORMULATION_GIVEN_H

#include "base/unit.h"
#include "formulation/from_model.h"
#include "symbolic/graph.h"
#include "symbolic/simplify.h"

#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A formulation, in which for `inputs` each right side is multiplied by an input. */
typedef struct given_form {
    arena memory;
    message m;
    formulation_choice choice;
    bool inputs;
    sym_system *system;
    structure *own;
    formulation *f; /* NULL: the equations have none */
    uint32_t moved_id, moved_order;
    double moved_by;
} given_form;

static inline double source_of(void *self, uint32_t id, uint32_t order, double t)
{
    const given_form *g = self;
    bool moved = id == g->moved_id && order == g->moved_order;
    return 1.25 + 0.5 * sin(t + 0.3 * id + 1.2 * order) + (moved ? g->moved_by : 0);
}

static inline void build_given(void *argument)
{
    given_form *g = argument;
    sym_graph *graph = g->system->graph;
    for (uint32_t i = 0; g->inputs && i < g->system->equation.count; i++) {
        sym *right = &g->system->equation.item[i].rhs;
        *right = sym_multiply(graph, *right, sym_input(graph, i, 0, sym_time(graph)));
    }
    sym_give_inputs(graph, (sym_inputs){source_of, g});
    const structure *own = g->own;
    if (g->inputs) own = structure_analyze(g->system, &g->m);
    if (own) g->f = formulation_create(g->system, own, &g->choice);
}

static inline void open_given(given_form *g, const dae_problem *p, bool traced, bool inputs,
                              formulation_choice choice)
{
    memset(g, 0, sizeof *g);
    g->choice = choice;
    g->inputs = inputs;
    ck_assert_int_eq(model_problem_load(p, traced, &g->memory, &g->m, &g->system, &g->own), DAE_OK);
    ck_assert_int_eq(arena_protect(&g->memory, build_given, g), DAE_OK);
}

static inline void close_given(given_form *g)
{
    formulation_free(g->f);
    arena_free(&g->memory);
    message_free(&g->m);
}

/* What a comparison looks at. */
typedef struct given_point {
    size_t n;
    double t, *y, *yp, *r;
} given_point;

static inline bool residual_at(given_form *g, const given_point *at, double *r)
{
    problem *p = &g->f->form->problem;
    ck_assert_uint_eq(p->n, at->n);
    return problem_residual(p, at->t, at->y, at->yp, r) == DAE_OK;
}

typedef struct given_tally {
    size_t forms, columns, entries;
} given_tally;

/* A column against central differences over `size` and half of it: rounding shows in how far they
 * differ. */
static inline void column_agrees(const char *what, const problem_matrix *m, size_t column,
                                 double *const r[4], size_t n, double size, given_tally *sum)
{
    double *value = calloc(n, sizeof *value);
    for (sparse_index k = m->pattern->start[column]; k < m->pattern->start[column + 1]; k++)
        value[m->pattern->row[k]] += m->value[k];
    sum->columns++;
    for (size_t i = 0; i < n; i++) {
        double wide = (r[0][i] - r[1][i]) / (2 * size), narrow = (r[2][i] - r[3][i]) / size;
        double terms = fabs(r[0][i]) + fabs(r[1][i]);
        double allowed = 1e-6 * fabs(value[i]) + 2 * fabs(wide - narrow) + 1e-13 * terms / size;
        ck_assert_msg(fabs(value[i] - narrow) <= allowed, "%s, row %zu: %.12g, differences %.12g",
                      what, i, value[i], narrow);
        sum->entries += value[i] != 0 && fabs(value[i]) > 2 * allowed;
    }
    free(value);
}

static inline double number_now(const dae_problem *p, const char *name)
{
    const sym_trace *t = &model_problem_system(p)->graph->trace;
    for (size_t k = 0; k < t->parameter.count; k++)
        if (strcmp(t->parameter.item[k].name, name) == 0)
            return t->step.item[t->parameter.item[k].step].value;
    ck_abort_msg("no parameter %s", name);
    return 0;
}

static inline void set_number(dae_problem *p, const char *name, double value)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", value);
    ck_assert_int_eq(dae_problem_set(p, name, digits), DAE_OK);
}

/* The residual with four values of a parameter around its own, by formulations of plain numbers.
 * Another parameter, if any, is set first. False: F is not finite there. */
static inline bool with_numbers(const char *bytes, const char *first, double to, const char *name,
                                double size, formulation_choice choice, const given_point *at,
                                double *const r[4])
{
    static const double part[] = {1, -1, 0.5, -0.5};
    bool finite = true;
    dae_problem *p = dae_problem_parse("m.mo", bytes, strlen(bytes));
    ck_assert_int_eq(dae_problem_status(p), DAE_OK);
    if (first) set_number(p, first, to);
    double now = number_now(p, name);
    size_t readings = model_problem_readings(p);
    for (size_t k = 0; finite && k < 4; k++) {
        given_form plain;
        set_number(p, name, now + part[k] * size);
        ck_assert_msg(model_problem_readings(p) == readings, "%s is not tunable\n%s", name, bytes);
        open_given(&plain, p, false, false, choice);
        finite = residual_at(&plain, at, r[k]);
        close_given(&plain);
    }
    dae_problem_free(p);
    return finite;
}

static inline void parameters_agree(const char *bytes, const char *first, double to,
                                    given_form *traced, const dae_problem *p, const given_point *at,
                                    double *const r[4], given_tally *sum)
{
    problem_given given;
    problem *of = &traced->f->form->problem;
    if (problem_linearize_given(of, at->t, at->y, at->yp, &given) != DAE_OK) return;
    sum->forms++;
    for (size_t j = 0; j < given.parameters; j += 1 + given.parameters / 8) {
        const char *name = given.parameter[j];
        double size = 1e-4 * fmax(fabs(number_now(p, name)), 1e-3);
        if (with_numbers(bytes, first, to, name, size, traced->choice, at, r))
            column_agrees(name, &given.by_p, j, r, at->n, size, sum);
    }
}

static inline void inputs_agree(given_form *g, const given_point *at, double *const r[4],
                                given_tally *sum)
{
    static const double part[] = {1, -1, 0.5, -0.5};
    problem_given given;
    problem *of = &g->f->form->problem;
    if (problem_linearize_given(of, at->t, at->y, at->yp, &given) != DAE_OK) return;
    sum->forms++;
    for (size_t j = 0; j < given.inputs; j++) {
        bool finite = true;
        char what[60];
        g->moved_id = given.input[j].id;
        g->moved_order = given.input[j].order;
        for (size_t k = 0; k < 4; k++) {
            g->moved_by = 1e-4 * part[k];
            finite = finite && residual_at(g, at, r[k]);
        }
        g->moved_by = 0;
        snprintf(what, sizeof what, "input %u, order %u", g->moved_id, g->moved_order);
        if (finite) column_agrees(what, &given.by_u, j, r, at->n, 1e-4, sum);
    }
}

static inline void draw_point(given_point *at, const problem *p, uint64_t *state)
{
    *at = (given_point){.n = p->n, .t = 0.3, .r = calloc(p->n, sizeof(double))};
    at->y = calloc(p->n, sizeof(double));
    at->yp = calloc(p->n, sizeof(double));
    for (size_t j = 0; j < p->n; j++) {
        at->y[j] = (1 + 0.5 * scatter(state)) * p->nominal[j];
        at->yp[j] = (1 + 0.5 * scatter(state)) * p->nominal[j];
    }
}

/* Whether the traced form is, but for rounding, the plain one. */
static inline bool is_the_plain_one(given_form *g, const dae_problem *p, given_point *at, double *r)
{
    given_form plain;
    open_given(&plain, p, false, g->inputs, g->choice);
    bool finite = residual_at(&plain, at, at->r) && residual_at(g, at, r);
    for (size_t i = 0; finite && i < at->n; i++)
        ck_assert_double_eq_tol(r[i], at->r[i], 1e-9 * (1 + fabs(at->r[i])));
    close_given(&plain);
    return finite;
}

/* Both matrices of one formulation. `first`: a parameter that is set before, or NULL. */
static inline void given_agrees(const char *bytes, const char *first, double to,
                                formulation_choice choice, uint64_t *state, given_tally *by_p,
                                given_tally *by_u)
{
    dae_problem *p = dae_problem_parse("m.mo", bytes, strlen(bytes));
    if (dae_problem_status(p) == DAE_OK && first) set_number(p, first, to);
    for (int inputs = 0; dae_problem_status(p) == DAE_OK && inputs < 2; inputs++) {
        given_form g;
        given_point at = {0};
        double *r[4] = {NULL};
        open_given(&g, p, true, inputs, choice);
        if (g.f) draw_point(&at, &g.f->form->problem, state);
        for (size_t k = 0; k < 4; k++) r[k] = calloc(at.n + 1, sizeof **r);
        if (g.f && is_the_plain_one(&g, p, &at, r[0])) {
            if (inputs)
                inputs_agree(&g, &at, r, by_u);
            else
                parameters_agree(bytes, first, to, &g, p, &at, r, by_p);
        }
        for (size_t k = 0; k < 4; k++) free(r[k]);
        free(at.y), free(at.yp), free(at.r);
        close_given(&g);
    }
    dae_problem_free(p);
}

#endif
