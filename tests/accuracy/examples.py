"""The examples against references: each run as a user would run it, with the tolerance stated."""

import math
import unittest

import references
from simulation import Trajectory

TIGHT = {"rtol": 1e-8, "atol": 1e-8}


class ExampleTest(unittest.TestCase):
    def assert_end(self, run, reference, bound, relative=False):
        """The last row agrees with a table of values."""
        end = run.row()
        for name, value in reference.items():
            limit = bound * (abs(value) if relative else 1)
            self.assertLess(abs(end[name] - value), limit, name)

    def assert_path(self, run, exact, bound):
        """Each row agrees with a function of time, relative to values above 1."""
        for k, t in enumerate(run.time):
            for name, value in exact(t).items():
                limit = bound * max(1, abs(value))
                self.assertLess(abs(run[name][k] - value), limit, f"{name} at t = {t}")

    def assert_index(self, run, structural, differential):
        found = run.stats["structural_index"], run.stats["index"]
        self.assertEqual(found, (structural, differential))


class Pendulums(ExampleTest):
    def test_references_agree_with_a_second_source(self):
        times = [0.5, 1, 2, 3, 5, 7, 10]
        for exact, theta, rate in (
            (references.turning_pendulum, 0.0, 7.0),
            (references.swinging_pendulum, -math.pi / 2, 0.0),
        ):
            second = references.taylor_pendulum(times, theta, rate)
            for t in times:
                for name, value in exact(t).items():
                    bound = 1e-11 * max(1, abs(value))
                    self.assertLess(abs(second[t][name] - value), bound, f"{name} at {t}")

    def test_the_swinging_pendulum_agrees_with_published_digits(self):
        # A computation in extended precision by two formulations.
        swinging = references.swinging_pendulum
        self.assertAlmostEqual(swinging(10)["x"], -0.27508746257611686, delta=1e-13)
        self.assertAlmostEqual(swinging(5)["vy"], -2.4149286543704886, delta=1e-13)

    def check(self, model, exact):
        run = Trajectory(model, points=2001, **TIGHT)
        self.assert_index(run, 3, 3)
        for k, t in enumerate(run.time):
            state = exact(t)
            for name in "x", "y", "vx", "vy":
                self.assertLess(abs(run[name][k] - state[name]), 1e-6, f"{name} at t = {t}")

    def test_swinging_from_the_horizontal_keeps_six_digits_for_ten_seconds(self):
        self.check("pendulum", references.swinging_pendulum)

    def test_turning_over_keeps_six_digits_for_ten_seconds(self):
        self.check("turning_pendulum", references.turning_pendulum)

    def test_high_orders_take_no_more_steps_on_index_3_as_given(self):
        steps = {}
        for method in "radau-iia3", "radau-iia5", "radau-iia7", "radau":
            run = Trajectory("turning_pendulum", method=method, formulation="direct", points=2)
            steps[method] = run.stats["steps"]
        for method, count in steps.items():
            self.assertLess(count, 1.5 * steps["radau-iia3"], method)


class TestSet(ExampleTest):
    def test_andrews_squeezer_as_written(self):
        run = Trajectory("andrews", **TIGHT)
        self.assert_end(run, references.ANDREWS, 1e-6, relative=True)
        self.assert_index(run, 3, 3)

    def test_transistor_amplifier_as_written(self):
        run = Trajectory("transistor_amplifier", **TIGHT)
        self.assert_end(run, references.TRANSISTOR_AMPLIFIER, 1e-7, relative=True)
        self.assert_index(run, 0, 1)

    def test_car_axis(self):
        run = Trajectory("car_axis", **TIGHT)
        self.assert_end(run, references.CAR_AXIS, 1e-6)
        self.assert_index(run, 3, 3)

    def test_chemical_akzo_nobel(self):
        run = Trajectory("chemical_akzo_nobel", **TIGHT)
        self.assert_end(run, references.CHEMICAL_AKZO_NOBEL, 1e-7)
        self.assert_index(run, 1, 1)

    def test_van_der_pol_with_mu_1e6_in_both_scalings_of_its_start(self):
        for start in ["y=2", "z=0"], ["eps=1e-6"]:
            run = Trajectory("van_der_pol", set=start, stop=2, **TIGHT)
            self.assert_end(run, references.VAN_DER_POL, 1e-6)


