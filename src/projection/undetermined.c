#include "projection/algebraic.h"

#include "base/round_off.h"
#include "linalg/min_norm.h"
#include "linalg/rows.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_UNKNOWNS = 300, MOST_NAMED = 4 };

/* Relative to the largest entry of a direction. */
static const double PART = 1e-3;

typedef struct square {
    const constraint_levels *levels;
    size_t n, *pivot;
    double *value, *jacobian, *dense, *turned, *basis; /* dense, turned: n x n, rows contiguous */
} square;

static const constraint_level *last(const square *s)
{
    return &s->levels->level[s->levels->count - 1];
}

static void end(square *s)
{
    free(s->value);
    free(s->pivot);
}

static bool begin(square *s, const constraint_levels *l, bool dense)
{
    *s = (square){.levels = l, .n = l->level[l->count - 1].rows};
    size_t n = s->n, all = dense ? n * n : 0, nonzeros = last(s)->pattern->nonzeros;
    s->pivot = calloc(n + 1, sizeof *s->pivot);
    s->value = calloc(n + nonzeros + 3 * all + 1, sizeof *s->value);
    if (!s->pivot || !s->value) return false;
    s->jacobian = s->value + n;
    s->dense = s->jacobian + nonzeros;
    s->turned = s->dense + all;
    s->basis = s->turned + all;
    return true;
}

/* Fill the matrix: each entry times the size of its unknown, divided by the largest term of its row
 * at the present values. The row is uncertain by round-off of that term. */
static void fill(square *s, const double *z)
{
    const constraint_level *level = last(s);
    const sparse_pattern *p = level->pattern;
    size_t n = s->n;
    for (size_t j = 0; j < n; j++) {
        double value = fabs(z[level->column[j]]), nominal = s->levels->nominal[level->column[j]];
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            double *most = &s->value[p->row[k]], jacobian = fabs(s->jacobian[k]);
            *most = fmax(*most, jacobian * (value > 0 ? value : nominal));
            s->dense[(size_t)p->row[k] * n + j] = s->jacobian[k] * fmax(value, nominal);
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (s->value[i] > 0) s->dense[i * n + j] /= s->value[i];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) s->turned[j * n + i] = s->dense[i * n + j];
}

/* Whether entry j belongs to one of the first `count` directions of the basis. */
static bool is_part(const square *s, size_t count, size_t j)
{
    for (size_t b = 0; b < count; b++) {
        const double *v = s->basis + b * s->n;
        if (fabs(v[j]) > PART * vector_largest(s->n, v)) return true;
    }
    return false;
}

/* Append the names of these rows or unknowns, and how many more there are. */
static void list_parts(const square *s, size_t count, bool rows, text *reported)
{
    const constraint_levels *l = s->levels;
    size_t parts = 0, named = 0;
    for (size_t j = 0; j < s->n; j++) parts += is_part(s, count, j);
    for (size_t j = 0; j < s->n && named < MOST_NAMED; j++) {
        if (!is_part(s, count, j)) continue;
        if (named++) text_add(reported, named == parts ? " and " : ", ");
        if (rows)
            l->form->name_row(l->self, l->count - 1, j, reported);
        else
            l->form->name_entry(l->self, last(s)->column[j], reported);
    }
    if (parts > named) text_format(reported, " and %zu more", parts - named);
}

static bool report(square *s, text *reported)
{
    size_t n = s->n,
           count = nullspace_echelon(n, n, s->dense, ROUND_OFF_ELIMINATED, s->pivot, s->basis);
    if (count == 0) return false;
    text_add(reported, "within rounding the equations no longer determine ");
    list_parts(s, count, false, reported);
    count = nullspace_echelon(n, n, s->turned, ROUND_OFF_ELIMINATED, s->pivot, s->basis);
    text_add(reported, " there: the terms that would determine it are lost beside larger ones in ");
    list_parts(s, count, true, reported);
    return true;
}

bool levels_report_undetermined(const constraint_levels *l, double t, const double *z,
                                text *reported)
{
    const constraint_level *level = l->count ? &l->level[l->count - 1] : NULL;
    bool square_last = level && level->rows == level->columns && level->rows > 0;
    if (!square_last || !l->form->name_entry || level->rows > MOST_UNKNOWNS) return false;
    if (l->form->linearize(l->self, t, z) != DAE_OK) return false;
    square s;
    bool is_reported = begin(&s, l, true);
    if (is_reported) {
        l->form->jacobian(l->self, l->count - 1, s.jacobian);
        fill(&s, z);
        is_reported = report(&s, reported);
    }
    end(&s);
    return is_reported;
}

bool levels_lose_row(const constraint_levels *l, double t, const double *z)
{
    square s;
    if (l->count == 0 || l->form->linearize(l->self, t, z) != DAE_OK) return false;
    bool is_lost = false, has_room = begin(&s, l, false);
    const sparse_pattern *p = last(&s)->pattern;
    if (has_room) l->form->jacobian(l->self, l->count - 1, s.jacobian);
    for (size_t k = 0; has_room && k < p->nonzeros; k++)
        s.value[p->row[k]] = fmax(s.value[p->row[k]], fabs(s.jacobian[k]));
    for (size_t i = 0; has_room && i < s.n; i++) is_lost = is_lost || s.value[i] == 0;
    end(&s);
    return is_lost;
}
