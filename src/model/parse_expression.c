#include "model/parser.h"

#include <string.h>

static model_expression *parse_level(model_parser *p, model_level lowest);

/* The level and the sign of an operator between two operands; false for any other token. */
static bool binary(model_token_kind kind, model_level *l, uint8_t *sign)
{
    static const struct {
        uint8_t level, sign;
    } row[TOKEN_TEXT_END + 1] = {
        [TOKEN_PLUS] = {LEVEL_SUM, SIGN_PLUS},
        [TOKEN_MINUS] = {LEVEL_SUM, SIGN_MINUS},
        [TOKEN_TIMES] = {LEVEL_PRODUCT, SIGN_TIMES},
        [TOKEN_DIVIDE] = {LEVEL_PRODUCT, SIGN_DIVIDE},
        [TOKEN_POWER] = {LEVEL_POWER, SIGN_POWER},
        [TOKEN_DOT_PLUS] = {LEVEL_SUM, SIGN_PLUS | SIGN_ELEMENTWISE},
        [TOKEN_DOT_MINUS] = {LEVEL_SUM, SIGN_MINUS | SIGN_ELEMENTWISE},
        [TOKEN_DOT_TIMES] = {LEVEL_PRODUCT, SIGN_TIMES | SIGN_ELEMENTWISE},
        [TOKEN_DOT_DIVIDE] = {LEVEL_PRODUCT, SIGN_DIVIDE | SIGN_ELEMENTWISE},
        [TOKEN_DOT_POWER] = {LEVEL_POWER, SIGN_POWER | SIGN_ELEMENTWISE},
        [TOKEN_LESS] = {LEVEL_RELATION, SIGN_LESS},
        [TOKEN_LESS_EQUAL] = {LEVEL_RELATION, SIGN_LESS_EQUAL},
        [TOKEN_GREATER] = {LEVEL_RELATION, SIGN_GREATER},
        [TOKEN_GREATER_EQUAL] = {LEVEL_RELATION, SIGN_GREATER_EQUAL},
        [TOKEN_EQUAL] = {LEVEL_RELATION, SIGN_EQUAL},
        [TOKEN_UNEQUAL] = {LEVEL_RELATION, SIGN_UNEQUAL},
        [TOKEN_AND] = {LEVEL_AND, 0},
        [TOKEN_OR] = {LEVEL_OR, 0},
    };
    *l = (model_level)row[kind].level;
    *sign = row[kind].sign;
    return *l >= LEVEL_OR;
}

/* A chain of operands of one level. The first one and its sign are already read. */
static model_expression *parse_chain(model_parser *p, model_expression *first, uint8_t first_sign,
                                     model_level chain)
{
    size_t base = p->operand.count, signs = p->sign.count;
    model_push_operand(p, first);
    list_push(p->r->a, &p->sign, first_sign);
    model_level l;
    uint8_t sign;
    while (!p->panic && binary(p->token->kind, &l, &sign) && l == chain) {
        model_next(p);
        list_push(p->r->a, &p->sign, sign);
        model_push_operand(p, parse_level(p, chain + 1));
    }
    model_expression *e = model_close_node(p,
                                           chain == LEVEL_OR    ? EXPRESSION_OR
                                           : chain == LEVEL_AND ? EXPRESSION_AND
                                           : chain == LEVEL_SUM ? EXPRESSION_SUM
                                                                : EXPRESSION_PRODUCT,
                                           first->at, base);
    e->sign = arena_duplicate(p->r->a, p->sign.item + signs, e->count, 1);
    p->sign.count = signs;
    return e;
}

/* left ^ right, left < right: operators that do not form chains. */
static model_expression *parse_pair(model_parser *p, model_expression *left, model_level pair,
                                    uint8_t sign)
{
    size_t base = p->operand.count;
    model_span sign_at = p->token->at;
    model_next(p);
    model_push_operand(p, left);
    model_push_operand(p, parse_level(p, pair + 1));
    model_expression *e = model_close_node(
        p, pair == LEVEL_POWER ? EXPRESSION_POWER : EXPRESSION_RELATION, left->at, base);
    e->sign = arena_duplicate(p->r->a, &sign, 1, 1);
    p->relation = sign_at;
    uint8_t next;
    model_level l;
    if (!p->panic && binary(p->token->kind, &l, &next) && l == pair) {
        model_panic(p);
        model_error(p->r, p->token->at, "%s",
                    pair == LEVEL_POWER ? "write (a^b)^c or a^(b^c)" : "write a < b and b < c",
                    pair == LEVEL_POWER ? "a power of a power needs parentheses"
                                        : "relations cannot be chained");
    }
    return e;
}

