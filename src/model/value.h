/* Values of expressions: a type, sizes, and a node of the graph for each element. */
#ifndef MODEL_VALUE_H
#define MODEL_VALUE_H

#include "model/syntax.h"
#include "symbolic/node.h"

typedef enum model_base {
    TYPE_NONE, /* no value, because of a mistake or a refusal that is already reported */
    TYPE_REAL,
    TYPE_INTEGER,
    TYPE_BOOLEAN,     /* 0 or 1 */
    TYPE_STRING,      /* number in the table of names */
    TYPE_ENUMERATION, /* number of the literal, from 1 */
    TYPE_RECORD,
    TYPE_FUNCTION, /* of an input of a function alone */
    TYPE_OBJECT    /* an ExternalObject: a table of the Modelica Standard Library */
} model_base;

typedef struct model_type {
    model_base base;
    const model_class *declared; /* of what is declared by a class; else NULL */
} model_type;

/* The names of the types up to TYPE_STRING. */
extern const char *const model_base_name[TYPE_STRING + 1];

/* A scalar (rank 0), or an array with its elements in row-major order. */
typedef struct model_value {
    model_type type;
    uint32_t rank;
    sym one;            /* the scalar */
    size_t count;       /* of elements; 1 for a scalar */
    const size_t *size; /* rank */
    const sym *element; /* count; SYM_NONE: a variable of a function without a value yet */
    /* of a record: each component has the dimensions of the record, and then its own; a record has
     * no elements. */
    const struct model_value *member;
    const struct model_closure *closure; /* of a function (evaluator.h) */
    const struct model_table *table;     /* of an object (standard_table.c) */
} model_value;

enum { MODEL_MOST_ELEMENTS = 5000000 }; /* of an array, and of all unknowns together */

model_value model_none(void);
model_value model_scalar(model_base base, sym value);
model_value model_number(model_reader *r, model_base base, double value);

/* model_error() where a value is due: returns NONE. */
#define model_fail(...) (model_error(__VA_ARGS__), model_none())

/* Make `v` a value of this type and size and return where its elements are to be written; those of
 * a scalar are in `v` itself. If it is too large: `v` is NONE, the result NULL, and it is reported
 * at `at`. */
sym *model_new_array(model_reader *r, model_span at, model_type type, uint32_t rank,
                     const size_t *size, model_value *v);

/* New elements for a value that has a type and sizes, to be written by the caller. */
sym *model_new_elements(model_reader *r, model_value *v);

/* A vector that owns `element`. */
model_value model_vector(model_reader *r, model_type type, size_t count, const sym *element);

/* The i-th element, from 0. For a scalar always the scalar, so that it combines with arrays. */
sym model_element(const model_value *v, size_t i);

/* The same elements with other sizes: `size` has `rank` entries, their product is v->count. */
model_value model_reshape(model_reader *r, const model_value *v, uint32_t rank, const size_t *size);

bool model_same_size(const model_value *a, const model_value *b);
bool model_same_type(const model_reader *r, model_type a, model_type b);
bool model_is_numeric(const model_value *v); /* Real or Integer */

/* "a scalar", "[3]", "[2, 3]"; "Real", "Boolean", the name of an enumeration. */
const char *model_size_text(model_reader *r, const model_value *v);
const char *model_type_text(model_reader *r, model_type type);

/* Subscripts of the i-th element: "[2,3]". */
const char *model_index_text(arena *a, uint32_t rank, const size_t *size, size_t i);

#endif
