"""Whatever the units: tolerances count in nominal sizes, and constraints are told apart though
coordinates differ by 1e12 in size."""
import math
import unittest

import units_family
from simulation import daedal

STOP, TOLERANCE = 2, 1e-6
SEEDS = range(8)

# At rest: l1 and l2 are 1 and 2 for every S.
REST = """model Rest
  parameter Real S = 1;
  Real q1(start = 0, fixed = true), q2, q3, v1(start = 0, fixed = true), v2, v3, l1, l2;
equation
  der(q1) = v1; der(q2) = v2; der(q3) = v3;
  der(v1)/S = l1 + l2 - 3;
  der(v2) = l1 - 1;
  der(v3) = l2 - 2;
  q1/S + q2 = 0;
  q1/S + q3 = 0;
end Rest;
"""
FORMULATIONS = (
    "elimination index1 index2 index3 ggl baumgarte nullspace-qr nullspace-svd partition "
    "zero-eigenvalue fuhrer-leimkuhler penalty augmented udwadia-kalaba direct"
).split()

# A current of the size 1e-9 beside a voltage of the size 1: i = 1e-9 u.
CURRENT = """model Current
  Real u(start = 1, fixed = true);
  Real i(start = 1e-9, fixed = true, nominal = NOMINAL);
equation
  der(u) = -u; der(i) = -2*i + 1e-9*u;
end Current;
"""


# Forces of a row that is large cancel in the one that l1 is known from: from the form's own multipliers
# it would have 4 digits.
FORCES = """model Forces
  Real p1(start = 0, nominal = 10), p2(start = 1e5, nominal = 1e5), w1(start = 1e4, nominal = 1e4),
    w2(start = 0, nominal = 100), l1(start = 0.1, nominal = 0.1), l2(start = 1e-3, nominal = 1e-3);
equation
  der(p1)/10 = w1/1e4;
  der(p2)/1e5 = w2/100;
  1e-3*(der(w1)/1e4 + 1e5*w1/1e4 - l1/0.1 - 0.375*l2/1e-3)
    = 1e-3*(1e5*cos(time) - sin(time) - cos(time) - 0.375*(1 + sin(time)));
  1e5*(der(w2)/100 + 2*w2/100 - 0.875*l2/1e-3)
    = 1e5*(-cos(time) - 2*sin(time) - 0.875*(1 + sin(time)));
  1e-5*(p1/10 - sin(time)) = 0;
  1e6*(p2/1e5 + 0.375*p1/10 - cos(time) - 0.375*sin(time)) = 0;
end Forces;
"""


def solve(text, **options):
    """Status, last row and messages of a run."""
    flags = daedal.flags({"stop": STOP, "points": 2, "rtol": TOLERANCE, "quiet": True, **options})
    done = daedal.run(["run", "-", *flags], text)
    _, found = daedal.rows(done.out)
    return done.code, found[-1] if found else {}, done.err


def worst(row, known):
    """The largest error over the tolerance, in the sizes of the variables."""
    return max(
        abs(row[name] / size - value) / (TOLERANCE * (1 + abs(value)))
        for name, (size, value) in known.items()
    )


class Tolerances(daedal.CommandTest):
    def current(self, nominal, **options):
        code, row, said = solve(CURRENT.replace("NOMINAL", nominal), **options)
        self.assertEqual(code, 0, said)
        exact = 1e-9 * daedal.math.exp(-STOP)  # i = 1e-9 u
        return abs(row["i"] - exact) / exact, said

    def test_atol_counts_in_nominal_sizes(self):
        """As if it were given in the unit of the variable."""
        with_nominal, _ = self.current("1e-9", atol=1e-6, method="dopri5")
        tight, _ = self.current("1", atol=1e-15, method="dopri5")
        loose, _ = self.current("1", atol=1e-3, rtol=1e-2, method="dopri5")
        self.assertLess(with_nominal, 1e-5)
        self.assertLess(tight, 1e-5)
        self.assertGreater(loose, 10 * with_nominal)

    def test_rtol_alone_sets_atol(self):
        """The same steps as with both, and not those with the default."""
        alone = daedal.simulate(CURRENT.replace("NOMINAL", "1e-9"), stop=STOP, rtol=1e-10)
        both = daedal.simulate(CURRENT.replace("NOMINAL", "1e-9"), stop=STOP, rtol=1e-10, atol=1e-10)
        other = daedal.simulate(CURRENT.replace("NOMINAL", "1e-9"), stop=STOP, rtol=1e-10, atol=1e-6)
        self.assertEqual(alone.rows, both.rows)
        self.assertNotEqual(alone.rows, other.rows)

    def test_rtol_goes_before_the_tolerance_of_the_model(self):
        text = CURRENT.replace("NOMINAL", "1e-9")
        given = text.replace("end Current", "annotation(experiment(Tolerance = 1e-4)); end Current")
        one = daedal.simulate(given, stop=STOP, rtol=1e-9)
        other = daedal.simulate(text, stop=STOP, rtol=1e-9, atol=1e-9)
        self.assertEqual(one.rows, other.rows)

    def test_small_variables_are_noted(self):
        _, said = self.current("1")
        self.assert_says(said, "i stays below the absolute tolerance", "nominal")
        _, said = self.current("1e-9")
        self.assertEqual(said, "")
        _, said = self.current("1", atol=1e-10)
        self.assertEqual(said, "")


