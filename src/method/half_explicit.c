/* The order conditions. For trees t with a meagre root they are sum_i b_i Phi_i(t) = 1 / gamma(t).
 * Branches [t_1, ...] multiply the factors sum_j a_ij Phi_j(t_k) for meagre branches and Phi_i(u_k)
 * for fat ones. For trees u with a fat root and meagre branches Phi_i(u) = sum_j w_ij prod_k sum_l
 * d_jl Phi_l(t_k), where w is the inverse of d. The order of a tree is the number of its meagre
 * vertices less that of its fat ones. gamma(t) is that number times the gamma of its branches;
 * gamma(u) is the product of those divided by the number plus one. A fat root has at least two
 * branches, or a single one that is neither a leaf nor followed by a single fat vertex (Hairer &
 * Wanner II, Thm VII.5.8 and Def. VII.5.6). */
#include "method/half_explicit.h"

#include "method/conditions.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = METHOD_MOST_STAGES };

typedef quad square[MOST][MOST];

/* The error up to which a condition holds: far above the round-off of its terms, far below the
 * effect of a wrong tree. */
static const double HOLDS = 1e-20;

void half_explicit_fill(method *made)
{
    int last = made->stages - 1;
    bool given = false;
    for (int j = 0; j < made->stages; j++) given = given || made->constraint[last][j] != 0;
    for (int i = 0; i < last; i++)
        if (i > 0 || !given)
            memcpy(made->constraint[i], made->a[i + 1], sizeof made->constraint[i]);
    if (!given) memcpy(made->constraint[last], made->b, sizeof made->b);
}

bool half_explicit_carries(const method *given)
{
    return given->constraint[0][0] == 0;
}

/* A tree as the branch of a larger one. */
typedef struct branch {
    int order;
    bool fat;
    quad density;      /* 1 / gamma */
    quad factor[MOST]; /* under a meagre vertex */
    quad bound[MOST];  /* a meagre one under a fat vertex */
} branch;

typedef struct search {
    const method *given;
    int stages;
    square inverse;
    branch *list; /* ascending by their order */
    size_t count, capacity;
    bool exhausted, good, good_fat;
} search;

/* The root to which the branches that are being chosen belong. */
typedef enum root { MEAGRE, FAT_OF_MANY, FAT_OF_ONE } root;

typedef struct chosen {
    root root;
    int order, left, branches;
    quad density, phi[MOST];
} chosen;

static void apply(const search *s, const quad (*m)[MOST], const quad *x, quad *y)
{
    for (int i = 0; i < s->stages; i++) {
        y[i] = 0;
        for (int j = 0; j < s->stages; j++) y[i] += m[i][j] * x[j];
    }
}

static branch *add_branch(search *s, int order, bool fat, quad density)
{
    if (s->count == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 64;
        branch *grown = realloc(s->list, capacity * sizeof *grown);
        s->exhausted = !grown;
        if (!grown) return NULL;
        s->list = grown;
        s->capacity = capacity;
    }
    branch *made = &s->list[s->count++];
    *made = (branch){.order = order, .fat = fat, .density = density};
    return made;
}

static bool holds(quad sum, quad density)
{
    return quad_abs(sum - density) <= (quad)HOLDS * (1 + density);
}

static void close_meagre(search *s, const chosen *c)
{
    quad density = c->density / c->order, sum = 0;
    for (int i = 0; i < s->stages; i++) sum += s->given->b[i] * c->phi[i];
    s->good = s->good && holds(sum, density);
    branch *made = add_branch(s, c->order, false, density);
    if (!made) return;
    apply(s, s->given->a, c->phi, made->factor);
    apply(s, s->given->constraint, c->phi, made->bound);
}

/* For a single branch, `phi` is still that of the branch, which has one more meagre vertex. */
static void close_fat(search *s, const chosen *c)
{
    quad bound[MOST], density = c->density;
    branch *made = add_branch(s, c->order, true, 0);
    if (!made) return;
    if (c->root == FAT_OF_ONE)
        apply(s, s->given->constraint, c->phi, bound);
    else
        memcpy(bound, c->phi, sizeof bound);
    if (c->root == FAT_OF_MANY) density *= c->order + 1;
    made->density = density;
    apply(s, (const quad(*)[MOST])s->inverse, bound, made->factor);
    s->good_fat = s->good_fat && holds(made->factor[s->stages - 1], density);
}

/* Adds branches, none later in the list than the one before, until no vertex is left. */
static void choose(search *s, const chosen *c, size_t last)
{
    if (c->left == 0) {
        if (c->root == MEAGRE)
            close_meagre(s, c);
        else if (c->root == FAT_OF_ONE || c->branches > 1)
            close_fat(s, c);
        return;
    }
    for (size_t k = 0; k <= last && s->count > 0 && !s->exhausted; k++) {
        const branch *b = &s->list[k];
        if (b->order > c->left) break;
        if (b->fat && c->root == FAT_OF_MANY) continue;
        chosen more = *c;
        more.left -= b->order;
        more.branches++;
        more.density *= b->density;
        const quad *factor = c->root == FAT_OF_MANY ? b->bound : b->factor;
        for (int i = 0; i < s->stages; i++) more.phi[i] *= factor[i];
        choose(s, &more, k);
    }
}

static void visit(search *s, root grown, int order, int vertices)
{
    chosen none = {.root = grown, .order = order, .left = vertices, .density = 1};
    for (int i = 0; i < MOST; i++) none.phi[i] = 1;
    choose(s, &none, s->count ? s->count - 1 : 0);
}

/* Inverts d, without its first row and column if z is carried on. */
static bool invert(search *s)
{
    int first = half_explicit_carries(s->given);
    square m;
    memcpy(m, s->given->constraint, sizeof m);
    return quad_invert(s->stages - first, MOST, &m[first][first], &s->inverse[first][first]) > 0;
}

dae_status half_explicit_orders(const method *given, int most, int *order)
{
    search s = {.given = given, .stages = given->stages};
    int z = 1; /* the order that the last stage has */
    bool good_fat = true;
    order[0] = order[1] = 0;
    if (!invert(&s)) return DAE_OK;
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
    order[1] = half_explicit_carries(given) && z < order[0] ? z : order[0];
    return s.exhausted ? DAE_NO_MEMORY : DAE_OK;
}
