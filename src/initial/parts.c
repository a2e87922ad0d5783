#include "initial/parts.h"

#include "linalg/rows.h"
#include "linalg/sparse.h"

#include <stdlib.h>
#include <string.h>

/* The pattern without the entries of fixed columns. */
static sparse_pattern without_fixed(arena *a, const start_system *s)
{
    sparse_pattern free = *s->pattern;
    sparse_index nonzeros = 0;
    free.start = arena_array(a, free.columns + 1, sizeof *free.start);
    free.row = arena_array(a, free.nonzeros, sizeof *free.row);
    for (size_t j = 0; j < free.columns; j++) {
        for (sparse_index k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++)
            if (!s->fixed[j]) free.row[nonzeros++] = s->pattern->row[k];
        free.start[j + 1] = nonzeros;
    }
    return free;
}

/* Entries listed part by part. */
typedef struct listing {
    size_t *last; /* parts: the entry listed last, from 1 */
    size_t *next; /* parts: how many there are, or the place of the next one in `list` */
    size_t *list; /* NULL: they are only counted */
} listing;

static void list_in_part(listing *l, size_t part, size_t entry)
{
    if (l->last[part] == entry + 1) return;
    l->last[part] = entry + 1;
    size_t place = l->next[part]++;
    if (l->list) l->list[place] = entry;
}

/* Lists each entry in the parts of its rows; fixed ones may be in several. */
static void list_all(const start_system *s, const size_t *row_part, listing *l)
{
    const sparse_pattern *all = s->pattern;
    for (size_t j = 0; j < s->size; j++) {
        bool anywhere = false;
        for (sparse_index k = all->start[j]; k < all->start[j + 1]; k++) {
            if ((size_t)all->row[k] >= s->rows) continue;
            list_in_part(l, row_part[all->row[k]], j);
            anywhere = true;
        }
        if (!anywhere) list_in_part(l, 0, j);
    }
}

/* The entries of each part, ascending. */
static void list_entries(start_parts *p, const size_t *row_part)
{
    arena *a = &p->memory;
    size_t *first = arena_array(a, p->count + 1, sizeof *first);
    listing l = {.last = arena_array(a, p->count, sizeof *l.last),
                 .next = arena_array(a, p->count, sizeof *l.next)};
    list_all(p->s, row_part, &l);
    for (size_t k = 0; k < p->count; k++) {
        first[k + 1] = first[k] + l.next[k];
        l.next[k] = first[k];
        l.last[k] = 0;
    }
    l.list = p->entry = arena_array(a, first[p->count], sizeof *p->entry);
    list_all(p->s, row_part, &l);
    p->first_entry = first;
}

typedef struct finding {
    start_parts *p;
    parts_linked linked;
} finding;

static void find(void *self)
{
    const finding *f = self;
    start_parts *p = f->p;
    const start_system *s = p->s;
    arena *a = &p->memory;
    size_t rows = s->pattern->rows, *row_part = arena_array(a, rows, sizeof *row_part),
           *entry_part = arena_array(a, s->size, sizeof *entry_part);
    sparse_pattern linking = f->linked == LINKED_BY_ALL ? *s->pattern : without_fixed(a, s);
    p->count = sparse_parts(a, &linking, row_part, entry_part);
    for (size_t i = 0; i < s->rows && f->linked == LINKED_BY_FREE; i++)
        if (row_part[i] == SPARSE_NO_PART) row_part[i] = p->count++; /* each is one by itself */
    if (p->count < 2) return;
    p->row = sparse_members(a, p->count, s->rows, row_part, &p->first_row);
    list_entries(p, row_part);
    p->local = arena_array(a, rows, sizeof *p->local);
    p->z = arena_array(a, s->size, sizeof *p->z);
    p->r = arena_array(a, rows, sizeof *p->r);
    p->value = arena_array(a, s->pattern->nonzeros, sizeof *p->value);
    memcpy(p->z, s->guess, s->size * sizeof *p->z);
    if (s->form->divide) p->division = s->form->divide(s->self, a);
}

dae_status start_parts_find(start_parts *p, const start_system *s, parts_linked linked)
{
    finding f = {.p = p, .linked = linked};
    *p = (start_parts){.s = s, .count = 1};
    bool divisible = s->form->rows_apart && !s->incomplete && s->size > 1;
    return divisible ? arena_protect(&p->memory, find, &f) : DAE_OK;
}

void start_parts_free(start_parts *p)
{
    arena_free(&p->memory);
}

void start_view_put(const start_view *v, const double *z, double *whole)
{
    for (size_t j = 0; j < v->system.size; j++) whole[v->entry[j]] = z[j];
}

