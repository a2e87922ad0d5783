/* Values of records. */
#include "model/record.h"

#include "model/evaluator.h"
#include "symbolic/simplify.h"

#include <string.h>

bool model_same_name(const model_reader *r, uint32_t a, uint32_t b)
{
    return a == b || strcmp(model_spelled(r, a), model_spelled(r, b)) == 0;
}

/* The components of a record in order. */
static size_t component_count(const model_class *record)
{
    return record->declaration.count;
}

static uint32_t component_name(const model_class *record, size_t i)
{
    return record->declaration.item[i]->name;
}

const model_value *model_component(const model_reader *r, const model_value *v, uint32_t name)
{
    const model_class *record = v->type.declared;
    for (size_t i = 0; i < component_count(record); i++)
        if (model_same_name(r, component_name(record, i), name)) return &v->member[i];
    return NULL;
}

bool model_same_components(const model_reader *r, const model_class *a, const model_class *b)
{
    if (a == b) return true;
    bool same = component_count(a) == component_count(b);
    for (size_t i = 0; i < component_count(a) && same; i++) {
        bool found = false;
        for (size_t k = 0; k < component_count(b) && !found; k++)
            found = model_same_name(r, component_name(a, i), component_name(b, k));
        same = found;
    }
    return same;
}

/* --- variables --- */

static model_value shape_of(model_reader *r, model_symbol *s, bool local)
{
    if (local) return r->mode.frame[s->slot];
    return model_symbol_size(r, s) ? s->value : model_none();
}

static model_value value_now(model_reader *r, model_symbol *s, bool local)
{
    if (s->type.base == TYPE_RECORD) return model_record_value(r, s, local);
    if (local) return r->mode.frame[s->slot];
    return s->shadow ? *s->shadow : model_symbol_value(r, s);
}

model_value model_record_value(model_reader *r, model_symbol *s, bool local)
{
    size_t count = component_count(s->type.declared);
    model_value v = shape_of(r, s, local);
    if (v.type.base == TYPE_NONE || s->member.count != count) return model_none();
    model_value *member = arena_array(r->a, count, sizeof *member);
    bool known = true;
    for (size_t i = 0; i < count; i++) {
        member[i] = value_now(r, s->member.item[i], local);
        known = known && member[i].type.base != TYPE_NONE;
    }
    v.type = s->type;
    v.member = member;
    return known ? v : model_none();
}

const char *model_unassigned(model_reader *r, const char *name, const model_value *v)
{
    if (v->type.base != TYPE_RECORD) {
        for (size_t i = 0; i < v->count; i++)
            if (model_element(v, i) == SYM_NONE) return name;
        return NULL;
    }
    const model_class *record = v->type.declared;
    for (size_t i = 0; i < component_count(record); i++) {
        const char *of = arena_format(r->a, "%s.%s", name,
                                      model_spelled(r, component_name(record, i)));
        const char *found = model_unassigned(r, of, &v->member[i]);
        if (found) return found;
    }
    return NULL;
}

/* --- expressions --- */

/* The value of a record where a variable is declared. */
static model_value kept_value(model_reader *r, model_expression *e, model_kept *kept)
{
    if (kept && kept->local && r->mode.frame[kept->slot].member) return r->mode.frame[kept->slot];
    if (!kept || kept->local || !r->placed) return model_evaluate(r, e);
    if (!kept->known) {
        model_value v = model_evaluate(r, e);
        kept->value = arena_duplicate(r->a, &v, 1, sizeof v);
        kept->known = true;
    }
    return *kept->value;
}

model_value model_member_value(model_reader *r, model_expression *e)
{
    model_value v = kept_value(r, e->operand[0], e->member->kept);
    const model_class *record = e->member->record;
    if (v.type.base == TYPE_NONE) return v;
    bool other = record &&
                 (v.type.base != TYPE_RECORD || !model_same_components(r, record, v.type.declared));
    if (other) {
        const char *name = model_spelled(r, record->name);
        model_report_type(r, e->operand[0], &v, arena_format(r->a, "a value of %s", name));
        model_remedy(r, "it is written %s(...)", name);
        return model_none();
    }
    if (v.type.base != TYPE_RECORD)
        return model_fail(r, e->member->at, "%s is %s and has no component %s",
                          "a component belongs to a record", model_shown(r, e->operand[0]),
                          model_type_text(r, v.type), model_spelled(r, e->member->name));
    const model_value *member = model_component(r, &v, e->member->name);
    if (member) return *member;
    model_report_component(r, e->member->at, v.type.declared, e->member->name);
    return model_none();
}

model_value model_anonymous_value(model_reader *r, model_expression *e)
{
    model_value v = {.type = {TYPE_RECORD, e->record}, .count = 1};
    model_value *member = arena_array(r->a, e->count, sizeof *member);
    bool known = true;
    for (uint32_t i = 0; i < e->count; i++) {
        member[i] = model_evaluate(r, e->operand[i]);
        known = known && member[i].type.base != TYPE_NONE;
    }
    v.member = member;
    return known ? v : model_none();
}

/* --- arrays of records: the same is done with each component --- */

