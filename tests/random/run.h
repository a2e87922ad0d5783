/* One run of daedal on a random problem, and how far it is off. */
#ifndef RANDOM_RUN_H
#define RANDOM_RUN_H

#include "random/forms.h"

typedef enum verdict {
    RIGHT,   /* within ten tolerances and ten times the effect of rounding */
    LOOSE,   /* within a hundred */
    WRONG,   /* off by more, with status 0 */
    STOPPED, /* a failure that says so */
    REFUSED, /* before the start: not offered */
    SLOW,    /* given up by us */
    CRASHED, /* the process ended */
    VERDICTS
} verdict;

extern const char *const verdict_names[VERDICTS];

typedef enum start_mode {
    START_EXACT, /* all values, fixed */
    START_FREE,  /* values that determine the rest are fixed, the rest is guessed a little wrong */
    START_GUESSED, /* the same, the guesses right */
    START_WITH,    /* values and derivatives (callbacks) */
    START_MODES
} start_mode;

extern const char *const start_names[START_MODES];

typedef struct request {
    random_form form;
    const char *method;
    const char *formulation; /* NULL: that of auto */
    double rtol;
    start_mode start;
    bool by_steps; /* each step is looked at, at its end and within; else `rows` rows */
    int rows;
    bool by_nominal; /* the absolute tolerance counts in units of nominal values */
    form_draw how;
} request;

typedef struct outcome {
    verdict verdict;
    double units; /* largest error beyond ten times the effect of rounding, in tolerances */
    int worst;    /* which unknown */
    double at;    /* when */
    size_t steps;
    double seconds;
    dae_status status;
    char message[240];
} outcome;

/* A system, the order and the units that it was put into, and what is known of it before. */
typedef struct task {
    random_system *s;
    const system_order *order;
    const condition *known;
} task;

void run_case(const task *k, const request *r, draw *d, outcome *o);

/* The model text with the start that the request has; to be freed. */
char *run_text(const task *k, const request *r, draw *d);

#endif
