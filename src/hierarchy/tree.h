/* The tree of a hierarchical model: classes as written, and instances of them.
 *
 * An expression of the text means something only in an environment: the instance in which its names
 * are looked up, the class in whose text it stands, and the values of iterators. A modifier keeps
 * the environment of the declaration in which it is written. */
#ifndef HIERARCHY_TREE_H
#define HIERARCHY_TREE_H

#include "base/columns.h"
#include "base/hash.h"
#include "base/text.h"
#include "hierarchy/hierarchy.h"
#include "model/reader.h"

enum {
    HIER_DEEPEST = 100,             /* levels of components in components, and of extends */
    HIER_DEEPEST_VALUE = 200,       /* parameters of which each follows from the next one */
    HIER_DEEPEST_EXPRESSION = 2000, /* levels of expressions that are evaluated */
    HIER_MOST_INSTANCES = 2000000,
    HIER_MOST_ELEMENTS = 5000000 /* of a loop that is written out */
};

typedef struct hier_class hier_class;
typedef struct hier_instance hier_instance;

/* A text with classes: the file of the model, or another one. */
typedef struct hier_unit {
    model_reader reader;
    hier_class *root;
} hier_unit;

/* extends B(...), or B(...) of a short definition */
typedef struct hier_base {
    hier_class *class;
    const model_modifiers *modifier;
    const model_path *path;
    bool hidden;
} hier_base;

typedef LIST(const char *) hier_words;

/* A directory with files of classes. */
typedef struct hier_folder {
    const char *path; /* "" or with a '/' at its end */
    bool shipped;     /* of the library that is part of the program */
} hier_folder;

struct hier_class {
    uint32_t id; /* of its inner classes in the map; id + 1: of its declarations; id + 2: of its
                    constants in the flat text; id + 3: of those that a modifier changes; id + 4:
                    of names looked for in its folder */
    model_class *text;
    hier_class *outer; /* in which it stands; NULL: the root of a text */
    hier_unit *unit;
    const hier_folder *folder; /* of a package that is a directory; else NULL */
    bool indexed, checked;     /* its elements are in the map; its refusals are reported */
    bool imports_checked;
    enum { BASES_NEW, BASES_RUNNING, BASES_DONE } bases;
    LIST(hier_base) base;
    uint32_t searched;     /* number of the last search in it */
    const char *flat_name; /* of what is written beside the flat model; NULL: it is not */
    bool used;             /* by another class, as component or base */
    bool composed;         /* it has a component that is a model */
};

/* A class in an instance of it, or of a class that extends it. Names in its text mean elements of
 * the parts numbered from `begin` to before `end`: its own and those of its bases. */
typedef struct hier_part {
    hier_class *class;
    uint32_t begin, end;
    const struct hier_frame *frame; /* by which it was added */
} hier_part;

typedef enum hier_value_kind {
    HIER_NO_VALUE,
    HIER_INTEGER,
    HIER_REAL,
    HIER_BOOLEAN,
    HIER_LITERAL,
    HIER_TEXT /* the number of a name */
} hier_value_kind;

/* An iterator, or a variable of a function that is evaluated (interpret.c); `end` of a subscript
 * has the name NAMES_NONE. */
typedef struct hier_bound {
    uint32_t name;
    bool known; /* else it is written as it stands */
    hier_value_kind kind;
    double value;
    hier_class *of; /* of a literal: its enumeration */
    const struct hier_bound *outer;
} hier_bound;

typedef struct hier_env {
    hier_instance *instance; /* NULL: of a class without instance, as a package or a function */
    const hier_part *part;
    const hier_bound *bound;
} hier_env;

/* A modifier that applies to an instance. A list of them has the outermost first, which counts. */
typedef struct hier_frame {
    const model_modifier *modifier;
    hier_env env;
    uint32_t count; /* its values are those of an array, of which this element is meant */
    const uint32_t *index;
    bool outside; /* of a component: it cannot modify what is protected */
    bool of_each; /* of the definition of a type: its values are those of each element */
    struct hier_frame *next;
} hier_frame;

typedef struct hier_size {
    const model_expression *expression;
    hier_env env;
} hier_size;

/* The value that was set from outside for a variable, or for one element of it. */
typedef struct hier_set {
    const char *value;
    uint32_t count, *index; /* of the element; 0: the whole variable */
} hier_set;

