/* The experiments on mechanisms of "a tangent-space integrator" (2023) and of notes on the dynamics
 * of constrained systems (the pendulum that drifts), as tables; with a folder named, as pictures in
 * it too: `make mechanisms`. Fails where a fact that is known of them does not hold.
 *
 *   mechanisms [--short] [FOLDER]
 *
 * --short: without what takes long. */
#include "mechanisms/study.h"

#include <stdio.h>
#include <string.h>

int main(int count, char **argument)
{
    study s = {.brief = count > 1 && strcmp(argument[1], "--short") == 0};
    int next = 1 + s.brief;
    if (count > next) s.folder = argument[next];
    study_stiff_pendulum(&s);
    study_torques(&s);
    study_double_pendulum(&s);
    study_andrews(&s);
    study_orders(&s);
    study_drift(&s);
    printf("facts: %d, of which fail: %d\n", s.facts, s.failed);
    return s.failed > 0;
}
