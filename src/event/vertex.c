/* Vertices: instants at which several relations are 0 together, with rates that are 0 or not known,
 * as those of a bridge of diodes before anything flows. All modes have the same values there. Only
 * those are right in which the solution goes on: in others it leads at once to values that they
 * exclude, and one event would follow the other. They are told by going ahead, as the steps of
 * implicit Euler choose them (Acary & Brogliato, Numerical Methods for Nonsmooth Dynamical Systems,
 * 2008, Ch. 9). */
#include "event/settling.h"

#include "base/round_off.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most surfaces of a vertex, and the most modes that are tried. */
enum { MOST_AT_VERTEX = 32, MOST_MODES = 64 };

/* A way ahead is gone in one step by derivatives, in two and in three. Extrapolated to steps of no
 * length (Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, 1993, Sec. II.9), it
 * is right up to the third power of time: where a string goes slack its length has no other. */
enum { WAYS = 3 };
static const double OF_WAY[WAYS] = {0.5, -4, 4.5};

/* The way ahead grows by a factor until all relations are seen to leave 0; what changes with a
 * higher power of time leaves it later, by the root of round-off and its like. */
static const double SHORTEST = 1e-18, LONGEST = 1, GROWTH = 64, LATER = 1e9;
enum { SEEN_GROWING = 2 };

typedef struct vertex {
    size_t surface[MOST_AT_VERTEX], count;
    bool excluded[MOST_AT_VERTEX]; /* the solution leads to the side that its mode excludes */
    uint32_t tried[MOST_MODES];    /* bits: the surface's relation is true */
    size_t tries;
} vertex;

/* The variable that a relation compares with a number; UINT32_MAX: it compares something else. */
static uint32_t compared(const switching *s, sym_graph *g, size_t k)
{
    sym_view view = sym_look(g, sym_relation_node(g, k));
    sym difference = sym_subtract(g, view.argument[0], view.argument[1]);
    structure_to_core(s->system, s->f->core, 1, &difference);
    view = sym_look(g, difference);
    if (view.op == SYM_SUM && view.count == 1) view = sym_look(g, view.argument[0]);
    return view.op == SYM_VARIABLE && view.order == 0 ? view.id : UINT32_MAX;
}

void settling_find_differentiated(const switching *s, arena *a, sym_graph *g)
{
    const sym_system *from = s->system;
    const sym *reached;
    LIST(sym) root = {0};
    for (size_t i = 0; i < from->equation.count; i++) {
        list_push(a, &root, from->equation.item[i].lhs);
        list_push(a, &root, from->equation.item[i].rhs);
    }
    for (size_t i = 0; i < root.count; i++) {
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(g, root.item[i], &leaf);
        for (size_t k = 0; k < leaves; k++)
            if (leaf[k].order > 0) s->modes->by_author[leaf[k].id] = true;
    }
    structure_to_core(from, s->f->core, root.count, root.item);
    size_t count = sym_reach(g, root.count, root.item, &reached);
    bool *differentiated = s->modes->differentiated;
    for (size_t i = 0; i < count; i++) {
        sym_view v = sym_look(g, reached[i]);
        if (v.op == SYM_VARIABLE && v.order > 0 && v.id < s->modes->unknowns)
            differentiated[v.id] = true;
    }
    for (size_t k = 0; k < s->relations; k++) {
        uint32_t id = compared(s, g, k);
        s->modes->relation[k].is_of_state = id < s->modes->unknowns && differentiated[id];
    }
}

/* Whether the state stands at the surface of relation k, the first one of it. A variable that is
 * differentiated is the same in all modes, and is seen to leave 0. */
static bool is_met(const switching *s, size_t k)
{
    const relation_state *r = &s->modes->relation[k];
    bool state = s->relation[k].kind == RELATION_STATE && r->surface == k && !r->kink;
    bool open = state && !r->stuck && !(r->equal > 0) && !r->is_of_state;
    return open && settling_is_at_surface(s, k);
}

