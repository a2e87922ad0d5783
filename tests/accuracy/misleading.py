"""Where the structure misleads and freedom is left: the integrated part must not be moved by the
projection, and the error falls with the tolerance as on any other problem."""
import math
import pathlib
import random
import sys
import unittest

import references
from simulation import MODELS, Trajectory, daedal, log_slope

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "random"))
import deceived  # noqa: E402

TOLERANCES = [10.0**-k for k in range(4, 11)]
BOUND, NOT_WRONG, LEAST_SLOPE, CONSTRAINT = 30, 100, 0.7, 1e-10
METHOD = "radau-iia3"  # a slope is that of one method


def index_2(t):
    """The exact solution; u(0) = 1/2."""
    u, v = (math.sin(t) + math.cos(t)) / 2, (math.sin(t) - math.cos(t)) / 2
    return {"u": u, "v": v, "s": 1.5 * math.exp(-t) - u}


def circuit(times, steps=200):
    """The two capacitor voltages as an ODE, by the classical method of order 4: values at `times`,
    which are in equal distances, with so many steps between them."""

    def nodes(t, v2, w):
        v3 = (v2 / 2 + w) / (1 / 2 + 1 / 3 + 1)
        return v3, v3 - w

    def slope(t, state):
        v2, w = state
        v3, v4 = nodes(t, v2, w)
        return (2 * math.cos(2 * t) - v2 - (v2 - v3) / 2) / 1.5, v4 / 0.7

    state, found = (0.2, 0.5), []
    h = (times[1] - times[0]) / steps
    for t in times:
        v3, v4 = nodes(t, *state)
        current = slope(t, state)[0] - 2 * math.cos(2 * t)
        found.append(
            {"v1": math.sin(2 * t), "v2": state[0], "v3": v3, "v4": v4, "i": current, "w": state[1]}
        )
        for k in range(steps):
            at, stages = t + k * h, []
            for part in 0, h / 2, h / 2, h:
                last = stages[-1] if stages else (0, 0)
                stages.append(slope(at + part, [a + part * b for a, b in zip(state, last)]))
            weights = (h / 6, h / 3, h / 3, h / 6)
            state = tuple(
                a + sum(b * stage[j] for b, stage in zip(weights, stages))
                for j, a in enumerate(state)
            )
    return found


# x = sin t, y = cos t, z = -sin t: index 3, mixed so that the structure shows index 1.
INDEX_3 = """model Index3
  Real x, y, z;
equation
  der(x) - y + x - sin(time) = 0;
  der(x) - y + der(y) - z = 0;
  x - sin(time) + 2*(der(y) - z) = 0;
end Index3;
"""

# Until t = 9 the same, and what an equation says then no one knows before: no combination of the
# equations is one for all times.
UNTIL_9 = "(if time > 9 then 2 else 1)*"

# w = sin t, u = cos t, p = exp(-t), q = p + sin 2t: the combination that the second equation asks
# for holds u and w in sin(u - w/2), and in its factor.
BENT = """model Bent
  Real w, u, p(start = 1), q(start = 1), z(start = 2);
equation
  der(w) - z = cos(time) - 2;
  der(u) - 0.5*der(w) - p - sin(u - 0.5*w) =
    -sin(time) - 0.5*cos(time) - exp(-time) - sin(cos(time) - 0.5*sin(time));
  -w + (1 + time)*(der(q) - der(p) - u + 0.5*w) =
    -sin(time) + (1 + time)*(2*cos(2*time) - cos(time) + 0.5*sin(time));
  der(q) - der(p) - u + 0.5*w = 2*cos(2*time) - cos(time) + 0.5*sin(time);
  q - p = sin(2*time);
end Bent;
"""

# x = exp(-t) by an equation that is not linear in der(x), from which der(x) gets into y4.
CUBIC = """model Cubic
  Real x(start = 1, fixed = true), y2, y3, y4, y5;
equation
  der(x) + {b}*der(x)^3 + x = -{b}*exp(-3*time);
  y5 - der(y4) = exp(-time);
  y2 + {a}*(y5 - der(y4)) = cos(time);
  y3 - der(y2) + {c}*sin(x) = 0;
  y4 - der(y3) - (y2 + {a}*(y5 - der(y4))) = 0;
end Cubic;
"""

