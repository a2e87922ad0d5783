#include "integrate/engines.h"
#include "solve/solver.h"

#include <math.h>
#include <string.h>

enum {
    SHORT_RUN = 4096, /* steps that a further run may take in any case */
    AGREE = 2         /* consecutive agreements, each of a run with the one before it */
};

/* A variable has grown where it is GROWN times what it was. The steps in which it last grew by
 * STEEP are then examined, or else all steps since it began to grow. */
static const double GROWN = 30, STEEP = 16;

/* Two runs agree where their sizes differ by less than a factor of ALIKE. A variable that has grown
 * by more than MUCH times what they show has not grown by itself. The margin between the two allows
 * for the error of a method of low order: with steps of half the time in which a solution grows by
 * a factor of e, the implicit Euler method makes 30 of 12. */
static const double ALIKE = 2, MUCH = 4;

/* This method decides where shorter steps of the method itself never agree, as those of Milne's
 * method. */
static const char SOUND[] = "radau-iia3";

void growth_carve(growth *g, size_t n, workspace *space)
{
    if (!g->watches) return;
    g->level = workspace_doubles(space, n);
    for (int k = 0; k < GROWTH_RECENT; k++) engine_point_carve(&g->recent[k].at, n, space);
    engine_point_carve(&g->calm.at, n, space);
}

static void keep(const engine *e, double times, growth_point *p)
{
    p->steps = e->counts.steps;
    p->times = times;
    engine_point_keep(&p->at, e);
}

static void keep_recent(growth *g, const engine *e, double times)
{
    g->newest = (g->newest + 1) % GROWTH_RECENT;
    if (g->count < GROWTH_RECENT) g->count++;
    keep(e, times, &g->recent[g->newest]);
}

/* Begins the watch: the present state counts as not grown. */
static void begin_here(growth *g, const engine *e)
{
    g->count = 0;
    for (size_t k = 0; k < e->problem->n; k++) g->level[k] = fmax(g->level[k], fabs(e->y[k]));
    keep(e, 1, &g->calm);
    keep_recent(g, e, 1);
}

void growth_begin(dae_solver *s)
{
    growth *g = &s->growth;
    const problem *p = s->engine->problem;
    if (!g->watches) return;
    g->formulations = s->stats.chart_changes;
    memcpy(g->level, p->nominal, p->n * sizeof *g->level);
    begin_here(g, s->engine);
}

/* --- a further run --- */

/* The steps to be repeated, and the variable that has grown in them. */
typedef struct passage {
    const growth_point *from;
    size_t variable, steps;
    double size; /* at the end, which is the present state of the run */
} passage;

/* Begins at the newest state since which growth was steep, or else at the calm one. All variables
 * count, because a single one may have passed through zero. */
static passage find_passage(const growth *g, const engine *e, size_t variable)
{
    const double times = fabs(e->y[variable]) / g->level[variable];
    passage p = {.from = &g->calm, .variable = variable, .size = fabs(e->y[variable])};
    for (int k = 0; k < g->count; k++) {
        const growth_point *at = &g->recent[(g->newest + GROWTH_RECENT - k) % GROWTH_RECENT];
        if (!(at->times * STEEP <= times)) continue;
        p.from = at;
        break;
    }
    p.steps = e->counts.steps - p.from->steps;
    return p;
}

/* Repeats the passage with `parts` steps for each of its own; *size is the largest size of the
 * variable. */
static dae_status run_again(dae_solver *s, engine *e, const passage *p, int parts, double *size)
{
    e->options.fixed_step = s->options.step / parts;
    e->options.direction = s->engine->options.direction;
    engine_start(e, p->from->at.t, p->from->at.y, p->from->at.yp);
    dae_status status = DAE_OK;
    *size = fabs(e->y[p->variable]);
    while (status == DAE_OK && e->t != s->engine->t) {
        status = engine_step(e, s->engine->t);
        if (status == DAE_OK) *size = fmax(*size, fabs(e->y[p->variable]));
    }
    return status == DAE_OK && !isfinite(*size) ? DAE_NOT_EVALUABLE : status;
}

/* The result of shorter steps over the passage. parts 0: no conclusion is possible. */
typedef struct verdict {
    int parts;
    double size;
    bool sound; /* the steps were those of the sound method */
} verdict;

/* Three runs in a row must agree. Two are not enough: just beyond the limit of stability, shorter
 * steps grow less but there are more of them, and two unstable runs may come out alike. Runs that
 * fail or never agree allow no conclusion, unless each shows less growth than the one before. */
