#include "method/half_explicit.h"

#include <string.h>

void half_explicit_fill(method *made)
{
    int last = made->stages - 1;
    bool given = false;
    for (int j = 0; j < made->stages; j++) given = given || made->constraint[last][j] != 0;
    for (int i = 0; i < last; i++)
        if (i > 0 || !given)
            memcpy(made->constraint[i], made->a[i + 1], sizeof made->constraint[i]);
    if (!given) memcpy(made->constraint[last], made->b, sizeof made->b);
}

bool half_explicit_carries(const method *given)
{
    return given->constraint[0][0] == 0;
}
