/* The parser: recursive descent with precedence climbing for the grammar of Modelica 3.6, App. A,
 * as far as flat models use it.
 *
 * After a mistake the parser panics: it reports and reads nothing more until model_recover() has
 * found a place from which parsing can continue. Functions that read an expression never return
 * NULL. */
#ifndef MODEL_PARSER_H
#define MODEL_PARSER_H

#include "model/reader.h"

enum {
    MODEL_DEEPEST = 500,      /* nesting depth of parentheses, calls and blocks */
    MODEL_MOST_ITERATORS = 16 /* of one for; each adds to the depth */
};

/* An open block: if, for, when, while. */
typedef struct model_block {
    model_token_kind keyword;
    model_span at;
    const struct model_block *outer;
} model_block;

/* A class whose end is not read yet. */
typedef struct model_open_class {
    uint32_t name;
    model_class *parsed;
    const struct model_open_class *outer;
} model_open_class;

typedef struct model_parser {
    model_reader *r;          /* its arena holds the tree */
    const model_token *token; /* the next one; token[1] can be read, too */
    bool panic;
    int depth;
    int subscripts;                     /* depth of open subscripts, in which `end` is a number */
    bool tuple;                         /* the next parenthesis may hold a tuple */
    model_span relation;                /* the relation sign read last */
    const model_block *block;           /* innermost open block */
    const model_open_class *open_class; /* innermost open class */
    model_expressions operand;          /* stack of operands whose node is not complete yet */
    LIST(uint8_t) sign;                 /* stack of their signs */
    LIST(uint32_t) argument;            /* stack of the names of arguments */
    bool misnamed[TOKEN_KEYWORDS];      /* keywords used as names; already reported */
} model_parser;

/* Read the whole text into r->root, an unnamed package with all classes of the text, even after
 * mistakes. */
void model_parse(model_reader *r);

/* parser.c: whether the next token is of this kind (never in a panic); the same, and then read it;
 * read any token */
bool model_at(const model_parser *p, model_token_kind kind);
bool model_accept(model_parser *p, model_token_kind kind);
void model_next(model_parser *p);
model_span model_previous(const model_parser *p); /* of the token read last */
model_span model_behind(const model_parser *p);   /* the place where a following token is missing */
model_span model_since(const model_parser *p, model_span begin);

/* Start to panic; true if a report is due, because the parser did not panic before. */
bool model_panic(model_parser *p);

/* Read a token of this kind, or report that it is missing `where` ("after the if"; or NULL). */
bool model_expect(model_parser *p, model_token_kind kind, const char *where);

/* The name of the next token in "found ...". */
const char *model_found(const model_parser *p);

/* Report that `what` was expected and something else was found. */
void model_unexpected(model_parser *p, const char *what);

/* Read the ';' that ends a declaration or an equation. If only the ';' is missing, it is assumed.
 */
void model_semicolon(model_parser *p, const char *what);

/* End a panic: go after the next ';', or before a keyword that begins or ends a section. */
void model_recover(model_parser *p);

/* Whether a token begins or ends a section of a class. */
bool model_ends_section(const model_parser *p);

/* Read a name. A keyword in its place is reported once and accepted. NAMES_NONE in a panic. */
uint32_t model_name(model_parser *p, const char *where);

/* flat_name.c: the same of a name that may have dots in it, without quotes, and the last part of
 * such a one: with its subscripts, which are no part of the name. */
uint32_t model_flat_name(model_parser *p, const char *where, model_part *last);

/* Refuse what only hierarchical models have: a hierarchical reader does so where the class is used.
 */
void model_refuse_structure(model_parser *p, model_span at, const char *what, const char *remedy);

/* Go one level deeper. If that is too deep: panic and return false. In any case leave with
 * p->depth--. */
bool model_enter(model_parser *p);

/* parse_expression.c: an expression with operators, and if-expressions */
model_expression *model_parse_expression(model_parser *p);
model_expression *model_parse_side(model_parser *p, bool tuple); /* of an equation; it may be one */

/* parse_operand.c: operands */
model_expression *model_parse_operand(model_parser *p);
void model_parse_path(model_parser *p, model_path *path);
void model_parse_subscripts(model_parser *p, uint32_t *count, model_expression ***subscript);
void model_parse_iterators(model_parser *p, model_iterators *list);

/* A node from `begin` to the token read last; with the operands on the stack from `base` on. */
model_expression *model_new_node(model_parser *p, model_expression_kind kind, model_span begin);
model_expression *model_close_node(model_parser *p, model_expression_kind kind, model_span begin,
                                   size_t base);
void model_push_operand(model_parser *p, model_expression *e);

/* parse_clause.c: equations, or statements if `algorithm` */
void model_parse_clauses(model_parser *p, bool algorithm, model_clauses *list);
model_clause_kind model_block_kind(const model_token *t); /* CLAUSE_EQUATION: begins no block */
bool model_stray_end(model_parser *p); /* reads and reports an `end if` without an if */

/* parse_class.c: enumeration(a, b), into c */
void model_parse_enumeration(model_parser *p, model_class *c);

/* parse_external.c: an external function; and the derivatives among the arguments of an annotation,
 * whose tokens begin at `begin` and end before the present one */
void model_parse_external(model_parser *p, model_class *c);
void model_parse_rates(model_parser *p, const model_token *begin, model_class *c);

/* parse_declaration.c: a variable, or a class, into `owner`; and (attribute = value, ...) */
void model_parse_element(model_parser *p, model_class *owner, bool hidden);
void model_parse_modifiers(model_parser *p, model_modifiers *list);

/* parse_class.c: a class with its sections, up to its end, into `owner` */
bool model_begins_class(const model_parser *p);
void model_parse_class(model_parser *p, model_class *owner);
/* "string" annotation(...), of which __daedal(...) is kept for what begins at `of`. */
void model_parse_comment(model_parser *p, model_span of);
void model_skip_comment(model_parser *p);    /* of what no annotation is read */
void model_skip_constraint(model_parser *p); /* constrainedby T(...), of a hierarchical model */
void model_skip_parentheses(model_parser *p);

#endif
