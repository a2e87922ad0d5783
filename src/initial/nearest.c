/* Roots nearer to the guesses than those that a search has ended at.
 *
 * Where the derivative is small, one of Newton's corrections leads past roots that are nearer. A
 * row with one unknown entry has no other roots than those of a function of one variable, so that
 * these can be looked for: in shells around the guess, whose width grows with their distance, up to
 * the root that is known. A root lies where the row changes its sign, or where it comes near to 0
 * between two points and does so there. */
#include "initial/search.h"

#include "base/round_off.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shells at each side, the ratio of their distances, and the part of the way to the known root that
 * is looked at, so that this is not found again. */
enum { SHELLS = 64, POINTS = 2 * SHELLS + 1 };
static const double RATIO = 1.12, UP_TO = 0.999;

/* A point between others is looked at if the parabola through them comes below this part of it. */
static const double DIPS = 0.5;

/* Evaluations of a dip and of a bracket; the part of the value beside a root that is left there,
 * and not at a pole or a jump; and how often nearer roots than the last ones are looked for. */
enum { MOST_OF_DIP = 30, HALVINGS = 50, SEARCHES = 4 };
static const double LEFT = 1e-6;

/* Rows that are looked at together, and how often others follow from what is known then. */
enum { MOST_ROWS = 10000, MOST_ROUNDS = 50 };

static const double GOLDEN = 0.3819660112501051;

typedef enum phase { FINISHED, DIP, BRACKET } phase;

/* A row and its entry. The places of points count from the guess: -SHELLS to SHELLS. */
typedef struct single {
    size_t row, entry;
    sparse_index place;
    double guess, known, reach; /* the root known, and its distance */
    double *value;              /* POINTS: of the row, -SHELLS first */
    int shell, turn;            /* of the next place to be looked at: its distance, 0 to 2 */
    phase phase;
    double low, middle, high, of_low, of_middle; /* low: nearer to the guess */
    double next;                                 /* the point to be evaluated */
    int count;                                   /* of evaluations in this phase */
    double best;                                 /* root found */
    bool found;
} single;

typedef struct nearest {
    reduced_start *r;
    double *z;              /* size: guesses, and the values of known entries */
    const double *solution; /* size */
    bool *known;            /* size: entries */
    size_t *unknown, *sum;  /* rows: number of unknown entries, and sum of their indices */
    bool *used;             /* rows */
    single *one;            /* of this round */
    double *value;          /* MOST_ROWS x POINTS */
    size_t count;
} nearest;

static double distance_of(const single *o, int shell)
{
    return shell == 0 ? 0 : UP_TO * o->reach * pow(RATIO, shell - SHELLS);
}

static double point_of(const single *o, int place)
{
    return o->guess + copysign(distance_of(o, abs(place)), place);
}

static double value_of(const single *o, int place)
{
    return o->value[place + SHELLS];
}

/* Evaluates the rows at z; those without a value become NaN. */
static bool look(nearest *n)
{
    reduced_start *r = n->r;
    for (size_t i = 0; i < r->s->pattern->rows; i++) r->row_all[i] = (double)NAN;
    return start_system_value(r->s, r->t, n->z, r->row_all) != DAE_STOPPED;
}

static void count_unknown(nearest *n)
{
    const start_system *s = n->r->s;
    const sparse_pattern *p = s->pattern;
    for (size_t j = 0; j < s->size; j++) {
        n->known[j] = s->fixed[j];
        for (sparse_index k = p->start[j]; k < p->start[j + 1] && !n->known[j]; k++) {
            n->unknown[p->row[k]]++;
            n->sum[p->row[k]] += j;
        }
    }
}

/* Choose rows with one unknown entry, at most one for each entry. */
static void choose(nearest *n)
{
    const start_system *s = n->r->s;
    const sparse_pattern *p = s->pattern;
    n->count = 0;
    for (size_t i = 0; i < s->rows && n->count < MOST_ROWS; i++) {
        size_t j = n->sum[i];
        if (n->used[i] || n->unknown[i] != 1 || n->known[j]) continue;
        sparse_index k = p->start[j];
        while ((size_t)p->row[k] != i) k++;
        n->known[j] = n->used[i] = true;
        n->one[n->count] = (single){.row = i,
                                    .entry = j,
                                    .place = k,
                                    .guess = s->guess[j],
                                    .known = n->solution[j],
                                    .value = n->value + n->count * POINTS};
        n->count++;
    }
}

static bool changes_sign(double a, double b)
{
    return (a < 0 && b > 0) || (a > 0 && b < 0);
}

/* --- one row --- */

static void start_bracket(single *o, double low, double of_low, double high)
{
    o->phase = BRACKET;
    o->low = low, o->of_low = of_low, o->high = high;
    o->count = 0;
    o->next = low + 0.5 * (high - low);
}

