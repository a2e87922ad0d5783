/* The search for a mode of the start: values of relations with which the equations have a start
 * that gives them these values.
 *
 * Parts of the model that nothing links are searched each by itself: all modes of k relations are
 * 2^k, and those of parts add up. In a part, modes with few changes of those at the guesses come
 * first. Then relations are turned one by one where a start excludes their modes, the first one
 * first, from modes that have a start (Murty, Linear Algebra Appl. 5 (1972) 65, for linear
 * complementarity problems with a P-matrix, as in event/search.c): of n ideal diodes side by side,
 * of which one at most can conduct, that takes about n modes. Few relations have all their modes
 * tried at last. */
#include "solve/start_modes.h"

#include "symbolic/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of so many relations all modes are tried; and so many times as many modes as there are relations
 * are visited in turning one after the other. */
enum { MOST_AT_START = 10, MOST_VISITS = 6 };

typedef struct mode_search {
    model_simulation *m;
    double t;
    message *told;
    size_t count, *which; /* the relations that are sought */
    unsigned char *first; /* relations of the model: the modes at the guesses */
    unsigned char *tried; /* tries x (count + cells): modes that were tried, with the cells ... */
    size_t cells;         /* bytes: ... that select equations */
    size_t tries, room;
    size_t most;    /* of them that are enumerated */
    bool *excluded; /* count: of the start that was found last */
    bool fails;     /* memory is exhausted */
} mode_search;

/* Relations whose values are those of the part that is looked at. */
static bool is_looked_at(const model_simulation *m, size_t k)
{
    return !m->alone || m->modes->start.relation[k] + 1 == m->alone;
}

/* Whether the mode of relation k is excluded by its value in the last look, by more than the errors
 * of a state. */
static bool is_excluded(const model_simulation *m, size_t k)
{
    const switching *s = m->switching;
    if (m->modes->relation[k].decided) return true;
    bool differs = switching_holds(s, k) != (m->modes->relation[k].is == SYM_HELD_TRUE);
    double band = s->relation[k].kind == RELATION_STATE ? switching_band(s, k) : 0;
    return differs && !(s->relation[k].kind == RELATION_STATE && fabs(s->value[k]) <= band);
}

/* Marks the relations whose equal sides decide that m->z is no start (event/decided.c). Whether
 * there is memory. */
static bool decide(const mode_search *x)
{
    const model_simulation *m = x->m;
    bool any = false, *open = calloc(m->modes->relations + 1, sizeof *open);
    for (size_t k = 0; k < m->modes->relations; k++) {
        m->modes->relation[k].decided = false;
        if (!open || !is_looked_at(m, k)) continue;
        open[k] = switching_is_decidable(m->switching, k);
        any = any || open[k];
    }
    bool done = open && (!any || switching_decide(m->switching, x->t, m->z, open) == DAE_OK);
    free(open);
    return done;
}

/* Looks at the start in m->z. Whether it agrees with all modes. */
static bool look(const mode_search *x)
{
    const model_simulation *m = x->m;
    bool agrees = true;
    switching_look(m->switching, x->t, m->z);
    if (!decide(x)) return false;
    for (size_t k = 0; k < m->modes->relations; k++)
        agrees = agrees && !(is_looked_at(m, k) && is_excluded(m, k));
    for (size_t i = 0; i < x->count; i++) x->excluded[i] = is_excluded(m, x->which[i]);
    return agrees;
}

static void turn(const mode_search *x, size_t i)
{
    relation_state *r = &x->m->modes->relation[x->which[i]];
    r->is = r->is == SYM_HELD_TRUE ? SYM_HELD_FALSE : SYM_HELD_TRUE;
}

/* Gives cells the values that follow from the present modes at m->z. */
static void define(const mode_search *x)
{
    const model_simulation *m = x->m;
    switching_adopt(m->switching, m->system->graph);
    switching_define(m->switching, x->t, m->z);
}

