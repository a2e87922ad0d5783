"""Solutions that cross again and again: a constraint stands in place of a differential equation, and gives a variable
by a square root, whose sign changes as it passes 0. The smooth solution is known.

Without arguments, some are tested. `crossings.py --seed 7 --count 300` counts how many of so many models are right, stop,
or are wrong."""

import math
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import in_time  # noqa: E402

METHODS = ["auto", "auto", "auto", "bdf", "mebdf", "radau", "radau-iia5", "esdirk4", "rodas5p"]
RTOLS = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9]


class Crossings(in_time.Model):
    """A motion by an angle: w t + a, or w t + a + b sin(t)."""

    def __init__(self, draw):
        self.draw = draw
        self.rtol = draw.choice(RTOLS)
        self.declared, self.equations, self.exact = [], [], {}
        self.w, self.a = self.number(0.7, 4), self.number(-1.2, 1.2)
        self.b = self.draw.choice([0, self.number(0.1, 0.4)])
        self.stop = round(draw.uniform(4, 9)/self.w*64)/64
        draw.choice([circle, energy, vector, quaternion, matrix])(self)

    def angle(self, t):
        return self.w*t + self.a + self.b*math.sin(t)

    def rate(self):
        return f"({self.w} + {self.b}*cos([T]))" if self.b else f"{self.w}"

    def state(self, name, exact):
        self.declared.append(f"Real {name}(start = {exact(0)!r}, fixed = true);")
        self.exact[name] = exact

    def guess(self, name, exact):
        self.declared.append(f"Real {name}(start = {exact(0)!r});")
        self.exact[name] = exact

    def allowed(self, t):
        return 3000*self.rtol


def circle(m):
    """An ellipse: x/p = sin, y/q = cos."""
    p, q = m.number(), m.number()
    m.state("x", lambda t: p*math.sin(m.angle(t)))
    m.guess("y", lambda t: q*math.cos(m.angle(t)))
    m.equations = [f"der(x) = {m.rate()}*y*{p}/{q}", f"x^2/{p}^2 + y^2/{q}^2 = 1"]


def energy(m):
    """Energy in place of the force: k x^2 + m v^2 = 2 E, with a spring that the coordinates turn."""
    m.b = 0
    size, mass = m.number(), m.number()
    m.state("x", lambda t: size*math.sin(m.angle(t)))
    m.guess("v", lambda t: size*m.w*math.cos(m.angle(t)))
    m.declared.append("Real u;")
    m.exact["u"] = lambda t: m.exact["x"](t) + 2*m.exact["v"](t)
    m.equations = ["der(x) = v", f"0.5*{mass}*v^2 + 0.5*{mass}*{m.w}^2*x^2 = 0.5*{mass}*({m.w}*{size})^2", "u = x + 2*v"]


def turned(m):
    """An axis, and two vectors p and q normal to it and to each other, all of length 1."""
    n = [m.draw.gauss(0, 1) for _ in range(3)]
    n = [x/math.hypot(*n) for x in n]
    p = [m.draw.gauss(0, 1) for _ in range(3)]
    along = sum(a*b for a, b in zip(n, p))
    p = [b - along*a for a, b in zip(n, p)]
    p = [x/math.hypot(*p) for x in p]
    return n, p, [n[1]*p[2] - n[2]*p[1], n[2]*p[0] - n[0]*p[2], n[0]*p[1] - n[1]*p[0]]


def vector(m):
    """A vector turns about an axis; its length gives one component."""
    n, p, q = turned(m)
    along = m.draw.uniform(-0.3, 0.3)
    x = [lambda t, i=i: along*n[i] + p[i]*math.cos(m.angle(t)) + q[i]*math.sin(m.angle(t)) for i in range(3)]
    m.state("x1", x[0])
    m.state("x2", x[1])
    m.guess("x3", x[2])
    m.equations = [f"der(x1) = {m.rate()}*(({n[1]!r})*x3 - ({n[2]!r})*x2)", f"der(x2) = {m.rate()}*(({n[2]!r})*x1 - ({n[0]!r})*x3)",
                   f"x1^2 + x2^2 + x3^2 = {1 + along**2!r}"]  # fmt: skip


def quaternion(m):
    """A body turns about a fixed axis; the length of the quaternion gives its real part."""
    n, _, _ = turned(m)
    m.guess("q0", lambda t: math.cos(m.angle(t)))
    for i in range(3):
        m.state(f"q{i + 1}", lambda t, i=i: n[i]*math.sin(m.angle(t)))
        j, k = (i + 1) % 3, (i + 2) % 3
        m.equations.append(f"der(q{i + 1}) = {m.rate()}*(({n[i]!r})*q0 + ({n[k]!r})*q{j + 1} - ({n[j]!r})*q{k + 1})")
    m.equations.append("q0^2 + q1^2 + q2^2 + q3^2 = 1")


def matrix(m):
    """A plane rotation matrix: one differential equation, and three constraints."""
    m.guess("a", lambda t: math.cos(m.angle(t)))
    m.state("b", lambda t: math.sin(m.angle(t)))
    m.guess("c", lambda t: -math.sin(m.angle(t)))
    m.guess("d", lambda t: math.cos(m.angle(t)))
    m.equations = [f"der(b) = {m.rate()}*a", "a^2 + b^2 = 1", "c^2 + d^2 = 1", "a*c + b*d = 0"]


def fault(seed):
    draw = random.Random(seed)
    model = Crossings(draw)
    method = draw.choice(METHODS)
    found, text = in_time.fault(model, draw.choice([2, 8, 32]), f"--method={method}", f"--rtol={model.rtol}")
    return found and f"{found} ({method}, {model.rtol})", text


class Smooth(unittest.TestCase):
    def test_solutions_go_on_smoothly_or_stop(self):
        judged = [fault(seed) for seed in range(60)]
        stopped = 0
        for number, (found, text) in enumerate(judged):
            stopped += found.startswith("stops")
            with self.subTest(number=number):
                self.assertTrue(found == "" or found.startswith("stops"), f"{found}\n{text}")
        self.assertLessEqual(stopped, 3)


if __name__ == "__main__":
    by_seed.main(lambda seed, models: in_time.count(fault, seed, models))
