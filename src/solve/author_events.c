#include "solve/author_events.h"

#include "base/round_off.h"

#include <math.h>
#include <string.h>

/* A callback that returned this: DAE_STOPPED, or DAE_NOT_EVALUABLE with its message. */
static dae_status refused(const author_events *a, const char *name, double t, int code)
{
    if (code < 0) {
        stop_ask(a->simulation->stop, name, code);
        return DAE_STOPPED;
    }
    return message_fail(a->simulation->solver.message, DAE_NOT_EVALUABLE,
                        "at t = %.9g the callback %s cannot be evaluated (it returned %d)", t, name,
                        code);
}

static void name_root(const void *self, size_t k, text *t)
{
    const dae_about *about = ((const author_events *)self)->about;
    if (about->root_name)
        text_add(t, about->root_name[k]);
    else
        text_format(t, "root %zu", k + 1);
}

/* The author's functions may have moved what others share. */
static dae_status author_roots(void *self, double t, const double *y, const double *yp,
                               double *value)
{
    author_events *a = self;
    simulation *c = a->simulation;
    if (stop_is_asked(c->stop)) return DAE_STOPPED;
    dae_status status = a->way->state(c, t, y, yp, a->before, a->before_yp);
    if (status != DAE_OK) return status;
    int code = a->about->root(t, a->before, a->before_yp, value, a->user);
    simulation_report_anew(c);
    if (code != 0) return refused(a, "root", t, code);
    for (size_t k = 0; k < a->source.count; k++) {
        if (isfinite(value[k])) continue;
        text named = {0};
        name_root(a, k, &named);
        message_fail(c->solver.message, DAE_NOT_EVALUABLE,
                     "at t = %.9g the root function of %s has no finite value", t,
                     text_string(&named));
        text_free(&named);
        return DAE_NOT_EVALUABLE;
    }
    return DAE_OK;
}

/* Times that cannot be told from t by round-off are those of the event there, or of the start: what
 * comes after them is asked for, so often. */
enum { MOST_AT_ONCE = 2 };

static double author_next(void *self, double t, double direction)
{
    author_events *a = self;
    message *m = a->simulation->solver.message;
    if (!a->about->next_event) return direction * HUGE_VAL;
    if (direction < 0) {
        message_fail(m, DAE_UNSUPPORTED,
                     "the run goes back from t = %.9g, and next_event announces events forwards: "
                     "make root functions of t of them",
                     t);
        return (double)NAN;
    }
    double near = ROUND_OFF_VALUE * fabs(t) + DBL_MIN, next = a->about->next_event(t, a->user);
    for (int i = 0; i < MOST_AT_ONCE && next > t && next <= t + near; i++)
        next = a->about->next_event(next, a->user);
    simulation_report_anew(a->simulation);
    if (next > t + near) return next;
    message_fail(m, DAE_USAGE,
                 "next_event gives %.9g as the time of the next event, which is not after t = "
                 "%.9g%s",
                 next, t, next > t ? " but for round-off" : "");
    return (double)NAN;
}

/* Calls the author's function. Where there is none, an announced time may have changed a mode. */
static dae_status call(author_events *a, dae_event *e)
{
    if (!a->about->event) {
        e->changed = e->due;
        return DAE_OK;
    }
    int code = a->about->event(e, a->user);
    simulation_report_anew(a->simulation);
    if (code != 0) return refused(a, "event", e->t, code);
    if (e->blow && !a->way->takes_blows)
        return message_fail(a->simulation->solver.message, DAE_USAGE,
                            "at t = %.9g the callback event sets a blow, which only a mechanical "
                            "system has (dae_problem_mechanical())",
                            e->t);
    if (e->blow && !(e->restitution >= 0 && e->restitution <= 1))
        return message_fail(a->simulation->solver.message, DAE_USAGE,
                            "at t = %.9g the callback event sets a restitution of %g: it is a part "
                            "of the speed before, from 0 to 1",
                            e->t, e->restitution);
    if (e->blow) e->changed = true;
    for (size_t j = 0; e->changed && j < e->n; j++)
        if (!isfinite(e->y[j]))
            return message_fail(a->simulation->solver.message, DAE_USAGE,
                                "at t = %.9g the callback event sets %s to a value that is not "
                                "finite",
                                e->t, a->simulation->variable[j]);
    return DAE_OK;
}

/* The root functions at author's variables. */
static dae_status look(author_events *a, double t, const double *y, const double *yp, double *value)
{
    int code = a->about->root(t, y, yp, value, a->user);
    simulation_report_anew(a->simulation);
    return code == 0 ? DAE_OK : refused(a, "root", t, code);
}

/* Notes which of the crossed roots the author leaves at 0: in the state that he wants, and by a
 * mode that the root functions have. */
