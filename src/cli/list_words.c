/* The lists of a description, in words. */
#include "base/text.h"
#include "cli/commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Prints a cell, padded by characters and not by bytes. */
static void print_cell(const char *words, int width)
{
    int own = (int)text_characters(words);
    printf("%s%*s  ", words, width > own ? width - own : 0, "");
}

static void print_number(double value, int width)
{
    char number[TEXT_NUMBER_SIZE + 1];
    number[isnan(value) ? 0 : text_write_number(number, value)] = '\0';
    print_cell(isnan(value) ? "-" : number, width);
}

static int widest(int most, const char *words)
{
    int own = (int)text_characters(words);
    return own > most ? own : most;
}

static const char *kind(const dae_described_variable *v)
{
    if (v->input) return "input";
    if (v->output) return v->discrete ? "discrete output" : "output";
    return v->discrete ? "discrete" : v->constant ? "constant" : "";
}

enum { NUMBER = 22, USE = 5 };

static void print_variables(const dae_description *d)
{
    int name = 4, unit = 4, what = 4;
    for (size_t i = 0; i < d->variables; i++) {
        name = widest(name, d->variable[i].name);
        unit = widest(unit, d->variable[i].unit);
        what = widest(what, kind(&d->variable[i]));
    }
    printf("  variables:\n    ");
    const char *const head[] = {"name", "unit", "kind", "start", "use", "value"};
    const int width[] = {name, unit, what, NUMBER, USE, NUMBER};
    for (int k = 0; k < 6; k++) print_cell(head[k], width[k]);
    printf("line\n");
    for (size_t i = 0; i < d->variables; i++) {
        const dae_described_variable *v = &d->variable[i];
        printf("    ");
        print_cell(v->name, name);
        print_cell(v->unit, unit);
        print_cell(kind(v), what);
        print_number(v->start, NUMBER);
        print_cell(v->start_use, USE);
        print_number(v->value, NUMBER);
        if (v->line) printf("%zu", v->line);
        putchar('\n');
    }
}

static void print_value(const dae_described_parameter *p)
{
    if (p->text)
        print_cell(p->text, NUMBER);
    else if (strcmp(p->type, "Boolean") == 0)
        print_cell(p->value != 0 ? "true" : "false", NUMBER);
    else
        print_number(p->value, NUMBER);
}

static void print_parameters(const dae_description *d)
{
    int name = 4, unit = 4;
    for (size_t i = 0; i < d->parameters; i++) {
        name = widest(name, d->parameter[i].name);
        unit = widest(unit, d->parameter[i].unit);
    }
    if (d->parameters > 0) printf("  parameters:\n");
    for (size_t i = 0; i < d->parameters; i++) {
        const dae_described_parameter *p = &d->parameter[i];
        printf("    ");
        print_cell(p->name, name);
        print_cell(p->unit, unit);
        print_value(p);
        printf("%zu\n", p->line);
    }
}

static void print_differentiated(const dae_description *d)
{
    if (d->differentiated > 0) printf("  differentiated equations:\n");
    for (size_t i = 0; i < d->differentiated; i++)
        printf("    %zu time%s  %s\n", d->differentiation[i].times,
               d->differentiation[i].times == 1 ? " " : "s", d->differentiation[i].text);
}

/* What is solved for, block by block; large ones with their equations. */
static void print_parts(const dae_description *d)
{
    printf("  blocks, in the order of computation:\n");
    for (size_t k = 0; k < d->blocks; k++) {
        const dae_described_block *b = &d->parts[k];
        printf("    ");
        for (size_t i = 0; i < b->size; i++) printf("%s%s", i ? ", " : "", b->unknown[i]);
        printf(b->size == 1 ? "  by  " : "  together by\n");
        for (size_t i = 0; i < b->size; i++)
            printf("%s%s\n", b->size == 1 ? "" : "      ", b->equation[i]);
        for (size_t i = 0; i < b->torn; i++)
            printf("%s%s", i ? ", " : "      torn: ", b->tearing[i]);
        if (b->torn > 0) printf("\n");
    }
}

void list_words_print(const dae_description *d)
{
    if (d->variables > 0) print_variables(d);
    print_parameters(d);
    print_differentiated(d);
    if (d->parts) print_parts(d);
}