class Rest(daedal.CommandTest):
    def assert_rest(self, size, **options):
        code, row, said = solve(REST.replace("S = 1", f"S = {size}"), stop=0.3, **options)
        self.assertEqual(code, 0, said)
        for name, value in (("l1", 1), ("l2", 2)):
            self.assert_near(row[name], value, 1e-5)

    def test_multipliers_in_any_unit(self):
        for size in "1e-12", "1e-10", "1e-8", "1e-6", "1", "1e6", "1e8":
            with self.subTest(size=size):
                self.assert_rest(size)

    def test_formulations(self):
        for formulation in FORMULATIONS:
            with self.subTest(formulation=formulation):
                self.assert_rest("1e-8", formulation=formulation)
                self.assert_rest("1e-12", formulation=formulation)

    def test_structural_methods(self):
        for method in "generalized-alpha", "newmark":
            for formulation in "auto", "tangent":
                with self.subTest(method=method, formulation=formulation):
                    self.assert_rest("1e-8", method=method, formulation=formulation, step=0.01)


# What is tiny in SI units and has no nominal starts where its equation puts it, and not at its guess.
SMALL = (
    ("Real v(start = 1e6, fixed = true), p; equation p = 9.109e-31*v; der(p) = -1.602e-17;",
     1e-9, "v", lambda t: 1e6 - 1.602e-17 / 9.109e-31 * t),
    ("Real a(start = 1e-3, fixed = true, nominal = 1e-3), n; equation n = 1e-15*a; der(n) = -0.2e-15*a;",
     3, "a", lambda t: 1e-3 * daedal.math.exp(-0.2 * t)),
    ("Real r(start = 1e-6, fixed = true, nominal = 1e-6), m; equation m = 4e3*r^3; der(m) = -12e-12*r;",
     200, "r", lambda t: 1e-6 * daedal.math.sqrt(1 - 2e-3 * t)),
    ("Real q, v, i; initial equation q = 1e-15; equation v = q/2e-15; der(q) = -i; 1e4*i = v;",
     5e-11, "v", lambda t: 0.5 * daedal.math.exp(-t / 2e-11)),
    ("Real u(start = 1, fixed = true), w(start = 0, fixed = true), p, q, i;\n"
     "equation p = 5e-15*u; q = 3e-15*w; der(p) = -i; der(q) = i; 1e4*i = u - w;",
     2e-11, "w", lambda t: 0.625 * (1 - daedal.math.exp(-t / 1.875e-11))),
)


class Small(daedal.CommandTest):
    def test_starts_of_what_has_no_nominal(self):
        for text, stop, name, exact in SMALL:
            for rtol in 1e-4, 1e-8:
                run = daedal.simulate(f"model M {text} end M;\n", stop=stop, rtol=rtol, points=5)
                size = max(abs(exact(row["time"])) for row in run.rows)
                for row in run.rows:
                    # what is below its tolerance is not controlled, and noted
                    self.assert_near(row[name] / size, exact(row["time"]) / size, 0.02)


class Family(daedal.CommandTest):
    def assert_right(self, system, seed, decades=9, **options):
        """In their nominal sizes runs are right as in units of 1."""
        text, known = system(seed, decades, True, STOP)
        code, row, said = solve(text, **options)
        self.assertEqual(code, 0, f"seed {seed}: {said}")
        self.assertLess(worst(row, known), 100, f"seed {seed}: {options}")

    def test_index_2(self):
        for method in "auto", "bdf", "mebdf", "radau-iia3":
            for formulation in "auto", "direct":
                for seed in SEEDS:
                    self.assert_right(
                        units_family.index_2, seed, method=method, formulation=formulation
                    )

    def test_mechanisms(self):
        for formulation in "auto", "index1", "index2", "nullspace-qr", "partition":
            for seed in SEEDS:
                self.assert_right(units_family.mechanism, seed, formulation=formulation)

    def test_reactions_of_driven_mechanisms(self):
        for seed in range(40):
            self.assert_right(units_family.driven, seed, 6)

    def test_mechanisms_as_given(self):
        """Nothing controls multipliers of index 3, in units of 1 either, and a note says so."""
        for seed in SEEDS:
            text, _ = units_family.mechanism(seed, 9, True, STOP)
            code, _, said = solve(text, formulation="direct")
            self.assertEqual(code, 0, f"seed {seed}: {said}")
            self.assertIn("an error of what has index 3 counts with the square of the step", said)

    def test_without_nominal_sizes(self):
        """The structure is the same: what is as large as its tolerance is right, or the run stops."""
        for system in units_family.index_2, units_family.mechanism:
            arrived = 0
            for seed in SEEDS:
                text, known = system(seed, 6, False, STOP)
                code, row, said = solve(text)
                self.assertIn(code, (0, 1, 3), said)
                large = {name: known[name] for name in known if known[name][0] >= 1}
                if code == 0 and large:
                    arrived += 1
                    self.assertLess(worst(row, large), 100, f"seed {seed}: {said}")
            self.assertGreaterEqual(arrived, len(SEEDS) // 2)

    def test_a_multiplier_that_round_off_hides_is_no_mechanism_s(self):
        for rtol in [1e-4, 1e-6, 1e-8]:
            run = daedal.simulate(FORCES, stop=STOP, points=21, rtol=rtol, atol=rtol)
            for r in run.rows:
                self.assertLess(abs(r["l1"] / 0.1 - math.cos(r["time"])), 10 * rtol)


if __name__ == "__main__":
    unittest.main()
