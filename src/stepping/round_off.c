#include "stepping/round_off.h"

#include <math.h>

/* A step is short below this part of the longest, and no longer above the second part. */
static const double SHORT = 1e-4, RECOVERED = 0.1;

/* How much longer a trial is; an interval's end that leaves less than this of it tells nothing. */
static const double LONGER = 8, TELLING = 4;

/* A trial is made where the error of the method would be this much beyond its limit. */
static const double SURELY = 10;

/* Between proportion and square. */
static const double EXPONENT = 1.5;

/* Round-off scatters: one trial says little. One that shows the opposite counts more. */
enum { STEPS_BETWEEN = 10, CONTRARY = 2, ENOUGH = 10 };

static void learn(round_off *r, double h, double error)
{
    double rise = h / r->before;
    if (rise < TELLING) return;
    if (error < r->error * pow(rise, EXPONENT)) {
        r->seen++;
        return;
    }
    r->seen = r->seen > CONTRARY ? r->seen - CONTRARY : 0;
    if (r->seen == 0) r->longest = r->before;
}

double round_off_follow(round_off *r, double h, double error, int order, bool cut)
{
    bool tried = r->before > 0;
    if (tried) learn(r, h, error);
    r->before = 0;
    if (tried) r->wait = STEPS_BETWEEN;
    if (error >= 1) return 0;
    r->longest = fmax(r->longest, h);
    if (h > RECOVERED * r->longest) r->seen = 0;
    bool again = tried && h < RECOVERED * r->longest;
    if (r->wait > 0) r->wait--;
    if (!again && (h >= SHORT * r->longest || r->wait > 0)) return 0;
    bool would_fail = error * pow(LONGER, order + 1) > SURELY;
    if (cut || !would_fail) return 0;
    r->before = h;
    r->error = error;
    return LONGER * h;
}

bool round_off_rules(const round_off *r)
{
    return r->seen >= ENOUGH;
}
