#include "formulation/prolonged_time.h"

#include "formulation/prolonged_beside.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static size_t by_time(void *context, size_t row, const sym_view *leaf)
{
    (void)context, (void)row;
    return leaf->op == SYM_TIME ? 0 : SIZE_MAX;
}

/* Most systems do not contain the time. For these nothing is differentiated. */
void prolonged_time_compile(prolonged_form *f, const sym *row)
{
    const prolongation *p = f->p;
    size_t rows = sym_holds_time(p->g, p->n, row) ? p->n : 0;
    f->by_time = sym_jacobian(f->memory, p->g, rows, row, 1, by_time, prolongation_inputs(p),
                              prolongation_slot, (void *)p);
    f->by_time_work = arena_array(f->memory, sym_matrix_work(f->by_time), sizeof(double));
    sym_matrix_prepare(f->by_time, f->by_time_work);
}

/* The rows y_k' = y_(k+1) do not depend on time. */
dae_status prolonged_time_derivative(prolonged_form *f, double *r)
{
    const sparse_pattern *p = f->by_time->pattern;
    memset(r, 0, f->problem.n * sizeof *r);
    sym_matrix_eval(f->by_time, f->input, f->row_value, f->by_time_work);
    if (p->nonzeros > 0) prolonged_beside_fill_time(f, f->input, p, f->row_value);
    for (size_t k = 0; k < p->nonzeros; k++) {
        size_t row = f->first[p->row[k] + 1] - 1;
        r[row] = f->row_value[k];
        if (isfinite(r[row])) continue;
        f->problem.bad_row = row;
        return DAE_NOT_EVALUABLE;
    }
    return DAE_OK;
}
