#include "method/catalogue.h"

#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const method_row row[] = {
#define ROW(name_, aliases_, family_, source_, ...) \
    {.name = name_,                                 \
     .aliases = aliases_,                           \
     .family = METHOD_##family_,                    \
     .source = source_,                             \
     __VA_ARGS__},
#define COMPUTED(name_, aliases_, family_, stages_, source_) \
    ROW(name_, aliases_, family_, source_, .stages = stages_, .parameters = "")
#define TABLEAU(name_, aliases_, family_, source_, text_) \
    ROW(name_, aliases_, family_, source_, .tableau = text_, .parameters = "")
#define PAIR(name_, aliases_, family_, order_, embedded_, source_, text_)      \
    ROW(name_, aliases_, family_, source_, .tableau = text_, .parameters = "", \
        .orders = {order_, embedded_})
#define FORMULA(name_, aliases_, family_, source_, text_) \
    ROW(name_, aliases_, family_, source_, .formula = text_, .parameters = "")
#include "method/catalogue.def"
#undef FORMULA
#undef PAIR
#undef TABLEAU
#undef COMPUTED
#undef ROW
};

const method_row *method_row_at(size_t i)
{
    return i < sizeof row / sizeof *row ? &row[i] : NULL;
}

/* The length of the word at `at`, up to a blank. */
static size_t word_length(const char *at)
{
    return strcspn(at, " ");
}

static bool has_word(const char *words, const char *word, size_t length)
{
    for (;; words += word_length(words) + 1) {
        if (word_length(words) == length && strncmp(words, word, length) == 0) return length > 0;
        if (words[word_length(words)] == '\0') return false;
    }
}

const method_row *catalogue_find(const char *name, size_t length)
{
    for (const method_row *r = row; r < row + sizeof row / sizeof *row; r++)
        if (has_word(r->name, name, length) || has_word(r->aliases, name, length)) return r;
    return NULL;
}

void catalogue_nearest(const char *name, char *nearest, size_t size)
{
    size_t best = SIZE_MAX, length;
    nearest[0] = '\0';
    for (const method_row *r = row; r < row + sizeof row / sizeof *row; r++) {
        for (int alias = 0; alias < 2; alias++) {
            for (const char *at = alias ? r->aliases : r->name; *at; at += length) {
                at += strspn(at, " ");
                length = word_length(at);
                if (text_is_nearer(name, at, length, &best))
                    snprintf(nearest, size, "%.*s", (int)length, at);
            }
        }
    }
}
