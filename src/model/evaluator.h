/* Evaluation of expressions.
 *
 * A value that cannot be determined, because of a mistake or of something unsupported, is NONE. It
 * is reported where it arises. Values computed from it are NONE without another report. */
#ifndef MODEL_EVALUATOR_H
#define MODEL_EVALUATOR_H

#include "model/reader.h"

/* The value of an expression in r->mode. Element arrays live as long as the reader. */
typedef model_value model_evaluation(model_reader *r, model_expression *e);
model_evaluation model_evaluate;

/* The node of a Boolean scalar; SYM_NONE if it is not one (reported). Relations in it do not count
 * as separate switches; the whole condition is noted as one. */
sym model_condition(model_reader *r, model_expression *e);

/* A number that must be known while the model is read; false if it is not (reported as `what`). */
bool model_whole_number(model_reader *r, model_expression *e, const char *what, long *number);

/* A leaf that stands for a value that is not available. */
sym model_stand_in(model_reader *r);

/* Whether a node changes with time: it contains time, or a variable that is not a parameter. */
bool model_varies(const model_reader *r, sym node);

/* Note that `e` switches where `argument` changes with time, unless noEvent() is around. */
void model_note_switch(model_reader *r, model_expression *e, sym argument);

/* A relation. It has a mode, except where it is evaluated literally: within noEvent() and smooth(),
 * in the body of a when-clause, and between values that change at events alone. */
sym model_relate(model_reader *r, sym_op op, sym a, sym b);

/* Add this much work. Returns whether the total is still allowed; an excess is reported. */
bool model_spend(model_reader *r, model_span at, size_t work);

/* Whether calls and conditions are nested too deeply; then it is reported, and nothing more is
 * evaluated. */
bool model_too_deep(model_reader *r, model_span at);

/* Whether a leaf under `node` has a property. */
bool model_any_leaf(const model_reader *r, sym node,
                    bool (*has)(const model_reader *r, const sym_view *leaf));

/* Report that a value has the wrong type: "`e` is Boolean, `wanted` is needed here". Returns false.
 */
bool model_report_type(model_reader *r, const model_expression *e, const model_value *v,
                       const char *wanted);

/* The text of an expression for messages. */
const char *model_shown(model_reader *r, const model_expression *e);

/* arithmetic.c: chains of + and -, chains of * and /, powers; and the product of two values by the
 * rules for vectors and matrices. Sizes that do not fit are reported at `at` */
model_evaluation model_sum, model_product, model_power;
model_value model_multiply(model_reader *r, model_span at, const model_value *a,
                           const model_value *b);

/* logic.c: and, or, not, of scalars, or of arrays element by element; and E(i), the literal of an
 * enumeration with the number i */
model_evaluation model_logic, model_literal_of_number;

/* array.c: {...}, [...] and ranges; all elements must have one type and size */
model_evaluation model_build_array, model_build_matrix, model_build_range;

/* Stack values of equal size, as many as the product of `sizes`, to an array with `more` additional
 * dimensions. */
model_value model_stack(model_reader *r, model_span at, model_type type, uint32_t more,
                        const size_t *sizes, const model_value *v);

/* Concatenate arrays of the same rank in dimension `k` (from 0). */
model_value model_concatenate(model_reader *r, model_span at, uint32_t k, size_t count,
                              const model_value *v);

/* Find the type that holds both, such as Real for {1, 2.5}; false if there is none. */
bool model_common_type(const model_reader *r, model_type *type, model_type other);

/* Run `body` for all values of the iterators. If `nested`, the first iterator is the innermost.
 * False if a range could not be evaluated. */
bool model_iterate(model_reader *r, model_iterators *list, bool nested,
                   void (*body)(model_reader *r, void *context), void *context);

/* The type whose values are the subscripts of a dimension with such a size, an enumeration or
 * Boolean; NULL: whole numbers are. */
const model_meaning *model_index_type(const model_expression *size);

/* The elements that subscripts pick, with bounds checked. Dimensions without a
 * subscript are taken whole. `whole` is the expression for reports. */
model_value model_subscript(model_reader *r, const model_value *v, uint32_t count,
                            model_expression *const *subscript, const model_expression *whole);

/* Assign to the elements of a variable that subscripts pick. The variable owns its element array.
 * False if elements do not exist, or sizes differ (reported). */
