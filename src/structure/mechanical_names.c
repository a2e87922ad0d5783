#include "structure/mechanism.h"

#include "base/round_off.h"
#include "structure/signature.h"
#include "structure/time_factors.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <math.h>

/* The first part takes names out of equations in rounds; the second part chooses them by rules.
 *
 * The definitions of a round do not contain what other definitions of the round define, so all of
 * them can be substituted at once. */

/* The contents of an equation, updated when the equation has changed. */
typedef struct contents {
    sym of;
    size_t leaves;
    const sym_leaf *leaf;    /* leaves */
    bool derivatives;        /* of first or higher order */
    bool velocities_alone;   /* only first derivatives, of variables that also have second ones */
    bool algebraic, blocked; /* holds an algebraic variable; one that may name an acceleration */
} contents;

/* c1 v + c2 der(x) + ... = 0, where v may be named the velocity of x. */
typedef struct kinematic {
    uint32_t equation, velocity, coordinate;
} kinematic;

/* What is known of an unknown. */
typedef struct marks {
    bool may_accelerate;
    bool needed; /* by a definition of this round */
    uint32_t by_velocity,
        by_coordinate; /* the number of kinematic equations that offer it as such */
} marks;

typedef struct removal {
    mechanical_names *names;
    sym_graph *g;
    arena *a;
    size_t equations, unknowns;
    contents *holds; /* equations */
    sym *definition; /* unknowns: the definition in this round, or SYM_NONE */
    marks *of;       /* unknowns */
    LIST(kinematic) kinematic;
    LIST(sym) root;
    size_t defined;          /* definitions in this round */
    size_t first_work, work; /* variables in all equations: at first, and in all rounds together */
} removal;

/* Rounds of which each finds a few definitions, as in a long chain of other things than bodies, end
 * after this many times the work of the first one. Models of the examples and tests take less than
 * 10. */
enum { MOST_WORK = 50 };

static void look(removal *r, size_t i)
{
    contents *h = &r->holds[i];
    sym residual = r->names->residual[i];
    if (h->of == residual) return;
    h->of = residual;
    h->leaves = sym_leaves(r->g, residual, &h->leaf);
}

/* Equation i: c1 a + c2 b = 0 with numbers c1 and c2. */
static bool two_terms(const removal *r, size_t i, sym_leaf *a, sym_leaf *b)
{
    if (r->names->residual[i] == SYM_NONE) return false;
    sym_view sum = sym_look(r->g, r->names->residual[i]);
    return sum.op == SYM_SUM && sum.count == 2 && sum.value == 0 &&
           sym_as_leaf(r->g, sum.argument[0], a) && sym_as_leaf(r->g, sum.argument[1], b) &&
           a->id != b->id;
}

/* Whether the factors of two terms are equal in size up to rounding, with the given sign of c1/c2,
 * or any sign for 0. */
static bool equal_factors(const removal *r, size_t i, int sign)
{
    sym_view sum = sym_look(r->g, r->names->residual[i]);
    double c1 = sum.factor[0], c2 = sum.factor[1];
    return fabs(fabs(c1) - fabs(c2)) <= ROUND_OFF_SUM / 2 * fabs(c1) &&
           (!sign || sign * c1 * c2 > 0);
}

/* Whether a leaf belongs to a variable that is never differentiated, and is no parameter. */
static bool is_algebraic(const removal *r, const sym_leaf *leaf)
{
    return r->names->highest[leaf->id] == 0 && !r->names->system->unknown.item[leaf->id].parameter;
}

static bool is_velocity(const removal *r, const sym_leaf *leaf)
{
    return leaf->order == 1 && r->names->highest[leaf->id] == 2;
}

/* Whether c1 a + c2 b = 0 lets the algebraic variable a name an acceleration: b is a derivative, or
 * an algebraic variable that may name one too. */
static bool may_name(const removal *r, const sym_leaf *a, const sym_leaf *b)
{
    if (!is_algebraic(r, a) || r->of[a->id].may_accelerate) return false;
    return is_algebraic(r, b) ? r->of[b->id].may_accelerate : b->order > 0 && !is_velocity(r, b);
}

/* Find the algebraic variables that may name accelerations. */
static void block(removal *r)
{
    for (size_t v = 0; v < r->unknowns; v++) r->of[v].may_accelerate = false;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < r->equations; i++) {
            sym_leaf a, b;
            if (!two_terms(r, i, &a, &b)) continue;
            if (may_name(r, &a, &b)) r->of[a.id].may_accelerate = more = true;
            if (may_name(r, &b, &a)) r->of[b.id].may_accelerate = more = true;
        }
    }
}

