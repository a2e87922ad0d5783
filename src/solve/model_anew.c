/* Forms a model's equations anew during a run.
 *
 * Where the structure misleads, combinations stand in for equations. They divide by pivots, which
 * are not 0 at the start but may vanish later. There the combinations say nothing, though the
 * equations do. Before a pivot is lost in the error of the state, other combinations are formed, by
 * pivots that suit the present values. The state stays as it is. */
#include "initial/consistent.h"
#include "solve/model_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pivot is worn where it has fallen to this part of its value at the beginning. */
static const double WORN = 0.1;

/* The most formulations of a run, because none is freed before its end. */
enum { MOST_FORMED = 300 };

model_pivots *model_pivots_find(const formulation *f, arena *a)
{
    const explicit_core *core = f->core;
    if (core->divisors == 0) return NULL;
    model_pivots *p = arena_take(a, sizeof *p);
    *p = (model_pivots){.count = core->divisors};
    p->tape = sym_tape_compile(a, f->system->graph, p->count, core->divisor,
                               prolongation_inputs(f->p), prolongation_slot, f->p);
    p->input = arena_array(a, prolongation_inputs(f->p) + 1, sizeof(double));
    p->begun = arena_array(a, p->count, sizeof(double));
    p->value = arena_array(a, p->count, sizeof(double));
    return p;
}

static void evaluate_pivots(const formulation *f, model_pivots *p, double t, const double *z,
                            double *value)
{
    p->input[0] = t;
    memcpy(p->input + 1, z, f->p->size * sizeof *z);
    sym_tape_eval(p->tape, p->input, value);
}

void model_pivots_begin(model_simulation *m, double t)
{
    if (m->pivots) evaluate_pivots(m->formulation, m->pivots, t, m->z, m->pivots->begun);
}

static bool are_worn(model_simulation *m, double t, const double *y, const double *yp)
{
    model_pivots *p = m->pivots;
    if (!p) return false;
    memcpy(m->z_out, m->z, m->formulation->p->size * sizeof *m->z);
    prolonged_form_gather(m->formulation->form, y, yp, m->z_out);
    evaluate_pivots(m->formulation, p, t, m->z_out, p->value);
    for (size_t k = 0; k < p->count; k++)
        if (!(fabs(p->value[k]) >= WORN * fabs(p->begun[k]))) return true;
    return false;
}

void model_parts_take(const model_simulation *m, model_parts *p)
{
    const simulation *c = &m->base;
    *p = (model_parts){.formulation = m->formulation,
                       .pivots = m->pivots,
                       .blocks = m->blocks,
                       .open = m->open,
                       .z = m->z,
                       .z_out = m->z_out,
                       .z_before = m->z_before,
                       .z_marked = m->z_marked,
                       .problem = c->problem,
                       .y = c->y,
                       .yp = c->yp,
                       .determinants = c->determinants,
                       .constraint_levels = c->constraint_levels,
                       .constraint = c->constraint,
                       .levels = c->levels,
                       .projection = c->projection,
                       .project_steps = c->project_steps};
}

void model_parts_put(model_simulation *m, const model_parts *p)
{
    simulation *c = &m->base;
    m->formulation = p->formulation;
    m->pivots = p->pivots;
    m->blocks = p->blocks;
    m->open = p->open;
    m->z = p->z;
    m->z_out = p->z_out;
    m->z_before = p->z_before;
    m->z_marked = p->z_marked;
    c->problem = p->problem;
    c->y = p->y;
    c->yp = p->yp;
    c->determinants = p->determinants;
    c->constraint_levels = p->constraint_levels;
    c->constraint = p->constraint;
    c->levels = p->levels;
    c->projection = p->projection;
    c->project_steps = p->project_steps;
}

void model_parts_free(model_simulation *m)
{
    for (size_t k = 0; k < m->formed_count; k++) {
        projection_free(m->formed[k].projection);
        formulation_free(m->formed[k].formulation);
    }
    free(m->formed);
    m->formed = NULL;
    m->formed_count = 0;
}

/* Keeps the parts of the formulation that is left, because its segments may still be evaluated. */
static bool keep(model_simulation *m, const model_parts *last)
{
    model_parts *more = realloc(m->formed, (m->formed_count + 1) * sizeof *more);
    if (!more) return false;
    m->formed = more;
    more[m->formed_count++] = *last;
    return true;
}

