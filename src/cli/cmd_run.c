/* daedal run: simulates, and writes the trajectory. */
#include "base/round_off.h"
#include "cli/commands.h"
#include "cli/run_files.h"
#include "cli/tell.h"

#include <daedal/solver.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Progress on a terminal, and Ctrl-C. */

/* What asks a run to end: Ctrl-C, another process or a batch system, a terminal that is closed. */
static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

typedef struct progress {
    double start, stop;
    bool shown; /* progress is shown at all */
    int last;   /* per cent shown last */
    dae_solver *solver;
    bool caught[ENDING_SIGNALS];
} progress;

/* A global, because a signal handler cannot reach anything else. */
static volatile sig_atomic_t interrupted;

/* A terminal that is closed asks more than once: its shell does, and the system. */
static void on_signal(int signal_number)
{
    interrupted = 1;
    signal(signal_number, signal_number == SIGHUP ? SIG_IGN : SIG_DFL);
}

/* Whether the signal is caught from here on: one that is ignored stays so, as nohup has it. */
static bool catch_signal(int signal_number)
{
    struct sigaction caught = {.sa_handler = on_signal}, before;
    sigemptyset(&caught.sa_mask);
    if (sigaction(signal_number, &caught, &before) != 0) return false;
    bool ignored = before.sa_handler == SIG_IGN;
    if (ignored) sigaction(signal_number, &before, NULL);
    return !ignored;
}

/* Begins the progress. It is shown only where standard error is a terminal and `rows` (NULL: none)
 * do not go to one. From here on signals that ask for the end are caught; a second Ctrl-C or
 * SIGTERM ends the program at once. */
static void progress_begin(progress *p, dae_solver *solver, double start, double stop, bool quiet,
                           FILE *rows)
{
    *p = (progress){.start = start, .stop = stop, .last = -1, .solver = solver};
    bool mixed = rows && isatty(fileno(rows));
    p->shown = !quiet && !mixed && isatty(STDERR_FILENO);
    interrupted = 0;
    for (int k = 0; k < ENDING_SIGNALS; k++) p->caught[k] = catch_signal(ending_signals[k]);
}

/* A dae_watch: shows the progress, and stops the run after Ctrl-C. */
static int progress_watch(double t, void *self)
{
    progress *p = self;
    double length = p->stop - p->start;
    int now = length == 0 ? 100 : (int)(100 * (t - p->start) / length);
    if (p->shown && now != p->last) {
        size_t events = dae_solver_stats(p->solver)->events;
        fprintf(stderr, "\r%3d %%  t = %.6g", now, t);
        if (events > 0) fprintf(stderr, "  %zu event%s", events, events == 1 ? "" : "s");
        fflush(stderr);
        p->last = now;
    }
    return interrupted;
}

/* Removes the line, and stops catching signals, but for those of a closed terminal: what is left to
 * be written takes no time. */
static void progress_end(progress *p)
{
    if (p->shown && p->last >= 0) fprintf(stderr, "\r\033[K");
    for (int k = 0; k < ENDING_SIGNALS; k++)
        if (p->caught[k] && ending_signals[k] != SIGHUP) signal(ending_signals[k], SIG_DFL);
}

enum { DEFAULT_POINTS = 500 };

typedef struct run {
    const arguments *given;
    dae_problem *problem;
    dae_solver *solver;
    dae_options options;
    double start, stop;
    dae_times times;
    double *time_list; /* the array that times.at points to, unless that is borrowed */
    run_columns columns;
    run_files files;
    size_t size;    /* variables */
    double *held;   /* 2 size: the row at the end of the run, not written yet, with derivatives */
    double *after;  /* 2 size: those after an event, to be drawn */
    double *whole;  /* 2 size: a row with its derivatives, on its way */
    double missed;  /* a time at which a derivative that is asked for has no value ... */
    size_t without; /* ... its column; SIZE_MAX: all have had one */
    bool holds, finishing;
    char stopped[64]; /* the message of an interruption that was noticed at a row; or empty */
} run;

/* Chooses the interval and the tolerance that the command line leaves open. */
static void choose_interval(run *r)
{
    const arguments *given = r->given;
    dae_experiment e = dae_problem_experiment(r->problem);
    r->options = options_of_run(given, r->problem);
    r->start = given->has_start ? given->start : e.has_start ? e.start : 0;
    r->stop = given->has_stop ? given->stop : e.has_stop ? e.stop : 1;
    if (r->stop < r->start && !(given->has_start && given->has_stop))
        fprintf(stderr,
                "daedal: note: the run goes backwards, from %.9g to the %s stop time %.9g\n",
                r->start,
                given->has_stop ? "given"
                : e.has_stop    ? "model's"
                                : "default",
                r->stop);
}

