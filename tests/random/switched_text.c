#include "random/switched_forms.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text that grows. */
typedef struct writer {
    char *at;
    size_t used, room;
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *w, const char *format, ...)
{
    va_list values;
    char piece[512];
    va_start(values, format);
    int length = vsnprintf(piece, sizeof piece, format, values);
    va_end(values);
    if (length < 0 || (size_t)length >= sizeof piece) abort();
    if (w->used + (size_t)length + 1 > w->room) {
        w->room = 2 * w->room + 4096;
        w->at = realloc(w->at, w->room);
        if (!w->at) abort();
    }
    memcpy(w->at + w->used, piece, (size_t)length + 1);
    w->used += (size_t)length;
}

static void put_number(writer *w, double value)
{
    put(w, value < 0 ? "(%.17g)" : "%.17g", value == 0 ? 0 : value);
}

/* The right side of a row in a mode. */
static void put_row(writer *w, const sw_system *s, int mode, int i)
{
    const sw_mode *m = &s->mode[mode];
    put_number(w, m->c[i]);
    for (int j = 0; j < s->total; j++) {
        if (m->m[i][j] == 0) continue;
        put(w, " + ");
        put_number(w, m->m[i][j]);
        put(w, "*v%d", j + 1);
    }
    if (m->s[i] != 0) {
        put(w, " + ");
        put_number(w, m->s[i]);
        put(w, "*sin(%.17g*time)", s->omega);
    }
}

static void put_left(writer *w, const sw_system *s, int i)
{
    if (i < s->nx)
        put(w, "  der(v%d) = ", i + 1);
    else if (s->shape == SW_CUBIC && i == s->total - 1)
        put(w, "  v%d^3 - v%d^3 = ", i + 1, i);
    else
        put(w, "  0 = ");
}

/* The number of branches, their modes and conditions; the last has none. */
static int branches(const sw_system *s, const sw_style *how)
{
    return s->by == SW_TIMES && !how->discrete ? s->times + 1 : s->modes;
}

static int branch_mode(const sw_system *s, const sw_style *how, int k)
{
    return s->by == SW_TIMES && !how->discrete ? (s->first + k) % s->modes : s->modes - 1 - k;
}

static void put_condition(writer *w, const sw_system *s, const sw_style *how, int k)
{
    int mode = branch_mode(s, how, k);
    if (s->by == SW_TIMES && !how->discrete)
        put(w, how->variant ? "%.17g > time" : "time < %.17g", s->time[k]);
    else if (s->by == SW_THRESHOLD && !how->discrete)
        put(w, "v%d > %.17g", s->watched + 1, s->high);
    else if (s->by == SW_THRESHOLD || s->by == SW_RELAY)
        put(w, "on");
    else
        put(w, "m == %d", mode);
}

static void put_branches(writer *w, const sw_system *s, const sw_style *how, int first, int last,
                         bool equation)
{
    int count = branches(s, how);
    for (int k = 0; k < count; k++) {
        if (k + 1 < count) {
            put(w, k == 0 ? "if " : equation ? "  elseif " : " elseif ");
            put_condition(w, s, how, k);
            put(w, equation ? " then\n" : " then ");
        } else {
            put(w, equation ? "  else\n" : " else ");
        }
        for (int i = first; i < last; i++) {
            if (equation) put_left(w, s, i);
            put_row(w, s, branch_mode(s, how, k), i);
            if (equation) put(w, ";\n");
        }
    }
    if (equation) put(w, "  end if;\n");
}

static void put_equations(writer *w, const sw_system *s, const sw_style *how)
{
    if (how->fixed_mode < 0 && how->branches) {
        put(w, "  ");
        put_branches(w, s, how, 0, s->total, true);
        return;
    }
    for (int i = 0; i < s->total; i++) {
        put_left(w, s, i);
        if (how->fixed_mode >= 0)
            put_row(w, s, how->fixed_mode, i);
        else if (s->shape == SW_INDEX2 && i == s->total - 1) /* the same in all modes */
            put_row(w, s, 0, i);
        else
            put_branches(w, s, how, i, i + 1, false);
        put(w, ";\n");
    }
}

