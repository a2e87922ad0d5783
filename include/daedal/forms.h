/** Problems whose equations are functions of a C program, in the form in which their author has
 *  them.
 *
 *  Each form is a struct that is filled by name. Members left 0 or NULL are found or have defaults.
 *  The struct, its patterns, names and constant matrices are copied. Callbacks and `user` are
 *  borrowed, and must stay valid as long as the problem and the solvers made from it.
 *
 *  A callback returns 0, a positive number for "this point is not evaluable, try a smaller step",
 *  or a negative one for "stop". After "stop" the run ends with #DAE_STOPPED and all that was
 *  computed is kept. This applies to each call, also to those that examine the equations beside the
 *  start. After "stop", no callback is called again before the next call of the library. Vectors
 *  have as many entries as the form has unknowns unless said otherwise; time is in the author's
 *  units. */
#ifndef DAEDAL_FORMS_H
#define DAEDAL_FORMS_H

#include <daedal/event.h>
#include <daedal/problem.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The layout of the values of a matrix. */
typedef enum dae_layout {
    DAE_DENSE,  /**< by columns: entry (i, j) at j * rows + i */
    DAE_BANDED, /**< by columns of lower + upper + 1 entries: (i, j) at j * (lower + upper + 1) +
                     upper + i - j */
    DAE_SPARSE  /**< by columns: entry k of column j, start[j] <= k < start[j + 1], is in row[k] */
} dae_layout;

/** Where a matrix may be nonzero. A struct of zeros: anywhere, dense. */
typedef struct dae_pattern {
    dae_layout layout;
    size_t lower, upper; /**< of a banded matrix: diagonals below and above the main one */
    const size_t *start; /**< of a sparse matrix: columns + 1 entries */
    const size_t *row; /**< of a sparse matrix: start[columns] entries, ascending within a column */
} dae_pattern;

/** What authors may tell of the problem in any form; all optional. */
typedef struct dae_about {
    const char *name;            /**< name of the problem, for messages */
    const char *const *variable; /**< names of the unknowns; default y1, y2, ..., of the
                                    semi-explicit form x1, ..., z1, ... */
    const char *const *equation; /**< names of the equations; default "equation 1", ... */
    /** Index of each unknown: 1 (differential, or of index 1), 2 or 3. NULL: found at the start
     *  from the linearised equations. Where one is above 1, the statistics' reasons say so, and the
     *  start also meets the first derivatives of the algebraic equations. With up to 40 unknowns,
     *  equations of index 2 and 3 are reduced to index 1 by differences of the callbacks, except
     *  with options.formulation = "direct". The callbacks are then called at times before the start
     *  and after the end, and may return 1 there. These times are up to 0.75 of a unit of time
     *  away, or farther in stiff equations. The unit is 1 s times a power of 1024, near the time in
     *  which the unknowns change by their sizes. */
    const unsigned char *index;
    const double *nominal; /**< typical sizes of the unknowns, > 0. options.atol counts in units of
                              these; NULL: 1 */
    bool detect_pattern;   /**< for a Jacobian by differences: its zeros are found first, by
                              differences at several points near the start; false: it is dense,
                              or as given */
    /** Events. Root functions are watched along the run, on the polynomials of its steps. Where one
     *  changes its sign in a direction that counts, the instant is found to round-off of the time.
     *  Several that change at one instant make one event. A root function that is 0 at the start
     *  makes none there; it may touch 0 without one. Functions should be smooth; roots closer
     *  together than a small part of a step need a smaller `max_step`. Under constraints the
     * instant is that at which values on the constraints are at the root.
     *
     *  Where events accumulate, as the impacts of a ball do, the run ends with #DAE_EVENT: a body
     *  that is to come to rest needs a mode for it, which the callback sets where the body is slow
     *  enough. An impact that sets its speed to 0 and no mode is one event: the body goes on
     * through the root if the equations pull it on.
     *
     *  Between two events the equations have to be smooth: what switches depends on a mode that the
     *  `event` callback sets, and not on a comparison with y or t in the equations. What a root
     *  function needs is computed in it: `configure` of a mechanical system is not called for it.
     *
     *  With fixed steps h (option `step`), an event at which something changes shortens one step,
     * and the next one ends on the grid t0 + k h again. One-step methods go on from there as they
     * are. Multistep methods begin there as at the start: a one-step method of their order makes
     * their first points. So the error falls with the order of the method and of its polynomial. */
    size_t roots; /**< number of root functions */
    /** Their values g (roots), finite wherever the solution goes; y and yp as dae_solver_at()
     *  gives them, but not projected. */
    int (*root)(double t, const double *y, const double *yp, double *g, void *user);
    const signed char *root_direction; /**< roots: +1, -1: only a root that rises, or falls, in the
                                            direction of the run is an event; 0: both. NULL: both */
    const char *const *root_name;      /**< roots: their names, for messages; NULL: by number */
    /** The first time after t, which is not t itself, at which there is an event whatever y is;
     *  INFINITY: there is none. It is reached exactly, without a search. It is asked at the start
     *  and after each event. A time that differs from t, or from the end of the run, by round-off
     *  alone is the same instant: what comes after the former is asked for, the latter is at the
     *  end. Runs back in time are refused. NULL: there never is one. */
    double (*next_event)(double t, void *user);
    /** Called at each event. After it, where `changed` is set, differential variables (of a
     *  mechanical system positions and velocities) have the values of e->y. Algebraic ones and
     *  derivatives are found as at a start; e->y only says where that begins. Differential
     *  variables that miss constraints jump by impulses of the algebraic variables, where these
     *  determine the jump: dF/dy' x + dF/dz c = 0 for the jump x and the coefficients c. So
     *  capacitors that a switch connects share their charge. Velocities of a mechanical system that
     *  constraints forbid are changed by impulses along these: M (v - e->v) = G^T Lambda; its
     *  positions do not jump. Invariants keep the values that they have then. Where no consistent
     *  values are found the run fails with #DAE_EVENT. Root functions may have any sign after the
     *  event. Where only they depend on a mode, `changed` may stay false. NULL: nothing changes at
     *  roots; at announced times modes may have changed. At times before the last event,
     *  dae_solver_at() gives the values of the steps as they are, without projection, because the
     *  functions have other modes by then. Multipliers that a formulation of a mechanical system
     *  computes from its state are those of the present modes there. */
    int (*event)(dae_event *e, void *user);
    void *user; /**< passed to each callback */
} dae_about;

