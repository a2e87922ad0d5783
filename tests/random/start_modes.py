"""Starts that agree with the discrete variables: steady states and fixed values of linear systems in
which Booleans, Integers and whole parts switch.

    der(x_i) = sum_j a_ij x_j + b_i + sum_k c_ik d_k,   d_k by one of KINDS from a combination of the x_j

and for each i a condition: der(x_i) = 0 or another value, or a value of x_i. For given d
the start is the solution of linear equations, so that all starts follow from trying the values of d:
one is to be found where there is one, and where there is none, that is to be said.

Without arguments, some are tested. `start_modes.py --seed 7 --count 300` judges so many models and
prints those that are wrong, and those of which a start was not found."""

import itertools
import json
import math
import pathlib
import random
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402
from released import solve  # noqa: E402

ROUNDING = 1e-7
CLEAR = 1e-3  # starts nearer than this to where something switches are not asked for


def boolean(draw):
    at = round(draw.uniform(-2, 2), 2)
    return {"declared": "Boolean {0};", "equation": f"{{0}} = {{1}} > {at};", "term": "(if {0} then 1 else 0)",
            "values": (0, 1), "of": lambda u: (float(u > at), abs(u - at))}  # fmt: skip


def stages(draw):
    bounds = sorted(round(draw.uniform(-3, 3), 2) for _ in range(3))
    values = draw.sample(range(5), 4)
    text = "".join(f"if {{1}} < {b} then {v} else " for b, v in zip(bounds, values)) + str(values[3])
    return {"declared": "Integer {0};", "equation": f"{{0}} = {text};", "term": "{0}", "values": values,
            "of": lambda u: (values[sum(u >= b for b in bounds)], min(abs(u - b) for b in bounds))}  # fmt: skip


def whole_part(draw):
    step = round(draw.uniform(0.3, 1), 2)
    return {"declared": "Real {0};", "equation": f"{{0}} = floor({{1}}/{step});", "term": "{0}",
            "values": range(-40, 41),
            "of": lambda u: (math.floor(u/step), abs(u/step - round(u/step)))}  # fmt: skip


KINDS = (boolean, boolean, stages, whole_part)


class Model:
    def __init__(self, seed):
        draw = self.draw = random.Random(f"start modes {seed}")
        self.n = draw.randint(1, 3)
        self.kinds = [draw.choice(KINDS)(draw) for _ in range(draw.choice((1, 1, 2)))]
        def number(most):
            return round(draw.uniform(-most, most), 2)
        self.a = [[number(1) - (1.5 if i == j else 0) for j in range(self.n)] for i in range(self.n)]
        self.b = [number(2) for _ in range(self.n)]
        self.c = [[number(2) for _ in self.kinds] for _ in range(self.n)]
        self.looks = [[number(1) + (i == k % self.n) for i in range(self.n)] for k in range(len(self.kinds))]
        self.conditions = [draw.choice(("steady", "steady", "moving", "given")) for _ in range(self.n)]
        self.fixed = [number(2) for _ in range(self.n)]
        self.starts = [number(3) for _ in range(self.n)]

    def wanted(self, i):
        return 0 if self.conditions[i] == "steady" else self.fixed[i]

    def text(self):
        def combination(row):
            return " + ".join(f"({f})*x[{j + 1}]" for j, f in enumerate(row))

        names = [f"d{k}" for k in range(len(self.kinds))]
        lines = [f"model M Real x[{self.n}](start = {{{', '.join(map(str, self.starts))}}});"]
        lines += [kind["declared"].format(name) for kind, name in zip(self.kinds, names)]
        lines.append("initial equation")
        for i, condition in enumerate(self.conditions):
            left = f"x[{i + 1}]" if condition == "given" else f"der(x[{i + 1}])"
            lines.append(f"{left} = {self.wanted(i)};")
        lines.append("equation")
        for kind, name, look in zip(self.kinds, names, self.looks):
            lines.append(kind["equation"].format(name, f"({combination(look)})"))
        for i in range(self.n):
            terms = "".join(f" + ({c})*{kind['term'].format(name)}" for c, kind, name in zip(self.c[i], self.kinds, names))
            lines.append(f"der(x[{i + 1}]) = {combination(self.a[i])} + ({self.b[i]}){terms};")
        return "\n".join(lines) + "\nend M;\n"

    def defined(self, x):
        """What the definitions give, and how far x is from where that changes."""
        values = [kind["of"](sum(f*v for f, v in zip(look, x))) for kind, look in zip(self.kinds, self.looks)]
        return [v for v, _ in values], min(far for _, far in values)

    def solutions(self):
        """All starts, and whether one is near to where something switches."""
        found, near = [], False
        given = [condition == "given" for condition in self.conditions]
        matrix = [[float(i == j) for j in range(self.n)] if given[i] else self.a[i] for i in range(self.n)]
        for d in itertools.product(*(kind["values"] for kind in self.kinds)):
            right = [self.wanted(i) - (0 if given[i] else self.b[i] + sum(c*v for c, v in zip(self.c[i], d)))
                     for i in range(self.n)]  # fmt: skip
            x = solve(matrix, right)
            if x is None:
                return [], True
            values, far = self.defined(x)
            near = near or far < CLEAR
            if list(d) == values:
                found.append(x)
        return found, near


