#include "method/catalogue.h"

#include <stdio.h>
#include <string.h>

/* Leaves room for the row's name in place of an alias, and for defaults. */
enum { MOST_CHARACTERS = METHOD_NAME_SIZE - 56 };

/* For names with nodes. The catalogue has no such row, because there are no numbers without the
 * nodes. */
static const method_row from_nodes = {
    .name = "collocation",
    .aliases = "",
    .family = METHOD_COLLOCATION,
    .parameters = "",
    .source = "Hairer, Norsett & Wanner I, Sec. II.7",
};

static dae_status check_nodes(const request *r, message *m)
{
    int bad = method_bad_node(r->nodes, r->node);
    if (bad < 0) return DAE_OK;
    if (r->node[bad] < 0 || r->node[bad] > 1)
        return message_fail(m, DAE_USAGE, "method \"%s\": node %d is not in [0,1]", r->name,
                            bad + 1);
    return message_fail(m, DAE_USAGE,
                        "method \"%s\": node %d is not above node %d by 1e-6 at least; nodes are "
                        "distinct and ascend",
                        r->name, bad + 1, bad);
}

static dae_status read_nodes(request *r, const char *list, message *m)
{
    expression e = {.at = list, .depth = 1};
    for (bool more = true; more && !e.error;) {
        quad node = expression_value(&e);
        if (e.error) break;
        if (r->nodes == METHOD_MOST_STAGES)
            return message_fail(m, DAE_USAGE, "method \"%s\" has more than %d nodes", r->name,
                                METHOD_MOST_STAGES);
        r->node[r->nodes++] = node;
        more = *e.at == ',';
        if (more) e.at++;
    }
    if (!e.error && strcmp(e.at, ")") != 0) e.error = "the list is not closed by a parenthesis";
    if (e.error)
        return message_fail(m, DAE_USAGE,
                            "method \"%s\": %s; nodes are given as in collocation(0,3/5,1)",
                            r->name, e.error);
    return check_nodes(r, m);
}

/* A parameter of a row, from a text as "alpha=3/5 in (0,1]". */
typedef struct parameter {
    const char *name, *interval;
    size_t length, default_length, interval_length;
    quad value, low, high;
    bool open_low, open_high;
} parameter;

static parameter read_parameter(const char *spec)
{
    parameter p = {.name = spec, .length = expression_name(spec)};
    expression e = {.at = spec + p.length + 1};
    p.value = expression_value(&e);
    p.default_length = (size_t)(e.at - spec);
    p.interval = e.at + strlen(" in ");
    p.open_low = *p.interval == '(';
    e.at = p.interval + 1;
    p.low = expression_value(&e);
    e.at++;
    p.high = expression_value(&e);
    p.open_high = *e.at == ')';
    p.interval_length = (size_t)(e.at + 1 - p.interval);
    return p;
}

/* The text of the next parameter; "" after the last one. */
static const char *next_parameter(const parameter *p)
{
    const char *next = p->interval + p->interval_length;
    return next + strspn(next, " ");
}

static bool in_range(const parameter *p, quad value)
{
    return (p->open_low ? value > p->low : value >= p->low) &&
           (p->open_high ? value < p->high : value <= p->high);
}

static bool is_defined(const request *r, const parameter *p)
{
    return definitions_find(&r->names, p->name, p->length) != NULL;
}

/* Appends ":alpha=3/5", or ",beta=1/4" after others. */
static void append_default(char *to, const parameter *p, char before)
{
    size_t length = strlen(to);
    snprintf(to + length, METHOD_NAME_SIZE - length, "%c%.*s", before, (int)p->default_length,
             p->name);
}

/* Refuses a parameter that the row does not have, or that occurs twice. */
static dae_status refuse_parameter(const request *r, message *m)
{
    char names[METHOD_NAME_SIZE] = "", example[METHOD_NAME_SIZE] = "";
    int count = 0;
    for (const char *spec = r->row->parameters; *spec; count++) {
        parameter p = read_parameter(spec);
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%.*s", count ? ", " : "", (int)p.length,
                 p.name);
        append_default(example, &p, count ? ',' : ':');
        spec = next_parameter(&p);
    }
    return message_fail(m, DAE_USAGE, "method \"%s\": %s has %s %s, given as in %s%s", r->name,
                        r->row->name, count == 1 ? "one parameter," : "the parameters", names,
                        r->row->name, example);
}

