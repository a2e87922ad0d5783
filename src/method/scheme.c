#include "method/scheme.h"

#include "base/round_off.h"
#include "base/twofold.h"
#include "linalg/lapack.h"
#include "method/catalogue.h"
#include "method/conditions.h"
#include "method/tabulated.h"

#include <math.h>

enum { MOST = SCHEME_MOST_COUPLED };

static void round_tableau(scheme *s, const method *m)
{
    s->stages = m->stages;
    s->extra = m->extra;
    for (int i = 0; i < m->stages + m->extra; i++) {
        s->c[i] = (double)m->c[i];
        s->b[i] = i < m->stages ? (double)m->b[i] : 0;
        for (int j = 0; j < m->stages + m->extra; j++) s->a[i][j] = (double)m->a[i][j];
    }
}

/* The last stage on which stages from `first` on depend, directly or through others. */
static int end_of_block(const method *m, int first)
{
    int last = first;
    for (int i = first; i <= last; i++)
        for (int j = last + 1; j < m->stages; j++)
            if (m->a[i][j] != 0) last = j;
    return last;
}

/* Inverts an n x n matrix, which is overwritten. False if it is singular. */
static bool invert(int n, twofold m[MOST][MOST], twofold inverse[MOST][MOST], double least)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) inverse[i][j] = (twofold){i == j, 0};
    return twofold_solve(n, MOST, &m[0][0], n, MOST, &inverse[0][0]) >= least;
}

static bool invert_block(const method *m, const scheme_block *b, twofold inverse[MOST][MOST])
{
    twofold copy[MOST][MOST];
    for (int i = 0; i < b->stages; i++)
        for (int k = 0; k < b->stages; k++)
            copy[i][k] = twofold_of(m->a[b->first + i][b->first + k]);
    return invert(b->stages, copy, inverse, ROUND_OFF_ITERATED);
}

/* Gives an eigenvalue its factorisation: that of an earlier block if the eigenvalue is the same. */
static bool give_slot(scheme *s, scheme_part *part)
{
    for (int k = 0; k < s->blocks; k++) {
        const scheme_block *b = &s->block[k];
        for (int i = 0; i < b->parts; i++) {
            const scheme_part *other = &b->part[i];
            bool same = fabs(other->re - part->re) + fabs(other->im - part->im) <
                        ROUND_OFF_ELIMINATED * fabs(part->re);
            if (other == part || !same) continue;
            part->slot = other->slot;
            return true;
        }
    }
    if (s->slots == SCHEME_MOST_SLOTS) return false;
    part->slot = s->slots;
    s->slot_is_complex[s->slots++] = part->is_complex;
    return true;
}

static void take_part(scheme_block *b, int j, const double *re, const double *im,
                      const double *basis, const twofold inverse[MOST][MOST])
{
    bool is_complex = im[j] != 0;
    int row = b->parts > 0 ? b->part[b->parts - 1].row + 1 : 0;
    if (b->parts > 0 && b->part[b->parts - 1].is_complex) row++;
    b->part[b->parts++] = (scheme_part){
        .is_complex = is_complex, .re = re[j], .im = im[j], .slot = -1, .row = row};
    for (int i = 0; i < b->stages; i++) {
        int n = b->stages;
        b->from[i][row] = (is_complex ? 2 : 1) * basis[j * n + i];
        b->into[row][i] = (is_complex ? 0.5 : 1) * inverse[j][i].high;
        if (is_complex) b->from[i][row + 1] = -2 * basis[(j + 1) * n + i];
        if (is_complex) b->into[row + 1][i] = -inverse[j + 1][i].high / 2;
    }
}

/* Finds eigenvalues and eigenvectors of the inverse in real arithmetic: A^-1 V = V B, where B has 1
 * x 1 and 2 x 2 blocks. */
