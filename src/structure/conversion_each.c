/* Converts a core part by part. */
#include "linalg/linear_solver_rows.h"
#include "structure/conversion_parts.h"
#include "structure/deceived_parts.h"

#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* The most times that parts are sought: a combination may hold more derivatives of what other parts
 * determine, which may make other equations depend on each other. */
enum { MOST_SEARCHES = 10 };

/* Up to so many equations that are linked are one part: their matrices cost little, and pivots are
 * chosen among all of them. */
enum { SMALL = 40 };

/* How often a part grows by the equations around it. */
enum { LAYERS = 3 };

/* A divisor of the combinations of a part: one of its rows, and whether the part was widened. */
typedef struct part_divisor {
    sym by;
    uint32_t row;
    bool wide;
} part_divisor;

/* The conversion of all parts of a core. */
typedef struct conversion_all {
    conversion v; /* of the core as a whole, without room for elimination */
    explicit_core *core;
    uint32_t *column_of; /* system's unknowns: of the part that is looked at; else INCIDENCE_NONE */
    bool *settled;       /* rows of the core: they were converted as wide parts, or cannot be */
    bool wide;           /* parts are those that were widened */
    bool led_nowhere;    /* combinations were given up: the structure is no better with them */
    LIST(part_divisor) divisor; /* also of combinations that were given up for others */
} conversion_all;

/* Pivots of the scaled Jacobian up to this size are none. */
static const double DEPENDENT = 1e-11;

static void scale(arena *a, const sparse_pattern *p, double *value)
{
    double *row, *column;
    arena_vectors(a, p->rows + 1, (double **[]){&row, &column, NULL});
    if (equilibrate(p, value, row, column) != DAE_OK) return;
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++)
            value[e] *= row[p->row[e]] * column[j];
}

/* The system Jacobian at the samples, scaled and without what is only rounding; NAN where it has no
 * values. */
static sparse_pattern *find_jacobian(conversion_all *all, double **value)
{
    conversion *v = &all->v;
    arena *a = v->a;
    const sym_entries *entries = structure_system_entries(v->p);
    size_t count = entries->count;
    double *at = arena_array(a, SAMPLES * count + 1, sizeof *at);
    double *rounding = arena_array(a, SAMPLES * count + 1, sizeof *rounding);
    sparse_entries where = sparse_entries_take(a, count);
    for (size_t k = 0; k < count; k++)
        sparse_entries_add(&where, entries->item[k].row, entries->item[k].column);
    bool found = conversion_find_samples(v, entries, at, rounding);
    sparse_pattern *p = sparse_entries_build(a, &where, v->n, v->n);
    *value = arena_array(a, SAMPLES * p->nonzeros + 1, sizeof **value);
    for (size_t k = 0; k < SAMPLES * count; k++) {
        bool rounded = fabs(at[k]) <= CONVERSION_ROUNDINGS * rounding[k];
        (*value)[k / count * p->nonzeros + where.where[k % count]] = !found    ? (double)NAN
                                                                     : rounded ? 0
                                                                               : at[k];
    }
    for (size_t s = 0; s < SAMPLES && found; s++) scale(a, p, *value + s * p->nonzeros);
    return p;
}

/* Everything that is linked to some parts, whatever the orders of what links it, as wider parts;
 * those of no more than `most` equations. */
static const deceived_parts *widen(const conversion_all *all, const deceived_parts *parts,
                                   size_t most)
{
    arena *a = all->v.a;
    size_t n = all->core->n;
    const incidence *in = structure_incidence(all->v.g, n, all->core->residual, n,
                                              all->core->column_of);
    sparse_entries entries = sparse_entries_take(a, in->start[n]);
    for (size_t i = 0; i < n; i++)
        for (size_t e = in->start[i]; e < in->start[i + 1]; e++)
            sparse_entries_add(&entries, i, in->column[e]);
    const sparse_pattern *p = sparse_entries_build(a, &entries, n, n);
    size_t *of_row = arena_array(a, n, sizeof *of_row),
           *of_column = arena_array(a, n, sizeof *of_column);
    size_t count = sparse_parts(a, p, of_row, of_column), *first, *first_column;
    bool *wanted = arena_array(a, count + 1, sizeof *wanted);
    for (size_t k = 0; k < parts->start[parts->count]; k++)
        if (!all->settled[parts->row[k]]) wanted[of_row[parts->row[k]]] = true;
    const size_t *row = sparse_members(a, count, n, of_row, &first);
    const size_t *column = sparse_members(a, count, n, of_column, &first_column);
    deceived_parts *found = arena_take(a, sizeof *found);
    found->start = arena_array(a, count + 1, sizeof *found->start);
    found->row = arena_array(a, n, sizeof *found->row);
    found->column = arena_array(a, n, sizeof *found->column);
    for (size_t k = 0, at = 0; k < count; k++) {
        if (!wanted[k] || first[k + 1] - first[k] > most) continue;
        for (size_t i = 0; i < first[k + 1] - first[k]; i++, at++) {
            found->row[at] = (uint32_t)row[first[k] + i];
            found->column[at] = (uint32_t)column[first_column[k] + i];
        }
        found->start[++found->count] = at;
    }
    return found;
}

