#include "solve/model_simulation.h"

#include "method/catalogue.h"
#include "solve/mechanism_simulation.h"
#include "solve/model_formed.h"
#include "solve/model_homotopy.h"
#include "structure/signature.h"
#include "symbolic/domain.h"
#include "symbolic/odd_roots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A variable is near a point at which a law is flat, in nominal sizes. */
static const double NEAR_FLAT = 1e-2;

/* Where a law is flat no correction is determined: the constraints are met from beside it. */
static bool begins_beside(const model_simulation *m, dae_status status, const double *y,
                          const double *yp, double *z)
{
    if (!m->base.flat || (status != DAE_SINGULAR && status != DAE_CONSTRAINT)) return false;
    prolonged_form_gather(m->formulation->form, y, yp, z);
    model_leave_flat(m, z);
    return true;
}

static dae_status meet_at(model_simulation *m, double t, simulation_place where)
{
    projection *p = m->base.projection;
    return where == SIMULATION_STEP_END ? projection_complete(p, t, m->z_out)
                                        : projection_meet_apart(p, t, m->z_out);
}

/* By the simulation as it is, or was with an earlier formulation. */
static dae_status evaluate_in_modes(model_simulation *m, double t, const double *y,
                                    const double *yp, simulation_place where)
{
    const formulation *f = m->formulation;
    projection *p = m->base.projection;
    memcpy(m->z_out, m->z, f->p->size * sizeof *m->z);
    prolonged_form_gather(f->form, y, yp, m->z_out);
    if (where == SIMULATION_START) return model_simulation_lift_start(m, t);
    if (p && where != SIMULATION_UNMET) {
        dae_status status = meet_at(m, t, where);
        if (begins_beside(m, status, y, yp, m->z_out)) status = meet_at(m, t, where);
        if (status != DAE_OK) return status;
    }
    author_lift(f->author, t, m->z_out, m->base.value, m->base.value_yp);
    return DAE_OK;
}

dae_status model_simulation_rate(model_simulation *m, const model_simulation *then, double t,
                                 const double *z)
{
    dae_status status = formulation_rates(then->formulation, t, z, m->base.rate);
    if (status == DAE_OK) simulation_take_rates(&m->base);
    return status;
}

/* A segment before an event is evaluated in the formulation and the modes of then. */
static dae_status model_evaluate(simulation *c, double t, const double *y, const double *yp,
                                 simulation_place where)
{
    model_simulation *m = (model_simulation *)c;
    bool earlier = m->switching && c->segment_modes != c->mode_number;
    bool other = c->segment_formulation != c->formulation_number;
    model_simulation *then = other ? model_formed_at(m, c->segment_formulation, true) : m;
    if (!then) return DAE_NO_MEMORY;
    if (earlier) model_modes_exchange(m, then->system->graph, c->segment_modes);
    dae_status status = evaluate_in_modes(then, t, y, yp, where);
    if (status == DAE_OK && c->asked) status = model_simulation_rate(m, then, t, then->z_out);
    if (earlier) model_modes_exchange(m, then->system->graph, c->segment_modes);
    return status;
}

static dae_status meet_end(model_simulation *m, double t)
{
    const simulation *c = &m->base;
    return c->yp_meets ? projection_meet(c->projection, t, m->z)
                       : projection_meet_end(c->projection, t, m->z);
}

static dae_status model_project(simulation *c, double t, const double *y, const double *yp)
{
    model_simulation *m = (model_simulation *)c;
    memcpy(m->z_before, m->z, m->formulation->p->size * sizeof *m->z);
    prolonged_form_gather(m->formulation->form, y, yp, m->z);
    dae_status status = meet_end(m, t);
    if (begins_beside(m, status, y, yp, m->z)) status = meet_end(m, t);
    if (status == DAE_OK && m->formulation->keeps) status = model_invariants_watch(m, t, m->z);
    if (status != DAE_OK) return status;
    prolonged_form_scatter(m->formulation->form, m->z, c->y, c->yp);
    simulation_keep_values(c, y);
    return DAE_OK;
}

static void model_leave(simulation *c)
{
    model_simulation *m = (model_simulation *)c;
    if (c->project_steps) memcpy(m->z, m->z_before, m->formulation->p->size * sizeof *m->z);
}

long model_simulation_missing(const simulation *c)
{
    return author_missing_value(((const model_simulation *)c)->formulation->author);
}

/* The first failing assertion from `from` on that is a warning, or is none, as `warning` says; -1:
 * there is none. */
