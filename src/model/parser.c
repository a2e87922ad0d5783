#include "model/parser.h"

#include <string.h>

bool model_at(const model_parser *p, model_token_kind kind)
{
    return !p->panic && p->token->kind == kind;
}

void model_next(model_parser *p)
{
    if (p->token->kind != TOKEN_TEXT_END) p->token++;
}

bool model_accept(model_parser *p, model_token_kind kind)
{
    if (!model_at(p, kind)) return false;
    model_next(p);
    return true;
}

model_span model_previous(const model_parser *p)
{
    return p->token > p->r->tokens.item ? p->token[-1].at : (model_span){0, 0};
}

model_span model_since(const model_parser *p, model_span begin)
{
    model_span last = model_previous(p);
    return last.end > begin.begin ? model_join(begin, last) : begin;
}

bool model_panic(model_parser *p)
{
    bool first = !p->panic;
    p->panic = true;
    return first;
}

const char *model_found(const model_parser *p)
{
    const model_token *t = p->token;
    bool written = t->kind == TOKEN_NAME || t->kind == TOKEN_NUMBER || t->kind == TOKEN_WHOLE;
    if (!written) return model_token_name(t->kind);
    return model_excerpt(p->r, t->at);
}

static bool on_new_line(const model_parser *p)
{
    const model_source *s = &p->r->source;
    return model_line(s, model_previous(p).end) != model_line(s, p->token->at.begin);
}

/* How to write the expected token. */
static const char *form_of(model_token_kind expected)
{
    switch (expected) {
    case TOKEN_LEFT_PAREN: return "arguments are written in parentheses";
    case TOKEN_RIGHT_PAREN:
        return "close the parenthesis; operands are joined by operators, arguments by commas";
    case TOKEN_RIGHT_BRACKET:
    case TOKEN_RIGHT_BRACE: return "close the bracket; elements are separated by commas";
    case TOKEN_THEN: return "an if is written: if condition then ... else ...";
    case TOKEN_IN:
    case TOKEN_LOOP: return "a for is written: for i in 1:n loop ... end for;";
    case TOKEN_SEMICOLON: return "each declaration and each equation ends with ';'";
    default: return NULL;
    }
}

/* Whether an operand directly follows another one on the same line. */
static bool lacks_operator(const model_parser *p)
{
    model_token_kind kind = p->token->kind;
    bool operand = kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == TOKEN_WHOLE ||
                   kind == TOKEN_LEFT_PAREN || kind == TOKEN_DER;
    return operand && !on_new_line(p);
}

/* Whether the comma that is the next or the last token may be meant as a decimal point. If so, add
 * that as remedy. */
static bool hint_point(model_parser *p)
{
    const model_token *t = p->token->kind == TOKEN_COMMA ? p->token : p->token - 1;
    if (t <= p->r->tokens.item || t->kind != TOKEN_COMMA || t[-1].kind != TOKEN_WHOLE) return false;
    if (t[1].kind != TOKEN_WHOLE && t[1].kind != TOKEN_NUMBER) return false;
    if (t[-1].at.end != t->at.begin || t->at.end != t[1].at.begin) return false;
    model_remedy(p->r, "a number is written with a point: %s.%s", model_excerpt(p->r, t[-1].at),
                 model_excerpt(p->r, t[1].at));
    return true;
}

/* Add a remedy: what the next token, which does not fit, may have meant, or else how to write the
 * missing token. */
static void hint(model_parser *p, model_token_kind expected)
{
    if (hint_point(p)) return;
    const char *form = form_of(expected);
    if (form) model_remedy(p->r, "%s", form);
    switch (p->token->kind) {
    case TOKEN_ASSIGN:
        model_remedy(
            p->r,
            "an equation is written with =; assignments with := belong in an algorithm section");
        break;
    case TOKEN_EQUALS: model_remedy(p->r, "equality is compared with =="); break;
    case TOKEN_EQUAL: model_remedy(p->r, "an equation is written with ="); break;
    default:
        if (expected == TOKEN_SEMICOLON && lacks_operator(p))
            model_remedy(p->r, "end it with ';', or write an operator such as * in between");
    }
}

model_span model_behind(const model_parser *p)
{
    bool open = p->token->kind == TOKEN_TEXT_END && p->r->reports.text_ends <= p->token->at.begin;
    uint32_t end = open ? p->token->at.begin : model_previous(p).end;
    return (model_span){end, end + 1};
}

/* The place of a missing token: at the next token, or after the last one if that ends its line. */
static model_span missing_at(const model_parser *p)
{
    return p->token > p->r->tokens.item && on_new_line(p) ? model_behind(p) : p->token->at;
}

