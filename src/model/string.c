/* Strings (Modelica 3.6, Secs. 3.7.2 and 10.6.8): their values are the numbers of names. Those that
 * are joined or made of numbers are known at reading; what changes is a choice between such ones,
 * or stands in a message (message.c). */
#include "model/string.h"

#include "symbolic/simplify.h"

#include <string.h>

const char *model_text_at(const model_reader *r, sym node)
{
    double number;
    if (!sym_is_number(r->graph, node, &number)) return NULL;
    return names_string(r->words, (uint32_t)number);
}

model_value model_text_value(model_reader *r, const char *string)
{
    return model_number(r, TYPE_STRING, names_intern(r->words, string, strlen(string)));
}

/* --- String(value, ...) --- */

/* The options of a call by their names; the first three by their places, too, of Reals, and the
 * last two of these of other values. */
typedef enum option { SIGNIFICANT, LEAST, LEFT, FORMAT, OPTIONS } option;

static const char *const option_names[OPTIONS] = {"significantDigits", "minimumLength",
                                                  "leftJustified", "format"};

static option option_called(const model_reader *r, uint32_t name)
{
    option k = SIGNIFICANT;
    while (k < OPTIONS && strcmp(option_names[k], names_string(r->words, name)) != 0) k++;
    return k;
}

static bool take_options(model_reader *r, model_expression *call, bool real,
                         model_expression **given)
{
    uint32_t next = real ? SIGNIFICANT : LEAST;
    for (uint32_t i = 1; i < call->count; i++) {
        uint32_t name = call->call->argument[i];
        uint32_t k = name == NAMES_NONE ? next++ : (uint32_t)option_called(r, name);
        bool fits = k < (name == NAMES_NONE ? FORMAT : OPTIONS) && (real || k != SIGNIFICANT);
        if (!fits || given[k]) {
            model_error(r, call->operand[i]->at, "String() %s this argument",
                        "its arguments: a value, significantDigits (of a Real), minimumLength, "
                        "leftJustified; or a value and format",
                        fits ? "has twice" : "does not know");
            return false;
        }
        given[k] = call->operand[i];
    }
    return true;
}

/* A conversion of printf for one value: flags, width, .precision and a letter of `letters`. */
static bool is_conversion(const char *format, const char *letters)
{
    const char *c = format + strspn(format, "-+ #0");
    size_t width = strspn(c, "0123456789");
    c += width;
    size_t precision = *c == '.' ? strspn(c + 1, "0123456789") : 0;
    if (*c == '.') c += 1 + precision;
    return width <= 2 && precision <= 2 && *c && strchr(letters, *c) && c[1] == '\0';
}

static bool take_format(model_reader *r, model_expression *e, sym_word *w)
{
    model_value v = model_evaluate(r, e);
    const char *format = v.type.base == TYPE_STRING && !v.rank ? model_text_at(r, v.one) : NULL;
    bool real = w->kind == SYM_WORD_REAL;
    const char *letters = real ? "eEfFgG" : "dioxXu";
    if (format && format[0] == '%') format++;
    if (!format || w->kind == SYM_WORD_NAME || !is_conversion(format, letters))
        return model_error(r, e->at, "%s is no format of this value",
                           "write a conversion of C without the %%, as \"8.3f\" of a Real, or "
                           "\"5d\" of an Integer",
                           model_shown(r, e));
    w->text = arena_format(r->home, "%%%s", format);
    return true;
}

static bool take_number(model_reader *r, model_expression *e, const char *what, int *number)
{
    long value;
    if (!e) return true;
    if (!model_whole_number(r, e, what, &value)) return false;
    if (value < 0 || value > 99)
        return model_error(r, e->at, "%s is %ld", "it is between 0 and 99", what, value);
    *number = (int)value;
    return true;
}

