#include "method/multistep.h"
#include "base/text.h"
#include "method/tableau.h"

#include <math.h>
#include <string.h>

/* The error, relative to the sizes of the terms, up to which a condition holds: far above
 * round-off, far below the effect of a wrong digit. */
static const double TOLERANCE = 1e-23;

/* x^k of the points, which are whole numbers down to -METHOD_MOST_STEPS. A double holds it up to k
 * = 17. */
static double power(int x, int k)
{
    double value = 1;
    for (int i = 0; i < k; i++) value *= x;
    return value;
}

/* The defect of order condition q: sum_j alpha_j x_j^q - q sum_j beta_j x_j^(q-1), x_j = j - steps.
 * `size` becomes the sum of the sizes of its terms. */
static quad defect(const method_multistep *f, int q, quad *size)
{
    quad sum = 0;
    *size = 0;
    for (int j = 0; j <= f->steps; j++) {
        if (f->alpha[j] == 0 && f->beta[j] == 0) continue;
        int x = j - f->steps;
        quad of_y = f->alpha[j] * (quad)power(x, q);
        quad of_jacobian = q > 0 ? f->beta[j] * (quad)(q * power(x, q - 1)) : 0;
        sum += of_y - of_jacobian;
        *size += quad_abs(of_y) + quad_abs(of_jacobian);
    }
    return sum;
}

static bool holds(const method_multistep *f, int q)
{
    quad size, off = defect(f, q, &size);
    return quad_abs(off) <= (quad)TOLERANCE * size;
}

/* sum_j beta_j x_j^q */
static quad moment(const method_multistep *f, int q)
{
    quad sum = 0;
    for (int j = 0; j <= f->steps; j++) sum += f->beta[j] * quad_power(j - f->steps, q);
    return sum;
}

/* For a one-leg method whose beta sum to 1: condition q for y' at the point in between, and
 * condition q - 1 for the value there. */
static bool holds_between(const method_multistep *f, int q)
{
    quad at = moment(f, 1), derivative = q * quad_power(at, q - 1), size = quad_abs(derivative);
    quad slope = -derivative, value = moment(f, q - 1) - quad_power(at, q - 1);
    for (int j = 0; j <= f->steps; j++) {
        quad term = f->alpha[j] * quad_power(j - f->steps, q);
        slope += term;
        size += quad_abs(term);
    }
    return quad_abs(slope) <= (quad)TOLERANCE * size && quad_abs(value) <= (quad)TOLERANCE * size;
}

int multistep_order(const method_multistep *f)
{
    enum { MOST = 2 * METHOD_MOST_STEPS };
    int p = 0;
    if (!holds(f, 0)) return 0;
    while (p < MOST && (f->one_leg ? holds_between(f, p + 1) : holds(f, p + 1))) p++;
    return p;
}

double multistep_error_constant(const method_multistep *f)
{
    quad size, sum = 0;
    int p = multistep_order(f);
    for (int j = 0; j <= f->steps; j++) sum += f->beta[j];
    quad constant = defect(f, p + 1, &size) / sum;
    for (int k = 2; k <= p + 1; k++) constant /= k;
    return (double)constant;
}

int multistep_blocker_order(const method_multistep *f)
{
    for (int q = 0;; q++) {
        quad sum = 0, size = 0;
        for (int j = 0; j <= f->steps; j++) {
            quad term = f->gamma[j] * quad_power(j - f->steps, q);
            sum += term;
            size += quad_abs(term);
        }
        if (quad_abs(sum) > (quad)TOLERANCE * size || size == 0) return q;
    }
}

void multistep_roots(const method_multistep *f, multistep_polynomial which, root_problem *found)
{
    *found = (root_problem){.degree = f->steps};
    quad largest = 0;
    for (int j = 0; j <= f->steps; j++) {
        quad value = which == MULTISTEP_RHO ? f->alpha[j] : f->beta[j];
        if (which == MULTISTEP_SIGMA_LESS_TAU) value -= f->gamma[j];
        found->coefficient[j].re = value;
        largest = quad_max(largest, quad_abs(value));
    }
    for (int j = 0; j <= f->steps; j++)
        if (quad_abs(found->coefficient[j].re) <= (quad)TOLERANCE * largest)
            found->coefficient[j].re = 0;
    roots_find(found);
}

