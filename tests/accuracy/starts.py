"""Consistent start values: fixed ones stay, guesses change least, far guesses still lead there."""
import itertools
import json
import math
import random
import unittest

from simulation import MODELS, daedal

CIRCLE = """model Circle
  Real x(start = {x}, nominal = {nx}), y(start = {y}, nominal = {ny});
equation
  der(x) = -y*(1 - time);
  x^2 + y^2 = 1;
end Circle;
"""

PENDULUM = """model Pendulum
  Real x(start = {x}, fixed = true), y(start = {y});
  Real vx(start = {vx}), vy(start = {vy}), F;
equation
  der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
"""

XENON_MODEL = """model Xenon "boron that keeps a reactor critical while its load changes"
  parameter Real sI = 0.061, sX = 0.002, lI = 2.9e-5, lX = 2.1e-5, s = 2.7e-22, p0 = 3e17;
  Real {guesses}, B(start = 1000), u, p, rho;
initial equation
  der(I) = 0; 40*sX*p0 + lI*I - lX*X - s*p0*X = 0;
equation
  {equations}
end Xenon;
"""
XENON = [
    "p = p0*(1 - 0.5*(1 - exp(-time/3600)))",
    "der(I) = 40*sI*p - lI*I",
    "der(X) = 40*sX*p + lI*I - lX*X - s*p*X",
    "rho = 0.12 - 1e-4*B - s*X/60",
    "rho = 0",
    "der(B) = u",
]

RELAXATION = """model Relaxation
  Real y(start = 2, fixed = true), z(start = -0.66);
equation
  der(y) = z;
  {eps}*der(z) = (1 - y^2)*z - y;
end Relaxation;
"""

# u + v = sin(time), u - v = cos(time): the structure does not see it, and which part of u' + v' is
# u' the equations tell only when they are differentiated once more than the start needs
DECEIVING = """model Misleading
  Real u(start = 0.5), v(start = -0.5), s(start = 1{fixed});
equation
  der(u) + der(v) = u - v;
  der(u) + der(v) = 2*u - sin(time);
  der(s) + der(u) = -(s + u);
end Misleading;
"""


# x and y are known, z is rate times as sensitive: beside guesses that are cheap to change the row of
# z looks as if it depended on others.
FORCED = """model Forced
  Real x(start = {x}), y(start = {y}), z(start = {z});
equation
  0 = der(x) - y - (cos(time) - exp(-time));
  der(y) + ({rate}*y + 0.3*sin(y)) + x - z = {rate}*exp(-time) - exp(-time)
    + 0.3*sin(exp(-time)) + sin(time) - 0.7;
  0 = x - sin(time);
end Forced;
"""

def start(text):
    result = daedal.run(["init", "-", "--json"], text)
    if result.code != 0:
        raise AssertionError(result.err)
    return json.loads(result.out)


def least(function, low, high):
    """Where a function of one minimum between two points has it, by golden section."""
    ratio = (math.sqrt(5) - 1) / 2
    while high - low > 1e-9:
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if function(left) < function(right):
            high = right
        else:
            low = left
    return (low + high) / 2


