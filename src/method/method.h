/* A method: the numbers of one row of the catalogue, in quadruple precision. */
#ifndef METHOD_METHOD_H
#define METHOD_METHOD_H

#include "base/message.h"
#include "base/quad.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    METHOD_MOST_STAGES = 16,
    METHOD_MOST_ORDER_LEVELS = 4,
    METHOD_MOST_DEGREE = 8,
    METHOD_MOST_STEPS = 8,
    METHOD_NAME_SIZE = 256
};

typedef enum method_family {
#define X(name, word, sentence) METHOD_##name,
#include "method/families.def"
#undef X
} method_family;

const char *method_family_word(method_family family);     /* "radau-iia" */
const char *method_family_sentence(method_family family); /* "Radau IIA methods" */

/* A row of the catalogue, catalogue.def. */
typedef struct method_row {
    const char *name;
    const char *aliases; /* separated by blanks, "" where there are none */
    method_family family;
    int stages;             /* of a family that computes its numbers from it; 0: the tableau says */
    const char *parameters; /* "" or e.g. "alpha=3/5 in (0,1]": a name, its default, its range;
                               several are separated by blanks */
    int orders[2];          /* of a method with embedded weights and of its estimate; tests compare
                             * them with the trees, which take longer than a short run; {0}: to be
                             * found */
    const char *tableau; /* the numbers as text (tableau.h), or what it adds to those of the family;
                          * or NULL */
    const char *formula; /* of a multistep method: its numbers as text (tableau.h), or NULL */
    const char
        *structural;   /* of a structural method: its numbers as text (structural.h), or NULL */
    const char *dense; /* continues that text, for dense output; or NULL */
    const char *order_levels; /* of variable order: names of the methods, ascending; or NULL */
    const char *source;       /* author, year, equation */
} method_row;

/* Rows in the order of the catalogue; NULL beyond the last. */
const method_row *method_row_at(size_t i);

/* The numbers of a Rosenbrock method, in the notation of Hairer & Wanner II, Sec. IV.7, on M y' =
 * f(t, y). U = h Gamma K, so that (M / (h gamma) - J) U_i = f(t + alpha_i h, y + sum_j a_ij U_j) +
 * M sum_j c_ij U_j / h + h gamma_i f_t, y_1 = y + sum m_i U_i, error = sum e_i U_i. The value at t
 * + x h is y(t + x h) = (1 - x) y + x (y_1 + (1 - x) (D_1 + x (D_2 + ...))) with D_k = sum_i
 * dense[k-1][i] U_i. */
typedef struct method_rosenbrock {
    quad gamma;
    quad a[METHOD_MOST_STAGES][METHOD_MOST_STAGES], c[METHOD_MOST_STAGES][METHOD_MOST_STAGES];
    quad m[METHOD_MOST_STAGES], e[METHOD_MOST_STAGES];
    quad alpha_sum[METHOD_MOST_STAGES], gamma_sum[METHOD_MOST_STAGES]; /* alpha_i, gamma_i */
    int dense_rows;
    quad dense[METHOD_MOST_DEGREE][METHOD_MOST_STAGES];
    /* the same method as (alpha_ij), (gamma_ij) with b in `method.b`, b_hat in method.b_hat[0] */
    quad alpha[METHOD_MOST_STAGES][METHOD_MOST_STAGES];
    quad gamma_matrix[METHOD_MOST_STAGES][METHOD_MOST_STAGES];
} method_rosenbrock;

/* A linear multistep method, or one derived from it. j = 0 ... steps, the newest point last:
 *
 *   sum_j alpha_j y_(n+j) = h sum_j beta_j y'_(n+j),                     F(t_(n+k), y, y') = 0.
 *
 * For a one-leg method sum_j alpha_j y_(n+j) / h = y', F(sum_j beta_j t_(n+j), sum_j beta_j
 * y_(n+j), y') = 0, with sum_j beta_j = 1. For a blocked one, which makes algebraic variables z
 * converge if the equations have index 2,
 *
 *   sum_j alpha_j y_(n+j) = h (sum_j beta_j y'_(n+j) - y'_z sum_j gamma_j z_(n+j)),
 *
 * where y'_z is the derivative of y' by z at the newest point. gamma is tau of C. Arevalo & G.
 * Soderlind, in which sigma - tau has to have its roots inside the unit circle. sigma - tau
 * multiplies z, sigma the rest. */
typedef struct method_multistep {
    int steps;
    bool one_leg, blocked;
    bool variable; /* steps and order vary; then `steps` is the highest order, and alpha and beta
                    * are those of the formula of that order with constant steps. The last point of
                    * mebdf lies beyond the step: see multistep.def */
    quad alpha[METHOD_MOST_STEPS + 1], beta[METHOD_MOST_STEPS + 1], gamma[METHOD_MOST_STEPS + 1];
} method_multistep;

