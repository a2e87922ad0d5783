/* Parameters that are set without another reading, held against another reading node by node. */
#ifndef TESTS_MODEL_TUNING_H
#define TESTS_MODEL_TUNING_H

#include "model/reading.h"
#include "symbolic/traced.h"

#include <float.h>
#include <math.h>

enum { MOST_SET = 24 };

/* A reading whose parameters can be set, and the settings so far. */
typedef struct tuning {
    const char *file;
    char *bytes;
    size_t length;
    model_setting setting[MOST_SET];
    char text[MOST_SET][40];
    size_t settings;
    reading traced;
} tuning;

static inline void read_traced(const tuning *t, reading *r)
{
    memset(r, 0, sizeof *r);
    model_text source = {.file = t->file, .bytes = t->bytes, .length = t->length};
    const model_given given = {.settings = t->settings, .setting = t->setting};
    r->status = model_load(&r->memory, &source, &given, true, &r->m, &r->system);
}

typedef struct copying {
    arena memory;
    const sym_system *from;
    sym_system *copy;
} copying;

static inline void copy_protected(void *argument)
{
    copying *c = argument;
    c->copy = sym_system_copy(&c->memory, c->from, false);
}

static inline void make_copy(copying *c, const reading *from)
{
    *c = (copying){.from = from->system};
    ck_assert_int_eq(arena_protect(&c->memory, copy_protected, c), DAE_OK);
}

/* But for the order in which three and more equal terms are added. */
static inline bool close_to(double a, double b)
{
    return a == b || fabs(a - b) <= 4 * DBL_EPSILON * fabs(b) || (isnan(a) && isnan(b));
}

/* Two graphs, and what each node of one is in the other. */
typedef struct pairing {
    const sym_graph *a, *b;
    sym *image; /* SYM_NONE: not known yet */
} pairing;

/* The same expression: the numbers of nodes may be others, the order of terms may not. */
static inline bool same_node(pairing *p, sym m, sym n)
{
    if (p->image[m] != SYM_NONE) return p->image[m] == n;
    sym_view x = sym_look(p->a, m), y = sym_look(p->b, n);
    if (x.op != y.op || x.count != y.count || x.id != y.id || x.order != y.order) return false;
    if (!close_to(x.value, y.value)) return false;
    for (uint32_t i = 0; i < x.count; i++) {
        if (!same_node(p, x.argument[i], y.argument[i])) return false;
        if (x.factor && !close_to(x.factor[i], y.factor[i])) return false;
    }
    p->image[m] = n;
    return true;
}

/* The expressions of the discrete part, with those of samples; their number. To be freed. */
static inline size_t discrete_roots(const sym_system *s, sym **roots)
{
    const sym_discrete_part *d = &s->discrete;
    size_t count = 0;
    sym *all = malloc((d->variable.count + 2 * d->sample.count + d->initially.count +
                       2 * d->action.count + d->watched.count + 1) *
                      sizeof *all);
    for (size_t i = 0; i < d->variable.count; i++) all[count++] = d->variable.item[i].definition;
    for (size_t i = 0; i < d->sample.count; i++) {
        all[count++] = d->sample.item[i].start;
        all[count++] = d->sample.item[i].interval;
    }
    for (size_t i = 0; i < d->initially.count; i++) all[count++] = d->initially.item[i].value;
    for (size_t i = 0; i < d->action.count; i++) {
        all[count++] = d->action.item[i].condition;
        if (d->action.item[i].kind != SYM_TERMINATE) all[count++] = d->action.item[i].value;
    }
    for (size_t i = 0; i < d->watched.count; i++) all[count++] = d->watched.item[i].relation;
    *roots = all;
    return count;
}

static inline sym last_node(const sym_system *s)
{
    sym most = 0, *root;
    size_t roots = discrete_roots(s, &root);
    for (size_t i = 0; i < roots; i++) most = root[i] > most ? root[i] : most;
    free(root);
    for (size_t i = 0; i < s->equation.count + s->initial.count; i++) {
        const sym_equation *e = i < s->equation.count ? &s->equation.item[i]
                                                      : &s->initial.item[i - s->equation.count];
        most = e->lhs > most ? e->lhs : most;
        most = e->rhs > most ? e->rhs : most;
    }
    for (size_t i = 0; i < s->assertion.count; i++)
        if (s->assertion.item[i].condition > most) most = s->assertion.item[i].condition;
    return most;
}

