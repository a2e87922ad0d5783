#include "structure/structure.h"

#include "symbolic/calls.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Lists longer than this end in "and ... more". */
enum { LONGEST_LIST = 20 };

static place first_place(const sym_system *system, const deficient *d)
{
    if (d->over_rows) return system->equation.item[d->over_row[d->over_rows - 1]].at;
    if (d->under_columns) return system->unknown.item[d->under_column[0]].at;
    return system->at;
}

static void begin_report(const sym_system *system, place at, message *m)
{
    message_fail(m, DAE_STRUCTURE, "%s:%u:%u: error: ", system->file, at.line, at.column);
}

static void list_equations(const sym_system *system, size_t count, const uint32_t *number,
                           message *m)
{
    for (size_t i = 0; i < count && i < LONGEST_LIST; i++) {
        message_more(m, "\n    ");
        sym_equation_name(system, &system->equation.item[number ? number[i] : i], &m->sentence);
    }
    if (count > LONGEST_LIST) message_more(m, "\n    and %zu more", count - LONGEST_LIST);
}

void structure_list_unknowns(const sym_system *system, size_t count, const uint32_t *number,
                             message *m)
{
    for (size_t i = 0; i < count && i < LONGEST_LIST; i++)
        message_more(m, "%s%s", i ? ", " : "", system->unknown.item[number ? number[i] : i].name);
    if (count > LONGEST_LIST) message_more(m, " and %zu more", count - LONGEST_LIST);
}

static void report_open_inputs(const sym_system *system, const deficient *d, message *m)
{
    size_t named = 0;
    for (size_t i = 0; i < d->under_columns; i++) {
        const sym_unknown *u = &system->unknown.item[d->under_column ? d->under_column[i] : i];
        if (!u->open || named++ >= LONGEST_LIST) continue;
        message_more(m, "%s%s", named == 1 ? "\n  not connected: " : ", ", u->name);
    }
    if (named > LONGEST_LIST) message_more(m, " and %zu more", named - LONGEST_LIST);
}

/* The name of the connector whose flow is 0 in an equation, because nothing is connected to it: so
 * many characters of *name; 0: it is no such equation. */
static size_t open_end(const sym_system *system, size_t equation, const char **name)
{
    const sym_equation *e = &system->equation.item[equation];
    sym_view flow = sym_look(system->graph, e->lhs);
    if (!e->unconnected || flow.op != SYM_VARIABLE) return 0;
    *name = system->unknown.item[flow.id].name;
    const char *dot = strrchr(*name, '.');
    return dot ? (size_t)(dot - *name) : strlen(*name);
}

static void name_open_end(size_t number, const char *name, size_t length, message *m)
{
    if (number <= LONGEST_LIST)
        message_more(m, "%s%.*s", number == 1 ? "\n  not connected: " : ", ", (int)length, name);
}

/* The connectors of which these equations are such. */
static void report_open_ends(const sym_system *system, size_t count, const uint32_t *number,
                             message *m)
{
    size_t named = 0;
    for (size_t i = 0; i < count; i++) {
        const char *name;
        size_t length = open_end(system, number[i], &name);
        if (length > 0) name_open_end(++named, name, length, m);
    }
    if (named > LONGEST_LIST) message_more(m, " and %zu more", named - LONGEST_LIST);
}

static bool is_of_connector(const char *unknown, const char *name, size_t length)
{
    return strncmp(unknown, name, length) == 0 && unknown[length] == '.';
}

/* Whether another variable of the connector with this flow is marked: they are declared together.
 */
static bool has_marked(const sym_system *system, size_t flow, size_t length, const bool *marked)
{
    const char *name = system->unknown.item[flow].name;
    size_t from = flow, to = flow + 1;
    while (from > 0 && is_of_connector(system->unknown.item[from - 1].name, name, length)) from--;
    while (to < system->unknown.count &&
           is_of_connector(system->unknown.item[to].name, name, length))
        to++;
    for (size_t j = from; j < to; j++)
        if (marked[j]) return true;
    return false;
}

