/* Systems of chosen Kronecker structure. Blocks of an ODE, u' = J u, and nilpotent ones, N w' = w,
 * are written in other coordinates y, u = Phi(t, y), and their equations are mixed. Phi is a
 * composition of shears u_i += phi(t, u_j), so that it is invertible whatever they are; where they
 * are linear and constant, these are E = P diag(I, N) Q and A = P diag(J, I) Q (Kunkel & Mehrmann
 * 2006, Thm 2.7). */
#include "random/kinds.h"

#include <math.h>

enum { LARGEST_ENTRY = 3, MOST_CHAINS = 2 };

typedef enum style { CONSTANT, VARYING, NONLINEAR } style;

typedef struct canonical {
    random_system *s;
    draw *d;
    style style;
    int n, ode;                     /* unknowns; the first `ode` of them of the ODE */
    int chains, chain[MOST_CHAINS]; /* lengths */
    int most;                       /* unknowns */
    double stiffness;               /* 0: not stiff; else of unknown 0 */
    expr u[SYSTEM_MOST], up[SYSTEM_MOST];
    double matrix[SYSTEM_MOST][SYSTEM_MOST]; /* of constant shears, or of equations: products */
} canonical;

static void draw_blocks(canonical *c)
{
    draw *d = c->d;
    do {
        c->ode = draw_between(d, c->stiffness > 0, c->most > 7 ? 6 : 4);
        c->chains = draw_below(d, MOST_CHAINS + 1);
        c->n = c->ode;
        c->s->index = 0;
        for (int k = 0; k < c->chains; k++) {
            c->chain[k] = draw_between(d, 1, c->stiffness > 0 ? 2 : 3);
            c->n += c->chain[k];
            if (c->chain[k] > c->s->index) c->s->index = c->chain[k];
        }
    } while (c->n < 2 || c->n > c->most);
    c->s->n = c->n;
    c->s->freedom = c->ode;
}

static void identity(canonical *c)
{
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < c->n; j++) c->matrix[i][j] = i == j;
}

/* Whether row i may be added to, `factor` times row j: entries stay small. */
static bool add_row(canonical *c, int i, int j, double factor)
{
    for (int k = 0; k < c->n; k++)
        if (fabs(c->matrix[i][k] + factor * c->matrix[j][k]) > LARGEST_ENTRY) return false;
    for (int k = 0; k < c->n; k++) c->matrix[i][k] += factor * c->matrix[j][k];
    return true;
}

static expr since(canonical *c)
{
    expr_pool *p = c->s->pool;
    return expr_difference(p, expr_time(p), expr_constant(p, c->s->t0));
}

/* A factor that moves with the time. */
static expr draw_factor(canonical *c)
{
    expr_pool *p = c->s->pool;
    expr phase = expr_times(p, draw_eighths(c->d, 0.5, 1.5), since(c));
    double size = draw_sign(c->d) * draw_eighths(c->d, 0.25, 1);
    expr wave = draw_chance(c->d, 0.5) ? expr_sin(p, phase) : expr_cos(p, phase);
    return expr_times(p, size, wave);
}

/* phi(t, u) of a shear. */
static expr draw_shear(canonical *c, expr u, double factor)
{
    expr_pool *p = c->s->pool;
    if (c->style == CONSTANT) return expr_times(p, factor, u);
    if (c->style == VARYING) return expr_product(p, draw_factor(c), u);
    double size = draw_sign(c->d) * draw_eighths(c->d, 0.25, 0.75);
    switch (draw_below(c->d, 4)) {
    case 0: return expr_times(p, size, expr_sin(p, u));
    case 1: return expr_times(p, 0.5 * size, expr_product(p, u, u));
    case 2: return expr_product(p, draw_factor(c), u);
    default: return expr_times(p, size, u);
    }
}

static void change_coordinates(canonical *c, int shears)
{
    expr_pool *p = c->s->pool;
    identity(c);
    for (int i = 0; i < c->n; i++) c->u[i] = expr_y(p, i);
    for (int k = 0; k < shears; k++) {
        int i = draw_below(c->d, c->n), j = draw_below(c->d, c->n);
        double factor = draw_sign(c->d) * (draw_chance(c->d, 0.2) ? 2 : 1);
        if (i == j || !add_row(c, i, j, factor)) continue;
        c->u[i] = expr_sum(p, c->u[i], draw_shear(c, c->u[j], factor));
    }
    for (int i = 0; i < c->n; i++) c->up[i] = expr_along(p, c->u[i], c->n);
}

static expr draw_coupling(canonical *c, expr u)
{
    expr_pool *p = c->s->pool;
    double size = c->style == CONSTANT ? draw_sign(c->d) : draw_eighths(c->d, -0.5, 0.5);
    expr term = c->style == NONLINEAR && draw_chance(c->d, 0.5) ? expr_sin(p, u) : u;
    return expr_times(p, size, term);
}

