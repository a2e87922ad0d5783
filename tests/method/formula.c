/* Multistep formulas: as published, exact in quadruple precision; what is told of wrong texts. */
#include "method/tableau.h"

#include "method/multistep.h"
#include "method/rows.h"

static const char *read(method_multistep *f, const char *lines)
{
    definitions names = {0};
    *f = (method_multistep){0};
    return formula_read(f, lines, &names);
}

/* Hairer, Norsett & Wanner I, Tables III.1.1 and III.1.2, (III.1.15), (III.1.22); Dahlquist's
 * two-step average of the trapezoidal rule; 000:671 of the two-step family, sigma = (1/2 + delta)
 * (x + rho_inf)^2 with (beta, delta) = (-1/3, 1/6), (1/5, 1/30), (1, 0). */
static const struct {
    const char *name, *text;
} published[] = {
    {"bdf2", "alpha | 1/2 -2 3/2; beta | 0 0 1;"},
    {"bdf3", "alpha | -1/3 3/2 -3 11/6; beta | 0 0 0 1;"},
    {"bdf4", "alpha | 1/4 -4/3 3 -4 25/12; beta | 0 0 0 0 1;"},
    {"bdf5", "alpha | -1/5 5/4 -10/3 5 -5 137/60; beta | 0 0 0 0 0 1;"},
    {"bdf6", "alpha | 1/6 -6/5 15/4 -20/3 15/2 -6 49/20; beta | 0 0 0 0 0 0 1;"},
    {"bdf", "alpha | -1/5 5/4 -10/3 5 -5 137/60; beta | 0 0 0 0 0 1; variable;"},
    {"adams-bashforth2", "alpha | 0 -1 1; beta | -1/2 3/2 0;"},
    {"adams-bashforth3", "alpha | 0 0 -1 1; beta | 5/12 -16/12 23/12 0;"},
    {"adams-bashforth4", "alpha | 0 0 0 -1 1; beta | -9/24 37/24 -59/24 55/24 0;"},
    {"adams-bashforth5", "alpha | 0 0 0 0 -1 1;"
                         "beta | 251/720 -1274/720 2616/720 -2774/720 1901/720 0;"},
    {"adams-bashforth6", "alpha | 0 0 0 0 0 -1 1;"
                         "beta | -475/1440 2877/1440 -7298/1440 9982/1440 -7923/1440 4277/1440 0;"},
    {"adams-moulton2", "alpha | 0 -1 1; beta | -1/12 8/12 5/12;"},
    {"adams-moulton3", "alpha | 0 0 -1 1; beta | 1/24 -5/24 19/24 9/24;"},
    {"adams-moulton4", "alpha | 0 0 0 -1 1; beta | -19/720 106/720 -264/720 646/720 251/720;"},
    {"adams-moulton5", "alpha | 0 0 0 0 -1 1;"
                       "beta | 27/1440 -173/1440 482/1440 -798/1440 1427/1440 475/1440;"},
    {"one-leg-adams-moulton2", "alpha | 0 -1 1; beta | -1/12 8/12 5/12; one-leg;"},
    {"milne", "alpha | -1 0 1; beta | 1/3 4/3 1/3;"},
    {"two-step:rho_inf=1", "alpha | -1 0 1; beta | 1/2 1 1/2;"},
    {"two-step:rho_inf=1/2", "s = 8/15; alpha | -1/5 -4/5 1; beta | s/4 s s;"},
    {"two-step:rho_inf=0", "s = 2/3; alpha | 1/3 -4/3 1; beta | 0 0 s;"},
    {"one-leg-two-step:rho_inf=1", "alpha | -1/2 0 1/2; beta | 1/4 1/2 1/4; one-leg;"},
    {"dcbdf1", "alpha | -1 1; beta | 1/2 1/2; gamma | 1/2 -1/2;"},
    {"dcbdf2", "alpha | 1/2 -2 3/2; beta | -1/3 2/3 2/3; gamma | -1/3 2/3 -1/3;"},
    {"dcbdf3-unblocked", "alpha | -1/3 3/2 -3 11/6; beta | 1/4 -3/4 3/4 3/4;"},
    {"dcbdf5", "alpha | -1/5 5/4 -10/3 5 -5 137/60; beta | 1/6 -5/6 10/6 -10/6 5/6 5/6;"
               "gamma | 1/6 -5/6 10/6 -10/6 5/6 -1/6;"},
    {"blocked-adams-moulton2", "alpha | 0 -1 1; beta | -1/12 8/12 5/12;"
                               "gamma | -7/48 14/48 -7/48;"},
};

