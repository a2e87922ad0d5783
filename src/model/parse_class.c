/* Classes and their sections, annotations, and the whole text. */
#include "model/parser.h"

#include <string.h>

static void parse_sections(model_parser *p, model_class *c);

void model_skip_parentheses(model_parser *p)
{
    if (!model_at(p, TOKEN_LEFT_PAREN)) return;
    model_span begin = p->token->at;
    int open = 0;
    do {
        open += p->token->kind == TOKEN_LEFT_PAREN;
        open -= p->token->kind == TOKEN_RIGHT_PAREN;
        if (p->token->kind == TOKEN_TEXT_END) {
            if (model_panic(p)) {
                model_error(p->r, begin, "this parenthesis is never closed", "add the ')'");
                p->r->reports.text_ends = begin.end;
            }
            return;
        }
        model_next(p);
    } while (open > 0);
}

/* The entries of NAME(...) among the arguments of an annotation, whose tokens begin at `begin` and
 * end before the present one. */
static void parse_entries(model_parser *p, const model_token *begin, const char *name,
                          model_modifiers *entries)
{
    const model_token *after = p->token, *found = NULL;
    int depth = 0;
    for (const model_token *t = begin; t < after && !found; t++) {
        depth += (t->kind == TOKEN_LEFT_PAREN) - (t->kind == TOKEN_RIGHT_PAREN);
        if (depth == 1 && t->kind == TOKEN_NAME && t[1].kind == TOKEN_LEFT_PAREN &&
            strcmp(names_string(p->r->words, t->name), name) == 0)
            found = t + 1;
    }
    if (!found || p->panic) return;
    p->token = found;
    model_parse_modifiers(p, entries);
    p->panic = false;
    p->token = after;
}

/* Of the arguments of an annotation, experiment(...) of a class and __daedal(...) are read. The
 * latter belongs to what begins at `from`. */
static void parse_annotation(model_parser *p, model_class *owner, uint32_t from)
{
    model_next(p); /* annotation */
    if (!model_at(p, TOKEN_LEFT_PAREN)) {
        model_expect(p, TOKEN_LEFT_PAREN, "after annotation");
        return;
    }
    const model_token *begin = p->token;
    model_vendor vendor = {.at = {from, begin->at.begin}, .of = owner};
    model_skip_parentheses(p);
    if (owner) parse_entries(p, begin, "experiment", &owner->experiment);
    parse_entries(p, begin, "__daedal", &vendor.entry);
    if (vendor.entry.count > 0) list_push(p->r->a, &p->r->vendor, vendor);
    if (owner) owner->vendor = vendor.entry;
    if (owner && owner->kind == CLASS_FUNCTION) model_parse_rates(p, begin, owner);
}

static void skip_string(model_parser *p)
{
    if (model_accept(p, TOKEN_STRING))
        while (model_at(p, TOKEN_PLUS) && p->token[1].kind == TOKEN_STRING) p->token += 2;
}

void model_parse_comment(model_parser *p, model_span of)
{
    skip_string(p);
    if (model_at(p, TOKEN_ANNOTATION)) parse_annotation(p, NULL, of.begin);
}

void model_skip_comment(model_parser *p)
{
    model_parse_comment(p, p->token->at);
}

void model_skip_constraint(model_parser *p)
{
    if (!p->r->hierarchical || !model_at(p, TOKEN_CONSTRAINEDBY)) return;
    while (p->token->kind != TOKEN_SEMICOLON && p->token->kind != TOKEN_TEXT_END) model_next(p);
}

static bool class_prefix(model_token_kind kind)
{
    return kind == TOKEN_PARTIAL || kind == TOKEN_ENCAPSULATED || kind == TOKEN_PURE ||
           kind == TOKEN_IMPURE || kind == TOKEN_OPERATOR || kind == TOKEN_EXPANDABLE;
}

/* The kind of class that a keyword begins; false for other tokens. */
static bool class_kind(model_token_kind token, model_class_kind *kind)
{
    switch (token) {
    case TOKEN_MODEL:
    case TOKEN_BLOCK:
    case TOKEN_CLASS: *kind = CLASS_MODEL; return true;
    case TOKEN_PACKAGE: *kind = CLASS_PACKAGE; return true;
    case TOKEN_FUNCTION: *kind = CLASS_FUNCTION; return true;
    case TOKEN_RECORD:
    case TOKEN_CONNECTOR: *kind = CLASS_RECORD; return true;
    case TOKEN_TYPE: *kind = CLASS_TYPE; return true;
    default: return false;
    }
}

