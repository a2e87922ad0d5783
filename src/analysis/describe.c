#include "analysis/describe.h"

#include "analysis/describe_lists.h"
#include "base/round_off.h"
#include "base/scatter.h"
#include "formulation/from_model.h"
#include "initial/consistent.h"
#include "linalg/min_norm.h"
#include "solve/callback_simulation.h"
#include "solve/mechanical_simulation.h"
#include "solve/mechanism_simulation.h"
#include "solve/model_simulation.h"
#include "solve/solver.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"
#include "symbolic/system.h"
#include "symbolic/traced.h"

#include <daedal/description.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which of the problem forms a system has. */

typedef struct traits {
    bool linear, mass, semi_explicit;
} traits;

/* At one equation; `partials` is room for its derivatives. */
static void look(const sym_system *system, const sym_equation *e, bool *given,
                 sym_partials *partials, traits *t)
{
    sym_graph *g = system->graph;
    size_t derivatives = 0;
    sym_gradient(g, sym_subtract(g, e->lhs, e->rhs), partials);
    for (size_t k = 0; k < partials->count; k++) {
        sym_view leaf = sym_look(g, partials->item[k].leaf);
        bool number = sym_is_number(g, partials->item[k].value, NULL);
        if (leaf.op != SYM_VARIABLE) continue;
        if (!number) t->linear = false;
        if (leaf.order == 0) continue;
        derivatives++;
        if (sym_highest_order(g, partials->item[k].value) > 0) t->mass = false;
        if (!number || given[leaf.id]) t->semi_explicit = false;
        given[leaf.id] = true;
    }
    if (derivatives > 1) t->semi_explicit = false;
}

/* The form of a system: "linear" where all coefficients are numbers; "semi_explicit" where each
 * equation gives one derivative or none; "mass" where derivatives are linear and their coefficients
 * free of them; otherwise "residual". Under the protection of the system's arena. */
static const char *analysis_form(const sym_system *system)
{
    traits t = {.linear = true, .mass = true, .semi_explicit = true};
    sym_graph_mark before = sym_graph_here(system->graph);
    sym_partials partials = {0};
    bool *given = arena_array(system->memory, system->unknown.count, sizeof *given);
    for (size_t i = 0; i < system->equation.count; i++)
        look(system, &system->equation.item[i], given, &partials, &t);
    list_return(system->memory, &partials);
    arena_return(system->memory, given, system->unknown.count, sizeof *given);
    sym_graph_back(system->graph, before, NULL, NULL); /* derivatives that nobody else needs */
    return t.linear ? "linear" : t.semi_explicit ? "semi_explicit" : t.mass ? "mass" : "residual";
}

/* Equations of the largest singular Jacobian whose dependent rows are named. */
enum { LARGEST_NAMED = 300 };

typedef struct description {
    dae_description public;
    dae_solver *solver;
    model_simulation *simulation; /* its arena holds all lists and strings */
    const sym_system *read; /* the system of the problem, with its parameters, until the start */
    dae_problem *last;      /* to be freed then; NULL: it is its owner's */
    double t;
    LIST(const char *) hidden;
    text line; /* a member, because running out of memory leaves the function that writes it */
    formulation *other; /* the index-1 form of equations that are integrated as given */
    arena program;      /* lists of a C program */
} description;

static const char *kept(description *d, const text *t)
{
    if (t->cut) arena_fail(&d->simulation->memory);
    return arena_copy(&d->simulation->memory, text_string(t), t->length);
}

static bool structure_misleads(const formulation *f)
{
    return f->choice.kind == FORMULATION_ARRAY || f->converted > 0;
}

static void add_hidden(description *d, const char *line)
{
    list_push(&d->simulation->memory, &d->hidden, line);
    d->public.hidden_constraints = d->hidden.count;
    d->public.hidden_constraint = d->hidden.item;
}

static void describe_structure(description *d)
{
    const structure *own = d->simulation->own;
    dae_description *p = &d->public;
    p->structural_index = (long)own->s->index;
    p->degrees_of_freedom = (long)own->s->freedom;
    p->blocks = own->blocks->count;
    size_t *block = arena_array(&d->simulation->memory, p->blocks, sizeof *block);
    for (size_t b = 0; b < p->blocks; b++)
        block[b] = own->blocks->start[b + 1] - own->blocks->start[b];
    p->block = block;
}

/* Writes a line "2*x*vx + 2*y*vy = 0, the derivative of x^2 + y^2 = L^2 (pendulum.mo:12)" for an
 * equation that is differentiated k times. False for an equation that says nothing, such as der(x)
 * = v where v has become the name of der(x). A constraint that is met by replacing a variable is
 * shown with that variable. */
