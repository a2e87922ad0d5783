/* Random DAEs whose numbers are parameters: set to other values, each is what a reading of the text
 * with these values gives, and its run ends in the same bits. */
#include "formulation/given.h"
#include "model/tuning.h"
#include "random/kinds.h"

#include <ctype.h>

enum { DRAWS = 60, MOST_PARAMETERS = 200, MOST_VALUES = 40 };

/* A text whose numbers after `equation` have names; and the numbers. */
typedef struct named {
    char *equations, *head;
    double value[MOST_PARAMETERS];
    size_t count;
} named;

/* A number, whose `length` it gives, at a place where none goes on; 0 else. */
static size_t number_at(const char *model, const char *at)
{
    char before = at > model ? at[-1] : ' ', *end;
    if (!isdigit((unsigned char)*at) || isalnum((unsigned char)before) || before == '.') return 0;
    (void)strtod(at, &end);
    return (size_t)(end - at);
}

static void name_numbers(named *n, const char *model)
{
    const char *equations = strstr(model, "equation\n"), *end = strstr(model, "  annotation");
    n->head = strndup(model, (size_t)(equations - model));
    n->equations = calloc(2 * strlen(model) + 100, 1);
    n->count = 0;
    char *to = n->equations;
    for (const char *at = equations; at < end;) {
        size_t length = number_at(model, at);
        if (length == 0 || n->count == MOST_PARAMETERS || strtod(at, NULL) == 0) {
            memcpy(to, at, length ? length : 1);
            to += length ? length : 1;
            at += length ? length : 1;
            continue;
        }
        n->value[n->count] = strtod(at, NULL);
        to += sprintf(to, "p%zu", ++n->count);
        at += length;
    }
}

static char *with_values(const named *n)
{
    size_t room = strlen(n->head) + strlen(n->equations) + 50 * n->count + 100;
    char *model = malloc(room), *to = model;
    to += sprintf(to, "%s", n->head);
    for (size_t k = 0; k < n->count; k++)
        to += sprintf(to, "  parameter Real p%zu = %.17g;\n", k + 1, n->value[k]);
    sprintf(to, "%send Random;\n", n->equations);
    return model;
}

typedef struct outcome {
    dae_status status;
    size_t steps, residuals;
    double y[MOST_VALUES];
} outcome;

/* Other values may break what cancelled, and leave motions as fast as 1e9, whose runs end at the
 * limit of steps. */
static outcome run(dae_problem *p, double from, double to)
{
    outcome o = {.steps = 0};
    dae_options options = dae_options_default();
    options.max_steps = 5000;
    dae_solver *solver = dae_solver_create(p, &options);
    o.status = dae_solver_start(solver, from, NULL);
    if (o.status == DAE_OK) o.status = dae_solver_run(solver, to);
    if (o.status == DAE_OK) o.status = dae_solver_at(solver, to, o.y, NULL);
    o.steps = dae_solver_stats(solver)->steps;
    o.residuals = dae_solver_stats(solver)->residual_calls;
    dae_solver_free(solver);
    return o;
}

static void derivatives_agree(const named *n, uint64_t *state, given_tally *by_p, given_tally *by_u)
{
    static const formulation_choice index1 = {
        .kind = FORMULATION_INDEX1, .replace = EXPLICIT_SOLVED, .project = true};
    static const formulation_choice direct = {.kind = FORMULATION_DIRECT};
    char *model = with_values(n);
    given_agrees(model, NULL, 0, index1, state, by_p, by_u);
    given_agrees(model, n->count ? "p1" : NULL, 1.1 * n->value[0], direct, state, by_p, by_u);
    free(model);
}

/* All parameters by one part in a thousand, so that the start is still near. */
static void change_values(named *n, uint64_t *state)
{
    for (size_t k = 0; k < n->count; k++) n->value[k] *= 1 + 1e-3 * scatter(state);
}

