/* The meanings of the names in the tree. Each name is looked up here once. So evaluation, which may
 * visit it thousands of times in a loop, finds its meaning in the tree. */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "model/record.h"

#include <string.h>

/* Names from other languages, and how to write them in Modelica. */

static const model_hint functions[] = {
    {"ln", "the natural logarithm is log(x)"},
    {"lg", "the logarithm to base 10 is log10(x)"},
    {"log2", "write log(x)/log(2)"},
    {"pow", "a power is written x^y"},
    {"power", "a power is written x^y"},
    {"sqr", "a square is written x^2"},
    {"square", "a square is written x^2"},
    {"cbrt", "write x^(1/3)"},
    {"fabs", "the absolute value is abs(x)"},
    {"sgn", "the sign is sign(x)"},
    {"arcsin", "the inverse of sin is asin(x)"},
    {"arccos", "the inverse of cos is acos(x)"},
    {"arctan", "the inverse of tan is atan(x)"},
    {"arctan2", "the angle of a vector is atan2(y, x)"},
    {"cot", "write 1/tan(x)"},
    {"asinh", "write Modelica.Math.asinh(x)"},
    {"acosh", "write Modelica.Math.acosh(x)"},
    {"atanh", "write 0.5*log((1 + x)/(1 - x))"},
    {"heaviside", "write (if x > 0 then 1 else 0)"},
    {"step", "write (if time > t0 then 1 else 0)"},
    {"diff", "a derivative by time is written der(x)"},
    {"ddt", "a derivative by time is written der(x)"},
    {"dot", "the scalar product of two vectors is x*y"},
    {"eye", "the unit matrix is identity(n)"},
    {"length", "the number of elements is size(x, 1)"},
    {"round", "write floor(x + 0.5)"},
    {"trunc", "write integer(x), or div(x, 1)"},
    {"fmod", "a remainder is written mod(x, y) or rem(x, y)"},
    {NULL, NULL},
};

static const model_hint variables[] = {
    {"pi", "declare it: constant Real pi = 3.14159265358979323846"},
    {"PI", "declare it: constant Real PI = 3.14159265358979323846"},
    {"e", "the number e is exp(1)"},
    {"t", "the time of the simulation is called time"},
    {"inf", "the largest number is 1.7976931348623157e308"},
    {"eps", "declare it: constant Real eps = 2.220446049250313e-16"},
    {"True", "the truth values are true and false"},
    {"False", "the truth values are true and false"},
    {NULL, NULL},
};

typedef struct resolver {
    model_reader *r;
    model_class *body; /* the function or model that is walked */
    bool in_function;
    model_iterators iterator;  /* open iterators, innermost last */
    model_symbol *user;        /* the symbol whose `uses` are gathered; NULL: none */
    const model_class *wanted; /* the type of what is given a value, or compared; NULL: not known */
} resolver;

static void resolve(resolver *v, model_expression *e);

static void resolve_all(resolver *v, uint32_t count, model_expression *const *e)
{
    for (uint32_t i = 0; i < count; i++) resolve(v, e[i]);
}

static void means(model_reference *to, model_meaning_kind kind, uint32_t number,
                  model_symbol *symbol)
{
    to->meaning = (model_meaning){.kind = kind, .number = number, .symbol = symbol};
}

