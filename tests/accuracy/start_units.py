"""Start values whatever the units of rows, of unknowns and of time: those of the model in units of 1,
to round-off."""
import math
import random
import re
import unittest

from simulation import daedal

COUNT = 12 if daedal.THINNED else 100
ROUND_OFF = 1e-8


def slider():
    """Accelerations from the equations of the positions, differentiated by hand."""
    p, w = 0.5776, 1.2
    b = math.asin(math.sin(p) / 2.5)
    bd = math.cos(p) * w / (2.5 * math.cos(b))
    u = -math.sin(p) * w - 2.5 * math.sin(b) * bd
    # u' = c + d w', and w' = -1.9 - 0.7 w - 0.5 u' g
    rest = (2.5 * math.sin(b) * bd**2 - math.sin(p) * w**2) / (2.5 * math.cos(b))
    c = -math.cos(p) * w**2 - 2.5 * math.cos(b) * bd**2 - 2.5 * math.sin(b) * rest
    g = -math.sin(p) - math.tan(b) * math.cos(p)
    d = -math.sin(p) - math.tan(b) * math.cos(p)
    acceleration = (c + d * (-1.9 - 0.7 * w)) / (1 + 0.5 * d * g)
    return {"p": p, "w": w, "b": b, "x": math.cos(p) + 2.5 * math.cos(b), "u": u,
            "F": 0.5 * acceleration}


def acid():
    """What is charged adds up to nothing: h = w/h + 0.1 k/(h + k), by iteration."""
    k, h = 1.8e-5, 1e-3
    for _ in range(200):
        h = 1e-14 / h + 0.1 * k / (h + k)
        h = 0.5 * (h + 1e-14 / h + 0.1 * k / (h + k))
    return {"na": 0, "H": h, "OH": 1e-14 / h, "A": 0.1 * k / (h + k), "HA": 0.1 * h / (h + k)}


# Guesses with what is fixed, equations, and the start; {v} is v in its unit, D(v) its derivative.
MODELS = {
    "capacitors": (
        {"v1": 0, "v2": 0, "i1": 0, "i2": 0}, {"v2"},
        "0.5*D(v1) = {i1}; 2*D(v2) = {i2}; {v1} + {v2} = sin(2.6085*{t}) + 0.2*sin(7*{t});"
        "{i1} = {i2} + {v2}/3",
        {"v1": 0, "v2": 0, "i1": 1.6034, "i2": 1.6034},
    ),
    "charges": (
        {"v1": 0, "v2": 0, "q1": 0, "q2": 0, "i1": 0, "i2": 0}, {"v2"},
        "{q1} = {v1}; {q2} = 2*{v2}*(1 + 0.1*{v2}); D(q1) = {i1}; D(q2) = {i2};"
        "{v1} + {v2} = sin(3*{t}); {i1} = {i2} + {v2}/5",
        {"v1": 0, "v2": 0, "q1": 0, "q2": 0, "i1": 2, "i2": 2},
    ),
    "pendulum": (
        {"x": 0.6, "y": -0.8, "u": 0, "v": 0, "F": 0}, {"y", "v"},
        "D(x) = {u}; D(y) = {v}; D(u) = -{F}*{x}; D(v) = -{F}*{y} - 9.81; {x}^2 + {y}^2 = 1",
        {"x": 0.6, "y": -0.8, "u": 0, "v": 0, "F": 7.848},
    ),
    "swinging": (
        {"x": 0.6, "y": -0.8, "u": 0.3, "v": 0.225, "F": 1}, {"x", "u"},
        "D(x) = {u}; D(y) = {v}; D(u) = -{F}*{x}; D(v) = -{F}*{y} - 9.81; {x}^2 + {y}^2 = 1",
        {"x": 0.6, "y": -0.8, "u": 0.3, "v": 0.225, "F": 7.988625},
    ),
    "slider": (
        {"p": 0.5776, "w": 1.2, "b": 0.1, "x": 3, "u": 0, "F": 0}, {"p", "w"},
        "D(p) = {w}; sin({p}) = 2.5*sin({b}); {x} = cos({p}) + 2.5*cos({b}); D(x) = {u};"
        "0.5*D(u) = {F}; D(w) = -1.9 - 0.7*{w} - {F}*(-sin({p}) - tan({b})*cos({p}))",
        slider(),
    ),
    "acid": (
        {"na": 0, "H": 1e-3, "OH": 1e-11, "A": 1e-5, "HA": 0.1}, {"na"},
        "D(na) = 0.0107; {H}*{OH} = 1e-14; {H}*{A} = 1.8e-5*{HA}; {A} + {HA} = 0.1;"
        "{H} + {na} = {OH} + {A}",
        acid(),
    ),
    "index 4": (
        {"a": 0, "b": 0, "c": 0, "d": 0}, set(),
        "D(a) = {b}; D(b) = {c}*cos({a}); D(c) = {d} + {b}; {a} + {a}^3 = sin({t})",
        {"a": 0, "b": 1, "c": 0, "d": -8},
    ),
}


