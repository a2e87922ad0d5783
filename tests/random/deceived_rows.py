"""Rows between the steps of deceived models: a chain x, y = a x, z of y' whose constraint y = a x has another
equation added to it, times a function f of the variables.

Where that other equation holds, f counts for nothing, but a state between steps misses it by the error of its
polynomial, and its derivatives by z and z' are that error. An elimination that took it for a pivot would move
x, which has a start value and an equation of its own, by anything. All variables are functions of time.

Without arguments, some are tested. `deceived_rows.py --seed 7 --count 300` judges so many models."""

import math
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

ALLOWED = 100  # tolerances
POINTS = 201
RTOL = 1e-6
CURVES = [  # of time and its derivative, as text and as numbers
    ("sin({t})", "cos({t})", math.sin, math.cos),
    ("cos({t})", "-sin({t})", math.cos, lambda t: -math.sin(t)),
    ("exp(-{t})", "-exp(-{t})", lambda t: math.exp(-t), lambda t: -math.exp(-t)),
    ("(1 + {t})", "1", lambda t: 1 + t, lambda t: 1),
    ("tanh({t} - 0.5)", "(1 - tanh({t} - 0.5)^2)", lambda t: math.tanh(t - 0.5), lambda t: 1 - math.tanh(t - 0.5)**2),
]
FACTORS = ["sin(z)", "z", "cos(z)", "0.5*z^2", "atan(z)", "sin(y)", "z*x", "sin(time)*z", "exp(-z)", "(1 + z)"]


class Chain:
    def __init__(self, seed):
        draw = random.Random(f"deceived rows {seed}")
        self.a, self.k, self.b = (round(draw.uniform(*range), 2) for range in ((0.3, 1.2), (0.3, 2), (0, 0.5)))
        curves = [draw.choice(CURVES) for _ in range(4)]
        self.x, self.u, self.p, self.q = (curve[2] for curve in curves)
        self.rate_p = curves[2][3]
        (x, xd), (u, _), (p, pd), (q, _) = ([word.format(t="time") for word in curve[:2]] for curve in curves)
        other = "(u - u0)" if draw.random() < 0.7 else "(u - u0 + 0.1*(u^3 - u0^3))"
        rows = [
            f"der(x) + {self.k}*x = {xd} + {self.k}*{x}",
            f"z - der(y) + {self.b}*der(x) = {q}",
            f"y - {self.a}*x - {p} + {draw.choice(FACTORS)}*{other} = 0",
            f"{other} = 0",
        ]
        if draw.random() < 0.3:
            rows[0] = rows[0].replace(" =", f" + sin(u)*{other} =")
        draw.shuffle(rows)
        guess = {"z": self.at(0)["z"]*draw.choice([1, 1, 0.9]), "u": self.u(0)}
        self.rates = xd, pd
        self.text = (f"model M Real x(start = {self.x(0)!r}, fixed = true), y, z(start = {guess['z']!r}), u(start = {guess['u']!r}), "
                     f"u0 = {u}; equation {'; '.join(rows)}; end M;")  # fmt: skip
        self.method = draw.choice([[], [], ["--method=radau-iia3"], ["--method=bdf"]])

    def at(self, t, h=1e-6):
        """y' by the derivatives of x and of the curve that y is more."""
        x_rate = (self.x(t + h) - self.x(t - h))/(2*h)
        y_rate = self.a*x_rate + self.rate_p(t)
        return {"x": self.x(t), "y": self.a*self.x(t) + self.p(t), "z": self.q(t) + y_rate - self.b*x_rate, "u": self.u(t)}


def judge(seed):
    c = Chain(seed)
    done = daedal.run(["run", "-", "--stop=2", f"--points={POINTS}", f"--rtol={RTOL}", "-q", "--vars=x,y,z,u", *c.method], c.text)
    rows = daedal.rows(done.out)[1] if done.out else []
    for row in rows[1:] if done.code else rows:
        for name, wanted in c.at(row["time"]).items():
            if not abs(row[name] - wanted) <= ALLOWED*RTOL*(1 + abs(wanted)):
                return f"{name} at t = {row['time']:g} is {abs(row[name] - wanted):.2g} off"
    return "stops" if done.code else ""


class Rows(unittest.TestCase):
    def test_rows_between_steps_stay_on_the_solution(self):
        for seed in range(daedal.of_grid(40, 20, 8)):
            with self.subTest(seed=seed):
                self.assertEqual(judge(seed), "", Chain(seed).text)


def count(seed, models):
    by_seed.print_judged(by_seed.judge_all(judge, range(seed, seed + models)))


if __name__ == "__main__":
    by_seed.main(count)
