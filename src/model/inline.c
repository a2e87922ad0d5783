/* Calls of functions of the text. Each call runs the function's algorithm symbolically. */
#include "model/evaluator.h"
#include "symbolic/simplify.h"

/* One call of a function. */
typedef struct calling {
    const model_expression *call;
    const model_class *f;
    model_value *frame;       /* values of the arguments, by slot */
    model_expression **given; /* their expressions; NULL: no argument */
} calling;

/* output Real y = 2*x; of a function that needs no algorithm then. */
static bool are_outputs_bound(const model_class *f)
{
    bool any = false;
    for (size_t i = 0; i < f->local.count; i++) {
        const model_declaration *d = f->local.item[i]->declaration;
        if (d->direction == DIRECTION_OUTPUT && !d->binding) return false;
        any = any || d->direction == DIRECTION_OUTPUT;
    }
    return any;
}

/* Whether a function can be called: it has an algorithm that is supported. */
static bool is_callable(model_reader *r, const model_expression *call)
{
    const model_class *f = call->call->own;
    const char *name = model_spelled(r, f->name);
    if (f->incomplete) return false; /* refused where it is declared */
    if (f->kind == CLASS_RECORD)
        return model_refuse(r, call->at, NULL, "records and connectors are not supported yet: %s",
                            NULL, name);
    if (f->external)
        return model_refuse(r, call->at, NULL, "external functions are not supported yet: %s",
                            "write its algorithm in the text", name);
    if (f->partial || (f->algorithm.count == 0 && !are_outputs_bound(f)))
        return model_error(r, call->at, "the function %s %s",
                           "a function needs an algorithm section to be called", name,
                           f->partial ? "is partial and cannot be called" : "has no algorithm");
    if (call->call->iterator.count)
        return model_error(r, call->at, "%s cannot be used with for",
                           "write {... for i in ...} for an array", name);
    return true;
}

static model_symbol *next_input(const model_class *f, size_t *i)
{
    while (*i < f->local.count && !f->local.item[*i]->input) ++*i;
    return *i < f->local.count ? f->local.item[(*i)++] : NULL;
}

static const char *inputs_text(model_reader *r, const model_class *f)
{
    const char *list = "";
    size_t i = 0;
    for (const model_symbol *s = next_input(f, &i); s; s = next_input(f, &i))
        list = arena_format(r->a, "%s%s%s", list, *list ? ", " : "", s->name);
    return list;
}

/* The input that belongs to the i-th argument; NULL if there is none (reported). */
static const model_symbol *input_of(model_reader *r, const model_expression *call, uint32_t i,
                                    size_t *next)
{
    const model_class *f = call->call->own;
    uint32_t name = call->call->argument[i];
    const model_symbol *s = name == NAMES_NONE ? next_input(f, next) : model_local(f, name);
    if (s && s->input) return s;
    const char *function = model_spelled(r, f->name);
    if (name == NAMES_NONE)
        model_error(r, call->operand[i]->at, "too many arguments for %s", NULL, function);
    else
        model_error(r, call->operand[i]->at, "%s has no input %s", NULL, function,
                    model_spelled(r, name));
    model_remedy(r, "its inputs: %s", inputs_text(r, f));
    return NULL;
}

/* Evaluate the arguments in the mode of the caller; false if the function cannot be called with
 * them (reported). */
static bool begin_call(model_reader *r, const model_expression *call, calling *c)
{
    bool known = true;
    size_t next = 0;
    *c = (calling){.call = call, .f = call->call->own};
    if (!is_callable(r, call)) return false;
    c->frame = arena_array(r->a, c->f->slots, sizeof *c->frame);
    c->given = arena_array(r->a, c->f->slots, sizeof *c->given);
    for (uint32_t i = 0; i < call->count; i++) {
        const model_symbol *s = input_of(r, call, i, &next);
        model_value v = model_evaluate(r, call->operand[i]);
        known = known && s && v.type.base != TYPE_NONE;
        if (!s) continue;
        if (c->given[s->slot])
            known = model_error(r, call->operand[i]->at, "the input %s is given twice",
                                "leave one of them out", s->name);
        c->given[s->slot] = call->operand[i];
        c->frame[s->slot] = v;
    }
    return known;
}

