#include "model/load.h"
#include "model/discrete.h"
#include "model/evaluator.h"

#include "model/flatten.h"
#include "model/parser.h"
#include "model/units.h"
#include "symbolic/bends.h"
#include "symbolic/derive.h"
#include "symbolic/domain.h"
#include "symbolic/flat_laws.h"
#include "symbolic/guarded_roots.h"
#include "symbolic/odd_roots.h"

#include <string.h>

/* One call of model_load(). Its scratch memory is freed at the end. */
typedef struct loading {
    arena scratch;
    model_reader reader;
    const model_text *text;
    const model_given *given;
    message *m;
    dae_status status;
} loading;

bool model_open_text(model_reader *r, model_text from)
{
    bool large = from.length > MODEL_LARGEST_TEXT;
    if (large) from.length = 0;
    model_source_open(r->a, &from, &r->source);
    r->reports.text_ends = UINT32_MAX;
    uint32_t binary = model_find_binary(&r->source);
    if (large) {
        model_error(r, (model_span){0, 1}, "the text is longer than %d MiB, the most that is read",
                    NULL, MODEL_LARGEST_TEXT >> 20);
    } else if (binary < r->source.length) {
        model_error(r, (model_span){binary, binary + 1},
                    "this is not text: it contains the byte 0x%02X", NULL,
                    (unsigned)(unsigned char)r->source.bytes[binary]);
        if (r->source.bytes[binary] == 0) model_remedy(r, "save the file as UTF-8");
    }
    return !r->reports.errors;
}

static void open_system(model_reader *r)
{
    r->system = arena_take(r->home, sizeof *r->system);
    r->graph = sym_graph_create(r->home);
    r->system->memory = r->home;
    r->system->graph = r->graph;
    r->system->file = arena_copy(r->home, r->source.file, strlen(r->source.file));
    r->system->name = "";
}

/* Relations that have a mode, once all equations are there. */
static void number_relations(model_reader *r)
{
    sym_system *system = r->system;
    for (size_t i = 0; i < system->equation.count; i++) {
        sym_free_smoothed(system->graph, 1, &system->equation.item[i].lhs);
        sym_free_smoothed(system->graph, 1, &system->equation.item[i].rhs);
    }
    for (size_t i = 0; i < system->invariant.count; i++)
        sym_free_smoothed(system->graph, 1, &system->invariant.item[i].value);
    sym_name_odd_roots(system);
    sym_free_flat_laws(system);
    sym_forget(system->graph); /* here reading holds the most */
    sym_hold_bends(system);
    sym_open_guarded_roots(system);
    model_settle_body_relations(r);
    sym_system_number_relations(system);
}

static void read_model(model_reader *r, const loading *l)
{
    model_lex(r);
    model_parse(r);
    if (r->reports.errors) return; /* mistakes in syntax would only cause further errors */
    list_return(r->a, &r->tokens); /* which have been parsed */
    model_declare(r);
    if (!r->model) return;
    model_resolve(r);
    r->frame = arena_array(r->a, r->model->slots, sizeof *r->frame);
    const char *name = model_spelled(r, r->model->name);
    r->system->name = arena_copy(r->home, name, strlen(name));
    r->system->at = model_place(&r->source, r->model->at);
    r->given = l->given;
    if (l->given) model_match_settings(r, l->given->settings, l->given->setting);
    if (l->given) model_match_courses(r, l->given->courses, l->given->course);
    model_instantiate(r);
    model_flatten(r);
    model_read_experiment(r);
    model_read_invariants(r);
    model_note_vendor(r);
    model_note_differences(r);
    if (!r->reports.list.count) model_check_units(r);
    if (!r->reports.list.count) model_list_parameters(r);
    if (!r->reports.list.count) number_relations(r);
    if (!r->reports.list.count && r->unknown_value.end)
        model_error(r, r->unknown_value, "this equation cannot be evaluated", NULL);
}

static void read_text(void *argument)
{
    loading *l = argument;
    model_reader *r = &l->reader;
    r->a = &l->scratch;
    if (!model_open_text(r, *l->text)) return;
    open_system(r);
    read_model(r, l);
}

/* Write errors and notes about the model. They are made in the temporary arena, too. */
static void write_messages(void *argument)
{
    loading *l = argument;
    model_reader *r = &l->reader;
    l->status = model_reports_write(r, l->m);
    if (l->text->structure) *l->text->structure = r->structure;
    if (l->status == DAE_OK) l->status = model_check_settings(r, l->m);
    if (l->status == DAE_OK) l->status = model_check_courses(r, l->m);
    if (l->status != DAE_OK) return;
    for (size_t i = 0; i < r->note.count; i++) message_note(l->m, "%s", r->note.item[i]);
}

/* Called under the protection of the system's arena. Works under that of the temporary arena. */
static void load_protected(void *argument)
{
    loading *l = argument;
    bool fits = arena_protect(&l->scratch, read_text, l) == DAE_OK &&
                arena_protect(&l->scratch, write_messages, l) == DAE_OK;
    if (!fits) l->status = DAE_NO_MEMORY;
}

dae_status model_load(arena *a, const model_text *source, const model_given *given, bool traces,
                      message *m, sym_system **system)
{
    loading l = {.reader = {.home = a, .traces = traces}, .text = source, .given = given, .m = m};
    l.reader.given_leads = given && given->leads;
    if (arena_protect(a, load_protected, &l) != DAE_OK) l.status = DAE_NO_MEMORY;
    if (l.status == DAE_NO_MEMORY)
        message_fail(m, DAE_NO_MEMORY, "memory is exhausted in reading %s", source->file);
    *system = l.status == DAE_OK ? l.reader.system : NULL;
    arena_free(&l.scratch);
    return l.status;
}