/* Reads one parameter, up to a comma; `given` moves after it. */
static dae_status read_value(request *r, const char **given, message *m)
{
    parameter p = {0};
    size_t length = expression_name(*given);
    bool found = false;
    for (const char *spec = r->row->parameters; *spec && !found; spec = next_parameter(&p)) {
        p = read_parameter(spec);
        found = length == p.length && strncmp(*given, p.name, length) == 0;
    }
    if (!found || (*given)[length] != '=' || is_defined(r, &p)) return refuse_parameter(r, m);
    expression e = {.at = *given + length + 1};
    p.value = expression_value(&e);
    if (!e.error && *e.at && *e.at != ',') e.error = "the value does not end where it should";
    if (e.error) return message_fail(m, DAE_USAGE, "method \"%s\": %s", r->name, e.error);
    if (!in_range(&p, p.value))
        return message_fail(m, DAE_USAGE, "method \"%s\": %.*s is not in %.*s", r->name,
                            (int)p.length, p.name, (int)p.interval_length, p.interval);
    definitions_add(&r->names, p.name, p.length, p.value);
    *given = e.at;
    return DAE_OK;
}

static dae_status read_values(request *r, const char *given, message *m)
{
    dae_status status = read_value(r, &given, m);
    while (status == DAE_OK && *given == ',') {
        given++;
        status = read_value(r, &given, m);
    }
    return status;
}

/* Adds the defaults of the parameters that the name does not give. */
static void take_defaults(request *r, bool some)
{
    for (const char *spec = r->row->parameters; *spec;) {
        parameter p = read_parameter(spec);
        if (!is_defined(r, &p)) {
            definitions_add(&r->names, p.name, p.length, p.value);
            append_default(r->name, &p, some ? ',' : ':');
            some = true;
        }
        spec = next_parameter(&p);
    }
}

static dae_status find_row(request *r, size_t length, message *m)
{
    char head[METHOD_NAME_SIZE], nearest[METHOD_NAME_SIZE];
    memcpy(head, r->name, length);
    head[length] = '\0';
    r->row = strcmp(head, from_nodes.name) == 0 ? &from_nodes : catalogue_find(head, length);
    if (!r->row) r->row = derived_row(head);
    if (r->row) return DAE_OK;
    catalogue_nearest(head, nearest, sizeof nearest);
    return message_fail(m, DAE_USAGE, "method \"%s\" is not in the catalogue%s%s%s", r->name,
                        *nearest ? "; nearest: \"" : "", nearest, *nearest ? "\"" : "");
}

dae_status request_read(request *r, const char *name, message *m)
{
    *r = (request){0};
    size_t length = strcspn(name, ":(");
    if (strlen(name) > MOST_CHARACTERS)
        return message_fail(m, DAE_USAGE, "the name of a method has at most %d characters",
                            MOST_CHARACTERS);
    memcpy(r->name, name, length);
    char *to = r->name + length;
    for (const char *from = name + length; *from; from++)
        if (*from != ' ') *to++ = *from;
    dae_status status = find_row(r, length, m);
    if (status != DAE_OK) return status;
    if (derived_prefix(r->row->family)) return DAE_OK; /* its base reads the rest */
    const char *rest = r->name + length;
    bool some = *rest != '\0';
    if (*rest == '(' && r->row == &from_nodes) return read_nodes(r, rest + 1, m);
    if (r->row == &from_nodes)
        return message_fail(m, DAE_USAGE, "method \"%s\" needs nodes, as in collocation(0,3/5,1)",
                            r->name);
    if (*rest == ':' && *r->row->parameters)
        status = read_values(r, rest + 1, m);
    else if (*rest)
        return message_fail(m, DAE_USAGE, "method \"%s\": %s has no parameters and no nodes",
                            r->name, r->row->name);
    char given[METHOD_NAME_SIZE]; /* an alias becomes the row's name; the text after it stays */
    memcpy(given, r->name, sizeof given);
    snprintf(r->name, sizeof r->name, "%s%s", r->row->name, given + length);
    if (status == DAE_OK) take_defaults(r, some);
    return status;
}