/* The least value of the parabola through three points, over that of the middle one. */
static double least_part(const double x[3], const double f[3])
{
    double a = (f[0] - f[1]) / (x[0] - x[1]), b = (f[2] - f[1]) / (x[2] - x[1]);
    double bend = (b - a) / (x[2] - x[0]), slope = a + bend * (x[1] - x[0]);
    return bend != 0 ? 1 - slope * slope / (4 * bend * f[1]) : 1;
}

/* Whether the row comes near to 0 around the middle one of three neighbouring places. */
static bool start_dip(single *o, int low, int middle, int high)
{
    const double x[3] = {point_of(o, low), point_of(o, middle), point_of(o, high)},
                 f[3] = {value_of(o, low), value_of(o, middle), value_of(o, high)};
    bool is_least = fabs(f[1]) < fabs(f[0]) && fabs(f[1]) <= fabs(f[2]);
    if (!is_least || !(f[1] * f[0] > 0) || !(f[1] * f[2] > 0)) return false;
    if (!(least_part(x, f) < DIPS)) return false;
    o->phase = DIP;
    o->low = x[0], o->middle = x[1], o->high = x[2];
    o->of_low = f[0], o->of_middle = f[1];
    o->count = 0;
    o->next = o->middle + GOLDEN * (o->high - o->middle);
    return true;
}

/* Goes on to the next place at which a root may be, if there is one before that which is found. */
static void go_on(single *o)
{
    o->phase = FINISHED;
    while (o->phase == FINISHED && o->shell <= SHELLS) {
        int side = o->turn == 1 ? 1 : -1, shell = o->shell;
        if (o->found && distance_of(o, shell - 1) > fabs(o->best - o->guess)) return;
        if (o->turn == 0 && shell == 1) (void)start_dip(o, -1, 0, 1);
        if (o->turn > 0 && changes_sign(value_of(o, side * (shell - 1)), value_of(o, side * shell)))
            start_bracket(o, point_of(o, side * (shell - 1)), value_of(o, side * (shell - 1)),
                          point_of(o, side * shell));
        else if (o->turn > 0 && shell > 1)
            (void)start_dip(o, side * (shell - 2), side * (shell - 1), side * shell);
        if (++o->turn == 3) o->turn = 0, o->shell++;
    }
}

static void take_in_dip(single *o, double value)
{
    double x = o->next;
    if (changes_sign(value, o->of_low)) {
        start_bracket(o, o->low, o->of_low, x);
        return;
    }
    bool is_less = fabs(value)<fabs(o->of_middle), beyond = (x - o->middle) * (o->high - o->low)> 0;
    if (is_less) {
        *(beyond ? &o->low : &o->high) = o->middle;
        if (beyond) o->of_low = o->of_middle;
        o->middle = x, o->of_middle = value;
    } else {
        *(beyond ? &o->high : &o->low) = x;
        if (!beyond) o->of_low = value;
    }
    bool upper = fabs(o->high - o->middle) > fabs(o->middle - o->low);
    o->next = o->middle + GOLDEN * ((upper ? o->high : o->low) - o->middle);
    if (++o->count == MOST_OF_DIP || isnan(value)) go_on(o);
}

static void take_in_bracket(single *o, double value)
{
    *(changes_sign(value, o->of_low) || value == 0 ? &o->high : &o->low) = o->next;
    if (++o->count < HALVINGS) {
        o->next = o->low + 0.5 * (o->high - o->low);
        return;
    }
    bool is_root = fabs(value) <= LEFT * fabs(o->of_low);
    if (is_root && (!o->found || fabs(o->high - o->guess) < fabs(o->best - o->guess)))
        o->best = o->high, o->found = true;
    go_on(o);
}

/* --- all of a round --- */

/* Evaluates the rows at all places. */
static bool sample(nearest *n)
{
    for (int place = -SHELLS; place <= SHELLS; place++) {
        for (size_t k = 0; k < n->count; k++)
            if (n->one[k].reach > 0) n->z[n->one[k].entry] = point_of(&n->one[k], place);
        if (!look(n)) return false;
        for (size_t k = 0; k < n->count; k++)
            n->one[k].value[place + SHELLS] = n->r->row_all[n->one[k].row];
    }
    return true;
}

static bool refine(nearest *n)
{
    for (;;) {
        bool any = false;
        for (size_t k = 0; k < n->count; k++) {
            single *o = &n->one[k];
            if (o->phase == FINISHED) continue;
            n->z[o->entry] = o->next;
            any = true;
        }
        if (!any) return true;
        if (!look(n)) return false;
        for (size_t k = 0; k < n->count; k++) {
            single *o = &n->one[k];
            double value = n->r->row_all[o->row];
            if (o->phase == DIP)
                take_in_dip(o, value);
            else if (o->phase == BRACKET)
                take_in_bracket(o, value);
        }
    }
}

