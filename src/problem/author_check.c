#include "problem/equations.h"

#include "base/names.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

bool author_refuse(message *m, const char *form, const char *format, ...)
{
    message_fail(m, DAE_USAGE, "the %s form is wrong: ", form);
    TEXT_FORMAT_ARGUMENTS(&m->sentence);
    return false;
}

bool author_missing(message *m, const char *form, const char *member)
{
    return author_refuse(m, form, "%s is missing", member);
}

/* The rows of one column of a sparse pattern. */
static bool column_holds(message *m, const char *form, const char *member, const dae_pattern *p,
                         size_t rows, size_t j)
{
    if (p->start[j + 1] < p->start[j])
        return author_refuse(m, form, "start of %s descends after column %zu", member, j);
    if (p->start[j + 1] - p->start[j] > rows)
        return author_refuse(m, form, "column %zu of %s has more entries than rows", j, member);
    for (size_t k = p->start[j]; k < p->start[j + 1]; k++) {
        if (p->row[k] >= rows)
            return author_refuse(m, form,
                                 "row[%zu] = %zu of %s is out of range; rows count from 0 to %zu",
                                 k, p->row[k], member, rows - 1);
        if (k > p->start[j] && p->row[k] <= p->row[k - 1])
            return author_refuse(m, form, "the rows of column %zu of %s do not ascend", j, member);
    }
    return true;
}

static bool band_holds(message *m, const char *form, const char *member, const dae_pattern *p,
                       size_t rows, size_t columns)
{
    if (p->lower < rows && p->upper < columns) return true;
    return author_refuse(m, form, "%s has lower = %zu and upper = %zu diagonals, of %zu x %zu",
                         member, p->lower, p->upper, rows, columns);
}

bool author_pattern_holds(message *m, const char *form, const char *member, const dae_pattern *p,
                          size_t rows, size_t columns)
{
    switch (p->layout) {
    case DAE_DENSE: return true;
    case DAE_BANDED: return band_holds(m, form, member, p, rows, columns);
    case DAE_SPARSE:
        if (!p->start || (!p->row && p->start[columns] > 0))
            return author_refuse(m, form, "%s is sparse, and its %s is missing", member,
                                 p->start ? "row" : "start");
        if (p->start[0] != 0)
            return author_refuse(m, form, "start[0] of %s is %zu, not 0", member, p->start[0]);
        for (size_t j = 0; j < columns; j++)
            if (!column_holds(m, form, member, p, rows, j)) return false;
        return true;
    default:
        return author_refuse(m, form, "the layout of %s is not DAE_DENSE, DAE_BANDED or DAE_SPARSE",
                             member);
    }
}

bool author_values_hold(message *m, const char *form, const char *member, const double *value,
                        const dae_pattern *p, size_t rows, size_t columns)
{
    size_t length = author_matrix_length(p, rows, columns);
    for (size_t k = 0; k < length; k++)
        if (!isfinite(value[k]))
            return author_refuse(m, form, "%s[%zu] is not a finite number", member, k);
    return true;
}

static bool names_hold(message *m, const char *form, const char *member, const char *const *name,
                       size_t n, arena *a)
{
    names *known = names_create(a);
    for (size_t i = 0; name && i < n; i++) {
        if (!name[i] || !*name[i])
            return author_refuse(m, form, "%s[%zu], a name, is missing", member, i);
        uint32_t number = names_intern(known, name[i], strlen(name[i]));
        if (number != i)
            return author_refuse(m, form, "%s[%" PRIu32 "] and %s[%zu] are both called \"%s\"",
                                 member, number, member, i, name[i]);
    }
    return true;
}

static bool events_hold(message *m, const char *form, const dae_about *about, arena *a)
{
    if (about->roots > 0 && !about->root)
        return author_refuse(m, form, "roots is %zu, and root is missing", about->roots);
    if (about->roots == 0 && (about->root || about->root_direction || about->root_name))
        return author_refuse(m, form, "roots is 0, and %s is given",
                             about->root             ? "root"
                             : about->root_direction ? "root_direction"
                                                     : "root_name");
    if (about->event && !about->root && !about->next_event)
        return author_refuse(m, form, "event is given, and neither root nor next_event is");
    for (size_t k = 0; about->root_direction && k < about->roots; k++)
        if (about->root_direction[k] < -1 || about->root_direction[k] > 1)
            return author_refuse(m, form, "root_direction[%zu] = %d is not -1, 0 or 1", k,
                                 about->root_direction[k]);
    return names_hold(m, form, "root_name", about->root_name, about->roots, a);
}

bool author_about_holds(message *m, const char *form, const dae_about *about, size_t n, arena *a)
{
    for (size_t j = 0; about->index && j < n; j++)
        if (about->index[j] < 1 || about->index[j] > 3)
            return author_refuse(m, form, "index[%zu] = %u is not 1, 2 or 3", j, about->index[j]);
    for (size_t j = 0; about->nominal && j < n; j++)
        if (!(about->nominal[j] > 0) || !isfinite(about->nominal[j]))
            return author_refuse(m, form, "nominal[%zu] = %g is not a number above 0", j,
                                 about->nominal[j]);
    return events_hold(m, form, about, a) &&
           names_hold(m, form, "variable", about->variable, n, a) &&
           names_hold(m, form, "equation", about->equation, n, a);
}
