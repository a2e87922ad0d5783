/* Forms a model's equations anew during a run.
 *
 * Where the structure misleads, combinations stand in for equations. They divide by pivots, which
 * are not 0 at the start but may vanish later. There the combinations say nothing, though the
 * equations do. Before a pivot is lost in the error of the state, other combinations are formed, by
 * pivots that suit the present values. The state stays as it is. */
#include "solve/model_formed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most formulations of a run that are made here, because none is freed before its end. */
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

void model_pivots_state(model_pivots *p, state_visit *s)
{
    state_doubles(s, p->begun, p->count);
}

double model_pivots_left(simulation *c, double t, const double *y, const double *yp)
{
    model_simulation *m = (model_simulation *)c;
    model_pivots *p = m->pivots;
    double left = HUGE_VAL;
    if (!p) return left;
    memcpy(m->z_out, m->z, m->formulation->p->size * sizeof *m->z);
    prolonged_form_gather(m->formulation->form, y, yp, m->z_out);
    evaluate_pivots(m->formulation, p, t, m->z_out, p->value);
    for (size_t k = 0; k < p->count; k++) {
        double part = p->value[k] / p->begun[k];
        left = isnan(part) ? -HUGE_VAL : fmin(left, part);
    }
    return left;
}

void model_simulation_guess(const model_simulation *m, const model_simulation *last,
                            const double *z_last, const double *value, const double *value_yp,
                            double *guess)
{
    const prolonged_start *start = m->formulation->start;
    const prolongation *to = m->formulation->p, *from = last->formulation->p;
    for (size_t j = 0; j < to->n; j++) {
        uint32_t id = to->unknown[j];
        bool shared = id <
                      m->whole.system->unknown.count; /* not of a sliding motion or embedding */
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

/* An algebraic variable is as exact as the worn combinations that gave it. It may differ by this
 * part of its size, which is less than what is between solutions. */
static const double ALGEBRAIC_DIFFERS = 1e-3;

/* Whether the state has stayed the same: what is integrated, within the tolerances. */
static bool is_same_state(const model_simulation *m, const double *value)
{
    const dae_options *o = m->base.solver.options;
    const prolongation *p = m->formulation->p;
    for (size_t j = 0; j < p->n && p->unknown[j] < m->whole.system->unknown.count; j++) {
        uint32_t id = p->unknown[j];
        double atol = o->atols ? o->atols[id] : o->atol * m->base.nominal[id];
        double most = atol + o->rtol * fabs(value[id]);
        double size = fmax(fabs(value[id]), m->base.nominal[id]);
        if (p->d[j] == 0) most = fmax(most, ALGEBRAIC_DIFFERS * size);
        if (!(fabs(m->z[p->first[j]] - value[id]) <= most)) return false;
    }
    return true;
}

bool model_simulation_convert_again(model_simulation *m)
{
    const double *value = m->from + 1;
    return model_simulation_convert(m, m->from[0], value, value + m->base.n);
}

/* By combinations. */
static bool combine(model_simulation *m, double t, const model_simulation *last)
{
    size_t n = m->base.n;
    if (!m->converts) return false;
    m->system = m->written.system;
    m->own = m->written.own;
    m->from = malloc((1 + 2 * n) * sizeof *m->from);
    if (!m->from) return false;
    double *value = m->from + 1, *value_yp = value + n;
    m->from[0] = t;
    memcpy(value, m->base.value, n * sizeof *value);
    memcpy(value_yp, m->base.value_yp, n * sizeof *value_yp);
    return model_simulation_convert_again(m) && start_at(m, t, last, value, value_yp) &&
           is_same_state(m, value) && model_simulation_is_regular(m, t) &&
           model_simulation_finish_formed(m);
}

/* By an embedding in a larger system. */
static bool embed(model_simulation *m, double t, const model_simulation *last)
{
    bool found = model_simulation_embed_again(m, t, last);
    return found && is_same_state(m, m->base.value) && model_simulation_finish_formed(m);
}

typedef bool way_to_form(model_simulation *m, double t, const model_simulation *last);

/* False: nothing is formed in this way, and the present formulation stays. */
static bool forms(model_simulation *m, double t, way_to_form *way)
{
    model_simulation last = *m;
    model_formed_leave(m);
    if (!way(m, t, &last) || !model_formed_keep(m, &last, NULL)) {
        model_formed_go_back(m, &last);
        return false;
    }
    model_simulation_carry_measures(m, &last);
    if (m->switching) model_events_count_roots(m);
    model_pivots_begin(m, t);
    m->formed_anew++;
    prolonged_form_scatter(m->formulation->form, m->z, m->base.y, m->base.yp);
    return true;
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
    if (t == m->formed_at || m->formed_anew == MOST_FORMED) return DAE_OK;
    if (!doubt && model_pivots_left(c, t, y, yp) >= PIVOT_WORN) return DAE_OK;
    m->formed_at = t;
    if (c->ops->evaluate(c, t, y, yp, SIMULATION_STEP_END) != DAE_OK) return DAE_OK;
    *formed = forms(m, t, combine) || forms(m, t, embed);
    return DAE_OK;
}
