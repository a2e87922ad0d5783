/* The catalogue: names, aliases, parameters, nodes; what is told of wrong ones. */
#include "method/rows.h"

static void refuse(const char *name, const char *sentence)
{
    message m = {0};
    method *made;
    ck_assert_msg(method_create(&made, name, &m) == DAE_USAGE, "%s", name);
    ck_assert_ptr_null(made);
    ck_assert_msg(strcmp(message_string(&m), sentence) == 0, "%s: %s", name, message_string(&m));
    message_free(&m);
}

static void spelled(const char *name, const char *expected)
{
    method *made = create(name), *again = create(made->name);
    ck_assert_str_eq(made->name, expected);
    ck_assert(same_numbers(made, again));
    method_free(made);
    method_free(again);
}

/* Every name of the list is there. */
START_TEST(all_names)
{
    char names[] =
        "euler midpoint heun2 heun3 ralston2 ralston3 ralston4 kutta3 ssprk3 rk4 rk38 dopri5 "
        "dop853 rk2:alpha=0.6 rk3:alpha=0.6 implicit-euler implicit-midpoint trapezoidal "
        "crank-nicolson gauss1 gauss2 gauss3 gauss4 gauss5 radau radau5 radau-ia1 radau-ia2 "
        "radau-ia3 radau-ia5 radau-ia7 radau-iia1 radau-iia2 radau-iia3 radau-iia5 radau-iia7 "
        "lobatto-iiia2 lobatto-iiia3 lobatto-iiia4 lobatto-iiib2 lobatto-iiib3 lobatto-iiib4 "
        "lobatto-iiic2 lobatto-iiic3 lobatto-iiic4 lobatto-iiicstar2 lobatto-iiicstar3 "
        "lobatto-iiicstar4 lobatto-iiia3-shifted:rho_inf=0.5 collocation(0,0.6,1) sdirk-hw16 "
        "sdirk-hw18 kvaerno3 kvaerno4 kvaerno5 esdirk3 esdirk4 esdirk5 bdf bdf1 bdf2 bdf3 bdf4 "
        "bdf5 "
        "bdf6 mebdf adams-bashforth1 adams-bashforth2 adams-bashforth3 adams-bashforth4 "
        "adams-bashforth5 adams-bashforth6 adams-moulton1 adams-moulton2 adams-moulton3 "
        "adams-moulton4 adams-moulton5 milne two-step:rho_inf=0.8 one-leg-two-step:rho_inf=0 "
        "one-leg-adams-moulton1 one-leg-adams-moulton2 one-leg-adams-moulton3 "
        "one-leg-adams-moulton4 one-leg-adams-moulton5 forward-second-differences dcbdf1 dcbdf2 "
        "dcbdf3 dcbdf4 dcbdf5 dcbdf1-unblocked dcbdf2-unblocked dcbdf3-unblocked "
        "dcbdf4-unblocked dcbdf5-unblocked blocked-adams-moulton1 blocked-adams-moulton2 "
        "blocked-adams-moulton3 newmark newmark:alpha=0.5,beta=0.25 fox-goodwin "
        "linear-acceleration central-difference hht:alpha=-0.05 generalized-alpha:rho_inf=0.8";
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) method_free(create(name));
}
END_TEST

START_TEST(rows_and_aliases)
{
    size_t count = 0;
    for (const method_row *row; (row = method_row_at(count)) != NULL; count++) {
        char aliases[100];
        method *made = create(row->name);
        ck_assert_ptr_eq(made->row, row);
        ck_assert_int_eq(made->family, row->family);
        ck_assert_int_gt(strlen(row->source), 0);
        ck_assert_int_eq(strncmp(made->name, row->name, strlen(row->name)), 0);
        strcpy(aliases, row->aliases);
        for (char *alias = strtok(aliases, " "); alias; alias = strtok(NULL, " ")) {
            method *same = create(alias);
            ck_assert_ptr_eq(same->row, row);
            ck_assert_str_eq(same->name, made->name);
            method_free(same);
        }
        method_free(made);
    }
    ck_assert_uint_gt(count, 50);
    ck_assert_ptr_null(method_row_at(count + 1));
}
END_TEST

