"""Start values that contradict each other.

A model is drawn of groups of states that linear constraints tie to each other; the accelerations,
as it were, couple all of them, with coefficients of up to 1e9. Start values are given for most
states, are fixed for some, and contradict the constraints of some groups. Algebraic variables have
guesses that are far off. What is right is known: a group whose start values meet its constraints
keeps them. In others, the start values that are given change least, in nominal sizes, and of the
states without one those that are nearest to 0 are taken. How equations are scaled and written, and
in which order, makes no difference.

Without arguments, some are tested. `released.py --seed 7 --count 1000` judges so many models and
prints those that are wrong."""

import json
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

NEAR = 1e-6  # in nominal sizes


def solve(matrix, right):
    """The solution of a square system, by elimination with complete pivoting; None: singular."""
    n = len(right)
    rows = [list(map(float, row)) + [float(b)] for row, b in zip(matrix, right)]
    order = list(range(n))
    for k in range(n):
        i, j = max(((i, j) for i in range(k, n) for j in range(k, n)),
                   key=lambda at: abs(rows[at[0]][at[1]]))
        if abs(rows[i][j]) < 1e-9:
            return None
        rows[k], rows[i] = rows[i], rows[k]
        for row in rows:
            row[k], row[j] = row[j], row[k]
        order[k], order[j] = order[j], order[k]
        for row in rows[k + 1:]:
            factor = row[k] / rows[k][k]
            for c in range(k, n + 1):
                row[c] -= factor * rows[k][c]
    found = [0.0] * n
    for k in reversed(range(n)):
        rest = rows[k][n] - sum(rows[k][c] * found[order[c]] for c in range(k + 1, n))
        found[order[k]] = rest / rows[k][k]
    return found


def independent(rows):
    """Which of some rows do not follow from those before."""
    kept, basis = [], []
    for i, row in enumerate(rows):
        left = list(row)
        for pivot, other in basis:
            left = [a - left[pivot] * b for a, b in zip(left, other)]
        pivot = max(range(len(left)), key=lambda j: abs(left[j]), default=None)
        if pivot is None or abs(left[pivot]) < 1e-9:
            continue
        left = [a / left[pivot] for a in left]
        basis = [(p, [a - other[pivot] * b for a, b in zip(other, left)]) for p, other in basis]
        basis.append((pivot, left))
        kept.append(i)
    return kept, basis


def least(rows, right):
    """The shortest x with rows x = right, where rows are independent."""
    square = [[sum(a * b for a, b in zip(one, other)) for other in rows] for one in rows]
    factor = solve(square, right)
    if factor is None:
        return None
    return [sum(f * row[j] for f, row in zip(factor, rows)) for j in range(len(rows[0]))]


class Group:
    """States, in units of the group's size, with constraints rows x = right."""

    def __init__(self, draw, name, scales):
        count = draw.randint(1, 4)
        self.size = 10.0 ** draw.choice(scales)
        self.names = [f"{name}{j}" for j in range(count)]
        self.nominal = [draw.choice([1, 1, 2, 10]) for _ in self.names]
        self.start = [None if draw.random() < 0.2 else round(draw.uniform(-5, 5), 2)
                      for _ in self.names]
        self.rows = []
        for _ in range(draw.randint(0, count - 1)):
            row = [0] * count
            for j in draw.sample(range(count), min(count, draw.randint(2, 3))):
                row[j] = draw.choice([1, -1, 2, -2, 0.5, 3])
            if len(independent(self.rows + [row])[0]) > len(self.rows):
                self.rows.append(row)
        values = [value or 0 for value in self.start]
        meets = draw.random() < 0.3
        self.right = [round(sum(map(lambda a, x: a * x, row, values)), 12) if meets else
                      draw.choice([0, round(draw.uniform(-3, 3), 2)]) for row in self.rows]
        given = [j for j, value in enumerate(self.start) if value is not None]
        self.fixed = {draw.choice(given)} if given and draw.random() < 0.2 else set()

    def nearest(self):
        """The consistent values; None: what is fixed contradicts the constraints."""
        values = [value or 0.0 for value in self.start]
        levels = [[j for j, value in enumerate(self.start)
                   if (value is None) == last and j not in self.fixed] for last in (True, False)]
        miss = [b - sum(a * x for a, x in zip(row, values))
                for row, b in zip(self.rows, self.right)]
        if not levels[0] + levels[1] or all(abs(m) < 1e-12 for m in miss):
            return values if all(abs(m) < 1e-12 for m in miss) else None
        # the rows without the states that have no start value, and what they say of the others
        free, given = levels
        table = [[row[j] * self.nominal[j] for j in free + given] + [m]
                 for row, m in zip(self.rows, miss)]
        pivots = []
        for column in range(len(free) + len(given)):
            row = max((i for i in range(len(table)) if i not in pivots),
                      key=lambda i: abs(table[i][column]), default=None)
            if row is None or abs(table[row][column]) < 1e-9:
                continue
            if column >= len(free):
                break
            pivots.append(row)
            for i, other in enumerate(table):
                if i != row:
                    factor = other[column] / table[row][column]
                    table[i] = [a - factor * b for a, b in zip(other, table[row])]
        rest = [row for i, row in enumerate(table) if i not in pivots]
        change = least([row[len(free):-1] for row in rest], [row[-1] for row in rest]) if rest \
            else [0.0] * len(given)
        if change is None:
            return None
        if pivots:
            rows = [table[i][:len(free)] for i in pivots]
            right = [table[i][-1] - sum(a * x for a, x in zip(table[i][len(free):-1], change))
                     for i in pivots]
            change = least(rows, right) + change
        else:
            change = [0.0] * len(free) + change
        for j, moved in zip(free + given, change):
            values[j] += moved * self.nominal[j]
        return values


    def wrong(self, values):
        """What is wrong with these values, in the order of names."""
        wanted = self.nearest()
        wrong = [f"{name} = {value}, not {right * self.size}"
                 for name, value, right, nominal in
                 zip(self.names, values, wanted, self.nominal)
                 if not abs(value / self.size - right) <= NEAR * max(nominal, abs(right))]
        return "; ".join(wrong)


