/* Large and deep texts: what is long works in time that grows with its length, what is too much is
 * told so, and nothing exhausts the stack. */
#include "reading.h"

typedef struct built {
    char *string;
    size_t length, room;
} built;

static void add(built *b, const char *piece)
{
    size_t length = strlen(piece);
    if (b->length + length + 1 > b->room)
        b->string = realloc(b->string, b->room = 2 * b->room + length + 64);
    memcpy(b->string + b->length, piece, length + 1);
    b->length += length;
}

static void repeat(built *b, size_t count, const char *piece)
{
    for (size_t i = 0; i < count; i++) add(b, piece);
}

static void read_built(reading *r, built *b)
{
    read_bytes(r, "m.mo", b->string, b->length, 0, NULL);
    free(b->string);
}

static void expect_error(reading *r, const char *words)
{
    ck_assert_int_eq(r->status, DAE_MODEL_ERROR);
    const char *said = message_string(&r->m);
    ck_assert_msg(strstr(said, words) != NULL, "%s\nnot \"%s\"", said, words);
    ck_assert_msg(!strstr(said + 1, "m.mo:"), "one report only:\n%s", said);
    close_reading(r);
}

/* `open` x `count`, `middle`, `close` x `count` as a right side. */
static void read_nested(reading *r, size_t count, const char *open, const char *middle,
                        const char *close)
{
    built b = {0};
    add(&b, "model M Real x; equation x = ");
    repeat(&b, count, open);
    add(&b, middle);
    repeat(&b, count, close);
    add(&b, "; end M;");
    read_built(r, &b);
}

START_TEST(depth)
{
    static const struct {
        const char *open, *middle, *close;
    } row[] = {{"(", "time", ")"},
               {"sin(", "time", ")"},
               {"-(", "1", ")"},
               {"{", "1", "}"},
               {"[", "1", "]"},
               {"1^(", "1", ")"},
               {"(if time > ", "1", " then 1 else 2)"},
               {"if time > 1 then ", "1", " else 2"}};
    reading r;
    read_nested(&r, 240, row[_i].open, row[_i].middle, row[_i].close);
    bool scalar = _i != 3 && _i != 4; /* an array does not equal x */
    ck_assert_msg((r.status == DAE_OK) == scalar, "%s", message_string(&r.m));
    ck_assert_ptr_null(strstr(message_string(&r.m), "nested"));
    close_reading(&r);
    read_nested(&r, 100000, row[_i].open, row[_i].middle, row[_i].close);
    expect_error(&r, "nested more than 500 levels deep");
}
END_TEST

START_TEST(deep_blocks)
{
    static const char *const open[] = {"if time > 1 then ", "for i in 1:1 loop ",
                                       "when time > 1 then "};
    static const char *const close[] = {"end if;", "end for;", "end when;"};
    built b = {0};
    add(&b, "model M Real x; equation ");
    repeat(&b, 20000, open[_i]);
    add(&b, "x = 1;");
    repeat(&b, 20000, close[_i]);
    add(&b, " end M;");
    reading r;
    read_built(&r, &b);
    expect_error(&r, "nested more than 500 levels deep");
}
END_TEST

START_TEST(deep_and_open)
{
    static const char *const open[] = {"(",    "[",  "{",    "if ",        "- ",
                                       "not ", "x[", "der(", "function f "};
    built b = {0};
    add(&b, "model M Real x; equation x = ");
    repeat(&b, 50000, open[_i]);
    reading r;
    read_built(&r, &b);
    ck_assert_int_eq(r.status, DAE_MODEL_ERROR);
    close_reading(&r);
}
END_TEST

/* Chains of one operator level are not nested. */
START_TEST(long_chains)
{
    static const struct {
        const char *begin, *piece, *end;
        double value;
    } row[] = {{"", "1 + ", "0", 100000},
               {"", "x - ", "x", -99999},
               {"", "2*0.5*", "3", 3},
               {"x", "*1.0", "", 1},
               {"if x > 0 ", "and x > 0 ", "then 1 else 2", 1},
               {"if x < 0 ", "or x < 0 ", "then 1 else 2", 2},
               {"", "if time > 1 then 1 else ", "7", 7},
               {"if time > 1 then 1 ", "elseif time > 2 then 2 ", "else 7", 7},
               {"sum({1", ", 1", "})", 100001},
               {"sum([1", "; 1", "])", 100001}};
    built b = {0};
    add(&b, "model M Real x, y; equation x = time; y = ");
    add(&b, row[_i].begin);
    repeat(&b, 100000, row[_i].piece);
    add(&b, row[_i].end);
    add(&b, "; end M;");
    reading r;
    read_built(&r, &b);
    ck_assert_msg(r.status == DAE_OK, "%s", message_string(&r.m));
    ck_assert_double_eq_tol(value_of(&r, right_side(&r, "y")), row[_i].value, 1e-9);
    close_reading(&r);
}
END_TEST

