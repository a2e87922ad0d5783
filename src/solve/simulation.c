#include "solve/simulation.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void simulation_reason(simulation *c, const char *format, ...)
{
    text *reasons = c->solver.reasons, reason = {0};
    TEXT_FORMAT_ARGUMENTS(&reason);
    if (!strstr(text_string(reasons), text_string(&reason)))
        text_format(reasons, "%s%s", reasons->length ? "; " : "", text_string(&reason));
    text_free(&reason);
}

/* When a derivative of the author counts as wrong. It does so where it is off by GROSS of its
 * terms, whatever the tolerance. It also does so from TOLERANCES times the relative tolerance, but
 * not below LEAST_OFF, where constants of single precision show. Fixed steps change nothing in
 * that: no step makes a wrong direction of the reactions right. */
static const double GROSS = 1e-3, TOLERANCES = 10, LEAST_OFF = 1e-6;

double simulation_allows_off(const simulation *c)
{
    return fmin(GROSS, fmax(LEAST_OFF, TOLERANCES * c->solver.options->rtol));
}

const double *simulation_shown_yp(const simulation *c)
{
    return c->rated && !c->passed ? c->rate : c->value_yp;
}

void simulation_take_rates(simulation *c)
{
    for (size_t i = 0; i < c->n; i++)
        if (!isnan(c->value_yp[i])) c->rate[i] = c->value_yp[i];
    c->rated = true;
}

long simulation_missing(const simulation *c)
{
    for (size_t j = 0; j < c->n; j++)
        if (!isfinite(c->value[j])) return (long)j;
    return -1;
}

void simulation_report_anew(simulation *c)
{
    if (c->reported) *c->reported = false;
}

/* The projections by name, and what they do to the constraint levels. `auto` is one of the first
 * two. */
enum { COORDINATE, FZ };

static const struct way {
    const char *word;
    projection_way way;
    const char *does;
} WAYS[] = {
    {"coordinate", PROJECTION_COORDINATE, "met after each step and at each output"},
    {"fz", PROJECTION_FZ, "met along f_z after each step and at each output"},
    {"derivative", PROJECTION_COORDINATE,
     "met at each output, and by the derivatives of each step"},
    {"post", PROJECTION_POST, "approached by one correction after each step"},
    {"post2", PROJECTION_POST2, "approached by two corrections after each step"},
    {"least-squares", PROJECTION_COORDINATE, "met together after each step and at each output"},
};

bool option_is(const char *value, const char *word)
{
    return strcmp(value, word) == 0;
}

bool simulation_projects_by(const simulation *c, const char *word)
{
    return option_is(c->solver.options->projection, word);
}

static const struct way *find_way(const simulation *c)
{
    size_t found = sizeof WAYS / sizeof *WAYS;
    while (found > 0 && !simulation_projects_by(c, WAYS[found - 1].word)) found--;
    if (found > 0) return &WAYS[found - 1];
    return &WAYS[constraint_levels_paired(c->levels) ? FZ : COORDINATE];
}

dae_status simulation_create_projection(simulation *c, bool wanted, bool at_steps)
{
    projection_free(c->projection);
    c->projection = NULL;
    c->project_steps = c->keep_values = false;
    c->solver.stats->projection = "none";
    if (!wanted) return DAE_OK;
    const struct way *w = find_way(c);
    message *m = c->solver.message;
    if (simulation_projects_by(c, "mass"))
        return message_fail(m, DAE_UNSUPPORTED,
                            "projection mass weighs changes by the mass of a mechanical system, "
                            "and these equations are none: take coordinate");
    if (w->way == PROJECTION_FZ && !constraint_levels_nested(c->levels) &&
        !constraint_levels_paired(c->levels))
        return message_fail(
            m, DAE_UNSUPPORTED,
            "projection fz corrects states in the direction in which multipliers act, and the "
            "structure of these equations shows no multipliers for their constraints: take "
            "coordinate or post");
    dae_status status = projection_create(&c->projection, c->levels, w->way);
    if (status == DAE_NO_MEMORY) return message_fail(m, status, "memory is exhausted");
    if (status != DAE_OK)
        return message_fail(m, status, "the system Jacobian is structurally singular");
    const dae_options *o = c->solver.options;
    if (o->step == 0) projection_expect(c->projection, fmax(o->rtol, o->atols ? 0 : o->atol));
    c->project_steps = at_steps;
    if (!at_steps) return DAE_OK;
    c->keep_values = simulation_projects_by(c, "derivative");
    c->solver.stats->projection = w->word;
    simulation_reason(c, "%zu constraint level%s %s", c->constraint_levels,
                      c->constraint_levels == 1 ? "" : "s", w->does);
    return DAE_OK;
}

void simulation_keep_values(simulation *c, const double *y)
{
    if (c->keep_values) memcpy(c->y, y, c->problem->n * sizeof *y);
}

void simulation_state(simulation *c, state_visit *s)
{
    STATE(s, c->left);
    STATE(s, c->passed);
    STATE_MEMBERS(s, simulation, c, step, levels);
    state_doubles(s, c->value, c->n);
    state_doubles(s, c->value_yp, c->n);
    state_doubles(s, c->y, c->problem->n);
    state_doubles(s, c->yp, c->problem->n);
    state_doubles(s, c->constraint, c->constraint_levels);
    if (c->projection) projection_state(c->projection, s);
    if (c->ops->state) c->ops->state(c, s);
}
