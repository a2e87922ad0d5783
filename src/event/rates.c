/* How relations of the state change, by which they leave 0. */
#include "event/switching.h"

#include "base/round_off.h"
#include "symbolic/cells.h"
#include "symbolic/derive.h"
#include "symbolic/lists.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

double switching_resolution(double t)
{
    return ROUND_OFF_VALUE * fabs(t);
}

/* The size of a node at the nominal sizes of its variables, by those of its arguments. */
static double nominal_size(const switching *s, const sym_graph *g, const sym_view *v,
                           const double *of)
{
    double size = 0, product = 1;
    switch (v->op) {
    case SYM_CONSTANT: return fabs(sym_value(g, v->value));
    case SYM_CELL: return fabs(sym_cell_value(g, v->id));
    case SYM_ELEMENT: return sym_list_largest(sym_list_of(g, v->id));
    case SYM_CALL: return 1;
    case SYM_VARIABLE:
        return v->id < s->system->unknown.count ? s->system->unknown.item[v->id].nominal : 1;
    case SYM_SUM:
        for (uint32_t i = 0; i < v->count; i++) size += fabs(sym_value(g, v->factor[i])) * of[i];
        return size;
    case SYM_PRODUCT:
        for (uint32_t i = 0; i < v->count; i++) product *= pow(of[i], sym_value(g, v->factor[i]));
        return isfinite(product) ? product : 1;
    case SYM_MIN:
    case SYM_MAX:
    case SYM_IF:
        for (uint32_t i = v->op == SYM_IF; i < v->count; i++) size = fmax(size, of[i]);
        return size;
    default: break;
    }
    double x[3] = {0, 0, 0};
    for (uint32_t i = 0; i < v->count && i < 3; i++) x[i] = of[i];
    double value = v->count > 0 ? fabs(sym_operate(v->op, x[0], x[1], x[2])) : 1;
    return isfinite(value) && value > 0 ? value : 1;
}

/* The same with cells as they will be: a discrete variable that is 0 at first may have another
 * value later, as pre(mode) of pre(mode)*w. Within functions they count as they are. */
static sym nominal_later_of(sym_graph *g, const sym_view *v, sym node, const sym *later, double now)
{
    if (v->op == SYM_CELL) return sym_function(g, SYM_ABS, node);
    if (v->op != SYM_SUM && v->op != SYM_PRODUCT) return sym_number(g, now);
    sym size = sym_number(g, v->op == SYM_PRODUCT);
    for (uint32_t i = 0; i < v->count; i++) {
        double factor = sym_value(g, v->factor[i]);
        size = v->op == SYM_SUM ? sym_add(g, size, sym_scale(g, fabs(factor), later[i]))
                                : sym_multiply(g, size, sym_power_number(g, later[i], factor));
    }
    return size;
}

static sym nominal_later(const switching *s, sym_graph *g, sym f)
{
    const sym *node;
    size_t count = sym_keep_reached(g, 1, &f, &node);
    arena *a = sym_graph_arena(g);
    double *now = arena_array(a, count, sizeof *now), *of_now = NULL;
    sym *later = arena_array(a, count, sizeof *later), *of_later = NULL;
    for (size_t k = 0, room = 0; k < count; k++) {
        sym_view v = sym_look(g, node[k]);
        if (v.count > room) {
            room = 2 * (size_t)v.count;
            of_now = arena_array(a, room, sizeof *of_now);
            of_later = arena_array(a, room, sizeof *of_later);
        }
        for (uint32_t i = 0; i < v.count; i++) {
            size_t at = sym_place(count, node, v.argument[i]);
            of_now[i] = now[at];
            of_later[i] = later[at];
        }
        now[k] = nominal_size(s, g, &v, of_now);
        later[k] = nominal_later_of(g, &v, node[k], of_later, now[k]);
    }
    return later[count - 1];
}

/* The sum of the nominal sizes of the terms of f that have errors: not of numbers, cells and time.
 */
