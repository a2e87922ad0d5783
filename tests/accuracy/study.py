"""The tolerance study: error over all output points against rtol = atol = 1e-4 ... 1e-10.

Differential variables keep within 30 rtol max(1, |y|), algebraic ones within 300 rtol max(1, |z|),
and both errors fall with the tolerance: the slope of their logarithm over that of rtol is at least
0.7. The number of steps grows as rtol^(-1/5), which is what a method of order 5 needs.
Abbreviations, which are functions of the others written out, are algebraic variables, too.
References along the trajectory are exact solutions where there are; else the program's
own run at rtol = atol = 1e-12, which is itself held against the published reference at the end."""

import functools
import math
import unittest
from collections import namedtuple

import references
from simulation import Trajectory, log_slope

TOLERANCES = [10.0**-k for k in range(4, 11)]
REFERENCE_TOLERANCE = 1e-12
BOUND, ALGEBRAIC_BOUND, LEAST_SLOPE = 30, 300, 0.7
STEPS_EXPONENT, EXPONENT_TOLERANCE = -0.2, 0.05

# differential, algebraic: names of variables, or of two whose difference it is. In the transistor
# amplifier only the voltages of the capacitors are differentiated.
Problem = namedtuple("Problem", "differential algebraic exact published")
PROBLEMS = {
    "turning_pendulum": Problem("x y vx vy", "F", references.turning_pendulum, None),
    "linear_index3": Problem("x y u v", "lambda", references.linear_index3, None),
    "transistor_amplifier": Problem(
        "y2-y1 y3 y5-y4 y6 y8-y7",
        "y1 y2 y4 y5 y7 y8",
        None,
        references.TRANSISTOR_AMPLIFIER,
    ),
    "chemical_akzo_nobel": Problem(
        "y1 y2 y3 y4 y5", "y6 r1 r2 r3 r4 r5 Fin", None, references.CHEMICAL_AKZO_NOBEL
    ),
    "car_axis": Problem(
        "xl yl xr yr ul vl ur vr", "lam1 lam2 xb yb Ll Lr", None, references.CAR_AXIS
    ),
}

Row = namedtuple("Row", "rtol steps differential algebraic")


def column(table, name):
    """A variable, or the difference of two."""
    first, _, second = name.partition("-")
    if not second:
        return table[first]
    return [a - b for a, b in zip(table[first], table[second])]


def largest_error(run, reference, names):
    """Relative to values above 1, over all output points."""
    errors = (
        abs(found - value) / max(1, abs(value))
        for name in names.split()
        for found, value in zip(column(run, name), column(reference, name))
    )
    return max(errors, default=0)


@functools.cache
def reference_of(name):
    """Columns of values at the output points, and the run that they come from, if it is one."""
    problem = PROBLEMS[name]
    run = Trajectory(
        name, rtol=REFERENCE_TOLERANCE, atol=REFERENCE_TOLERANCE, method="radau-iia3"
    )
    if not problem.exact:
        return run.columns, run
    states = [problem.exact(t) for t in run.time]
    return {variable: [state[variable] for state in states] for variable in states[0]}, None


def study(name):
    rows = []
    reference, _ = reference_of(name)
    for rtol in TOLERANCES:
        run = Trajectory(name, rtol=rtol, atol=rtol, method="radau-iia3")
        errors = [largest_error(run, reference, names) for names in PROBLEMS[name][:2]]
        rows.append(Row(rtol, run.stats["steps"], *errors))
    return rows


def slopes(rows):
    tolerances = [row.rtol for row in rows]
    return [
        log_slope(tolerances, [row.differential for row in rows]),
        log_slope(tolerances, [row.algebraic for row in rows]),
        log_slope(tolerances, [row.steps for row in rows]),
    ]


def print_table(name, rows):
    for row in rows:
        digits = -math.log10(max(row.differential, row.algebraic))
        print(
            f"{name:22}{row.rtol:8.0e}{row.steps:8}{row.differential:14.2e}{row.algebraic:11.2e}"
            f"{digits:8.1f}"
        )
    differential, algebraic, steps = slopes(rows)
    print(f"{name:22}{'slope':>8}{steps:8.2f}{differential:14.2f}{algebraic:11.2f}", flush=True)


class Study(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"{'problem':22}{'rtol':>8}{'steps':>8}{'differential':>14}{'algebraic':>11}  digits")

    def check(self, name):
        rows = study(name)
        print_table(name, rows)
        for row in rows:
            with self.subTest(row=row):
                self.assertLess(row.differential, BOUND * row.rtol)
                self.assertLess(row.algebraic, ALGEBRAIC_BOUND * row.rtol)
        differential, algebraic, steps = slopes(rows)
        self.assertGreaterEqual(differential, LEAST_SLOPE)
        self.assertGreaterEqual(algebraic, LEAST_SLOPE)
        self.assertLess(abs(steps - STEPS_EXPONENT), EXPONENT_TOLERANCE)

    def check_reference(self, name):
        """The run that serves as the reference ends at the published one."""
        end = reference_of(name)[1].row()
        for variable, value in PROBLEMS[name].published.items():
            self.assertLess(abs(end[variable] - value), 1e-10, f"{name}: {variable}")

    def test_turning_pendulum(self):
        self.check("turning_pendulum")

    def test_linear_index_3(self):
        self.check("linear_index3")

    def test_transistor_amplifier(self):
        self.check_reference("transistor_amplifier")
        self.check("transistor_amplifier")

    def test_chemical_akzo_nobel(self):
        self.check_reference("chemical_akzo_nobel")
        self.check("chemical_akzo_nobel")

    def test_car_axis(self):
        self.check_reference("car_axis")
        self.check("car_axis")


if __name__ == "__main__":
    unittest.main(verbosity=0)
