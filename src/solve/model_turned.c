/* Jumps along which the factors of derivatives change.
 *
 * Where a variable jumps that is differentiated, as y1 in E(y) y' where y1 and y2 jump together,
 * what E y' integrates stays. With a constant E this is E y. If E depends on what jumps, it depends
 * on the way that the jump takes, which the equations do not tell. */
#include "solve/model_simulation.h"
#include "symbolic/derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An unknown, and one that a factor of its derivative depends on. */
typedef struct turning {
    uint32_t id, by;
} turning;

struct model_turned {
    size_t count;
    const turning *item;
};

/* Lists them for the equations as written. */
static void find(void *argument)
{
    model_simulation *m = argument;
    sym_system *system = m->written.system;
    sym_graph *g = system->graph;
    arena *a = system->memory;
    LIST(turning) found = {0};
    for (size_t i = 0; i < system->equation.count; i++) {
        sym_partials partials = {0};
        sym_gradient(g, sym_residual(system, i), &partials);
        for (size_t k = 0; k < partials.count; k++) {
            sym_view of = sym_look(g, partials.item[k].leaf);
            if (of.op != SYM_VARIABLE || of.order == 0) continue;
            const sym_leaf *leaf;
            size_t leaves = sym_leaves(g, partials.item[k].value, &leaf);
            for (size_t l = 0; l < leaves; l++)
                list_push(a, &found, ((turning){of.id, leaf[l].id}));
        }
    }
    model_turned *made = arena_take(a, sizeof *made);
    *made = (model_turned){found.count, found.item};
    m->written.turned = made;
}

static bool has_jumped(const model_simulation *m, const double *before, uint32_t id)
{
    double size = fmax(fabs(before[id]), m->base.nominal[id]);
    return fabs(m->base.value[id] - before[id]) > MODEL_SETTLE_OFF * size;
}

/* One of which both have jumped; NULL: there is none. */
static const turning *find_jump(const model_simulation *m, const double *before)
{
    for (size_t k = 0; k < m->written.turned->count; k++) {
        const turning *at = &m->written.turned->item[k];
        bool own = at->id < m->base.n && at->by < m->base.n;
        if (own && has_jumped(m, before, at->id) && has_jumped(m, before, at->by)) return at;
    }
    return NULL;
}

dae_status model_turned_look(model_simulation *m, double t, const double *before, const double *z,
                             message *to)
{
    if (!m->written.turned && arena_protect(m->written.system->memory, find, m) != DAE_OK)
        return message_status(to, DAE_NO_MEMORY);
    double *value = malloc((m->room + 1) * sizeof *value);
    if (!value) return message_status(to, DAE_NO_MEMORY);
    author_lift(m->formulation->author, t, before, value, NULL);
    author_lift(m->formulation->author, t, z, m->base.value, NULL);
    const turning *at = find_jump(m, value);
    free(value);
    if (!at) return DAE_OK;
    return message_fail(to, DAE_EVENT,
                        "the event at t = %.9g asks for a jump of %s, and a factor of its "
                        "derivative depends on %s, which jumps as well: the jump depends on "
                        "its way\n  remedy: let what switches change within a short time, or "
                        "write the equations in what they integrate, as z = x + y^2 and der(z) "
                        "in place of der(x) + 2*y*der(y)",
                        t, m->system->unknown.item[at->id].name,
                        m->system->unknown.item[at->by].name);
}