static inline bool same_equations(pairing *p, size_t count, const sym_equation *x,
                                  const sym_equation *y)
{
    for (size_t i = 0; i < count; i++)
        if (!same_node(p, x[i].lhs, y[i].lhs) || !same_node(p, x[i].rhs, y[i].rhs)) return false;
    return true;
}

static inline bool same_graph(const sym_system *a, const sym_system *b)
{
    size_t nodes = (size_t)last_node(a) + 1;
    pairing p = {a->graph, b->graph, malloc(nodes * sizeof(sym))};
    for (size_t n = 0; n < nodes; n++) p.image[n] = SYM_NONE;
    bool same = same_equations(&p, a->equation.count, a->equation.item, b->equation.item) &&
                same_equations(&p, a->initial.count, a->initial.item, b->initial.item);
    for (size_t i = 0; same && i < a->assertion.count; i++)
        same = same_node(&p, a->assertion.item[i].condition, b->assertion.item[i].condition);
    sym *x, *y;
    size_t roots = discrete_roots(a, &x);
    same = discrete_roots(b, &y) == roots && same;
    for (size_t i = 0; same && i < roots; i++) same = same_node(&p, x[i], y[i]);
    free(x);
    free(y);
    free(p.image);
    return same;
}

static inline bool same_system(const sym_system *a, const sym_system *b)
{
    if (a->unknown.count != b->unknown.count || a->equation.count != b->equation.count ||
        a->initial.count != b->initial.count || a->assertion.count != b->assertion.count)
        return false;
    for (size_t i = 0; i < a->unknown.count; i++) {
        const sym_unknown *x = &a->unknown.item[i], *y = &b->unknown.item[i];
        if (strcmp(x->name, y->name) != 0 || !close_to(x->start, y->start) ||
            x->start_given != y->start_given || x->fixed != y->fixed || x->nominal != y->nominal)
            return false;
    }
    if (a->discrete.variable.count != b->discrete.variable.count) return false;
    for (size_t i = 0; i < a->discrete.variable.count; i++) {
        const sym_discrete *x = &a->discrete.variable.item[i], *y = &b->discrete.variable.item[i];
        if (!close_to(x->start, y->start) || x->start_given != y->start_given ||
            x->fixed != y->fixed)
            return false;
    }
    return same_graph(a, b);
}

static inline void set_next(tuning *t, const char *name, double value)
{
    snprintf(t->text[t->settings], sizeof t->text[0], "%.17g", value);
    t->setting[t->settings] = (model_setting){name, t->text[t->settings]};
    t->settings++;
}

/* Set one parameter, and hold the result against another reading. */
static inline sym_tuning set_one(tuning *t, size_t k, double value)
{
    reading fresh;
    copying before, now, wanted;
    const char *name = sym_trace_name(t->traced.system->graph, k);
    make_copy(&before, &t->traced);
    sym_tuning done = sym_trace_set(t->traced.system->graph, name, value);
    make_copy(&now, &t->traced);
    if (done == TUNED) {
        set_next(t, name, value);
        read_traced(t, &fresh);
        ck_assert_msg(fresh.status == DAE_OK, "%s: %s=%g: %s", t->file, name, value,
                      message_string(&fresh.m));
        make_copy(&wanted, &fresh);
        ck_assert_msg(same_system(now.copy, wanted.copy), "%s: %s=%g", t->file, name, value);
        arena_free(&wanted.memory);
        close_reading(&fresh);
    } else {
        ck_assert_int_eq(done, STRUCTURAL);
        ck_assert_msg(same_system(now.copy, before.copy), "%s: %s=%g", t->file, name, value);
    }
    arena_free(&before.memory);
    arena_free(&now.memory);
    return done;
}

static inline void open_tuning(tuning *t, const char *file, const char *bytes, size_t length)
{
    *t = (tuning){.file = file, .length = length};
    t->bytes = malloc(length);
    memcpy(t->bytes, bytes, length);
    read_traced(t, &t->traced);
}

static inline void close_tuning(tuning *t)
{
    close_reading(&t->traced);
    free(t->bytes);
}

#endif
