#include "solve/model_simulation.h"

#include "base/scatter.h"
#include "formulation/prolonged_time.h"
#include "initial/consistent.h"
#include "structure/followers.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The most equations of a derivative array whose rank is found, and the most entries of the inverse
 * of a system Jacobian that are looked at: n for each equation that is differentiated. */
enum { LARGEST_ARRAY = 10000, LARGEST_INVERSE = 4000000 };

typedef struct inverse {
    const arena *memory;
    const prolongation *w;
    double time_unit;
    sym_matrix *jacobian;
    double *value, *input;
    double *beside, *moved, *size; /* values and inputs beside these; sizes of the inputs */
    unsigned *index;               /* w->n */
} inverse;

/* Set entries to 0 that may be all rounding: beside them others would look like nothing. */
static void drop_rounding(inverse *v)
{
    enum { PROBES = 4 };
    static const double DIGITS = 2 * DBL_EPSILON, MARGIN = 10;
    size_t inputs = 1 + v->w->size, entries = v->jacobian->pattern->nonzeros;
    for (size_t probe = 0; probe < PROBES; probe++) {
        for (size_t k = 0; k < inputs; k++)
            v->moved[k] = v->input[k] + DIGITS * scattered(probe * inputs + k) *
                                            fmax(fabs(v->input[k]), v->size[k]);
        sym_matrix_eval(v->jacobian, v->moved, v->beside);
        for (size_t e = 0; e < entries; e++)
            if (fabs(v->value[e]) <= MARGIN * fabs(v->beside[e] - v->value[e])) v->value[e] = 0;
    }
}

static bool indices_at(inverse *v)
{
    sym_matrix_eval(v->jacobian, v->input, v->value);
    drop_rounding(v);
    const prolonged_orders orders = {.row = v->w->c, .column = v->w->d};
    prolonged_time_unit_scale_jacobian(&orders, v->time_unit, v->jacobian->pattern, v->value,
                                       v->value);
    dae_status status = structure_variable_index(v->jacobian->pattern, v->value, v->w->c, v->w->d,
                                                 v->index);
    if (status == DAE_NO_MEMORY) arena_fail(v->memory);
    return status == DAE_OK;
}

static void find_indices(const formulation *f, index_at_start *found)
{
    const prolongation *w = f->author->written;
    arena *a = f->system->memory;
    inverse v = {.memory = a,
                 .w = w,
                 .time_unit = f->start->time_unit,
                 .jacobian = prolonged_system_jacobian(a, w)};
    v.value = arena_array(a, v.jacobian->pattern->nonzeros, sizeof *v.value);
    v.input = arena_array(a, 1 + w->size, sizeof *v.input);
    v.beside = arena_array(a, v.jacobian->pattern->nonzeros, sizeof *v.beside);
    v.moved = arena_array(a, 1 + w->size, sizeof *v.moved);
    v.size = arena_array(a, 1 + w->size, sizeof *v.size);
    v.size[0] = v.time_unit;
    memcpy(v.size + 1, f->author->size, w->size * sizeof *v.size);
    v.index = arena_array(a, w->n, sizeof *v.index);
    memcpy(v.input, f->author->input, (1 + w->size) * sizeof *v.input);
    found->reason = "the system Jacobian is singular at the start";
    if (!indices_at(&v)) return;
    found->index = 0;
    for (size_t j = 0; j < w->n; j++)
        if (!f->system->unknown.item[w->unknown[j]].discrete && (int)v.index[j] > found->index)
            found->index = (int)v.index[j];
    found->reason = "dependence of derivatives on the equations at the consistent start";
    for (size_t k = 1; k <= w->size; k++) /* beside it no factor is zero by chance */
        v.input[k] += 1e-3 * scattered(k - 1) * fmax(1, fabs(v.input[k]));
    if (!indices_at(&v)) return;
    found->variable = arena_array(a, f->system->unknown.count, sizeof *found->variable);
    for (size_t j = 0; j < w->n; j++) found->variable[w->unknown[j]] = v.index[j];
}

index_at_start solve_index_regular(const formulation *f)
{
    index_at_start found = {.index = -1};
    const prolongation *w = f->author->written;
    unsigned highest = 0;
    size_t differentiated = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (w->c[i] > highest) highest = w->c[i];
        differentiated += w->c[i] > 0;
    }
    if (formulation_shows_more(f)) {
        found.index = (int)f->shown->index;
        found.reason = "the equations show it once explicit variables are put in";
    } else if (highest == 0) {
        found.index = (int)f->own->s->index;
        found.reason = "no equation has to be differentiated, and the system Jacobian is regular";
    } else if (differentiated > LARGEST_INVERSE / w->n) {
        found.reason = "the system is too large for the inverse of its Jacobian";
    } else {
        find_indices(f, &found);
    }
    return found;
}

