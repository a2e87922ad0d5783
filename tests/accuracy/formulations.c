/* Every formulation of constrained mechanical systems by every method of the catalogue, on the
 * mechanisms of the multibody benchmarks: a table for each, with a cell for each pair.
 *
 *   formulations [--short] [MECHANISM [METHOD [FORMULATION]]]
 *
 * A method that can choose its steps has rtol = atol = 1e-6, of order 1 1e-3; any other has
 * constant steps, which are halved until its errors fall as its order says, or, where they are not
 * judged, until the end is a tenth off at most. A cell holds the digits of positions and velocities
 * at the end, then how far each level of the constraints was met on the way, -log10 of what it is
 * relative to; or a number, of the sentence below the tables that says why it is refused, or why
 * theory promises nothing of it; or the status that ended the run.
 *
 * Fails where a run that claims success is wrong by more than 100 of its tolerances (marked "!"),
 * where constant steps do not have their order ("!"), where a level of the constraints is met less
 * well than its formulation claims ("#"), and where a run ends before its time against its theory.
 * Not judged ("~"): constant steps where nothing is promised, where the motion is stiff, or where
 * constraints are met by forces.
 *
 * Shortened, `auto` and four methods run every third formulation on each mechanism, in turn, so
 * that each pair is run on a third of the mechanisms; the first method of each family runs all of
 * them on the pendulum, and one of each family once more on one mechanism, both drawn. */
#include "method/method.h"
#include "zoo/move.h"
#include "zoo/run.h"

#include "accuracy/formulation_claims.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_SAYINGS = 100,
    MOST_SAYING = 2000,
    MOST_FORMULATIONS = 40,
    HALVINGS = 7,
    STIFF_HALVINGS = 12,
    MAX_STEPS = 100000,
    SEED = 20231122,
    DRAWS_OF = 4
};

/* An error that has to do with the solution. */
static const double SENSIBLE = 0.1;

/* `row` of the reference, with constant steps `constant_row`, or the time to which an exact
 * solution is looked at; constant steps to begin with; whether there is what is faster than those
 * by far. */
typedef struct mechanism {
    const zoo_mechanical *system;
    size_t row, constant_row;
    double of_exact;
    int steps;
    bool stiff;
} mechanism;

static const mechanism mechanisms[] = {
    {&zoo_pendulum, 0, 0, 1, 50, false},    {&zoo_double_pendulum, 1, 0, 0, 100, true},
    {&zoo_free_crank, 0, 0, 0, 200, false}, {&zoo_driven_crank, 0, 0, 0.02, 50, false},
    {&zoo_governor, 0, 0, 0, 100, true},    {&zoo_mechanical_car_axis, 0, 0, 0, 200, false},
    {&zoo_andrews, 0, 0, 0, 100, false},    {&zoo_andrews_bodies, 0, 0, 0, 100, false},
};

enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

#define NO_ROW ((size_t)-1)

typedef struct table {
    bool brief;
    const char *mechanism, *method, *formulation; /* NULL: all */
    const char *formulations[MOST_FORMULATIONS];
    char saying[MOST_SAYINGS][MOST_SAYING];
    int sayings, cells, refused, unpromised, failed, unjudged, wrong, loose, left_out;
    int pending; /* cells of a row that is not yet begun */
} table;

/* --- runs --- */

static void adapt(const mechanism *m, dae_options *o, zoo_moved *found, char *mark)
{
    o->rtol = o->atol = tolerance_of(o->method);
    o->max_steps = MAX_STEPS;
    zoo_move(m->system, o, m->row, m->of_exact, found);
    if (found->status != DAE_OK) return;
    double most = is_forced(o->formulation) ? fmax(FORCED, GROWTH * o->rtol) : GROWTH * o->rtol;
    double step = zoo_known_time(m->system, m->row, m->of_exact) / (double)found->steps;
    double v = found->v * (has_deep_velocities(o->formulation) ? fmin(step, 1) : 1);
    if (!(found->q <= most && v <= (is_forced(o->formulation) ? 10 : 1) * most)) *mark = '!';
}

/* Why theory promises nothing, so that a run may end before its time; false: it does, as of all
 * runs that choose their steps and are not refused. Constant steps are given. */
