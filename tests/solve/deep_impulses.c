/* Jumps of values whose derivatives are differentiated again, in linear systems drawn at random:
 * what is after the event follows from the algebra of distributions, which the tests do for
 * themselves. */
#include "solve/models.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { TERMS = 6, DELTAS = 6, MOST_CHAIN = 4, MOST_TEXT = 8000 };

/* A text that grows. */
typedef struct writing {
    char text[MOST_TEXT];
    size_t length;
} writing;

static void write_more(writing *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    w->length += (size_t)vsnprintf(w->text + w->length, MOST_TEXT - w->length, format, arguments);
    va_end(arguments);
    ck_assert_uint_lt(w->length, MOST_TEXT);
}

/* --- distributions: polynomials of s = t - 1 before and after 0, and deltas at 0 --- */

typedef struct distribution {
    double before[TERMS], behind[TERMS], delta[DELTAS];
} distribution;

static void add_to(distribution *d, double times, const distribution *other)
{
    for (int k = 0; k < TERMS; k++) d->before[k] += times * other->before[k];
    for (int k = 0; k < TERMS; k++) d->behind[k] += times * other->behind[k];
    for (int k = 0; k < DELTAS; k++) d->delta[k] += times * other->delta[k];
}

static distribution derived(const distribution *d)
{
    distribution r = {0};
    for (int k = 0; k + 1 < TERMS; k++) {
        r.before[k] = (k + 1) * d->before[k + 1];
        r.behind[k] = (k + 1) * d->behind[k + 1];
    }
    r.delta[0] = d->behind[0] - d->before[0];
    for (int k = 0; k + 1 < DELTAS; k++) r.delta[k + 1] += d->delta[k];
    return r;
}

/* s d, where s delta^(k) = -k delta^(k-1) */
static distribution times_s(const distribution *d)
{
    distribution r = {0};
    for (int k = 0; k + 1 < TERMS; k++)
        r.before[k + 1] = d->before[k], r.behind[k + 1] = d->behind[k];
    for (int k = 1; k < DELTAS; k++) r.delta[k - 1] = -k * d->delta[k];
    return r;
}

static double value_behind(const distribution *d, double s)
{
    double value = 0;
    for (int k = TERMS; k-- > 0;) value = value * s + d->behind[k];
    return value;
}

static double largest_delta(const distribution *d)
{
    double most = 0;
    for (int k = 0; k < DELTAS; k++) most = fmax(most, fabs(d->delta[k]));
    return most;
}

static void write_polynomial(writing *w, const double *p)
{
    write_more(w, "%.17g + s*(%.17g + s*(%.17g))", p[0], p[1], p[2]);
}

/* An input that jumps with all its derivatives. */
static distribution draw_input(uint64_t *state, writing *w, bool jumps)
{
    distribution u = {0};
    for (int k = 0; k < 3; k++)
        u.before[k] = scatter_between(state, -1, 1), u.behind[k] = scatter_between(state, -1, 1);
    if (!jumps) memcpy(u.behind, u.before, sizeof u.behind);
    write_more(w, "(if time < 1 then ");
    write_polynomial(w, u.before);
    write_more(w, " else ");
    write_polynomial(w, u.behind);
    write_more(w, ")");
    return u;
}

/* --- chains: w_k depends on derivatives of those before; two states integrate all of them --- */

typedef struct chain {
    writing model;
    int length;
    distribution w[MOST_CHAIN];
    double a[2][2];    /* der(x) = a x + h */
    distribution h[2]; /* its deltas alone count */
} chain;

/* One term of w_i or its derivative, with a coefficient that may depend on time. */
static void add_term(distribution *to, writing *w, const distribution *from, int i, bool is_derived,
                     bool moves, uint64_t *state)
{
    double constant = scatter_between(state, -2, 2);
    double slope = moves ? scatter_between(state, -2, 2) : 0;
    distribution d = is_derived ? derived(from) : *from, s = times_s(&d);
    add_to(to, constant, &d);
    add_to(to, slope, &s);
    write_more(w, is_derived ? " + (%.17g + (%.17g)*s)*der(w%d)" : " + (%.17g + (%.17g)*s)*w%d",
               constant, slope, i + 1);
}

