#include "random/switched_system.h"

#include <math.h>
#include <string.h>

const char *const sw_switch_names[SW_SWITCHES] = {"times", "samples",       "threshold",
                                                  "reset", "sampled-reset", "relay"};
const char *const sw_shape_names[SW_SHAPES] = {"ode", "outputs", "loop", "cubic", "index-2"};

/* Least rate at which a threshold is crossed, least distance where it is not, and least time
 * between events: beyond what tolerances can change. */
static const double LEAST_RATE = 0.25, LEAST_DISTANCE = 0.05, LEAST_TIME = 0.02;

/* --- the closed form --- */

static void multiply(int n, const double m[SW_STATES][SW_STATES], const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) y[i] += m[i][j] * x[j];
    }
}

/* What block k tends to. */
static double complex particular(const sw_mode *m, int k, double omega, double t)
{
    double complex mu = m->mu[k];
    return -m->constant[k] / mu -
           m->wave[k] * (mu * sin(omega * t) + omega * cos(omega * t)) / (mu * mu + omega * omega);
}

void sw_states(const sw_system *s, const sw_piece *p, double t, double *x)
{
    const sw_mode *m = &s->mode[p->mode];
    double z[SW_STATES];
    multiply(s->n, m->inverse, p->x, z);
    for (int k = 0, i = 0; k < m->blocks; i += m->size[k++]) {
        double complex begin = sw_complex(z[i], m->size[k] == 2 ? z[i + 1] : 0);
        double complex end = (begin - particular(m, k, s->omega, p->t)) *
                                 cexp(m->mu[k] * (t - p->t)) +
                             particular(m, k, s->omega, t);
        z[i] = creal(end);
        if (m->size[k] == 2) z[i + 1] = cimag(end);
    }
    multiply(s->n, m->t, z, x);
}

static void slopes(const sw_system *s, int mode, double t, const double *x, double *slope)
{
    const sw_mode *m = &s->mode[mode];
    multiply(s->n, m->a, x, slope);
    for (int i = 0; i < s->n; i++) slope[i] += m->b[i] + m->h[i] * sin(s->omega * t);
}

/* Algebraic variables follow from their rows, from which `sw_draw` has made them:
 * outputs: v = row_c x + c;  loop: v = row_c x + loop w + c, the same with v and w exchanged;
 * cubic: u = l = row_c x + c;  index 2: s = row_c x + sin/2, lambda from s'. */
void sw_values(const sw_system *s, const sw_piece *p, double t, double *v)
{
    const sw_mode *m = &s->mode[p->mode];
    double slope[SW_STATES], own[2] = {0, 0};
    int n = s->n;
    sw_states(s, p, t, v);
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < n; j++) own[k] += s->row_c[k][j] * v[j];
    if (s->shape == SW_OUTPUTS || s->shape == SW_LOOP) {
        double a = s->shape == SW_LOOP ? s->loop[0] : 0, b = s->shape == SW_LOOP ? s->loop[1] : 0;
        own[0] += m->c[n] + m->s[n] * sin(s->omega * t);
        own[1] += m->c[n + 1] + m->s[n + 1] * sin(s->omega * t);
        v[n] = (own[0] + a * own[1]) / (1 - a * b);
        v[n + 1] = own[1] + b * v[n];
    } else if (s->shape == SW_CUBIC) {
        v[n] = v[n + 1] = own[0] + m->c[n] + m->s[n] * sin(s->omega * t);
    } else if (s->shape == SW_INDEX2) {
        slopes(s, p->mode, t, v, slope);
        v[n] = own[0] + sin(s->omega * t) / 2;
        v[n + 1] = s->omega * cos(s->omega * t) / 2 - own[1] - m->c[n];
        for (int j = 0; j < n; j++) v[n + 1] += s->row_c[0][j] * slope[j];
    }
}

/* --- the path --- */

double sw_next_sample(const sw_system *s, double t)
{
    double k = fmax(floor((t - s->phase) / s->period) - 1, 0);
    while (s->phase + k * s->period <= t + 1e-9) k++;
    return s->phase + k * s->period;
}

static double next_due(const sw_system *s, double t)
{
    if (s->by == SW_SAMPLES || s->by == SW_SAMPLED_RESET) return sw_next_sample(s, t);
    for (int k = 0; s->by == SW_TIMES && k < s->times; k++)
        if (s->time[k] > t) return s->time[k];
    return (double)INFINITY;
}

static bool by_state(const sw_system *s)
{
    return s->by == SW_THRESHOLD || s->by == SW_RESET || s->by == SW_RELAY;
}

static double above(const sw_system *s, const sw_piece *p, double t, double threshold)
{
    double x[SW_STATES];
    sw_states(s, p, t, x);
    return x[s->watched] - threshold;
}

