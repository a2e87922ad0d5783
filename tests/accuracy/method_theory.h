/* The orders of convergence that theory promises with constant steps, as published: not what the
 * library computes of its rows. One row for each method (docs/add-a-method.md). */
#ifndef TESTS_ACCURACY_METHOD_THEORY_H
#define TESTS_ACCURACY_METHOD_THEORY_H

enum {
    STAYS = 0,  /* the error is bounded, and does not fall */
    OPEN = -1,  /* nothing is promised, and nothing excluded */
    FAILS = -2, /* does not converge */
};

/* y of an ODE; y and z of index 1 and 2; positions, velocities and multipliers of index 3, where
 * these enter linearly; of embedded weights and of dense output that were published: what their
 * authors say. */
typedef struct theory {
    const char *name;
    int ode[1], index1[2], index2[2], index3[3];
    const char *source;
    int embedded[2], dense;
} theory;

/* HLR: Hairer, Lubich & Roche, The numerical solution of differential-algebraic systems by
 * Runge-Kutta methods, LNM 1409 (1989). HW: Hairer & Wanner, Solving ordinary differential
 * equations II (1996). */
#define EXPLICIT "order by its author; no algebraic variables"
#define TABLES   "HW Thm VI.1.1; HW Table VII.4.1; HLR Table 2.3; Jay, Numer. Math. 65 (1993)"
#define EULER \
    "HW Secs. VI.1 and VII.3; index 3 after two steps: Brenan & Engquist, Math. Comp. 51 (1988)"
#define IIIA "HW Thm VI.1.1; Jay, BIT 33 (1993) 137"
#define DIAGONAL                                                                                   \
    "HW Thm VI.1.1; HLR Secs. 4 and 5 with stage order q = 1, or 2 with an explicit first stage: " \
    "q + 1 and q on index 2; kvaerno4 meets one condition more"
#define ODE_ONLY   "order 2s - 2: HW Thm IV.5.7, Jay 2015; no algebraic variables"
#define ROSENBROCK "HW Sec. VI.4; Steinebach 1995 and 2023"
#define LINEAR                                                                                 \
    "Hairer, Norsett & Wanner I, Sec. III.2; HW Thm VI.2.1; HW Thm VII.3.5: sigma has a root " \
    "outside"
#define BACKWARD "HW Thm VI.2.1; HW Thm VII.3.5; index 3: Brenan & Engquist, Math. Comp. 51 (1988)"
#define EXTENDED                                                                                   \
    "HW Sec. V.3: k + 1 with k steps; z of index 2 as in the first stages, BDF of k steps: its 7 " \
    "is "                                                                                          \
    "seen on one problem only, those of fewer steps in tests/integrate/mebdf.c"
#define TWO_STEPS \
    "HW Thm VII.3.5: sigma has its roots inside; one-leg: Liniger, IEEE Trans. CAS 26 (1979)"
#define ONE_LEG "HW Sec. V.6: order 2; values of index 1 are divided by sigma, of a root outside"
#define BETA_BLOCKED                                                                             \
    "Arevalo, Fuhrer & Soderlind, ZAMM 77 (1997) 609: order of (rho, sigma) and steps on index " \
    "2; elsewhere as without tau"

#define HALF           "Brasey & Hairer 1993; HW Sec. VII.6: z, solved for at the end, is of the order of y"
#define HEDOP5         "Arnold 1998: z, of the last stage, is of order 4"
#define PROJECTION     "Ascher & Petzold 1991; HW Thm VII.4.9: min(p, 2q, q + r + 1), z as y"
#define STATE_SPACE(p) {p, p}, {FAILS, FAILS}, {FAILS, FAILS, FAILS}, "HW Sec. VI.1: as on an ODE"

#define NO_DAE                      \
    {FAILS, FAILS}, {FAILS, FAILS}, \
    {                               \
        FAILS, FAILS, FAILS         \
    }
#define NOT_INDEX2   \
    {                \
        FAILS, FAILS \
    }
#define NOT_INDEX3          \
    {                       \
        FAILS, FAILS, FAILS \
    }
#define ANY_INDEX3       \
    {                    \
        OPEN, OPEN, OPEN \
    }

/* Neither embedded weights nor dense output in the tableau. */
#define ALONE {0}, 0

