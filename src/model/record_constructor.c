/* Constructors of records as compilers print them: functions without an algorithm, whose one output
 * has the type of the function's name. The record itself may be missing in the text, and the name
 * of its type may be the last part of the name alone. */
#include "model/record.h"

#include <string.h>

/* The part of a name after the last dot. */
static const char *last_name(const char *spelled)
{
    const char *dot = strrchr(spelled, '.');
    return dot ? dot + 1 : spelled;
}

static const model_part *last_part(const model_path *path)
{
    const model_part *part = &path->first;
    while (part->next) part = part->next;
    return part;
}

/* The output of a record constructor; NULL: the function is none. */
static const model_declaration *constructed(const model_reader *r, const model_class *f)
{
    if (f->kind != CLASS_FUNCTION || f->algorithm.count || f->external || f->partial) return NULL;
    const model_declaration *output = NULL;
    for (size_t i = 0; i < f->declaration.count; i++) {
        const model_declaration *d = f->declaration.item[i];
        if (d->direction != DIRECTION_OUTPUT) continue;
        if (output) return NULL;
        output = d;
    }
    if (!output || output->binding || output->dimensions) return NULL;
    const char *type = model_spelled(r, last_part(output->type)->name);
    bool same = strcmp(last_name(type), last_name(model_spelled(r, f->name))) == 0;
    return same ? output : NULL;
}

static void make_record(model_reader *r, model_class *f)
{
    model_class from = *f;
    f->kind = CLASS_RECORD;
    memset(&f->declaration, 0, sizeof f->declaration);
    for (size_t i = 0; i < from.declaration.count; i++) {
        model_declaration *d = from.declaration.item[i];
        if (d->direction == DIRECTION_OUTPUT) continue;
        d->final = d->final || d->direction == DIRECTION_NONE;
        d->direction = DIRECTION_NONE;
        list_push(r->a, &f->declaration, d);
    }
}

static bool is_declared(const model_reader *r, const model_class *f)
{
    for (size_t i = 0; i < r->classes.count; i++)
        if (r->classes.item[i]->kind == CLASS_RECORD && r->classes.item[i]->name == f->name)
            return true;
    return false;
}

/* A constructor of an operator record is printed as a function whose output has a call of the
 * function itself as its value. What is meant is the constructor of the record. */
static void mend_call(model_reader *r, const model_class *f)
{
    bool empty = f->kind == CLASS_FUNCTION && !f->external;
    for (size_t i = 0; i < f->algorithm.count; i++)
        empty = empty && f->algorithm.item[i].statement.count == 0;
    for (size_t i = 0; i < f->declaration.count && empty; i++) {
        const model_declaration *d = f->declaration.item[i];
        model_expression *e = d->direction == DIRECTION_OUTPUT ? d->binding : NULL;
        if (!e || e->kind != EXPRESSION_CALL) continue;
        const model_path *path = &e->call->function;
        const char *called = model_flat_text(r, path, last_part(path), false);
        if (called && strcmp(called, model_spelled(r, f->name)) == 0) e->call->function = *d->type;
    }
}

void model_find_constructors(model_reader *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->classes.count; i++) {
        model_class *c = r->classes.item[i];
        mend_call(r, c);
        bool constructor = constructed(r, c);
        if (constructor && is_declared(r, c)) continue;
        if (constructor) make_record(r, c);
        r->classes.item[kept++] = c;
    }
    r->classes.count = kept;
}

model_class *model_record_called(const model_reader *r, uint32_t name)
{
    const char *wanted = model_spelled(r, name), *last = last_name(wanted);
    const char *model = r->model ? model_spelled(r, r->model->name) : "";
    size_t length = (size_t)(last - wanted);
    bool of_model = length == strlen(model) + 1 && memcmp(wanted, model, length - 1) == 0;
    if (last != wanted && !of_model) return NULL;
    model_class *found = NULL;
    for (size_t i = 0; i < r->classes.count; i++) {
        model_class *c = r->classes.item[i];
        if (c->kind != CLASS_RECORD) continue;
        const char *spelled = model_spelled(r, c->name);
        bool fits = strcmp(of_model ? spelled : last_name(spelled), last) == 0;
        if (fits && found) return NULL;
        if (fits) found = c;
    }
    return found;
}