static sym nominal_terms(const switching *s, sym_graph *g, sym f)
{
    sym_view v = sym_look(g, f);
    const double one = 1;
    if (v.op != SYM_SUM) v = (sym_view){.count = 1, .argument = &f, .factor = &one};
    sym sum = sym_number(g, 0);
    for (uint32_t i = 0; i < v.count; i++) {
        sym_op op = sym_look(g, v.argument[i]).op;
        if (op == SYM_CELL || op == SYM_ELEMENT || op == SYM_TIME || op == SYM_CONSTANT) continue;
        sym size = nominal_later(s, g, v.argument[i]);
        sum = sym_add(g, sum, sym_scale(g, fabs(sym_value(g, v.factor[i])), size));
    }
    return sum;
}

sym switching_terms(sym_graph *g, sym f)
{
    sym_view v = sym_look(g, f);
    const double one = 1;
    if (v.op != SYM_SUM) v = (sym_view){.count = 1, .argument = &f, .factor = &one};
    sym sum = sym_number(g, fabs(sym_value(g, v.value)));
    for (uint32_t i = 0; i < v.count; i++) {
        double factor = fabs(sym_value(g, v.factor[i]));
        sym size = sym_function(g, SYM_ABS, v.argument[i]);
        sum = sym_add(g, sum, sym_multiply(g, sym_number(g, factor), size));
    }
    return sum;
}

static double nominal_of(const switching *s, uint32_t id)
{
    return id < s->system->unknown.count ? s->system->unknown.item[id].nominal : 1;
}

/* The size of what relation k compares: both sides as they are, and the nominal size of a variable,
 * but for no more than that of their terms. */
static sym compared_size(const switching *s, sym_graph *g, size_t k, sym terms)
{
    sym_view view = sym_look(g, sym_relation_node(g, k));
    sym size = sym_add(g, sym_function(g, SYM_ABS, view.argument[0]),
                       sym_function(g, SYM_ABS, view.argument[1]));
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(g, sym_relation_node(g, k), &leaf);
    double nominal = 0;
    for (size_t i = 0; i < leaves; i++) nominal = fmax(nominal, nominal_of(s, leaf[i].id));
    return sym_add(g, size, sym_binary(g, SYM_MIN, terms, sym_number(g, nominal)));
}

bool switching_knows(const switching *s, sym_graph *g, sym f)
{
    const prolongation *p = s->f->p;
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(g, f, &leaf);
    for (size_t k = 0; k < leaves; k++) {
        uint32_t column = p->column_of[leaf[k].id];
        if (column == INCIDENCE_NONE || leaf[k].order > p->d[column]) return false;
    }
    return true;
}

/* Whether f depends on nothing but states, time and cells. */
static bool is_of_states(const switching *s, sym_graph *g, sym f)
{
    const prolongation *p = s->f->p;
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(g, f, &leaf);
    for (size_t k = 0; k < leaves; k++) {
        uint32_t column = p->column_of[leaf[k].id];
        if (column == INCIDENCE_NONE || leaf[k].order >= p->d[column]) return false;
    }
    return true;
}

/* The derivatives of rates, which tell a rest from a turn. */
static void compile_bends(switching *s, arena *a, sym_graph *g, const sym *rate)
{
    size_t count = s->relations;
    sym *bend = arena_array(a, 2 * count, sizeof *bend);
    sym *of = arena_duplicate(a, rate, count, sizeof *rate);
    arena_vectors(a, 2 * count + 1, (double **[]){&s->bends, NULL});
    switching_to_states(s, a, g, count, of, bend);
    for (size_t k = 0; k < count; k++) {
        if (s->relation[k].kind != RELATION_STATE || !switching_knows(s, g, bend[k]))
            bend[k] = sym_number(g, (double)NAN);
        bend[count + k] = switching_terms(g, bend[k]);
    }
    s->bend = prolongation_tape(a, s->f->p, 2 * count, bend);
}

