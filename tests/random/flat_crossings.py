"""Relations of time whose sides cross with a triple zero, as tanh(u) < u at u = 0.

Within some 1e-5 of it, rounding of the two sides decides the relation. It changes once all the same: a count
of its changes is 1, and a state that it switches on is as long on as the time after the zero, but for the
width of that.

Without arguments, some are tested. `flat_crossings.py --seed 7 --count 300` judges so many models and prints
those that are wrong."""

import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

WIDTH = 1e-3
RISING = ("tanh({u}) < {u}", "sin({u}) < {u}", "{u} - sin({u}) > 0", "atan({u}) < {u}", "sinh({u}) > {u}",
          "tan({u}) > {u}", "atan2({u}, 1) < {u}", "3*asin({u}/3) > {u}", "exp({u}) > 1 + {u} + {u}^2/2", "{u}^3 > 0",
          "{u} + {u}^3 > sin({u})")


def draw(at):
    """A model, and the time of the zero."""
    zero, rate = at.uniform(0.05, 0.95), at.uniform(0.2, 1.5)
    u = f"({rate!r}*time - ({rate*zero!r}))" if at.random() < 0.5 else "u"
    relation = at.choice(RISING).format(u=u)
    return (f"model C\n  Real u = {rate!r}*time - ({rate*zero!r}), s(start = 0, fixed = true);\n"
            f"  Boolean b = {relation};\n  Integer k(start = 0, fixed = true);\nequation\n"
            f"  der(s) = if b then 1 else 0;\n  when change(b) then k = pre(k) + 1; end when;\nend C;\n", zero)


def judge(number):
    """A model and what is wrong with it."""
    text, zero = draw(random.Random(f"flat crossings {number}"))
    found = daedal.run(["run", "--stop", "1", "--points", "2", "-"], text)
    if found.code != 0:
        return text, f"refused: {found.err}"
    names, *_, last = found.out.split()
    row = dict(zip(names.split(","), map(float, last.split(","))))
    off = abs(row["s"] - (1 - zero))
    return text, f"it changes {row['k']} times" if row["k"] != 1 else f"off by {off}" if off > WIDTH else ""


class FlatCrossings(unittest.TestCase):
    def test_some(self):
        by_seed.all_right(self, judge, range(daedal.of_grid(80, 60, 30)), 25)


if __name__ == "__main__":
    by_seed.main(lambda seed, models: by_seed.count_wrong(judge, seed, models))
