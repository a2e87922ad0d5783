#include "report/plot.h"

#include "base/round_off.h"
#include "base/text.h"
#include "method/catalogue.h"
#include "method/polynomial.h"
#include "method/properties.h"
#include "report/picture.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { GRID = 256, FREQUENCIES = 2000, RAYS = 60 };

typedef struct drawing {
    picture page;
    const method *method;
    stability_function r; /* of a one-step method */
    characteristic of;    /* of a multistep method */
    method_view view;
    double half; /* half side of the square around 0 that is drawn */
} drawing;

/* log |R(z)|, limited near zeros and poles. */
static double log_size(const stability_function *r, double re, double im)
{
    stability_point at = stability_value(r, re, im);
    double size = log(hypot(at.num_re, at.num_im) / hypot(at.den_re, at.den_im));
    return isnan(size) ? 0 : fmax(-50, fmin(50, size));
}

/* Positive where the method is stable. A small margin keeps round-off from deciding where a root
 * stays on the unit circle. */
static double stable(const drawing *d, double re, double im)
{
    if (d->method->multistep) return characteristic_margin(&d->of, re, im) + ROUND_OFF_AMPLIFIED;
    return -log_size(&d->r, re, im);
}

/* The outermost point where a ray from 0 crosses the boundary of the region of stability. */
static double last_crossing(const drawing *d, double angle)
{
    double last = 0, before = 0;
    for (double radius = 0.05; radius < 60; radius *= 1.03) {
        double size = stable(d, radius * cos(angle), radius * sin(angle));
        if (before * size < 0) last = radius;
        before = size;
    }
    return last;
}

/* Chooses a square that shows the boundary of the region. Rays along the imaginary axis are left
 * out, because that axis may itself be the boundary. */
static double choose_square(const drawing *d)
{
    const double right = acos(0.0);
    double widest = 0, poles = d->r.denominator.degree, zeros = d->r.numerator.degree;
    if (d->view == METHOD_VIEW_STAR) return 4 + fmax(2 * poles, zeros / 2);
    for (int k = 0; k <= RAYS; k++) {
        double angle = 2 * right * k / RAYS;
        if (fabs(angle - right) < 0.06) continue;
        widest = fmax(widest, last_crossing(d, angle));
    }
    return widest > 0 ? fmax(2, 1.25 * widest) : 3 + 2 * poles;
}

/* log |R(z) / e^z|. Near 0, where it is all round-off, it is the first term of its series, -C
 * z^(p+1). */
static double star(const stability_function *r, double x, double y)
{
    double value = log_size(r, x, y) - x, degree = r->order + 1;
    if (fabs(value) > 1e-12) return value;
    return -r->error_constant * pow(hypot(x, y), degree) * cos(degree * atan2(y, x));
}

/* Writes a function on a grid; it is positive in the shaded part. */
static void write_plane(const drawing *d, FILE *data)
{
    for (int i = 0; i < GRID; i++) {
        for (int j = 0; j < GRID; j++) {
            /* an even number of points leaves the axes between them */
            double x = d->half * (2 * (j + 0.5) / GRID - 1);
            double y = d->half * (2 * (i + 0.5) / GRID - 1);
            double value = d->view == METHOD_VIEW_STAR ? star(&d->r, x, y) : stable(d, x, y);
            fprintf(data, "%.6g\t%.6g\t%.6g\n", x, y, value);
        }
        putc('\n', data);
    }
}

/* The size of an error per radian; NAN, which is not drawn, where it is only the round-off of a
 * step. */
static double without_noise(double error, double omega)
{
    return fabs(error) * omega < 2 * ROUND_OFF_SUM ? (double)NAN : fabs(error);
}

/* Writes the behaviour on y' = i omega y. The exact factor of a step is e^(i omega h). Per unit of
 * omega h, the method has the damping -log |factor| / (omega h) and a phase error. */
