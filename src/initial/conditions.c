/* Comparison of the conditions that a start was given with those that it needs. */
#include "initial/consistent.h"

#include "base/round_off.h"
#include "base/scatter.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 20 }; /* values, or fixed variables, in a note */

/* How far beside the start the rank is looked at, in sizes of the entries. */
static const double BESIDE = 1e-3;

/* Whether a value is the start value, up to round-off. */
static bool is_start_value(const reduced_start *r, size_t entry)
{
    const start_system *s = r->s;
    double start = s->start ? s->start[entry] : s->guess[entry];
    return fabs(r->z[entry] - start) <= ROUND_OFF_ITERATED * fmax(fabs(start), s->nominal[entry]);
}

/* Choose columns that determine all others, among those that no condition fixes. */
static dae_status choose_open(reduced_start *r, size_t *chosen)
{
    double *preference = r->saved_x;
    for (size_t j = 0; j < r->system.columns; j++) preference[j] = r->s->preference[r->entry[j]];
    return min_norm_free_columns(r->solver->linear, preference, chosen);
}

/* Fail, because values may be chosen only where they are known to be free. */
static dae_status fail_incomplete(const char *open, message *m)
{
    return message_fail(m, DAE_NO_START,
                        "no consistent initial values found: all conditions are met with %s, but "
                        "the equations hide constraints that were not determined and may demand "
                        "other values\n  remedy: if these values are free, set fixed = true or add "
                        "initial equations; otherwise write down the hidden constraints, which "
                        "follow from the equations by differentiation",
                        open);
}

static int by_number(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Name the variables that no condition fixes, and for which start values, or values near them, were
 * used. Derivatives that nothing determines are left out, because the author cannot give them. */
static dae_status note_freedom(reduced_start *r, message *m, initial_result *result)
{
    const start_system *s = r->s;
    size_t open = r->system.columns - min_norm_rank(r->solver->linear), named = 0;
    size_t *chosen = calloc(open + 1, sizeof *chosen);
    dae_status status = chosen ? choose_open(r, chosen) : DAE_NO_MEMORY;
    text list = {0};
    bool kept = true;
    if (status == DAE_SINGULAR) { /* they are not known */
        free(chosen);
        return DAE_OK;
    }
    for (size_t k = 0; s->taken && k < s->size; k++) s->taken[k] = false;
    for (size_t k = 0; status == DAE_OK && k < open; k++) chosen[k] = r->entry[chosen[k]];
    if (status == DAE_OK) qsort(chosen, open, sizeof *chosen, by_number);
    for (size_t k = 0; status == DAE_OK && k < open; k++) {
        size_t entry = chosen[k];
        bool elsewhere = s->settled_elsewhere && s->differentiated && !s->differentiated[entry];
        if (!s->variable[entry] || elsewhere) continue;
        if (named++ < MOST_NAMED) {
            text_add(&list, named > 1 ? ", " : "");
            s->form->name_entry(s->self, entry, &list);
            text_format(&list, " = %.6g", start_shown_value(s, entry, r->z[entry]));
        }
        kept = kept && is_start_value(r, entry);
        if (s->taken) s->taken[entry] = true;
    }
    if (named > MOST_NAMED) text_format(&list, " and %zu more", named - MOST_NAMED);
    const char *plural = named == 1 ? "" : "s", *are = named == 1 ? " is" : "s are";
    if (named > 0 && s->incomplete)
        status = fail_incomplete(text_string(&list), m);
    else if (named > 0 && kept)
        message_note(m, "%zu start condition%s missing; the start value%s used: %s", named, are,
                     are, text_string(&list));
    else if (named > 0)
        message_note(m,
                     "%zu start condition%s missing; the value%s nearest to the start value%s%s "
                     "used: %s",
                     named, are, plural, plural, named == 1 ? " is" : " are", text_string(&list));
    result->free = named;
    text_free(&list);
    free(chosen);
    return status;
}

/* The rank of the equations alone, with nothing fixed: SIZE_MAX if it is not known. */
static dae_status rank_of_equations(reduced_start *r, size_t *rank)
{
    const start_system *s = r->s;
    reduced_start *bare = NULL;
    *rank = SIZE_MAX;
    dae_status status = reduced_start_create(&bare, s, r->t, s->equations, true);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < s->size; j++) {
        bare->x[j] = r->z[j];
        bare->weight[j] = fmax(bare->nominal[j], fabs(r->z[j]));
    }
    status = gauss_newton_look(bare->solver, bare->x, bare->weight);
    if (status == DAE_OK && min_norm_knows_rank(bare->solver->linear))
        *rank = min_norm_rank(bare->solver->linear);
    reduced_start_free(bare);
    return status;
}

