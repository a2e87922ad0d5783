/* What must hold: no run is wrong; of `auto` 99.5 % are within ten tolerances; of the others 95 %
 * arrive; at most 5 % of the problems are left out; no process ends. The misses of today are
 * counted, and their number may not grow, whether that holds or not. */
#include "random/report.h"

#include <stdio.h>
#include <string.h>

static const double RIGHT_BY_AUTO = 99.5, ARRIVE = 95, LEFT_OUT = 5; /* % */

static const struct {
    const char *method;
    long wrong, missed, missed_of_many;
    const char *reason;
} expected[] = {
#define X(method, wrong, missed, many, reason) {method, wrong, missed, many, reason},
#include "random/bounds.def"
#undef X
};

/* One bound: whether it holds, or is missed by no more than expected. */
static bool hold(const char *method, const char *what, long missed, double allowed, long most,
                 const char *reason)
{
    bool met = (double)missed <= allowed, grown = missed > most;
    printf("%-11s %-34s %6ld, allowed %7.1f: ", method, what, missed, allowed);
    if (grown)
        printf("FAILS (at most %ld were expected)\n", most);
    else if (met)
        printf("holds\n");
    else
        printf("expected failure (at most %ld: %s)\n", most, reason);
    return !grown;
}

enum { FEW = 125 }; /* problems of ctest; of more, those of `make study` */

static bool method_holds(const tally *t, size_t k, long problems)
{
    const char *name = expected[k].method;
    bool by_auto = strcmp(name, "auto") == 0;
    long asked = t->total - (by_auto ? 0 : t->of[REFUSED]);
    long arrived = t->of[RIGHT] + (by_auto ? 0 : t->of[LOOSE] + t->of[WRONG]);
    double share = by_auto ? RIGHT_BY_AUTO : ARRIVE;
    long most = problems > FEW ? expected[k].missed_of_many : expected[k].missed;
    bool one = hold(name, "wrong with status 0", t->of[WRONG], 0, expected[k].wrong,
                    expected[k].reason);
    bool two = hold(name, by_auto ? "not within ten tolerances" : "not arrived", asked - arrived,
                    (100 - share) / 100 * (double)asked, most, expected[k].reason);
    return one && two && t->of[CRASHED] == 0;
}

bool bounds_hold(const report *all, const arguments *a)
{
    const table *methods = &all->tables[TABLES - 2];
    bool holds = true;
    printf("\nbounds\n");
    for (int m = 0; m < methods->count; m++)
        for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
            if (strcmp(methods->t[m].name, expected[k].method) == 0)
                holds = method_holds(&methods->t[m], k, a->count) && holds;
    double most = LEFT_OUT / 100 * (double)a->count;
    return hold("all", "left out", all->whole, most, (long)most, "") && holds;
}