class Curve:
    """Two states on x y = c or x^2 + y^2 = c, or the coordinates and velocities of a pendulum.
    Start values on the curve are kept; others go to a point at which no neighbour is nearer."""

    def __init__(self, draw, name, scales):
        self.size = 10.0 ** draw.choice(scales)
        self.kind = draw.choice(["product", "circle", "pendulum"])
        self.meets = self.kind == "pendulum" or draw.random() < 0.5
        x, y = draw.uniform(0.5, 2), draw.choice([-1, 1]) * draw.uniform(0.5, 2)
        away = 0 if self.meets else draw.uniform(-0.2, 0.2)
        self.names = [f"{name}x", f"{name}y"]
        self.start = [x + away, y + draw.uniform(0, 1) * away]
        self.nominal = [1, draw.choice([1, 1, 3])]
        self.right = x * y if self.kind == "product" else x * x + y * y
        if self.kind == "pendulum":
            turn = draw.uniform(-1, 1)
            self.names += [f"{name}u", f"{name}v"]
            self.start += [-turn * y, turn * x]
            self.nominal = [1] * 4
        self.fixed = set()

    def equations(self, name, rates):
        """Left and right sides; the rates are of the states, from elsewhere."""
        x, y, size = self.names[0], self.names[1], self.size
        square = repr(self.right * size * size)
        if self.kind == "pendulum":
            u, v = self.names[2:]
            return [(f"der({x})", u), (f"der({y})", v), (f"der({u})", f"-L{name}*{x} + {rates[2]}"),
                    (f"der({v})", f"-L{name}*{y} + {rates[3]}"), (f"{x}^2 + {y}^2", square)]
        curve = f"{x}*{y}" if self.kind == "product" else f"{x}^2 + {y}^2"
        return [(f"der({x})", f"L{name} + {rates[0]}"), (f"der({y})", f"-2*L{name} + {rates[1]}"),
                (curve, square)]

    def wrong(self, values):
        """What is wrong with these values, in the order of names."""
        values = [value / self.size for value in values]
        if self.meets:
            moved = max(map(lambda a, b: abs(a - b), values, self.start))
            return f"start values moved by {moved}" if moved > NEAR else ""
        (x, y), (ax, ay) = values, self.start
        miss = (x * y if self.kind == "product" else x * x + y * y) - self.right
        slope = (y, x) if self.kind == "product" else (x, y)
        along = (-slope[1], slope[0])  # no way along the curve leads nearer
        change = (x - ax) / self.nominal[0] ** 2 * along[0] + (y - ay) / self.nominal[1] ** 2 * along[1]
        near = abs(x - ax) + abs(y - ay) < 2
        return "" if abs(miss) < NEAR and abs(change) < NEAR and near else \
            f"{values} from {self.start}: misses {miss}, along the curve {change}"


def side(draw, left, right):
    """An equation, written and scaled in one of several ways."""
    factor = 10.0 ** draw.choice([0, 0, 0, -6, 6])
    if factor != 1:
        left, right = f"{factor}*({left})", f"{factor}*({right})"
    return draw.choice([f"{left} = {right};", f"{right} = {left};", f"({left}) - ({right}) = 0;",
                        f"0 = ({right}) - ({left});", f"-1*({left}) = -1*({right});"])


def sum_of(row, names, size=1.0):
    return " + ".join(f"({a!r})*{name}" for a, name in zip(row, names) if a) or "0"


