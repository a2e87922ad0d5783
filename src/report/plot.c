#include "report/plot.h"

#include "base/round_off.h"
#include "base/text.h"
#include "report/picture.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PANELS = 8,
    PANEL_HEIGHT = 250,
    ONLY_PANEL_HEIGHT = 400,
    LINE_HEIGHT = 19,
    WIDTH = 960,
    MOST_DRAWN = 100,
    MOST_UNLIKE = 100 /* a curve so many times smaller than its panel looks like a straight line */
};

/* Variables of one unit. Of too many curves only every stride-th is drawn, because more cannot be
 * told apart. */
typedef struct panel {
    size_t variables, stride, drawn;
    bool has_no_unit;
} panel;

struct plot {
    picture page;
    FILE *data;
    size_t columns, panels;
    panel panel[MOST_PANELS];
    size_t *panel_of; /* columns */
    size_t *place;    /* columns: place in the data, from 2 on; 0: not drawn */
    size_t longest_name;
    double first, last; /* times of rows */
    double *largest;    /* columns: |value| */
};

/* Writes a name or unit as a file, named by a letter and a number. */
static int write_text(const plot *p, char letter, size_t k, const char *content)
{
    char name[32];
    snprintf(name, sizeof name, "%c%zu", letter, k);
    return picture_text(&p->page, name, content);
}

/* Assigns columns to panels. Variables of one unit share a panel; units beyond the number of panels
 * share the last one. */
static void choose_panels(plot *p, const char *const *unit)
{
    for (size_t j = 0; j < p->columns; j++) {
        size_t same = j;
        for (size_t k = 0; k < j && same == j; k++)
            if (strcmp(unit[k], unit[j]) == 0) same = k;
        if (same < j)
            p->panel_of[j] = p->panel_of[same];
        else
            p->panel_of[j] = p->panels < MOST_PANELS ? p->panels++ : MOST_PANELS - 1;
        p->panel[p->panel_of[j]].has_no_unit = *unit[j] == '\0';
    }
}

static void choose_curves(plot *p)
{
    size_t next = 2;
    for (size_t j = 0; j < p->columns; j++) p->panel[p->panel_of[j]].variables++;
    for (panel *q = p->panel; q < p->panel + p->panels; q++) {
        q->stride = (q->variables + MOST_DRAWN - 1) / MOST_DRAWN;
        q->drawn = (q->variables + q->stride - 1) / q->stride;
        q->variables = 0;
    }
    for (size_t j = 0; j < p->columns; j++) {
        panel *own = &p->panel[p->panel_of[j]];
        p->place[j] = own->variables++ % own->stride == 0 ? next++ : 0;
    }
}

static int write_texts(plot *p, const char *const *name, const char *const *unit)
{
    char in_brackets[256];
    for (size_t j = 0; j < p->columns; j++) {
        if (!p->place[j]) continue;
        snprintf(in_brackets, sizeof in_brackets, "[%s]", unit[j]);
        if (write_text(p, 'n', j, name[j]) != 0 ||
            write_text(p, 'u', j, unit[j][0] ? in_brackets : "") != 0)
            return -1;
        size_t length = text_characters(name[j]);
        if (length > p->longest_name) p->longest_name = length;
    }
    return 0;
}

void plot_discard(plot *p)
{
    if (!p) return;
    if (p->data) fclose(p->data);
    picture_end(&p->page);
    free(p->panel_of);
    free(p->place);
    free(p->largest);
    free(p);
}

plot *plot_begin(const char *path, size_t columns, const char *const *name, const char *const *unit,
                 const char **where)
{
    plot *p = calloc(1, sizeof *p);
    *where = path;
    if (!p) return NULL;
    p->columns = columns;
    p->panel_of = calloc(columns + 1, sizeof *p->panel_of);
    p->place = calloc(columns + 1, sizeof *p->place);
    p->largest = calloc(columns + 1, sizeof *p->largest);
    p->first = p->last = (double)NAN;
    bool good = p->panel_of && p->place && p->largest && picture_begin(&p->page, path, where) == 0;
    if (good) {
        choose_panels(p, unit);
        choose_curves(p);
        p->data = picture_file(&p->page, "data");
    }
    if (!good || !p->data || write_texts(p, name, unit) != 0) {
        int reason = errno;
        plot_discard(p);
        errno = reason;
        return NULL;
    }
    return p;
}

int plot_row(plot *p, double t, const double *y, const size_t *column)
{
    char number[TEXT_NUMBER_SIZE];
    if (isnan(p->first)) p->first = t;
    p->last = t;
    fwrite(number, 1, text_write_number(number, t), p->data);
    for (size_t j = 0; j < p->columns; j++) {
        if (!p->place[j]) continue;
        double size = fabs(y[column[j]]);
        if (isfinite(size)) p->largest[j] = fmax(p->largest[j], size);
        putc('\t', p->data);
        fwrite(number, 1, text_write_number(number, y[column[j]]), p->data);
    }
    putc('\n', p->data);
    return ferror(p->data) ? -1 : 0;
}

