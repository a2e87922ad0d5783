#include "symbolic/specialize.h"

#include "symbolic/cells.h"
#include "symbolic/graph.h"
#include "symbolic/lists.h"
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

/* On which surface a value depends: the place of that in the list, or one of these. */
#define ON_NONE    SIZE_MAX
#define ON_SEVERAL (SIZE_MAX - 1)

/* A value as a number on the two sides of the surface that it depends on; NaN: it has none between
 * events. */
typedef struct two_sided {
    double yes, no;
    size_t on;
} two_sided;

/* The images of a node: along the surface that is blended in a pass, and on its two sides. */
enum { ALONG, YES, NO, IMAGES };

/* The copy under way. Each pass blends one surface. */
typedef struct specializing {
    sym_graph *g;
    arena *a;
    size_t surface; /* of the present pass; ON_NONE: there is none */
    size_t nodes;
    const sym *node;
    sym *image[IMAGES]; /* nodes */
    two_sided *value;   /* nodes */
    two_sided *cell;    /* of the cells, which may follow from sliding relations */
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
    if (sym_chooses(v->op)) return sym_choose(sym_list_of(s->g, v->id), v->op, x[0]);
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
    uint32_t slot = sym_mode_slot(g, s->node[k]);
    s->value[k] = (two_sided){(double)NAN, (double)NAN, ON_NONE};
    if (sym_is_relation(g, s->node[k]) && slot > 0)
        find_truth(s, k, v, slot - 1);
    else if (v->op == SYM_CONSTANT)
        s->value[k].yes = s->value[k].no = sym_value(g, v->value);
    else if (v->op == SYM_CELL)
        s->value[k] = s->cell[v->id];
    else if (v->op != SYM_TIME && v->op != SYM_VARIABLE && v->op != SYM_INPUT && v->op != SYM_CALL)
        s->value[k] = operate(s, v);
}

/* share a + (1 - share) b */
static sym between(specializing *s, size_t surface, sym a, sym b)
{
    sym_graph *g = s->g;
    if (a == b) return a;
    return sym_add(g, b, sym_multiply(g, s->share[surface], sym_subtract(g, a, b)));
}

/* The branch that a condition selects on one side of the surface. */
static sym branch_at(const specializing *s, const sym_view *v, bool condition, int side)
{
    return s->image[side][sym_place(s->nodes, s->node, v->argument[condition ? 1 : 2])];
}

/* A branch whose condition, or a discrete variable whose value, is another one on either side of
 * the surface. Each side of it is looked at with all else that is within it on the same side: by
 * nested branches, as those of a sign, the share is then still linear. */
static sym image_at_surface(specializing *s, const sym_view *v, const two_sided *x, int which)
{
    bool branches = v->op == SYM_IF;
    sym yes = branches ? branch_at(s, v, x->yes != 0, YES) : sym_number(s->g, x->yes);
    sym no = branches ? branch_at(s, v, x->no != 0, NO) : sym_number(s->g, x->no);
    if (which == ALONG) return between(s, s->surface, yes, no);
    return which == YES ? yes : no;
}

/* Whether an operation on what depends on the surface is not linear in the share: it is blended
 * itself. */
static bool bends_share(const specializing *s, const sym_view *v)
{
    size_t varying = 0;
    bool power = false;
    if (v->op != SYM_PRODUCT && v->op != SYM_POWER && v->op != SYM_ATAN2 && !sym_chooses(v->op) &&
        v->op != SYM_CALL && (!sym_is_function(v->op) || v->op == SYM_ABS))
        return false;
    for (uint32_t i = 0; i < v->count; i++) {
        size_t k = sym_place(s->nodes, s->node, v->argument[i]);
        if (s->image[YES][k] == s->image[NO][k]) continue;
        varying++;
        power = power || v->op != SYM_PRODUCT || v->factor[i] != 1;
    }
    return varying > 1 || power;
}

static sym image_of(specializing *s, size_t k, const sym_view *v, sym *argument, int which)
{
    sym_graph *g = s->g;
    for (uint32_t i = 0; i < v->count; i++)
        argument[i] = s->image[which][sym_place(s->nodes, s->node, v->argument[i])];
    if (v->op != SYM_CELL && v->op != SYM_IF) {
        bool blend = which == ALONG && s->surface != ON_NONE && bends_share(s, v);
        return blend ? between(s, s->surface, s->image[YES][k], s->image[NO][k])
                     : sym_rebuild(g, s->node[k], argument);
    }
    size_t selects = v->op == SYM_IF ? sym_place(s->nodes, s->node, v->argument[0]) : k;
    const two_sided *x = &s->value[selects];
    if (x->on == ON_SEVERAL) s->fails = s->fails || s->of_equations[k];
    if (isnan(x->yes) || isnan(x->no)) return sym_rebuild(g, s->node[k], argument);
    if (v->op == SYM_IF && x->on == ON_NONE) return argument[x->yes != 0 ? 1 : 2];
    if (x->on == ON_NONE || x->on != s->surface) return sym_rebuild(g, s->node[k], argument);
    return image_at_surface(s, v, x, which);
}

