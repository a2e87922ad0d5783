#include "random/sliding.h"

#include <math.h>
#include <string.h>

static double side_rate(const slide_system *s, double t, bool turned, int above)
{
    return s->a[turned][above] + s->drive + s->slope * t + s->swing * sin(s->w * t + s->phase);
}

static double drive_integral(const slide_system *s, double t)
{
    return s->drive * t + s->slope * t * t / 2 - s->swing / s->w * cos(s->w * t + s->phase);
}

/* A piece of the path. */
typedef struct piece {
    double t, x, z;
    slide_mode mode;
    bool turned;
} piece;

static double x_at(const slide_system *s, const piece *p, double t)
{
    if (p->mode == SIDE_NONE) return 0;
    return p->x + s->a[p->turned][p->mode] * (t - p->t) + drive_integral(s, t) -
           drive_integral(s, p->t);
}

static double z_rate(const slide_system *s, const piece *p, double t)
{
    const double *c = s->c[p->turned];
    if (p->mode != SIDE_NONE) return s->b * x_at(s, p, t) + c[p->mode];
    double below = side_rate(s, t, p->turned, 0), above = side_rate(s, t, p->turned, 1);
    double share = below / (below - above); /* of the side above */
    return share * c[1] + (1 - share) * c[0];
}

/* Gauss's rule with three points. */
static double z_at(const slide_system *s, const piece *p, double t)
{
    enum { PARTS = 400 };
    double sum = 0, h = (t - p->t) / PARTS, off = sqrt(0.6) * h / 2;
    for (int k = 0; k < PARTS; k++) {
        double middle = p->t + (k + 0.5) * h;
        sum += h / 18 *
               (5 * z_rate(s, p, middle - off) + 8 * z_rate(s, p, middle) +
                5 * z_rate(s, p, middle + off));
    }
    return p->z + sum;
}

/* What ends a piece where it becomes negative. Along the surface: how much a side leads back. */
static double stays(const slide_system *s, const piece *p, double t, int which)
{
    if (p->mode == SIDE_ABOVE) return x_at(s, p, t);
    if (p->mode == SIDE_BELOW) return -x_at(s, p, t);
    return which ? -side_rate(s, t, p->turned, 1) : side_rate(s, t, p->turned, 0);
}

static double narrow(const slide_system *s, const piece *p, int which, double low, double high)
{
    for (int i = 0; i < 200; i++) {
        double t = low + (high - low) / 2;
        if (stays(s, p, t, which) < 0)
            high = t;
        else
            low = t;
    }
    return high;
}

static const double APART = 0.02; /* of events, in time; of rates, from 0 */

/* The end of a piece before `last`, by the condition `which`. */
static void find_end(const slide_system *s, const piece *p, double last, double *end, int *which)
{
    enum { PARTS = 2000 };
    *end = last;
    for (int k = 1; k <= PARTS; k++) {
        double t = p->t + (last - p->t) * k / PARTS;
        for (int i = 0; i < 2; i++) {
            double now = stays(s, p, t, i);
            if (now < 0) {
                *which = i;
                *end = narrow(s, p, i, p->t + (last - p->t) * (k - 1) / PARTS, t);
                return;
            }
        }
    }
}

/* Whether the path nearly has another event: it comes near the surface, or a share near its end. */
static bool is_near(const slide_system *s, const piece *p, double end, bool by_itself)
{
    enum { PARTS = 500 };
    for (int i = 0; i < 2; i++) {
        double before = stays(s, p, p->t, i), now = before;
        for (int k = 1; k <= PARTS; k++) {
            double t = p->t + (end - p->t) * k / PARTS, next = stays(s, p, t, i);
            if (k > 1 && now <= before && now <= next && now < APART) return true;
            before = now, now = next;
        }
        if (!by_itself && stays(s, p, end, i) < APART) return true;
    }
    return false;
}

/* The mode after an event on the surface; false: it is not clear. */
static bool leave(const slide_system *s, double t, bool turned, slide_mode from, slide_mode *to)
{
    double below = side_rate(s, t, turned, 0), above = side_rate(s, t, turned, 1);
    bool ends_above = from == SIDE_NONE && fabs(above) < 1e-9,
         ends_below = from == SIDE_NONE && fabs(below) < 1e-9;
    if (!ends_above && fabs(above) < APART) return false;
    if (!ends_below && fabs(below) < APART) return false;
    if (ends_above)
        *to = SIDE_ABOVE;
    else if (ends_below)
        *to = SIDE_BELOW;
    else if (below > 0 && above < 0)
        *to = SIDE_NONE;
    else if (below > 0)
        *to = SIDE_ABOVE;
    else if (above < 0)
        *to = SIDE_BELOW;
    else
        return false;
    return true;
}

