/* Tables: functions of one number that go through given points.
 *
 * Modelica.Math.Vectors.interpolate(x, y, xi) has straight lines between them, and beyond the ends.
 * annotation(__daedal(interpolation = "akima", outside = "held")) of the equation, declaration or
 * class in which it stands chooses otherwise.
 *
 * The interval of the table in which the argument is, is a discrete variable, as a whole part is
 * (whole_part.c): no step goes over a bend or jump at a point. Within an interval the function is
 * one polynomial. */
#include "model/builtin.h"
#include "model/curve.h"
#include "model/discrete.h"
#include "model/evaluator.h"
#include "symbolic/lists.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* Of pre, the interval before: where the relations say that x has left it, it is another one,
 * whatever rounding there is in x at that instant. */
static sym next_interval(sym_graph *g, sym is, size_t last, sym pre, sym below, sym above)
{
    sym one = sym_number(g, 1);
    sym less = sym_binary(g, SYM_MIN, is, sym_subtract(g, pre, one));
    sym more = sym_binary(g, SYM_MAX, is, sym_add(g, pre, one));
    less = sym_binary(g, SYM_MAX, less, sym_number(g, 0));
    more = sym_binary(g, SYM_MIN, more, sym_number(g, (double)last));
    return sym_if(g, below, less, sym_if(g, above, more, pre));
}

/* The discrete variable that is the interval in which x is; all tables with these points share it,
 * as the columns of a file do. */
static sym watched_interval(model_reader *r, sym x, sym is, const curve *c, uint32_t bounds,
                            const char *as, model_span at)
{
    sym_graph *g = r->graph;
    for (size_t i = 0; i < r->whole.count; i++)
        if (r->whole_of.item[i] == is) return model_value_leaf(r, r->whole.item[i]);
    uint32_t k = model_new_discrete(r, as, model_place(&r->source, at),
                                    (model_type){.base = TYPE_INTEGER});
    sym pre = model_before_leaf(r, k), next = sym_add(g, pre, sym_number(g, 1));
    sym below = sym_relation(g, SYM_LESS, x, sym_element(g, bounds, pre));
    sym above = sym_relation(g, SYM_LESS_EQUAL, sym_element(g, bounds, next), x);
    sym_discrete *d = &r->system->discrete.variable.item[k];
    d->is_whole = d->is_interval = true;
    d->step = sym_number(g, 1);
    d->bounds = bounds;
    d->definition = next_interval(g, is, c->points, pre, below, above);
    list_push(r->a, &r->whole, k);
    list_push(r->a, &r->whole_of, is);
    return model_value_leaf(r, k);
}

sym model_value_of_curve(model_reader *r, const curve *c, sym x, const char *as, model_span at)
{
    sym_graph *g = r->graph;
    uint32_t points = sym_new_list(g, c->points, c->x);
    uint32_t bounds = sym_new_list(g, c->points + 2, c->from);
    sym k = sym_interval(g, points, x), value = sym_number(g, 0);
    if (model_makes_events(r, x)) k = watched_interval(r, x, k, c, bounds, as, at);
    sym from = sym_subtract(g, x, sym_element(g, bounds, k));
    for (size_t p = CURVE_POWERS; p-- > 0;) {
        uint32_t factor = sym_new_list(g, c->points + 1, c->c[p]);
        value = sym_add(g, sym_element(g, factor, k), sym_multiply(g, value, from));
    }
    if (sym_look(g, value).count > 0) sym_write_as(g, value, as);
    return value;
}

/* The numbers of an array, which must be known; NULL: they are not (reported). */
static const double *numbers_of(model_reader *r, const model_arguments *a, uint32_t i,
                                uint32_t rank)
{
    const model_value *v = &a->value[i];
    const model_expression *e = a->expression[i];
    if (!model_is_numeric(v) || v->rank != rank) {
        model_report_type(r, e, v, rank == 1 ? "a vector of numbers" : "a matrix");
        return NULL;
    }
    double *number = arena_array(r->a, v->count + 1, sizeof *number);
    for (size_t k = 0; k < v->count; k++) {
        if (sym_is_number(r->graph, model_element(v, k), &number[k])) continue;
        model_error(r, e->at, "the points of %s must be known before the start: %s",
                    "write numbers, or parameters that have values", model_shown(r, a->call),
                    model_shown(r, e));
        return NULL;
    }
    return number;
}

