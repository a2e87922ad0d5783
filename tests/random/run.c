#include "random/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_STEPS = 20000 }; /* so that a count, not a clock, ends the runs that creep */

static const double PATIENCE = 60; /* s of processor time for a run */

const char *const verdict_names[VERDICTS] = {"right",   "loose", "WRONG",  "stopped",
                                             "refused", "slow",  "crashed"};
const char *const start_names[START_MODES] = {"exact", "free", "guessed", "with"};

/* A run while it goes. */
typedef struct simulation {
    const request *r;
    const formed *f;
    dae_solver *solver;
    tape solution;
    double tolerance[SYSTEM_MOST]; /* absolute ones */
    clock_t begun;
    bool slow;
    outcome *o;
} simulation;

static double elapsed(const simulation *c)
{
    return (double)(clock() - c->begun) / CLOCKS_PER_SEC;
}

/* The error of each unknown at a time, beyond what rounding excuses. */
static void compare(simulation *c, double t, const double *y)
{
    double exact[SYSTEM_MOST];
    tape_run(&c->solution, t, NULL, NULL, exact);
    for (int i = 0; i < c->f->n; i++) {
        double off = fabs(y[i] - exact[i]) - 10 * c->f->effect[i];
        double units = off / (c->tolerance[i] + c->r->rtol * fabs(exact[i]));
        if (!isfinite(y[i])) units = (double)INFINITY;
        if (units <= c->o->units) continue;
        c->o->units = units, c->o->worst = i, c->o->at = t;
    }
}

static int take_row(double t, const double *y, const double *yp, void *user)
{
    (void)yp;
    compare(user, t, y);
    return 0;
}

static int watch(double t, void *user)
{
    simulation *c = user;
    (void)t;
    c->slow = elapsed(c) > PATIENCE;
    return c->slow;
}

static void exact_at(const formed *f, expr_pool *p, double t, double *y, double *yp)
{
    expr slope[SYSTEM_MOST];
    for (int i = 0; i < f->n; i++) slope[i] = expr_derivative(p, f->solution[i], expr_time(p));
    tape values, slopes;
    tape_open(&values, p, f->n, f->solution);
    tape_open(&slopes, p, f->n, slope);
    tape_run(&values, t, NULL, NULL, y);
    tape_run(&slopes, t, NULL, NULL, yp);
    tape_close(&values);
    tape_close(&slopes);
}

static double draw_guess(const formed *f, draw *d, int i, double exact)
{
    return exact + (f->unique ? 0.1 : 0.02) * f->nominal[i] * draw_real(d, -1, 1);
}

/* Start values, and which are fixed. */
static void draw_start(const formed *f, const request *r, draw *d, const double *exact,
                       double *start, bool *fixed)
{
    for (int i = 0; i < f->n; i++) {
        fixed[i] = r->start == START_EXACT || f->free[i];
        start[i] = exact[i];
        double guess = draw_guess(f, d, i, exact[i]);
        if (!fixed[i] && r->start == START_FREE) start[i] = guess;
    }
}

static dae_status start_callbacks(simulation *c, const random_system *s, draw *d, const double *y,
                                  const double *yp)
{
    double start[SYSTEM_MOST];
    bool fixed[SYSTEM_MOST];
    if (c->r->start == START_WITH) return dae_solver_start_with(c->solver, s->t0, y, yp);
    draw_start(c->f, c->r, d, y, start, fixed);
    for (int i = 0; i < c->f->n; i++)
        if (!fixed[i] && c->f->differential[i]) start[i] = c->f->unique ? (double)NAN : y[i];
    return dae_solver_start(c->solver, s->t0, start);
}

static const double WITHIN[] = {0.21, 0.5, 0.83, 1};

static dae_status go_by_steps(simulation *c, const random_system *s)
{
    double y[SYSTEM_MOST];
    while (dae_solver_time(c->solver) < s->t1) {
        double from = dae_solver_time(c->solver);
        dae_status status = dae_solver_step(c->solver, s->t1);
        double to = dae_solver_time(c->solver);
        if (status != DAE_OK) return status;
        for (int k = 0; k < 4; k++) {
            double t = k == 3 ? to : from + WITHIN[k] * (to - from);
            if (k < 3 && to <= from) continue; /* the run has gone back, and made a step there */
            status = dae_solver_at(c->solver, t, y, NULL);
            if (status != DAE_OK) return status;
            compare(c, t, y);
        }
    }
    return DAE_OK;
}