/** F(t, y, y') = 0, fully implicit. */
typedef struct dae_residual_form {
    size_t n; /**< unknowns and equations */
    /** r (n) = F(t, y, yp) */
    int (*residual)(double t, const double *y, const double *yp, double *r, void *user);
    /** dF/dy and dF/dy', in the layouts of `y_pattern` and `yp_pattern`; the arrays come zeroed.
     *  NULL: coloured differences with these patterns. */
    int (*jacobian)(double t, const double *y, const double *yp, double *dy, double *dyp,
                    void *user);
    /** dF/dt (n); NULL: differences. Used by Rosenbrock methods, and at a start of index 2. */
    int (*time_derivative)(double t, const double *y, const double *yp, double *dt, void *user);
    dae_pattern y_pattern, yp_pattern;
    dae_about about;
} dae_residual_form;

/** M(t, y) y' = f(t, y); M may be singular. */
typedef struct dae_mass_form {
    size_t n;
    int (*f)(double t, const double *y, double *f, void *user);
    /** df/dy in the layout of `f_pattern`, zeroed before; NULL: coloured differences. */
    int (*f_y)(double t, const double *y, double *dy, void *user);
    /** df/dt; NULL, or with a mass that is not constant: differences */
    int (*f_t)(double t, const double *y, double *dt, void *user);
    const double *constant_mass; /**< M in the layout of `mass_pattern`, where it is constant */
    /** M(t, y), where it is not constant; zeroed before. NULL, and no `constant_mass`: the
     *  identity. */
    int (*mass)(double t, const double *y, double *m, void *user);
    /** d(M(t, y) w)/dy with w (n) held fixed, in the layout of `f_pattern`, zeroed before; NULL:
     *  coloured differences of M(t, y) w. Used together with `mass`. */
    int (*mass_y)(double t, const double *y, const double *w, double *dy, void *user);
    dae_pattern f_pattern; /**< nonzeros of df/dy, and of what M(t, y) y' depends on */
    dae_pattern mass_pattern;
    dae_about about;
} dae_mass_form;

/** x' = f(t, x, z), 0 = g(t, x, z). The unknowns y are x, then z; the equations are f, then g. A
 *  projection named in dae_options brings x back to the equations of g without z. It takes z from
 *  the derivatives of these, up to index 2. */