/* Whether the points in argument i are in order (else reported). */
static bool ascends(model_reader *r, const model_arguments *a, uint32_t i, size_t count,
                    const double *x)
{
    for (size_t k = 1; k < count; k++)
        if (!(x[k - 1] <= x[k]))
            return model_error(r, a->expression[i]->at,
                               "the points of %s do not ascend: %g is before %g",
                               "put them in order; two equal ones are a jump",
                               model_shown(r, a->call), x[k - 1], x[k]);
    return true;
}

/* What an annotation may say. */
typedef struct word {
    const char *name;
    int means;
} word;

static const word shapes[] = {{"linear", CURVE_LINES},
                              {"akima", CURVE_AKIMA},
                              {"monotone", CURVE_MONOTONE},
                              {"steps", CURVE_STEPS},
                              {NULL, 0}};
static const word outsides[] = {{"continued", CURVE_CONTINUED}, {"held", CURVE_HELD}, {NULL, 0}};

/* The meaning of the value of an entry; false: it has none (reported). */
static bool means(model_reader *r, const model_modifier *m, const word *all, int *found)
{
    bool string = m->value && m->value->kind == EXPRESSION_STRING;
    const char *value = string ? names_string(r->words, m->value->name) : "", *list = "";
    for (const word *w = all; w->name; w++) {
        *found = w->means;
        if (string && strcmp(w->name, value) == 0) return true;
        list = arena_format(r->a, "%s%s\"%s\"", list, *list ? ", " : "", w->name);
    }
    return model_error(r, m->at, "%s is one of %s",
                       "for example annotation(__daedal(interpolation = \"akima\", outside = "
                       "\"held\"))",
                       model_spelled(r, m->name), list);
}

/* The shape of a curve, and what annotations have said of it so far. */
typedef struct choice {
    int shape, outside;
    bool shaped, bounded; /* by an annotation */
} choice;

/* What an annotation says that no inner one has said; false: it is wrong (reported). */
static bool read_choice(model_reader *r, const model_vendor *v, choice *c)
{
    bool right = true;
    for (size_t k = 0; k < v->entry.count; k++) {
        const model_modifier *m = &v->entry.item[k];
        const char *name = names_string(r->words, m->name);
        if (!c->shaped && strcmp(name, "interpolation") == 0)
            c->shaped = true, right = means(r, m, shapes, &c->shape) && right;
        if (!c->bounded && strcmp(name, "outside") == 0)
            c->bounded = true, right = means(r, m, outsides, &c->outside) && right;
    }
    return right;
}

/* The annotations around a place, inner ones first, as they end earlier. own: those that begin with
 * it alone. */
static bool find_choice(model_reader *r, model_span at, bool own, choice *c)
{
    bool right = true;
    for (size_t i = 0; i < r->vendor.count; i++) {
        const model_vendor *v = &r->vendor.item[i];
        bool around = at.begin >= v->at.begin && at.end <= v->at.end;
        if (around && (!own || v->at.begin == at.begin)) right = read_choice(r, v, c) && right;
    }
    return right;
}

/* Those of a variable, then of its types, then of the classes around it. */
static bool find_course(model_reader *r, const model_symbol *s, choice *c)
{
    const model_class *type = s->alias;
    bool right = find_choice(r, s->declaration->at, true, c);
    for (size_t steps = 0; type && steps < r->classes.count; steps++) {
        if (type->kind == CLASS_TYPE) right = find_choice(r, type->at, true, c) && right;
        type = model_alias_base(r, type);
    }
    return find_choice(r, s->declaration->at, false, c) && right;
}

