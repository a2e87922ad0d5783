/* The start together with the discrete variables: these and the start values are found in turn.
 *
 * The start that follows from values of the discrete variables gives them other values by their
 * definitions, until they are those it was found with. Where the whole part of an expression, or
 * another Integer, leads to a start that gives the same variable less the more it is, such turns
 * may go round in a circle, or away: a heater of 0.3 kW for each degree that is missing. After some
 * of them the next value is where the secant of what is defined minus what was taken is 0, and once
 * both signs have been met, a value between those (regula falsi, with every other value in the
 * middle). Discrete Reals that are no whole numbers are accelerated together (start_reals.h). */
#include "solve/model_simulation.h"
#include "solve/start_reals.h"
#include "symbolic/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most turns, of these the most in which no start is found, and those before secants. */
enum { MOST_TURNS = 30, MOST_FAILED = 3, PLAIN_TURNS = 4 };

/* What is defined minus what was taken of a discrete variable, in one turn. */
typedef struct miss {
    double taken, by; /* by = 0: none is known */
} miss;

/* Of a discrete variable. */
typedef struct history {
    double taken, before;  /* in this turn, and in the last one */
    miss last, less, more; /* of the last turn; of the last ones in which more, and less, was
                              defined than was taken */
} history;

typedef struct turns {
    model_simulation *m;
    const sym_discrete_part *part;
    history *of;                   /* discrete variables */
    start_reals *reals;            /* those that are Reals and no whole numbers; */
    double *real_taken, *real_now; /* ... their values in this turn, and the next ones */
    size_t real_count;
    int turn, failed;
    bool secants; /* other values than those defined are taken */
    bool circles; /* even so the values are those of the turn before last */
    bool counts;  /* there are counted variables or such Reals: other values may be taken */
    size_t width; /* what a turn begins with: discrete variables and modes of relations */
    double *seen; /* MOST_TURNS x width; NULL: not kept, or turns have been left out */
    int from;     /* the first of these turns after the last in which no start was found */
} turns;

static bool is_counted(const sym_discrete *v)
{
    return v->is_whole || v->type == SYM_INTEGER_TYPE;
}

static bool is_real(const sym_discrete *v)
{
    return v->type == SYM_REAL_TYPE && !v->is_whole && !v->is_condition;
}

static void note_taken(turns *n)
{
    const sym_graph *g = n->m->system->graph;
    for (size_t i = 0; i < n->part->variable.count; i++) {
        history *h = &n->of[i];
        h->before = n->turn > 0 ? h->taken : (double)NAN;
        h->taken = sym_cell_value(g, n->part->variable.item[i].cell);
    }
}

static void note_seen(const turns *n, double *now)
{
    size_t count = n->part->variable.count;
    for (size_t i = 0; i < count; i++) now[i] = n->of[i].taken;
    for (size_t k = 0; count + k < n->width; k++) now[count + k] = n->m->modes->relation[k].is;
}

static void forget_seen(turns *n)
{
    free(n->seen);
    n->seen = NULL;
}

/* Where Booleans go round in a circle, as those of a bridge whose diodes block and conduct in turn,
 * the turns that are left repeat those of the circle: whole rounds are left out, so that the last
 * turn is the one that it would have been. So it is with all variables once a turn has found no
 * start: those defined are taken from then on. */
static void leave_out_rounds(turns *n)
{
    if (!n->seen || (n->counts && n->failed == 0)) return;
    const double *now = n->seen + (size_t)n->turn * n->width;
    note_seen(n, n->seen + (size_t)n->turn * n->width);
    int k = n->turn - 1;
    while (k >= n->from && memcmp(n->seen + (size_t)k * n->width, now, n->width * sizeof *now) != 0)
        k--;
    if (k < n->from) return;
    n->turn += (MOST_TURNS - 1 - n->turn) / (n->turn - k) * (n->turn - k);
    forget_seen(n);
}

