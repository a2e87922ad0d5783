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

/* The condition where its guards hold; SYM_NONE: nothing has to be asserted. */
static sym under_guards(model_reader *r, sym condition)
{
    for (const model_guard *g = r->mode.guard; g; g = g->outer) {
        if (g->condition == SYM_NONE) return SYM_NONE; /* the guard is reported */
        sym unreached = g->holds ? sym_not(r->graph, g->condition) : g->condition;
        condition = sym_binary(r->graph, SYM_OR, unreached, condition);
    }
    /* before the unknowns have their numbers, what depends on them is evaluated once more */
    bool settled = r->placed || sym_is(r->graph, condition, 0);
    return settled && !sym_is(r->graph, condition, 1) ? condition : SYM_NONE;
}

void model_add_assertion(model_reader *r, sym_assertion added)
{
    added.condition = under_guards(r, added.condition);
    if (added.condition != SYM_NONE) list_push(r->home, &r->system->assertion, added);
}

/* Whether an assert of a function has this condition for the second time: by another call of it
 * with the same arguments. */
static bool is_repeated(model_reader *r, const model_expression *call, sym condition)
{
    const model_asserted key = {call, condition};
    uint64_t hash = hash_mix(hash_mix(0, (uintptr_t)call), condition);
    uint32_t k;
    for (size_t at = hash_start(&r->asserts, hash);
         (k = hash_next(&r->asserts, hash, &at)) != HASH_NONE;)
        if (r->asserted.item[k].call == call && r->asserted.item[k].condition == condition)
            return true;
    list_push(r->a, &r->asserted, key);
    hash_add(r->a, &r->asserts, hash, (uint32_t)r->asserted.count - 1);
    return false;
}

/* The call in which an assert of a function fails, after its message: ", in f(x)". */
static void add_call(model_reader *r, const model_expression *call, model_said *m)
{
    const char *shown = model_shown(r, call);
    char *in = arena_take(r->home, strlen(shown) + sizeof ", in ");
    size_t length = strlen(strcpy(in, ", in "));
    for (const char *c = shown; *c; c++)
        if (*c != '\'') in[length++] = *c;
    in[length] = '\0';
    m->text = arena_format(r->home, "%s%s", m->text, in);
    if (!m->said) return;
    sym_said *longer = arena_take(r->home, sizeof *longer);
    sym_word *word = arena_array(r->home, m->said->count + 1, sizeof *word);
    memcpy(word, m->said->word, m->said->count * sizeof *word);
    word[m->said->count] = (sym_word){.kind = SYM_WORD_TEXT, .text = in};
    *longer = (sym_said){.count = m->said->count + 1, .word = word};
    m->said = longer;
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
    const model_expression *called = r->mode.called; /* what its author can change */
    sym whole = r->mode.when ? condition : under_guards(r, condition);
    if (whole == SYM_NONE || (called && !r->mode.when && is_repeated(r, call, whole))) return;
    place at = model_place(&r->source, called ? called->at : call->at);
    model_said said = model_message(r, a.expression[1]);
    if (called) add_call(r, called, &said);
    if (r->mode.when) {
        model_act(r, (sym_action){.kind = SYM_ASSERT,
                                  .value = condition,
                                  .message = said.text,
                                  .said = said.said,
                                  .warning = warning,
                                  .at = at});
        return;
    }
    const sym_assertion added = {
        .condition = whole, .message = said.text, .said = said.said, .at = at, .warning = warning};
    list_push(r->home, &r->system->assertion, added);
}
