/* A seeded source of random draws: splitmix64 (Steele, Lea & Flood 2014), the same on every
 * machine.
 */
#ifndef RANDOM_DRAW_H
#define RANDOM_DRAW_H

#include <stdbool.h>
#include <stdint.h>

typedef struct draw {
    uint64_t state;
} draw;

/* The draws of problem `number` of a seed: they do not depend on those of other problems. */
draw draw_of(uint64_t seed, uint64_t number);

uint64_t draw_bits(draw *d);
int draw_below(draw *d, int count);             /* 0 ... count - 1 */
int draw_between(draw *d, int least, int most); /* both included */
bool draw_chance(draw *d, double probability);
double draw_real(draw *d, double least, double most);
double draw_eighths(draw *d, double least, double most); /* a multiple of 1/8: few bits */
int draw_sign(draw *d);                                  /* -1 or 1 */
void draw_permutation(draw *d, int count, int *order);

#endif
