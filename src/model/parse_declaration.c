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

/* redeclare T x(...) among modifiers, up to the comma or parenthesis that ends it. */
static void refuse_redeclaration(model_parser *p)
{
    model_refuse_structure(p, p->token->at, "redeclaration",
                           p->r->hierarchical ? "write a class with the other type in it"
                                              : "flatten the model first");
    p->panic = !p->r->hierarchical;
    int open = 0;
    while (!p->panic && p->token->kind != TOKEN_TEXT_END && p->token->kind != TOKEN_SEMICOLON) {
        model_token_kind kind = p->token->kind;
        if (open == 0 && (kind == TOKEN_COMMA || kind == TOKEN_RIGHT_PAREN)) break;
        bool opens = kind == TOKEN_LEFT_PAREN || kind == TOKEN_LEFT_BRACKET ||
                     kind == TOKEN_LEFT_BRACE;
        bool closes = kind == TOKEN_RIGHT_PAREN || kind == TOKEN_RIGHT_BRACKET ||
                      kind == TOKEN_RIGHT_BRACE;
        open += opens - closes;
        model_next(p);
    }
}

/* (start = 1, each fixed = true, x(unit = "m")); a.b = e is a(b = e) */
static void parse_modifier(model_parser *p, model_modifiers *list)
{
    model_modifier m = {.at = p->token->at};
    for (;;) {
        if (model_accept(p, TOKEN_FINAL)) {
            m.final = true;
        } else if (model_accept(p, TOKEN_EACH)) {
            m.each = true;
        } else if (model_at(p, TOKEN_REDECLARE) || model_at(p, TOKEN_REPLACEABLE)) {
            refuse_redeclaration(p);
            if (!p->panic) return;
        } else {
            break;
        }
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
        if (!p->r->hierarchical)
            model_refuse(p->r, p->token->at, NULL, "conditional declarations are not supported yet",
                         "keep the declaration and its equations, or remove them");
        p->r->structure = MODEL_STRUCTURED;
        model_next(p);
        d->condition = model_parse_expression(p);
    }
    model_span comment = p->token->at;
    if (model_at(p, TOKEN_STRING)) d->comment = comment;
    model_parse_comment(p, d->at);
    if (d->comment.end && p->token[-1].kind == TOKEN_STRING) d->comment = model_since(p, comment);
    if (d->name != NAMES_NONE) list_push(p->r->a, &owner->declaration, d);
}

/* inner, outer, redeclare, replaceable */
static void refuse_prefix(model_parser *p)
{
    bool shared = p->token->kind == TOKEN_INNER || p->token->kind == TOKEN_OUTER;
    model_refuse_structure(p, p->token->at, names_string(p->r->words, p->token->kind),
                           !p->r->hierarchical ? "flatten the model first"
                           : shared
                               ? "hand the component's values on as parameters, or by connectors"
                               : "write a class for each choice, or a parameter that decides");
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
        case TOKEN_FLOW: d->flow = true; break; /* no meaning in a flat model */
        case TOKEN_STREAM:
            if (p->r->hierarchical)
                model_refuse_structure(
                    p, p->token->at, "stream",
                    "fluids flow one way here: give the connector an input or an "
                    "output for what the flow carries");
            break;
        case TOKEN_INNER:
        case TOKEN_OUTER:
        case TOKEN_REDECLARE:
        case TOKEN_REPLACEABLE: refuse_prefix(p); break;
        default: return;
        }
        if (before != VARIABILITY_CONTINUOUS && before != d->variability)
            model_error(p->r, p->token->at, "%s contradicts the prefix before it",
                        "leave one of them out", names_string(p->r->words, p->token->kind));
        model_next(p);
    }
}

static void parse_extension(model_parser *p, model_class *owner, bool hidden)
{
    model_path *base = arena_take(p->r->a, sizeof *base);
    model_extension e = {.base = base, .hidden = hidden};
    model_next(p); /* extends */
    model_parse_path(p, base);
    if (model_at(p, TOKEN_LEFT_PAREN)) model_parse_modifiers(p, &e.modifier);
    model_skip_comment(p);
    if (!p->panic) list_push(p->r->a, &owner->extension, e);
    model_semicolon(p, "the extends");
}

/* The last name of a path. */
static uint32_t last_name(const model_path *path)
{
    const model_part *part = &path->first;
    while (part->next) part = part->next;
    return part->name;
}

