/* The rows of the tables, each in the file of its equations. */
#ifndef TESTS_ZOO_ROWS_H
#define TESTS_ZOO_ROWS_H

#include "zoo/zoo.h"

extern const zoo_ivp zoo_robertson, zoo_transistor_amplifier, zoo_chemical_akzo_nobel, zoo_hires,
    zoo_ring_modulator, zoo_water_tube, zoo_car_axis, zoo_fekete, zoo_nand_gate, zoo_van_der_pol;

#endif
