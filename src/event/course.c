#include "event/course.h"

#include "base/round_off.h"
#include "event/bracket.h"

#include <math.h>

/* Where the last coefficients are this part of the others, the interpolant stands for the function.
 * An excursion that it leaves out is as small. */
static const double RESOLVED = 1e-10;

/* The number of looks for a change of the slope's sign in each interval between points. */
enum { FINE = 4 };

double course_point(int j, int m)
{
    return 0.5 - 0.5 * cos(acos(-1.0) * j / m);
}

/* The derivative's coefficients (Mason & Handscomb (2003), eq. 2.52). */
static void take_slope(course *c)
{
    int m = c->intervals;
    c->slope[m] = 0;
    for (int i = m; i >= 1; i--)
        c->slope[i - 1] = (i + 1 <= m ? c->slope[i + 1] : 0) + 2 * i * c->coefficient[i];
    c->slope[0] *= 0.5;
}

/* The sums by discrete orthogonality (Mason & Handscomb (2003), eq. 6.28). */
void course_take(course *c, int m, const double *value, int stride)
{
    double cosine[2 * COURSE_MOST];
    for (int r = 0; r < 2 * m; r++) cosine[r] = cos(acos(-1.0) * r / m);
    c->intervals = m;
    c->varies = 0;
    for (int i = 0; i <= m; i++) {
        double sum = 0;
        for (int j = 0; j <= m; j++)
            sum += (j == 0 || j == m ? 0.5 : 1) * value[j * stride] * cosine[i * j % (2 * m)];
        c->coefficient[i] = (i % 2 ? -1 : 1) * (i == 0 || i == m ? 1 : 2) * sum / m;
        if (i > 0) c->varies += fabs(c->coefficient[i]);
    }
    c->rounding = ROUND_OFF_LONG_SUM * (fabs(c->coefficient[0]) + c->varies);
    c->missed = fabs(c->coefficient[m]) + fabs(c->coefficient[m - 1]) + c->rounding;
    take_slope(c);
}

bool course_is_quiet(const course *c)
{
    return fabs(c->coefficient[0]) > c->varies + c->missed;
}

bool course_is_resolved(const course *c)
{
    return c->missed <= RESOLVED * (fabs(c->coefficient[0]) + c->varies);
}

/* Clenshaw's recurrence, at 2 x - 1. */
static double sum_at(const double *coefficient, int highest, double x)
{
    double at = 2 * x - 1, next = 0, next_but_one = 0;
    for (int i = highest; i >= 1; i--) {
        double sum = 2 * at * next - next_but_one + coefficient[i];
        next_but_one = next;
        next = sum;
    }
    return at * next - next_but_one + coefficient[0];
}

double course_value(const course *c, double x)
{
    return sum_at(c->coefficient, c->intervals, x);
}

double course_slope(const course *c, double x)
{
    return 2 * sum_at(c->slope, c->intervals - 1, x);
}

/* Between two points with slopes of different signs. */
static double extremum(const course *c, double low, double at_low, double high, double at_high)
{
    bracket b;
    double x;
    bracket_begin(&b, (bracket_end){low, at_low, false}, (bracket_end){high, at_high, true},
                  ROUND_OFF_AMPLIFIED);
    while (bracket_next(&b, &x)) {
        double slope = course_slope(c, x);
        bracket_take(&b, (bracket_end){x, slope, (slope > 0) != (at_low > 0)});
    }
    return bracket_behind(&b)->x;
}

int course_extrema(const course *c, double *x)
{
    int steps = FINE * c->intervals, count = 0;
    double low = 0, at_low = course_slope(c, 0);
    for (int i = 1; i <= steps && count < COURSE_MOST; i++) {
        double high = course_point(i, steps), at_high = course_slope(c, high);
        if ((at_low > 0) != (at_high > 0)) x[count++] = extremum(c, low, at_low, high, at_high);
        low = high;
        at_low = at_high;
    }
    return count;
}
