/* Declarations of variables, with their types, sizes and attributes. */
#include "model/parser.h"

#include <string.h>

/* `= value`; NULL if there is none. */
static model_expression *parse_value(model_parser *p, const char *remedy)
{
    if (model_at(p, TOKEN_ASSIGN)) {
        model_error(p->r, p->token->at, "expected '=', found ':='", remedy);
        model_next(p);
    } else if (!model_accept(p, TOKEN_EQUALS)) {
        return NULL;
    }
    return model_parse_expression(p);
}

/* (start = 1, each fixed = true, x(unit = "m")); a.b = e is a(b = e) */
static void parse_modifier(model_parser *p, model_modifiers *list)
{
    model_modifier m = {.at = p->token->at};
    for (;;) {
        if (model_accept(p, TOKEN_FINAL)) continue;
        if (model_accept(p, TOKEN_EACH)) {
            m.each = true;
            continue;
        }
        if (!model_at(p, TOKEN_REDECLARE) && !model_at(p, TOKEN_REPLACEABLE)) break;
        model_refuse(p->r, p->token->at, NULL, "redeclaration is not supported yet",
                     "flatten the model first");
        p->panic = true;
    }
    if (!p->panic) m.at = p->token->at;
    m.name = model_name(p, "of an attribute");
    if (model_accept(p, TOKEN_DOT)) {
        if (model_enter(p)) parse_modifier(p, &m.nested);
        p->depth--;
        if (!p->panic) list_push(p->r->a, list, m);
        return;
    }
    if (model_at(p, TOKEN_LEFT_PAREN)) {
        if (model_enter(p)) model_parse_modifiers(p, &m.nested);
        p->depth--;
    }
    m.value = parse_value(p, "an attribute is given with =");
    model_skip_comment(p);
    if (!p->panic) list_push(p->r->a, list, m);
}

void model_parse_modifiers(model_parser *p, model_modifiers *list)
{
    model_next(p); /* ( */
    if (model_accept(p, TOKEN_RIGHT_PAREN)) return;
    do parse_modifier(p, list);
    while (model_accept(p, TOKEN_COMMA));
    model_expect(p, TOKEN_RIGHT_PAREN, "after the attributes");
}

/* One variable of a declaration. `common` holds what precedes the names. */
static void parse_variable(model_parser *p, model_class *owner, const model_declaration *common)
{
    model_declaration *d = arena_take(p->r->a, sizeof *d);
    *d = *common;
    model_part last;
    d->name = model_flat_name(p, "after the type", &last);
    d->at = last.at;
    d->dimensions = last.count;
    d->size = last.subscript;
    if (model_at(p, TOKEN_LEFT_BRACKET)) model_parse_subscripts(p, &d->dimensions, &d->size);
    if (model_at(p, TOKEN_LEFT_PAREN)) model_parse_modifiers(p, &d->modifier);
    d->binding = parse_value(p, "a declaration gives its value with =");
    if (model_at(p, TOKEN_IF)) {
        model_refuse(p->r, p->token->at, NULL, "conditional declarations are not supported yet",
                     "keep the declaration and its equations, or remove them");
        model_next(p);
        model_parse_expression(p);
    }
    model_parse_comment(p, d->at);
    if (d->name != NAMES_NONE) list_push(p->r->a, &owner->declaration, d);
}

/* final, parameter, input, ... in any order. Contradictions are reported. */
static void parse_prefixes(model_parser *p, model_declaration *d)
{
    for (;;) {
        model_variability before = d->variability;
        switch (p->token->kind) {
        case TOKEN_FINAL: d->final = true; break;
        case TOKEN_DISCRETE: d->variability = VARIABILITY_DISCRETE; break;
        case TOKEN_PARAMETER: d->variability = VARIABILITY_PARAMETER; break;
        case TOKEN_CONSTANT: d->variability = VARIABILITY_CONSTANT; break;
        case TOKEN_INPUT: d->direction = DIRECTION_INPUT; break;
        case TOKEN_OUTPUT: d->direction = DIRECTION_OUTPUT; break;
        case TOKEN_FLOW:
        case TOKEN_STREAM: break; /* no meaning in a flat model */
        case TOKEN_INNER:
        case TOKEN_OUTER:
        case TOKEN_REDECLARE:
        case TOKEN_REPLACEABLE:
            model_refuse(p->r, p->token->at, NULL, "%s is not supported yet",
                         "flatten the model first", names_string(p->r->words, p->token->kind));
            break;
        default: return;
        }
        if (before != VARIABILITY_CONTINUOUS && before != d->variability)
            model_error(p->r, p->token->at, "%s contradicts the prefix before it",
                        "leave one of them out", names_string(p->r->words, p->token->kind));
        model_next(p);
    }
}

