/* Forms of C programs in their normal form: what is wrong is named, layouts are read into one
 * pattern, and everything is copied. */
#include "problem/equations.h"

#include "base/unit.h"

#include <string.h>

static int of_y(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = y[0];
    return 0;
}

static int of_z(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = x[0] + z[0];
    return 0;
}

static int of_yp(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = y[0] + yp[0];
    return 0;
}

static int of_t(double t, double *b, void *user)
{
    (void)user;
    b[0] = t;
    return 0;
}

/* That a form is refused, with a sentence in which `part` occurs. */
static void is_refused(arena *a, equations_kind kind, const void *form, const char *part)
{
    const equations *e = NULL;
    message m = {0};
    ck_assert_int_eq(equations_create(&e, a, kind, form, &m), DAE_USAGE);
    ck_assert_ptr_null(e);
    ck_assert_int_eq(m.status, DAE_USAGE);
    ck_assert_msg(strstr(message_string(&m), part) != NULL, "no \"%s\" in: %s", part,
                  message_string(&m));
    message_free(&m);
}

static const equations *is_taken(arena *a, equations_kind kind, const void *form)
{
    const equations *e = NULL;
    message m = {0};
    dae_status status = equations_create(&e, a, kind, form, &m);
    ck_assert_msg(status == DAE_OK, "%s", message_string(&m));
    message_free(&m);
    return e;
}

ARENA_TEST(what_is_missing)
{
    arena *a = memory_;
    is_refused(a, EQUATIONS_RESIDUAL, &(dae_residual_form){.residual = of_yp}, "n = 0");
    is_refused(a, EQUATIONS_RESIDUAL, &(dae_residual_form){.n = 2}, "residual is missing");
    is_refused(a, EQUATIONS_MASS, &(dae_mass_form){.n = 2}, "f is missing");
    is_refused(a, EQUATIONS_MASS, &(dae_mass_form){.n = 2, .f = of_y, .mass_y = of_yp},
               "mass, of which mass_y is the derivative, is missing");
    is_refused(a, EQUATIONS_MASS, &(dae_mass_form){.n = (size_t)-1, .f = of_y}, "is more than");
    is_refused(a, EQUATIONS_SEMI_EXPLICIT, &(dae_semi_explicit_form){.f = of_z}, "nx and nz are 0");
    is_refused(a, EQUATIONS_SEMI_EXPLICIT, &(dae_semi_explicit_form){.nx = 1, .nz = 1, .f = of_z},
               "g is missing");
    is_refused(a, EQUATIONS_SEMI_EXPLICIT, &(dae_semi_explicit_form){.nx = 1, .nz = 1, .g = of_z},
               "f is missing");
    const double one = 1;
    is_refused(a, EQUATIONS_LINEAR, &(dae_linear_form){.n = 1, .a = &one}, "e is missing");
    is_refused(a, EQUATIONS_LINEAR, &(dae_linear_form){.n = 1, .e = &one}, "a is missing");
    is_refused(a, EQUATIONS_LINEAR, &(dae_linear_form){.n = 1, .e = &one, .a = &one, .b_t = of_t},
               "b, of which");
    is_refused(a, EQUATIONS_INVARIANT, &(dae_invariant_form){.n = 2}, "f is missing");
    is_refused(a, EQUATIONS_INVARIANT, &(dae_invariant_form){.n = 2, .f = of_y, .invariants = 1},
               "c is missing");
    is_refused(
        a, EQUATIONS_INVARIANT,
        &(dae_invariant_form){.n = 2, .f = of_y, .invariants = 1, .c = of_y, .c_with_yp = of_yp},
        "both given");
}

static dae_mass_form with_pattern(dae_pattern p)
{
    return (dae_mass_form){.n = 3, .f = of_y, .f_pattern = p};
}

