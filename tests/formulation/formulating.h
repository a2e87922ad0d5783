/* From a text to a formulation, and exact solutions to hold against it. */
#ifndef TESTS_FORMULATION_FORMULATING_H
#define TESTS_FORMULATION_FORMULATING_H

#include "formulation/from_model.h"
#include "model/reading.h"

#include <float.h>
#include <math.h>

typedef struct formulating {
    reading r;
    formulation_choice choice;
    formulation *f;
    double *z, *y, *yp; /* of the prolongation, of the engine */
} formulating;

static inline void formulate_protected(void *argument)
{
    formulating *g = argument;
    message m = {0};
    const structure *own = structure_analyze(g->r.system, &m);
    ck_assert_msg(own != NULL, "%s", message_string(&m));
    g->f = formulation_create(g->r.system, own, &g->choice);
    g->z = arena_array(&g->r.memory, g->f->p->size, sizeof(double));
    g->y = arena_array(&g->r.memory, g->f->form->problem.n, sizeof(double));
    g->yp = arena_array(&g->r.memory, g->f->form->problem.n, sizeof(double));
}

static inline void formulate(formulating *g, const char *model, formulation_choice choice)
{
    *g = (formulating){.choice = choice};
    read_right(&g->r, model);
    ck_assert_int_eq(arena_protect(&g->r.memory, formulate_protected, g), DAE_OK);
}

static inline void end(formulating *g)
{
    formulation_free(g->f);
    close_reading(&g->r);
}

/* The order-th derivative of a variable of the model at t. */
typedef double (*exact)(const char *name, unsigned order, double t);

/* z from an exact solution. */
static inline void take_exact(formulating *g, exact solution, double t)
{
    const prolongation *p = g->f->p;
    for (size_t j = 0; j < p->n; j++)
        for (unsigned k = 0; k <= p->d[j]; k++)
            g->z[p->first[j] + k] = solution(g->r.system->unknown.item[p->unknown[j]].name, k, t);
}

/* sin and cos, differentiated */
static inline double sine(unsigned order, double x)
{
    return order % 2 ? (order % 4 == 1 ? cos(x) : -cos(x)) : (order % 4 == 0 ? sin(x) : -sin(x));
}

static const char CIRCLE[] =
    "model M Real x, y, u, v, l; equation der(x) = u; der(y) = v; der(u) = -l*x; der(v) = -l*y;"
    " x^2 + y^2 = 4; end M;";

/* Around a circle of radius 2 at 1.5 rad/s. */
static inline double around_circle(const char *name, unsigned order, double t)
{
    double w = 1.5, power = 2 * pow(w, order);
    switch (name[0]) {
    case 'x': return power * sine(order + 1, w * t);
    case 'y': return power * sine(order, w * t);
    case 'u': return power * w * sine(order + 2, w * t);
    case 'v': return power * w * sine(order + 1, w * t);
    default: return order ? 0 : w * w;
    }
}

/* Linear but for the way in which its constraint is written: index 3, no freedom. */
static const char LINEAR[] =
    "model M Real a, b, c; equation der(a) = b + a; der(b) = c + a; sinh(a) = sinh(sin(time));"
    " end M;";

static inline double linear_exact(const char *name, unsigned order, double t)
{
    switch (name[0]) {
    case 'a': return sine(order, t);
    case 'b': return sine(order + 1, t) - sine(order, t);
    default: return -2 * sine(order, t) - sine(order + 1, t);
    }
}

#endif
