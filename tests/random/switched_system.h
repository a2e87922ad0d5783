/* Random switched linear systems whose solution is known.
 *
 * In mode k: x' = A_k x + b_k + h_k sin(omega t). A_k = T_k D_k T_k^-1 with blocks of one
 * eigenvalue, or of a conjugate pair, so that x is a closed form of t within a mode. Instants at
 * which a component reaches a threshold are found on it by bisection, to rounding. Draws whose
 * events depend badly on the state are rejected: slow crossings, thresholds that are nearly
 * touched, sliding.
 *
 * Around x, algebraic variables make a DAE of it: outputs, loops, a cubic equation, or a constraint
 * of index 2. Each row of it is 0, or the derivative of its variable, = m v + constant + wave
 * sin(omega t). A cubic row also has v_i^3 - v_(i-1)^3. */
#ifndef RANDOM_SWITCHED_SYSTEM_H
#define RANDOM_SWITCHED_SYSTEM_H

#include "random/draw.h"

#include <complex.h>
#include <stddef.h>

enum { SW_STATES = 4, SW_MODES = 3, SW_EVENTS = 60, SW_MOST = SW_STATES + 2 };

typedef enum sw_switch {
    SW_TIMES,         /* modes follow each other at given times */
    SW_SAMPLES,       /* they follow each other at each sample */
    SW_THRESHOLD,     /* the mode is on which side of a threshold a component is */
    SW_RESET,         /* states jump where a component reaches a threshold */
    SW_SAMPLED_RESET, /* states jump at each sample */
    SW_RELAY,         /* the mode changes at two thresholds with hysteresis */
    SW_SWITCHES
} sw_switch;

typedef enum sw_shape { SW_ODE, SW_OUTPUTS, SW_LOOP, SW_CUBIC, SW_INDEX2, SW_SHAPES } sw_shape;

extern const char *const sw_switch_names[SW_SWITCHES], *const sw_shape_names[SW_SHAPES];

typedef struct sw_mode {
    int blocks, size[SW_STATES];                                        /* 1 or 2 states each */
    double complex mu[SW_STATES], constant[SW_STATES], wave[SW_STATES]; /* of each block */
    double t[SW_STATES][SW_STATES], inverse[SW_STATES][SW_STATES];
    double a[SW_STATES][SW_STATES], b[SW_STATES], h[SW_STATES];
    double m[SW_MOST][SW_MOST], c[SW_MOST], s[SW_MOST]; /* rows of the DAE */
} sw_mode;

typedef struct sw_system {
    sw_switch by;
    sw_shape shape;
    int n, modes, nx, total; /* states that are drawn; with that of index 2; all variables */
    double t0, t1, omega;
    sw_mode mode[SW_MODES];
    double x0[SW_STATES];
    int first;              /* mode at the start */
    int times;              /* SW_TIMES */
    double time[SW_EVENTS]; /* the mode after time i is (first + i + 1) % modes */
    double period, phase;   /* samples at phase + i period */
    int watched;            /* the component with thresholds */
    double low, high;       /* both the same but for a relay */
    int direction;          /* of a reset: +1 where the component rises */
    double factor[SW_STATES], jump[SW_STATES]; /* x_i = factor_i x_i + jump_i */
    bool toggles;                              /* a reset also takes the next mode */
    double row_c[2][SW_STATES], feedback[SW_STATES][2], loop[2]; /* of algebraic variables */
} sw_system;

/* A piece between two events. */
typedef struct sw_piece {
    int mode;
    double t, x[SW_STATES]; /* where it begins */
    double end, rate;       /* where it ends; of the component that reached its threshold, 0: due */
} sw_piece;

typedef struct sw_path {
    int count;
    sw_piece piece[SW_EVENTS + 1];
    const char *fault; /* NULL: events depend on the state as they should */
} sw_path;

static inline double complex sw_complex(double real, double imaginary)
{
    return real + imaginary * (double complex)I;
}

/* Draws a system; its path has a fault where it is not good for anything. */
void sw_draw(sw_system *s, sw_switch by, draw *d, sw_path *path);

/* The path from piece `from` on, whose state is moved by `off`. */
void sw_follow(const sw_system *s, sw_path *path, int from, const double *off);

/* x (n) in a piece at a time, which may be outside. */
void sw_states(const sw_system *s, const sw_piece *p, double t, double *x);

/* All variables (total). */
void sw_values(const sw_system *s, const sw_piece *p, double t, double *v);

/* The piece at a time; after an event the one that begins. */
const sw_piece *sw_piece_at(const sw_path *path, double t);

/* The first sample after t. */
double sw_next_sample(const sw_system *s, double t);

#endif
