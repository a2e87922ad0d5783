/* if-equations. Branches with equal numbers of equations become equations between if-expressions.
 */
#include "model/evaluator.h"
#include "model/flatten.h"
#include "symbolic/simplify.h"

#include <stdlib.h>
#include <string.h>

/* A branch that can be taken, and the place of its equations in the list. */
typedef struct taken {
    sym condition; /* SYM_NONE: else */
    const model_branch *branch;
    size_t begin, count;
} taken;

typedef LIST(taken) branches;

/* Find the branches that can be taken, given the known conditions. False if a condition has no
 * value. */
static bool find_branches(model_flattening *f, const model_clause *c, branches *list)
{
    model_reader *r = f->r;
    bool known = true;
    for (size_t k = 0; k < c->branch.count; k++) {
        taken t = {.condition = SYM_NONE, .branch = &c->branch.item[k]};
        double number = 1;
        if (t.branch->condition) {
            t.condition = model_condition(r, t.branch->condition);
            known = known && t.condition != SYM_NONE;
        }
        bool decided = !t.branch->condition ||
                       (t.condition != SYM_NONE && sym_is_number(r->graph, t.condition, &number));
        if (decided && number == 0) continue;
        if (decided) t.condition = SYM_NONE;
        list_push(r->a, list, t);
        if (decided) break;
    }
    return known;
}

/* Flatten the branches one after the other into the list, each under its guards. */
static void flatten_branches(model_flattening *f, branches *list)
{
    const model_guard *before = f->r->mode.guard;
    model_guard *guard = arena_array(f->r->a, list->count, sizeof *guard);
    for (size_t i = 0; i < list->count; i++) {
        taken *t = &list->item[i];
        guard[i] = (model_guard){t->condition, true, i ? &guard[i - 1] : before};
        f->r->mode.guard = t->condition == SYM_NONE ? guard[i].outer : &guard[i];
        t->begin = f->list.count;
        model_flatten_clauses(f, &t->branch->body);
        t->count = f->list.count - t->begin;
        guard[i].holds = false; /* for the branches behind */
    }
    f->r->mode.guard = before;
}

static bool is_balanced(model_flattening *f, const model_clause *c, const branches *list)
{
    const taken *first = &list->item[0], *last = &list->item[list->count - 1];
    for (size_t i = 1; i < list->count; i++) {
        const taken *t = &list->item[i];
        if (t->count == first->count) continue;
        model_error(f->r, t->branch->at,
                    "unbalanced: this branch of the if has %zu equation%s, the first one %zu",
                    t->count, t->count == 1 ? "" : "s", first->count);
        model_remedy(f->r, "each branch needs the same number of equations");
        return false;
    }
    if (last->condition == SYM_NONE || first->count == 0) return true;
    model_error(f->r, c->at, "unbalanced: this if has %zu equation%s and no else with as many",
                first->count, first->count == 1 ? "" : "s");
    model_remedy(f->r, "each branch needs the same number of equations");
    return false;
}

static int by_left_side(const void *a, const void *b)
{
    const model_scalar_equation *x = a, *y = b;
    return (x->lhs > y->lhs) - (x->lhs < y->lhs);
}

/* Order the equations of a branch like those of the first branch, if both have the same left sides.
 * So `if c then x = 1; y = 2; else y = 3; x = 4; end if` pairs x with x. */
static void pair_left_sides(model_reader *r, const model_scalar_equation *first,
                            model_scalar_equation *other, size_t count)
{
    size_t bytes = count * sizeof *first, same = 0;
    while (same < count && first[same].lhs == other[same].lhs) same++;
    if (same == count) return;
    model_scalar_equation *a = arena_array(r->a, count, sizeof *a),
                          *b = arena_array(r->a, count, sizeof *b);
    memcpy(a, first, bytes);
    memcpy(b, other, bytes);
    qsort(a, count, sizeof *a, by_left_side);
    qsort(b, count, sizeof *b, by_left_side);
    for (size_t i = 0; i < count; i++)
        if (a[i].lhs != b[i].lhs || (i > 0 && a[i].lhs == a[i - 1].lhs)) return;
    for (size_t i = 0; i < count; i++) {
        const model_scalar_equation *found = bsearch(&first[i], b, count, sizeof *b, by_left_side);
        other[i] = *found;
    }
}

/* The equations a = p and b = q of two branches become if c then a else b = if c then p else q. */
static void merge(model_flattening *f, const branches *list)
{
    sym_graph *g = f->r->graph;
    const taken *first = &list->item[0];
    if (first->count == 0) return;
    model_scalar_equation *into = f->list.item + first->begin;
    for (size_t i = 1; i < list->count; i++)
        pair_left_sides(f->r, into, f->list.item + list->item[i].begin, first->count);
    for (size_t k = 0; k < first->count; k++) {
        size_t i = list->count - 1;
        const model_scalar_equation *last = f->list.item + list->item[i].begin;
        sym lhs = last[k].lhs, rhs = last[k].rhs;
        while (i-- > 0) {
            const model_scalar_equation *e = f->list.item + list->item[i].begin;
            lhs = sym_if(g, list->item[i].condition, e[k].lhs, lhs);
            rhs = sym_if(g, list->item[i].condition, e[k].rhs, rhs);
        }
        into[k].lhs = lhs;
        into[k].rhs = rhs;
    }
    f->list.count = first->begin + first->count;
}

void model_flatten_if(model_flattening *f, model_clause *c)
{
    branches list = {0};
    size_t reports = f->r->reports.list.count, dropped = f->r->dropped;
    bool known = find_branches(f, c, &list);
    size_t begin = f->list.count;
    flatten_branches(f, &list);
    if (f->when || list.count == 0) return;
    bool complete = known && f->r->reports.list.count == reports && f->r->dropped == dropped;
    bool alone = list.count == 1 && list.item[0].condition == SYM_NONE;
    if (alone) return;
    if (!complete || !is_balanced(f, c, &list)) {
        f->list.count = begin;
        return;
    }
    merge(f, &list);
}
