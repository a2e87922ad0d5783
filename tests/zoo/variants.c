#include "zoo/variant_parts.h"

#include "base/scatter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *zoo_change_name(zoo_change change)
{
    static const char *const names[] = {"scaled", "permuted", "other parameters"};
    return names[change];
}

static void lower(const zoo_variant *v, const double *full, double *y)
{
    for (size_t i = 0; i < v->n; i++) y[i] = full[v->unknown[i]] / v->unit[i];
}

/* Row and column of each value in a layout, in the order of the values; rows n and beyond are
 * outside the matrix. */
static size_t list_values(const dae_pattern *p, size_t n, size_t *row, size_t *column)
{
    size_t count = 0, width = p->lower + p->upper + 1;
    for (size_t j = 0; j < n; j++) {
        size_t first = p->layout == DAE_SPARSE ? p->start[j] : 0;
        size_t end = p->layout == DAE_SPARSE ? p->start[j + 1] : p->layout == DAE_DENSE ? n : width;
        for (size_t k = first; k < end; k++, count++) {
            row[count] = p->layout == DAE_SPARSE  ? p->row[k]
                         : p->layout == DAE_DENSE ? k
                         : j + k < p->upper       ? n
                                                  : j + k - p->upper;
            column[count] = j;
        }
    }
    return count;
}

/* Counts the entries in columns, and then hands out places by rows. */
static bool make_pattern(zoo_mapped *m, size_t n, const size_t *row, const size_t *column)
{
    size_t *start = calloc(n + 1 + m->count, sizeof *start), next = 0, *rows_of = start + n + 1;
    unsigned *number = calloc(n * n, sizeof *number); /* of an entry, from 1 */
    for (size_t k = 0; start && number && k < m->count; k++)
        if (row[k] < n) number[column[k] * n + row[k]] = 1;
    for (size_t j = 0; start && number && j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            if (number[j * n + i] == 0) continue;
            rows_of[next++] = i;
            number[j * n + i] = (unsigned)next;
        }
        start[j + 1] = next;
    }
    for (size_t k = 0; start && number && k < m->count; k++)
        m->place[k] = row[k] < n ? number[column[k] * n + row[k]] - 1 : 0;
    m->pattern = (dae_pattern){.layout = DAE_SPARSE, .start = start, .row = rows_of};
    bool made = start && number;
    free(number);
    return made;
}

/* The inverse orders say where the problem's equations and unknowns have gone. */
static bool make_mapped(const zoo_variant *v, const dae_pattern *p, zoo_mapped *m)
{
    size_t n = v->n,
           most = p->layout == DAE_SPARSE ? p->start[n] : n * (n + p->lower + p->upper + 1);
    size_t *row = calloc(2 * most, sizeof *row), *column = row + most;
    m->count = row ? list_values(p, n, row, column) : 0;
    m->place = calloc(m->count + 1, sizeof *m->place);
    m->factor = calloc(m->count + 1, sizeof *m->factor);
    m->old = calloc(m->count + 1, sizeof *m->old);
    bool made = row && m->place && m->factor && m->old;
    size_t equation_at[ZOO_MOST], unknown_at[ZOO_MOST];
    for (size_t i = 0; i < n; i++) unknown_at[v->unknown[i]] = i, equation_at[v->equation[i]] = i;
    for (size_t k = 0; made && k < m->count; k++) {
        if (row[k] >= n) continue; /* outside a band: factor 0 */
        row[k] = equation_at[row[k]], column[k] = unknown_at[column[k]];
        m->factor[k] = v->unit[column[k]] / v->divisor[row[k]];
        m->place[k] = column[k] * n + row[k];
    }
    if (made && p->layout != DAE_DENSE) made = make_pattern(m, n, row, column);
    free(row);
    return made;
}

/* A constant mass matrix, or where there is none the identity, in the new order. */
static bool make_constant_mass(zoo_variant *v)
{
    const dae_mass_form *was = &v->was->as.mass;
    size_t n = v->n;
    for (size_t k = 0; k < v->by_yp.count; k++)
        v->by_yp.old[k] = was->constant_mass ? was->constant_mass[k] : 1;
    v->constant_mass = calloc(n * n, sizeof *v->constant_mass);
    if (v->constant_mass) zoo_spread(&v->by_yp, v->constant_mass);
    return v->constant_mass != NULL;
}

static dae_pattern diagonal(const dae_mass_form *was)
{
    if (was->constant_mass || was->mass) return was->mass_pattern;
    return (dae_pattern){.layout = DAE_BANDED};
}

static bool make_mass(zoo_variant *v, const dae_pattern *f_pattern)
{
    dae_mass_form *form = &v->form.as.mass;
    dae_pattern mass_pattern = diagonal(form);
    if (!make_mapped(v, f_pattern, &v->by_y) || !make_mapped(v, &mass_pattern, &v->by_yp))
        return false;
    if (!form->mass && !make_constant_mass(v)) return false;
    form->constant_mass = v->constant_mass;
    form->f_pattern = v->by_y.pattern, form->mass_pattern = v->by_yp.pattern;
    return true;
}

