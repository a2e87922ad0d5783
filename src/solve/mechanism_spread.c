/* What tolerances of positions and velocities make of the multipliers that follow from them. */
#include "base/scatter.h"
#include "mechanical/mechanical.h"
#include "solve/mechanism_course.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* States that are looked at, the start and some beside it, where what vanishes at the start does
 * not; and changes by the tolerance at each: in one, terms may cancel. */
enum { STATES = 3, SAMPLES = 3 };

/* How far these states are from the start, in sizes of coordinates and velocities. */
static const double BESIDE = 0.1;

typedef struct spreading {
    model_course *m;
    mechanism_course *k;
    author *from;
    double t;
    double *q0, *v0;       /* n each: a state, */
    double *q, *v;         /* beside it, brought back to the constraints, */
    double *vp, *lambda;   /* n, m: and what follows there */
    double *start, *value; /* the author's variables at the start, at the state */
    double *atol, *inside; /* their absolute tolerances, and those of q and v */
} spreading;

static mechanical_course *inner_of(const spreading *s)
{
    return (mechanical_course *)s->k->inner;
}

static bool begin(spreading *s)
{
    const course *c = &s->m->base;
    const dae_options *o = c->solver.options;
    size_t n = s->k->form->n, m = s->k->form->m;
    double *room = calloc(5 * n + m + 3 * c->n + 1, sizeof *room);
    if (!room) return false;
    s->q0 = room, s->v0 = s->q0 + n, s->q = s->v0 + n, s->v = s->q + n, s->vp = s->v + n;
    s->lambda = s->vp + n, s->start = s->lambda + m, s->value = s->start + c->n;
    s->atol = s->value + c->n;
    for (size_t i = 0; i < c->n; i++) s->atol[i] = o->atols ? o->atols[i] : o->atol * c->nominal[i];
    s->inside = mechanism_course_atols(s->k, s->atol);
    return true;
}

/* The author's variables at (q, v), into c->value. */
static dae_status look(spreading *s)
{
    mechanism_course *k = s->k;
    course *c = &s->m->base;
    dae_status status = mechanical_accelerate(inner_of(s)->system, s->t, s->q, s->v, s->vp,
                                              s->lambda);
    if (status == DAE_OK)
        status = mechanism_reactions_of_author(k->reactions, s->t, s->q, s->lambda, k->lambda);
    if (status != DAE_OK) return status;
    const chart_point point = {.q = s->q, .v = s->v, .vp = s->vp, .lambda = k->lambda};
    mechanism_lift_point(k->lift, &point);
    author_lift(s->from, s->t, k->lift->z, c->value, NULL);
    return DAE_OK;
}

static dae_status project(spreading *s)
{
    return mechanical_project(inner_of(s)->system, s->t, s->q, s->v, false);
}

/* The number-th state, and the author's variables there. */
static dae_status go_to(spreading *s, size_t number)
{
    const chart_point *p = &inner_of(s)->point;
    const double *nominal = s->k->form->nominal;
    size_t n = s->k->form->n, seed = (SAMPLES * STATES + number) * 2 * n;
    double distance = number == 0 ? 0 : BESIDE;
    for (size_t j = 0; j < n; j++) {
        double position = fmax(fabs(p->q[j]), nominal[j]);
        double velocity = fmax(fabs(p->v[j]), nominal[n + j]);
        s->q[j] = p->q[j] + distance * scattered(seed + j) * position;
        s->v[j] = p->v[j] + distance * scattered(seed + n + j) * velocity;
    }
    dae_status status = number == 0 ? DAE_OK : project(s);
    if (status == DAE_OK) status = look(s);
    if (status != DAE_OK) return status;
    memcpy(s->q0, s->q, n * sizeof *s->q0);
    memcpy(s->v0, s->v, n * sizeof *s->v0);
    memcpy(s->value, s->m->base.value, s->m->base.n * sizeof *s->value);
    if (number == 0) memcpy(s->start, s->value, s->m->base.n * sizeof *s->start);
    return DAE_OK;
}

static dae_status step_aside(spreading *s, size_t sample)
{
    double rtol = s->m->base.solver.options->rtol;
    size_t n = s->k->form->n, seed = sample * 2 * n;
    for (size_t j = 0; j < n; j++) {
        double part = copysign(1, scattered(seed + j));
        double other = copysign(1, scattered(seed + n + j));
        s->q[j] = s->q0[j] + part * (rtol * fabs(s->q0[j]) + s->inside[j]);
        s->v[j] = s->v0[j] + other * (rtol * fabs(s->v0[j]) + s->inside[n + j]);
    }
    dae_status status = project(s);
    return status == DAE_OK ? look(s) : status;
}

/* The largest change of a multiplier since s->value, in its tolerances. */
static double largest_change(const spreading *s, size_t *multiplier)
{
    const course *c = &s->m->base;
    double most = 0;
    for (size_t l = 0; l < s->k->form->m; l++) {
        size_t i = s->k->found->multiplier[l];
        double size = fmax(fabs(s->value[i]), fabs(s->start[i]));
        double part = fabs(c->value[i] - s->value[i]);
        part /= c->solver.options->rtol * size + s->atol[i];
        if (part > most) most = part, *multiplier = i;
    }
    return most;
}

/* The worst violation of the author's equations at the state that was gone to last. */
static double missed_equations(const spreading *s)
{
    double worst = 0, *level = calloc(s->from->levels + 1, sizeof *level);
    if (level) author_measure(s->from, s->t, &worst, level);
    free(level);
    return worst;
}

/* Over all states; multipliers of constraints that depend on others are not unique. */
static double find_spread(spreading *s, size_t *multiplier)
{
    double most = 0;
    for (size_t number = 0; number < STATES; number++) {
        if (go_to(s, number) != DAE_OK) continue;
        for (size_t i = 0; i < SAMPLES; i++) {
            size_t worst = 0;
            if (step_aside(s, number * SAMPLES + i) != DAE_OK) continue;
            double here = largest_change(s, &worst);
            if (here > most) most = here, *multiplier = worst;
        }
    }
    return inner_of(s)->system->dependent > 0 ? 0 : most;
}

mechanism_spread mechanism_course_spread(model_course *m, author *from, double t)
{
    spreading s = {.m = m, .k = m->mechanism, .from = from, .t = t};
    mechanism_spread found = {0};
    if (!begin(&s)) return found;
    if (go_to(&s, 0) == DAE_OK) found.missed = missed_equations(&s);
    if (inner_of(&s)->system->dependent == 0) found.spread = find_spread(&s, &found.multiplier);
    free(s.q0);
    return found;
}
