"""Failing well: the status, a message with its reason, the statistics' word, the rows before it."""
import math
import re
import unittest

from daedal import CORPUS, EXAMPLES, CommandTest, run, simulate

# y has no value from time 0.5 on; x alone needs no y.
LOGARITHM = """model Logarithm
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = log(x - 0.5);
end Logarithm;
"""
# v follows from the source, and q = C v is round-off beside a nominal size of 1.
CAPACITOR = """model Capacitor "a femtofarad at a source"
  parameter Real C = 1e-15;
  Real q(start = 0{nominal}), v, i;
equation
  der(q) = i;
  v = q/C;
  v = 1 + 0.5*sin(time);
end Capacitor;
"""
# x reaches 0.5 at 2 (u - ln(1 + u)) with u = sqrt(0.5), that is 0.34457, and can go no further.
COUPLED = """model Coupled
  Real x(start = 1, fixed = true);
equation
  der(x) = -1 - sqrt(x - 0.5);
end Coupled;
"""
TURNING = """model Turning "two roots meet at time 0.5"
  Real x(start = 1, fixed = true), y(start = 1);
equation
  der(x) = -1;
  y^2 = x - 0.5;
end Turning;
"""

# Where e0 = 0 the currents are 1e-15, and Newton's iteration sees no slope.
CELL = """model Cell "of transistors"
  Real e0, e1, i1, i2, i3, i4;
equation
  2e-3 = i1 + i2;
  i1 = 1e-15*exp((0.01 - e0)/0.026);
  i2 = 1e-15*exp((-0.01 - e0)/0.026);
  i1 = i3 + i4;
  i3 = 1e-15*exp((0.02 - e1)/0.026);
  i4 = 1e-15*exp((-0.02 - e1)/0.026);
end Cell;
"""


NOWHERE = """model Nowhere "e0^2 + e1^2 + e0*e1 is nowhere negative"
  Real e0, e1;
equation
  e0^2 + e1^2 + e0*e1 = -1;
  e0*e1 + exp(e0) = 3 + e1;
end Nowhere;
"""


class FailureTest(CommandTest):
    def expect_failure(self, model, word, *parts, status=1, **options):
        """A run that fails with a word in its statistics: the run; its message holds all parts."""
        found = simulate(model, status=status, **options)
        self.assertEqual(found.stats["status"], word, found.stats["message"])
        self.assert_says(found.stats["message"], *parts)
        for row in found.rows:
            self.assertTrue(all(map(math.isfinite, row.values())), row)
        return found


