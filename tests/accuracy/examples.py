"""The examples against references: each run as a user would run it, with the tolerance stated."""

import math
import unittest

import references
from simulation import Run


def worst(run, reference, names, relative=False):
    """Largest difference at the end of a run to a table of values."""
    end = run.row()
    return max(abs(end[n] - reference[n]) / (abs(reference[n]) if relative else 1) for n in names)


class Pendulums(unittest.TestCase):
    def test_references_agree_with_a_second_source(self):
        times = [0.5, 1, 2, 3, 5, 7, 10]
        turning = references.taylor_pendulum(times, 0.0, 7.0)
        swinging = references.taylor_pendulum(times, -math.pi / 2, 0.0)
        for t in times:
            for name in "x", "y", "vx", "vy", "F":
                self.assertAlmostEqual(references.turning_pendulum(t)[name], turning[t][name], delta=1e-11 * max(1, abs(turning[t][name])))
                self.assertAlmostEqual(references.swinging_pendulum(t)[name], swinging[t][name], delta=1e-11 * max(1, abs(swinging[t][name])))
        # multibody.md, (a), 17 digits
        self.assertAlmostEqual(references.swinging_pendulum(10)["x"], -0.27508746257611686, delta=1e-13)
        self.assertAlmostEqual(references.swinging_pendulum(5)["vy"], -2.4149286543704886, delta=1e-13)

    def test_swinging_and_turning_over_keep_six_digits_for_ten_seconds(self):
        for model, reference in (("pendulum", references.swinging_pendulum),
                                 ("turning_pendulum", references.turning_pendulum)):
            run = Run(model, rtol=1e-8, atol=1e-8, points=2001)
            self.assertEqual(run.stats["structural_index"], 3)
            self.assertEqual(run.stats["index"], 3)
            for k, t in enumerate(run.time):
                exact = reference(t)
                for name in "x", "y", "vx", "vy":
                    self.assertLess(abs(run[name][k] - exact[name]), 1e-6, f"{model} {name} at {t}")


class TestSet(unittest.TestCase):
    def test_andrews_squeezer_as_written(self):
        run = Run("andrews", rtol=1e-8, atol=1e-8)
        self.assertLess(worst(run, references.ANDREWS, references.ANDREWS, relative=True), 1e-6)
        self.assertEqual(run.stats["index"], 3)

    def test_transistor_amplifier_as_written(self):
        run = Run("transistor_amplifier", rtol=1e-7, atol=1e-7)
        reference = references.TRANSISTOR_AMPLIFIER
        self.assertLess(worst(run, reference, reference, relative=True), 1e-6)
        self.assertEqual((run.stats["structural_index"], run.stats["index"]), (0, 1))

    def test_car_axis(self):
        run = Run("car_axis", rtol=1e-8, atol=1e-8)
        self.assertLess(worst(run, references.CAR_AXIS, references.CAR_AXIS), 1e-6)

    def test_chemical_akzo_nobel(self):
        run = Run("chemical_akzo_nobel", rtol=1e-8, atol=1e-8)
        self.assertLess(worst(run, references.CHEMICAL_AKZO_NOBEL, references.CHEMICAL_AKZO_NOBEL), 1e-7)

    def test_van_der_pol_with_eps_1e_6(self):
        run = Run("van_der_pol", set=["y=2", "z=0"], stop=2, rtol=1e-8, atol=1e-8)
        run_fixed = Run("van_der_pol", set=["eps=1e-6"], stop=2, rtol=1e-8, atol=1e-8)
        for one in run, run_fixed:
            self.assertLess(worst(one, references.VAN_DER_POL, "yz"), 1e-6)


class Linear(unittest.TestCase):
    def test_index_2_whose_structure_deceives(self):
        run = Run("linear_index2", rtol=1e-8, atol=1e-8)
        self.assertEqual((run.stats["structural_index"], run.stats["index"]), (1, 2))
        self.assertIn("deceives", run.stats["reasons"])
        for k, t in enumerate(run.time):
            x3 = t ** 3 + math.cos(t) - math.sin(t)
            x1 = (-math.cos(t) - t - x3) / 2
            x2 = -math.cos(t) - t ** 3 - x1
            for name, value in ("x1", x1), ("x2", x2), ("x3", x3):
                self.assertLess(abs(run[name][k] - value), 1e-7 * max(1, abs(value)), f"{name} at {t}")

    def test_index_3(self):
        run = Run("linear_index3", rtol=1e-8, atol=1e-8)
        self.assertEqual(run.stats["index"], 3)
        for k, t in enumerate(run.time):
            exact = {"x": math.sin(t) + math.cos(2 * t), "y": math.cos(t), "lambda": math.exp(-t)}
            for name, value in exact.items():
                self.assertLess(abs(run[name][k] - value), 3e-7, f"{name} at {t}")


def path_of_last_mass(t, order):
    """Derivatives of sin(t)."""
    return math.sin(t + order * math.pi / 2)


