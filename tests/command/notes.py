"""What notes say of a run that ends: true of it, and no note where there is nothing to say."""
import unittest
from math import cos, exp, sin

from daedal import CommandTest, rows, run

IMPULSE = """model Impulse "what follows from the derivative of x"
  Real x, z, y(start = 0, fixed = true);
equation
  x = SOURCE;
  der(y) = z - y;
  z = der(x);
end Impulse;
"""

GLUCOSE = """model Glucose "insulin by which glucose follows a path: Bergman's minimal model"
  parameter Real p1 = 0.03, p2 = 0.02, p3 = 1.3e-5, n = 0.14, Gb = 81, Ib = 11;
  Real G(nominal = 100), X(nominal = 0.01), I(nominal = 10), u;
equation
  der(G) = -p1*(G - Gb) - X*G;
  der(X) = -p2*X + p3*(I - Ib);
  der(I) = -n*(I - Ib) + u;
  G = 120 - 30*sin(0.02*time + 0.1);
end Glucose;
"""

# A flyback converter that is ideal in all its parts: no step succeeds after an event.
FLYBACK = """model Flyback
  import Daedal.Electrical.*;
  ConstantVoltage V(V = 24);
  Transformer t(L1 = 1e-4, L2 = 1e-4, M = 1e-4, i1(start = 0, fixed = true));
  IdealClosingSwitch s(Ron = 0, Goff = 0);
  IdealDiode d(Ron = 0, Goff = 0);
  Capacitor c(C = 1e-4, v(start = 0, fixed = true));
  Resistor r(R = 10);
  Ground g;
  Daedal.Blocks.BooleanPulse p(width = 30, period = 1e-4);
equation
  connect(V.p, t.p1); connect(t.n1, s.p); connect(s.n, g.p); connect(V.n, g.p); connect(p.y, s.control);
  connect(t.n2, d.p); connect(d.n, c.p); connect(t.p2, g.p); connect(c.n, g.p); connect(c.p, r.p); connect(r.n, g.p);
end Flyback;
"""

# A crank moves P on a straight line: its velocity across is 0.
PEAUCELLIER = """model Peaucellier "inversor: a crank moves P on a straight line; all bars by lengths"
  parameter Real r = 0.3, L = 1, s = 0.55, mb = 0.2, mp = 1, J = 0.02;
  Real phi(start = 0.5, fixed = true), w(start = 0, fixed = true);
  Real xB(start = 0.7504), yB(start = 0.6610), xC(start = 0.9754), yC(start = -0.2204);
  Real xP(start = 1.1625), yP(start = 0.2968);
  Real vxB, vyB, vxC, vyC, vxP, vyP, SB, SC, UB, UC, WB, WC, xA, yA;
equation
  xA = r + r*cos(phi); yA = r*sin(phi);
  der(phi) = w; der(xB) = vxB; der(yB) = vyB; der(xC) = vxC; der(yC) = vyC;
  der(xP) = vxP; der(yP) = vyP;
  J*der(w) = 0.5*cos(2*time) - 0.3*w - r*sin(phi)*(UB*(xB - xA) + UC*(xC - xA))
    + r*cos(phi)*(UB*(yB - yA) + UC*(yC - yA));
  mb*der(vxB) = -SB*xB - UB*(xB - xA) - WB*(xB - xP);
  mb*der(vyB) = -SB*yB - UB*(yB - yA) - WB*(yB - yP);
  mb*der(vxC) = -SC*xC - UC*(xC - xA) - WC*(xC - xP);
  mb*der(vyC) = -SC*yC - UC*(yC - yA) - WC*(yC - yP);
  mp*der(vxP) = WB*(xB - xP) + WC*(xC - xP);
  mp*der(vyP) = WB*(yB - yP) + WC*(yC - yP);
  xB^2 + yB^2 = L^2;
  xC^2 + yC^2 = L^2;
  (xB - xA)^2 + (yB - yA)^2 = s^2;
  (xC - xA)^2 + (yC - yA)^2 = s^2;
  (xB - xP)^2 + (yB - yP)^2 = s^2;
  (xC - xP)^2 + (yC - yP)^2 = s^2;
end Peaucellier;
"""

