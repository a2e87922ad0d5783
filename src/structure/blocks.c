#include "structure/structure.h"

typedef struct walk {
    const incidence *in;
    const signature *s;
    const uint32_t *owner;  /* columns: the row assigned to each */
    uint32_t *number, *low; /* rows: order of discovery from 1; lowest reachable number */
    bool *on_stack;
    uint32_t *stack, *path; /* rows of open components; rows of the depth-first path */
    size_t *next;           /* rows: the next entry to visit */
    size_t stacked, depth;
    uint32_t found;
    blocks *result;
} walk;

static void open_row(walk *w, uint32_t row)
{
    w->number[row] = w->low[row] = ++w->found;
    w->next[row] = w->in->start[row];
    w->stack[w->stacked++] = row;
    w->on_stack[row] = true;
    w->path[w->depth++] = row;
}

static void close_row(walk *w, uint32_t row)
{
    w->depth--;
    if (w->depth > 0) {
        uint32_t above = w->path[w->depth - 1];
        if (w->low[row] < w->low[above]) w->low[above] = w->low[row];
    }
    if (w->low[row] != w->number[row]) return;
    blocks *b = w->result;
    size_t end = b->start[b->count];
    for (uint32_t member = INCIDENCE_NONE; member != row;) {
        member = w->stack[--w->stacked];
        w->on_stack[member] = false;
        b->row[end++] = member;
    }
    b->start[++b->count] = end;
}

static void visit(walk *w, uint32_t root)
{
    open_row(w, root);
    while (w->depth > 0) {
        uint32_t row = w->path[w->depth - 1];
        if (w->next[row] == w->in->start[row + 1]) {
            close_row(w, row);
            continue;
        }
        size_t e = w->next[row]++;
        uint32_t column = w->in->column[e];
        if (w->in->order[e] + w->s->c[row] != w->s->d[column]) continue;
        uint32_t needed = w->owner[column];
        if (w->number[needed] == 0)
            open_row(w, needed);
        else if (w->on_stack[needed] && w->number[needed] < w->low[row])
            w->low[row] = w->number[needed];
    }
}

blocks *structure_blocks(arena *a, const incidence *in, const signature *s)
{
    size_t n = in->rows;
    blocks *b = arena_take(a, sizeof *b);
    b->start = arena_array(a, n + 1, sizeof *b->start);
    b->row = arena_array(a, n, sizeof *b->row);
    uint32_t *owner = arena_array(a, n, sizeof *owner);
    for (uint32_t i = 0; i < n; i++) owner[s->match[i]] = i;
    walk w = {.in = in, .s = s, .owner = owner, .result = b};
    w.number = arena_array(a, n, sizeof *w.number);
    w.low = arena_array(a, n, sizeof *w.low);
    w.on_stack = arena_array(a, n, sizeof *w.on_stack);
    w.stack = arena_array(a, n, sizeof *w.stack);
    w.path = arena_array(a, n, sizeof *w.path);
    w.next = arena_array(a, n, sizeof *w.next);
    for (uint32_t row = 0; row < n; row++)
        if (w.number[row] == 0) visit(&w, row);
    arena_return(a, owner, n, sizeof *owner);
    arena_return(a, w.number, n, sizeof *w.number);
    arena_return(a, w.low, n, sizeof *w.low);
    arena_return(a, w.on_stack, n, sizeof *w.on_stack);
    arena_return(a, w.stack, n, sizeof *w.stack);
    arena_return(a, w.path, n, sizeof *w.path);
    arena_return(a, w.next, n, sizeof *w.next);
    return b;
}
