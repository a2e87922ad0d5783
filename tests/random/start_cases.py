"""Starts whose modes follow from what the start finds: parameters with fixed = false, states without a
fixed value, algebraic variables.

Booleans, Integers, a hysteresis and discrete Reals of `when initial()` follow from combinations of these
and decide, together with relations in the equations, what coefficients these have. With the values of all
relations the start is the solution of linear equations. So all starts follow from trying those values:
each start that is found is to be one of them, one is to be found where there is one, and where there is
none, that is to be said.

Without arguments, some are tested. `start_cases.py --seed 7 --count 300` judges so many models and prints
those that are wrong, and those of which a start was not found."""

import itertools
import json
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402
from released import solve  # noqa: E402

ROUNDING = 1e-7
CLEAR = 1e-3  # starts nearer than this to where something switches are not asked for


class Row:
    """A combination of variables, and what is added to it."""

    def __init__(self, factors, added=0.0):
        self.factors, self.added = factors, added

    def text(self):
        terms = [f"({factor})*{name}" for name, factor in self.factors.items()]
        return " + ".join(terms + ([f"({self.added})"] if self.added or not terms else []))

    def at(self, values):
        return self.added + sum(factor*values[name] for name, factor in self.factors.items())


class Case:
    """A number that depends on a condition: `if c then a else b`, where a and b may be such ones."""

    def __init__(self, condition, yes, no):
        self.condition, self.yes, self.no = condition, yes, no

    def text(self):
        return f"(if {self.condition[0]} then {text_of(self.yes)} else {text_of(self.no)})"


def text_of(number):
    return number.text() if isinstance(number, Case) else str(number)


def value_of(number, holds):
    while isinstance(number, Case):
        number = number.yes if number.condition[1](holds) else number.no
    return number


