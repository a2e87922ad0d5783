#include "symbolic/discrete.h"

#include <string.h>

bool sym_has_discrete(const sym_discrete_part *d)
{
    return d->variable.count > 0 || d->sample.count > 0 || d->action.count > 0 ||
           d->watched.count > 0;
}

size_t sym_discrete_roots(arena *a, const sym_discrete_part *d, sym **roots)
{
    LIST(sym) all = {0};
    for (size_t i = 0; i < d->variable.count; i++)
        list_push(a, &all, d->variable.item[i].definition);
    for (size_t i = 0; i < d->initially.count; i++) list_push(a, &all, d->initially.item[i].value);
    for (size_t i = 0; i < d->action.count; i++) {
        const sym_action *x = &d->action.item[i];
        list_push(a, &all, x->condition);
        if (x->kind != SYM_TERMINATE) list_push(a, &all, x->value);
    }
    for (size_t i = 0; i < d->watched.count; i++) list_push(a, &all, d->watched.item[i].relation);
    *roots = all.item;
    return all.count;
}

sym_discrete_part sym_discrete_copy(arena *a, const sym_discrete_part *from)
{
    sym_discrete_part to = *from;
    list_copy(a, &to.variable, &from->variable);
    list_copy(a, &to.left, &from->left);
    list_copy(a, &to.sample, &from->sample);
    list_copy(a, &to.initially, &from->initially);
    list_copy(a, &to.action, &from->action);
    list_copy(a, &to.watched, &from->watched);
    for (size_t i = 0; i < to.variable.count; i++) {
        const char *name = from->variable.item[i].name;
        to.variable.item[i].name = arena_copy(a, name, strlen(name));
    }
    for (size_t i = 0; i < to.action.count; i++) {
        const char *message = from->action.item[i].message;
        if (message) to.action.item[i].message = arena_copy(a, message, strlen(message));
        to.action.item[i].said = sym_said_copy(a, from->action.item[i].said);
    }
    return to;
}

void sym_discrete_visit(sym_discrete_part *copy, sym_visit *visit, void *context)
{
    for (size_t i = 0; i < copy->variable.count; i++) {
        visit(context, &copy->variable.item[i].definition);
        visit(context, &copy->variable.item[i].step);
    }
    for (size_t i = 0; i < copy->sample.count; i++) {
        visit(context, &copy->sample.item[i].start);
        visit(context, &copy->sample.item[i].interval);
    }
    for (size_t i = 0; i < copy->initially.count; i++)
        visit(context, &copy->initially.item[i].value);
    for (size_t i = 0; i < copy->action.count; i++) {
        sym_action *x = &copy->action.item[i];
        visit(context, &x->condition);
        if (x->kind != SYM_TERMINATE) visit(context, &x->value);
        sym_said_visit(x->said, visit, context);
    }
    for (size_t i = 0; i < copy->watched.count; i++)
        visit(context, &copy->watched.item[i].relation);
}
