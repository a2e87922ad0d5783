/* Text: numbers that read back, growth, the nearest word; the message that a handle keeps. */
#include "base/text.h"

#include "base/message.h"
#include "base/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the C library writes with the fewest of 15, 16 and 17 digits that read back. */
static void reads_back(double value)
{
    char shortest[TEXT_NUMBER_SIZE];
    char buffer[TEXT_NUMBER_SIZE];
    memset(buffer, 'x', sizeof buffer);
    size_t length = text_write_number(buffer, value);
    ck_assert_uint_lt(length, TEXT_NUMBER_SIZE);
    ck_assert_uint_eq(strlen(buffer), length);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(shortest, sizeof shortest, "%.*g", digits, value);
        if (strtod(shortest, NULL) == value) break;
    }
    ck_assert_str_eq(buffer, shortest);
}

START_TEST(numbers_read_back)
{
    const double edges[] = {0,       -0.0,      1,           DBL_MAX, -DBL_MAX,
                            DBL_MIN, 0x1p-1074, DBL_EPSILON, 1 / 3.,  0x1p53,
                            1e22,    1e23,      5e-324,      -1e-5,   123456789012345678.0};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) reads_back(edges[i]);
    uint64_t state = 3;
    for (int i = 0; i < 200000; i++) { /* all bit patterns, which are all magnitudes */
        uint64_t bits = scatter_bits(&state);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) reads_back(value);
        reads_back((double)(bits % 10000000) / (double)(1 << bits % 19)); /* few digits, ties */
        reads_back((double)(bits >> bits % 60));
    }
    for (int e = -1074; e < 1024; e++) {
        reads_back(ldexp(1, e));
        reads_back(nextafter(ldexp(1, e), 0));
        reads_back(nextafter(-ldexp(1, e), -HUGE_VAL));
    }
    for (int e = -323; e < 309; e++) {
        char power[8];
        snprintf(power, sizeof power, "1e%d", e);
        double ten = strtod(power, NULL);
        reads_back(ten);
        reads_back(nextafter(ten, 0));
        reads_back(nextafter(ten, HUGE_VAL));
    }
}
END_TEST

static const char *number(text *t, double value)
{
    text_clear(t);
    text_number(t, value);
    return text_string(t);
}

START_TEST(numbers_are_short)
{
    text t = {0};
    ck_assert_str_eq(number(&t, 0.1), "0.1");
    ck_assert_str_eq(number(&t, 1e-6), "1e-06");
    ck_assert_str_eq(number(&t, 0.1 + 0.2), "0.30000000000000004");
    ck_assert_str_eq(number(&t, (double)NAN), "nan");
    ck_assert_str_eq(number(&t, (double)INFINITY), "inf");
    ck_assert_str_eq(number(&t, -(double)INFINITY), "-inf");
    text_free(&t);
}
END_TEST

START_TEST(text_grows)
{
    text t = {0};
    ck_assert_str_eq(text_string(&t), "");
    for (int i = 0; i < 5000; i++) text_format(&t, "%04d,", i);
    ck_assert_uint_eq(t.length, 25000);
    ck_assert_uint_eq(strlen(t.string), 25000);
    for (int i = 0; i < 5000; i++) ck_assert_int_eq(atoi(t.string + 5 * i), i);
    text_clear(&t);
    text_add_bytes(&t, "a\0b", 3);
    ck_assert_uint_eq(t.length, 3);
    ck_assert_int_eq(t.string[3], 0);
    ck_assert_int_eq(t.cut, 0);
    text_free(&t);
    ck_assert_ptr_null(t.string);
}
END_TEST

/* Spaces and whole numbers are those of printf. */
START_TEST(what_needs_no_format)
{
    const size_t number[] = {0, 7, 9, 10, 99, 100, 65536, 1000000, SIZE_MAX - 1, SIZE_MAX};
    text plain = {0}, formatted = {0};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        text_spaces(&plain, 3 * k);
        text_whole(&plain, number[k]);
        text_format(&formatted, "%*s%zu", (int)(3 * k), "", number[k]);
    }
    ck_assert_uint_eq(plain.length, formatted.length);
    ck_assert_str_eq(text_string(&plain), text_string(&formatted));
    text_free(&plain);
    text_free(&formatted);
}
END_TEST

START_TEST(nearest_word)
{
    const char *const known[] = {"radau5", "radau-iia3", "omega", "theta", "x"};
    char long_word[100];
    ck_assert_str_eq(text_nearest("radua5", known, 5), "radau5"); /* one transposition */
    ck_assert_str_eq(text_nearest("Omga", known, 5), "omega");    /* one insertion, case */
    ck_assert_str_eq(text_nearest("thetaa", known, 5), "theta");  /* one deletion */
    ck_assert_str_eq(text_nearest("tjeta", known, 5), "theta");   /* one substitution */
    ck_assert_ptr_null(text_nearest("completely", known, 5));
    ck_assert_ptr_null(text_nearest("y", known, 5)); /* nothing of x is left in y */
    ck_assert_ptr_null(text_nearest("radau5", known, 0));
    memset(long_word, 'a', 99);
    long_word[99] = '\0';
    ck_assert_ptr_null(text_nearest(long_word, known, 5));
    ck_assert_str_eq(text_nearest("abc", (const char *const[]){long_word, "abd"}, 2), "abd");
    /* distances 2 and 1: the smaller wins, wherever it stands */
    ck_assert_str_eq(text_nearest("abcdef", (const char *const[]){"abcdxy", "abcdex"}, 2),
                     "abcdex");
    ck_assert_str_eq(text_nearest("abcdef", (const char *const[]){"abcdex", "abcdxy"}, 2),
                     "abcdex");
}
END_TEST

START_TEST(the_first_failure_is_kept)
{
    message m = {0};
    ck_assert_str_eq(message_string(&m), "");
    ck_assert_int_eq(message_fail(&m, DAE_NEWTON, "t = %g", 0.5), DAE_NEWTON);
    ck_assert_int_eq(message_fail(&m, DAE_USAGE, "later"), DAE_NEWTON);
    message_more(&m, ", h = %g", 0.25);
    message_note(&m, "first %d", 1);
    message_note(&m, "second");
    ck_assert_str_eq(message_string(&m), "t = 0.5, h = 0.25");
    ck_assert_str_eq(text_string(&m.notes), "first 1\nsecond\n");
    message_free(&m);
    m = (message){.status = DAE_NO_MEMORY}; /* no memory for a sentence either */
    ck_assert_str_eq(message_string(&m), "memory is exhausted");
}
END_TEST

START_TEST(every_status_has_a_word)
{
#define X(name, value, word, exit_status, meaning)                \
    ck_assert_int_eq(DAE_##name, value);                          \
    ck_assert_str_eq(dae_status_word((dae_status)(value)), word); \
    ck_assert_str_eq(dae_status_meaning((dae_status)(value)), meaning);
#include <daedal/status.def>
#undef X
    for (int i = 0; i < DAE_STATUS_COUNT_; i++)
        for (int k = 0; k < i; k++)
            ck_assert_str_ne(dae_status_word((dae_status)-i), dae_status_word((dae_status)-k));
    ck_assert_str_eq(dae_status_word((dae_status)-DAE_STATUS_COUNT_), "unknown");
    ck_assert_ptr_nonnull(strchr(dae_version(), '.'));
}
END_TEST

UNIT_MAIN("base/text", 60, numbers_read_back, numbers_are_short, text_grows, what_needs_no_format,
          nearest_word, the_first_failure_is_kept, every_status_has_a_word)
