#include "structure/mechanical_names.h"

#include "structure/incidence.h"
#include "structure/mechanical_removal.h"
#include "symbolic/simplify.h"

typedef mechanical_removal removal;
typedef mechanical_contents contents;

typedef enum rule {
    ALIAS, /* that differs in sign at most */
    MULTIPLE,
    DERIVATIVE_FREE, /* and without names of accelerations */
    OF_VELOCITIES,
    WITHOUT_ACCELERATION,
    REACTION /* free of derivatives, whatever else it holds */
} rule;

/* der(x) as it stands alone, with a velocity that may be named by an equation without other
 * derivatives and algebraic variables. */
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
    sym_view leaf;
    for (uint32_t k = 0; removal_single(r, i, k, &leaf) != SYM_NONE; k++)
        if (leaf.id == *x && leaf.order == 1) return true;
    return false;
}

static void find_kinematic(removal *r, bool pure)
{
    for (size_t i = 0; i < r->equations; i++) {
        uint32_t x = 0;
        sym_view leaf, other;
        if (r->names->residual[i] == SYM_NONE || !kinematic_coordinate(r, i, &x)) continue;
        if (pure && !removal_two_terms(r, i, &leaf, &other)) continue;
        for (uint32_t k = 0; removal_single(r, i, k, &leaf) != SYM_NONE; k++) {
            if (leaf.order > 0 || leaf.id == x || r->names->highest[leaf.id] == 0) continue;
            list_push(r->a, &r->kinematic, ((mechanical_kinematic){(uint32_t)i, leaf.id, x}));
            r->by_velocity[leaf.id]++;
            r->by_coordinate[x]++;
        }
    }
}

static void name_velocity(removal *r, const mechanical_kinematic *k)
{
    mechanical_names *n = r->names;
    if (n->residual[k->equation] == SYM_NONE || n->velocity[k->coordinate] != INCIDENCE_NONE)
        return;
    if (removal_define(r, k->equation, k->velocity, sym_variable(r->g, k->velocity, 0)))
        n->velocity[k->coordinate] = k->velocity;
}

/* Each velocity belongs to one coordinate: those that have no choice first, so that in der(x) = v,
 * v = R*der(phi), der(phi) = w the second equation remains as a constraint. */
static bool name_velocities(removal *r, bool pure)
{
    removal_begin_round(r);
    find_kinematic(r, pure);
    for (size_t k = 0; k < r->kinematic.count; k++) {
        const mechanical_kinematic *one = &r->kinematic.item[k];
        if (r->by_velocity[one->velocity] == 1 || r->by_coordinate[one->coordinate] == 1)
            name_velocity(r, one);
    }
    for (size_t k = 0; r->defined == 0 && k < r->kinematic.count; k++)
        name_velocity(r, &r->kinematic.item[k]);
    return removal_end_round(r);
}

static bool applies(const removal *r, size_t i, rule by)
{
    const contents *h = &r->holds[i];
    sym_view a, b;
    if (r->names->residual[i] == SYM_NONE) return false;
    switch (by) {
    case ALIAS:
    case MULTIPLE:
        return !h->derivatives && removal_two_terms(r, i, &a, &b) &&
               removal_is_algebraic(r, &a) != removal_is_algebraic(r, &b) &&
               (by == MULTIPLE || removal_equal_factors(r, i, 0));
    case DERIVATIVE_FREE: return !h->derivatives && !h->blocked;
    case OF_VELOCITIES: return h->velocities_alone && !h->blocked;
    case REACTION: return !h->derivatives;
    default: return h->velocities_alone && !h->algebraic;
    }
}

static bool goes(const removal *r, const sym_view *leaf, rule by)
{
    if (leaf->order > 0) return false;
    return by == WITHOUT_ACCELERATION ? r->names->highest[leaf->id] == 1
                                      : removal_is_algebraic(r, leaf);
}

/* Of the variables that may go from equation i the first; among reactions one that seems to name an
 * acceleration: m*der(v) = side, side = F - g keeps its F. */
static void remove_one(removal *r, size_t i, rule by)
{
    sym_view leaf;
    sym found;
    for (int any = by != REACTION; any <= 1; any++)
        for (uint32_t k = 0; (found = removal_single(r, i, k, &leaf)) != SYM_NONE; k++)
            if (goes(r, &leaf, by) && (any || r->may_accelerate[leaf.id]) &&
                removal_define(r, i, leaf.id, found))
                return;
}

static bool remove_by(removal *r, rule by)
{
    removal_begin_round(r);
    for (size_t i = 0; i < r->equations; i++)
        if (applies(r, i, by)) remove_one(r, i, by);
    return removal_end_round(r);
}

/* How many equations with accelerations or algebraic variables there are beyond one for each
 * coordinate. */
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

/* plain: only a = der(v), not F = m*der(v). */
static void name_acceleration(removal *r, size_t i, bool plain)
{
    sym_view a, b, sum;
    if (r->names->residual[i] == SYM_NONE || !removal_two_terms(r, i, &a, &b)) return;
    sum = sym_look(r->g, r->names->residual[i]);
    if (plain && !removal_equal_factors(r, i, -1)) return;
    if (removal_is_algebraic(r, &a) && b.order == 2)
        removal_define(r, i, a.id, sum.argument[0]);
    else if (removal_is_algebraic(r, &b) && a.order == 2)
        removal_define(r, i, b.id, sum.argument[1]);
}

static bool name_accelerations(removal *r, bool plain)
{
    size_t most = surplus(r);
    removal_begin_round(r);
    for (size_t i = 0; i < r->equations && r->defined < most; i++) name_acceleration(r, i, plain);
    return removal_end_round(r);
}

static void remove_all(removal *r, bool reactions_first)
{
    removal_survey(r);
    while (name_velocities(r, true) || remove_by(r, ALIAS) || remove_by(r, MULTIPLE) ||
           remove_by(r, DERIVATIVE_FREE) || name_velocities(r, false) ||
           remove_by(r, OF_VELOCITIES) || remove_by(r, WITHOUT_ACCELERATION) ||
           (reactions_first ? remove_by(r, REACTION) || name_accelerations(r, true)
                            : name_accelerations(r, true) || remove_by(r, REACTION)) ||
           name_accelerations(r, false)) {}
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
    r.needed = arena_array(a, unknowns, sizeof *r.needed);
    r.may_accelerate = arena_array(a, unknowns, sizeof *r.may_accelerate);
    r.by_velocity = arena_array(a, unknowns, sizeof *r.by_velocity);
    r.by_coordinate = arena_array(a, unknowns, sizeof *r.by_coordinate);
    for (size_t i = 0; i < equations; i++) {
        const sym_equation *e = &system->equation.item[i];
        n->residual[i] = sym_subtract(r.g, e->lhs, e->rhs);
        r.holds[i].of = SYM_NONE;
    }
    for (uint32_t v = 0; v < unknowns; v++) {
        n->value[v] = sym_variable(r.g, v, 0);
        n->given_by[v] = n->velocity[v] = INCIDENCE_NONE;
    }
    remove_all(&r, reactions_first);
    return n;
}