/* Update the contents of all equations. */
static void survey(removal *r)
{
    uint32_t *highest = r->names->highest;
    for (size_t v = 0; v < r->unknowns; v++) highest[v] = MECHANICAL_ABSENT;
    for (size_t i = 0; i < r->equations; i++) {
        if (r->names->residual[i] == SYM_NONE) continue;
        look(r, i);
        const contents *h = &r->holds[i];
        r->work += h->leaves;
        for (size_t k = 0; k < h->leaves; k++) {
            uint32_t *top = &highest[h->leaf[k].id];
            if (*top == MECHANICAL_ABSENT || *top < h->leaf[k].order) *top = h->leaf[k].order;
        }
    }
    block(r);
    for (size_t i = 0; i < r->equations; i++) {
        contents *h = &r->holds[i];
        if (r->names->residual[i] == SYM_NONE) continue;
        h->derivatives = h->algebraic = h->blocked = false;
        h->velocities_alone = true;
        for (size_t k = 0; k < h->leaves; k++) {
            const sym_leaf *leaf = &h->leaf[k];
            if (leaf->order > 0) h->derivatives = true;
            if (leaf->order > 0 && !is_velocity(r, leaf)) h->velocities_alone = false;
            if (is_algebraic(r, leaf)) h->algebraic = true;
            if (r->of[leaf->id].may_accelerate) h->blocked = true;
        }
    }
}

/* Take equation i, the sum of `factor` times the leaf v and terms free of v, as the definition of
 * v, unless a definition of this round needs v, or v needs one. */
static bool define(removal *r, size_t i, const sym_leaf *v)
{
    sym residual = r->names->residual[i], rest = sym_number(r->g, 0);
    sym_view sum = sym_look(r->g, residual);
    double factor = 1;
    if (r->of[v->id].needed || r->definition[v->id] != SYM_NONE) return false;
    if (sum.op == SYM_SUM) {
        double *others = arena_array(r->a, sum.count, sizeof *others);
        for (uint32_t k = 0; k < sum.count; k++)
            if (sum.argument[k] == v->node) factor = sum.factor[k];
        for (uint32_t k = 0; k < sum.count; k++)
            others[k] = sum.argument[k] == v->node ? 0 : -sum.factor[k] / factor;
        rest = sym_sum(r->g, -sum.value / factor, sum.count, sum.argument, others);
    }
    const sym_leaf *found;
    size_t leaves = sym_leaves(r->g, rest, &found);
    for (size_t k = 0; k < leaves; k++)
        if (found[k].id == v->id || r->definition[found[k].id] != SYM_NONE) return false;
    for (size_t k = 0; k < leaves; k++) r->of[found[k].id].needed = true;
    r->definition[v->id] = rest;
    r->names->given_by[v->id] = (uint32_t)i;
    r->names->residual[i] = SYM_NONE;
    r->defined++;
    return true;
}

/* The k-th variable that is a term of the sum, times a number; false after the last. */
static bool single(const removal *r, size_t i, uint32_t k, sym_leaf *leaf)
{
    sym residual = r->names->residual[i];
    sym_view sum = sym_look(r->g, residual);
    uint32_t count = sum.op == SYM_SUM ? sum.count : 1;
    for (uint32_t at = 0; at < count; at++)
        if (sym_as_leaf(r->g, sum.op == SYM_SUM ? sum.argument[at] : residual, leaf) && k-- == 0)
            return true;
    return false;
}

/* Forget the definitions of the last round. */
static void begin_round(removal *r)
{
    r->defined = 0;
    r->kinematic.count = 0;
    for (size_t v = 0; v < r->unknowns; v++) {
        r->definition[v] = SYM_NONE;
        r->of[v] = (marks){.may_accelerate = r->of[v].may_accelerate};
    }
}

