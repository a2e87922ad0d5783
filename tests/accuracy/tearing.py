"""Equal results whatever is taken out of the equations, and however they are solved.

By default explicit variables and those of balances are taken out, so that of a loop of equations
only some unknowns remain; `--formulation direct` solves for all of them. A small coupled system has
dense matrices, forty beside each other have sparse ones."""

import math
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import daedal  # noqa: E402

SYSTEMS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "library"
RTOL, EQUAL = 1e-8, 1e-5
COPIES, SIZE = 40, 5


def rows_of(model, *options):
    """The rows of a run, and its statistics. They are no multiples of half a period of 50 Hz: sizes are seen in them."""
    done = daedal.run(["run", "-", "--points=8", f"--rtol={RTOL}", "--stats", "-q", *options], model)
    assert done.code == 0, f"{done.err}\n{model}"
    return daedal.rows(done.out)[1], daedal.last_object(done.err)


def solved_and_unknowns(model):
    found = daedal.last_object(daedal.run(["check", "-", "--json"], model).out)
    return found["solved"], found["unknowns"]


def worst(rows, others, prefix="", other_prefix=""):
    """The largest difference of a variable, relative to its largest value, and its name."""
    found = (0, "")
    for name in rows[0]:
        if name == "time" or not name.startswith(prefix):
            continue
        size = max(max(abs(row[name]) for row in rows), 1e-3)
        other = other_prefix + name[len(prefix):]
        for row, its in zip(rows, others):
            found = max(found, (abs(row[name] - its[other]) / size, name))
    return found


def network(draw):
    """A model of nodes in a ring with chords and a ground: resistors, inductors and diodes between
    them, a source and a capacitor."""
    nodes = draw.randint(3, 6)
    ends = [(k, (k + 1) % nodes) for k in range(nodes)]
    ends += [tuple(draw.sample(range(nodes), 2)) for _ in range(draw.randint(1, 3))]
    declared, connected = ["Ground g;"], []
    first = {}

    def join(node, pin):
        if node in first:
            connected.append(f"connect({first[node]}, {pin});")
        first.setdefault(node, pin)

    join(0, "g.p")
    for k, (a, b) in enumerate(ends):
        name = f"e{k}"
        kind = draw.random()
        size = draw.uniform(0.5, 2)
        if kind < 0.15 and k > 0:
            declared.append(f"Inductor {name}(L = {0.1*size:.4g}, i(start = 0, fixed = true));")
        elif kind < 0.3:
            declared.append(f"Diode {name}; Resistor {name}r(R = {size:.4g});")
            connected.append(f"connect({name}.n, {name}r.p);")
            join(a, f"{name}.p")
            join(b, f"{name}r.n")
            continue
        else:
            declared.append(f"Resistor {name}(R = {size:.4g});")
        join(a, f"{name}.p")
        join(b, f"{name}.n")
    for k, node in enumerate(draw.sample(range(1, nodes), 2)):
        if k == 0:
            declared.append(f"SineVoltage s(V = {draw.uniform(1, 3):.4g}, f = 1); "
                            "Resistor sr(R = 0.3);")
            connected.append("connect(s.p, sr.p); connect(s.n, g.p);")
            join(node, "sr.n")
        else:
            declared.append(f"Capacitor c(C = {draw.uniform(0.05, 0.2):.4g}, "
                            "v(start = 0.2, fixed = true));")
            connected.append("connect(c.n, g.p);")
            join(node, "c.p")
    text = "model M import Daedal.Electrical.*;\n" + "".join(f"  {line}\n" for line in declared)
    return text + "equation\n" + "".join(f"  {line}\n" for line in connected) + "end M;\n"


def coupled(seed, copies):
    """States of which each acts on each, with as many algebraic unknowns; beside each other."""
    declared = equations = ""
    for k in range(copies):
        draw = random.Random(f"coupled {seed}")
        x, y = f"x{k}_", f"y{k}_"
        for i in range(SIZE):
            declared += f"  Real {x}{i}(start = {draw.uniform(-1, 1):.4g}, fixed = true), {y}{i};\n"
            terms = " + ".join(f"({draw.uniform(-1, 1):.4g})*sin({y}{j})" for j in range(SIZE))
            equations += f"  der({x}{i}) = {terms} - {x}{i};\n"
            terms = " + ".join(f"({draw.uniform(-0.1, 0.1):.4g})*{y}{j}^2" for j in range(SIZE))
            equations += f"  {y}{i} + {y}{i}^3 = {terms} + {x}{i};\n"
    return f"model M\n{declared}equation\n{equations}end M;\n"


