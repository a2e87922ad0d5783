"""Whole parts of ramps: each crossing of a whole number is one event, on whatever side its root was
located. Drawn at random; the exact counts and integrals follow from the ramp."""

import math
import os
import random
import unittest

from simulation import Trajectory, daedal

COUNT = int(os.environ.get("DAEDAL_COUNT", "60"))
METHODS = ["auto", "dopri5", "radau-iia5", "rodas5p", "bdf", "gauss3"]
FUNCTIONS = {
    "floor": math.floor,
    "ceil": math.ceil,
    "integer": math.floor,
    "div": lambda x: math.trunc(x),
}

MODEL = """model M "a ramp {slope} u' that begins at {start}"
  Real u{begin}, whole(start = 0, fixed = true){more};
  Integer k, n(start = 0, fixed = true);
equation
  {ramp};
  k = {function};
  der(whole) = k;
  when change(k) then
    n = pre(n) + 1;
  end when;
end M;
"""


def draw(rng):
    """Starts and slopes that meet whole numbers exactly, and others."""
    start = rng.choice([rng.randint(-24, 24) / 8, rng.uniform(-3, 3), rng.randint(-30, 30) / 10])
    slope = rng.choice([-1, 1]) * rng.choice([1, 2, 0.5, 3, rng.uniform(0.3, 3)])
    return start, slope


def text(start, slope, name, algebraic):
    call = "div(u, 1)" if name == "div" else f"integer({name}(u))" if name in ("floor", "ceil") else "integer(u)"
    if algebraic:
        ramp = f"der(s) = 1; u = {start!r} + ({slope!r})*s"
        return MODEL.format(slope=slope, start=start, begin="", more=", s(start = 0, fixed = true)",
                            ramp=ramp, function=call)
    return MODEL.format(slope=slope, start=start, begin=f"(start = {start!r}, fixed = true)", more="",
                        ramp=f"der(u) = {slope!r}", function=call)


def exact(start, slope, name, stop):
    """The changes of the whole part until the stop, and its integral; None: the stop is within the
    errors of a change, or the start at one."""
    low, high = sorted((start, start + slope * stop))
    times = [(c - start) / slope for c in range(math.ceil(low) - 1, math.floor(high) + 2)]
    if any(abs(t - stop) < 1e-3 or abs(t) < 1e-3 for t in times):
        return None
    inner = sorted(t for t in times if 0 < t < stop)
    edges = [0.0, *inner, stop]
    of = FUNCTIONS[name]
    values = [of(start + slope * (a + b) / 2) for a, b in zip(edges, edges[1:])]
    changes = sum(a != b for a, b in zip(values, values[1:]))
    return changes, sum(v * (b - a) for v, a, b in zip(values, edges, edges[1:]))


class WholeParts(unittest.TestCase):
    def test_ramps(self):
        rng, seen = random.Random(7), 0
        while seen < COUNT:
            start, slope = draw(rng)
            name, algebraic = rng.choice(sorted(FUNCTIONS)), rng.random() < 0.5
            method, rtol, stop = rng.choice(METHODS), rng.choice([1e-3, 1e-6, 1e-9]), rng.uniform(2, 6)
            wanted = exact(start, slope, name, stop)
            if wanted is None or algebraic and method == "dopri5":
                continue
            seen += 1
            model = text(start, slope, name, algebraic)
            with self.subTest(model=model, method=method, rtol=rtol):
                done = daedal.simulate(model, points=2, stop=repr(stop), method=method, rtol=rtol, atol=rtol)
                last = done.rows[-1]
                self.assertEqual(last["n"], wanted[0])
                self.assertLess(abs(last["whole"] - wanted[1]), 20 * rtol * max(1, abs(wanted[1])))

    def test_whole_numbers_are_divided_exactly(self):
        """5/6 + 1/6 is less than 1, (5 + 1)/6 is not: counters, by constants, parameters and variables."""
        rng = random.Random(11)
        for _ in range(4):
            y, more, back = rng.randint(3, 99), rng.randint(1, 9), rng.choice([3, 6, 7, 49])
            model = f"""model M parameter Integer N = {y}; Integer n(start = -70, fixed = true);
                discrete Real z(start = -70, fixed = true); Integer down, mod_n, mod_p, mod_v, rem_n, div_n, at, up;
                Boolean over; Real of_time, x(start = 0, fixed = true);
                equation when sample(0, 1) then n = pre(n) + 1; z = pre(z) + 1; end when;
                mod_n = mod(n + {more}, {y}); mod_p = mod(n + {more}, N); mod_v = integer(mod(z + {more}, z + 200));
                rem_n = rem(n + {more}, -{y}); div_n = div(n + {more}, {y}); down = integer(floor((z + {more})/{back}));
                up = integer(ceil((n + {more})/{y})); at = mod(n + {more}, -{y}); over = (n + {more})/{back} >= 1;
                of_time = mod(floor(5*time) + 1, 3); der(x) = of_time; end M;"""
            done = daedal.simulate(model, interval=1, stop="140")
            for row in done.rows:
                k, t = int(row["n"]) + more, row["time"]
                right = {"mod_n": k % y, "mod_p": k % y, "mod_v": k % (k - more + 200), "rem_n": int(math.fmod(k, y)),
                         "div_n": int(k / y), "down": k // back, "up": -(-k // y), "at": k % -y,
                         "over": k >= back, "of_time": (5 * round(t) + 1) % 3}
                self.assertEqual({name: row[name] for name in right}, right, f"{model} at {t}")
            self.assertLess(abs(done.rows[-1]["x"] - 140), 1e-9)

    def test_a_function_of_time_that_touches_a_whole_number(self):
        """3 sin(t) touches 3, within rounding over 2e-8 s: no event, and the fraction goes on from 1."""
        model = """model M Real u = sin(time), x(start = 0, fixed = true);
            equation der(x) = mod(3*u, 1); end M;"""
        done = daedal.simulate(model, points=2, stop=repr(math.pi), rtol=1e-9, atol=1e-9)
        # the integral of 3 sin is 6; floor is 1 and 2 between asin(1/3), asin(2/3) and their mirrors
        whole = (math.pi - 2 * math.asin(1 / 3)) + (math.pi - 2 * math.asin(2 / 3))
        self.assertLess(abs(done.rows[-1]["x"] - (6 - whole)), 1e-7)


if __name__ == "__main__":
    unittest.main(verbosity=2)
