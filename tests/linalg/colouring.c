/* Colours of columns: those of one share no row, each column has one, and their number is that of
 * the theory where there is one. */
#include "linalg/sparse.h"

#include "linalg/matrices.h"

static void is_colouring(arena *a, const sparse_pattern *p, const colouring *c)
{
    size_t *times = arena_array(a, p->columns, sizeof *times);
    size_t *owner = arena_array(a, p->rows, sizeof *owner);
    ck_assert_uint_eq(c->first[0], 0);
    ck_assert_uint_eq(c->first[c->colours], p->columns);
    for (size_t colour = 0; colour < c->colours; colour++) {
        ck_assert_uint_lt(c->first[colour], c->first[colour + 1]);
        for (size_t k = c->first[colour]; k < c->first[colour + 1]; k++) {
            size_t j = c->column[k];
            times[j]++;
            for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++) {
                ck_assert_uint_ne(owner[p->row[e]], colour + 1);
                owner[p->row[e]] = colour + 1;
            }
        }
    }
    for (size_t j = 0; j < p->columns; j++) ck_assert_uint_eq(times[j], 1);
}

static size_t longest_row(arena *a, const sparse_pattern *p)
{
    size_t *entries = arena_array(a, p->rows, sizeof *entries), longest = 0;
    for (size_t k = 0; k < p->nonzeros; k++)
        if (++entries[p->row[k]] > longest) longest = entries[p->row[k]];
    return longest;
}

ARENA_TEST(no_row_twice_in_a_colour)
{
    uint64_t state = 1;
    for (size_t n = 1; n < 80; n += 3) {
        for (size_t extra = 0; extra < 5; extra++) {
            const sparse_pattern *p = scattered_pattern(memory_, n, extra, &state);
            const colouring *c = colouring_create(memory_, p);
            is_colouring(memory_, p, c);
            ck_assert_uint_ge(c->colours, longest_row(memory_, p));
        }
    }
}

static sparse_pattern *banded_pattern(arena *a, size_t n, size_t lower, size_t upper)
{
    size_t most = n * (lower + upper + 1), entries = 0;
    size_t *row = arena_array(a, most, sizeof *row);
    size_t *column = arena_array(a, most, sizeof *column);
    for (size_t j = 0; j < n; j++)
        for (size_t i = j > upper ? j - upper : 0; i < n && i <= j + lower; i++)
            row[entries] = i, column[entries++] = j;
    return sparse_build(a, n, n, entries, row, column, arena_array(a, most, sizeof(size_t)));
}

/* Curtis, Powell & Reid (1974): as many as the band is wide. */
ARENA_TEST(bands_by_their_width)
{
    for (size_t lower = 0; lower < 5; lower++) {
        for (size_t upper = 0; upper < 5; upper++) {
            const sparse_pattern *p = banded_pattern(memory_, 40, lower, upper);
            const colouring *c = colouring_create(memory_, p);
            is_colouring(memory_, p, c);
            ck_assert_uint_eq(c->colours, lower + upper + 1);
        }
    }
}

ARENA_TEST(full_and_empty)
{
    const sparse_pattern *full = full_pattern(memory_, 7, 9);
    ck_assert_uint_eq(colouring_create(memory_, full)->colours, 9);
    const sparse_pattern *empty = full_pattern(memory_, 0, 6);
    is_colouring(memory_, empty, colouring_create(memory_, empty));
    ck_assert_uint_eq(colouring_create(memory_, empty)->colours, 1);
    ck_assert_uint_eq(colouring_create(memory_, full_pattern(memory_, 3, 0))->colours, 0);
}

/* A circuit of equal gates, as the two-bit adding unit: full blocks of `size`, and the first node
 * of each enters the first `fan` rows of the next gate. */
static sparse_pattern *gates_pattern(arena *a, size_t gates, size_t size, size_t fan)
{
    size_t most = gates * size * (size + fan), entries = 0, n = gates * size;
    size_t *row = arena_array(a, most, sizeof *row);
    size_t *column = arena_array(a, most, sizeof *column);
    for (size_t j = 0; j < n; j++) {
        size_t first = j / size * size;
        for (size_t i = first; i < first + size; i++) row[entries] = i, column[entries++] = j;
        for (size_t i = first + size; j == first && i < n && i < first + size + fan; i++)
            row[entries] = i, column[entries++] = j;
    }
    return sparse_build(a, n, n, entries, row, column, arena_array(a, most, sizeof(size_t)));
}

/* Then a Jacobian costs as many evaluations however many gates there are: the longest row has
 * size + 1 entries, and a greedy colouring needs no more than one colour besides the neighbours. */
ARENA_TEST(gates_cost_no_more_for_being_many)
{
    for (size_t gates = 2; gates <= 64; gates *= 2) {
        const sparse_pattern *p = gates_pattern(memory_, gates, 14, 3);
        const colouring *c = colouring_create(memory_, p);
        is_colouring(memory_, p, c);
        ck_assert_uint_eq(c->colours, 15);
    }
}

UNIT_MAIN("linalg/colouring", 20, no_row_twice_in_a_colour, bands_by_their_width, full_and_empty,
          gates_cost_no_more_for_being_many)