static void draw_chain(chain *c, int length, bool moves, uint64_t *state)
{
    *c = (chain){.length = length};
    writing *w = &c->model;
    write_more(w, "model M Real s = time - 1; Real x1(start = 1, fixed = true),\n"
                  "  x2(start = -1, fixed = true)");
    for (int k = 0; k < length; k++) write_more(w, ", w%d", k + 1);
    write_more(w, ";\nequation\n");
    for (int k = 0; k < length; k++) {
        double own = scatter_between(state, 0.5, 2);
        write_more(w, "%.17g*w%d = ", own, k + 1);
        distribution *d = &c->w[k];
        *d = draw_input(state, w, true);
        for (int i = 0; i < k; i++) {
            if (i == k - 1 || scatter(state) < 0) add_term(d, w, &c->w[i], i, true, moves, state);
            add_term(d, w, &c->w[i], i, false, moves, state);
        }
        write_more(w, ";\n");
        for (int i = 0; i < TERMS; i++) d->before[i] /= own, d->behind[i] /= own;
        for (int i = 0; i < DELTAS; i++) d->delta[i] /= own;
    }
    for (int r = 0; r < 2; r++) {
        for (int i = 0; i < 2; i++) c->a[r][i] = scatter_between(state, -1, 1);
        write_more(w, "der(x%d) = (%.17g)*x1 + (%.17g)*x2", r + 1, c->a[r][0], c->a[r][1]);
        for (int k = 0; k < length; k++) {
            add_term(&c->h[r], w, &c->w[k], k, true, moves, state);
            add_term(&c->h[r], w, &c->w[k], k, false, moves, state);
        }
        write_more(w, ";\n");
    }
    write_more(w, "end M;");
}

/* The jumps of x: the strengths of its deltas follow from the highest one on. */
static void jumps_of(const chain *c, double *jump)
{
    double x[2] = {0, 0};
    for (int k = DELTAS; k-- > 0;) {
        double next[2];
        for (int r = 0; r < 2; r++)
            next[r] = c->a[r][0] * x[0] + c->a[r][1] * x[1] + c->h[r].delta[k];
        memcpy(x, next, sizeof x);
    }
    memcpy(jump, x, sizeof x);
}

static dae_solver *run_past(const char *model, double stop)
{
    dae_options o = tolerance_of(1e-9);
    o.keep_trajectory = true;
    dae_solver *solver = solver_of(model, &o);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    dae_status status = dae_solver_run(solver, stop);
    ck_assert_msg(status == DAE_OK, "%s\n%s", dae_solver_message(solver), model);
    return solver;
}

static void same(const char *name, double is, double wanted, double size, const char *model)
{
    ck_assert_msg(fabs(is - wanted) <= 1e-7 * (1 + size), "%s is %.12g, not %.12g\n%s", name, is,
                  wanted, model);
}

static void follow_chain(int length, bool moves, uint64_t *state)
{
    chain c;
    double left[8], right[8], later[8], jump[2], size = 0;
    draw_chain(&c, length, moves, state);
    jumps_of(&c, jump);
    for (int k = 0; k < length; k++) size = fmax(size, largest_delta(&c.w[k]));
    for (int r = 0; r < 2; r++) size = fmax(size, largest_delta(&c.h[r]));
    dae_solver *solver = run_past(c.model.text, 1.25);
    is_ok(solver, dae_solver_at_left(solver, 1, left, NULL));
    is_ok(solver, dae_solver_at(solver, 1, right, NULL));
    is_ok(solver, dae_solver_at(solver, 1.25, later, NULL));
    for (int r = 0; r < 2; r++)
        same("a jump", right[1 + r] - left[1 + r], jump[r], size, c.model.text);
    for (int k = 0; k < length; k++) {
        same("w", right[3 + k], value_behind(&c.w[k], 0), size, c.model.text);
        same("w later", later[3 + k], value_behind(&c.w[k], 0.25), size, c.model.text);
    }
    dae_solver_free(solver);
}

START_TEST(chains)
{
    uint64_t state = 5;
    for (int k = 0; k < 60; k++) follow_chain(2 + k % 3, false, &state);
}
END_TEST

START_TEST(chains_with_coefficients_that_move)
{
    uint64_t state = 11;
    for (int k = 0; k < 60; k++) follow_chain(2 + k % 3, true, &state);
}
END_TEST

/* --- linear algebra of a few unknowns --- */

