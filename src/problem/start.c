#include "problem/start.h"

static bool is_stopped(start_watch *w, double t)
{
    if (!w || w->stopped || !w->ask) return w && w->stopped;
    w->stopped = w->ask(t, w->user) != 0;
    if (w->reported) *w->reported = false;
    return w->stopped;
}

static dae_status heed(start_watch *w, dae_status status)
{
    if (w && status == DAE_STOPPED) w->stopped = true;
    return status;
}

dae_status start_system_value(const start_system *s, double t, const double *z, double *r)
{
    if (is_stopped(s->watch, t)) return DAE_STOPPED;
    return heed(s->watch, s->form->value(s->self, t, z, r));
}

dae_status start_system_jacobian(const start_system *s, double t, const double *z, double *value)
{
    if (is_stopped(s->watch, t)) return DAE_STOPPED;
    return heed(s->watch, s->form->jacobian(s->self, t, z, value));
}
