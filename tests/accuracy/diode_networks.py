"""Networks of the library's diodes in which an event makes what follows stiff: `auto`, which has chosen an explicit
method before it, ends like an implicit method."""
import math
import random
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


def mesh(size, seed):
    """Nodes in a square, each with a resistance to ground, and diodes or resistances between neighbours."""
    draw = random.Random(f"mesh {seed}")
    node = [[f"q{i}x{k}" for k in range(size)] for i in range(size)]
    parts = [f"Resistor {name}(R={draw.choice([100, 200, 1000])})" for row in node for name in row]
    joints = [f"{name}.n-g.p" for row in node for name in row]
    pairs = [(node[i][k], node[i + 1][k]) for i in range(size - 1) for k in range(size)]
    pairs += [(node[k][i], node[k][i + 1]) for i in range(size - 1) for k in range(size)]
    diodes = resistors = 0
    for one, other in pairs:
        if draw.random() < 0.65:
            name, diodes = f"d{diodes}", diodes + 1
            parts.append(f"IdealDiode {name}(Ron=1e-3, Goff=1e-6)")
            one, other = (one, other) if draw.random() < 0.5 else (other, one)
        else:
            name, resistors = f"r{resistors}", resistors + 1
            parts.append(f"Resistor {name}(R={draw.choice([1, 3, 10, 30])})")
        joints += [f"{name}.p-{one}.p", f"{name}.n-{other}.p"]
    for k in range(3):
        source, behind, held = (draw.choice(draw.choice(node)) for _ in range(3))
        parts += [f"SineVoltage e{k}(V={draw.choice([5, 10, 20])}, f=50, phase={draw.uniform(0, 6):.3f})",
                  f"Resistor z{k}(R={draw.choice([0.5, 1, 5])})", f"Capacitor c{k}(C=1e-4, v(start=0, fixed=true))"]  # fmt: skip
        joints += [f"e{k}.n-g.p", f"z{k}.p-e{k}.p", f"z{k}.n-{source}.p", f"c{k}.p-{held}.p", f"c{k}.n-{behind}.n"]
    return ";".join(parts), " ".join(joints)


def nodes(joints):
    """The pins of each node but those of the ground."""
    of = {}
    for one, other in (joint.split("-") for joint in joints.split()):
        together = of.get(one, {one}) | of.get(other, {other})
        of.update(dict.fromkeys(together, together))
    return {frozenset(pins) for pins in of.values() if "g.p" not in pins}


def ends(model, names, *options):
    done = daedal.run(["run", "-", "--stop=0.06", "--points=3", "--rtol=1e-8", "--quiet",
                       "--vars=" + ",".join(names), *options], model)
    if done.code != 0:
        raise AssertionError(done.err)
    return [daedal.rows(done.out)[1][-1][name] for name in names]


ANTIPARALLEL = """model Antiparallel "two ideal diodes side by side, one turned: between them they short the source"
  Real v, i{start}, s1, i1, s2, i2;
equation
  {a}*sin({w}*time + ({phase})) - v = {inductance}{r}*i;
  v = if s1 < 0 then s1 else 0; i1 = if s1 < 0 then 0 else s1;
  -v = if s2 < 0 then s2 else 0; i2 = if s2 < 0 then 0 else s2;
  i = i1 - i2{load};
end Antiparallel;
"""


def shorted(a, w, phase, r, inductance, t):
    """The current from i(0) = 0 of L*der(i) + r*i = a*sin(w*t + phase), or that of L = 0."""
    if inductance == 0:
        return a*math.sin(w*t + phase)/r
    size, lag = a/math.hypot(r, w*inductance), math.atan2(w*inductance, r)
    return size*(math.sin(w*t + phase - lag) - math.sin(phase - lag)*math.exp(-r*t/inductance))


class DiodeNetworks(unittest.TestCase):
    def test_antiparallel_ideal_diodes_short_their_source(self):
        draw = random.Random("antiparallel")
        for _ in range(3 if daedal.SANITIZED else 12):
            a, w, phase, r = (round(draw.uniform(*of), 2) for of in ((1, 20), (0.5, 5), (-3, 3), (0.1, 2)))
            for inductance in (0, round(draw.uniform(0.1, 2), 2)):
                text = ANTIPARALLEL.format(
                    a=a, w=w, phase=phase, r=r, inductance=f"{inductance}*der(i) + " if inductance else "",
                    start="(start = 0, fixed = true)" if inductance else "", load="" if inductance else " + v")
                done = daedal.run(["run", "-", "--stop=8", "--points=33", "--rtol=1e-8", "--quiet"], text)
                with self.subTest(text=text):
                    self.assertEqual(done.code, 0, done.err)
                    for row in daedal.rows(done.out)[1]:
                        i = shorted(a, w, phase, r, inductance, row["time"])
                        self.assertLess(abs(row["v"]), 1e-9)
                        self.assertLess(abs(row["i1"] - max(i, 0)) + abs(row["i2"] - max(-i, 0)), 1e-5*a/r)

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

    def test_meshes_meet_their_laws(self):
        """Of currents and potentials in all rows: those of a monotone network are unique, so no other law is needed."""
        for size, seed in ((3, 0), (4, 1), (6, 2)):
            parts, joints = mesh(size, seed)
            done = daedal.run(["run", "-", "--stop=0.02", "--points=21", "--rtol=1e-6", "--quiet"],
                              written(parts, joints))  # fmt: skip
            self.assertEqual(done.code, 0, done.err)
            for row in daedal.rows(done.out)[1]:
                for name in (f"d{k}" for k in range(parts.count("IdealDiode"))):
                    v, i = row[f"{name}.v"], row[f"{name}.i"]
                    self.assertLess(abs(i - (v/1e-3 if v > 0 else 1e-6*v)), 1e-6 + 1e-5*abs(i))
                for pins in nodes(joints):
                    flows = [row[f"{pin[:-2]}.i"]*(1 if pin.endswith(".p") else -1) for pin in pins]
                    self.assertLess(abs(sum(flows)), 1e-9*(1 + max(map(abs, flows))))


if __name__ == "__main__":
    unittest.main()
