/* Relations and their modes.
 *
 * A relation such as x < 1 that switches between branches of an equation has a mode. It is free,
 * and follows from the sign of left - right, or it is held true or false, whatever that sign is
 * (Modelica 3.6, Sec. 8.5: between events relations keep their value). The modes belong to the
 * graph. All tapes compiled from it read them in each evaluation, so a change of a mode holds for
 * all of them at once. A graph belongs to one solver, and two solvers share no mode.
 *
 * sym_relation() makes a relation that can have a mode. sym_binary() makes one that is always
 * evaluated literally: within noEvent(), and where the derivatives of min() and max() choose.
 * Substitution keeps the identity of a relation. If it makes two relations equal that are free,
 * they are one from then on, and have one mode. */
#ifndef SYMBOLIC_RELATIONS_H
#define SYMBOLIC_RELATIONS_H

#include "symbolic/node.h"

typedef enum sym_mode { SYM_HELD_FALSE, SYM_HELD_TRUE, SYM_FREE } sym_mode;

/* The relations of a graph. The author's relations are numbered from 0 by sym_number_relations().
 * The slot of number k is k + 1. Slot 0 belongs to relations without a number, which are always
 * free. */
typedef struct sym_relations {
    LIST(sym) node;           /* of each number: the relation as its author wrote it */
    LIST(uint32_t) same;      /* of each number: another that is equal, or itself */
    LIST(uint32_t) next;      /* of each number: the next of all that are equal, in a ring */
    LIST(unsigned char) mode; /* of each slot: a sym_mode */
} sym_relations;

/* a < b, a <= b or a = b, by its operation. A relation of numbers, and of a node with itself, is a
 * number. Under the protection of the graph's arena. */
sym sym_relation(sym_graph *g, sym_op op, sym a, sym b);

/* The same in the body of a when-clause. It is evaluated literally, unless the instants at which it
 * changes are found because of another relation. */
sym sym_body_relation(sym_graph *g, sym_op op, sym a, sym b);
bool sym_is_body_relation(const sym_graph *g, sym node);

/* Whether a node is a relation that can have a mode. */
bool sym_is_relation(const sym_graph *g, sym node);

/* Number the relations that these expressions hold and that have no number yet, all free. Under the
 * protection of the graph's arena. */
void sym_number_relations(sym_graph *g, size_t count, const sym *roots);

/* The image of a relation under a substitution, a and b those of its arguments, with the relation's
 * number. If the image already has another number, both become one relation. A relation that is
 * held keeps a mode of its own: also where its arguments have become numbers, as in the mode in
 * which a rope has broken its force is 0, and "force > 20" is still what has broken it; and where
 * the image has another number, as the voltages of parallel diodes are one while all of them block,
 * and one of them conducts next. For simplify.c. Under the protection of the graph's arena. */
sym sym_relation_image(sym_graph *g, sym relation, sym a, sym b);

size_t sym_relation_count(const sym_graph *g);

/* Relation k as its author wrote it: it compares its two arguments. */
sym sym_relation_node(const sym_graph *g, size_t k);

/* The number of a relation, or of its image; SIZE_MAX: the node is none that has a number. */
size_t sym_relation_number(const sym_graph *g, sym node);

/* Whether the pieces of an expression are those of numbered relations alone: it has none while
 * these are held. */
bool sym_pieces_are_held(sym_graph *g, sym root);

/* Set the mode of relation k, and of those that are equal to it; and read it. */
void sym_hold_relation(sym_graph *g, size_t k, sym_mode mode);
sym_mode sym_relation_mode(const sym_graph *g, size_t k);

/* The mode of a node that is a relation, an image of one of them or any other. */
sym_mode sym_mode_of(const sym_graph *g, sym relation);

#endif
