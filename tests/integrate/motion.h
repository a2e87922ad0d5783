/* Engines on mechanical systems as they are: y = (q, v, lambda) after a problem that holds the
 * system and nothing else. */
#ifndef TESTS_INTEGRATE_MOTION_H
#define TESTS_INTEGRATE_MOTION_H

#include "base/unit.h"
#include "integrate/engines.h"
#include "mechanical/mechanical.h"
#include "method/method.h"
#include "zoo/mechanical.h"

#include <string.h>

typedef struct motion {
    arena memory;
    const mechanical_form *form;
    mechanical *system;
    problem problem;
    method *which;
    engine *engine;
    message said;
    size_t nq, nv, constraints;
    bool dynamic[3 * ZOO_MECHANICAL_MOST];
    unsigned char index[3 * ZOO_MECHANICAL_MOST];
} motion;

static inline void motion_name(void *self, size_t j, text *t)
{
    const motion *s = self;
    text_format(t, "%s", s->form->variable[j]);
}

static inline bool motion_occurs(const void *self, size_t i, size_t j)
{
    (void)self, (void)i, (void)j;
    return true;
}

static const problem_form motion_form = {.name = "mechanical",
                                         .occurs = motion_occurs,
                                         .name_variable = motion_name,
                                         .name_equation = motion_name};

/* An engine for the system, with constraints on that level; not started. NULL where it is refused,
 * s->said being the sentence. */
static inline engine *motion_engine(motion *s, const dae_mechanical_form *form, const char *name,
                                    int level, engine_options options)
{
    *s = (motion){0};
    ck_assert_int_eq(mechanical_form_create(&s->form, &s->memory, form, &s->said), DAE_OK);
    ck_assert_int_eq(mechanical_create(&s->system, s->form, &s->said), DAE_OK);
    s->nq = s->form->nq;
    s->nv = s->form->nv;
    s->constraints = s->form->constraints;
    for (size_t k = 0; k < s->form->n; k++) s->dynamic[k] = k < s->nq + s->nv;
    for (size_t k = 0; k < s->form->n; k++) s->index[k] = k < s->nq + s->nv ? 1 : 3;
    s->problem = (problem){.form = &motion_form,
                           .self = s,
                           .n = s->form->n,
                           .nominal = s->form->nominal,
                           .dynamic = s->dynamic,
                           .index = s->index,
                           .mechanical = s->system,
                           .level = (unsigned char)level};
    if (options.direction == 0) options.direction = 1;
    if (options.rtol == 0) options.rtol = options.atol = 1e-6;
    ck_assert_int_eq(method_create(&s->which, name, &s->said), DAE_OK);
    engine_create(&s->engine, &s->problem, s->which, &options, &s->said);
    return s->engine;
}

/* From (q, v), which meet the constraints. */
static inline void motion_start(motion *s, double t, const double *q, const double *v)
{
    double y[3 * ZOO_MECHANICAL_MOST] = {0}, yp[3 * ZOO_MECHANICAL_MOST] = {0};
    size_t nq = s->nq, nv = s->nv;
    memcpy(y, q, nq * sizeof *q);
    memcpy(y + nq, v, nv * sizeof *v);
    ck_assert_int_eq(mechanical_kinematics(s->system, t, q, v, yp), DAE_OK);
    ck_assert_int_eq(mechanical_accelerate(s->system, t, q, v, yp + nq, y + nq + nv), DAE_OK);
    engine_start(s->engine, t, y, yp);
}

/* A zoo row from its start. */
static inline engine *motion_begin(motion *s, const zoo_mechanical *row, const char *name,
                                   int level, engine_options options)
{
    double q[ZOO_MECHANICAL_MOST], v[ZOO_MECHANICAL_MOST];
    engine *e = motion_engine(s, &row->form, name, level, options);
    ck_assert_msg(e, "%s", message_string(&s->said));
    row->start(q, v);
    motion_start(s, 0, q, v);
    return e;
}

static inline void motion_end(motion *s)
{
    engine_free(s->engine);
    problem_factors_free(&s->problem);
    method_free(s->which);
    mechanical_free(s->system);
    arena_free(&s->memory);
    message_free(&s->said);
}

#endif
