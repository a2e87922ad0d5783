/** Outcomes of fallible calls.
 *
 *  Every fallible function of the library returns a ::dae_status: #DAE_OK (0), or a negative value
 *  that says what went wrong. The library never prints, never exits and never aborts. A handle that
 *  has failed keeps its first status and a message in full sentences. Later calls on it return that
 *  status and do nothing. Everything that was computed before stays readable. */
#ifndef DAEDAL_STATUS_H
#define DAEDAL_STATUS_H

#if defined(_WIN32)
#define DAE_API
#elif defined(__GNUC__)
#define DAE_API __attribute__((visibility("default")))
#else
#define DAE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a call. `status.def` has the meanings, one per line. */
typedef enum dae_status {
#define X(name, value, word, exit_status, meaning) DAE_##name = value,
#include <daedal/status.def>
#undef X
    DAE_STATUS_COUNT_ = 24 /**< the number of statuses, not a status */
} dae_status;

/** The word of a status as `--stats` writes it, for example "step_too_small".
 *  @return a string that is never NULL and needs no freeing; "unknown" for any other number. */
DAE_API const char *dae_status_word(dae_status status);

/** What a status means, in half a sentence, for example "the step fell below round-off".
 *  @return a string that is never NULL and needs no freeing. */
DAE_API const char *dae_status_meaning(dae_status status);

/** The library's version as "major.minor.patch". */
DAE_API const char *dae_version(void);

#ifdef __cplusplus
}
#endif
#endif
