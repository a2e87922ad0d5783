/* The messages of assert() and terminate(): with values of the time at which they are given. */
#include "model/string.h"

#include <string.h>

typedef LIST(sym_word) words;

/* Expressions that have no value here are shown as written. */
static const char *as_written(model_reader *r, const model_expression *e)
{
    const model_builtin *f = e->kind == EXPRESSION_CALL ? e->call->builtin : NULL;
    bool string = f && e->count && f->apply == model_string;
    return model_shown(r, string ? e->operand[0] : e);
}

static void add_text(model_reader *r, words *list, const char *said)
{
    sym_word *last = list->count ? &list->item[list->count - 1] : NULL;
    char *copy = arena_copy(r->home, said, strlen(said));
    model_clean(copy, strlen(copy));
    if (last && last->kind == SYM_WORD_TEXT)
        last->text = arena_format(r->home, "%s%s", last->text, copy);
    else
        list_push(r->a, list, ((sym_word){.kind = SYM_WORD_TEXT, .text = copy}));
}

/* A String that is chosen from others while the model runs: by the numbers of all names so far. */
static void add_choice(model_reader *r, words *list, sym value)
{
    sym_word w = {.kind = SYM_WORD_NAME, .value = value, .left = true};
    w.names = names_count(r->words);
    const char **name = arena_array(r->home, w.names, sizeof *name);
    for (uint32_t k = 0; k < w.names; k++) {
        const char *string = names_string(r->words, k);
        char *copy = arena_copy(r->home, string, strlen(string));
        model_clean(copy, strlen(copy));
        name[k] = copy;
    }
    w.name = name;
    list_push(r->a, list, w);
}

/* The value of an expression, or its word. False: it has none here, which is not reported, for a
 * message is no reason to refuse a model. */
static bool add_value(model_reader *r, words *list, model_expression *e)
{
    const model_builtin *f = e->kind == EXPRESSION_CALL ? e->call->builtin : NULL;
    model_reports before = r->reports;
    sym_word w = {.kind = SYM_WORD_TEXT};
    model_value v = model_none();
    bool string = f && f->apply == model_string && e->count > 0, is;
    if (string)
        is = model_read_word(r, e, &w);
    else
        v = model_evaluate(r, e);
    if (!string) is = v.type.base == TYPE_STRING && !v.rank;
    if (r->reports.list.count > before.list.count) is = false;
    if (!is && !r->exhausted) r->reports = before;
    if (!is) return false;
    const char *said = string ? model_word_text(r, &w) : model_text_at(r, v.one);
    if (said)
        add_text(r, list, said);
    else if (string)
        list_push(r->a, list, w);
    else
        add_choice(r, list, v.one);
    return true;
}

static void add_words(model_reader *r, words *list, model_expression *e)
{
    if (e->kind == EXPRESSION_STRING) {
        add_text(r, list, names_string(r->words, e->name));
    } else if (e->kind == EXPRESSION_SUM) {
        for (uint32_t i = 0; i < e->count; i++) add_words(r, list, e->operand[i]);
    } else if (!add_value(r, list, e)) {
        add_text(r, list, as_written(r, e));
    }
}

/* The message as it stands without its values: "x = x" for "x = " + String(x). */
static const char *written(model_reader *r, const model_expression *e)
{
    if (e->kind == EXPRESSION_STRING) return names_string(r->words, e->name);
    if (e->kind != EXPRESSION_SUM) return as_written(r, e);
    const char *joined = "";
    for (uint32_t i = 0; i < e->count; i++)
        joined = arena_format(r->a, "%s%s", joined, written(r, e->operand[i]));
    return joined;
}

model_said model_message(model_reader *r, model_expression *e)
{
    words list = {0};
    const model_guard nowhere = {
        .condition = SYM_NONE}; /* asserts of functions in it do not count */
    model_mode before = r->mode;
    r->mode.counting = false;
    r->mode.guard = &nowhere;
    r->mode.no_event++;
    add_words(r, &list, e);
    r->mode = before;
    const char *all = written(r, e);
    char *text_of = arena_copy(r->home, all, strlen(all));
    model_clean(text_of, strlen(text_of));
    model_said m = {.text = text_of};
    if (list.count == 0) return m;
    bool fixed = list.count == 1 && list.item[0].kind == SYM_WORD_TEXT;
    if (fixed) m.text = list.item[0].text;
    if (fixed) return m;
    sym_said *said = arena_take(r->home, sizeof *said);
    said->count = list.count;
    said->word = arena_duplicate(r->home, list.item, list.count, sizeof *list.item);
    m.said = said;
    return m;
}
