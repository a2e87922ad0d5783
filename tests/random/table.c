/* Counts by name. */
#include "random/report.h"

#include <stdio.h>
#include <string.h>

double percent(long part, long whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

tally *table_find(table *t, const char *name)
{
    for (int k = 0; k < t->count; k++)
        if (strcmp(t->t[k].name, name) == 0) return &t->t[k];
    if (t->count == MOST_TALLIES) return &t->t[t->count - 1];
    snprintf(t->t[t->count].name, sizeof t->t->name, "%s", name);
    return &t->t[t->count++];
}

void table_add(table *t, const char *name, const record *r)
{
    tally *one = table_find(t, name);
    one->of[r->o.verdict]++;
    one->total++;
    one->seconds += r->o.seconds;
}
