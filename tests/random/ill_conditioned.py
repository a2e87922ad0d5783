"""Linear equations at the start that nearly depend on each other, or that do.

A system of up to 6 equations is drawn, of which the last is a sum of multiples of the others but for
one part in 1 to 1e13, with rows and columns in units of 1e-8 to 1e8, with and without nominal
values, and with a state beside it. Up to 1 in 1e7 an unknown may enter by y + y^3, where what
rounding moves bends nothing yet. Its solution is known by rational arithmetic, and so is how far
rounding of the coefficients moves it (Skeel, J. ACM 26 (1979)). Where that is less than one part in
1000, the solution is to be found, and the equations are to be met to rounding of their terms; and a
run beside a state is to keep it. Where the last row is a sum of whole multiples of the others, the
model is to be refused because its equations depend on each other, and told whether they contradict
each other.

Without arguments, some are tested. `ill_conditioned.py --seed 7 --count 1000` judges so many models and
prints those that are wrong."""

import json
import math
import pathlib
import random
import sys
import unittest
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

ROUNDING = 2.0 ** -52
MET = 1e-12  # of the terms of an equation
RTOL = 1e-6  # of a run
METHODS = ["auto", "radau", "radau-iia5", "bdf", "mebdf", "rodas4", "esdirk4", "gauss3"]
FAR = 1e-3  # of what a solution that rounding moves so far nothing is asserted


