/* Expressions of the flat text: as written, with the names of the flat model. */
#include "hierarchy/tree.h"
#include "model/builtin.h"

#include <string.h>

static model_level level_of(const model_expression *e)
{
    switch (e->kind) {
    case EXPRESSION_IF: return LEVEL_IF;
    case EXPRESSION_RANGE: return LEVEL_RANGE;
    case EXPRESSION_OR: return LEVEL_OR;
    case EXPRESSION_AND: return LEVEL_AND;
    case EXPRESSION_NOT: return LEVEL_NOT;
    case EXPRESSION_RELATION: return LEVEL_RELATION;
    case EXPRESSION_SUM: return LEVEL_SUM;
    case EXPRESSION_PRODUCT: return LEVEL_PRODUCT;
    case EXPRESSION_POWER: return LEVEL_POWER;
    default: return LEVEL_PRIMARY;
    }
}

static void write_at(hier *h, const hier_env *env, const model_expression *e, model_level lowest)
{
    bool apart = level_of(e) < lowest;
    if (apart) text_add(h->out, "(");
    hier_write_expression(h, env, e);
    if (apart) text_add(h->out, ")");
}

static const char *spelling(uint8_t sign)
{
    static const char *const word[] = {"+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "<>"};
    return word[sign & ~SIGN_ELEMENTWISE];
}

static void write_sign(hier *h, uint8_t sign)
{
    text_add(h->out, sign & SIGN_ELEMENTWISE ? " ." : " ");
    text_add(h->out, spelling(sign));
    text_add(h->out, " ");
}

/* A chain of operands, each of at least level `lowest`, and their signs or one word. */
static void write_chain(hier *h, const hier_env *env, const model_expression *e, model_level lowest,
                        const char *word)
{
    if (e->kind == EXPRESSION_SUM && (e->sign[0] & ~SIGN_ELEMENTWISE) == SIGN_MINUS)
        text_add(h->out, "-");
    for (uint32_t i = 0; i < e->count; i++) {
        if (i > 0 && word) text_add(h->out, word);
        if (i > 0 && !word) write_sign(h, e->sign[i]);
        write_at(h, env, e->operand[i], lowest);
    }
}

static void write_pair(hier *h, const hier_env *env, const model_expression *e, model_level lowest)
{
    write_at(h, env, e->operand[0], lowest);
    write_sign(h, e->sign[0]);
    write_at(h, env, e->operand[1], lowest);
}

static void write_list(hier *h, const hier_env *env, uint32_t count,
                       model_expression *const *operand, const char *comma)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) text_add(h->out, comma);
        hier_write_expression(h, env, operand[i]);
    }
}

static void write_if(hier *h, const hier_env *env, const model_expression *e)
{
    for (uint32_t i = 0; i + 1 < e->count; i += 2) {
        text_add(h->out, i ? " elseif " : "if ");
        write_at(h, env, e->operand[i], LEVEL_RANGE);
        text_add(h->out, " then ");
        write_at(h, env, e->operand[i + 1], LEVEL_RANGE);
    }
    text_add(h->out, " else ");
    write_at(h, env, e->operand[e->count - 1], LEVEL_RANGE);
}

static bool is_digits(const char *bytes, uint32_t length)
{
    bool are = length > 0 && bytes[0] >= '0' && bytes[0] <= '9';
    for (uint32_t i = 0; i < length && are; i++)
        are = bytes[i] && strchr("0123456789.eE+-", bytes[i]);
    return are;
}

/* A number as its author wrote it, so that it stays a Real or an Integer. */
static void write_number(hier *h, const hier_env *env, const model_expression *e)
{
    const model_source *s = &env->part->class->unit->reader.source;
    uint32_t length = e->at.end - e->at.begin;
    if (e->at.end <= s->length && is_digits(s->bytes + e->at.begin, length)) {
        text_add_bytes(h->out, s->bytes + e->at.begin, length);
        return;
    }
    char digits[TEXT_NUMBER_SIZE];
    text_write_number(digits, e->number);
    text_add(h->out, digits);
    if (!e->whole && !strpbrk(digits, ".e")) text_add(h->out, ".0");
}

