#include "formulation/problem_handle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dae_status problem_handle_status(const dae_problem *p, message *m)
{
    if (p->message.status == DAE_OK) return DAE_OK;
    message_fail(m, p->message.status, "%s", "");
    text_add(&m->sentence, message_string(&p->message));
    return m->status;
}

static void look(dae_problem *p)
{
    if (p->kind->look) p->kind->look(p);
}

dae_status dae_problem_set(dae_problem *p, const char *name, const char *value)
{
    if (!p) return DAE_USAGE;
    dae_status status = p->message.status;
    if (!name || !value)
        return message_fail(&p->message, DAE_USAGE, "the %s that is to be set is missing",
                            name ? "value" : "name");
    bool may_mend = status == DAE_MODEL_ERROR && p->kind->look; /* what the text leaves out */
    return status == DAE_OK || may_mend ? p->kind->set(p, name, value) : status;
}

/* Why these are no course; NULL: they are one. */
static const char *wrong_course(size_t count, const double *time, const double *value)
{
    if (count == 0 || !time || !value) return "has no values";
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(time[i]) || !isfinite(value[i]))
            return "has a time or value that is not finite";
        if (i > 0 && time[i] < time[i - 1]) return "has times that do not ascend";
    }
    return NULL;
}

dae_status dae_problem_feed(dae_problem *p, const char *name, size_t count, const double *time,
                            const double *value)
{
    if (!p) return DAE_USAGE;
    look(p);
    if (p->message.status != DAE_OK) return p->message.status;
    if (!name) return message_fail(&p->message, DAE_USAGE, "the name of an input is missing");
    const char *wrong = wrong_course(count, time, value);
    if (wrong)
        return message_fail(&p->message, DAE_USAGE, "the course of the input %s %s", name, wrong);
    if (!p->kind->feed)
        return message_fail(&p->message, DAE_USAGE,
                            "the functions of a C program have no inputs: give it %s in its user "
                            "data",
                            name);
    return p->kind->feed(p, name, count, time, value);
}

bool dae_problem_is_input(dae_problem *p, const char *name)
{
    size_t i = dae_problem_find(p, name);
    return i != (size_t)-1 && p->kind->is_input && p->kind->is_input(p, i);
}

bool dae_problem_is_discrete(dae_problem *p, size_t i)
{
    return i < dae_problem_size(p) && p->kind->is_discrete && p->kind->is_discrete(p, i);
}

dae_status dae_problem_status(dae_problem *p)
{
    if (!p) return DAE_USAGE;
    look(p);
    return p->message.status;
}

const char *dae_problem_message(dae_problem *p)
{
    if (!p) return NULL;
    look(p);
    return p->message.status == DAE_OK ? "" : message_string(&p->message);
}

const char *dae_problem_notes(dae_problem *p)
{
    if (!p) return NULL;
    look(p);
    return text_string(&p->message.notes);
}

size_t dae_problem_size(dae_problem *p)
{
    if (!p) return 0;
    look(p);
    return p->message.status == DAE_OK ? p->kind->size(p) : 0;
}

const char *dae_problem_variable(dae_problem *p, size_t i)
{
    return i < dae_problem_size(p) ? p->kind->variable(p, i) : NULL;
}

const char *dae_problem_unit(dae_problem *p, size_t i)
{
    if (i >= dae_problem_size(p)) return NULL;
    return p->kind->unit ? p->kind->unit(p, i) : "";
}

static size_t find_exactly(dae_problem *p, const char *name)
{
    size_t count = dae_problem_size(p);
    for (size_t i = 0; i < count; i++)
        if (strcmp(p->kind->variable(p, i), name) == 0) return i;
    return (size_t)-1;
}

size_t dae_problem_find(dae_problem *p, const char *name)
{
    if (!p || !name) return (size_t)-1;
    size_t found = find_exactly(p, name), length = strlen(name);
    bool quoted = length > 1 && name[0] == '\'' && name[length - 1] == '\'';
    char *bare = found == (size_t)-1 && quoted ? malloc(length) : NULL;
    if (!bare) return found;
    text_unquote(bare, name, length);
    found = find_exactly(p, bare);
    free(bare);
    return found;
}

dae_experiment dae_problem_experiment(dae_problem *p)
{
    if (!p) return (dae_experiment){0};
    look(p);
    bool known = p->message.status == DAE_OK && p->kind->experiment;
    return known ? p->kind->experiment(p) : (dae_experiment){0};
}

void dae_problem_free(dae_problem *p)
{
    if (!p) return;
    if (p->kind->free) p->kind->free(p);
    message_free(&p->message);
    arena_free(&p->memory);
    free(p);
}
