/* Calls of external functions (Modelica 3.6, Sec. 12.9): machine code of a library. */
#include "model/external.h"

#include "model/builtin.h"
#include "model/evaluator.h"
#include "symbolic/calls.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

/* A call that is put together: the arguments of the C function, and what their elements are. */
typedef struct outward {
    model_reader *r;
    const model_expression *call;
    const model_class *f;
    LIST(native_argument) argument;
    native_argument result;
    bool returns, scattered; /* scattered: an input is part of an expression */
    LIST(sym) input;         /* what is neither fixed nor a String */
    LIST(model_origin) from; /* of inputs */
    LIST(bool) smooth;
    LIST(double) nominal;
    LIST(model_origin) to; /* of outputs */
    LIST(bool) smooth_output;
} outward;

static const char *name_of(const outward *x)
{
    return model_spelled(x->r, x->f->name);
}

static native_base base_of(model_base base)
{
    return base == TYPE_REAL ? NATIVE_REAL : base == TYPE_STRING ? NATIVE_STRING : NATIVE_INTEGER;
}

/* --- inputs --- */

static double nominal_of(const model_reader *r, sym node)
{
    sym_view leaf = sym_look(r->graph, node);
    if (leaf.op != SYM_VARIABLE || leaf.id >= r->system->unknown.count) return 1;
    double nominal = r->system->unknown.item[leaf.id].nominal;
    return nominal > 0 ? nominal : 1;
}

static bool add_texts(outward *x, const model_expression *e, const model_value *v)
{
    model_reader *r = x->r;
    native_argument a = {.base = NATIVE_STRING, .array = v->rank > 0, .count = v->count};
    const char **string = arena_array(r->a, v->count + 1, sizeof *string);
    for (size_t i = 0; i < v->count; i++) {
        double number;
        if (!sym_is_number(r->graph, model_element(v, i), &number))
            return model_refuse(r, e->at, NULL,
                                "a String that changes with time as an argument of the external "
                                "function %s is not supported",
                                "give it a parameter or a constant", name_of(x));
        string[i] = names_string(r->words, (uint32_t)number);
    }
    a.text = string;
    list_push(r->a, &x->argument, a);
    return true;
}

/* Whether all elements are numbers that never change. `pin`: those that follow from parameters
 * count, too, which then are structural. */
static bool is_fixed(const outward *x, const model_value *v, bool pin, double *number)
{
    sym_graph *g = x->r->graph;
    for (size_t i = 0; i < v->count; i++) {
        double value;
        if (!sym_number_of(g, model_element(v, i), &value)) return false;
        if (sym_is_traced(value) && !pin) return false;
    }
    for (size_t i = 0; i < v->count; i++) sym_is_number(g, model_element(v, i), &number[i]);
    return true;
}

/* An argument with this value, which is that of an input of the function, or of NULL. */
static bool add_value(outward *x, model_expression *e, const model_value *v, bool is_size,
                      const model_symbol *of)
{
    model_reader *r = x->r;
    if (v->type.base == TYPE_NONE) return false;
    if (v->type.base == TYPE_STRING) return add_texts(x, e, v);
    native_argument a = {.base = base_of(v->type.base), .array = v->rank > 0, .count = v->count};
    double *number = arena_array(r->a, v->count + 1, sizeof *number);
    if (is_size) a.base = NATIVE_SIZE;
    if (is_fixed(x, v, of && model_is_held(r, x->f, of), number)) a.fixed = number;
    list_push(r->a, &x->argument, a);
    for (size_t i = 0; !a.fixed && i < v->count; i++) {
        sym node = model_element(v, i);
        list_push(r->a, &x->input, node);
        list_push(r->a, &x->from, ((model_origin){of, i}));
        list_push(r->a, &x->smooth, a.base == NATIVE_REAL);
        list_push(r->a, &x->nominal, nominal_of(r, node));
        x->scattered = x->scattered || (!of && a.base == NATIVE_REAL);
    }
    return true;
}

