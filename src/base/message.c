#include "base/message.h"

#include <daedal/status.h>
#include <stdarg.h>
#include <string.h>

dae_status message_fail(message *m, dae_status status, const char *format, ...)
{
    if (m->status != DAE_OK) return m->status;
    m->status = status;
    TEXT_FORMAT_ARGUMENTS(&m->sentence);
    return status;
}

dae_status message_status(message *m, dae_status status)
{
    return status == DAE_OK ? DAE_OK : message_fail(m, status, "%s", dae_status_meaning(status));
}

dae_status message_replace(message *m, dae_status status, const char *format, ...)
{
    text_clear(&m->sentence);
    m->status = status;
    TEXT_FORMAT_ARGUMENTS(&m->sentence);
    return status;
}

void message_more(message *m, const char *format, ...)
{
    TEXT_FORMAT_ARGUMENTS(&m->sentence);
}

/* Whether the notes from a place on are among those before it. */
static bool is_told(const message *m, size_t from)
{
    const char *notes = text_string(&m->notes), *note = notes + from, *at = notes;
    size_t length = strlen(note);
    if (length == 0) return false;
    for (; (at = strstr(at, note)) != NULL && at + length <= note; at++)
        if (at == notes || at[-1] == '\n') return true;
    return false;
}

/* What has been told is not told once more. */
static void keep_new(message *m, size_t from)
{
    if (is_told(m, from)) text_shorten(&m->notes, from);
}

void message_note(message *m, const char *format, ...)
{
    size_t from = m->notes.length;
    TEXT_FORMAT_ARGUMENTS(&m->notes);
    text_add(&m->notes, "\n");
    keep_new(m, from);
}

const char *message_string(const message *m)
{
    if (m->status != DAE_OK && m->sentence.length == 0) return dae_status_meaning(m->status);
    return text_string(&m->sentence);
}

void message_move(message *m, message *from)
{
    size_t told = m->notes.length;
    text_add(&m->notes, text_string(&from->notes));
    keep_new(m, told);
    if (from->status != DAE_OK && m->status == DAE_OK) {
        message_fail(m, from->status, "%s", "");
        text_add(&m->sentence, message_string(from));
    }
    message_free(from);
}

message message_take_failure(message *m)
{
    message taken = {.status = m->status, .sentence = m->sentence};
    m->status = DAE_OK;
    m->sentence = (text){0};
    return taken;
}

void message_free(message *m)
{
    text_free(&m->sentence);
    text_free(&m->notes);
    m->status = DAE_OK;
}

/* The one list of statuses. */
static const struct {
    dae_status status;
    const char *word, *meaning;
} rows[] = {
#define X(name, value, word, exit_status, meaning) {DAE_##name, word, meaning},
#include <daedal/status.def>
#undef X
};

enum { ROWS = sizeof rows / sizeof *rows };

const char *dae_status_word(dae_status status)
{
    for (size_t k = 0; k < ROWS; k++)
        if (rows[k].status == status) return rows[k].word;
    return "unknown";
}

const char *dae_status_meaning(dae_status status)
{
    for (size_t k = 0; k < ROWS; k++)
        if (rows[k].status == status) return rows[k].meaning;
    return "an unknown status";
}

const char *dae_version(void)
{
    return DAEDAL_VERSION;
}
