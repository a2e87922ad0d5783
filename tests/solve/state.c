/* The state of a solver: saved in the middle of a run and restored into another solver that was
 * started alike, it goes on bit for bit as the one that was saved. Each model of the corpus that
 * runs, by `auto` and by methods of each family, with and without formulations that are asked for.
 */
#include "integrate/bdf_parts.h"
#include "solve/solver.h"

#include "solve/models.h"
#include "zoo/move.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct run {
    char path[200];
    const char *text;          /* of a model, in place of a file */
    const zoo_mechanical *zoo; /* in place of a model */
    double begin, end;
    double half;      /* > 0: after the first step to this time, it is saved; else in the middle */
    double tolerance; /* 0: 1e-5 */
    const char *method, *formulation, *projection;
    double step; /* > 0: so many fixed steps */
} run;

static dae_solver *begin(const run *r)
{
    dae_options options = tolerance_of(r->tolerance > 0 ? r->tolerance : 1e-5);
    options.method = r->method;
    options.max_steps = r->zoo ? 20000 : 2000;
    options.keep_trajectory = true;
    if (r->formulation) options.formulation = r->formulation;
    if (r->projection) options.projection = r->projection;
    if (r->step > 0) options.step = (r->end - r->begin) / r->step;
    double y[3 * ZOO_MECHANICAL_MOST];
    dae_problem *p = r->zoo    ? dae_problem_mechanical(&r->zoo->form)
                     : r->text ? dae_problem_parse(r->path, r->text, strlen(r->text))
                               : dae_problem_read(r->path);
    dae_solver *s = dae_solver_create(p, &options);
    dae_problem_free(p);
    for (size_t j = 0; j < 3 * ZOO_MECHANICAL_MOST; j++) y[j] = (double)NAN;
    if (r->zoo) r->zoo->start(y, y + r->zoo->form.nq);
    if (s && dae_solver_start(s, r->begin, r->zoo ? y : NULL) == DAE_OK) return s;
    dae_solver_free(s);
    return NULL;
}

static dae_status visit(dae_solver *solver, state_way way, unsigned char *room, size_t *size)
{
    state_visit s = {.way = way, .at = room};
    solve_state(solver, &s);
    *size = s.size;
    return s.status;
}

static bool same_bits(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]))) return false;
    return true;
}

static void same_at(dae_solver *one, dae_solver *other, double t, const char *what)
{
    size_t n = one->simulation->n;
    double *a = calloc(4 * n + 1, sizeof *a), *b = a + n;
    ck_assert_ptr_nonnull(a);
    dae_status status = dae_solver_at(one, t, a, a + 2 * n);
    ck_assert_msg(status == dae_solver_at(other, t, b, a + 3 * n), "%s: statuses at %g", what, t);
    ck_assert_msg(status != DAE_OK || same_bits(a, b, n), "%s: values at %g", what, t);
    free(a);
}

static void same(dae_solver *one, dae_solver *other, const char *what)
{
    const dae_stats *a = dae_solver_stats(one), *b = dae_solver_stats(other);
    double t = dae_solver_time(one), was = one->t_start;
    ck_assert_msg(strcmp(a->status, b->status) == 0, "%s: %s, %s", what, a->message, b->message);
    ck_assert_msg(t == dae_solver_time(other), "%s: at %.17g and %.17g, %zu and %zu steps", what, t,
                  dae_solver_time(other), a->steps, b->steps);
    ck_assert_msg(strcmp(a->method, b->method) == 0, "%s: %s, %s", what, a->method, b->method);
    ck_assert_msg(a->steps == b->steps && a->rejected == b->rejected, "%s: %zu steps, %zu", what,
                  a->steps, b->steps);
    ck_assert_msg(a->newton_iterations == b->newton_iterations &&
                      a->factorizations == b->factorizations,
                  "%s: %zu factors, %zu", what, a->factorizations, b->factorizations);
    ck_assert_msg(a->chart_changes == b->chart_changes, "%s: %zu charts, %zu", what,
                  a->chart_changes, b->chart_changes);
    same_at(one, other, t, what);
    same_at(one, other, was + 0.3 * (t - was), what); /* of before it was saved */
}