/* Report an unknown variable, with similar names that may have been meant. */
static void report_unknown(resolver *v, const model_path *path, const model_part *part)
{
    model_reader *r = v->r;
    if (r->incomplete) return;
    const char *spelled = model_excerpt(r, path->at);
    model_error(r, path->first.next ? path->at : part->at, "%s is not declared", NULL,
                path->first.next ? spelled : model_spelled(r, part->name));
    if (path->first.next) {
        model_remedy(r, "a name that has dots in it needs quotes: '%s'", spelled);
        if (strncmp(spelled, "Modelica.", 9) == 0) model_remedy_library(r, spelled);
        return;
    }
    if (r->reports.last == NULL) return;
    const char *foreign = model_hint_for(variables, names_string(r->words, part->name));
    if (foreign) {
        model_remedy(r, "%s", foreign);
        return;
    }
    LIST(const char *) candidate = {0};
    for (size_t i = 0; i < v->iterator.count; i++)
        list_push(r->a, &candidate, model_spelled(r, v->iterator.item[i].name));
    for (size_t i = 0; v->in_function && i < v->body->local.count; i++)
        list_push(r->a, &candidate, v->body->local.item[i]->name);
    for (size_t i = 0; i < r->symbol.count; i++)
        if (!v->in_function || r->symbol.item[i]->declaration->variability == VARIABILITY_CONSTANT)
            list_push(r->a, &candidate, r->symbol.item[i]->name);
    list_push(r->a, &candidate, "time");
    const char *name = names_string(r->words, part->name);
    model_remedy(r, "declare it, for example: Real %s;", strlen(name) < 40 ? name : "x");
    model_remedy_nearest(r, model_spelled(r, part->name), candidate.count, candidate.item);
}

/* A variable, or a component of it where it is a record and the path goes on. Another variable has
 * none (reported). */
static void means_variable(resolver *v, model_reference *to, model_meaning_kind kind,
                           model_symbol *s)
{
    model_reader *r = v->r;
    means(to, MEANS_NOTHING, 0, NULL);
    if (s->type.base == TYPE_RECORD) s = model_follow_members(r, s, &to->part);
    if (!s) return;
    const model_part *next = to->part->next;
    if (!next) means(to, kind, s->slot, s);
    if (!next || s->type.base == TYPE_NONE) return;
    const char *member = model_spelled(r, next->name);
    model_error(r, next->at, "%s is a %s and has no component %s", NULL, s->name,
                model_type_text(r, s->type), member);
    model_remedy(r, "a name that has a dot in it needs quotes: '%s.%s'", s->name, member);
}

/* The enumeration that a type is, perhaps by other names; NULL: it is none. *truths: it is Boolean.
 */
static model_class *enumeration_of(const model_reader *r, const model_part *part, bool *truths)
{
    model_class *type = r->class_of[part->name];
    model_type is = {.base = TYPE_NONE};
    const model_class *alias;
    *truths = !type && !part->next && strcmp(names_string(r->words, part->name), "Boolean") == 0;
    if (type && type->kind == CLASS_TYPE && model_find_type(r, type->base, &is, &alias))
        type = (model_class *)is.declared;
    *truths = *truths || (!part->next && is.base == TYPE_BOOLEAN);
    return type && type->kind == CLASS_ENUMERATION ? type : NULL;
}

static bool resolve_literal(resolver *v, model_reference *to, const model_part *part)
{
    model_reader *r = v->r;
    bool truths;
    model_class *type = enumeration_of(r, part, &truths);
    if (truths) means(to, MEANS_TRUTHS, 0, NULL);
    if (!type) return truths;
    to->meaning = (model_meaning){.kind = MEANS_ENUMERATION, .enumeration = type};
    if (!part->next) return true;
    to->meaning.kind = MEANS_LITERAL;
    for (size_t i = 0; i < type->literal.count; i++) {
        if (type->literal.item[i].name != part->next->name) continue;
        to->meaning.number = (uint32_t)i + 1;
        return true;
    }
    to->meaning.kind = MEANS_NOTHING;
    LIST(const char *) candidate = {0};
    for (size_t i = 0; i < type->literal.count; i++)
        list_push(r->a, &candidate, model_spelled(r, type->literal.item[i].name));
    const char *literal = model_spelled(r, part->next->name);
    model_error(r, part->next->at, "the enumeration %s has no literal %s", NULL,
                model_spelled(r, type->name), literal);
    for (size_t i = 0; i < type->literal.count; i++) /* 'a' and a are different names */
        if (strcmp(candidate.item[i], literal) == 0)
            return model_remedy(r, "it is written %s",
                                names_string(r->words, type->literal.item[i].name)),
                   true;
    model_remedy_nearest(r, literal, candidate.count, candidate.item);
    return true;
}

