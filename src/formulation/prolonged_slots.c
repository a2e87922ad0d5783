#include "formulation/prolonged_slots.h"

#include "formulation/prolonged_leading.h"

#include <stdlib.h>
#include <string.h>

static void free_slots(prolonged_form *f)
{
    for (size_t i = 0; i < f->slots; i++) {
        linear_solver_free(f->slot[i].solver);
        free(f->slot[i].value);
        free(f->slot[i].scale);
    }
    free(f->slot);
    f->slot = NULL;
    f->slots = 0;
}

void prolonged_form_free(prolonged_form *f)
{
    if (!f) return;
    prolonged_leading_free(f->leading);
    free_slots(f);
}

static dae_status make_slot(prolonged_form *f, struct prolonged_slot *s, bool is_complex)
{
    size_t number = is_complex ? sizeof(double complex) : sizeof(double);
    *s = (struct prolonged_slot){.is_complex = is_complex};
    s->value = calloc(f->pattern->nonzeros + 1, number);
    s->scale = malloc((f->p->n + 1) * sizeof *s->scale);
    if (!s->value || !s->scale) return DAE_NO_MEMORY;
    return s == f->slot ? linear_solver_create(&s->solver, f->pattern, is_complex)
                        : linear_solver_create_like(&s->solver, f->slot[0].solver, is_complex);
}

static bool slots_fit(const prolonged_form *f, size_t slots, const bool *is_complex)
{
    for (size_t i = 0; i < f->slots; i++)
        if (!f->slot[i].solver || (i < slots && f->slot[i].is_complex != is_complex[i]))
            return false;
    return true;
}

dae_status prolonged_form_reserve(void *self, size_t slots, const bool *is_complex)
{
    prolonged_form *f = self;
    dae_status status = DAE_OK;
    if (!slots_fit(f, slots, is_complex)) free_slots(f);
    if (f->slot && slots <= f->slots) return DAE_OK;
    struct prolonged_slot *grown = realloc(f->slot, (slots + 1) * sizeof *grown);
    if (!grown) return DAE_NO_MEMORY;
    f->slot = grown;
    for (; f->slots < slots && status == DAE_OK; f->slots++)
        status = make_slot(f, &f->slot[f->slots], is_complex[f->slots]);
    if (status == DAE_OK) f->problem.linear_solver = linear_solver_name(f->slot[0].solver);
    return status;
}

/* With y_k = (beta/alpha) y_(k+1) + known, the column of x^(k) is that of x^(top-1) times a power.
 */
static void weigh(prolonged_form *f, double complex alpha, double complex beta)
{
    for (size_t j = 0; j < f->p->n; j++) {
        double complex *weight = f->weight + f->p->first[j];
        size_t top = f->top[j];
        for (size_t k = 0; k <= f->p->d[j]; k++) weight[k] = 0;
        if (top == 0) {
            weight[0] = beta;
            continue;
        }
        weight[top] = alpha;
        weight[top - 1] = beta;
        for (size_t k = top - 1; k-- > 0;) weight[k] = weight[k + 1] * beta / alpha;
    }
}

/* Where a row or column of the reduced matrix stands in y. */
static size_t last_of_group(const prolonged_form *f, size_t column)
{
    return column == LINEAR_SOLVER_NOWHERE ? PROBLEM_NOWHERE : f->first[column + 1] - 1;
}

/* Each column of the reduced matrix takes the scale of its unknown's highest derivative in y. */
static void scale_columns(prolonged_form *f, struct prolonged_slot *s)
{
    bool any = problem_column_scales(&f->problem, s->alpha, s->beta, f->scale);
    for (size_t j = 0; any && j < f->p->n; j++) s->scale[j] = f->scale[f->first[j + 1] - 1];
    linear_solver_scale_columns(s->solver, s->value, any ? s->scale : NULL);
}

