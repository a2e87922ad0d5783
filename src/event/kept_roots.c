#include "event/kept_roots.h"

#include "event/events.h"
#include "event/switching.h"
#include "symbolic/cells.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* The leaves on which an expression of time depends otherwise: its cells, and relations that have
 * modes. */
static size_t find_leaves(sym_graph *g, sym f, size_t *leaf)
{
    const sym *node;
    size_t nodes = sym_reach(g, 1, &f, &node), count = 0;
    for (size_t i = 0; i < nodes; i++) {
        sym_view v = sym_look(g, node[i]);
        size_t relation = sym_relation_number(g, node[i]), found = SIZE_MAX;
        if (v.op == SYM_CELL) found = sym_relation_count(g) + v.id;
        if (relation != SIZE_MAX) found = relation;
        if (found == SIZE_MAX) continue;
        if (leaf) leaf[count] = found;
        count++;
    }
    return count;
}

void switching_find_kept_roots(switching *s, arena *a, sym_graph *g)
{
    s->modes->root = arena_array(a, s->relations + 1, sizeof *s->modes->root);
    for (size_t k = 0; k < s->relations; k++) {
        kept_root *r = &s->modes->root[k];
        if (s->relation[k].kind != RELATION_TIME) continue;
        sym_view view = sym_look(g, sym_relation_node(g, k));
        sym difference = sym_subtract(g, view.argument[0], view.argument[1]);
        structure_to_core(s->system, s->f->core, 1, &difference);
        r->leaves = find_leaves(g, difference, NULL);
        r->leaf = arena_array(a, r->leaves + 1, sizeof *r->leaf);
        arena_vectors(a, r->leaves + 1, (double **[]){&r->was, &r->seen, NULL});
        find_leaves(g, difference, r->leaf);
    }
}

static double leaf_value(const switching *s, size_t leaf)
{
    const sym_graph *g = s->system->graph;
    if (leaf < s->relations) return sym_relation_mode(g, leaf);
    return sym_cell_value(g, (uint32_t)(leaf - s->relations));
}

static void take_leaves(const switching *s, const kept_root *r, double *value)
{
    for (size_t i = 0; i < r->leaves; i++) value[i] = leaf_value(s, r->leaf[i]);
}

static bool has_leaves(const switching *s, const kept_root *r, const double *value)
{
    for (size_t i = 0; i < r->leaves; i++) {
        double is = leaf_value(s, r->leaf[i]);
        if (memcmp(&is, &value[i], sizeof is) != 0) return false;
    }
    return true;
}

/* A function of time that tells of a relation; it is left - right, or `sign` times that. */
typedef struct told_by {
    size_t root;
    signed char sign;
    const whole_part *whole; /* the function is that of its next value; NULL: of the present one */
} told_by;

/* Begins to ask the function of relation k. (c + 1) y <= x is not x < c y of the next c, and so
 * that rounding does not decide them otherwise, it is asked of that: with c, whose terms are
 * summed, a zero of high order is 0 for as long as x is rounding of c + 1. */
static told_by begin_to_ask(const switching *s, size_t k)
{
    const switching_relation *r = &s->relation[k];
    const whole_part *w = r->whole == SIZE_MAX ? NULL : &s->whole[r->whole];
    if (!w || w->above != k || w->bounds || !s->relation[w->below].curved)
        return (told_by){r->root, 1, NULL};
    sym_graph *g = s->system->graph;
    sym_set_cell(g, w->pre, sym_cell_value(g, w->pre) + 1);
    return (told_by){s->relation[w->below].root, -1, w};
}

static void end_to_ask(const switching *s, told_by by)
{
    sym_graph *g = s->system->graph;
    if (by.whole) sym_set_cell(g, by.whole->pre, sym_cell_value(g, by.whole->pre) - 1);
}

bool switching_is_clear(const switching *s, size_t k, double t)
{
    kept_root *r = &s->modes->root[k];
    if (r->looked && r->looked_at == t && has_leaves(s, r, r->seen)) return r->clear;
    told_by by = begin_to_ask(s, k);
    r->clear = time_roots_is_clear(s->curves, by.root, t);
    end_to_ask(s, by);
    r->looked = true;
    r->left_in = 0;
    r->looked_at = t;
    take_leaves(s, r, r->seen);
    return r->clear;
}

signed char switching_sign_behind(const switching *s, size_t k, double t)
{
    kept_root *r = &s->modes->root[k];
    if (switching_is_clear(s, k, t)) return 0;
    double direction = s->modes->direction;
    if (r->left_in == direction) return r->leaves_to;
    told_by by = begin_to_ask(s, k);
    signed char leaves_to = time_roots_sign_behind(s->curves, by.root, t, direction);
    end_to_ask(s, by);
    r->leaves_to = (signed char)(by.sign * leaves_to);
    r->left_in = direction;
    return r->leaves_to;
}

static bool is_kept(const switching *s, const kept_root *r, const kept_root *asked)
{
    bool same = r->known && r->sign == asked->sign && r->zero == asked->zero &&
                r->direction == asked->direction;
    bool within = (asked->behind - r->behind) * asked->direction >= 0 &&
                  (r->found - asked->behind) * asked->direction > 0;
    return same && within && has_leaves(s, r, r->was);
}

/* What samples say is asked anew: from each other time they are others. */
static double seek(switching *s, size_t k, const kept_root *asked)
{
    kept_root *r = &s->modes->root[k];
    bool certain;
    told_by by = begin_to_ask(s, k);
    double found = time_roots_next(s->curves, by.root, asked->behind, asked->direction,
                                   (signed char)(by.sign * asked->sign), asked->zero, &certain);
    end_to_ask(s, by);
    r->known = certain;
    r->behind = asked->behind, r->found = found;
    r->sign = asked->sign, r->zero = asked->zero, r->direction = asked->direction;
    take_leaves(s, r, r->was);
    return found;
}

/* Where it is on the wrong side already, as it was 0 before, or leaves 0 to that side at once, it
 * turns as soon as that can be told. */
double switching_next_root(switching *s, size_t k, double t, double direction)
{
    static const double SOON = 1e-12;
    bool is = s->modes->relation[k].is == SYM_HELD_TRUE;
    const kept_root asked = {.behind = t,
                             .sign = is ? -1 : 1,
                             .zero = (s->relation[k].op == SYM_LESS_EQUAL) == is,
                             .direction = direction > 0 ? 1 : -1};
    const kept_root *kept = &s->modes->root[k];
    double found = is_kept(s, kept, &asked) ? kept->found : seek(s, k, &asked);
    double least = switching_resolution(t);
    if (s->value[k] == 0) least = 4 * least + SOON;
    return (found - t) * direction > least ? found
                                           : t + direction * (4 * switching_resolution(t) + SOON);
}

void kept_roots_state(kept_root *root, size_t count, state_visit *s)
{
    for (size_t k = 0; root && k < count; k++) {
        STATE_MEMBERS(s, kept_root, &root[k], known, leaves);
        state_doubles(s, root[k].was, root[k].leaves);
    }
}
