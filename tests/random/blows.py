"""Blows on bodies that friction holds or slows down.

Coulomb friction is bounded, so it takes no part in an impulse: what rebounds, is set by reinit() or is hit goes on as
it would without friction, and slows down from there on. A model is drawn of one of KINDS from components of the
library. Between blows each body has a constant acceleration, so that its motion is a chain of parabolas, which is
followed here from one blow, or one stop, to the next.

Without arguments, some are tested. `blows.py --seed 7 --count 300` judges so many models and prints those that are
wrong or stop."""

import math
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

ALLOWED = 1e-5
POINTS = 15
METHODS = ("auto", "auto", "auto", "radau", "bdf", "rodas5p", "esdirk4")


class Body:
    """A body that slips or sticks: its friction is F, and a force acts on it."""

    def __init__(self, m, F, s, v, force=0.0):
        self.m, self.F, self.s, self.v, self.force = m, F, s, v, force

    def a(self):
        way = math.copysign(1, self.v or self.force)
        if self.v == 0 and abs(self.force) <= self.F:
            return 0.0
        return (self.force - way*self.F)/self.m

    def stops(self):
        """After which time it comes to rest."""
        a = self.a()
        return -self.v/a if a*self.v < 0 else math.inf

    def reaches(self, where):
        """After which time it is at a place ahead, before it comes to rest."""
        return first_root(self.s - where, self.v, self.a()/2, self.stops())

    def go(self, t):
        a, rests = self.a(), t == self.stops()
        self.s += self.v*t + a*t*t/2
        self.v = 0.0 if rests else self.v + a*t


def first_root(c, b, a, last):
    """The first x in (0, last] at which c + b x + a x^2 becomes 0 from one side to the other."""
    if a == 0:
        found = [-c/b] if b else []
    else:
        d = b*b - 4*a*c
        q = -(b + math.copysign(math.sqrt(max(d, 0)), b))/2
        found = [q/a] + ([c/q] if q else []) if d >= 0 else []
    return min([x for x in found if 1e-12 < x <= last], default=math.inf)


def course(bodies, times, blow, next_blow):
    """The places and speeds of bodies at ascending times; next_blow() is the time to the next blow, and blow()
    changes speeds there."""
    found, t = [], 0.0
    for row in times:
        while True:
            step = min([row - t, next_blow(t)] + [b.stops() for b in bodies])
            hits = step == next_blow(t)
            for b in bodies:
                b.go(step)
            t += step
            if hits and t < row:
                blow(t)
            if t >= row or step == row - t:
                break
        found.append([(b.s, b.v) for b in bodies])
    return found


class Model:
    def __init__(self, seed):
        self.draw = random.Random(f"blow {seed}")
        self.method, self.declared, self.joined, self.bodies = self.draw.choice(METHODS), [], [], []
        self.stop = self.draw.uniform(2, 6)
        self.kind = KINDS[seed % len(KINDS)]
        self.blow, self.next_blow = self.kind(self)
        self.times = [self.stop*k/(POINTS - 1) for k in range(POINTS)]

    def number(self, low, high):
        return round(self.draw.uniform(low, high), 3)

    def friction(self, flange, most):
        """One or two frictions of a body: their force, and the mass that comes with them."""
        force = mass = 0.0
        for _ in range(min(self.draw.choice([1, 1, 2]), most)):
            name, f = f"f{len(self.declared)}", self.draw.choice([self.number(0.05, 2), self.number(0.05, 2), 0.0])
            way = self.draw.choice(["Friction", "Brake", "Bearing"])
            peak = self.draw.choice(["", ", peak = 1.5"])
            if way == "Bearing":
                r, inertia = self.draw.choice([0.1, 0.5, 2]), self.number(0.01, 0.1)
                self.declared.append(f"IdealRackAndPinion r{name}(r = {r}); Daedal.Rotational.Inertia J{name}(J = "
                                     f"{inertia}); Daedal.Rotational.BearingFriction {name}(tau_slip = {f*r!r}{peak});")
                self.joined += [(flange, f"r{name}.flange_t"), (f"r{name}.flange_r", f"J{name}.flange_a"),
                                (f"J{name}.flange_b", f"{name}.flange_a")]
                mass += inertia/r**2
            else:
                given = f"f_slip = {f}" if way == "Friction" else f"f_max = 4, u = {f/4!r}"
                self.declared.append(f"{way} {name}({given}{peak});")
                self.joined.append((flange, f"{name}.flange_a"))
            force += f
        return force, mass

    def body(self, name, s, v, most=1):
        m = self.number(0.3, 3)
        self.declared.append(f"Mass {name}(m = {m}, s(start = {s}, fixed = true), v(start = {v}, fixed = true));")
        f, more = self.friction(f"{name}.flange_a", most)
        self.bodies.append(Body(m + more, f, s, v))
        return self.bodies[-1]

    def text(self):
        rows = [row if isinstance(row, str) else f"connect({row[0]}, {row[1]});" for row in self.joined]
        return "\n".join(["model B import Daedal.Translational.*;", *self.declared, "equation", *rows, "end B;\n"])

    def exact(self):
        return course(self.bodies, self.times, self.blow, self.next_blow)


def never(_):
    return math.inf


