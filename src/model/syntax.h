/* The syntax tree of a model's text.
 *
 * The parser builds it in an arena; resolve.c then adds the meaning of each name. Chains of one
 * operator level (a + b - c + ...) are one node with many operands, so that no later step recurses
 * along them. */
#ifndef MODEL_SYNTAX_H
#define MODEL_SYNTAX_H

#include "model/source.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct model_expression model_expression;
/* The comment by which a flattened text says that a flow is 0 because nothing is connected there.
 */
#define MODEL_UNCONNECTED "not connected"

typedef struct model_clause model_clause;
typedef struct model_class model_class;
typedef struct model_symbol model_symbol;   /* reader.h */
typedef struct model_builtin model_builtin; /* builtin.h */

typedef SHORT_LIST(model_expression *) model_expressions;
typedef SHORT_LIST(model_clause *) model_clauses;

typedef enum model_expression_kind {
    EXPRESSION_NONE, /* could not be read; already reported */
    EXPRESSION_NUMBER,
    EXPRESSION_TRUTH, /* true or false */
    EXPRESSION_STRING,
    EXPRESSION_REFERENCE,
    EXPRESSION_CALL,
    EXPRESSION_FUNCTION,  /* function f(a = 1), as an argument: a call that is still to be made */
    EXPRESSION_SUM,       /* operand[i] with sign[i]: + - .+ .- */
    EXPRESSION_PRODUCT,   /* operand[i] with sign[i]: * / .* ./ */
    EXPRESSION_POWER,     /* operand[0] ^ operand[1], sign[0]: ^ .^ */
    EXPRESSION_RELATION,  /* operand[0] sign[0] operand[1] */
    EXPRESSION_AND,       /* of all operands */
    EXPRESSION_OR,        /* of all operands */
    EXPRESSION_NOT,       /* of operand[0] */
    EXPRESSION_IF,        /* condition, value, condition, value, ..., value of else */
    EXPRESSION_RANGE,     /* from, to; or from, step, to */
    EXPRESSION_ARRAY,     /* {operands}, or {operand[0] for iterators} */
    EXPRESSION_MATRIX,    /* [rows], each operand an EXPRESSION_ROW */
    EXPRESSION_ROW,       /* operands of one row of a matrix */
    EXPRESSION_SUBSCRIPT, /* (operand[0])[the other operands] */
    EXPRESSION_TUPLE,     /* (a, , b): left side of an equation; omitted items are NONE */
    EXPRESSION_MEMBER,    /* (operand[0]).name: a component of a record */
    EXPRESSION_RECORD,    /* of the operands, the components of the class `record` in its order */
    EXPRESSION_END,       /* `end` in a subscript */
    EXPRESSION_COLON      /* a whole dimension */
} model_expression_kind;

/* The operators between operands. */
typedef enum model_sign {
    SIGN_PLUS,
    SIGN_MINUS,
    SIGN_TIMES,
    SIGN_DIVIDE,
    SIGN_POWER,
    SIGN_LESS,
    SIGN_LESS_EQUAL,
    SIGN_GREATER,
    SIGN_GREATER_EQUAL,
    SIGN_EQUAL,
    SIGN_UNEQUAL,
    SIGN_ELEMENTWISE = 0x40 /* added to one of the first five: .+ .- .* ./ .^ */
} model_sign;

/* One name of a dotted path, with its subscripts: b[1] in a.b[1].c */
typedef struct model_part {
    uint32_t name;
    model_span at;  /* of the name */
    uint32_t count; /* of subscripts */
    model_expression **subscript;
    struct model_part *next; /* NULL: the last one */
} model_part;

typedef struct model_path {
    bool global; /* written .P.x: the first name is one of the outermost */
    model_part first;
    model_span at;
} model_path;

/* `name in range` of a for, a comprehension or a reduction. */
typedef struct model_iterator {
    uint32_t name;
    model_span at;
    model_expression *range;
    uint32_t slot; /* of its value in a frame; set by resolve.c */
} model_iterator;

typedef SHORT_LIST(model_iterator) model_iterators;

/* What a name stands for. */
typedef enum model_meaning_kind {
    MEANS_NOTHING, /* not declared; already reported */
    MEANS_SYMBOL,  /* a variable or parameter of the model, a constant */
    MEANS_LOCAL,   /* a variable of a function, or an iterator: a slot of a frame */
    MEANS_TIME,
    MEANS_LITERAL,     /* of an enumeration */
    MEANS_ENUMERATION, /* all its literals */
    MEANS_TRUTHS,      /* false and true, as Boolean in `Real x[Boolean]` */
    MEANS_FUNCTION     /* of the text or of the language */
} model_meaning_kind;

