/* Algorithms, run symbolically. */
#include "model/builtin.h"
#include "model/discrete.h"
#include "model/evaluator.h"
#include "model/flatten.h"
#include "model/record.h"
#include "symbolic/simplify.h"

#include <string.h>

/* The variables that statements assign to, each once. */
typedef struct assigned_to {
    const model_meaning **item;
    size_t count, capacity;
    uint32_t mark; /* the mark of symbols in the list */
} assigned_to;

/* The storage of a variable's value while an algorithm runs; NULL if it has none. */
static model_value *storage(model_reader *r, const model_meaning *m)
{
    if (m->kind == MEANS_LOCAL && m->symbol) return &r->mode.frame[m->number];
    return m->kind == MEANS_SYMBOL ? m->symbol->shadow : NULL;
}

static void add_target(model_reader *r, const model_meaning *m, assigned_to *targets)
{
    const model_symbol *s = m->symbol;
    for (size_t i = 0; i < s->member.count; i++) {
        model_meaning member = {
            .kind = m->kind, .number = s->member.item[i]->slot, .symbol = s->member.item[i]};
        add_target(r, arena_duplicate(r->a, &member, 1, sizeof member), targets);
    }
    if (s->type.base == TYPE_RECORD || s->mark == targets->mark) return;
    m->symbol->mark = targets->mark;
    list_push(r->a, targets, m);
}

/* Whether a left side is a list of variables: a tuple, or what record_gather.c and flat_name.c have
 * made of a name. */
static bool is_list(const model_expression *left)
{
    return left->kind == EXPRESSION_TUPLE || left->kind == EXPRESSION_RECORD ||
           (left->kind == EXPRESSION_ARRAY && !left->iterator);
}

static void find_target(model_reader *r, const model_expression *left, assigned_to *targets)
{
    if (!left) return;
    for (uint32_t i = 0; is_list(left) && i < left->count; i++)
        find_target(r, left->operand[i], targets);
    if (left->kind == EXPRESSION_SUBSCRIPT) find_target(r, left->operand[0], targets);
    if (left->kind != EXPRESSION_REFERENCE) return;
    const model_meaning *m = &left->reference->meaning;
    bool variable = (m->kind == MEANS_LOCAL || m->kind == MEANS_SYMBOL) && m->symbol;
    if (variable) add_target(r, m, targets);
}

static void find_targets(model_reader *r, const model_clauses *list, assigned_to *targets)
{
    for (size_t i = 0; i < list->count; i++) {
        const model_clause *c = list->item[i];
        if (c->kind == CLAUSE_ASSIGNMENT) find_target(r, c->left, targets);
        for (size_t k = 0; k < c->branch.count; k++)
            find_targets(r, &c->branch.item[k].body, targets);
    }
}

typedef LIST(model_value *) stored;

/* The values of all variables that the branches of a clause assign to, from the k-th one on. */
static stored values_of(model_reader *r, const model_clause *c, size_t k)
{
    assigned_to targets = {.mark = ++r->marks};
    stored list = {0};
    for (; k < c->branch.count; k++) find_targets(r, &c->branch.item[k].body, &targets);
    for (size_t i = 0; i < targets.count; i++) {
        model_value *v = storage(r, targets.item[i]);
        if (v) list_push(r->a, &list, v);
    }
    return list;
}

/* Take the values of all variables that a clause assigns to, because the clause cannot be run
 * (already reported). */
static void give_up(model_reader *r, const model_clause *c)
{
    stored list = values_of(r, c, 0);
    for (size_t i = 0; i < list.count; i++) *list.item[i] = model_none();
}

/* A copy of a value with its own elements. */
static model_value copy_value(model_reader *r, const model_value *v)
{
    model_value copy = *v;
    sym *element = model_new_elements(r, &copy);
    for (size_t i = 0; i < v->count; i++) element[i] = model_element(v, i);
    r->work += v->rank ? v->count : 0;
    return copy;
}

void model_assign(model_reader *r, model_span at, const model_symbol *s, model_value *target,
                  model_value *value)
{
    bool known = value->type.base != TYPE_NONE && target->type.base != TYPE_NONE &&
                 model_convert(r, at, s->name, s->type, value);
    bool open = known && model_has_open_size(s) && value->rank == target->rank;
    known = known && (open || model_size_fits(r, at, s->name, target, value));
    *target = known ? copy_value(r, value) : model_none();
}

