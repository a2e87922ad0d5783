/* Names an equation of which hardly anything is left where a run stops, or a sum of equations.
 *
 * An equation p f = 0 says nothing where p = 0: the index is another one there, no step tells how
 * the solution goes on, and steps fail before that instant. Such an equation changes much less with
 * its variables there than it does beside the point. So does the sum of g + p f = 0 and -g = 0: the
 * rows of the Jacobian by all values and derivatives depend on each other at that point alone. */
#include "base/scatter.h"
#include "linalg/min_norm.h"
#include "solve/model_simulation.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* How far beside the point, and how far variables are changed, in sizes; and the part of what an
 * equation says beside the point that is hardly anything. */
static const double BESIDE = 0.1, CHANGED = 1e-6, HARDLY = 1e-3;

enum { POINTS = 3, PROBES = 4 };

/* The most equations among which sums are sought, because the matrices are full; and the most that
 * are named. */
enum { LARGEST = 200, MOST_NAMED = 10 };

typedef struct lost_search {
    model_simulation *m;
    double t;
    size_t equation;   /* of which least is left; SIZE_MAX: none */
    double left;       /* of it, or of a sum */
    const double *sum; /* rows: the factors of a sum; NULL: none */
} lost_search;

static size_t slot(void *context, const sym_view *leaf)
{
    const size_t *unknowns = context;
    return leaf->op == SYM_TIME ? 0 : 1 + leaf->order * *unknowns + leaf->id;
}

/* Moves values and derivatives from `from` by parts of their sizes. */
static void move(const lost_search *s, const double *from, double part, size_t seed, double *to)
{
    const model_simulation *m = s->m;
    double unit = m->formulation->start->time_unit;
    size_t n = m->base.n;
    to[0] = from[0] + part * scattered(seed) * unit;
    for (size_t k = 0; k < 2 * n; k++) {
        double nominal = m->base.nominal[k % n] / (k < n ? 1 : unit), by = scattered(seed + 1 + k);
        double size = fmax(fabs(from[1 + k]), nominal);
        to[1 + k] = from[1 + k] + part * copysign(0.5 + 0.5 * fabs(by), by) * size;
    }
}

/* How much each row changes at a point. */
static void find_changes(const lost_search *s, const sym_tape *tape, const double *at,
                         double *moved, double *here, double *there, double *change)
{
    size_t rows = s->m->whole.system->equation.count, inputs = 1 + 2 * s->m->base.n;
    memset(change, 0, rows * sizeof *change);
    sym_tape_eval(tape, at, here);
    for (size_t probe = 0; probe < PROBES; probe++) {
        move(s, at, CHANGED, probe * inputs, moved);
        sym_tape_eval(tape, moved, there);
        for (size_t i = 0; i < rows; i++)
            if (!(change[i] >= fabs(there[i] - here[i]))) change[i] = fabs(there[i] - here[i]);
    }
}

static void take_rows(const sym_system *system, sym *row)
{
    for (size_t i = 0; i < system->equation.count; i++) row[i] = sym_residual(system, i);
}

static void take_point(const lost_search *s, double *at)
{
    const simulation *c = &s->m->base;
    at[0] = s->t;
    memcpy(at + 1, c->value, c->n * sizeof *at);
    for (size_t k = 0; k < c->n; k++)
        at[1 + c->n + k] = isfinite(c->value_yp[k]) ? c->value_yp[k] : 0;
}

static void look(void *argument)
{
    lost_search *s = argument;
    model_simulation *m = s->m;
    const sym_system *system = m->whole.system;
    sym_graph *g = system->graph;
    size_t n = m->base.n, rows = system->equation.count, inputs = 1 + 2 * n;
    arena *a = m->home;
    sym *row = arena_array(a, rows, sizeof *row);
    double *at, *beside, *moved, *here, *there, *own, *other, *least;
    arena_vectors(a, inputs, (double **[]){&at, &beside, &moved, NULL});
    arena_vectors(a, rows, (double **[]){&here, &there, &own, &other, &least, NULL});
    take_rows(system, row);
    sym_tape *tape = sym_tape_compile(a, g, rows, row, inputs, slot, &n);
    take_point(s, at);
    find_changes(s, tape, at, moved, here, there, own);
    for (size_t i = 0; i < rows; i++) least[i] = HUGE_VAL;
    for (size_t k = 0; k < POINTS; k++) {
        move(s, at, BESIDE, (k + 1) * PROBES * inputs, beside);
        find_changes(s, tape, beside, moved, here, there, other);
        for (size_t i = 0; i < rows; i++) least[i] = fmin(least[i], other[i]);
    }
    for (size_t i = 0; i < rows; i++) {
        double left = own[i] / least[i];
        if (left < s->left) s->left = left, s->equation = i;
    }
}

/* --- sums --- */

static size_t column_of_leaf(void *context, size_t row, const sym_view *leaf)
{
    (void)row;
    return leaf->op == SYM_TIME ? SIZE_MAX : slot(context, leaf) - 1;
}

/* The Jacobian at a point by values and derivatives in their sizes, its transposed as a full
 * matrix; where `scale` is not given, rows are scaled to 1, and *scale is how. False: it is not
 * finite. */
