/* What constructs for events become: definitions of discrete variables, actions, and relations that
 * are watched. Definitions are evaluated with given values of cells, at time 0.5 and with unknowns
 * 1, 2, 3, ... in order of declaration. */
#include "reading.h"

#include "symbolic/graph.h"
#include "symbolic/relations.h"

#include <math.h>

static void set_cell(const reading *r, const char *name, size_t length, double value)
{
    const sym_cells *cells = &r->system->graph->cells;
    for (uint32_t i = 0; i < cells->name.count; i++) {
        const char *other = cells->name.item[i];
        if (strlen(other) != length || strncmp(other, name, length) != 0) continue;
        sym_set_cell(r->system->graph, i, value);
        return;
    }
    ck_abort_msg("no cell %.*s", (int)length, name);
}

/* Set cells, as in "n = 1; pre(n) = 2"; all others are 0. */
static void set_cells(const reading *r, const char *list)
{
    for (uint32_t i = 0; i < sym_cell_count(r->system->graph); i++)
        sym_set_cell(r->system->graph, i, 0);
    while (*list) {
        const char *end = strstr(list, "; "), *stop = end ? end : list + strlen(list);
        const char *equals = stop;
        while (strncmp(equals, " = ", 3) != 0) equals--;
        set_cell(r, list, (size_t)(equals - list), strtod(equals + 3, NULL));
        list = end ? end + 2 : stop;
    }
}

static const sym_discrete *discrete_called(const reading *r, const char *name)
{
    const sym_discrete_part *d = &r->system->discrete;
    for (size_t i = 0; i < d->variable.count; i++)
        if (strcmp(d->variable.item[i].name, name) == 0) return &d->variable.item[i];
    ck_abort_msg("no discrete variable %s", name);
    return NULL;
}

/* A model, the values of cells, and the value that a variable's definition then has. */
typedef struct defined {
    const char *model, *variable, *cells;
    double value;
} defined;

#define WHEN "model M Real x; discrete Real d; Boolean b, c; Integer n; equation x = time; "
#define REST "b = x > 2; c = x < 2; n = if b then 7 else 8; end M;"

