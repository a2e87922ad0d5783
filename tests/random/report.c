#include "random/report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void report_add(report *all, const record *r)
{
    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : 1024;
        all->r = realloc(all->r, all->room * sizeof *all->r);
        if (!all->r) exit(3);
    }
    all->r[all->count++] = *r;
}

void report_close(report *all)
{
    free(all->r);
}

static int by_number(const void *a, const void *b)
{
    const record *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Where a message begins to name equations and values. */
static bool names_follow(const char *c)
{
    static const char *const before[] = {"\n",          ", worst in", ": with ", " variables of",
                                         "; the worst", " Allow more"};
    for (size_t k = 0; k < sizeof before / sizeof *before; k++)
        if (strncmp(c, before[k], strlen(before[k])) == 0) return true;
    return false;
}

/* A message without its numbers and names, so that like ones are equal. */
static void head(const char *message, char *text, size_t room)
{
    size_t length = 0;
    for (const char *c = message; *c && !names_follow(c) && length + 2 < room; c++) {
        bool digit = isdigit((unsigned char)*c) != 0;
        bool sign = *c == '-' && isdigit((unsigned char)c[1]);
        bool part = length > 0 && text[length - 1] == '#' && (digit || strchr(".e+-", *c));
        if (!part && !sign) text[length++] = digit ? '#' : *c;
    }
    text[length] = '\0';
    char *step = strstr(text, "# step:");
    if (step && length + 2 < room) memmove(step + 7, step + 6, strlen(step + 6) + 1), step[6] = 's';
}

static void print_case(const record *r)
{
    char rows[16];
    snprintf(rows, sizeof rows, r->rows ? "%d rows" : "by steps", r->rows);
    printf("%7ld %-14s %-13s %-10s %-6.0e %-7s n %d, index %d, %s, start %s, %s:", r->number,
           r->kind, form_names[r->form], r->method, r->rtol, verdict_names[r->o.verdict], r->n,
           r->index, r->variation, start_names[r->start], rows);
    if (r->o.status != DAE_OK)
        printf(" %s", dae_status_word(r->o.status));
    else
        printf(" %.3g tolerances in unknown %d at %.9g", r->o.units, r->o.worst + 1, r->o.at);
    printf(" (%zu steps, rounding %.1e, growth %.1f)", r->o.steps, r->effect, r->growth);
    if (r->o.message[0]) printf(": %.*s", (int)strcspn(r->o.message, "\n"), r->o.message);
    printf("\n");
}

static void print_cases(const report *all, const arguments *a)
{
    if (a->brief) return;
    for (size_t k = 0; k < all->count; k++) {
        const record *r = &all->r[k];
        if (r->left_out) {
            if (a->verbose)
                printf("%7ld %-14s left out: %s (growth %.2g)\n", r->number, r->kind, r->o.message,
                       r->growth);
        } else if (a->verbose || r->o.verdict != RIGHT) {
            print_case(r);
        }
    }
}

typedef struct tally {
    char name[220];
    long of[VERDICTS], total;
    double seconds;
} tally;

enum { MOST_TALLIES = 600 };

static tally *tally_of(tally *t, int *count, const char *name)
{
    for (int k = 0; k < *count; k++)
        if (strcmp(t[k].name, name) == 0) return &t[k];
    if (*count == MOST_TALLIES) return &t[*count - 1];
    snprintf(t[*count].name, sizeof t->name, "%s", name);
    return &t[(*count)++];
}

static int by_total(const void *a, const void *b)
{
    const tally *x = a, *y = b;
    return x->total != y->total ? (x->total < y->total) - (x->total > y->total)
                                : strcmp(x->name, y->name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const tally *)a)->name, ((const tally *)b)->name);
}

