#include "solve/start_laws.h"

#include "base/round_off.h"
#include "symbolic/tape.h"

#include <math.h>
#include <stdlib.h>

/* The laws evaluated over the time and all unknowns. */
typedef struct laws {
    model_simulation *m;
    arena memory;
    size_t count;
    const sym_tape *tape;
    double *input, *value;
} laws;

static size_t slot_of(void *context, const sym_view *leaf)
{
    (void)context;
    return leaf->op == SYM_TIME ? 0 : 1 + leaf->id;
}

static void compile(void *argument)
{
    laws *l = argument;
    const sym_system *s = l->m->system;
    size_t inputs = 1 + s->unknown.count;
    sym *output = arena_array(&l->memory, s->start_law.count, sizeof *output);
    l->count = s->start_law.count;
    for (size_t i = 0; i < l->count; i++) output[i] = s->start_law.item[i].value;
    l->tape = sym_tape_compile(&l->memory, s->graph, l->count, output, inputs, slot_of, NULL);
    arena_vectors(&l->memory, inputs, (double **[]){&l->input, NULL});
    arena_vectors(&l->memory, l->count, (double **[]){&l->value, NULL});
}

static void compile_with_graph(void *argument)
{
    laws *l = argument;
    dae_status status = arena_protect(&l->memory, compile, l);
    if (status != DAE_OK) arena_fail(l->m->home);
}

static dae_status take(model_simulation *m, double t, const double *unknown, bool *moved)
{
    laws l = {.m = m};
    sym_system *s = m->system;
    dae_status status = arena_protect(m->home, compile_with_graph, &l);
    *moved = false;
    if (status == DAE_OK) {
        l.input[0] = t;
        for (size_t j = 0; j < s->unknown.count; j++) l.input[1 + j] = unknown[j];
        sym_tape_eval(l.tape, l.input, l.value);
    }
    for (size_t i = 0; status == DAE_OK && i < l.count; i++) {
        uint32_t id = s->start_law.item[i].unknown;
        sym_unknown *u = &s->unknown.item[id];
        bool given = id < m->base.n && !isnan(m->base.start[id]);
        if (given || !isfinite(l.value[i])) continue;
        double size = fmax(fabs(l.value[i]), u->nominal);
        *moved = *moved || fabs(l.value[i] - u->start) > ROUND_OFF_ITERATED * size;
        u->start = l.value[i];
    }
    arena_free(&l.memory);
    return status;
}

dae_status start_laws_guess(model_simulation *m, double t)
{
    size_t n = m->system->unknown.count;
    double *start = malloc((n + 1) * sizeof *start);
    bool moved;
    if (!start) return DAE_NO_MEMORY;
    for (size_t j = 0; j < n; j++) start[j] = m->system->unknown.item[j].start;
    dae_status status = take(m, t, start, &moved);
    free(start);
    return status;
}

/* The parameters go on from where they were found, so that at the end the laws hold with them. */
dae_status start_laws_take(model_simulation *m, double t, bool *moved)
{
    author_lift(m->formulation->author, t, m->z, m->base.value, NULL);
    for (size_t j = 0; j < m->system->unknown.count; j++)
        if (m->system->unknown.item[j].parameter)
            m->system->unknown.item[j].start = m->base.value[j];
    return take(m, t, m->base.value, moved);
}