static long failed_assertion(model_simulation *m, double t, size_t from, bool warning)
{
    long failed = author_failed_assertion(m->formulation->author, t, from);
    while (failed >= 0 && m->system->assertion.item[failed].warning != warning)
        failed = author_failed_assertion(m->formulation->author, t, (size_t)failed + 1);
    return failed;
}

bool model_simulation_holds(simulation *c, double t)
{
    return failed_assertion((model_simulation *)c, t, 0, false) < 0;
}

static bool model_step_holds(simulation *c, double t, const double *y, const double *yp)
{
    model_simulation *m = (model_simulation *)c;
    const formulation *f = m->formulation;
    if (m->system->assertion.count == 0 && f->core->n == c->n) return true;
    memcpy(m->z_out, m->z, f->p->size * sizeof *m->z);
    prolonged_form_gather(f->form, y, yp, m->z_out);
    author_lift(f->author, t, m->z_out, c->value, NULL);
    return model_simulation_missing(c) < 0 && model_simulation_holds(c, t);
}

enum { MOST_NOTES = 5 }; /* of one line, as of the cells of a pipe or the steps of a loop */

/* How many assertions of a line have been noted. */
static size_t noted_of_line(const model_simulation *m, unsigned line)
{
    size_t count = 0;
    for (size_t i = 0; i < m->system->assertion.count; i++)
        count += m->warned[i] && m->system->assertion.item[i].at.line == line;
    return count;
}

static void note_warnings(model_simulation *m, double t)
{
    long failed = failed_assertion(m, t, 0, true);
    for (; failed >= 0; failed = failed_assertion(m, t, (size_t)failed + 1, true)) {
        const sym_assertion *a = &m->system->assertion.item[failed];
        if (m->warned[failed]) continue;
        size_t before = noted_of_line(m, a->at.line);
        m->base.warnings--;
        m->warned[failed] = true;
        if (before >= MOST_NOTES) continue;
        text said = {0};
        author_say_assertion(m->formulation->author, (size_t)failed, &said);
        message_note(m->base.solver.message, "assertion at t = %.9g: %s (%s:%u)%s", t,
                     text_string(&said), m->system->file, a->at.line,
                     before + 1 < MOST_NOTES ? "" : "; further ones of this line are left out");
        text_free(&said);
    }
}

bool model_simulation_warns(simulation *c, double t)
{
    model_simulation *m = (model_simulation *)c;
    long failed = failed_assertion(m, t, 0, true);
    while (failed >= 0 && m->warned[failed])
        failed = failed_assertion(m, t, (size_t)failed + 1, true);
    return failed >= 0;
}

dae_status model_simulation_check(simulation *c, double t)
{
    model_simulation *m = (model_simulation *)c;
    long failed = failed_assertion(m, t, 0, false);
    if (failed <
        0) { /* where one fails, warnings of the way to it come first: solve_warn_within() */
        note_warnings(m, t);
        return DAE_OK;
    }
    const sym_assertion *a = &m->system->assertion.item[failed];
    text lag = {0};
    if (c->delays && delays_report_lag(c->delays, (size_t)failed, t, c->value, &lag)) {
        message_fail(c->solver.message, DAE_ASSERTION, "%s", text_string(&lag));
        text_free(&lag);
        return DAE_ASSERTION;
    }
    text said = {0};
    author_say_assertion(m->formulation->author, (size_t)failed, &said);
    message_fail(c->solver.message, DAE_ASSERTION, "assertion failed at t = %.9g: %s (%s:%u)", t,
                 text_string(&said), m->system->file, a->at.line);
    text_free(&said);
    return DAE_ASSERTION;
}

static void model_name_missed(const simulation *c, text *t)
{
    author_name_missed(((const model_simulation *)c)->formulation->author, t);
}

static dae_status model_measure(simulation *c, double t)
{
    model_simulation *m = (model_simulation *)c;
    formulation_measure(m->formulation, t, m->z_out, &c->solver.stats->max_residual, c->constraint);
    if (m->invariants)
        model_invariants_measure(m->invariants, t, m->z_out,
                                 &c->constraint[c->constraint_levels - 1]);
    return DAE_OK;
}

/* A derivative has the tolerance of the variable that is its name, or else its variable's in the
 * unit of time. */
static void model_tolerances(const simulation *c, const double *atols, double *inner)
{
    const prolonged_form *form = ((const model_simulation *)c)->formulation->form;
    for (size_t j = 0; j < form->p->n; j++) {
        for (size_t k = form->first[j]; k < form->first[j + 1]; k++) {
            uint32_t id = form->p->unknown[j], order = (uint32_t)(k - form->first[j]);
            prolonged_called(form->names, &id, &order);
            double atol = id < c->n ? atols[id] : c->solver.options->atol; /* of a share */
            inner[k] = atol / pow(problem_time_unit(&form->problem), order);
        }
    }
}