class Guesses(daedal.CommandTest):
    def test_the_nearest_point_counts_in_nominal_sizes(self):
        for x, y, nx, ny in (
            (2, 1, 1, 1),
            (1.2, 0.4, 1, 3),
            (-3, 0.5, 2, 0.1),
            (4, 5, 1, 1),
        ):
            values = start(CIRCLE.format(x=x, y=y, nx=nx, ny=ny))["values"]

            def distance(angle):
                return ((math.cos(angle) - x) / nx) ** 2 + ((math.sin(angle) - y) / ny) ** 2

            coarse = min((2 * math.pi * k / 360 for k in range(360)), key=distance)
            best = least(distance, coarse - 0.02, coarse + 0.02)
            self.assert_near(values["x"], math.cos(best), 1e-6)
            self.assert_near(values["y"], math.sin(best), 1e-6)

    def test_a_conflict_releases_no_other_state(self):
        """What contradicts a fixed value, another state or an initial equation gives way alone."""
        for name, value, text in (
            # d must be c, which is fixed; x is linked to both
            ("x", 400, "Real x(start = 400), c(start = 320, fixed = true), d(start = 293), p(start = 288), q1, q2, "
             "r(start = 288); equation der(x) = c - x; x = p; der(c) = x - c + q1; der(d) = q2; q1 + q2 = 0; "
             "c = r; d = r;"),
            # the same beside an output that reads both
            ("x", 400, "Real x(start = 400), c(start = 320, fixed = true), d(start = 293), p(start = 288), r, s; "
             "equation der(x) = -x; x = p; der(c) = r; der(d) = -r; d = c; s + x*c = 0;"),
            # z comes to rest; the guess of W is far off
            ("x", 2, "Real x(start = 2), z(start = 0.1), W(start = 7), S; initial equation der(z) = 0; equation "
             "der(x) = -x; der(z) = z - z^3; S - W = -4680 - 3*x - z; S + exp(W/1e3) = 2;"),
            # two states of three are one
            ("c", 7, "Real a(start = 1), b(start = 3), c(start = 7), f; equation a = b; der(a) = f - a; der(b) = -f; "
             "der(c) = a - c;"),
            # a state without a start value stays at 0
            ("w", 0, "Real a(start = 1), b(start = 3), w, f; equation a + w^2*0 = b; der(a) = f; der(b) = w - f; "
             "der(w) = a - w;"),
        ):
            with self.subTest(text):
                self.assertEqual(start(f"model M {text} end M;")["values"][name], value)
        # of states that are bound to each other, the starts of all count, in each writing, ...
        for bound in "x = z", "z = x", "x - z = 0", "2*z = 2*x":
            values = start(f"model A Real x(start = 1), z(start = 3), l; equation der(x) = l - x; der(z) = -l; "
                           f"{bound}; end A;")["values"]
            self.assert_near(values["x"], 2, 1e-9)
        # ... and no others
        values = start("model A Real x(start = 3), z(start = 6.3), l, u(start = -100); equation der(x) = -2*l; "
                       "der(z) = l; z - 2*x = 0; u - x - 1 = 0; end A;")["values"]
        self.assert_near(values["x"], (3 + 2*6.3)/5, 1e-9)
        # a guess of what is not differentiated moves no state, though its constraint is differentiated
        for q in "q = x2", "3*q = 3*x2", "q - x2 = 0", "q/7 = x2/7":
            for nominal in "1", "1e-3":
                values = start(f"model A Real x1(start = 1), x2(start = 1), l, p, q(start = 5, nominal = {nominal}); "
                               f"equation der(x1) = l - x1; der(x2) = l - x2; p = x1; {q}; p + q = 4; end A;")["values"]
                self.assert_near(values["x1"], 2, 1e-9)

    def test_states_along_a_chain_of_guesses(self):
        """One condition on n states that acts on each by another power of c: the least change."""
        for n, c in (5, 1e-4), (12, 0.1), (20, 0.1), (60, 0.5), (400, 0.9):
            values = start(f"""model M parameter Integer n = {n}; parameter Real c = {c};
  Real u[n](each start = 0.5), q[n](each start = 1);
initial equation der(u[1]) = 0;
equation
  for i in 1:n loop der(u[i]) = q[i] - u[i]; end for;
  for i in 1:n - 1 loop q[i] + c*q[i + 1] = 2 - u[i]; end for;
  q[n] = 2 - u[n];
end M;""")["values"]
            # u1 = q1 = sum of (-c)^k (2 - u_(k+1)): a'u = b with a = (2, -c, c^2, ...)
            a = [(-c) ** k + (k == 0) for k in range(n)]
            missed = sum(2 * (-c) ** k for k in range(n)) - 0.5 * sum(a)
            for k in range(n):
                self.assert_near(values[f"u[{k + 1}]"], 0.5 + a[k] * missed / sum(x * x for x in a), 1e-9)
        values = start("model C import Daedal.Electrical.*; ConstantVoltage s(V = 10); Resistor r(R = 1, i(start = 100)); "
                       "Capacitor a(C = 1, v(start = 2)), b(C = 3, v(start = 6)); Ground g; equation connect(s.p, r.p); "
                       "connect(r.n, a.p); connect(a.p, b.p); connect(a.n, g.p); connect(b.n, g.p); connect(s.n, g.p); "
                       "end C;")["values"]
        self.assert_near(values["a.v"], 4, 1e-8)
        tank = """model H import Daedal.Thermal.*; HeatCapacitor a(C = 1, T(start = 350)), b(C = 1, T(start = 350));
          FixedTemperature t(T = 300); ThermalConductor e(G = 1);
          equation connect(a.port, t.port); connect({}); connect(e.port_b, b.port); end H;"""
        for link in "e.port_a, t.port", "t.port, e.port_a", "e.port_a, a.port":
            values = start(tank.format(link))["values"]
            self.assertEqual((values["a.T"], values["b.T"]), (300, 350))

    def test_a_contradiction_is_one_beside_an_iteration_without_an_end(self):
        """What fixed values contradict by themselves is told as that, though the rest has no solution with them either."""
        for words, text in (
            (("with v.p = 5e+06 fixed", "'v.port.p' = 't.port.p'"),
             "import Daedal.Hydraulic.*; Volume v(V = 1, p(start = 5e6, fixed = true)), w(V = 1, p(start = 1e5)); "
             "Orifice e(A = 1e-5); Tank t; equation connect(v.port, t.port); connect(e.port_a, t.port); "
             "connect(e.port_b, w.port);"),
            (("with x = 1, y = 2.1 fixed", "y = 2*x"),
             "Real x(start = 1, fixed = true), y(start = 2.1, fixed = true), p(start = 4.057), q(start = -40); "
             "equation der(x) = -p; y = 2*x; p^3 + p + q = x + 1.59; sinh(q) = p;"),
        ):
            self.assert_refused(["init", "-"], *words, "cannot hold together", code=3, stdin=f"model M {text} end M;")

    def test_a_parameter_is_what_an_initial_event_makes_a_discrete_variable(self):
        """In each writing of the initial equation."""
        for equation in "k = d;", "0 = k - d;", "k - d = 0;", "2*k = 2*d;":
            values = start("model W parameter Real k(fixed = false); discrete Real d(start = 0); "
                           f"Real x(start = 1, fixed = true); initial equation {equation} "
                           "equation when initial() then d = 5; end when; der(x) = d - k*x; end W;")["values"]
            self.assertEqual((values["d"], values["k"]), (5, 5))

    def test_guesses_of_algebraic_variables_move_no_state(self):
        for x, y in (0.1, 0.2), (-0.7, 0.01), (0.999, 3), (0.5, -40):
            values = start(CIRCLE.format(x=x, y=y, nx=1, ny=5))["values"]
            self.assertEqual(values["x"], x)
            self.assert_near(values["y"], math.copysign(math.sqrt(1 - x * x), y), 1e-9)
        tank = """model Tank
  Real h(start = {h}), q(start = {q}), again(start = 7);
equation
  der(h) = -q; q = 0.5*sqrt(19.62*h); again = h;
end Tank;
"""
        for h, q in (2, 0.1), (0.3, 50), (1e4, 1e-6):
            values = start(tank.format(h=h, q=q))["values"]
            self.assertEqual((values["h"], values["again"]), (h, h))
            self.assert_near(values["q"], 0.5 * math.sqrt(19.62 * h), 1e-9 * h)

    def test_what_need_not_change_stays(self):
        for exponent in range(0, 13, 2):
            answer = start(RELAXATION.format(eps=f"1e-{exponent}"))
            self.assertEqual((answer["values"]["y"], answer["values"]["z"]), (2, -0.66))

    def test_stiff_equations_are_met_to_round_off(self):
        for rate in 1e3, 1e5, 1e6, 1e8:
            for off in 1.01, 0.97, 1.3:
                text = FORCED.format(rate=rate, x=0, y=off, z=0.7 * off)
                values = start(text)["values"]
                self.assert_near(values["y"], 1, 1e-15 + 1e-14 / rate)
                self.assert_near(values["z"], 0.7, 1e-15 * rate)

    def test_velocities_lose_their_part_across_the_constraint(self):
        x, vx, vy = 0.6, 1.0, 2.0
        values = start(PENDULUM.format(x=x, y=-0.7, vx=vx, vy=vy))["values"]
        y = -0.8
        along = x * vx + y * vy
        for name, wanted in zip(("x", "y", "vx", "vy"), (x, y, vx - along * x, vy - along * y)):
            self.assert_near(values[name], wanted, 1e-12)
        speed = values["vx"] ** 2 + values["vy"] ** 2
        self.assert_near(values["F"], speed - 9.81 * y, 1e-11)

    def test_fixed_values_do_not_move_at_all(self):
        for x in 0.1, 1 / 3, 0.6:
            values = start(PENDULUM.format(x=x, y=-1, vx=0, vy=0))["values"]
            self.assertEqual(values["x"], x)


