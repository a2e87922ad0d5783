"""Motions that begin at rest, or nearly so, close to a surface: by so little as 1e-12 and less than the tolerance. They
cross it once, where they do, and the state there is on it.

They begin with the run, at an event of time, where reinit() moves the state, or where a force begins that
has been 0, or at the surface, where reinit() sets them back; one to three derivatives are 0 there. The times are
known.

Without arguments, some are tested. `from_rest.py --seed 7 --count 300` judges so many models and prints those that are
wrong."""

import math
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

METHODS = ["auto", "auto", "auto", "dop853", "bdf", "radau", "rodas5p"]
BEGINNINGS = ["start", "start", "time", "reinit", "force", "mode", "back"]
ON_SURFACE = 1e-10  # of 1 and of the place of the surface


class Motion:
    """u = side (-d + v t + c t^n / n!) after its beginning, or side (-d + c (1 - cos(w t)) / w^2); x = place + u."""

    def __init__(self, draw, i):
        self.i = i
        self.order = draw.choice([2, 2, 2, 3, 4])
        self.side = draw.choice([1, -1])
        self.place = draw.choice([0, 0, round(draw.uniform(-2, 2), 3)])
        self.away = 10**draw.uniform(-12, -4)
        if self.place:
            self.away = max(self.away, 1e-9)
        self.force = round(10**draw.uniform(-1, 2), 3)*draw.choice([1, 1, 1, -1])
        self.w = round(draw.uniform(0.5, 5), 2) if self.order == 2 and draw.random() < 0.3 else 0
        self.begins = draw.choice(BEGINNINGS)
        self.at = 0 if self.begins == "start" else round(draw.uniform(0.05, 0.5), 3)
        if self.begins == "back":
            self.at = 0.5
        near = self.order == 2 and not self.w and self.begins in ("start", "reinit", "back") and draw.random() < 0.4
        natural = math.sqrt(2*abs(self.force)*self.away)
        self.speed = draw.choice([1, -1])*natural*10**draw.uniform(-6, 0) if near else 0

    def crossing(self):
        """The time of it, None if there is none."""
        c, v, d = self.force, self.speed, self.away
        if c < 0:
            if v <= 0 or v*v <= 2.02*-c*d:
                return None
            return self.at + 2*d/(v + math.sqrt(v*v + 2*c*d))
        if self.w:
            return self.at + 2*math.asin(self.w*math.sqrt(d/(2*c)))/self.w
        if v:
            root = math.sqrt(v*v + 2*c*d)
            return self.at + (2*d/(v + root) if v > 0 else (root - v)/c)
        return self.at + (math.factorial(self.order)*d/c)**(1/self.order)

    def text(self):
        i, n, s = self.i, self.order, self.side
        near = f"{self.place!r} + ({-s*self.away!r})" if self.place else f"{-s*self.away!r}"
        begun = f"(time - {self.at!r})"
        wave = f"*cos({self.w}*{begun})" if self.w else ""
        force = f"{s*self.force!r}{wave}"
        first = f"{self.place!r} + ({-s!r})" if self.begins in ("reinit", "back") else near
        speed = {"start": s*self.speed, "back": 2*s}.get(self.begins, 0)
        declared = [f"Real x{i}_0(start = {first}, fixed = true);"]
        declared += [f"Real x{i}_{k}(start = {speed if k == 1 else 0!r}, fixed = true);"
                     for k in range(1, n)]  # fmt: skip
        declared.append(f"discrete Real t{i}(start = -1, fixed = true), u{i}(start = 0, fixed = true);"
                        f" Integer k{i}(start = 0, fixed = true);")  # fmt: skip
        equations = [f"der(x{i}_{k}) = x{i}_{k + 1};" for k in range(n - 1)]
        if self.begins == "mode":
            declared.append(f"discrete Boolean on{i}(start = false, fixed = true);")
            equations.append(f"when time >= {self.at!r} then on{i} = true; end when;")
        if self.begins == "back":
            declared.append(f"discrete Boolean on{i}(start = false, fixed = true);")
        on = dict.fromkeys(("time", "reinit"), f"time >= {self.at!r}") | dict.fromkeys(("mode", "back"), f"on{i}")
        on["force"] = f"{begun} > 0"
        law = force if self.begins == "start" else f"if {on[self.begins]} then {force} else 0"
        equations.append(f"der(x{i}_{n - 1}) = {law};")
        if self.begins == "reinit":
            equations.append(f"when time >= {self.at!r} then reinit(x{i}_0, {near});"
                             + (f" reinit(x{i}_1, {s*self.speed!r});" if self.speed else "") + " end when;")  # fmt: skip
        back = (f" on{i} = true; reinit(x{i}_0, if pre(on{i}) then x{i}_0 else {near});"
                f" reinit(x{i}_1, if pre(on{i}) then x{i}_1 else {s*self.speed!r});") if self.begins == "back" else ""
        sign = ">" if s > 0 else "<"
        equations.append(f"when x{i}_0 {sign} {self.place!r} then t{i} = time; u{i} = x{i}_0 - ({self.place!r});"
                         f" k{i} = pre(k{i}) + 1;{back} end when;")  # fmt: skip
        return declared, equations

    def fault(self, row, stop, exactly):
        """What is wrong of it in the last row."""
        i, exact, before = self.i, self.crossing(), self.begins == "back"
        if exact is None or exact > stop:
            return f"x{i} crosses, and should not" if row[f"k{i}"] != before else ""
        if row[f"k{i}"] != 1 + before:
            return f"x{i} crosses {row[f'k{i}']} times"
        if abs(row[f"u{i}"]) > ON_SURFACE*(1 + abs(self.place)) + 1e-6*self.away:
            return f"x{i} is found {row[f'u{i}']} from the surface, at {row[f't{i}']} for {exact}"
        # methods of high order are all but exact; the errors of others are some of what is below the tolerance
        after, right, times = row[f"t{i}"] - self.at, exact - self.at, 1.0002 if exactly else 5
        if not right/times - 1e-12 <= after <= right*times + 1e-12:
            return f"x{i} crosses {after} after it begins, for {right}"
        return ""


