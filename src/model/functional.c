/* Functions as arguments of functions (Modelica 3.6, Sec. 12.4.2): an input whose type is a
 * function has one as its value, perhaps with some of the function's own inputs given: function f(a
 * = 2). */
#include "model/builtin.h"
#include "model/evaluator.h"

/* Whether the function of the language may be handed on: it is one of values alone. */
static bool may_be_handed(model_reader *r, const model_expression *e, const model_builtin *f)
{
    if (!f->raw && !model_needs_model(f)) return true;
    return model_error(r, e->at, "%s cannot be handed on as a function",
                       "write a function that calls it, and hand that on", f->name);
}

/* What a name or `function f(...)` stands for: a function of the text or of the language, or the
 * value of an input. NULL: none of these (reported). */
static const model_closure *named_function(model_reader *r, const model_expression *e)
{
    model_closure *c = arena_take(r->a, sizeof *c);
    const model_symbol *input = NULL;
    if (e->kind == EXPRESSION_FUNCTION) {
        c->function = e->call->own;
        c->builtin = e->call->builtin;
        input = e->call->input;
        if (!c->function && !c->builtin && !input) return NULL; /* reported */
    } else if (e->kind == EXPRESSION_REFERENCE && e->reference->part->count == 0) {
        const model_meaning *m = &e->reference->meaning;
        if (m->kind == MEANS_NOTHING) return NULL; /* reported */
        model_handed handed = {0};
        if (m->kind == MEANS_FUNCTION) handed = r->handed.item[m->number];
        c->function = handed.function;
        c->builtin = handed.builtin;
        if (m->kind == MEANS_LOCAL && m->symbol && m->symbol->type.base == TYPE_FUNCTION)
            input = m->symbol;
    }
    if (input) return r->mode.frame[input->slot].closure;
    if (c->builtin && !may_be_handed(r, e, c->builtin)) return NULL;
    if (c->builtin || (c->function && c->function->kind == CLASS_FUNCTION)) return c;
    model_error(r, e->at, "%s is no function", "an input that is a function takes the name of one",
                model_shown(r, e));
    return NULL;
}

static const model_given_input *given_of(const model_closure *c, const model_symbol *s)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->given[i].input == s) return &c->given[i];
    return NULL;
}

const model_given_input *model_given_of(const model_closure *c, const model_symbol *s)
{
    return c ? given_of(c, s) : NULL;
}

static const char *inputs_text(model_reader *r, const model_class *f)
{
    const char *list = "";
    for (size_t i = 0; i < f->local.count; i++) {
        const model_symbol *s = f->local.item[i];
        if (!s->input || s->owner) continue;
        list = arena_format(r->a, "%s%s%s", list, *list ? ", " : "", s->name);
    }
    return list;
}

/* The input of an argument of function f(a = 2); NULL: there is none (reported). */
static const model_symbol *input_called(model_reader *r, const model_expression *e, uint32_t i,
                                        const model_closure *c)
{
    uint32_t name = e->call->argument[i];
    const model_expression *at = e->operand[i];
    const char *f = model_excerpt(r, e->call->function.at);
    const model_symbol *s = NULL;
    if (name == NAMES_NONE)
        model_error(r, at->at, "an argument of function %s(...) has no name",
                    "write the input's name, as in function f(a = 2)", f);
    else if (!c->function)
        model_error(r, at->at, "%s has no input %s", "hand it on by its name alone", f,
                    model_spelled(r, name));
    else
        s = model_local(c->function, name);
    if (name == NAMES_NONE || !c->function) return NULL;
    if (!s || !s->input || s->owner) {
        model_error(r, at->at, "%s has no input %s", NULL, f, model_spelled(r, name));
        model_remedy(r, "its inputs: %s", inputs_text(r, c->function));
        return NULL;
    }
    if (!given_of(c, s)) return s;
    model_error(r, at->at, "the input %s is given twice", "leave one of them out", s->name);
    return NULL;
}

model_value model_function_value(model_reader *r, model_expression *e)
{
    const model_closure *of = named_function(r, e);
    if (!of) return model_none();
    uint32_t more = e->kind == EXPRESSION_FUNCTION ? e->count : 0;
    model_closure *c = arena_duplicate(r->a, of, 1, sizeof *of);
    model_given_input *given = arena_array(r->a, of->count + more, sizeof *given);
    for (size_t i = 0; i < of->count; i++) given[i] = of->given[i];
    c->given = given;
    for (uint32_t i = 0; i < more; i++) {
        const model_symbol *s = input_called(r, e, i, c);
        if (!s) return model_none();
        model_value v = model_argument_value(r, s, e->operand[i]);
        if (v.type.base == TYPE_NONE) return v;
        given[c->count++] = (model_given_input){s, e->operand[i], v};
    }
    return (model_value){.type = {TYPE_FUNCTION, c->function},
                         .count = 1,
                         .one = sym_number(r->graph, 0),
                         .closure = c};
}

/* How many arguments a function takes. */
static void count_inputs(const model_closure *c, size_t *least, size_t *most)
{
    *least = c->builtin ? c->builtin->least : 0;
    *most = c->builtin ? c->builtin->most : 0;
    for (size_t i = 0; c->function && i < c->function->local.count; i++) {
        const model_symbol *s = c->function->local.item[i];
        if (!s->input || s->owner || given_of(c, s)) continue;
        (*most)++;
        *least += s->declaration->binding == NULL;
    }
}

/* "Real", "Integer[:]": the type of a variable, or of what a function of the language has. */
static const char *kind_of(model_reader *r, const model_symbol *s)
{
    const char *list = s ? model_type_text(r, s->type) : "Real";
    for (size_t k = 0; s && k < s->sizes.count; k++)
        list = arena_format(r->a, "%s%s", list, k == 0 ? "[:" : ", :");
    return s && s->sizes.count ? arena_format(r->a, "%s]", list) : list;
}

