/* Andrews' squeezing mechanism: seven bodies, six loop constraints, one degree of freedom. As in
 * the Test Set, with accelerations as unknowns and the constraints on positions, index 3; and
 * stabilised (Gear, Gupta & Leimkuhler, 1985), with those on velocities beside them, index 2. */
#include "zoo/entry.h"
#include "zoo/rows.h"

#include <math.h>
#include <stdbool.h>

enum { Q = 7, CONSTRAINTS = 6, TERMS = 4, N = 3 * Q + CONSTRAINTS, GGL = 2 * (Q + CONSTRAINTS) };

/* as the loops need them */
#define XA (-0.06934)
#define YA (-0.00227)
#define XB (-0.03635)
#define YB 0.03273
#define RR 0.007
#define D  0.028
#define E  0.02
#define SS 0.035
#define U  0.04
#define ZF 0.02
#define ZT 0.04
static const double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050,
                    m6 = 0.00706, xc = 0.014, yc = 0.072, c0 = 4530, i1 = 2.194e-6, i2 = 4.410e-7,
                    i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5, i6 = 5.667e-7, i7 = 1.912e-5,
                    da = 0.0115, ea = 0.01421, ra = 0.00092, l0 = 0.07785, sa = 0.01874,
                    sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916, ua = 0.01228,
                    ub = 0.00449, fa = 0.01421, mom = 0.033;
static const double usual_m7 = 0.05498, other_m7 = 0.11;

/* What couples the bodies of the three pairs: 1 and 2, 4 and 5, 6 and 7. */
#define FIRST  (m2 * da * RR)
#define SECOND (m4 * ZT * (E - ea))
#define THIRD  (m6 * U * (ZF - fa))

/* r = M(q) w */
static void inertia(const double *q, const double *w, double m7, double *r)
{
    double a = m2 * da * da + i2, b = m4 * (E - ea) * (E - ea) + i4;
    double c = m6 * (ZF - fa) * (ZF - fa) + i6;
    double m12 = a - FIRST * cos(q[1]), m45 = b + SECOND * sin(q[3]);
    double m67 = c - THIRD * sin(q[5]);
    double m11 = m1 * ra * ra + m2 * RR * RR - 2 * FIRST * cos(q[1]) + a + i1;
    double m55 = m4 * ZT * ZT + 2 * SECOND * sin(q[3]) + b + m5 * (ta * ta + tb * tb) + i5;
    double m77 = c - 2 * THIRD * sin(q[5]) + m6 * U * U + m7 * (ua * ua + ub * ub) + i7;
    r[0] = m11 * w[0] + m12 * w[1];
    r[1] = m12 * w[0] + a * w[1];
    r[2] = (m3 * (sa * sa + sb * sb) + i3) * w[2];
    r[3] = b * w[3] + m45 * w[4];
    r[4] = m45 * w[3] + m55 * w[4];
    r[5] = c * w[5] + m67 * w[6];
    r[6] = m67 * w[5] + m77 * w[6];
}

/* By columns (ld rows): matrix += d(M w)/dq. */
static void inertia_slopes(const double *q, const double *w, double *matrix, size_t ld)
{
    double first = FIRST * sin(q[1]), second = SECOND * cos(q[3]), third = -THIRD * cos(q[5]);
    *zoo_dense(matrix, ld, 1, 2) += first * (2 * w[0] + w[1]);
    *zoo_dense(matrix, ld, 2, 2) += first * w[0];
    *zoo_dense(matrix, ld, 4, 4) += second * w[4];
    *zoo_dense(matrix, ld, 5, 4) += second * (w[3] + 2 * w[4]);
    *zoo_dense(matrix, ld, 6, 6) += third * w[6];
    *zoo_dense(matrix, ld, 7, 6) += third * (w[5] + 2 * w[6]);
}

/* The torque of the spring and its slope by the angle of body 3. */
static double spring(double angle, double *slope)
{
    double tx = sc * cos(angle) - sd * sin(angle), ty = sd * cos(angle) + sc * sin(angle);
    double x = ty + XB - xc, y = -tx + YB - yc; /* from the fixed end to the moving one */
    double length = hypot(x, y), along = x * tx + y * ty;
    double pull = -c0 * (length - l0) / length;
    *slope = pull * (tx * tx + ty * ty - x * ty + y * tx) -
             c0 * l0 * along * along / (length * length * length);
    return pull * along;
}