/* Those of which another variable is under-determined, as the enthalpy of what flows in. */
static void report_open_ends_under(const sym_system *system, const deficient *d, message *m)
{
    bool *marked = d->under_column ? calloc(system->unknown.count + 1, sizeof *marked) : NULL;
    size_t named = 0;
    if (!marked) return;
    for (size_t j = 0; j < d->under_columns; j++) marked[d->under_column[j]] = true;
    for (size_t i = 0; i < system->equation.count; i++) {
        const char *name;
        size_t length = open_end(system, i, &name);
        if (length == 0) continue;
        size_t flow = sym_look(system->graph, system->equation.item[i].lhs).id;
        if (has_marked(system, flow, length, marked)) name_open_end(++named, name, length, m);
    }
    if (named > LONGEST_LIST) message_more(m, " and %zu more", named - LONGEST_LIST);
    free(marked);
}

/* What is 0 in these equations by parameters. */
static void report_left_out(const sym_system *system, size_t count, const uint32_t *number,
                            message *m)
{
    for (size_t i = 0; i < count && i < LONGEST_LIST; i++)
        sym_name_left_out(system, &system->equation.item[number[i]], &m->sentence);
}

static void report_parts(const sym_system *system, const deficient *d, message *m)
{
    if (d->over_rows) {
        message_more(m, "\n  over-determined: %zu equations for %zu unknown%s", d->over_rows,
                     d->over_columns, d->over_columns == 1 ? "" : "s");
        if (d->over_columns) message_more(m, " (");
        structure_list_unknowns(system, d->over_columns, d->over_column, m);
        if (d->over_columns) message_more(m, ")");
        list_equations(system, d->over_rows, d->over_row, m);
        report_open_ends(system, d->over_rows, d->over_row, m);
        report_left_out(system, d->over_rows, d->over_row, m);
    }
    if (d->under_columns) {
        message_more(m, "\n  under-determined: ");
        structure_list_unknowns(system, d->under_columns, d->under_column, m);
        if (d->under_rows == 0) {
            message_more(m, d->under_columns == 1 ? " occurs in no equation"
                                                  : " occur in no equation");
        } else {
            message_more(m, " occur in only %zu equation%s", d->under_rows,
                         d->under_rows == 1 ? "" : "s");
            list_equations(system, d->under_rows, d->under_row, m);
        }
        report_open_inputs(system, d, m);
        report_open_ends_under(system, d, m);
    }
}

static void report_counts(const sym_system *system, const deficient *d, message *m)
{
    size_t equations = system->equation.count, unknowns = system->unknown.count;
    size_t hidden = system->hidden;
    bool few = equations < unknowns;
    size_t lacking = few ? unknowns - equations : equations - unknowns;
    begin_report(system, first_place(system, d), m);
    message_more(m, "too %s equations: %zu equation%s for %zu unknown%s", few ? "few" : "many",
                 equations - hidden, equations - hidden == 1 ? "" : "s", unknowns - hidden,
                 unknowns - hidden == 1 ? "" : "s");
    if (d->over_rows < equations) { /* otherwise they are listed as over-determined */
        message_more(m, "\n  equations:");
        list_equations(system, equations, NULL, m);
        message_more(m, "\n  unknowns: ");
        structure_list_unknowns(system, unknowns - hidden, NULL, m);
    }
    report_parts(system, d, m);
    if (few)
        message_more(m,
                     "\n  remedy: add %zu equation%s, or make that many of the under-determined "
                     "variables parameters",
                     lacking, lacking == 1 ? "" : "s");
    else
        message_more(m,
                     "\n  remedy: take out %zu of the over-determining equations, or declare %zu "
                     "of the parameters in them as variables, to be solved for",
                     lacking, lacking);
}

static void report_singular(const sym_system *system, const deficient *d, message *m)
{
    begin_report(system, first_place(system, d), m);
    message_more(m, "the equations are structurally singular: not each of them can be given "
                    "an unknown of its own");
    report_parts(system, d, m);
    message_more(m,
                 "\n  remedy: replace one of the over-determining equations by one that contains "
                 "an under-determined variable");
}

/* A discrete variable is an unknown for its name in the results alone: it makes no equation
 * algebraic. */