# Index 2 with two degrees of freedom. What its soft direction does to the second and the fourth
# equation is nothing, of which round-off leaves something.
INDEX_2 = """model Index2
  Real a(start = -1.6829419696157930), b(start = 0.47942553860420301);
  Real c(start = 0.95885107720840601), d(start = 0), e(start = 0.84147098480789651);
equation
  -2*a - 2*b + 2*c - 2*d + 2*e = 6*sin(time + 1) + 2*sin(2*time + 0.5) + 4*sin(2*time);
  {factor}der(c) + der(e) - a + 2*b - 2*c - e =
    4*cos(2*time + 0.5) + cos(time + 1) + sin(time + 1) - 2*sin(2*time + 0.5);
  der(a) + b + 2*c + e = -2*cos(time + 1) + 5*sin(2*time + 0.5) + sin(time + 1);
  -2*a + 2*b + 2*c - e = 3*sin(time + 1) + 6*sin(2*time + 0.5);
  -der(b) - der(d) - 2*b - c - 2*d =
    -2*cos(2*time + 0.5) + 4*cos(2*time) - 4*sin(2*time + 0.5) + 4*sin(2*time);
end Index2;
"""

# Example 10.1 of U. Ascher's lectures on index-2 equations: implicit Euler is unstable for
# eta < -1/2 and not defined for eta = -1.
MOVING_KERNEL = """model MovingKernel
  parameter Real eta = {eta};
  Real y1, y2;
equation
  y1 + eta*time*y2 = sin(time);
  der(y1) + eta*time*der(y2) + (1 + eta)*y2 = 0;
end MovingKernel;
"""

# a = cos t, b = sin t, c = 1 + t, d = exp(-t): the first equation is algebraic but for a part of the
# second, with a factor that vanishes at the start.
VANISHING = """model Vanishing
  Real a(start = 1), b(start = 0, fixed = true), c(start = 1), d(start = 1, fixed = true);
equation
  0 = cos(time) - a + sin(time)*((2 + cos(time))*(der(b) - cos(time)) + 2*b + c - 2*sin(time)
    - 1 - time);
  (2 + cos(time))*(der(b) - cos(time)) + 2*b + c = 2*sin(time) + 1 + time;
  0 = der(a) - c + sin(time) + 1 + time + sin(2*time)*((1 + d)*(der(d) + exp(-time)) + d
    - exp(-time));
  (1 + d)*(der(d) + exp(-time)) + d = exp(-time);
end Vanishing;
"""

# Two branches, y2 = 0 of index 1 and y2 = 1 of index 2.
BRANCHES = """model Branches
  Real y1(start = {y1}), y2(start = {y2}), y3(start = {y3});
equation
  der(y1) = y3;
  0 = y2*(1 - y2);
  0 = y1*y2 + y3*(1 - y2) - time;
end Branches;
"""


def index_2_mixed(t):
    b = math.sin(2 * t + 0.5)
    return {
        "a": -2 * math.sin(t + 1),
        "b": b,
        "c": 2 * b,
        "d": -2 * math.sin(2 * t),
        "e": math.sin(t + 1),
    }


# Of der(p) = w nothing but what the first two hide says that w(0) = -1/5. Where a factor switches at
# 9, they are combined in each mode.
HIDDEN_SPEED = """model HiddenSpeed
  Real a, b, p, w{given};
equation
  (a + b)*cos(p)*{factor} = 2 + sin(time);
  (a + b)*sin(p) = 1;
  der(p) = w;
  der(w) = a - b;
end HiddenSpeed;
"""


class Undetermined(daedal.CommandTest):
    def test_a_speed_that_a_factor_hides_in_each_mode(self):
        for factor in "1", "(if time < 9 then 1 else 2)", "(1 + max(time - 9, 0))":
            for given in "", "(start = -0.1)":
                run = daedal.simulate(HIDDEN_SPEED.format(factor=factor, given=given), points=2)
                self.assertAlmostEqual(run.rows[0]["w"], -0.2, places=12, msg=factor)

    def test_an_index_of_3_in_each_mode(self):
        run = daedal.simulate(INDEX_3.replace("y + der(y)", "y + " + UNTIL_9 + "der(y)"), points=3)
        self.assertEqual(run.stats["index"], 3)
        for row in run.rows:
            t = row["time"]
            for name, value in ("x", math.sin(t)), ("y", math.cos(t)), ("z", -math.sin(t)):
                self.assertAlmostEqual(row[name], value, places=6)

    def test_constraints_that_were_not_found_are_not_passed_over_in_silence(self):
        text = deceived.Deceived(9, 4, "bentpair").text()
        check = daedal.run(["check", "-"], text)
        self.assert_says(check.out, "the structure misleads", "hidden constraints not determined")
        self.assert_says(check.out, "index not determined", "freedom and states not determined")
        self.assert_says(check.err, "the hidden constraints were not determined")
        run = daedal.simulate(text, status=1, points=3)
        self.assertIsNone(run.stats["index"])
        self.assertIn("hidden constraints not determined", run.stats["reasons"])
        result = daedal.run(["run", "-"], text)
        self.assert_says(result.err, "hide constraints that were not determined", "met with")


