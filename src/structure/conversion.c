#include "structure/conversion.h"

#include "base/round_off.h"
#include "structure/conversion_parts.h"

#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 30 };

/* A number is preferred as a pivot to an expression, which may vanish later, unless the number is
 * smaller than SMALL times the expression. */
static const double SMALL = 1e-3;

/* Set a term to zero if it is round-off at all samples. */
static void drop_zero(conversion *v, term *a)
{
    for (int s = 0; s < SAMPLES; s++)
        if (fabs(a->at[s]) > ROUND_OFF_ITERATED * a->size[s]) return;
    if (!sym_is_number(v->g, a->value, NULL) && sym_has_pieces(v->g, a->value)) v->switches = true;
    *a = (term){.value = sym_number(v->g, 0)};
}

/* a -= m b */
static void subtract(conversion *v, term *a, const term *m, const term *b)
{
    if (term_is_zero(v, b)) return;
    a->value = sym_subtract(v->g, a->value, sym_multiply(v->g, m->value, b->value));
    for (int s = 0; s < SAMPLES; s++) {
        a->at[s] -= m->at[s] * b->at[s];
        a->size[s] += fabs(m->at[s]) * b->size[s];
    }
    drop_zero(v, a);
}

/* Eliminate from a row the pivots that were added since its last reduction. */
static void reduce(conversion *v, size_t i)
{
    size_t n = v->n;
    term *row = v->row + i * n, *factor = v->factor + i * n;
    for (size_t k = v->reduced[i]; k < v->pivots; k++) {
        size_t from = v->pivot_row[k], at = v->pivot_column[k];
        const term *other = v->row + from * n, *pivot = &other[at];
        if (term_is_zero(v, &row[at])) continue;
        term m = {.value = sym_divide(v->g, row[at].value, pivot->value)};
        for (int s = 0; s < SAMPLES; s++) m.at[s] = row[at].at[s] / pivot->at[s];
        for (size_t j = 0; j < n; j++) {
            if (j != at) subtract(v, &row[j], &m, &other[j]);
            subtract(v, &factor[j], &m, &v->factor[from * n + j]);
        }
        row[at] = (term){.value = sym_number(v->g, 0)};
    }
    v->reduced[i] = v->pivots;
}

double conversion_size(const conversion *v, size_t j, uint32_t order)
{
    return v->system->unknown.item[v->p->unknown[j]].nominal / pow(v->point->time_unit, order);
}

static double column_size(const conversion *v, size_t j)
{
    return conversion_size(v, j, v->p->d[j]);
}

/* The quality of a pivot that is taken if there is no other, as it is near its zero. */
static const double LAST = 1e-7;

/* How well an entry serves as pivot: its least size at the samples, relative to its row of J at all
 * of them, because a row that vanishes as a whole near one of them gives no pivot there. Round-off
 * counts as zero. An entry whose sign changes between samples comes after those that keep theirs,
 * and one that is near its zero at the point after these. */
static double quality(const conversion *v, size_t i, size_t j)
{
    const term *x = &v->row[i * v->n + j];
    double least = HUGE_VAL, most = 0, low = x->at[0], high = x->at[0], row = 0;
    for (size_t s = 0; s < SAMPLES; s++) row = fmax(row, v->row_size[s * v->n + i]);
    for (size_t s = 0; s < SAMPLES; s++) {
        if (!(row > 0) || fabs(x->at[s]) <= ROUND_OFF_ITERATED * x->size[s]) return 0;
        least = fmin(least, fabs(x->at[s]) * column_size(v, j) / row);
        most = fmax(most, fabs(x->at[s]));
        low = fmin(low, x->at[s]), high = fmax(high, x->at[s]);
    }
    if (conversion_is_near_zero(x->at[0], most)) return LAST * fmin(least, 1);
    return low < 0 && high > 0 ? SMALL * fmax(least, SMALL) : least;
}

/* The column of the pivot in a row, n if the row is empty; and the quality of that pivot. */
static size_t choose_column(const conversion *v, size_t i, double *size)
{
    const term *row = v->row + i * v->n;
    size_t best = v->n, number = v->n;
    double size_number = 0;
    *size = 0;
    for (size_t j = 0; j < v->n; j++) {
        if (term_is_zero(v, &row[j])) continue;
        double own = quality(v, i, j);
        if (best == v->n || own > *size) best = j, *size = own;
        if (!sym_is_number(v->g, row[j].value, NULL)) continue;
        if (number == v->n || own > size_number) number = j, size_number = own;
    }
    if (number == v->n || size_number < SMALL * *size) return best;
    *size = fmax(*size, 1 / SMALL * size_number); /* a number does not vanish later */
    return number;
}

