/* What theory denies to multistep methods on equations of index 2 and 3, seen: multipliers that
 * grow by a factor a step, or keep an error of the start for ever; and that methods to which it
 * promises convergence have it on the same problems. */
#include "integrate/linear.h"
#include "zoo/zoo.h"

#include <stdio.h>

enum { MOST_STEPS_KEPT = 1024, Z = 2 }; /* the multiplier is the third unknown */

/* The solution of a problem of index 2 with two differential variables, step by step. */
typedef struct simulation {
    int steps;
    double z_error[MOST_STEPS_KEPT + 1]; /* with its sign; the start is the first */
    double y_error;                      /* at the end, the largest */
    dae_status status;
    char message[400];
} simulation;

static const char *const problems[] = {"curve", "twisted slow"};

static const zoo_order *named(const char *name)
{
    for (size_t k = 0; k < zoo_order_count; k++)
        if (strcmp(zoo_orders[k]->name, name) == 0) return zoo_orders[k];
    ck_abort_msg("%s: no such problem", name);
}

static dae_solver *solver_of(const zoo_form *form, const char *name, double step)
{
    dae_options options = dae_options_default();
    options.method = name;
    options.formulation = "direct";
    options.projection = "none";
    options.step = step;
    dae_problem *handle = zoo_problem(form);
    dae_solver *solver = dae_solver_create(handle, &options);
    dae_problem_free(handle);
    return solver;
}

static void note(simulation *c, const zoo_order *made, dae_solver *solver)
{
    double y[3], exact[3], unused[3], t = dae_solver_time(solver);
    ck_assert_int_eq(dae_solver_at(solver, t, y, NULL), DAE_OK);
    zoo_exact(made, t, exact, unused);
    c->z_error[c->steps] = y[Z] - exact[Z];
    c->y_error = fmax(fabs(y[0] - exact[0]), fabs(y[1] - exact[1]));
}

/* `off`: by which the multiplier is wrong at the start, in equations that are met. */
static simulation follow(const char *name, const zoo_order *made, double h, int steps, double off)
{
    simulation c = {.status = DAE_OK};
    double y[3], yp[3], r[3], none[3] = {0};
    dae_solver *solver = solver_of(made->form, name, h);
    zoo_exact(made, 0, y, yp);
    y[Z] += off;
    ck_assert_int_eq(zoo_residual(made->form, 0, y, none, r), 0); /* -f */
    yp[0] = -r[0], yp[1] = -r[1];
    c.status = dae_solver_start_with(solver, 0, y, yp);
    ck_assert_msg(c.status == DAE_OK, "%s: %s", name, dae_solver_message(solver));
    note(&c, made, solver);
    while (c.status == DAE_OK && c.steps < steps) {
        c.status = dae_solver_step(solver, steps * h);
        if (c.status == DAE_OK) c.steps++, note(&c, made, solver);
    }
    snprintf(c.message, sizeof c.message, "%s", dae_solver_message(solver));
    dae_solver_free(solver);
    return c;
}

/* Of the multiplier from step to step, over those where it is large beside all else but small. */
static double growth_of(const char *name, const zoo_order *made)
{
    const double h = 1e-4;
    simulation c = follow(name, made, h, 60, 0);
    for (int n = 20; n < c.steps; n++)
        if (fabs(c.z_error[n]) > 1e-6) return c.z_error[n] / c.z_error[n - 1];
    return 0;
}

/* The roots of sigma outside the unit circle: 5 x^2 + 8 x - 1 of Adams-Moulton with two steps, 2
 * x^2 + 2 x - 1 of the difference-corrected BDF. With beta-blocking they are inside. */
START_TEST(multipliers_grow)
{
    static const struct {
        const char *name, *blocked;
        double factor;
    } row[] = {{"adams-moulton2", "blocked-adams-moulton2", -1.7165151389911680},
               {"dcbdf2-unblocked", "dcbdf2", -1.3660254037844386}};
    for (int k = 0; k < 2; k++) {
        for (int p = 0; p < 2; p++) {
            const zoo_order *made = named(problems[p]);
            double factor = growth_of(row[k].name, made);
            ck_assert_msg(fabs(factor / row[k].factor - 1) < 1e-2, "%s: %.9g a step", row[k].name,
                          factor);
            simulation coarse = follow(row[k].blocked, made, 2e-3, 100, 0);
            simulation fine = follow(row[k].blocked, made, 1e-3, 200, 0);
            ck_assert_int_eq(fine.status, DAE_OK);
            double order = log2(fabs(coarse.z_error[100] / fine.z_error[200]));
            ck_assert_msg(fabs(order - 2) < 0.2, "%s: order %.3g", row[k].blocked, order);
        }
    }
}
END_TEST