/* No two rows have the same numbers, and none the name or alias of another. */
START_TEST(twins)
{
    const method_row *one, *other;
    for (size_t i = 0; (one = method_row_at(i)) != NULL; i++) {
        method *a = create(one->name);
        for (size_t j = i + 1; (other = method_row_at(j)) != NULL; j++) {
            method *b = create(other->name);
            ck_assert_msg(!same_numbers(a, b), "%s and %s", one->name, other->name);
            ck_assert_str_ne(one->name, other->name);
            method_free(b);
        }
        method_free(a);
    }
    method *third = create("rk3:alpha=1/2"), *kutta = create("kutta3");
    ck_assert(same_numbers(third, kutta)); /* so twins would be seen */
    method_free(third);
    method_free(kutta);
}
END_TEST

START_TEST(spelling)
{
    spelled("radau5", "radau-iia3");
    spelled("radau-iia1", "implicit-euler");
    spelled("lobatto-iiicstar2", "heun2");
    spelled("bdf1", "implicit-euler");
    spelled("two-step", "two-step:rho_inf=1/2");
    spelled("rk2", "rk2:alpha=3/5");
    spelled("rk2:alpha=0.6", "rk2:alpha=0.6");
    spelled("lobatto-iiia3-shifted: rho_inf = 1/2", "lobatto-iiia3-shifted:rho_inf=1/2");
    spelled("collocation(0, 0.6, 1)", "collocation(0,0.6,1)");
    spelled("collocation((2-sqrt(2))/4, (2+sqrt(2))/4)",
            "collocation((2-sqrt(2))/4,(2+sqrt(2))/4)");
}
END_TEST

/* A method made in two ways. */
START_TEST(same_methods)
{
    static const char *const pair[][2] = {
        {"rk2:alpha=1/2", "midpoint"},
        {"rk2:alpha=2/3", "ralston2"},
        {"rk2:alpha=1", "heun2"},
        {"lobatto-iiia3-shifted:rho_inf=1", "lobatto-iiia3"},
        {"lobatto-iiia3-shifted:rho_inf=2/3", "collocation(0,0.6,1)"},
        {"one-leg-two-step:rho_inf=1/2", "one-leg-two-step"},
        {"collocation(0.5)", "implicit-midpoint"},
        {"collocation(1)", "implicit-euler"},
        {"collocation(0,1)", "trapezoidal"},
        {"collocation((4-sqrt(6))/10,(4+sqrt(6))/10,1)", "radau-iia3"},
        {"collocation(1/2-sqrt(15)/10,1/2,1/2+sqrt(15)/10)", "gauss3"},
        {"collocation(0,1/2-sqrt(5)/10,1/2+sqrt(5)/10,1)", "lobatto-iiia4"}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        method *a = create(pair[i][0]), *b = create(pair[i][1]);
        ck_assert_msg(same_numbers(a, b), "%s and %s", pair[i][0], pair[i][1]);
        method_free(a);
        method_free(b);
    }
}
END_TEST

START_TEST(variable_order)
{
    static const int stages[] = {1, 3, 5, 7};
    method *radau = create("radau");
    ck_assert_int_eq(radau->order_levels, 4);
    ck_assert_int_eq(radau->stages, 7);
    ck_assert(method_is_adaptive(radau) && method_is_stiffly_accurate(radau));
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(radau->order_level[k]->family, METHOD_RADAU_IIA);
        ck_assert_int_eq(radau->order_level[k]->stages, stages[k]);
        ck_assert_int_eq(radau->order_level[k]->order_levels, 0);
    }
    method_free(radau);
}
END_TEST