/* Store a value at `target`, that of the variable `m`, or in elements of it. */
static void store(model_reader *r, model_clause *c, model_expression *left, const model_meaning *m,
                  model_value *target, model_value *value)
{
    const model_part *part = left->reference->part;
    m->symbol->assigned = c;
    if (!part->count) {
        model_assign(r, left->at, m->symbol, target, value);
        return;
    }
    bool known = value->type.base != TYPE_NONE && target->type.base != TYPE_NONE &&
                 model_convert(r, left->at, m->symbol->name, target->type, value) &&
                 model_assign_part(r, target, part->count, part->subscript, left, value);
    if (!known) *target = model_none();
}

/* Assign to all components of a record, except for those of the model that keep their values. */
static void assign_record(model_reader *r, model_clause *c, model_expression *left,
                          const model_meaning *m, model_value value)
{
    const model_symbol *s = m->symbol;
    bool known = value.type.base != TYPE_NONE &&
                 model_convert(r, left->at, s->name, s->type, &value);
    if (s->input || s->declaration->variability >= VARIABILITY_PARAMETER) {
        model_error(r, left->at, "%s is %s and cannot be assigned to",
                    "introduce a protected variable for it", s->name,
                    s->input ? "an input of the function" : "a parameter");
        return;
    }
    for (size_t i = 0; i < s->member.count; i++) {
        model_symbol *member = s->member.item[i];
        model_meaning to = {.kind = m->kind, .number = member->slot, .symbol = member};
        model_value part = known ? value.member[i] : model_none();
        if (member->type.base == TYPE_RECORD) {
            assign_record(r, c, left, &to, part);
            continue;
        }
        model_value *target = storage(r, &to);
        bool kept = m->kind == MEANS_SYMBOL &&
                    member->declaration->variability >= VARIABILITY_PARAMETER;
        if (target && !kept) store(r, c, left, &to, target, &part);
    }
}

static void assign(model_reader *r, model_clause *c, model_expression *left, model_value value);

/* Whether a component of a record in the model is a constant or a parameter. */
static bool keeps_value(const model_expression *e)
{
    const model_meaning *m = e->kind == EXPRESSION_REFERENCE ? &e->reference->meaning : NULL;
    return m && m->kind == MEANS_SYMBOL &&
           m->symbol->declaration->variability >= VARIABILITY_PARAMETER;
}

/* Assign to the variables that make up an array or record. */
static void assign_each(model_reader *r, model_clause *c, model_expression *left,
                        const model_value *value)
{
    bool record = left->kind == EXPRESSION_RECORD, known = value->type.base != TYPE_NONE;
    bool fits = record ? model_same_type(r, (model_type){TYPE_RECORD, left->record}, value->type) &&
                             !value->rank
                       : value->rank && value->size[0] == left->count;
    if (known && !fits)
        model_error(r, left->at, "%s and its value, which is %s %s, do not fit",
                    "assign a value of the same type and size", model_shown(r, left),
                    model_type_text(r, value->type), model_size_text(r, value));
    for (size_t i = 0; i < left->count; i++) {
        model_value part = model_none(), one = {.count = 1};
        if (record && keeps_value(left->operand[i])) continue;
        if (fits && known)
            part = record ? *model_component(r, value, left->record->declaration.item[i]->name)
                          : model_take(r, value, 1, &one, &i);
        assign(r, c, left->operand[i], part);
    }
}

/* Whether an initial algorithm finds a parameter, which has fixed = false. */
static bool is_found(const model_reader *r, const model_symbol *s)
{
    return r->mode.initial && !r->mode.run->function && s->leaf;
}

