/* Calls of functions in machine code, as C declares them (Modelica 3.6, Sec. 12.9.1): numbers from
 * and to doubles, whatever their types. */
#ifndef MODEL_NATIVE_H
#define MODEL_NATIVE_H

#include "base/arena.h"
#include "base/shared_library.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum native_base {
    NATIVE_REAL,    /* double */
    NATIVE_INTEGER, /* int; also Booleans, 0 or 1, and literals of enumerations, from 1 */
    NATIVE_SIZE,    /* size_t */
    NATIVE_STRING   /* const char * */
} native_base;

/* An argument, or the value that the function returns. */
typedef struct native_argument {
    native_base base;
    bool array;  /* a pointer to `count` elements, in order of rows; else count is 1 */
    bool output; /* a pointer to what the function writes */
    size_t count;
    const double *fixed;     /* count: always these; NULL: taken from the inputs, but for Strings */
    const char *const *text; /* count: of Strings that are no outputs */
} native_argument;

typedef struct native native;

/* A call. Its inputs are the elements of all arguments that are neither outputs nor fixed nor
 * Strings; its outputs the value returned, and then the elements of all outputs. What arguments
 * point to is copied. result NULL: the function returns nothing. In `a`, under its protection.
 * NULL: this machine cannot call it. */
native *native_create(arena *a, shared_function function, const native_argument *result,
                      size_t count, const native_argument *argument);

size_t native_inputs(const native *n);
size_t native_outputs(const native *n);

/* Whether two calls are the same. */
bool native_equal(const native *a, const native *b);

/* Calls. Outputs that are Strings get the value 0. */
void native_call(void *self, const double *input, double *output);

/* Output k of the last call, a String; NULL: the function gave none. */
const char *native_text(const native *n, size_t k);

/* A copy, which has scratch memory of its own. */
void *native_copy(arena *a, const void *self);

#endif
