/* Random switched systems of known solution, solved by daedal: each by a method that has error
 * control, at a tolerance, as a model text or as a C program.
 *
 *   switched [--seed S] [--count N] [--only K] [--method NAME] [--jobs J] [--way 0|1|2]
 *            [--allow K] [--print] [--verbose]
 *
 * The same method also solves the pieces between the events, each from its exact state. With e_k
 * what it misses in piece k, in tolerances, and a_k >= 1 by how much the path after piece k
 * answers a change of the state at its end, the run with events may miss
 * 2 (e_k + sum a_j e_j of earlier pieces) + 10. Events may be off in time by what that is at the
 * rate of the crossing.
 *
 * --allow: fails where more than K runs are not right. What is missed today is counted in
 * tests/CMakeLists.txt, and may not grow. */
#include "method/catalogue.h"
#include "random/switched_forms.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 48, MOST_METHODS = 64, MOST_STEPS = 400000 };

typedef enum verdict { RIGHT, BEYOND, MISSED, STOPPED, LEFT_OUT, VERDICTS } verdict;

static const char *const verdict_names[VERDICTS] = {"right", "beyond", "missed", "stopped",
                                                    "left out"};
static const double PATIENCE = 20;   /* s of processor time for a run */
static const double MOST_ANSWER = 3; /* the path may answer a change by so much */

typedef enum way { BY_ROWS, BY_EVENTS, AFTERWARDS, WAYS } way;

static const char *const way_names[WAYS] = {"rows", "stops", "kept"};

typedef struct arguments {
    uint64_t seed;
    long first, count, allowed;
    const char *method;
    int jobs, way; /* way -1: drawn */
    bool print, verbose;
} arguments;

typedef struct test_case {
    sw_system s;
    sw_path path;
    double answer[SW_EVENTS + 1]; /* of the path after a piece to its end */
    double error[SW_EVENTS + 1];  /* in tolerances: of each piece by itself */
    double end_error[SW_EVENTS + 1];
    sw_style how;
    way way;
    double rtol;
    const char *method;
    double at[ROWS];
    int rows;
} test_case;

typedef struct place {
    double t;
    int variable;
} place;

typedef struct outcome {
    long number;
    verdict verdict;
    double worst, bound; /* largest error over its bound */
    place place;         /* where it is */
    size_t steps, piece_steps;
    char method[24], what[200], message[240];
} outcome;

/* --- one run --- */

typedef struct watcher {
    const test_case *c;
    const sw_path *path;
    const sw_piece *piece;       /* a single one, or NULL */
    double *error, *end_error;   /* of each piece */
    place *place;                /* where the first is largest; NULL */
    double event[SW_EVENTS + 1]; /* distance of the nearest event that was reported to each */
    clock_t begun;
} watcher;

static double unit(const test_case *c, double exact)
{
    return c->rtol * (1 + fabs(exact));
}

static double miss(const watcher *w, const sw_piece *p, double t, const double *v, int count,
                   int *which)
{
    double exact[SW_MOST], worst = 0;
    sw_values(&w->c->s, p, t, exact);
    for (int i = 0; i < count; i++) {
        if (!isfinite(v[i])) return (double)INFINITY;
        double off = fabs(v[i] - exact[i]) / unit(w->c, exact[i]);
        if (off > worst) *which = i + 1;
        worst = fmax(worst, off);
    }
    return worst;
}

static int take_row(double t, const double *y, const double *yp, void *user)
{
    watcher *w = user;
    (void)yp;
    const sw_piece *p = w->piece ? w->piece : sw_piece_at(w->path, t);
    double *error = w->piece ? w->error : &w->error[p - w->path->piece];
    int which = 0;
    double now = miss(w, p, t, y, w->c->s.total, &which);
    if (now > *error && w->place) w->place[p - w->path->piece] = (place){t, which};
    *error = fmax(*error, now);
    return 0;
}

static int take_event(const dae_event *e, void *user)
{
    watcher *w = user;
    for (int k = 0; k + 1 < w->path->count; k++) {
        double off = fabs(e->t - w->path->piece[k].end);
        if (!(off >= w->event[k])) w->event[k] = off;
    }
    return 0;
}