typedef struct counts {
    size_t same, short_runs;
    size_t charts, near; /* formulations renewed, and crossings under way, where it was saved */
    size_t leading;      /* multistep methods whose starter led there */
} counts;

static dae_status run_half(dae_solver *s, const run *r)
{
    if (!(r->half > 0)) return dae_solver_run(s, r->begin + 0.5 * (r->end - r->begin));
    dae_status status = DAE_OK;
    while (status == DAE_OK && dae_solver_time(s) < r->half) status = dae_solver_step(s, r->end);
    return status;
}

static void goes_on_alike(const run *r, counts *found)
{
    char what[300];
    snprintf(what, sizeof what, "%s, %s, %s, %s", r->path, r->method,
             r->formulation ? r->formulation : "auto", r->projection ? r->projection : "auto");
    dae_solver *one = begin(r);
    if (!one) return;
    dae_solver *other = begin(r);
    ck_assert_msg(other, "%s", what);
    size_t size, saved, restored;
    if (run_half(one, r) != DAE_OK) {
        found->short_runs++;
        dae_solver_free(one);
        dae_solver_free(other);
        return;
    }
    dae_status counted = visit(one, STATE_COUNT, NULL, &size);
    ck_assert_msg(counted == DAE_OK, "%s", what);
    unsigned char *room = malloc(size);
    ck_assert_ptr_nonnull(room);
    ck_assert_msg(visit(one, STATE_SAVE, room, &saved) == DAE_OK, "%s", what);
    found->charts += dae_solver_stats(one)->chart_changes > 0;
    found->near += one->crossing.place == CROSSING_NEAR;
    bool starts = one->engine->starter.engine && !(r->step > 0);
    found->leading += starts && ((const bdf *)one->engine)->leads;
    ck_assert_msg(visit(other, STATE_RESTORE, room, &restored) == DAE_OK, "%s", what);
    ck_assert_msg(saved == size && restored == size, "%s: %zu, %zu, %zu bytes", what, size, saved,
                  restored);
    same(one, other, what);
    dae_status status = dae_solver_run(one, r->end);
    ck_assert_msg(dae_solver_run(other, r->end) == status, "%s: %s; %s", what,
                  dae_solver_message(one), dae_solver_message(other));
    same(one, other, what);
    found->same++;
    free(room);
    dae_solver_free(one);
    dae_solver_free(other);
}

/* Each model of the corpus, in such a run. */
static counts all_models(run r)
{
    json_error_t error;
    json_t *all = json_load_file("corpus/manifest.json", 0, &error), *entry;
    size_t i;
    counts found = {0};
    ck_assert_msg(all, "%s", error.text);
    json_array_foreach(all, i, entry)
    {
        snprintf(r.path, sizeof r.path, "corpus/%s",
                 json_string_value(json_object_get(entry, "file")));
        r.begin = json_number_value(json_object_get(entry, "tstart"));
        r.end = json_number_value(json_object_get(entry, "tstop"));
        if (r.end > r.begin) goes_on_alike(&r, &found);
    }
    json_decref(all);
    return found;
}

static const struct way {
    run run;
    size_t least; /* models that go on so */
} ways[] = {
    {{.method = "auto"}, 50},
    {{.method = "bdf"}, 40},
    {{.method = "mebdf"}, 40},
    {{.method = "radau"}, 40},
    {{.method = "radau-iia5", .projection = "none"}, 40},
    {{.method = "rodas5p"}, 30},
    {{.method = "dop853"}, 20},
    {{.method = "bdf2", .step = 50}, 20},
    {{.method = "radau-iia3", .formulation = "direct"}, 20},
    {{.method = "auto", .formulation = "ggl"}, 5},
    {{.method = "auto", .formulation = "baumgarte"}, 5},
    {{.method = "auto", .formulation = "nullspace-qr"}, 15},
    {{.method = "dop853", .formulation = "partition"}, 15},
    {{.method = "generalized-alpha", .formulation = "index3", .step = 50}, 3},
};