/* The names of the numbers of a Boolean, or of an enumeration from 1. */
static void take_names(model_reader *r, const model_value *v, sym_word *w)
{
    const model_class *of = v->type.declared;
    w->kind = SYM_WORD_NAME;
    w->names = of ? of->literal.count + 1 : 2;
    const char **name = arena_array(r->home, w->names, sizeof *name);
    for (size_t k = 0; k < w->names; k++) {
        const char *said = !of ? (k ? "true" : "false")
                           : k ? model_spelled(r, of->literal.item[k - 1].name)
                               : "";
        name[k] = arena_copy(r->home, said, strlen(said));
    }
    w->name = name;
}

static bool is_printable(const model_value *v)
{
    return !v->rank && (model_is_numeric(v) || v->type.base == TYPE_BOOLEAN ||
                        v->type.base == TYPE_ENUMERATION);
}

bool model_read_word(model_reader *r, model_expression *call, sym_word *w)
{
    model_expression *given[OPTIONS] = {NULL};
    int digits = 6, left = 1;
    model_value v = model_evaluate(r, call->operand[0]), justified;
    double number;
    if (v.type.base == TYPE_NONE) return false;
    if (!is_printable(&v))
        return model_report_type(r, call->operand[0], &v, "a number, a Boolean or a literal");
    bool real = v.type.base == TYPE_REAL;
    *w = (sym_word){.kind = real ? SYM_WORD_REAL : SYM_WORD_WHOLE, .value = v.one, .left = true};
    if (!model_is_numeric(&v)) take_names(r, &v, w);
    if (!take_options(r, call, real, given) ||
        !take_number(r, given[SIGNIFICANT], "significantDigits", &digits) ||
        !take_number(r, given[LEAST], "minimumLength", &w->least))
        return false;
    if (given[LEFT]) {
        justified = model_evaluate(r, given[LEFT]);
        if (justified.type.base != TYPE_BOOLEAN || !sym_is_number(r->graph, justified.one, &number))
            return model_report_type(r, given[LEFT], &justified, "true or false");
        left = number != 0;
    }
    w->left = left;
    if (given[FORMAT]) return take_format(r, given[FORMAT], w);
    if (w->kind != SYM_WORD_NAME) w->text = real ? arena_format(r->home, "%%.%dg", digits) : "%d";
    return true;
}

const char *model_word_text(model_reader *r, const sym_word *w)
{
    char said[1024]; /* longer than any number, and than names that are no mistake */
    double number;
    text t = {0};
    if (!sym_is_number(r->graph, w->value, &number)) return NULL;
    sym_say(&(sym_said){1, w}, &number, &t);
    text_shorten(&t, sizeof said - 1);
    size_t length = strlen(text_string(&t));
    memcpy(said, text_string(&t), length + 1);
    text_free(&t); /* before memory of the arena, which may be exhausted, is taken */
    return names_string(r->words, names_intern(r->words, said, length));
}

static model_value refuse_changing(model_reader *r, model_span at)
{
    model_refuse(
        r, at, NULL,
        "a String that is made of what changes is not supported outside of the messages of "
        "assert() and terminate()",
        "choose between constant Strings: if b then \"a\" else \"b\"");
    return model_none();
}

model_value model_string(model_reader *r, const model_arguments *a)
{
    sym_word w;
    if (!model_read_word(r, (model_expression *)a->call, &w)) return model_none();
    const char *said = model_word_text(r, &w);
    if (said) return model_text_value(r, said);
    return r->placed ? refuse_changing(r, a->call->at)
                     : model_scalar(TYPE_STRING, model_stand_in(r));
}

/* That of a component is written by the flattening of its model. */
model_value model_instance_name(model_reader *r, const model_arguments *a)
{
    (void)a;
    return model_text_value(r, model_spelled(r, r->model->name));
}

/* --- operators --- */

/* Element k of all operands, joined; NULL: one is not known. */
static const char *join(model_reader *r, uint32_t count, const model_value *v, size_t k)
{
    const char *joined = "";
    for (uint32_t i = 0; i < count; i++) {
        const char *part = model_text_at(r, model_element(&v[i], k));
        if (!part) return NULL;
        joined = arena_format(r->a, "%s%s", joined, part);
    }
    return joined;
}

