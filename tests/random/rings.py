"""Starts of rings of equal cells, of few and of many: the answer does not depend on how many.

A cell is drawn of one of CELLS; [i], [p] and [q] stand for itself and its neighbours. Where the start
is unique, all cells of a ring have the same values, whatever their number: the status and the values
of a ring of 4, whose system is decomposed, must be those of a ring of 200, where elimination finds
what rows depend on others. Steady starts, conditions that are missing, too many or contradict,
conflicts of states, constraints of index 2 and 3, and hidden sums are among them.

Without arguments, some are tested. `rings.py --seed 7 --count 300` judges so many models and prints
those that differ."""

import json
import pathlib
import random
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

FEW, MANY = 4, 200
ROUNDING = 1e-7


class Cell:
    def __init__(self, draw):
        self.draw = draw
        self.declared, self.equations, self.initial = [], [], []

    def number(self):
        return f"{self.draw.uniform(0.3, 2.5):.2f}"

    def variable(self, name, start=True, fixed=False):
        given = f"(each start = {self.draw.uniform(-2, 2):.1f}{', each fixed = true' if fixed else ''})"
        self.declared.append(f"Real {name}[n]{given if start else ''};")

    def coupled(self, name):
        return f"{self.number()}*({name}[p] - 2*{name}[i] + {name}[q])"

    def bent(self, term):
        return self.draw.choice(["{}", "sin({})", "{0}^2/(1 + {0}^2)", "tanh({})"]).format(term)

    def text(self, n):
        def lines(equations):
            loop = "".join(f"  {e};\n" for e in equations)
            return loop.replace("[p]", "[mod(i - 2, n) + 1]").replace("[q]", "[mod(i, n) + 1]")

        initial = f"initial equation for i in 1:n loop\n{lines(self.initial)}end for;\n" if self.initial else ""
        return (f"model M parameter Integer n = {n};\n" + "\n".join(self.declared) + "\nequation for i in 1:n loop\n"
                f"{lines(self.equations)}end for;\n{initial}end M;\n")  # fmt: skip


def semi_explicit(c):
    c.variable("x", fixed=c.draw.random() < 0.5)
    c.variable("y")
    c.variable("z", start=False)
    c.equations = [f"der(x[i]) = -{c.number()}*{c.bent('x[i]')} + y[i]",
                   f"y[i] + {c.number()}*y[i]^3 = x[i] + 0.3*(y[p] - y[i]) + {c.number()}",
                   f"z[i] = {c.bent('y[i]')} + {c.coupled('x')}"]  # fmt: skip


def index_2(c):
    for name in "xyl":
        c.variable(name, start=name != "l")
    c.equations = [f"der(x[i]) = -{c.number()}*{c.bent('x[i]')} + l[i] + {c.coupled('x')}",
                   f"der(y[i]) = -y[i] + {c.number()}*l[i] + {c.coupled('y')}",
                   f"x[i] + {c.number()}*y[i] = {c.number()}*sin(time + 1)"]  # fmt: skip


def index_3(c):
    for name in "xyuvl":
        c.variable(name, start=name != "l")
    c.equations = ["der(x[i]) = u[i]", "der(y[i]) = v[i]",
                   f"der(u[i]) = -{c.number()}*x[i] + l[i] + {c.coupled('x')}",
                   f"der(v[i]) = -{c.number()}*y[i] + {c.number()}*l[i] - 0.1*v[i]",
                   f"x[i] + {c.number()}*y[i] = {c.number()}*cos(time)"]  # fmt: skip


def steady(c):
    c.variable("x")
    c.variable("y")
    c.equations = [f"der(x[i]) = {c.number()} - {c.number()}*x[i] - 0.2*x[i]^3 + y[i] + {c.coupled('x')}",
                   f"der(y[i]) = {c.number()}*x[i]/(1 + x[i]^2) - y[i]"]  # fmt: skip
    c.initial = ["der(x[i]) = 0", "der(y[i]) = 0"]


def conditions(c):
    """Some are missing, or too many, or contradict."""
    c.variable("x")
    c.variable("y")
    c.equations = [f"der(x[i]) = -{c.number()}*x[i] + y[i]", f"der(y[i]) = -{c.number()}*y[i] + {c.coupled('y')}"]
    one, other = c.number(), c.number()
    c.initial = c.draw.choice([["x[i] = x[q]", f"y[i] = {one}*x[i]"], [f"x[i] + y[q] = {one}"],
                               ["x[i] = x[q]", f"y[i] = {one}*x[i]", f"x[i] = {other}"],
                               [f"x[i] = {one}", f"y[i] = {one}", f"x[i] + y[i] = {other}"]])  # fmt: skip


