/* The past of functions of time, kept along a run as long as it is needed.
 *
 * Each step adds a segment: a polynomial for each function, through its values at Chebyshev points
 * of the step. A segment ends with a mark for each function that has a jump there, of itself or of
 * one of its derivatives: a breaking point (Bellen & Zennaro, Numerical Methods for Delay
 * Differential Equations, 2003, Sec. 2.2). A function is read through a window, the segments
 * between two marks; beyond these, their polynomials are continued. So it has a left and a right
 * limit at a mark. Segments are numbered through a run; old ones are forgotten. */
#ifndef EVENT_PAST_H
#define EVENT_PAST_H

#include "base/state.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PAST_MOST_NODES = 16, /* of a segment's polynomials */
    PAST_SMOOTH = 255     /* level of a function that has no mark at the end of a segment */
};

typedef struct past_segment {
    double t, h;  /* polynomials are those of t to t + h ... */
    double to;    /* ... and hold up to here; from where the segment before ends */
    size_t nodes; /* 1: a constant, from ever on */
} past_segment;

typedef struct past {
    size_t functions;
    uint64_t first; /* number of the oldest segment */
    size_t count, capacity;
    past_segment *segment; /* ring of capacity */
    double *coefficient;   /* capacity x functions x PAST_MOST_NODES: Chebyshev coefficients */
    unsigned char *level;  /* capacity x functions: at the end of a segment, the order of the lowest
                              derivative that jumps there; PAST_SMOOTH: no mark */
    double *behind;        /* functions: values just after the end of the newest segment */
} past;

#define PAST_OPEN UINT64_MAX

/* Through which a function is read: the numbers of the first and the last segment; last
 * PAST_OPEN: no mark follows yet. The first may be the one that the next step adds. */
typedef struct past_window {
    uint64_t first, last;
} past_window;

/* Empties it. Its one segment has these values (functions) up to t, with marks of `level`. */
dae_status past_begin(past *p, size_t functions, double t, const double *value,
                      unsigned char level);

/* Gives that segment other values. */
void past_set_start(past *p, const double *value);

/* The time of node i of `nodes` in a step from t to t + h; the last one is at its end. */
double past_node(size_t i, size_t nodes, double t, double h);

/* Adds a step by its values at the nodes (nodes x functions), 2 <= nodes <= PAST_MOST_NODES.
 * DAE_NO_MEMORY. */
dae_status past_add(past *p, double t, double h, size_t nodes, const double *value);

/* Takes the segments from t on away. The last one that stays ends there. */
void past_drop_from(past *p, double t);

/* How far, at most, the polynomial of function k through such values may be off: by its last
 * coefficients. */
double past_tail(size_t functions, size_t k, size_t nodes, const double *value);

/* Takes the last segment away again. `behind` (functions): p->behind as it was before. */
void past_drop(past *p, const double *behind);

/* Cuts what lies after t, at which an event leaves the last step. The first `count` functions have
 * these values there. */
void past_cut(past *p, double t, const double *value, size_t count);

/* Marks function k at the end of the newest segment. */
void past_mark(past *p, size_t k, unsigned char level);

/* Forgets segments that end before t. */
void past_forget(past *p, double t);

/* A segment that is kept, by its number. */
const past_segment *past_segment_at(const past *p, uint64_t number);

/* Where the newest segment ends. */
double past_end(const past *p);

/* The window of the newest segment. */
past_window past_newest(const past *p);

/* Where a window begins and ends: infinite where it has no end or begins with the past. Its level
 * at its end. */
double past_window_from(const past *p, const past_window *w);
double past_window_to(const past *p, const past_window *w);
unsigned char past_window_level(const past *p, size_t k, const past_window *w);

/* The window after, or before, the one of function k; *w stays where there is none. */
void past_next_window(const past *p, size_t k, past_window *w);
void past_last_window(const past *p, size_t k, past_window *w);

/* A window that was open ends at a mark that has been made since. */
void past_close_window(const past *p, size_t k, past_window *w);

/* The order-th derivative of function k at a time, through a window. */
double past_value(const past *p, size_t k, const past_window *w, size_t order, double at);

void past_state(past *p, state_visit *s);
void past_free(past *p);

#endif