/* A variable of the model or a constant; only constants are visible in functions. */
static bool resolve_symbol(resolver *v, model_reference *to, const model_part *part)
{
    model_reader *r = v->r;
    model_symbol *s = r->symbol_of[part->name];
    if (!s) return false;
    if (v->in_function && s->declaration->variability != VARIABILITY_CONSTANT) {
        means(to, MEANS_NOTHING, 0, NULL);
        model_error(r, part->at, "%s is not visible in the function",
                    "a function sees its own variables and constants: make it an input", s->name);
        return true;
    }
    means_variable(v, to, MEANS_SYMBOL, s);
    s = to->meaning.symbol;
    if (v->user && s) model_use_symbol(r, &v->user->node.uses, s);
    return true;
}

/* A literal of an enumeration that stands in a declaration: printers of flat models write it with
 * the name of its type, which is not declared, as Types.Init.NoInit. */
static bool resolve_unnamed(resolver *v, model_reference *to)
{
    const model_part *last = &to->path.first;
    if (!last->next) return false;
    while (last->next) last = last->next;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < v->r->classes.count; i++) {
            model_class *c = v->r->classes.item[i];
            if (!c->unnamed || (pass == 0 && c != v->wanted)) continue;
            for (size_t k = 0; k < c->literal.count; k++) {
                if (c->literal.item[k].name != last->name) continue;
                to->meaning = (model_meaning){
                    .kind = MEANS_LITERAL, .number = (uint32_t)k + 1, .enumeration = c};
                return true;
            }
        }
    }
    return false;
}

/* A function that is handed on as an argument. */
static bool resolve_function(resolver *v, model_reference *to)
{
    model_reader *r = v->r;
    const model_part *part = model_own_part(r, &to->path);
    model_class *own = part->next ? NULL : r->class_of[part->name];
    if (own && own->kind != CLASS_FUNCTION) own = NULL;
    const model_builtin *f = own ? NULL : model_builtin_called(r, &to->path, part);
    if (!own && !f) return false;
    to->part = part;
    to->meaning = (model_meaning){.kind = MEANS_FUNCTION, .number = (uint32_t)r->handed.count};
    list_push(r->a, &r->handed, ((model_handed){own, f}));
    return true;
}

static bool resolve_iterator(resolver *v, model_reference *to, const model_part *part)
{
    for (size_t i = v->iterator.count; i-- > 0;) {
        if (v->iterator.item[i].name != part->name) continue;
        means(to, MEANS_LOCAL, v->iterator.item[i].slot, NULL);
        return true;
    }
    return false;
}

static void resolve_reference(resolver *v, model_expression *e)
{
    model_reader *r = v->r;
    model_reference *to = e->reference;
    const model_part *part = &to->path.first;
    to->part = part;
    if (part->name >= r->known) return; /* NAMES_NONE: a mistake already reported */
    model_symbol *local = v->in_function ? model_local(v->body, part->name) : NULL;
    const model_symbol *plain = local ? local : r->symbol_of[part->name];
    bool record = plain && plain->type.base == TYPE_RECORD;
    const model_part *flat = part->next && !local && !record ? model_flat_part(r, &to->path) : NULL;
    bool unknown = !r->symbol_of[part->name] && part->next && !local;
    if (flat)
        part = flat;
    else if (unknown)
        part = model_own_part(r, &to->path);
    if (r->family_of[part->name] && !local && !resolve_iterator(v, to, part)) {
        model_expand_family(r, e, r->family_of[part->name], part);
        resolve(v, e);
        return;
    }
    to->part = part;
    for (const model_part *p = &to->path.first; p; p = p->next)
        resolve_all(v, p->count, p->subscript);
    if (resolve_iterator(v, to, part)) return;
    if (local) {
        means_variable(v, to, MEANS_LOCAL, local);
    } else if (resolve_symbol(v, to, part) || resolve_literal(v, to, part)) {
        return;
    } else if (!part->next && strcmp(names_string(r->words, part->name), "time") == 0) {
        means(to, MEANS_TIME, 0, NULL);
        if (v->in_function)
            model_error(r, part->at, "time is not known in a function",
                        "make it an input of the function");
    } else if (resolve_unnamed(v, to) || resolve_function(v, to)) {
        return;
    } else if (!v->in_function && part->next && (to->part = model_joined_part(r, &to->path))) {
        resolve_symbol(v, to, to->part);
    } else if (!v->in_function && model_gather_record(r, e)) {
        resolve(v, e);
    } else {
        to->part = part;
        report_unknown(v, &to->path, part);
    }
}