static dae_status find_stays(author_events *a, const dae_event *e, signed char *stays)
{
    if (!stays || !*e->name) return DAE_OK;
    dae_status status = look(a, e->t, a->behind, a->before_yp, a->at_behind);
    for (size_t k = 0; k < e->roots; k++)
        stays[k] = e->crossed[k] && a->at_behind[k] == a->at_before[k];
    return status;
}

/* Errors of a state, in tolerances, and relative to its variables. */
static const double ERRORS = 1000, OFF = 1e-6;

static double tolerance_of(const simulation *c, size_t j, double value)
{
    const dae_options *o = c->solver.options;
    double atol = o->atols ? o->atols[j] : o->atol * c->nominal[j];
    return atol + o->rtol * fabs(value);
}

bool author_events_moved(const simulation *c, size_t j, double set, double is)
{
    double allowed = ERRORS * tolerance_of(c, j, set);
    return !(fabs(is - set) <= fmax(allowed, OFF * fmax(fabs(set), c->nominal[j])));
}

/* Puts into `moves` how far errors of so many tolerances move the root functions from where they
 * are settled, in a few directions. */
static dae_status find_moves(author_events *a, double t)
{
    enum { DIRECTIONS = 4 };
    const simulation *c = a->simulation;
    double *y = a->before, *yp = a->before_yp; /* not needed any more */
    dae_status status = DAE_OK;
    memset(a->moves, 0, a->source.count * sizeof *a->moves);
    for (uint32_t i = 0; i < DIRECTIONS && status == DAE_OK; i++) {
        for (size_t j = 0; j < c->n; j++) {
            double part = ((uint32_t)j * 2654435761u >> (i + 8) & 1 ? ERRORS : -ERRORS);
            y[j] = a->settled[j] + part * tolerance_of(c, j, a->settled[j]);
            yp[j] = a->settled_yp[j] * (1 + part * c->solver.options->rtol);
        }
        status = look(a, t, y, yp, a->at_before);
        for (size_t k = 0; k < a->source.count; k++)
            a->moves[k] = fmax(a->moves[k], fabs(a->at_before[k] - a->at_behind[k]));
    }
    return status;
}

/* Refuses to move what the author has set. Where constraints are missed, what is kept decides how
 * states jump, such as a charge or a momentum: the nearest state that meets them would be wrong. */
static dae_status check_kept(const author_events *a, double t)
{
    const simulation *c = a->simulation;
    for (size_t j = 0; j < c->n; j++) {
        if (!isfinite(a->settled_yp[j]) || !a->way->stays(c, j)) continue;
        if (!author_events_moved(c, j, a->behind[j], a->settled[j])) continue;
        return message_fail(c->solver.message, DAE_EVENT,
                            "after the event at t = %.9g the states miss the constraints, and %s "
                            "would jump from %.9g to %.9g\n  remedy: in the callback event set "
                            "e->y to states that meet them, with what stays at the event, such as "
                            "charge or momentum",
                            t, c->variable[j], a->behind[j], a->settled[j]);
    }
    return DAE_OK;
}

/* A root that is far from 0 in the state that was found does not stay there: algebraic variables or
 * derivatives have jumped. */
static dae_status find_jumps(author_events *a, double t, signed char *stays)
{
    bool any = false;
    for (size_t k = 0; stays && k < a->source.count; k++) any = any || stays[k];
    if (!any) return DAE_OK;
    dae_status status = look(a, t, a->settled, a->settled_yp, a->at_behind);
    any = false;
    for (size_t k = 0; k < a->source.count; k++)
        any = any || (stays[k] && a->at_behind[k] != a->at_before[k]);
    if (status != DAE_OK || !any) return status;
    status = find_moves(a, t);
    for (size_t k = 0; k < a->source.count; k++)
        stays[k] = stays[k] && !(fabs(a->at_behind[k]) > a->moves[k]);
    return status;
}

/* Says where no consistent values were found, before what was said about it. */
static dae_status fail_behind(const author_events *a, const dae_event *e, dae_status status)
{
    message *m = a->simulation->solver.message;
    if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return message_status(m, status);
    text why = {0};
    text_add(&why, m->status == DAE_OK ? dae_status_meaning(status) : message_string(m));
    message_replace(m, DAE_EVENT,
                    "no consistent values were found after the event %s%sat t = %.9g: %s", e->name,
                    *e->name ? " " : "", e->t, text_string(&why));
    text_free(&why);
    return DAE_EVENT;
}

/* The author's variables just before an event, brought back to constraints and invariants as in
 * rows: what a callback makes of them would keep their errors. */
