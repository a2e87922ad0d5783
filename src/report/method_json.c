#include "report/json.h"

#include "method/catalogue.h"
#include "method/multistep.h"
#include "method/structural.h"

json_t *method_json_entry(const method *given, const method_properties *p)
{
    const char *form[METHOD_MOST_FORMS];
    size_t forms = method_forms(p, form);
    json_t *object = json_object();
    json_set(&object, "name", json_of_string(given->row->name));
    json_set(&object, "aliases", json_of_parts(given->row->aliases, " "));
    json_set(&object, "parameters",
             json_of_string(*given->row->parameters ? given->row->parameters : NULL));
    json_set(&object, "family", json_of_string(method_family_word(given->family)));
    if (given->multistep || given->structural)
        json_set(&object, "steps", json_of_whole(method_steps(given)));
    else
        json_set(&object, "stages", json_of_whole(given->stages));
    json_set(&object, "order", json_of_whole(p->order));
    json_set(&object, "adaptive", json_boolean(method_is_adaptive(given)));
    json_set(&object, "forms", json_of_strings(forms, form));
    return object;
}

static json_t *row_of(int count, const quad *value)
{
    json_t *array = json_array();
    for (int j = 0; j < count; j++) json_append(&array, json_of_real((double)value[j] + 0.0));
    return array;
}

static json_t *matrix(int n, const quad (*value)[METHOD_MOST_STAGES])
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++) json_append(&array, row_of(n, value[i]));
    return array;
}

static json_t *roots(const method_multistep *f, multistep_polynomial which)
{
    root_problem found;
    json_t *array = json_array();
    multistep_roots(f, which, &found);
    for (int i = 0; i < found.count; i++)
        json_append(&array, row_of(2, (quad[]){found.root[i].re, found.root[i].im}));
    return array;
}

static void add_formula(json_t **object, const method_multistep *f)
{
    int n = f->steps + 1;
    json_set(object, "alpha", row_of(n, f->alpha));
    json_set(object, "beta", row_of(n, f->beta));
    json_set(object, "gamma", f->blocked ? row_of(n, f->gamma) : json_null());
    json_set(object, "one_leg", json_boolean(f->one_leg));
    json_set(object, "rho_roots", roots(f, MULTISTEP_RHO));
    json_set(object, "sigma_roots", roots(f, MULTISTEP_SIGMA));
    json_set(object, "sigma_less_tau_roots",
             f->blocked ? roots(f, MULTISTEP_SIGMA_LESS_TAU) : json_null());
}

static void add_structural(json_t **object, const method_structural *s)
{
    static const double ratio[] = {0, 0.01, 0.05, 0.1, 0.5, 1};
    json_t *limits = json_array();
    json_set(object, "alpha_m", json_of_real((double)s->alpha_m + 0.0));
    json_set(object, "alpha_f", json_of_real((double)s->alpha_f + 0.0));
    json_set(object, "beta", json_of_real((double)s->beta));
    json_set(object, "gamma", json_of_real((double)s->gamma));
    json_set(object, "delta", json_of_real((double)s->delta));
    for (size_t k = 0; k < sizeof ratio / sizeof *ratio; k++)
        json_append(&limits, json_pack("[o, o]", json_of_real(ratio[k]),
                                       json_of_real(structural_limit(s, ratio[k]))));
    json_set(object, "order_uncorrected", json_of_whole(structural_order(s, false)));
    json_set(object, "stability_limit", limits); /* pairs of damping ratio and omega h */
}

/* Adds the coefficients of the method. */
static void add_numbers(json_t **object, const method *given)
{
    const method_rosenbrock *r = given->rosenbrock;
    int n = given->stages;
    if (given->structural) {
        add_structural(object, given->structural);
        return;
    }
    if (given->multistep) {
        add_formula(object, given->multistep);
        return;
    }
    if (r) {
        json_set(object, "alpha", matrix(n, r->alpha));
        json_set(object, "gamma", matrix(n, r->gamma_matrix));
    } else {
        json_set(object, "A", matrix(n, given->a));
        json_set(object, "c", row_of(n, given->c));
    }
    if (given->family == METHOD_HALF_EXPLICIT) json_set(object, "D", matrix(n, given->constraint));
    json_set(object, "b", row_of(n, given->b));
    json_set(object, "b_hat", given->estimators > 0 ? row_of(n, given->b_hat[0]) : json_null());
    json_set(object, "b_hat_2", given->estimators > 1 ? row_of(n, given->b_hat[1]) : json_null());
}

static json_t *orders(int count, const int *order)
{
    static const char *const name[] = {"y", "z", "u"};
    json_t *object = json_object();
    for (int i = 0; i < count; i++) json_set(&object, name[i], json_of_whole(order[i]));
    return object;
}

static json_t *dae_orders(const method_properties *p)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "index1", orders(2, p->index1), "moving_kernel",
                     orders(1, &p->moving_kernel), "index2", orders(2, p->index2), "index3",
                     orders(3, p->index3));
}

/* A property that only Runge-Kutta methods have; null where it is not decided. */
static json_t *verdict(bool decided, bool holds)
{
    return decided ? json_boolean(holds) : json_null();
}

/* Adds the behaviour on y' = i omega y: omega h, the largest modulus of all roots, the relative
 * phase error, and the modulus of the principal root. */
static void add_frequencies(json_t **object, const method *given)
{
    enum { POINTS = 31 };
    method_frequency at[POINTS];
    json_t *radius = json_array(), *principal = json_array();
    method_frequencies(given, 1e-2, 10, POINTS, at);
    for (int i = 0; i < POINTS; i++) {
        json_append(&radius, json_pack("[o, o, o]", json_of_real(at[i].omega),
                                       json_of_real(at[i].radius), json_of_real(at[i].phase)));
        json_append(&principal, json_of_real(at[i].modulus));
    }
    json_set(object, "spectral_radius", radius);
    json_set(object, "principal_modulus", principal);
}

int method_json_write(FILE *file, const method *given, const method_properties *p)
{
    json_t *object = method_json_entry(given, p);
    json_set(&object, "name", json_of_string(given->name));
    json_set(&object, "source", json_of_string(given->row->source));
    add_numbers(&object, given);
    json_set(&object, "stage_order", json_of_whole(p->stage_order));
    json_set(&object, "d_order", json_of_whole(p->d_order));
    json_set(&object, "embedded_order", json_of_whole(p->embedded_order));
    json_set(&object, "stiffly_accurate", json_boolean(p->stiffly_accurate));
    json_set(&object, "estimator_stiffly_accurate",
             verdict(given->estimators > 0, p->estimator_stiffly_accurate));
    json_set(&object, "r_infinity", json_of_real(p->r_infinity));
    json_set(&object, "a_stable", json_boolean(p->a_stable));
    json_set(&object, "l_stable", json_boolean(p->l_stable));
    json_set(&object, "alpha_degrees", json_of_real(p->alpha_degrees));
    json_set(&object, "algebraically_stable",
             verdict(!given->rosenbrock && !given->multistep && !given->structural,
                     p->algebraically_stable));
    json_set(&object, "an_stable", verdict(p->an_stable >= 0, p->an_stable > 0));
    json_set(&object, "error_constant", json_of_real(p->error_constant));
    json_set(&object, "zero_stable", json_boolean(p->zero_stable));
    json_set(&object, "barrier", json_of_whole(p->barrier));
    json_set(&object, "dae_orders", dae_orders(p));
    add_frequencies(&object, given);
    return json_line(file, object);
}
