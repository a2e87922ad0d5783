#include "solve/start_laws.h"

#include "base/round_off.h"
#include "symbolic/tape.h"

#include <math.h>
#include <stdlib.h>

struct start_laws {
    arena memory;
    const sym_system *system;
    const sym_tape *tape;        /* over the time and all unknowns */
    double *input, *value, *own; /* own: the author's start values of all unknowns */
};

static size_t slot_of(void *context, const sym_view *leaf)
{
    (void)context;
    return leaf->op == SYM_TIME ? 0 : 1 + leaf->id;
}

static void compile(void *argument)
{
    start_laws *l = argument;
    const sym_system *s = l->system;
    size_t count = s->start_law.count, unknowns = s->unknown.count;
    sym *output = arena_array(&l->memory, count, sizeof *output);
    for (size_t i = 0; i < count; i++) output[i] = s->start_law.item[i].value;
    l->tape = sym_tape_compile(&l->memory, s->graph, count, output, 1 + unknowns, slot_of, NULL);
    arena_vectors(&l->memory, 1 + unknowns, (double **[]){&l->input, &l->own, NULL});
    arena_vectors(&l->memory, count, (double **[]){&l->value, NULL});
    for (size_t j = 0; j < unknowns; j++) l->own[j] = s->unknown.item[j].start;
}

static void compile_with_graph(void *argument)
{
    model_simulation *m = argument;
    start_laws *l = m->start_laws;
    if (arena_protect(&l->memory, compile, l) != DAE_OK) arena_fail(m->home);
}

/* At the first start. */
static dae_status need(model_simulation *m)
{
    if (m->start_laws) return DAE_OK;
    m->start_laws = calloc(1, sizeof *m->start_laws);
    if (!m->start_laws) return DAE_NO_MEMORY;
    m->start_laws->system = m->system;
    dae_status status = arena_protect(m->home, compile_with_graph, m);
    if (status == DAE_OK) return DAE_OK;
    start_laws_free(m->start_laws);
    m->start_laws = NULL;
    return status;
}

void start_laws_free(start_laws *l)
{
    if (!l) return;
    arena_free(&l->memory);
    free(l);
}

/* Makes the start values of what the unknowns are. Returns whether one has moved. */
static bool follow(model_simulation *m, double t, const double *unknown)
{
    start_laws *l = m->start_laws;
    sym_system *s = m->system;
    bool moved = false;
    l->input[0] = t;
    for (size_t j = 0; j < s->unknown.count; j++) l->input[1 + j] = unknown[j];
    sym_tape_eval(l->tape, l->input, l->value);
    for (size_t i = 0; i < s->start_law.count; i++) {
        uint32_t id = s->start_law.item[i].unknown;
        sym_unknown *u = &s->unknown.item[id];
        bool given = id < m->base.n && !isnan(m->base.start[id]);
        if (given || !isfinite(l->value[i])) continue;
        double size = fmax(fabs(l->value[i]), u->nominal);
        moved = moved || fabs(l->value[i] - u->start) > ROUND_OFF_ITERATED * size;
        u->start = l->value[i];
    }
    return moved;
}

dae_status start_laws_guess(model_simulation *m, double t)
{
    sym_system *s = m->system;
    dae_status status = need(m);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < s->unknown.count; j++) {
        sym_unknown *u = &s->unknown.item[j];
        bool given = j < m->base.n && !isnan(m->base.start[j]);
        if (u->parameter && !given) u->start = m->start_laws->own[j];
        m->base.value[j] = u->start;
    }
    (void)follow(m, t, m->base.value);
    return DAE_OK;
}

bool start_laws_take(model_simulation *m, double t)
{
    author_lift(m->formulation->author, t, m->z, m->base.value, NULL);
    for (size_t j = 0; j < m->system->unknown.count; j++)
        if (m->system->unknown.item[j].parameter)
            m->system->unknown.item[j].start = m->base.value[j];
    return follow(m, t, m->base.value);
}
