/* external "C" y = f(x, n); and what annotations say of the derivatives of a function (Modelica
 * 3.6, Secs. 12.9 and 12.7.1). */
#include "model/parser.h"

#include <string.h>

/* f(x, n) after the result, if there is one */
static void parse_external_call(model_parser *p, model_external *x)
{
    x->function_at = p->token->at;
    x->function = model_name(p, "of the function");
    model_expect(p, TOKEN_LEFT_PAREN, "after the name of the external function");
    while (!p->panic && !model_at(p, TOKEN_RIGHT_PAREN)) {
        list_push(p->r->a, &x->argument, model_parse_expression(p));
        if (!model_accept(p, TOKEN_COMMA)) break;
    }
    model_expect(p, TOKEN_RIGHT_PAREN, "after the arguments");
}

void model_parse_external(model_parser *p, model_class *c)
{
    model_external *x = arena_take(p->r->a, sizeof *x);
    *x = (model_external){.at = p->token->at, .function = NAMES_NONE, .language = "C"};
    c->external = x;
    model_next(p);
    if (model_at(p, TOKEN_STRING)) {
        model_span at = p->token->at;
        x->language = model_unquote(p->r->a, p->r->source.bytes + at.begin, at.end - at.begin);
        model_next(p);
    }
    if (model_at(p, TOKEN_NAME)) {
        bool result = p->token[1].kind != TOKEN_LEFT_PAREN;
        if (result) x->result = model_parse_operand(p);
        if (result) model_expect(p, TOKEN_EQUALS, "after the result of the external function");
        if (!p->panic) parse_external_call(p, x);
    }
    model_skip_comment(p);
    model_semicolon(p, "the external function");
}

/* derivative(order = 2, noDerivative = x) = df, or derivative = df. False: it is none. */
static bool parse_rate(model_parser *p, model_class *c)
{
    model_rate *rate = arena_take(p->r->a, sizeof *rate);
    rate->at = p->token->at;
    model_next(p);
    if (model_at(p, TOKEN_LEFT_PAREN)) model_parse_modifiers(p, &rate->option);
    if (!model_accept(p, TOKEN_EQUALS)) return false;
    if (!model_at(p, TOKEN_NAME)) return false;
    model_parse_path(p, &rate->function);
    if (!p->panic) list_push(p->r->a, &c->rate, rate);
    return true;
}

void model_parse_rates(model_parser *p, const model_token *begin, model_class *c)
{
    const model_token *after = p->token;
    int depth = 0;
    for (const model_token *t = begin; t < after && !p->panic; t++) {
        depth += (t->kind == TOKEN_LEFT_PAREN) - (t->kind == TOKEN_RIGHT_PAREN);
        bool named = depth == 1 && t->kind == TOKEN_NAME &&
                     strcmp(names_string(p->r->words, t->name), "derivative") == 0;
        if (!named) continue;
        p->token = t;
        parse_rate(p, c);
        p->panic = false;
        p->token = after;
    }
}
