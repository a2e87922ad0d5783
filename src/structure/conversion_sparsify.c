/* Equations less multiples of others that make them simpler.
 *
 * Equations may hide others by factors that vary: f1 = A + f2 and f2 = B + p(x) A. Elimination has
 * to divide by 1 + p or by p there, either of which may vanish, though f1 - f2 = A and f2 - p A = B
 * need no division. And elimination does not see at all that f2 hides B where B holds no highest
 * derivative, as J is then singular on solutions alone. Rows that are sparser, or whose entries are
 * numbers more often, are found as in presolving for optimization: S. F. Chang & S. T. McCormick, A
 * hierarchical algorithm for making sparse matrices sparser, Math. Programming 56 (1992); T.
 * Achterberg et al., Presolve reductions in mixed integer programming, INFORMS J. Comput. 32
 * (2020), Sec. 5.3. The matrix is that of all partial derivatives. Factors are numbers, or
 * quotients of entries without a divisor, so the equations stay equivalent everywhere. */
#include "base/round_off.h"
#include "structure/conversion_parts.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* Larger and smaller factors are no coefficients of an author. */
static const double LARGEST_FACTOR = 1e6;

/* Partial derivatives at the samples; and the sizes of the terms that made them. */
typedef struct sparsified {
    const conversion *v;
    size_t n, size;          /* rows, derivatives of unknowns */
    const uint32_t *highest; /* columns: the highest derivative of each unknown in the rows */
    double *unit;            /* size: of each derivative of an unknown */
    double *at, *terms;      /* n x size x SAMPLES */
} sparsified;

static double *at_of(const sparsified *p, size_t i, size_t slot)
{
    return p->at + (i * p->size + slot) * SAMPLES;
}

static double *terms_of(const sparsified *p, size_t i, size_t slot)
{
    return p->terms + (i * p->size + slot) * SAMPLES;
}

/* Values of partial derivatives at the samples, by the places of what they are taken by. */
static void spread(const sparsified *p, const sym_partials *partials, const double *value,
                   double *at)
{
    const conversion *v = p->v;
    memset(at, 0, p->size * SAMPLES * sizeof *at);
    for (size_t k = 0; k < partials->count; k++) {
        sym_view leaf = sym_look(v->g, partials->item[k].leaf);
        if (leaf.op != SYM_VARIABLE) continue;
        size_t slot = prolongation_slot(v->p, &leaf) - 1;
        for (size_t s = 0; s < SAMPLES; s++)
            at[slot * SAMPLES + s] = value[s * partials->count + k];
    }
}

/* An entry up to this part of its terms is rounding. Between this and ROUND_OFF_ITERATED it may be
 * what equations that hardly differ tell apart. */
static const double ROUNDED = ROUND_OFF_LONG_SUM;

/* Set to 0 what is rounding. */
static void drop_rounding(const sparsified *p, double *at, const double *terms)
{
    for (size_t k = 0; k < p->size * SAMPLES; k++)
        if (fabs(at[k]) <= ROUNDED * terms[k]) at[k] = 0;
}

/* Whether a subtraction makes no entry of which that is not known, and what is dropped is little
 * beside what stays: otherwise that may be rounding as well. before: the entries of the row. */
static bool is_clear(const sparsified *p, const double *before, const double *at,
                     const double *terms)
{
    double kept = 0, left_out = 0;
    for (size_t k = 0; k < p->size * SAMPLES; k++) {
        double effect = fabs(at[k]) * p->unit[k / SAMPLES];
        bool doubtful = at[k] != before[k] && fabs(at[k]) <= ROUND_OFF_ITERATED * terms[k];
        if (fabs(at[k]) <= ROUNDED * terms[k])
            left_out = fmax(left_out, effect);
        else if (doubtful)
            return false;
        else
            kept = fmax(kept, effect);
    }
    return left_out <= CONVERSION_LITTLE * kept;
}

/* The partial derivatives of an expression at the samples (size x SAMPLES); and the sizes of the
 * terms that make them (NULL: not wanted), without what is their rounding. */