class AirPipe(ExampleTest):
    def test_the_pipe_agrees_with_its_equations_by_hand(self):
        run = Trajectory("air_pipe", points=11, **TIGHT)
        self.assert_index(run, 2, 2)
        exact = references.air_pipe(run.time)
        self.assert_path(run, exact.__getitem__, 1e-6)
        finer = references.air_pipe(run.time[:2], steps=400)
        for name, value in finer[run.time[1]].items():
            self.assertAlmostEqual(value, exact[run.time[1]][name], delta=1e-9 * abs(value))


class Attemperator(ExampleTest):
    def test_the_controller_is_limited_where_its_equations_say(self):
        run = Trajectory("attemperator", points=13, event_rows=True, **TIGHT)
        self.assert_index(run, 2, 2)
        exact, instant = references.attemperator(run.time)
        self.assert_path(run, exact.__getitem__, 1e-6)
        for k, t in enumerate(run.time):
            self.assertAlmostEqual(run["zc"][k], min(exact[t]["za"], 1), delta=1e-6)
        self.assertEqual(run.stats["events"], 1)
        located = [t for t, follows in zip(run.time, run.time[1:]) if t == follows]
        self.assertEqual(len(located), 1)
        self.assertAlmostEqual(located[0], instant, delta=1e-5)


class Rectifier(ExampleTest):
    def test_the_bridge_agrees_with_its_equation_by_hand(self):
        """At the start all relations are 0 in all modes."""
        for method in "auto", "radau", "bdf", "rodas5p":
            run = Trajectory("rectifier", points=51, event_rows=True, method=method, **TIGHT)
            exact, instants = references.rectifier(run.time)
            for t, v, value in zip(run.time, run["v"], exact):
                self.assertLess(abs(v - value), 1e-6, f"{method}, t = {t}")
            located = [t for t, follows in zip(run.time, run.time[1:]) if t == follows]
            switched = sum(any(abs(t - instant) < 1e-6 for t in located) for instant in instants)
            self.assertEqual(switched, len(instants), method)
            self.assertLess(run.stats["events"], 2 * len(instants) + 4, method)


class Events(ExampleTest):
    """The models of docs/events.md by their closed forms."""

    def test_the_heater_is_switched_at_both_thresholds(self):
        run = Trajectory("thermostat", points=2, event_rows=True, **TIGHT)
        located = [t for t, follows in zip(run.time, run.time[1:]) if t == follows]
        first, half = 10*math.log(15/14), 10*math.log(16/14)  # T tends to 35 or 5 in 10 s
        self.assertEqual(len(located), 30)
        for k, t in enumerate(located):
            self.assertAlmostEqual(t, first + k*half, delta=1e-6)
        self.assertEqual(run["starts"][-1], 15)

    def test_the_clutch_sticks_and_slips_again(self):
        run = Trajectory("clutch", points=6, **TIGHT)
        low, high = 1.0, 2.0
        while high - low > 1e-13:  # the speeds meet: 150 exp(-t) = 20 t
            middle = (low + high)/2
            low, high = (middle, high) if 150*math.exp(-middle) > 20*middle else (low, middle)
        together = lambda t: 200 + (20*low - 200)*math.exp((low - t)/11)
        for k, t in enumerate(run.time):
            w1 = 150*math.exp(-t) if t < low else together(min(t, 4))*math.exp(min(0, 4 - t))
            w2 = 20*t if t < low else together(min(t, 4)) - 120*max(0, t - 4)
            self.assertAlmostEqual(run["w1"][k], w1, delta=1e-5)
            self.assertAlmostEqual(run["w2"][k], w2, delta=1e-5)
        self.assertEqual([run["mode"][k] for k in (0, 2, 3, 5)], [1, 0, 0, 1])

    def test_the_relay_slides_until_it_is_pushed_away(self):
        run = Trajectory("sliding", points=9, **TIGHT)
        for t, x in zip(run.time, run["x"]):
            exact = 1 - 0.7*t if t < 1/0.7 else (t - 3.7)**2/2 if t > 3.7 else 0
            self.assertAlmostEqual(x, exact, delta=1e-6)


