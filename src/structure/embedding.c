#include "structure/embedding.h"

#include "base/scatter.h"
#include "structure/embedding_kept.h"
#include "structure/signature.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* Entries of the scaled Jacobian, and factors of equations, that count as zero. */
static const double ZERO = 1e-9;

typedef struct embedding {
    const sym_system *from;
    const explicit_core *core;
    const prolongation *p;
    const embedding_point *at;
    arena *a;
    double *value;   /* nonzeros: the Jacobian with scaled columns and rows */
    uint32_t *place; /* rows of the core, then columns: where they are in the part that is looked
                        at, or INCIDENCE_NONE */
    /* Of a part: */
    size_t n;                           /* equations and unknowns */
    const uint32_t *at_row, *at_column; /* n: rows and columns of the core */
    double *scaled;                     /* n x n: the Jacobian, rows contiguous */
    double *row;                        /* n x n: what elimination leaves of it ... */
    double *factor;                     /* ... and the equations that make it */
    bool *occurs;                       /* n x n: the entry is not 0 wherever one looks */
    bool *done;                         /* n: the row has a pivot */
    size_t *pivot_row;                  /* n: of each column; n: it has none */
    size_t dependent;                   /* the row that is replaced */
    bool *belongs, *least;              /* n: the row belongs to R; by the factors alone */
    bool *replaced;    /* n: the highest derivative of the column becomes a new unknown */
    uint32_t *unknown; /* n: that unknown */
} embedding;

/* How often a row of the part is differentiated. */
static uint32_t level_of(const embedding *e, size_t i)
{
    return e->p->c[e->at_row[i]];
}

static double size_of(const embedding *e, size_t j, uint32_t order)
{
    double nominal = e->from->unknown.item[e->p->unknown[j]].nominal;
    double least = nominal / pow(e->at->time_unit, order);
    return fmax(fabs(e->at->z[e->p->first[j] + order]), least);
}

/* How much each equation changes where all variables change by their sizes. */
static void find_sizes(const embedding *e, double *size)
{
    enum { PROBES = 4 };
    static const double ASIDE = 1e-4;
    const prolongation *p = e->p;
    size_t n = p->n, inputs = prolongation_inputs(p);
    sym *row = arena_array(e->a, n, sizeof *row);
    double *input = arena_array(e->a, inputs, sizeof *input), *here, *moved;
    arena_vectors(e->a, n, (double **const[]){&here, &moved, NULL});
    for (size_t i = 0; i < n; i++) row[i] = p->row[p->first_row[i] + p->c[i]];
    sym_tape *tape = prolongation_tape(e->a, p, n, row);
    input[0] = e->at->t;
    memcpy(input + 1, e->at->z, p->size * sizeof *input);
    sym_tape_eval(tape, input, here);
    for (size_t probe = 0; probe < PROBES; probe++) {
        for (size_t j = 0; j < n; j++)
            for (uint32_t d = 0; d <= p->d[j]; d++) {
                size_t k = p->first[j] + d;
                double part = scattered(probe * p->size + k);
                input[1 + k] = e->at->z[k] +
                               ASIDE * copysign(0.5 + 0.5 * fabs(part), part) * size_of(e, j, d);
            }
        sym_tape_eval(tape, input, moved);
        for (size_t i = 0; i < n; i++) {
            double change = fabs(moved[i] - here[i]) / ASIDE;
            if (isfinite(change)) size[i] = fmax(size[i], change);
        }
    }
}

/* What highest derivatives change in a row, as part of what all variables do; at most 1. Where a
 * factor of theirs is near 0, they are not determined by that row. */
static void weigh_rows(embedding *e)
{
    size_t n = e->p->n;
    const sparse_pattern *s = e->at->pattern;
    double *size, *leading;
    arena_vectors(e->a, n, (double **const[]){&size, &leading, NULL});
    find_sizes(e, size);
    for (size_t j = 0; j < n; j++)
        for (sparse_index k = s->start[j]; k < s->start[j + 1]; k++) {
            double *most = &leading[s->row[k]];
            *most = fmax(*most, fabs(e->at->jacobian[k]) * size_of(e, j, e->p->d[j]));
        }
    for (size_t k = 0; k < s->nonzeros; k++) {
        size_t i = (size_t)s->row[k];
        if (size[i] > leading[i]) e->value[k] *= leading[i] / size[i];
    }
}

/* Scale columns, then rows, to a largest entry of 1, or less where a row says little of highest
 * derivatives. */
