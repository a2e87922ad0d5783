"""What the command says of a run, a start and the equations: --stats, --json, the closing line,
`init` and `check`."""
import csv
import json
import math
import re
import unittest

from daedal import CORPUS, DECAY, PENDULUM, CommandTest, folder, last_object, rows, run, simulate

NUMBER = (int, float)
STATS = {
    "status": str,
    "message": str,
    "method": str,
    "formulation": str,
    "structural_index": int,
    "index": int,
    "steps": int,
    "rejected": int,
    "residual_calls": int,
    "jacobian_calls": int,
    "factorizations": int,
    "newton_iterations": int,
    "linear_solver": str,
    "factor_nonzeros": int,
    "reorderings": int,
    "frequency": NUMBER,
    "stable_step": NUMBER,
    "events": int,
    "state_events": int,
    "time_events": int,
    "chart_changes": int,
    "max_residual": NUMBER,
    "max_constraint": list,
    "rank_margin": NUMBER,
    "reasons": str,
    "cpu_seconds": NUMBER,
}
UNKNOWN_AFTER_FAILURE = {"structural_index", "index", "max_residual", "rank_margin"}

CHECK = {
    "equations": int,
    "unknowns": int,
    "structural_index": int,
    "index": int,
    "degrees_of_freedom": int,
    "states": list,
    "hidden_constraints": list,
    "blocks": list,
    "solved": int,
    "form": str,
    "structural_parameters": list,
}
FORMS = {"residual", "mass", "semi_explicit", "mechanical", "linear", "invariant"}

WRONG_TEXT = "model M\n  Real x;\nequation\n  x = tim;\nend M;\n"
CLOSING = re.compile(
    r"^(\S+) to (\S+) s: (\d+) steps, ([a-z0-9-]+), ([a-z0-9-]+), "
    r"worst (constraint|residual) (\d\.\de[-+]\d+)\n$"
)


# An event of the state at 0.25, one of the time at 0.5.
SWITCHES = """model Switches Real x(start = 0, fixed = true), 'y, z'; equation
  der(x) = 1; 'y, z' = (if x > 0.25 then 1 else 0) + (if time >= 0.5 then 2 else 0);
end Switches;
"""


class Events(CommandTest):
    def test_lines_on_standard_error_list_them(self):
        result = run(["run", "-", "--points=2", "--quiet", "--events"], SWITCHES)
        found = re.findall(r"^event at t = (\S+), of (\S+)(?:: (.*))?$", result.err, re.MULTILINE)
        self.assertEqual([kind for _, kind, _ in found], ["state", "time"], result.err)
        self.assert_near(float(found[0][0]), 0.25, 1e-9)
        self.assertEqual(float(found[1][0]), 0.5)
        self.assertIn("x", found[0][2])

    def test_a_file_lists_them_as_csv(self):
        with folder() as place:
            result = run(
                ["run", "-", "--points=2", "--quiet", f"--events={place / 'e.csv'}"], SWITCHES
            )
            with open(place / "e.csv", encoding="utf-8", newline="") as file:
                table = list(csv.reader(file))
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertEqual(table[0], ["time", "kind", "event"])
        self.assertEqual([line[1] for line in table[1:]], ["state", "time"])

    def test_a_file_that_is_another_output_is_refused(self):
        with folder() as place:
            name = place / "same"
            self.assert_refused(
                ["run", "-", f"--events={name}", "--out", name], "--events", stdin=SWITCHES
            )
            self.assert_refused(["run", "-", "--events="], "--events", stdin=SWITCHES)

    def test_rows_show_both_values(self):
        for asked in [], ["--event-rows"]:
            result = run(["run", "-", "--points=3", "--quiet", *asked], SWITCHES)
            found = [(line["time"], line["y, z"]) for line in rows(result.out)[1]]
            wanted = [(0, 0), (0.5, 3), (1, 3)]
            if asked:
                wanted = [(0, 0), (0.25, 0), (0.25, 1), (0.5, 1), (0.5, 3), (1, 3)]
            self.assertEqual(len(found), len(wanted), found)
            for (t, y), (wanted_t, wanted_y) in zip(found, wanted):
                self.assert_near(t, wanted_t, 1e-9)
                self.assertEqual(y, wanted_y)

    def test_statistics_count_them_by_kind(self):
        stats = simulate(SWITCHES, points=2).stats
        counts = [stats[key] for key in ("events", "state_events", "time_events")]
        self.assertEqual(counts, [2, 1, 1])


