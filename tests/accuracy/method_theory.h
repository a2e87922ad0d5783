/* The orders of convergence that theory promises with constant steps, as published: not what the
 * library computes of its rows. */
#ifndef TESTS_ACCURACY_METHOD_THEORY_H
#define TESTS_ACCURACY_METHOD_THEORY_H

enum {
    STAYS = 0,  /* the error is bounded, and does not fall */
    OPEN = -1,  /* nothing is promised, and nothing excluded */
    FAILS = -2, /* does not converge */
};

/* y of an ODE; y and z of index 1 and 2; positions, velocities and multipliers of index 3, where
 * these enter linearly. */
typedef struct theory {
    const char *name;
    int ode[1], index1[2], index2[2], index3[3];
    const char *source;
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

#define NO_DAE                      \
    {FAILS, FAILS}, {FAILS, FAILS}, \
    {                               \
        FAILS, FAILS, FAILS         \
    }
#define NOT_INDEX3          \
    {                       \
        FAILS, FAILS, FAILS \
    }
#define ANY_INDEX3       \
    {                    \
        OPEN, OPEN, OPEN \
    }

/* Index 3 of a stage order of 1, or with R(infinity) of modulus 1 and a singular or not stiffly
 * accurate matrix: the multipliers, of order q - 1, do not converge. */
static const theory theories[] = {
    {"euler", {1}, NO_DAE, EXPLICIT},
    {"midpoint", {2}, NO_DAE, EXPLICIT},
    {"heun2", {2}, NO_DAE, EXPLICIT},
    {"ralston2", {2}, NO_DAE, EXPLICIT},
    {"rk2", {2}, NO_DAE, EXPLICIT},
    {"heun3", {3}, NO_DAE, EXPLICIT},
    {"kutta3", {3}, NO_DAE, EXPLICIT},
    {"ralston3", {3}, NO_DAE, EXPLICIT},
    {"ssprk3", {3}, NO_DAE, EXPLICIT},
    {"rk3", {3}, NO_DAE, EXPLICIT},
    {"rk4", {4}, NO_DAE, EXPLICIT},
    {"rk38", {4}, NO_DAE, EXPLICIT},
    {"ralston4", {4}, NO_DAE, EXPLICIT},
    {"dopri5", {5}, NO_DAE, EXPLICIT},
    {"dop853", {8}, NO_DAE, EXPLICIT},
    {"implicit-euler", {1}, {1, 1}, {1, 1}, {1, 1, 1}, EULER},
    {"radau-iia2", {3}, {3, 3}, {3, 2}, {3, 2, 1}, TABLES},
    {"radau-iia3", {5}, {5, 5}, {5, 3}, {5, 3, 2}, TABLES},
    {"radau-iia5", {9}, {9, 9}, {9, 5}, {9, 5, 4}, TABLES},
    {"radau-iia7", {13}, {13, 13}, {13, 7}, {13, 7, 6}, TABLES},
    {"radau-ia1", {1}, {1, 1}, {1, OPEN}, ANY_INDEX3, TABLES},
    {"radau-ia2", {3}, {3, 2}, {2, 1}, NOT_INDEX3, TABLES},
    {"radau-ia3", {5}, {5, 3}, {3, 2}, ANY_INDEX3, TABLES},
    {"radau-ia5", {9}, {9, 5}, {5, 4}, ANY_INDEX3, TABLES},
    {"radau-ia7", {13}, {13, 7}, {7, 6}, ANY_INDEX3, TABLES},
    {"implicit-midpoint", {2}, {2, 2}, {2, STAYS}, NOT_INDEX3, TABLES},
    {"gauss2", {4}, {4, 2}, {2, STAYS}, NOT_INDEX3, TABLES},
    {"gauss3", {6}, {6, 4}, {4, 2}, NOT_INDEX3, TABLES},
    {"gauss4", {8}, {8, 4}, {4, 2}, NOT_INDEX3, TABLES},
    {"gauss5", {10}, {10, 6}, {6, 4}, ANY_INDEX3, TABLES},
    {"trapezoidal", {2}, {2, 2}, {2, 2}, NOT_INDEX3, IIIA},
    {"lobatto-iiia3", {4}, {4, 4}, {4, 2}, NOT_INDEX3, IIIA},
    {"lobatto-iiia4", {6}, {6, 6}, {6, 4}, ANY_INDEX3, IIIA},
    {"lobatto-iiia3-shifted", {3}, {3, 3}, {3, 3}, ANY_INDEX3, IIIA},
    {"collocation(0,0.6,1)", {3}, {3, 3}, {3, 3}, ANY_INDEX3, IIIA},
    {"lobatto-iiib2", {2}, NO_DAE, ODE_ONLY},
    {"lobatto-iiib3", {4}, NO_DAE, ODE_ONLY},
    {"lobatto-iiib4", {6}, NO_DAE, ODE_ONLY},
    {"lobatto-iiic2", {2}, {2, 2}, {2, 1}, NOT_INDEX3, TABLES},
    {"lobatto-iiic3", {4}, {4, 4}, {4, 2}, {4, 2, 1}, TABLES},
    {"lobatto-iiic4", {6}, {6, 6}, {6, 3}, {6, 3, 2}, TABLES},
    {"lobatto-iiicstar3", {4}, NO_DAE, ODE_ONLY},
    {"lobatto-iiicstar4", {6}, NO_DAE, ODE_ONLY},
    {"sdirk-hw16", {4}, {4, 4}, {2, 1}, NOT_INDEX3, DIAGONAL},
    {"sdirk-hw18", {4}, {4, 2}, {2, 1}, NOT_INDEX3, DIAGONAL},
    {"kvaerno3", {3}, {3, 3}, {3, 2}, ANY_INDEX3, DIAGONAL},
    {"kvaerno4", {4}, {4, 4}, {4, 2}, ANY_INDEX3, DIAGONAL},
    {"kvaerno5", {5}, {5, 5}, {3, 2}, ANY_INDEX3, DIAGONAL},
    {"esdirk3", {3}, {3, 3}, {3, 2}, ANY_INDEX3, DIAGONAL},
    {"esdirk4", {4}, {4, 4}, {3, 2}, ANY_INDEX3, DIAGONAL},
    {"esdirk5", {5}, {5, 5}, {3, 2}, ANY_INDEX3, DIAGONAL},
    {"rodas4", {4}, {4, 4}, {OPEN, OPEN}, ANY_INDEX3, ROSENBROCK},
    {"rodasp", {4}, {4, 4}, {OPEN, OPEN}, ANY_INDEX3, ROSENBROCK},
    {"rodas5p", {5}, {5, 5}, {OPEN, OPEN}, ANY_INDEX3, ROSENBROCK},
};

#endif
