#include "problem/time_unit.h"

#include "linalg/rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* No simulated process lasts longer or ends sooner: 1e20 s exceeds the age of the universe. Beyond
 * that, a term has died out at this instant and is ignored. */
static const double MOST_DECADES = 20;

static size_t keep_times(double *decades, size_t count)
{
    size_t kept = 0;
    for (size_t k = 0; k < count; k++)
        if (fabs(decades[k]) <= MOST_DECADES) decades[kept++] = decades[k];
    return kept;
}

double time_unit_of(double *decades, size_t count)
{
    count = keep_times(decades, count);
    if (count == 0) return 1;
    qsort(decades, count, sizeof *decades, vector_order);
    double low = decades[(count - 1) / 2], high = decades[count / 2];
    return exp2(10 * round((fabs(low) < fabs(high) ? low : high) / 3));
}

/* Raise the largest term of each row by the terms of column j. */
static void raise_rows(pencil_values m, size_t j, double nominal, double *largest)
{
    for (sparse_index e = m.pattern->start[j]; e < m.pattern->start[j + 1]; e++) {
        double *most = &largest[m.pattern->row[e]];
        if (isfinite(m.value[e])) *most = fmax(*most, fabs(m.value[e]) * nominal);
    }
}

static bool occurs(pencil_values m, size_t j)
{
    for (sparse_index e = m.pattern->start[j]; e < m.pattern->start[j + 1]; e++)
        if (m.value[e] != 0) return true;
    return false;
}

/* The decimal logarithms of T of the rows, into `work`, judged by variables whose derivatives
 * occur, or by all. Returns how many rows count. */
static size_t find_decades(pencil_values mass, pencil_values jacobian, const double *nominal,
                           bool by_all, double *work)
{
    size_t n = mass.pattern->columns, rows = mass.pattern->rows, count = 0;
    double *of_mass = work, *of_jacobian = work + rows, *of_any = work + 2 * rows;
    for (size_t i = 0; i < 3 * rows; i++) work[i] = 0;
    for (size_t j = 0; j < n; j++) {
        raise_rows(jacobian, j, nominal[j], of_any);
        if (!by_all && !occurs(mass, j)) continue;
        raise_rows(mass, j, nominal[j], of_mass);
        raise_rows(jacobian, j, nominal[j], of_jacobian);
    }
    for (size_t i = 0; i < rows; i++)
        if (of_mass[i] > 0 && of_jacobian[i] > 0 && of_jacobian[i] >= TIME_UNIT_WEAK * of_any[i])
            work[count++] = log10(of_mass[i] / of_jacobian[i]);
    return keep_times(work, count);
}

double time_unit_of_matrices(pencil_values mass, pencil_values jacobian, const double *nominal,
                             double *work)
{
    size_t count = find_decades(mass, jacobian, nominal, false, work);
    if (count == 0) count = find_decades(mass, jacobian, nominal, true, work);
    return time_unit_of(work, count);
}

double time_unit_beside(double unit, double t)
{
    static const double LEAST_TIME_PART = 1e-8;
    return fmax(unit, LEAST_TIME_PART * fabs(t));
}