# A constraint with a stiff direction beside it: x1 sees z only through the constraint's derivative.
STIFF = """model Stiff
  Real y0(start = {y0!r}), y1(start = {y1!r}), z(start = {z!r});
equation
  der(y0) = cos(0.5*time + 0.5) + 0.5*(z - sin(0.5*time + 1)) - 2*{rate}*(y0 - 2*sin(0.5*time + 0.5));
  der(y1) = 1.5*cos(1.5*time + 0.3) + z - sin(0.5*time + 1)
    - {rate}*(y1 - sin(1.5*time + 0.3)) - {rate}*(y0 - 2*sin(0.5*time + 0.5));
  y0{power} + y1{power} = (2*sin(0.5*time + 0.5)){power} + sin(1.5*time + 0.3){power};
end Stiff;
"""

# 2 fF and 1 nH: sizes from 1e-15 to 1e11, and a loop of capacitors.
CIRCUIT = """model Circuit
  parameter Real C = 2e-15, R = 1e3, L = 1e-9, w = 6.283185307179586e9;
  Real v1(start = 1), v2(start = 0.3), v3(start = 0), il(start = 1e-4), i1, i2, i3;
equation
  C*der(v1) = i1; C*der(v2) = i2; C*der(v3) = i3;
  v1 + v2 + v3 = 1.3*cos(w*time);
  L*der(il) = v1 - v2;
  i1 = i2 + v2/R - il;
  i3 = i2 - v3/R + 1e-12*(exp((v1 - v2)/0.05) - 1);
end Circuit;
"""


