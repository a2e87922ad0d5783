#include "symbolic/said.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 512 }; /* characters of a number, whatever its format */

size_t sym_said_values(const sym_said *said, sym *value)
{
    size_t count = 0;
    for (size_t i = 0; said && i < said->count; i++) {
        if (said->word[i].kind == SYM_WORD_TEXT) continue;
        if (value) value[count] = said->word[i].value;
        count++;
    }
    return count;
}

static const char *name_of(const sym_word *w, double value)
{
    bool there = value >= 0 && rint(value) < (double)w->names;
    return there ? w->name[(size_t)rint(value)] : "nan";
}

static void fill(text *t, size_t count)
{
    for (size_t i = 0; i < count; i++) text_add(t, " ");
}

/* A text in its field. */
static void add_field(const sym_word *w, const char *said, text *t)
{
    size_t length = text_characters(said), least = w->least > 0 ? (size_t)w->least : 0;
    size_t blanks = least > length ? least - length : 0;
    if (!w->left) fill(t, blanks);
    text_add(t, said);
    if (w->left) fill(t, blanks);
}

void sym_say(const sym_said *said, const double *value, text *t)
{
    char number[LONGEST];
    for (size_t i = 0; i < said->count; i++) {
        const sym_word *w = &said->word[i];
        double x = w->kind == SYM_WORD_TEXT ? 0 : *value++;
        switch (w->kind) {
        case SYM_WORD_TEXT: text_add(t, w->text); break;
        case SYM_WORD_NAME: add_field(w, name_of(w, x), t); break;
        case SYM_WORD_REAL:
            snprintf(number, sizeof number, w->text, x);
            add_field(w, number, t);
            break;
        case SYM_WORD_WHOLE:
            snprintf(number, sizeof number, w->text, (int)lrint(x));
            add_field(w, fabs(x) < 2147483648.0 ? number : "nan", t);
            break;
        }
    }
}

const sym_said *sym_said_copy(arena *a, const sym_said *said)
{
    if (!said) return NULL;
    sym_said *copy = arena_duplicate(a, said, 1, sizeof *said);
    sym_word *word = arena_duplicate(a, said->word, said->count, sizeof *word);
    copy->word = word;
    for (size_t i = 0; i < said->count; i++) {
        sym_word *w = &word[i];
        if (w->text) w->text = arena_copy(a, w->text, strlen(w->text));
        const char **name = arena_array(a, w->names + 1, sizeof *name);
        for (size_t k = 0; k < w->names; k++)
            name[k] = arena_copy(a, w->name[k], strlen(w->name[k]));
        w->name = name;
    }
    return copy;
}

/* The words of a copy are its own. */
void sym_said_visit(const sym_said *copy, sym_visit *visit, void *context)
{
    for (size_t i = 0; copy && i < copy->count; i++)
        if (copy->word[i].kind != SYM_WORD_TEXT)
            visit(context, &((sym_word *)(uintptr_t)&copy->word[i])->value);
}