bool model_assign_part(model_reader *r, model_value *v, uint32_t count,
                       model_expression *const *subscript, const model_expression *whole,
                       const model_value *value);

/* inline.c: the first result of a function of the text */
model_evaluation model_call_function;

/* functional.c: the value of an input that is a function. Its own inputs that are given have values
 * of the place where it is handed on. */
typedef struct model_given_input {
    const model_symbol *input;
    model_expression *from;
    model_value value;
} model_given_input;

typedef struct model_closure {
    const model_class *function; /* of the text; NULL: of the language */
    const model_builtin *builtin;
    size_t count;
    const model_given_input *given;
} model_closure;

/* The function that an expression names, as the value of an input; NONE: it names none (reported).
 */
model_value model_function_value(model_reader *r, model_expression *e);

/* Whether a function takes as many arguments as one of `type`, which it becomes (else reported). */
bool model_function_fits(model_reader *r, model_span at, const char *name, model_type type,
                         model_value *v);

/* The value of an argument for an input. */
model_value model_argument_value(model_reader *r, const model_symbol *s, model_expression *e);

/* What a closure, which may be NULL, gives an input; NULL: nothing. */
const model_given_input *model_given_of(const model_closure *c, const model_symbol *s);

/* The call of an input: its first result; or the call of the function that it is now, NULL if there
 * is none (reported). */
model_evaluation model_call_input;
model_expression *model_input_call(model_reader *r, const model_expression *e);

/* All results of a function; NULL if it cannot be called (reported). */
const model_value *model_call_outputs(model_reader *r, model_expression *call, size_t *count);

/* The same with these values as its inputs, for a call that is written at `at`. */
const model_value *model_call_with(model_reader *r, const model_expression *at, model_class *f,
                                   size_t arguments, const model_value *argument, size_t *count);

/* external.c: what an external function writes, by the values of its inputs in the frame, into the
 * frame. False: it cannot be called (reported). */
bool model_call_external(model_reader *r, const model_expression *call, const model_class *f);

/* standard_table.c: whether an external function is one of the tables of the Modelica Standard
 * Library, which need no library in C; and what it writes. `caller`: the mode of the call, by which
 * the points of a table are events or not. */
bool model_is_table_function(const model_reader *r, const model_class *f);
bool model_call_table(model_reader *r, const model_expression *call, const model_class *f,
                      const model_mode *caller);

/* Notes of which external functions derivatives are found by differences. */
void model_note_differences(model_reader *r);

/* subscript.c: the element that {x[1], x[2], x[3]}[i] is, of what is listed one by one, as
 * variables are that were declared so; NULL: the subscripts are no numbers that are known, or it is
 * no list. */
model_expression *model_named_element(model_reader *r, const model_expression *e);

/* The values of a right side for the variables of a tuple: the outputs of a call, or those of
 * another tuple. NULL: they have none, or it is neither (reported). */
const model_value *model_results(model_reader *r, model_expression *e, size_t *count);

/* The value of a symbol of the model, evaluated at first use. model_symbol_size() finds
 * only its sizes, into s->value; false if they cannot be determined (reported). */
model_value model_symbol_value(model_reader *r, model_symbol *s);
bool model_symbol_size(model_reader *r, model_symbol *s);

/* Declarations: sizes, the values of parameters, and the unknowns. */

/* Evaluate all declarations. Parameters get their values, variables their unknowns. */
void model_instantiate(model_reader *r);

/* Search what `root` needs, depth-first and without recursion, because chains can be long. `done`
 * is called for each new node after all that it needs; NULL: not. `loop` is called for each node
 * that needs itself, with the path to it, which ends in what needs `end`. */
void model_search(model_reader *r, model_node *root,
                  void (*loop)(model_reader *r, const model_nodes *path, const model_node *end),
                  void (*done)(model_reader *r, model_node *node));

/* Give each scalar variable its unknown, in order of declaration (unknown.c). */
void model_place_unknowns(model_reader *r);
void model_describe_unknowns(model_reader *r); /* start, fixed, nominal, ... */

/* Where the model has neither unknowns nor equations: each parameter and constant that is a number
 * becomes an unknown equal to its value, so that it is in the results. Notes it. */
void model_show_parameters(model_reader *r);

/* parameter_list.c: list those that have values in the system. */
void model_list_parameters(model_reader *r);

