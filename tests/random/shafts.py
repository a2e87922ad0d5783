"""Shafts with bearings, brakes, clutches, freewheels and gears, of which several may hold one shaft.

Accelerations are those of Gauss' principle with Coulomb friction: they are the least of
    1/2 a' J a - a' tau + sum_k slip_k |g_k a|
over what gears and freewheels allow, the sum over all frictions without slip (J. J. Moreau, Unilateral contact and dry
friction in finite freedom dynamics, 1988; peak = 1). That is convex, so that they are determined where the torques of
single frictions are not: of two bearings on one shaft, on both sides of a gear, or on shafts that a clutch holds
together. The minimum is found by trying all ways in which frictions begin to slip and freewheels to run free. Between
events the motion is followed by classical Runge-Kutta steps of bounded length, whose error is far below what is asked.

Without arguments, some are tested. `shafts.py --seed 7 --count 300` judges so many and prints those that are wrong or
stop."""

import itertools
import math
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402
from chains import Undecided, solved  # noqa: E402

ALLOWED = 2e-5
STEP = 1 / 64  # of the reference
POINTS = 9
REST = 1e-9  # so slow is at rest
BEYOND = 1e-13
METHODS = ("auto", "auto", "auto", "radau", "bdf", "rodas5p", "esdirk4")


class Train:
    """What was drawn. Frictions and freewheels are rows g of speeds; a gear is one that stays 0."""

    def __init__(self, draw):
        self.draw, self.n = draw, draw.choice([1, 2, 2, 3, 3])
        self.J = [self.number(0.3, 3) for _ in range(self.n)]
        self.w = [draw.choice([0.0, self.number(-2, 2)]) for _ in range(self.n)]
        self.frictions, self.freewheels, self.gears, self.springs, self.torques = [], [], [], [], []
        self.declared, self.joined = [], []
        for i in range(self.n):
            self.draw_at(i)
        for i in range(self.n):
            self.declared.append(f"Inertia J{i}(J = {self.J[i]}, w(start = {self.w[i]!r}, fixed = {self.is_fixed(i)}));")

    def is_fixed(self, i):
        return "false" if any(row[i] and i == max(j for j in range(self.n) if row[j]) for row in self.gears) else "true"

    def number(self, low, high):
        return round(self.draw.uniform(low, high), 3)

    def row(self, i, j=None, ratio=1.0):
        return [(k == i) - ratio*(k == j) for k in range(self.n)]

    def end(self, i):
        return f"J{i}.flange_{self.draw.choice('ab')}"

    def add(self, declaration, a, b=None):
        name = f"c{len(self.declared)}"
        self.declared.append(declaration.replace("@", name))
        self.joined.append((self.end(a), name + ".flange" + ("" if b is None and "Torque" in declaration else "_a")))
        if b is not None:
            self.joined.append((name + ".flange_b", self.end(b)))
        return name

    def press(self, name, most):
        """The signal of a brake or clutch: it may be pressed or let go at an instant."""
        u, later, at = self.draw.choice([1.0, 0.5, 0.0]), self.draw.choice([1.0, 0.4, 0.0]), self.number(0.3, 2)
        if self.draw.random() < 0.5:
            later = u
        self.joined.append(f"{name}.u = if time > {at} then {later} else {u};")
        return [(at, most*u), (math.inf, most*later)]

    def draw_at(self, i):
        d, before = self.draw, i - 1
        for _ in range(d.choice([0, 1, 1, 2])):
            if d.random() < 0.6:
                slip = self.number(0.05, 2)
                self.add(f"BearingFriction @(tau_slip = {slip});", i)
                self.frictions.append((self.row(i), [(math.inf, slip)]))
            else:
                most = self.number(0.5, 3)
                self.frictions.append((self.row(i), self.press(self.add(f"Brake @(tau_max = {most});", i), most)))
        kind = d.choice(["Clutch", "Clutch", "OneWayClutch", "Gear", "Spring", "none"]) if i else "none"
        if kind == "Clutch":
            most = self.number(0.5, 3)
            name = self.add(f"Clutch @(tau_max = {most});", before, i)
            self.frictions.append((self.row(before, i), self.press(name, most)))
        elif kind == "OneWayClutch":  # i may overtake
            self.w[i] = round(self.w[before] + d.choice([0.0, self.number(0.1, 2)]), 3)
            self.add("OneWayClutch @;", before, i)
            self.freewheels.append(self.row(i, before))
        elif kind == "Gear":
            ratio = d.choice([2.0, -1.5, 0.5])
            self.w[i] = self.w[before]/ratio
            self.add(f"IdealGear @(ratio = {ratio});", before, i)
            self.gears.append(self.row(before, i, ratio))
        elif kind == "Spring":
            c = self.number(2, 20)
            self.add(f"Spring @(c = {c});", before, i)
            self.springs.append((before, i, c))
        if d.random() < 0.6:
            steady, swing, w = self.number(-2, 2), d.choice([0, self.number(0, 6)]), self.number(0.5, 4)
            self.torques.append((i, steady, swing, w))
            name = self.add("Torque @;", i)
            self.joined.append(f"{name}.tau = {steady} + {swing}*sin({w}*time);")

    def text(self):
        rows = [row if isinstance(row, str) else f"connect({row[0]}, {row[1]});" for row in self.joined]
        held = [f"J{i}.phi = 0;" for i in range(self.n) if self.is_fixed(i) == "true"]
        return "\n".join(["model S import Daedal.Rotational.*;", *self.declared, "initial equation", *held, "equation",
                          *rows, "end S;\n"])  # fmt: skip


