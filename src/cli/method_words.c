/* Describes a method in words. */
#include "cli/commands.h"
#include "method/catalogue.h"
#include "method/multistep.h"
#include "method/structural.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- structural methods --- */

/* Prints order, error estimate and limits of the step on standard output. */
static void print_structural_orders(const method *given, const method_properties *p)
{
    const method_structural *s = given->structural;
    printf("  order %d", p->order);
    if (s->delta != 0)
        printf(" in the tangent, where v + delta h^2 v'' is carried; else %d",
               structural_order(s, false));
    printf("\n  error estimate from the accelerations\n");
}

static void print_limit(const method_structural *s, double xi)
{
    double limit = structural_limit(s, xi);
    if (isfinite(limit))
        printf("%.6g with damping ratio %g", limit, xi);
    else
        printf("none with damping ratio %g", xi);
}

static void print_structural_stability(const method *given, const method_properties *p)
{
    static const double ratio[] = {0, 0.05, 0.5};
    printf("  spectral radius at infinite frequency: ");
    if (isfinite(p->r_infinity))
        printf("%.6g\n", p->r_infinity);
    else
        printf("unbounded\n");
    if (p->a_stable)
        printf("  unconditionally stable\n");
    else
        printf("  %s\n", structural_limit(given->structural, 0) > 0 ? "conditionally stable"
                                                                    : "not stable without damping");
    printf("  limit of omega h: ");
    for (size_t k = 0; k < sizeof ratio / sizeof *ratio; k++) {
        if (k > 0) printf(", ");
        print_limit(given->structural, ratio[k]);
    }
    putchar('\n');
}

static void print_order(const char *before, const char *of, int order)
{
    if (order == METHOD_NO_ORDER)
        printf("%s%s -", before, of);
    else
        printf("%s%s %d", before, of, order);
}

static void print_structural_constrained(const method_properties *p)
{
    static const char *const level[] = {"accelerations", "velocities", "positions"};
    const int *const order[] = {p->index1, p->index2, p->index3};
    printf("  order with constraints on one level (- where it need not converge):\n");
    for (int k = 2; k >= 0; k--) {
        printf("    %s:", level[k]);
        print_order(" ", "motion", order[k][0]);
        print_order(", ", "multipliers", order[k][k == 2 ? 2 : 1]);
        putchar('\n');
    }
}

enum { CELL = 40 };

/* --- numbers --- */

/* Writes x as a fraction of moderate whole numbers, if it is one, by its continued fraction;
 * otherwise with twelve digits. */
static void write_cell(char *to, quad x)
{
    const quad exact = (quad)1e-29;
    const double limit = 1e9;
    quad rest = quad_abs(x);
    double above = 1, above_old = 0, below = 0, below_old = 1;
    for (int k = 0; k < 40; k++) {
        double whole = floor((double)rest);
        if ((quad)whole > rest) whole -= 1; /* the double was rounded up */
        double next = whole * above + above_old, next_below = whole * below + below_old;
        if (next > limit || next_below > limit) break;
        above_old = above;
        below_old = below;
        above = next;
        below = next_below;
        if (quad_abs(quad_abs(x) - (quad)above / (quad)below) <= exact * (1 + quad_abs(x))) {
            const char *sign = x < 0 && above > 0 ? "-" : "";
            if (below == 1)
                snprintf(to, CELL, "%s%.0f", sign, above);
            else
                snprintf(to, CELL, "%s%.0f/%.0f", sign, above, below);
            return;
        }
        rest = 1 / (rest - (quad)whole);
    }
    snprintf(to, CELL, "%.12g", (double)x);
}

/* The rows of a tableau: a margin, and a number of cells. */
typedef struct tableau {
    int columns, rows;
    char margin[METHOD_MOST_STAGES + 3][CELL];
    char cell[METHOD_MOST_STAGES + 3][METHOD_MOST_STAGES][CELL];
} tableau;

/* Adds a row. Cells right of the diagonal are left out where they are zero in all rows, as is
 * usual. */
static void add_row(tableau *t, const char *margin, int columns, int shown, const quad *value)
{
    int row = t->rows++;
    snprintf(t->margin[row], CELL, "%s", margin);
    t->columns = columns;
    for (int j = 0; j < columns; j++) {
        t->cell[row][j][0] = '\0';
        if (j < shown) write_cell(t->cell[row][j], value[j]);
    }
}

static int width_of(const tableau *t, int column)
{
    size_t widest = 0;
    for (int i = 0; i < t->rows; i++) {
        size_t width = strlen(column < 0 ? t->margin[i] : t->cell[i][column]);
        if (width > widest) widest = width;
    }
    return (int)widest;
}

