/* The residual form: its linear systems, from which rows y_k' = y_(k+1) are eliminated, solve what
 * the whole matrix would, for real and complex factors. */
#include "formulation/prolonged_form.h"

#include "base/unit.h"
#include "formulation/formulating.h"
#include "formulation/prolonged_levels.h"

#include <complex.h>

enum { MOST = 24 };

static const formulation_choice INDEX1 = {
    .kind = FORMULATION_INDEX1, .replace = EXPLICIT_SOLVED, .project = true};
static const formulation_choice DIRECT = {.kind = FORMULATION_DIRECT};

static const char POLYNOMIAL[] =
    "model M Real x, y, u, v, l, a, b; equation der(x) = u; der(y) = v; der(u) = -l*x + a*v;"
    " der(v) = -l*y - 9.81 + u*b; x^2 + y^2 + x = 4; der(a) = b*x + u; a*b + der(b) = y - time;"
    " end M;";

/* dF/dy' and dF/dy by central differences, which are exact for products of two. */
static void differentiate(problem *p, double t, double *y, double *yp, double e[MOST][MOST],
                          double w[MOST][MOST])
{
    double above[MOST], below[MOST], h = 0x1p-10;
    for (size_t j = 0; j < p->n; j++) {
        for (int which = 0; which < 2; which++) {
            double *entry = which ? &y[j] : &yp[j], kept = *entry;
            *entry = kept + h;
            ck_assert_int_eq(problem_residual(p, t, y, yp, above), DAE_OK);
            *entry = kept - h;
            ck_assert_int_eq(problem_residual(p, t, y, yp, below), DAE_OK);
            *entry = kept;
            for (size_t i = 0; i < p->n; i++)
                (which ? w : e)[i][j] = (above[i] - below[i]) / (2 * h);
        }
    }
}

static void multiplies(problem *p, double e[MOST][MOST], const double *v)
{
    double r[MOST];
    problem_multiply(p, v, r);
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = 0; j < p->n; j++) r[i] -= e[i][j] * v[j];
        ck_assert_double_eq_tol(r[i], 0, 1e-11); /* differences: 1e-16/h */
    }
}

typedef double square[MOST][MOST];

static void solves_real(problem *p, square e, square w, double alpha, double beta, uint64_t *state)
{
    double x[MOST], b[MOST], size = 0;
    ck_assert_int_eq(problem_factor(p, 0, alpha, beta), DAE_OK);
    for (size_t j = 0; j < p->n; j++) x[j] = b[j] = scatter(state);
    multiplies(p, e, x);
    problem_solve(p, 0, x);
    for (size_t j = 0; j < p->n; j++) size = fmax(size, fabs(x[j]));
    for (size_t i = 0; i < p->n; i++) {
        double sum = -b[i];
        for (size_t j = 0; j < p->n; j++) sum += (alpha * e[i][j] + beta * w[i][j]) * x[j];
        ck_assert_double_eq_tol(sum, 0, 1e-11 * (1 + size)); /* differences: 1e-16/h */
    }
}

static void solves_complex(problem *p, square e, square w, double alpha_re, double beta,
                           uint64_t *state)
{
    double complex alpha, zx[MOST], zb[MOST];
    double size = 0, part[2] = {alpha_re, 4 * scatter(state)};
    memcpy(&alpha, part, sizeof alpha);
    ck_assert_int_eq(problem_factor(p, 1, alpha, beta), DAE_OK);
    for (size_t j = 0; j < p->n; j++) {
        part[0] = scatter(state), part[1] = scatter(state);
        memcpy(&zb[j], part, sizeof part);
        zx[j] = zb[j];
    }
    problem_solve(p, 1, zx);
    for (size_t j = 0; j < p->n; j++) size = fmax(size, cabs(zx[j]));
    for (size_t i = 0; i < p->n; i++) {
        double complex sum = -zb[i];
        for (size_t j = 0; j < p->n; j++) sum += (alpha * e[i][j] + beta * w[i][j]) * zx[j];
        ck_assert_double_eq_tol(cabs(sum), 0, 1e-11 * (1 + size));
    }
}

