#include "method/conditions.h"

quad method_tolerance(const method *given)
{
    return given->decimals ? (quad)1e-13 : (quad)1e-23;
}

/* A sum with the sum of the sizes of its terms. */
typedef struct sum {
    quad value, size;
} sum;

static void add(sum *s, quad term)
{
    s->value += term;
    s->size += quad_abs(term);
}

static bool vanishes(const method *given, const sum *s)
{
    return quad_abs(s->value) <= method_tolerance(given) * s->size;
}

/* The node of row i of A: c_i. For a Rosenbrock method it is the sum of the row, because the times
 * follow from the autonomous form (Hairer & Wanner II, Sec. IV.7). */
static quad method_node(const method *given, int i)
{
    if (given->family != METHOD_ROSENBROCK) return given->c[i];
    quad node = 0;
    for (int j = 0; j < given->stages; j++) node += given->a[i][j];
    return node;
}

bool method_is_near(const method *given, quad a, quad b)
{
    return quad_abs(a - b) <= method_tolerance(given) * (1 + quad_abs(a) + quad_abs(b));
}

/* The time of a stage, in steps from the start. */
static quad time_of_stage(const method *given, int i)
{
    quad time = 0;
    if (!given->rosenbrock) return given->c[i];
    for (int j = 0; j < i; j++) time += given->rosenbrock->alpha[i][j];
    return time;
}

bool method_stage_gives(const method *given, int i, const quad *weights)
{
    bool same = method_is_near(given, time_of_stage(given, i), 1);
    for (int j = 0; j < given->stages; j++)
        same = same && method_is_near(given, given->a[i][j], weights[j]);
    return same;
}

bool method_rows_sum_to_nodes(const method *given)
{
    for (int i = 0; i < given->stages; i++) {
        sum row = {0};
        for (int j = 0; j < given->stages; j++) add(&row, given->a[i][j]);
        add(&row, -method_node(given, i));
        if (!vanishes(given, &row)) return false;
    }
    return true;
}

/* B, C and D for one k. `power`: the powers of the nodes, c_i^(k-1). */
static bool b_holds(const method *given, int k, const quad *power)
{
    sum s = {0};
    for (int i = 0; i < given->stages; i++) add(&s, given->b[i] * power[i]);
    add(&s, -(quad)1 / k);
    return vanishes(given, &s);
}

static bool c_holds(const method *given, int k, const quad *power)
{
    for (int i = 0; i < given->stages; i++) {
        sum s = {0};
        for (int j = 0; j < given->stages; j++) add(&s, given->a[i][j] * power[j]);
        add(&s, -power[i] * method_node(given, i) / k);
        if (!vanishes(given, &s)) return false;
    }
    return true;
}

static bool d_holds(const method *given, int k, const quad *power)
{
    for (int j = 0; j < given->stages; j++) {
        sum s = {0};
        for (int i = 0; i < given->stages; i++) add(&s, given->b[i] * power[i] * given->a[i][j]);
        add(&s, -given->b[j] / k);
        add(&s, given->b[j] * power[j] * method_node(given, j) / k);
        if (!vanishes(given, &s)) return false;
    }
    return true;
}

int method_holds(const method *given, method_assumption which)
{
    bool (*const holds[])(const method *, int, const quad *) = {b_holds, c_holds, d_holds};
    quad power[METHOD_MOST_STAGES];
    int k = 0;
    for (int i = 0; i < given->stages; i++) power[i] = 1;
    for (; k < METHOD_MOST_ORDER && holds[which](given, k + 1, power); k++)
        for (int i = 0; i < given->stages; i++) power[i] *= method_node(given, i);
    return k;
}

stage_vector stage_ones(int n)
{
    stage_vector v;
    for (int i = 0; i < n; i++) v.value[i] = v.size[i] = 1;
    return v;
}

stage_vector stage_times(int n, const stage_vector *x, const stage_vector *y)
{
    stage_vector v;
    for (int i = 0; i < n; i++) {
        v.value[i] = x->value[i] * y->value[i];
        v.size[i] = x->size[i] * y->size[i];
    }
    return v;
}

stage_vector stage_apply(int n, const quad (*m)[METHOD_MOST_STAGES], const stage_vector *x)
{
    stage_vector v;
    for (int i = 0; i < n; i++) {
        v.value[i] = v.size[i] = 0;
        for (int j = 0; j < n; j++) {
            if (m[i][j] == 0) continue;
            v.value[i] += m[i][j] * x->value[j];
            v.size[i] += quad_abs(m[i][j]) * x->size[j];
        }
    }
    return v;
}

bool stage_sum_is(const method *given, const quad *weights, const stage_vector *phi, quad wanted)
{
    sum s = {-wanted, wanted};
    for (int i = 0; i < given->stages; i++) {
        s.value += weights[i] * phi->value[i];
        s.size += quad_abs(weights[i]) * phi->size[i];
    }
    return vanishes(given, &s);
}