void hier_write_string(hier *h, const char *string)
{
    text_add(h->out, "\"");
    for (const char *c = string; *c; c++) {
        if (*c == '\n') {
            text_add(h->out, "\\n");
            continue;
        }
        if (*c == '"' || *c == '\\') text_add(h->out, "\\");
        text_add_bytes(h->out, c, 1);
    }
    text_add(h->out, "\"");
}

/* for i in r, j in s */
static void write_iterators(hier *h, const hier_env *env, const model_iterators *list)
{
    for (size_t i = 0; i < list->count; i++) {
        text_add(h->out, i ? ", " : " for ");
        hier_write_word(h, list->item[i].name);
        text_add(h->out, " in ");
        hier_write_expression(h, env, list->item[i].range);
    }
}

/* e for i in r, between the brackets; or all values of e where arrays of components are passed. */
static void write_iterated(hier *h, const hier_env *env, const model_expression *e,
                           const model_iterators *list, bool braces)
{
    hier_env inner = hier_bind(h, env, list);
    if (!hier_passes_array(h, &inner, e)) {
        hier_write_expression(h, &inner, e);
        write_iterators(h, &inner, list);
        return;
    }
    hier_numbers range = {0};
    if (list->count > 1)
        hier_error(h, env, e->at, "nest the loops", "several iterators over components");
    if (list->count > 1 || !hier_range(h, env, list->item[0].range, &range)) return;
    if (range.count == 0) hier_error(h, env, e->at, "leave it out", "a loop without a step");
    if (!braces) text_add(h->out, "{");
    for (size_t k = 0; k < range.count; k++) {
        hier_bound b = hier_bound_to(&range, k, list->item[0].name, env->bound);
        inner.bound = &b;
        if (k > 0) text_add(h->out, ", ");
        hier_write_expression(h, &inner, e);
    }
    if (!braces) text_add(h->out, "}");
}

/* Whether argument i is the message of an assert of a component. */
static bool is_told(hier *h, const hier_env *env, const model_expression *e, uint32_t i)
{
    if (strcmp(names_string(h->words, e->call->function.first.name), "assert") != 0) return false;
    if (e->call->function.first.next || !env->instance || !env->instance->name[0]) return false;
    uint32_t name = e->call->argument[i];
    return name == NAMES_NONE ? i == 1 : strcmp(names_string(h->words, name), "message") == 0;
}

/* The message of an assert with the name of the component: "too hot (in plate)". */
static void write_told(hier *h, const hier_env *env, const model_expression *e)
{
    const char *in = arena_format(h->a, " (in %s)", env->instance->name);
    if (e->kind == EXPRESSION_STRING) {
        hier_write_string(h, arena_format(h->a, "%s%s", names_string(h->words, e->name), in));
        return;
    }
    write_at(h, env, e, LEVEL_SUM);
    text_add(h->out, " + ");
    hier_write_string(h, in);
}

static void write_arguments(hier *h, const hier_env *env, const model_expression *e)
{
    text_add(h->out, "(");
    if (e->call->iterator.count && e->count == 1) {
        write_iterated(h, env, e->operand[0], &e->call->iterator, false);
    } else {
        for (uint32_t i = 0; i < e->count; i++) {
            if (i > 0) text_add(h->out, ", ");
            if (e->call->argument[i] != NAMES_NONE) {
                hier_write_word(h, e->call->argument[i]);
                text_add(h->out, " = ");
            }
            if (is_told(h, env, e, i))
                write_told(h, env, e->operand[i]);
            else
                hier_write_expression(h, env, e->operand[i]);
        }
    }
    text_add(h->out, ")");
}

/* What to do without a function of connectors that is not supported; NULL for another one. */
static const char *remedy_without(const char *name)
{
    if (strcmp(name, "cardinality") == 0) return "say by a parameter what is connected";
    bool of_streams = strcmp(name, "inStream") == 0 || strcmp(name, "actualStream") == 0;
    return of_streams ? "fluids flow one way here: use inputs and outputs" : NULL;
}

/* The model's name, and the component's within it. */
static void write_instance_name(hier *h, const hier_env *env)
{
    const char *of = env->instance ? env->instance->name : "";
    hier_write_string(h, arena_format(h->a, "%s%s%s", h->model, *of ? "." : "", of));
}

