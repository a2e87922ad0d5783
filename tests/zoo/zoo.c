/* What holds for all forms: the problem made of one, its residual and its matrix. */
#include "zoo/zoo.h"

#include "linalg/lapack.h"
#include "zoo/manufactured.h"
#include "zoo/rows.h"
#include "zoo/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const zoo_ivp *const zoo_ivps[] = {&zoo_chemical_akzo_nobel,
                                   &zoo_transistor_amplifier,
                                   &zoo_nand_gate,
                                   &zoo_two_bit_adder,
                                   &zoo_mended_adder,
                                   &zoo_robertson,
                                   &zoo_water_tube,
                                   &zoo_slider_crank,
                                   &zoo_fekete,
                                   &zoo_car_axis,
                                   &zoo_car_axis_ggl,
                                   &zoo_andrews_squeezer,
                                   &zoo_andrews_ggl,
                                   &zoo_hires,
                                   &zoo_van_der_pol,
                                   &zoo_ring_modulator};
const size_t zoo_ivp_count = sizeof zoo_ivps / sizeof *zoo_ivps;

const zoo_order *const zoo_orders[] = {
    &zoo_order_growing,      &zoo_order_heavy,        &zoo_order_waves,
    &zoo_order_rotor,        &zoo_order_wheel,        &zoo_order_uneven_wheel,
    &zoo_order_coupled,      &zoo_order_tilted,       &zoo_order_tilted_fast,
    &zoo_order_braided,      &zoo_order_belt,         &zoo_order_uneven_belt,
    &zoo_order_curve,        &zoo_order_bent,         &zoo_order_bent_fast,
    &zoo_order_twisted,      &zoo_order_twisted_slow, &zoo_order_rail,
    &zoo_order_uneven_rail,  &zoo_order_short_rail,   &zoo_order_bead,
    &zoo_order_guided,       &zoo_order_guided_fast,  &zoo_order_towed,
    &zoo_order_track,        &zoo_order_uneven_track, &zoo_order_strained,
    &zoo_order_strained_fast};
const size_t zoo_order_count = sizeof zoo_orders / sizeof *zoo_orders;

void zoo_exact(const zoo_order *problem, double t, double *y, double *yp)
{
    if (problem->exact)
        problem->exact(t, y, yp);
    else
        manufactured_exact(problem->made, t, y, yp);
}

size_t zoo_size(const zoo_form *form)
{
    switch (form->kind) {
    case ZOO_RESIDUAL: return form->as.residual.n;
    case ZOO_MASS: return form->as.mass.n;
    default: return form->as.semi_explicit.nx + form->as.semi_explicit.nz;
    }
}

dae_about *zoo_about(zoo_form *form)
{
    switch (form->kind) {
    case ZOO_RESIDUAL: return &form->as.residual.about;
    case ZOO_MASS: return &form->as.mass.about;
    default: return &form->as.semi_explicit.about;
    }
}

static const dae_about *about(const zoo_form *form)
{
    return zoo_about((zoo_form *)form);
}

const unsigned char *zoo_index(const zoo_form *form)
{
    return about(form)->index;
}

dae_pattern zoo_sparse(const zoo_form *form)
{
    size_t n = zoo_size(form);
    double y[ZOO_MOST];
    for (size_t i = 0; i < n; i++) y[i] = 1 + (double)i; /* the places do not depend on values */
    zoo_columns counted = {.column = 0};
    form->columns(0, y, &counted);
    size_t *start = calloc(n + 1 + counted.entries, sizeof *start);
    if (!start) return (dae_pattern){.layout = DAE_DENSE};
    form->columns(0, y, &(zoo_columns){.start = start, .row = start + n + 1});
    return (dae_pattern){.layout = DAE_SPARSE, .start = start, .row = start + n + 1};
}

dae_problem *zoo_problem(const zoo_form *form)
{
    zoo_form copy = *form;
    dae_pattern sparse = {.layout = DAE_DENSE};
    if (form->columns) {
        sparse = zoo_sparse(form);
        if (!sparse.start) return NULL;
        if (form->kind == ZOO_MASS)
            copy.as.mass.f_pattern = sparse;
        else
            copy.as.semi_explicit.pattern = sparse;
    }
    dae_problem *problem = form->kind == ZOO_RESIDUAL ? dae_problem_residual(&copy.as.residual)
                           : form->kind == ZOO_MASS
                               ? dae_problem_mass(&copy.as.mass)
                               : dae_problem_semi_explicit(&copy.as.semi_explicit);
    free((size_t *)sparse.start);
    return problem;
}

