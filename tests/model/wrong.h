/* For tests of messages: a wrong text, and what must be said of it. */
#ifndef TESTS_MODEL_WRONG_H
#define TESTS_MODEL_WRONG_H

#include "reading.h"

/* A wrong text, where the error is found, words of it, and words of the remedy. */
typedef struct wrong {
    const char *text;
    unsigned line, column;
    const char *what, *remedy; /* remedy NULL: none */
} wrong;

/* A model with its equations from line 3 on. */
#define EQUATIONS(list)                                                                   \
    "model M Real x, y, v[3], w[2, 3]; Boolean c; parameter Real p = 0;\nequation\n" list \
    "\nend M;\n"

/* Read a text; the first report must be at the place, with the words and with a remedy. */
static inline void read_wrong(reading *r, const wrong *w)
{
    char place_text[64];
    read_text(r, w->text);
    const char *said = message_string(&r->m);
    snprintf(place_text, sizeof place_text, "m.mo:%u:%u: error: ", w->line, w->column);
    ck_assert_msg(r->status == DAE_MODEL_ERROR, "status %d: %s", r->status, w->text);
    ck_assert_ptr_null(r->system);
    ck_assert_msg(strncmp(said, place_text, strlen(place_text)) == 0, "%s\nnot at %u:%u:\n%s",
                  w->text, w->line, w->column, said);
    const char *first_line = strchr(said, '\n'), *what = strstr(said, w->what);
    ck_assert_msg(what && what < first_line, "%s\nnot \"%s\":\n%s", w->text, w->what, said);
    const char *caret = strchr(first_line, '^'), *remedy = caret ? strstr(caret, "\n  ") : NULL;
    ck_assert_msg(remedy != NULL, "%s\nno remedy:\n%s", w->text, said);
    ck_assert_msg(!w->remedy || strstr(remedy, w->remedy), "%s\nno remedy \"%s\":\n%s", w->text,
                  w->remedy ? w->remedy : "", said);
}

#endif
