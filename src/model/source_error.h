/* Errors in a model's text, collected during one run and written in order of place.
 *
 * An error is a mistake of the author. A refusal is correct Modelica that is not supported (yet).
 * Refusals are written only if there are no errors, because a wrong text does not need an
 * unsupported feature. */
#ifndef MODEL_SOURCE_ERROR_H
#define MODEL_SOURCE_ERROR_H

#include "base/message.h"
#include "model/source.h"

typedef struct model_report {
    model_span at;
    const char *what, *remedy; /* remedy NULL: none is known */
    const char *feature;       /* of a refusal; NULL for an error */
    size_t number;             /* in order of arrival */
} model_report;

typedef struct model_reports {
    arena *a;
    model_source *source; /* not owned */
    LIST(model_report) list;
    size_t errors;
    model_report *last; /* takes remedies; NULL if the report was dropped */
    uint32_t text_ends; /* text from here on is ignored: a comment or string is open */
} model_reports;

enum { MODEL_MOST_REPORTS = 100, MODEL_MOST_SHOWN = 20 };

/* Report an error. It is dropped if there is one at the same place. */
void model_error(model_reports *r, model_span at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Report an unsupported feature, once for each `feature` (NULL: the format is its name). */
void model_refuse(model_reports *r, model_span at, const char *feature, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Add a remedy to the last report. */
void model_remedy(model_reports *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add the nearest of `count` candidates as the remedy, if one is near. */
void model_remedy_nearest(model_reports *r, const char *word, size_t count,
                          const char *const *candidate);

/* Write all errors, or else all refusals, into `m`; DAE_OK if there are none. */
dae_status model_reports_write(model_reports *r, message *m);

#endif
