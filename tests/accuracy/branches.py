"""Where constraints come to depend on each other on the way, solutions may go on in several ways:
runs go on along their branch, or stop, or say so."""
import math
import random
import re
import unittest

from simulation import daedal

# A bar on two equal cranks swings through the horizontal, where all lie in one line. It keeps
# parallel, and then is one pendulum of length 1.
BAR = """model Bar
  parameter Real g = 9.81, a = 0.6, w = -6;
  Real x1(start = cos(a)), y1(start = sin(a), fixed = true), x2(start = 2 + cos(a)), y2(start = sin(a));
  Real u1(start = -w*sin(a)), v1(start = w*cos(a), fixed = true), u2(start = -w*sin(a));
  Real v2(start = w*cos(a)), f1, f2, f3;
equation
  der(x1) = u1; der(y1) = v1; der(x2) = u2; der(y2) = v2;
  der(u1) = 2*x1*f1 - 2*(x2 - x1)*f3; der(v1) = 2*y1*f1 - 2*(y2 - y1)*f3 - g;
  der(u2) = 2*(x2 - 2)*f2 + 2*(x2 - x1)*f3; der(v2) = 2*y2*f2 + 2*(y2 - y1)*f3 - g;
  x1^2 + y1^2 = 1; (x2 - 2)^2 + y2^2 = 1; (x2 - x1)^2 + (y2 - y1)^2 = 4;
  annotation(experiment(StopTime = 1.5));
end Bar;
"""
NOTE = "one of the constraints hardly differs"
METHODS = "hedop5", "state-space-dop853", "state-space-dopri5", "radau-iia3", "mebdf", "auto"


class Branches(daedal.CommandTest):
    def run_bar(self, **options):
        """Status, how far the bar is from parallel and from its energy, and what was said."""
        flags = daedal.flags({"points": 2, "quiet": True, **options})
        done = daedal.run(["run", "-", *flags], BAR)
        _, found = daedal.rows(done.out)
        first, last = found[0], found[-1]

        def energy(row):
            return (row["u1"] ** 2 + row["v1"] ** 2) / 2 + 9.81 * row["y1"]

        away = max(abs(last["x2"] - last["x1"] - 2), abs(last["y2"] - last["y1"]))
        return done.code, max(away, abs(energy(last) - energy(first)) / 18), done.err

    def test_auto_keeps_to_its_branch(self):
        for options in {}, {"method": "dop853", "formulation": "elimination"}:
            for rtol in 1e-4, 1e-6, 1e-8:
                code, away, said = self.run_bar(rtol=rtol, **options)
                self.assertEqual(code, 0, said)
                self.assertLess(away, 100 * rtol)

    def test_methods_say_so_without_projection(self):
        """None goes over to another branch and says nothing."""
        for method in METHODS:
            code, away, said = self.run_bar(method=method, formulation="index1", projection="none")
            with self.subTest(method=method, away=away):
                self.assertTrue(code == 1 or NOTE in said, said)

    def test_none_is_told_of_a_mechanism_that_stays_away(self):
        """Too slow to come near to the horizontal: the bar swings below it."""
        text = BAR.replace("w = -6", "w = 0").replace("a = 0.6", "a = -0.8")
        for method in METHODS:
            flags = daedal.flags({"method": method, "formulation": "index1", "projection": "none"})
            done = daedal.run(["run", "-", "--points", "2", *flags], text)
            self.assertEqual(done.code, 0, done.err)
            self.assertNotIn(NOTE, done.err)