/* A structural method on q' = v, M v' = r(t, q, v): the generalized-alpha method with the
 * algorithmic accelerations a of Arnold & Bruls, Multibody Syst. Dyn. 18 (2007) 185,
 *
 *   (1 - alpha_m) a_(n+1) + alpha_m a_n = (1 - alpha_f) v'_(n+1) + alpha_f v'_n,
 *   q_(n+1) = q_n + h v_n + h^2 ((1/2 - beta) a_n + beta a_(n+1)),
 *   v_(n+1) = v_n + h ((1 - gamma) a_n + gamma a_(n+1)).
 *
 * The equations of motion hold at t_(n+1). In Newmark's methods a = v'. In the tangent formulation
 * v + delta h^2 v'' takes the place of v in the last two lines. */
typedef struct method_structural {
    quad alpha_m, alpha_f, beta, gamma, delta;
} method_structural;

typedef struct method method;
struct method {
    const method_row *row;
    char name[METHOD_NAME_SIZE]; /* with its parameter, as in "rk2:alpha=0.6" */
    method_family family;
    bool
        decimals; /* published as decimals: conditions hold to 1e-14, else to quadruple precision */

    /* Butcher's tableau: Y_i = y + h sum a_ij Y_j', y_1 = y + h sum b_i Y_i'. For a Rosenbrock
     * method a = alpha + gamma. Rows `stages` to stages + extra - 1 of a and c are additional
     * stages for dense output only (DOP853). */
    int stages, extra;
    quad a[METHOD_MOST_STAGES][METHOD_MOST_STAGES];
    quad b[METHOD_MOST_STAGES], c[METHOD_MOST_STAGES];

    /* Embedded weights, error = h sum (b_i - b_hat_i) Y_i'. With two of them the error is err_1^2 /
     * sqrt(err_1^2 + err_2^2 / 100), where err_k is that of the k-th (Hairer, Norsett & Wanner I,
     * Sec. II.10). */
    int estimators;
    quad b_hat[2][METHOD_MOST_STAGES];

    /* Published dense output: y(t + x h) = y + h sum_i b_i(x) Y_i', with b_i(x) = sum_k dense[k][i]
     * x^(k+1), k < dense_degree, over stages + extra. dense_degree 0: none. */
    int dense_degree;
    quad dense[METHOD_MOST_DEGREE][METHOD_MOST_STAGES];

    method_rosenbrock *rosenbrock; /* NULL in other families */
    method_multistep *multistep;   /* NULL unless a multistep method, which has no stages */
    method_structural *structural; /* NULL unless a structural method, which has none either */

    /* For projected methods and those on the state-space form: the method that makes the step,
     * whose numbers are above as well; otherwise NULL. */
    method *base;

    /* For half-explicit methods: d of half_explicit.h. */
    quad constraint[METHOD_MOST_STAGES][METHOD_MOST_STAGES];

    /* Variable order: the methods between which it changes, ascending. 0 for a method of one order.
     * The numbers above are those of the highest level. */
    int order_levels;
    method *order_level[METHOD_MOST_ORDER_LEVELS];
};

/* Creates the method of that name or alias, with parameters after a colon, as in "rk2:alpha=0.6",
 * or made from its nodes as in "collocation(0,0.6,1)". DAE_USAGE with a sentence in `m` that names
 * what is wrong and what is nearest; DAE_NO_MEMORY. */
dae_status method_create(method **created, const char *name, message *m);

/* The same without the tables of the build (tabulated.h). */
dae_status method_compute(method **created, const char *name, message *m);

void method_free(method *m); /* NULL is fine */

/* Makes a collocation method from its nodes, ascending and distinct: a_ij is the integral of the
 * j-th Lagrange polynomial of the nodes from 0 to c_i. Fills stages, a, b, c. */
void method_collocate(method *m, int stages, const quad *node);

/* The number of past steps that a method without stages uses. */
int method_steps(const method *m);

/* Whether it has an error estimate and so controls its step. The estimate may be embedded weights,
 * one that needs a real eigenvalue of A^-1 (Radau IIA with an odd number of stages), variable
 * steps, or the accelerations of a structural method. */
bool method_is_adaptive(const method *m);

/* Whether the last stage is the end of the step: c_s = 1, a_si = b_i. For a multistep method,
 * whether its equations are solved there, as those of a structural one are. */
bool method_is_stiffly_accurate(const method *m);

/* Whether the first stage is the start of the step: its row of A is 0. */
bool method_begins_at_start(const method *m);

/* Whether a step depends on y' at its start, by a stage or a value there. Other methods continue
 * from y alone. An error estimate does not count. */
bool method_goes_on_from_yp(const method *m);

#endif
