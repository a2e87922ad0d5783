#include "model/curve.h"

#include <math.h>

/* A part of a curve without jumps: its points, the lengths and slopes between them, and the
 * derivatives at the points. */
typedef struct part {
    size_t points;
    const double *x, *y;
    double *slope; /* points - 1, with two more on either side: slope[-2] ... slope[points] */
    double *rate;  /* points */
} part;

static double length(const part *p, size_t i)
{
    return p->x[i + 1] - p->x[i];
}

/* At each point the slopes before and after it, weighed by how little those beyond them turn (Akima
 * 1970, eq. (1)), and, where modified, by how flat they are. */
static void akima(const part *p, bool modified)
{
    for (size_t i = 0; i < p->points; i++) {
        const double *m = p->slope + i - 2;
        double before = fabs(m[3] - m[2]), after = fabs(m[1] - m[0]);
        if (modified) before += fabs(m[3] + m[2]) / 2, after += fabs(m[1] + m[0]) / 2;
        double sum = before + after;
        p->rate[i] = sum > 0 ? (before * m[1] + after * m[2]) / sum : (m[1] + m[2]) / 2;
    }
}

/* The rate at an inner point of a monotone curve by the slopes and lengths on both sides. */
static double harmonic(double m, double n, double h, double k)
{
    double share = (h + 2 * k) / (3 * (h + k));
    return m * n > 0 ? m * n / (share * n + (1 - share) * m) : 0;
}

/* The rate at an end by the slope m that is next to it, over length h, and the slope n after that:
 * that of the parabola through three points, but no more than a monotone curve has. */
static double at_end(double m, double n, double h, double k)
{
    double rate = m * (1 + h / (h + k)) - n * h / (h + k);
    if (rate * m <= 0) return 0;
    return fabs(rate) > 2 * fabs(m) ? 2 * m : rate;
}

/* The rate at an inner point by a parabola through it and its neighbours, but no more than a
 * monotone curve has (Steffen 1990, eqs. (11) and (26)). */
static double steffen(double m, double n, double h, double k)
{
    double rate = (m * k + n * h) / (h + k), most = 2 * fmin(fabs(m), fabs(n));
    if (!(m * n > 0)) return 0;
    return fabs(rate) > most ? copysign(most, m) : rate;
}

/* A monotone curve that has the slopes of the first and last line at its ends. */
static void by_chords(const part *p, curve_shape shape)
{
    size_t last = p->points - 1;
    for (size_t i = 1; i < last; i++) {
        double m = p->slope[i - 1], n = p->slope[i], h = length(p, i - 1), k = length(p, i);
        p->rate[i] = shape == CURVE_STEFFEN ? steffen(m, n, h, k) : harmonic(m, n, h, k);
    }
    p->rate[0] = p->slope[0];
    p->rate[last] = p->slope[last - 1];
}

static void monotone(const part *p)
{
    size_t last = p->points - 1;
    for (size_t i = 1; i < last; i++) {
        double m = p->slope[i - 1], n = p->slope[i], h = length(p, i - 1), k = length(p, i);
        p->rate[i] = harmonic(m, n, h, k);
    }
    p->rate[0] = at_end(p->slope[0], p->slope[1], length(p, 0), length(p, 1));
    p->rate[last] = at_end(p->slope[last - 1], p->slope[last - 2], length(p, last - 1),
                           length(p, last - 2));
}

/* The derivatives at the points. Beyond the ends slopes go on as on a parabola (Akima 1970). */
static void find_rates(const part *p, curve_shape shape)
{
    double *m = p->slope;
    size_t count = p->points - 1;
    for (size_t i = 0; i < count; i++) m[i] = (p->y[i + 1] - p->y[i]) / length(p, i);
    if (count == 1) {
        p->rate[0] = p->rate[1] = m[0];
        return;
    }
    m[-1] = 2 * m[0] - m[1];
    m[-2] = 2 * m[-1] - m[0];
    m[count] = 2 * m[count - 1] - m[count - 2];
    m[count + 1] = 2 * m[count] - m[count - 1];
    switch (shape) {
    case CURVE_AKIMA:
    case CURVE_MODIFIED_AKIMA: akima(p, shape == CURVE_MODIFIED_AKIMA); break;
    case CURVE_MONOTONE: monotone(p); break;
    default: by_chords(p, shape);
    }
}

/* The polynomial between points i and i + 1 of a part, in interval k. */
static void set_piece(curve *c, const part *p, curve_shape shape, size_t i, size_t k)
{
    double h = length(p, i), m = (p->y[i + 1] - p->y[i]) / h;
    c->c[0][k] = p->y[i];
    if (shape == CURVE_LINES) c->c[1][k] = m;
    if (shape == CURVE_LINES || shape == CURVE_STEPS) return;
    double r = p->rate[i], s = p->rate[i + 1];
    c->c[1][k] = r;
    c->c[2][k] = (3 * m - 2 * r - s) / h;
    c->c[3][k] = (r + s - 2 * m) / (h * h);
}

/* The points of a curve, each once. */
typedef struct knots {
    const double *x;
    const double *before, *after; /* the values on both sides */
    const bool *breaks;           /* the shape ends here, and begins anew */
    double *y;                    /* scratch */
} knots;