def conflict(c):
    for name in "xyzcd":
        c.variable(name, start=name in "xyz")
    c.equations = ["der(x[i]) = c[i]", f"{c.number()}*der(y[i]) = d[i]", f"x[i] = {c.number()}*y[i]",
                   f"c[i] + d[i] = {c.number()}*(z[i] - x[i])",
                   f"der(z[i]) = -{c.number()}*(z[i] - x[i]) + {c.coupled('z')} + sin(time)"]  # fmt: skip


def fixed_conflict(c):
    c.variable("x", fixed=True)
    c.variable("y", fixed=True)
    c.variable("c", start=False)
    c.equations = ["der(x[i]) = c[i]", f"der(y[i]) = {c.number()}*c[i] - y[i] + {c.coupled('y')}",
                   f"x[i] = {c.number()}*y[i]"]  # fmt: skip


def hidden_sum(c):
    c.variable("x")
    c.variable("y")
    factor = c.number()
    c.equations = [f"der(x[i]) + {factor}*der(y[i]) = -{c.number()}*x[i] + sin(time) + {c.coupled('x')}",
                   f"{c.number()}*(x[i] + {factor}*y[i]) + {c.draw.choice(['0', '0.1*(x[p] - x[i])'])} = cos(time)"]


def square(c):
    """Conditions with several roots: the same one must be the nearest among few and many."""
    c.variable("x")
    c.variable("y", start=c.draw.random() < 0.6)
    factor = c.draw.uniform(-0.3, 0.3)
    beside = f"({factor:.2f})*({{0}}[p] - 2*{{0}}[i] + {{0}}[q])".format(c.draw.choice("xy"))
    c.equations = c.draw.choice([[f"der(x[i]) = {beside} - x[i]", f"y[i] = {c.number()}*x[i] + 0.2*sin(y[i])"],
                                 ["der(x[i]) = -y[i]", f"y[i] + {c.number()}*y[i]^3 = x[i] + {beside}"],
                                 [f"der(x[i]) = {beside} - y[i]", "der(y[i]) = x[i]"]])  # fmt: skip
    root = c.draw.choice(["x[i]^2", "x[i]^2 + {0}*x[i]", "x[i]*y[i]", "x[i]^2 + y[i]^2", "(x[i] - {0})^2"])
    c.initial = [f"{root.format(c.number())} {c.draw.choice(['', '+ ' + beside])} = {c.number()}"]
    if "der(y[i]) = x[i]" in c.equations:
        c.initial.append(f"y[i] = {c.draw.uniform(-1, 1):.2f}*x[i]".replace("= -", "= (-1)*"))


CELLS = (semi_explicit, index_2, index_3, steady, conditions, conflict, fixed_conflict, hidden_sum, square)


def draw_cell(seed):
    draw = random.Random(f"ring {seed}")
    cell = Cell(draw)
    CELLS[seed % len(CELLS)](cell)
    return cell


def start(cell, n):
    done = daedal.run(["init", "-", "--json"], cell.text(n))
    return done.code, json.loads(done.out).get("values", {}) if done.code == 0 else {}, done.err


def difference(cell):
    """What differs; '' if nothing does."""
    few, many = start(cell, FEW), start(cell, MANY)
    if few[0] != many[0]:
        return f"status {few[0]} and {many[0]}: {few[2]}{many[2]}"
    told = [re.search(r"(\d+) start conditions? (are|is) missing", answer[2]) for answer in (few, many)]
    missing = [int(found.group(1))/n if found else 0 for found, n in zip(told, (FEW, MANY))]
    if few[0] == 0 and round(missing[0]) != round(missing[1]):
        return f"conditions are missing: {few[2]}{many[2]}"
    for name, value in many[1].items():
        wanted = few[1].get(re.sub(r"\d+", "1", name))
        if wanted is not None and abs(value - wanted) > ROUNDING*(1 + abs(wanted)):
            return f"{name} is {value}, among few {wanted}"
    return ""


class Rings(unittest.TestCase):
    def test_few_and_many(self):
        for seed in range(0, 2*len(CELLS), daedal.of_grid(1, 3, 5)):
            with self.subTest(seed=seed):
                cell = draw_cell(seed)
                self.assertEqual(difference(cell), "", cell.text(FEW))


def count(seed, models):
    different = 0
    for number in range(seed, seed + models):
        found = difference(draw_cell(number))
        different += found != ""
        if found:
            print(f"{number}: {found}\n{draw_cell(number).text(FEW)}", flush=True)
    print(f"{models} models, {different} differ")


if __name__ == "__main__":
    by_seed.main(count)
