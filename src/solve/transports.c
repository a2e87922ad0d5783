#include "solve/transports.h"

#include "base/round_off.h"
#include "solve/transported.h"
#include "symbolic/traced.h"

#include <math.h>
#include <stdlib.h>

/* The content of one transport: the delays carrier - 2 (at the right), carrier - 1 (at the left),
 * carrier. */
typedef struct transport {
    uint64_t leftmost, rightmost; /* pieces */
    bool to_right;
    double backward; /* how far x has moved against the direction since it last moved along it */
    double safe;     /* from when on the past is needed for what has not left before the last step
                      */
} transport;

struct transports {
    const sym_system *system;
    const past *past;
    size_t count;     /* transports */
    size_t *carrier;  /* count: delays */
    size_t *of_delay; /* delays: its transport */
    transport *at;    /* count */
    uint64_t first;   /* number of the oldest piece that is kept */
    size_t pieces, capacity;
    transported_piece *piece; /* ring of capacity */
    uint64_t events;
    bool keeps_all;
};

static transported_piece *piece_of(const transports *t, uint64_t number)
{
    return &t->piece[number % t->capacity];
}

static double near(double label)
{
    return ROUND_OFF_SUM * (1 + fabs(label));
}

transports *transports_create(const sym_system *system, const past *kept, bool keeps_all)
{
    arena *a = system->memory;
    size_t delays = system->delay.count, count = 0;
    for (size_t k = 0; k < delays; k++) count += system->delay.item[k].kind == SYM_CARRIER;
    if (count == 0) return NULL;
    transports *t = arena_take(a, sizeof *t);
    *t = (transports){.system = system, .past = kept, .keeps_all = keeps_all};
    t->carrier = arena_array(a, count, sizeof *t->carrier);
    t->at = arena_array(a, count, sizeof *t->at);
    t->of_delay = arena_array(a, delays, sizeof *t->of_delay);
    for (size_t k = 0; k < delays; k++) {
        if (system->delay.item[k].kind != SYM_CARRIER) continue;
        t->of_delay[k] = t->of_delay[k - 1] = t->of_delay[k - 2] = t->count;
        t->carrier[t->count++] = k;
    }
    return t;
}

/* --- pieces --- */

static dae_status grow(transports *t, size_t capacity)
{
    transports wide = *t;
    wide.capacity = capacity;
    wide.piece = calloc(capacity, sizeof *wide.piece);
    if (!wide.piece) return DAE_NO_MEMORY;
    for (uint64_t i = t->first; i < t->first + t->pieces; i++)
        *piece_of(&wide, i) = *piece_of(t, i);
    free(t->piece);
    *t = wide;
    return DAE_OK;
}

/* Pieces that have left are still read where rows before the last event are evaluated. */
static void drop_old(transports *t)
{
    enum { KEPT = 2 }; /* events */
    while (!t->keeps_all && t->pieces > 0 && piece_of(t, t->first)->left &&
           piece_of(t, t->first)->left_at + KEPT < t->events) {
        t->first++;
        t->pieces--;
    }
}

/* Adds a piece at an end of transport i, where it may be the first one. */
static dae_status add(transports *t, size_t i, transported_piece p, bool at_right)
{
    enum { FIRST_CAPACITY = 16 };
    transport *at = &t->at[i];
    if (t->pieces == t->capacity) {
        dae_status status = grow(t, t->capacity ? 2 * t->capacity : FIRST_CAPACITY);
        if (status != DAE_OK) return status;
    }
    uint64_t number = t->first + t->pieces++;
    p.at_left = at_right ? at->rightmost : TRANSPORTED_NONE;
    p.at_right = at_right ? TRANSPORTED_NONE : at->leftmost;
    *piece_of(t, number) = p;
    if (p.at_left != TRANSPORTED_NONE) piece_of(t, p.at_left)->at_right = number;
    if (p.at_right != TRANSPORTED_NONE) piece_of(t, p.at_right)->at_left = number;
    if (at_right || at->rightmost == TRANSPORTED_NONE) at->rightmost = number;
    if (!at_right || at->leftmost == TRANSPORTED_NONE) at->leftmost = number;
    return DAE_OK;
}

