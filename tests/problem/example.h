/* One problem of a C program for several tests: M y' = f(t, y), its callbacks and its formulas. */
#ifndef TESTS_PROBLEM_EXAMPLE_H
#define TESTS_PROBLEM_EXAMPLE_H

#include <daedal/forms.h>
#include <math.h>
#include <string.h>

enum { N = 4, BAND = 3 };

/* M y' = f(t, y) with a tridiagonal M whose last row is empty:
 * f = (y2^2 - y1 + sin t, y1 y2 - y3, y2 - y3^3 + t y4, y3 + y4^2 - 1). */
static const double MASS[N][N] = {{2, 1, 0, 0}, {1, 3, 0, 0}, {0, 0.5, 4, 0}, {0, 0, 0, 0}};

typedef struct author {
    dae_layout layout;
    int answer;   /* of the callback that is asked to refuse */
    bool varying; /* M(t, y): its first entry is 2 + y1^2 + y2 ... */
    bool says;    /* ... and its author says how M y' depends on y */
    bool wrong;   /* the Jacobian has a wrong sign in its third row */
    bool no_number;
    size_t calls;
} author;

static inline int f_of(double t, const double *y, double *f, void *user)
{
    author *a = user;
    a->calls++;
    f[0] = y[1] * y[1] - y[0] + sin(t);
    f[1] = y[0] * y[1] - y[2];
    f[2] = y[1] - y[2] * y[2] * y[2] + t * y[3];
    f[3] = a->no_number ? (double)NAN : y[2] + y[3] * y[3] - 1;
    return a->answer;
}

static inline void slopes(double t, const double *y, double j[N][N])
{
    const double s[N][N] = {{-1, 2 * y[1], 0, 0},
                            {y[1], y[0], -1, 0},
                            {0, 1, -3 * y[2] * y[2], t},
                            {0, 0, 1, 2 * y[3]}};
    memcpy(j, s, sizeof s);
}

static inline void masses(const author *a, const double *y, double m[N][N])
{
    memcpy(m, MASS, sizeof MASS);
    if (a->varying) m[0][0] = 2 + y[0] * y[0] + y[1];
}

static inline size_t place(dae_layout layout, size_t i, size_t j)
{
    switch (layout) {
    case DAE_DENSE: return j * N + i;
    case DAE_BANDED: return j * BAND + 1 + i - j;
    default: return j ? 2 + (j - 1) * 3 + i - (j - 1) : i; /* columns of 2, 3, 3, 2 */
    }
}

static inline void put(const author *a, double m[N][N], double sign, double *value)
{
    for (size_t j = 0; j < N; j++)
        for (size_t i = j ? j - 1 : 0; i < N && i <= j + 1; i++)
            value[place(a->layout, i, j)] = sign * m[i][j];
}

static inline int f_y_of(double t, const double *y, double *dy, void *user)
{
    const author *a = user;
    double s[N][N];
    slopes(t, y, s);
    if (a->wrong) s[2][2] = -s[2][2];
    if (a->no_number) s[1][0] = HUGE_VAL;
    put(a, s, 1, dy);
    return a->answer;
}

static inline int f_t_of(double t, const double *y, double *dt, void *user)
{
    (void)user;
    dt[0] = cos(t), dt[1] = 0, dt[2] = y[3], dt[3] = 0;
    return 0;
}

static inline int mass_of(double t, const double *y, double *m, void *user)
{
    double whole[N][N];
    (void)t;
    masses(user, y, whole);
    put(user, whole, 1, m);
    return ((author *)user)->answer;
}

static inline int mass_y_of(double t, const double *y, const double *w, double *dy, void *user)
{
    const author *a = user;
    double s[N][N] = {{2 * y[0] * w[0], w[0], 0, 0}};
    (void)t;
    if (a->wrong) s[0][1] = -s[0][1];
    put(a, s, 1, dy);
    return a->answer;
}

static inline int residual_of(double t, const double *y, const double *yp, double *r, void *user)
{
    double m[N][N];
    int answer = f_of(t, y, r, user);
    masses(user, y, m);
    for (size_t i = 0; i < N; i++) {
        r[i] = -r[i];
        for (size_t j = 0; j < N; j++) r[i] += m[i][j] * yp[j];
    }
    return answer;
}

static inline int jacobian_of(double t, const double *y, const double *yp, double *dy, double *dyp,
                              void *user)
{
    author *a = user;
    double s[N][N], m[N][N];
    slopes(t, y, s);
    if (a->wrong) s[2][2] = -s[2][2];
    masses(a, y, m);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) s[i][j] = -s[i][j];
    if (a->varying) s[0][0] += 2 * y[0] * yp[0], s[0][1] += yp[0];
    put(a, s, 1, dy);
    put(a, m, 1, dyp);
    return a->answer;
}

static const size_t STARTS[] = {0, 2, 5, 8, 10}, ROWS[] = {0, 1, 0, 1, 2, 1, 2, 3, 2, 3};

static inline dae_pattern pattern_of(dae_layout layout)
{
    return (dae_pattern){.layout = layout, .lower = 1, .upper = 1, .start = STARTS, .row = ROWS};
}

#endif
