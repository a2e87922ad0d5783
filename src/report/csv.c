#include "report/csv.h"

#include <string.h>

static void write_field(text *to, const char *field)
{
    if (!strpbrk(field, ",\"\r\n")) {
        text_add(to, field);
        return;
    }
    text_add(to, "\"");
    for (; *field; field++) {
        if (*field == '"') text_add(to, "\"");
        text_add_bytes(to, field, 1);
    }
    text_add(to, "\"");
}

void csv_texts(text *to, size_t columns, const char *const *field)
{
    for (size_t j = 0; j < columns; j++) {
        if (j > 0) text_add(to, ",");
        write_field(to, field[j]);
    }
    text_add(to, "\n");
}

void csv_header(text *to, size_t columns, const char *const *name)
{
    text_add(to, columns > 0 ? "time," : "time");
    csv_texts(to, columns, name);
}

void csv_row(text *to, double t, const double *y, size_t columns, const size_t *column)
{
    text_number(to, t);
    for (size_t j = 0; j < columns; j++) {
        text_add(to, ",");
        text_number(to, y[column[j]]);
    }
    text_add(to, "\n");
}