static size_t model_author_of(const simulation *c, size_t j)
{
    const prolonged_form *form = ((const model_simulation *)c)->formulation->form;
    uint32_t of = form->group[j];
    bool own = form->first[of] == j && form->p->unknown[of] < c->n;
    return own ? form->p->unknown[of] : PROBLEM_NOWHERE;
}

/* Suggests a guard for a root that ends where the solution continues, as for a tank that has run
 * empty. */
static void report_guard(const model_simulation *m, const sym_breakdown *b, text *t)
{
    if (!sym_is_ended_root(m->system->graph, b)) return;
    text_add(t, ". Where that may reach 0 and stay there, put max(");
    prolonged_print(m->formulation->names, b->argument, t);
    text_add(t, ", 0) in its place");
}

/* Appends the equation that gives a variable; false: none does. */
static bool name_source(const model_simulation *m, size_t variable, text *t)
{
    uint32_t given_by = m->formulation->core->given_by[variable];
    if (given_by == INCIDENCE_NONE) return false;
    sym_equation_name(m->system, &m->system->equation.item[given_by], t);
    return true;
}

/* Appends the part and the equation that has no value; false: the equation is not known, and the
 * caller appends it. */
static bool report_part(model_simulation *m, text *t)
{
    const formulation *f = m->formulation;
    sym_breakdown b;
    long broken = author_breakdown(f->author, &b), missing = model_simulation_missing(&m->base);
    if (broken >= 0) {
        prolonged_report_breakdown(f->names, &b, t);
        text_add(t, ", in ");
        sym_equation_name(m->system, &m->system->equation.item[broken], t);
        report_guard(m, &b, t);
        return true;
    }
    text_add(
        t,
        missing < 0
            ? "the variables have one, but a derivative has none, such as that of a root at 0, in "
            : "a division by zero, a root or logarithm where it ends, or a number "
              "that is too large, in ");
    return missing >= 0 && name_source(m, (size_t)missing, t);
}

bool model_simulation_blame(model_simulation *m, text *t)
{
    text_add(t, "an equation has no finite value: ");
    return report_part(m, t);
}

static void model_report_missing(simulation *c, size_t row, text *t)
{
    formulation *f = ((model_simulation *)c)->formulation;
    const double *input = f->form->input;
    author_lift(f->author, input[0], input + 1, c->value, NULL);
    if (!model_simulation_blame((model_simulation *)c, t))
        c->problem->form->name_equation(c->problem->self, row, t);
}

void model_simulation_blame_values(simulation *c, text *t)
{
    if (!report_part((model_simulation *)c, t)) text_add(t, "one of the equations");
}

void model_simulation_blame_start(model_simulation *m, double t, message *reported)
{
    const formulation *f = m->formulation;
    author_lift(f->author, t, f->start->start.guess, m->base.value, NULL);
    long missing = model_simulation_missing(&m->base);
    if (missing < 0 || f->core->given_by[missing] == INCIDENCE_NONE) return;
    text_clear(&reported->sentence);
    message_more(reported,
                 "no consistent initial values found: at the start values there is no finite "
                 "value of the right-hand side in ");
    name_source(m, (size_t)missing, &reported->sentence);
    message_more(reported,
                 "\n  remedy: give start values at which it can be evaluated (start = ...)");
}

void model_simulation_free(simulation *c)
{
    model_simulation *m = (model_simulation *)c;
    mechanism_simulation_free(m);
    model_formed_forget(m);
    projection_free(c->projection);
    model_events_free(m);
    formulation_free(m->formulation);
    if (c->delays) delays_free(c->delays);
    m->formulation = NULL;
    m->base.projection = NULL;
    model_modes_reset(m);
    text_free(&m->start_event);
    text_free(&m->misleads);
    message_free(&m->unsettled);
    model_whole_start_forget(m);
    start_laws_free(m->start_laws);
    if (m->redundancy) text_free(m->redundancy);
    model_homotopy_free(m->homotopy);
    arena_free(&m->memory);
    free(m);
}

bool model_simulation_report_hidden(const model_simulation *m, text *t)
{
    bool hides = m->misleads.length && m->formulation->choice.kind == FORMULATION_DIRECT;
    if (hides)
        text_add(t, "\n  remedy: the structure of these equations misleads, and constraints are "
                    "hidden that formulation auto finds and meets");
    return hides;
}

