/* Starts of C programs whose equations fall into parts: by their pattern, each part starts as it
 * does alone. */
#include "solve/equations.h"

#include <math.h>
#include <string.h>

enum { SIZE = 3, CELLS = 6, MOST = SIZE * CELLS };

/* x' = z - x; z by x, y by z, in ways that damp Newton's iteration, have other roots or no values
 * everywhere. */
typedef struct cell {
    int kind;
    double a, b;
    double start[SIZE]; /* x, z, y */
} cell;

typedef struct cells {
    size_t count;
    const cell *cell;
    double link; /* of the first cell to the last, which no pattern shows */
} cells;

static void cell_residual(const cell *c, const double *y, const double *yp, double *r)
{
    r[0] = yp[0] + y[0] - y[1];
    r[1] = y[1] * y[1] * y[1] + c->a * y[1] - y[0] - c->b;
    switch (c->kind) {
    case 0: r[2] = exp(y[2]) + c->b * y[2] - 20 * y[1] * y[1]; break;
    case 1: r[2] = y[2] * y[2] - 1 - y[1] * y[1]; break;
    case 2: r[2] = log(y[2]) + y[2] - y[1]; break;
    default: r[2] = atan(y[2]) * (1 + fabs(c->a)) - tanh(y[1]); break;
    }
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const cells *all = user;
    (void)t;
    for (size_t k = 0; k < all->count; k++)
        cell_residual(&all->cell[k], y + SIZE * k, yp + SIZE * k, r + SIZE * k);
    r[2] += all->link * (y[SIZE * (all->count - 1)] - 1);
    return 0;
}

/* Starts these cells; blocks: by their pattern, otherwise by none. */
static dae_status start(cells *all, bool blocks, double *y)
{
    size_t n = SIZE * all->count, first[MOST + 1], row[SIZE * MOST];
    double from[MOST];
    for (size_t j = 0; j <= n; j++) first[j] = SIZE * j;
    for (size_t k = 0; k < SIZE * n; k++) row[k] = k / (SIZE * SIZE) * SIZE + k % SIZE;
    for (size_t k = 0; k < all->count; k++)
        memcpy(from + SIZE * k, all->cell[k].start, sizeof all->cell[k].start);
    dae_residual_form form = {.n = n, .residual = residual, .about = {.user = all}};
    if (blocks)
        form.y_pattern = form.yp_pattern = (dae_pattern){
            .layout = DAE_SPARSE, .start = first, .row = row};
    dae_options options = dae_options_default();
    dae_solver *solver = solver_for(dae_problem_residual(&form), &options);
    dae_status status = dae_solver_start(solver, 0, from);
    if (status == DAE_OK) status = dae_solver_at(solver, 0, y, NULL);
    dae_solver_free(solver);
    return status;
}

/* folds: z^3 + a z falls between two extrema. */
static cell drawn(uint64_t *state, bool folds)
{
    cell c = {.kind = (int)scatter_below(state, 4)};
    c.a = (folds ? -1 : 1) * scatter_between(state, 0.2, 1.5);
    c.b = scatter_between(state, 0.1, 2);
    for (int j = 0; j < SIZE; j++) c.start[j] = scatter_between(state, -2, 2);
    if (c.kind == 2) c.start[2] = fabs(c.start[2]); /* the logarithm has a value there */
    if (c.kind % 3 == 0 && scatter_below(state, 3) == 0) c.start[2] = (double)NAN;
    if (scatter_below(state, 4) == 0) c.start[0] = (double)NAN;
    return c;
}

/* All parts start as they do alone; if one has no start, the whole has none. */
START_TEST(parts_start_as_alone)
{
    uint64_t state = 11;
    size_t found = 0;
    for (int i = 0; i < 60; i++) {
        cell cell_of[CELLS];
        double y[MOST], alone[MOST];
        cells all = {.count = 2 + scatter_below(&state, CELLS - 1), .cell = cell_of};
        dae_status wanted = DAE_OK;
        for (size_t k = 0; k < all.count; k++) {
            cell_of[k] = drawn(&state, _i > 0);
            cells one = {.count = 1, .cell = &cell_of[k]};
            dae_status status = start(&one, false, alone + SIZE * k);
            if (status != DAE_OK) wanted = status;
        }
        dae_status status = start(&all, true, y);
        ck_assert_msg((status == DAE_OK) == (wanted == DAE_OK), "%d: %d, %d", i, status, wanted);
        found += wanted == DAE_OK;
        for (size_t j = 0; j < SIZE * all.count && wanted == DAE_OK; j++)
            ck_assert_msg(fabs(y[j] - alone[j]) < 1e-9 * (1 + fabs(alone[j])),
                          "%d: %zu is %g and %g (kind %d, %g %g, from %g %g %g)", i, j, y[j],
                          alone[j], cell_of[j / SIZE].kind, cell_of[j / SIZE].a,
                          cell_of[j / SIZE].b, cell_of[j / SIZE].start[0],
                          cell_of[j / SIZE].start[1], cell_of[j / SIZE].start[2]);
    }
    ck_assert_uint_ge(found, 30);
}
END_TEST

/* A pattern that leaves a link out: the start meets the equations all the same. */
START_TEST(a_link_that_the_pattern_leaves_out)
{
    const cell pair[2] = {{.kind = 1, .a = 1, .b = 0.5, .start = {0.3, 0, 1}},
                          {.kind = 3, .a = 0.5, .b = 1, .start = {2, 0, 0}}};
    cells all = {.count = 2, .cell = pair, .link = 0.5};
    double y[MOST];
    ck_assert_int_eq(start(&all, true, y), DAE_OK);
    ck_assert_double_eq(y[0], 0.3);
    ck_assert_double_eq(y[3], 2);
    ck_assert_double_eq_tol(y[2] * y[2] - 1 - y[1] * y[1] + 0.5 * (y[3] - 1), 0, 1e-9);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, parts_start_as_alone, 0, 2);
    tcase_add_test(tests, a_link_that_the_pattern_leaves_out);
    return unit_run("solve/start_parts", tests);
}
