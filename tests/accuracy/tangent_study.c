/* The experiments of the tangent-space paper (2023), Secs. 3 and 6, as tables, and with a folder
 * named as pictures in it: `make tangent-study`. */
#include "method/method.h"
#include "report/plot.h"
#include "zoo/mechanical.h"

#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *folder; /* NULL: no pictures */

/* One run with constant steps: q, v and lambda after each. */
typedef struct run {
    dae_problem *problem;
    dae_solver *solver;
    size_t nq, n;
    double y[3 * ZOO_MECHANICAL_MOST];
} run;

static dae_status begin(run *r, const zoo_mechanical *row, const dae_mechanical_form *form,
                        const char *name, const char *formulation, double step)
{
    dae_options options = dae_options_default();
    double start[3 * ZOO_MECHANICAL_MOST];
    options.method = name;
    options.formulation = formulation;
    options.step = step;
    *r = (run){.nq = form->nq, .n = 2 * form->nq + form->holonomic};
    r->problem = dae_problem_mechanical(form);
    r->solver = dae_solver_create(r->problem, &options);
    for (size_t i = 0; i < 3 * ZOO_MECHANICAL_MOST; i++) start[i] = (double)NAN;
    row->start(start, start + r->nq);
    return dae_solver_start(r->solver, 0, start);
}

static dae_status step(run *r, double end)
{
    dae_status status = dae_solver_step(r->solver, end);
    double t = dae_solver_time(r->solver);
    return status == DAE_OK ? dae_solver_at(r->solver, t, r->y, NULL) : status;
}

static void finish(run *r)
{
    dae_solver_free(r->solver);
    dae_problem_free(r->problem);
}

/* The picture of one variable over time, NULL where none is wanted. */
static plot *picture(const char *file, const char *variable)
{
    static char path[400];
    static const char *name[1], *const unit[] = {""};
    const char *where;
    if (!folder) return NULL;
    snprintf(path, sizeof path, "%s/%s.svg", folder, file);
    name[0] = variable;
    return plot_begin(path, 1, name, unit, &where);
}

/* --- stiff pendulum --- */

static void stiff_pendulum(void)
{
    static const struct {
        const char *name, *formulation;
        double h;
    } of[] = {{"fox-goodwin", "index3", 0.01},  {"fox-goodwin", "index3", 0.1},
              {"newmark", "index3", 0.1},       {"newmark", "index3", 6},
              {"fox-goodwin", "tangent", 0.1},  {"fox-goodwin", "tangent", 0.6},
              {"fox-goodwin", "tangent", 0.78}, {"fox-goodwin", "tangent", 0.79},
              {"newmark", "tangent", 0.1},      {"newmark", "tangent", 6}};
    printf("stiff pendulum, 1000 s: largest angle, largest |lambda_y - 9.8|\n");
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        run r;
        double angle = 0, off = 0;
        const zoo_mechanical *row = &zoo_pendulum_torque;
        dae_status status = begin(&r, row, &row->form, of[k].name, of[k].formulation, of[k].h);
        while (status == DAE_OK && dae_solver_time(r.solver) < 1000) {
            status = step(&r, 1000);
            angle = fmax(angle, fabs(r.y[2]));
            off = fmax(off, fabs(r.y[7] - 9.8));
        }
        double limit = dae_solver_stats(r.solver)->stable_step;
        printf("  %-12s %-8s h = %-5g %9.5f %10.2e  to %6.1f s", of[k].name, of[k].formulation,
               of[k].h, angle, off, dae_solver_time(r.solver));
        if (limit > 0) printf(", stable to h = %.5g", limit);
        putchar('\n');
        finish(&r);
    }
}

static int torque(double t, const double *q, const double *v, double *f, void *user)
{
    (void)q, (void)v;
    f[0] = 0;
    f[1] = -9.8;
    f[2] = *(const double *)user * sin(0.1 * t);
    return 0;
}

