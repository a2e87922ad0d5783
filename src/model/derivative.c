/* der(e): by the rules of differentiation where that is all, else by a hidden unknown h with the
 * equation h = e. These rules take each piece of an expression by itself, so that they lose the
 * impulse of a jump from one piece to another; those of a variable are followed (event/impulse.h).
 * And a derivative in e would have to be differentiated once more. */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "symbolic/derive.h"
#include "symbolic/domain.h"
#include "symbolic/simplify.h"

static bool is_derivative(const model_reader *r, const sym_view *leaf)
{
    (void)r;
    return leaf->op == SYM_VARIABLE && leaf->order > 0;
}

/* Derivatives of parameters that are found at the start are 0. */
static sym constant_parameters(void *context, sym leaf)
{
    const model_reader *r = context;
    sym_view view = sym_look(r->graph, leaf);
    bool known = view.id < r->system->unknown.count;
    if (!known || view.order == 0 || !r->system->unknown.item[view.id].parameter) return leaf;
    return sym_number(r->graph, 0);
}

static sym by_rules(model_reader *r, sym f)
{
    sym d = sym_time_derivative(r->graph, f);
    if (r->free_parameters) sym_substitute(r->graph, 1, &d, constant_parameters, r);
    return d;
}

/* Whether a value has a derivative by time; if not, the reason is reported. */
static bool is_differentiable(model_reader *r, const model_arguments *a)
{
    const model_expression *e = a->expression[0];
    const model_value *v = &a->value[0];
    const model_symbol *s = e->kind == EXPRESSION_REFERENCE ? e->reference->meaning.symbol : NULL;
    bool variable = s && e->reference->meaning.kind == MEANS_SYMBOL;
    if (variable && s->type.base == TYPE_REAL && s->discrete) {
        model_error(r, a->call->at, "der(%s): %s is discrete and has no derivative",
                    "declare it without 'discrete'", model_shown(r, e), s->name);
        return s->in_when && model_remedy(r, "a when assigns to it, so that it changes at events "
                                             "alone; reinit() changes what has a derivative");
    }
    bool number = v->type.base == TYPE_REAL || (v->type.base == TYPE_INTEGER && !variable);
    if (number) return true;
    const char *shown = model_shown(r, e);
    return model_error(r, a->call->at, "der(%s): %s is %s, a derivative needs a Real",
                       "only what changes continuously with time has a derivative", shown, shown,
                       model_type_text(r, v->type));
}

/* Whether the rules give the derivative. At one instant, in a when or at the start, an impulse has
 * no value. */
static bool suffices(model_reader *r, sym f)
{
    if (!r->placed) return true;
    if (model_any_leaf(r, f, is_derivative)) return false;
    return r->mode.when || r->mode.initial || !sym_may_jump(r->graph, f);
}

/* The name of element i of what is differentiated: as its author wrote it. */
static const char *name_of(model_reader *r, const model_arguments *a, size_t i)
{
    const model_value *v = &a->value[0];
    const char *shown = model_shown(r, a->expression[0]);
    if (!v->rank) return arena_format(r->home, "%s", shown);
    return arena_format(r->home, "%s%s", shown, model_index_text(r->a, v->rank, v->size, i));
}

/* The number of the hidden unknown with the value f. */
static uint32_t hidden_unknown(model_reader *r, const model_arguments *a, size_t i, sym f)
{
    sym_system *system = r->system;
    for (size_t k = 0; k < r->hidden.count; k++)
        if (r->hidden.item[k].value == f) return r->hidden.item[k].id;
    uint32_t id = (uint32_t)system->unknown.count;
    sym_unknown u = {.name = name_of(r, a, i),
                     .unit = "",
                     .at = model_place(&r->source, a->call->at),
                     .nominal = 1,
                     .select = SYM_SELECT_DEFAULT};
    sym_equation e = {.lhs = sym_variable(r->graph, id, 0), .rhs = f, .at = u.at, .text = u.name};
    list_push(r->home, &system->unknown, u);
    list_push(r->home, &system->equation, e);
    list_push(r->a, &r->hidden, ((model_hidden){.value = f, .id = id}));
    system->hidden++;
    return id;
}

model_value model_der(model_reader *r, const model_arguments *a)
{
    if (!is_differentiable(r, a)) return model_none();
    const model_value *v = &a->value[0];
    model_value d;
    sym *element = model_new_array(r, a->call->at, (model_type){.base = TYPE_REAL}, v->rank,
                                   v->size, &d);
    for (size_t i = 0; element && i < v->count; i++) {
        sym f = model_element(v, i);
        element[i] = suffices(r, f) ? by_rules(r, f)
                                    : sym_variable(r->graph, hidden_unknown(r, a, i, f), 1);
    }
    return d;
}