bool model_begins_class(const model_parser *p)
{
    model_class_kind kind;
    return !p->panic && (class_prefix(p->token->kind) || class_kind(p->token->kind, &kind));
}

/* enumeration(a "text", b) */
void model_parse_enumeration(model_parser *p, model_class *c)
{
    c->kind = CLASS_ENUMERATION;
    model_next(p);
    model_expect(p, TOKEN_LEFT_PAREN, "after enumeration");
    do {
        model_literal literal = {.at = p->token->at};
        literal.name = model_name(p, "of a literal");
        model_skip_comment(p);
        if (!p->panic) list_push(p->r->a, &c->literal, literal);
    } while (model_accept(p, TOKEN_COMMA));
    model_expect(p, TOKEN_RIGHT_PAREN, "after the literals");
}

static bool at_base_prefix(const model_parser *p)
{
    return model_at(p, TOKEN_INPUT) || model_at(p, TOKEN_OUTPUT) || model_at(p, TOKEN_FLOW);
}

/* The prefixes of connector U = input Real */
static void parse_base_prefixes(model_parser *p, model_class *c)
{
    for (;; model_next(p)) {
        switch (p->token->kind) {
        case TOKEN_INPUT: c->direction = DIRECTION_INPUT; break;
        case TOKEN_OUTPUT: c->direction = DIRECTION_OUTPUT; break;
        case TOKEN_FLOW: c->flow = true; break;
        default: return;
        }
    }
}

/* type X = Real[3](unit = "m") */
static void parse_alias(model_parser *p, model_class *c)
{
    model_next(p);                                     /* = */
    if (c->kind == CLASS_RECORD) c->kind = CLASS_TYPE; /* record Q = R(x = 1) */
    if (!p->r->hierarchical && at_base_prefix(p)) {
        p->r->structure = MODEL_STRUCTURED;
        model_refuse(p->r, p->token->at, NULL, "a connector is no flat type", NULL);
    }
    parse_base_prefixes(p, c);
    if (!p->r->hierarchical && (c->kind == CLASS_FUNCTION || c->kind == CLASS_MODEL)) {
        p->r->structure = MODEL_STRUCTURED;
        model_refuse(p->r, c->at, NULL, "short definitions of a %s are not supported yet", NULL,
                     c->kind == CLASS_FUNCTION ? "function" : "class");
        model_remedy(p->r, "write it in full: %s ... end",
                     c->kind == CLASS_FUNCTION ? "function f" : "model M");
        c->incomplete = true;
        p->panic = true;
        return;
    }
    if (model_at(p, TOKEN_ENUMERATION)) {
        model_parse_enumeration(p, c);
    } else {
        model_path *base = arena_take(p->r->a, sizeof *base);
        model_parse_path(p, base);
        c->base = base;
        if (model_at(p, TOKEN_LEFT_PAREN)) model_parse_modifiers(p, &c->modifier);
    }
    model_skip_constraint(p);
    skip_string(p);
    if (model_at(p, TOKEN_ANNOTATION)) parse_annotation(p, c, c->at.begin);
    model_semicolon(p, "the type");
}

static bool is_outer(const model_parser *p, uint32_t name)
{
    for (const model_open_class *o = p->open_class->outer; o; o = o->outer)
        if (o->name == name) return true;
    return false;
}

/* end X; the name is checked. */
static void close_class(model_parser *p, const model_class *c)
{
    const char *name = names_string(p->r->words, c->name);
    unsigned line = model_line_number(p->r, c->at);
    const model_token *end = p->token;
    if (!model_accept(p, TOKEN_END)) {
        model_error(p->r, model_behind(p), "expected 'end %s;', found the end of the text", NULL,
                    name);
        model_remedy(p->r, "%s begins in line %u", name, line);
        return;
    }
    model_span at = p->token->at;
    model_part last;
    uint32_t closed = model_flat_name(p, "after end", &last);
    if (!p->panic && closed != c->name) {
        model_error(p->r, at, "expected 'end %s;', found 'end %s;'", NULL, name,
                    names_string(p->r->words, closed));
        model_remedy(p->r, "the class that begins in line %u is called %s", line, name);
        if (is_outer(p, closed)) { /* the end of this class is missing rather than misspelt */
            p->token = end;
            return;
        }
    }
    model_semicolon(p, "the end of a class");
}

