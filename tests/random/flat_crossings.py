"""Relations of time whose sides cross with a triple zero, as tanh(u) < u at u = 0.

Within some 1e-5 of it, rounding of the two sides decides the relation. It changes once all the same: a count
of its changes is 1, and a state that it switches on is as long on as the time after the zero, but for the
width of that.

Whole parts of a power of u, which is 0 for as long as it is rounding of what it is added to, or too small to be
a number: they change once where the power is odd, and where it is even at most there and back at its zero.

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


class Power:
    """The whole part of size*u^power, which does not reach 1, from u < 0 to u > 0."""

    WHOLE = ("floor({f})", "integer({f})", "ceil({f})", "{f} - mod({f}, 1)")

    def __init__(self, number):
        at = random.Random(f"flat power {number}")
        self.zero, rate = at.uniform(0.05, 0.95), at.uniform(0.2, 0.9)
        power, size = at.choice((2, 3, 4, 5, 6, 7, 9, 12, 15, 24, 45, 54)), at.choice((1, -1))*10**at.uniform(-6, 0)
        of_state = at.random() < 0.3 and abs(size)*(rate*self.zero)**power > 1e-10  # not 0 but for rounding at the start
        self.odd = power % 2 == 1
        self.width = (1e-11/abs(size))**(1/power)/rate if of_state else WIDTH  # its root is located by its value
        f = at.choice(("u^{p}", "u^{q}*u^{r}", "u" + "*u"*(power - 1))).format(p=power, q=power//2, r=power - power//2)
        whole = at.choice(self.WHOLE).format(f=f"({size!r}*{f})")
        below = 0 if "ceil" in whole else -1
        self.before, self.after = below + (size*(-1)**power > 0), below + (size > 0)
        law = f"der(u) = {rate!r}" if of_state else f"u = {rate!r}*time - ({rate*self.zero!r})"
        start = f"(start = {-rate*self.zero!r}, fixed = true)" if of_state else ""
        self.text = (f"model P\n  Real u{start}, s(start = 0, fixed = true), y = {whole};\n"
                     f"  Boolean b = y > {below + 0.5};\n  Integer k(start = 0, fixed = true);\nequation\n  {law};\n"
                     f"  der(s) = y;\n  when change(b) then k = pre(k) + 1; end when;\nend P;\n")  # fmt: skip


def judge_power(number):
    """A model and what is wrong with it."""
    p = Power(number)
    found = daedal.run(["run", "--stop", "1", "--points", "2", "-"], p.text)
    if found.code != 0:
        return p.text, f"refused: {found.err}"
    row = daedal.rows(found.out)[1][-1]
    off = abs(row["s"] - (p.before*p.zero + p.after*(1 - p.zero)))
    changes = (1,) if p.odd else (0, 1, 2)
    told = "" if row["k"] in changes else f"it changes {row['k']} times"
    told = told or ("" if off <= p.width else f"off by {off}")
    return p.text, told or ("" if abs(row["y"] - p.after) < 1e-9 or p.zero + p.width > 1 else f"it ends at {row['y']}")


class FlatCrossings(unittest.TestCase):
    def test_some(self):
        by_seed.all_right(self, judge, range(daedal.of_grid(80, 60, 30)), 25)

    def test_a_relation_that_hardly_holds_beside_what_may_jump(self):
        """Bounds show that it holds throughout by their slopes. By the values alone that takes minutes."""
        found = daedal.run(["run", "--stop", "1", "--points", "2", "-"],
                           "model S Real x = time - 0.37; Boolean b = sin(x)^2 + cos(x)^2 - 1 + 1e-8 + "
                           "noEvent(if time > 2 then 1 else 0) > 0; end S;", timeout=30)  # fmt: skip
        self.assertEqual(daedal.rows(found.out)[1][-1]["b"], 1)

    def test_whole_parts_of_powers(self):
        by_seed.all_right(self, judge_power, range(daedal.of_grid(60, 40, 20)), 15)


def count(seed, models):
    by_seed.count_wrong(judge, seed, models)
    by_seed.count_wrong(judge_power, seed, models)


if __name__ == "__main__":
    by_seed.main(count)