/* An input: its argument or its default must have its type and size. */
static bool enter_input(model_reader *r, const calling *c, const model_symbol *s)
{
    model_value *v = &r->mode.frame[s->slot], shape;
    model_expression *given = c->given[s->slot], *from = given ? given : s->declaration->binding;
    if (!from) {
        model_error(r, c->call->at, "the input %s of %s is missing", NULL, s->name,
                    model_spelled(r, c->f->name));
        return model_remedy(r, "its inputs: %s", inputs_text(r, c->f));
    }
    if (!given) *v = model_evaluate(r, from);
    return v->type.base != TYPE_NONE && model_convert(r, from->at, s->name, s->type, v) &&
           model_declared_size(r, s, v, &shape) && model_size_fits(r, from->at, s->name, &shape, v);
}

/* A variable or output: it gets its default, or no value yet. */
static bool enter_variable(model_reader *r, const model_symbol *s)
{
    model_value shape, *v = &r->mode.frame[s->slot];
    model_expression *binding = s->declaration->binding;
    model_value given = binding ? model_evaluate(r, binding) : model_none();
    if (binding && given.type.base == TYPE_NONE) return false;
    if (!model_declared_size(r, s, binding ? &given : NULL, &shape)) return false;
    *v = shape;
    sym *element = model_new_elements(r, v);
    for (size_t i = 0; i < v->count; i++) element[i] = SYM_NONE;
    if (binding) model_assign(r, binding->at, s, v, &given);
    return true;
}

static bool enter_locals(model_reader *r, const calling *c)
{
    bool known = true;
    for (size_t i = 0; i < c->f->local.count && known; i++) {
        const model_symbol *s = c->f->local.item[i];
        if (s->type.base == TYPE_RECORD)
            model_refuse(r, s->declaration->at, NULL,
                         "records and connectors are not supported yet: %s", NULL, s->name);
        known = s->type.base != TYPE_NONE && s->type.base != TYPE_RECORD &&
                (s->input ? enter_input(r, c, s) : enter_variable(r, s));
    }
    return known;
}

static size_t count_outputs(const model_class *f)
{
    size_t count = 0;
    for (size_t i = 0; i < f->local.count; i++)
        count += f->local.item[i]->declaration->direction == DIRECTION_OUTPUT;
    return count;
}

static const model_value *outputs(model_reader *r, const model_expression *call, size_t *count)
{
    const model_class *f = call->call->own;
    model_value *output = arena_array(r->a, count_outputs(f), sizeof *output);
    for (size_t i = 0; i < f->local.count; i++) {
        const model_symbol *s = f->local.item[i];
        if (s->declaration->direction != DIRECTION_OUTPUT) continue;
        model_value v = r->mode.frame[s->slot];
        for (size_t k = 0; v.type.base != TYPE_NONE && k < v.count; k++) {
            if (model_element(&v, k) != SYM_NONE) continue;
            model_error(r, call->at, "the output %s of %s gets no value",
                        "assign a value to it in all cases, or give it one where it is declared",
                        s->name, model_spelled(r, f->name));
            v = model_none();
        }
        output[(*count)++] = v;
    }
    return output;
}

/* Run a function with the arguments in its frame. */
static const model_value *run(model_reader *r, const calling *c, size_t *count)
{
    const model_class *f = c->f;
    *count = 0;
    if (!model_spend(r, c->call->at, MODEL_CALL + MODEL_STEP * f->slots)) return NULL;
    model_mode before = r->mode;
    model_run run = {.function = f};
    r->mode.frame = c->frame;
    r->mode.has_end = false;
    r->mode.run = &run;
    bool known = enter_locals(r, c);
    for (size_t i = 0; known && i < f->algorithm.count; i++)
        model_execute(r, &f->algorithm.item[i].statement);
    const model_value *output = known && !r->exhausted ? outputs(r, c->call, count) : NULL;
    r->mode = before;
    return output;
}

