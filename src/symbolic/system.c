#include "symbolic/system.h"

void sym_equation_name(const sym_system *system, const sym_equation *e, text *t)
{
    if (e->text && e->text[0]) text_format(t, "%s ", e->text);
    text_format(t, "(%s:%u", system->file, e->at.line);
    if (e->element) text_format(t, ", element %u", e->element);
    text_add(t, ")");
}
