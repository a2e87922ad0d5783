/* Components of variables of record type: paths to them, and their names. */
#include "model/record.h"

typedef struct path_so_far {
    model_reader *r;
    LIST(model_expression *) subscript;
} path_so_far;

static model_symbol *member_called(model_reader *r, const model_symbol *s, uint32_t name)
{
    for (size_t i = 0; i < s->member.count; i++)
        if (model_same_name(r, s->member.item[i]->declaration->component, name))
            return s->member.item[i];
    return NULL;
}

void model_report_component(model_reader *r, model_span at, const model_class *record,
                            uint32_t name)
{
    enum { SHOWN = 8 };
    LIST(const char *) candidate = {0};
    const char *list = "", *spelled = model_spelled(r, name);
    for (size_t i = 0; i < record->declaration.count; i++) {
        list_push(r->a, &candidate, model_spelled(r, record->declaration.item[i]->name));
        if (i < SHOWN) list = arena_format(r->a, "%s%s%s", list, i ? ", " : "", candidate.item[i]);
    }
    model_error(r, at, "the record %s has no component %s", NULL, model_spelled(r, record->name),
                spelled);
    model_remedy(r, "its components: %s%s", list, candidate.count > SHOWN ? ", ..." : "");
    model_remedy_nearest(r, spelled, candidate.count, candidate.item);
}

/* Add the subscripts of a part for a variable with `rank` dimensions; whole dimensions for those
 * that have none, because others follow. */
static bool add_subscripts(path_so_far *p, const model_part *part, uint32_t rank, bool last)
{
    model_reader *r = p->r;
    if (part->count > rank)
        return model_error(r, part->at, "%u subscript%s for %s, which has %u dimension%s",
                           "it has no more than one for each dimension", (unsigned)part->count,
                           part->count == 1 ? "" : "s", model_spelled(r, part->name),
                           (unsigned)rank, rank == 1 ? "" : "s");
    for (uint32_t k = 0; k < part->count; k++) list_push(r->a, &p->subscript, part->subscript[k]);
    for (uint32_t k = part->count; k < rank && !last; k++) {
        model_expression *whole = arena_take(r->a, sizeof *whole);
        *whole = (model_expression){.kind = EXPRESSION_COLON, .at = part->at};
        list_push(r->a, &p->subscript, whole);
    }
    return true;
}

model_symbol *model_follow_members(model_reader *r, model_symbol *s, const model_part **part)
{
    const model_part *at = *part;
    path_so_far p = {.r = r};
    uint32_t rank = (uint32_t)s->sizes.count;
    if (!at->next) return s;
    while (at->next && s->type.base == TYPE_RECORD) {
        model_symbol *member = member_called(r, s, at->next->name);
        if (!member) {
            if (!s->type.declared->incomplete)
                model_report_component(r, at->next->at, s->type.declared, at->next->name);
            return NULL;
        }
        if (!add_subscripts(&p, at, rank, false)) return NULL;
        rank = (uint32_t)(member->sizes.count - s->sizes.count);
        s = member;
        at = at->next;
    }
    if (!add_subscripts(&p, at, rank, true)) return NULL;
    while (p.subscript.count && at->count == 0 &&
           p.subscript.item[p.subscript.count - 1]->kind == EXPRESSION_COLON)
        p.subscript.count--;
    model_part *whole = arena_duplicate(r->a, at, 1, sizeof *whole);
    whole->at = (model_span){(*part)->at.begin, at->at.end};
    whole->count = (uint32_t)p.subscript.count;
    whole->subscript = p.subscript.item;
    *part = whole;
    return s;
}

/* Names of large arrays are many. */
static const char *join(arena *a, const char *name, const char *index)
{
    size_t before = strlen(name), behind = strlen(index) + 1;
    char *both = arena_array(a, before + behind, 1);
    memcpy(both, name, before);
    memcpy(both + before, index, behind);
    return both;
}

const char *model_element_name(model_reader *r, const model_symbol *s, size_t i)
{
    const model_value *v = &s->value;
    if (!v->rank) return s->name;
    if (!s->owner) return join(r->a, s->name, model_index_text(r->a, v->rank, v->size, i));
    const char *name = "";
    for (uint32_t end = v->rank; s; s = s->owner) {
        uint32_t begin = s->owner ? (uint32_t)s->owner->sizes.count : 0;
        size_t inner = 1, own = 1;
        for (uint32_t k = end; k < v->rank; k++) inner *= v->size[k];
        for (uint32_t k = begin; k < end; k++) own *= v->size[k];
        const char *index = begin == end ? ""
                                         : model_index_text(r->a, end - begin, v->size + begin,
                                                            i / inner % own);
        const char *spelled = s->owner ? model_spelled(r, s->declaration->component) : s->name;
        name = arena_format(r->a, "%s%s%s%s", spelled, index, *name ? "." : "", name);
        end = begin;
    }
    return name;
}

void model_use_symbol(model_reader *r, model_nodes *uses, model_symbol *s)
{
    if (s->type.base != TYPE_RECORD) list_push(r->a, uses, &s->node);
    for (size_t i = 0; i < s->member.count; i++) model_use_symbol(r, uses, s->member.item[i]);
}