/* Assign to `left`, a variable or elements of it, in the statement `c`. */
static void assign(model_reader *r, model_clause *c, model_expression *left, model_value value)
{
    if (left->kind == EXPRESSION_NONE) return; /* omitted in a tuple */
    if (left->kind != EXPRESSION_TUPLE && is_list(left)) {
        assign_each(r, c, left, &value);
        return;
    }
    model_expression *element = model_named_element(r, left);
    if (element) {
        assign(r, c, element, value);
        return;
    }
    const model_meaning *m = left->kind == EXPRESSION_REFERENCE ? &left->reference->meaning : NULL;
    if (m && m->kind == MEANS_NOTHING) return;
    bool variable = m && (m->kind == MEANS_LOCAL || m->kind == MEANS_SYMBOL) && m->symbol;
    if (variable && m->symbol->type.base == TYPE_RECORD) {
        assign_record(r, c, left, m, value);
        return;
    }
    model_value *target = m ? storage(r, m) : NULL;
    if (!target) {
        model_error(r, left->at, "%s cannot be assigned to",
                    "the left side of := is a variable of the algorithm, or an element of one",
                    model_shown(r, left));
        return;
    }
    bool parameter = m->symbol->declaration->variability >= VARIABILITY_PARAMETER;
    if (m->symbol->input || (parameter && !is_found(r, m->symbol))) {
        bool initial = parameter && r->mode.initial && !r->mode.run->function;
        model_error(r, left->at, "%s is %s and cannot be assigned to",
                    initial ? "give it fixed = false, and it is found at the start"
                            : "introduce a protected variable for it",
                    m->symbol->name, m->symbol->input ? "an input of the function" : "a parameter");
        return;
    }
    store(r, c, left, m, target, &value);
}

static void execute_assignment(model_reader *r, model_clause *c)
{
    if (c->left->kind != EXPRESSION_TUPLE) {
        assign(r, c, c->left, model_evaluate(r, c->right));
        return;
    }
    size_t count;
    const model_value *output = model_results(r, c->right, &count);
    if (output && c->left->count > count)
        model_error(r, c->left->at, "%u results are assigned, the function has %zu",
                    "leave out the surplus ones", (unsigned)c->left->count, count);
    for (uint32_t i = 0; i < c->left->count; i++)
        assign(r, c, c->left->operand[i], output && i < count ? output[i] : model_none());
}

static void execute_call(model_reader *r, model_clause *c)
{
    model_expression *call = c->left;
    const char *name = call->call->builtin ? call->call->builtin->name : "";
    if (strcmp(name, "assert") == 0) {
        model_assert(r, call);
    } else if (strcmp(name, "terminate") == 0) {
        model_terminate(r, call);
    } else if (strcmp(name, "reinit") == 0) {
        model_reinit(r, call);
    } else if (call->call->own) {
        size_t count;
        model_call_outputs(r, call, &count);
    } else if (call->call->builtin) {
        model_refuse(r, call->at, name, "%s() as a statement is not supported yet", NULL, name);
    }
}

static bool stopped(const model_reader *r)
{
    return r->mode.run->returned || r->mode.run->broken || r->exhausted;
}

/* if condition then `yes` else `no`, element by element. An element without a value in one of them
 * has none. */
static model_value merge(model_reader *r, model_span at, sym condition, const model_value *yes,
                         const model_value *no)
{
    if (yes->type.base == TYPE_NONE || no->type.base == TYPE_NONE) return model_none();
    if (!model_same_size(yes, no))
        return model_fail(r, at, "sizes differ between the branches: %s and %s",
                          "assign values of one size in all branches", model_size_text(r, yes),
                          model_size_text(r, no));
    model_value v = *no;
    sym *element = model_new_elements(r, &v);
    r->work += v.rank ? v.count : 0;
    for (size_t i = 0; i < v.count; i++) {
        sym a = model_element(yes, i), b = model_element(no, i);
        bool known = a != SYM_NONE && b != SYM_NONE;
        element[i] = known ? sym_if(r->graph, condition, a, b) : SYM_NONE;
    }
    return v;
}

static void execute_branches(model_reader *r, const model_clause *c, size_t k);
static void execute_while(model_reader *r, const model_clause *c);

/* Execute branch `k`. In a when-clause all is discrete (Modelica 3.6, Sec. 3.8.4). */
static void execute_branch(model_reader *r, const model_clause *c, size_t k)
{
    const model_clause *outer = r->mode.when;
    bool when = c->kind == CLAUSE_WHEN;
    if (when) r->mode.when = c;
    r->mode.no_event += when;
    model_execute(r, &c->branch.item[k].body);
    if (c->kind == CLAUSE_WHILE) execute_while(r, c);
    r->mode.no_event -= when;
    r->mode.when = outer;
}

