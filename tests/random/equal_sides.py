"""Algebraic equations that switch by relations whose two sides a branch may make equal, as in

    y = if y > x then x else 2*x,

which no y meets: y = x makes y > x false. Coefficients are few and simple, so that sides are often equal. For given values
of the relations the equations are linear, and exact fractions tell which of these values are those of a solution: one is to
be found where there is one, and where there is none, that is to be said. Some change at time = 0.5.

Without arguments, some are tested. `equal_sides.py --seed 7 --count 300` judges so many models and prints those that are
wrong, and those of which no solution was found though there is one."""

import itertools
import pathlib
import random
import sys
import unittest
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

COMPARED = {">": lambda v: v > 0, ">=": lambda v: v >= 0, "<": lambda v: v < 0, "<=": lambda v: v <= 0}
RIGHT = ("right", "none", "none later", "singular")


def solve(rows):
    """The solution of linear equations by fractions, each row with its right-hand side; None: it is not unique."""
    rows = [list(row) for row in rows]
    for i in range(len(rows)):
        pivot = next((k for k in range(i, len(rows)) if rows[k][i] != 0), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value/rows[i][i] for value in rows[i]]
        for k in range(len(rows)):
            if k != i:
                rows[k] = [a - rows[k][i]*b for a, b in zip(rows[k], rows[i])]
    return [row[-1] for row in rows]


class Model:
    """y[i] = if left > right then one else other. Each side is a sum over the y, x and a number."""

    def __init__(self, seed):
        draw = self.draw = random.Random(f"equal sides {seed}")
        self.n = draw.choice((1, 1, 2, 2, 3))
        self.x = draw.choice((1, 2, 3, Fraction(1, 2), -1))
        self.before, self.after = self.equations(), None
        if draw.random() < 0.4:
            self.after = [dict(e, one=self.side(i, False)) for i, e in enumerate(self.before)]
        self.named = draw.random() < 0.5

    def side(self, i, own):
        """Coefficients of y[1], ..., x and 1; own: one of y[i]."""
        some = [0]*(self.n + 2)
        for _ in range(self.draw.choice((1, 1, 2))):
            at = self.draw.choice([k for k in range(self.n + 2) if k != i])
            some[at] = self.draw.choice((1, 1, 2, -1, 3, Fraction(1, 2)))
        if own:
            some[i] = 1
        return some

    def equations(self):
        equations = []
        for i in range(self.n):
            left, right = [0]*(self.n + 2), self.side(i, False)
            left[i] = 1
            one = right if self.draw.random() < 0.4 else self.side(i, False)
            other = [self.draw.choice((2, 3, Fraction(1, 2)))*v for v in one]
            if self.draw.random() < 0.5:
                other = self.side(i, False)
            equations.append({"left": left, "right": right, "op": self.draw.choice(list(COMPARED)),
                              "one": one, "other": other})  # fmt: skip
        return equations

    def written(self, side):
        names = [f"y[{i + 1}]" for i in range(self.n)] + ["x", "1"]
        terms = [f"({v})*{name}" if v != 1 else name for v, name in zip(side, names) if v != 0]
        return " + ".join(terms) or "0"

    def text(self):
        lines = [f"model M Real x(start = {self.x}, fixed = true), y[{self.n}]; Boolean b[{self.n}];", "equation",
                 "der(x) = 0;"]  # fmt: skip
        for i, e in enumerate(self.before):
            relation = f"{self.written(e['left'])} {e['op']} {self.written(e['right'])}"
            one = self.written(e["one"])
            if self.after:
                one = f"(if time < 0.5 then {one} else {self.written(self.after[i]['one'])})"
            lines.append(f"b[{i + 1}] = {relation};")
            lines.append(f"y[{i + 1}] = if {f'b[{i + 1}]' if self.named else relation} then {one} "
                         f"else {self.written(e['other'])};")  # fmt: skip
        return "\n".join(lines) + "\nend M;\n"

    def solutions(self, equations):
        """All of them; None: in some modes the equations have none, or many."""
        found = []
        for values in itertools.product((False, True), repeat=self.n):
            rows = []
            for i, (e, b) in enumerate(zip(equations, values)):
                side = e["one" if b else "other"]
                rows.append([Fraction(i == j) - side[j] for j in range(self.n)] + [side[self.n]*self.x + side[-1]])
            y = solve(rows)
            if y is None:
                return None
            at = [*y, self.x, 1]
            off = [sum((p - q)*v for p, q, v in zip(e["left"], e["right"], at)) for e in equations]
            if all(COMPARED[e["op"]](v) == b for e, v, b in zip(equations, off, values)):
                found.append((y, values))
        return found


