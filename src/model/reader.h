/* The state of reading one model, from its text to its equations. */
#ifndef MODEL_READER_H
#define MODEL_READER_H

#include "base/hash.h"
#include "model/load.h"
#include "model/source.h"
#include "model/value.h"
#include "symbolic/system.h"

/* The attributes, in the order of their list. */
typedef enum model_attribute_name {
#define ATTRIBUTE(attribute, name, types, value) ATTRIBUTE_##attribute,
#include "model/attributes.def"
#undef ATTRIBUTE
    ATTRIBUTE_COUNT
} model_attribute_name;

/* One --set NAME=VALUE, and the symbol of the model to which it applies. */
typedef struct model_assigned {
    const char *name, *value; /* without blanks around them */
    model_symbol *symbol;     /* NULL: no symbol has this name */
    const char *subscripts;   /* of the name, from '[' on; NULL: the whole symbol */
} model_assigned;

/* The course of an input, which is assigned to the symbol. */
typedef struct model_fed {
    model_assigned to; /* without a value */
    const model_course *course;
} model_fed;

/* How far the evaluation of a symbol has progressed. */
typedef enum model_progress {
    PROGRESS_NONE,
    PROGRESS_RUNNING,
    PROGRESS_PROVISIONAL, /* with stand-ins for values that are not numbers yet */
    PROGRESS_DONE
} model_progress;

/* What needs others of its kind: a symbol, or the definition of a discrete variable. */
typedef struct model_node model_node;
typedef SHORT_LIST(model_node *) model_nodes;
struct model_node {
    model_nodes uses;
    uint32_t next; /* of its uses, in a search */
    enum { NODE_NEW, NODE_OPEN, NODE_DONE } state;
};

/* A variable, parameter or constant; of the model or of a function. */
struct model_symbol {
    model_node node; /* uses: symbols that its sizes, or its value as a parameter, need */
    const model_declaration *declaration;
    const char *name; /* as written, without quotes if that is unambiguous */
    model_type type;
    const model_class *alias;          /* the type of its declaration, if not a built-in one */
    model_expressions sizes;           /* of its declaration and its types, outermost first */
    uint32_t slot;                     /* for a function's variable: its place in a frame */
    uint32_t mark;                     /* of the last list of targets that contains it */
    SHORT_LIST(model_symbol *) member; /* of record type: its components */
    const model_symbol *owner;         /* of a component: the variable of record type; else NULL */
    /* of the model: */
    model_value value;      /* sizes once it is sized; elements are numbers or leaves */
    model_value *shadow;    /* its value so far, while an algorithm assigns to it */
    model_clause *assigned; /* the last statement that assigned to it */
    model_clause *text;     /* of a variable of type String without a binding: its equation */
    sym *leaf; /* of a parameter found at the start; SYM_NONE for elements that are not */
    const struct model_unit *unit; /* units.h; NULL: it has none */
    model_progress sized : 8, valued : 8;
    bool input;    /* of a function */
    bool in_when;  /* a when-clause assigns to it, or to a String an algorithm */
    bool discrete; /* it changes at events alone: its elements are cells */
    bool set;      /* a --set applies to it */
    bool noted;    /* a missing value was noted */
    bool unit_sought;
};

/* A variable whose elements are declared one by one: Real x[1]; Real x[2]; (flat_name.c). */
typedef struct model_family {
    uint32_t name; /* of all: x */
    uint32_t rank;
    uint32_t *size; /* rank: the largest subscripts */
} model_family;

/* A condition that is not a number, and the value that it must have to reach the current place. */
typedef struct model_guard {
    sym condition;
    bool holds;
    const struct model_guard *outer; /* NULL: outermost */
} model_guard;

/* The context in which an expression is evaluated. */
typedef struct model_mode {
    model_value *frame; /* values of the slots: of the function, or of the model */
    bool has_end;       /* in a subscript */
    size_t end;         /* the value of `end` */
    int no_event;       /* depth of noEvent(), smooth() and bodies of when-clauses */
    int in_condition;   /* depth of conditions; a switch in one belongs to the whole condition */
    bool counting;      /* note switches: in equations that always hold */
    bool initial;       /* of a section of initial equations, or an initial algorithm */
    const model_guard *guard;       /* innermost; for asserts, and for what is done at events */
    const model_clause *when;       /* the when-clause in whose body this is; NULL: none */
    struct model_run *run;          /* innermost running algorithm (evaluator.h); NULL: none */
    const model_expression *called; /* the outermost call whose function runs; NULL: none does */
} model_mode;

