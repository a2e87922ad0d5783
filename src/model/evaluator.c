#include "model/evaluator.h"

#include "model/builtin.h"
#include "model/discrete.h"
#include "model/record.h"
#include "model/string.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

const char *model_shown(model_reader *r, const model_expression *e)
{
    return model_excerpt(r, e->at);
}

/* How to convert a value of the wrong type or rank into the wanted kind; NULL: not possible. */
static const char *conversion(const model_value *v, const char *wanted)
{
    static const model_hint hints[] = {
        {"a Boolean", "a condition compares numbers, as in x > 0"},
        {"a scalar", "pick an element, as in x[1], or combine them all, as in sum(x)"},
        {"an array", "an array is written {a, b, c}"},
        {"an Integer", "a Boolean is turned into a number by (if b then 1 else 0)"},
        {"a StateSelect", "write StateSelect.prefer, or never, avoid, default, always"},
        {"an AssertionLevel", "write AssertionLevel.warning or AssertionLevel.error"},
        {"a square matrix", "it needs as many rows as columns"},
        {"a vector of 3 numbers", "a vector is written {a, b, c}"},
        {"a vector", "a vector is written {a, b, c}; vector(A) makes one of a row or column"},
        {"a matrix", "a matrix is written [a, b; c, d]; matrix(x) makes one of a vector"},
        {"a Real variable", "a derivative belongs to a Real variable"},
        {NULL, NULL},
    };
    if (v->type.base == TYPE_RECORD) return "a component of a record is written r.x";
    if (strcmp(wanted, "a number") == 0)
        return v->type.base == TYPE_BOOLEAN
                   ? "a Boolean is turned into a number by (if b then 1 else 0)"
               : v->type.base == TYPE_ENUMERATION ? "the number of a literal is Integer(e)"
                                                  : NULL;
    return model_hint_for(hints, wanted);
}

/* The type of a value, with its sizes if it is an array: "Real [3]". */
static const char *kind_text(model_reader *r, const model_value *v)
{
    const char *type = model_type_text(r, v->type);
    return v->rank ? arena_format(r->a, "%s %s", type, model_size_text(r, v)) : type;
}

bool model_report_type(model_reader *r, const model_expression *e, const model_value *v,
                       const char *wanted)
{
    return model_error(r, e->at, "%s is %s, %s is needed here", conversion(v, wanted),
                       model_shown(r, e), kind_text(r, v), wanted);
}

bool model_spend(model_reader *r, model_span at, size_t work)
{
    r->work += work;
    if (r->exhausted || r->work <= MODEL_MOST_WORK) return !r->exhausted;
    r->exhausted = true;
    model_error(r, at, "the loops, calls and arrays of this model take too many steps", NULL);
    return model_remedy(r, "the limits are about %d steps of loops, %d calls, %d elements",
                        MODEL_MOST_WORK / MODEL_STEP, MODEL_MOST_WORK / MODEL_CALL,
                        MODEL_MOST_WORK);
}

sym model_stand_in(model_reader *r)
{
    return sym_variable(r->graph, MODEL_FIRST_STAND_IN + r->stand_ins++, 0);
}

static bool leaf_varies(const model_reader *r, const sym_view *leaf)
{
    if (leaf->op == SYM_TIME || leaf->op == SYM_CELL) return true;
    if (leaf->op != SYM_VARIABLE) return false;
    return leaf->id >= r->system->unknown.count || !r->system->unknown.item[leaf->id].parameter;
}

bool model_any_leaf(const model_reader *r, sym node,
                    bool (*has)(const model_reader *r, const sym_view *leaf))
{
    sym_view view = sym_look(r->graph, node);
    if (view.count == 0) return has(r, &view);
    const sym *reached;
    size_t count = sym_reach(r->graph, 1, &node, &reached);
    for (size_t i = 0; i < count; i++) {
        view = sym_look(r->graph, reached[i]);
        if (view.count == 0 && has(r, &view)) return true;
    }
    return false;
}

bool model_varies(const model_reader *r, sym node)
{
    return model_any_leaf(r, node, leaf_varies);
}

void model_note_switch(model_reader *r, model_expression *e, sym argument)
{
    if (!r->mode.counting || r->mode.no_event || r->mode.in_condition || e->counted) return;
    if (!model_varies(r, argument)) return;
    e->counted = true;
    list_push(r->home, &r->system->switches, model_place(&r->source, e->at));
}

sym model_condition(model_reader *r, model_expression *e)
{
    r->mode.in_condition++;
    model_value v = model_evaluate(r, e);
    r->mode.in_condition--;
    if (v.type.base == TYPE_NONE) return SYM_NONE;
    if (v.type.base != TYPE_BOOLEAN || v.rank) {
        model_error(r, e->at, "a condition must be Boolean, %s is %s",
                    "a condition compares numbers, as in x > 0", model_shown(r, e),
                    kind_text(r, &v));
        return SYM_NONE;
    }
    model_note_switch(r, e, v.one);
    return v.one;
}

