/* Describes the equations: first from their structure, then with what only the start shows. */
#ifndef ANALYSIS_DESCRIBE_H
#define ANALYSIS_DESCRIBE_H

#include <daedal/description.h>

/* As dae_describe(), for the last use of a problem: frees it as soon as nothing is read from it any
 * more, which is before the start is searched. So a large model is held once. */
dae_description *describe_last(dae_problem *source, double t);

#endif
