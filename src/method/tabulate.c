/* The program of the build that writes the tables of tabulated.h, as C. */
#include "method/catalogue.h"
#include "method/properties.h"
#include "method/scheme.h"
#include "method/tabulated.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 200, MOST_RUNS = 100000, MOST_WORDS = 400000 };

typedef struct tables {
    size_t rows, runs, words;
    tabulated_row row[MOST_ROWS];
    char name[MOST_ROWS][METHOD_NAME_SIZE];
    tabulated_run run[MOST_RUNS];
    uint64_t word[MOST_WORDS];
} tables;

/* Adds the `size` bytes of a struct. False where there is no room. */
static bool add(tables *t, tabulated_kind kind, const void *of, size_t size)
{
    const unsigned char *from = of;
    size_t count = size / sizeof *t->word;
    tabulated_image *image = &t->row[t->rows].image[kind];
    *image = (tabulated_image){(uint32_t)t->runs, (uint32_t)t->words, 0};
    if (size % sizeof *t->word != 0 || count > UINT16_MAX) return false;
    for (size_t i = 0, zeros = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, from + i * sizeof word, sizeof word);
        if (word == 0) {
            zeros++;
            continue;
        }
        if (image->runs == 0 || zeros > 0) {
            if (t->runs == MOST_RUNS) return false;
            t->run[t->runs++] = (tabulated_run){.zeros = (uint16_t)zeros};
            image->runs++;
        }
        if (t->words == MOST_WORDS) return false;
        t->run[t->runs - 1].words++;
        t->word[t->words++] = word;
        zeros = 0;
    }
    return true;
}

/* What points elsewhere is made anew at run time, and numbers that come from other methods are
 * theirs. */
static bool add_numbers(tables *t, const method *m)
{
    method numbers;
    if (m->base || m->order_levels > 0) return true;
    memcpy(&numbers, m, sizeof numbers);
    numbers.row = NULL;
    numbers.rosenbrock = NULL;
    numbers.multistep = NULL;
    numbers.structural = NULL;
    return add(t, TABULATED_METHOD, &numbers, sizeof numbers) &&
           (!m->rosenbrock || add(t, TABULATED_ROSENBROCK, m->rosenbrock, sizeof *m->rosenbrock)) &&
           (!m->multistep || add(t, TABULATED_MULTISTEP, m->multistep, sizeof *m->multistep)) &&
           (!m->structural || add(t, TABULATED_STRUCTURAL, m->structural, sizeof *m->structural));
}

/* A scheme that cannot be made is refused at run time. */
static bool add_scheme(tables *t, const method *m)
{
    scheme s;
    memset(&s, 0, sizeof s);
    if (m->stages == 0 || m->rosenbrock || scheme_make(&s, m) != DAE_OK) return true;
    s.method = NULL;
    return add(t, TABULATED_SCHEME, &s, sizeof s);
}

static bool add_row(tables *t, const char *name)
{
    message said = {0};
    method *m = NULL;
    method_properties found;
    memset(&found, 0, sizeof found);
    bool good = t->rows < MOST_ROWS && method_create(&m, name, &said) == DAE_OK &&
                method_properties_find(m, &found) == DAE_OK && add_numbers(t, m) &&
                add(t, TABULATED_PROPERTIES, &found, sizeof found) && add_scheme(t, m);
    if (good) memcpy(t->name[t->rows++], m->name, sizeof m->name);
    method_free(m);
    message_free(&said);
    return good;
}

static void print(const tables *t)
{
    printf("#include \"method/tabulated.h\"\n\nconst tabulated_row tabulated_rows[] = {\n");
    for (size_t i = 0; i < t->rows; i++) {
        printf("{\"%s\", {", t->name[i]);
        for (int k = 0; k < TABULATED_KINDS; k++) {
            const tabulated_image *image = &t->row[i].image[k];
            printf("{%" PRIu32 ", %" PRIu32 ", %d}, ", image->first_run, image->first_word,
                   image->runs);
        }
        printf("}},\n");
    }
    printf("{.name = NULL}};\n\nconst tabulated_run tabulated_runs[] = {\n");
    for (size_t i = 0; i < t->runs; i++)
        printf("{%d, %d},%s", t->run[i].zeros, t->run[i].words, i % 16 == 15 ? "\n" : " ");
    printf("};\n\nconst uint64_t tabulated_words[] = {\n");
    for (size_t i = 0; i < t->words; i++)
        printf("0x%" PRIx64 ",%s", t->word[i], i % 8 == 7 ? "\n" : " ");
    printf("};\n");
}

int main(void)
{
    static tables t;
    const method_row *row;
    for (size_t i = 0; (row = method_row_at(i)) != NULL; i++) {
        if (add_row(&t, row->name)) continue;
        fprintf(stderr, "%s cannot be tabulated\n", row->name);
        return 1;
    }
    print(&t);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
