/* Several commands in one process, for valgrind.sh: each line of the file that is named has the
 * exit status that the command is to answer with, and its arguments. */
#include <stdlib.h>

#define main command_main
int main(int count, char **argument);
#include "cli/main.c"
#undef main

enum { LENGTH = 1000, WORDS = 60 };

/* The words of a line, which is taken apart, after the name of the command. */
static int split(char *line, char **word)
{
    static char name[] = "daedal";
    int count = 0;
    word[count++] = name;
    for (char *w = strtok(line, " \n"); w && count < WORDS; w = strtok(NULL, " \n"))
        word[count++] = w;
    return count;
}

/* Whether the command of such a line answers with its status. */
static bool answers(char *line)
{
    char *word[WORDS + 1] = {0}, *rest;
    int expected = (int)strtol(line, &rest, 10);
    fprintf(stderr, "daedal%s", rest);
    int count = split(rest, word), got = command_main(count, word);
    if (got == expected) return true;
    fprintf(stderr, "ended with %d, not with %d\n", got, expected);
    return false;
}

int main(int count, char **argument)
{
    FILE *file = count == 2 ? fopen(argument[1], "r") : NULL;
    if (!file) return 2;
    char line[LENGTH];
    bool failed = false;
    while (fgets(line, sizeof line, file)) failed |= !answers(line);
    fclose(file);
    return failed;
}
