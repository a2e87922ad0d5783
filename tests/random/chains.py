"""Masses that springs and dampers join, with stops, gaps and friction.

What is struck moves at once, what a spring joins to it does not, and friction, which is bounded, takes no part in a
blow. A mechanism of up to four masses is drawn from components of the library and followed here from event to event:
between events it is linear, and a classical Runge-Kutta step of bounded length leaves no more than its round-off. At an
event the contacts that meet take the impulses of the linear complementarity problem of J. J. Moreau (e = 0), or, at a
stop, of Newton's law; which contacts hold and which frictions stick from there on is found by trying all of them (C.
Glocker, Set-Valued Force Laws, 2001, Chap. 5 and 8). Mechanisms whose course depends on start values too sensitively to
be judged are drawn, counted and left out.

Without arguments, some are tested. `chains.py --seed 7 --count 300` judges so many and prints those that are wrong or
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

ALLOWED = 2e-5
STEP = 1 / 256  # of the reference
POINTS = 13
ROUNDING = 1e-10
BEYOND = 1e-13  # so far below 0 what is watched has changed
METHODS = ("auto", "auto", "auto", "radau", "bdf", "rodas5p", "esdirk4")


class Undecided(Exception):
    """The reference finds no course, or one that hangs on rounding."""


def solved(a, b):
    """The solution of a linear system."""
    n = len(b)
    a = [row[:] + [b[i]] for i, row in enumerate(a)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(a[i][k]))
        if abs(a[p][k]) < 1e-12:
            raise Undecided
        a[k], a[p] = a[p], a[k]
        for i in range(k + 1, n):
            f = a[i][k]/a[k][k]
            for j in range(k, n + 1):
                a[i][j] -= f*a[k][j]
    x = [0.0]*n
    for k in reversed(range(n)):
        x[k] = (a[k][n] - sum(a[k][j]*x[j] for j in range(k + 1, n)))/a[k][k]
    return x


class Mechanism:
    """What was drawn. A contact or friction is a row g of places: g.s - s0 >= 0 opens, g.v is its speed."""

    def __init__(self, draw):
        self.draw = draw
        self.n = n = draw.choice([1, 2, 2, 3, 3, 4])
        self.m = [self.number(0.3, 3) for _ in range(n)]
        self.s = [float(i) + self.number(-0.1, 0.1) for i in range(n)]
        self.v = [draw.choice([0.0, self.number(-2, 2)]) for _ in range(n)]
        self.springs, self.forces, self.stops, self.gaps, self.frictions = [], [], [], [], []
        self.declared, self.joined = [], []
        for i in range(n):
            self.declared.append(f"Mass m{i}(m = {self.m[i]}, s(start = {self.s[i]!r}, fixed = true), v(start = "
                                 f"{self.v[i]!r}, fixed = true));")  # fmt: skip
        self.declared.append("Fixed w;")
        for i in range(n):
            self.draw_at(i)

    def number(self, low, high):
        return round(self.draw.uniform(low, high), 3)

    def join(self, a, b):
        self.joined.append((a, b))

    def end(self, i):
        return "w.flange" if i < 0 else f"m{i}.flange_{self.draw.choice('ab')}"

    def add(self, declaration, a, b=None):
        name = f"c{len(self.declared)}"
        self.declared.append(declaration.replace("@", name))
        one, two = (".flange_a", ".flange_b") if b is not None else (".flange", None)
        self.join(self.end(a), name + one)
        if two:
            self.join(name + two, self.end(b))
        return name

    def draw_at(self, i):
        """What is at mass i and between it and the one before it, or the wall at 0."""
        d, before = self.draw, i - 1
        if d.random() < (0.8 if i else 0.4):
            c, rest, damp = self.number(2, 40), self.number(0.5, 1.2) if i else self.number(0, 0.3), self.number(0.05, 2)
            kind = d.choice(["Spring", "Spring", "SpringDamper", "Both"])
            damp = 0.0 if kind == "Spring" else damp
            if kind == "SpringDamper":
                self.add(f"SpringDamper @(c = {c}, d = {damp}, s_rel0 = {rest});", before, i)
            else:
                self.add(f"Spring @(c = {c}, s_rel0 = {rest});", before, i)
                if damp:
                    self.add(f"Damper @(d = {damp});", before, i)
            self.springs.append((before, i, c, damp, rest))
        if i and d.random() < 0.4:
            s0 = round(self.s[i] - self.s[before] - d.uniform(0.02, 0.6), 3)
            self.gaps.append((before, i, s0))
            self.add(f"RigidGap @(s_rel0 = {s0});", before, i)
        if i > 1 and d.random() < 0.1:
            s0 = round(self.s[i] - self.s[i - 2] - d.uniform(0.02, 0.6), 3)
            self.gaps.append((i - 2, i, s0))
            self.add(f"RigidGap @(s_rel0 = {s0});", i - 2, i)
        if d.random() < 0.35:
            low, high = round(self.s[i] - d.uniform(0.05, 0.8), 3), round(self.s[i] + d.uniform(0.05, 0.8), 3)
            e = d.choice([0.0, 0.1, 0.3, 0.5, 0.8, 1.0, self.number(0, 1)])
            self.stops.append((i, low, high, e))
            self.add(f"RigidStop @(s_min = {low}, s_max = {high}, e = {e});", i)
        if d.random() < 0.4:
            f, peak, damp = self.number(0.05, 3), d.choice([1, 1, 1.3, 2]), d.choice([0, 0, 0.5])
            self.frictions.append((i, f, peak, damp))
            name = f"c{len(self.declared)}"
            self.declared.append(f"Friction {name}(f_slip = {f}, peak = {peak}, d = {damp});")
            self.join(self.end(i), name + ".flange_a")
        if d.random() < 0.5:
            self.draw_force(i)

    def draw_force(self, i):
        steady, swing, w = self.number(-3, 3), self.draw.choice([0, self.number(0, 8)]), self.number(0.5, 5)
        self.forces.append((i, steady, swing, w))
        name = self.add("Force @;", i)
        self.joined.append(f"{name}.f = {steady} + {swing}*sin({w}*time);")

    def text(self):
        rows = [row if isinstance(row, str) else f"connect({row[0]}, {row[1]});" for row in self.joined]
        return "\n".join(["model C import Daedal.Translational.*;", *self.declared, "equation", *rows, "end C;\n"])


class Course:
    """The motion of a mechanism from event to event."""

    def __init__(self, of, shift=0.0):
        self.of, self.t, self.events = of, 0.0, 0
        self.s = list(of.s)
        self.v = [v + shift*(i + 1) for i, v in enumerate(of.v)]
        self.touch = [False]*len(of.gaps)  # a gap that is closed
        self.rest = [0]*len(of.stops)  # a stop at which its body rests
        self.mode = [(v > 0) - (v < 0) for v in (self.v[i] for i, *_ in of.frictions)]
        self.choose()

    # --- accelerations ---

    def loads(self, t, s, v):
        f = [0.0]*self.of.n
        for i, steady, swing, w in self.of.forces:
            f[i] += steady + swing*math.sin(w*t)
        for a, b, c, d, rest in self.of.springs:
            pull = c*(s[b] - (s[a] if a >= 0 else 0.0) - rest) + d*(v[b] - (v[a] if a >= 0 else 0.0))
            f[b] -= pull
            if a >= 0:
                f[a] += pull
        for (i, slip, _, d), mode in zip(self.of.frictions, self.mode):
            if mode:
                f[i] -= mode*slip + d*v[i]
        return f

    def rows(self, touch, rest, mode):
        """Of all that holds: its direction."""
        n, found = self.of.n, []
        for (a, b, _), on in zip(self.of.gaps, touch):
            if on:
                found.append([(j == b) - (j == a) for j in range(n)])
        for (i, *_), on in zip(self.of.stops, rest):
            if on:
                found.append([-on*(j == i) for j in range(n)])
        for (i, *_), on in zip(self.of.frictions, mode):
            if on == 0:
                found.append([int(j == i) for j in range(n)])
        return found

    def solve(self, right, rows):
        """x and l: m x = right + rows' l, rows x = 0."""
        n, k = self.of.n, len(rows)
        if k == 0:
            return [r/m for r, m in zip(right, self.of.m)], []
        a = [[sum(p[j]*q[j]/self.of.m[j] for j in range(n)) for q in rows] for p in rows]
        l = solved(a, [-sum(p[j]*right[j]/self.of.m[j] for j in range(n)) for p in rows])
        x = [(right[j] + sum(l[i]*rows[i][j] for i in range(k)))/self.of.m[j] for j in range(n)]
        return x, l

    def rates(self, t, s, v):
        return self.solve(self.loads(t, s, v), self.rows(self.touch, self.rest, self.mode))

    def stepped(self, h):
        t, s, v = self.t, self.s, self.v

        def at(part, ds, dv):
            return ([p + part*d for p, d in zip(s, ds)], [p + part*d for p, d in zip(v, dv)])

        a1, v1 = self.rates(t, s, v)[0], v
        s2, v2 = at(h/2, v1, a1)
        a2 = self.rates(t + h/2, s2, v2)[0]
        s3, v3 = at(h/2, v2, a2)
        a3 = self.rates(t + h/2, s3, v3)[0]
        s4, v4 = at(h, v3, a3)
        a4 = self.rates(t + h, s4, v4)[0]
        n = range(self.of.n)
        return ([s[j] + h/6*(v1[j] + 2*v2[j] + 2*v3[j] + v4[j]) for j in n],
                [v[j] + h/6*(a1[j] + 2*a2[j] + 2*a3[j] + a4[j]) for j in n])  # fmt: skip

    # --- what is watched: positive as long as nothing happens ---

    def watched(self, t, s, v):
        found, held = [], iter(self.rates(t, s, v)[1])
        for (a, b, s0), on in zip(self.of.gaps, self.touch):
            found.append(next(held) if on else s[b] - s[a] - s0)
        for (i, low, high, _), on in zip(self.of.stops, self.rest):
            found += [next(held)] if on else [s[i] - low, high - s[i]]
        for (i, slip, peak, _), on in zip(self.of.frictions, self.mode):
            if on:
                found.append(on*v[i])
            else:
                found.append(peak*slip - abs(next(held)))
        return found

    def advance(self, until):
        while self.t < until:
            h = min(STEP, until - self.t)
            s, v = self.stepped(h)
            end = self.watched(self.t + h, s, v)
            crossed = [k for k in range(len(end)) if end[k] < -BEYOND]
            if not crossed:
                self.t, self.s, self.v = (until if h < STEP else self.t + h), s, v
                continue
            low, high = 0.0, h
            for _ in range(60):
                middle = (low + high)/2
                at = self.watched(self.t + middle, *self.stepped(middle))
                if any(x < -BEYOND for x in at):
                    high = middle
                else:
                    low = middle
            s, v = self.stepped(high)
            over = self.watched(self.t + high, s, v)
            self.t, self.s, self.v = self.t + high, s, v
            self.pass_event([k for k in range(len(over)) if over[k] < -BEYOND])

    # --- events ---

    def pass_event(self, which):
        self.events += 1
        if self.events > 400:
            raise Undecided
        k, hits, slips = 0, [], {}
        holding = iter(self.rates(self.t, self.s, self.v)[1])
        force = {}
        for kind, all_of in (("gap", self.touch), ("stop", self.rest)):
            for j, on in enumerate(all_of):
                if on:
                    force[kind, j] = next(holding)
        for f, on in enumerate(self.mode):
            if on == 0:
                force["friction", f] = next(holding)
        for g, (a, b, s0) in enumerate(self.of.gaps):
            if k in which and not self.touch[g]:
                hits.append(g)
            elif k in which:
                self.touch[g] = False
            k += 1
        for c, (i, low, high, e) in enumerate(self.of.stops):
            if self.rest[c]:
                if k in which:
                    self.rest[c] = 0
                k += 1
                continue
            for side in (-1, 1):
                if k in which:
                    self.s[i] = low if side < 0 else high
                    self.strike(c, i, e, side)
                k += 1
        for f, (i, *_) in enumerate(self.of.frictions):
            if k in which and self.mode[f]:
                self.v[i], self.mode[f] = 0.0, 0
            elif k in which:
                slips[f] = -1 if force["friction", f] > 0 else 1
            k += 1
        if hits:
            self.meet([self.touch[g] or g in hits for g in range(len(self.touch))], {})
        self.choose(slips)

    def strike(self, c, i, e, side):
        """A body reaches a stop: it is thrown back, or rests."""
        speed = abs(self.v[i])
        rests = e*speed <= 1e-3
        self.meet(list(self.touch), {i: 0.0 if rests else -side*e*speed})
        self.rest[c] = side if rests else 0

    def meet(self, touch, given):
        """Impulses of the contacts that meet; given: speeds that stops set."""
        gaps = [g for g in range(len(touch)) if touch[g]]
        fixed = [i for c, (i, *_) in enumerate(self.of.stops) if self.rest[c] and i not in given]
        for count in range(len(gaps), -1, -1):
            for on in itertools.combinations(gaps, count):
                rows = self.rows([g in on for g in range(len(touch))], [0]*len(self.of.stops), [1]*len(self.of.frictions))
                rows += [[int(j == i) for j in range(self.of.n)] for i in [*given, *fixed]]
                wanted = [0.0]*count + [given[i] for i in given] + [0.0]*len(fixed)
                n, m = self.of.n, self.of.m
                a = [[sum(p[j]*q[j]/m[j] for j in range(n)) for q in rows] for p in rows]
                if rows:
                    l = solved(a, [w - sum(p[j]*self.v[j] for j in range(n)) for p, w in zip(rows, wanted)])
                else:
                    l = []
                v = [self.v[j] + sum(l[k]*rows[k][j] for k in range(len(rows)))/m[j] for j in range(n)]
                apart = [v[self.of.gaps[g][1]] - v[self.of.gaps[g][0]] for g in gaps if g not in on]
                if all(x >= -ROUNDING for x in l[:count]) and all(x >= -ROUNDING for x in apart):
                    self.v = v
                    for g in gaps:
                        a_, b_, _ = self.of.gaps[g]
                        self.touch[g] = abs(v[b_] - v[a_]) < ROUNDING
                    self.wake()
                    return
        raise Undecided

    def wake(self):
        """Frictions follow the speeds that a blow has left."""
        for f, (i, *_) in enumerate(self.of.frictions):
            self.mode[f] = 0 if abs(self.v[i]) < ROUNDING else (1 if self.v[i] > 0 else -1)

    def choose(self, begins=None):
        """What holds from here on, of all that may; begins: frictions that break away, and where to."""
        begins = begins or {}
        of, found = self.of, []
        stuck = [f for f, (i, *_) in enumerate(of.frictions) if abs(self.v[i]) < ROUNDING]
        for f in [f for f in begins if f in stuck]:
            stuck.remove(f)
            self.mode[f] = begins[f]
        resting = [c for c in range(len(of.stops)) if self.rest[c]]
        touching = [g for g in range(len(of.gaps)) if self.touch[g]]
        slips = {f: [0, 1, -1] for f in stuck}
        for modes in itertools.product(*[slips[f] for f in stuck]):
            for rests in itertools.product(*[(True, False)]*len(resting)):
                for touches in itertools.product(*[(True, False)]*len(touching)):
                    if self.suits(dict(zip(stuck, modes)), dict(zip(resting, rests)), dict(zip(touching, touches))):
                        found.append((dict(zip(stuck, modes)), dict(zip(resting, rests)), dict(zip(touching, touches))))
        if not found:
            raise Undecided
        modes, rests, touches = min(found, key=lambda x: sum(m != 0 for m in x[0].values()))
        for f in modes:
            self.mode[f] = modes[f]
        for c in rests:
            self.rest[c] = self.rest[c] if rests[c] else 0
        for g in touches:
            self.touch[g] = touches[g]

    def suits(self, modes, rests, touches):
        of = self.of
        mode = [modes.get(f, self.mode[f]) for f in range(len(of.frictions))]
        rest = [self.rest[c] if rests.get(c) else 0 for c in range(len(of.stops))]
        touch = [bool(touches.get(g)) for g in range(len(of.gaps))]
        kept, self.mode = self.mode, mode
        try:
            a, l = self.solve(self.loads(self.t, self.s, self.v), self.rows(touch, rest, mode))
        except Undecided:
            return False
        finally:
            self.mode = kept
        held = iter(l)
        for g, (i, j, _) in enumerate(of.gaps):
            if touch[g]:
                if next(held) < 0:
                    return False
            elif g in touches and a[j] - a[i] < ROUNDING:
                return False
        for c, (i, *_) in enumerate(of.stops):
            if rest[c]:
                if next(held) < 0:
                    return False
            elif c in rests and -self.rest[c]*a[i] < ROUNDING:
                return False
        for f, (i, slip, peak, _) in enumerate(of.frictions):
            if mode[f] == 0:
                if abs(next(held)) > peak*slip:
                    return False
            elif f in modes and mode[f]*a[i] < ROUNDING:
                return False
        return True