/* The times of `--interval`: equally spaced, and the end. */
static int interval_times(run *r, double interval)
{
    double length = fabs(r->stop - r->start),
           whole = floor(length / interval * (1 + ROUND_OFF_ITERATED));
    if (whole > 1e8)
        return report_mistake("--interval %.9g gives more than 1e8 times from %.9g to %.9g",
                              interval, r->start, r->stop);
    size_t count = (size_t)whole + 1;
    double sign = r->stop < r->start ? -1 : 1;
    double *list = r->time_list = malloc((count + 1) * sizeof *list);
    if (!list) return report_no_memory();
    for (size_t k = 0; k < count; k++) list[k] = r->start + sign * (double)k * interval;
    if (fabs(list[count - 1] - r->stop) <= ROUND_OFF_AMPLIFIED * interval)
        list[count - 1] = r->stop;
    else
        list[count++] = r->stop;
    r->times = (dae_times){.at = list, .count = count};
    return 0;
}

/* The times of `--at`, sorted in the direction of the run. */
static int listed_times(run *r)
{
    const arguments *given = r->given;
    double low = fmin(r->start, r->stop), high = fmax(r->start, r->stop);
    size_t count = given->at_count;
    for (size_t k = 0; k < count; k++) {
        if (given->at[k] >= low && given->at[k] <= high) continue;
        return report_mistake("--at: %.17g lies outside the interval from %.17g to %.17g",
                              given->at[k], r->start, r->stop);
    }
    double *list = r->time_list = malloc(count * sizeof *list);
    if (!list) return report_no_memory();
    for (size_t k = 0; k < count; k++) list[k] = given->at[r->stop < r->start ? count - 1 - k : k];
    r->times = (dae_times){.at = list, .count = count};
    return 0;
}

static int choose_times(run *r)
{
    const arguments *given = r->given;
    dae_experiment e = dae_problem_experiment(r->problem);
    if (given->at_count) return listed_times(r);
    if (r->start == r->stop) {
        r->times = (dae_times){.at = &r->start, .count = 1};
        return 0;
    }
    if (given->interval > 0) return interval_times(r, given->interval);
    if (!given->points && e.has_interval && e.interval > 0) return interval_times(r, e.interval);
    r->times = (dae_times){.count = given->points ? given->points : DEFAULT_POINTS,
                           .first = r->start,
                           .last = r->stop};
    return 0;
}

/* Writes the row that is held. 0, or -1. */
static int send_held(run *r)
{
    bool holds = r->holds;
    r->holds = false;
    return holds ? run_files_row(&r->files, r->stop, r->held, &r->columns) : 0;
}

/* Values with the derivatives after them, where a column asks for these. */
static const double *whole_row(run *r, double t, const double *y, const double *yp)
{
    const run_columns *c = &r->columns;
    if (!c->derivatives) return y;
    memcpy(r->whole, y, r->size * sizeof *y);
    memcpy(r->whole + r->size, yp, r->size * sizeof *yp);
    for (size_t j = 0; r->without == SIZE_MAX && j < c->count; j++) {
        if (c->at[j] < r->size || !isnan(r->whole[c->at[j]])) continue;
        r->without = j;
        r->missed = t;
    }
    return r->whole;
}

static void hold(run *r, const double *row)
{
    memcpy(r->held, row, (r->columns.derivatives ? 2 : 1) * r->size * sizeof *row);
}

/* A dae_output. The row of the end waits for the run's last event, which may change it. */
static int receive(double t, const double *y, const double *yp, void *self)
{
    run *r = self;
    /* It is also asked between rows, because a step may have very many. The user who pressed Ctrl-C
     * knows nothing of a receiver of output. */
    if (interrupted) {
        snprintf(r->stopped, sizeof r->stopped, "stopped at t = %.9g on request", t);
        return 1;
    }
    const double *row = whole_row(r, t, y, yp);
    if (r->finishing) {
        hold(r, row);
        return 0;
    }
    int failed = send_held(r);
    if (failed || t != r->stop)
        return failed ? failed : run_files_row(&r->files, t, row, &r->columns);
    hold(r, row);
    r->holds = true;
    return 0;
}

/* Draws an event between the first and the last row as a jump, whatever the distance of rows. */
static int draw_event(run *r, const dae_event *event)
{
    const dae_times *times = &r->times;
    double last = times->at ? times->at[times->count - 1] : times->last;
    bool is_later = r->stop < r->start ? event->t < last : event->t > last;
    if (!r->files.picture || r->files.count == 0 || is_later) return 0;
    if (dae_solver_at(r->solver, event->t, r->after, r->after + r->size) != DAE_OK) return 0;
    const double *before = whole_row(r, event->t, event->y_before, event->yp_before);
    if (run_files_drawn_row(&r->files, event->t, before, &r->columns) != 0) return -1;
    return run_files_drawn_row(&r->files, event->t, r->after, &r->columns);
}

/* A dae_event_watch: lists the event and draws it. */
static int note_event(const dae_event *event, void *self)
{
    run *r = self;
    if (r->given->events && run_files_event(&r->files, event) != 0) return 1;
    return draw_event(r, event) == 0 ? 0 : 1;
}

/* Solves; returns the status of the run. A file keeps its old content until the start has
 * succeeded. Standard output receives at least the names, unless the run is refused. Rows are
 * always written whole. */
