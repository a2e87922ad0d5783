/* What came of all cases: those that are not right one by one, and tables. */
#ifndef RANDOM_REPORT_H
#define RANDOM_REPORT_H

#include "random/run.h"

typedef struct arguments {
    uint64_t seed;
    long first, count;
    const char *kind, *form, *method;
    const char *formulation; /* NULL: that of auto */
    double rtol;             /* 0: all */
    bool all, print, verbose, brief, check, turned;
    long show; /* cases of a kind, form and reason */
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

/* Counts under a name. */
typedef struct tally {
    char name[200];
    long of[VERDICTS], total;
    double seconds;
} tally;

enum { TABLES = 6, MOST_TALLIES = 4000 };

typedef struct table {
    tally *t; /* MOST_TALLIES */
    int count;
} table;

/* The tally of a name, made where there is none; the last one where there are too many. */
tally *table_find(table *t, const char *name);
void table_add(table *t, const char *name, const record *r);
double percent(long part, long whole);

typedef struct report {
    record *r; /* cases to be shown */
    size_t count, room;
    table tables[TABLES], reasons, shown;
    long whole, cases; /* left out: problems, and cases of others */
} report;

void report_open(report *all);
void report_add(report *all, const record *r, const arguments *a);
void report_close(report *all);
void report_print(report *all, const arguments *a);

/* Whether what must hold does, as far as it does today (bounds.def): told line by line. */
bool bounds_hold(const report *all, const arguments *a);

#endif
