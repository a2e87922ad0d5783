#include "event/impulse.h"

#include "base/arena.h"
#include "base/round_off.h"
#include "event/impulse_way.h"
#include "linalg/linear_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A jump is found where twice as many parts change it by no more than EXACT of its size, in at most
 * MOST_PARTS. Ways that lead further apart than ALIKE are different. */
static const double EXACT = 1e-9, ALIKE = 1e-6;
enum { MOST_PARTS = 256 };

/* The part of its terms by which a row is missed along the other way. */
static const double BETWEEN = 1e-2;

/* An equation is linear in what has an impulse if a strength of FAR times the sizes changes its
 * balance by no more than STRAIGHT of its terms. */
static const double FAR = 1e3, STRAIGHT = 1e-6;

/* The most corrections after the parts, which leave round-off. */
enum { MOST_CORRECTIONS = 10 };

typedef struct impulse {
    const constraint_levels *l;
    const constraint_level *last, *level; /* the last, and the one before it */
    size_t number;                        /* of `level` */
    linear_solver *solver;
    double t;
    double *missed, *row; /* level->rows each: `missed` at the beginning */
    double *bump;         /* level->rows: how far they are missed between, on the other way */
    double *value,
        *other;       /* nonzeros of the last level each: its Jacobian; the same at the begin */
    double *factored; /* the same where equations have given way */
    double *xi, *change, *terms;               /* last->rows each */
    double *from, *point, *coarse, *other_end; /* l->size each */
    impulse_way way;
    bool other_way;
    size_t given;            /* the number of states that are given; of each: */
    size_t *entry;           /* in z */
    size_t *column, *holder; /* in the last level: its column, or that of a state which it is joined
                                to, and the equation that gives way */
    double *moves, *move;    /* its jump, and the part of it that is asked for */
    double *ratio;           /* the jump of that column by its own */
    bool *gives_way;         /* last->rows */
    workspace space;
} impulse;

static size_t place_of(const sparse_pattern *pattern, size_t row, size_t column)
{
    sparse_index k = pattern->start[column];
    while ((size_t)pattern->row[k] != row) k++;
    return (size_t)k;
}

/* In place of each equation that has given way stands xi_j = the jump that is asked for. */
static void give_way(impulse *p)
{
    const sparse_pattern *pattern = p->last->pattern;
    memcpy(p->factored, p->value, pattern->nonzeros * sizeof *p->value);
    for (size_t k = 0; k < pattern->nonzeros && p->given; k++)
        if (p->gives_way[pattern->row[k]]) p->factored[k] = 0;
    for (size_t i = 0; i < p->given; i++)
        p->factored[place_of(pattern, p->holder[i], p->column[i])] = 1;
}

static dae_status factor(impulse *p, const double *z)
{
    const constraint_levels_form *form = p->l->form;
    dae_status status = form->linearize(p->l->self, p->t, z);
    if (status != DAE_OK) return status;
    form->jacobian(p->l->self, p->l->count - 1, p->value);
    give_way(p);
    return linear_solver_factor(p->solver, p->factored);
}

/* The strengths that change the rows of the level by p->row, and the states that are given by
 * p->move. */
static void solve(impulse *p)
{
    memset(p->xi, 0, p->last->rows * sizeof *p->xi);
    for (size_t i = 0; i < p->level->rows; i++) p->xi[p->level->last_row[i]] = p->row[i];
    for (size_t k = 0; k < p->given; k++) p->xi[p->holder[k]] = p->ratio[k] * p->move[k];
    linear_solver_solve(p->solver, p->xi);
}

static void add(const impulse *p, double *z)
{
    for (size_t j = 0; j < p->level->columns; j++)
        if (p->level->last_column[j] != LEVEL_NOWHERE)
            z[p->level->column[j]] += p->xi[p->level->last_column[j]];
}

/* How fast the miss of row i falls at x, where it is (1 - x)^power of what it was. On the first way
 * all powers are 1, on the other one they differ. */
