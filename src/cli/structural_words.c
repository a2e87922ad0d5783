#include "cli/structural_words.h"

#include "method/structural.h"

#include <math.h>
#include <stdio.h>

void structural_words_print_orders(const method *given, const method_properties *p)
{
    const method_structural *s = given->structural;
    printf("  order %d", p->order);
    if (s->delta != 0)
        printf(" in the tangent, where v + delta h^2 v'' is carried; else %d",
               structural_order(s, false));
    printf("\n  error estimate from the accelerations\n");
}

static void print_limit(const method_structural *s, double xi)
{
    double limit = structural_limit(s, xi);
    if (isfinite(limit))
        printf("%.6g with damping ratio %g", limit, xi);
    else
        printf("none with damping ratio %g", xi);
}

void structural_words_print_stability(const method *given, const method_properties *p)
{
    static const double ratio[] = {0, 0.05, 0.5};
    printf("  spectral radius at infinite frequency: ");
    if (isfinite(p->r_infinity))
        printf("%.6g\n", p->r_infinity);
    else
        printf("unbounded\n");
    if (p->a_stable)
        printf("  unconditionally stable\n");
    else
        printf("  %s\n", structural_limit(given->structural, 0) > 0 ? "conditionally stable"
                                                                    : "not stable without damping");
    printf("  limit of omega h: ");
    for (size_t k = 0; k < sizeof ratio / sizeof *ratio; k++) {
        if (k > 0) printf(", ");
        print_limit(given->structural, ratio[k]);
    }
    putchar('\n');
}

static void print_order(const char *before, int order)
{
    if (order == METHOD_NO_ORDER)
        printf("%s-", before);
    else
        printf("%s%d", before, order);
}

void structural_words_print_constrained(const method_properties *p)
{
    static const char *const level[] = {"accelerations", "velocities", "positions"};
    const int *const order[] = {p->index1, p->index2, p->index3};
    printf("  order with constraints on one level (- where it need not converge):\n");
    for (int k = 2; k >= 0; k--) {
        int last = k == 2 ? 2 : 1;
        printf("    %s:", level[k]);
        print_order(" motion ", order[k][0]);
        print_order(", multipliers ", order[k][last]);
        putchar('\n');
    }
}
