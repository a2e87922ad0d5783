"""What components and functions of the library say outside of the range in which they hold, and what boilers start with."""
import math
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
from daedal import CommandTest, rows, run  # noqa: E402

CRITICAL = 647.096


def saturation_pressure(T):
    """IAPWS R7-97(2012), Eq. 30, in Pa."""
    n = (1167.0521452767, -724213.16703206, -17.073846940092, 12020.82470247, -3232555.0322333, 14.91510861353, -4823.2657361591,
         405113.40542057, -0.23855557567849, 650.17534844798)
    t = T + n[8] / (T - n[9])
    a, b, c = t**2 + n[0] * t + n[1], n[2] * t**2 + n[3] * t + n[4], n[5] * t**2 + n[6] * t + n[7]
    return 1e6 * (2 * c / (-b + math.sqrt(b * b - 4 * a * c))) ** 4


def boiling_density(T):
    """IAPWS SR1-86(1992), Eq. 2."""
    t = 1 - T / CRITICAL
    terms = ((1.99274064, 1), (1.09965342, 2), (-0.510839303, 5), (-1.75493479, 16), (-45.5170352, 43), (-6.7469445e5, 110))
    return 322 * (1 + sum(b * t ** (k / 3) for b, k in terms))


def steam_density(T):
    """Eq. 3."""
    t = 1 - T / CRITICAL
    terms = ((-2.0315024, 2), (-2.6830294, 4), (-5.38626492, 8), (-17.2991605, 18), (-44.7586581, 37), (-63.9201063, 71))
    return 322 * math.exp(sum(c * t ** (k / 6) for c, k in terms))


def boundary_pressure(T):
    """IAPWS R7-97(2012), Eq. 5."""
    return 1e6 * (348.05185628969 - 1.1671859879975 * T + 0.0010192970039326 * T**2)


def bisect(f, low, high):
    """The zero of a function that is negative at `low`."""
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return low


SATURATION = ("saturationPressure", "saturationSlope", "boilingDensity", "steamDensity", "saturationAlpha", "boilingEnthalpy",
              "steamEnthalpy")
OF_T_AND_P = ("liquidDensity", "liquidEnthalpy", "steamDensity", "steamEnthalpy")


def of(call, T, p="1e5", stop=1, more=""):
    """A model of a call that sees T and p, linear in time."""
    return (f"model M\nReal T = {T}, p = {p};\nReal y;\nequation\n{more}y = {call};\nannotation(experiment(StopTime = {stop}, "
            "Tolerance = 1e-8));\nend M;\n")


