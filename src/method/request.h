/* What the name of a method contains: a row, and its parameters or nodes. */
#ifndef METHOD_REQUEST_H
#define METHOD_REQUEST_H

#include "method/expression.h"
#include "method/method.h"

typedef struct request {
    const method_row *row;
    char name[METHOD_NAME_SIZE]; /* with the values of its parameters, without blanks */
    definitions names;           /* the parameters */
    int nodes;                   /* number of nodes of collocation(...) */
    quad node[METHOD_MOST_STAGES];
} request;

/* DAE_USAGE with a sentence that names what is wrong, and what is nearest to an unknown name. */
dae_status request_read(request *r, const char *name, message *m);

#endif