class Statistics(CommandTest):
    def assert_statistics(self, stats, failed=False):
        for key, kind in STATS.items():
            self.assertIn(key, stats)
            if not (failed and key in UNKNOWN_AFTER_FAILURE and stats[key] is None):
                self.assertIsInstance(stats[key], kind, key)
                self.assertNotIsInstance(stats[key], bool, key)
        for level in stats["max_constraint"]:
            self.assertIsInstance(level, NUMBER)

    def test_all_keys_have_their_types(self):
        for model in DECAY, PENDULUM, CORPUS / "TransistorAmplifier.mo", CORPUS / "RobertsonDae.mo":
            self.assert_statistics(simulate(model, points=2).stats)

    def test_all_keys_are_there_after_a_failure_too(self):
        for name, status in [
            ("ErrPoleDuringRun", 1),
            ("ErrAssertStart", 1),
            ("ErrNoRealRoot", 1),
            ("ErrInconsistentInitial", 3),
            ("ErrStructurallySingular", 3),
        ]:
            stats = simulate(CORPUS / f"{name}.mo", status=status, points=2).stats
            self.assert_statistics(stats, failed=True)
            self.assertNotEqual(stats["status"], "ok")
            self.assertNotEqual(stats["message"], "")
            if stats["max_residual"] is None:
                self.assertEqual(stats["max_constraint"], [])

    def test_a_wrong_text_has_statistics_too(self):
        stats = simulate(WRONG_TEXT, status=3).stats
        self.assert_statistics(stats, failed=True)
        self.assertEqual(stats["status"], "model_error")
        self.assertIn("tim is not declared", stats["message"])

    def test_what_they_say_of_the_pendulum(self):
        stats = simulate(PENDULUM, points=11, method="radau-iia3").stats
        self.assertEqual((stats["status"], stats["message"]), ("ok", ""))
        self.assertEqual((stats["structural_index"], stats["index"]), (3, 3))
        self.assertEqual(len(stats["max_constraint"]), 3)
        self.assertLess(max(*stats["max_constraint"], stats["max_residual"]), 1e-9)
        for count in (
            "steps",
            "residual_calls",
            "jacobian_calls",
            "factorizations",
            "newton_iterations",
        ):
            self.assertGreater(stats[count], 0, count)
        self.assertGreater(stats["residual_calls"], stats["jacobian_calls"])
        self.assertIn("index 3", stats["reasons"])

    def test_an_ode_has_no_constraints(self):
        stats = simulate(DECAY, points=2).stats
        self.assertEqual(
            (stats["structural_index"], stats["index"], stats["max_constraint"]), (0, 0, [])
        )

    def test_steps_follow_the_tolerance_and_the_bounds(self):
        steps = [
            simulate(DECAY, points=2, method="radau-iia3", rtol=tol, atol=tol).stats["steps"]
            for tol in (1e-3, 1e-6, 1e-9, 1e-12)
        ]
        self.assertEqual(steps, sorted(set(steps)))
        self.assertGreaterEqual(simulate(DECAY, points=2, max_step=0.01).stats["steps"], 100)
        self.assertEqual(simulate(DECAY, points=2, step=0.125).stats["steps"], 8)

    def test_they_are_the_last_line_of_standard_error(self):
        result = run(["run", "-", "--stats", "--points=2"], DECAY)
        lines = result.err.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0] + "\n", CLOSING)
        self.assertEqual(json.loads(lines[1])["status"], "ok")

    def test_they_go_to_a_file(self):
        with folder() as here:
            result = run(["run", "-", "--stats=s.json", "--quiet"], DECAY, cwd=here)
            self.assertEqual((result.code, result.err), (0, ""))
            text = (here / "s.json").read_text()
            self.assertEqual(text.count("\n"), 1)
            self.assert_statistics(json.loads(text))

    def test_they_go_to_the_file_after_a_failure_too(self):
        with folder() as here:
            for name, status in (
                ("ErrPoleDuringRun", 1),
                ("ErrStructurallySingular", 3),
                ("ErrMissingOperand", 3),
            ):
                result = run(["run", CORPUS / f"{name}.mo", "--stats=s.json"], cwd=here)
                self.assertEqual(result.code, status)
                self.assertNotEqual(json.loads((here / "s.json").read_text())["status"], "ok")
                (here / "s.json").unlink()


