/* What equations lack by parameters that are 0: as it is written, an equation has a term that the
 * system does not have. */
#include "symbolic/system.h"
#include "symbolic/traced.h"

#include <string.h>

static bool goes_on(char c)
{
    return c && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.[", c);
}

/* Whether a name, with or without quotes, is a factor at a place of a text. */
static bool is_factor(const char *in, const char *at, size_t length)
{
    const char *after = at + length;
    if (at > in && at[-1] == '\'' && *after == '\'') at--, after++;
    if (goes_on(*after) || *after == '\'' || (at > in && (goes_on(at[-1]) || at[-1] == '\'')))
        return false;
    after += strspn(after, " ");
    while (at > in && at[-1] == ' ') at--;
    return *after == '*' || (at > in && at[-1] == '*');
}

static bool has_factor(const char *in, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(in, name); at; at = strstr(at + 1, name))
        if (is_factor(in, at, length)) return true;
    return false;
}

void sym_name_left_out(const sym_system *system, const sym_equation *e, text *t)
{
    if (!e->text || !e->text[0]) return;
    for (size_t k = 0; k < system->parameter.count; k++) {
        const sym_parameter *p = &system->parameter.item[k];
        bool zero = !p->text && sym_value(system->graph, p->value) == 0;
        if (!zero || !has_factor(e->text, p->name)) continue;
        text_format(t, "\n  as %s = 0, a term is left out of ", p->name);
        sym_equation_name(system, e, t);
    }
}
