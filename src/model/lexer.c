/* From the text of a model to its tokens. */
#include "model/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct lexer {
    model_reader *r;
    const model_source *source; /* of the reader */
    uint32_t at;                /* the next byte */
    model_span string_of_lines; /* the first string over several lines; {0, 0} if none */
    bool badly_encoded;         /* already reported */
    char *name;                 /* room_for_name() */
    size_t room;
} lexer;

static char byte_at(const lexer *l, uint32_t at)
{
    return at < l->source->length ? l->source->bytes[at] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    /* compilers print names with $ that no author has written */
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static model_token *last_token(const lexer *l)
{
    return l->r->tokens.count ? &l->r->tokens.item[l->r->tokens.count - 1] : NULL;
}

static model_token *push(lexer *l, model_token_kind kind, uint32_t begin)
{
    list_push(l->r->a, &l->r->tokens, ((model_token){.kind = kind, .at = {begin, l->at}}));
    return last_token(l);
}

/* A comment or string that is never closed. The rest of the text is ignored. */
static void open_to_the_end(lexer *l, uint32_t begin, const char *what, const char *closing)
{
    model_error(l->r, (model_span){begin, begin + 1}, "unterminated %s: closing %s is missing",
                NULL, what, closing);
    model_remedy(l->r, "close the %s where it ends", what);
    if (l->string_of_lines.end)
        model_remedy(l->r, "close the %s where it ends, or first the string that begins in line %u",
                     what, model_line_number(l->r, l->string_of_lines));
    l->r->reports.text_ends = begin;
    l->at = l->source->length;
}

static void skip_block_comment(lexer *l)
{
    uint32_t begin = l->at;
    for (l->at += 2; l->at < l->source->length; l->at++) {
        if (byte_at(l, l->at) != '*' || byte_at(l, l->at + 1) != '/') continue;
        l->at += 2;
        return;
    }
    open_to_the_end(l, begin, "comment", "*/");
}

static void skip_line(lexer *l)
{
    while (l->at < l->source->length && byte_at(l, l->at) != '\n' && byte_at(l, l->at) != '\r')
        l->at++;
}

/* White space and comments. */
static void skip(lexer *l)
{
    while (l->at < l->source->length) {
        char c = byte_at(l, l->at), next = byte_at(l, l->at + 1);
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            l->at++;
        } else if (c == '/' && next == '/') {
            skip_line(l);
        } else if (c == '/' && next == '*') {
            skip_block_comment(l);
        } else {
            return;
        }
    }
}

/* Report the first byte in quotes that is not part of a character. Only one report for the whole
 * text. */
static void check_encoding(lexer *l, uint32_t begin, const char *what)
{
    if (l->badly_encoded) return;
    const char *bytes = l->source->bytes;
    uint32_t length, i = begin;
    while (i < l->at && (length = model_character(bytes + i, l->at - i)) > 0) i += length;
    if (i >= l->at) return;
    l->badly_encoded = true;
    model_error(l->r, (model_span){i, i + 1}, "the byte 0x%02X in %s is not UTF-8",
                "save the file as UTF-8", (unsigned)(unsigned char)bytes[i], what);
}

static void lex_string(lexer *l)
{
    uint32_t begin = l->at++;
    bool several_lines = false;
    for (; l->at < l->source->length; l->at++) {
        char c = byte_at(l, l->at);
        several_lines = several_lines || c == '\n';
        if (c == '\\') {
            l->at++;
        } else if (c == '"') {
            l->at++;
            push(l, TOKEN_STRING, begin);
            check_encoding(l, begin, "this string");
            if (several_lines && !l->string_of_lines.end)
                l->string_of_lines = (model_span){begin, l->at};
            return;
        }
    }
    open_to_the_end(l, begin, "string", "quote");
}

/* Room for a name until the next one: most names of a large text come again and again. */
static char *room_for_name(lexer *l, size_t size)
{
    while (l->room < size) l->name = arena_grow(l->r->a, l->name, l->room, 1, &l->room);
    return l->name;
}