static void forces(const double *q, const double *v, double *f)
{
    double unused;
    f[0] = mom - FIRST * v[1] * (v[1] + 2 * v[0]) * sin(q[1]);
    f[1] = FIRST * v[0] * v[0] * sin(q[1]);
    f[2] = spring(q[2], &unused);
    f[3] = SECOND * v[4] * v[4] * cos(q[3]);
    f[4] = -SECOND * v[3] * (v[3] + 2 * v[4]) * cos(q[3]);
    f[5] = -THIRD * v[6] * v[6] * cos(q[5]);
    f[6] = THIRD * v[5] * (v[5] + 2 * v[6]) * cos(q[5]);
}

/* matrix -= df/dq and df/dv, each at its first column. */
static void force_slopes(const double *q, const double *v, double *by_q, double *by_v, size_t ld)
{
    double first = FIRST * sin(q[1]), second = SECOND * cos(q[3]), third = THIRD * cos(q[5]), slope;
    (void)spring(q[2], &slope);
    *zoo_dense(by_q, ld, 1, 2) += FIRST * v[1] * (v[1] + 2 * v[0]) * cos(q[1]);
    *zoo_dense(by_q, ld, 2, 2) -= FIRST * v[0] * v[0] * cos(q[1]);
    *zoo_dense(by_q, ld, 3, 3) -= slope;
    *zoo_dense(by_q, ld, 4, 4) += SECOND * v[4] * v[4] * sin(q[3]);
    *zoo_dense(by_q, ld, 5, 4) -= SECOND * v[3] * (v[3] + 2 * v[4]) * sin(q[3]);
    *zoo_dense(by_q, ld, 6, 6) -= THIRD * v[6] * v[6] * sin(q[5]);
    *zoo_dense(by_q, ld, 7, 6) += THIRD * v[5] * (v[5] + 2 * v[6]) * sin(q[5]);
    *zoo_dense(by_v, ld, 1, 1) += 2 * first * v[1];
    *zoo_dense(by_v, ld, 1, 2) += 2 * first * (v[0] + v[1]);
    *zoo_dense(by_v, ld, 2, 1) -= 2 * first * v[0];
    *zoo_dense(by_v, ld, 4, 5) -= 2 * second * v[4];
    *zoo_dense(by_v, ld, 5, 4) += 2 * second * (v[3] + v[4]);
    *zoo_dense(by_v, ld, 5, 5) += 2 * second * v[3];
    *zoo_dense(by_v, ld, 6, 7) += 2 * third * v[6];
    *zoo_dense(by_v, ld, 7, 6) -= 2 * third * (v[5] + v[6]);
    *zoo_dense(by_v, ld, 7, 7) -= 2 * third * v[5];
}

/* A constraint: a constant and terms in the sine or cosine of one angle or of the sum of two,
 * counted from 1. */
typedef struct loop {
    double constant;
    struct {
        double size;
        bool sine;
        unsigned char angle, other;
    } term[TERMS];
} loop;

static const loop loops[CONSTRAINTS] = {
    {-XB, {{RR, 0, 1, 0}, {-D, 0, 1, 2}, {-SS, 1, 3, 0}}},
    {-YB, {{RR, 1, 1, 0}, {-D, 1, 1, 2}, {SS, 0, 3, 0}}},
    {-XA, {{RR, 0, 1, 0}, {-D, 0, 1, 2}, {-E, 1, 4, 5}, {-ZT, 0, 5, 0}}},
    {-YA, {{RR, 1, 1, 0}, {-D, 1, 1, 2}, {E, 0, 4, 5}, {-ZT, 1, 5, 0}}},
    {-XA, {{RR, 0, 1, 0}, {-D, 0, 1, 2}, {-ZF, 0, 6, 7}, {-U, 1, 7, 0}}},
    {-YA, {{RR, 1, 1, 0}, {-D, 1, 1, 2}, {-ZF, 1, 6, 7}, {U, 0, 7, 0}}}};

/* Each term is minus its own second derivative. */
typedef struct constraints {
    double value[CONSTRAINTS], slope[CONSTRAINTS][Q], term[CONSTRAINTS][TERMS];
} constraints;

static constraints constraints_at(const double *q)
{
    constraints c = {.value = {0}};
    for (int k = 0; k < CONSTRAINTS; k++) {
        c.value[k] = loops[k].constant;
        for (int i = 0; i < TERMS && loops[k].term[i].angle; i++) {
            int one = loops[k].term[i].angle, two = loops[k].term[i].other;
            double angle = q[one - 1] + (two ? q[two - 1] : 0), size = loops[k].term[i].size;
            bool sine = loops[k].term[i].sine;
            c.term[k][i] = size * (sine ? sin(angle) : cos(angle));
            double slope = size * (sine ? cos(angle) : -sin(angle));
            c.value[k] += c.term[k][i];
            c.slope[k][one - 1] += slope;
            if (two) c.slope[k][two - 1] += slope;
        }
    }
    return c;
}

