#include "method/tableau.h"

#include "base/text.h"
#include "method/multistep.h"

#include <string.h>

enum { MOST = METHOD_MOST_STEPS + 1, MOST_OPEN = 2 * MOST };

typedef struct reader {
    method_multistep *f;
    expression e;
} reader;

static void read_row(reader *r, quad *to)
{
    method_multistep *f = r->f;
    int count = expression_row(&r->e, MOST, "more points than a method has steps", to);
    if (f->steps && f->steps != count - 1) expression_fail(&r->e, "rows of different lengths");
    if (count < 2) expression_fail(&r->e, "a formula without steps");
    f->steps = count - 1;
}

static void read_line(void *self)
{
    reader *r = self;
    method_multistep *f = r->f;
    const char *word = r->e.at;
    size_t length = strcspn(word, " |;");
    r->e.at += length + strspn(word + length, " ");
    bool is_row = *r->e.at == '|';
    if (is_row) r->e.at++;
    if (is_row && text_equals(word, length, "alpha")) {
        read_row(r, f->alpha);
    } else if (is_row && text_equals(word, length, "beta")) {
        read_row(r, f->beta);
    } else if (is_row && text_equals(word, length, "gamma")) {
        f->blocked = true;
        read_row(r, f->gamma);
    } else if (!is_row && text_equals(word, length, "one-leg")) {
        f->one_leg = true;
    } else if (!is_row && text_equals(word, length, "variable")) {
        f->variable = true;
    } else {
        expression_fail(&r->e, "a line is not closed, or not understood");
    }
}

/* Collects the open coefficients of a row, which become 0. Returns how many are known by now. */
static int find_open(quad *row, quad **open, int count)
{
    for (int j = 0; j < MOST; j++) {
        if (row[j] == row[j]) continue; /* not NAN */
        row[j] = 0;
        open[count++] = &row[j];
    }
    return count;
}

/* Finds the open coefficients by the conditions. The column of each is the defect with that
 * coefficient equal to 1 and the other ones 0. */
static bool determine(method_multistep *f)
{
    quad m[MOST_OPEN * MOST_OPEN], b[MOST_OPEN], size, *open[MOST_OPEN];
    int of_alpha = find_open(f->alpha, open, 0), n = find_open(f->beta, open, of_alpha);
    int first = of_alpha > 0 ? 0 : 1;
    for (int q = 0; q < n; q++) b[q] = -multistep_defect(f, first + q, &size);
    for (int i = 0; i < n; i++) {
        *open[i] = 1;
        for (int q = 0; q < n; q++)
            m[q * MOST_OPEN + i] = multistep_defect(f, first + q, &size) + b[q];
        *open[i] = 0;
    }
    if (n > 0 && !(quad_solve(n, MOST_OPEN, m, b) > 0)) return false;
    for (int i = 0; i < n; i++) *open[i] = b[i];
    bool some = n == 0;
    for (int j = 0; j < MOST; j++) some = some || f->alpha[j] != 0;
    return some;
}

const char *formula_read(method_multistep *f, const char *lines, definitions *names)
{
    reader r = {.f = f, .e = {.at = lines, .names = names, .takes_open = true}};
    expression_lines(&r.e, read_line, &r);
    if (f->steps == 0) expression_fail(&r.e, "a formula without steps");
    if (!r.e.error && !determine(f))
        expression_fail(&r.e, "the order conditions do not determine the coefficients");
    return r.e.error;
}