/* The most discrete variables in a chain from a sliding relation to the equations. */
enum { MOST_LINKS = 8 };

/* The values of a whole part, whose definition is `if x < pre then ... else if pre + 1 <= x then
 * ... else pre`: along one of these surfaces the whole parts on both sides differ by 1. */
static two_sided whole_part(const specializing *s, const sym_discrete *x)
{
    double pre = s->cell[x->pre].yes;
    sym_view less = sym_view_of(s->g, x->definition);
    if (less.op != SYM_IF) return (two_sided){(double)NAN, (double)NAN, ON_NONE};
    sym_view more = sym_view_of(s->g, less.argument[2]);
    const two_sided *below = &s->value[sym_place(s->nodes, s->node, less.argument[0])];
    if (below->on != ON_NONE)
        return (two_sided){pre - (below->yes != 0), pre - (below->no != 0), below->on};
    if (more.op != SYM_IF) return (two_sided){(double)NAN, (double)NAN, ON_NONE};
    const two_sided *above = &s->value[sym_place(s->nodes, s->node, more.argument[0])];
    if (above->on == ON_NONE) return (two_sided){(double)NAN, (double)NAN, ON_NONE};
    return (two_sided){pre + (above->yes != 0), pre + (above->no != 0), above->on};
}

/* Takes what the definitions say of cells; returns whether one has changed. */
static bool define_cells(specializing *s, const sym_discrete_part *d)
{
    bool changed = false;
    for (size_t i = 0; s->slides->count > 0 && i < d->variable.count; i++) {
        const sym_discrete *x = &d->variable.item[i];
        two_sided *cell = &s->cell[x->cell];
        two_sided found = x->is_whole ? whole_part(s, x)
                                      : s->value[sym_place(s->nodes, s->node, x->definition)];
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
            sym_view v = sym_view_of(s->g, s->node[k]);
            find_numbers(s, k, &v);
        }
        if (!define_cells(s, d)) return;
    }
}

static void find_images(specializing *s)
{
    LIST(sym) argument = {0};
    for (size_t k = 0; k < s->nodes; k++) {
        sym_view v = sym_view_of(s->g, s->node[k]);
        while (argument.count < v.count) list_push(s->a, &argument, 0);
        for (int which = s->surface == ON_NONE ? ALONG + 1 : IMAGES; which-- > 0;)
            s->image[which][k] = image_of(s, k, &v, argument.item, which);
    }
}

static sym image(const specializing *s, sym node)
{
    return s->image[ALONG][sym_place(s->nodes, s->node, node)];
}

static const char *name_share(arena *a, size_t count, size_t which)
{
    enum { ROOM = 64 };
    if (count == 1) return "share of a sliding motion";
    char *name = arena_array(a, ROOM, 1);
    snprintf(name, ROOM, "share %zu of a sliding motion", which + 1);
    return name;
}

/* The share of a surface, and its equation: both sides of its relation. */
static void add_share(const specializing *s, sym_system *to, size_t which, const sym *side)
{
    sym_unknown share = {.name = name_share(s->a, s->slides->count, which),
                         .unit = "",
                         .at = to->at,
                         .start = 0.5,
                         .nominal = 1,
                         .select = SYM_SELECT_DEFAULT};
    sym_equation surface = {
        .lhs = side[0], .rhs = side[1], .at = to->at, .text = "the surface of a sliding motion"};
    list_push(s->a, &to->unknown, share);
    list_push(s->a, &to->equation, surface);
}

/* All expressions of a system that have images: `count` that it solves, then those of surfaces. */
typedef struct expressions {
    size_t count, all;
    sym *item;
} expressions;

/* A side of a surface in the pieces between its bends: what keeps the solution on the surface is
 * smooth, beyond the event at a bend as well. */
