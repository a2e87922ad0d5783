"""Peak detectors: a source, one ideal diode, and a capacitor that a load may empty.

The diode conducts through a small resistance R, so that its current (u - v)/R follows from the
voltages with 1/R times their errors: it turns off where the integrated current ends, not where that
difference of the voltages of a polynomial does. It is written by a parameter s along its curve, or
in several ways by the voltages themselves: then what switches is that difference, which may be far
below the tolerance as long as the diode conducts, and what Newton's iteration leaves of it, or an
explicit step, may be on either side of 0. In each mode the voltage is a sine and an exponential
function, so that it is known at all times. Rectifiers are detectors of 10 V with resistances down to 1e-10 Ohm.

Without arguments, some are tested. `detectors.py --seed 7 --count 300` judges so many models of
each kind and writing and prints those that are wrong or stop."""

import cmath
import math
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

ALLOWED = 100  # tolerances
POINTS = 40
WRITINGS = {  # declared, equations
    "parameter": ("Real s; Boolean off = s < 0;", "u - v = if off then s else [R]*s; i = if off then 0 else s;"),
    "voltages": ("Boolean off = u < v;", "i = if off then 0 else (u - v)/[R];"),
    "branches": ("", "i = if u > v then (u - v)/[R] else 0;"),
    "larger": ("", "i = max(0, u - v)/[R];"),
    "product": ("", "[R]*i = if u > v then u - v else 0;"),
    "folded": ("", "i = (abs(u - v) + (u - v))/(2*[R]);"),
    "drop": ("Real s;", "s = u - v; [R]*i = if s > 0 then s else 0;"),
}
WITHOUT_ALGEBRAIC = ("voltages", "branches", "larger", "folded")  # explicit methods refuse the others
METHODS = ("auto", "auto", "auto", "radau", "bdf", "mebdf", "esdirk4", "radau-iia5")
MORE_METHODS = ("radau-iia3", "rodas4", "rodas5p", "kvaerno5")


class Detector:
    def __init__(self, seed):
        draw = random.Random(f"detector {seed}")
        self.a, self.w, self.p = draw.uniform(0.3, 3), draw.uniform(0.5, 9), draw.uniform(-3, 3)
        self.r = 10**draw.uniform(-10, -3)
        self.load = draw.choice([0, 0, self.w*10**draw.uniform(-2, 0)])  # 1/(R C) of the load
        # not so tight that rounding of the current is more than its tolerance
        self.rtol = max(10**draw.uniform(-9, -4), 1e-14/self.r)
        self.method = draw.choice(METHODS)
        self.stop = draw.uniform(1, 3)*2*math.pi/self.w
        u = self.source(0)
        self.start = draw.choice([u, round(u, 4), draw.uniform(-self.a, self.a)])
        self.method = draw.choice([self.method, self.method, *MORE_METHODS])
        # not so small that the tolerance of the current, of which the square counts, is that of v
        self.c = draw.choice([1, max(10**draw.uniform(-6, 0), 3*math.sqrt(self.rtol/(2*self.a))/self.w)])

    def source(self, t):
        return self.a*math.sin(self.w*t + self.p)

    def text(self, writing):
        declared, rows = WRITINGS[writing]
        for name, value in (("R", f"{self.r/self.c!r}"), ("U", "(u - v)")):
            rows = rows.replace(f"[{name}]", value)
        return (f"model D Real v(start = {self.start!r}, fixed = true), i, "
                f"u = {self.a!r}*sin({self.w!r}*time + ({self.p!r})); {declared}\n"
                f"equation {rows}\n{self.c!r}*der(v) = i - {self.load*self.c!r}*v; end D;\n")  # fmt: skip

    def exact(self, times):
        """v at ascending times."""
        found, t, v = [], 0, self.start
        on = self.source(0) > v or (self.source(0) == v and math.cos(self.p)*self.a*self.w > -self.load*v)
        while len(found) < len(times):
            value, left = (self.conducts if on else self.blocks)(t, v, times[-1])
            found += [value(x) for x in times[len(found):] if x <= left]
            t, v, on = left, value(left), not on
        return found

    def conducts(self, t0, v0, stop):
        """The voltage from t0 on, and when the current ends: v' = (u - v)/r - load v."""
        fast = 1/self.r + self.load
        part = self.a*(self.load + 1j*self.w)/(fast + 1j*self.w)

        def gap(t):  # u - v without the exponential function
            return (part*cmath.exp(1j*(self.w*t + self.p))).imag

        def drop(t):
            return gap(t) + (self.source(t0) - v0 - gap(t0))*math.exp(-fast*(t - t0))

        step, low, high = min(0.1/fast, 0.01/self.w), t0, t0 + 1e-3*min(1/fast, 0.01/self.w)
        while drop(high) > 0 and high <= stop:
            low, high = high, high + step
            step = min(1.1*step, 0.01/self.w)
        return lambda t: self.source(t) - drop(t), first(lambda t: drop(t) <= 0, low, high)

    def blocks(self, t0, v0, stop):
        """The same, and when the voltage at the diode is positive again."""
        def value(t):
            return v0*math.exp(-self.load*(t - t0))

        def falls(t):
            return self.a*self.w*math.cos(self.w*t + self.p) + self.load*value(t) <= 0

        def opens(t):
            return self.source(t) >= value(t)

        low, high = t0, t0 + 1e-3/self.w  # it ends where u falls
        while not opens(high) and high <= stop:
            low, high = high, high + 0.01/self.w
            top = first(falls, low, high) if falls(high) and not falls(low) else high
            high = top if opens(top) else high
        return value, first(opens, low, high)


