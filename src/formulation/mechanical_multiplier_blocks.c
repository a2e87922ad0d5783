/* The blocks of the Jacobians of mechanical_multipliers.h. */
#include "formulation/mechanical_multipliers.h"

typedef struct block_list {
    formulated_blocks *to;
    double sign;
} block_list;

static void add_block(const block_list *l, const sparse_pattern *p, block_source source, size_t row,
                      size_t column, double factor)
{
    l->to->block[l->to->count++] = (formulated_block){.pattern = p,
                                                      .to = p->rows,
                                                      .row = row,
                                                      .column = column,
                                                      .factor = l->sign * factor,
                                                      .source = (int)source};
}

/* Add the rows of G from `from` to `to`, transposed if `turned`. */
static void add_gradient(const block_list *l, const multipliers *c, size_t from, size_t to,
                         size_t row, size_t column, bool turned, double factor)
{
    add_block(l, c->base.mechanical->gradient.pattern, GRADIENT, row, column, factor);
    formulated_block *added = &l->to->block[l->to->count - 1];
    added->from = from;
    added->to = to;
    added->turned = turned;
}

void multipliers_weigh_pull(multipliers *c)
{
    double xi = c->base.parameter[BAUMGARTE_XI], omega = c->base.parameter[BAUMGARTE_OMEGA];
    const double weight[] = {2 * xi * omega, 2 * xi * omega, omega * omega};
    for (size_t i = 0; c->levels && i < 3; i++)
        c->by_y.block[c->pace.first_pull + i].factor = c->sign * weight[i];
}

static void list_levels(const block_list *l, multipliers *c)
{
    const mechanical *m = c->base.mechanical;
    const multipliers_kind *k = c->kind;
    const sparse_pattern *p = c->levels->pattern;
    size_t all = m->constraints;
    if (k->phi) add_gradient(l, c, 0, m->holonomic, c->position, 0, false, 1);
    if (c->from < all) {
        add_block(l, p, LEVEL_2, c->velocity, 0, 1);
        l->to->block[l->to->count - 1].from = c->from;
        add_gradient(l, c, c->from, all, c->velocity, c->nq, false, 1);
    }
    if (!k->acceleration) return;
    add_block(l, p, LEVEL_3Q, c->acceleration, 0, 1);
    add_block(l, p, LEVEL_3V, c->acceleration, c->nq, 1);
    add_gradient(l, c, 0, all, c->acceleration, c->w, false, 1);
    if (!k->stabilised) return;
    c->pace.first_pull = l->to->count;
    add_block(l, p, LEVEL_2, c->acceleration, 0, 0);
    add_gradient(l, c, 0, all, c->acceleration, c->nq, false, 0);
    add_gradient(l, c, 0, m->holonomic, c->acceleration, 0, false, 0);
    multipliers_weigh_pull(c);
}

/* The equations multiplier = 0 of constraints that are left out. */
static void list_left_out(const block_list *l, multipliers *c)
{
    const mechanical *m = c->base.mechanical;
    const multipliers_kind *k = c->kind;
    size_t all = m->constraints;
    const sparse_pattern *ones = sparse_diagonal(&c->base.memory, all);
    if (k->phi) {
        add_block(l, ones, LEFT_OUT, c->position, multipliers_of_position(c), 1);
        l->to->block[l->to->count - 1].to = m->holonomic;
    }
    if (c->from < all) {
        add_block(l, ones, LEFT_OUT, c->velocity, multipliers_of_velocity(c), 1);
        l->to->block[l->to->count - 1].from = c->from;
    }
    if (k->acceleration) add_block(l, ones, LEFT_OUT, c->acceleration, c->lambda, 1);
}

void multipliers_list_by_y(multipliers *c)
{
    const mechanical *m = c->base.mechanical;
    const multipliers_kind *k = c->kind;
    arena *a = &c->base.memory;
    const sparse_pattern *ones = sparse_diagonal(a, c->nv);
    const sparse_pattern *mass = m->mass.pattern;
    const block_list l = {&c->by_y, c->sign};
    if (k->by_mass)
        add_block(&l, mass, MASS, 0, c->nq, -1);
    else
        add_block(&l, ones, ONES, 0, c->nq, -1);
    if (k->mu) add_gradient(&l, c, 0, m->holonomic, 0, c->mu, true, -c->unit);
    if (k->accelerations) {
        add_block(&l, ones, ONES, c->nq, c->w, -1);
        add_block(&l, mass, MASS, c->motion, c->w, 1);
    }
    if (k->nu) add_gradient(&l, c, 0, m->constraints, c->nq, c->nu, true, -c->unit);
    add_block(&l, m->stiffness.pattern, STIFFNESS, c->motion, 0, 1);
    add_block(&l, m->damping.pattern, DAMPING, c->motion, c->nq, 1);
    add_gradient(&l, c, 0, m->constraints, c->motion, c->lambda, true, -1);
    list_levels(&l, c);
    if (c->base.dependent) list_left_out(&l, c);
    formulated_blocks_build(&c->by_y, a);
}

void multipliers_list_by_yp(multipliers *c)
{
    const sparse_pattern *mass = c->base.mechanical->mass.pattern;
    arena *a = &c->base.memory;
    const block_list l = {&c->by_yp, 1};
    if (c->kind->by_mass)
        add_block(&l, mass, MASS, 0, 0, 1);
    else
        add_block(&l, sparse_diagonal(a, c->nq), ONES, 0, 0, 1);
    if (c->kind->accelerations)
        add_block(&l, sparse_diagonal(a, c->nv), ONES, c->nq, c->nq, 1);
    else
        add_block(&l, mass, MASS, c->nq, c->nq, 1);
    formulated_blocks_build(&c->by_yp, a);
}