ARENA_TEST(wrong_patterns)
{
    arena *a = memory_;
    static const size_t whole[] = {0, 1, 2, 3}, late[] = {1, 1, 2, 3}, back[] = {0, 2, 1, 3},
                        two[] = {0, 2, 2, 2}, many[] = {0, 9, 9, 9};
    static const size_t diagonal[] = {0, 1, 2}, outside[] = {0, 3, 2}, falling[] = {1, 0},
                        twice[] = {1, 1};
    const struct {
        dae_pattern pattern;
        const char *part;
    } cases[] = {
        {{.layout = DAE_BANDED, .lower = 3}, "lower = 3"},
        {{.layout = DAE_BANDED, .upper = 5}, "upper = 5"},
        {{.layout = DAE_SPARSE}, "start is missing"},
        {{.layout = DAE_SPARSE, .start = whole}, "row is missing"},
        {{.layout = DAE_SPARSE, .start = late, .row = diagonal}, "start[0]"},
        {{.layout = DAE_SPARSE, .start = back, .row = diagonal}, "descends after column 1"},
        {{.layout = DAE_SPARSE, .start = whole, .row = outside}, "row[1] = 3"},
        {{.layout = DAE_SPARSE, .start = two, .row = falling}, "column 0 of f_pattern do not"},
        {{.layout = DAE_SPARSE, .start = two, .row = twice}, "column 0 of f_pattern do not"},
        {{.layout = DAE_SPARSE, .start = many, .row = diagonal}, "more entries than rows"},
        {{.layout = (dae_layout)7}, "layout of f_pattern"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        dae_mass_form form = with_pattern(cases[k].pattern);
        is_refused(a, EQUATIONS_MASS, &form, cases[k].part);
        is_refused(a, EQUATIONS_MASS, &form, "f_pattern");
    }
}

ARENA_TEST(wrong_values_and_names)
{
    arena *a = memory_;
    const double infinite[] = {1, HUGE_VAL}, zero[] = {1, 0}, sizes[] = {1, (double)NAN};
    const unsigned char four[] = {1, 4}, nought[] = {0, 1};
    const char *const same[] = {"u", "u"}, *const none[] = {"u", NULL};
    dae_mass_form form = {.n = 2, .f = of_y, .constant_mass = infinite};
    form.mass_pattern.layout = DAE_BANDED;
    is_refused(a, EQUATIONS_MASS, &form, "constant_mass[1]");
    form.mass = of_y;
    is_refused(a, EQUATIONS_MASS, &form, "both given");
    form = (dae_mass_form){.n = 2, .f = of_y, .about.nominal = zero};
    is_refused(a, EQUATIONS_MASS, &form, "nominal[1] = 0");
    form.about.nominal = sizes;
    is_refused(a, EQUATIONS_MASS, &form, "nominal[1] = nan");
    form.about = (dae_about){.index = four};
    is_refused(a, EQUATIONS_MASS, &form, "index[1] = 4");
    form.about.index = nought;
    is_refused(a, EQUATIONS_MASS, &form, "index[0] = 0");
    form.about = (dae_about){.variable = same};
    is_refused(a, EQUATIONS_MASS, &form, "variable[0] and variable[1] are both called \"u\"");
    form.about = (dae_about){.equation = none};
    is_refused(a, EQUATIONS_MASS, &form, "equation[1]");
}

/* One matrix, tridiagonal, in three layouts: entry (i, j) is 10 i + j + 1. */
ARENA_TEST(layouts_are_one_pattern)
{
    enum { N = 4 };
    double dense[N * N] = {0}, banded[N * 3] = {0}, sparse[3 * N - 2];
    size_t start[N + 1] = {0}, row[3 * N - 2], next = 0;
    for (size_t j = 0; j < N; j++) {
        for (size_t i = j ? j - 1 : 0; i < N && i <= j + 1; i++) {
            double value = 10 * (double)i + (double)j + 1;
            dense[j * N + i] = banded[j * 3 + 1 + i - j] = sparse[next] = value;
            row[next++] = i;
        }
        start[j + 1] = next;
    }
    const dae_pattern layouts[] = {{.layout = DAE_DENSE},
                                   {.layout = DAE_BANDED, .lower = 1, .upper = 1},
                                   {.layout = DAE_SPARSE, .start = start, .row = row}};
    const double *const values[] = {dense, banded, sparse};
    for (size_t k = 0; k < 3; k++) {
        dae_linear_form form = {.n = N, .e = values[k], .a = values[k]};
        form.e_pattern = form.a_pattern = layouts[k];
        const equations *e = is_taken(memory_, EQUATIONS_LINEAR, &form);
        ck_assert_uint_eq(e->mass.pattern->nonzeros, next); /* zeros of a constant are none */
        ck_assert_mem_eq(e->constant_mass, sparse, sizeof sparse);
        ck_assert_mem_eq(e->constant_jacobian, sparse, sizeof sparse);
        for (size_t j = 0; j <= N; j++)
            ck_assert_uint_eq((size_t)e->mass.pattern->start[j], start[j]);
        for (size_t i = 0; i < next; i++)
            ck_assert_uint_eq((size_t)e->mass.pattern->row[i], row[i]);
        dae_mass_form other = {.n = N, .f = of_y, .f_pattern = layouts[k]};
        e = is_taken(memory_, EQUATIONS_MASS, &other);
        for (size_t i = 0; k > 0 && i < next; i++)
            ck_assert(values[k][e->jacobian.place[i]] == sparse[i]);
        ck_assert_uint_eq(e->jacobian.pattern->nonzeros, k ? next : N * N);
        ck_assert_uint_eq(e->jacobian.dense, k == 0);
    }
}

ARENA_TEST(defaults)
{
    const equations *e = is_taken(
        memory_, EQUATIONS_SEMI_EXPLICIT,
        &(dae_semi_explicit_form){.nx = 2, .nz = 1, .f = of_z, .g = of_z});
    ck_assert_uint_eq(e->n, 3);
    ck_assert_str_eq(e->variable[1], "x2");
    ck_assert_str_eq(e->variable[2], "z1");
    ck_assert_uint_eq(e->mass.pattern->nonzeros, 2);
    for (size_t j = 0; j < 3; j++) ck_assert(e->nominal[j] == 1 && e->index[j] == 1);
    e = is_taken(memory_, EQUATIONS_MASS, &(dae_mass_form){.n = 2, .f = of_y});
    ck_assert_str_eq(e->variable[1], "y2");
    ck_assert_uint_eq(e->mass.pattern->nonzeros, 2);
    ck_assert(e->constant_mass[0] == 1 && e->constant_mass[1] == 1);
    ck_assert_ptr_null(e->equation);
}

/* Nothing of the author's, and nothing of a copied one, is needed afterwards. */
ARENA_TEST(all_is_copied)
{
    char name[] = "u";
    const char *names[] = {name};
    double mass = 3, nominal = 5;
    size_t start[] = {0, 1}, row[] = {0};
    unsigned char index = 2;
    dae_mass_form form = {.n = 1, .f = of_y, .constant_mass = &mass};
    form.mass_pattern = (dae_pattern){.layout = DAE_SPARSE, .start = start, .row = row};
    form.about = (dae_about){
        .name = name, .variable = names, .equation = names, .index = &index, .nominal = &nominal};
    arena first = {0};
    const equations *e = is_taken(&first, EQUATIONS_MASS, &form), *copy = NULL;
    name[0] = 'v', names[0] = NULL, mass = nominal = 0, start[1] = 7, row[0] = 9, index = 0;
    ck_assert_int_eq(equations_copy(&copy, memory_, e), DAE_OK);
    arena_free(&first);
    ck_assert_str_eq(copy->name, "u");
    ck_assert_str_eq(copy->variable[0], "u");
    ck_assert_str_eq(copy->equation[0], "u");
    ck_assert(copy->constant_mass[0] == 3 && copy->nominal[0] == 5 && copy->index[0] == 2);
    ck_assert(copy->form.mass.mass_pattern.start[1] == 1 && copy->form.mass.f == of_y);
}

UNIT_MAIN("problem/equations", 20, what_is_missing, wrong_patterns, wrong_values_and_names,
          layouts_are_one_pattern, defaults, all_is_copied)
