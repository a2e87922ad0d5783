#include "zoo/mechanical_chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double G = 9.81;

static int weight(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v;
    const zoo_chain *c = user;
    memset(f, 0, 3 * c->links * sizeof *f);
    for (size_t i = 0; i < c->links; i++) f[3 * i + 1] = -G / (double)c->links;
    return 0;
}

/* The start of each rod less the end of the one before. */
static int pins(double t, const double *q, double *phi, void *user)
{
    (void)t;
    const zoo_chain *c = user;
    double half = 0.5 / (double)c->links, x = 0, y = 0;
    for (size_t i = 0; i < c->links; i++) {
        const double *rod = q + 3 * i;
        phi[2 * i] = rod[0] - half * sin(rod[2]) - x;
        phi[2 * i + 1] = rod[1] + half * cos(rod[2]) - y;
        x = rod[0] + half * sin(rod[2]);
        y = rod[1] - half * cos(rod[2]);
    }
    return 0;
}

/* By columns: x and y of a rod are in its pin and the next; so is its angle, in both rows. */
static int pins_q(double t, const double *q, double *dq, void *user)
{
    (void)t;
    const zoo_chain *c = user;
    double half = 0.5 / (double)c->links, *next = dq;
    for (size_t i = 0; i < c->links; i++) {
        double s = half * sin(q[3 * i + 2]), co = half * cos(q[3 * i + 2]);
        const double column[3][4] = {{1, 0, -1, 0}, {0, 1, 0, -1}, {-co, -s, -co, -s}};
        size_t most = i + 1 < c->links ? 4 : 2;
        for (int k = 0; k < 3; k++)
            for (size_t r = 0; r < most; r++)
                if (k == 2 || column[k][r] != 0) *next++ = column[k][r];
    }
    return 0;
}

static void make_pattern(zoo_chain *c)
{
    size_t entries = 0;
    for (size_t i = 0; i < c->links; i++) {
        size_t most = i + 1 < c->links ? 4 : 2;
        for (size_t k = 0; k < 3; k++) {
            for (size_t r = 0; r < most; r++)
                if (k == 2 || r % 2 == k) c->row[entries++] = 2 * i + r;
            c->start[3 * i + k + 1] = entries;
        }
    }
}

zoo_chain *zoo_chain_create(size_t links)
{
    zoo_chain *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    size_t n = 3 * links;
    c->links = links;
    c->mass = calloc(n, sizeof *c->mass);
    c->start = calloc(n + 1, sizeof *c->start);
    c->row = calloc(8 * links, sizeof *c->row);
    c->none = calloc(n + 1, sizeof *c->none);
    if (!c->mass || !c->start || !c->row || !c->none) {
        zoo_chain_free(c);
        return NULL;
    }
    double m = 1 / (double)links;
    for (size_t i = 0; i < n; i++) c->mass[i] = i % 3 == 2 ? m * m * m / 12 : m;
    make_pattern(c);
    const dae_pattern nothing = {.layout = DAE_SPARSE, .start = c->none, .row = c->row};
    c->form = (dae_mechanical_form){
        .nq = n,
        .holonomic = 2 * links,
        .constant_mass = c->mass,
        .mass_pattern.layout = DAE_BANDED,
        .force = weight,
        .force_q_pattern = nothing,
        .force_v_pattern = nothing,
        .constraint = pins,
        .constraint_q = pins_q,
        .constraint_pattern = {.layout = DAE_SPARSE, .start = c->start, .row = c->row},
        .about = {.name = "chain", .user = c}};
    return c;
}

void zoo_chain_start(const zoo_chain *c, double *q, double *v)
{
    double half = 0.5 / (double)c->links, x = 0, y = 0;
    for (size_t i = 0; i < c->links; i++) {
        double part = ((double)i + 0.5) / (double)c->links, angle = part * part;
        q[3 * i] = x + half * sin(angle);
        q[3 * i + 1] = y - half * cos(angle);
        q[3 * i + 2] = angle;
        x += 2 * half * sin(angle);
        y -= 2 * half * cos(angle);
    }
    memset(v, 0, 3 * c->links * sizeof *v);
}

void zoo_chain_free(zoo_chain *c)
{
    if (!c) return;
    free(c->mass);
    free(c->start);
    free(c->row);
    free(c->none);
    free(c);
}
