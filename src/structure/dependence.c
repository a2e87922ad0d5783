#include "structure/dependence.h"

#include "base/round_off.h"
#include "base/scatter.h"
#include "linalg/lapack.h"
#include "linalg/linear_solver_rows.h"
#include "linalg/rows.h"
#include "linalg/sparse_elimination.h"
#include "structure/structure.h"
#include "symbolic/relations.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 4, MOST_SUMS = 200, MOST_NAMED = 20 };

/* Rows at samples: values, and derivatives by all entries of z. */
typedef struct samples {
    const sym_unknown *unknown;
    double time_unit;
    const prolongation *p;
    sym_tape *rows;
    sym_matrix *by_z;
    const sparse_pattern *pattern;
    double *value;                    /* SAMPLES x rows */
    double *jacobian;                 /* SAMPLES x nonzeros */
    double *row_scale, *column_scale; /* of the largest derivatives */
    double *input;                    /* SAMPLES x inputs */
} samples;

/* Choose a point beside the values, in the sizes of the unknowns and the unit of time. The first
 * sample is at the time t itself. None is at the values themselves, where terms may vanish. */
static void move_beside(const samples *s, double t, const double *value, size_t sample,
                        double distance, double *input)
{
    const prolongation *p = s->p;
    input[0] = t + (sample > 0 ? distance * s->time_unit * fabs(scattered(sample)) : 0);
    for (size_t j = 0; j < p->n; j++) {
        double near = value[p->unknown[j]], size = s->unknown[p->unknown[j]].nominal;
        for (size_t k = p->first[j]; k < p->first[j + 1]; k++) {
            double part = distance * scattered(sample * p->size + k);
            input[1 + k] = near + part * fmax(fabs(near), size);
            near = 0, size /= s->time_unit;
        }
    }
}

/* Evaluate the samples at this distance from the given values; false if there are no finite
 * values. */
static bool sample_at(samples *s, double t, const double *value, double distance)
{
    const prolongation *p = s->p;
    size_t nonzeros = s->pattern->nonzeros;
    for (size_t k = 0; k < SAMPLES; k++) {
        double *input = s->input + k * prolongation_inputs(p);
        move_beside(s, t, value, k, distance, input);
        sym_tape_eval(s->rows, input, s->value + k * p->rows);
        sym_matrix_eval(s->by_z, input, s->jacobian + k * nonzeros);
    }
    return vector_is_finite(SAMPLES * p->rows, s->value) &&
           vector_is_finite(SAMPLES * nonzeros, s->jacobian);
}

static bool take_samples(arena *a, samples *s, double t, const double *value)
{
    const prolongation *p = s->p;
    s->input = arena_array(a, SAMPLES * prolongation_inputs(p), sizeof *s->input);
    s->rows = prolongation_tape(a, p, p->rows, p->row);
    s->by_z = prolongation_jacobian(a, p, p->rows, p->row);
    s->pattern = s->by_z->pattern;
    s->value = arena_array(a, SAMPLES * p->rows, sizeof *s->value);
    s->jacobian = arena_array(a, SAMPLES * s->pattern->nonzeros, sizeof *s->jacobian);
    s->row_scale = arena_array(a, p->rows, sizeof *s->row_scale);
    s->column_scale = arena_array(a, p->size, sizeof *s->column_scale);
    double *largest = arena_array(a, s->pattern->nonzeros, sizeof *largest);
    bool found = false;
    for (double distance = 0.5; !found && distance > 1e-4; distance *= 0.1)
        found = sample_at(s, t, value, distance);
    for (size_t k = 0; k < SAMPLES * s->pattern->nonzeros; k++) {
        double *most = &largest[k % s->pattern->nonzeros];
        *most = fmax(*most, fabs(s->jacobian[k]));
    }
    if (equilibrate(s->pattern, largest, s->row_scale, s->column_scale) != DAE_OK) arena_fail(a);
    return found;
}

