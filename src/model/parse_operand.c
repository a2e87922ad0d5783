/* The operands of expressions: names, calls, literals, arrays, and parentheses. */
#include "model/parser.h"

#include <string.h>

model_expression *model_new_node(model_parser *p, model_expression_kind kind, model_span begin)
{
    model_expression *e = arena_take(p->r->a, sizeof *e);
    e->kind = kind;
    e->at = model_since(p, begin);
    return e;
}

model_expression *model_close_node(model_parser *p, model_expression_kind kind, model_span begin,
                                   size_t base)
{
    model_expression *e = model_new_node(p, kind, begin);
    e->count = (uint32_t)(p->operand.count - base);
    if (e->count)
        e->operand = arena_duplicate(p->r->a, p->operand.item + base, e->count, sizeof *e->operand);
    p->operand.count = base;
    return e;
}

void model_push_operand(model_parser *p, model_expression *e)
{
    list_push(p->r->a, &p->operand, e);
}

/* The name and `[1, :, end]` of one part of a path. */
static void parse_part(model_parser *p, model_part *part)
{
    *part = (model_part){.at = p->token->at};
    part->name = model_name(p, NULL);
    if (model_at(p, TOKEN_LEFT_BRACKET)) model_parse_subscripts(p, &part->count, &part->subscript);
}

void model_parse_path(model_parser *p, model_path *path)
{
    model_span begin = p->token->at;
    path->global = model_accept(p, TOKEN_DOT);
    parse_part(p, &path->first);
    for (model_part *last = &path->first; model_accept(p, TOKEN_DOT); last = last->next) {
        last->next = arena_take(p->r->a, sizeof *last->next);
        parse_part(p, last->next);
    }
    path->at = model_since(p, begin);
}

void model_parse_subscripts(model_parser *p, uint32_t *count, model_expression ***subscript)
{
    size_t base = p->operand.count;
    model_span begin = p->token->at;
    model_next(p); /* [ */
    p->subscripts++;
    do {
        model_token_kind after = p->token->kind == TOKEN_COLON ? p->token[1].kind : TOKEN_TEXT_END;
        bool whole = after == TOKEN_COMMA || after == TOKEN_RIGHT_BRACKET;
        model_span at = p->token->at;
        if (whole) model_next(p);
        model_push_operand(p, whole ? model_new_node(p, EXPRESSION_COLON, at)
                                    : model_parse_expression(p));
    } while (model_accept(p, TOKEN_COMMA));
    p->subscripts--;
    model_expect(p, TOKEN_RIGHT_BRACKET, "after the subscripts");
    model_expression *all = model_close_node(p, EXPRESSION_NONE, begin, base);
    *count = all->count;
    *subscript = all->operand;
}

void model_parse_iterators(model_parser *p, model_iterators *list)
{
    do {
        model_iterator i = {.at = p->token->at};
        i.name = model_name(p, "after for");
        if (!p->panic && !model_accept(p, TOKEN_IN)) {
            bool implicit = model_at(p, TOKEN_COMMA) || model_at(p, TOKEN_LOOP);
            bool other = model_at(p, TOKEN_EQUALS) || model_at(p, TOKEN_ASSIGN);
            if (!implicit) model_expect(p, TOKEN_IN, "and a range after for");
            if (other) model_remedy(p->r, "a range is written with in: for i in 1:n loop");
            if (implicit)
                model_refuse(p->r, i.at, NULL, "a for without a range is not supported yet",
                             "write the range: for i in 1:n");
            i.range = model_new_node(p, EXPRESSION_NONE, i.at);
        } else {
            i.range = model_parse_expression(p);
        }
        if (list->count == MODEL_MOST_ITERATORS && model_panic(p))
            model_error(p->r, i.at, "more than %d iterators in one for", "nest the loops",
                        MODEL_MOST_ITERATORS);
        list_push(p->r->a, list, i);
    } while (model_accept(p, TOKEN_COMMA));
}

/* One argument of a call, with its name if it has one. */
static model_expression *parse_function(model_parser *p);

