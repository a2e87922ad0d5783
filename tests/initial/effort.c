/* What a search for consistent initial values evaluates, where its rows tell that trying more would
 * lead nowhere: a ring 3 z_k + sin(z_k) = z_k+1 + c_k, a derivative that equals z_0, and an entry
 * that nothing links to these. The ring has one solution, since 3 - |cos| > 1. */
#include "initial/consistent.h"

#include "initial/naming.h"
#include "linalg/matrices.h"

enum { RING = 24, ALONE = RING + 1, SIZE };

typedef struct ring {
    start_system s;
    double guess[SIZE], nominal[SIZE], solution[SIZE], right[RING];
    bool given[SIZE], fixed[SIZE], variable[SIZE];
    int jacobians;
    size_t asked; /* rows: the most that are to be evaluated by themselves */
} ring;

static dae_status value_of(void *self, double t, const double *z, double *r)
{
    const ring *e = self;
    (void)t;
    for (int k = 0; k < RING; k++) r[k] = 3 * z[k] + sin(z[k]) - z[(k + 1) % RING] - e->right[k];
    r[RING] = z[RING] - z[0];
    r[ALONE] = 2 * z[ALONE] - 1;
    return DAE_OK;
}

/* Column j of the ring has its own row and that before; column 0 that of the derivative, too. */
static sparse_pattern *pattern_of(arena *a)
{
    sparse_entries e = sparse_entries_take(a, 2 * RING + 3);
    for (size_t j = 0; j < RING; j++) {
        sparse_entries_add(&e, j, j);
        sparse_entries_add(&e, (j + RING - 1) % RING, j);
    }
    sparse_entries_add(&e, RING, 0);
    sparse_entries_add(&e, RING, RING);
    sparse_entries_add(&e, ALONE, ALONE);
    return sparse_entries_build(a, &e, SIZE, SIZE);
}

static dae_status jacobian_of(void *self, double t, const double *z, double *value)
{
    ring *e = self;
    const sparse_pattern *p = e->s.pattern;
    (void)t;
    e->jacobians++;
    for (size_t j = 0; j < SIZE; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            bool own = (size_t)p->row[k] == j;
            value[k] = j == ALONE ? 2 : j == RING ? 1 : own ? 3 + cos(z[j]) : -1;
        }
    return DAE_OK;
}

static void *divide(void *self, arena *a)
{
    (void)a;
    return self;
}

/* Nothing can be evaluated by itself. */
static void *part(void *division, arena *a, const start_choice *c)
{
    ring *e = division;
    (void)a;
    if (e->asked < c->rows) e->asked = c->rows;
    return NULL;
}

static const start_form form = {.rows_apart = true,
                                .value = value_of,
                                .jacobian = jacobian_of,
                                .name_row = name_row,
                                .locate_row = locate_row,
                                .name_entry = name_entry,
                                .divide = divide,
                                .part = part};

static double solution_at(int k)
{
    return cos(2.0 * k);
}

/* The start from guesses that are so far from the solution. */
static ring find(arena *a, double away)
{
    ring e = {.jacobians = 0};
    for (int k = 0; k < SIZE; k++) {
        e.given[k] = e.variable[k] = k != RING;
        e.nominal[k] = 1;
        if (k >= RING) continue;
        e.guess[k] = solution_at(k) + away;
        e.right[k] = 3 * solution_at(k) + sin(solution_at(k)) - solution_at((k + 1) % RING);
    }
    e.s = (start_system){.form = &form,
                         .self = &e,
                         .size = SIZE,
                         .equations = SIZE,
                         .rows = SIZE,
                         .pattern = pattern_of(a),
                         .guess = e.guess,
                         .given = e.given,
                         .fixed = e.fixed,
                         .variable = e.variable,
                         .nominal = e.nominal,
                         .preference = e.nominal};
    double z[SIZE];
    message m = {0};
    initial_result result;
    ck_assert_int_eq(initial_consistent(&e.s, 0, z, &result, &m), DAE_OK);
    message_free(&m);
    for (int k = 0; k < RING; k++) ck_assert_double_eq_tol(z[k], solution_at(k), 16 * DBL_EPSILON);
    ck_assert_double_eq_tol(z[RING], solution_at(0), 16 * DBL_EPSILON);
    ck_assert_double_eq_tol(z[ALONE], 0.5, 16 * DBL_EPSILON);
    return e;
}

/* With all given values held, the derivative is all that is free, and it is in none of the rows
 * that are missed: no value of it is tried. That would take 80 Jacobians more. What is found is
 * looked at once where it stays; each time more would take 6. */
ARENA_TEST(no_derivative_mends_rows_in_which_all_is_held)
{
    ck_assert_int_lt(find(memory_, 0.01).jacobians, 55);
}

/* Newton's flow leads from the guesses to the solution, which is far: the same flow is not followed
 * from points next to them, nor from another derivative, in which the rows are linear. A search
 * takes 7 Jacobians: there is one with the other part, and one without. */
ARENA_TEST(what_the_flow_leads_to_is_sought_once)
{
    int near = find(memory_, 0.01).jacobians, far = find(memory_, 1.3).jacobians;
    ck_assert_int_lt(far, near + 20);
}

/* The ring is more than half of all: the whole is evaluated in its place. */
ARENA_TEST(a_part_that_is_nearly_all_is_not_taken_apart)
{
    ck_assert_uint_eq(find(memory_, 0.01).asked, 1);
}

UNIT_MAIN("initial/effort", 20, no_derivative_mends_rows_in_which_all_is_held,
          what_the_flow_leads_to_is_sought_once, a_part_that_is_nearly_all_is_not_taken_apart)
