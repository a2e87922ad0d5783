"""Random DAEs of known index and solution whose structure misleads.

A regular DAE of index 1 to 4 is drawn: states u with der(u) = f(u, x1), and a chain x1 + g(u) =
s(t), der(x1) - h - x2 = s(t), ..., with right sides for which the solution is known. It is then
deceived by one of KINDS, none of which changes its index or this solution.

Without arguments, some are tested. `deceived.py --seed 7 --count 100 [--kinds bent,factor]
[--index 3,4] [OPTION...]` runs so many of each kind and index, with these options of `daedal run`,
and counts what becomes of them."""

import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

RIGHT, STOP, RTOL = 1e-4, 1, 1e-7
AT = 0.47  # an instant at which an equation says nothing


def number(value):
    return f"{value:.4g}" if value >= 0 else f"({value:.4g})"


class Course:
    """A function of time, as text with its derivative, and as a function."""

    def __init__(self, draw):
        round4 = lambda value: float(f"{value:.4g}")  # noqa: E731  (as the text has it)
        size, rate = round4(draw.uniform(0.3, 1)), round4(draw.uniform(0.5, 1.6))
        phase, mean = round4(draw.uniform(0, 6)), round4(draw.uniform(-0.5, 0.5))
        a, w, p, b = number(size), number(rate), number(phase), number(mean)
        if draw.random() < 0.3:
            self.text = f"({b} + {a}*exp(-{w}*time))"
            self.slope = f"(-{a}*{w}*exp(-{w}*time))"
            self.value = lambda t: mean + size * math.exp(-rate * t)
        else:
            self.text = f"({b} + {a}*sin({w}*time + {p}))"
            self.slope = f"({a}*{w}*cos({w}*time + {p}))"
            self.value = lambda t: mean + size * math.sin(rate * t + phase)


def term(draw, names):
    """A small smooth function of some unknowns."""
    x, y, size = draw.choice(names), draw.choice(names), number(draw.uniform(-0.8, 0.8))
    return draw.choice([f"{size}*{x}", f"{size}*sin({x})", f"{size}*{x}*{y}", f"{size}*cos({x} - {y})"])


class Deceived:
    """rows: texts that are 0. course: of each unknown."""

    def __init__(self, seed, index, kind):
        draw = self.draw = random.Random(f"{seed} {index} {kind}")
        self.index, self.kind = index, kind
        self.states = [f"u{i + 1}" for i in range(draw.choice([1, 1, 2]))]
        self.chain = [f"x{i + 1}" for i in range(index)]
        self.names = self.states + self.chain
        self.course = {name: Course(draw) for name in self.names}
        self.rows = [f"({row} - ({self.at_solution(row)}))" for row in self.regular()]
        self.constraint = len(self.states)
        KINDS[kind](self)
        draw.shuffle(self.rows)

    def regular(self):
        draw, u, x = self.draw, self.states, self.chain
        for name in u:
            yield f"der({name}) - ({term(draw, u)} + {term(draw, u + x[:1])})"
        yield f"{x[0]} + {term(draw, u)}" + (f" + 0.2*sin({x[0]})" if len(x) == 1 else "")
        for k in range(1, len(x)):
            bend = f" - 0.2*sin({x[k]})" if k == len(x) - 1 and draw.random() < 0.3 else ""
            yield f"der({x[k - 1]}) - ({term(draw, u + x[:k])}) - {x[k]}{bend}"

    def at_solution(self, row):
        row = re.sub(r"der\((\w+)\)", lambda m: self.course[m.group(1)].slope, row)
        return re.sub(r"\b[ux]\d\b", lambda m: self.course[m.group()].text, row)

    def factor(self):
        return number(self.draw.choice([-1, 1]) * self.draw.uniform(0.4, 1.2))

    def two(self):
        return self.draw.sample(range(len(self.rows)), 2)

    def add(self, i, j, factor):
        self.rows[i] = f"({self.rows[i]} + {factor}*{self.rows[j]})"

    def replace(self, a, b, value, slope):
        """Unknowns a, b by functions of y1, y2: their texts, and those of their derivatives."""
        for name, text, rate in zip((a, b), value, slope):
            self.rows = [re.sub(rf"der\({name}\)", rate, row) for row in self.rows]
            self.rows = [re.sub(rf"\b{name}\b", text, row) for row in self.rows]

    def text(self):
        unknowns = "".join(f"  Real {n}(start = {self.value(n, 0)!r});\n" for n in self.names)
        equations = "".join(f"  0 = {row};\n" for row in self.rows)
        return f"model Deceived\n{unknowns}equation\n{equations}end Deceived;\n"

    def value(self, name, t):
        return self.course[name].value(t)