/* Whether rates do not tell how relation k leaves 0, nor has a step shown it. */
static bool is_untold(const switching *s, size_t k)
{
    bool told = fabs(s->changes[k]) > switching_clear_rate(s, k);
    return s->modes->relation[k].passed == 0 && !told;
}

/* The surfaces of a part at which the state stands. Returns whether they are a vertex. */
static bool find(const settling *e, size_t part, vertex *v)
{
    const switching *s = e->s;
    bool untold = false;
    size_t met = 0;
    *v = (vertex){.count = 0};
    for (size_t k = 0; k < s->relations; k++) {
        const relation_state *r = &s->modes->relation[k];
        if (r->part != part || !is_met(s, k)) continue;
        met++;
        if (r->passed != 0) continue;
        if (v->count == MOST_AT_VERTEX) return false;
        v->surface[v->count++] = k;
        untold = untold || is_untold(s, k);
    }
    return untold && met > 1;
}

static bool is_true(const switching *s, size_t k)
{
    return s->modes->relation[k].is == SYM_HELD_TRUE;
}

/* Goes ahead in the present modes in so many steps, and adds a part of what surfaces change by.
 * *done: it can. All is then as it was before. */
static dae_status go_one_way(settling *e, double way, int steps, const vertex *v, double part,
                             double *change, bool *done)
{
    switching *s = e->s;
    double *z = e->z, h = way / steps;
    dae_status status = DAE_OK;
    settling_keep(e);
    for (size_t i = 0; i < v->count; i++) change[i] -= part * s->value[v->surface[i]];
    for (int n = 1; n <= steps && status == DAE_OK; n++) {
        settling_move(e->s->f->p, e->z, h);
        status = e->resolve(e->self, e->t + n * h, &e->s, &e->z, &e->tried);
    }
    *done = status == DAE_OK;
    if (*done) switching_look(e->s, e->t + way, e->z);
    for (size_t i = 0; i < v->count && *done; i++) {
        change[i] += part * e->s->value[v->surface[i]];
        *done = isfinite(change[i]); /* beyond the end of a root there is no value */
    }
    settling_restore(e, s, z);
    switching_look(e->s, e->t, e->z);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* What surfaces change by on the way, in the present modes. */
static dae_status go_ahead(settling *e, double way, const vertex *v, double *change, bool *done)
{
    dae_status status = DAE_OK;
    *done = true;
    for (size_t i = 0; i < v->count; i++) change[i] = 0;
    for (int k = 0; k < WAYS && status == DAE_OK && *done; k++)
        status = go_one_way(e, way, k + 1, v, OF_WAY[k], change, done);
    return status;
}

/* What a surface does on ways ahead, each GROWTH times longer than the one before. Rounding does
 * not grow with them. */
typedef struct course_ahead {
    double change;
    int grows; /* so many times in a row it has grown, and kept its sign */
} course_ahead;

static bool take_change(course_ahead *c, double change)
{
    bool grows = change * c->change > 0 && fabs(change) > 0.25 * GROWTH * fabs(c->change);
    c->grows = grows ? c->grows + 1 : 0;
    c->change = change;
    return c->grows >= SEEN_GROWING;
}

/* Whether the solution goes on in the present modes; if not, v->excluded says why. *done: it is
 * known. */
static dae_status goes_on(settling *e, vertex *v, bool *on, bool *done)
{
    double direction = e->s->modes->direction, unit = fmax(e->s->quickest, 1), seen = HUGE_VAL;
    double h = fmax(SHORTEST / unit, 16 * switching_resolution(e->t)), change[MOST_AT_VERTEX];
    course_ahead c[MOST_AT_VERTEX] = {{0}};
    bool clear = false;
    *on = *done = true;
    for (; *on && !clear && *done && h < fmin(LONGEST / unit, LATER * seen); h *= GROWTH) {
        dae_status status = go_ahead(e, WAYS * h * direction, v, change, done);
        if (status != DAE_OK) return status;
        clear = true;
        for (size_t i = 0; i < v->count && *done; i++) {
            bool left = take_change(&c[i], change[i]);
            v->excluded[i] = left && (change[i] < 0) != is_true(e->s, v->surface[i]);
            if (v->excluded[i]) *on = false;
            if (left) seen = fmin(seen, h);
            clear = clear && left;
        }
    }
    return DAE_OK;
}

dae_status settling_goes_on(settling *e, size_t k, bool *on, bool *done)
{
    vertex v = {.surface = {k}, .count = 1};
    return goes_on(e, &v, on, done);
}

static uint32_t modes_of(const switching *s, const vertex *v)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < v->count; i++) bits |= (uint32_t)is_true(s, v->surface[i]) << i;
    return bits;
}

