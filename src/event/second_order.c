/* Sliding of second order. A state x with x'' = f, where f jumps as x crosses a surface, flies over
 * it to and fro: its rate v is the same on both sides. If both sides lead back, and what f changes
 * by along the flights damps these, they become ever shorter, as 1/n, and have no end. Where they
 * are lower than the tolerances the solution goes on in their limit: x on the surface with v = 0,
 * and the jump takes the part that holds it there (Levant, Int. J. Control 58, 1993, 1247).
 *
 * With x'' = -a above the surface and b below it, and j, k their derivatives by time along the
 * motion there, a flight that begins with v above it ends with v - 2/3 j v^2 / a^2, and one below
 * it that begins with v ends with v + 2/3 k v^2 / b^2, up to v^3: two steps of the return map. */
#include "event/settling.h"

#include <math.h>

/* What flights lose on one side and gain on the other has to differ by this part of both. */
static const double CLEARLY = 1e-3;

/* Flights are no longer followed once their rate is so many tolerances: they are 1 / v in number,
 * and their phases are lost long before. */
static const double FEW = 8;

/* The third derivative is a difference over this part of the time in which a variable moves. */
static const double ASIDE = 1e-5;

/* One side of a surface: the first three derivatives of its relation. */
typedef struct side {
    double rate, bend, turn, size; /* of the terms of the second */
} side;

/* The second derivative a little later, in the present modes. */
static dae_status look_later(settling *e, size_t k, double step, double *bend)
{
    switching *s = e->s;
    double size;
    settling_move(s->f->p, e->z, step);
    dae_status status = e->resolve(e->self, e->t + step, &e->s, &e->z, &e->tried);
    *bend = (double)NAN;
    if (status != DAE_OK) return status;
    switching_look(e->s, e->t + step, e->z);
    *bend = switching_bend(e->s, k, &size);
    return DAE_OK;
}

/* The values of one side on the surface. All is then as it was before. */
static dae_status look_at_side(settling *e, size_t k, bool is, side *of)
{
    switching *s = e->s;
    double *z = e->z, later = (double)NAN, step = 0;
    *of = (side){(double)NAN, (double)NAN, (double)NAN, 0};
    settling_keep(e);
    settling_hold_side(s, k, is);
    settling_aside aside;
    settling_hush(e, &aside);
    dae_status status = settling_find_modes(e);
    settling_hear(e, &aside);
    bool stays = status == DAE_OK && !settling_takes_back(e, s, k);
    if (stays) {
        switching_look(e->s, e->t, e->z);
        switching_look_at_later_rates(e->s);
        of->rate = e->s->changes[k];
        of->bend = switching_bend(e->s, k, &of->size);
        step = ASIDE / fmax(e->s->moves, 1 / fmax(fabs(e->t), 1)) * s->modes->direction;
        status = look_later(e, k, step, &later);
        of->turn = (later - of->bend) / step;
    }
    settling_restore(e, s, z);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* Moves the states by about their tolerances. */
static void move_states(const switching *s, double *z)
{
    static const double GOLDEN = 0.6180339887498949;
    const prolongation *p = s->f->p;
    const double *nominal = s->f->levels->levels.nominal;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = p->first[i]; j + 1 < p->first[i + 1]; j++)
            z[j] += (0.5 + fmod(GOLDEN * (double)j, 1)) *
                    (s->modes->rtol * fabs(z[j]) + s->modes->atol * nominal[j]);
}

/* Whether flights with the present rate of relation k are lower than the tolerances, and that rate
 * is no more than a few times what these make of it. All is then as it was before. */
static dae_status is_low(settling *e, size_t k, bool *low)
{
    switching *s = e->s;
    double *z = e->z, size, rate = s->changes[k], bend = switching_bend(s, k, &size);
    *low = rate * rate <= 2 * fabs(bend) * switching_band(s, k);
    if (!*low) return DAE_OK;
    settling_keep(e);
    move_states(s, z);
    dae_status status = e->resolve(e->self, e->t, &e->s, &e->z, &e->tried);
    if (status == DAE_OK) {
        switching_look(e->s, e->t, e->z);
        switching_look_at_later_rates(e->s);
        *low = fabs(rate) <= FEW * fabs(e->s->changes[k] - rate);
    }
    settling_restore(e, s, z);
    switching_look_at_later_rates(s);
    *low = *low && status == DAE_OK;
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

static bool leads_back(const side *of, bool is)
{
    return (is ? of->bend : -of->bend) > SWITCHING_PULLED * of->size;
}

/* Whether both sides lead back, and flights over the surface are damped. */
static bool are_damped(const switching *s, size_t k, const side *no, const side *yes)
{
    bool same = fabs(no->rate - yes->rate) <= switching_rate_rounding(s, k);
    if (!same || !leads_back(no, false) || !leads_back(yes, true)) return false;
    double above = no->turn / (no->bend * no->bend), below = yes->turn / (yes->bend * yes->bend);
    double damps = (above - below) * s->modes->direction;
    return damps > CLEARLY * (fabs(above) + fabs(below));
}

/* The relation that is 0 after relation k was crossed: of a whole part, the other one of the two.
 */
static size_t at_zero(const switching *s, size_t k)
{
    return s->relation[k].other == SIZE_MAX ? k : s->relation[k].other;
}

/* Whether equations alone depend on relation k, and no action or memory follows from it. */
static bool is_plain(const switching *s, size_t k)
{
    const relation_state *r = &s->modes->relation[k];
    bool awaited = r->awaited && s->relation[k].other == SIZE_MAX;
    if (s->relation[k].kind != RELATION_STATE || r->kink || switching_slides(s, k)) return false;
    return !awaited && !r->moves && r->memory == 0;
}

/* The surface that was crossed at this event, if it is one alone, and equations alone depend on
 * it; SIZE_MAX: there is none. */
static size_t find_crossed(const switching *s)
{
    size_t found = SIZE_MAX;
    for (size_t k = 0; k < s->relations; k++) {
        if (!s->modes->relation[k].crossed) continue;
        size_t surface = s->modes->relation[at_zero(s, k)].surface;
        if (!is_plain(s, k) || (found != SIZE_MAX && found != surface)) return SIZE_MAX;
        found = surface;
    }
    return found;
}

dae_status settling_slide_with_second_order(settling *e, bool *slides)
{
    side no, yes;
    bool low = false;
    *slides = false;
    if (!e->s->bend || e->jumped || e->result->moved) return DAE_OK;
    switching_look(e->s, e->t, e->z);
    switching_look_at_later_rates(e->s);
    size_t k = find_crossed(e->s);
    dae_status status = k == SIZE_MAX ? DAE_OK : is_low(e, k, &low);
    if (status != DAE_OK || !low) return status;
    status = look_at_side(e, k, false, &no);
    if (status == DAE_OK) status = look_at_side(e, k, true, &yes);
    switching_look_at_later_rates(e->s);
    if (status != DAE_OK || !are_damped(e->s, k, &no, &yes)) return status;
    bool part[SWITCHING_MOST_AT_REST] = {false};
    part[k] = true;
    status = settling_slide_together(e, part, 1, slides);
    e->s->modes->relation[k].second = *slides;
    return status;
}
