"""Models that are wrong as engineers get them wrong: the answer names what is wrong, and where."""
import random
import unittest

from daedal import EXAMPLES, CommandTest, run

# Neither of the loops has a ground, and each has one equation of currents too many.
GROUNDS = """model Grounds
  parameter Real L1 = 1e-3, L2 = 4e-3, M = 1.5e-3, R1 = 10, R2 = 50, V = 10;
  Real va, vb, vc, vd, ve, i1, i2, is;
equation
  va - vb = V*sin(314*time);
  (va - vc)/R1 = i1;
  vc - vb = L1*der(i1) + M*der(i2);
  vd - ve = M*der(i1) + L2*der(i2);
  (vd - ve)/R2 = -i2;
  is + i1 = 0 "node a";
  is + i1 = 0 "node b";
  i2 + (vd - ve)/R2 = 0 "node e";
end Grounds;
"""
# A balance of the total beside those of both species.
BALANCES = """model Balances
  parameter Real k1 = 2, k2 = 1, V = 3;
  Real a(start = 1, fixed = true), b(start = 0), r, n, s;
equation
  V*der(a) = -r;
  V*der(b) = r;
  r = k1*a - k2*b + s;
  n = a + b;
  der(n) = 0;
end Balances;
"""
# z1 + z2 = 0 follows from the other two.
IMPLIED = """model Implied
  Real z1, z2, z3, x(start = 1, fixed = true);
equation
  der(x) = -x + z3;
  z1 + z2 = 0;
  z1 + z2 + z3 = x;
  z3 = x;
end Implied;
"""
CONTRADICTION = """model Contradiction
  Real z1, z2, z3;
equation
  z1 + z3 = time;
  z2 - z3 = -time;
  z1 + z2 = 1;
end Contradiction;
"""
SOURCES = """model Sources
  parameter Real V1 = 12, V2 = 12, R = 10, C = 1e-3;
  Real va, vb, i1, i2, ic, vc(start = 0, fixed = true);
equation
  va - vb = V1*cos(time);
  va - vb = V2*cos(time);
  vb = 0;
  i1 + i2 = ic;
  va - vc = R*ic;
  ic = C*der(vc);
end Sources;
"""
# The rod of a pendulum is written twice.
RODS = """model Rods
  Real x(start = 0.6), y(start = -0.8, fixed = true), vx, vy(start = 0, fixed = true), F, G;
equation
  der(x) = vx; der(y) = vy;
  der(vx) = -F*x - G*x;
  der(vy) = -F*y - G*y - 9.81;
  x^2 + y^2 = 1;
  2*x^2 + 2*y^2 = 2;
end Rods;
"""


