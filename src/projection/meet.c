#include "projection/meet.h"

#include "base/round_off.h"
#include "base/scatter.h"
#include "nonlinear/corrections.h"
#include "problem/levels.h"

#include <math.h>
#include <string.h>

/* STAGNATION: corrections below this that no longer shrink are round-off, amplified by the matrix.
 * CHANGED: at a rate of convergence above this, the level has changed the Jacobians of the other
 * levels. */
static const double STAGNATION = 1e-7, CHANGED = 0.02;

/* Far from the level, each correction approaches an exponential by one unit of its argument. The
 * Jacobian is renewed after a slow correction, and after a large first one. A correction diverges
 * if it is larger than all that it corrects and more than ten times the last one: the distant point
 * to which it leads may look as if the iteration had converged. */
static const correction_rules SIMPLIFIED = {.most = 60,
                                            .slow = 0.2,
                                            .far = 1e-3,
                                            .round_off = ROUND_OFF_VALUE,
                                            .nearly = STAGNATION,
                                            .falls = 0.5,
                                            .diverges = 10};

/* Within this distance of the level, the other rules converge in one or two corrections. */
static const double NEAR = 1e-7;

void meeting_make(meeting *m, arena *a, size_t size, size_t rows)
{
    arena_vectors(a, size, (double **const[]){&m->rounded, &m->base, &m->step, &m->from, NULL});
    arena_vectors(a, rows, (double **const[]){&m->exact, &m->above, &m->terms, NULL});
}

dae_status meeting_look(meeting *m, size_t k, double t, const double *z)
{
    const constraint_levels *l = m->d->levels;
    m->failed = k;
    return l->form->value(l->self, k, t, z, m->d->work[k].residual);
}

double meeting_missed(meeting *m, size_t k, const double *z, size_t *row)
{
    const constraint_level *level = &m->d->levels->level[k];
    const level_work *w = &m->d->work[k];
    miss_level_terms(level, w->value, z, m->d->levels->nominal, m->terms);
    return miss_largest(level->rows, w->residual, m->terms, row);
}

static const constraint_level *level_of(const meeting *m)
{
    return &m->d->levels->level[m->level];
}

static dae_status renew(void *self)
{
    meeting *m = self;
    m->failed = m->d->levels->count;
    dae_status status = directions_linearize(m->d, m->t, m->z);
    if (status != DAE_OK) return status;
    m->failed = m->level;
    return directions_factor(m->d, m->level, m->z);
}

static dae_status find(void *self, double *size)
{
    meeting *m = self;
    double met = m->d->levels->met;
    dae_status status = meeting_look(m, m->level, m->t, m->z);
    if (status != DAE_OK) return status;
    *size = 0;
    if (met > 0 && meeting_missed(m, m->level, m->z, NULL) <= met)
        memset(m->d->work[m->level].change, 0, level_of(m)->columns * sizeof(double));
    else
        *size = directions_correct(m->d, m->level);
    return DAE_OK;
}

static dae_status add(void *self, double part, double size)
{
    meeting *m = self;
    (void)part, (void)size;
    directions_apply(m->d, m->level, m->z);
    return DAE_OK;
}

/* The same, where shorter parts of the correction may follow. */
static dae_status add_part(void *self, double part, double size)
{
    meeting *m = self;
    const constraint_level *level = level_of(m);
    (void)size;
    if (part == 1) {
        memcpy(m->base, m->z, m->d->levels->size * sizeof *m->z);
        memcpy(m->step, m->d->work[m->level].change, level->columns * sizeof *m->step);
    }
    for (size_t j = 0; j < level->columns; j++)
        m->z[level->column[j]] = m->base[level->column[j]] + part * m->step[j];
    return DAE_OK;
}

static double strays(void *self, double part)
{
    meeting *m = self;
    const level_work *w = &m->d->work[m->level];
    double most = 0;
    for (size_t j = 0; j < level_of(m)->columns; j++)
        most = fmax(most, fabs(w->change[j] - (1 - part) * m->step[j]) / w->scale[j]);
    return most;
}

/* The level's residual at this distance to one side of z. */
static dae_status look_beside(meeting *m, double distance, size_t probe)
{
    const constraint_levels *l = m->d->levels;
    size_t next = probe * (l->size + 1);
    for (size_t j = 0; j < l->size; j++)
        m->rounded[j] = m->z[j] +
                        distance * scattered(next + j) * fmax(fabs(m->z[j]), l->nominal[j]);
    return meeting_look(m, m->level, m->t, m->rounded);
}

/* The largest correction caused by rounding within the level's equations, for example where terms
 * of 1e6 cancel. Second differences over short distances show it. If the equations are curved over
 * these distances, like a logarithm near 0, the differences grow with the square of the distance
 * and do not show rounding. */
