#include "formulation/from_model.h"

#include "formulation/prolonged_levels.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <string.h>

/* Raise lowest[column] to the highest derivative of the column's unknown in a list of expressions.
 */
static void raise_demand(const formulation *f, size_t count, const sym *expression,
                         uint32_t *lowest)
{
    const sym *node;
    size_t nodes = sym_reach(f->system->graph, count, expression, &node);
    for (size_t k = 0; k < nodes; k++) {
        sym_view view = sym_look(f->system->graph, node[k]);
        if (view.op != SYM_VARIABLE) continue;
        uint32_t column = f->core->column_of[view.id];
        if (view.order > lowest[column]) lowest[column] = view.order;
    }
}

/* Collect the derivatives that are needed outside the integrated equations: by explicit variables,
 * by initial equations (returned, in the core's unknowns) and by assertions. */
static sym *demands(const formulation *f, uint32_t *lowest)
{
    const sym_system *system = f->system;
    arena *a = system->memory;
    size_t unknowns = system->unknown.count, initials = system->initial.count;
    size_t assertions = system->assertion.count, all = assertions;
    const sym_assertion *asserted = system->assertion.item;
    for (size_t i = 0; i < assertions; i++) all += sym_said_values(asserted[i].said, NULL);
    sym *initial = arena_array(a, initials, sizeof *initial);
    sym *condition = arena_array(a, all, sizeof *condition);
    for (size_t i = 0; i < initials; i++)
        initial[i] = sym_subtract(system->graph, system->initial.item[i].lhs,
                                  system->initial.item[i].rhs);
    for (size_t i = 0; i < assertions; i++) condition[i] = asserted[i].condition;
    for (size_t i = 0, said = assertions; i < assertions; i++)
        said += sym_said_values(asserted[i].said, condition + said);
    structure_to_core(system, f->core, initials, initial);
    structure_to_core(system, f->core, all, condition);
    raise_demand(f, unknowns, f->core->value, lowest);
    raise_demand(f, initials, initial, lowest);
    raise_demand(f, all, condition, lowest);
    sym *invariant = arena_array(a, system->invariant.count, sizeof *invariant);
    for (size_t i = 0; i < system->invariant.count; i++)
        invariant[i] = system->invariant.item[i].value;
    structure_to_core(system, f->core, system->invariant.count, invariant);
    raise_demand(f, system->invariant.count, invariant, lowest);
    return initial;
}

static const incidence *incidence_of(const formulation *f)
{
    return structure_incidence(f->system->graph, f->core->n, f->core->residual, f->core->n,
                               f->core->column_of);
}

/* Whether the structure of the core shows as many constraints as that of the author's equations.
 * Both have the same hidden constraints, so a core that seems to have more freedoms misleads. If
 * one with solved balances has fewer, the author's structure misleads: then that is told, and the
 * constraints that it hides are named, which the other cores leave to be found. */
static bool reports_as_much(const formulation *f, explicit_extent extent)
{
    size_t freedom = f->own->s->freedom, shown = f->shown->freedom;
    if (!f->reduced->regular || (extent == EXPLICIT_SOLVED && shown < freedom)) return false;
    return f->reduced->freedom <= freedom || shown <= freedom;
}

static bool is_any_demanded(size_t n, const uint32_t *lowest)
{
    for (size_t j = 0; j < n; j++)
        if (lowest[j] > 0) return true;
    return false;
}

bool formulation_shows_more(const formulation *f)
{
    return f->converted == 0 && f->choice.kind == FORMULATION_INDEX1 && f->shown->regular &&
           f->shown->freedom < f->own->s->freedom;
}

/* Find the core and its signature. Replacing variables can make the core structurally singular (by
 * a cancellation), or can hide constraints from its structure. Then fewer variables are replaced.
 * So they are where terms cancel nearly: beside the rounding of a chain of replacements, equations
 * that contradict each other would have a solution, and a huge one. */