def judge(number):
    """A model and what is wrong with it."""
    draw = random.Random(f"from rest {number}")
    rtol = draw.choice([1e-3, 1e-4, 1e-6, 1e-6, 1e-6, 1e-8, 1e-10])
    motions = [Motion(draw, i) for i in range(draw.choice([1, 1, 2, 3]))]
    method = draw.choice(METHODS)
    texts = [m.text() for m in motions]
    text = ("model M\n  " + "\n  ".join(line for t in texts for line in t[0]) + "\nequation\n  "
            + "\n  ".join(line for t in texts for line in t[1]) + "\nend M;\n")  # fmt: skip
    said = f"// --method {method} --rtol {rtol}\n" + text
    found = daedal.run(["run", "--stop", "1", "--points", "2", f"--method={method}", f"--rtol={rtol}", "-"], text)
    if found.code != 0:
        return said, f"refused: {found.err}"
    names, *_, last = found.out.split()
    row = dict(zip(names.split(","), map(float, last.split(","))))
    faults = [m.fault(row, 1, method in ("auto", "dop853")) for m in motions]
    return said, "; ".join(f for f in faults if f)


# A mass that friction holds 7e-9 m before a stop breaks away.
STOP = """model S
  import Daedal.Translational.*; import Daedal.Blocks.Sine;
  Mass m(m = 0.5, s(start = 0, fixed = true), v(start = 0, fixed = true)); Friction r(f_slip = 2.5);
  RigidStop t(s_min = -0.3, s_max = 0.25, e = 0.5, v_small = 1e-4); Spring l(c = 1000, s_rel0 = 1);
  Mass d(m = 0.5, s(start = 1, fixed = true), v(start = 0, fixed = true)); Force f; Sine u(amplitude = 5, f = 0.5);
equation
  connect(r.flange_a, m.flange_a); connect(t.flange, m.flange_a); connect(m.flange_b, l.flange_a);
  connect(l.flange_b, d.flange_a); connect(u.y, f.f); connect(f.flange, d.flange_a);
end S;
"""


class FromRest(unittest.TestCase):
    def test_some(self):
        by_seed.all_right(self, judge, range(daedal.of_grid(120, 40, 20)), 15)

    def test_a_mass_before_a_stop(self):
        found = daedal.run(["run", "--stop", "2", "--points", "2", "--vars", "m.s", "-"], STOP)
        self.assertEqual(found.code, 0, found.err)
        self.assertAlmostEqual(float(found.out.split()[-1].split(",")[1]), -0.299907, delta=1e-6)


if __name__ == "__main__":
    by_seed.main(lambda seed, models: by_seed.count_wrong(judge, seed, models))
