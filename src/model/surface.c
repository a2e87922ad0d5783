/* Surfaces that are no products of curves: smooth ones, and steps that go on as straight lines. */
#include "model/curve.h"

#include <math.h>

/* The points along one argument, with two more beyond each end: as far from each other as the last
 * three (Akima 1974, Eq. 5). */
static double *extended_points(arena *a, size_t n, const double *x)
{
    double *e = arena_array(a, n + 4, sizeof *e);
    double first = n > 2 ? x[2] - x[0] : 2 * (x[1] - x[0]);
    double last = n > 2 ? x[n - 1] - x[n - 3] : first;
    for (size_t i = 0; i < n; i++) e[i + 2] = x[i];
    e[0] = e[2] - first;
    e[1] = e[3] - first;
    e[n + 2] = e[n] + last;
    e[n + 3] = e[n + 1] + last;
    return e;
}

/* Values at the points beyond both ends of a line, `step` apart: slopes change evenly there. */
static void extend_values(size_t n, const double *x, double *z, size_t step)
{
    double s1 = (z[3 * step] - z[2 * step]) / (x[3] - x[2]), s2 = s1;
    double t1 = (z[(n + 1) * step] - z[n * step]) / (x[n + 1] - x[n]), t2 = t1;
    if (n > 2) s2 = (z[4 * step] - z[3 * step]) / (x[4] - x[3]);
    if (n > 2) t2 = (z[n * step] - z[(n - 1) * step]) / (x[n] - x[n - 1]);
    z[step] = z[2 * step] + (2 * s1 - s2) * (x[1] - x[2]);
    z[0] = z[step] + (3 * s1 - 2 * s2) * (x[0] - x[1]);
    z[(n + 2) * step] = z[(n + 1) * step] + (2 * t1 - t2) * (x[n + 2] - x[n + 1]);
    z[(n + 3) * step] = z[(n + 2) * step] + (3 * t1 - 2 * t2) * (x[n + 3] - x[n + 2]);
}

/* The weights of the slopes before and after point i of a line, which add up to 1 (Akima 1970). */
static void find_weights(const double *x, const double *z, size_t i, size_t step, double w[2])
{
    double s[4];
    for (size_t k = 0; k < 4; k++)
        s[k] = (z[(i + k - 1) * step] - z[(i + k - 2) * step]) / (x[i + k - 1] - x[i + k - 2]);
    double before = fabs(s[3] - s[2]), behind = fabs(s[1] - s[0]), sum = before + behind;
    w[0] = sum > 0 ? before / sum : 0.5;
    w[1] = 1 - w[0];
}

/* At a point: the value, its derivatives by both arguments, and the mixed one. */
typedef struct corner {
    double z, by_u, by_v, by_both;
} corner;

static corner find_corner(double *const *x, const double *z, size_t i, size_t j, size_t width)
{
    double wu[2], wv[2], slope[3];
    const double *at = z + i * width + j;
    find_weights(x[0], z + j, i, width, wu);
    find_weights(x[1], z + i * width, j, 1, wv);
    double hu[2] = {x[0][i] - x[0][i - 1], x[0][i + 1] - x[0][i]};
    double hv[2] = {x[1][j] - x[1][j - 1], x[1][j + 1] - x[1][j]};
    for (int k = 0; k < 3; k++) { /* by v, of the lines before, at and after the point */
        const double *line = at + (k - 1) * (ptrdiff_t)width;
        slope[k] = wv[0] * (line[0] - line[-1]) / hv[0] + wv[1] * (line[1] - line[0]) / hv[1];
    }
    return (corner){
        .z = at[0],
        .by_u = wu[0] * (at[0] - *(at - width)) / hu[0] + wu[1] * (at[width] - at[0]) / hu[1],
        .by_v = slope[1],
        .by_both = wu[0] * (slope[1] - slope[0]) / hu[0] + wu[1] * (slope[2] - slope[1]) / hu[1]};
}

/* The cubic polynomial with these values and slopes at 0 and h. */
static void hermite(double f, double slope, double g, double end_slope, double h, double *c)
{
    double m = (g - f) / h;
    c[0] = f;
    c[1] = slope;
    c[2] = (3 * m - 2 * slope - end_slope) / h;
    c[3] = (slope + end_slope - 2 * m) / (h * h);
}

/* Polynomials in v of the value and of its derivative by u, along the line of points i, in interval
 * l. Outside of the points a straight line goes on, or the value is held. */
static void along_line(const surface *s, const corner *line, size_t l, bool held, double *z,
                       double *by_u)
{
    size_t n = s->c[1].points;
    const corner *a = &line[l == 0 ? 0 : l - 1];
    for (size_t q = 0; q < CURVE_POWERS; q++) z[q] = by_u[q] = 0;
    if (l > 0 && l < n) {
        double h = s->c[1].x[l] - s->c[1].x[l - 1];
        hermite(a->z, a->by_v, a[1].z, a[1].by_v, h, z);
        hermite(a->by_u, a->by_both, a[1].by_u, a[1].by_both, h, by_u);
        return;
    }
    z[0] = a->z;
    by_u[0] = a->by_u;
    if (!held) z[1] = a->by_v;
    if (!held) by_u[1] = a->by_both;
}