static int lose_patience(double t, void *user)
{
    (void)t;
    return (double)(clock() - ((watcher *)user)->begun) / CLOCKS_PER_SEC > PATIENCE;
}

static dae_status start(dae_solver *solver, const test_case *c, double t, const double *v)
{
    return c->how.text ? dae_solver_start(solver, t, NULL) : dae_solver_start(solver, t, v);
}

static dae_status go(dae_solver *solver, watcher *w, double end, const double *at, int rows)
{
    double y[SW_MOST];
    bool kept = w->c->way == AFTERWARDS;
    dae_times times = {.at = at, .count = (size_t)rows};
    dae_status status = DAE_OK;
    if (!kept && rows) status = dae_solver_output(solver, &times, take_row, w);
    while (status == DAE_OK && dae_solver_time(solver) < end) status = dae_solver_run(solver, end);
    for (int k = 0; kept && status == DAE_OK && k < rows; k++) {
        status = dae_solver_at(solver, at[k], y, NULL);
        if (status == DAE_OK) take_row(at[k], y, NULL, w);
    }
    if (status == DAE_OK) status = dae_solver_at(solver, end, y, NULL);
    if (status != DAE_OK) return status;
    take_row(end, y, NULL, w);
    int which;
    if (w->piece) *w->end_error = miss(w, w->piece, end, y, w->c->s.n, &which);
    return status;
}

static dae_status run(const test_case *c, watcher *w, const sw_style *how, const sw_piece *from,
                      double end, const double *at, int rows, outcome *o)
{
    double v[SW_MOST];
    sw_program program = {.s = &c->s, .how = *how};
    sw_values(&c->s, from, from->t, v);
    dae_problem *problem = sw_problem(&program, v);
    dae_options options = dae_options_default();
    options.rtol = options.atol = c->rtol;
    options.method = c->method;
    options.max_steps = MOST_STEPS * (w->piece ? 1 : (size_t)c->path.count);
    options.stop_at_events = c->way == BY_EVENTS && !w->piece;
    options.keep_trajectory = c->way == AFTERWARDS;
    dae_solver *solver = dae_solver_create(problem, &options);
    w->begun = clock();
    dae_solver_watch(solver, lose_patience, w);
    if (!w->piece) dae_solver_watch_events(solver, take_event, w);
    dae_status status = start(solver, c, from->t, v);
    if (status == DAE_OK) status = go(solver, w, end, at, rows);
    if (status != DAE_OK) snprintf(o->message, sizeof o->message, "%s", dae_solver_message(solver));
    const dae_stats *stats = dae_solver_stats(solver);
    if (stats) *(w->piece ? &o->piece_steps : &o->steps) += stats->steps;
    dae_solver_free(solver);
    dae_problem_free(problem);
    return status;
}

/* --- a case --- */

/* By how much the path answers a change of the state where piece k begins: the largest change
 * after, beside events, for unit changes of all components. False: other events follow. */
static bool find_answer(test_case *c, int k, double *answer)
{
    static const double OFF = 1e-7;
    int n = c->s.n;
    double sum[ROWS + 1] = {0};
    for (int j = 0; j < n; j++) {
        double off[SW_STATES] = {0}, v[SW_MOST], moved[SW_MOST];
        sw_path path = c->path;
        off[j] = OFF;
        sw_follow(&c->s, &path, k, off);
        if (path.fault || path.count != c->path.count) return false;
        for (int r = 0; r <= c->rows; r++) {
            double t = r < c->rows ? c->at[r] : c->s.t1, largest = 0;
            if (t < c->path.piece[k].t) continue;
            sw_values(&c->s, sw_piece_at(&c->path, t), t, v);
            sw_values(&c->s, sw_piece_at(&path, t), t, moved);
            for (int i = 0; i < c->s.total; i++)
                largest = fmax(largest, fabs(moved[i] - v[i]) / (OFF * (1 + fabs(v[i]))));
            sum[r] += largest;
        }
    }
    *answer = 1;
    for (int r = 0; r <= c->rows; r++) *answer = fmax(*answer, sum[r]);
    return *answer < MOST_ANSWER;
}

