/* Makes the replacement of an equation and checks that it is equivalent. */
#include "base/round_off.h"
#include "structure/conversion_parts.h"

#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A combination without its highest derivatives must equal the one with them, up to this part of
 * its terms. */
static const double AGREEMENT = 1e-9;

/* The effect of each entry of the prolongation on a combination: the partial derivative, and the
 * sizes of its parts, at each sample. */
typedef struct influence {
    double sum[SAMPLES], size[SAMPLES];
    bool switches;
} influence;

/* Add the influences in one part; false if its derivatives are not finite. */
static bool add_influences(const conversion *v, sym part, influence *by)
{
    sym_partials partials = {0};
    sym_gradient(v->g, part, &partials);
    sym *f = arena_array(v->a, partials.count, sizeof *f);
    double *value = arena_array(v->a, SAMPLES * partials.count, sizeof *value);
    for (size_t k = 0; k < partials.count; k++) f[k] = partials.item[k].value;
    if (!conversion_look(v, partials.count, f, value)) return false;
    for (size_t k = 0; k < partials.count; k++) {
        sym_view leaf = sym_look(v->g, partials.item[k].leaf);
        if (leaf.op != SYM_VARIABLE) continue;
        influence *to = &by[prolongation_slot(v->p, &leaf) - 1];
        to->switches = to->switches || sym_has_pieces(v->g, f[k]);
        for (size_t s = 0; s < SAMPLES; s++) {
            to->sum[s] += value[s * partials.count + k];
            to->size[s] += fabs(value[s * partials.count + k]);
        }
    }
    return true;
}

typedef struct leading {
    const conversion *v;
    const influence *by;
    uint32_t c; /* of the equation that is replaced */
    bool keeps; /* a highest derivative may stay */
} leading;

/* Whether a combination does not depend on a leaf, up to round-off. Highest derivatives are among
 * these. */
static bool is_gone(const leading *l, const sym_view *leaf)
{
    uint32_t j = l->v->core->column_of[leaf->id], d = l->v->p->d[j];
    bool highest = j < l->v->n && d >= l->c && leaf->order == d - l->c;
    if (highest && !l->keeps && !(l->v->as_given && d == 0)) return true;
    const influence *by = &l->by[prolongation_slot(l->v->p, leaf) - 1];
    for (int s = 0; s < SAMPLES; s++)
        if (fabs(by->sum[s]) > ROUND_OFF_ITERATED * by->size[s]) return false;
    return !by->switches;
}

/* Whether what is left out of a combination as rounding, and what rounding makes of the rest, is
 * little beside what stays. Where equations differ by less than their coefficients tell, what stays
 * is rounding as well. */
static bool tells_apart(const leading *l)
{
    const conversion *v = l->v;
    double kept = 0, rounding = 0;
    for (size_t j = 0; j < v->p->columns; j++)
        for (uint32_t order = 0; order <= v->p->d[j]; order++) {
            sym_view leaf = sym_look(v->g, sym_variable(v->g, v->p->unknown[j], order));
            const influence *by = &l->by[v->p->first[j] + order];
            bool gone = is_gone(l, &leaf);
            double unit = conversion_size(v, j, order);
            for (int s = 0; s < SAMPLES; s++) {
                double sum = fabs(by->sum[s]);
                rounding = fmax(rounding, unit * (gone ? sum : DBL_EPSILON * by->size[s]));
                if (!gone) kept = fmax(kept, unit * sum);
            }
        }
    return rounding <= CONVERSION_LITTLE * kept;
}

static sym without_leading(void *context, sym leaf)
{
    const leading *l = context;
    sym_view view = sym_look(l->v->g, leaf);
    return is_gone(l, &view) ? sym_number(l->v->g, 0) : leaf;
}

bool conversion_agree(const conversion *v, size_t count, const sym *f)
{
    double *value = arena_array(v->a, SAMPLES * count, sizeof *value);
    if (!conversion_look(v, count, f, value)) return false;
    for (size_t s = 1; s < SAMPLES; s++) { /* at the first sample each part may be met */
        const double *at = value + s * count;
        double size = 0;
        for (size_t k = 2; k < count; k++) size += fabs(at[k]);
        if (!(fabs(at[0] - at[1]) <= AGREEMENT * size)) return false;
    }
    return true;
}

/* Set f[1] to f[0] without the leaves on which it does not depend; the parts of f[0] follow f[1].
 * SYM_NONE if both differ. */
