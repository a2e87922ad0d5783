"""Amounts that become far smaller than their tolerance, and of which a logarithm, a root or a quotient
is taken: polynomials within steps, right to the tolerance, may be negative there. Each row is right,
the hidden unknowns with it, and none stops a run."""
import math
import unittest

from simulation import daedal

ODDS = """model Odds "shares of a market whose odds are given"
  Real x(start = 0.5), y(start = 0.5), u;
equation
  log(x/y) = {k}*sin(time);
  x + y = 1;
  der(x) = u;
end Odds;
"""

GATE = """model Gate "level behind a gate: inflow for a falling level"
  Real h(start = 1), q, w(start = 0, fixed = true), s;
equation
  s = sqrt(h);
  s = {k} + 0.5*(1 + cos(3*time));
  der(h) = q - s;
  der(w) = q;
end Gate;
"""

SWEEP = """model Sweep "thin layer at equilibrium: the current of a sweep of the potential"
  Real ox, red(start = 1e-3), i, q(start = 0, fixed = true), E;
equation
  E = 0.0257*{k}*cos(time);
  E = 0.0257*log(ox/red);
  ox + red = 1;
  der(ox) = i;
  der(q) = i;
end Sweep;
"""


def share(x):
    return 1 / (1 + math.exp(-x))


def odds(k, t):
    x, y = share(k * math.sin(t)), share(-k * math.sin(t))
    return {"x": x, "y": y, "u": k * math.cos(t) * x * y}


def gate(k, t):
    s = k + 0.5 * (1 + math.cos(3 * t))
    return {"h": s * s, "s": s, "q": -3 * s * math.sin(3 * t) + s}


def sweep(k, t):
    x, y = share(k * math.cos(t)), share(-k * math.cos(t))
    return {"ox": x, "red": y, "i": -k * math.sin(t) * x * y}


class SmallAmounts(unittest.TestCase):
    def check(self, text, exact, sizes, end):
        for k in sizes:
            for rtol in (1e-3, 1e-5, 1e-6, 1e-8):
                with self.subTest(k=k, rtol=rtol):
                    run = daedal.simulate(text.format(k=k), rtol=rtol, atol=rtol, stop=end,
                                          points=1000)
                    for row in run.rows:
                        for name, value in exact(k, row["time"]).items():
                            self.assertLess(abs(row[name] - value), 10 * rtol * (1 + abs(value)),
                                            (name, row))

    def test_logarithm_of_a_quotient(self):
        self.check(ODDS, odds, (8, 20, 25, 30), 7)

    def test_root(self):
        self.check(GATE, gate, (1e-2, 1e-3, 1e-4, 1e-5), 6)

    def test_logarithm_beside_a_known_sum(self):
        self.check(SWEEP, sweep, (8, 15, 18, 22, 26, 30), 6)


if __name__ == "__main__":
    unittest.main()