static bool hidden_line(const formulation *f, size_t equation, uint32_t k, text *t)
{
    const prolongation *o = f->author->written;
    sym row = o->row[o->first_row[equation] + k], replaced = row;
    structure_to_core(f->system, f->core, 1, &replaced);
    if (!sym_is_number(o->g, replaced, NULL))
        row = replaced;
    else if (!author_is_constraint(f->author, equation))
        return false;
    text_clear(t);
    prolonged_print(f->names, row, t);
    text_add(t, " = 0, ");
    sym_derivative_name(f->system, &f->system->equation.item[equation], k, t);
    return true;
}

static void describe_hidden(description *d)
{
    const formulation *f = d->simulation->formulation;
    const prolongation *o = f->author->written;
    bool more = true;
    for (uint32_t k = 1; more; k++) {
        more = false;
        for (size_t i = 0; i < o->n; i++) {
            if (o->c[i] < k) continue;
            more = true;
            if (!hidden_line(f, i, k, &d->line)) continue;
            add_hidden(d, kept(d, &d->line));
        }
    }
}

/* The constraints that the structure of the author's equations hides and that of the core shows. */
static void describe_shown(description *d)
{
    const formulation *f = d->simulation->formulation;
    const prolongation *p = f->p;
    for (size_t i = 0; i < p->n; i++) {
        size_t equation = f->core->equation[i];
        for (uint32_t k = f->own->s->c[equation]; k < f->shown->c[i] && k <= p->c[i]; k++) {
            text_clear(&d->line);
            prolonged_print(f->names, p->row[p->first_row[i] + k], &d->line);
            text_add(&d->line, " = 0, ");
            sym_derivative_name(f->system, &f->system->equation.item[equation], k, &d->line);
            text_add(&d->line, ", explicit variables being put in");
            add_hidden(d, kept(d, &d->line));
        }
    }
}

/* The unknowns that nobody has declared. */
static void note_unwritten(description *d)
{
    const sym_system *system = d->simulation->system;
    size_t last = system->unknown.count - system->root.count;
    if (system->hidden == system->unknown.count) return; /* time, where nothing else is unknown */
    size_t first = system->unknown.count - system->hidden;
    text_clear(&d->line);
    for (size_t i = first; i < last; i++)
        text_format(&d->line, "%s%s", i > first ? ", " : "", system->unknown.item[i].name);
    if (last > first)
        message_note(&d->solver->message,
                     "what der() is applied to is one more unknown where it jumps or holds a "
                     "derivative: %s",
                     text_string(&d->line));
}

/* Finds combinations of equations without highest derivatives at the point where d->other was
 * linearised: their factors (n each), the first nonzero one being 1. Returns their number. */
static size_t find_combinations(description *d, double *factor)
{
    const formulation *f = d->other;
    arena *a = &d->simulation->memory;
    size_t n = f->core->n, *work = arena_array(a, n, sizeof *work);
    const sparse_pattern *p = f->levels->jacobian->pattern;
    const double *value = prolonged_levels_scaled(f->levels);
    double *transposed = arena_array(a, n * n, sizeof *transposed);
    double *largest = arena_array(a, n, sizeof *largest);
    for (size_t j = 0; j < n; j++) {
        double nominal = f->system->unknown.item[f->p->unknown[j]].nominal;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            double *most = &largest[p->row[k]], size = value[k] * nominal;
            transposed[j * n + (size_t)p->row[k]] = size;
            *most = fmax(*most, fabs(size));
        }
    }
    for (size_t k = 0; k < n * n; k++)
        if (largest[k % n] > 0) transposed[k] /= largest[k % n];
    size_t found = nullspace_echelon(n, n, transposed, 1e-11, work, factor);
    for (size_t v = 0; v < found; v++) {
        double unit = 0;
        for (size_t i = 0; i < n; i++) {
            double *own = &factor[v * n + i];
            if (*own != 0) *own *= pow(f->start->time_unit, f->p->c[i]) / largest[i];
            if (unit == 0) unit = *own;
            if (*own != 0) *own /= unit;
        }
    }
    return found;
}