double multistep_radius(const method_multistep *f, multistep_polynomial which)
{
    root_problem found;
    multistep_roots(f, which, &found);
    return found.count < f->steps ? HUGE_VAL : roots_radius(&found);
}

bool multistep_is_zero_stable(const method_multistep *f)
{
    const double edge = 1e-10,
                 same = 1e-5; /* a double root is found to 1e-16, a triple one to 1e-11 */
    root_problem found;
    multistep_roots(f, MULTISTEP_RHO, &found);
    for (int i = 0; i < found.count; i++) {
        double size = complex_modulus(found.root[i]);
        if (size > 1 + edge) return false;
        for (int j = 0; j < i && size > 1 - edge; j++) {
            complex_quad apart = complex_difference(found.root[i], found.root[j]);
            if (complex_modulus(apart) < same) return false;
        }
    }
    return true;
}

int multistep_barrier(const method_multistep *f)
{
    int k = f->steps;
    if (f->beta[k] == 0) return k;
    return k % 2 ? k + 1 : k + 2;
}

/* --- text --- */

enum { MOST = METHOD_MOST_STEPS + 1, MOST_OPEN = 2 * MOST };

typedef struct reader {
    method_multistep *f;
    expression e;
} reader;

static void read_row(reader *r, quad *to)
{
    method_multistep *f = r->f;
    int count = expression_row(&r->e, MOST, "more points than a method has steps", to);
    if (f->steps && f->steps != count - 1) expression_fail(&r->e, "rows of different lengths");
    if (count < 2) expression_fail(&r->e, "a formula without steps");
    f->steps = count - 1;
}

static void read_line(void *self)
{
    reader *r = self;
    method_multistep *f = r->f;
    const char *word = r->e.at;
    size_t length = strcspn(word, " |;");
    r->e.at += length + strspn(word + length, " ");
    bool is_row = *r->e.at == '|';
    if (is_row) r->e.at++;
    if (is_row && text_equals(word, length, "alpha")) {
        read_row(r, f->alpha);
    } else if (is_row && text_equals(word, length, "beta")) {
        read_row(r, f->beta);
    } else if (is_row && text_equals(word, length, "gamma")) {
        f->blocked = true;
        read_row(r, f->gamma);
    } else if (!is_row && text_equals(word, length, "one-leg")) {
        f->one_leg = true;
    } else if (!is_row && text_equals(word, length, "variable")) {
        f->variable = true;
    } else {
        expression_fail(&r->e, "a line is not closed, or not understood");
    }
}

/* Collects the open coefficients of a row, which become 0. Returns how many are known by now. */
static int find_open(quad *row, quad **open, int count)
{
    for (int j = 0; j < MOST; j++) {
        if (row[j] == row[j]) continue; /* not NAN */
        row[j] = 0;
        open[count++] = &row[j];
    }
    return count;
}

/* Finds the open coefficients by the conditions. The column of each is the defect with that
 * coefficient equal to 1 and the other ones 0. */
static bool determine(method_multistep *f)
{
    quad m[MOST_OPEN * MOST_OPEN], b[MOST_OPEN], size, *open[MOST_OPEN];
    int of_alpha = find_open(f->alpha, open, 0), n = find_open(f->beta, open, of_alpha);
    int first = of_alpha > 0 ? 0 : 1;
    for (int q = 0; q < n; q++) b[q] = -defect(f, first + q, &size);
    for (int i = 0; i < n; i++) {
        *open[i] = 1;
        for (int q = 0; q < n; q++) m[q * MOST_OPEN + i] = defect(f, first + q, &size) + b[q];
        *open[i] = 0;
    }
    if (n > 0 && !(quad_solve(n, MOST_OPEN, m, b) > 0)) return false;
    for (int i = 0; i < n; i++) *open[i] = b[i];
    bool some = n == 0;
    for (int j = 0; j < MOST; j++) some = some || f->alpha[j] != 0;
    return some;
}

const char *formula_read(method_multistep *f, const char *lines, definitions *names)
{
    reader r = {.f = f, .e = {.at = lines, .names = names, .takes_open = true}};
    expression_lines(&r.e, read_line, &r);
    if (f->steps == 0) expression_fail(&r.e, "a formula without steps");
    if (!r.e.error && !determine(f))
        expression_fail(&r.e, "the order conditions do not determine the coefficients");
    return r.e.error;
}