/* The declared sizes of a symbol. The size of ':' comes from `given`, and is 0 if that is NULL.
 * False if they cannot be determined (reported). */
bool model_declared_size(model_reader *r, const model_symbol *s, const model_value *given,
                         model_value *shape);

/* A size that must be known and not negative; false if it is not (reported). */
bool model_read_size(model_reader *r, model_expression *e, size_t *size);

/* Whether a size of the symbol is ':'. */
bool model_has_open_size(const model_symbol *s);

/* Whether a value has the sizes of `shape`. If not, it is reported under `name`. */
bool model_size_fits(model_reader *r, model_span at, const char *name, const model_value *shape,
                     const model_value *v);

/* Convert a value to `type`: Integer becomes Real, whole numbers become Integer. Other conversions
 * fail with a report under `name`. */
bool model_convert(model_reader *r, model_span at, const char *name, model_type type,
                   model_value *v);

/* The value of a symbol's binding, in its type and the sizes of `shape`; false if it has none or
 * does not fit (reported). */
bool model_binding_value(model_reader *r, const model_symbol *s, const model_value *shape,
                         model_value *v);

/* Start to evaluate in the model rather than in the running function. Returns the mode to restore.
 */
model_mode model_enter_model(model_reader *r);

/* experiment.c: the experiment annotation, into the system */
void model_read_experiment(model_reader *r);

/* invariant.c: the annotation __daedal(invariant = ...), into the system */
void model_read_invariants(model_reader *r);

/* invariant.c: notes entries of __daedal(...), in any annotation of the text, that mean nothing. */
void model_note_vendor(model_reader *r);

/* setting.c: */

/* Find the symbols to which the settings apply. */
void model_match_settings(model_reader *r, size_t count, const model_setting *setting);
void model_match_courses(model_reader *r, size_t count, const model_course *course);

/* The number of the scalar to which something is assigned; false: it is an array, or has no such
 * element. */
bool model_assigned_element(model_reader *r, const model_assigned *m, size_t *element);

/* The number that a setting gives to the i-th element of a symbol, whose sizes are known. */
bool model_setting_of(model_reader *r, const model_symbol *s, size_t i, double *number);

/* DAE_USAGE with a sentence about the first setting whose name is unknown or whose value does not
 * fit. */
dae_status model_check_settings(model_reader *r, message *m);

/* input.c: the same of courses of inputs */
dae_status model_check_courses(model_reader *r, message *m);

/* Attributes of variables: start, fixed, nominal, ... */

/* Fill r->attribute; names are added to r->words. */
void model_name_attributes(model_reader *r);

/* Report attributes that a symbol, or its type, cannot have or has twice. */
void model_check_attributes(model_reader *r, const model_symbol *s);

/* An attribute as it is written, for the symbol or its type; NULL: it is not. */
const model_expression *model_attribute_written(const model_reader *r, const model_symbol *s,
                                                model_attribute_name name);

/* The value of an attribute, from the declaration or else from its type; false if it is missing or
 * wrong (reported). model_element_of() gives its element for the i-th element of the symbol. */
bool model_attribute(model_reader *r, const model_symbol *s, model_attribute_name name,
                     model_value *v);

/* The value for element i of an array, from a value that may have fewer dimensions. */
sym model_element_of(const model_value *v, size_t i);

/* Algorithms (execute.c), run symbolically: the bodies of functions, and the algorithm sections of
 * a model. A variable's value is an expression. If a condition is not a number, both branches are
 * executed, and each variable becomes `if condition then ... else ...` of its two values. */

/* One algorithm while it runs. */
typedef struct model_run {
    const model_class *function; /* NULL: an algorithm of the model */
    bool guarded;          /* the current statement depends on a condition that is not a number */
    bool returned, broken; /* by return; by break, until its loop ends */
    int rounds;            /* of loops that are written out */
} model_run;

/* Run statements in r->mode.run. */
void model_execute(model_reader *r, const model_clauses *list);

/* Assign a value to a variable that is declared like `s` and stored at `target`. */
void model_assign(model_reader *r, model_span at, const model_symbol *s, model_value *target,
                  model_value *value);

/* assert.c: note assert(condition, message, level), to be checked where the guards around it
 * hold */
void model_assert(model_reader *r, model_expression *call);

/* Asserts something wherever the present guards let an equation hold. */
void model_add_assertion(model_reader *r, sym_assertion added);

#endif
