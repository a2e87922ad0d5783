/* What the equations are: index, freedom, blocks, states and hidden constraints of known models. */
#include "analysis/describe.h"
#include "solve/models.h"
#include "zoo/mechanical.h"

#include <stdio.h>

typedef struct wanted {
    long structural_index, index, freedom;
    size_t equations, blocks, largest_block, hidden;
} wanted;

static dae_description *described(const char *model, const wanted *w)
{
    dae_problem *problem = problem_of(model);
    dae_description *d = dae_describe(problem, 0);
    ck_assert_ptr_nonnull(d);
    dae_problem_free(problem);
    ck_assert_msg(d->status == DAE_OK, "%s", d->message);
    ck_assert_int_eq(d->structural_index, w->structural_index);
    ck_assert_int_eq(d->index, w->index);
    ck_assert_int_eq(d->degrees_of_freedom, w->freedom);
    ck_assert_uint_eq(d->equations, w->equations);
    ck_assert_uint_eq(d->unknowns, w->equations);
    ck_assert_uint_eq(d->blocks, w->blocks);
    size_t largest = 0, sum = 0;
    for (size_t k = 0; k < d->blocks; k++) {
        sum += d->block[k];
        largest = d->block[k] > largest ? d->block[k] : largest;
    }
    ck_assert_uint_eq(sum, w->equations);
    ck_assert_uint_eq(largest, w->largest_block);
    ck_assert_uint_eq(d->hidden_constraints, w->hidden);
    ck_assert_ptr_null(d->singular);
    return d;
}

static bool has(const char *const *list, size_t count, const char *part)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(list[i], part)) return true;
    return false;
}

START_TEST(ordinary)
{
    dae_description *d = described(OSCILLATOR, &(wanted){0, 0, 2, 2, 2, 1, 0});
    ck_assert_uint_eq(d->states, 2);
    ck_assert(has(d->state, 2, "x") && has(d->state, 2, "v"));
    ck_assert_str_eq(d->name, "Oscillator");
    ck_assert_double_eq_tol(d->rank_margin, 1, 1e-12);
    ck_assert_ptr_null(d->misleads);
    dae_description_free(d);
    dae_description_free(NULL);
}
END_TEST

START_TEST(pendulum)
{
    dae_description *d = described(PENDULUM, &(wanted){3, 3, 2, 5, 1, 5, 2});
    ck_assert_uint_eq(d->states, 2);
    ck_assert(has(d->state, 2, "x") && has(d->state, 2, "u")); /* which their author fixed */
    ck_assert(has(d->hidden_constraint, 2, "2*x*u + 2*y*v = 0"));
    ck_assert_str_eq(d->form, "mechanical");
    ck_assert_uint_eq(d->coordinates, 2);
    ck_assert_uint_eq(d->holonomic, 1);
    ck_assert_uint_eq(d->nonholonomic, 0);
    ck_assert_uint_eq(d->multipliers, 1);
    ck_assert(d->rank_margin > 0);
    dae_description_free(d);
}
END_TEST

/* dae[0] + dae[1] says 2 a + b - sin(time) ... without derivatives: index 2 by the numbers. */
START_TEST(misleads)
{
    dae_problem *problem = problem_of(CAPACITORS);
    dae_description *d = dae_describe(problem, 0);
    ck_assert_int_eq(d->status, DAE_OK);
    ck_assert_ptr_nonnull(d->misleads);
    ck_assert_int_eq(d->index, 1);
    ck_assert_int_eq(d->degrees_of_freedom, 1);
    ck_assert(d->rank_margin == 0);
    ck_assert_uint_eq(d->hidden_constraints, 1);
    dae_description_free(d);
    dae_problem_free(problem);
}
END_TEST

/* x_i + x_(i+1) = t around a ring of even length: one equation follows from the others, by a factor
 * that is no number. */
