/* The equations while states move within a short time eps, expanded by powers of eps.
 *
 * With t = t0 + eps s, what has weight w begins with eps^-w, and each leaf of the equations is a
 * Laurent polynomial in eps, whose coefficients are variables. Expressions of them are expanded by
 * Cauchy products and, where their arguments have no negative powers, by Taylor's formula; total
 * derivatives by eps are those that the graph forms by time. */
#include "formulation/prolonged_levels.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

/* Variables of the expansion, which no system has: the coefficient of eps^(q - depth) of entry e is
 * the q-th derivative of COEFFICIENT + e, those of time stand after; arguments of a function that
 * is being expanded. */
static const uint32_t COEFFICIENT = 1U << 29, ARGUMENT = 1U << 30;

/* The most powers of 1/eps; deeper jumps are not expanded. */
enum { MOST_DEPTH = 6, MOST_POWERS = 2 * MOST_DEPTH };

struct prolonged_fast {
    fast_equations equations;
    unsigned *column_weight; /* n */
    unsigned *weight;
    sym_tape **rows; /* depth + 1: by power */
    double *input;
};

/* --- weights --- */

typedef struct weighing {
    const prolongation *p;
    const unsigned *column; /* n: of highest derivatives */
} weighing;

static unsigned weight_of(const prolongation *p, const unsigned *column, size_t j, uint32_t order)
{
    uint32_t below = p->d[j] - order;
    return column[j] > below ? column[j] - below : 0;
}

static double largest(uint32_t from, const sym_view *v, const double *argument)
{
    double most = 0;
    for (uint32_t i = from; i < v->count; i++) most = fmax(most, argument[i]);
    return most;
}

/* The weight of a node by those of its arguments; infinite: it has no expansion. */
static double weigh(void *context, sym node, const sym_view *v, const double *argument)
{
    (void)node;
    const weighing *w = context;
    double sum = 0;
    if (v->op == SYM_VARIABLE) {
        size_t j = w->p->column_of[v->id];
        return v->order > w->p->d[j] ? HUGE_VAL : weight_of(w->p, w->column, j, v->order);
    }
    if (v->op >= SYM_LESS && v->op <= SYM_NOT) return 0;
    if (v->op == SYM_SUM) return largest(0, v, argument);
    if (v->op == SYM_IF) return largest(1, v, argument);
    if (v->op != SYM_PRODUCT) return largest(0, v, argument) > 0 ? HUGE_VAL : 0;
    for (uint32_t i = 0; i < v->count; i++) {
        double power = sym_value(w->p->g, v->factor[i]);
        if (argument[i] == 0) continue;
        sum += power > 0 && power == floor(power) ? power * argument[i] : HUGE_VAL;
    }
    return sum;
}

static sym row_of(const prolongation *p, size_t i)
{
    return p->row[p->first_row[i] + p->c[i]];
}

/* Weights of the highest derivatives, such that each row balances those that it moves. Returns
 * false if a row has no expansion. */
static bool find_weights(const prolongation *p, const unsigned *forced, const bool *moves,
                         unsigned *column)
{
    weighing w = {p, column};
    memset(column, 0, p->n * sizeof *column);
    for (bool rises = true; rises;) {
        rises = false;
        for (size_t i = 0; i < p->n; i++) {
            double weight = fmax(forced[i], sym_fold(p->g, row_of(p, i), weigh, &w));
            if (weight > MOST_DEPTH) return false;
            for (size_t j = 0; j < p->n; j++) {
                if (!moves[i * p->n + j] || column[j] >= weight) continue;
                column[j] = (unsigned)weight;
                rises = true;
            }
        }
    }
    return true;
}

/* --- expansions --- */

/* c[q]: of eps^(q - depth). Those from `known` on are not known. */
typedef struct laurent {
    sym c[MOST_POWERS];
    size_t known;
} laurent;

typedef struct expansion {
    const prolongation *p;
    sym_graph *g;
    const unsigned *column; /* n: weights of highest derivatives */
    const bool *knows;      /* n: they are known at eps^0, too */
    size_t depth;
    size_t count; /* of nodes */
    const sym *node;
    laurent *of;
} expansion;

