/* Whole parts: discrete variables c of which two relations x < c y and (c + 1) y <= x tell where
 * they change. For the number of an interval, bounds of a list stand for c y and (c + 1) y.
 *
 * The relations of c and of c + 1 compare x with the same bound. Rounding must not decide one of
 * them otherwise than the other one, or no c is that of its relations. So both are looked at by one
 * difference, with one size of its terms. */
#include "event/switching.h"

#include "symbolic/cells.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"

#include <math.h>

/* The relation whose truth selects in a node; SIZE_MAX: none does. */
static size_t selecting(const sym_graph *g, const sym_view *view)
{
    return view->op == SYM_IF ? sym_relation_number(g, view->argument[0]) : SIZE_MAX;
}

/* The two relations of a whole part; whether it has both. */
static bool find_both(const sym_graph *g, const sym_discrete *x, whole_part *w)
{
    if (!x->is_whole) return false;
    sym_view less = sym_look(g, x->definition);
    w->below = selecting(g, &less);
    if (w->below == SIZE_MAX) return false;
    sym_view more = sym_look(g, less.argument[2]);
    w->above = selecting(g, &more);
    w->pre = x->pre;
    w->bounds = x->is_interval ? sym_list_of(g, x->bounds) : NULL;
    return w->above != SIZE_MAX;
}

void switching_find_whole_parts(switching *s, arena *a, sym_graph *g)
{
    const sym_discrete_part *d = &s->system->discrete;
    LIST(sym) value = {0};
    for (size_t k = 0; k < s->relations; k++)
        s->relation[k].other = s->relation[k].whole = SIZE_MAX;
    s->whole = arena_array(a, d->variable.count + 1, sizeof *s->whole);
    for (size_t i = 0; i < d->variable.count; i++) {
        whole_part *w = &s->whole[s->wholes];
        if (!find_both(g, &d->variable.item[i], w)) continue;
        s->relation[w->below].other = w->above;
        s->relation[w->above].other = w->below;
        s->relation[w->below].whole = s->relation[w->above].whole = s->wholes;
        s->wholes++;
        sym of[2] = {sym_look(g, sym_relation_node(g, w->below)).argument[0],
                     d->variable.item[i].step};
        structure_to_core(s->system, s->f->core, 2, of);
        for (size_t j = 0; j < 2; j++) {
            list_push(a, &value, of[j]);
            list_push(a, &value, switching_by_time(g, of[j]));
            list_push(a, &value, switching_terms(g, of[j]));
        }
    }
    s->of_whole = prolongation_tape(a, s->f->p, value.count, value.item);
    arena_vectors(a, value.count + 1, (double **[]){&s->compared, NULL});
}

/* What c y is for one c, and the size of that and of its neighbour. */
typedef struct whole_bound {
    double y, size;
} whole_bound;

static whole_bound bound_at(const whole_part *w, double c, double other)
{
    if (!w->bounds) return (whole_bound){c, fabs(c) + 1};
    double at = sym_choose(w->bounds, SYM_ELEMENT, c);
    return (whole_bound){at, fmax(fabs(at), fabs(sym_choose(w->bounds, SYM_ELEMENT, other)))};
}

/* left - right of x and c y: its value, its slope and the size of its terms, to which the whole
 * part beside it belongs. */
static void compare(switching *s, size_t k, whole_bound c, const double *of, bool turned)
{
    const double *x = of, *y = of + 3;
    double value = x[0] - c.y * y[0], slope = x[1] - c.y * y[1];
    s->value[k] = turned ? -value : value;
    s->by_time[k] = turned ? -slope : slope;
    s->terms_of[k] = x[2] + c.size * y[2];
}

void switching_look_at_whole_parts(switching *s)
{
    sym_tape_eval(s->of_whole, s->input, s->compared);
    for (size_t i = 0; i < s->wholes; i++) {
        const whole_part *w = &s->whole[i];
        const double *of = s->compared + 6 * i, pre = sym_cell_value(s->system->graph, w->pre);
        compare(s, w->below, bound_at(w, pre, pre + 1), of, false);
        compare(s, w->above, bound_at(w, pre + 1, pre), of, true);
    }
}
