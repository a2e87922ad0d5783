/* Consistent initial values of small systems of our own: least change in the norm of nominal
 * values, fixed values kept, contradictions and missing conditions named. */
#include "initial/consistent.h"

#include "initial/naming.h"
#include "linalg/matrices.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 4 };

/* A start system with a full Jacobian; entries are called a, b, c, d and rows r0, r1, ... */
typedef struct example {
    start_system s;
    void (*value)(double t, const double *z, double *r);
    void (*jacobian)(const double *z, double *j); /* rows contiguous */
    double guess[MOST], nominal[MOST], preference[MOST];
    bool given[MOST], fixed[MOST], variable[MOST];
    size_t jacobians;    /* evaluated so far */
    size_t *evaluations; /* NULL: they are not counted */
} example;

static dae_status value_of(void *self, double t, const double *z, double *r)
{
    const example *e = self;
    if (e->evaluations) ++*e->evaluations;
    double all[MOST]; /* of which some systems leave out the last */
    e->value(t, z, all);
    memcpy(r, all, e->s.rows * sizeof *r);
    for (size_t i = 0; i < e->s.rows; i++)
        if (!isfinite(r[i])) return DAE_NOT_EVALUABLE;
    return DAE_OK;
}

static dae_status jacobian_of(void *self, double t, const double *z, double *value)
{
    example *e = self;
    double j[MOST * MOST];
    (void)t;
    e->jacobians++;
    e->jacobian(z, j);
    for (size_t k = 0; k < e->s.rows * e->s.size; k++)
        value[k] = j[k % e->s.rows * e->s.size + k / e->s.rows];
    return DAE_OK;
}

static const start_form form = {.value = value_of,
                                .jacobian = jacobian_of,
                                .name_row = name_row,
                                .locate_row = locate_row,
                                .name_entry = name_entry};

static void begin(example *e, arena *a, size_t equations, size_t rows, size_t size,
                  void (*value)(double, const double *, double *),
                  void (*jacobian)(const double *, double *))
{
    *e = (example){.value = value, .jacobian = jacobian};
    for (size_t j = 0; j < size; j++) {
        e->nominal[j] = e->preference[j] = 1;
        e->given[j] = e->variable[j] = true;
    }
    e->s = (start_system){.form = &form,
                          .self = e,
                          .size = size,
                          .equations = equations,
                          .rows = rows,
                          .pattern = full_pattern(a, rows, size),
                          .guess = e->guess,
                          .given = e->given,
                          .fixed = e->fixed,
                          .variable = e->variable,
                          .nominal = e->nominal,
                          .preference = e->preference};
}

typedef struct outcome {
    dae_status status;
    double z[MOST];
    initial_result result;
    char sentence[1000], notes[1000];
} outcome;

static outcome find(const example *e)
{
    outcome o = {0};
    message m = {0};
    o.status = initial_consistent(&e->s, 0.5, o.z, &o.result, &m);
    ck_assert_int_eq(m.status, o.status);
    snprintf(o.sentence, sizeof o.sentence, "%s", message_string(&m));
    snprintf(o.notes, sizeof o.notes, "%s", text_string(&m.notes));
    message_free(&m);
    return o;
}

static void says(const char *whole, const char *part)
{
    ck_assert_msg(strstr(whole, part) != NULL, "no \"%s\" in: %s", part, whole);
}

static void circle(double t, const double *z, double *r)
{
    (void)t;
    r[0] = z[0] * z[0] + z[1] * z[1] - 1;
}

static void circle_slope(const double *z, double *j)
{
    j[0] = 2 * z[0], j[1] = 2 * z[1];
}

ARENA_TEST(nearest_point_of_the_circle)
{
    example e;
    begin(&e, memory_, 1, 1, 2, circle, circle_slope);
    e.guess[0] = 2, e.guess[1] = 1;
    outcome o = find(&e);
    ck_assert_int_eq(o.status, DAE_OK);
    ck_assert_double_eq_tol(o.z[0], 2 / sqrt(5), 4 * DBL_EPSILON);
    ck_assert_double_eq_tol(o.z[1], 1 / sqrt(5), 4 * DBL_EPSILON);
    ck_assert_uint_eq(o.result.free, 1);
    ck_assert_double_lt(o.result.residual, 4 * DBL_EPSILON);
    says(o.notes, "1 start condition is missing; the value nearest to the start value is used: ");
}