/* to (n x n, dense) += factor * the matrix with these values. */
static void add_layout(const dae_pattern *pattern, size_t n, const double *value, double factor,
                       double *to)
{
    size_t width = pattern->lower + pattern->upper + 1;
    for (size_t j = 0; j < n; j++) {
        switch (pattern->layout) {
        case DAE_DENSE:
            for (size_t i = 0; i < n; i++) to[j * n + i] += factor * value[j * n + i];
            break;
        case DAE_BANDED:
            for (size_t i = 0; i < n; i++)
                if (i + pattern->upper >= j && i <= j + pattern->lower)
                    to[j * n + i] += factor * value[j * width + pattern->upper + i - j];
            break;
        case DAE_SPARSE:
            for (size_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
                to[j * n + pattern->row[k]] += factor * value[k];
            break;
        }
    }
}

/* The mass matrix of form, dense, times a factor, added to `to`. */
static int add_mass(const dae_mass_form *form, double t, const double *y, double factor, double *to)
{
    size_t n = form->n;
    if (form->constant_mass) {
        add_layout(&form->mass_pattern, n, form->constant_mass, factor, to);
        return 0;
    }
    if (!form->mass) {
        for (size_t i = 0; i < n; i++) to[i * n + i] += factor;
        return 0;
    }
    double *m = calloc(n * n, sizeof *m);
    if (!m) return -1;
    int answer = form->mass(t, y, m, form->about.user);
    add_layout(&form->mass_pattern, n, m, factor, to);
    free(m);
    return answer;
}

/* d(M(t, y) y')/dy, where the form has it, the same. */
static int add_mass_jacobian(const dae_mass_form *form, double t, const double *y, const double *yp,
                             double factor, double *to)
{
    if (!form->mass_y) return 0;
    double *value = calloc(form->n * form->n, sizeof *value);
    if (!value) return -1;
    int answer = form->mass_y(t, y, yp, value, form->about.user);
    add_layout(&form->f_pattern, form->n, value, factor, to);
    free(value);
    return answer;
}

static int mass_residual(const dae_mass_form *form, double t, const double *y, const double *yp,
                         double *r)
{
    size_t n = form->n;
    double *m = calloc(n * n, sizeof *m);
    if (!m) return -1;
    int answer = form->f(t, y, r, form->about.user);
    if (answer == 0) answer = add_mass(form, t, y, 1, m);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += m[j * n + i] * yp[j];
        r[i] = sum - r[i];
    }
    free(m);
    return answer;
}

int zoo_residual(const zoo_form *form, double t, const double *y, const double *yp, double *r)
{
    if (form->kind == ZOO_RESIDUAL)
        return form->as.residual.residual(t, y, yp, r, about(form)->user);
    if (form->kind == ZOO_MASS) return mass_residual(&form->as.mass, t, y, yp, r);
    const dae_semi_explicit_form *s = &form->as.semi_explicit;
    int answer = s->f(t, y, y + s->nx, r, s->about.user);
    if (answer == 0) answer = s->g(t, y, y + s->nx, r + s->nx, s->about.user);
    for (size_t i = 0; i < s->nx + s->nz; i++) r[i] = (i < s->nx ? yp[i] : 0) - r[i];
    return answer;
}

int zoo_slope(const zoo_form *form, double t, const double *y, const double *yp, double *r)
{
    const dae_semi_explicit_form *s = &form->as.semi_explicit;
    if (form->kind == ZOO_RESIDUAL)
        return form->as.residual.time_derivative(t, y, yp, r, about(form)->user);
    int answer = form->kind == ZOO_MASS ? form->as.mass.f_t(t, y, r, about(form)->user)
                                        : s->time_derivative(t, y, y + s->nx, r, about(form)->user);
    for (size_t i = 0; i < zoo_size(form); i++) r[i] = -r[i];
    return answer;
}

/* The Jacobian of f, or of f and g, in the layout of its pattern. */
static int right_side(const zoo_form *form, double t, const double *y, double *value,
                      dae_pattern *pattern)
{
    if (form->kind == ZOO_MASS) {
        *pattern = form->as.mass.f_pattern;
        return form->as.mass.f_y(t, y, value, about(form)->user);
    }
    const dae_semi_explicit_form *s = &form->as.semi_explicit;
    *pattern = s->pattern;
    return s->jacobian(t, y, y + s->nx, value, s->about.user);
}