class WrongModels(CommandTest):
    def says(self, model, *parts):
        """The same of a run and of check: status 3, and all parts on standard error."""
        for args in ["run", "-"], ["run", "-", "--formulation", "direct"], ["check", "-"]:
            found = run(args, model)
            self.assertEqual(found.code, 3, found.err)
            self.assertIn("<stdin>:", found.err)
            for part in parts:
                self.assertIn(part, found.err)
            self.assertNotIn("Newton", found.err)

    def test_missing_grounds(self):
        self.says(
            GROUNDS,
            "one of them follows from the others:\n    is + i1 = 0 (<stdin>:10)\n"
            "    minus is + i1 = 0 (<stdin>:11)\n",
            "(vd - ve)/R2 = -i2 (<stdin>:9)\n    minus i2 + (vd - ve)/R2 = 0 (<stdin>:12)\n",
            "left undetermined: va, vb, vc, vd, ve\n",
        )

    def test_a_balance_given_twice(self):
        self.says(
            BALANCES,
            "V*der(a) = -r",
            "plus V*der(b) = r",
            "plus 3 times the derivative of n = a + b",
            "minus 3 times der(n) = 0",
            "left undetermined: a, b, r, s\n",
        )

    def test_an_implied_equation(self):
        self.says(
            IMPLIED,
            "z1 + z2 = 0 (<stdin>:5)",
            "minus z1 + z2 + z3 = x (<stdin>:6)",
            "plus z3 = x (<stdin>:7)",
            "left undetermined: z1, z2\n",
        )

    def test_equations_that_contradict_each_other(self):
        self.says(
            CONTRADICTION,
            "says 0 = 1, so that they contradict each other",
            "z1 + z3 = time",
            "plus z2 - z3 = -time",
            "minus z1 + z2 = 1",
        )

    def test_ideal_sources_in_parallel(self):
        self.says(
            SOURCES,
            "over-determined: 3 equations for 2 unknowns (va, vb)",
            "va - vb = V1*cos(time)",
            "va - vb = V2*cos(time)",
            "under-determined: i1, i2",
        )

    def test_a_redundant_constraint(self):
        found = run(["run", "-", "--points", "2"], RODS)
        self.assertEqual(found.code, 0, found.err)
        self.assertIn("do not determine each multiplier by itself", found.err)
        self.assertNotIn("start condition", found.err)
        named = run(["run", "-", "--method", "bdf", "--points", "2"], RODS)
        self.assertEqual(named.code, 0, named.err)
        named = run(["run", "-", "--method", "bdf", "--formulation", "index1"], RODS)
        self.assertEqual(named.code, 3)
        self.assertIn("minus 0.5 times 2*x^2 + 2*y^2 = 2", named.err)
        self.assertIn("left undetermined: F, G", named.err)
        self.assertIn("formulation elimination", named.err)


class InitialEquations(CommandTest):
    def contradict(self, equations, initial, *parts):
        model = f"model M Real x(start = 1), y, z;\nequation\n{equations}\ninitial equation\n"
        found = run(["init", "-"], f"{model}{initial}\nend M;\n")
        self.assertEqual(found.code, 3, found.err)
        for part in parts:
            self.assertIn(part, found.err)

    def test_against_an_equation_that_gives_a_variable(self):
        self.contradict(
            "der(x) = -x;\ny = 1 + time;\nz = x;",
            "y = 3;",
            "the initial equation y = 3 (<stdin>:7): off by -2, with y = 1",
            "together with:\n    y = 1 + time (<stdin>:4)",
        )

    def test_against_a_chain_of_such_equations(self):
        self.contradict(
            "der(x) = -x;\ny = 2*x;\nz = y + 1;",
            "x = 1;\nz = 7;",
            "the initial equation x = 1 (<stdin>:7)",
            "the initial equation z = 7 (<stdin>:8)",
            "z = y + 1 (<stdin>:5)",
            "y = 2*x (<stdin>:4)",
        )

    def test_against_a_constraint_that_is_not_linear(self):
        self.contradict(
            "der(x) = z;\nx^2 + y^2 = 1;\nder(y) = -x;",
            "x = 2;",
            "the initial equation x = 2 (<stdin>:7): off by ",
            "together with:\n    x^2 + y^2 = 1 (<stdin>:4)",
        )


# Regular, with small coefficients, and nearly but not quite dependent.
REGULAR = (
    "Real x, y; equation 1e-9*x = sin(time) - 5000*y; 2*y = cos(time);",
    "Real x, y; equation 3e-5*der(x) + 1e8*der(y) = sin(time); -y = sin(time + 1);",
    "Real v(start = 0, fixed = true), i, u;\n"
    "equation 1e-12*der(v) + 100*i - 50*u = 0; i + u = 3; i - u = 3 - 1e-12*cos(time)/75;",
    "Real x, y; equation x + y = sin(time); 3*x + 3.00000000001*y = cos(time);",
)


# The second equation is the first one times a function.
MULTIPLES = (
    "0.7*x - 6.5*y = time^2 + 1; (y^2 + 1)*(0.7*x - 6.5*y) - (1 + y^2)*(time^2 + 1) = 0;",
    "3*x + y = time^2 + 1; y*(3*x + y) - y*(time^2 + 1) = 0;",
    "2*x + 3*y = time^2 + 1; y*((2*x + 3*y) - (time^2 + 1)) = 0;",
)


