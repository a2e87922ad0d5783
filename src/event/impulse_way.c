#include "event/impulse_way.h"

#include "base/round_off.h"

#include <math.h>
#include <string.h>

void impulse_way_carve(impulse_way *w, workspace *space)
{
    workspace_vectors(space, w->size,
                      (double **[]){&w->begin, &w->end, &w->coarse, &w->point, &w->k[0], &w->k[1],
                                    &w->k[2], &w->k[3], NULL});
}

/* w->point = w->end + part * slope */
static void go(impulse_way *w, double part, const double *slope)
{
    for (size_t j = 0; j < w->size; j++) w->point[j] = w->end[j] + part * slope[j];
}

static dae_status run(impulse_way *w, int parts)
{
    double h = 1.0 / parts, **k = w->k;
    memcpy(w->end, w->begin, w->size * sizeof *w->end);
    for (int i = 0; i < parts; i++) {
        double x = i * h;
        dae_status status = w->slope(w->self, x, w->end, k[0]);
        go(w, h / 2, k[0]);
        if (status == DAE_OK) status = w->slope(w->self, x + h / 2, w->point, k[1]);
        go(w, h / 2, k[1]);
        if (status == DAE_OK) status = w->slope(w->self, x + h / 2, w->point, k[2]);
        go(w, h, k[2]);
        if (status == DAE_OK) status = w->slope(w->self, x + h, w->point, k[3]);
        if (status != DAE_OK) return status;
        for (size_t j = 0; j < w->size; j++)
            w->end[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
    return DAE_OK;
}

bool impulse_way_alike(const impulse_way *w, const double *a, const double *b, double part)
{
    double apart = 0, jump = 0, size = 0;
    for (size_t j = 0; j < w->levels->size; j++) {
        double unit = fmax(fabs(w->from[j]), w->levels->nominal[j]);
        apart = fmax(apart, fabs(a[j] - b[j]) / unit);
        jump = fmax(jump, fabs(a[j] - w->from[j]) / unit);
        size = fmax(size, fabs(a[j]) / unit);
    }
    return apart <= part * jump + ROUND_OFF_ITERATED * size;
}

dae_status impulse_way_follow(impulse_way *w, bool *found)
{
    *found = false;
    dae_status status = run(w, w->fewest);
    for (int parts = 2 * w->fewest; parts <= w->most && status == DAE_OK && !*found; parts *= 2) {
        memcpy(w->coarse, w->end, w->size * sizeof *w->coarse);
        status = run(w, parts);
        *found = status == DAE_OK &&
                 (w->constant || impulse_way_alike(w, w->end + w->at, w->coarse + w->at, w->exact));
    }
    return status;
}
