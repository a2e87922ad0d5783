/* What the rows of the catalogue come to with their default parameters: the build computes it once,
 * by the code that computes the same at run time for other parameters (tabulate.c), and a run
 * copies it. Finding the properties of one method costs as much as thousands of steps of a small
 * problem. */
#ifndef METHOD_TABULATED_H
#define METHOD_TABULATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The structs that are tabulated, each without its pointers. */
typedef enum tabulated_kind {
    TABULATED_METHOD,
    TABULATED_ROSENBROCK,
    TABULATED_MULTISTEP,
    TABULATED_STRUCTURAL,
    TABULATED_PROPERTIES,
    TABULATED_SCHEME,
    TABULATED_KINDS
} tabulated_kind;

/* The bytes of a struct as words of eight: each run skips words that are 0 and has some that
 * follow. */
typedef struct tabulated_run {
    uint16_t zeros, words;
} tabulated_run;

/* Where the runs and words of a struct begin. runs 0: it is not tabulated. */
typedef struct tabulated_image {
    uint32_t first_run, first_word;
    uint16_t runs;
} tabulated_image;

typedef struct tabulated_row {
    const char *name; /* with its parameters, as that of a method */
    tabulated_image image[TABULATED_KINDS];
} tabulated_row;

/* The tables; a row without a name ends them. */
extern const tabulated_row tabulated_rows[];
extern const tabulated_run tabulated_runs[];
extern const uint64_t tabulated_words[];

/* Fills `to` (`size` bytes, a multiple of 8) with what is tabulated of the method of that name.
 * False if nothing is, and then `to` is as before. */
bool tabulated_read(const char *name, tabulated_kind kind, void *to, size_t size);

#endif
