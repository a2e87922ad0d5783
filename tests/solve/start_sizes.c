/* What is said of a start does not depend on how large the model is: where small systems are
 * decomposed, the ranks of large ones are found by elimination. */
#include "solve/models.h"

static const size_t SIZES[] = {10, 300, 1500};

enum { COUNT = sizeof SIZES / sizeof *SIZES };

/* The start of a model of n elements, in whose text n stands for %zu. */
static dae_solver *start_of(const char *model, size_t n, dae_status wanted)
{
    char text[2000];
    snprintf(text, sizeof text, model, n);
    dae_solver *solver = solver_of(text, NULL);
    dae_status status = dae_solver_start(solver, 0, NULL);
    ck_assert_msg(status == wanted, "n = %zu: %s: %s", n, dae_status_word(status),
                  dae_solver_message(solver));
    return solver;
}

enum { ROOM = 10000 };

static double value_of(dae_solver *solver, size_t k)
{
    double *y = calloc(ROOM, sizeof *y);
    is_ok(solver, dae_solver_at(solver, 0, y, NULL));
    double value = y[k];
    free(y);
    return value;
}

static void notes(const char *model, size_t sizes, const char *note, double first)
{
    for (size_t k = 0; k < sizes; k++) {
        dae_solver *solver = start_of(model, SIZES[k], DAE_OK);
        const char *said = dae_solver_notes(solver);
        ck_assert_msg(note ? strstr(said, note) != NULL : !*said, "n = %zu: %s", SIZES[k], said);
        ck_assert_double_eq_tol(value_of(solver, 0), first, 1e-12);
        dae_solver_free(solver);
    }
}

#define CASCADE                                                                            \
    "model M parameter Integer n = %zu; Real x[n](each start = 1); equation for k in 1:n " \
    "loop der(x[k]) = -x[k] + (if k > 1 then x[max(k - 1, 1)] else 0); end for; "

START_TEST(missing_conditions)
{
    notes(CASCADE "initial equation for k in 1:n - 1 loop x[k]^2 + 0.1*x[k + 1] = 1.1; end for; "
                  "end M;",
          COUNT, "1 start condition is missing; the start value is used: x[", 1);
}
END_TEST

START_TEST(redundant_conditions)
{
    notes(CASCADE "initial equation for k in 1:n - 1 loop x[k] = x[k + 1]; end for; x[1] = x[n]; "
                  "x[1] = 2; end M;",
          COUNT, "1 start condition more than the degrees of freedom, but consistent", 2);
}
END_TEST

/* The values go down to 0 step by step, which takes long where they are many. */
START_TEST(steady_starts)
{
    notes(CASCADE "initial equation for k in 1:n loop der(x[k]) = 0; end for; end M;", 2, NULL, 0);
}
END_TEST

/* One turn of a ring of equal values is off by 1: that all miss their share of it is no start. */
START_TEST(contradicting_conditions)
{
    for (size_t k = 0; k < COUNT; k++)
        dae_solver_free(start_of(CASCADE "initial equation for k in 1:n - 1 loop x[k] = x[k + 1]; "
                                         "end for; x[1] = x[n] + 1; end M;",
                                 SIZES[k], DAE_CONTRADICTION));
}
END_TEST

/* Capacitors of 3 and 5 V side by side at the end of a chain: both get 4 V, and the others keep
 * theirs. */
START_TEST(states_that_cannot_keep_their_values)
{
    static const char MODEL[] =
        "model M parameter Integer n = %zu; Real v[n](each start = 1); Real u(start = 3), "
        "w(start = 5), iu, iw; Real i[n + 1]; equation i[1] = sin(time) - v[1]; for k in 2:n loop "
        "i[k] = v[k - 1] - v[k]; end for; i[n + 1] = iu + iw; for k in 1:n - 1 loop der(v[k]) = "
        "i[k] - i[k + 1]; end for; der(v[n]) = i[n] - i[n + 1]; u = w; der(u) = iu; 2*der(w) = iw; "
        "iu + iw = v[n] - u; end M;";
    for (size_t k = 0; k < COUNT; k++) {
        dae_solver *solver = start_of(MODEL, SIZES[k], DAE_OK);
        for (size_t j = 0; j < SIZES[k]; j += 7)
            ck_assert_double_eq_tol(value_of(solver, j), 1, 1e-9);
        ck_assert_double_eq_tol(value_of(solver, SIZES[k]), 4, 1e-9);
        ck_assert(strstr(dae_solver_notes(solver), "start conditions are missing") != NULL);
        dae_solver_free(solver);
    }
}
END_TEST

/* Capacitors from node to node alone: their currents sum to 0, which the structure hides at any
 * size. The other writing has the sum in place of one equation. */
START_TEST(hidden_sums)
{
    static const char MODEL[] =
        "model M parameter Integer n = %zu; Real v[n](each start = 0); equation for k in 1:n%s "
        "loop (if k > 1 then der(v[k]) - der(v[max(k - 1, 1)]) else 0) + (if k < n then "
        "der(v[k]) - der(v[min(k + 1, n)]) else 0) + v[k]*(1 + k/n) = sin(time); end for; %s end "
        "M;";
    dae_options o = tolerance_of(1e-8);
    for (size_t n = 10; n <= 160; n *= 16) {
        char hidden[1000], shown[1000];
        snprintf(hidden, sizeof hidden, MODEL, n, "", "");
        snprintf(shown, sizeof shown, MODEL, n, " - 1",
                 "sum(v[k]*(1 + k/n) for k in 1:n) = n*sin(time);");
        dae_solver *solver = solver_of(hidden, NULL);
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        ck_assert_int_eq(dae_solver_stats(solver)->index, 1);
        dae_solver_free(solver);
        ck_assert_double_eq_tol(end_of(hidden, &o, 1, "v[1]"), end_of(shown, &o, 1, "v[1]"), 1e-7);
    }
}
END_TEST

UNIT_MAIN("solve/start_sizes", 120, missing_conditions, redundant_conditions, steady_starts,
          contradicting_conditions, states_that_cannot_keep_their_values, hidden_sums)