/* Prints a tableau, with a line below its first `matrix` rows. */
static void print_tableau(const tableau *t, int matrix)
{
    int margin = width_of(t, -1);
    for (int i = 0; i < t->rows; i++) {
        if (i == matrix) {
            printf("  ");
            for (int k = 0; k < margin + 1; k++) putchar('-');
            putchar('+');
            for (int j = 0; j < t->columns; j++)
                for (int k = 0; k < width_of(t, j) + 2; k++) putchar('-');
            putchar('\n');
        }
        int last = t->columns - 1;
        while (last >= 0 && !t->cell[i][last][0]) last--;
        printf("  %*s |", margin, t->margin[i]);
        for (int j = 0; j <= last; j++) printf("  %*s", width_of(t, j), t->cell[i][j]);
        putchar('\n');
    }
    putchar('\n');
}

/* The number of cells shown in a row: all, up to the diagonal, or those before it. */
static int shown_in_row(int n, const quad (*m)[METHOD_MOST_STAGES], int row)
{
    int beyond = -1; /* the diagonal is 0 beyond the diagonal */
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            if (m[i][j] != 0 && j - i > beyond) beyond = j - i;
    return beyond > 0 ? n : row + 1 + beyond;
}

static void print_weights(const method *given, tableau *t)
{
    static const char *const name[] = {"b_hat", "b_hat_2"};
    add_row(t, "b", given->stages, given->stages, given->b);
    for (int k = 0; k < given->estimators; k++)
        add_row(t, name[k], given->stages, given->stages, given->b_hat[k]);
    print_tableau(t, given->stages);
}

static void print_butcher(const method *given)
{
    tableau t = {0};
    for (int i = 0; i < given->stages; i++) {
        char node[CELL];
        write_cell(node, given->c[i]);
        add_row(&t, node, given->stages, shown_in_row(given->stages, given->a, i), given->a[i]);
    }
    print_weights(given, &t);
}

static void print_rosenbrock(const method *given)
{
    const method_rosenbrock *r = given->rosenbrock;
    tableau alpha = {0}, gamma = {0};
    for (int i = 0; i < given->stages; i++) {
        add_row(&alpha, "alpha", given->stages, shown_in_row(given->stages, r->alpha, i),
                r->alpha[i]);
        add_row(&gamma, "gamma", given->stages, shown_in_row(given->stages, r->gamma_matrix, i),
                r->gamma_matrix[i]);
    }
    print_tableau(&alpha, given->stages);
    print_weights(given, &gamma);
}

static void print_formula(const method_multistep *f)
{
    tableau t = {0};
    int n = f->steps + 1;
    add_row(&t, "alpha", n, n, f->alpha);
    add_row(&t, "beta", n, n, f->beta);
    if (f->blocked) add_row(&t, "gamma", n, n, f->gamma);
    print_tableau(&t, t.rows);
}

static void print_structural(const method_structural *s)
{
    static const char *const name[] = {"alpha_m", "alpha_f", "beta", "gamma", "delta"};
    const quad value[] = {s->alpha_m, s->alpha_f, s->beta, s->gamma, s->delta};
    tableau t = {0};
    for (int k = 0; k < 5; k++) add_row(&t, name[k], 1, 1, value + k);
    print_tableau(&t, t.rows);
}

static void print_numbers(const method *given)
{
    if (given->structural)
        print_structural(given->structural);
    else if (given->multistep)
        print_formula(given->multistep);
    else if (given->rosenbrock)
        print_rosenbrock(given);
    else
        print_butcher(given);
}

/* --- words --- */

static void print_title(const method *given)
{
    printf("%s", given->name);
    const char *alias = given->row->aliases;
    for (const char *before = ", also "; *alias; before = ", ") {
        int length = (int)strcspn(alias, " ");
        printf("%s%.*s", before, length, alias);
        alias += length + (alias[length] == ' ');
    }
    int size = given->multistep ? method_steps(given) : given->stages;
    printf(": of the %s", method_family_sentence(given->family));
    if (!given->structural)
        printf(", %d %s%s", size, given->multistep ? "step" : "stage", size == 1 ? "" : "s");
    putchar('\n');
    if (given->row->parameters[0]) printf("  parameters: %s\n", given->row->parameters);
    if (given->order_levels) {
        printf("  changes between");
        for (int k = 0; k < given->order_levels; k++)
            printf("%s %d", k ? "," : "", given->order_level[k]->stages);
        printf(" stages; what follows is said of the last\n");
    }
    printf("  %s%s\n\n", given->row->source,
           given->decimals ? " (published as decimals: conditions hold to 1e-14)" : "");
}

