#include "method/method.h"

#include "method/catalogue.h"
#include "method/expression.h"
#include "method/families.h"

#include <stdlib.h>
#include <string.h>

/* What a name says: a row, and what follows a colon or stands in parentheses. */
typedef struct request {
    const char *name;
    const method_row *row;
    definitions parameter; /* of the row, by name */
    int nodes;             /* of collocation(...) */
    quad node[METHOD_MOST_STAGES];
} request;

static const method_row from_nodes = {
    .name = "collocation",
    .aliases = "",
    .family = METHOD_COLLOCATION,
    .parameters = "",
    .source = "Guillou & Soule 1969; Wright 1970; Hairer, Norsett & Wanner I, Sec. II.7",
};

const char *method_family_word(method_family family)
{
    static const char *const word[] = {
#define X(name, spelled, sentence) spelled,
#include "method/families.def"
#undef X
    };
    return word[family];
}

const char *method_family_sentence(method_family family)
{
    static const char *const words[] = {
#define X(name, spelled, sentence) sentence,
#include "method/families.def"
#undef X
    };
    return words[family];
}

/* --- what a name asks for --- */

static dae_status read_nodes(request *r, const char *list, message *m)
{
    expression e = {.at = list, .depth = 1};
    do {
        quad node = expression_value(&e);
        if (!e.error && r->nodes == METHOD_MOST_STAGES)
            return message_fail(m, DAE_USAGE, "method \"%s\" has more than %d nodes", r->name,
                                METHOD_MOST_STAGES);
        if (!e.error) r->node[r->nodes++] = node;
    } while (!e.error && *e.at == ',' && e.at++);
    if (e.error || strcmp(e.at, ")") != 0)
        return message_fail(m, DAE_USAGE,
                            "method \"%s\": %s, at \"%s\"; nodes are written as in "
                            "collocation(0,3/5,1)",
                            r->name, e.error ? e.error : "a list of nodes ends with one )", e.at);
    for (int i = 0; i < r->nodes; i++) {
        if (r->node[i] < 0 || r->node[i] > 1)
            return message_fail(m, DAE_USAGE, "method \"%s\": node %d is outside [0, 1]", r->name,
                                i + 1);
        if (i > 0 && !(r->node[i] - r->node[i - 1] > (quad)1e-6))
            return message_fail(m, DAE_USAGE,
                                "method \"%s\": node %d is not above node %d by at least 1e-6; "
                                "nodes are distinct and ascend",
                                r->name, i + 1, i);
    }
    return DAE_OK;
}

static dae_status unknown(const char *name, const char *head, message *m)
{
    char nearest[64];
    catalogue_nearest(head, nearest, sizeof nearest);
    return message_fail(m, DAE_USAGE, "method \"%s\" is not in the catalogue%s%s%s", name,
                        *nearest ? "; nearest: \"" : "", nearest, *nearest ? "\"" : "");
}

static dae_status read_name(request *r, message *m)
{
    const char *name = r->name;
    char head[sizeof((method *)0)->name];
    if (strlen(name) >= sizeof head)
        return message_fail(m, DAE_USAGE, "the name of a method has at most %zu characters",
                            sizeof head - 1);
    size_t length = strcspn(name, ":(");
    memcpy(head, name, length);
    head[length] = '\0';
    if (strcmp(head, from_nodes.name) == 0) {
        r->row = &from_nodes;
        if (name[length] == '(') return read_nodes(r, name + length + 1, m);
        return message_fail(m, DAE_USAGE,
                            "method \"%s\" wants its nodes, as in collocation(0,3/5,1)", name);
    }
    r->row = catalogue_find(head, length);
    if (!r->row) return unknown(name, head, m);
    if (name[length] == '\0') return DAE_OK;
    return message_fail(m, DAE_USAGE, "method \"%s\": %s has no parameters", name, r->row->name);
}

/* --- its numbers --- */

static void spell(method *m, const request *r)
{
    char *to = m->name;
    if (r->nodes == 0) {
        memcpy(to, r->row->name, strlen(r->row->name) + 1);
        return;
    }
    for (const char *from = r->name; *from; from++)
        if (*from != ' ') *to++ = *from;
    *to = '\0';
}

static dae_status fill(method *m, const request *r)
{
    m->row = r->row;
    m->family = r->row->family;
    spell(m, r);
    if (r->nodes > 0)
        method_collocate(m, r->nodes, r->node);
    else
        method_fill_family(m, r->row->stages);
    return DAE_OK;
}

dae_status method_create(method **created, const char *name, message *m)
{
    *created = NULL;
    request r = {.name = name};
    dae_status status = read_name(&r, m);
    if (status != DAE_OK) return status;
    method *made = calloc(1, sizeof *made);
    status = made ? fill(made, &r) : DAE_NO_MEMORY;
    if (status != DAE_OK) {
        method_free(made);
        return message_fail(m, status, "memory is exhausted");
    }
    *created = made;
    return DAE_OK;
}

void method_free(method *m)
{
    if (!m) return;
    for (int i = 0; i < m->rungs; i++) method_free(m->rung[i]);
    free(m->rosenbrock);
    free(m);
}

bool method_is_adaptive(const method *m)
{
    bool radau = m->family == METHOD_RADAU_IIA && m->stages % 2 == 1;
    return m->estimators > 0 || radau;
}

bool method_is_stiffly_accurate(const method *m)
{
    int last = m->stages - 1;
    bool accurate = quad_abs(m->c[last] - 1) < 64 * QUAD_EPSILON;
    for (int j = 0; j <= last; j++)
        if (quad_abs(m->a[last][j] - m->b[j]) >= 64 * QUAD_EPSILON) accurate = false;
    return accurate;
}