static const defined definitions[] = {
    /* equations of discrete variables */
    {WHEN "when b then d = 1; end when; " REST, "b", "", 0},
    {WHEN "when b then d = 1; end when; " REST, "c", "", 1},
    {WHEN "when b then d = 1; end when; " REST, "n", "b = 1", 7},
    {WHEN "when b then d = 1; end when; " REST, "n", "", 8},
    {"model M Boolean b = not pre(b); end M;", "b", "", 1},
    {"model M Boolean b = not pre(b); end M;", "b", "pre(b) = 1", 0},
    {"model M Boolean a, b, c; equation a = b; b = c; c = time > 0.2; end M;", "a", "b = 1", 1},
    {"model M Boolean a, b, c; equation a = b; b = c; c = time > 0.2; end M;", "b", "c = 1", 1},
    {"model M Boolean a, b, c; equation b = a; c = b; c = time > 0.2; end M;", "a", "b = 1", 1},
    {"model M Integer n; equation 3 + pre(n) = n; end M;", "n", "pre(n) = 2", 5},
    {"model M type E = enumeration(p, q); E e = if time > 1 then E.p else E.q; end M;", "e", "", 2},
    {"model M Boolean b[2] = {time > 1, time > 0.1}; end M;", "b[2]", "", 1},
    {"model M Boolean b; Integer n; equation if time > 1 then b = true; n = 1; else n = 2; b = "
     "false; end if; end M;",
     "n", "", 2},
    {"model M Integer n; algorithm n := pre(n) + 1; if time > 0.1 then n := 2*n; end if; end M;",
     "n", "pre(n) = 4", 10},
    /* edge and change */
    {"model M Boolean b = time > 1; Boolean e = edge(b); end M;", "e", "b = 1", 1},
    {"model M Boolean b = time > 1; Boolean e = edge(b); end M;", "e", "b = 1; pre(b) = 1", 0},
    {"model M Boolean b = time > 1; Boolean e = change(b); end M;", "e", "pre(b) = 1", 1},
    {"model M Boolean b = time > 1; Boolean e = change(b); end M;", "e", "b = 1; pre(b) = 1", 0},
    {"model M Integer n = pre(n) + 1; Boolean e = change(n); end M;", "e", "n = 3; pre(n) = 2", 1},
    /* when: the value at a rising edge, else the value before */
    {WHEN "when b then d = pre(d) + x; end when; " REST, "d", "pre(d) = 4; b = 1", 5},
    {WHEN "when b then d = pre(d) + x; end when; " REST, "d", "pre(d) = 4", 4},
    {WHEN "when {b, c} then d = 9; end when; " REST, "d", "pre(d) = 4; c = 1", 9},
    {WHEN "when b then d = 1; elsewhen c then d = 2; end when; " REST, "d", "b = 1; c = 1", 1},
    {WHEN "when b then d = 1; elsewhen c then d = 2; end when; " REST, "d", "c = 1", 2},
    {WHEN "when b then d = 1; elsewhen c then d = 2; end when; " REST, "d", "pre(d) = 3", 3},
    {WHEN "when b then if x > 0 then d = 1; else d = 2; end if; end when; " REST, "d", "b = 1", 1},
    {WHEN "when b then if x > 2 then d = 1; end if; end when; " REST, "d", "b = 1; pre(d) = 6", 6},
    {"model M discrete Real d[2]; equation when time > 1 then for i in 1:2 loop d[i] = 3*i; end "
     "for; end when; end M;",
     "d[2]", "time > 1 = 1", 6},
    {"model M discrete Real d; Integer n; function f input Real x; output Real y; output Integer "
     "z; "
     "algorithm y := 2*x; z := 3; end f; equation when time > 1 then (d, n) = f(time); end when; "
     "end M;",
     "d", "time > 1 = 1", 1},
    /* a variable to which only the second branch assigns keeps its value in the first one */
    {"model M Boolean b, c; discrete Real d, e; equation b = time > 1; c = time > 2; when b then d "
     "= "
     "1; elsewhen c then e = 2; end when; end M;",
     "e", "b = 1; c = 1; pre(e) = 5", 5},
    /* algorithms */
    {"model M Boolean b = time > 1; discrete Real d; algorithm when b then d := pre(d) + 1; d := "
     "2*d; end when; end M;",
     "d", "b = 1; pre(d) = 3", 8},
    {"model M Boolean b = time > 1; discrete Real d; algorithm when b then d := pre(d) + 1; d := "
     "2*d; end when; end M;",
     "d", "pre(d) = 3", 3},
    {"model M Boolean b = time > 1, c = time > 2; Integer n; algorithm when b then n := 1; "
     "elsewhen "
     "c then n := 2; end when; n := 10*n; end M;",
     "n", "b = 1; c = 1", 10},
    {"model M Boolean b = time > 1, c = time > 2; Integer n; algorithm when b then n := 1; "
     "elsewhen "
     "c then n := 2; end when; n := 10*n; end M;",
     "n", "c = 1; pre(n) = 5", 20},
    {"model M Boolean b = time > 1; Integer n[2]; algorithm when b then n[1] := n[2] + 1; end "
     "when; "
     "end M;",
     "n[1]", "b = 1; pre(n[2]) = 3", 4},
    {"model M Boolean b = time > 1; Integer n[2]; algorithm when b then n[1] := n[2] + 1; end "
     "when; "
     "end M;",
     "n[2]", "b = 1; pre(n[2]) = 3", 3},
    /* the variable of a whole part */
    {"model M Real x = floor(7*time); end M;", "floor(7*time)", "", 3},
    {"model M Real x = ceil(7*time); end M;", "ceil(7*time)", "", -4},
    {"model M Real x = mod(7*time, 2); end M;", "mod(7*time, 2)", "", 1},
    {"model M Boolean s = sample(0, 1); end M;", "s", "sample(0, 1) = 1", 1},
    {"model M Boolean s = initial() or terminal(); end M;", "s", "terminal() = 1", 1},
};