/* Entries of J far below the others in both their row and their column may themselves be round-off
 * of computed coefficients. Their terms count as the part PART of those others. */
static void take_noise(conversion *v)
{
    static const double PART = 1e-3;
    size_t n = v->n;
    for (int s = 0; s < SAMPLES; s++) {
        double *largest = v->largest;
        memset(largest, 0, 2 * n * sizeof *largest);
        for (size_t k = 0; k < n * n; k++) {
            largest[k / n] = fmax(largest[k / n], fabs(v->row[k].at[s]));
            largest[n + k % n] = fmax(largest[n + k % n], fabs(v->row[k].at[s]));
        }
        double *row = v->row_size + (size_t)s * n;
        memset(row, 0, n * sizeof *row);
        for (size_t k = 0; k < n * n; k++)
            row[k / n] = fmax(row[k / n], fabs(v->row[k].at[s]) * column_size(v, k % n));
        for (size_t k = 0; k < n * n; k++)
            v->row[k].size[s] = fmax(fmax(v->row[k].size[s], fabs(v->row[k].at[s])),
                                     PART * fmin(largest[k / n], largest[n + k % n]));
    }
    for (size_t k = 0; k < n * n; k++) drop_zero(v, &v->row[k]);
}

/* Set up J, and the unit matrix beside it. */
static bool begin(conversion *v)
{
    size_t n = v->n;
    const sym_entries *entries = structure_system_entries(v->p);
    double *value = arena_array(v->a, SAMPLES * entries->count, sizeof *value);
    double *rounding = arena_array(v->a, SAMPLES * entries->count, sizeof *rounding);
    if (!conversion_find_samples(v, entries, value, rounding)) return false;
    const term nothing = {.value = sym_number(v->g, 0)};
    for (size_t k = 0; k < n * n; k++) v->row[k] = v->factor[k] = nothing;
    for (size_t k = 0; k < entries->count; k++) {
        const sym_entry *e = &entries->item[k];
        if (v->as_given && v->s->d[e->column] == 0) continue;
        term *x = &v->row[e->row * n + e->column];
        x->value = e->value;
        for (size_t s = 0; s < SAMPLES; s++) {
            x->at[s] = value[s * entries->count + k];
            x->size[s] = CONVERSION_ROUNDINGS / ROUND_OFF_ITERATED *
                         rounding[s * entries->count + k];
        }
    }
    take_noise(v);
    for (size_t i = 0; i < n; i++) {
        term *x = &v->factor[i * n + i];
        x->value = sym_number(v->g, 1);
        for (int s = 0; s < SAMPLES; s++) x->at[s] = x->size[s] = 1;
    }
    v->pivots = 0;
    memset(v->reduced, 0, n * sizeof *v->reduced);
    memset(v->done, 0, n * sizeof *v->done);
    return true;
}

/* Choose the best pivot among the rows that are differentiated c times and not done. False if all
 * of them are empty. */
static bool choose_pivot(conversion *v, uint32_t c)
{
    double best = 0;
    size_t row = v->n, column = v->n;
    for (size_t i = 0; i < v->n && !v->switches; i++) {
        double size;
        if (v->done[i] || v->s->c[i] != c) continue;
        reduce(v, i);
        size_t at = choose_column(v, i, &size);
        if (at == v->n || !(size > best)) continue;
        best = size, row = i, column = at;
    }
    if (row == v->n) return false;
    v->done[row] = true;
    v->pivot_row[v->pivots] = row;
    v->pivot_column[v->pivots++] = column;
    return true;
}

static void choose_pivots(conversion *v)
{
    uint32_t most = 0;
    for (size_t i = 0; i < v->n; i++)
        if (v->s->c[i] > most) most = v->s->c[i];
    for (uint32_t c = most + 1; c-- > 0;)
        while (choose_pivot(v, c)) continue;
}

/* A combination that is divided by a function of variables depends on these, even where it is
 * another equation divided by that function. Take it without its divisors, which then must not
 * vanish as before, if that leaves fewer variables in it. */