/* matrix += d(G^T lambda)/dq */
static void reaction_slopes(const constraints *c, const double *lambda, double *matrix, size_t ld)
{
    for (int k = 0; k < CONSTRAINTS; k++) {
        for (int i = 0; i < TERMS && loops[k].term[i].angle; i++) {
            size_t angle[2] = {loops[k].term[i].angle, loops[k].term[i].other};
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2 && angle[a] != 0; b++)
                    if (angle[b] != 0)
                        *zoo_dense(matrix, ld, angle[a], angle[b]) -= lambda[k] * c->term[k][i];
        }
    }
}

/* matrix += d(G v)/dq */
static void rate_slopes(const constraints *c, const double *v, double *matrix, size_t ld)
{
    for (size_t k = 0; k < CONSTRAINTS; k++) {
        for (int i = 0; i < TERMS && loops[k].term[i].angle; i++) {
            size_t one = loops[k].term[i].angle, two = loops[k].term[i].other;
            double rate = v[one - 1] + (two ? v[two - 1] : 0);
            *zoo_dense(matrix, ld, k + 1, one) -= rate * c->term[k][i];
            if (two) *zoo_dense(matrix, ld, k + 1, two) -= rate * c->term[k][i];
        }
    }
}

/* r = M w - f + G^T lambda */
static void motion(const constraints *c, const double *q, const double *v, const double *w,
                   const double *lambda, double m7, double *r)
{
    double force[Q];
    inertia(q, w, m7, r);
    forces(q, v, force);
    for (int i = 0; i < Q; i++) {
        r[i] -= force[i];
        for (int k = 0; k < CONSTRAINTS; k++) r[i] += c->slope[k][i] * lambda[k];
    }
}

/* Of a block of motion(): by q, by v, and by lambda. */
static void motion_slopes(const constraints *c, const double *y, const double *w,
                          const double *lambda, double *by_q, double *by_v, double *by_lambda,
                          size_t ld)
{
    inertia_slopes(y, w, by_q, ld);
    force_slopes(y, y + Q, by_q, by_v, ld);
    reaction_slopes(c, lambda, by_q, ld);
    for (size_t i = 1; i <= Q; i++)
        for (size_t k = 1; k <= CONSTRAINTS; k++)
            *zoo_dense(by_lambda, ld, i, k) = c->slope[k - 1][i - 1];
}

/* block = M */
static void inertia_matrix(const double *q, double m7, double *block, size_t ld)
{
    for (size_t j = 0; j < Q; j++) {
        double unit[Q] = {0}, column[Q];
        unit[j] = 1;
        inertia(q, unit, m7, column);
        for (size_t i = 0; i < Q; i++) *zoo_dense(block, ld, i + 1, j + 1) = column[i];
    }
}

static int f(double t, const double *y, double *r, void *user)
{
    (void)t;
    constraints c = constraints_at(y);
    for (int i = 0; i < 2 * Q; i++) r[i] = y[Q + i];
    motion(&c, y, y + Q, y + 2 * Q, y + 3 * Q, *(const double *)user, r + 2 * Q);
    for (int k = 0; k < CONSTRAINTS; k++) r[3 * Q + k] = c.value[k];
    return 0;
}

static int f_y(double t, const double *y, double *j, void *user)
{
    (void)t;
    constraints c = constraints_at(y);
    double *rows = j + 2 * Q; /* of the equations of motion */
    for (size_t i = 1; i <= 2 * Q; i++) *zoo_dense(j, N, i, Q + i) = 1;
    motion_slopes(&c, y, y + 2 * Q, y + 3 * Q, rows, rows + Q * N, rows + 3 * Q * N, N);
    inertia_matrix(y, *(const double *)user, rows + 2 * Q * N, N);
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
    constraints c = constraints_at(y);
    motion(&c, y, v, yp + Q, lambda, *(const double *)user, r + Q);
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
    constraints c = constraints_at(y);
    for (int k = 0; k < CONSTRAINTS; k++) minus[k] = -mu[k];
    reaction_slopes(&c, minus, j, GGL);
    motion_slopes(&c, y, yp + Q, lambda, j + Q, j + Q + Q * GGL, j + Q + 2 * Q * GGL, GGL);
    inertia_matrix(y, *(const double *)user, jp + Q + Q * GGL, GGL);
    rate_slopes(&c, v, j + 2 * Q + CONSTRAINTS, GGL);
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