bool model_whole_number(model_reader *r, model_expression *e, const char *what, long *number)
{
    double value;
    model_value v = model_evaluate(r, e);
    if (v.type.base == TYPE_NONE) return false;
    bool counts = model_is_numeric(&v) || v.type.base == TYPE_ENUMERATION;
    if (!counts || v.rank) return model_report_type(r, e, &v, "an Integer");
    if (!sym_is_number(r->graph, v.one, &value))
        return model_refuse(
            r, e->at, NULL, "%s that is not known before the start is not supported yet",
            "write a number, or an expression of parameters that have values", what);
    if (value != floor(value) || fabs(value) > 1e15)
        return model_error(r, e->at, "%s is %g, a whole number is needed here",
                           "integer(x) rounds down to a whole number", model_shown(r, e), value);
    *number = (long)value;
    return true;
}

/* Whether a variable of a function or algorithm already has a value. */
static bool is_assigned(model_reader *r, const model_expression *e, const model_value *v)
{
    const char *none = model_unassigned(r, model_shown(r, e), v);
    return !none || model_error(r, e->at, "%s is used before it has a value",
                                "assign a value to it first", none);
}

static model_value all_literals(model_reader *r, const model_class *enumeration)
{
    size_t count = enumeration->literal.count;
    sym *element = arena_array(r->a, count, sizeof *element);
    for (size_t i = 0; i < count; i++) element[i] = sym_number(r->graph, (double)i + 1);
    return model_vector(r, (model_type){TYPE_ENUMERATION, enumeration}, count, element);
}

static model_value meaning_value(model_reader *r, const model_meaning *m)
{
    bool variable = m->kind == MEANS_SYMBOL || (m->kind == MEANS_LOCAL && m->symbol);
    if (variable && m->symbol->type.base == TYPE_RECORD)
        return model_record_value(r, m->symbol, m->kind == MEANS_LOCAL);
    switch (m->kind) {
    case MEANS_SYMBOL:
        return m->symbol->shadow ? *m->symbol->shadow : model_symbol_value(r, m->symbol);
    case MEANS_LOCAL: return r->mode.frame[m->number];
    case MEANS_TIME: return model_scalar(TYPE_REAL, sym_time(r->graph));
    case MEANS_LITERAL:
        return (model_value){
            {TYPE_ENUMERATION, m->enumeration}, .count = 1, .one = sym_number(r->graph, m->number)};
    case MEANS_ENUMERATION: return all_literals(r, m->enumeration);
    case MEANS_TRUTHS: {
        const sym truths[2] = {sym_number(r->graph, 0), sym_number(r->graph, 1)};
        return model_vector(r, (model_type){.base = TYPE_BOOLEAN}, 2,
                            arena_duplicate(r->a, truths, 2, sizeof *truths));
    }
    default: return model_none();
    }
}

static model_value without_arguments(model_reader *r, const model_expression *e)
{
    const char *shown = model_shown(r, e);
    model_error(r, e->at, "%s is a function and has no value without arguments", NULL, shown);
    model_remedy(r,
                 e->kind == EXPRESSION_FUNCTION
                     ? "it may be the argument for an input that is a function"
                     : "call it, as in %s(x), or hand it on to an input that is a function",
                 shown);
    return model_none();
}

static model_value evaluate_reference(model_reader *r, model_expression *e)
{
    const model_reference *to = e->reference;
    if (to->meaning.kind == MEANS_FUNCTION) return without_arguments(r, e);
    model_value v = meaning_value(r, &to->meaning);
    if (v.type.base == TYPE_NONE) return v;
    bool literal = to->meaning.kind == MEANS_LITERAL || to->meaning.kind == MEANS_ENUMERATION;
    if (to->part->count && !literal)
        v = model_subscript(r, &v, to->part->count, to->part->subscript, e);
    const model_symbol *s = to->meaning.symbol;
    bool changing = !literal && s &&
                    (to->meaning.kind == MEANS_LOCAL || s->shadow || s->type.base == TYPE_RECORD);
    if (v.type.base != TYPE_NONE && changing && !is_assigned(r, e, &v)) return model_none();
    return v;
}

static bool either_has(model_reader *r, sym a, sym b, model_trait trait)
{
    return model_has_trait(r, a, trait) || model_has_trait(r, b, trait);
}

/* A relation of parameters that the start finds has a mode as well: it takes part in the search for
 * the modes of the start, and stays from then on. */
