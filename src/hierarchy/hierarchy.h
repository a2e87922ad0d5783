/* From a hierarchical model to flat text. */
#ifndef HIERARCHY_HIERARCHY_H
#define HIERARCHY_HIERARCHY_H

#include "base/message.h"
#include "model/load.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct hierarchy_request {
    const model_text *text;
    const char *model; /* the name of the model, as P.M; NULL: the one that no other class uses */
    const char *directory; /* where other classes are looked for, as NAME.mo; NULL: nowhere */
    size_t settings;
    const model_setting *setting; /* values of parameters that decide what the model consists of */
    bool all; /* the text is to have the values of all settings, not of these parameters alone */
} hierarchy_request;

typedef struct hierarchy_flat {
    text text; /* owned */
    arena memory;
    size_t settings;      /* that were given */
    bool *used;           /* settings: those that the flat text contains already; in `memory` */
    const char **name;    /* settings: of its variable in the text; NULL: as it was given */
    const unsigned *line; /* of each line of the text: the line of the model's file, in `memory` */
    size_t open;          /* inputs of components that are not connected and have no value: */
    const char **open_input; /* their names, without subscripts of elements, in `memory` */
} hierarchy_flat;

/* Write the model as one flat text in legal Modelica (docs/hierarchy.md): DAE_MODEL_ERROR with all
 * errors found, as from model_load(); DAE_USAGE for a model that is not there; DAE_NO_MEMORY. The
 * result is to be freed in either case. It may be called outside arena_protect(). */
dae_status hierarchy_flatten(const hierarchy_request *request, message *m, hierarchy_flat *flat);

void hierarchy_flat_free(hierarchy_flat *flat);

#endif