class RunJson(CommandTest):
    def test_the_statistics_are_the_answer(self):
        result = run(["run", "-", "--json", "-q"], DECAY)
        self.assertEqual((result.code, result.err, result.out.count("\n")), (0, "", 1))
        self.assertEqual(set(json.loads(result.out)), set(simulate(DECAY).stats))

    def test_rows_go_to_out_alone(self):
        with folder() as here:
            result = run(["run", "-", "--json", "--points=3", "--out=x.csv"], DECAY, cwd=here)
            self.assertEqual(json.loads(result.out)["status"], "ok")
            self.assertEqual(len(rows((here / "x.csv").read_text())[1]), 3)

    def test_the_answer_is_given_after_a_failure_too(self):
        for name, status, word in [
            ("ErrPoleDuringRun", 1, "step_too_small"),
            ("ErrNoRealRoot", 1, "no_start"),
            ("ErrInconsistentInitial", 3, "contradiction"),
            ("ErrStructurallySingular", 3, "structure"),
            ("ErrMissingOperand", 3, "model_error"),
        ]:
            result = run(["run", CORPUS / f"{name}.mo", "--json"])
            self.assertEqual(result.code, status)
            self.assertEqual(last_object(result.out)["status"], word)


class ClosingLine(CommandTest):
    def test_it_holds_interval_steps_method_formulation_and_the_worst_constraint(self):
        result = run(["run", PENDULUM, "--points=2", "--start=0.5", "--stop=2"])
        start, stop, steps, method, formulation, what, worst = CLOSING.match(result.err).groups()
        stats = simulate(PENDULUM, points=2, start=0.5, stop=2).stats
        self.assertEqual((float(start), float(stop), int(steps)), (0.5, 2, stats["steps"]))
        self.assertEqual(
            (method, formulation, what), (stats["method"], stats["formulation"], "constraint")
        )
        self.assertLess(float(worst), 1e-9)

    def test_quiet_takes_it_away(self):
        for flag in "-q", "--quiet":
            self.assertEqual(run(["run", PENDULUM, "--points=2", flag]).err, "")

    def test_there_is_none_after_a_failure(self):
        result = run(["run", CORPUS / "ErrPoleDuringRun.mo"])
        self.assertNotRegex(result.err, r"(?m)^\S+ to \S+ s: ")
        self.assertIn("stopped at t = 0.5", result.err)

    def test_quiet_keeps_messages(self):
        self.assertIn("stopped at t = 0.5", run(["run", CORPUS / "ErrPoleDuringRun.mo", "-q"]).err)


SWITCHED = """model M Real x(start = 1, fixed = true); discrete Real n(start = 0, fixed = true);
equation der(x) = -1; when sample(0.25, 0.5) then n = pre(n) + 1; elsewhen terminal() then n = -1;
end when; when x < 0.5 then terminate("x is small"); end when; end M;"""


