#include "solve/choice.h"

#include "integrate/control.h"
#include "integrate/stepping.h"

#include <math.h>

/* Iterations that show the largest eigenvalue at the start, and at each later look. */
enum { FIRST_LOOK = 12, LATER_LOOK = 2 };

/* A problem is stiff after so many steps at the border of stability, with fewer than CALM_STEPS
 * others in a row between (Hairer & Wanner II, Sec. IV.2); it is no longer so after CALM_LOOKS
 * looks, one in LOOK_EVERY steps. */
enum { STIFF_STEPS = 15, CALM_STEPS = 6, CALM_LOOKS = 3, LOOK_EVERY = 20 };

/* Steps of an implicit method that an explicit one could make as well: h times the eigenvalue, over
 * what dopri5 bears. */
static const double EXPLICIT_REACH = 1.5, DOPRI5_BEARS = 3.3;

/* An eigenvalue counts as damped, and the problem perhaps as stiff, where this part of it is. */
static const double DAMPED_PART = 0.3;

/* From here on DOP853 takes fewer evaluations. */
static const double TIGHT = 1e-8;

static const char *const ROBUST = "radau-iia3";

static bool has_algebraic(const problem *p)
{
    for (size_t k = 0; k < p->n; k++)
        if (!p->dynamic[k]) return true;
    return false;
}

static const char *explicit_method(const choice_view *v)
{
    return v->rtol < TIGHT ? "dop853" : "dopri5";
}

static const char *implicit_method(const choice_view *v)
{
    (void)v;
    return ROBUST;
}

static bool is_explicit(const choice *c)
{
    return c->name && c->name[0] == 'd';
}

static void carve(choice *c, workspace *space, problem *p)
{
    stiffness_carve(&c->stiffness, space, p);
    c->weight = workspace_doubles(space, p->n);
}

static void look(choice *c, const choice_view *v, int iterations)
{
    control_weights(v->problem->n, v->y, v->rtol, v->atol, v->atols, 1, c->weight);
    if (stiffness_iterate(&c->stiffness, iterations, v->t, v->y, c->weight) != DAE_OK)
        c->stiffness.radius = 0;
}

/* One reason more, after a semicolon. */
static text *also(text *reasons)
{
    if (reasons->length > 0) text_add(reasons, "; ");
    return reasons;
}

static const char *begin_with(choice *c, const choice_view *v, text *reasons)
{
    const problem *p = v->problem;
    const stiffness *s = &c->stiffness;
    if (v->fixed_step) return ROBUST;
    if (stepping_has_higher_index(p) || has_algebraic(p)) {
        text_format(also(reasons), "%zu unknowns, algebraic ones among them: an implicit method",
                    p->n);
        return implicit_method(v);
    }
    if (!s->possible) return implicit_method(v);
    look(c, v, FIRST_LOOK);
    bool damped = s->damping > DAMPED_PART * s->radius;
    text_format(also(reasons),
                "%zu differential unknowns, whose largest eigenvalue at the start is about %.2g in "
                "modulus and %s: begun with an %s method",
                p->n, s->radius, damped ? "damped" : "not damped",
                damped ? "implicit" : "explicit");
    return damped ? implicit_method(v) : explicit_method(v);
}

dae_status choice_begin(choice *c, const choice_view *v, text *reasons)
{
    choice_free(c);
    *c = (choice){.automatic = true, .patience = LOOK_EVERY};
    carve(c, &c->space, v->problem);
    dae_status status = workspace_allocate(&c->space);
    if (status != DAE_OK) return status;
    carve(c, &c->space, v->problem);
    c->name = begin_with(c, v, reasons);
    return DAE_OK;
}

static void change(choice *c, const char *name, text *reasons, double t, double shown)
{
    text_format(also(reasons),
                "at t = %.6g %s gave way to %s: steps are %.2g times as long as an "
                "explicit method bears",
                t, c->name, name, shown);
    c->next = c->name = name;
    c->stiff = c->calm = c->since = 0;
}

static void watch_explicit(choice *c, const choice_view *v, double shown, text *reasons)
{
    if (shown > 1) {
        c->stiff++;
        c->calm = 0;
    } else if (++c->calm >= CALM_STEPS) {
        c->stiff = 0;
    }
    if (c->stiff < STIFF_STEPS) return;
    if (c->since < 10 * STIFF_STEPS) c->patience *= 4; /* it was not for long */
    change(c, implicit_method(v), reasons, v->t, shown);
}

static void watch_implicit(choice *c, const choice_view *v, double h, text *reasons)
{
    if (!c->stiffness.possible || has_algebraic(v->problem)) return;
    if (c->since < c->patience || c->since % LOOK_EVERY != 0) return;
    look(c, v, LATER_LOOK);
    double reach = fabs(h) * c->stiffness.radius / DOPRI5_BEARS;
    c->calm = reach < EXPLICIT_REACH && c->stiffness.radius > 0 ? c->calm + 1 : 0;
    if (c->calm >= CALM_LOOKS) change(c, explicit_method(v), reasons, v->t, reach);
}

void choice_watch(choice *c, const choice_view *v, double h, double shown, text *reasons)
{
    if (v->fixed_step) return;
    c->since++;
    if (is_explicit(c))
        watch_explicit(c, v, shown, reasons);
    else
        watch_implicit(c, v, h, reasons);
}

void choice_free(choice *c)
{
    workspace_free(&c->space);
}