static void parse_argument(model_parser *p, bool *named)
{
    uint32_t name = NAMES_NONE;
    model_span at = p->token->at;
    if (model_at(p, TOKEN_NAME) && p->token[1].kind == TOKEN_EQUALS) {
        name = p->token->name;
        *named = true;
        model_next(p);
        model_next(p);
    } else if (*named && model_panic(p)) {
        model_error(p->r, at, "an argument without a name follows one with a name",
                    "arguments without a name come first");
    }
    list_push(p->r->a, &p->argument, name);
    model_push_operand(p,
                       model_at(p, TOKEN_FUNCTION) ? parse_function(p) : model_parse_expression(p));
}

/* The arguments of a call, from the '(' on. `e` already has kind and path. */
static void parse_arguments(model_parser *p, model_expression *e)
{
    size_t base = p->operand.count, arguments = p->argument.count;
    bool named = false;
    model_next(p); /* ( */
    if (!model_at(p, TOKEN_RIGHT_PAREN)) {
        do parse_argument(p, &named);
        while (model_accept(p, TOKEN_COMMA));
        if (model_accept(p, TOKEN_FOR)) model_parse_iterators(p, &e->call->iterator);
    }
    model_expect(p, TOKEN_RIGHT_PAREN, "after the arguments");
    model_expression *all = model_close_node(p, EXPRESSION_NONE, e->at, base);
    e->count = all->count;
    e->operand = all->operand;
    if (e->count)
        e->call->argument = arena_duplicate(p->r->a, p->argument.item + arguments, e->count,
                                            sizeof(uint32_t));
    p->argument.count = arguments;
    e->at = model_since(p, e->at);
}

/* function f(a = 1), an argument */
static model_expression *parse_function(model_parser *p)
{
    model_span begin = p->token->at;
    model_next(p);
    model_expression *e = model_new_node(p, EXPRESSION_FUNCTION, begin);
    e->call = arena_take(p->r->a, sizeof *e->call);
    model_parse_path(p, &e->call->function);
    if (!model_enter(p) || !model_at(p, TOKEN_LEFT_PAREN))
        model_expect(p, TOKEN_LEFT_PAREN, "after function f");
    else
        parse_arguments(p, e);
    p->depth--;
    return e;
}

/* A variable, or the call of a function. */
static model_expression *parse_reference(model_parser *p)
{
    model_path path;
    model_span begin = p->token->at;
    model_parse_path(p, &path);
    if (!model_at(p, TOKEN_LEFT_PAREN)) {
        model_expression *e = model_new_node(p, EXPRESSION_REFERENCE, begin);
        e->reference = arena_take(p->r->a, sizeof *e->reference);
        e->reference->path = path;
        return e;
    }
    model_expression *e = model_new_node(p, EXPRESSION_CALL, begin);
    e->call = arena_take(p->r->a, sizeof *e->call);
    e->call->function = path;
    parse_arguments(p, e);
    if (model_at(p, TOKEN_DOT) && model_panic(p)) {
        model_error(p->r, p->token->at, "a component of the result of a call needs parentheses",
                    NULL);
        model_remedy(p->r, "write (%s).%s", model_excerpt(p->r, e->at),
                     p->token[1].kind == TOKEN_NAME ? model_spelled(p->r, p->token[1].name) : "x");
    }
    return e;
}

/* der(...), initial(): calls whose function is a keyword. */
static model_expression *parse_keyword_call(model_parser *p)
{
    model_span begin = p->token->at;
    model_expression *e = model_new_node(p, EXPRESSION_CALL, begin);
    e->call = arena_take(p->r->a, sizeof *e->call);
    e->call->function = (model_path){.first = {.name = p->token->name, .at = begin}, .at = begin};
    model_next(p);
    e->at = begin;
    if (model_at(p, TOKEN_LEFT_PAREN))
        parse_arguments(p, e);
    else
        model_expect(p, TOKEN_LEFT_PAREN,
                     begin.end - begin.begin == 3 ? "after der" : "after initial");
    return e;
}

