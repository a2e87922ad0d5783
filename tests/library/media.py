"""Connectors that are joined are for one fluid, wherever the two components are that say which."""
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
from daedal import CommandTest, rows, run  # noqa: E402

# What hands a fluid on without saying which: name, declaration, inlet, outlet, and what it needs besides.
BETWEEN = (
    ("f", "FlowSensor f;", "f.inlet", "f.outlet", ""),
    ("c", "Combustor c(fuel = 0);", "c.inlet", "c.outlet", ""),
    ("m", "Mixer m; FixedFlow side(medium = {first}, m_flow = 0.1);", "m.inlet1", "m.outlet", "connect(side.outlet, m.inlet2);"),
)

# A component of another author: OWN in a model of this one.
OWN = """model Throttle "by another author, who does not say which fluid it is for"
  Daedal.Fluid.Inlet inlet;
  Daedal.Fluid.Outlet outlet;
equation
  inlet.p - outlet.p = 100*inlet.m_flow;
  inlet.m_flow + outlet.m_flow = 0;
  outlet.h = inlet.h;
  ANNOTATION
end Throttle;
"""


def line(first, second, between=(), more="", own=""):
    """A source of one medium, what hands it on, and a channel for a second one."""
    ends = ["s.outlet"] + [end for b in between for end in b[2:4]] + ["p.inlet"]
    joined = "".join(f"connect({a}, {b}); " for a, b in zip(ends[::2], ends[1::2]))
    declared = " ".join(b[1].format(first=first) for b in between)
    return (f"{own}model M\nimport Daedal.Fluid.*; import Daedal.Media.*;\nparameter Medium oil = liquid(rho = 860, cp = 1900), "
            f"thick = liquid(rho = 860, cp = 1900, mu = 0.2), copy = oil;\nFixedFlow s(medium = {first}, m_flow = 0.1, T = 300);\n"
            f"{declared} HeatedChannel p(medium = {second}, V = 0.01, n = 1, T(each start = 300, each fixed = true)); Sink k; {more}\n"
            f"equation\n{joined}{' '.join(b[4] for b in between)} connect(p.outlet, k.inlet);\nend M;\n")


def run_of(text, *options):
    return run(["run", "-", "--model=M", "--points=2", "-q", *options], text)


class Media(CommandTest):
    def test_two_fluids_on_one_way_are_refused_with_both_names(self):
        for first, second in (("water", "simpleAir"), ("simpleAir", "water"), ("oil", "water"), ("air", "simpleAir"),
                              ("oil", "liquid(rho = 860, cp = 1901)"), ("oil", "liquid(rho = 861, cp = 1900)"),
                              ("simpleAir", "idealGas(R = 287.05, cp = 1005, T_ref = 298)")):
            with self.subTest(first=first, second=second):
                found = run_of(line(first, second))
                self.assertNotEqual(found.code, 0)
                self.assert_says(found.err, "s.outlet and p.inlet", "different fluids", "medium")

    def test_what_hands_a_fluid_on_is_seen_through(self):
        draw = random.Random(3)
        for case in range(12):
            between = draw.sample(BETWEEN, draw.randint(1, len(BETWEEN)))
            with self.subTest(case=case, between=[b[0] for b in between]):
                found = run_of(line("water", "oil", between))
                self.assertNotEqual(found.code, 0)
                self.assert_says(found.err, "s.outlet and p.inlet", "different fluids")
                same = run_of(line("water", "water", between))
                self.assertEqual(same.code, 0, same.err)

    def test_one_fluid_runs_however_it_is_written(self):
        """At equal temperatures nothing changes: T stays at 300 K."""
        for first, second in (("water", "Daedal.Media.water"), ("oil", "copy"), ("oil", "liquid(rho = 860, cp = 1900)"),
                              ("oil", "thick"), ("copy", "thick"), ("simpleAir", "idealGas(R = 287.05, cp = 1005)")):
            with self.subTest(first=first, second=second):
                found = run_of(line(first, second))
                self.assertEqual(found.code, 0, found.err)
                _, values = rows(found.out)
                self.assertAlmostEqual(values[-1]["p.T[1]"], 300, delta=1e-6)

    def test_a_value_that_is_set_counts(self):
        text = line("oil", "oil")
        self.assertEqual(run_of(text).code, 0)
        self.assert_says(run_of(text, "--set=p.medium.R=1901").err, "s.outlet and p.inlet", "different fluids")
        self.assertEqual(run_of(text, "--set=oil.R=1901").code, 0)

    def test_components_that_say_nothing_are_for_any_fluid(self):
        throttle = ("t", "Throttle t;", "t.inlet", "t.outlet", "")
        silent = run_of(line("water", "oil", [throttle], own=OWN.replace("ANNOTATION", "")))
        self.assertEqual(silent.code, 0, silent.err)
        handing_on = OWN.replace("ANNOTATION", "annotation(__daedal(fluid(outlet = inlet)));")
        self.assert_says(run_of(line("water", "oil", [throttle], own=handing_on)).err, "s.outlet and p.inlet", "different fluids")
        wrong = OWN.replace("ANNOTATION", "annotation(__daedal(fluid(outflow = inlet)));")
        found = run_of(line("water", "oil", [throttle], own=wrong))
        self.assertEqual(found.code, 3)
        self.assert_says(found.err, "outflow", "connector")

    def test_both_sides_of_an_exchanger_are_told_apart(self):
        text = ("model M import Daedal.Fluid.*; import Daedal.Media.*; FixedFlow a(medium = air, m_flow = 1, T = 400), "
                "b(medium = water, m_flow = 1, T = 300); HeatExchanger x(hot_medium = air, cold_medium = water, V_hot = 0.1, V_cold "
                "= 0.1, G_hot = 10, G_cold = 10, C = 10, n = 1); Sink k[2]; equation connect(a.outlet, x.HOT); connect(b.outlet, "
                "x.COLD); connect(x.outlet_hot, k[1].inlet); connect(x.outlet_cold, k[2].inlet); end M;")
        right = run_of(text.replace("HOT", "inlet_hot").replace("COLD", "inlet_cold"))
        self.assertEqual(right.code, 0, right.err)
        turned = run_of(text.replace("HOT", "inlet_cold").replace("COLD", "inlet_hot"))
        self.assertNotEqual(turned.code, 0)
        self.assert_says(turned.err, "inlet", "different fluids")


if __name__ == "__main__":
    unittest.main()