class Multiples(CommandTest):
    def test_nothing_determines_the_variables(self):
        for text in MULTIPLES:
            for fixed in "", ", fixed = true":
                start = f"Real x(start = 0.4{fixed}), y(start = 1.6);"
                found = run(["run", "-"], f"model M {start} equation {text} end M;\n")
                self.assertEqual(found.code, 3, found.err)
                self.assertIn("the equations do not determine the variables", found.err)


class Regular(CommandTest):
    def test_none_is_told_to_depend(self):
        for text in REGULAR:
            for word in "run", "check":
                found = run([word, "-"], f"model M {text} end M;\n")
                self.assertNotEqual(found.code, 3, found.err)
                self.assertNotIn("depend on each other", found.err + found.out)


def draw_units(draw):
    """Sizes of variables, and a unit of time."""
    sizes = [10.0 ** draw.randint(-9, 9) for _ in range(3)]
    return (*sizes, 10.0 ** draw.randint(-3, 9))


class Units(CommandTest):
    """What depends on each other, and what does not, is the same in all units."""

    def test_regular_equations_are_not_told_to_depend(self):
        draw = random.Random(1)
        for _ in range(12):
            a, b, c, T = draw_units(draw)
            rate = f"{T}*der(z)/{b} - (w/{c} + (w/{c})^3)"
            x, z, w = (f"{name}(start={start * size},nominal={size})"
                       for name, start, size in (("x", -1, a), ("z", 1, b), ("w", 1, c)))
            model = f"""model M Real {x}, {z}, {w};
equation x/{a} - 2*({rate}) = sin(time/{T}); z/{b} + 0.016*sin(x/{a}) = cos(time/{T});
{rate} = 0; end M;
"""
            found = run(["init", "-"], model)
            self.assertEqual(found.code, 0, found.err + model)

    def test_linear_equations_of_index_4_are_not_told_to_depend(self):
        draw = random.Random(2)
        for _ in range(12):
            a, b, c, T = draw_units(draw)
            model = f"""model M Real x(nominal={a}), v, y(nominal={b}), u(nominal={c}), p, q;
equation x/{a} = sin(time/{T}); {T}*der(x)/{a} - v = cos(time/{T});
y/{b} + {T}*der(u)/{c} - p + 0.5*u/{c} + {T}*der(x)/{a} - v = sin(3*time/{T});
{T}*der(y)/{b} - u/{c} = cos(2*time/{T}); {T}*der(u)/{c} - p + 0.5*u/{c} = sin(time/{T});
{T}*der(p) - q = sin(3*time/{T}); end M;
"""
            found = run(["init", "-"], model)
            self.assertEqual(found.code, 0, found.err + model)

    def test_dependent_equations_are_found(self):
        draw = random.Random(3)
        for _ in range(12):
            a, b, c, T = draw_units(draw)
            x, y, z = (f"{name}(nominal={size})" for name, size in zip("xyz", (a, b, c)))
            model = f"""model M Real {x}, {y}, {z};
equation {T}*der(x)/{a} + (y/{b})^3 - z/{c} = 1; x/{a} + y/{b} = time/{T};
2*{T}*der(x)/{a} + 2*(y/{b})^3 - 2*z/{c} + {T}*der(x)/{a} + {T}*der(y)/{b} = 3; end M;
"""
            found = run(["init", "-"], model)
            self.assertEqual(found.code, 3, found.err + model)
            self.assertIn("says 0 = 0, so that one of them follows", found.err)


class Remedies(CommandTest):
    def test_options_of_the_library_are_told_as_flags(self):
        few = run(["run", EXAMPLES / "pendulum.mo", "--max-steps", "3"])
        self.assertIn("3 steps are allowed (--max-steps), ", few.err)
        unfit = run(["run", EXAMPLES / "pendulum.mo", "--method", "rk4"])
        self.assertIn("give a fixed step (--step), or", unfit.err)
        for found in few, unfit:
            self.assertNotIn("option ", found.err)


if __name__ == "__main__":
    unittest.main()