/* Counts anew what each panel draws. */
static void count_drawn(plot *p)
{
    for (size_t k = 0; k < p->panels; k++) p->panel[k].drawn = 0;
    for (size_t j = 0; j < p->columns; j++)
        if (p->place[j]) p->panel[p->panel_of[j]].drawn++;
}

/* The size of the largest curve of a panel below a bound; 0: there is none. */
static double largest_below(const plot *p, size_t k, double bound)
{
    double largest = 0;
    for (size_t j = 0; j < p->columns; j++)
        if (p->place[j] && p->panel_of[j] == k && p->largest[j] < bound)
            largest = fmax(largest, p->largest[j]);
    return largest;
}

/* The size of the curves of a panel that end a run of alike ones: the next smaller one is
 * MOST_UNLIKE times smaller. 0: all are alike. */
static double lowest_of_alike(const plot *p, size_t k)
{
    double largest = largest_below(p, k, HUGE_VAL), low = largest, next;
    while ((next = largest_below(p, k, low)) > ROUND_OFF_AMPLIFIED * largest) {
        if (next * MOST_UNLIKE < low) return low;
        low = next;
    }
    return 0;
}

/* Makes room for a panel after panel k. */
static void insert_panel(plot *p, size_t k)
{
    memmove(p->panel + k + 2, p->panel + k + 1, (p->panels - k - 1) * sizeof *p->panel);
    p->panel[k + 1] = p->panel[k];
    for (size_t j = 0; j < p->columns; j++)
        if (p->panel_of[j] > k) p->panel_of[j]++;
    p->panels++;
}

/* Numbers without a unit have nothing in common: those that are much smaller than others get a
 * panel of their own, as long as there is room. Not where only a part of the curves is drawn. */
static void part_unlike(plot *p, size_t k)
{
    double low = 0;
    while (p->panels < MOST_PANELS && (low = lowest_of_alike(p, k)) > 0) {
        insert_panel(p, k);
        for (size_t j = 0; j < p->columns; j++)
            if (p->panel_of[j] == k && p->largest[j] < low) p->panel_of[j] = k + 1;
        k++;
    }
}

static void part_panels(plot *p)
{
    for (size_t k = p->panels; k-- > 0;)
        if (p->panel[k].has_no_unit && p->panel[k].stride == 1) part_unlike(p, k);
    count_drawn(p);
}

/* Writes the page, as high as the legends of its panels need. */
static void write_page(const plot *p, FILE *script)
{
    size_t most = 0;
    for (size_t k = 0; k < p->panels; k++)
        if (p->panel[k].drawn > most) most = p->panel[k].drawn;
    size_t panel_height = p->panels > 1 ? PANEL_HEIGHT : ONLY_PANEL_HEIGHT,
           needed = LINE_HEIGHT * (most + 3);
    if (needed > panel_height) panel_height = needed;
    double height = (double)(panel_height * (p->panels ? p->panels : 1) + 60);
    size_t margin = p->longest_name + 8;
    picture_head(&p->page, script, WIDTH, height);
    fprintf(script,
            "set lmargin 13\nset rmargin %zu\nset key at graph 1.02, graph 1 left top Left "
            "reverse noenhanced samplen 2 maxcols 1\n",
            margin < 12   ? 12
            : margin > 60 ? 60
                          : margin);
    if (p->last != p->first)
        fprintf(script, "set xrange [%.17g:%.17g]\n", fmin(p->first, p->last),
                fmax(p->first, p->last));
}

/* Writes the script. It contains only numbers and fixed file names; the author's texts are read
 * from files. */
static void write_script(const void *self, FILE *script)
{
    const plot *p = self;
    write_page(p, script);
    if (p->panels > 1) fprintf(script, "set multiplot layout %zu,1\n", p->panels);
    for (size_t k = 0; k < p->panels; k++) {
        const char *separator = "plot ";
        const panel *own = &p->panel[k];
        fprintf(script, "set xlabel '%s'\n", k + 1 == p->panels ? "time [s]" : "");
        if (own->stride > 1)
            fprintf(script, "set title '%zu of %zu variables'\n", own->drawn, own->variables);
        else
            fputs("unset title\n", script);
        for (size_t j = 0, curve = 1; j < p->columns; j++) {
            if (p->panel_of[j] != k || !p->place[j]) continue;
            if (curve == 1) fprintf(script, "set ylabel system('cat u%zu') noenhanced\n", j);
            fprintf(script, "%s'data' using 1:%zu lt %zu title system('cat n%zu')", separator,
                    p->place[j], curve++, j);
            separator = ", ";
        }
        putc('\n', script);
    }
    if (p->panels > 1) fputs("unset multiplot\n", script);
}

int plot_end(plot *p)
{
    int failed = fflush(p->data);
    part_panels(p);
    if (!failed) failed = picture_draw(&p->page, write_script, p);
    int reason = errno;
    plot_discard(p);
    errno = reason;
    return failed ? -1 : 0;
}