static double pace(size_t i, double x, bool other_way)
{
    double power = other_way ? 1 + (double)(i % 3) : 1;
    return power * pow(fmax(0, 1 - x), power - 1);
}

/* Whether the Jacobian is what it was at the begin. */
static bool is_constant(const impulse *p)
{
    for (size_t k = 0; k < p->last->pattern->nonzeros; k++)
        if (p->value[k] != p->other[k]) return false;
    return true;
}

/* The derivative of the states at z along a way. */
static dae_status find_slope(void *self, double x, double *z, double *slope)
{
    impulse *p = self;
    bool other = p->other_way;
    dae_status status = factor(p, z);
    if (status != DAE_OK) return status;
    p->way.constant = p->way.constant && is_constant(p);
    for (size_t i = 0; i < p->level->rows; i++) {
        p->row[i] = -p->missed[i] * pace(i, x, other);
        if (other) p->row[i] += p->bump[i] * (1 - 2 * x);
    }
    for (size_t k = 0; k < p->given; k++)
        p->move[k] = p->moves[k] * pace(p->level->rows + k, x, other);
    solve(p);
    memset(slope, 0, p->l->size * sizeof *slope);
    add(p, slope);
    return DAE_OK;
}

/* On the other way each row is missed in between, by this part of its terms, whether it was at the
 * begin or not: of constraints that an impulse meets together none comes first. */
static dae_status find_bumps(impulse *p)
{
    const constraint_levels_form *form = p->l->form;
    const sparse_pattern *pattern = p->level->pattern;
    double *value = malloc((pattern->nonzeros + 1) * sizeof *value);
    dae_status status = value ? form->linearize(p->l->self, p->t, p->from) : DAE_NO_MEMORY;
    if (status == DAE_OK) {
        form->jacobian(p->l->self, p->number, value);
        miss_level_terms(p->level, value, p->from, p->l->nominal, p->bump);
    }
    for (size_t i = 0; i < p->level->rows; i++) p->bump[i] *= i % 2 ? -BETWEEN : BETWEEN;
    free(value);
    return status;
}

static dae_status find_jump(impulse *p, bool other_way, bool *found)
{
    p->other_way = other_way;
    memcpy(p->way.begin, p->from, p->l->size * sizeof *p->from);
    return impulse_way_follow(&p->way, found);
}

static void carve(impulse *p)
{
    size_t size = p->l->size, nonzeros = p->last->pattern->nonzeros;
    workspace_vectors(&p->space, p->level->rows,
                      (double **[]){&p->missed, &p->row, &p->bump, NULL});
    workspace_vectors(&p->space, nonzeros, (double **[]){&p->value, &p->other, &p->factored, NULL});
    workspace_vectors(&p->space, p->last->rows, (double **[]){&p->xi, &p->change, &p->terms, NULL});
    workspace_vectors(&p->space, size,
                      (double **[]){&p->from, &p->point, &p->coarse, &p->other_end, NULL});
    p->way = (impulse_way){.levels = p->l,
                           .from = p->from,
                           .size = size,
                           .slope = find_slope,
                           .self = p,
                           .fewest = 1,
                           .most = MOST_PARTS,
                           .exact = EXACT};
    impulse_way_carve(&p->way, &p->space);
    workspace_vectors(&p->space, p->given, (double **[]){&p->moves, &p->move, &p->ratio, NULL});
    p->entry = workspace_take(&p->space, p->given, sizeof *p->entry);
    p->column = workspace_take(&p->space, p->given, sizeof *p->column);
    p->holder = workspace_take(&p->space, p->given, sizeof *p->holder);
    p->gives_way = workspace_take(&p->space, p->last->rows, sizeof *p->gives_way);
}

static dae_status create(impulse *p)
{
    dae_status status = linear_solver_create(&p->solver, p->last->pattern, false);
    if (status != DAE_OK) return status;
    carve(p);
    if (workspace_allocate(&p->space) != DAE_OK) return DAE_NO_MEMORY;
    carve(p);
    return DAE_OK;
}

