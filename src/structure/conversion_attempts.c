/* Converts in several ways, and takes the best of them. */
#include "structure/conversion_parts.h"
#include "symbolic/domain.h"

#include <math.h>
#include <string.h>

/* In parts of up to so many equations all pairs are looked at, and more ways are tried. */
enum { SMALL = 24 };

/* Whether equations are differentiated less: the most often, then in total. */
static bool is_less(const signature *a, const signature *b)
{
    return a->index < b->index ||
           (a->index == b->index && a->differentiations < b->differentiations);
}

/* The least part of their values beside the point that divisors have at the point itself. */
static double distance_from_zero(const conversion *v, size_t count, const sym *by)
{
    double *value = arena_array(v->a, SAMPLES * count, sizeof *value), least = HUGE_VAL;
    if (!conversion_look(v, count, by, value)) return 0;
    for (size_t k = 0; k < count; k++) {
        double most = 0;
        for (size_t s = 0; s < SAMPLES; s++) most = fmax(most, fabs(value[s * count + k]));
        least = fmin(least, most > 0 ? fabs(value[k]) / most : 0);
    }
    return least;
}

/* One way of converting, and what it has led to. */
typedef struct attempt {
    long replaced; /* residuals; 0: J is regular as it is; -1: there is no such conversion */
    const signature *s;
    sym *residual;     /* 2 n */
    LIST(sym) divisor; /* that the given residuals do not have */
    double from_zero;  /* see distance_from_zero() */
} attempt;

static void add_divisor(conversion *v, attempt *a, sym by)
{
    for (size_t k = 0; k < a->divisor.count; k++)
        if (a->divisor.item[k] == by) return;
    list_push(v->a, &a->divisor, by);
}

/* Divisors, and what must not vanish where residuals were freed of divisors. */
static void find_divisors(conversion *v, const sym *given, attempt *a)
{
    const sym_domain_limit *limit;
    size_t count = sym_domain_limits(v->g, v->n, a->residual, v->n, given, &limit);
    for (size_t k = 0; k < count; k++)
        if (limit[k].exponent < 0) add_divisor(v, a, limit[k].argument);
    for (size_t k = 0; k < v->freed.count; k++) add_divisor(v, a, v->freed.item[k]);
    a->from_zero = distance_from_zero(v, a->divisor.count, a->divisor.item);
}

typedef enum attempt_kind { AT_ONCE, AFTER_NUMBERS, AFTER_EXPRESSIONS } attempt_kind;

/* Convert, at once or after algebraic equations have been laid bare. */
static attempt attempt_of(conversion *v, const sym *given, attempt_kind kind)
{
    size_t size = 2 * v->n * sizeof *given;
    attempt a = {.replaced = -1};
    memcpy(v->core->residual, given, size);
    v->switches = false;
    v->freed.count = 0;
    long bared = kind == AT_ONCE ? 0 : conversion_bare_algebraic(v, kind == AFTER_NUMBERS);
    if (kind == AT_ONCE || bared > 0) a.replaced = conversion_until_regular(v);
    if (a.replaced < 0) return a;
    a.replaced += bared;
    a.s = v->s;
    a.residual = arena_duplicate(v->a, v->core->residual, 2 * v->n, sizeof *given);
    find_divisors(v, given, &a);
    return a;
}

/* Whether the structure leaves fewer degrees of freedom. It never leaves fewer than there are, so
 * that one of two equivalent systems misleads that leaves more: its J is singular, perhaps on
 * solutions alone. Where unknowns count as known, those of others may be needed instead. */
static bool has_less_freedom(const conversion *v, const attempt *a, const attempt *than)
{
    return v->core->known == 0 && a->s->freedom < than->s->freedom;
}

/* Whether an attempt is better than one that was made before. One is if it divides by nothing near
 * zero; otherwise if it needs less effort. Factors that are expressions may vanish later; they are
 * only preferred if they avoid an index above 2. */
static bool is_better(const conversion *v, const attempt *a, attempt_kind kind,
                      const attempt *before)
{
    if (a->replaced < 0 || before->replaced < 0) return a->replaced > 0;
    if (has_less_freedom(v, a, before) || has_less_freedom(v, before, a))
        return a->s->freedom < before->s->freedom;
    if (before->replaced == 0) return false;
    bool is_near = a->from_zero < CONVERSION_NEAR_ZERO,
         was_near = before->from_zero < CONVERSION_NEAR_ZERO;
    if (is_near && was_near) return a->from_zero > before->from_zero;
    if (is_near || was_near) return was_near;
    bool spares = before->s->index > 2 && a->s->index < before->s->index;
    return kind == AFTER_EXPRESSIONS ? spares : is_less(a->s, before->s);
}

/* Find the best conversion. The structure may ask for more derivatives than needed, even if J is
 * regular, so further attempts start with algebraic equations laid bare. */
static attempt find_best(conversion *v, const sym *given)
{
    attempt best = attempt_of(v, given, AT_ONCE);
    if (best.replaced == 0 && (v->n > SMALL || v->core->known > 0)) return best;
    for (attempt_kind kind = AFTER_NUMBERS; kind <= AFTER_EXPRESSIONS; kind++) {
        attempt next = attempt_of(v, given, kind);
        if (is_better(v, &next, kind, &best)) best = next;
    }
    return best;
}

/* Whether combinations that were freed of divisors are better than those with divisors. */
static bool is_better_freed(const attempt *freed, const attempt *divided)
{
    if (freed->replaced <= 0) return false;
    if (freed->from_zero < CONVERSION_NEAR_ZERO && freed->from_zero < divided->from_zero)
        return false;
    return !is_less(freed->s, divided->s) && !is_less(divided->s, freed->s);
}

/* The best conversion, with the best of what can be freed of divisors. */
static attempt find_best_turned(conversion *v, const sym *given)
{
    v->turns = false;
    attempt best = find_best(v, given);
    if (best.replaced <= 0 || best.divisor.count == 0) return best;
    v->turns = true;
    attempt freed = find_best(v, given);
    v->turns = false;
    return is_better_freed(&freed, &best) ? freed : best;
}

/* Whether combinations of simpler equations are better: if they leave less freedom, or divide by
 * nothing at all. */
static bool is_better_sparse(const conversion *v, const attempt *sparse, const attempt *given)
{
    if (sparse->replaced < 0 || given->replaced < 0) return sparse->replaced >= 0;
    if (has_less_freedom(v, sparse, given) || has_less_freedom(v, given, sparse))
        return sparse->s->freedom < given->s->freedom;
    return !is_less(given->s, sparse->s) && sparse->divisor.count == 0 && given->divisor.count > 0;
}

long conversion_take_best(conversion *v, const sym *given)
{
    explicit_core *core = v->core;
    attempt best = find_best_turned(v, given);
    memcpy(core->residual, given, 2 * v->n * sizeof *given);
    bool asks = best.replaced < 0 || best.divisor.count > 0 || core->known == 0;
    long simpler = asks && v->n <= SMALL ? conversion_sparsify(v) : 0;
    sym *sparse = arena_duplicate(v->a, core->residual, 2 * v->n, sizeof *sparse);
    attempt other = {.replaced = -1};
    if (simpler > 0) other = find_best_turned(v, sparse);
    if (is_better_sparse(v, &other, &best)) best = other, best.replaced += simpler;
    if (best.replaced <= 0) return 0;
    memcpy(core->residual, best.residual, 2 * v->n * sizeof *given);
    core->divisors = best.divisor.count;
    core->divisor = best.divisor.item;
    return best.replaced;
}