enum { MOST = 9 };

/* b = A^-1 b, with the largest pivots */
static void eliminate(int n, double a[MOST][MOST], double *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        for (int j = 0; j < n; j++) {
            double was = a[k][j];
            a[k][j] = a[best][j], a[best][j] = was;
        }
        double was = b[k];
        b[k] = b[best], b[best] = was;
        for (int i = k + 1; i < n; i++) {
            double times = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) a[i][j] -= times * a[k][j];
            b[i] -= times * b[k];
        }
    }
    for (int k = n; k-- > 0;) {
        for (int j = k + 1; j < n; j++) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

/* --- masses whose positions are held: m constraints G p = u(t), where u jumps --- */

enum { MASSES = 3 };

typedef struct masses {
    writing model;
    int held;
    bool thrown; /* p1 is set at t = 1 to `to` */
    double to;
    double mass[MASSES][MASSES], damping[MASSES][MASSES], g[MASSES][MASSES];
    distribution u[MASSES];
} masses;

static void write_row(writing *w, const double *row, const char *name)
{
    for (int j = 0; j < MASSES; j++)
        write_more(w, " + (%.17g)*%s%d%s", row[j], name, j + 1, *name == 'd' ? ")" : "");
}

static void draw_masses(masses *m, int held, bool jumps, bool thrown, uint64_t *state)
{
    *m = (masses){.held = held, .thrown = thrown, .to = scatter_between(state, -2, 2)};
    writing *w = &m->model;
    write_more(w, "model M Real s = time - 1; Real p1, p2, p3, v1, v2, v3, L1");
    for (int k = 1; k < held; k++) write_more(w, ", L%d", k + 1);
    write_more(w, ";\ninitial equation\n");
    for (int i = held; i < MASSES; i++) write_more(w, "p%d = %d; v%d = %d;", i + 1, i, i + 1, -i);
    write_more(w, "equation\n");
    for (int i = 0; i < MASSES; i++) {
        for (int j = 0; j <= i; j++) {
            double shared = thrown ? 0 : scatter_between(state, -0.3, 0.3);
            m->mass[i][j] = m->mass[j][i] = i == j ? scatter_between(state, 0.7, 2) : shared;
        }
    }
    for (int k = 0; k < held; k++)
        for (int j = 0; j < MASSES; j++)
            m->g[k][j] = (k == j ? 1 : 0) + scatter_between(state, -0.8, 0.8);
    for (int i = 0; i < MASSES; i++) {
        double stiffness[MASSES];
        for (int j = 0; j < MASSES; j++) m->damping[i][j] = scatter_between(state, -1, 1);
        for (int j = 0; j < MASSES; j++) stiffness[j] = scatter_between(state, -1, 1);
        write_more(w, "der(p%d) = v%d; 0 = 0", i + 1, i + 1);
        write_row(w, m->mass[i], "der(v");
        write_row(w, m->damping[i], "v");
        write_row(w, stiffness, "p");
        for (int k = 0; k < held; k++) write_more(w, " - (%.17g)*L%d", m->g[k][i], k + 1);
        write_more(w, ";\n");
    }
    for (int k = 0; k < held; k++) {
        write_more(w, "0 = 0");
        write_row(w, m->g[k], "p");
        write_more(w, " - ");
        m->u[k] = draw_input(state, w, jumps);
        write_more(w, ";\n");
    }
    if (thrown) write_more(w, "when time > 1 then reinit(p1, %.17g); end when;\n", m->to);
    write_more(w, "end M;");
}

/* [x] of M [x] = G' L + l e_1 - force, G [x] = jump, and with l also x_1: given. */
static void share(const masses *m, const double *force, const double *jump, const double *given,
                  double *x)
{
    double a[MOST][MOST] = {{0}}, b[MOST] = {0};
    int n = MASSES + m->held;
    for (int i = 0; i < MASSES; i++) {
        for (int j = 0; j < MASSES; j++) a[i][j] = m->mass[i][j];
        for (int k = 0; k < m->held; k++) a[i][MASSES + k] = -m->g[k][i];
        for (int k = 0; k < m->held; k++) a[MASSES + k][i] = m->g[k][i];
        b[i] = -force[i];
    }
    for (int k = 0; k < m->held; k++) b[MASSES + k] = jump[k];
    if (given) a[0][n] = -1, a[n][0] = 1, b[n++] = *given;
    eliminate(n, a, b);
    memcpy(x, b, MASSES * sizeof *x);
}

static void follow_masses(int held, bool jumps, bool thrown, uint64_t *state)
{
    masses m;
    double left[12], right[12], force[MASSES] = {0}, by[MASSES], rate[MASSES], p[MASSES], v[MASSES];
    draw_masses(&m, held, jumps, thrown, state);
    dae_solver *solver = run_past(m.model.text, 1.25);
    is_ok(solver, dae_solver_at_left(solver, 1, left, NULL));
    is_ok(solver, dae_solver_at(solver, 1, right, NULL));
    for (int k = 0; k < held; k++) {
        by[k] = m.u[k].behind[0] - m.u[k].before[0];
        rate[k] = m.u[k].behind[1] - m.u[k].before[1];
    }
    double moves = m.to - left[1];
    share(&m, force, by, thrown ? &moves : NULL, p);
    for (int i = 0; i < MASSES; i++)
        for (int j = 0; j < MASSES; j++) force[i] += m.damping[i][j] * p[j];
    share(&m, force, rate, NULL, v);
    for (int i = 0; i < MASSES; i++) {
        same("[p]", right[1 + i] - left[1 + i], p[i], fabs(p[i]), m.model.text);
        same("[v]", right[4 + i] - left[4 + i], v[i], fabs(v[i]), m.model.text);
    }
    dae_solver_free(solver);
}

/* By the balance of momentum of order -1: M [p] = G' L. */
START_TEST(positions_that_jump)
{
    uint64_t state = 3;
    for (int k = 0; k < 40; k++) follow_masses(1 + k % 2, true, false, &state);
}
END_TEST

START_TEST(positions_that_are_given)
{
    uint64_t state = 23;
    for (int k = 0; k < 40; k++) follow_masses(1 + k % 2, k % 4 < 2, true, &state);
}
END_TEST

/* --- Weierstrass' form under full transformations: E x' + A x = P (g, u), x = Q^-1 (z, w) --- */

enum { FORM = 4 };

static void draw_regular(double a[FORM][FORM], uint64_t *state)
{
    for (int i = 0; i < FORM; i++)
        for (int j = 0; j < FORM; j++) a[i][j] = (i == j) + scatter_between(state, -0.4, 0.4);
}

/* The first FORM - k rows are z' = r z, the others N w' + w = u with one Jordan block. hides: a
 * coefficient changes long after, so that combinations show the constraints of one mode alone. */
static void follow_form(int k, bool hides, uint64_t *state)
{
    double p[FORM][FORM], q[FORM][FORM], e[FORM][FORM] = {{0}}, a[FORM][FORM] = {{0}};
    double left[8], right[8], inverse[MOST][MOST] = {{0}}, jump[MOST] = {0}, size = 0;
    distribution u = {0};
    writing model = {0}, *w = &model;
    draw_regular(p, state), draw_regular(q, state);
    write_more(w, "model M Real s = time - 1; Real x1, x2, x3, x4, u = ");
    u = draw_input(state, w, true);
    write_more(w, ";\ninitial equation\n");
    for (int i = 0; i < FORM - k; i++) write_more(w, "x%d = %d;", i + 1, i + 1);
    write_more(w, "equation\n");
    for (int r = 0; r < FORM; r++) {
        double rate = r < FORM - k ? scatter_between(state, -1, 1) : 1;
        for (int i = 0; i < FORM; i++) {
            for (int j = 0; j < FORM; j++) {
                a[i][j] += p[i][r] * rate * q[r][j];
                if (r < FORM - k) e[i][j] += p[i][r] * q[r][j];
                if (r >= FORM - k && r + 1 < FORM) e[i][j] += p[i][r] * q[r + 1][j];
            }
        }
    }
    for (int i = 0; i < FORM; i++) {
        write_more(w, "(%.17g)*u = 0", p[i][FORM - 1]);
        for (int j = 0; j < FORM; j++)
            write_more(w, " + (%.17g)%s*der(x%d) + (%.17g)*x%d", e[i][j],
                       hides && i + j == 0 ? "*(if time > 9 then 2 else 1)" : "", j + 1, a[i][j],
                       j + 1);
        write_more(w, ";\n");
    }
    write_more(w, "end M;");
    for (int r = FORM; r-- > FORM - k;) { /* w_last = u, w_r = -w_r+1' */
        jump[r] = u.behind[0] - u.before[0];
        distribution next = {0}, rise = derived(&u);
        add_to(&next, -1, &rise);
        u = next;
        size = fmax(size, fabs(jump[r]));
    }
    for (int i = 0; i < FORM; i++)
        for (int j = 0; j < FORM; j++) inverse[i][j] = q[i][j];
    eliminate(FORM, inverse, jump);
    dae_solver *solver = run_past(model.text, 1.25);
    is_ok(solver, dae_solver_at_left(solver, 1, left, NULL));
    is_ok(solver, dae_solver_at(solver, 1, right, NULL));
    for (int i = 0; i < FORM; i++)
        same("[x]", right[1 + i] - left[1 + i], jump[i], size, model.text);
    dae_solver_free(solver);
}

START_TEST(canonical_forms)
{
    uint64_t state = 31;
    for (int k = 0; k < 40; k++) follow_form(2 + k % 2, false, &state);
}
END_TEST

/* Combinations of the equations of the present mode show the constraints. */
START_TEST(hidden_forms)
{
    uint64_t state = 37;
    for (int k = 0; k < 40; k++) follow_form(2, true, &state);
}
END_TEST

/* --- what is not determined --- */

static void refuses(const char *model, const char *part)
{
    dae_options options = tolerance_of(1e-9);
    dae_solver *s = solver_of(model, &options);
    is_ok(s, dae_solver_start(s, 0, NULL));
    ck_assert_msg(dae_solver_run(s, 2) == DAE_EVENT, "%s is not refused", model);
    const char *said = dae_solver_message(s);
    bool tells = strstr(said, "the event at t = 1") && strstr(said, part) && strstr(said, "remedy");
    ck_assert_msg(tells, "%s\n%s", said, model);
    dae_solver_free(s);
}

/* Products of an impulse with what jumps, or with another impulse. */
START_TEST(what_is_not_linear)
{
    static const char NO[] = "their jump is not determined";
    refuses("model M Real x, v, f, p(start = 0, fixed = true); equation"
            " x = if time < 1 then 0 else 1; der(x) = v; 2*der(v) + v^2 = f; der(p) = f; end M;",
            NO);
    refuses("model M Real x, v, f, p(start = 0, fixed = true); equation"
            " x = if time < 1 then 0 else 1; der(x) = v; 2*der(v) = f; der(p) = x*f; end M;",
            NO);
    refuses("model M Real x, v, f, p(start = 0, fixed = true), q(start = 0, fixed = true); equation"
            " x = if time < 1 then 0 else 1; der(x) = v; 2*der(v) = f; der(q) = abs(time - 1);"
            "der(p) = (1 + q + x)*f; end M;",
            NO);
}
END_TEST

/* What only integrates what jumps, or is a factor that does not jump, may be bent. */
START_TEST(what_is_linear_where_it_matters)
{
    static const char MODEL[] =
        "model M Real x, v, f, p(start = 0, fixed = true), q(start = 0, fixed = true);"
        "Real r(start = 0, fixed = true); equation x = if time < 1 then 0 else 2; der(x) = v;"
        "der(v) = f - x^3; der(r) = x^2; der(q) = cos(q); der(p) = f/(2 + sin(q)); end M;";
    double left[8], right[8], q = 2 * atan(tanh(0.5)), g = 1 / (2 + sin(q));
    dae_solver *solver = run_past(MODEL, 1.25);
    is_ok(solver, dae_solver_at_left(solver, 1, left, NULL));
    is_ok(solver, dae_solver_at(solver, 1, right, NULL));
    same("q", right[4], q, 1, MODEL);
    /* f = 2 delta' + 8 H: g(t) delta' = g delta - g' delta, so that p jumps by -2 g' */
    same("[p]", right[3] - left[3], 2 * g * g * cos(q) * cos(q), 1, MODEL);
    same("f", right[2], 8, 8, MODEL);
    dae_solver_free(solver);
}
END_TEST

UNIT_MAIN("solve/deep_impulses", 60, chains, chains_with_coefficients_that_move,
          positions_that_jump, positions_that_are_given, canonical_forms, hidden_forms,
          what_is_not_linear, what_is_linear_where_it_matters)
