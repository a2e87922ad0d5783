#include "formulation/prolonged_levels.h"

#include "base/round_off.h"
#include "base/scatter.h"
#include "nonlinear/corrections.h"

#include <math.h>
#include <string.h>

static const double RANK_TOLERANCE = 1e-11, STAGNATION = 1e-7;

/* Entries of z that y does not hold. */
static void list_entries(arena *a, prolonged_hidden *s)
{
    size_t size = s->levels->size;
    bool *is_held = arena_array(a, size, sizeof *is_held);
    for (size_t k = 0; k < s->problem->n; k++) is_held[s->held[k]] = true;
    s->entry = arena_array(a, s->hidden_directions + size, sizeof *s->entry);
    s->columns = s->hidden_directions;
    for (size_t j = 0; j < size; j++)
        if (!is_held[j]) s->entry[s->columns++] = j;
}

static void build_pattern(arena *a, prolonged_hidden *s)
{
    const sparse_pattern *whole = s->levels->level[0].pattern;
    size_t rows = whole->rows;
    sparse_entries e = sparse_entries_take(a, s->hidden_directions * rows + whole->nonzeros);
    for (size_t v = 0; v < s->hidden_directions; v++)
        for (size_t i = 0; i < rows; i++) sparse_entries_add(&e, i, v);
    for (size_t c = s->hidden_directions; c < s->columns; c++)
        sparse_entries_add_column(&e, whole, s->entry[c], c);
    s->pattern = sparse_entries_build_from(a, &e, rows, s->columns, &s->from);
}

prolonged_hidden *prolonged_hidden_create(arena *a, const constraint_levels *levels,
                                          const problem *p, const size_t *held)
{
    prolonged_hidden *s = arena_take(a, sizeof *s);
    *s = (prolonged_hidden){
        .levels = levels, .problem = p, .hidden_directions = p->hidden_directions, .held = held};
    list_entries(a, s);
    build_pattern(a, s);
    s->value = arena_array(a, s->pattern->nonzeros, sizeof(double));
    s->array_value = arena_array(a, levels->level[0].pattern->nonzeros, sizeof(double));
    arena_vectors(a, levels->level[0].rows, (double **const[]){&s->residual, &s->size, NULL});
    s->beside_value = arena_array(a, levels->level[0].pattern->nonzeros, sizeof(double));
    s->beside = arena_array(a, levels->size, sizeof(double));
    s->change = arena_array(a, levels->size + s->columns, sizeof(double));
    s->scale = arena_array(a, s->columns, sizeof(double));
    return min_norm_create(&s->linear, s->pattern, MIN_NORM_RANK) == DAE_OK ? s : NULL;
}

/* Column of one hidden index-2 direction: the derivative of the rows along it. Where a row does not
 * depend on the direction, the sum is round-off and is set to 0. Otherwise the scaling of rows to
 * length 1 would enlarge round-off and ask for a change that nothing determines. */
static void take_hidden_direction(prolonged_hidden *s, size_t v)
{
    const sparse_pattern *whole = s->levels->level[0].pattern;
    const double *direction = s->problem->hidden_direction + v * s->problem->n;
    double *hidden_direction = s->value + s->pattern->start[v], *size = s->size;
    memset(hidden_direction, 0, whole->rows * sizeof *hidden_direction);
    memset(size, 0, whole->rows * sizeof *size);
    for (size_t k = 0; k < s->problem->n; k++) {
        double part = direction[k] * s->problem->nominal[k];
        for (sparse_index e = whole->start[s->held[k]];
             part != 0 && e < whole->start[s->held[k] + 1]; e++) {
            hidden_direction[whole->row[e]] += part * s->array_value[e];
            size[whole->row[e]] += fabs(part * s->array_value[e]);
        }
    }
    for (size_t i = 0; i < whole->rows; i++)
        if (fabs(hidden_direction[i]) <= RANK_TOLERANCE * size[i]) hidden_direction[i] = 0;
}

/* Sets entries of the array's Jacobian to 0 that points as near as z is accurate do not tell from
 * 0, as x - sin(t) where x is sin(t): divided by them, what the rows miss would move anything. */
