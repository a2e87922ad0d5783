/* What stopped a run, in the author's names. */
#include "solve/solver.h"
#include "structure/incidence.h"

#include <float.h>
#include <math.h>

static void begin(dae_solver *s, dae_status status, double t)
{
    message_fail(&s->message, status, "stopped at t = %.9g after %zu step%s: ", t,
                 s->engine->counts.steps, s->engine->counts.steps == 1 ? "" : "s");
}

static void name_variable(dae_solver *s, size_t j)
{
    problem *p = s->engine->problem;
    p->form->name_variable(p->self, j, &s->message.sentence);
}

static void name_equation(dae_solver *s, size_t i)
{
    problem *p = s->engine->problem;
    p->form->name_equation(p->self, i, &s->message.sentence);
}

/* The equation that gives a variable, or else the variable. */
static void name_source(const dae_solver *s, uint32_t variable, message *m)
{
    const formulation *f = s->formulation;
    if (f->core->given_by[variable] == INCIDENCE_NONE)
        text_add(&m->sentence, s->system->unknown.item[variable].name);
    else
        sym_equation_name(s->system, &s->system->equation.item[f->core->given_by[variable]],
                          &m->sentence);
}

void solve_blame_start(dae_solver *s, double t, message *m)
{
    const formulation *f = s->formulation;
    author_lift(f->author, t, f->start->start.guess, s->author[0], NULL);
    long missing = author_missing_value(f->author);
    if (missing < 0 || f->core->given_by[missing] == INCIDENCE_NONE) return;
    text_clear(&m->sentence);
    message_more(m, "no consistent initial values found: at the start values there is no finite "
                    "value of the right-hand side in ");
    name_source(s, (uint32_t)missing, m);
    message_more(m, "\n  remedy: give start values at which it can be evaluated (start = ...)");
}

/* The equation without a value in the evaluation that failed last: one that gives an explicit
 * variable, or the one of the row. */
static void name_missing(dae_solver *s, size_t row)
{
    formulation *f = s->formulation;
    const double *input = f->form->input;
    author_lift(f->author, input[0], input + 1, s->author[0], NULL);
    long missing = author_missing_value(f->author);
    if (missing >= 0 && f->core->given_by[missing] != INCIDENCE_NONE)
        name_source(s, (uint32_t)missing, &s->message);
    else
        name_equation(s, row);
}

/* Why the attempts before failed, whatever the run ended with. */
static void tell_cause(dae_solver *s)
{
    message *m = &s->message;
    const engine_trouble *trouble = &s->engine->trouble;
    switch (trouble->cause) {
    case DAE_NEWTON:
        message_more(m, "Newton's iteration does not converge, worst in ");
        name_variable(s, trouble->worst);
        message_more(m, " and in the equation ");
        name_equation(s, trouble->worst_row);
        message_more(m, ". Perhaps the solution ends there, or an equation jumps");
        break;
    case DAE_SINGULAR:
        message_more(m, "the iteration matrix is singular: near this point the equations do not "
                        "determine ");
        if (trouble->worst != PROBLEM_NOWHERE)
            name_variable(s, trouble->worst);
        else
            message_more(m, "all variables");
        if (trouble->worst_row != PROBLEM_NOWHERE) {
            message_more(m, "; no unknown enters ");
            name_equation(s, trouble->worst_row);
        }
        break;
    case DAE_NOT_EVALUABLE:
        message_more(m,
                     "an equation has no finite value (a division by zero, or a root or logarithm "
                     "of a negative number): ");
        name_missing(s, trouble->worst_row);
        break;
    default:
        message_more(m, "the error test fails however small the step, worst in ");
        name_variable(s, trouble->worst);
        message_more(m, " = %.6g. Perhaps it tends to infinity there, or jumps",
                     s->engine->y[trouble->worst]);
    }
}

dae_status solve_explain_step(dae_solver *s, dae_status status)
{
    message *m = &s->message;
    double t = s->engine->t;
    begin(s, status, t);
    switch (status) {
    case DAE_STEP_TOO_SMALL:
        message_more(m, "the step size falls below %.2g, too small to move t; ",
                     fmax(fabs(t), DBL_MIN) * 4 * DBL_EPSILON);
        tell_cause(s);
        break;
    case DAE_NEWTON:
    case DAE_SINGULAR:
    case DAE_NOT_EVALUABLE:
        message_more(m, "with the fixed step of %.6g, ", s->options.step);
        tell_cause(s);
        break;
    case DAE_TOO_MANY_STEPS:
        message_more(
            m,
            "%zu steps are allowed (--max-steps), the last were of length %.3g. Allow more, "
            "or loosen the tolerance",
            s->options.max_steps, s->engine->dense.h);
        break;
    default: message_more(m, "%s", dae_status_meaning(status));
    }
    message_more(m, ". What was computed up to there is kept.");
    return s->message.status;
}

dae_status solve_explain_missing(dae_solver *s, double t, uint32_t variable)
{
    if (s->engine && s->engine->counts.steps > 0)
        begin(s, DAE_NOT_EVALUABLE, t);
    else
        message_fail(&s->message, DAE_NOT_EVALUABLE, "at the start, t = %.9g: ", t);
    message_more(&s->message,
                 "%s has no finite value: a division by zero, or a root or logarithm of a "
                 "negative number in ",
                 s->system->unknown.item[variable].name);
    name_source(s, variable, &s->message);
    message_more(&s->message, ". What was computed before is kept.");
    return s->message.status;
}

dae_status solve_explain_projection(dae_solver *s, double t, dae_status status)
{
    const constraint_levels *levels = &s->formulation->levels->levels;
    size_t level, row;
    projection_trouble(s->projection, &level, &row);
    if (status == DAE_SINGULAR || status == DAE_CONSTRAINT) status = DAE_CONSTRAINT;
    begin(s, status, t);
    if (level >= levels->count) {
        message_more(&s->message, "the Jacobian of the constraints has no finite value there");
    } else {
        message_more(&s->message, "the state cannot be brought back to the constraints, worst in ");
        levels->form->name_row(levels->self, level, row, &s->message.sentence);
    }
    message_more(&s->message, ". Constraints may become dependent at this point. What was computed "
                              "up to there is kept.");
    return s->message.status;
}