def stop(m):
    """Rebounds off stops, with a force that friction can hold."""
    high, e = m.number(1, 2), m.draw.choice([1, 0.8, 0.5, 0.2])
    b = m.body("b", round(m.draw.uniform(0.2, 0.9)*high, 3), m.draw.choice([-1, 1])*m.number(1, 5), 2)
    m.declared.append(f"RigidStop r(s_min = 0, s_max = {high}, e = {e});")
    m.joined.append(("r.flange", "b.flange_b"))
    if m.draw.random() < 0.5:
        b.force = round(m.draw.uniform(-0.9, 0.9)*b.F, 3)
        m.declared.append(f"ConstantForce c(f_constant = {b.force});")
        m.joined.append(("c.flange", "b.flange_b"))

    def blow(_):
        b.s = 0.0 if b.v < 0 else high
        b.v = -e*b.v if e*abs(b.v) > 1e-3 else 0.0

    return blow, lambda _: b.reaches(0.0 if b.v < 0 else high) if b.v else math.inf


def given(m):
    """A speed that reinit() sets, also of a body that sticks."""
    v = m.draw.choice([0, m.number(-2, 2)])
    b = m.body("b", 0.0, v, 2 if v else 1)
    at = sorted(m.draw.uniform(0.05, 0.95)*m.stop for _ in range(m.draw.randint(1, 4)))
    to = [m.number(-3, 3) for _ in at]
    m.joined += [f"when time > {t!r} then reinit(b.v, {v}); end when;" for t, v in zip(at, to)]
    left = list(zip(at, to))

    def blow(_):
        b.v = left.pop(0)[1]

    return blow, lambda t: max(left[0][0] - t, 0.0) if left else math.inf


def gap(m):
    """One body runs into another one, and they go on together as long as the one behind pushes."""
    behind = m.body("p", -1.0, m.number(1, 4), m.draw.choice([0, 1]))
    ahead = m.body("q", 0.0, m.draw.choice([0, m.number(-2, 0), m.number(-0.5, 0.5)]))
    m.declared.append("RigidGap g;")
    m.joined += [("p.flange_b", "g.flange_a"), ("g.flange_b", "q.flange_a")]
    pair = []

    def apart(_):
        if pair:
            return math.inf
        last = min(behind.stops(), ahead.stops())
        return first_root(ahead.s - behind.s, ahead.v - behind.v, (ahead.a() - behind.a())/2, last)

    def blow(_):
        behind.v = ahead.v = (behind.m*behind.v + ahead.m*ahead.v)/(behind.m + ahead.m)
        behind.s = ahead.s
        pair.append(behind.a() > ahead.a())
        if pair[0]:  # both have the acceleration of the two, and come to rest together
            mass, force = behind.m + ahead.m, behind.F + ahead.F
            for b in (behind, ahead):
                b.m, b.F = mass, force

    return blow, apart


def exchange(m):
    """Elastic blows that reinit() of both speeds makes."""
    one = m.body("p", -1.0, m.number(1, 4))
    two = m.body("q", 0.0, m.draw.choice([0, m.number(-2, 0), m.number(-0.5, 0.5)]))
    for b, name in ((one, "p"), (two, "q")):
        m.declared.append(f"parameter Real m{name} = {b.m!r};")
    m.joined.append("when p.s > q.s then\n  reinit(p.v, ((mp - mq)*pre(p.v) + 2*mq*pre(q.v))/(mp + mq));\n"
                    "  reinit(q.v, ((mq - mp)*pre(q.v) + 2*mp*pre(p.v))/(mp + mq));\nend when;")  # fmt: skip

    def meets(_):
        last = min(one.stops(), two.stops())
        return first_root(two.s - one.s, two.v - one.v, (two.a() - one.a())/2, last)

    def blow(_):
        both = one.m + two.m
        one.v, two.v = (((one.m - two.m)*one.v + 2*two.m*two.v)/both, ((two.m - one.m)*two.v + 2*one.m*one.v)/both)
        one.s = two.s

    return blow, meets


KINDS = (stop, given, gap, exchange)


def judge(seed):
    """The text, and what is wrong; '' if nothing is."""
    m = Model(seed)
    text, names = m.text(), [n for n in "bpq" if f"Mass {n}(" in m.text()]
    choice = [] if m.method == "auto" else [f"--method={m.method}"]
    done = daedal.run(["run", "-", f"--stop={m.stop!r}", f"--points={POINTS}", "--rtol=1e-8", "--quiet",
                       "--vars=" + ",".join(f"{n}.s,{n}.v" for n in names), *choice], text)  # fmt: skip
    if done.code != 0:
        return text, "stops: " + done.err.strip()
    for row, wanted in zip(daedal.rows(done.out)[1], m.exact()):
        for name, (s, v) in zip(names, wanted):
            miss = max(abs(row[f"{name}.s"] - s), abs(row[f"{name}.v"] - v))
            if not miss <= ALLOWED:
                return text, f"{name} at t = {row['time']:g} is {miss:.3g} off, s = {s:g}, v = {v:g} ({m.method})"
    return text, ""


class Blows(unittest.TestCase):
    def test_friction_takes_no_part_in_blows(self):
        by_seed.all_right(self, judge, range(daedal.of_grid(60, 40, 16)), 15)


if __name__ == "__main__":
    by_seed.main(lambda seed, models: by_seed.count_wrong(judge, seed, models))