/* Notes where x, argument i, leaves the table, unless its author says what is there. */
static void watch_ends(model_reader *r, const model_arguments *a, uint32_t i, const curve *c, sym x)
{
    sym_graph *g = r->graph;
    double first = c->x[0], last = c->x[c->points - 1];
    if (!r->placed || c->points < 2) return;
    const char *said = arena_format(
        r->home, "%s is outside of its points, %g ... %g: a straight line goes on",
        model_shown(r, a->expression[i]), first, last);
    sym above = sym_binary(g, SYM_LESS_EQUAL, sym_number(g, first), x);
    sym below = sym_binary(g, SYM_LESS_EQUAL, x, sym_number(g, last));
    model_add_assertion(r, (sym_assertion){.condition = sym_binary(g, SYM_AND, above, below),
                                           .message = said,
                                           .at = model_place(&r->source, a->call->at),
                                           .warning = true});
}

/* Whether the arguments fit (else reported); the points. */
static bool find_points(model_reader *r, const model_arguments *a, const double **x,
                        const double **y)
{
    size_t count = a->value[0].count;
    *x = numbers_of(r, a, 0, 1);
    *y = *x ? numbers_of(r, a, 1, 1) : NULL;
    if (!*y) return false;
    if (!count || count != a->value[1].count)
        return model_error(r, a->call->at, "%s needs as many values as points: %zu and %zu",
                           "each element of the first vector has one of the second",
                           model_shown(r, a->call), a->value[1].count, count);
    if (!model_is_numeric(&a->value[2]))
        return model_report_type(r, a->expression[2], &a->value[2], "a number");
    return ascends(r, a, 0, count, *x);
}

sym model_curve_at(model_reader *r, size_t points, const double *x, const double *y, sym at,
                   bool steps, const char *as, const model_symbol *of)
{
    choice chosen = {.shape = CURVE_LINES, .outside = CURVE_HELD};
    curve c;
    if (!find_course(r, of, &chosen)) return SYM_NONE;
    if (steps) chosen.shape = CURVE_STEPS;
    curve_make(&c, r->a, points, x, y, (curve_shape)chosen.shape, (curve_outside)chosen.outside);
    return model_value_of_curve(r, &c, at, as, of->declaration->at);
}

model_value model_interpolate(model_reader *r, const model_arguments *a)
{
    const model_value *xi = &a->value[2];
    const double *x, *y;
    choice chosen = {.shape = CURVE_LINES, .outside = CURVE_CONTINUED};
    if (!find_points(r, a, &x, &y) || !find_choice(r, a->call->at, false, &chosen))
        return model_none();
    curve c;
    curve_make(&c, r->a, a->value[0].count, x, y, (curve_shape)chosen.shape,
               (curve_outside)chosen.outside);
    model_value result;
    sym *element = model_new_array(r, a->call->at, (model_type){.base = TYPE_REAL}, xi->rank,
                                   xi->size, &result);
    for (size_t i = 0; element && i < xi->count; i++) {
        sym at = model_element(xi, i);
        element[i] = model_value_of_curve(r, &c, at, model_shown(r, a->call), a->call->at);
        if (!chosen.bounded) watch_ends(r, a, 2, &c, at);
    }
    return result;
}

/* --- tables of two arguments --- */

static bool is_zero(const surface *s, size_t p, size_t q)
{
    for (size_t k = 0; k < s->intervals[0] * s->intervals[1]; k++)
        if (s->factor[p][q][k] != 0) return false;
    return true;
}

