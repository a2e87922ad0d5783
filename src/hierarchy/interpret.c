/* Functions of numbers whose values decide what the flat model has: their statements are carried
 * out. */
#include "hierarchy/tree.h"

#include <math.h>
#include <string.h>

enum { MOST_STATEMENTS = 10000000 }; /* of all functions in one flattening */

typedef struct run {
    hier *h;
    const hier_env *caller;
    const model_expression *call;
    hier_env env; /* of the function: its variables are bound names */
    enum { RUN_ON, RUN_BROKEN, RUN_RETURNED, RUN_FAILED } state;
} run;

static void fail(run *r, const char *why)
{
    if (r->state != RUN_FAILED) hier_no_value(r->h, r->caller, r->call, why);
    r->state = RUN_FAILED;
}

static hier_value_kind kind_of(hier *h, const hier_env *env, const model_declaration *d)
{
    hier_type type = {0};
    if (d->dimensions > 0 || !hier_type_of(h, env, d, &type) || type.size.count)
        return HIER_NO_VALUE;
    switch (type.base) {
    case TYPE_REAL: return HIER_REAL;
    case TYPE_INTEGER: return HIER_INTEGER;
    case TYPE_BOOLEAN: return HIER_BOOLEAN;
    default: return HIER_NO_VALUE;
    }
}

static bool set(hier_bound *b, const hier_value *v)
{
    bool number = v->kind == HIER_INTEGER || v->kind == HIER_REAL;
    bool fits = b->kind == HIER_BOOLEAN ? v->kind == HIER_BOOLEAN : number;
    if (b->kind == HIER_INTEGER && v->number != floor(v->number)) fits = false;
    b->known = fits;
    b->value = v->number;
    return fits;
}

static hier_bound *variable(const hier_env *env, uint32_t name)
{
    for (hier_bound *b = (hier_bound *)env->bound; b; b = (hier_bound *)b->outer)
        if (b->name == name) return b;
    return NULL;
}

static void execute(run *r, const hier_env *env, const model_clauses *list);

static void assign(run *r, const hier_env *env, const model_clause *c)
{
    const model_expression *left = c->left;
    bool plain = left->kind == EXPRESSION_REFERENCE && !left->reference->path.first.next &&
                 !left->reference->path.first.count;
    hier_bound *b = plain ? variable(env, left->reference->path.first.name) : NULL;
    hier_value v;
    if (!b || !b->kind)
        fail(r, "functions that are evaluated here assign to variables of their own, without "
                "subscripts");
    else if (!hier_evaluate(r->h, env, c->right, &v))
        r->state = RUN_FAILED;
    else if (!set(b, &v))
        fail(r, "a value in the function has another type than its variable");
}

static void repeat(run *r, const hier_env *env, const model_clause *c)
{
    bool truth;
    while (r->state == RUN_ON) {
        if (++r->h->statements > MOST_STATEMENTS) fail(r, "the function takes too many steps");
        if (r->state != RUN_ON) return;
        if (!hier_truth(r->h, env, c->branch.item[0].condition, &truth)) r->state = RUN_FAILED;
        if (r->state == RUN_ON && !truth) return;
        if (r->state == RUN_ON) execute(r, env, &c->branch.item[0].body);
    }
    if (r->state == RUN_BROKEN) r->state = RUN_ON;
}

static void run_over(run *r, const hier_env *env, const model_clause *c, size_t level)
{
    if (level == c->iterator.count) {
        execute(r, env, &c->branch.item[0].body);
        return;
    }
    hier_numbers list = {0};
    if (!hier_range(r->h, env, c->iterator.item[level].range, &list)) r->state = RUN_FAILED;
    hier_env inner = *env;
    for (size_t k = 0; k < list.count && r->state == RUN_ON; k++) {
        hier_bound b = hier_bound_to(&list, k, c->iterator.item[level].name, env->bound);
        inner.bound = &b;
        run_over(r, &inner, c, level + 1);
    }
}

