"""The observed order of Radau IIA with three stages on equations as given.

Constant steps, no reduction, no projection; errors at the ends of steps against exact solutions of
non-linear problems. One window of steps and one tolerance hold for all rows: a slope that is too
high fails like one that is too low. Theory: Hairer & Wanner II, VI.1, VII.4; Hairer, Lubich &
Roche 1989."""

import unittest
from math import cos, exp, sin

from simulation import MODELS, Trajectory, log_slope

STEPS_PER_UNIT = [16, 24, 32, 48, 64]
SLOPE_TOLERANCE = 0.15
END = 2
ROUND_OFF = 1e-12  # errors below would say nothing


def ode(t):
    s = sin(t * t)
    return {"y1": exp(s), "y2": exp(5 * s), "y3": 1 + s, "y4": cos(t * t)}


def index1(t):
    return {"y1": exp(sin(t)), "y2": cos(t), "z1": exp(sin(t) - cos(t)), "z2": sin(t)}


def index2(t):
    s = t / 2 + sin(t) / 4
    return {"y1": exp(s), "y2": exp(-2 * s), "z": exp(2 * s)}


def index3(t):
    s, rate = sin(t), cos(t)
    q1, q2 = exp(s / 2), exp(-s)
    multiplier = 1 + cos(2 * t) / 2
    return {"q1": q1, "q2": q2, "v1": rate / 2 * q1, "v2": -rate * q2, "lambda": multiplier}


class Orders(unittest.TestCase):
    def errors(self, model, exact, classes, n, offset):
        """The largest error of each class of variables, at times that are offset steps beyond the
        ends of steps."""
        times = [k / 4 + offset / n for k in range(1, 4 * END)]
        run = Trajectory(
            MODELS / f"{model}.mo",
            method="radau5",
            formulation="direct",
            step=1 / n,
            stop=END,
            at=",".join(map(repr, times)),
        )
        self.assertEqual(run.stats["projection"], "none")
        self.assertEqual(run.stats["steps"], END * n)
        return [
            max(abs(run[name][k] - exact(t)[name]) for name in names for k, t in enumerate(times))
            for names in classes
        ]

    def check(self, model, exact, expected, offset=0):
        """expected: for each class of variables, its order."""
        classes = [names.split() for names in expected]
        table = [self.errors(model, exact, classes, n, offset) for n in STEPS_PER_UNIT]
        for names, order, errors in zip(expected, expected.values(), zip(*table)):
            self.assertGreater(min(errors), ROUND_OFF, names)
            slope = -log_slope(STEPS_PER_UNIT, errors)
            print(f"{model:22}{names:24}order {order}, measured {slope:.2f}", flush=True)
            with self.subTest(variables=names, slope=slope, errors=errors):
                self.assertLess(abs(slope - order), SLOPE_TOLERANCE)

    def test_differential_equations(self):
        self.check("ManufacturedOde", ode, {"y1 y2 y3 y4": 5})

    def test_index_1(self):
        self.check("ManufacturedIndex1", index1, {"y1 y2": 5, "z1 z2": 5})

    def test_index_2(self):
        self.check("ManufacturedIndex2", index2, {"y1 y2": 5, "z": 3})

    def test_index_3(self):
        self.check("ManufacturedIndex3", index3, {"q1 q2": 5, "v1 v2": 3, "lambda": 2})

    def test_within_a_step_the_polynomial_has_the_order_of_its_degree_and_one(self):
        self.check("ManufacturedOde", ode, {"y1 y2 y3 y4": 4}, offset=0.2)
        self.check("ManufacturedIndex1", index1, {"y1 y2": 4, "z1 z2": 4}, offset=0.2)

    def test_explicit_stages_on_the_reduced_equations(self):
        """Index 3 reduced to 1: y' and multipliers follow from a linear system, without Newton."""
        steps = [16, 24, 32, 48]
        times = [k / 4 for k in range(1, 4 * END + 1)]
        for method, order in ("state-space-heun3", 3), ("state-space-rk4", 4), ("hem4", 4):
            errors = []
            for n in steps:
                run = Trajectory(
                    MODELS / "ManufacturedIndex3.mo",
                    method=method,
                    projection="none",
                    step=1 / n,
                    stop=END,
                    at=",".join(map(repr, times)),
                )
                self.assertEqual(run.stats["newton_iterations"], 0)
                errors.append(
                    max(
                        abs(run[name][k] - value)
                        for k, t in enumerate(times)
                        for name, value in index3(t).items()
                    )
                )
            slope = -log_slope(steps, errors)
            self.assertGreater(min(errors), ROUND_OFF, method)
            with self.subTest(method=method, slope=slope, errors=errors):
                self.assertLess(abs(slope - order), SLOPE_TOLERANCE)


if __name__ == "__main__":
    unittest.main(verbosity=2)