def constant_rows(s):
    for _ in range(2 if len(s.rows) > 2 else 1):
        i, j = s.two()
        s.add(i, j, s.factor())
        s.add(j, i, s.factor())


def turning_rows(s):
    i, j = s.two()
    angle = f"({number(s.draw.uniform(0.5, 1.5))}*time + {number(s.draw.uniform(0, 3))})"
    a, b = s.rows[i], s.rows[j]
    s.rows[i], s.rows[j] = f"(cos{angle}*{a} - sin{angle}*{b})", f"(sin{angle}*{a} + cos{angle}*{b})"


def bent_rows(s):
    for _ in range(2 if len(s.rows) > 2 else 1):
        i, j = s.two()
        s.add(i, j, f"({s.factor()} + 0.4*sin({s.draw.choice(s.names)}))")
        s.add(j, i, f"({s.factor()}*{s.draw.choice(s.states + s.chain[:1])})")


class Pair:
    """Courses of y1 and y2, by those of a and b."""

    def __init__(self, back, a, b, which):
        self.value = lambda t: back(t, a.value(t), b.value(t))[which]


def change(s, value, slope, back):
    a, b = s.draw.sample(s.names, 2)
    s.replace(a, b, value, slope)
    first, second = s.course[a], s.course[b]
    s.course["y1"], s.course["y2"] = Pair(back, first, second, 0), Pair(back, first, second, 1)
    s.names = [name for name in s.names if name not in (a, b)] + ["y1", "y2"]
    i, j = s.two()
    s.add(i, j, s.factor())


def constant_unknowns(s):
    c, d = 0.8, 0.6
    change(s, (f"({c}*y1 - {d}*y2)", f"({d}*y1 + {c}*y2)"),
           (f"({c}*der(y1) - {d}*der(y2))", f"({d}*der(y1) + {c}*der(y2))"),
           lambda t, a, b: (c * a + d * b, c * b - d * a))


def turning_unknowns(s):
    w = float(number(s.draw.uniform(0.4, 1.2)))
    c, d = f"cos({w}*time)", f"sin({w}*time)"
    change(s, (f"({c}*y1 - {d}*y2)", f"({d}*y1 + {c}*y2)"),
           (f"({c}*der(y1) - {d}*der(y2) - {w}*({d}*y1 + {c}*y2))",
            f"({d}*der(y1) + {c}*der(y2) + {w}*({c}*y1 - {d}*y2))"),
           lambda t, a, b: (math.cos(w * t) * a + math.sin(w * t) * b,
                            math.cos(w * t) * b - math.sin(w * t) * a))


def bent_unknowns(s):
    k, m = (float(number(s.draw.uniform(0.4, 0.9))) for _ in range(2))

    def back(_, a, b):
        y = a
        for _ in range(60):
            y -= (y + k * math.sin(b - m * y) - a) / (1 - k * m * math.cos(b - m * y))
        return y, b - m * y

    change(s, (f"(y1 + {k}*sin(y2))", f"(y2 + {m}*y1)"),
           (f"(der(y1) + {k}*cos(y2)*der(y2))", f"(der(y2) + {m}*der(y1))"), back)


def hidden_factors(s):
    for i in s.two():
        s.rows[i] = f"(1 + 0.5*{s.draw.choice(s.names)}^2)*{s.rows[i]}"
    i, j = s.two()
    s.add(i, j, f"{s.factor()}*exp(0.3*{s.draw.choice(s.names)})")
    i, j = s.two()
    s.rows[i] = f"({s.rows[i]}*exp({s.draw.choice(s.names)}))"
    s.add(i, j, f"{s.factor()}/(2 + sin({s.draw.choice(s.names)}))")


def products(s):
    i, j = s.two()
    a, b = s.rows[i], s.rows[j]
    s.rows[i] = f"({a} + {s.factor()}*{b} + 0.5*{a}*{b})"
    s.rows[j] = f"({b} + {s.factor()}*{a}*{b})"


BENDS = ["{0}", "sin({0})", "atan({0})", "sinh({0})", "({0} + 0.5*{0}^3)", "tan(0.5*{0})"]


