/* Functions of arrays, vectors and matrices, and reductions (Modelica 3.6, Sec. 10.3). */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "model/record.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

/* Find the sizes of an expression. A variable needs no value for that. */
static model_value measure(model_reader *r, model_expression *e)
{
    if (e->kind != EXPRESSION_REFERENCE || e->reference->part->count) return model_evaluate(r, e);
    const model_meaning *m = &e->reference->meaning;
    if (m->kind == MEANS_LOCAL) return r->mode.frame[m->number];
    if (m->kind != MEANS_SYMBOL) return model_evaluate(r, e);
    return model_symbol_size(r, m->symbol) ? m->symbol->value : model_none();
}

model_value model_ndims(model_reader *r, const model_arguments *a)
{
    model_value v = measure(r, a->expression[0]);
    if (v.type.base == TYPE_NONE) return v;
    return model_number(r, TYPE_INTEGER, v.rank);
}

/* The number of a dimension that a value has. */
static bool read_dimension(model_reader *r, model_expression *e, const char *what,
                           const model_value *v, long *k)
{
    if (!model_whole_number(r, e, what, k)) return false;
    if (*k >= 1 && *k <= (long)v->rank) return true;
    return model_error(r, e->at, "dimension %ld of %s %s", "the dimensions are numbered from 1", *k,
                       v->rank ? "an array" : "a scalar,",
                       v->rank ? model_size_text(r, v) : "which has none");
}

model_value model_size(model_reader *r, const model_arguments *a)
{
    model_value v = measure(r, a->expression[0]);
    model_type type = {.base = TYPE_INTEGER};
    if (v.type.base == TYPE_NONE) return v;
    if (a->count == 1) {
        size_t rank = v.rank;
        model_value sizes;
        sym *element = model_new_array(r, a->call->at, type, 1, &rank, &sizes);
        for (uint32_t k = 0; k < v.rank; k++) element[k] = sym_number(r->graph, (double)v.size[k]);
        return sizes;
    }
    long k;
    if (!read_dimension(r, a->expression[1], "the dimension of size()", &v, &k))
        return model_none();
    return model_number(r, TYPE_INTEGER, (double)v.size[k - 1]);
}

/* Read sizes from the arguments i, i+1, ... */
static bool read_sizes(model_reader *r, const model_arguments *a, uint32_t i, size_t *size)
{
    bool known = true;
    for (uint32_t k = 0; i + k < a->count; k++) {
        bool read = model_read_size(r, a->expression[i + k], &size[k]);
        known = known && read;
    }
    return known;
}

static model_value fill_records(model_reader *r, const model_value *v, uint32_t outer,
                                const size_t *sizes)
{
    model_value part = {.rank = outer, .size = sizes, .count = 1};
    for (uint32_t k = 0; k < outer; k++) part.count *= sizes[k];
    return model_take(r, v, 0, &part, arena_array(r->a, part.count, sizeof(size_t)));
}

model_value model_fill(model_reader *r, const model_arguments *a)
{
    const model_builtin *f = a->call->call->builtin;
    bool given = f->base == TYPE_NONE; /* fill(s, n, ...); else zeros(n, ...), ones(n, ...) */
    model_value value = given ? model_evaluate(r, a->expression[0])
                              : model_number(r, f->base, f->op == SYM_PRODUCT);
    size_t *size = arena_array(r->a, a->count, sizeof *size);
    if (!read_sizes(r, a, given, size) || value.type.base == TYPE_NONE) return model_none();
    uint32_t outer = a->count - given, rank = outer + value.rank;
    size_t *sizes = arena_array(r->a, rank, sizeof *sizes);
    for (uint32_t k = 0; k < rank; k++) sizes[k] = k < outer ? size[k] : value.size[k - outer];
    if (value.type.base == TYPE_RECORD) return fill_records(r, &value, outer, sizes);
    model_value array;
    sym *element = model_new_array(r, a->call->at, value.type, rank, sizes, &array);
    for (size_t i = 0; element && i < array.count; i++)
        element[i] = model_element(&value, i % value.count);
    return array;
}

