/* dF/dp and dF/du of the models of the corpus; and which problems have them. */
#include "formulation/given.h"

#include "model/reading.h"

#include <dirent.h>

static const formulation_choice INDEX1 = {
    .kind = FORMULATION_INDEX1, .replace = EXPLICIT_SOLVED, .project = true};
static const formulation_choice DIRECT = {.kind = FORMULATION_DIRECT};

static void look_at(const char *path, given_tally *by_p, given_tally *by_u)
{
    size_t length = 0;
    char *bytes = file_bytes(path, &length), *string = calloc(length + 1, 1);
    uint64_t state = length;
    memcpy(string, bytes, length);
    if (length < 8000) {
        given_agrees(string, NULL, 0, INDEX1, &state, by_p, by_u);
        given_agrees(string, NULL, 0, DIRECT, &state, by_p, by_u);
    }
    free(bytes), free(string);
}

START_TEST(models_of_the_corpus)
{
    given_tally by_p = {0}, by_u = {0};
    struct dirent *entry;
    DIR *d = opendir("corpus");
    ck_assert(d != NULL);
    while ((entry = readdir(d))) {
        char path[512];
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".mo") != 0) continue;
        if (strcmp(entry->d_name, "DelayEquation.mo") == 0) continue; /* has an input of its own */
        snprintf(path, sizeof path, "corpus/%s", entry->d_name);
        look_at(path, &by_p, &by_u);
    }
    closedir(d);
    ck_assert_uint_gt(by_p.forms, 80);
    ck_assert_uint_gt(by_p.entries, 250);
    ck_assert_uint_gt(by_u.forms, 80);
    ck_assert_uint_gt(by_u.entries, 300);
}
END_TEST

static const char CIRCUIT[] =
    "model M parameter Real p = 2, q = 3*p, r = sqrt(p), s = 4; Real x(start = q), y, z; equation "
    "der(x) = if x > q then y*p else sin(q*x)/(p + r); x + y*z = cos(s*time) + q; "
    "z = r*x + exp(-p*y)*s; end M;";

/* Numbers that follow from others, also once they have been set. */
START_TEST(what_follows_from_parameters)
{
    static const char *const first[] = {NULL, "p", "q", "r"};
    for (size_t k = 0; k < 4; k++) {
        given_tally by_p = {0}, by_u = {0};
        uint64_t state = 5 + k;
        given_agrees(CIRCUIT, first[k], 2.5, INDEX1, &state, &by_p, &by_u);
        given_agrees(CIRCUIT, first[k], 2.5, DIRECT, &state, &by_p, &by_u);
        ck_assert_uint_ge(by_p.columns, 8);
        ck_assert_uint_ge(by_p.entries, 8);
        ck_assert_uint_ge(by_u.entries, 6);
    }
}
END_TEST

/* By hand: the row der(x) - (p - 5) x u, but for its sign, and the columns in their order, in which
 * the reader meets the parameters. A number that vanished has no column. */
START_TEST(columns_by_hand)
{
    static const char model[] =
        "model M parameter Real gone = 0, p = 2, none = 7; Real x(start = none); "
        "equation der(x) = (p - 5)*x + gone*time; end M;";
    dae_problem *p = dae_problem_parse("m.mo", model, strlen(model));
    given_form g;
    problem_given given;
    double y = 1.5, yp = 0.25, r[2];
    ck_assert_int_eq(dae_problem_status(p), DAE_OK);
    open_given(&g, p, true, true, INDEX1);
    problem *of = &g.f->form->problem;
    ck_assert(g.f->form->given == NULL);
    ck_assert_int_eq(problem_residual(of, 0.3, &y, &yp, r), DAE_OK);
    ck_assert_int_eq(problem_linearize_given(of, 0.3, &y, &yp, &given), DAE_OK);
    ck_assert_uint_eq(given.parameters, 3);
    ck_assert_str_eq(given.parameter[0], "p");
    ck_assert_str_eq(given.parameter[1], "none");
    ck_assert_str_eq(given.parameter[2], "x"); /* its start value */
    ck_assert_int_eq(given.by_p.pattern->start[1], 1);
    ck_assert_uint_eq(given.inputs, 1);
    ck_assert(given.input[0].id == 0 && given.input[0].order == 0);
    double u = source_of(&g, 0, 0, 0.3), sign = r[0] / (yp - (2 - 5) * y * u);
    ck_assert_double_eq_tol(fabs(sign), 1, 1e-14);
    ck_assert_uint_eq(given.by_p.pattern->nonzeros, 1);
    ck_assert_double_eq_tol(given.by_p.value[0], -sign * y * u, 1e-14);
    ck_assert_uint_eq(given.by_u.pattern->nonzeros, 1);
    ck_assert_double_eq_tol(given.by_u.value[0], sign * 3 * y, 1e-14);
    close_given(&g);
    open_given(&g, p, false, false, INDEX1); /* plain numbers */
    ck_assert_int_eq(problem_linearize_given(&g.f->form->problem, 0, &y, &yp, &given), DAE_OK);
    ck_assert(given.parameters == 0 && given.inputs == 0);
    close_given(&g);
    static const problem_form bare = {.name = "residual"}; /* as of C programs */
    problem other = {.form = &bare};
    given.parameters = given.inputs = 1;
    ck_assert_int_eq(problem_linearize_given(&other, 0, &y, &yp, &given), DAE_OK);
    ck_assert(given.parameters == 0 && given.inputs == 0);
    dae_problem_free(p);
}
END_TEST

UNIT_MAIN("formulation/given", 240, models_of_the_corpus, what_follows_from_parameters,
          columns_by_hand)