static void make_key(const mode_search *x, unsigned char *key)
{
    const sym_selectors *s = &x->m->whole.selectors;
    for (size_t i = 0; i < x->count; i++) *key++ = x->m->modes->relation[x->which[i]].is;
    for (size_t i = 0; i < s->cells; i++, key += sizeof(double)) {
        double value = sym_cell_value(x->m->system->graph, s->cell[i]) + 0.0; /* -0 is 0 */
        memcpy(key, &value, sizeof value);
    }
}

/* Notes the present modes as tried; whether they were not before. What discrete variables are in
 * them follows from m->z as well: where that selects other equations, they are others. */
static bool note_new(mode_search *x)
{
    size_t size = x->count + x->cells;
    if (x->tries == x->room) {
        size_t room = 2 * x->room + 16;
        unsigned char *grown = realloc(x->tried, room * (size + 1));
        x->fails = x->fails || !grown;
        if (!grown) return false;
        x->tried = grown;
        x->room = room;
    }
    unsigned char *now = x->tried + x->tries * size;
    define(x);
    make_key(x, now);
    for (size_t i = 0; i < x->tries; i++)
        if (memcmp(x->tried + i * size, now, size) == 0) return false;
    x->tries++;
    return true;
}

static void go_to(const mode_search *x, const unsigned char *mode)
{
    for (size_t k = 0; k < x->m->modes->relations; k++) x->m->modes->relation[k].is = mode[k];
}

/* Whether the present modes have a start. */
static bool starts_so(const mode_search *x)
{
    define(x);
    return start_mode_start(x->m, x->t, x->told);
}

/* Whether the present modes have a start; *agrees: with them. */
static bool start(const mode_search *x, bool *agrees)
{
    bool starts = starts_so(x);
    *agrees = starts && look(x);
    return starts;
}

static bool is_set(size_t bits, size_t i)
{
    return bits >> i & 1;
}

/* Tries all modes with so many changes of the first ones. */
static bool try_changes(mode_search *x, size_t changes)
{
    bool found = false;
    for (size_t bits = 0; bits < (size_t)1 << x->count && !found && !x->fails; bits++) {
        if ((size_t)__builtin_popcountll(bits) != changes) continue;
        go_to(x, x->first);
        for (size_t i = 0; i < x->count; i++)
            if (is_set(bits, i)) turn(x, i);
        if (!note_new(x)) continue;
        if (x->tries > x->most) break;
        start(x, &found);
    }
    return found;
}

/* Tries the first modes, and those with one change of them. */
static bool try_single_changes(mode_search *x)
{
    bool found;
    go_to(x, x->first);
    note_new(x);
    start(x, &found);
    for (size_t i = 0; i < x->count && !found; i++) {
        go_to(x, x->first);
        turn(x, i);
        if (note_new(x)) start(x, &found);
    }
    return found;
}

/* From the present modes: turns the first relation that the start excludes, as long as the
 * equations then have a start. */
static bool walk(mode_search *x)
{
    size_t left = MOST_VISITS * x->count + 1;
    bool agrees, starts = start(x, &agrees);
    while (starts && !agrees && left > 0) {
        starts = false;
        for (size_t i = 0; i < x->count && !starts && left > 0; i++) {
            if (!x->excluded[i]) continue;
            turn(x, i);
            if (note_new(x)) left--, starts = start(x, &agrees);
            if (!starts) turn(x, i);
        }
    }
    return agrees;
}

static void set_all(const mode_search *x, bool is)
{
    go_to(x, x->first);
    for (size_t i = 0; i < x->count; i++)
        x->m->modes->relation[x->which[i]].is = is ? SYM_HELD_TRUE : SYM_HELD_FALSE;
}

/* From modes in which all relations are true, or false, or all but one, as that where one diode
 * conducts. */
static bool walk_from_ends(mode_search *x)
{
    for (int all = 1; all >= 0; all--) {
        set_all(x, all);
        note_new(x); /* its start is found once more for the way from there, if it was tried */
        if (walk(x)) return true;
    }
    for (int all = 1; all >= 0; all--) {
        for (size_t i = 0; i < x->count && !x->fails; i++) {
            set_all(x, all);
            turn(x, i);
            if (note_new(x) && walk(x)) return true;
        }
    }
    return false;
}

