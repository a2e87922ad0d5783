"""What `run` writes and when: output times, columns, values that are set, the form of the CSV."""
import csv
import io
import math
import unittest

from daedal import DECAY, PENDULUM, CommandTest, last_object, rows, run, simulate

EXPERIMENT = """model Timed "decays from 1 at time 2"
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(StartTime = 2, StopTime = 4, Tolerance = 1e-4, Interval = 0.5));
end Timed;
"""

NAMES = r"""model Names
  Real plain(start = 1, fixed = true), v[2](start = {3, 4}, each fixed = true), M[2, 2];
  Real 'a,b', 'say "hi"', 'motor.w', 'it\'s', 'über straße';
equation
  der(plain) = 0; der(v) = {0, 0}; M = [11, 12; 21, 22];
  'a,b' = 5; 'say "hi"' = 6; 'motor.w' = 7; 'it\'s' = 8; 'über straße' = 9;
end Names;
"""
COLUMNS = [
    "plain",
    "v[1]",
    "v[2]",
    "M[1,1]",
    "M[1,2]",
    "M[2,1]",
    "M[2,2]",
    "a,b",
    'say "hi"',
    "motor.w",
    "it's",
    "über straße",
]

CLASHING = """model Clashing "two variables, told apart by their quotes alone"
  Real x(start = 1, fixed = true), 'x'(start = 2, fixed = true), v[1], 'v[1]', 'time';
equation
  der(x) = 0; der('x') = 0; v[1] = 3; 'v[1]' = 4; 'time' = 5;
end Clashing;
"""

SETTABLE = """model Settable
  parameter Real p = 1, table[2, 2] = [1, 2; 3, 4], 'a=b' = 0;
  parameter Boolean on = false;
  parameter Integer n = 2;
  Real moved(start = 1, fixed = true), y, w[2](start = {1, 2}, each fixed = true);
equation
  der(moved) = p; der(w) = {0, 0};
  y = 10*table[1, 2] + n + (if on then 0.5 else 0) + 'a=b';
end Settable;
"""