static void clear_divisors(conversion *v, size_t i, sym *combination)
{
    const sym_leaf *leaf;
    size_t n = v->n;
    sym below;
    term *factor = v->factor + i * n;
    if (v->point->divides || !conversion_clear_divisors(v, i, &below)) return;
    sym cleared = conversion_combine(v, i, false);
    bool fewer = cleared != SYM_NONE &&
                 (*combination == SYM_NONE ||
                  sym_leaves(v->g, cleared, &leaf) < sym_leaves(v->g, *combination, &leaf));
    if (!fewer) {
        memcpy(factor, v->divided, n * sizeof *factor);
        return;
    }
    *combination = cleared;
    list_push(v->a, &v->freed, below);
}

/* Replace row i, which depends on others, by a combination. False if none holds. */
static bool replace_row(conversion *v, size_t i, sym *residual)
{
    divisor d;
    size_t n = v->n;
    term *factor = v->factor + i * n;
    memcpy(v->divided, factor, n * sizeof *factor);
    if (v->turns && conversion_free_of_divisor(v, i, &d) &&
        residual[d.other] == v->core->residual[d.other]) {
        sym combination = conversion_combine(v, i, false);
        if (combination != SYM_NONE) {
            const sym *given = v->core->residual;
            residual[i] = combination;
            residual[n + i] = conversion_add_part(v, combination, conversion_made(v, i, false));
            sym across = conversion_across(v, i, &d, given), two = sym_number(v->g, 2);
            list_push(v->a, &v->freed,
                      sym_add(v->g, sym_power(v->g, d.below, two), sym_power(v->g, d.above, two)));
            residual[d.other] = across;
            residual[n + d.other] = conversion_add_part(v, across,
                                                        conversion_across(v, i, &d, given + n));
            return true;
        }
    }
    memcpy(factor, v->divided, n * sizeof *factor);
    sym combination = conversion_combine(v, i, false);
    clear_divisors(v, i, &combination);
    if (combination == SYM_NONE) return false;
    residual[i] = combination;
    residual[n + i] = conversion_add_part(v, combination, conversion_made(v, i, false));
    return true;
}

/* The same, as a combination or otherwise. */
static bool replace_otherwise(conversion *v, size_t i, sym *residual)
{
    if (replace_row(v, i, residual)) return true;
    sym made = SYM_NONE, combination = conversion_substitute(v, i, &made);
    if (combination == SYM_NONE) {
        combination = conversion_combine(v, i, true);
        made = conversion_made(v, i, true);
    }
    if (combination == SYM_NONE) return false;
    residual[i] = combination;
    residual[v->n + i] = conversion_add_part(v, combination, made);
    return true;
}

/* Replace rows that depend on others. Returns how many, or -1 if one cannot be replaced. Rows are
 * taken in the order of falling c, so that a dependent row is differentiated least. A row with a
 * remainder that vanishes at the start has to wait: the replacements of other rows may resolve
 * it. */
static long replace_dependent(conversion *v)
{
    long replaced = 0;
    bool vanishes = false;
    sym *residual = arena_duplicate(v->a, v->core->residual, 2 * v->n, sizeof *residual);
    choose_pivots(v);
    if (v->switches) return -1;
    for (size_t i = 0; i < v->n; i++) {
        double size;
        if (v->done[i]) continue;
        if (choose_column(v, i, &size) < v->n) { /* the remainder vanishes at one of the samples */
            vanishes = true;
            continue;
        }
        if (!replace_otherwise(v, i, residual)) return -1;
        replaced++;
    }
    if (vanishes && replaced == 0) return -1;
    memcpy(v->core->residual, residual, 2 * v->n * sizeof *residual);
    return replaced;
}

/* Find the signature of the present residuals. False if it is no better than the one before. */
static bool sign(conversion *v)
{
    const signature *before = v->s;
    const incidence *in = structure_incidence(v->g, v->n, v->core->residual, v->n,
                                              v->core->column_of);
    v->s = structure_signature(v->a, in, NULL);
    if (!v->s->regular || (before && v->s->freedom >= before->freedom)) return false;
    v->p = structure_prolong(v->a, v->g, v->core, v->s->c, v->s->d);
    return true;
}

/* Set up J for the equations as given, by the highest derivative of each unknown in them; that of
 * an algebraic unknown is the unknown itself. An equation that contains no highest derivative
 * counts with its derivative. */
