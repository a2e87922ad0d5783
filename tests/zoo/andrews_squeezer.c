/* Andrews' squeezing mechanism: seven bodies, six loop constraints, one degree of freedom. As in
 * the Test Set, with accelerations as unknowns and the constraints on positions, index 3; and
 * stabilised (Gear, Gupta & Leimkuhler, 1985), with those on velocities beside them, index 2. */
#include "zoo/andrews_parts.h"
#include "zoo/entry.h"
#include "zoo/rows.h"

enum {
    Q = ANDREWS_Q,
    CONSTRAINTS = ANDREWS_LOOPS,
    N = 3 * Q + CONSTRAINTS,
    GGL = 2 * (Q + CONSTRAINTS)
};

static const double usual_m7 = 0.05498, other_m7 = 0.11;

/* r = M w - f + G^T lambda */
static void motion(const andrews_turned *at, const andrews_constraints *c, const double *v,
                   const double *w, const double *lambda, double m7, double *r)
{
    double force[Q];
    andrews_inertias m = andrews_inertias_at(at, m7);
    andrews_inertia(&m, w, r);
    andrews_forces(at, v, force);
    for (int i = 0; i < Q; i++) {
        r[i] -= force[i];
        for (int k = 0; k < CONSTRAINTS; k++) r[i] += c->slope[k][i] * lambda[k];
    }
}

/* Of a block of motion(): by q, by v, and by lambda. */
static void motion_slopes(const andrews_turned *at, const andrews_constraints *c, const double *v,
                          const double *w, const double *lambda, double *by_q, double *by_v,
                          double *by_lambda, size_t ld)
{
    andrews_inertia_slopes(at, w, by_q, ld);
    andrews_force_slopes(at, v, by_q, by_v, ld);
    andrews_reaction_slopes(c, lambda, by_q, ld);
    for (size_t i = 1; i <= Q; i++)
        for (size_t k = 1; k <= CONSTRAINTS; k++)
            *zoo_dense(by_lambda, ld, i, k) = c->slope[k - 1][i - 1];
}

static int f(double t, const double *y, double *r, void *user)
{
    (void)t;
    andrews_turned at = andrews_turn(y);
    andrews_constraints c = andrews_constraints_at(&at);
    for (int i = 0; i < 2 * Q; i++) r[i] = y[Q + i];
    motion(&at, &c, y + Q, y + 2 * Q, y + 3 * Q, *(const double *)user, r + 2 * Q);
    for (int k = 0; k < CONSTRAINTS; k++) r[3 * Q + k] = c.value[k];
    return 0;
}

static int f_y(double t, const double *y, double *j, void *user)
{
    (void)t;
    andrews_turned at = andrews_turn(y);
    andrews_constraints c = andrews_constraints_at(&at);
    andrews_inertias m = andrews_inertias_at(&at, *(const double *)user);
    double *rows = j + 2 * Q; /* of the equations of motion */
    for (size_t i = 1; i <= 2 * Q; i++) *zoo_dense(j, N, i, Q + i) = 1;
    motion_slopes(&at, &c, y + Q, y + 2 * Q, y + 3 * Q, rows, rows + Q * N, rows + 3 * Q * N, N);
    andrews_inertia_matrix(&m, rows + 2 * Q * N, N);
    for (size_t k = 1; k <= CONSTRAINTS; k++)
        for (size_t i = 1; i <= Q; i++) *zoo_dense(j, N, 3 * Q + k, i) = c.slope[k - 1][i - 1];
    return 0;
}

static int f_t(double t, const double *y, double *dt, void *user)
{
    (void)t, (void)y, (void)user;
    for (int i = 0; i < N; i++) dt[i] = 0;
    return 0;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    const double *v = y + Q, *lambda = y + 2 * Q, *mu = lambda + CONSTRAINTS;
    andrews_turned at = andrews_turn(y);
    andrews_constraints c = andrews_constraints_at(&at);
    motion(&at, &c, v, yp + Q, lambda, *(const double *)user, r + Q);
    for (int i = 0; i < Q; i++) {
        r[i] = yp[i] - v[i];
        for (int k = 0; k < CONSTRAINTS; k++) r[i] -= c.slope[k][i] * mu[k];
    }
    for (int k = 0; k < CONSTRAINTS; k++) {
        r[2 * Q + k] = c.value[k], r[2 * Q + CONSTRAINTS + k] = 0;
        for (int i = 0; i < Q; i++) r[2 * Q + CONSTRAINTS + k] += c.slope[k][i] * v[i];
    }
    return 0;
}

