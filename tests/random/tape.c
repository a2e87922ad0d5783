#include "random/tape.h"

#include "random/quad_functions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void *room(int count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (!memory) {
        fprintf(stderr, "random: out of memory\n");
        exit(3);
    }
    return memory;
}

static void mark(tape *t, int last)
{
    for (int i = last; i >= 0; i--) {
        const expr_node *n = &t->pool->node[i];
        if (t->place[i] == 0) continue;
        t->length++;
        if (n->op < EXPR_NEGATIVE) continue;
        t->place[n->left] = 1;
        if (n->right >= 0) t->place[n->right] = 1;
    }
}

/* Which steps depend on the time alone. */
static void order_steps(tape *t)
{
    bool *timed = room(t->length, sizeof *timed);
    int others = 0;
    for (int i = 0; i < t->length; i++) {
        const expr_node *n = &t->pool->node[t->step[i]];
        bool leaf = n->op < EXPR_NEGATIVE;
        timed[i] = leaf ? n->op != EXPR_Y && n->op != EXPR_YP
                        : timed[t->place[n->left]] && (n->right < 0 || timed[t->place[n->right]]);
        if (timed[i]) t->order[t->timed++] = i;
    }
    for (int i = 0; i < t->length; i++)
        if (!timed[i]) t->order[t->timed + others++] = i;
    free(timed);
}

void tape_open(tape *t, const expr_pool *p, int outputs, const expr *e)
{
    *t = (tape){.pool = p, .outputs = outputs};
    for (int k = 0; k < TAPE_TIMES; k++) t->at[k] = (double)NAN;
    int last = -1;
    t->place = room(p->count, sizeof *t->place);
    t->output = room(outputs, sizeof *t->output);
    for (int i = 0; i < outputs; i++) {
        t->place[e[i]] = 1;
        if (e[i] > last) last = e[i];
    }
    mark(t, last);
    t->step = room(t->length, sizeof *t->step);
    t->value = room(t->length, sizeof *t->value);
    int length = 0;
    for (int i = 0; i <= last; i++) {
        if (t->place[i] == 0) continue;
        t->place[i] = length;
        t->step[length++] = i;
    }
    t->order = room(t->length, sizeof *t->order);
    order_steps(t);
    t->kept = room(TAPE_TIMES * t->timed, sizeof *t->kept);
    for (int i = 0; i < outputs; i++) t->output[i] = t->place[e[i]];
}

void tape_close(tape *t)
{
    free(t->step);
    free(t->place);
    free(t->output);
    free(t->value);
    free(t->order);
    free(t->kept);
}

static double evaluated(const tape *t, const expr_node *n, double time, const double *y,
                        const double *yp)
{
    if (n->op == EXPR_CONSTANT) return n->value;
    if (n->op == EXPR_TIME) return time;
    if (n->op == EXPR_Y) return y[n->left];
    if (n->op == EXPR_YP) return yp[n->left];
    double a = t->value[t->place[n->left]];
    double b = n->right >= 0 ? t->value[t->place[n->right]] : 0;
    switch (n->op) {
    case EXPR_NEGATIVE: return -a;
    case EXPR_SIN: return sin(a);
    case EXPR_COS: return cos(a);
    case EXPR_EXP: return exp(a);
    case EXPR_SUM: return a + b;
    case EXPR_DIFFERENCE: return a - b;
    case EXPR_PRODUCT: return a * b;
    default: return a / b;
    }
}

/* Of the steps in their order, those from `first` on. */
static void evaluate(tape *t, int first, int end, double time, const double *y, const double *yp)
{
    for (int k = first; k < end; k++) {
        int i = t->order[k];
        t->value[i] = evaluated(t, &t->pool->node[t->step[i]], time, y, yp);
    }
}

/* The steps that depend on the time alone. */
static void go_to(tape *t, double time)
{
    int k = 0;
    while (k < TAPE_TIMES && t->at[k] != time) k++;
    if (k < TAPE_TIMES) {
        const double *kept = t->kept + k * t->timed;
        for (int i = 0; i < t->timed; i++) t->value[t->order[i]] = kept[i];
        return;
    }
    double *kept = t->kept + t->next * t->timed;
    evaluate(t, 0, t->timed, time, NULL, NULL);
    for (int i = 0; i < t->timed; i++) kept[i] = t->value[t->order[i]];
    t->at[t->next] = time;
    t->next = (t->next + 1) % TAPE_TIMES;
}

