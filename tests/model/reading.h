/* For tests of the model reader: read a text, look at what became of it, and evaluate its right
 * sides. */
#ifndef TESTS_MODEL_READING_H
#define TESTS_MODEL_READING_H

#include "base/unit.h"
#include "model/load.h"
#include "model/source.h"
#include "symbolic/node.h"
#include "symbolic/tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
    arena memory;
    message m;
    sym_system *system; /* NULL after a failure */
    dae_status status;
} reading;

static inline void read_bytes(reading *r, const char *file, const char *bytes, size_t length,
                              size_t settings, const model_setting *setting)
{
    memset(r, 0, sizeof *r);
    model_text source = {.file = file, .bytes = bytes, .length = length};
    const model_given given = {.settings = settings, .setting = setting};
    r->status = model_load(&r->memory, &source, &given, false, &r->m, &r->system);
}

static inline void read_text(reading *r, const char *string)
{
    read_bytes(r, "m.mo", string, strlen(string), 0, NULL);
}

/* Read what must be right. */
static inline void read_right(reading *r, const char *string)
{
    read_text(r, string);
    ck_assert_msg(r->status == DAE_OK, "%s\n%s", string, message_string(&r->m));
}

static inline void close_reading(reading *r)
{
    arena_free(&r->memory);
    message_free(&r->m);
}

static inline const sym_unknown *unknown_called(const reading *r, const char *name)
{
    for (size_t i = 0; i < r->system->unknown.count; i++)
        if (strcmp(r->system->unknown.item[i].name, name) == 0) return &r->system->unknown.item[i];
    ck_abort_msg("no unknown %s", name);
    return NULL;
}

/* Values for evaluation: time, then each unknown's value and derivative. */
typedef struct point {
    size_t unknowns;
    double *input; /* 1 + 2 unknowns */
} point;

static inline size_t slot_of(void *context, const sym_view *leaf)
{
    const point *p = context;
    ck_assert(leaf->op == SYM_TIME || (leaf->id < p->unknowns && leaf->order <= 1));
    return leaf->op == SYM_TIME ? 0 : 1 + leaf->order * p->unknowns + leaf->id;
}

typedef struct evaluation {
    reading *r;
    point p;
    sym f;
    double value;
} evaluation;

static inline void evaluate_protected(void *argument)
{
    evaluation *e = argument;
    size_t inputs = 1 + 2 * e->p.unknowns;
    sym_tape *tape = sym_tape_compile(&e->r->memory, e->r->system->graph, 1, &e->f, inputs, slot_of,
                                      &e->p);
    sym_tape_eval(tape, e->p.input, &e->value);
}

/* The value of a node at time 0.5, where the i-th unknown (from 1) is i and its derivative 10 i. */
static inline double value_of(reading *r, sym f)
{
    size_t n = r->system->unknown.count;
    evaluation e = {.r = r, .p = {n, calloc(1 + 2 * n, sizeof(double))}, .f = f};
    e.p.input[0] = 0.5;
    for (size_t i = 0; i < n; i++) {
        e.p.input[1 + i] = (double)(i + 1);
        e.p.input[1 + n + i] = 10 * (double)(i + 1);
    }
    ck_assert_int_eq(arena_protect(&r->memory, evaluate_protected, &e), DAE_OK);
    free(e.p.input);
    return e.value;
}

/* The right side of the equation NAME = ... */
static inline sym right_side(const reading *r, const char *name)
{
    for (size_t i = 0; i < r->system->equation.count; i++) {
        const sym_equation *e = &r->system->equation.item[i];
        sym_view left = sym_look(r->system->graph, e->lhs);
        if (left.op == SYM_VARIABLE && left.order == 0 &&
            strcmp(r->system->unknown.item[left.id].name, name) == 0)
            return e->rhs;
    }
    ck_abort_msg("no equation %s = ...", name);
    return SYM_NONE;
}

static inline void write_name(void *context, text *t, uint32_t id, uint32_t order)
{
    const sym_system *s = context;
    text_format(t, order ? "der(%s)" : "%s", s->unknown.item[id].name);
}

/* An equation as text, "x = 2*y"; the text is the caller's to free. */
static inline void print_equation(const reading *r, const sym_equation *e, text *t)
{
    sym_print(r->system->graph, e->lhs, write_name, r->system, t);
    text_add(t, " = ");
    sym_print(r->system->graph, e->rhs, write_name, r->system, t);
}

/* The file's bytes, to be freed; NULL if it cannot be read. */
static inline char *file_bytes(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *bytes = NULL;
    *length = 0;
    for (size_t room = 0;;) {
        if (*length == room) bytes = realloc(bytes, room = 2 * room + 4096);
        size_t got = fread(bytes + *length, 1, room - *length, f);
        if (got == 0) break;
        *length += got;
    }
    fclose(f);
    return bytes;
}

/* Whether a string is UTF-8 throughout. */
static inline bool is_clean(const char *string)
{
    for (size_t length = strlen(string); length > 0;) {
        uint32_t bytes = model_character(string, length);
        if (bytes == 0) return false;
        string += bytes;
        length -= bytes;
    }
    return true;
}

#endif
