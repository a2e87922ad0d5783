/* A library of external functions, for external.py. */
#include <stddef.h>

double decay_rate(double x, const double *k, size_t n);
double pipe_loss(double flow, double diameter);
double pipe_loss_rate(double flow, double diameter, double der_flow, double der_diameter);

double decay_rate(double x, const double *k, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += k[i];
    return -sum * x;
}

/* Those of docs/external.md. */
double pipe_loss(double flow, double diameter)
{
    return flow * flow * diameter;
}

double pipe_loss_rate(double flow, double diameter, double der_flow, double der_diameter)
{
    return 2 * flow * diameter * der_flow + flow * flow * der_diameter;
}