/* --- outputs --- */

static void add_elements(outward *x, const model_symbol *s, const model_value *v)
{
    bool output = s->declaration->direction == DIRECTION_OUTPUT;
    for (size_t i = 0; i < v->count; i++) {
        model_origin to = {output ? s : NULL, i};
        list_push(x->r->a, &x->to, to);
        list_push(x->r->a, &x->smooth_output, output && v->type.base == TYPE_REAL);
    }
}

static void add_output(outward *x, const model_symbol *s)
{
    const model_value *v = &x->r->mode.frame[s->slot];
    native_argument a = {.base = base_of(v->type.base), .array = v->rank > 0, .count = v->count};
    a.output = true;
    list_push(x->r->a, &x->argument, a);
    add_elements(x, s, v);
}

/* What the function returns. */
static bool add_result(outward *x, const model_expression *e, const model_symbol *s)
{
    bool output = s && s->declaration->direction == DIRECTION_OUTPUT;
    if (!output || x->r->mode.frame[s->slot].rank > 0)
        return model_error(x->r, e ? e->at : x->f->at,
                           "what the external function %s returns is no scalar output",
                           "hand arrays over as arguments: f(x, y)", name_of(x));
    const model_value *v = &x->r->mode.frame[s->slot];
    x->returns = true;
    x->result = (native_argument){.base = base_of(v->type.base), .count = 1};
    add_elements(x, s, v);
    return true;
}

/* --- the list of arguments --- */

/* The variable of the function that an expression is, as a whole; NULL: it is none. */
static const model_symbol *variable_of(const model_expression *e)
{
    const model_reference *to = e->kind == EXPRESSION_REFERENCE ? e->reference : NULL;
    bool whole = to && to->meaning.kind == MEANS_LOCAL && to->part->count == 0;
    return whole ? to->meaning.symbol : NULL;
}

static bool has_value(const model_reader *r, const model_symbol *s)
{
    const model_value *v = &r->mode.frame[s->slot];
    for (size_t i = 0; i < v->count; i++)
        if (model_element(v, i) == SYM_NONE) return false;
    return true;
}

static bool add_argument(outward *x, model_expression *e)
{
    const model_symbol *s = variable_of(e);
    bool output = s && s->declaration->direction == DIRECTION_OUTPUT;
    if (output || (s && !s->input && !has_value(x->r, s))) {
        add_output(x, s);
        return true;
    }
    const model_builtin *b = e->kind == EXPRESSION_CALL ? e->call->builtin : NULL;
    model_value v = s ? x->r->mode.frame[s->slot] : model_evaluate(x->r, e);
    return add_value(x, e, &v, b && b->apply == model_size, s && s->input ? s : NULL);
}

/* An array is followed by its sizes. */
static bool add_with_sizes(outward *x, const model_symbol *s)
{
    model_reader *r = x->r;
    const model_value *v = &r->mode.frame[s->slot];
    bool known = true;
    model_expression *e = (model_expression *)x->call;
    if (s->input)
        known = add_value(x, e, v, false, s);
    else
        add_output(x, s);
    for (uint32_t k = 0; known && k < v->rank; k++) {
        model_value size = model_number(r, TYPE_INTEGER, (double)v->size[k]);
        known = add_value(x, e, &size, true, NULL);
    }
    return known;
}

/* external "C"; alone: inputs and outputs as they are declared. One scalar output is returned. */
static bool add_in_order(outward *x)
{
    const model_symbol *only = NULL;
    size_t outputs = 0;
    bool known = true;
    for (size_t i = 0; i < x->f->local.count; i++) {
        const model_symbol *s = x->f->local.item[i];
        if (s->declaration->direction != DIRECTION_OUTPUT) continue;
        outputs++;
        only = x->r->mode.frame[s->slot].rank == 0 ? s : NULL;
    }
    if (outputs != 1) only = NULL;
    if (only && !add_result(x, NULL, only)) return false;
    for (size_t i = 0; known && i < x->f->local.count; i++) {
        const model_symbol *s = x->f->local.item[i];
        if (s != only && s->declaration->direction != DIRECTION_NONE) known = add_with_sizes(x, s);
    }
    return known;
}

