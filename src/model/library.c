/* Names that models take from the Modelica Standard Library 4 without bringing it along: the types
 * of Modelica.Units, also as Modelica.SIunits, and Modelica.Constants. Each is declared as if the
 * text did where the text may mean it, and does not declare it itself. */
#include "model/reader.h"

#include <stdio.h>
#include <string.h>

typedef struct unit_types {
    const char *package, *unit;
    bool positive; /* min is 0 */
    double start, nominal;
    const char *names;
} unit_types;

static const unit_types types[] = {
#define UNIT(unit, positive, start, nominal, names) {"SI", unit, positive, start, nominal, names},
#define OTHER(unit, names)                          {"NonSI", unit, false, 0, 0, names},
#include "model/library_types.def"
#undef UNIT
#undef OTHER
};

/* CODATA 2018, and numbers of mathematics and of machines as the library has them. */
typedef struct constant {
    const char *name, *unit;
    double value;
} constant;

static const constant constants[] = {{"e", "1", 2.7182818284590452354},
                                     {"pi", "", 3.14159265358979323846},
                                     {"D2R", "rad/deg", 0.017453292519943295769},
                                     {"R2D", "deg/rad", 57.295779513082320877},
                                     {"gamma", "1", 0.57721566490153286061},
                                     {"eps", "", 1e-15},
                                     {"small", "", 1e-60},
                                     {"inf", "", 1e60},
                                     {"c", "m/s", 299792458},
                                     {"g_n", "m/s2", 9.80665},
                                     {"G", "m3/(kg.s2)", 6.67430e-11},
                                     {"q", "C", 1.602176634e-19},
                                     {"F", "C/mol", 96485.33212331001},
                                     {"h", "J.s", 6.62607015e-34},
                                     {"k", "J/K", 1.380649e-23},
                                     {"R", "J/(mol.K)", 8.31446261815324},
                                     {"sigma", "W/(m2.K4)", 5.6703744191844314e-8},
                                     {"N_A", "1/mol", 6.02214076e23},
                                     {"mu_0", "H/m", 1.25663706212e-6},
                                     {"epsilon_0", "F/m", 8.854187812800385e-12},
                                     {"T_zero", "degC", -273.15}};

/* Whether a name of `length` bytes is a word of the text. */
static bool is_word(const model_reader *r, const char *name, size_t length)
{
    return names_find(r->words, name, length) < r->known;
}

/* Whether the model or a package of the text declares a variable, whose symbol comes later. */
static bool is_variable(const model_reader *r, uint32_t name)
{
    for (size_t i = 0; i < r->classes.count; i++) {
        const model_class *c = r->classes.item[i];
        if (c->kind != CLASS_PACKAGE && c != r->model) continue;
        for (size_t k = 0; k < c->declaration.count; k++)
            if (c->declaration.item[k]->name == name) return true;
    }
    return false;
}

/* The name of an element of a package, in quotes, if the text may mean it and does not declare it;
 * NAMES_NONE: no. */
static uint32_t wanted(model_reader *r, const char *package, const char *name, size_t length)
{
    char whole[128];
    int bytes = snprintf(whole, sizeof whole, "'%s.%.*s'", package, (int)length, name);
    bool written = is_word(r, whole, (size_t)bytes) || is_word(r, name, length);
    if (!written) return NAMES_NONE;
    uint32_t number = names_intern(r->words, whole, (size_t)bytes);
    bool declared = number < r->known && (r->class_of[number] || is_variable(r, number));
    return declared ? NAMES_NONE : number;
}

static model_path *path_to_real(model_reader *r)
{
    model_path *path = arena_take(r->a, sizeof *path);
    path->first.name = names_intern(r->words, "Real", strlen("Real"));
    return path;
}

static void modify(model_reader *r, model_modifiers *list, const char *attribute,
                   model_expression value)
{
    model_modifier m = {.name = names_intern(r->words, attribute, strlen(attribute)),
                        .value = arena_take(r->a, sizeof value)};
    *m.value = value;
    list_push(r->a, list, m);
}

static model_expression number(double value)
{
    return (model_expression){.kind = EXPRESSION_NUMBER, .number = value};
}

static void add_unit(model_reader *r, model_modifiers *list, const char *unit)
{
    uint32_t name = names_intern(r->words, unit, strlen(unit));
    modify(r, list, "unit", (model_expression){.kind = EXPRESSION_STRING, .name = name});
}

static void declare_type(model_reader *r, const unit_types *t, uint32_t name)
{
    model_class *c = arena_take(r->a, sizeof *c);
    c->kind = CLASS_TYPE;
    c->name = name;
    c->base = path_to_real(r);
    add_unit(r, &c->modifier, t->unit);
    if (t->positive) modify(r, &c->modifier, "min", number(0));
    if (t->start != 0) modify(r, &c->modifier, "start", number(t->start));
    if (t->nominal != 0) modify(r, &c->modifier, "nominal", number(t->nominal));
    list_push(r->a, &r->classes, c);
}

