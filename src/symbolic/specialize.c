#include "symbolic/specialize.h"

#include "symbolic/cells.h"
#include "symbolic/graph.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

static sym *sides_of(arena *a, const sym_system *system)
{
    sym *side = arena_array(a, 2 * system->equation.count, sizeof *side);
    for (size_t i = 0; i < system->equation.count; i++) {
        side[2 * i] = system->equation.item[i].lhs;
        side[2 * i + 1] = system->equation.item[i].rhs;
    }
    return side;
}

sym_selectors sym_find_selectors(const sym_system *system)
{
    sym_graph *g = system->graph;
    arena *a = system->memory;
    LIST(sym) condition = {0};
    LIST(uint32_t) relation = {0}, cell = {0};
    const sym *node;
    size_t nodes = sym_keep_reached(g, 2 * system->equation.count, sides_of(a, system), &node);
    for (size_t k = 0; k < nodes; k++) {
        sym_view v = sym_look(g, node[k]);
        if (v.op == SYM_IF) list_push(a, &condition, v.argument[0]);
    }
    nodes = sym_keep_reached(g, condition.count, condition.item, &node);
    for (size_t k = 0; k < nodes; k++) {
        sym_view v = sym_look(g, node[k]);
        uint32_t slot = g->node.item[node[k]]->slot;
        if (v.op == SYM_CELL) list_push(a, &cell, v.id);
        if (sym_is_relation(g, node[k]) && slot > 0) list_push(a, &relation, slot - 1);
    }
    return (sym_selectors){relation.count, cell.count, relation.item, cell.item};
}

/* The copy under way. A node's value as a number, if the sliding relation is true and if it is
 * false; NaN: it has none between events. */
typedef struct specializing {
    sym_graph *g;
    arena *a;
    size_t nodes;
    const sym *node;
    sym *image;
    double *yes, *no;
    double *cell_yes, *cell_no; /* of the cells, which may follow from the sliding relation */
    sym slides;                 /* the relation's node; SYM_NONE */
    const signed char *along;   /* relations: as in sym_specialize() */
    sym share;
} specializing;

static double number_of(const specializing *s, const sym_view *v, const double *of)
{
    double x[3] = {0, 0, 0};
    if (v->op == SYM_SUM) {
        double sum = sym_value(s->g, v->value);
        for (uint32_t i = 0; i < v->count; i++)
            sum += sym_value(s->g, v->factor[i]) * of[sym_place(s->nodes, s->node, v->argument[i])];
        return sum;
    }
    if (v->op == SYM_PRODUCT) {
        double product = 1;
        for (uint32_t i = 0; i < v->count; i++)
            product *= pow(of[sym_place(s->nodes, s->node, v->argument[i])],
                           sym_value(s->g, v->factor[i]));
        return product;
    }
    for (uint32_t i = 0; i < v->count; i++) {
        x[i] = of[sym_place(s->nodes, s->node, v->argument[i])];
        if (isnan(x[i])) return (double)NAN;
    }
    return sym_operate(v->op, x[0], x[1], x[2]);
}

/* Those of a relation follow from its mode; those of one that compares what the sliding relation
 * defines, from its arguments. */
static void find_truth(specializing *s, size_t k, const sym_view *v, size_t relation)
{
    sym_mode mode = sym_relation_mode(s->g, relation);
    signed char along = s->slides == SYM_NONE ? 0 : s->along[relation];
    double yes = number_of(s, v, s->yes), no = number_of(s, v, s->no);
    if (along != 0)
        s->yes[k] = along > 0, s->no[k] = along < 0;
    else if (yes != no && !isnan(yes) && !isnan(no))
        s->yes[k] = yes, s->no[k] = no;
    else if (mode != SYM_FREE)
        s->yes[k] = s->no[k] = mode == SYM_HELD_TRUE;
}

/* Its values as a number. */
static void find_numbers(specializing *s, size_t k, const sym_view *v)
{
    sym_graph *g = s->g;
    uint32_t slot = g->node.item[s->node[k]]->slot;
    s->yes[k] = s->no[k] = (double)NAN;
    if (sym_is_relation(g, s->node[k]) && slot > 0) {
        find_truth(s, k, v, slot - 1);
    } else if (v->op == SYM_CONSTANT) {
        s->yes[k] = s->no[k] = sym_value(g, v->value);
    } else if (v->op == SYM_CELL) {
        s->yes[k] = s->cell_yes[v->id], s->no[k] = s->cell_no[v->id];
    } else if (v->op != SYM_TIME && v->op != SYM_VARIABLE && v->op != SYM_INPUT) {
        s->yes[k] = number_of(s, v, s->yes);
        s->no[k] = number_of(s, v, s->no);
    }
}

/* share a + (1 - share) b */
static sym between(specializing *s, sym a, sym b)
{
    sym_graph *g = s->g;
    return a == b ? a : sym_add(g, b, sym_multiply(g, s->share, sym_subtract(g, a, b)));
}

static sym image_of(specializing *s, size_t k, const sym_view *v, sym *argument)
{
    sym_graph *g = s->g;
    for (uint32_t i = 0; i < v->count; i++)
        argument[i] = s->image[sym_place(s->nodes, s->node, v->argument[i])];
    if (v->op == SYM_CELL && s->slides != SYM_NONE && s->yes[k] != s->no[k] &&
        !isnan(s->yes[k] - s->no[k]))
        return between(s, sym_number(g, s->yes[k]), sym_number(g, s->no[k]));
    if (v->op != SYM_IF) return sym_rebuild(g, s->node[k], argument);
    size_t condition = sym_place(s->nodes, s->node, v->argument[0]);
    double yes = s->yes[condition], no = s->no[condition];
    if (isnan(yes) || isnan(no)) return sym_rebuild(g, s->node[k], argument);
    return between(s, argument[yes != 0 ? 1 : 2], argument[no != 0 ? 1 : 2]);
}