/* Takes the piece at an end away, unless it is the only one. */
static bool leave(transports *t, size_t i, bool at_right)
{
    transport *at = &t->at[i];
    transported_piece *p = piece_of(t, at_right ? at->rightmost : at->leftmost);
    uint64_t next = at_right ? p->at_left : p->at_right;
    if (next == TRANSPORTED_NONE) return false;
    p->left = true;
    p->left_at = t->events;
    if (at_right) {
        at->rightmost = next;
        piece_of(t, next)->at_right = TRANSPORTED_NONE;
    } else {
        at->leftmost = next;
        piece_of(t, next)->at_left = TRANSPORTED_NONE;
    }
    return true;
}

static void look_through(const transports *t, size_t i, past_window *window)
{
    window[t->carrier[i] - 2] = (past_window){t->at[i].rightmost, PAST_OPEN};
    window[t->carrier[i] - 1] = (past_window){t->at[i].leftmost, PAST_OPEN};
    window[t->carrier[i]] = (past_window){0, 0};
}

/* --- start --- */

static double number(const sym_graph *g, sym node)
{
    double value = (double)NAN;
    sym_number_of(g, node, &value);
    return sym_value(g, value);
}

static bool are_same(double a, double b)
{
    return fabs(a - b) <= ROUND_OFF_AMPLIFIED * (fabs(a) + fabs(b));
}

static dae_status add_initial(transports *t, size_t i, double x)
{
    const sym_system *system = t->system;
    const sym_delay *d = &system->delay.item[t->carrier[i]];
    const sym_content *c = &system->content.item[d->first_point];
    dae_status status = DAE_OK;
    double level_before = PAST_SMOOTH;
    for (size_t k = 0; k + 1 < d->points && status == DAE_OK; k++) {
        double from = number(system->graph, c[k].at), to = number(system->graph, c[k + 1].at);
        if (from == to) level_before = 0;
        if (from == to) continue;
        status = add(t, i,
                     (transported_piece){.written = TRANSPORTED_INITIAL,
                                         .from = from - x,
                                         .to = to - x,
                                         .value_from = number(system->graph, c[k].value),
                                         .value_to = number(system->graph, c[k + 1].value),
                                         .since = HUGE_VAL,
                                         .level_from = (unsigned char)level_before},
                     true);
        level_before = 1;
    }
    return status;
}

/* The order of the lowest derivative that jumps between two neighbours stands at the right one. */
static unsigned char level_between(const transports *t, uint64_t left)
{
    uint64_t right = piece_of(t, left)->at_right;
    return right == TRANSPORTED_NONE ? PAST_SMOOTH : piece_of(t, right)->level_from;
}

/* From now on content is written at the end at which the flow enters, whose input now is `value`
 * there. */
static dae_status open_piece(transports *t, size_t i, double x, unsigned char level)
{
    transport *at = &t->at[i];
    uint64_t next = t->past->first + t->past->count;
    transported_piece p = {.written = at->to_right ? TRANSPORTED_AT_LEFT : TRANSPORTED_AT_RIGHT,
                           .first = next,
                           .last = PAST_OPEN,
                           .since = past_end(t->past),
                           .from = at->to_right ? -x : 1 - x,
                           .to = at->to_right ? -x : 1 - x,
                           .level_from = level};
    if (at->to_right) piece_of(t, at->leftmost)->level_from = level;
    if (at->to_right) p.level_from = PAST_SMOOTH;
    return add(t, i, p, !at->to_right);
}

dae_status transports_begin(transports *t, const double *value, const double *lag,
                            past_window *window)
{
    dae_status status = DAE_OK;
    t->first = t->pieces = 0;
    t->events = 0;
    for (size_t i = 0; i < t->count && status == DAE_OK; i++) {
        size_t k = t->carrier[i];
        t->at[i] = (transport){.leftmost = TRANSPORTED_NONE,
                               .rightmost = TRANSPORTED_NONE,
                               .to_right = lag[k] > 0,
                               .safe = past_end(t->past)};
        status = add_initial(t, i, value[k]);
        if (status != DAE_OK) break;
        bool right = !t->at[i].to_right;
        const transported_piece *p = piece_of(t, right ? t->at[i].rightmost : t->at[i].leftmost);
        bool joins = are_same(right ? p->value_to : p->value_from, value[right ? k - 1 : k - 2]);
        status = open_piece(t, i, value[k], joins ? 1 : 0);
        look_through(t, i, window);
    }
    return status;
}