/* {a, b, c}, {} or {e for i in r} */
static model_expression *parse_array(model_parser *p)
{
    size_t base = p->operand.count;
    model_span begin = p->token->at;
    model_iterators iterator = {0};
    model_next(p);
    if (model_accept(p, TOKEN_RIGHT_BRACE))
        return model_close_node(p, EXPRESSION_ARRAY, begin, base);
    do model_push_operand(p, model_parse_expression(p));
    while (model_accept(p, TOKEN_COMMA));
    if (model_accept(p, TOKEN_FOR)) model_parse_iterators(p, &iterator);
    model_expect(p, TOKEN_RIGHT_BRACE, "after the elements");
    model_expression *e = model_close_node(p, EXPRESSION_ARRAY, begin, base);
    if (iterator.count) {
        e->iterator = arena_take(p->r->a, sizeof *e->iterator);
        *e->iterator = iterator;
        if (e->count != 1 && !p->panic)
            model_error(p->r, e->at, "expected one expression before for, found %u",
                        "write {expression for i in 1:n}", (unsigned)e->count);
    }
    return e;
}

/* [a, b; c, d] */
static model_expression *parse_matrix(model_parser *p)
{
    size_t base = p->operand.count;
    model_span begin = p->token->at;
    model_next(p);
    do {
        size_t row = p->operand.count;
        model_span at = p->token->at;
        do model_push_operand(p, model_parse_expression(p));
        while (model_accept(p, TOKEN_COMMA));
        model_push_operand(p, model_close_node(p, EXPRESSION_ROW, at, row));
    } while (model_accept(p, TOKEN_SEMICOLON) && !model_ends_section(p));
    model_expect(p, TOKEN_RIGHT_BRACKET, "after the rows of a matrix");
    return model_close_node(p, EXPRESSION_MATRIX, begin, base);
}

/* (e).x.y, components of a record */
static model_expression *parse_member(model_parser *p, model_expression *of, model_span begin)
{
    while (model_accept(p, TOKEN_DOT)) {
        size_t base = p->operand.count;
        model_span at = p->token->at;
        uint32_t name = model_name(p, "of a component");
        model_push_operand(p, of);
        of = model_close_node(p, EXPRESSION_MEMBER, begin, base);
        of->member = arena_take(p->r->a, sizeof *of->member);
        *of->member = (model_member){.name = name, .at = at};
    }
    return of;
}

/* _, which some write for what is left out in a tuple. */
static bool is_nameless(const model_parser *p)
{
    model_token_kind next = p->token[1].kind;
    return model_at(p, TOKEN_NAME) && strcmp(names_string(p->r->words, p->token->name), "_") == 0 &&
           (next == TOKEN_COMMA || next == TOKEN_RIGHT_PAREN);
}

/* e[i] of what is no name. The language has it after parentheses alone; printers of flat models
 * write f(x)[1] and {a, b}[1], too. */
static model_expression *parse_element(model_parser *p, model_expression *of, model_span begin)
{
    if (!model_at(p, TOKEN_LEFT_BRACKET) || p->panic) return of;
    size_t base = p->operand.count;
    uint32_t count;
    model_expression **subscript;
    model_parse_subscripts(p, &count, &subscript);
    model_push_operand(p, of);
    for (uint32_t i = 0; i < count; i++) model_push_operand(p, subscript[i]);
    return model_close_node(p, EXPRESSION_SUBSCRIPT, begin, base);
}

/* (e), (e)[i], (e).x, or a tuple (a, , b) where one is allowed. */
static model_expression *parse_parentheses(model_parser *p)
{
    bool tuple = p->tuple;
    p->tuple = false;
    size_t base = p->operand.count;
    model_span begin = p->token->at;
    model_next(p);
    do {
        if (tuple && is_nameless(p)) model_next(p);
        bool left_out = tuple && (model_at(p, TOKEN_COMMA) || model_at(p, TOKEN_RIGHT_PAREN));
        model_push_operand(p, left_out ? model_new_node(p, EXPRESSION_NONE, p->token->at)
                                       : model_parse_expression(p));
    } while (tuple && model_accept(p, TOKEN_COMMA));
    model_expect(p, TOKEN_RIGHT_PAREN, NULL);
    model_expression *first = p->operand.item[base];
    bool single = p->operand.count == base + 1 && (p->panic || first->kind != EXPRESSION_NONE);
    if (!single) return model_close_node(p, EXPRESSION_TUPLE, begin, base);
    p->operand.count = base;
    first->at = model_since(p, begin);
    if (model_at(p, TOKEN_DOT)) return parse_member(p, first, begin);
    return parse_element(p, first, begin);
}