/* Push a name. Bytes that are not characters are replaced. */
static void push_name(lexer *l, uint32_t begin, char *name)
{
    size_t length = strlen(name);
    model_clean(name, length);
    push(l, TOKEN_NAME, begin)->name = names_intern(l->r->words, name, length);
}

/* Whether the quote directly follows a name, as in x'. No name may begin there. */
static bool behind_name(const lexer *l, uint32_t begin)
{
    const model_token *last = last_token(l);
    return last && last->kind == TOKEN_NAME && last->at.end == begin;
}

static void check_quoted(lexer *l, uint32_t begin, bool closed)
{
    if (!closed) {
        model_error(l->r, (model_span){begin, begin + 1},
                    "unterminated quoted name: closing ' is missing",
                    "close the name where it ends, on the same line");
    } else if (l->at - begin == 2) {
        model_error(l->r, (model_span){begin, l->at}, "an empty quoted name",
                    "write a name between the quotes; a String has double quotes");
    } else {
        check_encoding(l, begin, "this name");
    }
}

/* 'a.b[1].c' is one name. It keeps its quotes, which distinguish it from the name without them. */
static void lex_quoted_name(lexer *l)
{
    uint32_t begin = l->at++;
    if (behind_name(l, begin)) {
        while (byte_at(l, l->at) == '\'') l->at++;
        model_error(l->r, (model_span){begin, l->at}, "a quote directly after a name",
                    "a derivative is written der(x)");
        return;
    }
    while (l->at < l->source->length && byte_at(l, l->at) != '\'' && byte_at(l, l->at) != '\n')
        l->at += byte_at(l, l->at) == '\\' ? 2 : 1;
    if (l->at > l->source->length) l->at = l->source->length;
    bool closed = byte_at(l, l->at) == '\'';
    l->at += closed;
    check_quoted(l, begin, closed);
    uint32_t length = l->at - begin + !closed;
    char *name = room_for_name(l, (size_t)length + 2);
    text_unquote(name + 1, l->source->bytes + begin, length);
    name[0] = '\'';
    memcpy(name + strlen(name), "'", 2);
    push_name(l, begin, name);
    if (!closed) push(l, TOKEN_SEMICOLON, l->at); /* the name has swallowed it */
}

static void skip_word(lexer *l)
{
    while (is_letter(byte_at(l, l->at)) || is_digit(byte_at(l, l->at))) l->at++;
}

static void lex_name(lexer *l)
{
    uint32_t begin = l->at;
    skip_word(l);
    uint32_t name = names_intern(l->r->words, l->source->bytes + begin, l->at - begin);
    push(l, name < TOKEN_KEYWORDS ? (model_token_kind)name : TOKEN_NAME, begin)->name = name;
}

static void skip_digits(lexer *l)
{
    while (is_digit(byte_at(l, l->at))) l->at++;
}

static void lex_number(lexer *l)
{
    uint32_t begin = l->at;
    skip_digits(l);
    bool whole = true;
    if (byte_at(l, l->at) == '.') {
        whole = false;
        l->at++;
        skip_digits(l);
    }
    if (byte_at(l, l->at) == 'e' || byte_at(l, l->at) == 'E') {
        uint32_t sign = byte_at(l, l->at + 1) == '-' || byte_at(l, l->at + 1) == '+';
        if (is_digit(byte_at(l, l->at + 1 + sign))) {
            whole = false;
            l->at += 1 + sign;
            skip_digits(l);
        }
    }
    double value = 1;
    model_span at = {begin, l->at};
    if (is_letter(byte_at(l, l->at))) {
        skip_word(l);
        model_error(l->r, (model_span){begin, l->at}, "a name directly after a number",
                    "a product is written with *; names begin with a letter");
    } else if (!model_parse_number(l->r->a, l->source->bytes + begin, at.end - at.begin, &value)) {
        model_error(l->r, at, "this number is too large for a double",
                    "the largest double is 1.7976931348623157e308");
    }
    push(l, whole ? TOKEN_WHOLE : TOKEN_NUMBER, begin)->number = value;
}

/* Signs of other languages, the token that was probably meant, and how to write it in Modelica. */
typedef struct foreign {
    const char *sign;
    model_token_kind meant;
    const char *remedy;
} foreign;

