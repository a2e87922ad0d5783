#include "stepping/round_off.h"

#include <math.h>

/* A step is short below the first part of the longest step. Above the second part it is not short
 * any more. */
static const double SHORT = 1e-4, RECOVERED = 0.1;

/* A trial is LONGER times as long. A trial that is cut to less than TELLS times by the end of an
 * interval tells nothing. */
static const double LONGER = 8, TELLS = 4;

/* A trial is made if the error of the method would exceed its limit by this factor. */
static const double SURELY = 10;

/* Exponent of the rise of the error: between 1, round-off, and 2, the method. */
static const double EXPONENT = 1.5;

/* Round-off scatters, so one trial says little. A trial that shows the opposite counts more. */
enum { STEPS_BETWEEN = 10, CONTRARY = 2, ENOUGH = 10 };

/* For looks back: one that shows round-off counts as much as WEIGHT that do not, and a surplus of
 * ENOUGH_BEHIND is enough. On the problems of tests/zoo at tolerances of 1e-12 and 1e-13, runs that
 * succeed reach 63 at most, those that fail reach thousands. */
enum { WEIGHT = 20, ENOUGH_BEHIND = 100 };

/* Below this error, a step of order 1 can grow. */
static const double HOLDS_BACK = 0.01;

static void learn(round_off_watch *r, double h, double error)
{
    double rise = h / r->before;
    if (rise < TELLS) return;
    if (error < r->error * pow(rise, EXPONENT)) {
        r->seen++;
        return;
    }
    r->seen = r->seen > CONTRARY ? r->seen - CONTRARY : 0;
    if (r->seen == 0) r->longest = r->before;
}

double round_off_follow(round_off_watch *r, double h, double error, int order, double least,
                        bool cut)
{
    bool tried = r->before > 0;
    if (tried) learn(r, h, error);
    r->before = 0;
    if (tried) r->wait = STEPS_BETWEEN;
    if (error >= 1) return 0;
    r->longest = fmax(r->longest, h);
    if (h > RECOVERED * r->longest && h >= least) r->seen = 0;
    bool again = tried && h < RECOVERED * r->longest;
    if (r->wait > 0) r->wait--;
    bool is_short = h < fmax(SHORT * r->longest, least);
    if (!again && (!is_short || r->wait > 0)) return 0;
    bool would_fail = error * pow(LONGER, order + 1) > SURELY;
    if (cut || !would_fail) return 0;
    r->before = h;
    r->error = error;
    return LONGER * h;
}

void round_off_look_back(round_off_watch *r, double second, double third)
{
    if (second > HOLDS_BACK && third >= second)
        r->behind += WEIGHT;
    else if (r->behind > 0)
        r->behind--;
}

bool round_off_rules(const round_off_watch *r)
{
    return r->seen >= ENOUGH || r->behind >= WEIGHT * ENOUGH_BEHIND;
}
