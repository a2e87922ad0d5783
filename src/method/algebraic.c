#include "method/algebraic.h"

#include "method/conditions.h"

typedef quad square[METHOD_MOST_STAGES][METHOD_MOST_STAGES];

/* Rotate rows and columns p and q so that m_pq vanishes (Jacobi 1846). */
static void rotate(int n, square m, int p, int q)
{
    quad ratio = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    quad root = quad_sqrt(1 + ratio * ratio);
    quad tangent = (ratio < 0 ? -1 : 1) / (quad_abs(ratio) + root);
    quad cosine = 1 / quad_sqrt(1 + tangent * tangent), sine = tangent * cosine;
    for (int k = 0; k < n; k++) {
        quad left = m[k][p], right = m[k][q];
        m[k][p] = cosine * left - sine * right;
        m[k][q] = sine * left + cosine * right;
    }
    for (int k = 0; k < n; k++) {
        quad upper = m[p][k], lower = m[q][k];
        m[p][k] = cosine * upper - sine * lower;
        m[q][k] = sine * upper + cosine * lower;
    }
}

quad algebraic_least_eigenvalue(const method *given, quad *size)
{
    enum { SWEEPS = 20 };
    int n = given->stages;
    const quad *b = given->b;
    square m = {{0}};
    *size = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            quad left = b[i] * given->a[i][j], right = b[j] * given->a[j][i];
            m[i][j] = left + right - b[i] * b[j];
            *size = quad_max(*size, quad_abs(left) + quad_abs(right) + quad_abs(b[i] * b[j]));
        }
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (quad_abs(m[p][q]) > QUAD_EPSILON * QUAD_EPSILON * *size) rotate(n, m, p, q);
    quad least = m[0][0];
    for (int i = 1; i < n; i++)
        if (m[i][i] < least) least = m[i][i];
    return least;
}

bool algebraic_is_stable(const method *given)
{
    quad size, bound = method_tolerance(given);
    if (given->rosenbrock) return false;
    for (int i = 0; i < given->stages; i++)
        if (given->b[i] < -bound) return false;
    quad least = algebraic_least_eigenvalue(given, &size);
    return least >= -bound * size;
}