static void scale_jacobian(embedding *e)
{
    size_t n = e->p->n;
    const sparse_pattern *s = e->at->pattern;
    double *most_in_row = arena_array(e->a, n, sizeof *most_in_row);
    e->value = arena_array(e->a, s->nonzeros + (size_t)1, sizeof *e->value);
    for (size_t j = 0; j < n; j++) {
        double most = 0;
        for (sparse_index k = s->start[j]; k < s->start[j + 1]; k++)
            most = fmax(most, fabs(e->at->jacobian[k]));
        for (sparse_index k = s->start[j]; k < s->start[j + 1] && most > 0; k++) {
            e->value[k] = e->at->jacobian[k] / most;
            most_in_row[s->row[k]] = fmax(most_in_row[s->row[k]], fabs(e->value[k]));
        }
    }
    for (size_t k = 0; k < s->nonzeros; k++)
        if (most_in_row[s->row[k]] > 0) e->value[k] /= most_in_row[s->row[k]];
    weigh_rows(e);
}

/* The matrices of a part. */
static void take_part(embedding *e)
{
    arena *a = e->a;
    size_t n = e->n;
    const sparse_pattern *s = e->at->pattern;
    arena_vectors(a, n * n, (double **const[]){&e->scaled, &e->row, &e->factor, NULL});
    e->occurs = arena_array(a, n * n, sizeof *e->occurs);
    e->done = arena_array(a, n, sizeof *e->done);
    e->pivot_row = arena_array(a, n, sizeof *e->pivot_row);
    for (size_t j = 0; j < n; j++) e->pivot_row[j] = n;
    e->belongs = arena_array(a, n, sizeof *e->belongs);
    e->least = arena_array(a, n, sizeof *e->least);
    e->replaced = arena_array(a, n, sizeof *e->replaced);
    e->unknown = arena_array(a, n, sizeof *e->unknown);
    for (size_t j = 0; j < n; j++) {
        size_t column = e->at_column[j];
        for (sparse_index k = s->start[column]; k < s->start[column + 1]; k++) {
            uint32_t i = e->place[s->row[k]];
            if (i == INCIDENCE_NONE) continue;
            e->scaled[i * n + j] = e->value[k];
            e->occurs[i * n + j] = true;
        }
    }
    memcpy(e->row, e->scaled, n * n * sizeof *e->row);
    for (size_t i = 0; i < n; i++) e->factor[i * n + i] = 1;
}

static void eliminate(embedding *e, size_t pivot, size_t column)
{
    size_t n = e->n;
    e->done[pivot] = true;
    e->pivot_row[column] = pivot;
    for (size_t i = 0; i < n; i++) {
        double part = e->row[i * n + column] / e->row[pivot * n + column];
        if (e->done[i] || part == 0) continue;
        for (size_t j = 0; j < n; j++) {
            e->row[i * n + j] -= part * e->row[pivot * n + j];
            e->factor[i * n + j] -= part * e->factor[pivot * n + j];
        }
        e->row[i * n + column] = 0;
    }
}

/* Eliminate with the largest pivot of rows that are differentiated c times; false: there is none,
 * and a row that is left depends on others that are differentiated as often or more. */
static bool eliminate_largest(embedding *e, uint32_t c)
{
    size_t n = e->n, row = n, column = n;
    double most = ZERO;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n && !e->done[i] && level_of(e, i) == c; j++)
            if (fabs(e->row[i * n + j]) > most) most = fabs(e->row[i * n + j]), row = i, column = j;
    if (row == n) return false;
    eliminate(e, row, column);
    return true;
}

/* The first row that depends on others, in the order of falling c, so that it is differentiated
 * least. False: there is none. */
static bool find_dependent(embedding *e)
{
    uint32_t most = 0;
    for (size_t i = 0; i < e->n; i++)
        if (level_of(e, i) > most) most = level_of(e, i);
    for (uint32_t c = most + 1; c-- > 0;) {
        while (eliminate_largest(e, c)) continue;
        for (size_t i = 0; i < e->n; i++) {
            if (e->done[i] || level_of(e, i) != c) continue;
            e->dependent = i;
            return true;
        }
    }
    return false;
}

/* Adds the rows that make a row to R. Returns whether there are new ones. */
static bool add_rows(embedding *e, size_t row)
{
    const double *factor = e->factor + row * e->n;
    bool any = false;
    for (size_t i = 0; i < e->n; i++) {
        if (e->belongs[i] || !(fabs(factor[i]) > ZERO)) continue;
        e->belongs[i] = any = true;
    }
    return any;
}

