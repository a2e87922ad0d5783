/* What came of all cases: those that are not right one by one, and tables. */
#ifndef RANDOM_REPORT_H
#define RANDOM_REPORT_H

#include "random/run.h"

typedef struct arguments {
    uint64_t seed;
    long first, count;
    const char *kind, *form, *method;
    double rtol; /* 0: all */
    bool all, print, verbose, brief;
    int jobs;
} arguments;

/* False, with a message, where they are wrong. */
bool read_arguments(int count, char **argument, arguments *a);

typedef struct record {
    long number;
    int place;                   /* of the case among those of the problem */
    bool begun, left_out, whole; /* begun: an announcement; whole: the problem is left out */
    random_form form;
    char kind[16], method[16], variation[64];
    double rtol, growth, effect;
    start_mode start;
    int rows, index, n; /* rows 0: by steps */
    outcome o;
} record;

typedef struct report {
    record *r;
    size_t count, room;
} report;

void report_add(report *all, const record *r);
void report_close(report *all);

/* 0, or 1 where a bound is missed. */
int report_print(report *all, const arguments *a);

#endif
