#include "report/plot.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_PANELS = 8,
    PANEL_HEIGHT = 250,
    ONLY_PANEL_HEIGHT = 400,
    LINE_HEIGHT = 19,
    WIDTH = 960,
    MOST_DRAWN = 100
};

struct plot {
    const char *path, *terminal;
    bool made_path;    /* the picture's file did not exist before */
    char folder[1024]; /* of temporary files; "" before it is made */
    FILE *data;
    size_t columns, panels, files; /* files: with names and units, to be removed */
    size_t *panel_of;              /* columns */
    size_t *place;                 /* columns: in the data, from 2 on; 0: not drawn */
    size_t longest_name;
};

static const struct ending {
    const char *ending, *terminal;
} endings[] = {{".svg", "svg dynamic font 'sans,12'"},
               {".png", "pngcairo font 'sans,11'"},
               {".pdf", "pdfcairo font 'sans,11'"}};

static const struct ending *find_ending(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t n = strlen(endings[i].ending);
        if (length > n && strcmp(path + length - n, endings[i].ending) == 0) return &endings[i];
    }
    return NULL;
}

static bool gnuplot_is_there(void)
{
    const char *path = getenv("PATH");
    char candidate[4096];
    while (path && *path) {
        int n = (int)strcspn(path, ":");
        snprintf(candidate, sizeof candidate, "%.*s/gnuplot", n, path);
        if (access(candidate, X_OK) == 0) return true;
        path += n + (path[n] == ':');
    }
    return false;
}

const char *plot_obstacle(const char *path)
{
    if (!find_ending(path)) return "a picture's name ends in .svg, .png or .pdf";
    if (!gnuplot_is_there())
        return "pictures need gnuplot, which is not installed (Debian: apt-get install "
               "gnuplot-nox)";
    return NULL;
}

/* The path of a temporary file: "data", "picture", or a letter with a number. */
static const char *path_of(const plot *p, const char *name, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s/%s", p->folder, name);
    return buffer;
}

/* A name or unit as the whole of a small file, from which gnuplot takes it as a string. */
static int write_text(plot *p, char letter, size_t k, const char *content)
{
    char name[32], path[1100];
    snprintf(name, sizeof name, "%c%zu", letter, k);
    FILE *file = fopen(path_of(p, name, path, sizeof path), "w");
    if (!file) return -1;
    for (; *content; content++) putc(strchr("\n\r\t", *content) ? ' ' : *content, file);
    return fclose(file);
}

/* Variables of one unit share a panel; what exceeds the number of panels shares the last. */
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
    }
}

static size_t curves_in(const plot *p, size_t panel)
{
    size_t count = 0;
    for (size_t j = 0; j < p->columns; j++) count += p->panel_of[j] == panel;
    return count;
}

/* Nobody can tell very many curves apart: of a panel with too many each so-many-th is drawn. */
static size_t stride_in(const plot *p, size_t panel)
{
    return (curves_in(p, panel) + MOST_DRAWN - 1) / MOST_DRAWN;
}

static void choose_curves(plot *p)
{
    size_t met[MOST_PANELS] = {0}, stride[MOST_PANELS], next = 2;
    for (size_t panel = 0; panel < p->panels; panel++) stride[panel] = stride_in(p, panel);
    for (size_t j = 0; j < p->columns; j++) {
        size_t panel = p->panel_of[j];
        p->place[j] = met[panel]++ % stride[panel] == 0 ? next++ : 0;
    }
}

static size_t characters(const char *name)
{
    size_t count = 0;
    for (; *name; name++) count += ((unsigned char)*name & 0xc0) != 0x80; /* UTF-8 */
    return count;
}

static int write_texts(plot *p, const char *const *name, const char *const *unit)
{
    char in_brackets[256];
    p->files = p->columns;
    for (size_t j = 0; j < p->columns; j++) {
        if (!p->place[j]) continue;
        snprintf(in_brackets, sizeof in_brackets, "[%s]", unit[j]);
        if (write_text(p, 'n', j, name[j]) != 0 ||
            write_text(p, 'u', j, unit[j][0] ? in_brackets : "") != 0)
            return -1;
        if (characters(name[j]) > p->longest_name) p->longest_name = characters(name[j]);
    }
    return 0;
}

