/* What is wrong with a model's text, collected over one run and written in order of place.
 *
 * An error is a mistake of the author. A refusal is correct Modelica that is not supported (yet);
 * it is written only where nothing is an error, so that nobody is told to wait for a feature when
 * the text is wrong. */
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
    model_report *last; /* that a remedy goes to; NULL if the report was dropped */
    uint32_t text_ends; /* what lies behind is not believed: a comment or string is open */
} model_reports;

enum { MODEL_MOST_REPORTS = 100, MODEL_MOST_SHOWN = 20 };

/* Report an error; dropped if one is known at the same place. */
void model_error(model_reports *r, model_span at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Report what is not supported, once for each `feature` (NULL: the format is its name). */
void model_refuse(model_reports *r, model_span at, const char *feature, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Add what to do to the report that was made last. */
void model_remedy(model_reports *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add the nearest of `count` candidates as the remedy, if one is near. */
void model_remedy_nearest(model_reports *r, const char *word, size_t count,
                          const char *const *candidate);

/* Write all that was reported into `m`, errors or else refusals; DAE_OK if there is nothing. */
dae_status model_reports_write(model_reports *r, message *m);

#endif
