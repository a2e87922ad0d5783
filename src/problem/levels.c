#include "problem/levels.h"

#include <math.h>

double constraint_violation(double c, double slope)
{
    return slope > 0 ? fabs(c) / slope : fabs(c);
}