START_TEST(ranks_that_are_reported)
{
    for (size_t n = 20; n <= 400; n *= 20) {
        char model[300], rank[60];
        snprintf(
            model, sizeof model,
            "model S Real x[%zu], y(start = 0, fixed = true); equation der(y) = x[1]; for i in "
            "1:%zu loop x[i] + x[i+1] = time; end for; (1 + y^2)*(x[%zu] + x[1] - time) = 0; end "
            "S;",
            n, n - 1, n);
        dae_problem *problem = problem_of(model);
        dae_description *d = dae_describe(problem, 0);
        snprintf(rank, sizeof rank, "only rank %zu of %zu", n, n + 1);
        ck_assert_msg(d->misleads && strstr(d->misleads, rank), "%s", d->misleads);
        dae_description_free(d);
        dae_problem_free(problem);
    }
}
END_TEST

/* The same by numbers. */
START_TEST(dependent)
{
    dae_problem *problem = problem_of(
        "model S Real x[4], y(start = 0, fixed = true); equation der(y) = x[1]; for i in 1:3 loop "
        "x[i] + x[i+1] = time; end for; x[4] + x[1] = time; end S;");
    dae_description *d = dae_describe(problem, 0);
    ck_assert_int_eq(d->status, DAE_STRUCTURE);
    ck_assert_int_eq(d->index, -1);
    ck_assert_ptr_nonnull(d->singular);
    ck_assert_msg(strstr(d->singular, "one of them follows from the others") != NULL, "%s",
                  d->singular);
    ck_assert_msg(strstr(d->singular, "left undetermined: x[1], x[2], x[3], x[4], y") != NULL, "%s",
                  d->singular);
    dae_description_free(d);
    dae_problem_free(problem);
}
END_TEST

START_TEST(singular)
{
    dae_problem *problem = problem_of("model M Real x, y, z; equation x = 1; x = 2; der(y) = z;"
                                      " end M;");
    dae_description *d = dae_describe(problem, 0);
    ck_assert_int_eq(d->status, DAE_STRUCTURE);
    ck_assert_int_eq(d->structural_index, -1);
    ck_assert_int_eq(d->index, -1);
    ck_assert_ptr_nonnull(d->singular);
    ck_assert(strstr(d->singular, "over-determined: 2 equations for 1 unknown (x)") != NULL);
    ck_assert(strstr(d->singular, "under-determined: y, z") != NULL);
    dae_description_free(d);
    dae_problem_free(problem);
}
END_TEST

static int energy(double t, const double *q, const double *v, double *c, void *user)
{
    (void)t, (void)user;
    c[0] = 0.5 * (v[0] * v[0] + v[1] * v[1]) + 9.81 * q[1];
    return 0;
}

static int turning(double t, const double *q, const double *v, double *gamma, void *user)
{
    (void)t, (void)q, (void)user;
    gamma[0] = 2 * (v[0] * v[0] + v[1] * v[1]);
    return 0;
}

/* Of C programs: what their forms hold, and what is found in place of what they lack. */
START_TEST(mechanical)
{
    dae_mechanical_form form = zoo_pendulum.form;
    for (size_t invariants = 0; invariants < 2; invariants++) {
        form.invariants = invariants;
        form.invariant = invariants ? energy : NULL;
        form.gamma = invariants ? NULL : turning;
        dae_problem *problem = dae_problem_mechanical(&form);
        dae_description *d = dae_describe(problem, 0);
        ck_assert_int_eq(d->status, DAE_OK);
        ck_assert_str_eq(d->form, "mechanical");
        ck_assert_uint_eq(d->coordinates, 2);
        ck_assert_uint_eq(d->holonomic, 1);
        ck_assert_uint_eq(d->nonholonomic, 0);
        ck_assert_uint_eq(d->multipliers, 1);
        ck_assert_uint_eq(d->invariants, invariants);
        ck_assert_int_eq(strstr(d->notes, "1 invariant, which") != NULL, invariants);
        ck_assert_int_eq(strstr(d->notes, "to about 13 digits") != NULL, invariants);
        dae_description_free(d);
        dae_problem_free(problem);
    }
}
END_TEST

