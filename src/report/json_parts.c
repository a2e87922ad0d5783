#include "report/json_parts.h"

#include <math.h>
#include <string.h>

json_t *json_of_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_of_whole(long value)
{
    return value < 0 ? json_null() : json_integer(value);
}

json_t *json_of_count(size_t value)
{
    return json_integer((json_int_t)value);
}

json_t *json_of_string(const char *value)
{
    if (!value) return json_null();
    json_t *made = json_string(value);
    return made ? made : json_string_nocheck("?"); /* not UTF-8 */
}

json_t *json_of_lines(const char *text)
{
    json_t *list = json_array();
    while (*text) {
        size_t length = strcspn(text, "\n");
        json_t *line = json_stringn(text, length);
        if (length) json_array_append_new(list, line ? line : json_string_nocheck("?"));
        text += length + (text[length] == '\n');
    }
    return list;
}

json_t *json_of_strings(size_t number, const char *const *item)
{
    json_t *list = json_array();
    for (size_t i = 0; i < number; i++) json_array_append_new(list, json_of_string(item[i]));
    return list;
}

int json_line(FILE *file, json_t *object)
{
    int status = json_dumpf(object, file,
                            JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
    json_decref(object);
    putc('\n', file);
    return status != 0 || ferror(file) ? -1 : 0;
}
