"""Cells that nothing links end as each of them does alone, however many switch at one instant.

A cell is drawn of one of CELLS. Some models hold equal cells, so that all relations of one kind are
crossed together; others hold different ones, all of them at once. Each variable of the model has to
end where it ends in the cell alone, up to errors of the steps: nothing that a search for modes tries
in one cell may change another one.

Without arguments, some are tested. `cells.py --seed 7 --count 100` judges so many models and prints
those that differ."""

import argparse
import pathlib
import random
import sys
import unittest
from math import sin

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import daedal  # noqa: E402

STOP, RTOL = 1, 1e-8
SEEDS, CHAINS = daedal.of_grid((range(10), range(4)), (range(0, 10, 3), range(2)), (range(0, 15, 4), range(2)))
NEAR = 1e-4


def between(draw, low, high):
    return f"{draw.uniform(low, high):.3f}"


def slider(draw):
    """Slides along x = s until the force that leads to it gives way."""
    s, a = between(draw, -0.2, 0.2), between(draw, 0.8, 2)
    x = ["Real x(start = 0.3, fixed = true);"]
    return x, [f"der(x) = (if x > {s} then -{a} else {a}) + {between(draw, 1.2, 2.6)}*time^2;"], ["x"]


def two_relays(draw):
    """Slides along two surfaces, one after the other."""
    declared = ["Real x(start = 0.4, fixed = true), y(start = -0.5, fixed = true);"]
    return declared, [f"der(x) = y - {between(draw, 1, 2)}*(if x > 0 then 1 else -1);",
                      f"der(y) = 0.3*x + {between(draw, 1, 2)}*(if y > 0.1 then -1 else 1);"], ["x", "y"]  # fmt: skip


def half_wave(draw):
    ron = draw.choice(["1e-3", "0.01", "0"])
    return (["Real v(start = 0, fixed = true), u, i, s; Boolean off;"],
            ["off = s < 0;", f"u = if off then s else {ron}*s;", "i = if off then 1e-6*s else s;",
             f"u = {between(draw, 2, 9)}*sin(20*time + {between(draw, 0, 3)}) - v - 0.1*i;",
             f"{between(draw, 0.1, 0.9)}*der(v) = i - v;"], ["v"])  # fmt: skip


def components(parts, joints):
    declared = ["Daedal.Electrical.Ground g;", *(f"Daedal.Electrical.{part};" for part in parts)]
    return declared, [f"connect({one}, {other});" for one, other in (j.split("-") for j in joints.split())]


def bridge(draw):
    """Blocks as a whole, so that conductances of 1e-5 S alone give potentials."""
    return (*components([f"SineVoltage e(V={between(draw, 5, 20)}, f={between(draw, 2, 4)})", "Resistor r(R=1)",
                         "IdealDiode d[4]", "Capacitor c(C=0.02, v(start=0, fixed=true))",
                         f"Resistor l(R={between(draw, 20, 90)})"],
                        "e.p-r.p r.n-d[1].p d[1].n-c.p e.n-d[2].p d[2].n-c.p c.n-d[3].p d[3].n-r.n c.n-d[4].p "
                        "d[4].n-e.n c.n-g.p l.p-c.p l.n-g.p"), ["c.v"])  # fmt: skip


def chopper(draw):
    """What a switch interrupts at times that are known goes on through a diode."""
    parts = components([f"ConstantVoltage e(V={between(draw, 5, 20)})", "IdealClosingSwitch s(Ron=1e-3, Goff=1e-6)",
                        "IdealDiode d(Ron=1e-3, Goff=1e-6)", f"Inductor z(L={between(draw, 0.1, 0.4)}, "
                        "i(start=0, fixed=true))", f"Resistor l(R={between(draw, 1, 5)})"],
                       "e.n-g.p s.p-e.p d.n-s.n d.p-g.p z.p-s.n l.p-z.n l.n-g.p")  # fmt: skip
    parts[1].append("s.control = mod(time, 0.25) < 0.15;")
    return (*parts, ["z.i"])


def ball(draw):
    """An odd number of bounces is no rest."""
    return ([f"Real h(start = {between(draw, 0.4, 1)}, fixed = true), v(start = 0, fixed = true);"],
            ["der(h) = v;", "der(v) = -9.81;", f"when h < 0 then reinit(v, -{between(draw, 0.7, 0.9)}*pre(v)); end when;"],
            ["h"])  # fmt: skip


def thermostat(draw):
    return ([f"Real T(start = {between(draw, 18, 22)}, fixed = true); Boolean on(start = true, fixed = true);"],
            ["on = T < 19.5 or pre(on) and T < 20.5;",
             f"der(T) = (if on then {between(draw, 9, 16)} else 0) - {between(draw, 0.1, 0.3)}*(T - 5);"],
            ["T"])  # fmt: skip


CELLS = (slider, two_relays, half_wave, bridge, chopper, ball, thermostat)


def cell_text(name, cell):
    declared, equations, _ = cell
    lines = "".join(f"  {line}\n" for line in declared) + "equation\n" + "".join(f"  {line}\n" for line in equations)
    return f"model {name}\n{lines}end {name};\n"


def ends(text, names):
    done = daedal.run(["run", "-", f"--stop={STOP}", "--points=2", f"--rtol={RTOL}", "--quiet",
                       "--model=M", "--vars=" + ",".join(names)], text)  # fmt: skip
    if done.code != 0:
        raise AssertionError(done.err)
    return daedal.rows(done.out)[1][-1]


