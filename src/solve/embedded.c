#include "solve/callback_simulation.h"

#include <math.h>
#include <string.h>

/* The rate at which the solution changes: the root mean square of f_j / W_j
 * (callback_simulation.h). */
static double rate(const equations *e, const double *y, const double *f)
{
    double sum = 0;
    for (size_t j = 0; j < e->n; j++) {
        double part = f[j] / fmax(fabs(y[j]), e->nominal[j]);
        sum += part * part;
    }
    return sqrt(sum / (double)e->n);
}

/* Calls the author's f. A request to stop is recorded as one of f, whichever wrapped function made
 * the call. */
static int plain_f(const embedded *e, double t, const double *y, double *f)
{
    int answer = e->plain->form.invariant.f(t, y, f, e->plain->user);
    if (answer < 0) stop_ask(e->plain->stop, "f", answer);
    return answer;
}

static int embedded_f(double t, const double *y, double *f, void *user)
{
    embedded *e = user;
    size_t n = e->plain->n;
    int answer = plain_f(e, t, y, f);
    if (answer != 0 || !e->toward) return answer;
    memcpy(e->z, y, n * sizeof *y);
    memcpy(e->z + n, f, n * sizeof *f);
    dae_status status = projection_meet(e->toward, t, e->z);
    if (status != DAE_OK) return status == DAE_STOPPED ? -1 : 1;
    double gamma = rate(e->plain, y, f);
    for (size_t j = 0; j < n; j++) f[j] += gamma * (e->z[j] - y[j]);
    return 0;
}

static int embedded_c(double t, const double *y, double *c, void *user)
{
    const embedded *e = user;
    const dae_invariant_form *plain = &e->plain->form.invariant;
    if (plain->c) return plain->c(t, y, c, e->plain->user);
    int answer = plain_f(e, t, y, e->plain_yp);
    if (answer == 0) answer = plain->c_with_yp(t, y, e->plain_yp, c, e->plain->user);
    if (answer < 0) stop_ask(e->plain->stop, "c_with_yp", answer);
    return answer;
}

static int embedded_c_y(double t, const double *y, double *dy, void *user)
{
    const embedded *e = user;
    return e->plain->form.invariant.c_y(t, y, dy, e->plain->user);
}

static void take_room(void *argument)
{
    embedded *e = argument;
    e->z = arena_array(&e->memory, 2 * e->plain->n, sizeof *e->z);
    e->plain_yp = arena_array(&e->memory, e->plain->n, sizeof *e->plain_yp);
}

dae_status embedded_create(embedded *e, const equations *plain)
{
    e->plain = plain;
    dae_invariant_form form = plain->form.invariant;
    form.f = embedded_f;
    form.f_y = NULL;
    form.f_t = NULL;
    form.f_pattern = (dae_pattern){0};
    form.c = embedded_c;
    form.c_with_yp = NULL;
    if (form.c_y) form.c_y = embedded_c_y;
    form.about.user = e;
    form.about.detect_pattern = false;
    message discarded = {0}; /* the same form was accepted before */
    dae_status status = arena_protect(&e->memory, take_room, e);
    if (status == DAE_OK)
        status = equations_create(&e->wrapped, &e->memory, EQUATIONS_INVARIANT, &form, &discarded);
    message_free(&discarded);
    if (status == DAE_OK) equations_share_stop(e->wrapped, plain->stop);
    return status;
}

dae_status embedded_begin(embedded *e, const constraint_levels *levels)
{
    return projection_create(&e->toward, levels, PROJECTION_POST);
}

void embedded_free(embedded *e)
{
    projection_free(e->toward);
    arena_free(&e->memory);
    *e = (embedded){0};
}