START_TEST(published_coefficients)
{
    const char *name = published[_i].name;
    method *m = create(name);
    const method_multistep *made = m->multistep;
    method_multistep printed;
    ck_assert_ptr_null(read(&printed, published[_i].text));
    ck_assert_int_eq(made->steps, printed.steps);
    ck_assert(made->one_leg == printed.one_leg && made->blocked == printed.blocked);
    ck_assert(made->variable == printed.variable);
    for (int j = 0; j <= made->steps; j++) {
        quad off = quad_abs(made->alpha[j] - printed.alpha[j]) +
                   quad_abs(made->beta[j] - printed.beta[j]) +
                   quad_abs(made->gamma[j] - printed.gamma[j]);
        ck_assert_msg(off < (quad)1e-30, "%s: coefficient %d is off by %g", name, j, (double)off);
    }
    method_free(m);
}
END_TEST

/* sum_j alpha_j j^q = q sum_j beta_j j^(q-1) up to the order, and not beyond it. */
START_TEST(all_conditions_hold_in_quadruple_precision)
{
    int rows = 0;
    for (size_t i = 0; method_row_at(i); i++) {
        if (!method_row_at(i)->formula) continue;
        method *m = create(method_row_at(i)->name);
        const method_multistep *f = m->multistep;
        int p = multistep_order(f);
        for (int q = 0; q <= p; q++) {
            quad sum = 0;
            for (int j = 0; j <= f->steps; j++) {
                sum += f->alpha[j] * quad_power(j - f->steps, q);
                if (q > 0) sum -= q * f->beta[j] * quad_power(j - f->steps, q - 1);
            }
            ck_assert_msg(quad_abs(sum) < (quad)1e-29 * quad_power(f->steps, q), "%s: q = %d, %g",
                          m->name, q, (double)sum);
        }
        ck_assert_msg(p >= 2, "%s", m->name);
        rows++;
        method_free(m);
    }
    ck_assert_int_ge(rows, 30);
}
END_TEST

/* Extended BDF: order k + 1 from k points before the end of the step (Cash 1983). */
START_TEST(the_extended_formula)
{
    method *m = create("mebdf");
    const method_multistep *f = m->multistep;
    ck_assert(f->variable && f->steps == 8 && f->alpha[8] == 0 && f->alpha[7] == 1);
    ck_assert_int_eq(multistep_order(f), 8);
    for (int j = 0; j < 7; j++) ck_assert(f->beta[j] == 0);
    method_free(m);
    method_multistep first; /* k = 1: y_1 - y_0 = h (3/2 y'_1 - 1/2 y'_2) */
    ck_assert_ptr_null(read(&first, "alpha | ? 1 0; beta | 0 ? ?;"));
    ck_assert(quad_abs(first.alpha[0] + 1) < (quad)1e-31);
    ck_assert(quad_abs(first.beta[1] - (quad)3 / 2) < (quad)1e-31);
    ck_assert(quad_abs(first.beta[2] + (quad)1 / 2) < (quad)1e-31);
}
END_TEST

START_TEST(wrong_formulas)
{
    static const char *const each[][2] = {
        {"", "a formula without steps"},
        {"alpha | 1;", "a formula without steps"},
        {"alpha | -1 1; beta | 0 0 1;", "rows of different lengths"},
        {"alpha | 0 0 0 0 0 0 0 0 -1 1;", "more points than a method has steps"},
        {"alpha | -1 1", "a line is not closed, or not understood"},
        {"alpha | -1 1,0;", "a line is not closed, or not understood"},
        {"delta | -1 1;", "a line is not closed, or not understood"},
        {"two-leg;", "a line is not closed, or not understood"},
        {"alpha | -1 x;", "an unknown name"},
        {"x = 1/0; alpha | -1 x;", "a number that is not finite, as after division by zero"},
        {"a_name_that_is_too_long = 1;", "too many names, or one that is too long"},
        {"alpha | ? ?; beta | ? ?;", "the order conditions do not determine the coefficients"},
    };
    method_multistep f;
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        const char *found = read(&f, each[i][0]);
        ck_assert_msg(found && strcmp(found, each[i][1]) == 0, "%s: %s", each[i][0], found);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, published_coefficients, 0, sizeof published / sizeof *published);
    tcase_add_test(tests, all_conditions_hold_in_quadruple_precision);
    tcase_add_test(tests, the_extended_formula);
    tcase_add_test(tests, wrong_formulas);
    return unit_run("method/formula", tests);
}
