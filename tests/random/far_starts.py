"""Starts that equations determine, though far out they seem to be met as well.

Of a = 0, b = 0 and c = 0 three combinations are written: a + x b, b + x c and c + a + x b. Together they say
the same, but the larger x is, the less their sum tells c from the rounding of x b: what is missed becomes
small beside the terms, as does the part of a row that depends on no other. So the start is known, and the
derivatives in it with it. The combined equations are permuted, and x may have a guess, near or far.

A start that is found is to be that one: the fixed values hold just after it. From a guess that is far off
none may be found; where it is as good as rounding can tell, a note is to say so.

Without arguments, some are tested. `far_starts.py --seed 7 --count 300` judges so many models and prints
those that are wrong."""

import json
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

ROUNDING = 1e-7
BENDS = ("x", "atan(x)", "sqrt(1 + x^2)", "x^2")
DOUBTFUL = ("round-off hides whether the equations hold", "the run begins at one far from them")


def draw(at):
    """A model, the only value of x, and whether a guess is far off."""
    first, second = round(at.uniform(-1, 1), 2), round(at.uniform(-3, 3), 2)
    factor, bends = round(at.uniform(1, 3), 2), at.choice(BENDS)
    guess = at.choice([None, None, None, 0, 3, 30, 300, 3000])
    sum_, y, x = (f"({factor}*(z + y) + x)", f"(der(y) + 2*y - {at.uniform(0.3, 1):.2f}*{bends})",
                  f"(der(x) + {at.uniform(0.5, 3):.2f}*x + ({at.uniform(-0.8, 0.8):.2f})*{bends})")
    rows = [f"{sum_} + x*{y}", f"{y} + x*{x}", f"{x} + {sum_} + x*{y}"]
    at.shuffle(rows)
    lines = "\n".join(f"  0 = {row};" for row in rows)
    declared = "Real x" + (f"(start = {guess})" if guess is not None else "")
    return (f"model F\n  {declared};\n  Real y(start = {first}, fixed = true), z(start = {second}, fixed = true);\n"
            f"equation\n{lines}\nend F;\n", -factor*(second + first), guess is not None and guess >= 30)


def judge(number):
    """A model and what is wrong with it."""
    text, x, far = draw(random.Random(f"far starts {number}"))
    found = daedal.run(["init", "--json", "-"], text)
    if found.code != 0:
        return text, "" if far else f"refused: {found.err}"
    if any(said in found.err for said in DOUBTFUL):
        return text, ""
    value = json.loads(found.out)["values"]["x"]
    off = abs(value - x) > ROUNDING*max(1, abs(x))
    return text, f"x = {value!r} instead of {x!r}" if off else ""


class FarStarts(unittest.TestCase):
    def test_some(self):
        by_seed.all_right(self, judge, range(daedal.of_grid(150, 100, 50)), 40)


if __name__ == "__main__":
    by_seed.main(lambda seed, models: by_seed.count_wrong(judge, seed, models))