START_TEST(a_solver_goes_on_as_the_one_that_was_saved)
{
    const struct way *w = &ways[_i];
    if (!is_sampled(w->run.method, (size_t)_i, 5)) return;
    counts found = all_models(w->run);
    printf("%s, %s: %zu go on alike, %zu of them with renewed charts, %zu end before half of their "
           "time\n",
           w->run.method, w->run.formulation ? w->run.formulation : "auto", found.same,
           found.charts, found.short_runs);
    ck_assert_uint_ge(found.same, w->least);
}
END_TEST

/* Two solutions meet at 1. Just before, a run keeps the step that first passed there. */
static const char MEET[] = "model Meet Real x(start = 1), y; equation\n"
                           "  x^2 = (1 - time)^2; der(y) = x; end Meet;\n";

/* Two solutions come close to each other at 1. */
static const char CLOSE[] = "model Close Real x(start = 1), y; equation\n"
                            "  x^2 = (1 - time)^2 + 1e-8; der(y) = x; end Close;\n";

/* A pendulum that hits a wall, with friction and a counter of the hits. */
static const char WALL[] =
    "model Wall Real x(start = 0.8, fixed = true), y(start = -0.6), u(start = 0, fixed = true), "
    "v;\n"
    "  Real T; Integer n(start = 0, fixed = true);\n"
    "equation der(x) = u; der(y) = v; der(u) = -T*x + 0.2*sign(u*y - v*x)*y;\n"
    "  der(v) = -T*y - 9.81 - 0.2*sign(u*y - v*x)*x; x^2 + y^2 = 1;\n"
    "  when x < -0.3 then reinit(u, -0.7*pre(u)); reinit(v, -0.7*pre(v)); n = pre(n) + 1; end "
    "when;\n"
    "end Wall;";

#define BARS     .path = "bars", .zoo = &zoo_double_four_bar, .end = 3
#define PLATFORM .path = "platform", .zoo = &zoo_platform, .end = 3

static const run on_the_way[] = {
    {.path = "turns", .text = TURNS, .end = 8, .method = "auto"},
    {.path = "turns", .text = TURNS, .end = 8, .method = "bdf"},
    {.path = "turns", .text = TURNS, .end = 8, .method = "radau"},
    {.path = "turns", .text = TURNS, .end = 8, .method = "bdf2", .step = 400},
    {BARS, .method = "dop853", .formulation = "elimination", .tolerance = 1e-9},
    {BARS, .method = "radau", .formulation = "udwadia-kalaba", .tolerance = 1e-9},
    {BARS, .method = "radau", .formulation = "ggl"},
    {BARS, .method = "bdf", .formulation = "index1"},
    {BARS, .method = "newmark", .formulation = "index2", .step = 3000},
    {BARS, .method = "hht", .formulation = "index1"},
    {BARS, .half = 0.7145, .method = "newmark", .formulation = "index2", .step = 3000},
    {PLATFORM, .method = "dop853", .formulation = "elimination", .tolerance = 1e-9},
    {PLATFORM, .method = "newmark", .formulation = "index2", .step = 3000},
    {.path = "Andrews",
     .zoo = &zoo_andrews,
     .end = 0.03,
     .method = "dop853",
     .formulation = "nullspace-svd"},
    {.path = "meet", .text = MEET, .end = 2, .half = 0.99, .method = "auto"},
    {.path = "close", .text = CLOSE, .end = 2, .half = 1.1, .method = "auto"},
};

/* What a run has formed, renewed, left out or found on its way goes with the state. */
START_TEST(what_was_found_on_the_way_is_saved)
{
    if (!is_sampled("on the way", (size_t)_i, 3)) return;
    run r = on_the_way[_i];
    counts found = {0};
    goes_on_alike(&r, &found);
    printf("%s, %s: charts %zu, near %zu\n", r.path, r.method, found.charts, found.near);
    ck_assert_uint_eq(found.same, 1);
    ck_assert_uint_eq(found.near + found.charts, 1);
}
END_TEST