class Combined(daedal.CommandTest):
    """Combinations of equations stand in for those that the structure misjudges."""

    def assert_follows(self, text, exact, index, **options):
        for rtol in 1e-4, 1e-6, 1e-8:
            run = daedal.simulate(text, rtol=rtol, atol=rtol, points=11, **options)
            self.assertEqual(run.stats["index"], index)
            self.assertLess(max(run.stats["max_constraint"]), CONSTRAINT)
            for row in run.rows:
                for name, value in exact(row["time"]).items():
                    bound = BOUND * rtol * (1 + abs(value))
                    self.assertLess(abs(row[name] - value), bound, (name, rtol, options))

    def test_index_3(self):
        def exact(t):
            return {"x": math.sin(t), "y": math.cos(t), "z": -math.sin(t)}

        for method in "auto", "radau-iia3", "rodas4", "bdf":
            self.assert_follows(INDEX_3, exact, 3, stop=3, method=method)
        check = daedal.run(["check", "-"], INDEX_3)
        self.assert_says(check.out, "0 degrees of freedom", "combinations of equations stand in")
        # the algebraic equations laid bare, what stands in needs no derivatives
        self.assertIn("from the equations differentiated 0 times", check.out)

    def test_factors_with_highest_derivatives(self):
        def exact(t):
            p = math.exp(-t)
            return {"w": math.sin(t), "u": math.cos(t), "p": p, "q": p + math.sin(2 * t), "z": 2}

        for method in "auto", "radau-iia3", "bdf":
            self.assert_follows(BENT, exact, 3, stop=3, method=method)

    def test_a_derivative_that_an_equation_is_not_linear_in(self):
        draw = random.Random(7)
        for _ in range(4):
            a, b, c = (draw.uniform(0.1, 2) for _ in range(3))

            def exact(t, a=a, c=c):
                x, cosine, sine = math.exp(-t), math.cos(t), math.sin(t)
                y4 = c * x * math.cos(x) - a * x
                slope = c * (x * x * math.sin(x) - x * math.cos(x)) + a * x
                y3 = a * x - sine - c * math.sin(x)
                return {"x": x, "y2": cosine - a * x, "y3": y3, "y4": y4, "y5": x + slope}

            self.assert_follows(CUBIC.format(a=a, b=b, c=c), exact, 4, stop=2)

    def test_a_kernel_that_moves(self):
        for eta in 1, 0.3, -0.4, -0.6, -1, -2:

            def exact(t, eta=eta):
                return {"y1": math.sin(t) + eta * t * math.cos(t), "y2": -math.cos(t)}

            self.assert_follows(MOVING_KERNEL.format(eta=eta), exact, 2, stop=3)

    def test_a_factor_that_vanishes_at_the_start(self):
        def exact(t):
            return {"a": math.cos(t), "b": math.sin(t), "c": 1 + t, "d": math.exp(-t)}

        for method in "auto", "radau-iia5", "bdf", "mebdf":
            self.assert_follows(VANISHING, exact, 2, stop=2, method=method)
        check = daedal.run(["check", "-"], VANISHING)
        self.assert_says(check.out, "combinations of equations stand in")

    def test_what_rounding_leaves_at_the_start_determines_nothing(self):
        """y3 is -0.015 sin(1.25 t) + 0.0025, in whatever row it is asked for, or there is no run."""
        for rtol in 1e-4, 1e-6, 1e-8:
            done = daedal.run(["run", str(MODELS / "VanishingAtStart.mo"), f"--rtol={rtol}",
                               f"--atol={rtol}", "--points=41"])
            if done.code != 0:
                self.assertIn("hide constraints that were not determined", done.err)
                continue
            for row in daedal.rows(done.out)[1]:
                exact = 0.0025 - 0.015 * math.sin(1.25 * row["time"])
                self.assertLess(abs(row["y3"] - exact), 100 * rtol * (0.01 + abs(exact)))

    def test_the_branch_that_the_start_names(self):
        for y1, y2, y3 in (0, 1, 1), (0, 1, 0), (0, 0.9, 0):
            text = BRANCHES.format(y1=y1, y2=y2, y3=y3)
            self.assert_follows(text, lambda t: {"y1": t, "y2": 1, "y3": 1}, 2, stop=3)
        text = BRANCHES.format(y1=0.5, y2=0, y3=0)
        self.assert_follows(text, lambda t: {"y1": 0.5 + t * t / 2, "y2": 0, "y3": t}, 1, stop=3)

    def test_the_branch_late_on_the_clock(self):
        """Beside the start means within the unit of time: exp(1e4) has no value."""
        text = BRANCHES.format(y1=0, y2=1, y3=1).replace("time", "(time - 1e6)")
        text = text.replace("y2*(1 - y2);", "y2*(1 - y2)*exp(time - 1e6);")
        check = daedal.run(["check", "-", "--start", "1e6"], text)
        self.assertIn("differential index 2", check.out)
        run = daedal.simulate(text, start=1e6, stop=1e6 + 3, points=4, rtol=1e-8)
        for row in run.rows:
            for name, value in (("y1", row["time"] - 1e6), ("y2", 1), ("y3", 1)):
                self.assertLess(abs(row[name] - value), 1e-7, row)
        self.assertEqual(run.stats["index"], 2)

    def test_whether_combined_or_by_the_array(self):
        for factor in "", UNTIL_9:
            self.assert_follows(INDEX_2.format(factor=factor), index_2_mixed, 2, stop=5)


