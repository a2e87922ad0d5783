#include "structure/conversion.h"

#include "base/scatter.h"
#include "structure/incidence.h"
#include "structure/prolongation.h"
#include "structure/signature.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SAMPLES = 4, LARGEST = 200, MOST_ROUNDS = 30 };

/* What is left of terms counts as zero below ROUND_OFF of them; a combination must say the same
 * without highest derivatives as with them up to AGREEMENT of its terms. A number is preferred as
 * a pivot to an expression, which may vanish later, unless it is SMALL beside that. */
static const double ROUND_OFF = 1e-12, AGREEMENT = 1e-9, SMALL = 1e-3;

/* What is left of an entry whose own terms cancel is zero below so many roundings of it. */
static const double ROUNDINGS = 10;

/* How far from the point the samples lie, in sizes of the unknowns; the first is the point. */
static const double DISTANCE[] = {0.3, 0.03, 1e-3};

/* The same in time, in seconds: what the clock shows at the start says nothing of how fast things
 * change, and at 1.3e6 s exp(t - 1e6) has no value. Where the clock's rounding is felt the distance
 * is more, in parts of the time. */
static const double TIME_DISTANCE = 1, LEAST_TIME_PART = 1e-8;

/* An expression with its values at the samples, and the sizes of the terms that made them. */
typedef struct term {
    sym value;
    double at[SAMPLES], size[SAMPLES];
} term;

typedef struct conversion {
    const sym_system *system;
    sym_graph *g;
    arena *a;
    explicit_core *core;
    const conversion_point *point;
    size_t n;
    const signature *s;
    prolongation *p;
    double *input[SAMPLES];
    term *row, *factor; /* n x n: what is left of J, and of which equations it was made */
    double *largest;    /* n rows, n columns */
    double *row_size;   /* SAMPLES x n: the largest entry of each row of J */
    size_t *reduced;    /* n: by how many pivots */
    bool *done;         /* n: the row has a pivot */
    size_t pivots, *pivot_row, *pivot_column;
    bool switches; /* an expression that was taken for zero does */
} conversion;

static bool is_zero(const conversion *v, const term *x)
{
    return sym_is(v->g, x->value, 0);
}

/* What is round-off at all samples is zero. */
static void drop_zero(conversion *v, term *a)
{
    for (int s = 0; s < SAMPLES; s++)
        if (fabs(a->at[s]) > ROUND_OFF * a->size[s]) return;
    if (!sym_is_number(v->g, a->value, NULL) && sym_has_pieces(v->g, a->value)) v->switches = true;
    *a = (term){.value = sym_number(v->g, 0)};
}

/* a -= m b */
static void subtract(conversion *v, term *a, const term *m, const term *b)
{
    if (is_zero(v, b)) return;
    a->value = sym_subtract(v->g, a->value, sym_multiply(v->g, m->value, b->value));
    for (int s = 0; s < SAMPLES; s++) {
        a->at[s] -= m->at[s] * b->at[s];
        a->size[s] += fabs(m->at[s]) * b->size[s];
    }
    drop_zero(v, a);
}