static bool find_partials(const sparsified *p, sym f, double *at, double *terms)
{
    const conversion *v = p->v;
    sym_partials partials = {0};
    sym_gradient(v->g, f, &partials);
    size_t count = partials.count;
    sym *of = arena_array(v->a, count + 1, sizeof *of);
    double *value, *rounding;
    arena_vectors(v->a, SAMPLES * count + 1, (double **const[]){&value, &rounding, NULL});
    for (size_t k = 0; k < count; k++) of[k] = partials.item[k].value;
    if (!conversion_look(v, count, of, value)) return false;
    spread(p, &partials, value, at);
    if (!terms) return true;
    conversion_find_rounding(v, count, of, value, rounding);
    spread(p, &partials, rounding, terms);
    for (size_t k = 0; k < p->size * SAMPLES; k++)
        terms[k] = fmax(fabs(at[k]), CONVERSION_ROUNDINGS / ROUNDED * terms[k]);
    drop_rounding(p, at, terms);
    return true;
}

/* What an entry costs that varies, of a number: rather a row has more entries than one that varies.
 */
enum { VARIES = 3 };

/* What entries cost: nothing for 0, less for a number. Sample s has the value a[s] - q b[s]. */
static int cost_of(size_t entries, const double *a, const double *b, double q,
                   const double *terms_a, const double *terms_b)
{
    int cost = 0;
    for (size_t k = 0; k < entries * SAMPLES; k += SAMPLES) {
        bool zero = true, number = true;
        double first = a[k] - q * b[k], first_size = terms_a[k] + fabs(q) * terms_b[k];
        for (size_t s = k; s < k + SAMPLES; s++) {
            double own = a[s] - q * b[s], size = terms_a[s] + fabs(q) * terms_b[s];
            zero = zero && fabs(own) <= ROUNDED * size;
            number = number && fabs(own - first) <= ROUND_OFF_ITERATED * fmax(size, first_size);
        }
        cost += zero ? 0 : number ? 1 : VARIES;
    }
    return cost;
}

/* What row i less q times row k costs. */
static int cost_of_row(const sparsified *p, size_t i, size_t k, double q)
{
    return cost_of(p->size, at_of(p, i, 0), at_of(p, k, 0), q, terms_of(p, i, 0),
                   terms_of(p, k, 0));
}

/* The quotient of whole numbers that a factor is but for rounding, or the factor itself. */
static double simple_factor(double q)
{
    enum { MOST = 200 };
    for (int below = 1; below <= MOST; below++) {
        double whole = round(q * below);
        if (whole != 0 && fabs(q * below - whole) <= ROUND_OFF_ITERATED * fabs(whole))
            return whole / below;
    }
    return q;
}

/* The factor q by which an entry less q times another one is 0, or by which it varies no more; 0 if
 * there is none. */
static double factor_between(const sparsified *p, size_t i, size_t k, size_t slot, bool varies)
{
    const double *a = at_of(p, i, slot), *b = at_of(p, k, slot);
    double above = varies ? a[1] - a[2] : a[1], below = varies ? b[1] - b[2] : b[1];
    double q = below != 0 ? above / below : 0;
    if (!(fabs(q) <= LARGEST_FACTOR && fabs(q) * LARGEST_FACTOR >= 1)) return 0;
    q = simple_factor(q);
    int now = cost_of(1, a, b, 0, terms_of(p, i, slot), terms_of(p, k, slot));
    return cost_of(1, a, b, q, terms_of(p, i, slot), terms_of(p, k, slot)) < now ? q : 0;
}

/* Takes the sign and the power of two of its first term out of a sum, so that 2 - 2 x and x - 1
 * cancel where both are factors. No rounding comes of that. Returns what is taken out. */
static double take_scale(sym_graph *g, sym *f)
{
    sym_view sum = sym_look(g, *f);
    if (sum.op != SYM_SUM || sum.count == 0) return 1;
    double first = copysign(ldexp(1, ilogb(sum.factor[0])), sum.factor[0]);
    *f = sym_scale(g, 1 / first, *f);
    return first;
}

