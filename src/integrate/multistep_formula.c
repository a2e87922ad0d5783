#include "integrate/multistep_parts.h"

#include "method/multistep.h"

/* sum_j alpha_j y_(n+j) = h sum_j beta_j y'_(n+j), solved for the newest derivative or, in an
 * explicit method, value. */
static void make_linear(multistep_formula *f, const method_multistep *numbers)
{
    int k = numbers->steps;
    quad alpha = numbers->alpha[k], beta = numbers->beta[k];
    f->leg = 1;
    if (f->is_implicit) f->gain = (double)(alpha / beta);
    for (int j = 0; j < k; j++) {
        quad value = numbers->alpha[k - 1 - j], yp = numbers->beta[k - 1 - j];
        f->value[j] = (double)(f->is_implicit ? value / beta : -value / alpha);
        f->yp[j] = (double)(f->is_implicit ? -yp / beta : yp / alpha);
    }
}

/* h x' = sum_j alpha_j y_(n+j) with y_(n+k) = (x - sum_(j < k) beta_j y_(n+j)) / beta_k. */
static void make_one_leg(multistep_formula *f, const method_multistep *numbers)
{
    int k = numbers->steps;
    quad alpha = numbers->alpha[k], beta = numbers->beta[k], leg = 0;
    for (int j = 0; j <= k; j++) leg += numbers->beta[j] * (j - k + 1);
    f->leg = (double)leg;
    f->gain = (double)(alpha / beta);
    f->new_part = (double)(1 / beta);
    for (int j = 0; j < k; j++) {
        quad old = numbers->beta[k - 1 - j];
        f->value[j] = (double)(numbers->alpha[k - 1 - j] - alpha * old / beta);
        f->old_part[j] = (double)(-old / beta);
    }
}

/* beta_k x = beta_k z_(n+k) - sum_j gamma_j z_(n+j), solved for the newest z. */
static void make_blocked(multistep_formula *f, const method_multistep *numbers)
{
    int k = numbers->steps;
    quad rest = numbers->beta[k] - numbers->gamma[k];
    make_linear(f, numbers);
    f->new_part = (double)(numbers->beta[k] / rest);
    for (int j = 0; j < k; j++) f->old_part[j] = (double)(numbers->gamma[k - 1 - j] / rest);
}

void multistep_formula_make(multistep_formula *f, const method_multistep *numbers)
{
    *f = (multistep_formula){
        .steps = numbers->steps,
        .order = multistep_order(numbers),
        .is_implicit = numbers->beta[numbers->steps] != 0,
        .one_leg = numbers->one_leg,
        .blocked = numbers->blocked,
    };
    if (f->one_leg)
        make_one_leg(f, numbers);
    else if (f->blocked)
        make_blocked(f, numbers);
    else
        make_linear(f, numbers);
}
