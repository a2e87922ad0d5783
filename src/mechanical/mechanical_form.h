/* The mechanical form, checked and copied from the author's struct. */
#ifndef MECHANICAL_MECHANICAL_FORM_H
#define MECHANICAL_MECHANICAL_FORM_H

#include "base/arena.h"
#include "base/message.h"
#include "base/stop_request.h"
#include "problem/equations.h"

#include <daedal/forms.h>

/* The last point reported to the author's configure(), shared by all users of one form. */
typedef struct mechanical_reported {
    bool known;
    double t, *q;
} mechanical_reported;

typedef struct mechanical_form {
    dae_mechanical_form given; /* what it points to is copied, except callbacks and user */
    size_t nq, nv, holonomic, nonholonomic, constraints;
    size_t n;                 /* nq + nv + constraints: the author's unknowns y = (q, v, lambda) */
    author_matrix kinematics; /* S: nq x nv; no pattern: the identity */
    author_matrix mass;       /* nv x nv */
    const double *constant_mass; /* in the order of mass.pattern; NULL: not constant */
    author_matrix stiffness;     /* df/dq: nv x nq */
    author_matrix damping;       /* df/dv: nv x nv */
    author_matrix position;      /* phi_q: holonomic x nq */
    author_matrix velocity;      /* A: nonholonomic x nv */
    const char *name;            /* of the problem */
    const char *const *variable; /* n: names, given or q1, ..., v1, ..., lambda1, ... */
    const char *const
        *equation;   /* n: kinematic equations, equations of motion, constraints; NULL: by number */
    double *nominal; /* n: as given, else 1; a simulation takes other ones from the mass */
    void *user;
    mechanical_reported *reported;
    stop_request *stop; /* shared by all users of one form */
} mechanical_form;

/* Check and copy. DAE_USAGE with the sentence in `m` that names the member that is wrong,
 * DAE_NO_MEMORY. */
dae_status mechanical_form_create(const mechanical_form **created, arena *a,
                                  const dae_mechanical_form *given, message *m);

#endif
