/* What switched systems are drawn from. */
#include "random/switched_system.h"

#include <math.h>
#include <string.h>

/* A matrix of condition about 10, as a product of two triangular ones with few bits, and its
 * inverse. */
static void draw_basis(sw_mode *m, int n, draw *d)
{
    double l[SW_STATES][SW_STATES] = {{0}}, u[SW_STATES][SW_STATES] = {{0}};
    for (int i = 0; i < n; i++) {
        l[i][i] = u[i][i] = 1;
        for (int j = 0; j < i; j++) {
            l[i][j] = draw_eighths(d, -0.75, 0.75);
            u[j][i] = draw_eighths(d, -0.75, 0.75);
        }
    }
    for (int c = 0; c < n; c++) { /* the columns of L U and of its inverse */
        double e[SW_STATES] = {0};
        for (int i = 0; i < n; i++) {
            m->t[i][c] = 0;
            for (int k = 0; k < n; k++) m->t[i][c] += l[i][k] * u[k][c];
        }
        e[c] = 1;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < i; k++) e[i] -= l[i][k] * e[k];
        for (int i = n - 1; i >= 0; i--)
            for (int k = i + 1; k < n; k++) e[i] -= u[i][k] * e[k];
        for (int i = 0; i < n; i++) m->inverse[i][c] = e[i];
    }
}

static double draw_rate(draw *d, bool stiff)
{
    if (stiff) return -pow(10, draw_real(d, 1.5, 3.3));
    double rate = draw_chance(d, 0.85) ? draw_eighths(d, -3, -0.25) : draw_eighths(d, 0.125, 0.5);
    return rate == 0 ? -0.25 : rate;
}

static void draw_blocks(sw_mode *m, int n, bool stiff, draw *d)
{
    m->blocks = 0;
    for (int i = 0; i < n;) {
        int k = m->blocks++;
        m->size[k] = i + 1 < n && draw_chance(d, 0.6) ? 2 : 1;
        bool pair = m->size[k] == 2, here = stiff && i + m->size[k] == n;
        double rate = draw_rate(d, here);
        m->mu[k] = pair ? sw_complex(here ? rate : rate / 4, draw_eighths(d, 1, 7))
                        : sw_complex(rate, 0);
        i += m->size[k];
    }
}

/* A = T D T^-1, and b and h by blocks: stiff modes are driven in proportion. */
static void draw_mode(sw_system *s, sw_mode *m, bool stiff, draw *d)
{
    int n = s->n;
    double block[SW_STATES][SW_STATES] = {{0}}, b[SW_STATES], h[SW_STATES];
    draw_basis(m, n, d);
    draw_blocks(m, n, stiff, d);
    for (int k = 0, i = 0; k < m->blocks; i += m->size[k++]) {
        double re = creal(m->mu[k]), im = cimag(m->mu[k]), size = fmax(1, cabs(m->mu[k]));
        block[i][i] = re;
        for (int j = i; j < i + m->size[k]; j++) {
            b[j] = size * draw_eighths(d, -1.5, 1.5);
            h[j] = draw_chance(d, 0.5) ? size * draw_eighths(d, -1, 1) : 0;
        }
        m->constant[k] = b[i], m->wave[k] = h[i];
        if (m->size[k] == 1) continue;
        block[i + 1][i + 1] = re, block[i][i + 1] = -im, block[i + 1][i] = im;
        m->constant[k] = sw_complex(b[i], b[i + 1]), m->wave[k] = sw_complex(h[i], h[i + 1]);
    }
    for (int i = 0; i < n; i++) {
        m->b[i] = m->h[i] = 0;
        for (int j = 0; j < n; j++) {
            m->b[i] += m->t[i][j] * b[j], m->h[i] += m->t[i][j] * h[j];
            m->a[i][j] = 0;
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    m->a[i][j] += m->t[i][k] * block[k][l] * m->inverse[l][j];
        }
    }
}

/* The rows of a mode: states get algebraic variables in exchange for what these consist of. */
static void make_rows(sw_system *s, sw_mode *m, draw *d)
{
    int n = s->n, other = n + 1;
    memset(m->m, 0, sizeof m->m);
    for (int i = 0; i < SW_MOST; i++) m->c[i] = i < n ? m->b[i] : draw_eighths(d, -1, 1);
    for (int i = 0; i < SW_MOST; i++) m->s[i] = i < n ? m->h[i] : draw_eighths(d, -1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) m->m[i][j] = m->a[i][j];
    if (s->shape == SW_ODE) return;
    if (s->shape == SW_INDEX2) { /* s' = row_c[1] x + c + lambda; 0 = row_c[0] x + sin/2 - s */
        for (int j = 0; j < n; j++) m->m[n][j] = s->row_c[1][j], m->m[other][j] = s->row_c[0][j];
        m->m[n][other] = 1, m->s[n] = 0;
        m->m[other][n] = -1, m->c[other] = 0, m->s[other] = 0.5;
        return;
    }
    for (int i = 0; i < n; i++) { /* + feedback (row_c x + c + wave [+ loop w] - v) = 0 */
        for (int k = 0; k < (s->shape == SW_CUBIC ? 1 : 2); k++) {
            double gain = s->feedback[i][k];
            for (int j = 0; j < n; j++) m->m[i][j] -= gain * s->row_c[k][j];
            m->c[i] -= gain * m->c[n + k], m->s[i] -= gain * m->s[n + k];
            m->m[i][s->shape == SW_CUBIC ? other : n + k] += gain;
            if (s->shape == SW_LOOP) m->m[i][n + 1 - k] -= gain * s->loop[k];
        }
    }
    for (int k = 0; k < 2; k++) {
        m->m[n + k][n + k] = -1;
        if (s->shape == SW_CUBIC && k == 1) continue;
        for (int j = 0; j < n; j++) m->m[n + k][j] = s->row_c[k][j];
        if (s->shape == SW_LOOP) m->m[n + k][n + 1 - k] = s->loop[k];
    }
    if (s->shape == SW_CUBIC) { /* 0 = l - u + l^3 - u^3 */
        m->m[other][n] = 1, m->c[other] = 0, m->s[other] = 0;
    }
}