typedef enum hier_kind {
    HIER_LEAF,   /* a variable of the flat model */
    HIER_OBJECT, /* a component with parts */
    HIER_ARRAY,  /* of components */
    HIER_REMOVED /* by its condition */
} hier_kind;

typedef enum hier_progress { HIER_NEW, HIER_RUNNING, HIER_DONE } hier_progress;

struct hier_instance {
    uint32_t id; /* of its children in the map */
    hier_kind kind;
    hier_instance *parent;                /* NULL: the model */
    const model_declaration *declaration; /* NULL: of the model */
    hier_env env;                         /* of its declaration */
    const char *name;                     /* of all levels, without quotes */
    hier_class *class;                    /* of an object, record or enumeration; else NULL */
    model_base base;                      /* of a leaf */
    hier_class *annotated;                /* of its short definitions, the first that has some
                                             __daedal(...); or NULL */
    const char *standard;                 /* its type in the Modelica Standard Library; or NULL */
    const hier_frame *frame;
    LIST(hier_size) size;
    bool connector, flow, evaluated;
    bool local;   /* of a function or record that is written beside the model */
    bool renamed; /* its name has quotes within (flat_names.c) */
    model_direction direction;
    hier_progress expanded;      /* children, elements, condition */
    bool diamond;                /* a base is extended in two ways, and counts once */
    LIST(hier_instance *) child; /* elements of an array */
    const hier_instance *array;  /* of an element: the array, */
    const uint32_t *index;       /* and its subscripts; NULL: it is none */
    LIST(hier_part *) part;
    uint32_t rank, *extent; /* of an array; of a leaf once its size was asked for */
    uint32_t sized;         /* so many of its dimensions have an extent */
    bool measured, valuing;
    bool written;       /* its declaration is in the flat text */
    bool settled;       /* its settings are in the next list */
    LIST(hier_set) set; /* what was set of it from outside */
    uint32_t node; /* of a leaf of a connector: its first node in the connection sets; 0: none */
};

/* A constant of a class that is written beside the flat model. */
typedef struct hier_constant {
    hier_class *class;
    const model_declaration *declaration;
    const char *flat_name;
} hier_constant;

typedef LIST(unsigned) hier_lines; /* of the model's file, for each line of a flat text */

/* The sections of the flat text, which are written one beside the other. */
typedef enum hier_section_name {
    SECTION_BESIDE, /* functions, records, enumerations, constants */
    SECTION_DECLARATIONS,
    SECTION_INITIAL,
    SECTION_EQUATIONS,
    SECTION_ALGORITHMS,
    SECTION_ANNOTATION, /* what __daedal(...) has */
    HIER_SECTIONS
} hier_section_name;

typedef struct hier_section {
    text text;
    hier_lines lines;
} hier_section;

/* A table in the line that is being written, and its curve; interpolation NULL: there is none. */
typedef struct hier_table {
    const char *interpolation, *outside; /* "": not chosen */
    model_span at;
    hier_env env;
} hier_table;

/* map.c: what owners have by names */
typedef struct hier_entry {
    uint32_t owner, name;
    void *item;
} hier_entry;
typedef struct hier_map {
    hash_table table;
    LIST(hier_entry) entry;
} hier_map;

typedef struct hier_net hier_net;   /* connect.c */
typedef struct hier_file hier_file; /* file_table.c */

/* One flattening. */
typedef struct hier {
    const hierarchy_request *request;
    message *m;
    hierarchy_flat *flat;
    arena *a;
    names *words;
    LIST(hier_unit *) unit;
    hier_map map;
    uint32_t ids, parts, search, searches;
    size_t instances, statements; /* statements: of functions, carried out so far */
    hier_instance *top;
    int depth, value_depth, expression_depth, quiet;
    bool failed, stopped; /* stopped: nothing is expanded any more */
    bool renamed;         /* some variable is */
    bool late;            /* a parameter was evaluated after its declaration was written */
    hier_net *net;
    LIST(hier_class *) beside; /* functions, records and enumerations to be written */
    LIST(hier_constant *) constant;
    hier_table table;
    hier_file *file;     /* arrays from files so far */
    columns columns;     /* of the file that is being read */
    const char *model;   /* its name */
    unsigned first_line; /* of the model */
    /* the text being written, and the lines of files that its lines come from */
    text *out;
    hier_lines *lines;
    hier_section section[HIER_SECTIONS];
} hier;

/* map.c: what an owner has by a name */
void hier_put(hier *h, uint32_t owner, uint32_t name, void *item);
void *hier_get(const hier *h, uint32_t owner, uint32_t name);
uint32_t hier_word(hier *h, const char *word);