def bent_pairs(s):
    """Two bent functions of an equation with derivatives, each beside the constraint."""
    i = s.draw.choice([i for i in range(len(s.rows)) if i != s.constraint])
    a, b = s.rows[i], s.rows[s.constraint]
    bend = s.draw.choice(BENDS[1:]), s.draw.choice(BENDS)
    more = f"*(1 + 0.3*{s.draw.choice(s.states)})" if s.draw.random() < 0.5 else ""
    s.rows[i] = f"({bend[0].format(a)} + {s.factor()}*{b})"
    s.rows[s.constraint] = f"({bend[1].format(a)} + {s.factor()}*{b}{more})"


def squares(s):
    """Rows beside squares of others, which are 0 on solutions, with their slopes, and not elsewhere."""
    i, j = s.two()
    s.add(i, j, s.factor())
    for _ in range(2):
        i, j = s.two()
        s.rows[i] = f"({s.draw.choice(BENDS).format(s.rows[i])} + {s.factor()}*{s.rows[j]}^2)"


def passing(names):
    """Rows turned pair by pair by angles of these unknowns, or time: each factor that a combination
    may divide by passes 0 within the run."""

    def turn(s):
        from_ = names(s)
        for _ in range(min(3, len(s.rows))):
            i, j = s.two()
            rate, phase = number(s.draw.uniform(2, 6)), number(s.draw.uniform(0, 3))
            angle, a, b = f"({rate}*{s.draw.choice(from_)} + {phase})", s.rows[i], s.rows[j]
            s.rows[i] = f"(cos{angle}*{a} - sin{angle}*{b})"
            s.rows[j] = f"(sin{angle}*{a} + cos{angle}*{b})"

    return turn


def passing_pivots(s):
    """p a + b beside a - p b, or a + p^3 b / 2, with p that passes 0 once."""
    for _ in range(min(2, len(s.rows) - 1)):
        i, j = s.two()
        at = number(s.draw.uniform(0.2, 0.8))
        p = s.draw.choice([f"(time - {at})", f"sin(3*(time - {at}))",
                           f"(time - {at})*exp({s.draw.choice(s.states)})"])  # fmt: skip
        q = s.draw.choice([f"-{p}", f"-{p}" if "exp" in p else f"0.5*{p}*{p}*{p}"])
        a, b = s.rows[i], s.rows[j]
        s.rows[i], s.rows[j] = f"({p}*{a} + {b})", f"({a} + ({q})*{b})"


def vanishing(deceive):
    """Deceived rows, one of which is 0 = 0 at an instant within the run: the index is another one
    there, and the solution goes on."""

    def multiply(s):
        at = number(s.draw.uniform(0.2, 0.8))
        p = s.draw.choice([f"(time - {at})", f"sin(3*(time - {at}))", f"(exp(time - {at}) - 1)"])
        deceive(s)
        i = s.draw.choice(range(len(s.rows)))
        s.rows[i] = f"{p}*{s.rows[i]}"

    return multiply


def vanishing_state(s):
    """The same by a state: where it is 0, another solution may begin."""
    constant_rows(s)
    i = s.draw.choice(range(len(s.rows)))
    s.rows[i] = f"(u1 - ({s.value('u1', AT)!r}))*{s.rows[i]}"


def sum_vanishing_state(s):
    """The same of a sum of two rows."""
    vanishing_state(s)
    i = next(i for i, row in enumerate(s.rows) if row.startswith("(u1 - ("))
    s.add(i, s.draw.choice([k for k in range(len(s.rows)) if k != i]), s.factor())


KINDS = {
    "const": constant_rows, "time": turning_rows, "bent": bent_rows,
    "coord": constant_unknowns, "coordtime": turning_unknowns, "coordbent": bent_unknowns,
    "factor": hidden_factors, "product": products, "bentpair": bent_pairs,
    "square": squares,
    "passtime": passing(lambda s: ["time"]), "passpivot": passing_pivots,
    "vanish": vanishing(lambda s: None), "vanishconst": vanishing(constant_rows),
    "vanishbent": vanishing(bent_rows), "statevanish": vanishing_state, "sumvanish": sum_vanishing_state,
    "passstate": passing(lambda s: s.states + s.chain[:1]), "passany": passing(lambda s: s.names),
}  # fmt: skip