bool model_expect(model_parser *p, model_token_kind kind, const char *where)
{
    if (model_accept(p, kind)) return true;
    if (model_panic(p)) {
        model_error(p->r, missing_at(p), "expected %s%s%s, found %s", NULL, model_token_name(kind),
                    where ? " " : "", where ? where : "", model_found(p));
        hint(p, kind);
    }
    return false;
}

void model_unexpected(model_parser *p, const char *what)
{
    if (!model_panic(p)) return;
    model_error(p->r, p->token->at, "expected %s, found %s", NULL, what, model_found(p));
    hint(p, TOKEN_TEXT_END);
}

void model_semicolon(model_parser *p, const char *what)
{
    if (p->panic || model_accept(p, TOKEN_SEMICOLON)) return;
    model_error(p->r, model_behind(p), "expected ';' after %s, found %s", NULL, what,
                model_found(p));
    hint(p, TOKEN_SEMICOLON);
    if (!on_new_line(p) && !model_ends_section(p)) p->panic = true;
}

bool model_ends_section(const model_parser *p)
{
    switch (p->token->kind) {
    case TOKEN_EQUATION:
    case TOKEN_ALGORITHM:
    case TOKEN_PUBLIC:
    case TOKEN_PROTECTED:
    case TOKEN_END:
    case TOKEN_TEXT_END: return true;
    case TOKEN_INITIAL:
        return p->token[1].kind == TOKEN_EQUATION || p->token[1].kind == TOKEN_ALGORITHM;
    default: return false;
    }
}

/* Whether an else begins a line inside a block, and so does not belong to an if-expression. */
static bool begins_branch(const model_parser *p)
{
    model_token_kind kind = p->token->kind;
    bool other = kind == TOKEN_ELSE || kind == TOKEN_ELSEIF || kind == TOKEN_ELSEWHEN;
    return other && p->block && on_new_line(p);
}

void model_recover(model_parser *p)
{
    if (!p->panic) return;
    const model_token *begin = p->token;
    while (!model_ends_section(p) && p->token->kind != TOKEN_SEMICOLON &&
           (p->token == begin || !begins_branch(p)))
        model_next(p);
    p->panic = false;
    model_accept(p, TOKEN_SEMICOLON);
}

uint32_t model_name(model_parser *p, const char *where)
{
    if (p->panic) return NAMES_NONE;
    const model_token *t = p->token;
    if (t->kind == TOKEN_NAME || (t->kind < TOKEN_KEYWORDS && p->misnamed[t->kind])) {
        model_next(p);
        return t->name;
    }
    bool begins = t->kind == TOKEN_END || t->kind == TOKEN_EQUATION || t->kind == TOKEN_ALGORITHM;
    if (t->kind < TOKEN_KEYWORDS && !begins) {
        model_error(p->r, t->at, "%s is a keyword and cannot be a name", NULL,
                    names_string(p->r->words, t->kind));
        model_remedy(p->r, "choose another name, or quote it: '%s'",
                     names_string(p->r->words, t->kind));
        p->misnamed[t->kind] = true;
        model_next(p);
        return t->name;
    }
    if (model_panic(p)) {
        model_error(p->r, missing_at(p), "expected a name%s%s, found %s",
                    "a name consists of letters, digits and _; any other name needs quotes",
                    where ? " " : "", where ? where : "", model_found(p));
        if (t->kind == TOKEN_EQUALS)
            model_remedy(p->r, "equations come after the keyword 'equation'");
        hint_point(p);
    }
    return NAMES_NONE;
}

void model_refuse_structure(model_parser *p, model_span at, const char *what, const char *remedy)
{
    if (p->r->hierarchical) {
        model_unsupported refused = {.what = what, .remedy = remedy, .at = at};
        if (p->open_class) list_push(p->r->a, &p->open_class->parsed->refused, refused);
        return;
    }
    p->r->structure = MODEL_STRUCTURED;
    model_refuse(p->r, at, what, "%s is not supported yet", remedy, what);
}

bool model_enter(model_parser *p)
{
    p->depth++;
    if (p->depth <= MODEL_DEEPEST) return true;
    if (model_panic(p)) { /* the rest is not read */
        model_span at = p->token->at;
        model_error(p->r, at, "nested more than %d levels deep", NULL, MODEL_DEEPEST);
        p->r->reports.text_ends = at.begin;
        p->token = &p->r->tokens.item[p->r->tokens.count - 2];
    }
    return false;
}
