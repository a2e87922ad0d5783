/* Files of numbers in columns: CSV. */
#ifndef BASE_COLUMNS_H
#define BASE_COLUMNS_H

#include "base/message.h"

#include <stdbool.h>

/* Fields are separated by commas, semicolons or tabulators, and may stand in double quotes.
 * Decimals have a point. Lines that are empty or begin with # are skipped. */
typedef struct columns {
    size_t count, rows;
    char **name;   /* count, from the first line; NULL: it has numbers alone */
    size_t *line;  /* rows: in the file, from 1 */
    double *value; /* rows of `count` finite numbers, or NAN where there is none */
    size_t *wrong; /* count: the first line in which a column has no number; 0: it has them all */
    const char **said; /* count: what stands there */
    size_t first_line; /* that of the names, or of the first row */
    text all;          /* in which the names stand */
} columns;

/* Read a file, of which some columns may have words. DAE_USAGE with its name and line: it cannot be
 * read, or is no such file; DAE_NO_MEMORY. What was read is to be freed in either case. */
dae_status columns_read(columns *c, const char *path, message *m);

/* Whether column k has numbers alone; else DAE_USAGE with the line that has none. */
dae_status columns_check(const columns *c, size_t k, const char *path, message *m);

void columns_free(columns *c);

#endif
