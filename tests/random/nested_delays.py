"""Delays within delays, and within what flows carry: written in one expression, and with a variable
for each thing that is delayed. Both have the same solution.

Without arguments, some are tested. `nested_delays.py --seed 7 --count 300` judges so many models and
prints those that are wrong."""

import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

METHODS = ("auto", "auto", "auto", "radau-iia5", "bdf", "rodas5p", "esdirk4")
STOP, ROWS, RTOL = 2, 9, 1e-8
ALLOWED = 2e-5  # of values of about 1; a wrong value before the start counts for some tenths
THRESHOLD = 0.45
LEAVES = ("x", "y", "cos(time)", "a", "max(y, 0.3)", "(if x > 0.2 then x else 0.2)")


class Nest:
    def __init__(self, seed):
        self.draw = random.Random(f"nest {seed}")
        self.variables = []
        self.method = self.draw.choice(METHODS)
        nests = [self.delayed(self.draw.randint(1, 4)) for _ in range(3)]
        self.direct = self.text([direct for direct, _ in nests], [])
        self.through = self.text([through for _, through in nests], self.variables)

    def text(self, nests, variables):
        first, second, third = nests
        declared = "".join(f"  Real {name};\n" for name, _ in variables)
        equations = "".join(f"  {name} = {value};\n" for name, value in variables)
        return (f"model M\n  Real x(start = 1, fixed = true), y(start = 0.7, fixed = true), w(start = 0.4, fixed = true), a, b;\n"
                f"  Boolean above;\n  Integer n(start = 0, fixed = true);\n{declared}equation\n{equations}"
                f"  der(x) = -x - {first};\n  der(y) = x - {second};\n  der(w) = -1 - 0.2*sin(3*time);\n  a = 1.5 - x^2;\n"
                f"  b = {third};\n  above = b > {THRESHOLD};\n  when above then n = pre(n) + 1; end when;\nend M;\n")  # fmt: skip

    def around(self, inner):
        """A random expression around two texts of the same."""
        form = self.draw.choice(("%s", "%s", "sin(%s)", "0.6*%s", "(%s + 0.3*{})", "({} - %s)", "%s^2", "0.5*%s*{}"))
        form = form.format(self.draw.choice(LEAVES))
        return tuple(form % text for text in inner)

    def delayed(self, depth):
        """A delay of such depth, direct and through variables."""
        if depth == 0:
            leaf = self.draw.choice(LEAVES)
            return leaf, leaf
        value = self.around(self.delayed(depth - 1))
        name, lag = f"v{len(self.variables)}", self.draw.choice((0.1, 0.2, 0.25, 0.37, 0.6))
        self.variables.append((name, value[1]))
        form = self.draw.choice(("delay({}, %r)" % lag, "delay({}, %r)" % lag,
                                 "delay({}, %r*(1.2 + sin(3*time)), %r)" % (lag, 2.3*lag),
                                 "spatialDistribution(0, {}, w, sin(time) > 2, {{0, 1}}, {{0.3, %r}})" % lag))  # fmt: skip
        return form.format(value[0]), form.format(name)


def rows(text, method):
    done = daedal.run(["run", "-", f"--stop={STOP}", f"--points={ROWS}", f"--rtol={RTOL}", f"--atol={RTOL}", "--vars=x,y,b,above,n",
                       f"--method={method}", "--quiet"], text)  # fmt: skip
    return daedal.rows(done.out)[1] if done.code == 0 else done.err.strip()


def judge(seed):
    """A model, and what is wrong with it; '' if nothing is."""
    n = Nest(seed)
    direct, through = rows(n.direct, n.method), rows(n.through, n.method)
    told = next((found for found in (direct, through) if isinstance(found, str)), "")
    for a, b in zip(direct, through) if not told else ():
        apart = max(abs(a[name] - b[name]) for name in ("x", "y", "b"))
        beside = abs(b["b"] - THRESHOLD) < ALLOWED  # it may have passed there, or not yet
        if not apart < ALLOWED or (not beside and (a["above"], a["n"]) != (b["above"], b["n"])):
            told = told or f"{n.method}: {a} and not {b}"
    return n.direct + n.through, told


class NestedDelays(unittest.TestCase):
    def test_a_delay_in_a_delay_is_that_of_a_variable(self):
        """The last two: steps that only what is delayed sees a breaking point in, and reaches into itself in."""
        by_seed.all_right(self, judge, [*range(daedal.of_grid(24, 10, 5)), 5056, 7026], 5)


if __name__ == "__main__":
    by_seed.main(lambda seed, models: by_seed.count_wrong(judge, seed, models))