static bool explain_end(const mechanism *m, const dae_options *o, char *sentence, size_t size)
{
    const theory *known = theory_of(o->method);
    int q = promise(o->method, o->formulation, false), v = promise(o->method, o->formulation, true);
    if (o->step == 0 || !known) return false;
    if (q < 0 || v < 0)
        snprintf(sentence, size, "%s %s on equations of this index (%s)", o->method,
                 q == FAILS ? "does not converge" : "promises nothing", known->source);
    else if (m->stiff && strcmp(o->method, "milne") == 0)
        snprintf(sentence, size,
                 "%s is weakly stable: where motion is damped, its root of -1 grows whatever the "
                 "step (Hairer, Norsett & Wanner I, Sec. III.9)",
                 o->method);
    else
        return false;
    return true;
}

/* Whether errors fell as promised from one step to its half, or are as small as round-off and
 * Newton's iteration leave them. */
static bool falls(double coarse, double fine, int order)
{
    static const double SMALL = 1e-9;
    return fine < SMALL || (coarse < SENSIBLE && log2(coarse / fine) > order - 0.5);
}

static void keep_constant(const mechanism *m, dae_options *o, zoo_moved *found, char *mark)
{
    double stop = zoo_known_time(m->system, m->constant_row, m->of_exact);
    int q = promise(o->method, o->formulation, false), v = promise(o->method, o->formulation, true);
    bool judged = q > 0 && v > 0 && !m->stiff && !is_forced(o->formulation), good = false;
    char reason[300];
    o->step = stop / m->steps;
    bool vain = explain_end(m, o, reason, sizeof reason);
    int most = vain ? 0 : m->stiff ? STIFF_HALVINGS : HALVINGS;
    *mark = judged ? ' ' : '~';
    for (int k = 0; k <= most && !good; k++) {
        zoo_moved before = *found;
        o->step = stop / (m->steps << k);
        zoo_move(m->system, o, m->constant_row, m->of_exact, found);
        if (!found->begun && found->status != DAE_OK) return;
        good = found->status == DAE_OK && fmax(found->q, found->v) < SENSIBLE;
        if (judged && good)
            good = k > 0 && before.status == DAE_OK && falls(before.q, found->q, q) &&
                   falls(before.v, found->v, v);
    }
    if (judged && !good && found->status == DAE_OK) *mark = '!';
}

/* --- cells --- */

static bool is_variable(const char *word)
{
    static const char *const parts[] = {"der(", "mu(", "nu(", "lambda", "q", "v"};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        size_t length = strlen(parts[k]);
        if (strncmp(word, parts[k], length) != 0) continue;
        return k < 3 ? is_variable(word + length) : word[length] >= '1' && word[length] <= '9';
    }
    return false;
}

/* What stands for a word of a sentence, so that equal reasons read alike. */
static const char *stand_in(const char *word, const dae_options *o)
{
    size_t length = strlen(o->method);
    if (strncmp(word, o->method, length) == 0 && (!word[length] || word[length] == ':'))
        return "METHOD";
    if (strcmp(word, o->formulation) == 0) return "FORMULATION";
    if (word[0] && word[strspn(word, "0123456789")] == 0) return "#";
    return is_variable(word) ? "VARIABLE" : strcmp(word, "variables") == 0 ? "variable" : word;
}

/* Shorter by what is written after the first of a list of variables. */
static size_t shorten(const char *saying, size_t length)
{
    static const char *const endings[] = {"VARIABLE, VARIABLE", "VARIABLE and # more"};
    for (size_t k = 0; k < 2; k++) {
        size_t size = strlen(endings[k]);
        if (length >= size && strcmp(saying + length - size, endings[k]) == 0)
            return length - size + strlen("VARIABLE");
    }
    return length;
}

/* The first line of a message, with what stands in for names, and lists of variables as one. */
static void generalise(const char *sentence, const dae_options *o, char *saying)
{
    size_t length = 0;
    for (const char *c = sentence; *c && *c != '\n' && length + 400 < MOST_SAYING;) {
        char word[300];
        bool is_method = strncmp(c, o->method, strlen(o->method)) == 0;
        size_t size = strcspn(c, is_method ? " \n" : " ,;\n"), end = size;
        if (end > 0 && (c[end - 1] == ':' || c[end - 1] == '.')) end--;
        snprintf(word, sizeof word, "%.*s", (int)end, c);
        length += (size_t)sprintf(saying + length, "%s", stand_in(word, o));
        length = shorten(saying, length);
        for (c += end, size -= end; size > 0; size--) saying[length++] = *c++;
        if (*c && *c != '\n') saying[length++] = *c++;
        saying[length] = 0;
    }
}

