/* Equations and statements. One parser reads both, because their blocks are alike. */
#include "model/parser.h"

#include <string.h>

model_clause_kind model_block_kind(const model_token *t)
{
    switch (t->kind) {
    case TOKEN_IF: return CLAUSE_IF;
    case TOKEN_FOR: return CLAUSE_FOR;
    case TOKEN_WHEN: return CLAUSE_WHEN;
    case TOKEN_WHILE: return CLAUSE_WHILE;
    default: return CLAUSE_EQUATION;
    }
}

/* Read `end if;` or the like. */
static void skip_end(model_parser *p)
{
    model_next(p);
    model_next(p);
    model_semicolon(p, "the end of a block");
}

static void close_block(model_parser *p, const model_block *block)
{
    const char *keyword = names_string(p->r->words, block->keyword);
    if (p->panic) return;
    const model_token *t = p->token;
    if (model_at(p, TOKEN_END) && t[1].kind == block->keyword) {
        skip_end(p);
        return;
    }
    bool other_end = t->kind == TOKEN_END && t[1].kind != TOKEN_TEXT_END;
    model_span found = other_end ? model_join(t->at, t[1].at) : t->at;
    model_error(p->r, found, "expected 'end %s' before %s", NULL, keyword,
                other_end ? arena_format(p->r->a, "'%s'", model_excerpt(p->r, found))
                          : model_token_name(t->kind));
    model_remedy(p->r, "the '%s' of line %u is still open", keyword,
                 model_line_number(p->r, block->at));
    bool misspelt = t->kind == TOKEN_END && model_block_kind(&t[1]) != CLAUSE_EQUATION;
    for (const model_block *b = block->outer; b; b = b->outer)
        misspelt = misspelt && b->keyword != t[1].kind;
    if (misspelt) skip_end(p); /* else it ends something else */
}

/* A branch `keyword condition word` with its body, up to the end or an else; an else has neither a
 * condition nor a word. */
static void parse_branch(model_parser *p, model_clause *c, bool algorithm, model_token_kind word)
{
    model_branch branch = {.at = p->token->at};
    bool otherwise = model_at(p, TOKEN_ELSE);
    model_next(p);
    if (c->kind == CLAUSE_FOR)
        model_parse_iterators(p, &c->iterator);
    else if (!otherwise)
        branch.condition = model_parse_expression(p);
    if (!otherwise)
        model_expect(p, word, c->kind == CLAUSE_FOR ? "after the range" : "after the condition");
    model_recover(p);
    list_push(p->r->a, &c->branch, branch);
    model_parse_clauses(p, algorithm, &c->branch.item[c->branch.count - 1].body);
}

static void parse_branches(model_parser *p, model_clause *c, bool algorithm)
{
    model_token_kind again = c->kind == CLAUSE_IF ? TOKEN_ELSEIF : TOKEN_ELSEWHEN;
    do parse_branch(p, c, algorithm, TOKEN_THEN);
    while (model_at(p, again));
    if (!model_at(p, TOKEN_ELSE)) return;
    if (c->kind == CLAUSE_WHEN)
        model_error(p->r, p->token->at, "a when has no else",
                    "write another condition with elsewhen");
    parse_branch(p, c, algorithm, TOKEN_THEN);
}

static void parse_block(model_parser *p, model_clause *c, bool algorithm)
{
    model_block block = {.keyword = p->token->kind, .at = p->token->at, .outer = p->block};
    p->block = &block;
    if (model_enter(p)) {
        if (c->kind == CLAUSE_IF || c->kind == CLAUSE_WHEN)
            parse_branches(p, c, algorithm);
        else
            parse_branch(p, c, algorithm, TOKEN_LOOP);
        close_block(p, &block);
    }
    p->depth--;
    p->block = block.outer;
}

/* left = right in an equation section, left := right in an algorithm section, or a call. */
static void parse_simple(model_parser *p, model_clause *c, bool algorithm)
{
    c->left = model_parse_side(p, true);
    c->at = c->left->at;
    model_token_kind due = algorithm ? TOKEN_ASSIGN : TOKEN_EQUALS;
    model_token_kind wrong = algorithm ? TOKEN_EQUALS : TOKEN_ASSIGN;
    if (model_at(p, TOKEN_STRING) && (p->token[1].kind == due || p->token[1].kind == wrong)) {
        model_error(p->r, p->token->at, "a description stands before the %s",
                    "it comes last: left side = right side \"description\";",
                    model_token_name(p->token[1].kind));
        model_next(p);
    }
    if (model_at(p, wrong))
        model_error(p->r, p->token->at, "expected %s, found %s",
                    algorithm ? "an assignment is written with :="
                              : "an equation is written with =; assignments with := belong "
                                "into an algorithm section",
                    model_token_name(due), model_token_name(wrong));
    if (model_accept(p, due) || model_accept(p, wrong)) {
        c->kind = algorithm ? CLAUSE_ASSIGNMENT : CLAUSE_EQUATION;
        c->right = model_parse_side(p, c->left->kind == EXPRESSION_TUPLE);
        c->at = model_join(c->left->at, c->right->at);
    } else if (c->left->kind == EXPRESSION_CALL) {
        c->kind = CLAUSE_CALL;
    } else if (model_panic(p)) {
        bool compared = c->left->kind == EXPRESSION_RELATION && c->left->sign[0] == SIGN_EQUAL;
        model_error(p->r, compared ? p->relation : model_behind(p), "expected %s%s",
                    compared    ? "an equation is written with a single ="
                    : algorithm ? "an assignment is written: variable := expression"
                                : "an equation is written: left side = right side",
                    model_token_name(due), compared ? ", found '=='" : " in this equation");
    }
}