/* The threshold that ends a piece: a relay waits for the one that it has not met. */
static double threshold_of(const sw_system *s, int mode)
{
    return s->by == SW_RELAY && mode == 1 ? s->low : s->high;
}

static bool ends_piece(const sw_system *s, int mode, int rising)
{
    if (s->by == SW_RESET) return rising == s->direction;
    if (s->by == SW_RELAY) return rising == (mode == 0 ? 1 : -1);
    return true;
}

static double bisect(const sw_system *s, const sw_piece *p, double low, double high, double h)
{
    bool sign = above(s, p, low, h) > 0;
    for (int k = 0; k < 200; k++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        if ((above(s, p, middle, h) > 0) == sign)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Looks along a piece for the first crossing before `stop`; each threshold is either crossed at a
 * rate or kept at a distance. */
static double find_crossing(const sw_system *s, const sw_piece *p, double stop, const char **fault)
{
    double h = threshold_of(s, p->mode), step = 1e-6, t = p->t;
    double before = (double)NAN, last = above(s, p, t, h);
    while (t < stop) {
        double next = fmin(t + step, stop), value = above(s, p, next, h);
        step = fmin(1.3 * step, 0.01);
        if (fabs(last) < LEAST_DISTANCE && fabs(last) < fabs(before) && fabs(last) < fabs(value) &&
            before * last > 0 && last * value > 0)
            *fault = "nearly touched";
        if ((last > 0) != (value > 0)) {
            double at = bisect(s, p, t, next, h);
            if (t == p->t && at < p->t + 1e-9) {
                /* the crossing with which the piece began */
            } else if (ends_piece(s, p->mode, value > 0 ? 1 : -1)) {
                return at;
            }
        }
        before = last, last = value, t = next;
    }
    if (fabs(last) < LEAST_DISTANCE / 5) *fault = "near a threshold at the end";
    return (double)INFINITY;
}

/* The mode and the state after the event at the end of a piece. */
static void enter_next(const sw_system *s, const sw_piece *p, sw_piece *next)
{
    *next = (sw_piece){.mode = p->mode, .t = p->end};
    sw_states(s, p, p->end, next->x);
    bool jumps = s->by == SW_RESET || s->by == SW_SAMPLED_RESET;
    if (!jumps || s->toggles) next->mode = (p->mode + 1) % s->modes;
    for (int i = 0; jumps && i < s->n; i++) next->x[i] = s->factor[i] * next->x[i] + s->jump[i];
}

/* Whether the state after a crossing goes on away from the threshold, or is at a distance. */
static const char *check_crossing(const sw_system *s, sw_piece *p, const sw_piece *next)
{
    double x[SW_STATES], slope[SW_STATES], behind[SW_STATES], h = threshold_of(s, p->mode);
    sw_states(s, p, p->end, x);
    slopes(s, p->mode, p->end, x, slope);
    slopes(s, next->mode, p->end, next->x, behind);
    p->rate = slope[s->watched];
    if (fabs(p->rate) < LEAST_RATE) return "slow crossing";
    if (s->by == SW_RELAY) return NULL;
    bool stays = fabs(next->x[s->watched] - x[s->watched]) < 1e-12;
    if (!stays) return fabs(next->x[s->watched] - h) < LEAST_DISTANCE ? "near after" : NULL;
    if (behind[s->watched] * p->rate <= 0) return "slides";
    return fabs(behind[s->watched]) < LEAST_RATE ? "slow after" : NULL;
}

void sw_follow(const sw_system *s, sw_path *path, int from, const double *off)
{
    path->count = from + 1;
    path->fault = NULL;
    for (int i = 0; off && i < s->n; i++) path->piece[from].x[i] += off[i];
    for (int k = from;; k++) {
        sw_piece *p = &path->piece[k];
        p->end = fmin(next_due(s, p->t), s->t1);
        p->rate = 0;
        double crossing = (double)INFINITY;
        if (by_state(s)) crossing = find_crossing(s, p, p->end, &path->fault);
        bool found = crossing < p->end;
        if (found) p->end = crossing;
        if (p->end - p->t < LEAST_TIME) path->fault = "too close";
        if (p->end >= s->t1) return;
        if (k == SW_EVENTS) path->fault = "too many events";
        if (path->fault) return;
        enter_next(s, p, &path->piece[k + 1]);
        if (found) path->fault = check_crossing(s, p, &path->piece[k + 1]);
        path->count = k + 2;
        for (int i = 0; i < s->n; i++)
            if (fabs(path->piece[k + 1].x[i]) > 20) path->fault = "large";
        if (path->fault) return;
    }
}

const sw_piece *sw_piece_at(const sw_path *path, double t)
{
    int k = 0;
    while (k + 1 < path->count && path->piece[k + 1].t <= t) k++;
    return &path->piece[k];
}