class DuringTheRun(FailureTest):
    def test_a_pole(self):
        found = self.expect_failure(
            CORPUS / "ErrPoleDuringRun.mo", "step_too_small", "t = 0.5", "y", points=11
        )
        self.assert_times(found.rows[:5], [0, 0.1, 0.2, 0.3, 0.4], 1e-15)
        self.assertLessEqual(found.rows[-1]["time"], 0.5)
        self.assert_near(found.rows[4]["y"], 8, 1e-3)
        self.assertGreater(found.stats["steps"], 0)

    def test_an_infinity_in_finite_time(self):
        found = self.expect_failure(
            "model M Real x(start = 1, fixed = true); equation der(x) = x^2; end M;",
            "step_too_small",
            "x",
            stop=2,
            points=5,
        )
        self.assert_near(found.rows[1]["x"], 2, 1e-5)
        self.assertLessEqual(len(found.rows), 3)

    def test_an_assertion(self):
        found = self.expect_failure(
            CORPUS / "ErrAssertRun.mo", "assertion", "tank is empty", "ErrAssertRun.mo:5", points=9
        )
        self.assert_times(found.rows, [0, 0.125, 0.25, 0.375])
        time = float(found.stats["message"].split("t = ")[1].split(":")[0])
        self.assert_near(time, 0.5, 0.01)

    def test_a_warning_hides_no_error(self):
        """Whichever is written first, and however many warnings there are."""
        warnings = [f'assert(x < 0.2, "soft {k}", AssertionLevel.warning);' for k in range(70)]
        for checks in [*warnings, 'assert(x < 0.5, "hard");'], [
            'assert(x < 0.5, "hard");',
            *warnings,
        ]:
            model = (
                "model W Real x(start = 0, fixed = true); equation der(x) = 1;"
                + "\n".join(checks)
                + "end W;"
            )
            result = run(["run", "-", "--points=11"], stdin=model)
            self.assertEqual(result.code, 1, result.err)
            self.assertIn("assertion failed at t = 0.5: hard", result.err)
            self.assertEqual(len(result.out.splitlines()), 1 + 5)
            for k in range(70):
                self.assertEqual(result.err.count(f"soft {k} ("), 1)

    def test_an_assertion_that_fails_within_a_step(self):
        model = """model M Real x(start = 0, fixed = true);
                   equation der(x) = 3*cos(3*time); assert(x < 0.99, "high"); end M;"""
        instant = math.asin(0.99) / 3
        for points in 2, 50:
            result = run(["run", "-", f"--points={points}"], stdin=model)
            self.assertEqual(result.code, 1, result.err)
            told = re.search(r"assertion failed at t = ([\d.]+): high", result.err)
            self.assertAlmostEqual(float(told[1]), instant, delta=1e-6)

    def test_an_assertion_on_the_way_back(self):
        found = self.expect_failure(
            """model M Real h(start = 1, fixed = true);
                             equation der(h) = 2; assert(h > 0, "empty"); end M;""",
            "assertion",
            "empty",
            start=1,
            stop=0,
            points=8,
        )
        self.assert_times(found.rows, [1, 6 / 7, 5 / 7, 4 / 7], 1e-15)

    def test_a_logarithm_without_a_value_in_a_variable_that_is_only_written(self):
        found = self.expect_failure(LOGARITHM, "not_evaluable", "y = log(x - 0.5)", ":5", points=10)
        self.assert_times(found.rows, [0, 1 / 9, 2 / 9, 3 / 9, 4 / 9], 1e-15)

    def test_a_root_without_a_value_in_a_variable_that_is_only_written(self):
        found = self.expect_failure(
            LOGARITHM.replace("log", "sqrt"), "not_evaluable", "y = sqrt(x - 0.5)", points=5
        )
        self.assert_times(found.rows[:2], [0, 0.25])
        self.assertLessEqual(found.rows[-1]["time"], 0.5)

    def test_a_root_without_a_value_in_a_derivative(self):
        found = self.expect_failure(
            COUPLED,
            "step_too_small",
            "t = 0.344",
            "no finite value",
            "sqrt(x - 0.5)",
            ":4",
            points=5,
        )
        self.assert_times(found.rows, [0, 0.25])
        found = self.expect_failure(
            COUPLED, "not_evaluable", "fixed step", "sqrt(x - 0.5)", ":4", points=5, step=0.1
        )
        self.assert_times(found.rows, [0, 0.25])

    def test_the_equation_without_a_value_is_named_and_not_one_that_uses_it(self):
        text = COUPLED.replace("fixed = true)", "fixed = true), y").replace(
            "-1 - sqrt(x - 0.5);", "-y;\n  y = 1 + sqrt(x - 0.5);"
        )
        self.expect_failure(text, "step_too_small", "y = 1 + sqrt(x - 0.5)", ":5")
        self.assert_says(run(["init", "-", "--set=x=0"], text).err, "y = 1 + sqrt(x - 0.5)", ":5")

    def test_a_division_by_zero_on_the_way(self):
        self.expect_failure(
            "model M Real x, y; equation x = time - 0.5; y = if time < 0.7 then 1/x else 0; end M;",
            "not_evaluable",
            "1/x",
            "t = 0.5",
            at="0.25,0.5,1",
        )

    def test_what_has_no_value_is_told_with_what_it_is_a_value_of(self):
        for right, part in (
            ("1/sqrt(1 - x)", "a division by sqrt(-x + 1), which is 0"),
            ("(1 - x)^1.5", "a power of -x + 1, which is -"),
            ("2*log(1 - x)/(1 + x)", "the logarithm of -x + 1, which is "),
            ("if x < 2 then asin(x) else 0", "asin(x), where x is 1"),
        ):
            model = (
                "model Broken Real x(start = 0, fixed = true), y(start = 0, fixed = true);"
                f"equation der(x) = 1; der(y) = {right}; end Broken;"
            )
            with self.subTest(right=right):
                self.expect_failure(model, "step_too_small", f"has no finite value: {part}", stop=2)

    def test_warnings_are_told_at_their_instants(self):
        """Wherever the rows are, and once."""
        text = """model W Real x(start = 0, fixed = true), b = if time > 0.3 then 1 else 0;
          equation der(x) = 6.283185307179586*cos(6.283185307179586*time);
          assert(x < 0.7, "high", AssertionLevel.warning); assert(b < 0.5, "on", AssertionLevel.warning);
          assert(x > -0.9, "low", AssertionLevel.warning); assert(x < 1.1, "never", AssertionLevel.warning); end W;"""
        for points in "2", "100":
            said = run(["run", "-", "--stop", "3", "--points", points, "--rtol", "1e-8"], text).err
            told = re.findall(r"assertion at t = (\S+): (\w+)", said)
            self.assertEqual([word for _, word in told], ["high", "on", "low"])
            turn = 2 * math.pi
            for (at, _), instant in zip(told, (math.asin(0.7) / turn, 0.3, 0.5 + math.asin(0.9) / turn)):
                self.assert_near(float(at), instant, 1e-7)

    def test_a_warning_within_a_long_step_is_told_at_its_instant(self):
        """It holds at no end of a step: one is as long as the run. A Boolean finds the shortest."""
        text = """model W Real x(start = 0, fixed = true); Boolean well = x < 0.6 or x > 0.6001;
          equation der(x) = 1; assert(x < 0.3 or x > 0.34, "left", AssertionLevel.warning);
          assert(sin(20*x) < 0.9, "wave", AssertionLevel.warning);
          assert(x < 0.301 or x > 0.36, "next", AssertionLevel.warning);
          assert(well, "short", AssertionLevel.warning); end W;"""
        said = run(["run", "-", "--at", "0,1"], text).err
        told = {word: float(at) for at, word in re.findall(r"assertion at t = (\S+): (\w+)", said)}
        self.assertEqual(sorted(told), ["left", "next", "short", "wave"])
        at = {"wave": math.asin(0.9) / 20, "left": 0.3, "next": 0.301, "short": 0.6}
        for word, instant in at.items():
            self.assert_near(told[word], instant, 1e-7)

    def test_an_equation_from_which_all_unknowns_vanish(self):
        text = """model M Real x(start = 1, fixed = true), y, z;
                  equation der(x) = y; y + z = 1; (if time < 0.5 then 1 else 0)*(y - z) = 0; end M;"""
        self.expect_failure(text, "event", "*(y - z) = 0", "t = 0.5", "do not determine")

    def test_where_a_run_ends_at_its_start_the_start_is_looked_at(self):
        text = (
            "model M Real z{z}, y{y}; equation {first}; z + {a}*z^3 = {right}; end M;"
        )
        for values, said, not_said in (
            (("", "(start = 1, fixed = true)", "der(y) = -y*z", 1, "tanh(1e30*time)"),
             "where the run begins", "probably stands"),
            (("(start = 0.9, fixed = true)", "", "der(y) = z", "(-1/3)", "y"),
             "impasse at t = 0.0103605", "where the run begins"),
        ):
            filled = dict(zip(("z", "y", "first", "a", "right"), values))
            result = run(["run", "-"], text.format(**filled))
            self.assertEqual(result.code, 1)
            self.assert_says(result.err, said)
            self.assertNotIn(not_said, result.err)

    def test_two_roots_that_meet(self):
        found = self.expect_failure(TURNING, "step_too_small", "t = 0.5", "y^2 = x", points=5)
        self.assert_times(found.rows[:2], [0, 0.25])

    def test_a_fixed_step_with_which_newton_does_not_converge(self):
        found = self.expect_failure(
            TURNING, "newton", "fixed step", "0.1", "y^2 = x", points=5, step=0.1
        )
        self.assert_times(found.rows[:2], [0, 0.25])

    def test_an_error_test_that_fails_again_and_again(self):
        # x = 1 + time^0.01 rises by more than any tolerance however short the first step.
        self.expect_failure(
            """model M Real x(start = 1, fixed = true);
               equation der(x) = if noEvent(time > 0) then 0.01*time^(-0.99) else 0; end M;""",
            "error_test",
            "t = 0 after 0 steps",
            "x = 1",
            points=5,
        )

    def test_an_index_too_high_for_the_method(self):
        given = {"formulation": "direct", "status": 2, "stop": 1}
        for method in "esdirk4", "rodasp":
            found = self.expect_failure(
                EXAMPLES / "pendulum.mo",
                "index_too_high",
                method,
                "index",
                "radau-iia3",
                method=method,
                **given,
            )
            self.assertEqual(found.rows, [])

    def test_stages_that_cannot_be_solved_together(self):
        nodes = ",".join(f"{k}/8" for k in range(1, 9))
        for method, said in (
            (f"collocation({nodes})", "more than 7 stages"),
            ("collocation(3-2*sqrt(2),1)", "cannot be decoupled"),
        ):
            self.expect_failure(
                EXAMPLES / "van_der_pol.mo",
                "unsupported",
                said,
                "nodes",
                method=method,
                step=0.01,
                status=2,
            )

    def test_a_method_that_cannot_advance_algebraic_variables(self):
        self.expect_failure(
            EXAMPLES / "pendulum.mo",
            "unsupported",
            "rk4 cannot advance",
            "F",
            method="rk4",
            formulation="direct",
            step=0.01,
            status=2,
            stop=1,
        )

    def test_derivatives_that_do_not_follow(self):
        """Two equations hold the same derivatives: with fixed steps too that is found at the start."""
        for method in "hem4", "hedop5", "projected-gauss2":
            self.expect_failure(
                EXAMPLES / "linear_index2.mo",
                "unsupported",
                f"{method} cannot advance",
                "singular",
                method=method,
                formulation="direct",
                step=0.01,
                status=2,
            )

    def test_hidden_constraints_that_are_not_to_be_met(self):
        """Of index 2 beside what the structure says: rodas4 is refused."""
        model = EXAMPLES / "linear_index2.mo"
        given = {"formulation": "direct", "rtol": 1e-12, "atol": 1e-12}
        self.expect_failure(
            model, "index_too_high", "index 2", method="rodas4", status=2, **given
        )

    def test_too_many_steps(self):
        found = self.expect_failure(
            "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;",
            "too_many_steps",
            "7 steps",
            "max",
            max_steps=7,
            max_step=0.1,
            points=101,
        )
        self.assertEqual(found.stats["steps"], 7)
        self.assertGreater(len(found.rows), 1)

    def test_the_message_on_standard_error_is_the_one_of_the_statistics(self):
        path = CORPUS / "ErrPoleDuringRun.mo"
        message = simulate(path, status=1).stats["message"]
        self.assertEqual(run(["run", path, "-q"]).err, f"daedal: {message}\n")