def exact(of, times, shift=0.0):
    course, found = Course(of, shift), []
    for t in times:
        course.advance(t)
        found.append(course.s + course.v)
    return found


def judge_crowded(seed):
    return judge(seed, Crowded)


def judge(seed, kind=Mechanism):
    """The text, and what is wrong; '' if nothing is, None if it cannot be judged."""
    draw = random.Random(f"chain {seed}")
    of, method, stop = kind(draw), draw.choice(METHODS), draw.uniform(2, 4)
    times = [stop*k/(POINTS - 1) for k in range(POINTS)]
    text, names = of.text(), [f"m{i}" for i in range(of.n)]
    try:
        wanted = exact(of, times)
        beside = exact(of, times, 1e-8)
    except Undecided:
        return None
    if any(abs(p - q) > ALLOWED/4 for one, two in zip(wanted, beside) for p, q in zip(one, two)):
        return None
    choice = [] if method == "auto" else [f"--method={method}"]
    done = daedal.run(["run", "-", f"--stop={stop!r}", f"--points={POINTS}", "--rtol=1e-8", "--quiet",
                       "--vars=" + ",".join([n + ".s" for n in names] + [n + ".v" for n in names]), *choice], text)  # fmt: skip
    if done.code != 0:
        return text, "stops: " + done.err.strip()
    for row, right in zip(daedal.rows(done.out)[1], wanted):
        for i, name in enumerate(names):
            miss = max(abs(row[f"{name}.s"] - right[i]), abs(row[f"{name}.v"] - right[of.n + i]))
            if not miss <= ALLOWED:
                return text, (f"{name} at t = {row['time']:g} is {miss:.3g} off, s = {right[i]:g}, "
                              f"v = {right[of.n + i]:g} ({method})")  # fmt: skip
    return text, ""