static sym with_equal_sums(void *context, sym old, sym rebuilt)
{
    sym_graph *g = context;
    sym_view view = sym_look(g, rebuilt);
    (void)old;
    if (view.op != SYM_PRODUCT) return rebuilt;
    double scale = 1;
    sym product = sym_number(g, 1);
    for (uint32_t k = 0, count = view.count; k < count; k++) {
        view = sym_look(g, rebuilt);
        sym factor = view.argument[k];
        double exponent = view.factor[k];
        if (exponent == rint(exponent)) scale *= pow(take_scale(g, &factor), exponent);
        product = sym_multiply(g, product, sym_power_number(g, factor, exponent));
    }
    return sym_scale(g, scale, product);
}

static sym make_equal_sums(const conversion *v, sym f)
{
    sym_transform(v->g, 1, &f, with_equal_sums, v->g);
    return f;
}

/* Row `from` less a factor times another one. */
typedef struct subtraction {
    size_t from, row;
    sym factor;
    int spares;
} subtraction;

static sym difference(const conversion *v, const subtraction *by)
{
    const sym *residual = v->core->residual;
    sym part = make_equal_sums(v, sym_multiply(v->g, by->factor, residual[by->row]));
    return sym_subtract(v->g, residual[by->from], part);
}

/* The row that a subtraction gives, at the samples, and its terms. False: it has no values. */
static bool find_row(const sparsified *p, const subtraction *by, double *at, double *terms)
{
    const conversion *v = p->v;
    double factor[SAMPLES];
    sym f = difference(v, by);
    if (!conversion_look(v, 1, &by->factor, factor) || !find_partials(p, f, at, NULL)) return false;
    const double *one = terms_of(p, by->from, 0), *other = terms_of(p, by->row, 0);
    for (size_t k = 0; k < p->size * SAMPLES; k++) {
        terms[k] = fmax(fabs(at[k]), one[k] + fabs(factor[k % SAMPLES]) * other[k]);
    }
    bool clear = is_clear(p, at_of(p, by->from, 0), at, terms);
    drop_rounding(p, at, terms);
    return clear;
}

/* Looks at numbers as factors. */
static void look_at_numbers(const sparsified *p, size_t i, size_t k, subtraction *best)
{
    int now = cost_of_row(p, i, k, 0);
    for (size_t slot = 0; slot < p->size; slot++)
        for (int varies = 0; varies < 2; varies++) {
            double q = factor_between(p, i, k, slot, varies);
            if (q == 0) continue;
            int spares = now - cost_of_row(p, i, k, q);
            if (spares > best->spares) *best = (subtraction){i, k, sym_number(p->v->g, q), spares};
        }
}

static bool has_divisor(sym_graph *g, sym f)
{
    sym_view view = sym_look(g, f);
    if (view.op == SYM_SUM && view.count == 1 && view.value == 0)
        view = sym_look(g, view.argument[0]);
    if (view.op != SYM_PRODUCT) return false;
    for (uint32_t k = 0; k < view.count; k++)
        if (view.factor[k] < 0) return true;
    return false;
}

static sym quotient_of(sym_graph *g, sym of, sym by)
{
    double scale = take_scale(g, &of) / take_scale(g, &by);
    return sym_scale(g, scale, sym_divide(g, of, by));
}

/* What is left of `by` times a factor in `of` where `of` has other terms as well, without its
 * number: SYM_NONE if nothing can be divided without a divisor. */
static sym divide_terms(sym_graph *g, sym of, sym by)
{
    sym_view view = sym_look(g, of);
    sym sum = sym_number(g, 0);
    uint32_t count = view.op == SYM_SUM ? view.count : 1;
    bool some = false;
    for (uint32_t k = 0; k < count; k++) {
        view = sym_look(g, of);
        bool terms = view.op == SYM_SUM;
        sym part = terms ? sym_scale(g, view.factor[k], view.argument[k]) : of;
        sym quotient = quotient_of(g, part, by);
        if (sym_is_number(g, part, NULL) || has_divisor(g, quotient)) continue;
        sum = sym_add(g, sum, quotient);
        some = true;
    }
    return some ? sum : SYM_NONE;
}

