/* A method in words. */
#ifndef CLI_METHOD_WORDS_H
#define CLI_METHOD_WORDS_H

#include "method/properties.h"

/* Its tableau and all that is computed from it, on standard output. */
void method_words_print(const method *given, const method_properties *p);

#endif
