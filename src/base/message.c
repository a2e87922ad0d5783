#include "base/message.h"

#include <daedal/status.h>
#include <stdarg.h>

dae_status message_fail(message *m, dae_status status, const char *format, ...)
{
    if (m->status != DAE_OK) return m->status;
    m->status = status;
    va_list arguments;
    va_start(arguments, format);
    text_format_list(&m->sentence, format, arguments);
    va_end(arguments);
    return status;
}

dae_status message_status(message *m, dae_status status)
{
    return status == DAE_OK ? DAE_OK : message_fail(m, status, "%s", dae_status_meaning(status));
}

dae_status message_replace(message *m, dae_status status, const char *format, ...)
{
    va_list arguments;
    text_clear(&m->sentence);
    m->status = status;
    va_start(arguments, format);
    text_format_list(&m->sentence, format, arguments);
    va_end(arguments);
    return status;
}

void message_more(message *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_format_list(&m->sentence, format, arguments);
    va_end(arguments);
}

void message_note(message *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_format_list(&m->notes, format, arguments);
    va_end(arguments);
    text_add(&m->notes, "\n");
}

const char *message_string(const message *m)
{
    if (m->status != DAE_OK && m->sentence.length == 0) return dae_status_meaning(m->status);
    return text_string(&m->sentence);
}

void message_free(message *m)
{
    text_free(&m->sentence);
    text_free(&m->notes);
}

/* Words and meanings of the statuses, from the one list in status.def. */

const char *dae_status_word(dae_status status)
{
    switch (status) {
#define X(name, value, word, exit_status, meaning) \
    case DAE_##name:                               \
        return word;
#include <daedal/status.def>
#undef X
    default: return "unknown";
    }
}

const char *dae_status_meaning(dae_status status)
{
    switch (status) {
#define X(name, value, word, exit_status, meaning) \
    case DAE_##name:                               \
        return meaning;
#include <daedal/status.def>
#undef X
    default: return "an unknown status";
    }
}

const char *dae_version(void)
{
    return DAEDAL_VERSION;
}
