/* No run that claims success is wrong by more than 100 times its tolerance, in the variables that
 * are differentiated: each adaptive method of the catalogue on the eight problems of the study.
 * What a method cannot do it refuses, or stops, with a status and a sentence. */
#include "base/unit.h"
#include "comparison.h"
#include "method/method.h"

#include <stdio.h>

enum { MOST_STEPS = 5000 };

static bool is_adaptive(const char *name)
{
    message m = {.status = DAE_OK};
    method *found = NULL;
    bool adaptive = method_create(&found, name, &m) == DAE_OK && method_is_adaptive(found);
    method_free(found);
    message_free(&m);
    return adaptive;
}

static int judge(const zoo_ivp *ivp, const char *name, double rtol)
{
    static outcome found;
    run_daedal(ivp, name, rtol, MOST_STEPS, &found);
    printf("%-22s%-18s%8.0e%8zu  ", ivp->name, name, rtol, found.steps);
    double error = found.reached ? error_over_tolerance(ivp, rtol, found.y) : 0;
    if (found.reached)
        printf("%5.1f digits, %.3g tolerances%s\n", zoo_digits(ivp, found.y), error,
               error <= 100 ? "" : " <-- wrong");
    else
        printf("%s: %.80s%s\n", found.status, found.message, found.message[0] ? "" : " <-- wrong");
    fflush(stdout);
    return found.reached ? error > 100 : !found.message[0];
}

static void judge_all(double rtol)
{
    int wrong = 0;
    for (size_t k = 0; k < zoo_ivp_count; k++)
        for (size_t i = 0; method_row_at(i); i++)
            if (is_adaptive(method_row_at(i)->name))
                wrong += judge(zoo_ivps[k], method_row_at(i)->name, rtol);
    ck_assert_msg(wrong == 0, "%d runs claim more than they have", wrong);
}

START_TEST(coarse)
{
    judge_all(1e-4);
}
END_TEST

START_TEST(fine)
{
    judge_all(1e-6);
}
END_TEST

UNIT_MAIN("accuracy/tolerance", 300, coarse, fine)