/* R, by the factors of the row; and with the equations that determine what occurs in R and has no
 * effect on solutions. */
static void find_parts(embedding *e)
{
    size_t n = e->n;
    add_rows(e, e->dependent);
    memcpy(e->least, e->belongs, n * sizeof *e->least);
    for (bool more = true; more;) {
        more = false;
        for (size_t k = 0; k < n * n; k++) {
            size_t by = e->pivot_row[k % n];
            bool vanishes = e->belongs[k / n] && e->occurs[k] && !(fabs(e->scaled[k]) > ZERO);
            if (vanishes && by < n) more = add_rows(e, by) || more;
        }
    }
}

/* The columns that are determined by R without the row itself, by elimination with the largest
 * pivots. */
static void choose_columns(embedding *e)
{
    size_t n = e->n;
    memcpy(e->row, e->scaled, n * n * sizeof *e->row);
    memset(e->replaced, 0, n * sizeof *e->replaced);
    for (size_t i = 0; i < n; i++) e->done[i] = !e->belongs[i] || i == e->dependent;
    for (;;) {
        size_t row = n, column = n;
        double most = ZERO;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n && !e->done[i]; j++)
                if (fabs(e->row[i * n + j]) > most)
                    most = fabs(e->row[i * n + j]), row = i, column = j;
        if (row == n) return;
        eliminate(e, row, column);
        e->replaced[column] = true;
    }
}

/* How often the highest derivative of column j is differentiated in the copies; false: it does not
 * occur. */
static bool order_of(const embedding *e, size_t j, uint32_t *order)
{
    uint32_t d = e->p->d[e->at_column[j]], c = level_of(e, e->dependent);
    *order = d - c;
    return d >= c;
}

/* The value at the point of what is replaced in the copies. */
static double held_value(const embedding *e, size_t j, uint32_t order)
{
    return e->at->z[e->p->first[e->at_column[j]] + order];
}

static sym take_copy(void *context, sym leaf)
{
    const embedding *e = context;
    uint32_t order;
    sym_view view = sym_look(e->p->g, leaf);
    size_t column = e->p->column_of[view.id];
    size_t j = column == INCIDENCE_NONE ? column : e->place[e->p->n + column];
    if (j == INCIDENCE_NONE || !order_of(e, j, &order) || view.order != order) return leaf;
    if (e->replaced[j]) return sym_variable(e->p->g, e->unknown[j], 0);
    return sym_number(e->p->g, held_value(e, j, order));
}

/* What stands for a derivative of an unknown, which may stand for another one's itself. */
static void hold(const embedding *e, sym_system *to, uint32_t id, uint32_t order)
{
    uint32_t first = (uint32_t)(to->unknown.count - to->held.count);
    sym_held held = {id, order};
    if (id >= first) held.of = to->held.item[id - first].of;
    if (id >= first) held.order += to->held.item[id - first].order;
    list_push(e->a, &to->held, held);
}

/* The unknowns in place of highest derivatives. */
static void add_unknowns(embedding *e, sym_system *to, place at)
{
    for (size_t j = 0; j < e->n; j++) {
        uint32_t order;
        if (!e->replaced[j] || !order_of(e, j, &order)) continue;
        const sym_unknown *of = &e->from->unknown.item[e->p->unknown[e->at_column[j]]];
        sym_unknown held = {
            .unit = "", .at = at, .start = held_value(e, j, order), .select = SYM_SELECT_NEVER};
        held.name = arena_format(e->a,
                                 order > 1   ? "der(%s, %u)"
                                 : order > 0 ? "der(%s)"
                                             : "%s",
                                 of->name, (unsigned)order);
        held.nominal = fmax(of->nominal / pow(e->at->time_unit, order), 1e-300);
        e->unknown[j] = (uint32_t)to->unknown.count;
        hold(e, to, e->p->unknown[e->at_column[j]], order);
        list_push(e->a, &to->unknown, held);
    }
}

