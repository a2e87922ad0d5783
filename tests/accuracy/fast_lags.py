"""Fast lags with limits, relays and steps, drawn at random: what implicit methods make of them
against an explicit method, whose steps show each fast motion."""

import os
import random
import unittest

from simulation import daedal

COUNT = int(os.environ.get("DAEDAL_COUNT", "5" if daedal.THINNED else "60"))
METHODS = ["auto", "radau", "radau-iia5", "rodas5p", "kvaerno5", "bdf"]
STOP, POINTS = 3, 31
WITHIN = 300  # tolerances, of the size of the variable: errors of instants add up


def number(value):
    return repr(round(value, 4)) if value >= 0 else f"({round(value, 4)!r})"


class Draw:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def between(self, low, high):
        return number(self.rng.uniform(low, high))

    def lag(self):
        return f"{10 ** self.rng.uniform(-5, -2.5):.3e}"

    def source(self):
        at, u = self.between(0.2, 0.8), self.between
        return self.rng.choice([
            f"{u(0.5, 2)}*sin({u(1, 6)}*time)",
            f"(if time > {at} then {u(-2, 2)} else {u(-1, 1)})",
            f"(if time > {at} then {u(-5, 5)}*(time - {at}) else 0)",
            f"({u(-1, 1)} + {u(-2, 2)}*time)"])

    def limit(self, of):
        at = self.between(0.3, 3)
        return self.rng.choice([
            f"max(-{at}, min({at}, {of}))",
            f"(if {of} > {at} then {at} else {of})",
            f"max(-{self.between(0, 1)}, {of})",
            f"(if {of} > {at} then {at} + 0.2*({of} - {at}) else {of})",
            f"(if {of} < -{at} then -{at} else {of})"])

    def rate_limiter(self):
        follows = self.limit(f"((u - y)/{self.lag()})")
        return (f"Real u, y(start = {self.between(-1, 1)}, fixed = true); equation "
                f"u = {self.source()} + {self.source()}; der(y) = {follows}; "
                f"der(x) = y - {self.between(0.5, 3)}*x;")

    def trigger(self):
        gain = self.rng.choice([20, 200, 2000])
        return (f"Real o(start = 1, fixed = true), d; equation d = {self.between(0.2, 0.7)}*o - x; "
                f"{self.lag()}*der(o) = -o + max(-1, min(1, {gain}*d)); "
                f"{self.between(0.05, 0.3)}*der(x) = o - x;")

    def controller(self):
        return (f"Real a(start = 0, fixed = true), i(start = 0, fixed = true), e, c; equation "
                f"e = {self.source()} - x; der(i) = e; "
                f"c = {self.between(1, 20)}*e + {self.between(0, 5)}*i; "
                f"{self.lag()}*der(a) = {self.limit('c')} - a; "
                f"der(x) = a - {self.between(0.2, 2)}*x;")

    def two_lags(self):
        first = self.limit(f"({self.between(2, 20)}*({self.source()} - x))")
        second = self.limit(f"({self.between(1, 6)}*a)")
        return (f"Real a(start = 0, fixed = true), b(start = 0, fixed = true); equation "
                f"{self.lag()}*der(a) = {first} - a; {self.lag()}*der(b) = {second} - b; "
                "der(x) = b;")

    def jumps(self):
        return (f"Real w(start = 1.5, fixed = true); equation {self.lag()}*der(w) = "
                "(if w > 1 then 2 - w else if w < -1 then -2 - w else w) - x; "
                f"der(x) = w - {self.between(0, 0.4)}*x + "
                f"{self.between(0, 0.3)}*sin(time*{self.between(1, 5)});")

    def model(self):
        kind = self.rng.choice([self.rate_limiter, self.trigger, self.controller, self.two_lags,
                                self.jumps])
        return f"model M Real x(start = {self.between(-0.5, 0.5)}, fixed = true); {kind()} end M;"


def course(text, method, rtol):
    arguments = ["run", "-", "-q", f"--stop={STOP}", f"--points={POINTS}", "--vars=x",
                 f"--method={method}", f"--rtol={rtol}", "--max-steps=5000000"]
    run = daedal.run(arguments, text)
    if run.code:
        return run.err
    return [float(line.split(",")[1]) for line in run.out.splitlines()[1:]]


class FastLags(unittest.TestCase):
    def test_fast_motions_switch_in_time(self):
        for seed in range(COUNT):
            text = Draw(seed).model()
            exact = course(text, "dop853", 1e-9)
            self.assertIsInstance(exact, list, f"{text}\n{exact}")
            size = max(1, *map(abs, exact))
            for k, method in enumerate(METHODS):
                if daedal.THINNED and method != "auto" and k % 3 != seed % 3:
                    continue
                for rtol in 1e-4, 1e-6:
                    found = course(text, method, rtol)
                    self.assertIsInstance(found, list, f"{text}\n{method} {rtol} {found}")
                    # a row may lie within the jump of a fast motion
                    off = sorted(abs(a - b) for a, b in zip(found, exact))[-3] / size
                    self.assertLess(off, WITHIN * rtol, f"{text}\n{method} {rtol}")


if __name__ == "__main__":
    unittest.main()