class Family:
    """A model with rows, unknowns and time in units drawn at random."""

    def __init__(self, name, seed, rows, units, time, nominal):
        draw = random.Random(f"{name} {seed}")
        guess, fixed, equations, self.exact = MODELS[name]
        self.time = 10.0 ** draw.choice([0, 0, -12, -9, -6, 3, 6]) if time else 1.0
        self.unit = {v: 10.0 ** draw.randint(-units, units) for v in guess}
        lines = ["model M"]
        for v, start in guess.items():
            attributes = [f"start = {start * self.unit[v]!r}"]
            attributes += ["fixed = true"] if v in fixed else []
            attributes += [f"nominal = {self.unit[v]!r}"] if nominal else []
            lines.append(f"  Real {v}({', '.join(attributes)});")
        lines.append("equation")
        for equation in equations.split(";"):
            left, right = (self.in_units(side) for side in equation.split("="))
            scale = 10.0 ** draw.randint(-rows, rows)
            lines.append(f"  {scale!r}*({left}) = {scale!r}*({right});")
        self.text = "\n".join([*lines, "end M;\n"])

    def in_units(self, side):
        side = side.replace("{t}", f"(time/{self.time!r})")
        side = re.sub(
            r"D\((\w+)\)", lambda m: f"(der({m[1]})*{self.time / self.unit[m[1]]!r})", side
        )
        return re.sub(r"\{(\w+)\}", lambda m: f"({m[1]}/{self.unit[m[1]]!r})", side)

    def start(self, **options):
        return daedal.run(["init", "-", "--json", *daedal.flags(options)], self.text)


# In nanometres without nominal sizes nothing is left to miss, if those of 1 are believed.
NANOMETRES = """model Nanometres
  Real x(start = 6e-10), y(start = -8e-10), vx(start = 0), vy(start = 0), F(start = 1);
initial equation
  x = 6e-10; vx = 3e-4;
equation
  der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - 9810; x^2 + y^2 = 1e-18;
end Nanometres;
"""
PENDULUM = """model Pendulum
  Real x(start = 6e-10, nominal = 1e-9), y(start = -8e-10, fixed = true, nominal = 1e-9);
  Real vx(start = 0), vy(start = 0, fixed = true), F(start = 0, nominal = 1e-11);
  parameter Real l = 1e-9, m = 1e-20, g = 9.81e9;
equation
  der(x) = vx; der(y) = vy; m*der(vx) = -F*x/l; m*der(vy) = -F*y/l - m*g; x^2 + y^2 = l^2;
end Pendulum;
"""


class Starts(daedal.CommandTest):
    def assert_start(self, family, may_stop=False):
        done = family.start()
        if may_stop and done.code == 1:
            return
        self.assertEqual(done.code, 0, f"{family.text}{done.err}")
        if not may_stop:  # nothing is missing or too much
            self.assertEqual(done.err, "", family.text)
        for name, value in daedal.json.loads(done.out)["values"].items():
            wanted = family.exact[name]
            off = abs(value / family.unit[name] - wanted) / (abs(wanted) or 1)
            self.assertLess(off, ROUND_OFF, f"{name} = {value}\n{family.text}")

    def test_rows(self):
        for name in MODELS:
            for seed in range(COUNT):
                self.assert_start(Family(name, seed, 15, 0, False, False))
                self.assert_start(Family(name, seed, 12, 0, True, False))

    def test_unknowns(self):
        for name in MODELS:
            for seed in range(COUNT):
                self.assert_start(Family(name, seed, 12, 9, True, True))

    def test_without_nominal_sizes(self):
        """A guess may then be no guess, and lead to another solution of the crank."""
        for name in MODELS.keys() - {"slider"}:
            for seed in range(COUNT):
                self.assert_start(Family(name, seed, 6, 6, True, False), may_stop=True)

    def test_nanometres(self):
        done = daedal.run(["init", "-", "--json"], NANOMETRES)
        self.assertEqual((done.code, done.err), (0, ""))
        values = daedal.json.loads(done.out)["values"]
        wanted = {"x": 6e-10, "y": -8e-10, "vx": 3e-4, "vy": 2.25e-4, "F": 7.988625e12}
        for name, value in wanted.items():
            self.assert_near(values[name] / value, 1, 1e-12)
        done = daedal.run(["init", "-", "--json"], PENDULUM)
        self.assertEqual(done.code, 0, done.err)
        self.assert_near(daedal.json.loads(done.out)["values"]["F"] / 7.848e-11, 1, 1e-12)


if __name__ == "__main__":
    unittest.main()