static const char LISTED[] =
    "model Listed\n"
    "  parameter Real L(unit = \"m\") = 1, m(unit = \"kg\") = 2*L, v[2] = {3, 4};\n"
    "  parameter Boolean on = true; parameter String s = \"text\"; parameter Integer i = 7;\n"
    "  parameter Real k(fixed = false);\n"
    "  input Real f(unit = \"N\", start = 0.5);\n"
    "  Real x(start = 0, fixed = true, unit = \"m\"), y(start = -1), u(start = 3), w, T;\n"
    "  output Real E; discrete Real c(start = 7, fixed = true);\n"
    "initial equation k = 2*L;\n"
    "equation der(x) = u; der(y) = w; der(u) = -T*x + f; der(w) = -T*y - k; x^2 + y^2 = L^2;\n"
    "  E = u^2 + w^2; when x > 0.5 then c = pre(c) + m + v[1]; end when;\n"
    "end Listed;";

static const dae_described_variable *variable(const dae_description *d, const char *name)
{
    for (size_t i = 0; i < d->variables; i++)
        if (strcmp(d->variable[i].name, name) == 0) return &d->variable[i];
    ck_abort_msg("%s", name);
}

static const dae_described_parameter *parameter(const dae_description *d, const char *name)
{
    for (size_t i = 0; i < d->parameters; i++)
        if (strcmp(d->parameter[i].name, name) == 0) return &d->parameter[i];
    ck_abort_msg("%s", name);
}

/* What the author wrote, and what the start makes of it. */
START_TEST(variables_are_listed)
{
    dae_problem *problem = problem_of(LISTED);
    dae_description *d = dae_describe(problem, 0);
    ck_assert_msg(d->status == DAE_OK, "%s", d->message);
    ck_assert_uint_eq(d->variables, 9);
    static const struct {
        const char *name, *use;
        double start, value;
        size_t line;
    } WANTED[] = {
        {"x", "fixed", 0, 0, 6},      {"y", "guess", -1, -1, 6},     {"u", "taken", 3, 3, 6},
        {"w", "", (double)NAN, 0, 6}, {"T", "", (double)NAN, 11, 6}, {"f", "held", 0.5, 0.5, 5},
        {"k", "", (double)NAN, 2, 4}, {"c", "fixed", 7, 7, 7},       {"E", "", (double)NAN, 9, 7},
    };
    for (size_t k = 0; k < sizeof WANTED / sizeof *WANTED; k++) {
        const dae_described_variable *v = variable(d, WANTED[k].name);
        ck_assert_str_eq(v->start_use, WANTED[k].use);
        ck_assert(isnan(v->start) ? isnan(WANTED[k].start) : v->start == WANTED[k].start);
        ck_assert_double_eq_tol(v->value, WANTED[k].value, 1e-10);
        ck_assert_uint_eq(v->line, WANTED[k].line);
    }
    ck_assert_str_eq(variable(d, "x")->unit, "m");
    ck_assert(variable(d, "f")->input && variable(d, "E")->output);
    ck_assert(variable(d, "c")->discrete && variable(d, "k")->constant);
    dae_description_free(d);
    dae_problem_free(problem);
}
END_TEST

START_TEST(parameters_are_listed_with_their_present_values)
{
    dae_problem *problem = problem_of(LISTED);
    ck_assert_int_eq(dae_problem_set(problem, "L", "1.5"), DAE_OK);
    ck_assert_int_eq(dae_problem_set(problem, "v[2]", "-6"), DAE_OK);
    dae_description *d = dae_describe(problem, 0);
    ck_assert_uint_eq(d->parameters, 7);
    ck_assert_double_eq(parameter(d, "L")->value, 1.5);
    ck_assert_double_eq(parameter(d, "m")->value, 3);
    ck_assert_double_eq(parameter(d, "v[2]")->value, -6);
    ck_assert_double_eq(parameter(d, "i")->value, 7);
    ck_assert_str_eq(parameter(d, "m")->unit, "kg");
    ck_assert_str_eq(parameter(d, "on")->type, "Boolean");
    ck_assert_str_eq(parameter(d, "s")->text, "text");
    ck_assert_uint_eq(parameter(d, "on")->line, 3);
    dae_description_free(d);
    dae_problem_free(problem);
    problem = problem_of(
        "model Large parameter Real t[400, 3] = fill(2, 400, 3); Real x = t[2, 2];\n"
        "end Large;");
    d = dae_describe(problem, 0);
    ck_assert_uint_eq(d->parameters, 1);
    ck_assert_str_eq(d->parameter[0].name, "t[1:400,1:3]");
    ck_assert(isnan(d->parameter[0].value));
    dae_description_free(d);
    dae_problem_free(problem);
}
END_TEST