static double rounding_within(meeting *m)
{
    static const double DISTANCE[] = {0x1p-27, 0x1p-25, 0x1p-23, 0x1p-21}, BENDS = 64;
    enum { PROBES = sizeof DISTANCE / sizeof *DISTANCE };
    size_t rows = level_of(m)->rows;
    double *residual = m->d->work[m->level].residual, most = 0, first = 0;
    for (size_t probe = 0; probe < PROBES; probe++) {
        if (look_beside(m, DISTANCE[probe], probe) != DAE_OK) return 0;
        memcpy(m->above, residual, rows * sizeof *residual);
        if (look_beside(m, -DISTANCE[probe], probe) != DAE_OK) return 0;
        for (size_t i = 0; i < rows; i++)
            residual[i] = (residual[i] + m->above[i] - 2 * m->exact[i]) / 2;
        most = fmax(most, directions_correct(m->d, m->level));
        if (probe == 0) first = most;
    }
    return most > BENDS * first ? 0 : most;
}

/* Whether a correction is no longer than the effect of rounding all values and the time. Among
 * stiff equations, or units far apart, that is far above the round-off of the corrected values. The
 * level's residual and change are overwritten. */
static bool is_round_off(void *self, double size)
{
    enum { PROBES = 3 };
    meeting *m = self;
    size_t all = m->d->levels->size, rows = level_of(m)->rows;
    double *residual = m->d->work[m->level].residual, most = 0;
    if (meeting_look(m, m->level, m->t, m->z) != DAE_OK) return false;
    memcpy(m->exact, residual, rows * sizeof *residual);
    for (size_t probe = 0; probe < PROBES; probe++) {
        size_t next = probe * (all + 1);
        for (size_t j = 0; j < all; j++)
            m->rounded[j] = m->z[j] * (1 + ROUND_OFF_VALUE * scattered(next + j));
        double moved = m->t * (1 + ROUND_OFF_VALUE * scattered(next + all));
        if (meeting_look(m, m->level, moved, m->rounded) != DAE_OK) return false;
        for (size_t i = 0; i < rows; i++) residual[i] -= m->exact[i];
        most = fmax(most, directions_correct(m->d, m->level));
    }
    bool last = m->d->work[m->level].square != NULL;
    if (last) most = fmax(most, rounding_within(m));
    return size <=
           fmin(MEETING_MARGIN * most, last ? MEETING_LARGEST_OF_LAST : MEETING_LARGEST_ROUND_OFF);
}

/* If corrections shrank slowly, the Jacobian has changed on the way, and so have those of the later
 * levels: renew them. */
static dae_status leave(meeting *m, double slowest)
{
    if (slowest <= CHANGED || m->level + 1 >= m->d->levels->count) return DAE_OK;
    dae_status status = renew(m);
    return status == DAE_STOPPED ? status : DAE_OK;
}

static dae_status run(meeting *m, bool damped, const correction_rules *rules)
{
    const correction_ops ops = {.renew = renew,
                                .find = find,
                                .move = damped ? add_part : add,
                                .is_round_off = is_round_off,
                                .strays = strays};
    correction_course course;
    dae_status status = corrections_run(&ops, m, rules, &course);
    m->count = course.count;
    if (status == DAE_OK && !damped) return leave(m, course.slowest);
    return status == DAE_NEWTON ? DAE_CONSTRAINT : status;
}

dae_status meeting_level(meeting *m, size_t k, double t, double *z)
{
    m->failed = m->level = k, m->t = t, m->z = z;
    dae_status status = directions_factor(m->d, k, z);
    return status == DAE_OK ? run(m, false, &SIMPLIFIED) : status;
}

dae_status meeting_from_afar(meeting *m, size_t k, double t, double *z, int most)
{
    const correction_rules rules = {.most = most, .fresh = most, .near = NEAR};
    size_t bytes = m->d->levels->size * sizeof *z;
    memcpy(m->from, z, bytes);
    dae_status status = meeting_level(m, k, t, z);
    if (status == DAE_OK || status == DAE_STOPPED) return status;
    memcpy(z, m->from, bytes);
    if (run(m, true, &rules) == DAE_OK && meeting_level(m, k, t, z) == DAE_OK) return DAE_OK;
    memcpy(z, m->from, bytes);
    return meeting_level(m, k, t, z); /* a failure is reported of this attempt */
}

dae_status meeting_by_flow(meeting *m, size_t k, double t, double *z)
{
    enum { MOST = 100 };
    static const double CLOSE = 0.25;
    const correction_rules rules = {.most = MOST, .fresh = MOST, .near = NEAR, .close = CLOSE};
    m->failed = m->level = k, m->t = t, m->z = z;
    dae_status status = run(m, true, &rules);
    return status == DAE_OK ? meeting_level(m, k, t, z) : status;
}