/* Substitute the definitions of this round; false if there are none. */
static bool end_round(removal *r)
{
    mechanical_names *n = r->names;
    if (r->defined == 0) return false;
    r->root.count = 0;
    for (size_t i = 0; i < r->equations; i++)
        if (n->residual[i] != SYM_NONE) list_push(r->a, &r->root, n->residual[i]);
    for (size_t v = 0; v < r->unknowns; v++) list_push(r->a, &r->root, n->value[v]);
    sym_substitute_definitions(r->g, r->root.count, r->root.item, r->definition);
    const sym *next = r->root.item;
    for (size_t i = 0; i < r->equations; i++)
        if (n->residual[i] != SYM_NONE) n->residual[i] = *next++;
    for (size_t v = 0; v < r->unknowns; v++) n->value[v] = *next++;
    survey(r);
    return true;
}

typedef enum rule {
    ALIAS, /* an alias that differs at most in sign */
    MULTIPLE,
    DERIVATIVE_FREE, /* free of derivatives and of names of accelerations */
    OF_VELOCITIES,
    WITHOUT_ACCELERATION,
    REACTION /* free of derivatives, whatever else it contains */
} rule;

/* Find a coordinate x for which der(x) is a term of the equation, with a velocity that can be named
 * by it: the equation contains no other derivatives and no algebraic variables. */
static bool kinematic_coordinate(const removal *r, size_t i, uint32_t *x)
{
    const contents *h = &r->holds[i];
    size_t derivatives = 0;
    if (h->algebraic) return false;
    for (size_t k = 0; k < h->leaves; k++) {
        if (h->leaf[k].order == 0) continue;
        derivatives++;
        *x = h->leaf[k].id;
        if (h->leaf[k].order > 1) return false;
    }
    if (derivatives != 1 || r->names->velocity[*x] != INCIDENCE_NONE) return false;
    sym_leaf leaf;
    for (uint32_t k = 0; single(r, i, k, &leaf); k++)
        if (leaf.id == *x && leaf.order == 1) return true;
    return false;
}

static void find_kinematic(removal *r, bool pure)
{
    for (size_t i = 0; i < r->equations; i++) {
        uint32_t x = 0;
        sym_leaf leaf, other;
        if (r->names->residual[i] == SYM_NONE || !kinematic_coordinate(r, i, &x)) continue;
        if (pure && !two_terms(r, i, &leaf, &other)) continue;
        for (uint32_t k = 0; single(r, i, k, &leaf); k++) {
            if (leaf.order > 0 || leaf.id == x || r->names->highest[leaf.id] == 0) continue;
            list_push(r->a, &r->kinematic, ((kinematic){(uint32_t)i, leaf.id, x}));
            r->of[leaf.id].by_velocity++;
            r->of[x].by_coordinate++;
        }
    }
}

static void name_velocity(removal *r, const kinematic *k)
{
    mechanical_names *n = r->names;
    if (n->residual[k->equation] == SYM_NONE || n->velocity[k->coordinate] != INCIDENCE_NONE)
        return;
    sym_leaf v = {sym_variable(r->g, k->velocity, 0), k->velocity, 0};
    if (define(r, k->equation, &v)) n->velocity[k->coordinate] = k->velocity;
}

/* Name velocities; each belongs to one coordinate. Those without a choice come first, so that of
 * der(x) = v, v = R*der(phi), der(phi) = w the second equation stays as a constraint. */
static bool name_velocities(removal *r, bool pure)
{
    begin_round(r);
    find_kinematic(r, pure);
    for (size_t k = 0; k < r->kinematic.count; k++) {
        const kinematic *one = &r->kinematic.item[k];
        if (r->of[one->velocity].by_velocity == 1 || r->of[one->coordinate].by_coordinate == 1)
            name_velocity(r, one);
    }
    for (size_t k = 0; r->defined == 0 && k < r->kinematic.count; k++)
        name_velocity(r, &r->kinematic.item[k]);
    return end_round(r);
}

static bool applies(const removal *r, size_t i, rule by)
{
    const contents *h = &r->holds[i];
    sym_leaf a, b;
    if (r->names->residual[i] == SYM_NONE) return false;
    switch (by) {
    case ALIAS:
    case MULTIPLE:
        return !h->derivatives && two_terms(r, i, &a, &b) &&
               is_algebraic(r, &a) != is_algebraic(r, &b) &&
               (by == MULTIPLE || equal_factors(r, i, 0));
    case DERIVATIVE_FREE: return !h->derivatives && !h->blocked;
    case OF_VELOCITIES: return h->velocities_alone && !h->blocked;
    case REACTION: return !h->derivatives;
    default: return h->velocities_alone && !h->algebraic;
    }
}

