"""--input: courses in time of a model's inputs, from CSV files."""
import pathlib
import tempfile
import unittest
from math import exp

from daedal import CommandTest, rows, run

MODEL = """model Fed
  input Real u(start = 2), v[2];
  Real x(start = 0, fixed = true), y = x + v[2];
equation
  der(x) = u - x + v[1];
end Fed;
"""


class Inputs(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "course.csv")

    def test_courses(self):
        """x' = t + 1 - x, then 2 - x: lines, a jump, the last value held."""
        self.file.write_text('# measured\n\ntime;u;"v[1]";w\r\n0;0;1;5\n1;1;1;5\n1;0;2;5\n3;0;2;5\n')
        times = ["--stop", "4", "--at", "0.5,1,4", "--rtol", "1e-9"]
        done = run(["run", "-", "--input", self.file, *times], MODEL)
        for row, wanted in zip(rows(done.out)[1], (0.5, 1, 2 - exp(-3)), strict=True):
            self.assert_near(row["x"], wanted, 1e-8)
        self.assert_says(done.err, "that are no inputs: w", "held at its start value: the input v[2]")

    def test_columns_of_words(self):
        """They may stand beside those that are asked for."""
        self.file.write_text("time,remark,u,date\n0,begin,0,2026-01-01\n1,,1,1e999\n")
        done = run(["run", "-", "--input", self.file, "--points", "2"], "model M input Real u; Real x(start = 0, "
                   "fixed = true); equation der(x) = u; end M;")
        self.assert_near(rows(done.out)[1][-1]["x"], 0.5, 1e-6)

    def test_held(self):
        """Without a file inputs keep their start values, which can be set."""
        done = run(["run", "-", "--at", "1", "--rtol", "1e-9", "--set", "u=3"], MODEL)
        self.assert_near(rows(done.out)[1][-1]["x"], 3 * (1 - exp(-1)), 1e-8)
        self.assert_says(done.err, "held at their start values: the inputs u, v[1], v[2]")

    def test_inputs_that_change_at_events(self):
        """They have the value of the line before, and each change is one event."""
        model = """model I type E = enumeration(off, low, high);
          input Boolean on; input Integer k(start = 1); input E e; discrete input Real d;
          Real x(start = 0, fixed = true), n(start = 0, fixed = true); Integer c(start = 0, fixed = true);
        equation der(x) = if on then k + (if e == E.high then 10 else 0) else 0; der(n) = d;
          when change(k) then c = pre(c) + 1; end when; end I;"""
        self.file.write_text("time,on,k,e,d\n0,0,1,1,0\n1,1,2,2,1.5\n2,1,3,3,2\n3,0,5,3,2\n")
        done = run(["run", "-", "--input", self.file, "--stop", "4", "--points", "5"], model)
        table = rows(done.out)[1]
        for row, x, n, c, k in zip(table, (0, 0, 2, 15, 15), (0, 0, 1.5, 3.5, 5.5), (0, 1, 2, 3, 3), (1, 2, 3, 5, 5)):
            self.assert_near(row["x"], x, 1e-9)
            self.assert_near(row["n"], n, 1e-9)
            self.assertEqual((float(row["c"]), float(row["k"])), (c, k))
        for text, words in (("time,on\n0,0.5\n", "on is Boolean and cannot be 0.5"),
                            ("time,k\n0,1\n2,1.5\n", "k is Integer and cannot be 1.5, as its course is at 2"),
                            ("time,e\n0,4\n", "e is E and cannot be 4")):
            self.file.write_text(text)
            self.assert_refused(["run", "-", "--input", self.file], words, stdin=model)

    def test_settings_count_beside_inputs(self):
        """In a model of components as in a flat one; parameters, start values, and what decides sizes."""
        model = """model A input Real u; parameter Integer n = 1; Real z(start = 3, fixed = true);
          model C parameter Real k = 1; Real x(start = 0.5, fixed = true), w; equation der(x) = k*w; end C;
          C c[n](each w = u), d(w = u, k = 2); equation der(z) = 0; end A;"""
        self.file.write_text("time,u\n0,1\n1,1\n")
        for settings, wanted in ((["z=7", "d.k=5", "c[1].x=1"], (7, 5.5, 2)), (["d.k=4", "n=2", "z=8"], (8, 4.5, 1.5))):
            flags = [f"--set={setting}" for setting in settings]
            done = run(["run", "-", "--input", self.file, "--points", "2", *flags], model)
            row = rows(done.out)[1][-1]
            for name, value in zip(("z", "d.x", "c[1].x"), wanted):
                self.assert_near(row[name], value, 1e-6)

    def test_a_setting_of_an_input_with_a_course_is_refused(self):
        self.file.write_text("time,u\n0,1\n")
        self.assert_refused(["run", "-", "--input", self.file, "--set=u=3"], "--set: the input u has a course in ",
                            "give one of them", stdin=MODEL)

    def test_an_input_with_an_equation(self):
        """It is given by the model, and no note says otherwise."""
        done = run(["run", "-", "--points", "2"], "model M input Boolean b; input Real u; Real x(start = 0, "
                   "fixed = true); equation b = time > 0.5; u = 2; der(x) = if b then u else 0; end M;")
        self.assert_near(rows(done.out)[1][-1]["x"], 1, 1e-6)
        self.assertNotIn("held", done.err)

    def test_wrong_files(self):
        """Each mistake is named with its line."""
        for text, words in (
            ("", "is empty"),
            ("time\n0\n", "course.csv:1: the first line has the names"),
            ("time,u,u\n0,1,2\n", "course.csv:1: two columns are called u"),
            ("time,u\n", "has names, but no values"),
            ("time,u\n0,1\n1,x\n", "course.csv:3: x is no number in column u"),
            ("time;u\n0;2,5\n", "2,5 is no number in column u; decimals have a point"),
            ("time,u\n0,\n", "an empty field is no number"),
            ("time,u\n0,1,2\n", "course.csv:2: this line has more than the 2 fields"),
            ("time,u\n0\n", "this line has fewer than the 2 fields"),
            ("time,u\n1,1\n0,1\n", "course.csv:3: the time in time falls"),
            ("time,x\n0,1\n", "x is no input of the model, which has the inputs u, v"),
            ("time,u\n0,1e999\n", "1e999 is no number"),
            ("remark,u\nbegin,1\n", "begin is no number in column remark"),
            ("time,u\n0,1\0\n", "is no text"),
            ("time,u\n0,0x10\n", "0x10 is no number"),
            ("1e3,u\n0,1\n", 'course.csv:1: the first line has a number and "u"'),
        ):
            self.file.write_text(text)
            self.assert_refused(["run", "-", "--input", self.file], "daedal: --input: ", words, stdin=MODEL)


if __name__ == "__main__":
    unittest.main()
