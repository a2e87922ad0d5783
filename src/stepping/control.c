#include "stepping/control.h"

#include <math.h>
#include <string.h>

/* A step changes by no more than these at once. */
static const double SMALLEST_FACTOR = 0.125, LARGEST_FACTOR = 8;

/* The error limit of a step is this part of the tolerance asked for, because an interval has many
 * steps. */
static const double TOLERANCE_SHARE = 0.1;

/* Where the exponent of the tolerance lies between that for smooth solutions and that for stiff
 * ones. */
static const double STIFF_PART = 0.25;

/* Without this bound a method of order 1 would hold the error of a step at the square of the
 * tolerance: at 1e-6 the start of a motor over 1 s would take 2e7 steps. With the power 3/2 of the
 * tolerance, the error of the run still falls as the power 3/4. */
static const double MOST_PROPORTIONAL = 1.5;

/* The share of the last error in PI control: Hairer & Wanner II, p. 31. */
static const double PI_SHARE = 0.04;

void control_weights(size_t n, const double *y, double rtol, double atol, const double *atols,
                     double share, double *weight)
{
    for (size_t i = 0; i < n; i++)
        weight[i] = 1 / (rtol * fabs(y[i]) + share * (atols ? atols[i] : atol));
}

double control_norm(size_t n, const double *x, const double *weight, const unsigned char *index,
                    double h)
{
    const double factor[] = {1, 1, h, h * h};
    double sum = 0;
    for (size_t i = 0; i < n && !index; i++) {
        double part = x[i] * weight[i];
        sum += part * part;
    }
    for (size_t i = 0; i < n && index; i++) {
        double part = x[i] * weight[i] * factor[index[i]];
        sum += part * part;
    }
    return n ? sqrt(sum / (double)n) : 0;
}

double control_norm_in_step(const problem *p, const double *x, const double *weight, double h,
                            double *scaled)
{
    double factor = problem_depth_factor(p, h);
    if (scaled && p->hidden_directions > 0 && factor < 1) {
        problem_scale_hidden_directions(p, factor, x, scaled);
        x = scaled;
    }
    return control_norm(p->n, x, weight, problem_depth(p), factor);
}

double control_joint_size(double size, double other)
{
    return size > 0 ? size * (size / sqrt(size * size + 0.01 * other * other)) : size;
}

void control_raise(size_t n, double other, const double *off, double *size, double *error)
{
    if (other <= *size) return; /* NaN is kept, and rejects the step */
    *size = other;
    memcpy(error, off, n * sizeof *off);
}

double control_tolerance(double rtol, int estimate_order, int order, double least_exponent)
{
    double proportional = fmin((estimate_order + 1.0) / order, MOST_PROPORTIONAL);
    double exponent = proportional + STIFF_PART * fmax(0, 1 - proportional);
    return TOLERANCE_SHARE * pow(rtol, fmax(exponent, least_exponent));
}

double control_least_exponent(int estimate_order, int order, int stage_order)
{
    double proportional = (estimate_order + 1.0) / order, s = fmax(stage_order, 2);
    return proportional + 0.25 * ((s + 1) / s - proportional);
}

/* Predictive control. Before there is a last step, control_factor() uses the elementary choice
 * instead. */
static double predicted(const step_control *control, double h, double size)
{
    double exponent = 1.0 / (control->order + 1);
    double trend = pow(size * size / control->last_error, -exponent);
    return fmin(pow(size, -exponent), h / control->last_step * trend);
}

static double proportional_integral(const step_control *control, double size)
{
    double exponent = 1.0 / (control->order + 1) - 0.75 * PI_SHARE;
    return pow(size, -exponent) * pow(control->last_error, PI_SHARE);
}

double control_factor(step_control *control, double h, double error, double effort)
{
    double size = fmax(error, 1e-10);
    double factor = pow(size, -1.0 / (control->order + 1));
    if (error < 1) {
        if (control->last_step > 0)
            factor = control->choice == CONTROL_PI ? proportional_integral(control, size)
                                                   : predicted(control, h, size);
        control->last_step = h;
        control->last_error = fmax(control->choice == CONTROL_PI ? 1e-4 : 1e-2, size);
        if (control->rejected) factor = fmin(factor, 1 / effort);
        control->rejected = false;
    } else {
        control->rejected = true;
    }
    return fmin(LARGEST_FACTOR, fmax(SMALLEST_FACTOR, effort * factor));
}