/* The anonymous conditions of a model have their own definitions as values here. */
static void let_conditions_follow(reading *r)
{
    const sym_discrete_part *d = &r->system->discrete;
    for (size_t i = 0; i < d->variable.count; i++) {
        const sym_discrete *v = &d->variable.item[i];
        sym_view view = sym_look(r->system->graph, v->definition);
        if (v->is_condition && view.op == SYM_CELL)
            sym_set_cell(r->system->graph, v->cell, value_of(r, v->definition));
    }
}

START_TEST(a_definition)
{
    const defined *d = &definitions[_i];
    reading r;
    read_right(&r, d->model);
    set_cells(&r, d->cells);
    let_conditions_follow(&r);
    double value = value_of(&r, discrete_called(&r, d->variable)->definition);
    ck_assert_msg(value == d->value, "%s\n%s: %g, not %g", d->model, d->variable, value, d->value);
    close_reading(&r);
}
END_TEST

/* Each discrete variable is one of the author's variables: unknown = cell. */
START_TEST(unknowns_of_discrete_variables)
{
    reading r;
    read_right(&r,
               "model M Real x(start = 2); Integer n(start = 3, fixed = true) = pre(n); Real y; "
               "equation x = n; y = 2*n; end M;");
    ck_assert_uint_eq(r.system->unknown.count, 3);
    ck_assert_uint_eq(r.system->equation.count, 3);
    const sym_unknown *n = &r.system->unknown.item[1];
    ck_assert_str_eq(n->name, "n");
    ck_assert(!n->start_given && !n->fixed);
    const sym_discrete *d = discrete_called(&r, "n");
    ck_assert(d->start == 3 && d->start_given && d->fixed && d->type == SYM_INTEGER_TYPE);
    sym_set_cell(r.system->graph, d->cell, 5);
    ck_assert(value_of(&r, right_side(&r, "n")) == 5);
    ck_assert(value_of(&r, right_side(&r, "y")) == 10);
    close_reading(&r);
}
END_TEST

/* Equations that hold continuously, by the cells of a whole part. */
static const struct {
    const char *expression, *cells;
    double value;
} whole_parts[] = {
    {"floor(7*time)", "floor(7*time) = 2", 2},
    {"ceil(7*time)", "floor(-(7*time)) = -4", 4},
    {"integer(7*time) + integer(7*time)", "integer(7*time) = 3", 6},
    {"mod(7*time, 2)", "floor((7*time)/2) = 1", 1.5},
    {"mod(7*time, -2)", "floor((7*time)/(-2)) = -2", -0.5},
    {"div(7*time, 2)", "floor((7*time)/2) = 1", 1},
    {"rem(7*time, 2)", "floor((7*time)/2) = 1", 1.5},
    {"noEvent(floor(7*time))", "", 3},
    {"smooth(1, floor(7*time))", "", 3},
};

START_TEST(a_whole_part)
{
    char model[200];
    reading r;
    snprintf(model, sizeof model, "model M Real r; equation r = %s; end M;",
             whole_parts[_i].expression);
    read_right(&r, model);
    set_cells(&r, whole_parts[_i].cells);
    double value = value_of(&r, right_side(&r, "r"));
    ck_assert_msg(value == whole_parts[_i].value, "%s: %g", whole_parts[_i].expression, value);
    ck_assert(whole_parts[_i].cells[0] || r.system->discrete.variable.count == 0);
    close_reading(&r);
}
END_TEST

/* The negative quotient is rounded up, towards zero: by the other cell. */
START_TEST(a_quotient_below_zero)
{
    reading r;
    read_right(&r, "model M Real r = rem(-7*time, 2); end M;");
    const sym_discrete_part *d = &r.system->discrete;
    ck_assert_uint_eq(d->variable.count, 2);
    for (size_t i = 0; i < 2; i++)
        sym_set_cell(r.system->graph, d->variable.item[i].cell,
                     value_of(&r, d->variable.item[i].definition));
    ck_assert(value_of(&r, right_side(&r, "r")) == -1.5);
    close_reading(&r);
}
END_TEST

