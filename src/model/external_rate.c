/* Derivatives of external functions that annotations give (Modelica 3.6, Sec. 12.7.1): the rate of
 * f(x) is df(x, der_x). It is evaluated once, for leaves that stand for x and der_x. */
#include "model/external.h"
#include "symbolic/calls.h"
#include "symbolic/traced.h"

#include <string.h>

bool model_is_named(model_reader *r, const model_rate *rate, const char *option,
                    const model_symbol *input)
{
    for (size_t i = 0; i < rate->option.count; i++) {
        const model_modifier *m = &rate->option.item[i];
        const model_expression *e = m->value;
        if (strcmp(names_string(r->words, m->name), option) != 0 || !e) continue;
        if (e->kind == EXPRESSION_REFERENCE &&
            e->reference->path.first.name == input->declaration->name)
            return true;
    }
    return false;
}

bool model_is_held(model_reader *r, const model_class *f, const model_symbol *input)
{
    for (size_t i = 0; i < f->rate.count; i++)
        if (model_is_named(r, f->rate.item[i], "zeroDerivative", input)) return true;
    return false;
}

static double order_of(const model_reader *r, const model_rate *rate)
{
    for (size_t i = 0; i < rate->option.count; i++) {
        const model_modifier *m = &rate->option.item[i];
        if (strcmp(names_string(r->words, m->name), "order") != 0) continue;
        return m->value && m->value->kind == EXPRESSION_NUMBER ? m->value->number : 0;
    }
    return 1;
}

/* The function of which f is the derivative, and by which annotation; NULL: of none. */
static const model_class *integral_of(const model_reader *r, const model_class *f,
                                      const model_rate **by)
{
    for (size_t i = 0; i < r->classes.count; i++) {
        const model_class *c = r->classes.item[i];
        for (size_t k = 0; k < c->rate.count; k++) {
            *by = c->rate.item[k];
            if ((*by)->own == f && order_of(r, *by) == 1) return c;
        }
    }
    return NULL;
}

const model_rate *model_choose_rate(model_reader *r, const model_class *f, size_t inputs,
                                    const model_origin *from)
{
    for (size_t i = 0; i < f->rate.count; i++) {
        const model_rate *rate = f->rate.item[i], *by;
        double order = order_of(r, rate);
        bool suits = rate->own && (order == 1 || (order == 2 && integral_of(r, f, &by)));
        for (size_t k = 0; k < inputs && suits; k++)
            suits = !from[k].of || !model_is_named(r, rate, "zeroDerivative", from[k].of);
        if (suits) return rate;
    }
    return NULL;
}

/* A derivative under way. */
typedef struct giving {
    model_reader *r;
    const model_class *f;
    const model_rate *rate;
    uint32_t inputs;
    const model_origin *from, *to;
    const sym *leaf;         /* 2 inputs: stand for inputs and their rates */
    LIST(model_value) value; /* of the inputs of the derivative */
} giving;

static bool is_input(const model_symbol *s)
{
    return s->input && !s->owner;
}

/* A value of the sizes of `like`, with these leaves where inputs are taken from s. false: another
 * element is no number. */
static bool with_leaves(giving *x, const model_symbol *s, bool rates)
{
    model_reader *r = x->r;
    model_value like = r->mode.frame[s->slot], v = like;
    const sym *leaf = x->leaf + (rates ? x->inputs : 0);
    sym *element = model_new_elements(r, &v);
    for (size_t i = 0; i < v.count; i++)
        element[i] = rates ? model_number(r, TYPE_REAL, 0).one : model_element(&like, i);
    for (uint32_t k = 0; k < x->inputs; k++)
        if (x->from[k].of == s) element[x->from[k].element] = leaf[k];
    for (size_t i = 0; i < v.count; i++) {
        bool given = false;
        for (uint32_t k = 0; k < x->inputs; k++)
            given = given || (x->from[k].of == s && x->from[k].element == i);
        if (!given && !sym_is_number(r->graph, model_element(&like, i), NULL)) return false;
    }
    list_push(r->a, &x->value, v);
    return true;
}

/* Whether the derivative has the rate of this input as an input. `number`: its place among those of
 * f, of which the first `before` have had theirs. */
static bool has_rate(const giving *x, const model_symbol *s, size_t number, size_t before)
{
    return s->type.base == TYPE_REAL && number >= before &&
           !model_is_named(x->r, x->rate, "noDerivative", s) &&
           !model_is_named(x->r, x->rate, "zeroDerivative", s);
}

static size_t count_inputs(const model_class *f)
{
    size_t count = 0;
    for (size_t i = 0; i < f->local.count; i++) count += is_input(f->local.item[i]);
    return count;
}

/* The inputs of the derivative: those of f, then the rates of those from number `before` on. */
static bool gather_values(giving *x, size_t before)
{
    for (int rates = 0; rates < 2; rates++) {
        size_t number = 0;
        for (size_t i = 0; i < x->f->local.count; i++) {
            const model_symbol *s = x->f->local.item[i];
            if (!is_input(s)) continue;
            bool wanted = !rates || has_rate(x, s, number, before);
            number++;
            if (wanted && !with_leaves(x, s, rates)) return false;
        }
    }
    return true;
}

