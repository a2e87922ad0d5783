#include "formulation/model_problem.h"

#include "model/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dae_problem {
    message message;
    arena memory; /* of text, name and settings */
    arena model;  /* of what was flattened last */
    const char *name, *text;
    size_t length;
    LIST(model_setting) setting;
    sym_system *system; /* NULL until looked at, and after a failure */
    bool looked;
};

/* A parameter that the start determines is an unknown that does not change: der(p) = 0. */
static void add_parameter_equations(void *argument)
{
    sym_system *system = argument;
    for (uint32_t i = 0; i < system->unknown.count; i++) {
        const sym_unknown *u = &system->unknown.item[i];
        if (!u->parameter) continue;
        sym_equation constant = {.lhs = sym_variable(system->graph, i, 1),
                                 .rhs = sym_number(system->graph, 0),
                                 .at = u->at,
                                 .text = arena_format(system->memory, "%s is constant", u->name)};
        list_push(system->memory, &system->equation, constant);
    }
}

dae_status model_problem_load(const dae_problem *problem, arena *a, message *m, sym_system **system)
{
    if (problem->message.status != DAE_OK) {
        message_fail(m, problem->message.status, "%s", "");
        text_add(&m->sentence, message_string(&problem->message));
        return m->status;
    }
    model_text source = {.file = problem->name, .bytes = problem->text, .length = problem->length};
    dae_status status = model_load(a, &source, problem->setting.count, problem->setting.item, m,
                                   system);
    if (status != DAE_OK) return status;
    if (arena_protect(a, add_parameter_equations, *system) != DAE_OK)
        return message_fail(m, DAE_NO_MEMORY, "memory is exhausted");
    return DAE_OK;
}

static void look(dae_problem *p)
{
    if (p->looked || p->message.status != DAE_OK) return;
    p->looked = true;
    message m = {0};
    dae_status status = model_problem_load(p, &p->model, &m, &p->system);
    message_free(&p->message);
    p->message = m;
    if (status != DAE_OK) p->system = NULL;
}

typedef struct copy {
    dae_problem *problem;
    const char *name, *text;
    size_t length;
} copy;

static void keep_text(void *argument)
{
    copy *c = argument;
    c->problem->name = arena_copy(&c->problem->memory, c->name, strlen(c->name));
    c->problem->text = arena_copy(&c->problem->memory, c->text, c->length);
    c->problem->length = c->length;
}

dae_problem *dae_problem_parse(const char *name, const char *bytes, size_t length)
{
    dae_problem *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    copy c = {.problem = p, .name = name ? name : "model", .text = bytes, .length = length};
    if (arena_protect(&p->memory, keep_text, &c) != DAE_OK) {
        dae_problem_free(p);
        return NULL;
    }
    return p;
}

/* The whole of a stream, or as much as shows that it is too long for a model: what never ends, such
 * as /dev/zero, is not read until memory is out. 0; the reason otherwise, an errno. */
static int read_all(FILE *file, text *all)
{
    char part[16384];
    size_t got;
    while (all->length <= MODEL_LARGEST_TEXT && (got = fread(part, 1, sizeof part, file)) > 0)
        text_add_bytes(all, part, got);
    if (ferror(file)) return errno ? errno : EIO;
    return all->length > MODEL_LARGEST_TEXT ? EFBIG : 0;
}

dae_problem *dae_problem_read(const char *path)
{
    bool standard_input = strcmp(path, "-") == 0;
    errno = 0;
    FILE *file = standard_input ? stdin : fopen(path, "rb");
    text all = {0};
    int reason = file ? read_all(file, &all) : errno;
    dae_problem *p = dae_problem_parse(standard_input ? "<stdin>" : path, text_string(&all),
                                       reason ? 0 : all.length);
    if (p && reason == EFBIG)
        message_fail(&p->message, DAE_FILE_ERROR, "%s is longer than %d MiB: no model",
                     standard_input ? "standard input" : path, MODEL_LARGEST_TEXT >> 20);
    else if (p && reason && standard_input)
        message_fail(&p->message, DAE_FILE_ERROR, "standard input cannot be read: %s",
                     strerror(reason));
    else if (p && reason)
        message_fail(&p->message, DAE_FILE_ERROR, "the model file \"%s\" cannot be read: %s", path,
                     strerror(reason));
    if (p && !reason && all.cut) message_fail(&p->message, DAE_NO_MEMORY, "memory is exhausted");
    if (file && !standard_input) fclose(file);
    text_free(&all);
    return p;
}