def dot(p, q):
    return sum(x*y for x, y in zip(p, q))


def independent(rows):
    """Of rows, those that do not follow from others before them."""
    found, reduced = [], []
    for row in rows:
        rest = list(row)
        for r in reduced:
            p = max(range(len(r)), key=lambda k: abs(r[k]))
            f = rest[p]/r[p]
            rest = [x - f*y for x, y in zip(rest, r)]
        if max(map(abs, rest)) > 1e-9:
            found.append(row)
            reduced.append(rest)
    return found


class Course:
    """The motion of a train from event to event."""

    def __init__(self, of, shift=0.0):
        self.of, self.t, self.since, self.events = of, 0.0, 0.0, 0
        self.phi = [0.0]*of.n
        self.w = [w + shift*(i + 1)*(w != 0) for i, w in enumerate(of.w)]
        for g in of.gears:
            self.w[max(j for j in range(of.n) if g[j])] = of.w[max(j for j in range(of.n) if g[j])]
        self.choose()

    def slip(self, k):
        """Of a friction, since the last event."""
        return next(slip for until, slip in self.of.frictions[k][1] if self.since < until)

    def loads(self, t, phi):
        f = [0.0]*self.of.n
        for i, steady, swing, w in self.of.torques:
            f[i] += steady + swing*math.sin(w*t)
        for a, b, c in self.of.springs:
            f[b] -= c*(phi[b] - phi[a])
            f[a] += c*(phi[b] - phi[a])
        return f

    def forces(self, loads, rows):
        J, n = self.of.J, range(self.of.n)
        a = [[sum(p[j]*q[j]/J[j] for j in n) for q in rows] for p in rows]
        return solved(a, [-sum(p[j]*loads[j]/J[j] for j in n) for p in rows]) if rows else []

    def solve(self, loads, rows):
        """The accelerations J a = loads + rows' l, rows a = 0."""
        J, n = self.of.J, self.of.n
        rows = independent(rows)
        l = self.forces(loads, rows)
        return [(loads[j] + sum(x*r[j] for x, r in zip(l, rows)))/J[j] for j in range(n)]

    def push(self, t, phi, way, f=None):
        """Torques, with those of the frictions that slip."""
        f = f or self.loads(t, phi)
        for k, sign in way.items():
            if sign:
                g = self.of.frictions[k][0]
                f = [x - sign*self.slip(k)*y for x, y in zip(f, g)]
        return f

    def prepare(self):
        """What gives accelerations and forces of what is held by the loads, until the next event."""
        n, held = self.of.n, [k for k, sign in self.way.items() if sign == 0]
        rows = [self.of.frictions[k][0] for k in held]
        rows += [g for g, on in zip(self.of.freewheels, self.locked) if on]
        units = [[float(j == k) for j in range(n)] for k in range(n)]
        self.held, self.most = rows, [self.slip(k) for k in held]
        self.alone = len(independent(self.of.gears + rows)) == len(self.of.gears) + len(rows)
        columns = [self.solve(unit, self.of.gears + rows) for unit in units]
        self.mobility = list(zip(*columns))
        self.bearing = list(zip(*[self.forces(u, self.of.gears + rows) for u in units])) if self.alone else []
        self.drag = self.push(self.t, self.phi, self.way, [0.0]*n)

    def rate(self, t, phi):
        loads = [x + y for x, y in zip(self.loads(t, phi), self.drag)]
        return [dot(row, loads) for row in self.mobility]

    def least(self, t, phi, w):
        """Accelerations, how frictions slip, and which freewheels are locked."""
        of, best = self.of, None
        moves = {k: math.copysign(1, dot(g, w)) for k, (g, _) in enumerate(of.frictions) if abs(dot(g, w)) > REST}
        rests = [k for k in range(len(of.frictions)) if k not in moves]
        closed = [m for m, g in enumerate(of.freewheels) if abs(dot(g, w)) <= REST]
        slipping = self.push(t, phi, moves)
        for signs in itertools.product((0, 1, -1), repeat=len(rests)):
            way = {**moves, **dict(zip(rests, signs))}
            loads = self.push(t, phi, way)
            for on in itertools.product((True, False), repeat=len(closed)):
                locked = [m for m, x in zip(closed, on) if x]
                rows = [of.frictions[k][0] for k in rests if way[k] == 0] + [of.freewheels[m] for m in locked]
                a = self.solve(loads, of.gears + rows)
                if any(dot(of.freewheels[m], a) < -1e-10 for m in closed):
                    continue
                size = sum(J*x*x/2 - x*f for J, x, f in zip(of.J, a, slipping))
                size += sum(self.slip(k)*abs(dot(of.frictions[k][0], a)) for k in rests)
                if best is None or size < best[0] - 1e-11:
                    best = size, a, way, [m in locked for m in range(len(of.freewheels))]
        return best[1:]

    def choose(self):
        self.since = self.t
        a, way, locked = self.least(self.t, self.phi, self.w)
        of = self.of
        for k, (g, _) in enumerate(of.frictions):  # what begins to slip has the direction of its acceleration
            if abs(dot(g, self.w)) <= REST:
                way[k] = 0 if abs(dot(g, a)) < 1e-9 else int(math.copysign(1, dot(g, a)))
        for m, g in enumerate(of.freewheels):
            locked[m] = abs(dot(g, self.w)) <= REST and abs(dot(g, a)) < 1e-9
        self.way, self.locked = way, locked
        self.prepare()

    def stepped(self, h):
        t, p, w, n = self.t, self.phi, self.w, range(self.of.n)

        def at(part, dp, dw):
            return [p[j] + part*dp[j] for j in n], [w[j] + part*dw[j] for j in n]

        a1 = self.rate(t, p)
        p2, w2 = at(h/2, w, a1)
        a2 = self.rate(t + h/2, p2)
        p3, w3 = at(h/2, w2, a2)
        a3 = self.rate(t + h/2, p3)
        p4, w4 = at(h, w3, a3)
        a4 = self.rate(t + h, p4)
        return ([p[j] + h/6*(w[j] + 2*w2[j] + 2*w3[j] + w4[j]) for j in n],
                [w[j] + h/6*(a1[j] + 2*a2[j] + 2*a3[j] + a4[j]) for j in n])  # fmt: skip

    def is_over(self, t, phi, w):
        """Whether what holds has ended."""
        of = self.of
        if any(sign*dot(of.frictions[k][0], w) < -BEYOND for k, sign in self.way.items() if sign):
            return True
        if any(dot(g, w) < -BEYOND for g, on in zip(of.freewheels, self.locked) if not on):
            return True
        if not self.held:
            return False
        if self.alone:
            loads = [x + y for x, y in zip(self.loads(t, phi), self.drag)]
            l = [dot(row, loads) for row in self.bearing][len(of.gears):]
            return (any(abs(x) > slip + BEYOND for x, slip in zip(l, self.most)) or
                    any(x < -BEYOND for x in l[len(self.most):]))  # fmt: skip
        a, now = self.least(t, phi, w)[0], self.rate(t, phi)
        return max(abs(x - y) for x, y in zip(a, now)) > 1e-9

    def advance(self, until):
        stops = sorted({at for _, steps in self.of.frictions for at, _ in steps if self.t < at < until} | {until})
        for stop in stops:
            while self.t < stop:
                self.step(stop)
            if stop < until:
                self.t = stop
                self.choose()

    def step(self, until):
        h = min(STEP, until - self.t)
        last = h >= until - self.t
        phi, w = self.stepped(h)
        if not self.is_over(self.t + h - 1e-15, phi, w):
            self.t, self.phi, self.w = (until if last else self.t + h), phi, w
            return
        low, high = 0.0, h
        for _ in range(50):
            middle = (low + high)/2
            if self.is_over(self.t + middle, *self.stepped(middle)):
                high = middle
            else:
                low = middle
        self.events += 1
        if self.events > 300:
            raise Undecided
        self.phi, self.w = self.stepped(high)
        self.t += high
        self.choose()