# Between the peaks all four diodes block: exp(-va/VT) is lost beside 1, and va + vb with it.
BRIDGE = """model Bridge "of four diodes behind a transformer's resistance"
  parameter Real Is = 1e-9, VT = 0.05, C = 1e-4, R = 500, Rs = 10, G = 0;
  Real va, vb, u(start = 1, fixed = true), i1, i2, i3, i4, is;
equation
  Rs*is = 12*sin(2*3.14159265358979*50*time) - (va - vb);
  i1 = Is*(exp((va - u)/VT) - 1) + G*(va - u);
  i2 = Is*(exp(-va/VT) - 1) - G*va;
  i3 = Is*(exp((vb - u)/VT) - 1) + G*(vb - u);
  i4 = Is*(exp(-vb/VT) - 1) - G*vb;
  is + i2 = i1;
  i4 = is + i3;
  C*der(u) = i1 + i3 - u/R;
end Bridge;
"""


NERNST = """model Nernst "the potassium of a cell in mol, without nominal sizes"
  Real ni(start = 6e-16), no(start = 1e-16), ci(start = 0.6), co(start = 0.02), I;
initial equation
  ni + no = 7e-16;
equation
  der(ni) = -I;
  der(no) = I;
  ci = ni/1e-15;
  co = no/5e-15;
  0.0257*log(co/ci) = -0.08 + 0.03*sin(2*time);
end Nernst;
"""


