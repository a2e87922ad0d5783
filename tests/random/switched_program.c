#include "random/switched_forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Row i of the mode of a program. */
static double row(const sw_program *p, int i, double t, const double *v)
{
    const sw_system *s = p->s;
    const sw_mode *m = &s->mode[p->mode];
    double sum = m->c[i] + m->s[i] * sin(s->omega * t);
    for (int j = 0; j < s->total; j++) sum += m->m[i][j] * v[j];
    if (s->shape == SW_CUBIC && i == s->total - 1)
        sum += v[i - 1] * v[i - 1] * v[i - 1] - v[i] * v[i] * v[i];
    return sum;
}

static int states(double t, const double *y, double *f, void *user)
{
    const sw_program *p = user;
    for (int i = 0; i < p->s->n; i++) f[i] = row(p, i, t, y);
    return 0;
}

static void join(const sw_system *s, const double *x, const double *z, double *v)
{
    memcpy(v, x, (size_t)s->nx * sizeof *v);
    memcpy(v + s->nx, z, (size_t)(s->total - s->nx) * sizeof *v);
}

static int differential(double t, const double *x, const double *z, double *f, void *user)
{
    const sw_program *p = user;
    double v[SW_MOST];
    join(p->s, x, z, v);
    for (int i = 0; i < p->s->nx; i++) f[i] = row(p, i, t, v);
    return 0;
}

static int algebraic(double t, const double *x, const double *z, double *g, void *user)
{
    const sw_program *p = user;
    double v[SW_MOST];
    join(p->s, x, z, v);
    for (int i = p->s->nx; i < p->s->total; i++) g[i - p->s->nx] = row(p, i, t, v);
    return 0;
}

static int thresholds(double t, const double *y, const double *yp, double *g, void *user)
{
    const sw_program *p = user;
    (void)t, (void)yp;
    g[0] = y[p->s->watched] - p->s->high;
    if (p->s->by == SW_RELAY) g[1] = y[p->s->watched] - p->s->low;
    return 0;
}

static double next_event(double t, void *user)
{
    const sw_program *p = user;
    const sw_system *s = p->s;
    if (s->by != SW_TIMES) return sw_next_sample(s, t);
    for (int k = 0; k < s->times; k++)
        if (s->time[k] > t) return s->time[k];
    return (double)INFINITY;
}

static int switch_mode(dae_event *e, void *user)
{
    sw_program *p = user;
    const sw_system *s = p->s;
    bool jumps = s->by == SW_RESET || s->by == SW_SAMPLED_RESET;
    if (s->by == SW_RELAY && e->crossed[p->mode] == 0) return 0;
    if (!jumps || s->toggles) p->mode = (p->mode + 1) % s->modes;
    for (int i = 0; jumps && i < s->n; i++) e->y[i] = s->factor[i] * e->y[i] + s->jump[i];
    e->changed = true;
    return 0;
}

dae_problem *sw_problem(sw_program *p, const double *v)
{
    static const signed char relay[] = {1, -1}, rises[] = {1}, falls[] = {-1};
    const sw_system *s = p->s;
    if (p->how.text) {
        char *text = sw_text(s, &p->how, v);
        dae_problem *read = dae_problem_parse("switched.mo", text, strlen(text));
        free(text);
        return read;
    }
    p->mode = p->how.fixed_mode < 0 ? s->first : p->how.fixed_mode;
    dae_about about = {.user = p};
    if (p->how.fixed_mode < 0) {
        about.event = switch_mode;
        if (s->by == SW_THRESHOLD || s->by == SW_RESET || s->by == SW_RELAY)
            about.roots = s->by == SW_RELAY ? 2 : 1, about.root = thresholds;
        else
            about.next_event = next_event;
        if (s->by == SW_RELAY) about.root_direction = relay;
        if (s->by == SW_RESET) about.root_direction = s->direction > 0 ? rises : falls;
    }
    if (s->shape == SW_ODE)
        return dae_problem_mass(&(dae_mass_form){.n = (size_t)s->n, .f = states, .about = about});
    return dae_problem_semi_explicit(&(dae_semi_explicit_form){.nx = (size_t)s->nx,
                                                               .nz = (size_t)(s->total - s->nx),
                                                               .f = differential,
                                                               .g = algebraic,
                                                               .about = about});
}