/* The number, from 1, of a sentence that says why. */
static int number_of(table *t, const char *sentence, const dae_options *o)
{
    char saying[MOST_SAYING] = "";
    generalise(sentence, o, saying);
    int k = 0;
    while (k < t->sayings && strcmp(t->saying[k], saying) != 0) k++;
    if (k == t->sayings && k < MOST_SAYINGS) memcpy(t->saying[t->sayings++], saying, sizeof saying);
    return k + 1;
}

static int digits_of(double x)
{
    return !(x < 1) ? 0 : x < 1e-16 ? 16 : (int)-log10(x);
}

static void print_cell(table *t, const mechanism *m, const dae_options *o, const zoo_moved *f,
                       char mark)
{
    char cell[40], reason[300];
    if (!f->begun) {
        snprintf(cell, sizeof cell, "(%d)", number_of(t, f->message, o));
        t->refused++;
    } else if (f->status != DAE_OK && explain_end(m, o, reason, sizeof reason)) {
        snprintf(cell, sizeof cell, "(%d)", number_of(t, reason, o));
        t->unpromised++;
    } else if (f->status != DAE_OK) {
        snprintf(cell, sizeof cell, "%s", dae_status_word(f->status));
        t->failed++;
    } else {
        double error = fmax(f->q, f->v);
        size_t length = (size_t)snprintf(cell, sizeof cell, "%.1f",
                                         error < 1 ? fmin(-log10(error), 16) : 0);
        for (size_t k = 0; k < f->levels; k++)
            length += (size_t)snprintf(cell + length, sizeof cell - length, "%c%d", k ? '.' : ' ',
                                       digits_of(f->level[k]));
        cell[length] = mark, cell[length + 1] = 0;
    }
    printf(" %-15s", cell);
    fflush(stdout);
}

/* Errors of constant steps are what they are where nothing holds the constraints. */
static bool is_loose(const zoo_moved *f, const dae_options *o)
{
    bool loose = false;
    for (size_t k = 0; k < f->levels && f->status == DAE_OK; k++)
        loose = loose || !(f->level[k] < claim(o, f->projected, k));
    return loose;
}

static void run_cell(table *t, const mechanism *m, const char *name, const char *formulation,
                     bool adaptive)
{
    dae_options o = dae_options_default();
    zoo_moved found = {.status = DAE_OK};
    char mark = ' ';
    o.method = name;
    o.formulation = formulation;
    (adaptive ? adapt : keep_constant)(m, &o, &found, &mark);
    bool success = found.status == DAE_OK;
    t->cells++;
    t->wrong += mark == '!', t->unjudged += success && mark == '~';
    if (t->formulation && found.begun && !success) printf("%s\n", found.message);
    if (is_loose(&found, &o)) t->loose++, mark = mark == '!' ? '!' : '#';
    print_cell(t, m, &o, &found, mark);
}

/* --- tables --- */

static bool adapts(const char *name)
{
    message discarded = {.status = DAE_OK};
    method *made = NULL;
    bool found = method_create(&made, name, &discarded) == DAE_OK && method_is_adaptive(made);
    method_free(made);
    message_free(&discarded);
    return found;
}

/* Which of the rows of a family, and of the mechanisms, a formulation has beside the others: one of
 * DRAWS_OF draws has one. */
static size_t drawn(method_family family, size_t formulation)
{
    uint32_t x = SEED +
                 2654435761u * ((uint32_t)family * MOST_FORMULATIONS + (uint32_t)formulation);
    for (int i = 0; i < 2; i++) x = (x ^ x >> 16) * 0x45d9f3bu;
    return x ^ x >> 16;
}

static bool is_drawn(size_t row, size_t formulation, const mechanism *m)
{
    method_family family = method_row_at(row)->family;
    size_t before = 0, all = 0, draw = drawn(family, formulation);
    for (size_t i = 0; method_row_at(i); i++) {
        if (method_row_at(i)->family != family) continue;
        before += i < row;
        all++;
    }
    return draw % all == before && draw / all % (DRAWS_OF * MECHANISMS) == (size_t)(m - mechanisms);
}