static void report_function(resolver *v, const model_expression *e, const model_part *part)
{
    model_reader *r = v->r;
    const model_path *path = &e->call->function;
    const char *spelled = model_excerpt(r, path->at);
    bool variable = r->symbol_of[part->name] ||
                    (v->in_function && model_local(v->body, part->name));
    if (variable && !part->next) {
        model_error(r, path->at, "%s is a variable, not a function", NULL, spelled);
        model_remedy(r, "subscripts are written in brackets: %s[1]", spelled);
        return;
    }
    model_error(r, path->at, "the function %s is not declared", NULL, spelled);
    const char *foreign = part->next ? NULL : model_hint_for(functions, spelled);
    if (foreign) {
        model_remedy(r, "%s", foreign);
        return;
    }
    LIST(const char *) candidate = {0};
    for (size_t i = 0; i < model_builtin_count; i++)
        list_push(r->a, &candidate, model_builtins[i].name);
    for (size_t i = 0; i < r->classes.count; i++)
        if (r->classes.item[i]->kind == CLASS_FUNCTION)
            list_push(r->a, &candidate, model_spelled(r, r->classes.item[i]->name));
    const model_part *last = part;
    while (last->next) last = last->next;
    if (part->next && r->structure == MODEL_FLAT) r->structure = MODEL_STRUCTURED;
    model_remedy(r, "libraries are not read: declare the function in this text");
    model_remedy_nearest(r, model_spelled(r, last->name), candidate.count, candidate.item);
}

static void open_iterator(resolver *v, model_iterator *i)
{
    resolve(v, i->range);
    i->slot = v->body->slots++;
    list_push(v->r->a, &v->iterator, *i);
}

/* Open the iterators of a loop, outermost first. Each is visible in the ranges of those after it.
 */
static void open_loop(resolver *v, model_iterators *list)
{
    for (size_t i = 0; i < list->count; i++) open_iterator(v, &list->item[i]);
}

/* Open the iterators of an array or reduction: {e for i in u, j in v} is {{e for i in u} for j in
 * v}. */
static void open_nested(resolver *v, model_iterators *list)
{
    for (size_t i = list->count; i-- > 0;) open_iterator(v, &list->item[i]);
}

static void resolve_builtin(resolver *v, model_expression *e, const model_builtin *f)
{
    e->call->builtin = f;
    if (!v->in_function || !model_needs_model(f)) return;
    model_error(v->r, e->at, "%s cannot be used in a function",
                "make its value an input of the function", f->name);
    e->call->builtin = NULL;
}

/* X(...) is X.constructor(...) where X is an external object. NULL: it has none (reported). */
static model_class *constructor_of(model_reader *r, const model_expression *e, const model_class *c)
{
    for (size_t i = 0; i < c->inner.count; i++) {
        const char *name = strrchr(names_string(r->words, c->inner.item[i]->name), '.');
        if (name && strcmp(name, ".constructor'") == 0) return c->inner.item[i];
    }
    model_error(r, e->at, "%s has no constructor",
                "an external object has the function constructor", model_spelled(r, c->name));
    return NULL;
}

