#include "symbolic/lists.h"

#include "symbolic/graph.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

const sym_list *sym_list_of(const sym_graph *g, uint32_t list)
{
    return &g->lists.of.item[list];
}

uint32_t sym_new_list(sym_graph *g, size_t count, const double *value)
{
    for (uint32_t k = 0; k < g->lists.of.count; k++) {
        const sym_list *l = sym_list_of(g, k);
        if (l->count == count && memcmp(l->value, value, count * sizeof *value) == 0) return k;
    }
    sym_list added = {count, arena_duplicate(g->home, value, count, sizeof *value)};
    list_push(g->home, &g->lists.of, added);
    return (uint32_t)(g->lists.of.count - 1);
}

static double element(const sym_list *l, double number)
{
    double last = (double)(l->count - 1), nearest = rint(number);
    if (isnan(number)) return number;
    return l->value[(size_t)fmin(fmax(nearest, 0), last)];
}

/* How many of the ascending numbers are not above x. */
static double interval(const sym_list *l, double x)
{
    size_t low = 0, high = l->count;
    if (isnan(x)) return x;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->value[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return (double)low;
}

double sym_choose(const sym_list *l, sym_op op, double argument)
{
    return op == SYM_ELEMENT ? element(l, argument) : interval(l, argument);
}

bool sym_chooses(sym_op op)
{
    return op == SYM_ELEMENT || op == SYM_INTERVAL;
}

double sym_list_largest(const sym_list *l)
{
    double largest = 0;
    for (size_t i = 0; i < l->count; i++) largest = fmax(largest, fabs(l->value[i]));
    return largest;
}

static sym choose(sym_graph *g, sym_op op, uint32_t list, sym argument)
{
    double number;
    if (sym_is_number(g, argument, &number))
        return sym_number(g, sym_choose(sym_list_of(g, list), op, number));
    return sym_intern(g, op, list, 1, &argument, NULL);
}

sym sym_element(sym_graph *g, uint32_t list, sym number)
{
    const sym_list *l = sym_list_of(g, list);
    bool alike = true;
    for (size_t i = 1; i < l->count && alike; i++) alike = l->value[i] == l->value[0];
    return alike ? sym_number(g, l->value[0]) : choose(g, SYM_ELEMENT, list, number);
}

sym sym_interval(sym_graph *g, uint32_t list, sym x)
{
    return choose(g, SYM_INTERVAL, list, x);
}
