/* Where the matrices of a mechanical system may be nonzero, from where the author's may. */
#include "mechanical/mechanical_state.h"

#include <string.h>

/* Positions of entries that are collected. */
typedef struct entries {
    size_t count;
    size_t *row, *column;
} entries;

static entries room_for(arena *a, size_t most)
{
    return (entries){.row = arena_array(a, most, sizeof(size_t)),
                     .column = arena_array(a, most, sizeof(size_t))};
}

static void add(entries *e, size_t row, size_t column)
{
    e->row[e->count] = row;
    e->column[e->count++] = column;
}

static void add_all(entries *e, const sparse_pattern *p, size_t first_row)
{
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            add(e, first_row + (size_t)p->row[k], j);
}

/* The sum of up to three matrices, of which the second may stand below the first. */
static mechanical_sum sum_of(arena *a, size_t rows, size_t columns, const sparse_pattern *first,
                             const sparse_pattern *second, size_t below,
                             const sparse_pattern *third)
{
    size_t thirds = third ? third->nonzeros : 0;
    entries e = room_for(a, first->nonzeros + second->nonzeros + thirds);
    add_all(&e, first, 0);
    add_all(&e, second, below);
    if (third) add_all(&e, third, 0);
    size_t *where = arena_array(a, e.count, sizeof *where);
    mechanical_sum sum = {
        .pattern = sparse_build(a, rows, columns, e.count, e.row, e.column, where)};
    sum.first = where;
    sum.second = where + first->nonzeros;
    sum.third = sum.second + second->nonzeros;
    return sum;
}

static sparse_pattern *transpose(arena *a, const sparse_pattern *p)
{
    entries e = room_for(a, p->nonzeros);
    size_t *where = arena_array(a, p->nonzeros, sizeof *where);
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) add(&e, j, (size_t)p->row[k]);
    return sparse_build(a, p->columns, p->rows, e.count, e.row, e.column, where);
}

/* Where d(phi_q S)' lambda/dq may be nonzero: a constraint depends on the coordinates of its row of
 * phi_q, and acts on the velocities of its row of G. Nowhere else than a dense df/dq. */
static sparse_pattern *curvature(arena *a, const mechanical_form *f, const sparse_pattern *gradient)
{
    const sparse_pattern *q = transpose(a, f->position.pattern), *v = transpose(a, gradient);
    size_t most = 0, constraints = f->stiffness.dense ? 0 : f->holonomic;
    for (size_t i = 0; i < constraints; i++)
        most += (size_t)(q->start[i + 1] - q->start[i]) * (size_t)(v->start[i + 1] - v->start[i]);
    entries e = room_for(a, most);
    for (size_t i = 0; i < constraints; i++)
        for (sparse_index k = q->start[i]; k < q->start[i + 1]; k++)
            for (sparse_index l = v->start[i]; l < v->start[i + 1]; l++)
                add(&e, (size_t)v->row[l], (size_t)q->row[k]);
    size_t *where = arena_array(a, most, sizeof *where);
    return sparse_build(a, f->nv, f->nq, e.count, e.row, e.column, where);
}

void mechanical_make_patterns(mechanical_state *s)
{
    const mechanical_form *f = s->form;
    arena *a = &s->memory;
    const sparse_pattern *position = f->position.pattern, *stiffness;
    if (f->kinematics.pattern) {
        s->position_product = sparse_product_create(a, position, f->kinematics.pattern);
        position = s->position_product->pattern;
    }
    s->gradient = sum_of(a, f->constraints, f->nv, position, f->velocity.pattern, f->holonomic,
                         NULL);
    s->by_q = sum_of(a, f->nv, f->nq, f->stiffness.pattern, curvature(a, f, s->gradient.pattern), 0,
                     NULL);
    stiffness = s->by_q.pattern;
    if (f->kinematics.pattern) {
        s->stiffness_product = sparse_product_create(a, stiffness, f->kinematics.pattern);
        stiffness = s->stiffness_product->pattern;
    }
    s->all = sum_of(a, f->nv, f->nv, f->mass.pattern, f->damping.pattern, 0, stiffness);
    s->unit_q = sparse_diagonal(a, f->nq);
    s->unit_v = sparse_diagonal(a, f->nv);
}
