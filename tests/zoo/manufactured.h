/* Problems made for a solution: M y' = M y_e' + phi(t, y) - phi(t, y_e), solved by y_e(speed t). */
#ifndef TESTS_ZOO_MANUFACTURED_H
#define TESTS_ZOO_MANUFACTURED_H

#include "zoo/entry.h"

enum { MANUFACTURED_MOST = 5 };

typedef struct manufactured {
    size_t n;
    double speed;
    const double *mass;                                          /* n x n, by columns */
    void (*exact)(double s, double *y, double *yp, double *ypp); /* derivatives by s = speed t */
    void (*phi)(double t, const double *y, double *f);
    void (*phi_y)(double t, const double *y, double *j); /* n x n, by columns, zeroed before */
    void (*phi_t)(double t, const double *y, double *f);
} manufactured;

/* The solution and its first derivative. */
void manufactured_exact(const manufactured *m, double t, double *y, double *yp);

/* Callbacks of the mass form; `user` is the problem. */
int manufactured_f(double t, const double *y, double *f, void *user);
int manufactured_f_y(double t, const double *y, double *dy, void *user);
int manufactured_f_t(double t, const double *y, double *dt, void *user);

/* The form M y' = f of a problem, with a constant M and the index of each unknown. */
#define MANUFACTURED_MASS(size, matrix, indices, problem)           \
    {                                                               \
        .kind = ZOO_MASS, .as.mass = {                              \
            .n = size,                                              \
            .f = manufactured_f,                                    \
            .f_y = manufactured_f_y,                                \
            .f_t = manufactured_f_t,                                \
            .constant_mass = matrix,                                \
            .about = {.index = indices, .user = (void *)&(problem)} \
        }                                                           \
    }

/* Callbacks of the residual form. */
int manufactured_residual(double t, const double *y, const double *yp, double *r, void *user);
int manufactured_jacobian(double t, const double *y, const double *yp, double *dy, double *dyp,
                          void *user);
int manufactured_slope(double t, const double *y, const double *yp, double *dt, void *user);

#endif