class Events(CommandTest):
    def test_each_event_has_a_line(self):
        result = run(["run", "-", "--events", "--points=5", "-q"], SWITCHED)
        self.assertEqual(result.code, 0)
        first, second, last = result.err.splitlines()
        self.assertEqual(first, "event at t = 0.25, of time: sample(0.25, 0.5)")
        found = re.fullmatch(r"event at t = (\S+), of state: x < 0\.5", second)
        self.assertAlmostEqual(float(found[1]), 0.5, 12)
        self.assertEqual(last, "daedal: terminated at t = 0.5: x is small")

    def test_there_are_none_unless_asked_for(self):
        self.assertNotIn("event", run(["run", "-", "--points=5"], SWITCHED).err)

    def test_terminate_ends_with_its_row_and_closing_line(self):
        result = run(["run", "-", "--points=2", "--stats"], SWITCHED)
        last = rows(result.out)[1][-1]
        self.assertEqual(result.code, 0)
        self.assertAlmostEqual(last["time"], 0.5, 9)
        self.assertEqual(last["n"], -1)
        self.assertRegex(result.err, r"(?m)^0 to 0\.5 s: \d+ steps")
        self.assertIn('"status":"terminated"', result.err)

    def test_the_last_row_is_behind_the_last_event(self):
        result = run(["run", "-", "--points=3", "--stop=0.4"], SWITCHED)
        found = rows(result.out)[1]
        self.assertEqual([row["n"] for row in found], [0, 0, -1])


class Init(CommandTest):
    def test_the_text_has_a_line_for_each_variable(self):
        result = run(["init", PENDULUM])
        self.assertEqual((result.code, result.err), (0, ""))
        lines = result.out.splitlines()
        self.assertEqual([line.split()[0] for line in lines[:5]], ["x", "y", "vx", "vy", "F"])
        self.assertRegex(lines[0], r"^x +=  ?1\b.*der =")
        self.assertRegex(lines[3], r"^vy +=  ?0\b.*der = +-9\.8(2|199999)")
        self.assertRegex(lines[-1], r"^worst .*\d\.\de[-+]\d+$")

    def test_the_text_has_no_spaces_at_the_ends_of_lines(self):
        self.assertNotRegex(run(["init", PENDULUM]).out, r"(?m) $")

    def test_units_and_columns_line_up_whatever_the_letters(self):
        text = "model M Real 'größe'(unit = \"m\"), b; equation 'größe' = 1; b = 2; end M;"
        lines = run(["init", "-"], text).out.splitlines()
        self.assertEqual(lines[0].index("="), lines[1].index("="))
        self.assertTrue(lines[0].endswith(" m"), lines[0])

    def test_json_has_its_keys_and_types(self):
        answer = json.loads(run(["init", PENDULUM, "--json"]).out)
        self.assertEqual(set(answer), {"time", "values", "derivatives", "residual", "notes"})
        self.assertEqual((answer["time"], answer["notes"]), (0, []))
        self.assertEqual(list(answer["values"]), ["x", "y", "vx", "vy", "F"])
        self.assert_near(answer["derivatives"]["vy"], -9.82, 1e-12)
        self.assertNotIn("F", answer["derivatives"])
        self.assertLess(answer["residual"], 1e-12)

    def test_values_satisfy_the_hidden_constraints(self):
        text = (
            PENDULUM.read_text()
            .replace("y(start = 0, fixed", "y(start = -0.6, fixed")
            .replace("vy(start = 0, fixed", "vy(start = 0.5, fixed")
        )
        v = json.loads(run(["init", "-", "--json"], text).out)["values"]
        self.assert_near(v["x"], 0.8, 1e-9)
        self.assert_near(v["x"] * v["vx"] + v["y"] * v["vy"], 0, 1e-9)
        force = 0.5 * (v["vx"] ** 2 + v["vy"] ** 2 - 9.82 * v["y"])
        self.assert_near(v["F"], force, 1e-9)

    def test_a_failing_start_is_answered_as_by_run(self):
        for name, status in (
            ("ErrNoRealRoot", 1),
            ("ErrInconsistentInitial", 3),
            ("ErrMissingOperand", 3),
        ):
            result = run(["init", CORPUS / f"{name}.mo"])
            self.assertEqual((result.code, result.out), (status, ""))
            self.assertIn(f"{name}.mo:", result.err)
            result = run(["init", CORPUS / f"{name}.mo", "--json"])
            said = json.loads(run(["run", CORPUS / f"{name}.mo", "--json"]).out)
            self.assertEqual(
                (result.code, json.loads(result.out)),
                (status, {"status": said["status"], "message": said["message"]}),
            )
            self.assertIn(f"{name}.mo:", result.err)

    def test_an_equation_of_a_declaration_is_named(self):
        text = "model M Real q = sqrt(1 - time), x; equation der(x) = q; end M;"
        self.assertIn("q = sqrt(", run(["init", "-", "--start=2"], text).err)


