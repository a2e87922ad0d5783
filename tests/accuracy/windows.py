"""Short windows of the state in long steps: by abs, squares, sines and fractions. Drawn at random; the
exact time in the window and the number of its beginnings follow from a ramp, or from a ramp's square."""

import math
import os
import random
import unittest

from simulation import daedal

COUNT = int(os.environ.get("DAEDAL_COUNT", "40"))
METHODS = ["auto", "dopri5", "dop853", "radau-iia5", "rodas5p", "bdf"]

MODEL = """model M
  Real x(start = 0, fixed = true), inside(start = 0, fixed = true), v(start = {v}, fixed = true);
  Boolean b = {window};
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = {a};
  der(inside) = if b then 1 else 0;
  when b then
    n = pre(n) + 1;
  end when;
end M;
"""


def draw(rng):
    """A window, and the intervals of x in it, below 100."""
    kind = rng.choice(["abs", "square", "sine", "mod"])
    if kind in ("abs", "square"):
        at, w = rng.uniform(1, 9), 10 ** rng.uniform(-1.5, -0.5)
        text = f"abs(x - {at!r}) < {w!r}" if kind == "abs" else f"(x - {at!r})^2 < {w!r}^2"
        return text, [(at - w, at + w)]
    if kind == "sine":
        level = rng.uniform(0.9, 0.995)
        a = math.asin(level)
        return f"sin(x) > {level!r}", [(a + 2 * k * math.pi, (2 * k + 1) * math.pi - a) for k in range(20)]
    period, part = rng.uniform(0.5, 3), rng.uniform(0.02, 0.3)
    return (f"mod(x, {period!r}) > {period * (1 - part)!r}",
            [((k + 1 - part) * period, (k + 1) * period) for k in range(250)])


def time_of(x, v, a):
    """When v t + a t^2/2 is x."""
    return x / v if a == 0 else (math.sqrt(v * v + 2 * a * x) - v) / a


class Windows(unittest.TestCase):
    def test_windows(self):
        rng, seen = random.Random(11), 0
        while seen < COUNT:
            window, intervals = draw(rng)
            v, a, stop = rng.uniform(0.5, 2), rng.choice([0, rng.uniform(0.1, 2)]), rng.uniform(8, 10)
            method, rtol = rng.choice(METHODS), rng.choice([1e-4, 1e-6, 1e-9])
            times = [(time_of(low, v, a), time_of(high, v, a)) for low, high in intervals]
            if any(abs(t - stop) < 1e-2 for pair in times for t in pair):
                continue
            seen += 1
            wanted = sum(min(high, stop) - low for low, high in times if low < stop)
            model = MODEL.format(window=window, v=repr(v), a=repr(a))
            with self.subTest(model=model, method=method, rtol=rtol, stop=stop):
                done = daedal.simulate(model, points=2, stop=repr(stop), method=method, rtol=rtol, atol=rtol)
                last, count = done.rows[-1], sum(low < stop for low, _ in times)
                self.assertEqual(last["n"], count)
                self.assertLess(abs(last["inside"] - wanted), 200 * rtol * (1 + count))


if __name__ == "__main__":
    unittest.main(verbosity=2)
