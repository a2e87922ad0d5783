#include "method/multistep.h"

#include <math.h>

/* The error, relative to the sizes of the terms, up to which a condition holds: far above
 * round-off, far below the effect of a wrong digit. */
static const double TOLERANCE = 1e-23;

/* x^k of the points, which are whole numbers down to -METHOD_MOST_STEPS. A double holds it up to k
 * = 17. */
static double power(int x, int k)
{
    double value = 1;
    for (int i = 0; i < k; i++) value *= x;
    return value;
}

quad multistep_defect(const method_multistep *f, int q, quad *size)
{
    quad sum = 0;
    *size = 0;
    for (int j = 0; j <= f->steps; j++) {
        if (f->alpha[j] == 0 && f->beta[j] == 0) continue;
        int x = j - f->steps;
        quad of_y = f->alpha[j] * (quad)power(x, q);
        quad of_jacobian = q > 0 ? f->beta[j] * (quad)(q * power(x, q - 1)) : 0;
        sum += of_y - of_jacobian;
        *size += quad_abs(of_y) + quad_abs(of_jacobian);
    }
    return sum;
}

static bool holds(const method_multistep *f, int q)
{
    quad size, off = multistep_defect(f, q, &size);
    return quad_abs(off) <= (quad)TOLERANCE * size;
}

/* sum_j beta_j x_j^q */
static quad moment(const method_multistep *f, int q)
{
    quad sum = 0;
    for (int j = 0; j <= f->steps; j++) sum += f->beta[j] * quad_power(j - f->steps, q);
    return sum;
}

/* For a one-leg method whose beta sum to 1: condition q for y' at the point in between, and
 * condition q - 1 for the value there. */
static bool holds_between(const method_multistep *f, int q)
{
    quad at = moment(f, 1), derivative = q * quad_power(at, q - 1), size = quad_abs(derivative);
    quad slope = -derivative, value = moment(f, q - 1) - quad_power(at, q - 1);
    for (int j = 0; j <= f->steps; j++) {
        quad term = f->alpha[j] * quad_power(j - f->steps, q);
        slope += term;
        size += quad_abs(term);
    }
    return quad_abs(slope) <= (quad)TOLERANCE * size && quad_abs(value) <= (quad)TOLERANCE * size;
}

int multistep_order(const method_multistep *f)
{
    enum { MOST = 2 * METHOD_MOST_STEPS };
    int p = 0;
    if (!holds(f, 0)) return 0;
    while (p < MOST && (f->one_leg ? holds_between(f, p + 1) : holds(f, p + 1))) p++;
    return p;
}

double multistep_error_constant(const method_multistep *f)
{
    quad size, sum = 0;
    int p = multistep_order(f);
    for (int j = 0; j <= f->steps; j++) sum += f->beta[j];
    quad constant = multistep_defect(f, p + 1, &size) / sum;
    for (int k = 2; k <= p + 1; k++) constant /= k;
    return (double)constant;
}

int multistep_blocker_order(const method_multistep *f)
{
    for (int q = 0;; q++) {
        quad sum = 0, size = 0;
        for (int j = 0; j <= f->steps; j++) {
            quad term = f->gamma[j] * quad_power(j - f->steps, q);
            sum += term;
            size += quad_abs(term);
        }
        if (quad_abs(sum) > (quad)TOLERANCE * size || size == 0) return q;
    }
}

void multistep_roots(const method_multistep *f, multistep_polynomial which, root_problem *found)
{
    *found = (root_problem){.degree = f->steps};
    quad largest = 0;
    for (int j = 0; j <= f->steps; j++) {
        quad value = which == MULTISTEP_RHO ? f->alpha[j] : f->beta[j];
        if (which == MULTISTEP_SIGMA_LESS_TAU) value -= f->gamma[j];
        found->coefficient[j].re = value;
        largest = quad_max(largest, quad_abs(value));
    }
    for (int j = 0; j <= f->steps; j++)
        if (quad_abs(found->coefficient[j].re) <= (quad)TOLERANCE * largest)
            found->coefficient[j].re = 0;
    roots_find(found);
}

double multistep_radius(const method_multistep *f, multistep_polynomial which)
{
    root_problem found;
    multistep_roots(f, which, &found);
    return found.count < f->steps ? HUGE_VAL : roots_radius(&found);
}

bool multistep_is_zero_stable(const method_multistep *f)
{
    const double edge = 1e-10,
                 same = 1e-5; /* a double root is found to 1e-16, a triple one to 1e-11 */
    root_problem found;
    multistep_roots(f, MULTISTEP_RHO, &found);
    for (int i = 0; i < found.count; i++) {
        double size = complex_modulus(found.root[i]);
        if (size > 1 + edge) return false;
        for (int j = 0; j < i && size > 1 - edge; j++) {
            complex_quad apart = complex_difference(found.root[i], found.root[j]);
            if (complex_modulus(apart) < same) return false;
        }
    }
    return true;
}

int multistep_barrier(const method_multistep *f)
{
    int k = f->steps;
    if (f->beta[k] == 0) return k;
    return k % 2 ? k + 1 : k + 2;
}
