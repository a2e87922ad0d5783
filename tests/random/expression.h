/* Expressions in t, y and y': equal ones are one node of a pool, whose nodes come after what they
 * are made of. Constants are folded only where that rounds nothing, so that what is printed, called
 * and differentiated is the same function. */
#ifndef RANDOM_EXPRESSION_H
#define RANDOM_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

typedef int expr; /* number of a node */

typedef enum expr_op {
    EXPR_CONSTANT,
    EXPR_TIME,
    EXPR_Y,  /* left: which */
    EXPR_YP, /* left: which */
    EXPR_NEGATIVE,
    EXPR_SIN,
    EXPR_COS,
    EXPR_EXP,
    EXPR_SUM,
    EXPR_DIFFERENCE,
    EXPR_PRODUCT,
    EXPR_QUOTIENT
} expr_op;

typedef struct expr_node {
    expr_op op;
    expr left, right;
    double value; /* of a constant */
    expr next;    /* of equal hash */
} expr_node;

typedef struct expr_pool {
    expr_node *node;
    int count, room;
    expr *bucket;
    int buckets;
} expr_pool;

void expr_pool_open(expr_pool *p);
void expr_pool_close(expr_pool *p);

expr expr_constant(expr_pool *p, double value);
expr expr_time(expr_pool *p);
expr expr_y(expr_pool *p, int i);
expr expr_yp(expr_pool *p, int i);
expr expr_negative(expr_pool *p, expr a);
expr expr_sin(expr_pool *p, expr a);
expr expr_cos(expr_pool *p, expr a);
expr expr_exp(expr_pool *p, expr a);
expr expr_sum(expr_pool *p, expr a, expr b);
expr expr_difference(expr_pool *p, expr a, expr b);
expr expr_product(expr_pool *p, expr a, expr b);
expr expr_quotient(expr_pool *p, expr a, expr b);
expr expr_times(expr_pool *p, double factor, expr a);

bool expr_is_constant(const expr_pool *p, expr e, double *value); /* value may be NULL */
bool expr_is_zero(const expr_pool *p, expr e);

/* The partial derivative by `by`: the time, or one of y or y'. */
expr expr_derivative(expr_pool *p, expr e, expr by);
/* e_t + sum of e_yj y_j': e does not hold y'. */
expr expr_along(expr_pool *p, expr e, int n);
/* e with y_i and y_i' replaced; `yp` NULL: y' stays. */
expr expr_replace(expr_pool *p, expr e, const expr *y, const expr *yp);
/* e at the time t / unit, of derivatives by t. unit: a power of two, which rounds nothing. */
expr expr_in_time_unit(expr_pool *p, expr e, double unit);
bool expr_holds(const expr_pool *p, expr e, expr part);
/* Nodes that e is made of. */
int expr_size(const expr_pool *p, expr e);

#endif
