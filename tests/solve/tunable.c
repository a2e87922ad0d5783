/* Parameters that are set on a problem: a run with the new value ends in the bits of a run of the
 * text with that value, and only what is structural costs another reading. */
#include "formulation/from_model.h"
#include "solve/models.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_VALUES = 64 };

typedef struct outcome {
    dae_status status;
    size_t size, steps, residuals, factorizations;
    double y[MOST_VALUES], yp[MOST_VALUES];
    char said[400];
} outcome;

static void run(dae_problem *p, double to, outcome *o)
{
    memset(o, 0, sizeof *o);
    dae_solver *solver = dae_solver_create(p, NULL);
    o->size = dae_problem_size(p);
    ck_assert_uint_le(o->size, MOST_VALUES);
    o->status = dae_solver_start(solver, 0, NULL);
    if (o->status == DAE_OK) o->status = dae_solver_run(solver, to);
    if (o->status == DAE_OK) o->status = dae_solver_at(solver, to, o->y, o->yp);
    const dae_stats *stats = dae_solver_stats(solver);
    o->steps = stats->steps;
    o->residuals = stats->residual_calls;
    o->factorizations = stats->factorizations;
    snprintf(o->said, sizeof o->said, "%s", dae_solver_message(solver));
    dae_solver_free(solver);
}

static void same(const outcome *a, const outcome *b, const char *what)
{
    ck_assert_msg(a->status == b->status, "%s: %d %s, %d %s", what, a->status, a->said, b->status,
                  b->said);
    ck_assert_str_eq(a->said, b->said);
    ck_assert_uint_eq(a->steps, b->steps);
    ck_assert_uint_eq(a->residuals, b->residuals);
    ck_assert_uint_eq(a->factorizations, b->factorizations);
    ck_assert_msg(memcmp(a->y, b->y, sizeof a->y) == 0, "%s", what);
    for (size_t i = 0; i < a->size; i++) /* NaN where none is known */
        ck_assert_msg(a->yp[i] == b->yp[i] || (a->yp[i] != a->yp[i] && b->yp[i] != b->yp[i]), "%s",
                      what);
}

/* The text with another value after "NAME = ". */
static char *with_value(const char *model, const char *name, const char *value)
{
    char wanted[80], *changed = malloc(strlen(model) + 40);
    snprintf(wanted, sizeof wanted, " %s = ", name);
    const char *at = strstr(model, wanted);
    ck_assert_msg(at != NULL, "%s", name);
    at += strlen(wanted);
    size_t before = (size_t)(at - model), old = strcspn(at, ",;");
    memcpy(changed, model, before);
    sprintf(changed + before, "%s%s", value, at + old);
    return changed;
}

/* RLC circuit whose coil may be 0: then the current is algebraic. */
static const char CIRCUIT[] =
    "model Circuit parameter Real R = 2, L = 0.5, C = 0.25, U = 3, f = 2, scale = 2*R;\n"
    "  Real i(start = 0), u(start = 0, fixed = true), r;\n"
    "equation L*der(i) = U*sin(f*time) - R*i - u; C*der(u) = i; r = scale*i; end Circuit;";

/* A relation with a parameter, a sum of several, start values. */
static const char SWITCHED[] =
    "model Switched parameter Real level = 0.3, a = 1.5, b = 2.5, x0 = 1.25, n = 3;\n"
    "  Real x(start = x0, fixed = true), y;\n"
    "equation der(x) = if x > level then -a*x - b*y*x else -b*x; y = (a - b)*sin(x) + a/b + x^n;\n"
    "end Switched;";

/* A law that is flat at q = 0, which its coefficient does not change. */
static const char FLOW[] =
    "model Flow parameter Real k = 1.5; Real h(start = 1, fixed = true), q(start = 0.5);\n"
    "equation h = k*q*abs(q); der(h) = 0.3 - q; end Flow;";

static const struct {
    const char *model, *name, *value;
    double to;
    bool structural;
} sets[] = {
    {CIRCUIT, "R", "3.25", 3, false},      {CIRCUIT, "C", "0.125", 3, false},
    {CIRCUIT, "L", "0.75", 3, false},      {CIRCUIT, "L", "0", 3, true},
    {CIRCUIT, "L", "1", 3, true},          {CIRCUIT, "f", "7", 3, false},
    {CIRCUIT, "U", "-2", 3, false},        {CIRCUIT, "scale", "17", 3, false},
    {SWITCHED, "level", "0.5", 2, false},  {SWITCHED, "a", "1.75", 2, false},
    {SWITCHED, "x0", "0.875", 2, false},   {SWITCHED, "n", "4", 2, true},
    {FLOW, "k", "0.75", 2, false},         {PENDULUM, "g", "1.625", 2, false},
    {PENDULUM, "L", "1", 2, false},        {BRIDGE, "R", "0.25", 0.02, false},
    {BRIDGE, "RL", "50", 0.02, false},     {BRIDGE, "Is", "1e-9", 0.02, false},
    {BRIDGE, "Vt", "0.0625", 0.02, false}, {BRIDGE, "L", "30e-3", 0.02, false},
};

START_TEST(as_the_text_with_that_value)
{
    static outcome set, other_run;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        dae_problem *p = problem_of(sets[i].model);
        ck_assert_int_eq(dae_problem_status(p), DAE_OK);
        ck_assert_uint_eq(model_problem_readings(p), 1);
        ck_assert_int_eq(dae_problem_set(p, sets[i].name, sets[i].value), DAE_OK);
        ck_assert_msg(model_problem_readings(p) == (sets[i].structural ? 2u : 1u), "%s = %s",
                      sets[i].name, sets[i].value);
        run(p, sets[i].to, &set);
        char *changed = with_value(sets[i].model, sets[i].name, sets[i].value);
        dae_problem *other = problem_of(changed);
        run(other, sets[i].to, &other_run);
        ck_assert_msg(other_run.status == DAE_OK, "%s\n%s", changed, other_run.said);
        same(&set, &other_run, changed);
        dae_problem_free(p);
        dae_problem_free(other);
        free(changed);
    }
}
END_TEST