class AtTheStart(FailureTest):
    def test_an_assertion(self):
        found = self.expect_failure(
            CORPUS / "ErrAssertStart.mo",
            "assertion",
            "x out of limit",
            "t = 0",
            "ErrAssertStart.mo:5",
        )
        self.assertEqual((found.header, found.rows), (["time", "x"], []))

    def test_no_real_root_names_the_equation_and_its_residual(self):
        found = self.expect_failure(
            CORPUS / "ErrNoRealRoot.mo", "no_start", "x^2 + 1 = 0", "ErrNoRealRoot.mo:4", "off by 1"
        )
        self.assertEqual(found.rows, [])
        self.assertNotIn("1 iterations", found.stats["message"])

    def test_the_start_values_that_are_wanted_most_are_named(self):
        said = run(["init", "-"], NOWHERE).err
        self.assert_says(said, "e0*e1 = -1", "first of e0 or e1, which have none", "nonlinearly")
        given = NOWHERE.replace("e0, e1;", "e0(start = 1), e1(start = 1);")
        said = run(["init", "-"], given).err
        self.assert_says(said, "nearer to a solution (start = ...), or check that one exists")

    def test_a_start_where_no_slope_is_seen(self):
        for options in [], ["--set", "e0=-0.7"]:
            said = run(["init", "-", *options], CELL)
            self.assertEqual(said.code, 0, said.err)
            e0 = float(re.search(r"^e0 += (\S+)", said.out, re.M)[1])
            currents = 1e-15 * (math.exp(0.01 / 0.026) + math.exp(-0.01 / 0.026))
            self.assert_near(e0, -0.026 * math.log(2e-3 / currents), 1e-9)

    def test_the_residual_of_a_start_that_was_not_found_is_not_zero(self):
        stats = simulate(CORPUS / "ErrNoRealRoot.mo", status=1).stats
        self.assertNotEqual(stats["max_residual"], 0)

    def test_what_is_said_of_all_values_holds_for_all(self):
        """Where exponentials are too small for numbers, equations seem to follow from others that do not elsewhere. The
        second solution, near 1414, is one of those."""
        text = CELL.replace("i1 + i2;", "i1 + i2 + 1e-9*e0*e1;")
        said = run(["init", "-"], text)
        for claim in "whatever the values", "wherever they hold":
            self.assertNotIn(claim, said.err)
        if said.code != 0:
            self.assert_says(said.err, "though around the start values they do", "(start = ...)")
        said = run(["init", "-", "--set", "e0=-0.7", "--set", "e1=-0.7"], text)
        self.assertEqual(said.code, 0, said.err)
        e0, e1 = (float(re.search(rf"^{name} += (\S+)", said.out, re.M)[1]) for name in ("e0", "e1"))
        currents = 1e-15 * (math.exp((0.01 - e0) / 0.026) + math.exp((-0.01 - e0) / 0.026))
        self.assert_near(currents + 1e-9 * e0 * e1, 2e-3, 1e-13)

    def test_a_start_without_a_slope(self):
        """x*sqrt(abs(x)) is 0 at its root, where rules of differentiation give 0 times infinity."""
        for beside in "", "Real w(start = 1, fixed = true); ":
            text = ("model M Real x(start = -0.25); " + beside + "equation (x + 0.25)*abs(x + 0.25)^0.5 = 0; "
                    + ("der(w) = -w; " if beside else "") + "end M;")
            said = run(["init", "-"], text)
            self.assertEqual(said.code, 1, said.out)
            self.assertNotIn("cannot be evaluated", said.err)
            self.assert_says(said.err, "its derivatives have none", "abs(x + 0.25)^0.5 = 0", "x = -0.25", "remedy")

    def test_a_division_by_zero(self):
        for text in (
            "model M Real x(start = 0, fixed = true), y; equation der(x) = -1; y = 1/x; end M;",
            "model M Real x(start = 0, fixed = true); equation der(x) = 1/x; end M;",
        ):
            found = simulate(text, status=1, points=3)
            self.assertIn(found.stats["status"], ("not_evaluable", "no_start"))
            self.assert_says(found.stats["message"], "1/x", ":1")
            self.assertEqual(found.rows, [])

    def test_nothing_divided_by_nothing(self):
        for text in (
            "model M Real a = 70, b = 70, q = (a - b)/log(a/b); end M;",
            "model M Real a = 3, b = 3, q = (a - b)/(a - b), x(start = 1, fixed = true); "
            "equation der(x) = -q*x; end M;",
            "model M Real x(start = 0, fixed = true), y, q; "
            "equation der(x) = 1 - q; y = x; q = (x - y)/(x - y); end M;",
        ):
            found = simulate(text, status=1, points=3)
            self.assertIn(found.stats["status"], ("not_evaluable", "no_start"))
            self.assert_says(found.stats["message"], "finite value", "q = ", ":1")
            self.assertEqual(found.rows, [])

    def test_a_logarithm_of_a_negative_number(self):
        for subcommand in "run", "init":
            result = run([subcommand, "-"], LOGARITHM.replace("start = 1", "start = -1"))
            self.assertEqual(result.code, 1)
            self.assert_says(result.err, "log(x - 0.5)", ":5")
            self.assertNotIn("nan", result.out)

    def test_a_parameter_that_is_not_a_number(self):
        result = run(
            ["run", "-"],
            "model M\n  parameter Real p = sqrt(-1);\n  Real x;\nequation\n  x = p;\nend M;\n",
        )
        self.assertEqual((result.code, result.out), (3, ""))
        self.assert_says(result.err, ":2:", "sqrt")

    def test_division_by_a_parameter_that_is_zero_is_a_wrong_model(self):
        text = "model M\n  parameter Real p = 1;\n  Real y;\nequation\n  y = 1/p;\nend M;\n"
        self.assertEqual(run(["run", "-"], text).code, 0)
        result = run(["run", "-", "--set=p=0"], text)
        self.assertEqual(result.code, 3)
        self.assertRegex(result.err, r":5:\d+: error: .*\bp\b")