/* Whether a column has other entries at a sample than at the first one. */
static bool changes(const samples *s, size_t sample, size_t j)
{
    const sparse_pattern *w = s->pattern;
    const double *first = s->jacobian, *here = first + sample * w->nonzeros;
    for (sparse_index e = w->start[j]; e < w->start[j + 1]; e++)
        if (here[e] != first[e]) return true;
    return false;
}

/* By a column of the Jacobian at a sample, the sum must vanish: an equation for its factors. */
static sparse_row equation_for(arena *a, const samples *s, size_t sample, size_t j)
{
    const sparse_pattern *w = s->pattern;
    size_t first = (size_t)w->start[j], count = (size_t)w->start[j + 1] - first;
    uint32_t *at = arena_array(a, count, sizeof *at);
    double *value = arena_array(a, count, sizeof *value);
    for (size_t e = 0; e < count; e++) {
        at[e] = (uint32_t)w->row[first + e];
        value[e] = s->jacobian[sample * w->nonzeros + first + e] * s->row_scale[at[e]] *
                   s->column_scale[j];
    }
    return (sparse_row){count, at, value};
}

/* The sums of scaled rows whose derivatives vanish: the open columns of what this returns. NULL:
 * they are not known. */
static sparse_elimination *find_sums(arena *a, const samples *s)
{
    size_t columns = s->pattern->columns, equations = 0;
    sparse_row *equation = arena_array(a, SAMPLES * columns, sizeof *equation);
    for (size_t k = 0; k < SAMPLES; k++)
        for (size_t j = 0; j < columns; j++)
            if (k == 0 || changes(s, k, j)) equation[equations++] = equation_for(a, s, k, j);
    return sparse_eliminate(a, equations, equation, s->p->rows, ROUND_OFF_AMPLIFIED);
}

static void take_sum(arena *a, const samples *s, const sparse_vector *v, dependent_sum *sum)
{
    sum->row = arena_array(a, v->count, sizeof *sum->row);
    sum->factor = arena_array(a, v->count, sizeof *sum->factor);
    for (size_t k = 0; k < v->count; k++) {
        sum->row[sum->parts] = v->place[k];
        sum->factor[sum->parts++] = v->value[k] * s->row_scale[v->place[k]];
    }
    for (size_t i = sum->parts; i-- > 0;) sum->factor[i] /= sum->factor[0];
}

/* The terms of the derivative by an unknown at a sample, from the factors of all rows. */
static double add_terms(const samples *s, size_t column, const double *factor, double *size)
{
    const sparse_pattern *w = s->pattern;
    const double *entry = s->jacobian + column / w->columns * w->nonzeros;
    double left = 0;
    *size = 0;
    for (sparse_index e = w->start[column % w->columns]; e < w->start[column % w->columns + 1];
         e++) {
        double term = factor[w->row[e]] * entry[e];
        left += term, *size += fabs(term);
    }
    return left;
}

static void spread_factors(const samples *s, const dependent_sum *sum, double *factor)
{
    memset(factor, 0, s->pattern->rows * sizeof *factor);
    for (size_t i = 0; i < sum->parts; i++) factor[sum->row[i]] = sum->factor[i];
}

/* What a sum of derivatives that cancel to round-off leaves of its unknowns at a sample. */
static double open_part(const samples *s, size_t sample, const double *factor)
{
    const double *input = s->input + sample * prolongation_inputs(s->p);
    size_t columns = s->pattern->columns;
    double part = 0, size;
    for (size_t j = 0; j < columns; j++)
        part += fabs(add_terms(s, sample * columns + j, factor, &size) * input[1 + j]);
    return part;
}

/* The remainder of a sum at the first sample; 0 if it is round-off at all samples, or no more than
 * unknowns of other sizes would make of what the derivatives leave. */
static double what_is_left(const samples *s, const dependent_sum *sum, double *factor)
{
    static const double OTHER_SIZES = 100;
    bool nothing = true;
    double first = 0;
    spread_factors(s, sum, factor);
    for (size_t k = 0; k < SAMPLES; k++) {
        double left = 0, size = 0, open = open_part(s, k, factor);
        for (size_t i = 0; i < sum->parts; i++) {
            double part = sum->factor[i] * s->value[k * s->p->rows + sum->row[i]];
            left += part;
            size += fabs(part);
        }
        if (k == 0) first = left;
        nothing = nothing && !(fabs(left) > ROUND_OFF_ELIMINATED * size + OTHER_SIZES * open);
    }
    return nothing ? 0 : first;
}

