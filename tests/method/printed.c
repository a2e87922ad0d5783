/* Numbers as printed elsewhere, bit for bit: the radicals of Hairer & Wanner II, Tables IV.5.1 to
 * IV.5.12 and of Jay (2015), and the quotients of Kennedy & Carpenter, NASA/TM-2001-211038, App. C,
 * which the rows compute from the conditions. */
#include "method/families.h"
#include "method/rows.h"
#include "method/tableau.h"

static const struct {
    const char *name, *text;
} table[] = {{"gauss2", "r = sqrt(3);"
                        "1/2-r/6 | 1/4 1/4-r/6;"
                        "1/2+r/6 | 1/4+r/6 1/4;"
                        "        | 1/2 1/2;"},
             {"gauss3", "r = sqrt(15);"
                        "1/2-r/10 | 5/36 2/9-r/15 5/36-r/30;"
                        "1/2      | 5/36+r/24 2/9 5/36-r/24;"
                        "1/2+r/10 | 5/36+r/30 2/9+r/15 5/36;"
                        "         | 5/18 4/9 5/18;"},
             {"radau-ia2", "0   | 1/4 -1/4;"
                           "2/3 | 1/4 5/12;"
                           "    | 1/4 3/4;"},
             {"radau-ia3", "r = sqrt(6);"
                           "0        | 1/9 (-1-r)/18 (-1+r)/18;"
                           "(6-r)/10 | 1/9 (88+7*r)/360 (88-43*r)/360;"
                           "(6+r)/10 | 1/9 (88+43*r)/360 (88-7*r)/360;"
                           "         | 1/9 (16+r)/36 (16-r)/36;"},
             {"radau-iia2", "1/3 | 5/12 -1/12;"
                            "1   | 3/4 1/4;"},
             {"radau-iia3", "r = sqrt(6);"
                            "(4-r)/10 | (88-7*r)/360 (296-169*r)/1800 (-2+3*r)/225;"
                            "(4+r)/10 | (296+169*r)/1800 (88+7*r)/360 (-2-3*r)/225;"
                            "1        | (16-r)/36 (16+r)/36 1/9;"},
             {"lobatto-iiia3", "0   |;"
                               "1/2 | 5/24 1/3 -1/24;"
                               "1   | 1/6 2/3 1/6;"},
             {"lobatto-iiia4", "r = sqrt(5);"
                               "0        |;"
                               "(5-r)/10 | (11+r)/120 (25-r)/120 (25-13*r)/120 (-1+r)/120;"
                               "(5+r)/10 | (11-r)/120 (25+13*r)/120 (25+r)/120 (-1-r)/120;"
                               "1        | 1/12 5/12 5/12 1/12;"},
             {"lobatto-iiib2", "0 | 1/2 0;"
                               "1 | 1/2 0;"
                               "  | 1/2 1/2;"},
             {"lobatto-iiib3", "0   | 1/6 -1/6 0;"
                               "1/2 | 1/6 1/3 0;"
                               "1   | 1/6 5/6 0;"
                               "    | 1/6 2/3 1/6;"},
             {"lobatto-iiib4", "r = sqrt(5);"
                               "0        | 1/12 (-1-r)/24 (-1+r)/24 0;"
                               "(5-r)/10 | 1/12 (25+r)/120 (25-13*r)/120 0;"
                               "(5+r)/10 | 1/12 (25+13*r)/120 (25-r)/120 0;"
                               "1        | 1/12 (11-r)/24 (11+r)/24 0;"
                               "         | 1/12 5/12 5/12 1/12;"},
             {"lobatto-iiic2", "0 | 1/2 -1/2;"
                               "1 | 1/2 1/2;"},
             {"lobatto-iiic3", "0   | 1/6 -1/3 1/6;"
                               "1/2 | 1/6 5/12 -1/12;"
                               "1   | 1/6 2/3 1/6;"},
             {"lobatto-iiic4", "r = sqrt(5);"
                               "0        | 1/12 -r/12 r/12 -1/12;"
                               "(5-r)/10 | 1/12 1/4 (10-7*r)/60 r/60;"
                               "(5+r)/10 | 1/12 (10+7*r)/60 1/4 -r/60;"
                               "1        | 1/12 5/12 5/12 1/12;"},
             {"lobatto-iiicstar3", "0   |;"
                                   "1/2 | 1/4 1/4;"
                                   "1   | 0 1;"
                                   "    | 1/6 2/3 1/6;"},
             {"lobatto-iiicstar4", "r = sqrt(5);"
                                   "0        |;"
                                   "(5-r)/10 | (5+r)/60 1/6 (15-7*r)/60;"
                                   "(5+r)/10 | (5-r)/60 (15+7*r)/60 1/6;"
                                   "1        | 1/6 (5-r)/12 (5+r)/12;"
                                   "         | 1/12 5/12 5/12 1/12;"},
             {"lobatto-iiia3-shifted:rho_inf=1/2", "0   |;"
                                                   "2/3 | 7/27 5/9 -4/27;"
                                                   "1   | 1/4 3/4 0;"},
             {"esdirk3", "g = 1767732205903/4055673282236;"
                         "0   |;"
                         "1767732205903/2027836641118 | g g;"
                         "3/5 | 2746238789719/10658868560708 -640167445237/6845629431997 g;"
                         "1   | 1471266399579/7840856788654 -4482444167858/7529755066697 "
                         "11266239266428/11593286722821 g;"
                         "^   | 2756255671327/12835298489170 -10771552573575/22201958757719 "
                         "9247589265047/10645013368117 2193209047091/5459859503100;"},
             {"esdirk5", "g = 41/200;"
                         "0      |;"
                         "41/100 | g g;"
                         "2935347310677/11292855782101 | 41/400 -567603406766/11931857230679 g;"
                         "1426016391358/7196633302097 | 683785636431/9252920307686 0 "
                         "-110385047103/1367015193373 g;"
                         "92/100 | 3016520224154/10081342136671 0 30586259806659/12414158314087 "
                         "-22760509404356/11113319521817 g;"
                         "24/100 | 218866479029/1489978393911 0 638256894668/5436446318841 "
                         "-1179710474555/5321154724896 -60928119172/8023461067671 g;"
                         "3/5    | 1020004230633/5715676835656 0 25762820946817/25263940353407 "
                         "-2161375909145/9755907335909 -211217309593/5846859502534 "
                         "-4269925059573/7827059040749 g;"
                         "1      | -872700587467/9133579230613 0 0 22348218063261/9555858737531 "
                         "-1143369518992/8141816002931 -39379526789629/19018526304540 "
                         "32727382324388/42900044865799 g;"
                         "^      | -975461918565/9796059967033 0 0 78070527104295/32432590147079 "
                         "-548382580838/3424219808633 -33438840321285/15594753105479 "
                         "3629800801594/4656183773603 4035322873751/18575991585200;"}};