class Check(CommandTest):
    def describe(self, name, **expected):
        result = run(["check", CORPUS / f"{name}.mo", "--json"])
        self.assertEqual((result.code, result.out.count("\n")), (0, 1), result.err)
        answer = json.loads(result.out)
        for key, kind in CHECK.items():
            self.assertIsInstance(answer[key], kind, key)
        self.assertIn(answer["form"], FORMS)
        self.assertEqual(sum(answer["blocks"]), answer["unknowns"])
        self.assertEqual(len(answer["states"]), answer["degrees_of_freedom"])
        self.assertIsNone(answer["singular"])
        self.assertEqual({key: answer[key] for key in expected}, expected)
        return answer

    def test_an_ode(self):
        self.describe(
            "Lorenz",
            equations=3,
            unknowns=3,
            structural_index=0,
            index=0,
            degrees_of_freedom=3,
            states=["x", "y", "z"],
            hidden_constraints=[],
        )

    def test_structural_parameters(self):
        model = (
            "model M parameter Real L = 0, R = 2, q = 1; parameter Integer n = 2;"
            " Real i(start = 0), x[n]; equation L*der(i) = sin(time) - R*i;"
            " for k in 1:n loop x[k] = k*i^q; end for; end M;"
        )
        answer = json.loads(run(["check", "-", "--json"], model).out)
        self.assertEqual(
            answer["structural_parameters"],
            [
                "n: it is Integer",
                "L: a term with it is 0 and is left out",
                "q: a factor with it is 1 and is left out",
            ],
        )

    def test_an_index_1_model(self):
        self.describe(
            "RobertsonDae",
            equations=3,
            unknowns=3,
            structural_index=1,
            index=1,
            degrees_of_freedom=2,
            hidden_constraints=[],
        )

    def test_an_index_3_model(self):
        answer = self.describe(
            "PendulumCartesian",
            equations=5,
            unknowns=5,
            structural_index=3,
            index=3,
            degrees_of_freedom=2,
        )
        self.assertEqual(len(answer["hidden_constraints"]), 2)
        self.assert_says(
            answer["hidden_constraints"][0],
            "x*vx",
            "y*vy",
            "x^2 + y^2 = L^2",
            "PendulumCartesian.mo:11",
        )

    def test_a_model_of_index_2_or_more_has_hidden_constraints(self):
        for name in ("ParallelCapacitors", "SeriesInductors", "GearTrain", "BeadOnParabola"):
            answer = self.describe(name)
            self.assertGreaterEqual(answer["index"], 2)
            self.assertNotEqual(answer["hidden_constraints"], [], name)
        self.assertEqual(len(self.describe("DerivativeChain4", index=4)["hidden_constraints"]), 3)

    def test_each_hidden_level_of_a_run_has_a_hidden_constraint(self):
        for name in "PendulumCartesian", "FlexibleJointInverse", "CraneInverse", "DerivativeChain6":
            levels = len(simulate(CORPUS / f"{name}.mo", points=2).stats["max_constraint"]) - 1
            self.assertGreaterEqual(len(self.describe(name)["hidden_constraints"]), levels, name)

    def test_a_structure_that_misleads(self):
        answer = self.describe(
            "TransistorAmplifier",
            equations=11,
            unknowns=11,
            structural_index=1,
            index=1,
            degrees_of_freedom=5,
        )
        self.assertEqual(len(answer["hidden_constraints"]), 3)
        self.assert_says(answer["misleads"], "rank 8 of 11")
        text = run(["check", CORPUS / "TransistorAmplifier.mo"]).out
        self.assertEqual(text.count("the structure misleads"), 1)
        self.assertNotIn("radau", text)

    def test_hidden_constraints_that_only_the_array_holds_are_counted(self):
        text = (
            "model M Real u, v, s; equation der(u) + der(v) = u - v; "
            "der(u) + der(v) = 2*u - sin(time); der(s) + der(u) = -(s + u); end M;"
        )
        answer = json.loads(run(["check", "-", "--json"], text).out)
        self.assertEqual((answer["degrees_of_freedom"], answer["states"]), (1, ["s"]))
        first, second = answer["hidden_constraints"]
        self.assert_says(first, "a combination without highest derivatives of")
        self.assert_says(second, "one more, found numerically")
        self.assertIn("2 hidden constraints:", run(["check", "-"], text).out)

    def test_what_was_not_determined_is_not_told(self):
        text = (
            "model M Real x(start = 0.6, fixed = true), y(start = -0.8), vx, vy, F, G; equation "
            "der(x) = vx; der(y) = vy; der(vx) = -(F + 2*G)*x; der(vy) = -(F + 2*G)*y - 9.81; "
            "x^2 + y^2 = 1; 2*x^2 + 2*y^2 = 2; end M;"
        )
        answer = json.loads(run(["check", "-", "--json"], text).out)
        self.assertEqual(
            (answer["index"], answer["degrees_of_freedom"], answer["states"]), (None, None, [])
        )
        self.assert_says(answer["index_note"], "do not determine the multipliers")
        self.assertEqual(answer["formulation"], "elimination")
        self.assertIn("states not determined", run(["check", "-"], text).out)

    def test_the_note_says_why_an_index_is_not_known(self):
        text = (
            "model M parameter Integer n = 1001; Real x[n], y[n]; equation "
            "for i in 1:n loop der(x[i]) = y[i]; end for; "
            "for i in 1:n loop x[i] = sin(time + i); end for; end M;"
        )
        answer = json.loads(run(["check", "-", "--json"], text).out)
        self.assertEqual(answer["index"], 2)
        answer = json.loads(run(["check", "-", "--json"], text.replace("1001", "2001")).out)
        self.assertIsNone(answer["index"])
        self.assert_says(answer["index_note"], "too large")

    def test_singular_equations(self):
        path = CORPUS / "ErrStructurallySingular.mo"
        result = run(["check", path, "--json"])
        self.assertEqual(result.code, 3)
        answer = json.loads(result.out)
        self.assertEqual(
            (answer["equations"], answer["unknowns"], answer["structural_index"]), (3, 3, None)
        )
        self.assertEqual((answer["index"], answer["degrees_of_freedom"]), (None, None))
        over, _, under = answer["singular"].partition("under-determined")
        self.assert_says(
            over,
            "over-determined",
            "(x)",
            "x = sin(time)",
            "x + 1 = cos(time)",
            "ErrStructurallySingular.mo:4",
            "ErrStructurallySingular.mo:5",
        )
        self.assertRegex(under, r"\bz\b")
        self.assertRegex(
            run(["check", path]).err, r"ErrStructurallySingular\.mo:5:3: error: .*singular"
        )

    def test_a_second_singular_model(self):
        answer = json.loads(run(["check", CORPUS / "ErrStructurallySingular2.mo", "--json"]).out)
        over, _, under = answer["singular"].partition("under-determined")
        self.assert_says(over, "x^2 = 4 + time", "exp(x) = 3")
        self.assert_says(under, "u", "v", "u + v = x")

    def test_too_few_equations_are_counted(self):
        result = run(["check", CORPUS / "ErrTooFewEquations.mo"])
        self.assertEqual(result.code, 3)
        self.assertIn("2 equations for 3 unknowns", result.err)

    def test_the_text_says_the_same_in_words(self):
        text = run(["check", PENDULUM]).out
        self.assert_says(
            text,
            "PendulumCartesian",
            "5 equations",
            "5 unknowns",
            "structural index 3",
            "differential index 3",
            "2 degrees of freedom",
            "2 hidden constraints",
            "1 block",
        )
        self.assertIn("no hidden constraints", run(["check", "-"], DECAY).out)

    def test_a_start_that_is_not_found_leaves_the_index_open(self):
        answer = last_object(run(["check", CORPUS / "ErrNoRealRoot.mo", "--json"]).out)
        self.assertEqual((answer["structural_index"], answer["equations"]), (1, 1))
        self.assertIsNone(answer["index"])

    def test_numbers_that_are_none_are_null(self):
        def refuse(word):
            raise AssertionError(word)

        for name in "ErrStructurallySingular", "ErrNoRealRoot":
            for command in "check", "run":
                json.loads(
                    run([command, CORPUS / f"{name}.mo", "--json"]).out, parse_constant=refuse
                )
        self.assertTrue(math.isfinite(simulate(DECAY).stats["rank_margin"]))



