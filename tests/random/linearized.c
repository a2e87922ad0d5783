/* Linearisations of random DAEs: the finite eigenvalues of the reduced system, those of the pencil
 * by the QZ algorithm, and those of the other reduction are the same, and they are as many as the
 * system has degrees of freedom. */
#include "analysis/descriptor.h"
#include "analysis/modes.h"
#include "base/unit.h"
#include "random/kinds.h"
#include "random/tape.h"

#include <daedal/daedal.h>
#include <math.h>
#include <string.h>

enum { DRAWS = 77 };

typedef struct drawing {
    expr_pool pool;
    random_system s;
    char *model;
} drawing;

/* Its start values are those of its solution. */
static void open_drawing(drawing *w, uint64_t number)
{
    double start[SYSTEM_MOST] = {0};
    bool fixed[SYSTEM_MOST] = {false};
    draw d = draw_of(35, number);
    tape values;
    series solution[SYSTEM_MOST];
    expr_pool_open(&w->pool);
    w->s = (random_system){.kind = kinds[number % (uint64_t)kind_count].name, .pool = &w->pool};
    w->s.t1 = 0.25;
    kinds[number % (uint64_t)kind_count].make(&w->s, &d);
    tape_open(&values, &w->pool, w->s.n, w->s.solution);
    tape_series(&values, 1, 0, NULL, NULL, NULL, solution);
    tape_close(&values);
    for (int i = 0; i < w->s.n; i++) {
        w->s.nominal[i] = 1;
        start[i] = (double)solution[i].c[0];
    }
    w->model = system_text(&w->s, start, fixed, 1e-6);
}

static void close_drawing(drawing *w)
{
    free(w->model);
    expr_pool_close(&w->pool);
}

/* The largest relative distance of an eigenvalue from the nearest of another list. */
static double distance(const dae_linearization *l, const dae_mode *other)
{
    double worst = 0;
    for (size_t q = 0; q < l->states; q++) {
        double nearest = HUGE_VAL, own = fmax(l->mode[q].frequency, 1e-6);
        for (size_t i = 0; i < l->states; i++)
            nearest = fmin(nearest, hypot(l->mode[q].real - other[i].real,
                                          l->mode[q].imaginary - other[i].imaginary));
        worst = fmax(worst, nearest / own);
    }
    return worst;
}

typedef struct comparison {
    arena memory;
    const dae_linearization *l;
    double away;
    bool regular;
    reduction r;
} comparison;

/* How far eigenvalues may be apart. The QZ algorithm is accurate beside the largest ones. */
static const double SAME = 1e-9, QZ = 1e-6;

typedef struct tally {
    size_t as_many, deep, states, by_ranks;
} tally;

/* By the other way. */
static void compare(void *self)
{
    comparison *k = self;
    const dae_linearization *l = k->l;
    double *nominal = arena_array(&k->memory, l->n, sizeof *nominal);
    for (size_t j = 0; j < l->n; j++) nominal[j] = 1;
    const descriptor d = {.n = l->n,
                          .E = arena_duplicate(&k->memory, l->E, l->n * l->n, sizeof *l->E),
                          .A = arena_duplicate(&k->memory, l->A, l->n * l->n, sizeof *l->A),
                          .nominal = nominal,
                          .rounding = 1e-11};
    k->regular = descriptor_deflate(&k->memory, &d, &k->r);
    if (!k->regular || k->r.states != l->states) return;
    k->away = distance(l, modes_find(&k->memory, &d, &k->r));
}

static void verify(const drawing *w, const dae_linearization *l, tally *t)
{
    comparison k = {.l = l};
    ck_assert_msg(l->status == DAE_OK, "%s: %s\n%s", w->s.kind, l->message, w->model);
    ck_assert_int_eq(arena_protect(&k.memory, compare, &k), DAE_OK);
    ck_assert_msg(k.regular && k.r.states == l->states && k.r.index == l->index,
                  "%s: %zu and %zu states, index %ld and %ld\n%s", w->s.kind, l->states, k.r.states,
                  l->index, k.r.index, w->model);
    bool told = strstr(l->notes, "degrees of freedom");
    bool as_many = l->states == (size_t)w->s.freedom;
    ck_assert_msg(as_many || told, "%s: %zu states\n%s", w->s.kind, l->states, w->model);
    ck_assert_msg(l->cross_check <= QZ, "%s: QZ %.1e\n%s", w->s.kind, l->cross_check, w->model);
    ck_assert_msg(k.away <= SAME, "%s: off by %.1e\n%s", w->s.kind, k.away, w->model);
    t->as_many += as_many;
    t->deep += l->index > 0;
    t->states += l->states;
    t->by_ranks += !l->structural;
    arena_free(&k.memory);
}

START_TEST(finite_eigenvalues_are_the_same_by_three_ways)
{
    tally t = {0};
    for (uint64_t number = 0; number < DRAWS; number++) {
        drawing w;
        open_drawing(&w, number);
        dae_problem *p = dae_problem_parse("random.mo", w.model, strlen(w.model));
        dae_solver *solver = dae_solver_create(p, NULL);
        ck_assert_int_eq(dae_solver_start(solver, 0, NULL), DAE_OK);
        dae_linearization *l = dae_linearize(solver, NULL);
        verify(&w, l, &t);
        dae_linearization_free(l);
        dae_solver_free(solver);
        dae_problem_free(p);
        close_drawing(&w);
    }
    ck_assert_uint_ge(t.deep, 50);
    ck_assert_uint_ge(t.as_many, DRAWS - 2);
    ck_assert_uint_ge(t.by_ranks, 5);
    ck_assert_uint_ge(t.states, 2 * DRAWS);
}
END_TEST

UNIT_MAIN("random/linearized", 60, finite_eigenvalues_are_the_same_by_three_ways)