static dae_status solve(run *r)
{
    progress shown;
    progress_begin(&shown, r->solver, r->start, r->stop, r->given->quiet, r->files.rows);
    dae_solver_watch(r->solver, progress_watch, &shown);
    dae_solver_watch_start(r->solver, progress_watch, &shown);
    dae_status status = dae_solver_start(r->solver, r->start, NULL);
    bool named = status == DAE_OK || (r->files.rows == stdout && exit_status(status) != 2);
    if (named) run_files_header(&r->files, &r->columns);
    if (status == DAE_OK) run_files_events_header(&r->files);
    if (r->given->events || r->given->plot) dae_solver_watch_events(r->solver, note_event, r);
    dae_solver_output(r->solver, &r->times, receive, r);
    if (status == DAE_OK) status = dae_solver_run(r->solver, r->stop);
    r->finishing = status == DAE_OK;
    if (status == DAE_OK) status = dae_solver_finish(r->solver);
    if (send_held(r) < 0 && status == DAE_OK) status = DAE_OUTPUT_FAILED;
    progress_end(&shown);
    return status;
}

static void report_end(const run *r, const dae_stats *stats)
{
    double worst = stats->max_residual;
    for (size_t k = 0; k < stats->constraint_levels; k++)
        worst = fmax(worst, stats->max_constraint[k]);
    fprintf(stderr, "%.12g to %.12g s: %zu step%s, %s, %s, worst %s %.1e\n", r->start,
            dae_solver_time(r->solver), stats->steps, stats->steps == 1 ? "" : "s", stats->method,
            stats->formulation, stats->constraint_levels ? "constraint" : "residual", worst);
}

/* Finishes rows, picture, messages and statistics, in this order. Returns the exit status. */
static int finish(run *r, dae_status status)
{
    const arguments *given = r->given;
    const char *failed = r->stopped[0] ? r->stopped : dae_solver_message(r->solver);
    int reason = run_files_close_rows(&r->files);
    bool pipe_closed = reason == EPIPE; /* the reader has stopped reading */
    dae_stats stats = *dae_solver_stats(r->solver);
    if (r->stopped[0]) stats.message = r->stopped;
    int code = pipe_closed ? 0 : exit_status(status);
    if (reason && !pipe_closed) {
        report_unwritten("the rows", given->out, reason);
        stats.status = dae_status_word(DAE_OUTPUT_FAILED);
        stats.message = dae_status_meaning(DAE_OUTPUT_FAILED);
        code = 1;
    }
    int undrawn = run_files_draw(&r->files);
    report_notes(dae_solver_notes(r->solver));
    if (r->without != SIZE_MAX)
        fprintf(stderr,
                "daedal: note: %s is not known at t = %.6g, because the equations do not "
                "determine it or are integrated without being differentiated: \"nan\" is written "
                "where a derivative is not known\n",
                r->columns.name[r->without], r->missed);
    if (status != DAE_OK && status != DAE_OUTPUT_FAILED) report_failure(status, failed);
    bool ended = status == DAE_OK || status == DAE_TERMINATED;
    if (ended && !reason && !given->quiet) report_end(r, &stats);
    int unlisted = run_files_close_events(&r->files);
    int unwritten = run_files_stats(&r->files, &stats);
    return code ? code : undrawn || unlisted || unwritten;
}

/* Prepares what the command line asks of the model, before any file is opened. */
static int prepare(run *r)
{
    if (dae_problem_status(r->problem) != DAE_OK) return 0; /* the solver will report it */
    choose_interval(r);
    r->size = dae_problem_size(r->problem);
    r->held = malloc((2 * r->size + 1) * sizeof *r->held);
    r->after = malloc((2 * r->size + 1) * sizeof *r->after);
    r->whole = malloc((2 * r->size + 1) * sizeof *r->whole);
    if (!r->held || !r->after || !r->whole) return report_no_memory();
    int code = run_columns_choose(&r->columns, r->problem, r->given->vars, r->given->var);
    r->options.all_derivatives = r->columns.derivatives;
    return code ? code : choose_times(r);
}

int cmd_run(const arguments *given)
{
    run r = {.given = given, .options = given->options, .without = SIZE_MAX};
    int code = output_names_check(given);
    if (code == 0) r.problem = read_problem(given, &code);
    if (r.problem && code == 0) code = prepare(&r);
    if (r.problem && code == 0) {
        r.solver = dae_solver_create(r.problem, &r.options);
        dae_status status = r.solver ? dae_solver_status(r.solver) : DAE_NO_MEMORY;
        dae_problem_free(r.problem); /* a large model takes a fifth of the memory of its run */
        r.problem = NULL;
        if (!r.solver) {
            code = report_no_memory();
        } else if (exit_status(status) == 2) {
            report_failure(status, dae_solver_message(r.solver));
            code = 2;
        } else {
            code = run_files_open(&r.files, given, status == DAE_OK ? &r.columns : NULL);
            if (code == 0) code = finish(&r, status == DAE_OK ? solve(&r) : status);
            run_files_end(&r.files);
        }
    }
    dae_solver_free(r.solver);
    dae_problem_free(r.problem);
    free(r.time_list);
    free(r.held);
    free(r.after);
    free(r.whole);
    run_columns_free(&r.columns);
    return code;
}
