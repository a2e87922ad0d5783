"""Equations with one unknown and several roots: of these the start takes the nearest to the guess.

The roots are known: those of a sine, of a product of factors and of an exponential beside a line. The
guess is drawn, so that some are beside an extremum, from where Newton's iteration leads far away. The
unknown may be named twice, moved, enter by a multiple of itself, or be one of two whose sum others follow
from. Asserted is the nearest root, where it is nearer than the next by a part of the scale, and no other
is next to it.

Without arguments, some are tested. `nearest.py --seed 7 --count 1000` judges so many models and prints
those that are wrong."""

import json
import math
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

ROUNDING = 1e-6
APART, SINGLE = 0.02, 1e-3  # distances of the two nearest roots from the guess, and of two roots, in scales


class Function:
    """A function of {x}, its roots, a guess, and its scale."""

    def __init__(self, text, roots, guess, scale=1.0):
        self.text, self.roots, self.guess, self.scale = text, roots, guess, scale
        self.nearest = min(roots, key=lambda root: abs(root - guess))

    def is_clear(self):
        ways = sorted(abs(root - self.guess) for root in self.roots)
        beside = [abs(root - self.nearest) for root in self.roots if root != self.nearest]
        return ways[1] - ways[0] > APART * self.scale and min(beside) > SINGLE * self.scale

    def at(self, x):
        return self.text.format(x=x)

    def declared(self, name):
        nominal = f", nominal = {5 * self.scale:.3g}" if self.scale != 1 else ""
        return f"Real {name}(start = {self.guess!r}{nominal});"

    def wrong(self, name, found):
        off = abs(found - self.nearest) > ROUNDING * max(self.scale, abs(self.nearest))
        return f"{name} = {found!r} instead of {self.nearest!r} from {self.guess!r}" if off else ""


def sine(at):
    a, c = at.uniform(0.5, 3), at.uniform(-0.9, 0.9)
    roots = [(part + 2 * math.pi * turn) / a for turn in range(-40, 41) for part in (math.asin(c), math.pi - math.asin(c))]
    return Function(f"sin({a!r}*{{x}}) - ({c!r})", roots, at.uniform(-20, 20))


def product(at):
    scale = 10 ** at.uniform(-3, 3) if at.random() < 0.4 else 1.0
    roots = [at.uniform(-10, 10) * scale for _ in range(at.choice([2, 3, 4, 5]))]
    text = "*".join(f"({{x}}/{scale!r} - ({root / scale!r}))" for root in roots)
    return Function(text, roots, at.uniform(-12, 12) * scale, scale)


def exponential(at):
    """exp(a u) = 1 + b u at u = 0 and once more, at the other side of where the slopes are the same."""
    a, b, m = at.uniform(0.3, 2), at.uniform(0.1, 5), at.uniform(-5, 5)
    low = math.log(b / a) / a
    high = low + (60 if b > a else -200)
    above = math.exp(a * high) - 1 - b * high > 0
    for _ in range(200):
        middle = (low + high) / 2
        if (math.exp(a * middle) - 1 - b * middle > 0) == above:
            high = middle
        else:
            low = middle
    u = f"({{x}} - ({m!r}))"
    return Function(f"exp({a!r}*{u}) - 1 - {b!r}*{u}", [m, m + low], at.uniform(-10, 10))


def draw(at):
    """A model, and the functions by the names of their unknowns."""
    f = at.choice([sine, sine, product, exponential])(at)
    by_name, declared = {"x": f}, f.declared("x")
    form = at.choice(["alone", "alone", "named", "moved", "multiple", "beside"])
    state = at.random() < 0.3
    factor = at.uniform(0.5, 2)
    if form == "alone":
        equations = [f"{f.at('x')} = 0;"]
    elif form == "named":
        declared += " Real y;"
        equations = [f"y = {f.at('x')};", "y = 0;"]
    elif form == "moved":
        way = at.uniform(-3, 3) * f.scale
        declared += " Real v;"
        equations = [f"v = x + ({way!r});", f"{f.at(f'(v - ({way!r}))')} = 0;"]
    elif form == "multiple":
        declared += " Real v;"
        equations = [f"v = {factor!r}*x;", f"({f.at('x')}) + v = {factor!r}*x;"]
    else:
        other = at.choice([sine, product])(at)
        by_name["u"] = other
        declared += " " + other.declared("u") + " Real v;"
        equations = [f"{f.at('x')} = 0;", f"{other.at('u')} = 0;", "v + v^3 = x + u;"]
    if state:
        declared += " Real w(start = 1, fixed = true);"
        equations.append("der(w) = -w;")
    return f"model N\n  {declared}\nequation\n  " + "\n  ".join(equations) + "\nend N;\n", by_name


def judge(number):
    """A model and what is wrong with it; None: nothing is asserted of it."""
    text, by_name = draw(random.Random(f"nearest {number}"))
    if not all(f.is_clear() for f in by_name.values()):
        return None
    found = daedal.run(["init", "--json", "-"], text)
    if found.code != 0:
        return text, f"refused: {found.err}"
    values = json.loads(found.out)["values"]
    return text, "".join(f.wrong(name, values[name]) for name, f in by_name.items())


class Nearest(unittest.TestCase):
    def test_some(self):
        by_seed.all_right(self, judge, range(3000, daedal.of_grid(3300, 3200, 3100)), 80)


if __name__ == "__main__":
    by_seed.main(lambda seed, models: by_seed.count_wrong(judge, seed, models))