class Contradictions(FailureTest):
    def contradict(self, name, *parts):
        found = self.expect_failure(CORPUS / f"{name}.mo", "contradiction", *parts, status=3)
        self.assertRegex(found.stats["message"], rf"{name}\.mo:\d+:\d+: error: ")
        self.assertEqual(found.rows, [])
        self.assertEqual(run(["init", CORPUS / f"{name}.mo"]).code, 3)

    def test_two_fixed_positions_that_do_not_fit(self):
        self.contradict(
            "ErrInconsistentInitial",
            "x1 = 0",
            "x2 = 2",
            "x2 = x1 + 1",
            "off by 1",
            "nearest",
            "x1 = 0.5",
            "x2 = 1.5",
            "fixed = false",
        )

    def test_a_fixed_value_against_a_constraint(self):
        self.contradict("ErrInitialOnConstraint", "x = 1", "x = sin(time)", "nearest", "x = 0")

    def test_an_initial_equation_against_a_hidden_value(self):
        self.contradict("ErrInitialHidden", "z = 4", "ErrInitialHidden.mo:4")

    def test_too_many_initial_equations(self):
        self.contradict("ErrInitialTooMany", "x = 1", "der(x) = 0", "nearest", "x = 0.5")

    def test_how_many_values_have_to_be_left_free(self):
        for values, many in (
            ({"x": 0.5, "a": 1.649, "b": 1.284}, "leave 2 of them free"),
            ({"x": 0.5, "a": 1.649}, "leave one of them free"),
            ({"a": 1.649, "b": 1.2}, "leave one of them free"),
        ):
            fixed = {k: f"(start = {values[k]}, fixed = true)" if k in values else "" for k in "xab"}
            text = (
                "model M Real x{x}, a{a}, b{b}; equation "
                "der(x) = -x; a = exp(x); b = sqrt(a); end M;".format(**fixed)
            )
            result = run(["init", "-"], text)
            self.assertEqual(result.code, 3, result.err)
            self.assert_says(result.err, many)

    def test_how_many_initial_equations_have_to_go(self):
        result = run(
            ["init", "-"],
            "model M Real x, y, z; initial equation x = 1; y = 2; z = 7; equation "
            "der(x) = -x; y = 2*x + 1; z = x + y; end M;",
        )
        self.assertEqual(result.code, 3, result.err)
        self.assert_says(result.err, "take out 2 of the initial equations")

    def test_equations_without_derivatives_explain_what_follows_from_them(self):
        """exp(-y) = -1 has no solution, and y runs away; der(y) is missed as a consequence."""
        result = run(
            ["init", "-"],
            "model M Real x(start = 1, fixed = true), y(start = 2), z; equation "
            "der(x) = z; der(y) = x + 3; exp(-y) = -x; end M;",
        )
        self.assertEqual(result.code, 3, result.err)
        self.assert_says(result.err, "exp(-y) = -x", "off by")
        self.assertNotIn("der(y)", result.err)

    def test_a_start_value_set_on_the_command_line(self):
        model = CORPUS / "PendulumCartesian.mo"
        found = simulate(model, status=3, set="y=2")
        self.assertEqual(found.stats["status"], "contradiction")
        self.assert_says(
            found.stats["message"], "y = 2", "x^2 + y^2 = L^2", "PendulumCartesian.mo:11"
        )
        self.assert_says(found.stats["message"], "PendulumCartesian.mo:11:3: error")
        for residual in re.findall(r"off by ([^\s,]+)", found.stats["message"]):
            self.assertGreater(abs(float(residual)), 1e-3)