class Crowded(Mechanism):
    """Masses in a row, most of which touch others on both sides, run into stops and rub: several contacts and
    frictions meet at one mass."""

    def draw_at(self, i):
        d, before = self.draw, i - 1
        if i and d.random() < 0.4:
            c, rest = self.number(2, 40), self.number(0.5, 1.2)
            self.add(f"Spring @(c = {c}, s_rel0 = {rest});", before, i)
            self.springs.append((before, i, c, 0.0, rest))
        for j in (before, i - 2):
            if j >= 0 and d.random() < (0.9 if j == before else 0.3):
                s0 = round(self.s[i] - self.s[j] - d.uniform(0.02, 0.3), 3)
                self.gaps.append((j, i, s0))
                self.add(f"RigidGap @(s_rel0 = {s0});", j, i)
        if d.random() < 0.4:
            low, high = round(self.s[i] - d.uniform(0.05, 0.6), 3), round(self.s[i] + d.uniform(0.05, 0.6), 3)
            e = d.choice([0.0, 0.3, 0.6, self.number(0, 1)])
            self.stops.append((i, low, high, e))
            self.add(f"RigidStop @(s_min = {low}, s_max = {high}, e = {e});", i)
        if d.random() < 0.6:
            f = [self.number(0.05, 2) for _ in range(d.choice([1, 1, 2]))]
            self.frictions.append((i, sum(f), 1, 0.0))
            for slip in f:
                name = f"c{len(self.declared)}"
                self.declared.append(f"Friction {name}(f_slip = {slip});")
                self.join(self.end(i), name + ".flange_a")
        if d.random() < 0.6:
            self.draw_force(i)


