/* A structural method in words, in parts of what method_words.h prints. */
#ifndef CLI_STRUCTURAL_WORDS_H
#define CLI_STRUCTURAL_WORDS_H

#include "method/properties.h"

/* Order, error estimate, and how long steps may be, on standard output. */
void structural_words_print_orders(const method *given, const method_properties *p);
void structural_words_print_stability(const method *given, const method_properties *p);
void structural_words_print_constrained(const method_properties *p);

#endif