model_value model_identity(model_reader *r, const model_arguments *a)
{
    size_t n[2];
    if (!read_sizes(r, a, 0, n)) return model_none();
    n[1] = n[0];
    model_value v;
    sym *element = model_new_array(r, a->call->at, (model_type){.base = TYPE_INTEGER}, 2, n, &v);
    for (size_t i = 0; element && i < v.count; i++)
        element[i] = sym_number(r->graph, i % (n[0] + 1) == 0);
    return v;
}

model_value model_linspace(model_reader *r, const model_arguments *a)
{
    long n;
    sym_graph *g = r->graph;
    model_value from = model_evaluate(r, a->expression[0]),
                to = model_evaluate(r, a->expression[1]);
    bool known = model_whole_number(r, a->expression[2], "the size of an array", &n);
    if (!known || from.type.base == TYPE_NONE || to.type.base == TYPE_NONE) return model_none();
    bool numbers = model_is_numeric(&from) && model_is_numeric(&to) && !from.rank && !to.rank;
    if (!numbers || n < 2)
        return model_fail(r, a->call->at, "linspace(a, b, n) needs two numbers and n >= 2",
                          "a single element is written {a}");
    size_t count = (size_t)n;
    model_value v;
    sym *element = model_new_array(r, a->call->at, (model_type){.base = TYPE_REAL}, 1, &count, &v);
    for (size_t i = 0; element && i < count; i++) {
        double part = (double)i / (double)(count - 1);
        element[i] = sym_sum(g, 0, 2, (sym[]){from.one, to.one}, (double[]){1 - part, part});
    }
    return v;
}

model_value model_array_of(model_reader *r, const model_arguments *a)
{
    model_expression braces = {
        .kind = EXPRESSION_ARRAY, .at = a->call->at, .count = a->count, .operand = a->expression};
    if (a->call->call->iterator.count) braces.iterator = &a->call->call->iterator;
    return model_build_array(r, &braces);
}

model_value model_cat(model_reader *r, const model_arguments *a)
{
    long k;
    model_value *v = arena_array(r->a, a->count, sizeof *v);
    bool known = true;
    for (uint32_t i = 1; i < a->count; i++) {
        v[i] = model_evaluate(r, a->expression[i]);
        known = known && v[i].type.base != TYPE_NONE;
    }
    if (!known) { /* the dimension may be wrong as well */
        model_whole_number(r, a->expression[0], "the dimension of cat()", &k);
        return model_none();
    }
    if (!read_dimension(r, a->expression[0], "the dimension of cat()", &v[1], &k))
        return model_none();
    return model_concatenate(r, a->call->at, (uint32_t)k - 1, a->count - 1, v + 1);
}

/* scalar(A), vector(A), matrix(A): dimensions of size 1 dropped or added, up to rank 0, 1 or 2. */
model_value model_reshaped(model_reader *r, const model_arguments *a)
{
    const model_value *v = &a->value[0];
    const char *name = a->call->call->builtin->name;
    uint32_t rank = name[0] == 's' ? 0 : name[0] == 'v' ? 1 : 2, kept = 0;
    size_t *size = arena_array(r->a, rank > v->rank ? rank : v->rank, sizeof *size);
    for (uint32_t k = 0; k < v->rank; k++)
        if (v->size[k] != 1 || (rank == 2 && k < 2)) size[kept++] = v->size[k];
    if (kept > rank)
        return model_fail(r, a->call->at, "%s() of an array %s",
                          "it drops dimensions of size 1 only; an element is picked as in (e)[1]",
                          name, model_size_text(r, v));
    while (kept < rank) size[kept++] = 1;
    return model_reshape(r, v, rank, size);
}

/* Functions of vectors and matrices (Sec. 10.3.5). */

static bool has_rank(model_reader *r, const model_arguments *a, uint32_t rank, size_t size)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const model_value *v = &a->value[i];
        bool fits = v->rank == rank && (size == 0 || v->size[0] == size);
        if (fits && (model_is_numeric(v) || rank == 2)) continue;
        return model_report_type(r, a->expression[i], v,
                                 size        ? "a vector of 3 numbers"
                                 : rank == 1 ? "a vector"
                                             : "a matrix");
    }
    return true;
}