static void solves(const char *model, formulation_choice choice)
{
    formulating g;
    uint64_t state = 91;
    square e, w;
    formulate(&g, model, choice);
    problem *p = &g.f->form->problem;
    ck_assert_uint_le(p->n, MOST);
    ck_assert_int_eq(problem_reserve(p, 2, (const bool[]){false, true}), DAE_OK);
    for (int trial = 0; trial < 20; trial++) {
        double t = scatter(&state), alpha = 3 + 2 * scatter(&state),
               beta = 1 + 0.5 * scatter(&state);
        for (size_t j = 0; j < p->n; j++) g.y[j] = scatter(&state), g.yp[j] = scatter(&state);
        differentiate(p, t, g.y, g.yp, e, w);
        ck_assert_int_eq(problem_linearize(p, t, g.y, g.yp), DAE_OK);
        solves_real(p, e, w, alpha, beta, &state);
        solves_complex(p, e, w, alpha, beta, &state);
    }
    ck_assert_uint_eq(p->counts.jacobians, 20);
    ck_assert_uint_eq(p->counts.factorizations, 40);
    end(&g);
}

START_TEST(linear_systems)
{
    solves(POLYNOMIAL, INDEX1);
    solves(POLYNOMIAL, DIRECT);
    solves(CIRCLE, INDEX1);
}
END_TEST

/* dF/dt by differences of fourth order, which round-off and h^4 leave 1e-10 of. */
static void time_derivative_is_exact(const char *model, formulation_choice choice, bool occurs)
{
    formulating g;
    uint64_t state = 93;
    double r[MOST], f[4][MOST], h = 0x1p-9;
    const int offset[4] = {-2, -1, 1, 2};
    formulate(&g, model, choice);
    problem *p = &g.f->form->problem;
    bool found = false;
    for (int trial = 0; trial < 20; trial++) {
        double t = 1 + scatter(&state) / 2;
        for (size_t j = 0; j < p->n; j++) g.y[j] = scatter(&state), g.yp[j] = scatter(&state);
        ck_assert_int_eq(p->form->time_derivative(p->self, t, g.y, g.yp, r), DAE_OK);
        for (int k = 0; k < 4; k++)
            ck_assert_int_eq(problem_residual(p, t + offset[k] * h, g.y, g.yp, f[k]), DAE_OK);
        for (size_t i = 0; i < p->n; i++) {
            double wanted = (f[0][i] - 8 * f[1][i] + 8 * f[2][i] - f[3][i]) / (12 * h);
            ck_assert_double_eq_tol(r[i], wanted, 1e-8 * (1 + fabs(wanted)));
            found = found || r[i] != 0;
        }
    }
    ck_assert_int_eq(found, occurs);
    end(&g);
}

START_TEST(time_derivatives)
{
    static const char driven[] = "model M Real x, y, u; equation der(x) = sin(2*time)*x + y*u;"
                                 " der(y) = exp(time*y) - x^2*time^3; u = x*cos(time); end M;";
    time_derivative_is_exact(driven, INDEX1, true);
    time_derivative_is_exact(driven, DIRECT, true);
    time_derivative_is_exact(LINEAR, INDEX1, true);
    time_derivative_is_exact(POLYNOMIAL, INDEX1, true);
    time_derivative_is_exact(CIRCLE, INDEX1, false);
}
END_TEST

/* Where dF/dt is not finite, the row is named; the rest of the form does not mind. */
START_TEST(missing_time_derivatives_are_trapped)
{
    formulating g;
    double r[4];
    formulate(&g, "model M Real x; equation der(x) = sqrt(time) - x; end M;", DIRECT);
    problem *p = &g.f->form->problem;
    ck_assert_int_eq(problem_residual(p, 0, g.y, g.yp, r), DAE_OK);
    ck_assert_int_eq(problem_linearize(p, 0, g.y, g.yp), DAE_OK);
    p->bad_row = PROBLEM_NOWHERE;
    ck_assert_int_eq(p->form->time_derivative(p->self, 0, g.y, g.yp, r), DAE_NOT_EVALUABLE);
    ck_assert_uint_eq(p->bad_row, 0);
    end(&g);
}
END_TEST