/* In the norm of nominal values 1 and 3, (z - guess) / nominal^2 is along the gradient. */
ARENA_TEST(nearest_in_the_scaled_norm)
{
    example e;
    begin(&e, memory_, 1, 1, 2, circle, circle_slope);
    e.guess[0] = 0.9, e.guess[1] = 0.6;
    e.nominal[1] = 3;
    outcome o = find(&e);
    ck_assert_int_eq(o.status, DAE_OK);
    ck_assert_double_eq_tol(o.z[0] * o.z[0] + o.z[1] * o.z[1], 1, 4 * DBL_EPSILON);
    double u = (o.z[0] - 0.9) / (1.0 * o.z[0]), v = (o.z[1] - 0.6) / (9.0 * o.z[1]);
    ck_assert_double_eq_tol(u, v, 1e-7);
}

/* A held guess stays where there is a solution with it, however far the other has to go; where
 * there is none it is as any other. */
ARENA_TEST(held_guesses_stay)
{
    const bool held[MOST] = {true};
    example e;
    begin(&e, memory_, 1, 1, 2, circle, circle_slope);
    e.s.held = held;
    e.guess[0] = 0.6, e.guess[1] = 0.1;
    outcome o = find(&e);
    ck_assert_int_eq(o.status, DAE_OK);
    ck_assert(o.z[0] == 0.6);
    ck_assert_double_eq_tol(o.z[1], 0.8, 4 * DBL_EPSILON);
    ck_assert_str_eq(o.notes, "");
    e.guess[0] = 3, e.guess[1] = 4;
    o = find(&e);
    ck_assert_int_eq(o.status, DAE_OK);
    ck_assert_double_eq_tol(o.z[0], 0.6, 4 * DBL_EPSILON);
}

/* What the author did not give moves first: a thousand times cheaper, so by 1e6 in squares. */
ARENA_TEST(open_guesses_move_first)
{
    example e;
    begin(&e, memory_, 1, 1, 2, circle, circle_slope);
    e.guess[0] = 0.8, e.guess[1] = 0.55;
    e.given[1] = false;
    outcome o = find(&e);
    ck_assert_int_eq(o.status, DAE_OK);
    ck_assert_double_eq_tol(o.z[0], 0.8, 1e-6);
    ck_assert_double_eq_tol(o.z[1], 0.6, 1e-6);
}

ARENA_TEST(fixed_values_stay)
{
    for (int which = 0; which < 2; which++) {
        example e;
        begin(&e, memory_, 1, 1, 2, circle, circle_slope);
        e.guess[0] = 0.5, e.guess[1] = 0.2;
        e.fixed[which] = true;
        outcome o = find(&e);
        ck_assert_int_eq(o.status, DAE_OK);
        ck_assert(o.z[which] == e.guess[which]); /* to the last bit */
        ck_assert_double_eq_tol(o.z[1 - which], sqrt(1 - e.guess[which] * e.guess[which]),
                                4 * DBL_EPSILON);
        ck_assert_uint_eq(o.result.free, 0);
        ck_assert_uint_eq(o.result.redundant, 0);
        ck_assert_str_eq(o.notes, "");
    }
}

ARENA_TEST(redundant_and_contradicting)
{
    example e;
    begin(&e, memory_, 1, 1, 2, circle, circle_slope);
    e.fixed[0] = e.fixed[1] = true;
    e.guess[0] = 0.6, e.guess[1] = 0.8;
    outcome o = find(&e);
    ck_assert_int_eq(o.status, DAE_OK);
    ck_assert_uint_eq(o.result.redundant, 1);
    says(o.notes, "1 start condition more");
    says(o.notes, "a, b");
    e.guess[0] = 1.2, e.guess[1] = 1.6;
    o = find(&e);
    ck_assert_int_eq(o.status, DAE_CONTRADICTION);
    says(o.sentence, "m.mo:1:1");
    says(o.sentence, "a = 1.2, b = 1.6 fixed");
    says(o.sentence, "r0: off by 3");
    says(o.sentence, "nearest consistent values: a = 0.6, b = 0.8");
}

