"""Models with events against exact solutions, and against pieces solved by matrix exponentials.

What constructs mean is taken from the Modelica language specification 3.6: 3.7.5 (relations, pre,
edge, change, sample, initial, terminal), 8.3.5 (when and elsewhen, reinit), 8.5 (events and
synchronization), 8.6 (initialization)."""

import csv
import json
import tempfile
import unittest
from math import asin, atan, cos, exp, log, pi, sin, sqrt
from pathlib import Path

from piecewise import crossing, flow, root
from simulation import MODELS, Trajectory
from simulation import daedal

command = daedal.run

FOLDER = MODELS / "switching"
ONE_STEP = ["dopri5", "radau-iia5", "rodas5p", "kvaerno5"]
METHODS = ["auto", *ONE_STEP, "bdf", "mebdf"]


def run(name, events=False, **options):
    """A run, and the times of its events."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.csv"
        more = {"events": path} if events else {}
        found = Trajectory(FOLDER / f"{name}.mo", **more, **options)
        if not events:
            return found
        with open(path, encoding="utf-8") as file:
            times = [float(row["time"]) for row in csv.DictReader(file)]
        return found, times


def tight(rtol=1e-10, **options):
    return dict(rtol=rtol, atol=rtol, **options)


class Switching(unittest.TestCase):
    def near(self, found, expected, bound, what=""):
        self.assertLess(abs(found - expected), bound, f"{what}: {found!r} is not {expected!r}")

    def all_near(self, found, expected, bound, what=""):
        self.assertEqual(len(found), len(expected), f"{what}: {found} are not {expected}")
        for one, other in zip(found, expected):
            self.near(one, other, bound, what)

    # --- location ---

    def test_a_bouncing_ball(self):
        """Methods of order 2 and more have no error but rounding; multistep ones start at order 1."""
        times, t = [], sqrt(2 / 9.81)
        speed = 9.81 * t
        while t < 3:
            times.append(t)
            speed *= 0.8
            t += 2 * speed / 9.81
        for method in METHODS:
            exact = method not in ("bdf", "mebdf")
            ball, found = run("Ball", True, method=method, stop=3, points=2, **tight(1e-12 if exact else 1e-9))
            found = [found[k] for k in range(len(found)) if k == 0 or found[k] - found[k - 1] > 1e-6]
            self.all_near(found, times, 1e-12 if exact else 1e-7, method)
            self.assertEqual(ball.code, 0)

    def test_a_relay(self):
        """Up by 1 a second to 1, down by 2 to -1: switched after 1, 1 + 1, 1 + 1 + 2, ..."""
        times = [1.0]
        while times[-1] + (1 if len(times) % 2 else 2) < 19.5:
            times.append(times[-1] + (1 if len(times) % 2 else 2))
        for method in METHODS:
            relay, found = run("Relay", True, method=method, stop=19.5, points=2, **tight())
            self.assertEqual(relay["switched"][-1], len(times), method)
            for t in times:
                self.near(min(abs(t - f) for f in found), 0, 1e-11, method)

    def test_a_thermostat(self):
        t, heat, value, times = 0.0, True, 15.0, []
        while True:
            end, limit = (26, 21) if heat else (10, 19)
            t += 2 * log((end - value) / (end - limit))
            if t > 12:
                break
            times.append(t)
            value, heat = limit, not heat
        for method in METHODS:
            thermostat, found = run("Thermostat", True, method=method, stop=12, points=2, **tight())
            for time in times:
                self.near(min(abs(time - f) for f in found), 0, 1e-7, method)
            end = 26 if heat else 10
            expected = end + (value - end) * exp(-0.5 * (12 - times[-1]))
            self.near(thermostat["T"][-1], expected, 1e-7, method)

    def test_a_tangent_root(self):
        """Both roots of (t - 1)^2 = depth, though one step would pass them."""
        for depth in 1e-2, 1e-4, 1e-6:
            for method in METHODS:
                found, times = run("Tangent", True, method=method, stop=3, points=2,
                                   set=f"depth={depth!r}", **tight(1e-9))
                self.assertEqual((found["below"][-1], found["above"][-1]), (1, 1), (method, depth))
                self.near(times[0], 1 - sqrt(depth), 1e-6, method)
        never = run("Tangent", method="dopri5", stop=3, points=2, set="depth=-1e-4", **tight())
        self.assertEqual((never["below"][-1], never["above"][-1]), (0, 0))

    def test_events_at_the_start_and_at_the_stop(self):
        """8.6: at the start a when acts by initial() alone."""
        for method in METHODS:
            ends = run("Ends", method=method, stop=1, points=2, **tight())
            self.near(ends["y"][-1], 1, 1e-9, method)
            self.assertEqual((ends["first"][-1], ends["last"][-1]), (1, 1), method)

    def test_two_at_one_instant(self):
        for method in METHODS:
            both, times = run("Together", True, method=method, stop=1, points=2, **tight())
            self.assertEqual([both[n][-1] for n in ("a", "b", "both")], [1, 1, 1], method)
            self.near(times[0], 0.5, 1e-12)

    # --- known times ---

    def test_a_buck_converter(self):
        """5,000 periods: 10,000 events."""
        a = [[0, -1 / 1e-3], [1 / 5e-5, -1 / (10 * 5e-5)]]
        x = [0.0, 0.0]
        states = {}
        # columns of the flow: the same in all periods
        first = [flow(a, [0, 0], e, 0.4e-4) for e in ([1, 0], [0, 1])]
        second = [flow(a, [0, 0], e, 0.6e-4) for e in ([1, 0], [0, 1])]
        forced = flow(a, [24 / 1e-3, 0], [0, 0], 0.4e-4)
        for k in range(1, 5001):
            x = [first[0][i] * x[0] + first[1][i] * x[1] + forced[i] for i in (0, 1)]
            x = [second[0][i] * x[0] + second[1][i] * x[1] for i in (0, 1)]
            states[k] = x
        for method in "auto", "dopri5":
            buck = run("Buck", method=method, stop=0.5, at="0.001,0.01,0.1,0.5", **tight(1e-8))
            for row, k in enumerate((10, 100, 1000, 5000)):
                self.near(buck["i"][row], states[k][0], 1e-6, method)
                self.near(buck["v"][row], states[k][1], 1e-5, method)
            self.assertGreaterEqual(buck.stats["time_events"], 9998)

    def test_an_event_costs_no_more_than_three_steps(self):
        """Steps before, to, and after it, with the matrices of each: one of singly diagonal methods, one
        for each pair of stages of the others. The pieces between are exact in one step of any method."""
        families = ("esdirk", "sdirk", "radau-iia", "rosenbrock", "gauss")
        listed = [m for m in json.loads(command(["method", "--json"]).out) if m["adaptive"]]
        matrices = {m["name"]: (m["stages"] + 1) // 2 if m["family"] in ("radau-iia", "gauss") else 1
                    for m in listed if m["family"] in families}
        self.assertGreater(len(matrices), 12)
        for method, each in {**matrices, "dopri5": 0, "dop853": 0}.items():
            saw = run("Sawtooth", method=method, stop=30, points=2)
            events = saw.stats["events"]
            self.assertGreaterEqual(events, 100, method)
            self.assertLessEqual(saw.stats["steps"], 3 * events, method)
            self.assertLessEqual(saw.stats["factorizations"], 3 * each * events + 1, method)  # one at the start
            self.near(saw["y"][-1], 0.7 - abs((30 - 0.1) % 1.2 - 0.6), 1e-9, method)

    def test_a_pulse_train_costs_what_its_edges_cost(self):
        """The same work for each edge of a short and of a long train, hit exactly."""
        work = []
        for edges in 1000, daedal.of_grid(100000, 20000, 20000):
            train = run("Train", method="dop853", stop=edges / 2, points=2, max_steps=10**7)
            self.assertEqual(train.stats["time_events"], edges)
            self.near(train["on_for"][-1], edges / 4, 1e-9 * edges)
            work.append(train.stats["residual_calls"] / edges)
        self.assertLessEqual(work[1], 1.01 * work[0])

    def test_pulse_widths(self):
        """saw < r from the begin of each period until time/0.1 - k = r(time)."""
        x, t = 0.0, 0.0
        for k in range(50):
            at = root(lambda s: (s - 0.1 * k) / 0.1 - 0.5 - 0.4 * sin(s), 0.1 * k, 0.1 * (k + 1))
            x = 1 + (x - 1) * exp(-(at - 0.1 * k))
            x = -1 + (x + 1) * exp(-(0.1 * (k + 1) - at))
        for method in METHODS:
            pwm = run("Pwm", method=method, stop=5, points=2, **tight(1e-9))
            self.near(pwm["x"][-1], x, 1e-7, method)

    def test_a_sampled_controller(self):
        a, b, k, period = -0.7, 2, 0.9, 0.13
        x, u, total = 1.0, 0.0, 0.0
        for step in range(40):
            total += x
            u = -k * x - 0.1 * total
            x = exp(a * period) * x + (exp(a * period) - 1) / a * b * u
        for method in METHODS:
            sampled = run("Sampled", method=method, stop=40 * period - 1e-9, points=2, **tight())
            self.near(sampled["x"][-1], x, 3e-8, method)
            self.near(sampled["u"][-1], u, 3e-8, method)

    # --- what happens at an event ---

    def test_states_are_reset(self):
        """Where x falls below -1/2, both values are exchanged: those before the event."""
        x, v, t, count = 1.0, 0.0, 0.0, 0
        while True:
            at = crossing(lambda s: -(x * cos(s) + v * sin(s)) - 0.5, 0, 10)
            low = x * cos(at) + v * sin(at)
            falls = v * cos(at) - x * sin(at) < 0
            if t + at > 20:
                break
            x, v, t = low, v * cos(at) - x * sin(at), t + at
            if falls:
                x, v, count = 0.5 * v, -x, count + 1
        left = 20 - t
        for method in METHODS:
            found = run("Reset", method=method, stop=20, points=2, **tight())
            self.assertEqual(found["n"][-1], count, method)
            self.near(found["x"][-1], x * cos(left) + v * sin(left), 1e-6, method)

    def test_what_triggers_a_clause_holds_in_its_body(self):
        """h falls to 0.5 at 3 and rises to 1 at 5.5, then so with a period of 7.5."""
        for method in METHODS:
            for rtol in 1e-5, 1e-9:
                end = run("Bodies", method=method, stop=19.5, points=2, **tight(rtol)).row()
                self.near(end["h"], 0.5 + 0.2 * 1.5, 10 * rtol, method)  # on at 3, 10.5, 18, off at 5.5, 13
                self.near(end["x"], 1 - 0.2 * 9.5, 100 * rtol, method)  # thrown back at 1, 5, 10
                self.assertEqual(end["switched"], 203, method)
                self.assertEqual(end["early"], 440, method)  # at 0.3, 4, 11.5, 19
                self.assertEqual(end["kind"], 11, method)  # 1 at 1, 8.5, 16; 11 at 2, 9.5, 17

    def test_elsewhen_has_less_priority(self):
        """8.3.5.2: of the branches of a when only the first that is activated acts."""
        found = run("Priority", stop=3, at="0.7,1.5,3")
        self.assertEqual(found["a"], [0, 1, 3])
        self.assertEqual(found["b"], [10, 11, 12])

    def test_counters(self):
        """sin(2 pi t) is above 1/2 once a period."""
        for method in METHODS:
            found = run("Counters", method=method, stop=5, points=2, **tight())
            names = "edges", "changes", "tens", "lag", "odd"
            self.assertEqual([found[n][-1] for n in names], [5, 10, 20, 5, 1], method)

    # --- algebraic variables after an event ---

    def test_a_limiter_in_a_loop(self):
        """u + u/2 = r within the limits; y = 1 where r >= 3/2."""
        for method in METHODS:
            if method == "dopri5":
                continue
            found = run("LimitedLoop", method=method, stop=6, points=25, **tight())
            for t, y in zip(found.time, found["y"]):
                self.near(y, max(-1, min(1, 2 * sin(t))), 1e-8, method)
            at = asin(0.5)
            # x' = 2 sin t - x and x' = +-1 - x by turns
            x, t = 0.0, 0.0
            for end, limit in ((at, 0), (pi - at, 1), (pi + at, 0), (2 * pi - at, -1), (6, 0)):
                end = min(end, 6)
                if limit:
                    x = limit + (x - limit) * exp(t - end)
                else:
                    x = (x - sin(t) + cos(t)) * exp(t - end) + sin(end) - cos(end)
                t = end
            self.near(found["x"][-1], x, 1e-8, method)

    def test_a_cubic_resistor_at_a_step(self):
        """i' (1 + 3 i^2) = -i from i + i^3 = 5: log i + 3/2 i^2 falls by the time."""
        begin = root(lambda i: i + i**3 - 5, 0, 5)
        end = root(lambda i: log(i) + 1.5 * i * i - log(begin) - 1.5 * begin**2 + 2, 1e-9, begin)
        for method in METHODS:
            if method == "dopri5":
                continue
            found = run("CubicStep", method=method, stop=3, at="0.5,1,3", **tight())
            self.near(found["i"][0], 0, 1e-9, method)
            self.near(found["i"][-1], end, 1e-8, method)
            self.near(found["v"][-1], 5 - end - end**3, 1e-8, method)

    def test_anti_windup(self):
        """Linear between the limits, in (x, I)."""
        def slopes(mode, goal):
            if mode:
                return [[-0.2, 0], [0, 0]], [mode, 0]
            return [[-2.2, 1], [-1, 0]], [2 * goal, goal]

        def w(x, goal):
            return 2 * (goal - x[0]) + x[1]

        x, t = [0.0, 0.0], 0.0
        while t < 10:
            goal, stop = (3, 4) if t < 4 else (1, 10)
            mode = 1 if w(x, goal) > 1 + 1e-9 else -1 if w(x, goal) < -1 - 1e-9 else 0
            a, b = slopes(mode, goal)
            if mode == 0 and abs(abs(w(x, goal)) - 1) < 1e-9:  # at a limit: which way it goes
                if abs(w(flow(a, b, x, 1e-6), goal)) > 1:
                    mode = 1 if w(x, goal) > 0 else -1
                    a, b = slopes(mode, goal)
            ends = [crossing(lambda s: w(flow(a, b, x, s - t), goal) - limit, t, stop)
                    for limit in ((1, -1) if mode == 0 else (mode,))]
            end = min([stop] + [one for one in ends if one])
            x, t = flow(a, b, x, end - t), end
        for method in METHODS:
            found = run("AntiWindup", method=method, stop=10, points=2, **tight(1e-9))
            self.near(found["x"][-1], x[0], 1e-6, method)
            self.near(found["I"][-1], x[1], 1e-6, method)

    def test_a_bridge(self):
        """One state: the voltage of the capacitor. By symmetry two diodes conduct, or none."""
        on, off, load, c, rs = 0.1, 1e4, 20, 5e-3, 0.5

        def currents(modes, vs, vc):
            """Nodes a, b from the balances at the inputs; n = 0, p = vc."""
            g = [1 / on if m else 1 / off for m in modes]
            # a, b: is = g1 (a - p) + g3 a = -(g2 (b - p) + g4 b), vs - rs is = a - b
            sa, sb = g[0] + g[2], g[1] + g[3]
            pa, pb = g[0] * vc, g[1] * vc
            # is = sa a - pa = -(sb b - pb)
            i = (vs - pa / sa + pb / sb) / (rs + 1 / sa + 1 / sb)  # a = (i + pa)/sa, b = (pb - i)/sb
            a, b = (i + pa) / sa, (pb - i) / sb
            return a, b, g[0] * (a - vc) + g[1] * (b - vc)

        tried = list(range(16))

        def into(vs, vc):
            for bits in tried:
                modes = [bits >> k & 1 for k in range(4)]
                a, b, i = currents(modes, vs, vc)
                if [a > vc, b > vc, 0 > a, 0 > b] == [bool(m) for m in modes]:
                    tried.remove(bits)  # the next call finds it first
                    tried.insert(0, bits)
                    return i
            raise AssertionError("no mode")

        h, vc = 1e-5, 0.0  # Runge-Kutta steps across the kinks: error h^2 at few of them
        for k in range(round(0.45 / h)):
            def f(t, v):
                return (into(10 * sin(2 * pi * t), v) - v / load) / c
            t = k * h
            k1 = f(t, vc)
            k2 = f(t + h / 2, vc + h / 2 * k1)
            k3 = f(t + h / 2, vc + h / 2 * k2)
            vc += h / 6 * (k1 + 2 * k2 + 2 * k3 + f(t + h, vc + h * k3))
        for method in METHODS:
            if method == "dopri5":
                continue
            found = run("Bridge", method=method, stop=0.45, points=2, **tight(1e-8))
            self.near(found["vc"][-1], vc, 1e-6, method)

    # --- impulses ---

    def test_a_diode_that_blocks_at_the_start(self):
        """s = 0 at the guess, where the diode conducts, and then v = 0: not what is given. Between times
        at which it conducts, until 6 cos 6t + sin 6t = 0, the load discharges the capacitor."""
        stops = [(pi - atan(6) + 2 * pi * k) / 6 for k in range(3)]
        v, t, times = 1.0, 0.0, []
        for stop in stops:
            begins = root(lambda x, v=v, t=t: sin(6 * x) - v * exp(t - x), stop - pi / 6, stop)
            times += [begins, stop]
            v, t = sin(6 * stop), stop
        for method in "auto", "radau-iia5", "bdf":
            found, events = run("BlockedDiode", True, method=method, stop=3, points=2, **tight(1e-9))
            self.all_near(events, times, 1e-7, method)
            self.near(found["v"][-1], v * exp(t - 3), 1e-7, method)

    def test_charge_is_shared_at_a_jump(self):
        """2 dv1 = dv2 and dv1 + dv2 = 3; then 3 v2' = -v2/2."""
        for method in "auto", "radau-iia5", "rodas5p", "bdf":
            found = run("Divider", method=method, stop=2, at="0.5,1,2", **tight())
            self.near(found["v1"][0], 0, 1e-9, method)
            self.near(found["v2"][-1], 2 * exp(-1 / 6), 1e-8, method)
            self.near(found["v1"][-1], 3 - 2 * exp(-1 / 6), 1e-8, method)

    def test_a_diode_takes_over_a_current(self):
        """After the opening of the switch the coil's current goes on through the diode: nothing jumps."""
        for method in "auto", "radau-iia5", "bdf":
            coil = run("Freewheel", method=method, at="2e-3,4e-3,7e-3", **tight(1e-9))
            at_3 = 0.24 * (1 - exp(-3))
            self.near(coil["i"][0], 0.24 * (1 - exp(-2)), 1e-8, method)
            self.near(coil["i"][1], at_3 * exp(-1), 1e-8, method)
            self.near(coil["i"][2], at_3 * exp(-4), 1e-8, method)

    def test_a_converter_of_ideal_switches(self):
        """The current rises while the switch is closed, falls through the diode, and stays 0 once it is."""
        L, C, E, T = 1e-4, 1e-4, 24.0, 5e-5
        x, t = [0.0, 0.0], 0.0
        found = run("BuckIdeal", method="auto", at="1.99e-3,3.99e-3", **tight(1e-9))
        wanted = []
        for k in range(80):
            r = 5 if k < 40 else 200
            a = [[0, -1 / L], [1 / C, -1 / (r * C)]]
            x = flow(a, [E / L, 0], x, T / 2)
            off, last = x, 4e-5 if k in (39, 79) else T  # rows are 1e-5 before the end of a period
            zero = crossing(lambda h, x=x, a=a: flow(a, [0, 0], x, h)[0], 0, T / 2, 40)
            for end in (last - T / 2, T / 2):
                if zero is None or zero > end:
                    off = flow(a, [0, 0], x, end)
                else:
                    v = flow(a, [0, 0], x, zero)[1]
                    off = [0.0, v * exp(-(end - zero) / (r * C))]
                if k in (39, 79) and end < T / 2:
                    wanted.append(off)
            x = off
        for k in range(2):
            self.near(found["i"][k], wanted[k][0], 1e-6)
            self.near(found["v"][k], wanted[k][1], 1e-6)

    def test_a_rectifier_with_a_freewheel_diode(self):
        """i' = -200 i + 6500 sin(314 t) while the source is positive, then i' = -200 i."""
        w, a = 314, 200

        def driven(t):
            return 6500 * (a * sin(w * t) - w * cos(w * t)) / (a * a + w * w)

        def current(t):
            i, begin = 0.0, 0.0
            while True:
                half = begin + pi / w
                if t < half:
                    return driven(t) + (i - driven(begin)) * exp(-a * (t - begin))
                i = driven(half) + (i - driven(begin)) * exp(-a * (half - begin))
                if t < half + pi / w:
                    return i * exp(-a * (t - half))
                begin, i = half + pi / w, i * exp(-a * pi / w)

        for method in "auto", "radau-iia5", "bdf":
            found = run("RectifierFreewheel", method=method, at="0.003,0.0105,0.019,0.033,0.05", **tight(1e-9))
            for row, t in enumerate((0.003, 0.0105, 0.019, 0.033, 0.05)):
                self.near(found["i"][row], current(t), 1e-6, method)

    def test_a_diode_blocks_behind_an_impulse(self):
        """The two capacitors share the charge 5/e at t = 1; then the first one is discharged alone."""
        for method in "auto", "radau-iia5", "bdf":
            found = run("ChargeShared", method=method, stop=2, at="0.5,1.5,2", **tight(1e-9))
            half = 2.5 * exp(-1)
            for row, v1, v2 in (0, 5 * exp(-0.5), 0), (1, half * exp(-0.5), half), (2, half * exp(-1), half):
                self.near(found["v1"][row], v1, 1e-7, method)
                self.near(found["v2"][row], v2, 1e-7, method)

    def test_an_input_jumps(self):
        for method in "auto", "radau-iia5", "rodas5p", "bdf":
            found = run("JumpingInput", method=method, stop=1, at="0.25,0.75,1", **tight())
            self.all_near(found["i"], [1, 4, 4], 1e-9, method)
            self.near(found["q"][-1], 2.5, 1e-9, method)

    def test_a_plastic_impact(self):
        """The momentum 3 v1 + v2 stays but for the force -1/2."""
        for method in "auto", "radau-iia5", "rodas5p", "bdf":
            found = run("Plastic", method=method, stop=2, at="0.5,1.5,2", **tight())
            for row, t in enumerate((0.5, 1.5, 2)):
                momentum, w = 6 - 0.5 * t, 2 if t < 1 else 0
                self.near(found["v1"][row], (momentum + w) / 4, 1e-8, method)
                self.near(found["v2"][row], (momentum + w) / 4 - w, 1e-8, method)

    def test_a_wall_throws_back_what_hangs_on_rods(self):
        """The wall gives the second mass e of its speed back. What rods and wall do is an impulse each:
        (m1 du1, m1 dv1, m2 du2, m2 dv2) = L1 (x1, y1, 0, 0) + L2 (-x, -y, x, y) + L3 (0, 0, 1, 0),
        and both rods keep their lengths. So m1 times the speed of mass 1 along its circle takes up
        what the second rod gives it."""
        for method in "auto", "radau-iia5", "rodas5p", "bdf":
            found = run("PendulumAtWall", method=method, stop=1.5, points=2, event_rows=True, **tight())
            at = [k for k in range(1, len(found.time)) if found.time[k] == found.time[k - 1]]
            self.assertTrue(at, method)
            for k in at:
                before, behind = found.row(k - 1), found.row(k)
                rod = behind["x2"] - behind["x1"], behind["y2"] - behind["y1"]
                jump = {name: behind[name] - before[name] for name in ("u1", "v1", "u2", "v2")}
                self.near(behind["u2"], -0.5 * before["u2"], 1e-12, method)
                self.near(behind["x1"] * behind["u1"] + behind["y1"] * behind["v1"], 0, 1e-12, method)
                along = rod[0] * (behind["u2"] - behind["u1"]) + rod[1] * (behind["v2"] - behind["v1"])
                self.near(along, 0, 1e-12, method)
                pull = 0.5 * jump["v2"] / rod[1]  # L2
                turn = behind["x1"] * -rod[1] + behind["y1"] * rod[0]
                got = 2 * (behind["x1"] * jump["v1"] - behind["y1"] * jump["u1"])
                self.near(got, pull * turn, 1e-12, method)

    def test_a_pendulum_breaks(self):
        """Released at y = 0 its force is -3 g y; after the breaking it flies on a parabola."""
        g = 9.81
        y = -20 / (3 * g)
        x, speed = sqrt(1 - y * y), sqrt(-2 * g * y)
        u, v = speed * y, -speed * x
        for method in "auto", "radau-iia5", "rodas5p", "kvaerno5", "bdf", "mebdf":
            found, times = run("BreakingPendulum", True, method=method, stop=1, points=3, **tight())
            self.assertEqual(len(times), 1, method)
            s = 1 - times[0]
            self.near(found["x"][-1], x + u * s, 1e-7, method)
            self.near(found["y"][-1], y + v * s - g * s * s / 2, 1e-7, method)
            self.near(found["v"][-1], v - g * s, 1e-7, method)
            self.assertEqual(found["T"][-1], 0)

    def test_impacts_and_friction(self):
        """v^2 falls by 2 mu times the way; each wall leaves e of the speed."""
        v, x, t, goal, impacts = 4.0, 0.5, 0.0, 1.0, 0
        while True:
            way = abs(goal - x)
            arrives = sqrt(v * v - 0.8 * way) if v * v > 0.8 * way else None
            if arrives is None or t + (v - arrives) / 0.4 > 3:
                break
            t, v, x, goal, impacts = t + (v - arrives) / 0.4, 0.7 * arrives, goal, 1 - goal, impacts + 1
        s = 3 - t
        self.assertLess(s, v / 0.4)  # it still slides
        moved = v * s - 0.2 * s * s
        for method in METHODS:
            found = run("BoxWithFriction", method=method, stop=3, points=2, **tight())
            self.assertEqual(found["impacts"][-1], impacts, method)
            self.near(found["x"][-1], x + moved if goal == 1 else x - moved, 1e-7, method)


if __name__ == "__main__":
    unittest.main(verbosity=2)