class Model:
    def __init__(self, seed):
        draw = self.draw = random.Random(f"start cases {seed}")
        self.parameters = [f"k{i}" for i in range(draw.randint(1, 2))]
        self.states = [f"x{i}" for i in range(draw.randint(1, 2))]
        self.algebraic = [f"q{i}" for i in range(draw.randint(1, 2))]
        self.fixed = {x: self.number(3) for x in self.states if draw.random() < 0.6}
        self.start = {name: self.number(3) for name in self.parameters + self.states}
        self.continuous = self.parameters + self.states + self.algebraic
        self.atoms = []       # relations: Row > 0
        self.conditions = []  # text, and whether it holds, by the values of the relations
        self.lines, self.declared, self.sampled = [], [], []
        for i in range(draw.randint(1, 3)):
            self.add_discrete(i)
        for _ in range(draw.randint(0, 2)):
            self.conditions.append(self.relation(self.continuous))
        self.unknowns = self.continuous + [f"der({x})" for x in self.states] + [name for name, _ in self.sampled]
        self.find_equations()
        self.find_initial()

    def number(self, most):
        return round(self.draw.uniform(-most, most), 2)

    def combination(self, names, most=2):
        chosen = self.draw.sample(names, min(len(names), self.draw.randint(1, most)))
        return {name: self.number(1) + self.draw.choice((-1, 1)) for name in chosen}

    def atom(self, names, least=None):
        row = Row(self.combination(names), self.number(2)) if least is None else Row(least.factors, least.added - 1)
        self.atoms.append(row)
        return len(self.atoms) - 1

    def relation(self, names):
        k = self.atom(names)
        return f"{Row(self.atoms[k].factors).text()} > {-self.atoms[k].added}", lambda holds: holds[k]

    def add_discrete(self, i):
        kind = self.draw.choice(("boolean", "boolean", "both", "integer", "hysteresis", "initial"))
        names = self.draw.choice((self.parameters, self.parameters, self.continuous))
        if kind == "boolean":
            text, holds = self.relation(names)
            self.declared.append(f"Boolean b{i} = {text};")
            self.conditions.append((f"b{i}", holds))
        elif kind == "both":
            (one, holds_one), (two, holds_two) = self.relation(names), self.relation(self.continuous)
            word = self.draw.choice(("and", "or"))
            both = all if word == "and" else any
            self.declared.append(f"Boolean b{i} = {one} {word} not ({two});")
            self.conditions.append((f"b{i}", lambda holds: both((holds_one(holds), not holds_two(holds)))))
        elif kind == "integer":
            (one, holds_one), (two, holds_two) = self.relation(names), self.relation(names)
            self.declared.append(f"Integer n{i} = if {one} then 3 elseif {two} then 1 else 2;")
            def number(holds):
                return 3 if holds_one(holds) else 1 if holds_two(holds) else 2
            least = self.draw.choice((1, 2))
            self.conditions.append((f"n{i} > {least}", lambda holds: number(holds) > least))
        elif kind == "hysteresis":
            k = self.atom(names)
            before = self.draw.random() < 0.5
            high, low = Row(self.atoms[k].factors), self.atoms[k].added
            self.atoms[k] = Row(high.factors, low if before else low - 0.5)
            self.declared.append(f"Boolean m{i}(start = {str(before).lower()}, fixed = true);")
            self.lines.append(f"m{i} = if pre(m{i}) then {high.text()} > {-low} else {high.text()} > {-low} + 0.5;")
            self.conditions.append((f"m{i}", lambda holds: holds[k]))
        else:
            row, before = Row(self.combination(names), self.number(1)), self.number(1)
            self.declared.append(f"discrete Real d{i}(start = {before}, fixed = true);")
            self.lines.append(f"when initial() then d{i} = pre(d{i}) + {row.text()}; end when;")
            self.sampled.append((f"d{i}", Row(row.factors, row.added + before)))

    def case(self, most, depth=0):
        if not self.conditions or depth > 2 or self.draw.random() < (0.3, 0.6, 0.8)[depth]:
            return self.number(most)
        condition = self.draw.choice(self.conditions)
        return Case(condition, self.case(most, depth + 1), self.case(most, depth + 1))

    def find_equations(self):
        """Of each algebraic variable and each derivative: factors, and what is added."""
        self.equations = []
        discrete = [name for name, _ in self.sampled]
        for i, name in enumerate(self.algebraic + [f"der({x})" for x in self.states]):
            known = self.parameters + self.states + self.algebraic[:i] + discrete
            factors = {v: self.case(1.5) for v in self.draw.sample(known, min(3, len(known)))}
            self.equations.append((name, factors, self.case(2)))

    def find_initial(self):
        self.initial = []
        for i in range(len(self.parameters) + len(self.states) - len(self.fixed)):
            of = self.draw.choice(([self.algebraic[i % len(self.algebraic)]], [f"der({self.states[i % len(self.states)]})"],
                                   self.parameters, self.continuous))
            factors = {v: self.number(1) + self.draw.choice((-1, 1)) for v in self.draw.sample(of, min(len(of), 2))}
            self.initial.append((factors, self.case(2)))

    def text(self):
        lines = ["model M"]
        lines += [f"parameter Real {k}(fixed = false, start = {self.start[k]});" for k in self.parameters]
        for x in self.states:
            fixed = f"{self.fixed[x]}, fixed = true" if x in self.fixed else self.start[x]
            lines.append(f"Real {x}(start = {fixed});")
        lines += [f"Real {q};" for q in self.algebraic] + self.declared + ["initial equation"]
        lines += [f"{Row(factors).text()} = {text_of(right)};" for factors, right in self.initial] + ["equation"]
        for name, factors, added in self.equations:
            terms = [f"{text_of(factor)}*{v}" for v, factor in factors.items()]
            lines.append(f"{name} = {' + '.join(terms + [text_of(added)])};".replace("*-", "*(-1)*").replace("+ -", "- "))
        return "\n".join(lines + self.lines) + "\nend M;\n"

    def linear(self, holds, given=None):
        """The start with these values of the relations, and with given values of discrete Reals; None: the equations
        do not determine it."""
        at = {name: j for j, name in enumerate(self.unknowns)}
        matrix, right = [], []

        def add(factors, value):
            row = [0.0]*len(at)
            for name, factor in factors.items():
                row[at[name]] += factor
            matrix.append(row)
            right.append(value)

        for name, factors, added in self.equations:
            row = {v: -value_of(factor, holds) for v, factor in factors.items()}
            add({**row, name: 1}, value_of(added, holds))
        for name, row in self.sampled:
            if given:
                add({name: 1}, given[name])
                continue
            add({**{v: -factor for v, factor in row.factors.items()}, name: 1}, row.added)
        for x, value in self.fixed.items():
            add({x: 1}, value)
        for factors, value in self.initial:
            add(factors, value_of(value, holds))
        found = solve(matrix, right)
        return None if found is None else dict(zip(self.unknowns, found))

    def is_in_turn(self, values):
        """Whether a start is determined for given values of the discrete Reals, too. Otherwise a solution by turns
        of both does not find it."""
        holds = [row.at(values) > 0 for row in self.atoms]
        return not self.sampled or self.linear(holds, values) is not None

    def solutions(self):
        """All starts, and whether something cannot be told: equations that are singular in some mode, a
        relation near 0."""
        found = []
        for holds in itertools.product((False, True), repeat=len(self.atoms)):
            values = self.linear(holds)
            if values is None or max(map(abs, values.values())) > 1e3:
                return [], True
            of = [row.at(values) for row in self.atoms]
            if min(map(abs, of), default=1) < CLEAR:
                return [], True
            if all((u > 0) == h for u, h in zip(of, holds)):
                found.append(values)
        return found, False


def judge(seed):
    """'right', 'none' where there is no start, 'not found', 'not in turn' (is_in_turn()), 'near', or what is wrong."""
    model = Model(seed)
    solutions, near = model.solutions()
    if near:
        return "near"
    done = daedal.run(["init", "-", "--json"], model.text())
    if done.code != 0:
        if done.code not in (1, 3) or "remedy" not in done.err and solutions == []:
            return f"status {done.code}: {done.err}"
        if not solutions:
            return "none"
        return "not found" if any(map(model.is_in_turn, solutions)) else "not in turn"
    values = json.loads(done.out)["values"]
    for solution in solutions:
        if all(abs(values[v] - solution[v]) <= ROUNDING*(1 + abs(solution[v])) for v in model.continuous):
            return "right"
    return "wrong" if solutions else "wrong, and there is none"


class StartCases(unittest.TestCase):
    def test_starts_are_those_of_a_mode(self):
        models = daedal.of_grid(150, 80, 24)
        found = by_seed.judge_all(judge, range(models))
        wrong = {said: seeds for said, seeds in found.items() if said not in ("right", "none", "near", "not in turn")}
        self.assertEqual(wrong, {})
        self.assertGreater(len(found["right"]), models / 6)
        self.assertGreater(len(found["none"]), models / 40)


def count(seed, models):
    by_seed.print_judged(by_seed.judge_all(judge, range(seed, seed + models)))


if __name__ == "__main__":
    by_seed.main(count)