/* All of the core. */
static const deceived_parts *take_whole(const conversion_all *all)
{
    arena *a = all->v.a;
    size_t n = all->core->n;
    deceived_parts *found = arena_take(a, sizeof *found);
    found->count = 1;
    found->start = arena_array(a, 2, sizeof *found->start);
    found->start[1] = n;
    found->row = arena_array(a, n, sizeof *found->row);
    for (uint32_t i = 0; i < n; i++) found->row[i] = i;
    return found;
}

/* Those of the parts that were not settled. */
static const deceived_parts *unsettled(const conversion_all *all, deceived_parts *parts)
{
    size_t count = 0, at = 0;
    for (size_t k = 0, from = 0; k < parts->count; k++) {
        size_t next = parts->start[k + 1];
        if (!all->settled[parts->row[from]]) {
            memmove(parts->row + at, parts->row + from, (next - from) * sizeof *parts->row);
            memmove(parts->column + at, parts->column + from, (next - from) * sizeof *parts->row);
            parts->start[++count] = at += next - from;
        }
        from = next;
    }
    parts->count = count;
    return parts;
}

/* NULL: the structure is not regular, or is no better than before. */
static const deceived_parts *find_parts(conversion_all *all)
{
    conversion *v = &all->v;
    const signature *before = v->s;
    double *value;
    const explicit_core *core = all->core;
    const incidence *in = structure_incidence(v->g, v->n, core->residual, v->n, core->column_of);
    v->s = structure_signature(v->a, in, NULL);
    if (!v->s->regular || (before && v->s->freedom >= before->freedom)) return NULL;
    v->p = structure_prolong(v->a, v->g, core, v->s->c, v->s->d);
    const sparse_pattern *p = find_jacobian(all, &value);
    return unsettled(all,
                     structure_deceived_parts(v->a, p, SAMPLES, value, DEPENDENT, v->s->match));
}

/* The unknowns of a part: its own columns, and after them what counts as known. */
static void take_unknowns(conversion_all *all, size_t n, const uint32_t *column,
                          explicit_core *part)
{
    arena *a = all->v.a;
    LIST(uint32_t) unknown = {0};
    for (uint32_t j = 0; j < n; j++) {
        uint32_t id = all->core->unknown[column[j]];
        list_push(a, &unknown, id);
        all->column_of[id] = j;
    }
    for (size_t i = 0; i < n; i++) {
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(all->v.g, part->residual[i], &leaf);
        for (size_t k = 0; k < leaves; k++) {
            if (all->column_of[leaf[k].id] != INCIDENCE_NONE) continue;
            all->column_of[leaf[k].id] = (uint32_t)unknown.count;
            list_push(a, &unknown, leaf[k].id);
        }
    }
    part->unknown = unknown.item;
    part->known = unknown.count - n;
    part->column_of = all->column_of;
}

/* Bring the residuals of a part, and what they are made of, to similar sizes. */
static void balance(conversion *v, sym *residual)
{
    size_t n = v->n;
    double *scale = arena_array(v->a, n, sizeof *scale);
    conversion_balance(v, scale);
    for (size_t i = 0; i < n; i++) {
        uint32_t number = sym_look(v->g, residual[n + i]).id - v->core->first_part;
        core_part *of = &v->part.item[number];
        residual[i] = sym_scale(v->g, scale[i], residual[i]);
        if (of->made == SYM_NONE && of->known)
            of->residual = residual[i];
        else
            residual[n + i] = conversion_add_part(v, residual[i],
                                                  sym_scale(v->g, scale[i], residual[n + i]));
    }
}

