/* What units.c and unit_expression.c share. */
#ifndef MODEL_UNIT_CHECK_H
#define MODEL_UNIT_CHECK_H

#include "model/units.h"

/* One check of a model. */
typedef struct unit_check {
    model_reader *r;
    bool told, changed; /* told: differences are noted; changed: a variable has a new unit */
    size_t notes;
    int depth;
} unit_check;

/* The unit of an expression. */
typedef struct quantity {
    const model_unit *unit; /* NULL: not known, or any */
    bool literal;           /* made of numbers alone, and of time: it may be equal to anything */
    bool count;             /* a number that has the unit 1 as a factor */
} quantity;

const model_unit *model_unit_add(unit_check *c, model_unit unit);
const model_unit *model_unit_of(unit_check *c, model_symbol *s); /* NULL: it has none */

/* The variable of the model that an expression is, whole: the elements of an array of signals may
 * have different units. NULL: it is none. */
model_symbol *model_unit_variable(const model_expression *e);

/* A variable without a unit takes that of what it is equal to; a parameter, and a variable of a
 * function, may have any. */
void model_unit_take(unit_check *c, model_symbol *s, const model_unit *unit, model_span at);

const char *model_unit_text(unit_check *c, const model_unit *u);

/* Whether two quantities may be equal; if not, it is told. */
bool model_unit_meet(unit_check *c, const model_expression *a, quantity x,
                     const model_expression *b, quantity y);
void model_unit_note(unit_check *c, model_span at, const char *what);

quantity model_quantity(unit_check *c, const model_expression *e); /* unit_expression.c */

#endif