model_value model_join_texts(model_reader *r, const model_expression *e, const model_value *v)
{
    model_value joined;
    for (uint32_t i = 0; i < e->count; i++) {
        if ((e->sign[i] & ~SIGN_ELEMENTWISE) == SIGN_MINUS)
            return model_fail(r, e->operand[i]->at, "a String cannot be subtracted",
                              "Strings are joined by +");
        if (!model_same_size(&v[0], &v[i]))
            return model_fail(r, e->operand[i]->at, "sizes do not fit: %s + %s",
                              "join Strings one by one", model_size_text(r, &v[0]),
                              model_size_text(r, &v[i]));
    }
    sym *element = model_new_array(r, e->at, v[0].type, v[0].rank, v[0].size, &joined);
    for (size_t k = 0; element && k < joined.count; k++) {
        const char *said = join(r, e->count, v, k);
        if (!said && r->placed) return refuse_changing(r, e->at);
        element[k] = said ? model_text_value(r, said).one : model_stand_in(r);
    }
    return joined;
}

model_value model_compare_texts(model_reader *r, model_expression *e, sym a, sym b)
{
    model_sign sign = (model_sign)e->sign[0];
    const char *x = model_text_at(r, a), *y = model_text_at(r, b);
    if (sign == SIGN_EQUAL || sign == SIGN_UNEQUAL) {
        sym equal = model_relate(r, SYM_EQUAL, a, b);
        return model_scalar(TYPE_BOOLEAN, sign == SIGN_EQUAL ? equal : sym_not(r->graph, equal));
    }
    if (!x || !y) {
        if (!r->placed) return model_scalar(TYPE_BOOLEAN, model_stand_in(r));
        model_refuse(r, e->at, NULL, "the order of Strings that change is not supported",
                     "compare them by == or <>");
        return model_none();
    }
    int order = strcmp(x, y);
    bool holds = sign == SIGN_LESS         ? order < 0
                 : sign == SIGN_LESS_EQUAL ? order <= 0
                 : sign == SIGN_GREATER    ? order > 0
                                           : order >= 0;
    return model_number(r, TYPE_BOOLEAN, holds);
}

/* --- variables --- */

void model_find_texts(model_reader *r)
{
    const model_clauses *list = &r->model->equation;
    for (size_t i = 0; i < list->count; i++) {
        model_clause *c = list->item[i];
        const model_expression *e = c->kind == CLAUSE_EQUATION ? c->left : NULL;
        if (!e || e->kind != EXPRESSION_REFERENCE) continue;
        const model_meaning *m = &e->reference->meaning;
        bool is = m->kind == MEANS_SYMBOL && m->symbol->type.base == TYPE_STRING &&
                  !m->symbol->discrete &&
                  m->symbol->declaration->variability < VARIABILITY_PARAMETER &&
                  e->reference->part->count == 0;
        if (!is || m->symbol->text || m->symbol->declaration->binding) continue;
        m->symbol->text = c;
    }
}

/* Whether a variable of type String has a value by one equation (else reported). */
static bool is_defined(model_reader *r, const model_symbol *s)
{
    if (!s->declaration->binding && !s->text)
        model_error(r, s->declaration->at, "the String %s has no equation",
                    "give it one of its own: s = ..., outside of if and for", s->name);
    else
        return true;
    return false;
}

static bool changes_between(model_reader *r, const model_value *v)
{
    for (size_t i = 0; i < v->count; i++)
        if (model_has_trait(r, model_element(v, i), TRAIT_CHANGES)) return true;
    return false;
}

void model_evaluate_text(model_reader *r, model_symbol *s)
{
    model_value v = model_none();
    bool known = is_defined(r, s);
    if (known && s->text) {
        v = model_evaluate(r, s->text->right);
        known = v.type.base != TYPE_NONE &&
                model_convert(r, s->text->right->at, s->name, s->type, &v) &&
                model_size_fits(r, s->text->right->at, s->name, &s->value, &v);
    } else if (known) {
        known = model_binding_value(r, s, &s->value, &v);
    }
    if (known && changes_between(r, &v))
        known = model_error(r, s->declaration->at,
                            "%s changes at events alone, but this value changes between them",
                            "leave out noEvent() around its relations", s->name);
    s->value = known ? v : model_none();
}
