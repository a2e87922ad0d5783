#include "method/tableau.h"

#include "base/text.h"
#include "method/catalogue.h"

#include <string.h>

enum { MOST = METHOD_MOST_STAGES, MOST_BUMPS = 4 };

typedef struct reader {
    method *m;
    expression e;
    bool weighted; /* b has been read */
    int bumps;
    quad bump[MOST_BUMPS][MOST];
} reader;

static void fail(reader *r, const char *error)
{
    expression_fail(&r->e, error);
}

static int read_list(reader *r, quad *value)
{
    return expression_row(&r->e, MOST, "more columns than a method has stages", value);
}

static void read_stage(reader *r, quad c)
{
    method *m = r->m;
    int i = m->stages + m->extra;
    if (i == MOST) {
        fail(r, "more stages than a method can have");
        return;
    }
    m->c[i] = c;
    if (r->weighted)
        m->extra++;
    else
        m->stages++;
    read_list(r, m->a[i]);
}

static void read_embedded(reader *r, bool differences)
{
    method *m = r->m;
    if (m->estimators == 2) {
        fail(r, "more than two embedded formulas");
        return;
    }
    quad *hat = m->b_hat[m->estimators++];
    read_list(r, hat);
    for (int i = 0; differences && i < MOST; i++) hat[i] = m->b[i] - hat[i];
}

static void read_nodes(reader *r)
{
    quad node[MOST] = {0};
    int count = read_list(r, node);
    if (method_bad_node(count, node) >= 0)
        fail(r, "nodes that are not in [0,1], do not ascend, or nearly coincide");
    if (!r->e.error) method_collocate(r->m, count, node);
    r->weighted = true;
}

/* Reads a line after its "|", according to the mark before it. */
static void read_row(reader *r, char mark)
{
    if (mark == '^' || mark == 'e')
        read_embedded(r, mark == 'e');
    else if (mark == '~' && r->bumps == MOST_BUMPS)
        fail(r, "more of dense output than is understood");
    else if (mark == '~')
        read_list(r, r->bump[r->bumps++]);
    else if (mark == '#')
        read_nodes(r);
    else if (mark == 'z')
        read_list(r, r->m->constraint[r->m->stages > 0 ? r->m->stages - 1 : 0]);
    else {
        r->weighted = true;
        read_list(r, r->m->b);
    }
}

static bool take_mark(reader *r, char *mark)
{
    const char *at = r->e.at;
    if (*at != '|' && strchr("^e~#z", *at) == NULL) return false;
    const char *bar = *at == '|' ? at : at + 1;
    while (*bar == ' ') bar++;
    if (*bar != '|') return false;
    *mark = *at;
    r->e.at = bar + 1;
    return true;
}

static void read_line(void *self)
{
    reader *r = self;
    expression *e = &r->e;
    size_t length = expression_name(e->at);
    char mark;
    if (take_mark(r, &mark)) {
        read_row(r, mark);
    } else if (text_equals(e->at, length, "decimals")) {
        e->at += length + strspn(e->at + length, " ");
        r->m->decimals = true;
    } else {
        quad c = expression_value(e);
        e->at += strspn(e->at, " ");
        if (*e->at != '|') fail(r, "a line without \"|\"");
        if (e->error) return;
        e->at++;
        read_stage(r, c);
    }
}

/* The stage whose derivative is y' at the end of the step: its c is 1, its a is b. */
static int find_end_stage(const method *m)
{
    for (int k = 0; k < m->stages + m->extra; k++) {
        bool end = m->c[k] == 1;
        for (int j = 0; j < m->stages; j++) end = end && m->a[k][j] == m->b[j];
        if (end) return k;
    }
    return -1;
}

/* Adds p(x) = sum_k p[k] x^(k+1) times `weight` to the polynomial of a stage. */
static void add(method *m, int stage, quad weight, const quad *p)
{
    if (weight == 0) return;
    for (int k = 0; k < m->dense_degree; k++)
        if (p[k] != 0) m->dense[k][stage] += weight * p[k];
}

/* Multiplies by x, or by 1 - x. */
static void multiply(quad *p, bool reflected)
{
    for (int k = METHOD_MOST_DEGREE - 1; k >= 0; k--) {
        quad lower = k > 0 ? p[k - 1] : 0;
        p[k] = reflected ? p[k] - lower : lower;
    }
}

static void make_dense(reader *r)
{
    static const quad end[METHOD_MOST_DEGREE] = {0, 3, -2};        /* 3 x^2 - 2 x^3 */
    static const quad left_slope[METHOD_MOST_DEGREE] = {1, -2, 1}; /* x (1-x)^2 */
    static const quad right_slope[METHOD_MOST_DEGREE] = {0, -1, 1};
    quad p[METHOD_MOST_DEGREE] = {0, 1, -2, 1}; /* x^2 (1-x)^2 */
    method *m = r->m;
    int last = find_end_stage(m);
    if (last < 0) {
        fail(r, "dense output without a stage at the end of the step");
        return;
    }
    m->dense_degree = 3 + r->bumps;
    for (int i = 0; i < m->stages; i++) add(m, i, m->b[i], end);
    add(m, 0, 1, left_slope);
    add(m, last, 1, right_slope);
    for (int k = 0; k < r->bumps; k++) {
        if (k > 0) multiply(p, k == 2);
        for (int i = 0; i < m->stages + m->extra; i++) add(m, i, r->bump[k][i], p);
    }
}

const char *tableau_read(method *m, const char *lines, definitions *names)
{
    reader r = {.m = m, .e = {.at = lines, .names = names}, .weighted = m->stages > 0};
    expression_lines(&r.e, read_line, &r);
    if (!r.e.error && !r.weighted)
        for (int j = 0; j < m->stages; j++) m->b[j] = m->a[m->stages - 1][j];
    if (!r.e.error && r.bumps > 0) make_dense(&r);
    if (!r.e.error && m->stages == 0) fail(&r, "a tableau without stages");
    return r.e.error;
}