static const foreign foreign_signs[] = {
    {"**", TOKEN_POWER, "a power is written ^"},
    {"!=", TOKEN_UNEQUAL, "unequal is written <>"},
    {"~=", TOKEN_UNEQUAL, "unequal is written <>"},
    {"&&", TOKEN_AND, "a logical and is written 'and'"},
    {"||", TOKEN_OR, "a logical or is written 'or'"},
    {"&", TOKEN_AND, "a logical and is written 'and'"},
    {"|", TOKEN_OR, "a logical or is written 'or'"},
    {"!", TOKEN_NOT, "a logical not is written 'not'"},
    {"%", TOKEN_TIMES, "a remainder is written mod(a, b) or rem(a, b); a comment begins with //"},
    {"#", TOKEN_TEXT_END, "a comment begins with //"},
};

static bool starts_with(const lexer *l, const char *sign)
{
    size_t length = strlen(sign);
    return l->source->length - l->at >= length &&
           memcmp(l->source->bytes + l->at, sign, length) == 0;
}

static bool lex_foreign_sign(lexer *l)
{
    for (size_t i = 0; i < sizeof foreign_signs / sizeof *foreign_signs; i++) {
        const foreign *f = &foreign_signs[i];
        if (!starts_with(l, f->sign)) continue;
        uint32_t begin = l->at;
        l->at += (uint32_t)strlen(f->sign);
        model_error(l->r, (model_span){begin, l->at}, "%s is not an operator", f->remedy, f->sign);
        if (f->meant != TOKEN_TEXT_END)
            push(l, f->meant, begin);
        else
            skip_line(l);
        return true;
    }
    return false;
}

static bool lex_sign(lexer *l)
{
    static const struct {
        const char *spelling;
        model_token_kind kind;
    } sign[] = {
#define SIGN(token, letters) {letters, TOKEN_##token},
#include "model/tokens.def"
#undef SIGN
    };
    char first = byte_at(l, l->at), second = byte_at(l, l->at + 1);
    for (size_t i = 0; i < sizeof sign / sizeof *sign; i++) {
        const char *s = sign[i].spelling;
        if (s[0] != first || (s[1] && s[1] != second)) continue;
        uint32_t begin = l->at;
        l->at += s[1] ? 2 : 1;
        push(l, sign[i].kind, begin);
        return true;
    }
    return false;
}

/* A byte that cannot begin a token, with the bytes of its kind that follow. */
static void lex_unknown(lexer *l)
{
    uint32_t begin = l->at++;
    if ((unsigned char)byte_at(l, begin) < 0x80) { /* an operator was meant */
        push(l, TOKEN_PLUS, begin);
        model_error(l->r, (model_span){begin, l->at}, "unexpected character",
                    "operators are + - * / ^ and those with a dot, as in .*");
        return;
    }
    while (l->at < l->source->length && (unsigned char)byte_at(l, l->at) >= 0x80) l->at++;
    skip_word(l);
    char *name = room_for_name(l, l->at - begin + (size_t)1);
    memcpy(name, l->source->bytes + begin, l->at - begin);
    name[l->at - begin] = '\0';
    push_name(l, begin, name);
    model_error(l->r, (model_span){begin, l->at}, "unexpected character%s",
                "names consist of the letters a-z and A-Z, digits and _; any other character needs "
                "quotes, as in 'w\xC3\xA4rme'",
                l->at - begin <= 2 ? "" : "s");
}

/* .5 is not a number in Modelica. It is read as 0.5, so that no other error follows. */
static void lex_bare_fraction(lexer *l)
{
    uint32_t begin = l->at++;
    lex_number(l);
    model_token *number = last_token(l);
    number->kind = TOKEN_NUMBER;
    number->at.begin = begin;
    model_error(l->r, number->at, "a number begins with a digit", NULL);
    model_remedy(l->r, "write 0%.*s", (int)(number->at.end - begin), l->source->bytes + begin);
}