# A pendulum, y upwards, in units of its own, whose force is guessed with 2 %.
SIZED = """model Sized
  parameter Real X = {x!r}, Y = {y!r}, Q = {force!r};
  Real x(start = 0.8*X), y(start = -0.6*Y, fixed = true);
  Real vx(start = 0), vy(start = 0, fixed = true), F(start = 6.0*Q);
equation
  der(x)/X = vx/X; der(y)/Y = vy/Y;
  der(vx)/X = -F/Q*x/X; der(vy)/Y = -F/Q*y/Y - 9.81;
  (x/X)^2 + (y/Y)^2 = 1;
end Sized;
"""


# Without constraints: any values are a start.
ROTATED = """model Rotated
  Real x(start = {x!r}), y(start = {y!r});
equation
  cos(0.8 + x/{p!r})*(der(x)/{p!r} + x/{p!r} - sin(time))
    - sin(0.8 + x/{p!r})*(der(y)/{q!r} + y/{q!r} - cos(time)) = 0;
  sin(0.8 + x/{p!r})*(der(x)/{p!r} + x/{p!r} - sin(time))
    + cos(0.8 + x/{p!r})*(der(y)/{q!r} + y/{q!r} - cos(time)) = 0;
end Rotated;
"""


class GuessesThatMeet(daedal.CommandTest):
    """To the last bit, whatever is beside them."""

    def test_beside_stiff_equations(self):
        given = {"y0": 2 * math.sin(0.5), "y1": math.sin(0.3), "z": math.sin(1)}
        for power in "", "^2":
            for exponent in range(0, 13, 3):
                text = STIFF.format(rate=f"1e{exponent}", power=power, **given)
                values = start(text)["values"]
                self.assertEqual({name: values[name] for name in given}, given, (power, exponent))

    def test_in_any_units(self):
        values = start(CIRCUIT)["values"]
        wanted = {"v1": 1, "v2": 0.3, "v3": 0, "il": 1e-4}
        self.assertEqual({name: values[name] for name in wanted}, wanted)

    def test_derivatives_of_sizes_that_nobody_gave(self):
        rng = random.Random(1)
        for _ in range(100):
            p, q = (10 ** rng.uniform(-9, 9) for _ in range(2))
            given = {"x": rng.uniform(-2, 2) * p, "y": rng.uniform(-2, 2) * q * 10 ** rng.uniform(-6, 0)}
            self.assertEqual(start(ROTATED.format(p=p, q=q, **given))["values"], given, (p, q))

    def test_what_has_died_out(self):
        values = start((MODELS / "DeadAtStart.mo").read_text())["values"]
        self.assertEqual((values["y5"], values["y6"]), (6.016190007648661e-10, 1.9912655667218218))
        values = start((MODELS / "WeakAtStart.mo").read_text())["values"]
        self.assertEqual(values["y3"], -1.10462409121476)

    def test_what_does_not_meet_is_changed(self):
        """1e-10 is no round-off."""
        given = {"y0": 2 * math.sin(0.5) + 1e-10, "y1": math.sin(0.3), "z": math.sin(1)}
        values = start(STIFF.format(rate="1", power="", **given))["values"]
        self.assert_near(values["y0"] + values["y1"], 2 * math.sin(0.5) + math.sin(0.3), 1e-15)

    def test_a_multiplier_far_larger_than_its_nominal(self):
        """Nor is it taken as it was guessed where all else counts more for its equations."""
        for size in 1.0, 1e3, 1e6, 1e9:
            text = SIZED.format(x=1 / size, y=size, force=size**2)
            values = start(text)["values"]
            self.assert_near(values["x"] * size, 0.8, 1e-12)
            self.assert_near(values["vx"] * size, 0, 1e-12)
            self.assert_near(values["F"] / size**2, 9.81 * 0.6, 1e-11)


