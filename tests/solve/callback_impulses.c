/* Impulses of C programs: an event after which states miss constraints lets them jump as the
 * equations say, or is refused. */
#include "solve/equations.h"

#include <math.h>

enum { X = 5, Z = 2, N = X + Z };

/* x' = A x + B z; open: 0 = z; closed: 0 = G x. Rows may be mixed. */
typedef struct network {
    double a[X][X], b[X][Z], g[Z][X], mix[N][N];
    bool closed, mixed;
    double bends; /* B depends on x: jumps depend on the way */
} network;

static double drawn(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

static void draw(network *w, uint64_t *seed)
{
    for (int i = 0; i < X; i++) {
        for (int j = 0; j < X; j++) w->a[i][j] = drawn(seed);
        for (int k = 0; k < Z; k++) w->b[i][k] = drawn(seed) + 2 * (i == k);
        for (int k = 0; k < Z; k++) w->g[k][i] = drawn(seed) + 2 * (i == k);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) w->mix[i][j] = drawn(seed) + 4 * (i == j);
}

static int equations(double t, const double *y, const double *yp, double *r, void *user)
{
    const network *w = user;
    double f[N];
    (void)t;
    for (int i = 0; i < X; i++) {
        f[i] = yp[i];
        for (int j = 0; j < X; j++) f[i] -= w->a[i][j] * y[j];
        for (int k = 0; k < Z; k++) f[i] -= w->b[i][k] * (1 + w->bends * y[i]) * y[X + k];
    }
    for (int k = 0; k < Z; k++) {
        f[X + k] = w->closed ? 0 : y[X + k];
        for (int j = 0; j < X && w->closed; j++) f[X + k] += w->g[k][j] * y[j];
    }
    for (int i = 0; i < N; i++) {
        r[i] = w->mixed ? 0 : f[i];
        for (int j = 0; j < N && w->mixed; j++) r[i] += w->mix[i][j] * f[j];
    }
    return 0;
}

static double at_one(double t, void *user)
{
    (void)user;
    return t < 1 ? 1 : (double)INFINITY;
}

static int closes(dae_event *e, void *user)
{
    ((network *)user)->closed = true;
    e->changed = true;
    return 0;
}

static dae_solver *closed_at_one(network *w, const char *method)
{
    const double start[N] = {1, -1, 0.5, 2, -0.3};
    dae_residual_form form = {
        .n = N, .residual = equations, .about = {.next_event = at_one, .event = closes, .user = w}};
    dae_options options = tolerance_of(1e-10);
    options.method = method;
    options.max_steps = 100000;
    options.keep_trajectory = true;
    dae_solver *s = solver_for(dae_problem_residual(&form), &options);
    is_ok(s, dae_solver_start(s, 0, start));
    return s;
}

/* x - B (G B)^-1 G x */
static void project(const network *w, double *x)
{
    double gb[Z][Z] = {{0}}, gx[Z] = {0};
    for (int k = 0; k < Z; k++)
        for (int i = 0; i < X; i++) {
            gx[k] += w->g[k][i] * x[i];
            for (int l = 0; l < Z; l++) gb[k][l] += w->g[k][i] * w->b[i][l];
        }
    double det = gb[0][0] * gb[1][1] - gb[0][1] * gb[1][0];
    double c[Z] = {(gb[1][1] * gx[0] - gb[0][1] * gx[1]) / det,
                   (gb[0][0] * gx[1] - gb[1][0] * gx[0]) / det};
    for (int i = 0; i < X; i++)
        for (int k = 0; k < Z; k++) x[i] -= w->b[i][k] * c[k];
}

static const char *const METHODS[] = {"auto", "bdf", "radau-iia5"};

/* Of the index, which rises from 1 to 2, nothing is said. */
START_TEST(states_jump_by_impulses)
{
    uint64_t seed = 11;
    for (int k = 0; k < 20; k++) {
        network w = {.mixed = k % 2};
        double y[N], x[N];
        draw(&w, &seed);
        dae_solver *s = closed_at_one(&w, METHODS[_i]);
        is_ok(s, dae_solver_run(s, 1.5));
        is_ok(s, dae_solver_at_left(s, 1, x, NULL));
        is_ok(s, dae_solver_at(s, 1, y, NULL));
        project(&w, x);
        for (int i = 0; i < X; i++)
            ck_assert_msg(fabs(y[i] - x[i]) < 1e-6 * (1 + fabs(x[i])), "%s, %d: x%d %g, not %g",
                          METHODS[_i], k, i, y[i], x[i]);
        dae_solver_free(s);
    }
}
END_TEST

/* What the jump is depends on how fast the switch closes. */
START_TEST(a_jump_that_depends_on_the_way_is_refused)
{
    network w = {.bends = 0.5};
    uint64_t seed = 5;
    draw(&w, &seed);
    dae_solver *s = closed_at_one(&w, METHODS[_i]);
    ck_assert_int_eq(dae_solver_run(s, 1.5), DAE_EVENT);
    ck_assert_msg(strstr(dae_solver_message(s), "the states miss the constraints") &&
                      strstr(dae_solver_message(s), "t = 1"),
                  "%s", dae_solver_message(s));
    ck_assert_double_eq(dae_solver_time(s), 1);
    dae_solver_free(s);
}
END_TEST

/* Bodies q' = v, M v' = G^T l - q, under q^T A q/2 = const and b^T q = const: of index 3. Rolling,
 * b^T v = 0: one constraint of each index. */
enum { Q = 3, BODIES = 2 * Q + 2 };

typedef struct bodies {
    double mass[Q], a[Q], b[Q], start[Q], blow[Q]; /* blow: what the event adds to v */
    bool rolls;
} bodies;

static void gradients(const bodies *w, const double *q, double g[2][Q])
{
    for (int i = 0; i < Q; i++) g[0][i] = w->a[i] * q[i], g[1][i] = w->b[i];
}

static int under_constraints(double t, const double *y, const double *yp, double *r, void *user)
{
    const bodies *w = user;
    double g[2][Q];
    (void)t;
    gradients(w, y, g);
    r[2 * Q] = r[2 * Q + 1] = 0;
    for (int i = 0; i < Q; i++) {
        double from = w->start[i], along = g[0][i] * y[2 * Q] + g[1][i] * y[2 * Q + 1];
        r[i] = yp[i] - y[Q + i];
        r[Q + i] = w->mass[i] * yp[Q + i] + y[i] - along;
        r[2 * Q] += w->a[i] * (y[i] * y[i] - from * from) / 2;
        r[2 * Q + 1] += w->b[i] * (w->rolls ? y[Q + i] : y[i] - from);
    }
    return 0;
}

static int is_struck(dae_event *e, void *user)
{
    for (int i = 0; i < Q; i++) e->y[Q + i] += ((const bodies *)user)->blow[i];
    e->changed = true;
    return 0;
}

/* v - M^-1 G^T (G M^-1 G^T)^-1 G v */
static void keep_momentum(const bodies *w, const double *q, double *v)
{
    double g[2][Q], m[2][2] = {{0}}, miss[2] = {0};
    gradients(w, q, g);
    for (int i = 0; i < Q; i++)
        for (int k = 0; k < 2; k++) {
            miss[k] += g[k][i] * v[i];
            for (int l = 0; l < 2; l++) m[k][l] += g[k][i] * g[l][i] / w->mass[i];
        }
    double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    double c[2] = {(m[1][1] * miss[0] - m[0][1] * miss[1]) / det,
                   (m[0][0] * miss[1] - m[1][0] * miss[0]) / det};
    for (int i = 0; i < Q; i++) v[i] -= (g[0][i] * c[0] + g[1][i] * c[1]) / w->mass[i];
}

/* A blow on velocities leaves positions where they are: velocities miss the derivatives of
 * constraints, and jump by the balance of momentum. Small blows do so as large ones. */
START_TEST(velocities_jump_by_impulses)
{
    uint64_t seed = 21;
    for (int k = 0; k < 12; k++) {
        double size = k % 2 ? 1 : 1e-6, y[BODIES] = {0}, x[BODIES], v[Q];
        bodies w = {.rolls = k % 4 >= 2};
        for (int i = 0; i < Q; i++) {
            w.mass[i] = 2 + drawn(&seed), w.a[i] = 2 + drawn(&seed), w.b[i] = 1 + drawn(&seed) / 2;
            w.start[i] = y[i] = i == 1 ? -1 + drawn(&seed) / 3 : 1 + drawn(&seed) / 3;
            w.blow[i] = size * drawn(&seed);
        }
        dae_residual_form form = {.n = BODIES,
                                  .residual = under_constraints,
                                  .about = {.next_event = at_one, .event = is_struck, .user = &w}};
        dae_options options = tolerance_of(1e-10);
        options.method = METHODS[_i];
        options.max_steps = 100000;
        options.keep_trajectory = true;
        dae_solver *s = solver_for(dae_problem_residual(&form), &options);
        is_ok(s, dae_solver_start(s, 0, y));
        is_ok(s, dae_solver_run(s, 1.2));
        is_ok(s, dae_solver_at_left(s, 1, x, NULL));
        is_ok(s, dae_solver_at(s, 1, y, NULL));
        for (int i = 0; i < Q; i++) v[i] = x[Q + i] + w.blow[i];
        keep_momentum(&w, x, v);
        for (int i = 0; i < Q; i++) {
            ck_assert_msg(fabs(y[Q + i] - v[i]) < 1e-3 * size, "%s, %d: v%d %.12g, not %.12g",
                          METHODS[_i], k, i, y[Q + i], v[i]);
            ck_assert_msg(fabs(y[i] - x[i]) < 1e-8, "%s, %d: q%d %.12g, not %.12g", METHODS[_i], k,
                          i, y[i], x[i]);
        }
        dae_solver_free(s);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, states_jump_by_impulses, 0, 3);
    unit_loop(tests, a_jump_that_depends_on_the_way_is_refused, 0, 3);
    unit_loop(tests, velocities_jump_by_impulses, 0, 3);
    return unit_run("solve/callback_impulses", tests);
}
