"""Inverse models drawn at random: what a shape is given determines sums and differences of unknowns,
which are variables of their own. However these are written, explicitly or not, or where they are
put in place of the variables, the results are the same.

A joint of a group is a sum v and a coordinate p: two equations in v and p give both, and a
derivative of p is another sum w. Only the structure of the equations in v, p and w shows what is
differentiated; in the unknowns that the sums are made of it misleads."""
import math
import random
import unittest

from kronecker import condition
from simulation import daedal

PROBLEMS, TOLERANCE, RIGHT, END = 40, 1e-6, 30, 2
SPELLINGS = "explicit", "residual", "solved", "inlined", "mixed"

# Two equations in v and p, regular for v > 1 and 0 < p < 1.
SHAPES = [
    ("({v})*cos({p})", "({v})*sin({p})"),
    ("{v} + {p}", "{v} - {p}"),
    ("{v} + 2*{p}", "({v})*{p}"),
    ("({v})*exp({p})", "{v} - {p}"),
    ("({v})*cos({p}) + {p}^2", "({v})*{p}"),
]


class Wave:
    """middle + size sin(rate t + phase) and its derivatives, as text and as numbers."""

    def __init__(self, rng, middle, size):
        self.middle, self.size = middle, size
        self.rate, self.phase = rng.choice([0.5, 1, 1.3]), rng.choice([0, 0.3, 1, 2])

    def text(self, order=0):
        turn = f"({self.rate}*time + {self.phase} + {order * math.pi / 2!r})"
        wave = f"{self.size * self.rate**order!r}*sin{turn}"
        return f"({self.middle} + {wave})" if order == 0 else f"({wave})"

    def value(self, t, order=0):
        wave = self.size * self.rate**order
        wave *= math.sin(self.rate * t + self.phase + order * math.pi / 2)
        return self.middle + wave if order == 0 else wave


def inverse(matrix):
    n = len(matrix)
    rows = [[float(x) for x in r] + [float(i == j) for j in range(n)] for i, r in enumerate(matrix)]
    for c in range(n):
        pivot = max(range(c, n), key=lambda i: abs(rows[i][c]))
        rows[c], rows[pivot] = rows[pivot], rows[c]
        rows[c] = [x / rows[c][c] for x in rows[c]]
        for i in range(n):
            if i != c:
                rows[i] = [x - rows[i][c] * y for x, y in zip(rows[i], rows[c])]
    return [row[n:] for row in rows]


def sum_of(factors, names):
    return " + ".join(f"({x!r})*{name}" for x, name in zip(factors, names) if x)


class Problem:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        joints, extras = rng.randint(1, 2), rng.randint(0, 1)
        self.sums = 2 * joints + extras
        self.wave = {}  # by variable: of which wave it is which derivative
        self.equations = []  # with {v0}, {v1}, ... for the sums
        for j in range(joints):
            self.add_joint(j)
        if extras:
            v = Wave(rng, 1.5, 0.5)
            self.wave[f"v{self.sums - 1}"] = (v, 0)
            self.equations.append(("{%s}" % f"v{self.sums - 1}", v.text()))
        choose = lambda: rng.choice([-1, 0, 1, 1, 2])
        while True:
            self.matrix = [[choose() for _ in range(self.sums)] for _ in range(self.sums)]
            if condition(self.matrix) < 50:
                break
        self.inverse = inverse(self.matrix)

    def add_joint(self, j):
        """v and p by two equations, w a derivative of p."""
        rng, length = self.rng, self.rng.randint(1, 2)
        v, p = Wave(rng, 2, 0.5), Wave(rng, 0.5, 0.2)
        v_name, w_name = "{v%d}" % (2 * j), "{v%d}" % (2 * j + 1)
        self.wave[f"v{2 * j}"], self.wave[f"v{2 * j + 1}"] = (v, 0), (p, length)
        for order in range(length):
            self.wave[f"p{j}_{order}"] = (p, order)
            last = order + 1 == length
            self.equations.append((f"der(p{j}_{order})", w_name if last else f"p{j}_{order + 1}"))
        for shape in rng.choice(SHAPES):
            names = {"v": v_name, "p": f"p{j}_0"}
            exact = {"v": v.text(), "p": p.text()}
            self.equations.append((shape.format(**names), shape.format(**exact)))

    def exact(self, t):
        values = {name: wave.value(t, order) for name, (wave, order) in self.wave.items()}
        sums = [values[f"v{k}"] for k in range(self.sums)]
        for k, row in enumerate(self.inverse):
            values[f"a{k}"] = sum(x * y for x, y in zip(row, sums))
        return values

    def text(self, spelling):
        rng = random.Random(repr((self.matrix, spelling)))
        parts = [f"a{k}" for k in range(self.sums)]
        sums = [f"v{k}" for k in range(self.sums)]
        form = {name: name for name in sums}
        lines = []
        for k, name in enumerate(sums):
            all_of = sum_of(self.matrix[k], parts)
            how = rng.choice(["explicit", "residual", "inlined"]) if spelling == "mixed" else spelling
            if how == "inlined":
                form[name] = f"({all_of})"
            elif how == "solved":
                lines.append(f"a{k} = {sum_of(self.inverse[k], sums)}")
            else:
                lines.append(f"{name} = {all_of}" if how == "explicit" else f"0 = {name} - ({all_of})")
        lines += [f"{a.format(**form)} = {b.format(**form)}" for a, b in self.equations]
        rng.shuffle(lines)
        kept = [name for name in sums if form[name] == name]
        names = parts + kept + [name for name in self.wave if name not in sums]
        at_start = self.exact(0)
        declared = [f"  Real {name}(start = {round(at_start[name], 1)!r});" for name in names]
        return "\n".join(["model M", *declared, "equation", *[f"  {x};" for x in lines], "end M;"])