/* A shaft takes two discs along in turn; each mode has its own formulation, which delays read. */
static const char CLUTCHES[] =
    "model Clutches Integer n(start = 0, fixed = true); Boolean b[2]; Real tau[2];\n"
    "  Real w0(start = 0, fixed = true), w[2](each start = 0, each fixed = true);\n"
    "  Real z(start = 0, fixed = true);\n"
    "equation when sample(0.7, 0.7) then n = pre(n) + 1; end when; der(w0) = 1 - sum(tau);\n"
    "  for i in 1:2 loop\n"
    "    b[i] = mod(div(n, i), 2) == 1; der(w[i]) = tau[i] - 0.1*i*w[i];\n"
    "    0 = if b[i] then w[i] - w0 else tau[i];\n"
    "  end for;\n"
    "  der(z) = delay(w[1], 0.3); end Clutches;";

/* Content that moves to and fro between two ends, of which part circulates: pieces come and go. */
static const char TO_AND_FRO[] =
    "model ToAndFro Real x(start = 0, fixed = true), a, b, v = 1.9*cos(time); equation\n"
    "  der(x) = v; (a, b) = spatialDistribution(0.3*b + sin(2*time), cos(3*time) - 1, x, v >= 0,\n"
    "    {0, 0.5, 1}, {1, 0, -2}); end ToAndFro;";

/* Dry friction sticks from 1 to 2, and again later. */
static const char STICKS[] = "model Sticks Real v(start = 1, fixed = true); equation\n"
                             "  der(v) = 1.5*sin(time) - sign(v); end Sticks;";

/* Two bodies that stick each by itself, from 2 on both. */
static const char BOTH_STICK[] =
    "model BothStick Real v(start = 1, fixed = true), w(start = 0.5, fixed = true); equation\n"
    "  der(v) = -0.5*sign(v) + 0.1*sin(time); der(w) = 0.3*cos(time) + 0.2*v - 0.4*sign(w);\n"
    "end BothStick;";

/* Two capacitors in parallel, of which a switch makes the structure mislead: from 0.4 on the mode
 * has a derivative array. The source steps later. */
static const char PARALLEL[] =
    "model Parallel Real v1, v2, u1(start = 1), u2, i0, i1, i2, i3; equation\n"
    "  v1 = (if time < 0.9 then 3 else 3 - time) + 0.1*i0; u1 = v1 - v2; u2 = v1 - v2;\n"
    "  der(u1) = i1; 0.2*der(u2) = i2; 0 = if time >= 0.4 then v2 else i3;\n"
    "  0 = i0 + i1 + i2; 0 = -i1 - i2 + i3; end Parallel;";

/* An ideal diode and switches beside capacitors: the equations of all modes together serve nowhere,
 * so that the start has formed those of its mode already. */
static const char NETWORK[] =
    "model Network Real v1, v2, v3, v4, i2, s, ud, id, u1(start = 0), u2(start = 0), u3(start = "
    "0);\n"
    "  Boolean off(start = true); Real i8, i9;\n"
    "equation u1 = v4; u2 = v1 - v4; u3 = v2 - v4; i2 = v3;\n"
    "  0 = if time < 0.4 then v3 - v4 else i8; 0 = if time < 0.4 then v3 - v1 else i9;\n"
    "  ud = v2 - v3; off = s < 0; ud = if off then s else 0; id = if off then 0 else s;\n"
    "  0 = v1/2 + (v1 - (if time < 0.6 then 5*time else -1)) + 0.5*der(u2) - i9;\n"
    "  0 = v2/10 + 0.1*der(u3) + id; 0 = i2 + i8 + i9 - id;\n"
    "  0 = v4 + 0.5*der(u1) - 0.5*der(u2) - 0.1*der(u3) - i8; end Network;";

/* Two ideal diodes and four states, of which parts rest: the mode that a search at the start finds
 * has an array formulation, and modes of earlier events are visited again. */
