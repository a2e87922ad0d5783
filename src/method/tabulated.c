#include "method/tabulated.h"

#include <string.h>

static const tabulated_row *find(const char *name)
{
    const tabulated_row *row = tabulated_rows;
    while (row->name && strcmp(row->name, name) != 0) row++;
    return row->name ? row : NULL;
}

bool tabulated_read(const char *name, tabulated_kind kind, void *to, size_t size)
{
    const tabulated_row *row = find(name);
    if (!row || row->image[kind].runs == 0) return false;
    const tabulated_run *run = tabulated_runs + row->image[kind].first_run;
    const uint64_t *word = tabulated_words + row->image[kind].first_word;
    unsigned char *at = to;
    memset(to, 0, size);
    for (int i = 0; i < row->image[kind].runs; i++) {
        at += sizeof *word * run[i].zeros;
        memcpy(at, word, sizeof *word * run[i].words);
        at += sizeof *word * run[i].words;
        word += run[i].words;
    }
    return true;
}
