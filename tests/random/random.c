/* Random DAEs of known solution, solved by daedal.
 *
 *   random [--seed S] [--count N] [--only K] [--kind NAME] [--form NAME] [--method NAME]
 *          [--rtol R] [--formulation F] [--all] [--print] [--jobs J] [--verbose] [--turned]
 *
 * Problem K of seed S is the same whatever else is asked for. Each is solved by `auto` as model
 * text and in one of the forms of callbacks that fit, at three tolerances, and by each of five
 * methods in one of these forms at one tolerance; --all: by all, in all forms, at all tolerances.
 * Each case that is not right is printed. --print prints the model texts. --turned: with rows that
 * turn into each other in time. */
#include "random/kinds.h"
#include "random/report.h"
#include "random/run.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const methods[] = {"auto", "bdf", "mebdf", "radau", "radau-iia5", "rodas5p"};
static const double tolerances[] = {1e-4, 1e-6, 1e-8};
enum { METHODS = 6, TOLERANCES = 3 };

static const double STARTS[] = {0, 0, 0, 1, -3, 64, 1e3, 12345.625, 1e6};

static double draw_start_time(draw *d)
{
    return STARTS[draw_below(d, sizeof STARTS / sizeof *STARTS)];
}

static int draw_kind(draw *d, const char *only)
{
    int kind = draw_below(d, kind_count);
    for (int k = 0; only && k < kind_count; k++)
        if (strcmp(kinds[k].name, only) == 0) kind = k;
    return kind;
}

/* Problem `number`: false where it is left out, which the report counts. */
typedef struct problem {
    expr_pool pool;
    random_system plain, s, mechanism; /* as drawn; in another order; as a mechanical form */
    system_order order, units;
    condition known;
    draw d;
} problem;

static void make_problem(problem *q, const arguments *a, long number)
{
    q->d = draw_of(a->seed, (uint64_t)number);
    expr_pool_open(&q->pool);
    int kind = draw_kind(&q->d, a->kind);
    q->plain = (random_system){.kind = kinds[kind].name, .pool = &q->pool};
    q->plain.t0 = draw_start_time(&q->d);
    q->plain.t1 = q->plain.t0 + draw_eighths(&q->d, 1, 4);
    kinds[kind].make(&q->plain, &q->d);
    for (int i = 0; i < q->plain.n; i++) q->plain.nominal[i] = 1;
    draw turned = draw_of(a->seed + 2, (uint64_t)number); /* all else stays what it is */
    if (a->turned) system_turn_rows(&q->plain, &turned);
    condition_find(&q->plain, &q->d, &q->known);
    q->s = q->mechanism = q->plain;
    system_vary(&q->s, &q->d, &q->order);
    system_mechanism_vary(&q->mechanism, &q->d, &q->units);
    draw apart = q->d; /* what is drawn next stays what it is */
    system_vary_time(&q->s, &apart);
}

/* Effects of rounding that reach a tolerance leave nothing to be asked for. */
static bool hopeless(const problem *q, double rtol)
{
    for (int i = 0; i < q->plain.n; i++)
        if (q->known.effect[i] > rtol) return true;
    return false;
}

static void write_record(int to, const record *r)
{
    if (write(to, r, sizeof *r) != sizeof *r) exit(3);
}

static bool wanted(const arguments *a, const request *r)
{
    if (a->form && strcmp(a->form, form_names[r->form]) != 0) return false;
    if (a->method && strcmp(a->method, r->method) != 0) return false;
    return a->rtol == 0 || fabs(a->rtol / r->rtol - 1) < 1e-6;
}

static void draw_request(draw *d, request *r)
{
    r->start = (start_mode)draw_below(d, r->form == FORM_TEXT ? START_WITH : START_MODES);
    r->by_steps = draw_chance(d, 0.3);
    static const int rows[] = {2, 5, 21, 101};
    r->rows = rows[draw_below(d, 4)];
    r->by_nominal = draw_chance(d, 0.5);
    r->how = (form_draw){draw_chance(d, 0.5), draw_chance(d, 0.5), draw_chance(d, 0.3),
                         draw_chance(d, 0.2)};
}

static void print_model(const task *k, const request *r, draw d, long number)
{
    char *text = run_text(k, r, &d);
    printf("// problem %ld, %s, %s, start %s, index %d\n%s", number, k->s->kind, k->s->variation,
           start_names[r->start], k->s->index, text);
    free(text);
}