/* Numbers, strings, true and false. */
static model_expression *parse_literal(model_parser *p)
{
    const model_token *t = p->token;
    model_next(p);
    if (t->kind == TOKEN_STRING) {
        model_expression *e = model_new_node(p, EXPRESSION_STRING, t->at);
        const char *string = model_unquote(p->r->a, p->r->source.bytes + t->at.begin,
                                           t->at.end - t->at.begin);
        e->name = names_intern(p->r->words, string, strlen(string));
        return e;
    }
    bool number = t->kind == TOKEN_NUMBER || t->kind == TOKEN_WHOLE;
    model_expression *e = model_new_node(p, number ? EXPRESSION_NUMBER : EXPRESSION_TRUTH, t->at);
    if (number) e->number = t->number;
    e->whole = t->kind == TOKEN_WHOLE || t->kind == TOKEN_TRUE;
    return e;
}

/* Whether `end` closes a class or a block. */
static bool ends_something(const model_parser *p)
{
    const model_token *next = p->token + 1;
    return next->kind == TOKEN_NAME || next->kind == TOKEN_TEXT_END ||
           model_block_kind(next) != CLAUSE_EQUATION;
}

/* A token that cannot begin an operand. */
static model_expression *parse_mistake(model_parser *p)
{
    if (model_at(p, TOKEN_IF) && model_panic(p)) {
        model_error(p->r, p->token->at, "an if-expression needs parentheses here",
                    "write (if ... then ... else ...)");
    } else if (model_at(p, TOKEN_END) && !ends_something(p)) {
        model_panic(p);
        model_error(p->r, p->token->at, "end has a value only in subscripts",
                    "the last element of an array is x[end]");
        model_next(p);
    } else if (p->token->kind < TOKEN_KEYWORDS && !p->panic && !model_ends_section(p)) {
        model_panic(p);
        model_error(p->r, p->token->at, "expected an expression, found the keyword '%s'",
                    "as a name it needs quotes", names_string(p->r->words, p->token->kind));
    } else {
        if (p->panic) return model_new_node(p, EXPRESSION_NONE, p->token->at);
        model_unexpected(p, "an expression");
        model_remedy(p->r, "an operand is missing before %s", model_found(p));
    }
    return model_new_node(p, EXPRESSION_NONE, p->token->at);
}

model_expression *model_parse_operand(model_parser *p)
{
    model_token_kind kind = p->panic ? TOKEN_TEXT_END : p->token->kind;
    model_span begin = p->token->at;
    if (kind < TOKEN_KEYWORDS && p->misnamed[kind]) kind = TOKEN_NAME;
    switch (kind) {
    case TOKEN_NUMBER:
    case TOKEN_WHOLE:
    case TOKEN_STRING:
    case TOKEN_TRUE:
    case TOKEN_FALSE: return parse_literal(p);
    case TOKEN_DOT:
    case TOKEN_NAME: {
        model_expression *e = parse_reference(p);
        return e->kind == EXPRESSION_CALL ? parse_element(p, e, begin) : e;
    }
    case TOKEN_DER:
    case TOKEN_INITIAL: return parse_keyword_call(p);
    case TOKEN_LEFT_PAREN: return parse_parentheses(p);
    case TOKEN_LEFT_BRACE: return parse_element(p, parse_array(p), begin);
    case TOKEN_LEFT_BRACKET: return parse_matrix(p);
    case TOKEN_END:
        if (!p->subscripts) return parse_mistake(p);
        model_next(p);
        return model_new_node(p, EXPRESSION_END, begin);
    default: return parse_mistake(p);
    }
}