/* The copies of R in place of the row, which is measured from now on. */
static void add_equations(embedding *e, sym_system *to)
{
    const prolongation *p = e->p;
    uint32_t level = level_of(e, e->dependent);
    size_t replaced = e->core->equation[e->at_row[e->dependent]];
    list_push(e->a, &to->implied, to->equation.item[replaced]);
    bool first = true;
    for (size_t k = 0; k < e->n; k++) {
        size_t i = e->at_row[k];
        if (!e->belongs[k]) continue;
        sym_equation copy = e->from->equation.item[e->core->equation[i]];
        copy.lhs = p->row[p->first_row[i] + p->c[i] - level];
        copy.rhs = sym_number(p->g, 0);
        sym_substitute(p->g, 1, &copy.lhs, take_copy, e);
        if (first)
            to->equation.item[replaced] = copy;
        else
            list_push(e->a, &to->equation, copy);
        first = false;
    }
}

static bool is_square(const embedding *e)
{
    size_t rows = 0, columns = 0;
    for (size_t i = 0; i < e->n; i++) {
        uint32_t order;
        rows += e->belongs[i];
        columns += e->replaced[i];
        if (e->replaced[i] && !order_of(e, i, &order)) return false;
    }
    return rows == columns + 1;
}

/* Whether copies of R can be made, and say the same whatever the values that they keep. */
static bool can_be_copied(embedding *e)
{
    choose_columns(e);
    if (!is_square(e)) return false;
    arena *a = e->a;
    size_t n = e->n;
    embedding_copies c = {.p = e->p,
                          .t = e->at->t,
                          .time_unit = e->at->time_unit,
                          .z = e->at->z,
                          .system = e->from,
                          .level = level_of(e, e->dependent),
                          .row = arena_array(a, n, sizeof *c.row),
                          .replaced = arena_array(a, n, sizeof *c.replaced),
                          .kept = arena_array(a, n, sizeof *c.kept)};
    for (uint32_t k = 0, j = 0; k < n; k++) {
        uint32_t order;
        if (e->belongs[k] && k != e->dependent) c.row[c.rows++] = e->at_row[k];
        if (e->replaced[k])
            c.replaced[j++] = e->at_column[k];
        else if (order_of(e, k, &order))
            c.kept[c.keeps++] = e->at_column[k];
    }
    c.row[c.rows++] = e->at_row[e->dependent];
    return embedding_copies_hold(a, &c);
}

/* Chooses R, the least one that can be copied. */
static bool choose_parts(embedding *e)
{
    size_t bytes = e->n * sizeof *e->belongs;
    find_parts(e);
    bool *whole = arena_duplicate(e->a, e->belongs, e->n, sizeof *whole);
    memcpy(e->belongs, e->least, bytes);
    if (can_be_copied(e)) return true;
    memcpy(e->belongs, whole, bytes);
    return memcmp(whole, e->least, bytes) != 0 && can_be_copied(e);
}

/* Marks the rows and columns of a part. */
static void mark(embedding *e, bool on)
{
    for (uint32_t i = 0; i < e->n; i++) {
        e->place[e->at_row[i]] = on ? i : INCIDENCE_NONE;
        e->place[e->p->n + e->at_column[i]] = on ? i : INCIDENCE_NONE;
    }
}

/* Embeds one equation of a part; false: that cannot be done. */
static bool embed_part(embedding *e, sym_system *to)
{
    mark(e, true);
    take_part(e);
    bool found = find_dependent(e) && choose_parts(e);
    if (found) {
        add_unknowns(e, to, e->from->equation.item[e->core->equation[e->at_row[e->dependent]]].at);
        add_equations(e, to);
    }
    mark(e, false);
    return found;
}

sym_system *structure_embed(const sym_system *from, const explicit_core *core,
                            const prolongation *p, const embedding_point *at)
{
    arena *a = from->memory;
    embedding e = {.from = from, .core = core, .p = p, .at = at, .a = a};
    e.place = arena_array(a, 2 * p->n, sizeof *e.place);
    for (size_t i = 0; i < 2 * p->n; i++) e.place[i] = INCIDENCE_NONE;
    scale_jacobian(&e);
    const deceived_parts *parts = structure_deceived_parts(a, at->pattern, 1, e.value, ZERO,
                                                           at->match);
    sym_system *to = arena_take(a, sizeof *to);
    *to = *from;
    list_copy(a, &to->unknown, &from->unknown);
    list_copy(a, &to->equation, &from->equation);
    list_copy(a, &to->implied, &from->implied);
    list_copy(a, &to->held, &from->held);
    bool found = false;
    for (size_t k = 0; k < parts->count; k++) {
        e.n = parts->start[k + 1] - parts->start[k];
        e.at_row = parts->row + parts->start[k];
        e.at_column = parts->column + parts->start[k];
        found = embed_part(&e, to) || found;
    }
    return found ? to : NULL;
}
