#include "formulation/from_model.h"
#include "formulation/problem_handle.h"
#include "hierarchy/hierarchy.h"
#include "model/load.h"
#include "symbolic/derive.h"
#include "symbolic/traced.h"

#include <daedal/external.h>
#include <daedal/hierarchy.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct model_problem {
    dae_problem handle; /* its memory holds text, name and settings */
    arena model;        /* memory of the system flattened last */
    const char *name, *text;
    size_t length;
    const char *directory; /* of its file; NULL: the text is in memory */
    const char *chosen;    /* the model of the text; NULL: not chosen */
    model_structure structure;
    hierarchy_flat flat; /* empty where the text is flat itself */
    hierarchy_flat set;  /* the same with all settings, where somebody has asked for it */
    LIST(model_setting) setting;
    LIST(model_course) course;
    LIST(model_code) code;
    sym_system *system; /* NULL until looked at and after a failure; its numbers are traced */
    structure *own;     /* NULL: no system, or a structural error, which its solver reports */
    size_t readings;
    bool looked;
} model_problem;

/* A parameter that the start determines is a constant unknown: der(p) = 0. */
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

/* Marks unknowns that are such an input, or an element of it. */
static void mark_open(const sym_system *system, const char *input)
{
    size_t length = strlen(input);
    for (size_t i = 0; i < system->unknown.count; i++) {
        const char *name = system->unknown.item[i].name;
        bool is = strncmp(name, input, length) == 0 &&
                  (name[length] == '\0' || name[length] == '[');
        if (is) system->unknown.item[i].open = true;
    }
}

/* Read the text with all settings. traces: keep numbers traced, so that parameters can be set
 * later. leads: model_given.leads. */
static dae_status load_as(const model_problem *p, bool traces, bool leads, arena *a, message *m,
                          sym_system **system, model_structure *found)
{
    model_text source = {.file = p->name, .bytes = p->text, .length = p->length};
    source.structure = found;
    if (p->flat.line) {
        source.bytes = text_string(&p->flat.text);
        source.length = p->flat.text.length;
        source.line = p->flat.line;
    }
    size_t left = 0; /* settings that the flat text does not contain */
    model_setting *setting = calloc(p->setting.count + 1, sizeof *setting);
    if (!setting) return message_fail(m, DAE_NO_MEMORY, "memory is exhausted");
    for (size_t i = 0; i < p->setting.count; i++) {
        bool known = p->flat.line && i < p->flat.settings; /* later ones are not in the text */
        if (known && p->flat.used[i]) continue;
        setting[left] = p->setting.item[i];
        if (known && p->flat.name[i]) setting[left].name = p->flat.name[i];
        left++;
    }
    const model_given given = {
        left, setting, p->course.count, p->course.item, p->code.count, p->code.item, leads};
    dae_status status = model_load(a, &source, &given, traces, m, system);
    free(setting);
    if (status != DAE_OK) return status;
    bool few = (*system)->equation.count < (*system)->unknown.count; /* else nothing lacks them */
    for (size_t k = 0; few && k < p->flat.open; k++) mark_open(*system, p->flat.open_input[k]);
    if (arena_protect(a, add_parameter_equations, *system) != DAE_OK)
        return message_fail(m, DAE_NO_MEMORY, "memory is exhausted");
    return DAE_OK;
}

static dae_status load(const model_problem *p, bool traces, arena *a, message *m,
                       sym_system **system, model_structure *found)
{
    return load_as(p, traces, false, a, m, system, found);
}

dae_status model_problem_load_led(const dae_problem *handle, arena *a, message *m,
                                  sym_system **system)
{
    return load_as((const model_problem *)handle, false, true, a, m, system, NULL);
}

typedef struct copying {
    const model_problem *from;
    bool traced;
    arena *a;
    sym_system *system;
    structure *own;
} copying;

static void copy_system(void *argument)
{
    copying *c = argument;
    c->system = sym_system_copy(c->a, c->from->system, c->traced);
    if (c->from->own) c->own = structure_copy(c->a, c->from->own);
}

dae_status model_problem_load(const dae_problem *handle, bool traced, arena *a, message *m,
                              sym_system **system, structure **own)
{
    *own = NULL;
    if (problem_handle_status(handle, m) != DAE_OK) return m->status;
    if (handle->start)
        return message_fail(m, DAE_UNSUPPORTED,
                            "this needs the text of a model, but the problem is given by "
                            "functions of a C program");
    const model_problem *p = (const model_problem *)handle;
    if (!p->system) return load(p, traced, a, m, system, NULL);
    copying c = {.from = p, .traced = traced, .a = a};
    if (arena_protect(a, copy_system, &c) != DAE_OK)
        return message_fail(m, DAE_NO_MEMORY, "memory is exhausted");
    text_add(&m->notes, text_string(&handle->message.notes));
    *system = c.system;
    *own = c.own;
    return DAE_OK;
}