/* The most discrete variables in a chain from the sliding relation to the equations. */
enum { MOST_LINKS = 8 };

/* Cells are those of the present event, or, of variables that are defined by the sliding relation,
 * have two values. */
static void find_all_numbers(specializing *s, const sym_discrete_part *d)
{
    size_t cells = sym_cell_count(s->g);
    arena_vectors(s->a, cells + 1, (double **[]){&s->cell_yes, &s->cell_no, NULL});
    for (uint32_t i = 0; i < cells; i++) s->cell_yes[i] = s->cell_no[i] = sym_cell_value(s->g, i);
    for (int link = 0; link < MOST_LINKS; link++) {
        bool changed = false;
        for (size_t k = 0; k < s->nodes; k++) {
            sym_view v = sym_look(s->g, s->node[k]);
            find_numbers(s, k, &v);
        }
        for (size_t i = 0; s->slides != SYM_NONE && i < d->variable.count; i++) {
            const sym_discrete *x = &d->variable.item[i];
            size_t at = sym_place(s->nodes, s->node, x->definition);
            if (isnan(s->yes[at]) || isnan(s->no[at])) continue;
            changed = changed || s->yes[at] != s->cell_yes[x->cell] ||
                      s->no[at] != s->cell_no[x->cell];
            s->cell_yes[x->cell] = s->yes[at], s->cell_no[x->cell] = s->no[at];
        }
        if (!changed) return;
    }
}

static void find_images(specializing *s)
{
    LIST(sym) argument = {0};
    for (size_t k = 0; k < s->nodes; k++) {
        sym_view v = sym_look(s->g, s->node[k]);
        while (argument.count < v.count) list_push(s->a, &argument, 0);
        s->image[k] = image_of(s, k, &v, argument.item);
    }
}

static sym image(const specializing *s, sym node)
{
    return s->image[sym_place(s->nodes, s->node, node)];
}

/* The share, and the equation of the surface. */
static void add_share(specializing *s, sym_system *to)
{
    sym_view v = sym_look(s->g, s->slides);
    sym_unknown share = {.name = "share of a sliding motion",
                         .unit = "",
                         .at = to->at,
                         .start = 0.5,
                         .nominal = 1,
                         .select = SYM_SELECT_DEFAULT};
    sym_equation surface = {.lhs = image(s, v.argument[0]),
                            .rhs = image(s, v.argument[1]),
                            .at = to->at,
                            .text = "the surface of a sliding motion"};
    list_push(s->a, &to->unknown, share);
    list_push(s->a, &to->equation, surface);
}

/* Whether an equation says that an author's discrete variable has its value at the last event:
 * that is one of the two sides. */
static bool is_of_discrete(const sym_system *system, sym lhs, sym rhs)
{
    sym_view v = sym_look(system->graph, lhs), cell = sym_look(system->graph, rhs);
    if (v.op != SYM_VARIABLE || v.order != 0 || cell.op != SYM_CELL) return false;
    for (size_t i = 0; i < system->discrete.variable.count; i++) {
        const sym_discrete *d = &system->discrete.variable.item[i];
        if (d->cell == cell.id) return strcmp(d->name, system->unknown.item[v.id].name) == 0;
    }
    return false;
}

sym_system *sym_specialize(arena *a, const sym_system *from, uint32_t slides,
                           const signed char *along)
{
    sym_system *to = sym_system_copy(a, from, false);
    specializing s = {.g = to->graph, .a = a, .slides = SYM_NONE, .along = along};
    size_t count = 2 * to->equation.count, definitions = to->discrete.variable.count;
    size_t most = count + definitions + 2 * to->delay.count + 1;
    sym *side = sides_of(a, to), *roots = arena_array(a, most, sizeof *roots);
    memcpy(roots, side, count * sizeof *roots);
    for (size_t i = 0; i < to->delay.count; i++) {
        roots[count++] = to->delay.item[i].value;
        roots[count++] = to->delay.item[i].lag;
    }
    if (slides != SYM_NONE) {
        s.slides = sym_relation_node(to->graph, slides);
        s.share = sym_variable(to->graph, (uint32_t)to->unknown.count, 0);
        for (size_t i = 0; i < definitions; i++)
            roots[count++] = to->discrete.variable.item[i].definition;
        roots[count++] = s.slides;
    }
    s.nodes = sym_keep_reached(s.g, count, roots, &s.node);
    s.image = arena_array(a, s.nodes, sizeof *s.image);
    arena_vectors(a, s.nodes + 1, (double **[]){&s.yes, &s.no, NULL});
    find_all_numbers(&s, &to->discrete);
    find_images(&s);
    for (size_t i = 0; i < to->equation.count; i++) {
        if (is_of_discrete(to, side[2 * i], side[2 * i + 1])) continue;
        to->equation.item[i].selected = sym_equation_has_pieces(to, i);
        to->equation.item[i].lhs = image(&s, side[2 * i]);
        to->equation.item[i].rhs = image(&s, side[2 * i + 1]);
    }
    for (size_t i = 0; i < to->delay.count; i++) {
        to->delay.item[i].value = image(&s, to->delay.item[i].value);
        to->delay.item[i].lag = image(&s, to->delay.item[i].lag);
    }
    if (slides != SYM_NONE) add_share(&s, to);
    return to;
}
