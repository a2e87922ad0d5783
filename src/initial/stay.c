#include "initial/stay.h"

#include "initial/terms.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 12 };

typedef struct staying {
    reduced_start *r, *rest; /* with what is to stay held */
    start_system held;
    bool *fixed;
} staying;

static bool begin(staying *y, bool all)
{
    reduced_start *r = y->r;
    const start_system *s = r->s;
    bool any = false;
    y->fixed = malloc((s->size + 1) * sizeof *y->fixed);
    if (!y->fixed) return false;
    for (size_t j = 0; j < s->size; j++) {
        bool state = all && s->differentiated && s->differentiated[j];
        y->fixed[j] = s->fixed[j] || (s->variable[j] && (s->given[j] || state));
        any = any || (y->fixed[j] && !s->fixed[j] && (!all || !s->given[j]));
    }
    y->held = *s;
    y->held.fixed = y->fixed;
    if (!any || reduced_start_create(&y->rest, &y->held, r->t, s->rows, false) != DAE_OK)
        return false;
    y->rest->exact_time = true;
    return true;
}

/* Round-off of terms that are 0 is nothing: a row is met as well where it misses no more than
 * rounding makes of what is as large as its nominal, unless that is much of its terms. */
static bool is_met(reduced_start *rest)
{
    static const double EXACT = 4 * DBL_EPSILON;
    double *violation = malloc((rest->s->rows + 1) * sizeof *violation);
    bool exact = violation && reduced_start_violation(rest, violation) <= EXACT;
    bool met = (exact && terms_are_met_as_they_are(rest)) || reduced_start_is_round_off(rest);
    free(violation);
    return met;
}

/* Among derivatives whose sizes nobody gave some rows look as if they depended on others: then with
 * weights that hide fewer rows. */
static bool is_met_otherwise(reduced_start *rest)
{
    for (int by = 0; by < START_WEIGHTS && reduced_start_hides_rows(rest); by++) {
        reduced_start_weigh(rest, by);
        if (reduced_start_solve(rest, MOST_ITERATIONS) == DAE_OK && is_met(rest)) return true;
    }
    return false;
}

static bool stays(staying *y)
{
    reduced_start *r = y->r, *rest = y->rest;
    if (reduced_start_solve(rest, MOST_ITERATIONS) != DAE_OK) return false;
    for (size_t j = 0; j < r->s->size; j++)
        r->beside[j] = r->s->variable[j] ? r->s->guess[j] : rest->z[j];
    r->near = true;
    return is_met(rest) || is_met_otherwise(rest);
}

static bool try_to_stay(reduced_start *r, bool all)
{
    staying y = {.r = r};
    bool found = begin(&y, all) && stays(&y);
    if (y.rest && y.rest->missing) r->missing = true;
    if (found) memcpy(r->z, y.rest->z, r->s->size * sizeof *r->z);
    reduced_start_free(y.rest);
    free(y.fixed);
    return found;
}

bool start_stays(reduced_start *r)
{
    return try_to_stay(r, true) || try_to_stay(r, false);
}