/* unit.c: texts, and mistakes in them */
hier_unit *hier_open(hier *h, const model_text *from);
void hier_open_first(hier *h, const model_text *from); /* that of the model */
hier_class *hier_global(hier *h, uint32_t name);       /* of this file or of another; NULL: none */
void hier_error(hier *h, const hier_env *env, model_span at, const char *remedy, const char *format,
                ...) __attribute__((format(printf, 5, 6)));
void hier_remedy_nearest(hier *h, const hier_env *env, const char *word, size_t count,
                         const char *const *candidate);
const char *hier_spelled(const hier *h, uint32_t name);
dae_status hier_write_reports(hier *h);

/* folder.c: classes of other files; NULL: there is none */
hier_class *hier_outermost(hier *h, uint32_t name);
hier_class *hier_in_folder(hier *h, hier_class *package, uint32_t name);
/* Where the model's file is the package.mo of a directory, its class has the files beside it. */
void hier_mark_package(hier *h, hier_class *root);
/* The names of what a folder of the library has. */
void hier_name_shipped(hier *h, const hier_folder *folder, hier_words *list);

/* class.c: classes by their names */
typedef struct hier_found {
    hier_class *class;                    /* a class */
    const model_declaration *declaration; /* or a variable of the class `where` */
    hier_class *where;
    model_base builtin;   /* or a type of the language */
    bool predefined;      /* or StateSelect, AssertionLevel */
    const char *standard; /* or a type of the Modelica Standard Library */
    const char *also;     /* the name may mean this class as well; NULL: no */
} hier_found;
hier_class *hier_class_new(hier *h, model_class *written, hier_class *outer, hier_unit *unit);
void hier_bases(hier *h, hier_class *c);
hier_class *hier_inner(hier *h, hier_class *c, uint32_t name);
const model_declaration *hier_declared(hier *h, hier_class *c, uint32_t name, hier_class **where);
bool hier_lookup(hier *h, hier_class *from, uint32_t name, hier_found *found);
bool hier_find_type(hier *h, const hier_env *env, const model_path *path, hier_found *found);
/* The function that is called by a class: itself where a short definition gives others defaults. */
hier_class *hier_function_of(hier *h, const hier_env *env, hier_class *c, model_span at);
/* standard.c: the function of the language, or of the Modelica Standard Library, that a short
 * definition without modifiers stands for, as `function f = sin`; NULL: none. */
const char *hier_language_function(hier *h, hier_class *c);
hier_env hier_class_env(hier *h, hier_class *c);
const char *hier_class_path(hier *h, const hier_class *c); /* P.M */
void hier_check(hier *h, hier_class *c);                   /* reports what it has that is refused */

/* type.c: the type of a declaration, with what short definitions add to it */
typedef struct hier_type {
    model_base base;
    hier_class *class;
    const char *standard;    /* a type of the Modelica Standard Library; NULL: none */
    hier_class *annotated;   /* the first short definition with __daedal(...); NULL: none */
    const hier_frame *frame; /* of the short definitions */
    LIST(hier_size) size;
    bool connector, flow;
    model_direction direction;
} hier_type;
bool hier_type_of(hier *h, const hier_env *env, const model_declaration *d, hier_type *type);
bool hier_follow(hier *h, const hier_env *env, hier_class *c, model_span at, hier_type *type);

/* modifier.c */
const hier_frame *hier_join(hier *h, const hier_frame *first, const hier_frame *second);
hier_frame *hier_own(hier *h, const hier_env *env, const model_modifier *m);
const hier_frame *hier_select(hier *h, const hier_frame *list, uint32_t name);
const hier_frame *hier_indexed(hier *h, const hier_frame *list, uint32_t count,
                               const uint32_t *index);
const hier_frame *hier_outside(hier *h, const hier_frame *list); /* modifiers of a component */
const hier_frame *hier_value_of(const hier_frame *list); /* the first with a value; NULL: none */
model_modifier *hier_modifier(hier *h, uint32_t name, model_span at, const model_modifiers *nested,
                              model_expression *value);

/* agree.c: reports values whose number is not that of the elements of an array of components;
 * whether two lists of modifiers say the same */
void hier_check_sizes(hier *h, const hier_instance *array);
bool hier_same_modifiers(hier *h, const hier_frame *a, const hier_frame *b);

