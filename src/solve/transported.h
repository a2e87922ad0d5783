/* A piece of what a flow carries (transports.h), and what it has at a label. */
#ifndef SOLVE_TRANSPORTED_H
#define SOLVE_TRANSPORTED_H

#include "event/past.h"

#include <stdbool.h>

typedef enum transported_end {
    TRANSPORTED_AT_LEFT,
    TRANSPORTED_AT_RIGHT,
    TRANSPORTED_INITIAL /* the content at the start */
} transported_end;

#define TRANSPORTED_NONE UINT64_MAX

typedef struct transported_piece {
    transported_end written;
    double from, to;             /* its labels; while it is written, of one end alone */
    uint64_t first, last;        /* segments of the past in which it was written; last PAST_OPEN: it
                                    still is */
    double value_from, value_to; /* of the content at the start, which is linear */
    double since;                /* what was written before has left */
    unsigned char level_from;    /* the order of the lowest derivative that jumps at `from` */
    bool left;                   /* it has left, */
    uint64_t left_at;            /* at this event */
    uint64_t at_left, at_right;  /* its neighbours; TRANSPORTED_NONE: it has none */
} transported_piece;

/* Ends the piece at the place where this end of the way is. */
void transported_clip(transported_piece *piece, transported_end end, double x);

/* When x of the past, its function `carrier`, had the label at the end at which the piece was
 * written. A label beyond the ends of the piece has a time beyond, if x goes on like that, or else
 * that of the end. */
double transported_time(const past *p, const transported_piece *piece, size_t carrier,
                        double label);

/* The order-th derivative by the label, with the functions carrier - 2 (written at the left) and
 * carrier - 1 (at the right) of the past. *reached: raised to the time, where that is beyond the
 * past; infinite: it is not known. */
double transported_value(const past *p, const transported_piece *piece, size_t carrier,
                         uint32_t order, double label, double *reached);

#endif
