/* What external.c and external_rate.c share. */
#ifndef MODEL_EXTERNAL_H
#define MODEL_EXTERNAL_H

#include "model/evaluator.h"
#include "model/native.h"

/* The variable of a function from which an input of its C function comes, or to which an output
 * goes. */
typedef struct model_origin {
    const model_symbol *of; /* NULL: an expression, or scratch memory */
    size_t element;
} model_origin;

/* Whether an option of a derivative, noDerivative or zeroDerivative, names an input. */
bool model_is_named(model_reader *r, const model_rate *rate, const char *option,
                    const model_symbol *input);

/* Whether a derivative of the function needs this input to be constant. */
bool model_is_held(model_reader *r, const model_class *f, const model_symbol *input);

/* The first derivative that suits inputs with these origins; NULL: there is none. */
const model_rate *model_choose_rate(model_reader *r, const model_class *f, size_t inputs,
                                    const model_origin *from);

/* Gives a function of the graph this derivative. NULL: it has it, or it is wrong (reported); else
 * why it has not. */
const char *model_give_rate(model_reader *r, const model_expression *call, const model_class *f,
                            const model_rate *rate, uint32_t callee, const model_origin *from,
                            const model_origin *to);

#endif