static void choose(run *r, const hier_env *env, const model_clause *c)
{
    for (size_t k = 0; k < c->branch.count && r->state == RUN_ON; k++) {
        const model_branch *b = &c->branch.item[k];
        bool truth = true;
        if (b->condition && !hier_truth(r->h, env, b->condition, &truth)) r->state = RUN_FAILED;
        if (!truth || r->state != RUN_ON) continue;
        execute(r, env, &b->body);
        return;
    }
}

static void execute(run *r, const hier_env *env, const model_clauses *list)
{
    for (size_t i = 0; i < list->count && r->state == RUN_ON; i++) {
        const model_clause *c = list->item[i];
        if (++r->h->statements > MOST_STATEMENTS) fail(r, "the function takes too many steps");
        switch (c->kind) {
        case CLAUSE_ASSIGNMENT: assign(r, env, c); break;
        case CLAUSE_IF: choose(r, env, c); break;
        case CLAUSE_WHILE: repeat(r, env, c); break;
        case CLAUSE_FOR:
            run_over(r, env, c, 0);
            if (r->state == RUN_BROKEN) r->state = RUN_ON;
            break;
        case CLAUSE_BREAK: r->state = RUN_BROKEN; break;
        case CLAUSE_RETURN: r->state = RUN_RETURNED; break;
        case CLAUSE_CALL: break; /* assert */
        default: fail(r, "the function has a statement that is not evaluated here");
        }
    }
}

/* The value of an argument, by its place or name, or the default; false: there is none. */
static bool begin(run *r, const model_declaration *d, uint32_t *next, hier_bound *b)
{
    const model_expression *given = NULL, *e = r->call;
    hier_value v;
    bool input = d->direction == DIRECTION_INPUT;
    for (uint32_t k = 0; input && e->call->argument && k < e->count; k++)
        if (e->call->argument[k] == d->name) given = e->operand[k];
    bool positional = *next < e->count &&
                      (!e->call->argument || e->call->argument[*next] == NAMES_NONE);
    if (input && !given && positional) given = e->operand[(*next)++];
    const hier_env *env = given ? r->caller : &r->env;
    if (!given) given = d->binding;
    if (!given) return !input;
    return hier_evaluate(r->h, env, given, &v) && set(b, &v);
}

bool hier_call(hier *h, const hier_env *env, const model_expression *e, hier_class *f,
               hier_value *v)
{
    run r = {.h = h, .caller = env, .call = e, .env = hier_class_env(h, f)};
    const model_declaration *result = NULL;
    uint32_t next = 0;
    if (h->value_depth >= HIER_DEEPEST_VALUE)
        return hier_no_value(h, env, e, "functions call each other too deeply");
    if (f->text->extension.count || f->text->base || f->text->algorithm.count != 1)
        return hier_no_value(h, env, e, "functions that are evaluated here have one algorithm");
    for (size_t i = 0; i < f->text->declaration.count; i++) {
        const model_declaration *d = f->text->declaration.item[i];
        hier_bound *b = arena_take(h->a, sizeof *b);
        *b = (hier_bound){.name = d->name, .outer = r.env.bound, .kind = kind_of(h, &r.env, d)};
        if (!b->kind)
            return hier_no_value(h, env, e,
                                 "functions that are evaluated here have numbers, Booleans, and no "
                                 "arrays");
        h->value_depth++;
        bool begun = begin(&r, d, &next, b);
        h->value_depth--;
        if (!begun) return hier_no_value(h, env, e, "an argument has no fitting value");
        r.env.bound = b;
        if (d->direction == DIRECTION_OUTPUT && !result) result = d;
    }
    h->value_depth++;
    execute(&r, &r.env, &f->text->algorithm.item[0].statement);
    h->value_depth--;
    if (r.state == RUN_FAILED) return false;
    const hier_bound *b = result ? variable(&r.env, result->name) : NULL;
    if (!b || !b->known) return hier_no_value(h, env, e, "the function gives no value");
    *v = (hier_value){b->kind, b->value, b->of};
    return true;
}