/* Looks for roots within the distance of those that are known. Returns whether any is found. */
static bool search(nearest *n)
{
    bool any = false;
    for (size_t k = 0; k < n->count; k++) any = any || n->one[k].reach > 0;
    if (!any || !sample(n)) return false;
    any = false;
    for (size_t k = 0; k < n->count; k++) {
        single *o = &n->one[k];
        o->shell = 1, o->turn = 0;
        o->phase = FINISHED;
        o->found = false;
        if (o->reach > 0) go_on(o);
    }
    if (!refine(n)) return false;
    for (size_t k = 0; k < n->count; k++) {
        single *o = &n->one[k];
        o->reach = o->found ? fabs(o->best - o->guess) : 0;
        if (o->found) o->known = o->best;
        any = any || o->found;
    }
    return any;
}

/* Whether the row's derivative by its entry at the guess is another one than at the known root. */
static bool find_slopes(nearest *n)
{
    reduced_start *r = n->r;
    for (size_t k = 0; k < n->count; k++) n->z[n->one[k].entry] = n->one[k].guess;
    if (start_system_jacobian(r->s, r->t, n->z, r->value_all) != DAE_OK) return false;
    for (size_t k = 0; k < n->count; k++) n->one[k].of_low = r->value_all[n->one[k].place];
    for (size_t k = 0; k < n->count; k++) n->z[n->one[k].entry] = n->one[k].known;
    if (start_system_jacobian(r->s, r->t, n->z, r->value_all) != DAE_OK || !look(n)) return false;
    for (size_t k = 0; k < n->count; k++) {
        single *o = &n->one[k];
        double slope = r->value_all[o->place], before = o->of_low, value = r->row_all[o->row];
        bool linear = fabs(slope - before) <= ROUND_OFF_AMPLIFIED * fabs(slope);
        double distance = fabs(o->known - o->guess), way = fabs(slope) * distance;
        if (linear && isfinite(value / slope)) o->known -= value / slope;
        /* where what it depends on has moved, it is not the root any more */
        bool is_root = fabs(value) <= LEFT * way;
        o->reach = !linear && is_root && r->s->given[o->entry] ? distance : 0;
        if (!linear && !is_root) o->known = (double)NAN;
    }
    return true;
}

/* Takes the values that are found, and leaves the others open. */
static void take_known(nearest *n)
{
    const sparse_pattern *p = n->r->s->pattern;
    for (size_t k = 0; k < n->count; k++) {
        const single *o = &n->one[k];
        if (!isfinite(o->known)) {
            n->z[o->entry] = o->guess;
            continue;
        }
        n->z[o->entry] = o->known;
        for (sparse_index e = p->start[o->entry]; e < p->start[o->entry + 1]; e++) {
            if ((size_t)p->row[e] == o->row) continue;
            n->unknown[p->row[e]]--;
            n->sum[p->row[e]] -= o->entry;
        }
    }
}

/* Whether a value that the author gave has moved and is not known yet. */
static bool has_moved(const nearest *n)
{
    const start_system *s = n->r->s;
    for (size_t j = 0; j < s->size; j++)
        if (s->given[j] && !n->known[j] && n->solution[j] != s->guess[j]) return true;
    return false;
}

static bool run(nearest *n)
{
    bool any = false;
    count_unknown(n);
    for (int round = 0; round < MOST_ROUNDS && has_moved(n); round++) {
        choose(n);
        if (n->count == 0) break;
        if (!find_slopes(n)) return false;
        for (int k = 0; k < SEARCHES && search(n); k++) any = true;
        take_known(n);
    }
    return any;
}

bool start_nearest(reduced_start *r, const double *solution, double *z)
{
    const start_system *s = r->s;
    size_t rows = s->pattern->rows, most = rows < MOST_ROWS ? rows : MOST_ROWS;
    nearest n = {.r = r, .z = z, .solution = solution};
    n.known = calloc(s->size + rows + 1, sizeof *n.known);
    n.unknown = calloc(2 * rows + 1, sizeof *n.unknown);
    n.one = calloc(most + 1, sizeof *n.one);
    n.value = calloc(most * POINTS + 1, sizeof *n.value);
    bool ready = n.known && n.unknown && n.one && n.value;
    if (ready) {
        n.used = n.known + s->size;
        n.sum = n.unknown + rows;
        memcpy(z, s->guess, s->size * sizeof *z);
    }
    bool any = ready && run(&n);
    free(n.known);
    free(n.unknown);
    free(n.one);
    free(n.value);
    return any;
}