static bool was_tried(const vertex *v, uint32_t bits)
{
    for (size_t i = 0; i < v->tries; i++)
        if (v->tried[i] == bits) return true;
    return false;
}

/* The modes that are tried next: all surfaces that are left to an excluded side have the other one;
 * where that has been tried, the first of them that has not (Murty, Linear Algebra Appl. 5 (1972)
 * 65). Returns whether there are any. */
static bool next_modes(vertex *v, uint32_t *bits)
{
    uint32_t now = *bits;
    for (size_t i = 0; i < v->count; i++)
        if (v->excluded[i]) *bits ^= (uint32_t)1 << i;
    for (size_t i = 0; was_tried(v, *bits) && i < v->count; i++)
        if (v->excluded[i]) *bits = now ^ (uint32_t)1 << i;
    return !was_tried(v, *bits) && v->tries < MOST_MODES;
}

static void hold_all(switching *s, const vertex *v, uint32_t bits)
{
    for (size_t i = 0; i < v->count; i++) settling_hold_side(s, v->surface[i], bits >> i & 1);
}

/* Tries modes one after the other, from those of the event on. *found: the solution goes on in
 * them. */
static dae_status search(settling *e, vertex *v, bool *found)
{
    uint32_t bits = modes_of(e->s, v);
    dae_status status = DAE_OK;
    *found = false;
    while (status == DAE_OK && !*found) {
        bool solved = false;
        v->tried[v->tries++] = bits;
        if (!next_modes(v, &bits)) return DAE_OK;
        settling_search_again(e);
        hold_all(e->s, v, bits);
        status = settling_try_modes(e, &solved);
        if (status != DAE_OK || !solved || e->s->modes->jumped) return status;
        switching_look(e->s, e->t, e->z);
        bool done;
        status = goes_on(e, v, found, &done);
        *found = *found && done;
    }
    return status;
}

static dae_status leave_vertex_of(settling *e, size_t part)
{
    vertex v;
    bool on = true, done = true, found = false;
    if (!find(e, part, &v)) return DAE_OK;
    dae_status status = goes_on(e, &v, &on, &done);
    if (status != DAE_OK || on || !done) return status;
    uint32_t before = modes_of(e->s, &v);
    settling_begin_search(e);
    settling_aside aside;
    settling_hush(e, &aside);
    status = search(e, &v, &found);
    settling_hear(e, &aside);
    if (status != DAE_OK) return status;
    if (!found) {
        settling_search_again(e);
        hold_all(e->s, &v, before);
        return settling_find_modes(e);
    }
    return settling_run_rounds(e);
}

static void look(settling *e)
{
    switching_look(e->s, e->t, e->z);
    switching_look_at_rates(e->s);
}

dae_status settling_leave_vertex(settling *e)
{
    dae_status status = DAE_OK;
    const switching_modes *m = e->s->modes;
    if (m->sliding > 0) return DAE_OK;
    look(e);
    memset(m->untold, 0, m->parts * sizeof *m->untold);
    for (size_t k = 0; k < m->relations; k++)
        if (is_met(e->s, k) && is_untold(e->s, k)) m->untold[m->relation[k].part] = true;
    for (size_t part = 0; part < m->parts && status == DAE_OK; part++) {
        if (!m->untold[part]) continue;
        status = leave_vertex_of(e, part);
        look(e);
    }
    return status;
}