static dae_status decouple(scheme_block *b)
{
    int n = b->stages, work_size = 64 * MOST, info, one = 1;
    double matrix[MOST * MOST], re[MOST], im[MOST], vector[MOST * MOST], work[64 * MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) matrix[j * n + i] = b->inverse[i][j];
    dgeev_("N", "V", &n, matrix, &n, re, im, NULL, &one, vector, &n, work, &work_size, &info, 1, 1);
    if (info != 0) return DAE_SINGULAR;
    twofold basis[MOST][MOST], inverse[MOST][MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) basis[i][j] = (twofold){vector[j * n + i], 0};
    if (!invert(n, basis, inverse, 1e-8)) return DAE_SINGULAR;
    b->parts = 0;
    for (int pass = 0; pass < 2; pass++) /* real ones first */
        for (int j = 0; j < n; j++)
            if ((im[j] != 0) == (pass == 1) && im[j] >= 0)
                take_part(b, j, re, im, vector, (const twofold(*)[MOST])inverse);
    return DAE_OK;
}

static dae_status make_block(scheme *s, const method *m, int first)
{
    scheme_block *b = &s->block[s->blocks++];
    twofold inverse[MOST][MOST];
    *b = (scheme_block){.first = first, .stages = end_of_block(m, first) - first + 1};
    b->is_implicit = b->stages > 1 || m->a[first][first] != 0;
    if (!b->is_implicit) return DAE_OK;
    if (b->stages > MOST) return DAE_UNSUPPORTED;
    if (!invert_block(m, b, inverse)) return DAE_SINGULAR;
    for (int i = 0; i < b->stages; i++)
        for (int j = 0; j < b->stages; j++) b->inverse[i][j] = inverse[i][j].high;
    dae_status status = decouple(b);
    for (int k = 0; status == DAE_OK && k < b->parts; k++)
        if (!give_slot(s, &b->part[k])) status = DAE_UNSUPPORTED;
    return status;
}

static dae_status make_blocks(scheme *s, const method *m)
{
    dae_status status = DAE_OK;
    for (int first = 0; status == DAE_OK && first < m->stages;) {
        status = make_block(s, m, first);
        const scheme_block *b = &s->block[s->blocks - 1];
        first += b->stages;
        s->is_implicit = s->is_implicit || b->is_implicit;
        bool carried = b->first == 0 && m->c[0] == 0; /* from the end of the step before */
        if (b->is_implicit) continue;
        s->carries_yp = s->carries_yp || carried;
        /* y' at the end of a step is the last stage's, or has to be computed */
        if (!carried || !s->stiffly_accurate) s->needs_yp = true;
    }
    return status;
}

/* With two estimates, err_1^2 / err_2 is used where err_2 is the larger one (Hairer, Norsett &
 * Wanner I, Sec. II.10): h^6 and h^4 of DOP853 give h^8. */
static dae_status find_estimate_order(const scheme *s, const method *m, int *order)
{
    tree_orders one, other;
    dae_status status = trees_find(m, m->b_hat[0], false, &one);
    if (status == DAE_OK && s->errors == 2) status = trees_find(m, m->b_hat[1], false, &other);
    if (status == DAE_OK) *order = one.ode + (s->errors == 2 ? one.ode - other.ode : 0);
    return status;
}

/* A family has the orders of its definition, and a row may give its own. For another method with
 * coupled stages the quadrature conditions decide, with C and D as in collocation (Butcher 1964;
 * Hairer & Wanner II, Thm IV.5.1). Otherwise its trees decide. */
static dae_status find_orders(scheme *s, const method *m)
{
    const method_row *row = m->base ? m->base->row : m->row;
    tree_orders order = {.ode = row->orders[0]}, embedded = {.ode = row->orders[1]};
    dae_status status = DAE_OK;
    bool coupled = false, known = row->stages > 0 || order.ode > 0;
    for (int k = 0; k < s->blocks; k++) coupled = coupled || s->block[k].stages > 1;
    if (row->stages > 0)
        method_family_orders(row->family, row->stages, &order.ode, &s->stage_order);
    else
        s->stage_order = method_holds(m, METHOD_C);
    if (!known && coupled) order.ode = method_holds(m, METHOD_B);
    if (!known && !coupled) status = trees_find(m, m->b, false, &order);
    if (embedded.ode == 0 && status == DAE_OK && s->estimate == SCHEME_EMBEDDED)
        status = find_estimate_order(s, m, &embedded.ode);
    s->order = order.ode;
    if (s->estimate == SCHEME_EMBEDDED) s->estimate_order = embedded.ode;
    return status;
}