sym model_relate(model_reader *r, sym_op op, sym a, sym b)
{
    bool changes = either_has(r, a, b, TRAIT_CHANGES);
    bool iterated = changes && (model_is_iterated(r, a) || model_is_iterated(r, b));
    bool found = !changes && op != SYM_EQUAL && either_has(r, a, b, TRAIT_FOUND);
    if (found && !r->mode.no_event) return sym_relation(r->graph, op, a, b);
    if (changes && !r->mode.no_event && !iterated) return sym_relation(r->graph, op, a, b);
    if (changes && r->mode.when && r->mode.no_event == 1)
        return sym_body_relation(r->graph, op, a, b);
    if (changes) return sym_binary(r->graph, op, a, b);
    double times; /* (n + 1)/6 >= 1 is true at n = 5 */
    sym whole = model_without_fractions(r->graph, sym_subtract(r->graph, a, b), &times);
    return times == 1 ? sym_binary(r->graph, op, a, b)
                      : sym_binary(r->graph, op, whole, sym_number(r->graph, 0));
}

static sym relate(model_reader *r, model_sign sign, sym a, sym b)
{
    switch (sign) {
    case SIGN_LESS: return model_relate(r, SYM_LESS, a, b);
    case SIGN_LESS_EQUAL: return model_relate(r, SYM_LESS_EQUAL, a, b);
    case SIGN_GREATER: return model_relate(r, SYM_LESS, b, a);
    case SIGN_GREATER_EQUAL: return model_relate(r, SYM_LESS_EQUAL, b, a);
    case SIGN_EQUAL: return model_relate(r, SYM_EQUAL, a, b);
    default: return sym_not(r->graph, model_relate(r, SYM_EQUAL, a, b));
    }
}

static model_value evaluate_relation(model_reader *r, model_expression *e)
{
    model_value a = model_evaluate(r, e->operand[0]), b = model_evaluate(r, e->operand[1]);
    if (a.type.base == TYPE_NONE || b.type.base == TYPE_NONE) return model_none();
    bool numbers = model_is_numeric(&a) && model_is_numeric(&b);
    bool fits = (numbers || model_same_type(r, a.type, b.type)) && a.type.base != TYPE_RECORD;
    if (!fits || a.rank || b.rank)
        return model_fail(r, e->at, "cannot compare %s %s with %s %s",
                          "relations compare numbers with numbers, and arrays element by element",
                          model_type_text(r, a.type),
                          a.rank ? model_size_text(r, &a) : model_shown(r, e->operand[0]),
                          model_type_text(r, b.type),
                          b.rank ? model_size_text(r, &b) : model_shown(r, e->operand[1]));
    if (a.type.base == TYPE_STRING) return model_compare_texts(r, e, a.one, b.one);
    sym value = relate(r, (model_sign)e->sign[0], a.one, b.one);
    model_note_switch(r, e, value);
    return model_scalar(TYPE_BOOLEAN, value);
}

/* A branch of an if-expression that can be taken. Known conditions drop out. */
typedef struct choice {
    sym condition; /* SYM_NONE: else */
    model_expression *from;
    model_value value;
    model_guard guard;
} choice;

typedef LIST(choice) choices;

static bool find_choices(model_reader *r, model_expression *e, choices *list)
{
    bool known = true;
    for (uint32_t i = 0; i + 1 < e->count; i += 2) {
        double number;
        sym condition = model_condition(r, e->operand[i]);
        known = known && condition != SYM_NONE;
        bool decided = condition != SYM_NONE && sym_is_number(r->graph, condition, &number);
        if (decided && number == 0) continue;
        choice c = {.condition = decided ? SYM_NONE : condition, .from = e->operand[i + 1]};
        list_push(r->a, list, c);
        if (decided) return known;
    }
    list_push(r->a, list, ((choice){.condition = SYM_NONE, .from = e->operand[e->count - 1]}));
    return known;
}

/* Whether a branch has the type and size of the first one. Integer and Real combine to Real. */
static bool branch_fits(model_reader *r, model_value *first, const choice *c)
{
    const model_value *v = &c->value;
    if (model_common_type(r, &first->type, v->type) && model_same_size(first, v)) return true;
    return model_error(r, c->from->at, "the branches differ: %s %s before, %s %s here",
                       "all branches of an if-expression have one type and size",
                       model_type_text(r, first->type), model_size_text(r, first),
                       model_type_text(r, v->type), model_size_text(r, v));
}

/* Evaluate each branch under its guards: its condition holds, and the conditions before it do not.
 */
static void evaluate_choices(model_reader *r, choices *list, bool *known)
{
    const model_guard *before = r->mode.guard;
    for (size_t i = 0; i < list->count; i++) {
        choice *c = &list->item[i];
        c->guard = (model_guard){c->condition, true, i ? &c[-1].guard : before};
        r->mode.guard = c->condition == SYM_NONE ? c->guard.outer : &c->guard;
        c->value = model_evaluate(r, c->from);
        c->guard.holds = false;
        *known = *known && c->value.type.base != TYPE_NONE;
    }
    r->mode.guard = before;
}