enum { TABLES = sizeof table / sizeof *table };

static void same_double(const char *name, const char *what, int i, int j, quad computed,
                        quad printed)
{
    ck_assert_msg((double)computed == (double)printed, "%s: %s %d,%d is %.17g, printed %.17g", name,
                  what, i + 1, j + 1, (double)computed, (double)printed);
}

START_TEST(printed_numbers)
{
    const char *name = table[_i].name;
    method printed = {0}, *m = create(name);
    definitions names = {0};
    ck_assert_ptr_null(tableau_read(&printed, table[_i].text, &names));
    ck_assert_int_eq(m->stages, printed.stages);
    for (int i = 0; i < m->stages; i++) {
        same_double(name, "b", i, 0, m->b[i], printed.b[i]);
        same_double(name, "c", i, 0, m->c[i], printed.c[i]);
        if (printed.estimators) same_double(name, "b^", i, 0, m->b_hat[0][i], printed.b_hat[0][i]);
        for (int j = 0; j < m->stages; j++)
            same_double(name, "a", i, j, m->a[i][j], printed.a[i][j]);
    }
    method_free(m);
}
END_TEST

/* Heun's method is the member with two stages of Lobatto IIIC*. */
START_TEST(heun_is_lobatto)
{
    method *m = create("heun2"), lobatto = {.family = METHOD_LOBATTO_IIICS};
    method_fill_family(&lobatto, 2);
    ck_assert(same_numbers(m, &lobatto));
    method_free(m);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, printed_numbers, 0, TABLES);
    tcase_add_test(tests, heun_is_lobatto);
    return unit_run("method/printed", tests);
}
