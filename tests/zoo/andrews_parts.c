#include "zoo/andrews_parts.h"

#include "zoo/entry.h"

#include <math.h>
#include <stdbool.h>

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

/* A constraint: a constant and terms in the sine or cosine of one angle or of the sum of two,
 * counted from 1. */
typedef struct loop {
    double constant;
    struct {
        double size;
        bool sine;
        unsigned char angle, other;
    } term[ANDREWS_TERMS];
} loop;

static const loop loops[ANDREWS_LOOPS] = {
    {-XB, {{RR, 0, 1, 0}, {-D, 0, 1, 2}, {-SS, 1, 3, 0}}},
    {-YB, {{RR, 1, 1, 0}, {-D, 1, 1, 2}, {SS, 0, 3, 0}}},
    {-XA, {{RR, 0, 1, 0}, {-D, 0, 1, 2}, {-E, 1, 4, 5}, {-ZT, 0, 5, 0}}},
    {-YA, {{RR, 1, 1, 0}, {-D, 1, 1, 2}, {E, 0, 4, 5}, {-ZT, 1, 5, 0}}},
    {-XA, {{RR, 0, 1, 0}, {-D, 0, 1, 2}, {-ZF, 0, 6, 7}, {-U, 1, 7, 0}}},
    {-YA, {{RR, 1, 1, 0}, {-D, 1, 1, 2}, {-ZF, 1, 6, 7}, {U, 0, 7, 0}}}};

/* The place of an angle, or of a sum, among the sines. */
static int place_of(int angle, int other)
{
    static const int sums[] = {0, Q1_Q2, 0, 0, Q4_Q5, 0, Q6_Q7};
    return other ? sums[angle] : angle - 1;
}

andrews_constraints andrews_constraints_at(const andrews_turned *at)
{
    andrews_constraints c = {.value = {0}};
    for (int k = 0; k < ANDREWS_LOOPS; k++) {
        c.value[k] = loops[k].constant;
        for (int i = 0; i < ANDREWS_TERMS && loops[k].term[i].angle; i++) {
            int one = loops[k].term[i].angle, two = loops[k].term[i].other;
            double size = loops[k].term[i].size;
            double sine = at->sine[place_of(one, two)], cosine = at->cosine[place_of(one, two)];
            bool is_sine = loops[k].term[i].sine;
            c.term[k][i] = size * (is_sine ? sine : cosine);
            double slope = size * (is_sine ? cosine : -sine);
            c.value[k] += c.term[k][i];
            c.slope[k][one - 1] += slope;
            if (two) c.slope[k][two - 1] += slope;
        }
    }
    return c;
}

/* matrix += d(G^T lambda)/dq */
void andrews_reaction_slopes(const andrews_constraints *c, const double *lambda, double *matrix,
                             size_t ld)
{
    for (int k = 0; k < ANDREWS_LOOPS; k++) {
        for (int i = 0; i < ANDREWS_TERMS && loops[k].term[i].angle; i++) {
            size_t angle[2] = {loops[k].term[i].angle, loops[k].term[i].other};
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2 && angle[a] != 0; b++)
                    if (angle[b] != 0)
                        *zoo_dense(matrix, ld, angle[a], angle[b]) -= lambda[k] * c->term[k][i];
        }
    }
}

void andrews_second_rates(const andrews_constraints *c, const double *v, double *r)
{
    for (int k = 0; k < ANDREWS_LOOPS; k++) {
        r[k] = 0;
        for (int i = 0; i < ANDREWS_TERMS && loops[k].term[i].angle; i++) {
            int one = loops[k].term[i].angle, two = loops[k].term[i].other;
            double rate = v[one - 1] + (two ? v[two - 1] : 0);
            r[k] -= rate * rate * c->term[k][i];
        }
    }
}

/* matrix += d(G v)/dq */
void andrews_rate_slopes(const andrews_constraints *c, const double *v, double *matrix, size_t ld)
{
    for (size_t k = 0; k < ANDREWS_LOOPS; k++) {
        for (int i = 0; i < ANDREWS_TERMS && loops[k].term[i].angle; i++) {
            size_t one = loops[k].term[i].angle, two = loops[k].term[i].other;
            double rate = v[one - 1] + (two ? v[two - 1] : 0);
            *zoo_dense(matrix, ld, k + 1, one) -= rate * c->term[k][i];
            if (two) *zoo_dense(matrix, ld, k + 1, two) -= rate * c->term[k][i];
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