static void remove_temporary(const plot *p)
{
    char name[32], path[1100];
    for (size_t j = 0; j < p->files; j++) {
        for (int k = 0; k < 2; k++) {
            snprintf(name, sizeof name, "%c%zu", "nu"[k], j);
            unlink(path_of(p, name, path, sizeof path));
        }
    }
    unlink(path_of(p, "data", path, sizeof path));
    unlink(path_of(p, "picture", path, sizeof path));
    rmdir(p->folder);
}

void plot_discard(plot *p)
{
    if (!p) return;
    if (p->data) fclose(p->data);
    if (p->folder[0]) remove_temporary(p);
    if (p->made_path) unlink(p->path);
    free(p->panel_of);
    free(p->place);
    free(p);
}

/* See now that the picture can be written later, without touching what is there. */
static bool can_write(plot *p)
{
    p->made_path = access(p->path, F_OK) != 0;
    int file = open(p->path, O_WRONLY | O_CREAT, 0666);
    if (file < 0) p->made_path = false;
    return file >= 0 && close(file) == 0;
}

static const char *temporary_place(void)
{
    const char *place = getenv("TMPDIR");
    return place && *place ? place : "/tmp";
}

static bool make_folder(plot *p)
{
    char path[1100];
    snprintf(p->folder, sizeof p->folder, "%s/daedal-XXXXXX", temporary_place());
    if (!mkdtemp(p->folder)) {
        p->folder[0] = '\0';
        return false;
    }
    p->data = fopen(path_of(p, "data", path, sizeof path), "w");
    return p->data != NULL;
}