/* Take pivots that are new since the last time out of a row. */
static void reduce(conversion *v, size_t i)
{
    size_t n = v->n;
    term *row = v->row + i * n, *factor = v->factor + i * n;
    for (size_t k = v->reduced[i]; k < v->pivots; k++) {
        size_t from = v->pivot_row[k], at = v->pivot_column[k];
        const term *other = v->row + from * n, *pivot = &other[at];
        if (is_zero(v, &row[at])) continue;
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

/* How far from zero an entry is at the samples, beside what its row was. */
static double least_size(const conversion *v, size_t i, size_t j)
{
    double least = HUGE_VAL;
    for (size_t s = 0; s < SAMPLES; s++)
        least = fmin(least, fabs(v->row[i * v->n + j].at[s]) / v->row_size[s * v->n + i]);
    return least;
}

/* The column of the pivot in a row, n where nothing is left of the row, and how good it is. */
static size_t choose_column(const conversion *v, size_t i, double *size)
{
    const term *row = v->row + i * v->n;
    size_t best = v->n, number = v->n;
    double size_number = 0;
    *size = 0;
    for (size_t j = 0; j < v->n; j++) {
        if (is_zero(v, &row[j])) continue;
        double own = least_size(v, i, j);
        if (best == v->n || own > *size) best = j, *size = own;
        if (!sym_is_number(v->g, row[j].value, NULL)) continue;
        if (number == v->n || own > size_number) number = j, size_number = own;
    }
    if (number == v->n || size_number < SMALL * *size) return best;
    *size = fmax(*size, 1 / SMALL * size_number); /* nor will it vanish later */
    return number;
}

/* A sample at a distance, the number-th that is tried. */
static void scatter(const conversion *v, double distance, size_t number, double *input)
{
    const prolongation *p = v->p;
    const conversion_point *at = v->point;
    size_t next = number * (p->size + 1);
    double span = fmax(TIME_DISTANCE, LEAST_TIME_PART * fabs(at->t));
    input[0] = at->t + distance * scattered(next) * span;
    for (size_t j = 0; j < p->n; j++) {
        uint32_t id = p->unknown[j];
        double nominal = v->system->unknown.item[id].nominal;
        for (uint32_t d = 0; d <= p->d[j]; d++) {
            double base = d == 0 ? at->value[id] : d == 1 ? at->slope[id] : 0;
            if (!isfinite(base)) base = 0;
            size_t k = 1 + p->first[j] + d;
            input[k] = base + distance * scattered(next + k) * fmax(fabs(base), nominal);
        }
    }
}

static bool all_finite(size_t count, const double *value)
{
    for (size_t k = 0; k < count; k++)
        if (!isfinite(value[k])) return false;
    return true;
}

/* Values of expressions at the inputs, sample by sample; false where they have none. */
static bool look_at_inputs(const conversion *v, double *const *input, size_t count, const sym *f,
                           double *value)
{
    size_t inputs = prolongation_inputs(v->p);
    sym_tape *tape = sym_tape_compile(v->a, v->g, count, f, inputs, prolongation_slot, v->p);
    double *work = arena_array(v->a, sym_tape_work(tape), sizeof *work);
    sym_tape_prepare(tape, work);
    for (size_t s = 0; s < SAMPLES; s++) {
        sym_tape_eval(tape, input[s], value + s * count, work);
        if (!all_finite(count, value + s * count)) return false;
    }
    return true;
}

static bool look_at(const conversion *v, size_t count, const sym *f, double *value)
{
    return look_at_inputs(v, v->input, count, f, value);
}

/* How far rounding moves expressions that have these values: what a last digit of each input does,
 * where terms of an expression cancel. */
static void find_rounding(const conversion *v, size_t count, const sym *f, const double *value,
                          double *rounding)
{
    enum { PROBES = 3 };
    size_t inputs = prolongation_inputs(v->p);
    double *input[SAMPLES], *moved = arena_array(v->a, SAMPLES * count, sizeof *moved);
    for (size_t s = 0; s < SAMPLES; s++) input[s] = arena_array(v->a, inputs, sizeof(double));
    memset(rounding, 0, SAMPLES * count * sizeof *rounding);
    for (size_t probe = 0; probe < PROBES; probe++) {
        for (size_t s = 0; s < SAMPLES; s++)
            for (size_t k = 0; k < inputs; k++)
                input[s][k] = v->input[s][k] *
                              (1 + 2 * DBL_EPSILON * scattered(probe * inputs + k));
        if (!look_at_inputs(v, input, count, f, moved)) continue;
        for (size_t k = 0; k < SAMPLES * count; k++)
            rounding[k] = fmax(rounding[k], fabs(moved[k] - value[k]));
    }
}

/* Samples at which the entries of J and the rows have values, and the values of the entries. */
static bool find_samples(conversion *v, const sym_entries *entries, double *value, double *rounding)
{
    const prolongation *p = v->p;
    size_t count = entries->count + p->rows, tried = 0;
    sym *f = arena_array(v->a, count, sizeof *f);
    double *found = arena_array(v->a, SAMPLES * count, sizeof *found);
    for (size_t k = 0; k < entries->count; k++) f[k] = entries->item[k].value;
    memcpy(f + entries->count, p->row, p->rows * sizeof *f);
    for (int s = 0; s < SAMPLES; s++)
        v->input[s] = arena_array(v->a, prolongation_inputs(p), sizeof(double));
    for (size_t k = 0; k < sizeof DISTANCE / sizeof *DISTANCE; k++) {
        for (int s = 0; s < SAMPLES; s++)
            scatter(v, s == 0 ? 0 : DISTANCE[k], tried++, v->input[s]);
        if (!look_at(v, count, f, found)) continue;
        for (int s = 0; s < SAMPLES; s++)
            memcpy(value + (size_t)s * entries->count, found + (size_t)s * count,
                   entries->count * sizeof *value);
        find_rounding(v, entries->count, f, value, rounding);
        return true;
    }
    return false;
}

/* Entries of J far below the others in both their row and their column may be round-off themselves,
 * of coefficients that were computed: their terms count as this part of those others. */
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
        memcpy(v->row_size + (size_t)s * n, largest, n * sizeof *largest);
        for (size_t k = 0; k < n * n; k++)
            v->row[k].size[s] = fmax(fmax(v->row[k].size[s], fabs(v->row[k].at[s])),
                                     PART * fmin(largest[k / n], largest[n + k % n]));
    }
    for (size_t k = 0; k < n * n; k++) drop_zero(v, &v->row[k]);
}

