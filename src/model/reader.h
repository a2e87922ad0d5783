/* All that belongs to reading one model, from its text to its equations. */
#ifndef MODEL_READER_H
#define MODEL_READER_H

#include "model/lexer.h"
#include "model/value.h"
#include "symbolic/system.h"

/* The attributes, in the order of their list. */
typedef enum model_attribute_name {
#define ATTRIBUTE(attribute, name, types, value) ATTRIBUTE_##attribute,
#include "model/attributes.def"
#undef ATTRIBUTE
    ATTRIBUTE_COUNT
} model_attribute_name;

/* One --set NAME=VALUE, as far as the names of the model say what it is for. */
typedef struct model_assigned {
    const char *name, *value; /* without blanks around them */
    model_symbol *symbol;     /* NULL: nothing is called so */
    const char *subscripts;   /* of the name, from '[' on; NULL: the whole symbol */
} model_assigned;

/* How far a symbol is evaluated. */
typedef enum model_progress {
    PROGRESS_NONE,
    PROGRESS_RUNNING,
    PROGRESS_PROVISIONAL, /* with a stand-in for what has no number yet */
    PROGRESS_DONE
} model_progress;

/* A variable, parameter or constant; of the model or of a function. */
struct model_symbol {
    const model_declaration *declaration;
    const char *name; /* the author's, without quotes where that is unambiguous */
    model_type type;
    const model_class *alias; /* the type that it is declared with, where that is not built in */
    uint32_t slot;            /* of a function's variable: its place in a frame */
    bool input;               /* of a function */
    /* of the model: */
    model_progress sized, valued;
    model_value value;         /* sizes as soon as it is sized; elements: numbers, or leaves */
    model_value *shadow;       /* while an algorithm runs that assigns to it: its value so far */
    model_clause *assigned;    /* the statement that assigned to it last */
    uint32_t mark;             /* of the list of targets that it was put into last */
    LIST(model_symbol *) uses; /* what its sizes, or its value as a parameter, need */
    sym *leaf;  /* of a parameter that is found at the start; SYM_NONE where an element is not */
    bool set;   /* some --set is for it */
    bool noted; /* that it has no value */
    uint8_t colour; /* of the search for an order: 0 new, 1 on the stack, 2 done */
};

/* A condition that is no number, and what it must be for the current place to be reached. */
typedef struct model_guard {
    sym condition;
    bool holds;
    const struct model_guard *outer; /* NULL: there is no other one */
} model_guard;

/* What an expression is evaluated in. */
typedef struct model_mode {
    model_value *frame; /* values of the slots: of the function, or of the model */
    bool has_end;       /* in a subscript: */
    size_t end;         /* the value of `end` there */
    int no_event;       /* depth of noEvent() and smooth() */
    int in_condition;   /* depth of conditions: a switch in one is that of the whole condition */
    bool counting;      /* switches are noted: in equations that hold all the time */
    const model_guard *guard; /* innermost; for asserts */
    struct model_run *run;    /* innermost running algorithm (execute.h); NULL: none */
} model_mode;

enum { MODEL_NUMBERS = 256 }; /* numbers whose nodes are remembered */

struct model_reader {
    arena *a;    /* tokens, tree and values: freed when the model is read */
    arena *home; /* of the system */
    model_source source;
    names *words;
    bool traces; /* tunable parameters keep what follows from them (traced.h) */
    model_reports reports;
    model_tokens tokens;
    LIST(const char *) note;

    /* what is declared (scope.h) */
    model_class *root, *model;
    LIST(model_class *) classes;
    bool incomplete; /* names may come in from elsewhere: those that are unknown are no errors */
    LIST(model_symbol *) symbol;
    LIST(model_symbol *) order; /* each after those that it needs */
    uint32_t known;             /* names that the next three arrays have an entry for */
    model_symbol **symbol_of;
    model_class **class_of;
    const model_builtin **builtin_of;
    uint32_t attribute[ATTRIBUTE_COUNT]; /* their names */

    /* the system */
    sym_system *system;
    sym_graph *graph;
    bool placed;          /* the unknowns have their numbers */
    bool free_parameters; /* some parameter is found at the start */
    uint32_t stand_ins;   /* leaves that stand for what is refused, or has no number yet */
    LIST(model_symbol *) unknown_symbol; /* of each unknown */
    LIST(model_assigned) setting;

    /* evaluation */
    model_mode mode;
    model_value *frame; /* of the model: values of the iterators of its loops */
    int depth;
    uint32_t marks; /* lists of targets so far */
    size_t work;    /* loop steps, elements and calls so far */
    struct {
        uint64_t bits; /* of a number */
        sym node;
        bool used;
    } number[MODEL_NUMBERS];
    model_span unknown_value; /* an equation that was left out, because a side has no value */
    size_t dropped;           /* how many were left out */
    bool exhausted;           /* the work is too much: nothing is evaluated any more */
};

enum {
    MODEL_MOST_WORK = 200000000,    /* in elements of arrays */
    MODEL_STEP = 20,                /* the work of one step of a loop, or of a statement */
    MODEL_CALL = 200,               /* of a call of a function */
    MODEL_DEEPEST_EVALUATION = 1000 /* levels of expressions, statements and calls */
};

/* Leaves with such numbers are stand-ins. */
#define MODEL_FIRST_STAND_IN 0x40000000u

#endif
