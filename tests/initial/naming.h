/* How the systems of these tests call their rows and entries: r0, r1, ... in m.mo; a, b, ... */
#ifndef TESTS_INITIAL_NAMING_H
#define TESTS_INITIAL_NAMING_H

#include "problem/start.h"

static inline void name_row(void *self, size_t row, text *t)
{
    (void)self;
    text_format(t, "r%zu", row);
}

static inline void locate_row(void *self, size_t row, text *t)
{
    (void)self;
    text_format(t, "m.mo:%zu:1", row + 1);
}

static inline void name_entry(void *self, size_t entry, text *t)
{
    (void)self;
    text_format(t, "%c", (char)('a' + entry));
}

#endif
