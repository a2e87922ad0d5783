#include "symbolic/specialize.h"

#include "symbolic/cells.h"
#include "symbolic/graph.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
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

/* On which surface a value depends: the place of that in the list, or one of these. */
#define ON_NONE    SIZE_MAX
#define ON_SEVERAL (SIZE_MAX - 1)

/* A value as a number on the two sides of the surface that it depends on; NaN: it has none between
 * events. */
typedef struct two_sided {
    double yes, no;
    size_t on;
} two_sided;

/* The copy under way. */
typedef struct specializing {
    sym_graph *g;
    arena *a;
    size_t nodes;
    const sym *node;
    sym *image;
    two_sided *value; /* nodes */
    two_sided *cell;  /* of the cells, which may follow from sliding relations */
    const sym_sliding *slides;
    sym *share;         /* of each surface */
    bool *of_equations; /* nodes: an equation is built from it */
    bool fails;         /* a branch depends on several surfaces */
} specializing;

/* Which sides of two surfaces are looked at. */
typedef struct sides {
    size_t of[2];
    bool is[2];
} sides;

static double on_side(const two_sided *x, const sides *at)
{
    for (int i = 0; i < 2; i++)
        if (x->on == at->of[i] && !at->is[i]) return x->no;
    return x->yes;
}

static double number_at(const specializing *s, const sym_view *v, const sides *at)
{
    double x[3] = {0, 0, 0}, total = v->op == SYM_SUM ? sym_value(s->g, v->value) : 1;
    for (uint32_t i = 0; i < v->count; i++) {
        double value = on_side(&s->value[sym_place(s->nodes, s->node, v->argument[i])], at);
        if (v->op == SYM_SUM)
            total += sym_value(s->g, v->factor[i]) * value;
        else if (v->op == SYM_PRODUCT)
            total *= pow(value, sym_value(s->g, v->factor[i]));
        else if (isnan(value))
            return value;
        else
            x[i] = value;
    }
    bool folded = v->op == SYM_SUM || v->op == SYM_PRODUCT;
    return folded ? total : sym_operate(v->op, x[0], x[1], x[2]);
}

/* The surfaces on which the arguments depend; their number, 3: more than two. */
static int find_surfaces(const specializing *s, const sym_view *v, size_t *of)
{
    int count = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        size_t on = s->value[sym_place(s->nodes, s->node, v->argument[i])].on;
        if (on == ON_NONE || (count > 0 && on == of[0]) || (count > 1 && on == of[1])) continue;
        if (count == 2 || on == ON_SEVERAL) return 3;
        of[count++] = on;
    }
    return count;
}

/* The value of an operation by those of its arguments. */
static two_sided operate(const specializing *s, const sym_view *v)
{
    size_t of[2] = {ON_NONE, ON_NONE};
    int count = find_surfaces(s, v, of);
    two_sided several = {(double)NAN, (double)NAN, ON_SEVERAL}, none = several;
    double at[2][2];
    none.on = ON_NONE;
    if (count > 2) return several;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            const sides side = {{of[0], of[1]}, {i == 0, j == 0}};
            at[i][j] = number_at(s, v, &side);
            if (isnan(at[i][j])) return none;
        }
    if (at[0][0] == at[1][0] && at[0][1] == at[1][1]) /* whatever the first one is */
        return (two_sided){at[0][0], at[0][1], at[0][0] == at[0][1] ? ON_NONE : of[1]};
    if (at[0][0] == at[0][1] && at[1][0] == at[1][1]) return (two_sided){at[0][0], at[1][0], of[0]};
    return several;
}

/* Those of a relation follow from its mode; those of one that compares what a sliding relation
 * defines, from its arguments. */