def motion(a, b, c, turn, t):
    """On x = a cos wt, y = b sin wt, z = c sin(wt + 0.3): velocity and acceleration."""
    w = turn * t
    return (
        (-turn * a * math.sin(w), turn * b * math.cos(w), turn * c * math.cos(w + 0.3)),
        (-(turn**2) * a * math.cos(w), -(turn**2) * b * math.sin(w), -(turn**2) * c * math.sin(w + 0.3)),
    )


WHEELS = """model Wheels "of a cart that is to follow an ellipse"
  Real x, y, th(start = {heading}), right(start = {speed}), left(start = {speed});
equation
  x = {a}*cos({turn}*time);
  y = {b}*sin({turn}*time);
  der(x) = (right + left)/2*cos(th);
  der(y) = (right + left)/2*sin(th);
  der(th) = (right - left)/{width};
end Wheels;
"""
THRUSTERS = """model Thrusters "three of them push and turn in space"
  Real x, y, z, th, ps(start = {heading}), f1(start = {speed}), f2, f3;
equation
  x = {a}*cos({turn}*time); y = {b}*sin({turn}*time); z = {c}*sin({turn}*time + 0.3);
  der(x) = (f1 + f2 + f3)*cos(ps)*cos(th);
  der(y) = (f1 + f2 + f3)*sin(ps)*cos(th);
  der(z) = (f1 + f2 + f3)*sin(th);
  der(th) = f1 - f2;
  der(ps) = f2 - f3;
end Thrusters;
"""