/* Whether the derivatives by each unknown cancel to `rounding` of their own terms. Beside other
 * derivatives, those that are left may be small, in units that make them so. */
static bool cancels(const samples *s, const dependent_sum *sum, double rounding, double *factor)
{
    spread_factors(s, sum, factor);
    for (size_t j = 0; j < SAMPLES * s->pattern->columns; j++) {
        double size, left = add_terms(s, j, factor, &size);
        if (!(fabs(left) <= rounding * size)) return false;
    }
    return true;
}

/* The derivatives in a sum by each unknown at each sample, in sizes of their terms; by columns, one
 * for each part of the sum. Returns how many there are. */
static size_t take_terms(const samples *s, const dependent_sum *sum, const double *factor,
                         size_t *part_of, size_t rows, double *term)
{
    const sparse_pattern *w = s->pattern;
    size_t found = 0;
    for (size_t i = 0; i < sum->parts; i++) part_of[sum->row[i]] = i;
    for (size_t j = 0; j < SAMPLES * w->columns; j++) {
        const double *entry = s->jacobian + j / w->columns * w->nonzeros;
        double size;
        add_terms(s, j, factor, &size);
        if (!(size > 0)) continue;
        for (sparse_index e = w->start[j % w->columns]; e < w->start[j % w->columns + 1]; e++)
            if (factor[w->row[e]] != 0)
                term[part_of[w->row[e]] * rows + found] = factor[w->row[e]] * entry[e] / size;
        found++;
    }
    return found;
}

/* A long elimination gives factors with errors. Those with which least is left of the derivatives
 * are the solution of linear least squares (Golub & Van Loan, Matrix Computations, 4th ed., Sec.
 * 5.3), which leaves round-off where the rows depend on each other, and else what they differ by.
 * False for sums that are too long. */
static bool refine_factors(arena *a, const samples *s, dependent_sum *sum, double *factor)
{
    static const double MOST_WORK = 1e8;
    spread_factors(s, sum, factor);
    size_t rows = 0;
    for (size_t j = 0; j < SAMPLES * s->pattern->columns; j++) {
        double size;
        add_terms(s, j, factor, &size);
        rows += size > 0;
    }
    if ((double)rows * (double)sum->parts * (double)sum->parts > MOST_WORK) return false;
    if (rows < sum->parts || sum->parts < 2) return true;
    size_t *part_of = arena_array(a, s->pattern->rows, sizeof *part_of);
    double *term = arena_array(a, rows * sum->parts, sizeof *term);
    take_terms(s, sum, factor, part_of, rows, term);
    int m = (int)rows, n = (int)sum->parts - 1, one = 1, info = 0, size = 64 * (int)sum->parts;
    double *right = term, *matrix = term + rows;
    double *tau = arena_array(a, sum->parts, sizeof *tau),
           *work = arena_array(a, (size_t)size, sizeof *work);
    dgeqrf_(&m, &n, matrix, &m, tau, work, &size, &info);
    if (info == 0)
        dormqr_("L", "T", &m, &one, &n, matrix, &m, tau, right, &m, work, &size, &info, 1, 1);
    for (int i = 0; i < n && info == 0; i++)
        if (!(fabs(matrix[i * m + i]) > ROUND_OFF_ELIMINATED)) info = 1;
    if (info != 0) return true;
    dtrsv_("U", "N", "N", &n, matrix, &m, right, &one, 1, 1, 1);
    for (int i = 0; i < n; i++) sum->factor[i + 1] *= -right[i];
    return true;
}

/* Factors of balances are whole numbers. Makes those that are nearly whole so; whether all cancels
 * then is seen afterwards. */
static void round_factors(dependent_sum *sum)
{
    static const double NEARLY = 1e-6;
    for (size_t i = 0; i < sum->parts; i++) {
        double whole = round(sum->factor[i]);
        if (fabs(sum->factor[i] - whole) < NEARLY) sum->factor[i] = whole;
    }
}

