#include "integrate/mebdf_formula.h"

mebdf_formula mebdf_formula_make(int steps)
{
    double sum = 0, k = steps;
    for (int j = 1; j <= steps; j++) sum += 1.0 / j;
    /* next = -1 for the moment: nabla^(k+1) vanishes if now / (k+1) = H_(k+1); the coefficient of
     * y_(n+1) is now H_k - (H_1 + ... + H_k) = now H_k - ((k+1) H_(k+1) - (k+1)) */
    double now = (k + 1) * sum + 1;
    double whole = now * sum - (now - (k + 1));
    return (mebdf_formula){.steps = steps,
                           .leading = sum,
                           .now = now / whole,
                           .next = -1 / whole,
                           .correction = -sum / whole,
                           .error = 1 / (1 + (k + 1) * sum)};
}