static int residual_matrix(const dae_residual_form *form, double t, const double *y,
                           const double *yp, double alpha, double beta, double *matrix)
{
    size_t square = form->n * form->n;
    double *dyp = calloc(2 * square, sizeof *dyp);
    if (!dyp) return -1;
    int answer = form->jacobian(t, y, yp, dyp + square, dyp, form->about.user);
    add_layout(&form->yp_pattern, form->n, dyp, alpha, matrix);
    add_layout(&form->y_pattern, form->n, dyp + square, beta, matrix);
    free(dyp);
    return answer;
}

int zoo_matrix(const zoo_form *form, double t, const double *y, const double *yp, double alpha,
               double beta, double *matrix)
{
    size_t n = zoo_size(form);
    memset(matrix, 0, n * n * sizeof *matrix);
    if (form->kind == ZOO_RESIDUAL)
        return residual_matrix(&form->as.residual, t, y, yp, alpha, beta, matrix);
    dae_pattern pattern, sparse = {.layout = DAE_DENSE};
    double *value = calloc(n * n, sizeof *value);
    if (!value) return -1;
    int answer = right_side(form, t, y, value, &pattern);
    if (form->columns) pattern = sparse = zoo_sparse(form);
    add_layout(&pattern, n, value, -beta, matrix);
    free((size_t *)sparse.start);
    free(value);
    if (form->kind == ZOO_MASS) {
        if (answer == 0) answer = add_mass_jacobian(&form->as.mass, t, y, yp, beta, matrix);
        return answer ? answer : add_mass(&form->as.mass, t, y, alpha, matrix);
    }
    for (size_t i = 0; i < form->as.semi_explicit.nx; i++) matrix[i * n + i] += alpha;
    return answer;
}

int zoo_slopes(const zoo_form *form, double t, const double *y, double *yp)
{
    static const double resting[ZOO_MOST];
    int n = (int)zoo_size(form), one = 1, info = 0, pivot[ZOO_MOST];
    int answer = zoo_residual(form, t, y, resting, yp);
    for (int i = 0; i < n; i++) yp[i] = -yp[i];
    if (form->kind == ZOO_SEMI_EXPLICIT) {
        for (int i = (int)form->as.semi_explicit.nx; i < n; i++) yp[i] = 0;
        return answer;
    }
    double *matrix = calloc((size_t)(n * n), sizeof *matrix);
    if (!matrix) return -1;
    if (answer == 0) answer = zoo_matrix(form, t, y, resting, 1, 0, matrix);
    dgetrf_(&n, &n, matrix, &n, pivot, &info);
    if (info == 0) dgetrs_("N", &n, &one, matrix, &n, pivot, yp, &n, &info, 1);
    free(matrix);
    return answer ? answer : info;
}

const zoo_ivp *zoo_ivp_named(const char *name)
{
    for (size_t k = 0; k < zoo_ivp_count; k++)
        if (strcmp(zoo_ivps[k]->name, name) == 0) return zoo_ivps[k];
    return NULL;
}

size_t zoo_counted(const zoo_ivp *ivp, size_t k)
{
    return ivp->which ? ivp->which[k] : k;
}

size_t zoo_known(const zoo_ivp *ivp)
{
    return ivp->known ? ivp->known : ivp->counted;
}

void zoo_start(const zoo_ivp *ivp, double *y, double *yp)
{
    if (ivp->variant)
        zoo_variant_start(ivp->variant, y, yp);
    else
        ivp->start(y, yp);
}

double zoo_digits(const zoo_ivp *ivp, const double *y)
{
    double worst = 0;
    for (size_t k = 0; k < ivp->counted; k++) {
        size_t i = zoo_counted(ivp, k);
        double size = fabs(ivp->reference[i]);
        if (ivp->mixed) size += ivp->weight ? ivp->weight[i] : 1;
        worst = fmax(worst, fabs(y[i] - ivp->reference[i]) / size);
    }
    return -log10(fmax(worst, 1e-16));
}

void zoo_tolerances(const zoo_ivp *ivp, double rtol, double *atol)
{
    for (size_t i = 0; i < zoo_size(ivp->form); i++)
        atol[i] = rtol * (ivp->weight ? ivp->weight[i] : 1);
}