/* Execute both ways at branch `k`, whose condition is not a number, and merge the assigned values.
 */
static void execute_both(model_reader *r, const model_clause *c, size_t k, sym condition)
{
    bool guarded = r->mode.run->guarded;
    model_guard guard = {.condition = condition, .holds = true, .outer = r->mode.guard};
    stored list = values_of(r, c, k);
    model_value *old = arena_array(r->a, list.count, sizeof *old);
    model_value *yes = arena_array(r->a, list.count, sizeof *yes);
    for (size_t i = 0; i < list.count; i++) old[i] = copy_value(r, list.item[i]);
    r->mode.run->guarded = true;
    r->mode.guard = &guard;
    execute_branch(r, c, k);
    for (size_t i = 0; i < list.count; i++) {
        yes[i] = *list.item[i];
        *list.item[i] = old[i];
    }
    guard.holds = false;
    execute_branches(r, c, k + 1);
    for (size_t i = 0; i < list.count; i++)
        *list.item[i] = merge(r, c->at, condition, &yes[i], list.item[i]);
    r->mode.run->guarded = guarded;
    r->mode.guard = guard.outer;
}

/* The branches of an if or when from the k-th on. */
static void execute_branches(model_reader *r, const model_clause *c, size_t k)
{
    for (; k < c->branch.count; k++) {
        const model_branch *b = &c->branch.item[k];
        double number = 1;
        sym condition = SYM_NONE;
        if (b->condition) {
            condition = c->kind == CLAUSE_WHEN ? model_when_condition(r, b->condition)
                                               : model_condition(r, b->condition);
            if (condition == SYM_NONE) {
                give_up(r, c);
                return;
            }
        }
        if (condition != SYM_NONE && !sym_is_number(r->graph, condition, &number)) {
            if (++r->depth < MODEL_DEEPEST_EVALUATION)
                execute_both(r, c, k, condition);
            else
                model_error(r, b->at, "conditions are nested too deeply", NULL);
            r->depth--;
            return;
        }
        if (number == 0) continue;
        execute_branch(r, c, k);
        return;
    }
}

/* A loop whose condition changes with time is written out in so many rounds. */
enum { MOST_ROUNDS = 50 };

/* Whether the condition of a loop is known; if it is not, a further round is written out. */
static bool write_round(model_reader *r, const model_clause *c, sym condition)
{
    model_run *run = r->mode.run;
    double known;
    if (sym_is_number(r->graph, condition, &known)) return false;
    if (run->rounds < MOST_ROUNDS) {
        run->rounds++;
        execute_both(r, c, 0, condition);
        run->rounds--;
        return true;
    }
    const char *said = arena_format(r->home, "a loop has ended after %d rounds: while %s",
                                    MOST_ROUNDS, model_shown(r, c->branch.item[0].condition));
    model_add_assertion(r, (sym_assertion){.condition = sym_not(r->graph, condition),
                                           .message = said,
                                           .at = model_place(&r->source, c->at)});
    return true;
}

/* Each round is work, so that an endless loop ends. */
static void execute_while(model_reader *r, const model_clause *c)
{
    double goes_on = 1;
    while (!stopped(r) && model_spend(r, c->at, MODEL_CALL)) {
        r->mode.no_event++; /* as it stands: the end of an iteration is no event */
        sym condition = model_condition(r, c->branch.item[0].condition);
        r->mode.no_event--;
        if (condition == SYM_NONE) give_up(r, c);
        if (condition == SYM_NONE || write_round(r, c, condition)) return;
        sym_is_number(r->graph, condition, &goes_on);
        if (goes_on == 0) return;
        model_execute(r, &c->branch.item[0].body);
    }
}

static void execute_body(model_reader *r, void *context)
{
    const model_clause *c = context;
    if (stopped(r)) return;
    model_execute(r, &c->branch.item[0].body);
}

/* Whether a when may stand here; if not, it is reported (Modelica 3.6, Sec. 11.2.7.1). */
static bool may_stand(model_reader *r, const model_clause *c)
{
    if (r->mode.run->function)
        return model_error(r, c->at, "a when is not allowed in a function", "use an if");
    return model_may_use_when(r, c);
}

