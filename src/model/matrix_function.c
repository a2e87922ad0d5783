/* Functions of vectors and matrices (Modelica 3.6, Sec. 10.3.5). */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "symbolic/simplify.h"

static bool has_rank(model_reader *r, const model_arguments *a, uint32_t rank, size_t size)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const model_value *v = &a->value[i];
        bool fits = v->rank == rank && (size == 0 || v->size[0] == size);
        if (fits && (model_is_numeric(v) || rank == 2)) continue;
        model_report_type(r, a->expression[i], v,
                          size        ? "a vector of 3 numbers"
                          : rank == 1 ? "a vector"
                                      : "a matrix");
        return false;
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

/* x[i] y[k] - x[k] y[i] */
static sym minor(sym_graph *g, const sym *x, const sym *y, size_t i, size_t k)
{
    return sym_subtract(g, sym_multiply(g, x[i], y[k]), sym_multiply(g, x[k], y[i]));
}

model_value model_cross(model_reader *r, const model_arguments *a)
{
    if (!has_rank(r, a, 1, 3)) return model_none();
    const sym *x = a->value[0].element, *y = a->value[1].element;
    size_t three = 3;
    model_value v;
    sym *element = model_new_array(r, a->call->at, (model_type){.base = base_of(a)}, 1, &three, &v);
    for (size_t i = 0; i < 3; i++) element[i] = minor(r->graph, x, y, (i + 1) % 3, (i + 2) % 3);
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