typedef struct model_meaning {
    model_meaning_kind kind;
    uint32_t number; /* slot; literal, from 1; of a function: its place in model_reader.handed */
    union {
        model_symbol *symbol;     /* NULL for an iterator */
        model_class *enumeration; /* of a literal */
    };
} model_meaning;

/* A variable by its path. */
typedef struct model_reference {
    model_path path;
    /* set by resolve.c: */
    const model_part *part; /* the part of the path that names the variable, with subscripts */
    model_meaning meaning;
} model_reference;

/* The value of a variable of record type where it is declared, from which all its components take
 * theirs: it is evaluated once. */
typedef struct model_kept {
    bool local;    /* of a function: the value is in this slot of the frame */
    uint32_t slot; /* set by scope.c */
    bool known;
    const struct model_value *value; /* of the model */
} model_kept;

typedef struct model_member {
    uint32_t name;
    model_span at;
    const model_class *record; /* the operand must be a value of it; NULL: of any record */
    model_kept *kept;          /* of the value of the operand; NULL: it is evaluated each time */
} model_member;

typedef struct model_call {
    model_path function;
    const uint32_t *argument;      /* names of the operands, NAMES_NONE where positional */
    model_iterators iterator;      /* sum(e for i in r) */
    const model_builtin *builtin;  /* set by resolve.c */
    model_class *own;              /* set by resolve.c: a function of the text; NULL if unknown */
    model_symbol *input;           /* the same: an input of the function around, which is called */
    const model_class *literal_of; /* the same: an enumeration, whose literal has the number */
    const struct model_closure *bound; /* inputs that are given already; NULL: none */
} model_call;

/* How tightly operators bind (Modelica 3.6, Sec. 3.2), loosest first. */
typedef enum model_level {
    LEVEL_IF,
    LEVEL_RANGE,
    LEVEL_OR, /* the loosest operator between two operands */
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_RELATION,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_POWER,
    LEVEL_PRIMARY
} model_level;

struct model_expression {
    model_expression_kind kind : 8;
    bool whole;     /* of a number: no point or exponent; of a truth: its value */
    bool counted;   /* its switch is noted; set by evaluation */
    uint32_t count; /* of operands */
    model_span at;
    model_expression **operand;
    union {
        double number;
        uint32_t name;       /* of a string, among the names */
        const uint8_t *sign; /* sums and products: a model_sign for each operand; else one */
        model_reference *reference;
        model_call *call;
        model_iterators *iterator; /* of {e for i in r}; else NULL */
        model_member *member;
        const model_class *record; /* of EXPRESSION_RECORD */
    };
};

typedef struct model_modifier model_modifier;
typedef SHORT_LIST(model_modifier) model_modifiers;

/* name(nested) = value */
struct model_modifier {
    uint32_t name;
    bool each, final;
    model_span at;
    model_expression *value; /* NULL if there is none */
    model_modifiers nested;
};

/* __daedal(...) of an annotation. */
typedef struct model_vendor {
    model_span at; /* from the beginning of what it belongs to up to the annotation */
    model_modifiers entry;
    const model_class *of; /* the class whose annotation it is; NULL: of something in it */
} model_vendor;

typedef enum model_variability {
    VARIABILITY_CONTINUOUS,
    VARIABILITY_DISCRETE,
    VARIABILITY_PARAMETER,
    VARIABILITY_CONSTANT
} model_variability;

typedef enum model_direction { DIRECTION_NONE, DIRECTION_INPUT, DIRECTION_OUTPUT } model_direction;

typedef struct model_declaration model_declaration;

/* Of a variable of record type, and of a component. Set by record.c. */
typedef struct model_composed {
    SHORT_LIST(model_declaration *) member; /* the components of a variable of record type */
    const model_declaration *owner; /* of a component: the variable of record type; else NULL */
    model_kept *kept;               /* of a variable of record type: its value; or NULL */
} model_composed;

struct model_declaration {
    uint32_t name;
    uint32_t component; /* set by record.c: its name in the record, of a component */
    model_span at;      /* of the name */
    model_variability variability : 8;
    model_direction direction : 8;
    bool final : 1, hidden : 1; /* hidden: in a protected section */
    bool flow : 1;              /* of hierarchical models (r->hierarchical) */
    uint32_t dimensions;        /* of Real x[3] */
    model_expression **size;    /* dimensions */
    const model_path *type;     /* with the subscripts of Real[3] x */
    model_modifiers modifier;
    model_expression *binding; /* NULL if there is none */
    /* of hierarchical models: */
    model_expression *condition; /* of a conditional component; NULL: none */
    model_span comment;          /* its string; {0, 0}: none */
    model_composed *composed;    /* NULL: neither of record type nor a component */
};

