/* The flags of a subcommand: those of flags.def, and for `run` the options of the solver. */
#ifndef CLI_FLAG_LIST_H
#define CLI_FLAG_LIST_H

#include <stddef.h>
#include <stdio.h>

enum { FLAG_LIST_MOST = 64, FLAG_LONGEST = 32 };

typedef enum flag_kind { FLAG_OF_COMMAND, FLAG_DOUBLE, FLAG_SIZE, FLAG_NAME } flag_kind;

typedef struct flag {
    char name[FLAG_LONGEST];
    char letter;          /* 0: it has none */
    const char *argument; /* NULL: it takes none; "[=...]": optional */
    const char *meaning;
    flag_kind kind;
    size_t offset; /* the following describe an option of the solver: its offset in dae_options */
    double lowest, highest;
    const char *unit;
} flag;

typedef struct flag_list {
    flag item[FLAG_LIST_MOST];
    size_t count;
} flag_list;

/* Fills the list with all flags of the subcommand that has this letter. */
void flag_list_fill(flag_list *list, char letter);

/* Prints meanings and defaults, as in --help. */
void flag_list_print(const flag_list *list, FILE *file);

/* Reports on standard error that there is no such flag, and which one may have been meant. */
void flag_list_reject(const flag_list *list, const char *word);

#endif