START_TEST(what_is_constant)
{
    static const struct {
        const char *equations;
        bool mass, all;
    } model[] = {
        {"der(x) = 2*x + y + sin(time); x - 3*y = time", true, true},
        {"der(x) = x*y; x - 3*y = 0", true, false},
        {"der(x) + time*x = y; y = x", true, false},
        {"y*der(x) = 1; y = 2 + x", false, false},
        {"time*der(x) = y; y = x", false, false},
        {"der(x)^2 = y; y = x", false, false},
        {"2*der(x) - der(y) = 1; der(y) + x = y", true, true},
    };
    for (size_t k = 0; k < sizeof model / sizeof *model; k++) {
        formulating g;
        char all[200];
        snprintf(all, sizeof all, "model M Real x, y; equation %s; end M;", model[k].equations);
        formulate(&g, all, DIRECT);
        ck_assert_msg(g.f->form->problem.constant_mass == model[k].mass, "%s", all);
        ck_assert_msg(g.f->form->problem.constant == model[k].all, "%s", all);
        end(&g);
    }
}
END_TEST

/* What settles meets the equations, whatever y' and algebraic variables were before; and y', z that
 * are not finite mark what is not looked at. */
static void settles(const char *model, bool algebraic)
{
    formulating g;
    uint64_t state = 95;
    double r[MOST], yp[MOST];
    formulate(&g, model, INDEX1);
    problem *p = &g.f->form->problem;
    ck_assert(p->form->solve_algebraic != NULL);
    ck_assert_int_eq(p->form->yp == NULL, algebraic);
    for (int trial = 0; trial < 20; trial++) {
        double t = scatter(&state);
        for (size_t j = 0; j < p->n; j++) {
            g.y[j] = p->dynamic[j] ? 1 + scatter(&state) / 4 : (double)NAN;
            g.yp[j] = p->dynamic[j] ? (double)NAN : 0;
        }
        p->orientation = 0;
        ck_assert_int_eq(problem_solve_algebraic(p, t, g.y, g.yp), DAE_OK);
        ck_assert_int_eq(problem_residual(p, t, g.y, g.yp, r), DAE_OK);
        for (size_t i = 0; i < p->n; i++) ck_assert_double_eq_tol(r[i], 0, 1e-11);
        if (algebraic) continue;
        ck_assert_int_eq(problem_yp(p, t, g.y, yp), DAE_OK);
        for (size_t i = 0; i < p->n; i++) ck_assert(yp[i] == g.yp[i]);
    }
    end(&g);
}

START_TEST(what_is_linear_in_highest_derivatives_settles)
{
    settles(CIRCLE, true);
    settles("model M Real x, u, y, z; equation der(x) = u; (2 + sin(x))*der(u) + der(y) = -x*z;"
            " der(u) - 3*der(y) = time*z + y^2; z = x - u; end M;",
            false);
    settles("model M Real x, y, z; equation der(x) = y - x^3; x*y + z = 1; y - 2*z = time; end M;",
            true);
}
END_TEST

START_TEST(what_is_not_linear_in_them_does_not)
{
    static const char *const model[] = {
        "model M Real x; equation der(x) + der(x)^3 = -x; end M;",
        "model M Real x, z; equation der(x) = z; z + sin(z) = x; end M;",
        "model M Real x, z; equation der(x) = -z; x = if z > 0 then z else 2*z; end M;"};
    for (size_t k = 0; k < sizeof model / sizeof *model; k++) {
        formulating g;
        formulate(&g, model[k], INDEX1);
        ck_assert_msg(g.f->form->problem.form->solve_algebraic == NULL, "%s", model[k]);
        end(&g);
    }
}
END_TEST

