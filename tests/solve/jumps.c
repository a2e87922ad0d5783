/* Drawn inputs that jump, or rise within a layer far shorter than the run: all methods with error
 * control end within tens of tolerances. Where no stage of a method is an end of the step, a jump
 * between an end and the next stage shows in no difference of stages. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const METHODS[] = {"auto",
                                      "dopri5",
                                      "dop853",
                                      "gauss2",
                                      "gauss3",
                                      "radau",
                                      "bdf",
                                      "mebdf",
                                      "radau-iia3",
                                      "radau-iia5",
                                      "rodas4",
                                      "rodasp",
                                      "rodas5p",
                                      "sdirk-hw16",
                                      "implicit-euler",
                                      "esdirk4",
                                      "hedop5",
                                      "projected-gauss2",
                                      "projected-gauss3",
                                      "state-space-dopri5",
                                      "kvaerno5",
                                      "kvaerno4",
                                      "state-space-gauss2",
                                      "state-space-gauss3"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS, TEXT = 400, DRAWN = 24 };

static const double RTOL[] = {1e-3, 1e-5, 1e-7};

/* A run ends at t = 1, where y is known. */
typedef struct drawn {
    char text[TEXT];
    double y;
} drawn;

typedef void drawing(drawn *d, uint64_t *state);

/* y' = -k y + u, u = a, then b */
static void jump(drawn *d, uint64_t *state)
{
    double a = scatter_between(state, -3, 3), b = scatter_between(state, -3, 3),
           at = scatter_between(state, 0.1, 0.9);
    double k = pow(10, scatter_between(state, -1, 1.5)), after = exp(-k * (1 - at));
    d->y = (a * (1 - exp(-k * at)) * after + b * (1 - after)) / k;
    snprintf(d->text, TEXT,
             "model M Real y(start = 0, fixed = true);\n"
             "equation der(y) = -%.17g*y + (if time > %.17g then %.17g else %.17g); end M;",
             k, at, b, a);
}

/* y' = a, then b: without a jump each step is exact */
static void two_slopes(drawn *d, uint64_t *state)
{
    double a = scatter_between(state, -3, 3), b = scatter_between(state, -3, 3),
           at = scatter_between(state, 0.1, 0.9);
    d->y = a * at + b * (1 - at);
    snprintf(d->text, TEXT,
             "model M Real y(start = 0, fixed = true);\n"
             "equation der(y) = if time > %.17g then %.17g else %.17g; end M;",
             at, b, a);
}

static double log_cosh(double x)
{
    return fabs(x) + log1p(exp(-2 * fabs(x))) - log(2);
}

static void layer(drawn *d, uint64_t *state)
{
    double a = scatter_between(state, -3, 3), b = scatter_between(state, -3, 3),
           at = scatter_between(state, 0.1, 0.9);
    double width = pow(10, scatter_between(state, -7, -2));
    d->y = a + b * width * (log_cosh((1 - at) / width) - log_cosh(at / width));
    snprintf(d->text, TEXT,
             "model M Real y(start = 0, fixed = true);\n"
             "equation der(y) = %.17g + (%.17g)*tanh((time - %.17g)/%.17g); end M;",
             a, b, at, width);
}

static void corner(drawn *d, uint64_t *state)
{
    double a = scatter_between(state, -3, 3), b = scatter_between(state, -30, 30),
           at = scatter_between(state, 0.1, 0.9);
    d->y = a + b * (1 - at) * (1 - at) / 2;
    snprintf(d->text, TEXT,
             "model M Real y(start = 0, fixed = true);\n"
             "equation der(y) = %.17g + (%.17g)*max(0, time - %.17g); end M;",
             a, b, at);
}

static void check_drawn(const drawn *d, const char *method, double rtol)
{
    dae_options options = tolerance_of(rtol);
    options.method = method;
    double off = fabs(end_of(d->text, &options, 1, "y") - d->y) / (rtol * (1 + fabs(d->y)));
    ck_assert_msg(off < 30, "%s, %g: off by %g tolerances\n%s", method, rtol, off, d->text);
}

START_TEST(inputs_that_jump_come_out_right)
{
    static drawing *const drawings[] = {jump, two_slopes, layer, corner};
    uint64_t state = 33;
    bool slow = strcmp(METHODS[_i], "implicit-euler") == 0;
    size_t tolerances = sizeof RTOL / sizeof *RTOL - slow;
    report_left_out(METHODS[_i], slow, sizeof RTOL / sizeof *RTOL, "a million steps at 1e-7");
    for (size_t k = 0; k < DRAWN; k++) {
        drawn d;
        drawings[k % 4](&d, &state);
        for (size_t i = 0; i < tolerances; i++) check_drawn(&d, METHODS[_i], RTOL[i]);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, inputs_that_jump_come_out_right, 0, METHODS_COUNT);
    return unit_run("solve/jumps", tests);
}