class OnSpring(Mechanism):
    """Two masses on a spring, each with a friction, one of which sticks by more force than it slips."""

    def __init__(self, v):
        super().__init__(random.Random("one of any"))
        self.n, self.m, self.s = 2, [1.0, 1.0], [3.0, 4.0]
        self.v = v
        self.springs, self.frictions = [(0, 1, 20.0, 0.0, 1.0)], [(0, 1.0, 1.3, 0.0), (1, 0.5, 1.0, 0.0)]
        self.forces = self.stops = self.gaps = []
        masses = ", ".join(f"m{i}(m = 1, s(start = {self.s[i]}, fixed = true), v(start = {self.v[i]}, fixed = true))"
                           for i in range(2))  # fmt: skip
        self.declared = [f"Mass {masses}; Spring k(c = 20, s_rel0 = 1); Friction f0(peak = 1.3, f_slip = 1), "
                         "f1(f_slip = 0.5);"]  # fmt: skip
        self.joined = [("f0.flange_a", "m0.flange_a"), ("f1.flange_a", "m1.flange_a"),
                       ("m0.flange_a", "k.flange_a"), ("k.flange_b", "m1.flange_a")]  # fmt: skip


class Chains(unittest.TestCase):
    def test_what_comes_to_rest_below_its_peak_sticks(self):
        # starts from which m0 comes to rest where the polynomial of the step is on the other side by then
        for v in ([-1, 1], [0.509191, -0.575591], [0.598715, -1.001794], [-0.82015, 1.126474], [0.940063, -1.028645]):
            of = OnSpring(v)
            with self.subTest(v=of.v):
                options = ["--stop=6", "--points=2", "--quiet", "--vars=m0.s,m1.s"]
                row = daedal.rows(daedal.run(["run", "-", *options], of.text()).out)[1][1]
                right = exact(of, [6.0])[0]
                self.assertLess(max(abs(row[f"m{i}.s"] - right[i]) for i in range(2)), 1e-4)

    def test_a_contact_opens_at_the_blow_by_which_another_one_closes(self):
        # a takes b along from 0.25 on, with 1; at 0.75 it strikes c: 2*1 = (2 + 0.5)*0.8, and b, with 1, leaves a
        text = """model C import Daedal.Translational.*; Mass a(m = 2, s(start = 1, fixed = true), v(start = 2, fixed =
            true)), b(m = 2, s(start = 2, fixed = true), v(start = 0, fixed = true)), c(m = 0.5, s(start = 2.2, fixed =
            true), v(start = 0, fixed = true)); RigidGap g(s_rel0 = 0.2), h(s_rel0 = 0.5); equation connect(a.flange_b,
            g.flange_a); connect(g.flange_b, c.flange_a); connect(a.flange_b, h.flange_a); connect(h.flange_b,
            b.flange_a); end C;"""  # fmt: skip
        row = daedal.rows(daedal.run(["run", "-", "--stop=2", "--points=2", "--quiet"], text).out)[1][1]
        for name, right in (("a.v", 0.8), ("b.v", 1), ("c.v", 0.8), ("a.s", 3), ("b.s", 3.75), ("c.s", 3.2)):
            self.assertAlmostEqual(row[name], right, delta=1e-9, msg=name)

    def test_what_is_struck_moves_and_what_springs_join_does_not(self):
        by_seed.all_right(self, judge, [*range(daedal.of_grid(30, 20, 8)), 2013, 2080], 4)

    def test_several_contacts_and_frictions_meet_at_one_mass(self):
        # of 117 a stop throws back a mass that another one pushes onto it
        by_seed.all_right(self, judge_crowded, [117, *range(daedal.of_grid(18, 3, 2))], 1)


if __name__ == "__main__":
    by_seed.main(lambda seed, models: by_seed.count_wrong(judge, seed, models))