/* (1 - x^2) x' = x has no solution across x = 1. */
START_TEST(no_solution_crosses_a_singular_point)
{
    formulating g;
    formulate(&g, "model M Real x; equation (1 - x^2)*der(x) = x; end M;", INDEX1);
    problem *p = &g.f->form->problem;
    g.y[0] = 0.5;
    ck_assert_int_eq(problem_yp(p, 0, g.y, g.yp), DAE_OK);
    ck_assert_double_eq_tol(g.yp[0], 0.5 / 0.75, 1e-15);
    g.y[0] = 1;
    ck_assert_int_eq(problem_yp(p, 0, g.y, g.yp), DAE_SINGULAR);
    g.y[0] = 1.5;
    ck_assert_int_eq(problem_yp(p, 0, g.y, g.yp), DAE_SINGULAR);
    p->orientation = 0; /* another start may lie there */
    ck_assert_int_eq(problem_yp(p, 0, g.y, g.yp), DAE_OK);
    end(&g);
}
END_TEST

START_TEST(gather_and_scatter)
{
    formulating g;
    uint64_t state = 92;
    formulate(&g, POLYNOMIAL, INDEX1);
    const prolonged_form *f = g.f->form;
    double again[MOST];
    for (size_t k = 0; k < f->p->size; k++) g.z[k] = again[k] = scatter(&state);
    prolonged_form_scatter(f, g.z, g.y, g.yp);
    for (size_t j = 0; j < f->p->n;
         j++) /* y' is the next derivative, of the last as of the others */
        for (size_t k = f->first[j]; k + 1 < f->first[j + 1]; k++) ck_assert(g.yp[k] == g.y[k + 1]);
    memset(g.z, 0, f->p->size * sizeof *g.z);
    prolonged_form_gather(f, g.y, g.yp, g.z);
    for (size_t k = 0; k < f->p->size; k++) ck_assert(g.z[k] == again[k]);
    end(&g);
}
END_TEST

START_TEST(missing_values_are_trapped)
{
    formulating g;
    double r[4];
    formulate(&g, "model M Real x, y; equation der(x) = y; y + exp(y) = log(x); end M;", DIRECT);
    problem *p = &g.f->form->problem;
    g.y[0] = -1;
    ck_assert_int_eq(problem_residual(p, 0, g.y, g.yp, r), DAE_NOT_EVALUABLE);
    ck_assert_uint_lt(p->bad_row, 2);
    ck_assert(!isfinite(r[p->bad_row]));
    g.y[0] = 0;
    ck_assert_int_eq(problem_linearize(p, 0, g.y, g.yp), DAE_NOT_EVALUABLE);
    g.y[0] = 1;
    ck_assert_int_eq(problem_residual(p, 0, g.y, g.yp, r), DAE_OK);
    ck_assert_int_eq(problem_linearize(p, 0, g.y, g.yp), DAE_OK);
    end(&g);
}
END_TEST

/* Of a Hessenberg system of index 2 the multiplier alone has index 2; of index 1 nothing has. */
static void mark(void *argument)
{
    formulating *g = argument;
    ck_assert(prolonged_form_find_hidden_direction(g->f->form));
}

static void index_is(const char *model, const char *name, unsigned char wanted)
{
    formulating g;
    formulate(&g, model, DIRECT);
    problem *p = &g.f->form->problem;
    for (size_t j = 0; j < p->n; j++) g.y[j] = 0.3 + 0.1 * (double)j;
    ck_assert_int_eq(problem_linearize(p, 0, g.y, g.yp), DAE_OK);
    ck_assert_int_eq(arena_protect(&g.r.memory, mark, &g), DAE_OK);
    text t = {0};
    for (size_t j = 0; j < p->n; j++) {
        text_clear(&t);
        p->form->name_variable(p->self, j, &t);
        if (strcmp(text_string(&t), name) == 0) {
            bool hidden_direction = false;
            for (size_t v = 0; v < p->hidden_directions; v++)
                hidden_direction = hidden_direction || p->hidden_direction[v * p->n + j] != 0;
            ck_assert_uint_eq(hidden_direction ? 2 : 1, wanted);
            text_free(&t);
            end(&g);
            return;
        }
    }
    ck_abort_msg("no variable %s", name);
}