static int write_frequencies(const drawing *d, FILE *data)
{
    method_frequency *at = calloc(FREQUENCIES, sizeof *at);
    if (!at) return -1;
    method_frequencies(d->method, 1e-3, 10, FREQUENCIES, at);
    for (int k = 0; k < FREQUENCIES; k++) {
        double omega = at[k].omega, shift = at[k].phase;
        double damping = -fmax(-50, fmin(50, log(at[k].modulus))) / omega;
        fprintf(data, "%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\n", omega, damping, shift,
                without_noise(damping, omega), without_noise(shift, omega), at[k].radius);
    }
    free(at);
    return 0;
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
    picture_head(&d->page, script, 960, 1080);
    fputs("set multiplot layout 3,2 title system('cat title') noenhanced\nunset key\nset lmargin "
          "12\n",
          script);
    for (int k = 0; k < 2; k++) {
        fprintf(script,
                "set ylabel '%s'\n"
                "unset logscale\nset format y '%%.3g'\nset xrange [0:pi]\nset yrange [*:*]\n"
                "set xzeroaxis lt -1 lw 0.6\nplot 'data' using 1:%d lt %d\n"
                "set logscale xy\nset format y '%%.0e'\nset xrange [1e-3:10]\n"
                "set yrange [1e-16:10]\nset ylabel 'size of the %s'\n"
                "plot 'data' using 1:%d lt %d\n",
                name[k], k + 2, k + 1, name[k], k + 4, k + 1);
    }
    fputs("set xlabel 'frequency times step [rad]'\nset ylabel 'largest root'\n"
          "unset logscale\nset format y '%.3g'\nset xrange [0:pi]\nset yrange [0:*]\n"
          "plot 'data' using 1:6 lt 3, 1 lt -1 lw 0.6\n"
          "set logscale x\nset xrange [1e-3:10]\nplot 'data' using 1:6 lt 3, 1 lt -1 lw 0.6\n"
          "unset multiplot\n",
          script);
}

static void write_script(const void *self, FILE *script)
{
    const drawing *d = self;
    if (d->view == METHOD_VIEW_FREQUENCY)
        write_frequency_script(d, script);
    else
        write_plane_script(d, script);
}

/* Writes the files that gnuplot reads. 0, or -1 with errno. */
static int write_files(const drawing *d)
{
    static const char *const what[] = {
        [METHOD_VIEW_STABILITY] = "where |R(z)| <= 1",
        [METHOD_VIEW_STAR] = "order star, where |R(z)| > |exp(z)|",
        [METHOD_VIEW_FREQUENCY] = "an undamped oscillation over its frequency",
    };
    text title = {0};
    FILE *data = picture_file(&d->page, "data");
    if (!data) return -1;
    int failed = 0;
    if (d->view == METHOD_VIEW_FREQUENCY)
        failed = write_frequencies(d, data);
    else
        write_plane(d, data);
    bool multistep = d->method->multistep && d->view == METHOD_VIEW_STABILITY;
    text_format(&title, "%s: %s", d->method->name,
                multistep ? "where all roots at z are in the unit circle" : what[d->view]);
    if (fclose(data) != 0) failed = -1;
    if (!failed) failed = picture_text(&d->page, "title", text_string(&title));
    text_free(&title);
    return failed ? -1 : 0;
}

int method_plot(const method *given, method_view view, const char *path, const char **where)
{
    drawing d = {.method = given, .view = view};
    if (given->structural)
        ; /* what is drawn of it asks for neither */
    else if (given->multistep)
        characteristic_find(given, &d.of);
    else
        stability_find(given, &d.r);
    int failed = 0;
    if (picture_begin(&d.page, path, where) != 0) {
        failed = 2;
    } else {
        d.half = choose_square(&d);
        if (write_files(&d) != 0) failed = 2;
        if (!failed && picture_draw(&d.page, write_script, &d) != 0) failed = 1;
    }
    picture_end(&d.page);
    return failed;
}