typedef struct setting_argument {
    dae_problem *problem;
    const char *name, *value;
} setting_argument;

static void keep_setting(void *argument)
{
    setting_argument *s = argument;
    arena *a = &s->problem->memory;
    model_setting kept = {.name = arena_copy(a, s->name, strlen(s->name)),
                          .value = arena_copy(a, s->value, strlen(s->value))};
    list_push(a, &s->problem->setting, kept);
}

dae_status dae_problem_set(dae_problem *p, const char *name, const char *value)
{
    look(p);
    if (p->message.status != DAE_OK) return p->message.status;
    setting_argument s = {.problem = p, .name = name, .value = value};
    if (arena_protect(&p->memory, keep_setting, &s) != DAE_OK)
        return message_fail(&p->message, DAE_NO_MEMORY, "memory is exhausted");
    p->looked = false;
    p->system = NULL;
    arena_free(&p->model);
    look(p);
    return p->message.status;
}

dae_status dae_problem_status(dae_problem *p)
{
    look(p);
    return p->message.status;
}

const char *dae_problem_message(dae_problem *p)
{
    look(p);
    return p->message.status == DAE_OK ? "" : message_string(&p->message);
}

const char *dae_problem_notes(dae_problem *p)
{
    look(p);
    return text_string(&p->message.notes);
}

size_t dae_problem_size(dae_problem *p)
{
    look(p);
    return p->system ? p->system->unknown.count : 0;
}

const char *dae_problem_variable(dae_problem *p, size_t i)
{
    return i < dae_problem_size(p) ? p->system->unknown.item[i].name : NULL;
}

const char *dae_problem_unit(dae_problem *p, size_t i)
{
    return i < dae_problem_size(p) ? p->system->unknown.item[i].unit : NULL;
}

static size_t find_exactly(dae_problem *p, const char *name)
{
    size_t count = dae_problem_size(p);
    for (size_t i = 0; i < count; i++)
        if (strcmp(p->system->unknown.item[i].name, name) == 0) return i;
    return (size_t)-1;
}

size_t dae_problem_find(dae_problem *p, const char *name)
{
    size_t found = find_exactly(p, name), length = strlen(name);
    bool quoted = length > 1 && name[0] == '\'' && name[length - 1] == '\'';
    char *bare = found == (size_t)-1 && quoted ? malloc(length) : NULL;
    if (!bare) return found;
    text_unquote(bare, name, length);
    found = find_exactly(p, bare);
    free(bare);
    return found;
}

const char *dae_problem_nearest(dae_problem *p, const char *name)
{
    size_t count = dae_problem_size(p);
    const char **names = malloc((count + 1) * sizeof *names);
    if (!names) return NULL;
    for (size_t i = 0; i < count; i++) names[i] = p->system->unknown.item[i].name;
    const char *nearest = text_nearest(name, names, count);
    free(names);
    return nearest;
}

dae_experiment dae_problem_experiment(dae_problem *p)
{
    look(p);
    if (!p->system) return (dae_experiment){0};
    const sym_experiment *e = &p->system->experiment;
    return (dae_experiment){
        .has_start = e->has_start,
        .has_stop = e->has_stop,
        .has_tolerance = e->has_tolerance,
        .has_interval = e->has_interval,
        .start = e->start,
        .stop = e->stop,
        .tolerance = e->tolerance,
        .interval = e->interval,
    };
}

void dae_problem_free(dae_problem *p)
{
    if (!p) return;
    message_free(&p->message);
    arena_free(&p->memory);
    arena_free(&p->model);
    free(p);
}
