#include "method/catalogue.h"

#include "base/text.h"

#include <string.h>

static const method_row rows[] = {
#define X(row_name, row_alias, row_family, row_stages) \
    {.name = row_name, .alias = row_alias, .family = METHOD_##row_family, .stages = row_stages},
#include "method/catalogue.def"
#undef X
};

static const size_t count = sizeof rows / sizeof *rows;

const method_row *method_find(const char *name)
{
    if (strcmp(name, "auto") == 0) return &rows[0];
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, rows[i].name) == 0 || strcmp(name, rows[i].alias) == 0) return &rows[i];
    return NULL;
}

const char *method_nearest(const char *name)
{
    const char *names[2 * sizeof rows / sizeof *rows];
    for (size_t i = 0; i < count; i++) {
        names[2 * i] = rows[i].name;
        names[2 * i + 1] = rows[i].alias;
    }
    return text_nearest(name, names, 2 * count);
}