/* break and return. They are allowed only where it is known whether they are reached. */
static void execute_jump(model_reader *r, const model_clause *c)
{
    const char *word = c->kind == CLAUSE_BREAK ? "break" : "return";
    if (r->mode.run->guarded) {
        model_refuse(r, c->at, word,
                     "%s under a condition that changes with time is not supported yet",
                     "move the remaining statements into an else", word);
    } else if (c->kind == CLAUSE_BREAK)
        r->mode.run->broken = true;
    else
        r->mode.run->returned = true;
}

static void execute(model_reader *r, model_clause *c)
{
    switch (c->kind) {
    case CLAUSE_ASSIGNMENT: execute_assignment(r, c); break;
    case CLAUSE_CALL: execute_call(r, c); break;
    case CLAUSE_IF: execute_branches(r, c, 0); break;
    case CLAUSE_FOR:
        if (!model_iterate(r, &c->iterator, false, execute_body, c)) give_up(r, c);
        r->mode.run->broken = false;
        break;
    case CLAUSE_WHILE:
        execute_while(r, c);
        r->mode.run->broken = false;
        break;
    case CLAUSE_WHEN:
        if (may_stand(r, c))
            execute_branches(r, c, 0);
        else
            give_up(r, c);
        break;
    default: execute_jump(r, c);
    }
}

void model_execute(model_reader *r, const model_clauses *list)
{
    if (list->count && model_too_deep(r, list->item[0]->at)) return;
    r->depth++;
    for (size_t i = 0; i < list->count && !stopped(r); i++)
        if (model_spend(r, list->item[i]->at, MODEL_STEP)) execute(r, list->item[i]);
    r->depth--;
}

/* Algorithm sections of the model. They are run once and give an equation for each assigned
 * variable: it equals its final value. */

/* Give a symbol room for its value while the algorithm runs. At first an element that is discrete
 * has its value before the event, and another one none (Modelica 3.6, Sec. 11.1.2). */
static void open_shadow(model_reader *r, model_symbol *s)
{
    model_value v = model_symbol_value(r, s);
    if (v.type.base == TYPE_NONE) return;
    s->shadow = arena_take(r->a, sizeof *s->shadow);
    *s->shadow = v;
    sym *element = model_new_elements(r, s->shadow);
    for (size_t i = 0; i < v.count; i++) {
        uint32_t variable = model_declared_of(r, model_element(&v, i), false);
        element[i] = variable == MODEL_NO_VARIABLE ? SYM_NONE : model_before_leaf(r, variable);
    }
}

/* Emit v = final value for all assigned elements. */
static void emit_final(model_flattening *f, model_symbol *s, const model_value *final)
{
    model_reader *r = f->r;
    model_value lhs = model_symbol_value(r, s);
    if (final->type.base == TYPE_NONE) {
        r->unknown_value = s->declaration->at;
        return;
    }
    for (size_t i = 0; i < lhs.count; i++) {
        sym left = model_element(&lhs, i), right = model_element(final, i);
        uint32_t variable = model_declared_of(r, left, false);
        bool kept = variable != MODEL_NO_VARIABLE && right == model_before_leaf(r, variable);
        if (kept && !r->mode.initial) r->discrete.item[variable].kept = true;
        if (right == SYM_NONE || kept || (s->type.base != TYPE_REAL && !s->discrete)) continue;
        model_scalar_equation e = {
            .lhs = left, .rhs = right, .from = s->assigned, .defines = s->discrete};
        list_push(r->a, &f->list, e);
    }
}

void model_flatten_algorithm(model_flattening *f, const model_algorithm *section)
{
    model_reader *r = f->r;
    assigned_to targets = {.mark = ++r->marks};
    find_targets(r, &section->statement, &targets);
    for (size_t i = 0; i < targets.count; i++) open_shadow(r, targets.item[i]->symbol);
    model_run run = {.function = NULL};
    r->mode.run = &run;
    model_execute(r, &section->statement);
    r->mode.run = NULL;
    for (size_t i = 0; i < targets.count; i++) {
        model_symbol *s = targets.item[i]->symbol;
        if (!s->shadow) continue;
        model_value final = *s->shadow;
        s->shadow = NULL;
        emit_final(f, s, &final);
    }
}
