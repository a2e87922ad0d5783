/* Parameters that are set without another reading: what comes out is, node by node, what another
 * reading with the new value gives; and where a value decides something else, that is seen. */
#include "model/tuning.h"

#include <dirent.h>

typedef struct tally {
    size_t models, tuned, structural;
} tally;

static double value_now(const reading *r, const char *name)
{
    for (size_t i = 0; i < r->system->unknown.count; i++)
        if (strcmp(r->system->unknown.item[i].name, name) == 0)
            return sym_value(r->system->graph, r->system->unknown.item[i].start);
    return 0.7;
}

static void tune_file(const char *path, tally *sum)
{
    size_t length;
    tuning t;
    char *bytes = file_bytes(path, &length);
    ck_assert_msg(bytes != NULL, "%s", path);
    if (length > 20000) {
        free(bytes);
        return;
    }
    open_tuning(&t, path, bytes, length);
    free(bytes);
    if (t.traced.status == DAE_OK) {
        sum->models++;
        size_t count = sym_trace_count(t.traced.system->graph);
        for (size_t k = 0; k < count && t.settings < MOST_SET && k < 12; k++) {
            double now = value_now(&t.traced, sym_trace_name(t.traced.system->graph, k));
            sym_tuning done = set_one(&t, k, 1.25 * now + 0.375);
            sum->tuned += done == TUNED;
            sum->structural += done == STRUCTURAL;
        }
    }
    close_tuning(&t);
}

static void tune_folder(const char *folder, tally *sum)
{
    struct dirent *entry;
    DIR *d = opendir(folder);
    ck_assert_msg(d != NULL, "%s", folder);
    while ((entry = readdir(d))) {
        char path[512];
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".mo") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        tune_file(path, sum);
    }
    closedir(d);
}

START_TEST(as_another_reading_node_by_node)
{
    tally sum = {0};
    tune_folder("corpus", &sum);
    tune_folder("realistic/models", &sum);
    tune_folder("../examples", &sum);
    ck_assert_uint_gt(sum.models, 80);
    ck_assert_uint_gt(sum.tuned, 300);
    ck_assert_uint_gt(sum.structural, 10);
}
END_TEST

/* What becomes of a parameter p = 2 that is set to another value. */
static sym_tuning tuned(const char *body, double value)
{
    char model[1000];
    tuning t;
    snprintf(model, sizeof model, "model M parameter Real p = 2; %s end M;", body);
    open_tuning(&t, "m.mo", model, strlen(model));
    ck_assert_msg(t.traced.status == DAE_OK, "%s\n%s", model, message_string(&t.traced.m));
    sym_tuning done = UNKNOWN;
    for (size_t k = sym_trace_count(t.traced.system->graph); k-- > 0;)
        if (strcmp(sym_trace_name(t.traced.system->graph, k), "p") == 0)
            done = set_one(&t, k, value);
    close_tuning(&t);
    return done;
}

/* Values that only are numbers in equations and starts. */
START_TEST(tunable)
{
    static const char *const body[] = {
        "Real x; equation der(x) = -p*x;",
        "Real x(start = 3*p); equation der(x) = sin(p*x) + p/(1 + p^2)*x - exp(-p);",
        "parameter Real q = sqrt(p) + 1, w[2] = {p, 2*p}; Real x; equation der(x) = q*x + w[2];",
        "Real x; equation der(x) = if x > p then 1 else p;",
        "Real x, y; equation der(x) = 5*p*x - 3*p*x + y; p*y = max(p, 7)*x;",
        "Real x; equation der(x) = x; assert(p < 10, \"large\");",
        "parameter Real q(min = 0, max = 100) = p; Real x; equation der(x) = q*x;",
        "Real x, y; equation der(x) = if p > 0 then y else -y; y = p*x;",
        "Integer n = if time > p then 1 else 2;",
        "Real x = floor(p*time); discrete Real d(start = 3*p); equation when {sample(p, 2*p), time "
        "> "
        "p} then d = p*pre(d) + x; assert(x < p, \"large\"); end when;",
    };
    for (size_t i = 0; i < sizeof body / sizeof *body; i++)
        ck_assert_msg(tuned(body[i], 3.5) == TUNED, "%s", body[i]);
}
END_TEST

