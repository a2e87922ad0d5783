#include "analysis/describe_lists.h"

#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

static const char *kept(arena *a, text *t)
{
    if (t->cut) arena_fail(a);
    const char *copy = arena_copy(a, text_string(t), t->length);
    text_clear(t);
    return copy;
}

/* Discrete variables stand in both lists in the same order. */
static void take_discrete_starts(const sym_system *system, size_t count,
                                 dae_described_variable *list)
{
    size_t k = 0, all = system->discrete.variable.count;
    for (size_t i = 0; i < count; i++) {
        if (!list[i].discrete) continue;
        while (k < all && strcmp(system->discrete.variable.item[k].name, list[i].name) != 0) k++;
        if (k == all) return;
        const sym_discrete *d = &system->discrete.variable.item[k];
        if (!d->start_given) continue;
        list[i].start = d->start;
        list[i].start_use = d->fixed ? "fixed" : "guess";
    }
}

static void list_variables(const model_simulation *m, arena *a, dae_description *to)
{
    const sym_system *system = m->whole.system ? m->whole.system
                                               : m->system; /* it may have failed */
    size_t count = system->unknown.count - system->hidden;
    dae_described_variable *list = arena_array(a, count, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        const sym_unknown *u = &system->unknown.item[i];
        bool given = u->start_given || u->fixed;
        list[i] = (dae_described_variable){.name = u->name,
                                           .unit = u->unit,
                                           .discrete = u->discrete,
                                           .constant = u->parameter,
                                           .input = u->input,
                                           .output = u->output,
                                           .start = given ? u->start : (double)NAN,
                                           .start_use = u->fixed ? "fixed" : "",
                                           .value = (double)NAN,
                                           .line = u->at.line};
    }
    take_discrete_starts(system, count, list);
    to->variables = count;
    to->variable = list;
}

static void list_parameters(const sym_system *read, arena *a, dae_description *to)
{
    size_t count = read ? read->parameter.count : 0;
    dae_described_parameter *list = arena_array(a, count, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        const sym_parameter *p = &read->parameter.item[i];
        list[i] = (dae_described_parameter){.name = arena_format(a, "%s", p->name),
                                            .unit = arena_format(a, "%s", p->unit),
                                            .type = p->type,
                                            .value = sym_value(read->graph, p->value),
                                            .line = p->at.line};
        if (p->text) list[i].text = arena_copy(a, p->text, strlen(p->text));
    }
    to->parameters = count;
    to->parameter = list;
}

static const char *name_of_unknown(const sym_system *system, arena *a, uint32_t unknown,
                                   uint32_t order)
{
    const char *name = system->unknown.item[unknown].name;
    if (order == 0) return name;
    return order == 1 ? arena_format(a, "der(%s)", name)
                      : arena_format(a, "derivative %u of %s", order, name);
}

static void list_blocks(const model_simulation *m, arena *a, text *t, dae_description *to)
{
    const sym_system *system = m->whole.system;
    const structure *own = m->whole.own;
    const blocks *b = own->blocks;
    dae_described_block *list = arena_array(a, b->count, sizeof *list);
    for (size_t k = 0; k < b->count; k++) {
        size_t size = b->start[k + 1] - b->start[k];
        const char **unknown = arena_array(a, size, sizeof *unknown);
        const char **equation = arena_array(a, size, sizeof *equation);
        for (size_t i = 0; i < size; i++) {
            uint32_t row = b->row[b->start[k] + i], column = own->s->match[row];
            unknown[i] = name_of_unknown(system, a, column, own->s->d[column]);
            sym_equation_name(system, &system->equation.item[row], t);
            equation[i] = kept(a, t);
        }
        list[k] = (dae_described_block){.size = size, .unknown = unknown, .equation = equation};
    }
    to->parts = list;
}

/* The unknowns of each block that the formulation keeps. */
void describe_tearing(const model_simulation *m, arena *a, dae_description *to)
{
    const structure *own = m->whole.own;
    const blocks *b = own->blocks;
    const explicit_core *core = m->formulation->core;
    dae_described_block *list = (dae_described_block *)to->parts; /* of list_blocks() */
    for (size_t k = 0; k < b->count; k++) {
        if (list[k].size == 1) continue;
        const char **name = arena_array(a, list[k].size, sizeof *name);
        for (size_t i = 0; i < list[k].size; i++) {
            uint32_t column = own->s->match[b->row[b->start[k] + i]];
            if (core->column_of[column] != INCIDENCE_NONE)
                name[list[k].torn++] = list[k].unknown[i];
        }
        list[k].tearing = name;
    }
    to->solved = core->n;
}

static void list_differentiated(const model_simulation *m, arena *a, text *t, dae_description *to)
{
    const sym_system *system = m->whole.system;
    const signature *s = m->whole.own->s;
    size_t count = 0;
    for (size_t i = 0; i < system->equation.count; i++) count += s->c[i] > 0;
    dae_described_equation *list = arena_array(a, count, sizeof *list);
    for (size_t i = 0, at = 0; i < system->equation.count; i++) {
        if (s->c[i] == 0) continue;
        sym_equation_name(system, &system->equation.item[i], t);
        list[at++] = (dae_described_equation){.text = kept(a, t), .times = s->c[i]};
    }
    to->differentiated = count;
    to->differentiation = list;
}

void describe_lists(const model_simulation *m, const sym_system *read, arena *a, text *t,
                    dae_description *to)
{
    list_variables(m, a, to);
    list_parameters(read, a, to);
    if (!m->whole.own) return;
    list_blocks(m, a, t, to);
    list_differentiated(m, a, t, to);
}

/* Of a variable that stands in an entry of the start, or is the name of one. */
static void mark_taken(const model_simulation *m, size_t entry, dae_described_variable *list,
                       size_t count)
{
    const prolonged_start *start = m->formulation->start;
    const prolongation *p = m->formulation->p;
    uint32_t id, order = 0;
    if (entry >= p->size) {
        id = start->extra[entry - p->size];
    } else {
        size_t j = prolongation_group(p->first, p->n, entry);
        id = p->unknown[j];
        order = (uint32_t)(entry - p->first[j]);
        prolonged_called(m->formulation->names, &id, &order);
    }
    if (id < count && order == 0 && !*list[id].start_use) list[id].start_use = "taken";
}

void describe_start_values(const model_simulation *m, dae_description *to)
{
    size_t count = to->variables;
    const start_system *start = &m->formulation->start->start;
    dae_described_variable *list = (dae_described_variable *)to->variable; /* of list_variables() */
    for (size_t k = 0; start->taken && k < start->size; k++)
        if (start->taken[k]) mark_taken(m, k, list, count);
    for (size_t i = 0; i < count; i++) {
        const sym_unknown *u = &m->whole.system->unknown.item[i];
        list[i].value = m->base.value[i];
        if (u->supplied && list[i].value == u->start) list[i].start_use = "held";
        if (!isnan(list[i].start) && !*list[i].start_use && !u->supplied)
            list[i].start_use = "guess";
    }
}

void describe_program_variables(const simulation *c, arena *a, dae_description *to)
{
    size_t count = c->n - c->hidden;
    dae_described_variable *list = arena_array(a, count, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = (dae_described_variable){.name = c->variable[i],
                                           .unit = "",
                                           .start = c->given[i],
                                           .start_use = "",
                                           .value = (double)NAN};
    to->variables = count;
    to->variable = list;
}
