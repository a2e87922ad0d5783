/* The tables of the Modelica Standard Library as compilers print them: external objects
 * (ExternalCombiTimeTable, ExternalCombiTable1D and 2D of Modelica.Blocks.Types) that functions in
 * C make and evaluate. Such a function is known by its name in C, as
 * ModelicaStandardTables_CombiTable1D_getValue; its arguments are those of version 4.
 *
 * The points of a table are events as those of Modelica.Math.Vectors.interpolate (table.c), so that
 * nobody has to ask for the next one. */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "model/table_file.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

static const char PREFIX[] = "ModelicaStandardTables_Combi";

typedef enum table_kind { TABLE_OF_TIME, TABLE_1D, TABLE_2D } table_kind;

static const char *const kind_name[] = {"TimeTable_", "Table1D_", "Table2D_"};

/* Modelica.Blocks.Types.Smoothness and Extrapolation, numbered from 1. */
enum { SMOOTHNESSES = 6, STEPS = 2 };
static const struct {
    const char *name;
    curve_shape shape;
} smoothnesses[SMOOTHNESSES] = {{"LinearSegments", CURVE_LINES},
                                {"ContinuousDerivative", CURVE_AKIMA},
                                {"ConstantSegments", CURVE_STEPS},
                                {"MonotoneContinuousDerivative1", CURVE_MONOTONE_CHORDS},
                                {"MonotoneContinuousDerivative2", CURVE_STEFFEN},
                                {"ModifiedContinuousDerivative", CURVE_MODIFIED_AKIMA}};

typedef enum extrapolation { HOLD = 1, LAST_TWO, PERIODIC, NONE } extrapolation;

typedef struct model_table {
    table_kind kind;
    size_t rows, width; /* of the matrix */
    const double *value;
    size_t columns;
    const double *column; /* numbers of the columns, from 1; not of a table of two arguments */
    int smoothness;       /* from 0 */
    extrapolation outside;
    double start, shift; /* of a table of time */
} model_table;

/* One call. */
typedef struct calling {
    model_reader *r;
    const model_expression *call;
    const model_class *f;
    const char *name; /* of what is called in C, after the prefix and the kind */
    table_kind kind;
    const model_mode *caller;
} calling;

static const char *name_in_c(const model_reader *r, const model_class *f)
{
    bool named = f->external && f->external->function != NAMES_NONE;
    return named ? names_string(r->words, f->external->function) : "";
}

bool model_is_table_function(const model_reader *r, const model_class *f)
{
    return strncmp(name_in_c(r, f), PREFIX, sizeof PREFIX - 1) == 0;
}

/* --- arguments --- */

/* The value of argument i, which must be there (else reported). */
static bool argument(calling *c, size_t i, model_value *v)
{
    const model_external *x = c->f->external;
    if (i >= x->argument.count)
        return model_error(c->r, x->at, "%s has too few arguments",
                           "they are those of version 4 of the Modelica Standard Library",
                           name_in_c(c->r, c->f));
    *v = model_evaluate(c->r, x->argument.item[i]);
    return v->type.base != TYPE_NONE;
}

/* The numbers of argument i, which must be known before the start (else reported). */
static const double *numbers(calling *c, size_t i, model_value *v)
{
    if (!argument(c, i, v)) return NULL;
    bool fits = model_is_numeric(v) || v->type.base == TYPE_ENUMERATION;
    double *number = arena_array(c->r->a, v->count + 1, sizeof *number);
    for (size_t k = 0; k < v->count && fits; k++) {
        if (sym_is_number(c->r->graph, model_element(v, k), &number[k])) continue;
        model_error(c->r, c->call->at, "the table of %s must be known before the start",
                    "write numbers, or parameters that have values", model_shown(c->r, c->call));
        return NULL;
    }
    if (!fits) model_report_type(c->r, c->f->external->argument.item[i], v, "a number");
    return fits ? number : NULL;
}