/* A function that is handed on as an argument: of the text, or of the language. */
typedef struct model_handed {
    const model_class *function;
    const model_builtin *builtin;
} model_handed;

/* An element of a variable that the author declared, which changes at events alone. Number k is
 * variable k of the system's discrete part. Conditions and whole parts have greater numbers. */
typedef struct model_discrete {
    model_symbol *symbol;
    uint32_t unknown; /* by which it is an author's variable, too; UINT32_MAX: none, of a String */
    size_t latest;    /* the last assignment of a when-clause to it, in model_flattening.assigned */
    bool kept;        /* an algorithm that assigns to its symbol leaves its value */
} model_discrete;

/* reinit() of an unknown; UINT32_MAX: of something else. */
typedef struct model_reset {
    uint32_t id;
    model_span at;
    const char *name;
} model_reset;

/* What an assert of a function asserts, where its calls have other arguments. */
typedef struct model_asserted {
    const model_expression *call;
    sym condition;
} model_asserted;

/* The discrete variable whose value, or value before the event, a cell has. */
typedef struct model_cell {
    uint32_t variable; /* MODEL_NO_VARIABLE: another cell, such as sample() */
    bool before;
} model_cell;

/* A call of an external function. */
typedef struct model_callee {
    const model_class *of;
    const struct native *code;
    uint32_t number; /* of the graph */
} model_callee;

#define MODEL_NO_VARIABLE UINT32_MAX

/* An unknown that no author declared: it has the value of what der() is applied to (derivative.c).
 */
typedef struct model_hidden {
    sym value;
    uint32_t id;
} model_hidden;

enum { MODEL_NUMBERS = 256 }; /* size of the cache of numbers' nodes */

struct model_reader {
    arena *a;    /* tokens, tree and values; freed after reading */
    arena *home; /* of the system */
    model_source source;
    names *words;
    bool hierarchical;         /* keep what flat models lack, instead of refusing it */
    model_structure structure; /* what flattening may remove */
    bool given_leads;          /* model_given.leads */
    bool traces; /* values that follow from tunable parameters are traced (traced.h) */
    model_reports reports;
    model_tokens tokens;
    LIST(const char *) note;
    LIST(const char *) valueless; /* parameters that took their defaults, for want of a value */
    LIST(model_vendor) vendor;    /* of all annotations */

    /* declarations (scope.c) */
    model_class *root, *model;
    const model_path *within; /* of which the text says that it is part; NULL: it says nothing */
    LIST(model_class *) classes;
    bool incomplete; /* names may be declared elsewhere, so unknown ones are not errors */
    LIST(model_symbol *) symbol; /* without those of record type, of which it has the components */
    model_symbol **sorted;       /* by name; NULL: not yet (record_gather.c) */
    LIST(model_symbol *) record; /* those of record type */
    LIST(model_symbol *) order;  /* each after the symbols that it needs */
    uint32_t known;              /* names with an entry in the next four arrays */
    model_symbol **symbol_of;
    model_class **class_of;
    const model_family **family_of;
    LIST(model_family *) family;
    const model_builtin **builtin_of;
    LIST(model_handed) handed;
    uint32_t attribute[ATTRIBUTE_COUNT]; /* their names */