bool hier_is_builtin(const char *name)
{
    for (size_t i = 0; i < model_builtin_count; i++)
        if (strcmp(model_builtins[i].name, name) == 0) return true;
    return false;
}

/* A function of the language. */
static void write_builtin(hier *h, const hier_env *env, const model_expression *e)
{
    const char *name = names_string(h->words, e->call->function.first.name);
    bool known = hier_is_builtin(name);
    LIST(const char *) candidate = {0};
    for (size_t i = 0; i < model_builtin_count; i++)
        list_push(h->a, &candidate, model_builtins[i].name);
    hier_note_table(h, env, e, name);
    const char *remedy = remedy_without(name);
    if (remedy) hier_error(h, env, e->at, remedy, "%s is not supported yet", name);
    if (strcmp(name, "getInstanceName") == 0) {
        write_instance_name(h, env);
        return;
    }
    if (!known) {
        hier_error(h, env, e->at, "declare it in this file, or beside it",
                   "the function %s is not declared",
                   hier_spelled(h, e->call->function.first.name));
        hier_remedy_nearest(h, env, name, candidate.count, candidate.item);
    }
    text_add(h->out, name);
    write_arguments(h, env, e);
}

static void write_call(hier *h, const hier_env *env, const model_expression *e)
{
    const model_path *path = &e->call->function;
    hier_found found;
    uint32_t extent;
    if (!path->first.next && hier_is_local(h, env, path->first.name)) { /* an input of a function */
        hier_write_word(h, path->first.name);
        write_arguments(h, env, e);
        return;
    }
    bool own = hier_lookup(h, env->part->class, path->first.name, &found) &&
               (found.class || found.declaration);
    const char *name = names_string(h->words, path->first.name);
    hier_value v;
    if (!own && !path->first.next && strcmp(name, "size") == 0 && hier_is_extent(h, env, e) &&
        hier_evaluate(h, env, e->operand[1], &v) &&
        hier_extent(h, env, e->operand[0], (uint32_t)v.number, &extent)) {
        text_whole(h->out, extent);
        return;
    }
    const char *standard = own ? NULL : hier_standard_name(h, env, path);
    if (standard && !hier_is_builtin(name)) {
        hier_note_table(h, env, e, standard);
        text_add(h->out, standard);
        write_arguments(h, env, e);
        return;
    }
    if (!own && !path->first.next) {
        write_builtin(h, env, e);
        return;
    }
    hier_type type = {0};
    if (!hier_find_type(h, env, path, &found) || !found.class) return;
    const char *language = hier_language_function(h, found.class);
    if (language) {
        text_add(h->out, language);
        write_arguments(h, env, e);
        return;
    }
    if (!hier_follow(h, env, found.class, path->at, &type)) return;
    if (type.class && type.class->text->kind == CLASS_ENUMERATION) { /* of the literal's number */
        hier_write_name(h, hier_flat_class(h, type.class), false);
        write_arguments(h, env, e);
        return;
    }
    bool function = type.class && type.class->text->kind == CLASS_FUNCTION;
    bool callable = function || (type.class && type.class->text->kind == CLASS_RECORD);
    if (!callable || (!function && found.class != type.class && type.frame)) {
        hier_error(h, env, path->at, "write a function in full", "%s cannot be called",
                   hier_class_path(h, found.class));
        return;
    }
    if (type.class->text->partial && type.class->text->kind == CLASS_FUNCTION)
        hier_error(h, env, path->at, "call a function that extends it",
                   "%s is partial and has no value", hier_class_path(h, type.class));
    hier_note_table(h, env, e, hier_class_path(h, type.class));
    hier_class *called = hier_function_of(h, env, found.class, path->at);
    if (called) hier_write_name(h, hier_flat_class(h, called), false);
    write_arguments(h, env, e);
}

/* {a, b}, {e for i in r}, [a, b; c, d] */
static void write_array(hier *h, const hier_env *env, const model_expression *e)
{
    bool matrix = e->kind == EXPRESSION_MATRIX;
    text_add(h->out, matrix ? "[" : "{");
    if (e->kind == EXPRESSION_ARRAY && e->iterator)
        write_iterated(h, env, e->operand[0], e->iterator, true);
    else
        write_list(h, env, e->count, e->operand, matrix ? "; " : ", ");
    text_add(h->out, matrix ? "]" : "}");
}

