"""Where the structure deceives and freedom is left: the integrated part must not be moved by the
projection, and the error falls with the tolerance as on any other problem."""
import math
import unittest

import references
from simulation import MODELS, Trajectory, daedal, log_slope

TOLERANCES = [10.0**-k for k in range(4, 11)]
BOUND, LEAST_SLOPE, CONSTRAINT = 30, 0.7, 1e-10
METHOD = "radau-iia3"  # a slope is that of one method


def index_2(t):
    """The exact solution; u(0) = 1/2."""
    u, v = (math.sin(t) + math.cos(t)) / 2, (math.sin(t) - math.cos(t)) / 2
    return {"u": u, "v": v, "s": 1.5 * math.exp(-t) - u}


def circuit(times, steps=200):
    """The two capacitor voltages as an ODE, by the classical method of order 4: values at `times`,
    which are in equal distances, with so many steps between them."""

    def nodes(t, v2, w):
        v3 = (v2 / 2 + w) / (1 / 2 + 1 / 3 + 1)
        return v3, v3 - w

    def slope(t, state):
        v2, w = state
        v3, v4 = nodes(t, v2, w)
        return (2 * math.cos(2 * t) - v2 - (v2 - v3) / 2) / 1.5, v4 / 0.7

    state, found = (0.2, 0.5), []
    h = (times[1] - times[0]) / steps
    for t in times:
        v3, v4 = nodes(t, *state)
        current = slope(t, state)[0] - 2 * math.cos(2 * t)
        found.append(
            {"v1": math.sin(2 * t), "v2": state[0], "v3": v3, "v4": v4, "i": current, "w": state[1]}
        )
        for k in range(steps):
            at, stages = t + k * h, []
            for part in 0, h / 2, h / 2, h:
                last = stages[-1] if stages else (0, 0)
                stages.append(slope(at + part, [a + part * b for a, b in zip(state, last)]))
            weights = (h / 6, h / 3, h / 3, h / 6)
            state = tuple(
                a + sum(b * stage[j] for b, stage in zip(weights, stages))
                for j, a in enumerate(state)
            )
    return found


# x = sin t, y = cos t, z = -sin t: index 3, mixed so that the structure shows index 1.
INDEX_3 = """model Index3
  Real x, y, z;
equation
  der(x) - y + x - sin(time) = 0;
  der(x) - y + der(y) - z = 0;
  x - sin(time) + 2*(der(y) - z) = 0;
end Index3;
"""


class Undetermined(daedal.CommandTest):
    def test_constraints_that_were_not_found_are_not_passed_over_in_silence(self):
        check = daedal.run(["check", "-"], INDEX_3)
        self.assert_says(check.out, "index not determined", "freedom and states not determined")
        self.assert_says(check.err, "the hidden constraints were not determined")
        run = daedal.simulate(INDEX_3, status=1, points=3)
        self.assertIsNone(run.stats["index"])
        self.assertIn("hidden constraints not determined", run.stats["reasons"])


class AlongAlgebraicDirections(unittest.TestCase):
    """Of index 1: the charges of the transistor amplifier stay where the method has brought them.
    Gauss' method is exact enough that its error at the end is that of the projection."""

    def error(self, method, rtol, projection):
        run = Trajectory(
            "transistor_amplifier", rtol=rtol, atol=rtol, method=method, projection=projection
        )
        self.assertLess(max(run.stats["max_constraint"]), 1e-14)
        return max(
            abs(run.row()[name] - value) / (rtol + rtol * abs(value))
            for name, value in references.TRANSISTOR_AMPLIFIER.items()
        )

    def test_the_end_is_as_exact_as_the_method(self):
        for method in "auto", "radau-iia3", "radau-iia5", "radau", "mebdf", "gauss3", "rodas4":
            for rtol in 1e-4, 1e-6, 1e-8:
                self.assertLess(self.error(method, rtol, "auto"), 1, (method, rtol))

    def test_the_shortest_way_moves_the_charges(self):
        self.assertGreater(self.error("gauss3", 1e-8, "coordinate"), 1)


class Deceived(unittest.TestCase):
    def error(self, name, rtol, reference, method):
        run = Trajectory(MODELS / f"{name}.mo", rtol=rtol, atol=rtol, points=51, method=method)
        self.assertEqual(run.stats["index"], 2)
        self.assertLess(max(run.stats["max_constraint"]), CONSTRAINT)
        error = max(
            abs(run[variable][k] - value)
            for k, row in enumerate(reference(run.time))
            for variable, value in row.items()
        )
        self.assertLess(error, BOUND * rtol, (name, rtol, method))
        return error

    def study(self, name, reference):
        """Errors of one method fall with the tolerance; those of auto, which changes its methods
        with it, are bounded."""
        errors = [self.error(name, rtol, reference, METHOD) for rtol in TOLERANCES]
        self.assertGreaterEqual(log_slope(TOLERANCES, errors), LEAST_SLOPE, errors)
        for rtol in TOLERANCES:
            self.error(name, rtol, reference, "auto")

    def test_index_2_with_one_degree_of_freedom(self):
        self.study("DeceivingIndex2", lambda times: [index_2(t) for t in times])

    def test_a_typical_size_moves_nothing_that_is_integrated(self):
        """What the projection leaves alone are directions of the unknowns, not of their sizes."""
        text = (MODELS / "DeceivingIndex2.mo").read_text()
        sized = text.replace("Real u,", "Real u(nominal = 100),")
        self.assertNotEqual(sized, text)
        run = daedal.simulate(sized, rtol=1e-8, atol=1e-8, method=METHOD, points=2)
        self.assertLess(abs(run.rows[-1]["s"] - index_2(3)["s"]), BOUND * 1e-8)

    def test_a_circuit_with_a_floating_capacitor(self):
        self.study("FloatingCapacitor", circuit)

    def test_fixed_steps_leave_nothing_behind(self):
        errors = []
        for step in 0.1, 0.05, 0.025:
            run = Trajectory(MODELS / "FloatingCapacitor.mo", step=step, points=51)
            exact = circuit(run.time)
            errors.append(max(abs(run["v2"][k] - row["v2"]) for k, row in enumerate(exact)))
        self.assertGreater(log_slope([0.1, 0.05, 0.025], errors), 4.8)


if __name__ == "__main__":
    unittest.main()
