/* Mechanical forms that are incomplete or contradict themselves are refused with the member's name;
 * what is accepted is copied. */
#include "mechanical/system.h"

enum { Q = 3, H = 2 };

static int of_state(double t, const double *q, const double *v, double *c, void *user)
{
    (void)t, (void)q, (void)v, (void)c, (void)user;
    return 0;
}

static int gradient_of_state(double t, const double *q, const double *v, double *dq, double *dv,
                             void *user)
{
    (void)t, (void)q, (void)v, (void)dq, (void)dv, (void)user;
    return 0;
}

static int of_q(double t, const double *q, double *r, void *user)
{
    (void)t, (void)q, (void)r, (void)user;
    return 0;
}

static int of_v(double t, const double *q, const double *v, double *r, void *user)
{
    (void)t, (void)q, (void)v, (void)r, (void)user;
    return 0;
}

static const double diagonal[Q] = {1, 2, 3}, wrong_mass[Q] = {1, (double)INFINITY, 3};
static const size_t start[Q + 1] = {0, 1, 2, 3}, row[3] = {0, 1, 1};
static const size_t late_start[Q + 1] = {1, 1, 2, 3}, falling[Q + 1] = {0, 2, 1, 3};
static const unsigned char index[Q + Q + H] = {1};
static const double nominal[Q + Q + H] = {1, 1, 1, 1, 0};
static const char *const names[Q + Q + H] = {"a", "b", "a", "d", "e", "f", "g", "h"};

static dae_mechanical_form whole(void)
{
    return (dae_mechanical_form){.nq = Q,
                                 .holonomic = 1,
                                 .nonholonomic = 1,
                                 .constant_mass = diagonal,
                                 .mass_pattern.layout = DAE_BANDED,
                                 .force = of_v,
                                 .constraint = of_q,
                                 .constraint_q = of_q,
                                 .velocity_constraint = of_q};
}

static void refused(const dae_mechanical_form *form, const char *sentence)
{
    arena a = {0};
    message m = {0};
    const mechanical_form *made = NULL;
    ck_assert_int_eq(mechanical_form_create(&made, &a, form, &m), DAE_USAGE);
    ck_assert_msg(strstr(message_string(&m), sentence), "\"%s\" is not in \"%s\"", sentence,
                  message_string(&m));
    message_free(&m);
    arena_free(&a);
}

#define REFUSED(sentence, ...)              \
    do {                                    \
        dae_mechanical_form form = whole(); \
        __VA_ARGS__;                        \
        refused(&form, sentence);           \
    } while (0)

START_TEST(sizes)
{
    REFUSED("nq = 0", form.nq = 0);
    REFUSED("nv = 2 is not nq = 3, and kinematics is missing", form.nv = 2);
    REFUSED("nv = 4 is more than nq = 3: give each velocity a coordinate with q' = v", form.nv = 4,
            form.kinematics = of_q);
    REFUSED("more than can be solved", form.nq = (size_t)-1);
    REFUSED("more than can be solved", form.holonomic = (size_t)-2);
    REFUSED("more than can be kept", form.invariants = (size_t)-1);
}
END_TEST

START_TEST(missing_members)
{
    REFUSED("force is missing", form.force = NULL);
    REFUSED("constraint is missing", form.constraint = NULL);
    REFUSED("constraint_q is missing", form.constraint_q = NULL);
    REFUSED("velocity_constraint is missing", form.velocity_constraint = NULL);
    REFUSED("invariant is missing", form.invariants = 1);
}
END_TEST

START_TEST(contradictions)
{
    REFUSED("constant_mass and mass are both given", form.mass = of_q);
    REFUSED("constraint is given, and holonomic = 0", form.holonomic = 0);
    REFUSED("velocity_constraint is given, and nonholonomic = 0", form.nonholonomic = 0);
    REFUSED("invariant is given, and invariants = 0", form.invariant = of_state);
    REFUSED("invariant_gradient is given, and invariants = 0",
            form.invariant_gradient = gradient_of_state);
    REFUSED("index is given, and follows from the form", form.about.index = index);
}
END_TEST

START_TEST(patterns)
{
    const dae_pattern good = {.layout = DAE_SPARSE, .start = start, .row = row};
    REFUSED("velocity_pattern is sparse, and its start is missing",
            form.velocity_pattern.layout = DAE_SPARSE);
    REFUSED("mass_pattern has lower = 3", form.mass_pattern.lower = Q);
    REFUSED("constraint_pattern has lower = 0 and upper = 3 diagonals, of 1 x 3",
            form.constraint_pattern = (dae_pattern){.layout = DAE_BANDED, .upper = Q});
    REFUSED("row[1] = 1 of velocity_pattern is out of range", form.velocity_pattern = good);
    REFUSED("start[0] of force_q_pattern is 1", form.force_q_pattern = good,
            form.force_q_pattern.start = late_start);
    REFUSED("start of force_v_pattern descends", form.force_v_pattern = good,
            form.force_v_pattern.start = falling);
    REFUSED("the layout of kinematics_pattern", form.kinematics_pattern.layout = (dae_layout)7);
    REFUSED("constant_mass[1] is not a finite number", form.constant_mass = wrong_mass);
}
END_TEST