/* The same at the start and beside it: `moves` (n for each) tells which factors are not numbers. */
static size_t compare_combinations(description *d, double *z, double *factor, bool *moves)
{
    static const double BESIDE = 1e-2, SAME = 1e-8;
    const constraint_levels *l = &d->other->levels->levels;
    size_t n = d->other->core->n;
    double *beside = arena_array(&d->simulation->memory, n * n, sizeof *beside);
    if (l->form->linearize(l->self, d->t, z) != DAE_OK) return 0;
    size_t found = find_combinations(d, factor);
    for (size_t j = 0; j < l->size; j++)
        z[j] += BESIDE * scattered(j) * fmax(fabs(z[j]), l->nominal[j]);
    if (l->form->linearize(l->self, d->t, z) != DAE_OK || find_combinations(d, beside) != found)
        return found;
    for (size_t k = 0; k < n * found; k++)
        moves[k] = fabs(factor[k] - beside[k]) > SAME * fmax(1, fabs(factor[k]));
    return found;
}

/* Writes a line for each combination. */
static void describe_combinations(description *d, double *z)
{
    const formulation *f = d->other;
    size_t n = f->core->n;
    double *factors = arena_array(&d->simulation->memory, n * n, sizeof *factors);
    bool *moves = arena_array(&d->simulation->memory, n * n, sizeof *moves);
    size_t found = compare_combinations(d, z, factors, moves);
    text *t = &d->line;
    for (size_t v = 0; v < found; v++) {
        bool first = true;
        text_clear(t);
        text_add(t, "a combination without highest derivatives of ");
        for (size_t i = 0; i < n; i++) {
            double factor = factors[v * n + i];
            if (factor == 0) continue;
            if (!first) text_add(t, factor < 0 ? ", minus " : ", plus ");
            first = false;
            if (moves[v * n + i])
                text_format(t, "%.6g (at the start, it changes) times ", fabs(factor));
            else if (fabs(fabs(factor) - 1) > ROUND_OFF_AMPLIFIED)
                text_format(t, "%.6g times ", fabs(factor));
            sym_derivative_name(f->system, &f->system->equation.item[f->core->equation[i]],
                                f->p->c[i], t);
        }
        add_hidden(d, kept(d, t));
    }
}

/* For a misleading structure: linearises again at the start, to find which equations depend on each
 * other. */
static void describe_deception(description *d)
{
    model_simulation *m = d->simulation;
    if (m->formulation->core->n > LARGEST_NAMED) return;
    const formulation_choice index1 = {
        .kind = FORMULATION_INDEX1, .replace = EXPLICIT_SOLVED, .project = true};
    const formulation *f = d->other = formulation_create(m->system, m->own, &index1);
    const prolongation *from = m->formulation->p;
    double *z = arena_array(&d->simulation->memory, f->p->size, sizeof *z);
    for (size_t j = 0; j < f->p->n; j++)
        for (uint32_t k = 0; k <= f->p->d[j] && k <= from->d[j]; k++)
            z[f->p->first[j] + k] = m->z[from->first[j] + k];
    describe_combinations(d, z);
}

/* Counts the hidden constraints that only the derivative array contains, by the degrees of freedom
 * that it leaves. Each gets one line, because no equation states it. */
static void count_hidden(description *d, size_t before)
{
    dae_description *p = &d->public;
    size_t found = p->hidden_constraints - before, freedom = d->simulation->own->s->freedom;
    if (p->degrees_of_freedom < 0 || freedom < (size_t)p->degrees_of_freedom + found) return;
    size_t more = freedom - (size_t)p->degrees_of_freedom - found;
    text_clear(&d->line);
    uint32_t times = (uint32_t)d->simulation->formulation->constraint_levels -
                     2; /* after level 0 */
    if (more == 1) text_add(&d->line, "and one more");
    if (more > 1) text_format(&d->line, "and one of %zu more", more);
    text_format(&d->line, ", found numerically from the equations differentiated %u time%s", times,
                times == 1 ? "" : "s");
    const char *line = kept(d, &d->line);
    for (size_t k = 0; k < more; k++) add_hidden(d, line);
}

/* All states: without hidden constraints below the last level, every derivative in y is a state. */
static size_t all_states(const formulation *f, size_t *chosen)
{
    size_t count = 0;
    for (size_t j = 0; j < f->p->n; j++)
        for (uint32_t k = 0; k < f->p->d[j]; k++) chosen[count++] = f->p->first[j] + k;
    return count;
}

static void describe_states(description *d)
{
    model_simulation *m = d->simulation;
    const formulation *f = m->formulation;
    const start_system *start = &f->start->start;
    size_t *chosen = arena_array(&d->simulation->memory, start->size, sizeof *chosen);
    size_t count = 0, named = 0;
    bool known = false;
    if (f->levels->levels.count == 1 && f->choice.kind == FORMULATION_INDEX1) {
        count = all_states(f, chosen);
        known = true;
    } else {
        dae_status status = initial_states(start, d->t, m->z, chosen, &count, &known);
        if (status == DAE_NO_MEMORY) arena_fail(&m->memory);
        known = known && status == DAE_OK;
    }
    const char **name = arena_array(&d->simulation->memory, count, sizeof *name);
    for (size_t i = 0; known && i < count; i++) {
        bool held = chosen[i] >= f->p->size || start->variable[chosen[i]] ||
                    f->choice.kind == FORMULATION_INDEX1;
        if (!held) continue; /* only the array leaves this derivative open */
        text_clear(&d->line);
        start->form->name_entry(start->self, chosen[i], &d->line);
        name[named++] = kept(d, &d->line);
    }
    if (known) d->public.degrees_of_freedom = (long)named;
    d->public.states = named;
    d->public.state = name;
}

