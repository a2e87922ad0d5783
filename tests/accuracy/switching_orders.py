"""The order of methods across events, by constant steps that events interrupt, and what events cost.

Relations keep their modes within a step, and an event is located on its polynomial. So the error
after events falls with the order of the polynomial or of the method, whichever is less: what is
measured is that it falls with the order of the method where the polynomial has it as well."""

import unittest
from math import exp, log

from simulation import MODELS, Trajectory, log_slope
from switching import tight

FOLDER = MODELS / "switching"

# Orders of the ends of steps, and of values within a step, of which the least counts where a state
# decides the time of an event.
BY_STATE = {"rk4": 4, "radau-iia2": 3, "esdirk3": 3, "heun2": 2, "bdf2": 2, "implicit-euler": 1}
BY_TIME = {**BY_STATE, "radau-iia3": 5, "gauss2": 4, "kvaerno5": 5, "dopri5": 5, "bdf4": 4}


def logistic(x, rate, t):
    """x' = rate x (1 - x)"""
    odds = x / (1 - x) * exp(rate * t)
    return odds / (1 + odds)


class Orders(unittest.TestCase):
    def check(self, name, expected, options, orders, steps):
        for method, order in orders.items():
            errors = []
            for n in steps:
                run = Trajectory(FOLDER / f"{name}.mo", method=method, step=1 / n, points=2, **options)
                errors.append(abs(run["x"][-1] - expected))
            found = -log_slope(steps, errors)
            print(f"{name:12}{method:16}order {order}, measured {found:.2f}", flush=True)
            with self.subTest(model=name, method=method, errors=errors):
                self.assertGreater(found, order - 0.4)

    def test_a_state_switches(self):
        """From 0.1 by rate 3 to 1/2 at log(9)/3, then by rate 1."""
        end = logistic(0.5, 1, 2 - log(9) / 3)
        self.check("Logistic", end, {"stop": 2}, BY_STATE, [11, 17, 25, 37, 53])

    def test_times_switch(self):
        x, t, m = 0.3, 0.0, 0
        for k in range(1, 8):
            x, t, m = logistic(x, 3 if m else -2, 0.37 * k - t), 0.37 * k, 1 - m
        end = logistic(x, 3 if m else -2, 2.7 - t)
        self.check("TimedLogistic", end, {"stop": 2.7}, BY_TIME, [29, 41, 61, 89, 131])


class Costs(unittest.TestCase):
    """Steps of a run with events, less those of a run whose right side moves smoothly at the same
    pace, per event."""

    def test_steps_per_event(self):
        for method in "dopri5", "radau-iia3", "radau-iia5", "rodas5p", "rodas4", "kvaerno5", "esdirk4":
            for rtol in 1e-4, 1e-6:
                run = Trajectory(FOLDER / "Pulses.mo", method=method, stop=2, points=2, **tight(rtol))
                events = run.stats["time_events"]
                calm = Trajectory(FOLDER / "Pulses.mo", method=method, stop=2, points=2,
                                  set="period=10", **tight(rtol))
                more = (run.stats["steps"] - calm.stats["steps"]) / events
                print(f"{method:12}{rtol:g}: {more:.2f} steps more per event", flush=True)
                with self.subTest(method=method, rtol=rtol):
                    self.assertGreaterEqual(events, 199)
                    self.assertLessEqual(more, 3)

    def test_stiff_equations_behind_an_event(self):
        """Each mode by itself takes some 300 steps: values within steps are judged in their own."""
        for method in "bdf", "mebdf", "radau-iia5", "rodas5p":
            run = Trajectory(FOLDER / "StiffModes.mo", method=method, stop=1.2, points=2, **tight(5e-9))
            self.assertEqual(run.stats["events"], 1)
            self.assertLess(run.stats["steps"], 1500, method)
            self.assertAlmostEqual(run["x"][-1], -480 / 250, delta=1e-7)

    def test_a_train_costs_what_its_edges_cost(self):
        for method in "dopri5", "rodas5p":
            few, many = (Trajectory(FOLDER / "Pulses.mo", method=method, stop=stop, points=2, **tight(1e-4))
                         for stop in (2, 20))
            ratio = many.stats["residual_calls"] / few.stats["residual_calls"]
            self.assertLess(ratio, 10.5, method)


if __name__ == "__main__":
    unittest.main(verbosity=2)
