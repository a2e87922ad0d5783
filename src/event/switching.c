#include "event/switching.h"

#include "base/round_off.h"
#include "event/events.h"
#include "event/settling.h"
#include "symbolic/cells.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

/* --- creation --- */

static bool is_of_state(sym_op op)
{
    return op == SYM_VARIABLE || op == SYM_INPUT || op == SYM_CALL; /* a call has no bounds */
}

sym switching_by_time(sym_graph *g, sym f)
{
    sym_partials list = {0};
    sym_gradient(g, f, &list);
    for (size_t k = 0; k < list.count; k++)
        if (sym_look(g, list.item[k].leaf).op == SYM_TIME) return list.item[k].value;
    return sym_number(g, 0);
}

static relation_kind kind_of(sym_graph *g, sym_op op, sym difference)
{
    if (sym_any(g, 1, &difference, is_of_state))
        return op == SYM_EQUAL ? RELATION_DISCRETE : RELATION_STATE;
    return sym_holds_time(g, 1, &difference) ? RELATION_TIME : RELATION_DISCRETE;
}

/* Whether an expression changes no more once the start has found its parameters, of which it holds
 * one. */
static bool is_found_at_start(const sym_system *system, sym_graph *g, sym f)
{
    const sym *node;
    size_t count = sym_reach(g, 1, &f, &node);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        sym_view v = sym_look(g, node[i]);
        bool parameter = v.op == SYM_VARIABLE && v.id < system->unknown.count &&
                         system->unknown.item[v.id].parameter;
        if (v.op == SYM_TIME || (!parameter && is_of_state(v.op))) return false;
        any = any || parameter;
    }
    return any;
}

/* Whether an expression of time is a number plus a multiple of time. */
static bool is_straight(sym_graph *g, sym f, sym slope)
{
    sym rest = sym_subtract(g, f, sym_multiply(g, slope, sym_time(g)));
    return !sym_holds_time(g, 1, &slope) && !sym_holds_time(g, 1, &rest);
}

static void find_relations(switching *s, arena *a, sym_graph *g, bool whole)
{
    const formulation *f = s->f;
    sym *slope = arena_array(a, s->relations, sizeof *slope);
    LIST(sym) curve = {0};
    s->relation = arena_array(a, s->relations, sizeof *s->relation);
    s->of_root = arena_array(a, s->relations, sizeof *s->of_root);
    for (size_t k = 0; k < s->relations; k++) {
        switching_relation *r = &s->relation[k];
        sym_view view = sym_look(g, sym_relation_node(g, k));
        sym difference = sym_subtract(g, view.argument[0], view.argument[1]);
        r->is_found = is_found_at_start(f->system, g, difference);
        structure_to_core(f->system, f->core, 1, &difference);
        slope[k] = switching_by_time(g, difference);
        r->op = view.op;
        r->kind = r->is_found ? RELATION_DISCRETE : kind_of(g, view.op, difference);
        r->equates = view.op == SYM_EQUAL && sym_any(g, 1, &difference, is_of_state);
        if (whole) s->modes->relation[k].timed = r->kind == RELATION_TIME;
        if (whole) s->modes->relation[k].sought = r->kind == RELATION_STATE || r->is_found;
        if (r->kind == RELATION_TIME && !s->modes->relation[k].timed) r->kind = RELATION_STATE;
        /* Along a surface the equations hold the state: what follows there is no chance. */
        bool by_chance = s->modes->relation[k].sought && s->modes->sliding == 0;
        if (by_chance && !r->is_found) r->kind = RELATION_STATE;
        r->curved = r->kind == RELATION_TIME && !is_straight(g, difference, slope[k]);
        if (r->curved) {
            r->root = curve.count;
            list_push(a, &curve, difference);
        }
        if (r->kind == RELATION_STATE) {
            r->root = s->roots;
            s->of_root[s->roots++] = k;
        }
    }
    s->curves = time_roots_create(g, curve.count, curve.item);
    if (whole) switching_find_kept_roots(s, a, g);
    s->slope = prolongation_tape(a, f->p, s->relations, slope);
}

