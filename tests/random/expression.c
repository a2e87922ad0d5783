#include "random/expression.h"

#include "base/quad.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096 };

static void *must(void *memory)
{
    if (!memory) {
        fprintf(stderr, "random: out of memory\n");
        exit(3);
    }
    return memory;
}

void expr_pool_open(expr_pool *p)
{
    *p = (expr_pool){.room = 1024, .buckets = BUCKETS};
    p->node = must(malloc((size_t)p->room * sizeof *p->node));
    p->bucket = must(malloc(BUCKETS * sizeof *p->bucket));
    for (int i = 0; i < BUCKETS; i++) p->bucket[i] = -1;
}

void expr_pool_close(expr_pool *p)
{
    free(p->node);
    free(p->bucket);
}

static int hash(const expr_node *n)
{
    uint64_t bits;
    memcpy(&bits, &n->value, sizeof bits);
    uint64_t h = (uint64_t)n->op * 0x9e3779b97f4a7c15u + bits;
    h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u + (uint64_t)(n->left + 7);
    h = (h ^ (h >> 31)) * 0x94d049bb133111ebu + (uint64_t)(n->right + 3);
    return (int)((h ^ (h >> 33)) % BUCKETS);
}

static bool same(const expr_node *a, const expr_node *b)
{
    return a->op == b->op && a->left == b->left && a->right == b->right &&
           memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

static expr add_node(expr_pool *p, expr_node n)
{
    int h = hash(&n);
    for (expr e = p->bucket[h]; e >= 0; e = p->node[e].next)
        if (same(&p->node[e], &n)) return e;
    if (p->count == p->room) {
        p->room *= 2;
        p->node = must(realloc(p->node, (size_t)p->room * sizeof *p->node));
    }
    n.next = p->bucket[h];
    p->node[p->count] = n;
    return p->bucket[h] = p->count++;
}

expr expr_constant(expr_pool *p, double value)
{
    return add_node(p, (expr_node){EXPR_CONSTANT, -1, -1, value == 0 ? 0 : value, -1});
}

expr expr_time(expr_pool *p)
{
    return add_node(p, (expr_node){EXPR_TIME, -1, -1, 0, -1});
}

expr expr_y(expr_pool *p, int i)
{
    return add_node(p, (expr_node){EXPR_Y, i, -1, 0, -1});
}

expr expr_yp(expr_pool *p, int i)
{
    return add_node(p, (expr_node){EXPR_YP, i, -1, 0, -1});
}

bool expr_is_constant(const expr_pool *p, expr e, double *value)
{
    if (p->node[e].op != EXPR_CONSTANT) return false;
    if (value) *value = p->node[e].value;
    return true;
}

bool expr_is_zero(const expr_pool *p, expr e)
{
    double value;
    return expr_is_constant(p, e, &value) && value == 0;
}

static bool is(const expr_pool *p, expr e, double wanted)
{
    double value;
    return expr_is_constant(p, e, &value) && value == wanted;
}

static expr unary(expr_pool *p, expr_op op, expr a)
{
    return add_node(p, (expr_node){op, a, -1, 0, -1});
}

static expr binary(expr_pool *p, expr_op op, expr a, expr b)
{
    return add_node(p, (expr_node){op, a, b, 0, -1});
}

expr expr_negative(expr_pool *p, expr a)
{
    double value;
    if (expr_is_constant(p, a, &value)) return expr_constant(p, -value);
    if (p->node[a].op == EXPR_NEGATIVE) return p->node[a].left;
    return unary(p, EXPR_NEGATIVE, a);
}

expr expr_sin(expr_pool *p, expr a)
{
    return is(p, a, 0) ? a : unary(p, EXPR_SIN, a);
}

expr expr_cos(expr_pool *p, expr a)
{
    return is(p, a, 0) ? expr_constant(p, 1) : unary(p, EXPR_COS, a);
}

expr expr_exp(expr_pool *p, expr a)
{
    return is(p, a, 0) ? expr_constant(p, 1) : unary(p, EXPR_EXP, a);
}

/* Two constants become one where the result is a double. */
static bool fold(expr_pool *p, expr_op op, expr a, expr b, expr *folded)
{
    double x, y;
    if (!expr_is_constant(p, a, &x) || !expr_is_constant(p, b, &y)) return false;
    quad u = (quad)x, v = (quad)y;
    quad exact = op == EXPR_SUM ? u + v : op == EXPR_DIFFERENCE ? u - v : u * v;
    if ((quad)(double)exact != exact) return false;
    *folded = expr_constant(p, (double)exact);
    return true;
}

expr expr_sum(expr_pool *p, expr a, expr b)
{
    expr folded;
    if (is(p, a, 0)) return b;
    if (is(p, b, 0)) return a;
    if (fold(p, EXPR_SUM, a, b, &folded)) return folded;
    if (p->node[b].op == EXPR_NEGATIVE) return expr_difference(p, a, p->node[b].left);
    return binary(p, EXPR_SUM, a, b);
}

expr expr_difference(expr_pool *p, expr a, expr b)
{
    expr folded;
    if (is(p, b, 0)) return a;
    if (a == b) return expr_constant(p, 0);
    if (is(p, a, 0)) return expr_negative(p, b);
    if (fold(p, EXPR_DIFFERENCE, a, b, &folded)) return folded;
    if (p->node[b].op == EXPR_NEGATIVE) return expr_sum(p, a, p->node[b].left);
    return binary(p, EXPR_DIFFERENCE, a, b);
}

/* c (d a) = (c d) a where c d is a double. */
static bool regroup(expr_pool *p, expr c, expr product, expr *joint)
{
    expr_node n = p->node[product];
    expr folded;
    if (n.op != EXPR_PRODUCT || !expr_is_constant(p, c, NULL)) return false;
    if (!fold(p, EXPR_PRODUCT, c, n.left, &folded)) return false;
    *joint = expr_product(p, folded, n.right);
    return true;
}

expr expr_product(expr_pool *p, expr a, expr b)
{
    expr joint;
    if (is(p, a, 0) || is(p, b, 1)) return a;
    if (is(p, b, 0) || is(p, a, 1)) return b;
    if (is(p, a, -1)) return expr_negative(p, b);
    if (is(p, b, -1)) return expr_negative(p, a);
    if (fold(p, EXPR_PRODUCT, a, b, &joint)) return joint;
    bool number = expr_is_constant(p, a, NULL);
    if (!number && expr_is_constant(p, b, NULL)) return expr_product(p, b, a);
    if (regroup(p, a, b, &joint)) return joint;
    if (p->node[b].op == EXPR_NEGATIVE)
        return expr_negative(p, expr_product(p, a, p->node[b].left));
    if (p->node[a].op == EXPR_NEGATIVE)
        return expr_negative(p, expr_product(p, p->node[a].left, b));
    return binary(p, EXPR_PRODUCT, a, b);
}

expr expr_quotient(expr_pool *p, expr a, expr b)
{
    if (is(p, a, 0) || is(p, b, 1)) return a;
    return binary(p, EXPR_QUOTIENT, a, b);
}

expr expr_times(expr_pool *p, double factor, expr a)
{
    return expr_product(p, expr_constant(p, factor), a);
}
