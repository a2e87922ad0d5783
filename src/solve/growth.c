#include "solve/judge.h"

#include "base/arena.h"
#include "integrate/engines.h"
#include "solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RECENT = 16,      /* states kept, one for each step */
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

typedef struct remembered {
    double t;
    size_t steps;   /* steps made until then */
    double times;   /* the largest size of a variable, relative to its level */
    double *y, *yp; /* n each */
} remembered;

struct growth {
    size_t n, formulations; /* changes of the formulation until the watch began */
    const engine *of;       /* the engine that is watched */
    engine *second;         /* makes the further runs; NULL before the first */
    engine *sound; /* makes the runs that decide where the second's never agree; NULL before the
                      first */
    method *sound_method;
    double *level;             /* n: the size up to which a variable has not grown */
    remembered recent[RECENT]; /* a ring; `newest` is the last one in */
    int newest, count;
    remembered calm; /* the last state at which no variable was above its level */
    workspace space;
};

static void carve(growth *g)
{
    g->level = workspace_doubles(&g->space, g->n);
    for (int k = 0; k <= RECENT; k++) {
        remembered *at = k < RECENT ? &g->recent[k] : &g->calm;
        at->y = workspace_doubles(&g->space, g->n);
        at->yp = workspace_doubles(&g->space, g->n);
    }
}

static void forget_engines(growth *g)
{
    engine_free(g->second);
    engine_free(g->sound);
    method_free(g->sound_method);
    g->second = g->sound = NULL;
    g->sound_method = NULL;
}

void growth_free(growth *g)
{
    if (!g) return;
    forget_engines(g);
    workspace_free(&g->space);
    free(g);
}

static growth *create(size_t n)
{
    growth *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->n = n;
    carve(g);
    if (workspace_allocate(&g->space) != DAE_OK) {
        free(g);
        return NULL;
    }
    carve(g);
    return g;
}

static void keep(const engine *e, double times, remembered *at)
{
    size_t size = e->problem->n * sizeof *e->y;
    at->t = e->t;
    at->steps = e->counts.steps;
    at->times = times;
    memcpy(at->y, e->y, size);
    memcpy(at->yp, e->yp, size);
}

static void keep_recent(growth *g, const engine *e, double times)
{
    g->newest = (g->newest + 1) % RECENT;
    if (g->count < RECENT) g->count++;
    keep(e, times, &g->recent[g->newest]);
}

/* Begins the watch: the present state counts as not grown. */
static void begin_here(growth *g, const engine *e)
{
    g->count = 0;
    for (size_t k = 0; k < g->n; k++) g->level[k] = fmax(g->level[k], fabs(e->y[k]));
    keep(e, 1, &g->calm);
    keep_recent(g, e, 1);
}

/* Whether the kept states have the solver's present unknowns and engine. */
static bool is_of(const growth *g, const dae_solver *s)
{
    return g->of == s->engine && g->formulations == s->stats.chart_changes &&
           g->n == s->engine->problem->n;
}

/* Allocates arrays for the present number of unknowns, unless an earlier watch has them. */
static dae_status make_room(dae_solver *s)
{
    size_t n = s->engine->problem->n;
    if (s->growth && s->growth->n == n) {
        forget_engines(s->growth);
        return DAE_OK;
    }
    growth_free(s->growth);
    s->growth = create(n);
    if (s->growth) return DAE_OK;
    return message_fail(&s->message, DAE_NO_MEMORY, "memory is exhausted");
}

dae_status growth_begin(dae_solver *s)
{
    const engine *e = s->engine;
    if (!(s->options.step > 0) || !engine_can_lend(e)) return DAE_OK;
    if (s->growth && is_of(s->growth, s)) return DAE_OK;
    dae_status status = make_room(s);
    if (status != DAE_OK) return status;
    s->growth->of = e;
    s->growth->formulations = s->stats.chart_changes;
    memcpy(s->growth->level, e->problem->nominal, s->growth->n * sizeof(double));
    begin_here(s->growth, e);
    return DAE_OK;
}

/* --- a further run --- */

/* The steps to be repeated, and the variable that has grown in them. */
typedef struct passage {
    const remembered *from;
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
        const remembered *at = &g->recent[(g->newest + RECENT - k) % RECENT];
        if (!(at->times * STEEP <= times)) continue;
        p.from = at;
        break;
    }
    p.steps = e->counts.steps - p.from->steps;
    return p;
}

