"""Bounds choose between the solutions of the equations at an event, as they do at a start.

A tank fills, and from a level of 1 on its outflow is q = k*sqrt(dh), written as dh = (q/k)^2, of which -q is
a solution as well. min or max says which one is meant, where Newton's iteration would find the other one or,
from q = 0, none at all. With u = sqrt(h), der(h) = 1 - 0.1*k*u gives t - 1 = F(u) - F(1),
F(u) = -2*u/c - 2*log(1 - c*u)/c^2, c = 0.1*k."""

import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import daedal  # noqa: E402

K, STOP = 2, 4

TANK = """model Tank
  Real h(start = 0, fixed = true), q({bound}), dh;
equation
  dh = if h > 1 then h else h - 2;
  der(h) = 1 - 0.1*({sign})*q*(if h > 1 then 1 else 0);
  0 = if dh > 0 then dh - (q/{k})^2 else q - ({before});
end Tank;
"""


def passed(u):
    c = 0.1*K
    return -2*u/c - 2*math.log(1 - c*u)/c**2


class EventBounds(unittest.TestCase):
    def test_the_solution_within_is_taken(self):
        for sign, bounds in ((1, ("min = 0", "min = -1", "min = 0, max = 10")), (-1, ("max = 0", "max = 1"))):
            for bound in bounds:
                for before in (0, -0.5*sign) if "1" in bound and "10" not in bound else (0,):
                    text = TANK.format(bound=bound, sign=sign, k=K, before=before)
                    done = daedal.run(["run", "-", f"--stop={STOP}", "--points=41", "--rtol=1e-9"], text)
                    with self.subTest(bound=bound, before=before):
                        self.assertEqual(done.code, 0, done.err)
                        self.follow(sign, daedal.rows(done.out)[1])

    def follow(self, sign, rows):
        later = [row for row in rows if row["time"] > 1 + 1e-6]
        self.assertGreater(len(later), 20)
        for row in later:
            u = sign*row["q"]/K
            self.assertAlmostEqual(u*u, row["h"], delta=1e-8)
            self.assertAlmostEqual(passed(u) - passed(1), row["time"] - 1, delta=1e-6)


if __name__ == "__main__":
    unittest.main()
