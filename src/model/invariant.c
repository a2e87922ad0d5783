/* annotation(__daedal(invariant = m*v^2/2 + m*g*h)): expressions that keep their values along a
 * solution. Other tools skip the annotations of a vendor that they do not know (Modelica 3.6, Sec.
 * 18.1). */
#include "model/evaluator.h"

#include <string.h>

static bool is_variable(const model_reader *r, const sym_view *leaf)
{
    return leaf->op == SYM_VARIABLE && leaf->id < r->system->unknown.count &&
           !r->system->unknown.item[leaf->id].parameter;
}

/* Whether a value is a number or vector of expressions of variables; if not, it is reported. */
static bool is_invariant(model_reader *r, const model_expression *e, const model_value *v)
{
    if (!model_is_numeric(v) || v->rank > 1)
        return model_report_type(r, e, v, v->rank > 1 ? "a vector" : "a number");
    for (size_t i = 0; i < v->count; i++) {
        if (model_any_leaf(r, model_element(v, i), is_variable)) continue;
        return model_error(r, e->at, "the invariant %s has no variable",
                           "an invariant is an expression of variables that keeps its value",
                           model_shown(r, e));
    }
    return true;
}

static void read_invariant(model_reader *r, const model_modifier *m)
{
    if (!m->value) {
        model_error(r, m->at, "expected a value: invariant = ...", NULL);
        return;
    }
    model_value v = model_evaluate(r, m->value);
    if (v.type.base == TYPE_NONE || !is_invariant(r, m->value, &v)) return;
    const char *shown = arena_format(r->home, "%s", model_shown(r, m->value));
    for (size_t i = 0; i < v.count; i++)
        list_push(r->home, &r->system->invariant,
                  ((sym_invariant){.value = model_element(&v, i),
                                   .at = model_place(&r->source, m->value->at),
                                   .text = shown,
                                   .element = v.rank ? (uint32_t)i + 1 : 0}));
}

void model_read_invariants(model_reader *r)
{
    model_mode before = model_enter_model(r);
    for (size_t i = 0; i < r->model->vendor.count; i++) {
        const model_modifier *m = &r->model->vendor.item[i];
        const char *name = names_string(r->words, m->name);
        if (strcmp(name, "invariant") == 0) read_invariant(r, m);
    }
    r->mode = before;
}

/* Why an entry has no effect; NULL: it has one. Those of tables count around them, and for inputs
 * of a type. */
static const char *idle(const names *words, const model_vendor *v, const model_modifier *m)
{
    const char *name = names_string(words, m->name);
    bool table = strcmp(name, "interpolation") == 0 || strcmp(name, "outside") == 0;
    bool of_model = v->of && v->of->kind == CLASS_MODEL, brief = v->of && v->of->base;
    bool fluid = strcmp(name, "fluid") == 0; /* which the hierarchy reads */
    if (!table && !fluid && strcmp(name, "invariant") != 0) return "";
    if (of_model && brief) return ": write the model in full, with extends";
    return table || of_model ? NULL : ": it belongs to the annotation of a model";
}

void model_note_vendor(model_reader *r)
{
    for (size_t i = 0; i < r->vendor.count; i++)
        for (size_t k = 0; k < r->vendor.item[i].entry.count; k++) {
            const model_modifier *m = &r->vendor.item[i].entry.item[k];
            const char *why = idle(r->words, &r->vendor.item[i], m);
            if (!why) continue;
            list_push(r->a, &r->note,
                      arena_format(r->a,
                                   "%s:%u: the annotation __daedal has %s, which is ignored%s",
                                   r->source.file, model_line_number(r, m->at),
                                   model_spelled(r, m->name), why));
        }
}
