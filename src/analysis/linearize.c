/* Linearises a problem about the point at which its solver stands. */
#include <daedal/linearize.h>

#include "analysis/descriptor.h"
#include "analysis/linear_terms.h"
#include "analysis/modes.h"
#include "analysis/redundancy.h"
#include "solve/model_simulation.h"
#include "solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct linearization {
    dae_linearization public;
    arena memory;
    message message;
    dae_solver *solver;
    dae_ports ports;
    linear_terms terms;
    descriptor descriptor;
    reduction reduction;
} linearization;

/* --- inputs and outputs --- */

typedef LIST(size_t) numbers;

static numbers default_ports(linearization *l, bool outputs)
{
    numbers found = {0};
    const sym_system *system = l->terms.system;
    for (size_t j = 0; system && j < l->terms.shown; j++) {
        const sym_unknown *u = &system->unknown.item[j];
        bool wanted = outputs ? u->output : u->supplied && !u->discrete;
        if (wanted) list_push(&l->memory, &found, j);
    }
    return found;
}

static numbers ports_of(linearization *l, const size_t *given, size_t count, bool outputs)
{
    numbers found = {0};
    if (!given) return default_ports(l, outputs);
    for (size_t k = 0; k < count; k++) {
        if (given[k] < l->terms.shown) {
            list_push(&l->memory, &found, given[k]);
            continue;
        }
        message_fail(&l->message, DAE_USAGE,
                     "a linearisation is asked for with variable %zu as %s: the variables are 0 to "
                     "%zu",
                     given[k], outputs ? "an output" : "an input", l->terms.shown - 1);
    }
    return found;
}

static bool is_input(const linearization *l, size_t j)
{
    const sym_system *system = l->terms.system;
    return l->terms.alone[j] != LINEAR_NO_ROW && !(system && system->unknown.item[j].discrete);
}

static void take_inputs(linearization *l)
{
    dae_linearization *p = &l->public;
    size_t n = p->n;
    numbers input = ports_of(l, l->ports.input, l->ports.inputs, false);
    const char **name = arena_array(&l->memory, input.count, sizeof *name);
    double *B = arena_array(&l->memory, n * input.count, sizeof *B);
    for (size_t q = 0; q < input.count; q++) {
        size_t j = input.item[q];
        name[q] = p->variable[j];
        if (!is_input(l, j)) {
            message_fail(&l->message, DAE_USAGE,
                         "%s is no input: no equation gives it alone, as a function of time",
                         name[q]);
            continue;
        }
        size_t row = l->terms.alone[j];
        B[row * input.count + q] = -l->terms.A[row * n + j];
    }
    p->inputs = input.count;
    p->input = name;
    p->B = l->descriptor.B = B;
    l->descriptor.inputs = input.count;
}

static void take_outputs(linearization *l)
{
    dae_linearization *p = &l->public;
    numbers output = ports_of(l, l->ports.output, l->ports.outputs, true);
    const char **name = arena_array(&l->memory, output.count, sizeof *name);
    double *C = arena_array(&l->memory, p->n * output.count, sizeof *C);
    for (size_t q = 0; q < output.count; q++) {
        name[q] = p->variable[output.item[q]];
        C[q * p->n + output.item[q]] = 1;
    }
    p->outputs = output.count;
    p->output = name;
    p->C = C;
}

/* --- the state-space form --- */

/* to (rows x columns) += a (rows x inner) b (inner x columns), and the sizes of the terms */
static void add_product(size_t rows, size_t inner, size_t columns, const double *a, const double *b,
                        double *to, double *size)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < inner; k++)
            for (size_t j = 0; j < columns; j++) {
                double term = a[i * inner + k] * b[k * columns + j];
                to[i * columns + j] += term;
                size[i * columns + j] += fabs(term);
            }
}

/* What is left where the terms cancel is 0. Returns whether anything is. */
static bool remains(size_t count, double *value, const double *size, double rounding)
{
    bool any = false;
    for (size_t k = 0; k < count; k++) {
        if (fabs(value[k]) <= rounding * size[k]) value[k] = 0;
        any = any || value[k] != 0;
    }
    return any;
}