void tape_run(tape *t, double time, const double *y, const double *yp, double *result)
{
    go_to(t, time);
    evaluate(t, t->timed, t->length, time, y, yp);
    for (int i = 0; i < t->outputs; i++) result[i] = t->value[t->output[i]];
}

static void product(int terms, const series *a, const series *b, series *r)
{
    for (int k = 0; k < terms; k++) {
        r->c[k] = 0;
        for (int i = 0; i <= k; i++) r->c[k] += a->c[i] * b->c[k - i];
    }
}

static void quotient(int terms, const series *a, const series *b, series *r)
{
    for (int k = 0; k < terms; k++) {
        quad rest = a->c[k];
        for (int i = 0; i < k; i++) rest -= r->c[i] * b->c[k - i];
        r->c[k] = rest / b->c[0];
    }
}

static void exponential(int terms, const series *a, series *r)
{
    r->c[0] = quad_exp(a->c[0]);
    for (int k = 1; k < terms; k++) {
        r->c[k] = 0;
        for (int i = 1; i <= k; i++) r->c[k] += i * a->c[i] * r->c[k - i];
        r->c[k] /= k;
    }
}

static void sine_and_cosine(int terms, const series *a, series *s, series *c)
{
    s->c[0] = quad_sin(a->c[0]);
    c->c[0] = quad_cos(a->c[0]);
    for (int k = 1; k < terms; k++) {
        s->c[k] = c->c[k] = 0;
        for (int i = 1; i <= k; i++) {
            s->c[k] += i * a->c[i] * c->c[k - i];
            c->c[k] -= i * a->c[i] * s->c[k - i];
        }
        s->c[k] /= k;
        c->c[k] /= k;
    }
}

/* Constants, the time, y and y'. */
static bool leaf(const expr_node *n, int terms, double time, const series *y, const series *yp,
                 series *r)
{
    *r = (series){{0}};
    if (n->op == EXPR_CONSTANT) r->c[0] = (quad)n->value;
    if (n->op == EXPR_TIME) {
        r->c[0] = (quad)time;
        if (terms > 1) r->c[1] = 1;
    }
    if (n->op == EXPR_Y) *r = y[n->left];
    if (n->op == EXPR_YP) *r = yp[n->left];
    return n->op < EXPR_NEGATIVE;
}

static void compound(expr_op op, int terms, const series *a, const series *b, series *r)
{
    series other;
    switch (op) {
    case EXPR_SIN: sine_and_cosine(terms, a, r, &other); return;
    case EXPR_COS: sine_and_cosine(terms, a, &other, r); return;
    case EXPR_EXP: exponential(terms, a, r); return;
    case EXPR_PRODUCT: product(terms, a, b, r); return;
    case EXPR_QUOTIENT: quotient(terms, a, b, r); return;
    default: break;
    }
    for (int k = 0; k < terms; k++)
        r->c[k] = op == EXPR_NEGATIVE ? -a->c[k]
                  : op == EXPR_SUM    ? a->c[k] + b->c[k]
                                      : a->c[k] - b->c[k];
}

void tape_series(const tape *t, int terms, double time, const series *y, const series *yp,
                 const unsigned char *signs, series *result)
{
    series *value = room(t->length, sizeof *value);
    for (int i = 0; i < t->length; i++) {
        const expr_node *n = &t->pool->node[t->step[i]];
        if (leaf(n, terms, time, y, yp, &value[i])) continue;
        const series *a = &value[t->place[n->left]];
        const series *b = n->right >= 0 ? &value[t->place[n->right]] : NULL;
        compound(n->op, terms, a, b, &value[i]);
        bool exact = n->op == EXPR_NEGATIVE || n->op == EXPR_SUM || n->op == EXPR_DIFFERENCE;
        if (!signs || exact) continue;
        quad factor = 1 + (signs[i] ? 1 : -1) * (quad)0x1p-53;
        for (int k = 0; k < terms; k++) value[i].c[k] *= factor;
    }
    for (int i = 0; i < t->outputs; i++) result[i] = value[t->output[i]];
    free(value);
}
