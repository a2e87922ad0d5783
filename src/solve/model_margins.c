/* How near the assertions of a model are to fail, by what their relations compare. */
#include "solve/model_simulation.h"

size_t model_simulation_margins(simulation *c, double **room)
{
    const author *w = ((model_simulation *)c)->formulation->author;
    *room = w->margin_at;
    return w->margins;
}

void model_simulation_take_margins(simulation *c, double t, double *value)
{
    author_margins(((model_simulation *)c)->formulation->author, t, value);
}