    /* the system */
    sym_system *system;
    sym_graph *graph;
    bool placed;          /* the unknowns have their numbers */
    bool free_parameters; /* at least one parameter is found at the start */
    uint32_t stand_ins;   /* leaves for refused values and values that are not numbers yet */
    LIST(model_symbol *) unknown_symbol; /* of each declared unknown */
    LIST(model_hidden) hidden;           /* after those of symbols */
    LIST(model_assigned) setting;
    LIST(model_fed) fed;
    LIST(const char *) held; /* inputs that keep their start values */
    const model_given *given;
    LIST(model_callee) callee;      /* external functions that are called */
    LIST(const char *) differenced; /* those without a derivative */
    LIST(model_discrete) discrete;
    LIST(model_cell) cell; /* of each cell of the graph */
    LIST(uint32_t) whole; /* the discrete variables that are floor() of something, or an interval */
    LIST(sym) whole_of;   /* ... of this; or is this */
    LIST(unsigned char) trait;           /* of each node so far: discrete.h */
    LIST(unsigned char) steps;           /* likewise, of iterations: iteration.c */
    LIST(const model_class *) iterating; /* functions that are noted to iterate */
    LIST(model_reset) reset;
    LIST(model_asserted) asserted; /* by asserts of functions */
    hash_table asserts;            /* of them */

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
    model_span unknown_value; /* an equation left out because a side has no value */
    size_t dropped;           /* number of equations left out */
    bool exhausted;           /* too much work: nothing is evaluated any more */
};

enum {
    MODEL_MOST_WORK = 200000000,    /* in elements of arrays */
    MODEL_STEP = 20,                /* the work of one step of a loop, or of a statement */
    MODEL_CALL = 200,               /* of a call of a function */
    MODEL_DEEPEST_EVALUATION = 1000 /* levels of expressions, statements and calls */
};

/* Leaves with such numbers are stand-ins. */
#define MODEL_FIRST_STAND_IN 0x40000000u

/* load.c: open the text. False if it is none: too large, or with bytes that occur in no text
 * (reported). */
bool model_open_text(model_reader *r, model_text from);

/* The declarations of a text (its one model, types, functions, constants and variables), and the
 * meanings of its names: scope.c, resolve.c. */

/* Gather all classes and symbols under r->root. Reports duplicate names, unknown types, a text
 * without a model or with several. r->model is NULL if there is none. */
void model_declare(model_reader *r);

/* library.c: declares the names of the Modelica Standard Library that the text uses and does not
 * declare; false: there are none. The names of the text have their numbers, and need them again. */
bool model_declare_library(model_reader *r);

/* Whether a whole name is a type or constant of it that is known; and the remedy of the last
 * report, which says that one is not. */
bool model_library_has(model_reader *r, const char *whole);
void model_remedy_library(model_reader *r, const char *whole);

/* Write into the tree the meaning of each name, and into each symbol the symbols that its value
 * needs. Reports names that are not declared. */
void model_resolve(model_reader *r);

/* The variable of a function by its name, NULL if there is none. */
model_symbol *model_local(const model_class *function, uint32_t name);

/* The last name of a path if all names before it are packages of the text; NULL otherwise. */
const model_part *model_own_part(const model_reader *r, const model_path *path);

/* flat_name.c: the part of a path after names that are one, a.b[1].c, which a variable or a class
 * has, with the subscripts there; NULL: there is none. */
const model_part *model_flat_part(const model_reader *r, const model_path *path);

/* flat_name.c: c[i].f[j] where `Real[2, 3] c.f` is declared: the variable with all subscripts.
 * NULL: there is none with so many dimensions. */
const model_part *model_joined_part(const model_reader *r, const model_path *path);

/* flat_name.c: the text of a path up to a part, with the subscripts of this part (whole) or without
 * them: a.b[1]. NULL: subscripts are no numbers. */
const char *model_flat_text(const model_reader *r, const model_path *path, const model_part *last,
                            bool whole);

/* flat_name.c: the name 'r.x' of the component x of r */
uint32_t model_joined_name(model_reader *r, uint32_t name, uint32_t component);

/* flat_name.c: gives variables of the model whose elements are declared one by one names of their
 * own, before anything is declared; and makes a reference to such a variable, with the subscripts
 * of `part`, one to its element, or an array of all. */
void model_find_families(model_reader *r, model_class *c);
void model_expand_family(model_reader *r, model_expression *e, const model_family *f,
                         const model_part *part);

/* The type of the text by which a type is declared; NULL: a built-in type. */
const model_class *model_alias_base(const model_reader *r, const model_class *type);

/* Find a type by its path. Fills `type`, and `alias` with the class if the text declares it. */
bool model_find_type(const model_reader *r, const model_path *path, model_type *type,
                     const model_class **alias);

#endif
