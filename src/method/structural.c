#include "method/structural.h"

#include "base/round_off.h"

#include <math.h>
#include <string.h>

enum { MOST_POWERS = 12 };

/* The error of a condition, relative to 1, up to which it holds. */
static const double TOLERANCE = 1e-23;

/* A factor of modulus 1 may be off by this much. Double roots on the circle are found to 1e-17. */
static const double ON_CIRCLE = ROUND_OFF_ITERATED;

/* --- text --- */

/* The number of that name; 0 if it is not defined. */
static quad value_of(const definitions *names, const char *name)
{
    const quad *value = definitions_find(names, name, strlen(name));
    return value ? *value : 0;
}

const char *structural_read(method_structural *s, const char *lines, definitions *names)
{
    expression e = {.at = lines, .names = names};
    expression_lines(&e, NULL, NULL);
    *s = (method_structural){.alpha_m = value_of(names, "alpha_m"),
                             .alpha_f = value_of(names, "alpha_f"),
                             .beta = value_of(names, "beta"),
                             .gamma = value_of(names, "gamma"),
                             .delta = value_of(names, "delta")};
    if (!(s->alpha_m < 1 && s->alpha_f < 1))
        expression_fail(&e, "alpha_m and alpha_f must be below 1");
    return e.error;
}

/* --- order --- */

/* poly += factor a(z) b(z), with coefficients from the constant one on. */
static void add_product(quad *poly, quad factor, int na, const quad *a, int nb, const quad *b)
{
    for (int i = 0; i <= na; i++)
        for (int j = 0; j <= nb; j++) poly[i + j] += factor * a[i] * b[j];
}

/* D = (1 - gamma + gamma z) + (z - 1) (1/2 - beta + beta z): the weights by gamma and beta of a_n
 * and a_(n+1), constant first. v gains (1 - gamma + gamma z) a, q gains v + (1/2 - beta + beta z)
 * a. */
static void find_weights(const method_structural *s, quad *weights)
{
    const quad half = (quad)1 / 2;
    weights[0] = 1 - s->gamma - (half - s->beta);
    weights[1] = s->gamma + half - 2 * s->beta;
    weights[2] = s->beta;
}

/* inertia += ((1 - alpha_m) z + alpha_m) (z - 1)^2, force += factor ((1 - alpha_f) z + alpha_f) D
 */
static void add_motion(const method_structural *s, quad factor, quad *inertia, quad *force)
{
    const quad square[] = {1, -2, 1}, mass[] = {s->alpha_m, 1 - s->alpha_m};
    const quad part[] = {s->alpha_f, 1 - s->alpha_f};
    quad weights[3];
    find_weights(s, weights);
    add_product(inertia, 1, 1, mass, 2, square);
    add_product(force, factor, 1, part, 2, weights);
}

/* The coefficient of x^m in a polynomial of z = e^x. */
static quad coefficient(int degree, const quad *poly, int m)
{
    quad sum = 0;
    for (int k = 0; k <= degree && m >= 0; k++) {
        quad term = poly[k];
        for (int i = 1; i <= m; i++) term *= (quad)k / i;
        sum += term;
    }
    return sum;
}

static bool is_zero(quad x)
{
    return quad_abs(x) <= (quad)TOLERANCE;
}

/* Exact motions e^(x t/h) leave a defect in the positions,
 *
 *   ((1 - alpha_m) z + alpha_m) (z - 1)^2 - ((1 - alpha_f) z + alpha_f) D x^2
 *
 * and in the velocity that belongs to them, (z - 1) (1 - gamma + gamma z) - (x + delta x^3) D. The
 * order is p if they are of x^(p+2); the second has lost one power to D. */
int structural_order(const method_structural *s, bool corrected)
{
    const quad rise[] = {-1, 1}, gamma[] = {1 - s->gamma, s->gamma};
    quad inertia[4] = {0}, force[4] = {0}, velocity[3] = {0}, weights[3];
    quad delta = corrected ? s->delta : 0;
    int p = 0, v = 0;
    add_motion(s, 1, inertia, force);
    add_product(velocity, 1, 1, rise, 1, gamma);
    find_weights(s, weights);
    while (p < MOST_POWERS && is_zero(coefficient(3, inertia, p) - coefficient(3, force, p - 2)))
        p++;
    while (v < MOST_POWERS && is_zero(coefficient(2, velocity, v) - coefficient(2, weights, v - 1) -
                                      delta * coefficient(2, weights, v - 3)))
        v++;
    return p - 2 < v - 1 ? p - 2 : v - 1;
}