class Orders(daedal.CommandTest):
    """Numbers of atoms as they are, beside numbers of 1: the order of equations decides nothing."""

    def test_sizes_without_nominal(self):
        chance = random.Random(22)
        for guesses in "I, X", "I(start = 2.5e22), X(start = 7.4e21)":
            for _ in range(20):
                chance.shuffle(XENON)
                lines = " ".join(f"{equation};" for equation in XENON)
                values = start(XENON_MODEL.format(guesses=guesses, equations=lines))["values"]
                self.assert_near(values["I"] / 2.5241379310344826e22, 1, 1e-9)
                self.assert_near(values["B"], 866.470588235294, 1e-6)


class Powers(daedal.CommandTest):
    def test_a_guess_of_0_under_a_power(self):
        for equations, name, wanted in (
            ("m^0.8 = 2", "m", 2**1.25),
            ("log(m) + p = 1; p = log(m)", "m", math.exp(0.5)),
            ("p^1.75 = 3 - m^0.8; m = 1", "p", 2 ** (1 / 1.75)),
            ("10 - p = 3*m^1.75; p = m^1.75", "m", 2.5 ** (1 / 1.75)),
        ):
            second = ", p(start = 0)" if "p" in equations else ""
            text = f"model M Real m(start = 0){second}; equation {equations}; end M;"
            self.assert_near(start(text)["values"][name], wanted, 1e-12)

    def test_a_fixed_value_beside_constraints_that_depend_on_each_other(self):
        """As a mechanism its equations leave y6 open, and were followed so: the shortest reactions
        had another one."""
        exact = {"y1": 1.75, "y2": -1, "y4": 0, "y5": -0.125, "y6": -1.5}
        found = start((MODELS / "FixedBesideDependence.mo").read_text())["values"]
        for name, value in exact.items():
            self.assertAlmostEqual(found[name], value, delta=1e-9)

    def test_a_value_of_0_that_is_fixed(self):
        text = (
            "model M Real m(start = 0, fixed = true), q; "
            "equation der(m) = q; q^1.75 = 3 - m^0.8; end M;"
        )
        self.assert_near(start(text)["values"]["q"], 3 ** (1 / 1.75), 1e-12)