/* The guess has values and derivatives as they are, and higher derivatives as far as they were
 * known. */
static void guess_from(const model_simulation *m, const model_parts *last, const double *value,
                       const double *value_yp, double *guess)
{
    const prolonged_start *start = m->formulation->start;
    const prolongation *to = m->formulation->p, *from = last->formulation->p;
    for (size_t j = 0; j < to->n; j++) {
        uint32_t id = to->unknown[j], column = from->column_of[id];
        double *z = guess + to->first[j];
        for (uint32_t k = 0; k <= to->d[j]; k++) {
            bool known = column != INCIDENCE_NONE && k <= from->d[column];
            z[k] = k == 0 ? value[id] : known ? last->z_out[from->first[column] + k] : 0;
        }
        if (to->d[j] > 0 && isfinite(value_yp[id])) z[1] = value_yp[id];
    }
    for (size_t k = 0; k < start->extras; k++) guess[to->size + k] = value[start->extra[k]];
}

/* Finds a consistent z at the present state; false where z can only be consistent elsewhere. */
static bool find_state(model_simulation *m, double t, const model_parts *last, const double *value,
                       const double *value_yp)
{
    start_system near = m->formulation->start->start;
    bool *none = calloc(near.size + 1, sizeof *none);
    double *guess = calloc(near.size + 1, sizeof *guess);
    message discarded = {0};
    initial_result result;
    bool found = none && guess;
    if (found) guess_from(m, last, value, value_yp, guess);
    near.guess = guess;
    near.fixed = none;
    near.given = near.variable;
    near.rows = near.equations;
    found = found && initial_consistent(&near, t, m->z, &result, &discarded) == DAE_OK;
    message_free(&discarded);
    free(none);
    free(guess);
    return found;
}

/* Whether the state has stayed the same within the tolerances. */
static bool is_same_state(const model_simulation *m, const double *value)
{
    const dae_options *o = m->base.solver.options;
    const prolongation *p = m->formulation->p;
    for (size_t j = 0; j < p->n; j++) {
        uint32_t id = p->unknown[j];
        double atol = o->atols ? o->atols[id] : o->atol * m->base.nominal[id];
        double off = fabs(m->z[p->first[j]] - value[id]);
        if (!(off <= atol + o->rtol * fabs(value[id]))) return false;
    }
    return true;
}

static bool form(model_simulation *m, double t, const model_parts *last)
{
    size_t n = m->base.n;
    double *value = malloc((2 * n + 1) * sizeof *value), *value_yp = value ? value + n : NULL;
    bool found = value != NULL;
    if (found) memcpy(value, m->base.value, n * sizeof *value);
    if (found) memcpy(value_yp, m->base.value_yp, n * sizeof *value_yp);
    found = found && model_simulation_convert(m, t, value, value_yp) &&
            find_state(m, t, last, value, value_yp) && is_same_state(m, value) &&
            model_simulation_is_regular(m, t) && model_simulation_finish_formed(m);
    free(value);
    return found;
}

/* Carries counts and measured violations over. */
static void carry_measures(model_simulation *m, const model_parts *last)
{
    simulation *c = &m->base;
    c->problem->counts = last->problem->counts;
    for (size_t k = 0; k < c->constraint_levels && k < last->constraint_levels; k++)
        c->constraint[k] = last->constraint[k];
}

dae_status model_simulation_form_anew(simulation *c, double t, const double *y, const double *yp,
                                      bool doubt, bool *formed)
{
    model_simulation *m = (model_simulation *)c;
    *formed = false;
    if (t == m->formed_at || m->formed_count == MOST_FORMED) return DAE_OK;
    if (!doubt && !are_worn(m, t, y, yp)) return DAE_OK;
    m->formed_at = t;
    if (c->ops->evaluate(c, t, y, yp, SIMULATION_STEP_END) != DAE_OK) return DAE_OK;
    model_parts last;
    model_parts_take(m, &last);
    m->formulation = NULL;
    c->projection = NULL;
    if (form(m, t, &last) && keep(m, &last)) {
        carry_measures(m, &last);
        model_pivots_begin(m, t);
        prolonged_form_scatter(m->formulation->form, m->z, c->y, c->yp);
        c->segment_formulation = ++c->formulation_number;
        *formed = true;
        return DAE_OK;
    }
    projection_free(c->projection);
    formulation_free(m->formulation);
    model_parts_put(m, &last);
    return DAE_OK;
}