START_TEST(variables_of_index_2)
{
    static const char two[] = "model M Real x, y, z; equation der(x) = -x + z; der(y) = x + y*z;"
                              " x^2 = 1 + 0*y; end M;";
    index_is(two, "x", 1);
    index_is(two, "y", 1);
    index_is(two, "z", 2);
    static const char one[] = "model M Real x, z; equation der(x) = -x + z; z = x^2; end M;";
    index_is(one, "x", 1);
    index_is(one, "z", 1);
    /* a capacitor pair: only the difference is differentiated, the sum is algebraic, of index 1 */
    static const char pair[] = "model M Real a, b, i; equation der(a) - der(b) = i;"
                               " der(b) - der(a) = a + b; i = a; end M;";
    index_is(pair, "i", 1);
}
END_TEST

/* Nodes of a graph once all of a formulation is made. */
static size_t nodes_of(const char *pattern, size_t n)
{
    char model[400];
    formulating g;
    snprintf(model, sizeof model, pattern, n);
    formulate(&g, model, INDEX1);
    size_t count = sym_number(g.r.system->graph, 0.123456789); /* a new node: the last number */
    end(&g);
    return count;
}

/* Definitions that need one another cost as many nodes as they are long: with start values of their
 * own, and with equations that use each of them. */
START_TEST(chains_cost_their_length)
{
    static const char *const pattern[] = {
        "model M parameter Integer n = %zu; Real x[n](each start = 0.5); equation for i in 1:n - 1"
        " loop x[i] = sin(x[i + 1])/2 + 0.1; end for; x[n] = cos(x[1])/2; end M;",
        "model M parameter Integer n = %zu; Real x[n], a[n]; equation for i in 1:n - 1 loop a[i] ="
        " sin(a[i + 1]) + 0.1; end for; a[n] = cos(x[1]); for i in 1:n loop der(x[i]) = a[i] -"
        " x[i]; end for; end M;"};
    for (int k = 0; k < 2; k++)
        ck_assert_uint_le(nodes_of(pattern[k], 2000), 5 * nodes_of(pattern[k], 500));
}
END_TEST

/* Nothing is differentiated, and nothing replaced: all that evaluate the equations have one tape.
 */
START_TEST(equal_expressions_are_compiled_once)
{
    formulating g;
    formulate(&g, "model M Real x, y; equation der(x) = sin(x) - y; x*y + der(y) = time; end M;",
              INDEX1);
    const formulation *f = g.f;
    ck_assert_ptr_eq(f->start->rows, f->form->rows);
    ck_assert_ptr_eq(f->levels->level[0].rows, f->form->rows);
    ck_assert_ptr_eq(f->author->rows, f->form->rows);
    ck_assert_ptr_eq(f->start->jacobian, f->form->jacobian);
    ck_assert_ptr_eq(f->author->jacobian, f->form->jacobian);
    end(&g);
    formulate(&g,
              "model M Real x, y, z; equation der(x) = sin(x) - z; der(y) = -y; z = x*y; end M;",
              INDEX1);
    ck_assert_uint_eq(g.f->p->n, 2);
    ck_assert_ptr_ne(g.f->author->rows, g.f->form->rows); /* over other unknowns */
    end(&g);
}
END_TEST

UNIT_MAIN("formulation/prolonged_form", 30, equal_expressions_are_compiled_once,
          what_is_linear_in_highest_derivatives_settles, what_is_not_linear_in_them_does_not,
          no_solution_crosses_a_singular_point, linear_systems, time_derivatives,
          missing_time_derivatives_are_trapped, what_is_constant, gather_and_scatter,
          missing_values_are_trapped, variables_of_index_2, chains_cost_their_length)