static bool seek(mode_search *x)
{
    const bool few = x->count <= MOST_AT_START;
    bool found = try_single_changes(x) || (few && try_changes(x, 2)) || walk_from_ends(x);
    x->most += x->tries;
    for (size_t changes = 3; few && changes <= x->count && !found; changes++)
        found = try_changes(x, changes);
    return found;
}

/* The relations that are sought, of the part that is looked at. */
static void find_sought(mode_search *x)
{
    const switching_modes *modes = x->m->modes;
    for (size_t k = 0; k < modes->relations; k++) {
        x->first[k] = modes->relation[k].is;
        if (modes->relation[k].sought && is_looked_at(x->m, k)) x->which[x->count++] = k;
    }
}

static bool search(model_simulation *m, double t, size_t most, message *told)
{
    size_t relations = m->modes->relations;
    mode_search x = {.m = m, .t = t, .told = told, .most = most};
    x.which = malloc((relations + 1) * sizeof *x.which);
    x.first = malloc(relations + 1);
    x.excluded = calloc(relations + 1, sizeof *x.excluded);
    bool found = x.which && x.first && x.excluded;
    x.cells = m->whole.selectors.cells * sizeof(double);
    if (found) find_sought(&x);
    found = found && seek(&x);
    free(x.which);
    free(x.first);
    free(x.tried);
    free(x.excluded);
    return found;
}

/* The modes and cells of the parts that have been searched. */
typedef struct part_modes {
    unsigned char *is; /* relations */
    double *cell;      /* cells */
} part_modes;

static void keep_part(const model_simulation *m, size_t part, const part_modes *p)
{
    const switching_start_parts *parts = &m->modes->start;
    for (size_t k = 0; k < m->modes->relations; k++)
        if (parts->relation[k] == part) p->is[k] = m->modes->relation[k].is;
    for (uint32_t i = 0; i < m->modes->cells; i++)
        if (parts->cell[i] == part) p->cell[i] = sym_cell_value(m->system->graph, i);
}

static void take_parts(const model_simulation *m, const part_modes *p)
{
    for (size_t k = 0; k < m->modes->relations; k++) m->modes->relation[k].is = p->is[k];
    for (uint32_t i = 0; i < m->modes->cells; i++) sym_set_cell(m->system->graph, i, p->cell[i]);
    switching_adopt(m->switching, m->system->graph);
}

/* Searches each part by itself, and then starts with all of them. */
static bool search_each(model_simulation *m, double t, size_t most, message *told,
                        const part_modes *p)
{
    bool found = true;
    for (size_t k = 0; k < m->modes->relations; k++) p->is[k] = m->modes->relation[k].is;
    for (uint32_t i = 0; i < m->modes->cells; i++) p->cell[i] = sym_cell_value(m->system->graph, i);
    for (size_t part = 0; part < m->modes->start.count && found; part++) {
        m->alone = part + 1;
        found = search(m, t, most, told);
        if (found) keep_part(m, part, p);
        m->alone = 0;
        take_parts(m, p);
    }
    if (!found || !start_mode_start(m, t, told)) return false;
    switching_look(m->switching, t, m->z);
    for (size_t k = 0; k < m->modes->relations && found; k++) found = !is_excluded(m, k);
    return found;
}

static bool search_by_parts(model_simulation *m, double t, size_t most, message *told)
{
    if (!start_parts_are_apart(m)) return false;
    part_modes p = {.is = malloc(m->modes->relations + 1),
                    .cell = malloc((m->modes->cells + 1) * sizeof *p.cell)};
    bool found = p.is && p.cell && search_each(m, t, most, told, &p);
    if (!found && p.is && p.cell) take_parts(m, &p);
    free(p.is);
    free(p.cell);
    return found;
}

bool start_mode_search(model_simulation *m, double t, size_t most, message *told)
{
    return search_by_parts(m, t, most, told) || search(m, t, most, told);
}