static bool ends_operand(const model_token *t)
{
    return t && (t->kind == TOKEN_NAME || t->kind == TOKEN_RIGHT_BRACKET ||
                 t->kind == TOKEN_RIGHT_PAREN);
}

static void lex_token(lexer *l)
{
    char c = byte_at(l, l->at);
    if (is_letter(c))
        lex_name(l);
    else if (is_digit(c))
        lex_number(l);
    else if (c == '"')
        lex_string(l);
    else if (c == '\'')
        lex_quoted_name(l);
    else if (c == '.' && is_digit(byte_at(l, l->at + 1)) && !ends_operand(last_token(l)))
        lex_bare_fraction(l);
    else if ((starts_with(l, "**") || !lex_sign(l)) && !lex_foreign_sign(l))
        lex_unknown(l);
}

void model_lex(model_reader *r)
{
    lexer l = {.r = r, .source = &r->source};
    if (!r->words) r->words = names_create(r->a); /* texts of one hierarchical model share it */
#define KEYWORD(kind, spelling) names_intern(r->words, spelling, strlen(spelling));
#include "model/tokens.def"
#undef KEYWORD
    for (skip(&l); l.at < l.source->length; skip(&l)) lex_token(&l);
    uint32_t end = r->reports.text_ends < l.at ? r->reports.text_ends : l.at;
    push(&l, TOKEN_TEXT_END, end); /* twice, so that the parser can look one token ahead */
    push(&l, TOKEN_TEXT_END, end);
}

/* Numbers from their digits, correctly rounded, independent of the decimal point of the locale. */

/* State while the digits of a number are scanned. */
typedef struct scanned {
    double mantissa; /* of the first 15 significant digits, without the point */
    int significant; /* number of digits, without leading zeros */
    long exponent;   /* power of ten for all digits as a whole number */
} scanned;

static size_t scan_digits(const char *string, size_t i, size_t length, scanned *s)
{
    for (; i < length && is_digit(string[i]); i++) {
        if (s->significant || string[i] != '0') s->significant++;
        if (s->significant <= 15) s->mantissa = 10 * s->mantissa + (string[i] - '0');
    }
    return i;
}

/* Read the bytes from `i` on as an exponent; false if they are not one. */
static bool scan_exponent(const char *string, size_t i, size_t length, scanned *s)
{
    if (i == length) return true;
    if (string[i] != 'e' && string[i] != 'E') return false;
    bool minus = ++i < length && string[i] == '-';
    if (i < length && (string[i] == '-' || string[i] == '+')) i++;
    if (i == length) return false;
    long exponent = 0;
    for (; i < length && is_digit(string[i]); i++)
        if (exponent < 100000000) exponent = 10 * exponent + (string[i] - '0');
    s->exponent += minus ? -exponent : exponent;
    return i == length;
}

/* strtod() of the digits without their point, because the locale may have another decimal point. */
static double round_digits(arena *a, const char *string, size_t length, long exponent)
{
    char *digits = arena_array(a, length + 24, 1), *to = digits;
    for (size_t i = 0; i < length && (is_digit(string[i]) || string[i] == '.'); i++)
        if (string[i] != '.') *to++ = string[i];
    return strtod(arena_format(a, "%se%ld", digits, exponent), NULL);
}

bool model_parse_number(arena *a, const char *string, size_t length, double *value)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { EXACT_POWERS = sizeof ten / sizeof *ten };
    scanned s = {0};
    size_t whole = scan_digits(string, 0, length, &s), i = whole;
    if (i < length && string[i] == '.') {
        i = scan_digits(string, i + 1, length, &s);
        s.exponent = -(long)(i - whole - 1);
    }
    if (whole == 0 && s.exponent == 0) return false; /* no digit at all */
    if (!scan_exponent(string, i, length, &s)) return false;
    if (s.significant > 15 || labs(s.exponent) >= EXACT_POWERS)
        *value = round_digits(a, string, length, s.exponent);
    else /* both numbers are exact, so that one rounding is the right one (Clinger 1990) */
        *value = s.exponent < 0 ? s.mantissa / ten[-s.exponent] : s.mantissa * ten[s.exponent];
    return isfinite(*value);
}