const model_value *model_call_outputs(model_reader *r, model_expression *call, size_t *count)
{
    calling c;
    *count = 0;
    return begin_call(r, call, &c) ? run(r, &c, count) : NULL;
}

/* The number of dimensions that an argument has beyond those of its input. */
static uint32_t surplus(const model_symbol *s, const model_value *v)
{
    uint32_t declared = (uint32_t)s->sizes.count;
    return v->rank > declared ? v->rank - declared : 0;
}

/* The argument over whose surplus dimensions a call is repeated. NULL: no argument has any, or they
 * differ (reported, *fits is false). */
static const model_value *leading(model_reader *r, const calling *c, uint32_t *dimensions,
                                  bool *fits)
{
    const model_value *lead = NULL;
    for (size_t i = 0; i < c->f->local.count; i++) {
        const model_symbol *s = c->f->local.item[i];
        const model_value *v = &c->frame[s->slot];
        const model_expression *from = c->given[s->slot];
        uint32_t more = from ? surplus(s, v) : 0;
        if (more == 0) continue;
        bool same = !lead || more == *dimensions;
        for (uint32_t k = 0; lead && same && k < more; k++) same = v->size[k] == lead->size[k];
        if (!same) {
            *fits = model_error(r, from->at, "sizes do not fit: this argument is %s, another %s",
                                "arrays for scalar inputs need one size: the function is applied "
                                "element by element",
                                model_size_text(r, v), model_size_text(r, lead));
            return NULL;
        }
        if (!lead) lead = v;
        *dimensions = more;
    }
    return lead;
}

/* The i-th part of an argument, which lacks the first `dimensions` dimensions. */
static model_value part_of(const model_value *v, uint32_t dimensions, size_t parts, size_t i)
{
    size_t count = v->count / parts;
    return (model_value){.type = v->type,
                         .rank = v->rank - dimensions,
                         .count = count,
                         .one = v->element[i * count],
                         .size = v->size + dimensions,
                         .element = v->element + i * count};
}

/* f({a, b}) of a function of a scalar is {f(a), f(b)} (Modelica 3.6, Sec. 12.4.6). */
static model_value call_each(model_reader *r, const calling *c, const model_value *lead,
                             uint32_t dimensions)
{
    const model_class *f = c->f;
    size_t parts = 1, count;
    for (uint32_t k = 0; k < dimensions; k++) parts *= lead->size[k];
    model_value *result = arena_array(r->a, parts, sizeof *result);
    bool *parted = arena_array(r->a, f->slots, sizeof *parted);
    for (size_t k = 0; k < f->local.count; k++) {
        uint32_t slot = f->local.item[k]->slot;
        parted[slot] = c->given[slot] && surplus(f->local.item[k], &c->frame[slot]);
    }
    for (size_t i = 0; i < parts; i++) {
        calling part = *c;
        part.frame = arena_array(r->a, f->slots, sizeof *part.frame);
        for (uint32_t slot = 0; slot < f->slots; slot++)
            part.frame[slot] = parted[slot] ? part_of(&c->frame[slot], dimensions, parts, i)
                                            : c->frame[slot];
        const model_value *output = run(r, &part, &count);
        if (!output || output[0].type.base == TYPE_NONE) return model_none();
        result[i] = output[0];
    }
    if (parts == 0) return model_vector(r, (model_type){.base = TYPE_REAL}, 0, NULL);
    return model_stack(r, c->call->at, result[0].type, dimensions, lead->size, result);
}

model_value model_call_function(model_reader *r, model_expression *call)
{
    const model_class *f = call->call->own;
    calling c;
    uint32_t dimensions = 0;
    bool fits = true;
    size_t count;
    if (f->kind == CLASS_FUNCTION && !f->incomplete && count_outputs(f) == 0)
        return model_fail(r, call->at, "the function %s has no output",
                          "declare its result: output Real y", model_spelled(r, f->name));
    if (!begin_call(r, call, &c)) return model_none();
    const model_value *lead = leading(r, &c, &dimensions, &fits);
    if (lead) return call_each(r, &c, lead, dimensions);
    const model_value *output = fits ? run(r, &c, &count) : NULL;
    return output && count ? output[0] : model_none();
}
