"""What functions decide: iterations end and are accurate, searches and switches keep their instants."""
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
from daedal import CommandTest, rows, run  # noqa: E402

BISECTION = """model Bisection
  function root "of x^3 + a*x = u by halving"
    input Real u, a;
    output Real x;
  protected
    Real low = 0, high = 3;
  algorithm
    for i in 1:ROUNDS loop
      x := (low + high)/2;
      if x^3 + a*x > u then high := x; else low := x; end if;
    end for;
  end root;
  Real y = root(10*time, A);
  Real q(start = 0, fixed = true);
equation
  der(q) = y;
end Bisection;
"""

LARGEST = """model Largest
  function largest
    input Real v[:];
    output Real m = v[1];
    output Integer k = 1;
  algorithm
    for i in 2:size(v, 1) loop
      if v[i] > m then m := v[i]; k := i; end if;
    end for;
  end largest;
  Real m;
  Integer k;
  Real x(start = 0, fixed = true);
equation
  (m, k) = largest({i*time - i^2/40 for i in 1:12});
  der(x) = k;
end Largest;
"""


def root(u, a):
    x = 1.0
    for _ in range(60):
        x -= (x**3 + a * x - u) / (3 * x * x + a)
    return x


class Decided(CommandTest):
    def test_a_bisection_in_a_function_is_as_accurate_as_its_rounds(self):
        draw = random.Random(11)
        for case in range(4):
            rounds, a = draw.randint(12, 40), round(draw.uniform(0.5, 2), 3)
            with self.subTest(rounds=rounds, a=a):
                text = BISECTION.replace("ROUNDS", str(rounds)).replace("A)", f"{a})")
                found = run(["run", "-", "--points=11", "--rtol=1e-7"], text, timeout=30)
                self.assertEqual(found.code, 0, found.err)
                self.assert_says(found.err, "the function root", "as they stand")
                for row in rows(found.out)[1]:
                    self.assertAlmostEqual(row["y"], root(10 * row["time"], a), delta=3 / 2**rounds + 1e-12)
                y = root(10, a)  # the integral of y dt, t = (y^3 + a y)/10
                self.assertAlmostEqual(rows(found.out)[1][-1]["q"], (0.75 * y**4 + a * y * y / 2) / 10, delta=2e-6 + 3 / 2**rounds)

    def test_what_chooses_among_values_keeps_its_instants(self):
        """i t - i^2/40 is overtaken by i + 1 at t = (2 i + 1)/40, so that x = sum of i over these intervals."""
        found = run(["run", "-", "--points=2", "--stop=0.5"], LARGEST)
        self.assertEqual(found.code, 0, found.err)
        self.assertNotIn("as they stand", found.err)
        last = rows(found.out)[1][-1]
        bounds = [0] + [(2 * i + 1) / 40 for i in range(1, 12)]
        exact = sum(i * (min(0.5, bounds[i]) - bounds[i - 1]) for i in range(1, 12) if bounds[i - 1] < 0.5)
        self.assertAlmostEqual(last["x"], exact, delta=1e-9)
        self.assertEqual(last["k"], 10)

    def test_a_search_by_whole_numbers_finds_the_element(self):
        """Halving in a table: the last element that is at most u, which passes i - 1 at t = (i - 1)/16."""
        text = """model M
          function place
            input Real u;
            input Real t[:];
            output Integer low = 1;
          protected
            Integer high = size(t, 1), middle;
          algorithm
            for i in 1:5 loop
              middle := div(low + high, 2);
              if high - low > 1 then
                if t[middle] > u then high := middle; else low := middle; end if;
              end if;
            end for;
          end place;
          Integer k = place(16*time, {1.0*i for i in 0:17});
          Boolean whole = 1.0*div(if time < 0.5 then 6 else 14, 2) > 8*time + 1;
          Real floored = if time < 0.5 then 6 else 14;
          Boolean tie = noEvent(floor(floored/2)) > 8*time + 1;
          Real x(start = 0, fixed = true);
        equation
          der(x) = k;
        end M;"""
        found = run(["run", "-", "--points=33", "-q"], text)
        self.assertEqual(found.code, 0, found.err)
        for row in rows(found.out)[1]:
            t = row["time"]
            if abs(16 * t - round(16 * t)) > 1e-6:
                self.assertEqual(row["k"], int(16 * t) + 1, t)
                exact = (3 if t < 0.5 else 7) > 8 * t + 1
                self.assertEqual((row["whole"], row["tie"]), (exact, exact), t)
        self.assertAlmostEqual(rows(found.out)[1][-1]["x"], sum(range(1, 17)) / 16, delta=1e-9)

    def test_an_integer_array_by_a_subscript_that_changes(self):
        """Also of an enumeration, in a when, and of an array whose elements change themselves."""
        text = """model M
          type E = enumeration(a, b, c);
          parameter Integer n[3] = {4, 7, 9}, A[2, 3] = {{1, 2, 3}, {4, 5, 6}};
          Integer i = if time > 0.5 then 3 else 1, k = n[i], two = 2*n[4 - i] + 1, a = A[if i > 2 then 2 else 1, i];
          E e = if time > 0.5 then E.c else E.a;
          Integer of_e = n[e], w[2] = {i, 2*i}, of_w = w[integer(1.5 + time)];
          Integer held(start = 0, fixed = true);
        equation
          when time > 0.7 then held = n[i]; end when;
        end M;"""
        found = run(["run", "-", "--points=11", "-q"], text)
        self.assertEqual(found.code, 0, found.err)
        for row in rows(found.out)[1]:
            if min(abs(row["time"] - t) for t in (0.5, 0.7)) < 1e-9:
                continue
            late = row["time"] > 0.5
            i = 3 if late else 1
            exact = {"k": 9 if late else 4, "two": 2 * (4 if late else 9) + 1, "a": 6 if late else 1, "of_e": 9 if late else 4,
                     "of_w": 2 * i if late else i, "held": 9 if row["time"] > 0.7 else 0}
            self.assertEqual({name: row[name] for name in exact}, exact, row["time"])

    def test_an_element_that_is_not_there_ends_the_run(self):
        text = "model M parameter Integer n[3] = {1, 2, 3}; Integer i = if time > 0.5 then 4 else 1, k = n[i]; end M;"
        found = run(["run", "-", "--points=3"], text)
        self.assertNotEqual(found.code, 0)
        self.assert_says(found.err, "t = 0.5", "k has no finite value")
        real = run(["check", "-"], "model M parameter Real p[2] = {1, 2.5}; Integer i = if time > 1 then 1 else 2, k = p[i]; end M;")
        self.assertEqual(real.code, 3)
        self.assert_says(real.err, "k is Integer, but its value is Real")


if __name__ == "__main__":
    unittest.main()