static bool find_slopes(const lost_search *s, const sym_matrix *jacobian, const double *at,
                        double *value, double *scale, bool scales, double *slope)
{
    const model_simulation *m = s->m;
    const sparse_pattern *p = jacobian->pattern;
    double unit = m->formulation->start->time_unit;
    size_t n = m->base.n;
    sym_matrix_eval(jacobian, at, value);
    memset(slope, 0, p->rows * p->columns * sizeof *slope);
    if (scales) memset(scale, 0, p->rows * sizeof *scale);
    for (size_t j = 0; j < p->columns; j++) {
        double size = fmax(fabs(at[1 + j]), m->base.nominal[j % n] / (j < n ? 1 : unit));
        for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++) {
            double by = value[e] * size;
            if (!isfinite(by)) return false;
            slope[j * p->rows + (size_t)p->row[e]] = by;
            if (scales) scale[p->row[e]] = fmax(scale[p->row[e]], fabs(by));
        }
    }
    for (size_t k = 0; k < p->rows * p->columns; k++)
        if (scale[k % p->rows] > 0) slope[k] /= scale[k % p->rows];
    return true;
}

/* How much a sum changes. */
static double change_of(size_t rows, size_t columns, const double *factor, const double *slope)
{
    double most = 0;
    for (size_t j = 0; j < columns; j++) {
        double sum = 0;
        for (size_t i = 0; i < rows; i++) sum += factor[i] * slope[j * rows + i];
        most = fmax(most, fabs(sum));
    }
    return most;
}

static void look_at_sums(void *argument)
{
    lost_search *s = argument;
    model_simulation *m = s->m;
    const sym_system *system = m->whole.system;
    sym_graph *g = system->graph;
    size_t n = m->base.n, rows = system->equation.count, columns = 2 * n, inputs = 1 + columns;
    arena *a = m->home;
    sym *row = arena_array(a, rows, sizeof *row);
    double *at, *beside, *here, *work, *basis, *scale, *value;
    size_t *pivot_of = arena_array(a, rows, sizeof *pivot_of);
    arena_vectors(a, inputs, (double **[]){&at, &beside, NULL});
    arena_vectors(a, rows * columns, (double **[]){&here, &work, NULL});
    arena_vectors(a, rows * rows, (double **[]){&basis, NULL});
    arena_vectors(a, rows, (double **[]){&scale, NULL});
    take_rows(system, row);
    take_point(s, at);
    sym_entries entries = sym_jacobian_entries(a, g, rows, row, column_of_leaf, &n);
    const sym_matrix *jacobian = sym_matrix_compile(a, g, rows, columns, &entries, inputs, slot,
                                                    &n);
    arena_vectors(a, jacobian->pattern->nonzeros + (size_t)1, (double **[]){&value, NULL});
    if (!find_slopes(s, jacobian, at, value, scale, true, here)) return;
    memcpy(work, here, rows * columns * sizeof *work);
    size_t count = nullspace_echelon(columns, rows, work, HARDLY, pivot_of, basis);
    for (size_t k = 0; k < count; k++) {
        double *factor = basis + k * rows, least = HUGE_VAL;
        double own = change_of(rows, columns, factor, here);
        for (size_t point = 0; point < POINTS; point++) {
            move(s, at, BESIDE, (point + 1) * PROBES * inputs, beside);
            if (find_slopes(s, jacobian, beside, value, scale, false, work))
                least = fmin(least, change_of(rows, columns, factor, work));
        }
        if (!(own / least < s->left)) continue;
        for (size_t i = 0; i < rows; i++)
            if (scale[i] > 0) factor[i] /= scale[i];
        s->left = own / least;
        s->sum = factor;
    }
}

static void report_sum(const lost_search *s, text *to)
{
    const sym_system *system = s->m->whole.system;
    double most = 0;
    size_t named = 0, more = 0;
    for (size_t i = 0; i < system->equation.count; i++) most = fmax(most, fabs(s->sum[i]));
    text_format(to, "\n  near t = %.6g hardly anything is left of the sum of", s->t);
    for (size_t i = 0; i < system->equation.count; i++) {
        if (!(fabs(s->sum[i]) > HARDLY * most)) continue;
        if (named == MOST_NAMED) {
            more++;
            continue;
        }
        text_format(to, "\n    %s%.4g times ", named++ ? "and " : "", s->sum[i] / most);
        sym_equation_name(system, &system->equation.item[i], to);
    }
    if (more > 0) text_format(to, "\n    and %zu more", more);
}

bool model_simulation_report_lost(model_simulation *m, double t, text *to)
{
    const sym_system *system = m->whole.system;
    lost_search s = {.m = m, .t = t, .equation = SIZE_MAX, .left = HARDLY};
    if (m->system->delay.count > 0 || arena_protect(m->home, look, &s) != DAE_OK) return false;
    if (s.equation != SIZE_MAX) {
        text_format(to, "\n  near t = %.6g hardly anything is left of ", t);
        sym_equation_name(system, &system->equation.item[s.equation], to);
    } else if (system->equation.count <= LARGEST &&
               arena_protect(m->home, look_at_sums, &s) == DAE_OK && s.sum) {
        report_sum(&s, to);
    } else {
        return false;
    }
    text_format(
        to,
        " (%.1g of what it says beside this point): where nothing is, the index is another "
        "one, and the equations do not tell how the solution goes on\n  remedy: divide that "
        "%s by what becomes 0, or say what holds there",
        s.left, s.sum ? "sum" : "equation");
    return true;
}
