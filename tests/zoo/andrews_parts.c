#include "zoo/andrews_parts.h"

#include "zoo/entry.h"

#include <math.h>

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

/* What couples the bodies of the three pairs: 1 and 2, 4 and 5, 6 and 7. */
#define FIRST  (m2 * da * RR)
#define SECOND (m4 * ZT * (E - ea))
#define THIRD  (m6 * U * (ZF - fa))

/* Beyond the seven angles: sums of an angle and the next. */
enum { Q1_Q2 = 7, Q4_Q5, Q6_Q7 };

andrews_turned andrews_turn(const double *q)
{
    static const int first[] = {0, 3, 5};
    andrews_turned at;
    for (int i = 0; i < ANDREWS_Q; i++) at.sine[i] = sin(q[i]), at.cosine[i] = cos(q[i]);
    for (int k = 0; k < 3; k++) {
        int one = first[k], two = one + 1, sum = Q1_Q2 + k;
        at.sine[sum] = at.sine[one] * at.cosine[two] + at.cosine[one] * at.sine[two];
        at.cosine[sum] = at.cosine[one] * at.cosine[two] - at.sine[one] * at.sine[two];
    }
    return at;
}

andrews_inertias andrews_inertias_at(const andrews_turned *at, double m7)
{
    double a = m2 * da * da + i2, b = m4 * (E - ea) * (E - ea) + i4;
    double c = m6 * (ZF - fa) * (ZF - fa) + i6;
    double one = FIRST * at->cosine[1], two = SECOND * at->sine[3], three = THIRD * at->sine[5];
    return (andrews_inertias){
        .m11 = m1 * ra * ra + m2 * RR * RR - 2 * one + a + i1,
        .m12 = a - one,
        .m22 = a,
        .m33 = m3 * (sa * sa + sb * sb) + i3,
        .m44 = b,
        .m45 = b + two,
        .m55 = m4 * ZT * ZT + 2 * two + b + m5 * (ta * ta + tb * tb) + i5,
        .m66 = c,
        .m67 = c - three,
        .m77 = c - 2 * three + m6 * U * U + m7 * (ua * ua + ub * ub) + i7,
    };
}

void andrews_inertia(const andrews_inertias *m, const double *w, double *r)
{
    r[0] = m->m11 * w[0] + m->m12 * w[1];
    r[1] = m->m12 * w[0] + m->m22 * w[1];
    r[2] = m->m33 * w[2];
    r[3] = m->m44 * w[3] + m->m45 * w[4];
    r[4] = m->m45 * w[3] + m->m55 * w[4];
    r[5] = m->m66 * w[5] + m->m67 * w[6];
    r[6] = m->m67 * w[5] + m->m77 * w[6];
}

/* By columns (ld rows): matrix += d(M w)/dq. */
void andrews_inertia_slopes(const andrews_turned *at, const double *w, double *matrix, size_t ld)
{
    double first = FIRST * at->sine[1], second = SECOND * at->cosine[3];
    double third = -THIRD * at->cosine[5];
    *zoo_dense(matrix, ld, 1, 2) += first * (2 * w[0] + w[1]);
    *zoo_dense(matrix, ld, 2, 2) += first * w[0];
    *zoo_dense(matrix, ld, 4, 4) += second * w[4];
    *zoo_dense(matrix, ld, 5, 4) += second * (w[3] + 2 * w[4]);
    *zoo_dense(matrix, ld, 6, 6) += third * w[6];
    *zoo_dense(matrix, ld, 7, 6) += third * (w[5] + 2 * w[6]);
}

/* The torque of the spring and its slope by the angle of body 3. */
static double spring(double sine, double cosine, double *slope)
{
    double tx = sc * cosine - sd * sine, ty = sd * cosine + sc * sine;
    double x = ty + XB - xc, y = -tx + YB - yc; /* from the fixed end to the moving one */
    double length = sqrt(x * x + y * y), along = x * tx + y * ty;
    double pull = -c0 * (length - l0) / length;
    *slope = pull * (tx * tx + ty * ty - x * ty + y * tx) -
             c0 * l0 * along * along / (length * length * length);
    return pull * along;
}

void andrews_forces(const andrews_turned *at, const double *v, double *f)
{
    const double *sine = at->sine, *cosine = at->cosine;
    double unused;
    f[0] = mom - FIRST * v[1] * (v[1] + 2 * v[0]) * sine[1];
    f[1] = FIRST * v[0] * v[0] * sine[1];
    f[2] = spring(sine[2], cosine[2], &unused);
    f[3] = SECOND * v[4] * v[4] * cosine[3];
    f[4] = -SECOND * v[3] * (v[3] + 2 * v[4]) * cosine[3];
    f[5] = -THIRD * v[6] * v[6] * cosine[5];
    f[6] = THIRD * v[5] * (v[5] + 2 * v[6]) * cosine[5];
}