/* type T extends Real; end T; or something that is not a type at all. It is treated as a record. */
static void refuse_long_type(model_parser *p, model_class *c)
{
    if (p->r->hierarchical) return; /* it has one `extends` */
    const char *name = names_string(p->r->words, c->name);
    model_error(p->r, c->at, "expected '=' after 'type %s', found %s", NULL, name, model_found(p));
    model_remedy(p->r, "a type is written: type %s = Real(unit = \"m\");", name);
    c->kind = CLASS_RECORD;
    c->incomplete = true;
}

/* The prefixes of a class, and its kind; false: no class follows. */
static bool parse_kind(model_parser *p, model_class *c)
{
    model_open_class open = {.parsed = c};
    const model_open_class *outer = p->open_class;
    p->open_class = &open;
    for (; class_prefix(p->token->kind); model_next(p)) {
        c->partial |= p->token->kind == TOKEN_PARTIAL;
        c->impure |= p->token->kind == TOKEN_IMPURE;
        bool unknown = p->token->kind == TOKEN_EXPANDABLE || p->token->kind == TOKEN_OPERATOR;
        if (p->r->hierarchical && unknown)
            model_refuse_structure(p, p->token->at, names_string(p->r->words, p->token->kind),
                                   p->token->kind == TOKEN_EXPANDABLE
                                       ? "declare all variables of the connector"
                                       : "write a function, and call it by its name");
    }
    p->open_class = outer;
    c->connector = p->token->kind == TOKEN_CONNECTOR;
    if (class_kind(p->token->kind, &c->kind)) {
        model_next(p);
        return true;
    }
    model_unexpected(p, "a class");
    return false;
}

void model_parse_class(model_parser *p, model_class *owner)
{
    model_class *c = arena_take(p->r->a, sizeof *c);
    if (!parse_kind(p, c)) return;
    if (model_at(p, TOKEN_EXTENDS)) model_next(p); /* refused below: no class is extended */
    model_part last;
    c->name = model_flat_name(p, "of the class", &last);
    c->at = last.at;
    if (p->panic) return;
    if (p->token[-2].kind == TOKEN_EXTENDS) {
        p->r->structure = MODEL_STRUCTURED;
        model_unsupported refused = {"extending a class under its own name",
                                     "give the class another name", c->at};
        if (p->r->hierarchical)
            list_push(p->r->a, &c->refused, refused);
        else
            model_refuse(p->r, c->at, NULL, "extending classes is not supported yet", NULL);
        c->incomplete = true;
    }
    if (!model_enter(p)) {
        p->depth--;
        return;
    }
    list_push(p->r->a, &owner->inner, c);
    if (c->kind == CLASS_TYPE && !model_at(p, TOKEN_EQUALS)) refuse_long_type(p, c);
    model_open_class open = {.name = c->name, .parsed = c, .outer = p->open_class};
    p->open_class = &open;
    if (model_at(p, TOKEN_EQUALS)) {
        parse_alias(p, c);
    } else {
        skip_string(p); /* an annotation, here or later, is one of the class */
        parse_sections(p, c);
        close_class(p, c);
    }
    p->open_class = open.outer;
    p->depth--;
}

/* equation, initial equation, algorithm or initial algorithm, with its contents. */
static void parse_behaviour(model_parser *p, model_class *c)
{
    bool initial = model_accept(p, TOKEN_INITIAL);
    model_span at = p->token->at;
    if (model_accept(p, TOKEN_EQUATION)) {
        model_parse_clauses(p, false, initial ? &c->initial : &c->equation);
    } else {
        model_next(p);
        list_push(p->r->a, &c->algorithm, ((model_algorithm){.initial = initial, .at = at}));
        model_parse_clauses(p, true, &c->algorithm.item[c->algorithm.count - 1].statement);
    }
}

/* Whether an equation stands in place of a declaration, so that the keyword `equation` is missing.
 */
