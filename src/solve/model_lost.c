/* Names an equation of which hardly anything is left where a run stops.
 *
 * An equation p f = 0 says nothing where p = 0: the index is another one there, no step tells how
 * the solution goes on, and steps fail before that instant. Such an equation changes much less with
 * its variables there than it does beside the point. */
#include "base/scatter.h"
#include "solve/model_simulation.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* How far beside the point, and how far variables are changed, in sizes; and the part of what an
 * equation says beside the point that is hardly anything. */
static const double BESIDE = 0.1, CHANGED = 1e-6, HARDLY = 1e-3;

enum { POINTS = 3, PROBES = 4 };

typedef struct lost_search {
    model_simulation *m;
    double t;
    size_t equation; /* of which least is left; SIZE_MAX: none */
    double left;     /* of it */
} lost_search;

static size_t slot(void *context, const sym_view *leaf)
{
    const size_t *unknowns = context;
    return leaf->op == SYM_TIME ? 0 : 1 + leaf->order * *unknowns + leaf->id;
}

/* Moves values and derivatives from `from` by parts of their sizes. */
static void move(const lost_search *s, const double *from, double part, size_t seed, double *to)
{
    const model_simulation *m = s->m;
    double unit = m->formulation->start->time_unit;
    size_t n = m->base.n;
    to[0] = from[0] + part * scattered(seed) * unit;
    for (size_t k = 0; k < 2 * n; k++) {
        double nominal = m->base.nominal[k % n] / (k < n ? 1 : unit), by = scattered(seed + 1 + k);
        double size = fmax(fabs(from[1 + k]), nominal);
        to[1 + k] = from[1 + k] + part * copysign(0.5 + 0.5 * fabs(by), by) * size;
    }
}

/* How much each row changes at a point. */
static void find_changes(const lost_search *s, const sym_tape *tape, const double *at,
                         double *moved, double *here, double *there, double *change)
{
    size_t rows = s->m->whole.system->equation.count, inputs = 1 + 2 * s->m->base.n;
    memset(change, 0, rows * sizeof *change);
    sym_tape_eval(tape, at, here);
    for (size_t probe = 0; probe < PROBES; probe++) {
        move(s, at, CHANGED, probe * inputs, moved);
        sym_tape_eval(tape, moved, there);
        for (size_t i = 0; i < rows; i++)
            if (!(change[i] >= fabs(there[i] - here[i]))) change[i] = fabs(there[i] - here[i]);
    }
}

static void look(void *argument)
{
    lost_search *s = argument;
    model_simulation *m = s->m;
    const sym_system *system = m->whole.system;
    sym_graph *g = system->graph;
    size_t n = m->base.n, rows = system->equation.count, inputs = 1 + 2 * n;
    arena *a = m->home;
    sym *row = arena_array(a, rows, sizeof *row);
    double *at, *beside, *moved, *here, *there, *own, *other, *least;
    arena_vectors(a, inputs, (double **[]){&at, &beside, &moved, NULL});
    arena_vectors(a, rows, (double **[]){&here, &there, &own, &other, &least, NULL});
    for (size_t i = 0; i < rows; i++) row[i] = sym_residual(system, i);
    sym_tape *tape = sym_tape_compile(a, g, rows, row, inputs, slot, &n);
    at[0] = s->t;
    memcpy(at + 1, m->base.value, n * sizeof *at);
    for (size_t k = 0; k < n; k++)
        at[1 + n + k] = isfinite(m->base.value_yp[k]) ? m->base.value_yp[k] : 0;
    find_changes(s, tape, at, moved, here, there, own);
    for (size_t i = 0; i < rows; i++) least[i] = HUGE_VAL;
    for (size_t k = 0; k < POINTS; k++) {
        move(s, at, BESIDE, (k + 1) * PROBES * inputs, beside);
        find_changes(s, tape, beside, moved, here, there, other);
        for (size_t i = 0; i < rows; i++) least[i] = fmin(least[i], other[i]);
    }
    for (size_t i = 0; i < rows; i++) {
        double left = own[i] / least[i];
        if (left < s->left) s->left = left, s->equation = i;
    }
}

bool model_simulation_report_lost(model_simulation *m, double t, text *to)
{
    lost_search s = {.m = m, .t = t, .equation = SIZE_MAX, .left = HARDLY};
    if (m->system->delay.count > 0 || arena_protect(m->home, look, &s) != DAE_OK ||
        s.equation == SIZE_MAX)
        return false;
    text_format(to, "\n  near t = %.6g hardly anything is left of ", t);
    sym_equation_name(m->whole.system, &m->whole.system->equation.item[s.equation], to);
    text_format(
        to,
        " (%.1g of what it says beside this point): where nothing is, the index is another "
        "one, and the equations do not tell how the solution goes on\n  remedy: divide that "
        "equation by what becomes 0, or say what holds there",
        s.left);
    return true;
}
