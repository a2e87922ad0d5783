/* What the parts of the judge share: judge.c, judge_miss.c. */
#ifndef SOLVE_JUDGE_PARTS_H
#define SOLVE_JUDGE_PARTS_H

#include "solve/judge.h"

/* A tighter relative tolerance is judged as this one: below, round-off shows. */
#define JUDGE_TIGHTEST 1e-11

/* Within a step no more may be missed, in tolerances. */
#define JUDGE_MOST_WITHIN 30.0

/* Changes by about the tolerance: in one the terms of a row may cancel. */
enum { JUDGE_SAMPLES = 2 };

/* Into j->other_value, j->other_yp. */
void judge_step_aside(judge *j, const engine *e, double tolerances, size_t sample);

/* Raise *worst to the worst row at (t, j->value, j->value_yp), by a scale of so many samples at
 * first. Statuses of the residual. */
dae_status judge_look_at(judge *j, engine *e, double t, size_t samples, judge_miss *worst);

/* The same by all rows together, after the rows by themselves, of which the worst is *rows. */
dae_status judge_look_at_all(judge *j, engine *e, double t, const judge_miss *rows,
                             judge_miss *worst);

#endif
