/* Pictures of several panels: each curve is a file, the script is collected on the way. */
#include "mechanisms/study.h"
#include "report/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCRIPT = 16384, TITLE = 128, PANEL_WIDTH = 620, PANEL_HEIGHT = 360 };

struct figure {
    picture drawn;
    char path[1024], script[SCRIPT];
    size_t length;
    int rows, columns, curves;
    bool within; /* a plot command has begun */
    FILE *data;
};

static void add(figure *f, const char *format, const char *a, const char *b)
{
    size_t room = SCRIPT - f->length;
    int n = snprintf(f->script + f->length, room, format, a, b);
    if (n > 0 && (size_t)n < room) f->length += (size_t)n;
}

figure *figure_begin(const study *s, const char *name, int rows, int columns)
{
    const char *where;
    figure *f = s->folder ? calloc(1, sizeof *f) : NULL;
    if (!f) return NULL;
    f->rows = rows;
    f->columns = columns;
    snprintf(f->path, sizeof f->path, "%s/%s.png", s->folder, name);
    if (picture_obstacle(f->path) || picture_begin(&f->drawn, f->path, &where) != 0) {
        fprintf(stderr, "no picture %s\n", f->path);
        free(f);
        return NULL;
    }
    return f;
}

static void close_curve(figure *f)
{
    if (f->data) fclose(f->data);
    f->data = NULL;
}

void figure_panel(figure *f, const char *title, const char *x, const char *y, const char *settings)
{
    if (!f) return;
    close_curve(f);
    f->within = false;
    add(f, "\nset autoscale\nunset logscale\nset format y '%s'\nset key top left%s", "%g", "\n");
    add(f, "set title '%s' noenhanced\nset xlabel '%s'\n", title, x);
    add(f, "set ylabel '%s'\n%s\n", y, settings);
}

void figure_curve(figure *f, const char *title)
{
    char name[32];
    if (!f) return;
    close_curve(f);
    snprintf(name, sizeof name, "c%d", f->curves++);
    add(f, f->within ? ", '%s' title '%s' noenhanced" : "plot '%s' title '%s' noenhanced", name,
        title);
    f->within = true;
    f->data = picture_file(&f->drawn, name);
}

void figure_point(figure *f, double x, double y)
{
    if (f && f->data && isfinite(y)) fprintf(f->data, "%.12g\t%.12g\n", x, y);
}

static void write_script(const void *self, FILE *script)
{
    const figure *f = self;
    picture_head(&f->drawn, script, PANEL_WIDTH * f->columns, PANEL_HEIGHT * f->rows);
    fprintf(script, "set multiplot layout %d,%d\n%s\nunset multiplot\n", f->rows, f->columns,
            f->script);
}

void figure_end(figure *f)
{
    if (!f) return;
    close_curve(f);
    if (picture_draw(&f->drawn, write_script, f) != 0) fprintf(stderr, "no picture %s\n", f->path);
    picture_end(&f->drawn);
    free(f);
}