static bool number(calling *c, size_t i, double *x)
{
    model_value v;
    const double *all = numbers(c, i, &v);
    if (all && v.rank)
        return model_report_type(c->r, c->f->external->argument.item[i], &v, "a scalar");
    if (all) *x = all[0];
    return all != NULL;
}

/* The String of argument i (else reported); "": it names nothing. */
static bool name(calling *c, size_t i, const char **found)
{
    model_value v;
    double spelled;
    if (!argument(c, i, &v)) return false;
    bool known = v.type.base == TYPE_STRING && v.rank == 0 &&
                 sym_is_number(c->r->graph, v.one, &spelled);
    if (!known)
        return model_error(c->r, c->call->at, "the names of a table and of its file must be known",
                           "write Strings, or parameters that have values");
    *found = names_string(c->r->words, (uint32_t)spelled);
    *found += strspn(*found, " ");
    if (strcmp(*found, "NoName") == 0) *found = "";
    return true;
}

/* --- the constructor --- */

/* Whether the points ascend from value[0] on, `step` numbers apart (else reported). */
static bool ascends(calling *c, const double *value, size_t points, size_t step, bool jumps)
{
    for (size_t i = 1; i < points; i++) {
        double before = value[(i - 1) * step], x = value[i * step];
        if (before < x || (jumps && before == x)) continue;
        return model_error(c->r, c->call->at,
                           "the points of the table do not ascend: %g is before "
                           "%g",
                           jumps ? "put them in order; two equal ones are a jump"
                                 : "put them in order, without equal ones",
                           before, x);
    }
    return true;
}

/* Whether the parts of a table fit (else reported). */
static bool is_valid(calling *c, const model_table *t)
{
    model_reader *r = c->r;
    bool two = t->kind == TABLE_2D,
         jumps = t->kind == TABLE_OF_TIME && t->smoothness <= STEPS && t->smoothness != 1;
    if (t->width < 2 || t->rows < 1 + (size_t)two)
        return model_error(r, c->call->at, "a table of %zu rows and %zu columns has no values",
                           "the first column has the points", t->rows, t->width);
    for (size_t k = 0; k < t->columns; k++)
        if (!(t->column[k] >= 1 && t->column[k] <= (double)t->width))
            return model_error(r, c->call->at, "the table has no column %g: it has %zu",
                               "columns are numbered from 1", t->column[k], t->width);
    if (two && t->smoothness > STEPS)
        return model_refuse(r, c->call->at, NULL, "a table of two arguments with smoothness %s",
                            "LinearSegments, ContinuousDerivative and ConstantSegments are there",
                            smoothnesses[t->smoothness].name);
    if (two && !ascends(c, t->value + 1, t->width - 1, 1, false)) return false;
    const double *first = two ? t->value + t->width : t->value;
    return ascends(c, first, two ? t->rows - 1 : t->rows, t->width, jumps);
}

/* The smoothness and extrapolation, arguments i and i + 1. */
static bool read_choices(calling *c, size_t i, model_table *t)
{
    double smoothness, outside;
    if (!number(c, i, &smoothness) || !number(c, i + 1, &outside)) return false;
    if (smoothness < 1 || smoothness > SMOOTHNESSES || outside < HOLD || outside > NONE)
        return model_refuse(
            c->r, c->call->at, NULL, "a table with the smoothness %g and the extrapolation %g",
            "they are literals of Modelica.Blocks.Types of version 4", smoothness, outside);
    t->smoothness = (int)smoothness - 1;
    t->outside = (extrapolation)outside;
    return true;
}

/* The matrix of a table: from a file that is named, or else that of the arguments. The constructors
 * of version 3 of the library have the names the other way round. */