/* x = xi + L_1 u + L_2 u' + ... takes the derivatives of u out of the equations of the state: L_k =
 * b_k + a L_(k+1). Returns L_0, L_1, ...; L_0 is the factor of u. */
static double *shift(linearization *l)
{
    const reduction *r = &l->reduction;
    size_t m = l->public.inputs, s = r->states, each = s * m;
    double *L = arena_array(&l->memory, (r->powers + 1) * each, sizeof *L);
    double *size = arena_array(&l->memory, each, sizeof *size);
    for (size_t k = r->powers; k-- > 0;) {
        double *own = L + k * each;
        for (size_t i = 0; i < each; i++) {
            own[i] = r->b[k * each + i];
            size[i] = fabs(own[i]);
        }
        add_product(s, s, m, r->a, own + each, own, size);
        bool left = remains(each, own, size, l->descriptor.rounding);
        l->public.shifted = l->public.shifted || (left && k > 0);
    }
    return L;
}

static void take_state_space(linearization *l)
{
    dae_linearization *p = &l->public;
    const reduction *r = &l->reduction;
    size_t m = p->inputs, s = r->states, each = p->outputs * m;
    const double *L = shift(l);
    double *c = arena_array(&l->memory, p->outputs * s, sizeof *c);
    double *d = arena_array(&l->memory, r->powers * each + 1, sizeof *d);
    double *size = arena_array(&l->memory, each + 1, sizeof *size);
    for (size_t q = 0; q < p->outputs; q++) {
        size_t j = 0;
        while (p->C[q * p->n + j] == 0) j++;
        memcpy(c + q * s, r->t + j * s, s * sizeof *c);
        for (size_t k = 0; k < r->powers; k++)
            memcpy(d + k * each + q * m, r->p + (k * p->n + j) * m, m * sizeof *d);
    }
    for (size_t k = 0; k < r->powers; k++) {
        for (size_t i = 0; i < each; i++) size[i] = fabs(d[k * each + i]);
        add_product(p->outputs, s, m, c, L + (k + 1) * s * m, d + k * each, size);
        if (remains(each, d + k * each, size, l->descriptor.rounding)) p->derivatives = k;
    }
    p->a = r->a;
    p->b = L;
    p->c = c;
    p->d = d;
}

static void name_states(linearization *l)
{
    dae_linearization *p = &l->public;
    const reduction *r = &l->reduction;
    const char **name = arena_array(&l->memory, r->states, sizeof *name);
    for (size_t q = 0; q < r->states; q++) {
        const char *of = p->variable[r->variable[q]];
        name[q] = r->order[q] == 0 ? of
                  : r->order[q] == 1
                      ? arena_format(&l->memory, "der(%s)", of)
                      : arena_format(&l->memory, "derivative %u of %s", r->order[q], of);
    }
    p->state = name;
}

/* --- notes --- */

/* How fast the point itself moves, beside the slowest motion about it. */
static void note_motion(linearization *l)
{
    static const double SLOW = 1e-2;
    const dae_linearization *p = &l->public;
    double fastest = 0, slowest = HUGE_VAL;
    size_t which = 0;
    for (size_t j = 0; j < p->n; j++) {
        double rate = fabs(p->yp[j]) / fmax(fabs(p->y[j]), l->terms.nominal[j]);
        if (!(rate > fastest)) continue;
        fastest = rate;
        which = j;
    }
    for (size_t q = 0; q < p->states; q++)
        if (p->mode[q].frequency > 0) slowest = fmin(slowest, p->mode[q].frequency);
    if (l->terms.constant || !(fastest > SLOW * slowest)) return;
    message_note(&l->message,
                 "the point is no equilibrium: der(%s) = %.6g; eigenvalues there tell of motions "
                 "that are much faster than the point moves",
                 p->variable[which], p->yp[which]);
}

