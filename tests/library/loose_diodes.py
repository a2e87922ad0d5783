"""A diode that blocks beside capacitors in parallel is located by the polynomial of a step, since errors of the states
make more of its voltage. Where these show it on its old side still, 1/Ron times that is its current: BDF stopped there,
with events that accumulate, and Radau IIA did not."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
from daedal import CommandTest, run  # noqa: E402

MODEL = """model R
 import Daedal.Electrical.*;
 Ground g;
 SineVoltage s1(V=10,f=50,phase=1.5);
 Capacitor c1(C=0.001,v(start=0));
 Inductor l2(L=0.1,i(start=0));
 IdealDiode d4(Ron=1e-2,Goff=1e-4);
 Capacitor c5(C=0.0001,v(start=0));
 IdealDiode d9(Ron=1e-2,Goff=1e-4);
 Capacitor c10(C=0.001,v(start=0));
equation
 connect(s1.p,c1.n);
 connect(s1.p,c10.p);
 connect(s1.n,c5.p);
 connect(s1.n,g.p);
 connect(c1.p,d4.p);
 connect(c1.p,d9.n);
 connect(c1.p,c10.n);
 connect(l2.p,d4.n);
 connect(l2.p,c5.n);
 connect(l2.n,d9.p);
end R;
"""

TAKEN_OVER = """model T
 import Daedal.Electrical.*;
 SineVoltage s(V = 10, f = 50); Ground g; IdealDiode d1(Ron = 0, Goff = 0), d2(Ron = 0, Goff = 0), w(Ron = 0, Goff = 0);
 Resistor m(R = 1000), r(R = 1); Inductor l(L = 0.02, i(start = 0, fixed = true));
equation
 connect(s.n, g.p); connect(s.p, d1.p); connect(d1.n, d2.p); connect(m.p, d1.n); connect(m.n, g.p);
 connect(d2.n, l.p); connect(l.n, r.p); connect(r.n, g.p); connect(w.p, g.p); connect(w.n, l.p);
end T;
"""

CLAMPED = """model C
 import Daedal.Electrical.*;
 SineVoltage s(V = 20, f = 100, phase = 1.1); Resistor r1(R = 0.5), r4(R = 1), rl(R = 300), rn(R = 1000); Ground g;
 Inductor l(L = 1e-3, i(start = 0)); Capacitor c(C = 1e-4, v(start = 0));
 IdealDiode d5(Ron = 0, Goff = 1e-9), d7(Ron = 0, Goff = 0), d8(Ron = 0, Goff = 0);
equation
 connect(s.n, g.p); connect(s.p, r1.p); connect(l.p, r1.n); connect(l.n, d5.p); connect(d5.n, r1.n);
 connect(c.p, l.n); connect(r4.p, l.n); connect(r4.n, c.n); connect(c.n, rn.p); connect(rn.n, g.p); connect(rl.p, l.n);
 connect(rl.n, g.p); connect(d7.p, r1.n); connect(d7.n, c.n); connect(d8.p, c.n); connect(d8.n, r1.n);
end C;
"""

SHORTED = """model S
 import Daedal.Electrical.*; import Daedal.Blocks.*;
 Ground g; SineVoltage s(V = 20, f = 50, phase = 0.3); Resistor r5(R = 1000);
 IdealClosingSwitch w(Ron = 0, Goff = 0); BooleanPulse p(period = 0.007, width = 70, startTime = 0.003);
 IdealDiode d3(Ron = 0, Goff = 0), d4(Ron = 0, Goff = 0);
equation
 connect(s.n, g.p); connect(w.p, s.p); connect(d3.p, g.p); connect(d3.n, s.p); connect(d4.p, g.p);
 connect(d4.n, w.n); connect(r5.p, w.n); connect(r5.n, g.p); connect(p.y, w.control);
end S;
"""


class LooseDiodes(CommandTest):
    def ends(self, *options):
        found = run(["run", "--stop", "0.05", "--points", "2", "--vars", "c1.v,c5.v,l2.i", *options, "-"], MODEL)
        self.assertEqual(found.code, 0, found.err)
        return list(map(float, found.out.split()[-1].split(",")[1:]))

    def test_all_methods_agree(self):
        exact = self.ends("--method", "radau-iia5", "--rtol", "1e-9")
        for method, rtol in [("bdf", 1e-4), ("bdf", 1e-6), ("mebdf", 1e-6), ("radau", 1e-6)]:
            with self.subTest(method=method, rtol=rtol):
                for is_, was in zip(self.ends("--method", method, "--rtol", rtol), exact):
                    self.assertAlmostEqual(is_, was, delta=50*rtol*max(1, abs(was)))

    def test_two_in_series_take_over(self):
        """Where a source rises through 0, they conduct at once, and the freewheeling diode blocks. All other modes of
        the three are solutions at that instant, too, and end with it."""
        found = run(["run", "--stop", "0.06", "--points", "3", "--vars", "l.i", "-"], TAKEN_OVER)
        self.assertEqual(found.code, 0, found.err)
        for line, exact in zip(found.out.split()[2:], (3.41109, 2.27363)):
            self.assertAlmostEqual(float(line.split(",")[1]), exact, delta=2e-5)

    def test_a_current_ends_beside_two_antiparallel(self):
        """That one of these blocks is tried after the event, and leaves the modes that it has found as they are."""
        found = run(["run", "--stop", "0.0105", "--points", "2", "--vars", "l.i", "-"], CLAMPED)
        self.assertEqual(found.code, 0, found.err)

    def test_one_that_closes_a_loop_of_sources(self):
        found = run(["run", "--stop", "0.02", "-"], SHORTED)
        self.assertEqual(found.code, 1)
        self.assertIn("no modes in which the solution goes on were found", found.err)
        self.assertIn("closes a loop of sources", found.err)
        self.assertNotIn("comes to rest", found.err)


if __name__ == "__main__":
    unittest.main()
