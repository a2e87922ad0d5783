/* Exhausted memory: each allocation fails once, and the reader says so and leaves nothing after.
 * The linker puts the functions of this file in the place of malloc, calloc, realloc and
 * free. */
#include "reading.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *p);

static bool counting;
static long until_failure; /* allocations that still succeed; negative: all */
static long outstanding;   /* blocks that are not freed */
static size_t requested;   /* bytes */

static bool fails(void)
{
    if (!counting || until_failure < 0) return false;
    return until_failure-- == 0;
}

void *__wrap_malloc(size_t size)
{
    if (fails()) return NULL;
    outstanding += counting;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    if (fails()) return NULL;
    outstanding += counting;
    requested += count * size;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    if (fails()) return NULL;
    outstanding += counting && !old;
    return __real_realloc(old, size);
}

void __wrap_free(void *p)
{
    outstanding -= counting && p;
    __real_free(p);
}

static const char right[] =
    "package 'P' type 'V' = Real(unit = \"V\"); constant Real 'c' = 3; model 'P'\n"
    "  function 'f' input Real 'x'[:]; output Real 'y'; algorithm 'y' := 0; for i in 1:size('x', "
    "1) loop\n"
    "  if 'x'[i] > 0 then 'y' := 'y' + 'x'[i]; end if; end for; end 'f';\n"
    "  parameter Integer n = 200; parameter Real A[n, n] = identity(n); parameter Real k(fixed = "
    "false);\n"
    "  'V' x[n](each start = k, each fixed = true), z;\n"
    "initial equation k = 1;\n"
    "equation\n"
    "  der(x) = A*x .+ 'c';\n"
    "  if time > 1 then z = 'f'(x[1:50]); else z = sum(x[i]^2 for i in 1:n); end if;\n"
    "  assert(z < 100, \"too large\");\n"
    "end 'P'; end 'P';\n";

static const char wrong_model[] =
    "model M Real x(strat = 1), x; equation x = foo + bar; y = sin(1, 2); end M;";

/* Read while the k-th allocation fails; true if none did. */
static bool read_with_failure(const char *string, long k, dae_status otherwise)
{
    reading r;
    outstanding = 0;
    until_failure = k;
    counting = true;
    read_text(&r, string);
    bool none = until_failure >= 0;
    until_failure = -1;
    bool fine = r.status == DAE_NO_MEMORY ? r.system == NULL : r.status == otherwise;
    close_reading(&r);
    counting = false;
    ck_assert_msg(fine, "allocation %ld: status %d", k, r.status);
    ck_assert_msg(none || otherwise != DAE_OK || r.status == DAE_NO_MEMORY,
                  "allocation %ld: no failure", k);
    ck_assert_msg(outstanding == 0, "allocation %ld: %ld blocks are left", k, outstanding);
    return none;
}

START_TEST(each_allocation_fails)
{
    long k = 0;
    while (!read_with_failure(right, k, DAE_OK)) k++;
    ck_assert_int_gt(k, 10);
}
END_TEST

START_TEST(in_an_error)
{
    long k = 0;
    while (!read_with_failure(wrong_model, k, DAE_MODEL_ERROR)) k++;
    ck_assert_int_gt(k, 3);
}
END_TEST

START_TEST(message_of_exhaustion)
{
    reading r;
    until_failure = 1;
    counting = true;
    read_text(&r, right);
    counting = false;
    until_failure = -1;
    ck_assert_int_eq(r.status, DAE_NO_MEMORY);
    ck_assert_str_eq(message_string(&r.m), "memory is exhausted in reading m.mo");
    close_reading(&r);
}
END_TEST

/* Bytes for reading a loop whose subscripts are whole parts, with a name of so many characters. */
static size_t bytes_of_loop(int length)
{
    enum { MOST = 90 };
    char name[MOST + 1] = "", string[400];
    reading r;
    for (int i = 0; i < length; i++) name[i] = 'n';
    snprintf(string, sizeof string,
             "model M constant Integer %.*s = 3000; Real x[3000]; equation\n"
             "for k in 1:3000 loop 2*x[k] = x[mod(k, %s) + 1] + 1; end for; end M;",
             MOST, name, name);
    size_t before = requested;
    read_right(&r, string);
    close_reading(&r);
    return requested - before;
}

/* Only what makes events, or is no number, has its text kept. */
START_TEST(whole_parts_of_numbers_are_not_written)
{
    size_t brief = bytes_of_loop(1), wordy = bytes_of_loop(90);
    ck_assert_msg(brief > 0 && wordy < brief + brief / 10, "%zu, %zu", brief, wordy);
}
END_TEST

int UNIT_ENTRY(void)
{
    const TTest *const tests[] = {each_allocation_fails, in_an_error, message_of_exhaustion,
                                  whole_parts_of_numbers_are_not_written};
    return unit_main("model/memory", 60, 4, tests);
}