class Rectifier(Detector):
    """With a current that is not below its tolerance, and by rounding not more exact than that."""

    def __init__(self, seed):
        draw = random.Random(f"rectifier {seed}")
        self.a, self.w, self.p = 10, draw.choice([1, 20, 100*math.pi]), draw.choice([0, draw.uniform(-3, 3)])
        resistance = 10**draw.uniform(-10, -6)
        self.rtol = max(10**draw.uniform(-7, -4), 3e-14/resistance)
        rounding = sys.float_info.epsilon*math.sqrt(32*self.a/self.rtol)/(resistance*self.w)
        self.c = max(10**draw.uniform(-4, 0), 3*math.sqrt(self.rtol/(2*self.a))/self.w, rounding)
        self.r = resistance*self.c
        self.load = draw.choice([0, self.w*10**draw.uniform(-2, 0)])
        self.stop = draw.uniform(1, 3)*2*math.pi/self.w
        self.start = draw.choice([self.source(0), 0.0])
        self.method = draw.choice(("auto", "radau", "radau-iia5", "bdf", "bdf", "mebdf", "mebdf"))


class Explicit(Detector):
    """Steps by an explicit method, none of which is longer than the fast motion allows."""

    def __init__(self, seed):
        super().__init__(seed)
        draw = random.Random(f"explicit {seed}")
        self.r, self.rtol = 10**draw.uniform(-5, -3), 10**draw.uniform(-7, -3)
        if self.c != 1:
            self.c = max(self.c, 3*math.sqrt(self.rtol/(2*self.a))/self.w)
        self.method = draw.choice(("dopri5", "dop853"))


KINDS = {  # the seeds of the test, the writings
    Detector: (daedal.of_grid(24, 12, 4), tuple(WRITINGS)),
    Rectifier: (daedal.of_grid(30, 15, 4), tuple(WRITINGS)),
    Explicit: (daedal.of_grid(12, 6, 2), WITHOUT_ALGEBRAIC),
}


def first(holds, low, high):
    """From where on a condition holds that does so at one end."""
    for _ in range(100):
        middle = (low + high)/2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def judge(kind, seed, writing):
    """What is wrong; '' if nothing is."""
    d = kind(seed)
    choice = [] if d.method == "auto" else [f"--method={d.method}"]
    done = daedal.run(["run", "-", f"--stop={d.stop!r}", f"--points={POINTS}", f"--rtol={d.rtol!r}", "--quiet",
                       "--vars=v", *choice], d.text(writing))  # fmt: skip
    if done.code != 0:
        return "stops: " + done.err.strip()
    rows = daedal.rows(done.out)[1]
    for row, wanted in zip(rows, d.exact([row["time"] for row in rows])):
        miss = abs(row["v"] - wanted)/(d.rtol*(1 + abs(wanted)))
        if not miss <= ALLOWED:
            return f"v at t = {row['time']:g} is {miss:.3g} tolerances off ({d.method}, R = {d.r:.2g}, rtol = {d.rtol:.2g})"
    return ""


class Detectors(unittest.TestCase):
    def test_detectors_hold_their_peaks(self):
        for kind, (seeds, writings) in KINDS.items():
            for seed in range(seeds):
                for writing in writings:
                    with self.subTest(kind=kind.__name__, seed=seed, writing=writing):
                        self.assertEqual(judge(kind, seed, writing), "")

    def test_a_diode_opens_at_the_top_of_its_source(self):
        # and is off again soon: y' of the polynomial does not tell when
        self.assertEqual(judge(Rectifier, 5026, "voltages"), "")


def count(seed, models):
    for kind, (_, writings) in KINDS.items():
        told = [judge(kind, number, writing) for number in range(seed, seed + models) for writing in writings]
        stopped = sum(one.startswith("stops") for one in told)
        for k, one in enumerate(told):
            if one:
                print(f"{kind.__name__}, seed {seed + k//len(writings)}, by {writings[k % len(writings)]}: {one}", flush=True)
        wrong = len(told) - told.count("") - stopped
        print(f"{kind.__name__}: {len(told)} models, {wrong} wrong, {stopped} stopped")


if __name__ == "__main__":
    by_seed.main(count)