/* What is left at the end of an error of the first multiplier. */
static double left_of(const char *name, const zoo_order *made, int steps, double off)
{
    double h = made->t_end / steps;
    simulation with = follow(name, made, h, steps, off), without = follow(name, made, h, steps, 0);
    ck_assert_msg(with.status == DAE_OK && without.status == DAE_OK, "%s: %s", name, with.message);
    return (with.z_error[steps] - without.z_error[steps]) / off;
}

/* The multipliers of the trapezoidal rule keep an error of the start, of the same size at the end
 * however small the steps, while y converges; BDF forget it. */
START_TEST(trapezoidal_rule_keeps_errors)
{
    const double off = 1e-5;
    for (int p = 0; p < 2; p++) {
        const zoo_order *made = named(problems[p]);
        double left = left_of("trapezoidal", made, 128, off), last = HUGE_VAL;
        ck_assert_double_gt(fabs(left), 0.05);
        for (int steps = 128; steps <= 1024; steps *= 2) {
            simulation c = follow("trapezoidal", made, made->t_end / steps, steps, off);
            double now = left_of("trapezoidal", made, steps, off);
            double gone = left_of("bdf2", made, steps, off);
            ck_assert_msg(fabs(now / left - 1) < 0.2, "%d steps: %g, %g", steps, left, now);
            ck_assert_double_lt(c.y_error, last / 3);
            ck_assert_double_lt(fabs(gone), 1e-5);
            last = c.y_error;
        }
    }
}
END_TEST

/* Both roots of sigma are -rho_inf. An error of the first multiplier that falls to 0 with the step
 * is forgotten where rho_inf < 1, and order 2 is left; where it is 1, errors add up. */
START_TEST(two_step_family)
{
    static const char *const name[] = {"two-step:rho_inf=0",   "two-step:rho_inf=0.25",
                                       "two-step:rho_inf=0.5", "two-step:rho_inf=0.75",
                                       "two-step:rho_inf=0.9", "one-leg-two-step:rho_inf=0.9",
                                       "two-step:rho_inf=1"};
    for (int p = 0; p < 2; p++) {
        const zoo_order *made = named(problems[p]);
        double h = made->t_end / 256;
        for (int k = 0; k < 7; k++) {
            simulation coarse = follow(name[k], made, h, 256, h / 50);
            simulation fine = follow(name[k], made, h / 4, 1024, h / 200);
            ck_assert_int_eq(coarse.status, DAE_OK);
            ck_assert_int_eq(fine.status, DAE_OK);
            double order = log2(fabs(coarse.z_error[256] / fine.z_error[1024])) / 2;
            bool converges = k < 6;
            ck_assert_msg(converges ? fabs(order - 2) < 0.1 : order < 0.1, "%s: order %.3g",
                          name[k], order);
        }
    }
}
END_TEST

/* y_1 + eta t y_2 = q, y_1' + eta t y_2' + (1 + eta) y_2 = 0, q = 1 + t: y_2 = -1 (U. Ascher & L.
 * Petzold, Computer methods for ordinary differential equations and differential-algebraic
 * equations (1998), Ex. 10.1). */
static int shifted(double t, const double *y, const double *yp, double *r, void *user)
{
    double eta = *(const double *)user;
    r[0] = y[0] + eta * t * y[1] - (1 + t);
    r[1] = yp[0] + eta * t * yp[1] + (1 + eta) * y[1];
    return 0;
}

static int shifted_jacobian(double t, const double *y, const double *yp, double *dy, double *dyp,
                            void *user)
{
    double eta = *(const double *)user;
    (void)y, (void)yp;
    dy[0] = 1, dy[1] = 0, dy[2] = eta * t, dy[3] = 1 + eta;
    dyp[0] = 0, dyp[1] = 1, dyp[2] = 0, dyp[3] = eta * t;
    return 0;
}