/* A side whose rate is 0 where the motion along the surface ends has to leave clearly. */
static bool ends_clearly(const slide_system *s, const piece *p, double t, int which)
{
    double h = 1e-5;
    return p->mode != SIDE_NONE ||
           (stays(s, p, t - h, which) - stays(s, p, t + h, which)) / (2 * h) > 5 * APART;
}

static bool follow(const slide_system *s, slide_path *path)
{
    piece p = {.x = s->x0, .mode = s->x0 > 0 ? SIDE_ABOVE : SIDE_BELOW};
    *path = (slide_path){0};
    if (s->x0 == 0 && !leave(s, 0, false, SIDE_BELOW, &p.mode)) return false;
    path->slides = p.mode == SIDE_NONE;
    while (p.t < s->stop) {
        double last = s->turned != TURN_NONE && !p.turned ? s->turn : s->stop, end;
        int which = 0;
        find_end(s, &p, last, &end, &which);
        bool by_itself = end < last;
        if (end - p.t < APART || is_near(s, &p, end, by_itself)) return false;
        if (by_itself && !ends_clearly(s, &p, end, which)) return false;
        piece next = {.t = end, .z = z_at(s, &p, end), .mode = p.mode, .turned = p.turned};
        next.x = by_itself || p.mode == SIDE_NONE ? 0 : x_at(s, &p, end);
        if (end == s->stop) {
            p = next;
            break;
        }
        if (!by_itself) next.turned = true;
        if (next.x == 0 && !leave(s, end, next.turned, p.mode, &next.mode)) return false;
        path->slides += p.mode != SIDE_NONE && next.mode == SIDE_NONE;
        path->ends += p.mode == SIDE_NONE && next.mode != SIDE_NONE;
        path->turned_away += p.mode == SIDE_NONE && next.mode != SIDE_NONE && !by_itself;
        if (path->events == SLIDE_EVENTS) return false;
        path->event[path->events++] = end;
        p = next;
    }
    path->x = p.x;
    path->z = p.z;
    path->u = p.x + (s->level == 2 ? s->level_at * sin(s->w * s->stop)
                     : s->level    ? s->level_at
                                   : 0);
    return path->slides > 0;
}

static void draw_sides(slide_system *s, draw *d)
{
    for (int turned = 0; turned < 2; turned++) {
        for (int above = 0; above < 2; above++) {
            s->a[turned][above] = draw_eighths(d, -2, 2);
            s->c[turned][above] = draw_eighths(d, -2, 2);
        }
        bool attracts = !turned || draw_chance(d, 0.5);
        if (attracts) {
            s->a[turned][0] = fabs(s->a[turned][0]) + 0.125;
            s->a[turned][1] = -fabs(s->a[turned][1]) - 0.125;
        }
        if (!s->friction) continue;
        s->a[turned][1] = -s->a[turned][0];
        s->c[turned][0] = s->c[turned][1] = 0;
    }
    /* the conjunction leaves but one side */
    if (s->turned == TURN_AND)
        s->a[1][0] = s->a[1][1] = s->a[0][0], s->c[1][0] = s->c[1][1] = s->c[0][0];
    if (s->turned == TURN_OR)
        s->a[1][0] = s->a[1][1] = s->a[0][1], s->c[1][0] = s->c[1][1] = s->c[0][1];
}

static void draw_once(slide_system *s, draw *d)
{
    *s = (slide_system){.form = (slide_form)draw_below(d, SLIDE_FORMS),
                        .turned = (slide_turn)draw_below(d, SLIDE_TURNS),
                        .friction = draw_chance(d, 0.3),
                        .of_states = draw_chance(d, 0.4),
                        .with_abs = draw_chance(d, 0.3),
                        .level = draw_below(d, 3)};
    if (s->turned >= TURN_AND) s->form = FORM_ABOVE, s->friction = false;
    s->level_at = s->level ? draw_eighths(d, -2, 2) + 0.0625 : 0;
    s->b = s->friction ? 1 : draw_eighths(d, -1, 1);
    s->stop = draw_real(d, 3, 6);
    s->turn = draw_real(d, 0.5, s->stop - 0.3);
    s->drive = draw_chance(d, 0.7) ? draw_real(d, -1, 1) : 0;
    s->slope = draw_chance(d, 0.4) ? draw_real(d, -0.8, 0.8) : 0;
    s->swing = draw_chance(d, 0.7) ? draw_real(d, 0.2, 2.5) : 0;
    s->w = draw_real(d, 0.7, 4);
    s->phase = s->of_states ? 0 : draw_real(d, 0, 6);
    s->x0 = draw_chance(d, 0.15) ? 0 : draw_sign(d) * draw_real(d, 0.05, 1);
    draw_sides(s, d);
}

void slide_draw(slide_system *s, slide_path *p, draw *d)
{
    do draw_once(s, d);
    while (!follow(s, p));
}