/* instance.c */
hier_instance *hier_instantiate(hier *h, hier_class *c);
void hier_expand(hier *h, hier_instance *i);
hier_instance *hier_child(const hier *h, const hier_instance *i, uint32_t name);
bool hier_measure(hier *h, hier_instance *leaf); /* evaluates the sizes of a leaf */
void hier_check_names(hier *h, hier_class *c,
                      const hier_frame *list); /* reports modifiers of what a class does not have */

/* evaluate.c: values that decide what the flat model has */
typedef struct hier_value {
    hier_value_kind kind;
    double number;  /* of a literal: its number from 1; of a Boolean 0 or 1 */
    hier_class *of; /* of a literal: its enumeration */
} hier_value;
/* Values of one kind. */
typedef struct hier_numbers {
    double *item;
    size_t count, capacity;
    hier_value_kind kind;
    hier_class *of;
} hier_numbers;
bool hier_evaluate(hier *h, const hier_env *env, const model_expression *e, hier_value *v);
bool hier_no_value(hier *h, const hier_env *env, const model_expression *e,
                   const char *why); /* reports it; false */
bool hier_integer(hier *h, const hier_env *env, const model_expression *e, const char *what,
                  uint32_t *number);
bool hier_truth(hier *h, const hier_env *env, const model_expression *e, bool *truth);
bool hier_range(hier *h, const hier_env *env, const model_expression *e, hier_numbers *list);
bool hier_range_element(hier *h, const hier_env *env, const model_expression *e, uint32_t index,
                        hier_value *v); /* from 1; false: there is none, or it is not known */
hier_bound hier_bound_to(const hier_numbers *list, size_t k, uint32_t name,
                         const hier_bound *outer); /* an iterator with the k-th value */
/* All values of a type by which a dimension may be indexed, an enumeration or Boolean; false: an
 * expression is no such type. */
bool hier_all_values(hier *h, const hier_env *env, const model_expression *e, hier_numbers *list);
bool hier_extent(hier *h, const hier_env *env, const model_expression *e, uint32_t dimension,
                 uint32_t *extent); /* size(e, dimension) */

/* setting.c: what was set from outside. hier_take_settings() looks for it once and marks it as
 * used; `all`: of any variable, else of a parameter that decides what the model has. */
void hier_take_settings(hier *h, hier_instance *leaf, bool all);
/* The names in the flat text of those variables whose setting has literals as subscripts. */
void hier_name_settings(hier *h);
const char *hier_setting(const hier_instance *leaf, uint32_t count,
                         const uint32_t *index); /* of an element; NULL: none */
bool hier_read_setting(hier *h, const hier_env *env, const model_expression *e,
                       const hier_instance *leaf, const char *set, hier_value *v);
void hier_write_settings(hier *h, const hier_instance *leaf,
                         const hier_frame *value); /* = the value, with all that was set */

/* flat_names.c: gives variables with the same flat name, as 'a.b' and b of the component a,
 * different ones */
void hier_part_names(hier *h);

/* interpret.c: the value of a call of a function; reduce.c: of a sum, product, min or max, `f` */
bool hier_call(hier *h, const hier_env *env, const model_expression *e, hier_class *f,
               hier_value *v);
bool hier_reduce(hier *h, const hier_env *env, const model_expression *e, const char *f,
                 hier_value *v);

/* file_table.c: the array that a call reads from a file; e itself where it is no such call; NULL:
 * it cannot be read (reported). */
const model_expression *hier_from_file(hier *h, const hier_env *env, const model_expression *e);

/* pick.c: an element of the value of an array component's modifier */
typedef struct hier_picked {
    hier_env env;
    const model_expression *expression;
    uint32_t count; /* subscripts that are left */
    const uint32_t *index;
} hier_picked;
hier_picked hier_pick(hier *h, const hier_frame *f);

/* A frame with `count` more subscripts. */
hier_frame hier_element(hier *h, const hier_frame *f, uint32_t count, const uint32_t *index);