static bool read_points(calling *c, bool older, model_table *t)
{
    model_value table;
    const char *file, *called;
    if (!name(c, older ? 1 : 0, &file) || !name(c, older ? 0 : 1, &called)) return false;
    if (*called && !*file)
        return model_refuse(c->r, c->call->at, NULL, "the table %s of a C function usertab",
                            "name the file that it is in, or write its values into the model",
                            called);
    if (*file) {
        t->value = model_read_table_file(c->r, c->call->at, file, called, &t->rows, &t->width);
        return t->value != NULL;
    }
    t->value = numbers(c, 2, &table);
    if (!t->value) return false;
    if (table.rank != 2)
        return model_report_type(c->r, c->f->external->argument.item[2], &table, "a matrix");
    t->rows = table.size[0];
    t->width = table.size[1];
    return true;
}

static bool construct(calling *c, model_value *result)
{
    model_table *t = arena_take(c->r->a, sizeof *t);
    model_value columns;
    size_t next = 5; /* after the two names, the matrix and its two sizes */
    bool older = strcmp(c->name, "init") == 0;
    t->kind = c->kind;
    if (!read_points(c, older, t)) return false;
    if (t->kind == TABLE_OF_TIME && !number(c, next++, &t->start)) return false;
    if (t->kind != TABLE_2D) {
        t->column = numbers(c, next, &columns);
        if (!t->column) return false;
        t->columns = columns.count;
        next += 2;
    }
    if (!read_choices(c, next, t)) return false;
    t->shift = t->start;
    if (t->kind == TABLE_OF_TIME && !older && !number(c, next + 2, &t->shift)) return false;
    *result = (model_value){.count = 1, .one = sym_number(c->r->graph, 0), .table = t};
    return is_valid(c, t);
}

/* --- values --- */

/* The object, the first argument; NULL: it is none of this kind (reported). */
static const model_table *object(calling *c)
{
    model_value v;
    if (!argument(c, 0, &v)) return NULL;
    if (v.table && v.table->kind == c->kind) return v.table;
    model_error(c->r, c->call->at, "%s is called with something that is no such table",
                "an object is made by the constructor of its class, as the value of a parameter",
                name_in_c(c->r, c->f));
    return NULL;
}

/* Where a table ends, the argument goes on: in the next period, or nowhere. Its points are
 * first ... last. `otherwise`: holds where nothing is asked of the table; SYM_NONE: nowhere. */
static sym within(calling *c, const model_table *t, double first, double last, sym x, sym otherwise)
{
    model_reader *r = c->r;
    sym_graph *g = r->graph;
    const char *shown = model_shown(r, c->call);
    sym from = sym_subtract(g, x, sym_number(g, first));
    if (t->outside == PERIODIC && last > first) {
        const char *as = arena_format(r->home, "periods of %s", shown);
        sym periods = model_periods(r, from, last - first, as, c->call->at);
        return sym_subtract(g, x, sym_scale(g, last - first, periods));
    }
    if (t->outside != NONE || last == first || !r->placed) return x;
    sym inside = sym_binary(g, SYM_AND, sym_binary(g, SYM_LESS_EQUAL, sym_number(g, first), x),
                            sym_binary(g, SYM_LESS_EQUAL, x, sym_number(g, last)));
    if (otherwise != SYM_NONE) inside = sym_binary(g, SYM_OR, otherwise, inside);
    model_add_assertion(
        r, (sym_assertion){.condition = inside,
                           .message = arena_format(r->home,
                                                   "the argument of %s is outside of its table, "
                                                   "%g ... %g, which has no extrapolation",
                                                   shown, first, last),
                           .at = model_place(&r->source, c->call->at)});
    return x;
}

static curve_outside outside_of(const model_table *t)
{
    return t->outside == LAST_TWO ? CURVE_CHORD : CURVE_HELD;
}

