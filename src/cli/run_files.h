/* The files that a run writes: rows, picture, statistics. */
#ifndef CLI_RUN_FILES_H
#define CLI_RUN_FILES_H

#include "base/arena.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "report/plot.h"

#include <daedal/solver.h>
#include <stdio.h>

/* Checks that the outputs of a command do not overwrite its input or each other. */

/* Opens nothing. 0; 2 after a message where two of the named files are the same, links followed.
 * Standard input and output count where they are files. */
int output_names_check(const arguments *given);

typedef struct run_files {
    const arguments *given;
    FILE *rows; /* NULL: no rows are written. Whole lines go to it directly, past its buffer, so
                   that the file ends with a whole line whenever the command is killed */
    text lines; /* lines that are not written yet */
    FILE *stats, *events;
    plot *picture;
    bool made_rows, made_stats, made_events; /* the file did not exist before */
    bool begun;                              /* the names of the columns are written */
    bool events_begun;                       /* those of the events as well */
    bool at_once; /* each row is written at once, because somebody is watching */
    size_t count; /* number of rows written */
    int reason;   /* errno of the first failed write of rows; 0: none */
} run_files;

/* The columns of rows and picture. */
typedef struct run_columns {
    size_t count;
    size_t *at;                /* places in a row: variables, and after them their derivatives */
    size_t variables;          /* so many places belong to variables */
    bool derivatives;          /* there is a column of one */
    const char **name, **unit; /* count */
    arena memory;              /* holds both */
} run_columns;

/* The columns that a list of words asks for, all variables where there are none: each once, in the
 * order of the list. Words are those of dae_problem_select(), and der(...) of them. 0, or 2 after a
 * message; to be freed in any case. */
int run_columns_choose(run_columns *c, dae_problem *problem, size_t words, char *const *word);
void run_columns_free(run_columns *c);

/* Opens the files that are asked for. They keep their old content until there is something to
 * write. 0, or 2 after a message. Without `columns` only statistics are written. */
int run_files_open(run_files *f, const arguments *given, const run_columns *columns);

/* Writes the names of the columns, in place of the old content. 0, or -1. */
int run_files_header(run_files *f, const run_columns *columns);

/* Writes a row to file and picture. 0, or -1. */
int run_files_row(run_files *f, double t, const double *y, const run_columns *columns);

/* Writes the values beside an event to the picture alone, where there is one. 0, or -1. */
int run_files_drawn_row(run_files *f, double t, const double *y, const run_columns *columns);

/* Writes the names of the columns of the events, in place of the old content; lists an event.
 * Events without a file are lines on standard error. 0, or -1. */
int run_files_events_header(run_files *f);
int run_files_event(run_files *f, const dae_event *event);

/* Closes the file of the events, as run_files_close_rows() does with rows. 0, or 1 after a message.
 */
int run_files_close_events(run_files *f);

/* Closes the rows. Errors that show only now, as on a full disk, count like any other. A file that
 * was created for rows and got none is removed. 0, or the reason, an errno. */
int run_files_close_rows(run_files *f);

/* Draws the picture, unless no row was written. 0, or 1 after a message. */
int run_files_draw(run_files *f);

/* Writes the statistics where they are asked for. 0, or 1 after a message. */
int run_files_stats(run_files *f, const dae_stats *stats);

/* Closes what is still open. */
void run_files_end(run_files *f);

#endif
