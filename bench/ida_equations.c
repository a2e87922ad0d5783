#include "ida_equations.h"

#include <stdlib.h>
#include <string.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

/* M of M y' = f, or that of x' = f, 0 = g: what dF/dy' is at the start, and everywhere. */
static bool make_mass(ida_equations *e, const zoo_ivp *ivp)
{
    double y[ZOO_MOST], yp[ZOO_MOST];
    ivp->start(y, yp);
    e->mass = calloc(e->n * e->n, sizeof *e->mass);
    return e->mass && zoo_matrix(e->form, 0, y, yp, 1, 0, e->mass) == 0;
}

/* The pattern of the form with the whole diagonal. */
static bool make_columns(ida_equations *e)
{
    dae_pattern form = zoo_sparse(e->form);
    if (!form.start) return false;
    size_t n = e->n, entries = form.start[n], next = 0;
    sunindextype *block = calloc(n + 1 + (entries + n) + entries + n, sizeof *block);
    e->start = block;
    if (block) {
        e->row = e->start + n + 1, e->place = e->row + entries + n;
        e->diagonal = e->place + entries;
        e->entries = entries;
    }
    for (size_t j = 0; block && j < n; j++) {
        bool has_diagonal = false;
        for (size_t k = form.start[j]; k < form.start[j + 1]; k++) {
            has_diagonal = has_diagonal || form.row[k] == j;
            e->place[k] = (sunindextype)next;
            if (form.row[k] == j) e->diagonal[j] = (sunindextype)next;
            e->row[next++] = (sunindextype)form.row[k];
        }
        if (!has_diagonal) { /* KLU does not want rows in order */
            e->diagonal[j] = (sunindextype)next;
            e->row[next++] = (sunindextype)j;
        }
        e->start[j + 1] = (sunindextype)next;
    }
    free((size_t *)form.start);
    return block != NULL;
}

bool ida_equations_make(ida_equations *e, const zoo_ivp *ivp)
{
    const zoo_form *form = ivp->form;
    *e = (ida_equations){.form = form, .n = zoo_size(form)};
    e->moving = form->kind == ZOO_MASS && form->as.mass.mass;
    e->entries = e->n * e->n;
    e->value = calloc(e->n * e->n, sizeof *e->value);
    if (!e->value || (form->kind != ZOO_RESIDUAL && !make_mass(e, ivp))) return false;
    return !form->columns || make_columns(e);
}

void ida_equations_free(ida_equations *e)
{
    free(e->value);
    free(e->mass);
    free(e->start);
}

static int right_side(const ida_equations *e, double t, const double *y, double *f)
{
    const dae_semi_explicit_form *s = &e->form->as.semi_explicit;
    if (e->form->kind == ZOO_MASS) return e->form->as.mass.f(t, y, f, e->form->as.mass.about.user);
    int answer = s->f(t, y, y + s->nx, f, s->about.user);
    return answer ? answer : s->g(t, y, y + s->nx, f + s->nx, s->about.user);
}

/* M(t, y) of a dense layout anew. */
static int make_moving_mass(const ida_equations *e, double t, const double *y)
{
    const dae_mass_form *form = &e->form->as.mass;
    memset(e->mass, 0, e->n * e->n * sizeof *e->mass);
    return form->mass(t, y, e->mass, form->about.user);
}

/* f = M(t, y) y' - f, with M made anew. */
static int moving_residual(const ida_equations *e, double t, const double *y, const double *slope,
                           double *f)
{
    const dae_mass_form *form = &e->form->as.mass;
    size_t n = e->n;
    int answer = form->f(t, y, f, form->about.user);
    if (answer == 0) answer = make_moving_mass(e, t, y);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += e->mass[j * n + i] * slope[j];
        f[i] = sum - f[i];
    }
    return answer;
}

/* A constant M has diagonals next to the main one at most. */
int ida_residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *user)
{
    ida_equations *e = user;
    const double *slope = N_VGetArrayPointer(yp);
    double *f = N_VGetArrayPointer(r);
    size_t n = e->n;
    if (e->moving) return moving_residual(e, t, N_VGetArrayPointer(y), slope, f);
    if (e->form->kind == ZOO_RESIDUAL)
        return e->form->as.residual.residual(t, N_VGetArrayPointer(y), slope, f,
                                             e->form->as.residual.about.user);
    int answer = right_side(e, t, N_VGetArrayPointer(y), f);
    for (size_t i = 0; i < n; i++) {
        double sum = e->mass[i * n + i] * slope[i];
        if (i > 0) sum += e->mass[(i - 1) * n + i] * slope[i - 1];
        if (i + 1 < n) sum += e->mass[(i + 1) * n + i] * slope[i + 1];
        f[i] = sum - f[i];
    }
    return answer;
}