static bool is_left_out(const table *t, size_t row, size_t formulation, const mechanism *m)
{
    static const char *const always[] = {"auto", "radau-iia3", "dop853", "bdf",
                                         "generalized-alpha"};
    const method_row *r = row == NO_ROW ? NULL : method_row_at(row);
    if (!t->brief) return false;
    for (size_t k = 0; k < sizeof always / sizeof *always; k++)
        if (strcmp(r ? r->name : "auto", always[k]) == 0)
            return m->system != &zoo_pendulum && ((m->stiff && strcmp(always[k], "dop853") == 0) ||
                                                  (k + formulation + (size_t)(m - mechanisms)) % 5);
    bool first = row == 0 || method_row_at(row - 1)->family != r->family;
    return !(m->system == &zoo_pendulum && first) && !is_drawn(row, formulation, m);
}

/* `row` of the catalogue; NO_ROW: the choice among all. */
static void run_method(table *t, const mechanism *m, const char *name, size_t row)
{
    bool adaptive = row == NO_ROW || adapts(name), begun = false;
    for (size_t k = 0; t->formulations[k]; k++) {
        if (t->formulation && strcmp(t->formulation, t->formulations[k]) != 0) continue;
        bool left_out = is_left_out(t, row, k, m);
        t->left_out += left_out;
        t->pending += left_out && !begun;
        if (left_out && !begun) continue;
        if (!begun) printf("%-24s %-8s", name, adaptive ? "adaptive" : "constant");
        for (begun = true; t->pending > 0; t->pending--) printf(" %-15s", "-");
        if (left_out)
            printf(" %-15s", "-");
        else
            run_cell(t, m, name, t->formulations[k], adaptive);
    }
    t->pending = 0;
    if (begun) printf("\n");
}

static void run_mechanism(table *t, const mechanism *m)
{
    printf("\n%s, to %g s\n%-33s", m->system->form.about.name,
           zoo_known_time(m->system, m->row, m->of_exact), "method");
    for (int k = 0; t->formulations[k]; k++)
        if (!t->formulation || strcmp(t->formulation, t->formulations[k]) == 0)
            printf(" %-15.15s", t->formulations[k]);
    printf("\n");
    if (!t->method || strcmp(t->method, "auto") == 0) run_method(t, m, "auto", NO_ROW);
    for (size_t i = 0; method_row_at(i); i++) {
        const char *name = method_row_at(i)->name;
        if (!t->method || strcmp(t->method, name) == 0) run_method(t, m, name, i);
    }
}

/* Those of the formulations, and the one that structural methods have of their own. */
static void list_formulations(table *t)
{
    int count = 0;
    for (size_t i = 0; mechanical_formulation_at(i) && count < MOST_FORMULATIONS - 2; i++)
        t->formulations[count++] = mechanical_formulation_at(i)->name;
    t->formulations[count++] = "tangent";
}

int main(int count, char **argument)
{
    static table t;
    t.brief = count > 1 && strcmp(argument[1], "--short") == 0;
    argument += t.brief, count -= t.brief;
    if (count > 1) t.mechanism = argument[1];
    if (count > 2) t.method = argument[2];
    if (count > 3) t.formulation = argument[3];
    list_formulations(&t);
    for (int k = 0; k < MECHANISMS; k++)
        if (!t.mechanism || strcmp(t.mechanism, mechanisms[k].system->form.about.name) == 0)
            run_mechanism(&t, &mechanisms[k]);
    printf("\nreasons\n");
    for (int k = 0; k < t.sayings; k++) printf("(%d) %s\n", k + 1, t.saying[k]);
    printf("\ncells: %d, refused: %d, ended where theory promises nothing: %d, not judged: %d, "
           "left out: %d\n"
           "wrong: %d, constraints not met as claimed: %d, ended before their time: %d\n",
           t.cells, t.refused, t.unpromised, t.unjudged, t.left_out, t.wrong, t.loose, t.failed);
    return t.cells == 0 || t.wrong > 0 || t.loose > 0 || t.failed > 0;
}
