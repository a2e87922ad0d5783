#include "stepping/newton.h"

#include <math.h>

/* A Jacobian is kept if Newton's iteration converges faster than FAST (RADAU5's THET). It is
 * renewed if the iteration is slower than SLOW, because the next step might fail. Between these,
 * costs decide. */
static const double FAST = 1e-3, SLOW = 0.03;

/* A renewal that costs no more than this many iterations is not put off: an old Jacobian costs
 * about one iteration, and makes some steps fail. */
static const double CHEAP = 1.5;

/* A step that could grow by more than this is not kept. */
static const double LARGEST_GROWTH = 2;

/* Cost of the vector operations in one iteration for an unknown of a stage, in nanoseconds
 * (measured). */
static const double UNKNOWN = 5;

void reuse_estimate(reuse *r, const problem *p, const scheme *s)
{
    bool counted[SCHEME_MOST_SLOTS] = {false};
    problem_costs c = {0};
    *r = (reuse){.best_rate = HUGE_VAL};
    for (int k = 0; k < s->blocks; k++) {
        const scheme_block *b = &s->block[k];
        if (!b->is_implicit) continue;
        for (int i = 0; i < b->parts; i++) {
            int slot = b->part[i].slot;
            problem_estimate_costs(p, (size_t)slot, &c);
            r->iteration += c.solve;
            if (!counted[slot]) r->factors += c.factor;
            counted[slot] = true;
        }
        r->iteration += b->stages * (c.residual + UNKNOWN * (double)p->n);
    }
    r->jacobian = c.jacobian;
}

static bool is_cheap(const reuse *r)
{
    return r->jacobian + r->factors <= CHEAP * r->iteration;
}

bool reuse_keeps_jacobian(reuse *r, int iterations, double rate, bool fresh)
{
    if (fresh) {
        r->least_iterations = iterations;
        r->best_rate = rate;
        r->lost = 0;
    }
    if (rate <= FAST) return true;
    if (rate > SLOW || is_cheap(r)) return false;
    r->lost += fmax(0, iterations - r->least_iterations) * r->iteration;
    return r->lost < r->jacobian + r->factors;
}

double reuse_kept_growth(const reuse *r, int iterations)
{
    double step = iterations * r->iteration, left = r->factors - r->forgone;
    if (is_cheap(r) || left <= 0) return 1;
    return left < step ? fmin(LARGEST_GROWTH, 1 / (1 - left / step)) : LARGEST_GROWTH;
}

void reuse_note_growth(reuse *r, double declined, int iterations)
{
    r->forgone += (1 - 1 / declined) * iterations * r->iteration;
}
