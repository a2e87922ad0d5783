/* What is wrong with a structurally singular system, on systems made so by hand and, on scattered
 * ones, from the definition: an equation is one too many if without it no fewer can be assigned. */
#include "structure/structure.h"

#include "structure/patterns.h"

static void are(size_t count, const uint32_t *list, size_t wanted, const uint32_t *expected)
{
    ck_assert_uint_eq(count, wanted);
    for (size_t i = 0; i < wanted; i++) ck_assert_uint_eq(list[i], expected[i]);
}

/* x1 + x2 = 1, x1 - x2 = 2, x1 = 3, x3 + x4 = 4: three equations for x1 and x2, one for x3, x4. */
ARENA_TEST(over_and_under)
{
    const sigma s = {4, 4, {{0, 0, NO, NO}, {0, 0, NO, NO}, {0, NO, NO, NO}, {NO, NO, 0, 0}}};
    const deficient *d = structure_deficient(memory_, incidence_of(memory_, &s));
    ck_assert_uint_eq(d->assigned, 3);
    are(d->over_rows, d->over_row, 3, (uint32_t[]){0, 1, 2});
    are(d->over_columns, d->over_column, 2, (uint32_t[]){0, 1});
    are(d->under_rows, d->under_row, 1, (uint32_t[]){3});
    are(d->under_columns, d->under_column, 2, (uint32_t[]){2, 3});
}

/* What is regular by itself stays out, though it holds variables of the other parts. */
ARENA_TEST(regular_parts_stay_out)
{
    /* x1 = 1, x1 = 2 over; x2 from x1 regular; x3 + x4 under, and x2's equation is not blamed */
    const sigma s = {4, 4, {{0, NO, NO, NO}, {0, NO, NO, NO}, {0, 0, NO, NO}, {NO, 0, 0, 0}}};
    const deficient *d = structure_deficient(memory_, incidence_of(memory_, &s));
    are(d->over_rows, d->over_row, 2, (uint32_t[]){0, 1});
    are(d->over_columns, d->over_column, 1, (uint32_t[]){0});
    are(d->under_rows, d->under_row, 1, (uint32_t[]){3});
    are(d->under_columns, d->under_column, 2, (uint32_t[]){2, 3});
}

ARENA_TEST(extremes)
{
    const sigma nothing = {2, 2, {{NO, NO}, {NO, NO}}};
    const deficient *d = structure_deficient(memory_, incidence_of(memory_, &nothing));
    ck_assert_uint_eq(d->assigned, 0);
    are(d->over_rows, d->over_row, 2, (uint32_t[]){0, 1});
    ck_assert_uint_eq(d->over_columns, 0);
    are(d->under_columns, d->under_column, 2, (uint32_t[]){0, 1});
    ck_assert_uint_eq(d->under_rows, 0);
    const sigma regular = {2, 2, {{1, 0}, {0, NO}}};
    d = structure_deficient(memory_, incidence_of(memory_, &regular));
    ck_assert_uint_eq(d->assigned, 2);
    ck_assert_uint_eq(d->over_rows + d->over_columns + d->under_rows + d->under_columns, 0);
}

/* The most that can be assigned of the rows from `row` on, all ways tried. */
static size_t most_assigned(const sigma *s, size_t row, const bool *row_out, bool *used)
{
    if (row == s->rows) return 0;
    size_t best = most_assigned(s, row + 1, row_out, used);
    for (size_t j = 0; j < s->columns && !row_out[row]; j++) {
        if (s->order[row][j] == NO || used[j]) continue;
        used[j] = true;
        size_t found = 1 + most_assigned(s, row + 1, row_out, used);
        used[j] = false;
        best = found > best ? found : best;
    }
    return best;
}

static bool listed(size_t count, const uint32_t *list, size_t wanted)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == wanted) return true;
    return false;
}

ARENA_TEST(by_definition)
{
    uint64_t state = 71;
    for (int trial = 0; trial < 1500; trial++) {
        size_t rows = 1 + scatter_below(&state, 5), columns = 1 + scatter_below(&state, 5);
        sigma s = scattered_sigma(rows, columns, 0.1 + 0.4 * fabs(scatter(&state)), 2, &state);
        bool row_out[MOST] = {false}, used[MOST] = {false};
        const deficient *d = structure_deficient(memory_, incidence_of(memory_, &s));
        size_t most = most_assigned(&s, 0, row_out, used);
        ck_assert_uint_eq(d->assigned, most);
        bool over_column[MOST] = {false}, under_row[MOST] = {false};
        for (size_t i = 0; i < rows; i++) {
            row_out[i] = true;
            bool over = most_assigned(&s, 0, row_out, used) == most;
            row_out[i] = false;
            ck_assert_int_eq(listed(d->over_rows, d->over_row, i), over);
            for (size_t j = 0; j < columns; j++) over_column[j] |= over && s.order[i][j] != NO;
        }
        for (size_t j = 0; j < columns; j++) {
            used[j] = true;
            bool under = most_assigned(&s, 0, row_out, used) == most;
            used[j] = false;
            ck_assert_int_eq(listed(d->under_columns, d->under_column, j), under);
            for (size_t i = 0; i < rows; i++) under_row[i] |= under && s.order[i][j] != NO;
        }
        for (size_t j = 0; j < columns; j++)
            ck_assert_int_eq(listed(d->over_columns, d->over_column, j), over_column[j]);
        for (size_t i = 0; i < rows; i++)
            ck_assert_int_eq(listed(d->under_rows, d->under_row, i), under_row[i]);
    }
}

UNIT_MAIN("structure/deficient", 30, over_and_under, regular_parts_stay_out, extremes,
          by_definition)