class Times(CommandTest):
    def times(self, model, expected, tolerance=0.0, **options):
        self.assert_times(simulate(model, **options).rows, expected, tolerance)

    def test_elements_that_are_declared_one_by_one(self):
        """As printers of flat models do: loops of algorithms assign to them."""
        text = """model F Real x[1]; Real x[2]; Real x[3]; Real a[1,1]; Real a[1,2]; Real a[2,1]; Real a[2,2]; Integer n[1]; Integer n[2];
        algorithm x[1] := time; for i in 1:2 loop x[i + 1] := x[i]*2; end for; x[end] := x[end] + 1;
          for i in 1:2 loop for j in 1:2 loop a[i, j] := 10*i + j; end for; end for;
        algorithm when time > 0.25 then for i in 1:2 loop n[i] := pre(n[i]) + i; end for; end when; end F;"""
        _, table = rows(run(["run", "-", "--points=2"], text).out)
        self.assertEqual([float(x) for x in table[-1].values()], [1, 1, 2, 5, 11, 12, 21, 22, 1, 2])

    def test_500_times_with_both_ends_are_the_default(self):
        self.times(DECAY, [k / 499 for k in range(500)], 1e-15)
        found = simulate(DECAY, start=0.1, stop=0.7).rows
        self.assertEqual((found[0]["time"], found[-1]["time"], len(found)), (0.1, 0.7, 500))

    def test_points_count_both_ends(self):
        self.times(DECAY, [0, 1], points=2)
        self.times(DECAY, [0, 0.25, 0.5, 0.75, 1], points=5)
        self.assertEqual(len(simulate(DECAY, points=20001).rows), 20001)

    def test_an_interval_gives_its_multiples_and_the_end(self):
        self.times(DECAY, [0, 0.3, 0.6, 0.9, 1], 1e-15, interval=0.3)
        self.times(DECAY, [k / 10 for k in range(11)], 1e-15, interval=0.1)
        self.times(DECAY, [k / 1000 for k in range(1001)], 1e-15, interval=1e-3)
        self.times(DECAY, [0, 1], interval=5)
        self.times(DECAY, [0.2, 0.6, 0.7], 1e-15, interval=0.4, start=0.2, stop=0.7)

    def test_an_interval_that_is_too_short_is_refused_with_its_option_and_number(self):
        message = self.assert_refused(
            ["run", "-", "--interval=1e-12"], "--interval", "1e-12", stdin=DECAY
        )
        self.assertNotIn('""', message)
        self.assertFalse(message.rstrip().endswith(":"), message)

    def test_at_gives_exactly_these_times(self):
        times = [1e-300, 0.1, 0.30000000000000004, 1 / 3, math.nextafter(1, 0)]
        self.times(DECAY, times, at=",".join(map(repr, times)))
        self.times(DECAY, [0, 1], at="0,1")
        self.times(DECAY, [0.5], at="0.5")

    def test_at_is_sorted_in_the_direction_of_the_run(self):
        self.times(DECAY, [0, 0.25, 0.5, 1], at="1,0.25,0.5,0")
        self.times(DECAY, [0.75, 0.25], at="0.25,0.75", start=1, stop=0)

    def test_a_time_outside_the_interval_is_refused(self):
        for at, start, stop in (
            ("2", 0, 1),
            ("0.5,-0.1", 0, 1),
            ("1.5", 1, 0),
            ("0.5,1.0000000001", 0, 1),
        ):
            self.assert_refused(
                ["run", "-", f"--at={at}", f"--start={start}", f"--stop={stop}"],
                "--at",
                at.split(",")[-1],
                "outside",
                "interval",
                stdin=DECAY,
            )

    def test_an_end_of_the_interval_is_not_outside(self):
        self.times(DECAY, [0.1], at="0.1", start=0.1, stop=0.7)
        self.times(DECAY, [0.7], at="0.7", start=0.1, stop=0.7)

    def test_an_empty_list_or_entry_is_refused(self):
        for at in "", ",", "0,,1", "1,":
            self.assert_refused(["run", "-", f"--at={at}"], "--at", stdin=DECAY)

    def test_start_values_belong_to_the_start(self):
        found = simulate(DECAY, start=3, stop=4, points=2).rows
        self.assertEqual(found[0], {"time": 3, "x": 1})
        self.assert_near(found[1]["x"], math.exp(-2), 1e-6)

    def test_a_run_goes_backwards(self):
        found = simulate(DECAY, start=1, stop=0, points=5).rows
        self.assert_times(found, [1, 0.75, 0.5, 0.25, 0])
        for row in found:
            self.assert_near(row["x"], math.exp(2 * (1 - row["time"])), 1e-5)
        self.times(DECAY, [1, 0.6, 0.2, 0], 1e-15, start=1, stop=0, interval=0.4)

    def test_an_interval_without_length_gives_the_start_once(self):
        for options in {}, {"interval": 0.1}, {"at": "1"}:
            found = simulate(DECAY, start=1, stop=1, **options).rows
            self.assertEqual((len(found), found[0]), (1, {"time": 1, "x": 1}), options)


class Experiment(CommandTest):
    def test_the_model_s_experiment_is_the_default(self):
        found = simulate(EXPERIMENT)
        self.assert_times(found.rows, [2, 2.5, 3, 3.5, 4], 1e-15)
        alike = simulate(EXPERIMENT, rtol=1e-4, atol=1e-4)
        self.assertEqual(found.rows, alike.rows)
        self.assertEqual(found.stats["steps"], alike.stats["steps"])

    def test_options_override_the_experiment(self):
        self.assert_times(simulate(EXPERIMENT, start=3).rows, [3, 3.5, 4], 1e-15)
        self.assert_times(simulate(EXPERIMENT, stop=3).rows, [2, 2.5, 3], 1e-15)
        self.assert_times(simulate(EXPERIMENT, points=2).rows, [2, 4])
        self.assert_times(simulate(EXPERIMENT, interval=2).rows, [2, 4])
        self.assert_times(simulate(EXPERIMENT, at="2.1").rows, [2.1])
        loose = simulate(EXPERIMENT, method="radau-iia3")
        tight = simulate(EXPERIMENT, method="radau-iia3", rtol=1e-10, atol=1e-10)
        self.assertGreater(tight.stats["steps"], 2 * loose.stats["steps"])

    def test_init_starts_where_the_experiment_starts(self):
        for options, start in ([], 2), (["--start=7"], 7):
            self.assertEqual(
                last_object(run(["init", "-", "--json", *options], EXPERIMENT).out)["time"], start
            )

    def test_a_tolerance_out_of_bounds_is_traced_to_the_annotation(self):
        for tolerance in "0", "-1", "10":
            text = EXPERIMENT.replace("1e-4", tolerance)
            result = run(["run", "-"], text)
            self.assertIn(result.code, (2, 3))
            self.assert_says(result.err, "Tolerance", tolerance)