/* Where a variable is near 0 and a law of it is flat there, as a drop k*q*abs(q) of a pressure. */
static void report_flat(const model_simulation *m, text *t)
{
    const sym_system *s = m->system;
    for (size_t k = 0; k < s->flat.count; k++) {
        const sym_flat *f = &s->flat.item[k];
        const char *name = s->unknown.item[f->unknown].name;
        double value = m->base.value[f->unknown];
        if (!(fabs(value) <= NEAR_FLAT * m->base.nominal[f->unknown])) continue;
        text_format(t, "\n  %s = %.3g is near 0, and there ", name, value);
        sym_equation_name(s, &s->equation.item[f->equation], t);
        text_format(t,
                    " leaves open how fast %s changes\n  remedy: give that law a part that is "
                    "linear in %s, as a laminar flow has: %s*(abs(%s) + eps)",
                    name, name, name, name);
        return;
    }
}

static bool model_report_remedy(simulation *c, text *t)
{
    model_simulation *m = (model_simulation *)c;
    report_flat(m, t);
    text lost = {0};
    bool is_lost = model_simulation_report_lost(m, m->formulation->form->input[0], &lost);
    if (is_lost || !model_simulation_report_hidden((const model_simulation *)c, t))
        mechanism_simulation_report_remedy(c, t);
    text_add(t, text_string(&lost));
    text_free(&lost);
    return is_lost;
}

static void model_state(simulation *c, state_visit *s)
{
    model_simulation *m = (model_simulation *)c;
    model_formed_state(m, s);
    STATE(s, m->formed_at);
    STATE(s, m->formed_anew);
    model_events_state(m, s);
    state_bytes(s, m->warned, m->system->assertion.count * sizeof *m->warned);
}

static const simulation_ops model_row = {
    .start = &model_simulation_stages,
    .evaluate = model_evaluate,
    .project = model_project,
    .leave = model_leave,
    .form_anew = model_simulation_form_anew,
    .pivot_left = model_pivots_left,
    .formed = model_simulation_formed,
    .step_holds = model_step_holds,
    .missing = model_simulation_missing,
    .holds = model_simulation_holds,
    .margins = model_simulation_margins,
    .take_margins = model_simulation_take_margins,
    .warns = model_simulation_warns,
    .check = model_simulation_check,
    .measure = model_measure,
    .tolerances = model_tolerances,
    .author_of = model_author_of,
    .divisors = model_divisors_evaluate,
    .divided = model_divisors_size,
    .has_pole = model_divisors_is_pole,
    .beyond = model_divisors_beyond,
    .name_divided = model_divisors_name,
    .determinants = model_blocks_evaluate,
    .nonlinear = model_blocks_nonlinear,
    .variables = model_blocks_variables,
    .moved = model_blocks_moved,
    .turns = model_blocks_turn,
    .name_determined = model_blocks_name,
    .name_missed = model_name_missed,
    .report_missing = model_report_missing,
    .blame = model_simulation_blame_values,
    .report_remedy = model_report_remedy,
    .state = model_state,
    .free = model_simulation_free,
};

void model_simulation_follow_own(model_simulation *m)
{
    simulation *c = &m->base;
    if (m->mechanism) mechanism_simulation_drop(m);
    c->ops = &model_row;
    c->smooth = m->smooth_between;
    c->switched = !m->smooth;
    c->determinants = 0; /* until the start counts them */
    c->formulation_number = c->segment_formulation = 0;
    c->mode_number = c->segment_modes = 0;
}

/* --- creation --- */

/* Explicit methods need roots that are given explicitly; a description tells of these equations. */
static void choose_roots(model_simulation *m)
{
    const char *name = m->base.solver.options->method;
    const method_row *row = catalogue_find(name, strcspn(name, ":"));
    bool of_slopes = row && row->family == METHOD_EXPLICIT;
    if (m->system->root.count == 0) return;
    bool spells = of_slopes || m->base.solver.describes;
    (spells ? sym_spell_odd_roots : sym_flatten_odd_roots)(m->system);
    m->own = NULL;
}

static void find_pieces(model_simulation *m)
{
    const sym_system *s = m->system;
    m->smooth = m->smooth_between = true;
    for (size_t i = 0; i < s->equation.count; i++) {
        const sym_equation *e = &s->equation.item[i];
        m->smooth = m->smooth && !sym_equation_has_pieces(s, i);
        m->smooth_between = m->smooth_between && sym_pieces_are_held(s->graph, e->lhs) &&
                            sym_pieces_are_held(s->graph, e->rhs);
    }
}

