/* The seam of C programs' equations against formulas by hand: residuals, factorisations with real
 * and complex numbers, all layouts of a Jacobian and none, what occurs where, what callbacks
 * answer.
 */
#include "problem/callbacks.h"

#include "base/unit.h"
#include "linalg/sparse.h"
#include "problem/example.h"

/* What the author says: which form, and how he gives its Jacobian. */
typedef enum how { BY_CALLBACK, BY_DIFFERENCES, DETECTED, HOWS } how;

static callbacks *made(arena *a, equations_kind kind, const void *form)
{
    static const double near[N] = {0.3, 0.4, 0.2, 0.7};
    const equations *e = NULL;
    callbacks *c = NULL;
    message m = {0};
    dae_status status = equations_create(&e, a, kind, form, &m);
    if (status == DAE_OK) status = callbacks_create(&c, e, 0.2, near, &m);
    ck_assert_msg(status == DAE_OK, "%s", message_string(&m));
    ck_assert_uint_eq(m.notes.length, 0);
    message_free(&m);
    return c;
}

static callbacks *mass_form(arena *a, author *who, how h)
{
    double constant[N * N] = {0}, whole[N][N];
    memcpy(whole, MASS, sizeof MASS);
    put(who, whole, 1, constant);
    dae_mass_form form = {.n = N, .f = f_of, .f_t = f_t_of, .about.user = who};
    if (h == BY_CALLBACK) form.f_y = f_y_of;
    if (who->varying)
        form.mass = mass_of, form.mass_y = who->says && h != DETECTED ? mass_y_of : NULL;
    else
        form.constant_mass = constant;
    form.mass_pattern = pattern_of(who->layout);
    if (h != DETECTED) form.f_pattern = pattern_of(who->layout);
    form.about.detect_pattern = h == DETECTED;
    return made(a, EQUATIONS_MASS, &form);
}

static callbacks *residual_form(arena *a, author *who, how h)
{
    dae_residual_form form = {.n = N, .residual = residual_of, .about.user = who};
    if (h == BY_CALLBACK) form.jacobian = jacobian_of;
    if (h != DETECTED) form.y_pattern = form.yp_pattern = pattern_of(who->layout);
    form.about.detect_pattern = h == DETECTED;
    return made(a, EQUATIONS_RESIDUAL, &form);
}

static const double T = 0.7, Y[N] = {0.5, -0.3, 0.8, 1.1}, YP[N] = {0.2, -1.1, 0.6, 0.4};

/* dF/dy and dF/dy' of both forms by hand. */
static void matrices(const author *who, double by_y[N][N], double by_yp[N][N])
{
    slopes(T, Y, by_y);
    masses(who, Y, by_yp);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) by_y[i][j] = -by_y[i][j];
    if (who->varying) by_y[0][0] += 2 * Y[0] * YP[0], by_y[0][1] += YP[0];
}

