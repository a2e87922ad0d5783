/** Options of a solution. */
#ifndef DAEDAL_OPTIONS_H
#define DAEDAL_OPTIONS_H

#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A name of the catalogue or of a list. It is borrowed, and must stay valid while the options are
 *  used. */
typedef const char *dae_name;

/** Options of a solver, a plain struct. Take dae_options_default() and change members.
 *  `options.def` has the meaning, the default and the bounds of each member, one per line. */
typedef struct dae_options {
    size_t size; /**< set to the size of this struct by dae_options_default(), so it can grow */
#define X(type, name, default_value, lowest, highest, unit, meaning) type name;
#include <daedal/options.def>
#undef X
    const double *atols; /**< NULL, or one absolute tolerance per variable, in place of `atol`. It
                            is in the variable's own unit, whatever its nominal, and is copied by
                            dae_solver_create(). A derivative that is integrated has the tolerance
                            of its variable. A variable that is computed from others has none */
} dae_options;

/** All options at their defaults. */
DAE_API dae_options dae_options_default(void);

#ifdef __cplusplus
}
#endif
#endif
