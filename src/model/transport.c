/* spatialDistribution(in0, in1, x, positiveVelocity, initialPoints, initialValues) (Modelica 3.6,
 * Sec. 3.7.4.2): what a flow carries from an end at 0 to one at 1.
 *
 * z_t + x' z_y = 0 has z constant along y - x. So what leaves at 1 is what entered with the label
 * 1 - x, and what leaves at 0 is what entered with -x. At the end at which the flow enters, the
 * result is the input there. */
#include "model/builtin.h"
#include "model/discrete.h"
#include "model/evaluator.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

typedef enum transport_argument {
    IN_LEFT,
    IN_RIGHT,
    POSITION,
    DIRECTION,
    POINTS,
    VALUES,
    ARGUMENTS
} transport_argument;

/* A call with its values. */
typedef struct transporting {
    model_reader *r;
    model_arguments a;
    model_value value[ARGUMENTS]; /* NONE: left out */
} transporting;

static bool is_derivative(const model_reader *r, const sym_view *leaf)
{
    (void)r;
    return leaf->op == SYM_VARIABLE && leaf->order > 0;
}

/* Whether a quantity is a scalar number without a derivative (else reported). */
static bool check_quantity(const transporting *t, transport_argument i)
{
    model_reader *r = t->r;
    const model_value *v = &t->value[i];
    const model_expression *e = t->a.expression[i];
    if (v->rank || !model_is_numeric(v))
        return model_report_type(r, e, v, v->rank ? "a scalar" : "a number");
    if (!r->placed || !model_any_leaf(r, v->one, is_derivative)) return true;
    return model_error(r, e->at, "%s: an input of spatialDistribution() contains a derivative",
                       "introduce a variable for it: v = der(x)", model_shown(r, e));
}

static bool check_direction(const transporting *t)
{
    model_reader *r = t->r;
    const model_value *v = &t->value[DIRECTION];
    const model_expression *e = t->a.expression[DIRECTION];
    if (v->rank || v->type.base != TYPE_BOOLEAN) return model_report_type(r, e, v, "a Boolean");
    if (!r->placed || !model_has_trait(r, v->one, TRAIT_CHANGES)) return true;
    return model_error(r, e->at, "positiveVelocity changes between events: %s",
                       "leave out noEvent() around its relations", model_shown(r, e));
}

static bool is_vector(const transporting *t, transport_argument i)
{
    const model_value *v = &t->value[i];
    if (v->type.base == TYPE_NONE) return true; /* left out */
    return (v->rank == 1 && model_is_numeric(v)) ||
           model_report_type(t->r, t->a.expression[i], v, "a vector of numbers");
}

/* The number of a point, or of its value, which is known (else reported). */
static bool number_of(const transporting *t, transport_argument of, size_t i, double *number)
{
    const model_value *v = &t->value[of];
    static const double ends[] = {0, 1};
    if (v->type.base == TYPE_NONE) {
        *number = of == POINTS ? ends[i] : 0;
        return true;
    }
    return sym_number_of(t->r->graph, model_element(v, i), number) ||
           model_error(t->r, t->a.expression[of]->at, "the content at the start must be known: %s",
                       "write numbers, or expressions of parameters that have values",
                       model_shown(t->r, t->a.expression[of]));
}

static bool refuse_point(const transporting *t, double number)
{
    const model_expression *e = t->a.expression[t->value[POINTS].type.base ? POINTS : VALUES];
    return model_error(t->r, e->at, "initialPoints do not ascend from 0 to 1: %g is out of order",
                       "write the places along the way, from 0 at the left end to 1 at the right "
                       "one; twice the same place is a jump",
                       sym_value(t->r->graph, number));
}

/* Appends the content at the start (else reported). */
static bool read_content(const transporting *t, sym_delay *carrier)
{
    model_reader *r = t->r;
    sym_system *system = r->system;
    const model_value *points = &t->value[POINTS], *values = &t->value[VALUES];
    size_t count = points->type.base ? points->count : 2;
    size_t found = values->type.base ? values->count : 2;
    if (count != found || count < 2)
        return model_error(r, t->a.call->at, "initialPoints and initialValues: %zu and %zu",
                           "there is one value for each point, and at least two of them", count,
                           found);
    carrier->first_point = system->content.count;
    carrier->points = count;
    double before = 0;
    for (size_t i = 0; i < count; i++) {
        double at, value;
        if (!number_of(t, POINTS, i, &at) || !number_of(t, VALUES, i, &value)) return false;
        bool end = i == 0 || i + 1 == count;
        bool fits = end ? sym_ask(r->graph, IS_EQUAL, at, i == 0 ? 0 : 1)
                        : sym_ask(r->graph, IS_LESS_EQUAL, before, at) &&
                              sym_ask(r->graph, IS_LESS_EQUAL, at, 1);
        if (!fits) return refuse_point(t, at);
        before = at;
        list_push(r->home, &system->content,
                  ((sym_content){sym_number(r->graph, at), sym_number(r->graph, value)}));
    }
    return true;
}

