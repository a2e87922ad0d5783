/* The units of variables and of what equations say of them. */
#ifndef MODEL_UNITS_H
#define MODEL_UNITS_H

#include "model/dimension.h"
#include "model/reader.h"

/* The unit of a variable or an expression. */
typedef struct model_unit {
    dimension dimension;
    const char *written; /* by its author; NULL: it follows from others */
    unsigned line;       /* of the equation by which a variable has it; 0: of its declaration */
} model_unit;

/* Notes each equation, sum and argument whose units differ. */
void model_check_units(model_reader *r);

/* unit_spelling.c: notes units that are not read, though they seem to be meant as some. */
void model_note_spellings(model_reader *r);

#endif
