/* Whether both sides of each equation, and the terms of each sum, have the same unit.
 *
 * A variable without a unit takes that of what it is equal to. A literal number has any unit where
 * it is added or compared; where it multiplies, small whole numbers and their parts (2, 0.5) have
 * the unit 1, and others may stand for a quantity, so that the unit of the product is not known. */
#include "model/units.h"

#include "model/evaluator.h"
#include "model/unit_check.h"

enum {
    MOST_PASSES = 10, /* in which units go from variable to variable */
    MOST_NOTES = 8
};

const model_unit *model_unit_add(unit_check *c, model_unit unit)
{
    model_unit *kept = arena_take(c->r->a, sizeof *kept);
    *kept = unit;
    return kept;
}

/* --- units of variables --- */

static const model_unit *declared_unit(unit_check *c, const model_symbol *s)
{
    model_reader *r = c->r;
    if (s->type.base != TYPE_REAL) return NULL;
    const model_expression *e = model_attribute_written(r, s, ATTRIBUTE_UNIT);
    if (!e || e->kind != EXPRESSION_STRING) return NULL;
    const char *spelled = names_string(r->words, e->name);
    model_unit unit = {.written = spelled};
    return dimension_read(spelled, &unit.dimension) ? model_unit_add(c, unit) : NULL;
}

const model_unit *model_unit_of(unit_check *c, model_symbol *s)
{
    if (!s->unit_sought) s->unit = declared_unit(c, s);
    s->unit_sought = true;
    return s->unit;
}

model_symbol *model_unit_variable(const model_expression *e)
{
    bool named = e->kind == EXPRESSION_REFERENCE && e->reference->meaning.kind == MEANS_SYMBOL;
    return named && e->reference->part->count == 0 ? e->reference->meaning.symbol : NULL;
}

void model_unit_take(unit_check *c, model_symbol *s, const model_unit *unit, model_span at)
{
    bool takes = s && unit && s->type.base == TYPE_REAL && !model_unit_of(c, s) &&
                 s->declaration->variability < VARIABILITY_PARAMETER;
    if (!takes || unit->dimension.factor == 0 || unit->dimension.zero == ZERO_UNKNOWN) return;
    model_unit own = *unit;
    own.line = model_line_number(c->r, at);
    s->unit = model_unit_add(c, own);
    c->changed = true;
}

/* --- what is told --- */

const char *model_unit_text(unit_check *c, const model_unit *u)
{
    arena *a = c->r->a;
    const char *word = u->written ? u->written : dimension_text(a, &u->dimension);
    return u->line ? arena_format(a, "%s (by line %u)", word, u->line) : word;
}

void model_unit_note(unit_check *c, model_span at, const char *what)
{
    c->notes++;
    if (c->notes > MOST_NOTES) return;
    list_push(
        c->r->a, &c->r->note,
        arena_format(c->r->a, "%s:%u: %s", c->r->source.file, model_line_number(c->r, at), what));
}

bool model_unit_meet(unit_check *c, const model_expression *a, quantity x,
                     const model_expression *b, quantity y)
{
    if (!c->told || !x.unit || !y.unit || x.literal || y.literal ||
        dimension_equal(&x.unit->dimension, &y.unit->dimension))
        return true;
    model_unit_note(c, b->at,
                    arena_format(c->r->a, "the units differ: %s is in %s, %s in %s",
                                 model_shown(c->r, a), model_unit_text(c, x.unit),
                                 model_shown(c->r, b), model_unit_text(c, y.unit)));
    return false;
}

/* --- equations --- */

/* A variable without a unit in a sum takes the unit of the sum. */
static void take_in_sum(unit_check *c, const model_expression *e, const model_unit *unit,
                        model_span at)
{
    if (e->kind != EXPRESSION_SUM) {
        model_unit_take(c, model_unit_variable(e), unit, at);
        return;
    }
    for (uint32_t i = 0; i < e->count; i++)
        model_unit_take(c, model_unit_variable(e->operand[i]), unit, at);
}

static void check_sides(unit_check *c, const model_expression *left, const model_expression *right,
                        model_span at)
{
    quantity x = model_quantity(c, left), y = model_quantity(c, right);
    model_unit_meet(c, left, x, right, y);
    if (!x.unit && !y.literal) take_in_sum(c, left, y.unit, at);
    if (!y.unit && !x.literal) take_in_sum(c, right, x.unit, at);
}

static void check_clauses(unit_check *c, const model_clauses *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const model_clause *clause = list->item[i];
        bool sides = clause->kind == CLAUSE_EQUATION || clause->kind == CLAUSE_ASSIGNMENT;
        if (sides)
            check_sides(c, clause->left, clause->right, clause->at);
        else if (clause->left)
            (void)model_quantity(c, clause->left);
        for (size_t k = 0; k < clause->branch.count; k++) {
            (void)model_quantity(c, clause->branch.item[k].condition);
            check_clauses(c, &clause->branch.item[k].body);
        }
    }
}

static void check_binding(unit_check *c, model_symbol *s)
{
    const model_expression *e = s->declaration->binding;
    if (!e) return;
    quantity value = model_quantity(c, e);
    const model_unit *own = model_unit_of(c, s);
    bool differ = own && value.unit && !value.literal &&
                  !dimension_equal(&own->dimension, &value.unit->dimension);
    if (c->told && differ)
        model_unit_note(c, s->declaration->at,
                        arena_format(c->r->a, "the units differ: %s is in %s, its value %s in %s",
                                     s->name, model_unit_text(c, own), model_shown(c->r, e),
                                     model_unit_text(c, value.unit)));
    if (!value.literal) model_unit_take(c, s, value.unit, s->declaration->at);
}

static void check_all(unit_check *c)
{
    model_reader *r = c->r;
    c->changed = false;
    for (size_t i = 0; i < r->symbol.count; i++) check_binding(c, r->symbol.item[i]);
    check_clauses(c, &r->model->equation);
    check_clauses(c, &r->model->initial);
    for (size_t i = 0; i < r->model->algorithm.count; i++)
        check_clauses(c, &r->model->algorithm.item[i].statement);
    for (size_t k = 0; k < r->classes.count; k++) {
        const model_class *f = r->classes.item[k];
        for (size_t i = 0; f->kind == CLASS_FUNCTION && i < f->algorithm.count; i++)
            check_clauses(c, &f->algorithm.item[i].statement);
    }
}

static bool any_unit(unit_check *c)
{
    for (size_t i = 0; i < c->r->symbol.count; i++)
        if (c->r->symbol.item[i]->type.base == TYPE_REAL && model_unit_of(c, c->r->symbol.item[i]))
            return true;
    return false;
}

void model_check_units(model_reader *r)
{
    unit_check c = {.r = r};
    model_note_spellings(r);
    if (!any_unit(&c)) return;
    c.changed = true;
    for (int pass = 0; pass < MOST_PASSES && c.changed; pass++) check_all(&c);
    c.told = true;
    check_all(&c);
    if (c.notes > MOST_NOTES)
        list_push(r->a, &r->note,
                  arena_format(r->a, "%s: units differ in %zu more places", r->source.file,
                               c.notes - MOST_NOTES));
}
