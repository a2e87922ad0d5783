#include "zoo/corners.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double zoo_on_piece(const zoo_piece *piece, zoo_input input, double t, int which, double *slope)
{
    double at = piece->middle > 0 ? piece->middle : t, value = input(at, which, slope);
    return value + *slope * (t - at);
}

/* The end of the run is none. */
static double next_corner(double t, void *user)
{
    const zoo_piece *piece = user;
    double next = piece->every * (floor(t / piece->every) + 1);
    return next < piece->end ? next : HUGE_VAL;
}

static int turn_corner(dae_event *e, void *user)
{
    zoo_piece *piece = user;
    piece->middle = e->t + 0.5 * piece->every;
    e->changed = 1;
    return 0;
}

bool zoo_cornered_make(zoo_cornered *c, const zoo_ivp *ivp)
{
    *c = (zoo_cornered){.ivp = *ivp, .form = *ivp->form};
    dae_about *about = zoo_about(&c->form);
    const zoo_piece *was = about->user;
    c->user = malloc(was->size);
    if (!c->user) return false;
    memcpy(c->user, was, was->size);
    c->user->every = ivp->restart_every, c->user->end = ivp->t_end;
    c->user->middle = 0.5 * ivp->restart_every;
    about->user = c->user;
    about->next_event = next_corner, about->event = turn_corner;
    c->ivp.form = &c->form;
    c->ivp.restart_every = 0;
    return true;
}

void zoo_cornered_free(zoo_cornered *c)
{
    free(c->user);
}