/* Equation b = a^2 - t, then the initial equations a + b = 1.5 and, where asked for, a = b. */
static void with_initial(double t, const double *z, double *r)
{
    r[0] = z[1] - z[0] * z[0] + t;
    r[1] = z[0] + z[1] - 1.5;
    r[2] = z[0] - z[1];
}

static void with_initial_slope(const double *z, double *j)
{
    j[0] = -2 * z[0], j[1] = 1;
    j[2] = 1, j[3] = 1;
    j[4] = 1, j[5] = -1;
}

ARENA_TEST(initial_equations)
{
    example e;
    begin(&e, memory_, 1, 2, 2, with_initial, with_initial_slope);
    e.guess[0] = 2;
    outcome o = find(&e);
    ck_assert_int_eq(o.status, DAE_OK); /* a^2 + a = 2 */
    ck_assert_double_eq_tol(o.z[0], 1, 4 * DBL_EPSILON);
    ck_assert_double_eq_tol(o.z[1], 0.5, 4 * DBL_EPSILON);
    e.guess[0] = -3;
    o = find(&e);
    ck_assert_double_eq_tol(o.z[0], -2, 8 * DBL_EPSILON); /* the solution near the guess */
    begin(&e, memory_, 1, 3, 2, with_initial, with_initial_slope);
    e.guess[0] = 2;
    o = find(&e);
    ck_assert_int_eq(o.status, DAE_CONTRADICTION);
    says(o.sentence, "initial equations");
    says(o.sentence, "r2");
}

static void no_root(double t, const double *z, double *r)
{
    (void)t;
    r[0] = z[0] * z[0] + 1;
}

static void square_slope(const double *z, double *j)
{
    j[0] = 2 * z[0];
}

static void root_only(double t, const double *z, double *r)
{
    (void)t;
    r[0] = sqrt(z[0]) - 2;
}

static void no_root_of_root(double t, const double *z, double *r)
{
    (void)t;
    r[0] = sqrt(z[0]) + 2;
}

static void root_slope(const double *z, double *j)
{
    j[0] = 0.5 / sqrt(z[0]);
}

ARENA_TEST(no_start)
{
    example e;
    begin(&e, memory_, 1, 1, 1, no_root, square_slope);
    e.guess[0] = 3;
    outcome o = find(&e);
    ck_assert_int_eq(o.status, DAE_NO_START);
    says(o.sentence, "r0: off by");
    says(o.sentence, "remedy");
    begin(&e, memory_, 1, 1, 1, no_root_of_root, root_slope);
    e.guess[0] = -1;
    o = find(&e);
    ck_assert_int_eq(o.status, DAE_NO_START);
    says(o.sentence, "no finite value");
    says(o.sentence, "r0");
}

ARENA_TEST(a_start_from_afar)
{
    example e;
    begin(&e, memory_, 1, 1, 1, root_only, root_slope);
    e.guess[0] = -1;
    outcome o = find(&e);
    ck_assert_int_eq(o.status, DAE_OK);
    ck_assert_double_eq_tol(o.z[0], 4, 1e-12);
    says(o.notes, "far from them");
    says(o.notes, "instead of -1");
}

static void reciprocal(double t, const double *z, double *r)
{
    (void)t;
    r[0] = 1 / z[0] - 3;
}

static void reciprocal_slope(const double *z, double *j)
{
    j[0] = -1 / (z[0] * z[0]);
}

/* There is no value at an open guess of 0: the guess is moved until there is one. */
ARENA_TEST(a_default_of_zero)
{
    example e;
    begin(&e, memory_, 1, 1, 1, reciprocal, reciprocal_slope);
    e.given[0] = false;
    outcome o = find(&e);
    ck_assert_int_eq(o.status, DAE_OK);
    ck_assert_double_eq_tol(o.z[0], 1 / 3., 4 * DBL_EPSILON);
}

/* A guess that satisfies all is not touched, not even by round-off. */
static void thirds(double t, const double *z, double *r)
{
    (void)t;
    r[0] = z[0] / 3 + z[1] / 7 - (0.1 / 3 + 0.7 / 7);
}

static void thirds_slope(const double *z, double *j)
{
    (void)z;
    j[0] = 1 / 3.0, j[1] = 1 / 7.0;
}