typedef LIST(sym) conditions;

static void add_once(arena *a, conditions *to, sym condition)
{
    for (size_t i = 0; i < to->count; i++)
        if (to->item[i] == condition) return;
    list_push(a, to, condition);
}

/* The relations and discrete variables by which the equations of sums choose their branches. */
static conditions list_conditions(arena *a, const prolongation *p, size_t sums,
                                  const dependent_sum *sum)
{
    sym_graph *g = p->g;
    conditions all = {0}, found = {0};
    for (size_t k = 0; k < sums && k < MOST_NAMED; k++) {
        for (size_t i = 0; i < sum[k].parts; i++) {
            const sym *reached;
            size_t count = sym_reach(g, 1, &p->row[sum[k].row[i]], &reached);
            for (size_t r = 0; r < count; r++) {
                sym_view view = sym_look(g, reached[r]);
                if (view.op == SYM_IF) add_once(a, &all, view.argument[0]);
            }
        }
    }
    for (size_t i = 0; i < all.count; i++) {
        sym_view view = sym_look(g, all.item[i]);
        if (sym_is_relation(g, all.item[i]) || view.op == SYM_CELL)
            add_once(a, &found, all.item[i]);
        bool logical = view.op == SYM_AND || view.op == SYM_OR || view.op == SYM_NOT;
        for (uint32_t k = 0; logical && k < view.count; k++) add_once(a, &all, view.argument[k]);
    }
    return found;
}

/* Whether the sum is one: with whole factors, or with the best ones. */
static bool is_sum(arena *a, const samples *s, dependent_sum *sum, double *factor)
{
    double *found = arena_duplicate(a, sum->factor, sum->parts, sizeof *found);
    round_factors(sum);
    if (cancels(s, sum, ROUND_OFF_ELIMINATED, factor)) return true;
    memcpy(sum->factor, found, sum->parts * sizeof *found);
    bool refined = refine_factors(a, s, sum, factor);
    return cancels(s, sum, refined ? ROUND_OFF_ELIMINATED : ROUND_OFF_ITERATED, factor);
}

/* Whether a sum vanishes around other values, too, unless its equations have other branches there.
 * Around those that a search has ended at, exponentials may have lost all their digits. */
static bool is_sum_elsewhere(arena *a, const samples *elsewhere, const dependent_sum *sum,
                             double *factor)
{
    return !elsewhere || list_conditions(a, elsewhere->p, 1, sum).count > 0 ||
           cancels(elsewhere, sum, ROUND_OFF_ITERATED, factor);
}

/* Samples of the same rows around the start values; NULL where these have none. */
static const samples *sample_starts(arena *a, const samples *s, double t)
{
    samples *other = arena_duplicate(a, s, 1, sizeof *other);
    const prolongation *p = s->p;
    size_t unknowns = 0;
    for (size_t j = 0; j < p->n; j++)
        if (p->unknown[j] >= unknowns) unknowns = (size_t)p->unknown[j] + 1;
    double *start = arena_array(a, unknowns, sizeof *start);
    for (size_t j = 0; j < p->n; j++) start[p->unknown[j]] = s->unknown[p->unknown[j]].start;
    other->input = arena_array(a, SAMPLES * prolongation_inputs(p), sizeof *other->input);
    other->value = arena_array(a, SAMPLES * p->rows, sizeof *other->value);
    other->jacobian = arena_array(a, SAMPLES * s->pattern->nonzeros, sizeof *other->jacobian);
    for (double distance = 0.5; distance > 1e-4; distance *= 0.1)
        if (sample_at(other, t, start, distance)) return other;
    return NULL;
}

static size_t equation_of(const prolongation *p, size_t row)
{
    return prolongation_group(p->first_row, p->n, row);
}

/* Whether all parts are differentiated. Then the sum is the derivative of another one. */
static bool is_derivative(const prolongation *p, const dependent_sum *sum)
{
    for (size_t k = 0; k < sum->parts; k++)
        if (sum->row[k] == p->first_row[equation_of(p, sum->row[k])]) return false;
    return true;
}

