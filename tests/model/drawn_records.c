/* Records of drawn types: what a constructor is given arrives at each component, through
 * parameters, functions, equations, slices, and where the components alone are declared. */
#include "reading.h"

#include <stdint.h>

enum { TYPES = 4, MOST = 4, DIMENSIONS = 2, LEAVES = 4000 };

static uint64_t state;

static int draw(int below)
{
    state ^= state << 13; /* Marsaglia, J. Stat. Softw. 8 (2003) */
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % (uint64_t)below);
}

/* A component, or the variable itself: of type Real (TYPES) or a record, with its sizes. */
typedef struct component {
    int type, rank, size[DIMENSIONS];
} component;

typedef struct drawn {
    component part[TYPES][MOST]; /* of each record */
    int parts[TYPES];
    component whole;
    int leaves;
    char name[LEAVES][64]; /* of each element: [1].c0[2].c1 */
} drawn;

static component draw_component(int from, int most_rank)
{
    component c = {.type = from < TYPES && draw(3) ? from + draw(TYPES - from) : TYPES};
    c.rank = draw(most_rank + 1);
    for (int k = 0; k < c.rank; k++) c.size[k] = 1 + draw(2);
    return c;
}

/* A record holds Reals and records of greater number. */
static void draw_types(drawn *d)
{
    for (int t = 0; t < TYPES; t++) {
        d->parts[t] = 1 + draw(MOST - 1);
        for (int i = 0; i < d->parts[t]; i++)
            d->part[t][i] = draw_component(t + 1, DIMENSIONS - (t > 1));
    }
    d->whole = draw_component(0, DIMENSIONS);
    d->whole.type = 0;
}

static void write_sizes(text *t, const component *c)
{
    for (int k = 0; k < c->rank; k++)
        text_format(t, "%s%d%s", k ? "," : "[", c->size[k], k + 1 == c->rank ? "]" : "");
}

static void write_types(text *t, const drawn *d)
{
    for (int r = 0; r < TYPES; r++) {
        text_format(t, "record R%d", r);
        for (int i = 0; i < d->parts[r]; i++) {
            const component *c = &d->part[r][i];
            if (c->type == TYPES)
                text_format(t, " Real c%d", i);
            else
                text_format(t, " R%d c%d", c->type, i);
            write_sizes(t, c);
            text_add(t, ";");
        }
        text_format(t, " end R%d;\n", r);
    }
}

/* The value of a component: its elements are numbered. The names of the elements are kept. */
static void write_value(text *t, drawn *d, const component *c, int k, const char *name)
{
    char inner[64];
    if (k < c->rank) {
        for (int i = 1; i <= c->size[k]; i++) {
            snprintf(inner, sizeof inner, "%s%s%d%s", name, k ? "," : "[", i,
                     k + 1 == c->rank ? "]" : "");
            text_add(t, i == 1 ? "{" : ", ");
            write_value(t, d, c, k + 1, inner);
        }
        text_add(t, "}");
    } else if (c->type == TYPES) {
        ck_assert_int_lt(d->leaves, LEAVES);
        strcpy(d->name[d->leaves++], name);
        text_format(t, "%d", d->leaves);
    } else {
        bool named = draw(2);
        text_format(t, "R%d(", c->type);
        for (int i = 0, parts = d->parts[c->type]; i < parts; i++) {
            int at = named ? parts - 1 - i : i; /* in the reverse order */
            snprintf(inner, sizeof inner, "%s.c%d", name, at);
            if (i) text_add(t, ", ");
            if (named) text_format(t, "c%d = ", at);
            write_value(t, d, &d->part[c->type][at], 0, inner);
        }
        text_add(t, ")");
    }
}

/* A function that copies a record, as a whole or each component. */
static void write_function(text *t, const drawn *d)
{
    text_add(t, "function f input R0 x; output R0 y; protected R0 z[2]; algorithm z[2] := x;");
    bool whole = draw(2);
    if (whole) text_add(t, " y := z[2];");
    for (int i = 0; i < d->parts[0] && !whole; i++) text_format(t, " y.c%d := z[2].c%d;", i, i);
    text_add(t, " end f;\n");
}

