#include "method/multistep.h"

/* What a condition may be off, relative to the sizes of its terms: far above round-off, far below
 * the effect of a wrong digit. */
static const double TOLERANCE = 1e-23;

quad multistep_defect(const method_multistep *f, int q, quad *size)
{
    quad sum = 0;
    *size = 0;
    for (int j = 0; j <= f->steps; j++) {
        quad x = j - f->steps, of_y = f->alpha[j] * quad_power(x, q);
        quad of_slope = q > 0 ? q * f->beta[j] * quad_power(x, q - 1) : 0;
        sum += of_y - of_slope;
        *size += quad_abs(of_y) + quad_abs(of_slope);
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

/* Of a one-leg method whose beta sum to 1, what condition q says of the slope at the point in
 * between, and condition q - 1 of the value there. */
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