def is_one(row, solutions, n):
    return any(all(abs(row[f"y[{i + 1}]"] - y[i]) <= 1e-9*(1 + abs(y[i])) and row[f"b[{i + 1}]"] == b[i] for i in range(n))
               for y, b in solutions)  # fmt: skip


def judge(seed):
    """One of RIGHT, 'not found' where there are solutions, or what is wrong."""
    model = Model(seed)
    first = model.solutions(model.before)
    later = model.solutions(model.after) if model.after else first
    if first is None or later is None:
        return "singular"
    done = daedal.run(["run", "-", "--stop=1", "--points=3", "--quiet"], model.text())
    rows = daedal.rows(done.out)[1]
    if done.code not in (0, 1, 3):
        return f"status {done.code}: {done.err}"
    if rows and not is_one(rows[0], first, model.n):
        return f"{rows[0]} at the start, not one of {first}"
    if done.code != 0 and "remedy" not in done.err:
        return f"no remedy: {done.err}"
    if not rows:
        return "not found" if first else "none"
    if done.code != 0:
        return "not found later" if later else "none later"
    return "right" if is_one(rows[-1], later, model.n) else f"{rows[-1]} at the end, not one of {later}"


FROM_OTHER_STATE = """model M
  Real x(start = 1.5), y(start = 1.6);
  Boolean b = y > x;
initial equation
  x + y = 3;
equation
  der(x) = 0;
  y = if y > x then x else x - 1;
end M;
"""

FREEWHEEL = """model Shafts
  import Daedal.Rotational.*;
  Inertia J0(J = 1, phi(start = 0, fixed = true), w(start = 2, fixed = true));
  Inertia J1(J = 2, phi(start = 0, fixed = true), w(start = -5, fixed = true));
  Inertia J2(J = 2, phi(start = 0, fixed = true), w(start = -5, fixed = true));
  BearingFriction B0(tau_slip = 1, d = 0), B1(tau_slip = 3, d = 0);
  ConstantTorque T1(tau_constant = -5);
  Clutch E0(tau_max = 1);
  Daedal.Blocks.Constant P0(k = 1);
  OneWayClutch E1;
equation
  connect(B0.flange_a, J0.flange_a);
  connect(B1.flange_a, J1.flange_a);
  connect(T1.flange, J1.flange_a);
  connect(P0.y, E0.u);
  connect(J0.flange_b, E0.flange_a);
  connect(E0.flange_b, J1.flange_a);
  connect(J1.flange_b, E1.flange_a);
  connect(E1.flange_b, J2.flange_a);
end Shafts;
"""


class EqualSides(unittest.TestCase):
    def test_a_start_with_other_states_is_found(self):
        done = daedal.run(["run", "-", "--stop=1", "--points=2", "--quiet"], FROM_OTHER_STATE)
        self.assertEqual(done.code, 0, done.err)
        row = daedal.rows(done.out)[1][0]
        self.assertAlmostEqual(row["x"], 2)
        self.assertAlmostEqual(row["y"], 1)
        self.assertEqual(row["b"], 0)

    def test_both_modes_of_a_freewheel_at_rest_are_solutions(self):
        done = daedal.run(["init", "-"], FREEWHEEL)
        self.assertEqual(done.code, 0, done.err)

    def test_equal_sides_decide(self):
        models = daedal.of_grid(400, 90, 24)
        found = by_seed.judge_all(judge, range(models))
        self.assertEqual({said: seeds for said, seeds in found.items() if said not in RIGHT}, {})
        for said in RIGHT[:3]:
            self.assertGreater(len(found.get(said, [])), models / 60)


def count(seed, models):
    by_seed.print_judged(by_seed.judge_all(judge, range(seed, seed + models)))


if __name__ == "__main__":
    by_seed.main(count)
