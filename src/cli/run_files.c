#include "cli/run_files.h"

#include "cli/tell.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether another process holds a regular file. From here on this one holds it, until it is closed.
 * A file system without locks holds nothing, and devices and pipes may have several writers. */
static bool is_held(int descriptor)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    return fcntl(descriptor, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN);
}

/* Opens the file of an option and keeps its content. 0, or 2 after a message. */
static int open_kept(const char *option, const char *path, FILE **file, bool *made)
{
    bool is_new = access(path, F_OK) != 0;
    int descriptor = open(path, O_WRONLY | O_CREAT, 0666);
    bool held = descriptor >= 0 && is_held(descriptor);
    *made = is_new && descriptor >= 0 && !held;
    *file = descriptor >= 0 && !held ? fdopen(descriptor, "w") : NULL;
    if (*file) return 0;
    int code = held ? report_held(option, path) : report_unwritable(option, path);
    if (descriptor >= 0) close(descriptor);
    return code;
}

static int open_all(run_files *f, const run_columns *columns)
{
    const arguments *given = f->given;
    const char *obstacle = given->plot && columns ? picture_obstacle(given->plot) : NULL, *where;
    if (obstacle) return report_mistake("--plot \"%s\": %s", given->plot, obstacle);
    int wrong = 0;
    if (given->out && columns) wrong = open_kept("out", given->out, &f->rows, &f->made_rows);
    if (!wrong && given->stats_file)
        wrong = open_kept("stats", given->stats_file, &f->stats, &f->made_stats);
    if (!wrong && given->events_file && columns)
        wrong = open_kept("events", given->events_file, &f->events, &f->made_events);
    if (wrong) return wrong;
    if (given->plot && columns) {
        f->picture = plot_begin(given->plot, columns->count, columns->name, columns->unit, &where);
        if (!f->picture) return report_unwritable("plot", where);
    }
    return 0;
}

/* Drops the old content of a file. Pipes and devices have none. */
static void drop_old(FILE *file)
{
    if (ftruncate(fileno(file), 0) != 0) errno = 0;
}

int run_files_open(run_files *f, const arguments *given, const run_columns *columns)
{
    *f = (run_files){.given = given};
    int wrong = open_all(f, columns);
    if (wrong) {
        if (f->made_rows) unlink(given->out);
        if (f->made_stats) unlink(given->stats_file);
        if (f->made_events) unlink(given->events_file);
        return wrong;
    }
    if (columns && !given->out && !given->json) f->rows = stdout;
    return 0;
}

/* The most bytes of a write. A pipe takes this many at once or not at all (PIPE_BUF), and the pages
 * of a file are no smaller. If an uncatchable signal interrupts such a write, part of it is left
 * only if that is at the instant at which a file goes from one page to the next. */
enum { BLOCK = 4096 };

/* Writes the first `bytes` bytes of the lines. 0, or -1 with the reason. */
static int send_lines(run_files *f, size_t bytes)
{
    const char *from = text_string(&f->lines), *end = from + bytes;
    if (f->lines.cut) f->reason = ENOMEM;
    while (!f->reason && from < end) {
        ssize_t sent = write(fileno(f->rows), from, (size_t)(end - from));
        if (sent >= 0)
            from += sent;
        else if (errno != EINTR)
            f->reason = errno;
    }
    size_t left = f->lines.length - bytes;
    if (left > 0) memmove(f->lines.string, f->lines.string + bytes, left);
    f->lines.length = left;
    return f->reason ? -1 : 0;
}

/* After a line, whose predecessors have `before` bytes: writes the lines out once they fill a
 * block. */
static int gather(run_files *f, size_t before)
{
    if (before > 0 && f->lines.length > BLOCK && send_lines(f, before) != 0) return -1;
    bool full = f->lines.cut || f->lines.length >= BLOCK || f->at_once;
    return full ? send_lines(f, f->lines.length) : 0;
}

int run_files_header(run_files *f, const run_columns *columns)
{
    if (!f->rows) return 0;
    if (f->rows != stdout) drop_old(f->rows);
    f->begun = true;
    f->at_once = isatty(fileno(f->rows));
    csv_header(&f->lines, columns->count, columns->name);
    return gather(f, 0);
}