static bool gather(outward *x)
{
    const model_external *e = x->f->external;
    if (e->function == NAMES_NONE) return add_in_order(x);
    if (e->result && !add_result(x, e->result, variable_of(e->result))) return false;
    for (size_t i = 0; i < e->argument.count; i++)
        if (!add_argument(x, e->argument.item[i])) return false;
    return true;
}

/* Whether all that is handed over is supported. */
static bool is_supported(model_reader *r, const model_expression *call, const model_class *f)
{
    const char *name = model_spelled(r, f->name);
    bool output = false;
    for (size_t i = 0; i < f->local.count; i++) {
        const model_symbol *s = f->local.item[i];
        output = output || s->declaration->direction == DIRECTION_OUTPUT;
        if (s->type.base == TYPE_RECORD)
            return model_refuse(r, call->at, NULL,
                                "the external function %s has a record, %s: that is not supported",
                                "hand its components over one by one", name, s->name);
        if (s->type.base == TYPE_OBJECT)
            return model_refuse(r, call->at, NULL,
                                "the external function %s has an external object, %s: that is not "
                                "supported",
                                "only the tables of the Modelica Standard Library are objects here",
                                name, s->name);
        if (s->type.base == TYPE_FUNCTION)
            return model_refuse(
                r, call->at, NULL,
                "the external function %s has a function, %s: that is not supported",
                "choose the function in C, by a number that is handed over", name, s->name);
    }
    if (strcmp(f->external->language, "C") != 0)
        return model_refuse(r, call->at, NULL,
                            "the external function %s is written in \"%s\": only \"C\" is "
                            "supported",
                            "write a function in C that calls it", name, f->external->language);
    if (f->impure)
        return model_refuse(r, call->at, NULL, "the impure function %s is not supported",
                            "a function must give the same values whenever it is called with the "
                            "same arguments",
                            name);
    if (output) return true;
    return model_refuse(r, call->at, NULL,
                        "the external function %s has no output, and is called for what it does: "
                        "that is not supported",
                        "declare what it returns", name);
}

/* --- code --- */

/* The name of the C function. */
static const char *native_name(const model_reader *r, const model_class *f)
{
    const char *name = model_spelled(r, f->name), *dot = strrchr(name, '.');
    if (f->external->function != NAMES_NONE) return model_spelled(r, f->external->function);
    return dot ? dot + 1 : name;
}

static bool report_missing(model_reader *r, const model_class *f, const char *name)
{
    const model_given *given = r->given;
    const char *list = "", *nearest = "";
    char in_library[SHARED_LIBRARY_NAME] = "";
    size_t best = SIZE_MAX, libraries = 0;
    for (size_t k = 0; given && k < given->codes; k++) {
        const model_code *c = &given->code[k];
        size_t before = best;
        if (!c->library && text_is_nearer(name, c->name, strlen(c->name), &best)) nearest = c->name;
        if (!c->library) continue;
        shared_library_nearest(c->name, name, &best, in_library);
        if (best < before) nearest = in_library;
        list = arena_format(r->a, "%s%s%s", list, libraries++ ? ", " : "", c->name);
    }
    model_span at = f->external->at;
    if (libraries > 0)
        model_error(r, at, "the external function %s is not in %s", NULL, name, list);
    else
        model_error(r, at, "the external function %s needs a library in which it is",
                    "name it: --library libNAME.so", name);
    if (*nearest) model_remedy(r, "nearest: %s", nearest);
    return false;
}

static bool find_code(model_reader *r, const model_class *f, shared_function *function)
{
    const char *name = native_name(r, f);
    const model_given *given = r->given;
    *function = NULL;
    for (size_t k = 0; given && k < given->codes && !*function; k++)
        if (!given->code[k].library && strcmp(given->code[k].name, name) == 0)
            *function = given->code[k].function;
    for (size_t k = 0; given && k < given->codes && !*function; k++)
        if (given->code[k].library) *function = shared_library_find(given->code[k].library, name);
    return *function || report_missing(r, f, name);
}

