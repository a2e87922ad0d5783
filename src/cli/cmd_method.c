/* daedal method: prints the catalogue, or all that is known of one method. */
#include "cli/commands.h"
#include "cli/tell.h"
#include "report/json.h"
#include "report/picture.h"
#include "report/plot.h"

#include <errno.h>
#include <string.h>

/* --- the list --- */

static void print_row(const method *m, const method_properties *found, int name, int family)
{
    const char *aliases = m->row->aliases;
    printf(*aliases ? "%-*s  %-*s  %12d  %5d  %-8s  %s\n" : "%-*s  %-*s  %12d  %5d  %s%s\n", name,
           m->row->name, family, method_family_word(m->family),
           m->multistep || m->structural ? method_steps(m) : m->stages, found->order,
           method_is_adaptive(m) ? "yes" : "no", aliases);
}

/* Adds a method with its computed properties to the array, or prints it (NULL) in columns of these
 * widths. Returns the exit status. */
static int answer_row(const method_row *row, json_t **array, int name, int family)
{
    method *m = NULL;
    method_properties found;
    message said = {0};
    bool good = method_create(&m, row->name, &said) == DAE_OK &&
                method_properties_find(m, &found) == DAE_OK;
    if (good && array)
        json_append(array, method_json_entry(m, &found));
    else if (good)
        print_row(m, &found, name, family);
    method_free(m);
    message_free(&said);
    return good ? 0 : report_no_memory();
}

static void widen(int *width, const char *word)
{
    if ((int)strlen(word) > *width) *width = (int)strlen(word);
}

static int answer_all(const arguments *given)
{
    int name = 4, family = 6, code = 0;
    const method_row *row;
    if (given->plot)
        return report_mistake("--plot: which method? Name one; daedal method lists them");
    for (size_t i = 0; (row = method_row_at(i)) != NULL; i++) {
        widen(&name, row->name);
        widen(&family, method_family_word(row->family));
    }
    json_t *array = given->json ? json_array() : NULL;
    if (!given->json)
        printf("%-*s  %-*s  stages/steps  order  adaptive  aliases\n", name, "name", family,
               "family");
    for (size_t i = 0; code == 0 && (row = method_row_at(i)) != NULL; i++)
        code = answer_row(row, given->json ? &array : NULL, name, family);
    if (given->json && json_line(stdout, array) != 0) code = -1;
    return flush_answer(code);
}

/* --- one --- */

/* Reads the view that is asked for. 0, or 2 after a message. */
static int read_view(const arguments *given, method_view *view)
{
    static const char *const word[] = {
        [METHOD_VIEW_STABILITY] = "stability",
        [METHOD_VIEW_STAR] = "star",
        [METHOD_VIEW_FREQUENCY] = "frequency",
    };
    *view = METHOD_VIEW_STABILITY;
    if (!given->view) return 0;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        if (strcmp(given->view, word[i]) != 0) continue;
        *view = (method_view)i;
        return given->plot ? 0
                           : report_mistake("--view says what --plot draws, which is not given");
    }
    return report_mistake("--view: expected stability, star or frequency, not \"%s\"", given->view);
}

static int draw(const arguments *given, const method *m, method_view view)
{
    const char *where = given->plot;
    int failed = method_plot(m, view, given->plot, &where);
    if (failed == 2) return report_unwritable("plot", where);
    return failed ? report_undrawn(given->plot, errno) : 0;
}

static int answer_one(const arguments *given, const method *m, method_view view)
{
    method_properties found;
    if (given->plot && m->multistep && view == METHOD_VIEW_STAR)
        return report_mistake("--view star: order stars are drawn of one-step methods, and %s is "
                              "none; --view stability draws where it is stable",
                              m->name);
    if (m->structural && given->view && view != METHOD_VIEW_FREQUENCY)
        return report_mistake("--view %s: %s advances equations of second order, of which --view "
                              "frequency draws the factors of a step",
                              given->view, m->name);
    if (m->structural) view = METHOD_VIEW_FREQUENCY;
    if (method_properties_find(m, &found) != DAE_OK) return report_no_memory();
    int code = given->plot ? draw(given, m, view) : 0;
    if (code == 2) return code;
    if (!given->json)
        method_words_print(m, &found);
    else if (method_json_write(stdout, m, &found) != 0)
        code = -1;
    return flush_answer(code);
}

int cmd_method(const arguments *given)
{
    method_view view;
    int code = read_view(given, &view);
    const char *obstacle = given->plot ? picture_obstacle(given->plot) : NULL;
    if (code) return code;
    if (obstacle) return report_mistake("--plot \"%s\": %s", given->plot, obstacle);
    if (!given->operand) return answer_all(given);
    method *m = NULL;
    message said = {0};
    dae_status status = method_create(&m, given->operand, &said);
    if (status == DAE_OK)
        code = answer_one(given, m, view);
    else
        report_failure(status, message_string(&said));
    method_free(m);
    message_free(&said);
    return status == DAE_OK ? code : exit_status(status);
}