static dae_status take_before(author_events *a, double t, const double *y, const double *yp)
{
    simulation *c = a->simulation;
    c->segment_formulation = c->formulation_number;
    c->segment_modes = c->mode_number;
    dae_status status = c->ops->evaluate(c, t, y, yp, SIMULATION_WITHIN);
    if (status == DAE_STOPPED) return status;
    if (status != DAE_OK) return a->way->state(c, t, y, yp, a->before, a->before_yp);
    memcpy(a->before, c->value, c->n * sizeof *a->before);
    memcpy(a->before_yp, c->value_yp, c->n * sizeof *a->before_yp);
    return DAE_OK;
}

/* The root functions at those. Where they have no values, nothing is said of it. */
static dae_status look_at_before(author_events *a, double t, double *value)
{
    int code = a->about->root(t, a->before, a->before_yp, value, a->user);
    simulation_report_anew(a->simulation);
    if (code < 0) return refused(a, "root", t, code);
    return code > 0 ? DAE_NOT_EVALUABLE : DAE_OK;
}

/* The event callback begins with those. */
static dae_status author_met_roots(void *self, double t, const double *y, const double *yp,
                                   double *value)
{
    author_events *a = self;
    dae_status status = take_before(a, t, y, yp);
    return status == DAE_OK ? look_at_before(a, t, value) : status;
}

static dae_status author_solved_roots(void *self, double t, const double *y, const double *yp,
                                      double *value)
{
    author_events *a = self;
    dae_status status = take_before(a, t, y, yp);
    if (status == DAE_OK && a->way->solve)
        status = a->way->solve(a->simulation, t, a->before, a->before_yp);
    return status == DAE_OK ? look_at_before(a, t, value) : status;
}

/* Values of y that a callback has changed without saying so are not taken. */
static void note_not_taken(author_events *a, double t)
{
    simulation *c = a->simulation;
    bool same = memcmp(a->behind, a->before, c->n * sizeof *a->behind) == 0;
    if (same || a->told_not_taken) return;
    a->told_not_taken = true;
    message_note(c->solver.message,
                 "the event callback has changed y at t = %.9g and has left `changed` false: its "
                 "values are not taken",
                 t);
}

static dae_status author_update(void *self, double t, const signed char *crossed, bool due,
                                double *y, double *yp, event_outcome *outcome)
{
    author_events *a = self;
    simulation *c = a->simulation;
    dae_status status = take_before(a, t, y, yp);
    if (status != DAE_OK) return status;
    memcpy(a->behind, a->before, c->n * sizeof *a->behind);
    text_clear(&a->name);
    event_name_crossed(&a->source, crossed, &a->name);
    dae_event e = {.t = t,
                   .due = due,
                   .roots = a->source.count,
                   .crossed = crossed,
                   .name = text_string(&a->name),
                   .n = c->n,
                   .y_before = a->before,
                   .yp_before = a->before_yp,
                   .y = a->behind};
    if (*e.name) status = look(a, t, a->before, a->before_yp, a->at_before);
    if (status == DAE_OK) status = call(a, &e);
    if (status != DAE_OK) return status;
    outcome->ends = e.stop;
    outcome->unchanged = !e.changed;
    if (!e.changed) note_not_taken(a, t);
    if (!e.changed) return DAE_OK;
    status = find_stays(a, &e, outcome->stays);
    if (status != DAE_OK) return status;
    c->mode_number++;
    outcome->moved = e.blow || memcmp(a->behind, a->before, c->n * sizeof *a->behind) != 0;
    outcome->blow = e.blow;
    outcome->restitution = e.restitution;
    outcome->before = a->before;
    status = a->way->settle(c, t, a->behind, y, yp, outcome);
    if (status != DAE_OK) return fail_behind(a, &e, status);
    if (outcome->replaced) y = c->y, yp = c->yp;
    status = a->way->state(c, t, y, yp, a->settled, a->settled_yp);
    if (status == DAE_OK) status = check_kept(a, t);
    return status == DAE_OK ? find_jumps(a, t, outcome->stays) : status;
}

static const event_source_ops author_row = {.roots = author_roots,
                                            .met_roots = author_met_roots,
                                            .solved_roots = author_solved_roots,
                                            .next = author_next,
                                            .update = author_update,
                                            .forgets = true,
                                            .name = name_root};

author_events *author_events_create(arena *memory, simulation *c, const dae_about *about,
                                    const author_events_way *way, size_t n, void *user)
{
    if (about->roots == 0 && !about->next_event) return NULL;
    author_events *a = arena_take(memory, sizeof *a);
    *a = (author_events){.simulation = c, .about = about, .way = way, .user = user};
    a->source = (event_source){&author_row, a, about->roots, about->root_direction};
    arena_vectors(
        memory, n,
        (double **[]){&a->before, &a->before_yp, &a->behind, &a->settled, &a->settled_yp, NULL});
    arena_vectors(memory, about->roots,
                  (double **[]){&a->at_before, &a->at_behind, &a->moves, NULL});
    return a;
}

void author_events_free(author_events *a)
{
    if (a) text_free(&a->name);
}