static size_t index_without_discrete(const sym_system *system, const signature *s)
{
    size_t highest = 0;
    bool algebraic = false;
    for (size_t i = 0; i < system->equation.count; i++)
        if (s->c[i] > highest) highest = s->c[i];
    for (size_t j = 0; j < system->unknown.count; j++)
        algebraic = algebraic || (s->d[j] == 0 && !system->unknown.item[j].discrete);
    return highest + algebraic;
}

static bool is_call(sym_op op)
{
    return op == SYM_CALL;
}

/* Whether an equation that is differentiated c times needs no derivative of a difference. Else it
 * is reported: such a derivative would have errors far above those of the solution. */
static bool is_steady(const sym_system *system, size_t i, sym residual, size_t c, message *m)
{
    sym f = residual;
    if (c < 2 || !sym_any(system->graph, 1, &residual, is_call)) return true;
    for (size_t k = 0; k < c; k++) f = sym_time_derivative(system->graph, f);
    const sym_callee *callee = sym_call_unsteady(system->graph, f);
    if (!callee) return true;
    begin_report(system, system->equation.item[i].at, m);
    message_more(m, "the index reduction differentiates ");
    sym_equation_name(system, &system->equation.item[i], &m->sentence);
    message_more(m,
                 " %zu times, but the derivatives of the external function %s are found by "
                 "differences, which are not exact enough to be differentiated again\n  remedy: "
                 "give it annotation(derivative = ...), and that function one with order = 2",
                 c, callee->name);
    return false;
}

structure *structure_analyze(const sym_system *system, message *m)
{
    arena *a = system->memory;
    size_t equations = system->equation.count, unknowns = system->unknown.count;
    if (equations == 0 && unknowns == 0) {
        begin_report(system, system->at, m);
        message_more(m,
                     "model %s is empty: it has no equations and no unknowns, there is nothing "
                     "to solve",
                     system->name);
        return NULL;
    }
    sym *residual = arena_array(a, equations, sizeof *residual);
    uint32_t *column_of = arena_array(a, unknowns, sizeof *column_of);
    for (size_t i = 0; i < equations; i++) residual[i] = sym_residual(system, i);
    for (uint32_t j = 0; j < unknowns; j++) column_of[j] = j;
    structure *found = arena_take(a, sizeof *found);
    found->in = structure_incidence(system->graph, equations, residual, unknowns, column_of);
    if (equations != unknowns) {
        report_counts(system, structure_deficient(a, found->in), m);
        return NULL;
    }
    found->s = structure_signature(a, found->in, NULL);
    if (!found->s->regular) {
        report_singular(system, structure_deficient(a, found->in), m);
        return NULL;
    }
    for (size_t i = 0; i < equations; i++)
        if (!is_steady(system, i, residual[i], found->s->c[i], m)) return NULL;
    found->s->index = index_without_discrete(system, found->s);
    found->blocks = structure_blocks(a, found->in, found->s);
    return found;
}

static incidence *copy_incidence(arena *a, const incidence *from)
{
    incidence *in = arena_duplicate(a, from, 1, sizeof *in);
    size_t entries = from->start[from->rows];
    in->start = arena_duplicate(a, from->start, from->rows + 1, sizeof *in->start);
    in->column = arena_duplicate(a, from->column, entries, sizeof *in->column);
    in->order = arena_duplicate(a, from->order, entries, sizeof *in->order);
    return in;
}

structure *structure_copy(arena *a, const structure *from)
{
    size_t n = from->in->rows;
    structure *to = arena_take(a, sizeof *to);
    to->in = copy_incidence(a, from->in);
    to->s = arena_duplicate(a, from->s, 1, sizeof *to->s);
    to->s->c = arena_duplicate(a, from->s->c, n, sizeof *to->s->c);
    to->s->d = arena_duplicate(a, from->s->d, n, sizeof *to->s->d);
    to->s->match = arena_duplicate(a, from->s->match, n, sizeof *to->s->match);
    to->blocks = arena_duplicate(a, from->blocks, 1, sizeof *to->blocks);
    to->blocks->start = arena_duplicate(a, from->blocks->start, from->blocks->count + 1,
                                        sizeof *to->blocks->start);
    to->blocks->row = arena_duplicate(a, from->blocks->row, n, sizeof *to->blocks->row);
    return to;
}