/* Hairer & Wanner II, Secs. IV.5, IV.6, and the papers of the pairs. */
static const struct {
    const char *name, *family;
    bool adaptive, stiffly_accurate;
} rows[] = {{"rk4", "explicit", false, false},
            {"dopri5", "explicit", true, true}, /* first same as last */
            {"dop853", "explicit", true, false},
            {"gauss2", "gauss", true, false},
            {"gauss4", "gauss", false, false},
            {"radau-ia1", "radau-ia", false, false},
            {"radau-ia3", "radau-ia", false, false},
            {"implicit-euler", "radau-iia", true, true},
            {"radau-iia2", "radau-iia", false, true},
            {"radau-iia3", "radau-iia", true, true},
            {"trapezoidal", "lobatto-iiia", false, true},
            {"lobatto-iiib3", "lobatto-iiib", false, false},
            {"lobatto-iiic3", "lobatto-iiic", false, true},
            {"lobatto-iiicstar3", "lobatto-iiicstar", false, false},
            {"collocation(0,0.6,1)", "collocation", false, true},
            {"sdirk-hw16", "sdirk", true, true},
            {"sdirk-hw18", "sdirk", false, false},
            {"kvaerno5", "esdirk", true, true},
            {"esdirk5", "esdirk", true, true},
            {"bdf3", "bdf", false, true},
            {"bdf", "bdf", true, true},
            {"adams-bashforth2", "adams", false, false},
            {"adams-moulton2", "adams", false, true},
            {"milne", "multistep", false, true},
            {"two-step", "two-step", false, true},
            {"one-leg-two-step", "one-leg", false, false},
            {"dcbdf2", "difference-corrected-bdf", false, true},
            {"blocked-adams-moulton2", "blocked-adams", false, true}};

START_TEST(what_a_row_is)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *name = rows[i].name;
        method *m = create(name);
        ck_assert_str_eq(method_family_word(m->family), rows[i].family);
        const char *plural = method_family_sentence(m->family);
        ck_assert(strstr(plural, "methods") || strstr(plural, "formulas"));
        ck_assert_msg(method_is_adaptive(m) == rows[i].adaptive, "%s", name);
        ck_assert_msg(method_is_stiffly_accurate(m) == rows[i].stiffly_accurate, "%s", name);
        ck_assert_msg(m->decimals == (strcmp(name, "dop853") == 0), "%s", name);
        method_free(m);
    }
}
END_TEST

START_TEST(wrong_names)
{
    refuse("radua5", "method \"radua5\" is not in the catalogue; nearest: \"radau5\"");
    refuse("kvearno5", "method \"kvearno5\" is not in the catalogue; nearest: \"kvaerno5\"");
    refuse("Radau5", "method \"Radau5\" is not in the catalogue; nearest: \"radau5\"");
    refuse("rk5:alpha=1", "method \"rk5:alpha=1\" is not in the catalogue; nearest: \"rk2\"");
    refuse("something else", "method \"something else\" is not in the catalogue");
    refuse("", "method \"\" is not in the catalogue");
    refuse("radau5 gauss2", "method \"radau5 gauss2\" is not in the catalogue");
    refuse(":", "method \":\" is not in the catalogue");
}
END_TEST

