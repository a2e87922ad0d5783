/* Both sides of surfaces, by trials, and by the equations of a motion along them.
 *
 * Along surfaces with the rates g_i' = 0 and the shares s_i, let one share be another one, and let
 * the others follow so that the solution still slides along their surfaces. Where the equations are
 * linear in their shares and highest derivatives, g_i' is then linear in s_i, and the values at 0
 * and 1 are the rates on both sides. One factorisation of the system Jacobian J gives the direction
 * of all of them: it is J^-1 e_i, where e_i changes g_i' alone. So no side needs equations of its
 * own. The equations at the points that are found tell whether they are linear. */
#include "event/settling.h"

#include "base/arena.h"
#include "base/round_off.h"

#include <math.h>
#include <string.h>

/* --- by trials --- */

/* Moves a state that stands at a surface but for its errors onto it. Beside the surface a rate may
 * be another one: of a level of 1e-7, sqrt(h) is 3e-4. */
static void stand_on(settling *e, size_t surface)
{
    switching *s = e->s;
    size_t entry = s->shift[surface];
    switching_look(s, e->t, e->z);
    if (entry == SIZE_MAX || fabs(s->value[surface]) > switching_band(s, surface)) return;
    e->z[entry] -= s->value[surface] / s->by_shift[surface];
}

/* The rate of a surface on the side where its relation is tried, and where that leads. */
static void take_rate(settling *e, const switching *from, size_t surface, bool is, settling_ways *w)
{
    double rate = e->s->changes[surface] * e->s->modes->direction;
    w->back = w->back || settling_takes_back(e, from, surface);
    w->of[is] = is ? -rate : rate;
    w->clear = fmax(w->clear, switching_clear_rate(e->s, surface));
    w->off = w->off || fabs(e->s->value[surface]) > switching_band(e->s, surface);
}

static void take_bend(switching *s, size_t surface, bool is, settling_ways *w)
{
    double size, bend;
    if (!s->modes->relation[surface].second) return;
    bend = switching_bend(s, surface, &size);
    w->bend[is] = is ? -bend : bend;
    w->pull = fmax(w->pull, SWITCHING_PULLED * size);
}

