/* Andrews' squeezing mechanism, started as IFToMM does: the crank at -0.062 rad, at rest. */
#include "mechanisms/study.h"

#include <stdio.h>

enum { Q = 7, LOOPS = 6, TIMES = 5, ANGLES = 5 };

static const double CRANK = 0.007; /* of length; its end is the joint F */

/* t; beta, Theta, gamma, delta, epsilon; F: in 113 bits and two formulations. */
static const double reference[TIMES][1 + ANGLES + 2] = {
    {0.01, 2.1533813401990142, -1.8759309127105252, 0.15980838109924294, 0.52510887297602627,
     1.0688183114124518, -0.0038512905936274217, 0.0058453024526911301},
    {0.02, 8.1781150054834154, -7.8835150676258035, 0.21089918254230601, 0.52244483511384548,
     1.0868166135273071, -0.0022294118345316501, 0.0066354896482513046},
    {0.03, 15.800174670662720, -15.743129380967046, 0.040733697125381772, 0.52440535938072463,
     1.0480781581340428, -0.0069702607817680392, -0.00064456546149045437},
    {0.04, 24.368064925750549, -24.564778144237416, 0.40968598047146661, 0.49688367687602515,
     1.1971875741454340, 0.0050512454426747531, -0.0048461241707015244},
    {0.05, 33.815340721360174, -33.571155378219369, 0.11515852759155242, 0.52605125632215243,
     1.0572717559075706, -0.0051589852501886702, 0.0047312652840794865}};

static void begin(run *r, way by)
{
    static const double rest[Q] = {0};
    static const double start[Q] = {-0.0620,
                                    2.1458685379531951888904522431e-04,
                                    0.45527981210037022418618707658,
                                    0.22266837590302747338994459452,
                                    0.48736498114063279572615998474,
                                    -0.22266837590302747338994459452,
                                    1.2305474391566007625507547816};
    run_begin(r, &zoo_andrews.form, start, rest, by);
}

typedef struct outcome {
    double angle, place; /* the largest errors at the five times, of angles and of F */
    double lambda;       /* the largest multiplier */
    double alternates;   /* of multipliers at most, from step to step, after 0.04 s */
    double frequency;    /* the largest */
    double end;
} outcome;

static void compare(outcome *o, const run *r, const double *row)
{
    static const int at[ANGLES] = {0, 1, 2, 4, 6};
    for (int i = 0; i < ANGLES; i++) o->angle = fmax(o->angle, fabs(r->y[at[i]] - row[1 + i]));
    double x = CRANK * cos(r->y[0]), y = CRANK * sin(r->y[0]);
    o->place = fmax(o->place, hypot(x - row[1 + ANGLES], y - row[2 + ANGLES]));
}

/* The last two multipliers, the older first. */
typedef struct trail {
    double of[2][LOOPS];
} trail;

static void note_multipliers(outcome *o, const run *r, trail *before)
{
    const double *lambda = r->y + 2 * Q;
    for (int i = 0; i < LOOPS; i++) {
        double off = fabs(lambda[i] - 2 * before->of[1][i] + before->of[0][i]) / 4;
        if (r->t > 0.04) o->alternates = fmax(o->alternates, off);
        o->lambda = fmax(o->lambda, fabs(lambda[i]));
        before->of[0][i] = before->of[1][i];
        before->of[1][i] = lambda[i];
    }
}

static outcome turn(way by, figure *place, figure *lambda)
{
    run r;
    char title[80];
    outcome o = {0};
    trail before = {0};
    snprintf(title, sizeof title, "%s, %s, h = %g s", by.method, by.formulation, by.h);
    figure_curve(place, title);
    figure_panel(lambda, title, "time [s]", "lambda_1", "unset key");
    figure_curve(lambda, "");
    begin(&r, by);
    for (int k = 0; k < TIMES && r.status == DAE_OK; k++) {
        while (run_step(&r, reference[k][0])) {
            note_multipliers(&o, &r, &before);
            o.frequency = fmax(o.frequency, r.frequency);
            figure_point(place, r.t, CRANK * cos(r.y[0]));
            figure_point(lambda, r.t, r.y[2 * Q]);
        }
        if (r.status == DAE_OK) compare(&o, &r, reference[k]);
    }
    o.end = r.t;
    printf("  %-34s %-8s %-6g %9.2e rad %9.2e m  lambda to %-9.4g", by.method, by.formulation, by.h,
           o.angle, o.place, o.lambda);
    if (o.frequency > 0) printf(" frequency to %.0f rad/s", o.frequency);
    printf(o.end < 0.05 ? " fails at %.4f s\n" : "\n", o.end);
    run_finish(&r);
    return o;
}

/* Constraints on positions: beta and alpha at the limit lose the multipliers, the sooner the
 * shorter the step is, as rounding goes into them by 1/h^2: by how much is the luck of rounding.
 * (A program of full Newton iterations for (q, lambda), written for this alone, has the same: 24 to
 * 650 with tolerances of 1e-13 to 1e-10, and 0.0355.) */