class Spellings(unittest.TestCase):
    def check(self, spelling):
        for seed in range(PROBLEMS):
            problem = Problem(seed)
            with self.subTest(seed=seed, spelling=spelling):
                run = daedal.simulate(
                    problem.text(spelling), rtol=TOLERANCE, atol=TOLERANCE, stop=END, points=5
                )
                for row in run.rows:
                    exact = problem.exact(row["time"])
                    for name in row.keys() - {"time"}:
                        missed = abs(row[name] - exact[name]) / (1 + abs(exact[name]))
                        self.assertLess(missed, RIGHT * TOLERANCE, (name, row["time"]))

    def test_explicit(self):
        self.check("explicit")

    def test_residual(self):
        self.check("residual")

    def test_solved_for_the_parts(self):
        self.check("solved")

    def test_inlined(self):
        self.check("inlined")

    def test_mixed(self):
        self.check("mixed")

    def test_nothing_is_said_to_be_missing(self):
        """Also where the equations are followed as those of a mechanism without any freedom."""
        for seed, spelling in (151, "inlined"), (116, "mixed"), (136, "mixed"), (286, "mixed"):
            result = daedal.run(["run", "-"], Problem(seed).text(spelling))
            self.assertEqual(result.code, 0)
            for said in "missing", "depend on each other":
                self.assertNotIn(said, result.err, (seed, spelling))


class Equilibria(unittest.TestCase):
    """A + B = C at equilibrium, whose rate r is unknown: of three amounts that are differentiated two
    are states. Whichever of them the equation is written for, each has its own tolerance."""

    SPELLINGS = ("{K}*A*B = C", "A*B = C/{K}", "B = C/({K}*A)", "C/A = {K}*B",
                 "log(A) + log(B) = log(C) - log({K})")

    def text(self, rng, spelling, K):
        a, b = Wave(rng, -1, 1), Wave(rng, -math.log(K), 2)
        r = Wave(rng, 1, 1)
        A, B = f"exp({a.text()})", f"exp({b.text()})"
        C = f"{K!r}*exp({a.text()} + {b.text()})"
        rate = {"A": f"{A}*{a.text(1)}", "B": f"{B}*{b.text(1)}",
                "C": f"{C}*({a.text(1)} + {b.text(1)})"}
        start = {"A": math.exp(a.value(0)), "B": math.exp(b.value(0))}
        start["C"] = K * start["A"] * start["B"]
        sign = {"A": "-", "B": "-", "C": "+"}
        back = {"A": "+", "B": "+", "C": "-"}
        lines = [f"  Real {x}(start = {start[x]!r}, fixed = {str(x != 'B').lower()});" for x in "ABC"]
        lines += ["  Real r;", "equation"]
        lines += [f"  der({x}) = {rate[x]} {back[x]} {r.text()} {sign[x]} r;" for x in "ABC"]
        lines += [f"  {spelling.format(K=repr(K))};"]

        def exact(t):
            A, B = math.exp(a.value(t)), math.exp(b.value(t))
            return {"A": A, "B": B, "C": K * A * B, "r": r.value(t)}
        return "model Equilibrium\n" + "\n".join(lines) + "\nend Equilibrium;\n", exact

    def test_each_spelling_is_right(self):
        for seed, K in enumerate([1e1, 1e3, 1e5, 1e7, 1e9]):
            for spelling in self.SPELLINGS:
                text, exact = self.text(random.Random(seed), spelling, K)
                for rtol in (1e-4, 1e-6, 1e-8):
                    with self.subTest(K=K, spelling=spelling, rtol=rtol):
                        run = daedal.simulate(text, rtol=rtol, atol=rtol, stop=6, points=101)
                        for row in run.rows:
                            for name, value in exact(row["time"]).items():
                                self.assertLess(abs(row[name] - value),
                                                RIGHT * rtol * (1 + abs(value)), (name, row))


if __name__ == "__main__":
    unittest.main()