static void find_truth(specializing *s, size_t k, const sym_view *v, size_t relation)
{
    sym_mode mode = sym_relation_mode(s->g, relation);
    size_t surface = s->slides->count > 0 ? s->slides->surface[relation] : SIZE_MAX;
    bool true_there = surface != SIZE_MAX && s->slides->along[relation] > 0;
    two_sided found = operate(s, v);
    if (surface != SIZE_MAX)
        s->value[k] = (two_sided){true_there, !true_there, surface};
    else if (found.on != ON_NONE)
        s->value[k] = found;
    else if (mode != SYM_FREE)
        s->value[k] = (two_sided){mode == SYM_HELD_TRUE, mode == SYM_HELD_TRUE, ON_NONE};
}

/* Its values as a number. */
static void find_numbers(specializing *s, size_t k, const sym_view *v)
{
    sym_graph *g = s->g;
    uint32_t slot = g->node.item[s->node[k]]->slot;
    s->value[k] = (two_sided){(double)NAN, (double)NAN, ON_NONE};
    if (sym_is_relation(g, s->node[k]) && slot > 0)
        find_truth(s, k, v, slot - 1);
    else if (v->op == SYM_CONSTANT)
        s->value[k].yes = s->value[k].no = sym_value(g, v->value);
    else if (v->op == SYM_CELL)
        s->value[k] = s->cell[v->id];
    else if (v->op != SYM_TIME && v->op != SYM_VARIABLE && v->op != SYM_INPUT)
        s->value[k] = operate(s, v);
}

/* share a + (1 - share) b */
static sym between(specializing *s, size_t surface, sym a, sym b)
{
    sym_graph *g = s->g;
    if (a == b) return a;
    return sym_add(g, b, sym_multiply(g, s->share[surface], sym_subtract(g, a, b)));
}

static sym image_of(specializing *s, size_t k, const sym_view *v, sym *argument)
{
    sym_graph *g = s->g;
    for (uint32_t i = 0; i < v->count; i++)
        argument[i] = s->image[sym_place(s->nodes, s->node, v->argument[i])];
    if (v->op != SYM_CELL && v->op != SYM_IF) return sym_rebuild(g, s->node[k], argument);
    size_t selects = v->op == SYM_IF ? sym_place(s->nodes, s->node, v->argument[0]) : k;
    const two_sided *x = &s->value[selects];
    if (x->on == ON_SEVERAL) s->fails = s->fails || s->of_equations[k];
    if (isnan(x->yes) || isnan(x->no)) return sym_rebuild(g, s->node[k], argument);
    if (v->op == SYM_IF && x->on == ON_NONE) return argument[x->yes != 0 ? 1 : 2];
    if (v->op == SYM_IF)
        return between(s, x->on, argument[x->yes != 0 ? 1 : 2], argument[x->no != 0 ? 1 : 2]);
    if (x->on == ON_NONE) return sym_rebuild(g, s->node[k], argument);
    return between(s, x->on, sym_number(g, x->yes), sym_number(g, x->no));
}

/* The most discrete variables in a chain from a sliding relation to the equations. */
enum { MOST_LINKS = 8 };

/* Takes what the definitions say of cells; returns whether one has changed. */
static bool define_cells(specializing *s, const sym_discrete_part *d)
{
    bool changed = false;
    for (size_t i = 0; s->slides->count > 0 && i < d->variable.count; i++) {
        const sym_discrete *x = &d->variable.item[i];
        two_sided *cell = &s->cell[x->cell];
        two_sided found = s->value[sym_place(s->nodes, s->node, x->definition)];
        bool several = found.on == ON_SEVERAL && cell->on != ON_SEVERAL;
        bool differs = found.yes != cell->yes || found.no != cell->no || found.on != cell->on;
        if (!several && (isnan(found.yes) || isnan(found.no) || !differs)) continue;
        *cell = found;
        changed = true;
    }
    return changed;
}

/* Cells are those of the present event, or, of variables that are defined by a sliding relation,
 * have two values. */