/* The next input of a function that is not given, or output; NULL: there is none. */
static const model_symbol *next_of(const model_closure *c, size_t *i, bool input)
{
    while (c->function && *i < c->function->local.count) {
        const model_symbol *s = c->function->local.item[(*i)++];
        bool output = s->declaration->direction == DIRECTION_OUTPUT;
        if (!s->owner && (input ? s->input && !given_of(c, s) : output)) return s;
    }
    return NULL;
}

/* Whether a value of one variable can be that of another. A function of the language takes and
 * gives scalar numbers, NULL. */
static bool takes(const model_reader *r, const model_symbol *to, const model_symbol *from)
{
    const model_type real = {.base = TYPE_REAL};
    model_type target = to ? to->type : real, source = from ? from->type : real;
    size_t rank = to ? to->sizes.count : 0, other = from ? from->sizes.count : 0;
    bool widens = target.base == TYPE_REAL && source.base == TYPE_INTEGER;
    return rank == other && (widens || model_same_type(r, target, source));
}

/* Whether a function has the types of another one (Sec. 12.4.2), which has `inputs`; else it is
 * reported. */
static bool has_types(model_reader *r, model_span at, const char *name, const model_closure *c,
                      const model_closure *as, size_t inputs)
{
    size_t i = 0, k = 0, count = 0;
    for (; count < inputs; count++) {
        const model_symbol *from = next_of(as, &i, true), *to = next_of(c, &k, true);
        if (takes(r, to, from)) continue;
        return model_error(r, at, "%s takes %s as its argument %zu, but %s is called with %s there",
                           "hand on a function whose inputs have the types of the partial function",
                           model_excerpt(r, at), kind_of(r, to), count + 1, name, kind_of(r, from));
    }
    i = k = 0;
    const model_symbol *to = next_of(as, &i, false), *from = next_of(c, &k, false);
    if (!to || takes(r, to, from)) return true;
    return model_error(r, at, "%s gives %s, but %s is to give %s",
                       "hand on a function whose output has the type of the partial function",
                       model_excerpt(r, at), kind_of(r, from), name, kind_of(r, to));
}

bool model_function_fits(model_reader *r, model_span at, const char *name, model_type type,
                         model_value *v)
{
    const model_closure as = {.function = type.declared};
    size_t least, most, needed, handed;
    if (!v->closure)
        return model_error(r, at, "%s is a function, but its value is none",
                           "it takes the name of a function", name);
    count_inputs(v->closure, &least, &most);
    count_inputs(&as, &needed, &handed);
    if (v->closure->function && v->closure->function->partial)
        return model_error(r, at, "the function %s is partial and cannot be called",
                           "hand on a function with an algorithm",
                           model_spelled(r, v->closure->function->name));
    if (handed < least || handed > most)
        return model_error(r, at, "%s is called with %zu argument%s, but %s takes %zu",
                           "give the other inputs where it is handed on: function f(a = 2)", name,
                           handed, handed == 1 ? "" : "s", model_excerpt(r, at),
                           handed < least ? least : most);
    if (!has_types(r, at, name, v->closure, &as, handed)) return false;
    v->type = type;
    return true;
}

model_value model_argument_value(model_reader *r, const model_symbol *s, model_expression *e)
{
    return s->type.base == TYPE_FUNCTION ? model_function_value(r, e) : model_evaluate(r, e);
}

/* The arguments of a function of the language in its order: their names are those of the inputs of
 * the function by which the input is declared. False: there is no such name (reported). */
static bool in_order(model_reader *r, model_expression *call, const model_symbol *input)
{
    const model_class *as = input->type.declared;
    model_expression **operand = arena_array(r->a, call->count, sizeof *operand);
    for (uint32_t i = 0; i < call->count; i++) {
        uint32_t name = call->call->argument[i], at = 0;
        if (name == NAMES_NONE) at = i;
        size_t k = 0;
        for (; name != NAMES_NONE && k < as->local.count; k++) {
            if (as->local.item[k]->declaration->name == name) break;
            at += as->local.item[k]->input;
        }
        bool known = name == NAMES_NONE || (k < as->local.count && as->local.item[k]->input);
        if (!known || at >= call->count || operand[at])
            return model_error(r, call->operand[i]->at, "%s has no input %s here",
                               "write the arguments without names", input->name,
                               name == NAMES_NONE ? "" : model_spelled(r, name));
        operand[at] = call->operand[i];
    }
    uint32_t *none = arena_array(r->a, call->count, sizeof *none);
    for (uint32_t i = 0; i < call->count; i++) none[i] = NAMES_NONE;
    call->operand = operand;
    call->call->argument = none;
    return true;
}

model_expression *model_input_call(model_reader *r, const model_expression *e)
{
    const model_symbol *input = e->call->input;
    const model_closure *c = r->mode.frame[input->slot].closure;
    if (!c) return NULL; /* reported */
    model_expression *call = arena_duplicate(r->a, e, 1, sizeof *e);
    call->call = arena_duplicate(r->a, e->call, 1, sizeof *e->call);
    call->call->own = (model_class *)c->function;
    call->call->builtin = c->builtin;
    call->call->bound = c;
    return c->function || in_order(r, call, input) ? call : NULL;
}

model_value model_call_input(model_reader *r, model_expression *e)
{
    model_expression *call = model_input_call(r, e);
    if (!call) return model_none();
    return call->call->own ? model_call_function(r, call) : model_call_builtin(r, call);
}