ARENA_TEST(dust_is_dropped)
{
    example e;
    begin(&e, memory_, 1, 1, 2, thirds, thirds_slope);
    e.guess[0] = 0.1 * (1 + 4 * DBL_EPSILON), e.guess[1] = 0.7;
    outcome o = find(&e);
    ck_assert_int_eq(o.status, DAE_OK);
    ck_assert(o.z[0] == e.guess[0] && o.z[1] == e.guess[1]);
}

/* x' = 2 - x and y' = 3*x - sin(y), from fixed x and y: derivatives are determined. */
static void causal(double t, const double *z, double *r)
{
    (void)t;
    r[0] = z[2] - (2 - z[0]), r[1] = z[3] - (3 * z[0] - sin(z[1]));
}

static void causal_slope(const double *z, double *j)
{
    const double rows[] = {1, 0, 1, 0, -3, cos(z[1]), 0, 1};
    memcpy(j, rows, sizeof rows);
}

/* A point at which all terms are met is measured once in a search. */
ARENA_TEST(determined_derivatives)
{
    example e;
    begin(&e, memory_, 2, 2, 4, causal, causal_slope);
    for (size_t j = 0; j < 4; j++) {
        e.fixed[j] = j < 2;
        e.variable[j] = e.given[j] = j < 2;
    }
    e.guess[0] = 0.5, e.guess[1] = 1;
    outcome o = find(&e);
    ck_assert_int_eq(o.status, DAE_OK);
    ck_assert_double_eq_tol(o.z[2], 1.5, 4 * DBL_EPSILON);
    ck_assert_double_eq_tol(o.z[3], 1.5 - sin(1), 4 * DBL_EPSILON);
    ck_assert_uint_le(e.jacobians, 12);
}

/* Two rows contradict each other, whatever the product of their unknowns. */
static void sums(double t, const double *z, double *r)
{
    (void)t;
    r[0] = z[0] + z[1] - 1;
    r[1] = z[0] + z[1] - 2;
}

static void product(double t, const double *z, double *r)
{
    sums(t, z, r);
    r[2] = z[2] - z[0] * z[1];
}

static void product_slope(const double *z, double *j)
{
    j[0] = j[1] = 1, j[2] = 0;
    j[3] = j[4] = 1, j[5] = 0;
    j[6] = -z[1], j[7] = -z[0], j[8] = 1;
}

static void sums_slope(const double *z, double *j)
{
    (void)z;
    j[0] = j[1] = j[2] = j[3] = 1;
}

/* From no other point linear rows are met, and a value that nothing depends on makes no difference
 * to that: what is tried is as much as without it. */
ARENA_TEST(what_follows_adds_no_trials)
{
    size_t alone = 0, with = 0;
    example e;
    begin(&e, memory_, 2, 2, 2, sums, sums_slope);
    e.s.brief = true;
    e.evaluations = &alone;
    ck_assert_int_ne(find(&e).status, DAE_OK);
    begin(&e, memory_, 3, 3, 3, product, product_slope);
    e.given[2] = false;
    e.s.brief = true;
    e.evaluations = &with;
    ck_assert_int_ne(find(&e).status, DAE_OK);
    ck_assert_uint_le(with, 2 * alone);
}

ARENA_TEST(states_by_preference)
{
    for (size_t wanted = 0; wanted < 2; wanted++) {
        example e;
        size_t chosen[MOST], count;
        bool known;
        const double z[2] = {0.6, 0.8};
        begin(&e, memory_, 1, 1, 2, circle, circle_slope);
        e.preference[wanted] = 100;
        ck_assert_int_eq(initial_states(&e.s, 0, z, chosen, &count, &known), DAE_OK);
        ck_assert(known);
        ck_assert_uint_eq(count, 1);
        ck_assert_uint_eq(chosen[0], wanted);
    }
}

UNIT_MAIN("initial/consistent", 20, nearest_point_of_the_circle, nearest_in_the_scaled_norm,
          held_guesses_stay, open_guesses_move_first, fixed_values_stay,
          redundant_and_contradicting, initial_equations, no_start, a_start_from_afar,
          a_default_of_zero, dust_is_dropped, determined_derivatives, what_follows_adds_no_trials,
          states_by_preference)