/* u' = J u: real eigenvalues and pairs, none that grows. */
static void ode_blocks(canonical *c)
{
    expr_pool *p = c->s->pool;
    int i = 0;
    if (c->stiffness > 0) {
        c->s->equation[0] = expr_sum(p, c->up[0], expr_times(p, c->stiffness, c->u[0]));
        i = 1;
    }
    while (i < c->ode) {
        bool pair = i + 1 < c->ode && draw_chance(c->d, 0.5);
        double damping = draw_between(c->d, 0, pair ? 1 : 3), turn = draw_between(c->d, 1, 2);
        for (int k = 0; k <= pair; k++) {
            expr e = expr_sum(p, c->up[i + k], expr_times(p, damping, c->u[i + k]));
            if (pair) e = expr_sum(p, e, expr_times(p, k ? turn : -turn, c->u[i + 1 - k]));
            c->s->equation[i + k] = e;
        }
        i += 1 + pair;
    }
}

/* w_{k+1}' = w_k, and the last 0 = w_m. Either these see the ODE or it sees them: both together
 * would change the index. */
static void chain_blocks(canonical *c)
{
    expr_pool *p = c->s->pool;
    bool seen = draw_chance(c->d, 0.5);
    for (int k = 0, i = c->ode; k < c->chains; k++) {
        for (int m = 0; m < c->chain[k]; m++, i++) {
            expr e = m + 1 < c->chain[k] ? c->up[i + 1] : expr_constant(p, 0);
            e = expr_difference(p, e, c->u[i]);
            int j = c->ode ? draw_below(c->d, c->ode) : 0;
            bool couple = c->ode && draw_chance(c->d, 0.4);
            if (couple && !seen && !(c->stiffness > 0 && j == 0))
                e = expr_sum(p, e, draw_coupling(c, c->u[j]));
            if (couple && seen)
                c->s->equation[j] = expr_sum(p, c->s->equation[j], draw_coupling(c, c->u[i]));
            c->s->equation[i] = e;
        }
    }
}

/* A stiff equation is added to no other where that would leave these few digits. */
static void mix_equations(canonical *c, int rows)
{
    expr_pool *p = c->s->pool;
    identity(c);
    for (int k = 0; k < rows; k++) {
        int i = draw_below(c->d, c->n), j = draw_below(c->d, c->n);
        double factor = draw_sign(c->d) * draw_between(c->d, 1, 2);
        if (i == j || (j == 0 && c->stiffness > 1e4) || !add_row(c, i, j, factor)) continue;
        expr by = c->style == CONSTANT ? expr_constant(p, factor) : draw_factor(c);
        c->s->equation[i] = expr_sum(p, c->s->equation[i], expr_product(p, by, c->s->equation[j]));
    }
}

/* E y' - A y with the integers E and A that came out, term by term. */
static void collect(canonical *c)
{
    random_system *s = c->s;
    expr_pool *p = s->pool;
    for (int i = 0; i < c->n; i++) {
        expr old = s->equation[i], e = expr_constant(p, 0);
        for (int k = 0; k < 2 * c->n; k++) {
            expr of = k < c->n ? expr_yp(p, k) : expr_y(p, k - c->n);
            e = expr_sum(p, e, expr_product(p, expr_derivative(p, old, of), of));
        }
        s->equation[i] = e;
    }
}

static void make(random_system *s, draw *d, style how, double stiffness, double density)
{
    canonical c = {.s = s, .d = d, .style = how, .stiffness = stiffness};
    c.most = density < 0.6 ? 10 : 7;
    draw_blocks(&c);
    change_coordinates(&c, (int)ceil(density * c.n));
    ode_blocks(&c);
    chain_blocks(&c);
    mix_equations(&c, (int)ceil(density * c.n));
    s->exact_units = how == CONSTANT;
    s->unique = how != NONLINEAR;
    if (how == CONSTANT) collect(&c);
    system_draw_solution(s, d);
    system_manufacture(s);
}

void kind_linear_dense(random_system *s, draw *d)
{
    make(s, d, CONSTANT, 0, 3);
}

void kind_linear_sparse(random_system *s, draw *d)
{
    make(s, d, CONSTANT, 0, 0.5);
}

void kind_linear_stiff(random_system *s, draw *d)
{
    make(s, d, CONSTANT, pow(10, draw_between(d, 3, 9)), draw_chance(d, 0.5) ? 2 : 0.5);
}

void kind_linear_varying(random_system *s, draw *d)
{
    make(s, d, VARYING, draw_chance(d, 0.2) ? pow(10, draw_between(d, 3, 6)) : 0, 0.75);
}

void kind_nonlinear(random_system *s, draw *d)
{
    make(s, d, NONLINEAR, draw_chance(d, 0.2) ? pow(10, draw_between(d, 3, 6)) : 0, 0.75);
}
