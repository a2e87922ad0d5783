/* daedal run: simulate, and write the trajectory. */
#include "cli/commands.h"
#include "cli/progress.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/plot.h"

#include <daedal/solver.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_POINTS = 500 };

typedef struct run {
    const arguments *given;
    dae_problem *problem;
    dae_solver *solver;
    double start, stop;
    size_t columns; /* that are written */
    size_t *column;
    const char **name, **unit;
    FILE *rows; /* NULL: none are written */
    FILE *stats;
    plot *picture;
    bool pipe_closed;
} run;

static int fail(const char *what, const char *name, const char *why)
{
    fprintf(stderr, "daedal: %s \"%s\": %s\n", what, name, why);
    return 2;
}

static int choose_columns(run *r)
{
    const arguments *given = r->given;
    size_t all = dae_problem_size(r->problem);
    r->columns = given->vars ? given->vars : all;
    r->column = calloc(r->columns + 1, sizeof *r->column);
    r->name = calloc(r->columns + 1, sizeof *r->name);
    r->unit = calloc(r->columns + 1, sizeof *r->unit);
    if (!r->column || !r->name || !r->unit) return fail("no memory for", "the columns", "");
    for (size_t j = 0; j < r->columns; j++) {
        r->column[j] = given->vars ? dae_problem_find(r->problem, given->var[j]) : j;
        if (r->column[j] == (size_t)-1) {
            const char *nearest = dae_problem_nearest(r->problem, given->var[j]);
            fprintf(stderr, "daedal: --vars: no variable is called \"%s\"%s%s\n", given->var[j],
                    nearest ? "; nearest: " : "", nearest ? nearest : "");
            return 2;
        }
        r->name[j] = dae_problem_variable(r->problem, r->column[j]);
        r->unit[j] = dae_problem_unit(r->problem, r->column[j]);
    }
    return 0;
}

/* The interval, and the tolerance, where the command line says nothing. */
static void choose_interval(run *r, dae_options *options)
{
    const arguments *given = r->given;
    dae_experiment e = dae_problem_experiment(r->problem);
    r->start = given->has_start ? given->start : e.has_start ? e.start : 0;
    r->stop = given->has_stop ? given->stop : e.has_stop ? e.stop : 1;
    if (!given->has_rtol && e.has_tolerance) options->rtol = e.tolerance;
    if (!given->has_atol && e.has_tolerance) options->atol = e.tolerance;
}

/* Times of `--interval`: every so much, and the end. */
static int interval_times(const run *r, double interval, dae_times *times, double **list)
{
    double length = fabs(r->stop - r->start), whole = floor(length / interval * (1 + 1e-12));
    if (whole > 1e8) return fail("--interval gives too many points for", "the interval", "");
    size_t count = (size_t)whole + 1;
    double sign = r->stop < r->start ? -1 : 1;
    *list = malloc((count + 1) * sizeof **list);
    if (!*list) return fail("no memory for", "the output times", "");
    for (size_t k = 0; k < count; k++) (*list)[k] = r->start + sign * (double)k * interval;
    if (fabs((*list)[count - 1] - r->stop) <= 1e-9 * interval)
        (*list)[count - 1] = r->stop;
    else
        (*list)[count++] = r->stop;
    *times = (dae_times){.at = *list, .count = count};
    return 0;
}

static int choose_times(const run *r, dae_times *times, double **list)
{
    const arguments *given = r->given;
    double low = fmin(r->start, r->stop), high = fmax(r->start, r->stop);
    dae_experiment e = dae_problem_experiment(r->problem);
    for (size_t k = 0; k < given->at_count; k++) {
        if (given->at[k] >= low && given->at[k] <= high) continue;
        fprintf(stderr, "daedal: --at: %.9g lies outside the interval from %.9g to %.9g\n",
                given->at[k], r->start, r->stop);
        return 2;
    }
    if (given->at_count) {
        for (size_t k = 0; r->stop < r->start && k < given->at_count / 2; k++) {
            double other = given->at[k];
            given->at[k] = given->at[given->at_count - 1 - k];
            given->at[given->at_count - 1 - k] = other;
        }
        *times = (dae_times){.at = given->at, .count = given->at_count};
        return 0;
    }
    if (given->interval > 0) return interval_times(r, given->interval, times, list);
    if (!given->points && e.has_interval && e.interval > 0)
        return interval_times(r, e.interval, times, list);
    *times = (dae_times){.count = given->points ? given->points : DEFAULT_POINTS,
                         .first = r->start,
                         .last = r->stop};
    return 0;
}

static int open_files(run *r)
{
    const arguments *given = r->given;
    const char *obstacle = given->plot ? plot_obstacle(given->plot) : NULL;
    if (obstacle) return fail("--plot", given->plot, obstacle);
    if (given->out) {
        r->rows = fopen(given->out, "w");
        if (!r->rows) return fail("--out: cannot write", given->out, strerror(errno));
    } else if (!given->json) {
        r->rows = stdout;
    }
    if (given->stats_file) {
        r->stats = fopen(given->stats_file, "w");
        if (!r->stats) return fail("--stats: cannot write", given->stats_file, strerror(errno));
    }
    if (given->plot) {
        r->picture = plot_begin(given->plot, r->columns, r->name, r->unit);
        if (!r->picture) return fail("--plot: cannot write", given->plot, strerror(errno));
    }
    return 0;
}

