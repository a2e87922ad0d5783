/* Problems made from the functions of a C program. */
#include "formulation/problem_handle.h"
#include "model/source.h"

#include <daedal/forms.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct setting {
    dae_problem *problem;
    const char *value;
    double number;
    bool read;
} setting;

static void read_number(void *argument)
{
    setting *s = argument;
    const char *digits = s->value + strspn(s->value, " \t");
    bool minus = *digits == '-';
    if (*digits == '-' || *digits == '+') digits++;
    size_t length = strlen(digits);
    while (length && strchr(" \t", digits[length - 1])) length--;
    s->read = length && model_parse_number(&s->problem->memory, digits, length, &s->number);
    if (minus) s->number = -s->number;
}

static dae_status form_set(dae_problem *p, const char *name, const char *value)
{
    message *m = &p->message;
    size_t j = dae_problem_find(p, name);
    if (j == (size_t)-1) {
        const char *nearest = dae_problem_nearest(p, name);
        return message_fail(m, DAE_USAGE, "no variable is called %s%s%s", name,
                            nearest ? "; nearest: " : "", nearest ? nearest : "");
    }
    setting s = {.problem = p, .value = value};
    if (arena_protect(&p->memory, read_number, &s) != DAE_OK)
        return message_fail(m, DAE_NO_MEMORY, "memory is exhausted");
    if (!s.read)
        return message_fail(m, DAE_USAGE, "%s=%s: expected a number, the start value of %s", name,
                            value, name);
    p->start[j] = s.number;
    return DAE_OK;
}

static size_t form_size(const dae_problem *p)
{
    return p->equations ? p->equations->n : p->mechanical->n;
}

static const char *form_variable(const dae_problem *p, size_t i)
{
    return p->equations ? p->equations->variable[i] : p->mechanical->variable[i];
}

static const problem_kind form_kind = {
    .set = form_set,
    .size = form_size,
    .variable = form_variable,
};

static void make_start(void *argument)
{
    dae_problem *p = argument;
    size_t n = form_size(p);
    p->start = arena_array(&p->memory, n, sizeof *p->start);
    for (size_t j = 0; j < n; j++) p->start[j] = (double)NAN;
}

/* The kind of a form that is not one of equations. */
enum { MECHANICAL = -1 };

/* kind: an equations_kind, or MECHANICAL. */
static dae_problem *create(int kind, const void *form)
{
    dae_problem *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    message *m = &p->message;
    p->kind = &form_kind;
    if (!form)
        message_fail(m, DAE_USAGE, "the form of the problem is missing");
    else if (kind == MECHANICAL)
        mechanical_form_create(&p->mechanical, &p->memory, form, m);
    else
        equations_create(&p->equations, &p->memory, (equations_kind)kind, form, m);
    if (m->status == DAE_OK && arena_protect(&p->memory, make_start, p) != DAE_OK)
        message_fail(m, DAE_NO_MEMORY, "memory is exhausted");
    if (m->status != DAE_NO_MEMORY) return p;
    p->equations = NULL;
    p->mechanical = NULL;
    return p;
}

dae_problem *dae_problem_residual(const dae_residual_form *form)
{
    return create(EQUATIONS_RESIDUAL, form);
}

dae_problem *dae_problem_mass(const dae_mass_form *form)
{
    return create(EQUATIONS_MASS, form);
}

dae_problem *dae_problem_semi_explicit(const dae_semi_explicit_form *form)
{
    return create(EQUATIONS_SEMI_EXPLICIT, form);
}

dae_problem *dae_problem_linear(const dae_linear_form *form)
{
    return create(EQUATIONS_LINEAR, form);
}

dae_problem *dae_problem_invariant(const dae_invariant_form *form)
{
    return create(EQUATIONS_INVARIANT, form);
}

dae_problem *dae_problem_mechanical(const dae_mechanical_form *form)
{
    return create(MECHANICAL, form);
}