static dae_status run_shorter(dae_solver *s, engine *e, const passage *p, verdict *found)
{
    const size_t most = p->steps * 4 > SHORT_RUN ? p->steps * 4 : SHORT_RUN;
    double last = p->size;
    bool falls = true;
    int agreed = 0;
    *found = (verdict){.parts = 0};
    for (int parts = 2; p->steps * (size_t)parts <= most; parts *= 2) {
        double size;
        dae_status status = run_again(s, e, p, parts, &size);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
        if (status != DAE_OK) size = HUGE_VAL;
        falls = falls && size < last;
        bool alike = size <= ALIKE * last && last <= ALIKE * size && isfinite(size);
        *found = alike || falls ? (verdict){.parts = parts, .size = size} : (verdict){.parts = 0};
        agreed = alike ? agreed + 1 : 0;
        if (agreed == AGREE) return DAE_OK;
        last = size;
    }
    return DAE_OK;
}

/* The same by an engine of its own. A status also where the method cannot advance the equations. */
static dae_status run_by(dae_solver *s, const method *of, const passage *p, verdict *found)
{
    const engine_point *calm = &s->growth.calm.at;
    bool is_complex[PROBLEM_MOST_SLOTS];
    size_t slots = problem_slots(s->engine->problem, is_complex);
    engine *e = NULL;
    message discarded = {.status = DAE_OK};
    dae_status status = engine_create(&e, s->engine->problem, of, &s->engine->options, &discarded);
    if (status == DAE_OK) {
        engine_start(e, calm->t, calm->y, calm->yp);
        status = engine_examine(e, &discarded);
    }
    if (status == DAE_OK) status = run_shorter(s, e, p, found);
    message_free(&discarded);
    engine_free(e);
    dae_status again = problem_reserve(s->engine->problem, slots, is_complex);
    return status == DAE_OK ? again : status;
}

/* The same by a method that no eigenvalue with damping makes unstable (Hairer & Wanner II, Sec.
 * IV.5), unless that is the method under test. */
static dae_status run_sound(dae_solver *s, const passage *p, verdict *found)
{
    method *sound = NULL;
    message discarded = {.status = DAE_OK};
    if (strcmp(s->method->name, SOUND) == 0) return DAE_OK;
    dae_status status = method_create(&sound, SOUND, &discarded);
    if (status == DAE_OK) status = run_by(s, sound, p, found);
    found->sound = true;
    message_free(&discarded);
    method_free(sound);
    return status;
}

static dae_status report(dae_solver *s, const passage *p, const verdict *shorter)
{
    message *m = &s->message;
    problem *of = s->engine->problem;
    solve_begin_failure(s, DAE_UNSTABLE, s->engine->t);
    message_more(m, "with the fixed step of %.6g ", s->options.step);
    of->form->name_variable(of->self, p->variable, &m->sentence);
    message_more(
        m,
        " grows from %.3g to %.3g within %zu step%s; from the same values steps of %.3g%s%s "
        "give no more than %.3g. So %s is unstable with this step, and the solution does not "
        "grow. Take a shorter step, another method such as radau-iia3, or error control. "
        "What was computed up to there is kept.",
        fabs(p->from->at.y[p->variable]), p->size, p->steps, p->steps == 1 ? "" : "s",
        s->options.step / shorter->parts, shorter->sound ? " by " : "", shorter->sound ? SOUND : "",
        shorter->size, s->method->name);
    return m->status;
}

static dae_status judge_growth(dae_solver *s, size_t variable)
{
    const passage p = find_passage(&s->growth, s->engine, variable);
    verdict shorter = {.parts = 0};
    int orientation = s->engine->problem->orientation;
    dae_status status = run_by(s, s->method, &p, &shorter);
    if (status == DAE_OK && shorter.parts == 0) status = run_sound(s, &p, &shorter);
    s->engine->problem->orientation = orientation;
    engine_lend(s->engine);
    if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return solve_explain_step(s, status);
    if (shorter.parts > 0 && !(p.size <= MUCH * shorter.size)) return report(s, &p, &shorter);
    return DAE_OK;
}

dae_status growth_watch(dae_solver *s)
{
    growth *g = &s->growth;
    const engine *e = s->engine;
    if (!g->watches) return DAE_OK;
    if (g->formulations != s->stats.chart_changes) {
        growth_begin(s);
        return DAE_OK;
    }
    size_t worst = 0;
    double most = 0;
    for (size_t k = 0; k < e->problem->n; k++) {
        double times = fabs(e->y[k]) / g->level[k];
        if (times <= most) continue;
        most = times, worst = k;
        if (!isfinite(times)) break;
    }
    if (!(most <= GROWN)) {
        dae_status status = judge_growth(s, worst);
        begin_here(g, e);
        return status;
    }
    if (most <= 1) keep(e, most, &g->calm);
    keep_recent(g, e, most);
    return DAE_OK;
}