static void analyze(void *argument)
{
    model_simulation *m = argument;
    choose_roots(m);
    size_t n = m->system->unknown.count, shares = sym_relation_count(m->system->graph);
    double *nominal, *least;
    m->room = model_simulation_room(m->system);
    arena_vectors(&m->memory, m->room,
                  (double **[]){&m->base.value, &m->base.value_yp, &m->base.given, &m->base.start,
                                &m->searched.value, &m->searched.value_yp, &nominal, &least, NULL});
    m->base.before_start = arena_array(&m->memory, 2 * n, sizeof *m->base.before_start);
    if (m->base.solver.options->all_derivatives)
        m->base.rate = arena_array(&m->memory, n, sizeof *m->base.rate);
    const char **variable = arena_array(&m->memory, n, sizeof *variable);
    for (size_t i = n; i < m->room; i++) nominal[i] = least[i] = 1;
    for (size_t i = 0; i < n; i++) {
        const sym_unknown *u = &m->system->unknown.item[i];
        bool reports = u->start_given && u->start != 0; /* such as 6e-16 mol without a nominal */
        m->base.given[i] = (double)NAN;
        variable[i] = u->name;
        nominal[i] = u->nominal;
        least[i] = reports ? fmin(fabs(u->start), u->nominal) : u->nominal;
    }
    m->base.variable = variable;
    m->base.nominal = nominal;
    m->base.least = least;
    m->modes = switching_modes_create(&m->memory, m->system);
    m->redundancy = arena_take(&m->memory, sizeof *m->redundancy);
    m->start_modes = arena_array(&m->memory, shares + 1, sizeof *m->start_modes);
    m->warned = arena_array(&m->memory, m->system->assertion.count, sizeof *m->warned);
    find_pieces(m);
    m->base.flat = m->system->flat.count > 0;
    m->base.asserts = m->system->assertion.count > 0;
    for (size_t i = 0; i < m->system->assertion.count; i++)
        m->base.warnings += m->system->assertion.item[i].warning;
    m->invariants = model_invariants_create(m->system);
    m->base.delays = delays_create(m->system, m->base.solver.options->keep_trajectory);
    if (!m->own) m->own = structure_analyze(m->system, m->base.solver.message);
    m->whole = (model_whole){.system = m->system,
                             .own = m->own,
                             .selectors = sym_find_selectors(m->system),
                             .invariants = m->invariants,
                             .usable = true};
    const dae_options *options = m->base.solver.options;
    m->divisors = model_divisors_find(m->system, m->own, m->smooth, options, &m->memory,
                                      &m->base.divisors);
}

static void refuse_embedded(message *reported)
{
    message_fail(reported, DAE_UNSUPPORTED,
                 "projection embedded stabilises the invariants of an ODE that a C program "
                 "declares with dae_problem_invariant(): for a model take coordinate "
                 "or post2");
}

static simulation *create(const dae_problem *source, const simulation_solver *solver, bool led)
{
    model_simulation *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    message *reported = solver->message;
    m->home = &m->memory;
    m->most_held = MODEL_MOST_HELD;
    m->base = (simulation){.ops = &model_row, .solver = *solver};
    structure *own = NULL;
    dae_status status = led ? model_problem_load_led(source, &m->memory, reported, &m->system)
                            : model_problem_load(source, false, &m->memory, reported, &m->system,
                                                 &own);
    if (status != DAE_OK) return &m->base;
    m->own = own;
    if (simulation_projects_by(&m->base, "embedded")) refuse_embedded(reported);
    m->base.n = m->system->unknown.count;
    m->base.hidden = m->system->hidden;
    message_status(reported, arena_protect(&m->memory, analyze, m));
    if (m->own) solver->stats->structural_index = (long)m->own->s->index;
    if (m->own && reported->status == DAE_OK && !led) mechanism_simulation_look(m);
    return &m->base;
}

simulation *model_simulation_create_led(const dae_problem *source, const simulation_solver *solver)
{
    return create(source, solver, true);
}

simulation *model_simulation_create(const dae_problem *source, const simulation_solver *solver)
{
    simulation *c = create(source, solver, false);
    model_simulation *m = (model_simulation *)c;
    if (!m || !m->own || solver->message->status != DAE_OK || m->system->homotopy.count == 0)
        return c;
    m->homotopy = model_homotopy_create(source, m);
    if (!m->homotopy) message_status(solver->message, DAE_NO_MEMORY);
    return c;
}

model_simulation *model_simulation_of(simulation *c)
{
    return c && c->ops->start == &model_simulation_stages ? (model_simulation *)c : NULL;
}
