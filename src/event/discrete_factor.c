/* Discrete factors of relations, as pre(mode) of pre(mode)*w < 0.
 *
 * Where such a factor becomes 0 at an event, left - right is 0 exactly, whatever has been crossed.
 * Where it gets another sign while w is 0 but for rounding, left - right has no sign that means
 * anything: it counts as 0, and its rate tells how it leaves 0 (settling_leave_surfaces). */
#include "event/settling.h"

#include "symbolic/simplify.h"
#include "symbolic/traced.h"

typedef struct split {
    sym factor, rest; /* their product is what was split */
} split;

static bool is_continuous(sym_op op)
{
    return op == SYM_VARIABLE || op == SYM_INPUT || op == SYM_TIME;
}

static bool is_discrete(sym_graph *g, sym f)
{
    return !sym_any(g, 1, &f, is_continuous);
}

static split whole(sym_graph *g, sym f)
{
    return (split){sym_number(g, 1), f};
}

static split split_product(sym_graph *g, const sym_view *v)
{
    split s = whole(g, sym_number(g, 1));
    for (uint32_t i = 0; i < v->count; i++) {
        sym power = sym_power_number(g, v->argument[i], v->factor[i]);
        sym *to = is_discrete(g, power) ? &s.factor : &s.rest;
        *to = sym_multiply(g, *to, power);
    }
    return s;
}

static split split_off(sym_graph *g, sym f);

/* if c then a x else b x is (if c then a else b) x. */
static split split_choice(sym_graph *g, sym f, const sym_view *v)
{
    split yes = split_off(g, v->argument[1]), no = split_off(g, v->argument[2]);
    sym zero = sym_number(g, 0);
    if (yes.factor == zero) yes.rest = no.rest;
    if (no.factor == zero) no.rest = yes.rest;
    if (yes.rest != no.rest) return whole(g, f);
    return (split){sym_if(g, v->argument[0], yes.factor, no.factor), yes.rest};
}

/* c x - c y is c (x - y), and y - x is -(x - y). */
static split split_sum(sym_graph *g, sym f, const sym_view *v)
{
    split s = {.rest = sym_number(g, 0)};
    for (uint32_t i = 0; i < v->count; i++) {
        split term = split_off(g, v->argument[i]);
        if (i > 0 && term.factor != s.factor) return whole(g, f);
        s.factor = term.factor;
        s.rest = sym_add(g, s.rest, sym_scale(g, v->factor[i] / v->factor[0], term.rest));
    }
    s.factor = sym_scale(g, v->factor[0], s.factor);
    return s;
}

static split split_off(sym_graph *g, sym f)
{
    sym_view v = sym_look(g, f);
    if (is_discrete(g, f)) return (split){f, sym_number(g, 1)};
    if (v.op == SYM_PRODUCT) return split_product(g, &v);
    if (v.op == SYM_IF && is_discrete(g, v.argument[0])) return split_choice(g, f, &v);
    if (v.op != SYM_SUM || v.value != 0) return whole(g, f);
    if (v.count > 1) return split_sum(g, f, &v);
    split s = split_off(g, v.argument[0]);
    s.factor = sym_scale(g, v.factor[0], s.factor);
    return s;
}

/* In the author's variables: where one of them is a number in the equations of a mode, its factor
 * could not be told any more. */
void settling_compile_factors(switching *s, arena *a, sym_graph *g)
{
    double number;
    sym *factor = arena_array(a, s->relations, sizeof *factor);
    s->factored = arena_array(a, s->relations + 1, sizeof *s->factored);
    arena_vectors(a, s->relations + 1, (double **[]){&s->by_cells, NULL});
    for (size_t k = 0; k < s->relations; k++) {
        sym_view v = sym_look(g, sym_relation_node(g, k));
        factor[k] = split_off(g, sym_subtract(g, v.argument[0], v.argument[1])).factor;
        s->factored[k] = s->relation[k].kind == RELATION_STATE &&
                         !sym_number_of(g, factor[k], &number);
    }
    s->of_cells = prolongation_tape(a, s->f->p, s->relations, factor);
}

static signed char sign_of(double x)
{
    return (signed char)((x > 0) - (x < 0));
}

bool settling_has_other_factor(const switching *s, size_t k, bool *is)
{
    if (!s->factored[k]) return false;
    signed char now = sign_of(s->by_cells[k]);
    bool at_zero = s->relation[k].op == SYM_LESS_EQUAL;
    if (now != 0 && now == s->modes->relation[k].factor) return false;
    *is = now == 0 || settling_is_at_surface(s, k) ? at_zero : switching_holds(s, k);
    return true;
}

void settling_take_factors(switching *s)
{
    sym_tape_eval(s->of_cells, s->input, s->by_cells);
    for (size_t k = 0; k < s->relations; k++) {
        relation_state *r = &s->modes->relation[k];
        signed char now = s->factored[k] ? sign_of(s->by_cells[k]) : 1;
        if (now == r->factor) continue;
        r->factor = now;
        r->to = r->is;
        r->thrown = 0; /* its sides are others */
    }
}
