/* Options: their defaults, their bounds, and which of them exclude each other. */
#include "formulation/mechanical_formulation.h"
#include "solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dae_options dae_options_default(void)
{
    return (dae_options){
        .size = sizeof(dae_options),
#define X(type, name, default_value, lowest, highest, unit, meaning) .name = default_value,
#include <daedal/options.def>
#undef X
    };
}

/* Whether a number lies within the bounds of its option. What names mean is checked below. */
static bool within(double value, double lowest, double highest)
{
    return value >= lowest && value <= highest;
}

#define CHECK_double(name, lowest, highest) CHECK_NUMBER(name, lowest, highest)
#define CHECK_size_t(name, lowest, highest) CHECK_NUMBER(name, lowest, highest)
#define CHECK_bool(name, lowest, highest)   CHECK_NUMBER(name, lowest, highest)
#define CHECK_dae_name(name, lowest, highest) \
    if (!o->name) message_fail(m, DAE_USAGE, "option " #name " is missing: NULL is no name")
#define CHECK_NUMBER(name, lowest, highest)                                            \
    if (!within((double)o->name, lowest, highest))                                     \
    message_fail(m, DAE_USAGE, "option " #name " = %.9g is not between %.9g and %.9g", \
                 (double)o->name, (double)(lowest), (double)(highest))

static dae_status check_each(const dae_options *o, message *m)
{
#define X(type, name, default_value, lowest, highest, unit, meaning) \
    CHECK_##type(name, lowest, highest);
#include <daedal/options.def>
#undef X
    return m->status;
}

static void check_word(const char *option, const char *word, const char *const *known, size_t count,
                       message *m)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, known[i]) == 0) return;
    const char *nearest = text_nearest(word, known, count);
    message_fail(m, DAE_USAGE, "%s \"%s\" is not known%s%s%s; there are", option, word,
                 nearest ? "; nearest: \"" : "", nearest ? nearest : "", nearest ? "\"" : "");
    for (size_t i = 0; i < count; i++) message_more(m, "%s %s", i ? "," : "", known[i]);
}

/* Refuses bounds of the steps that error control chooses where the step is fixed. */
static void check_fixed_step(const dae_options *o, message *m)
{
    const char *other = o->first_step > 0 ? "first_step" : o->max_step > 0 ? "max_step" : NULL;
    if (o->step > 0 && other)
        message_fail(m, DAE_USAGE,
                     "options step and %s exclude each other: one fixes the step, the other bounds "
                     "what error control chooses",
                     other);
}

/* Checks the name: formulations of all equations, then those of mechanical systems. Parameters are
 * read later. */
static void check_formulation(const char *name, message *m)
{
    enum { MOST = 32 };
    /* The last one is for structural methods. */
    const char *known[MOST] = {"auto", "direct", "tangent"};
    size_t count = 3;
    const mechanical_formulation_ops *row;
    for (size_t i = 0; (row = mechanical_formulation_at(i)) != NULL && count < MOST; i++)
        known[count++] = row->name;
    if (!mechanical_formulation_find(name)) check_word("formulation", name, known, count, m);
}

static void check_options(const dae_options *o, message *m)
{
    static const char *const projections[] = {"auto",     "none",         "coordinate", "mass",
                                              "fz",       "derivative",   "post",       "post2",
                                              "embedded", "least-squares"};
    static const char *const singular[] = {"stop", "pass"};
    if (check_each(o, m) != DAE_OK) return;
    check_fixed_step(o, m);
    check_formulation(o->formulation, m);
    check_word("projection", o->projection, projections, sizeof projections / sizeof *projections,
               m);
    check_word("singular", o->singular, singular, sizeof singular / sizeof *singular, m);
}

/* Fills the tolerances of all variables. `atol` counts in each variable's nominal size; `atols` is
 * taken as given. */
dae_status solve_keep_atols(dae_solver *s)
{
    const double *atols = s->options.atols;
    const simulation *c = s->simulation;
    size_t given = atols ? c->n - c->hidden : 0;
    bool sized = atols != NULL; /* or the problem gives typical sizes */
    s->options.atols = NULL;
    for (size_t i = 0; i < c->n; i++) sized = sized || c->nominal[i] != 1;
    for (size_t i = 0; i < given; i++)
        if (!within(atols[i], 1e-300, 1e300))
            return message_fail(&s->message, DAE_USAGE,
                                "option atols[%zu] = %.9g is not between 1e-300 and 1e+300", i,
                                atols[i]);
    if (!sized) return DAE_OK;
    s->atols = malloc((c->n + 1) * sizeof *s->atols);
    if (!s->atols) return message_status(&s->message, DAE_NO_MEMORY);
    for (size_t i = 0; i < c->n; i++) {
        double own = i < given ? atols[i] : s->options.atol * c->nominal[i];
        s->atols[i] = fmin(fmax(own, 1e-300), 1e300);
    }
    s->options.atols = atols ? s->atols : NULL;
    return DAE_OK;
}

/* Takes over options. Those that dae_options_default() has not initialised are refused, because
 * members other than the ones set have no defined value. Formulation tangent is for structural
 * methods. Of these, generalized-alpha is stable at any step, accurate to order 2, and damps what
 * it does not resolve (J. Chung & G. M. Hulbert, J. Appl. Mech. 60 (1993) 371). */
void solve_take_options(dae_solver *s, const dae_options *options)
{
    dae_options *o = &s->options;
    *o = dae_options_default();
    if (options && options->size != sizeof *options) {
        message_fail(&s->message, DAE_USAGE,
                     "the options have the size %zu, not %zu: take dae_options_default() and "
                     "change members",
                     options->size, sizeof *options);
        return;
    }
    if (options) *o = *options;
    check_options(o, &s->message);
    if (s->message.status == DAE_OK && option_is(o->formulation, "tangent") &&
        option_is(o->method, "auto"))
        o->method = "generalized-alpha";
}