static void list_conditions(reduced_start *r, text *list)
{
    const start_system *s = r->s;
    size_t named = 0, initials = s->rows - s->equations;
    for (size_t j = 0; j < s->size; j++) {
        if (!s->fixed[j]) continue;
        if (named == MOST_NAMED) text_add(list, ", ...");
        if (named++ >= MOST_NAMED) break;
        text_add(list, named > 1 ? ", " : "fixed: ");
        s->form->name_entry(s->self, j, list);
    }
    if (initials)
        text_format(list, "%s%zu initial equation%s", list->length ? " and " : "", initials,
                    initials == 1 ? "" : "s");
}

/* The rank beside the start. A law may be flat there, such as q*abs(q) at q = 0; then conditions
 * look redundant at the start alone. The rank at the start where there are no values beside it. */
static dae_status rank_beside(reduced_start *r, size_t at_start, size_t *rank)
{
    for (size_t j = 0; j < r->system.columns; j++)
        r->spread[j] = r->x[j] + BESIDE * (0.5 + scattered(j)) * fmax(r->nominal[j], fabs(r->x[j]));
    dae_status status = gauss_newton_look(r->solver, r->spread, r->weight);
    *rank = status == DAE_OK ? min_norm_rank(r->solver->linear) : at_start;
    if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    return gauss_newton_look(r->solver, r->x, r->weight);
}

static void tell_redundancy(reduced_start *r, size_t count, message *m)
{
    const start_system *s = r->s;
    text list = {0}, told = {0}, *to = s->redundancy ? s->redundancy : &told;
    list_conditions(r, &list);
    text_clear(to);
    text_format(to, "%zu start condition%s more than the degrees of freedom, but consistent (%s)",
                count, count == 1 ? "" : "s", text_string(&list));
    if (!s->redundancy) message_note(m, "%s", text_string(to));
    text_free(&list);
    text_free(&told);
}

/* Note conditions that take no freedom away. Rows of the equations that follow from others are not
 * reported, because they are not the author's; a derivative array has many such rows. */
static dae_status note_redundancy(reduced_start *r, message *m, initial_result *result)
{
    const start_system *s = r->s;
    size_t initials = s->rows - s->equations, rank = min_norm_rank(r->solver->linear), own, beside;
    bool conditions = initials > 0 || r->system.columns < s->size;
    if (r->system.rows == rank || !conditions) return DAE_OK;
    dae_status status = rank_of_equations(r, &own);
    if (status != DAE_OK || own == SIZE_MAX || initials + own <= rank) return status;
    status = rank_beside(r, rank, &beside);
    if (status != DAE_OK || initials + own <= beside) return status;
    result->redundant = initials + own - beside;
    tell_redundancy(r, result->redundant, m);
    return DAE_OK;
}

/* Called if conditions seem to be missing while others seem redundant. Units alone can make rows
 * look dependent, so the rank is also found with balanced weights. */
static dae_status look_sharply(reduced_start *r)
{
    size_t bytes = r->system.columns * sizeof *r->weight, rank = min_norm_rank(r->solver->linear);
    memcpy(r->saved_weight, r->weight, bytes);
    reduced_start_weigh(r, WEIGHTS_BY_SIZE);
    memcpy(r->saved_x, r->weight, bytes);
    reduced_start_weigh(r, WEIGHTS_BY_LOGARITHMS);
    dae_status status = gauss_newton_look(r->solver, r->x, r->weight);
    if (status == DAE_OK && min_norm_rank(r->solver->linear) <= rank)
        status = gauss_newton_look(r->solver, r->x, r->saved_x);
    if (status == DAE_OK && reduced_start_hides_rows(r)) terms_find_sharp_rank(r);
    memcpy(r->weight, r->saved_weight, bytes);
    return status;
}

dae_status conditions_note(reduced_start *r, message *m, initial_result *result)
{
    size_t columns = r->system.columns;
    double *size = r->saved_x;
    for (size_t j = 0; j < columns; j++) size[j] = fmax(r->nominal[j], fabs(r->x[j]));
    dae_status status = gauss_newton_look(r->solver, r->x, size);
    if (status == DAE_OK && reduced_start_hides_rows(r)) status = look_sharply(r);
    if (status == DAE_OK && min_norm_rank(r->solver->linear) < columns)
        status = note_freedom(r, m, result);
    return status == DAE_OK ? note_redundancy(r, m, result) : status;
}
