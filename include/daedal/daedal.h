/** daedal solves differential-algebraic equations as their author wrote them. Includes all public
 *  headers. */
#ifndef DAEDAL_DAEDAL_H
#define DAEDAL_DAEDAL_H

#include <daedal/description.h>
#include <daedal/event.h>
#include <daedal/external.h>
#include <daedal/forms.h>
#include <daedal/hierarchy.h>
#include <daedal/linearize.h>
#include <daedal/options.h>
#include <daedal/problem.h>
#include <daedal/solver.h>
#include <daedal/status.h>

#endif