/* matrix -= df/dq and df/dv, each at its first column. */
void andrews_force_slopes(const andrews_turned *at, const double *v, double *by_q, double *by_v,
                          size_t ld)
{
    const double *sine = at->sine, *cosine = at->cosine;
    double first = FIRST * sine[1], second = SECOND * cosine[3], third = THIRD * cosine[5], slope;
    (void)spring(sine[2], cosine[2], &slope);
    *zoo_dense(by_q, ld, 1, 2) += FIRST * v[1] * (v[1] + 2 * v[0]) * cosine[1];
    *zoo_dense(by_q, ld, 2, 2) -= FIRST * v[0] * v[0] * cosine[1];
    *zoo_dense(by_q, ld, 3, 3) -= slope;
    *zoo_dense(by_q, ld, 4, 4) += SECOND * v[4] * v[4] * sine[3];
    *zoo_dense(by_q, ld, 5, 4) -= SECOND * v[3] * (v[3] + 2 * v[4]) * sine[3];
    *zoo_dense(by_q, ld, 6, 6) -= THIRD * v[6] * v[6] * sine[5];
    *zoo_dense(by_q, ld, 7, 6) += THIRD * v[5] * (v[5] + 2 * v[6]) * sine[5];
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

/* A pair of loops is closed in x and in y: the sum of vectors along bars, each of which turns with
 * one angle, or with the sum of two, counted from 1. */
typedef struct bar {
    unsigned char angle, other; /* 0: none */
} bar;

enum { BARS = 7 };

static const bar bars[BARS] = {{1, 0}, {1, 2}, {3, 0}, {4, 5}, {5, 0}, {6, 7}, {7, 0}};

/* The bars of each pair, and where it begins. */
static const unsigned char chain[ANDREWS_LOOPS / 2][ANDREWS_TERMS] = {
    {0, 1, 2, BARS}, {0, 1, 3, 4}, {0, 1, 5, 6}};
static const double origin[ANDREWS_LOOPS] = {-XB, -YB, -XA, -YA, -XA, -YA};

static const bar *bar_of(size_t loop, size_t term)
{
    size_t number = chain[loop / 2][term];
    return number < BARS ? &bars[number] : NULL;
}

andrews_constraints andrews_constraints_at(const andrews_turned *at)
{
    const double *sine = at->sine, *cosine = at->cosine;
    const double x[BARS] = {RR * cosine[0],  -D * cosine[Q1_Q2],  -SS * sine[2], -E * sine[Q4_Q5],
                            -ZT * cosine[4], -ZF * cosine[Q6_Q7], -U * sine[6]};
    const double y[BARS] = {RR * sine[0],  -D * sine[Q1_Q2],  SS * cosine[2], E * cosine[Q4_Q5],
                            -ZT * sine[4], -ZF * sine[Q6_Q7], U * cosine[6]};
    andrews_constraints c = {.value = {0}};
    for (size_t k = 0; k < ANDREWS_LOOPS; k += 2) {
        c.value[k] = origin[k], c.value[k + 1] = origin[k + 1];
        for (size_t i = 0; i < ANDREWS_TERMS && bar_of(k, i); i++) {
            size_t number = chain[k / 2][i], one = bars[number].angle, two = bars[number].other;
            c.value[k] += c.term[k][i] = x[number];
            c.value[k + 1] += c.term[k + 1][i] = y[number];
            c.slope[k][one - 1] -= y[number], c.slope[k + 1][one - 1] += x[number];
            if (two) c.slope[k][two - 1] -= y[number], c.slope[k + 1][two - 1] += x[number];
        }
    }
    return c;
}

/* matrix += d(G^T lambda)/dq */
void andrews_reaction_slopes(const andrews_constraints *c, const double *lambda, double *matrix,
                             size_t ld)
{
    const bar *of;
    for (size_t k = 0; k < ANDREWS_LOOPS; k++) {
        for (size_t i = 0; i < ANDREWS_TERMS && (of = bar_of(k, i)) != NULL; i++) {
            size_t angle[2] = {of->angle, of->other};
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2 && angle[a] != 0; b++)
                    if (angle[b] != 0)
                        *zoo_dense(matrix, ld, angle[a], angle[b]) -= lambda[k] * c->term[k][i];
        }
    }
}

static double rate_of(const bar *of, const double *v)
{
    return v[of->angle - 1] + (of->other ? v[of->other - 1] : 0);
}

void andrews_second_rates(const andrews_constraints *c, const double *v, double *r)
{
    for (size_t k = 0; k < ANDREWS_LOOPS; k += 2) {
        r[k] = r[k + 1] = 0;
        for (size_t i = 0; i < ANDREWS_TERMS && bar_of(k, i); i++) {
            double rate = rate_of(bar_of(k, i), v);
            r[k] -= rate * rate * c->term[k][i];
            r[k + 1] -= rate * rate * c->term[k + 1][i];
        }
    }
}

/* matrix += d(G v)/dq */
void andrews_rate_slopes(const andrews_constraints *c, const double *v, double *matrix, size_t ld)
{
    const bar *of;
    for (size_t k = 0; k < ANDREWS_LOOPS; k++) {
        for (size_t i = 0; i < ANDREWS_TERMS && (of = bar_of(k, i)) != NULL; i++) {
            double rate = rate_of(of, v);
            *zoo_dense(matrix, ld, k + 1, of->angle) -= rate * c->term[k][i];
            if (of->other) *zoo_dense(matrix, ld, k + 1, of->other) -= rate * c->term[k][i];
        }
    }
}

/* block = M */
void andrews_inertia_matrix(const andrews_inertias *m, double *block, size_t ld)
{
    for (size_t j = 0; j < ANDREWS_Q; j++) {
        double unit[ANDREWS_Q] = {0}, column[ANDREWS_Q];
        unit[j] = 1;
        andrews_inertia(m, unit, column);
        for (size_t i = 0; i < ANDREWS_Q; i++) *zoo_dense(block, ld, i + 1, j + 1) = column[i];
    }
}