/* Guesses at z from the author's variables; higher derivatives are not known. */
static const double *guess_of(const formulation *f, const double *value, const double *yp)
{
    const start_system *start = &f->start->start;
    double *guess = arena_array(f->system->memory, start->size + 1, sizeof *guess);
    memset(guess, 0, start->size * sizeof *guess);
    for (size_t j = 0; j < f->p->n; j++) {
        uint32_t id = f->p->unknown[j];
        guess[f->p->first[j]] = value[id];
        if (f->p->d[j] > 0 && isfinite(yp[id])) guess[f->p->first[j] + 1] = yp[id];
    }
    for (size_t k = 0; k < f->start->extras; k++) guess[f->p->size + k] = value[f->start->extra[k]];
    return guess;
}

/* The same start without start values: near the author's variables at another time. */
static start_system start_near(const formulation *f, const double *value, const double *yp)
{
    start_system near = f->start->start;
    bool *none = arena_array(f->system->memory, near.size + 1, sizeof *none);
    memset(none, 0, near.size * sizeof *none);
    near.guess = guess_of(f, value, yp);
    near.fixed = near.given = none;
    near.rows = near.equations;
    near.brief = true;
    return near;
}

/* Values that meet the array. Nothing but fixed values is held at first: where a search holds the
 * values of what is differentiated, others may go far, to another branch, to meet what these miss;
 * and of all values near the guesses, any serve. */
static dae_status find_values(const start_system *start, double t, double *z)
{
    size_t rank;
    initial_result result;
    message discarded = {0};
    start_system free_start = *start;
    free_start.held = start->fixed;
    if (initial_near(&free_start, t, z, &rank) == DAE_OK) return DAE_OK;
    dae_status status = initial_consistent(start, t, z, &result, &discarded);
    message_free(&discarded);
    return status;
}

static dae_status index_of_array(const formulation *f, const start_system *start, double t,
                                 unsigned highest, int *index)
{
    arena *a = f->system->memory;
    size_t entries = f->levels->jacobian->pattern->nonzeros;
    double *z = arena_array(a, start->size, sizeof *z);
    double *value = arena_array(a, entries + 1, sizeof *value);
    unsigned *order = arena_array(a, f->p->size, sizeof *order);
    for (size_t j = 0; j < f->p->n; j++)
        for (unsigned k = 0; k <= f->p->d[j]; k++) order[f->p->first[j] + k] = k;
    dae_status status = find_values(start, t, z);
    if (status == DAE_OK) status = solve_jacobian_beyond_rounding(f, t, z, SOLVE_FOUND, value);
    if (status == DAE_OK) memcpy(f->levels->jacobian_value, value, entries * sizeof *value);
    if (status == DAE_OK)
        status = structure_local_index(f->levels->jacobian->pattern,
                                       prolonged_levels_scaled(f->levels), f->p->n, highest, order,
                                       index);
    return status;
}

static index_at_start index_of(const sym_system *system, const structure *own, double t,
                               unsigned highest, const double *value, const double *yp)
{
    index_at_start found = {.index = -1};
    if (system->equation.count * (highest + 1) > LARGEST_ARRAY) {
        found.reason = "the system is too large for the rank of its derivative array";
        return found;
    }
    const formulation_choice choice = {
        .kind = FORMULATION_ARRAY, .project = true, .extra = highest};
    formulation *f = formulation_create(system, own, &choice);
    const start_system start = value ? start_near(f, value, yp) : f->start->start;
    dae_status status = index_of_array(f, &start, t, highest, &found.index);
    formulation_free(f);
    if (status == DAE_NO_MEMORY) arena_fail(system->memory);
    if (status != DAE_OK)
        found.reason = "no consistent values of the higher derivatives were found";
    else if (found.index < 0)
        found.reason = "the derivative array does not determine all first derivatives";
    else
        found.reason = "rank of the derivative array at the consistent start";
    return found;
}

/* Of what others depend on alone: what follows from it is determined as soon as it is, and in its
 * derivatives are the most terms of the array, where it is a product or a power. */
index_at_start solve_index_beyond_structure(const sym_system *system, const structure *own,
                                            double t, unsigned highest, const double *value,
                                            const double *yp)
{
    message unheard = {0};
    const sym_system *leading = structure_without_followers(system);
    const structure *of = leading == system ? own : structure_analyze(leading, &unheard);
    message_free(&unheard);
    return of ? index_of(leading, of, t, highest, value, yp)
              : index_of(system, own, t, highest, value, yp);
}