/* Whether an expression holds none of the highest derivatives of unknowns that are differentiated.
 * A factor with those would be one that solutions do not tell. */
static bool is_free_of_highest(const sparsified *p, sym f)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(p->v->g, f, &leaf);
    for (size_t k = 0; k < leaves; k++)
        if (leaf[k].order > 0 && leaf[k].order >= p->highest[p->v->p->column_of[leaf[k].id]])
            return false;
    return true;
}

/* Looks at quotients of entries as factors: a whole entry that the other one divides, or what of it
 * the other one divides. */
static void look_at_quotients(const sparsified *p, size_t i, size_t k, subtraction *best)
{
    enum { MOST_TRIED = 40 };
    const conversion *v = p->v;
    const sym *residual = v->core->residual;
    sym_partials own = {0}, other = {0};
    LIST(sym) tried = {0};
    double *at, *terms;
    int now = cost_of_row(p, i, k, 0);
    arena_vectors(v->a, p->size * SAMPLES, (double **const[]){&at, &terms, NULL});
    sym_gradient(v->g, residual[i], &own);
    sym_gradient(v->g, residual[k], &other);
    for (size_t a = 0; a < own.count; a++)
        for (size_t b = 0; b < other.count; b++) {
            if (own.item[a].leaf != other.item[b].leaf) continue;
            sym of = make_equal_sums(v, own.item[a].value),
                by = make_equal_sums(v, other.item[b].value);
            if (sym_is_number(v->g, of, NULL)) continue;
            sym factor[] = {quotient_of(v->g, of, by), divide_terms(v->g, of, by)};
            for (int way = 0; way < 2; way++) {
                bool known = factor[way] == SYM_NONE || has_divisor(v->g, factor[way]) ||
                             sym_is_number(v->g, factor[way], NULL) ||
                             !is_free_of_highest(p, factor[way]);
                for (size_t q = 0; q < tried.count; q++)
                    known = known || tried.item[q] == factor[way];
                if (known || tried.count == MOST_TRIED) continue;
                list_push(v->a, &tried, factor[way]);
                subtraction next = {i, k, factor[way], 0};
                if (!find_row(p, &next, at, terms)) continue;
                next.spares = now - cost_of(p->size, at, at, 0, terms, terms);
                if (next.spares > best->spares) *best = next;
            }
        }
}

/* Partial derivatives of a row at the samples. */
typedef struct row_partials {
    const conversion *v;
    const double *at;
} row_partials;

static sym without_rounding(void *context, sym leaf)
{
    const row_partials *row = context;
    sym_view view = sym_look(row->v->g, leaf);
    size_t slot = prolongation_slot(row->v->p, &view) - 1;
    for (size_t s = 0; s < SAMPLES; s++)
        if (row->at[slot * SAMPLES + s] != 0) return leaf;
    return sym_number(row->v->g, 0);
}

/* A difference without what it does not depend on but for rounding. As 1e-17 der(x) that would be a
 * derivative to the structure, and later a pivot. */
static sym clean_difference(const conversion *v, const subtraction *by, const double *at)
{
    const sym *residual = v->core->residual;
    row_partials row = {v, at};
    sym f[4] = {difference(v, by)};
    f[1] = f[0];
    f[2] = residual[by->from];
    f[3] = sym_multiply(v->g, by->factor, residual[by->row]);
    sym_substitute(v->g, 1, &f[1], without_rounding, &row);
    return conversion_agree(v, 4, f) ? f[1] : f[0];
}