/* Of states or, `algebraic`, of variables that are not. */
static void watches_of(const char *expression, bool algebraic, size_t jumps, size_t kinks)
{
    char model[200];
    reading r;
    snprintf(model, sizeof model,
             "model M Real x, y, r; Integer n = pre(n) + 1; equation %s; r = %s; end M;",
             algebraic ? "x = time; y = 2*time" : "der(x) = 1; der(y) = 2", expression);
    read_right(&r, model);
    size_t found[2] = {0};
    for (size_t i = 0; i < r.system->discrete.watched.count; i++) {
        const sym_watched *w = &r.system->discrete.watched.item[i];
        ck_assert(sym_is_relation(r.system->graph, w->relation));
        found[w->kink]++;
    }
    ck_assert_msg(found[0] == jumps && found[1] == kinks, "%s: %zu, %zu", expression, found[0],
                  found[1]);
    close_reading(&r);
}

static void watches(const char *expression, size_t jumps, size_t kinks)
{
    watches_of(expression, false, jumps, kinks);
}

/* Bends of algebraic variables are held within a step, unless a root, a logarithm or a divisor
 * needs them as guards. */
START_TEST(held_bends)
{
    watches_of("abs(x)", true, 1, 0);
    watches_of("min(x, y) + max(x, y)", true, 1, 0);
    watches_of("max({x, y, time})", true, 2, 0);
    watches_of("sqrt(abs(x))", true, 0, 1);
    watches_of("1/abs(x)", true, 0, 1);
    watches_of("log(max(x, y))", true, 0, 1);
    watches_of("abs(x) + 1/y", true, 1, 0);
    watches_of("abs(x) + log(y)", true, 1, 0);
    watches_of("noEvent(abs(x)) + smooth(1, max(x, y))", true, 0, 0);
}
END_TEST

START_TEST(watched_relations)
{
    watches("x", 0, 0);
    watches("abs(x)", 0, 1);
    watches("abs(x) + abs(x)", 0, 1);
    watches("min(x, y)", 0, 1);
    watches("max({x, y, time})", 0, 2);
    watches("sign(x)", 0, 0);
    watches("floor(x)", 0, 0); /* its relations stand in its definition */
    watches("floor(x) + mod(x, 1)", 0, 0);
    watches("noEvent(abs(x) + floor(y) + max(x, y))", 0, 0);
    watches("smooth(1, abs(x))", 0, 0);
    watches("smooth(0, abs(x))", 0, 1);
    watches("abs(n) + floor(n/2) + max(n, 3)", 0, 0);
}
END_TEST

/* Relations have modes where they switch between events, and none in a when or between discrete
 * values. */
static void relations(const char *model, size_t count)
{
    reading r;
    read_right(&r, model);
    ck_assert_msg(sym_relation_count(r.system->graph) == count, "%s: %zu", model,
                  sym_relation_count(r.system->graph));
    close_reading(&r);
}

START_TEST(modes_of_relations)
{
    relations("model M Boolean b = time > 1; end M;", 1);
    relations("model M Boolean b = sign(time) > 0; end M;", 2);
    relations("model M Integer n = pre(n); Boolean b = n > 1; end M;", 0);
    relations("model M Boolean b = time > 1, c; equation c = (b == (time > 2)); end M;", 2);
    relations("model M Real x = time; Boolean b; equation when x > 1 then b = x > 2; end when; end "
              "M;",
              1);
    relations("model M Real x = floor(time); end M;", 2);
    relations("model M Real x = sign(time); end M;", 2);
}
END_TEST

typedef struct acting {
    const char *equations, *cells;
    sym_action_kind kind;
    double condition;
    const char *unknown; /* of reinit */
    double value;
    const char *message;
    bool warning;
} acting;