/* --- reading --- */

static transported_end end_of(const transports *t, size_t k)
{
    bool right = t->system->delay.item[k].kind == SYM_LEAVES_RIGHT;
    return right ? TRANSPORTED_AT_RIGHT : TRANSPORTED_AT_LEFT;
}

double transports_value(const transports *t, uint32_t k, const past_window *w, uint32_t order,
                        double label, double *reached)
{
    size_t carrier = t->carrier[t->of_delay[k]];
    return transported_value(t->past, piece_of(t, w->first), carrier, order, label, reached);
}

double transports_root(const transports *t, size_t k, const past_window *w, double label)
{
    const transported_piece *p = piece_of(t, w->first);
    bool right = end_of(t, k) == TRANSPORTED_AT_RIGHT;
    if (right != t->at[t->of_delay[k]].to_right) return 1; /* the flow enters there */
    if (p->last == PAST_OPEN && p->written != TRANSPORTED_INITIAL) return 1;
    return (right ? label - p->from : p->to - label) + near(label);
}

unsigned char transports_follow(transports *t, size_t k, past_window *w, double label, bool crossed)
{
    size_t i = t->of_delay[k];
    bool right = end_of(t, k) == TRANSPORTED_AT_RIGHT;
    unsigned char lowest = PAST_SMOOTH;
    if (right != t->at[i].to_right) return lowest;
    for (;;) {
        uint64_t number = right ? t->at[i].rightmost : t->at[i].leftmost;
        const transported_piece *p = piece_of(t, number);
        bool open = p->last == PAST_OPEN && p->written != TRANSPORTED_INITIAL;
        bool gone = right ? label <= p->from + near(label) : label >= p->to - near(label);
        if (open || !(gone || crossed)) break;
        unsigned char level = right ? p->level_from : level_between(t, number);
        if (!leave(t, i, right)) break;
        if (level < lowest) lowest = level;
        crossed = false;
    }
    w->first = right ? t->at[i].rightmost : t->at[i].leftmost;
    return lowest;
}

/* --- events --- */

/* What is being written ends with the past. It is nothing where x has not moved. */
static void close_piece(transports *t, size_t i, double x, unsigned char *level)
{
    transport *at = &t->at[i];
    transported_piece *p = piece_of(t, at->to_right ? at->leftmost : at->rightmost);
    p->last = t->past->first + t->past->count - 1;
    transported_clip(p, at->to_right ? TRANSPORTED_AT_LEFT : TRANSPORTED_AT_RIGHT, x);
    if (p->last >= p->first && p->to - p->from > near(x)) return;
    unsigned char was = at->to_right ? level_between(t, at->leftmost) : p->level_from;
    if (leave(t, i, !at->to_right) && was < *level) *level = was;
}

/* Where the flow turns, the end at which it left has what is left there. */
static void turn(transports *t, size_t i, double x, bool to_right)
{
    transport *at = &t->at[i];
    transported_piece *p = piece_of(t, to_right ? at->leftmost : at->rightmost);
    transported_clip(p, to_right ? TRANSPORTED_AT_LEFT : TRANSPORTED_AT_RIGHT, x);
    if (p->to - p->from <= near(x)) leave(t, i, !to_right);
    at->to_right = to_right;
    at->backward = 0;
}