/* Why the index is not known. It is determined once more, because the reason is not kept. */
static const char *missing_index(const description *d)
{
    enum { HIGHEST_TRIED = 2 }; /* the same as in the solver */
    const model_simulation *m = d->simulation;
    if (m->base.followed)
        return "constraints depend on each other, and do not determine the multipliers";
    return structure_misleads(m->formulation)
               ? solve_index_beyond_structure(m->system, m->own, d->t, HIGHEST_TRIED, NULL, NULL)
                     .reason
               : solve_index_regular(m->formulation).reason;
}

/* Describes what only the consistent start shows. */
static void describe_start(description *d)
{
    model_simulation *m = d->simulation;
    dae_description *p = &d->public;
    p->embedded = m->system->implied.count > 0;
    bool misleads = structure_misleads(m->formulation) || p->embedded;
    p->index = d->solver->stats.index;
    p->formulation = m->base.formulation;
    p->index_note = p->index < 0 ? missing_index(d) : "found at the consistent start";
    p->rank_margin = d->solver->stats.rank_margin;
    bool singular = misleads || p->rank_margin == 0;
    if (singular) p->degrees_of_freedom = -1; /* the structure cannot be trusted with it */
    bool independent = m->base.followed && p->index >= 0;
    if (singular && independent && p->coordinates > 0)
        p->degrees_of_freedom = (long)(2 * (p->coordinates - p->holonomic) - p->nonholonomic);
    if (!misleads) {
        describe_hidden(d);
        if (formulation_shows_more(m->formulation)) describe_shown(d);
        if (!singular) describe_states(d);
        return;
    }
    p->misleads = text_string(&m->misleads);
    describe_hidden(d); /* the hidden constraints of the structure hold as well */
    size_t before = p->hidden_constraints;
    if (!p->embedded) describe_deception(d);
    if (p->index < 0) return; /* then the freedoms are not known either */
    describe_states(d);
    if (!p->embedded) count_hidden(d, before);
}

static void describe_sizes(dae_description *p, size_t coordinates, size_t holonomic,
                           size_t constraints)
{
    p->form = "mechanical";
    p->coordinates = coordinates;
    p->holonomic = holonomic;
    p->nonholonomic = constraints - holonomic;
    p->multipliers = constraints;
}

/* Constraints raise the structural index to at least 2. */
static void describe_mechanism(description *d)
{
    dae_description *p = &d->public;
    if (p->structural_index < 2) return;
    const struct mechanism_simulation *known = d->simulation->mechanism;
    const mechanism *f = known ? known->found : structure_mechanical(d->simulation->system);
    if (f) describe_sizes(p, f->coordinates, f->holonomic, f->constraints);
}

static void describe_parameters(description *d)
{
    arena *a = &d->simulation->memory;
    sym_structural *found;
    size_t count = d->read ? sym_find_structural(d->read->graph, a, &found) : 0;
    const char **line = arena_array(a, count, sizeof *line);
    for (size_t i = 0; i < count; i++)
        line[i] = arena_format(a, "%s: %s", found[i].name, found[i].why);
    d->public.structural_parameters = count;
    d->public.structural_parameter = line;
}

/* Before the start, for which a large model needs the room. */
static void free_problem(description *d)
{
    d->read = NULL;
    dae_problem_free(d->last);
    d->last = NULL;
}

static void describe_singular(description *d)
{
    const char *words = message_string(&d->solver->message);
    d->public.singular = arena_copy(&d->simulation->memory, words, strlen(words));
}