# A tank is drained until a valve closes: had it stayed open, the volume would be 0 five seconds later.
REACTOR = """model Reactor
  type Phase = enumeration(fill, heat, react, cool, drain, done);
  Phase ph(start = Phase.fill, fixed = true);
  Real V(start = 0.05, fixed = true), T(start = 293, fixed = true), nA(start = 0, fixed = true);
  Real nB(start = 0, fixed = true), k, Q, qin, qout;
equation
  qin = if ph == Phase.fill then 0.005 else 0;
  qout = if ph == Phase.drain then 0.01 else 0;
  k = 5e6*exp(-6500/T);
  Q = if ph == Phase.heat then 60e3 elseif ph == Phase.react then 40*(330 - T)*50
      elseif ph == Phase.cool then -30e3 else 0;
  der(V) = qin - qout;
  der(nA) = qin*1000 - k*nA - qout*nA/V;
  der(nB) = k*nA - qout*nB/V;
  4.0e6*V*der(T) = Q + 8e4*k*nA + qin*4e6*(293 - T);
  when pre(ph) == Phase.fill and V > 1 then ph = Phase.heat;
  elsewhen pre(ph) == Phase.heat and T > 330 then ph = Phase.react;
  elsewhen pre(ph) == Phase.react and nA < 20 then ph = Phase.cool;
  elsewhen pre(ph) == Phase.cool and T < 300 then ph = Phase.drain;
  elsewhen pre(ph) == Phase.drain and V < 0.05 then ph = Phase.done;
  end when;
end Reactor;
"""


class Beyond(unittest.TestCase):
    """Points that a trial step passes beyond an event are none of the solution."""

    def test_none_is_told_of_a_valve_that_closes_before(self):
        for method in ("auto", "radau-iia5"):
            flags = ["--points=2", "--stop=15000", f"--method={method}"]
            done = daedal.run(["run", "-", *flags], REACTOR)
            self.assertEqual(done.code, 0, done.err)
            self.assertNotIn("hardly determine", done.err)


# Two solutions cross at 1: the one that is followed, its state and its start.
CROSSINGS = [
    ("x^2 = (s - 1)^2", 1),
    ("x*(x - (s - 1)) = 0", 0),
    ("x*(x^2 - (s - 1)) = 0", 0),
    ("x^2 - y^2 = 0; y = 1 - s", 1),
    ("x*y = 2*(s - 1)^2; x + y = 3*(s - 1)", -2),
]
CROSSING = """model Crossing
  Real x(start = {start}), y(start = {start}/2), s(start = 0, fixed = true), q(start = 0, fixed = true);
equation
  der(s) = 1;
  der(q) = x - q;
  {equations};
end Crossing;
"""
TOLD = r"note: near t = (\S+) the equations hardly determine"


class Crossings(daedal.CommandTest):
    def notes(self, equations, start, method):
        if "y" not in equations:
            equations += "; y = x"
        text = CROSSING.format(equations=equations, start=start)
        done = daedal.run(["run", "-", "--stop=2", "--points=2", f"--method={method}"], text)
        self.assertEqual(done.code, 0, done.err)
        return [float(t) for t in re.findall(TOLD, done.err)]

    def test_solutions_that_cross_are_told(self):
        for equations, start in CROSSINGS:
            for method in "auto", "bdf", "mebdf", "radau", "rodas5p", "esdirk4":
                with self.subTest(equations=equations, method=method):
                    found = self.notes(equations, start, method)
                    self.assertEqual(len(found), 1)
                    self.assertAlmostEqual(found[0], 1, delta=1e-3)

    def test_one_solution_alone_is_not(self):
        for equations, start in (
            ("x^3 = (s - 1)^3", -1),
            ("x^2 = (s - 1)^2 + 0.01", 1),
            ("x + x^3 = sin(6*s)", 0),
            ("x*(2 + sin(9*s)) = cos(s)", 1),
        ):
            for method in "auto", "bdf", "radau", "rodas5p":
                with self.subTest(equations=equations, method=method):
                    self.assertEqual(self.notes(equations, start, method), [])


# Two solutions come close to each other where a cos(w s) passes 0 and go apart again, by the square
# root of a small number: equations, and the one that is followed. In the second x and y are
# concentrations with x y = k (1.5 - x), of which one is left over in turn.
def far(u, small):
    """u + sqrt(u^2 + small), also where u < 0."""
    root = math.sqrt(u * u + small)
    return u + root if u > 0 else small / (root - u)


