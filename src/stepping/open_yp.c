#include "stepping/open_yp.h"

#include "base/scatter.h"

#include <math.h>

void open_yp_keep(problem *p, size_t slot, double alpha, double *v, double *scratch)
{
    for (int times = 0; times < 2; times++) {
        problem_multiply(p, v, scratch);
        for (size_t k = 0; k < p->n; k++) scratch[k] *= alpha;
        problem_solve(p, slot, scratch);
        for (size_t k = 0; k < p->n; k++) v[k] -= scratch[k];
    }
}

void open_yp_find(problem *p, size_t slot, double alpha, double *v, double *scratch)
{
    for (size_t k = 0; k < p->n; k++) v[k] = p->nominal[k] * scattered(2 * k + 1);
    open_yp_keep(p, slot, alpha, v, scratch);
}

bool open_yp_is_any(const problem *p, const double *v, bool dynamic)
{
    const double round_off = 1e-6;
    for (size_t k = 0; k < p->n; k++)
        if ((p->dynamic[k] || !dynamic) && fabs(v[k]) > round_off * p->nominal[k]) return true;
    return false;
}