static const acting actions[] = {
    {"when b then reinit(x, -2*pre(x)); end when;", "b = 1; pre(x) = 3", SYM_REINIT, 1, "x", -6,
     NULL, false},
    {"when b then reinit(x, 7); end when;", "", SYM_REINIT, 0, "x", 7, NULL, false},
    {"when b then if x > 3 then reinit(x, 7); end if; end when;", "b = 1", SYM_REINIT, 0, "x", 7,
     NULL, false},
    {"when b then if x > 0 then reinit(x, 7); end if; end when;", "b = 1", SYM_REINIT, 1, "x", 7,
     NULL, false},
    {"when b then if x > 3 then d = 1; else reinit(x, 7); end if; end when;", "b = 1", SYM_REINIT,
     1, "x", 7, NULL, false},
    {"when c then d = 1; elsewhen b then terminate(\"all done\"); end when;", "b = 1",
     SYM_TERMINATE, 1, NULL, 0, "all done", false},
    {"when c then d = 1; elsewhen b then terminate(\"all done\"); end when;", "b = 1; c = 1",
     SYM_TERMINATE, 0, NULL, 0, "all done", false},
    {"when b then assert(x > 3, \"x is \" + String(x), AssertionLevel.warning); end when;", "b = 1",
     SYM_ASSERT, 1, NULL, 0, "x is x", true},
    {"if b then terminate(\"off\"); end if;", "b = 1", SYM_TERMINATE, 1, NULL, 0, "off", false},
    {"if b then terminate(\"off\"); end if;", "", SYM_TERMINATE, 0, NULL, 0, "off", false},
    {"algorithm when b then terminate(\"stop\"); reinit(x, 1); end when;", "b = 1", SYM_TERMINATE,
     1, NULL, 0, "stop", false},
};

START_TEST(an_action)
{
    const acting *a = &actions[_i];
    char model[512];
    reading r;
    snprintf(model, sizeof model,
             "model M Real x(start = 1); Boolean b = x > 10, c = x > 20; Real d%s; equation "
             "der(x) = 1; %s end M;",
             strstr(a->equations, "d = 1") ? "" : " = time", a->equations);
    read_right(&r, model);
    set_cells(&r, a->cells);
    let_conditions_follow(&r);
    const sym_action *x = &r.system->discrete.action.item[0];
    ck_assert_int_eq(x->kind, a->kind);
    ck_assert_msg(value_of(&r, x->condition) == a->condition, "%s", a->equations);
    if (a->unknown) {
        ck_assert_str_eq(r.system->unknown.item[x->unknown].name, a->unknown);
        ck_assert(value_of(&r, x->value) == a->value);
    }
    if (a->kind == SYM_ASSERT) ck_assert(value_of(&r, x->value) == 0);
    if (a->message) ck_assert_str_eq(x->message, a->message);
    ck_assert(x->warning == a->warning);
    close_reading(&r);
}
END_TEST

START_TEST(conditions_at_the_start)
{
    reading r;
    read_right(&r, "model M discrete Real d; Real x = time; equation when {initial(), x > 1, "
                   "initial() or x > 2} then d = pre(d) + 1; end when; end M;");
    const sym_discrete_part *d = &r.system->discrete;
    ck_assert(discrete_called(&r, "initial()")->at_start);
    ck_assert(discrete_called(&r, "initial()")->is_condition);
    ck_assert(!discrete_called(&r, "x > 1")->at_start &&
              discrete_called(&r, "x > 1")->is_condition);
    ck_assert(!discrete_called(&r, "initial() or x > 2")->at_start);
    ck_assert(d->initial.used && !d->terminal.used);
    close_reading(&r);
}
END_TEST

START_TEST(samples)
{
    reading r;
    double start, interval;
    read_right(&r,
               "model M parameter Real h = 0.1; Integer n, m; equation when sample(2*h, h) then n "
               "= pre(n) + 1; end when; when sample(2*h, h) then m = pre(m) + 1; end when; end M;");
    const sym_discrete_part *d = &r.system->discrete;
    ck_assert_uint_eq(d->sample.count, 1);
    ck_assert(sym_is_number(r.system->graph, d->sample.item[0].start, &start) && start == 0.2);
    ck_assert(sym_is_number(r.system->graph, d->sample.item[0].interval, &interval));
    ck_assert(interval == 0.1);
    ck_assert_uint_eq(d->sample.item[0].at.line, 1);
    close_reading(&r);
}
END_TEST