/* --- values --- */

/* The places of an output in the frame, for its elements. */
static sym *open_output(outward *x, const model_symbol *s)
{
    return model_new_elements(x->r, &x->r->mode.frame[s->slot]);
}

/* Gives the outputs their elements: those of node(i). */
static bool write_outputs(outward *x, sym (*node)(outward *x, void *context, size_t i),
                          void *context)
{
    sym *element = NULL;
    for (size_t i = 0; i < x->to.count; i++) {
        const model_origin *to = &x->to.item[i];
        if (!to->of) continue;
        if (to->element == 0) element = open_output(x, to->of);
        element[to->element] = node(x, context, i);
        if (element[to->element] == SYM_NONE) return false;
    }
    return true;
}

typedef struct called_now {
    const native *code;
    const double *input, *output;
} called_now;

/* The values that the function was given: "1, 2, ...". */
static const char *given_values(const outward *x, const double *input)
{
    enum { MOST_VALUES = 8 };
    const char *list = "";
    size_t shown = 0;
    for (size_t k = 0; k < x->argument.count; k++) {
        const native_argument *a = &x->argument.item[k];
        for (size_t i = 0; i < a->count && !a->output; i++) {
            double value = a->fixed ? a->fixed[i] : a->text ? 0 : *input++;
            const char *comma = shown > 0 ? ", " : "";
            if (shown++ == MOST_VALUES) return arena_format(x->r->a, "%s, ...", list);
            list = a->text ? arena_format(x->r->a, "%s%s\"%s\"", list, comma, a->text[i])
                           : arena_format(x->r->a, "%s%s%.6g", list, comma, value);
        }
    }
    return list;
}

static sym report_value(outward *x, const called_now *c, double value)
{
    const char *list = given_values(x, c->input);
    model_error(x->r, x->call->at, "the external function %s returned %s%s%s", NULL, name_of(x),
                isnan(value) ? "nan"
                : value > 0  ? "inf"
                             : "-inf",
                *list ? " for " : "", list);
    return SYM_NONE;
}

static sym value_now(outward *x, void *context, size_t i)
{
    const called_now *c = context;
    model_base base = x->to.item[i].of->type.base;
    double value = c->output[i];
    if (base == TYPE_STRING) {
        const char *said = native_text(c->code, i);
        if (!said) said = "";
        return model_number(x->r, base, names_intern(x->r->words, said, strlen(said))).one;
    }
    if (!isfinite(value)) return report_value(x, c, value);
    return model_number(x->r, base, base == TYPE_BOOLEAN ? value != 0 : value).one;
}

/* Whether all inputs are numbers. */
static bool is_known(const outward *x)
{
    for (size_t i = 0; i < x->input.count; i++)
        if (!sym_is_number(x->r->graph, x->input.item[i], NULL)) return false;
    return true;
}

static bool call_now(outward *x, native *code)
{
    arena *a = x->r->a;
    double *input = arena_array(a, x->input.count + 1, sizeof *input);
    double *output = arena_array(a, x->to.count + 1, sizeof *output);
    for (size_t i = 0; i < x->input.count; i++)
        sym_is_number(x->r->graph, x->input.item[i], &input[i]);
    native_call(code, input, output);
    return write_outputs(x, value_now, &(called_now){code, input, output});
}

/* --- calls that remain --- */

static sym value_later(outward *x, void *context, size_t i)
{
    return sym_call(x->r->graph, *(uint32_t *)context, (uint32_t)i, x->input.item);
}

