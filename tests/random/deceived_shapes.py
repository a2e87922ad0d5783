"""Random DAEs of known index, degrees of freedom and solution whose structure misleads, in shapes of practice.

A base is one chain as in deceived.py, or several `chains` beside each other or one behind the other, or
a `circuit` of nodes and branches. It is then deceived: by sums of rows that are nested (`blocks`), by
factors that vary (`multiplied`), by rotations and reflections of all rows, by products, squares and
exponential functions of two rows (`wrapped`), by other unknowns (`changed`), or by factors from 1e-6 to
1e6 between rows (`prescaled`). Circuits are given in sums of their node and branch equations, and in
sums of their potentials and currents.

Without arguments, some are tested. `deceived_shapes.py --seed 7 --count 100 [--shapes blocks,circuit]
[OPTION...]` runs so many of each, with these options of `daedal run`, and counts what becomes of them,
and where `check` says another index or another number of degrees of freedom."""

import json
import math
import pathlib
import random
import re
import sys
import tempfile
import unittest
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402
from deceived import Course, Deceived, Pair, number, outcome, term  # noqa: E402


class Chains(Deceived):
    """Chains of these lengths beside states u. `cascade`: the end of each feeds the next one."""

    def __init__(self, draw, lengths, cascade=False):
        self.draw, self.kind = draw, "shape"
        self.states = [f"u{i + 1}" for i in range(draw.choice([1, 1, 2]))]
        chains = [[f"{name}{k + 1}" for k in range(m)] for name, m in zip("xzp", lengths)]
        self.names = self.states + sum(chains, [])
        self.course = {name: Course(draw) for name in self.names}
        self.freedom = len(self.states)
        self.index = sum(lengths) - len(lengths) + 1 if cascade else max(lengths)
        rows = list(self.equations(chains, cascade))
        self.algebraic = [i for i, row in enumerate(rows) if "der(" not in row]
        self.rows = [f"({row} - ({self.at_solution(row)}))" for row in rows]

    def equations(self, chains, cascade):
        draw, u = self.draw, self.states
        first = [chain[0] for chain in chains[: 1 if cascade else None]]
        for name in u:
            yield f"der({name}) - ({term(draw, u)} + {term(draw, u + first)})"
        for c, chain in enumerate(chains):
            fed = f" + {number(draw.uniform(0.3, 1))}*{chains[c - 1][-1]}" if c and cascade else ""
            bend = f" + 0.2*sin({chain[0]})" if len(chain) == 1 else ""
            yield f"{chain[0]} + {term(draw, u)}{fed}{bend}"
            for k in range(1, len(chain)):
                before = [x for of in (chains[c : c + 1] if cascade else chains[: c + 1]) for x in of[:k]]
                yield f"der({chain[k - 1]}) - ({term(draw, u + before)}) - {chain[k]}"

    def at_solution(self, row):
        row = re.sub(r"der\((\w+)\)", lambda m: f"({self.course[m.group(1)].slope})", row)
        return re.sub(r"\b[uxzp]\d\b", lambda m: f"({self.course[m.group()].text})", row)

    def change(self, value, slope, back):
        """Two unknowns by y1, y2, once."""
        a, b = self.draw.sample(self.names, 2)
        first, second = self.course[a], self.course[b]
        self.replace(a, b, value, slope)
        self.course["y1"], self.course["y2"] = Pair(back, first, second, 0), Pair(back, first, second, 1)
        self.names = [name for name in self.names if name not in (a, b)] + ["y1", "y2"]