/* Finds embedded weights with the additional node 0 of weight 1 / lambda, (IV.8.19). They are exact
 * for polynomials of degrees up to the number of stages, and expressed in Z = h A Y'. */
static void make_extra_node(scheme *s, const method *m)
{
    int n = m->stages;
    twofold powers[MOST][MOST], weight[MOST], inverse[MOST][MOST];
    scheme_block *b = &s->block[0];
    if (!invert_block(m, b, inverse)) return;
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++)
            powers[k][j] = k == 0 ? (twofold){1, 0}
                                  : twofold_product(powers[k - 1][j], twofold_of(m->c[j]));
        weight[k] = twofold_quotient((twofold){1, 0}, (twofold){k + 1, 0});
    }
    twofold of_node = twofold_quotient((twofold){1, 0}, (twofold){b->part[0].re, 0});
    weight[0] = twofold_difference(weight[0], of_node);
    twofold_solve(n, MOST, &powers[0][0], 1, 1, weight);
    for (int j = 0; j < n; j++) weight[j] = twofold_difference(weight[j], twofold_of(m->b[j]));
    for (int i = 0; i < n; i++) {
        twofold sum = {0, 0};
        for (int j = 0; j < n; j++)
            sum = twofold_sum(sum, twofold_product(weight[j], inverse[j][i]));
        s->error[0][i] = sum.high;
    }
    s->errors = 1;
    s->estimate = SCHEME_EXTRA_NODE;
    s->estimate_order = n;
}

/* Solves (1 - i y A)(u + i v) = e in doubles: Y_i of a step on y' = i y. x (2 n) = (u, v). */
static void respond(const method *m, double y, double *x)
{
    enum { ALL = 2 * METHOD_MOST_STAGES };
    double matrix[ALL * ALL];
    int n = m->stages, size = 2 * n, one = 1, pivot[ALL], info;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double a = y * (double)m->a[i][j];
            matrix[i + j * ALL] = matrix[n + i + (n + j) * ALL] = i == j;
            matrix[i + (n + j) * ALL] = a;
            matrix[n + i + j * ALL] = -a;
        }
        x[j] = 1;
        x[n + j] = 0;
    }
    dgetrf_(&size, &size, matrix, &(int){ALL}, pivot, &info);
    dgetrs_("N", &size, &one, matrix, &(int){ALL}, pivot, x, &size, &info, 1);
}

/* 1 + i y w' (u + i v): the result of that step with the weights w, as (re, im). */
static void grow(const method *m, const quad *weight, double y, const double *x, double *result)
{
    result[0] = 1;
    result[1] = 0;
    for (int i = 0; i < m->stages; i++) {
        result[0] -= y * (double)weight[i] * x[m->stages + i];
        result[1] += y * (double)weight[i] * x[i];
    }
}

/* The ratio of the error of a step to the estimate of the embedded weights, on undamped
 * oscillations of up to one radian a step; 1 if the estimate is not smaller. For some published
 * pairs both have the same order there, and the estimate is many times too small. */
static double shortfall(const method *m)
{
    double most = 1, x[2 * METHOD_MOST_STAGES], own[2], embedded[2];
    for (double y = 0.25; y <= 1; y += 0.25) {
        respond(m, y, x);
        grow(m, m->b, y, x, own);
        grow(m, m->b_hat[0], y, x, embedded);
        double error = hypot(cos(y) - own[0], sin(y) - own[1]);
        most = fmax(most, error / hypot(own[0] - embedded[0], own[1] - embedded[1]));
    }
    return most;
}