def judge(seed):
    """'right', 'none' where there is no start, 'not found', 'near', or what is wrong."""
    model = Model(seed)
    solutions, near = model.solutions()
    if near:
        return "near"
    done = daedal.run(["init", "-", "--json"], model.text())
    if done.code != 0:
        if done.code not in (1, 3):
            return f"status {done.code}: {done.err}"
        if solutions:
            return "not found"
        return "none" if "remedy" in done.err else f"no remedy: {done.err}"
    values = json.loads(done.out)["values"]
    x = [values[f"x[{i + 1}]"] for i in range(model.n)]
    for solution in solutions:
        if all(abs(a - b) <= ROUNDING*(1 + abs(b)) for a, b in zip(x, solution)):
            return "right"
    return f"x = {x}, not one of {solutions}"


# k = 0.25 makes `big` false, and then k is 0.5.
FOUND_PARAMETER = """model M parameter Real k(fixed = false, start = 1);
  Real h(start = 2, fixed = true), q; Boolean big = k > 0.3;
initial equation q = 0.5;
equation q = if big then k*h else 0.5*k*h; der(h) = 1 - q; end M;
"""

# The same beside a relation of the state.
FOUND_BESIDE = FOUND_PARAMETER.replace("q;", "q, r; Boolean up = h > 1;", 1).replace("1 - q;", "r - q; r = if up then 1 else 2;")


SHAFTS = """model M import Daedal.Rotational.*;
  Inertia j0(J = 1, phi(start = 0, fixed = true), w(start = {w0}, fixed = true));
  Inertia j1(J = {J1}, phi(start = 0, fixed = true), w(start = {w1}, fixed = true));
  Inertia j2(J = {J2}, phi(start = 0, fixed = true), w(start = {w2}, fixed = true));
  OneWayClutch free; Clutch slips(tau_max = {most}); Daedal.Blocks.Constant pressed(k = 1);
  BearingFriction b1(tau_slip = {t1}, d = {d}), b2(tau_slip = {t2}, d = {d});
equation
  connect(j0.flange_b, free.flange_a); connect(free.flange_b, j1.flange_a); connect(b1.flange_a, j1.flange_a);
  connect(pressed.y, slips.u); connect(j1.flange_b, slips.flange_a); connect(slips.flange_b, j2.flange_a);
  connect(b2.flange_a, j2.flange_a);
end M;
"""

LATCHES = """model M parameter Integer n = 1000; Real x(start = 0, fixed = true), y;
  Boolean b[n], c[n](each start = false, each fixed = true);
equation
  der(x) = 1; y = if c[n] then 1 else 0; b[1] = x > 0.5;
  for i in 2:n loop b[i] = c[i - 1]; end for;
  for i in 1:n loop {latch} end for;
end M;
"""


