/* Saddle-point systems whose first block is block diagonal with small blocks, as the mass matrix of
 * bodies is. With the inverses of these blocks, only S = G H^-1 G' of the multipliers is factored
 * (Benzi, Golub & Liesen, Acta Numerica 14 (2005), Sec. 5). A constant H is inverted once. */
#include "base/round_off.h"
#include "linalg/saddle_point_parts.h"

#include <math.h>
#include <string.h>

/* The largest block, and the pivots that count as 0 relative to the largest entry of their row. */
enum { LARGEST_BLOCK = 6 };
static const double NO_PIVOT = ROUND_OFF_ITERATED;

/* The smallest index coupled with i, as far as known. */
static size_t leader(size_t *lead, size_t i)
{
    while (lead[i] != i) i = lead[i] = lead[lead[i]];
    return i;
}

/* Find the blocks of H and their members. False where one is large, or is all of H. */
static bool find_blocks(saddle_point *p)
{
    saddle_blocks *b = &p->blocks;
    arena *a = &p->memory;
    size_t n = p->n, largest = 0;
    size_t *lead = arena_array(a, n, sizeof *lead), *size = arena_array(a, n + 1, sizeof *size);
    for (size_t j = 0; j < n; j++) lead[j] = j;
    for (size_t j = 0; j < n; j++) {
        for (sparse_index k = p->h->start[j]; k < p->h->start[j + 1]; k++) {
            size_t one = leader(lead, j), two = leader(lead, (size_t)p->h->row[k]);
            lead[one < two ? two : one] = one < two ? one : two;
        }
    }
    b->first = arena_array(a, n + 1, sizeof *b->first);
    b->member = arena_array(a, n, sizeof *b->member);
    for (size_t j = 0; j < n; j++) {
        size_t count = ++size[leader(lead, j)];
        if (count > largest) largest = count;
    }
    if (largest > LARGEST_BLOCK || 2 * largest > n) return false;
    size_t *next = arena_array(a, n, sizeof *next), end = 0;
    for (size_t j = 0; j < n; j++) {
        if (lead[j] != j) continue;
        b->first[b->count++] = next[j] = end;
        end += size[j];
    }
    b->first[b->count] = end;
    for (size_t j = 0; j < n; j++) b->member[next[leader(lead, j)]++] = j;
    return true;
}

/* The inverse is full in each block. */
static void build_inverse(saddle_point *p)
{
    saddle_blocks *b = &p->blocks;
    arena *a = &p->memory;
    sparse_entries e = sparse_entries_take(a, LARGEST_BLOCK * p->n);
    b->of_member = arena_array(a, p->n, sizeof *b->of_member);
    for (size_t k = 0; k < b->count; k++)
        for (size_t j = b->first[k]; j < b->first[k + 1]; j++) {
            b->of_member[b->member[j]] = j - b->first[k];
            for (size_t i = b->first[k]; i < b->first[k + 1]; i++)
                sparse_entries_add(&e, b->member[i], b->member[j]);
        }
    b->inverse_pattern = sparse_entries_build(a, &e, p->n, p->n);
    b->place = e.where;
    b->inverse = arena_array(a, e.count, sizeof(double));
}

static void build_multipliers(saddle_point *p)
{
    saddle_blocks *b = &p->blocks;
    arena *a = &p->memory;
    sparse_entries e = sparse_entries_take(a, p->g->nonzeros);
    sparse_entries_add_transposed(&e, p->g, 0, 0);
    b->turned = e.where;
    b->transposed = arena_array(a, e.count, sizeof(double));
    b->forces = sparse_product_create(a, b->inverse_pattern,
                                      sparse_entries_build(a, &e, p->n, p->m));
    b->products = sparse_product_create(a, p->g, b->forces->pattern);
    b->force = arena_array(a, b->forces->pattern->nonzeros, sizeof(double));
    const sparse_pattern *s = b->products->pattern;
    e = sparse_entries_take(a, s->nonzeros + p->m);
    sparse_entries_add_all(&e, s, 0, 0);
    for (size_t i = 0; i < p->m; i++) sparse_entries_add(&e, i, i); /* so no pattern is singular */
    b->pattern = sparse_entries_build(a, &e, p->m, p->m);
    b->entry = e.where;
    b->diagonal = e.where + s->nonzeros;
    b->product = arena_array(a, s->nonzeros, sizeof(double));
    b->value = arena_array(a, b->pattern->nonzeros, sizeof(double));
    b->column = arena_array(a, p->m, sizeof(double));
    b->right = arena_array(a, p->n, sizeof(double));
}

void saddle_blocks_build(saddle_point *p)
{
    if (p->m == 0 || !find_blocks(p)) return;
    build_inverse(p);
    build_multipliers(p);
}

/* Gauss-Jordan elimination with row pivoting, of a (size x size, by columns) into its inverse; the
 * right part of `a`, beyond that, is work space. False where a pivot is 0 beside its row. */
