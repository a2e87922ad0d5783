#include "random/report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void whole_name(const record *r, char *text, size_t room)
{
    snprintf(text, room, "%-15s%-15s%-8.0e%s", r->kind, form_names[r->form], r->rtol, r->method);
}

static const char *auto_or_others(const record *r)
{
    return strcmp(r->method, "auto") == 0 ? "auto" : "others";
}

static void index_name(const record *r, char *text, size_t room)
{
    snprintf(text, room, "index %d %-10s%s", r->index, r->form == FORM_TEXT ? "text" : "callbacks",
             auto_or_others(r));
}

static void kind_name(const record *r, char *text, size_t room)
{
    snprintf(text, room, "%-15s%s", r->kind, auto_or_others(r));
}

static void form_name(const record *r, char *text, size_t room)
{
    snprintf(text, room, "%-15s%s", form_names[r->form], auto_or_others(r));
}

static void tolerance_name(const record *r, char *text, size_t room)
{
    snprintf(text, room, "%-8.0e%s", r->rtol, auto_or_others(r));
}

static void method_name(const record *r, char *text, size_t room)
{
    snprintf(text, room, "%s", r->method);
}

/* The last has the order of its title; it is left out of brief reports. */
static const struct {
    const char *title;
    void (*name)(const record *r, char *text, size_t room);
} tables[TABLES] = {{"index", index_name},   {"kind", kind_name},
                    {"form", form_name},     {"tolerance", tolerance_name},
                    {"method", method_name}, {"kind, form, tolerance, method", whole_name}};

void report_open(report *all)
{
    *all = (report){.count = 0};
    table *t[TABLES + 2] = {&all->reasons, &all->shown};
    for (int k = 0; k < TABLES; k++) t[k + 2] = &all->tables[k];
    for (int k = 0; k < TABLES + 2; k++) {
        t[k]->t = calloc(MOST_TALLIES, sizeof *t[k]->t);
        if (!t[k]->t) exit(3);
    }
}

void report_close(report *all)
{
    for (int k = 0; k < TABLES; k++) free(all->tables[k].t);
    free(all->reasons.t);
    free(all->shown.t);
    free(all->r);
}

static void keep(report *all, const record *r)
{
    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : 1024;
        all->r = realloc(all->r, all->room * sizeof *all->r);
        if (!all->r) exit(3);
    }
    all->r[all->count++] = *r;
}

static void add_reason(report *all, const record *r)
{
    char text[150], line[200];
    bool reported = r->left_out || r->o.verdict == STOPPED || r->o.verdict == REFUSED;
    if (!reported) return;
    head(r->o.message, text, sizeof text);
    snprintf(line, sizeof line, "%-9s%-16s%s",
             r->left_out ? "left out" : verdict_names[r->o.verdict],
             r->left_out ? r->kind : dae_status_word(r->o.status), text);
    table_add(&all->reasons, line, r);
}

/* Cases that are not right, the first `show` of each kind, form, index and reason. */
static bool to_be_shown(report *all, const record *r, const arguments *a)
{
    char line[200];
    if (a->verbose) return true;
    if (a->brief || r->left_out || r->o.verdict == RIGHT || r->o.verdict == REFUSED) return false;
    snprintf(line, sizeof line, "%s %s %d %s %s", r->kind, form_names[r->form], r->index,
             verdict_names[r->o.verdict], dae_status_word(r->o.status));
    return table_find(&all->shown, line)->total++ < a->show;
}

void report_add(report *all, const record *r, const arguments *a)
{
    char name[200];
    add_reason(all, r);
    if (to_be_shown(all, r, a)) keep(all, r);
    if (r->left_out) {
        if (r->whole)
            all->whole++;
        else
            all->cases++;
        return;
    }
    for (int k = 0; k < TABLES; k++) {
        tables[k].name(r, name, sizeof name);
        table_add(&all->tables[k], name, r);
    }
}

static void print_left_out_case(const record *r)
{
    printf("%7ld %-14s left out: %s (growth %.2g)\n", r->number, r->kind, r->o.message, r->growth);
}

static void print_tally(const tally *t)
{
    printf("%-52s%8ld%8.2f%8.2f", t->name, t->total, percent(t->of[RIGHT], t->total),
           percent(t->of[LOOSE], t->total));
    printf("%8ld%8ld%8ld%6ld%6ld%9.1f\n", t->of[WRONG], t->of[STOPPED], t->of[REFUSED], t->of[SLOW],
           t->of[CRASHED], t->seconds);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const tally *)a)->name, ((const tally *)b)->name);
}

static int by_total(const void *a, const void *b)
{
    const tally *x = a, *y = b;
    if (x->total != y->total) return x->total < y->total ? 1 : -1;
    return by_name(a, b);
}

static void print_table(table *t, const char *title)
{
    qsort(t->t, (size_t)t->count, sizeof *t->t, by_name);
    printf("\n%-52s%8s%8s%8s%8s%8s%8s%6s%6s%9s\n", title, "runs", "right %", "loose %", "wrong",
           "stopped", "refused", "slow", "crash", "s");
    for (int k = 0; k < t->count; k++) print_tally(&t->t[k]);
}

static void print_reasons(table *t)
{
    qsort(t->t, (size_t)t->count, sizeof *t->t, by_total);
    printf("\nreasons\n");
    for (int k = 0; k < t->count; k++) printf("%6ld  %s\n", t->t[k].total, t->t[k].name);
}

void report_print(report *all, const arguments *a)
{
    if (all->count) qsort(all->r, all->count, sizeof *all->r, by_number);
    for (size_t k = 0; k < all->count; k++) {
        if (all->r[k].left_out)
            print_left_out_case(&all->r[k]);
        else
            print_case(&all->r[k]);
    }
    for (int k = TABLES - 1; k >= 0; k--)
        if (k < TABLES - 1 || !a->brief) print_table(&all->tables[k], tables[k].title);
    print_reasons(&all->reasons);
    printf("\nproblems: %ld, left out: %ld (%.2f %%), and %ld cases of others\n", a->count,
           all->whole, percent(all->whole, a->count), all->cases);
}