static dae_status make_engine(dae_solver *s, const method *of, engine **made)
{
    const engine *e = s->engine;
    const remembered *calm = &s->growth->calm;
    message discarded = {.status = DAE_OK};
    if (*made) return DAE_OK;
    dae_status status = engine_create(made, e->problem, of, &e->options, &discarded);
    if (status == DAE_OK) {
        engine_start(*made, calm->t, calm->y, calm->yp);
        status = engine_examine(*made, &discarded);
    }
    message_free(&discarded);
    return status;
}

/* Creates the engine of a method that no eigenvalue with damping makes unstable (Hairer & Wanner
 * II, Sec. IV.5). DAE_UNSUPPORTED where that is the method under test. */
static dae_status make_sound(dae_solver *s)
{
    growth *g = s->growth;
    message discarded = {.status = DAE_OK};
    if (strcmp(s->method->name, SOUND) == 0) return DAE_UNSUPPORTED;
    dae_status status = g->sound_method ? DAE_OK
                                        : method_create(&g->sound_method, SOUND, &discarded);
    message_free(&discarded);
    return status == DAE_OK ? make_engine(s, g->sound_method, &g->sound) : status;
}

/* Repeats the passage with `parts` steps for each of its own; *size is the largest size of the
 * variable. */
static dae_status run_again(dae_solver *s, engine *e, const passage *p, int parts, double *size)
{
    e->options.fixed_step = s->options.step / parts;
    e->options.direction = s->engine->options.direction;
    engine_start(e, p->from->t, p->from->y, p->from->yp);
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

static dae_status report(dae_solver *s, const passage *p, const verdict *shorter)
{
    message *m = &s->message;
    problem *of = s->engine->problem;
    message_fail(m, DAE_UNSTABLE,
                 "stopped at t = %.9g after %zu steps: with the fixed step of %.6g ", s->engine->t,
                 s->engine->counts.steps, s->options.step);
    of->form->name_variable(of->self, p->variable, &m->sentence);
    message_more(
        m,
        " grows from %.3g to %.3g within %zu step%s; from the same values steps of %.3g%s%s "
        "give no more than %.3g. So %s is unstable with this step, and the solution does not "
        "grow. Take a shorter step, another method such as radau-iia3, or error control. "
        "What was computed up to there is kept.",
        fabs(p->from->y[p->variable]), p->size, p->steps, p->steps == 1 ? "" : "s",
        s->options.step / shorter->parts, shorter->sound ? " by " : "", shorter->sound ? SOUND : "",
        shorter->size, s->method->name);
    return m->status;
}

static dae_status judge_growth(dae_solver *s, size_t variable)
{
    const passage p = find_passage(s->growth, s->engine, variable);
    verdict shorter = {.parts = 0};
    int orientation = s->engine->problem->orientation;
    dae_status status = make_engine(s, s->method, &s->growth->second);
    if (status == DAE_OK) status = run_shorter(s, s->growth->second, &p, &shorter);
    if (status == DAE_OK && shorter.parts == 0 && make_sound(s) == DAE_OK) {
        status = run_shorter(s, s->growth->sound, &p, &shorter);
        shorter.sound = true;
    }
    s->engine->problem->orientation = orientation;
    engine_lend(s->engine);
    if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return solve_explain_step(s, status);
    if (shorter.parts > 0 && !(p.size <= MUCH * shorter.size)) return report(s, &p, &shorter);
    return DAE_OK;
}

dae_status growth_watch(dae_solver *s)
{
    growth *g = s->growth;
    const engine *e = s->engine;
    if (!g || !is_of(g, s)) return growth_begin(s);
    size_t worst = 0;
    double most = 0;
    for (size_t k = 0; k < g->n; k++) {
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

static void remembered_state(remembered *at, size_t n, state_visit *s)
{
    STATE(s, at->t);
    STATE(s, at->steps);
    STATE(s, at->times);
    state_doubles(s, at->y, n);
    state_doubles(s, at->yp, n);
}

void growth_state(growth *g, state_visit *s)
{
    state_doubles(s, g->level, g->n);
    for (int k = 0; k < RECENT; k++) remembered_state(&g->recent[k], g->n, s);
    remembered_state(&g->calm, g->n, s);
    STATE(s, g->newest);
    STATE(s, g->count);
}