START_TEST(wrong_parameters)
{
    refuse("rk4:alpha=1", "method \"rk4:alpha=1\": rk4 has no parameters and no nodes");
    refuse("rk4:", "method \"rk4:\": rk4 has no parameters and no nodes");
    refuse("rk4(0,1)", "method \"rk4(0,1)\": rk4 has no parameters and no nodes");
    refuse("rk2(1)", "method \"rk2(1)\": rk2 has no parameters and no nodes");
    refuse("rk2:beta=1",
           "method \"rk2:beta=1\": rk2 has one parameter, alpha, given as in rk2:alpha=3/5");
    refuse("rk2:", "method \"rk2:\": rk2 has one parameter, alpha, given as in rk2:alpha=3/5");
    refuse("rk2:alpha", "method \"rk2:alpha\": rk2 has one parameter, alpha, given as in "
                        "rk2:alpha=3/5");
    refuse("rk2:alpha=", "method \"rk2:alpha=\": a number is missing");
    refuse("rk2:alpha=x", "method \"rk2:alpha=x\": an unknown name");
    refuse("rk2:alpha=0", "method \"rk2:alpha=0\": alpha is not in (0,1]");
    refuse("rk2:alpha=1.01", "method \"rk2:alpha=1.01\": alpha is not in (0,1]");
    refuse("rk2:alpha=1/0", "method \"rk2:alpha=1/0\": a number that is not finite, as after "
                            "division by zero");
    refuse("rk2:alpha=1,beta=2",
           "method \"rk2:alpha=1,beta=2\": rk2 has one parameter, alpha, given as in "
           "rk2:alpha=3/5");
    refuse("rk2:alpha=1e-310", "method \"rk2:alpha=1e-310\": a number that is not finite, as after "
                               "division by zero");
    refuse("lobatto-iiia3-shifted:rho_inf=1e-9",
           "method \"lobatto-iiia3-shifted:rho_inf=1e-9\": nodes that are not in [0,1], do not "
           "ascend, or nearly coincide");
    refuse("two-step:rho_inf=1.1", "method \"two-step:rho_inf=1.1\": rho_inf is not in [0,1]");
    refuse("bdf2:rho_inf=1", "method \"bdf2:rho_inf=1\": bdf2 has no parameters and no nodes");
    refuse("rk3:alpha=2/3", "method \"rk3:alpha=2/3\": a number that is not finite, as after "
                            "division by zero");
    refuse("rk3:alpha=1", "method \"rk3:alpha=1\": alpha is not in (0,1)");
    refuse("lobatto-iiia3-shifted:rho_inf=0",
           "method \"lobatto-iiia3-shifted:rho_inf=0\": rho_inf is not in (0,1]");
    refuse("lobatto-iiia3-shifted:rho_inf=-1",
           "method \"lobatto-iiia3-shifted:rho_inf=-1\": rho_inf is not in (0,1]");
}
END_TEST

START_TEST(wrong_nodes)
{
    refuse("collocation", "method \"collocation\" needs nodes, as in collocation(0,3/5,1)");
    refuse("collocation:c=1", "method \"collocation:c=1\" needs nodes, as in collocation(0,3/5,1)");
    refuse("collocation()", "method \"collocation()\": a number is missing; nodes are given as in "
                            "collocation(0,3/5,1)");
    refuse("collocation(0,1", "method \"collocation(0,1\": the list is not closed by a "
                              "parenthesis; nodes are given as in collocation(0,3/5,1)");
    refuse("collocation(0,1)x", "method \"collocation(0,1)x\": the list is not closed by a "
                                "parenthesis; nodes are given as in collocation(0,3/5,1)");
    refuse("collocation(0,a)", "method \"collocation(0,a)\": an unknown name; nodes "
                               "are given as in collocation(0,3/5,1)");
    refuse("collocation(0.5,0.5)", "method \"collocation(0.5,0.5)\": node 2 is not above node 1 by "
                                   "1e-6 at least; nodes are distinct and ascend");
    refuse("collocation(0,1,0.5)", "method \"collocation(0,1,0.5)\": node 3 is not above node 2 by "
                                   "1e-6 at least; nodes are distinct and ascend");
    refuse("collocation(0,1.5)", "method \"collocation(0,1.5)\": node 2 is not in [0,1]");
    refuse("collocation(-1,1)", "method \"collocation(-1,1)\": node 1 is not in [0,1]");
    refuse("collocation(0,.1,.15,.2,.25,.3,.35,.4,.45,.5,.55,.6,.65,.7,.75,.8,.85)",
           "method \"collocation(0,.1,.15,.2,.25,.3,.35,.4,.45,.5,.55,.6,.65,.7,.75,.8,.85)\" has "
           "more than 16 nodes");
    char deep[400] = "collocation(";
    memset(deep + 12, '(', 380);
    refuse(deep, "the name of a method has at most 200 characters");
    deep[190] = '\0';
    message m = {0};
    method *made;
    ck_assert_int_eq(method_create(&made, deep, &m), DAE_USAGE);
    message_free(&m);
}
END_TEST

UNIT_MAIN("method/catalogue", 20, all_names, rows_and_aliases, twins, spelling, same_methods,
          variable_order, what_a_row_is, wrong_names, wrong_parameters, wrong_nodes)