class Headings(unittest.TestCase):
    """What a combination of both components of a velocity divides by vanishes where the heading is
    along an axis: also at an instant that a row asks for. In the plane nothing divides any more; in
    space values there follow from those beside."""

    def look(self, text, names, expected, p, bound):
        quarter = math.pi / 2 / p["turn"]
        times = sorted([k * quarter for k in range(5)] + [1.3 * quarter, 3.7 * quarter])
        for method in "auto", "bdf", "radau":
            for rtol in 1e-3, 1e-5, 1e-8:
                run = daedal.simulate(
                    text.format(**p), rtol=rtol, atol=rtol, method=method, at=times, stop=times[-1]
                )
                with self.subTest(rtol=rtol, method=method, **p):
                    for row in run.rows[1:]:
                        for name, value in zip(names, expected(row["time"])):
                            off = abs(row[name] - value)
                            self.assertLess(off, bound * rtol * (1 + abs(value)), (name, row))

    def drawn(self, chance):
        p = {name: chance.uniform(0.5, 3) for name in ("a", "b", "width", "turn")}
        p["c"] = chance.uniform(0.1, 0.5)
        return p | {"heading": 1.5, "speed": p["turn"] * p["b"]}

    def test_a_cart_on_an_ellipse(self):
        chance = random.Random(16)
        carts = 3 if daedal.THINNED else 6
        daedal.tell_left_out("carts", 6 - carts, 6, "alike those that were run")
        for _ in range(carts):
            p = self.drawn(chance)

            def wheels(t, p=p):
                v, a = motion(p["a"], p["b"], 0, p["turn"], t)
                speed = math.hypot(v[0], v[1])
                rate = (v[0] * a[1] - v[1] * a[0]) / speed**2
                return speed + p["width"] / 2 * rate, speed - p["width"] / 2 * rate

            self.look(WHEELS, ["right", "left"], wheels, p, BOUND)

    def test_in_space(self):
        chance = random.Random(17)
        bodies = 1 if daedal.THINNED else 3
        daedal.tell_left_out("bodies", 3 - bodies, 3, "alike those that were run")
        for _ in range(bodies):
            p = self.drawn(chance)

            def thrusters(t, p=p):
                v, a = motion(p["a"], p["b"], p["c"], p["turn"], t)
                flat, speed = math.hypot(v[0], v[1]), math.hypot(*v)
                along = (v[0] * a[0] + v[1] * a[1]) / flat
                ps = (v[0] * a[1] - v[1] * a[0]) / flat**2
                th = (flat * a[2] - v[2] * along) / speed**2
                second = (speed - th + ps) / 3
                return second + th, second, second - ps

            self.look(THRUSTERS, ["f1", "f2", "f3"], thrusters, p, NOT_WRONG)


def turned(rows, pairs):
    """Equations row = 0, of which pairs are turned into each other by angles a t + b."""
    rows = list(rows)
    for i, j, a, b in pairs:
        c, s = f"cos({a}*time + {b})", f"sin({a}*time + {b})"
        e, f = rows[i], rows[j]
        rows[i], rows[j] = f"{c}*({e}) - {s}*({f})", f"{s}*({e}) + {c}*({f})"
    return "\n".join(f"  0 = {row};" for row in rows)


class Turned(unittest.TestCase):
    """Whatever combinations stand in for equations whose structure misleads, what they divide by
    vanishes on the way where the equations turn: other ones take over."""

    CHAIN = [
        "x3 + 0.2*sin(x3) - (sin(time) + 0.2*sin(sin(time)))",
        "der(x3) - x2",
        "der(x2) - x1 + 0.1*x3",
    ]
    NAMES = ["x1", "x2", "x3"]

    @staticmethod
    def exact(t):
        return -0.9 * math.sin(t), math.cos(t), math.sin(t)

    def drawn(self, chance):
        pairs = []
        for _ in range(2):
            i, j = chance.sample(range(3), 2)
            pairs.append((i, j, round(chance.uniform(-2, 2), 3), round(chance.uniform(0, 6), 3)))
        return pairs

    def test_a_chain_of_index_3(self):
        chance = random.Random(18)
        chains = 3 if daedal.THINNED else 10
        daedal.tell_left_out("chains", 10 - chains, 10, "alike those that were run")
        for _ in range(chains):
            pairs = self.drawn(chance)
            rows = turned(self.CHAIN, pairs)
            text = f"model Chain\n  Real x1, x2, x3;\nequation\n{rows}\nend Chain;\n"
            for method, rtol in ("auto", 1e-4), ("auto", 1e-8), ("bdf", 1e-6), ("radau", 1e-6):
                p = {"rtol": rtol, "method": method}
                run = daedal.simulate(text, atol=rtol, stop=6, points=61, **p)
                with self.subTest(pairs=pairs, **p):
                    for row in run.rows:
                        for name, value in zip(self.NAMES, self.exact(row["time"])):
                            off = abs(row[name] - value)
                            self.assertLess(off, BOUND * rtol * (1 + abs(value)), (name, row))


def solved(matrix, right):
    """By Gauss's elimination with pivots."""
    rows = [[*row, value] for row, value in zip(matrix, right)]
    for k in range(len(rows)):
        best = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for i in range(len(rows)):
            if i == k:
                continue
            part = rows[i][k] / rows[k][k]
            rows[i] = [a - part * b for a, b in zip(rows[i], rows[k])]
    return [row[-1] / row[k] for k, row in enumerate(rows)]


