/* Describes a method in words. */
#ifndef CLI_METHOD_WORDS_H
#define CLI_METHOD_WORDS_H

#include "method/properties.h"

/* Prints the tableau of a method and all its computed properties on standard output. */
void method_words_print(const method *given, const method_properties *p);

#endif
