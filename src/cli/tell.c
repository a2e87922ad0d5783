#include "cli/tell.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

int exit_status(dae_status status)
{
    switch (status) {
#define X(name, value, word, code, meaning) \
    case DAE_##name:                        \
        return code;
#include <daedal/status.def>
#undef X
    default: return 1;
    }
}

void tell_notes(const char *notes)
{
    while (*notes) {
        size_t length = strcspn(notes, "\n");
        if (length) fprintf(stderr, "daedal: note: %.*s\n", (int)length, notes);
        notes += length + (notes[length] == '\n');
    }
}

void tell_failure(dae_status status, const char *message)
{
    bool located = status == DAE_MODEL_ERROR || status == DAE_STRUCTURE ||
                   status == DAE_CONTRADICTION;
    size_t length = strlen(message);
    fprintf(stderr, "%s%s%s", located ? "" : "daedal: ", message,
            length && message[length - 1] == '\n' ? "" : "\n");
}

void tell_unwritten(const char *what, const char *file, int reason)
{
    fprintf(stderr, "daedal: %s could not be written%s%s: %s\n", what, file ? " to " : "",
            file ? file : "", strerror(reason));
}

int tell_unwritable(const char *option, const char *file, const char *why)
{
    fprintf(stderr, "daedal: --%s: cannot write \"%s\": %s\n", option, file, why);
    return 2;
}

int tell_undrawn(const char *file, int reason)
{
    if (reason)
        tell_unwritten("the picture", file, reason);
    else
        fprintf(stderr, "daedal: gnuplot could not draw %s\n", file);
    return 1;
}

int flush_stream(FILE *stream)
{
    bool failed = ferror(stream) != 0;
    errno = 0;
    if (fflush(stream) != 0) failed = true;
    clearerr(stream); /* told once */
    if (!failed) return 0;
    return errno ? errno : EIO;
}

int flush_answer(int code)
{
    int reason = flush_stream(stdout);
    if (!reason || reason == EPIPE) return code;
    tell_unwritten("the answer", NULL, reason);
    return code ? code : 1;
}
