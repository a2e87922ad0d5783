/* Messages of the command on standard error, and the exit statuses that belong to them. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <daedal/status.h>
#include <stdio.h>

/* The exit status for a status of the library. */
int exit_status(dae_status status);

/* Messages of the library name options of the solver ("option max_steps"). They are printed as
 * flags. */

/* Prints notes, each line after "daedal: note: ". */
void report_notes(const char *notes);

/* Reports a failure. The message of a wrong model is printed as it is, others after "daedal: ". */
void report_failure(dae_status status, const char *message);

/* Reports a mistake in the command line: a line after "daedal: ". Returns 2, the exit status. */
int report_mistake(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reports that memory is exhausted. Returns the exit status. */
int report_no_memory(void);

/* Reports that something could not be written, and why. `what`: such as "the rows"; `file`: its
 * name, or NULL for standard output; `reason`: an errno. */
void report_unwritten(const char *what, const char *file, int reason);

/* Reports that a file named by an option cannot be written, and why (errno). Returns 2, the exit
 * status. */
int report_unwritable(const char *option, const char *file);

/* Reports that another process writes a file named by an option. Returns 2, the exit status. */
int report_held(const char *option, const char *file);

/* Reports that a picture was not drawn, and why: an errno, or 0 for gnuplot's own reasons. Returns
 * 1, the exit status. */
int report_undrawn(const char *file, int reason);

/* Flushes a stream. 0, or an errno: why this or an earlier write failed. It is returned only once.
 */
int flush_stream(FILE *stream);

/* The same for an answer on standard output, with a message. Returns the exit status: `code`, or 1
 * where that is 0, or -1 because memory or the stream failed. A pipe whose reader has stopped
 * reading is no failure. */
int flush_answer(int code);

#endif
