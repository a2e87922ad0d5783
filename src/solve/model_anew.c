/* Forms a model's equations anew during a run.
 *
 * Where the structure misleads, combinations stand in for equations. They divide by pivots, which
 * are not 0 at the start but may vanish later. There the combinations say nothing, though the
 * equations do. Before a pivot is lost in the error of the state, other combinations are formed, by
 * pivots that suit the present values. The state stays as it is. */
#include "solve/model_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pivot is worn where it has fallen to this part of its value at the beginning. */
static const double WORN = 0.1;

/* The most formulations of a run, because none is freed before its end. */
enum { MOST_FORMED = 300 };

/* Pivots of combined equations, as functions of time and the prolongation's z. */
struct model_pivots {
    size_t count;
    sym_tape *tape;
    double *input;
    double *begun, *value; /* count: at the beginning, at present */
};

model_pivots *model_pivots_find(const formulation *f, arena *a)
{
    const explicit_core *core = f->core;
    if (core->divisors == 0) return NULL;
    model_pivots *p = arena_take(a, sizeof *p);
    *p = (model_pivots){.count = core->divisors};
    p->tape = prolongation_tape(a, f->p, p->count, core->divisor);
    p->input = arena_array(a, prolongation_inputs(f->p) + 1, sizeof(double));
    arena_vectors(a, p->count, (double **[]){&p->begun, &p->value, NULL});
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

/* Frees what one formulation has outside the arena of the model. */
static void free_one(model_simulation *m)
{
    projection_free(m->base.projection);
    projection_free(m->settles);
    formulation_free(m->formulation);
    free(m->from);
    if (m->own_home) arena_free(m->own_home);
    free(m->own_home);
}

void model_simulation_forget_formed(model_simulation *m)
{
    for (size_t k = 0; m->formed && k <= m->newest; k++)
        if (k != m->base.formulation_number) free_one(&m->formed[k]);
    free(m->formed);
    free(m->from);
    m->formed = NULL;
    m->from = NULL;
    m->newest = 0;
}

bool model_simulation_keep(model_simulation *m, const model_simulation *last)
{
    model_simulation *more = realloc(m->formed, (m->newest + 2) * sizeof *more);
    if (!more) return false;
    m->formed = more;
    more[last->base.formulation_number] = *last;
    m->newest++;
    m->base.formulation_number = m->base.segment_formulation = m->newest;
    return true;
}

void model_simulation_guess(const model_simulation *m, const model_simulation *last,
                            const double *z_last, const double *value, const double *value_yp,
                            double *guess)
{
    const prolonged_start *start = m->formulation->start;
    const prolongation *to = m->formulation->p, *from = last->formulation->p;
    for (size_t j = 0; j < to->n; j++) {
        uint32_t id = to->unknown[j];
        bool shared = id < last->system->unknown.count; /* not the share of a sliding motion */
        uint32_t column = shared ? from->column_of[id] : INCIDENCE_NONE;
        double *z = guess + to->first[j];
        for (uint32_t k = 0; k <= to->d[j]; k++) {
            bool known = column != INCIDENCE_NONE && k <= from->d[column];
            z[k] = k == 0 ? value[id] : known ? z_last[from->first[column] + k] : 0;
        }
        if (to->d[j] > 0 && isfinite(value_yp[id])) z[1] = value_yp[id];
    }
    for (size_t k = 0; k < start->extras; k++) guess[to->size + k] = value[start->extra[k]];
}

/* Finds a consistent z at the present state; false where z can only be consistent elsewhere. */
static bool start_at(model_simulation *m, double t, const model_simulation *last,
                     const double *value, const double *value_yp)
{
    model_simulation_guess(m, last, last->z_out, value, value_yp, m->z_before);
    return model_simulation_start_near(m, t, m->z_before, true, m->z);
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

/* Forms equations from m->from. */
static bool convert(model_simulation *m)
{
    const double *value = m->from + 1;
    return model_simulation_convert(m, m->from[0], value, value + m->base.n);
}

static bool form(model_simulation *m, double t, const model_simulation *last)
{
    size_t n = m->base.n;
    m->from = malloc((1 + 2 * n) * sizeof *m->from);
    if (!m->from) return false;
    double *value = m->from + 1, *value_yp = value + n;
    m->from[0] = t;
    memcpy(value, m->base.value, n * sizeof *value);
    memcpy(value_yp, m->base.value_yp, n * sizeof *value_yp);
    return convert(m) && start_at(m, t, last, value, value_yp) && is_same_state(m, value) &&
           model_simulation_is_regular(m, t) && model_simulation_finish_formed(m);
}

void model_simulation_leave_present(model_simulation *m)
{
    m->from = NULL;
    m->formulation = NULL;
    m->settles = NULL;
    m->base.projection = NULL;
    m->base.beside = NULL;
}

void model_simulation_go_back(model_simulation *m, model_simulation *last)
{
    free_one(m);
    last->memory = m->memory; /* which owns what was tried as well */
    *m = *last;
}

void model_simulation_carry_measures(model_simulation *m, const model_simulation *last)
{
    simulation *c = &m->base;
    const simulation *before = &last->base;
    c->problem->counts = before->problem->counts;
    for (size_t k = 0; k < c->constraint_levels && k < before->constraint_levels; k++)
        c->constraint[k] = before->constraint[k];
}

dae_status model_simulation_form_anew(simulation *c, double t, const double *y, const double *yp,
                                      bool doubt, bool *formed)
{
    model_simulation *m = (model_simulation *)c;
    *formed = false;
    if (t == m->formed_at || m->newest == MOST_FORMED) return DAE_OK;
    if (!doubt && !are_worn(m, t, y, yp)) return DAE_OK;
    m->formed_at = t;
    if (c->ops->evaluate(c, t, y, yp, SIMULATION_STEP_END) != DAE_OK) return DAE_OK;
    model_simulation last = *m;
    model_simulation_leave_present(m);
    if (form(m, t, &last) && model_simulation_keep(m, &last)) {
        model_simulation_carry_measures(m, &last);
        model_pivots_begin(m, t);
        prolonged_form_scatter(m->formulation->form, m->z, c->y, c->yp);
        *formed = true;
        return DAE_OK;
    }
    model_simulation_go_back(m, &last);
    return DAE_OK;
}

/* Forms equations once more as another simulation has. The state follows. */
static void form_again(model_simulation *m, state_visit *s)
{
    size_t count = 1 + 2 * m->base.n;
    model_simulation last = *m;
    model_simulation_leave_present(m);
    m->from = malloc(count * sizeof *m->from);
    if (m->from) state_doubles(s, m->from, count);
    if (m->from && convert(m) && model_simulation_finish_formed(m) &&
        model_simulation_keep(m, &last))
        return;
    model_simulation_go_back(m, &last);
    state_fail(s, DAE_NO_MEMORY);
}

bool model_simulation_formed(simulation *c, state_visit *s)
{
    model_simulation *m = (model_simulation *)c;
    size_t count = m->newest;
    STATE(s, count);
    for (size_t k = 0; k < count && s->status == DAE_OK; k++) {
        if (s->way == STATE_RESTORE) {
            form_again(m, s);
            continue;
        }
        double *from = k + 1 < count ? m->formed[k + 1].from : m->from;
        if (from)
            state_doubles(s, from, 1 + 2 * c->n);
        else
            state_fail(s, DAE_UNSUPPORTED); /* formulations of modes are not saved */
    }
    return s->way == STATE_RESTORE && count > 0;
}

static void state_of_one(const model_simulation *m, state_visit *s)
{
    size_t size = m->formulation->p->size;
    state_doubles(s, m->z, size);
    state_doubles(s, m->z_out, size);
    state_doubles(s, m->z_before, size);
    if (m->pivots) state_doubles(s, m->pivots->begun, m->pivots->count);
}

void model_simulation_formed_state(const model_simulation *m, state_visit *s)
{
    for (size_t k = 0; k < m->newest; k++) {
        const model_simulation *one = &m->formed[k];
        state_of_one(one, s);
        if (one->base.projection) projection_state(one->base.projection, s);
    }
    state_of_one(m, s);
}