/* Convert one part. Returns how many residuals were replaced. */
static size_t convert_part(conversion_all *all, size_t n, const uint32_t *row,
                           const uint32_t *column)
{
    explicit_core *core = all->core, part = *core;
    arena *a = all->v.a;
    conversion v = all->v;
    part.n = n;
    part.divisors = 0;
    part.residual = arena_array(a, 2 * n, sizeof *part.residual);
    for (size_t i = 0; i < n; i++) {
        part.residual[i] = core->residual[row[i]];
        part.residual[n + i] = core->residual[core->n + row[i]];
    }
    take_unknowns(all, n, column, &part);
    v.core = &part;
    v.n = n;
    conversion_reserve(&v);
    sym *given = arena_duplicate(a, part.residual, 2 * n, sizeof *given);
    balance(&v, given);
    long replaced = conversion_take_best(&v, given);
    all->v.part = v.part;
    for (size_t i = 0; i < n && replaced > 0; i++) {
        core->residual[row[i]] = part.residual[i];
        core->residual[core->n + row[i]] = part.residual[n + i];
    }
    for (size_t i = 0; i < n && replaced <= 0; i++) {
        uint32_t number = sym_look(v.g, core->residual[core->n + row[i]]).id - core->first_part;
        v.part.item[number].residual = core->residual[row[i]];
    }
    for (size_t k = 0; k < part.divisors && replaced > 0; k++)
        list_push(a, &all->divisor, ((part_divisor){part.divisor[k], row[0], all->wide}));
    for (size_t j = 0; j < n + part.known; j++) all->column_of[part.unknown[j]] = INCIDENCE_NONE;
    return replaced > 0 ? (size_t)replaced : 0;
}

/* Convert each of these parts; *left: those that cannot be converted. Returns how many residuals
 * were replaced. */
static size_t convert_each(conversion_all *all, const deceived_parts *parts, deceived_parts *left)
{
    size_t replaced = 0, all_rows = parts->start[parts->count], at = 0;
    *left = (deceived_parts){.start = arena_array(all->v.a, parts->count + 1, sizeof *left->start),
                             .row = arena_array(all->v.a, all_rows, sizeof *left->row)};
    for (size_t k = 0; k < parts->count; k++) {
        size_t from = parts->start[k], rows = parts->start[k + 1] - from;
        size_t now = convert_part(all, rows, parts->row + from, parts->column + from);
        replaced += now;
        if (now > 0) continue;
        memcpy(left->row + at, parts->row + from, rows * sizeof *left->row);
        left->start[++left->count] = at += rows;
    }
    return replaced;
}

/* Convert parts until there are none that can be converted. *left: the parts that are left. */
static void convert_parts(conversion_all *all, deceived_parts *left)
{
    explicit_core *core = all->core;
    size_t now, bytes = 2 * core->n * sizeof *core->residual, divisors = 0;
    sym *before = arena_duplicate(all->v.a, core->residual, 2 * core->n, sizeof *before);
    all->v.s = NULL;
    for (int search = 0; search < MOST_SEARCHES; search++) {
        const deceived_parts *parts = find_parts(all);
        if (!parts) { /* what was replaced last has led nowhere */
            memcpy(core->residual, before, bytes);
            all->divisor.count = divisors;
            *left = *take_whole(all);
            all->led_nowhere = true;
            return;
        }
        memcpy(before, core->residual, bytes);
        divisors = all->divisor.count;
        now = convert_each(all, parts, left);
        if (now == 0) return;
    }
}

/* Take residuals of some rows from others. */
static void take_rows(const conversion_all *all, const deceived_parts *rows, const sym *from)
{
    size_t n = all->core->n;
    sym *residual = all->core->residual;
    for (size_t k = 0; k < rows->start[rows->count]; k++) {
        size_t i = rows->row[k];
        residual[i] = from[i], residual[n + i] = from[n + i];
    }
}

/* Convert everything that is linked to some parts, taken as it was given. Where it is not
 * converted, it stays so if it is SMALL: equations beside those of a combination embed
 * (embedding.h) less well than those that were given. Otherwise combinations for some parts that
 * are linked to others stay, however large the whole is. Returns whether all are converted. */
static bool convert_linked(conversion_all *all, const deceived_parts *parts, size_t most,
                           const sym *given)
{
    deceived_parts still;
    const deceived_parts *linked = widen(all, parts, most);
    size_t n = all->core->n;
    const sym *before = arena_duplicate(all->v.a, all->core->residual, 2 * n, sizeof *before);
    take_rows(all, linked, given);
    all->wide = true;
    convert_each(all, linked, &still);
    all->wide = false;
    for (size_t k = 0; k < linked->start[linked->count]; k++) all->settled[linked->row[k]] = true;
    if (most > SMALL) take_rows(all, &still, before);
    for (size_t k = 0; most > SMALL && k < still.start[still.count]; k++)
        all->settled[still.row[k]] = false;
    return still.count == 0;
}

/* Parts with the equations to which the structure assigns what counts as known in them. An equation
 * belongs to one part. NULL: none has grown. */
