#include "method/tableau.h"

#include "method/multistep.h"

#include <string.h>

enum { MOST = METHOD_MOST_STEPS + 1, MOST_UNKNOWN = 2 * MOST };

typedef struct reader {
    method_multistep *f;
    expression e;
    definitions *names;
    quad *unknown[MOST_UNKNOWN]; /* coefficients "?" */
    int unknowns;
} reader;

static void fail(reader *r, const char *error)
{
    if (!r->e.error) r->e.error = error;
}

static void skip_blanks(reader *r)
{
    while (*r->e.at == ' ') r->e.at++;
}

/* Coefficients up to the end of the line. */
static void read_row(reader *r, quad *to)
{
    int count = 0;
    for (skip_blanks(r); *r->e.at != ';' && !r->e.error; skip_blanks(r), count++) {
        if (count == MOST || r->unknowns == MOST_UNKNOWN) {
            fail(r, "more points than a method has steps");
        } else if (*r->e.at == '?') {
            r->unknown[r->unknowns++] = &to[count];
            r->e.at++;
        } else {
            to[count] = expression_value(&r->e);
        }
        if (*r->e.at != ' ' && *r->e.at != ';') fail(r, "a line is not closed, or not understood");
    }
    if (r->f->steps && r->f->steps != count - 1) fail(r, "rows of different lengths");
    if (count < 2) fail(r, "a formula without steps");
    r->f->steps = count - 1;
}

static void read_definition(reader *r, const char *name, size_t length)
{
    r->e.depth = 1; /* blanks mean nothing */
    quad value = expression_value(&r->e);
    r->e.depth = 0;
    if (!r->e.error && !definitions_add(r->names, name, length, value))
        fail(r, "too many names, or one that is too long");
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return length == strlen(word) && strncmp(at, word, length) == 0;
}

static quad *find_row(reader *r, const char *name, size_t length)
{
    method_multistep *f = r->f;
    if (is_word(name, length, "alpha")) return f->alpha;
    if (is_word(name, length, "beta")) return f->beta;
    if (!is_word(name, length, "gamma")) return NULL;
    f->blocked = true;
    return f->gamma;
}

static void read_line(reader *r)
{
    const char *begin = r->e.at;
    size_t length = strcspn(begin, " |=;");
    r->e.at += length;
    skip_blanks(r);
    char mark = *r->e.at;
    quad *row = mark == '|' ? find_row(r, begin, length) : NULL;
    if (mark == '=' || mark == '|') r->e.at++;
    if (row)
        read_row(r, row);
    else if (mark == '=' && expression_name(begin) == length)
        read_definition(r, begin, length);
    else if (mark == ';' && is_word(begin, length, "one-leg"))
        r->f->one_leg = true;
    else if (mark == ';' && is_word(begin, length, "variable"))
        r->f->variable = true;
    else
        fail(r, "a line is not closed, or not understood");
    if (*r->e.at != ';') fail(r, "a line is not closed, or not understood");
}

/* Finds the coefficients that are left to the conditions. The column of each is the defect with
 * that coefficient equal to 1 and the other ones 0. */
static void determine(reader *r)
{
    quad m[MOST_UNKNOWN * MOST_UNKNOWN], b[MOST_UNKNOWN], size;
    const quad *alpha = r->f->alpha;
    int n = r->unknowns, first = 1;
    for (int i = 0; i < n; i++)
        if (r->unknown[i] >= alpha && r->unknown[i] < alpha + MOST) first = 0;
    for (int q = 0; q < n; q++) b[q] = -multistep_defect(r->f, first + q, &size);
    for (int i = 0; i < n; i++) {
        *r->unknown[i] = 1;
        for (int q = 0; q < n; q++)
            m[q * MOST_UNKNOWN + i] = multistep_defect(r->f, first + q, &size) + b[q];
        *r->unknown[i] = 0;
    }
    bool regular = quad_solve(n, MOST_UNKNOWN, m, b) > 0, some = false;
    for (int i = 0; i < n && regular; i++) *r->unknown[i] = b[i];
    for (int j = 0; j < MOST; j++) some = some || alpha[j] != 0;
    if (!regular || !some) fail(r, "the order conditions determine nothing");
}

const char *formula_read(method_multistep *f, const char *lines, definitions *names)
{
    reader r = {.f = f, .e = {.at = lines, .names = names}, .names = names};
    for (skip_blanks(&r); *r.e.at && !r.e.error; skip_blanks(&r)) {
        read_line(&r);
        if (!r.e.error) r.e.at++;
    }
    if (!r.e.error && f->steps == 0) fail(&r, "a formula without steps");
    if (!r.e.error && r.unknowns > 0) determine(&r);
    return r.e.error;
}