static int jacobian(const ida_equations *e, double t, const double *y, size_t values, double *to)
{
    const dae_semi_explicit_form *s = &e->form->as.semi_explicit;
    memset(to, 0, values * sizeof *to);
    if (e->form->kind == ZOO_MASS)
        return e->form->as.mass.f_y(t, y, to, e->form->as.mass.about.user);
    return s->jacobian(t, y, y + s->nx, to, s->about.user);
}

static int dense_residual_form(const ida_equations *e, double t, double c, const double *y,
                               const double *yp, double *j)
{
    size_t square = e->n * e->n;
    memset(e->value, 0, square * sizeof *e->value);
    int answer = e->form->as.residual.jacobian(t, y, yp, j, e->value,
                                               e->form->as.residual.about.user);
    for (size_t k = 0; k < square; k++) j[k] += c * e->value[k];
    return answer;
}

/* j += d(M(t, y) y')/dy in a dense layout. */
static int add_mass_slope(const ida_equations *e, double t, const double *y, const double *yp,
                          double *j)
{
    size_t square = e->n * e->n;
    memset(e->value, 0, square * sizeof *e->value);
    int answer = e->form->as.mass.mass_y(t, y, yp, e->value, e->form->as.mass.about.user);
    for (size_t k = 0; k < square; k++) j[k] += e->value[k];
    return answer;
}

/* j -= the values in this pattern. */
static void subtract(const ida_equations *e, const dae_pattern *p, double *j)
{
    size_t n = e->n, width = p->lower + p->upper + 1, entry = 0;
    for (size_t k = 0; k < n; k++) {
        switch (p->layout) {
        case DAE_DENSE:
            for (size_t i = 0; i < n; i++) j[k * n + i] -= e->value[k * n + i];
            break;
        case DAE_BANDED:
            for (size_t i = k > p->upper ? k - p->upper : 0; i < n && i <= k + p->lower; i++)
                j[k * n + i] -= e->value[k * width + p->upper + i - k];
            break;
        case DAE_SPARSE:
            for (; entry < e->entries && e->place[entry] < e->start[k + 1]; entry++)
                j[k * n + (size_t)e->row[e->place[entry]]] -= e->value[entry];
            break;
        }
    }
}

int ida_dense(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix matrix,
              void *user, N_Vector a, N_Vector b, N_Vector d)
{
    const ida_equations *e = user;
    double *j = SM_DATA_D(matrix), *at = N_VGetArrayPointer(y), *slope = N_VGetArrayPointer(yp);
    (void)r, (void)a, (void)b, (void)d;
    if (e->form->kind == ZOO_RESIDUAL) return dense_residual_form(e, t, c, at, slope, j);
    const dae_pattern *p = e->form->kind == ZOO_MASS ? &e->form->as.mass.f_pattern
                                                     : &e->form->as.semi_explicit.pattern;
    int answer = e->moving ? make_moving_mass(e, t, at) : 0;
    if (answer == 0) answer = jacobian(e, t, at, e->entries, e->value);
    for (size_t k = 0; k < e->n * e->n; k++) j[k] = c * e->mass[k];
    subtract(e, p, j);
    return answer == 0 && e->moving ? add_mass_slope(e, t, at, slope, j) : answer;
}

/* The sparse M is diagonal. */
int ida_sparse(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix matrix,
               void *user, N_Vector a, N_Vector b, N_Vector d)
{
    const ida_equations *e = user;
    size_t n = e->n, all = (size_t)e->start[n];
    double *j = SM_DATA_S(matrix);
    (void)yp, (void)r, (void)a, (void)b, (void)d;
    memcpy(SM_INDEXPTRS_S(matrix), e->start, (n + 1) * sizeof *e->start);
    memcpy(SM_INDEXVALS_S(matrix), e->row, all * sizeof *e->row);
    int answer = jacobian(e, t, N_VGetArrayPointer(y), e->entries, e->value);
    memset(j, 0, all * sizeof *j);
    for (size_t k = 0; k < e->entries; k++) j[e->place[k]] = -e->value[k];
    for (size_t k = 0; k < n; k++) j[e->diagonal[k]] += c * e->mass[k * n + k];
    return answer;
}
