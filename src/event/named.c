/* Names of events: of relations as authors write them, and of samples. */
#include "event/switching.h"

#include "base/round_off.h"
#include "event/events.h"
#include "symbolic/cells.h"
#include "symbolic/traced.h"

#include <math.h>

/* The function whose whole part is another one where a relation with this side changes; NULL: there
 * is none. */
static const char *function_at(const switching *s, sym side)
{
    const sym_graph *g = s->system->graph;
    const sym_discrete_part *d = &s->system->discrete;
    sym_view view = sym_look(g, side);
    if (view.op == SYM_ELEMENT) view = sym_look(g, view.argument[0]);
    if (view.op == SYM_SUM && view.count == 1) view = sym_look(g, view.argument[0]);
    for (size_t k = 0; view.op == SYM_CELL && k < d->variable.count; k++)
        if (d->variable.item[k].is_whole && d->variable.item[k].pre == view.id)
            return d->variable.item[k].name;
    return NULL;
}

/* As authors write it: a function by itself, and of two sides that which changes on the left. */
static void name_relation(const switching *s, sym node, text *to)
{
    const sym_graph *g = s->system->graph;
    sym_view view = sym_look(g, node);
    const char *function = NULL;
    for (uint32_t i = 0; i < view.count && !function; i++)
        function = function_at(s, view.argument[i]);
    if (function) {
        text_add(to, function);
        return;
    }
    double number;
    bool turned = (view.op == SYM_LESS || view.op == SYM_LESS_EQUAL) &&
                  sym_number_of(g, view.argument[0], &number);
    if (!turned) {
        prolonged_print(s->f->names, node, to);
        return;
    }
    prolonged_print_side(s->f->names, view.argument[1], to);
    text_add(to, view.op == SYM_LESS ? " > " : " >= ");
    prolonged_print_side(s->f->names, view.argument[0], to);
}

void switching_name(const switching *s, size_t root, text *t)
{
    size_t k = root < s->roots ? s->of_root[root] : s->slid[(root - s->roots) / 2];
    if (root >= s->roots) text_add(t, "end of the sliding motion at ");
    name_relation(s, sym_relation_node(s->system->graph, k), t);
}

static void name_one(const switching *s, sym node, text *to)
{
    text one = {0};
    name_relation(s, node, &one);
    event_name_add(text_string(&one), to);
    text_free(&one);
}

void switching_name_number(const switching *s, size_t relation, text *to)
{
    name_one(s, sym_relation_node(s->system->graph, relation), to);
}

void switching_name_samples(const switching *s, double t, text *to)
{
    sym_graph *g = s->system->graph;
    const sym_discrete_part *d = &s->system->discrete;
    for (size_t i = 0; i < d->sample.count; i++)
        if (switching_is_sampled(s, i, t)) name_one(s, sym_cell(g, d->sample.item[i].cell), to);
}

void switching_name_due(switching *s, double t, text *to)
{
    switching_name_samples(s, t, to);
    switching_look(s, t, s->input + 1);
    for (size_t k = 0; k < s->relations; k++) {
        const switching_relation *r = &s->relation[k];
        double moved = fabs(s->by_time[k]) * switching_resolution(t);
        bool now = fabs(s->value[k]) <= ROUND_OFF_SUM * s->size[k] + 2 * moved;
        if (r->kind == RELATION_TIME && s->by_time[k] != 0 && now) switching_name_number(s, k, to);
    }
}