static void describe(void *argument)
{
    description *d = argument;
    model_simulation *m = d->simulation;
    dae_description *p = &d->public;
    p->name = m->system->name;
    p->equations = m->system->equation.count - m->system->hidden;
    p->unknowns = m->system->unknown.count - m->system->hidden;
    for (size_t i = 0; i < p->unknowns; i++) p->discrete += m->system->unknown.item[i].discrete;
    p->form = analysis_form(m->system);
    note_unwritten(d);
    describe_parameters(d);
    describe_lists(m, d->read, &m->memory, &d->line, p);
    if (!m->own) {
        describe_singular(d);
        return;
    }
    describe_structure(d);
    free_problem(d);
    bool started = dae_solver_start(d->solver, d->t, NULL) == DAE_OK || d->solver->started;
    describe_mechanism(d);
    if (started) {
        bool as_written = m->formulation && !m->base.followed &&
                          m->formulation->system == m->system;
        if (as_written) describe_tearing(m, &m->memory, p);
        describe_start_values(m, p);
        describe_start(d);
        return;
    }
    p->degrees_of_freedom = -1;
    if (d->solver->message.status == DAE_STRUCTURE) {
        describe_singular(d);
        p->index_note = "the equations depend on each other";
        return;
    }
    p->index_note = "no consistent start was found, at which to determine it";
    if (m->misleads.length) p->misleads = text_string(&m->misleads);
    if (m->formulation) describe_hidden(d);
}

static void describe_invariants(description *d, size_t count)
{
    d->public.invariants = count;
    if (count > 0)
        message_note(&d->solver->message, "%zu invariant%s, which projections of states keep",
                     count, count == 1 ? "" : "s");
}

/* Describes equations of a C program by what their author declares; nothing is known of their
 * derivatives. */
static void describe_equations(description *d, const equations *e)
{
    dae_description *p = &d->public;
    p->name = e->name ? e->name : "";
    p->equations = p->unknowns = e->n;
    p->form = e->row->name;
    p->index = callback_simulation_index(e);
    p->index_note = p->index < 0 ? "its author does not say it; a solver finds it at its start"
                                 : "from the indices of the variables, as the author says";
    describe_invariants(d, e->invariants);
}

/* Describes a mechanical system by its form. */
static void describe_mechanical(description *d, const mechanical_form *f)
{
    dae_description *p = &d->public;
    p->name = f->name;
    p->equations = p->unknowns = f->n;
    p->index = mechanical_simulation_index(f);
    p->index_note = "that of the mechanical form";
    describe_sizes(p, f->nq, f->holonomic, f->constraints);
    describe_invariants(d, f->given.invariants);
    if (f->constraints > 0 && !f->given.gamma)
        message_note(
            &d->solver->message,
            "gamma, the second derivatives of the constraints, is not given: it is found by "
            "extrapolated differences along the motion, to about 13 digits, and to 11 at "
            "least where the constraints are smooth");
}

static void describe_program(void *argument)
{
    description *d = argument;
    describe_program_variables(d->solver->simulation, &d->program, &d->public);
}

/* last: the problem is freed with it, if not before. */
static dae_description *description_of(dae_problem *source, double t, bool last)
{
    description *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->t = t;
    d->public.structural_index = d->public.index = d->public.degrees_of_freedom = -1;
    d->public.rank_margin = (double)NAN;
    d->public.name = d->public.index_note = d->public.form = d->public.formulation = "";
    if (dae_problem_status(source) == DAE_OK) d->read = model_problem_system(source);
    d->solver = solver_to_describe(source);
    if (!d->solver) {
        free(d);
        return NULL;
    }
    d->last = last ? source : NULL;
    d->simulation = model_simulation_of(d->solver->simulation);
    if (d->simulation && d->simulation->system &&
        arena_protect(&d->simulation->memory, describe, d) != DAE_OK)
        message_fail(&d->solver->message, DAE_NO_MEMORY, "memory is exhausted");
    const equations *given = callback_simulation_equations(d->solver->simulation);
    if (given) describe_equations(d, given);
    const mechanical_form *mechanics = mechanical_simulation_form(d->solver->simulation);
    if (mechanics) describe_mechanical(d, mechanics);
    bool fails = (given || mechanics) && arena_protect(&d->program, describe_program, d) != DAE_OK;
    if (fails) message_fail(&d->solver->message, DAE_NO_MEMORY, "memory is exhausted");
    d->public.status = dae_solver_status(d->solver);
    d->public.message = dae_solver_message(d->solver);
    d->public.notes = dae_solver_notes(d->solver);
    return &d->public;
}

dae_description *dae_describe(dae_problem *source, double t)
{
    return description_of(source, t, false);
}

dae_description *describe_last(dae_problem *source, double t)
{
    dae_description *d = description_of(source, t, true);
    if (!d) dae_problem_free(source);
    return d;
}

void dae_description_free(dae_description *description_)
{
    description *d = (description *)description_;
    if (!d) return;
    formulation_free(d->other);
    dae_solver_free(d->solver);
    dae_problem_free(d->last);
    text_free(&d->line);
    arena_free(&d->program);
    free(d);
}