/* The function or record that a call names; NULL: none. A record may have another name:
 * record Q = R. If that gives its components other defaults, its constructor is refused. */
static model_class *called_class(resolver *v, const model_expression *e, const model_part *part,
                                 bool *refused)
{
    model_reader *r = v->r;
    model_class *class = r->class_of[part->name];
    if (!class && !r->builtin_of[part->name]) class = model_record_called(r, part->name);
    if (class && class->kind == CLASS_OBJECT) return constructor_of(r, e, class);
    bool changed = false;
    for (size_t steps = 0; class && class->kind == CLASS_TYPE && steps < r->classes.count;
         steps++) {
        changed = changed || class->modifier.count || class->base->first.count;
        class = (model_class *)model_alias_base(r, class);
    }
    if (class && class->kind == CLASS_ENUMERATION) e->call->literal_of = class;
    if (!class || (class->kind != CLASS_FUNCTION && class->kind != CLASS_RECORD)) return NULL;
    *refused = changed &&
               !model_refuse(
                   r, e->at, NULL,
                   "the constructor of %s, a record with other defaults, is not supported yet",
                   "call that of the record by which it is defined", model_spelled(r, part->name));
    return *refused ? NULL : class;
}

static void resolve_call(resolver *v, model_expression *e)
{
    model_reader *r = v->r;
    const model_part *part = model_own_part(r, &e->call->function);
    size_t open = v->iterator.count;
    open_nested(v, &e->call->iterator);
    resolve_all(v, e->count, e->operand);
    v->iterator.count = open;
    if (part->name >= r->known) return;
    model_symbol *local = v->in_function && !part->next ? model_local(v->body, part->name) : NULL;
    if (local && local->type.base == TYPE_FUNCTION) {
        e->call->input = local;
        return;
    }
    bool refused = false;
    bool ours = strncmp(names_string(r->words, part->name), "'Daedal.", 8) == 0 && !part->next &&
                r->builtin_of[part->name]; /* the text has its function for other tools */
    model_class *own = part->next || ours ? NULL : called_class(v, e, part, &refused);
    if (refused || e->call->literal_of) return;
    if (own)
        e->call->own = own;
    else if (model_builtin_called(r, &e->call->function, part))
        resolve_builtin(v, e, model_builtin_called(r, &e->call->function, part));
    else
        report_function(v, e, part);
}

/* What is compared with a variable is of its type. */
static void resolve_relation(resolver *v, model_expression *e)
{
    const model_class *wanted = v->wanted;
    for (uint32_t i = 0; i < e->count; i++) {
        resolve(v, e->operand[i]);
        const model_expression *o = e->operand[i];
        bool variable = o->kind == EXPRESSION_REFERENCE &&
                        o->reference->meaning.kind == MEANS_SYMBOL && o->reference->meaning.symbol;
        if (variable) v->wanted = o->reference->meaning.symbol->type.declared;
    }
    v->wanted = wanted;
}

static void resolve(resolver *v, model_expression *e)
{
    if (!e) return;
    switch (e->kind) {
    case EXPRESSION_REFERENCE: resolve_reference(v, e); break;
    case EXPRESSION_CALL:
    case EXPRESSION_FUNCTION: resolve_call(v, e); break;
    case EXPRESSION_ARRAY: {
        size_t open = v->iterator.count;
        if (e->iterator) open_nested(v, e->iterator);
        resolve_all(v, e->count, e->operand);
        v->iterator.count = open;
        break;
    }
    case EXPRESSION_RELATION: resolve_relation(v, e); break;
    default: resolve_all(v, e->count, e->operand);
    }
}

static void resolve_clauses(resolver *v, const model_clauses *list)
{
    for (size_t i = 0; i < list->count; i++) {
        model_clause *c = list->item[i];
        size_t open = v->iterator.count;
        resolve(v, c->left);
        resolve(v, c->right);
        open_loop(v, &c->iterator);
        for (size_t k = 0; k < c->branch.count; k++) {
            resolve(v, c->branch.item[k].condition);
            resolve_clauses(v, &c->branch.item[k].body);
        }
        v->iterator.count = open;
    }
}