int run_files_row(run_files *f, double t, const double *y, const run_columns *columns)
{
    size_t before = f->lines.length;
    f->count++;
    if (f->rows) csv_row(&f->lines, t, y, columns->count, columns->at);
    if (f->rows && gather(f, before) != 0) return -1;
    return run_files_drawn_row(f, t, y, columns);
}

int run_files_drawn_row(run_files *f, double t, const double *y, const run_columns *columns)
{
    if (!f->picture || plot_row(f->picture, t, y, columns->at) == 0) return 0;
    f->reason = errno;
    return -1;
}

/* Writes a line to the file of the events. */
static int put_event(run_files *f, const char *const *field)
{
    text line = {0};
    csv_texts(&line, 3, field);
    bool whole = !line.cut && fputs(text_string(&line), f->events) >= 0;
    text_free(&line);
    return whole ? 0 : -1;
}

int run_files_events_header(run_files *f)
{
    static const char *const names[] = {"time", "kind", "event"};
    if (!f->events) return 0;
    drop_old(f->events);
    f->events_begun = true;
    return put_event(f, names);
}

int run_files_event(run_files *f, const dae_event *event)
{
    char time[TEXT_NUMBER_SIZE + 1];
    time[text_write_number(time, event->t)] = '\0';
    bool crossed = false;
    for (size_t k = 0; k < event->roots; k++) crossed = crossed || event->crossed[k] != 0;
    const char *kind = !event->due ? "state" : crossed ? "both" : "time";
    if (f->events) return put_event(f, (const char *const[]){time, kind, event->name});
    fprintf(stderr, "event at t = %s, of %s%s%s\n", time,
            event->due ? crossed ? "time and state" : "time" : "state", *event->name ? ": " : "",
            event->name);
    return 0;
}

int run_files_close_events(run_files *f)
{
    if (!f->events) return 0;
    int reason = flush_stream(f->events);
    if (f->made_events && !f->events_begun) unlink(f->given->events_file);
    fclose(f->events);
    f->events = NULL;
    if (!reason) return 0;
    report_unwritten("the events", f->given->events_file, reason);
    return 1;
}

int run_files_close_rows(run_files *f)
{
    if (!f->rows) return f->reason;
    int late = send_lines(f, f->lines.length) == 0 ? 0 : f->reason;
    if (f->made_rows && !f->begun) unlink(f->given->out); /* while no other run can hold it */
    if (f->rows != stdout && fclose(f->rows) != 0 && !late) late = errno;
    text_free(&f->lines);
    f->rows = NULL;
    if (!f->reason) f->reason = late;
    return f->reason;
}

int run_files_draw(run_files *f)
{
    plot *drawing = f->picture;
    f->picture = NULL;
    if (!drawing) return 0;
    if (f->count == 0) {
        plot_discard(drawing);
        return 0;
    }
    if (plot_end(drawing) == 0) return 0;
    return report_undrawn(f->given->plot, errno);
}

static int write_stats(FILE *file, const char *name, const dae_stats *stats)
{
    int failed = json_stats(file, stats), reason = flush_stream(file);
    if (!failed && !reason) return 0;
    if (reason == EPIPE) return 0;
    if (reason)
        report_unwritten("the statistics", name, reason);
    else
        fprintf(stderr, "daedal: memory is exhausted by the statistics\n");
    return 1;
}

int run_files_stats(run_files *f, const dae_stats *stats)
{
    int failed = 0;
    if (f->given->json) failed = write_stats(stdout, NULL, stats);
    if (f->given->stats && !f->stats) failed |= write_stats(stderr, "standard error", stats);
    if (f->stats) {
        drop_old(f->stats);
        failed |= write_stats(f->stats, f->given->stats_file, stats);
    }
    return failed;
}

void run_files_end(run_files *f)
{
    if (f->rows && f->rows != stdout) fclose(f->rows);
    text_free(&f->lines);
    if (f->stats) fclose(f->stats);
    if (f->events) fclose(f->events);
    plot_discard(f->picture);
}
