/* A place in a source text. */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

#include <stdint.h>

typedef struct place {
    uint32_t line, column; /* from 1; line 0: no place */
    uint32_t length;       /* characters, at least 1; for the caret's tail */
} place;

#endif