/* The settled accelerations are a_n = q'' + D h q''' + E h^2 q''''. */
void structural_errors(const method_structural *s, double *position, double *velocity)
{
    double alpha_m = (double)s->alpha_m, alpha_f = (double)s->alpha_f;
    double shift = alpha_m - alpha_f;
    double bend = (1 - alpha_f) / 2 - (1 - alpha_m) * (0.5 + shift);
    *position = 1 / 6.0 - (double)s->beta - shift / 2;
    *velocity = 1 / 6.0 - bend - (double)s->gamma * (0.5 + shift);
}

/* --- stability --- */

/* ((1-alpha_m) z + alpha_m) (z-1)^2 + ((1-alpha_f) z + alpha_f) (W^2 D + 2 xi W (z-1) (1 - gamma +
 * gamma z)), W = omega h. If the alphas are 0 both terms have a factor z, which stays. */
void structural_polynomial(const method_structural *s, double omega, double xi, root_problem *p)
{
    quad poly[ROOTS_MOST + 1] = {0}, w = (quad)omega, damping = 2 * (quad)xi * w;
    const quad force[] = {s->alpha_f, 1 - s->alpha_f};
    const quad velocity[] = {s->gamma - 1, 1 - 2 * s->gamma, s->gamma};
    add_motion(s, w * w, poly, poly);
    add_product(poly, damping, 1, force, 2, velocity);
    p->degree = 3;
    for (int k = 0; k <= 3; k++) p->coefficient[k] = (complex_quad){poly[k], 0};
}

double structural_radius(const method_structural *s, double omega, double xi)
{
    root_problem p = {0};
    structural_polynomial(s, omega, xi, &p);
    roots_find(&p);
    return roots_radius(&p);
}

double structural_radius_at_infinity(const method_structural *s, int level)
{
    quad weights[3];
    root_problem p = {.degree = level - 1};
    double force = (double)(quad_abs(s->alpha_f) / (1 - s->alpha_f));
    if (level == 1) return (double)(quad_abs(s->alpha_m) / (1 - s->alpha_m));
    find_weights(s, weights);
    if (level == 2) {
        weights[0] = 1 - s->gamma;
        weights[1] = s->gamma;
    }
    for (int k = 0; k < level; k++) p.coefficient[k] = (complex_quad){weights[k], 0};
    roots_find(&p);
    return p.count < level - 1 ? HUGE_VAL : fmax(force, roots_radius(&p));
}

static bool is_stable(const method_structural *s, double omega, double xi)
{
    return structural_radius(s, omega, xi) <= 1 + ON_CIRCLE;
}

/* Bisects between a stable frequency and an unstable one. */
static double bisect(const method_structural *s, double low, double high, double xi)
{
    while (high - low > ROUND_OFF_ITERATED * high) {
        double middle = (low + high) / 2;
        if (is_stable(s, middle, xi))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* (1 - 2 alpha_f) (W^2 (gamma/2 - beta) - 2 xi W (gamma - 1/2)) = 1 - 2 alpha_m. */
double structural_turning_point(const method_structural *s, double xi)
{
    double bend = (double)((1 - 2 * s->alpha_f) * (s->gamma / 2 - s->beta));
    double excess = xi * (double)((1 - 2 * s->alpha_f) * (s->gamma - (quad)1 / 2));
    double inertia = 1 - 2 * (double)s->alpha_m;
    return bend > TOLERANCE ? (excess + sqrt(excess * excess + bend * inertia)) / bend : HUGE_VAL;
}

/* The factors themselves show whether all lower frequencies are stable: if gamma is too small, a
 * pair of factors leaves the circle before the turning point. */
double structural_limit(const method_structural *s, double xi)
{
    double limit = structural_turning_point(s, xi), last = 0;
    for (double w = 1e-3; w < fmin(limit, 1e6); last = w, w *= 1.25)
        if (!is_stable(s, w, xi)) return last > 0 ? bisect(s, last, w, xi) : 0;
    return limit;
}
