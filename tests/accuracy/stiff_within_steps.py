"""Within steps as at their ends: a multiplier beside a stiff direction, of which an error of the state
is multiplied by the stiffness."""
import itertools
import math
import unittest

from simulation import MODELS, Trajectory, daedal

MODEL = MODELS / "StiffBesideConstraint.mo"
FIRST_LEVEL = MODELS / "StiffInFirstLevel.mo"
BOUND = 30  # tolerances: of degree s within, a method's derivatives have an order less

MOST_STEPS = 1000  # of smooth motions; methods that creep take 10^5


def worst(run, rtol):
    """In tolerances, over all rows, of the multiplier and of the state."""
    z = max(abs(a - math.sin(2 * t)) / (rtol * (1 + abs(math.sin(2 * t))))
            for t, a in zip(run.time, run["z"]))
    x = max(abs(a - math.sin(t)) / rtol for t, a in zip(run.time, run["x1"]))
    return z, x


# The constraint takes the stiffness of y: what is left of it is rate (2 bend sin 2x)^2, and vanishes
# where sin 2x does; there an error of x is one of z, root(rate) times as large.
PASSING = """model Passing
  Real x(start = 1.2, fixed = true), y(start = 0), z(start = 1.5);
equation
  der(y) + {rate}*y - z = 0.9*cos(1.5*time) + {rate}*({y}) - ({z});
  y + {bend}*cos(2*x) = {y} + {bend}*cos(2*({x}));
  der(x) + x + {bend}*sin(2*x)*z = -0.9*{speed}*sin({speed}*time) + ({x})
    + {bend}*sin(2*({x}))*({z});
end Passing;
"""


def passing(rate, bend, speed):
    return PASSING.format(rate=rate, bend=bend, speed=speed, y="0.6*sin(1.5*time)",
                          x=f"0.3 + 0.9*cos({speed}*time)", z="1 + 0.5*exp(-time)")


# Charged through a small resistance by what a constraint moves: the current is a solved one.
CHARGED = """model Charged
  Real x(start = 0.6), y(start = -0.8, fixed = true), vx(start = 0), vy(start = 0, fixed = true), F;
  Real q(start = 0.6, fixed = true), i;
equation
  der(x) = vx;  der(y) = vy;
  der(vx) = -F*x;  der(vy) = -F*y - 9.81;
  x^2 + y^2 = 1;
  {R}*(i + 0.1*i^3) = x - q;
  der(q) = i;
end Charged;
"""


class BesideAProjection(unittest.TestCase):
    def test_what_is_stiff_follows_what_is_projected(self):
        for resistance, method in itertools.product([1e-4, 1e-5, 1e-6], ["bdf", "mebdf"]):
            with self.subTest(resistance=resistance, method=method):
                run = daedal.simulate(CHARGED.format(R=resistance), method=method, stop=2, points=2,
                                      formulation="index1")
                self.assertLess(run.stats["steps"], MOST_STEPS)
                # x - q = R*(i + ...), i = vx: by the energy of the pendulum
                last = run.rows[-1]
                self.assertAlmostEqual(last["i"], last["vx"], delta=2*resistance*9.81 + 3e-5)


class StiffnessThatVanishes(unittest.TestCase):
    """No algebraic variable is let go because the others are within their tolerances."""

    def check(self, methods, rates):
        cases = itertools.product(methods, rates, [0.4], [1.25, 2.1], [1e-4, 1e-6])
        for method, rate, bend, speed, rtol in cases:
            with self.subTest(method=method, rate=rate, bend=bend, speed=speed, rtol=rtol):
                run = daedal.simulate(passing(rate, bend, speed), method=method, rtol=rtol, atol=rtol,
                                      stop=3, points=301)
                z = max(abs(r["z"] - 1 - 0.5 * math.exp(-r["time"])) for r in run.rows)
                self.assertLess(z, 2 * BOUND * rtol)

    def test_one_step_methods(self):
        self.check(["auto", "radau", "radau-iia5"], [1e4, 1e5, 1e6])

    def test_a_one_step_method_that_is_explicit(self):
        rates = [1e4, 1e5] if daedal.THINNED else [1e4, 1e5, 1e6]
        daedal.tell_left_out("rates", 3 - len(rates), 3, "150,000 steps a run")
        self.check(["state-space-dop853"], rates)

    def test_multistep_methods(self):
        self.check(["bdf", "mebdf"], [1e4, 1e5])

    def test_high_orders_at_tight_tolerances(self):
        """The error of z where steps end is of the order of the stages: it is not held at the larger
        tolerance that the error of a step is."""
        for rate, bend in itertools.product([1e3, 1e4, 1e5], [0.2, 0.4]):
            with self.subTest(rate=rate, bend=bend):
                run = daedal.simulate(passing(rate, bend, 1.25), method="radau-iia5", rtol=1e-8,
                                      atol=1e-8, stop=3, points=301)
                z = max(abs(r["z"] - 1 - 0.5 * math.exp(-r["time"])) for r in run.rows)
                self.assertLess(z, 10e-8)


# A stiff x whose derivative belongs to the second level, while x itself belongs to the first: where the
# second level holds x, an error of x is one of z, rate times as large, and rate squared of v.
HELD = """model Held
  Real x(start = 0, fixed = true), u(start = 1), z, v, y(start = 1, fixed = true);
equation
  der(x) + {rate}*(x - sin(3*time)) = 3*cos(3*time);
  u + x = sin(3*time) + exp(-time);
  z = der(u);
  v = der(z);
  der(y) + 10*v = 10*exp(-time) - y;
end Held;
"""


