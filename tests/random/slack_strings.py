"""A mass on a string that goes slack, flies, and comes taut again.

While the string is taut, the mass swings; where the force in it comes to 0 it flies along a parabola. At that
instant the distance equals the length, and leaves it with the third power of time, so that rounding would
decide whether the string is longer than its length. The parabola is known exactly from where the mass is when
the string goes slack, and that from the energy: the swing's speed at an angle, w^2 = w0^2 - 2 g/L (cos at the
start - cos), so the force is 0 at a cosine known in closed form. What is asserted are the energy and the
direction of the flight, and, as the law of a free fall, the horizontal velocity and the energy on it.

Without arguments, some are tested. `slack_strings.py --seed 7 --count 300` judges so many models and prints
those that are wrong."""

import math
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

G = 9.81
NEAR = 1e-4
SWITCHES = (
    "when F < 0 then taut = false; elsewhen x^2 + y^2 > L^2 then taut = true; end when;",
    "when F < 0 then taut = false; elsewhen L^2 < x^2 + y^2 then taut = true; end when;",
    "when F < 0 then taut = false; elsewhen r > L then taut = true; end when;",
    "when F < 0 then taut = false; elsewhen not pre(taut) and r - L > 0 then taut = true; end when;",
    "taut = if pre(taut) then not F < 0 else x^2 + y^2 > L^2;",
    "when {F < 0, x^2 + y^2 > L^2} then taut = not pre(taut); end when;",
)
METHODS = ("auto", "radau-iia5", "bdf", "rodas5p")


def draw(at):
    """A model; when the string goes slack, roughly, is left to the run. Returns the velocity and the place there."""
    length, mass = round(at.uniform(0.4, 2), 2), round(at.uniform(0.2, 4), 2)
    angle, side = at.uniform(-0.5, 0.5), at.choice([-1, 1])
    # slack at an angle a with cos a = -c: w^2 = c g/L there, and w0^2 = w^2 + 2 g/L (cos angle + c)
    c = at.uniform(0.15, 0.85)
    w0 = side*math.sqrt(G/length*(3*c + 2*math.cos(angle)))
    speed = math.sqrt(c*G*length)
    slack = side*math.acos(-c)
    place = (length*math.sin(slack), -length*math.cos(slack))
    velocity = (side*speed*math.cos(slack), side*speed*math.sin(slack))
    x, y = length*math.sin(angle), -length*math.cos(angle)
    u, v = length*w0*math.cos(angle), length*w0*math.sin(angle)
    text = (f"model S\n  parameter Real L = {length}, m = {mass};\n"
            f"  Real x(start = {x!r}), y(start = {y!r}), u(start = {u!r}), v(start = {v!r}), F, r = sqrt(x^2 + y^2);\n"
            f"  Boolean taut(start = true, fixed = true);\nequation\n  der(x) = u; der(y) = v;\n"
            f"  m*der(u) = -F*x; m*der(v) = -F*y - m*{G};\n  0 = if taut then x^2 + y^2 - L^2 else F;\n"
            f"  {at.choice(SWITCHES)}\nend S;\n")
    return text, at.choice(METHODS), place, velocity


def flies(row, place, velocity):
    """How far a row is from the parabola, and its velocities from those there."""
    t = (velocity[1] - row["v"])/G  # the time since the string went slack, by the fall
    off = (row["u"] - velocity[0], row["x"] - place[0] - velocity[0]*t,
           row["y"] - place[1] - velocity[1]*t + G/2*t**2)
    return max(map(abs, off))


def judge(number):
    """A model and what is wrong with it."""
    text, method, place, velocity = draw(random.Random(f"slack strings {number}"))
    found = daedal.run(["run", "--stop", "2", "--points", "201", "--rtol", "1e-8", "--method", method, "-"], text)
    if found.code != 0:
        return text, f"{method}: refused: {found.err}"
    names, *lines = found.out.split()
    rows = [dict(zip(names.split(","), map(float, line.split(",")))) for line in lines]
    first = next((i for i, row in enumerate(rows) if row["taut"] == 0), None)
    if first is None:
        return text, f"{method}: it stays taut"
    flight = []
    for row in rows[first:]:
        if row["taut"] != 0:
            break
        flight.append(row)
    worst = max(flies(row, place, velocity) for row in flight)
    pushes = min(row["F"] for row in rows) < -NEAR
    return text, f"{method}: off by {worst}" if worst > NEAR else f"{method}: it pushes" if pushes else ""


class SlackStrings(unittest.TestCase):
    def test_some(self):
        by_seed.all_right(self, judge, range(daedal.of_grid(40, 30, 15)), 12)


if __name__ == "__main__":
    by_seed.main(lambda seed, models: by_seed.count_wrong(judge, seed, models))