/* Meets the level to round-off, in the same directions. */
static dae_status finish(impulse *p, double *z)
{
    dae_status status = DAE_OK;
    for (int i = 0; i < MOST_CORRECTIONS && status == DAE_OK; i++) {
        status = p->l->form->value(p->l->self, p->number, p->t, z, p->row);
        if (status == DAE_OK) status = factor(p, z);
        if (status != DAE_OK) break;
        for (size_t k = 0; k < p->level->rows; k++) p->row[k] = -p->row[k];
        for (size_t k = 0; k < p->given; k++)
            p->move[k] = p->from[p->entry[k]] + p->moves[k] - z[p->entry[k]];
        solve(p);
        double size = 0;
        for (size_t j = 0; j < p->level->columns; j++) {
            size_t at = p->level->column[j], from = p->level->last_column[j];
            double unit = fmax(fabs(z[at]), p->l->nominal[at]);
            if (from != LEVEL_NOWHERE) size = fmax(size, fabs(p->xi[from]) / unit);
        }
        add(p, z);
        if (size <= ROUND_OFF_SOLVED) break;
    }
    return status;
}

/* Marks the entries with a strength p->xi. */
static void mark_impulses(const impulse *p, const impulse_given *given)
{
    double most = 0;
    for (size_t j = 0; j < p->last->columns; j++)
        most = fmax(most, fabs(p->xi[j]) / p->l->nominal[p->last->column[j]]);
    for (size_t j = 0; j < p->last->columns; j++) {
        size_t at = p->last->column[j];
        if (!(fabs(p->xi[j]) > ROUND_OFF_ITERATED * most * p->l->nominal[at])) continue;
        if (given->has) given->has[at] = true;
        if (given->strength) given->strength[at] = p->xi[j];
    }
}

/* Whether the balance of each equation over the impulse is linear in the strengths: the Jacobian
 * must not depend on them. */
static dae_status is_straight(impulse *p, const impulse_given *given, bool *straight, size_t *row)
{
    const sparse_pattern *pattern = p->last->pattern;
    dae_status status = factor(p, p->from);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < p->level->rows; i++) p->row[i] = -p->missed[i];
    for (size_t k = 0; k < p->given; k++) p->move[k] = p->moves[k];
    solve(p);
    double most = 0;
    mark_impulses(p, given);
    memcpy(p->point, p->from, p->l->size * sizeof *p->point);
    for (size_t j = 0; j < p->last->columns; j++)
        most = fmax(most, fabs(p->xi[j]) / p->l->nominal[p->last->column[j]]);
    for (size_t j = 0; j < p->last->columns && most > 0; j++)
        p->point[p->last->column[j]] += FAR / most * p->xi[j];
    memcpy(p->other, p->value, pattern->nonzeros * sizeof *p->other);
    status = p->l->form->linearize(p->l->self, p->t, p->point);
    *straight = status == DAE_OK;
    if (status != DAE_OK) return status == DAE_NOT_EVALUABLE ? DAE_OK : status;
    p->l->form->jacobian(p->l->self, p->l->count - 1, p->value);
    for (size_t k = 0; k < pattern->nonzeros; k++) p->value[k] -= p->other[k];
    memset(p->change, 0, p->last->rows * sizeof *p->change);
    memset(p->terms, 0, p->last->rows * sizeof *p->terms);
    for (size_t j = 0; j < pattern->columns; j++) {
        for (sparse_index k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            p->change[pattern->row[k]] += p->value[k] * p->xi[j];
            p->terms[pattern->row[k]] += fabs(p->other[k] * p->xi[j]);
        }
    }
    for (size_t i = 0; i < p->last->rows && *straight; i++) {
        if (p->gives_way[i]) continue;
        *straight = fabs(p->change[i]) <= STRAIGHT * p->terms[i];
        *row = i;
    }
    return DAE_OK;
}

/* --- states that are given --- */

static bool is_differentiated(const impulse *p, size_t equation)
{
    for (size_t r = 0; r < p->level->rows; r++)
        if (p->level->last_row[r] == equation) return true;
    return false;
}

