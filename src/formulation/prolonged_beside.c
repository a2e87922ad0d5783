#include "formulation/prolonged_time.h"

#include <float.h>
#include <math.h>

static bool is_finite(const sparse_pattern *p, size_t column, const double *jacobian_value)
{
    for (sparse_index k = p->start[column]; k < p->start[column + 1]; k++)
        if (!isfinite(jacobian_value[k])) return false;
    return true;
}

/* Evaluate the rows with another value of one input. */
static void evaluate(const prolonged_form *f, double *input, size_t at, double value, double *rows)
{
    double before = input[at];
    input[at] = value;
    sym_tape_eval(f->rows, input, rows);
    input[at] = before;
}

/* f->beside holds the rows at the point, above it and below it. Where a variable has values on one
 * side alone, as at the end of a root, the difference there serves. Time goes on to both sides. */
static bool fill(const prolonged_form *f, double *input, const sparse_pattern *p, size_t column,
                 size_t which, double size, double *jacobian_value)
{
    size_t n = f->p->n;
    double *here = f->beside, *above = here + n, *below = above + n;
    double at = input[which], distance = sqrt(DBL_EPSILON) * size;
    volatile double high = at + distance, low = at - distance;
    evaluate(f, input, which, at, here);
    evaluate(f, input, which, high, above);
    evaluate(f, input, which, low, below);
    for (sparse_index k = p->start[column]; k < p->start[column + 1]; k++) {
        size_t i = (size_t)p->row[k];
        if (isfinite(jacobian_value[k])) continue;
        double over = (above[i] - here[i]) / (high - at), under = (here[i] - below[i]) / (at - low);
        bool above_only = isfinite(over) && !isfinite(under);
        if (which == 0 && !isfinite(over - under)) return false;
        jacobian_value[k] = above_only || fabs(over) <= fabs(under) ? over : under;
        if (!isfinite(jacobian_value[k])) return false;
    }
    return true;
}

bool prolonged_beside_fill(const prolonged_form *f, double *input, const sparse_pattern *p,
                           const size_t *entry, double *jacobian_value)
{
    const prolongation *o = f->p;
    for (size_t column = 0, j = 0; column < p->columns; column++) {
        if (is_finite(p, column, jacobian_value)) continue;
        size_t z = entry ? entry[column] : column;
        while (o->first[j + 1] <= z) j++;
        double nominal = f->system->unknown.item[o->unknown[j]].nominal;
        double size = fmax(fabs(input[1 + z]), nominal);
        if (!fill(f, input, p, column, 1 + z, size, jacobian_value)) return false;
    }
    return true;
}

bool prolonged_beside_fill_time(const prolonged_form *f, double *input, const sparse_pattern *p,
                                double *jacobian_value)
{
    return is_finite(p, 0, jacobian_value) ||
           fill(f, input, p, 0, 0, fmax(fabs(input[0]), 1), jacobian_value);
}