static void run_one(problem *q, const arguments *a, long number, request r, int place, int to)
{
    draw d = draw_of(a->seed + 1, (uint64_t)number * 1024 + (uint64_t)place);
    bool mechanical = r.form == FORM_MECHANICAL;
    task k = {mechanical ? &q->mechanism : &q->s, mechanical ? &q->units : &q->order, &q->known};
    if (!wanted(a, &r)) return;
    draw_request(&d, &r);
    r.formulation = a->formulation;
    record rec = {.number = number, .place = place, .form = r.form, .rtol = r.rtol};
    rec.start = r.start, rec.rows = r.by_steps ? 0 : r.rows;
    snprintf(rec.kind, sizeof rec.kind, "%s", q->s.kind);
    snprintf(rec.method, sizeof rec.method, "%s", r.method);
    snprintf(rec.variation, sizeof rec.variation, "%s", k.s->variation);
    for (int i = 0; i < q->s.n; i++) rec.effect = fmax(rec.effect, q->known.effect[i]);
    rec.index = q->s.index, rec.n = q->s.n, rec.growth = q->known.growth;
    if (a->print && r.form == FORM_TEXT) print_model(&k, &r, d, number);
    if (hopeless(q, r.rtol)) {
        rec.left_out = true;
        snprintf(rec.o.message, sizeof rec.o.message, "rounding moves it by a tolerance");
    } else {
        rec.begun = true;
        write_record(to, &rec);
        rec.begun = false;
        run_case(&k, &r, &d, &rec.o);
    }
    write_record(to, &rec);
}

/* One of the forms of callbacks that fit; the text where none does. */
static random_form draw_form(draw *d, const bool fits[FORM_COUNT])
{
    int form[FORM_COUNT], count = 0;
    for (int f = FORM_TEXT + 1; f < FORM_COUNT; f++)
        if (fits[f]) form[count++] = f;
    return count ? (random_form)form[draw_below(d, count)] : FORM_TEXT;
}

static void run_problem(const arguments *a, long number, int to)
{
    problem q;
    bool fits[FORM_COUNT];
    make_problem(&q, a, number);
    if (q.known.fault) {
        record rec = {.number = number, .left_out = true, .whole = true};
        snprintf(rec.kind, sizeof rec.kind, "%s", q.s.kind);
        snprintf(rec.o.message, sizeof rec.o.message, "%s", q.known.fault);
        rec.growth = q.known.growth;
        write_record(to, &rec);
        expr_pool_close(&q.pool);
        return;
    }
    forms_fit(&q.s, fits);
    random_form other = draw_form(&q.d, fits);
    for (int m = 0; m < METHODS; m++) {
        int tolerance = draw_below(&q.d, TOLERANCES);
        random_form one = draw_chance(&q.d, 0.5) ? FORM_TEXT : other;
        for (int f = 0; f < FORM_COUNT; f++) {
            for (int k = 0; k < TOLERANCES; k++) {
                bool first = m == 0 && (f == FORM_TEXT || f == (int)other);
                bool chosen = first || (k == tolerance && f == (int)one);
                if (!fits[f] || !(chosen || a->all)) continue;
                request r = {.form = (random_form)f, .method = methods[m], .rtol = tolerances[k]};
                run_one(&q, a, number, r, (m * FORM_COUNT + f) * TOLERANCES + k, to);
            }
        }
    }
    expr_pool_close(&q.pool);
}

enum { MOST_JOBS = 16 };

typedef struct worker {
    pid_t id;
    int from;     /* end of its pipe, -1: done */
    record begun; /* the case that it was last seen at */
} worker;

/* A process for every jobs-th problem from one on. */
static void start_worker(worker *w, const arguments *a, long first)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0 || (w->id = fork()) < 0) exit(3);
    if (w->id == 0) {
        for (long k = first; k < a->first + a->count; k += a->jobs) run_problem(a, k, ends[1]);
        fflush(stdout);
        _exit(0);
    }
    close(ends[1]);
    w->from = ends[0];
}

/* Where a worker ends by a signal, another goes on after the problem that it was at. */
static void end_worker(worker *w, const arguments *a, report *all)
{
    int status;
    close(w->from);
    w->from = -1;
    if (waitpid(w->id, &status, 0) < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return;
    w->begun.begun = false;
    w->begun.o.verdict = CRASHED;
    report_add(all, &w->begun, a);
    start_worker(w, a, w->begun.number + a->jobs);
}

static void read_worker(worker *w, const arguments *a, report *all)
{
    record r;
    size_t have = 0;
    while (have < sizeof r) {
        ssize_t got = read(w->from, (char *)&r + have, sizeof r - have);
        if (got <= 0) {
            end_worker(w, a, all);
            return;
        }
        have += (size_t)got;
    }
    w->begun = r;
    if (!r.begun) report_add(all, &r, a);
}

static void work(const arguments *a, report *all)
{
    worker w[MOST_JOBS];
    struct pollfd ready[MOST_JOBS];
    for (int j = 0; j < a->jobs; j++) start_worker(&w[j], a, a->first + j);
    for (;;) {
        bool open = false;
        for (int j = 0; j < a->jobs; j++) {
            ready[j] = (struct pollfd){w[j].from, POLLIN, 0};
            open = open || w[j].from >= 0;
        }
        if (!open) return;
        if (poll(ready, (nfds_t)a->jobs, -1) < 0) exit(3);
        for (int j = 0; j < a->jobs; j++)
            if (ready[j].revents) read_worker(&w[j], a, all);
    }
}

int main(int count, char **argument)
{
    arguments a;
    if (!read_arguments(count, argument, &a)) return 2;
    report all;
    report_open(&all);
    work(&a, &all);
    report_print(&all, &a);
    bool holds = !a.check || bounds_hold(&all, &a);
    report_close(&all);
    return !holds;
}
