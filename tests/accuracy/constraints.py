"""Constraint violations, recomputed from the trajectory as written.

Each model is run at rtol 1e-2 and at 1e-8, with 1,000 output points, in `make study` with 20,000:
many within each step, which are brought to the constraints in one way. At each of them its
constraints and their derivatives are evaluated by the formulas of constrained.py and measured as
|c| / sum_j |dc/dy_j| max(|y_j|, 1), the y_j being the derivatives of the highest order that
the level binds: for the second derivative of a constraint on positions the accelerations, which
follow from the multipliers."""

import re
import unittest

from constrained import CASES
from jets import Jet
from simulation import Trajectory, daedal

BOUND = 1e-10
POINTS = 1000 if daedal.THINNED else 20000
CLAIM = 10  # how far a violation that the statistics claim may be from the one found here


def gradients(case, t, values, base):
    """dc_i/dy_j, by differences: they only weigh the violation."""
    found = [[] for _ in base]
    for j, value in enumerate(values):
        step = 1e-7 * max(1, abs(value))
        moved = case.constraints(t, *values[:j], value + step, *values[j + 1 :])
        for row, a, b in zip(found, moved, base):
            row.append((a - b) / step)
    return found


def violations(case, row):
    """Level and violation, for each constraint, at a row of the trajectory."""
    t, bound = row["time"], case.derivatives(row)
    values, order = [one[0] for one in bound], len(bound[0])
    base = case.constraints(t, *values)
    slopes = gradients(case, t, values, base)
    levels = [[value] for value in base]
    if order > 1:
        time = Jet([t, 1.0] + [0.0] * (order - 2))
        jets = case.constraints(time, *(Jet.of(one) for one in bound))
        levels = [jet.derivatives() for jet in jets]
    for values, slope in zip(levels, slopes):
        for level, value in enumerate(values):
            weighed = (abs(g) * max(abs(y[level]), 1) for g, y in zip(slope, bound))
            yield level, abs(value) / sum(weighed)


def worst_levels(case, run):
    """The largest violation of each level over all rows."""
    worst = [0.0] * len(case.derivatives(run.row())[0])
    for k in range(len(run.time)):
        for level, value in violations(case, run.row(k)):
            worst[level] = max(worst[level], value)
    return worst


class Constraints(unittest.TestCase):
    def check(self, case, tolerance):
        run = Trajectory(
            case.model, rtol=tolerance, atol=tolerance, points=POINTS, **case.options
        )
        self.assertEqual(len(run.time), POINTS)
        self.assertLess(max(worst_levels(case, run)), BOUND)
        self.assert_claimed(run.stats)

    def assert_claimed(self, stats):
        """The statistics have a number for each level: as many as the structure shows, or more
        where it misleads and they were found otherwise."""
        levels = stats["max_constraint"]
        if stats["index"] == stats["structural_index"]:
            self.assertEqual(len(levels), stats["index"])
        self.assertGreaterEqual(len(levels), stats["index"])
        self.assertLess(max(levels), BOUND)


    def test_the_statistics_claim_what_is_true_of_a_run_that_is_not_projected(self):
        for name in "pendulum", "turning pendulum", "Andrews", "car axis":
            case = CASES[name]
            options = {"formulation": "index1", "projection": "none", "rtol": 1e-4, "atol": 1e-4}
            run = Trajectory(case.model, **options)
            pairs = list(zip(run.stats["max_constraint"], worst_levels(case, run)))
            for claimed, found in pairs[:2]:  # positions and velocities
                self.assertGreater(found, 1e-8, name)
                self.assertLess(claimed / found, CLAIM, name)
                self.assertLess(found / claimed, CLAIM, name)


def add_tests():
    """One test for each model and tolerance."""
    for name, case in CASES.items():
        for tolerance in 1e-2, 1e-8:

            def test(self, case=case, tolerance=tolerance):
                self.check(case, tolerance)

            test.__doc__ = f"{name} at {tolerance}"
            title = f"test_{name}_at_{tolerance:.0e}"
            setattr(Constraints, re.sub(r"\W+", "_", title), test)


add_tests()

if __name__ == "__main__":
    daedal.tell_left_out("rows of a run", 20000 - POINTS, 20000, "rows between others of the same steps")
    unittest.main(verbosity=2)
