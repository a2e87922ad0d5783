"""The corpus through the command, in plain and in Base Modelica form: values, index, errors.

Every model outside the category of events must pass, but for those listed in LEFT_OUT; a wrong
model must be refused with the exit status, at the stage, in the line and with the names that it
deserves, and not because of something else in the file."""

import json
import re
import unittest

from simulation import CORPUS, Trajectory, daedal

MODELS = json.loads((CORPUS / "manifest.json").read_text())
CATEGORIES = ("ODE", "index1", "index2", "index3", "highindex", "init", "language", "structfail")

# What needs a part of the language that is refused for now. Growth of this list is a failure.
LEFT_OUT = {
    "DiscreteInitial.mo": "discrete variables, when, sample",
    "ErrEventLoop.mo": "Boolean variables and pre: an error of the run's events",
    "ErrZenoNoEnd.mo": "when and reinit: an error of the run's events",
}
MOST_LEFT_OUT = 3
EVENTS_OF_THE_RUN = "DiscreteInitial.mo", "ErrEventLoop.mo", "ErrZenoNoEnd.mo"  # they are read
EVENTS = 18  # models of the category that is about events, not looked at here

READING, STRUCTURE, INITIAL = "model_error", "structure", "contradiction"

# For each wrong model: exit status, the status in the statistics, a part of the line that the
# message points to (quotes around names left out), and what the message must say.
ERRORS = {
    "ErrMissingSemicolon.mo": (3, READING, "Real x(start = 1", r"expected ';'.*\bx\b"),
    "ErrMissingOperand.mo": (3, READING, "x = y + ;", r"expected an expression, found ';'"),
    "ErrUnterminatedString.mo": (3, READING, '"no closing quote', r"unterminated string"),
    "ErrMissingEndIf.mo": (3, READING, "end ErrMissingEndIf", r"'end if'(.|\n)*line 4"),
    "ErrPowerDoubleStar.mo": (3, READING, "time**2", r"\*\*(.|\n)*\^"),
    "ErrKeywordAsName.mo": (3, READING, "Real output", r"output is a keyword"),
    "ErrNotAModel.mo": (3, READING, "This is a plain", r"expected 'model'"),
    "ErrUnknownVariable.mo": (3, READING, "-sped", r"sped is not declared(.|\n)*speed"),
    "ErrUnknownFunction.mo": (3, READING, "sine(time)", r"function sine is not declared"),
    "ErrDuplicateName.mo": (3, READING, "parameter Real x", r"\bx is already declared in line \d"),
    "ErrConditionNotBoolean.mo": (3, READING, "if time then", r"condition must be Boolean"),
    "ErrIndexOutOfBounds.mo": (3, READING, "x[4]", r"subscript 4 is out of bounds 1:3"),
    "ErrDerOfBoolean.mo": (3, READING, "der(b)", r"b is Boolean"),
    "ErrNestedWhen.mo": (3, READING, "when time > 1", r"when inside a when"),
    "ErrUnbalancedIf.mo": (3, READING, "else", r"2 equations, the first one 1"),
    "ErrReinitAlgebraic.mo": (3, READING, "reinit(y, 0)", r"y is not a state"),
    "ErrTwoWhensAssign.mo": (3, READING, "y = 2", r"y is over-determined"),
    "ErrBooleanLoop.mo": (3, READING, "a = not a", r"Boolean loop: a depends on itself"),
    "ErrTooFewEquations.mo": (
        3, STRUCTURE, "Real x(start", r"2 equations for 3 unknowns(.|\n)*unknowns: x, y, z"
    ),
    "ErrStructurallySingular.mo": (
        3, STRUCTURE, "x + 1 = cos(time)", r"structurally singular(.|\n)*\(x\)(.|\n)*\bz occurs"
    ),
    "ErrStructurallySingular2.mo": (
        3, STRUCTURE, "exp(x) = 3", r"structurally singular(.|\n)*\(x\)(.|\n)*\bu, v\b"
    ),
    # the manifest: "a warning and an empty result are also fine"
    "ErrEmptyModel.mo": (0, "ok", "ErrEmptyModel", r"no variables.*nothing to solve"),
    "ErrInconsistentInitial.mo": (
        3, INITIAL, "x2 = x1 + 1", r"inconsistent: with x1 = 0, x2 = 2 fixed(.|\n)*off by 1\b"
    ),
    "ErrInitialOnConstraint.mo": (
        3, INITIAL, "x = sin(time)", r"inconsistent: with x = 1 fixed(.|\n)*x = sin\(time\)"
    ),
    "ErrInitialTooMany.mo": (
        3, INITIAL, "der(x) = 0", r"inconsistent: with x = 1 fixed(.|\n)*der\(x\) = 1 - 2\*x"
    ),
    "ErrInitialHidden.mo": (3, INITIAL, "z = 4", r"inconsistent(.|\n)*initial equation z = 4"),
    "ErrNoRealRoot.mo": (1, "no_start", "x^2 + 1 = 0", r"Newton(.|\n)*x\^2 \+ 1 = 0"),
    "ErrAssertStart.mo": (1, "assertion", "assert(x <= hi", r"at t = 0: x out of limit"),
    "ErrAssertRun.mo": (1, "assertion", "assert(h > 0", r"at t = 0\.5\d*: tank is empty"),
    "ErrPoleDuringRun.mo": (1, "step_too_small", None, r"t = (0\.5|0\.49999\d*)\b.*in y = "),
}


