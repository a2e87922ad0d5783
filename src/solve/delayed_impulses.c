/* Impulses of what is delayed: they would come back after the lag. */
#include "solve/delays.h"
#include "symbolic/derive.h"

typedef struct delayed_search {
    const formulation *f;
    const bool *has;
    const sym_delay *found;
} delayed_search;

static void find(void *argument)
{
    delayed_search *s = argument;
    const formulation *f = s->f;
    for (size_t k = 0; k < f->system->delay.count && !s->found; k++) {
        sym value = f->system->delay.item[k].value;
        const sym_leaf *leaf;
        structure_to_core(f->system, f->core, 1, &value);
        size_t count = sym_leaves(f->system->graph, value, &leaf);
        for (size_t i = 0; i < count; i++) {
            sym_view view = sym_look(f->system->graph, leaf[i].node);
            if (s->has[prolongation_column((void *)f->p, 0, &view)])
                s->found = &f->system->delay.item[k];
        }
    }
}

dae_status delays_find_impulse(const formulation *f, const bool *has, const sym_delay **found)
{
    delayed_search s = {.f = f, .has = has};
    dae_status status = arena_protect(f->system->memory, find, &s);
    *found = s.found;
    return status;
}