static dae_status value_alone(const start_view *v, double t, const double *z, double *r)
{
    v->parts->s->form->part_value(v->alone, t, z, r);
    return vector_is_finite(v->system.rows, r) ? DAE_OK : DAE_NOT_EVALUABLE;
}

/* The other parts are at their guesses, so that none is where another one has failed. */
static void view_leave(const start_view *v)
{
    start_parts *p = v->parts;
    for (size_t j = 0; j < v->system.size; j++) p->z[v->entry[j]] = p->s->guess[v->entry[j]];
}

/* Other rows may have no value where this part is. */
static dae_status view_value(void *self, double t, const double *z, double *r)
{
    const start_view *v = self;
    start_parts *p = v->parts;
    if (v->alone) return value_alone(v, t, z, r);
    start_view_put(v, z, p->z);
    dae_status status = p->s->form->value(p->s->self, t, p->z, p->r);
    view_leave(v);
    if (status != DAE_OK && status != DAE_NOT_EVALUABLE) return status;
    for (size_t i = 0; i < v->system.rows; i++) r[i] = p->r[v->row[i]];
    return vector_is_finite(v->system.rows, r) ? DAE_OK : DAE_NOT_EVALUABLE;
}

static dae_status view_jacobian(void *self, double t, const double *z, double *value)
{
    const start_view *v = self;
    start_parts *p = v->parts;
    if (v->alone) {
        p->s->form->part_jacobian(v->alone, t, z, value);
        return DAE_OK;
    }
    start_view_put(v, z, p->z);
    dae_status status = p->s->form->jacobian(p->s->self, t, p->z, p->value);
    view_leave(v);
    for (size_t k = 0; k < v->system.pattern->nonzeros; k++) value[k] = p->value[v->nonzero[k]];
    return status;
}

static void view_name_row(void *self, size_t row, text *t)
{
    const start_view *v = self;
    v->parts->s->form->name_row(v->parts->s->self, v->row[row], t);
}

static void view_locate_row(void *self, size_t row, text *t)
{
    const start_view *v = self;
    v->parts->s->form->locate_row(v->parts->s->self, v->row[row], t);
}

static void view_name_entry(void *self, size_t entry, text *t)
{
    const start_view *v = self;
    v->parts->s->form->name_entry(v->parts->s->self, v->entry[entry], t);
}

static void view_report_values(void *self, size_t row, double t, const double *z, text *reported)
{
    const start_view *v = self;
    const start_system *s = v->parts->s;
    start_view_put(v, z, v->parts->z);
    if (s->form->report_values)
        s->form->report_values(s->self, v->row[row], t, v->parts->z, reported);
}

static void view_report_beside(void *self, size_t count, const size_t *row, text *reported)
{
    const start_view *v = self;
    const start_system *s = v->parts->s;
    size_t *whole = malloc((count + 1) * sizeof *whole);
    for (size_t i = 0; i < count && whole; i++) whole[i] = v->row[row[i]];
    if (whole && s->form->report_beside) s->form->report_beside(s->self, count, whole, reported);
    free(whole);
}

static bool view_holds(void *self, double t, const double *z)
{
    const start_view *v = self;
    const start_system *s = v->parts->s;
    start_view_put(v, z, v->parts->z);
    return !s->form->holds || s->form->holds(s->self, t, v->parts->z);
}

static const start_form view_form = {
    .rows_apart = true,
    .value = view_value,
    .jacobian = view_jacobian,
    .name_row = view_name_row,
    .locate_row = view_locate_row,
    .name_entry = view_name_entry,
    .report_values = view_report_values,
    .report_beside = view_report_beside,
    .holds = view_holds,
};

bool start_is_of_text(const start_system *s)
{
    const start_view *v = s->form == &view_form ? s->self : NULL;
    return (v ? v->parts->s->form : s->form)->divide != NULL;
}

typedef struct choice {
    start_view *v;
    const start_system *s;
    const size_t *part;
    size_t count;
} choice;