static dae_status go(simulation *c, const random_system *s)
{
    dae_times times = {.count = (size_t)c->r->rows, .first = s->t0, .last = s->t1};
    if (c->r->by_steps) return go_by_steps(c, s);
    dae_status status = dae_solver_output(c->solver, &times, take_row, c);
    return status == DAE_OK ? dae_solver_run(c->solver, s->t1) : status;
}

static void judge(simulation *c, dae_status status)
{
    outcome *o = c->o;
    o->status = status;
    o->seconds = elapsed(c);
    o->steps = dae_solver_stats(c->solver)->steps;
    snprintf(o->message, sizeof o->message, "%s", dae_solver_message(c->solver));
    bool refused = status == DAE_USAGE || status == DAE_UNSUPPORTED || status == DAE_INDEX;
    if (c->slow)
        o->verdict = SLOW;
    else if (refused)
        o->verdict = REFUSED;
    else if (status != DAE_OK)
        o->verdict = STOPPED;
    else
        o->verdict = o->units <= 10 ? RIGHT : o->units <= 100 ? LOOSE : WRONG;
}

static void set_options(simulation *c, dae_options *options)
{
    *options = dae_options_default();
    options->rtol = options->atol = c->r->rtol;
    options->method = c->r->method;
    if (c->r->formulation) options->formulation = c->r->formulation;
    options->max_steps = MOST_STEPS;
    for (int i = 0; i < c->f->n; i++) c->tolerance[i] = c->r->rtol * c->f->nominal[i];
    if (!c->r->by_nominal) options->atols = c->tolerance;
}

static void solve(simulation *c, const random_system *s, draw *d)
{
    double y[SYSTEM_MOST], yp[SYSTEM_MOST];
    dae_options options;
    set_options(c, &options);
    exact_at(c->f, s->pool, s->t0, y, yp);
    tape_open(&c->solution, s->pool, c->f->n, c->f->solution);
    c->solver = dae_solver_create(c->f->problem, &options);
    dae_solver_watch(c->solver, watch, c);
    dae_solver_watch_start(c->solver, watch, c);
    dae_status status = dae_solver_status(c->solver);
    if (status == DAE_OK)
        status = c->f->functions ? start_callbacks(c, s, d, y, yp)
                                 : dae_solver_start(c->solver, s->t0, NULL);
    judge(c, status == DAE_OK ? go(c, s) : status);
    dae_solver_free(c->solver);
    tape_close(&c->solution);
}

/* What is known of `plain`, in the order and units of `s`. */
static void known_of(const task *k, double *effect, bool *free)
{
    for (int i = 0; i < k->s->n; i++) {
        int old = k->order->variable[i];
        effect[i] = k->known->effect[old] * k->order->scale[old];
        free[i] = k->known->free[old];
    }
}

static void text_unknowns(const task *k, formed *f)
{
    *f = (formed){.n = k->s->n, .unique = k->s->unique};
    known_of(k, f->effect, f->free);
    for (int i = 0; i < f->n; i++)
        f->solution[i] = k->s->solution[i], f->nominal[i] = k->s->nominal[i];
}

char *run_text(const task *k, const request *r, draw *d)
{
    formed f;
    double y[SYSTEM_MOST], yp[SYSTEM_MOST], start[SYSTEM_MOST];
    bool fixed[SYSTEM_MOST];
    text_unknowns(k, &f);
    exact_at(&f, k->s->pool, k->s->t0, y, yp);
    draw_start(&f, r, d, y, start, fixed);
    return system_text(k->s, start, fixed, r->rtol);
}

static bool form(const task *k, const request *r, draw *d, formed *f)
{
    double effect[SYSTEM_MOST];
    bool free_[SYSTEM_MOST];
    if (r->form != FORM_TEXT) {
        known_of(k, effect, free_);
        return form_callbacks(k->s, r->form, r->how, effect, free_, f);
    }
    text_unknowns(k, f);
    char *text = run_text(k, r, d);
    f->problem = dae_problem_parse("random.mo", text, strlen(text));
    free(text);
    return f->problem != NULL;
}

void run_case(const task *k, const request *r, draw *d, outcome *o)
{
    formed f;
    *o = (outcome){.verdict = CRASHED, .units = 0};
    simulation c = {.r = r, .f = &f, .o = o, .begun = clock()};
    if (!form(k, r, d, &f)) return;
    solve(&c, k->s, d);
    formed_close(&f);
}
