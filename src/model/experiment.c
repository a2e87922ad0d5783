/* annotation(experiment(StartTime = 0, StopTime = 1, Tolerance = 1e-6, Interval = 0.01)) */
#include "model/evaluator.h"

#include <daedal/options.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef enum entry { START_TIME, STOP_TIME, TOLERANCE, INTERVAL, ENTRIES } entry;

static const char *const entry_name[ENTRIES] = {"StartTime", "StopTime", "Tolerance", "Interval"};

/* The value of an entry; at.end is 0 if it is missing or wrong (reported). */
typedef struct given {
    double number;
    model_span at;
} given;

/* The bounds of each option, as in the list of options. */
static const struct option_bounds {
#define X(type, name, standard, least, most, unit, meaning) double name[2];
#include <daedal/options.def>
#undef X
} bounds = {
#define X(type, name, standard, least, most, unit, meaning) .name = {least, most},
#include <daedal/options.def>
#undef X
};

/* Note a name that no tool uses but that is close to one with a meaning. */
static void note_misspelt(model_reader *r, const model_modifier *m)
{
    const char *name = model_spelled(r, m->name);
    const char *nearest = text_nearest(name, entry_name, ENTRIES);
    if (!nearest) return;
    list_push(
        r->a, &r->note,
        arena_format(r->a,
                     "%s:%u: the experiment annotation has %s, which is ignored; nearest name: %s",
                     r->source.file, model_line_number(r, m->at), name, nearest));
}

static void read_entry(model_reader *r, const model_modifier *m, given *list)
{
    const char *word = names_string(r->words, m->name);
    size_t k = 0;
    while (k < ENTRIES && strcmp(word, entry_name[k]) != 0) k++;
    if (k == ENTRIES) {
        note_misspelt(r, m);
        return;
    }
    if (!m->value) {
        model_error(r, m->at, "expected a value for %s of the experiment: %s = ...", NULL, word,
                    word);
        return;
    }
    double number;
    model_value v = model_evaluate(r, m->value);
    if (v.type.base == TYPE_NONE) return;
    bool known = model_is_numeric(&v) && !v.rank && sym_is_number(r->graph, v.one, &number);
    if (list[k].at.end) {
        model_error(r, m->at, "%s of the experiment is given twice", "leave one of them out", word);
    } else if (!known || !isfinite(number)) {
        model_error(r, m->value->at, "%s of the experiment %s",
                    "write a number, or an expression of parameters that are known", word,
                    known ? "is not finite" : "must be a number");
    } else {
        list[k] = (given){number, m->value->at};
    }
}

static void check_entries(model_reader *r, const given *list)
{
    const given *start = &list[START_TIME], *stop = &list[STOP_TIME];
    const given *tolerance = &list[TOLERANCE], *interval = &list[INTERVAL];
    bool small = tolerance->number < bounds.rtol[0];
    if (stop->at.end && stop->number < start->number)
        model_error(r, stop->at, "StopTime of the experiment is %g, before its StartTime of %g",
                    "a run backwards is requested by its start and stop times, not in the model",
                    stop->number, start->number);
    if (tolerance->at.end && (small || tolerance->number > bounds.rtol[1])) {
        model_error(r, tolerance->at,
                    "Tolerance of the experiment is %g, too %s for a relative tolerance", NULL,
                    tolerance->number, small ? "small" : "large");
        model_remedy(r, "it must lie between %g and %g", bounds.rtol[0], bounds.rtol[1]);
    }
    if (interval->at.end && interval->number < 0)
        model_error(r, interval->at, "Interval of the experiment is %g, below 0",
                    "it is the time between two points of the output", interval->number);
}

void model_read_experiment(model_reader *r)
{
    given list[ENTRIES] = {0};
    model_mode before = model_enter_model(r);
    for (size_t i = 0; i < r->model->experiment.count; i++)
        read_entry(r, &r->model->experiment.item[i], list);
    check_entries(r, list);
    r->mode = before;
    r->system->experiment = (dae_experiment){
        .has_start = list[START_TIME].at.end,
        .start = list[START_TIME].number,
        .has_stop = list[STOP_TIME].at.end,
        .stop = list[STOP_TIME].number,
        .has_tolerance = list[TOLERANCE].at.end,
        .tolerance = list[TOLERANCE].number,
        .has_interval = list[INTERVAL].number > 0, /* 0: not given */
        .interval = list[INTERVAL].number,
    };
}