static model_base base_of(const model_arguments *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (a->value[i].type.base != TYPE_INTEGER) return TYPE_REAL;
    return TYPE_INTEGER;
}

static sym *new_matrix(model_reader *r, const model_arguments *a, size_t rows, size_t columns,
                       model_value *v)
{
    size_t size[2] = {rows, columns};
    return model_new_array(r, a->call->at, (model_type){.base = base_of(a)}, 2, size, v);
}

model_value model_transpose(model_reader *r, const model_arguments *a)
{
    if (!has_rank(r, a, 2, 0)) return model_none();
    const model_value *v = &a->value[0];
    size_t rows = v->size[0], columns = v->size[1];
    model_value t;
    sym *element = new_matrix(r, a, columns, rows, &t);
    t.type = v->type;
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < columns; k++) element[k * rows + i] = v->element[i * columns + k];
    return t;
}

/* The upper triangle, mirrored. */
model_value model_symmetric(model_reader *r, const model_arguments *a)
{
    if (!has_rank(r, a, 2, 0)) return model_none();
    const model_value *v = &a->value[0];
    size_t n = v->size[0];
    if (n != v->size[1]) {
        model_report_type(r, a->expression[0], v, "a square matrix");
        return model_none();
    }
    model_value s;
    sym *element = new_matrix(r, a, n, n, &s);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            element[i * n + k] = v->element[i <= k ? i * n + k : k * n + i];
    return s;
}

model_value model_diagonal(model_reader *r, const model_arguments *a)
{
    if (!has_rank(r, a, 1, 0)) return model_none();
    const model_value *v = &a->value[0];
    size_t n = v->count;
    model_value d;
    sym *element = new_matrix(r, a, n, n, &d);
    for (size_t i = 0; element && i < d.count; i++)
        element[i] = (i % (n + 1)) ? sym_number(r->graph, 0) : v->element[i / (n + 1)];
    return d;
}

model_value model_cross(model_reader *r, const model_arguments *a)
{
    if (!has_rank(r, a, 1, 3)) return model_none();
    const sym *x = a->value[0].element, *y = a->value[1].element;
    size_t three = 3;
    model_value v;
    sym *element = model_new_array(r, a->call->at, (model_type){.base = base_of(a)}, 1, &three, &v);
    for (size_t i = 0; i < 3; i++)
        element[i] = sym_subtract(r->graph, sym_multiply(r->graph, x[(i + 1) % 3], y[(i + 2) % 3]),
                                  sym_multiply(r->graph, x[(i + 2) % 3], y[(i + 1) % 3]));
    return v;
}

/* The matrix S with S*y = cross(x, y). */
model_value model_skew(model_reader *r, const model_arguments *a)
{
    if (!has_rank(r, a, 1, 3)) return model_none();
    const sym *x = a->value[0].element;
    sym_graph *g = r->graph;
    model_value v;
    sym *element = new_matrix(r, a, 3, 3, &v), zero = sym_number(g, 0);
    for (size_t i = 0; i < 3; i++) {
        element[4 * i] = zero;
        element[3 * ((i + 1) % 3) + i] = x[(i + 2) % 3];
        element[3 * i + (i + 1) % 3] = sym_negate(g, x[(i + 2) % 3]);
    }
    return v;
}

model_value model_outer_product(model_reader *r, const model_arguments *a)
{
    if (!has_rank(r, a, 1, 0)) return model_none();
    const model_value *x = &a->value[0], *y = &a->value[1];
    model_value v;
    sym *element = new_matrix(r, a, x->count, y->count, &v);
    for (size_t i = 0; element && i < x->count; i++)
        for (size_t k = 0; k < y->count; k++)
            element[i * y->count + k] = sym_multiply(r->graph, x->element[i], y->element[k]);
    return v;
}

/* sum, product, min and max: of an array, of two numbers, or of an expression for iterators. */

