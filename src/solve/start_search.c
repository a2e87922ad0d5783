/* The search for the values of a start, whose evaluation can be stopped: before each evaluation the
 * watch is asked, and when it wants an end, or an equation does, every further evaluation fails
 * with DAE_STOPPED. */
#include "initial/consistent.h"
#include "solve/start_stages.h"

typedef struct watched_start {
    const start_system *plain;
    dae_watch watch; /* NULL: nobody watches */
    void *user;
    bool *reported; /* as that of a simulation; NULL: nothing is shared */
    bool stopped;   /* whoever wanted it */
} watched_start;

static bool ask(watched_start *w, double t)
{
    if (!w->watch || w->stopped) return w->stopped;
    w->stopped = w->watch(t, w->user) != 0;
    if (w->reported) *w->reported = false;
    return w->stopped;
}

static dae_status heed(watched_start *w, dae_status status)
{
    if (status == DAE_STOPPED) w->stopped = true;
    return status;
}

static dae_status watched_value(void *self, double t, const double *z, double *r)
{
    watched_start *w = self;
    return ask(w, t) ? DAE_STOPPED : heed(w, w->plain->form->value(w->plain->self, t, z, r));
}

static dae_status watched_jacobian(void *self, double t, const double *z, double *value)
{
    watched_start *w = self;
    return ask(w, t) ? DAE_STOPPED : heed(w, w->plain->form->jacobian(w->plain->self, t, z, value));
}

static void name_row(void *self, size_t row, text *t)
{
    const start_system *plain = ((watched_start *)self)->plain;
    plain->form->name_row(plain->self, row, t);
}

static void locate_row(void *self, size_t row, text *t)
{
    const start_system *plain = ((watched_start *)self)->plain;
    plain->form->locate_row(plain->self, row, t);
}

static void name_entry(void *self, size_t entry, text *t)
{
    const start_system *plain = ((watched_start *)self)->plain;
    plain->form->name_entry(plain->self, entry, t);
}

static void report_values(void *self, size_t row, double t, const double *z, text *reported)
{
    const start_system *plain = ((watched_start *)self)->plain;
    if (plain->form->report_values) plain->form->report_values(plain->self, row, t, z, reported);
}

static void report_beside(void *self, size_t count, const size_t *row, text *reported)
{
    const start_system *plain = ((watched_start *)self)->plain;
    if (plain->form->report_beside) plain->form->report_beside(plain->self, count, row, reported);
}

dae_status start_search(const simulation *c, const start_system *plain, double t, double *z,
                        message *collected)
{
    static const start_form form = {
        .value = watched_value,
        .jacobian = watched_jacobian,
        .name_row = name_row,
        .locate_row = locate_row,
        .name_entry = name_entry,
        .report_values = report_values,
        .report_beside = report_beside,
    };
    watched_start w = {
        .plain = plain, .watch = c->watch, .user = c->watch_user, .reported = c->reported};
    start_system watched = *plain;
    watched.form = &form;
    watched.self = &w;
    initial_result result;
    dae_status status = initial_consistent(&watched, t, z, &result, collected);
    if (w.stopped) { /* whatever the search says of it */
        text_clear(&collected->sentence);
        collected->status = DAE_OK;
        return message_fail(collected, DAE_STOPPED,
                            "stopped on request in the search for the start");
    }
    return status == DAE_OK ? DAE_OK : message_fail(collected, status, "%s", "");
}
