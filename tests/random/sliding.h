/* Random motions along one surface, with their exact solution.
 *
 *   u = x + level,  x' = a + d,  z' = b x + c,  p' = 1,  q = sin(w t), r = cos(w t) as states
 *
 * a and c are constants of the side of x = 0, other ones from t = turn on. The drive d is a sum of
 * a constant, a slope and a sine, of time or of the states p and q. So x follows in closed form
 * where it is not 0, and slides where the sides lead to each other. */
#ifndef RANDOM_SLIDING_H
#define RANDOM_SLIDING_H

#include "random/draw.h"

#include <stdbool.h>

enum { SLIDE_EVENTS = 24 };

typedef enum slide_form {                 /* how the side is written */
                          FORM_ABOVE,     /* if u > level then ... else ... */
                          FORM_BELOW,     /* if u < level then ... else ... */
                          FORM_NOT_ABOVE, /* if u <= level then ... else ... */
                          FORM_SIGN,      /* by sign(u - level) */
                          FORM_ELSEIF,
                          FORM_BOOLEAN,
                          FORM_TWO_BOOLEANS,
                          FORM_INTEGER,
                          SLIDE_FORMS
} slide_form;

typedef enum slide_turn { /* what changes the constants */
                          TURN_NONE,
                          TURN_TIME,    /* if time < turn */
                          TURN_STATE,   /* if p < turn */
                          TURN_WHEN,    /* when time >= turn */
                          TURN_CROSSED, /* when p >= turn */
                          TURN_AND,     /* u > level and p < turn: the sides are one from then on */
                          TURN_OR,      /* u > level or time >= turn */
                          SLIDE_TURNS
} slide_turn;

typedef struct slide_system {
    slide_form form;
    slide_turn turned;
    bool friction;           /* a = -+ mu, c = 0, b = 1 */
    bool of_states;          /* the drive is written by p and q */
    bool with_abs;           /* abs(u - level) occurs beside it */
    int level;               /* 0: none; 1: constant; 2: q */
    double level_at;         /* its factor */
    double a[2][2], c[2][2]; /* [from turn on][x > 0] */
    double b, turn;
    double drive, slope, swing, w, phase;
    double x0, stop;
} slide_system;

typedef enum slide_mode { SIDE_BELOW, SIDE_ABOVE, SIDE_NONE } slide_mode;

typedef struct slide_path {
    int slides, ends; /* motions along the surface, and ends of them */
    int turned_away;  /* ends by the turn */
    double x, u, z, event[SLIDE_EVENTS];
    int events;
} slide_path;

/* Draws a system and its path: no event is nearly another one. */
void slide_draw(slide_system *s, slide_path *p, draw *d);

/* Its text; to be freed. */
char *slide_text(const slide_system *s);

#endif