/* Refuse import and extends, up to the ';'. */
static bool refuse_element(model_parser *p, model_class *owner)
{
    if (!model_at(p, TOKEN_IMPORT) && !model_at(p, TOKEN_EXTENDS)) return false;
    model_refuse(p->r, p->token->at, NULL, "%s is not supported yet",
                 "flatten the model first, so that it needs no other text",
                 names_string(p->r->words, p->token->kind));
    owner->incomplete = true;
    p->panic = true;
    return true;
}

/* Refuse a section of Base Modelica for clocks. It begins with `partition`, which is not a keyword.
 */
static bool refuse_partition(model_parser *p)
{
    if (!model_at(p, TOKEN_NAME)) return false;
    const char *word = names_string(p->r->words, p->token->name);
    bool section = strcmp(word, "partition") == 0 || strcmp(word, "subpartition") == 0;
    if (!section || p->token[1].kind == TOKEN_DOT || p->token[1].kind == TOKEN_LEFT_BRACKET)
        return false;
    model_refuse(p->r, p->token->at, NULL, "clocks and their partitions are not supported yet",
                 "write the sampled parts in continuous time");
    model_next(p);
    while (!model_ends_section(p)) model_next(p);
    return true;
}

/* Whether the next token cannot begin a declaration although the class has not ended. Reported. */
static bool mistaken_element(model_parser *p)
{
    model_token_kind kind = p->token->kind;
    bool name = kind == TOKEN_NAME || kind == TOKEN_DOT ||
                (kind < TOKEN_KEYWORDS && p->misnamed[kind]);
    if (name) return false;
    if (!model_panic(p)) return true;
    bool equation = model_block_kind(p->token) != CLAUSE_EQUATION || kind == TOKEN_DER ||
                    kind == TOKEN_LEFT_PAREN || kind == TOKEN_MINUS || kind == TOKEN_NUMBER ||
                    kind == TOKEN_WHOLE || kind == TOKEN_CONNECT;
    model_error(p->r, p->token->at, "expected a declaration, found %s", NULL,
                kind < TOKEN_KEYWORDS ? names_string(p->r->words, kind) : model_token_name(kind));
    if (equation) model_remedy(p->r, "equations come after the keyword 'equation'");
    return true;
}

/* enumeration(a, b) in place of a type: those with the same literals are one type. */
static void parse_unnamed_enumeration(model_parser *p, model_class *owner, model_path *type)
{
    model_class *c = arena_take(p->r->a, sizeof *c);
    text name = {0};
    c->at = p->token->at;
    c->unnamed = true;
    model_parse_enumeration(p, c);
    for (size_t i = 0; i < c->literal.count; i++)
        text_format(&name, "%s%s", i ? ", " : "'enumeration(",
                    model_spelled(p->r, c->literal.item[i].name));
    text_add(&name, ")'");
    c->name = names_intern(p->r->words, text_string(&name), name.length);
    text_free(&name);
    *type = (model_path){.first = {.name = c->name, .at = c->at}, .at = c->at};
    bool known = false;
    for (size_t i = 0; i < owner->inner.count; i++)
        known = known || (owner->inner.item[i]->unnamed && owner->inner.item[i]->name == c->name);
    if (!known) list_push(p->r->a, &owner->inner, c);
}

void model_parse_element(model_parser *p, model_class *owner, bool hidden)
{
    model_declaration common = {.hidden = hidden};
    if (refuse_element(p, owner) || refuse_partition(p)) return;
    parse_prefixes(p, &common);
    if (model_begins_class(p)) {
        model_parse_class(p, owner);
        return;
    }
    bool unnamed = model_at(p, TOKEN_ENUMERATION);
    if (!unnamed && mistaken_element(p)) return;
    model_path *type = arena_take(p->r->a, sizeof *type);
    if (unnamed)
        parse_unnamed_enumeration(p, owner, type);
    else
        model_parse_path(p, type);
    common.type = type;
    do parse_variable(p, owner, &common);
    while (model_accept(p, TOKEN_COMMA));
    const model_declaration *last = owner->declaration.count
                                        ? owner->declaration.item[owner->declaration.count - 1]
                                        : NULL;
    model_semicolon(
        p, !last ? "the declaration"
                 : arena_format(p->r->a, "the declaration of %s", model_spelled(p->r, last->name)));
}