sym model_value_of_surface(model_reader *r, const surface *s, const sym *at, const char *as,
                           model_span where)
{
    sym_graph *g = r->graph;
    sym k[2], from[2];
    for (int i = 0; i < 2; i++) {
        const curve *c = &s->c[i];
        uint32_t bounds = sym_new_list(g, c->points + 2, c->from);
        k[i] = sym_interval(g, sym_new_list(g, c->points, c->x), at[i]);
        if (model_makes_events(r, at[i]))
            k[i] = watched_interval(r, at[i], k[i], c, bounds, as, where);
        from[i] = sym_subtract(g, at[i], sym_element(g, bounds, k[i]));
    }
    sym cell = sym_add(g, sym_scale(g, (double)s->intervals[1], k[0]), k[1]);
    sym value = sym_number(g, 0);
    for (size_t p = CURVE_POWERS; p-- > 0;) {
        sym sum = sym_number(g, 0);
        for (size_t q = CURVE_POWERS; q-- > 0;) {
            sum = sym_multiply(g, sum, from[1]);
            if (is_zero(s, p, q)) continue;
            uint32_t list = sym_new_list(g, s->intervals[0] * s->intervals[1], s->factor[p][q]);
            sum = sym_add(g, sum, sym_element(g, list, cell));
        }
        value = sym_add(g, sum, sym_multiply(g, value, from[0]));
    }
    if (sym_look(g, value).count > 0) sym_write_as(g, value, as);
    return value;
}

/* Whether the points and values fit (else reported). */
static bool find_grid(model_reader *r, const model_arguments *a, size_t *points, double **x,
                      const double **z)
{
    for (uint32_t k = 0; k < 2; k++) {
        points[k] = a->value[k].count;
        const double *numbers = numbers_of(r, a, k, 1);
        if (!numbers || !ascends(r, a, k, points[k], numbers)) return false;
        x[k] = arena_array(r->a, points[k], sizeof(double));
        for (size_t i = 0; i < points[k]; i++) {
            x[k][i] = numbers[i];
            if (i > 0 && numbers[i] == numbers[i - 1])
                return model_error(r, a->expression[k]->at,
                                   "two points of %s are equal: a table of two arguments has no "
                                   "jumps",
                                   NULL, model_shown(r, a->call));
        }
        if (points[k] == 0 || !model_is_numeric(&a->value[3 + k]) || a->value[3 + k].rank)
            return model_report_type(r, a->expression[3 + k], &a->value[3 + k], "a number");
    }
    *z = numbers_of(r, a, 2, 2);
    if (!*z) return false;
    const size_t *size = a->value[2].size;
    if (size[0] == points[0] && size[1] == points[1]) return true;
    return model_error(r, a->expression[2]->at,
                       "%s needs a value for each pair of points: %zu rows of %zu",
                       "element [i, j] is the value at x[i] and y[j]", model_shown(r, a->call),
                       points[0], points[1]);
}

model_value model_interpolate2(model_reader *r, const model_arguments *a)
{
    size_t points[2];
    double *x[2];
    const double *z = NULL;
    choice chosen = {.shape = CURVE_LINES, .outside = CURVE_CONTINUED};
    if (!find_grid(r, a, points, x, &z) || !find_choice(r, a->call->at, false, &chosen))
        return model_none();
    if (chosen.shape == CURVE_MONOTONE) {
        model_error(r, a->call->at,
                    "a table of two arguments is \"linear\" or \"akima\", or has \"steps\"",
                    "\"monotone\" is there for tables of one argument");
        return model_none();
    }
    surface s;
    if (chosen.shape == CURVE_AKIMA && points[0] > 1 && points[1] > 1)
        surface_make_smooth(&s, r->a, points, x, z, chosen.outside == CURVE_HELD);
    else
        surface_make(&s, r->a, points, x, z, (curve_shape)chosen.shape,
                     (curve_outside)chosen.outside);
    const sym at[2] = {model_element(&a->value[3], 0), model_element(&a->value[4], 0)};
    sym value = model_value_of_surface(r, &s, at, model_shown(r, a->call), a->call->at);
    for (uint32_t k = 0; k < 2 && !chosen.bounded; k++) watch_ends(r, a, 3 + k, &s.c[k], at[k]);
    return (model_value){.type = {.base = TYPE_REAL}, .count = 1, .one = value};
}
