/* Tables from files, which are written out as arrays of numbers: the functions column and matrix of
 * the package Daedal.Tables, wherever a class calls them. */
#include "base/columns.h"
#include "hierarchy/tree.h"

#include <string.h>

/* A file that was read, or one of its columns as an array. */
struct hier_file {
    const char *path, *column; /* NULL: the matrix of all */
    const model_expression *array;
    struct hier_file *next;
};

static const char COLUMN[] = "Daedal.Tables.column", MATRIX[] = "Daedal.Tables.matrix";

/* The name of the function if it is one of them; else NULL. */
static const char *function_of(hier *h, const hier_env *env, const model_expression *e)
{
    if (e->kind != EXPRESSION_CALL) return NULL;
    const model_path *path = &e->call->function;
    const model_part *last = &path->first;
    while (last->next) last = last->next;
    const char *word = names_string(h->words, last->name);
    if (strcmp(word, "column") != 0 && strcmp(word, "matrix") != 0) return NULL;
    hier_found found;
    if (!hier_lookup(h, env->part->class, path->first.name, &found)) return NULL;
    if (!hier_find_type(h, env, path, &found) || !found.class) return NULL;
    const char *name = hier_class_path(h, found.class);
    return strcmp(name, COLUMN) == 0 ? COLUMN : strcmp(name, MATRIX) == 0 ? MATRIX : NULL;
}

/* Reports that a call has other arguments. NULL. */
static const char *refuse(hier *h, const hier_env *env, const model_expression *call,
                          const char *function)
{
    bool wants_column = function == COLUMN;
    hier_error(h, env, call->at,
               wants_column ? "for example column(\"pump.csv\", \"head\")"
                            : "for example matrix(\"map.csv\")",
               "%s needs the name of a file%s in quotes, or as a parameter of the type String",
               function, wants_column ? " and of a column" : "");
    return NULL;
}

/* The String that argument k is, with what was set from outside for parameters in it; NULL: none
 * (reported). */
static const char *string_of(hier *h, const hier_env *env, const model_expression *call, uint32_t k,
                             const char *function)
{
    hier_value v;
    if (!hier_evaluate(h, env, call->operand[k], &v)) return NULL;
    if (v.kind != HIER_TEXT) return refuse(h, env, call, function);
    return names_string(h->words, (uint32_t)v.number);
}

static model_expression *new_list(hier *h, size_t count)
{
    model_expression *e = arena_take(h->a, sizeof *e);
    *e = (model_expression){.kind = EXPRESSION_ARRAY, .count = (uint32_t)count};
    e->operand = arena_array(h->a, count, sizeof(model_expression *));
    return e;
}

static model_expression *new_number(hier *h, double value)
{
    model_expression *e = arena_take(h->a, sizeof *e);
    *e = (model_expression){.kind = EXPRESSION_NUMBER, .number = value};
    return e;
}

static const model_expression *column_of(hier *h, const columns *c, size_t k)
{
    model_expression *list = new_list(h, c->rows);
    for (size_t i = 0; i < c->rows; i++)
        list->operand[i] = new_number(h, c->value[i * c->count + k]);
    return list;
}

static const model_expression *matrix_of(hier *h, const columns *c)
{
    model_expression *rows = new_list(h, c->rows);
    for (size_t i = 0; i < c->rows; i++) {
        model_expression *row = rows->operand[i] = new_list(h, c->count);
        for (size_t k = 0; k < c->count; k++)
            row->operand[k] = new_number(h, c->value[i * c->count + k]);
    }
    return rows;
}

/* The array; NULL: there is none (reported). */
static const model_expression *array_of(hier *h, const hier_env *env, const model_expression *e,
                                        const columns *c, const char *path, const char *column)
{
    if (!column) return matrix_of(h, c);
    for (size_t k = 0; c->name && k < c->count; k++)
        if (strcmp(c->name[k], column) == 0) return column_of(h, c, k);
    hier_error(h, env, e->at, NULL, c->name ? "%s has no column %s" : "%s has no names, and no %s",
               path, column);
    if (c->name) hier_remedy_nearest(h, env, column, c->count, (const char *const *)c->name);
    return NULL;
}

static const model_expression *read_array(hier *h, const hier_env *env, const model_expression *e,
                                          const char *path, const char *column)
{
    message m = {0};
    columns *c = &h->columns; /* freed, too, where memory ends in between */
    const model_expression *array = NULL;
    dae_status status = columns_read(c, path, &m);
    for (size_t k = 0; status == DAE_OK && k < c->count; k++)
        if (!column || (c->name && strcmp(c->name[k], column) == 0))
            status = columns_check(c, k, path, &m);
    const char *why = arena_format(h->a, "%s", message_string(&m));
    message_free(&m);
    if (status == DAE_OK)
        array = array_of(h, env, e, c, path, column);
    else
        hier_error(h, env, e->at, NULL, "%s", why);
    columns_free(c);
    return array;
}

/* A path is relative to the directory of the model. */
static const char *whole_path(hier *h, const char *file)
{
    const char *directory = h->request->directory;
    bool here = !directory || strcmp(directory, ".") == 0 || file[0] == '/';
    return here ? file : arena_format(h->a, "%s/%s", directory, file);
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

const model_expression *hier_from_file(hier *h, const hier_env *env, const model_expression *e)
{
    const char *function = function_of(h, env, e);
    if (!function) return e;
    bool wants_column = function == COLUMN;
    bool named = false;
    for (uint32_t k = 0; e->call->argument && k < e->count; k++)
        named |= e->call->argument[k] != NAMES_NONE;
    bool fits = !named && e->count == (wants_column ? 2 : 1);
    if (!fits) refuse(h, env, e, function);
    const char *file = fits ? string_of(h, env, e, 0, function) : NULL;
    const char *column = file && wants_column ? string_of(h, env, e, 1, function) : NULL;
    if (!file || (wants_column && !column)) return NULL;
    const char *path = whole_path(h, file);
    for (hier_file *f = h->file; f; f = f->next)
        if (strcmp(f->path, path) == 0 && is_same(f->column, column)) return f->array;
    const model_expression *array = read_array(h, env, e, path, column);
    if (!array) return NULL;
    hier_file *f = arena_take(h->a, sizeof *f);
    *f = (hier_file){path, column, array, h->file};
    h->file = f;
    return array;
}