def judged(path, system, values, options, timeout):
    """right, wrong, refused or stopped; the index found; and what was said. values: of each name, its value by time."""
    path.write_text(system.text())
    arguments = ["run", path, "--stop", STOP, "--rtol", RTOL, "--points", 11, "--stats", "--quiet"]
    try:
        done = daedal.run([*arguments, *options], timeout=timeout)
    except subprocess.TimeoutExpired:
        return "stopped", None, f"no end within {timeout} s"
    stats = daedal.last_object(done.err) if done.err.rstrip().endswith("}") else {}
    _, found = daedal.rows(done.out)
    far = {n: max((abs(row[n] - value(row["time"])) for row in found), default=0) for n, value in values.items()}
    worst = max(far, key=far.get)
    if not far[worst] <= RIGHT:
        return "wrong", stats.get("index"), f"{worst} {far[worst]:.2g} off: {done.err}"
    kind = "right" if done.code == 0 else "stopped" if len(found) > 1 else "refused"
    return kind, stats.get("index"), done.err


def outcome(system, folder, *options, timeout=60):
    path = pathlib.Path(folder) / f"{system.kind}{system.index}.mo"
    values = {n: lambda t, n=n: system.value(n, t) for n in system.names}
    return judged(path, system, values, options, timeout)


class TheStructureMisleads(unittest.TestCase):
    def test_drawn(self):
        """Each kind, at an index each: the solution, and the index."""
        with tempfile.TemporaryDirectory() as folder:
            for place, kind in enumerate(k for k in KINDS if not k.startswith(("pass", "state", "sum"))):
                for index in {2 + place % 2, 3 + place % 2}:
                    with self.subTest(kind=kind, index=index):
                        system = Deceived(5, index, kind)
                        what, found, said = outcome(system, folder)
                        self.assertEqual((what, found), ("right", index), said + system.text())


    def test_pivots_that_pass_zero(self):
        """Systems in which a combination that is chosen at the start divides by 0 on the way, or the
        new unknowns of an embedding cease to determine what they did."""
        cases = [("passtime", 2, 2), ("passtime", 2, 19), ("passtime", 4, 1049), ("passpivot", 4, 14),
                 ("passstate", 2, 4), ("passstate", 3, 16), ("passany", 2, 6), ("passany", 3, 11),
                 ("passany", 4, 3), ("passany", 4, 10)]  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            for kind, index, seed in cases[::daedal.of_grid(1, 2, 3)]:
                with self.subTest(kind=kind, index=index, seed=seed):
                    system = Deceived(seed, index, kind)
                    what, found, said = outcome(system, folder)
                    self.assertEqual((what, found), ("right", index), said + system.text())


    def test_what_says_nothing_at_an_instant_is_named(self):
        """A run that cannot go on there names the equation and the instant; one that goes on is right."""
        stopped = 0
        with tempfile.TemporaryDirectory() as folder:
            for index, seed in (3, 1), (3, 5), (2, 1):
                with self.subTest(index=index, seed=seed):
                    what, _, said = outcome(Deceived(seed, index, "statevanish"), folder)
                    if what == "right":
                        continue
                    self.assertEqual(what, "stopped", said)
                    stopped += 1
                    named = re.search(r"near t = (\S+) hardly anything is left of (.*)", said)
                    self.assertLess(abs(float(named.group(1)) - AT), 1e-4)
                    self.assertTrue(named.group(2).startswith("0 = (u1 - ("), said)
        self.assertGreater(stopped, 0)


    def test_sums_that_say_nothing_at_an_instant_are_named(self):
        """With both members, of which neither is lost by itself; unless the instant is passed."""
        named_sums = 0
        with tempfile.TemporaryDirectory() as folder:
            for index, seed in (2, 8), (3, 1), (3, 5):
                with self.subTest(index=index, seed=seed):
                    what, _, said = outcome(Deceived(seed, index, "sumvanish"), folder)
                    self.assertIn(what, ["stopped", "right"], said)
                    if what == "right":
                        continue
                    named = re.search(r"near t = (\S+) hardly anything is left of the sum of\n"
                                      r"    (.*)\n    and (.*)\n  remedy", said)  # fmt: skip
                    self.assertLess(abs(float(named.group(1)) - AT), 1e-4)
                    self.assertIn(" times 0 = ((u1 - (", named.group(2) + named.group(3))
                    named_sums += 1
        self.assertGreaterEqual(named_sums, 2)

    def test_factors_of_time(self):
        """What says nothing at an instant by such a factor has its solution in rows there, too."""
        circle = ("model M Real x(start = 1, fixed = true), y(start = 0), vx(start = 0), vy(start = 1, fixed = true), z; "
                  "equation der(x) = vx; der(y) = vy; der(vx) = -z*x; der(vy) = -z*y; {}; end M;")
        instant = 0.7138642178632644  # sin(3 t + 1) = 0
        for text, at, wanted in (
            (circle.format("(time - 1)*(x^2 + y^2 - 1) = 0"), 1, 1),
            (circle.format("(time - 1)*(x^2 + y^2) = time - 1"), 1, 1),
            (circle.format("sin(3*time + 1)*(x^2 + y^2) = sin(3*time + 1)"), instant, 1),
            ("model M Real y(start = 1, fixed = true), z; equation der(y) = -z; (time - 1)*z = (time - 1)*y; end M;", 1,
             math.exp(-1)),
            ("model M Real x, z; equation (time - 1)*x = (time - 1)*sin(time); "
             "sin(2*time)*(der(x) - z) + 2*sin(2*time)*(x - sin(time)) = 0; end M;", math.pi/2, 0),
        ):  # fmt: skip
            with self.subTest(text):
                done = daedal.run(["run", "-", "--stop", "2", "--at", f"{at - 1e-8!r},{at!r},2", "--rtol", "1e-8", "--vars", "z"], text)
                self.assertEqual(done.code, 0, done.err)
                for row in done.out.split()[1:3]:
                    self.assertLess(abs(float(row.split(",")[1]) - wanted), 1e-6, done.out)