static void torque_sweep(void)
{
    const char *const formulation[] = {"index3", "tangent"};
    printf("torque of T0 sin(0.1 t), newmark, h = 0.1 s, 200 s: largest angle and reaction\n");
    for (int k = 0; k < 10; k++) {
        run r;
        char file[60];
        double size = 5 + k / 2, angle = 0, reaction = 0;
        const zoo_mechanical *row = &zoo_pendulum_torque;
        dae_mechanical_form form = row->form;
        form.force = torque;
        form.about.user = &size;
        snprintf(file, sizeof file, "reaction-%s-%g", formulation[k % 2], size);
        plot *p = picture(file, "R_x");
        dae_status status = begin(&r, row, &form, "newmark", formulation[k % 2], 0.1);
        while (status == DAE_OK && dae_solver_time(r.solver) < 200) {
            const size_t column[] = {6};
            status = step(&r, 200);
            angle = fmax(angle, fabs(r.y[2]));
            reaction = fmax(reaction, fabs(r.y[6]));
            if (p) plot_row(p, dae_solver_time(r.solver), r.y, column);
        }
        if (p) plot_end(p);
        printf("  T0 = %g  %-8s %8.5f %10.3e  to %5.1f s\n", size, formulation[k % 2], angle,
               reaction, dae_solver_time(r.solver));
        finish(&r);
    }
}

/* --- double pendulum --- */

static void double_pendulum(void)
{
    static const struct {
        const char *name, *formulation;
        double h;
    } of[] = {{"newmark", "index3", 1e-3},
              {"newmark:alpha=0.5000005,beta=0.2500006", "index3", 1e-3},
              {"newmark:alpha=0.5001,beta=0.2507", "index3", 1e-3},
              {"newmark:alpha=0.75,beta=0.390625", "index3", 1e-3},
              {"newmark", "tangent", 1e-3},
              {"fox-goodwin", "tangent", 5e-4}};
    printf("stiff double pendulum, 2 s: angles against the reference, R_y - 32.373 in the last "
           "half second\n");
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        run r;
        char file[60];
        double off = 0;
        const zoo_mechanical *row = &zoo_double_pendulum;
        const double *last = row->reference + (row->references - 1) * (1 + 12 + 4);
        snprintf(file, sizeof file, "double-pendulum-%zu", k + 1);
        plot *p = picture(file, "R_y");
        dae_status status = begin(&r, row, &row->form, of[k].name, of[k].formulation, of[k].h);
        while (status == DAE_OK && dae_solver_time(r.solver) < 2) {
            const size_t column[] = {13};
            status = step(&r, 2);
            if (dae_solver_time(r.solver) > 1.5) off = fmax(off, fabs(r.y[13] - 3.3 * 9.81));
            if (p) plot_row(p, dae_solver_time(r.solver), r.y, column);
        }
        if (p) plot_end(p);
        printf("  %-40s %-8s %9.2e %9.2e  to %5.3f s, largest frequency %.1f\n", of[k].name,
               of[k].formulation, fmax(fabs(r.y[2] - last[3]), fabs(r.y[5] - last[6])), off,
               dae_solver_time(r.solver), dae_solver_stats(r.solver)->frequency);
        finish(&r);
    }
}

/* --- squeezing mechanism --- */

static void andrews(bool whole)
{
    static const struct {
        const char *name, *formulation;
        double h;
    } of[] = {{"newmark", "index3", 1e-5},      {"generalized-alpha", "index3", 1e-5},
              {"fox-goodwin", "tangent", 6e-4}, {"fox-goodwin", "tangent", 5e-4},
              {"fox-goodwin", "tangent", 1e-5}, {"fox-goodwin:corrected=1", "tangent", 1e-5},
              {"fox-goodwin", "tangent", 2e-6}};
    printf("squeezing mechanism, 0.03 s: largest error of an angle\n");
    for (size_t k = 0; k < sizeof of / sizeof *of - !whole; k++) {
        run r;
        double error = 0;
        const zoo_mechanical *row = &zoo_andrews;
        const double *last = row->reference + (row->references - 1) * (1 + 14 + 6);
        dae_status status = begin(&r, row, &row->form, of[k].name, of[k].formulation, of[k].h);
        while (status == DAE_OK && dae_solver_time(r.solver) < 0.03) status = step(&r, 0.03);
        for (size_t i = 0; i < 7; i++) error = fmax(error, fabs(r.y[i] - last[1 + i]));
        printf("  %-24s %-8s h = %-6g %9.2e  to %6.4f s, largest frequency %.1f\n", of[k].name,
               of[k].formulation, of[k].h, error, dae_solver_time(r.solver),
               dae_solver_stats(r.solver)->frequency);
        finish(&r);
    }
}

int main(int count, char **argument)
{
    folder = count > 1 ? argument[1] : NULL;
    stiff_pendulum();
    torque_sweep();
    double_pendulum();
    andrews(folder != NULL);
    return 0;
}
