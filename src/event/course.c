#include "event/course.h"

#include "base/round_off.h"
#include "event/bracket.h"

#include <math.h>

/* Where the last coefficients are this part of the others, the interpolant stands for the function.
 * An excursion that it leaves out is as small. */
static const double RESOLVED = 1e-10;

/* The largest part of an octave of coefficients that the next one is taken to be; and how many
 * times as much they may be in all, because single coefficients of a kink are small. */
static const double LARGEST = 0.9, DOUBT = 4;

double course_point(int j, int m)
{
    return 0.5 - 0.5 * cos(acos(-1.0) * j / m);
}

void course_grid_make(course_grid *grid, int m)
{
    grid->intervals = m;
    for (int r = 0; r < 2 * m; r++) grid->cosine[r] = cos(acos(-1.0) * r / m);
    for (int j = 0; j <= m; j++) grid->point[j] = course_point(j, m);
    for (int j = 0; j <= COURSE_FINE * m; j++) grid->fine[j] = course_point(j, COURSE_FINE * m);
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

static double sum_of_sizes(const course *c, int from, int to)
{
    double sum = 0;
    for (int i = from + 1; i <= to; i++) sum += fabs(c->coefficient[i]);
    return sum;
}

/* What the coefficients beyond the last one may sum up to: each octave of them is the same part of
 * the one before, as 1/2 at a kink, and the last two are the least that counts. Where these are
 * negligible there are no others. */
static double beyond(const course *c)
{
    int m = c->intervals;
    double two = sum_of_sizes(c, m - 2, m);
    if (two <= RESOLVED * (fabs(c->coefficient[0]) + c->varies)) return two;
    double last = sum_of_sizes(c, m / 2, m), before = sum_of_sizes(c, m / 4, m / 2);
    double part = last < LARGEST * before ? last / before : LARGEST;
    return fmax(two, DOUBT * last * part / (1 - part));
}

/* The sums by discrete orthogonality (Mason & Handscomb (2003), eq. 6.28). */
void course_take(course *c, const course_grid *grid, const double *value, size_t stride)
{
    int m = grid->intervals;
    c->intervals = m;
    c->varies = 0;
    for (int i = 0; i <= m; i++) {
        double sum = 0;
        const double *at = value;
        for (int j = 0, r = 0; j <= m; j++, at += stride) {
            sum += (j == 0 || j == m ? 0.5 : 1) * *at * grid->cosine[r];
            r += i;
            if (r >= 2 * m) r -= 2 * m; /* i j modulo 2 m */
        }
        c->coefficient[i] = (i % 2 ? -1 : 1) * (i == 0 || i == m ? 1 : 2) * sum / m;
        if (i > 0) c->varies += fabs(c->coefficient[i]);
    }
    c->rounding = ROUND_OFF_LONG_SUM * (fabs(c->coefficient[0]) + c->varies);
    c->missed = beyond(c) + c->rounding;
    take_slope(c);
}

void course_blur(course *c, double late, double by)
{
    c->rounding += late * c->varies + by;
    c->missed += late * c->varies + by;
}

bool course_is_quiet(const course *c)
{
    return fabs(c->coefficient[0]) > c->varies + c->missed;
}

bool course_is_resolved(const course *c)
{
    double allowed = RESOLVED * (fabs(c->coefficient[0]) + c->varies);
    return c->missed <= fmax(allowed, 2 * c->rounding);
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

int course_extrema(const course *c, const course_grid *grid, double until, double *x)
{
    int steps = COURSE_FINE * c->intervals, count = 0;
    double low = 0, at_low = course_slope(c, 0);
    for (int i = 1; i <= steps && low < until && count < COURSE_MOST; i++) {
        double high = grid->fine[i], at_high = course_slope(c, high);
        if ((at_low > 0) != (at_high > 0)) x[count++] = extremum(c, low, at_low, high, at_high);
        low = high;
        at_low = at_high;
    }
    return count;
}
