#include "formulation/mechanical_formulation.h"

#include "formulation/dependent_constraints.h"
#include "formulation/mechanical_formulation_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const mechanical_formulation_ops *mechanical_formulation_at(size_t i)
{
    const mechanical_formulation_ops *const *const lists[] = {
        multiplier_formulation_rows, elimination_formulation_rows, minimal_formulation_rows};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (const mechanical_formulation_ops *const *row = lists[l]; *row; row++)
            if (i-- == 0) return *row;
    return NULL;
}

const mechanical_formulation_ops *mechanical_formulation_find(const char *name)
{
    size_t length = strcspn(name, ":");
    const mechanical_formulation_ops *row;
    for (size_t i = 0; (row = mechanical_formulation_at(i)) != NULL; i++)
        if (strlen(row->name) == length && strncmp(row->name, name, length) == 0) return row;
    return NULL;
}

int formulation_answer(dae_status status)
{
    return status == DAE_OK ? 0 : status == DAE_STOPPED ? -1 : 1;
}

formulated_names formulated_names_begin(mechanical_formulation *c, size_t n)
{
    arena *a = &c->memory;
    formulated_names names = {.c = c};
    names.variable = arena_array(a, n, sizeof *names.variable);
    names.equation = arena_array(a, n, sizeof *names.equation);
    names.index = arena_array(a, n, sizeof *names.index);
    names.author = arena_array(a, n, sizeof *names.author);
    c->n = n;
    c->author = names.author;
    return names;
}

void formulated_name_unknowns(formulated_names *names, const char *before, size_t first,
                              size_t count, const char *behind, int index)
{
    mechanical_formulation *c = names->c;
    for (size_t i = first; i < first + count; i++) {
        size_t j = names->variables++;
        names->variable[j] = arena_format(&c->memory, "%s%s%s", before,
                                          c->mechanical->form->variable[i], behind);
        names->index[j] = (unsigned char)index;
        names->author[j] = i;
    }
}

static const char *name_equation(arena *a, const mechanical_form *f, size_t i)
{
    if (f->equation) return f->equation[i];
    if (i < f->nq) return arena_format(a, "the kinematic equation of %s", f->variable[i]);
    if (i < f->nq + f->nv) return arena_format(a, "the equation of motion of %s", f->variable[i]);
    return arena_format(a, "constraint %zu", i - f->nq - f->nv + 1);
}

const char *const *mechanical_equation_names(arena *a, const mechanical_form *form)
{
    const char **name = arena_array(a, form->n, sizeof *name);
    for (size_t i = 0; i < form->n; i++) name[i] = name_equation(a, form, i);
    return name;
}

void formulated_name_equations(formulated_names *names, const char *before, size_t first,
                               size_t count)
{
    mechanical_formulation *c = names->c;
    for (size_t i = first; i < first + count; i++)
        names->equation[names->equations++] = arena_format(
            &c->memory, "%s%s", before, name_equation(&c->memory, c->mechanical->form, i));
}

dae_about formulation_about(const formulated_names *names)
{
    const mechanical_formulation *c = names->c;
    double *nominal = arena_array(&names->c->memory, c->n, sizeof *nominal);
    for (size_t j = 0; j < c->n; j++)
        nominal[j] = names->author[j] == PROBLEM_NOWHERE
                         ? 1
                         : c->mechanical->form->nominal[names->author[j]];
    return (dae_about){.name = c->mechanical->form->name,
                       .variable = names->variable,
                       .equation = names->equation,
                       .index = names->index,
                       .nominal = nominal,
                       .user = names->c};
}

static dae_status refuse_parameter(const mechanical_formulation_ops *row, const char *given,
                                   message *m)
{
    message_fail(m, DAE_USAGE, "formulation %s: \"%s\" is not one of its parameters", row->name,
                 given);
    if (!row->parameter[0].name) message_more(m, ": it has none");
    for (int i = 0; i < FORMULATION_MOST_PARAMETERS && row->parameter[i].name; i++)
        message_more(m, "%s%s", i ? ", " : ", which are ", row->parameter[i].name);
    return m->status;
}

/* A number of `length` bytes, or "auto". */
static bool read_value(const formulation_parameter *p, const char *given, size_t length,
                       double *value)
{
    if (p->automatic && length == 4 && strncmp(given, "auto", 4) == 0) {
        *value = 0;
        return true;
    }
    char *end;
    double number = strtod(given, &end);
    if (length == 0 || end != given + length || !isfinite(number) || !(number > p->above))
        return false;
    *value = number;
    return true;
}