static bool subtract_rows(conversion *v, const sparsified *p, const subtraction *by)
{
    sym *residual = v->core->residual;
    size_t n = v->n, i = by->from, k = by->row;
    double *at, *terms, *own, *own_terms;
    arena_vectors(v->a, p->size * SAMPLES, (double **const[]){&at, &terms, &own, &own_terms, NULL});
    if (!find_row(p, by, at, terms) || !find_partials(p, difference(v, by), own, own_terms))
        return false;
    for (size_t e = 0; e < p->size * SAMPLES; e++) terms[e] = fmax(terms[e], own_terms[e]);
    if (!is_clear(p, at_of(p, i, 0), at, terms)) return false;
    drop_rounding(p, at, terms);
    memcpy(at_of(p, i, 0), at, p->size * SAMPLES * sizeof *at);
    memcpy(terms_of(p, i, 0), terms, p->size * SAMPLES * sizeof *at);
    sym made = sym_subtract(v->g, residual[n + i], sym_multiply(v->g, by->factor, residual[n + k]));
    residual[i] = clean_difference(v, by, at);
    residual[n + i] = conversion_add_part(v, residual[i], made);
    return true;
}

/* The highest derivative of each unknown in the residuals. */
static const uint32_t *find_highest(const conversion *v)
{
    uint32_t *highest = arena_array(v->a, v->p->columns, sizeof *highest);
    for (size_t i = 0; i < v->n; i++) {
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(v->g, v->core->residual[i], &leaf);
        for (size_t k = 0; k < leaves; k++) {
            uint32_t *most = &highest[v->p->column_of[leaf[k].id]];
            if (leaf[k].order > *most) *most = leaf[k].order;
        }
    }
    return highest;
}

/* The best of all subtractions by numbers, or by quotients. What is known of pairs is kept. */
static subtraction find_best(const sparsified *p, const bool *switches, bool quotients,
                             subtraction *of_pair, bool *known)
{
    size_t n = p->n;
    subtraction best = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            if (i == k || switches[i] || switches[k]) continue;
            subtraction *own = &of_pair[i * n + k];
            if (!known[i * n + k]) {
                *own = (subtraction){0};
                (quotients ? look_at_quotients : look_at_numbers)(p, i, k, own);
                known[i * n + k] = true;
            }
            if (own->spares > best.spares) best = *own;
        }
    return best;
}

/* Row i has changed. */
static void forget(size_t n, size_t i, bool *known)
{
    for (size_t k = 0; k < n; k++) known[i * n + k] = known[k * n + i] = false;
}

long conversion_sparsify(conversion *v)
{
    size_t n = v->n;
    long replaced = 0;
    if (!conversion_look_around(v)) return 0;
    sparsified p = {.v = v, .n = n, .size = v->p->size, .highest = find_highest(v)};
    arena_vectors(v->a, n * p.size * SAMPLES, (double **const[]){&p.at, &p.terms, NULL});
    p.unit = arena_array(v->a, p.size, sizeof *p.unit);
    for (size_t j = 0; j < v->p->columns; j++)
        for (uint32_t order = 0; order <= v->p->d[j]; order++)
            p.unit[v->p->first[j] + order] = conversion_size(v, j, order);
    bool *switches = arena_array(v->a, n, sizeof *switches);
    for (size_t i = 0; i < n; i++) {
        v->core->residual[i] = make_equal_sums(v, v->core->residual[i]);
        switches[i] = sym_has_pieces(v->g, v->core->residual[i]);
        if (!find_partials(&p, v->core->residual[i], at_of(&p, i, 0), terms_of(&p, i, 0))) return 0;
    }
    subtraction *of_pair = arena_array(v->a, 2 * n * n, sizeof *of_pair);
    bool *known = arena_array(v->a, 2 * n * n, sizeof *known);
    for (size_t most = n * n; most-- > 0;) {
        subtraction best = find_best(&p, switches, false, of_pair, known);
        if (best.spares == 0) best = find_best(&p, switches, true, of_pair + n * n, known + n * n);
        if (best.spares == 0) break;
        if (!subtract_rows(v, &p, &best)) {
            of_pair[best.from * n + best.row] = of_pair[n * n + best.from * n + best.row] =
                (subtraction){0};
            continue;
        }
        forget(n, best.from, known);
        forget(n, best.from, known + n * n);
        replaced++;
    }
    return replaced;
}
