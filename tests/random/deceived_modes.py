"""Equations whose structure misleads and that no combinations convert, in models that switch or have
invariants.

Two bent functions of two equations stand for these: sin(a) + 0.8 b = 0 and sinh(a) + 1.1 b (1 + 0.3 u)
= 0 hold where a = b = 0. With a and b themselves the structure does not mislead, so both models have
the same solution, which events change."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import daedal  # noqa: E402

MODEL = """model Modes
  Real u(start = 0.2, fixed = true), w(start = 0.3, fixed = true), x1, x2(start = 1), x3; {variables}
equation
  der(u) = -u + sin(x1) + w;
  {equations}
  {first}
  {second}
  der(x2) = x3 + u;
{annotation}end Modes;
"""
A, B = "(der(x1) - x2 - 0.3*u*x1)", "(x1 - sin(time))"
PLAIN = {"first": f"{A} = 0;", "second": f"{B} = 0;"}
BENT = {"first": f"sin({A}) + 0.8*{B} = 0;", "second": f"sinh({A}) + 1.1*{B}*(1 + 0.3*u) = 0;"}
TOLERANCE, AGREES = 1e-8, 1e-6

# What switches is no part of the bent equations, but their solution depends on it. The last ones
# have modes of another index, which are formulated, and embedded, by themselves.
CASES = {
    "at a time": ("", "der(w) = if time > 0.4 then 1 else -1;"),
    "at a state of the cell": ("", "der(w) = if x1 > 0.4 then 1 else -1;"),
    "at a state that depends on it": ("", "der(w) = if u < 0.32 then 1 else -2;"),
    "when": ("discrete Real k(start = 1, fixed = true);", "der(w) = -k; when u > 0.3 then k = -2; end when;"),
    "a jump": ("", "der(w) = -1; when w < 0.083 then reinit(w, 0.5); end when;"),
    "a jump of the cell": ("", "der(w) = -1; when w < 0.083 then reinit(u, 0.5); end when;"),
    "no event": ("", "der(w) = noEvent(if time > 0.4 then 1 else -1);"),
    "sliding": ("", "der(w) = (if w > 0.12 then -1 else 1.5) + 0.5*sin(x1);"),
    "another index": ("Real p(start = 0.1, fixed = true), z;", "der(w) = -w; der(p) = z; 0 = if time < 0.4 then z - 1 else p - 0.5;"),
    "impulse": ("Real p(start = 0.1, fixed = true), z;", "der(w) = z; der(p) = z; 0 = if time < 0.43 then z - 1 else p - 0.2;"),
    "another index, and sliding": ("Real p(start = 0.1, fixed = true), z;",
        "der(w) = if w > 0.12 then -1 else 1.5; der(p) = z; 0 = if p < 0.43 then z - 1 else p - 0.43;"),
}  # fmt: skip


def run(pair, variables="", equations="", annotation="", stop=1, rtol=TOLERANCE):
    text = MODEL.format(variables=variables, equations=equations, annotation=annotation, **pair)
    arguments = ["run", "-", "--stop", stop, "--rtol", rtol, "--points", 11, "--stats", "--quiet"]
    return daedal.run(arguments, text)


class Modes(unittest.TestCase):
    def agree(self, *case, **options):
        found = []
        for pair in BENT, PLAIN:
            done = run(pair, *case, **options)
            self.assertEqual(done.code, 0, done.err)
            found.append((daedal.rows(done.out)[1], daedal.last_object(done.err)))
        (bent, told), (plain, _) = found
        self.assertIn("embedded in a larger system", str(told))
        self.assertEqual(told["index"], 3)
        for one, other in zip(bent, plain):
            for name, value in other.items():
                self.assertLess(abs(one[name] - value), AGREES, (one["time"], name))
        return bent

    def test_of_the_same_solution(self):
        for name, case in CASES.items():
            with self.subTest(name):
                self.agree(*case)

    def test_invariants_are_kept(self):
        """In all modes, to rounding."""
        for speed in "1", "(if time > 0.5 then 2 else 1)":
            with self.subTest(speed):
                case = ("Real p(start = 1, fixed = true), q(start = 0, fixed = true);",
                        f"der(w) = p - w; der(p) = q*{speed}; der(q) = -p*{speed};",
                        "annotation(__daedal(invariant = p^2 + q^2));\n")  # fmt: skip
                for row in self.agree(*case):
                    self.assertLess(abs(row["p"]**2 + row["q"]**2 - 1), 1e-14)

    def test_bent_equations_that_switch(self):
        """They may be others in another mode: refused, not wrong."""
        pair = dict(BENT, first=BENT["first"].replace("0.8", "(if time > 0.5 then 0.8 else 0.9)"))
        done = run(pair, equations="der(w) = -w;")
        self.assertNotEqual(done.code, 0)
        self.assertIn("the equations hide constraints that were not determined", done.err)


if __name__ == "__main__":
    unittest.main()
