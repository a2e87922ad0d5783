/* The index of every model of the corpus that can be started, found in two ways: from structure and
 * the inverse of the system Jacobian, and from the ranks of the derivative array (Campbell & Gear,
 * Numer. Math. 72 (1995)), which knows nothing of structure. */
#include "base/unit.h"
#include "solve/model_simulation.h"
#include "solve/solver.h"

#include <daedal/daedal.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

typedef struct looking {
    dae_solver *solver;
    double t;
    index_at_start found;
} looking;

static void look(void *argument)
{
    looking *l = argument;
    const model_simulation *m = model_simulation_of(l->solver->simulation);
    unsigned highest = (unsigned)m->own->s->index + 1;
    l->found = solve_index_beyond_structure(m->system, m->own, l->t, highest, NULL, NULL);
}

static bool listed(const char *const *list, size_t count, const char *file)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], file) == 0) return true;
    return false;
}

/* The structure says less than the numbers: its index, or the rank of its Jacobian, is wrong. */
static const char *const misleads[] = {"TransistorAmplifier.mo", "AnalyticallySingularLoop.mo"};
static const char *const wrong_structural_index[] = {"AnalyticallySingularLoop.mo"};

static bool compare(const json_t *entry)
{
    char path[256];
    const char *file = json_string_value(json_object_get(entry, "file"));
    snprintf(path, sizeof path, "corpus/%s", file);
    dae_problem *model = dae_problem_read(path);
    looking l = {.solver = dae_solver_create(model, NULL)};
    l.t = json_number_value(json_object_get(entry, "tstart"));
    bool started = dae_solver_start(l.solver, l.t, NULL) == DAE_OK;
    if (started) {
        const dae_stats *stats = dae_solver_stats(l.solver);
        model_simulation *m = model_simulation_of(l.solver->simulation);
        ck_assert_int_eq(arena_protect(&m->memory, look, &l), DAE_OK);
        /* the array has the equations of discrete variables as well, which are algebraic */
        bool beside = stats->index == 0 && l.found.index == 1;
        for (size_t i = 0; beside && i < m->system->unknown.count; i++)
            if (m->system->unknown.item[i].discrete) l.found.index = 0;
        ck_assert_msg(l.found.index == stats->index, "%s: %d and %ld", file, l.found.index,
                      stats->index);
        bool same = stats->index == stats->structural_index;
        ck_assert_msg(same != listed(wrong_structural_index, 1, file), "%s: %ld, structural %ld",
                      file, stats->index, stats->structural_index);
        const json_t *known = json_object_get(entry, "index");
        if (json_is_integer(known))
            ck_assert_msg(json_integer_value(known) == stats->index, "%s: %ld", file, stats->index);
        bool distrusted = m->formulation->choice.kind == FORMULATION_ARRAY ||
                          m->formulation->converted > 0;
        ck_assert_msg(distrusted == listed(misleads, 2, file), "%s", file);
    }
    dae_solver_free(l.solver);
    dae_problem_free(model);
    return started;
}

START_TEST(by_structure_and_by_numbers)
{
    json_error_t error;
    json_t *all = json_load_file("corpus/manifest.json", 0, &error), *entry;
    size_t i, started = 0;
    ck_assert_msg(all != NULL, "%s", error.text);
    json_array_foreach(all, i, entry) started += compare(entry);
    ck_assert_uint_ge(started, 60);
    json_decref(all);
}
END_TEST

UNIT_MAIN("solve/indices", 120, by_structure_and_by_numbers)
