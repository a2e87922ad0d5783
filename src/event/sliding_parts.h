/* What the parts of sliding motions share. */
#ifndef EVENT_SLIDING_PARTS_H
#define EVENT_SLIDING_PARTS_H

#include "event/settling.h"

/* sliding.c: whether relation k, which is 0 but for rounding or has by an error of the state the
 * value that its mode excludes, is about to have that value. */
bool sliding_is_about_to_turn(const switching *s, size_t k);

/* Whether the solution has come from this side of a surface in the step before the event. Where the
 * event has moved states, as an impact does, that tells nothing of how it leaves. */
bool sliding_came_from(const settling *e, size_t surface, bool is);

/* The solution neither leaves a surface nor slides along it: its rates are no more than what an
 * error of the state makes of them, as beside the end of a root. It stays in its mode until more is
 * seen. */
dae_status sliding_stay_beside(settling *e, size_t surface);

/* The solution leaves a surface to the side that rates on the surface tell. */
dae_status sliding_go_one_way(settling *e, size_t surface);

/* While the solution slides, a whole part is that before the event: its relations are then those of
 * the surface. */
void sliding_keep_whole_part(switching *s, size_t surface);

/* motions.c: the surfaces of a part of which an event has changed the modes, and those at which the
 * solution slides. */
typedef struct together {
    size_t surface[SETTLING_FEW_SURFACES], count;
    unsigned char way[SETTLING_FEW_SURFACES]; /* 0: it slides; 1, 2: its relation is true, false */
} together;

/* Finds them; false: there are more. */
bool sliding_find_together(const switching_modes *m, size_t part, together *t);

/* The solution has come back to a surface that it has left at this event: to leave one after the
 * other goes round in a circle, as on a spiral into all of them. Tries all motions, those along
 * most surfaces first. */
dae_status sliding_find_motion(settling *e, together *t);

/* Says that a motion along several surfaces is not determined. */
dae_status sliding_report_several(settling *e, const together *t);

#endif