/* P with a further name, as in import P.{a, b}. */
static const model_path *lengthened(model_parser *p, const model_path *package, uint32_t name)
{
    model_path *path = arena_duplicate(p->r->a, package, 1, sizeof *path);
    model_part *part = &path->first;
    for (; part->next; part = part->next)
        part->next = arena_duplicate(p->r->a, part->next, 1, sizeof *part);
    part->next = arena_take(p->r->a, sizeof *part);
    *part->next = (model_part){.name = name, .at = model_previous(p)};
    return path;
}

/* The names in braces of import P.{a, b} */
static void parse_imported_names(model_parser *p, model_class *owner, const model_path *package)
{
    do {
        uint32_t name = model_name(p, "to import");
        if (p->panic) return;
        model_import one = {.path = lengthened(p, package, name), .name = name};
        list_push(p->r->a, &owner->import, one);
    } while (model_accept(p, TOKEN_COMMA));
    model_expect(p, TOKEN_RIGHT_BRACE, "after the names");
}

/* The path of an import up to `.*` or `.{`, whose point is left to be read. */
static void parse_import_path(model_parser *p, model_path *path)
{
    model_span begin = p->token->at;
    model_accept(p, TOKEN_DOT);
    model_part *part = &path->first;
    for (;;) {
        part->at = p->token->at;
        part->name = model_name(p, "to import");
        bool more = model_at(p, TOKEN_DOT) && p->token[1].kind == TOKEN_NAME;
        if (!more) break;
        model_next(p);
        part = part->next = arena_take(p->r->a, sizeof *part);
    }
    path->at = model_since(p, begin);
}

static void parse_import(model_parser *p, model_class *owner)
{
    model_path *path = arena_take(p->r->a, sizeof *path);
    model_import i = {.path = path, .name = NAMES_NONE};
    model_next(p); /* import */
    bool renamed = model_at(p, TOKEN_NAME) && p->token[1].kind == TOKEN_EQUALS;
    if (renamed) i.name = model_name(p, NULL);
    if (renamed) model_next(p);
    parse_import_path(p, path);
    if (model_accept(p, TOKEN_DOT)) {
        model_expect(p, TOKEN_LEFT_BRACE, "or a name after the point");
        parse_imported_names(p, owner, path);
    } else {
        if (!model_accept(p, TOKEN_DOT_TIMES) && !renamed) i.name = last_name(path);
        if (!p->panic) list_push(p->r->a, &owner->import, i);
    }
    model_skip_comment(p);
    model_semicolon(p, "the import");
}

/* extends ExternalObject; of a class with a constructor and a destructor. Its functions get names
 * of their own: 'X.constructor'. */
static bool parse_object(model_parser *p, model_class *owner)
{
    const model_token *name = p->token + 1;
    bool object = model_at(p, TOKEN_EXTENDS) && name->kind == TOKEN_NAME &&
                  strcmp(names_string(p->r->words, name->name), "ExternalObject") == 0 &&
                  owner->kind == CLASS_MODEL && !owner->declaration.count && !owner->inner.count;
    if (!object) return false;
    if (p->r->hierarchical)
        model_refuse_structure(
            p, p->token->at, "an external object",
            "such tables are read in flat models alone, as compilers print them");
    else
        owner->kind = CLASS_OBJECT;
    p->token += 2;
    model_skip_comment(p);
    model_semicolon(p, "the extends");
    return true;
}

/* Read import and extends of a hierarchical model, or refuse them up to the ';'. */
static bool parse_structure(model_parser *p, model_class *owner, bool hidden)
{
    if (!model_at(p, TOKEN_IMPORT) && !model_at(p, TOKEN_EXTENDS)) return false;
    if (parse_object(p, owner)) return true;
    p->r->structure = MODEL_STRUCTURED;
    if (p->r->hierarchical) {
        if (model_at(p, TOKEN_IMPORT))
            parse_import(p, owner);
        else
            parse_extension(p, owner, hidden);
        return true;
    }
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
    if (parse_structure(p, owner, hidden) || refuse_partition(p)) return;
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
    model_skip_constraint(p);
    const model_declaration *last = owner->declaration.count
                                        ? owner->declaration.item[owner->declaration.count - 1]
                                        : NULL;
    const char *what = "the declaration";
    if (last && !p->panic && !model_at(p, TOKEN_SEMICOLON))
        what = arena_format(p->r->a, "the declaration of %s", model_spelled(p->r, last->name));
    model_semicolon(p, what);
}