START_TEST(long_chain_of_parameters)
{
    built b = {0};
    char line[96];
    add(&b, "model M Real x = p0; ");
    for (int i = 0; i < 50000; i++) {
        snprintf(line, sizeof line, "parameter Real p%d = p%d + 1;\n", i, i + 1);
        add(&b, line);
    }
    add(&b, "parameter Real p50000 = 0; end M;");
    reading r;
    read_built(&r, &b);
    ck_assert_msg(r.status == DAE_OK, "%s", message_string(&r.m));
    ck_assert_double_eq(value_of(&r, right_side(&r, "x")), 50000);
    close_reading(&r);
}
END_TEST

START_TEST(too_much)
{
    static const struct {
        const char *text, *words;
        bool long_way;
    } row[] = {
        {"model M Real x[5000001]; end M;", "x has more than 5000000 elements", false},
        {"model M Real x[100000, 100000]; end M;", "more than 5000000 elements", false},
        {"model M Real x[4000000], y[4000000]; end M;", "more than 5000000 unknowns", false},
        {"model M Real x = sum(fill(1, 10000, 10000)); end M;",
         "an array of more than 5000000 elements", false},
        {"model M Real x = sum(1:1e9); end M;", "a range of more than 5000000 elements", false},
        {"model M Real x = sum(1:1e300:1e308); end M;", "a range of more than 5000000 elements",
         false},
        {"model M Real x[1000000000000000000]; end M;", "whole number", false},
        {"model M Real x = sum(sum(1 for i in 1:100000) for j in 1:100000); end M;",
         "about 10000000 steps of loops, 1000000 calls, 200000000 elements", true},
        {"model M function f input Real x; output Real y; algorithm y := f(x) + f(x); end f; Real "
         "x = f(1); "
         "end M;",
         "nested too deeply", false},
        {"model M function f input Integer n; output Real y; algorithm y := if n == 0 then 1 else "
         "f(n - 1) + "
         "f(n - 1); end f; Real x = f(60); end M;",
         "steps", true},
        {"model M function f input Real x; output Real y; algorithm y := x; for i in 1:5000 "
         "loop for j in "
         "1:5000 loop y := y; end for; end for; end f; Real x = f(1); end M;",
         "about 10000000 steps of loops, 1000000 calls, 200000000 elements", false},
    };
    if (row[_i].long_way && grid_of_run() != GRID_FULL) {
        report_left_out(row[_i].text, 1, 1, "another ends at the same bound sooner");
        return;
    }
    reading r;
    read_text(&r, row[_i].text);
    expect_error(&r, row[_i].words);
}
END_TEST

/* Iterators are levels of a recursion. */
START_TEST(many_iterators)
{
    static const struct {
        const char *begin, *end;
    } row[] = {{"Real x; equation for i in 1:1", " loop x = 1; end for;"},
               {"Real x = sum(1 for i in 1:1", ");"},
               {"Real x = size({1 for i in 1:1", "}, 1);"},
               {"Real x; algorithm for i in 1:1", " loop x := 1; end for;"}};
    for (size_t count = 10; count <= 100000; count *= 10000) {
        built b = {0};
        reading r;
        add(&b, "model M ");
        add(&b, row[_i].begin);
        repeat(&b, count, ", i in 1:1");
        add(&b, row[_i].end);
        add(&b, " end M;");
        read_built(&r, &b);
        if (count == 10)
            ck_assert_msg(r.status == DAE_OK, "%s", message_string(&r.m));
        else
            ck_assert_ptr_nonnull(strstr(message_string(&r.m), "more than 16 iterators"));
        close_reading(&r);
    }
}
END_TEST

/* Each type is declared by the next one; the last one by Real, or by the first one. */
START_TEST(long_chains_of_types)
{
    enum { TYPES = 1000 };
    for (int loop = 0; loop < 2; loop++) {
        built b = {0};
        char piece[64];
        reading r;
        add(&b, "package P ");
        for (int i = 0; i + 1 < TYPES; i++) {
            snprintf(piece, sizeof piece, "type T%d = T%d; ", i, i + 1);
            add(&b, piece);
        }
        snprintf(piece, sizeof piece, "type T%d = %s; ", TYPES - 1, loop ? "T0" : "Real");
        add(&b, piece);
        add(&b, "model P T0 x = 1; end P; end P;");
        read_built(&r, &b);
        if (loop) {
            expect_error(&r, "the type T0 is declared in terms of itself");
            continue;
        }
        ck_assert_msg(r.status == DAE_OK, "%s", message_string(&r.m));
        ck_assert_uint_eq(r.system->equation.count, 1);
        close_reading(&r);
    }
}
END_TEST

/* An attribute that is given a hundred thousand times is told at once. */
START_TEST(many_attributes)
{
    built b = {0};
    add(&b, "model M Real x(start = 1");
    repeat(&b, 100000, ", start = 2");
    add(&b, "); end M;");
    reading r;
    read_built(&r, &b);
    ck_assert_ptr_nonnull(strstr(message_string(&r.m), "start is given twice"));
    close_reading(&r);
}
END_TEST