/* The part that begins at point `first`; returns its last point. */
static size_t make_part(curve *c, arena *a, const knots *n, curve_shape shape, size_t first)
{
    size_t last = first + 1;
    while (last + 1 < c->points && !n->breaks[last]) last++;
    part p = {.points = last - first + 1, .x = c->x + first, .y = n->y + first};
    n->y[first] = n->after[first];
    for (size_t i = first + 1; i <= last; i++) n->y[i] = n->before[i];
    p.slope = (double *)arena_array(a, p.points + 4, sizeof *p.slope) + 2;
    p.rate = arena_array(a, p.points, sizeof *p.rate);
    if (shape != CURVE_LINES && shape != CURVE_STEPS) find_rates(&p, shape);
    for (size_t i = 0; i + 1 < p.points; i++) set_piece(c, &p, shape, i, first + i + 1);
    return last;
}

/* The slope of interval k at its end; 0: it is empty. */
static double slope_at_end(const curve *c, size_t k)
{
    double h = c->from[k + 1] - c->from[k];
    return c->c[1][k] + h * (2 * c->c[2][k] + h * 3 * c->c[3][k]);
}

/* Takes each point once. */
static knots gather(curve *c, arena *a, size_t points, const double *x, const double *y)
{
    double *before, *after, *scratch;
    bool *breaks = arena_array(a, points, sizeof *breaks);
    arena_vectors(a, points, (double **[]){&c->x, &before, &after, &scratch, NULL});
    for (size_t i = 0; i < points; i++) {
        bool again = i > 0 && x[i] == x[i - 1];
        size_t k = again ? c->points - 1 : c->points++;
        if (!again) before[k] = y[i];
        breaks[k] = again;
        c->x[k] = x[i];
        after[k] = y[i];
    }
    return (knots){c->x, before, after, breaks, scratch};
}

/* The slope of the line through point i and the next one; 0 where there is a jump. */
static double chord(const double *x, const double *y, size_t i)
{
    return x[i + 1] > x[i] ? (y[i + 1] - y[i]) / (x[i + 1] - x[i]) : 0;
}

void curve_make(curve *c, arena *a, size_t points, const double *x, const double *y,
                curve_shape shape, curve_outside outside)
{
    *c = (curve){0};
    knots n = gather(c, a, points, x, y);
    for (size_t p = 0; p < CURVE_POWERS; p++)
        c->c[p] = arena_array(a, c->points + 1, sizeof *c->c[p]);
    size_t last = c->points - 1;
    c->from = arena_array(a, c->points + 2, sizeof *c->from);
    for (size_t k = 0; k <= c->points + 1; k++)
        c->from[k] = c->x[k == 0 ? 0 : k - 1 < last ? k - 1 : last];
    for (size_t next = 0; next < last;) next = make_part(c, a, &n, shape, next);
    c->c[0][0] = n.before[0];
    c->c[0][c->points] = n.after[last];
    if (outside == CURVE_HELD || last == 0) return;
    c->c[1][0] = c->c[1][1];
    c->c[1][c->points] = slope_at_end(c, last);
    if (outside != CURVE_CHORD || (shape != CURVE_LINES && shape != CURVE_STEPS)) return;
    c->c[1][0] = chord(x, y, 0);
    c->c[1][c->points] = chord(x, y, points - 2);
}

void curve_keep_inner(curve *c)
{
    if (c->points < 3) return;
    size_t points = c->points - 2;
    double a = c->c[0][1], b = c->c[1][1], q = c->c[2][1], r = c->c[3][1], h = c->x[1] - c->x[0];
    const double first[CURVE_POWERS] = {a + h * (b + h * (q + h * r)), b + h * (2 * q + h * 3 * r),
                                        q + 3 * h * r, r}; /* about point 1 */
    for (size_t p = 0; p < CURVE_POWERS; p++) {
        c->c[p]++;
        c->c[p][0] = first[p];
    }
    c->x++;
    c->from++;
    c->from[0] = c->from[1];
    c->from[points + 1] = c->from[points];
    c->points = points;
}

void surface_make(surface *s, arena *a, const size_t *points, double *const *x, const double *z,
                  curve_shape shape, curve_outside outside)
{
    curve *row = arena_array(a, points[0], sizeof *row);
    double *through = arena_array(a, points[0], sizeof *through);
    for (size_t i = 0; i < points[0]; i++)
        curve_make(&row[i], a, points[1], x[1], z + i * points[1], shape, outside);
    s->c[1] = row[0];
    for (size_t k = 0; k < 2; k++) s->intervals[k] = points[k] + 1;
    for (size_t q = 0; q < CURVE_POWERS; q++)
        for (size_t l = 0; l < s->intervals[1]; l++) {
            for (size_t i = 0; i < points[0]; i++) through[i] = row[i].c[q][l];
            curve_make(&s->c[0], a, points[0], x[0], through, shape, outside);
            for (size_t p = 0; p < CURVE_POWERS; p++) {
                if (l == 0)
                    s->factor[p][q] = arena_array(a, s->intervals[0] * s->intervals[1],
                                                  sizeof(double));
                for (size_t k = 0; k < s->intervals[0]; k++)
                    s->factor[p][q][k * s->intervals[1] + l] = s->c[0].c[p][k];
            }
        }
}
