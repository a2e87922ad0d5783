#include "problem/levels.h"

bool constraint_levels_nested(const constraint_levels *l)
{
    for (size_t k = 0; k < l->count; k++)
        if (!l->level[k].last_row) return false;
    return l->count > 0;
}

bool constraint_levels_paired(const constraint_levels *l)
{
    return l->count == 1 && l->level[0].pair;
}