static bool missing_equation(model_parser *p, model_class *c)
{
    const model_token *t = p->token;
    bool named = t->kind == TOKEN_NAME &&
                 (t[1].kind == TOKEN_EQUALS || t[1].kind == TOKEN_LEFT_PAREN);
    bool block = model_block_kind(t) != CLAUSE_EQUATION && t->kind != TOKEN_WHILE;
    bool equation = named || block || t->kind == TOKEN_DER || t->kind == TOKEN_CONNECT;
    if (!equation || c->kind != CLASS_MODEL) return false;
    model_error(p->r, t->at, "expected a declaration, found an equation",
                "equations come after the keyword 'equation'");
    model_parse_clauses(p, false, &c->equation);
    return true;
}

/* One section keyword with its contents, or one element. */
static void parse_section(model_parser *p, model_class *c, bool *hidden)
{
    model_token_kind kind = p->token->kind;
    if (kind == TOKEN_PUBLIC || kind == TOKEN_PROTECTED) {
        *hidden = kind == TOKEN_PROTECTED;
        model_next(p);
    } else if (kind == TOKEN_PARAMETER && p->token[1].kind == TOKEN_EQUATION) {
        model_refuse(p->r, p->token->at, NULL, "parameter equations are not supported yet",
                     "give the parameter fixed = false and an initial equation");
        p->panic = true;
        model_next(p);
        model_next(p);
    } else if (kind == TOKEN_EQUATION || kind == TOKEN_ALGORITHM || kind == TOKEN_INITIAL) {
        if (kind == TOKEN_INITIAL && !model_ends_section(p)) {
            model_unexpected(p, "a declaration or 'initial equation'");
            model_remedy(p->r, "conditions at the start come after 'initial equation'");
        } else {
            parse_behaviour(p, c);
        }
    } else if (kind == TOKEN_ANNOTATION) {
        parse_annotation(p, c, c->at.begin);
        model_semicolon(p, "the annotation");
    } else if (kind == TOKEN_EXTERNAL) {
        model_parse_external(p, c);
    } else if (!missing_equation(p, c)) {
        model_parse_element(p, c, *hidden);
    }
}

static void parse_sections(model_parser *p, model_class *c)
{
    bool hidden = false;
    const model_block *block = p->block;
    p->block = NULL;
    for (;;) {
        model_recover(p);
        if (model_stray_end(p)) continue;
        if (p->token->kind == TOKEN_TEXT_END || p->token->kind == TOKEN_END) break;
        parse_section(p, c, &hidden);
    }
    p->block = block;
}

/* Ignore the rest of the text. */
static void stop(model_parser *p)
{
    if (p->token->at.begin < p->r->reports.text_ends) p->r->reports.text_ends = p->token->at.begin;
    p->token = &p->r->tokens.item[p->r->tokens.count - 2];
}

/* Top-level items of a text: classes and others. */
static void parse_top(model_parser *p, model_class *root)
{
    if (model_at(p, TOKEN_WITHIN)) {
        model_next(p);
        if (p->token->kind != TOKEN_SEMICOLON) {
            model_path *path = arena_take(p->r->a, sizeof *path);
            model_parse_path(p, path);
            p->r->within = path;
        }
        model_semicolon(p, "within");
    } else if (model_begins_class(p)) {
        model_parse_class(p, root);
        if (p->panic) stop(p);
    } else if (root->inner.count) {
        model_panic(p);
        model_error(p->r, p->token->at, "nothing may follow the end of the %s",
                    "remove it, or move it before the end",
                    root->inner.item[0]->kind == CLASS_PACKAGE ? "package" : "model");
        stop(p);
    } else if (model_panic(p)) {
        model_error(p->r, p->token->at, "expected 'model' or 'package', found %s",
                    "a model is written: model NAME ... equation ... end NAME;",
                    p->token->kind == TOKEN_TEXT_END ? "nothing: the text is empty"
                                                     : model_found(p));
        stop(p);
    }
    p->panic = false;
}

void model_parse(model_reader *r)
{
    model_parser p = {.r = r, .token = r->tokens.item};
    r->root = arena_take(r->a, sizeof *r->root);
    r->root->kind = CLASS_PACKAGE;
    r->root->name = NAMES_NONE;
    do parse_top(&p, r->root);
    while (p.token->kind != TOKEN_TEXT_END);
}
