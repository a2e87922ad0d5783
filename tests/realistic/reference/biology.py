"""Biology and pharmacokinetics."""

import math

import numpy as np
from common import Case, case, grid


@case("biology/HodgkinHuxley")
def hodgkin_huxley():
    def currents(x):
        v, m, h, n = x
        return 120 * m**3 * h * (v - 115), 36 * n**4 * (v + 12), 0.3 * (v - 10.613)

    def rhs(t, x):
        v, m, h, n = x
        i = 10 * (math.tanh((t - 5) / 0.02) - math.tanh((t - 6) / 0.02))
        am, an = 0.1 * (25.001 - v) / math.expm1((25.001 - v) / 10), 0.01 * (
            10.001 - v
        ) / math.expm1((10.001 - v) / 10)
        return [
            i - sum(currents(x)),
            am * (1 - m) - 4 * math.exp(-v / 18) * m,
            0.07 * math.exp(-v / 20) * (1 - h) - h / (math.exp((30 - v) / 10) + 1),
            an * (1 - n) - 0.125 * math.exp(-v / 80) * n,
        ]

    def out(t, x):
        return {"V": x[0], "m": x[1], "h": x[2], "n": x[3], "INa": currents(x)[0]}

    start = [0, 0.0529, 0.5961, 0.3177]
    return Case(
        grid(25),
        start,
        rhs,
        out,
        methods=("DOP853", "Radau"),
        breaks=[4.9, 5, 5.1, 5.9, 6, 6.1],
        typical=[100, 1, 1, 1],
    )


@case("biology/Phenytoin")
def phenytoin():
    def rhs(t, x):
        tablet, gut, a, p = x
        c = a / 45
        return [
            -2.5 * tablet,
            2.5 * tablet - 0.6 * gut,
            0.6 * gut - 0.35 * a + 0.22 * p - 18 * c / (4.5 + c),
            0.35 * a - 0.22 * p,
        ]

    def out(t, x):
        return {"gut": x[1], "A": x[2], "P": x[3], "c": x[2] / 45, "gone": 300 - sum(x)}

    return Case(
        grid(72, 12),
        [300, 0, 0, 0],
        rhs,
        out,
        methods=("DOP853", "Radau"),
        typical=[300, 150, 150, 150],
    )


@case("biology/Antibody")
def antibody():
    def bound(total, target):
        # the smaller root of (L - b)(R - b) = KD b
        s = total + target + 0.08
        return 2 * total * target / (s + math.sqrt(s * s - 4 * total * target))

    def free(total, target):
        """L - b as the positive root of its own equation, without cancellation."""
        s = total - target - 0.08
        root = math.sqrt(s * s + 4 * 0.08 * total)
        return (s + root) / 2 if s > 0 else 2 * 0.08 * total / (root - s)

    def rhs(t, x):
        total, target, p = x
        b, lf = bound(total, target), free(total, target)
        return [
            -0.11 * lf - 1.6 * b - 0.25 * lf + 0.2 * p,
            4.2 * (9 - (target - b)) - 1.6 * b,
            0.25 * lf - 0.2 * p,
        ]

    def out(t, x):
        return {"L": x[0], "Rt": x[1], "P": x[2], "LR": bound(x[0], x[1]), "Lf": free(x[0], x[1])}

    return Case(grid(30), [120, 9, 0], rhs, out, typical=[120, 20, 50])


@case("biology/Repressilator")
def repressilator():
    def rhs(t, x):
        x = np.asarray(x)
        m, p = x[:3], x[3:]
        rate = 30 / (1 + np.power(np.roll(p, 1) / 40, 2.1))
        return np.concatenate([0.03 + rate - 0.35 * m, 0.7 * m - 0.07 * p])

    def out(t, x):
        return {"m[1]": x[0], "m[3]": x[2], "p[1]": x[3], "p[2]": x[4], "p[3]": x[5]}

    return Case(grid(300), [0, 10, 3, 20, 5, 60], rhs, out, methods=("DOP853", "Radau"))


@case("biology/Glucose")
def glucose():
    def rhs(t, x):
        g, r, i = x
        meal = 5 * (1 + math.tanh((t - 20) / 4)) * math.exp(-t / 60)
        beta = 0.06 * (g - 92) / (1 + math.exp(-(g - 92) / 2))
        return [
            -(0.015 + r) * g + 0.015 * 92 + meal / 1.6,
            0.025 * (5e-4 * (i - 9) - r),
            beta - 0.2 * (i - 9),
        ]

    def out(t, x):
        return {"G": x[0], "X": x[1], "I": x[2]}

    return Case(
        grid(300),
        [92, 0, 9],
        rhs,
        out,
        methods=("DOP853", "Radau"),
        breaks=[20],
        typical=[92, 0.01, 20],
    )