dae_status settling_try_side(settling *e, size_t surface, bool is, bool on, settling_ways *w)
{
    switching *s = e->s;
    double *z = e->z;
    bool slides = s->modes->relation[surface].slides;
    w->of[is] = (double)NAN;
    settling_keep(e);
    if (on) stand_on(e, surface);
    settling_set_slides(s->modes, surface, false);
    settling_hold_side(s, surface, is);
    settling_aside aside;
    settling_hush(e, &aside);
    dae_status status = settling_find_modes(e);
    settling_hear(e, &aside);
    if (status == DAE_OK) {
        switching_look(e->s, e->t, e->z);
        switching_look_at_rates(e->s);
        take_rate(e, s, surface, is, w);
        take_bend(e->s, surface, is, w);
    }
    settling_set_slides(s->modes, surface, slides);
    settling_restore(e, s, z);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* Tries a side of a surface on it, or beside it where it has no values there. */
static dae_status look_at_side(settling *e, size_t surface, bool is, settling_ways *w)
{
    dae_status status = settling_try_side(e, surface, is, true, w);
    return status == DAE_OK && isnan(w->of[is]) ? settling_try_side(e, surface, is, false, w)
                                                : status;
}

dae_status settling_look_at_sides(settling *e, size_t surface, settling_ways *w)
{
    *w = (settling_ways){.clear = 0};
    dae_status status = look_at_side(e, surface, false, w);
    return status == DAE_OK ? look_at_side(e, surface, true, w) : status;
}

void settling_count_sliding(const switching_modes *m)
{
    memset(m->sliding_in, 0, m->parts * sizeof *m->sliding_in);
    for (size_t k = 0; k < m->relations; k++)
        if (m->relation[k].slides) m->sliding_in[m->relation[k].part]++;
}

/* Marks the surfaces that are the only ones of their parts along which the solution slides. */
static size_t mark_only_ones(const switching_modes *m, bool *only)
{
    size_t count = 0;
    settling_count_sliding(m);
    for (size_t k = 0; k < m->relations; k++) {
        const relation_state *r = &m->relation[k];
        only[k] = r->slides && !r->second && m->sliding_in[r->part] == 1;
        count += only[k];
    }
    return count;
}

/* Tries one side of all of them, as settling_try_side() does. */
static dae_status try_sides(settling *e, const bool *only, bool is, settling_ways *way, bool *found)
{
    switching *s = e->s;
    double *z = e->z;
    settling_keep(e);
    for (size_t k = 0; k < s->relations; k++) {
        if (!only[k]) continue;
        stand_on(e, k);
        settling_set_slides(s->modes, k, false);
        settling_hold_side(s, k, is);
    }
    settling_aside aside;
    settling_hush(e, &aside);
    dae_status status = settling_find_modes(e);
    settling_hear(e, &aside);
    *found = status == DAE_OK;
    if (*found) switching_look(e->s, e->t, e->z);
    if (*found) switching_look_at_rates(e->s);
    for (size_t k = 0; k < s->relations && *found; k++)
        if (only[k]) take_rate(e, s, k, is, &way[k]);
    for (size_t k = 0; k < s->relations; k++)
        if (only[k]) settling_set_slides(s->modes, k, true);
    settling_restore(e, s, z);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

dae_status settling_look_at_only_ones(settling *e, settling_ways *way, bool *known)
{
    bool found = true;
    dae_status status = DAE_OK;
    size_t relations = e->s->relations;
    if (mark_only_ones(e->s->modes, known) == 0) return DAE_OK;
    for (size_t k = 0; k < relations; k++)
        if (known[k]) way[k] = (settling_ways){.clear = 0};
    for (int is = 0; is <= 1 && status == DAE_OK && found; is++)
        status = try_sides(e, known, is, way, &found);
    for (size_t k = 0; k < relations; k++)
        if (known[k]) known[k] = found && isfinite(way[k].of[0]) && isfinite(way[k].of[1]);
    return status;
}

/* --- by shares --- */

typedef struct shares {
    settling *e;
    const switching *s;
    const prolonged_levels *levels;
    const constraint_level *last;
    linear_solver *solver;
    size_t *row, *column; /* shares: in the last level: g_i', and s_i */
    double *jacobian, *size, *terms, *residual, *change, *point;
    workspace space;
} shares;

static void carve(shares *h)
{
    size_t n = h->last->rows;
    h->row = workspace_take(&h->space, h->s->shares + 1, sizeof *h->row);
    h->column = workspace_take(&h->space, h->s->shares + 1, sizeof *h->column);
    workspace_vectors(&h->space, h->last->pattern->nonzeros + 1, (double **[]){&h->jacobian, NULL});
    workspace_vectors(&h->space, 2 * n + 1, (double **[]){&h->size, NULL});
    workspace_vectors(&h->space, n + 1, (double **[]){&h->terms, &h->residual, &h->change, NULL});
    workspace_vectors(&h->space, h->levels->levels.size + 1, (double **[]){&h->point, NULL});
}

/* Where share i and the rate of its surface stand in the last level; whether they do. */
static bool find_place(shares *h, size_t i)
{
    const prolonged_level *level = &h->levels->level[h->levels->levels.count - 1];
    size_t equation = h->s->system->equation.count - h->s->shares + i;
    h->row[i] = h->column[i] = SIZE_MAX;
    for (size_t r = 0; r < h->last->rows; r++)
        if (h->s->f->core->equation[level->equation[r]] == equation && level->order[r] == 1)
            h->row[i] = r;
    for (size_t j = 0; j < h->last->columns; j++)
        if (h->last->column[j] == h->s->share[i]) h->column[i] = j;
    return h->row[i] != SIZE_MAX && h->column[i] != SIZE_MAX;
}

/* Whether the equations have the form that is needed: staged levels with all shares in the last. */
static bool has_places(shares *h)
{
    for (size_t i = 0; i < h->s->shares; i++)
        if (!find_place(h, i)) return false;
    return true;
}

/* Whether all equations but the rate of surface i are met at h->point, and no relation is led to
 * its other side there. */
static bool is_solution(shares *h, size_t i)
{
    const constraint_levels *l = &h->levels->levels;
    switching *s = h->e->s;
    double worst = 0;
    for (size_t j = 0; j < h->last->columns; j++) {
        size_t at = h->last->column[j];
        h->size[j] = fmax(fabs(h->point[at]), fabs(h->e->z[at]));
        h->size[h->last->columns + j] = l->nominal[at];
    }
    miss_terms(h->last->pattern, h->jacobian, h->size, h->size + h->last->columns, h->terms);
    if (l->form->value(l->self, l->count - 1, h->e->t, h->point, h->residual) != DAE_OK)
        return false;
    h->residual[h->row[i]] = 0;
    miss_raise(&worst, miss_largest(h->last->rows, h->residual, h->terms, NULL));
    if (!(worst <= ROUND_OFF_AMPLIFIED)) return false;
    switching_look(s, h->e->t, h->point);
    for (size_t k = 0; k < s->relations; k++)
        if (settling_contradicts(s, k, true)) return false;
    return true;
}

/* The rates of surface i on both sides; whether they are known. */
static bool look_at(shares *h, size_t i, settling_ways *w)
{
    switching *s = h->e->s;
    size_t k = s->slid[i];
    memset(h->change, 0, h->last->rows * sizeof *h->change);
    h->change[h->row[i]] = 1;
    linear_solver_solve(h->solver, h->change);
    for (int is = 0; is <= 1; is++) {
        double part = (is - h->e->z[s->share[i]]) / h->change[h->column[i]];
        memcpy(h->point, h->e->z, h->levels->levels.size * sizeof *h->point);
        for (size_t j = 0; j < h->last->columns; j++)
            h->point[h->last->column[j]] += part * h->change[j];
        if (!isfinite(part) || !is_solution(h, i)) return false;
        switching_look_at_rates(s);
        double rate = s->changes[k] * s->modes->direction;
        w->of[is] = is ? -rate : rate;
        w->clear = fmax(w->clear, switching_clear_rate(s, k));
        w->off = w->off || fabs(s->value[k]) > switching_band(s, k);
    }
    return isfinite(w->of[0]) && isfinite(w->of[1]);
}

static dae_status factor(shares *h)
{
    const constraint_levels *l = &h->levels->levels;
    dae_status status = linear_solver_create(&h->solver, h->last->pattern, false);
    if (status == DAE_OK) status = l->form->linearize(l->self, h->e->t, h->e->z);
    if (status != DAE_OK) return status;
    l->form->jacobian(l->self, l->count - 1, h->jacobian);
    return linear_solver_factor(h->solver, h->jacobian);
}

/* The same of all surfaces, where the solution slides along them. */
static dae_status look(settling *e, settling_ways *way, bool *known)
{
    const formulation *f = e->s->f;
    const constraint_levels *l = &f->levels->levels;
    shares h = {.e = e, .s = e->s, .levels = f->levels, .last = &l->level[l->count - 1]};
    bool staged = f->choice.kind != FORMULATION_ARRAY && h.last->rows == h.last->columns;
    if (e->s->shares == 0 || !staged) return DAE_OK;
    carve(&h);
    if (workspace_allocate(&h.space) != DAE_OK) return DAE_NO_MEMORY;
    carve(&h);
    dae_status status = DAE_OK;
    if (has_places(&h)) {
        status = factor(&h);
        for (size_t i = 0; i < e->s->shares && status == DAE_OK; i++) {
            size_t k = e->s->slid[i];
            if (known[k]) continue;
            way[k] = (settling_ways){.clear = 0};
            known[k] = look_at(&h, i, &way[k]);
        }
    }
    linear_solver_free(h.solver);
    workspace_free(&h.space);
    return status == DAE_NO_MEMORY || status == DAE_STOPPED ? status : DAE_OK;
}

/* Values in the present modes. Modes that turn in them are left to a search for modes. */
static dae_status solve(settling *e)
{
    message unheard = {0};
    switching_define(e->s, e->t, e->z);
    e->s->modes->jumped = false;
    for (size_t k = 0; k < e->s->relations; k++) e->s->modes->relation[k].against = false;
    dae_status status = e->resolve(e->self, e->t, &e->s, &e->z, &unheard);
    message_free(&unheard);
    return status;
}

/* Among many surfaces of a part, one is not left while its share is clear of 0 and 1: as the rate
 * is linear in the share, and 0 there, the sides still lead back as they did when the motion began.
 * To try them, each side would need equations of its own. */
static void stay_within(const settling *e, settling_ways *way, bool *known)
{
    static const double CLEAR = 1e-3;
    const switching *s = e->s;
    settling_count_sliding(s->modes);
    for (size_t i = 0; i < s->shares; i++) {
        size_t k = s->slid[i];
        const relation_state *r = &s->modes->relation[k];
        bool many = s->modes->sliding_in[r->part] > SETTLING_FEW_SURFACES;
        if (known[k] || !many || r->second || s->share[i] == SIZE_MAX) continue;
        double share = e->z[s->share[i]];
        if (!(share > CLEAR && share < 1 - CLEAR)) continue;
        way[k] = (settling_ways){.of = {-1, -1}};
        known[k] = true;
    }
}

dae_status settling_look_at_shares(settling *e, settling_ways *way, bool *known)
{
    switching *s = e->s;
    double *z = e->z;
    memset(known, 0, s->relations * sizeof *known);
    if (s->modes->sliding < 2) return DAE_OK; /* its two sides need no equations of their own */
    if (s->modes->parts > 1) {
        dae_status status = settling_look_at_only_ones(e, way, known);
        size_t open = s->modes->sliding;
        for (size_t k = 0; k < s->relations; k++) open -= known[k];
        if (status != DAE_OK || open == 0) return status;
    }
    settling_keep(e);
    dae_status status = solve(e);
    bool solved = status == DAE_OK && !e->s->modes->jumped;
    if (solved) status = look(e, way, known);
    if (solved && status == DAE_OK) stay_within(e, way, known);
    settling_restore(e, s, z);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}