static void put_next_mode(writer *w, const sw_system *s)
{
    put(w, "    m = if pre(m) == %d then 0 else pre(m) + 1;\n", s->modes - 1);
}

static void put_relay(writer *w, const sw_system *s, const sw_style *how)
{
    int x = s->watched + 1;
    if (!how->discrete)
        put(w, "  on = v%d > %.17g or pre(on) and v%d > %.17g;\n", x, s->high, x, s->low);
    else if (how->variant)
        put(w, "  when {v%d > %.17g, v%d < %.17g} then on = v%d > %.17g; end when;\n", x, s->high,
            x, s->low, x, (s->low + s->high) / 2);
    else
        put(w,
            "  when v%d > %.17g then on = true; elsewhen v%d < %.17g then on = false; end when;\n",
            x, s->high, x, s->low);
}

static void put_times(writer *w, const sw_system *s, const sw_style *how)
{
    for (int k = 0; k < s->times; k++)
        put(w, "  %s %s%.17g then m = %d;\n", k ? "elsewhen" : "when",
            how->variant ? "time > " : "time >= ", s->time[k], (s->first + k + 1) % s->modes);
    put(w, "  end when;\n");
}

static bool jumps(const sw_system *s)
{
    return s->by == SW_RESET || s->by == SW_SAMPLED_RESET;
}

static void put_jumps(writer *w, const sw_system *s, const sw_style *how)
{
    for (int i = 0; i < s->n; i++) {
        if (s->factor[i] == 1) continue;
        put(w, "    reinit(v%d, ", i + 1);
        put_number(w, s->factor[i]);
        put(w, how->variant ? "*pre(v%d) + " : "*v%d + ", i + 1);
        put_number(w, s->jump[i]);
        put(w, ");\n");
    }
    if (s->toggles) put_next_mode(w, s);
}

static void put_events(writer *w, const sw_system *s, const sw_style *how)
{
    if (s->by == SW_RELAY) put_relay(w, s, how);
    if (s->by == SW_TIMES && how->discrete) put_times(w, s, how);
    if (s->by == SW_THRESHOLD && how->discrete)
        put(w, "  on = v%d > %.17g;\n", s->watched + 1, s->high);
    if (s->by == SW_RESET)
        put(w, "  when v%d %c %.17g then\n", s->watched + 1, s->direction > 0 ? '>' : '<', s->high);
    if (s->by == SW_SAMPLES || s->by == SW_SAMPLED_RESET)
        put(w, "  when sample(%.17g, %.17g) then\n", s->phase, s->period);
    if (s->by == SW_SAMPLES) put_next_mode(w, s);
    if (jumps(s)) put_jumps(w, s, how);
    if (jumps(s) || s->by == SW_SAMPLES) put(w, "  end when;\n");
}

static void put_modes(writer *w, const sw_system *s, const sw_style *how)
{
    bool integer = s->by == SW_SAMPLES || jumps(s) || (s->by == SW_TIMES && how->discrete);
    if (integer) put(w, "  Integer m(start = %d, fixed = true);\n", s->first);
    if (s->by == SW_RELAY)
        put(w, "  Boolean on(start = %s, fixed = true);\n", s->first ? "true" : "false");
    if (s->by == SW_THRESHOLD && how->discrete) put(w, "  Boolean on;\n");
}

char *sw_text(const sw_system *s, const sw_style *how, const double *v)
{
    writer w = {0};
    put(&w, "model Switched // %s, %s\n", sw_switch_names[s->by], sw_shape_names[s->shape]);
    for (int i = 0; i < s->total; i++)
        put(&w, "  Real v%d(start = %.17g%s);\n", i + 1, v[i], i < s->n ? ", fixed = true" : "");
    if (how->fixed_mode < 0) put_modes(&w, s, how);
    put(&w, "equation\n");
    put_equations(&w, s, how);
    if (how->fixed_mode < 0) put_events(&w, s, how);
    if (how->fixed_mode < 0 && jumps(s) && !s->toggles) put(&w, "  m = %d;\n", s->first);
    put(&w, "end Switched;\n");
    return w.at;
}