static void resolve_modifiers(resolver *v, const model_modifiers *list)
{
    for (size_t i = 0; i < list->count; i++) {
        resolve(v, list->item[i].value);
        resolve_modifiers(v, &list->item[i].nested);
    }
}

/* Resolve a declaration. `s` gathers the symbols that its size needs. For parameters and constants
 * it also gathers those that the value needs. */
static void resolve_declaration(resolver *v, const model_declaration *d, model_symbol *s)
{
    bool valued = d->variability >= VARIABILITY_PARAMETER;
    v->user = s;
    resolve_all(v, d->dimensions, d->size);
    resolve_all(v, d->type->first.count, d->type->first.subscript);
    v->user = valued || (s && model_has_open_size(s)) ? s : NULL;
    v->wanted = s ? s->type.declared : NULL;
    resolve(v, d->binding);
    for (size_t i = 0; i < d->modifier.count; i++) {
        const char *attribute = names_string(v->r->words, d->modifier.item[i].name);
        bool needed = strcmp(attribute, "start") == 0 || strcmp(attribute, "fixed") == 0;
        v->user = valued && needed ? s : NULL;
        resolve(v, d->modifier.item[i].value);
        resolve_modifiers(v, &d->modifier.item[i].nested);
    }
    v->user = NULL;
    v->wanted = NULL;
}

/* The call of an external function, and the functions of its derivatives. */
static void resolve_external(resolver *v, const model_class *f)
{
    if (!f->external) return;
    resolve(v, f->external->result);
    resolve_all(v, (uint32_t)f->external->argument.count, f->external->argument.item);
    if (model_is_table_function(v->r, f)) return; /* its derivatives are known */
    for (size_t i = 0; i < f->rate.count; i++) {
        model_rate *rate = f->rate.item[i];
        const model_part *part = model_own_part(v->r, &rate->function);
        model_class *own = part->next || part->name >= v->r->known ? NULL
                                                                   : v->r->class_of[part->name];
        rate->own = own && own->kind == CLASS_FUNCTION ? own : NULL;
        if (!rate->own)
            model_error(v->r, rate->function.at, "the function %s is not declared",
                        "declare the derivative, or leave the annotation out",
                        model_excerpt(v->r, rate->function.at));
    }
}

static void resolve_class(model_reader *r, model_class *c)
{
    bool function = c->kind == CLASS_FUNCTION || c->kind == CLASS_RECORD;
    resolver v = {.r = r, .body = function ? c : r->model, .in_function = function};
    for (size_t i = 0; i < c->local.count; i++)
        resolve_declaration(&v, c->local.item[i]->declaration, NULL);
    resolve_modifiers(&v, &c->modifier);
    resolve_modifiers(&v, &c->experiment);
    resolve_modifiers(&v, &c->vendor);
    if (c->base) resolve_all(&v, c->base->first.count, c->base->first.subscript);
    resolve_clauses(&v, &c->initial);
    resolve_clauses(&v, &c->equation);
    for (size_t i = 0; i < c->algorithm.count; i++)
        resolve_clauses(&v, &c->algorithm.item[i].statement);
    resolve_external(&v, c);
}

void model_resolve(model_reader *r)
{
    resolver v = {.r = r, .body = r->model};
    for (size_t i = 0; i < r->symbol.count; i++)
        resolve_declaration(&v, r->symbol.item[i]->declaration, r->symbol.item[i]);
    for (size_t i = 0; i < r->record.count; i++)
        resolve_declaration(&v, r->record.item[i]->declaration, NULL);
    for (size_t i = 0; i < r->classes.count; i++) {
        model_class *c = r->classes.item[i];
        bool nested_model = c->kind == CLASS_MODEL && c != r->model;
        if (!nested_model) resolve_class(r, c);
    }
}