# Examples of the literature: text, differential index, and what is known of the solution.
NAMED = {
    # Brenan, Campbell & Petzold 1996, Sec. 2.2: a leading matrix that moves.
    "moving pencil": ("""
  Real x(start = 1), y;
equation
  der(x) + time*der(y) = cos(time) - exp(-time);
  x + time*y = sin(time) + 1;""", 2, lambda t: {"y": math.exp(-t)}),
    # Tan, Nedialkov & Pryce 2017: factors depend on highest derivatives.
    "bent sum": ("""
  Real x, y(start = 1), v;
equation
  exp(-der(x) - y*der(v)) = exp(-0.3*cos(time) + (1 + 0.5*sin(time))*0.5*sin(time));
  v = der(y);
  x + y*v + y^2 = 0.3*sin(time) + (1 + 0.5*sin(time))*(1 + 0.5*sin(time) + 0.5*cos(time));""",
                 2, lambda t: {"x": 0.3 * math.sin(t), "y": 1 + 0.5 * math.sin(t)}),
    # Reissig, Martinson & Barton, SIAM J. Sci. Comput. 21 (2000): structural index 3, index 1.
    "high structural index": ("""
  Real x1, x2, x3, x4, x5;
equation
  der(x2) + der(x3) + x1 = cos(time) + sin(time);
  der(x2) + der(x3) + x2 = sin(time);
  der(x4) + der(x5) + x3 = 1;
  der(x4) + der(x5) + x4 = cos(time);
  x5 = exp(-time);""", 1, lambda t: {"x5": math.exp(-t)}),
    # Campbell & Griepentrog, SIAM J. Sci. Comput. 16 (1995): a robot arm whose end is prescribed.
    "robot arm": ("""
  Real x1, x2(start = 1), x3(start = 1), x4, x5, x6, u1, u2, q, a, b, c, d;
equation
  q = 2 - cos(x3)^2; a = 2/q; b = cos(x3)/q; c = sin(x3)/q; d = cos(x3)*sin(x3)/q;
  der(x1) = x4; der(x2) = x5; der(x3) = x6;
  der(x4) = 2*c*(x4 + x6)^2 + x4^2*d + (2*x3 - x2)*(a + 2*b) + a*(u1 - u2);
  der(x5) = -2*c*(x4 + x6)^2 - x4^2*d + (2*x3 - x2)*(1 - 3*a - 2*b) - a*u1 + (a + 1)*u2;
  der(x6) = -2*c*(x4 + x6)^2 - x4^2*d + (2*x3 - x2)*(a - 9*b) - 2*x4^2*c - d*(x4 + x6)^2
    - (a + b)*(u1 - u2);
  cos(x1) + cos(x1 + x3) = cos(exp(time) - 1) + cos(time - 1);
  sin(x1) + sin(x1 + x3) = sin(1 - exp(time)) + sin(1 - time);""",
                  5, lambda t: {"x1": 1 - math.exp(t), "x3": math.exp(t) - t}),
    # Two nonlinear functions of one quantity: no combination is free of derivatives.
    "two bends": ("""
  Real x, y, z;
equation
  sin(der(x) + der(y) - z - cos(time)) + x - sin(time) = 0;
  (der(x) + der(y) - z - cos(time))^3 + der(x) + der(y) - z - cos(time) = x - sin(time);
  der(y) + y = sin(time + x);""", 2, lambda t: {"x": math.sin(t)}),
    # where equations are made simpler, derivatives are left with factors that are round-off
    "sums that cancel to rounding": ("""
  Real a(start = 4), b(start = 1), q(start = 1);
equation
  (a - 3*q + (a - 3*q)^3/10 - 1.1) + (3 + 0.9*sin(0.7*time))*(der(q) - b) = 0;
  (q - 1 - sin(time) + 3*(a - 3*q + (a - 3*q)^3/10 - 1.1)) + 0.5*sqrt(1 + 0.4*time)*((der(q) - b)
    + 2*(q - 1 - sin(time) + 3*(a - 3*q + (a - 3*q)^3/10 - 1.1))) = 0;
  (der(q) - b) + 2*(q - 1 - sin(time) + 3*(a - 3*q + (a - 3*q)^3/10 - 1.1)) = 0;""", 2,
        lambda t: {"b": math.cos(t), "q": 1 + math.sin(t)}),
    # copies of the second equation hold nothing of w if the third is copied as well
    "square of another equation": ("""
  Real m(start = 0), F(start = 1), w(start = 1), T(start = 0);
initial equation
  w = 1;
equation
  der(m) - F = 0;
  sinh(m - sin(time) + der(m) - F) + (der(w) + w)^2 = 0;
  sinh(der(w) + w) = 0;
  der(F) - T = 0;""", 3,
        lambda t: {"m": math.sin(t), "F": math.cos(t), "w": math.exp(-t), "T": -math.sin(t)}),
}


