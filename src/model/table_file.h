/* Files of tables as text, as the Modelica Standard Library reads them. */
#ifndef MODEL_TABLE_FILE_H
#define MODEL_TABLE_FILE_H

#include "model/reader.h"

/* The numbers of a table in a file, row by row. A path is relative to the directory of the text.
 * NULL: it cannot be read, or there is no such table (reported at `at`). */
const double *model_read_table_file(model_reader *r, model_span at, const char *file,
                                    const char *wanted, size_t *rows, size_t *width);

/* mat_file.c: the same from the bytes of a file of MATLAB 4. */
const double *model_read_mat_file(model_reader *r, model_span at, const char *path,
                                  const char *bytes, size_t length, const char *wanted,
                                  size_t *rows, size_t *width);

#endif
