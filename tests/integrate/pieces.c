/* Runs in pieces, each of which the engine knows as its end: what the ends cost. */
#include "integrate/example.h"

/* y' = -20 (y - cos t) - sin t */
static void fall_to_cosine(double t, const double *y, double *f)
{
    f[0] = -20 * (y[0] - cos(t)) - sin(t);
}

static void fall_to_cosine_slope(double t, const double *y, double *j)
{
    (void)t, (void)y;
    j[0] = -20;
}

/* To t = 40, in equal pieces but for the last. */
static engine_counts run_in_pieces(const char *name, double piece, double rtol)
{
    example e;
    const double y = 1.5, yp = -10;
    begin(&e, 1, 1, fall_to_cosine, fall_to_cosine_slope);
    engine *g = engine_for(&e, name, (engine_options){.rtol = rtol, .atol = rtol});
    engine_start(g, 0, &y, &yp);
    for (int k = 1; g->t < 40; k++)
        while (g->t < fmin(40, k * piece))
            ck_assert_int_eq(engine_step(g, fmin(40, k * piece)), DAE_OK);
    ck_assert_double_eq_tol(g->y[0], cos(40), 10 * rtol);
    engine_counts counts = g->counts;
    dispose(&e, g);
    return counts;
}

/* Ends so close that one step leads from one to the next: they cost an iteration each, hardly more,
 * beside what the run without them takes. */
START_TEST(close_ends_cost_one_iteration_each)
{
    static const char *const names[] = {"bdf", "mebdf"};
    static const struct {
        double rtol, piece;
    } run[] = {{1e-3, 0.013}, {1e-3, 0.046}, {1e-3, 0.086}, {1e-3, 0.0659}, {1e-5, 0.0239}};
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < 5; i++) {
            engine_counts whole = run_in_pieces(names[m], 40, run[i].rtol);
            engine_counts cut = run_in_pieces(names[m], run[i].piece, run[i].rtol);
            double most = (double)whole.newton_iterations + 1.2 * 40 / run[i].piece;
            ck_assert_msg((double)cut.newton_iterations < most, "%s, %g, %g: %zu of %.0f", names[m],
                          run[i].rtol, run[i].piece, cut.newton_iterations, most);
        }
}
END_TEST

/* Where several steps lie between them, few more of these fail than without them: no end leaves
 * differences of a very short step after, from which a long one fails. */
START_TEST(ends_fail_few_steps)
{
    for (double rtol = 1e-5; rtol > 1e-10; rtol /= 100) {
        size_t whole = run_in_pieces("bdf", 40, rtol).rejected;
        for (double piece = 0.2; piece < 1; piece *= 1.37) {
            double most = (double)whole + 5 + 0.05 * 40 / piece;
            size_t cut = run_in_pieces("bdf", piece, rtol).rejected;
            ck_assert_msg((double)cut < most, "%g, %g: %zu of %.0f", rtol, piece, cut, most);
        }
    }
}
END_TEST

UNIT_MAIN("integrate/pieces", 60, close_ends_cost_one_iteration_each, ends_fail_few_steps)