class FarGuesses(daedal.CommandTest):
    def test_an_exponential_of_a_variable_that_another_guess_gives(self):
        text = "model M Real v, i; equation v = 281 - 100*i; i = 1e-9*(exp(v/0.05) - 1); end M;"
        low, high = 0.0, 2.0
        for _ in range(200):
            v = (low + high) / 2
            low, high = (low, v) if v + 1e-7 * math.expm1(v / 0.05) > 281 else (v, high)
        self.assert_near(start(text)["values"]["v"], low, 1e-12)

    def test_a_guess_at_which_the_jacobian_vanishes(self):
        for guess in "", "(start = 0)":
            values = start(f"model M Real x{guess}; equation x^2 = 2; end M;")["values"]
            self.assert_near(abs(values["x"]), math.sqrt(2), 1e-15)

    def test_steep_and_flat_equations(self):
        for equation, guess, root in (
            ("exp(x) = 1e-3", -20, math.log(1e-3)),
            ("exp(x) = 1e-3", 30, math.log(1e-3)),
            ("atan(x) = 1", 500, math.tan(1)),
            ("x^9 = 1e-9", 3, 0.1),
            ("x + 1e6*(exp(40*x) - 1) = 1", 2, None),
        ):
            text = f"model M Real x(start = {guess}); equation {equation}; end M;"
            x = start(text)["values"]["x"]
            if root is None:
                self.assert_near(x + 1e6 * math.expm1(40 * x), 1, 1e-9)
            else:
                self.assert_near(x, root, 1e-12 * max(1, abs(root)))

    def test_an_equation_without_a_slope_at_its_root(self):
        """Newton's iteration may come to the root itself, where the derivative is 0*infinity. The root is the only
        one, so that nothing is missing; alone and beside another part the model starts alike."""
        draw = random.Random(5)
        for _ in range(12):
            root, power, factor = draw.uniform(-5, 5), draw.choice((0.25, 0.5, 0.75)), 10 ** draw.uniform(0, 5)
            law = f"(x - ({root!r}))*abs(x - ({root!r}))^{power}*{factor!r} = 0"
            guess = draw.choice((0, draw.uniform(-5, 5)))
            for state, of_state in ("", ""), (", w(start = 1, fixed = true)", "der(w) = -w;"):
                answer = start(f"model M Real x(start = {guess!r}){state}; equation {law}; {of_state} end M;")
                self.assert_near(answer["values"]["x"], root, 1e-9)
                self.assertNotIn("missing; the value nearest", str(answer["notes"]))

    def test_chains_of_explicit_variables_with_guesses_out_of_their_domain(self):
        """What follows from known values is not looked for near a guess of it."""
        for function, follow in (
            ("log({})+3", lambda v: math.log(v) + 3),
            ("sqrt({})+1", lambda v: math.sqrt(v) + 1),
            ("0.1*{}^1.5+1", lambda v: 0.1 * v**1.5 + 1),
        ):
            for guess, length in itertools.product((-1000, -1, 0, 1000), (4, 20)):
                names = ["x"] + [f"b{k}" for k in range(1, length + 1)]
                variables = "".join(f"Real {name}(start = {guess}); " for name in names[1:])
                equations = [f"{b} = {function.format(a)}; " for a, b in zip(names, names[1:])]
                text = (
                    f"model C Real x(start = 0.5, fixed = true); {variables}equation "
                    f"{''.join(reversed(equations))}der(x) = -0.2*x + {names[-1]}; end C;"
                )
                values = start(text)["values"]
                wanted = 0.5
                for name in names:
                    wanted = wanted if name == "x" else follow(wanted)
                    self.assert_near(values[name], wanted, 1e-10)