/* A whole number between two, which are no neighbours. */
static double between(const history *h, bool middle)
{
    double a = h->less.taken, b = h->more.taken;
    double x = middle ? (a + b) / 2 : a - h->less.by * (b - a) / (h->more.by - h->less.by);
    return fmin(fmax(round(x), fmin(a, b) + 1), fmax(a, b) - 1);
}

/* The value of a counted variable in the next turn; `defined`, if the turns say nothing else. */
static double next_value(history *h, double defined, bool secants, int turn)
{
    miss last = h->last, now = {h->taken, defined - h->taken};
    double next = defined;
    if (now.by == 0 || !isfinite(now.by)) return defined;
    if (secants) {
        miss *side = now.by > 0 ? &h->more : &h->less;
        *side = now;
        bool encloses = h->less.by < 0 && h->more.by > 0;
        if (encloses && fabs(h->less.taken - h->more.taken) > 1.5)
            next = between(h, turn % 2 == 0);
        else if (!encloses && last.by != 0 && last.by != now.by)
            next = round(now.taken - now.by * (now.taken - last.taken) / (now.by - last.by));
    }
    h->last = now;
    return next;
}

/* Whether the values that were defined are those of the last turn, which gave the present ones. */
static bool go_round(const turns *n)
{
    const sym_graph *g = n->m->system->graph;
    for (size_t i = 0; i < n->part->variable.count; i++)
        if (sym_cell_value(g, n->part->variable.item[i].cell) != n->of[i].before) return false;
    return n->turn > 0;
}

/* Whether discrete variables other than Reals have changed in this turn. */
static bool others_change(const turns *n)
{
    const sym_graph *g = n->m->system->graph;
    for (size_t i = 0; i < n->part->variable.count; i++) {
        const sym_discrete *v = &n->part->variable.item[i];
        if (!is_real(v) && sym_cell_value(g, v->cell) != n->of[i].taken) return true;
    }
    return false;
}

static void set_reals(const turns *n, const double *value)
{
    for (size_t i = 0, k = 0; i < n->part->variable.count; i++) {
        const sym_discrete *v = &n->part->variable.item[i];
        if (is_real(v)) sym_set_cell(n->m->system->graph, v->cell, value[k++]);
    }
}

/* Whether the definitions have given the values that were taken but for the rounding of Reals, and
 * these keep those that the start was found with. */
static bool are_reals_settled(turns *n)
{
    const sym_graph *g = n->m->system->graph;
    size_t count = 0;
    for (size_t i = 0; i < n->part->variable.count; i++) {
        const sym_discrete *v = &n->part->variable.item[i];
        if (!is_real(v)) continue;
        n->real_now[count] = sym_cell_value(g, v->cell);
        n->real_taken[count++] = n->of[i].taken;
    }
    bool others = others_change(n);
    if (others) start_reals_forget(n->reals);
    bool same = start_reals_note(n->reals, n->real_taken, n->real_now);
    if (others || !same) return false;
    set_reals(n, n->real_taken);
    return true;
}

/* Takes other values of counted variables and Reals than those defined last, where the turns lead
 * nowhere. */
static void go_on(turns *n)
{
    sym_graph *g = n->m->system->graph;
    n->secants = n->secants || n->turn >= PLAIN_TURNS || go_round(n);
    if (n->secants && n->real_count > 0) {
        start_reals_next(n->reals, n->real_now);
        set_reals(n, n->real_now);
    }
    for (size_t i = 0; i < n->part->variable.count; i++) {
        const sym_discrete *v = &n->part->variable.item[i];
        double defined = sym_cell_value(g, v->cell);
        if (!is_counted(v)) continue;
        double next = next_value(&n->of[i], defined, n->secants, n->turn);
        if (next != defined) sym_set_cell(g, v->cell, next);
    }
    n->circles = n->secants && go_round(n);
}

/* Whether discrete variables are others where a search has ended. A search that finds no start ends
 * where the equations are violated least: friction that sticks by its guess, while what it acts on
 * moves, is found to slip there. */