static void draw_shape(sw_system *s, draw *d)
{
    s->shape = draw_chance(d, 0.35) ? SW_ODE : (sw_shape)draw_below(d, SW_SHAPES);
    bool jumps = s->by == SW_RESET || s->by == SW_SAMPLED_RESET;
    if (jumps && s->shape == SW_INDEX2) s->shape = SW_CUBIC; /* what a reset of one of them means */
    s->nx = s->n + (s->shape == SW_INDEX2);
    s->total = s->shape == SW_ODE ? s->n : s->n + 2;
    for (int k = 0; k < 2; k++) {
        s->loop[k] = draw_sign(d) * draw_eighths(d, 0.25, 0.75);
        for (int i = 0; i < s->n; i++) {
            s->row_c[k][i] = draw_eighths(d, -1, 1);
            s->feedback[i][k] = draw_eighths(d, -1, 1);
        }
    }
}

static void draw_switches(sw_system *s, draw *d)
{
    double span = s->t1 - s->t0;
    s->watched = draw_below(d, s->n);
    s->first = draw_below(d, s->modes);
    s->low = s->high = draw_eighths(d, -1, 1);
    if (s->by == SW_RELAY) s->high += draw_eighths(d, 0.25, 1);
    s->direction = draw_sign(d);
    s->toggles = draw_chance(d, 0.5);
    for (int i = 0; i < s->n; i++) {
        s->factor[i] = draw_chance(d, 0.5) ? 1 : draw_eighths(d, -1, 1);
        s->jump[i] = s->factor[i] == 1 ? 0 : draw_eighths(d, -1.5, 1.5);
    }
    s->period = span / draw_between(d, 2, draw_chance(d, 0.3) ? 40 : 8);
    s->period *= draw_real(d, 0.9, 1);
    s->phase = s->t0 + s->period * draw_real(d, 0.2, 1);
    s->times = draw_between(d, 1, 6);
    for (int k = 0; k < s->times; k++)
        s->time[k] = s->t0 + span * (k + draw_real(d, 0.1, 0.9)) / s->times;
}

/* Where a relation on a state decides the mode, it decides that of the start, too. */
static const char *settle_start(sw_system *s)
{
    double off = s->x0[s->watched] - s->high;
    if (fabs(off) < 0.05 || fabs(s->x0[s->watched] - s->low) < 0.05) return "starts at a threshold";
    if (s->by == SW_THRESHOLD) s->first = off > 0;
    if (s->by == SW_RELAY && off > 0) s->first = 1;
    if (s->by == SW_RELAY && s->x0[s->watched] < s->low) s->first = 0;
    return NULL;
}

/* Modes that are alike switch nothing. */
static bool are_alike(const sw_system *s, const sw_mode *a, const sw_mode *b)
{
    size_t used = (size_t)s->total * sizeof(double);
    return memcmp(a->m, b->m, sizeof a->m) == 0 && memcmp(a->c, b->c, used) == 0 &&
           memcmp(a->s, b->s, used) == 0;
}

void sw_draw(sw_system *s, sw_switch by, draw *d, sw_path *path)
{
    static const double starts[] = {0, 0, 0, 1, -3, 64};
    *s = (sw_system){.by = by};
    s->n = draw_between(d, 1, SW_STATES);
    s->modes = draw_between(d, 2, SW_MODES);
    if (s->by == SW_THRESHOLD || s->by == SW_RELAY) s->modes = 2;
    s->t0 = starts[draw_below(d, sizeof starts / sizeof *starts)];
    s->t1 = s->t0 + draw_eighths(d, 1, 5);
    s->omega = draw_eighths(d, 0.5, 5);
    draw_shape(s, d);
    bool stiff = draw_chance(d, 0.15);
    for (int k = 0; k < s->modes; k++) draw_mode(s, &s->mode[k], stiff, d);
    for (int k = 0; k < s->modes; k++) make_rows(s, &s->mode[k], d);
    for (int i = 0; i < s->n; i++) s->x0[i] = draw_eighths(d, -1.5, 1.5);
    draw_switches(s, d);
    const char *fault = settle_start(s);
    if (are_alike(s, &s->mode[0], &s->mode[1])) fault = "modes are alike";
    path->piece[0] = (sw_piece){.mode = s->first, .t = s->t0};
    memcpy(path->piece[0].x, s->x0, sizeof s->x0);
    if (!fault) sw_follow(s, path, 0, NULL), fault = path->fault;
    if (!fault && path->count < 2) fault = "no event";
    path->fault = fault;
}