static sym remove_leading(const conversion *v, size_t l, const influence *by, bool keeps,
                          size_t count, sym *f)
{
    leading context = {.v = v, .by = by, .c = v->p->c[l], .keeps = keeps};
    f[1] = f[0];
    if (!tells_apart(&context)) return SYM_NONE;
    sym_substitute(v->g, 1, &f[1], without_leading, &context);
    return conversion_agree(v, count, f) ? f[1] : SYM_NONE;
}

/* A factor as a part between 0.5 and 1 in magnitude, times 2^BITS, and the power of two. */
enum { BITS = 12 };

typedef struct ratio {
    double factor, part;
    int exponent;
} ratio;

static ratio ratio_of(double factor)
{
    ratio r = {.factor = factor};
    r.part = ldexp(frexp(factor, &r.exponent), BITS);
    return r;
}

static bool is_whole_scaled(const ratio *r, int q)
{
    static const double ROUNDED = ROUND_OFF_SUM;
    double multiple = q * r->part;
    return fabs(multiple - round(multiple)) <= ROUNDED * fabs(multiple);
}

/* Whether q times the factor is a small whole number. A power of two is allowed, because units and
 * the sizes of rows leave one, and so is the rounding of an elimination. */
static bool is_whole(const ratio *r, int q)
{
    static const double WHOLE = 1e-11;
    double whole = round(q * r->factor);
    return is_whole_scaled(r, q) || (whole != 0 && fabs(q * r->factor - whole) <= WHOLE * q);
}

/* That number. */
static double whole_of(const ratio *r, int q)
{
    if (!is_whole_scaled(r, q)) return round(q * r->factor);
    return ldexp(round(q * r->part), r->exponent - BITS);
}

/* The number that turns all factors of a row into whole numbers; 0 if no small one does.
 * Elimination has divided by pivots. The rounding of a third, beside a coefficient of 1e9, can
 * exceed the remainder of other terms. With whole numbers, terms that cancel give exactly zero. */
static int find_multiple(const conversion *v, size_t l)
{
    enum { MOST = 20000 };
    size_t count = 0;
    ratio *factor = arena_array(v->a, v->n, sizeof *factor);
    for (size_t k = 0; k < v->n; k++) {
        double number;
        if (!sym_is_number(v->g, v->factor[l * v->n + k].value, &number)) return 0;
        if (number != 0) factor[count++] = ratio_of(number);
    }
    for (int q = 1; q <= MOST; q++) {
        bool whole = true;
        for (size_t k = 0; k < count && whole; k++) whole = is_whole(&factor[k], q);
        if (whole) return q;
    }
    return 0;
}

static sym take_factor(const conversion *v, sym factor, int multiple)
{
    double number;
    if (multiple == 0 || !sym_is_number(v->g, factor, &number)) return factor;
    const ratio r = ratio_of(number);
    return sym_number(v->g, whole_of(&r, multiple));
}

/* Whether an equation, not differentiated, is not linear in the derivative that it has a pivot
 * for. */
static bool is_bent(const conversion *v, size_t k)
{
    const prolongation *p = v->p;
    size_t at = 0;
    while (at < v->pivots && v->pivot_row[at] != k) at++;
    if (at == v->pivots) return false;
    size_t j = v->pivot_column[at];
    sym slope, rest, leaf = sym_variable(v->g, p->unknown[j], p->d[j] - p->c[k]);
    return !sym_split_linear(v->g, p->row[p->first_row[k]], leaf, &slope, &rest);
}

/* Whether equation k belongs to the combination that replaces equation l. */
static bool takes_part(const conversion *v, size_t l, size_t k, bool without_bent)
{
    bool bent = without_bent && k != l && v->p->c[k] == v->p->c[l] && is_bent(v, k);
    return !term_is_zero(v, &v->factor[l * v->n + k]) && !bent;
}

/* The variable of what row k is made of, differentiated so often. */
static sym part_of(const conversion *v, size_t k, uint32_t order)
{
    sym part = v->core->residual[v->n + k];
    for (uint32_t i = 0; i < order; i++) part = sym_time_derivative(v->g, part);
    return part;
}

sym conversion_made(const conversion *v, size_t l, bool without_bent)
{
    int multiple = find_multiple(v, l);
    const uint32_t *c = v->p->c;
    sym sum = sym_number(v->g, 0);
    for (size_t k = 0; k < v->n; k++) {
        if (!takes_part(v, l, k, without_bent)) continue;
        sym part = part_of(v, k, c[k] > c[l] ? c[k] - c[l] : 0);
        sym factor = take_factor(v, v->factor[l * v->n + k].value, multiple);
        sum = sym_add(v->g, sum, sym_multiply(v->g, factor, part));
    }
    return sum;
}

