/* Whether the parts that forms of C programs have in common are complete and do not contradict
 * themselves. Each returns true, or false with the sentence in `m` that names the member, and
 * DAE_USAGE. */
#ifndef PROBLEM_AUTHOR_CHECK_H
#define PROBLEM_AUTHOR_CHECK_H

#include "base/arena.h"
#include "base/message.h"

#include <daedal/forms.h>
#include <stdbool.h>

/* "the FORM form is wrong: ..."; returns false. */
bool author_refuse(message *m, const char *form, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool author_missing(message *m, const char *form, const char *member);

/* A pattern of rows x columns, both at least 1. */
bool author_pattern_holds(message *m, const char *form, const char *member, const dae_pattern *p,
                          size_t rows, size_t columns);

/* The values of a constant matrix in the layout of such a pattern are finite. */
bool author_values_hold(message *m, const char *form, const char *member, const double *value,
                        const dae_pattern *p, size_t rows, size_t columns);

/* What the author knows of n unknowns and equations. Under the protection of `a`. */
bool author_about_holds(message *m, const char *form, const dae_about *about, size_t n, arena *a);

#endif