/* Times of rows: not where the error of an event decides in which piece they are. */
static void draw_rows(test_case *c, draw *d)
{
    double span = c->s.t1 - c->s.t0, apart = fmax(2e-3, 100 * c->rtol);
    c->rows = 0;
    for (int k = 0; k < ROWS; k++) {
        double t = c->s.t0 + span * (k + draw_real(d, 0, 0.99)) / ROWS;
        bool near_event = false;
        for (int i = 0; i + 1 < c->path.count; i++)
            if (c->path.piece[i].rate != 0 && fabs(t - c->path.piece[i].end) < apart)
                near_event = true;
        if (!near_event) c->at[c->rows++] = t;
    }
}

static bool draw_system(test_case *c, draw *d)
{
    sw_switch by = (sw_switch)draw_below(d, SW_SWITCHES);
    for (int attempt = 0; attempt < 20000; attempt++) {
        sw_draw(&c->s, by, d, &c->path);
        if (c->path.fault) continue;
        draw_rows(c, d);
        bool good = true;
        for (int k = 0; good && k < c->path.count; k++) good = find_answer(c, k, &c->answer[k]);
        if (good) return true;
    }
    return false;
}

static void draw_case(test_case *c, draw *d, const char *name)
{
    bool first_order = strcmp(name, "implicit-euler") == 0;
    c->method = name;
    c->rtol = pow(10, first_order ? draw_real(d, -4, -3) : draw_real(d, -9, -4));
    c->how = (sw_style){.text = draw_chance(d, 0.7),
                        .fixed_mode = -1,
                        .discrete = draw_chance(d, 0.5),
                        .branches = draw_chance(d, 0.3),
                        .variant = draw_below(d, 2)};
    c->way = (way)draw_below(d, WAYS);
}

/* The pieces by themselves. */
static dae_status run_pieces(test_case *c, outcome *o)
{
    sw_style how = c->how;
    for (int k = 0; k < c->path.count; k++) {
        const sw_piece *p = &c->path.piece[k];
        watcher w = {.c = c,
                     .path = &c->path,
                     .piece = p,
                     .error = &c->error[k],
                     .end_error = &c->end_error[k]};
        int from = 0, to;
        how.fixed_mode = p->mode;
        while (from < c->rows && c->at[from] < p->t) from++;
        for (to = from; to < c->rows && c->at[to] < p->end; to++) continue;
        dae_status status = run(c, &w, &how, p, p->end, c->at + from, to - from, o);
        if (status != DAE_OK) return status;
    }
    return DAE_OK;
}

static void judge(const test_case *c, const watcher *w, outcome *o)
{
    double carried = 0;
    o->verdict = RIGHT;
    for (int k = 0; k < c->path.count; k++) {
        double bound = 2 * (c->error[k] + carried) + 10, rate = fabs(c->path.piece[k].rate);
        double ratio = w->error[k] / bound;
        if (ratio > o->worst) o->worst = ratio, o->bound = bound, o->place = w->place[k];
        carried += fmax(c->error[k], c->end_error[k]) *
                   (k + 1 < c->path.count ? c->answer[k + 1] : 1);
        if (k + 1 == c->path.count) continue;
        double x[SW_STATES];
        sw_states(&c->s, &c->path.piece[k], c->path.piece[k].end, x);
        bound = 2 * (c->end_error[k] + carried) + 10;
        double allowed = rate > 0 ? 1.5 * bound * unit(c, x[c->s.watched]) / rate : 0;
        allowed += 1e-12 * (1 + fabs(c->path.piece[k].end));
        if (w->event[k] <= allowed) continue;
        if (o->verdict == RIGHT) {
            o->verdict = MISSED;
            snprintf(o->message, sizeof o->message, "event at %.12g is off by %.2e, allowed %.2e",
                     c->path.piece[k].end, w->event[k], allowed);
        }
    }
    if (o->worst > 1) {
        o->verdict = BEYOND;
        size_t used = strlen(o->message);
        snprintf(o->message + used, sizeof o->message - used,
                 " %.2g times the bound %.3g in v%d at %.9g", o->worst, o->bound, o->place.variable,
                 o->place.t);
    }
}