static dae_status drop_unknown(prolonged_hidden *s)
{
    enum { PROBES = 2 };
    static const double MARGIN = 2;
    const constraint_levels *l = s->levels;
    size_t nonzeros = l->level[0].pattern->nonzeros;
    dae_status status = DAE_OK;
    for (size_t probe = 0; probe < PROBES && s->accuracy > 0 && status == DAE_OK; probe++) {
        for (size_t j = 0; j < l->size; j++)
            s->beside[j] = s->z[j] + s->accuracy * scattered(probe * l->size + j) *
                                         fmax(fabs(s->z[j]), l->nominal[j]);
        status = l->form->linearize(l->self, s->t, s->beside);
        if (status == DAE_NOT_EVALUABLE) return DAE_OK;
        if (status == DAE_OK) l->form->jacobian(l->self, 0, s->beside_value);
        for (size_t e = 0; e < nonzeros && status == DAE_OK; e++)
            if (fabs(s->array_value[e]) <= MARGIN * fabs(s->beside_value[e] - s->array_value[e]))
                s->array_value[e] = 0;
    }
    return status;
}

/* The array's Jacobian by hidden index-2 directions and the entries that y does not hold, factored.
 */
static dae_status factor(void *self)
{
    prolonged_hidden *s = self;
    const constraint_levels *l = s->levels;
    const double *z = s->z;
    dae_status status = l->form->linearize(l->self, s->t, z);
    if (status != DAE_OK) return status;
    l->form->jacobian(l->self, 0, s->array_value);
    status = drop_unknown(s);
    if (status != DAE_OK) return status;
    for (size_t v = 0; v < s->hidden_directions; v++) {
        take_hidden_direction(s, v);
        s->scale[v] = 1;
    }
    for (size_t c = s->hidden_directions; c < s->columns; c++) {
        for (sparse_index e = s->pattern->start[c]; e < s->pattern->start[c + 1]; e++)
            s->value[e] = s->array_value[s->from[e]];
        s->scale[c] = fmax(fabs(z[s->entry[c]]), l->nominal[s->entry[c]]);
    }
    return min_norm_factor(s->linear, s->value, s->scale, RANK_TOLERANCE);
}

/* Apply the correction that the array requires. *made becomes its size. */
static dae_status correct(void *self, double *made)
{
    prolonged_hidden *s = self;
    const problem *p = s->problem;
    double size = 0, *change = s->change, *z = s->z;
    dae_status status = s->levels->form->value(s->levels->self, 0, s->t, z, s->residual);
    if (status != DAE_OK) return status;
    min_norm_solve(s->linear, s->residual, change);
    for (size_t v = 0; v < s->hidden_directions; v++) {
        size = fmax(size, fabs(change[v]));
        for (size_t k = 0; k < p->n; k++)
            z[s->held[k]] += change[v] * p->hidden_direction[v * p->n + k] * p->nominal[k];
    }
    for (size_t c = s->hidden_directions; c < s->columns; c++) {
        size = fmax(size, fabs(change[c]) / s->scale[c]);
        z[s->entry[c]] += change[c];
    }
    *made = size;
    return DAE_OK;
}

dae_status prolonged_hidden_meet(prolonged_hidden *s, double t, double *z, double accuracy)
{
    static const correction_ops OPS = {.renew = factor, .find = correct};
    static const correction_rules RULES = {
        .most = 20, .fresh = 3, .round_off = ROUND_OFF_SUM, .nearly = STAGNATION, .falls = 0.5};
    double *start = s->change + s->columns;
    size_t bytes = s->levels->size * sizeof *z;
    memcpy(start, z, bytes);
    s->t = t;
    s->z = z;
    s->accuracy = accuracy;
    dae_status status = corrections_run(&OPS, s, &RULES, NULL);
    if (status == DAE_NO_MEMORY) return status;
    if (status != DAE_OK) memcpy(z, start, bytes);
    return DAE_OK;
}

void prolonged_hidden_free(prolonged_hidden *s)
{
    if (s) min_norm_free(s->linear);
}
