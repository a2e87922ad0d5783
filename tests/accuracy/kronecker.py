"""Random linear DAEs of chosen Kronecker structure, mixed so that no structure shows it.

P (E0 w' + A0 w - g) = 0 with w = Q (1 + s(t) R) y: E0 and A0 are made of a part that is an ODE and of
nilpotent chains, whose longest is the index; P and Q are regular, R has one entry. The solution y is
chosen, and the right side made of it. One motion of the ODE may be stiff."""
import math
import random
import unittest

from simulation import daedal

TOLERANCE, RIGHT, END = 1e-6, 30, 4
PROBLEMS, STIFF = (6, 16) if daedal.THINNED else (25, 60)


def product(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def zeros(n):
    return [[0.0] * n for _ in range(n)]


def condition(matrix):
    """In the norm of largest row sums, by Gauss and Jordan; infinite where it is singular."""
    n = len(matrix)
    rows = [[float(x) for x in row] + [float(i == j) for j in range(n)] for i, row in enumerate(matrix)]
    for c in range(n):
        pivot = max(range(c, n), key=lambda i: abs(rows[i][c]))
        rows[c], rows[pivot] = rows[pivot], rows[c]
        if abs(rows[c][c]) < 1e-12:
            return math.inf
        rows[c] = [x / rows[c][c] for x in rows[c]]
        for i in range(n):
            if i != c:
                rows[i] = [x - rows[i][c] * y for x, y in zip(rows[i], rows[c])]
    return max(sum(map(abs, r)) for r in matrix) * max(sum(map(abs, r[n:])) for r in rows)


def mixing(rng, n, kind):
    """A regular matrix: of small integers, of any numbers, or of few."""
    entry = {
        "integer": lambda i, j: rng.randint(-2, 2),
        "dense": lambda i, j: rng.uniform(-1, 1),
        "sparse": lambda i, j: 1.0 if i == j else rng.uniform(-1, 1) * (rng.random() < 0.3),
    }[kind]
    while True:
        found = [[entry(i, j) for j in range(n)] for i in range(n)]
        if condition(found) < 50:
            return found


class Problem:
    def __init__(self, seed, kind, varying, rate=None):
        rng = random.Random(seed)
        ordinary = rng.randint(0, 3)
        chains = [rng.randint(1, 4) for _ in range(rng.randint(1, 2))]
        if rate:
            ordinary, chains = max(1, ordinary), [min(length, 3) for length in chains]
        n = self.n = ordinary + sum(chains)
        self.index = max(chains)
        e, a, turn = zeros(n), zeros(n), zeros(n)
        for i in range(ordinary):
            e[i][i], a[i][i] = 1.0, rng.choice([0.5, 1, 2, 3])
            for j in range(i):
                a[i][j] = rng.choice([0, 0, 1, -1])
        if rate:
            a[0][0] = rate
        first = ordinary
        for length in chains:
            for i in range(first, first + length):
                a[i][i] = 1.0
                if i + 1 < first + length:
                    e[i][i + 1] = 1.0
            first += length
        p, q = mixing(rng, n, kind), mixing(rng, n, kind)
        if varying and n > 1:
            i, j = rng.sample(range(n), 2)
            turn[i][j] = rng.choice([1, -1])
        self.e, self.a = product(p, product(e, q)), product(p, product(a, q))
        self.e_turned, self.a_turned = product(self.e, turn), product(self.a, turn)
        choice = rng.choice
        self.waves = [
            (choice([1, 2, -1]), choice([0.5, 1, 1.5]), choice([0, 0.5, 1])) for _ in range(n)
        ]

    def exact(self, j, t):
        size, rate, phase = self.waves[j]
        return size * math.sin(rate * t + phase)

    def equation(self, i):
        """s = sin t: E + s E R by y', A + s A R + s' E R by y."""
        left, right = [], []
        for j, (size, rate, phase) in enumerate(self.waves):
            e, more = self.e[i][j], self.e_turned[i][j]
            by_slope = f"({e!r} + sin(time)*({more!r}))" if more else f"({e!r})"
            a = f"({self.a[i][j]!r} + sin(time)*({self.a_turned[i][j]!r}) + cos(time)*({more!r}))"
            by_value = a if more or self.a_turned[i][j] else f"({self.a[i][j]!r})"
            if e or more:
                left.append(f"{by_slope}*der(y{j})")
                right.append(f"{by_slope}*({size * rate})*cos({rate}*time + {phase})")
            if by_value != "(0.0)":
                left.append(f"{by_value}*y{j}")
                right.append(f"{by_value}*({size})*sin({rate}*time + {phase})")
        return f"  {' + '.join(left)} = {' + '.join(right)};"

    def text(self):
        lines = [f"  Real y{j}(start = {self.exact(j, 0.0)!r});" for j in range(self.n)]
        lines += ["equation"] + [self.equation(i) for i in range(self.n)]
        return "\n".join(["model M", *lines, "end M;"])


class Stiff(unittest.TestCase):
    """The structure may ask for more derivatives than are needed, and each is one of the stiff
    motion as well; and what cancels beside large coefficients has to do so exactly."""

    def is_right(self, problem, text):
        run = daedal.simulate(text, rtol=TOLERANCE, atol=TOLERANCE, stop=END, points=41)
        pairs = [
            (row[f"y{j}"], problem.exact(j, row["time"])) for row in run.rows for j in range(problem.n)
        ]
        return all(abs(y - exact) < RIGHT * TOLERANCE * (1 + abs(exact)) for y, exact in pairs)

    def missed(self, change):
        missed = []
        for seed in range(STIFF):
            problem = Problem(seed, "integer", False, 10.0 ** (3 + seed % 5))
            try:
                right = self.is_right(problem, change(seed, problem.text()))
            except AssertionError:
                right = False
            if not right:
                missed.append(seed)
        return missed

    def test_beside_a_stiff_motion(self):
        self.assertEqual(self.missed(lambda seed, text: text), [])

    def test_equations_in_other_units(self):
        """Factors of combinations are small whole numbers but for powers of two."""

        def change(seed, text):
            draw = random.Random(seed)
            begin, equations = text.split("equation\n")
            scaled = [
                f"  {2.0 ** draw.randint(-20, 20)!r}*({e.strip()[:-1].replace(' = ', ' - (')})) = 0;"
                for e in equations.split("\n")[:-1]
            ]
            return "\n".join([begin + "equation", *scaled, "end M;"])

        self.assertEqual(self.missed(change), [])


class Kronecker(unittest.TestCase):
    def check(self, kind, varying):
        for seed in range(PROBLEMS):
            problem = Problem(seed, kind, varying)
            with self.subTest(seed=seed, kind=kind, varying=varying):
                run = daedal.simulate(
                    problem.text(), rtol=TOLERANCE, atol=TOLERANCE, stop=END, points=9
                )
                if run.stats["formulation"] != "elimination":  # that of a mechanism by chance
                    self.assertEqual(run.stats["index"], problem.index)
                for row in run.rows:
                    for j in range(problem.n):
                        exact = problem.exact(j, row["time"])
                        missed = abs(row[f"y{j}"] - exact) / (1 + abs(exact))
                        self.assertLess(missed, RIGHT * TOLERANCE, (f"y{j}", row["time"]))

    def test_small_integers(self):
        self.check("integer", False)

    def test_dense(self):
        self.check("dense", False)

    def test_sparse(self):
        self.check("sparse", False)

    def test_that_vary_with_time(self):
        for kind in "integer", "dense", "sparse":
            self.check(kind, True)


if __name__ == "__main__":
    daedal.tell_left_out("problems", 6 * (25 - PROBLEMS) + 2 * (60 - STIFF), 270, "drawn alike")
    unittest.main()