START_TEST(values_at_the_start)
{
    reading r;
    read_right(&r, "model M parameter Real p(fixed = false); Integer n(start = 4); Boolean b; "
                   "discrete Real d(start = p, fixed = true); type E = enumeration(u, v); E e = "
                   "pre(e); initial equation n = 2; pre(b) = true; p^2 = 4; equation when time > 1 "
                   "then n = pre(n) + 1; b = false; d = 1; end when; end M;");
    const sym_discrete_part *d = &r.system->discrete;
    ck_assert_uint_eq(r.system->initial.count, 1);
    ck_assert_uint_eq(d->initially.count, 3);
    const sym_initially *of_d = &d->initially.item[0], *of_n = of_d + 1, *of_b = of_d + 2;
    ck_assert(of_d->before && of_n->before == false && of_b->before);
    ck_assert_str_eq(d->variable.item[of_d->discrete].name, "d");
    ck_assert_str_eq(d->variable.item[of_n->discrete].name, "n");
    ck_assert_str_eq(d->variable.item[of_b->discrete].name, "b");
    ck_assert(value_of(&r, of_d->value) == 1 && value_of(&r, of_n->value) == 2);
    ck_assert(value_of(&r, of_b->value) == 1);
    ck_assert(discrete_called(&r, "n")->start == 4 && !discrete_called(&r, "n")->fixed);
    ck_assert(discrete_called(&r, "e")->start == 1 && !discrete_called(&r, "e")->start_given);
    close_reading(&r);
}
END_TEST

START_TEST(settings_give_start_values)
{
    static const char string[] = "model M Integer n(start = 4); Boolean b[2](each start = true); "
                                 "equation when time > 1 then n = 1; b = {false, true}; end when; "
                                 "end M;";
    const model_setting setting[] = {{"n", "-7"}, {"b[2]", "false"}};
    reading r;
    read_bytes(&r, "m.mo", string, strlen(string), 2, setting);
    ck_assert_msg(r.status == DAE_OK, "%s", message_string(&r.m));
    ck_assert(discrete_called(&r, "n")->start == -7 && discrete_called(&r, "n")->start_given);
    ck_assert(discrete_called(&r, "b[1]")->start == 1 && discrete_called(&r, "b[2]")->start == 0);
    close_reading(&r);
}
END_TEST

/* pre(x) of a continuous variable has one cell. */
START_TEST(values_before)
{
    reading r;
    read_right(&r,
               "model M Real x(start = 1); discrete Real d; equation der(x) = 1; when x > 2 then "
               "d = pre(x) + 2*pre(x); reinit(x, -pre(x)); end when; end M;");
    const sym_discrete_part *d = &r.system->discrete;
    ck_assert_uint_eq(d->left.count, 1);
    ck_assert_str_eq(r.system->unknown.item[d->left.item[0].unknown].name, "x");
    sym_set_cell(r.system->graph, d->left.item[0].cell, 2.5);
    sym_set_cell(r.system->graph, discrete_called(&r, "x > 2")->cell, 1);
    ck_assert(value_of(&r, discrete_called(&r, "d")->definition) == 7.5);
    ck_assert(value_of(&r, d->action.item[0].value) == -2.5);
    close_reading(&r);
}
END_TEST

/* A right side, how many roots with a sign it has, and its value where x = 1 and such roots are 3.
 */
typedef struct rooted {
    const char *expression;
    size_t roots;
    double value;
} rooted;