dae_status transports_mark(transports *t, const double *value, const double *lag,
                           const unsigned char *level, past_window *window)
{
    dae_status status = DAE_OK;
    t->events++;
    for (size_t i = 0; i < t->count && status == DAE_OK; i++) {
        size_t k = t->carrier[i];
        bool to_right = lag[k] > 0, turns = to_right != t->at[i].to_right;
        size_t in = t->at[i].to_right ? k - 2 : k - 1;
        unsigned char lowest = level[in] < level[k] ? level[in] : level[k];
        if (!turns && lowest == PAST_SMOOTH) continue;
        close_piece(t, i, value[k], &lowest);
        if (turns) turn(t, i, value[k], to_right);
        status = open_piece(t, i, value[k], turns ? 0 : lowest);
        look_through(t, i, window);
    }
    drop_old(t);
    return status;
}

/* --- steps --- */

/* From the past at a time; it may have been added in several segments. */
static double x_at(const transports *t, size_t i, double time)
{
    const past_window all = {t->past->first, PAST_OPEN};
    return past_value(t->past, t->carrier[i], &all, 0, time);
}

/* From when on the past is needed for what has not left at x. */
static double oldest(const transports *t, size_t i, double x)
{
    const transport *at = &t->at[i];
    double oldest = HUGE_VAL;
    for (uint64_t n = at->leftmost; n != TRANSPORTED_NONE; n = piece_of(t, n)->at_right)
        oldest = fmin(oldest, piece_of(t, n)->since);
    transported_piece *p = piece_of(t, at->to_right ? at->rightmost : at->leftmost);
    bool oldest_first = at->to_right ? p->written == TRANSPORTED_AT_LEFT
                                     : p->written == TRANSPORTED_AT_RIGHT;
    if (!oldest_first || p->first >= t->past->first + t->past->count) return oldest;
    double when = transported_time(t->past, p, t->carrier[i], at->to_right ? 1 - x : -x);
    p->since = fmax(p->since, fmin(when, past_end(t->past)));
    return oldest;
}

double transports_add(transports *t, double begin)
{
    double from = begin;
    for (size_t i = 0; i < t->count; i++) {
        transport *at = &t->at[i];
        double x = x_at(t, i, begin), moved = x_at(t, i, past_end(t->past)) - x;
        if (!at->to_right) moved = -moved;
        at->backward = moved < 0 ? at->backward - moved : 0;
        from = fmin(from, at->safe);
        at->safe = fmin(begin, oldest(t, i, x));
    }
    return from;
}

/* What x follows from has errors of the size of the tolerance: so much it may move backward. */
static const double BACKWARD = 1e-3;

const sym_delay *transports_find_backward(const transports *t, double *by)
{
    for (size_t i = 0; i < t->count; i++) {
        *by = t->at[i].backward;
        if (*by > BACKWARD) return &t->system->delay.item[t->carrier[i]];
    }
    return NULL;
}

/* x is a length in parts of the way: less than this changes nothing. */
static const double JUMP = 1e-6;

const sym_delay *transports_find_jump(const transports *t, const double *before,
                                      const double *after)
{
    for (size_t i = 0; i < t->count; i++) {
        size_t k = t->carrier[i];
        if (fabs(after[k] - before[k]) > JUMP + ROUND_OFF_AMPLIFIED * fabs(after[k]))
            return &t->system->delay.item[k];
    }
    return NULL;
}

bool transports_reads_open(const transports *t, size_t k, past_window *w)
{
    const transport *at = &t->at[t->of_delay[k]];
    const transported_piece *p = piece_of(t, at->leftmost);
    *w = (past_window){p->first, PAST_OPEN};
    return at->leftmost == at->rightmost && p->written != TRANSPORTED_INITIAL;
}

/* --- state --- */

void transports_state(transports *t, state_visit *s)
{
    size_t capacity = t->capacity;
    STATE(s, capacity);
    if (s->way == STATE_RESTORE && capacity > t->capacity) {
        dae_status status = grow(t, capacity);
        if (status != DAE_OK) {
            state_fail(s, status);
            return;
        }
    }
    STATE(s, t->first);
    STATE(s, t->pieces);
    STATE(s, t->events);
    for (uint64_t i = t->first; i < t->first + t->pieces; i++) STATE(s, *piece_of(t, i));
    state_bytes(s, t->at, t->count * sizeof *t->at);
}

void transports_free(transports *t)
{
    free(t->piece);
    t->piece = NULL;
    t->pieces = t->capacity = 0;
}