/* The next equation after row `after` that can give way to the state in a column: it holds the
 * derivative of the state, is not differentiated, and has not given way to another state. Rows are
 * counted from 1; 0: there is none. */
static size_t next_holder(const impulse *p, size_t column, size_t after)
{
    const sparse_pattern *pattern = p->last->pattern;
    for (sparse_index k = pattern->start[column]; k < pattern->start[column + 1]; k++) {
        size_t i = (size_t)pattern->row[k];
        bool open = i + 1 > after && p->value[k] != 0 && !p->gives_way[i];
        if (open && !is_differentiated(p, i)) return i + 1;
    }
    return 0;
}

/* Whether an equation alone gives another variable, as a = der(v) does where a occurs nowhere else.
 * An impulse in it would leave that variable open, and move nothing. */
static bool gives_another(const impulse *p, size_t equation, size_t column)
{
    const sparse_pattern *pattern = p->last->pattern;
    for (size_t j = 0; j < pattern->columns; j++) {
        bool here = false, elsewhere = false;
        for (sparse_index k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            bool of_this = (size_t)pattern->row[k] == equation;
            here = here || (of_this && p->value[k] != 0);
            elsewhere = elsewhere || (!of_this && p->value[k] != 0);
        }
        if (here && !elsewhere && j != column) return true;
    }
    return false;
}

static size_t first_holder(const impulse *p, size_t column)
{
    size_t holder = next_holder(p, column, 0);
    while (holder > 0 && gives_another(p, holder - 1, column))
        holder = next_holder(p, column, holder);
    return holder;
}

/* What a row says of jumps: the sum of those that are known, and the variables with other ones. */
typedef struct row_jumps {
    double sum, factor; /* factor: of the last variable */
    size_t open, which; /* their number, the last one */
} row_jumps;

static void look_at_rows(const impulse *p, const double *jump, row_jumps *row)
{
    const sparse_pattern *pattern = p->last->pattern;
    for (size_t i = 0; i < p->last->rows; i++) row[i] = (row_jumps){0};
    for (size_t j = 0; j < pattern->columns; j++) {
        for (sparse_index k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            row_jumps *r = &row[pattern->row[k]];
            if (p->value[k] == 0) continue;
            if (isnan(jump[j]))
                r->open++, r->which = j, r->factor = p->value[k];
            else
                r->sum += p->value[k] * jump[j];
        }
    }
}

/* A state may be joined by constraints alone to another one whose derivative an equation holds: the
 * speed of a stop to that of the body behind its flange. Finds that equation, and for *column the
 * other state, whose jump is *ratio of that of the first one. *holder is 0 where there is none. */
static dae_status find_joined_by(const impulse *p, const bool *without, size_t *column,
                                 size_t *holder, double *ratio)
{
    size_t rows = p->last->rows, columns = p->last->columns;
    double *jump = malloc((columns + 1) * sizeof *jump);
    row_jumps *row = malloc((rows + 1) * sizeof *row);
    bool more = jump && row;
    for (size_t j = 0; more && j < columns; j++) jump[j] = (double)NAN;
    if (more) jump[*column] = 1;
    while (more && *holder == 0) {
        more = false;
        look_at_rows(p, jump, row);
        for (size_t i = 0; i < rows && *holder == 0; i++) {
            size_t j = row[i].which;
            if (without && without[i]) continue;
            if (row[i].open != 1 || !isnan(jump[j]) || !is_differentiated(p, i)) continue;
            *ratio = jump[j] = -row[i].sum / row[i].factor;
            if (jump[j] != 0) *holder = first_holder(p, j), *column = j;
            more = true;
        }
    }
    dae_status status = jump && row ? DAE_OK : DAE_NO_MEMORY;
    free(jump);
    free(row);
    return status;
}