/* connect(a, b): a flat model has none */
static void parse_connect(model_parser *p, model_clause *c)
{
    p->r->structure = MODEL_STRUCTURED;
    c->kind = CLAUSE_CONNECT;
    if (!p->r->hierarchical) {
        model_refuse(p->r, p->token->at, NULL, "connect is not supported yet",
                     "flatten the model first, so that its connections become equations");
        model_next(p);
        model_skip_parentheses(p);
        return;
    }
    model_next(p);
    model_expect(p, TOKEN_LEFT_PAREN, "after connect");
    c->left = model_parse_expression(p);
    model_expect(p, TOKEN_COMMA, "between the two connectors");
    c->right = model_parse_expression(p);
    model_expect(p, TOKEN_RIGHT_PAREN, "after the connectors");
    c->at = model_since(p, c->at);
    const model_expression *wrong = c->left->kind != EXPRESSION_REFERENCE ? c->left : c->right;
    if (!p->panic && wrong->kind != EXPRESSION_REFERENCE)
        model_error(p->r, wrong->at, "%s is not the name of a connector",
                    "a connection is written connect(a.p, b.n)", model_excerpt(p->r, wrong->at));
}

/* Whether the comment that comes next is that of a flow of a flattened text which is 0 because
 * nothing is connected. */
static bool says_unconnected(const model_parser *p)
{
    static const char said[] = "\"" MODEL_UNCONNECTED "\"";
    bool fits = model_at(p, TOKEN_STRING) && p->token->at.end - p->token->at.begin == strlen(said);
    return fits && strcmp(model_excerpt(p->r, p->token->at), said) == 0;
}

static void parse_clause(model_parser *p, bool algorithm, model_clauses *list)
{
    model_clause *c = arena_take(p->r->a, sizeof *c);
    c->at = p->token->at;
    c->kind = model_block_kind(p->token);
    if (c->kind != CLAUSE_EQUATION) {
        parse_block(p, c, algorithm);
        list_push(p->r->a, list, c);
        return;
    }
    if (model_at(p, TOKEN_CONNECT)) {
        parse_connect(p, c);
        if (p->r->hierarchical && !p->panic) list_push(p->r->a, list, c);
    } else if (algorithm && (model_at(p, TOKEN_BREAK) || model_at(p, TOKEN_RETURN))) {
        c->kind = model_at(p, TOKEN_BREAK) ? CLAUSE_BREAK : CLAUSE_RETURN;
        model_next(p);
        list_push(p->r->a, list, c);
    } else {
        parse_simple(p, c, algorithm);
        if (!p->panic) list_push(p->r->a, list, c);
    }
    c->unconnected = says_unconnected(p);
    model_parse_comment(p, c->at);
    model_semicolon(p, algorithm ? "the statement" : "the equation");
}

static bool is_else(const model_parser *p)
{
    return model_at(p, TOKEN_ELSE) || model_at(p, TOKEN_ELSEIF) || model_at(p, TOKEN_ELSEWHEN);
}

static bool ends_clauses(const model_parser *p)
{
    bool last = model_at(p, TOKEN_ANNOTATION) || model_at(p, TOKEN_EXTERNAL);
    return model_ends_section(p) || (p->block && is_else(p)) || (!p->block && last);
}

/* An `end if;` or the like without an open block. */
bool model_stray_end(model_parser *p)
{
    const model_token *t = p->token;
    bool block = model_at(p, TOKEN_END) && model_block_kind(&t[1]) != CLAUSE_EQUATION;
    if (!block || p->block || p->misnamed[t[1].kind]) return false;
    model_error(p->r, model_join(t->at, t[1].at), "end %s without an open '%s'",
                "leave it out, or write the beginning of the block",
                names_string(p->r->words, t[1].kind), names_string(p->r->words, t[1].kind));
    skip_end(p);
    return true;
}

void model_parse_clauses(model_parser *p, bool algorithm, model_clauses *list)
{
    while (model_stray_end(p) || !ends_clauses(p)) {
        if (ends_clauses(p)) continue;
        if (is_else(p)) {
            model_error(p->r, p->token->at, "%s without an if or when before it",
                        "leave it out, or write the beginning of the block",
                        names_string(p->r->words, p->token->kind));
            p->panic = true;
        } else {
            parse_clause(p, algorithm, list);
        }
        model_recover(p);
    }
}
