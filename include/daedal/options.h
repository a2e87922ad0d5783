/** What a user may choose about a solution. */
#ifndef DAEDAL_OPTIONS_H
#define DAEDAL_OPTIONS_H

#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A name of the catalogue or of a list; borrowed, to be valid while the options are used. */
typedef const char *dae_name;

/** Options of a solver, a plain struct: take dae_options_default() and change members. What each
 *  member means, its default and its bounds stand in `options.def`, one line each. */
typedef struct dae_options {
    size_t size; /**< of this struct, set by dae_options_default(), so that it can grow */
#define X(type, name, default_value, lowest, highest, unit, meaning) type name;
#include <daedal/options.def>
#undef X
    const double *atols; /**< NULL, or one absolute tolerance a variable, in place of `atol`: in the
                              variable's own unit, whatever its nominal; copied by
                              dae_solver_create(). A derivative that is integrated takes that of
                              its variable, and a variable that is computed from others none */
} dae_options;

/** All options at their defaults. */
DAE_API dae_options dae_options_default(void);

#ifdef __cplusplus
}
#endif
#endif