static bool invert(double *a, size_t size)
{
    double *inverse = a + size * size, largest[LARGEST_BLOCK] = {0};
    for (size_t k = 0; k < size * size; k++) {
        inverse[k] = k % (size + 1) == 0;
        largest[k % size] = fmax(largest[k % size], fabs(a[k]));
    }
    for (size_t k = 0; k < size; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < size; i++)
            if (fabs(a[k * size + i]) * largest[pivot] > fabs(a[k * size + pivot]) * largest[i])
                pivot = i;
        if (!(fabs(a[k * size + pivot]) > NO_PIVOT * largest[pivot])) return false;
        double swapped = largest[k];
        largest[k] = largest[pivot];
        largest[pivot] = swapped;
        for (size_t j = 0; j < 2 * size; j++) { /* the inverse's columns follow */
            swapped = a[j * size + k];
            a[j * size + k] = a[j * size + pivot];
            a[j * size + pivot] = swapped;
        }
        for (size_t i = 0; i < size; i++) {
            double factor = i == k ? 1 - 1 / a[k * size + k] : a[k * size + i] / a[k * size + k];
            for (size_t j = 0; j < 2 * size; j++)
                if (j != k) a[j * size + i] -= factor * a[j * size + k];
            a[k * size + i] = i == k ? 1 : 0;
        }
    }
    return true;
}

static void scale(double *block, size_t size, const double *unit)
{
    for (size_t j = 0; j < size; j++)
        for (size_t i = 0; i < size; i++) block[j * size + i] *= unit[i] * unit[j];
}

/* H^-1, block by block. */
static bool invert_blocks(saddle_point *p)
{
    saddle_blocks *b = &p->blocks;
    double block[2 * LARGEST_BLOCK * LARGEST_BLOCK], unit[LARGEST_BLOCK];
    const uint32_t *place = b->place;
    for (size_t k = 0; k < b->count; k++) {
        size_t size = b->first[k + 1] - b->first[k];
        memset(block, 0, size * size * sizeof *block);
        for (size_t c = 0; c < size; c++) {
            size_t j = b->member[b->first[k] + c];
            for (sparse_index e = p->h->start[j]; e < p->h->start[j + 1]; e++)
                block[c * size + b->of_member[p->h->row[e]]] = p->h_value[e];
        }
        for (size_t i = 0; i < size; i++) { /* the diagonal becomes 1, and no unit counts */
            double diagonal = fabs(block[i * size + i]);
            unit[i] = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
        }
        scale(block, size, unit);
        if (!invert(block, size)) return false;
        scale(block + size * size, size, unit);
        for (size_t e = 0; e < size * size; e++) b->inverse[*place++] = block[size * size + e];
    }
    return true;
}

dae_status saddle_blocks_factor(saddle_point *p, bool same_h)
{
    saddle_blocks *b = &p->blocks;
    if (!same_h || !b->inverted) b->inverted = invert_blocks(p);
    if (!b->inverted) return DAE_SINGULAR;
    for (size_t k = 0; k < p->g->nonzeros; k++) b->transposed[b->turned[k]] = p->g_value[k];
    sparse_product_form(b->forces, b->inverse, b->transposed, b->force);
    sparse_product_form(b->products, p->g_value, b->force, b->product);
    const sparse_pattern *s = b->products->pattern;
    memset(b->value, 0, b->pattern->nonzeros * sizeof(double));
    for (size_t k = 0; k < s->nonzeros; k++) b->value[b->entry[k]] = b->product[k];
    for (size_t i = 0; i < p->m; i++) {
        double size = fabs(b->value[b->diagonal[i]]);
        b->column[i] = size > 0 ? 1 / sqrt(size) : 1;
    }
    for (size_t i = 0; i < p->m; i++)
        for (sparse_index k = b->pattern->start[i]; k < b->pattern->start[i + 1]; k++)
            b->value[k] *= b->column[i] * b->column[b->pattern->row[k]];
    return linear_solver_factor(b->solver, b->value);
}

/* lambda = S^-1 (s - G H^-1 r), x = H^-1 r + H^-1 G' lambda. */
void saddle_blocks_solve(saddle_point *p, double *x)
{
    saddle_blocks *b = &p->blocks;
    double *s = x + p->n;
    memcpy(b->right, x, p->n * sizeof *x);
    sparse_multiply(b->inverse_pattern, b->inverse, b->right, x);
    for (size_t i = 0; i < p->m; i++) s[i] = -s[i];
    sparse_add_product(p->g, p->g_value, x, s);
    for (size_t i = 0; i < p->m; i++) s[i] *= -b->column[i];
    linear_solver_solve(b->solver, s);
    for (size_t i = 0; i < p->m; i++) s[i] *= b->column[i];
    sparse_add_product(b->forces->pattern, b->force, s, x);
}