size_t model_problem_readings(const dae_problem *handle)
{
    return ((const model_problem *)handle)->readings;
}

const sym_system *model_problem_system(const dae_problem *handle)
{
    if (handle->start) return NULL;
    return ((const model_problem *)handle)->system;
}

/* Decisions by numbers become guards of the system's graph, as during reading. */
static void analyze(void *argument)
{
    model_problem *p = argument;
    message unheard = {0};
    p->own = structure_analyze(p->system, &unheard);
    sym_forget(p->system->graph);
    message_free(&unheard);
}

/* all: with the values of all settings, else of those that decide what the model consists of */
static dae_status flatten(const model_problem *p, bool all, message *m, hierarchy_flat *flat)
{
    const model_text source = {.file = p->name, .bytes = p->text, .length = p->length};
    const hierarchy_request request = {.text = &source,
                                       .model = p->chosen,
                                       .directory = p->directory,
                                       .settings = p->setting.count,
                                       .setting = p->setting.item,
                                       .all = all};
    hierarchy_flat_free(flat);
    dae_status status = hierarchy_flatten(&request, m, flat);
    if (status != DAE_OK) hierarchy_flat_free(flat);
    return status;
}

/* Read a text that is flat, or else the flat text of its model. */
static dae_status load_any(model_problem *p, message *m)
{
    bool flat = (!p->chosen && p->structure != MODEL_STRUCTURED) || p->flat.line;
    dae_status status = DAE_MODEL_ERROR;
    if (flat) status = load(p, true, &p->model, m, &p->system, &p->structure);
    if (p->flat.line || (flat && (status != DAE_MODEL_ERROR || p->structure == MODEL_FLAT)))
        return status;
    message of_hierarchy = {0};
    status = flatten(p, false, &of_hierarchy, &p->flat);
    if (status == DAE_OK || p->structure != MODEL_MAYBE_STRUCTURED) {
        message_free(m);
        *m = of_hierarchy;
    } else {
        message_free(&of_hierarchy);
    }
    if (status != DAE_OK) return m->status;
    arena_free(&p->model);
    return load(p, true, &p->model, m, &p->system, NULL);
}

static void model_look(dae_problem *handle)
{
    model_problem *p = (model_problem *)handle;
    if (p->looked || handle->message.status != DAE_OK) return;
    p->looked = true;
    message m = {0};
    p->readings++;
    dae_status status = load_any(p, &m);
    message_free(&handle->message);
    handle->message = m;
    if (status != DAE_OK) p->system = NULL;
    if (p->system && arena_protect(&p->model, analyze, p) != DAE_OK) p->own = NULL;
}

typedef struct setting_argument {
    model_problem *problem;
    const char *name, *value;
    bool number_given; /* the value is a number */
    double number;
} setting_argument;

static void keep_setting(void *argument)
{
    setting_argument *s = argument;
    arena *a = &s->problem->handle.memory;
    model_setting kept = {.name = arena_copy(a, s->name, strlen(s->name)),
                          .value = arena_copy(a, s->value, strlen(s->value))};
    size_t left = 0; /* the last setting of a name counts; other names keep their order */
    for (size_t i = 0; i < s->problem->setting.count; i++)
        if (strcmp(s->problem->setting.item[i].name, kept.name) != 0)
            s->problem->setting.item[left++] = s->problem->setting.item[i];
    s->problem->setting.count = left;
    list_push(a, &s->problem->setting, kept);
    s->number_given = model_setting_number(a, s->value, &s->number);
}

/* The course of an input, copied under protection. */
typedef struct course_argument {
    model_problem *problem;
    model_course course;
} course_argument;

static dae_status read_again(model_problem *p)
{
    p->looked = false;
    p->system = NULL;
    p->own = NULL;
    arena_free(&p->model);
    model_look(&p->handle);
    return p->handle.message.status;
}

static dae_status model_set(dae_problem *handle, const char *name, const char *value)
{
    model_problem *p = (model_problem *)handle;
    setting_argument s = {.problem = p, .name = name, .value = value};
    if (arena_protect(&handle->memory, keep_setting, &s) != DAE_OK)
        return message_fail(&handle->message, DAE_NO_MEMORY, "memory is exhausted");
    if (handle->message.status != DAE_OK) message_free(&handle->message); /* it may be mended */
    if (p->system && s.number_given && sym_trace_set(p->system->graph, name, s.number) == TUNED)
        return DAE_OK;
    hierarchy_flat_free(&p->flat); /* what the model consists of may depend on it */
    return read_again(p);
}