class Circuit(Chains):
    """Resistors, inductances, capacitors and sources, some of these controlled, between some nodes."""

    def __init__(self, draw):
        self.draw, self.kind = draw, "circuit"
        found = None
        while not found or not 1 < found[0] < 5:
            E, A = self.tableau()
            found = pencil(E, A)
        self.index, self.freedom = found
        P, Q = self.sums(len(E)), self.sums(len(E))
        E, A = product(product(P, E), Q), product(product(P, A), Q)
        self.names = [f"x{k}" for k in range(len(E))]
        self.course = {name: Course(draw) for name in self.names}
        rows = [" + ".join([f"({float(a)!r})*{x}" for a, x in zip(own, self.names) if a]
                           + [f"({float(e)!r})*der({x})" for e, x in zip(rates, self.names) if e])
                for own, rates in zip(A, E)]  # fmt: skip
        self.rows = [f"({row} - ({self.at_solution(row)}))" for row in rows]

    def tableau(self):
        draw = self.draw
        nodes = draw.choice([2, 3])
        branches = [(i, draw.randrange(i)) for i in range(1, nodes + 1)]
        branches += [tuple(draw.sample(range(nodes + 1), 2)) for _ in range(draw.randint(1, 2))]
        n = nodes + len(branches)
        E, A = ([[Fraction(0)] * n for _ in range(n)] for _ in range(2))
        for row, ends in enumerate(branches):
            kind, size, current = draw.choice("RLCCLVI"), Fraction(draw.randint(2, 30), 10), nodes + row
            for node, sign in zip(ends, (1, -1)):
                if node and kind != "I":
                    (E if kind == "C" else A)[row][node - 1] += sign * (size if kind == "C" else 1)
                if node:
                    A[len(branches) + node - 1][current] += sign
            if kind in "LR":
                (E if kind == "L" else A)[row][current] -= size
            if kind in "CI":
                A[row][current] -= 1
            if kind in "VI" and draw.random() < 0.3:
                A[row][draw.randrange(n)] += size
        return E, A

    def sums(self, n):
        matrix = [[Fraction(i == j) for j in range(n)] for i in range(n)]
        for _ in range(self.draw.randint(2, n)):
            i, j = self.draw.sample(range(n), 2)
            factor = self.draw.choice([1, -1, 2])
            matrix[i] = [a + factor * b for a, b in zip(matrix[i], matrix[j])]
        return matrix


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def solved(a, b):
    """a x = b, or None. Exact."""
    rows, n = [x + y for x, y in zip(a, b)], len(a)
    for c in range(n):
        pivot = next((i for i in range(c, n) if rows[i][c]), None)
        if pivot is None:
            return None
        rows[c], rows[pivot] = rows[pivot], rows[c]
        rows[c] = [x / rows[c][c] for x in rows[c]]
        rows = [row if i == c else [x - row[c] * y for x, y in zip(row, rows[c])] for i, row in enumerate(rows)]
    return [row[n:] for row in rows]


def rank(a):
    rows, found = [row[:] for row in a], 0
    for c in range(len(a)):
        pivot = next((i for i in range(found, len(rows)) if rows[i][c]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][c] / rows[found][c]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[found])]
        found += 1
    return found


def pencil(E, A):
    """The Kronecker index of E x' + A x and its degrees of freedom, by ranks of powers of (s E + A)^-1 E."""
    s = Fraction(37, 11)
    H = solved([[s * e + a for e, a in zip(x, y)] for x, y in zip(E, A)], E)
    power, ranks = H, [len(E)]
    while H:
        ranks.append(rank(power))
        if ranks[-1] == ranks[-2]:
            return len(ranks) - 2, ranks[-1]
        power = product(power, H)
    return None


def nested_sums(s):
    for _ in range(s.draw.randint(1, len(s.rows))):
        i, j = s.two()
        s.add(i, j, s.factor())
        if s.draw.random() < 0.6:
            s.add(j, i, s.factor())


def varying_factors(s):
    for _ in range(2):
        (i, j), x, y = s.two(), s.draw.choice(s.names), s.draw.choice(s.names)
        s.add(i, j, s.draw.choice([f"{x}*{y}", f"exp(0.5*{x})", f"sin({x} + {y})", f"(time*{x})", f"1/(2 + {x}^2)"]))
        s.add(j, i, s.factor())


def rotations(s):
    order = s.draw.sample(range(len(s.rows)), len(s.rows))
    for i, j in list(zip(order, order[1:]))[:3]:
        x = s.draw.choice(["time"] + s.names)
        angle = f"({number(s.draw.uniform(0.3, 1.2))}*{x} + {number(s.draw.uniform(0, 3))})"
        a, b = s.rows[i], s.rows[j]
        s.rows[i], s.rows[j] = f"(cos{angle}*{a} - sin{angle}*{b})", f"(sin{angle}*{a} + cos{angle}*{b})"