/* The entry of z that an expression is, if that is a state; SIZE_MAX: it is none. */
static size_t state_of(const switching *s, const sym_graph *g, sym f)
{
    const prolongation *p = s->f->p;
    sym_view view = sym_look(g, f);
    if (view.op != SYM_VARIABLE) return SIZE_MAX;
    uint32_t column = p->column_of[view.id];
    bool is_state = column != INCIDENCE_NONE && view.order < p->d[column];
    return is_state ? p->first[column] + view.order : SIZE_MAX;
}

/* The first term of f that is a state of its own, and its factor. Returns the number of terms. */
static uint32_t find_shift(const switching *s, const sym_graph *g, sym f, size_t *shift, double *by)
{
    const double one = 1;
    sym_view view = sym_look(g, f);
    if (view.op != SYM_SUM) view = (sym_view){.count = 1, .argument = &f, .factor = &one};
    *shift = SIZE_MAX;
    for (uint32_t i = 0; i < view.count && *shift == SIZE_MAX; i++) {
        *shift = state_of(s, g, view.argument[i]);
        *by = sym_value(g, view.factor[i]);
    }
    return view.count;
}

/* The terms of a difference that are states of their own. */
static void find_entry(switching *s, const sym_graph *g, size_t k, sym difference)
{
    uint32_t terms = find_shift(s, g, difference, &s->shift[k], &s->by_shift[k]);
    s->entry[k] = terms == 1 ? s->shift[k] : SIZE_MAX;
    s->by_entry[k] = s->by_shift[k];
}

/* For each relation: the sizes of its terms and of those of its rate, the first at nominal sizes,
 * the size of what it compares, and the effects of errors. */
enum { TERMS = 4 + SWITCHING_EFFECTS };

void switching_compile_rates(switching *s, arena *a, sym_graph *g)
{
    size_t count = s->relations;
    sym *rate = arena_array(a, count, sizeof *rate),
        *difference = arena_array(a, count, sizeof *difference),
        *terms = arena_array(a, TERMS * count, sizeof *terms), effect[SWITCHING_EFFECTS];
    arena_vectors(a, count + 1,
                  (double **[]){&s->nominal, &s->largest, &s->changes, &s->by_entry, &s->by_shift,
                                &s->by_slow, NULL});
    s->shift = arena_array(a, count + 1, sizeof *s->shift);
    s->entry = arena_array(a, count + 1, sizeof *s->entry);
    s->slow = arena_array(a, count + 1, sizeof *s->slow);
    s->of_states = arena_array(a, count + 1, sizeof *s->of_states);
    arena_vectors(a, TERMS * count + 1, (double **[]){&s->summed, NULL});
    for (size_t k = 0; k < count; k++) {
        sym_view view = sym_look(g, sym_relation_node(g, k));
        difference[k] = sym_subtract(g, view.argument[0], view.argument[1]);
        /* a velocity that is the derivative of a position has its own nominal size */
        terms[2 * count + k] = nominal_terms(s, g, difference[k]);
        terms[3 * count + k] = compared_size(s, g, k, terms[2 * count + k]);
        switching_effects(s, g, difference[k], effect);
        for (size_t i = 0; i < SWITCHING_EFFECTS; i++) terms[(4 + i) * count + k] = effect[i];
    }
    structure_to_core(s->system, s->f->core, count, difference);
    structure_to_core(s->system, s->f->core, (TERMS - 2) * count, terms + 2 * count);
    for (size_t k = 0; k < count; k++) s->of_states[k] = is_of_states(s, g, difference[k]);
    switching_to_states(s, a, g, count, difference, rate);
    for (size_t k = 0; k < count; k++) {
        find_entry(s, g, k, difference[k]);
        (void)find_shift(s, g, rate[k], &s->slow[k], &s->by_slow[k]);
        if (s->relation[k].kind != RELATION_STATE || !switching_knows(s, g, rate[k]))
            rate[k] = sym_number(g, (double)NAN);
        terms[k] = switching_terms(g, difference[k]);
        terms[count + k] = switching_terms(g, rate[k]);
    }
    s->rate = prolongation_tape(a, s->f->p, count, rate);
    switching_compile_flows(s, a, g, rate);
    s->terms = prolongation_tape(a, s->f->p, TERMS * count, terms);
    if (count <= SWITCHING_MOST_AT_REST) compile_bends(s, a, g, rate);
}