/* The sizes of the terms of a combination, in what was made otherwise of the same equations. */
static bool take_sizes(const conversion *v, size_t l, influence *by)
{
    const prolongation *p = v->p;
    influence *parts = arena_array(v->a, p->size, sizeof *parts);
    for (size_t k = 0; k < v->n; k++) {
        const term *u = &v->factor[l * v->n + k];
        if (!takes_part(v, l, k, false) || p->c[k] < p->c[l]) continue;
        sym row = p->row[p->first_row[k] + p->c[k] - p->c[l]];
        if (!add_influences(v, sym_multiply(v->g, u->value, row), parts)) return false;
    }
    for (size_t i = 0; i < p->size; i++)
        for (size_t s = 0; s < SAMPLES; s++) by[i].size[s] = fmax(by[i].size[s], parts[i].size[s]);
    return true;
}

sym conversion_combine(const conversion *v, size_t l, bool without_bent)
{
    int multiple = find_multiple(v, l);
    const prolongation *p = v->p;
    sym *f = arena_array(v->a, 2 + v->n, sizeof *f);
    influence *by = arena_array(v->a, p->size, sizeof *by);
    size_t count = 2;
    f[0] = sym_number(v->g, 0);
    for (size_t k = 0; k < v->n; k++) {
        const term *u = &v->factor[l * v->n + k];
        if (!takes_part(v, l, k, without_bent)) continue;
        sym factor = take_factor(v, u->value, multiple);
        sym part = sym_multiply(v->g, factor, p->row[p->first_row[k] + p->c[k] - p->c[l]]);
        f[0] = sym_add(v->g, f[0], part);
        f[count++] = part;
        if (!add_influences(v, part, by)) return SYM_NONE;
    }
    return remove_leading(v, l, by, without_bent, count, f);
}

/* Replaces the leaf in a row by its solution of another row, where it has `slope`. Where the row is
 * linear in the leaf, it becomes the row less a multiple of the other one; an equation that always
 * holds changes nothing. */
static void solve_in(const conversion *v, sym leaf, sym slope, sym solution, sym other, sym *row,
                     sym *made)
{
    sym own, rest, before = *row;
    sym_substitute_leaf(v->g, 1, row, leaf, solution);
    if (*row == before || *made == SYM_NONE) return;
    if (other != SYM_NONE && conversion_always_holds(v, other)) return;
    bool linear = other != SYM_NONE && sym_split_linear(v->g, before, leaf, &own, &rest);
    *made = linear
                ? sym_subtract(v->g, *made, sym_multiply(v->g, sym_divide(v->g, own, slope), other))
                : SYM_NONE;
}

sym conversion_substitute(const conversion *v, size_t l, sym *made)
{
    const prolongation *p = v->p;
    uint32_t c = p->c[l];
    size_t last = v->pivots;
    sym *row = arena_array(v->a, 2 * (last + 1), sizeof *row), *of = row + last + 1, f[3];
    influence *by = arena_array(v->a, p->size, sizeof *by);
    row[last] = p->row[p->first_row[l]];
    of[last] = part_of(v, l, 0);
    for (size_t k = 0; k < last; k++) {
        size_t i = v->pivot_row[k];
        row[k] = sym_number(v->g, 0);
        of[k] = SYM_NONE;
        if (p->c[i] < c) continue;
        row[k] = p->row[p->first_row[i] + p->c[i] - c];
        of[k] = part_of(v, i, p->c[i] - c);
    }
    for (size_t k = 0; k < last; k++) {
        uint32_t d = p->d[v->pivot_column[k]];
        if (term_is_zero(v, &v->factor[l * v->n + v->pivot_row[k]])) continue;
        if (p->c[v->pivot_row[k]] < c || d < c) return SYM_NONE;
        sym slope, rest, leaf = sym_variable(v->g, p->unknown[v->pivot_column[k]], d - c);
        if (!sym_split_linear(v->g, row[k], leaf, &slope, &rest)) return SYM_NONE;
        sym solution = sym_negate(v->g, sym_divide(v->g, rest, slope));
        for (size_t r = k + 1; r <= last; r++)
            solve_in(v, leaf, slope, solution, of[k], &row[r], &of[r]);
    }
    *made = of[last];
    f[0] = f[2] = row[last];
    if (!add_influences(v, f[0], by) || !take_sizes(v, l, by)) return SYM_NONE;
    return remove_leading(v, l, by, false, 3, f);
}
