#include "analysis/linear_terms.h"

#include "solve/callback_simulation.h"
#include "solve/mechanical_simulation.h"
#include "solve/model_simulation.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Entries of a model are exact, those of a C program are differences as a rule. */
static const double EXACT = 1e-11, BY_DIFFERENCES = 1e-6;

/* --- models --- */

typedef struct model_terms {
    const model_simulation *m;
    const prolongation *p;
    sym_matrix *jacobian;
    double *input, *value;
} model_terms;

/* Compiles the derivatives of the equations as written. */
static void compile(void *argument)
{
    model_terms *k = argument;
    const author *w = k->m->formulation->author;
    arena *a = k->m->system->memory;
    k->p = w->written;
    sym *row = arena_array(a, k->p->n, sizeof *row);
    for (size_t i = 0; i < k->p->n; i++) row[i] = k->p->row[k->p->first_row[i]];
    k->jacobian = prolongation_jacobian(a, k->p, k->p->n, row);
    k->input = arena_array(a, prolongation_inputs(k->p), sizeof *k->input);
    k->value = arena_array(a, k->jacobian->pattern->nonzeros, sizeof *k->value);
}

static void evaluate(model_terms *k, double t, const double *y, const double *yp)
{
    const prolongation *p = k->p;
    k->input[0] = t;
    for (size_t j = 0; j < p->n; j++) {
        double *own = k->input + 1 + p->first[j], rate = yp[p->unknown[j]];
        own[0] = y[p->unknown[j]];
        if (p->d[j] > 0) own[1] = isnan(rate) ? 0 : rate;
    }
    sym_matrix_eval(k->jacobian, k->input, k->value);
}

/* A parameter that the start determines is constant, and no state: its equation der(p) = 0 becomes
 * p = p. */
static void hold_parameter(linear_terms *to, size_t i, size_t j)
{
    if (!to->system->unknown.item[j].parameter || to->E[i * to->n + j] == 0) return;
    to->E[i * to->n + j] = 0;
    to->A[i * to->n + j] = -1;
}

static void spread(const model_terms *k, linear_terms *to)
{
    const prolongation *p = k->p;
    const sparse_pattern *pattern = k->jacobian->pattern;
    size_t *count = calloc(p->n + 1, sizeof *count);
    for (size_t j = 0; j < p->n; j++) {
        for (size_t column = p->first[j]; column < p->first[j + 1]; column++) {
            for (sparse_index e = pattern->start[column]; e < pattern->start[column + 1]; e++) {
                size_t i = (size_t)pattern->row[e], at = i * to->n + p->unknown[j];
                bool rate = column > p->first[j];
                if (count) count[i]++;
                if (rate)
                    to->E[at] = k->value[e];
                else
                    to->A[at] = -k->value[e];
                if (rate) hold_parameter(to, i, p->unknown[j]);
            }
        }
    }
    for (size_t i = 0; count && i < p->n; i++)
        for (size_t j = 0; count[i] == 1 && j < p->n; j++)
            if (to->A[i * to->n + j] != 0) to->alone[j] = i;
    free(count);
}

static dae_status of_model(model_simulation *m, double t, linear_terms *to)
{
    model_terms k = {.m = m};
    if (arena_protect(m->system->memory, compile, &k) != DAE_OK) return DAE_NO_MEMORY;
    evaluate(&k, t, to->y, to->yp);
    spread(&k, to);
    to->constant = k.jacobian->varying == 0;
    return DAE_OK;
}

/* --- C programs --- */

static void spread_matrix(const problem_matrix *m, size_t n, double sign, double *to)
{
    for (size_t j = 0; j < n; j++)
        for (sparse_index e = m->pattern->start[j]; e < m->pattern->start[j + 1]; e++)
            to[(size_t)m->pattern->row[e] * n + j] = sign * m->value[e];
}

/* An instance of its own, so that the run's linearisation and counts stay. */
static dae_status of_equations(const equations *e, double t, const double *y, const double *yp,
                               message *m, linear_terms *to)
{
    callbacks *instance = NULL;
    dae_status status = callbacks_create(&instance, e, t, y, m);
    if (status != DAE_OK) return status;
    problem *p = callbacks_problem(instance);
    status = problem_linearize(p, t, y, yp);
    if (status == DAE_OK) {
        spread_matrix(&p->by_yp, to->n, 1, to->E);
        spread_matrix(&p->by_y, to->n, -1, to->A);
        to->constant = p->constant;
    }
    callbacks_free(instance);
    return status;
}