/* The pattern of the system Jacobian, transposed: x_j^(d_j) in the last row of each equation.
 * *from: the nonzeros of the samples' Jacobian. */
static sparse_pattern *system_pattern(arena *a, const samples *s, uint32_t **from)
{
    const prolongation *p = s->p;
    sparse_entries in = sparse_entries_take(a, s->pattern->nonzeros);
    for (size_t j = 0; j < p->n; j++) {
        size_t column = p->first[j + 1] - 1;
        for (sparse_index e = s->pattern->start[column]; e < s->pattern->start[column + 1]; e++) {
            size_t row = (size_t)s->pattern->row[e], i = equation_of(p, row);
            if (row + 1 == p->first_row[i + 1]) sparse_entries_add_from(&in, j, i, (size_t)e);
        }
    }
    return sparse_entries_build_from(a, &in, p->n, p->n, from);
}

/* Find unknowns whose highest derivatives may change without violating any equation: those in the
 * null space of the system Jacobian. */
static void find_undetermined(arena *a, const samples *s, dependence *d)
{
    const prolongation *p = s->p;
    size_t n = p->n;
    uint32_t *from;
    const sparse_pattern *w = system_pattern(a, s, &from);
    uint32_t *at = arena_array(a, w->nonzeros, sizeof *at);
    double *value = arena_array(a, w->nonzeros, sizeof *value);
    sparse_row *equation = arena_array(a, n, sizeof *equation);
    for (size_t i = 0; i < n; i++) {
        size_t first = (size_t)w->start[i], last = (size_t)w->start[i + 1];
        equation[i] = (sparse_row){last - first, at + first, value + first};
        for (size_t k = first; k < last; k++) {
            at[k] = (uint32_t)w->row[k];
            value[k] = s->jacobian[from[k]] * s->row_scale[p->first_row[i + 1] - 1] *
                       s->column_scale[p->first[at[k] + 1] - 1];
        }
    }
    sparse_elimination *e = sparse_eliminate(a, n, equation, n, ROUND_OFF_AMPLIFIED);
    bool *open = arena_array(a, n, sizeof *open);
    for (size_t j = 0, found = 0; e && j < n && found < MOST_SUMS; j++) {
        if (!sparse_elimination_is_open(e, j)) continue;
        sparse_vector v = sparse_elimination_vector(e, j);
        for (size_t k = 0; k < v.count; k++) open[v.place[k]] = true;
        found++;
    }
    d->undetermined = arena_array(a, n, sizeof *d->undetermined);
    for (size_t j = 0; j < n; j++)
        if (open[j]) d->undetermined[d->open++] = p->unknown[j];
}

dependence *structure_dependence(const sym_system *system, const signature *own, double time_unit,
                                 double t, const double *value)
{
    arena *a = system->memory;
    dependence *d = arena_take(a, sizeof *d);
    *d = (dependence){.system = system};
    const explicit_core *whole = structure_explicit(system, EXPLICIT_NONE);
    samples s = {.p = structure_prolong(a, system->graph, whole, own->c, own->d),
                 .unknown = system->unknown.item,
                 .time_unit = time_unit};
    const prolongation *p = d->p = s.p;
    if (!take_samples(a, &s, t, value)) return d;
    d->points = s.input;
    sparse_elimination *sums = find_sums(a, &s);
    double *factor = arena_array(a, p->rows, sizeof *factor);
    const samples *elsewhere = sums ? sample_starts(a, &s, t) : NULL;
    d->sum = arena_array(a, MOST_SUMS, sizeof *d->sum);
    for (size_t i = 0, examined = 0; sums && i < p->rows && examined < MOST_SUMS; i++) {
        dependent_sum sum = {0};
        if (!sparse_elimination_is_open(sums, i)) continue;
        sparse_vector v = sparse_elimination_vector(sums, i);
        examined++;
        take_sum(a, &s, &v, &sum);
        if (is_derivative(p, &sum)) continue;
        if (!is_sum(a, &s, &sum, factor) || !is_sum_elsewhere(a, elsewhere, &sum, factor)) continue;
        sum.says = what_is_left(&s, &sum, factor);
        d->sum[d->count++] = sum;
    }
    if (d->count > 0) find_undetermined(a, &s, d);
    return d;
}