static int receive(double t, const double *y, const double *yp, void *self)
{
    run *r = self;
    (void)yp;
    if (r->rows && csv_row(r->rows, t, y, r->columns, r->column) != 0) {
        r->pipe_closed = errno == EPIPE;
        return -1;
    }
    if (r->picture && plot_row(r->picture, t, y, r->column) != 0) return -1;
    return 0;
}

/* The solver, and whether it will do, before any file is touched. */
static int create_solver(run *r, const dae_options *options)
{
    r->solver = dae_solver_create(r->problem, options);
    dae_status status = r->solver ? dae_solver_status(r->solver) : DAE_NO_MEMORY;
    if (status == DAE_OK) return 0;
    tell_failure(status, r->solver ? dae_solver_message(r->solver) : "memory is exhausted");
    return exit_status(status);
}

/* Solve; the status of the run. Rows that were written stay whole whatever happens. */
static dae_status solve(run *r, const dae_times *times)
{
    progress shown;
    if (r->rows && csv_header(r->rows, r->columns, r->name) != 0) r->pipe_closed = errno == EPIPE;
    dae_solver_output(r->solver, times, receive, r);
    progress_begin(&shown, r->start, r->stop, r->given->quiet);
    dae_solver_watch(r->solver, progress_watch, &shown);
    dae_solver_start(r->solver, r->start, NULL);
    dae_status status = dae_solver_run(r->solver, r->stop);
    progress_end(&shown);
    return status;
}

/* Close what is open: an error that shows only now, as on a full disk, counts like any other. */
static int close_rows(run *r)
{
    if (!r->rows) return 0;
    int failed = fflush(r->rows) != 0 || ferror(r->rows);
    if (failed && errno == EPIPE) r->pipe_closed = true;
    if (r->rows != stdout) failed = fclose(r->rows) != 0 || failed;
    r->rows = NULL;
    return failed;
}

static void tell_end(const run *r, const dae_stats *stats)
{
    double worst = stats->max_residual;
    for (size_t k = 0; k < stats->constraint_levels; k++)
        worst = fmax(worst, stats->max_constraint[k]);
    fprintf(stderr, "%.9g to %.9g s: %zu steps, %s, %s, worst %s %.1e\n", r->start,
            dae_solver_time(r->solver), stats->steps, stats->method, stats->formulation,
            stats->constraint_levels ? "constraint" : "residual", worst);
}

static int finish(run *r, dae_status status)
{
    const arguments *given = r->given;
    int code = exit_status(status);
    bool rows_failed = close_rows(r) != 0;
    if (r->pipe_closed) {
        code = 0;
    } else if (rows_failed || status == DAE_OUTPUT_FAILED) {
        fprintf(stderr, "daedal: the rows could not be written%s%s: %s\n", given->out ? " to " : "",
                given->out ? given->out : "", strerror(errno));
        code = 1;
    }
    if (r->picture && plot_end(r->picture) != 0) {
        fprintf(stderr, "daedal: gnuplot could not draw %s\n", given->plot);
        if (code == 0) code = 1;
    }
    r->picture = NULL;
    tell_notes(dae_solver_notes(r->solver));
    const dae_stats *stats = dae_solver_stats(r->solver);
    if (status == DAE_OK && !given->quiet && !r->pipe_closed) tell_end(r, stats);
    if (status != DAE_OK && status != DAE_OUTPUT_FAILED)
        tell_failure(status, dae_solver_message(r->solver));
    if (given->json) json_stats(stdout, stats);
    if (given->stats && json_stats(r->stats ? r->stats : stderr, stats) != 0 && code == 0) code = 1;
    if (r->stats && fclose(r->stats) != 0 && code == 0) code = 1;
    r->stats = NULL;
    return code;
}

int cmd_run(const arguments *given)
{
    int code = 0;
    run r = {.given = given};
    dae_options options = given->options;
    dae_times times;
    double *list = NULL;
    r.problem = read_problem(given, &code);
    if (!r.problem) return code;
    choose_interval(&r, &options);
    code = choose_columns(&r);
    if (code == 0) code = choose_times(&r, &times, &list);
    if (code == 0) code = create_solver(&r, &options);
    if (code == 0) code = open_files(&r);
    if (code == 0) code = finish(&r, solve(&r, &times));
    if (r.rows && r.rows != stdout) fclose(r.rows);
    if (r.stats) fclose(r.stats);
    dae_solver_free(r.solver);
    dae_problem_free(r.problem);
    free(list);
    free(r.column);
    free(r.name);
    free(r.unit);
    return code;
}