/* Values by which something is decided: the new one decides it in another way. */
START_TEST(structural)
{
    static const struct {
        const char *body;
        double value;
    } wrong[] = {
        {"Real x, y; equation p*der(x) = y; y = -x;", 0},
        {"Real x; equation der(x) = -p*x;", 1},
        {"Real x; equation der(x) = (p - 2)*x + x;", 3},
        {"Real x; equation der(x) = if p > 1 then x else -x;", 0.5},
        {"Real x; equation if p > 1 then der(x) = x; else der(x) = -x; end if;", 0.5},
        {"Real x[integer(p)]; equation der(x) = -x;", 3},
        {"Real x; equation der(x) = x^p;", 3},
        {"Real x(nominal = p); equation der(x) = x;", 3},
        {"Real x; equation der(x) = x; annotation(experiment(StopTime = p));", 3},
        {"Real x; equation der(x) = x; assert(p < 10, \"large\");", 11},
        {"parameter Real q(max = 3) = p; Real x; equation der(x) = q*x;", 4},
        {"Real x; equation der(x) = log(p)*x;", -1},
        {"Real x; equation der(x) = x/p;", 0},
        {"Boolean b = sample(0, p);", -1},
        {"Integer n; equation when time > 1 then n = pre(n) + integer(p); end when;", 3},
        {"parameter Real q(fixed = p > 1) = 1; Real x; equation der(x) = q*x;", 0.5},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(tuned(wrong[i].body, wrong[i].value) == STRUCTURAL, "%s", wrong[i].body);
}
END_TEST

/* Parameters that are set beside one that follows from them. */
START_TEST(what_is_set_does_not_follow)
{
    static const char model[] = "model M parameter Real p = 2, q = 3*p; Real x;"
                                " equation der(x) = q*x + p; end M;";
    tuning t;
    open_tuning(&t, "m.mo", model, sizeof model - 1);
    ck_assert_uint_eq(sym_trace_count(t.traced.system->graph), 2);
    ck_assert_int_eq(set_one(&t, 0, 5), TUNED);  /* q = 15 */
    ck_assert_int_eq(set_one(&t, 1, 7), TUNED);  /* q = 7 */
    ck_assert_int_eq(set_one(&t, 0, 11), TUNED); /* q stays */
    ck_assert_int_eq(sym_trace_set(t.traced.system->graph, "z", 1), UNKNOWN);
    close_tuning(&t);
}
END_TEST

static void of_its_own(const char *copied, const char *original)
{
    ck_assert_str_eq(copied, original);
    ck_assert_ptr_ne(copied, original);
}

/* A solver has a copy of its own, and its messages quote equations after the problem is freed. */
START_TEST(copies_own_what_they_quote)
{
    static const char model[] = "model M parameter Real p = 2; Real x(unit = \"m\"), y[2];"
                                " initial equation x = p; equation der(x) = -p*x; y = {x, 2*x};"
                                " assert(x < 9, \"too large\"); end M;";
    tuning t;
    copying c;
    open_tuning(&t, "m.mo", model, sizeof model - 1);
    make_copy(&c, &t.traced);
    const sym_system *from = t.traced.system, *to = c.copy;
    of_its_own(to->name, from->name);
    of_its_own(to->file, from->file);
    ck_assert_uint_eq(to->equation.count, 3);
    for (size_t i = 0; i < 3; i++) {
        of_its_own(to->unknown.item[i].name, from->unknown.item[i].name);
        of_its_own(to->unknown.item[i].unit, from->unknown.item[i].unit);
        of_its_own(to->equation.item[i].text, from->equation.item[i].text);
    }
    of_its_own(to->initial.item[0].text, from->initial.item[0].text);
    of_its_own(to->assertion.item[0].message, from->assertion.item[0].message);
    arena_free(&c.memory);
    close_tuning(&t);
}
END_TEST

typedef struct finding {
    arena *a;
    const sym_graph *g;
    sym_structural *list;
    size_t count;
} finding;

static void find_protected(void *argument)
{
    finding *f = argument;
    f->count = sym_find_structural(f->g, f->a, &f->list);
}

/* Which parameters are structural, and why. */
START_TEST(structural_ones_are_told)
{
    static const char model[] =
        "model M parameter Real p = 2, q = 3, n = 4, r = 4; Real x; parameter Integer k = 2;"
        " equation der(x) = p*x^n + (q - 3)*x + (r - 3)*x + k; end M;";
    static const char *const why[][2] = {
        {"k", "it is Integer"},
        {"q", "a term with it is 0 and is left out"},
        {"n", "the equations are formed with the value 4 that follows from it"},
        {"r", "a factor with it is 1 and is left out"}};
    tuning t;
    open_tuning(&t, "m.mo", model, sizeof model - 1);
    arena memory = {0};
    finding f = {.a = &memory, .g = t.traced.system->graph};
    ck_assert_int_eq(arena_protect(&memory, find_protected, &f), DAE_OK);
    ck_assert_uint_eq(f.count, 4);
    for (size_t k = 0; k < 4; k++) {
        ck_assert_str_eq(f.list[k].name, why[k][0]);
        ck_assert_str_eq(f.list[k].why, why[k][1]);
    }
    arena_free(&memory);
    close_tuning(&t);
}
END_TEST

UNIT_MAIN("model/tunable", 120, as_another_reading_node_by_node, tunable, structural,
          what_is_set_does_not_follow, copies_own_what_they_quote, structural_ones_are_told)
