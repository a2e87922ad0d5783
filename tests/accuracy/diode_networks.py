"""Networks of the library's diodes in which an event makes what follows stiff: `auto`, which has chosen an explicit
method before it, ends like an implicit method."""
import unittest

from simulation import daedal

NETWORKS = [
    (("e13.i", "e14.i", "e15.v"), """
  SineVoltage e1(V=100,f=50); Resistor e2(R=0.1); Resistor e3(R=1); IdealDiode e4; Resistor e5(R=1000);
  Capacitor e6(C=0.001,v(start=0,fixed=true)); Resistor e7(R=1); IdealDiode e8;
  SineVoltage e9(V=1,f=50,phase=2.0944); Resistor e10(R=1); SineVoltage e11(V=100,f=50,phase=4.18879);
  Resistor e12(R=0.1); Inductor e13(L=0.01,i(start=0,fixed=true)); Inductor e14(L=0.001,i(start=0,fixed=true));
  Capacitor e15(C=0.001,v(start=0,fixed=true)); Inductor e16(L=0.1,i(start=0,fixed=true));
""", """
  e1.n-g.p e2.p-e1.p e3.n-e2.n e4.n-e2.n e5.n-e4.p e6.n-g.p e7.n-e4.p e8.p-g.p e8.n-e2.n e9.p-e6.p e10.p-e9.n
  e10.n-e4.p e11.p-e2.n e12.p-e11.n e12.n-e4.p e13.p-e5.p e13.n-e2.n e14.p-e3.p e14.n-g.p e15.p-e5.p e15.n-e3.p
  e16.p-e6.p e16.n-e7.p
"""),
    (("e3.i", "e6.v", "e13.v"), """
  SineVoltage e1(V=100,f=50); Resistor e2(R=1); Inductor e3(L=0.01,i(start=0,fixed=true)); Resistor e4(R=1);
  IdealDiode e5; Capacitor e6(C=0.0001,v(start=0,fixed=true)); Resistor e7(R=10);
  SineVoltage e8(V=10,f=50,phase=4.18879); Resistor e9(R=0.1); IdealDiode e10; SineVoltage e11(V=1,f=50,phase=0);
  Resistor e12(R=1); Capacitor e13(C=0.0001,v(start=0,fixed=true)); IdealDiode e14; IdealDiode e15; IdealDiode e16;
  Resistor e17(R=1);
""", """
  e1.n-g.p e2.p-e1.p e3.n-g.p e4.n-e3.p e5.n-g.p e6.n-e3.p e7.n-e3.p e8.p-e2.n e9.p-e8.n e9.n-e5.p e10.p-g.p
  e10.n-e6.p e11.p-g.p e12.p-e11.n e12.n-e3.p e13.p-e3.p e13.n-e4.p e14.p-e3.p e14.n-g.p e15.p-e5.p e15.n-e3.p
  e16.p-e2.n e16.n-e6.p e17.p-e3.p e17.n-e2.n
"""),
]


def written(parts, joints):
    declared = "".join(f"  Daedal.Electrical.{part.strip()};\n" for part in parts.split(";") if part.strip())
    joined = "".join(f"  connect({one}, {other});\n" for one, other in (j.split("-") for j in joints.split()))
    return f"model N\n  Daedal.Electrical.Ground g;\n{declared}equation\n{joined}end N;\n"


def multiplier(stages):
    """A voltage multiplier (J. Cockcroft & E. Walton, Proc. R. Soc. A 136 (1932) 619), unloaded but for 1e5 Ohm."""
    parts = "SineVoltage e(V=10, f=50); Resistor rs(R=1); Resistor l(R=1e5);"
    joints, pumped, smooth = "e.n-g.p rs.p-e.p l.n-g.p", "rs.n", "g.p"
    for k in range(1, stages + 1):
        parts += (f" Capacitor ca{k}(C=1e-5, v(start=0, fixed=true)); Capacitor cb{k}(C=1e-5, v(start=0, fixed=true));"
                  f" IdealDiode da{k}(Ron=1e-3, Goff=1e-9); IdealDiode db{k}(Ron=1e-3, Goff=1e-9);")  # fmt: skip
        joints += (f" ca{k}.p-{pumped} da{k}.p-{smooth} da{k}.n-ca{k}.n db{k}.p-ca{k}.n cb{k}.p-db{k}.n"
                   f" cb{k}.n-{smooth}")  # fmt: skip
        pumped, smooth = f"ca{k}.n", f"cb{k}.p"
    return written(parts, joints + f" l.p-{smooth}")


def values(model, names, rtol):
    done = daedal.run(["run", "-", "--stop=0.03", "--points=2", f"--rtol={rtol}", "--quiet",
                       "--vars=" + ",".join(names)], model)  # fmt: skip
    if done.code != 0:
        raise AssertionError(done.err)
    return [daedal.rows(done.out)[1][-1][name] for name in names]


def ends(model, names, *options):
    done = daedal.run(["run", "-", "--stop=0.06", "--points=3", "--rtol=1e-8", "--quiet",
                       "--vars=" + ",".join(names), *options], model)
    if done.code != 0:
        raise AssertionError(done.err)
    return [daedal.rows(done.out)[1][-1][name] for name in names]


class DiodeNetworks(unittest.TestCase):
    def test_auto_ends_like_an_implicit_method(self):
        for names, *parts in NETWORKS:
            model = written(*parts)
            for is_, wanted in zip(ends(model, names), ends(model, names, "--method", "radau-iia5"), strict=True):
                self.assertLess(abs(is_ - wanted), 1e-6 * (1 + abs(wanted)))

    def test_parallel_diodes_are_as_one(self):
        """Ideal ones: while all block they have one voltage, and still each has a mode of its own."""
        for load in ("Resistor l(R=100)", "Capacitor l(C=0.001, v(start=0, fixed=true))"):
            results = []
            for count in (1, 2, 3):
                parts = f"SineVoltage e(V=10, f=50); Resistor r(R=1); {load}; Resistor m(R=200);"
                joints = "e.n-g.p r.p-e.p l.n-g.p m.p-l.p m.n-g.p"
                for k in range(count):
                    parts += f" IdealDiode d{k}(Ron=0, Goff=0);"
                    joints += f" d{k}.p-r.n d{k}.n-l.p"
                done = daedal.run(["run", "-", "--stop=0.06", "--points=31", "--rtol=1e-8", "--quiet",
                                   "--vars=l.v,e.i"], written(parts, joints))  # fmt: skip
                self.assertEqual(done.code, 0, done.err)
                results.append(daedal.rows(done.out)[1])
            for other in results[1:]:
                for one, row in zip(results[0], other, strict=True):
                    for name in ("l.v", "e.i"):
                        self.assertLess(abs(one[name] - row[name]), 1e-5)

    def test_multipliers_do_not_chatter(self):
        """Of a diode of 1e-3 Ohm between two capacitors, errors of 1e-6 V make 1e-3 A. Tolerances of 1e-10 tell."""
        for stages in (3, 5, 10):
            model = multiplier(stages)
            names = [f"cb{k}.v" for k in range(1, stages + 1)]
            loose, tight = (values(model, names, rtol) for rtol in ("1e-6", "1e-10"))
            for one, other in zip(loose, tight, strict=True):
                self.assertLess(abs(one - other), 1e-3)


if __name__ == "__main__":
    unittest.main()