class ByName(unittest.TestCase):
    def test_examples_of_the_literature(self):
        for name, (text, index, exact) in NAMED.items():
            with self.subTest(name):
                model = f"model Named{text}\nend Named;\n"
                arguments = ["run", "-", "--stop", 0.5, "--rtol", RTOL, "--points", 6, "--stats"]
                done = daedal.run([*arguments, "--quiet"], model)
                self.assertEqual(done.code, 0, done.err)
                self.assertEqual(daedal.last_object(done.err)["index"], index)
                for row in daedal.rows(done.out)[1]:
                    for variable, value in exact(row["time"]).items():
                        self.assertLess(abs(row[variable] - value), RIGHT, variable)


DELAYED = """model Delayed
  Real u(start = 0.2, fixed = true), x1, x2(start = 1), x3;
equation
  der(u) = -u + sin(x1) + 0.7*delay(u, 0.3) + 0.2*delay(x3, 0.25);
  {}
  {}
  der(x2) = x3 + 0.4*delay(x2, 0.15) + u;
end Delayed;
"""


class Delays(unittest.TestCase):
    def test_an_embedded_system_with_delays(self):
        """Two bent functions of two equations, beside these equations themselves."""
        a, b = "der(x1) - x2 - 0.3*u*x1", "x1 - sin(time)"
        bent = f"sin({a}) + 0.8*({b}) = 0;", f"sinh({a}) + 1.1*({b})*(1 + 0.3*u) = 0;"
        rows = []
        for pair in bent, (f"{a} = 0;", f"{b} = 0;"):
            arguments = ["run", "-", "--stop", 1, "--rtol", RTOL, "--points", 11, "--stats"]
            done = daedal.run([*arguments, "--quiet"], DELAYED.format(*pair))
            self.assertEqual(done.code, 0, done.err)
            self.assertEqual(daedal.last_object(done.err)["index"], 3)
            rows.append(daedal.rows(done.out)[1])
        for one, other in zip(*rows):
            for name, value in other.items():
                self.assertLess(abs(one[name] - value), 1e-6, (other["time"], name))


def count(arguments, options):
    with tempfile.TemporaryDirectory() as folder:
        for kind in arguments.kinds.split(","):
            for index in map(int, arguments.index.split(",")):
                counts = dict.fromkeys(["right", "refused", "stopped", "wrong", "other index"], 0)
                for seed in range(arguments.seed, arguments.seed + arguments.count):
                    what, found, said = outcome(Deceived(seed, index, kind), folder, *options)
                    counts[what] += 1
                    counts["other index"] += what == "right" and found != index
                    if what != "right":
                        print(f"{what}: {kind} {index} {seed}: {' '.join(said.split())[:200]}")
                print(f"{kind:10} index {index}: {counts}", flush=True)


if __name__ == "__main__":
    by_seed.main_of_kinds(count, 20, kinds=",".join(KINDS), index="1,2,3,4")