START_TEST(no_text)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *words;
    } row[] = {
        {"", 0, "m.mo:1:1: error: expected 'model' or 'package', found nothing: the text is empty"},
        {"\xEF\xBB\xBF", 3, "the text is empty"},
        {"model M\0 Real", 13, "m.mo:1:8: error: this is not text: it contains the byte 0x00"},
        {"\x7F"
         "ELF\x01",
         5, "m.mo:1:1: error: this is not text: it contains the byte 0x7F"},
        {"model M\n\x1B[31m", 13, "m.mo:2:1: error: this is not text: it contains the byte 0x1B"},
        {"\xFF\xFEm\0o\0", 6, "this is not text"},
        {"\xFF\xFE", 2, "unexpected character"},
        {"model M Real 'a\xF0'; end M;", 25,
         "m.mo:1:16: error: the byte 0xF0 in this name is not UTF-8"},
        {"model M\n Real x(unit = \"\xC3\xA4\xE4\", a = \"\xFF\"); end M;", 46,
         "m.mo:2:18: error: the byte 0xE4 in this string is not UTF-8\n"
         "     Real x(unit = \"\xC3\xA4?\", a = \"?\"); end M;\n                     ^\n"
         "  save the file as UTF-8"},
        {"model M Real \xE2\x82; x \xC2\x9B end M;", 26, "unexpected character"}};
    reading r;
    read_bytes(&r, "m.mo", row[_i].bytes, row[_i].length, 0, NULL);
    ck_assert_int_eq(r.status, DAE_MODEL_ERROR);
    ck_assert_msg(strstr(message_string(&r.m), row[_i].words), "%s", message_string(&r.m));
    for (const char *c = message_string(&r.m); *c; c++) /* what cannot be shown is not shown */
        ck_assert((unsigned char)*c >= ' ' || *c == '\n' || *c == '\t');
    ck_assert(is_clean(message_string(&r.m)));
    close_reading(&r);
}
END_TEST

/* Invalid UTF-8 is nobody's business in comments; the text needs no last line end, and lines may
 * end in any way. */
START_TEST(odd_texts)
{
    static const char *const row[] = {
        "model M // \xFE\n /* \x80 */ Real x; equation x = 1; end M;",
        "\xEF\xBB\xBFmodel M\r\n Real x;\r\nequation\r\n x = 1;\r\nend M;",
        "model M\r Real x;\requation\r x = 1; // a comment\rend M;\r",
        "\n\n\t model M Real x; equation x = 1; end M;\f\v",
        "model M Real x; equation x = 1; end M; // the end",
        "model M Real x; equation x = 1; end M; /* the end */",
        "within ;\nmodel M Real x; equation x = 1; end M;",
        "//! base 0.1.0\npackage 'M' model 'M' Real x; equation x = 1; end 'M'; end 'M';",
    };
    reading r;
    read_right(&r, row[_i]);
    ck_assert_uint_eq(r.system->equation.count, 1);
    close_reading(&r);
}
END_TEST

/* A text of the largest size is read, one that is longer is not looked at. */
START_TEST(too_long)
{
    if (!is_sampled("a text of the largest size", 1, 2)) return;
    size_t length = (size_t)MODEL_LARGEST_TEXT + 1;
    char *bytes = malloc(length);
    ck_assert_ptr_nonnull(bytes);
    static const char model[] = "model M Real x; equation x = 1; end M;";
    memset(bytes, ' ', length);
    memcpy(bytes, model, sizeof model - 1);
    reading r;
    read_bytes(&r, "m.mo", bytes, length - 1, 0, NULL);
    ck_assert_msg(r.status == DAE_OK, "%s", message_string(&r.m));
    close_reading(&r);
    read_bytes(&r, "m.mo", bytes, length, 0, NULL);
    ck_assert_ptr_nonnull(strstr(message_string(&r.m), "longer than 256 MiB"));
    expect_error(&r, "longer than 256 MiB");
    free(bytes);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, depth, 0, 8);
    tcase_add_loop_test(tests, deep_blocks, 0, 3);
    tcase_add_loop_test(tests, deep_and_open, 0, 9);
    tcase_add_loop_test(tests, long_chains, 0, 10);
    tcase_add_test(tests, long_chain_of_parameters);
    tcase_add_loop_test(tests, too_much, 0, 11);
    tcase_add_loop_test(tests, many_iterators, 0, 4);
    tcase_add_test(tests, long_chains_of_types);
    tcase_add_test(tests, many_attributes);
    tcase_add_loop_test(tests, no_text, 0, 10);
    tcase_add_loop_test(tests, odd_texts, 0, 8);
    tcase_add_test(tests, too_long);
    return unit_run("model/limits", tests);
}