static laurent constant(const expansion *x, sym value)
{
    laurent r = {.known = 2 * x->depth};
    for (size_t q = 0; q < r.known; q++) r.c[q] = sym_number(x->g, 0);
    r.c[x->depth] = value;
    return r;
}

static laurent leaf(const expansion *x, const sym_view *v)
{
    const prolongation *p = x->p;
    size_t j = p->column_of[v->id], below = p->d[j] - v->order + x->knows[j];
    uint32_t entry = (uint32_t)(p->first[j] + v->order);
    laurent r = constant(x, sym_number(x->g, 0));
    r.known = x->depth + (below < x->depth ? below : x->depth);
    for (size_t q = x->depth - weight_of(p, x->column, j, v->order); q < r.known; q++)
        r.c[q] = sym_variable(x->g, COEFFICIENT + entry, (uint32_t)q);
    return r;
}

static laurent time_leaf(const expansion *x)
{
    uint32_t id = COEFFICIENT + (uint32_t)x->p->size;
    laurent r = constant(x, sym_variable(x->g, id, 0));
    if (x->depth > 1) r.c[x->depth + 1] = sym_variable(x->g, id, 1);
    return r;
}

static const laurent *argument_of(const expansion *x, const sym_view *v, uint32_t i)
{
    return &x->of[sym_place(x->count, x->node, v->argument[i])];
}

static laurent sum_of(const expansion *x, const sym_view *v)
{
    laurent r = constant(x, sym_sum(x->g, v->value, 0, NULL, NULL));
    for (uint32_t i = 0; i < v->count; i++) {
        const laurent *a = argument_of(x, v, i);
        if (a->known < r.known) r.known = a->known;
        for (size_t q = 0; q < r.known; q++)
            r.c[q] = sym_add(x->g, r.c[q], sym_scale(x->g, v->factor[i], a->c[q]));
    }
    return r;
}

static size_t lowest(const expansion *x, const laurent *a)
{
    size_t q = 0;
    while (q < a->known && sym_is(x->g, a->c[q], 0)) q++;
    return q;
}

/* Cauchy's product. */
static laurent times(const expansion *x, const laurent *a, const laurent *b)
{
    size_t low_a = lowest(x, a), low_b = lowest(x, b), all = 2 * x->depth;
    laurent r = constant(x, sym_number(x->g, 0));
    size_t known = low_a + b->known < low_b + a->known ? low_a + b->known : low_b + a->known;
    known = known < x->depth ? 0 : known - x->depth;
    r.known = known < all ? known : all;
    for (size_t i = low_a; i < a->known; i++) {
        for (size_t k = low_b; k < b->known; k++) {
            if (i + k < x->depth || i + k - x->depth >= r.known) continue;
            size_t q = i + k - x->depth;
            r.c[q] = sym_add(x->g, r.c[q], sym_multiply(x->g, a->c[i], b->c[k]));
        }
    }
    return r;
}

typedef struct taylor {
    const expansion *x;
    const laurent *argument[3];
} taylor;

/* The m-th derivative by eps of an argument. */
static sym derivative_of(void *context, sym node)
{
    const taylor *t = context;
    sym_view v = sym_look(t->x->g, node);
    double factorial = 1;
    if (v.op != SYM_VARIABLE || v.id < ARGUMENT) return node;
    for (uint32_t i = 2; i <= v.order; i++) factorial *= i;
    return sym_scale(t->x->g, factorial, t->argument[v.id - ARGUMENT]->c[t->x->depth + v.order]);
}

