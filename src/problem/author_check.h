/* Checks of the parts that the forms of C programs share: whether they are complete and consistent.
 * Each function returns true, or false with DAE_USAGE and the sentence in `m` that names the
 * member. */
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

/* Whether the values of a constant matrix, in the layout of such a pattern, are finite. */
bool author_values_hold(message *m, const char *form, const char *member, const double *value,
                        const dae_pattern *p, size_t rows, size_t columns);

/* What the author states about n unknowns and equations. Under the protection of `a`. */
bool author_about_holds(message *m, const char *form, const dae_about *about, size_t n, arena *a);

#endif
