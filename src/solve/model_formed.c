#include "solve/model_formed.h"

#include "solve/start_modes.h"
#include "symbolic/cells.h"
#include "symbolic/relations.h"

#include <stdlib.h>
#include <string.h>

/* So many formulations of modes stay, whatever memory they take. */
enum { LEAST_HELD = 4 };

struct model_formed {
    model_simulation *held; /* NULL: present, or given up */
    model_modes modes;      /* of one mode, of which it can be made again; mode NULL: it is no such
                               one and stays */
    double *z;              /* from which its states were evaluated, while it is given up */
    size_t bytes;           /* of its arena, where it has one of its own */
    size_t within;          /* the number of the one in whose arena it is, or its own */
    size_t used;            /* when it was present or evaluated last, by m->uses */
};

/* --- modes --- */

void model_modes_free(model_modes *modes)
{
    free(modes->mode);
    free(modes->cell);
    free(modes->window);
    free(modes->slides);
    free(modes->made);
    free(modes->from);
    *modes = (model_modes){0};
}

dae_status model_modes_make(const model_simulation *m, model_modes *to)
{
    const sym_graph *g = m->system->graph;
    size_t relations = sym_relation_count(g), cells = sym_cell_count(g);
    *to = (model_modes){.mode = malloc(relations + 1),
                        .cell = malloc((cells + 1) * sizeof *to->cell),
                        .window = malloc((m->system->delay.count + 1) * sizeof *to->window),
                        .slides = malloc(relations + 1)};
    if (to->mode && to->cell && to->window && to->slides) return DAE_OK;
    model_modes_free(to);
    return DAE_NO_MEMORY;
}

void model_modes_take_present(const model_simulation *m, model_modes *to)
{
    const sym_graph *g = m->system->graph;
    size_t cells = sym_cell_count(g), delayed = m->base.delays ? m->system->delay.count : 0;
    for (size_t k = 0; k < sym_relation_count(g); k++) to->mode[k] = m->modes->relation[k].is;
    switching_sliding_key(m->modes, to->slides);
    if (cells) memcpy(to->cell, sym_cell_values(g), cells * sizeof *to->cell);
    if (delayed) memcpy(to->window, m->base.delays->window, delayed * sizeof *to->window);
}

dae_status model_modes_note(const model_simulation *m, model_modes *to)
{
    dae_status status = model_modes_make(m, to);
    if (status == DAE_OK) model_modes_take_present(m, to);
    to->choice = m->whole.choice;
    return status;
}

void model_modes_swap(model_modes *modes, sym_graph *g)
{
    for (size_t k = 0; k < sym_relation_count(g); k++) {
        unsigned char had = (unsigned char)sym_relation_mode(g, k);
        sym_hold_relation(g, k, (sym_mode)modes->mode[k]);
        modes->mode[k] = had;
    }
    for (uint32_t i = 0; i < sym_cell_count(g); i++) {
        double had = sym_cell_value(g, i);
        sym_set_cell(g, i, modes->cell[i]);
        modes->cell[i] = had;
    }
}

/* --- one formulation --- */

static void free_parts(model_simulation *m)
{
    projection_free(m->base.projection);
    projection_free(m->settles);
    model_array_free(m->array);
    formulation_free(m->formulation);
    free(m->from);
    if (m->own_home) arena_free(m->own_home);
    free(m->own_home);
}

void model_formed_leave(model_simulation *m)
{
    m->from = NULL;
    m->formulation = NULL;
    m->settles = NULL;
    m->array = NULL;
    m->own_home = NULL;
    m->base.projection = NULL;
    m->base.beside = NULL;
}

void model_formed_free_present(model_simulation *m)
{
    free_parts(m);
    model_formed_leave(m);
}

void model_formed_go_back(model_simulation *m, model_simulation *last)
{
    free_parts(m);
    last->memory = m->memory; /* which owns what was tried as well */
    *m = *last;
    if (m->base.delays) delays_look_through(m->base.delays, m->delayed);
}

static void specialize(void *argument)
{
    model_simulation *m = argument;
    message unheard = {0};
    const sym_sliding slides = switching_sliding(m->modes, m->home);
    sym_system *system = sym_specialize(m->home, m->whole.system, &slides);
    m->own = NULL;
    if (!system) return;
    m->system = system;
    if (m->alone) start_part_alone(m, m->alone - 1, system);
    m->own = structure_analyze(m->system, &unheard);
    m->written = (model_written){m->system, m->own, NULL};
    if (m->whole.invariants) m->invariants = model_invariants_share(m->whole.invariants, m->system);
    message_free(&unheard);
}

