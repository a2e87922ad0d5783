"""Heat: conduction, radiation, phase change."""

import math

import numpy as np
from common import Case, Warm, case, grid


@case("thermal/Satellite")
def satellite():
    sigma = 5.670374419e-8
    e, c = np.array([0.9, 0.1, 0.85, 0.3]), np.array([900, 450, 1200, 700.0])
    seen = np.array(
        [[0, 0.2, 0.3, 0.1], [0.2, 0, 0.25, 0.2], [0.3, 0.25, 0, 0.15], [0.1, 0.2, 0.15, 0]]
    )
    inverse = np.linalg.inv(np.eye(4) - (1 - e)[:, None] * seen)

    def radiosity(x):
        return inverse @ (e * sigma * np.asarray(x) ** 4)

    def rhs(t, x):
        j = radiosity(x)
        q = seen @ j - j
        q[0] += e[0] * 1000 * (1 + math.sin(2 * math.pi * t / 5400)) / 2
        q[1] += 5 * (x[2] - x[1])
        q[2] += 80 - 5 * (x[2] - x[1])
        return q / c

    def out(t, x):
        j = radiosity(x)
        return {
            "T[1]": x[0],
            "T[2]": x[1],
            "T[3]": x[2],
            "T[4]": x[3],
            "J[2]": j[1],
            "q[4]": (j - seen @ j)[3],
        }

    return Case(grid(10800), [300, 250, 280, 320], rhs, out, methods=("DOP853", "Radau"))


@case("thermal/Slab")
def slab():
    k, heat, d = 30, 3.6e6, 0.01

    def g(t, x, z):
        loss = 0.8 * 5.67e-8 * (z[0] ** 4 - 293.0**4) + 15 * (z[0] - 293)
        return [k * (x[9] - z[0]) / (d / 2) - loss]

    surface = Warm(g, [1000.0])

    def flux(t, x):
        return k * (x[9] - surface(t, x)[0]) / (d / 2)

    def rhs(t, x):
        between = k * np.diff(x) / d
        return np.diff(np.concatenate([[0], between, [-flux(t, x)]])) / (heat * d)

    def out(t, x):
        return {"T[1]": x[0], "T[10]": x[9], "Ts": surface(t, x)[0], "q": flux(t, x)}

    return Case(grid(3600), [1473] * 10, rhs, out)


@case("thermal/Exchanger")
def exchanger():
    hot, cold, c = 0.8 * 4180, 1.1 * 4180, 6000

    def conductance(th):
        return 1 / (1 / 900 + np.exp(1.2e-2 * (340 - th)) / 1500)

    def rhs(t, x):
        th, tc = x[:8], x[8:]
        q = conductance(th) * 0.35 * (th - tc)
        inlet = 348 + 10 * math.tanh((t - 30) / 2)
        before, behind = np.append(inlet, th[:-1]), np.append(tc[1:], 288)
        return np.concatenate([hot * (before - th) - q, cold * (behind - tc) + q]) / c

    def out(t, x):
        return {"Th[8]": x[7], "Tc[1]": x[8], "Th[4]": x[3], "U[5]": conductance(x[4])}

    start = [333] * 8 + [293] * 8
    return Case(grid(120), start, rhs, out, methods=("DOP853", "Radau"), breaks=[30])


@case("thermal/Thermistor")
def thermistor():
    def resistance(temp):
        return 10e3 * math.exp(3977 * (1 / temp - 1 / 298.15))

    def current(t, temp):
        return 30 * (1 - math.exp(-t / 0.5)) / (500 + resistance(temp))

    def rhs(t, x):
        return [(resistance(x[0]) * current(t, x[0]) ** 2 - 2e-3 * (x[0] - 298.15)) / 0.02]

    def out(t, x):
        return {"T": x[0], "R": resistance(x[0]), "i": current(t, x[0])}

    return Case(grid(60), [298.15], rhs, out)


@case("thermal/PhaseChange")
def phase_change():
    # T as the state: H' = m (cs + L liquid'(T)) T'
    def rhs(t, x):
        s = (x[0] - 321.5) / 0.4
        capacity = 2 * (2100 + 180e3 * 0.5 / (0.4 * math.cosh(s) ** 2))
        return [12 * (320 + 25 * math.sin(2 * math.pi * t / 14400) - x[0]) / capacity]

    start = [300.0]

    def out(t, x):
        liquid = 0.5 * (1 + math.tanh((x[0] - 321.5) / 0.4))
        return {"T": x[0], "liquid": liquid, "H": 2 * (2100 * (x[0] - 300) + 180e3 * liquid)}

    # H = 0 is T = 300 but for the tail of the tangent
    for _ in range(5):
        start[0] -= out(0, start)["H"] / 4200
    return Case(grid(28800, 12), start, rhs, out)


@case("thermal/Furnace")
def furnace():
    s, h = 5.67e-8, 25

    def heat(a, b, emissivity):
        return emissivity * s * (a**4 - b**4) + h * (a - b)

    def g(t, x, z):
        return [600 * (2100 - z[0]) - 20 * heat(z[0], x[0], 0.25) - 8 * heat(z[0], x[1], 0.3)]

    gas = Warm(g, [1500.0])

    def rhs(t, x):
        tg = gas(t, x)[0]
        across = 8 * 0.4 * s * (x[0] ** 4 - x[1] ** 4)
        return [
            (20 * heat(tg, x[0], 0.25) - across - 120 * (x[0] - 300)) / 4e6,
            (8 * heat(tg, x[1], 0.3) + across) / 6e6,
        ]

    def out(t, x):
        return {"Tg": gas(t, x)[0], "Tw": x[0], "Tl": x[1]}

    return Case(grid(36000), [300, 300], rhs, out)


@case("thermal/Block")
def block():
    def heat(t):
        return 50 * (math.tanh((t - 1800) / 20) - math.tanh((t - 2200) / 20)) / 2

    def rhs(t, x):
        flow = 2e4 * (x[0] - x[1])
        return [(heat(t) - flow) / 400, flow / 400]

    def out(t, x):
        return {"T1": x[0], "T2": x[1], "Q": heat(t)}

    return Case(grid(3600), [300, 300], rhs, out)