static const deceived_parts *grow(const conversion_all *all, const deceived_parts *parts)
{
    arena *a = all->v.a;
    const explicit_core *core = all->core;
    size_t n = core->n, at = 0;
    uint32_t *owner = arena_array(a, n, sizeof *owner);
    bool *used = arena_array(a, n, sizeof *used);
    deceived_parts *found = arena_take(a, sizeof *found);
    found->start = arena_array(a, parts->count + 1, sizeof *found->start);
    found->row = arena_array(a, n, sizeof *found->row);
    found->column = arena_array(a, n, sizeof *found->column);
    for (uint32_t i = 0; i < n; i++) owner[all->v.s->match[i]] = i;
    for (size_t k = 0; k < parts->start[parts->count]; k++) used[parts->row[k]] = true;
    for (size_t k = 0; k < parts->count; k++) {
        size_t begin = at, own = parts->start[k + 1] - parts->start[k];
        if (all->settled[parts->row[parts->start[k]]]) continue;
        memcpy(found->row + at, parts->row + parts->start[k], own * sizeof *found->row);
        at += own;
        for (size_t i = begin; i < begin + own; i++) {
            const sym_leaf *leaf;
            size_t leaves = sym_leaves(all->v.g, core->residual[found->row[i]], &leaf);
            for (size_t l = 0; l < leaves; l++) {
                uint32_t row = owner[core->column_of[leaf[l].id]];
                if (used[row]) continue;
                used[row] = true;
                found->row[at++] = row;
            }
        }
        if (at == begin + own || at - begin > DECEIVED_LARGEST) {
            at = begin;
            continue;
        }
        for (size_t i = begin; i < at; i++) found->column[i] = all->v.s->match[found->row[i]];
        found->start[++found->count] = at;
    }
    return found->count ? found : NULL;
}

/* Convert parts that are left with what is around them, as far as they are linked to too much to be
 * taken with all of it. *left: what is left then. */
static void convert_grown(conversion_all *all, deceived_parts *left)
{
    for (int layer = 0; layer < LAYERS && left->count > 0; layer++) {
        deceived_parts still;
        const deceived_parts *grown = grow(all, left);
        if (!grown) return;
        bool some = convert_each(all, grown, &still) > 0;
        *left = still;
        if (some) convert_parts(all, left);
        if (some && all->led_nowhere) return;
    }
}

/* Convert all of the core: as a whole what is linked to few equations, then part by part, and as a
 * whole what this leaves. */
static void convert_all(conversion_all *all)
{
    explicit_core *core = all->core;
    sym *given = arena_duplicate(all->v.a, core->residual, 2 * core->n, sizeof *given);
    deceived_parts left;
    const deceived_parts *parts = find_parts(all);
    if (!parts) return;
    bool none = parts->count == 0;
    core->partly = !convert_linked(all, none ? take_whole(all) : parts, SMALL, given);
    convert_parts(all, &left);
    if (none) left = *take_whole(all);
    core->partly = !convert_linked(all, &left, DECEIVED_LARGEST, given) || core->partly;
    for (size_t k = 0; k < left.start[left.count]; k++)
        core->partly = core->partly || !all->settled[left.row[k]];
    if (!none && !all->led_nowhere) convert_grown(all, &left);
}

static void take_divisors(const conversion_all *all)
{
    explicit_core *core = all->core;
    sym *by = arena_array(all->v.a, all->divisor.count, sizeof *by);
    for (size_t k = 0; k < all->divisor.count; k++) {
        const part_divisor *d = &all->divisor.item[k];
        if (d->wide == all->settled[d->row]) by[core->divisors++] = d->by;
    }
    core->divisor = by;
}

size_t structure_convert(const sym_system *system, explicit_core *core, const conversion_point *at)
{
    size_t n = core->n, unknowns = system->unknown.count, replaced = 0;
    arena *a = system->memory;
    conversion_all all = {.core = core};
    all.v = (conversion){
        .system = system, .g = system->graph, .a = a, .core = core, .point = at, .n = n};
    all.column_of = arena_array(a, unknowns, sizeof *all.column_of);
    for (size_t j = 0; j < unknowns; j++) all.column_of[j] = INCIDENCE_NONE;
    all.settled = arena_array(a, n, sizeof *all.settled);
    sym *own = core->residual;
    core->residual = arena_array(a, 2 * n, sizeof *own);
    core->first_part = (uint32_t)unknowns;
    memcpy(core->residual, own, n * sizeof *own);
    conversion_begin_parts(&all.v, core);
    const sym *given = arena_duplicate(a, core->residual + n, n, sizeof *given);
    convert_all(&all);
    for (size_t i = 0; i < n; i++) replaced += core->residual[n + i] != given[i];
    if (replaced == 0) {
        core->residual = own;
        return 0;
    }
    conversion_end_parts(&all.v, core);
    take_divisors(&all);
    return replaced;
}