static void find_all_numbers(specializing *s, const sym_discrete_part *d)
{
    size_t cells = sym_cell_count(s->g);
    s->cell = arena_array(s->a, cells + 1, sizeof *s->cell);
    for (uint32_t i = 0; i < cells; i++) {
        double value = sym_cell_value(s->g, i);
        s->cell[i] = (two_sided){value, value, ON_NONE};
    }
    for (int link = 0; link < MOST_LINKS; link++) {
        for (size_t k = 0; k < s->nodes; k++) {
            sym_view v = sym_look(s->g, s->node[k]);
            find_numbers(s, k, &v);
        }
        if (!define_cells(s, d)) return;
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

static const char *name_share(arena *a, size_t count, size_t which)
{
    enum { ROOM = 64 };
    if (count == 1) return "share of a sliding motion";
    char *name = arena_array(a, ROOM, 1);
    snprintf(name, ROOM, "share %zu of a sliding motion", which + 1);
    return name;
}

/* The share of a surface, and its equation. */
static void add_share(specializing *s, sym_system *to, size_t which)
{
    sym_view v = sym_look(s->g, sym_relation_node(s->g, s->slides->relation[which]));
    sym_unknown share = {.name = name_share(s->a, s->slides->count, which),
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

/* The nodes that equations are built from, definitions and surfaces. */
static void find_nodes(specializing *s, const sym_system *to, size_t count, const sym *side)
{
    size_t definitions = to->discrete.variable.count, surfaces = s->slides->count;
    size_t delays = to->delay.count, all = count + 2 * delays;
    sym *roots = arena_array(s->a, all + definitions + surfaces + 1, sizeof *roots);
    const sym *used;
    memcpy(roots, side, count * sizeof *roots);
    for (size_t i = 0; i < delays; i++) {
        roots[count + 2 * i] = to->delay.item[i].value;
        roots[count + 2 * i + 1] = to->delay.item[i].lag;
    }
    for (size_t i = 0; surfaces > 0 && i < definitions; i++)
        roots[all++] = to->discrete.variable.item[i].definition;
    for (size_t i = 0; i < surfaces; i++)
        roots[all++] = sym_relation_node(s->g, s->slides->relation[i]);
    s->nodes = sym_keep_reached(s->g, all, roots, &s->node);
    s->image = arena_array(s->a, s->nodes + 1, sizeof *s->image);
    s->value = arena_array(s->a, s->nodes + 1, sizeof *s->value);
    s->of_equations = arena_array(s->a, s->nodes + 1, sizeof *s->of_equations);
    size_t reached = sym_keep_reached(s->g, count + 2 * delays, roots, &used);
    for (size_t k = 0; k < reached; k++)
        s->of_equations[sym_place(s->nodes, s->node, used[k])] = true;
}

sym_system *sym_specialize(arena *a, const sym_system *from, const sym_sliding *slides)
{
    sym_system *to = sym_system_copy(a, from, false);
    specializing s = {.g = to->graph, .a = a, .slides = slides};
    size_t unknowns = to->unknown.count, equations = to->equation.count;
    sym *side = sides_of(a, to);
    s.share = arena_array(a, slides->count + 1, sizeof *s.share);
    for (size_t i = 0; i < slides->count; i++)
        s.share[i] = sym_variable(s.g, (uint32_t)(unknowns + i), 0);
    find_nodes(&s, to, 2 * equations, side);
    find_all_numbers(&s, &to->discrete);
    find_images(&s);
    if (s.fails) return NULL;
    for (size_t i = 0; i < equations; i++) {
        if (is_of_discrete(to, side[2 * i], side[2 * i + 1])) continue;
        to->equation.item[i].selected = sym_equation_has_pieces(to, i);
        to->equation.item[i].lhs = image(&s, side[2 * i]);
        to->equation.item[i].rhs = image(&s, side[2 * i + 1]);
    }
    for (size_t i = 0; i < to->delay.count; i++) {
        to->delay.item[i].value = image(&s, to->delay.item[i].value);
        to->delay.item[i].lag = image(&s, to->delay.item[i].lag);
    }
    for (size_t i = 0; i < slides->count; i++) add_share(&s, to, i);
    return to;
}
