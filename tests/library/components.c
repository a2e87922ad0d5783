/* Components of the library against exact solutions.
 *
 * A model in library/models has variables whose name begins with `error`: what a component gives
 * minus what is right, in units of its size. A model whose first line is `// with PATH` is read
 * after that text. */
#include "base/unit.h"

#include <daedal/daedal.h>
#include <dirent.h>

#include "base/text.h"

enum { ROWS = 40 };

static const double BOUND = 1e-5; /* a tolerance of 1e-8 over a run */

static struct dirent **models;
static int count;

static int is_model(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 3 && strcmp(entry->d_name + length - 3, ".mo") == 0;
}

static void add_file(const char *path, text *all)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "no file %s", path);
    char part[4096];
    size_t got;
    while ((got = fread(part, 1, sizeof part, file)) > 0) text_add_bytes(all, part, got);
    (void)fclose(file);
}

/* The problem of a model in library/models. */
static dae_problem *problem_called(const char *file)
{
    text own = {0}, all = {0};
    char path[512], with[256], name[256];
    (void)snprintf(path, sizeof path, "library/models/%s", file);
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
    add_file(path, &own);
    if (sscanf(text_string(&own), "// with %255s", with) == 1) add_file(with, &all);
    text_add(&all, text_string(&own));
    dae_problem *p = dae_problem_parse(path, text_string(&all), strlen(text_string(&all)));
    ck_assert_int_eq(dae_problem_choose(p, name), DAE_OK);
    ck_assert_msg(dae_problem_status(p) == DAE_OK, "%s: %s", file, dae_problem_message(p));
    text_free(&all);
    text_free(&own);
    return p;
}

typedef struct watched {
    const char *file;
    dae_problem *problem;
    size_t rows, errors;
} watched;

static int look(double t, const double *y, const double *yp, void *user)
{
    watched *w = user;
    (void)yp;
    w->rows++;
    w->errors = 0;
    for (size_t i = 0; i < dae_problem_size(w->problem); i++) {
        const char *name = dae_problem_variable(w->problem, i);
        if (strncmp(name, "error", 5) != 0) continue;
        w->errors++;
        ck_assert_msg(fabs(y[i]) <= BOUND, "%s: %s is %g at %g", w->file, name, y[i], t);
    }
    return 0;
}

static void run(const char *file, dae_problem *p)
{
    dae_options options = dae_options_default();
    options.rtol = options.atol = 1e-8;
    watched w = {.file = file, .problem = p};
    double stop = dae_problem_experiment(p).stop;
    ck_assert_msg(stop > 0, "%s: there is no StopTime", file);
    dae_times times = {.count = ROWS, .last = stop};
    dae_solver *s = dae_solver_create(p, &options);
    dae_solver_output(s, &times, look, &w);
    dae_status status = dae_solver_start(s, 0, NULL);
    if (status == DAE_OK) status = dae_solver_run(s, stop);
    ck_assert_msg(status == DAE_OK, "%s: %s", file, dae_solver_message(s));
    ck_assert_msg(w.errors > 0 && w.rows >= ROWS, "%s: %zu errors in %zu rows", file, w.errors,
                  w.rows);
    dae_solver_free(s);
}

START_TEST(components_are_exact)
{
    const char *file = models[_i]->d_name;
    dae_problem *p = problem_called(file);
    run(file, p);
    dae_problem_free(p);
}
END_TEST

/* The flat text is the same model. */
START_TEST(flat_texts_are_exact)
{
    const char *file = models[_i]->d_name;
    dae_problem *p = problem_called(file);
    const char *flat = dae_problem_flat(p);
    dae_problem *again = dae_problem_parse(file, flat, strlen(flat));
    ck_assert_msg(dae_problem_status(again) == DAE_OK, "%s: %s", file, dae_problem_message(again));
    ck_assert_str_eq(dae_problem_flat(again), flat);
    if (is_sampled("components", (size_t)_i, 4)) run(file, again);
    dae_problem_free(again);
    dae_problem_free(p);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("components");
    count = scandir("library/models", &models, is_model, alphasort);
    if (count <= 0) return 1;
    tcase_add_loop_test(tests, components_are_exact, 0, count);
    tcase_add_loop_test(tests, flat_texts_are_exact, 0, count);
    int failed = unit_run("library/components", tests);
    for (int k = 0; k < count; k++) free(models[k]);
    free(models);
    return failed;
}
