/* Whether the end of a step has to be examined, and the examination. */
#include "solve/judge.h"

#include <math.h>
#include <string.h>

/* A correction has removed what a row missed where it leaves at most this part of it. */
static const double LEFT_OF_ROW = 0.25;

/* Rows that miss by less than this part of a tolerance count as met. The effect of a tolerance on a
 * row was found some steps ago, and may have fallen by decades since. */
static const double ROW_IS_MET = 2e-3;

/* A matrix that has been seen to serve up to some distance from its point serves up to this many
 * times that distance, or within NO_DISTANCE tolerances of the point. Laws steeper than that are
 * steeper than the tolerance by decades. */
static const double FARTHER = 4, NO_DISTANCE = 1e-4;

/* At most so many ends in a row are not examined. */
enum { MOST_UNSEEN = 3 };

/* Whether what is missed of each row, `left` (n), is no more than that part of what its matrix has
 * removed: in this step, or, `earlier`, in any since the matrix was new. */
static bool is_removed(const judge *j, const engine *e, const double *left, bool earlier)
{
    const double *before = e->evidence.before;
    double longer = fmin(1, j->known_step / fabs(e->dense.h));
    for (size_t k = 0; k < j->n; k++) {
        double size = fabs(left[k]), met = ROW_IS_MET * longer * j->known[k];
        double most = earlier ? fmax(fabs(before[k]), j->removed[k]) : fabs(before[k]);
        if (!(size <= LEFT_OF_ROW * most) && !(size <= met)) return false;
    }
    return true;
}

/* Whether the end of the step is no farther from the point of its matrix than this has been seen to
 * serve. */
static bool is_near(const judge *j, const engine *e)
{
    if (!(fabs(e->t - j->matrix_t) <= FARTHER * j->reach_t)) return false;
    for (size_t k = 0; k < j->n; k++) {
        double least = NO_DISTANCE * engine_tolerance(&e->options, k, e->y[k]);
        if (!(fabs(e->y[k] - j->matrix_y[k]) <= FARTHER * j->reach[k] + least)) return false;
    }
    return true;
}

/* The matrix has been seen to serve at the end of the step. */
static void note_seen(judge *j, const engine *e, const double *left)
{
    const double *before = e->evidence.before;
    for (size_t k = 0; k < j->n; k++)
        if (fabs(left[k]) <= LEFT_OF_ROW * fabs(before[k]))
            j->removed[k] = fmax(j->removed[k], fabs(before[k]));
    j->unseen = 0;
    j->reach_t = fmax(j->reach_t, fabs(e->t - j->matrix_t));
    for (size_t k = 0; k < j->n; k++)
        j->reach[k] = fmax(j->reach[k], fabs(e->y[k] - j->matrix_y[k]));
}

/* The matrix of the step is a new one, whose point lies within it. */
static void note_matrix(judge *j, const engine *e)
{
    j->matrix_t = e->t, j->reach_t = 0;
    memcpy(j->matrix_y, e->y, j->n * sizeof *j->matrix_y);
    memset(j->reach, 0, j->n * sizeof *j->reach);
    memset(j->removed, 0, j->n * sizeof *j->removed);
    j->unseen = MOST_UNSEEN;
}

/* Whether the iteration of the step, or that of steps before, tells enough of its end. */
static bool is_seen(judge *j, const engine *e)
{
    const engine_evidence *seen = &e->evidence;
    if (seen->fresh) note_matrix(j, e);
    if (seen->after && is_removed(j, e, seen->after, false)) {
        note_seen(j, e, seen->after);
        return true;
    }
    bool tells = !seen->after || is_removed(j, e, seen->after, true);
    return tells && j->unseen++ < MOST_UNSEEN && is_near(j, e);
}

/* Keeps the effect of a tolerance on each row, and the least of the last two. */
static void keep_scale(judge *j, const engine *e)
{
    double longer = fmin(1, j->known_step / fabs(e->dense.h));
    for (size_t k = 0; k < j->n; k++) j->least[k] = fmin(longer * j->known[k], j->scale[k]);
    memcpy(j->known, j->scale, j->n * sizeof *j->known);
    j->known_step = fabs(e->dense.h);
}

dae_status judge_look_at_end(judge *j, engine *e)
{
    const bool tells = e->evidence.before != NULL, whole = j->points > 0 || judge_suspects(j);
    if (tells && is_seen(j, e) && !whole) return DAE_OK;
    memcpy(j->value, e->y, j->n * sizeof *j->value);
    memcpy(j->value_yp, e->yp, j->n * sizeof *j->value_yp);
    dae_status status = problem_residual(e->problem, e->t, j->value, j->value_yp, j->residual);
    if (status != DAE_OK) return status;
    bool removed = tells && is_removed(j, e, j->residual, false);
    if (removed) note_seen(j, e, j->residual);
    if (removed && !whole) return DAE_OK;
    status = judge_compare(j, e, e->t, j->points > 0 && !tells ? JUDGE_SAMPLES : 1, &j->end);
    if (status != DAE_OK) return status;
    keep_scale(j, e);
    if (removed) return DAE_OK;
    j->unseen = MOST_UNSEEN; /* a matrix that does not serve here is not trusted in the next step */
    return judge_look_at_all(j, e, e->t, &j->end, &j->within);
}
