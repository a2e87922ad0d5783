"""Models of many cells whose structure misleads, each drawn as in deceived.py.

The cells stand `apart`; or in a `chain`, where an equation of a state contains states of both
neighbours, less their known courses; or `within` a line of ordinary equations, which contain states
of the cells and are contained in the same way. None of this changes the index of a cell or its
solution, so the model has the largest index of its cells.

Without arguments, some are tested. `deceived_cells.py --form chain --cells 100 [--kinds const,bent]
[--index 2,3] [--seed 7] [--count 3] [--ordinary 2000] [--single] [OPTION...]` runs such models, with
these options of `daedal run`, and counts what becomes of them; with `--single`, each cell by itself,
too."""

import argparse
import pathlib
import random
import re
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import daedal  # noqa: E402
from deceived import KINDS, Course, Deceived, number, outcome  # noqa: E402

# Kinds whose cells run by themselves over the whole time, whatever the seed.
STEADY = [kind for kind in KINDS if not kind.startswith(("pass", "state", "sum", "vanish"))]


class Cell(Deceived):
    """A deceived system whose first equation of a state contains LINK, a text that is 0 on the
    solution. state: what its first state is in terms of its unknowns."""

    def __init__(self, seed, index, kind):
        self.state = "u1"
        super().__init__(seed, index, kind)

    def regular(self):
        for place, row in enumerate(super().regular()):
            yield row + " + LINK" if place == 0 else row

    def at_solution(self, row):
        return super().at_solution(row.replace("LINK", "0"))

    def replace(self, a, b, value, slope):
        super().replace(a, b, value, slope)
        for name, text in zip((a, b), value):
            self.state = re.sub(rf"\b{name}\b", text, self.state)

    def text(self):
        return super().text().replace("LINK", "0")

    def off(self, place):
        """A text that is 0 on the solution: the state less its course."""
        return f"({at(self.state, place)} - {self.course['u1'].text})"


def at(text, place):
    """The text with names of the cell at this place."""
    return re.sub(r"\b([uxy]\d)\b", rf"\1_{place}", text)


class Line:
    """Ordinary equations: states v that each have two neighbours, and algebraic variables w."""

    def __init__(self, draw, count):
        self.v = [Course(draw) for _ in range(count)]
        self.w = [Course(draw) for _ in range(count)]

    def off(self, i):
        return f"(v_{i} - {self.v[i].text})"

    def rows(self, links):
        for i, (v, w) in enumerate(zip(self.v, self.w)):
            near = [k for k in (i - 1, i + 1) if 0 <= k < len(self.v)]
            terms = [f"0.4*sin({self.off(k)})" for k in near] + links.get(i, [])
            yield (f"der(v_{i}) - {v.slope} + 0.7*{self.off(i)} - 0.3*(w_{i} - {w.text})"
                   + "".join(f" - {term}" for term in terms))  # fmt: skip
            yield f"w_{i} + 0.2*w_{i}^3 - {w.text} - 0.2*{w.text}^3 - 0.5*{self.off(i)}*w_{i}"


