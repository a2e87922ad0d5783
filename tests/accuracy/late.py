"""Late in time, and beside stiff forces: what the clock shows at the start changes nothing, and what
follows by large factors from states is as accurate as they are."""
import itertools
import math
import unittest

from simulation import daedal

TOLERANCES = (1e-4, 1e-6, 1e-8)
TIMES = (0, 64, 12345.625, 1e6)

# Rows whose structure misleads, of index 3: E y' = A y + f with integers.
DECEIVED = """model Misleaded
  parameter Real S = 0;
  Real y1(start = -0.875, fixed = true), y2(start = 0.625), y3(start = -0.25);
  Real y4(start = 0.75, fixed = true), y5(start = 0.5), y6(start = 0, fixed = true);
  Real y7(start = 0, fixed = true), s = time - S;
equation
  0 = 3*der(y7) + 2*der(y5) + 3*y7 + (-6)*y1 + 10*y3 + (-6)*y4 + (-2)*y2 -
    (-(-1.640625)*sin(0.875*s) + (-1.03125)*exp((-0.375)*s) + 3*(0.625 +
    (-0.625)*cos(0.875*s)) + (-6)*(0.875 + (-1.75)*exp(-s)) + 10*(0.5 + (-0.75)*cos(s)) +
    (-6)*((-0.875) + 1.625*exp((-1.25)*s)) + (-2)*((-0.25) + 0.875*cos(1.875*s)));
  0 = -y5 + ((-0.875) + 1.375*exp((-0.375)*s));
  0 = der(y1) + der(y6) + (-2)*der(y3) + der(y4) + 2*y7 + y1 + (-3)*y3 + y4 -
    (-(-1.75)*exp(-s) + (-0.625)*cos(0.5*s) - 1.5*sin(s) + (-2.03125)*exp((-1.25)*s) +
    2*(0.625 + (-0.625)*cos(0.875*s)) + (0.875 + (-1.75)*exp(-s)) + (-3)*(0.5 +
    (-0.75)*cos(s)) + ((-0.875) + 1.625*exp((-1.25)*s)));
  der(y6) - y3 = (-0.625)*cos(0.5*s) - (0.5 + (-0.75)*cos(s));
  0 = der(y3) + y6 - (-(-0.75)*sin(s) + (-1.25)*sin(0.5*s));
  2*der(y7) + der(y2) + 2*y7 + (-4)*y1 + 10*y3 + (-5)*y4 = -(-1.09375)*sin(0.875*s) -
    1.640625*sin(1.875*s) + 2*(0.625 + (-0.625)*cos(0.875*s)) + (-4)*(0.875 +
    (-1.75)*exp(-s)) + 10*(0.5 + (-0.75)*cos(s)) + (-5)*((-0.875) + 1.625*exp((-1.25)*s));
  0 = der(y7) + der(y5) + y7 + (-2)*y1 + 3*y3 + (-2)*y4 - y2 - (-(-0.546875)*sin(0.875*s) +
    (-0.515625)*exp((-0.375)*s) + (0.625 + (-0.625)*cos(0.875*s)) + (-2)*(0.875 +
    (-1.75)*exp(-s)) + 3*(0.5 + (-0.75)*cos(s)) + (-2)*((-0.875) + 1.625*exp((-1.25)*s)) -
    ((-0.25) + 0.875*cos(1.875*s)));
end Misleaded;
"""

# z holds x on s(t) against a force of 1e4 (x - s(t)): z = s'(t) + cos(t - S).
HELD = """model Held
  parameter Real S = 0;
  Real x, y(start = 0, fixed = true), z;
equation
  der(x) + 10000*(x - sin(1.25*(time - S))) = z - cos(time - S);
  der(y) + y = 0.5*z;
  x + 0.25*sin(x) = sin(1.25*(time - S)) + 0.25*sin(sin(1.25*(time - S)));
end Held;
"""

# A rod of length 1 whose end is damped by 1e5, and driven along the circle.
DAMPED = """model Damped
  Real x(start = 1, fixed = true), y(start = 0), u, v(start = 1), l;
equation
  der(x) = u; der(y) = v;
  der(u) = -2*x*l - cos(time) + 100000*(-sin(time) - u);
  der(v) = -2*y*l - sin(time) + 100000*(cos(time) - v) + 2*(y - sin(time));
  x^2 + y^2 = 1;
end Damped;
"""

