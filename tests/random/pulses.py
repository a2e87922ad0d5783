"""Half-wave rectifiers by the exponential law of a diode, in units of their own.

Each period the mains charge the capacitor in a short pulse; without it the voltage decays slowly,
so that steps grow. A step over a pulse meets the equations at its ends and stages, and within the
pulse they have no value: along a voltage that has not followed it the exponential law overflows.
Where the current is solved for and the voltage at the diode follows, nothing else shows the pulse;
which of them that is depends on their units.

Without arguments, some are tested. `pulses.py --seed 7 --count 300` judges so many models and
prints those that are wrong or stop."""

import math
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

PERIODS, STEPS = 8, 4000
ALLOWED = 2e-3  # of the amplitude: a pulse that is missed counts for some hundredths of it
METHODS = ("auto", "auto", "radau", "radau-iia5", "bdf", "mebdf", "rodas5p")


class Rectifier:
    def __init__(self, seed):
        draw = random.Random(f"pulse {seed}")
        self.peak, self.vt = draw.uniform(60, 400), draw.uniform(0.025, 0.06)
        self.r, self.load = draw.uniform(1, 20), draw.uniform(200, 2000)
        self.c = draw.uniform(2, 20)/(50*self.load)
        self.rtol = 10**draw.uniform(-7, -3)
        self.method = draw.choice(METHODS)
        self.unit = {name: draw.choice([1e-3, 1, 1e3]) for name in ("vs", "vd", "i", "vc")}

    def text(self):
        unit = self.unit
        vs, vd, i, vc = (f"({name}/{unit[name]!r})" for name in unit)
        declared = ", ".join(f"{name}(nominal = {unit[name]!r}{', start = 0, fixed = true' if name == 'vc' else ''})"
                             for name in unit)  # fmt: skip
        return (f"model R Real {declared};\nequation\n{vs} = {self.peak!r}*sin(100*3.141592653589793*time);\n"
                f"{vs} = {self.r!r}*{i} + {vd} + {vc};\n{i} = 1e-9*(exp({vd}/{self.vt!r}) - 1);\n"
                f"{self.c!r}*der({vc}) = {i} - {vc}/{self.load!r};\nend R;\n")  # fmt: skip

    def current(self, drop, i):
        """r i + vt ln(1 + i/1e-9) = drop, from a guess."""
        if drop <= 0:
            return 0.0  # but for 1e-9 A
        i = max(i, 0.0)
        for _ in range(40):  # from the left of the root of a concave function
            slope = self.r + self.vt/(i + 1e-9)
            change = (drop - self.r*i - self.vt*math.log1p(i/1e-9))/slope
            i = i + change if i + change > 0 else i/2
            if abs(change) <= 1e-12*i:
                break
        return i

    def ends(self):
        """The voltage at the end of each period, by Runge-Kutta steps of order 4."""
        h, v, i, found = 0.02/STEPS, 0.0, 0.0, []

        def slope(t, v):
            nonlocal i
            i = self.current(self.peak*math.sin(100*math.pi*t) - v, i)
            return (i - v/self.load)/self.c

        for k in range(PERIODS*STEPS):
            t = k*h
            if k % STEPS == STEPS//2:  # the mains are negative: the capacitor empties alone
                v *= math.exp(-0.01/(self.load*self.c))
            if k % STEPS < STEPS//2:
                a = slope(t, v)
                b = slope(t + h/2, v + h/2*a)
                c = slope(t + h/2, v + h/2*b)
                v += h/6*(a + 2*b + 2*c + slope(t + h, v + h*c))
            if k % STEPS == STEPS - 1:
                found.append(v)
        return found


def judge(seed):
    """What is wrong; '' if nothing is."""
    d = Rectifier(seed)
    at = ",".join(repr(0.02*(k + 1)) for k in range(PERIODS))
    choice = [] if d.method == "auto" else [f"--method={d.method}"]
    done = daedal.run(["run", "-", f"--stop={0.02*PERIODS!r}", f"--at={at}", f"--rtol={d.rtol!r}", f"--atol={d.rtol!r}",
                       "--quiet", "--vars=vc", *choice], d.text())  # fmt: skip
    if done.code != 0:
        return "stops: " + done.err.strip()
    for row, wanted in zip(daedal.rows(done.out)[1], d.ends()):
        found = row["vc"]/d.unit["vc"]
        if not abs(found - wanted) <= (ALLOWED + 10*d.rtol)*d.peak:
            return f"vc at t = {row['time']:g} is {found:.5g} and not {wanted:.5g} ({d.method}, rtol = {d.rtol:.1g}, {d.unit})"
    return ""


class Pulses(unittest.TestCase):
    def test_no_pulse_is_missed(self):
        for seed in range(daedal.of_grid(30, 20, 10)):
            with self.subTest(seed=seed):
                self.assertEqual(judge(seed), "")


def count(seed, models):
    stopped = wrong = 0
    for number in range(seed, seed + models):
        told = judge(number)
        stopped += told.startswith("stops")
        wrong += told != "" and not told.startswith("stops")
        if told:
            print(f"seed {number}: {told}", flush=True)
    print(f"{models} models, {models - stopped - wrong} right, {stopped} stopped, {wrong} wrong")


if __name__ == "__main__":
    by_seed.main(count)
