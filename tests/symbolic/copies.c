/* Copies of systems, and graphs from which nodes are taken back: they have what their expressions
 * need and no more, and each expression has the same values, to the bit. What a graph has forgotten
 * it finds again. */
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

enum { KEPT = 12, DROPPED = 60 };

/* Expressions whose numbers are kept outside of their graph. */
typedef struct holding {
    size_t count;
    sym *item;
} holding;

static void visit_held(void *holder, sym_visit *visit, void *context)
{
    const holding *h = holder;
    for (size_t i = 0; i < h->count; i++) visit(context, &h->item[i]);
}

static void evaluate_all(arena *a, sym_graph *g, size_t count, const sym *root, double *value)
{
    uint64_t state = 5;
    double input[INPUTS];
    for (size_t k = 0; k < INPUTS; k++) input[k] = scatter(&state);
    sym_tape_eval(sym_tape_compile(a, g, count, root, INPUTS, slot, NULL), input, value);
}

/* Old and new expressions among many that nobody keeps, and derivatives of them. */
ARENA_TEST(nodes_that_are_taken_back)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t state = seed;
        sym_graph *g = sym_graph_create(memory_);
        sym old[KEPT], kept[2 * KEPT], were[KEPT];
        double before[2 * KEPT], behind[2 * KEPT];
        const sym *node;
        for (size_t i = 0; i < KEPT; i++) old[i] = tree(g, &state, 5);
        size_t first = sym_graph_size(g);
        sym_graph_mark here = sym_graph_here(g);
        for (size_t i = 0; i < KEPT; i++) {
            for (size_t k = 0; k < DROPPED; k++) tree(g, &state, 5);
            kept[2 * i] = sym_time_derivative(g, old[i]);
            kept[2 * i + 1] = tree(g, &state, 5);
        }
        evaluate_all(memory_, g, 2 * KEPT, kept, before);
        size_t all = sym_graph_size(g), reached = sym_reach(g, 2 * KEPT, kept, &node), needed = 0;
        for (size_t k = 0; k < reached; k++) needed += node[k] >= first;
        ck_assert_uint_gt(all - first, 2 * needed);
        memcpy(were, old, sizeof were);
        sym_graph_back(g, here, visit_held, &(holding){2 * KEPT, kept});
        ck_assert_uint_eq(sym_graph_size(g), first + needed);
        evaluate_all(memory_, g, 2 * KEPT, kept, behind);
        ck_assert_mem_eq(before, behind, sizeof before);
        for (size_t i = 0; i < KEPT; i++) /* what is built alike is the same node */
            ck_assert_uint_eq(sym_time_derivative(g, were[i]), kept[2 * i]);
        sym_graph_back(g, here, NULL, NULL);
        ck_assert_uint_eq(sym_graph_size(g), first);
        state = seed;
        for (size_t i = 0; i < KEPT; i++) ck_assert_uint_eq(tree(g, &state, 5), old[i]);
    }
}

/* Relations stay, with their modes and numbers, whether or not somebody keeps them. */
ARENA_TEST(relations_that_stay)
{
    sym_graph *g = sym_graph_create(memory_);
    sym x = sym_variable(g, 0, 0), zero = sym_number(g, 0);
    sym_graph_mark here = sym_graph_here(g);
    uint64_t state = 1;
    for (int k = 0; k < DROPPED; k++) tree(g, &state, 4);
    sym above = sym_relation(g, SYM_LESS, zero, sym_function(g, SYM_SIN, x));
    sym chosen = sym_if(g, above, sym_scale(g, 2, x), sym_scale(g, 3, x));
    sym_number_relations(g, 1, &chosen);
    size_t relations = sym_relation_count(g);
    ck_assert_uint_ge(relations, 1);
    sym_graph_back(g, here, visit_held, &(holding){1, &chosen});
    ck_assert_uint_eq(sym_relation_count(g), relations);
    sym_tape *tape = sym_tape_compile(memory_, g, 1, &chosen, INPUTS, slot, NULL);
    double value, input[INPUTS] = {0, -1};
    sym_tape_eval(tape, input, &value);
    ck_assert_double_eq(value, -3);
    for (size_t k = 0; k < relations; k++) sym_hold_relation(g, k, SYM_HELD_TRUE);
    sym_tape_eval(tape, input, &value);
    ck_assert_double_eq(value, -2);
}

UNIT_MAIN("symbolic/copies", 10, what_is_needed, what_was_forgotten, what_is_reached,
          residuals_that_were_forgotten, nodes_that_are_taken_back, relations_that_stay)