static void sign_as_given(conversion *v)
{
    arena *a = v->a;
    const incidence *in = structure_incidence(v->g, v->n, v->core->residual, v->n,
                                              v->core->column_of);
    signature *s = arena_take(a, sizeof *s);
    *s = (signature){.c = arena_array(a, v->n, sizeof *s->c),
                     .d = arena_array(a, v->n, sizeof *s->d)};
    for (size_t e = 0; e < in->start[in->rows]; e++)
        if (in->order[e] > s->d[in->column[e]]) s->d[in->column[e]] = in->order[e];
    for (size_t i = 0; i < v->n; i++) {
        s->c[i] = 1;
        for (size_t e = in->start[i]; e < in->start[i + 1]; e++)
            if (in->order[e] == s->d[in->column[e]]) s->c[i] = 0;
    }
    v->s = s;
    v->p = structure_prolong(a, v->g, v->core, s->c, s->d);
}

/* Whether an empty row is a sum of several equations; `plain`: with numbers as factors. */
static bool is_sum(const conversion *v, size_t i, bool plain)
{
    size_t parts = 0;
    for (size_t k = 0; k < v->n; k++) {
        const term *u = &v->factor[i * v->n + k];
        if (term_is_zero(v, u)) continue;
        if (plain && !sym_is_number(v->g, u->value, NULL)) return false;
        parts++;
    }
    return parts > 1;
}

/* Lay algebraic equations bare. An equation that is algebraic except for multiples of other
 * equations, or of derivatives of algebraic ones, is freed of these, so that the structure sees
 * what it is. Returns how many were replaced. */
static long bare_once(conversion *v, bool plain)
{
    long replaced = 0;
    sign_as_given(v);
    if (!begin(v)) return 0;
    choose_pivots(v);
    sym *residual = arena_duplicate(v->a, v->core->residual, 2 * v->n, sizeof *residual);
    for (size_t i = 0; i < v->n; i++) {
        double size;
        bool gone = !v->switches && !v->done[i] && choose_column(v, i, &size) == v->n;
        if (gone && is_sum(v, i, plain) && replace_row(v, i, residual)) replaced++;
    }
    memcpy(v->core->residual, residual, 2 * v->n * sizeof *residual);
    return replaced;
}

long conversion_bare_algebraic(conversion *v, bool plain)
{
    long replaced = 0, now = 1;
    v->as_given = true;
    for (int round = 0; round < MOST_ROUNDS && now > 0; round++)
        replaced += now = bare_once(v, plain);
    v->as_given = v->switches = false;
    return replaced;
}

long conversion_until_regular(conversion *v)
{
    long replaced = 0;
    v->s = NULL;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        const signature *before = v->s;
        if (!sign(v)) {
            bool leaves = !v->s->regular && replaced > 0 && v->core->known > 0;
            v->s = before;
            return leaves ? replaced : -1;
        }
        long now = begin(v) ? replace_dependent(v) : -1;
        if (now == 0) return replaced;
        if (now < 0) break;
        replaced += now;
    }
    return -1;
}

void conversion_reserve(conversion *v)
{
    size_t n = v->n;
    arena *a = v->a;
    v->row = arena_array(a, n * n, sizeof *v->row);
    v->factor = arena_array(a, n * n, sizeof *v->factor);
    v->divided = arena_array(a, n, sizeof *v->divided);
    v->largest = arena_array(a, 2 * n, sizeof *v->largest);
    v->pivot_row = arena_array(a, n, sizeof *v->pivot_row);
    v->pivot_column = arena_array(a, n, sizeof *v->pivot_column);
    v->row_size = arena_array(a, SAMPLES * n, sizeof *v->row_size);
    v->reduced = arena_array(a, n, sizeof *v->reduced);
    v->done = arena_array(a, n, sizeof *v->done);
}

bool conversion_look_around(conversion *v)
{
    v->s = NULL;
    return sign(v) && begin(v);
}

void conversion_balance(conversion *v, double *scale)
{
    for (size_t i = 0; i < v->n; i++) scale[i] = 1;
    if (!conversion_look_around(v)) return;
    for (size_t i = 0; i < v->n; i++) {
        double size = 0;
        for (size_t s = 0; s < SAMPLES; s++) size = fmax(size, v->row_size[s * v->n + i]);
        if (size > 0 && isfinite(size)) scale[i] = ldexp(1, -ilogb(size));
    }
}