class Equal(unittest.TestCase):
    def assert_equal(self, found, said=""):
        self.assertLess(found[0], EQUAL, f"{found[1]}\n{said}")

    def test_systems_of_the_library(self):
        """Those of index 3 are left out: as they are given their errors are not controlled."""
        for name in "building", "two_tanks", "servo_cylinder", "hydrostatic_drive", "power_supply":
            with self.subTest(name):
                text = (SYSTEMS / f"{name}.mo").read_text(encoding="utf-8")
                solved, unknowns = solved_and_unknowns(text)
                self.assertLess(3*solved, unknowns)
                self.assert_equal(worst(rows_of(text)[0], rows_of(text, "--formulation=direct")[0]))

    def test_drawn_networks(self):
        for seed in range(25):
            with self.subTest(seed=seed):
                text = network(random.Random(f"network {seed}"))
                solved, unknowns = solved_and_unknowns(text)
                self.assertLess(3*solved, unknowns)
                rows = rows_of(text)[0]
                self.assert_equal(worst(rows, rows_of(text, "--formulation=direct")[0]), text)

    def test_what_check_says_does_not_depend_on_the_writing(self):
        """Two capacitors side by side, whose structure hides that they are one."""
        for voltage in "v8 = a - b;", "a - b - v8 = 0;", "v8 + b = a;":
            for balances in ("-i7 + i8 + a = 0; i7 - i8 + b = sin(time);", "i7 = i8 + a; i8 = i7 + b - sin(time);",
                             "i7 - i8 = a; i8 - i7 = b - sin(time);",
                             "i7 + j = a; j + i8 = 0; i8 - i7 = b - sin(time);"):
                names = "v7(start = 1), v8, i7, i8, a, b" + (", j" if "j" in balances else "")
                text = (f"model M Real {names}; equation der(v7) = i7; 2*der(v8) = i8; v7 = b - a; "
                        f"{voltage} {balances} end M;")
                with self.subTest(voltage=voltage, balances=balances):
                    found = daedal.last_object(daedal.run(["check", "-", "--json"], text).out)
                    self.assertEqual((found["index"], found["degrees_of_freedom"], len(found["hidden_constraints"])),
                                     (2, 1, 1))
                    # v8 = -v7, so that 6 v7' + v7 = sin(time)
                    last = rows_of(text)[0][-1]
                    t = last["time"]
                    wanted = (43*math.exp(-t/6) + math.sin(t) - 6*math.cos(t))/37
                    self.assertAlmostEqual(last["v7"], wanted, delta=EQUAL)

    def test_balances_with_discrete_variables(self):
        """An event seeks a discrete variable together with those of the balance."""
        for balances in "a - b = d; a + b + d = x;", "d - a + b = 0; 2*a + 2*b = 2*x - 2*d;":
            text = ("model M Real a, b, x(start = 1, fixed = true); discrete Real d(start = 0); "
                    f"equation {balances} der(x) = -x; "
                    "when time > 0.1 then d = 2*a; end when; end M;")
            for formulation in "auto", "direct":
                with self.subTest(balances=balances, formulation=formulation):
                    last = rows_of(text, f"--formulation={formulation}")[0][-1]
                    d = math.exp(-0.1)  # as a = x/2
                    self.assertAlmostEqual(last["d"], d, delta=EQUAL)
                    self.assertAlmostEqual(last["b"], last["a"] - d, delta=EQUAL)

    def test_dense_and_sparse_matrices(self):
        for seed in range(6):
            with self.subTest(seed=seed):
                rows, alone = rows_of(coupled(seed, 1))
                others, together = rows_of(coupled(seed, COPIES))
                self.assertEqual((alone["linear_solver"], together["linear_solver"]),
                                 ("lapack", "klu"))
                for k in 0, COPIES - 1:
                    self.assert_equal(worst(rows, others, "x0_", f"x{k}_"))
                    self.assert_equal(worst(rows, others, "y0_", f"y{k}_"))


if __name__ == "__main__":
    unittest.main()