APPROACHES = [
    ("x^2 = u^2 + {small}", lambda u, small: math.sqrt(u * u + small)),
    (
        "x*y = {small}*(1.5 - x); y = x - 2*u",
        lambda u, small: far(u - small / 2, 1.5 * small),
    ),
]
APPROACH = """model Approach
  Real s(start = 0, fixed = true), q(start = 0, fixed = true), u, x(start = {start}), y{begin};
  Real z;
equation
  der(s) = 1;
  der(q) = x - q;
  u = {a}*cos({w}*s);
  {equations};{beside}
end Approach;
"""


class Approaches(daedal.CommandTest):
    def errors(self, rtol, small, methods, beside="z = x", **options):
        """Over a family drawn at random, at each of 21 rows, in tolerances; and what was said."""
        drawn = random.Random(7)
        for equations, exact in APPROACHES:
            for _ in range(3):
                a, w, part = drawn.uniform(0.3, 2), drawn.uniform(1.5, 4), drawn.uniform(0.5, 2)
                size, start = part * small, exact(a, part * small)
                has_y = "y" in equations
                text = APPROACH.format(
                    a=a, w=w, start=start, begin=f"(start = {start - 2 * a})" if has_y else "",
                    equations=equations.format(small=size) + ("" if has_y else "; y = x"),
                    beside=f" {beside};",
                )
                for method in methods:
                    flags = {"stop": 2, "points": 21, "method": method, "rtol": rtol, **options}
                    flags = daedal.flags(flags)
                    done = daedal.run(["run", "-", *flags], text)
                    _, rows = daedal.rows(done.out)
                    off = math.inf if done.code else max(
                        abs(row["x"] - right) / (rtol * (1 + right))
                        for row in rows
                        for right in [exact(a * math.cos(w * row["time"]), size)]
                    )
                    yield off, re.search(TOLD, done.err), f"{method} {rtol} {text} {done.err}"

    def test_solutions_that_come_close_are_followed(self):
        """Also where they are closer than a tolerance."""
        methods = "auto", "bdf", "mebdf", "radau", "esdirk4"
        for rtol in 1e-3, 1e-4, 1e-6:
            for small in 1e-3, 1e-5, 1e-7:
                for off, _, what in self.errors(rtol, small, methods):
                    self.assertLess(off, 100, what)

    def test_also_beside_what_switches_and_as_given(self):
        methods = "auto", "bdf", "radau"
        switches = "z = max(0, time - 0.7) + abs(x)"
        for options in (
            {"beside": switches},
            {"beside": switches, "formulation": "direct"},
            {"formulation": "direct"},
            {"projection": "none"},
        ):
            for rtol in 1e-3, 1e-6:
                for off, _, what in self.errors(rtol, 1e-7, methods, **options):
                    self.assertLess(off, 100, what)

    def test_none_is_left_without_a_word(self):
        """Where they are so close that no step tells them apart: a run may stop there."""
        methods = "auto", "bdf", "mebdf", "radau", "rodas5p", "esdirk4"
        found = [x for rtol in (1e-3, 1e-6) for x in self.errors(rtol, 1e-10, methods)]
        for off, told, what in found:
            self.assertTrue(off < 100 or off == math.inf or told, what)
        self.assertGreater(sum(off < 100 for off, _, _ in found), 0.8 * len(found))


# Vinegar is titrated: H and OH are below the tolerance throughout, and so is the other solution, on
# which both are negative and pH has no value. In the end OH is 0.05/1.5 mol/l.
TITRATION = ["der(V) = 0.5e-3", "der(n) = 0.5e-4", "H*A = 1.75e-5*HA", "H*OH = 1e-14"]
TITRATION += ["A + HA = 0.0025/V", "H + n/V = OH + A", "pH = -log10(H)"]
VESSEL = """model Vessel
  Real V(start = 0.025, fixed = true), n(start = 0, fixed = true, nominal = 1e-3);
  Real {start};
equation
  {equations};
end Vessel;
"""
GUESSES = ["H(start = 1e-3)", "OH(start = 1e-11)", "A(start = 1e-3)", "HA(start = 0.1)", "pH"]