class Later(unittest.TestCase):
    """What is 1e-160 at the start, or round-off, is no zero: a pulse or a window that comes later,
    rows of any size, and start values that meet all equations."""

    BOUND, NEAR = 30, 1e-13
    WINDOW = "(tanh(20*(time - {0})) - tanh(20*(time - {1})))/2"
    PULSE = "exp(-{2}*(time - {0})^2)"

    def look(self, text, exact, **options):
        run = daedal.simulate(text, points=101, **options)
        for row in run.rows:
            for name, value in exact(row["time"]).items():
                bound = self.NEAR if row["time"] == 0 else self.BOUND * 1e-6
                self.assertLess(abs(row[name] - value), bound * (1 + abs(value)), (text, row))

    def drawn(self, chance):
        later = chance.choice([self.WINDOW, self.PULSE])
        at = chance.uniform(2, 4)
        return later.format(at, at + 0.7, chance.choice([5, 30, 100]))

    def test_rows_mixed_by_what_comes_later(self):
        chance = random.Random(15)
        for _ in range(40):
            a, b = chance.uniform(0.5, 2), chance.choice([0, 0.5, -1])
            later, sizes = self.drawn(chance), [10.0 ** chance.choice([0, 0, 6, -6]) for _ in "123"]
            rows = [
                f"{sizes[0]}*(der(x) - y + ({b})*y*(der(z) + z - 1)) = 0;",
                f"{sizes[1]}*(x - {a}*sin(time) + (1 + {later})*(der(x) - y)"
                f" + {later}*(der(z) + z - 1)) = 0;",
                f"{sizes[2]}*(der(z) + z - 1) = 0;",
            ]
            chance.shuffle(rows)
            text = f"model Mixed Real x(start = 0), y(start = {a!r}), z(start = 0); equation "
            text += " ".join(rows) + " annotation(experiment(StopTime = 5)); end Mixed;"
            self.look(
                text,
                lambda t: {"x": a * math.sin(t), "y": a * math.cos(t), "z": 1 - math.exp(-t)},
            )

    def test_a_chain_behind_what_comes_later(self):
        chance = random.Random(16)
        sums = [[0, 0.5, 0, 2], [2, 0, 1, 1], [1, 1, -1, 0], [1, 0, 0, 2]]
        z = ["(0.5*x2 + 2*x4)", "(2*x1 + x3 + x4)", "(x1 + x2 - x3)", "(x1 + 2*x4)"]
        for _ in range(25):
            k, at, b = chance.choice([10, 30, 60]), chance.uniform(2, 4), chance.choice([0.5, 1])
            low, w, turn = chance.uniform(0.2, 1), chance.uniform(1, 2), chance.uniform(0, 6)
            pulse, rise = f"exp(-{k}*(time - {at})^2)", f"sin({w}*time + {turn})"
            rows = [
                f"{z[0]} = {low} + {pulse};",
                f"der{z[0]} = -2*{k}*(time - {at})*{pulse} + {z[1]} - {rise}"
                f" + {b}*({z[0]}^2 - ({low} + {pulse})^2);",
                f"der{z[1]} = {w}*cos({w}*time + {turn}) + {z[2]};",
                f"der{z[3]} = -{z[3]};",
            ]

            def exact(t):
                known = [low + math.exp(-k * (t - at) ** 2), math.sin(w * t + turn)]
                x = solved(sums, [*known, 0, math.exp(-t) / 2])
                return dict(zip(("x1", "x2", "x3", "x4"), x))

            given = ", ".join(f"{name}(start = {v!r})" for name, v in exact(0).items())
            chance.shuffle(rows)
            text = f"model Chain Real {given}; equation {' '.join(rows)}"
            self.look(text + " annotation(experiment(StopTime = 5)); end Chain;", exact)

    def test_start_values_that_meet_the_equations_stay(self):
        """Coefficients of combinations cancel to round-off there, and tell no unit of time."""
        chance = random.Random(17)
        for _ in range(40):
            a, c, d = (chance.choice([-1, 0.5, 1.5]) for _ in "123")
            w, rate = chance.uniform(0.5, 3), chance.choice([3, 5, 8])
            ode = f"(der(y - x - z) - {w}*cos({w}*time) + y - x - z - ({d}) - sin({w}*time))"
            chain = f"(z + y + ({c})*(x^2 - ({a})^2*cos(2*time)^2) - der(x) - 2*({a})*sin(2*time) - ({c}))"
            rows = [
                f"{ode} = 0;",
                f"-x + ({a})*cos(2*time) + (y - x - z - ({d}) - sin({w}*time))"
                f" + (1 + time/{rate})*{chain} = 0;",
                f"{chain} + (1 + time/{rate})*{ode} = 0;",
            ]
            chance.shuffle(rows)
            text = "model Stays Real x(start = {}), y(start = {!r}), z(start = {!r}); equation {}"
            text = text.format(a, (a + c + d) / 2, (c - a - d) / 2, " ".join(rows))
            text += " annotation(experiment(StopTime = 5)); end Stays;"

            def exact(t):
                x, s, e = a * math.cos(2 * t), c, d + math.sin(w * t)
                return {"x": x, "y": (s + e + x) / 2, "z": (s - e - x) / 2}

            self.look(text, exact)