/* Column `column`, from 1, of the columns that the table gives, at x. */
static bool column_at(calling *c, const model_table *t, double column, sym x, sym *y)
{
    model_reader *r = c->r;
    sym_graph *g = r->graph;
    curve made;
    sym before = SYM_NONE;
    if (!(column >= 1 && column <= (double)t->columns))
        return model_error(r, c->call->at, "the table has no output %g: it has %zu",
                           "outputs are numbered from 1", column, t->columns);
    double *points = arena_array(r->a, t->rows, sizeof *points);
    double *values = arena_array(r->a, t->rows, sizeof *values);
    size_t k = (size_t)t->column[(size_t)column - 1] - 1;
    for (size_t i = 0; i < t->rows; i++) {
        points[i] = t->value[i * t->width];
        values[i] = t->value[i * t->width + k];
    }
    curve_make(&made, r->a, t->rows, points, values, smoothnesses[t->smoothness].shape,
               outside_of(t));
    if (t->kind == TABLE_OF_TIME) {
        before = model_relate(r, SYM_LESS, x, sym_number(g, t->start));
        model_note_switch(r, (model_expression *)c->call, before);
        x = sym_subtract(g, x, sym_number(g, t->shift));
    }
    x = within(c, t, points[0], points[t->rows - 1], x, before);
    if (t->outside == PERIODIC) curve_keep_inner(&made);
    *y = model_value_of_curve(r, &made, x, model_shown(r, c->call), c->call->at);
    if (before != SYM_NONE) *y = sym_if(g, before, sym_number(g, 0), *y);
    return true;
}

/* The points of a table of two arguments along one of them. */
static double *axis(calling *c, const model_table *t, int k, size_t *points)
{
    *points = (k == 0 ? t->rows : t->width) - 1;
    double *x = arena_array(c->r->a, *points, sizeof *x);
    for (size_t i = 0; i < *points; i++) x[i] = t->value[(i + 1) * (k == 0 ? t->width : 1)];
    return x;
}

static sym surface_at(calling *c, const model_table *t, const sym *u)
{
    size_t points[2];
    surface made;
    sym at[2];
    double *x[2] = {axis(c, t, 0, &points[0]), axis(c, t, 1, &points[1])};
    double *z = arena_array(c->r->a, points[0] * points[1], sizeof *z);
    for (size_t i = 0; i < points[0]; i++)
        for (size_t j = 0; j < points[1]; j++)
            z[i * points[1] + j] = t->value[(i + 1) * t->width + j + 1];
    curve_shape shape = smoothnesses[t->smoothness].shape;
    bool plane = points[0] > 1 && points[1] > 1;
    bool smooth = shape == CURVE_AKIMA && (points[0] > 2 || points[1] > 2);
    if (plane && shape == CURVE_AKIMA && !smooth) shape = CURVE_LINES; /* of four points */
    if (plane && smooth)
        surface_make_smooth(&made, c->r->a, points, x, z, t->outside != LAST_TWO);
    else if (plane && shape == CURVE_STEPS && t->outside == LAST_TWO)
        surface_make_steps(&made, c->r->a, points, x, z);
    else
        surface_make(&made, c->r->a, points, x, z, shape, outside_of(t));
    for (int k = 0; k < 2; k++) at[k] = within(c, t, x[k][0], x[k][points[k] - 1], u[k], SYM_NONE);
    return model_value_of_surface(c->r, &made, at, model_shown(c->r, c->call), c->call->at);
}

/* A scalar that changes, argument i. */
static bool changing(calling *c, size_t i, sym *x)
{
    model_value v;
    if (!argument(c, i, &v)) return false;
    if (!model_is_numeric(&v) || v.rank)
        return model_report_type(c->r, c->f->external->argument.item[i], &v, "a number");
    *x = v.one;
    return true;
}

static bool value(calling *c, model_value *result)
{
    const model_table *t = object(c);
    double column = 0;
    sym u[2] = {SYM_NONE, SYM_NONE}, y = SYM_NONE;
    bool two = c->kind == TABLE_2D;
    if (!t || (!two && !number(c, 1, &column)) || !changing(c, two ? 1 : 2, &u[0]) ||
        (two && !changing(c, 2, &u[1])))
        return false;
    model_mode own = c->r->mode; /* the points are events where the call stands */
    c->r->mode = *c->caller;
    bool is = two || column_at(c, t, column, u[0], &y);
    if (two) y = surface_at(c, t, u);
    c->r->mode = own;
    *result = model_scalar(TYPE_REAL, y);
    return is;
}

