/* The models of the corpus: those that are right give as many equations as unknowns, those that are
 * wrong the message that their manifest asks for, and both forms of a model the same system. */
#include "reading.h"

#include <jansson.h>
#include <regex.h>

static json_t *manifest(void)
{
    json_error_t error;
    json_t *all = json_load_file("corpus/manifest.json", 0, &error);
    ck_assert_msg(all != NULL, "%s", error.text);
    return all;
}

static const char *string_of(const json_t *entry, const char *key)
{
    const char *value = json_string_value(json_object_get(entry, key));
    return value ? value : "";
}

static void read_model_file(reading *r, const char *file)
{
    char path[256];
    size_t length;
    snprintf(path, sizeof path, "corpus/%s", file);
    char *bytes = file_bytes(path, &length);
    ck_assert_msg(bytes != NULL, "%s", path);
    read_bytes(r, file, bytes, length, 0, NULL);
    free(bytes);
}

/* The pattern of the manifest, which is one of Python, as an extended regular expression. */
static bool matches(const char *string, const char *pattern)
{
    char translated[512];
    size_t n = 0;
    for (; *pattern && n + 8 < sizeof translated; pattern++) {
        if (pattern[0] == '\\' && pattern[1] == 'd')
            n += (size_t)snprintf(translated + n, sizeof translated - n, "[0-9]"), pattern++;
        else
            translated[n++] = *pattern;
    }
    translated[n] = '\0';
    regex_t regex;
    ck_assert_msg(regcomp(&regex, translated, REG_EXTENDED | REG_ICASE | REG_NOSUB | REG_NEWLINE) ==
                      0,
                  "%s", translated);
    bool found = regexec(&regex, string, 0, NULL, 0) == 0;
    regfree(&regex);
    return found;
}

/* Whether the mistake can be seen in the text. */
static bool is_ours(const json_t *entry)
{
    static const char *const events[] = {"ErrReinitAlgebraic.mo", "ErrTwoWhensAssign.mo",
                                         "ErrBooleanLoop.mo"};
    const char *stage = string_of(entry, "stage");
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (strcmp(string_of(entry, "file"), events[i]) == 0) return true;
    return strcmp(stage, "parse") == 0 || strcmp(stage, "semantic") == 0;
}

START_TEST(wrong_models)
{
    json_t *all = manifest(), *entry;
    size_t i, count = 0;
    json_array_foreach(all, i, entry)
    {
        const char *form[] = {string_of(entry, "file"), string_of(entry, "base_file")};
        for (int k = 0; k < 2 && is_ours(entry); k++) {
            if (!*form[k]) continue;
            reading r;
            read_model_file(&r, form[k]);
            const char *said = message_string(&r.m);
            ck_assert_msg(r.status == DAE_MODEL_ERROR, "%s: status %d", form[k], r.status);
            ck_assert_msg(!strstr(said, "not supported"), "%s", said);
            if (k == 0)
                ck_assert_msg(matches(said, string_of(entry, "expect_error")), "%s\nwanted: %s",
                              said, string_of(entry, "expect_error"));
            close_reading(&r);
            count++;
        }
    }
    ck_assert_uint_ge(count, 20);
    json_decref(all);
}
END_TEST

/* Where the text has fewer equations than unknowns, which is not for the reader to say. */
static bool is_unbalanced(const char *file)
{
    return strcmp(file, "ErrTooFewEquations.mo") == 0;
}

START_TEST(right_models)
{
    json_t *all = manifest(), *entry, *values;
    size_t i, understood = 0, refused = 0;
    const char *name;
    json_array_foreach(all, i, entry)
    {
        const char *file = string_of(entry, "file");
        if (is_ours(entry)) continue;
        reading r;
        read_model_file(&r, file);
        if (r.status != DAE_OK) {
            const char *said = message_string(&r.m);
            bool later = strcmp(string_of(entry, "level"), "MIN") != 0;
            bool event = strcmp(string_of(entry, "category"), "events") == 0;
            ck_assert_msg(!event, "%s", said);
            ck_assert_msg(r.status == DAE_MODEL_ERROR && strstr(said, "not supported"), "%s", said);
            ck_assert_msg(later, "%s", said);
            refused++;
        } else {
            size_t parameters = 0, n = r.system->unknown.count;
            for (size_t k = 0; k < n; k++) parameters += r.system->unknown.item[k].parameter;
            ck_assert_msg(n - parameters == r.system->equation.count || is_unbalanced(file),
                          "%s: %zu unknowns, %zu equations", file, n, r.system->equation.count);
            json_object_foreach(json_object_get(entry, "expect"), name, values)
                ck_assert_ptr_nonnull(unknown_called(&r, name));
            understood++;
        }
        close_reading(&r);
    }
    ck_assert_uint_ge(understood, 80);
    ck_assert_uint_le(refused, 2);
    json_decref(all);
}
END_TEST

static void same_equations(const reading *a, const reading *b, const sym_equation *x,
                           const sym_equation *y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text s = {0}, t = {0};
        print_equation(a, &x[i], &s);
        print_equation(b, &y[i], &t);
        ck_assert_str_eq(text_string(&s), text_string(&t));
        ck_assert_uint_eq(x[i].element, y[i].element);
        text_free(&s);
        text_free(&t);
    }
}

START_TEST(both_forms_are_the_same)
{
    json_t *all = manifest(), *entry;
    size_t i, pairs = 0;
    json_array_foreach(all, i, entry)
    {
        if (!*string_of(entry, "base_file")) continue;
        reading a, b;
        read_model_file(&a, string_of(entry, "file"));
        read_model_file(&b, string_of(entry, "base_file"));
        ck_assert_msg(a.status == b.status, "%s: %d and %d\n%s\n%s", string_of(entry, "file"),
                      a.status, b.status, message_string(&a.m), message_string(&b.m));
        if (a.status == DAE_OK) {
            ck_assert_str_eq(a.system->name, b.system->name);
            ck_assert_uint_eq(a.system->unknown.count, b.system->unknown.count);
            ck_assert_uint_eq(a.system->equation.count, b.system->equation.count);
            ck_assert_uint_eq(a.system->initial.count, b.system->initial.count);
            ck_assert_uint_eq(a.system->switches.count, b.system->switches.count);
            for (size_t k = 0; k < a.system->unknown.count; k++) {
                const sym_unknown *x = &a.system->unknown.item[k], *y = &b.system->unknown.item[k];
                ck_assert_str_eq(x->name, y->name);
                ck_assert(x->start == y->start && x->fixed == y->fixed && x->nominal == y->nominal);
                ck_assert(x->select == y->select && x->parameter == y->parameter);
            }
            same_equations(&a, &b, a.system->equation.item, b.system->equation.item,
                           a.system->equation.count);
            same_equations(&a, &b, a.system->initial.item, b.system->initial.item,
                           a.system->initial.count);
            pairs++;
        }
        close_reading(&a);
        close_reading(&b);
    }
    ck_assert_uint_ge(pairs, 80);
    json_decref(all);
}
END_TEST

int UNIT_ENTRY(void)
{
    const TTest *const tests[] = {wrong_models, right_models, both_forms_are_the_same};
    return unit_main("model/corpus", 60, 3, tests);
}