double switching_band(const switching *s, size_t k)
{
    static const double MOST = 0.01;
    double errors = s->modes->rtol * s->size[k] + s->modes->atol * s->nominal[k];
    double compared = s->summed[3 * s->relations + k];
    return isfinite(compared) ? fmin(errors, MOST * compared) : errors;
}

double switching_rounded(const switching *s, size_t k)
{
    return ROUND_OFF_ITERATED * (s->size[k] + s->nominal[k]);
}

/* Where factors are 0 together, errors of the first steps after decide their signs: this part of
 * the tolerance. With all of it, products of many factors would be told from 0 too late. */
static const double OF_FIRST_STEPS = 0.01;

/* What errors of the state make of relation k, over their size. */
static double effect_of_errors(const switching *s, size_t k)
{
    double sum = 0, error = OF_FIRST_STEPS * s->modes->atol;
    for (size_t i = SWITCHING_EFFECTS; i-- > 0;)
        sum = sum * error + s->summed[(4 + i) * s->relations + k];
    return sum;
}

void switching_take_sizes(switching *s)
{
    sym_tape_eval(s->terms, s->input, s->summed);
    memcpy(s->size, s->summed, s->relations * sizeof *s->size);
    for (size_t k = 0; k < s->relations; k++) { /* near a root's end the series says too much */
        double most = s->summed[2 * s->relations + k];
        s->largest[k] = isfinite(most) ? most : 1;
        s->nominal[k] = fmin(effect_of_errors(s, k), s->largest[k]);
    }
}

/* The fastest rate of a variable, and that of a variable or a derivative, in nominal sizes. */
static void find_fastest(switching *s)
{
    const prolongation *p = s->f->p;
    const double *nominal = s->f->levels->levels.nominal, *z = s->input + 1;
    s->quickest = s->moves = 0;
    for (size_t j = 0; j < p->n; j++) {
        for (size_t k = p->first[j]; k + 1 < p->first[j + 1]; k++) {
            double rate = fabs(z[k + 1]) / nominal[k];
            if (k == p->first[j]) s->quickest = fmax(s->quickest, rate);
            s->moves = fmax(s->moves, rate);
        }
    }
}

void switching_look_at_later_rates(switching *s)
{
    sym_tape_eval(s->rate, s->input, s->changes);
    switching_look_at_flows(s);
    switching_take_sizes(s);
    find_fastest(s);
}

void switching_look_at_rates(switching *s)
{
    switching_look_at_later_rates(s);
    for (size_t k = 0; k < s->relations; k++)
        s->modes->relation[k].fastest = fmax(s->modes->relation[k].fastest, fabs(s->changes[k]));
}

double switching_rate_rounding(const switching *s, size_t k)
{
    double t = fabs(s->input[0]); /* where all is at rest, rates are roundings */
    double quickest = s->moves * t < 1 && t > 0 ? 1 / t : s->quickest;
    return fmax(ROUND_OFF_VALUE * quickest * s->nominal[k], ROUND_OFF_LONG_SUM * s->flows[k]);
}

double switching_clear_rate(const switching *s, size_t k)
{
    static const double CLEARLY = 1e-6;
    double least = CLEARLY * fmax(s->summed[s->relations + k], s->modes->relation[k].fastest);
    return fmax(switching_rate_rounding(s, k), least);
}

