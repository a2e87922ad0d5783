/* What the parts of the judge share: judge.c, judge_miss.c. */
#ifndef SOLVE_JUDGE_PARTS_H
#define SOLVE_JUDGE_PARTS_H

#include "solve/judge.h"

/* Tighter relative tolerances are judged as this one, because round-off shows below it. */
#define JUDGE_TIGHTEST 1e-11

/* The largest allowed miss within a step, in tolerances. */
#define JUDGE_MOST_WITHIN 30.0

/* The number of sample changes by about the tolerance. In a single one, the terms of a row may
 * cancel. */
enum { JUDGE_SAMPLES = 2 };

/* Makes a point beside the one under examination, into j->other_value and j->other_yp. */
void judge_step_aside(judge *j, const engine *e, double tolerances, size_t sample);

/* Raises *worst to the worst row at (t, j->value, j->value_yp), by a scale of `samples` sample
 * changes at first. Statuses of the residual. */
dae_status judge_look_at(judge *j, engine *e, double t, size_t samples, judge_miss *worst);

/* The same by all rows together, after each row by itself; *rows is the worst of those. */
dae_status judge_look_at_all(judge *j, engine *e, double t, const judge_miss *rows,
                             judge_miss *worst);

#endif
