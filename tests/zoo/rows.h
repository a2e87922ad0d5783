/* The rows of the tables, each in the file of its equations. */
#ifndef TESTS_ZOO_ROWS_H
#define TESTS_ZOO_ROWS_H

#include "zoo/zoo.h"

extern const zoo_ivp zoo_robertson, zoo_transistor_amplifier, zoo_chemical_akzo_nobel, zoo_hires,
    zoo_ring_modulator, zoo_water_tube, zoo_car_axis, zoo_fekete, zoo_nand_gate, zoo_van_der_pol,
    zoo_two_bit_adder, zoo_mended_adder, zoo_slider_crank, zoo_andrews_squeezer, zoo_andrews_ggl,
    zoo_car_axis_ggl;

extern const zoo_order zoo_order_wheel, zoo_order_uneven_wheel, zoo_order_belt,
    zoo_order_uneven_belt, zoo_order_rail, zoo_order_uneven_rail, zoo_order_short_rail,
    zoo_order_track, zoo_order_uneven_track, zoo_order_growing, zoo_order_heavy, zoo_order_waves,
    zoo_order_rotor, zoo_order_coupled, zoo_order_tilted, zoo_order_tilted_fast, zoo_order_braided,
    zoo_order_curve, zoo_order_bent, zoo_order_bent_fast, zoo_order_twisted, zoo_order_twisted_slow,
    zoo_order_bead, zoo_order_guided, zoo_order_guided_fast, zoo_order_towed, zoo_order_strained,
    zoo_order_strained_fast;

#endif
