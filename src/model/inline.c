/* Calls of functions of the text, and of constructors of records. Each call runs the function's
 * algorithm symbolically. */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "model/record.h"
#include "symbolic/simplify.h"

/* One call of a function. */
typedef struct calling {
    const model_expression *call;
    const model_class *f;
    model_value *frame;       /* values of the arguments, by slot */
    model_expression **given; /* their expressions; NULL: no argument */
    bool all; /* of a constructor: components that keep their values have arguments, too */
} calling;

/* output Real y = 2*x; of a function that needs no algorithm then. */
static bool are_outputs_bound(const model_class *f)
{
    bool any = false;
    for (size_t i = 0; i < f->local.count; i++) {
        const model_declaration *d = f->local.item[i]->declaration;
        if (f->local.item[i]->member.count) continue; /* its components count */
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
    bool runs = f->kind == CLASS_RECORD || f->algorithm.count || f->external ||
                are_outputs_bound(f);
    if (f->partial || !runs)
        return model_error(r, call->at, "the function %s %s",
                           "a function needs an algorithm section to be called", name,
                           f->partial ? "is partial and cannot be called" : "has no algorithm");
    if (call->call->iterator.count)
        return model_error(r, call->at, "%s cannot be used with for",
                           "write {... for i in ...} for an array", name);
    return true;
}

/* Whether an input of a function keeps its default. Records have such components, too, which the
 * constructors of printers give. */
static bool is_closed(const calling *c, const model_symbol *s)
{
    const model_declaration *d = s->declaration;
    return c->f->kind == CLASS_FUNCTION && s->input && (d->final || d->hidden);
}

static model_symbol *next_input(const calling *c, size_t *i)
{
    const model_class *f = c->f;
    while (*i < f->local.count) {
        model_symbol *s = f->local.item[(*i)++];
        bool given = model_given_of(c->call->call->bound, s); /* when it was handed on */
        if (!s->owner && (s->input || c->all) && !given && !is_closed(c, s)) return s;
    }
    return NULL;
}

static const char *inputs_text(model_reader *r, const calling *c)
{
    const char *list = "";
    size_t i = 0;
    for (const model_symbol *s = next_input(c, &i); s; s = next_input(c, &i))
        list = arena_format(r->a, "%s%s%s", list, *list ? ", " : "", s->name);
    return list;
}

/* The input that belongs to the i-th argument; NULL if there is none (reported). */
static const model_symbol *input_of(model_reader *r, const calling *c, uint32_t i, size_t *next)
{
    const model_expression *call = c->call;
    uint32_t name = call->call->argument[i];
    const model_symbol *s = name == NAMES_NONE ? next_input(c, next) : model_local(c->f, name);
    bool closed = s && is_closed(c, s);
    if (s && (s->input || c->all) && !s->owner && !closed) return s;
    const char *function = model_spelled(r, c->f->name);
    if (name == NAMES_NONE)
        model_error(r, call->operand[i]->at, "too many arguments for %s", NULL, function);
    else if (closed)
        model_error(r, call->operand[i]->at, "the input %s of %s is %s and cannot be given", NULL,
                    model_spelled(r, name), function,
                    s->declaration->final ? "final" : "protected");
    else
        model_error(r, call->operand[i]->at, "%s has no input %s", NULL, function,
                    model_spelled(r, name));
    model_remedy(r, "its inputs: %s", inputs_text(r, c));
    return NULL;
}

/* Whether a constructor is called as compilers print it: with an argument for each component, also
 * for those that keep their values. */
static bool has_all(const model_expression *call)
{
    const model_class *f = call->call->own;
    size_t inputs = 0, components = f->declaration.count;
    if (f->kind != CLASS_RECORD || call->count != components) return false;
    for (size_t i = 0; i < f->local.count; i++)
        inputs += f->local.item[i]->input && !f->local.item[i]->owner;
    return inputs < components;
}

/* Evaluate the arguments in the mode of the caller; false if the function cannot be called with
 * them (reported). */
static bool begin_call(model_reader *r, const model_expression *call, calling *c)
{
    bool known = true;
    size_t next = 0;
    *c = (calling){.call = call, .f = call->call->own, .all = has_all(call)};
    if (!is_callable(r, call)) return false;
    c->frame = arena_array(r->a, c->f->slots, sizeof *c->frame);
    c->given = arena_array(r->a, c->f->slots, sizeof *c->given);
    const model_closure *bound = call->call->bound;
    for (size_t i = 0; bound && i < bound->count; i++) {
        const model_given_input *g = &bound->given[i];
        c->given[g->input->slot] = g->from;
        c->frame[g->input->slot] = g->value;
    }
    for (uint32_t i = 0; i < call->count; i++) {
        const model_symbol *s = input_of(r, c, i, &next);
        model_value v = s ? model_argument_value(r, s, call->operand[i])
                          : model_evaluate(r, call->operand[i]);
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

static bool report_missing(model_reader *r, const calling *c, const char *name)
{
    model_error(r, c->call->at, "the input %s of %s is missing", NULL, name,
                model_spelled(r, c->f->name));
    return model_remedy(r, "its inputs: %s", inputs_text(r, c));
}

/* An input: its argument or its default must have its type and size. */
static bool enter_input(model_reader *r, const calling *c, const model_symbol *s)
{
    model_value *v = &r->mode.frame[s->slot], shape;
    model_expression *given = c->given[s->slot], *from = given ? given : s->declaration->binding;
    if (!from) return report_missing(r, c, s->name);
    if (!given) *v = model_argument_value(r, s, from);
    return v->type.base != TYPE_NONE && model_convert(r, from->at, s->name, s->type, v) &&
           model_declared_size(r, s, v, &shape) && model_size_fits(r, from->at, s->name, &shape, v);
}

/* Give the components of a variable their values from that of the record. */
static void hand_out(model_reader *r, const model_symbol *s, const model_value *v)
{
    for (size_t i = 0; i < s->member.count; i++) {
        const model_symbol *m = s->member.item[i];
        r->mode.frame[m->slot] = v->member[i];
        hand_out(r, m, &v->member[i]);
    }
}

/* Whether the components have the sizes that are declared, which may depend on each other. */
static bool components_fit(model_reader *r, model_span at, const model_symbol *s)
{
    bool fits = true;
    for (size_t i = 0; i < s->member.count && fits; i++) {
        const model_symbol *m = s->member.item[i];
        model_value shape, *v = &r->mode.frame[m->slot];
        fits = model_declared_size(r, m, v, &shape) && model_size_fits(r, at, m->name, &shape, v) &&
               components_fit(r, at, m);
    }
    return fits;
}

/* The first component without a default; NULL: each has one. */
static const model_symbol *without_default(const model_symbol *s)
{
    if (s->type.base != TYPE_RECORD) return s->declaration->binding ? NULL : s;
    const model_symbol *found = NULL;
    for (size_t i = 0; i < s->member.count && !found; i++)
        found = without_default(s->member.item[i]);
    return found;
}

/* A variable of record type: its value, or its size alone where its components come after it. */
static bool enter_record(model_reader *r, const calling *c, const model_symbol *s)
{
    model_value *v = &r->mode.frame[s->slot], shape;
    bool argument = !s->owner && (s->input || c->given[s->slot]);
    if (argument && (c->given[s->slot] || s->declaration->binding)) {
        if (s->member.count != s->type.declared->declaration.count) return false; /* reported */
        if (!enter_input(r, c, s)) return false;
        model_expression *given = c->given[s->slot];
        hand_out(r, s, v);
        return components_fit(r, given ? given->at : s->declaration->at, s);
    }
    const model_symbol *missing = argument ? without_default(s) : NULL;
    if (missing) return report_missing(r, c, missing->name);
    model_expression *binding = s->declaration->binding;
    model_value given = binding ? model_evaluate(r, binding) : model_none();
    if (binding &&
        (given.type.base == TYPE_NONE || !model_convert(r, binding->at, s->name, s->type, &given)))
        return false;
    if (!model_declared_size(r, s, binding ? &given : NULL, &shape)) return false;
    *v = binding ? given : shape;
    return !binding || model_size_fits(r, binding->at, s->name, &shape, &given);
}

static model_value local_value(model_reader *r, model_symbol *s)
{
    return s->type.base == TYPE_RECORD ? model_record_value(r, s, true) : r->mode.frame[s->slot];
}

/* Whether all variables of the function in an expression have values. */
static bool is_ready(model_reader *r, const model_expression *e)
{
    const model_reference *to = e->kind == EXPRESSION_REFERENCE ? e->reference : NULL;
    if (to && to->meaning.kind == MEANS_LOCAL && to->meaning.symbol) {
        model_value v = local_value(r, to->meaning.symbol);
        if (v.type.base != TYPE_NONE && model_unassigned(r, "", &v)) return false;
    }
    for (uint32_t i = 0; i < e->count; i++)
        if (!is_ready(r, e->operand[i])) return false;
    return true;
}

/* A variable or output: it gets its default, or no value yet. The default of a component may follow
 * from others, which may have no value yet. */
static bool enter_variable(model_reader *r, const model_symbol *s)
{
    model_value shape, *v = &r->mode.frame[s->slot];
    model_expression *binding = s->declaration->binding;
    if (s->owner && binding && !is_ready(r, binding)) binding = NULL;
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
        bool handed = s->owner && r->mode.frame[s->slot].type.base != TYPE_NONE;
        if (handed) continue;
        bool argument = !s->owner && (s->input || c->given[s->slot]);
        if (s->type.base == TYPE_NONE)
            known = false;
        else if (s->type.base == TYPE_RECORD)
            known = enter_record(r, c, s);
        else
            known = argument ? enter_input(r, c, s) : enter_variable(r, s);
    }
    return known;
}

static bool is_output(const model_symbol *s)
{
    return !s->owner && s->declaration->direction == DIRECTION_OUTPUT;
}

static size_t count_outputs(const model_class *f)
{
    size_t count = f->kind == CLASS_RECORD;
    for (size_t i = 0; i < f->local.count; i++) count += is_output(f->local.item[i]);
    return count;
}

/* The record that a constructor makes of its variables. */
static model_value constructed(model_reader *r, const model_class *record)
{
    model_value v = {.type = {TYPE_RECORD, record}, .count = 1};
    model_value *member = arena_array(r->a, record->declaration.count, sizeof *member);
    size_t count = 0;
    for (size_t i = 0; i < record->local.count; i++) {
        if (record->local.item[i]->owner) continue;
        member[count] = local_value(r, record->local.item[i]);
        if (member[count++].type.base == TYPE_NONE) return model_none();
    }
    v.member = member;
    return v;
}

static const model_value *outputs(model_reader *r, const model_expression *call, size_t *count)
{
    const model_class *f = call->call->own;
    model_value *output = arena_array(r->a, count_outputs(f), sizeof *output);
    for (size_t i = 0; i < f->local.count; i++) {
        model_symbol *s = f->local.item[i];
        if (!is_output(s)) continue;
        model_value v = local_value(r, s);
        const char *none = v.type.base == TYPE_NONE ? NULL : model_unassigned(r, s->name, &v);
        if (none) {
            model_error(r, call->at, "the output %s of %s gets no value",
                        "assign a value to it in all cases, or give it one where it is declared",
                        none, model_spelled(r, f->name));
            v = model_none();
        }
        output[(*count)++] = v;
    }
    if (f->kind == CLASS_RECORD) output[(*count)++] = constructed(r, f);
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
    if (!before.called) r->mode.called = c->call;
    bool known = enter_locals(r, c);
    for (size_t i = 0; known && i < f->algorithm.count; i++)
        model_execute(r, &f->algorithm.item[i].statement);
    if (known && model_is_table_function(r, f))
        known = model_call_table(r, c->call, f, &before);
    else if (known && f->external)
        known = model_call_external(r, c->call, f);
    const model_value *output = known && !r->exhausted ? outputs(r, c->call, count) : NULL;
    r->mode = before;
    return output;
}

const model_value *model_call_with(model_reader *r, const model_expression *at, model_class *f,
                                   size_t arguments, const model_value *argument, size_t *count)
{
    model_expression *call = arena_duplicate(r->a, at, 1, sizeof *at);
    model_call with = {.own = f};
    call->call = arena_duplicate(r->a, &with, 1, sizeof with);
    calling c = {.call = call, .f = f};
    size_t next = 0;
    *count = 0;
    if (!is_callable(r, call)) return NULL;
    c.frame = arena_array(r->a, f->slots, sizeof *c.frame);
    c.given = arena_array(r->a, f->slots, sizeof *c.given);
    for (size_t i = 0; i < arguments; i++) {
        const model_symbol *s = next_input(&c, &next);
        if (!s) {
            model_error(r, at->at, "%s has too few inputs", NULL, model_spelled(r, f->name));
            return NULL;
        }
        c.frame[s->slot] = argument[i];
        c.given[s->slot] = call;
    }
    return run(r, &c, count);
}

const model_value *model_call_outputs(model_reader *r, model_expression *call, size_t *count)
{
    calling c;
    *count = 0;
    return begin_call(r, call, &c) ? run(r, &c, count) : NULL;
}

const model_value *model_results(model_reader *r, model_expression *e, size_t *count)
{
    *count = 0;
    if (e->kind == EXPRESSION_CALL && e->call->input) {
        e = model_input_call(r, e);
        if (!e) return NULL;
    }
    if (e->kind == EXPRESSION_CALL && e->call->own) return model_call_outputs(r, e, count);
    if (e->kind == EXPRESSION_CALL && e->call->builtin &&
        e->call->builtin->apply == model_transport)
        return model_transport_results(r, e, count);
    if (e->kind == EXPRESSION_TUPLE) {
        model_value *v = arena_array(r->a, e->count, sizeof *v);
        for (uint32_t i = 0; i < e->count; i++) v[i] = model_evaluate(r, e->operand[i]);
        *count = e->count;
        return v;
    }
    model_error(r, e->at, "only a function has several results", "write one equation for each");
    return NULL;
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
static model_value part_of(model_reader *r, const model_value *v, uint32_t dimensions, size_t parts,
                           size_t i)
{
    if (v->type.base == TYPE_RECORD) {
        model_value one = {.count = 1};
        return model_take(r, v, dimensions, &one, &i);
    }
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
            part.frame[slot] = parted[slot] ? part_of(r, &c->frame[slot], dimensions, parts, i)
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