/* There and back: the last bits are those of the first run, and no reading was needed. */
START_TEST(many_values_of_one_reading)
{
    static outcome first, last;
    dae_problem *p = problem_of(CIRCUIT);
    run(p, 2, &first);
    for (int k = 1; k <= 20; k++) {
        char value[40];
        snprintf(value, sizeof value, "%g", 2 + 0.25 * k);
        ck_assert_int_eq(dae_problem_set(p, "R", value), DAE_OK);
    }
    ck_assert_uint_eq(model_problem_readings(p), 1);
    ck_assert_int_eq(dae_problem_set(p, "R", "2"), DAE_OK);
    run(p, 2, &last);
    same(&first, &last, "there and back");
    ck_assert_uint_eq(model_problem_readings(p), 1);
    dae_problem_free(p);
}
END_TEST

/* What a solver takes from the problem. */
static size_t structural_index(const dae_problem *p)
{
    arena a = {0};
    message m = {0};
    sym_system *system;
    structure *own;
    ck_assert_int_eq(model_problem_load(p, false, &a, &m, &system, &own), DAE_OK);
    ck_assert(own != NULL); /* no solver analyses anew */
    size_t index = own->s->index;
    ck_assert_uint_eq(own->blocks->start[own->blocks->count], system->equation.count);
    arena_free(&a);
    message_free(&m);
    return index;
}

START_TEST(one_analysis_for_all_solvers)
{
    dae_problem *p = problem_of(CIRCUIT);
    ck_assert_int_eq(dae_problem_status(p), DAE_OK);
    ck_assert_uint_eq(structural_index(p), 1); /* r is algebraic */
    ck_assert_int_eq(dae_problem_set(p, "R", "5"), DAE_OK);
    ck_assert_uint_eq(structural_index(p), 1);
    ck_assert_uint_eq(model_problem_readings(p), 1);
    ck_assert_int_eq(dae_problem_set(p, "L", "0"), DAE_OK);
    ck_assert_int_eq(dae_problem_set(p, "R", "0"), DAE_OK);
    ck_assert_uint_eq(structural_index(p), 2); /* the voltage is given, and its current follows */
    ck_assert_uint_eq(model_problem_readings(p), 3);
    dae_problem_free(p);
}
END_TEST

/* A structural value after tunable ones, and tunable ones after it. */
START_TEST(settings_are_kept_over_a_reading)
{
    static outcome set, other_run;
    dae_problem *p = problem_of(CIRCUIT);
    ck_assert_int_eq(dae_problem_set(p, "R", "5"), DAE_OK);
    ck_assert_int_eq(dae_problem_set(p, "L", "0"), DAE_OK);
    ck_assert_int_eq(dae_problem_set(p, "f", "4"), DAE_OK);
    ck_assert_uint_eq(model_problem_readings(p), 2);
    run(p, 2, &set);
    char *a = with_value(CIRCUIT, "R", "5"), *b = with_value(a, "L", "0"),
         *c = with_value(b, "f", "4");
    dae_problem *other = problem_of(c);
    run(other, 2, &other_run);
    same(&set, &other_run, "R, L, f");
    dae_problem_free(p);
    dae_problem_free(other);
    free(a), free(b), free(c);
}
END_TEST

/* What is wrong is told as ever, and leaves the values as they were. */
START_TEST(wrong_settings)
{
    dae_problem *p = problem_of(CIRCUIT);
    ck_assert_int_eq(dae_problem_set(p, "R", "much"), DAE_USAGE);
    dae_problem_free(p);
    p = problem_of(CIRCUIT);
    ck_assert_int_eq(dae_problem_set(p, "S", "1"), DAE_USAGE);
    dae_problem_free(p);
    p = problem_of(CIRCUIT);
    ck_assert_int_eq(dae_problem_set(p, "C", "1e999"), DAE_USAGE);
    dae_problem_free(p);
}
END_TEST

/* A solver keeps the values that it was made with. */
START_TEST(a_solver_keeps_its_values)
{
    double y[8], kept[8];
    dae_problem *p = problem_of(CIRCUIT);
    ck_assert_int_eq(dae_problem_status(p), DAE_OK);
    dae_solver *one = dae_solver_create(p, NULL), *other = dae_solver_create(p, NULL);
    ck_assert_int_eq(dae_solver_start(one, 0, NULL), DAE_OK);
    ck_assert_int_eq(dae_problem_set(p, "R", "100"), DAE_OK);
    ck_assert_int_eq(dae_solver_start(other, 0, NULL), DAE_OK);
    ck_assert_int_eq(dae_solver_run(one, 1), DAE_OK);
    dae_problem_free(p);
    ck_assert_int_eq(dae_solver_run(other, 1), DAE_OK);
    ck_assert_int_eq(dae_solver_at(one, 1, kept, NULL), DAE_OK);
    ck_assert_int_eq(dae_solver_at(other, 1, y, NULL), DAE_OK);
    ck_assert(memcmp(y, kept, 3 * sizeof *y) == 0);
    dae_solver_free(one);
    dae_solver_free(other);
}
END_TEST

UNIT_MAIN("solve/tunable", 60, as_the_text_with_that_value, many_values_of_one_reading,
          one_analysis_for_all_solvers, settings_are_kept_over_a_reading, wrong_settings,
          a_solver_keeps_its_values)