/* On index 1 z by the weights, as the stages have it, is the epsilon-embedding (HW Sec. VI.1), and
 * of a lower order than y where the end of a step is no stage; the rows of the state-space form
 * solve the algebraic equations there.
 *
 * Index 3 of a stage order of 1, or with R(infinity) of modulus 1 and a singular or not stiffly
 * accurate matrix: the multipliers, of order q - 1, do not converge. */
static const theory theories[] = {
    {"euler", {1}, NO_DAE, EXPLICIT, ALONE},
    {"midpoint", {2}, NO_DAE, EXPLICIT, ALONE},
    {"heun2", {2}, NO_DAE, EXPLICIT, ALONE},
    {"ralston2", {2}, NO_DAE, EXPLICIT, ALONE},
    {"rk2", {2}, NO_DAE, EXPLICIT, ALONE},
    {"heun3", {3}, NO_DAE, EXPLICIT, ALONE},
    {"kutta3", {3}, NO_DAE, EXPLICIT, ALONE},
    {"ralston3", {3}, NO_DAE, EXPLICIT, ALONE},
    {"ssprk3", {3}, NO_DAE, EXPLICIT, ALONE},
    {"rk3", {3}, NO_DAE, EXPLICIT, ALONE},
    {"rk4", {4}, NO_DAE, EXPLICIT, ALONE},
    {"rk38", {4}, NO_DAE, EXPLICIT, ALONE},
    {"ralston4", {4}, NO_DAE, EXPLICIT, ALONE},
    {"dopri5", {5}, NO_DAE, EXPLICIT, {4}, 4},
    {"dop853", {8}, NO_DAE, EXPLICIT, {5, 3}, 7},
    {"implicit-euler", {1}, {1, 1}, {1, 1}, {1, 1, 1}, EULER, ALONE},
    {"radau-iia2", {3}, {3, 3}, {3, 2}, {3, 2, 1}, TABLES, ALONE},
    {"radau-iia3", {5}, {5, 5}, {5, 3}, {5, 3, 2}, TABLES, ALONE},
    {"radau-iia5", {9}, {9, 9}, {9, 5}, {9, 5, 4}, TABLES, ALONE},
    {"radau-iia7", {13}, {13, 13}, {13, 7}, {13, 7, 6}, TABLES, ALONE},
    {"radau-ia1", {1}, {1, 1}, {1, OPEN}, ANY_INDEX3, TABLES, ALONE},
    {"radau-ia2", {3}, {3, 2}, {2, 1}, NOT_INDEX3, TABLES, ALONE},
    {"radau-ia3", {5}, {5, 3}, {3, 2}, ANY_INDEX3, TABLES, ALONE},
    {"radau-ia5", {9}, {9, 5}, {5, 4}, ANY_INDEX3, TABLES, ALONE},
    {"radau-ia7", {13}, {13, 7}, {7, 6}, ANY_INDEX3, TABLES, ALONE},
    {"implicit-midpoint", {2}, {2, 2}, {2, STAYS}, NOT_INDEX3, TABLES, ALONE},
    {"gauss2", {4}, {4, 2}, {2, STAYS}, NOT_INDEX3, TABLES, {1}, 0},
    {"gauss3", {6}, {6, 4}, {4, 2}, NOT_INDEX3, TABLES, {2}, 0},
    {"gauss4", {8}, {8, 4}, {4, 2}, NOT_INDEX3, TABLES, ALONE},
    {"gauss5", {10}, {10, 6}, {6, 4}, ANY_INDEX3, TABLES, ALONE},
    {"trapezoidal", {2}, {2, 2}, {2, 2}, NOT_INDEX3, IIIA, ALONE},
    {"lobatto-iiia3", {4}, {4, 4}, {4, 2}, NOT_INDEX3, IIIA, ALONE},
    {"lobatto-iiia4", {6}, {6, 6}, {6, 4}, ANY_INDEX3, IIIA, ALONE},
    {"lobatto-iiia3-shifted", {3}, {3, 3}, {3, 3}, ANY_INDEX3, IIIA, ALONE},
    {"collocation(0,0.6,1)", {3}, {3, 3}, {3, 3}, ANY_INDEX3, IIIA, ALONE},
    {"lobatto-iiib2", {2}, NO_DAE, ODE_ONLY, ALONE},
    {"lobatto-iiib3", {4}, NO_DAE, ODE_ONLY, ALONE},
    {"lobatto-iiib4", {6}, NO_DAE, ODE_ONLY, ALONE},
    {"lobatto-iiic2", {2}, {2, 2}, {2, 1}, NOT_INDEX3, TABLES, ALONE},
    {"lobatto-iiic3", {4}, {4, 4}, {4, 2}, {4, 2, 1}, TABLES, ALONE},
    {"lobatto-iiic4", {6}, {6, 6}, {6, 3}, {6, 3, 2}, TABLES, ALONE},
    {"lobatto-iiicstar3", {4}, NO_DAE, ODE_ONLY, ALONE},
    {"lobatto-iiicstar4", {6}, NO_DAE, ODE_ONLY, ALONE},
    {"sdirk-hw16", {4}, {4, 4}, {2, 1}, NOT_INDEX3, DIAGONAL, {3}, 0},
    {"sdirk-hw18", {4}, {4, 2}, {2, 1}, NOT_INDEX3, DIAGONAL, ALONE},
    {"kvaerno3", {3}, {3, 3}, {3, 2}, ANY_INDEX3, DIAGONAL, {2}, 0},
    {"kvaerno4", {4}, {4, 4}, {4, 2}, ANY_INDEX3, DIAGONAL, {3}, 0},
    {"kvaerno5", {5}, {5, 5}, {3, 2}, ANY_INDEX3, DIAGONAL, {4}, 0},
    {"esdirk3", {3}, {3, 3}, {3, 2}, ANY_INDEX3, DIAGONAL, {2}, 0},
    {"esdirk4", {4}, {4, 4}, {3, 2}, ANY_INDEX3, DIAGONAL, {3}, 0},
    {"esdirk5", {5}, {5, 5}, {3, 2}, ANY_INDEX3, DIAGONAL, {4}, 0},
    {"half-explicit-euler", {1}, {1, 1}, {1, 1}, NOT_INDEX3, HALF, ALONE},
    {"hem3", {3}, {3, 3}, {3, 3}, NOT_INDEX3, HALF, ALONE},
    {"hem4", {4}, {4, 4}, {4, 4}, NOT_INDEX3, HALF, ALONE},
    {"hedop5", {5}, {5, 5}, {5, 4}, NOT_INDEX3, HEDOP5, {4}, 0},
    {"projected-gauss1", {2}, {2, 2}, {2, 2}, NOT_INDEX3, PROJECTION, ALONE},
    {"projected-gauss2", {4}, {4, 4}, {4, 4}, NOT_INDEX3, PROJECTION, {1}, 0},
    {"projected-gauss3", {6}, {6, 6}, {6, 6}, NOT_INDEX3, PROJECTION, {2}, 0},
    {"projected-gauss4", {8}, {8, 8}, {8, 8}, NOT_INDEX3, PROJECTION, ALONE},
    {"projected-radau-ia2", {3}, {3, 3}, {2, 2}, NOT_INDEX3, PROJECTION, ALONE},
    {"projected-radau-ia3", {5}, {5, 5}, {4, 4}, NOT_INDEX3, PROJECTION, ALONE},
    {"projected-sdirk-hw18", {4}, {4, 4}, {2, 2}, NOT_INDEX3, PROJECTION, ALONE},
    {"state-space-rk4", {4}, STATE_SPACE(4), ALONE},
    {"state-space-dopri5", {5}, STATE_SPACE(5), {4}, 4},
    {"state-space-gauss1", {2}, STATE_SPACE(2), ALONE},
    {"state-space-gauss2", {4}, STATE_SPACE(4), {1}, 0},
    {"state-space-gauss3", {6}, STATE_SPACE(6), {2}, 0},
    {"state-space-gauss4", {8}, STATE_SPACE(8), ALONE},
    {"state-space-lobatto-iiib3", {4}, STATE_SPACE(4), ALONE},
    {"state-space-radau-ia2", {3}, STATE_SPACE(3), ALONE},
    {"state-space-radau-ia3", {5}, STATE_SPACE(5), ALONE},
    {"rodas4", {4}, {4, 4}, {OPEN, OPEN}, ANY_INDEX3, ROSENBROCK, ALONE},
    {"rodasp", {4}, {4, 4}, {OPEN, OPEN}, ANY_INDEX3, ROSENBROCK, ALONE},
    {"rodas5p", {5}, {5, 5}, {OPEN, OPEN}, ANY_INDEX3, ROSENBROCK, ALONE},
    {"bdf", {5}, {5, 5}, {5, 5}, {5, 5, 5}, BACKWARD, ALONE},
    {"bdf2", {2}, {2, 2}, {2, 2}, {2, 2, 2}, BACKWARD, ALONE},
    {"bdf3", {3}, {3, 3}, {3, 3}, {3, 3, 3}, BACKWARD, ALONE},
    {"bdf4", {4}, {4, 4}, {4, 4}, {4, 4, 4}, BACKWARD, ALONE},
    {"bdf5", {5}, {5, 5}, {5, 5}, {5, 5, 5}, BACKWARD, ALONE},
    {"bdf6", {6}, {6, 6}, {6, 6}, {6, 6, 6}, BACKWARD, ALONE},
    {"mebdf", {8}, {8, 8}, {8, OPEN}, ANY_INDEX3, EXTENDED, ALONE},
    {"adams-bashforth2", {2}, NO_DAE, EXPLICIT, ALONE},
    {"adams-bashforth3", {3}, NO_DAE, EXPLICIT, ALONE},
    {"adams-bashforth4", {4}, NO_DAE, EXPLICIT, ALONE},
    {"adams-bashforth5", {5}, NO_DAE, EXPLICIT, ALONE},
    {"adams-bashforth6", {6}, NO_DAE, EXPLICIT, ALONE},
    {"adams-moulton2", {3}, {3, 3}, NOT_INDEX2, NOT_INDEX3, LINEAR, ALONE},
    {"adams-moulton3", {4}, {4, 4}, NOT_INDEX2, NOT_INDEX3, LINEAR, ALONE},
    {"adams-moulton4", {5}, {5, 5}, NOT_INDEX2, NOT_INDEX3, LINEAR, ALONE},
    {"adams-moulton5", {6}, {6, 6}, NOT_INDEX2, NOT_INDEX3, LINEAR, ALONE},
    {"milne", {4}, {4, 4}, NOT_INDEX2, NOT_INDEX3, LINEAR, ALONE},
    {"two-step", {2}, {2, 2}, {2, 2}, ANY_INDEX3, TWO_STEPS, ALONE},
    {"one-leg-two-step", {2}, {2, 2}, {2, 2}, ANY_INDEX3, TWO_STEPS, ALONE},
    {"one-leg-adams-moulton2", {2}, NO_DAE, ONE_LEG, ALONE},
    {"one-leg-adams-moulton3", {2}, NO_DAE, ONE_LEG, ALONE},
    {"one-leg-adams-moulton4", {2}, NO_DAE, ONE_LEG, ALONE},
    {"one-leg-adams-moulton5", {2}, NO_DAE, ONE_LEG, ALONE},
    {"dcbdf1", {2}, {2, 2}, {2, 1}, ANY_INDEX3, BETA_BLOCKED, ALONE},
    {"dcbdf2", {3}, {3, 3}, {3, 2}, ANY_INDEX3, BETA_BLOCKED, ALONE},
    {"dcbdf3", {4}, {4, 4}, {4, 3}, ANY_INDEX3, BETA_BLOCKED, ALONE},
    {"dcbdf4", {5}, {5, 5}, {5, 4}, ANY_INDEX3, BETA_BLOCKED, ALONE},
    {"dcbdf5", {6}, {6, 6}, {6, 5}, ANY_INDEX3, BETA_BLOCKED, ALONE},
    {"dcbdf2-unblocked", {3}, {3, 3}, NOT_INDEX2, NOT_INDEX3, LINEAR, ALONE},
    {"dcbdf3-unblocked", {4}, {4, 4}, NOT_INDEX2, NOT_INDEX3, LINEAR, ALONE},
    {"dcbdf4-unblocked", {5}, {5, 5}, NOT_INDEX2, NOT_INDEX3, LINEAR, ALONE},
    {"dcbdf5-unblocked", {6}, {6, 6}, NOT_INDEX2, NOT_INDEX3, LINEAR, ALONE},
    {"blocked-adams-moulton2", {3}, {3, 3}, {3, 2}, ANY_INDEX3, BETA_BLOCKED, ALONE},
    {"blocked-adams-moulton3", {4}, {4, 4}, {4, 3}, ANY_INDEX3, BETA_BLOCKED, ALONE},
};

#endif