/* The equations as given are formulation index3. */
static dae_status of_mechanism(mechanical_simulation *k, double t, double *y, double *yp,
                               message *m, linear_terms *to)
{
    mechanical_formulation *given = NULL;
    dae_status status = mechanical_formulation_create(&given, k->form, "index3", false, t,
                                                      &k->point, m);
    if (status == DAE_OK) status = given->ops->lower(given, t, &k->point, y, yp);
    if (status == DAE_OK) status = of_equations(given->equations, t, y, yp, m, to);
    mechanical_formulation_free(given);
    return status;
}

static dae_status of_program(dae_solver *s, double t, double *y, double *yp, message *m,
                             linear_terms *to)
{
    simulation *c = s->simulation;
    const equations *given = callback_simulation_equations(c);
    memcpy(y, to->y, to->n * sizeof *y);
    for (size_t j = 0; j < to->n; j++) yp[j] = isnan(to->yp[j]) ? 0 : to->yp[j];
    dae_status status = given ? of_equations(given, t, y, yp, m, to)
                              : of_mechanism((mechanical_simulation *)c, t, y, yp, m, to);
    simulation_report_anew(c);
    for (size_t i = 0; i < to->n; i++) {
        size_t count = 0, last = 0;
        for (size_t j = 0; j < to->n; j++) {
            bool in_A = to->A[i * to->n + j] != 0, in_E = to->E[i * to->n + j] != 0;
            count += in_A + 2 * in_E;
            if (in_A) last = j;
        }
        if (count == 1) to->alone[last] = i;
    }
    return status;
}

/* --- both --- */

static dae_status look_for_infinite(const linear_terms *to, double t, message *m)
{
    for (size_t k = 0; k < to->n * to->n; k++) {
        if (isfinite(to->E[k]) && isfinite(to->A[k])) continue;
        size_t i = k / to->n, j = k % to->n;
        text equation = {0};
        if (to->system) sym_equation_name(to->system, &to->system->equation.item[i], &equation);
        message_fail(m, DAE_NOT_EVALUABLE,
                     "at t = %.9g there is no linearisation: the derivative of %s%s by %s%s%s is "
                     "not finite",
                     t, equation.length ? "" : "an equation",
                     equation.length ? text_string(&equation) : "",
                     isfinite(to->E[k]) ? "" : "der(", to->name[j], isfinite(to->E[k]) ? "" : ")");
        text_free(&equation);
        return DAE_NOT_EVALUABLE;
    }
    return DAE_OK;
}

static void take_point(dae_solver *s, const model_simulation *m, arena *a, linear_terms *to)
{
    const simulation *c = s->simulation;
    to->system = m ? m->system : NULL;
    to->n = m ? m->system->unknown.count : c->n;
    to->shown = c->n - c->hidden;
    to->rounding = m ? EXACT : BY_DIFFERENCES;
    const char **name = arena_array(a, to->n, sizeof *name);
    to->nominal = arena_array(a, to->n, sizeof *to->nominal);
    for (size_t j = 0; j < to->n; j++) {
        name[j] = arena_format(a, "%s", m ? m->system->unknown.item[j].name : c->variable[j]);
        to->nominal[j] = m ? m->system->unknown.item[j].nominal : c->nominal[j];
    }
    to->name = name;
    to->y = arena_duplicate(a, c->value, to->n, sizeof *to->y);
    to->yp = arena_duplicate(a, c->value_yp, to->n, sizeof *to->yp);
}

dae_status linear_terms_take(dae_solver *s, arena *a, message *m, linear_terms *to)
{
    enum { LARGEST = 3000 };
    model_simulation *model = model_simulation_of(s->simulation);
    double t = s->engine->t;
    take_point(s, model, a, to);
    if (to->n > LARGEST)
        return message_fail(m, DAE_UNSUPPORTED,
                            "a linearisation has full matrices, and is made for up to %d unknowns; "
                            "these equations have %zu",
                            LARGEST, to->n);
    double *y, *yp;
    arena_vectors(a, to->n, (double **[]){&y, &yp, NULL});
    arena_vectors(a, to->n * to->n, (double **[]){&to->E, &to->A, NULL});
    to->alone = arena_array(a, to->n, sizeof *to->alone);
    for (size_t j = 0; j < to->n; j++) to->alone[j] = LINEAR_NO_ROW;
    dae_status status = model ? of_model(model, t, to) : of_program(s, t, y, yp, m, to);
    if (status != DAE_OK && m->status == DAE_OK)
        return message_fail(m, status,
                            "at t = %.9g there is no linearisation: the equations cannot be "
                            "linearised (%s)",
                            t, dae_status_meaning(status));
    return status == DAE_OK ? look_for_infinite(to, t, m) : m->status;
}
