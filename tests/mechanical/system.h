/* A mechanical system of the zoo at work, for unit tests. */
#ifndef TESTS_MECHANICAL_SYSTEM_H
#define TESTS_MECHANICAL_SYSTEM_H

#include "base/unit.h"
#include "mechanical/mechanical.h"
#include "problem/problem.h"
#include "zoo/mechanical.h"

#include <string.h>

/* At work on what the author gave; what it holds is freed by mechanical_free(), the form with `a`.
 */
static inline mechanical *at_work(arena *a, const dae_mechanical_form *given)
{
    const mechanical_form *form = NULL;
    mechanical *m = NULL;
    message reported = {0};
    dae_status status = mechanical_form_create(&form, a, given, &reported);
    if (status == DAE_OK) status = mechanical_create(&m, form, &reported);
    ck_assert_msg(status == DAE_OK, "%s", message_string(&reported));
    message_free(&reported);
    return m;
}

/* Points that are known: of the exact solution at some times, and references. */
static inline bool known_point(const zoo_mechanical *z, size_t i, double *t, zoo_motion *m)
{
    enum { TIMES = 7 };
    size_t nq = z->form.nq, nv = z->form.nv ? z->form.nv : nq;
    size_t constraints = z->form.holonomic + z->form.nonholonomic;
    memset(m, 0, sizeof *m);
    if (z->exact) {
        *t = (0.1234 + (double)i) * z->stop / TIMES;
        z->exact(*t, m);
        return i < TIMES;
    }
    if (i >= z->references) return false;
    const double *row = z->reference + i * (1 + nq + nv + constraints);
    *t = row[0];
    memcpy(m->q, row + 1, nq * sizeof *row);
    memcpy(m->v, row + 1 + nq, nv * sizeof *row);
    memcpy(m->lambda, row + 1 + nq + nv, constraints * sizeof *row);
    return true;
}

static inline double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

#endif