static void note_events(linearization *l)
{
    const dae_solver *s = l->solver;
    const model_simulation *m = model_simulation_of(l->solver->simulation);
    const dae_event *event = dae_solver_event(s);
    if (event && event->t == l->public.t)
        message_note(&l->message,
                     "there is an event at t = %.9g%s%s: this is the linearisation of "
                     "the mode after it",
                     event->t, *event->name ? ", " : "", event->name);
    if (m && m->modes && m->modes->sliding > 0)
        message_note(&l->message,
                     "the solution slides along a surface of its relations at t = "
                     "%.9g: this is the linearisation of the motion along it",
                     l->public.t);
    if (l->terms.system && l->terms.system->delay.count > 0)
        message_note(&l->message, "what is delayed counts as a given function of time: the "
                                  "eigenvalues leave out how the past acts on the present");
}

/* The degrees of freedom of a model's equations, where their formulation tells. */
static bool know_freedom(const linearization *l, size_t *freedom)
{
    const model_simulation *m = model_simulation_of(l->solver->simulation);
    if (!m || m->formulation->choice.kind != FORMULATION_INDEX1) return false;
    *freedom = m->formulation->reduced->freedom;
    for (size_t j = 0; j < l->terms.n; j++) *freedom -= m->system->unknown.item[j].parameter;
    return true;
}

static void note_freedom(linearization *l)
{
    size_t freedom, states = l->public.states;
    if (l->reduction.dropped > 0 || !know_freedom(l, &freedom) || freedom == states) return;
    message_note(&l->message,
                 "the pencil has %zu finite eigenvalues, and the equations have %zu degrees of "
                 "freedom: an entry of E or A is 0 at this instant alone, or equations turn into "
                 "each other in time, so that matrices of one instant do not describe them",
                 states, freedom);
}

static void note_doubts(linearization *l)
{
    static const double FAR = 1e-3;
    const dae_linearization *p = &l->public;
    if (!p->structural)
        message_note(&l->message,
                     "the structure of the equations misleads here, or is singular: "
                     "the number of finite eigenvalues follows from ranks of matrices "
                     "(margin %.1e)",
                     p->margin);
    if (p->derivatives > 0)
        message_note(&l->message,
                     "there is no state-space form: the outputs contain derivatives "
                     "of the inputs, up to order %zu",
                     p->derivatives);
    if (p->cross_check > FAR)
        message_note(&l->message,
                     "the QZ algorithm on the pencil (E, A) finds an eigenvalue only "
                     "to %.1e: it is badly conditioned",
                     p->cross_check);
}

/* --- all --- */

/* Equations are left out only as redundant constraints of a mechanism. Each velocity that is free
 * makes two states, unless matrices of one instant do not describe the constraints. */
static bool may_leave_out(linearization *l)
{
    redundancy found;
    if (l->reduction.dropped == 0) return true;
    dae_status status = redundancy_find(l->solver, &l->message, &found);
    if (status == DAE_NO_MEMORY) arena_fail(&l->memory);
    return status == DAE_OK && found.constraints == l->reduction.dropped &&
           l->reduction.states >= 2 * found.freedom;
}

static void note_left_out(linearization *l)
{
    const reduction *r = &l->reduction;
    const sym_system *system = l->terms.system;
    text names = {0}, open = {0};
    for (size_t k = 0; k < r->dropped; k++) {
        if (k > 0) text_add(&names, ", ");
        sym_equation_name(system, &system->equation.item[r->row[k]], &names);
        text_format(&open, "%s%s", k > 0 ? ", " : "", l->public.variable[r->open[k]]);
    }
    if (r->dropped > 0)
        message_note(&l->message,
                     "constraints depend on each other: this is the linearisation without %s, "
                     "which follow%s from the others, and with %s as %s",
                     text_string(&names), r->dropped > 1 ? "" : "s", text_string(&open),
                     r->dropped > 1 ? "they are" : "it is");
    text_free(&names);
    text_free(&open);
}

/* Of the equations without those that are left out: in their place, the variables that they leave
 * open do not change. */
static double cross_check(linearization *l)
{
    const reduction *r = &l->reduction;
    descriptor d = l->descriptor;
    size_t n = d.n;
    if (r->dropped > 0) {
        d.E = arena_duplicate(&l->memory, d.E, n * n, sizeof *d.E);
        d.A = arena_duplicate(&l->memory, d.A, n * n, sizeof *d.A);
    }
    for (size_t k = 0; k < r->dropped; k++) {
        memset(d.E + r->row[k] * n, 0, n * sizeof *d.E);
        memset(d.A + r->row[k] * n, 0, n * sizeof *d.A);
        d.A[r->row[k] * n + r->open[k]] = 1;
    }
    return modes_cross_check(&l->memory, &d, r->states, l->public.mode);
}

