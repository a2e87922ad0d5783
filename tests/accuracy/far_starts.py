"""Guesses from which a damped search ends where violations are least, and not in a solution: one is
found all the same, and a note says that it is far. What is refused is called a contradiction only
where that is proved."""
import math
import random
import unittest

from simulation import daedal

SCALAR = """model Scalar
  Real x(start = {guess}), q(start = 0, fixed = true);
equation
  {scale}*(x - ({root}))*({a}*x^2 + ({b})*x + {c}) = 0.1*time;
  der(q) = x;
end Scalar;
"""

PAIR = """model Pair
  Real x(start = {guess}), y(start = {other}), q(start = 0, fixed = true);
equation
  x^3 - 3*x + ({mix})*(y - x) = {right} + 0.1*time;
  y^3/3 - y - ({mix})*(y - x) = {right};
  der(q) = x + y;
end Pair;
"""

# What is fixed is far from the guesses of the others, but connected with them by solutions.
CONTINUED = """model Continued
  Real x(start = {x}, fixed = true), y(start = 1), z(start = -3);
equation
  der(x) = -x;
  (y - x/2)/(1 + (y - x/2)^2) + 0.01*(y - x) = 0.1;
  (z - x/6)/(1 + (z - x/6)^2) + z - x = {right};
end Continued;
"""


