#include "zoo/mechanical.h"

#include <string.h>

static const zoo_mechanical *const rows[] = {&zoo_pendulum,
                                             &zoo_pendulum_torque,
                                             &zoo_driven_pendulum,
                                             &zoo_double_pendulum,
                                             &zoo_free_crank,
                                             &zoo_driven_crank,
                                             &zoo_andrews,
                                             &zoo_mechanical_car_axis,
                                             &zoo_skate,
                                             &zoo_rolling_disc,
                                             &zoo_top,
                                             &zoo_platform,
                                             &zoo_andrews_bodies,
                                             &zoo_governor,
                                             &zoo_double_four_bar};

const zoo_mechanical *zoo_mechanical_at(size_t i)
{
    return i < sizeof rows / sizeof *rows ? rows[i] : NULL;
}

const zoo_mechanical *zoo_mechanical_named(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i]->form.about.name, name) == 0) return rows[i];
    return NULL;
}