static model_value evaluate_if(model_reader *r, model_expression *e)
{
    choices list = {0};
    bool known = find_choices(r, e, &list);
    evaluate_choices(r, &list, &known);
    model_value first = list.item[0].value;
    for (size_t i = 1; known && i < list.count; i++) known = branch_fits(r, &first, &list.item[i]);
    if (!known) return model_none();
    if (list.count == 1) return first;
    model_value *value = arena_array(r->a, list.count, sizeof *value);
    sym *condition = arena_array(r->a, list.count, sizeof *condition);
    for (size_t i = 0; i < list.count; i++) {
        value[i] = list.item[i].value;
        condition[i] = list.item[i].condition;
    }
    return model_choose(r, e->at, first.type, list.count, condition, value);
}

bool model_too_deep(model_reader *r, model_span at)
{
    if (r->depth < MODEL_DEEPEST_EVALUATION) return false;
    model_error(r, at, "calls and conditions are nested too deeply here",
                "does a function call itself without end? Where it ends by a condition of time or "
                "variables, all its calls are written out: write a loop");
    r->exhausted = true;
    return true;
}

/* (e)[i]. Where f has several outputs, of which the first is a scalar, (f(x))[i] is the i-th of
 * them: so printers of flat models write it. */
static model_value evaluate_element(model_reader *r, model_expression *e)
{
    const model_expression *of = e->operand[0], *i = e->operand[1];
    bool own = of->kind == EXPRESSION_CALL && of->call->own && e->count == 2;
    if (own && i->kind == EXPRESSION_NUMBER) {
        size_t count;
        const model_value *output = model_call_outputs(r, e->operand[0], &count);
        bool which = output && count > 1 && output[0].rank == 0 && i->number >= 1;
        if (which && i->number <= (double)count) return output[(size_t)i->number - 1];
    }
    model_expression *named = model_named_element(r, e); /* others may have no value yet */
    if (named) return model_evaluate(r, named);
    model_value v = model_evaluate(r, e->operand[0]);
    if (v.type.base == TYPE_NONE) return v;
    return model_subscript(r, &v, e->count - 1, e->operand + 1, e);
}

static model_value dispatch(model_reader *r, model_expression *e)
{
    switch (e->kind) {
    case EXPRESSION_NUMBER: return model_number(r, e->whole ? TYPE_INTEGER : TYPE_REAL, e->number);
    case EXPRESSION_TRUTH: return model_number(r, TYPE_BOOLEAN, e->whole);
    case EXPRESSION_STRING: return model_number(r, TYPE_STRING, e->name);
    case EXPRESSION_REFERENCE: return evaluate_reference(r, e);
    case EXPRESSION_CALL:
        if (e->call->input) return model_call_input(r, e);
        if (e->call->own) return model_call_function(r, e);
        if (e->call->literal_of) return model_literal_of_number(r, e);
        return e->call->builtin ? model_call_builtin(r, e) : model_none();
    case EXPRESSION_FUNCTION: return without_arguments(r, e);
    case EXPRESSION_SUM: return model_sum(r, e);
    case EXPRESSION_PRODUCT: return model_product(r, e);
    case EXPRESSION_POWER: return model_power(r, e);
    case EXPRESSION_RELATION: return evaluate_relation(r, e);
    case EXPRESSION_AND:
    case EXPRESSION_OR:
    case EXPRESSION_NOT: return model_logic(r, e);
    case EXPRESSION_IF: return evaluate_if(r, e);
    case EXPRESSION_RANGE: return model_build_range(r, e);
    case EXPRESSION_ARRAY: return model_build_array(r, e);
    case EXPRESSION_MATRIX: return model_build_matrix(r, e);
    case EXPRESSION_SUBSCRIPT: return evaluate_element(r, e);
    case EXPRESSION_MEMBER: return model_member_value(r, e);
    case EXPRESSION_RECORD: return model_anonymous_value(r, e);
    case EXPRESSION_END:
        return r->mode.has_end ? model_number(r, TYPE_INTEGER, (double)r->mode.end) : model_none();
    case EXPRESSION_TUPLE:
        return model_fail(r, e->at,
                          "a list in parentheses is allowed only to the left of a function call",
                          "the elements of an array are written in braces: {a, b}");
    default: return model_none();
    }
}

model_value model_evaluate(model_reader *r, model_expression *e)
{
    if (r->exhausted || model_too_deep(r, e->at)) return model_none();
    r->depth++;
    model_value v = dispatch(r, e);
    r->depth--;
    return v;
}
