/* Trees are built from those with fewer vertices: a tree is the multiset of its root's branches.
 * Each branch is stored as what its parent needs, so that no subtree is evaluated twice.
 *
 * Under C(q) a branch [tau, ..., tau] with k <= q vertices gives c^k / k. This is the factor of k
 * leaves divided by k. Trees with such a branch give no new condition and are left out. So a method
 * of order 13 takes milliseconds. */
#include "method/conditions.h"
#include "method/half_explicit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = METHOD_MOST_STAGES };

/* A tree as the branch of a larger one. */
typedef struct branch {
    int order;                  /* meagre vertices; of half-explicit methods less the fat ones */
    bool fat;                   /* the root, of half-explicit methods */
    quad density;               /* 1 / gamma */
    stage_vector alone, beside; /* its factor as the only branch, and as one of several; of
                                 * half-explicit methods under a meagre root, and, of a meagre one,
                                 * under a fat root */
} branch;

/* The root to which the branches that are being chosen belong. */
typedef enum root { MEAGRE, FAT_OF_MANY, FAT_OF_ONE } root;

/* Branches of a root, chosen so far. */
typedef struct chosen {
    root root;
    int order, left, count; /* left: the order yet to be placed */
    bool leaves;            /* all are single vertices */
    quad density;
    stage_vector phi;
} chosen;

typedef struct search search;
struct search {
    const method *given;
    const quad *weights;
    void (*close)(search *s, const chosen *c); /* takes a tree with all branches of its root */
    bool meagre_beside;                        /* several branches of a meagre root take `beside` */
    /* A before one branch; before several alpha (Rosenbrock methods), else A; the inverse of A, of
     * half-explicit methods of d. */
    const quad (*one)[MOST], (*several)[MOST], (*inverse)[MOST];
    int bushes;   /* q of C(q) if it shortens the list, else 1 */
    branch *list; /* ascending by their order */
    size_t branches, capacity;
    bool exhausted;      /* no memory */
    bool good, good_fat; /* the conditions of this order hold */
};

static bool condition_holds(const search *s, const stage_vector *phi, quad density)
{
    return stage_sum_is(s->given, s->weights, phi, density);
}

static stage_vector apply(const search *s, const quad (*m)[MOST], const stage_vector *x)
{
    return stage_apply(s->given->stages, m, x);
}

/* NULL: memory is exhausted. */
static branch *add_branch(search *s, int order, quad density)
{
    if (s->branches == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 64;
        branch *grown = realloc(s->list, capacity * sizeof *grown);
        s->exhausted = !grown;
        if (!grown) return NULL;
        s->list = grown;
        s->capacity = capacity;
    }
    branch *made = &s->list[s->branches++];
    *made = (branch){.order = order, .density = density};
    return made;
}

/* Adds branches, none at `end` of the list or later, and none later than the one before, until
 * nothing is left to place. */
static void choose(search *s, const chosen *c, size_t end)
{
    if (c->left == 0) {
        s->close(s, c);
        return;
    }
    for (size_t k = 0; k < end && !s->exhausted; k++) {
        const branch *b = &s->list[k];
        bool beside = c->root == FAT_OF_MANY || (c->root == MEAGRE && s->meagre_beside);
        if (b->order > c->left) break;
        if (b->fat && c->root == FAT_OF_MANY) continue;
        chosen more = *c;
        more.left -= b->order;
        more.count++;
        more.leaves = c->leaves && b->order == 1;
        more.density *= b->density;
        more.phi = stage_times(s->given->stages, &c->phi, beside ? &b->beside : &b->alone);
        choose(s, &more, k + 1);
    }
}

/* All trees of this order with such a root, whose branches are in the list. */
static void visit(search *s, root grown, int order, int left)
{
    chosen none = {.root = grown, .order = order, .left = left, .leaves = true, .density = 1};
    none.phi = stage_ones(s->given->stages);
    choose(s, &none, s->branches);
}

/* Inverts m without its first rows and columns. */
static bool invert(const search *s, const quad (*m)[MOST], int first, stage_matrix inverse)
{
    stage_matrix copy;
    memcpy(copy, m, sizeof copy);
    int n = s->given->stages - first;
    return quad_invert(n, MOST, &copy[first][first], &inverse[first][first]) > 0;
}

/* --- Runge-Kutta and Rosenbrock methods --- */

/* Keeps a tree for those trees of which it is a branch. */
static void keep(search *s, int vertices, quad density, const stage_vector *phi)
{
    branch *made = add_branch(s, vertices, density);
    if (!made) return;
    made->alone = apply(s, s->one, phi);
    made->beside = s->given->rosenbrock ? apply(s, s->several, phi) : made->alone;
}

/* The time, t' = 1, as a branch with values c. If A e is the same, it is the single vertex. */
static void keep_time(search *s)
{
    branch *made = add_branch(s, 1, 1);
    if (!made) return;
    for (int i = 0; i < s->given->stages; i++) {
        made->alone.value[i] = s->given->c[i];
        made->alone.size[i] = quad_abs(s->given->c[i]);
    }
    made->beside = made->alone;
}

/* The trees of one vertex. */
static void plant(search *s)
{
    bool rosenbrock = s->given->rosenbrock != NULL;
    const stage_vector phi = stage_ones(s->given->stages);
    if (!condition_holds(s, &phi, 1)) s->good = false;
    if (rosenbrock || !method_rows_sum_to_nodes(s->given)) keep(s, 1, 1, &phi);
    if (!rosenbrock) keep_time(s);
}

/* A tree whose root is a differential (meagre) vertex, with all its branches' factors in `phi`. */
static void close_meagre(search *s, const chosen *c)
{
    quad density = c->density / c->order;
    if (!condition_holds(s, &c->phi, density)) s->good = false;
    bool shortened = c->leaves && c->order <= s->bushes;
    if (!shortened) keep(s, c->order, density, &c->phi);
}