class Linear(ExampleTest):
    def test_index_2_whose_structure_misleads(self):
        run = Trajectory("linear_index2", **TIGHT)
        self.assert_index(run, 1, 2)
        self.assertIn("misleads", run.stats["reasons"])
        self.assert_path(run, references.linear_index2, 1e-7)

    def test_the_same_without_what_it_hides(self):
        """A combination of x1 and x2 has index 2: its error counts with the step, and no tolerance
        stops the run."""
        for method in "radau-iia3", "radau-iia5", "radau", "bdf", "mebdf":
            for tolerance in 1e-4, 1e-6, 1e-8:
                run = Trajectory(
                    "linear_index2",
                    formulation="direct",
                    method=method,
                    rtol=tolerance,
                    atol=tolerance,
                )
                self.assert_index(run, 1, 2)
                self.assert_path(run, references.linear_index2, 10 * tolerance)

    def test_index_3(self):
        run = Trajectory("linear_index3", **TIGHT)
        self.assert_index(run, 3, 3)
        self.assert_path(run, references.linear_index3, 3e-7)


    def test_newton_s_iteration_ends_with_its_second_correction(self):
        """Its matrix is exact for linear equations: the second correction is round-off."""
        for model in "linear_index2", "linear_index3", "rc_ladder":
            stats = Trajectory(model, points=2).stats
            attempts = stats["steps"] + stats["rejected"]
            self.assertLessEqual(stats["newton_iterations"], 2 * attempts, model)


class HighIndex(ExampleTest):
    def test_prescribed_motion_of_index_7(self):
        """All follows from the path of the last mass, without any freedom: to rounding."""
        run = Trajectory("prescribed_motion", rtol=1e-6, atol=1e-6, points=601)
        self.assert_index(run, 7, 7)
        self.assert_path(run, references.prescribed_motion, 1e-9)


class Sparse(ExampleTest):
    def check(self, n):
        nodes = [1, 2, 10, 50, 100, 500]
        names = ",".join(f"v[{i}]" for i in nodes)
        run = Trajectory("rc_ladder", set=f"N={n}", rtol=1e-7, atol=1e-7, points=5, vars=names)
        self.assertEqual(run.stats["linear_solver"], "klu")
        self.assertLess(run.stats["factor_nonzeros"], 10 * n)
        self.assert_path(run, lambda t: references.rc_ladder(n, t, nodes), 3e-6)

    def test_rc_ladder_of_1000_nodes(self):
        self.check(1000)

    def test_rc_ladder_of_10000_nodes(self):
        self.check(10000)


class StiffLimit(ExampleTest):
    def test_reduced_van_der_pol_equation(self):
        """eps = 0: log(y) - y^2/2 = t + log(2) - 2, until y = 1."""
        run = Trajectory("van_der_pol", set="eps=0", stop=0.8, **TIGHT)
        self.assert_index(run, 1, 1)
        for k, t in enumerate(run.time):
            y, z = run["y"][k], run["z"][k]
            self.assertLess(abs(math.log(y) - y * y / 2 - t - math.log(2) + 2), 1e-7)
            self.assertLess(abs((1 - y * y) * z - y), 1e-12 * max(1, abs(z)))

    def test_the_reduced_van_der_pol_equation_ends_where_its_solution_ends(self):
        run = Trajectory("van_der_pol", status=1, set="eps=0", stop=1)
        end = 1.5 - math.log(2)
        self.assertLessEqual(run.time[-1], end)
        self.assertAlmostEqual(run.time[-1], end, delta=1e-2)
        self.assertIn(f"t = {end:.5f}", run.errors)

    def test_the_singular_perturbation_s_limit_needs_a_consistent_start(self):
        run = Trajectory("singular_perturbation", status=3, set=["eps=0", "z=0.8"])
        self.assertIn("z = 0.8", run.errors)

    def test_singular_perturbation_at_one_tolerance(self):
        """Error against the limit eps = 0 bounded by 30 rtol + O(eps), number of steps bounded."""
        rtol, times = 1e-6, [0.5, 1, 2]
        limit = references.singular_perturbation_limit(times)
        for exponent in range(2, 11):
            eps = 10.0**-exponent
            run = Trajectory(
                "singular_perturbation", set=f"eps={eps}", rtol=rtol, atol=rtol, at="0.5,1,2"
            )
            self.assertLess(run.stats["steps"], 120, f"eps = {eps}")
            for k, (y, z) in enumerate(limit):
                self.assertLess(abs(run["y"][k] - y), 30 * rtol + 3 * eps, f"y, eps = {eps}")
                self.assertLess(abs(run["z"][k] - z), 30 * rtol + 3 * eps, f"z, eps = {eps}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