class Ranges(CommandTest):
    def ends(self, model, time, *words):
        """The run ends at this instant, and says so."""
        done = run(["run", "-", "--points=2", "-q"], model)
        self.assertNotEqual(done.code, 0, model)
        found = re.search(r"assertion failed at t = ([^:]*): (.*)", done.err)
        self.assertTrue(found, done.err)
        self.assertLess(abs(float(found[1]) - time), 1e-6 + 1e-6 * time, done.err)
        self.assert_says(found[2], *words)

    def notes(self, model, time=None, *words):
        """The run goes on, and notes this; time None: nothing."""
        done = run(["run", "-", "--points=2", "-q"], model)
        self.assertEqual(done.code, 0, done.err)
        found = re.search(r"assertion at t = ([^:]*): (.*)", done.err)
        self.assertEqual(found is None, time is None, done.err)
        if time is not None:
            self.assertLess(abs(float(found[1]) - time), 1e-6, done.err)
            self.assert_says(found[2], *words)

    def test_saturation_ends_at_the_critical_and_the_melting_point(self):
        for name in SATURATION:
            call = f"Daedal.Media.{name}(T)"
            self.notes(of(call, "273.15 + 373.9*time"))
            self.ends(of(call, "640 + 10*time"), 0.7096, "T = 647.09", f"in {call}", "(<stdin>:5)")
            self.ends(of(call, "280 - 10*time"), 0.695, "T = 273.05 K", f"in {call}", "(<stdin>:5)")
        call = "Daedal.Media.saturationTemperature(p)"
        self.notes(of(call, "1", "612 + 22.06e6*time"))
        self.ends(of(call, "1", "22e6 + 1e6*time"), 0.065, "p = 22065000 Pa", f"in {call}")
        self.ends(of(call, "1", "1e3 - 1e3*time"), 0.393, "p = 607 Pa", f"in {call}")

    def test_liquid_and_steam_end_with_their_regions(self):
        for name in OF_T_AND_P:
            call, liquid = f"Daedal.Water.{name}(T, p)", name.startswith("liquid")
            hottest = 623.25 if liquid else 1073.25
            high = "2e7" if liquid else "1e3"
            self.ends(of(call, f"{hottest - 10} + 20*time", high), 0.5, f"T = {hottest} K", f"in {call}", "(<stdin>:5)")
            self.ends(of(call, "283.05 - 20*time", "1e5" if liquid else "600"), 0.5, "T = 273.05 K", f"in {call}")
            self.ends(of(call, "400" if liquid else "900", "1e8 + 1e6*time"), 0.1, "p = 1.001e+08 Pa", f"in {call}")
            self.notes(of(call, "273.15 + 350*time" if liquid else "1073.15 - 600*time", "1e8 - 8e7*time" if liquid else "1e3"))
            if not liquid:
                self.ends(of(call, "500", "1e3 - 1e4*time"), 0.1, "p = ")
                edge = 1.001 * boundary_pressure(700)
                self.ends(of(call, "700", f"{edge} + 1e7*(time - 0.25)"), 0.25, "region 3", "T = 700 K", f"in {call}")
        self.ends(of("Daedal.Water.boundaryPressure(T)", "860 + 10*time"), 0.325, "T = 863.25 K")

    def test_the_wrong_phase_is_noted(self):
        for name in OF_T_AND_P:
            call, liquid = f"Daedal.Water.{name}(T, p)", name.startswith("liquid")
            edge = (0.99 if liquid else 1.01) * saturation_pressure(450)
            slope = -1e5 if liquid else 1e5
            words = ("boils at T = 450 K", "superheated liquid") if liquid else ("condenses at T = 450 K", "supercooled gas")
            self.notes(of(call, "450", f"{edge!r} + ({slope})*(time - 0.5)"), 0.5, *words, f"in {call}")
            self.notes(of(call, "450", f"{saturation_pressure(450)!r} + 0*time"))  # at saturation both are there
        both = "y = 2*(if p > Daedal.Media.saturationPressure(T) then 1/Daedal.Water.liquidDensity(T, p) else 1/Daedal.Water.steamDensity(T, p))"
        self.notes(of("0", "450", "3e6*time + 1e3", more=both.replace("y = ", "Y = ").join(("", ";\n"))).replace("Real y;", "Real y, Y;"))

    def test_a_cause_is_said_once(self):
        """Two functions with the same arguments have one note."""
        calls = "Daedal.Water.liquidDensity(T, p) + Daedal.Water.liquidEnthalpy(T, p) + Daedal.Water.liquidDensity(T, p)"
        done = run(["run", "-", "--points=2", "-q"], of(calls, "450", "5e5 + 0*time"))
        self.assertEqual(done.err.count("superheated"), 1, done.err)
        # and of many alike in one line the first ones
        loop = "model M Real T[50]; equation for i in 1:50 loop T[i] = 300 + i*time; assert(T[i] < 310, \"T is \" + String(T[i]), " \
            "AssertionLevel.warning); end for; annotation(experiment(StopTime = 100)); end M;"
        done = run(["run", "-", "--points=2", "-q"], loop)
        self.assertEqual(done.err.count("T is "), 5, done.err)
        self.assert_says(done.err, "further ones of this line are left out")

    def test_iterations_may_leave_the_range(self):
        """The solution is inside; where the iteration passes is of no account, nor is a branch that is not taken."""
        for start in (280, 640, 650, 700, 2000):
            for name, value, wanted in (("boilingDensity", 600, bisect(lambda T: 600 - boiling_density(T), 273.2, 647)),
                                        ("steamDensity", 50, bisect(lambda T: steam_density(T) - 50, 273.2, 647))):
                model = f"model M Real T(start = {start}); equation Daedal.Media.{name}(T) = {value} + 0*time; end M;"
                done = run(["run", "-", "--points=2", "-q"], model)
                self.assertEqual(done.code, 0, (start, name, done.err))
                self.assertLess(abs(rows(done.out)[1][-1]["T"] / wanted - 1), 1e-9)
        for start in (-1e5, 50, 5e7):
            done = run(["run", "-", "--points=2", "-q"], f"model M Real p(start = {start}); equation Daedal.Media.saturationTemperature(p) = 450; end M;")
            self.assertEqual(done.code, 0, (start, done.err))
            self.assertLess(abs(rows(done.out)[1][-1]["p"] / saturation_pressure(450) - 1), 1e-7)
        self.notes(of("if T < 640 then Daedal.Media.saturationPressure(T) else 0", "600 + 100*time"))
        self.notes(of("if noEvent(T < 640) then Daedal.Media.saturationPressure(T) else 0", "600 + 100*time"))

    def test_parameters_are_judged(self):
        for declarations in ("parameter Real T = 200, p = f(T);", "parameter Real T = 200; final parameter Real q = 2*f(T), p = q;",
                             "constant Real p = f(200);"):
            text = f"model M function f = Daedal.Media.saturationPressure; {declarations} Real x(start = 1, fixed = true); equation der(x) = p; end M;"
            for subcommand in ("run", "init"):
                done = run([subcommand, "-"], text)
                self.assertNotEqual(done.code, 0, declarations)
                self.assert_says(done.err, "not at T = 200 K")
            if "T = 200" in declarations:
                self.assertEqual(run(["run", "-", "--set=T=300"], text).code, 0)

    def test_a_medium_has_a_range(self):
        model = """model M import Daedal.Fluid.*;
          FixedFlow f(medium = m, m_flow = 1, T = 300 + 0); Tank t(medium = m, A = 1, level(start = 1, fixed = true), T(start = 300, fixed = true));
          Daedal.Thermal.FixedHeatFlow q(Q_flow = 1e7); Sink s; PressureLoss d(medium = m, m_flow_nominal = 1, dp_nominal = 1e4); %s
          equation connect(f.outlet, t.inlet); connect(t.outlet, d.inlet); connect(d.outlet, s.inlet); connect(q.port, t.port);
          annotation(experiment(StopTime = 100)); end M;"""
        hot = run(["run", "-", "-q", "--points=2"], model % "parameter Daedal.Media.Medium m = Daedal.Media.water;")
        self.assertEqual(hot.code, 0, hot.err)
        self.assertEqual(hot.err.count("the medium has its properties from 273.15 K to 453.15 K"), 1, hot.err)  # of three calls with t.T
        wide = "parameter Daedal.Media.Medium m = Daedal.Media.liquid(rho = 900, cp = 2000%s);"
        self.assertNotIn("its properties", run(["run", "-", "-q", "--points=2"], model % (wide % "")).err)
        self.assert_says(run(["run", "-", "-q", "--points=2"], model % (wide % ", T_max = 350")).err, "to 350 K, and is at T = 350.1")

    def test_machines_take_their_kind_of_medium(self):
        source, sink = "FixedPressure s(medium = m, p = 2e5, T = 300);", "Sink k(p = 1.9e5);"
        flow, flow_sink = "FixedFlow s(medium = m, m_flow = 1);", "FlowSink k(m_flow = 0.1);"
        turned = ("Daedal.Rotational.ConstantSpeed w(w_fixed = 1000);", "connect(w.flange, c.flange);")
        for component, liquid, remedy, ends, shaft in (
            ("Tank c(medium = m, A = 1, level(fixed = true), T(fixed = true));", True, "Volume", (flow, flow_sink), ("", "")),
            ("ExpansionVessel c(medium = m, V = 1, p_gas = 1e5, V_liquid(fixed = true), T(fixed = true));", True, "Volume", (flow, flow_sink), ("", "")),
            ("Pump c(medium = m, dp_max = 1e4, V_flow_max = 1, n = 1);", True, "Compressor", (source, sink), ("", "")),
            ("Valve c(medium = m, Av = 1e-4, opening = 1);", True, "Nozzle", (source, sink), ("", "")),
            ("Nozzle c(medium = m, A = 1e-4);", False, "Valve", (source, sink), ("", "")),
            ("Compressor c(medium = m, D = 0.1);", False, "Pump", (source, sink), turned),
            ("Turbine c(medium = m, A = 1e-4);", False, "for gases", (source, sink), turned),
        ):
            for medium in ("water", "simpleAir"):
                done = run(["run", "-", "--points=2", "--stop=0.01", "-q"], f"""model M import Daedal.Fluid.*; constant Daedal.Media.Medium m = Daedal.Media.{medium};
                  {ends[0]} {component} {ends[1]} {shaft[0]}
                  equation connect(s.outlet, c.inlet); connect(c.outlet, k.inlet); {shaft[1]} end M;""")
                right = liquid == (medium == "water")
                self.assertEqual(done.code == 0, right, (component, medium, done.err))
                if not right:
                    self.assert_says(done.err, remedy, "(in c)")

    def test_oil_that_would_cavitate_is_noted(self):
        """V/beta dp/dt = q: from 1 bar to 0 in 1e5 V/(beta q)."""
        model = """model M import Daedal.Hydraulic.*; Volume v(V = 1.4e-3, beta = 1.4e9, p(start = 1e5, fixed = true)); FixedFlow f(q = %s);
          equation connect(f.port, v.port); annotation(experiment(StopTime = 2)); end M;"""
        done = run(["run", "-", "--points=2", "-q"], model % "-1e-7")
        self.assertEqual(done.code, 0, done.err)
        found = re.search(r"assertion at t = ([^:]*): the absolute pressure is below 0.*\(in v\)", done.err)
        self.assertTrue(found and abs(float(found[1]) - 1) < 1e-6, done.err)
        self.assertNotIn("assertion", run(["run", "-", "--points=2", "-q"], model % "1e-7").err)

    def test_vessels_run_dry(self):
        model = """model M import Daedal.Fluid.*;
          %s; FixedFlow f(medium = Daedal.Media.water, m_flow = 1); FlowSink s(m_flow = 2);
          equation connect(f.outlet, v.inlet); connect(v.outlet, s.inlet); annotation(experiment(StopTime = 1e5)); end M;"""
        # 998 kg/m3 leave with 1 kg/s on balance
        self.ends(model % "Tank v(A = 2, level(start = 0.3, fixed = true), T(fixed = true))", 998 * 0.6, "the tank has run dry (in v)")
        self.ends(model % "ExpansionVessel v(V = 0.4, p_gas = 1e5, V_liquid(start = 0.2, fixed = true), T(fixed = true))", 998 * 0.2,
                  "the expansion vessel has run empty (in v)")