static void run_case(test_case *c, outcome *o)
{
    double error[SW_EVENTS + 1] = {0};
    place at[SW_EVENTS + 1];
    snprintf(o->method, sizeof o->method, "%s", c->method);
    snprintf(o->what, sizeof o->what, "%s %s%s%s%d n %d rtol %.1e %s %s %d events, answer %.1f",
             sw_switch_names[c->s.by], c->how.text ? "text" : "program",
             c->how.discrete ? " discrete" : "", c->how.branches ? " branches " : " ",
             c->how.variant, c->s.n, c->rtol, sw_shape_names[c->s.shape], way_names[c->way],
             c->path.count - 1, c->answer[0]);
    if (run_pieces(c, o) != DAE_OK) {
        o->verdict = LEFT_OUT;
        return;
    }
    watcher w = {.c = c, .path = &c->path, .error = error, .place = at};
    for (int k = 0; k <= SW_EVENTS; k++) w.event[k] = (double)INFINITY;
    dae_status status = run(c, &w, &c->how, &c->path.piece[0], c->s.t1, c->at, c->rows, o);
    if (status != DAE_OK)
        o->verdict = STOPPED;
    else
        judge(c, &w, o);
}

static size_t adaptive_methods(const char **name)
{
    size_t count = 0;
    name[count++] = "auto";
    for (size_t k = 0; method_row_at(k); k++) {
        message m = {.status = DAE_OK};
        method *made = NULL;
        bool fits = method_create(&made, method_row_at(k)->name, &m) == DAE_OK &&
                    method_is_adaptive(made) && !made->structural;
        if (fits && count < MOST_METHODS) name[count++] = method_row_at(k)->name;
        method_free(made);
        message_free(&m);
    }
    return count;
}

static void print_model(const test_case *c)
{
    double v[SW_MOST];
    sw_values(&c->s, &c->path.piece[0], c->s.t0, v);
    char *model = sw_text(&c->s, &c->how, v);
    printf("%s// --start %.17g --stop %.17g --rtol %.17g --method %s\n", model, c->s.t0, c->s.t1,
           c->rtol, c->method);
    for (int k = 0; k + 1 < c->path.count; k++) printf("// event at %.17g\n", c->path.piece[k].end);
    free(model);
}

/* Where a method does not take the equations, the next one does. */
static void run_number(const arguments *a, long number, outcome *o)
{
    const char *name[MOST_METHODS];
    size_t count = adaptive_methods(name);
    test_case c;
    draw d = draw_of(a->seed, (uint64_t)number);
    size_t first = (size_t)draw_below(&d, (int)count);
    for (size_t k = 0; k < count; k++) {
        draw own = d;
        memset(&c, 0, sizeof c);
        memset(o, 0, sizeof *o);
        o->number = number;
        draw_case(&c, &own, a->method ? a->method : name[(first + k) % count]);
        if (a->way >= 0) c.way = (way)a->way;
        if (!draw_system(&c, &own)) {
            o->verdict = LEFT_OUT;
            snprintf(o->what, sizeof o->what, "nothing good was drawn");
            return;
        }
        if (a->print) print_model(&c);
        run_case(&c, o);
        if (o->verdict != LEFT_OUT || a->method) return;
    }
}

/* --- all --- */

typedef struct tally {
    char name[40];
    long of[VERDICTS];
} tally;

static void count_in(tally *list, const char *name, verdict v)
{
    int k = 0;
    while (k < MOST_METHODS - 1 && list[k].name[0] && strcmp(list[k].name, name) != 0) k++;
    snprintf(list[k].name, sizeof list[k].name, "%s", name);
    list[k].of[v]++;
}

static void print_tallies(const tally *list)
{
    printf("\n%-24s", "");
    for (int v = 0; v < VERDICTS; v++) printf("%10s", verdict_names[v]);
    for (int k = 0; k < MOST_METHODS && list[k].name[0]; k++) {
        printf("\n%-24s", list[k].name);
        for (int v = 0; v < VERDICTS; v++) printf("%10ld", list[k].of[v]);
    }
    printf("\n");
}