/* By combinations of the equations of the modes. */
static bool combine(model_simulation *m, const model_modes *modes)
{
    const double *value = modes->from + 1;
    m->time_unit = modes->time_unit;
    m->converted_by = (formulation_choice){.kind = FORMULATION_INDEX1,
                                           .project = modes->choice.project,
                                           .at_once = modes->choice.at_once};
    return model_simulation_convert(m, modes->from[0], value, value + m->base.n);
}

static bool make(model_simulation *m, const model_modes *modes)
{
    switching_slide_along(m->modes, modes->slides);
    m->chosen = modes->choice;
    if (arena_protect(m->home, specialize, m) != DAE_OK || !m->own) return false;
    if (modes->from) return combine(m, modes);
    if (model_simulation_formulate(m) != DAE_OK) return false;
    return !modes->made || model_simulation_mark_hidden(m, modes->t, modes->made) == DAE_OK;
}

bool model_formed_make(model_simulation *m, const model_modes *modes)
{
    sym_graph *whole = m->whole.system->graph;
    model_modes own = *modes;
    unsigned char *slides = malloc(m->modes->relations + 1);
    m->home = m->own_home = slides ? calloc(1, sizeof *m->home) : NULL;
    bool made = false;
    if (m->home) {
        switching_sliding_key(m->modes, slides);
        model_modes_swap(&own, whole);
        made = make(m, modes);
        model_modes_swap(&own, whole);
        switching_slide_along(m->modes, slides);
    }
    free(slides);
    return made;
}

/* --- the present one, and others --- */

/* What the simulation has for all formulations is taken over from what it was before. */
static void share(model_simulation *to, const model_simulation *from)
{
    simulation base = from->base;
    const simulation *own = &to->base;
    base.problem = own->problem;
    base.formulation = own->formulation;
    base.y = own->y, base.yp = own->yp;
    base.beside = own->beside;
    base.levels = own->levels;
    base.projection = own->projection;
    base.project_steps = own->project_steps, base.keep_values = own->keep_values;
    base.constraint_levels = own->constraint_levels;
    base.constraint = own->constraint;
    base.determinants = own->determinants;
    base.combined = own->combined;
    base.bent = own->bent;
    to->base = base;
    to->memory = from->memory;
    to->searched = from->searched;
    to->misleads = from->misleads;
    to->source = from->source;
    to->earlier = from->earlier;
    to->earlier_count = from->earlier_count;
    to->formed = from->formed;
    to->newest = from->newest;
    to->newest_before = from->newest_before;
    to->number_before = from->number_before;
    to->held = from->held;
    to->uses = from->uses;
    to->formed_at = from->formed_at;
    to->formed_anew = from->formed_anew;
    to->visit = from->visit;
    to->visits = from->visits;
    to->failures = from->failures;
    to->whole = from->whole;
}

static void count_held(model_simulation *m, size_t number, bool held)
{
    const model_formed *f = &m->formed[number];
    if (f->modes.mode) m->held += held ? f->bytes : -f->bytes;
}

/* Room for `newest` and one more. */
static bool make_room(model_simulation *m)
{
    model_formed *more = realloc(m->formed, (m->newest + 2) * sizeof *more);
    if (!more) return false;
    if (!m->formed) more[0] = (model_formed){0};
    m->formed = more;
    return true;
}

bool model_formed_keep(model_simulation *m, const model_simulation *last, model_modes *modes)
{
    size_t before = last->base.formulation_number;
    model_simulation *held = malloc(sizeof *held);
    if (!held || !make_room(m)) {
        free(held);
        return false;
    }
    *held = *last;
    m->formed[before].held = held;
    count_held(m, before, true);
    size_t number = ++m->newest;
    model_formed *f = &m->formed[number];
    *f = (model_formed){.within = number, .used = ++m->uses};
    if (modes) f->modes = *modes, f->bytes = arena_size(m->home);
    if (modes) *modes = (model_modes){0};
    if (!m->own_home) f->within = m->formed[before].within;
    m->base.formulation_number = m->base.segment_formulation = number;
    return true;
}

/* Makes a formulation that was given up again, beside the present one. */
static model_simulation *make_again(model_simulation *m, size_t number)
{
    model_formed *f = &m->formed[number];
    model_simulation last = *m, *made = malloc(sizeof *made);
    if (!made) return NULL;
    model_formed_leave(m);
    bool found = model_formed_make(m, &f->modes) && model_simulation_finish_formed(m);
    if (found) {
        memcpy(m->z, f->z, m->formulation->p->size * sizeof *f->z);
        *made = *m;
        model_formed_leave(m);
        m->own_home = NULL;
    }
    model_formed_go_back(m, &last);
    if (!found) {
        free(made);
        return NULL;
    }
    free(f->z);
    f->z = NULL;
    f->held = made;
    count_held(m, number, true);
    return made;
}

