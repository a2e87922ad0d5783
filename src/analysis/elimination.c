#include "analysis/descriptor.h"

#include <math.h>
#include <string.h>

matrix_row *matrix_rows(arena *a, size_t rows, size_t width)
{
    matrix_row *row = arena_array(a, rows, sizeof *row);
    double *all = arena_array(a, rows * width, sizeof *all);
    for (size_t i = 0; i < rows; i++) row[i] = all + i * width;
    return row;
}

/* The largest weighted entry of each row that remains, found again where the row has changed. */
typedef struct search {
    size_t first, end;
    const double *weight;
    double *largest; /* rows; below 0: not known */
    size_t *column;  /* rows: where it stands */
} search;

static void look(const search *s, const double *row, size_t i)
{
    s->largest[i] = 0;
    s->column[i] = s->first;
    for (size_t j = s->first; j < s->end; j++) {
        double size = fabs(row[j]) * s->weight[j - s->first];
        if (!(size > s->largest[i])) continue;
        s->largest[i] = size;
        s->column[i] = j;
    }
}

/* The row with the largest one of the rows from r on. */
static size_t find_pivot(const search *s, size_t r, size_t rows, const matrix_row *row)
{
    size_t best = r;
    for (size_t i = r; i < rows; i++) {
        if (s->largest[i] < 0) look(s, row[i], i);
        if (s->largest[i] > s->largest[best]) best = i;
    }
    return best;
}

static void swap(const search *s, matrix_row *row, size_t i, size_t k)
{
    matrix_row found = row[i];
    double largest = s->largest[i];
    size_t column = s->column[i];
    row[i] = row[k];
    s->largest[i] = s->largest[k];
    s->column[i] = s->column[k];
    row[k] = found;
    s->largest[k] = largest;
    s->column[k] = column;
}

/* The row of the pivot has entries in the columns `entry`. */
static void clear_column(const search *s, size_t rows, const matrix_row *row, size_t r,
                         size_t entries, const size_t *entry)
{
    size_t column = s->column[r];
    double scale = 1 / row[r][column];
    for (size_t e = 0; e < entries; e++) row[r][entry[e]] *= scale;
    row[r][column] = 1;
    for (size_t i = 0; i < rows; i++) {
        double factor = row[i][column];
        if (i == r || factor == 0) continue;
        for (size_t e = 0; e < entries; e++) row[i][entry[e]] -= factor * row[r][entry[e]];
        row[i][column] = 0;
        s->largest[i] = -1;
    }
}

static size_t list_entries(size_t width, const double *row, size_t *entry)
{
    size_t entries = 0;
    for (size_t k = 0; k < width; k++)
        if (row[k] != 0) entry[entries++] = k;
    return entries;
}

/* Columns of earlier pivots are 0 in the rows that remain. */
size_t eliminate(arena *a, size_t rows, size_t width, matrix_row *row, size_t first, size_t end,
                 const double *weight, double least, size_t *pivot, double *smallest)
{
    search s = {.first = first, .end = end, .weight = weight};
    s.largest = arena_array(a, rows, sizeof *s.largest);
    s.column = arena_array(a, rows, sizeof *s.column);
    size_t *entry = arena_array(a, width, sizeof *entry), r = 0;
    for (size_t i = 0; i < rows; i++) s.largest[i] = -1;
    for (; r < rows; r++) {
        size_t best = find_pivot(&s, r, rows, row);
        if (!(s.largest[best] > least)) break;
        swap(&s, row, r, best);
        *smallest = fmin(*smallest, s.largest[r]);
        pivot[r] = s.column[r] - first;
        clear_column(&s, rows, row, r, list_entries(width, row[r], entry), entry);
    }
    return r;
}