static bool embedded_is_stage(const method *m)
{
    for (int i = 0; i < m->stages; i++) {
        bool same = m->a[i][i] != 0;
        for (int j = 0; j < m->stages; j++)
            same = same && fabs((double)(m->b_hat[0][j] - m->a[i][j])) < ROUND_OFF_SOLVED;
        if (same) return true;
    }
    return false;
}

static void make_estimate(scheme *s, const method *m)
{
    const scheme_block *b = &s->block[0];
    bool whole = s->blocks == 1 && b->is_implicit;
    if (m->estimators > 0) {
        s->estimate = SCHEME_EMBEDDED;
        s->errors = m->estimators;
        double enlarged = m->estimators == 1 ? shortfall(m) : 1;
        for (int k = 0; k < m->estimators; k++)
            for (int i = 0; i < m->stages; i++)
                s->error[k][i] = enlarged * (double)(m->b[i] - m->b_hat[k][i]);
        s->filters = s->is_implicit && b[s->blocks - 1].stages == 1;
        s->embedded_meets = s->stiffly_accurate && embedded_is_stage(m);
    } else if (method_is_adaptive(m) && whole && !b->part[0].is_complex) {
        make_extra_node(s, m);
    }
}

static double node_product(const scheme *s, double x)
{
    double product = x;
    for (int i = 0; i < s->stages; i++) product *= x - s->c[i];
    return fabs(product);
}

/* The largest of many values, and of the parabola through that value and its neighbours. */
static double largest_node_product(const scheme *s)
{
    enum { POINTS = 100 };
    double most = 0, at = 0, apart = 1.0 / POINTS;
    for (int k = 1; k <= POINTS; k++) {
        double product = node_product(s, k * apart);
        if (product > most) most = product, at = k * apart;
    }
    if (at == 1) return most;
    double left = node_product(s, at - apart), right = node_product(s, at + apart);
    return node_product(s, at + apart * (right - left) / (2 * (2 * most - left - right)));
}

/* b_i(x) is the integral of the i-th Lagrange polynomial of the nodes from 0 to x, if the nodes are
 * distinct and b_i(1) = b_i. For a collocation method this is its polynomial. Stages of explicit
 * methods are too inaccurate for it, and y' at both ends is known. */
static void make_interpolant(scheme *s, const method *m)
{
    int n = m->stages;
    if (n > MOST || !s->is_implicit) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (m->c[i] == m->c[j]) return;
    twofold powers[MOST][MOST], coefficient[MOST][MOST]; /* column i: of the i-th polynomial */
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            powers[j][k] = k == 0 ? (twofold){1, 0}
                                  : twofold_product(powers[j][k - 1], twofold_of(m->c[j]));
    invert(n, powers, coefficient, 0);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) {
            s->interpolant[k][i] = coefficient[k][i].high / (k + 1);
            sum += s->interpolant[k][i];
        }
        if (fabs(sum - s->b[i]) > 1e-11) return;
    }
    s->degree = n;
    s->largest_node_product = largest_node_product(s);
}

static void make_dense(scheme *s, const method *m)
{
    s->degree = m->dense_degree;
    for (int k = 0; k < m->dense_degree; k++)
        for (int i = 0; i < m->stages + m->extra; i++)
            s->interpolant[k][i] = (double)m->dense[k][i];
    if (m->dense_degree == 0) make_interpolant(s, m);
}

dae_status scheme_make(scheme *s, const method *m)
{
    if (!tabulated_read(m->name, TABULATED_SCHEME, s, sizeof *s)) return scheme_compute(s, m);
    s->method = m;
    return DAE_OK;
}

dae_status scheme_compute(scheme *s, const method *m)
{
    *s = (scheme){.method = m, .stiffly_accurate = method_is_stiffly_accurate(m)};
    round_tableau(s, m);
    dae_status status = make_blocks(s, m);
    if (status != DAE_OK) return status;
    make_estimate(s, m);
    make_dense(s, m);
    return find_orders(s, m);
}