class StartLaws(daedal.CommandTest):
    """Start values that are expressions of parameters which are found at the start."""

    def test_a_value_that_is_not_fixed(self):
        """The law is met together with what finds the parameter: p = q + h/100 and h = 2*p give p = q/0.98."""
        text = """model S parameter Real p(fixed = false, start = 1); Real h(start = 2*p), q, g(start = p^2);
            initial equation p = q + h/100; equation der(h) = -h; q = 5 + time; der(g) = q; end S;"""
        values = start(text)["values"]
        for name, wanted in (("p", 5 / 0.98), ("h", 10 / 0.98), ("g", (5 / 0.98) ** 2)):
            self.assert_near(values[name], wanted, 1e-9)

    def test_fixed_or_not(self):
        text = """model S parameter Real p(fixed = false, start = 1); Real q = 3 + time, h[2](each start = p - 1%s), a = h[1];
            initial equation p^2 = q + 1; equation der(h) = -h; end S;"""
        for fixed in "", ", each fixed = true":
            values = start(text % fixed)["values"]
            for name in "h[1]", "h[2]", "a":
                self.assert_near(values[name], 1, 1e-12)

    def test_a_value_from_outside_counts(self):
        text = """model S parameter Real p(fixed = false, start = 1); Real q = 3 + time, h(start = p);
            initial equation p = q; equation der(h) = -h; end S;"""
        done = daedal.run(["init", "-", "--json", "--set", "h=7"], text)
        self.assertEqual(json.loads(done.out)["values"]["h"], 7)


class Notes(daedal.CommandTest):
    def test_derivatives_are_those_that_the_equations_determine(self):
        for fixed in "", ", fixed = true":
            answer = start(DECEIVING.format(fixed=fixed))
            for name, value, slope in (("u", 0.5, 0.5), ("v", -0.5, 0.5), ("s", 1, -2)):
                self.assert_near(answer["values"][name], value, 1e-12)
                self.assert_near(answer["derivatives"][name], slope, 1e-12)

    def test_derivatives_that_are_a_choice_are_not_told(self):
        text = (
            "model M Real u, v, w, z, q(start = 3); equation "
            "der(u) + der(v) = u - v; der(u) + der(v) = 2*u - w; der(q) = -2*q; "
            "der(w) + der(z) = w - z; der(w) + der(z) = 2*w - sin(time); end M;"
        )
        self.assertEqual(start(text)["derivatives"], {"q": -6})

    def test_only_what_is_missing_is_counted(self):
        used = "1 start condition is missing; the start value is used: s = 1"
        self.assertEqual(start(DECEIVING.format(fixed=""))["notes"], [used])
        self.assertEqual(start(DECEIVING.format(fixed=", fixed = true"))["notes"], [])

    def test_a_redundant_fixed_value_of_an_array_is_noted(self):
        text = DECEIVING.format(fixed=", fixed = true").replace("0.5)", "0.5, fixed = true)", 1)
        (note,) = start(text)["notes"]
        self.assert_says(note, "1 start condition more", "fixed: u, s")

    def test_redundant_conditions_are_those_of_the_mode_in_which_the_run_begins(self):
        text = (
            "model M Real x(start = 1, fixed = true), y(start = 1, fixed = true), f; equation "
            "der(x) = -x - f; der(y) = f - y; 0 = if time > {} then f else x - y; end M;"
        )
        self.assertEqual(start(text.format(0))["notes"], [])  # the parts are free from the start on
        self.assert_says(start(text.format(1))["notes"][0], "1 start condition more", "fixed: x, y")
        rectifier = (daedal.EXAMPLES / "rectifier.mo").read_text()
        self.assertEqual(start(rectifier)["notes"], [])

    def test_a_law_that_is_flat_at_the_start_makes_no_condition_redundant(self):
        text = (
            "model M Real h(start = 1, fixed = true), k(start = 1, fixed = true), q; equation "
            "der(h) = -q; der(k) = q; 0 = h - k - q*abs(q); end M;"
        )
        self.assertNotIn("start condition", " ".join(start(text)["notes"]))

    def test_values_that_are_not_the_start_values_are_not_called_so(self):
        (note,) = start(CIRCLE.format(x=2, y=1, nx=1, ny=1))["notes"]
        self.assert_says(note, "1 start condition is missing", "value nearest to the start value")
        # x and z agree on 2, and c is kept
        (note,) = start("model M Real x(start = 1), z(start = 3), c(start = 7), l; equation der(x) = l - x + c; "
                        "der(z) = -l; x - z = 0; der(c) = x - c; end M;")["notes"]
        self.assert_says(note, "2 start conditions are missing", "values nearest to the start values", "c = 7")
        (note,) = start(CIRCLE.format(x=0.6, y=0.8, nx=1, ny=1))["notes"]
        self.assert_says(note, "1 start condition is missing; the start value is used: ")


if __name__ == "__main__":
    unittest.main()