/* -a, +a and not a, where their level is allowed. */
static model_expression *parse_prefix(model_parser *p, model_level lowest)
{
    uint8_t sign = 0;
    model_level l = LEVEL_NOT;
    model_span begin = p->token->at;
    bool signs = !model_at(p, TOKEN_NOT);
    if (signs && (p->panic || !binary(p->token->kind, &l, &sign) || l != LEVEL_SUM))
        return model_parse_operand(p);
    if (lowest > l) {
        if (model_panic(p))
            model_error(p->r, begin, "%s needs parentheses here",
                        signs ? "write a*(-b), a + (-b), a^(-b)" : "write (not a)",
                        signs ? "a sign" : "not");
        return model_new_node(p, EXPRESSION_NONE, begin);
    }
    model_next(p);
    if (signs) {
        model_expression *chain = parse_chain(p, parse_level(p, LEVEL_PRODUCT), sign, LEVEL_SUM);
        chain->at.begin = begin.begin;
        return chain;
    }
    size_t base = p->operand.count;
    model_push_operand(p, parse_level(p, LEVEL_RELATION));
    return model_close_node(p, EXPRESSION_NOT, begin, base);
}

/* Operands and the operators between them that bind at least as tightly as `lowest`. */
static model_expression *parse_level(model_parser *p, model_level lowest)
{
    model_expression *left = parse_prefix(p, lowest);
    for (;;) {
        model_level l;
        uint8_t sign;
        if (p->panic || !binary(p->token->kind, &l, &sign) || l < lowest) return left;
        if (l == LEVEL_POWER || l == LEVEL_RELATION)
            left = parse_pair(p, left, l, sign);
        else
            left = parse_chain(p, left, l == LEVEL_PRODUCT ? SIGN_TIMES : SIGN_PLUS, l);
    }
}

/* if c then a elseif d then b else e, and the same with `else if`: one flat node. */
static model_expression *parse_if(model_parser *p)
{
    size_t base = p->operand.count;
    model_span begin = p->token->at;
    bool more = true;
    while (more && !p->panic) {
        model_next(p); /* if, elseif */
        model_push_operand(p, model_parse_expression(p));
        model_expect(p, TOKEN_THEN, "after the condition");
        model_push_operand(p, model_parse_expression(p));
        more = model_at(p, TOKEN_ELSEIF);
        if (model_at(p, TOKEN_ELSE) && p->token[1].kind == TOKEN_IF) {
            model_next(p);
            more = true;
        }
    }
    if (!p->panic && !model_at(p, TOKEN_ELSE)) {
        model_panic(p);
        model_error(p->r, begin, "this if-expression has no else",
                    "an if-expression needs a value in every case: if ... then ... else ...");
    }
    model_accept(p, TOKEN_ELSE);
    model_push_operand(p, model_parse_expression(p));
    return model_close_node(p, EXPRESSION_IF, begin, base);
}

static model_expression *parse_range(model_parser *p)
{
    model_span begin = p->token->at;
    model_expression *first = parse_level(p, LEVEL_OR);
    if (!model_at(p, TOKEN_COLON)) return first;
    size_t base = p->operand.count;
    model_push_operand(p, first);
    while (p->operand.count < base + 3 && model_accept(p, TOKEN_COLON))
        model_push_operand(p, parse_level(p, LEVEL_OR));
    return model_close_node(p, EXPRESSION_RANGE, begin, base);
}

model_expression *model_parse_expression(model_parser *p)
{
    if (p->panic) return model_new_node(p, EXPRESSION_NONE, p->token->at);
    model_expression *e;
    if (!model_enter(p))
        e = model_new_node(p, EXPRESSION_NONE, p->token->at);
    else
        e = model_at(p, TOKEN_IF) ? parse_if(p) : parse_range(p);
    p->depth--;
    return e;
}

model_expression *model_parse_side(model_parser *p, bool tuple)
{
    p->tuple = tuple && model_at(p, TOKEN_LEFT_PAREN);
    return model_parse_expression(p);
}