START_TEST(blocks_and_differentiated_equations_are_listed)
{
    dae_problem *problem = problem_of(LISTED);
    dae_description *d = dae_describe(problem, 0);
    size_t members = 0, largest = 0, times = 0;
    for (size_t k = 0; k < d->blocks; k++) {
        members += d->parts[k].size;
        ck_assert_uint_eq(d->parts[k].size, d->block[k]);
        if (d->parts[k].size > d->parts[largest].size) largest = k;
    }
    const dae_described_block *b = &d->parts[largest];
    ck_assert_uint_eq(members, d->unknowns);
    ck_assert_uint_eq(b->size, 5);
    ck_assert(has(b->unknown, 5, "T") && has(b->unknown, 5, "derivative 2 of x"));
    ck_assert(has(b->equation, 5, "x^2 + y^2 = L^2 (m.mo:9)"));
    ck_assert_uint_eq(d->differentiated, 3); /* der(x) = u, der(y) = w, and twice the constraint */
    for (size_t k = 0; k < 3; k++) times += d->differentiation[k].times;
    ck_assert_uint_eq(times, 4);
    dae_description_free(d);
    dae_problem_free(problem);
}
END_TEST

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b;
}

static void is_said_of_blocks(const dae_description *d, const dae_description *e)
{
    ck_assert_uint_eq(d->blocks, e->blocks);
    for (size_t k = 0; k < d->blocks; k++) {
        const dae_described_block *b = &d->parts[k], *c = &e->parts[k];
        ck_assert_uint_eq(b->size, c->size);
        ck_assert_uint_eq(b->torn, c->torn);
        for (size_t i = 0; i < b->size; i++) ck_assert_str_eq(b->unknown[i], c->unknown[i]);
        for (size_t i = 0; i < b->size; i++) ck_assert_str_eq(b->equation[i], c->equation[i]);
        for (size_t i = 0; i < b->torn; i++) ck_assert_str_eq(b->tearing[i], c->tearing[i]);
    }
}

/* A problem that is freed within its description is described as any other. */
START_TEST(the_last_use_of_a_problem)
{
    static const char *const models[] = {LISTED, PENDULUM, OSCILLATOR,
                                         "model Two Real x; equation x = 1; x = 2; end Two;",
                                         "model Wrong Real x; equation x = y; end Wrong;"};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        dae_problem *problem = problem_of(models[m]);
        dae_description *d = dae_describe(problem, 0);
        dae_problem_free(problem);
        dae_description *e = describe_last(problem_of(models[m]), 0);
        ck_assert_int_eq(d->status, e->status);
        ck_assert_str_eq(d->message, e->message);
        ck_assert_str_eq(d->name, e->name);
        ck_assert_str_eq(d->form, e->form);
        ck_assert_int_eq(d->index, e->index);
        ck_assert_int_eq(d->degrees_of_freedom, e->degrees_of_freedom);
        ck_assert_uint_eq(d->variables, e->variables);
        for (size_t i = 0; i < d->variables; i++) {
            ck_assert_str_eq(d->variable[i].name, e->variable[i].name);
            ck_assert_str_eq(d->variable[i].start_use, e->variable[i].start_use);
            ck_assert(same(d->variable[i].value, e->variable[i].value));
        }
        ck_assert_uint_eq(d->parameters, e->parameters);
        for (size_t i = 0; i < d->parameters; i++) {
            ck_assert_str_eq(d->parameter[i].name, e->parameter[i].name);
            ck_assert_str_eq(d->parameter[i].type, e->parameter[i].type);
            ck_assert(same(d->parameter[i].value, e->parameter[i].value));
        }
        is_said_of_blocks(d, e);
        dae_description_free(d);
        dae_description_free(e);
    }
}
END_TEST

UNIT_MAIN("analysis/describe", 20, variables_are_listed, the_last_use_of_a_problem,
          parameters_are_listed_with_their_present_values,
          blocks_and_differentiated_equations_are_listed, ordinary, pendulum, misleads,
          ranks_that_are_reported, dependent, singular, mechanical)
