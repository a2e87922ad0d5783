/* Where a run writes: rows, picture, statistics. */
#ifndef CLI_RUN_FILES_H
#define CLI_RUN_FILES_H

#include "base/text.h"
#include "cli/arguments.h"
#include "report/plot.h"

#include <daedal/solver.h>
#include <stdio.h>

typedef struct run_files {
    const arguments *given;
    FILE *rows; /* NULL: none are written. Whole lines go to it at once, past its buffer, so that
                   the file ends with a whole one whenever the command is killed */
    text lines; /* that have not gone yet */
    FILE *stats;
    plot *picture;
    bool made_rows, made_stats; /* the file did not exist before */
    bool begun;                 /* the names of the columns are written */
    bool at_once;               /* each row: somebody looks on */
    size_t count;               /* of rows that were written */
    int reason;                 /* errno of the first failure to write them; 0 */
} run_files;

/* The columns of rows and picture. */
typedef struct run_columns {
    size_t count;
    size_t *at; /* of variables */
    const char **name, **unit;
} run_columns;

/* Open what is asked for; what the files held stays until there is something to write. 0, or 2
 * after a message. Without `columns` only statistics are written. */
int run_files_open(run_files *f, const arguments *given, const run_columns *columns);

/* The names of the columns, in place of what the file held. 0, or -1. */
int run_files_header(run_files *f, const run_columns *columns);

/* A row into file and picture. 0, or -1. */
int run_files_row(run_files *f, double t, const double *y, const run_columns *columns);

/* Close the rows: errors that show only now, as on a full disk, count like any other. A file that
 * was made for them and got none is removed. 0, or the reason, an errno. */
int run_files_close_rows(run_files *f);

/* Draw; nothing where no row was written. 0, or 1 after a message. */
int run_files_draw(run_files *f);

/* The statistics, to where they are asked for. 0, or 1 after a message. */
int run_files_stats(run_files *f, const dae_stats *stats);

/* Close what is still open. */
void run_files_end(run_files *f);

#endif