/* Functions without an annotation are named together, by model_note_differences(). */
static void note_differences(outward *x, const char *why)
{
    model_reader *r = x->r;
    bool any = false, outputs = false;
    for (size_t i = 0; i < x->smooth.count; i++) any = any || x->smooth.item[i];
    for (size_t i = 0; i < x->to.count; i++) outputs = outputs || x->smooth_output.item[i];
    if (!any || !outputs || x->f->told) return;
    ((model_class *)x->f)->told = true;
    if (!why) list_push(r->a, &r->differenced, name_of(x));
    if (!why) return;
    list_push(r->a, &r->note,
              arena_format(r->a,
                           "%s:%u: the derivatives of the external function %s are found by "
                           "differences, because %s",
                           r->source.file, model_line_number(r, x->f->at), name_of(x), why));
}

void model_note_differences(model_reader *r)
{
    const char *list = "";
    size_t count = r->differenced.count;
    for (size_t k = 0; k < count; k++)
        list = arena_format(r->a, "%s%s%s", list, k ? ", " : "", r->differenced.item[k]);
    if (count == 0) return;
    list_push(r->a, &r->note,
              arena_format(r->a,
                           "%s: derivatives by differences, for lack of annotation(derivative = "
                           "...): external function%s %s",
                           r->source.file, count > 1 ? "s" : "", list));
}

/* The function of the graph for these arguments, made if it is new. */
static uint32_t callee_of(outward *x, native *code)
{
    model_reader *r = x->r;
    for (size_t k = 0; k < r->callee.count; k++) {
        const model_callee *known = &r->callee.item[k];
        const sym_callee *c = sym_callee_of(r->graph, known->number);
        if (known->of == x->f && native_equal(known->code, code) &&
            (x->input.count == 0 ||
             memcmp(c->nominal, x->nominal.item, x->nominal.count * sizeof *c->nominal) == 0))
            return known->number;
    }
    const model_rate *rate = model_choose_rate(r, x->f, x->from.count, x->from.item);
    for (size_t i = 0; i < x->from.count; i++)
        if (rate && x->from.item[i].of &&
            model_is_named(r, rate, "noDerivative", x->from.item[i].of))
            x->smooth.item[i] = false;
    sym_callee c = {.name = name_of(x),
                    .inputs = (uint32_t)x->input.count,
                    .outputs = (uint32_t)x->to.count,
                    .smooth_input = x->smooth.item,
                    .smooth_output = x->smooth_output.item,
                    .nominal = x->nominal.item};
    c.code = (sym_code){native_call, native_copy, native_copy(r->home, code)};
    uint32_t number = sym_new_callee(r->graph, &c);
    list_push(r->a, &r->callee, ((model_callee){x->f, code, number}));
    const char *why = NULL;
    if (rate && x->scattered)
        why = "its arguments are expressions of its inputs";
    else if (rate)
        why = model_give_rate(r, x->call, x->f, rate, number, x->from.item, x->to.item);
    else if (x->f->rate.count > 0)
        why = "its annotations do not suit: inputs with zeroDerivative change, or the order is "
              "above 2";
    if (why || !rate) note_differences(x, why);
    return number;
}

static bool call_later(outward *x, native *code)
{
    model_reader *r = x->r;
    for (size_t i = 0; i < x->to.count; i++)
        if (x->to.item[i].of && x->to.item[i].of->type.base == TYPE_STRING)
            return model_refuse(r, x->call->at, NULL,
                                "a String that the external function %s returns must follow from "
                                "parameters and constants",
                                NULL, name_of(x));
    uint32_t callee = callee_of(x, code);
    return write_outputs(x, value_later, &callee);
}

bool model_call_external(model_reader *r, const model_expression *call, const model_class *f)
{
    outward x = {.r = r, .call = call, .f = f};
    shared_function function;
    if (!is_supported(r, call, f) || !find_code(r, f, &function) || !gather(&x)) return false;
    native *code = native_create(r->a, function, x.returns ? &x.result : NULL, x.argument.count,
                                 x.argument.item);
    if (!code)
        return model_refuse(r, call->at, NULL, "this machine cannot call the external function %s",
                            NULL, name_of(&x));
    return is_known(&x) ? call_now(&x, code) : call_later(&x, code);
}