static const rooted rooted_sides[] = {
    {"2*sign(x)*sqrt(abs(x))", 1, 6},
    {"-sqrt(4*abs(x))*sign(x)", 1, -6},
    {"sign(-x)*sqrt(abs(x))", 1, -3},
    {"sign(x - 5)*sqrt(abs(5 - x)/4)", 1, -1.5},
    {"noEvent(sign(x)*sqrt(abs(x)))", 1, 3},
    {"x/sqrt(abs(x))", 1, 3},
    {"if x > 0 then sqrt(x) else -sqrt(-x)", 1, 3},
    {"if x > 0 then 2*sqrt(x) else -7*sqrt(-x)", 1, 6},
    {"if x >= 0 then sqrt(9*x/time) else -sqrt(-9*x/time)", 1, 9 / 0.70710678118654752},
    {"if x > 0 then sqrt(x) elseif x < 0 then -sqrt(-x) else 0", 1, 3},
    {"smooth(0, if noEvent(x > 0) then sqrt(x) else -sqrt(-x))", 1, 3},
    {"if time > 1 then sign(x)*sqrt(abs(x)) else 0", 1, 0},
    {"if x > 0 then sign(x)*sqrt(abs(x)) else sign(x)*sqrt(abs(x))", 1, 3},
    {"sign(x)*sqrt(abs(x)) + sqrt(abs(-2*x))*sign(-2*x)", 1, 3 - 3 * 1.4142135623730951},
    /* not these */
    {"sqrt(x)", 0, 1},
    {"sqrt(abs(x))", 0, 1},
    {"if x > 0 then sqrt(x) else 0", 0, 1},
    {"sign(x)*sqrt(abs(x) + 3)", 0, 2},
    {"sign(x)*abs(x)^0.25", 0, 1},
    {"sign(time)*sqrt(abs(time))", 0, 0.70710678118654752},
    {"if abs(x) > 0.1 then sign(x)*sqrt(abs(x)) else x", 0, 1}, /* without slope 1/0 */
};

START_TEST(roots_with_a_sign)
{
    const rooted *due = &rooted_sides[_i];
    char model[200];
    reading r;
    snprintf(model, sizeof model, "model M Real x, r; equation der(x) = 1; r = %s; end M;",
             due->expression);
    read_right(&r, model);
    ck_assert_msg(r.system->root.count == due->roots, "%s", due->expression);
    ck_assert_uint_eq(r.system->hidden, due->roots);
    double value = value_of(&r, right_side(&r, "r"));
    ck_assert_msg(fabs(value - due->value) <= 1e-14 * fabs(due->value), "%s: %.17g",
                  due->expression, value);
    close_reading(&r);
}
END_TEST

/* No event is located at a root that has a name, and others are. */
START_TEST(bends_of_roots)
{
    watches_of("sign(x)*sqrt(abs(x))", false, 0, 0);
    watches_of("sign(x)*sqrt(abs(x)) + abs(x)", false, 0, 1);
    watches_of("sign(x)*sqrt(abs(x)) + min(x, 0)", false, 0, 1);
    watches_of("sign(x)*sqrt(abs(x)) + abs(y)", false, 0, 1);
}
END_TEST

START_TEST(nothing_is_discrete)
{
    reading r;
    read_right(&r, "model M Real x(start = 1); equation der(x) = if x > 1 then 1 else -x; end M;");
    ck_assert(!sym_has_discrete(&r.system->discrete));
    ck_assert_uint_eq(sym_cell_count(r.system->graph), 0);
    ck_assert_uint_eq(sym_relation_count(r.system->graph), 1);
    close_reading(&r);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, a_definition, 0, sizeof definitions / sizeof *definitions);
    tcase_add_loop_test(tests, a_whole_part, 0, sizeof whole_parts / sizeof *whole_parts);
    tcase_add_loop_test(tests, an_action, 0, sizeof actions / sizeof *actions);
    tcase_add_test(tests, unknowns_of_discrete_variables);
    tcase_add_test(tests, a_quotient_below_zero);
    tcase_add_test(tests, watched_relations);
    tcase_add_test(tests, held_bends);
    tcase_add_loop_test(tests, roots_with_a_sign, 0, sizeof rooted_sides / sizeof *rooted_sides);
    tcase_add_test(tests, bends_of_roots);
    tcase_add_test(tests, modes_of_relations);
    tcase_add_test(tests, conditions_at_the_start);
    tcase_add_test(tests, samples);
    tcase_add_test(tests, values_at_the_start);
    tcase_add_test(tests, settings_give_start_values);
    tcase_add_test(tests, values_before);
    tcase_add_test(tests, nothing_is_discrete);
    return unit_run("model/events", tests);
}