/* (1 + eta) v_n = eta v_(n-1) - (q_n - q_(n-1)) / h of the implicit Euler method: an error of the
 * start is multiplied by eta / (1 + eta) in each step, and with eta = -1 there is no v_n. */
START_TEST(euler_on_a_shifted_pencil)
{
    static const unsigned char index[] = {2, 2};
    const double etas[] = {-0.6, -0.55, -0.4, 0.5, 2, -1}, off = 1e-3, h = 0.01;
    for (int k = 0; k < 6; k++) {
        double eta = etas[k], y[] = {1, -1 + off}, yp[] = {-(1 + eta) * y[1], 0}, before = off;
        const zoo_form form = {.kind = ZOO_RESIDUAL,
                               .as.residual = {.n = 2,
                                               .residual = shifted,
                                               .jacobian = shifted_jacobian,
                                               .about = {.index = index, .user = &eta}}};
        dae_solver *solver = solver_of(&form, "implicit-euler", h);
        dae_status status = dae_solver_start_with(solver, 0, y, yp);
        for (int n = 0; n < 5 && status == DAE_OK; n++) {
            status = dae_solver_step(solver, 1);
            if (status != DAE_OK) break;
            ck_assert_int_eq(dae_solver_at(solver, dae_solver_time(solver), y, NULL), DAE_OK);
            ck_assert_double_eq_tol((y[1] + 1) / before, eta / (1 + eta), 1e-6);
            before = y[1] + 1;
        }
        ck_assert_int_eq(status, eta == -1 ? DAE_SINGULAR : DAE_OK);
        if (eta == -1)
            ck_assert_ptr_nonnull(strstr(dae_solver_message(solver), "matrix is singular"));
        dae_solver_free(solver);
    }
}
END_TEST

/* The largest relative error of y_2 and y_3 after so many steps of a BDF from points that mean
 * nothing. */
static double error_after(int steps, const char *name, double h)
{
    example e;
    uint64_t noise = 1;
    double y[3] = {1, 1, 1}, yp[3] = {1, 1, 1};
    begin(&e, 3, 2, chain, chain_slope);
    e.index[1] = 2, e.index[2] = 3;
    e.problem.constant_mass = e.problem.constant = true;
    engine *g = engine_for(&e, name, (engine_options){.fixed_step = h});
    engine_start(g, 0, y, yp);
    int first = e.which->multistep->steps;
    for (int n = 1 - first; n <= steps; n++) {
        for (int k = 0; k < 3; k++) y[k] = 1 + scatter(&noise), yp[k] = 1;
        if (n <= 0) engine_replace(g, y, yp); /* the start, and what follows it */
        ck_assert_int_eq(engine_step(g, 100), DAE_OK);
    }
    double size = exp(g->t), error = fmax(fabs(g->y[1] - size), fabs(g->y[2] - size));
    dispose(&e, g);
    return error / size;
}

/* With constant steps BDF k forgets its start within 2 k steps of linear equations with constant
 * coefficients and index 3, and has order k from there on (K. Brenan, S. Campbell & L. Petzold,
 * Numerical solution of initial-value problems in differential-algebraic equations (1996), Thm
 * 3.1.1). */
START_TEST(constant_steps_on_index_3)
{
    static const char *const name[] = {"bdf2", "bdf3", "bdf4", "bdf5", "bdf6"};
    for (int k = 2; k <= 6; k++) {
        double h = 0.02 * k, coarse = error_after(2 * k + 1, name[k - 2], h);
        double fine = error_after(2 * k + 1, name[k - 2], h / 2);
        double early = error_after(k, name[k - 2], h / 2);
        double order = log2(coarse / fine);
        ck_assert_double_gt(early, 1);
        ck_assert_msg(fabs(order - k) < 0.3, "%s: order %.3g", name[k - 2], order);
    }
}
END_TEST

UNIT_MAIN("accuracy/denied", 60, multipliers_grow, trapezoidal_rule_keeps_errors, two_step_family,
          euler_on_a_shifted_pencil, constant_steps_on_index_3)