/* The first or last points. */
static bool bound(calling *c, bool last, model_value *result)
{
    const model_table *t = object(c);
    if (!t) return false;
    sym_graph *g = c->r->graph;
    if (t->kind != TABLE_2D) {
        *result = model_scalar(TYPE_REAL,
                               sym_number(g, t->value[last ? (t->rows - 1) * t->width : 0]));
        return true;
    }
    sym *end = arena_array(c->r->a, 2, sizeof *end);
    for (int k = 0; k < 2; k++) {
        size_t points;
        const double *x = axis(c, t, k, &points);
        end[k] = sym_number(g, x[last ? points - 1 : 0]);
    }
    *result = model_vector(c->r, (model_type){.base = TYPE_REAL}, 2, end);
    return true;
}

static bool compute(calling *c, model_value *result)
{
    static const double NEVER = 1e60; /* Modelica.Constants.inf: no event has to be asked for */
    if (strncmp(c->name, "init", 4) == 0) return construct(c, result);
    if (strcmp(c->name, "getValue") == 0) return value(c, result);
    if (strncmp(c->name, "minimum", 7) == 0) return bound(c, false, result);
    if (strncmp(c->name, "maximum", 7) == 0) return bound(c, true, result);
    if (strcmp(c->name, "nextTimeEvent") == 0) {
        *result = model_number(c->r, TYPE_REAL, NEVER);
        return object(c) != NULL;
    }
    return model_refuse(c->r, c->call->at, NULL, "the function %s of tables is not supported",
                        strstr(c->name, "Der") ? "a derivative is written der(y) of its value y"
                                               : "write the values of the table into the model",
                        name_in_c(c->r, c->f));
}

/* The variable that takes the result: y = f(...), or the last argument of f(table, y). */
static const model_symbol *target(calling *c)
{
    const model_external *x = c->f->external;
    const model_expression *e = x->result;
    if (!e && x->argument.count) e = x->argument.item[x->argument.count - 1];
    bool named = e && e->kind == EXPRESSION_REFERENCE && e->reference->meaning.kind == MEANS_LOCAL;
    const model_symbol *s = named ? e->reference->meaning.symbol : NULL;
    if (s && s->declaration->direction == DIRECTION_OUTPUT) return s;
    model_error(c->r, x->at, "%s gives no output its value", "write it as y = f(...)",
                name_in_c(c->r, c->f));
    return NULL;
}

bool model_call_table(model_reader *r, const model_expression *call, const model_class *f,
                      const model_mode *caller)
{
    calling c = {.r = r, .call = call, .f = f, .caller = caller};
    const char *rest = name_in_c(r, f) + sizeof PREFIX - 1;
    for (int k = TABLE_OF_TIME; k <= TABLE_2D && !c.name; k++) {
        size_t length = strlen(kind_name[k]);
        if (strncmp(rest, kind_name[k], length) != 0) continue;
        c.kind = (table_kind)k;
        c.name = rest + length;
    }
    if (!c.name) c.name = "";
    const model_symbol *to = target(&c);
    model_value result;
    if (!to || !compute(&c, &result)) return false;
    if (result.table) result.type = to->type;
    model_value *slot = &r->mode.frame[to->slot];
    bool fits = result.table ? to->type.base == TYPE_OBJECT
                             : to->type.base == TYPE_REAL && model_same_size(slot, &result);
    if (!fits)
        return model_error(r, to->declaration->at, "%s is no output for %s",
                           "it has the type and size of what the function gives", to->name,
                           name_in_c(r, f));
    *slot = result;
    return true;
}
