#include "random/draw.h"

#include <math.h>

uint64_t draw_bits(draw *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

draw draw_of(uint64_t seed, uint64_t number)
{
    draw d = {seed}, own = {draw_bits(&d) ^ (number * 0xd1342543de82ef95u)};
    draw_bits(&own);
    return own;
}

int draw_below(draw *d, int count)
{
    return (int)(draw_bits(d) % (uint64_t)count);
}

int draw_between(draw *d, int least, int most)
{
    return least + draw_below(d, most - least + 1);
}

double draw_real(draw *d, double least, double most)
{
    return least + (most - least) * (double)(draw_bits(d) >> 11) * 0x1p-53;
}

bool draw_chance(draw *d, double probability)
{
    return draw_real(d, 0, 1) < probability;
}

double draw_eighths(draw *d, double least, double most)
{
    return round(8 * draw_real(d, least, most)) / 8;
}

int draw_sign(draw *d)
{
    return draw_chance(d, 0.5) ? 1 : -1;
}

void draw_permutation(draw *d, int count, int *order)
{
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int k = draw_below(d, i + 1), other = order[i];
        order[i] = order[k], order[k] = other;
    }
}
