/* Algorithm sections of the model. They are run once and give an equation for each assigned
 * variable: it equals its final value. */
#include "model/evaluator.h"
#include "model/execute.h"
#include "model/flatten.h"
#include "symbolic/simplify.h"

#include <string.h>

/* Give a symbol room for its value while the algorithm runs. At first no element has a value. */
static void open_shadow(model_reader *r, model_symbol *s)
{
    model_value v = model_symbol_value(r, s);
    if (v.type.base == TYPE_NONE) return;
    s->shadow = arena_take(r->a, sizeof *s->shadow);
    *s->shadow = v;
    sym *element = model_new_elements(r, s->shadow);
    for (size_t i = 0; i < v.count; i++) element[i] = SYM_NONE;
}

/* Emit v = final value for all assigned elements. */
static void emit_final(model_flattening *f, model_symbol *s, const model_value *final)
{
    model_value lhs = model_symbol_value(f->r, s);
    if (final->type.base == TYPE_NONE) {
        f->r->unknown_value = s->declaration->at;
        return;
    }
    for (size_t i = 0; i < lhs.count; i++) {
        if (model_element(final, i) == SYM_NONE) continue;
        model_value left = model_scalar(TYPE_REAL, model_element(&lhs, i));
        model_value right = model_scalar(TYPE_REAL, model_element(final, i));
        if (s->type.base == TYPE_REAL) model_emit(f, s->assigned, &left, &right);
    }
}

void model_flatten_algorithm(model_flattening *f, const model_algorithm *section)
{
    model_reader *r = f->r;
    model_targets targets = model_new_targets(r);
    model_find_targets(r, &section->statement, &targets);
    for (size_t i = 0; i < targets.count; i++) open_shadow(r, targets.item[i]->symbol);
    model_run run = {.function = NULL};
    r->mode.run = &run;
    model_execute(r, &section->statement);
    r->mode.run = NULL;
    for (size_t i = 0; i < targets.count; i++) {
        model_symbol *s = targets.item[i]->symbol;
        if (!s->shadow) continue;
        model_value final = *s->shadow;
        s->shadow = NULL;
        emit_final(f, s, &final);
    }
}
