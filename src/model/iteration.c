/* Iterations in functions.
 *
 * In a function relations make no events by the language (Modelica 3.6, Sec. 3.7.5, 8.5). Here they
 * do where a call becomes expressions, because what jumps or bends is integrated accurately only
 * where the instant is found. A bisection, though, decides in each round where the next one looks:
 * its k-th relation has 2^(k - 1) surfaces, which are met one after the other as closely as the
 * iteration is accurate, while its result does not jump by more than that. So relations that follow
 * from others in more than a few steps of arithmetic are evaluated as they stand. What chooses
 * among values without calculating, as the largest of a list does, or a search in a table by whole
 * numbers, has no more surfaces than there are values, and keeps its events. */
#include "model/discrete.h"
#include "model/evaluator.h"

/* So many steps of a function that are decided one after the other have events. */
enum { MOST_DECISIONS = 6 };

/* Of a node: the steps of arithmetic with decided values in it, one after the other, and whether
 * it is such a value itself. */
enum { DECIDED = 1, STEP = 2, MOST_STEPS = 254 };

static bool is_decided(sym_op op)
{
    return op == SYM_IF || op == SYM_MIN || op == SYM_MAX || op == SYM_ABS;
}

/* Whether all arguments are whole numbers, as are those of (first + last)/2. */
static bool is_of_whole(model_reader *r, const sym_view *view)
{
    bool whole = true;
    for (uint32_t i = 0; i < view->count && whole; i++)
        whole = model_has_trait(r, view->argument[i], TRAIT_WHOLE);
    return whole;
}

static unsigned char steps_of(model_reader *r, sym node)
{
    const unsigned char *of = r->steps.item;
    sym_view view = sym_look(r->graph, node);
    bool chooses = is_decided(view.op) || is_of_whole(r, &view);
    unsigned most = 0;
    for (uint32_t i = view.op == SYM_IF; i < view.count; i++) {
        unsigned steps = of[view.argument[i]] & ~(unsigned)DECIDED;
        if (!chooses && (of[view.argument[i]] & DECIDED) && steps < MOST_STEPS) steps += STEP;
        if (steps > most) most = steps;
    }
    return (unsigned char)(most | (is_decided(view.op) ? DECIDED : 0));
}

/* Notes once for each function that some of its relations have no events. */
static void note_iteration(model_reader *r, const model_class *f)
{
    for (size_t i = 0; i < r->iterating.count; i++)
        if (r->iterating.item[i] == f) return;
    list_push(r->a, &r->iterating, f);
    list_push(r->a, &r->note,
              arena_format(r->a,
                           "%s:%u: the function %s decides by what it has decided before, as an "
                           "iteration does: from the %dth step on its relations are evaluated as "
                           "they stand, without events",
                           r->source.file, model_line_number(r, f->at), model_spelled(r, f->name),
                           MOST_DECISIONS + 1));
}

bool model_is_iterated(model_reader *r, sym x)
{
    const model_class *f = r->mode.run ? r->mode.run->function : NULL;
    if (!f || r->mode.no_event) return false;
    while (r->steps.count <= x) {
        unsigned char steps = steps_of(r, (sym)r->steps.count);
        list_push(r->a, &r->steps, steps);
    }
    if (r->steps.item[x] / STEP <= MOST_DECISIONS) return false;
    note_iteration(r, f);
    return true;
}
