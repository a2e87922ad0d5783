/* Records (Modelica 3.6, Secs. 4.6 and 12.6).
 *
 * A variable of record type is expanded into its components, which are variables of their own:
 * `R r[2]` with a component x is 'r.x' with the sizes [2], whose elements are called r[1].x and
 * r[2].x. So records exist as values alone: as results of functions and constructors, as arguments,
 * and as the sides of equations, which hold for each component. */
#ifndef MODEL_RECORD_H
#define MODEL_RECORD_H

#include "model/reader.h"

enum { MODEL_MOST_COMPONENTS = 100000 }; /* of all variables of record type together */

/* record_constructor.c: functions without an algorithm that return the record of their name, as
 * compilers print them, are records. Called before classes have names. */
void model_find_constructors(model_reader *r);

/* The one record whose name ends with this name, or whose name it ends with where the model's name
 * precedes it; compilers print both. NULL: there is none. */
model_class *model_record_called(const model_reader *r, uint32_t name);

/* record.c: expand all declarations of variables of record type, and make each record's
 * constructor. Called when classes have names, before variables are declared. */
void model_expand_records(model_reader *r);

/* record_copy.c: a copy of an expression of the declaration of a record, in which names of
 * components are those of the variable `around`, with the first `rank` subscripts from iterators
 * (model_index_name()). `around` NULL: a mere copy. Tells in *replaced whether there were any. */
typedef struct model_scope {
    const model_class *record;
    const model_declaration *around;
    uint32_t rank;
} model_scope;

model_expression *model_copy_expression(model_reader *r, const model_expression *e,
                                        const model_scope *scope, bool *replaced);
uint32_t model_index_name(model_reader *r, uint32_t k);

/* record_path.c: follow a path from a variable of record type to the component that it names.
 * `part` is the part that names the variable, and then one with the subscripts of all parts for the
 * component that is returned. NULL: there is none (reported). */
model_symbol *model_follow_members(model_reader *r, model_symbol *s, const model_part **part);

/* Report a name that is no component of a record. */
void model_report_component(model_reader *r, model_span at, const model_class *record,
                            uint32_t name);

/* The name of the i-th element: r[2].x[1] for a component of an array of records. */
const char *model_element_name(model_reader *r, const model_symbol *s, size_t i);

/* Record the number of each component among symbols that something needs. */
void model_use_symbol(model_reader *r, model_nodes *uses, model_symbol *s);

/* record_gather.c: make a reference to a record, or to an array of records, of which the components
 * alone are declared, an expression of them. False: it is none. */
bool model_gather_record(model_reader *r, model_expression *e);

/* record_value.c: values */

/* The value of a variable of record type, from those of its components. */
model_value model_record_value(model_reader *r, model_symbol *s, bool local);

/* The component of a record's value; NULL: it has none of this name. */
const model_value *model_component(const model_reader *r, const model_value *v, uint32_t name);

/* EXPRESSION_MEMBER, and EXPRESSION_RECORD */
model_value model_member_value(model_reader *r, model_expression *e);
model_value model_anonymous_value(model_reader *r, model_expression *e);

/* Whether two names are the same, with or without quotes. */
bool model_same_name(const model_reader *r, uint32_t a, uint32_t b);

/* Whether a component of one record has the type and size of that of the first record; *common is
 * the type of both. Reported. */
bool model_component_fits(model_reader *r, model_span at, uint32_t name, model_type *common,
                          const model_value *first, const model_value *v);

/* A value whose first `outer` dimensions are replaced by those of `part`, with element from[i] of
 * these in its i-th place. */
model_value model_take(model_reader *r, const model_value *v, uint32_t outer,
                       const model_value *part, const size_t *from);

/* model_stack() of records */
model_value model_stack_records(model_reader *r, model_span at, model_type type, uint32_t more,
                                const size_t *sizes, const model_value *v);

/* model_convert() of records: the components in the order of the type. */
bool model_convert_record(model_reader *r, model_span at, const char *name, model_type type,
                          model_value *v);

/* if condition[0] then v[0] elseif ... else v[count - 1]; the values have one size. Its types and
 * sizes fit, except for components of records, which are reported. */
model_value model_choose(model_reader *r, model_span at, model_type type, size_t count,
                         const sym *condition, const model_value *v);

/* Whether two records have components of the same names. */
bool model_same_components(const model_reader *r, const model_class *a, const model_class *b);

/* The first scalar of a record without a value yet, as text: "r.x"; NULL: there is none. */
const char *model_unassigned(model_reader *r, const char *name, const model_value *v);

#endif