model_value model_take(model_reader *r, const model_value *v, uint32_t outer,
                       const model_value *part, const size_t *from)
{
    uint32_t inner = v->rank - outer, rank = part->rank + inner;
    size_t *size = arena_array(r->a, rank, sizeof *size), block = 1;
    for (uint32_t k = 0; k < part->rank; k++) size[k] = part->size[k];
    for (uint32_t k = 0; k < inner; k++) block *= size[part->rank + k] = v->size[outer + k];
    model_value taken = {.type = v->type, .rank = rank, .size = size, .count = part->count * block};
    r->work += taken.count;
    if (v->type.base == TYPE_RECORD) {
        size_t count = component_count(v->type.declared);
        model_value *member = arena_array(r->a, count, sizeof *member);
        for (size_t i = 0; i < count; i++)
            member[i] = model_take(r, &v->member[i], outer, part, from);
        taken.member = member;
        return taken;
    }
    sym *element = model_new_elements(r, &taken);
    for (size_t i = 0; i < part->count; i++)
        for (size_t k = 0; k < block; k++)
            element[i * block + k] = model_element(v, from[i] * block + k);
    return taken;
}

model_value model_stack_records(model_reader *r, model_span at, model_type type, uint32_t more,
                                const size_t *sizes, const model_value *v)
{
    size_t outer = 1, count = component_count(type.declared);
    for (uint32_t k = 0; k < more; k++) outer *= sizes[k];
    uint32_t rank = more + v[0].rank;
    size_t *size = arena_array(r->a, rank, sizeof *size);
    model_value array = {.type = type, .rank = rank, .size = size, .count = outer * v[0].count};
    for (uint32_t k = 0; k < rank; k++) size[k] = k < more ? sizes[k] : v[0].size[k - more];
    model_value *member = arena_array(r->a, count, sizeof *member);
    model_value *each = arena_array(r->a, outer, sizeof *each);
    for (size_t i = 0; i < count; i++) {
        model_type common = {.base = TYPE_NONE};
        for (size_t k = 0; k < outer; k++) {
            each[k] = *model_component(r, &v[k], component_name(type.declared, i));
            if (k == 0) common = each[0].type;
            if (!model_component_fits(r, at, component_name(type.declared, i), &common, &each[0],
                                      &each[k]))
                return model_none();
        }
        member[i] = model_stack(r, at, common, more, sizes, each);
        if (member[i].type.base == TYPE_NONE) return model_none();
    }
    array.member = member;
    return array;
}

bool model_component_fits(model_reader *r, model_span at, uint32_t name, model_type *common,
                          const model_value *first, const model_value *v)
{
    const char *spelled = model_spelled(r, name);
    if (!model_common_type(r, common, v->type))
        return model_error(r, at, "the component %s differs in type: %s and %s",
                           "components of the same name have one type", spelled,
                           model_type_text(r, *common), model_type_text(r, v->type));
    if (model_same_size(first, v)) return true;
    return model_error(r, at, "the component %s differs in size: %s and %s",
                       "components of the same name have one size", spelled,
                       model_size_text(r, first), model_size_text(r, v));
}

static model_value choose_records(model_reader *r, model_span at, model_type type, size_t count,
                                  const sym *condition, const model_value *v)
{
    size_t components = component_count(type.declared);
    model_value chosen = v[0];
    model_value *member = arena_array(r->a, components, sizeof *member);
    model_value *each = arena_array(r->a, count, sizeof *each);
    chosen.type = type;
    for (size_t i = 0; i < components; i++) {
        uint32_t name = component_name(type.declared, i);
        model_type common = {.base = TYPE_NONE};
        for (size_t k = 0; k < count; k++) {
            each[k] = *model_component(r, &v[k], name);
            if (k == 0) common = each[0].type;
            if (!model_component_fits(r, at, name, &common, &each[0], &each[k]))
                return model_none();
        }
        member[i] = model_choose(r, at, common, count, condition, each);
        if (member[i].type.base == TYPE_NONE) return model_none();
    }
    chosen.member = member;
    return chosen;
}

model_value model_choose(model_reader *r, model_span at, model_type type, size_t count,
                         const sym *condition, const model_value *v)
{
    if (type.base == TYPE_RECORD) return choose_records(r, at, type, count, condition, v);
    model_value result;
    sym *element = model_new_array(r, at, type, v[0].rank, v[0].size, &result);
    for (size_t k = 0; element && k < result.count; k++) {
        size_t i = count - 1;
        sym value = model_element(&v[i], k);
        while (i-- > 0) value = sym_if(r->graph, condition[i], model_element(&v[i], k), value);
        element[k] = value;
    }
    return result;
}

/* --- types --- */

/* The declared type of a component; NONE for a record that no text declares. */
static model_type component_type(const model_class *record, uint32_t name)
{
    const model_symbol *s = model_local(record, name);
    return s ? s->type : (model_type){.base = TYPE_NONE};
}

bool model_convert_record(model_reader *r, model_span at, const char *name, model_type type,
                          model_value *v)
{
    if (v->type.base == TYPE_NONE) return false;
    if (v->type.base != TYPE_RECORD || type.base != TYPE_RECORD ||
        !model_same_components(r, type.declared, v->type.declared)) {
        model_error(r, at, "%s is %s, but its value is %s", NULL, name, model_type_text(r, type),
                    model_type_text(r, v->type));
        return type.base == TYPE_RECORD ? model_remedy(r, "a value of this type is written %s(...)",
                                                       model_type_text(r, type))
                                        : model_remedy(r, "a component of a record is written r.x");
    }
    size_t count = component_count(type.declared);
    model_value *member = arena_array(r->a, count, sizeof *member);
    bool fits = true;
    for (size_t i = 0; i < count; i++) {
        uint32_t component = component_name(type.declared, i);
        model_type wanted = component_type(type.declared, component);
        member[i] = *model_component(r, v, component);
        const char *of = arena_format(r->a, "%s.%s", name, model_spelled(r, component));
        fits = (wanted.base == TYPE_NONE || model_convert(r, at, of, wanted, &member[i])) && fits;
    }
    v->type = type;
    v->member = member;
    return fits;
}