/* A function of arguments without negative powers: f stands for it, of ARGUMENT, ... */
static laurent expand(const expansion *x, sym f, uint32_t count, const laurent *const *argument)
{
    laurent r = constant(x, sym_number(x->g, 0));
    taylor t = {.x = x};
    double factorial = 1;
    for (uint32_t i = 0; i < count; i++) {
        t.argument[i] = argument[i];
        if (argument[i]->known < r.known) r.known = argument[i]->known;
    }
    for (size_t m = 0; x->depth + m < r.known; m++) {
        sym value = f;
        sym_substitute(x->g, 1, &value, derivative_of, &t);
        r.c[x->depth + m] = sym_scale(x->g, 1 / factorial, value);
        if (x->depth + m + 1 < r.known) f = sym_time_derivative(x->g, f);
        factorial *= (double)(m + 1);
    }
    return r;
}

static laurent product_of(const expansion *x, const sym_view *v)
{
    laurent r = constant(x, sym_number(x->g, 1));
    for (uint32_t i = 0; i < v->count; i++) {
        const laurent *a = argument_of(x, v, i);
        double power = sym_value(x->g, v->factor[i]);
        laurent one = *a;
        if (lowest(x, a) < x->depth) {
            for (double k = 1; k < power; k++) one = times(x, &one, a);
        } else if (power != 1) {
            sym f = sym_power_number(x->g, sym_variable(x->g, ARGUMENT, 0), power);
            one = expand(x, f, 1, &a);
        }
        r = times(x, &r, &one);
    }
    return r;
}

static laurent pieces_of(const expansion *x, const sym_view *v)
{
    const laurent *yes = argument_of(x, v, 1), *no = argument_of(x, v, 2);
    laurent r = *yes;
    if (no->known < r.known) r.known = no->known;
    for (size_t q = 0; q < r.known; q++) r.c[q] = sym_if(x->g, v->argument[0], yes->c[q], no->c[q]);
    return r;
}

static laurent function_of(const expansion *x, sym node, const sym_view *v)
{
    sym argument[3] = {SYM_NONE, SYM_NONE, SYM_NONE};
    const laurent *of[3];
    for (uint32_t i = 0; i < v->count && i < 3; i++) {
        argument[i] = sym_variable(x->g, ARGUMENT + i, 0);
        of[i] = argument_of(x, v, i);
    }
    return expand(x, sym_rebuild(x->g, node, argument), v->count, of);
}

static laurent expansion_of(const expansion *x, sym node)
{
    sym_view v = sym_look(x->g, node);
    switch (v.op) {
    case SYM_TIME: return time_leaf(x);
    case SYM_VARIABLE: return leaf(x, &v);
    case SYM_SUM: return sum_of(x, &v);
    case SYM_PRODUCT: return product_of(x, &v);
    case SYM_IF: return pieces_of(x, &v);
    default: break;
    }
    laurent r = constant(x, node);
    if (v.op == SYM_INPUT) r.known = x->depth + 1; /* what it does within eps is not known */
    bool leaf = v.op == SYM_CONSTANT || v.op == SYM_CELL || v.op == SYM_INPUT;
    bool condition = v.op >= SYM_LESS && v.op <= SYM_NOT;
    return leaf || condition ? r : function_of(x, node, &v);
}

/* --- the tapes --- */

typedef struct slots {
    const prolongation *p;
    size_t depth;
} slots;

/* The input: t0, s, then z, by which pieces are chosen, then the coefficients by powers. */
static size_t slot(void *context, const sym_view *v)
{
    const slots *s = context;
    if (v->op == SYM_TIME) return 0;
    if (v->id < COEFFICIENT) return 2 + s->p->first[s->p->column_of[v->id]] + v->order;
    size_t entry = v->id - COEFFICIENT;
    return entry == s->p->size ? v->order : 2 + s->p->size * (1 + v->order) + entry;
}

/* The expansions of all rows: row[q * n + i]. Those that are not known at eps^0 leave what they
 * move unknown there. Returns whether one has become so that was not; *known: no power below is
 * missing. */