/* By constraints that hold in all modes, or else by all. */
static dae_status find_joined(const impulse *p, const bool *chosen, size_t *column, size_t *holder,
                              double *ratio)
{
    dae_status status = chosen ? find_joined_by(p, chosen, column, holder, ratio) : DAE_OK;
    if (status != DAE_OK || *holder > 0) return status;
    return find_joined_by(p, NULL, column, holder, ratio);
}

/* Whether two values of a state are the same but for rounding. */
static bool are_equal(const impulse *p, size_t entry, double one, double other)
{
    double size = fmax(fmax(fabs(one), fabs(other)), p->l->nominal[entry]);
    return fabs(one - other) <= ROUND_OFF_ITERATED * size;
}

/* Takes the states that the level determines, those that have been moved alone (`moved`) or all of
 * them. Each has its value before in p->from. *taken: an equation holds the derivative of each of
 * them, or of one that it is joined to. */
static dae_status take_given(impulse *p, const impulse_given *given, const double *z, bool moved,
                             bool *taken)
{
    size_t count = 0;
    *taken = false;
    memset(p->gives_way, 0, p->last->rows * sizeof *p->gives_way);
    for (size_t i = 0; i < given->count; i++) {
        size_t j = 0, entry = given->entry[i];
        if (moved && are_equal(p, entry, z[entry], given->before[i])) continue;
        while (j < p->level->columns && p->level->column[j] != entry) j++;
        if (j == p->level->columns || p->level->last_column[j] == LEVEL_NOWHERE) continue;
        size_t column = p->level->last_column[j], holder = first_holder(p, column);
        p->ratio[count] = 1;
        dae_status status = DAE_OK;
        if (holder == 0) status = find_joined(p, given->chosen, &column, &holder, &p->ratio[count]);
        if (status != DAE_OK || holder == 0) return status;
        p->entry[count] = entry;
        p->column[count] = column;
        p->holder[count] = holder - 1;
        p->gives_way[holder - 1] = true;
        p->from[entry] = given->before[i];
        p->moves[count++] = z[entry] - given->before[i];
    }
    p->given = count;
    *taken = true;
    return DAE_OK;
}

/* Whether an impulse in this equation leaves all states as they are, those that are given among
 * them. After factor(). */
static bool has_no_effect(impulse *p, size_t equation)
{
    double most = 0, moved = 0;
    memset(p->xi, 0, p->last->rows * sizeof *p->xi);
    p->xi[equation] = 1;
    linear_solver_solve(p->solver, p->xi);
    for (size_t j = 0; j < p->last->columns; j++)
        most = fmax(most, fabs(p->xi[j]) / p->l->nominal[p->last->column[j]]);
    for (size_t j = 0; j < p->level->columns; j++) {
        size_t at = p->level->last_column[j];
        if (at != LEVEL_NOWHERE)
            moved = fmax(moved, fabs(p->xi[at]) / p->l->nominal[p->level->column[j]]);
    }
    return moved <= ROUND_OFF_AMPLIFIED * most;
}

/* Whether it does not matter which of several equations gives way to a state. */
static bool is_told(impulse *p)
{
    for (size_t k = 0; k < p->given; k++)
        for (size_t i = 0; (i = next_holder(p, p->column[k], i)) > 0;)
            if (!has_no_effect(p, i - 1)) return false;
    return true;
}

/* Finds the equations that give way to the states that are given, those that have been moved alone
 * or all of them. */
static dae_status find_holders(impulse *p, const impulse_given *given, const double *z, bool moved,
                               impulse_fault *fault)
{
    p->given = 0;
    memset(p->gives_way, 0, p->last->rows * sizeof *p->gives_way);
    dae_status status = factor(p, z);
    *fault = IMPULSE_SINGULAR;
    if (status != DAE_OK) return status;
    bool taken;
    status = take_given(p, given, z, moved, &taken);
    *fault = IMPULSE_GIVEN;
    if (status != DAE_OK || !taken) return status == DAE_OK ? DAE_SINGULAR : status;
    status = factor(p, p->from);
    if (status != DAE_OK) return status;
    return linear_solver_least_pivot(p->solver) < ROUND_OFF_ITERATED ? DAE_SINGULAR : DAE_OK;
}