static void compile_definitions(switching *s, arena *a, sym_graph *g)
{
    const sym_discrete_part *d = &s->system->discrete;
    const formulation *f = s->f;
    size_t variables = d->variable.count, initially = d->initially.count;
    sym *value = arena_array(a, variables + initially, sizeof *value);
    for (size_t i = 0; i < variables; i++) value[i] = d->variable.item[i].definition;
    for (size_t i = 0; i < initially; i++) value[variables + i] = d->initially.item[i].value;
    structure_to_core(f->system, f->core, variables + initially, value);
    s->definition = prolongation_tape(a, f->p, variables + initially, value);
    sym *left = arena_array(a, d->left.count, sizeof *left);
    for (size_t i = 0; i < d->left.count; i++)
        left[i] = sym_variable(g, d->left.item[i].unknown, 0);
    structure_to_core(f->system, f->core, d->left.count, left);
    s->left = prolongation_tape(a, f->p, d->left.count, left);
    arena_vectors(a, variables + initially + 1, (double **[]){&s->defined, &s->redefined, NULL});
    arena_vectors(a, d->left.count + 1, (double **[]){&s->was_left, NULL});
}

/* The entry of z that a variable is, or is a multiple of. */
static void find_entry(const switching *s, sym_graph *g, const sym_action *x, size_t *entry,
                       double *factor)
{
    sym leaf = sym_variable(g, x->unknown, 0);
    structure_to_core(s->f->system, s->f->core, 1, &leaf);
    sym_view view = sym_look(g, leaf);
    *factor = 1;
    *entry = SIZE_MAX;
    if (view.op == SYM_SUM && view.count == 1 && view.value == 0) {
        *factor = sym_value(g, view.factor[0]);
        view = sym_look(g, view.argument[0]);
    }
    if (view.op == SYM_VARIABLE) *entry = prolongation_slot((void *)s->f->p, &view) - 1;
}

static void compile_actions(switching *s, arena *a, sym_graph *g)
{
    const sym_discrete_part *d = &s->system->discrete;
    size_t count = d->action.count, all = 2 * count;
    s->first_said = arena_array(a, count + 1, sizeof *s->first_said);
    for (size_t i = 0; i < count; i++) {
        s->first_said[i] = all;
        all += sym_said_values(d->action.item[i].said, NULL);
    }
    if (all > 2 * count) s->said = arena_array(a, SWITCHING_LONGEST_SAID, 1);
    sym *value = arena_array(a, all, sizeof *value);
    s->reinit = arena_array(a, count, sizeof *s->reinit);
    arena_vectors(a, count + 1, (double **[]){&s->factor, NULL});
    arena_vectors(a, all + 1, (double **[]){&s->acted, NULL});
    for (size_t i = 0; i < count; i++) {
        const sym_action *x = &d->action.item[i];
        sym_said_values(x->said, value + s->first_said[i]);
        value[i] = x->condition;
        value[count + i] = x->kind == SYM_TERMINATE ? sym_number(g, 0) : x->value;
        s->reinit[i] = SIZE_MAX;
        if (x->kind == SYM_REINIT) find_entry(s, g, x, &s->reinit[i], &s->factor[i]);
    }
    structure_to_core(s->system, s->f->core, all, value);
    s->action = prolongation_tape(a, s->f->p, all, value);
}

switching_modes *switching_modes_create(arena *a, const sym_system *system)
{
    switching_modes *m = arena_take(a, sizeof *m);
    m->relations = sym_relation_count(system->graph);
    m->relation = arena_array(a, m->relations, sizeof *m->relation);
    m->direction = 1;
    arena_vectors(a, system->discrete.action.count + 1, (double **[]){&m->unset, NULL});
    m->cells = sym_cell_count(system->graph);
    arena_vectors(a, m->cells + 1, (double **[]){&m->was_cell, NULL});
    m->waiting = arena_array(a, system->discrete.variable.count + 1, sizeof *m->waiting);
    m->solved_with = arena_array(a, system->discrete.variable.count + 1, sizeof *m->solved_with);
    m->unknowns = system->unknown.count;
    m->differentiated = arena_array(a, m->unknowns + 1, sizeof *m->differentiated);
    m->by_author = arena_array(a, m->unknowns + 1, sizeof *m->by_author);
    arena_vectors(a, m->unknowns + 1, (double **[]){&m->before, NULL});
    return m;
}

