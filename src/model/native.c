#include "model/native.h"

#include <ffi.h>
#include <math.h>
#include <string.h>

/* What is handed over of an argument. */
typedef union passed {
    double real;
    int integer;
    size_t size;
    void *pointer;
    ffi_arg returned; /* whole numbers that are returned have at least this width */
} passed;

struct native {
    shared_function function;
    bool returns;
    size_t count; /* of arguments; argument[count]: the value returned */
    native_argument *argument;
    size_t inputs, outputs;
    ffi_cif cif;
    ffi_type **type;   /* count */
    passed *value;     /* count + 1 */
    void **address;    /* count: of the values */
    void **memory;     /* count: of elements, where the function has a pointer to them */
    const char **text; /* outputs: that are Strings */
};

static size_t size_of(native_base base)
{
    switch (base) {
    case NATIVE_REAL: return sizeof(double);
    case NATIVE_INTEGER: return sizeof(int);
    case NATIVE_SIZE: return sizeof(size_t);
    case NATIVE_STRING: return sizeof(const char *);
    }
    return 0;
}

static ffi_type *type_of(const native_argument *x)
{
    if (x->array || x->output || x->base == NATIVE_STRING) return &ffi_type_pointer;
    if (x->base == NATIVE_REAL) return &ffi_type_double;
    if (x->base == NATIVE_INTEGER) return &ffi_type_sint;
    return sizeof(size_t) == 8 ? &ffi_type_uint64 : &ffi_type_uint32;
}

static ffi_type *returned_type(const native *n)
{
    native_argument by_value = n->argument[n->count];
    by_value.output = false;
    return n->returns ? type_of(&by_value) : &ffi_type_void;
}

/* An element from a double. */
static void write(native_base base, void *memory, size_t i, double value)
{
    if (base == NATIVE_REAL) ((double *)memory)[i] = value;
    if (base == NATIVE_INTEGER) ((int *)memory)[i] = (int)lrint(value);
    if (base == NATIVE_SIZE) ((size_t *)memory)[i] = (size_t)llrint(value);
}

static native_argument keep(arena *a, const native_argument *x)
{
    native_argument kept = *x;
    kept.fixed = arena_duplicate(a, x->fixed, x->count, sizeof *x->fixed);
    if (!x->text) return kept;
    const char **string = arena_array(a, x->count, sizeof *string);
    for (size_t i = 0; i < x->count; i++) string[i] = arena_copy(a, x->text[i], strlen(x->text[i]));
    kept.text = string;
    return kept;
}

/* Memory for the elements of an argument, with those that never change. */
static void prepare(arena *a, native *n, size_t k)
{
    const native_argument *x = &n->argument[k];
    bool given = x->base == NATIVE_STRING && !x->output;
    n->type[k] = type_of(x);
    n->address[k] = &n->value[k];
    if (x->array || x->output) {
        n->memory[k] = arena_array(a, x->count + 1, size_of(x->base));
        n->value[k].pointer = n->memory[k];
    }
    if (x->output)
        n->outputs += x->count;
    else if (!given && !x->fixed)
        n->inputs += x->count;
    void *to = n->memory[k] ? n->memory[k] : &n->value[k];
    for (size_t i = 0; x->fixed && i < x->count; i++) write(x->base, to, i, x->fixed[i]);
    for (size_t i = 0; given && i < x->count; i++) ((const char **)to)[i] = x->text[i];
}

native *native_create(arena *a, shared_function function, const native_argument *result,
                      size_t count, const native_argument *argument)
{
    native *n = arena_take(a, sizeof *n);
    *n = (native){.function = function, .returns = result != NULL, .count = count};
    n->argument = arena_array(a, count + 1, sizeof *n->argument);
    n->type = arena_array(a, count + 1, sizeof *n->type);
    n->value = arena_array(a, count + 1, sizeof *n->value);
    n->address = arena_array(a, count + 1, sizeof *n->address);
    n->memory = arena_array(a, count + 1, sizeof *n->memory);
    for (size_t k = 0; k < count; k++) n->argument[k] = keep(a, &argument[k]);
    if (result) n->argument[count] = keep(a, result);
    if (result) n->outputs = 1;
    for (size_t k = 0; k < count; k++) prepare(a, n, k);
    n->text = arena_array(a, n->outputs + 1, sizeof *n->text);
    ffi_status status = ffi_prep_cif(&n->cif, FFI_DEFAULT_ABI, (unsigned)count, returned_type(n),
                                     n->type);
    return status == FFI_OK ? n : NULL;
}

void *native_copy(arena *a, const void *self)
{
    const native *n = self;
    return native_create(a, n->function, n->returns ? &n->argument[n->count] : NULL, n->count,
                         n->argument);
}

size_t native_inputs(const native *n)
{
    return n->inputs;
}

size_t native_outputs(const native *n)
{
    return n->outputs;
}

static bool equal_arguments(const native_argument *a, const native_argument *b)
{
    if (a->base != b->base || a->array != b->array || a->output != b->output ||
        a->count != b->count || !a->fixed != !b->fixed || !a->text != !b->text)
        return false;
    if (a->fixed && memcmp(a->fixed, b->fixed, a->count * sizeof *a->fixed) != 0) return false;
    for (size_t i = 0; a->text && i < a->count; i++)
        if (strcmp(a->text[i], b->text[i]) != 0) return false;
    return true;
}

bool native_equal(const native *a, const native *b)
{
    bool same = a->function == b->function && a->count == b->count && a->returns == b->returns;
    for (size_t k = 0; same && k < a->count + a->returns; k++)
        same = equal_arguments(&a->argument[k], &b->argument[k]);
    return same;
}

static double read(native_base base, const void *memory, size_t i)
{
    if (base == NATIVE_REAL) return ((const double *)memory)[i];
    return base == NATIVE_INTEGER ? ((const int *)memory)[i] : 0;
}

/* The value that the function returned. */
static double take_returned(native *n)
{
    const native_argument *x = &n->argument[n->count];
    const passed *value = &n->value[n->count];
    if (x->base == NATIVE_STRING) n->text[0] = value->pointer;
    if (x->base == NATIVE_REAL) return value->real;
    return x->base == NATIVE_INTEGER ? (int)value->returned : 0;
}

void native_call(void *self, const double *input, double *output)
{
    native *n = self;
    for (size_t k = 0; k < n->count; k++) {
        const native_argument *x = &n->argument[k];
        void *to = n->memory[k] ? n->memory[k] : &n->value[k];
        if (x->output) memset(to, 0, x->count * size_of(x->base));
        if (x->output || x->fixed || x->base == NATIVE_STRING) continue;
        for (size_t i = 0; i < x->count; i++) write(x->base, to, i, *input++);
    }
    ffi_call(&n->cif, n->function, &n->value[n->count], n->address);
    if (n->returns) *output++ = take_returned(n);
    size_t done = n->returns;
    for (size_t k = 0; k < n->count; k++) {
        const native_argument *x = &n->argument[k];
        for (size_t i = 0; x->output && i < x->count; i++) {
            if (x->base == NATIVE_STRING) n->text[done] = ((const char **)n->memory[k])[i];
            *output++ = read(x->base, n->memory[k], i);
            done++;
        }
    }
}

const char *native_text(const native *n, size_t k)
{
    return n->text[k];
}
