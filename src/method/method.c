#include "method/method.h"

#include "method/catalogue.h"
#include "method/conditions.h"
#include "method/half_explicit.h"
#include "method/structural.h"
#include "method/tableau.h"
#include "method/tabulated.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word, *sentence;
} families[] = {
#define X(name, word, sentence) {word, sentence},
#include "method/families.def"
#undef X
};

const char *method_family_word(method_family family)
{
    return families[family].word;
}

const char *method_family_sentence(method_family family)
{
    return families[family].sentence;
}

/* Fills the order levels, and takes the numbers of the highest. */
static dae_status fill_order_levels(method *made, const char *names, message *m)
{
    for (const char *at = names; *at; at += strspn(at, " ")) {
        char name[METHOD_NAME_SIZE];
        size_t length = strcspn(at, " ");
        memcpy(name, at, length);
        name[length] = '\0';
        dae_status status = method_create(&made->order_level[made->order_levels], name, m);
        if (status != DAE_OK) return status;
        made->order_levels++;
        at += length;
    }
    const method *highest = made->order_level[made->order_levels - 1];
    made->stages = highest->stages;
    memcpy(made->a, highest->a, sizeof made->a);
    memcpy(made->b, highest->b, sizeof made->b);
    memcpy(made->c, highest->c, sizeof made->c);
    return DAE_OK;
}

/* Reads the numbers that the row gives as text. NULL, or what is wrong. */
static const char *read_numbers(method *made, request *r)
{
    const method_row *row = r->row;
    const char *wrong = NULL;
    if (row->formula) return formula_read(made->multistep, row->formula, &r->names);
    if (row->structural) return structural_read(made->structural, row->structural, &r->names);
    if (row->tableau) wrong = tableau_read(made, row->tableau, &r->names);
    return wrong || !row->dense ? wrong : tableau_read(made, row->dense, &r->names);
}

/* Allocates what holds numbers of the row's family alone; for those of a Rosenbrock method that are
 * computed, method_fill_rosenbrock() does. */
static dae_status make_room(method *made, bool known)
{
    const method_row *row = made->row;
    bool rosenbrock = known && made->family == METHOD_ROSENBROCK;
    if (rosenbrock) made->rosenbrock = calloc(1, sizeof *made->rosenbrock);
    if (row->formula) made->multistep = calloc(1, sizeof *made->multistep);
    if (row->structural) made->structural = calloc(1, sizeof *made->structural);
    bool lacks = (rosenbrock && !made->rosenbrock) || (row->formula && !made->multistep) ||
                 (row->structural && !made->structural);
    return lacks ? DAE_NO_MEMORY : DAE_OK;
}

/* What the tables of the build have beside the numbers that all families have. */
static void take_room(method *made)
{
    const char *name = made->name;
    if (made->rosenbrock)
        tabulated_read(name, TABULATED_ROSENBROCK, made->rosenbrock, sizeof *made->rosenbrock);
    if (made->multistep)
        tabulated_read(name, TABULATED_MULTISTEP, made->multistep, sizeof *made->multistep);
    if (made->structural)
        tabulated_read(name, TABULATED_STRUCTURAL, made->structural, sizeof *made->structural);
}

static dae_status compute(method *made, request *r, message *m)
{
    if (made->family == METHOD_ROSENBROCK) return method_fill_rosenbrock(made);
    if (r->nodes > 0) method_collocate(made, r->nodes, r->node);
    if (r->row->stages > 0) method_fill_family(made, r->row->stages);
    const char *wrong = read_numbers(made, r);
    if (wrong) return message_fail(m, DAE_USAGE, "method \"%s\": %s", r->name, wrong);
    if (made->family == METHOD_HALF_EXPLICIT) half_explicit_fill(made);
    return DAE_OK;
}

static dae_status fill(method *made, request *r, bool tables, message *m)
{
    bool known = tables && tabulated_read(r->name, TABULATED_METHOD, made, sizeof *made);
    made->row = r->row;
    made->family = r->row->family;
    memcpy(made->name, r->name, sizeof made->name);
    if (derived_prefix(made->family)) return derived_fill(made, m);
    if (r->row->order_levels) return fill_order_levels(made, r->row->order_levels, m);
    dae_status status = make_room(made, known);
    if (status != DAE_OK || !known) return status == DAE_OK ? compute(made, r, m) : status;
    take_room(made);
    return DAE_OK;
}

static dae_status create(method **created, const char *name, bool tables, message *m)
{
    request r;
    *created = NULL;
    dae_status status = request_read(&r, name, m);
    if (status != DAE_OK) return status;
    method *made = calloc(1, sizeof *made);
    if (!made) return message_status(m, DAE_NO_MEMORY);
    status = fill(made, &r, tables, m);
    if (status == DAE_OK)
        *created = made;
    else
        method_free(made);
    return message_status(m, status);
}

dae_status method_create(method **created, const char *name, message *m)
{
    return create(created, name, true, m);
}

dae_status method_compute(method **created, const char *name, message *m)
{
    return create(created, name, false, m);
}

void method_free(method *m)
{
    if (!m) return;
    for (int i = 0; i < m->order_levels; i++) method_free(m->order_level[i]);
    method_free(m->base);
    free(m->rosenbrock);
    free(m->multistep);
    free(m->structural);
    free(m);
}

int method_steps(const method *m)
{
    return m->multistep ? m->multistep->steps : 1;
}

bool method_is_adaptive(const method *m)
{
    if (m->multistep) return m->multistep->variable;
    if (m->structural) return true;
    bool radau = m->family == METHOD_RADAU_IIA && m->stages % 2 == 1;
    return m->estimators > 0 || radau;
}

bool method_is_stiffly_accurate(const method *m)
{
    if (m->multistep) return !m->multistep->one_leg && m->multistep->beta[m->multistep->steps] != 0;
    if (m->structural) return true;
    return method_stage_gives(m, m->stages - 1, m->b);
}

static bool weighs_old_yp(const method_multistep *f)
{
    if (f->variable || f->one_leg) return false;
    for (int j = 0; j < f->steps; j++)
        if (f->beta[j] != 0) return true;
    return false;
}

bool method_begins_at_start(const method *m)
{
    for (int j = 0; j < m->stages; j++)
        if (m->a[0][j] != 0) return false;
    return true;
}

bool method_goes_on_from_yp(const method *m)
{
    if (m->multistep) return weighs_old_yp(m->multistep);
    return m->family != METHOD_ROSENBROCK && method_begins_at_start(m);
}