static void print_multistep_order(const method *given, const method_properties *p)
{
    const method_multistep *f = given->multistep;
    if (f->variable)
        printf("  varies its steps and its order; what follows is said of the highest\n");
    printf("  order %d", p->order);
    if (isfinite(p->error_constant)) printf(", error constant %.6g", p->error_constant);
    printf("\n  %szero-stable", p->zero_stable ? "" : "not ");
    if (p->barrier != METHOD_NO_ORDER)
        printf("; Dahlquist's barrier for zero-stable %s methods of %d steps is order %d%s",
               f->beta[f->steps] == 0 ? "explicit" : "implicit", f->steps, p->barrier,
               p->zero_stable && p->order == p->barrier ? ", which it meets" : "");
    printf("\n");
    if (!f->variable) printf("  no error estimate: fixed steps only\n");
    if (f->one_leg)
        printf("  its equations are solved at one point between those of the formula\n");
    if (f->blocked)
        printf("  largest root of sigma - tau: %.6g\n",
               multistep_radius(f, MULTISTEP_SIGMA_LESS_TAU));
}

static void print_orders(const method *given, const method_properties *p)
{
    if (given->multistep) {
        print_multistep_order(given, p);
        return;
    }
    printf("  order %d, stage order %d, D(%d), error constant %.6g\n", p->order, p->stage_order,
           p->d_order, p->error_constant);
    if (p->stiffly_accurate) printf("  stiffly accurate: the last stage is the end of the step\n");
    if (p->embedded_order != METHOD_NO_ORDER)
        printf("  error estimate from embedded weights of order %d%s\n", p->embedded_order,
               p->estimator_stiffly_accurate ? ", themselves a stage at the end of the step" : "");
    else if (method_is_adaptive(given))
        printf("  error estimate from a real eigenvalue of A^-1\n");
    else
        printf("  no error estimate: fixed steps only\n");
}

static void print_stability(const method *given, const method_properties *p)
{
    const char *limit = given->multistep ? "spectral radius at infinity" : "R(infinity)";
    if (isfinite(p->r_infinity))
        printf("  %s = %.6g; ", limit, p->r_infinity);
    else
        printf("  %s is unbounded; ", limit);
    if (p->l_stable)
        printf("A-stable and L-stable\n");
    else if (p->a_stable)
        printf("A-stable, not L-stable\n");
    else if (p->alpha_degrees > 0)
        printf("A(alpha)-stable with alpha = %.4f degrees\n", p->alpha_degrees);
    else
        printf("not A(alpha)-stable for any alpha\n");
    if (given->multistep && p->a_stable)
        printf("  A-stable multistep methods have at most order 2 (Dahlquist's second barrier)\n");
    if (given->rosenbrock || given->multistep) return; /* the rest applies to Runge-Kutta methods */
    printf("  %salgebraically stable", p->algebraically_stable ? "" : "not ");
    if (p->an_stable >= 0)
        printf(", %sAN-stable\n", p->an_stable ? "" : "not ");
    else
        printf("; AN-stability not decided, for nodes coincide\n");
}

static void print_dae_orders(const method_properties *p)
{
    static const char *const name[] = {"y", "z"};
    static const char *const in_motion[] = {"positions", "velocities", "multipliers"};
    if (p->index1[0] == METHOD_NO_ORDER) {
        printf("  nothing is promised on DAEs\n");
        return;
    }
    printf("  order on DAEs (- where nothing is promised):\n");
    for (int k = 0; k < 2; k++) print_order(k ? ", " : "    index 1: ", name[k], p->index1[k]);
    print_order("\n    index 1 as F(t, y, y') = 0, the kernel of F_y' moving: ", "y",
                p->moving_kernel);
    for (int k = 0; k < 2; k++) print_order(k ? ", " : "\n    index 2: ", name[k], p->index2[k]);
    for (int k = 0; k < 3; k++)
        print_order(k ? ", " : "\n    index 3: ", in_motion[k], p->index3[k]);
    putchar('\n');
}

static void print_forms(const method_properties *p)
{
    const char *form[METHOD_MOST_FORMS];
    size_t count = method_forms(p, form);
    for (size_t k = 0; k < count; k++) printf("%s%s", k ? ", " : "  advances the forms ", form[k]);
    if (p->index1[0] == METHOD_NO_ORDER) printf("; all where they determine y'");
    putchar('\n');
}

static void print_frequencies(const method *given)
{
    enum { POINTS = 7 };
    method_frequency at[POINTS];
    method_frequencies(given, 1e-2, 10, POINTS, at);
    printf("  on %s:\n    omega h  spectral radius  phase error\n",
           given->structural ? "q'' = -omega^2 q" : "y' = i omega y");
    for (int i = 0; i < POINTS; i++)
        printf("    %7.4f  %15.9f  %11.3e\n", at[i].omega, at[i].radius, at[i].phase);
}

void method_words_print(const method *given, const method_properties *p)
{
    print_title(given);
    print_numbers(given);
    if (given->structural) {
        print_structural_orders(given, p);
        print_structural_stability(given, p);
        print_structural_constrained(p);
    } else {
        print_orders(given, p);
        print_stability(given, p);
        print_dae_orders(p);
    }
    print_forms(p);
    print_frequencies(given);
}