plot *plot_begin(const char *path, size_t columns, const char *const *name, const char *const *unit,
                 const char **where)
{
    plot *p = calloc(1, sizeof *p);
    *where = path;
    if (!p) return NULL;
    p->path = path;
    p->columns = columns;
    p->terminal = find_ending(path)->terminal;
    p->panel_of = calloc(columns + 1, sizeof *p->panel_of);
    p->place = calloc(columns + 1, sizeof *p->place);
    bool good = p->panel_of && p->place && can_write(p);
    if (good) {
        *where = temporary_place();
        choose_panels(p, unit);
        choose_curves(p);
    }
    if (!good || !make_folder(p) || write_texts(p, name, unit) != 0) {
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
    fwrite(number, 1, text_write_number(number, t), p->data);
    for (size_t j = 0; j < p->columns; j++) {
        if (!p->place[j]) continue;
        putc('\t', p->data);
        fwrite(number, 1, text_write_number(number, y[column[j]]), p->data);
    }
    putc('\n', p->data);
    return ferror(p->data) ? -1 : 0;
}

/* The page: as high as its panels need for their legends. */
static void write_page(const plot *p, FILE *script)
{
    size_t most = 0;
    for (size_t panel = 0; panel < p->panels; panel++) {
        size_t all = curves_in(p, panel), stride = stride_in(p, panel),
               drawn = (all + stride - 1) / stride;
        if (drawn > most) most = drawn;
    }
    size_t panel_height = p->panels > 1 ? PANEL_HEIGHT : ONLY_PANEL_HEIGHT,
           needed = LINE_HEIGHT * (most + 3);
    if (needed > panel_height) panel_height = needed;
    double height = (double)(panel_height * (p->panels ? p->panels : 1) + 60);
    if (strncmp(p->terminal, "pdf", 3) == 0)
        fprintf(script, "set terminal %s size %.2fin,%.2fin\n", p->terminal, WIDTH / 100.0,
                height / 100);
    else
        fprintf(script, "set terminal %s size %d,%.0f background rgb 'white'\n", p->terminal, WIDTH,
                height);
}

static void write_style(const plot *p, FILE *script)
{
    /* M. Okabe & K. Ito's colours, which most people can tell apart, then again with dashes */
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#56b4e9", "#e69f00", "#000000", "#8c510a"};
    for (int k = 0; k < 24; k++)
        fprintf(script, "set linetype %d lc rgb '%s' lw 1.6 dt %d\n", k + 1, colours[k % 8],
                k / 8 + 1);
    size_t margin = p->longest_name + 8;
    fprintf(script,
            "set linetype cycle 24\nset encoding utf8\nset datafile separator '\\t'\n"
            "set style data lines\nset grid lt 1 lw 0.5 lc rgb '#cccccc'\n"
            "set border lc rgb '#444444'\nset format y '%%.10g'\nset lmargin 13\n"
            "set rmargin %zu\nset key at graph 1.02, graph 1 left top Left reverse noenhanced "
            "samplen 2 maxcols 1\n",
            margin < 12   ? 12
            : margin > 60 ? 60
                          : margin);
}

/* The script holds numbers and fixed names of files alone; what the author wrote is read from
 * those. */
static void write_script(const plot *p, FILE *script)
{
    write_page(p, script);
    write_style(p, script);
    fputs("set output 'picture'\n", script);
    if (p->panels > 1) fprintf(script, "set multiplot layout %zu,1\n", p->panels);
    for (size_t panel = 0; panel < p->panels; panel++) {
        const char *separator = "plot ";
        size_t all = curves_in(p, panel), stride = stride_in(p, panel);
        fprintf(script, "set xlabel '%s'\n", panel + 1 == p->panels ? "time [s]" : "");
        if (stride > 1)
            fprintf(script, "set title '%zu of %zu variables'\n", (all + stride - 1) / stride, all);
        else
            fputs("unset title\n", script);
        for (size_t j = 0, curve = 1; j < p->columns; j++) {
            if (p->panel_of[j] != panel || !p->place[j]) continue;
            if (curve == 1) fprintf(script, "set ylabel system('cat u%zu') noenhanced\n", j);
            fprintf(script, "%s'data' using 1:%zu lt %zu title system('cat n%zu')", separator,
                    p->place[j], curve++, j);
            separator = ", ";
        }
        putc('\n', script);
    }
    if (p->panels > 1) fputs("unset multiplot\n", script);
    fputs("set output\n", script);
}

/* gnuplot in the temporary folder, without the user's own settings, the script on its standard
 * input. */
static pid_t start_gnuplot(const plot *p, FILE **script)
{
    int ends[2];
    if (pipe(ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(ends[0], STDIN_FILENO);
        if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
        if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (chdir(p->folder) == 0) execlp("gnuplot", "gnuplot", "-d", (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    *script = child > 0 ? fdopen(ends[1], "w") : NULL;
    if (!*script) close(ends[1]);
    return child;
}

/* The picture to its place, so that a full disk shows here and not in gnuplot. */
static int copy_picture(plot *p)
{
    char path[1100], part[16384];
    size_t got, all = 0;
    FILE *from = fopen(path_of(p, "picture", path, sizeof path), "rb");
    FILE *to = from ? fopen(p->path, "wb") : NULL;
    int failed = !to;
    while (!failed && (got = fread(part, 1, sizeof part, from)) > 0) {
        failed = fwrite(part, 1, got, to) != got;
        all += got;
    }
    if (from) fclose(from);
    if (to && fclose(to) != 0) failed = 1;
    if (!failed && all == 0) errno = 0;
    return failed || all == 0 ? -1 : 0;
}

int plot_end(plot *p)
{
    FILE *script = NULL;
    int outcome = -1, failed = fflush(p->data);
    pid_t child = failed ? -1 : start_gnuplot(p, &script);
    if (script) {
        write_script(p, script);
        fclose(script);
    }
    if (child > 0 && waitpid(child, &outcome, 0) == child)
        failed = !WIFEXITED(outcome) || WEXITSTATUS(outcome) != 0;
    else
        failed = 1;
    errno = 0;
    if (!failed) failed = copy_picture(p);
    int reason = errno;
    if (!failed) p->made_path = false; /* it stays */
    plot_discard(p);
    errno = reason;
    return failed ? -1 : 0;
}