model_simulation *model_formed_at(model_simulation *m, size_t number, bool trims)
{
    model_formed *f = &m->formed[number];
    f->used = ++m->uses;
    if (f->held) return f->held;
    if (trims) model_formed_trim(m);
    return make_again(m, number);
}

dae_status model_formed_enter(model_simulation *m, size_t number)
{
    model_simulation *held = model_formed_at(m, number, false);
    size_t before = m->base.formulation_number;
    if (!held) return DAE_NO_MEMORY;
    count_held(m, number, false);
    model_simulation last = *m;
    share(held, &last);
    *m = *held;
    *held = last;
    m->formed[number].held = NULL;
    m->formed[before].held = held;
    count_held(m, before, true);
    m->base.formulation_number = m->base.segment_formulation = number;
    if (m->base.delays) delays_look_through(m->base.delays, m->delayed);
    model_simulation_carry_measures(m, &last);
    return DAE_OK;
}

size_t model_formed_number(const model_simulation *m, const switching *s)
{
    size_t number = 0;
    if (!m->formed || m->switching == s) return m->base.formulation_number;
    while (number < m->newest &&
           !(m->formed[number].held && m->formed[number].held->switching == s))
        number++;
    return number;
}

/* --- giving up --- */

static void free_one(model_simulation *one)
{
    free_parts(one);
    free(one);
}

static bool lends(const model_simulation *m, size_t number)
{
    for (size_t k = number + 1; k <= m->newest; k++)
        if (m->formed[k].within == number) return true;
    return false;
}

static void give_up(model_simulation *m, size_t number)
{
    model_formed *f = &m->formed[number];
    size_t bytes = f->held->formulation->p->size * sizeof *f->z;
    f->z = malloc(bytes + 1);
    if (!f->z) return; /* it stays */
    memcpy(f->z, f->held->z, bytes);
    count_held(m, number, false);
    free_one(f->held);
    f->held = NULL;
}

void model_formed_trim(model_simulation *m)
{
    while (m->held > m->most_held) {
        size_t oldest = 0, count = 0;
        for (size_t k = 1; k <= m->newest; k++) {
            const model_formed *f = &m->formed[k];
            if (!f->held || !f->modes.mode || lends(m, k)) continue;
            count++;
            if (oldest == 0 || f->used < m->formed[oldest].used) oldest = k;
        }
        if (count <= LEAST_HELD) return;
        give_up(m, oldest);
        if (m->formed[oldest].held) return;
    }
}

void model_formed_begin_event(model_simulation *m)
{
    model_formed_trim(m);
    model_failures_forget(m);
    m->newest_before = m->newest;
    m->number_before = m->base.formulation_number;
}

/* Frees those from number `first` on that are not present, the last one first: what was formed anew
 * lies in the arena of an earlier one. */
static void free_held(model_simulation *m, size_t first)
{
    for (size_t k = m->newest + 1; m->formed && k-- > first;) {
        model_formed *f = &m->formed[k];
        if (f->held) free_one(f->held);
        free(f->z);
        model_modes_free(&f->modes);
    }
}

void model_formed_forget(model_simulation *m)
{
    if (m->home != &m->memory && !m->own_home)
        model_formed_free_present(m); /* of another's arena */
    free_held(m, 0);
    free(m->formed);
    free(m->from);
    m->formed = NULL;
    m->from = NULL;
    m->newest = m->newest_before = m->held = 0;
}

/* --- state --- */

/* Forms equations once more as another simulation has. The state follows. */
static void form_again(model_simulation *m, state_visit *s)
{
    size_t count = 1 + 2 * m->base.n;
    model_simulation last = *m;
    model_formed_leave(m);
    m->from = malloc(count * sizeof *m->from);
    if (m->from) state_doubles(s, m->from, count);
    if (m->from && model_simulation_convert_again(m) && model_simulation_finish_formed(m) &&
        model_formed_keep(m, &last, NULL))
        return;
    model_formed_go_back(m, &last);
    state_fail(s, DAE_NO_MEMORY);
}

static void from_state(const model_simulation *m, model_modes *modes, state_visit *s)
{
    size_t count = 1 + 2 * m->base.n;
    bool combines = modes->from;
    STATE(s, combines);
    STATE(s, modes->time_unit);
    if (!combines) return;
    if (s->way == STATE_RESTORE) modes->from = malloc(count * sizeof *modes->from);
    if (modes->from)
        state_doubles(s, modes->from, count);
    else
        state_fail(s, DAE_NO_MEMORY);
}