static bool goes(const removal *r, const sym_leaf *leaf, rule by)
{
    if (leaf->order > 0) return false;
    return by == WITHOUT_ACCELERATION ? r->names->highest[leaf->id] == 1 : is_algebraic(r, leaf);
}

/* Remove the first variable that may be taken out by equation i. Among reactions, one that seems to
 * name an acceleration comes first: m*der(v) = side, side = F - g keeps F. */
static void remove_one(removal *r, size_t i, rule by)
{
    sym_leaf leaf;
    for (int any = by != REACTION; any <= 1; any++)
        for (uint32_t k = 0; single(r, i, k, &leaf); k++)
            if (goes(r, &leaf, by) && (any || r->of[leaf.id].may_accelerate) && define(r, i, &leaf))
                return;
}

static bool remove_by(removal *r, rule by)
{
    begin_round(r);
    for (size_t i = 0; i < r->equations; i++)
        if (applies(r, i, by)) remove_one(r, i, by);
    return end_round(r);
}

/* How many more equations with accelerations or algebraic variables than coordinates there are. */
static size_t surplus(const removal *r)
{
    size_t motion = 0, coordinates = 0;
    for (size_t i = 0; i < r->equations; i++) {
        const contents *h = &r->holds[i];
        if (r->names->residual[i] == SYM_NONE) continue;
        motion += h->algebraic || (h->derivatives && !h->velocities_alone);
    }
    for (size_t v = 0; v < r->unknowns; v++) coordinates += r->names->highest[v] == 2;
    return motion > coordinates ? motion - coordinates : 0;
}

/* plain: only for a = der(v), not for F = m*der(v). */
static void name_acceleration(removal *r, size_t i, bool plain)
{
    sym_leaf a, b;
    if (!two_terms(r, i, &a, &b) || (plain && !equal_factors(r, i, -1))) return;
    if (is_algebraic(r, &a) && b.order == 2)
        define(r, i, &a);
    else if (is_algebraic(r, &b) && a.order == 2)
        define(r, i, &b);
}

static bool name_accelerations(removal *r, bool plain)
{
    size_t most = surplus(r);
    begin_round(r);
    for (size_t i = 0; i < r->equations && r->defined < most; i++) name_acceleration(r, i, plain);
    return end_round(r);
}

/* One round; false if it finds nothing. */
static bool remove_some(removal *r, bool reactions_first)
{
    return name_velocities(r, true) || remove_by(r, ALIAS) || remove_by(r, MULTIPLE) ||
           remove_by(r, DERIVATIVE_FREE) || name_velocities(r, false) ||
           remove_by(r, OF_VELOCITIES) || remove_by(r, WITHOUT_ACCELERATION) ||
           (reactions_first ? remove_by(r, REACTION) || name_accelerations(r, true)
                            : name_accelerations(r, true) || remove_by(r, REACTION)) ||
           name_accelerations(r, false);
}

static void remove_all(removal *r, bool reactions_first)
{
    survey(r);
    r->first_work = r->work + r->equations;
    while (r->work <= MOST_WORK * r->first_work && remove_some(r, reactions_first)) {}
}

mechanical_names *mechanical_names_remove(const sym_system *system, bool reactions_first)
{
    arena *a = system->memory;
    mechanical_names *n = arena_take(a, sizeof *n);
    removal r = {.names = n, .g = system->graph, .a = a};
    size_t equations = r.equations = system->equation.count;
    size_t unknowns = r.unknowns = system->unknown.count;
    n->system = system;
    n->residual = arena_array(a, equations, sizeof *n->residual);
    n->value = arena_array(a, unknowns, sizeof *n->value);
    n->given_by = arena_array(a, unknowns, sizeof *n->given_by);
    n->highest = arena_array(a, unknowns, sizeof *n->highest);
    n->velocity = arena_array(a, unknowns, sizeof *n->velocity);
    r.holds = arena_array(a, equations, sizeof *r.holds);
    r.definition = arena_array(a, unknowns, sizeof *r.definition);
    r.of = arena_array(a, unknowns, sizeof *r.of);
    for (size_t i = 0; i < equations; i++) {
        n->residual[i] = structure_without_time_factors(r.g, sym_residual(system, i));
        r.holds[i].of = SYM_NONE;
    }
    for (uint32_t v = 0; v < unknowns; v++) {
        n->value[v] = sym_variable(r.g, v, 0);
        n->given_by[v] = n->velocity[v] = INCIDENCE_NONE;
    }
    remove_all(&r, reactions_first);
    return n;
}