static const incidence *reduce(formulation *f, explicit_extent extent, uint32_t **lowest,
                               sym **initial)
{
    arena *a = f->system->memory;
    const incidence *in;
    for (;; extent--) {
        size_t before = sym_nearly_cancelled(f->system->graph);
        f->core = structure_explicit(f->system, extent);
        bool is_doubtful = sym_nearly_cancelled(f->system->graph) > before;
        if (is_doubtful && extent != EXPLICIT_NONE) continue;
        *lowest = arena_array(a, f->core->n, sizeof **lowest);
        *initial = demands(f, *lowest);
        in = incidence_of(f);
        f->reduced = structure_signature(a, in, *lowest);
        f->shown = is_any_demanded(f->core->n, *lowest) ? structure_signature(a, in, NULL)
                                                        : f->reduced;
        if (extent == EXPLICIT_NONE || reports_as_much(f, extent)) break;
    }
    const conversion_point *at = f->choice.convert;
    f->converted = at ? structure_convert(f->system, f->core, at) : 0;
    if (f->converted == 0) return in;
    in = incidence_of(f);
    f->reduced = structure_signature(a, in, *lowest);
    return in;
}

/* The highest derivative of each unknown that occurs in the equations. */
static uint32_t *highest_orders(arena *a, const incidence *in)
{
    uint32_t *highest = arena_array(a, in->columns, sizeof *highest);
    for (size_t e = 0; e < in->start[in->rows]; e++)
        if (in->order[e] > highest[in->column[e]]) highest[in->column[e]] = in->order[e];
    return highest;
}

/* The signature by which violations of the author's equations are measured. It also covers the
 * derivatives that assertions use. */
static const signature *measured_signature(const formulation *f, explicit_core *written)
{
    const sym_system *system = f->system;
    arena *a = system->memory;
    formulation whole = {.system = system, .core = written};
    uint32_t *lowest = arena_array(a, whole.core->n, sizeof *lowest);
    demands(&whole, lowest);
    return structure_signature(a, f->own->in, lowest);
}

/* All equations differentiated `extra` times. */
static prolongation *array_prolongation(const formulation *f, const uint32_t *top,
                                        const uint32_t *lowest)
{
    arena *a = f->system->memory;
    uint32_t extra = f->choice.extra;
    uint32_t *c = arena_array(a, f->core->n, sizeof *c);
    uint32_t *d = arena_array(a, f->core->n, sizeof *d);
    for (size_t i = 0; i < f->core->n; i++) {
        c[i] = extra;
        d[i] = (lowest[i] > top[i] ? lowest[i] : top[i]) + extra;
    }
    return structure_prolong(a, f->system->graph, f->core, c, d);
}

/* For a structure that does not show the hidden constraints. Besides the constraints as written,
 * all rows are measured, grouped by how often they are differentiated. */
static void measure_rows(formulation *f)
{
    uint32_t most = 0;
    for (size_t i = 0; i < f->p->n; i++)
        if (f->p->c[i] > most) most = f->p->c[i];
    f->rows = f->levels;
    if (f->choice.kind != FORMULATION_ARRAY)
        f->rows = prolonged_levels_merged(f->system->memory, f->form);
    prolonged_levels_begin_measuring(f->system->memory, f->rows);
    f->constraint_levels = 1 + most + 1;
}

/* All equations and the invariants as one level. */
static prolonged_levels *keeping_levels(const formulation *f)
{
    arena *a = f->system->memory;
    size_t count = f->choice.invariants;
    sym *row = arena_duplicate(a, f->choice.invariant, count, sizeof *row);
    structure_to_core(f->system, f->core, count, row);
    return prolonged_levels_keeping(a, f->form, count, row);
}

/* What refers to expressions of a formulation while it is used. Derivatives that stand in its
 * matrices alone have been compiled, and nothing refers to them. */
typedef struct referring {
    const formulation *f;
    explicit_core *written; /* the equations as written, as a core; NULL: it is that of f */
} referring;

static void visit_core(const sym_system *system, explicit_core *core, sym_visit *visit,
                       void *context)
{
    for (size_t i = 0; i < core->n; i++) visit(context, &core->residual[i]);
    for (size_t i = 0; i < system->unknown.count; i++) visit(context, &core->value[i]);
}

