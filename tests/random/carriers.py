"""Pulse-width modulation: carriers of time against levels, some of which change at events.

What switches is known beforehand, each carrier by itself, so that the on-times are sums of roots of one scalar function
each, which is halved here. Some levels are held and change at each event of another carrier: what is known of the next
crossing holds no more then.

Without arguments, some are tested, and what one event costs beside many relations of time that it does not change.
`carriers.py --seed 7 --count 300` judges so many models and prints those that are wrong or stop."""

import json
import math
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

ALLOWED = 1e-7  # of the time: states have derivatives that are constant between events


class Carrier:
    """A carrier of a period, with a phase, that rises, falls or does both, and a level: a number, a sine, or a number
    that the edges of `leader` add to."""

    def __init__(self, draw, number, leader):
        self.number, self.leader = number, leader
        self.period = draw.choice([0.01, 0.02, 0.05])*draw.choice([1, 1.1])
        self.phase = draw.uniform(0.02, 0.98)
        self.shape = draw.choice(["saw", "fall", "triangle"])
        self.mean, self.swing, self.turn = draw.uniform(0.4, 0.6), draw.uniform(0.1, 0.3), draw.uniform(3, 20)
        self.level = draw.choice(["held", "sine"] if leader else ["number", "sine"])
        self.step = draw.uniform(0.02, 0.1)

    def texts(self):
        """Declarations and equations."""
        n = self.number
        u = f"mod(time/{self.period!r} + {self.phase!r}, 1)"
        carrier = {"saw": u, "fall": f"1 - {u}", "triangle": f"abs(2*{u} - 1)"}[self.shape]
        level = {"number": repr(self.mean), "held": f"h{n}",
                 "sine": f"{self.mean!r} + {self.swing!r}*sin({self.turn!r}*time)"}[self.level]  # fmt: skip
        declared = f"Boolean s{n}; Real x{n}(start = 0, fixed = true);"
        equations = f"s{n} = {carrier} < {level}; der(x{n}) = if s{n} then 1 else 0;\n"
        if self.level == "held":
            declared += f" discrete Real h{n}(start = {self.mean!r}, fixed = true);"
            equations += (f"when s{self.leader.number} then h{n} = if pre(h{n}) > 0.75 then {self.mean!r} else "
                          f"pre(h{n}) + {self.step!r}; end when;\n")  # fmt: skip
        return declared, equations

    def carrier(self, t):
        u = math.fmod(t/self.period + self.phase, 1)
        return {"saw": u, "fall": 1 - u, "triangle": abs(2*u - 1)}[self.shape]

    def breaks(self, stop):
        """Where the carrier jumps or bends, and where its level does."""
        half = 0.5 if self.shape == "triangle" else 1
        k = [k*half for k in range(1, int(stop/self.period/half) + 3)]
        found = [self.period*(i - self.phase) for i in k] + (self.leader.rises if self.level == "held" else [])
        return sorted(t for t in found if 0 < t < stop) + [stop]

    def held(self, a):
        """The level right after a where it is held."""
        value = self.mean
        for t in self.leader.rises:
            if t <= a:
                value = self.mean if value > 0.75 else value + self.step
        return value

    def follow(self, stop):
        """The intervals in which it is on, and where it rises."""
        self.on, self.rises, before, a = [], [], None, 0
        for b in self.breaks(stop):
            held = self.held(a) if self.level == "held" else self.mean
            level = (lambda t: self.mean + self.swing*math.sin(self.turn*t)) if self.level == "sine" else lambda t: held

            def is_on(t):
                return self.carrier(t) < level(t)

            low, high = a + 1e-9*(b - a), b - 1e-9*(b - a)  # of one sign, or with one change between them
            first, last = is_on(low), is_on(high)
            c = b
            if first != last:
                while high - low > 1e-15:
                    middle = low + 0.5*(high - low)
                    if middle in (low, high):
                        break
                    low, high = (middle, high) if is_on(middle) == first else (low, middle)
                c = high
            for begin, end, now in ((a, c, first), (c, b, last)):
                if begin == end:
                    continue
                if now:
                    self.on.append((begin, end))
                if now and before is False:
                    self.rises.append(begin)
                before = now
            a = b

    def time_on(self, t):
        return sum(min(end, t) - begin for begin, end in self.on if begin < t)


def drawn(seed):
    draw = random.Random(f"carriers {seed}")
    carriers = []
    for number in range(1, draw.randint(2, 6) + 1):
        numbers = [c for c in carriers if c.level != "held"]
        leader = draw.choice(numbers) if numbers and draw.random() < 0.5 else None
        carriers.append(Carrier(draw, number, leader))
    return carriers


def fault(seed, stop=0.4):
    """What is wrong, and the text."""
    carriers = drawn(seed)
    parts = [c.texts() for c in carriers]
    text = f"model C {' '.join(d for d, e in parts)}\nequation\n{''.join(e for d, e in parts)}end C;\n"
    for c in carriers:
        c.follow(stop)
    at = [stop*k/7 for k in range(1, 8)]
    run = daedal.run(["run", "-", "--quiet", f"--stop={stop}", f"--at={','.join(map(repr, at))}"], text)
    if run.code != 0:
        return "stops: " + run.err, text
    names, *lines = (line.split(",") for line in run.out.splitlines())
    for line in lines:
        values = dict(zip(names, map(float, line)))
        for c in carriers:
            right, found = c.time_on(values["time"]), values[f"x{c.number}"]
            if abs(found - right) > ALLOWED*stop:
                return f"x{c.number}({values['time']}) is {found} and not {right}", text
    return "", text


def judge(seed):
    found, text = fault(seed)
    return text, found


IDLE = 60


def seconds(level):
    """Of a run with one carrier, and as many relations as IDLE that it leaves alone."""
    text = (f"model I Boolean s, q[{IDLE}]; Real x(start = 0, fixed = true);\nequation\ns = mod(time, 1) < 0.3; "
            f"der(x) = if s then 1 else 0;\nfor k in 1:{IDLE} loop\nq[k] = {level} > 2*k;\nend for;\nend I;\n")  # fmt: skip
    run = daedal.run(["run", "-", "--quiet", "--stats", "--points=2", "--stop=60"], text)
    assert run.code == 0, run.err
    stats = json.loads(next(line for line in run.err.splitlines() if line.startswith("{")))
    return stats["cpu_seconds"]


class Carriers(unittest.TestCase):
    def test_on_times_are_those_of_each_carrier(self):
        by_seed.all_right(self, judge, range(12), 11)

    def test_an_event_costs_no_search_of_relations_that_it_leaves_alone(self):
        """A level that bends has its crossings sought by bounds, and one that does not by a division: an event costs
        about the same of both. Searches anew would make it some 10 times as much."""
        straight = min(seconds("0.1*time") for _ in range(3))
        curved = min(seconds("0.1*time + exp(-time)*sin(7*time)") for _ in range(3))
        self.assertLess(curved, 4*straight)


def count(seed, models):
    by_seed.count_wrong(judge, seed, models)


if __name__ == "__main__":
    by_seed.main(count)