bool structure_contradicts(const dependence *d)
{
    for (size_t k = 0; k < d->count; k++)
        if (d->sum[k].says != 0) return true;
    return false;
}

/* "minus 3 times the derivative of x = y (m.mo:3)" */
static void report_part(const dependence *d, const dependent_sum *sum, size_t part, message *m)
{
    size_t i = equation_of(d->p, sum->row[part]), order = sum->row[part] - d->p->first_row[i];
    double size = fabs(sum->factor[part]);
    message_more(m, "\n    ");
    if (part > 0) message_more(m, sum->factor[part] < 0 ? "minus " : "plus ");
    if (fabs(size - 1) > ROUND_OFF_ELIMINATED) message_more(m, "%.6g times ", size);
    sym_derivative_name(d->system, &d->system->equation.item[i], order, &m->sentence);
}

static void report_sum(const dependence *d, const dependent_sum *sum, message *m)
{
    message_more(m, "\n  the sum of these equations says 0 = %.6g, so that ", fabs(sum->says));
    if (sum->says != 0)
        message_more(m, "they contradict each other:");
    else
        message_more(m, "one of them follows from the others:");
    for (size_t k = 0; k < sum->parts && k < MOST_NAMED; k++) report_part(d, sum, k, m);
    if (sum->parts > MOST_NAMED) message_more(m, "\n    and %zu more", sum->parts - MOST_NAMED);
}

/* --- the mode in which the sums are 0 --- */

/* Names those that have one value at all points: where they have several, it does not matter. */
static void report_mode(const dependence *d, message *m)
{
    const prolongation *p = d->p;
    arena *a = d->system->memory;
    conditions in = list_conditions(a, p, d->count, d->sum);
    double *value = arena_array(a, SAMPLES * in.count, sizeof *value);
    const sym_tape *tape = prolongation_tape(a, p, in.count, in.item);
    size_t named = 0;
    for (size_t k = 0; k < SAMPLES; k++)
        sym_tape_eval(tape, d->points + k * prolongation_inputs(p), value + k * in.count);
    for (size_t i = 0; i < in.count; i++) {
        bool same = true;
        for (size_t k = 1; k < SAMPLES; k++) same = same && value[k * in.count + i] == value[i];
        if (!same || named++ >= MOST_NAMED) continue;
        message_more(m, named == 1 ? ", while " : ", ");
        sym_condition_name(d->system, in.item[i], &m->sentence);
        message_more(m, value[i] != 0 ? " is true" : " is false");
    }
    if (named > MOST_NAMED) message_more(m, " and %zu more hold", named - MOST_NAMED);
}

void structure_report_dependence(const dependence *d, const char *remedy, message *m)
{
    const dependent_sum *first = &d->sum[0];
    const sym_equation *e = &d->system->equation.item[equation_of(d->p, first->row[0])];
    message_replace(m, DAE_STRUCTURE, "%s:%u:%u: error: the equations depend on each other, ",
                    d->system->file, e->at.line, e->at.column);
    message_more(m, "whatever the values");
    report_mode(d, m);
    for (size_t k = 0; k < d->count && k < MOST_NAMED; k++) report_sum(d, &d->sum[k], m);
    if (d->count > MOST_NAMED) message_more(m, "\n  and %zu more", d->count - MOST_NAMED);
    if (d->open > 0) message_more(m, "\n  left undetermined: ");
    structure_list_unknowns(d->system, d->open, d->undetermined, m);
    if (*remedy)
        message_more(m, "%s", remedy);
    else if (structure_contradicts(d))
        message_more(m, "\n  remedy: correct one of the equations that contradict each other, or "
                        "replace it by one that is missing");
    else
        message_more(m, "\n  remedy: replace one of them by the equation that is missing, such as "
                        "a ground of a circuit or another balance");
}
