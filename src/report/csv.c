#include "report/csv.h"

#include "base/text.h"

#include <string.h>

static int write_field(FILE *file, const char *field)
{
    if (!strpbrk(field, ",\"\r\n")) return fputs(field, file) < 0 ? -1 : 0;
    putc('"', file);
    for (; *field; field++) {
        if (*field == '"') putc('"', file);
        putc(*field, file);
    }
    putc('"', file);
    return ferror(file) ? -1 : 0;
}

int csv_header(FILE *file, size_t columns, const char *const *name)
{
    fputs("time", file);
    for (size_t j = 0; j < columns; j++) {
        putc(',', file);
        if (write_field(file, name[j]) != 0) return -1;
    }
    putc('\n', file);
    return ferror(file) ? -1 : 0;
}

int csv_row(FILE *file, double t, const double *y, size_t columns, const size_t *column)
{
    char number[TEXT_NUMBER_SIZE];
    fwrite(number, 1, text_write_number(number, t), file);
    for (size_t j = 0; j < columns; j++) {
        putc(',', file);
        fwrite(number, 1, text_write_number(number, y[column[j]]), file);
    }
    putc('\n', file);
    return ferror(file) ? -1 : 0;
}