bool switching_leaves(const switching *s, size_t k, double *rate)
{
    *rate = s->changes[k] * s->modes->direction;
    if (switching_slides(s, k) || s->relation[k].kind != RELATION_STATE) return false;
    return isfinite(*rate) && fabs(s->value[k]) <= switching_band(s, k) &&
           fabs(*rate) > switching_clear_rate(s, k);
}

/* Whether the branch that a relation has left is one for which no step is short enough. In that
 * branch itself the relation is crossed at 0: a root that is continued has values beyond. */
static bool has_ended(const relation_state *r)
{
    return r->ended != 0 && (r->ended > 0) != (r->is == SYM_HELD_TRUE);
}

/* A root that clearly leaves 0 to its side, by more than the errors of a step, is told from 0 by
 * rounding alone, of its terms and of the time at which it was located, unless the event has left
 * it on its other side, has ended its branch, or has found it at rest; where equations only bend,
 * nothing depends on that. */
static double root_band(const switching *s, size_t j)
{
    static const double SHOWN = 100;
    size_t k = s->of_root[j];
    const relation_state *r = &s->modes->relation[k];
    double rate;
    bool leaves = !r->kink && !has_ended(r) && !r->lingers && switching_leaves(s, k, &rate) &&
                  fabs(rate) > SHOWN * s->modes->rtol * r->fastest;
    if (!leaves) return switching_band(s, k);
    bool beside = (s->value[k] < 0) != (r->is == SYM_HELD_TRUE);
    double rounding = ROUND_OFF_LONG_SUM * s->size[k];
    rounding += 4 * fabs(rate) * switching_resolution(s->input[0]);
    return beside ? fmax(rounding, 2 * fabs(s->value[k])) : rounding;
}

/* Whether a relation is on its side of 0, told from it by rounding, and by the error with which it
 * was located if it was crossed at the last event. Then it is not on the surface, however close to
 * that it is at rest: it is crossed where it comes to 0, and not where errors of the state would
 * show that. */
static bool is_clear_of_zero(const switching *s, size_t k)
{
    static const double LOCATED = 10;
    const relation_state *r = &s->modes->relation[k];
    double side = r->is == SYM_HELD_TRUE ? -1 : 1, near = switching_rounded(s, k);
    bool crossed = r->last_event != 0 && r->last_event == s->modes->events;
    if (r->kink || has_ended(r)) return false;
    if (crossed) near = fmax(near, LOCATED * fabs(r->left));
    return s->value[k] * side > near;
}

void switching_bands(switching *s, double *band, double *edge)
{
    switching_look_at_rates(s);
    for (size_t j = 0; j < s->roots; j++) {
        size_t k = s->of_root[j];
        band[j] = root_band(s, j);
        if (is_clear_of_zero(s, k)) band[j] = fmin(band[j], switching_rounded(s, k));
        edge[j] = has_ended(&s->modes->relation[k]) ? band[j] : 0;
    }
    for (size_t i = 0; i < 2 * s->shares; i++) {
        band[s->roots + i] = s->modes->rtol + s->modes->atol;
        edge[s->roots + i] = 0;
    }
}

void switching_errors(const switching *s, double *by)
{
    for (size_t j = 0; j < s->roots; j++) by[j] = switching_band(s, s->of_root[j]);
    for (size_t i = 0; i < 2 * s->shares; i++) by[s->roots + i] = s->modes->rtol + s->modes->atol;
}

void switching_rounding(switching *s, double *by)
{
    sym_tape_eval(s->terms, s->input, s->summed);
    for (size_t j = 0; j < s->roots; j++) by[j] = ROUND_OFF_LONG_SUM * s->summed[s->of_root[j]];
    for (size_t i = 0; i < 2 * s->shares; i++) by[s->roots + i] = ROUND_OFF_LONG_SUM;
}

/* How near to 0 a root is that comes to it, in parts of what cannot be told from 0; more than 1: it
 * does not end. Rounding may have taken the state beyond. Steps that have become too short to move
 * time end so many of them before 0. */