/* J, and the unit matrix beside it. */
static bool begin(conversion *v)
{
    size_t n = v->n;
    const sym_entries entries = structure_system_entries(v->a, v->p);
    double *value = arena_array(v->a, SAMPLES * entries.count, sizeof *value);
    double *rounding = arena_array(v->a, SAMPLES * entries.count, sizeof *rounding);
    if (!find_samples(v, &entries, value, rounding)) return false;
    const term nothing = {.value = sym_number(v->g, 0)};
    for (size_t k = 0; k < n * n; k++) v->row[k] = v->factor[k] = nothing;
    for (size_t k = 0; k < entries.count; k++) {
        const sym_entry *e = &entries.item[k];
        term *x = &v->row[e->row * n + e->column];
        x->value = e->value;
        for (size_t s = 0; s < SAMPLES; s++) {
            x->at[s] = value[s * entries.count + k];
            x->size[s] = ROUNDINGS / ROUND_OFF * rounding[s * entries.count + k];
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

/* What a combination says of each entry of the prolongation: its partial derivative, and the sizes
 * of the parts that make it, at each sample. */
typedef struct influence {
    double sum[SAMPLES], size[SAMPLES];
    bool switches;
} influence;

/* Add those of one part; false where it has no derivatives. */
static bool add_influences(const conversion *v, sym part, influence *by)
{
    sym_partials partials = {0};
    sym_gradient(v->g, part, &partials);
    sym *f = arena_array(v->a, partials.count, sizeof *f);
    double *value = arena_array(v->a, SAMPLES * partials.count, sizeof *value);
    for (size_t k = 0; k < partials.count; k++) f[k] = partials.item[k].value;
    if (!look_at(v, partials.count, f, value)) return false;
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
    uint32_t c; /* of the equation that goes */
} leading;

/* What a combination does not depend on but for round-off, highest derivatives among it. */
static bool is_gone(const leading *l, const sym_view *leaf)
{
    uint32_t d = l->v->s->d[l->v->core->column_of[leaf->id]];
    if (d >= l->c && leaf->order == d - l->c) return true;
    const influence *by = &l->by[prolongation_slot(l->v->p, leaf) - 1];
    for (int s = 0; s < SAMPLES; s++)
        if (fabs(by->sum[s]) > ROUND_OFF * by->size[s]) return false;
    return !by->switches;
}

static sym without_leading(void *context, sym leaf)
{
    const leading *l = context;
    sym_view view = sym_look(l->v->g, leaf);
    return is_gone(l, &view) ? sym_number(l->v->g, 0) : leaf;
}

/* Whether two expressions say the same at the samples, against the terms of the first. */
static bool agree(const conversion *v, size_t count, sym *f)
{
    double *value = arena_array(v->a, SAMPLES * count, sizeof *value);
    if (!look_at(v, count, f, value)) return false;
    for (size_t s = 1; s < SAMPLES; s++) { /* at the first one each part may be met */
        const double *at = value + s * count;
        double size = 0;
        for (size_t k = 2; k < count; k++) size += fabs(at[k]);
        if (!(fabs(at[0] - at[1]) <= AGREEMENT * size)) return false;
    }
    return true;
}

/* f[0], whose parts follow f[1], without what it does not depend on: f[1]; SYM_NONE where that says
 * something else. */
static sym remove_leading(const conversion *v, size_t l, const influence *by, size_t count, sym *f)
{
    leading context = {.v = v, .by = by, .c = v->p->c[l]};
    f[1] = f[0];
    sym_substitute(v->g, 1, &f[1], without_leading, &context);
    return agree(v, count, f) ? f[1] : SYM_NONE;
}

/* The combination in place of equation l, SYM_NONE where it does not do. */
static sym combine(const conversion *v, size_t l)
{
    const prolongation *p = v->p;
    sym *f = arena_array(v->a, 2 + v->n, sizeof *f);
    influence *by = arena_array(v->a, p->size, sizeof *by);
    size_t count = 2;
    f[0] = sym_number(v->g, 0);
    for (size_t k = 0; k < v->n; k++) {
        const term *u = &v->factor[l * v->n + k];
        if (is_zero(v, u)) continue;
        sym part = sym_multiply(v->g, u->value, p->row[p->first_row[k] + p->c[k] - p->c[l]]);
        f[0] = sym_add(v->g, f[0], part);
        f[count++] = part;
        if (!add_influences(v, part, by)) return SYM_NONE;
    }
    return remove_leading(v, l, by, count, f);
}

/* Replace one leaf. */
typedef struct one_leaf {
    sym leaf, by;
} one_leaf;

static sym replace_one(void *context, sym leaf)
{
    const one_leaf *o = context;
    return leaf == o->leaf ? o->by : leaf;
}

/* What f = 0 makes of a leaf that it is linear in; SYM_NONE where it is not. */
static sym solve_for(const conversion *v, sym f, sym leaf)
{
    const sym *leaves;
    sym_partials partials = {0};
    sym slope = SYM_NONE;
    sym_gradient(v->g, f, &partials);
    for (size_t k = 0; k < partials.count; k++)
        if (partials.item[k].leaf == leaf) slope = partials.item[k].value;
    if (slope == SYM_NONE) return SYM_NONE;
    size_t count = sym_leaves(v->g, slope, &leaves);
    for (size_t k = 0; k < count; k++)
        if (leaves[k] == leaf) return SYM_NONE;
    one_leaf none = {.leaf = leaf, .by = sym_number(v->g, 0)};
    sym_substitute(v->g, 1, &f, replace_one, &none);
    return sym_negate(v->g, sym_divide(v->g, f, slope));
}

/* Equation l with leading derivatives as the equations of pivots give them, one after the other:
 * for where the combination's factors depend on leading derivatives themselves, so that it still
 * holds these (the expression substitution method of Tan, Nedialkov & Pryce). SYM_NONE where they
 * are not linear in them, or some remain. */
static sym substitute_pivots(const conversion *v, size_t l)
{
    const prolongation *p = v->p;
    uint32_t c = p->c[l];
    sym *row = arena_array(v->a, v->pivots + 1, sizeof *row), f[3];
    influence *by = arena_array(v->a, p->size, sizeof *by);
    row[v->pivots] = p->row[p->first_row[l]];
    for (size_t k = 0; k < v->pivots; k++) row[k] = sym_number(v->g, 0);
    for (size_t k = 0; k < v->pivots; k++)
        if (p->c[v->pivot_row[k]] >= c)
            row[k] = p->row[p->first_row[v->pivot_row[k]] + p->c[v->pivot_row[k]] - c];
    for (size_t k = 0; k < v->pivots; k++) {
        uint32_t d = p->d[v->pivot_column[k]];
        if (is_zero(v, &v->factor[l * v->n + v->pivot_row[k]])) continue;
        if (p->c[v->pivot_row[k]] < c || d < c) return SYM_NONE;
        one_leaf pivot = {.leaf = sym_variable(v->g, p->unknown[v->pivot_column[k]], d - c)};
        pivot.by = solve_for(v, row[k], pivot.leaf);
        if (pivot.by == SYM_NONE) return SYM_NONE;
        sym_substitute(v->g, v->pivots - k, row + k + 1, replace_one, &pivot);
    }
    f[0] = f[2] = row[v->pivots];
    if (!add_influences(v, f[0], by)) return SYM_NONE;
    return remove_leading(v, l, by, 3, f);
}

/* The best pivot among the rows that are differentiated c times and not done: false where nothing
 * is left of any of them. */
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

/* Replace what depends on other rows: how many, or -1 where one cannot be replaced. Rows are taken
 * in the order of falling c, so that what depends on others is differentiated least. A row of which
 * something is left that vanishes at the start has to wait: what other rows become in place of
 * those that were replaced may do for it as well. */
static long replace_dependent(conversion *v)
{
    long replaced = 0;
    bool vanishes = false;
    uint32_t most = 0;
    sym *residual = arena_array(v->a, v->n, sizeof *residual);
    memcpy(residual, v->core->residual, v->n * sizeof *residual);
    for (size_t i = 0; i < v->n; i++)
        if (v->s->c[i] > most) most = v->s->c[i];
    for (uint32_t c = most + 1; c-- > 0;)
        while (choose_pivot(v, c)) continue;
    if (v->switches) return -1;
    for (size_t i = 0; i < v->n; i++) {
        double size;
        if (v->done[i]) continue;
        if (choose_column(v, i, &size) < v->n) { /* what is left vanishes at one of the samples */
            vanishes = true;
            continue;
        }
        residual[i] = combine(v, i);
        if (residual[i] == SYM_NONE) residual[i] = substitute_pivots(v, i);
        if (residual[i] == SYM_NONE) return -1;
        replaced++;
    }
    if (vanishes && replaced == 0) return -1;
    memcpy(v->core->residual, residual, v->n * sizeof *residual);
    return replaced;
}

/* The signature of the residuals as they are; false where it is no better than that before. */
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

size_t structure_convert(const sym_system *system, explicit_core *core, const conversion_point *at)
{
    size_t n = core->n, replaced = 0;
    if (n > LARGEST) return 0;
    arena *a = system->memory;
    conversion v = {
        .system = system, .g = system->graph, .a = a, .core = core, .point = at, .n = n};
    v.row = arena_array(a, n * n, sizeof *v.row);
    v.factor = arena_array(a, n * n, sizeof *v.factor);
    v.largest = arena_array(a, 2 * n, sizeof *v.largest);
    v.pivot_row = arena_array(a, n, sizeof *v.pivot_row);
    v.pivot_column = arena_array(a, n, sizeof *v.pivot_column);
    v.row_size = arena_array(a, SAMPLES * n, sizeof *v.row_size);
    v.reduced = arena_array(a, n, sizeof *v.reduced);
    v.done = arena_array(a, n, sizeof *v.done);
    sym *kept = arena_array(a, n, sizeof *kept);
    memcpy(kept, core->residual, n * sizeof *kept);
    for (int round = 0; round < MOST_ROUNDS && sign(&v) && begin(&v); round++) {
        long now = replace_dependent(&v);
        if (now == 0) return replaced;
        if (now < 0) break;
        replaced += (size_t)now;
    }
    memcpy(core->residual, kept, n * sizeof *kept);
    return 0;
}