static sym in_pieces(const specializing *s, const sym_system *system, sym side)
{
    LIST(sym) argument = {0};
    const sym *node;
    size_t nodes = sym_keep_reached(s->g, 1, &side, &node);
    sym *to = arena_array(s->a, nodes + 1, sizeof *to), less, other;
    for (size_t k = 0; k < nodes; k++) {
        sym_view v = sym_view_of(s->g, node[k]);
        sym at = sym_bends_at(system, node[k], &less, &other);
        bool kept = sym_is_relation(s->g, node[k]) || v.count == 0;
        while (argument.count < v.count) list_push(s->a, &argument, 0);
        for (uint32_t i = 0; i < v.count; i++)
            argument.item[i] = to[sym_place(nodes, node, v.argument[i])];
        to[k] = kept ? node[k] : sym_rebuild(s->g, node[k], argument.item);
        if (!at) continue;
        other = to[sym_place(nodes, node, other)];
        less = v.op == SYM_ABS ? sym_negate(s->g, other) : to[sym_place(nodes, node, less)];
        to[k] = sym_if(s->g, at, less, other);
    }
    return to[sym_place(nodes, node, side)];
}

static expressions expressions_of(const specializing *s, const sym_system *system)
{
    size_t equations = system->equation.count, delays = system->delay.count;
    size_t surfaces = s->slides->count, count = 2 * (equations + delays);
    expressions x = {.count = count, .all = count + 2 * surfaces};
    x.item = arena_array(s->a, x.all + 1, sizeof *x.item);
    memcpy(x.item, sides_of(s->a, system), 2 * equations * sizeof *x.item);
    for (size_t i = 0; i < delays; i++) {
        x.item[2 * (equations + i)] = system->delay.item[i].value;
        x.item[2 * (equations + i) + 1] = system->delay.item[i].lag;
    }
    for (size_t i = 0; i < surfaces; i++) {
        sym_view v = sym_view_of(s->g, sym_relation_node(s->g, s->slides->relation[i]));
        for (size_t j = 0; j < 2; j++)
            x.item[count + 2 * i + j] = in_pieces(s, system, v.argument[j]);
    }
    return x;
}

/* The nodes that expressions are built from, and definitions. */
static void find_nodes(specializing *s, const sym_system *to, const expressions *x)
{
    size_t definitions = s->slides->count > 0 ? to->discrete.variable.count : 0;
    sym *roots = arena_array(s->a, x->all + definitions + 1, sizeof *roots);
    const sym *used;
    memcpy(roots, x->item, x->all * sizeof *roots);
    for (size_t i = 0; i < definitions; i++)
        roots[x->all + i] = to->discrete.variable.item[i].definition;
    s->nodes = sym_keep_reached(s->g, x->all + definitions, roots, &s->node);
    for (int i = 0; i < IMAGES; i++)
        s->image[i] = arena_array(s->a, s->nodes + 1, sizeof *s->image[i]);
    s->value = arena_array(s->a, s->nodes + 1, sizeof *s->value);
    s->of_equations = arena_array(s->a, s->nodes + 1, sizeof *s->of_equations);
    size_t reached = sym_keep_reached(s->g, x->count, roots, &used);
    for (size_t k = 0; k < reached; k++)
        s->of_equations[sym_place(s->nodes, s->node, used[k])] = true;
}

/* Expressions become their images along one surface. */
static void blend(specializing *s, const sym_system *to, size_t surface, expressions *x)
{
    s->surface = surface;
    find_nodes(s, to, x);
    find_all_numbers(s, &to->discrete);
    find_images(s);
    for (size_t i = 0; i < x->all; i++) x->item[i] = image(s, x->item[i]);
}

sym_system *sym_specialize(arena *a, const sym_system *from, const sym_sliding *slides)
{
    sym_system *to = sym_system_copy(a, from, false);
    specializing s = {.g = to->graph, .a = a, .slides = slides};
    size_t unknowns = to->unknown.count, equations = to->equation.count;
    expressions x = expressions_of(&s, to);
    s.share = arena_array(a, slides->count + 1, sizeof *s.share);
    for (size_t i = 0; i < slides->count; i++)
        s.share[i] = sym_variable(s.g, (uint32_t)(unknowns + i), 0);
    if (slides->count == 0) blend(&s, to, ON_NONE, &x);
    for (size_t i = 0; i < slides->count && !s.fails; i++) blend(&s, to, i, &x);
    if (s.fails) return NULL;
    for (size_t i = 0; i < equations; i++) {
        sym_equation *e = &to->equation.item[i];
        if (sym_is_of_discrete(to, e)) continue;
        e->selected = sym_equation_has_pieces(to, i);
        e->lhs = x.item[2 * i];
        e->rhs = x.item[2 * i + 1];
    }
    for (size_t i = 0; i < to->delay.count; i++) {
        to->delay.item[i].value = x.item[2 * (equations + i)];
        to->delay.item[i].lag = x.item[2 * (equations + i) + 1];
    }
    for (size_t i = 0; i < slides->count; i++) add_share(&s, to, i, x.item + x.count + 2 * i);
    return to;
}