class Model:
    """What outcome() of deceived.py runs."""

    def __init__(self, seed, form, cells, ordinary=0):
        """cells: (seed, index, kind) of each."""
        draw = random.Random(f"{seed} {form}")
        self.cells = [Cell(*cell) for cell in cells]
        self.kind, self.index = form, max(cell.index for cell in self.cells)
        line = Line(draw, ordinary // 2 if form == "within" else 0)
        links, self.rows = {}, []
        factor = lambda: number(draw.uniform(0.1, 0.4))  # noqa: E731
        for k, cell in enumerate(self.cells):
            terms = ["0"]
            if form == "chain":
                near = [i for i in (k - 1, k + 1) if 0 <= i < len(self.cells)]
                terms = [f"{factor()}*sin({self.cells[i].off(i)})" for i in near] or terms
            elif line.v:
                i = draw.randrange(len(line.v))
                terms = [f"{factor()}*{line.off(i)}*cos({cell.off(k)})"]
                links.setdefault(i, []).append(f"{factor()}*{cell.off(k)}")
            self.rows += [at(row, k).replace("LINK", " + ".join(terms)) for row in cell.rows]
        self.rows += line.rows(links)
        self.course = {at(name, k): cell.course[name] for k, cell in enumerate(self.cells) for name in cell.names}
        self.course |= {f"v_{i}": v for i, v in enumerate(line.v)} | {f"w_{i}": w for i, w in enumerate(line.w)}
        self.names = list(self.course)
        draw.shuffle(self.rows)

    def value(self, name, t):
        return self.course[name].value(t)

    text = Deceived.text


def draw_cells(seed, count, kinds, indices):
    draw = random.Random(f"{seed} cells")
    return [(draw.randrange(100000), draw.choice(indices), draw.choice(kinds)) for _ in range(count)]


# A cell that is converted by itself, and one that is embedded.
CONVERTED, EMBEDDED = (5196, 3, "coordtime"), (2, 3, "bentpair")
COMBINED = ["const", "time"]
MIXED = [*COMBINED, "bentpair", "product"]


class Cells(unittest.TestCase):
    """Each of them starts and runs as it does alone."""

    def are_right(self, form, cells, ordinary=0):
        with tempfile.TemporaryDirectory() as folder:
            model = Model(1, form, cells, ordinary)
            what, found, said = outcome(model, folder)
            self.assertEqual((what, found), ("right", model.index), said)

    def test_many_apart(self):
        """More equations in all than the matrices of one part may have."""
        self.are_right("apart", draw_cells(1, daedal.of_grid(70, 20, 8), COMBINED, [3]))

    def test_many_in_a_chain(self):
        self.are_right("chain", draw_cells(1, daedal.of_grid(60, 16, 6), COMBINED, [2, 3]))

    def test_few_among_ordinary_equations(self):
        self.are_right("within", [CONVERTED, EMBEDDED], daedal.of_grid(2000, 500, 200))

    def test_few_among_few_ordinary_equations(self):
        """As among many: what is combined stays so where all equations together are not combined."""
        self.are_right("within", [CONVERTED, EMBEDDED], 44)

    def test_more_among_ordinary_equations(self):
        """The index, too, is found near a start, and not by a search in the whole derivative array."""
        if not daedal.SANITIZED:
            self.are_right("within", draw_cells(2, 10, MIXED, [2, 3]), 2000)

    def test_both_ways_in_one_model(self):
        """Combinations for some cells, and a larger system for others."""
        self.are_right("apart", [CONVERTED, EMBEDDED])
        self.are_right("apart", [(seed, 3, kind) for seed, kind in
                                 [(3, "product"), (2, "bentpair"), (1, "const"), (4, "bentpair"),
                                  (5196, "coordtime"), (3, "coordbent"), (7, "time")]])  # fmt: skip


def count(arguments, options):
    kinds, indices = arguments.kinds.split(","), [int(i) for i in arguments.index.split(",")]
    counts = dict.fromkeys(["right", "refused", "stopped", "wrong", "other index"], 0)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            cells = draw_cells(seed, arguments.cells, kinds, indices)
            if arguments.single:
                cells = [c for c in cells if outcome(Cell(*c), folder)[0] == "right"]
            model = Model(seed, arguments.form, cells, arguments.ordinary)
            began = time.time()
            what, found, said = outcome(model, folder, *options, timeout=arguments.timeout)
            counts[what] += 1
            counts["other index"] += what == "right" and found != model.index
            print(f"{what}: seed {seed}, {len(model.rows)} equations, index {found} of {model.index}, "
                  f"{time.time() - began:.1f} s: {' '.join(said.split())[:160] if what != 'right' else ''}",
                  flush=True)  # fmt: skip
    print(arguments.form, counts)


if __name__ == "__main__":
    if len(sys.argv) < 2 or not sys.argv[1].startswith("--"):
        unittest.main()
    parser = argparse.ArgumentParser()
    parser.add_argument("--form", default="apart", choices=["apart", "chain", "within"])
    parser.add_argument("--cells", type=int, default=60)
    parser.add_argument("--ordinary", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--kinds", default=",".join(STEADY))
    parser.add_argument("--index", default="2,3")
    parser.add_argument("--single", action="store_true")
    count(*parser.parse_known_args())