static int by_place(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The members of the chosen parts, ascending, and the part of each. */
static size_t *choose(const choice *c, const size_t *first, const size_t *member, size_t *count,
                      size_t **part_of)
{
    arena *a = &c->v->memory;
    *count = 0;
    for (size_t k = 0; k < c->count; k++) *count += first[c->part[k] + 1] - first[c->part[k]];
    size_t(*pair)[2] = arena_array(a, *count, sizeof *pair), found = 0;
    for (size_t k = 0; k < c->count; k++)
        for (size_t i = first[c->part[k]]; i < first[c->part[k] + 1]; i++, found++)
            pair[found][0] = member[i], pair[found][1] = k;
    if (c->count > 1) qsort(pair, *count, sizeof *pair, by_place);
    size_t *chosen = arena_array(a, found, sizeof *chosen);
    *part_of = arena_array(a, found, sizeof **part_of);
    *count = 0;
    for (size_t i = 0; i < found; i++) { /* fixed entries may be in several parts */
        if (i > 0 && pair[i][0] == pair[i - 1][0]) continue;
        chosen[*count] = pair[i][0];
        (*part_of)[(*count)++] = pair[i][1];
    }
    arena_return(a, pair, found, sizeof *pair);
    return chosen;
}

/* Whether a row of the whole is one of the view, in which a fixed entry of several parts has
 * others.
 */
static bool is_chosen(const start_view *v, size_t row, size_t rows)
{
    size_t i = v->parts->local[row];
    return i < rows && v->row[i] == row;
}

static sparse_pattern *build_pattern(start_view *v, const start_system *s, size_t rows)
{
    const sparse_pattern *all = s->pattern;
    arena *a = &v->memory;
    size_t most = 0, *local = v->parts->local;
    for (size_t j = 0; j < v->system.size; j++)
        most += (size_t)(all->start[v->entry[j] + 1] - all->start[v->entry[j]]);
    for (size_t i = 0; i < rows; i++) local[v->row[i]] = i;
    sparse_entries e = sparse_entries_take(a, most);
    for (size_t j = 0; j < v->system.size; j++)
        for (sparse_index k = all->start[v->entry[j]]; k < all->start[v->entry[j] + 1]; k++)
            if (is_chosen(v, (size_t)all->row[k], rows))
                sparse_entries_add_from(&e, local[all->row[k]], j, (size_t)k);
    return sparse_entries_build_from(a, &e, rows, v->system.size, &v->nonzero);
}

static const bool *choose_flags(start_view *v, const bool *whole)
{
    if (!whole) return NULL;
    bool *flag = arena_array(&v->memory, v->system.size, sizeof *flag);
    for (size_t j = 0; j < v->system.size; j++) flag[j] = whole[v->entry[j]];
    return flag;
}

static const double *choose_values(start_view *v, const double *whole)
{
    double *value = arena_array(&v->memory, v->system.size, sizeof *value);
    for (size_t j = 0; j < v->system.size; j++) value[j] = whole[v->entry[j]];
    return value;
}

static void build(void *self)
{
    const choice *c = self;
    const start_system *s = c->s;
    start_view *v = c->v;
    const start_parts *p = v->parts;
    start_system *own = &v->system;
    *own = *s;
    own->form = &view_form;
    own->self = v;
    own->of_parts = true;
    own->taken = NULL; /* noted of the whole, as what is redundant */
    own->redundancy = NULL;
    v->row = choose(c, p->first_row, p->row, &own->rows, &v->part_of_row);
    v->entry = choose(c, p->first_entry, p->entry, &own->size, &v->part_of_entry);
    own->equations = 0;
    while (own->equations < own->rows && v->row[own->equations] < s->equations) own->equations++;
    own->pattern = build_pattern(v, s, own->rows);
    own->guess = choose_values(v, s->guess);
    if (s->start) own->start = choose_values(v, s->start);
    own->nominal = choose_values(v, s->nominal);
    own->preference = choose_values(v, s->preference);
    own->given = choose_flags(v, s->given);
    own->fixed = choose_flags(v, s->fixed);
    own->held = choose_flags(v, s->held);
    own->guessed = choose_flags(v, s->guessed);
    own->states = choose_flags(v, s->states);
    own->leading = choose_flags(v, s->leading);
    own->variable = choose_flags(v, s->variable);
    own->differentiated = choose_flags(v, s->differentiated);
    if (s->nearest) own->nearest = arena_array(&v->memory, own->size, sizeof *own->nearest);
    const start_choice own_rows = {.rows = own->rows,
                                   .entries = own->size,
                                   .nonzeros = own->pattern->nonzeros,
                                   .row = v->row,
                                   .entry = v->entry,
                                   .nonzero = v->nonzero};
    /* to take apart more than half of all costs more than the rest that is evaluated with it */
    if (p->division && c->count < p->count && 2 * own->rows <= s->rows)
        v->alone = s->form->part(p->division, &v->memory, &own_rows);
}

dae_status start_view_create(start_view **created, start_parts *p, const start_system *s,
                             const size_t *part, size_t count)
{
    start_view *v = calloc(1, sizeof *v);
    if (!v) return DAE_NO_MEMORY;
    v->parts = p;
    choice c = {.v = v, .s = s, .part = part, .count = count};
    dae_status status = arena_protect(&v->memory, build, &c);
    if (status == DAE_OK)
        *created = v;
    else
        start_view_free(v);
    return status;
}

void start_view_free(start_view *v)
{
    if (!v) return;
    arena_free(&v->memory);
    free(v);
}
