#include "cli/progress.h"

#include <signal.h>
#include <unistd.h>

/* A signal has no other way to reach the program. */
static volatile sig_atomic_t interrupted;

static void on_signal(int signal_number)
{
    interrupted = 1;
    signal(signal_number, SIG_DFL);
}

void progress_begin(progress *p, double start, double stop, bool quiet, FILE *rows)
{
    *p = (progress){.start = start, .stop = stop, .last = -1};
    bool mixed = rows && isatty(fileno(rows));
    p->shown = !quiet && !mixed && isatty(STDERR_FILENO);
    interrupted = 0;
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
}

bool progress_interrupted(void)
{
    return interrupted;
}

int progress_watch(double t, void *self)
{
    progress *p = self;
    double length = p->stop - p->start;
    int now = length == 0 ? 100 : (int)(100 * (t - p->start) / length);
    if (p->shown && now != p->last) {
        fprintf(stderr, "\r%3d %%  t = %.6g", now, t);
        fflush(stderr);
        p->last = now;
    }
    return interrupted;
}

void progress_end(progress *p)
{
    if (p->shown && p->last >= 0) fprintf(stderr, "\r\033[K");
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}