static void classical(study *s)
{
    figure *f = figure_begin(s, "andrews-newmark", 2, 2);
    outcome o[3];
    o[0] = turn((way){"newmark", "index3", 1e-5}, NULL, f);
    o[1] = turn((way){"newmark:alpha=0.5001,beta=0.2507", "index3", 1e-5}, NULL, f);
    o[2] = turn((way){"newmark", "tangent", 1e-5}, NULL, f);
    study_fact(s, o[0].alternates > 100 * o[1].alternates,
               "with (0.5, 0.25) lambda is lost: it alternates by %.3g, with (0.5001, 0.2507) by "
               "%.3g",
               o[0].alternates, o[1].alternates);
    study_fact(s, o[1].end >= 0.05 && fabs(o[1].lambda - 241.15) < 0.1 && o[1].angle < 1e-3,
               "(0.5001, 0.2507) solves it");
    study_fact(s, o[2].end >= 0.05 && fabs(o[2].lambda - 241.15) < 0.1 && o[2].angle < 1e-3,
               "(0.5, 0.25) in the tangent solves it");
    if (!s->brief) {
        outcome shorter = turn((way){"newmark", "index3", 1e-6}, NULL, f);
        study_fact(s, shorter.alternates > o[0].alternates,
                   "a tenth of the step makes it worse: it alternates by %.3g", shorter.alternates);
    }
    figure_end(f);
}

static void accuracy(study *s)
{
    outcome o = turn((way){"fox-goodwin", "tangent", s->brief ? 4e-6 : 2e-6}, NULL, NULL);
    study_fact(s, o.end >= 0.05 && o.angle <= 2.3e-6, "angles, and F, are right to 2.3e-6");
    o = turn((way){"newmark", "tangent", s->brief ? 4e-6 : 1e-6}, NULL, NULL);
    study_fact(s, o.end >= 0.05 && o.angle <= 8.2e-6, "angles, and F, are right to 8.2e-6");
    o = turn((way){"fox-goodwin:corrected=1", "tangent", 1e-5}, NULL, NULL);
    study_fact(s, o.end >= 0.05 && o.angle <= 3.75e-7, "angles, and F, are right to 3.75e-7");
}

/* The tangent depends on the coordinates, and so do the frequencies; from the start of the Test
 * Set. (The paper prints 4503 rad/s.) */
static void frequencies(study *s, figure *f)
{
    static const struct {
        const zoo_mechanical *row;
        const char *in;
        int crank;
        double most, off;
    } of[] = {{&zoo_andrews, "seven angles", 0, 1190, 2},
              {&zoo_andrews_bodies, "bodies", 2, 1148, 4}};
    figure_panel(f, "largest natural frequency", "angle of the crank [rad]", "[rad/s]",
                 "set key outside bottom center");
    for (int k = 0; k < 2; k++) {
        run r;
        double most = 0, where = 0;
        figure_curve(f, of[k].in);
        run_row(&r, of[k].row, (way){"fox-goodwin", "tangent", 1e-4});
        while (run_step(&r, 0.05)) {
            figure_point(f, r.y[of[k].crank], r.frequency);
            if (r.frequency > most) where = r.y[of[k].crank];
            most = fmax(most, r.frequency);
        }
        printf("  in coordinates of %s the largest frequency is %.1f rad/s, at %.2f rad: limit of "
               "Fox-Goodwin's step %.3g s\n",
               of[k].in, most, where, sqrt(6) / most);
        study_near(s, most, of[k].most, of[k].off, "the largest frequency");
        study_near(s, where, 28.3, 0.2, "the angle of the crank there");
        run_finish(&r);
    }
}

/* Predicted is sqrt(6)/1190 = 2.06e-3 s; the crank turns by 2 rad in such a step, so that 2e-3 s is
 * beyond sense, if not beyond stability. */
static void stability(study *s)
{
    static const double steps[] = {1e-5, 5e-4, 6e-4, 1e-3, 2e-3};
    outcome o[5];
    figure *f = figure_begin(s, "andrews-tangent", 1, 2);
    figure_panel(f, "Fox-Goodwin in the tangent", "time [s]", "x of F [m]",
                 "set key outside bottom center");
    for (int k = 0; k < 5; k++) o[k] = turn((way){"fox-goodwin", "tangent", steps[k]}, f, NULL);
    for (int k = 1; k < 4; k++)
        study_fact(s, o[k].end >= 0.05 && o[k].angle < 1, "h = %g s is stable: %.2g rad off",
                   steps[k], o[k].angle);
    frequencies(s, f);
    figure_end(f);
}

void study_andrews(study *s)
{
    printf("\nThe squeezing mechanism, 0.05 s: errors of angles and of the joint F at 5 times\n");
    classical(s);
    accuracy(s);
    stability(s);
}