/* What the input of an end is at the start: the first value, or the last one; and its slope in
 * y. */
static void take_start(model_reader *r, const sym_delay *carrier, bool left, sym_delay *end)
{
    const sym_content *c = &r->system->content.item[carrier->first_point];
    const sym_content *a = left ? c : c + carrier->points - 2, *b = a + 1;
    sym width = sym_subtract(r->graph, b->at, a->at);
    end->start = left ? a->value : b->value;
    end->slope = sym_is(r->graph, width, 0)
                     ? sym_number(r->graph, 0)
                     : sym_divide(r->graph, sym_subtract(r->graph, b->value, a->value), width);
}

static bool is_same_content(const sym_system *system, const sym_delay *a, const sym_delay *b)
{
    bool same = a->points == b->points;
    for (size_t i = 0; same && i < a->points; i++) {
        const sym_content *x = &system->content.item[a->first_point + i],
                          *y = &system->content.item[b->first_point + i];
        same = x->at == y->at && x->value == y->value;
    }
    return same;
}

/* The number of a transport's first entry; it is added where none is like it. */
static uint32_t number_of_transport(model_reader *r, const sym_delay *three)
{
    uint32_t count = (uint32_t)r->system->delay.count;
    for (uint32_t k = 0; k + 2 < count; k++) {
        const sym_delay *other = &r->system->delay.item[k];
        bool same = other->kind == SYM_LEAVES_RIGHT;
        for (size_t i = 0; same && i < 3; i++)
            same = other[i].value == three[i].value && other[i].lag == three[i].lag;
        if (same && is_same_content(r->system, &other[2], &three[2])) return k;
    }
    for (size_t i = 0; i < 3; i++) list_push(r->home, &r->system->delay, three[i]);
    const sym call[] = {three[0].value, three[1].value, three[2].value};
    sym_call_transport(r->graph, count, call, 2);
    sym_call_transport(r->graph, count + 1, call, 1);
    return count;
}

/* Fills what leaves at 0 and at 1. False: something is wrong (reported). */
static bool transport(const transporting *t, sym out[2])
{
    model_reader *r = t->r;
    sym_graph *g = r->graph;
    sym in0 = t->value[IN_LEFT].one, in1 = t->value[IN_RIGHT].one, x = t->value[POSITION].one;
    sym to_right = t->value[DIRECTION].one;
    const sym_delay like = {.most = sym_number(g, 0),
                            .varies = true,
                            .assertion = SIZE_MAX,
                            .text = arena_format(r->home, "%s", model_shown(r, t->a.call)),
                            .at = model_place(&r->source, t->a.call->at)};
    sym_delay three[3] = {like, like, like};
    three[0].kind = SYM_LEAVES_RIGHT;
    three[0].value = in0;
    three[0].lag = sym_subtract(g, sym_number(g, 1), x);
    three[1].kind = SYM_LEAVES_LEFT;
    three[1].value = in1;
    three[1].lag = sym_negate(g, x);
    three[2].kind = SYM_CARRIER;
    three[2].value = x;
    three[2].lag = sym_if(g, to_right, sym_number(g, 1), sym_number(g, 0));
    three[2].start = three[2].slope = sym_number(g, 0);
    if (!read_content(t, &three[2])) return false;
    take_start(r, &three[2], false, &three[0]);
    take_start(r, &three[2], true, &three[1]);
    uint32_t k = number_of_transport(r, three);
    out[0] = sym_if(g, to_right, in0, sym_input(g, k + 1, 0, three[1].lag));
    out[1] = sym_if(g, to_right, sym_input(g, k, 0, three[0].lag), in1);
    return true;
}

static bool read_call(transporting *t, model_expression *call)
{
    model_reader *r = t->r;
    if (!model_bind_arguments(r, call, &t->a)) return false;
    for (uint32_t i = 0; i < t->a.count; i++) {
        t->value[i] = model_evaluate(r, t->a.expression[i]);
        if (t->value[i].type.base == TYPE_NONE) return false; /* reported */
    }
    return check_quantity(t, IN_LEFT) && check_quantity(t, IN_RIGHT) &&
           check_quantity(t, POSITION) && check_direction(t) && is_vector(t, POINTS) &&
           is_vector(t, VALUES);
}

const model_value *model_transport_results(model_reader *r, model_expression *call, size_t *count)
{
    transporting t = {.r = r};
    sym out[2];
    *count = 0;
    for (size_t i = 0; i < ARGUMENTS; i++) t.value[i] = model_none();
    if (!read_call(&t, call)) return NULL;
    if (!r->placed)
        out[0] = out[1] = model_stand_in(r);
    else if (!transport(&t, out))
        return NULL;
    model_value *result = arena_array(r->a, 2, sizeof *result);
    for (size_t i = 0; i < 2; i++) result[i] = model_scalar(TYPE_REAL, out[i]);
    *count = 2;
    return result;
}

model_value model_transport(model_reader *r, const model_arguments *a)
{
    size_t count;
    const model_value *result = model_transport_results(r, a->call, &count);
    return result ? result[0] : model_none();
}