static void reduce(linearization *l)
{
    dae_linearization *p = &l->public;
    arena *a = &l->memory;
    p->structural = descriptor_reduce(a, &l->descriptor, &l->reduction);
    if (!p->structural &&
        !(descriptor_deflate(a, &l->descriptor, &l->reduction) && may_leave_out(l))) {
        p->index = -1;
        message_fail(&l->message, DAE_SINGULAR,
                     "at t = %.9g the pencil (E, A) of the linearisation is singular, or its index "
                     "is above 12: its equations do not determine all variables, as where a "
                     "constraint depends on others or where the point is a singular one\n"
                     "  remedy: leave out the equation that follows from the others, or linearise "
                     "at another time",
                     p->t);
        return;
    }
    p->index = l->reduction.index;
    p->margin = l->reduction.margin;
    p->states = l->reduction.states;
    p->infinite = p->n - p->states;
    name_states(l);
    take_state_space(l);
    p->mode = modes_find(a, &l->descriptor, &l->reduction);
    if (!p->mode) {
        message_fail(&l->message, DAE_NEWTON, "the QR iteration for eigenvalues did not converge");
        return;
    }
    p->cross_check = cross_check(l);
    note_left_out(l);
    note_doubts(l);
    note_freedom(l);
    note_motion(l);
}

static void take_descriptor(linearization *l)
{
    dae_linearization *p = &l->public;
    const linear_terms *terms = &l->terms;
    p->n = terms->n;
    p->variable = terms->name;
    p->y = terms->y;
    p->yp = terms->yp;
    p->E = terms->E;
    p->A = terms->A;
    l->descriptor = (descriptor){.n = terms->n,
                                 .E = terms->E,
                                 .A = terms->A,
                                 .nominal = terms->nominal,
                                 .rounding = terms->rounding};
}

static void linearize(void *argument)
{
    linearization *l = argument;
    dae_solver *s = l->solver;
    l->public.t = s->engine->t;
    dae_status status = solve_evaluate(s, s->engine->t, NULL);
    if (status == DAE_OK) status = linear_terms_take(s, &l->memory, &l->message, &l->terms);
    if (status != DAE_OK) {
        message_fail(&l->message, status, "%s", dae_solver_message(s));
        return;
    }
    take_descriptor(l);
    take_inputs(l);
    take_outputs(l);
    if (l->message.status != DAE_OK) return;
    note_events(l);
    if (linear_terms_note_kinks(s, &l->message) != DAE_OK) arena_fail(&l->memory);
    reduce(l);
}

static void start(linearization *l)
{
    dae_solver *s = l->solver;
    bool stands = s && s->started && s->engine;
    if (!stands) {
        const char *words = s && s->message.status != DAE_OK ? dae_solver_message(s) : NULL;
        message_fail(&l->message, words ? s->message.status : DAE_USAGE, "%s",
                     words ? words : "a linearisation needs a solver that has been started");
        return;
    }
    if (!solve_enter(s, "dae_linearize", true)) {
        message_fail(&l->message, DAE_USAGE, "the solver is at work");
        return;
    }
    if (arena_protect(&l->memory, linearize, l) != DAE_OK)
        message_fail(&l->message, DAE_NO_MEMORY, "memory is exhausted");
    solve_leave(s, DAE_OK);
}

dae_linearization *dae_linearize(dae_solver *solver, const dae_ports *ports)
{
    linearization *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    l->solver = solver;
    if (ports) l->ports = *ports;
    l->public.index = -1;
    l->public.margin = l->public.cross_check = (double)NAN;
    start(l);
    l->public.status = l->message.status;
    l->public.message = l->message.status == DAE_OK ? "" : message_string(&l->message);
    l->public.notes = text_string(&l->message.notes);
    return &l->public;
}

void dae_linearization_free(dae_linearization *linearization_)
{
    linearization *l = (linearization *)linearization_;
    if (!l) return;
    arena_free(&l->memory);
    message_free(&l->message);
    free(l);
}