static void keep_course(void *argument)
{
    const course_argument *c = argument;
    model_problem *p = c->problem;
    arena *a = &p->handle.memory;
    size_t left = 0;
    for (size_t i = 0; i < p->course.count; i++)
        if (strcmp(p->course.item[i].name, c->course.name) != 0)
            p->course.item[left++] = p->course.item[i];
    p->course.count = left;
    model_course kept = c->course;
    kept.name = arena_copy(a, kept.name, strlen(kept.name));
    kept.time = arena_duplicate(a, kept.time, kept.count, sizeof *kept.time);
    kept.value = arena_duplicate(a, kept.value, kept.count, sizeof *kept.value);
    list_push(a, &p->course, kept);
}

static dae_status model_feed(dae_problem *handle, const char *name, size_t count,
                             const double *time, const double *value)
{
    course_argument c = {(model_problem *)handle, {name, count, time, value}};
    if (arena_protect(&handle->memory, keep_course, &c) != DAE_OK)
        return message_fail(&handle->message, DAE_NO_MEMORY, "memory is exhausted");
    return read_again(c.problem);
}

static const sym_system *system_of(const dae_problem *handle)
{
    return ((const model_problem *)handle)->system;
}

static size_t model_size(const dae_problem *handle)
{
    return system_of(handle)->unknown.count - system_of(handle)->hidden;
}

static const char *model_variable(const dae_problem *handle, size_t i)
{
    return system_of(handle)->unknown.item[i].name;
}

static bool model_is_input(const dae_problem *handle, size_t i)
{
    return system_of(handle)->unknown.item[i].input;
}

static bool model_is_discrete(const dae_problem *handle, size_t i)
{
    return system_of(handle)->unknown.item[i].discrete;
}

static const char *model_unit(const dae_problem *handle, size_t i)
{
    return system_of(handle)->unknown.item[i].unit;
}

static dae_experiment model_experiment(const dae_problem *handle)
{
    return system_of(handle)->experiment;
}

static void model_free(dae_problem *handle)
{
    model_problem *p = (model_problem *)handle;
    arena_free(&p->model);
    hierarchy_flat_free(&p->flat);
    hierarchy_flat_free(&p->set);
}

static const problem_kind model_kind = {
    .look = model_look,
    .set = model_set,
    .feed = model_feed,
    .size = model_size,
    .variable = model_variable,
    .is_input = model_is_input,
    .is_discrete = model_is_discrete,
    .unit = model_unit,
    .experiment = model_experiment,
    .free = model_free,
};

static void keep_chosen(void *argument)
{
    model_problem *p = argument;
    p->chosen = arena_copy(&p->handle.memory, p->chosen, strlen(p->chosen));
}

static void keep_directory(void *argument)
{
    model_problem *p = argument;
    const char *slash = strrchr(p->name, '/');
    size_t length = !slash ? 1 : slash == p->name ? 1 : (size_t)(slash - p->name);
    p->directory = arena_copy(&p->handle.memory, slash ? p->name : ".", length);
}

static void keep_text(void *argument)
{
    model_problem *p = argument;
    p->name = arena_copy(&p->handle.memory, p->name, strlen(p->name));
    p->text = arena_copy(&p->handle.memory, p->text, p->length);
}

dae_problem *dae_problem_parse(const char *name, const char *bytes, size_t length)
{
    model_problem *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->handle.kind = &model_kind;
    p->name = name ? name : "model";
    p->text = bytes ? bytes : "";
    p->length = bytes ? length : 0;
    if (!bytes) message_fail(&p->handle.message, DAE_USAGE, "the text of the model is missing");
    if (arena_protect(&p->handle.memory, keep_text, p) != DAE_OK) {
        dae_problem_free(&p->handle);
        return NULL;
    }
    return &p->handle;
}

/* A library or an external function, copied under protection. */
typedef struct code_argument {
    model_problem *problem;
    model_code code;
} code_argument;

static void keep_code(void *argument)
{
    const code_argument *c = argument;
    arena *a = &c->problem->handle.memory;
    model_code kept = c->code;
    kept.name = arena_copy(a, kept.name, strlen(kept.name));
    list_push(a, &c->problem->code, kept);
}

static dae_status add_code(dae_problem *handle, model_code code)
{
    code_argument c = {(model_problem *)handle, code};
    if (arena_protect(&handle->memory, keep_code, &c) != DAE_OK)
        return message_fail(&handle->message, DAE_NO_MEMORY, "memory is exhausted");
    return c.problem->looked ? read_again(c.problem) : DAE_OK;
}

