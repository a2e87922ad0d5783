"""Chemical kinetics."""

import math

from common import Case, case, grid


@case("kinetics/Robertson")
def robertson():
    def rhs(t, y):
        y3 = 1 - y[0] - y[1]
        a, b = 0.04 * y[0], 1e4 * y[1] * y3
        return [b - a, a - b - 3e7 * y[1] ** 2]

    def out(t, y):
        return {"y1": y[0], "y2": y[1], "y3": 1 - y[0] - y[1]}

    return Case([0, 0.4, 4, 40, 400, 4e3, 4e4, 4e5], [1, 0], rhs, out, typical=[1, 3.6e-5])


@case("kinetics/Oregonator")
def oregonator():
    s, q, w = 77.27, 8.375e-6, 0.161

    def rhs(t, x):
        return [
            s * (x[1] + x[0] * (1 - q * x[0] - x[1])),
            (x[2] - (1 + x[0]) * x[1]) / s,
            w * (x[0] - x[2]),
        ]

    return Case(grid(360, 12), [1, 2, 3], rhs, lambda t, x: dict(zip("xyz", x)))


@case("kinetics/Runaway")
def runaway():
    def rhs(t, x):
        r = 2.5e10 * math.exp(-8.4e4 / (8.314 * x[1])) * x[0]
        return [-r, (1.9e5 * r - 600 * (x[1] - 300)) / 2.1e6]

    def out(t, x):
        return {"c": x[0], "T": x[1], "X": 1 - x[0] / 2500}

    return Case(grid(20000), [2500, 310], rhs, out)


@case("kinetics/Hydrogen")
def hydrogen():
    gas, n0 = 8.314, 101325 / (8.314 * 1200)

    def rhs(t, y):
        h2, o2, h, o, oh, _, temp = y
        rt = gas * temp
        r0 = 2e8 * math.exp(-2.45e5 / rt) * h2 * o2
        r1 = 1.9e8 * math.exp(-6.87e4 / rt) * h * o2
        r2 = 5.1e-2 * temp**2.67 * math.exp(-2.63e4 / rt) * o * h2
        r3 = 2.1e2 * temp**1.51 * math.exp(-1.44e4 / rt) * oh * h2
        r4 = 4.5e10 / temp**2 * h * oh * n0
        heat = -78e3 * r0 - 70e3 * r1 - 8e3 * r2 + 63e3 * r3 + 499e3 * r4
        return [
            -r0 - r2 - r3,
            -r0 - r1,
            -r1 + r2 + r3 - r4,
            r1 - r2,
            2 * r0 + r1 + r2 - r3 - r4,
            r3 + r4,
            heat / (n0 * 26),
        ]

    def out(t, y):
        return dict(zip(("H2", "O2", "H", "O", "OH", "H2O", "T"), y))

    start = [0.2 * n0, 0.1 * n0, 0, 0, 0, 0, 1200]
    return Case(grid(2e-3), start, rhs, out, typical=[1, 1, 0.1, 0.1, 0.1, 1, 1200])


@case("kinetics/Cstr")
def cstr():
    def rhs(t, x):
        r = 7.2e10 * math.exp(-8750 / x[1]) * x[0]
        return [1 - x[0] - r, 350 - x[1] + 5e4 / 239 * r + 5e4 / 23900 * (305 - x[1])]

    return Case(grid(10), [0.5, 350], rhs, lambda t, x: {"c": x[0], "T": x[1]})


@case("kinetics/Enzyme")
def enzyme():
    def rhs(t, x):
        s, c = x
        bind = 1e5 * (2e-5 - c) * s - 20 * c
        return [-bind, bind - 80 * c]

    def out(t, x):
        return {"S": x[0], "C": x[1], "P": 5 - x[0] - x[1], "v": 80 * x[1]}

    return Case(grid(5000), [5, 0], rhs, out, typical=[5, 2e-5])


@case("kinetics/Brusselator")
def brusselator():
    def rhs(t, x):
        r = x[0] ** 2 * x[1]
        return [1 + r - 4.6 * x[0], 3.6 * x[0] - r]

    def out(t, x):
        return {"X": x[0], "Y": x[1], "r[2]": x[0] ** 2 * x[1]}

    return Case(grid(30), [1.2, 3.1], rhs, out, methods=("DOP853", "LSODA"))


@case("kinetics/Equilibrium")
def equilibrium():
    k = 1e7

    def amounts(x):
        """A, B and C by their totals: k A (b - a + A) = a - A."""
        a, b = x
        half = (k * (b - a) + 1) / 2
        root = math.sqrt(half**2 + k * a)
        free = a / (root + half) if half > 0 else (root - half) / k
        return free, b - a + free, a - free

    def rhs(t, x):
        return [0.5 * math.sin(t) ** 2 - 0.2 * x[0], 0.5 * math.cos(t) ** 2 - 0.2 * x[1]]

    def out(t, x):
        free, other, bound = amounts(x)
        da, db = rhs(t, x)
        dfree = ((k * free + 1) * da - k * free * db) / (k * (free + other) + 1)
        return {"A": free, "B": bound / (k * free), "C": bound, "r": da - dfree + 0.2 * bound}

    return Case(grid(12), [1, 0.6], rhs, out, methods=("DOP853", "Radau"))
