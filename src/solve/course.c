#include "solve/course.h"

#include <stdarg.h>

void course_reason(course *c, const char *format, ...)
{
    va_list arguments;
    text *reasons = c->solver.reasons;
    if (reasons->length) text_add(reasons, "; ");
    va_start(arguments, format);
    text_format_list(reasons, format, arguments);
    va_end(arguments);
}

dae_status course_create_projection(course *c, bool wanted, bool at_steps)
{
    projection_free(c->projection);
    c->projection = NULL;
    c->project_steps = false;
    c->solver.stats->projection = "none";
    if (!wanted) return DAE_OK;
    message *m = c->solver.message;
    dae_status status = projection_create(&c->projection, c->levels);
    if (status == DAE_NO_MEMORY) return message_fail(m, status, "memory is exhausted");
    if (status != DAE_OK)
        return message_fail(m, status, "the system Jacobian is structurally singular");
    c->project_steps = at_steps;
    if (!at_steps) return DAE_OK;
    c->solver.stats->projection = "coordinate";
    course_reason(c, "%zu constraint level%s met after each step and at each output",
                  c->constraint_levels, c->constraint_levels == 1 ? "" : "s");
    return DAE_OK;
}