/* One "name=value" of `length` bytes. */
static dae_status read_parameter(mechanical_formulation *c, const char *given, size_t length,
                                 message *m)
{
    const mechanical_formulation_ops *row = c->ops;
    for (int i = 0; i < FORMULATION_MOST_PARAMETERS && row->parameter[i].name; i++) {
        const formulation_parameter *p = &row->parameter[i];
        size_t named = strlen(p->name);
        if (length <= named || strncmp(given, p->name, named) != 0 || given[named] != '=') continue;
        if (read_value(p, given + named + 1, length - named - 1, &c->parameter[i])) return DAE_OK;
        return message_fail(m, DAE_USAGE,
                            "formulation %s: %s=%.*s: expected a finite number above %g%s",
                            row->name, p->name, (int)(length - named - 1), given + named + 1,
                            p->above, p->automatic ? ", or auto" : "");
    }
    return refuse_parameter(row, given, m);
}

static dae_status read_parameters(mechanical_formulation *c, const char *name, message *m)
{
    dae_status status = DAE_OK;
    for (int i = 0; i < FORMULATION_MOST_PARAMETERS; i++)
        c->parameter[i] = c->ops->parameter[i].value;
    const char *given = strchr(name, ':');
    while (status == DAE_OK && given) {
        size_t length = strcspn(++given, ",");
        status = read_parameter(c, given, length, m);
        given = given[length] ? given + length : NULL;
    }
    return status;
}

typedef struct making {
    mechanical_formulation *c;
    double t;
    const mechanical_point *p;
    message *m;
    dae_status status;
} making;

static void make(void *argument)
{
    making *g = argument;
    g->status = g->c->ops->create(g->c, g->t, g->p, g->m);
}

static dae_status refuse_large(const mechanical_formulation_ops *row, const mechanical_form *f,
                               bool without_jacobian, message *m)
{
    bool full = row->most > 0 && !(row->full_jacobian_alone && without_jacobian);
    if (!full || f->nv + f->constraints <= row->most) return DAE_OK;
    return message_fail(m, DAE_UNSUPPORTED,
                        "formulation %s has full matrices%s, too large for %zu velocities "
                        "and %zu constraints (%zu together at most)\n  remedy: take formulation "
                        "ggl, or elimination with an explicit method such as dop853",
                        row->name, row->full_jacobian_alone ? " where the method is implicit" : "",
                        f->nv, f->constraints, row->most);
}

dae_status mechanical_formulation_create(mechanical_formulation **created,
                                         const mechanical_form *form, const char *name,
                                         bool without_jacobian, double t, const mechanical_point *p,
                                         message *m)
{
    const mechanical_formulation_ops *row = mechanical_formulation_find(name);
    if (!row) return message_fail(m, DAE_USAGE, "formulation \"%s\" is not known", name);
    if (refuse_large(row, form, without_jacobian, m) != DAE_OK) return m->status;
    mechanical_formulation *c = calloc(1, row->size);
    if (!c) return message_fail(m, DAE_NO_MEMORY, "memory is exhausted");
    c->ops = row;
    c->observed = t;
    c->without_jacobian = without_jacobian;
    making g = {.c = c, .t = t, .p = p, .m = m};
    dae_status status = read_parameters(c, name, m);
    if (status == DAE_OK) status = mechanical_create(&c->mechanical, form, m);
    /* A slot allocates its memory when it is first used. It is used early here, because a callback
     * of the equations could not report exhausted memory. The point is consistent, so it stays. */
    if (status == DAE_OK && !row->holds_multipliers)
        status = mechanical_accelerate(c->mechanical, t, p->q, p->v, p->vp, p->lambda);
    if (status == DAE_OK) status = arena_protect(&c->memory, make, &g);
    if (status == DAE_OK) status = g.status;
    if (status == DAE_OK && c->equations) equations_share_stop(c->equations, form->stop);
    *created = c;
    if (status == DAE_OK || m->status == DAE_OK) return status;
    mechanical_formulation_free(c);
    *created = NULL;
    return m->status;
}

void mechanical_formulation_number(mechanical_formulation *c, size_t first)
{
    c->first = c->renewals = c->at = first;
}

bool formulation_turn(mechanical_formulation *c, size_t omega, double t)
{
    bool turns = (t - c->observed) * c->parameter[omega] < 0;
    c->observed = t;
    if (turns) c->parameter[omega] = -c->parameter[omega];
    return turns;
}

void mechanical_formulation_state(mechanical_formulation *c, state_visit *s)
{
    STATE_MEMBERS(s, mechanical_formulation, c, renewals, keeps);
    STATE(s, c->away);
    STATE(s, c->parameter);
    if (c->dependent) dependent_constraints_state(c->dependent, s);
    if (c->ops->state) c->ops->state(c, s);
}

void mechanical_formulation_free(mechanical_formulation *c)
{
    if (!c) return;
    if (c->ops->free) c->ops->free(c);
    dependent_constraints_free(c->dependent);
    mechanical_free(c->mechanical);
    arena_free(&c->memory);
    free(c);
}
