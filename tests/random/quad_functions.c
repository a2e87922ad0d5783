#include "random/quad_functions.h"

#include <math.h>

/* pi/2 and ln 2 as sums of doubles; multiples of each by integers up to 2^30 are exact. */
static const double HALF_PI[] = {0x1.921fb54p+0, 0x1.10b46118p-30, 0x1.313198a2e037p-61,
                                 0x1.cd129024e088ap-115};
static const double LN2[] = {0x1.62e42fe8p-1, 0x1.e8e7bcdp-31, 0x1.793c7673007e6p-61,
                             -0x1.2a17e1979b31bp-117};

/* The series of cos (k = 0) or sin (k = 1) for |x| <= pi/4. */
static quad series(quad x, int k)
{
    quad term = k ? x : 1, sum = term;
    for (int i = k + 1; quad_abs(term) > quad_abs(sum) * QUAD_EPSILON / 4; i += 2) {
        term *= -x * x / ((quad)i * (i + 1));
        sum += term;
        if (term == 0) break;
    }
    return sum;
}

/* sin(x + quarter pi/2) */
static quad turned(quad x, int quarter)
{
    double count = nearbyint((double)x * 0.636619772367581343);
    for (int i = 0; i < 4; i++) x -= (quad)count * (quad)HALF_PI[i];
    int turn = (quarter + (int)fmod(count, 4) + 8) % 4;
    quad value = series(x, turn % 2 == 0);
    return turn >= 2 ? -value : value;
}

quad quad_sin(quad x)
{
    return turned(x, 0);
}

quad quad_cos(quad x)
{
    return turned(x, 1);
}

quad quad_exp(quad x)
{
    double count = nearbyint((double)x * 1.44269504088896341);
    for (int i = 0; i < 4; i++) x -= (quad)count * (quad)LN2[i];
    quad term = 1, sum = 1;
    for (int i = 1; quad_abs(term) > QUAD_EPSILON / 8; i++) {
        term *= x / i;
        sum += term;
        if (term == 0) break;
    }
    return quad_power(2, (int)count) * sum;
}