void switching_adopt(const switching *s, const sym_graph *from)
{
    sym_graph *to = s->system->graph;
    for (size_t k = 0; k < s->relations; k++)
        sym_hold_relation(to, k, (sym_mode)s->modes->relation[k].is);
    for (uint32_t i = 0; from != to && i < sym_cell_count(to); i++)
        sym_set_cell(to, i, sym_cell_value(from, i));
}

/* The entries of the shares of a sliding motion: the unknowns after the author's. */
static void find_shares(switching *s, arena *a)
{
    const prolongation *p = s->f->p;
    size_t shares = s->shares = s->modes->sliding, first = s->modes->unknowns;
    s->share = arena_array(a, shares + 1, sizeof *s->share);
    s->slid = arena_array(a, shares + 1, sizeof *s->slid);
    for (size_t i = 0; i < shares; i++) {
        uint32_t column = p->column_of[first + i];
        s->share[i] = column == INCIDENCE_NONE ? SIZE_MAX : p->first[column];
    }
    for (size_t k = 0, i = 0; k < s->relations; k++)
        if (s->modes->relation[k].slides) s->slid[i++] = k;
}

switching *switching_create(const formulation *f, switching_modes *modes, bool whole)
{
    const sym_system *system = f->system;
    sym_graph *g = system->graph;
    arena *a = system->memory;
    size_t relations = sym_relation_count(g);
    bool nothing = relations == 0 && system->delay.count == 0;
    if (nothing && !sym_has_discrete(&system->discrete)) return NULL;
    switching *s = arena_take(a, sizeof *s);
    *s = (switching){.f = f, .system = system, .modes = modes, .relations = relations};
    find_shares(s, a);
    find_relations(s, a, g, whole);
    switching_find_whole_parts(s, a, g);
    if (whole) modes->written = f->author;
    if (whole) settling_find_surfaces(s, a, g);
    if (whole) settling_find_parts(s, a, g);
    if (whole) settling_find_kinks(s, a, g);
    if (whole) switching_find_deciding(s, a, g);
    switching_find_replaced(s, a, g);
    if (whole) settling_find_memories(s, a, g);
    if (whole) settling_find_differentiated(s, a, g);
    switching_find_chosen(s, a, g);
    switching_compile_rates(s, a, g);
    switching_find_bent(s, a, g);
    settling_compile_factors(s, a, g);
    compile_definitions(s, a, g);
    compile_actions(s, a, g);
    arena_vectors(a, relations + 1,
                  (double **[]){&s->value, &s->size, &s->terms_of, &s->by_time, NULL});
    arena_vectors(a, f->p->size + 1,
                  (double **[]){&s->input, &s->before, &s->strength, &s->kept, NULL});
    arena_vectors(a, f->p->size + relations + 1, (double **[]){&s->beyond, NULL});
    s->kept_is = arena_array(a, relations + 1, 1);
    arena_vectors(a, sym_cell_count(g) + 1, (double **[]){&s->kept_cell, NULL});
    s->seen = arena_array(a, sym_cell_count(g) + 1, sizeof *s->seen);
    sym_system_find_cells(system, s->seen);
    s->visited = arena_array(a, (SWITCHING_MOST_VISITED + 1) * (relations + 1), 1);
    return s;
}

/* --- relations --- */

static const double *point(switching *s, double t, const double *z)
{
    s->input[0] = t;
    memcpy(s->input + 1, z, s->f->p->size * sizeof *z);
    return s->input;
}

void switching_look(switching *s, double t, const double *z)
{
    crossings_value(s->f->crossings, t, z, s->value);
    sym_tape_eval(s->slope, point(s, t, z), s->by_time);
    switching_take_sizes(s);
    memcpy(s->terms_of, s->size, s->relations * sizeof *s->size);
    sym_tape_eval(s->of_cells, s->input, s->by_cells);
    switching_look_at_whole_parts(s);
}

