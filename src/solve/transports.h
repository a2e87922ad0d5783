/* What flows carry between two ends: spatialDistribution() (Modelica 3.6, Sec. 3.7.4.2), by the
 * method of characteristics.
 *
 * z_t + x' z_y = 0 for 0 <= y <= 1 keeps z along y - x, its label. So at a time the content has the
 * labels from -x at the left end to 1 - x at the right one. The end at which the flow enters writes
 * it: in0(s) at -x(s), or in1(s) at 1 - x(s). Nothing is sampled: a piece of content says at which
 * end and in which steps it was written, and the value at a label is that of the kept past of the
 * input at the time s at which the past of x had that label. So content is as accurate as the
 * dense output, whatever the speed is, and moves to and fro without a loss.
 *
 * Pieces end where the input or x has a breaking point, and where the flow turns. As these come to
 * the end at which the flow leaves, a root function makes an event of it. */
#ifndef SOLVE_TRANSPORTS_H
#define SOLVE_TRANSPORTS_H

#include "event/past.h"
#include "symbolic/system.h"

typedef struct transports transports;

/* For the transports of a system, in its arena, under its protection; NULL: there is none.
 * `keeps_all`: nothing is forgotten. */
transports *transports_create(const sym_system *system, const past *kept, bool keeps_all);

/* Begins with the content at the start, and the values of delays and their lags (delay.count).
 * DAE_NO_MEMORY. */
dae_status transports_begin(transports *t, const double *value, const double *lag,
                            past_window *window);

/* The order-th derivative by its label of what delay k reads, through a window whose first is the
 * number of a piece. *reached: the latest time that this has asked for beyond the past; infinite:
 * it is not known. */
double transports_value(const transports *t, uint32_t k, const past_window *w, uint32_t order,
                        double label, double *reached);

/* Positive until the piece that delay k reads has left. */
double transports_root(const transports *t, size_t k, const past_window *w, double label);

/* Leaves pieces that have passed the end, where delay k reads; always the first one if `crossed`.
 * Returns the order of the lowest derivative that jumps between them, PAST_SMOOTH: none has. */
unsigned char transports_follow(transports *t, size_t k, past_window *w, double label,
                                bool crossed);

/* At an event, with what delays have just after it: begins new pieces where delays have breaking
 * points (level, delay.count; PAST_SMOOTH: none), and where flows turn. DAE_NO_MEMORY. */
dae_status transports_mark(transports *t, const double *value, const double *lag,
                           const unsigned char *level, past_window *window);

/* After the step from `begin` on has been added to the past: what has left before it is forgotten.
 * Returns from when on the past is needed. */
double transports_add(transports *t, double begin);

/* The delay whose x moved in the last step against its direction, by how far; NULL: none did. */
const sym_delay *transports_find_backward(const transports *t, double *by);

/* A delay whose x differs from an earlier value by more than rounding; NULL: none does. */
const sym_delay *transports_find_jump(const transports *t, const double *before,
                                      const double *after);

/* Whether delay k, or the carrier of it, reads what is still being written; the window of that. */
bool transports_reads_open(const transports *t, size_t k, past_window *w);

void transports_state(transports *t, state_visit *s);
void transports_free(transports *t);

#endif
