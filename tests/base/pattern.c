/* Patterns of names. */
#include "base/pattern.h"
#include "base/unit.h"

START_TEST(stars_and_slices_match)
{
    static const struct {
        const char *pattern, *name;
        bool matches;
    } CASES[] = {
        {"*", "x", true},
        {"motor.*", "motor.w", true},
        {"motor.*", "motor.shaft.a[2]", true},
        {"motor.*", "motors.w", false},
        {"*.i", "a.b.i", true},
        {"*.i", "a.b.i[3]", true},
        {"*.i", "a.b.ii", false},
        {"*.i", "i", false},
        {"a*b*c", "aXbXbYc", true},
        {"a*b*c", "aXbXbY", false},
        {"c[2:5].v", "c[2].v", true},
        {"c[2:5].v", "c[5].v", true},
        {"c[2:5].v", "c[6].v", false},
        {"c[2:5].v", "c[1].v", false},
        {"c[2:5].v", "c[25].v", false},
        {"c[2:5]", "c[3,1]", false},
        {"c[2:5]", "c[3].v", false},
        {"c[2:5]", "c[3][1]", true},
        {"c[1:2:9]", "c[7]", true},
        {"c[1:2:9]", "c[8]", false},
        {"c[:]", "c[17]", true},
        {"c[3:end]", "c[3]", true},
        {"c[3:end]", "c[2]", false},
        {"M[:,2]", "M[9,2]", true},
        {"M[:,2]", "M[2,9]", false},
        {"M[ 1 : 2 , : ]", "M[2,9]", true},
        {"c[2:3,*].T", "c[3,7].T", true},
        {"c[2:3, * ].T", "c[4,7].T", false},
        {"z[*,2:3]", "z[9,3]", true},
        {"z[*,2:3]", "z[9,4]", false},
        {"*[2:3].i", "r[1].c[3].i", true},
        {"*[2:3].i", "r[2].c[1].i", false},
        {"c[2:", "c[2]", false},
        {"c[b:c]", "c[2]", false},
        {"c[0:0:3]", "c[1]", false},
        {"'a*'.*", "a*.i", true},
        {"'a*'.*", "ab.i", false},
        {"'c[1:2]'*", "c[1:2].x", true},
        {"'it\\'s'*", "it's so", true},
        {"'x'*", "'x'.y", true},
        {"", "x", false},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++)
        ck_assert_msg(pattern_matches(CASES[k].pattern, CASES[k].name) == CASES[k].matches,
                      "%s and %s", CASES[k].pattern, CASES[k].name);
}
END_TEST

START_TEST(what_is_no_pattern_is_told)
{
    static const char *const PLAIN[] = {"x", "c[2]", "M[1,2]", "'a*b'", "'c[1:2]'.d", "a:b", "["};
    static const char *const WILD[] = {"x*", "c[:]", "'a'.*", "a[1].b[2:3]"};
    for (size_t k = 0; k < 7; k++) ck_assert_msg(!pattern_is_one(PLAIN[k]), "%s", PLAIN[k]);
    for (size_t k = 0; k < 4; k++) ck_assert_msg(pattern_is_one(WILD[k]), "%s", WILD[k]);
    ck_assert_uint_eq(pattern_prefix("ab.*.c[1:2].de"), 3);
    ck_assert_uint_eq(pattern_suffix("ab.*.c[1:2].de"), 3);
}
END_TEST

UNIT_MAIN("base/pattern", 10, stars_and_slices_match, what_is_no_pattern_is_told)