static bool defines_others(turns *n, double t, dae_status status, const double *nearest)
{
    model_simulation *m = n->m;
    bool none = status == DAE_NO_START || status == DAE_CONTRADICTION;
    if (none) n->from = n->turn + 1;
    if (!m->switching || (none ? ++n->failed > MOST_FAILED || !nearest : status != DAE_OK))
        return false;
    return switching_define(m->switching, t, none ? nearest : m->z);
}

/* In one mode alone the equations stay as they are where discrete variables select others: for
 * whoever asks, these values are kept. */
static void keep_near(model_simulation *m)
{
    if (!m->near_cells || m->modes->cells == 0) return;
    memcpy(m->near_cells, sym_cell_values(m->system->graph),
           m->modes->cells * sizeof *m->near_cells);
    m->knows_near = true;
}

/* No start was found: the discrete variables are those of the guesses again, for which the first
 * search says why. */
static dae_status fail_as_first(model_simulation *m, double t, message *told, message *first)
{
    message_free(told);
    *told = *first;
    *first = (message){0};
    if (m->switching) switching_define(m->switching, t, m->formulation->start->start.guess);
    return told->status;
}

static void write_value(const sym_discrete *v, double value, text *to)
{
    if (v->type == SYM_BOOLEAN_TYPE)
        text_add(to, value != 0 ? "true" : "false");
    else
        text_format(to, "%.9g", value);
}

static bool is_unsettled(const turns *n, size_t i)
{
    return sym_cell_value(n->m->system->graph, n->part->variable.item[i].cell) != n->of[i].taken;
}

/* Whether discrete Reals are, and no others. Their definitions may read what the equations give by
 * them, as that of a when-clause at the start does, and are met together with these at the event of
 * the start (event/together.c). Where none is, definitions have gone round in a circle, through
 * variables that were taken out of the equations. */
static bool only_reals(const turns *n)
{
    bool any = false;
    for (size_t i = 0; i < n->part->variable.count; i++) {
        const sym_discrete *v = &n->part->variable.item[i];
        if (!is_unsettled(n, i)) continue;
        if (v->type != SYM_REAL_TYPE || v->is_whole) return false;
        any = true;
    }
    return any;
}

/* A discrete variable whose value is not that of its definition, and which the author knows; their
 * count, where definitions by each other have come back to the values that were taken. */
static size_t find_unsettled(const turns *n)
{
    size_t found = n->part->variable.count;
    for (size_t i = 0; i < n->part->variable.count; i++) {
        if (!is_unsettled(n, i)) continue;
        if (!n->part->variable.item[i].is_condition) return i;
        found = i;
    }
    return found;
}

/* Each start that was found gives the discrete variables other values than it was found with. */
static void tell_unsettled(const turns *n, double t, message *told)
{
    const size_t i = find_unsettled(n);
    message_fail(told, DAE_NO_START,
                 "no start was found at t = %.9g that agrees with the discrete variables", t);
    if (i == n->part->variable.count) {
        message_more(told, "\n  remedy: give start values nearer to a start that agrees");
        return;
    }
    const sym_discrete *v = &n->part->variable.item[i];
    message_more(told, ": where %s is ", v->name);
    write_value(v, n->of[i].taken, &told->sentence);
    message_more(told, ", the start values, fixed values and initial equations lead to a start "
                       "where it is ");
    write_value(v, sym_cell_value(n->m->system->graph, v->cell), &told->sentence);
    message_more(told,
                 " (%s:%u)\n  remedy: let an initial equation or a fixed value go that depends on "
                 "it, or give start values nearer to a start that agrees",
                 n->m->system->file, v->at.line);
}

/* The start is taken as it is where the event of the start may find values that agree: then it is
 * verified there. */