typedef struct dae_semi_explicit_form {
    size_t nx, nz; /**< differential and algebraic unknowns; n = nx + nz */
    int (*f)(double t, const double *x, const double *z, double *f, void *user); /**< f (nx) */
    int (*g)(double t, const double *x, const double *z, double *g, void *user); /**< g (nz) */
    /** d(f, g)/d(x, z), n x n, in the layout of `pattern`, zeroed before; NULL: differences. */
    int (*jacobian)(double t, const double *x, const double *z, double *j, void *user);
    /** d(f, g)/dt (n); NULL: differences */
    int (*time_derivative)(double t, const double *x, const double *z, double *dt, void *user);
    dae_pattern pattern;
    dae_about about;
} dae_semi_explicit_form;

/** E x' = A x + b(t), with constant E and A; E may be singular. */
typedef struct dae_linear_form {
    size_t n;
    const double *e; /**< in the layout of `e_pattern` */
    const double *a; /**< in the layout of `a_pattern` */
    dae_pattern e_pattern, a_pattern;
    int (*b)(double t, double *b, void *user);    /**< b (n); NULL: 0 */
    int (*b_t)(double t, double *dt, void *user); /**< db/dt; NULL: differences */
    dae_about about;
} dae_linear_form;

/** y' = f(t, y) with c(t, y) = c(t0, y0) along each solution: an ODE on a manifold. The equations
 *  are f alone. `max_constraint` of the statistics tells how far the invariants are kept.
 *
 *  A projection (dae_options) keeps them. "coordinate" brings the end of each step back by the
 *  shortest way until they are met; "least-squares" is the same on one level. "post" and "post2"
 *  make one or two corrections. "derivative" continues with y as it is, and with the y' of the
 *  point that meets them. "embedded" adds terms to the equations that draw to them. "fz" is
 *  refused, because there are no multipliers. Invariants may depend on each other.
 *
 *  Where a projection is asked for, the invariants are checked by differences at the start, beside
 *  it, and where a run ends: they must be invariant where all have their values of the start, and
 *  c_y must be their derivative. Otherwise #DAE_USAGE. */
typedef struct dae_invariant_form {
    size_t n;
    int (*f)(double t, const double *y, double *f, void *user);
    int (*f_y)(double t, const double *y, double *dy, void *user); /**< NULL: differences */
    int (*f_t)(double t, const double *y, double *dt, void *user); /**< NULL: differences */
    dae_pattern f_pattern;
    size_t invariants;                                          /**< number of invariants */
    int (*c)(double t, const double *y, double *c, void *user); /**< c (invariants) */
    /** In place of `c`, where invariants contain y' as well; yp is f(t, y). */
    int (*c_with_yp)(double t, const double *y, const double *yp, double *c, void *user);
    int (*c_y)(double t, const double *y, double *dy, void *user); /**< dc/dy (invariants x n,
                                                                      dense), y' being f(t, y);
                                                                      NULL: differences */
    dae_about about;
} dae_invariant_form;

/** A constrained mechanical system:
 *
 *      q' = S(t, q) v,   M(t, q) v' = f(t, q, v) + G(t, q)^T lambda,
 *      phi(t, q) = 0 (holonomic),   A(t, q) v = b(t, q) (nonholonomic),   G = [phi_q S; A].
 *
 *  The unknowns y are q, v, then one multiplier per constraint, the holonomic ones first. lambda
 *  are the reactions in the direction of the constraints' gradients. S, where it is not the
 *  identity, is for coordinates that are not integrals of velocities, such as quaternions. M may be
 *  singular in directions that the constraints fix, and constraints may depend on each other. Leave
 *  `index` of `about` empty: the form determines it. */