def exact(of, times, shift=0.0):
    course, found = Course(of, shift), []
    for t in times:
        course.advance(t)
        found.append(list(course.w))
    return found


def judge(seed):
    """The text, and what is wrong; '' if nothing is, None if it cannot be judged."""
    draw = random.Random(f"shaft {seed}")
    of, method, stop = Train(draw), draw.choice(METHODS), draw.uniform(2, 4)
    times = [stop*k/(POINTS - 1) for k in range(POINTS)]
    try:
        wanted, beside = exact(of, times), exact(of, times, 1e-8)
    except Undecided:
        return None
    if any(abs(p - q) > ALLOWED/4 for one, two in zip(wanted, beside) for p, q in zip(one, two)):
        return None
    text, names = of.text(), [f"J{i}.w" for i in range(of.n)]
    choice = [] if method == "auto" else [f"--method={method}"]
    done = daedal.run(["run", "-", f"--stop={stop!r}", f"--points={POINTS}", "--rtol=1e-8", "--quiet",
                       "--vars=" + ",".join(names), *choice], text)  # fmt: skip
    if done.code != 0:
        return text, "stops: " + done.err.strip()
    for row, right in zip(daedal.rows(done.out)[1], wanted):
        for name, w in zip(names, right):
            if not abs(row[name] - w) <= ALLOWED:
                return text, f"{name} at t = {row['time']:g} is {row[name] - w:.3g} off, w = {w:g} ({method})"
    return text, ""