/* A process for every jobs-th number. */
static int start_worker(const arguments *a, long first, pid_t *id)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0 || (*id = fork()) < 0) exit(3);
    if (*id == 0) {
        for (long k = first; k < a->first + a->count; k += a->jobs) {
            outcome o;
            run_number(a, k, &o);
            if (write(ends[1], &o, sizeof o) != sizeof o) _exit(3);
        }
        fflush(stdout);
        _exit(0);
    }
    close(ends[1]);
    return ends[0];
}

static bool read_outcome(int from, outcome *o)
{
    size_t have = 0;
    while (have < sizeof *o) {
        ssize_t got = read(from, (char *)o + have, sizeof *o - have);
        if (got <= 0) return false;
        have += (size_t)got;
    }
    return true;
}

typedef struct tallies {
    tally methods[MOST_METHODS], kinds[MOST_METHODS];
    long bad, seen;
} tallies;

static void take_outcome(const arguments *a, const outcome *o, tallies *t)
{
    char kind[40];
    t->seen++;
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(o->what, " "), o->what);
    count_in(t->methods, o->method, o->verdict);
    count_in(t->kinds, kind, o->verdict);
    t->bad += o->verdict != RIGHT && o->verdict != LEFT_OUT;
    if (o->verdict == RIGHT && !a->verbose) return;
    printf("%5ld %-9s %-20s %s: %s %.2g (%zu steps, %zu)\n", o->number, verdict_names[o->verdict],
           o->method, o->what, o->message, o->worst, o->steps, o->piece_steps);
    fflush(stdout);
}

/* Whether too much is not right. */
static bool work(const arguments *a)
{
    static tallies t;
    pid_t id[16];
    struct pollfd ready[16];
    outcome o;
    for (int j = 0; j < a->jobs; j++)
        ready[j] = (struct pollfd){start_worker(a, a->first + j, &id[j]), POLLIN, 0};
    for (int open = a->jobs; open > 0;) {
        if (poll(ready, (nfds_t)a->jobs, -1) < 0) exit(3);
        for (int j = 0; j < a->jobs; j++) {
            if (!ready[j].revents) continue;
            if (read_outcome(ready[j].fd, &o)) {
                take_outcome(a, &o, &t);
                continue;
            }
            int status;
            close(ready[j].fd);
            ready[j].fd = -1;
            open--;
            if (waitpid(id[j], &status, 0) >= 0 && status == 0) continue;
            t.bad += 1 + a->allowed;
            printf("a process has ended\n");
        }
    }
    print_tallies(t.methods);
    print_tallies(t.kinds);
    printf("%ld of %ld are not right\n", t.bad, t.seen);
    return t.bad > a->allowed || t.seen != a->count;
}

static bool read_arguments(int count, char **argument, arguments *a)
{
    *a = (arguments){.seed = 1, .count = 200, .jobs = 2, .way = -1};
    for (int k = 1; k < count; k++) {
        const char *word = argument[k], *value = k + 1 < count ? argument[k + 1] : "";
        k++;
        if (strcmp(word, "--seed") == 0)
            a->seed = strtoull(value, NULL, 10);
        else if (strcmp(word, "--count") == 0)
            a->count = atol(value);
        else if (strcmp(word, "--only") == 0)
            a->first = atol(value), a->count = 1, a->jobs = 1;
        else if (strcmp(word, "--method") == 0)
            a->method = value;
        else if (strcmp(word, "--allow") == 0)
            a->allowed = atol(value);
        else if (strcmp(word, "--way") == 0)
            a->way = atoi(value);
        else if (strcmp(word, "--jobs") == 0)
            a->jobs = atoi(value);
        else if (strcmp(word, "--print") == 0)
            a->print = true, k--;
        else if (strcmp(word, "--verbose") == 0)
            a->verbose = true, k--;
        else
            return false;
    }
    return a->jobs >= 1 && a->jobs <= 16;
}

int main(int count, char **argument)
{
    arguments a;
    if (!read_arguments(count, argument, &a)) {
        fprintf(stderr, "switched: tests/random/switched.c says what is understood\n");
        return 2;
    }
    return work(&a);
}