def forms(entry):
    return [CORPUS / entry[key] for key in ("file", "base_file") if entry.get(key)]


def unquoted(text):
    """Names without the quotes of Base Modelica."""
    return re.sub(r"'([A-Za-z]\w*)'", r"\1", text)


class Values(unittest.TestCase):
    def run_to_expected(self, path, entry):
        times = sorted({float(t) for points in entry["expect"].values() for t in points})
        tolerance = entry["tol"]
        return Trajectory(
            path,
            stop=entry["tstop"],
            rtol=tolerance,
            atol=tolerance,
            at=",".join(map(repr, times)),
        )

    def assert_expected(self, run, entry):
        for name, points in entry["expect"].items():
            for time, value in points.items():
                found = run[name][run.time.index(float(time))]
                self.assertLessEqual(abs(found - value), entry["abs_tol"], f"{name} at {time}")

    def assert_structure(self, path, entry):
        found = json.loads(daedal.run(["check", path, "--json"]).out)
        # of models whose structure misleads, the manifest gives the true index
        index = "index" if entry["category"] == "structfail" else "structural_index"
        self.assertEqual(found[index], entry["index"])
        if entry.get("dof") is not None:
            self.assertEqual(found["degrees_of_freedom"], entry["dof"])

    def test_models(self):
        for k, entry in enumerate(MODELS):
            if entry["category"] not in CATEGORIES or entry["file"] in LEFT_OUT:
                continue
            if daedal.SANITIZED and k % 2:
                continue
            texts = set()
            paths = forms(entry)
            for path in [paths[k // 2 % len(paths)]] if daedal.SANITIZED else paths:
                with self.subTest(model=path.name):
                    run = self.run_to_expected(path, entry)
                    self.assert_expected(run, entry)
                    self.assert_structure(path, entry)
                    texts.add(run.text)
            with self.subTest(model=entry["file"], message="both forms give the same numbers"):
                self.assertEqual(len(texts), 1)


class Errors(unittest.TestCase):
    def assert_refused(self, path, pattern, code, status, line, says):
        result = daedal.run(["run", path, "--stats"])
        self.assertEqual(result.code, code, result.err)
        self.assertEqual(daedal.last_object(result.err)["status"], status)
        # a name in quotes may be said with them; 'end if' and ';' are said in quotes anyhow
        for wanted, flag in (pattern, re.IGNORECASE), (says, 0):
            said = (re.search(wanted, text, flag) for text in (result.err, unquoted(result.err)))
            self.assertTrue(any(said), f"{wanted} in {result.err}")
        self.assertNotIn("not supported", result.err)
        if line:
            self.assert_points_to(path, line, result.err)

    def assert_points_to(self, path, line, message):
        numbers = [
            number
            for number, text in enumerate(path.read_text().splitlines(), 1)
            if line in unquoted(text)
        ]
        places = re.findall(rf"{re.escape(path.name)}:(\d+)", message)
        self.assertIn(int(places[0]), numbers, message)

    def test_wrong_models(self):
        for entry in MODELS:
            if entry["category"] != "error" or entry["file"] in LEFT_OUT:
                continue
            for path in forms(entry):
                with self.subTest(model=path.name):
                    self.assert_refused(path, entry["expect_error"], *ERRORS[entry["file"]])


class LeftOut(unittest.TestCase):
    def test_what_is_left_out_is_counted(self):
        for file, reason in LEFT_OUT.items():
            print(f"left out: {file}: {reason}")
        self.assertLessEqual(len(LEFT_OUT), MOST_LEFT_OUT)
        self.assertLessEqual(set(LEFT_OUT), {entry["file"] for entry in MODELS})
        others = [e["file"] for e in MODELS if e["category"] not in (*CATEGORIES, "error")]
        print(f"of the category events, not looked at: {len(others)}")
        self.assertEqual(len(others), EVENTS)

    def test_what_is_left_out_is_refused_with_a_clear_word(self):
        for entry in MODELS:
            refused = entry["file"] in LEFT_OUT and entry["file"] not in EVENTS_OF_THE_RUN
            for path in forms(entry) if refused else []:
                with self.subTest(model=path.name):
                    result = daedal.run(["run", path])
                    self.assertEqual(result.code, 3)
                    self.assertIn("not supported yet", result.err)


if __name__ == "__main__":
    if daedal.SANITIZED:
        left_out = 2 * len(MODELS) - len(MODELS) // 2
        daedal.tell_left_out("forms of models", left_out, 2 * len(MODELS), "one of four, in turn")
    unittest.main(verbosity=2)