class Columns(CommandTest):
    def test_all_variables_stand_in_the_model_s_order(self):
        self.assertEqual(simulate(PENDULUM, points=2).header, ["time", "x", "y", "vx", "vy", "F"])
        self.assertEqual(simulate(NAMES, points=2).header, ["time", *COLUMNS])

    def test_fields_are_quoted_as_rfc_4180_has_it(self):
        header = run(["run", "-", "--points=2"], NAMES).out.splitlines()[0]
        self.assertEqual(
            header,
            'time,plain,v[1],v[2],"M[1,1]","M[1,2]","M[2,1]","M[2,2]","a,b",'
            '"say ""hi""",motor.w,it\'s,über straße',
        )

    def test_a_line_end_within_a_name_stays_within_its_field(self):
        found = simulate(
            "model M Real 'two\\nlines'; equation 'two\\nlines' = 1; end M;\n", points=2
        )
        self.assertEqual(found.header, ["time", "two\nlines"])
        self.assertEqual(len(found.rows), 2)

    def test_every_number_reads_back_to_the_same_double(self):
        values = {
            "0.1": 0.1,
            "1/3": 1 / 3,
            "5e-324": 5e-324,
            "1.7976931348623157e308": 1.7976931348623157e308,
            "0.1 + 0.2": 0.30000000000000004,
            "-1e22": -1e22,
            "123456789012345680": 123456789012345680.0,
        }
        size = len(values)
        row = simulate(
            f"model M parameter Real p[{size}] = {{{', '.join(values)}}}; Real y[{size}];\n"
            "equation y = p; end M;",
            points=2,
        ).rows[1]
        self.assertEqual(list(row.values())[1:], list(values.values()))

    def test_numbers_are_not_longer_than_they_need_to_be(self):
        self.assertEqual(
            run(
                ["run", "-", "--at=0.1,0.25", "-q"], "model M Real x; equation x = 0.1; end M;"
            ).out,
            "time,x\n0.1,0.1\n0.25,0.1\n",
        )

    def test_vars_choose_columns_and_their_order(self):
        for given, expected in [("vy,x", ["vy", "x"]), ("F", ["F"]), ("y,x,y", ["y", "x"])]:
            self.assertEqual(simulate(PENDULUM, points=2, vars=given).header, ["time", *expected])

    def test_the_name_of_an_array_chooses_its_elements(self):
        found = simulate(NAMES, points=2, vars="M,plain,v")
        self.assertEqual(
            found.header, ["time", "M[1,1]", "M[1,2]", "M[2,1]", "M[2,2]", "plain", "v[1]", "v[2]"]
        )

    def test_vars_may_be_repeated(self):
        self.assertEqual(
            simulate(PENDULUM, points=2, vars=["F", "y,x"]).header, ["time", "F", "y", "x"]
        )

    def test_commas_in_brackets_and_quotes_do_not_split(self):
        found = simulate(NAMES, points=2, vars="'a,b',M[2,1],v[2],'motor.w',motor.w")
        self.assertEqual(found.header, ["time", "a,b", "M[2,1]", "v[2]", "motor.w"])
        self.assertEqual(list(found.rows[0].values())[1:], [5, 21, 4, 7])

    def test_a_quote_within_a_quoted_name_is_escaped_as_in_the_model(self):
        self.assertEqual(
            simulate(NAMES, points=2, vars=r"'it\'s',plain").header, ["time", "it's", "plain"]
        )

    def test_each_name_of_the_header_chooses_its_column_when_it_is_quoted(self):
        for name in COLUMNS:
            quoted = name if name.endswith("]") else "'" + name.replace("'", r"\'") + "'"
            self.assertEqual(simulate(NAMES, points=2, vars=quoted).header, ["time", name])

    def test_patterns_and_slices_choose_columns_in_the_order_of_the_list(self):
        for given, wanted in [
            ("plain,v[2:2],*.w", ["plain", "v[2]", "motor.w"]),
            ("v*,v[1]", ["v[1]", "v[2]"]),
            ("v[1],v", ["v[1]", "v[2]"]),
            ("M[:,2],M[1,:],plain", ["M[1,2]", "M[2,2]", "M[1,1]", "plain"]),
            ("m*", ["motor.w"]),
            ("plain,plain,'plain'", ["plain"]),
            ("der(plain),plain,der(v[:])", ["der(plain)", "plain", "der(v[1])", "der(v[2])"]),
            ("der('motor.w'),der(M)", ["der(motor.w)"] + [f"der(M[{k}])" for k in ("1,1", "1,2", "2,1", "2,2")]),
        ]:
            found = simulate(NAMES, points=2, vars=given)
            self.assertEqual(found.header, ["time", *wanted])
            for name in wanted:
                if name.startswith("der"):
                    self.assertEqual(float(found.rows[1][name]), 0)

    def test_derivatives_of_all_variables_follow_from_the_equations(self):
        found = simulate(PENDULUM, points=5, vars="der(*),vx,vy,F", rtol=1e-9)
        for row in found.rows:
            for x in "x", "y":
                self.assert_near(row[f"der({x})"], row[f"v{x}"], 1e-12)
            self.assertTrue(abs(row["der(F)"]) < 1e3)

    def test_a_derivative_that_does_not_exist_is_refused_or_said(self):
        switched = """model S Real x(start = 0, fixed = true); discrete Real n(start = 0); Boolean b;
          equation der(x) = 1; b = x > 0.5; when b then n = pre(n) + 1; end when; end S;"""
        for name in "b", "n":
            self.assert_refused(["run", "-", f"--vars=der({name})"], f"der({name})", "events alone", stdin=switched)
        self.assertEqual(simulate(switched, points=2, vars="der(*)").header, ["time", "der(x)"])
        unknown = run(["run", PENDULUM, "--formulation=direct", "--points=2", "--vars=der(F)"])
        self.assertEqual(unknown.code, 0)
        self.assert_says(unknown.err, "der(F) is not known")
        self.assertIn("nan", unknown.out)

    def test_a_pattern_that_matches_nothing_is_refused_with_the_nearest_name(self):
        for given, nearest in [("moter.*", "motor.w"), ("*.ww", "motor.w"), ("v[3:9]", "v[1]"), ("der(v[3:4])", "v[1]")]:
            self.assert_refused(["run", "-", f"--vars={given}"], f'"{given}"', f"nearest: {nearest}", stdin=NAMES)
        self.assert_refused(["run", "-", "--vars=der(plan)"], '"der(plan)"', "nearest: plain", stdin=NAMES)

    def test_a_slice_beyond_its_array_is_refused(self):
        """What is there must not pass for what was asked for."""
        for given, missing in [("v[1:9]", "v[9]"), ("v[1:2:6]", "v[5]"), ("M[1:2,2:3]", "M[2,3]"), ("der(v[2:3])", "v[3]")]:
            self.assert_refused(["run", "-", f"--vars={given}"], f"{given} goes beyond its array: there is no {missing}",
                                stdin=NAMES)
            if not given.startswith("der"):
                self.assert_refused(["linearize", "-", f"--outputs={given}"], f"there is no {missing}", stdin=NAMES)
        self.assertEqual(simulate(NAMES, points=2, vars="v[2:end],M[1:3:3,2]").header, ["time", "v[2]", "M[1,2]"])

    def test_quotes_stay_where_the_name_would_be_ambiguous_without_them(self):
        found = simulate(CLASHING, points=2)
        self.assertEqual(found.header, ["time", "x", "'x'", "v[1]", "'v[1]'", "'time'"])
        self.assertEqual(list(found.rows[0].values()), [0, 1, 2, 3, 4, 5])

    def test_quotes_tell_clashing_names_apart(self):
        for name, value in [("x", 1), ("'x'", 2), ("v[1]", 3), ("'v[1]'", 4), ("'time'", 5)]:
            found = simulate(CLASHING, points=2, vars=name)
            self.assertEqual((found.header, found.rows[0][name]), (["time", name], value))

    def test_an_unknown_variable_is_refused_with_the_nearest_one(self):
        self.assert_refused(
            ["run", "-", "--vars=plain,motr.w"], "--vars", '"motr.w"', "motor.w", stdin=NAMES
        )
        self.assert_refused(["run", "-", "--vars=M[1,3]"], '"M[1,3]"', "nearest: M[1,", stdin=NAMES)

    def test_an_empty_name_is_refused(self):
        for given in "", ",x", "x,,x", "x,":
            self.assert_refused(["run", "-", f"--vars={given}"], "--vars", stdin=DECAY)

    def test_the_time_is_no_variable_to_choose(self):
        self.assert_refused(["run", "-", "--vars=time"], '"time"', stdin=DECAY)


