/* Functions that make, measure and reshape arrays (Modelica 3.6, Sec. 10.3). */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "model/instance.h"
#include "symbolic/simplify.h"

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
    if (!model_whole_number(r, a->expression[1], "the dimension of size()", &k))
        return model_none();
    if (k < 1 || k > (long)v.rank) {
        model_error(r, a->expression[1]->at, "dimension %ld of %s %s", k,
                    v.rank ? "an array" : "a scalar,",
                    v.rank ? model_size_text(r, &v) : "which has none");
        model_remedy(r, "the dimensions are numbered from 1");
        return model_none();
    }
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
    if (!numbers || n < 2) {
        model_error(r, a->call->at, "linspace(a, b, n) needs two numbers and n >= 2");
        model_remedy(r, "a single element is written {a}");
        return model_none();
    }
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
    bool known = model_whole_number(r, a->expression[0], "the dimension of cat()", &k);
    for (uint32_t i = 1; i < a->count; i++) {
        v[i] = model_evaluate(r, a->expression[i]);
        known = known && v[i].type.base != TYPE_NONE;
    }
    if (!known) return model_none();
    if (k < 1 || k > (long)v[1].rank) {
        model_error(r, a->expression[0]->at, "dimension %ld of %s %s", k,
                    v[1].rank ? "an array" : "a scalar,",
                    v[1].rank ? model_size_text(r, &v[1]) : "which has none");
        model_remedy(r, "the dimensions are numbered from 1");
        return model_none();
    }
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
    if (kept > rank) {
        model_error(r, a->call->at, "%s() of an array %s", name, model_size_text(r, v));
        model_remedy(r, "it drops dimensions of size 1 only; an element is picked as in (e)[1]");
        return model_none();
    }
    while (kept < rank) size[kept++] = 1;
    return model_reshape(r, v, rank, size);
}