START_TEST(what_the_author_knows)
{
    REFUSED("nominal[4] = 0 is not a number above 0", form.about.nominal = nominal);
    REFUSED("variable[0] and variable[2] are both called \"a\"", form.about.variable = names);
    REFUSED("equation[0] and equation[2] are both called \"a\"", form.about.equation = names);
}
END_TEST

/* The struct and all that it points to may go; a copy of the copy is the same. */
ARENA_TEST(forms_are_copied)
{
    arena *a = memory_, second = {0};
    message m = {0};
    const mechanical_form *made = NULL, *again = NULL;
    double mass[Q] = {4, 0, 6};
    size_t first[Q + 1] = {0, 0, 1, 2}, rows[2] = {0, 0};
    char name[] = "crank";
    dae_mechanical_form form = whole();
    form.constant_mass = mass;
    form.constraint_pattern = (dae_pattern){.layout = DAE_SPARSE, .start = first, .row = rows};
    form.about.name = name;
    ck_assert_int_eq(mechanical_form_create(&made, a, &form, &m), DAE_OK);
    memset(mass, 0, sizeof mass);
    memset(first, 9, sizeof first);
    memset(name, 'x', sizeof name - 1);
    ck_assert_int_eq(mechanical_form_create(&again, &second, &made->given, &m), DAE_OK);
    ck_assert_str_eq(again->name, "crank");
    ck_assert_str_eq(again->variable[0], "q1");
    ck_assert_str_eq(again->variable[Q], "v1");
    ck_assert_str_eq(again->variable[2 * Q + 1], "lambda2");
    ck_assert_uint_eq(again->n, 2 * Q + 2);
    ck_assert_uint_eq(again->mass.pattern->nonzeros, 2); /* zeros of a constant matrix are none */
    ck_assert_double_eq(again->constant_mass[1], 6);
    ck_assert_uint_eq(again->position.pattern->nonzeros, 2);
    arena_free(&second);
}

/* phi_q, 2 x 3, as its author lays it out: (i, j) is 10 i + j, where |i - j| <= 1. */
static int laid_out(double t, const double *q, double *dq, void *user)
{
    static const dae_pattern band = {.layout = DAE_BANDED, .lower = 1, .upper = 1};
    const dae_layout *layout = user;
    size_t entry = 0;
    (void)t, (void)q;
    for (size_t j = 0; j < 3; j++) {
        for (size_t i = j > 1 ? j - 1 : 0; i < 2; i++) {
            size_t place = *layout == DAE_DENSE    ? 2 * j + i
                           : *layout == DAE_BANDED ? 3 * j + band.upper + i - j
                                                   : entry++;
            dq[place] = 10 * (double)i + (double)j;
        }
    }
    return 0;
}

ARENA_TEST(layouts_of_matrices_that_are_not_square)
{
    static const size_t first[4] = {0, 2, 4, 5}, rows[5] = {0, 1, 0, 1, 1};
    static const double x[3] = {1, 100, 10000}, q[3] = {0};
    for (dae_layout layout = DAE_DENSE; layout <= DAE_SPARSE; layout++) {
        double r[2];
        dae_mechanical_form form = whole();
        form.holonomic = 2;
        form.nonholonomic = 0;
        form.velocity_constraint = NULL;
        form.constraint_q = laid_out;
        form.constraint_pattern = (dae_pattern){layout, 1, 1, first, rows};
        form.about.user = &layout;
        mechanical *m = at_work(memory_, &form);
        ck_assert_int_eq(mechanical_evaluate(m, 0, q), DAE_OK);
        mechanical_gradient_times(m, x, r);
        ck_assert_double_eq(r[0], 0 * 1 + 1 * 100);
        ck_assert_double_eq(r[1], 10 * 1 + 11 * 100 + 12 * 10000);
        mechanical_free(m);
    }
}

/* No mass at all is the identity. */
ARENA_TEST(default_mass)
{
    dae_mechanical_form form = whole();
    form.constant_mass = NULL;
    mechanical *m = at_work(memory_, &form);
    const double x[Q] = {1, -2, 3};
    double r[Q];
    mechanical_mass_times(m, x, r);
    for (size_t i = 0; i < Q; i++) ck_assert_double_eq(r[i], x[i]);
    ck_assert_ptr_nonnull(m->form->constant_mass);
    mechanical_free(m);
}

UNIT_MAIN("mechanical form", 10, sizes, missing_members, contradictions, patterns,
          what_the_author_knows, forms_are_copied, layouts_of_matrices_that_are_not_square,
          default_mass)