/* The same. A state that is given the value that it has may be held by a constraint as well, as
 * that of a body that rests at a stop: then it needs no equation that gives way. */
static dae_status begin(impulse *p, const impulse_given *given, const double *z,
                        impulse_fault *fault)
{
    memcpy(p->from, z, p->l->size * sizeof *z);
    p->given = 0;
    memset(p->gives_way, 0, p->last->rows * sizeof *p->gives_way);
    if (given->count == 0) return DAE_OK;
    dae_status status = find_holders(p, given, z, false, fault);
    if (status == DAE_SINGULAR && *fault == IMPULSE_GIVEN) {
        memcpy(p->from, z, p->l->size * sizeof *z);
        status = find_holders(p, given, z, true, fault);
    }
    if (status != DAE_OK) return status;
    *fault = IMPULSE_SHARED;
    return is_told(p) ? DAE_OK : DAE_SINGULAR;
}

/* Whether a jump keeps all values that are given, in z. */
static bool keeps_given(const impulse *p, const impulse_given *given, const double *z,
                        const double *jumped)
{
    for (size_t i = 0; i < given->count; i++)
        if (!are_equal(p, given->entry[i], z[given->entry[i]], jumped[given->entry[i]]))
            return false;
    return true;
}

static dae_status apply(impulse *p, const impulse_given *given, double *z, impulse_fault *fault,
                        size_t *row)
{
    bool found = true, other = true;
    size_t bytes = p->l->size * sizeof *z;
    dae_status status = begin(p, given, z, fault);
    if (status != DAE_OK) return status;
    *fault = IMPULSE_SINGULAR;
    status = p->l->form->value(p->l->self, p->number, p->t, p->from, p->missed);
    if (status == DAE_OK) status = is_straight(p, given, &found, row);
    if (status != DAE_OK) return status;
    *fault = IMPULSE_BENT;
    if (!found) return DAE_OK;
    *row = 0;
    *fault = IMPULSE_OF_WAY;
    p->way.constant = true;
    bool ways = p->level->rows + p->given > 1;
    if (ways) status = find_bumps(p);
    if (ways && status == DAE_OK) status = find_jump(p, true, &other);
    memcpy(p->other_end, p->way.end, bytes);
    if (status == DAE_OK) status = find_jump(p, false, &found);
    if (status != DAE_OK || !found || !other) return status;
    bool alike = p->way.constant || impulse_way_alike(&p->way, p->way.end, p->other_end, ALIKE);
    if (ways && !alike) return DAE_OK;
    memcpy(p->coarse, p->way.end, bytes);
    status = finish(p, p->coarse);
    if (status != DAE_OK) return status;
    *fault = IMPULSE_GIVEN;
    if (!keeps_given(p, given, z, p->coarse)) return DAE_OK;
    memcpy(z, p->coarse, bytes);
    *fault = IMPULSE_FOUND;
    return DAE_OK;
}

dae_status impulse_end(dae_status status, impulse_fault *fault)
{
    if (status == DAE_STOPPED || status == DAE_NO_MEMORY || status == DAE_OK) return status;
    if (*fault == IMPULSE_FOUND || *fault == IMPULSE_OF_WAY) *fault = IMPULSE_SINGULAR;
    return DAE_OK;
}

dae_status impulse_apply(const constraint_levels *levels, double t, const impulse_given *given,
                         double *z, impulse_fault *fault, size_t *row)
{
    *fault = IMPULSE_DEEP;
    if (levels->count < 2) return DAE_OK;
    impulse p = {.l = levels, .number = levels->count - 2, .t = t, .given = given->count};
    p.last = &levels->level[levels->count - 1];
    p.level = &levels->level[p.number];
    if (!p.level->last_row) return DAE_OK;
    dae_status status = create(&p);
    if (status == DAE_OK) status = apply(&p, given, z, fault, row);
    linear_solver_free(p.solver);
    workspace_free(&p.space);
    return impulse_end(status, fault);
}
