/* Status and message of a handle: the first failure is kept, with its sentence. */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include "base/text.h"

#include <daedal/status.h>

/* A message says what happened, at which time and step, which equation and variable by the author's
 * names, why, and what to do. Options of a solver are named as in dae_options: "option max_steps"
 * where the option itself is meant, "formulation index1" where it is a value. */
typedef struct message {
    dae_status status; /* DAE_OK, or the first failure */
    text sentence;     /* of that failure */
    text notes;        /* remarks that are no failures, one a line */
} message;

/* Keep `status` with its sentence unless a failure is already kept. Returns the kept status. */
dae_status message_fail(message *m, dae_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, replacing whatever message is kept: for the cause of a failure that was told before it.
 */
dae_status message_replace(message *m, dae_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Add a sentence to the failure that is kept. */
void message_more(message *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add a note: something the user should know that is no failure. */
void message_note(message *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The failure's sentence; the status's meaning where memory was too short for one. */
const char *message_string(const message *m);

void message_free(message *m);

#endif
