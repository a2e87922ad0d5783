#include "report/method_plot.h"

#include "base/text.h"
#include "method/stability.h"
#include "report/picture.h"

#include <errno.h>
#include <float.h>
#include <math.h>

enum { GRID = 400, FREQUENCIES = 2000, RAYS = 60 };

typedef struct drawing {
    picture page;
    stability_function r;
    method_view view;
    double half; /* of the square around 0 that is drawn */
} drawing;

/* log |R(z)|, cut where it has a zero or a pole. */
static double log_size(const stability_function *r, double re, double im)
{
    stability_point at = stability_value(r, re, im);
    double size = log(hypot(at.num_re, at.num_im) / hypot(at.den_re, at.den_im));
    return isnan(size) ? 0 : fmax(-50, fmin(50, size));
}

/* The last place where a ray from 0 enters or leaves the region of stability. */
static double last_crossing(const stability_function *r, double angle)
{
    double last = 0, before = 0;
    for (double radius = 0.05; radius < 60; radius *= 1.03) {
        double size = log_size(r, radius * cos(angle), radius * sin(angle));
        if (before * size < 0) last = radius;
        before = size;
    }
    return last;
}

/* A square that shows where the boundary lies; rays along the imaginary axis are left out, for it
 * may be the boundary. */
static double choose_square(const drawing *d)
{
    const double right = acos(0.0);
    double widest = 0, poles = d->r.denominator.degree, zeros = d->r.numerator.degree;
    if (d->view == METHOD_VIEW_STAR) return 4 + fmax(2 * poles, zeros / 2);
    for (int k = 0; k <= RAYS; k++) {
        double angle = 2 * right * k / RAYS;
        if (fabs(angle - right) < 0.06) continue;
        widest = fmax(widest, last_crossing(&d->r, angle));
    }
    return widest > 0 ? fmax(2, 1.25 * widest) : 3 + 2 * poles;
}

/* log |R(z) / e^z|; what is round-off near 0 by the first term of its series, -C z^(p+1). */
static double star(const stability_function *r, double x, double y)
{
    double value = log_size(r, x, y) - x, degree = r->order + 1;
    if (fabs(value) > 1e-12) return value;
    return -r->error_constant * pow(hypot(x, y), degree) * cos(degree * atan2(y, x));
}

/* What is drawn is positive in the shaded part. */
static void write_plane(const drawing *d, FILE *data)
{
    for (int i = 0; i < GRID; i++) {
        for (int j = 0; j < GRID; j++) {
            /* an even number of points leaves the axes between them */
            double x = d->half * (2 * (j + 0.5) / GRID - 1);
            double y = d->half * (2 * (i + 0.5) / GRID - 1);
            double value = d->view == METHOD_VIEW_STAR ? star(&d->r, x, y) : -log_size(&d->r, x, y);
            fprintf(data, "%.6g\t%.6g\t%.6g\n", x, y, value);
        }
        putc('\n', data);
    }
}

/* The size of an error per radian; NAN, which is not drawn, where it is the round-off of a step. */
static double without_noise(double error, double omega)
{
    return fabs(error) * omega < 32 * DBL_EPSILON ? (double)NAN : fabs(error);
}

/* y' = i omega y: each step multiplies by R(i omega h), exactly by e^(i omega h). Per unit of omega
 * h that is a damping -log |R| / (omega h), and a phase error arg R / (omega h) - 1. */
static void write_frequencies(const drawing *d, FILE *data)
{
    const double pi = acos(-1.0), first = 1e-3, last = 10;
    double phase = 0;
    for (int k = 0; k <= FREQUENCIES; k++) {
        double omega = first * pow(last / first, (double)k / FREQUENCIES);
        stability_point at = stability_value(&d->r, 0, omega);
        double now = atan2(at.num_im, at.num_re) - atan2(at.den_im, at.den_re);
        phase = now + 2 * pi * round((phase - now) / (2 * pi)); /* without jumps */
        double damping = -log_size(&d->r, 0, omega) / omega, shift = phase / omega - 1;
        fprintf(data, "%.9g\t%.9g\t%.9g\t%.9g\t%.9g\n", omega, damping, shift,
                without_noise(damping, omega), without_noise(shift, omega));
    }
}