/* clang has no CMPLX(), and the I of both is a float. */
static double complex number(double real, double imaginary)
{
    const double parts[2] = {real, imaginary};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

/* Entry j of a solution that is known. */
static double complex known(size_t j, bool is_complex)
{
    return number((double)j + 1, is_complex ? (double)j : 0);
}

/* That the seam solves (alpha dF/dy' + beta dF/dy) x = b for a known x, up to `bound`. */
static void is_solved(problem *p, const author *who, size_t slot, bool is_complex, double bound)
{
    const double complex alpha = is_complex ? number(3, -2) : 4;
    const double complex beta = is_complex ? number(0.5, 1) : 1.5;
    double by_y[N][N], by_yp[N][N], real[N];
    double complex b[N] = {0};
    matrices(who, by_y, by_yp);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            b[i] += (alpha * by_yp[i][j] + beta * by_y[i][j]) * known(j, is_complex);
    for (size_t i = 0; i < N; i++) real[i] = creal(b[i]);
    ck_assert_int_eq(problem_factor(p, slot, alpha, beta), DAE_OK);
    problem_solve(p, slot, is_complex ? (void *)b : (void *)real);
    for (size_t j = 0; j < N; j++) {
        double error = cabs((is_complex ? b[j] : real[j]) - known(j, is_complex));
        ck_assert_msg(error <= bound, "x[%zu] is off by %g", j, error);
    }
}

static void is_the_problem(callbacks *c, author *who, how h, bool exact)
{
    const bool kinds[] = {false, true, false};
    double r[N], expected[N], multiplied[N];
    problem *p = callbacks_problem(c);
    double bound = exact ? 1e-13 : 1e-6; /* round-off, or that of differences by 2^-26 */
    ck_assert_int_eq(problem_residual(p, T, Y, YP, r), DAE_OK);
    residual_of(T, Y, YP, expected, who);
    for (size_t i = 0; i < N; i++) ck_assert_double_eq_tol(r[i], expected[i], 4 * DBL_EPSILON);
    ck_assert_int_eq(problem_linearize(p, T, Y, YP), DAE_OK);
    ck_assert_int_eq(problem_reserve(p, 3, kinds), DAE_OK);
    for (size_t slot = 0; slot < 3; slot++) is_solved(p, who, slot, kinds[slot], bound);
    double by_y[N][N], by_yp[N][N];
    matrices(who, by_y, by_yp);
    problem_multiply(p, Y, multiplied);
    for (size_t i = 0; i < N; i++) {
        double sum = 0;
        for (size_t j = 0; j < N; j++) sum += by_yp[i][j] * Y[j];
        ck_assert_double_eq_tol(multiplied[i], sum, bound);
        ck_assert_int_eq(p->dynamic[i], i < 3);
        for (size_t j = 0; j < N; j++)
            ck_assert_int_eq(p->form->occurs(p->self, i, j), by_y[i][j] != 0 || by_yp[i][j] != 0);
    }
    if (h == DETECTED) ck_assert_uint_eq(callbacks_problem(c)->by_y.pattern->nonzeros, 10);
}

/* The same problem as a mass form and as a residual form, its mass constant or not, how it depends
 * on y said or not, its Jacobian in any layout, by differences, and with a pattern that is
 * detected.
 */
ARENA_TEST(all_ways_are_one_problem)
{
    for (size_t layout = 0; layout < 3; layout++) {
        for (how h = BY_CALLBACK; h < HOWS; h++) {
            for (int varying = 0; varying < 3; varying++) {
                author who = {
                    .layout = (dae_layout)layout, .varying = varying, .says = varying == 2};
                callbacks *c = mass_form(memory_, &who, h);
                is_the_problem(c, &who, h, h == BY_CALLBACK && (!varying || who.says));
                ck_assert_int_eq(callbacks_problem(c)->constant_mass, !varying);
                callbacks_free(c);
                c = residual_form(memory_, &who, h);
                is_the_problem(c, &who, h, h == BY_CALLBACK);
                callbacks_free(c);
            }
        }
    }
}

/* One evaluation at the point and one a colour: three of a band, n of a full matrix; of a residual
 * by y and by y'. */
ARENA_TEST(differences_by_colours)
{
    for (size_t layout = 0; layout < 2; layout++) {
        for (size_t residual = 0; residual < 2; residual++) {
            author who = {.layout = (dae_layout)layout};
            callbacks *c = residual ? residual_form(memory_, &who, BY_DIFFERENCES)
                                    : mass_form(memory_, &who, BY_DIFFERENCES);
            problem *p = callbacks_problem(c);
            size_t before = who.calls, counted = p->counts.residuals;
            ck_assert_int_eq(problem_linearize(p, T, Y, YP), DAE_OK);
            ck_assert_uint_eq(who.calls - before,
                              1 + (layout == DAE_DENSE ? N : BAND) * (1 + residual));
            ck_assert_uint_eq(p->counts.residuals - counted, who.calls - before);
            callbacks_free(c);
        }
    }
}

/* A Jacobian by differences costs an evaluation a colour at least; repeated estimates agree. */
ARENA_TEST(costs_by_counts)
{
    const bool kinds[] = {false, true};
    for (size_t layout = 0; layout < 2; layout++) {
        author who = {.layout = (dae_layout)layout};
        problem_costs costs[3];
        for (how h = BY_CALLBACK; h <= BY_DIFFERENCES; h++) {
            callbacks *c = mass_form(memory_, &who, h);
            problem *p = callbacks_problem(c);
            ck_assert_int_eq(problem_reserve(p, 2, kinds), DAE_OK);
            problem_estimate_costs(p, 0, &costs[h]);
            problem_estimate_costs(p, 1, &costs[2]);
            ck_assert_double_gt(costs[2].factor, costs[h].factor);
            ck_assert_double_gt(costs[2].solve, costs[h].solve);
            callbacks_free(c);
        }
        ck_assert(costs[0].residual > 0 && costs[1].residual == costs[0].residual);
        double evaluations = layout == DAE_DENSE ? N : BAND;
        ck_assert_double_ge(costs[1].jacobian, (1 + evaluations) * costs[1].residual);
        ck_assert_double_lt(costs[0].jacobian, costs[1].jacobian);
    }
}

/* y1' = y1 + s y3, 0 = y2 - 2 y1, 0 = y3 + s y2 with a switch s = max(0, t - 1/2), dense; of the
 * second kind y3 is in no equation before: 0 = s (y3 + y2). */
typedef struct switched {
    bool open;
} switched;

static int switched_f(double t, const double *y, double *f, void *user)
{
    double s = fmax(0, t - 0.5), own = ((switched *)user)->open ? s : 1;
    f[0] = y[0] + s * y[2];
    f[1] = y[1] - 2 * y[0];
    f[2] = own * y[2] + s * y[1];
    return 0;
}

static int switched_f_y(double t, const double *y, double *dy, void *user)
{
    double s = fmax(0, t - 0.5), own = ((switched *)user)->open ? s : 1;
    const double whole[9] = {1, -2, 0, 0, 1, s, s, 0, own};
    (void)y;
    memcpy(dy, whole, sizeof whole);
    return 0;
}

/* (alpha M - f_y) x = b, by hand. */
static void is_solved_at(problem *p, double t, double own)
{
    const double y[3] = {1, 1, 1}, alpha = 7, s = fmax(0, t - 0.5);
    double x[3] = {2, -3, 5};
    const double b[3] = {(alpha - 1) * x[0] - s * x[2], 2 * x[0] - x[1], -s * x[1] - own * x[2]};
    ck_assert_int_eq(problem_linearize(p, t, y, y), DAE_OK);
    ck_assert_int_eq(problem_factor(p, 0, alpha, 1), DAE_OK);
    memcpy(x, b, sizeof x);
    problem_solve(p, 0, x);
    ck_assert_double_eq_tol(x[0], 2, 1e-14);
    ck_assert_double_eq_tol(x[1], -3, 1e-14);
    ck_assert_double_eq_tol(x[2], 5, 1e-14);
}

/* A dense Jacobian is taken for what is seen of it at the start, and for more when that shows. */
ARENA_TEST(entries_that_come_later)
{
    const double mass[9] = {1}, y[3] = {1, 1, 1};
    const bool kinds[] = {false};
    for (int jacobian = 0; jacobian < 2; jacobian++) {
        for (int open = 0; open < 2; open++) {
            switched user = {.open = open};
            const dae_mass_form form = {.n = 3,
                                        .f = switched_f,
                                        .f_y = jacobian ? switched_f_y : NULL,
                                        .constant_mass = mass,
                                        .about.user = &user};
            callbacks *c = made(memory_, EQUATIONS_MASS, &form);
            problem *p = callbacks_problem(c);
            ck_assert_int_eq(problem_reserve(p, 1, kinds), DAE_OK);
            if (open) {
                ck_assert_int_eq(problem_linearize(p, 0.3, y, y), DAE_OK);
                ck_assert_int_eq(problem_factor(p, 0, 7, 1), DAE_SINGULAR);
                ck_assert(p->bad_row == 2 || p->bad_column == 2);
            } else {
                is_solved_at(p, 0.3, 1);
            }
            if (jacobian) is_solved_at(p, 0.75, open ? 0.25 : 1);
            if (jacobian && !open) ck_assert_uint_eq(p->counts.reorderings, 1);
            callbacks_free(c);
        }
    }
}

/* 0 = s y1 + y2, y1' = s y2 - y1, with the same switch s. */
static int late_f(double t, const double *y, double *f, void *user)
{
    double s = fmax(0, t - 0.5);
    (void)user;
    f[0] = s * y[0] + y[1];
    f[1] = s * y[1] - y[0];
    return 0;
}

static int late_f_y(double t, const double *y, double *dy, void *user)
{
    const double s = fmax(0, t - 0.5), whole[4] = {s, -1, 1, s};
    (void)y, (void)user;
    memcpy(dy, whole, sizeof whole);
    return 0;
}

/* What is seen only near a later start occurs from then on. */
ARENA_TEST(entries_of_a_later_start)
{
    const double mass[4] = {0, 1, 0, 0}, y[2] = {1, 1};
    const dae_mass_form form = {.n = 2, .f = late_f, .f_y = late_f_y, .constant_mass = mass};
    callbacks *c = made(memory_, EQUATIONS_MASS, &form);
    const problem_form *f = callbacks_problem(c)->form;
    for (size_t i = 0; i < 2; i++) ck_assert(!f->occurs(c, i, i) && f->occurs(c, i, 1 - i));
    ck_assert(callbacks_begin_again(c, 0.75, y));
    for (size_t i = 0; i < 2; i++) ck_assert(f->occurs(c, i, i) && f->occurs(c, i, 1 - i));
    callbacks_free(c);
}

ARENA_TEST(derivative_by_time)
{
    author who = {0};
    callbacks *c = mass_form(memory_, &who, BY_CALLBACK);
    problem *p = callbacks_problem(c);
    double dt[N], expected[N];
    ck_assert_int_eq(p->form->time_derivative(p->self, T, Y, YP, dt), DAE_OK);
    f_t_of(T, Y, expected, NULL);
    for (size_t i = 0; i < N; i++) ck_assert(dt[i] == -expected[i]);
    callbacks_free(c);
    who.varying = true; /* f_t says nothing of M(t, y) y' */
    c = mass_form(memory_, &who, BY_CALLBACK);
    ck_assert(callbacks_problem(c)->form->time_derivative == NULL);
    callbacks_free(c);
}

static dae_status residual_at(callbacks *c)
{
    double r[N];
    return problem_residual(callbacks_problem(c), T, Y, YP, r);
}

static void was_refused(const callbacks *c, const char *name, int code)
{
    int answer;
    ck_assert_str_eq(callbacks_refused(c, &answer), name);
    ck_assert_int_eq(answer, code);
}

ARENA_TEST(what_callbacks_answer)
{
    author who = {0};
    int code;
    callbacks *c = mass_form(memory_, &who, BY_CALLBACK);
    problem *p = callbacks_problem(c);
    ck_assert_ptr_null(callbacks_refused(c, &code));
    who.answer = 3;
    ck_assert_int_eq(residual_at(c), DAE_NOT_EVALUABLE);
    was_refused(c, "f", 3);
    ck_assert_int_eq(problem_linearize(p, T, Y, YP), DAE_NOT_EVALUABLE);
    was_refused(c, "f_y", 3);
    who.answer = -2;
    ck_assert_int_eq(residual_at(c), DAE_STOPPED);
    was_refused(c, "f", -2);
    who.answer = 0;
    ck_assert_int_eq(problem_linearize(p, T, Y, YP), DAE_STOPPED); /* and nothing was called */
    was_refused(c, "f", -2);
    callbacks_free(c);
    c = mass_form(memory_, &who, BY_CALLBACK);
    p = callbacks_problem(c);
    who = (author){.no_number = true};
    ck_assert_int_eq(residual_at(c), DAE_NOT_EVALUABLE);
    ck_assert_uint_eq(p->bad_row, 3);
    ck_assert_ptr_null(callbacks_refused(c, &code));
    ck_assert_int_eq(problem_linearize(p, T, Y, YP), DAE_NOT_EVALUABLE);
    ck_assert_uint_eq(p->bad_row, 1);
    callbacks_free(c);
}

/* y2' = sin(y1) / y1, y1' = y2: without a value at 0, and with one everywhere around. */
static int quotient(double t, const double *y, double *f, void *user)
{
    (void)t;
    f[0] = y[1];
    f[1] = sin(y[0]) / y[0];
    return y[0] == 0 ? *(const int *)user : 0;
}

/* Differences need a value at the point itself, too. */
ARENA_TEST(no_value_at_the_point_alone)
{
    const double mass[4] = {1, 0, 0, 1}, y[2] = {0, 1};
    int code = 5, answer;
    const dae_mass_form form = {.n = 2, .f = quotient, .constant_mass = mass, .about.user = &code};
    callbacks *c = made(memory_, EQUATIONS_MASS, &form);
    problem *p = callbacks_problem(c);
    ck_assert_int_eq(problem_linearize(p, 0, y, y), DAE_NOT_EVALUABLE);
    was_refused(c, "f", 5);
    ck_assert_uint_eq(p->bad_row, PROBLEM_NOWHERE);
    code = 0; /* NaN is no number either */
    ck_assert_int_eq(problem_linearize(p, 0, y, y), DAE_NOT_EVALUABLE);
    ck_assert_ptr_null(callbacks_refused(c, &answer));
    ck_assert_uint_eq(p->bad_row, 1);
    callbacks_free(c);
}

/* Equations without a value near the start: nothing is known of what occurs, and nothing fails. */
ARENA_TEST(no_value_near_the_start)
{
    author who = {.no_number = true, .layout = DAE_BANDED};
    const dae_residual_form form = {
        .n = N, .residual = residual_of, .about = {.user = &who, .detect_pattern = true}};
    const equations *e;
    callbacks *c;
    message m = {0};
    ck_assert_int_eq(equations_create(&e, memory_, EQUATIONS_RESIDUAL, &form, &m), DAE_OK);
    ck_assert_int_eq(callbacks_create(&c, e, 0, NULL, &m), DAE_OK);
    ck_assert_msg(strstr(text_string(&m.notes), "was not detected"), "%s", text_string(&m.notes));
    for (size_t j = 0; j < N; j++) ck_assert(callbacks_problem(c)->dynamic[j]);
    ck_assert_uint_eq(callbacks_problem(c)->by_y.pattern->nonzeros, N * N);
    message_free(&m);
    callbacks_free(c);
}

static size_t notes_of_check(callbacks *c, const char *part)
{
    message m = {0};
    callbacks_check_jacobian(c, T, Y, YP, &m);
    ck_assert_int_eq(m.status, DAE_OK);
    size_t length = m.notes.length;
    if (length) ck_assert_msg(strstr(m.notes.string, part) != NULL, "%s", m.notes.string);
    message_free(&m);
    return length;
}

ARENA_TEST(a_wrong_jacobian_is_reported)
{
    for (int varying = 0; varying < 2; varying++) {
        author who = {.layout = DAE_BANDED, .varying = varying};
        callbacks *(*const forms[])(arena *, author *, how) = {mass_form, residual_form};
        for (size_t k = 0; k < 2; k++) {
            callbacks *c = forms[k](memory_, &who, BY_CALLBACK);
            ck_assert_uint_eq(notes_of_check(c, ""), 0);
            who.wrong = true;
            ck_assert_uint_gt(notes_of_check(c, "differences of equation 3: by"), 0);
            who.wrong = false;
            callbacks_free(c);
        }
    }
    author who = {.layout = DAE_BANDED, .varying = true, .says = true, .wrong = true};
    callbacks *c = mass_form(memory_, &who, BY_DIFFERENCES); /* df/dy, but not what M y' adds */
    ck_assert_uint_gt(notes_of_check(c, "differences of equation 1: by"), 0);
    callbacks_free(c);
}

/* So is a pattern from which a diagonal is missing: differences cannot see that. */
ARENA_TEST(a_wrong_pattern_is_reported)
{
    author who = {0};
    const char *const names[] = {"mass", "heat", "charge", "closing"};
    dae_mass_form form = {.n = N, .f = f_of, .about = {.user = &who, .equation = names}};
    form.f_pattern = (dae_pattern){.layout = DAE_BANDED, .lower = 1};
    callbacks *c = made(memory_, EQUATIONS_MASS, &form);
    ck_assert_uint_gt(notes_of_check(c, "leaves out y2, which occurs in mass (and 2 more)"), 0);
    callbacks_free(c);
}

ARENA_TEST(a_singular_matrix_is_located)
{
    author who = {.layout = DAE_BANDED};
    const bool kinds[] = {false};
    callbacks *c = mass_form(memory_, &who, BY_CALLBACK);
    problem *p = callbacks_problem(c);
    ck_assert_int_eq(problem_linearize(p, T, Y, YP), DAE_OK);
    ck_assert_int_eq(problem_reserve(p, 1, kinds), DAE_OK);
    ck_assert_int_eq(problem_factor(p, 0, 1, 0), DAE_SINGULAR); /* M alone */
    ck_assert(p->bad_row == 3 || p->bad_column == 3);
    ck_assert_int_eq(problem_factor(p, 0, 1, 1), DAE_OK);
    callbacks_free(c);
}

UNIT_MAIN("problem/callbacks", 20, all_ways_are_one_problem, differences_by_colours,
          costs_by_counts, entries_that_come_later, entries_of_a_later_start, derivative_by_time,
          what_callbacks_answer, no_value_at_the_point_alone, no_value_near_the_start,
          a_wrong_jacobian_is_reported, a_wrong_pattern_is_reported, a_singular_matrix_is_located)
