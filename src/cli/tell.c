#include "cli/tell.h"

#include "base/text.h"
#include "cli/arguments.h"

#include <errno.h>
#include <stdarg.h>
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

/* The name of an option of the solver that `words` begin with, or NULL. */
static const char *option_at(const char *words)
{
    static const char *const known[] = {
#define X(type, name, default_value, lowest, highest, unit, meaning) #name,
#include <daedal/options.def>
#undef X
    };
    size_t length = strspn(words, "abcdefghijklmnopqrstuvwxyz_");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (text_equals(words, length, known[i])) return known[i];
    return NULL;
}

/* Writes a text of the library, in which "option max_steps" becomes --max-steps. */
static void write_with_flags(const char *words, size_t length)
{
    static const char word[] = "option ";
    const size_t skipped = sizeof word - 1;
    size_t written = 0;
    for (size_t i = 0; i + skipped < length; i++) {
        bool begins = strncmp(words + i, word, skipped) == 0;
        const char *name = begins ? option_at(words + i + skipped) : NULL;
        if (!name) continue;
        char named[FLAG_LONGEST];
        snprintf(named, sizeof named, "--%s", name);
        for (char *c = named; *c; c++)
            if (*c == '_') *c = '-';
        fprintf(stderr, "%.*s%s", (int)(i - written), words + written, named);
        written = i + skipped + strlen(name);
        i = written - 1;
    }
    fprintf(stderr, "%.*s", (int)(length - written), words + written);
}

void report_notes(const char *notes)
{
    while (*notes) {
        size_t length = strcspn(notes, "\n");
        if (length) {
            fputs("daedal: note: ", stderr);
            write_with_flags(notes, length);
            fputc('\n', stderr);
        }
        notes += length + (notes[length] == '\n');
    }
}

void report_failure(dae_status status, const char *message)
{
    bool located = status == DAE_MODEL_ERROR || status == DAE_STRUCTURE ||
                   status == DAE_CONTRADICTION;
    size_t length = strlen(message);
    if (!located) fputs("daedal: ", stderr);
    write_with_flags(message, length);
    if (length == 0 || message[length - 1] != '\n') fputc('\n', stderr);
}

int report_mistake(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("daedal: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    return 2;
}

int report_no_memory(void)
{
    report_failure(DAE_NO_MEMORY, "memory is exhausted");
    return exit_status(DAE_NO_MEMORY);
}

void report_unwritten(const char *what, const char *file, int reason)
{
    fprintf(stderr, "daedal: %s could not be written%s%s: %s\n", what, file ? " to " : "",
            file ? file : "", strerror(reason));
}

int report_unwritable(const char *option, const char *file)
{
    return report_mistake("--%s: cannot write \"%s\": %s", option, file, strerror(errno));
}

int report_held(const char *option, const char *file)
{
    return report_mistake("--%s: another run writes \"%s\": name another file, or wait until that "
                          "run has ended",
                          option, file);
}

int report_undrawn(const char *file, int reason)
{
    if (reason)
        report_unwritten("the picture", file, reason);
    else
        fprintf(stderr, "daedal: gnuplot could not draw %s\n", file);
    return 1;
}

int flush_stream(FILE *stream)
{
    bool failed = ferror(stream) != 0;
    int reason = failed ? errno : 0; /* of the write that failed before */
    errno = 0;
    if (fflush(stream) != 0) failed = true;
    clearerr(stream); /* reported once */
    if (!failed) return 0;
    if (errno) reason = errno;
    return reason ? reason : EIO;
}

int flush_answer(int code)
{
    int reason = flush_stream(stdout);
    if (!reason && code < 0) return report_no_memory();
    if (reason && reason != EPIPE) {
        report_unwritten("the answer", NULL, reason);
        return code > 0 ? code : 1;
    }
    return code < 0 ? 0 : code;
}
