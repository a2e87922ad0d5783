#include "solve/mechanical_simulation.h"

#include "base/round_off.h"
#include "base/scatter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* STATES: the start and some states beside it, where terms that vanish at the start do not.
 * SAMPLES: changes by the tolerance at each state; in a single one, terms may cancel. */
enum { STATES = 3, SAMPLES = 3 };

/* The round-off of the multipliers that are solved for. The author's may be small differences of
 * these. */

/* The distance of these states from the start, in sizes of coordinates and velocities. */
static const double BESIDE = 0.1;

typedef struct spreading {
    const mechanical_spreading *given;
    size_t nq, n;               /* nq, nq + nv */
    double *here, *beside;      /* nq + nv: a state; beside it, brought back to the constraints */
    double *vp, *lambda;        /* v' and lambda there */
    double *start, *now, *next; /* multipliers at the start, at `here`, at `beside` */
} spreading;

static bool begin(spreading *s)
{
    const mechanical *m = s->given->system;
    size_t multipliers = s->given->multipliers;
    s->nq = m->nq, s->n = m->nq + m->nv;
    s->here = calloc(2 * s->n + m->nv + m->constraints + 3 * multipliers + 1, sizeof *s->here);
    if (!s->here) return false;
    s->beside = s->here + s->n, s->vp = s->beside + s->n, s->lambda = s->vp + m->nv;
    s->start = s->lambda + m->constraints, s->now = s->start + multipliers;
    s->next = s->now + multipliers;
    return true;
}

/* Computes the multipliers at s->beside; `change` perturbs those of the system by a part of
 * themselves. */
static dae_status look(spreading *s, double change, double *multiplier)
{
    const mechanical_spreading *g = s->given;
    double *q = s->beside, *v = q + s->nq;
    dae_status status = mechanical_accelerate(g->system, g->t, q, v, s->vp, s->lambda);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < g->system->constraints; k++)
        s->lambda[k] *= 1 + change * copysign(1, scattered(k));
    const mechanical_point point = {.q = q, .v = v, .vp = s->vp, .lambda = s->lambda};
    if (g->look) return g->look(g->self, g->t, &point, multiplier);
    memcpy(multiplier, s->lambda, g->multipliers * sizeof *multiplier);
    return DAE_OK;
}

static dae_status project(spreading *s)
{
    double *q = s->beside;
    return mechanical_project(s->given->system, s->given->t, q, q + s->nq, false);
}

/* Goes to state `number` and computes the multipliers there. */
static dae_status go_to(spreading *s, size_t number)
{
    const mechanical_point *p = s->given->from;
    size_t seed = (SAMPLES * STATES + number) * s->n;
    double distance = number == 0 ? 0 : BESIDE;
    for (size_t j = 0; j < s->n; j++) {
        double from = j < s->nq ? p->q[j] : p->v[j - s->nq];
        double size = fmax(fabs(from), s->given->nominal[j]);
        s->beside[j] = from + distance * scattered(seed + j) * size;
    }
    dae_status status = number == 0 ? DAE_OK : project(s);
    if (status == DAE_OK) status = look(s, 0, s->now);
    if (status != DAE_OK) return status;
    memcpy(s->here, s->beside, s->n * sizeof *s->here);
    if (number == 0) memcpy(s->start, s->now, s->given->multipliers * sizeof *s->start);
    return DAE_OK;
}

static dae_status step_aside(spreading *s, size_t sample)
{
    const mechanical_spreading *g = s->given;
    for (size_t j = 0; j < s->n; j++) {
        double part = copysign(1, scattered(sample * s->n + j));
        s->beside[j] = s->here[j] + part * (g->rtol * fabs(s->here[j]) + g->atol[j]);
    }
    dae_status status = project(s);
    return status == DAE_OK ? look(s, ROUND_OFF_SUM, s->next) : status;
}

/* Raises `most` to the largest change of a multiplier, in its tolerances at the start. Tolerances
 * beside the start would mislead: where motions leave what a stiff damper allows, the damper makes
 * the multiplier large. */
static void compare(const spreading *s, double *most, size_t *worst)
{
    const mechanical_spreading *g = s->given;
    for (size_t l = 0; l < g->multipliers; l++) {
        double tolerance = g->rtol * fabs(s->start[l]) + g->atol[s->n + l];
        double part = fabs(s->next[l] - s->now[l]) / tolerance;
        if (part > *most) *most = part, *worst = l;
    }
}

double mechanical_spread(const mechanical_spreading *given, size_t *worst)
{
    spreading s = {.given = given};
    double most = 0;
    *worst = 0;
    if (given->system->dependent > 0 || !begin(&s)) return 0;
    for (size_t number = 0; number < STATES; number++) {
        if (go_to(&s, number) != DAE_OK) continue;
        for (size_t i = 0; i < SAMPLES; i++)
            if (step_aside(&s, number * SAMPLES + i) == DAE_OK) compare(&s, &most, worst);
    }
    free(s.here);
    return given->system->dependent > 0 ? 0 : most;
}
