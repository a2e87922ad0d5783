#include "method/catalogue.h"

#include "method/tableau.h"

#include <stdlib.h>
#include <string.h>

typedef struct published {
    const char *name;
    int stages;
    const char *gamma, *alpha_sum, *gamma_sum, *a, *c, *dense;
} published;

static const published TABLE[] = {
#define X(name, stages, gamma, alpha_sum, gamma_sum, a, c, dense) \
    {#name, stages, gamma, alpha_sum, gamma_sum, a, c, dense},
#include "method/rosenbrock.def"
#undef X
};

/* The next number of a text. */
static quad next_number(const char **rest)
{
    expression e = {.at = *rest + strspn(*rest, " \n")};
    quad value = expression_value(&e);
    *rest = e.at + strspn(e.at, " \n");
    return value;
}

static void read_row(const char **rest, int count, quad *row)
{
    for (int j = 0; j < count; j++) row[j] = next_number(rest);
}

static void read_table(method_rosenbrock *r, const published *p)
{
    int s = p->stages, i = 1;
    const char *gamma = p->gamma, *alpha_sum = p->alpha_sum, *gamma_sum = p->gamma_sum, *a = p->a,
               *c = p->c, *dense = p->dense;
    quad y[METHOD_MOST_STAGES] = {0};
    r->gamma = next_number(&gamma);
    read_row(&alpha_sum, s, r->alpha_sum);
    read_row(&gamma_sum, s, r->gamma_sum);
    for (; *a; i++) read_row(&a, i, r->a[i]);
    memcpy(y, r->a[i - 1], sizeof y);
    for (; i <= s; i++) {
        y[i - 1] = 1;
        memcpy(i < s ? r->a[i] : r->m, y, sizeof y);
    }
    r->e[s - 1] = 1;
    for (i = 1; i < s; i++) read_row(&c, i, r->c[i]);
    while (*dense) read_row(&dense, s, r->dense[r->dense_rows++]);
}

/* Gamma^-1 = diag(1/gamma) - C, alpha = A Gamma, b = m Gamma (Hairer & Wanner II, (IV.7.24) to
 * (IV.7.26)): row i of Gamma is gamma (e_i + sum_j c_ij row j). */
static void transform_back(method *m)
{
    method_rosenbrock *r = m->rosenbrock;
    int s = m->stages;
    for (int i = 0; i < s; i++) {
        r->gamma_matrix[i][i] = r->gamma;
        for (int j = 0; j < i; j++)
            for (int k = j; k < i; k++)
                r->gamma_matrix[i][j] += r->gamma * r->c[i][k] * r->gamma_matrix[k][j];
    }
    for (int i = 0; i < s; i++) {
        m->c[i] = r->alpha_sum[i];
        for (int j = 0; j < s; j++) {
            for (int k = j; k < s; k++) {
                r->alpha[i][j] += r->a[i][k] * r->gamma_matrix[k][j];
                if (i > 0) continue;
                m->b[j] += r->m[k] * r->gamma_matrix[k][j];
                m->b_hat[0][j] += (r->m[k] - r->e[k]) * r->gamma_matrix[k][j];
            }
            m->a[i][j] = r->alpha[i][j] + r->gamma_matrix[i][j];
        }
    }
}

dae_status method_fill_rosenbrock(method *m)
{
    const published *p = NULL;
    for (size_t k = 0; k < sizeof TABLE / sizeof *TABLE; k++)
        if (strcmp(TABLE[k].name, m->row->name) == 0) p = &TABLE[k];
    if (!p) return DAE_USAGE;
    m->rosenbrock = calloc(1, sizeof *m->rosenbrock);
    if (!m->rosenbrock) return DAE_NO_MEMORY;
    m->stages = p->stages;
    m->estimators = 1;
    m->decimals = true;
    read_table(m->rosenbrock, p);
    transform_back(m);
    return DAE_OK;
}
