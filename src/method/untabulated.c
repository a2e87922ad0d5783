/* No tables: for the program that makes them. */
#include "method/tabulated.h"

const tabulated_row tabulated_rows[] = {{.name = NULL}};
const tabulated_run tabulated_runs[] = {{0, 0}};
const uint64_t tabulated_words[] = {0};
