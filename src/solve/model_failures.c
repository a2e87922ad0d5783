/* Modes that an event has tried in vain.
 *
 * A search for modes comes back to modes that it has tried, and searches at one event begin with
 * the same state. To form the equations of a mode that has no solution costs more than all else at
 * an event, and none of it stays. So the attempts of an event are kept with all that they depend
 * on, and are not made again. */
#include "solve/model_formed.h"
#include "symbolic/cells.h"

#include <stdlib.h>
#include <string.h>

/* The most attempts that are kept; a newer one replaces the oldest one. */
enum { MOST_FAILURES = 64 };

typedef struct failure {
    model_attempt of;
    message why;
} failure;

struct model_failures {
    failure kept[MOST_FAILURES];
    size_t count; /* of all since the event has begun */
};

static void append(unsigned char **end, const void *from, size_t bytes)
{
    if (bytes) memcpy(*end, from, bytes);
    *end += bytes;
}

dae_status model_attempt_note(const model_simulation *m, double t, const double *z,
                              const unsigned char *key, size_t key_bytes, model_attempt *to)
{
    const sym_graph *g = m->system->graph;
    size_t relations = m->modes->relations, cells = sym_cell_count(g) * sizeof(double);
    size_t states = m->formulation->p->size * sizeof *z;
    size_t unset = m->system->discrete.action.count * sizeof(double);
    const size_t number = m->base.formulation_number;
    to->bytes = key_bytes + relations + cells + states + unset + sizeof number + sizeof t;
    unsigned char *end = to->data = malloc(to->bytes);
    if (!to->data) return DAE_NO_MEMORY;
    append(&end, &number, sizeof number);
    append(&end, &t, sizeof t);
    append(&end, z, states);
    append(&end, key, key_bytes);
    append(&end, sym_cell_values(g), cells);
    append(&end, m->modes->unset, unset);
    for (size_t k = 0; k < relations; k++) *end++ = m->modes->relation[k].is;
    return DAE_OK;
}

void model_attempt_free(model_attempt *a)
{
    free(a->data);
    *a = (model_attempt){0};
}

bool model_failures_find(const model_simulation *m, const model_attempt *a, message *to)
{
    const model_failures *f = m->failures;
    for (size_t i = 0; f && i < f->count && i < MOST_FAILURES; i++) {
        const failure *at = &f->kept[i];
        if (at->of.bytes != a->bytes || memcmp(at->of.data, a->data, a->bytes) != 0) continue;
        message_fail(to, at->why.status, "%s", message_string(&at->why));
        return true;
    }
    return false;
}

void model_failures_keep(model_simulation *m, model_attempt *a, const message *why)
{
    bool tells = why->status != DAE_OK && why->status != DAE_STOPPED &&
                 why->status != DAE_NO_MEMORY && why->notes.length == 0;
    if (tells && !m->failures) m->failures = calloc(1, sizeof *m->failures);
    if (tells && m->failures) {
        failure *at = &m->failures->kept[m->failures->count++ % MOST_FAILURES];
        model_attempt_free(&at->of);
        message_free(&at->why);
        at->of = *a;
        message_fail(&at->why, why->status, "%s", message_string(why));
        *a = (model_attempt){0};
    }
    model_attempt_free(a);
}

void model_failures_forget(model_simulation *m)
{
    for (size_t i = 0; m->failures && i < MOST_FAILURES; i++) {
        model_attempt_free(&m->failures->kept[i].of);
        message_free(&m->failures->kept[i].why);
    }
    free(m->failures);
    m->failures = NULL;
}