static void modes_state(const model_simulation *m, model_modes *modes, state_visit *s)
{
    const sym_graph *g = m->whole.system->graph;
    state_bytes(s, modes->mode, sym_relation_count(g));
    state_doubles(s, modes->cell, sym_cell_count(g));
    state_bytes(s, modes->slides, sym_relation_count(g));
    /* an array takes out other explicit variables than the start does */
    STATE_MEMBERS(s, formulation_choice, &modes->choice, kind, invariants);
    STATE(s, modes->choice.index_1);
    STATE(s, modes->t);
    STATE(s, modes->size);
    from_state(m, modes, s);
    if (modes->size == 0 || s->status != DAE_OK) return;
    if (s->way == STATE_RESTORE) modes->made = malloc(modes->size * sizeof *modes->made);
    if (modes->made)
        state_doubles(s, modes->made, modes->size);
    else
        state_fail(s, DAE_NO_MEMORY);
}

/* Makes the formulation of one mode that another simulation has. */
static void make_alike(model_simulation *m, state_visit *s)
{
    model_simulation last = *m;
    model_modes modes;
    dae_status status = model_modes_note(m, &modes);
    if (status == DAE_OK) modes_state(m, &modes, s);
    model_formed_leave(m);
    if (status == DAE_OK && model_formed_make(m, &modes) && model_simulation_finish_formed(m) &&
        model_formed_keep(m, &last, &modes)) {
        m->converts = m->converts || m->formulation->converted > 0;
        if (m->base.delays) delays_look_through(m->base.delays, m->delayed);
        return;
    }
    if (status == DAE_OK) model_modes_free(&modes);
    model_formed_go_back(m, &last);
    state_fail(s, DAE_NO_MEMORY);
}

/* What is given up is made again, because the other simulation has all of them. */
static void save_one(model_simulation *m, size_t number, state_visit *s)
{
    model_formed *f = &m->formed[number];
    bool present = number == m->base.formulation_number;
    model_simulation *one = present ? m : model_formed_at(m, number, false);
    if (!one)
        state_fail(s, DAE_NO_MEMORY);
    else if (f->modes.mode)
        modes_state(m, &f->modes, s);
    else if (f->within != 0 || !one->from)
        state_fail(s, DAE_UNSUPPORTED); /* formed anew from the equations of one mode, or embedded
                                           in a larger system during the run */
    else
        state_doubles(s, one->from, 1 + 2 * m->base.n);
}

/* What the start has formed here goes: the other simulation has that as well, among what it has
 * formed since, under the same numbers. */
static void drop_formed(model_simulation *m, state_visit *s)
{
    if (m->newest == 0) return;
    if (m->base.formulation_number != 0) state_fail(s, model_formed_enter(m, 0));
    if (s->status != DAE_OK) return;
    free_held(m, 1);
    m->newest = m->newest_before = m->held = 0;
}

bool model_simulation_formed(simulation *c, state_visit *s)
{
    model_simulation *m = (model_simulation *)c;
    size_t count = m->newest, present = c->formulation_number;
    STATE(s, count);
    STATE(s, present);
    if (s->way == STATE_RESTORE) drop_formed(m, s);
    for (size_t k = 1; k <= count && s->status == DAE_OK; k++) {
        bool modes = s->way != STATE_RESTORE && m->formed[k].modes.mode;
        STATE(s, modes);
        if (s->way != STATE_RESTORE)
            save_one(m, k, s);
        else if (modes)
            make_alike(m, s);
        else
            form_again(m, s);
    }
    if (s->way != STATE_RESTORE || s->status != DAE_OK || count == 0) return false;
    if (present != c->formulation_number) state_fail(s, model_formed_enter(m, present));
    if (m->switching) model_events_count_roots(m);
    return true;
}

static void state_of_one(const model_simulation *m, state_visit *s)
{
    size_t size = m->formulation->p->size;
    state_doubles(s, m->z, size);
    state_doubles(s, m->z_out, size);
    state_doubles(s, m->z_before, size);
    if (m->pivots) model_pivots_state(m->pivots, s);
}

void model_formed_state(const model_simulation *m, state_visit *s)
{
    for (size_t k = 0; m->formed && k <= m->newest; k++) {
        model_simulation *one = m->formed[k].held;
        if (!one) continue;
        problem_state(one->base.problem, s);
        state_of_one(one, s);
        model_settles_state(one, s);
        if (one->base.projection) projection_state(one->base.projection, s);
    }
    state_of_one(m, s);
}