static int jacobian(double t, const double *y, const double *yp, double *j, double *jp, void *user)
{
    (void)t;
    const double *v = y + Q, *lambda = y + 2 * Q, *mu = lambda + CONSTRAINTS;
    double minus[CONSTRAINTS];
    andrews_turned at = andrews_turn(y);
    andrews_constraints c = andrews_constraints_at(&at);
    andrews_inertias m = andrews_inertias_at(&at, *(const double *)user);
    for (int k = 0; k < CONSTRAINTS; k++) minus[k] = -mu[k];
    andrews_reaction_slopes(&c, minus, j, GGL);
    motion_slopes(&at, &c, v, yp + Q, lambda, j + Q, j + Q + Q * GGL, j + Q + 2 * Q * GGL, GGL);
    andrews_inertia_matrix(&m, jp + Q + Q * GGL, GGL);
    andrews_rate_slopes(&c, v, j + 2 * Q + CONSTRAINTS, GGL);
    for (size_t i = 1; i <= Q; i++) {
        *zoo_dense(jp, GGL, i, i) = 1;
        *zoo_dense(j, GGL, i, Q + i) = -1;
        for (size_t k = 1; k <= CONSTRAINTS; k++) {
            double slope = c.slope[k - 1][i - 1];
            *zoo_dense(j, GGL, i, 2 * Q + CONSTRAINTS + k) = -slope;
            *zoo_dense(j, GGL, 2 * Q + k, i) = slope;
            *zoo_dense(j, GGL, 2 * Q + CONSTRAINTS + k, Q + i) = slope;
        }
    }
    return 0;
}

static int steady(double t, const double *y, const double *yp, double *dt, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    for (int i = 0; i < GGL; i++) dt[i] = 0;
    return 0;
}

/* At rest: positions, the first two accelerations and multipliers. */
static void start(double *y, double *yp)
{
    static const double q0[Q] = {
        -0.0617138900142764496358948458001, 0,
        0.455279819163070380255912382449,   0.222668390165885884674473185609,
        0.487364979543842550225598953530,   -0.222668390165885884674473185609,
        1.23054744454982119249735015568};
    for (int i = 0; i < N; i++) y[i] = i < Q ? q0[i] : 0;
    y[2 * Q] = 14222.4439199541138705911625887, y[2 * Q + 1] = -10666.8329399655854029433719415;
    y[3 * Q] = 98.5668703962410896057654982170, y[3 * Q + 1] = -6.12268834425566265503114393122;
    for (int i = 0; i < N; i++) yp[i] = i < 2 * Q ? y[Q + i] : 0;
}

static void start_ggl(double *y, double *yp)
{
    double all[N], slopes[N];
    start(all, slopes);
    for (int i = 0; i < GGL; i++) y[i] = i < 2 * Q ? all[i] : 0, yp[i] = i < 2 * Q ? slopes[i] : 0;
    for (int k = 0; k < CONSTRAINTS; k++) y[2 * Q + k] = all[3 * Q + k];
}

static const unsigned char index[N] = {1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2,
                                       3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
static const unsigned char ggl_index[GGL] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                             1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};

static const double mass[N] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static const zoo_form form = {
    .kind = ZOO_MASS,
    .as.mass = {.n = N,
                .f = f,
                .f_y = f_y,
                .f_t = f_t,
                .constant_mass = mass,
                .mass_pattern = {.layout = DAE_BANDED},
                .about = {.name = "Andrews squeezer", .index = index, .user = (void *)&usual_m7}}};

static const zoo_form ggl = {
    .kind = ZOO_RESIDUAL,
    .as.residual = {
        .n = GGL,
        .residual = residual,
        .jacobian = jacobian,
        .time_derivative = steady,
        .about = {.name = "Andrews squeezer, GGL", .index = ggl_index, .user = (void *)&usual_m7}}};

static const double reference[] = {
    15.810771195153707,  -15.756371058411839, 0.0408222401196458,  -0.5347301163420796,
    0.524409965879954,   0.5347301163420796,  1.048080741041938,   1139.9203022591062,
    -1424.3792951775401, 11.032911910618594,  19.29337410503204,   0.5735699148295025,
    -19.29337410503204,  0.3231791492491309,  -24631.763122874636, 51850.31963646423,
    324102.6007075786,   566749.4220009954,   16743.635418345446,  -566749.4220009954,
    9826.507801544163,   199.17534810453864,  -29.755309974971762, 23.06654361162215,
    31.452725275771137,  22.64249478639438,   11.617392352611256};

const zoo_ivp zoo_andrews_squeezer = {.name = "Andrews squeezer",
                                      .form = &form,
                                      .start = start,
                                      .t_end = 0.03,
                                      .reference = reference,
                                      .known = N,
                                      .counted = Q,
                                      .digits = 13,
                                      .other = &other_m7};

const zoo_ivp zoo_andrews_ggl = {
    .name = "Andrews squeezer, GGL",
    .form = &ggl,
    .start = start_ggl,
    .t_end = 0.03,
    .reference = reference, /* positions and velocities come first there, too */
    .known = 2 * Q,
    .counted = Q,
    .digits = 13,
    .other = &other_m7};