static const char RESTS[] =
    "model Rests Real u1; Real u2; Real u3; Real u4; Real v0, i0; Real v1, i1; Real s1; "
    "Boolean off1 = s1 < 0; Real v2, i2; Real s2; Boolean off2 = s2 < 0; Real v3(start=0), "
    "i3; Real v4(start=0), i4; Real v5, i5(start=0); Real v6, i6(start=0); Real v7, i7; "
    "equation v0 = u2 - u4; v0 = 0.49*i0 + (-0.25) + 2.61*(if sin(3.84*time+0.3) > 0 then 1 "
    "else -1); v1 = u3 - u4; v1 = if off1 then s1 else 0; i1 = if off1 then 0 else s1; v2 = "
    "0 - u1; v2 = if off2 then s2 else 0; i2 = if off2 then 0 else s2; v3 = 0 - u1; "
    "0.63*der(v3) = i3; v4 = u3 - u4; 0.52*der(v4) = i4; v5 = 0 - u2; 0.65*der(i5) = v5; v6 "
    "= u2 - 0; 0.66*der(i6) = v6; v7 = u4 - u1; v7 = 1.11*i7; - i2 - i3 - i7 = 0; + i0 - i5 "
    "+ i6 = 0; + i1 + i4 = 0; - i0 - i1 - i4 + i7 = 0; end Rests;";

/* Switches and diodes: the start lies in a mode of its own, and `auto` has a method with complex
 * factors before one with real ones. */
static const char SWITCHED[] =
    "model Switched Real u1; Real u2; Real u3; Real u4; Real v0, i0; Real v1, i1; Boolean "
    "on1 = not (time > 0.669 and time < 2.212); Real v2, i2; Boolean on2 = not (time > "
    "1.031 and time < 1.386); Real v3, i3; Real s3; Boolean off3 = s3 < 0; Real v4, i4; "
    "Real s4; Boolean off4 = s4 < 0; Real v5, i5; Real s5; Boolean off5 = s5 < 0; Real v6, "
    "i6(start=0); Real v7, i7(start=0); Real v8, i8; equation v0 = 0 - u3; v0 = 0.29*i0 + "
    "(-0.19) + 2.97*sin(5.7*time+0.3); v1 = u3 - u4; 0 = if on1 then v1 else i1; v2 = u4 - "
    "u2; 0 = if on2 then v2 else i2; v3 = u1 - u2; v3 = if off3 then s3 else 0; i3 = if "
    "off3 then 0 else s3; v4 = u4 - u2; v4 = if off4 then s4 else 0; i4 = if off4 then 0 "
    "else s4; v5 = u4 - u2; v5 = if off5 then s5 else 0; i5 = if off5 then 0 else s5; v6 = "
    "0 - u4; 0.29*der(i6) = v6; v7 = 0 - u2; 0.73*der(i7) = v7; v8 = u4 - u1; v8 = 0.36*i8; "
    "+ i3 - i8 = 0; - i2 - i3 - i4 - i5 - i7 = 0; - i0 + i1 = 0; - i1 + i2 + i4 + i5 - i6 + "
    "i8 = 0; end Switched;";

/* The same where each mode has as many unknowns as no other one. */
static const char BLOCKED[] =
    "model Blocked Real u1; Real u2; Real u3; Real v0, i0; Real v1, i1; Boolean on1 = not "
    "(time > 0.225 and time < 1.441); Real v2, i2; Real v3, i3; Real v4, i4; Real "
    "v5(start=0), i5; Real v6(start=0), i6; Real v7, i7; Real v8, i8(start=0); Real v9, i9; "
    "equation v0 = u2 - 0; v0 = 0.68*i0 + (0.71) + 1.86*(if sin(5.04*time+0.3) > 0 then 1 "
    "else -1); v1 = u3 - 0; 0 = if on1 then v1 else i1; v2 = u2 - u1; min(i2, -v2) = 0; v3 "
    "= u2 - u3; min(i3, -v3) = 0; v4 = u1 - u2; min(i4, -v4) = 0; v5 = u2 - u3; "
    "0.12*der(v5) = i5; v6 = u1 - 0; 0.24*der(v6) = i6; v7 = 0 - u1; v7 = 1.71*i7; v8 = 0 - "
    "u1; 0.51*der(i8) = v8; v9 = u1 - u2; v9 = 0.69*i9; - i2 + i4 + i6 - i7 - i8 + i9 = 0; "
    "+ i0 + i2 + i3 - i4 + i5 - i9 = 0; + i1 - i3 - i5 = 0; end Blocked;";

#define HITS .path = "wall", .text = WALL, .end = 4