static void set_interval(surface *s, const corner *at, size_t k, size_t l, bool held)
{
    size_t n = s->c[0].points, width = s->c[1].points, place = k * s->intervals[1] + l;
    bool inside = k > 0 && k < n;
    double z[2][CURVE_POWERS], by_u[2][CURVE_POWERS], c[CURVE_POWERS] = {0};
    const corner *line = at + (k == 0 ? 0 : k - 1) * width;
    along_line(s, line, l, held, z[0], by_u[0]);
    if (inside) along_line(s, line + width, l, held, z[1], by_u[1]);
    for (size_t q = 0; q < CURVE_POWERS; q++) {
        c[0] = z[0][q];
        c[1] = held ? 0 : by_u[0][q];
        if (inside)
            hermite(z[0][q], by_u[0][q], z[1][q], by_u[1][q], s->c[0].x[k] - s->c[0].x[k - 1], c);
        for (size_t p = 0; p < CURVE_POWERS; p++) s->factor[p][q][place] = c[p];
    }
}

/* The points and intervals of both arguments, with factors that are 0. */
static void begin(surface *s, arena *a, const size_t *points, double *const *x)
{
    for (int k = 0; k < 2; k++) {
        const double *zero = arena_array(a, points[k], sizeof *zero);
        curve_make(&s->c[k], a, points[k], x[k], zero, CURVE_LINES, CURVE_HELD);
        s->intervals[k] = points[k] + 1;
    }
    for (size_t p = 0; p < CURVE_POWERS; p++)
        for (size_t q = 0; q < CURVE_POWERS; q++)
            s->factor[p][q] = arena_array(a, s->intervals[0] * s->intervals[1], sizeof(double));
}

void surface_make_smooth(surface *s, arena *a, const size_t *points, double *const *x,
                         const double *z, bool held)
{
    size_t width = points[1] + 4;
    double *e[2], *whole = arena_array(a, (points[0] + 4) * width, sizeof *whole);
    corner *at = arena_array(a, points[0] * points[1], sizeof *at);
    for (int k = 0; k < 2; k++) e[k] = extended_points(a, points[k], x[k]);
    for (size_t i = 0; i < points[0]; i++) {
        double *line = whole + (i + 2) * width;
        for (size_t j = 0; j < points[1]; j++) line[j + 2] = z[i * points[1] + j];
        extend_values(points[1], e[1], line, 1);
    }
    for (size_t j = 0; j < width; j++) extend_values(points[0], e[0], whole + j, width);
    for (size_t i = 0; i < points[0]; i++)
        for (size_t j = 0; j < points[1]; j++)
            at[i * points[1] + j] = find_corner(e, whole, i + 2, j + 2, width);
    begin(s, a, points, x);
    for (size_t k = 0; k < s->intervals[0]; k++)
        for (size_t l = 0; l < s->intervals[1]; l++) set_interval(s, at, k, l, held);
}

/* The cell of n points that interval k of n + 1 points means; those beyond an end mean the last
 * one. */
static size_t cell_of(size_t k, size_t n)
{
    return k < 2 ? 0 : k > n - 1 ? n - 2 : k - 1;
}

void surface_make_steps(surface *s, arena *a, const size_t *points, double *const *x,
                        const double *z)
{
    size_t more[2] = {points[0] + 1, points[1] + 1}, width = points[1];
    double *with[2];
    for (int k = 0; k < 2; k++) { /* the last point is an interval of its own: it is inside */
        with[k] = arena_array(a, more[k], sizeof(double));
        for (size_t i = 0; i < points[k]; i++) with[k][i] = x[k][i];
        with[k][points[k]] = nextafter(x[k][points[k] - 1], (double)INFINITY);
    }
    begin(s, a, more, with);
    for (size_t k = 0; k < s->intervals[0]; k++)
        for (size_t l = 0; l < s->intervals[1]; l++) {
            size_t place = k * s->intervals[1] + l;
            if (k > 0 && k <= points[0] && l > 0 && l <= points[1]) {
                s->factor[0][0][place] = z[(k - 1) * width + l - 1];
                continue;
            }
            size_t i = cell_of(k, points[0]), j = cell_of(l, points[1]);
            const double *at = z + i * width + j;
            double hu = x[0][i + 1] - x[0][i], hv = x[1][j + 1] - x[1][j];
            double u = s->c[0].from[k] - x[0][i], v = s->c[1].from[l] - x[1][j];
            double by_u = (at[width] - at[0]) / hu, by_v = (at[1] - at[0]) / hv;
            double both = (at[width + 1] - at[width] - at[1] + at[0]) / (hu * hv);
            s->factor[0][0][place] = at[0] + by_u * u + by_v * v + both * u * v;
            s->factor[1][0][place] = by_u + both * v;
            s->factor[0][1][place] = by_v + both * u;
            s->factor[1][1][place] = both;
        }
}