class Boilers(CommandTest):
    MODEL = """model M import Daedal.Fluid.*;
      Boiler b(V = 2, V_start = 0.7, C = 3e5%s); Daedal.Thermal.FixedHeatFlow q(Q_flow = 1e6);
      FixedFlow f(medium = Daedal.Media.water, m_flow = 0); FlowSink s(m_flow = 0);
      equation connect(f.outlet, b.inlet); connect(b.outlet, s.inlet); connect(q.port, b.port); annotation(experiment(StopTime = 1e4)); end M;"""

    def test_start_values_belong_to_one_state(self):
        """Mass and energy of both phases by the steam table (Wagner and Kretzschmar, 2008): v', v'', h', h'' in m3/kg and kJ/kg."""
        for celsius, p, v, v_s, h, h_s in (
            (100, 1.01418e5, 0.00104344, 1.67186, 419.10, 2675.57),
            (180, 1.00263e6, 0.00112739, 0.193842, 763.19, 2777.21),
            (280, 6.4165e6, 0.00133285, 0.0301540, 1236.67, 2779.82),
        ):
            T = celsius + 273.15
            done = run(["run", "-", "--points=2", "--stop=0.001", "-q", f"--set=b.T_start={T}"], self.MODEL % "")
            self.assertEqual(done.code, 0, done.err)
            at = rows(done.out)[1][0]
            self.assertAlmostEqual(at["b.T"], T, delta=1e-6)
            self.assertAlmostEqual(at["b.V_w"], 0.7, delta=1e-9)
            mass = 0.7 / v + 1.3 / v_s
            energy = 0.7 / v * h * 1e3 + 1.3 / v_s * h_s * 1e3 - p * 2 + 3e5 * T
            for name, wanted in (("b.p", p), ("b.m", mass), ("b.U", energy)):
                self.assertLess(abs(at[name] / wanted - 1), 3e-4, (celsius, name, at[name], wanted))
            self.assertLess(abs(at["b.m"] / (0.7 * boiling_density(T) + 1.3 * steam_density(T)) - 1), 1e-12)

    def test_cells_start_at_their_temperature_whatever_the_pressure(self):
        model = """model M import Daedal.Fluid.*; FixedFlow a(medium = Daedal.Media.water, m_flow = 1), b(medium = Daedal.Media.water, m_flow = 1);
          HeatedChannel c(medium = Daedal.Media.water, V = 0.02, n = 2, T_start = 300); Sink s, t;
          Pipe p(medium = Daedal.Media.water, L = 10, D = 0.05, n = 2, T_start = 320);
          equation connect(a.outlet, c.inlet); connect(c.outlet, s.inlet); connect(b.outlet, p.inlet); connect(p.outlet, t.inlet); end M;"""
        for bar in 1, 50, 200:
            done = run(["run", "-", "--points=2", "--stop=0.001", "-q", f"--set=s.p={bar}e5", f"--set=t.p={bar}e5"], model)
            self.assertEqual(done.code, 0, done.err)
            at = rows(done.out)[1][0]
            for name, T in (("c.T[1]", 300), ("c.T[2]", 300), ("p.T[1]", 320), ("p.T[2]", 320)):
                self.assertAlmostEqual(at[name], T, delta=1e-7)

    def test_an_end_of_one_phase_is_said(self):
        """Closed and heated: a full boiler becomes full of water, and one with little water boils dry."""
        for filling, words in ((0.9, "the boiler is full of water"), (0.2, "the boiler has boiled dry")):
            done = run(["run", "-", "--points=400", "-q"], (self.MODEL % ", T_start = 450").replace("V_start = 0.7", f"V_start = {filling}"))
            self.assertNotEqual(done.code, 0)
            self.assert_says(done.err, words, "(in b)")
            last = rows(done.out)[1][-1]
            density = last["b.m"] / 2  # the whole volume has the density of the phase that is left, at the end
            ending = bisect(lambda T: density - boiling_density(T), 273.2, 647) if filling > 0.5 else bisect(lambda T: steam_density(T) - density, 273.2, 647)
            self.assertLess(last["b.T"], ending)
            self.assertGreater(last["b.T"], ending - 20)
            self.assertTrue(0 < last["b.V_w"] < 2)
        done = run(["run", "-", "--points=400", "-q"], (self.MODEL % ", T_start = 450").replace("V_start = 0.7", "V_start = 0.72"))
        self.assert_says(done.err, "near the critical point: T = 646.596 K")


if __name__ == "__main__":
    unittest.main()
