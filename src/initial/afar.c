#include "initial/afar.h"

#include "base/scatter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* By so much of the sizes of guesses, each with some iterations without damping and with none. */
static const double DISTANCE[] = {0, 1, 1, 3, 3, 10, 10, 30};

enum { TRIALS = 2 * sizeof DISTANCE / sizeof *DISTANCE, UNDAMPED = 30, MOST_ITERATIONS = 300 };

/* z moves by whole corrections, as long as there are values. */
static void go_undamped(reduced_start *r)
{
    gauss_newton *solver = r->solver;
    size_t columns = r->system.columns;
    for (size_t j = 0; j < columns; j++) r->x[j] = r->z[r->entry[j]];
    double *good = solver->trial; /* which looking leaves alone */
    memcpy(good, r->x, columns * sizeof *good);
    for (int i = 0; i < UNDAMPED; i++) {
        if (gauss_newton_look(solver, r->x, r->weight) != DAE_OK) break;
        memcpy(good, r->x, columns * sizeof *good);
        min_norm_solve(solver->linear, solver->residual, solver->step);
        for (size_t j = 0; j < columns; j++) r->x[j] += solver->step[j];
    }
    for (size_t j = 0; j < columns; j++) r->z[r->entry[j]] = good[j];
}

static bool meets_from(reduced_start *r, size_t trial, double *violation)
{
    const start_system *s = r->s;
    double distance = DISTANCE[trial / 2];
    for (size_t j = 0; j < s->size; j++) {
        double size = fmax(fabs(s->guess[j]), s->nominal[j]);
        double move = distance * size * scattered(trial * s->size + j);
        bool state = s->given[j] && s->differentiated && s->differentiated[j];
        r->z[j] = s->fixed[j] || state ? s->guess[j] : s->guess[j] + move;
    }
    if (trial % 2 == 0) go_undamped(r);
    if (reduced_start_solve(r, MOST_ITERATIONS) != DAE_OK) return false;
    double worst = reduced_start_violation(r, violation);
    return worst <= INITIAL_TOLERANCE ||
           (worst <= INITIAL_ROUND_OFF && reduced_start_is_round_off(r));
}

static void note_distance(const reduced_start *r, message *m)
{
    static const double FAR = 0.1;
    const start_system *s = r->s;
    size_t most = s->size;
    double longest = FAR;
    for (size_t j = 0; j < s->size; j++) {
        double size = fmax(fabs(s->guess[j]), s->nominal[j]);
        double way = s->given[j] && !s->fixed[j] ? fabs(r->z[j] - s->guess[j]) / size : 0;
        if (way > longest) most = j, longest = way;
    }
    if (most == s->size) return;
    text name = {0};
    s->form->name_entry(s->self, most, &name);
    message_note(m,
                 "no solution was found near the start values; the run begins at one far from "
                 "them, %s = %.6g instead of %.6g",
                 text_string(&name), r->z[most], s->guess[most]);
    text_free(&name);
}

dae_status initial_from_afar(reduced_start *r, double *violation, bool *found, message *m)
{
    size_t size = r->s->size;
    double *before = malloc((size + 1) * sizeof *before);
    *found = false;
    if (!before) return DAE_NO_MEMORY;
    memcpy(before, r->z, size * sizeof *before);
    for (size_t trial = 0; trial < TRIALS && !*found; trial++)
        *found = meets_from(r, trial, violation);
    if (*found)
        note_distance(r, m);
    else
        memcpy(r->z, before, size * sizeof *before);
    free(before);
    return DAE_OK;
}