# A row with a coefficient of 1e9 beside algebraic ones that combinations alone show: at the start
# b = -0.375 and d = 0.5, whatever is guessed.
STIFF_START = """model StiffStart
  Real a(start = 0, fixed = true), b(start = -0.38), c(start = -1.75, fixed = true);
  Real d(start = 0.545), e(start = -0.75, fixed = true);
equation
  der(a) + der(c) - 4*der(d) + 1e9*a + 1e9*b - 1e9*d - 1e9*e = 1e9*(-0.375 - 0.5 + 0.75) + 1;
  der(b) + 2*der(c) - 6*der(d) + 2*der(e) - 2*d + 2*e = 0.9375 - 2.5;
  der(b) + der(c) - 3*der(d) + der(e) - 2*b - 2*d + 2*e = 0.9375 + 0.75 - 2.5;
  -der(b) + b + d - e = -0.9375 - 0.375 + 0.5 + 0.75;
  -2*der(b) - b + 2*d - e = -1.875 + 0.375 + 1 + 0.75;
end StiffStart;
"""


# z holds y against a stiff force by less and less: what steps make of the rounding of the time grows
# with the length of the run before it, and falls with that of the step.
ROUNDED = """model Rounded
  parameter Real S = 0, T = 128;
  Real x(start = 0), y(start = 1.5, fixed = true), z(start = 1);
  Real s = time/T - S, h = 0.75*sin(0.5*s), g = 1.5*exp(-0.875*s);
equation
  T*der(x) + 1e6*(x - h) = 0.375*cos(0.5*s) + z - cos(s);
  T*der(y) + (y - g) = -0.875*g + 0.375*(1 - cos(y))*(z - cos(s));
  x + 0.375*(y - sin(y)) = h + 0.375*(g - sin(g));
end Rounded;
"""


def worst(run, exact, tolerance):
    """The largest error in tolerances."""
    return max(
        abs(row[name] - f(row["time"])) / (tolerance * (1 + abs(f(row["time"]))))
        for name, f in exact.items()
        for row in run.rows
    )


def solve(model, start, length, tolerance, **options):
    parts = {"points": 11, "start": start, "stop": start + length}
    return daedal.simulate(model, rtol=tolerance, atol=tolerance, **parts, **options)


class Late(unittest.TestCase):
    def assert_right(self, model, length, exact, **options):
        for start in TIMES:
            for tolerance in TOLERANCES:
                with self.subTest(start=start, tolerance=tolerance):
                    run = solve(model, start, length, tolerance, set=f"S={start}", **options)
                    since = {k: (lambda t, f=f, s=start: f(t - s)) for k, f in exact.items()}
                    self.assertLess(worst(run, since, tolerance), 20)

    def test_a_structure_that_misleads_is_seen_through(self):
        exact = {
            "y2": lambda s: -0.25 + 0.875 * math.cos(1.875 * s),
            "y5": lambda s: -0.875 + 1.375 * math.exp(-0.375 * s),
        }
        self.assert_right(DECEIVED, 1.375, exact)

    def test_a_stiff_force_is_held_by_its_multiplier(self):
        exact = {"z": lambda s: 1.25 * math.cos(1.25 * s) + math.cos(s)}
        self.assert_right(HELD, 2, exact)


    def test_steps_are_not_made_of_the_rounding_of_the_time(self):
        """Late, it alone makes of z some 20 tolerances of 1e-8 in steps of a hundredth of the run."""
        for start in TIMES:
            for method, rtol in itertools.product(("auto", "radau-iia5"), TOLERANCES):
                with self.subTest(start=start, method=method, rtol=rtol):
                    run = solve(ROUNDED, 128 * start, 256, rtol, set=f"S={start}", method=method)
                    error = worst(run, {"z": lambda t: math.cos(t / 128 - start)}, rtol)
                    self.assertLess(error, 100 if start == 1e6 and rtol == 1e-8 else 20)
                    self.assertLess(run.stats["steps"], 10000)


class Beside(unittest.TestCase):
    def test_the_multiplier_of_a_damped_rod(self):
        for tolerance in TOLERANCES:
            with self.subTest(tolerance=tolerance):
                run = solve(DAMPED, 0, 1.5, tolerance)
                exact = {"x": math.cos, "y": math.sin, "l": lambda t: 0.0}
                self.assertLess(worst(run, exact, tolerance), 20)
                self.assertEqual(run.stats["formulation"], "index1")
                self.assertIn("of its tolerances", run.stats["reasons"])

    def test_a_start_among_stiff_rows(self):
        first = solve(STIFF_START, 0, 1e-3, 1e-6).rows[0]
        self.assertAlmostEqual(first["b"], -0.375, delta=1e-9)
        self.assertAlmostEqual(first["d"], 0.5, delta=1e-9)


if __name__ == "__main__":
    unittest.main()