/* The patterns of the form, in which its matrices come. */
static bool make_form(zoo_variant *v)
{
    dae_pattern sparse = {.layout = DAE_DENSE}, given = {.layout = DAE_DENSE};
    dae_residual_form *r = &v->form.as.residual;
    dae_semi_explicit_form *s = &v->form.as.semi_explicit;
    if (v->was->columns) sparse = zoo_sparse(v->was);
    bool made = !v->was->columns || sparse.start;
    v->form.columns = NULL;
    switch (v->form.kind) {
    case ZOO_RESIDUAL:
        made = make_mapped(v, &r->y_pattern, &v->by_y) && make_mapped(v, &r->yp_pattern, &v->by_yp);
        r->y_pattern = v->by_y.pattern, r->yp_pattern = v->by_yp.pattern;
        break;
    case ZOO_MASS:
        given = v->form.as.mass.f_pattern;
        made = made && make_mass(v, v->was->columns ? &sparse : &given);
        break;
    default:
        given = s->pattern;
        made = made && make_mapped(v, v->was->columns ? &sparse : &given, &v->by_y);
        s->pattern = v->by_y.pattern;
        break;
    }
    free((size_t *)sparse.start);
    return made;
}

/* A random order of the numbers from `first` to `end`. */
static void shuffle(size_t *order, size_t first, size_t end, size_t seed)
{
    for (size_t i = end; i-- > first + 1;) {
        double part = 0.5 * (1 + scattered(i + seed));
        size_t k = first + (size_t)(part * (double)(i + 1 - first)) % (i + 1 - first);
        size_t kept = order[i];
        order[i] = order[k], order[k] = kept;
    }
}

/* Units from 1e-3 to 1e3; orders in which x' = f keeps each x with its f. */
static void choose(zoo_variant *v, zoo_change change)
{
    size_t n = v->n, nx = v->form.kind == ZOO_SEMI_EXPLICIT ? v->form.as.semi_explicit.nx : 0;
    for (size_t i = 0; i < n; i++) {
        v->unknown[i] = v->equation[i] = i;
        v->unit[i] = change == ZOO_SCALED ? pow(10, round(3 * scattered(i))) : 1;
    }
    if (change == ZOO_PERMUTED) {
        shuffle(v->unknown, 0, nx, 0), shuffle(v->unknown, nx, n, n);
        memcpy(v->equation, v->unknown, nx * sizeof *v->unknown);
        shuffle(v->equation, nx, n, 3 * n);
    }
    for (size_t i = 0; i < n; i++) v->divisor[i] = i < nx ? v->unit[i] : 1;
}

static void describe(zoo_variant *v)
{
    const zoo_ivp *of = v->of;
    size_t at[ZOO_MOST];
    for (size_t i = 0; i < v->n; i++) {
        size_t was = v->unknown[i];
        at[was] = i;
        v->weight[i] = (of->weight ? of->weight[was] : 1) / v->unit[i];
        v->reference[i] = was < zoo_known(of) ? of->reference[was] / v->unit[i] : (double)NAN;
        v->index[i] = zoo_index(of->form) ? zoo_index(of->form)[was] : 1;
    }
    for (size_t k = 0; k < of->counted; k++) v->which[k] = at[zoo_counted(of, k)];
    v->ivp.weight = v->weight, v->ivp.reference = v->reference, v->ivp.which = v->which;
    v->ivp.known = v->n;
    if (zoo_index(of->form)) zoo_about(&v->form)->index = v->index;
}

const zoo_ivp *zoo_variant_make(const zoo_ivp *of, zoo_change change)
{
    if (change == ZOO_OTHER && !of->other && !of->other_start) return NULL;
    zoo_variant *v = calloc(1, sizeof *v);
    if (!v) return NULL;
    v->change = change, v->of = of, v->was = of->form, v->n = zoo_size(of->form);
    v->ivp = *of, v->form = *of->form;
    v->ivp.form = &v->form, v->ivp.variant = v, v->ivp.name = v->name;
    snprintf(v->name, sizeof v->name, "%s, %s", of->name, zoo_change_name(change));
    v->user = zoo_about(&v->form)->user;
    if (change == ZOO_OTHER && of->other) v->user = (void *)of->other;
    choose(v, change);
    describe(v);
    zoo_about(&v->form)->user = v;
    zoo_variant_wrap(v);
    if (!make_form(v)) return zoo_variant_free(&v->ivp), NULL;
    for (size_t i = 0; change == ZOO_OTHER && i < v->n; i++) v->reference[i] = (double)NAN;
    return &v->ivp;
}

static void free_mapped(zoo_mapped *m)
{
    free(m->place);
    free(m->factor);
    free(m->old);
    free((size_t *)m->pattern.start);
}

void zoo_variant_free(const zoo_ivp *ivp)
{
    zoo_variant *v = ivp ? (zoo_variant *)ivp->variant : NULL;
    if (!v) return;
    free_mapped(&v->by_y), free_mapped(&v->by_yp);
    free(v->constant_mass);
    free(v);
}

double *zoo_variant_reference(const zoo_ivp *ivp, double digits)
{
    zoo_variant *v = (zoo_variant *)ivp->variant;
    v->ivp.digits = digits;
    return v->reference;
}

void zoo_variant_start(const zoo_variant *v, double *y, double *yp)
{
    double full[ZOO_MOST], slopes[ZOO_MOST];
    bool other = v->change == ZOO_OTHER;
    (other && v->of->other_start ? v->of->other_start : v->of->start)(full, slopes);
    lower(v, full, y), lower(v, slopes, yp);
    if (other && zoo_slopes(&v->form, 0, y, full) == 0) memcpy(yp, full, v->n * sizeof *yp);
}