/* A root with at least two branches. An algebraic (fat) one with one branch would be that branch
 * again; a meagre one takes another factor of a single branch. */
static void close_several(search *s, const chosen *c)
{
    if (c->count < 2) return;
    if (c->root == MEAGRE) {
        close_meagre(s, c);
        return;
    }
    stage_vector solved = apply(s, s->inverse, &c->phi);
    if (!condition_holds(s, &solved, c->density)) s->good_fat = false;
    keep(s, c->order, c->density, &solved);
}

/* Trees whose meagre root has a single branch. */
static void visit_single(search *s, int vertices)
{
    size_t known = s->branches;
    for (size_t k = 0; k < known && !s->exhausted; k++) {
        const branch only = s->list[k]; /* a copy: the list moves when it grows */
        if (only.order != vertices - 1) continue;
        const chosen c = {
            .order = vertices, .leaves = vertices == 2, .density = only.density, .phi = only.alone};
        close_meagre(s, &c);
    }
}

dae_status trees_find(const method *given, const quad *weights, bool index1, tree_orders *found)
{
    const method_rosenbrock *r = given->rosenbrock;
    search s = {.given = given,
                .weights = weights,
                .close = close_several,
                .meagre_beside = true,
                .one = given->a,
                .several = r ? r->alpha : given->a,
                .bushes = r ? 1 : method_holds(given, METHOD_C)};
    stage_matrix inverse = {{0}};
    *found = (tree_orders){0};
    if (index1 && !invert(&s, s.one, 0, inverse)) return DAE_OK;
    s.inverse = (const quad(*)[MOST])inverse;
    bool ode = true, algebraic = index1;
    for (int p = 1; p <= METHOD_MOST_ORDER && (ode || algebraic) && !s.exhausted; p++) {
        s.good = s.good_fat = true;
        if (p == 1)
            plant(&s);
        else
            visit_single(&s, p);
        if (p > 1) visit(&s, MEAGRE, p, p - 1);
        if (p > 1 && index1) visit(&s, FAT_OF_MANY, p, p);
        ode = ode && s.good;
        algebraic = algebraic && ode && s.good_fat;
        if (ode) found->ode = p;
        if (algebraic) found->algebraic = p;
    }
    free(s.list);
    return s.exhausted ? DAE_NO_MEMORY : DAE_OK;
}

/* --- half-explicit methods --- */

/* The order conditions of half-explicit methods. For trees t with a meagre root they are sum_i b_i
 * Phi_i(t) = 1 / gamma(t). Branches [t_1, ...] multiply the factors sum_j a_ij Phi_j(t_k) for
 * meagre branches and Phi_i(u_k) for fat ones. For trees u with a fat root and meagre branches
 * Phi_i(u) = sum_j w_ij prod_k sum_l d_jl Phi_l(t_k), where w is the inverse of d. The order of a
 * tree is the number of its meagre vertices less that of its fat ones. gamma(t) is that number
 * times the gamma of its branches; gamma(u) is the product of those divided by the number plus one.
 * A fat root has at least two branches, or a single one that is neither a leaf nor followed by a
 * single fat vertex (Hairer & Wanner II, Thm VII.5.8 and Def. VII.5.6). */
static void close_half_explicit_meagre(search *s, const chosen *c)
{
    quad density = c->density / c->order;
    if (!condition_holds(s, &c->phi, density)) s->good = false;
    branch *made = add_branch(s, c->order, density);
    if (!made) return;
    made->alone = apply(s, s->given->a, &c->phi);
    made->beside = apply(s, s->given->constraint, &c->phi);
}

/* For a single branch of a fat root, `phi` is still that of the branch, which has one more meagre
 * vertex. */
static void close_half_explicit(search *s, const chosen *c)
{
    quad last[MOST] = {0}, density = c->density * (c->root == FAT_OF_MANY ? c->order + 1 : 1);
    if (c->root == MEAGRE) {
        close_half_explicit_meagre(s, c);
        return;
    }
    if (c->root == FAT_OF_MANY && c->count < 2) return;
    branch *made = add_branch(s, c->order, density);
    if (!made) return;
    stage_vector bound = c->phi;
    if (c->root == FAT_OF_ONE) bound = apply(s, s->given->constraint, &c->phi);
    made->fat = true;
    made->alone = apply(s, s->inverse, &bound);
    last[s->given->stages - 1] = 1;
    if (!stage_sum_is(s->given, last, &made->alone, density)) s->good_fat = false;
}

dae_status half_explicit_orders(const method *given, int most, int *order)
{
    search s = {.given = given, .weights = given->b, .close = close_half_explicit};
    stage_matrix inverse = {{0}};
    int z = 1; /* the order that the last stage has */
    bool good_fat = true, carries = half_explicit_carries(given);
    order[0] = order[1] = 0;
    if (!invert(&s, given->constraint, carries, inverse)) return DAE_OK; /* z is carried on */
    s.inverse = (const quad(*)[MOST])inverse;
    for (int p = 1; p <= most && !s.exhausted; p++) {
        s.good = s.good_fat = true;
        visit(&s, MEAGRE, p, p - 1);
        if (!s.good) break;
        order[0] = p;
        if (p == most) break;
        visit(&s, FAT_OF_ONE, p, p); /* first: the list has no fat root of this order yet */
        visit(&s, FAT_OF_MANY, p, p + 1);
        good_fat = good_fat && s.good_fat;
        if (good_fat) z = p + 1;
    }
    free(s.list);
    order[1] = carries && z < order[0] ? z : order[0];
    return s.exhausted ? DAE_NO_MEMORY : DAE_OK;
}