static const run with_events[] = {
    {HITS, .method = "auto", .formulation = "ggl"},
    {HITS, .method = "auto", .formulation = "baumgarte"},
    {HITS, .method = "dop853", .formulation = "partition"},
    {HITS, .method = "newmark", .formulation = "tangent", .step = 1000},
    {.path = "clutches", .text = CLUTCHES, .end = 8, .method = "auto"},
    {.path = "clutches", .text = CLUTCHES, .end = 8, .method = "bdf"},
    {.path = "clutches", .text = CLUTCHES, .end = 8, .method = "radau-iia5"},
    {.path = "carried", .text = TO_AND_FRO, .end = 14, .half = 7.3, .method = "auto"},
    {.path = "carried", .text = TO_AND_FRO, .end = 14, .half = 5, .method = "bdf"},
    {.path = "sticks", .text = STICKS, .end = 12, .method = "auto"},
    {.path = "sticks", .text = STICKS, .end = 12, .half = 7, .method = "rodas5p"},
    {.path = "sticks", .text = STICKS, .end = 12, .half = 1.5, .method = "dopri5"},
    {.path = "network", .text = NETWORK, .end = 1.5, .half = 1, .method = "bdf"},
    {.path = "parallel", .text = PARALLEL, .end = 2, .half = 0.5, .method = "auto"},
    {.path = "parallel", .text = PARALLEL, .end = 2, .half = 1.5, .method = "radau-iia5"},
    {.path = "rests", .text = RESTS, .end = 2.5, .half = 0.3, .method = "auto"},
    {.path = "rests", .text = RESTS, .end = 2.5, .half = 1, .method = "auto"},
    {.path = "switched", .text = SWITCHED, .end = 1.5, .half = 0.5, .method = "auto"},
    {.path = "blocked", .text = BLOCKED, .end = 1.5, .half = 0.3, .method = "auto"},
    {.path = "blocked",
     .text = BLOCKED,
     .end = 1.5,
     .half = 0.3,
     .method = "bdf",
     .projection = "least-squares"},
    {.path = "both", .text = BOTH_STICK, .end = 5, .half = 4, .method = "mebdf"},
    {.path = "both", .text = BOTH_STICK, .end = 5, .half = 4, .method = "dopri5"},
    {.path = "both", .text = BOTH_STICK, .end = 5, .half = 4, .method = "auto"},
};

/* Modes and discrete variables go with the state, those of models that are followed as mechanisms
 * as well, and formulations of modes. */
START_TEST(events_are_saved)
{
    counts found = {0};
    goes_on_alike(&with_events[_i], &found);
    ck_assert_uint_eq(found.same, 1);
}
END_TEST

/* A stiff variable follows a pulse. */
static const char PULSES[] =
    "model Pulses Real x(start = 0, fixed = true), y(start = 0, fixed = true), z;\n"
    "  Boolean on(start = true, fixed = true);\n"
    "equation when sample(1, 1) then on = not pre(on); end when;\n"
    "  0.001*der(x) = (if on then 1 else 0) - x; der(y) = x - z; z = y + y^3; end Pulses;";

#define PULSED .path = "pulses", .text = PULSES, .end = 3.5

/* At the event at 1, and after a step from there. */
static const run at_starts[] = {
    {PULSED, .half = 1, .method = "bdf"},
    {PULSED, .half = 1.00000001, .method = "bdf"},
    {PULSED, .half = 1.00000001, .method = "mebdf"},
};

START_TEST(a_starter_that_leads_is_saved)
{
    counts found = {0};
    goes_on_alike(&at_starts[_i], &found);
    ck_assert_uint_eq(found.same, 1);
    ck_assert_uint_eq(found.leading, 1);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 200);
    tcase_add_loop_test(tests, a_solver_goes_on_as_the_one_that_was_saved, 0,
                        sizeof ways / sizeof *ways);
    tcase_add_loop_test(tests, what_was_found_on_the_way_is_saved, 0,
                        sizeof on_the_way / sizeof *on_the_way);
    tcase_add_loop_test(tests, events_are_saved, 0, sizeof with_events / sizeof *with_events);
    tcase_add_loop_test(tests, a_starter_that_leads_is_saved, 0,
                        sizeof at_starts / sizeof *at_starts);
    return unit_run("solve/state", tests);
}