dae_status prolonged_form_factor(void *self, size_t slot, double complex alpha, double complex beta)
{
    prolonged_form *f = self;
    struct prolonged_slot *s = &f->slot[slot];
    const sparse_pattern *p = f->jacobian->pattern;
    weigh(f, alpha, beta);
    s->alpha = alpha;
    s->beta = beta;
    memset(s->value, 0,
           f->pattern->nonzeros * (s->is_complex ? sizeof(double complex) : sizeof(double)));
    for (size_t column = 0; column < p->columns; column++) {
        double complex weight = f->weight[column];
        for (sparse_index k = p->start[column]; k < p->start[column + 1]; k++) {
            if (s->is_complex)
                ((double complex *)s->value)[f->where[k]] += weight * f->slope[k];
            else
                ((double *)s->value)[f->where[k]] += creal(weight) * f->slope[k];
        }
    }
    scale_columns(f, s);
    size_t reordered = linear_solver_reordered(s->solver);
    dae_status status = linear_solver_factor(s->solver, s->value);
    f->problem.counts.reorderings += linear_solver_reordered(s->solver) - reordered;
    f->problem.factor_nonzeros = linear_solver_nonzeros(s->solver);
    if (status == DAE_SINGULAR) {
        f->problem.bad_row = last_of_group(f, linear_solver_singular_row(s->solver));
        f->problem.bad_column = last_of_group(f, linear_solver_singular_column(s->solver));
    }
    return status;
}

/* Known parts of the eliminated rows, y_k = (beta/alpha) y_(k+1) + shift_k relative to the last of
 * each group; on entry `shift` holds the right side. */
static void eliminate_shifts(prolonged_form *f, const struct prolonged_slot *s)
{
    for (size_t j = 0; j < f->p->n; j++) {
        size_t last = f->first[j + 1] - 1;
        f->shift[last] = 0;
        for (size_t k = last; k-- > f->first[j];)
            f->shift[k] = (f->shift[k] + s->beta * f->shift[k + 1]) / s->alpha;
    }
}

/* right -= beta times the Jacobian's columns of eliminated unknowns times their known parts */
static void move_shifts_right(prolonged_form *f, const struct prolonged_slot *s)
{
    const sparse_pattern *p = f->jacobian->pattern;
    for (size_t j = 0; j < f->p->n; j++) {
        for (size_t k = 0; f->first[j] + k + 1 < f->first[j + 1]; k++) {
            double complex known = s->beta * f->shift[f->first[j] + k];
            size_t column = f->p->first[j] + k;
            for (sparse_index e = p->start[column]; e < p->start[column + 1]; e++)
                f->right[p->row[e]] -= f->slope[e] * known;
        }
    }
}

static void solve_complex(prolonged_form *f, struct prolonged_slot *s, double complex *b)
{
    size_t n = f->p->n;
    for (size_t j = 0; j < n; j++) f->right[j] = b[f->first[j + 1] - 1];
    if (f->problem.n > n) {
        memcpy(f->shift, b, f->problem.n * sizeof *b);
        eliminate_shifts(f, s);
        move_shifts_right(f, s);
    }
    linear_solver_solve(s->solver, f->right);
    for (size_t j = 0; j < n; j++) {
        size_t last = f->first[j + 1] - 1;
        double complex value = b[last] = f->right[j];
        for (size_t k = last; k-- > f->first[j];) {
            value *= s->beta / s->alpha;
            b[k] = value + f->shift[k];
        }
    }
}

static void solve_real(prolonged_form *f, struct prolonged_slot *s, double *b)
{
    size_t n = f->p->n;
    double *right = f->row_value, ratio = creal(s->beta / s->alpha);
    for (size_t j = 0; j < n; j++) f->right[j] = b[f->first[j + 1] - 1];
    if (f->problem.n > n) {
        for (size_t k = 0; k < f->problem.n; k++) f->shift[k] = b[k];
        eliminate_shifts(f, s);
        move_shifts_right(f, s);
    }
    for (size_t j = 0; j < n; j++) right[j] = creal(f->right[j]);
    linear_solver_solve(s->solver, right);
    for (size_t j = 0; j < n; j++) {
        size_t last = f->first[j + 1] - 1;
        double value = b[last] = right[j];
        for (size_t k = last; k-- > f->first[j];) {
            value *= ratio;
            b[k] = value + creal(f->shift[k]);
        }
    }
}

void prolonged_form_solve(void *self, size_t slot, void *b)
{
    prolonged_form *f = self;
    struct prolonged_slot *s = &f->slot[slot];
    if (s->is_complex)
        solve_complex(f, s, b);
    else
        solve_real(f, s, b);
}