def reflection(s):
    """Householder's, with a vector that varies."""
    v = [s.draw.choice([number(s.draw.uniform(-1, 1)), f"sin({s.draw.choice(s.names)})"]) for _ in s.rows]
    v[s.draw.randrange(len(v))] = "1"
    part = "2*(" + " + ".join(f"{a}*{row}" for a, row in zip(v, s.rows)) + ")/(" + " + ".join(f"{a}^2" for a in v) + ")"
    s.rows = [f"({row} - {a}*{part})" for a, row in zip(v, s.rows)]


WRAPS = [("(exp({a} + {k}*{b}) - 1)", "(exp({a} - {b}) - 1)"), ("((1 + {a})*(1 + {b}) - 1)", "({a} - {k}*{b})"),
         ("((2 + {a})^2 + (1 + {b})^2 - 5)", "((2 + {a})*(1 + {b}) - 2)"), ("(exp({a})*(1 + {k}*{b}) - 1)", "({a}*{b} + {b})"),
         ("sinh({a} + {b})", "({a} - {k}*{b} + ({a} - {b})^3)"), ("(log(2 + {a} + {k}*{b}) - log(2))", "atan({a} - {b})")]  # fmt: skip


def wraps(s):
    i = s.draw.choice(s.algebraic)
    j = s.draw.choice([k for k in range(len(s.rows)) if k != i])
    a, b = s.draw.sample([s.rows[i], s.rows[j]], 2)
    s.rows[i], s.rows[j] = (f.format(a=a, b=b, k=number(s.draw.uniform(0.5, 1.5))) for f in s.draw.choice(WRAPS))


def other_unknowns(s):
    if s.draw.random() < 0.5:
        s.change(("(y1*cos(y2) - 8)", "(y1*sin(y2))"),
                 ("(der(y1)*cos(y2) - y1*sin(y2)*der(y2))", "(der(y1)*sin(y2) + y1*cos(y2)*der(y2))"),
                 lambda t, a, b: (math.hypot(a + 8, b), math.atan2(b, a + 8)))  # fmt: skip
    else:
        s.change(("(exp(y1 + y2) - 8)", "sinh(y1 - y2)"),
                 ("(exp(y1 + y2)*(der(y1) + der(y2)))", "(cosh(y1 - y2)*(der(y1) - der(y2)))"),
                 lambda t, a, b: ((math.log(a + 8) + math.asinh(b)) / 2, (math.log(a + 8) - math.asinh(b)) / 2))  # fmt: skip
    s.add(*s.two(), s.factor())


def factors_far_apart(s):
    for _ in range(2):
        s.add(*s.two(), f"{s.draw.uniform(0.5, 2) * 10.0 ** s.draw.randint(-6, 6):.4g}")


def one(draw):
    return Chains(draw, [draw.choice([1, 2, 3, 4])])


def several(draw):
    if draw.random() < 0.4:
        return Chains(draw, draw.choice([[1, 2], [2, 2], [2, 3], [1, 3], [3, 1], [1, 4], [2, 1]]), cascade=True)
    return Chains(draw, draw.choice([[1, 3], [2, 3], [2, 4], [1, 2], [3, 3], [1, 4], [1, 2, 3]]))


SHAPES = {
    "blocks": (several, nested_sums, varying_factors), "multiplied": (one, varying_factors), "wrapped": (one, wraps),
    "rotated": (one, rotations), "reflected": (one, reflection), "changed": (one, other_unknowns),
    "prescaled": (one, factors_far_apart), "circuit": (Circuit,),
}  # fmt: skip


def shape(kind, seed):
    draw = random.Random(f"{seed} {kind}")
    base, *ways = SHAPES[kind]
    system = base(draw)
    system.kind = kind
    for deceive in ways:
        deceive(system)
    draw.shuffle(system.rows)
    return system


def claims(system):
    """The index and the degrees of freedom that `check` tells."""
    done = daedal.run(["check", "-", "--json"], system.text())
    told = json.loads(done.out)
    return told["index"], told["degrees_of_freedom"]