def through_others(draw, k, left, right, declared):
    """A constraint that contains two algebraic variables, which other equations determine, and
    whose guesses may be far off."""
    guess = [f"(start = {draw.choice([-100, 100])})" if draw.random() < 0.5 else "" for _ in "pq"]
    declared.append(f"Real p{k}{guess[0]}, q{k}{guess[1]};")
    p, q = round(draw.uniform(-2, 2), 2), round(draw.uniform(-2, 2), 2)
    return [side(draw, f"p{k} + q{k} + {left}", f"{p + q!r} + ({right})"),
            side(draw, f"p{k} - q{k}", f"({p - q!r})"),
            side(draw, f"p{k}^3 + q{k}", f"({p**3 + q!r})")]


def declare(group):
    """The declarations of its states."""
    declared = []
    for j, name in enumerate(group.names):
        size = group.nominal[j] * group.size
        given = [] if group.start[j] is None else [f"start = {group.start[j] * group.size!r}"]
        given += ["fixed = true"] if j in group.fixed else []
        given += [f"nominal = {size!r}"] if size != 1 else []
        declared.append(f"Real {name}{'(' + ', '.join(given) + ')' if given else ''};")
    return declared


def rate_of(draw, group, states, most):
    """What other states, and algebraic variables of them, add to the derivative of a state."""
    rate = "0"
    for other, its in draw.sample(states, min(2, len(states))):
        stiff = 10.0 ** draw.uniform(0, most) * group.size / its.size
        rate += f" + ({draw.uniform(-1, 1) * stiff:.4g})*" + draw.choice(
            [other, other, f"{its.size!r}*sin({other}/{its.size!r})"])
    return rate


def linear_lines(draw, g, group, states, most, declared):
    lines = []
    names = [f"L{g}_{i}" for i in range(len(group.rows))]
    declared += [f"Real {name};" for name in names]
    for j, name in enumerate(group.names):
        forces = sum_of([row[j] for row in group.rows], names)
        lines.append(side(draw, f"der({name})*{draw.choice([1, 2, 0.1, 10])}",
                          f"{forces} + {rate_of(draw, group, states, most)}"))
    for i, (row, right) in enumerate(zip(group.rows, group.right)):
        left, right = sum_of(row, group.names), repr(right * group.size)
        if group.size == 1 and draw.random() < 0.2:
            lines += through_others(draw, f"{g}_{i}", left, right, declared)
        else:
            lines.append(side(draw, left, f"({right})"))
    return lines


def drawn_model(draw):
    """The text and the groups; None: what is fixed contradicts the constraints."""
    scales = draw.choice([[0], [0, -3, 3], [-4, 4]])
    groups = [Group(draw, "abcd"[k], scales) for k in range(draw.randint(1, 4))]
    groups += [Curve(draw, "ef"[k], scales) for k in range(draw.randint(0, 2))]
    states = [(name, group) for group in groups for name in group.names]
    most = draw.choice([0, 0, 4, 9])
    declared, lines = [], []
    for g, group in enumerate(groups):
        declared += declare(group)
        if isinstance(group, Group):
            if group.nearest() is None:
                return None
            lines += linear_lines(draw, g, group, states, most, declared)
            continue
        declared.append(f"Real L{g};")
        rates = [rate_of(draw, group, states, most) for _ in group.names]
        lines += [side(draw, left, f"({right})") for left, right in group.equations(g, rates)]
    for k in range(draw.randint(0, 3)):
        (one, of_one), (two, of_two) = draw.choice(states), draw.choice(states)
        known = of_one.start[of_one.names.index(one)] is not None  # else the guess tells of it
        guess = f"(start = {draw.choice([-100, 100])})" if known and draw.random() < 0.5 else ""
        declared.append(f"Real u{k}{guess};")
        lines.append(side(draw, f"u{k}", f"{one}/{of_one.size!r} - sin({two}/{of_two.size!r})"))
    draw.shuffle(declared)
    draw.shuffle(lines)
    text = "model M\n" + "".join(f"  {line}\n" for line in declared)
    return text + "equation\n" + "".join(f"  {line}\n" for line in lines) + "end M;\n", groups


def judge(number):
    """The text of a model, and what is wrong with its start; None: there is no such model."""
    model = drawn_model(random.Random(f"released {number}"))
    if model is None:
        return None
    text, groups = model
    done = daedal.run(["init", "-", "--json"], text)
    if done.code != 0:
        return text, f"status {done.code}: {done.err}"
    values = json.loads(done.out)["values"]
    wrong = [group.wrong([values[name] for name in group.names]) for group in groups]
    return text, "; ".join(filter(None, wrong))


class Released(unittest.TestCase):
    def test_start_values_that_cannot_hold_go_to_the_nearest_consistent_ones(self):
        by_seed.all_right(self, judge, range(daedal.of_grid(120, 80, 40)), 20)


if __name__ == "__main__":
    by_seed.main(lambda seed, models: by_seed.count_wrong(judge, seed, models))