/* target.c: what a name stands for */
typedef enum hier_target_kind {
    TARGET_NOTHING, /* not declared; already reported */
    TARGET_REMOVED, /* a component whose condition is false */
    TARGET_BOUND,   /* an iterator */
    TARGET_TIME,
    TARGET_LOCAL,      /* of a function or record that is written beside the model */
    TARGET_INSTANCE,   /* a leaf, an object, an array without subscripts, ... */
    TARGET_GROUP,      /* of elements */
    TARGET_CONSTANT,   /* of a class */
    TARGET_LITERAL,    /* of an enumeration; part: its name, NULL: the enumeration */
    TARGET_FUNCTION,   /* that is handed on as an argument */
    TARGET_TRUTHS,     /* Boolean, as a type by which a dimension is indexed */
    TARGET_PREDEFINED, /* as StateSelect.prefer */
    TARGET_STANDARD    /* a constant of the Modelica Standard Library, or a function by another name
                        */
} hier_target_kind;
typedef struct hier_target {
    hier_target_kind kind;
    hier_instance *instance;
    const model_part *part; /* of the path, that names it: with subscripts, and what follows */
    const hier_bound *bound;
    const char *standard;
    hier_class *class;
    const model_declaration *declaration;
    uint32_t count;
    struct hier_target *member;
} hier_target;
hier_target hier_resolve(hier *h, const hier_env *env, const model_path *path);
bool hier_is_local(hier *h, const hier_env *env, uint32_t name);
bool hier_is_builtin(const char *name); /* a function of the language; write_expression.c */
/* The elements of a dimension that a subscript takes; NULL: all. `single`: it is a number. */
bool hier_taken(hier *h, const hier_env *env, const model_expression *s, const hier_instance *of,
                uint32_t dimension, hier_numbers *list, bool *single);
hier_target hier_resolve_end(hier *h, const hier_env *env,
                             const model_path *path); /* may be removed */

/* standard.c: the whole name of what a path means in the Modelica Standard Library; NULL: nothing
 */
const char *hier_standard_name(hier *h, const hier_env *env, const model_path *path);
void hier_note_table(hier *h, const hier_env *env, const model_expression *call, const char *name);
void hier_note_course(hier *h, const hier_instance *leaf); /* the curve of an input */
void hier_write_table(hier *h); /* the annotation of the line, if it needs one */
void hier_check_table(hier *h); /* reports a table where no annotation can stand */
bool hier_is_curve(const hier *h, const model_modifier *m);

/* connect.c */
void hier_open_net(hier *h);
void hier_connect(hier *h, const hier_env *env, const model_clause *c);
void hier_write_connections(hier *h);
void hier_list_open_inputs(hier *h); /* after all connections */
uint32_t hier_node_count(const hier *h);
uint32_t hier_connected(hier *h, uint32_t k); /* the first node of its connection set */

/* carry.c: asserts that connectors that are joined are for one fluid */
void hier_write_fluids(hier *h);

/* write.c: names and lines */
void hier_write_in(hier *h, hier_section_name section);
void hier_end_line(hier *h, const hier_env *env, model_span at); /* its line in the file */
void hier_write_name(hier *h, const char *name, bool quoted);
void hier_write_word(hier *h, uint32_t name); /* as the text has it */
void hier_write_leaf(hier *h, const hier_instance *leaf);
const char *hier_flat_class(hier *h, hier_class *c);
const char *hier_flat_constant(hier *h, hier_class *c, const model_declaration *d);

/* write_expression.c, write_reference.c */
void hier_write_expression(hier *h, const hier_env *env, const model_expression *e);
void hier_write_string(hier *h, const char *string); /* in quotes */
void hier_write_picked(hier *h, const hier_picked *p);
void hier_write_reference(hier *h, const hier_env *env, const model_path *path, uint32_t count,
                          const uint32_t *index);
void hier_write_subscripts(hier *h, const hier_env *env, const model_part *part);
bool hier_is_extent(hier *h, const hier_env *env, const model_expression *call);

/* unroll.c: loops over arrays of components, which are written out */
bool hier_passes_array(hier *h, const hier_env *env, const model_expression *e);
bool hier_is_unrolled(hier *h, const hier_env *env, const model_clause *c);
bool hier_has_connect(const model_clauses *list);
hier_env hier_bind(hier *h, const hier_env *env, const model_iterators *list);

/* write_clause.c */
void hier_write_clauses(hier *h, const hier_env *env, const model_clauses *list, int indent);

/* write_declaration.c */
void hier_write_entries(hier *h, const hier_frame *list, bool array); /* (a = 1, b = 2) */
void hier_write_declaration(hier *h, hier_instance *leaf, int indent);
void hier_write_class(hier *h, hier_class *c);
void hier_write_external(hier *h, hier_class *c); /* the clause of an external function */
void hier_write_constant(hier *h, const hier_constant *c);

/* choose.c */
hier_class *hier_choose(hier *h, dae_status *status);

#endif
