/* Derivatives of expressions, and expressions with others put in. Each goes through the nodes in
 * their order once, and keeps what became of each. */
#include "random/expression.h"

#include <stdio.h>
#include <stdlib.h>

static expr *results(int count)
{
    expr *r = malloc((size_t)count * sizeof *r);
    if (!r) {
        fprintf(stderr, "random: out of memory\n");
        exit(3);
    }
    return r;
}

/* Which nodes up to e are part of it: 1 or 0, to be freed. */
static expr *parts(const expr_pool *p, expr e)
{
    expr *part = results(e + 1);
    for (int i = 0; i <= e; i++) part[i] = i == e;
    for (int i = e; i >= 0; i--) {
        const expr_node *n = &p->node[i];
        if (!part[i] || n->op < EXPR_NEGATIVE) continue;
        part[n->left] = 1;
        if (n->right >= 0) part[n->right] = 1;
    }
    return part;
}

bool expr_holds(const expr_pool *p, expr e, expr part)
{
    if (part > e) return false;
    expr *in = parts(p, e);
    bool holds = in[part];
    free(in);
    return holds;
}

int expr_size(const expr_pool *p, expr e)
{
    expr *in = parts(p, e);
    int size = 0;
    for (int i = 0; i <= e; i++) size += in[i];
    free(in);
    return size;
}

/* The derivative of node i, with those of its parts in d. */
static expr derived(expr_pool *p, int i, const expr *d, expr by)
{
    expr_node n = p->node[i];
    expr a = n.left, b = n.right;
    switch (n.op) {
    case EXPR_CONSTANT: return expr_constant(p, 0);
    case EXPR_TIME:
    case EXPR_Y:
    case EXPR_YP: return expr_constant(p, i == by);
    case EXPR_NEGATIVE: return expr_negative(p, d[a]);
    case EXPR_SIN: return expr_product(p, d[a], expr_cos(p, a));
    case EXPR_COS: return expr_negative(p, expr_product(p, d[a], expr_sin(p, a)));
    case EXPR_EXP: return expr_product(p, d[a], i);
    case EXPR_SUM: return expr_sum(p, d[a], d[b]);
    case EXPR_DIFFERENCE: return expr_difference(p, d[a], d[b]);
    case EXPR_PRODUCT: return expr_sum(p, expr_product(p, d[a], b), expr_product(p, a, d[b]));
    case EXPR_QUOTIENT:
        return expr_quotient(p, expr_difference(p, d[a], expr_product(p, i, d[b])), b);
    }
    return -1;
}

expr expr_derivative(expr_pool *p, expr e, expr by)
{
    expr *part = parts(p, e), *d = results(e + 1);
    for (int i = 0; i <= e; i++)
        if (part[i]) d[i] = derived(p, i, d, by);
    expr result = d[e];
    free(part);
    free(d);
    return result;
}

expr expr_along(expr_pool *p, expr e, int n)
{
    expr sum = expr_derivative(p, e, expr_time(p));
    for (int j = 0; j < n; j++) {
        expr slope = expr_derivative(p, e, expr_y(p, j));
        sum = expr_sum(p, sum, expr_product(p, slope, expr_yp(p, j)));
    }
    return sum;
}

/* What stands for leaves; NULL: they stay. */
typedef struct leaves {
    const expr *y, *yp;
    double time_unit; /* 1: time and derivatives stay */
} leaves;

static expr replaced_leaf(expr_pool *p, int i, const leaves *by)
{
    expr_node n = p->node[i];
    if (n.op == EXPR_Y && by->y) return by->y[n.left];
    if (n.op == EXPR_YP && by->yp) return by->yp[n.left];
    if (n.op == EXPR_YP && by->time_unit != 1) return expr_times(p, by->time_unit, i);
    if (n.op == EXPR_TIME && by->time_unit != 1) return expr_times(p, 1 / by->time_unit, i);
    return i;
}

static expr replaced(expr_pool *p, int i, const expr *r, const leaves *by)
{
    expr_node n = p->node[i];
    switch (n.op) {
    case EXPR_CONSTANT:
    case EXPR_TIME:
    case EXPR_Y:
    case EXPR_YP: return replaced_leaf(p, i, by);
    case EXPR_NEGATIVE: return expr_negative(p, r[n.left]);
    case EXPR_SIN: return expr_sin(p, r[n.left]);
    case EXPR_COS: return expr_cos(p, r[n.left]);
    case EXPR_EXP: return expr_exp(p, r[n.left]);
    case EXPR_SUM: return expr_sum(p, r[n.left], r[n.right]);
    case EXPR_DIFFERENCE: return expr_difference(p, r[n.left], r[n.right]);
    case EXPR_PRODUCT: return expr_product(p, r[n.left], r[n.right]);
    case EXPR_QUOTIENT: return expr_quotient(p, r[n.left], r[n.right]);
    }
    return -1;
}

static expr replace_leaves(expr_pool *p, expr e, const leaves *by)
{
    expr *part = parts(p, e), *r = results(e + 1);
    for (int i = 0; i <= e; i++)
        if (part[i]) r[i] = replaced(p, i, r, by);
    expr result = r[e];
    free(part);
    free(r);
    return result;
}

expr expr_replace(expr_pool *p, expr e, const expr *y, const expr *yp)
{
    const leaves by = {.y = y, .yp = yp, .time_unit = 1};
    return replace_leaves(p, e, &by);
}

expr expr_in_time_unit(expr_pool *p, expr e, double unit)
{
    const leaves by = {.time_unit = unit};
    return replace_leaves(p, e, &by);
}