typedef struct dae_mechanical_form {
    size_t nq; /**< coordinates */
    size_t nv; /**< velocities, at most nq; 0: as many. A velocity whose coordinate plays no part,
                  such as the spin of a rolling ball, still needs a coordinate with q' = v, on which
                  nothing has to depend */
    size_t holonomic, nonholonomic; /**< constraints of each kind; n = nq + nv + both */
    /** Called for a point before the functions below are called there. Values that several of them
     *  need, such as sines of angles and positions of bodies, are computed here once and kept in
     *  what `user` points to. The functions are then called at no other (t, q) until the next point
     *  is announced; v may differ. The values need not outlast a call of the library, nor a call of
     *  the receiver of output or of a watch: the point is announced again afterwards. So solvers of
     *  one problem may take turns, and their author may compute anything in between. Solvers in
     *  several threads need a problem each, with a `user` each. NULL: nothing is shared. */
    int (*configure)(double t, const double *q, void *user);
    /** S (nq x nv, in the layout of `kinematics_pattern`, zeroed before); NULL: q' = v */
    int (*kinematics)(double t, const double *q, double *s, void *user);
    const double *constant_mass; /**< M (nv x nv) in the layout of `mass_pattern`, if constant */
    /** M(t, q), where it is not constant; zeroed before. NULL, and no `constant_mass`: the
     *  identity. */
    int (*mass)(double t, const double *q, double *m, void *user);
    /** f (nv) */
    int (*force)(double t, const double *q, const double *v, double *f, void *user);
    /** df/dq (nv x nq) and df/dv (nv x nv), zeroed before; NULL: coloured differences. */
    int (*force_q)(double t, const double *q, const double *v, double *dq, void *user);
    int (*force_v)(double t, const double *q, const double *v, double *dv, void *user);
    /** phi (holonomic) */
    int (*constraint)(double t, const double *q, double *phi, void *user);
    /** phi_q (holonomic x nq), zeroed before. The reactions act along it, and nothing during a run
     *  would show that it is wrong. So phi_q, phi_t and gamma are compared with differences where a
     *  run starts, beside that point, and where runs end. Wrong ones are refused with #DAE_USAGE.
     *  For these differences, functions are called up to a unit of time before and after. They may
     *  return 1 there: differences are then taken over shorter times or to one side, or left out.
     *  The unit is the time in which the fastest coordinate moves by its size. */
    int (*constraint_q)(double t, const double *q, double *dq, void *user);
    /** phi_t (holonomic); NULL: phi does not depend on t */
    int (*constraint_t)(double t, const double *q, double *dt, void *user);
    /** A (nonholonomic x nv), zeroed before. */
    int (*velocity_constraint)(double t, const double *q, double *a, void *user);
    /** b (nonholonomic); NULL: 0 */
    int (*velocity_right)(double t, const double *q, double *b, void *user);
    /** gamma (holonomic + nonholonomic): the second derivatives of phi, and the first derivatives
     *  of A v - b, where v' = 0. NULL: directional differences. */
    int (*gamma)(double t, const double *q, const double *v, double *gamma, void *user);
    /** Invariants of the motion, such as its energy: c(t, q, v) keeps its value of the start. The
     *  last entry of `max_constraint` of the statistics tells how far it is kept.
     *
     *  Where states are projected (dae_options), they are brought back to the invariants as well,
     *  by a change that the constraints allow. The change is one of velocities. Near rest, where a
     *  kinetic energy does not allow that, it is one of positions. Where neither helps, as at an
     *  equilibrium, states stay, and the reasons of the statistics say so. Invariants may depend on
     *  each other. A function that is not invariant, or has another gradient, is refused in the
     *  same way as wrong derivatives of constraints. */
    size_t invariants; /**< number of invariants */
    int (*invariant)(double t, const double *q, const double *v, double *c, void *user);
    /** dc/dq (invariants x nq) and dc/dv (invariants x nv), dense by columns, zeroed before; NULL:
     *  differences. */
    int (*invariant_gradient)(double t, const double *q, const double *v, double *dq, double *dv,
                              void *user);
    dae_pattern kinematics_pattern, mass_pattern;
    dae_pattern force_q_pattern; /**< df/dq, and what M v', S and A^T lambda depend on */
    dae_pattern force_v_pattern;
    dae_pattern constraint_pattern, velocity_pattern; /**< nonzeros of phi_q and of A */
    dae_about about;
} dae_mechanical_form;

/** Create a problem from a form. No callback is called yet.
 *  @return a handle to be freed by dae_problem_free(); NULL only when memory is exhausted. A form
 *      that is NULL, incomplete or contradicts itself gives a handle with status #DAE_USAGE, whose
 *      message names the member. A form that does not fit into memory gives a handle with
 *      #DAE_NO_MEMORY. Its variables are queried and started like those of a model.
 *      dae_problem_set() sets start values. A value that is missing there and in dae_solver_start()
 *      is found. */
DAE_API dae_problem *dae_problem_residual(const dae_residual_form *form);
DAE_API dae_problem *dae_problem_mass(const dae_mass_form *form);
DAE_API dae_problem *dae_problem_semi_explicit(const dae_semi_explicit_form *form);
DAE_API dae_problem *dae_problem_linear(const dae_linear_form *form);
DAE_API dae_problem *dae_problem_invariant(const dae_invariant_form *form);
DAE_API dae_problem *dae_problem_mechanical(const dae_mechanical_form *form);

#ifdef __cplusplus
}
#endif
#endif