static double percent(long part, long whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_tally(const tally *t)
{
    printf("%-52s%8ld%8.2f%8.2f", t->name, t->total, percent(t->of[RIGHT], t->total),
           percent(t->of[LOOSE], t->total));
    printf("%8ld%8ld%8ld%6ld%6ld%9.1f\n", t->of[WRONG], t->of[STOPPED], t->of[REFUSED], t->of[SLOW],
           t->of[CRASHED], t->seconds);
}

static void add(tally *t, const record *r)
{
    t->of[r->o.verdict]++, t->total++, t->seconds += r->o.seconds;
}

static void print_table(const report *all, const char *title,
                        void (*name)(const record *r, char *text, size_t room))
{
    static tally t[MOST_TALLIES];
    int count = 0;
    char text[220];
    memset(t, 0, sizeof t);
    for (size_t k = 0; k < all->count; k++) {
        if (all->r[k].left_out) continue;
        name(&all->r[k], text, sizeof text);
        add(tally_of(t, &count, text), &all->r[k]);
    }
    qsort(t, (size_t)count, sizeof *t, by_name);
    printf("\n%-52s%8s%8s%8s%8s%8s%8s%6s%6s%9s\n", title, "runs", "right %", "loose %", "wrong",
           "stopped", "refused", "slow", "crash", "s");
    for (int k = 0; k < count; k++) print_tally(&t[k]);
}

static void name_whole(const record *r, char *text, size_t room)
{
    snprintf(text, room, "%-15s%-15s%-8.0e%s", r->kind, form_names[r->form], r->rtol, r->method);
}

static void name_method(const record *r, char *text, size_t room)
{
    snprintf(text, room, "%s", r->method);
}

static void name_kind(const record *r, char *text, size_t room)
{
    snprintf(text, room, "%-15s%s", r->kind, strcmp(r->method, "auto") == 0 ? "auto" : "others");
}

static void name_form(const record *r, char *text, size_t room)
{
    snprintf(text, room, "%-15s%s", form_names[r->form],
             strcmp(r->method, "auto") == 0 ? "auto" : "others");
}

static void name_index(const record *r, char *text, size_t room)
{
    snprintf(text, room, "index %d %-10s%s", r->index, r->form == FORM_TEXT ? "text" : "callbacks",
             strcmp(r->method, "auto") == 0 ? "auto" : "others");
}

static void print_reasons(const report *all)
{
    static tally t[MOST_TALLIES];
    int count = 0;
    char text[160], line[220];
    memset(t, 0, sizeof t);
    for (size_t k = 0; k < all->count; k++) {
        const record *r = &all->r[k];
        bool told = r->o.verdict == STOPPED || r->o.verdict == REFUSED || r->left_out;
        if (!told) continue;
        head(r->o.message, text, sizeof text);
        snprintf(line, sizeof line, "%-9s%-16s%s",
                 r->left_out ? "left out" : verdict_names[r->o.verdict],
                 r->left_out ? r->kind : dae_status_word(r->o.status), text);
        add(tally_of(t, &count, line), r);
    }
    qsort(t, (size_t)count, sizeof *t, by_total);
    printf("\nreasons\n");
    for (int k = 0; k < count; k++) printf("%6ld  %s\n", t[k].total, t[k].name);
}

static void print_left_out(const report *all, const arguments *a)
{
    long whole = 0, cases = 0;
    for (size_t k = 0; k < all->count; k++) {
        if (!all->r[k].left_out) continue;
        if (all->r[k].whole)
            whole++;
        else
            cases++;
    }
    printf("\nproblems: %ld, left out: %ld (%.2f %%), and %ld cases of others\n", a->count, whole,
           percent(whole, a->count), cases);
}

int report_print(report *all, const arguments *a)
{
    qsort(all->r, all->count, sizeof *all->r, by_number);
    print_cases(all, a);
    if (a->verbose) print_table(all, "kind, form, tolerance, method", name_whole);
    print_table(all, "index", name_index);
    print_table(all, "kind", name_kind);
    print_table(all, "form", name_form);
    print_table(all, "method", name_method);
    print_reasons(all);
    print_left_out(all, a);
    return 0;
}