class StartModes(unittest.TestCase):
    def test_shafts_start_while_all_slips(self):
        """A clutch that overruns, one that slips, and bearings that do: accelerations follow from the signs of the slips."""
        draw = random.Random("shafts that start")
        for _ in range(daedal.of_grid(60, 8, 3)):
            at = {name: draw.choice(values) for name, values in
                  (("J1", (0.5, 1, 2)), ("J2", (0.5, 1, 2)), ("most", (1, 4, 10)), ("t1", (0.5, 1, 3)), ("t2", (0.5, 1, 3)),
                   ("d", (0, 0.05)), ("w1", (10, 3, -5, -2)), ("w2", (3, 12, -5, 1)))}  # fmt: skip
            at["w0"] = at["w1"] - draw.choice((1, 7, 10))
            at["w2"] += at["w2"] == at["w1"]
            s1, s2, slip = (math.copysign(1, w) for w in (at["w1"], at["w2"], at["w1"] - at["w2"]))
            a1 = -(s1*at["t1"] + at["d"]*at["w1"] + slip*at["most"])/at["J1"]
            a2 = -(s2*at["t2"] + at["d"]*at["w2"] - slip*at["most"])/at["J2"]
            with self.subTest(at=at):
                done = daedal.run(["init", "-", "--json"], SHAFTS.format(**at))
                self.assertEqual(done.code, 0, done.err)
                values = json.loads(done.out)["values"]
                for name, a in (("j0.a", 0), ("j1.a", a1), ("j2.a", a2)):
                    self.assertAlmostEqual(values[name], a, delta=1e-9)

    def test_long_chains_of_latches_start_at_once(self):
        for latch in ("when b[i] then c[i] = true; end when;", "c[i] = b[i] or pre(c[i]);"):
            done = daedal.run(["run", "-", "--points=3", "--vars=y", "--quiet"], LATCHES.format(latch=latch))
            self.assertEqual(done.code, 0, done.err)
            self.assertEqual([row["y"] for row in daedal.rows(done.out)[1]], [0, 1, 1])

    def test_a_parameter_that_is_found_decides(self):
        for model in (FOUND_PARAMETER, FOUND_BESIDE):
            done = daedal.run(["init", "-"], model)
            self.assertEqual(done.code, 1, done.out)
            self.assertIn("where big is false", done.err)
            for wanted, k in (("q = 1", 0.5), ("q = 0.2", 0.2)):
                done = daedal.run(["init", "-", "--json"], model.replace("q = 0.5;", wanted + ";", 1))
                self.assertEqual(done.code, 0, done.err)
                self.assertAlmostEqual(json.loads(done.out)["values"]["k"], k, delta=1e-12)

    def test_what_a_refusal_says_of_a_variable_is_so(self):
        """Where floor(x) is c, x is 101 c + 1.5."""
        text = """model M Real x(start = 0.2);
                  initial equation der(x) = 0; equation der(x) = 101*floor(x) + 1.5 - x; end M;"""
        done = daedal.run(["init", "-"], text)
        self.assertEqual(done.code, 1, done.out)
        said = re.search(r"where floor\(x\) is (\S+), the start .* where it is (\S+) ", done.err)
        self.assertEqual(float(said[2]), 101*float(said[1]) + 1)

    def test_what_is_given_by_its_rest_starts_near_its_guess(self):
        """x that leaves the rest r of a division by m is r + k m for any whole k: it keeps the k of its guess."""
        draw = random.Random("rests")
        for _ in range(12):
            m, r, guess = draw.choice([1, 2, 3, 0.5]), draw.uniform(0.1, 0.4), draw.uniform(-9, 9)
            rest = draw.choice([f"mod(x, {m})", f"x - {m}*floor(x/{m})", f"x + {m} - {m}*ceil(x/{m})"])
            text = (f"model M Real x(start = {guess!r}), s(start = 0, fixed = true); equation {rest} = {r!r}; "
                    "der(s) = x; end M;")  # fmt: skip
            with self.subTest(text=text):
                done = daedal.run(["run", "-", "--stop=1", "--points=2", "--vars=x,s", "--quiet"], text)
                self.assertEqual(done.code, 0, done.err)
                row = daedal.rows(done.out)[1][1]
                self.assertAlmostEqual((row["x"] - r)/m, round((row["x"] - r)/m), delta=1e-9)
                self.assertLess(abs(row["x"] - guess), 2*m)
                self.assertAlmostEqual(row["s"], row["x"], delta=1e-8)

    def test_starts_agree_with_what_switches(self):
        models = daedal.of_grid(120, 80, 24)
        found = by_seed.judge_all(judge, range(models))
        wrong = {said: seeds for said, seeds in found.items() if said not in ("right", "none", "near", "not found")}
        self.assertEqual(wrong, {})
        self.assertEqual(found.get("not found", []), [])
        self.assertGreater(len(found["right"]), models / 4)
        self.assertGreater(len(found["none"]), models / 40)


def count(seed, models):
    by_seed.print_judged(by_seed.judge_all(judge, range(seed, seed + models)))


if __name__ == "__main__":
    by_seed.main(count)
