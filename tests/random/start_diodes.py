"""Starts of networks of ideal diodes, whose modes the search for the start has to find.

Cells that nothing links, in each of which diodes from several sources feed one load: its voltage is the
largest of the sources. Diodes side by side from equal sources: which of them conducts is open, and the
voltage and the sum of the currents are not. And linear complementarity problems
    w = M z + q,   w >= 0,  z >= 0,  w z = 0   for each pair
with a P-matrix M, which have one solution (Samelson, Thrall & Wesler, 1958).

Without arguments, some are tested. `start_diodes.py --seed 7 --count 300` counts what is wrong."""

import json
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

ROUNDING = 1e-9


def diode(name):
    """Of the parameter s of a diode its voltage is s where it blocks, and its current where it conducts."""
    return (f"Real {name}v, {name}i, {name}s;",
            f"{name}v = if {name}s < 0 then {name}s else 0; {name}i = if {name}s < 0 then 0 else {name}s;")  # fmt: skip


def model(declared, equations):
    return "model M\n" + "\n".join(declared) + "\nequation\n" + "\n".join(equations) + "\nend M;\n"


def cells(draw):
    """Cells, and what is wrong with their values."""
    declared, equations, largest = [], [], []
    for k in range(draw.randint(3, 8)):
        sources = [round(draw.uniform(0, 2), 2) for _ in range(draw.randint(2, 3))]
        if draw.random() < 0.3:
            sources[-1] = sources[0]
        largest.append(max(sources))
        declared.append(f"Real y{k};")
        names = [f"c{k}d{j}" for j in range(len(sources))]
        for name, source in zip(names, sources):
            parts = diode(name)
            declared.append(parts[0])
            equations += [parts[1], f"{name}v = {source} - y{k};"]
        equations.append(f"{' + '.join(f'{name}i' for name in names)} = y{k} + 1;")

    def wrong(values):
        return [f"y{k} is {values[f'y{k}']}, not {y}" for k, y in enumerate(largest) if abs(values[f"y{k}"] - y) > ROUNDING]

    return model(declared, equations), wrong


def side_by_side(draw):
    n, source, load = draw.randint(2, 12), round(draw.uniform(0.5, 2), 2), draw.choice(("y", "2"))
    declared, equations = ["Real y;"], []
    for k in range(n):
        parts = diode(f"d{k}")
        declared.append(parts[0])
        equations += [parts[1], f"d{k}v = {source} - y;"]
    equations.append(" + ".join(f"d{k}i" for k in range(n)) + f" = {load};")

    def wrong(values):
        currents = [values[f"d{k}i"] for k in range(n)]
        total = source if load == "y" else 2
        right = abs(values["y"] - source) <= ROUNDING and abs(sum(currents) - total) <= ROUNDING
        return [] if right and min(currents) >= -ROUNDING else [f"y = {values['y']}, currents {currents}"]

    return model(declared, equations), wrong


def complementarity(draw):
    """M = B'B + D + S with D > 0 diagonal and S skew-symmetric is positive definite."""
    n = draw.randint(2, 12)
    b = [[draw.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
    skew = [[draw.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
    matrix = [[round(sum(b[k][i]*b[k][j] for k in range(n)) + 0.3*(i == j) + skew[i][j] - skew[j][i], 3)
               for j in range(n)] for i in range(n)]  # fmt: skip
    q = [round(draw.uniform(-2, 2), 2) for _ in range(n)]
    declared = [diode(f"d{k}")[0] for k in range(n)]
    equations = [diode(f"d{k}")[1] for k in range(n)]
    for i in range(n):
        terms = " + ".join(f"({matrix[i][j]})*d{j}i" for j in range(n))
        equations.append(f"-d{i}v = {terms} + ({q[i]});")

    def wrong(values):
        z, w = ([values[f"d{k}i"] for k in range(n)], [-values[f"d{k}v"] for k in range(n)])
        miss = max(abs(w[i] - q[i] - sum(matrix[i][j]*z[j] for j in range(n))) for i in range(n))
        outside = min(z + w)
        both = max(a*b for a, b in zip(z, w))
        return [] if max(miss, -outside, both) <= 1e-8 else [f"misses {miss}, {outside}, {both}"]

    return model(declared, equations), wrong


def judge(kind, seed):
    """A model, and what is wrong with its start."""
    text, wrong = kind(random.Random(f"start diodes {kind.__name__} {seed}"))
    done = daedal.run(["init", "-", "--json"], text)
    if done.code != 0:
        return text, f"status {done.code}: {done.err}"
    return text, "; ".join(wrong(json.loads(done.out)["values"]))


KINDS = (cells, side_by_side, complementarity)


class StartDiodes(unittest.TestCase):
    def test_modes_are_found(self):
        for kind in KINDS:
            with self.subTest(kind=kind.__name__):
                models = range(6 if daedal.SANITIZED else 20)
                by_seed.all_right(self, lambda seed: judge(kind, seed), models, len(models) - 1)


def count(seed, models):
    for kind in KINDS:
        print(kind.__name__, end=": ")
        by_seed.count_wrong(lambda seed: (lambda found: ("", found[1][:200]))(judge(kind, seed)), seed, models)


if __name__ == "__main__":
    by_seed.main(count)