/* The sum of each component of p over all elements must be that of their numbers. */
static void write_sums(text *t, const drawn *d)
{
    for (int i = 0; i < d->parts[0]; i++)
        if (d->part[0][i].type == TYPES)
            text_format(t, "Real s%d = %s(p.c%d);\n", i,
                        d->whole.rank + d->part[0][i].rank ? "sum" : "", i);
}

static double sum_of(const drawn *d, int i)
{
    char end[8];
    double sum = 0;
    snprintf(end, sizeof end, ".c%d", i);
    for (int k = 0; k < d->leaves; k++) {
        const char *dot = strchr(d->name[k], '.');
        bool same = dot && strncmp(dot, end, strlen(end)) == 0 && !strchr(dot + 1, '.');
        if (same) sum += k + 1;
    }
    return sum;
}

static void write_model(text *t, drawn *d)
{
    text_add(t, "model M\n");
    write_types(t, d);
    write_function(t, d);
    text_add(t, "parameter R0 p");
    write_sizes(t, &d->whole);
    text_add(t, " = ");
    write_value(t, d, &d->whole, 0, "");
    text_add(t, ";\nR0 q");
    write_sizes(t, &d->whole);
    text_add(t, ";\n");
    write_sums(t, d);
    for (int k = 0; k < d->leaves; k++) text_format(t, "Real g%s;\n", d->name[k]);
    for (int k = 0; k < d->leaves; k++) text_format(t, "Real h%d = p%s;\n", k, d->name[k]);
    text_add(t, "equation\nq = f(p);\n");
    text_add(t, draw(2) ? "g = f(q);\nend M;\n" : "f(q) = g;\nend M;\n");
}

/* The name of the variable that a side of an equation is; "" if it is none. */
static const char *variable_of(const reading *r, sym side)
{
    sym_view view = sym_look(r->system->graph, side);
    return view.op == SYM_VARIABLE ? r->system->unknown.item[view.id].name : "";
}

/* Whether an equation between g and q joins the same component. */
static bool joins(const reading *r, const sym_equation *e)
{
    const char *left = variable_of(r, e->lhs), *right = variable_of(r, e->rhs);
    bool named = left[0] && right[0] && left[0] != right[0]; /* strchr() finds the end, too */
    return named && strchr("gq", left[0]) && strchr("gq", right[0]) &&
           strcmp(left + 1, right + 1) == 0;
}

START_TEST(arrive)
{
    drawn *d = calloc(1, sizeof *d);
    text t = {0};
    reading r;
    char name[96];
    state = 0x9E3779B97F4A7C15u * (uint64_t)(_i + 1);
    do draw_types(d);
    while (d->whole.rank == 0 && draw(2));
    write_model(&t, d);
    read_right(&r, text_string(&t));
    size_t joined = 0;
    for (size_t i = 0; i < r.system->equation.count; i++)
        joined += joins(&r, &r.system->equation.item[i]);
    ck_assert_msg(joined == (size_t)d->leaves, "%zu of %d joined in\n%s", joined, d->leaves,
                  text_string(&t));
    for (int k = 0; k < d->leaves; k++) {
        snprintf(name, sizeof name, "q%s", d->name[k]);
        double q = value_of(&r, right_side(&r, name));
        snprintf(name, sizeof name, "h%d", k);
        double h = value_of(&r, right_side(&r, name));
        ck_assert_msg(q == k + 1 && h == k + 1, "%s: %g and %g, not %d, in\n%s", d->name[k], q, h,
                      k + 1, text_string(&t));
    }
    for (int i = 0; i < d->parts[0]; i++) {
        if (d->part[0][i].type != TYPES) continue;
        snprintf(name, sizeof name, "s%d", i);
        ck_assert_double_eq(value_of(&r, right_side(&r, name)), sum_of(d, i));
    }
    close_reading(&r);
    text_free(&t);
    free(d);
}
END_TEST

int UNIT_ENTRY(void)
{
    const char *given = getenv("DRAWN"); /* for a longer search */
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, arrive, 0, given ? atoi(given) : 30);
    return unit_run("model/drawn_records", tests);
}
