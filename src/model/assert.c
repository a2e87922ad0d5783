/* assert(condition, message, level) */
#include "model/builtin.h"
#include "model/discrete.h"
#include "model/evaluator.h"
#include "symbolic/simplify.h"

#include <string.h>

/* Read AssertionLevel.warning or .error; false if it is neither (reported). */
static bool level_of(model_reader *r, model_expression *e, bool *warning)
{
    double number = 2;
    *warning = false;
    if (!e) return true;
    model_value v = model_evaluate(r, e);
    if (v.type.base == TYPE_NONE) return false;
    bool level = v.type.base == TYPE_ENUMERATION && !v.rank &&
                 strcmp(names_string(r->words, v.type.declared->name), "AssertionLevel") == 0;
    if (!level || !sym_is_number(r->graph, v.one, &number))
        return model_report_type(r, e, &v, "an AssertionLevel");
    *warning = number == 1;
    return true;
}

void model_add_assertion(model_reader *r, sym_assertion added)
{
    for (const model_guard *g = r->mode.guard; g; g = g->outer) {
        if (g->condition == SYM_NONE) return; /* the guard is reported */
        sym unreached = g->holds ? sym_not(r->graph, g->condition) : g->condition;
        added.condition = sym_binary(r->graph, SYM_OR, unreached, added.condition);
    }
    if (r->placed && !sym_is(r->graph, added.condition, 1))
        list_push(r->home, &r->system->assertion, added);
}

void model_assert(model_reader *r, model_expression *call)
{
    model_arguments a;
    bool warning, counting = r->mode.counting;
    if (!model_bind_arguments(r, call, &a) || !a.expression[0] || !a.expression[1]) return;
    r->mode.counting = false; /* an assert changes no equation */
    sym condition = model_condition(r, a.expression[0]);
    r->mode.counting = counting;
    if (!level_of(r, a.count > 2 ? a.expression[2] : NULL, &warning) || condition == SYM_NONE)
        return;
    place at = model_place(&r->source, call->at);
    model_said said = model_message(r, a.expression[1]);
    if (r->mode.when) {
        model_act(r, (sym_action){.kind = SYM_ASSERT,
                                  .value = condition,
                                  .message = said.text,
                                  .said = said.said,
                                  .warning = warning,
                                  .at = at});
        return;
    }
    model_add_assertion(r, (sym_assertion){.condition = condition,
                                           .message = said.text,
                                           .said = said.said,
                                           .at = at,
                                           .warning = warning});
}