/* Of df(x, der_x): for each element of x the input that is its rate. False: one has none. */
static bool pair(giving *x, const model_class *of, const model_rate *by, uint32_t *rate_of)
{
    size_t given = count_inputs(of), first = given, number = 0;
    const model_symbol **input = arena_array(x->r->a, x->f->local.count, sizeof *input);
    size_t count = 0;
    for (size_t i = 0; i < x->f->local.count; i++)
        if (is_input(x->f->local.item[i])) input[count++] = x->f->local.item[i];
    for (uint32_t k = 0; k < x->inputs; k++) rate_of[k] = UINT32_MAX;
    for (size_t i = 0; i < of->local.count; i++) {
        const model_symbol *s = of->local.item[i];
        if (!is_input(s)) continue;
        size_t at = number++;
        bool smooth = s->type.base == TYPE_REAL && !model_is_named(x->r, by, "noDerivative", s) &&
                      !model_is_named(x->r, by, "zeroDerivative", s);
        if (!smooth) continue;
        if (first >= count || at >= count) return false;
        for (uint32_t k = 0; k < x->inputs; k++)
            for (uint32_t m = 0; m < x->inputs && x->from[k].of == input[at]; m++)
                if (x->from[m].of == input[first] && x->from[m].element == x->from[k].element)
                    rate_of[k] = m;
        for (uint32_t k = 0; k < x->inputs; k++)
            if (x->from[k].of == input[at] && rate_of[k] == UINT32_MAX) return false;
        first++;
    }
    return true;
}

/* The outputs of the derivative, in the order of the outputs of the callee. NULL: they do not fit
 * (reported). */
static const sym *sort_outputs(giving *x, uint32_t outputs, const model_value *v, size_t count)
{
    model_reader *r = x->r;
    sym *sorted = arena_array(r->a, outputs + 1, sizeof *sorted);
    size_t next = 0;
    for (uint32_t k = 0; k < outputs; k++) sorted[k] = model_number(r, TYPE_REAL, 0).one;
    for (size_t i = 0; i < x->f->local.count; i++) {
        const model_symbol *s = x->f->local.item[i];
        if (s->declaration->direction != DIRECTION_OUTPUT || s->type.base != TYPE_REAL) continue;
        const model_value *of = next < count ? &v[next++] : NULL;
        if (of && of->type.base == TYPE_NONE) return NULL;
        if (!of || !model_is_numeric(of) || !model_same_size(of, &r->mode.frame[s->slot])) {
            model_error(
                r, x->rate->at, "%s has no output for the derivative of %s, the output of %s",
                "it has the same outputs of type Real, in the same order",
                model_spelled(r, x->rate->own->name), s->name, model_spelled(r, x->f->name));
            return NULL;
        }
        for (uint32_t k = 0; k < outputs; k++)
            if (x->to[k].of == s) sorted[k] = model_element(of, x->to[k].element);
    }
    return sorted;
}

/* Whether an element is an input twice. */
static bool is_twice(const giving *x)
{
    for (uint32_t k = 0; k < x->inputs; k++)
        for (uint32_t m = 0; m < k; m++)
            if (x->from[k].of && x->from[k].of == x->from[m].of &&
                x->from[k].element == x->from[m].element)
                return true;
    return false;
}

/* Calls the derivative for leaves: as it stands, without events and asserts. */
static const model_value *call_rate(giving *x, const model_expression *call, size_t *count)
{
    model_reader *r = x->r;
    const model_guard nowhere = {.condition = SYM_NONE};
    model_mode before = r->mode;
    r->mode.no_event++;
    r->mode.counting = false;
    r->mode.guard = &nowhere;
    const model_value *v = model_call_with(r, call, x->rate->own, x->value.count, x->value.item,
                                           count);
    r->mode = before;
    return v;
}

const char *model_give_rate(model_reader *r, const model_expression *call, const model_class *f,
                            const model_rate *rate, uint32_t callee, const model_origin *from,
                            const model_origin *to)
{
    const sym_callee *c = sym_callee_of(r->graph, callee);
    const model_rate *by = NULL;
    const model_class *of = order_of(r, rate) == 2 ? integral_of(r, f, &by) : NULL;
    giving x = {.r = r, .f = f, .rate = rate, .inputs = c->inputs, .from = from, .to = to};
    sym *leaf = arena_array(r->a, 2 * (size_t)c->inputs + 1, sizeof *leaf);
    uint32_t *rate_of = of ? arena_array(r->a, c->inputs + 1, sizeof *rate_of) : NULL;
    size_t count;
    x.leaf = leaf;
    if (is_twice(&x)) return "it has an input twice as an argument";
    if (of && !pair(&x, of, by, rate_of))
        return "its derivative of the second order does not suit its inputs";
    sym_open_rate(r->graph, callee, leaf);
    if (!gather_values(&x, of ? count_inputs(of) : 0))
        return "an input that changes is no argument";
    if (of) rate->own->told = true; /* derivatives of the third order are for matrices alone */
    const model_value *v = call_rate(&x, call, &count);
    const sym *output = v ? sort_outputs(&x, c->outputs, v, count) : NULL;
    if (output) sym_give_rate(r->graph, callee, output, rate_of);
    return NULL;
}
