#include "integrate/control.h"

#include <math.h>

/* A step changes by no more than these at once. */
static const double SMALLEST_FACTOR = 0.125, LARGEST_FACTOR = 8;

/* The error limit of a step is this much below the tolerance asked for: an interval has many steps.
 */
static const double TOLERANCE_SHARE = 0.1;

/* How far the exponent of the tolerance lies from what smooth solutions ask for to what stiff ones
 * do.
 */
static const double STIFF_PART = 0.25;

void control_weights(size_t n, const double *y, double rtol, double atol, double *weight)
{
    for (size_t i = 0; i < n; i++) weight[i] = 1 / (rtol * fabs(y[i]) + atol);
}

double control_norm(size_t n, const double *x, const double *weight, const unsigned char *index,
                    double h)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double part = x[i] * weight[i];
        if (index && index[i] > 1) part *= index[i] == 2 ? h : h * h;
        sum += part * part;
    }
    return n ? sqrt(sum / (double)n) : 0;
}

double control_tolerance(double rtol, int estimate_order, int order)
{
    double proportional = (estimate_order + 1.0) / order;
    return TOLERANCE_SHARE * pow(rtol, proportional + STIFF_PART * fmax(0, 1 - proportional));
}

double control_factor(step_control *control, double h, double error, double effort)
{
    double exponent = 1.0 / (control->order + 1);
    double size = fmax(error, 1e-10);
    double factor = effort * pow(size, -exponent);
    if (error < 1) {
        if (control->last_step > 0) {
            double trend = pow(size * size / control->last_error, -exponent);
            double predicted = effort * h / control->last_step * trend;
            factor = fmin(factor, predicted);
        }
        control->last_step = h;
        control->last_error = fmax(1e-2, size);
        if (control->rejected) factor = fmin(factor, 1);
        control->rejected = false;
    } else {
        control->rejected = true;
    }
    return fmin(LARGEST_FACTOR, fmax(SMALLEST_FACTOR, factor));
}