static bool runs_alike(named *n, const random_system *s, uint64_t *state, size_t *tuned)
{
    char *before = with_values(n);
    dae_problem *set = dae_problem_parse("random.mo", before, strlen(before));
    ck_assert_msg(dae_problem_status(set) == DAE_OK, "%s\n%s", before, dae_problem_message(set));
    change_values(n, state);
    for (size_t k = 0; k < n->count; k++) {
        char name[20], value[40];
        snprintf(name, sizeof name, "p%zu", k + 1);
        snprintf(value, sizeof value, "%.17g", n->value[k]);
        size_t readings = model_problem_readings(set);
        ck_assert_int_eq(dae_problem_set(set, name, value), DAE_OK);
        *tuned += model_problem_readings(set) == readings;
    }
    char *after = with_values(n);
    dae_problem *fresh = dae_problem_parse("random.mo", after, strlen(after));
    outcome a = run(set, s->t0, s->t1), b = run(fresh, s->t0, s->t1);
    ck_assert_msg(a.status == b.status && a.steps == b.steps && a.residuals == b.residuals &&
                      memcmp(a.y, b.y, sizeof a.y) == 0,
                  "%d %zu %zu, %d %zu %zu\n%s", a.status, a.steps, a.residuals, b.status, b.steps,
                  b.residuals, after);
    dae_problem_free(set);
    dae_problem_free(fresh);
    free(before);
    free(after);
    return a.status == DAE_OK;
}

static void nodes_alike(named *n, uint64_t *state)
{
    tuning t;
    char *model = with_values(n);
    open_tuning(&t, "random.mo", model, strlen(model));
    ck_assert_int_eq(t.traced.status, DAE_OK);
    size_t count = sym_trace_count(t.traced.system->graph);
    for (size_t k = 0; k < count && t.settings < MOST_SET; k += 1 + count / MOST_SET)
        set_one(&t, k, 2 * scatter(state));
    close_tuning(&t);
    free(model);
}

typedef struct drawing {
    expr_pool pool;
    random_system s;
    named n;
} drawing;

static void open_drawing(drawing *w, uint64_t number)
{
    double start[SYSTEM_MOST] = {0};
    bool fixed[SYSTEM_MOST] = {false};
    draw d = draw_of(21, number);
    expr_pool_open(&w->pool);
    w->s = (random_system){.kind = kinds[number % (uint64_t)kind_count].name, .pool = &w->pool};
    w->s.t1 = 0.25;
    kinds[number % (uint64_t)kind_count].make(&w->s, &d);
    for (int i = 0; i < w->s.n; i++) w->s.nominal[i] = 1;
    char *model = system_text(&w->s, start, fixed, 1e-6);
    name_numbers(&w->n, model);
    free(model);
}

static void close_drawing(drawing *w)
{
    free(w->n.head), free(w->n.equations);
    expr_pool_close(&w->pool);
}

START_TEST(as_the_text_with_these_values)
{
    size_t tuned = 0, all = 0, ran = 0;
    for (uint64_t number = 0; number < DRAWS; number++) {
        drawing w;
        uint64_t state = number;
        open_drawing(&w, number);
        nodes_alike(&w.n, &state);
        ran += runs_alike(&w.n, &w.s, &state, &tuned);
        all += w.n.count;
        close_drawing(&w);
    }
    ck_assert_uint_gt(ran, DRAWS / 2);
    ck_assert_uint_gt(all, 20 * DRAWS);
    ck_assert_uint_gt(10 * tuned, 9 * all); /* exponents and zeros are rare */
}
END_TEST

START_TEST(derivatives_by_numbers_and_inputs)
{
    given_tally by_p = {0}, by_u = {0};
    for (uint64_t number = 0; number < DRAWS; number++) {
        drawing w;
        uint64_t state = number;
        open_drawing(&w, number);
        derivatives_agree(&w.n, &state, &by_p, &by_u);
        close_drawing(&w);
    }
    ck_assert_uint_gt(by_p.entries, 2 * DRAWS);
    ck_assert_uint_gt(by_u.entries, 2 * DRAWS);
}
END_TEST

UNIT_MAIN("random/tunable", 120, as_the_text_with_these_values, derivatives_by_numbers_and_inputs)