static void visit_held(void *holder, sym_visit *visit, void *context)
{
    const referring *r = holder;
    const formulation *f = r->f;
    visit_core(f->system, f->core, visit, context);
    if (r->written) visit_core(f->system, r->written, visit, context);
    prolongation_visit(f->p, true, visit, context);
    author_visit(f->author, f->author->written->tapes != f->p->tapes, visit, context);
    for (size_t i = 0; i < f->p->n; i++) visit(context, &f->form->row[i]);
}

formulation *formulation_create(const sym_system *system, const structure *own,
                                const formulation_choice *choice)
{
    arena *a = system->memory;
    sym_graph_mark before = sym_graph_here(system->graph);
    formulation *f = arena_take(a, sizeof *f);
    *f = (formulation){.choice = *choice, .system = system, .own = own};
    uint32_t *lowest;
    sym *initial;
    const incidence *in = f->in = reduce(f, choice->replace, &lowest, &initial);
    bool reduces = choice->kind == FORMULATION_INDEX1 && (own->s->index > 1 || f->converted > 0);
    f->name = reduces ? "index1" : "direct"; /* where there is nothing to reduce */
    f->names = prolonged_names_create(system);
    const uint32_t *level = f->reduced->c, *top = f->reduced->d;
    if (choice->kind != FORMULATION_INDEX1) {
        level = arena_array(a, f->core->n, sizeof *level);
        top = highest_orders(a, in);
    }
    f->p = choice->kind == FORMULATION_ARRAY
               ? array_prolongation(f, top, lowest)
               : structure_prolong(a, system->graph, f->core, f->reduced->c, f->reduced->d);
    double time_unit = f->converted > 0 ? choice->convert->time_unit : 0;
    f->start = prolonged_start_create(a, system, f->core, f->names, f->p, initial, time_unit);
    time_unit = f->start->time_unit;
    f->form = prolonged_form_create(a, system, f->core, f->names, f->p, level, top, time_unit);
    if (choice->kind == FORMULATION_INDEX1) prolonged_leading_use(f->form);
    f->levels = choice->kind == FORMULATION_ARRAY
                    ? prolonged_levels_array(a, f->form, choice->index_1)
                    : prolonged_levels_staged(a, f->form);
    bool merge = choice->at_once && choice->kind != FORMULATION_ARRAY;
    f->keeps = choice->project && choice->invariants > 0 && choice->kind != FORMULATION_ARRAY &&
               (choice->keeps || f->levels->levels.count > 1);
    f->met = f->keeps ? keeping_levels(f) : merge ? prolonged_levels_merged(a, f->form) : f->levels;
    if (choice->project && f->levels->levels.whole)
        f->levels->levels.together = &prolonged_levels_together(a, f->levels)->levels;
    bool replaces = f->core->n < system->equation.count || f->converted > 0;
    explicit_core *written = replaces ? structure_explicit(system, EXPLICIT_NONE) : f->core;
    bool hides = choice->kind == FORMULATION_ARRAY || f->converted > 0;
    f->author = author_create(a, system, f->core, written, f->p, choice->project ? f->p->d : top,
                              measured_signature(f, written), !hides);
    author_use_time_unit(f->author, f->names, time_unit);
    f->start->author = f->author;
    if (system->assertion.count > 0)
        f->start->lifted = arena_array(a, system->unknown.count, sizeof(double));
    f->constraint_levels = f->author->levels;
    f->crossings = crossings_create(a, system, f->core, f->p);
    if (hides && choice->project) measure_rows(f);
    bool collects = choice->kind == FORMULATION_INDEX1 && f->converted == 0;
    referring held = {f, written == f->core ? NULL : written};
    if (collects)
        sym_graph_back(system->graph, before, visit_held, &held);
    else
        sym_forget(system->graph);
    return f;
}

void formulation_measure(formulation *f, double t, const double *z, double *residual,
                         double *constraint)
{
    author_measure(f->author, t, residual, constraint);
    if (f->rows) prolonged_levels_measure(f->rows, t, z, constraint + 1);
}

void formulation_free(formulation *f)
{
    if (!f) return;
    formulation_rates_free(f);
    prolonged_levels_free(f->levels); /* merged levels own nothing outside the arena */
    prolonged_form_free(f->form);
}