# x is known; c = 0 is all but lost beside 8e7 d = 0.
X, Y = "(0.3949*sin(1.297*time + 2.503) - 0.22)", "(0.3938 + 0.9779*sin(1.411*time + 3.431))"
C = f"(x - {X} - 0.5726*(u - 0.1199 - 0.8309*exp(-1.241*time)))"
D = (f"(der(y) - 0.9779*1.411*cos(1.411*time + 3.431) + 0.4283*(x - {X})"
     " - (z - 0.9034*sin(0.5205*time + 5.313)))")  # fmt: skip
LOST = f"""model Lost
  Real u(start = 0.9508), x(start = 0.0154), y(start = 0.1147), z(start = -1.237);
equation
  der(u) + 0.8309*1.241*exp(-1.241*time) + 0.2924*(x - {X}) = 0;
  {C} + 1.201e6*{D} = 0;
  {D} + 68.53*({C} + 1.201e6*{D}) = 0;
  der(x) - 0.3949*1.297*cos(1.297*time + 2.503) - (y - {Y}) = 0;
end Lost;
"""

HIDDEN = """model Hidden
  Real x(start = 0.6), y(start = -0.8), vx, vy, l;
equation
  der(x) - vx = 0;
  der(y) - vy = 0;
  der(vx) + l*x = 0;
  der(vy) + l*y + 9.81 = 0;
  x^2 + y^2 - 1 - 0.9*(der(x) - vx) = 0;
end Hidden;
"""


class TheStructureMisleads(unittest.TestCase):
    def are_right(self, kind, seeds):
        with tempfile.TemporaryDirectory() as folder:
            for seed in seeds:
                with self.subTest(kind=kind, seed=seed):
                    system = shape(kind, seed)
                    what, _, said = outcome(system, folder)
                    self.assertEqual(what, "right", said)
                    self.assertEqual(claims(system), (system.index, system.freedom))

    def test_drawn(self):
        for kind in SHAPES:
            self.are_right(kind, range(1, 1 + daedal.of_grid(20, 1, 1)))

    def test_what_rounding_leaves_of_derivatives_is_no_pivot(self):
        """Where nested sums are taken apart, as 1e-17 der(z3)."""
        self.are_right("blocks", [5, 19, 44][:: daedal.of_grid(1, 2, 3)])

    def test_what_rounding_has_lost_is_not_found(self):
        """A run that starts is right."""
        done = daedal.run(["run", "-", "--stop", 1, "--points", 5, "--quiet"], LOST)
        for row in daedal.rows(done.out)[1]:
            t = row["time"]
            self.assertLess(abs(row["x"] + 0.22 - 0.3949 * math.sin(1.297 * t + 2.503)), 1e-3, t)
        if done.code:
            self.assertIn("hidden constraints were not determined", done.err)

    def test_the_index_of_a_mechanism_that_hides_its_constraint(self):
        done = daedal.run(["check", "-", "--json"], HIDDEN)
        told = json.loads(done.out)
        self.assertEqual((told["form"], told["index"], told["degrees_of_freedom"]), ("mechanical", 3, 2))


def count(arguments, options):
    with tempfile.TemporaryDirectory() as folder:
        for kind in arguments.shapes.split(","):
            counts = dict.fromkeys(["right", "refused", "stopped", "wrong", "other claims"], 0)
            for seed in range(arguments.seed, arguments.seed + arguments.count):
                system = shape(kind, seed)
                what, _, said = outcome(system, folder, *options, timeout=arguments.timeout)
                counts[what] += 1
                if what != "right":
                    print(f"{what}: {kind} {seed}: {' '.join(said.split())[:200]}", flush=True)
                elif claims(system) != (system.index, system.freedom):
                    counts["other claims"] += 1
                    print(f"{kind} {seed}: {claims(system)} of {system.index, system.freedom}", flush=True)
            print(f"{kind:10}: {counts}", flush=True)


if __name__ == "__main__":
    by_seed.main_of_kinds(count, 20, shapes=",".join(SHAPES), timeout=60.0)