dae_status dae_problem_library(dae_problem *handle, const char *path)
{
    text why = {0};
    if (!handle || !path || handle->kind != &model_kind) return DAE_USAGE;
    if (handle->message.status != DAE_OK) return handle->message.status;
    void *library = shared_library_open(path, &why);
    dae_status status = library ? add_code(handle, (model_code){.name = path, .library = library})
                                : message_fail(&handle->message, DAE_FILE_ERROR,
                                               "the library \"%s\" cannot be loaded: %s", path,
                                               text_string(&why));
    text_free(&why);
    return status;
}

dae_status dae_problem_function(dae_problem *handle, const char *name, dae_external function)
{
    if (!handle || !name || !function || handle->kind != &model_kind) return DAE_USAGE;
    if (handle->message.status != DAE_OK) return handle->message.status;
    return add_code(handle, (model_code){.name = name, .function = function});
}

dae_status dae_problem_choose(dae_problem *handle, const char *model)
{
    model_problem *p = (model_problem *)handle;
    if (!handle || !model || handle->kind != &model_kind) return DAE_USAGE;
    p->chosen = model;
    if (arena_protect(&handle->memory, keep_chosen, p) != DAE_OK)
        return message_fail(&handle->message, DAE_NO_MEMORY, "memory is exhausted");
    hierarchy_flat_free(&p->flat);
    arena_free(&p->model);
    p->looked = false;
    p->system = NULL;
    p->own = NULL;
    return DAE_OK;
}

/* The flat text with the values of all settings; NULL: one of them cannot stand in it. */
static const char *flat_with_settings(model_problem *p)
{
    message m = {0};
    dae_status status = flatten(p, true, &m, &p->set);
    for (size_t i = 0; i < p->setting.count && status == DAE_OK; i++)
        if (!p->set.used[i])
            status = message_fail(
                &m, DAE_UNSUPPORTED,
                "the value of %s cannot be written into the flat text: give it in "
                "the model, or when the flat text is solved",
                p->setting.item[i].name);
    if (status == DAE_OK) {
        message_free(&m);
        return text_string(&p->set.text);
    }
    message_free(&p->handle.message);
    p->handle.message = m;
    return NULL;
}

const char *dae_problem_flat(dae_problem *handle)
{
    if (dae_problem_status(handle) != DAE_OK || handle->kind != &model_kind) return NULL;
    model_problem *p = (model_problem *)handle;
    if (p->setting.count) return flat_with_settings(p);
    return p->flat.line ? text_string(&p->flat.text) : p->text;
}

/* Read a whole stream, or as much as shows that it is too long for a model. So an endless stream,
 * such as /dev/zero, does not exhaust memory. Returns 0, or an errno. */
static int read_all(FILE *file, text *all)
{
    char part[16384];
    size_t got;
    while (!all->cut && all->length <= MODEL_LARGEST_TEXT &&
           (got = fread(part, 1, sizeof part, file)) > 0)
        text_add_bytes(all, part, got);
    if (ferror(file)) return errno ? errno : EIO;
    return all->length > MODEL_LARGEST_TEXT ? EFBIG : 0;
}

dae_problem *dae_problem_read(const char *path)
{
    if (!path) return dae_problem_parse(NULL, NULL, 0);
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
    if (p && !reason && !standard_input && arena_protect(&p->memory, keep_directory, p) != DAE_OK)
        message_fail(&p->message, DAE_NO_MEMORY, "memory is exhausted");
    if (file && !standard_input) fclose(file);
    text_free(&all);
    return p;
}

crossings *crossings_create(arena *a, const sym_system *system, const explicit_core *core,
                            const prolongation *p)
{
    crossings *c = arena_take(a, sizeof *c);
    c->count = sym_relation_count(p->g);
    sym *side = arena_array(a, 2 * c->count, sizeof *side);
    for (size_t k = 0; k < c->count; k++) {
        sym_view relation = sym_look(p->g, sym_relation_node(p->g, k));
        memcpy(side + 2 * k, relation.argument, 2 * sizeof *side);
    }
    structure_to_core(system, core, 2 * c->count, side);
    c->tape = prolongation_tape(a, p, 2 * c->count, side);
    c->input = arena_array(a, prolongation_inputs(p), sizeof *c->input);
    c->side = arena_array(a, 2 * c->count, sizeof *c->side);
    return c;
}

void crossings_value(crossings *c, double t, const double *z, double *value)
{
    c->input[0] = t;
    memcpy(c->input + 1, z, (sym_tape_inputs(c->tape) - 1) * sizeof *z);
    sym_tape_eval(c->tape, c->input, c->side);
    for (size_t k = 0; k < c->count; k++) value[k] = c->side[2 * k] - c->side[2 * k + 1];
}