static dae_status end_unsettled(turns *n, double t, message *told)
{
    model_simulation *m = n->m;
    switching_define(m->switching, t, m->z); /* they may be those of the next turn */
    tell_unsettled(n, t, &m->unsettled);
    if (m->takes_unsettled || only_reals(n)) return DAE_OK;
    message_free(told);
    *told = message_take_failure(&m->unsettled);
    return told->status;
}

static dae_status search_once(turns *n, double t, message *told)
{
    model_simulation *m = n->m;
    start_system *start = &m->formulation->start->start;
    message_free(told);
    dae_status status = start_search(&m->base, start, t, m->z, told);
    if (status == DAE_OK) status = start_come_within(m, t, told);
    if (status == DAE_OK && m->base.delays) status = model_delays_start(m, t, m->z);
    return status;
}

static dae_status take_turns(turns *n, double t, message *told)
{
    model_simulation *m = n->m;
    start_system *start = &m->formulation->start->start;
    message first = {0}; /* of the first search that fails */
    dae_status status = DAE_OK;
    bool again = true;
    for (; again && !n->circles && n->turn < MOST_TURNS; n->turn++) {
        if (m->switching) note_taken(n), leave_out_rounds(n);
        status = search_once(n, t, told);
        again = defines_others(n, t, status, start->nearest);
        if (again && !n->failed && n->real_count > 0) again = !are_reals_settled(n);
        if (again && n->failed == 1 && !first.status) {
            first = message_take_failure(told);
            keep_near(m);
        }
        if (again && !n->failed) go_on(n);
    }
    if (status != DAE_OK && first.status) status = fail_as_first(m, t, told, &first);
    if (status == DAE_OK && again) status = end_unsettled(n, t, told);
    message_free(&first);
    return status;
}

static bool make_room(turns *n)
{
    size_t count = n->part->variable.count;
    n->of = calloc(count + 1, sizeof *n->of);
    for (size_t i = 0; i < count; i++) n->real_count += is_real(&n->part->variable.item[i]);
    n->counts = n->real_count > 0;
    for (size_t i = 0; i < count; i++)
        n->counts = n->counts || is_counted(&n->part->variable.item[i]);
    n->width = count + n->m->modes->relations;
    if (!n->m->base.delays) /* else what a turn gives depends on earlier ones */
        n->seen = malloc((MOST_TURNS * n->width + 1) * sizeof *n->seen); /* NULL: all are taken */
    n->reals = start_reals_create(n->real_count);
    n->real_taken = calloc(2 * n->real_count + 1, sizeof *n->real_taken);
    n->real_now = n->real_taken ? n->real_taken + n->real_count : NULL;
    return n->of && n->reals && n->real_taken;
}

/* Together with the discrete variables, whose values are sought at the guesses first. */
dae_status model_simulation_find_start(model_simulation *m, double t, message *collected)
{
    start_system *start = &m->formulation->start->start;
    switching *s = m->switching;
    turns n = {.m = m, .part = &m->system->discrete};
    dae_status status = DAE_OK;
    message told = {0};
    text_clear(m->redundancy);
    message_free(&m->unsettled);
    if (s) s->modes->starting = true, s->modes->passed_on = false;
    if (m->base.delays) status = model_delays_start(m, t, start->guess);
    start->redundancy = m->redundancy;
    if (s) switching_define(s, t, start->guess);
    if (s) start->nearest = malloc((start->size + 1) * sizeof *start->nearest);
    if (start->nearest) memcpy(start->nearest, start->guess, start->size * sizeof *start->nearest);
    if (s && !make_room(&n)) status = message_status(&told, DAE_NO_MEMORY);
    if (status == DAE_OK) status = take_turns(&n, t, &told);
    free(n.of);
    free(n.real_taken);
    free(n.seen);
    start_reals_free(n.reals);
    free(start->nearest);
    start->nearest = NULL;
    message_move(collected, &told);
    if (s && status == DAE_OK) model_start_modes_keep(m, t);
    if (status == DAE_NO_START) model_simulation_blame_start(m, t, collected);
    return status;
}
