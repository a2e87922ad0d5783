/* Events of runs that go past impasse points: before the first fold, after the second one, on the
 * part of the curve along which time falls, and at the folds themselves. Along u^3 - 3 u = a (time
 * - t0) the variable u rises from below -2 on, so that the time of each event is known. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

enum { TEXT = 800 };

typedef struct fold {
    double scale, middle, shift; /* z = scale u + shift; folds are at t = middle +- 2/a */
    double a, start, stop;
    char text[TEXT];
} fold;

/* The time at which u has a value. */
static double time_of(const fold *f, double u)
{
    return f->middle + (u * u * u - 3 * u) / f->a;
}

static void draw(fold *f, uint64_t *state)
{
    f->a = scatter_between(state, 0.5, 2);
    f->scale = scatter_between(state, 0.5, 2);
    f->shift = scatter_between(state, -1, 1);
    f->middle = scatter_between(state, -1, 1);
    f->start = time_of(f, scatter_between(state, -2.6, -2.2));
    f->stop = time_of(f, scatter_between(state, 2.3, 2.6));
}

/* A model in which w changes its rate from 1 to `after` at an event; begin: where u begins. */
static void write_model(fold *f, double begin, const char *relation, double after)
{
    snprintf(f->text, TEXT,
             "model M Real z(start = %.17g), u, w(start = 0, fixed = true);\n"
             "equation u = (z - (%.17g))/%.17g; u^3 - 3*u = %.17g*(time - (%.17g));\n"
             "der(w) = if %s then %.17g else 1; end M;",
             f->scale * begin + f->shift, f->shift, f->scale, f->a, f->middle, relation, after);
}

static double root_before_fold(const fold *f, double t)
{
    double low = -4, high = -1;
    for (int i = 0; i < 100; i++) {
        double u = 0.5 * (low + high);
        *(time_of(f, u) < t ? &low : &high) = u;
    }
    return low;
}

static dae_solver *begin_run(const fold *f)
{
    dae_options options = tolerance_of(1e-8);
    options.singular = "pass";
    dae_solver *solver = solver_of(f->text, &options);
    is_ok(solver, dae_solver_start(solver, f->start, NULL));
    return solver;
}

static void ends_with(const fold *f, double w, double u)
{
    double y[3];
    dae_solver *solver = begin_run(f);
    dae_status status = dae_solver_run(solver, f->stop);
    ck_assert_msg(status == DAE_OK, "%s\n%s", dae_solver_message(solver), f->text);
    is_ok(solver, dae_solver_at(solver, f->stop, y, NULL));
    ck_assert_msg(fabs(y[2] - w) < 1e-5, "w = %.12g, not %.12g\n%s", y[2], w, f->text);
    ck_assert_double_eq_tol(y[1], u, 1e-5);
    dae_solver_free(solver);
}

static double root_at_end(const fold *f)
{
    double low = 1, high = 4;
    for (int i = 0; i < 100; i++) {
        double u = 0.5 * (low + high);
        *(time_of(f, u) < f->stop ? &low : &high) = u;
    }
    return low;
}

/* The event at u = `at`, by a relation of the state or of time. */
static void follow(fold *f, double at, bool of_time)
{
    char relation[80];
    double t = time_of(f, at), after = -2;
    if (of_time)
        snprintf(relation, sizeof relation, "time > %.17g", t);
    else
        snprintf(relation, sizeof relation, "z > %.17g", f->scale * at + f->shift);
    write_model(f, root_before_fold(f, f->start), relation, after);
    ends_with(f, t - f->start + after * (f->stop - t), root_at_end(f));
}

START_TEST(before_the_first_fold)
{
    uint64_t state = 1;
    for (int k = 0; k < 24; k++) {
        fold f;
        draw(&f, &state);
        follow(&f, k % 3 ? scatter_between(&state, -2, -1.05) : -1 - pow(10, -1 - k / 6), false);
    }
}
END_TEST

START_TEST(behind_the_second_fold)
{
    uint64_t state = 2;
    for (int k = 0; k < 24; k++) {
        fold f;
        draw(&f, &state);
        follow(&f, k % 3 ? scatter_between(&state, 1.05, 2.2) : 1 + pow(10, -1 - k / 6), false);
    }
}
END_TEST

/* A time that lies after both folds. */
START_TEST(at_a_time)
{
    uint64_t state = 3;
    for (int k = 0; k < 12; k++) {
        fold f;
        draw(&f, &state);
        follow(&f, scatter_between(&state, 2.05, 2.25), true);
    }
}
END_TEST

