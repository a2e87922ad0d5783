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

enum { MOST_PANELS = 8, PANEL_HEIGHT = 260, WIDTH = 900, FIRST_HEIGHT = 340 };

struct plot {
    int picture; /* file descriptor of the picture */
    const char *terminal;
    char folder[1024], data_path[1100];
    FILE *data;
    size_t columns, panels;
    size_t *panel_of; /* columns */
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

/* A field of the head: without what would end it. Double quotes become typographic ones. */
static void write_name(FILE *file, const char *name)
{
    for (; *name; name++) {
        if (*name == '"')
            fputs("\xe2\x80\x9d", file);
        else
            putc(*name == '\t' || *name == '\n' || *name == '\r' ? ' ' : *name, file);
    }
}

static void write_head(plot *p, const char *const *name, const char *const *unit)
{
    fputs("time", p->data);
    for (size_t j = 0; j < p->columns; j++) {
        putc('\t', p->data);
        write_name(p->data, name[j]);
        if (unit[j][0]) {
            fputs(" [", p->data);
            write_name(p->data, unit[j]);
            fputs("]", p->data);
        }
    }
    putc('\n', p->data);
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

static void discard(plot *p)
{
    if (p->data) fclose(p->data);
    if (p->data_path[0]) unlink(p->data_path);
    if (p->folder[0]) rmdir(p->folder);
    if (p->picture >= 0) close(p->picture);
    free(p->panel_of);
    free(p);
}

static bool open_files(plot *p, const char *path)
{
    const char *where = getenv("TMPDIR");
    p->picture = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (p->picture < 0) return false;
    snprintf(p->folder, sizeof p->folder, "%s/daedal-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(p->folder)) {
        p->folder[0] = '\0';
        return false;
    }
    snprintf(p->data_path, sizeof p->data_path, "%s/data", p->folder);
    p->data = fopen(p->data_path, "w");
    return p->data != NULL;
}

plot *plot_begin(const char *path, size_t columns, const char *const *name, const char *const *unit)
{
    plot *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->picture = -1;
    p->columns = columns;
    p->terminal = find_ending(path)->terminal;
    p->panel_of = calloc(columns + 1, sizeof *p->panel_of);
    if (!p->panel_of || !open_files(p, path)) {
        int reason = errno;
        discard(p);
        errno = reason;
        return NULL;
    }
    choose_panels(p, unit);
    write_head(p, name, unit);
    return p;
}

int plot_row(plot *p, double t, const double *y, const size_t *column)
{
    char number[TEXT_NUMBER_SIZE];
    fwrite(number, 1, text_write_number(number, t), p->data);
    for (size_t j = 0; j < p->columns; j++) {
        putc('\t', p->data);
        fwrite(number, 1, text_write_number(number, y[column[j]]), p->data);
    }
    putc('\n', p->data);
    return ferror(p->data) ? -1 : 0;
}

/* The script holds numbers alone; titles are the heads of the data's columns. */
static void write_script(const plot *p, FILE *script)
{
    bool pdf = strncmp(p->terminal, "pdf", 3) == 0;
    int height = FIRST_HEIGHT + (int)(p->panels ? p->panels - 1 : 0) * PANEL_HEIGHT;
    if (pdf)
        fprintf(script, "set terminal %s size %.2fin,%.2fin\n", p->terminal, WIDTH / 100.0,
                height / 100.0);
    else
        fprintf(script, "set terminal %s size %d,%d background rgb 'white'\n", p->terminal, WIDTH,
                height);
    fputs("set datafile separator '\\t'\nset key outside right top noenhanced\nset grid lc rgb "
          "'#dddddd'\n"
          "set border lc rgb '#444444'\nset style data lines\nset lmargin 11\nset rmargin 26\n",
          script);
    if (p->panels > 1) fprintf(script, "set multiplot layout %zu,1\n", p->panels);
    for (size_t panel = 0; panel < p->panels; panel++) {
        const char *separator = "plot ";
        fprintf(script, "set xlabel '%s'\n", panel + 1 == p->panels ? "time [s]" : "");
        for (size_t j = 0; j < p->columns; j++) {
            if (p->panel_of[j] != panel) continue;
            fprintf(script, "%s'data' using 1:%zu lw 1.6 title columnheader(%zu)", separator, j + 2,
                    j + 2);
            separator = ", ";
        }
        putc('\n', script);
    }
    if (p->panels > 1) fputs("unset multiplot\n", script);
}

/* gnuplot in the temporary folder: the script on its standard input, the picture on its output. */
static pid_t start_gnuplot(const plot *p, FILE **script)
{
    int ends[2];
    if (pipe(ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(ends[0], STDIN_FILENO);
        dup2(p->picture, STDOUT_FILENO);
        if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (chdir(p->folder) == 0) execlp("gnuplot", "gnuplot", (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    *script = child > 0 ? fdopen(ends[1], "w") : NULL;
    if (!*script) close(ends[1]);
    return child;
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
    discard(p);
    return failed ? -1 : 0;
}