/* How a relation of time that is 0 leaves 0: by its slope, and a curve by its values after. */
static double leaving(const switching *s, size_t k)
{
    const switching_relation *r = &s->relation[k];
    if (!r->curved) return s->by_time[k] * s->modes->direction;
    return switching_sign_behind(s, k, s->input[0]);
}

/* Whether a relation of time is not told from 0. */
static bool is_at_zero(const switching *s, size_t k)
{
    const switching_relation *r = &s->relation[k];
    if (r->curved) return !switching_is_clear(s, k, s->input[0]);
    double slope = s->by_time[k];
    return slope != 0 &&
           fabs(s->value[k]) <= ROUND_OFF_VALUE * (s->terms_of[k] + fabs(slope * s->input[0]));
}

/* A relation of time is 0 at its instant, and where events are after it, what follows. */
bool switching_holds(const switching *s, size_t k)
{
    const switching_relation *r = &s->relation[k];
    double v = s->value[k];
    if (r->kind == RELATION_TIME && is_at_zero(s, k)) v = s->modes->behind ? leaving(s, k) : 0;
    return r->op == SYM_LESS ? v < 0 : r->op == SYM_LESS_EQUAL ? v <= 0 : v == 0;
}

void switching_roots(switching *s, double t, const double *z, double *value)
{
    crossings_value(s->f->crossings, t, z, s->value);
    point(s, t, z);
    for (size_t j = 0; j < s->roots; j++) value[j] = s->value[s->of_root[j]];
    for (size_t i = 0; i < s->shares; i++) {
        double share = s->share[i] == SIZE_MAX ? 0.5 : z[s->share[i]];
        value[s->roots + 2 * i] = share;
        value[s->roots + 2 * i + 1] = 1 - share;
    }
}

size_t switching_root_count(const switching *s)
{
    return s->roots + 2 * s->shares;
}

void switching_sides(const switching *s, signed char *side, bool *closed)
{
    for (size_t j = 0; j < s->roots; j++) {
        bool is = s->modes->relation[s->of_root[j]].is == SYM_HELD_TRUE;
        side[j] = is ? -1 : 1;
        closed[j] = is == (s->relation[s->of_root[j]].op == SYM_LESS_EQUAL);
    }
    for (size_t j = 0; j < s->roots; j++)
        if (switching_slides(s, s->of_root[j])) side[j] = 0;
    for (size_t i = 0; i < 2 * s->shares; i++) {
        side[s->roots + i] = 1;
        closed[s->roots + i] = false;
    }
}

/* --- known times --- */

static double number(const sym_graph *g, sym node)
{
    double value = (double)NAN;
    sym_number_of(g, node, &value);
    return sym_value(g, value);
}

static void sooner(double *first, double t, double found, double direction)
{
    bool ahead = (found - t) * direction > switching_resolution(t);
    if (ahead && (found - *first) * direction < 0) *first = found;
}

/* The time of sample k. Where start and intervals cancel, their rounding counts. */
static double tick(double start, double interval, double k)
{
    double t = start + k * interval;
    return fabs(t) <= switching_resolution(start) ? 0 : t;
}

/* The first time of a sample after t. Samples begin at their start, whatever the direction. */
static double next_sample(const sym_graph *g, const sym_sample *x, double t, double direction)
{
    double start = number(g, x->start), interval = number(g, x->interval);
    double k = floor((t - start) / interval) + (direction > 0 ? -1 : 2), found = HUGE_VAL;
    for (int i = 0; i < 4 && isinf(found); i++, k += direction)
        if (k >= 0 && (tick(start, interval, k) - t) * direction > switching_resolution(t))
            found = tick(start, interval, k);
    if (direction > 0 && isinf(found)) found = start;
    return isinf(found) ? direction * HUGE_VAL : found;
}