class Settings(CommandTest):
    def settled(self, *settings):
        return simulate(SETTABLE, points=2, set=list(settings)).rows

    def refuse(self, setting, *parts):
        self.assert_refused(["run", "-", f"--set={setting}"], *parts, stdin=SETTABLE)

    def test_a_parameter_is_set(self):
        self.assert_near(self.settled("p=-2.5e0")[1]["moved"], -1.5, 1e-9)

    def test_an_element_of_an_array_is_set(self):
        for setting in "table[1,2]=7", "table[1, 2]=7":
            self.assertEqual(self.settled(setting)[0]["y"], 72)

    def test_a_boolean_and_an_integer_parameter_are_set(self):
        self.assertEqual(self.settled("on=true")[0]["y"], 22.5)
        self.assertEqual(self.settled("on=false", "n=5")[0]["y"], 25)

    def test_a_start_value_is_set_and_stays_fixed(self):
        found = self.settled("moved=10", "w[2]=-3")
        self.assertEqual((found[0]["moved"], found[0]["w[1]"], found[0]["w[2]"]), (10, 1, -3))

    def test_a_guess_stays_a_guess(self):
        text = "model M Real x(start = 1); equation x^2 = 4; end M;"
        self.assert_near(simulate(text, points=2).rows[0]["x"], 2, 1e-9)
        self.assert_near(simulate(text, points=2, set="x=-3").rows[0]["x"], -2, 1e-9)

    def test_the_last_setting_of_a_name_counts(self):
        self.assertEqual(self.settled("n=3", "n=4")[0]["y"], 24)

    def test_a_name_with_an_equals_sign_is_set(self):
        self.assertEqual(self.settled("'a=b'=100")[0]["y"], 122)

    def test_init_and_check_take_settings_too(self):
        self.assertRegex(run(["init", "-", "--set=moved=4"], SETTABLE).out, r"(?m)^moved +=  ?4\b")
        self.assertEqual(run(["check", "-", "--set=moved=4"], SETTABLE).code, 0)

    def test_an_unknown_name_is_refused_with_the_nearest_one(self):
        self.refuse("mvoed=1", "mvoed", "nearest: moved")
        self.refuse("tabel[1,2]=1", "tabel[1,2]", "nearest: table[1,2]")
        self.refuse("tables=1", "nearest: table")

    def test_what_is_no_number_is_refused(self):
        for value in "abc", "", "1x", "1,2", "nan", "inf", "true":
            self.refuse(f"p={value}", "--set", f"p={value}", "number")
        self.refuse("on=1", "on=1", "true or false")
        self.refuse("n=1.5", "n=1.5", "Integer")

    def test_a_setting_without_a_name_or_value_is_refused_with_its_form(self):
        self.refuse("p", "--set", "NAME=VALUE")
        self.refuse("=3", "--set", "NAME=VALUE")

    def test_an_array_and_an_element_that_it_does_not_have_are_refused(self):
        self.refuse("table=1", "table", "element")
        self.refuse("table[3,1]=1", "table[3,1]", "[2")


class Form(CommandTest):
    def test_the_last_line_ends_as_all_others(self):
        out = run(["run", "-", "--points=3"], DECAY).out
        self.assertEqual(out.count("\n"), 4)
        self.assertTrue(out.endswith("\n"))
        self.assertNotIn("\r", out)

    def test_python_s_reader_reads_it(self):
        out = run(["run", "-", "--points=3"], NAMES).out
        table = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual((len(table), float(table[0]['say "hi"'])), (3, 6))
        self.assertEqual(rows(out)[0][1:], COLUMNS)


if __name__ == "__main__":
    unittest.main()