class StiffVariableOfALevelBefore(unittest.TestCase):
    def test_values_stay_near_the_polynomial(self):
        for method, rate, rtol in itertools.product(["auto", "radau", "radau-iia5"], [1e3, 1e4, 1e5],
                                                    [1e-6, 1e-8]):
            with self.subTest(method=method, rate=rate, rtol=rtol):
                run = daedal.simulate(HELD.format(rate=rate), method=method, rtol=rtol, atol=rtol,
                                      stop=3, points=301)
                error = {name: max(abs(r[name] - sign * math.exp(-r["time"])) for r in run.rows)
                         for name, sign in [("u", 1), ("z", -1), ("y", 1)]}
                self.assertLess(error["u"], rtol)
                self.assertLess(error["z"], 100 * rtol)
                self.assertLess(error["y"], 100 * rtol)


class StiffMixed(unittest.TestCase):
    """Level by level y2, y3 and y6 went off by thousands of tolerances, within steps and at ends."""

    def exact(self, t):
        s = t - 12345.625
        return {
            "y1": 0.5 - 0.75 * math.exp(-1.5 * s),
            "y2": -0.375 + 1.125 * math.exp(-1.25 * s),
            "y3": -1.375 * math.cos(t),
            "y4": 1.5 * math.sin(1.5 * s),
            "y5": -0.5 + 1.375 * math.sin(0.75 * s),
            "y7": 0.4375 * s + 1.75 * math.sin(0.5 * t),
        }

    def test_rows_stay_near_the_solution(self):
        for rtol in 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8:
            run = Trajectory(MODELS / "StiffMixed.mo", rtol=rtol, points=101)
            for k, t in enumerate(run.time):
                for name, value in self.exact(t).items():
                    off = abs(run[name][k] - value) / (rtol * (1 + abs(value)))
                    self.assertLess(off, BOUND, (rtol, t, name))


class StiffWithinSteps(unittest.TestCase):
    def test_multiplier_between_steps(self):
        for method in ["auto", "radau", "radau-iia5", "rodas5p"]:
            for rtol in [1e-4, 1e-6, 1e-8]:
                with self.subTest(method=method, rtol=rtol):
                    run = Trajectory(MODEL, method=method, rtol=rtol, atol=rtol, points=201)
                    z, x = worst(run, rtol)
                    self.assertLess(z, BOUND)
                    self.assertLess(x, 1)

    def test_multistep_methods_do_not_creep(self):
        for method, rtol, projection in [("bdf", 1e-4, "auto"), ("bdf", 1e-6, "none"),
                                         ("mebdf", 1e-4, "auto"), ("mebdf", 1e-6, "auto"),
                                         ("mebdf", 1e-8, "auto"), ("mebdf", 1e-8, "none")]:
            with self.subTest(method=method, rtol=rtol, projection=projection):
                run = Trajectory(MODEL, method=method, rtol=rtol, atol=rtol, points=201,
                                 projection=projection)
                z, x = worst(run, rtol)
                self.assertLess(z, BOUND)
                self.assertLess(x, 1)
                self.assertLess(run.stats["steps"], MOST_STEPS)

    def test_stiff_variable_of_the_first_level(self):
        """An error of x, times its stiffness, is one of x': it is not to go into y and z."""
        solution = {"x": math.sin, "y": math.cos, "z": lambda t: math.sin(2 * t)}
        for method in ["auto", "radau", "rodas5p", "esdirk4", "bdf", "mebdf"]:
            for rtol in [1e-4, 1e-6, 1e-8]:
                with self.subTest(method=method, rtol=rtol):
                    run = Trajectory(FIRST_LEVEL, method=method, rtol=rtol, atol=rtol, points=201)
                    self.assertLess(run.stats["steps"], MOST_STEPS)
                    for name, at in solution.items():
                        error = max(abs(a - at(t)) for t, a in zip(run.time, run[name]))
                        self.assertLess(error, 10 * rtol, name)

    def test_rows_change_no_step(self):
        ends = []
        for points in [2, 3, 201]:
            run = Trajectory(MODEL, points=points)
            ends.append((run.stats["steps"], run.row()))
        self.assertEqual(ends[0], ends[1])
        self.assertEqual(ends[0], ends[2])


# Terms of the size cancel, so that their rounding is the slope's: x' is known to 1e4 size epsilon.
CANCELLING = """model Cancelling
  Real x(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = -1e4*(exp(log({size} + x)) - {size} - sin(time)); der(z) = x - z;
end Cancelling;
"""


class RoundOff(daedal.CommandTest):
    def test_errors_held_at_round_off_are_noted(self):
        text = MODEL.read_text().replace("L = 1e6", "L = 1e8")
        for rtol, held in [(1e-9, True), (1e-5, False)]:
            said = daedal.run(["run", "-", f"--rtol={rtol}", "--stop=3"], text).err
            self.assertEqual("errors of z are held at" in said, held, said)

    def test_rows_where_terms_cancel(self):
        for size in "1e5", "1e6":
            for rtol in 1e-4, 1e-6:
                text = CANCELLING.format(size=size)
                run = daedal.simulate(text, stop=5, rtol=rtol, atol=rtol, points=101)
                for row in run.rows[1:]:
                    t = row["time"]  # the slow motion: x' = cos t - sin t / 1e4 ...
                    exact = math.sin(t) - math.cos(t) / 1e4
                    self.assert_near(row["x"], exact, 10 * rtol + 1e-8)


if __name__ == "__main__":
    unittest.main()
