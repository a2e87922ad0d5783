#include "stepping/history.h"

#include "base/round_off.h"
#include "linalg/rows.h"

#include <math.h>
#include <string.h>

/* In x = s + 1, which is 0 at the beginning of the step: (1/j!) (x - 1) x (x + 1) ... (x + j - 2).
 */
static void expand(double power[HISTORY_ROWS][HISTORY_ROWS])
{
    double term[HISTORY_ROWS + 1] = {1};
    for (int j = 0; j < HISTORY_ROWS; j++) {
        for (int i = 0; i <= j; i++) power[i][j] = term[i];
        for (int i = j + 1; i > 0; i--) term[i] = (term[i - 1] + (j - 1) * term[i]) / (j + 1);
        term[0] *= (j - 1.0) / (j + 1);
    }
}

void history_carve(history *p, workspace *space, size_t n, int most)
{
    p->n = n;
    p->most = most;
    p->difference = workspace_doubles(space, n * (size_t)(most + 3));
    expand(p->power);
}

void history_start(history *p, double t, double h, const double *y, const double *yp)
{
    p->t = t;
    p->h = h;
    p->known = 1;
    memset(p->difference, 0, (size_t)(p->most + 3) * p->n * sizeof *p->difference);
    memcpy(p->difference, y, p->n * sizeof *y);
    for (size_t k = 0; k < p->n; k++) history_row(p, 1)[k] = h * yp[k];
}

/* The values (1/j!) s (s + 1) ... (s + j - 1), j = 0 ... order, and their derivatives by s. */
static void rising(int order, double s, double *value, double *derivative)
{
    value[0] = 1;
    derivative[0] = 0;
    for (int j = 1; j <= order; j++) {
        double inverse = 1.0 / j;
        value[j] = value[j - 1] * (s + j - 1) * inverse;
        derivative[j] = (derivative[j - 1] * (s + j - 1) + value[j - 1]) * inverse;
    }
}

/* weight[i][j]: the contribution of the old nabla^j to the new nabla^i, i, j = 1 ... order. The
 * points at the new spacing are y(t_n - m r h), m = 0 ... order, and nabla^i = sum_m (-1)^m
 * binomial(i, m) times the m-th. */
static void weigh(int order, double ratio, double weight[HISTORY_ROWS][HISTORY_ROWS])
{
    double value[HISTORY_ROWS][HISTORY_ROWS], unused[HISTORY_ROWS];
    for (int m = 0; m <= order; m++) rising(order, -m * ratio, value[m], unused);
    for (int i = 1; i <= order; i++) {
        double binomial = 1;
        for (int j = 1; j <= order; j++) weight[i][j] = 0;
        for (int m = 0; m <= i; m++) {
            for (int j = 1; j <= order; j++) weight[i][j] += binomial * value[m][j];
            binomial *= -(double)(i - m) / (m + 1);
        }
    }
}

bool history_respace(history *p, int order, double h)
{
    double weight[HISTORY_ROWS][HISTORY_ROWS], ratio = h / p->h;
    if (ratio == 1) return false;
    weigh(order, ratio, weight);
    for (int i = 1; i <= order; i++)
        rows_combine(p->n, NULL, order - i + 1, &weight[i][i], 1, history_row(p, i),
                     history_row(p, i));
    double power = pow(ratio, order);
    for (int j = order + 1; j <= p->known; j++) {
        power *= ratio;
        for (size_t k = 0; k < p->n; k++) history_row(p, j)[k] *= power;
    }
    p->h = h;
    return fabs(ratio - 1) > ROUND_OFF_AMPLIFIED;
}

void history_evaluate(const history *p, int order, double s, double *y, double *yp)
{
    double value[HISTORY_ROWS], derivative[HISTORY_ROWS];
    rising(order, s, value, derivative);
    if (y) rows_combine(p->n, history_row(p, 0), order, value + 1, 1, history_row(p, 1), y);
    if (yp) rows_combine(p->n, NULL, order, derivative + 1, 1 / p->h, history_row(p, 1), yp);
}

void history_advance(history *p, int order, const double *change)
{
    double *above = history_row(p, order + 2), *next = history_row(p, order + 1);
    for (size_t k = 0; k < p->n; k++) {
        above[k] = change[k] - next[k];
        next[k] = change[k];
    }
    for (int j = order; j >= 0; j--)
        for (size_t k = 0; k < p->n; k++) history_row(p, j)[k] += history_row(p, j + 1)[k];
    p->t += p->h;
    p->known = p->known < order + 2 ? p->known + 1 : order + 2;
}

void history_move_newest(history *p, const double *change)
{
    for (int j = 0; j <= p->known; j++)
        for (size_t k = 0; k < p->n; k++) history_row(p, j)[k] += change[k];
}

/* Rows become sum_i (-1)^i binomial(j, i) row i. This turns points into differences, and
 * differences into the points y(t_n - j h). */
static void turn(history *p)
{
    double binomial[HISTORY_ROWS][HISTORY_ROWS] = {{0}};
    for (int j = 0; j <= p->known; j++) {
        binomial[j][0] = 1;
        for (int i = 1; i <= j; i++) binomial[j][i] = binomial[j - 1][i] + binomial[j - 1][i - 1];
    }
    for (int j = p->known; j > 0; j--) /* the old values of higher rows are not needed any more */
        for (size_t k = 0; k < p->n; k++) {
            double sum = 0;
            for (int i = 0; i <= j; i++)
                sum += (i % 2 ? -1 : 1) * binomial[j][i] * history_row(p, i)[k];
            history_row(p, j)[k] = sum;
        }
}

void history_take(history *p, double t, double h, int last)
{
    size_t others = (size_t)(p->most + 2 - last) * p->n;
    p->t = t;
    p->h = h;
    p->known = last;
    turn(p);
    memset(history_row(p, last + 1), 0, others * sizeof *p->difference);
}

dae_status history_carry(history *p, point_map map, void *self)
{
    dae_status status = DAE_OK;
    turn(p);
    for (int j = 0; status == DAE_OK && j <= p->known; j++)
        status = map(self, p->t - j * p->h, history_row(p, j));
    turn(p);
    return status;
}

void history_interpolate(const history *p, int order, dense_output *d)
{
    d->t = p->t - p->h;
    d->h = p->h;
    d->degree = order;
    for (int i = 0; i <= order; i++)
        rows_combine(p->n, NULL, order + 1 - i, &p->power[i][i], 1, history_row(p, i),
                     d->coefficient + (size_t)i * p->n);
}

void history_state(history *p, state_visit *s)
{
    STATE_MEMBERS(s, history, p, t, difference);
    state_doubles(s, p->difference, (size_t)(p->most + 3) * p->n);
}