/* (e)[i, j] and (e).x */
static void write_part_of(hier *h, const hier_env *env, const model_expression *e)
{
    text_add(h->out, "(");
    hier_write_expression(h, env, e->operand[0]);
    text_add(h->out, ")");
    if (e->kind == EXPRESSION_MEMBER) {
        text_add(h->out, ".");
        hier_write_word(h, e->member->name);
        return;
    }
    text_add(h->out, "[");
    write_list(h, env, e->count - 1, e->operand + 1, ", ");
    text_add(h->out, "]");
}

static void write_operators(hier *h, const hier_env *env, const model_expression *e)
{
    switch (e->kind) {
    case EXPRESSION_SUM: write_chain(h, env, e, LEVEL_PRODUCT, NULL); break;
    case EXPRESSION_PRODUCT: write_chain(h, env, e, LEVEL_POWER, NULL); break;
    case EXPRESSION_POWER: write_pair(h, env, e, LEVEL_PRIMARY); break;
    case EXPRESSION_RELATION: write_pair(h, env, e, LEVEL_SUM); break;
    case EXPRESSION_AND: write_chain(h, env, e, LEVEL_NOT, " and "); break;
    case EXPRESSION_OR: write_chain(h, env, e, LEVEL_AND, " or "); break;
    case EXPRESSION_RANGE: write_chain(h, env, e, LEVEL_OR, ":"); break;
    case EXPRESSION_NOT:
        text_add(h->out, "not ");
        write_at(h, env, e->operand[0], LEVEL_RELATION);
        break;
    default: write_if(h, env, e);
    }
}

void hier_write_expression(hier *h, const hier_env *env, const model_expression *e)
{
    e = hier_from_file(h, env, e);
    if (!e) return;
    switch (e->kind) {
    case EXPRESSION_NONE: break; /* left out in a tuple */
    case EXPRESSION_NUMBER: write_number(h, env, e); break;
    case EXPRESSION_TRUTH: text_add(h->out, e->whole ? "true" : "false"); break;
    case EXPRESSION_STRING: hier_write_string(h, names_string(h->words, e->name)); break;
    case EXPRESSION_REFERENCE: hier_write_reference(h, env, &e->reference->path, 0, NULL); break;
    case EXPRESSION_FUNCTION: text_add(h->out, "function "); /* fall through */
    case EXPRESSION_CALL: write_call(h, env, e); break;
    case EXPRESSION_ARRAY:
    case EXPRESSION_MATRIX: write_array(h, env, e); break;
    case EXPRESSION_ROW: write_list(h, env, e->count, e->operand, ", "); break;
    case EXPRESSION_SUBSCRIPT:
    case EXPRESSION_MEMBER: write_part_of(h, env, e); break;
    case EXPRESSION_TUPLE:
        text_add(h->out, "(");
        write_list(h, env, e->count, e->operand, ", ");
        text_add(h->out, ")");
        break;
    case EXPRESSION_END: text_add(h->out, "end"); break;
    case EXPRESSION_COLON: text_add(h->out, ":"); break;
    default: write_operators(h, env, e);
    }
}

void hier_write_picked(hier *h, const hier_picked *p)
{
    const model_expression *e = p->expression;
    if (p->count == 0) {
        bool row = e->kind == EXPRESSION_ROW; /* of a matrix: a vector */
        if (row) text_add(h->out, "{");
        hier_write_expression(h, &p->env, e);
        if (row) text_add(h->out, "}");
    } else if (e->kind == EXPRESSION_REFERENCE) {
        hier_write_reference(h, &p->env, &e->reference->path, p->count, p->index);
    } else if (e->kind == EXPRESSION_NUMBER || e->kind == EXPRESSION_TRUTH) {
        hier_error(h, &p->env, e->at, "write `each` before the name for one value for all elements",
                   "one value is given for an array of components");
    } else {
        text_add(h->out, "(");
        hier_write_expression(h, &p->env, e);
        text_add(h->out, ")[");
        for (uint32_t i = 0; i < p->count; i++) text_format(h->out, i ? ", %u" : "%u", p->index[i]);
        text_add(h->out, "]");
    }
}