def end_of(text, stop, names):
    row = daedal.rows(daedal.run(["run", "-", f"--stop={stop}", "--points=2", "--rtol=1e-8", "--quiet",
                                  "--vars=" + ",".join(names)], text).out)[1][1]  # fmt: skip
    return [row[name] for name in names]


ONE_SHAFT = """model S import Daedal.Rotational.*; Torque t; {0}
initial equation a.phi = 0; equation t.tau = 3*sin(2*time); connect(t.flange, a.flange_a); {1} end S;"""


class Shafts(unittest.TestCase):
    def test_two_bearings_of_one_shaft_are_one_with_the_sum_of_their_torques(self):
        start = "Inertia a(J = 3, w(start = {0}, fixed = true)); "
        both = "connect(f.flange_a, a.flange_a); connect(g.flange_a, a.flange_b);"
        for w in (1, 0.5, 5):
            with self.subTest(w=w):
                one = ONE_SHAFT.format(start.format(w) + "BearingFriction f(tau_slip = 1.3);",
                                       "connect(f.flange_a, a.flange_a);")  # fmt: skip
                two = ONE_SHAFT.format(start.format(w) + "BearingFriction f(tau_slip = 1), g(tau_slip = 0.3);", both)
                self.assertAlmostEqual(end_of(one, 10, ["a.w"])[0], end_of(two, 10, ["a.w"])[0], delta=1e-6)

    def test_shafts_that_a_clutch_holds_together_are_one(self):
        two = ONE_SHAFT.format("Inertia a(J = 2, w(start = 1, fixed = true)), b(J = 1, w(start = 1)); Clutch c(tau_max ="
                               " 50, u = 1); BearingFriction f(tau_slip = 1), g(tau_slip = 0.3);",
                               "connect(a.flange_b, c.flange_a); connect(c.flange_b, b.flange_a); connect(f.flange_a, "
                               "a.flange_a); connect(g.flange_a, b.flange_b); initial equation b.phi = 0; b.w = 1;")  # fmt: skip
        one = ONE_SHAFT.format("Inertia a(J = 3, w(start = 1, fixed = true)); BearingFriction f(tau_slip = 1.3);",
                               "connect(f.flange_a, a.flange_a);")  # fmt: skip
        self.assertAlmostEqual(end_of(one, 10, ["a.w"])[0], end_of(two, 10, ["a.w"])[0], delta=1e-6)

    def test_a_freewheel_runs_free_from_the_start_of_a_shaft_that_is_braked(self):
        text = """model S import Daedal.Rotational.*; Inertia m(J = 1, phi(start = 0, fixed = true), w(start = 1, fixed =
            true)); Fixed w; OneWayClutch c; BearingFriction b(tau_slip = 0.3); equation connect(w.flange, c.flange_a);
            connect(c.flange_b, m.flange_a); connect(b.flange_a, m.flange_b); end S;"""  # fmt: skip
        self.assertAlmostEqual(end_of(text, 2, ["m.w"])[0], 0.4, delta=1e-9)
        self.assertAlmostEqual(end_of(text, 4, ["m.w"])[0], 0, delta=1e-9)

    def test_what_holds_one_shaft_together_is_determined(self):
        by_seed.all_right(self, judge, range(daedal.of_grid(24, 4, 3)), 1)


if __name__ == "__main__":
    by_seed.main(lambda seed, models: by_seed.count_wrong(judge, seed, models))
