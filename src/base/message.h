/* Status and message of a handle. The first failure is kept, with its sentence. */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include "base/text.h"

#include <daedal/status.h>

/* A message says what happened; at which time and step; which equation and variable, by the
 * author's names; why; and what to do. Options of a solver are named as in dae_options: "option
 * max_steps" for the option itself, "formulation index1" for a value. */
typedef struct message {
    dae_status status; /* DAE_OK, or the first failure */
    text sentence;     /* of that failure */
    text notes;        /* remarks that are not failures, one per line */
} message;

/* Keep `status` with its sentence unless a failure is already kept. Returns the kept status. */
dae_status message_fail(message *m, dae_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with the meaning of the status as its sentence; nothing for DAE_OK, which is returned.
 */
dae_status message_status(message *m, dae_status status);

/* The same, but replaces the message that is kept: for the cause of a failure that was reported
 * earlier. */
dae_status message_replace(message *m, dae_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Add a sentence to the failure that is kept. */
void message_more(message *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add a note: something that the user should know and that is not a failure. */
void message_note(message *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The failure's sentence, or the status's meaning if memory was too short for a sentence. */
const char *message_string(const message *m);

/* Leaves it empty, for another use. */
void message_free(message *m);

/* Takes the failure out, so that none is kept. Notes stay. */
message message_take_failure(message *m);

/* Adds the notes of `from`, and its failure if it has one and `m` has none. `from` is freed. */
void message_move(message *m, message *from);

#endif
