/* Which of the problem forms a system has. */
#ifndef ANALYSIS_FORM_H
#define ANALYSIS_FORM_H

#include "symbolic/system.h"

/* "linear" where all coefficients are numbers; "semi_explicit" where each equation gives one
 * derivative or none; "mass" where derivatives enter linearly with coefficients free of them; else
 * "residual". Under the protection of the system's arena. */
const char *analysis_form(const sym_system *system);

#endif