static bool expand_rows(expansion *x, const bool *moves, bool *knows, bool *tells, sym *row,
                        bool *known)
{
    const prolongation *p = x->p;
    bool changed = false;
    *known = true;
    for (size_t i = 0; i < p->n; i++) {
        sym root = row_of(p, i);
        x->count = sym_keep_reached(x->g, 1, &root, &x->node);
        x->of = arena_array(sym_graph_arena(x->g), x->count, sizeof *x->of);
        for (size_t k = 0; k < x->count; k++) x->of[k] = expansion_of(x, x->node[k]);
        const laurent *of = &x->of[x->count - 1];
        for (size_t q = 0; q <= x->depth; q++)
            row[q * p->n + i] = q < of->known ? of->c[q] : sym_number(x->g, 0);
        *known = *known && of->known >= x->depth;
        if (of->known > x->depth || !tells[i]) continue;
        tells[i] = false;
        changed = true;
        for (size_t j = 0; j < p->n; j++) knows[j] = knows[j] && !moves[i * p->n + j];
    }
    return changed;
}

static bool compile(arena *a, const prolongation *p, const bool *moves, prolonged_fast *f)
{
    size_t depth = f->equations.depth, n = p->n, inputs = 2 + p->size * (1 + 2 * depth);
    bool *knows = arena_array(a, n, sizeof *knows), *tells = arena_array(a, n, sizeof *tells);
    bool known;
    sym *row = arena_array(a, n * (depth + 1), sizeof *row);
    expansion x = {.p = p, .g = p->g, .column = f->column_weight, .knows = knows, .depth = depth};
    for (size_t i = 0; i < n; i++) knows[i] = tells[i] = true;
    while (expand_rows(&x, moves, knows, tells, row, &known)) continue;
    if (!known) return false;
    slots s = {p, depth};
    f->equations.tells = tells;
    f->rows = arena_array(a, depth + 1, sizeof *f->rows);
    for (size_t q = 0; q <= depth; q++)
        f->rows[q] = sym_tape_compile(a, p->g, n, row + q * n, inputs, slot, &s);
    f->input = arena_array(a, inputs, sizeof *f->input);
    return true;
}

typedef struct forming {
    prolonged_levels *l;
    const unsigned *forced;
    const bool *moves;
    bool formed;
} forming;

static void form(void *argument)
{
    forming *b = argument;
    const prolongation *p = b->l->f->p;
    arena *a = sym_graph_arena(p->g);
    unsigned *column = arena_array(a, p->n, sizeof *column);
    if (!find_weights(p, b->forced, b->moves, column)) return;
    prolonged_fast *f = b->l->fast;
    b->formed = true;
    if (f && memcmp(f->column_weight, column, p->n * sizeof *column) == 0) return;
    b->formed = false;
    f = arena_take(a, sizeof *f);
    f->column_weight = column;
    f->weight = arena_array(a, p->size, sizeof *f->weight);
    for (size_t j = 0; j < p->n; j++) {
        if (column[j] > f->equations.depth) f->equations.depth = column[j];
        for (uint32_t k = 0; k <= p->d[j]; k++)
            f->weight[p->first[j] + k] = weight_of(p, column, j, k);
    }
    f->equations.first = p->first;
    f->equations.weight = f->weight;
    b->formed = f->equations.depth > 0 && compile(a, p, b->moves, f);
    if (b->formed) b->l->fast = f;
}

dae_status prolonged_fast_equations(prolonged_levels *l, const unsigned *forced, const bool *moves,
                                    const fast_equations **found)
{
    forming b = {.l = l, .forced = forced, .moves = moves};
    if (arena_protect(sym_graph_arena(l->f->p->g), form, &b) != DAE_OK) return DAE_NO_MEMORY;
    if (!b.formed) return DAE_SINGULAR;
    *found = &l->fast->equations;
    return DAE_OK;
}

void prolonged_fast_rows(prolonged_levels *l, size_t power, double t, double s, const double *z,
                         const double *coefficient, double *row)
{
    prolonged_fast *f = l->fast;
    size_t size = l->f->p->size;
    f->input[0] = t;
    f->input[1] = s;
    memcpy(f->input + 2, z, size * sizeof *z);
    memcpy(f->input + 2 + size, coefficient, 2 * f->equations.depth * size * sizeof *z);
    sym_tape_eval(f->rows[power], f->input, row);
}
