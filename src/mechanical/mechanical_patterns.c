/* Patterns of the matrices of a mechanical system, from the patterns of the author's matrices. */
#include "mechanical/mechanical_state.h"

#include <string.h>

/* The sum of up to three matrices. The second begins at row `below`. */
static mechanical_sum sum_of(arena *a, size_t rows, size_t columns, const sparse_pattern *first,
                             const sparse_pattern *second, size_t below,
                             const sparse_pattern *third)
{
    size_t thirds = third ? third->nonzeros : 0;
    sparse_entries e = sparse_entries_take(a, first->nonzeros + second->nonzeros + thirds);
    sparse_entries_add_all(&e, first, 0, 0);
    sparse_entries_add_all(&e, second, below, 0);
    if (third) sparse_entries_add_all(&e, third, 0, 0);
    mechanical_sum sum = {.pattern = sparse_entries_build(a, &e, rows, columns)};
    sum.first = e.where;
    sum.second = e.where + first->nonzeros;
    sum.third = sum.second + second->nonzeros;
    return sum;
}

static sparse_pattern *transpose(arena *a, const sparse_pattern *p)
{
    sparse_entries e = sparse_entries_take(a, p->nonzeros);
    sparse_entries_add_transposed(&e, p, 0, 0);
    return sparse_entries_build(a, &e, p->columns, p->rows);
}

/* The pattern of d(phi_q S)^T lambda/dq. A constraint depends on the coordinates of its row of
 * phi_q and acts on the velocities of its row of G. Empty if df/dq is dense, which covers all
 * entries. */
static sparse_pattern *curvature(arena *a, const mechanical_form *f, const sparse_pattern *gradient)
{
    const sparse_pattern *q = transpose(a, f->position.pattern), *v = transpose(a, gradient);
    size_t most = 0, constraints = f->stiffness.dense ? 0 : f->holonomic;
    for (size_t i = 0; i < constraints; i++)
        most += (size_t)(q->start[i + 1] - q->start[i]) * (size_t)(v->start[i + 1] - v->start[i]);
    sparse_entries e = sparse_entries_take(a, most);
    for (size_t i = 0; i < constraints; i++)
        for (sparse_index k = q->start[i]; k < q->start[i + 1]; k++)
            for (sparse_index l = v->start[i]; l < v->start[i + 1]; l++)
                sparse_entries_add(&e, (size_t)v->row[l], (size_t)q->row[k]);
    return sparse_entries_build(a, &e, f->nv, f->nq);
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
}
