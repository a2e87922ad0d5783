/* A linearisation in words. */
#include "base/text.h"
#include "cli/commands.h"

#include <math.h>
#include <stdio.h>

enum { LARGEST_SHOWN = 8, MOST_SHARES = 4 };

static const double LEAST_SHARE = 0.05; /* of a state in a mode, to be named */

static const char *plural(size_t number)
{
    return number == 1 ? "" : "s";
}

static void print_list(const char *what, size_t count, const char *const *name)
{
    if (count == 0) return;
    printf("  %s%s: ", what, plural(count));
    for (size_t i = 0; i < count; i++) printf("%s%s", i ? ", " : "", name[i]);
    putchar('\n');
}

/* The state with the largest part after another one, ties in the order of states; l->states: there
 * is none. `last` l->states: the first one. */
static size_t next_share(const dae_linearization *l, const double *part, size_t last)
{
    size_t best = l->states;
    for (size_t k = 0; k < l->states; k++) {
        bool left = last == l->states || part[k] < part[last] ||
                    (part[k] == part[last] && k > last);
        if (left && (best == l->states || part[k] > part[best])) best = k;
    }
    return best;
}

/* The states with the largest parts of a mode, the first one in any case. */
static void print_shares(const dae_linearization *l, const double *part)
{
    size_t k = next_share(l, part, l->states);
    for (int shown = 0; k < l->states && shown < MOST_SHARES; shown++) {
        if (shown > 0 && part[k] < LEAST_SHARE) return;
        printf("%s%s %.0f %%", shown ? ", " : "", l->state[k], 100 * part[k]);
        k = next_share(l, part, k);
    }
}

static void print_mode(const dae_linearization *l, const dae_mode *m)
{
    char value[64], time[32] = "-", damping[32] = "-";
    if (m->imaginary != 0)
        snprintf(value, sizeof value, "%.6g +- %.6gi", m->real, m->imaginary);
    else
        snprintf(value, sizeof value, "%.6g", m->real);
    if (isfinite(m->time_constant)) snprintf(time, sizeof time, "%.6g", m->time_constant);
    if (!isnan(m->damping)) snprintf(damping, sizeof damping, "%.4g", m->damping);
    printf("  %-28s %-9s %-12.6g %-12.6g %-13s ", value, damping, m->frequency,
           m->frequency / (2 * acos(-1.0)), time);
    print_shares(l, m->participation);
    putchar('\n');
}

static void print_modes(const dae_linearization *l)
{
    if (l->states == 0) return;
    printf("  %-28s %-9s %-12s %-12s %-13s %s\n", "eigenvalue, 1/s", "damping", "rad/s", "Hz",
           "time const, s", "states that take part");
    for (size_t q = 0; q < l->states; q++)
        if (l->mode[q].imaginary >= 0) print_mode(l, &l->mode[q]);
}

static void print_matrix(const char *name, size_t rows, size_t columns, const double *value)
{
    for (size_t i = 0; i < rows && columns > 0; i++) {
        printf("  %-4s", i ? "" : name);
        for (size_t j = 0; j < columns; j++) printf(" %12.6g", value[i * columns + j] + 0.0);
        putchar('\n');
    }
}

static void print_state_space(const dae_linearization *l)
{
    if (l->states > LARGEST_SHOWN || l->inputs > LARGEST_SHOWN || l->outputs > LARGEST_SHOWN) {
        printf("  --format json has the matrices\n");
        return;
    }
    printf("  x' = a x%s", l->inputs ? " + b u" : "");
    if (l->outputs) printf(", z = c x%s", l->inputs ? " + d u" : "");
    for (size_t k = 1; k <= l->derivatives; k++)
        printf(k == 1 ? " + d1 u'" : " + d%zu u^(%zu)", k, k);
    printf(", x = ");
    for (size_t k = 0; k < l->states; k++) printf("%s%s", k ? ", " : "", l->state[k]);
    printf("%s\n", l->shifted ? ", each less a part of u" : "");
    print_matrix("a", l->states, l->states, l->a);
    print_matrix("b", l->states, l->inputs, l->b);
    print_matrix("c", l->outputs, l->states, l->c);
    for (size_t k = 0; k <= l->derivatives; k++) {
        char name[24] = "d";
        if (k > 0) snprintf(name, sizeof name, "d%zu", k);
        print_matrix(name, l->outputs, l->inputs, l->d + k * l->outputs * l->inputs);
    }
}

void linear_words_print(const dae_linearization *l)
{
    if (!l->mode) return;
    printf("at t = %.9g: %zu variable%s, %zu finite eigenvalue%s, %zu infinite, index %ld\n", l->t,
           l->n, plural(l->n), l->states, plural(l->states), l->infinite, l->index);
    print_list("input", l->inputs, l->input);
    print_list("output", l->outputs, l->output);
    print_modes(l);
    print_state_space(l);
}