static void declare_types(model_reader *r, const char *units, const char *package)
{
    char whole[64];
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const unit_types *t = &types[i];
        if (package && strcmp(t->package, package) != 0) continue;
        snprintf(whole, sizeof whole, "%s%s%s", units, package ? "." : "", package ? package : "");
        for (const char *name = t->names; *name;) {
            size_t length = strcspn(name, " ");
            uint32_t found = wanted(r, whole, name, length);
            if (found != NAMES_NONE) declare_type(r, t, found);
            name += length + (name[length] == ' ');
        }
    }
}

static void declare_constants(model_reader *r)
{
    static const char PACKAGE[] = "Modelica.Constants";
    model_class *c = arena_take(r->a, sizeof *c);
    c->kind = CLASS_PACKAGE;
    c->name = names_intern(r->words, "'Modelica.Constants'", strlen("'Modelica.Constants'"));
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        const constant *k = &constants[i];
        uint32_t name = wanted(r, PACKAGE, k->name, strlen(k->name));
        if (name == NAMES_NONE) continue;
        model_declaration *d = arena_take(r->a, sizeof *d);
        *d = (model_declaration){
            .name = name, .variability = VARIABILITY_CONSTANT, .type = path_to_real(r)};
        d->binding = arena_take(r->a, sizeof *d->binding);
        *d->binding = number(k->value);
        if (*k->unit) add_unit(r, &d->modifier, k->unit);
        list_push(r->a, &c->declaration, d);
    }
    list_push(r->a, &r->classes, c);
}

/* Whether some word begins so. */
static bool begins_word(const model_reader *r, const char *with)
{
    for (uint32_t i = 0; i < r->known; i++)
        if (strncmp(names_string(r->words, i), with, strlen(with)) == 0) return true;
    return false;
}

bool model_declare_library(model_reader *r)
{
    bool dotted = is_word(r, "Modelica", strlen("Modelica"));
    bool si = dotted && is_word(r, "SI", 2), old = dotted && is_word(r, "SIunits", 7);
    bool non_si = dotted && is_word(r, "NonSI", 5);
    bool constant_words = dotted && is_word(r, "Constants", 9);
    if (si || begins_word(r, "'Modelica.Units.SI.")) declare_types(r, "Modelica.Units", "SI");
    if (non_si || begins_word(r, "'Modelica.Units.NonSI."))
        declare_types(r, "Modelica.Units", "NonSI");
    if (old || begins_word(r, "'Modelica.SIunits.")) declare_types(r, "Modelica.SIunits", NULL);
    if (constant_words || begins_word(r, "'Modelica.Constants.")) declare_constants(r);
    return names_count(r->words) > r->known;
}

/* --- what is said of names that are not known --- */

typedef LIST(const char *) words;

static void add_names(model_reader *r, const char *all, words *list)
{
    for (const char *name = all; *name;) {
        size_t length = strcspn(name, " ");
        list_push(r->a, list, arena_copy(r->a, name, length));
        name += length + (name[length] == ' ');
    }
}

/* The names in a package of which some are known; none: it is no such package. */
static words names_in(model_reader *r, const char *package)
{
    words list = {0};
    bool old = strcmp(package, "Modelica.SIunits") == 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const char *own = arena_format(r->a, "Modelica.Units.%s", types[i].package);
        if (old || strcmp(own, package) == 0) add_names(r, types[i].names, &list);
    }
    if (strcmp(package, "Modelica.Constants") == 0)
        for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
            list_push(r->a, &list, constants[i].name);
    return list;
}

/* The names in the package of a whole name, and its last part. */
static words names_beside(model_reader *r, const char *whole, const char **last)
{
    const char *dot = strrchr(whole, '.');
    *last = dot ? dot + 1 : whole;
    return names_in(r, arena_copy(r->a, whole, dot ? (size_t)(dot - whole) : 0));
}

bool model_library_has(model_reader *r, const char *whole)
{
    const char *last;
    words list = names_beside(r, whole, &last);
    size_t k = 0;
    while (k < list.count && strcmp(list.item[k], last) != 0) k++;
    return k < list.count;
}

void model_remedy_library(model_reader *r, const char *whole)
{
    const char *last, *nearest = NULL;
    words list = names_beside(r, whole, &last);
    for (size_t k = 0; k < list.count; k++) { /* the shortest that goes on so, as Voltage of Volt */
        bool goes_on = strncmp(list.item[k], last, strlen(last)) == 0;
        if (goes_on && (!nearest || strlen(list.item[k]) < strlen(nearest))) nearest = list.item[k];
    }
    if (!nearest) nearest = text_nearest(last, list.item, list.count);
    if (nearest)
        model_remedy(r, "nearest name: %.*s%s", (int)(last - whole), whole, nearest);
    else
        model_remedy(r, "of the Modelica Standard Library, Modelica.Units, Modelica.Constants and "
                        "functions of Modelica.Math are known; components are those of the library "
                        "Daedal");
}
