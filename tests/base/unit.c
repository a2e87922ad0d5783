/* What all test programs link: running a file's tests, and LAPACK's handler of errors. */
#include "base/unit.h"

/* Read by the address sanitizer: sizes that do not exist are refused there, too, not fatal. */
DAE_API const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* LAPACK's own ends the program with status 0, like a test that passes. */
DAE_API void xerbla_(const char *routine, const int *argument, size_t length);
DAE_API void xerbla_(const char *routine, const int *argument, size_t length)
{
    ck_abort_msg("%.*s: argument %d is wrong", (int)length, routine, *argument);
}

/* Check writes to a file, by a system call, where each assertion is that passes: half of the time
 * of tests with many. The linker calls this instead (--wrap). */
void __wrap__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line)
{
    (void)file;
    (void)line;
}

size_t unit_one_in(size_t sanitized)
{
    const size_t of[] = {[GRID_FULL] = 1, [GRID_THINNED] = 2, [GRID_SANITIZED] = sanitized};
    return of[grid_of_run()];
}

bool is_sampled(const char *name, size_t k, size_t sanitized)
{
    static int left_out; /* by this test */
    const size_t of = unit_one_in(sanitized);
    if (k % of == 0) return true;
    printf("left out, %d: %s, one in %zu alike is run\n", ++left_out, name, of);
    fflush(stdout);
    return false;
}

void unit_loop(TCase *tests, const TTest *test, int from, int to)
{
    enum { FEW = 4 };
    static int first; /* that each case of a grid is run by some test */
    const int of = (int)unit_one_in(4);
    if (of == 1 || to - from <= FEW) {
        tcase_add_loop_test(tests, test, from, to);
        return;
    }
    int all = to - from, run = 0;
    for (int k = from + first++ % of; k < to; k += of, run++)
        tcase_add_loop_test(tests, test, k, k + 1);
    report_left_out(test->name, all - run, all, "some of those that are alike are run");
}

int unit_run(const char *name, TCase *tests)
{
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

int unit_main(const char *name, double seconds, size_t count, const TTest *const *test)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, seconds);
    for (size_t i = 0; i < count; i++) tcase_add_test(tests, test[i]);
    return unit_run(name, tests);
}