class FarStarts(daedal.CommandTest):
    def assert_found(self, text, residual):
        run = daedal.run(["run", "-", "--quiet", "--stop=1e-6", "--at=0"], text)
        self.assertEqual(run.code, 0, text + run.err)
        names, values = (line.split(",") for line in run.out.splitlines()[:2])
        point = dict(zip(names, map(float, values)))
        self.assertLess(abs(residual(point)), 1e-7, text)

    def test_scalar_cubics(self):
        draw = random.Random(1)
        for _ in range(60):
            a, root = draw.uniform(0.2, 2), draw.uniform(1, 5) * draw.choice((-1, 1))
            b = draw.uniform(-1, 1)
            c = b * b / (4 * a) + draw.uniform(0.05, 3)  # no other root
            scale, guess = 10 ** draw.uniform(-3, 3), draw.uniform(-3, 3)
            text = SCALAR.format(scale=scale, root=root, a=a, b=b, c=c, guess=guess)
            self.assert_found(text, lambda at, root=root: at["x"] - root)

    def test_pairs(self):
        draw = random.Random(2)
        for _ in range(60):
            mix, right = draw.uniform(-0.3, 0.3), draw.uniform(3, 20) * draw.choice((-1, 1))
            text = PAIR.format(mix=mix, right=right, guess=draw.uniform(-1.2, 1.2),
                               other=draw.uniform(-1.2, 1.2))

            def residual(at, mix=mix, right=right):
                x, y = at["x"], at["y"]
                return abs(x**3 - 3 * x + mix * (y - x) - right) + abs(
                    y**3 / 3 - y - mix * (y - x) - right)

            self.assert_found(text, residual)

    def test_products_from_poor_guesses(self):
        """x[i]^i*x[i+1], in a ring: the Jacobian is singular at 0, and far off the product of
        powers is steep. As conditions of states, as equations beside them, and alone."""
        draw = random.Random(4)
        for _ in range(30):
            n = draw.randint(3, 6)
            x = [draw.uniform(0.4, 3) for _ in range(n)]
            ring = "; ".join(f"x[{i + 1}]^{i + 1}*x[{(i + 1) % n + 1}] = {x[i]**(i + 1)*x[(i + 1) % n]!r}"
                             for i in range(n))
            far = draw.choice([0, 0, 3, 20])
            guess = ", ".join(f"{draw.uniform(-far, far):.3g}" for _ in range(n))
            text = draw.choice([
                f"model M Real x[{n}](start = {{{guess}}}); initial equation {ring}; equation der(x) = -x; end M;",
                f"model M Real x[{n}](start = {{{guess}}}), q(start = 1, fixed = true); equation der(q) = -x[1]; {ring}; "
                "end M;", f"model M Real x[{n}](start = {{{guess}}}); equation {ring}; end M;"])

            def residual(at, n=n, x=x):
                found = [at[f"x[{i + 1}]"] for i in range(n)]
                return max(abs(found[i]**(i + 1)*found[(i + 1) % n]/(x[i]**(i + 1)*x[(i + 1) % n]) - 1)
                           for i in range(n))

            self.assert_found(text, residual)

    def test_fixed_values_are_reached_from_guesses(self):
        for x, right in (8, 0.1), (10, 0.1), (12.3, 0.1), (20, 0.05):
            run = daedal.run(["init", "-", "--json"], CONTINUED.format(x=x, right=right))
            with self.subTest(x=x, right=right):
                self.assertEqual(run.code, 0, run.err)
                self.assertNotIn("far from", run.err)
                at = daedal.json.loads(run.out)["values"]
                self.assertEqual(at["x"], x)
                y, z = at["y"] - x / 2, at["z"] - x / 6
                self.assertLess(abs(y / (1 + y * y) + 0.01 * (at["y"] - x) - 0.1), 1e-12)
                self.assertLess(abs(z / (1 + z * z) + at["z"] - x - right), 1e-12)

    def test_a_start_far_from_the_guess_is_told(self):
        text = PAIR.format(mix=0, right=3, guess=0.9, other=0.9)
        run = daedal.run(["run", "-", "--quiet", "--stop=1e-6", "--at=0"], text)
        self.assert_says(run.err, "far from them", "instead of 0.9")

    def test_roots_of_steep_functions(self):
        """Newton's iteration from 0 would have to leave by more than a number has digits. What follows from such a root
        has another one."""
        draw = random.Random(3)
        for _ in range(30):
            c, rises, right = draw.uniform(0.5, 3), draw.choice((-1, 1)), draw.uniform(1, 9) * 10 ** draw.randint(12, 200)
            text = f"""model Steep
  Real x, y, q(start = 0, fixed = true);
equation
  sinh({c!r}*x) = {rises * right!r};
  sinh(y) - {draw.uniform(0.1, 1)!r}*cosh(y) = sinh(0.1*x)*1e30;
  der(q) = x + y;
end Steep;
"""
            exact = rises * (math.log(2) + math.log(right)) / c
            self.assert_found(text, lambda at, exact=exact: at["x"] / exact - 1)

    def found_from(self, equation, guess):
        text = f"model M Real x(start = {guess!r}); equation {equation} = 0; end M;"
        run = daedal.run(["run", "-", "--quiet", "--at=0"], text)
        self.assertEqual(run.code, 0, text + run.err)
        return float(run.out.splitlines()[1].split(",")[1])

    def test_a_nearly_singular_jacobian_does_not_lead_far_away(self):
        """From beside the top of a sine Newton's first step goes to 1/beside, where it converges;
        a short first step comes to one of the roots at both sides."""
        for beside in 0, 1e-3, 5e-4, 1e-4, 1e-5:
            found = self.found_from("sin(x)", math.pi / 2 + beside)
            self.assertLess(abs(math.sin(found)), 1e-7)
            self.assertLess(abs(found - math.pi / 2), 2)

    def test_roots_of_cosines_are_near_the_guess(self):
        """From 0, where the slope is 0, one of the two nearest roots; else one within a period."""
        draw = random.Random(3)
        for _ in range(40):
            a, c, guess = draw.uniform(0.3, 3), draw.uniform(-0.9, 0.9), draw.choice((0, 1, 2, -3))
            found = self.found_from(f"cos({a!r}*x) - ({c!r})", guess)
            self.assertLess(abs(math.cos(a * found) - c), 1e-7)
            allowed = math.acos(c) / a * (1 + 1e-9) if guess == 0 else 2 * math.pi / a
            self.assertLess(abs(found - guess), allowed, (a, c, guess))

    def test_no_contradiction_is_claimed_without_proof(self):
        model = """model None
  Real x(start = 1), v(start = -2, fixed = true);
equation
  der(v) = 1;
  v = {side};
end None;
"""
        run = daedal.run(["run", "-"], model.format(side="x^2 + 1"))
        self.assertNotEqual(run.code, 0)
        self.assert_says(run.err, "from these start values no consistent ones were found")
        self.assertNotIn("inconsistent", run.err)
        fixed = model.format(side="2*x").replace("start = 1", "start = 1, fixed = true")
        run = daedal.run(["run", "-"], fixed)
        self.assertNotEqual(run.code, 0)
        self.assert_says(run.err, "the initial values are inconsistent")


if __name__ == "__main__":
    unittest.main()