static void write_plane_script(const drawing *d, FILE *script)
{
    bool is_star = d->view == METHOD_VIEW_STAR;
    picture_head(&d->page, script, 720, 740);
    fprintf(
        script,
        "set title system('cat title') noenhanced\nset size square\nunset key\n"
        "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n"
        "set contour base\nset cntrparam levels discrete 0\nunset surface\n"
        "set table 'edge'\nsplot 'data' using 1:2:3\nunset table\n"
        "unset contour\nset datafile separator whitespace\n"
        "set palette defined (0 'white', 1 '%s')\nset cbrange [0:1]\nunset colorbox\n"
        "set xlabel 'Re z'\nset ylabel 'Im z'\n"
        "set arrow from graph 0, first 0 to graph 1, first 0 nohead front lc rgb '#888888'\n"
        "set arrow from first 0, graph 0 to first 0, graph 1 nohead front lc rgb '#888888'\n"
        "plot 'data' using 1:2:($3 > 0 ? 1 : 0) with image, 'edge' using 1:2 with lines lt %d\n",
        -d->half, d->half, -d->half, d->half, is_star ? "#f2c9a5" : "#b9d9ec", is_star ? 2 : 1);
}

static void write_frequency_script(const drawing *d, FILE *script)
{
    static const char *const name[] = {"damping", "phase error"};
    picture_head(&d->page, script, 960, 740);
    fputs("set multiplot layout 2,2 title system('cat title') noenhanced\nunset key\nset lmargin "
          "12\n",
          script);
    for (int k = 0; k < 2; k++) {
        fprintf(script,
                "set xlabel '%s'\nset ylabel '%s'\n"
                "unset logscale\nset format y '%%.3g'\nset xrange [0:pi]\nset yrange [*:*]\n"
                "set xzeroaxis lt -1 lw 0.6\nplot 'data' using 1:%d lt %d\n"
                "set logscale xy\nset format y '%%.0e'\nset xrange [1e-3:10]\n"
                "set yrange [1e-16:10]\nset ylabel 'size of the %s'\n"
                "plot 'data' using 1:%d lt %d\n",
                k ? "frequency times step [rad]" : "", name[k], k + 2, k + 1, name[k], k + 4,
                k + 1);
    }
    fputs("unset multiplot\n", script);
}

static void write_script(const void *self, FILE *script)
{
    const drawing *d = self;
    if (d->view == METHOD_VIEW_FREQUENCY)
        write_frequency_script(d, script);
    else
        write_plane_script(d, script);
}

/* What gnuplot reads. 0, or -1 with errno. */
static int write_files(const drawing *d, const char *name)
{
    static const char *const what[] = {
        [METHOD_VIEW_STABILITY] = "where |R(z)| <= 1",
        [METHOD_VIEW_STAR] = "order star, where |R(z)| > |exp(z)|",
        [METHOD_VIEW_FREQUENCY] = "an undamped oscillation over its frequency",
    };
    text title = {0};
    FILE *data = picture_file(&d->page, "data");
    if (!data) return -1;
    if (d->view == METHOD_VIEW_FREQUENCY)
        write_frequencies(d, data);
    else
        write_plane(d, data);
    text_format(&title, "%s: %s", name, what[d->view]);
    int failed = fclose(data);
    if (!failed) failed = picture_text(&d->page, "title", text_string(&title));
    text_free(&title);
    return failed ? -1 : 0;
}

int method_plot(const method *given, method_view view, const char *path, const char **where)
{
    drawing d = {.view = view};
    stability_find(given, &d.r);
    int failed = 0;
    if (picture_begin(&d.page, path, where) != 0) {
        failed = 2;
    } else {
        d.half = choose_square(&d);
        if (write_files(&d, given->name) != 0) failed = 2;
        if (!failed && picture_draw(&d.page, write_script, &d) != 0) failed = 1;
    }
    picture_end(&d.page);
    return failed;
}