typedef enum model_clause_kind {
    CLAUSE_EQUATION,   /* left = right */
    CLAUSE_ASSIGNMENT, /* left := right */
    CLAUSE_CALL,       /* left is the call */
    CLAUSE_IF,
    CLAUSE_FOR, /* branch[0] is the body */
    CLAUSE_WHEN,
    CLAUSE_WHILE,
    CLAUSE_BREAK,
    CLAUSE_RETURN,
    CLAUSE_CONNECT /* left and right, references; of hierarchical models */
} model_clause_kind;

typedef struct model_branch {
    model_expression *condition; /* NULL: else */
    model_span at;               /* its keyword */
    model_clauses body;
} model_branch;

/* An equation or a statement. */
struct model_clause {
    model_clause_kind kind;
    uint32_t emitted; /* set when it is flattened: number of its scalar equations so far */
    model_span at;
    model_expression *left, *right;
    SHORT_LIST(model_branch) branch;
    model_iterators iterator;
    /* set when it is flattened: */
    const char *declared; /* name of the declaration it comes from; else NULL */
    const char *text;     /* for messages */
    place where;
    bool unconnected; /* a flow that is 0, as nothing is connected to its connector */
};

typedef enum model_class_kind {
    CLASS_MODEL,
    CLASS_PACKAGE,
    CLASS_FUNCTION,
    CLASS_RECORD,
    CLASS_OBJECT, /* extends ExternalObject */
    CLASS_TYPE,
    CLASS_ENUMERATION
} model_class_kind;

/* A literal of an enumeration. */
typedef struct model_literal {
    uint32_t name;
    model_span at;
} model_literal;

typedef struct model_algorithm {
    bool initial;
    model_span at;
    model_clauses statement;
} model_algorithm;

/* extends base(modifier); */
typedef struct model_extension {
    const model_path *base;
    model_modifiers modifier;
    bool hidden; /* in a protected section */
} model_extension;

/* import path; import name = path; import path.*; import path.{a, b}: a row for each name */
typedef struct model_import {
    const model_path *path;
    uint32_t name; /* NAMES_NONE: all names of the package */
} model_import;

/* A construct that is refused where its class is used, by its name. */
typedef struct model_unsupported {
    const char *what, *remedy;
    model_span at;
} model_unsupported;

/* external "C" result = function(argument, ...) of a function */
typedef struct model_external {
    model_span at, function_at;
    const char *language;     /* "C" if none is given */
    model_expression *result; /* NULL: nothing is returned */
    uint32_t function;        /* NAMES_NONE: no call is written */
    model_expressions argument;
} model_external;

/* derivative(option) = function, of the annotation of a function */
typedef struct model_rate {
    model_path function;
    model_modifiers option;
    model_span at;
    model_class *own; /* set by resolve.c; NULL: it is not declared */
} model_rate;

struct model_class {
    model_class_kind kind;
    uint32_t name;
    model_span at; /* of the name */
    LIST(model_declaration *) declaration;
    LIST(model_class *) inner;
    model_clauses equation, initial;
    LIST(model_algorithm) algorithm;
    model_modifiers experiment;  /* of the annotation */
    model_modifiers vendor;      /* __daedal(...) of the annotation */
    const model_path *base;      /* of a type, with its subscripts */
    model_modifiers modifier;    /* of a type */
    LIST(model_literal) literal; /* of an enumeration */
    bool unnamed;                /* an enumeration that stands in a declaration */
    bool partial, impure;        /* of a function */
    model_external *external;    /* of a function; NULL: it is none */
    LIST(model_rate *) rate;     /* of a function: its derivatives */
    bool told;                   /* that its derivatives are differences */
    bool incomplete;             /* names may come from elsewhere: extends, import */
    /* of hierarchical models (r->hierarchical): */
    bool connector;
    bool flow;                 /* of a short definition: connector F = flow Real */
    model_direction direction; /* the same: connector U = input Real */
    LIST(model_extension) extension;
    LIST(model_import) import;
    LIST(model_unsupported) refused;
    LIST(model_declaration *) expanded; /* of a record: its constructor's variables; record.c */
    /* set by scope.c and resolve.c */
    LIST(model_symbol *) local;   /* of a function: its variables, by slot */
    LIST(model_symbol *) by_name; /* the same, by the numbers of their names */
    uint32_t slots;               /* size of a frame: locals and iterators */
};

#endif
