/* The unit tests of a folder: `test_FOLDER [FILE...]` runs those files, or all of them. */
#include <stdio.h>
#include <string.h>

#define X(name) int unit_##name(void);
#include UNIT_FILES
#undef X

static const struct {
    const char *name;
    int (*run)(void);
} files[] = {
#define X(name) {#name, unit_##name},
#include UNIT_FILES
#undef X
};

enum { FILES = sizeof files / sizeof *files };

static int run_file(const char *name)
{
    for (int k = 0; k < FILES; k++)
        if (strcmp(files[k].name, name) == 0) return files[k].run();
    fprintf(stderr, "%s: no such test; there are:", name);
    for (int k = 0; k < FILES; k++) fprintf(stderr, " %s", files[k].name);
    fprintf(stderr, "\n");
    return 2;
}

int main(int count, char **argument)
{
    int failed = 0;
    for (int k = 1; k < count; k++) failed |= run_file(argument[k]);
    for (int k = 0; count < 2 && k < FILES; k++) failed |= files[k].run();
    return failed;
}