class AlongAlgebraicDirections(unittest.TestCase):
    """Of index 1: the charges of the transistor amplifier stay where the method has brought them.
    Gauss' method is exact enough that its error at the end is that of the projection."""

    def error(self, method, rtol, projection):
        run = Trajectory(
            "transistor_amplifier", rtol=rtol, atol=rtol, method=method, projection=projection
        )
        self.assertLess(max(run.stats["max_constraint"]), 1e-14)
        return max(
            abs(run.row()[name] - value) / (rtol + rtol * abs(value))
            for name, value in references.TRANSISTOR_AMPLIFIER.items()
        )

    def test_the_end_is_as_exact_as_the_method(self):
        for method in "auto", "radau-iia3", "radau-iia5", "radau", "mebdf", "gauss3", "rodas4":
            for rtol in 1e-4, 1e-6, 1e-8:
                self.assertLess(self.error(method, rtol, "auto"), 1, (method, rtol))

    def test_the_shortest_way_moves_the_charges(self):
        self.assertGreater(self.error("gauss3", 1e-8, "coordinate"), 1)


class Misleaded(unittest.TestCase):
    def error(self, name, rtol, reference, method):
        run = Trajectory(MODELS / f"{name}.mo", rtol=rtol, atol=rtol, points=51, method=method)
        self.assertEqual(run.stats["index"], 2)
        self.assertLess(max(run.stats["max_constraint"]), CONSTRAINT)
        error = max(
            abs(run[variable][k] - value)
            for k, row in enumerate(reference(run.time))
            for variable, value in row.items()
        )
        self.assertLess(error, BOUND * rtol, (name, rtol, method))
        return error

    def study(self, name, reference):
        """Errors of one method fall with the tolerance; those of auto, which changes its methods
        with it, are bounded."""
        errors = [self.error(name, rtol, reference, METHOD) for rtol in TOLERANCES]
        self.assertGreaterEqual(log_slope(TOLERANCES, errors), LEAST_SLOPE, errors)
        for rtol in TOLERANCES:
            self.error(name, rtol, reference, "auto")

    def test_index_2_with_one_degree_of_freedom(self):
        self.study("MisleadingIndex2", lambda times: [index_2(t) for t in times])

    def test_a_typical_size_moves_nothing_that_is_integrated(self):
        """What the projection leaves alone are directions of the unknowns, not of their sizes."""
        text = (MODELS / "MisleadingIndex2.mo").read_text()
        sized = text.replace("Real u,", "Real u(nominal = 100),")
        self.assertNotEqual(sized, text)
        run = daedal.simulate(sized, rtol=1e-8, atol=1e-8, method=METHOD, points=2)
        self.assertLess(abs(run.rows[-1]["s"] - index_2(3)["s"]), BOUND * 1e-8)

    def test_a_circuit_with_a_floating_capacitor(self):
        self.study("FloatingCapacitor", circuit)

    def test_fixed_steps_leave_nothing_behind(self):
        errors = []
        for step in 0.1, 0.05, 0.025:
            run = Trajectory(MODELS / "FloatingCapacitor.mo", step=step, points=51)
            exact = circuit(run.time)
            errors.append(max(abs(run["v2"][k] - row["v2"]) for k, row in enumerate(exact)))
        self.assertGreater(log_slope([0.1, 0.05, 0.025], errors), 4.8)


if __name__ == "__main__":
    unittest.main()