def alone(cell):
    found = ends(cell_text("C", cell) + "model M\n  C c;\nend M;\n", [f"c.{name}" for name in cell[2]])
    return [found[f"c.{name}"] for name in cell[2]]


def difference(seed):
    """What differs; '' if nothing does."""
    draw = random.Random(f"cells {seed}")
    if seed % 3 < 2:
        cells, count = [CELLS[seed % len(CELLS)](draw)], draw.choice([2, 7, 30])
    else:
        cells, count = [kind(draw) for kind in CELLS], 1
    declared = "".join(f"  C{k} c{k}[{count}];\n" for k in range(len(cells)))
    text = "".join(cell_text(f"C{k}", cell) for k, cell in enumerate(cells)) + f"model M\n{declared}end M;\n"
    names = [[f"c{k}[{i + 1}].{name}" for name in cell[2] for i in range(count)] for k, cell in enumerate(cells)]
    try:
        wanted = [alone(cell) for cell in cells]
    except AssertionError as failed:
        return f"alone: {failed}"
    try:
        found = ends(text, sum(names, []))
    except AssertionError as failed:
        return str(failed)
    for k, cell in enumerate(cells):
        for j, value in enumerate(wanted[k]):
            for name in names[k][j*count:(j + 1)*count]:
                if abs(found[name] - value) > NEAR*(1 + abs(value)):
                    return f"{name} ends at {found[name]}, alone at {value}"
    return ""


# --- cells that are linked ---

STEPS = 4000


def chain(seed):
    """x_i' = f_i(t) + k_i (x_i-1 - 2 x_i + x_i+1) - sign(x_i): maximal monotone, so that there is one solution."""
    draw = random.Random(f"chain {seed}")
    return [dict(start=draw.uniform(-0.3, 0.3), a=draw.uniform(0.5, 1.8), w=draw.uniform(2, 9), p=draw.uniform(0, 6),
                 k=draw.uniform(0.02, 0.3)) for _ in range(draw.choice([4, 9, 16]))]  # fmt: skip


def chain_text(cells):
    n, lines = len(cells), ""
    for i, c in enumerate(cells, 1):
        left, right = (i - 2) % n + 1, i % n + 1
        lines += (f"  der(x[{i}]) = {c['a']}*sin({c['w']}*time + {c['p']}) + {c['k']}*(x[{left}] - 2*x[{i}] + x[{right}])"
                  f" - (if x[{i}] > 0 then 1 else -1);\n")  # fmt: skip
    starts = ", ".join(str(c["start"]) for c in cells)
    return f"model M\n  Real x[{n}](start = {{{starts}}}, each fixed = true);\nequation\n{lines}end M;\n"


def chain_ends(cells):
    """By implicit Euler steps, whose inclusions are solved by Gauss-Seidel iterations (order 1)."""
    n, h, x = len(cells), STOP/STEPS, [c["start"] for c in cells]
    for step in range(1, STEPS + 1):
        given = [x[i] + h*c["a"]*sin(c["w"]*step*h + c["p"]) for i, c in enumerate(cells)]
        for _ in range(4):
            for i, c in enumerate(cells):
                v = given[i] + h*c["k"]*(x[i - 1] + x[(i + 1) % n])
                x[i] = (max(abs(v) - h, 0) if v > 0 else -max(abs(v) - h, 0))/(1 + 2*h*c["k"])
    return x


def chain_difference(seed):
    cells = chain(seed)
    try:
        found = ends(chain_text(cells), ["x"])
    except AssertionError as failed:
        return str(failed)
    for i, wanted in enumerate(chain_ends(cells), 1):
        if abs(found[f"x[{i}]"] - wanted) > 2*cells[i - 1]["a"]*cells[i - 1]["w"]/STEPS:
            return f"x[{i}] of {len(cells)} ends at {found[f'x[{i}]']}, by Euler steps at {wanted}"
    return ""


class Cells(unittest.TestCase):
    def test_cells_end_as_each_alone(self):
        for seed in SEEDS:
            with self.subTest(seed=seed):
                self.assertEqual(difference(seed), "")

    def test_linked_cells_slide(self):
        for seed in CHAINS:
            with self.subTest(seed=seed):
                self.assertEqual(chain_difference(seed), "")

    def test_many_slide(self):
        """Of 260 equal cells all surfaces are come to at t = 0.5, and none is left."""
        text = ("model M Real x[260](each start = 0.5, each fixed = true);\n"
                "equation for i in 1:260 loop der(x[i]) = if x[i] > 0 then -1 else 1; end for; end M;\n")  # fmt: skip
        found = ends(text, ["x"])
        for value in found.values():
            self.assertTrue(value == STOP or abs(value) < 1e-7)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seed", type=int)
    arguments.add_argument("--count", type=int, default=100)
    given, rest = arguments.parse_known_args()
    if given.seed is None:
        return unittest.main(argv=sys.argv[:1] + rest)
    wrong = 0
    for seed in range(given.seed, given.seed + given.count):
        told = difference(seed) or chain_difference(seed)
        if told:
            wrong += 1
            print(f"seed {seed}: {told}", flush=True)
    print(f"{given.count - wrong} of {given.count} models are right")
    return None


if __name__ == "__main__":
    main()