double switching_next(switching *s, double t, double direction)
{
    const sym_discrete_part *d = &s->system->discrete;
    double first = direction * HUGE_VAL;
    s->modes->direction = direction;
    crossings_value(s->f->crossings, t, s->input + 1, s->value);
    s->input[0] = t;
    sym_tape_eval(s->slope, s->input, s->by_time);
    for (size_t k = 0; k < s->relations; k++) {
        const switching_relation *r = &s->relation[k];
        if (r->curved)
            sooner(&first, t, switching_next_root(s, k, t, direction), direction);
        else if (r->kind == RELATION_TIME && s->by_time[k] != 0)
            sooner(&first, t, t - s->value[k] / s->by_time[k], direction);
    }
    for (size_t i = 0; i < d->sample.count; i++)
        sooner(&first, t, next_sample(s->system->graph, &d->sample.item[i], t, direction),
               direction);
    return first;
}

bool switching_is_sampled(const switching *s, size_t i, double t)
{
    const sym_sample *x = &s->system->discrete.sample.item[i];
    const sym_graph *g = s->system->graph;
    double start = number(g, x->start), interval = number(g, x->interval);
    double k = round((t - start) / interval);
    return k >= 0 && fabs(tick(start, interval, k) - t) <= switching_resolution(t);
}

/* --- definitions --- */

void switching_reset(const sym_system *system, switching_modes *modes)
{
    const sym_discrete_part *d = &system->discrete;
    sym_graph *g = system->graph;
    for (size_t k = 0; k < sym_relation_count(g); k++) sym_hold_relation(g, k, SYM_FREE);
    for (size_t k = 0; k < modes->relations; k++) {
        modes->relation[k].last_event = 0;
        modes->relation[k].slides = modes->relation[k].ends = modes->relation[k].turned = false;
        modes->relation[k].equal = 0;
        modes->relation[k].ended = 0;
        if (modes->root) modes->root[k].known = modes->root[k].looked = false;
    }
    modes->events = modes->sliding = 0;
    modes->told_several = modes->told_repelling = modes->told_equal = false;
    modes->told_memory = modes->told_pierced = modes->told_fold = false;
    for (size_t i = 0; i < d->variable.count; i++) {
        const sym_discrete *v = &d->variable.item[i];
        sym_set_cell(g, v->cell, v->start);
        sym_set_cell(g, v->pre, v->start);
    }
    for (size_t i = 0; i < d->sample.count; i++) sym_set_cell(g, d->sample.item[i].cell, 0);
    for (size_t i = 0; i < d->left.count; i++)
        sym_set_cell(g, d->left.item[i].cell, system->unknown.item[d->left.item[i].unknown].start);
    if (d->initial.used) sym_set_cell(g, d->initial.cell, 1);
    if (d->terminal.used) sym_set_cell(g, d->terminal.cell, 0);
}

/* Sets a cell; returns whether its value is another one. */
static bool set(sym_graph *g, uint32_t cell, double value)
{
    double before = sym_cell_value(g, cell);
    if (value == before || (isnan(value) && isnan(before))) return false;
    sym_set_cell(g, cell, value);
    return true;
}

/* Definitions depend on each other in no circle, so that as many sweeps as there are variables find
 * all values. */
static bool sweep(switching *s)
{
    const sym_discrete_part *d = &s->system->discrete;
    sym_graph *g = s->system->graph;
    size_t count = d->variable.count;
    bool changed = false;
    sym_tape_eval(s->definition, s->input, s->defined);
    for (size_t i = 0; s->modes->starting && i < d->initially.count; i++) {
        const sym_initially *x = &d->initially.item[i];
        if (x->before && s->modes->passed_on) continue;
        if (x->before)
            changed = set(g, d->variable.item[x->discrete].pre, s->defined[count + i]) || changed;
        else
            s->defined[x->discrete] = s->defined[count + i];
    }
    for (size_t i = 0; i < count; i++) {
        const sym_discrete *v = &d->variable.item[i];
        changed = set(g, v->cell, s->defined[i]) || changed;
        bool waits = v->is_condition && (s->modes->quiet || (s->modes->starting && !v->at_start));
        if (waits) changed = set(g, v->pre, s->defined[i]) || changed;
    }
    return changed;
}

bool switching_define(switching *s, double t, const double *z)
{
    size_t count = s->system->discrete.variable.count;
    bool changed = false, again = count > 0;
    point(s, t, z);
    for (size_t i = 0; again && i <= count; i++) {
        again = sweep(s);
        changed = changed || again;
    }
    return changed;
}