def inverse(matrix):
    """The inverse by rational arithmetic; None: there is none."""
    n = len(matrix)
    rows = [list(map(Fraction, row)) + [Fraction(i == k) for k in range(n)] for i, row in enumerate(matrix)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if rows[pivot][k] == 0:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [row[n:] for row in rows]


def draw(number):
    """A matrix, sizes of its columns, the right side, whether its rows depend (None, "follows" or "contradict"), and
    whether an unknown may enter by a cubic."""
    at = random.Random(number)
    n = at.choice([2, 2, 3, 4, 6])
    depends = at.choice([None, None, None, None, "follows", "contradict"])
    units = at.choice(["none", "rows", "columns", "both"])
    near = 10 ** at.uniform(0, 13)
    rows = [[at.gauss(0, 1) for _ in range(n)] for _ in range(n)]
    if depends:
        rows = [[float(at.randint(-9, 9) or 1) for _ in range(n)] for _ in range(n)]
        factor = [at.choice([-3, -2, -1, 1, 2, 3]) for _ in range(n - 1)]
        rows[-1] = [sum(f * row[j] for f, row in zip(factor, rows)) for j in range(n)]
    else:
        factor = [at.gauss(0, 1) for _ in range(n - 1)]
        rows[-1] = [sum(f * row[j] for f, row in zip(factor, rows)) + at.gauss(0, 1) / near for j in range(n)]
    # powers of 2 keep what depends exactly
    row = [2.0 ** at.randint(-26, 26) if units in ("rows", "both") else 1.0 for _ in range(n)]
    column = [2.0 ** at.randint(-26, 26) if units in ("columns", "both") else 1.0 for _ in range(n)]
    true = [at.randint(-9, 9) if depends else at.gauss(0, 1) for _ in range(n)]
    right = [float(sum(Fraction(a) * Fraction(x) for a, x in zip(line, true))) for line in rows]
    if depends == "contradict":
        right[-1] += 1 + max(map(abs, right))
    matrix = [[a * row[i] / column[j] for j, a in enumerate(line)] for i, line in enumerate(rows)]
    return at, matrix, column, [b * row[i] for i, b in enumerate(right)], depends, near < 1e7


def write(at, matrix, column, right, bends):
    """The model; `bends`: an unknown may enter by a cubic."""
    n = len(right)
    nominal = "(nominal = {" + ", ".join(f"{c:.3g}" for c in column) + "})" if at.random() < 0.5 else ""
    cubic, state = bends and at.random() < 0.5, at.random() < 0.5
    lines = ["model L", f"  Real x[{n}]{nominal};"]
    lines += ["  Real y;"] * cubic + ["  Real w(start = 1, fixed = true);"] * state + ["equation"]
    for line, b in zip(matrix, right):
        lines.append("  " + " + ".join(f"({a!r})*x[{j + 1}]" for j, a in enumerate(line)) + f" = {b!r};")
    lines += [f"  x[1] = y + y^3/({column[0] ** 2!r});"] * cubic + ["  der(w) = -w;"] * state
    return "\n".join(lines + ["end L;", ""])


def solve(matrix, column, right):
    """The exact solution and how far rounding moves it; None: so far that nothing is asserted of it."""
    back = inverse(matrix)
    if back is None:
        return None
    n = len(right)
    exact = [sum(back[i][j] * Fraction(right[j]) for j in range(n)) for i in range(n)]
    term = [max([abs(Fraction(right[i]))] + [abs(Fraction(a) * x) for a, x in zip(matrix[i], exact)]) for i in range(n)]
    moved = [float(sum(abs(back[i][j]) * term[j] for j in range(n))) * n * ROUNDING / column[i] for i in range(n)]
    known = max(moved) <= FAR * max(float(abs(x)) / c for x, c in zip(exact, column))
    return (exact, moved) if known else None


def judge_start(matrix, column, right, solution, found):
    """What is wrong with a start of regular equations."""
    (exact, moved), n = solution, len(right)
    if found.code != 0:
        return f"refused: {found.err}"
    values = json.loads(found.out)["values"]
    x = [Fraction(values[f"x[{i + 1}]"]) for i in range(n)]
    for i in range(n):
        terms = [Fraction(a) * v for a, v in zip(matrix[i], x)]
        if abs(sum(terms) - Fraction(right[i])) > Fraction(MET) * max(map(abs, terms)):
            return f"equation {i + 1} is missed by {float(sum(terms) - Fraction(right[i]))}"
        if float(abs(x[i] - exact[i])) / column[i] > 8 * max(moved):
            return f"x[{i + 1}] = {float(x[i])!r} instead of {float(exact[i])!r}"
    return ""


def judge_run(text, column, solution, method):
    """What is wrong with a run beside a state, in which nothing moves the unknowns but rounding."""
    exact, moved = solution
    run = daedal.run(["run", "-", "--quiet", "--points=3", "--method", method], text)
    if run.code != 0:
        return f"stopped: {run.err}"
    names, *rows = (line.split(",") for line in run.out.splitlines())
    for row in rows:
        at = dict(zip(names, map(float, row)))
        if abs(at["w"] - math.exp(-at["time"])) > 1e-5:
            return f"w = {at['w']} at {at['time']}"
        for i, x in enumerate(exact):
            off = float(abs(Fraction(at[f"x[{i + 1}]"]) - x)) / column[i]
            tolerance = RTOL * max(float(abs(x)) / column[i], 1)
            if off > 100 * tolerance and "round-off" not in run.err:
                return f"x[{i + 1}] is off by {off / tolerance} tolerances, and no note says so"
            if off > 8 * max(moved) + tolerance:
                return f"x[{i + 1}] = {at[f'x[{i + 1}]']!r} instead of {float(x)!r} at {at['time']}"
    return ""


def judge(number):
    """A model and what is wrong with it; None: nothing is asserted of it."""
    at, matrix, column, right, depends, bends = draw(number)
    text = write(at, matrix, column, right, bends)
    found = daedal.run(["init", "--json", "-"], text)
    if not depends:
        solution = solve(matrix, column, right)
        if not solution:
            return None
        said = judge_start(matrix, column, right, solution, found)
        return text, said or ("der(w)" in text and judge_run(text, column, solution, at.choice(METHODS))) or ""
    if found.code != 3 or "depend on each other" not in found.err:
        return text, f"{depends}: {found.err or found.out}"
    told = "contradict each other" in found.err
    return text, "" if told == (depends == "contradict") else f"{depends}: {found.err}"


def judge_regular(number):
    """Beyond what rounding tells apart a regular model may be refused, but nothing in it contradicts."""
    at, matrix, column, _, depends, _ = draw(number)
    n, factor = len(column), [at.gauss(0, 1) for _ in column[1:]]
    far = 10 ** at.uniform(13, 16)
    last = [sum(f * row[j] for f, row in zip(factor, matrix)) for j in range(n)]
    matrix[-1] = [x + at.gauss(0, 1) / far * max(abs(row[j]) for row in matrix) for j, x in enumerate(last)]
    if depends or inverse(matrix) is None:
        return None
    true = [at.gauss(0, 1) * c for c in column]
    right = [float(sum(Fraction(a) * Fraction(x) for a, x in zip(line, true))) for line in matrix]
    text = write(at, matrix, column, right, False)
    found = daedal.run(["init", "-"], text)
    return text, found.err if "contradict each other" in found.err else ""


class IllConditioned(unittest.TestCase):
    def test_some(self):
        by_seed.all_right(self, judge, range(3000, daedal.of_grid(3200, 3120, 3060)), 30)

    def test_what_is_regular_does_not_contradict(self):
        by_seed.all_right(self, judge_regular, range(3000, daedal.of_grid(3150, 3090, 3045)), 14)


if __name__ == "__main__":
    by_seed.main(lambda seed, models: by_seed.count_wrong(judge, seed, models))
