/* Fox-Goodwin's formulas from exact start values are of order 2, and with the velocity that belongs
 * to them of order 4 (the remark of the tables of multibody benchmarks); in the tangent. */
#include "mechanisms/study.h"

#include <stdio.h>

enum { CLASSES = 3, LEVELS = 6 };

static const char *const class_name[CLASSES] = {"q", "v", "lambda"};

/* The largest errors on the way to 2 s. */
static void find_errors(const zoo_mechanical *row, const char *name, double h, double *error)
{
    run r;
    error[0] = error[1] = error[2] = 0;
    run_row(&r, row, (way){name, "tangent", h});
    while (run_step(&r, 2)) {
        zoo_motion exact;
        row->exact(r.t, &exact);
        for (size_t i = 0; i < r.nq; i++) {
            error[0] = fmax(error[0], fabs(r.y[i] - exact.q[i]));
            error[1] = fmax(error[1], fabs(r.y[r.nq + i] - exact.v[i]));
        }
        for (size_t i = 0; i < r.constraints; i++)
            error[2] = fmax(error[2], fabs(r.y[2 * r.nq + i] - exact.lambda[i]));
    }
    if (r.status != DAE_OK) error[0] = HUGE_VAL;
    run_finish(&r);
}

/* The slope of a line through (log h, log error), by least squares. */
static double fit(const double *h, double (*error)[CLASSES], int c, int first)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int k = first; k < LEVELS; k++) {
        double a = log(h[k]), b = log(error[k][c]);
        n++, x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

static void slopes(study *s, figure *f, const zoo_mechanical *row, const char *name, int order)
{
    double h[LEVELS], error[LEVELS][CLASSES];
    printf("  %s, %s\n", row->form.about.name, name);
    for (int k = 0; k < LEVELS; k++) {
        h[k] = 0.05 / (1 << k);
        find_errors(row, name, h[k], error[k]);
        printf("    h = %-10g q %9.2e  v %9.2e  lambda %9.2e\n", h[k], error[k][0], error[k][1],
               error[k][2]);
    }
    for (int c = 0; c < CLASSES; c++) {
        char title[60];
        snprintf(title, sizeof title, "%s, order %d", class_name[c], order);
        figure_curve(f, title);
        for (int k = 0; k < LEVELS; k++) figure_point(f, h[k], error[k][c]);
        study_near(s, fit(h, error, c, 2), order, 0.15, class_name[c]);
    }
}

/* The double four-bar to 10 s, five turns and ten singular configurations: the error of the first
 * joint, and of the energy (J). */
static void four_bar(const char *name, double h, double *place, double *energy)
{
    const double end[2] = {0.32845811154081538, 0.94451853817860096}, start = 35.835;
    run r;
    *energy = 0;
    run_row(&r, &zoo_double_four_bar, (way){name, "tangent", h});
    while (run_step(&r, 10)) {
        double sum = 0;
        const double *v = r.y + r.nq;
        for (size_t i = 0; i < r.nq; i++) sum += v[i] * v[i] / (i % 3 == 2 ? 24 : 2);
        for (size_t i = 1; i < r.nq; i += 3) sum += 9.81 * r.y[i];
        *energy = fmax(*energy, fabs(sum - start));
    }
    *place = r.status == DAE_OK ? hypot(2 * r.y[0] - end[0], 2 * r.y[1] - end[1]) : HUGE_VAL;
    printf("    h = %-8g place %9.2e m  energy %9.2e J\n", h, *place, *energy);
    run_finish(&r);
}

static void four_bars(study *s)
{
    double place[2], energy[2];
    printf("  double four-bar, fox-goodwin\n");
    for (int k = 0; k < 2; k++) four_bar("fox-goodwin", 0.01 / (1 << k), &place[k], &energy[k]);
    study_near(s, log2(energy[0] / energy[1]), 2, 0.3, "the order of the energy,");
    printf("  double four-bar, fox-goodwin:corrected=1\n");
    for (int k = 0; k < 2; k++)
        four_bar("fox-goodwin:corrected=1", 0.01 / (1 << k), &place[k], &energy[k]);
    study_near(s, log2(energy[0] / energy[1]), 4, 0.3, "the order of the energy,");
    study_fact(s, place[0] < 1e-3, "the first joint meets the 1e-3 m of the benchmark at 0.01 s");
}

void study_orders(study *s)
{
    static const zoo_mechanical *const row[] = {&zoo_pendulum, &zoo_driven_pendulum};
    figure *f = figure_begin(s, "fox-goodwin-orders", 1, 2);
    printf("\nOrders in the tangent: largest errors on the way to 2 s, fitted slopes\n");
    for (int k = 0; k < 2; k++) {
        figure_panel(f, row[k]->form.about.name, "h [s]", "largest error",
                     "set logscale xy\nset format xy '%.0e'\nset key bottom right");
        slopes(s, f, row[k], "fox-goodwin", 2);
        slopes(s, f, row[k], "fox-goodwin:corrected=1", 4);
    }
    figure_end(f);
    four_bars(s);
}