class Titrations(daedal.CommandTest):
    def test_whatever_the_order_of_equations(self):
        drawn = random.Random(3)
        for _ in range(12):
            text = VESSEL.format(
                start=", ".join(drawn.sample(GUESSES, 5)),
                equations=";\n  ".join(drawn.sample(TITRATION, 7)),
            )
            done = daedal.run(["run", "-", "--stop=100", "--points=2", "--rtol=1e-3"], text)
            self.assertEqual(done.code, 0, done.err + text)
            _, rows = daedal.rows(done.out)
            self.assertLess(abs(rows[-1]["pH"] - 14 - math.log10(0.05 / 1.5)), 1e-4)


# x ends as a square root at 1, or 1/x has a pole there; q switches, and has nothing to do with them.
ENDS = ["der(x) = -1/(2*x)", "der(x) = -1; z*x = 1"]
END = """model End
  Real x(start = 1, fixed = true), q{more};
equation
  {equations};
  q = {relation};
end End;
"""


class Ends(daedal.CommandTest):
    def test_runs_end_there_beside_what_switches(self):
        for equations in ENDS:
            more = ", z(start = 1)" if "z" in equations else ""
            for relation in "max(0, time - 0.22)", "if time > 0.5 then 1 else 0":
                text = END.format(equations=equations, more=more, relation=relation)
                for method in "auto", "bdf", "radau", "rodas5p":
                    for rtol in 1e-3, 1e-6:
                        flags = {"stop": 1.01, "points": 2, "method": method, "rtol": rtol}
                        done = daedal.run(["run", "-", *daedal.flags(flags)], text)
                        with self.subTest(text=text, **flags):
                            self.assertEqual(done.code, 1, done.err)
                            stopped = re.search(r"stopped at t = ([0-9.]+)", done.err)
                            self.assertAlmostEqual(float(stopped[1]), 1, delta=0.005)


# sin(a) = 0 has the solutions a = k pi. Corrections from beside the top of the sine lead to any of them.
SEVERAL = {
    "event": ("sin(x - (if time > 0.5 then {0!r} else 0)) = 0;", "x(start = 0)", "x", lambda way: way),
    "start": ("sin(der(x) - ({0!r})) = 0;", "x(start = 0.3, fixed = true)", "x", lambda way: 0.3 + way),
    "state": ("sin(x - (if y > 0.5 then {0!r} else 0)) = 0; der(y) = 1;",
              "x(start = 0), y(start = 0, fixed = true)", "x", lambda way: way),
    "rate": ("sin(der(x) - (if time > 0.5 then {0!r} else 0)) = 0;", "x(start = 0.3, fixed = true)", "x",
             lambda way: 0.3 + 0.5*way),
}  # fmt: skip


class Several(daedal.CommandTest):
    def test_the_solution_on_the_way_is_taken(self):
        """The flow of Newton's iteration leads from 0 to the solution that is less than pi/2 away."""
        for kind, (equations, declared, name, wanted) in SEVERAL.items():
            for way in -1.56, -1.5, -1.4, -1, -0.4, 0.7, 1.2, 1.35, 1.45, 1.55:
                with self.subTest(kind=kind, way=way):
                    text = f"model S Real {declared}; equation {equations.format(way)} end S;"
                    done = daedal.run(["run", "-", "--stop", 1, "--points", 2, "--quiet"], text)
                    self.assertEqual(done.code, 0, done.err)
                    self.assertAlmostEqual(daedal.rows(done.out)[1][-1][name], wanted(way), delta=1e-5)


if __name__ == "__main__":
    unittest.main()