class HighIndex(unittest.TestCase):
    def test_prescribed_motion_of_index_7(self):
        """The springs' forces follow from the path of the last mass and its derivatives: s2 = m sin(t), and
        so on backwards; the elongation solves the cubic k d + b d^3 = s by Newton's iteration here."""
        m, k, b = 0.5, 20.0, 5.0
        run = Run("prescribed_motion", rtol=1e-6, atol=1e-6, points=601)
        self.assertEqual((run.stats["structural_index"], run.stats["index"]), (7, 7))
        h = 1e-3

        def elongation(s):
            d = s / k
            for _ in range(50):
                d -= (k * d + b * d ** 3 - s) / (k + 3 * b * d * d)
            return d

        def second_mass(t):
            return math.sin(t) - elongation(m * math.sin(t))

        def second(f, t):  # sixth-order difference of the second derivative
            return (2 * (f(t - 3 * h) + f(t + 3 * h)) - 27 * (f(t - 2 * h) + f(t + 2 * h))
                    + 270 * (f(t - h) + f(t + h)) - 490 * f(t)) / (180 * h * h)

        for i in range(0, 601, 20):
            t = run.time[i]
            q2 = second_mass(t)
            s1 = m * math.sin(t) - m * second(second_mass, t)
            self.assertLess(abs(run["q[2]"][i] - q2), 1e-12)
            self.assertLess(abs(run["s[2]"][i] - m * math.sin(t)), 1e-11)
            self.assertLess(abs(run["s[1]"][i] - s1), 1e-8)  # the difference's own error
            self.assertLess(abs(run["q[1]"][i] - (q2 - elongation(s1))), 1e-9)


class Sparse(unittest.TestCase):
    def test_rc_ladder_of_1000_and_10000_nodes(self):
        nodes = [1, 2, 10, 50, 100, 500]
        for n in 1000, 10000:
            run = Run("rc_ladder", set=[f"N={n}"], rtol=1e-7, atol=1e-7, points=5,
                      vars=",".join(f"v[{i}]" for i in nodes))
            self.assertEqual(run.stats["linear_solver"], "klu")
            self.assertLess(run.stats["factor_nonzeros"], 10 * n)
            for k, t in enumerate(run.time[1:], 1):
                exact = references.rc_ladder(n, t, nodes)
                for i in nodes:
                    self.assertLess(abs(run[f"v[{i}]"][k] - exact[i]), 3e-6, f"v[{i}] at {t}, n = {n}")


class StiffLimit(unittest.TestCase):
    def test_reduced_van_der_pol_equation_and_where_it_ends(self):
        """eps = 0: log(y) - y^2/2 = t + log(2) - 2, until y = 1."""
        run = Run("van_der_pol", set=["eps=0"], stop=0.8, rtol=1e-8, atol=1e-8)
        self.assertEqual(run.stats["structural_index"], 1)
        for k, t in enumerate(run.time):
            y = run["y"][k]
            self.assertLess(abs(math.log(y) - y * y / 2 - t - math.log(2) + 2), 1e-7)
        beyond = Run("van_der_pol", check=False, set=["eps=0"], stop=1)
        self.assertEqual(beyond.code, 1)
        self.assertAlmostEqual(beyond.time[-1], 1.5 - math.log(2), delta=1e-2)
        self.assertIn("t = 0.80685", beyond.errors)

    def test_singular_perturbation_at_one_tolerance(self):
        """Error against the limit eps = 0 bounded by 30 rtol + O(eps), number of steps bounded."""
        rtol = 1e-6
        reduced = Run("singular_perturbation", set=["eps=0", "z=0.8"], rtol=1e-11, atol=1e-11, at="0.5,1,2",
                      check=False)
        # z is fixed in the model: the reduced equation is started from a consistent value
        self.assertEqual(reduced.code, 3)
        limit = self.limit([0.5, 1, 2])
        for exponent in range(2, 11):
            eps = 10.0 ** -exponent
            run = Run("singular_perturbation", set=[f"eps={eps}"], rtol=rtol, atol=rtol, at="0.5,1,2")
            self.assertLess(run.stats["steps"], 120)
            for k in range(3):
                self.assertLess(abs(run["y"][k] - limit[k]), 30 * rtol + 3 * eps, f"eps = {eps}")

    @staticmethod
    def limit(times):
        """y' = -y + z, z (1 + z^2) = 2 cos(y) by classical Runge-Kutta with 20,000 steps a unit."""
        def rate(y):
            z = 0.8
            for _ in range(30):
                z -= (z * (1 + z * z) - 2 * math.cos(y)) / (1 + 3 * z * z)
            return z - y

        values, y, n, t = [], 1.0, 2000, 0
        for end in times:
            steps = round((end - t) * n)
            for _ in range(steps):
                h = 1 / n
                k1 = rate(y)
                k2 = rate(y + h / 2 * k1)
                k3 = rate(y + h / 2 * k2)
                k4 = rate(y + h * k3)
                y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            values.append(y)
            t = end
        return values


if __name__ == "__main__":
    unittest.main(verbosity=2)