class SmallSizes(CommandTest):
    def test_a_start_that_is_round_off_in_nominal_sizes_is_refused(self):
        for command in ["init", "-"], ["run", "-", "--stop=3"]:
            refused = run(command, CAPACITOR.format(nominal=""))
            self.assertEqual(refused.code, 1)
            self.assertIn("missed by 1 of its terms", refused.err)
            self.assertIn("its nominal", refused.err)
        found = simulate(CAPACITOR.format(nominal=", nominal = 1e-15"), stop=3, points=4)
        for row in found.rows:
            self.assertAlmostEqual(row["v"], 1 + 0.5 * math.sin(row["time"]), 5)


class WrongModels(CommandTest):
    def test_each_wrong_model_of_the_corpus_that_cannot_be_read_is_refused_by_every_subcommand(
        self,
    ):
        for name in (
            "ErrUnknownVariable",
            "ErrMissingSemicolon",
            "ErrDuplicateName",
            "ErrUnterminatedString",
            "ErrNotAModel",
            "ErrUnknownFunction",
        ):
            for subcommand in "run", "check", "init":
                message = self.assert_refused([subcommand, CORPUS / f"{name}.mo"], code=3)
                self.assertRegex(message, rf"{name}\.mo:\d+:\d+: error: ")

    def test_several_errors_are_told_at_once(self):
        message = self.assert_refused(
            ["run", "-"],
            "tim",
            "foo",
            code=3,
            stdin="""model M
  Real x, y;
equation
  x = tim;
  y = foo(1);
end M;
""",
        )
        self.assertEqual(message.count(": error: "), 2)

    def test_the_caret_points_at_the_column(self):
        message = self.assert_refused(
            ["run", "-"], code=3, stdin="model M Real x; equation x = tim; end M;"
        )
        first, line, caret = message.splitlines()[:3]
        self.assertRegex(first, r":1:30: error: ")
        self.assertEqual(line.index("tim"), caret.index("^"))


if __name__ == "__main__":
    unittest.main()
