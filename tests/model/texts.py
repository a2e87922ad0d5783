"""What the command says of texts and settings that it cannot use: files that are none, encodings,
experiments, values. The environment variable DAEDAL names the command."""

import os
import pathlib
import resource
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "command"))
from daedal import COMMAND, CommandTest, folder, run, simulate

SETTABLE = r"""
model M
  type Size = enumeration(small, large);
  parameter Real p = 1, v[2] = {1, 2}, 'a.b' = 3, 'it\'s' = 4, doubled = 2*p;
  final parameter Real f = p;
  constant Real c = 1;
  parameter Integer n = 2;
  parameter Size size1 = Size.small;
  Real x[n](each start = 1, each fixed = true);
  Real y = p + 10*v[2] + 100*'a.b' + 1000*'it\'s' + 1e4*doubled + 1e5*Integer(size1) + 1e6*n;
equation
  der(x) = -x;
end M;
"""
STANDARD = 1 + 20 + 300 + 4000 + 2e4 + 1e5 + 2e6


class Files(CommandTest):
    def test_what_is_no_file_is_named_with_the_reason(self):
        with folder() as path:
            self.assert_refused(["check", path], str(path), "Is a directory")
            missing = path / "missing.mo"
            self.assert_refused(["check", missing], str(missing), "No such file or directory")
            secret = path / "secret.mo"
            secret.write_text(SETTABLE)
            secret.chmod(0)
            if os.geteuid() != 0:  # to whom nothing is forbidden
                self.assert_refused(["check", secret], str(secret), "Permission denied")

    def test_an_empty_file_and_empty_input_are_no_models(self):
        with folder() as path:
            (path / "empty.mo").touch()
            self.assert_refused(
                ["check", path / "empty.mo"], "empty.mo:1:1: error: ", "the text is empty", code=3
            )
        self.assert_refused(["check", "-"], ">:1:1: error: ", "the text is empty", code=3)

    def test_what_never_ends_is_refused_in_bounded_memory(self):
        with open("/dev/zero", "rb") as endless:
            done = subprocess.run(
                [COMMAND, "check", "-"],
                stdin=endless,
                capture_output=True,
                timeout=60,
                encoding="utf-8",
            )
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("longer than 256 MiB", done.stderr)
        kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(kilobytes, 2 << 20)


class Encodings(CommandTest):
    def refuse(self, text, *parts):
        self.assert_refused(["check", "-"], *parts, code=3, stdin=text)

    def test_bytes_that_are_no_characters_in_names_and_strings(self):
        remedy = "save the file as UTF-8"
        self.refuse("model M\n Real 'w\udce4rme';\nend M;", ":2:9: error: ", "0xE4", remedy)
        self.refuse('model M "\u00e4\udce4" Real x = 1; end M;', ":1:11: error: ", "0xE4", remedy)

    def test_bytes_that_are_no_characters_in_comments_harm_nothing(self):
        self.assertEqual(run(["check", "-"], "model M // \udce4\n Real x = 1; end M;").code, 0)

    def test_marks_line_ends_and_tabs_leave_the_caret_in_its_place(self):
        text = '\ufeffmodel M "\u00e4"\r\n\tReal x;\r\nequation\r\n\tx = /*\u00e4*/\ty;\r\nend M;'
        self.refuse(text, ":4:12: error: y is not declared\n    \tx = /*\u00e4*/\ty;\n    \t         \t^")


class Experiments(CommandTest):
    def test_what_an_experiment_cannot_mean_is_told_where_it_stands(self):
        for given, column, said in (
            ("Tolerance = 0", 13, "Tolerance"),
            ("Tolerance = 3", 13, "Tolerance"),
            ("StartTime = 2, StopTime = 1", 27, "StopTime"),
            ("StopTime = 1e300*1e300", 12, "StopTime"),
            ("Interval = -1", 12, "Interval"),
        ):
            text = f"model M Real x = 1; annotation(experiment(\n{given})); end M;"
            self.assert_refused(["run", "-"], f":2:{column}: error: {said}", code=3, stdin=text)


class Settings(CommandTest):
    def test_names_as_the_model_and_as_the_results_write_them(self):
        for setting, wanted in (
            ("v[2]=3", STANDARD + 10),
            ("v[ 2 ]=3", STANDARD + 10),
            ("a.b=4", STANDARD + 100),
            ("'a.b'=4", STANDARD + 100),
            ("it's=5", STANDARD + 1000),
            (r"'it\'s'=5", STANDARD + 1000),
            ("doubled=3", STANDARD + 1e4),
            ("p=2", STANDARD + 1 + 2e4),
            ("size1=large", STANDARD + 1e5),
            ("size1=Size.large", STANDARD + 1e5),
        ):
            with self.subTest(setting):
                found = simulate(SETTABLE, points=2, set=setting).rows
                self.assert_near(found[0]["y"], wanted, 1e-6)

    def test_a_size_follows_its_parameter(self):
        header = simulate(SETTABLE, points=2, set="n=3").header
        self.assertEqual(header, ["time", "x[1]", "x[2]", "x[3]", "y"])

    def test_what_cannot_be_set_is_refused_with_the_reason(self):
        for setting, *parts in (
            ("c=2", "c is a constant and cannot be set"),
            ("f=2", "f is a final parameter and cannot be set"),
            ("v=2", "v is an array [2]: set its elements one by one, as in v[1]=2"),
            ("v[3]=2", "there is no element v[3]: v is [2]"),
            ("p=x", "p=x: expected a number, because p is Real"),
            ("n=1.5", "n=1.5: expected a whole number, because n is Integer"),
            ("size1=huge", "size1=huge: expected one of small, large"),
            ("V[2]=1", "no parameter or variable is called V[2]; nearest: v[2]"),
            ("'a.c'=1", "no parameter or variable is called 'a.c'; nearest: a.b"),
        ):
            with self.subTest(setting):
                self.assert_refused(["run", "-", f"--set={setting}"], *parts, stdin=SETTABLE)


if __name__ == "__main__":
    unittest.main()
