/* Trees are built from those with fewer vertices: a tree is the multiset of its root's branches.
 * Each branch is stored as what its parent needs, A Phi, so that no subtree is evaluated twice.
 *
 * Under C(q) a branch [tau, ..., tau] with k <= q vertices gives c^k / k. This is the factor of k
 * leaves divided by k. Trees with such a branch give no new condition and are left out. So a method
 * of order 13 takes milliseconds. */
#include "method/conditions.h"

#include <stdlib.h>
#include <string.h>

/* A tree as the branch of a larger one. */
typedef struct branch {
    int vertices;       /* meagre ones, which count */
    quad density;       /* 1 / gamma */
    stage_vector alone; /* its factor as the only branch, and as one of several */
    stage_vector beside;
} branch;

typedef struct search {
    const method *given;
    const quad *weights;
    bool index1;
    stage_matrix one,
        several; /* before one branch A, before several alpha (Rosenbrock methods), else A */
    stage_matrix inverse; /* of A, with index1 */
    int bushes;           /* q of C(q) if it shortens the list, else 1 */
    branch *list;
    size_t branches, capacity;
    bool exhausted;      /* no memory */
    bool good, good_fat; /* the conditions of this number of vertices hold */
} search;

static bool condition_holds(const search *s, const stage_vector *phi, quad density)
{
    return stage_sum_is(s->given, s->weights, phi, density);
}

static branch *new_branch(search *s)
{
    if (s->branches == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 64;
        branch *grown = realloc(s->list, capacity * sizeof *grown);
        if (!grown) {
            s->exhausted = true;
            return NULL;
        }
        s->list = grown;
        s->capacity = capacity;
    }
    return &s->list[s->branches++];
}

/* Keeps a tree for those trees of which it is a branch. */
static void keep(search *s, int vertices, quad density, const stage_vector *phi)
{
    branch *made = new_branch(s);
    if (!made) return;
    made->vertices = vertices;
    made->density = density;
    made->alone = stage_apply(s->given->stages, (const quad(*)[METHOD_MOST_STAGES])s->one, phi);
    made->beside = s->given->rosenbrock
                       ? stage_apply(s->given->stages,
                                     (const quad(*)[METHOD_MOST_STAGES])s->several, phi)
                       : made->alone;
}

/* The time, t' = 1, as a branch with values c. If A e is the same, it is the single vertex. */
static void keep_time(search *s)
{
    branch *made = new_branch(s);
    if (!made) return;
    made->vertices = 1;
    made->density = 1;
    for (int i = 0; i < s->given->stages; i++) {
        made->alone.value[i] = s->given->c[i];
        made->alone.size[i] = quad_abs(s->given->c[i]);
    }
    made->beside = made->alone;
}

/* The trees of one vertex. */
static void plant(search *s, const stage_vector *phi)
{
    bool rosenbrock = s->given->rosenbrock != NULL;
    if (!condition_holds(s, phi, 1)) s->good = false;
    if (rosenbrock || !method_rows_sum_to_nodes(s->given)) keep(s, 1, 1, phi);
    if (!rosenbrock) keep_time(s);
}

/* A tree whose root is a differential (meagre) vertex, with all its branches' factors in `phi`. */
static void close_meagre(search *s, int vertices, quad density, const stage_vector *phi, bool bush)
{
    if (!condition_holds(s, phi, density / vertices)) s->good = false;
    bool shortened = bush && vertices <= s->bushes;
    if (!shortened) keep(s, vertices, density / vertices, phi);
}

/* A tree whose root is an algebraic (fat) vertex with at least two branches. With one branch it
 * would be that branch again. */
static void close_fat(search *s, int vertices, quad density, const stage_vector *phi)
{
    stage_vector solved = stage_apply(s->given->stages,
                                      (const quad(*)[METHOD_MOST_STAGES])s->inverse, phi);
    if (!condition_holds(s, &solved, density)) s->good_fat = false;
    keep(s, vertices, density, &solved);
}

/* Branches of a root, chosen so far. */
typedef struct chosen {
    int count, left; /* left: vertices yet to be placed */
    bool leaves;     /* all are single vertices */
    quad density;
    stage_vector phi;
} chosen;

/* Adds branches, none later in the list than the one before, until no vertex is left. */
static void choose(search *s, const chosen *c, size_t last, int vertices, bool fat)
{
    if (c->left == 0) {
        if (c->count < 2) return;
        if (fat)
            close_fat(s, vertices, c->density, &c->phi);
        else
            close_meagre(s, vertices, c->density, &c->phi, c->leaves);
        return;
    }
    for (size_t k = 0; k <= last && !s->exhausted; k++) {
        const branch *b = &s->list[k];
        if (b->vertices > c->left) break; /* the list is ascending */
        chosen more = {.count = c->count + 1,
                       .left = c->left - b->vertices,
                       .leaves = c->leaves && b->vertices == 1,
                       .density = c->density * b->density,
                       .phi = stage_times(s->given->stages, &c->phi, &b->beside)};
        choose(s, &more, k, vertices, fat);
    }
}

/* All trees with this number of vertices. Their parts are in the list already. */
static void visit(search *s, int vertices)
{
    size_t known = s->branches;
    chosen none = {.left = vertices - 1, .leaves = true, .density = 1};
    none.phi = stage_ones(s->given->stages);
    s->good = s->good_fat = true;
    if (vertices == 1) {
        plant(s, &none.phi);
        return;
    }
    for (size_t k = 0; k < known && !s->exhausted; k++) {
        branch only = s->list[k]; /* a copy: the list moves when it grows */
        if (only.vertices == vertices - 1)
            close_meagre(s, vertices, only.density, &only.alone, vertices == 2);
    }
    choose(s, &none, known - 1, vertices, false);
    none.left = vertices;
    if (s->index1) choose(s, &none, known - 1, vertices, true);
}

/* The inverse of alpha + gamma. */
static bool invert(search *s)
{
    stage_matrix copy;
    memcpy(copy, s->one, sizeof copy);
    return quad_invert(s->given->stages, METHOD_MOST_STAGES, &copy[0][0], &s->inverse[0][0]) > 0;
}

dae_status trees_find(const method *given, const quad *weights, bool index1, tree_orders *found)
{
    search s = {.given = given, .weights = weights, .index1 = index1, .bushes = 1};
    memcpy(s.one, given->a, sizeof s.one);
    memcpy(s.several, given->a, sizeof s.several);
    if (given->rosenbrock) memcpy(s.several, given->rosenbrock->alpha, sizeof s.several);
    *found = (tree_orders){0};
    if (index1 && !invert(&s)) return DAE_OK;
    if (!given->rosenbrock) s.bushes = method_holds(given, METHOD_C);
    bool ode = true, algebraic = index1;
    for (int p = 1; p <= METHOD_MOST_ORDER && (ode || algebraic) && !s.exhausted; p++) {
        visit(&s, p);
        ode = ode && s.good;
        algebraic = algebraic && ode && s.good_fat;
        if (ode) found->ode = p;
        if (algebraic) found->algebraic = p;
    }
    free(s.list);
    return s.exhausted ? DAE_NO_MEMORY : DAE_OK;
}
