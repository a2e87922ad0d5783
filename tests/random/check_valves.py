"""Tanks with check valves between them, by a parameter s as ideal diodes are written, and by a root of the difference
of the levels. The slope of s is infinite where a valve opens or closes. Both writings have the same levels.

Without arguments, some are tested. `check_valves.py --seed 7 --count 300` judges so many models and prints those
that are wrong."""

import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

METHODS = ["auto", "auto", "bdf", "mebdf", "radau", "radau-iia5", "esdirk4", "rodas5p"]
RTOLS = [1e-4, 1e-6, 1e-7, 1e-8]

# The difference D of levels and the flow Q, by S > 0 where the valve is open.
FORMS = {
    "one relation": "D = if S > 0 then (S/K)^2 else L*S; Q = if S > 0 then S else 0;",
    "the other side": "D = if S < 0 then L*S else (S/K)^2; Q = if S < 0 then 0 else S;",
    "closed": "C = S < 0; D = if C then L*S else (S/K)^2; Q = if C then 0 else S;",
    "open": "C = S > 0; 0 = D - (if C then S^2/K^2 else L*S); Q = if C then S else 0;",
    "bends": "D = max(S, 0)^2/K^2 + L*min(S, 0); Q = max(S, 0);",
    "mixed": "D = if S > 0 then (S/K)^2 else L*S; Q = max(S, 0);",
}
ROOT = "S = 0; Q = K*sqrt(max(D, 0));"


class Tanks:
    """A row of tanks with valves along it, a pipe back, and pumps."""

    def __init__(self, draw):
        self.count = draw.randint(2, 5)
        self.level = [round(draw.uniform(0.3, 2), 3) for _ in range(self.count)]
        self.area = [round(draw.uniform(0.5, 2), 3) for _ in range(self.count)]
        self.valve = [round(draw.uniform(0.05, 0.5), 3) for _ in range(self.count - 1)]
        self.slope = [draw.choice([1, round(draw.uniform(0.1, 50), 2)]) for _ in range(self.count - 1)]
        self.form = draw.choice(sorted(FORMS))
        self.counts = draw.random() < 0.3
        self.pipe = round(draw.uniform(3, 20), 2)
        self.pump = [0]*self.count
        for k in draw.sample(range(self.count), draw.randint(1, 2)):
            self.pump[k] = round(draw.uniform(0.005, 0.05), 4)
        self.rate = round(draw.uniform(0.02, 0.2), 3)
        self.wave = draw.choice(["sin({w}*time)", "(if time < {T}/2 then 1 else -0.2)", "1 - 2*cos({w}*time)^2"])
        self.stop = round(draw.uniform(100, 400))

    def text(self, law):
        numbers = range(1, self.count + 1)
        booleans = "C[{0}], ".format(self.count - 1) if "C =" in law else ""
        lines = [f"model T Real h[{self.count}](start = {{{', '.join(map(str, self.level))}}}, each fixed = true);",
                 f"  Real s[{self.count - 1}](each start = 0.01), q[{self.count - 1}], d[{self.count - 1}], r;",
                 f"  Boolean {booleans}up; Integer n(start = 0, fixed = true);", "equation"]
        for k in numbers[:-1]:
            lines.append(f"  d[{k}] = h[{k}] - h[{k + 1}];")
            one = law
            for name, by in [("D", f"d[{k}]"), ("S", f"s[{k}]"), ("Q", f"q[{k}]"), ("C", f"C[{k}]"),
                             ("K", str(self.valve[k - 1])), ("L", str(self.slope[k - 1]))]:
                one = "".join(by if part == name else part for part in split(one))
            lines.append("  " + one)
        lines.append(f"  r = (h[{self.count}] - h[1])/{self.pipe};")
        lines.append("  up = " + ("s[1] > 0;" if self.counts and law != ROOT else "time > 0;"))
        lines.append("  when change(up) then n = pre(n) + 1; end when;")
        wave = self.wave.format(w=self.rate, T=self.stop)
        for k in numbers:
            flows = [f"q[{k - 1}]"]*(k > 1) + [f"-q[{k}]"]*(k < self.count)
            flows += ["r"]*(k == 1) + ["-r"]*(k == self.count) + [f"{self.pump[k - 1]}*({wave})"]
            lines.append(f"  {self.area[k - 1]}*der(h[{k}]) = " + " + ".join(flows) + ";")
        return "\n".join(lines + ["end T;\n"]).replace("+ -", "- ")


def split(law):
    """Its words, with what is between them."""
    parts, word = [], ""
    for letter in law:
        if letter.isalnum():
            word += letter
        else:
            parts += [word, letter]
            word = ""
    return parts + [word]


def levels(text, tanks, options):
    found = daedal.run(["run", "--stop", tanks.stop, "--points", "9", "--vars", "h", *options, "-"], text)
    if found.code != 0:
        return None, found.err
    return [list(map(float, row.split(",")[1:])) for row in found.out.split()[1:]], found.err


def judge(number):
    """A model and what is wrong with it."""
    draw = random.Random(f"check valves {number}")
    tanks = Tanks(draw)
    options = ["--method", draw.choice(METHODS), "--rtol", draw.choice(RTOLS)]
    text = tanks.text(FORMS[tanks.form])
    wanted, why = levels(tanks.text(ROOT), tanks, ["--rtol", "1e-9", "--method", "mebdf"])
    if wanted is None:
        return None
    found, err = levels(text, tanks, [*options, "--max-steps", "30000"])
    about = f"{' '.join(map(str, options))}, {tanks.form}\n{text}"
    if found is None:
        return about, "stopped: " + err.split("daedal: ")[-1]
    off = max(abs(a - b) for one, other in zip(found, wanted) for a, b in zip(one, other))
    return about, f"off by {off:.3g}" if off > 100*options[3] else ""


# Draws in which a valve is within rounding of closed as another one opens, and one whose law is a
# definition of D.
CLOSE = [50024, 60019, 120088]


class CheckValves(unittest.TestCase):
    def test_close_events(self):
        by_seed.all_right(self, judge, CLOSE, len(CLOSE) - 1)

    def test_some(self):
        by_seed.all_right(self, judge, range(daedal.of_grid(120, 16, 6)), 3)


if __name__ == "__main__":
    by_seed.main(lambda seed, models: by_seed.count_wrong(judge, seed, models))