static double nearness(const switching *s, size_t j, bool closely, double band)
{
    static const double SHORTEST_STEPS = 16;
    size_t k = s->of_root[j];
    const relation_state *r = &s->modes->relation[k];
    double side = r->is == SYM_HELD_TRUE ? -1 : 1, value = s->value[k] * side;
    double rate = s->changes[k] * s->modes->direction * side; /* NaN: not known */
    if (r->kink || switching_slides(s, k) || rate >= 0) return HUGE_VAL;
    double near = fmax(band, switching_rounded(s, k));
    if (isfinite(rate))
        near -= SHORTEST_STEPS * rate * switching_resolution(s->input[0]);
    else /* where it is infinite, as that of a square root, half of the digits are known */
        near = fmax(near, sqrt(ROUND_OFF_VALUE) * (s->size[k] + s->nominal[k]));
    if (closely) near = ROUND_OFF_SUM * s->size[k];
    return value >= -near ? fmax(value, 0) / near : HUGE_VAL;
}

/* The root that is nearest to its end, by `nearness`; SIZE_MAX: none ends. `again`: of those that
 * have come to an end at their last crossing. Either values are missing in the branch on the other
 * side, or that side had no solution: another root is to blame as long as there is one. */
static size_t find_nearest(const switching *s, bool closely, bool again, const double *band)
{
    size_t nearest = SIZE_MAX;
    double least = 1;
    for (size_t j = 0; j < s->roots; j++) {
        double near = nearness(s, j, closely, band[j]);
        if ((s->modes->relation[s->of_root[j]].ended != 0) != again) continue;
        if (near < least || (near == least && nearest == SIZE_MAX)) nearest = j, least = near;
    }
    return nearest;
}

/* Whether two roots come to their ends together. By one power of time they do, whatever their sizes
 * are; so they have one ratio of value and rate, or both have no rate where it is infinite. */
static bool end_together(const switching *s, size_t i, size_t j)
{
    static const double TOGETHER = 0.01;
    size_t k = s->of_root[i], l = s->of_root[j];
    double a = s->value[k] * s->changes[l], b = s->value[l] * s->changes[k];
    if (!isfinite(s->changes[k]) || !isfinite(s->changes[l]))
        return isfinite(s->changes[k]) == isfinite(s->changes[l]);
    return fabs(s->value[k]) == fabs(s->value[l]) || fabs(a - b) <= TOGETHER * fabs(a);
}

bool switching_find_ending(switching *s, bool closely, double *band, signed char *crossed)
{
    switching_look_at_rates(s);
    for (size_t j = 0; j < s->roots; j++) band[j] = root_band(s, j);
    size_t nearest = find_nearest(s, closely, false, band);
    bool again = nearest == SIZE_MAX;
    if (again) nearest = find_nearest(s, closely, true, band);
    if (nearest == SIZE_MAX) return false;
    for (size_t j = 0; j < s->roots; j++) {
        relation_state *r = &s->modes->relation[s->of_root[j]];
        r->ends = (r->ended != 0) == again && nearness(s, j, closely, band[j]) <= 1 &&
                  end_together(s, nearest, j);
        if (r->ends) crossed[j] = r->is == SYM_HELD_TRUE ? 1 : -1;
    }
    return true;
}

bool switching_bends_back(switching *s, size_t k)
{
    if (!s->bend) return false;
    sym_tape_eval(s->bend, s->input, s->bends);
    double rate = s->changes[k], bend = s->bends[k];
    return rate * bend < 0 && fabs(s->value[k] * bend) > rate * rate;
}

double switching_bend(switching *s, size_t k, double *size)
{
    *size = (double)NAN;
    if (!s->bend) return *size;
    sym_tape_eval(s->bend, s->input, s->bends);
    *size = s->bends[s->relations + k];
    return s->bends[k];
}

bool switching_is_pulled(switching *s, size_t k)
{
    double size, bend = switching_bend(s, k, &size);
    return fabs(bend) > SWITCHING_PULLED * size;
}