class Notes(CommandTest):
    def said(self, text, *options):
        result = run(["run", "-", "--points=2", *options], text)
        self.assertEqual(result.code, 0, result.err)
        return result.err

    def end_of(self, text, *options):
        """The last row of a run that has nothing to say of its relations."""
        result = run(["run", "-", "--points=2", "--rtol=1e-9", "--atol=1e-9", *options], text)
        self.assertEqual(result.code, 0, result.err)
        self.assertNotIn("note", result.err)
        return rows(result.out)[1][-1]

    def assert_ends(self, source, y, *options, tolerance=1e-8):
        """Of IMPULSE with x = source."""
        with self.subTest(source, options=options):
            end = self.end_of(IMPULSE.replace("SOURCE", source), *options)
            self.assert_near(end["y"], y, tolerance)

    def test_an_impulse_is_applied(self):
        """y' = x' - y: y jumps by as much as x."""
        smooth = (cos(1) + sin(1) - exp(-1))/2
        for options in [], ["--formulation=direct"], ["--method=radau-iia3", "--step=0.07"]:
            source = "if time < 0.6 then sin(time) else sin(time) + 1.2"
            self.assert_ends(source, smooth + 1.2*exp(-0.4), *options)
            self.assert_ends("sign(time - 0.5)", 2*exp(-0.5), *options)

    def test_no_impulse_where_branches_meet(self):
        """x' is 1 until 0.5, and -1 from then on."""
        up_and_down = (1 - exp(-0.5))*exp(-0.5) - (1 - exp(-0.5))
        for options in [], ["--formulation=direct"], ["--method=radau-iia3", "--step=0.07"]:
            self.assert_ends("if time < 0.5 then time else 1 - time", up_and_down, *options)
            self.assert_ends("min(time, 1 - time)", up_and_down, *options)
            self.assert_ends("abs(time - 0.5)", -up_and_down, *options)
            self.assert_ends("sign(time - 0.5)*abs(time - 0.5)", 1 - exp(-1), *options)

    def test_a_jump_of_what_is_not_differentiated(self):
        end = self.end_of(
            "model M Real x(start = 0, fixed = true), u;\n"
            "equation u = if time < 0.6 then 0 else 1; der(x) = u; end M;"
        )
        self.assert_near(end["x"], 0.4, 1e-13)

    def test_bends_are_located(self):
        text = "model M Real q(start = 1, fixed = true); equation der(q) = SOURCE; end M;"
        for source, q in (
            ("-q*abs(q)", 0.5),
            ("max(0, 1 - q)", 1),
            ("min(0, 0.5 - q)", 0.5 + 0.5*exp(-1)),
            ("max(0, time - 0.3) - min(0.2, time)", 1 + 0.7**2/2 - 0.2**2/2 - 0.16),
            ("abs(time - 0.3)*sign(time - 0.4)", 1 - 0.3**2/2 - 0.1**2/2 + (0.7**2 - 0.1**2)/2),
        ):
            with self.subTest(source):
                self.assert_near(self.end_of(text.replace("SOURCE", source))["q"], q, 1e-9)

    def test_a_when_that_waits_from_the_start(self):
        """A heater that is on below 18: at 15 nothing has risen, at 20 and after 25 it rises."""
        heater = """model Heater Real T(start = START, fixed = true); Boolean on(start = false);
initial equation pre(on) = false;
equation der(T) = if on then 10 - 0.1*T else -0.1*T;
  when CONDITION then on = true; elsewhen T > 22 then on = false; end when;
end Heater;
"""
        said = "the condition of when T < 18 (<stdin>:4) is true at the start"
        for start, condition, waits in (
            ("15", "T < 18", True),
            ("15", "{T < 18, time > 1}", True),
            ("15", "{initial(), T < 18}", False),
            ("20", "T < 18", False),
            ("25", "T < 18", False),
        ):
            model = heater.replace("START", start).replace("CONDITION", condition)
            done = run(["run", "-", "--stop", "3"], model)
            self.assertEqual(said in done.err, waits, (start, condition, done.err))

    def test_equality_of_what_changes(self):
        """Its end is no root of the difference: it is told, and that of whole parts is followed."""
        text = ("model M Real x(start = 0.5, fixed = true), z(start = 0, fixed = true);\n"
                "equation der(x) = -1; der(z) = if CONDITION then 1 else 0; end M;")
        for condition, told in ("abs(x) == x", True), ("x <> max(0, x)", True), ("floor(x) == 0", False):
            done = run(["run", "-", "--stop", "1"], text.replace("CONDITION", condition))
            self.assertEqual("compares numbers that change between events" in done.err, told, done.err)
        self.assert_near(self.end_of(text.replace("CONDITION", "floor(x) == 0"))["z"], 0.5, 1e-12)

    def test_an_impulse_that_leads_through_a_relation_is_told(self):
        """A capacitor is closed onto another one; nothing but a counter watches the current."""
        text = ("model M Real u(start = 3, fixed = true), w(start = 0, fixed = true), i;\n"
                "Integer n(start = 0, fixed = true); Boolean closed = time >= 0.5; equation\n"
                "der(u) = -i; 2*der(w) = i; 0 = if closed then u - w else i;\n"
                "when CONDITION then n = pre(n) + 1; end when; end M;")
        for condition, told, count in ("i > 1", True, 0), ("i < -1", False, 0), ("w > 0.5", False, 1):
            done = run(["run", "-", "--stop", "1", "--points", "2"], text.replace("CONDITION", condition))
            self.assertEqual("an impulse leads through the surface of the relation" in done.err, told, done.err)
            self.assertEqual(rows(done.out)[1][-1]["n"], count, condition)

    def test_fixed_steps_end_at_events(self):
        text = ("model M Real q(start = 1, fixed = true);\n"
                "equation der(q) = if time < 0.5 then 1 else 0; end M;")
        self.assert_near(self.end_of(text, "--step=0.07")["q"], 1.5, 1e-13)

    def test_a_corner_of_what_is_differentiated_twice(self):
        """The velocity jumps by as much as the slope; what integrates the acceleration, too."""
        text = """model M Real x, v, a, w(start = 0, fixed = true);
equation x = SOURCE; v = der(x); a = der(v); der(w) = a; end M;"""
        for source, v, w in (
            ("abs(time - 0.6)", 1, 2),
            ("if time < 0.6 then 0.6 - time else 2*time - 1.2", 2, 3),
            ("max(time - 0.6, 0)", 1, 1),
            ("abs(time - 0.6)*(time - 0.6)", 0.8, 0.8 - 1.2),
        ):
            with self.subTest(source):
                end = self.end_of(text.replace("SOURCE", source))
                self.assert_near(end["v"], v, 1e-9)
                self.assert_near(end["w"], w, 1e-9)

    def test_what_cancels_is_no_small_variable(self):
        """The current of a ground is the rounding of the others; a leakage that is there is told."""
        said = self.said("""model G import Daedal.Electrical.*; SineVoltage s(V = 12, f = 50); Resistor r(R = 3); Inductor l(L = 1e9);
          Inductor i(L = 0.1); Capacitor c(C = 1e-3); Ground g;
        equation connect(s.p, r.p); connect(r.n, i.p); connect(i.n, c.p); connect(c.n, g.p); connect(s.n, g.p);
          connect(l.p, c.p); connect(l.n, g.p); end G;""", "--stop=0.1", "--points=2")
        self.assertNotIn("g.p.i", said)
        self.assertIn("below the absolute tolerance", said)

    def test_amounts_that_begin_tiny_are_no_dust(self):
        said = self.said(NERNST, "--stop=6", "--points=2")
        self.assertIn("ni, no stay below the absolute tolerance", said)

    def test_what_is_small_in_one_mode_alone_is_not_small(self):
        """Below its root the current is 0 but for round-off; there alone it is an unknown."""
        text = """model Charger
  Real i, s, v(start = 0, fixed = true), u = 3*sin(20*time);
equation
  u - v - 0.1*i = if s > 0 then 0 else s;
  i = if s > 0 then s else 0;
  der(v) = 4*i - v;
end Charger;"""
        found = run(["run", "-", "--stop=2", "--points=2"], text)
        self.assertEqual(found.code, 0, found.err)
        self.assertNotIn("stays below", found.err)

    def test_what_is_called_a_velocity_is_measured_by_itself(self):
        self.assertNotIn("stays below", self.said(GLUCOSE, "--stop=200", "--rtol=1e-3"))

    def test_rods_of_a_chain_do_not_come_to_depend_on_each_other(self):
        """Pivots of sparse factors are small where the chain turns; its rods stay independent."""
        rod = "(x[i] - (if i > 1 then x[i-1] else 0))^2 + (y[i] - (if i > 1 then y[i-1] else 0))^2"
        pulls = (
            "-T[i]*({0}[i] - (if i > 1 then {0}[i-1] else 0))"
            " + (if i < n then T[i+1]*({0}[i+1] - {0}[i]) else 0)"
        )
        chain = (
            "model C parameter Integer n = 3; Real x[n](start = {0.5*i for i in 1:n}), u[n], T[n],"
            " y[n](each start = 0, each fixed = true), v[n](each start = 0, each fixed = true);"
            " equation for i in 1:n loop der(x[i]) = u[i]; der(y[i]) = v[i];"
            f" der(u[i]) = {pulls.format('x')}; der(v[i]) = {pulls.format('y')} - 9.81;"
            f" {rod} = 0.25; end for; end C;"
        )
        for n in 3, 4, 5, 6, 8, 12:
            found = run(["run", "-", f"--set=n={n}", "--stop=1.5", "--points=2"], chain)
            self.assertEqual(found.code, 0, found.err)
            self.assertNotIn("depend on each other", found.err, n)

    def test_what_a_constraint_holds_at_0_is_no_small_variable(self):
        said = self.said(PEAUCELLIER, "--stop=5", "--rtol=1e-7")
        self.assertNotIn("stays below", said)

    def test_a_jump_is_no_matter_of_constraints(self):
        text = """model Jump Real x, v, f;
equation
  der(x) = v; der(v) = f - x;
  x = if time < 0.7832 then 0.516*time^2 else 0.516*time^2 - 0.621*(time - 0.7832)^2;
end Jump;"""
        result = run(["run", "-", "--method=radau", "--rtol=1.2e-5", "--points=2"], text)
        self.assertNotIn("constraints come to depend", result.err)

    def test_steps_that_fail_behind_an_event_want_a_resistance(self):
        """What the message names lets the model run."""
        result = run(["run", "-", "--stop=5e-4", "--points=2"], FLYBACK)
        self.assertNotEqual(result.code, 0)
        self.assert_says(result.err, "follows at once on the event", "a small resistance")
        self.said(FLYBACK.replace("Ron = 0", "Ron = 1e-3", 1), "--stop=5e-4")

    def test_what_the_equations_do_not_determine_is_named(self):
        """Whether that stops the run or not, rows do not stop it earlier."""
        for rtol in "1e-4", "1e-5", "1e-6":
            for points in 21, 333:
                result = run(["run", "-", "--stop=0.045", f"--rtol={rtol}", f"--points={points}"],
                             BRIDGE)
                with self.subTest(rtol=rtol, points=points, said=result.err):
                    self.assertNotIn("no finite value there", result.err)
                    self.assertNotIn("brought back", result.err)
                    if result.code != 0:
                        self.assert_says(result.err, "no longer determine va and vb", "leak")
        said = self.said(BRIDGE.replace("G = 0", "G = 1e-8"), "--stop=0.045")
        self.assertNotIn("note", said)


if __name__ == "__main__":
    unittest.main()
