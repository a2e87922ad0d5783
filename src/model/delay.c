/* delay(expr, delayTime) and delay(expr, delayTime, delayMax) (Modelica 3.6, Sec. 3.7.4.1). */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

/* A lag that varies may leave 0 to its largest value by this part of that, because what it follows
 * from has errors of the size of the tolerance. */
static const double LAG_SLACK = 1e-3;

static bool is_derivative(const model_reader *r, const sym_view *leaf)
{
    (void)r;
    return leaf->op == SYM_VARIABLE && leaf->order > 0;
}

/* Whether argument i is a scalar number (else reported), and whether its value is known. */
static bool is_scalar(model_reader *r, const model_arguments *a, uint32_t i)
{
    const model_value *v = &a->value[i];
    return (!v->rank && model_is_numeric(v)) ||
           model_report_type(r, a->expression[i], v, v->rank ? "a scalar" : "a number");
}

static bool refuse_negative(model_reader *r, const model_arguments *a, double lag)
{
    return model_error(r, a->expression[1]->at, "the lag of %s is negative: %s is %g",
                       "a delay is at least 0", model_shown(r, a->call),
                       model_shown(r, a->expression[1]), sym_value(r->graph, lag));
}

/* Whether the largest lag is a number above 0 (else reported). */
static bool find_most(model_reader *r, const model_arguments *a, double *most)
{
    const model_expression *e = a->expression[2];
    if (!sym_number_of(r->graph, a->value[2].one, most))
        return model_error(r, e->at, "the largest lag of %s must be known: %s",
                           "write a number, or an expression of parameters that have values",
                           model_shown(r, a->call), model_shown(r, e));
    if (sym_ask(r->graph, IS_LESS, 0, *most)) return true;
    return model_error(r, e->at, "the largest lag of %s must be above 0: %s is %g",
                       "without a third argument the lag is the largest one",
                       model_shown(r, a->call), model_shown(r, e), sym_value(r->graph, *most));
}

/* Fills lag, most and varies. False: they are wrong (reported). */
static bool find_lag(model_reader *r, const model_arguments *a, sym_delay *d)
{
    double lag, most = 0;
    if (!is_scalar(r, a, 1) || (a->count > 2 && !is_scalar(r, a, 2))) return false;
    d->lag = d->most = a->value[1].one;
    d->varies = !sym_number_of(r->graph, d->lag, &lag);
    if (a->count > 2 && !find_most(r, a, &most)) return false;
    if (d->varies && a->count < 3)
        return model_error(r, a->expression[1]->at, "the lag of %s is no number: %s",
                           "a lag that varies needs its largest value, as in delay(expr, lag, "
                           "largest)",
                           model_shown(r, a->call), model_shown(r, a->expression[1]));
    if (d->varies) {
        d->most = a->value[2].one;
        return true;
    }
    if (sym_ask(r->graph, IS_LESS, lag, 0)) return refuse_negative(r, a, lag);
    if (a->count < 3 || !sym_ask(r->graph, IS_LESS, most, lag)) return true;
    return model_error(r, a->expression[1]->at, "the lag of %s is greater than its largest value",
                       "give a larger one, or none", model_shown(r, a->call));
}

/* Notes that a lag must stay within its bounds. */
static void assert_bounds(model_reader *r, sym_delay *d)
{
    sym_graph *g = r->graph;
    sym low = sym_scale(g, -LAG_SLACK, d->most), high = sym_scale(g, 1 + LAG_SLACK, d->most);
    sym bounded = sym_binary(g, SYM_AND, sym_binary(g, SYM_LESS_EQUAL, low, d->lag),
                             sym_binary(g, SYM_LESS_EQUAL, d->lag, high));
    d->assertion = r->system->assertion.count;
    list_push(r->home, &r->system->assertion,
              ((sym_assertion){.condition = bounded,
                               .message = arena_format(r->home,
                                                       "the lag of %s is not within its "
                                                       "bounds",
                                                       d->text),
                               .at = d->at}));
}

/* The number of a delay in the list of the system. */
static uint32_t number_of(model_reader *r, sym_delay d)
{
    uint32_t count = (uint32_t)r->system->delay.count;
    for (uint32_t k = 0; k < count; k++) {
        const sym_delay *other = &r->system->delay.item[k];
        if (other->value == d.value && other->lag == d.lag && other->most == d.most) return k;
    }
    if (d.varies) assert_bounds(r, &d);
    list_push(r->home, &r->system->delay, d);
    sym_call_delay(r->graph, count, d.value, d.lag);
    return count;
}

static sym delayed(model_reader *r, const model_arguments *a, sym value, sym_delay *d)
{
    sym_graph *g = r->graph;
    if (!model_varies(r, value) || sym_is(g, d->lag, 0)) return value;
    if (model_any_leaf(r, value, is_derivative)) {
        model_error(r, a->call->at, "%s: what is delayed contains a derivative",
                    "introduce a variable for it: v = der(x), and delay v",
                    model_shown(r, a->call));
        return SYM_NONE;
    }
    d->value = d->start = value;
    d->slope = sym_number(g, 0);
    return sym_input(g, number_of(r, *d), 0, sym_subtract(g, sym_time(g), d->lag));
}

model_value model_delay(model_reader *r, const model_arguments *a)
{
    const model_value *v = &a->value[0];
    sym_delay d = {.at = model_place(&r->source, a->call->at)};
    if (!model_is_numeric(v)) {
        model_report_type(r, a->expression[0], v, "a number");
        return model_none();
    }
    bool known = find_lag(r, a, &d);
    d.text = arena_format(r->home, "%s", model_shown(r, a->call));
    model_value result;
    sym *element = model_new_array(r, a->call->at, (model_type){.base = TYPE_REAL}, v->rank,
                                   v->size, &result);
    for (size_t i = 0; element && known && i < v->count; i++) {
        element[i] = r->placed ? delayed(r, a, model_element(v, i), &d) : model_stand_in(r);
        known = element[i] != SYM_NONE;
    }
    return known ? result : model_none();
}