LISTED = """model Listed
  parameter Real L(unit = "m") = 1.5; parameter Boolean on = true;
  input Real f(unit = "N", start = 0.5);
  output Real x(start = 0, fixed = true, unit = "m"); Real y(start = -1.5), u(start = 3), w, T;
equation
  der(x) = u; der(y) = w; der(u) = -T*x + f; der(w) = -T*y - 9.81; x^2 + y^2 = L^2;
end Listed;
"""


class Lists(CommandTest):
    def test_json_lists_variables_parameters_and_blocks(self):
        found = json.loads(run(["check", "-", "--json"], LISTED).out)
        self.assertEqual(found["inputs"], ["f"])
        variables = {v["name"]: v for v in found["variables"]}
        self.assertEqual(list(variables), ["f", "x", "y", "u", "w", "T"])
        self.assertEqual(
            variables["x"],
            {"name": "x", "unit": "m", "kind": "continuous", "causality": "output", "start": 0, "start_use": "fixed", "value": 0, "line": 4},
        )
        self.assertEqual({n: v["start_use"] for n, v in variables.items()}, {"f": "held", "x": "fixed", "y": "guess", "u": "taken", "w": None, "T": None})
        self.assertEqual(
            found["parameters"],
            [
                {"name": "L", "unit": "m", "type": "Real", "value": 1.5, "line": 2},
                {"name": "on", "unit": "", "type": "Boolean", "value": True, "line": 2},
            ],
        )
        self.assertEqual([len(b["unknowns"]) for b in found["block_contents"]], found["blocks"])
        self.assertEqual(sorted(d["times"] for d in found["differentiated"]), [1, 1, 2])

    def test_words_list_them_where_that_is_asked_for(self):
        plain, listed = run(["check", "-"], LISTED).out, run(["check", "-", "--list"], LISTED).out
        self.assertTrue(listed.startswith(plain))
        self.assertIn("  inputs: f\n", plain)
        self.assertNotIn("variables:", plain)
        more = listed[len(plain):]
        self.assertRegex(more, r"(?m)^    u +3 +taken +3 +4$")
        self.assertRegex(more, r"(?m)^    L +m +1\.5 +2$")
        self.assertIn("    2 times  x^2 + y^2 = L^2 (<stdin>:6)\n", more)
        self.assertRegex(more, r"(?m)^    .*der\(u\).*  together by$")
        self.assertIn("    f  by  f = 0.5", more)


if __name__ == "__main__":
    unittest.main()
