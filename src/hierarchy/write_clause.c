/* Equations and statements of the flat text. */
#include "hierarchy/tree.h"

static void write_clause(hier *h, const hier_env *env, const model_clause *c, int indent);

static void begin(hier *h, int indent, const char *word)
{
    text_spaces(h->out, 2 * (size_t)indent);
    text_add(h->out, word);
}

static void write_simple(hier *h, const hier_env *env, const model_clause *c, int indent)
{
    begin(h, indent, "");
    hier_write_expression(h, env, c->left);
    if (c->right) {
        text_add(h->out, c->kind == CLAUSE_ASSIGNMENT ? " := " : " = ");
        hier_write_expression(h, env, c->right);
    }
    hier_write_table(h);
    text_add(h->out, ";");
    hier_end_line(h, env, c->at);
}

static void write_end(hier *h, const hier_env *env, const model_clause *c, int indent,
                      const char *word)
{
    begin(h, indent, word);
    hier_end_line(h, env, c->at);
}

/* The branch of an if with connections that is taken. Its condition is known. */
static void choose_branch(hier *h, const hier_env *env, const model_clause *c, int indent)
{
    for (size_t i = 0; i < c->branch.count; i++) {
        const model_branch *b = &c->branch.item[i];
        bool is = true;
        if (b->condition && !hier_truth(h, env, b->condition, &is)) return;
        if (!is) continue;
        hier_write_clauses(h, env, &b->body, indent);
        return;
    }
}

/* if and when */
static void write_branches(hier *h, const hier_env *env, const model_clause *c, int indent)
{
    bool when = c->kind == CLAUSE_WHEN;
    for (size_t i = 0; i < c->branch.count; i++) {
        const model_branch *b = &c->branch.item[i];
        if (when && hier_has_connect(&b->body))
            hier_error(h, env, c->at, "connections hold always: move it out of the when",
                       "a connection in a when");
        begin(h, indent, !b->condition ? "else" : i ? "else" : "");
        if (b->condition) {
            text_add(h->out, when ? "when " : "if ");
            hier_write_expression(h, env, b->condition);
            text_add(h->out, " then");
        }
        hier_end_line(h, env, b->at);
        hier_write_clauses(h, env, &b->body, indent + 1);
    }
    write_end(h, env, c, indent, when ? "end when;" : "end if;");
}

static bool leaves(const model_clauses *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const model_clause *c = list->item[i];
        if (c->kind == CLAUSE_BREAK || c->kind == CLAUSE_RETURN) return true;
        for (size_t k = 0; k < c->branch.count; k++)
            if (leaves(&c->branch.item[k].body)) return true;
    }
    return false;
}

/* All steps of a loop, from iterator k on. */
static void write_steps(hier *h, const hier_env *env, const model_clause *c, size_t k, int indent)
{
    const model_clauses *body = &c->branch.item[0].body;
    if (k == c->iterator.count) {
        hier_write_clauses(h, env, body, indent);
        return;
    }
    hier_numbers range = {0};
    const model_iterator *i = &c->iterator.item[k];
    if (!hier_range(h, env, i->range, &range)) return;
    for (size_t s = 0; s < range.count; s++) {
        hier_bound b = hier_bound_to(&range, s, i->name, env->bound);
        hier_env inner = *env;
        inner.bound = &b;
        write_steps(h, &inner, c, k + 1, indent);
    }
}

static void write_for(hier *h, const hier_env *env, const model_clause *c, int indent)
{
    if (hier_is_unrolled(h, env, c)) {
        if (leaves(&c->branch.item[0].body))
            hier_error(h, env, c->at, "write the loop without break and return",
                       "a loop over components that ends early");
        write_steps(h, env, c, 0, indent);
        return;
    }
    hier_env inner = hier_bind(h, env, &c->iterator);
    begin(h, indent, "for ");
    for (size_t i = 0; i < c->iterator.count; i++) {
        if (i > 0) text_add(h->out, ", ");
        hier_write_word(h, c->iterator.item[i].name);
        text_add(h->out, " in ");
        hier_write_expression(h, &inner, c->iterator.item[i].range);
    }
    text_add(h->out, " loop");
    hier_end_line(h, env, c->at);
    hier_write_clauses(h, &inner, &c->branch.item[0].body, indent + 1);
    write_end(h, env, c, indent, "end for;");
}

static void write_while(hier *h, const hier_env *env, const model_clause *c, int indent)
{
    begin(h, indent, "while ");
    hier_write_expression(h, env, c->branch.item[0].condition);
    text_add(h->out, " loop");
    hier_end_line(h, env, c->at);
    hier_write_clauses(h, env, &c->branch.item[0].body, indent + 1);
    write_end(h, env, c, indent, "end while;");
}

static void write_clause(hier *h, const hier_env *env, const model_clause *c, int indent)
{
    switch (c->kind) {
    case CLAUSE_CONNECT: hier_connect(h, env, c); break;
    case CLAUSE_IF: {
        bool connects = false;
        for (size_t i = 0; i < c->branch.count && !connects; i++)
            connects = hier_has_connect(&c->branch.item[i].body);
        if (connects)
            choose_branch(h, env, c, indent);
        else
            write_branches(h, env, c, indent);
        break;
    }
    case CLAUSE_WHEN: write_branches(h, env, c, indent); break;
    case CLAUSE_FOR: write_for(h, env, c, indent); break;
    case CLAUSE_WHILE: write_while(h, env, c, indent); break;
    case CLAUSE_BREAK: write_end(h, env, c, indent, "break;"); break;
    case CLAUSE_RETURN: write_end(h, env, c, indent, "return;"); break;
    default: write_simple(h, env, c, indent);
    }
}

void hier_write_clauses(hier *h, const hier_env *env, const model_clauses *list, int indent)
{
    for (size_t i = 0; i < list->count; i++) write_clause(h, env, list->item[i], indent);
}
