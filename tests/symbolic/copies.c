/* Copies of systems: their graph has what their expressions need and no more, and each expression
 * has the same values, to the bit. What a graph has forgotten it finds again. */
#include "base/unit.h"
#include "symbolic/derive.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/system.h"
#include "symbolic/tape.h"

enum { VARIABLES = 6, INPUTS = 1 + VARIABLES, EQUATIONS = 40, ROOTS = 3 * EQUATIONS };

static size_t slot(void *unused, const sym_view *leaf)
{
    (void)unused;
    return leaf->op == SYM_TIME ? 0 : 1 + (size_t)leaf->id;
}

static sym tree(sym_graph *g, uint64_t *state, int depth)
{
    size_t kind = scatter_below(state, 8);
    if (depth == 0 && kind < 2) return kind ? sym_time(g) : sym_number(g, scatter(state));
    if (depth == 0) return sym_variable(g, (uint32_t)scatter_below(state, VARIABLES), 0);
    sym a = tree(g, state, depth - 1), b = tree(g, state, depth - 1);
    switch (kind) {
    case 0: return sym_subtract(g, a, b);
    case 1: return sym_multiply(g, a, b);
    case 2: return sym_function(g, SYM_SIN, a);
    case 3: return sym_if(g, sym_relation(g, SYM_LESS, a, b), a, sym_multiply(g, a, b));
    default: return sym_sum(g, 0.5, 2, (sym[]){a, b}, NULL);
    }
}

static sym_system *random_system(arena *a, uint64_t seed)
{
    uint64_t state = seed;
    sym_system *s = arena_take(a, sizeof *s);
    *s = (sym_system){.memory = a, .graph = sym_graph_create(a), .name = "M", .file = "m.mo"};
    for (size_t i = 0; i < VARIABLES; i++)
        list_push(a, &s->unknown, ((sym_unknown){.name = "x", .unit = i < 4 ? "m" : "s"}));
    for (size_t i = 0; i < EQUATIONS; i++) {
        tree(s->graph, &state, 5); /* which nothing needs */
        sym lhs = tree(s->graph, &state, 4), rhs = tree(s->graph, &state, 3);
        list_push(a, &s->equation, ((sym_equation){.lhs = lhs, .rhs = rhs, .text = ""}));
        sym said = tree(s->graph, &state, 4);
        list_push(a, &s->assertion, ((sym_assertion){.condition = said, .message = "m"}));
    }
    sym_system_number_relations(s);
    for (size_t k = 0; k < sym_relation_count(s->graph); k += 3)
        sym_hold_relation(s->graph, k, k % 2 ? SYM_HELD_TRUE : SYM_HELD_FALSE);
    return s;
}

static void list_roots(const sym_system *s, sym *root)
{
    for (size_t i = 0; i < EQUATIONS; i++) {
        root[3 * i] = s->equation.item[i].lhs;
        root[3 * i + 1] = s->equation.item[i].rhs;
        root[3 * i + 2] = s->assertion.item[i].condition;
    }
}

static void evaluate(arena *a, const sym_system *s, double *value)
{
    sym root[ROOTS];
    uint64_t state = 3;
    double input[INPUTS];
    list_roots(s, root);
    sym_tape *tape = sym_tape_compile(a, s->graph, ROOTS, root, INPUTS, slot, NULL);
    for (size_t k = 0; k < INPUTS; k++) input[k] = scatter(&state);
    sym_tape_eval(tape, input, value);
}

ARENA_TEST(what_is_needed)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        sym_system *s = random_system(memory_, seed), *copy = sym_system_copy(memory_, s, false);
        double before[ROOTS], behind[ROOTS];
        evaluate(memory_, s, before);
        evaluate(memory_, copy, behind);
        ck_assert_mem_eq(before, behind, sizeof before);

        sym root[ROOTS];
        const sym *node;
        list_roots(s, root);
        size_t needed = sym_reach(s->graph, ROOTS, root, &node), all = sym_graph_size(s->graph);
        ck_assert_uint_lt(needed, all);
        ck_assert_uint_eq(sym_graph_size(copy->graph), needed); /* relations are among them */

        sym copied[ROOTS];
        list_roots(copy, copied);
        for (size_t k = 0; k < ROOTS; k++) { /* what is searched for is found in both */
            ck_assert(sym_has_pieces(copy->graph, copied[k]) == sym_has_pieces(s->graph, root[k]));
            ck_assert(sym_holds_time(copy->graph, 1, &copied[k]) ==
                      sym_holds_time(s->graph, 1, &root[k]));
        }
        ck_assert_uint_eq(sym_relation_count(copy->graph), sym_relation_count(s->graph));
        for (size_t k = 0; k < sym_relation_count(s->graph); k++) {
            sym relation = sym_relation_node(copy->graph, k);
            ck_assert_uint_eq(sym_relation_number(copy->graph, relation), k);
            ck_assert_int_eq(sym_relation_mode(copy->graph, k), sym_relation_mode(s->graph, k));
        }
        ck_assert_str_eq(copy->unknown.item[3].unit, "m");
        ck_assert_str_eq(copy->unknown.item[4].unit, "s");
    }
}

ARENA_TEST(what_was_forgotten)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t first = seed, again = seed;
        sym_graph *g = sym_graph_create(memory_);
        sym made = tree(g, &first, 8);
        size_t size = sym_graph_size(g);
        sym_forget(g);
        ck_assert_uint_eq(tree(g, &again, 8), made);
        ck_assert_uint_eq(sym_graph_size(g), size);
    }
}

/* Marks of nodes are made anew where the graph has grown, and where they were forgotten. */
ARENA_TEST(what_is_reached)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t state = seed;
        sym_graph *g = sym_graph_create(memory_);
        const sym *node;
        sym one = tree(g, &state, 6);
        size_t few = sym_reach(g, 1, &one, &node);
        for (int k = 0; k < 40; k++) tree(g, &state, 6);
        sym both = sym_sum(g, 0, 2, (sym[]){one, tree(g, &state, 7)}, NULL);
        size_t many = sym_reach(g, 1, &both, &node);
        for (size_t k = 1; k < many; k++) ck_assert_uint_lt(node[k - 1], node[k]);
        sym_forget(g);
        ck_assert_uint_eq(sym_reach(g, 1, &both, &node), many);
        ck_assert_uint_eq(sym_reach(g, 1, &one, &node), few);
        ck_assert_uint_eq(node[few - 1], one); /* arguments have smaller numbers */
    }
}

ARENA_TEST(residuals_that_were_forgotten)
{
    sym before[EQUATIONS];
    sym_system *s = random_system(memory_, 7);
    for (size_t i = 0; i < EQUATIONS; i++) before[i] = sym_residual(s, i);
    size_t size = sym_graph_size(s->graph);
    sym_forget(s->graph);
    for (size_t i = 0; i < EQUATIONS; i++) ck_assert_uint_eq(sym_residual(s, i), before[i]);
    ck_assert_uint_eq(sym_graph_size(s->graph), size);
}

UNIT_MAIN("symbolic/copies", 10, what_is_needed, what_was_forgotten, what_is_reached,
          residuals_that_were_forgotten)
