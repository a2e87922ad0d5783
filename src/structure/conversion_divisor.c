/* Combinations that divide by what may vanish. */
#include "structure/conversion_parts.h"

#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* x = above / below, as far as its factors show that; below is 1 where they show none. */
static void split(sym_graph *g, sym x, sym *above, sym *below)
{
    sym_view view = sym_look(g, x);
    double scale = 1;
    *above = x;
    *below = sym_number(g, 1);
    if (view.op == SYM_SUM && view.count == 1 && view.value == 0) {
        scale = view.factor[0];
        view = sym_look(g, view.argument[0]);
    }
    if (view.op != SYM_PRODUCT) return;
    *above = sym_number(g, scale);
    for (uint32_t k = 0; k < view.count; k++) {
        sym *side = view.factor[k] < 0 ? below : above;
        *side = sym_multiply(g, *side, sym_power_number(g, view.argument[k], fabs(view.factor[k])));
    }
}

/* The one other equation by whose entry the combination in place of l divides, differentiated as
 * often as l; false where there is none, or more than one. */
static bool find_other(const conversion *v, size_t l, divisor *d)
{
    size_t found = 0;
    for (size_t k = 0; k < v->n; k++) {
        sym above, below;
        if (k == l || term_is_zero(v, &v->factor[l * v->n + k])) continue;
        split(v->g, v->factor[l * v->n + k].value, &above, &below);
        if (sym_is_number(v->g, below, NULL)) continue;
        if (v->s->c[k] != v->s->c[l]) return false;
        *d = (divisor){.other = k, .above = above, .below = below};
        found++;
    }
    return found == 1;
}

bool conversion_free_of_divisor(conversion *v, size_t l, divisor *d)
{
    double at[SAMPLES];
    term *factor = v->factor + l * v->n;
    if (!find_other(v, l, d) || !conversion_look(v, 1, &d->below, at)) return false;
    for (size_t k = 0; k < v->n; k++) {
        if (term_is_zero(v, &factor[k])) continue;
        factor[k].value = k == d->other ? d->above : sym_multiply(v->g, factor[k].value, d->below);
        for (int s = 0; s < SAMPLES; s++) {
            factor[k].at[s] *= at[s];
            factor[k].size[s] *= fabs(at[s]);
        }
    }
    return true;
}

sym conversion_across(const conversion *v, size_t l, const divisor *d)
{
    const sym *residual = v->core->residual;
    return sym_subtract(v->g, sym_multiply(v->g, d->below, residual[d->other]),
                        sym_multiply(v->g, d->above, residual[l]));
}