/* The values of a reduction. */
typedef struct gathered {
    model_expression *expression; /* each step adds its value */
    model_type type;
    bool known;
    LIST(sym) element;
} gathered;

static bool is_number(model_reader *r, const model_expression *e, const model_value *v)
{
    if (v->type.base == TYPE_NONE) return false;
    bool ordered = model_is_numeric(v) || v->type.base == TYPE_ENUMERATION;
    if (!ordered) model_report_type(r, e, v, "a number");
    return ordered;
}

static void add_elements(model_reader *r, gathered *g, const model_expression *e,
                         const model_value *v)
{
    bool fits = is_number(r, e, v);
    if (fits && g->type.base == TYPE_NONE) g->type = v->type;
    if (fits && !model_common_type(r, &g->type, v->type)) {
        model_report_type(r, e, v, model_type_text(r, g->type));
        fits = false;
    }
    g->known = g->known && fits;
    for (size_t i = 0; fits && i < v->count; i++) list_push(r->a, &g->element, model_element(v, i));
}

static void step(model_reader *r, void *context)
{
    gathered *g = context;
    model_value v = model_evaluate(r, g->expression);
    if (v.rank) {
        model_report_type(r, g->expression, &v, "a scalar");
        g->known = false;
        return;
    }
    add_elements(r, g, g->expression, &v);
}

static bool gather(model_reader *r, const model_arguments *a, gathered *g)
{
    model_iterators *list = &a->call->call->iterator;
    g->known = true;
    g->expression = a->expression[0];
    if (list->count) return model_iterate(r, list, true, step, g) && g->known;
    for (uint32_t i = 0; i < a->count; i++) {
        model_value v = model_evaluate(r, a->expression[i]);
        bool array = a->count == 1;
        if (v.type.base != TYPE_NONE && array != (v.rank > 0)) {
            model_report_type(r, a->expression[i], &v, array ? "an array" : "a scalar");
            g->known = false;
        }
        add_elements(r, g, a->expression[i], &v);
    }
    return g->known;
}

static sym extreme(model_reader *r, const model_arguments *a, const gathered *g)
{
    sym value = g->element.item[0];
    sym_op op = a->call->call->builtin->op;
    for (size_t i = 1; i < g->element.count; i++)
        value = model_min_max(r, op, value, g->element.item[i]);
    if (!sym_is_number(r->graph, value, NULL) && g->element.count > 1)
        model_note_switch(r, a->call, value);
    return value;
}

static sym multiply_all(model_reader *r, const gathered *g)
{
    double number = 1, x;
    size_t factors = 0;
    sym *factor = arena_array(r->a, g->element.count, sizeof *factor);
    for (size_t i = 0; i < g->element.count; i++) {
        if (sym_number_of(r->graph, g->element.item[i], &x))
            number = sym_calculate(r->graph, TRACED_PRODUCT, number, x);
        else
            factor[factors++] = g->element.item[i];
    }
    return sym_scale(r->graph, number, sym_product(r->graph, factors, factor, NULL));
}

model_value model_reduction(model_reader *r, const model_arguments *a)
{
    const model_builtin *f = a->call->call->builtin;
    gathered g = {0};
    if (!gather(r, a, &g)) return model_none();
    bool extremal = f->op == SYM_MIN || f->op == SYM_MAX;
    size_t count = g.element.count;
    if (extremal && count == 0)
        return model_fail(r, a->call->at, "%s of an empty array",
                          "test its size first: if size(x, 1) > 0 then ... else ...", f->name);
    if (g.type.base == TYPE_NONE) g.type.base = TYPE_INTEGER; /* empty: 0 or 1 */
    if (g.type.base == TYPE_ENUMERATION && !extremal)
        return model_fail(r, a->call->at, "%s of literals of an enumeration",
                          "their numbers are Integer(e)", f->name);
    model_value v = {.type = g.type, .count = 1};
    v.one = extremal           ? extreme(r, a, &g)
            : f->op == SYM_SUM ? sym_sum(r->graph, 0, count, g.element.item, NULL)
                               : multiply_all(r, &g);
    return v;
}
