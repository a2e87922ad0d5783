/* daedal method: prints the catalogue, or all that is known of one method. */
#include "cli/commands.h"
#include "cli/method_words.h"
#include "cli/tell.h"
#include "report/json.h"
#include "report/picture.h"
#include "report/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- the list --- */

typedef struct entry {
    method *made;
    method_properties found;
} entry;

static size_t count_rows(void)
{
    size_t count = 0;
    while (method_row_at(count)) count++;
    return count;
}

static void free_entries(entry *list, size_t count)
{
    for (size_t i = 0; i < count; i++) method_free(list[i].made);
    free(list);
}

/* All methods with their computed properties; NULL without memory. */
static entry *find_entries(size_t count)
{
    entry *list = calloc(count, sizeof *list);
    message m = {0};
    bool good = list != NULL;
    for (size_t i = 0; i < count && good; i++)
        good = method_create(&list[i].made, method_row_at(i)->name, &m) == DAE_OK &&
               method_properties_find(list[i].made, &list[i].found) == DAE_OK;
    message_free(&m);
    if (good) return list;
    if (list) free_entries(list, count);
    return NULL;
}

static void print_list(const entry *list, size_t count)
{
    int name = 4, family = 6;
    for (size_t i = 0; i < count; i++) {
        int length = (int)strlen(list[i].made->row->name);
        if (length > name) name = length;
        length = (int)strlen(method_family_word(list[i].made->family));
        if (length > family) family = length;
    }
    printf("%-*s  %-*s  stages/steps  order  adaptive  aliases\n", name, "name", family, "family");
    for (size_t i = 0; i < count; i++) {
        const method *m = list[i].made;
        const char *aliases = m->row->aliases;
        printf(*aliases ? "%-*s  %-*s  %12d  %5d  %-8s  %s\n" : "%-*s  %-*s  %12d  %5d  %s%s\n",
               name, m->row->name, family, method_family_word(m->family),
               m->multistep || m->structural ? method_steps(m) : m->stages, list[i].found.order,
               method_is_adaptive(m) ? "yes" : "no", aliases);
    }
}

static int print_json_list(const entry *list, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, method_json_entry(list[i].made, &list[i].found));
    return json_line(stdout, array);
}

static int answer_all(const arguments *given)
{
    size_t count = count_rows();
    int failed = 0;
    if (given->plot) {
        fprintf(stderr, "daedal: --plot: which method? Name one; daedal method lists them\n");
        return 2;
    }
    entry *list = find_entries(count);
    if (!list) return report_no_memory();
    if (given->json)
        failed = print_json_list(list, count) != 0;
    else
        print_list(list, count);
    free_entries(list, count);
    return flush_answer(failed);
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
        if (given->plot) return 0;
        fprintf(stderr, "daedal: --view says what --plot draws, which is not given\n");
        return 2;
    }
    fprintf(stderr, "daedal: --view: expected stability, star or frequency, not \"%s\"\n",
            given->view);
    return 2;
}

static int draw(const arguments *given, const method *m, method_view view)
{
    const char *where = given->plot;
    int failed = method_plot(m, view, given->plot, &where);
    if (failed == 2) return report_unwritable("plot", where, strerror(errno));
    return failed ? report_undrawn(given->plot, errno) : 0;
}

static int answer_one(const arguments *given, const method *m, method_view view)
{
    method_properties found;
    if (given->plot && m->multistep && view == METHOD_VIEW_STAR) {
        fprintf(stderr,
                "daedal: --view star: order stars are drawn of one-step methods, and %s is "
                "none; --view stability draws where it is stable\n",
                m->name);
        return 2;
    }
    if (m->structural && given->view && view != METHOD_VIEW_FREQUENCY) {
        fprintf(stderr,
                "daedal: --view %s: %s advances equations of second order, of which --view "
                "frequency draws the factors of a step\n",
                given->view, m->name);
        return 2;
    }
    if (m->structural) view = METHOD_VIEW_FREQUENCY;
    if (method_properties_find(m, &found) != DAE_OK) return report_no_memory();
    int code = given->plot ? draw(given, m, view) : 0;
    if (code == 2) return code;
    if (given->json)
        code |= method_json_write(stdout, m, &found) != 0;
    else
        method_words_print(m, &found);
    return flush_answer(code);
}

int cmd_method(const arguments *given)
{
    method_view view;
    int code = read_view(given, &view);
    const char *obstacle = given->plot ? picture_obstacle(given->plot) : NULL;
    if (code) return code;
    if (obstacle) {
        fprintf(stderr, "daedal: --plot \"%s\": %s\n", given->plot, obstacle);
        return 2;
    }
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
