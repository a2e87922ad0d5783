/* What the command tells on standard error, and the exit status that goes with it. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <daedal/status.h>
#include <stdio.h>

/* The exit status that goes with a status of the library. */
int exit_status(dae_status status);

/* Messages of the library name options of the solver ("option max_steps"): told are their flags. */

/* Lines, each after "daedal: note: ". */
void report_notes(const char *notes);

/* A failure: a wrong model's message as it is, others after "daedal: ". */
void report_failure(dae_status status, const char *message);

/* That something could not be written, and why: "the rows", the name of its file or NULL for the
 * standard output, errno. */
void report_unwritten(const char *what, const char *file, int reason);

/* That a file which an option names cannot be written, and why. Returns 2, the exit status. */
int report_unwritable(const char *option, const char *file, const char *why);

/* That a picture was not drawn, and why: errno, 0 for gnuplot's own reasons. Returns 1, the exit
 * status. */
int report_undrawn(const char *file, int reason);

/* Send what a stream still holds. 0, or the reason why it or something before could not be written,
 * an errno, which is told only once. */
int flush_stream(FILE *stream);

/* The same for an answer on standard output, with a message. The exit status: `code`, or 1 where
 * that is 0. A pipe whose reader has had enough is no failure. */
int flush_answer(int code);

#endif