/* An event that turns the orientation of the curve round. */
START_TEST(an_equation_changes_its_sign)
{
    uint64_t state = 4;
    for (int k = 0; k < 12; k++) {
        fold f;
        draw(&f, &state);
        double t = time_of(&f, scatter_between(&state, -2, -1.3));
        snprintf(f.text, TEXT,
                 "model M Real z(start = %.17g), u, w(start = 0, fixed = true);\n"
                 "equation u = (z - (%.17g))/%.17g;\n"
                 "0 = (if time > %.17g then -1 else 1)*(u^3 - 3*u - %.17g*(time - (%.17g)));\n"
                 "der(w) = z; end M;",
                 f.scale * root_before_fold(&f, f.start) + f.shift, f.shift, f.scale, t, f.a,
                 f.middle);
        double y[3];
        dae_solver *solver = begin_run(&f);
        dae_status status = dae_solver_run(solver, f.stop);
        /* the time of the event is passed once more while time falls */
        ck_assert_msg(status == DAE_EVENT, "%s\n%s", dae_solver_message(solver), f.text);
        ck_assert_double_eq_tol(dae_solver_time(solver), t, 1e-9);
        ck_assert_int_eq(dae_solver_at(solver, dae_solver_time(solver), y, NULL), DAE_OK);
        ck_assert_msg(y[1] > -1 && y[1] < 1, "u = %g\n%s", y[1], f.text);
        dae_solver_free(solver);
    }
}
END_TEST

/* As time falls an event is told by name, exactly where it is. */
static void stops(const fold *f, double t, double u, const char *name)
{
    double y[3];
    dae_solver *solver = begin_run(f);
    dae_status status = dae_solver_run(solver, f->stop);
    const char *said = dae_solver_message(solver);
    ck_assert_msg(status == DAE_EVENT && strstr(said, name) && strstr(said, "time falls"),
                  "%s\n%s\n%s", dae_status_word(status), said, f->text);
    ck_assert_double_eq_tol(dae_solver_time(solver), t, 1e-7);
    ck_assert_int_eq(dae_solver_at(solver, dae_solver_time(solver), y, NULL), DAE_OK);
    ck_assert_double_eq_tol(y[1], u, 1e-6);
    dae_solver_free(solver);
}

START_TEST(while_time_falls)
{
    uint64_t state = 5;
    for (int k = 0; k < 24; k++) {
        fold f;
        char relation[80];
        draw(&f, &state);
        double u = k % 3 ? scatter_between(&state, -0.95, 0.95) : -1 + pow(10, -1 - k / 6);
        snprintf(relation, sizeof relation, "z > %.17g", f.scale * u + f.shift);
        write_model(&f, root_before_fold(&f, f.start), relation, -1);
        stops(&f, time_of(&f, u), u, "z > ");
    }
}
END_TEST

/* A time that was passed before the fold is passed again. */
START_TEST(a_time_while_time_falls)
{
    uint64_t state = 6;
    for (int k = 0; k < 12; k++) {
        fold f;
        char relation[80];
        draw(&f, &state);
        double u = scatter_between(&state, -0.9, 0.9), t = time_of(&f, u);
        if (t < f.start) continue;
        snprintf(relation, sizeof relation, "time > %.17g", t);
        write_model(&f, root_before_fold(&f, f.start), relation, -1);
        stops(&f, t, u, "time > ");
    }
}
END_TEST

/* At a fold the run either is right or is refused by name. */
START_TEST(at_a_fold)
{
    uint64_t state = 7;
    for (int k = 0; k < 12; k++) {
        fold f;
        char relation[80];
        double y[3], after = -2;
        draw(&f, &state);
        double u = k % 2 ? 1 : -1, t = time_of(&f, u);
        snprintf(relation, sizeof relation, "z > %.17g", f.scale * u + f.shift);
        write_model(&f, root_before_fold(&f, f.start), relation, after);
        dae_solver *solver = begin_run(&f);
        dae_status status = dae_solver_run(solver, f.stop);
        if (status == DAE_OK) {
            is_ok(solver, dae_solver_at(solver, f.stop, y, NULL));
            double w = t - f.start + after * (f.stop - t);
            ck_assert_msg(fabs(y[2] - w) < 1e-4, "w = %.12g, not %.12g\n%s", y[2], w, f.text);
        } else {
            ck_assert_msg(status == DAE_EVENT, "%s\n%s", dae_solver_message(solver), f.text);
            ck_assert_double_eq_tol(dae_solver_time(solver), t, 1e-5);
        }
        dae_solver_free(solver);
    }
}
END_TEST

UNIT_MAIN("solve/impasse_events", 60, before_the_first_fold, behind_the_second_fold, at_a_time,
          an_equation_changes_its_sign, while_time_falls, a_time_while_time_falls, at_a_fold)
