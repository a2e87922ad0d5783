"""Random DAEs of index 0 to 4 whose equations are mixed by factors that vary, started from poor guesses.

Functions w of unknowns x with known courses are drawn, each one unknown plus functions of those
before it, so that w determines x everywhere. Blocks of them make up a system: der(w) + a w = s(t);
or, of index m, w1 = s(t), w2 + a der(w1) = s(t), ..., wm + a der(w(m-1)) = s(t). Its solution is
unique, but for initial equations of the first kind. The equations are then multiplied by unit
triangular matrices: L(t, x), whose entries vary and may be 0 at the guess or on the way, and
sometimes a constant one, by which equations seem to need divisions. None of this changes the index
or the solution, as the determinant is 1. Guesses are 0, or off by half.

Without arguments, some are tested. `deceived_mixed.py --seed 7 --count 100 [--unknowns 3]
[OPTION...]` runs so many, with these options of `daedal run`, and counts what becomes of them."""

import math
import pathlib
import random
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402
from deceived import Course, number, outcome  # noqa: E402


class Function:
    """A function of the unknowns: its text, and that of its derivative."""

    def __init__(self, name, before, draw):
        self.text, self.rate = name, f"der({name})"
        for x in before:
            if draw.random() < 0.4:
                size = number(draw.uniform(-1, 1))
                text, rate = draw.choice([
                    (x, f"der({x})"), (f"sin({x})", f"cos({x})*der({x})"),
                    (f"0.3*{x}^2", f"0.6*{x}*der({x})"), (f"atan({x})", f"der({x})/(1 + {x}^2)"),
                ])  # fmt: skip
                self.text, self.rate = f"({self.text} + {size}*{text})", f"({self.rate} + {size}*{rate})"


class Mixed:
    """What outcome() of deceived.py runs."""

    def __init__(self, seed, most):
        draw = self.draw = random.Random(f"{seed} mixed {most}")
        sizes = self.sizes(most)
        self.index, self.kind = max(sizes), "mixed"
        self.names = [f"x{i}" for i in range(sum(max(m, 1) for m in sizes))]
        self.course = {name: Course(draw) for name in self.names}
        order = draw.sample(self.names, len(self.names))
        self.w = [Function(name, order[:k], draw) for k, name in enumerate(order)]
        draw.shuffle(self.w)
        self.initial = []
        rows = [f"({row} - ({self.at_solution(row)}))" for m in sizes for row in self.block(m)]
        self.rows = self.mixed(rows)
        draw.shuffle(self.rows)
        self.start = {name: draw.choice([0, 0, self.course[name].value(0) * draw.uniform(0.5, 1.5)])
                      for name in self.names}  # fmt: skip

    def sizes(self, most):
        """The index of each block, 0 for an ordinary equation; with one block of a higher index."""
        sizes = [self.draw.choice([2, 2, 3] if most > 2 else [2])]
        while sum(max(m, 1) for m in sizes) < most and self.draw.random() < 0.6:
            m = self.draw.choice([0, 1, 2, 3, 4])
            if sum(max(k, 1) for k in sizes) + max(m, 1) <= most:
                sizes.append(m)
        return sizes

    def block(self, m):
        own = [self.w.pop() for _ in range(max(m, 1))]
        if m == 0:
            self.initial.append(f"{own[0].text} = {self.at_solution(own[0].text, 0)}")
            yield f"{own[0].rate} + {number(self.draw.uniform(0.2, 2))}*{own[0].text}"
        for k in range(m):
            slope = self.draw.choice(["1", "(-1)", "2", "(-0.5)"])
            yield own[k].text + (f" + {slope}*{own[k - 1].rate}" if k else "")

    def at_solution(self, row, t=None):
        row = re.sub(r"der\((\w+)\)", lambda m: self.course[m.group(1)].slope, row)
        row = re.sub(r"\bx\d\b", lambda m: self.course[m.group()].text, row)
        return row if t is None else row.replace("time", repr(float(t)))

    def factor(self):
        x = self.draw.choice(self.names)
        return self.draw.choice([f"sin({x})", f"(sin(time) + {number(self.draw.uniform(-1, 1))})",
                                 f"cos({x})", "time", f"sin({x})"])  # fmt: skip

    def mixed(self, rows):
        draw = self.draw
        order = draw.sample(range(len(rows)), len(rows))
        lower, upper = rows[:], rows[:]
        for k, i in enumerate(order):
            for j in order[:k]:
                if draw.random() < 0.5:
                    lower[i] = f"({lower[i]} + {self.factor()}*{rows[j]})"
        upper = lower[:]
        if draw.random() < 0.6:
            for k, i in enumerate(order):
                for j in order[k + 1 :]:
                    if draw.random() < 0.4:
                        upper[i] = f"({upper[i]} {draw.choice('+-')} {lower[j]})"
        return upper

    def text(self):
        unknowns = "".join(f"  Real {n}(start = {self.start[n]!r});\n" for n in self.names)
        initial = "".join(f"  {row};\n" for row in self.initial)
        initial = f"initial equation\n{initial}" if initial else ""
        equations = "".join(f"  0 = {row};\n" for row in self.rows)
        return f"model Mixed\n{unknowns}{initial}equation\n{equations}end Mixed;\n"

    def value(self, name, t):
        return self.course[name].value(t)


SHORT = """model Short
  Real x0, x1, x2(start = 1);
equation
  0 = x2 + der(x1) - 1;
  0 = x1 + 2*der(x0) - exp(-time) - 2 - (x0 - time + sin(x1)*(x1 + 2*der(x0) - exp(-time) - 2));
  0 = x0 - time + sin(x1)*(x1 + 2*der(x0) - exp(-time) - 2);
end Short;
"""


class TheStructureMisleads(unittest.TestCase):
    def are_right(self, cases):
        with tempfile.TemporaryDirectory() as folder:
            for most, seed in cases:
                with self.subTest(most=most, seed=seed):
                    system = Mixed(seed, most)
                    what, _, said = outcome(system, folder)
                    self.assertEqual(what, "right", said + system.text())

    def test_drawn(self):
        for most, count in (2, 40), (3, 40), (4, 40):
            self.are_right((most, seed) for seed in range(1, 1 + daedal.of_grid(count, 15, 5)))

    def test_factors_that_hide_equations(self):
        """Elimination of highest derivatives alone finds no combination, or no start."""
        self.are_right([(2, 158), (2, 207), (2, 215), (3, 101), (3, 102), (3, 126), (3, 195), (4, 38)])

    def test_a_factor_that_is_0_at_the_guess(self):
        """The second equation and the third one give x1 + 2 der(x0) = exp(-time) + 2 and x0 = time."""
        done = daedal.run(["run", "-", "--stop", "1", "--points", "2"], stdin=SHORT)
        self.assertEqual(done.code, 0, done.err)
        for row in daedal.rows(done.out)[1]:
            t = row["time"]
            for name, value in ("x0", t), ("x1", math.exp(-t)), ("x2", 1 + math.exp(-t)):
                self.assertAlmostEqual(row[name], value, delta=1e-6)


def count(arguments, options):
    counts = dict.fromkeys(["right", "refused", "stopped", "wrong"], 0)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            system = Mixed(seed, arguments.unknowns)
            what, _, said = outcome(system, folder, *options)
            counts[what] += 1
            if what != "right":
                print(f"{what}: seed {seed}, index {system.index}: {' '.join(said.split())[:200]}", flush=True)
    print(arguments.unknowns, "unknowns at most:", counts)


if __name__ == "__main__":
    by_seed.main_of_kinds(count, 100, unknowns=4)
