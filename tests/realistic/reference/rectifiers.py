"""Rectifiers: the diode equations solved by Newton's method or by Wright's omega function."""

import math

import numpy as np
from common import COSTLY, Case, Warm, case, diode, grid
from scipy.special import wrightomega


def series(u, r, saturation, vt):
    """Current through a diode and a resistor in series at the voltage u."""
    scale = r * saturation / vt
    return vt / r * float(wrightomega(math.log(scale) + (u + r * saturation) / vt)) - saturation


@case("rectifiers/Rectifier")
def rectifier():
    r, load, c, sat, vt = 10, 500, 470e-6, 1e-9, 0.05

    def current(t, v):
        return series(325 * math.sin(100 * math.pi * t) - v, r, sat, vt)

    def out(t, x):
        i = current(t, x[0])
        return {"vc": x[0], "i": i, "vd": 325 * math.sin(100 * math.pi * t) - r * i - x[0]}

    return Case(grid(0.2), [0], lambda t, x: [(current(t, x[0]) - x[0] / load) / c], out)


@case("rectifiers/Bridge")
def bridge():
    r, load, c, sat, vt, leak = 0.8, 47, 2200e-6, 1e-10, 0.0465, 1e-9

    def branch(v):
        return diode(v, sat, vt) + leak * v

    def source(t):
        return 17 * math.sin(100 * math.pi * t)

    def g(t, x, z):
        a, b = z
        i = (source(t) - a + b) / r
        return [i + branch(-a) - branch(a - x[0]), -i + branch(-b) - branch(b - x[0])]

    nodes = Warm(g, [0, 0])

    def rhs(t, x):
        a, b = nodes(t, x)
        return [(branch(a - x[0]) + branch(b - x[0]) - x[0] / load) / c]

    def out(t, x):
        a, b = nodes(t, x)
        return {"p": x[0], "is": (source(t) - a + b) / r, "a": a}

    return Case(grid(0.06), [0], rhs, out, rtol=COSTLY)


@case("rectifiers/Doubler")
def doubler():
    r, load, c, sat, vt = 5, 10e3, 100e-6, 1e-9, 0.05

    def g(t, x, z):
        i = (24 * math.sin(100 * math.pi * t) - x[0] - z[0]) / r
        return [i + diode(-z[0], sat, vt) - diode(z[0] - x[1], sat, vt)]

    node = Warm(g, [0])

    def rhs(t, x):
        v = node(t, x)[0]
        i = (24 * math.sin(100 * math.pi * t) - x[0] - v) / r
        return [i / c, (diode(v - x[1], sat, vt) - x[1] / load) / c]

    def out(t, x):
        return {"w": x[0], "y": x[1], "x": node(t, x)[0]}

    return Case(grid(0.1), [0, 0], rhs, out, typical=[24, 48], rtol=COSTLY)


@case("rectifiers/Multiplier")
def multiplier():
    r, load, c, sat, vt = 50, 1e6, 10e-9, 2.5e-9, 0.045

    def currents(t, x, a1):
        c1, c2, c3, c4 = x
        a2, b1, b2 = a1 - c3, c2, c2 + c4
        i = (100 * math.sin(2e4 * math.pi * t) - c1 - a1) / r
        d = [diode(v, sat, vt) for v in (-a1, a1 - b1, b1 - a2, a2 - b2)]
        return i, d, b2

    def g(t, x, z):
        # i c3' = i + d1 - d2 and c c3' = d4 - d3
        i, d, _ = currents(t, x, z[0])
        return [i + d[0] - d[1] - d[3] + d[2]]

    node = Warm(g, [0])

    def rhs(t, x):
        i, d, b2 = currents(t, x, node(t, x)[0])
        into_b2 = d[3] - b2 / load
        return [i / c, (d[1] - d[2] + into_b2) / c, (d[3] - d[2]) / c, into_b2 / c]

    def out(t, x):
        return {"c1": x[0], "c2": x[1], "c3": x[2], "c4": x[3], "b2": x[1] + x[3]}

    return Case(grid(1e-3), [0] * 4, rhs, out, typical=[100, 200, 200, 200], rtol=COSTLY)


@case("rectifiers/Clipper")
def clipper():
    r, c, sat, vt = 2.2e3, 10e-9, 2.52e-9, 25.85e-3 * 1.752

    def rhs(t, x):
        u = 4.5 * math.sin(2e3 * math.pi * t) + 1.5 * math.sin(6.6e3 * math.pi * t)
        return [((u - x[0]) / r - 2 * sat * math.sinh(x[0] / vt)) / c]

    def out(t, x):
        return {"vo": x[0], "id": 2 * sat * math.sinh(x[0] / vt)}

    return Case(grid(2e-3), [0], rhs, out, rtol=COSTLY)


@case("rectifiers/PeakDetector")
def peak_detector():
    rs, r, c, sat, vt = 100, 22e3, 1e-9, 1e-7, 0.028

    def current(t, v):
        u = 2 * (1 + 0.6 * math.sin(1e4 * math.pi * t)) * math.cos(910e3 * math.pi * t)
        return series(u - v, rs, sat, vt)

    def out(t, x):
        return {"v": x[0], "i": current(t, x[0])}

    return Case(
        grid(50e-6), [0], lambda t, x: [(current(t, x[0]) - x[0] / r) / c], out, rtol=COSTLY
    )


@case("rectifiers/ChokeInput")
def choke_input():
    rs, ind, c, load, sat, vt = 0.5, 50e-3, 1e-3, 20, 1e-9, 0.05

    def g(t, x, z):
        # z: the node; both diodes carry the choke's current
        i2 = diode(-z[0], sat, vt) - 1e-6 * z[0]
        i1 = x[0] - i2
        u = 325 * math.sin(100 * math.pi * t)
        return [diode(u - rs * i1 - z[0], sat, vt) + 1e-6 * (u - z[0]) - i1]

    node = Warm(g, [0])

    def rhs(t, x):
        return [(node(t, x)[0] - x[1]) / ind, (x[0] - x[1] / load) / c]

    def out(t, x):
        v = node(t, x)[0]
        return {"iL": x[0], "vc": x[1], "x": v, "i1": x[0] - diode(-v, sat, vt) + 1e-6 * v}

    return Case(grid(0.1), [0, 0], rhs, out, typical=[5, 100], rtol=COSTLY)


@case("rectifiers/ThreePhase")
def three_phase():
    r, ind, load, sat, vt, leak = 0.5, 20e-3, 30, 1e-8, 0.05, 1e-9

    def branch(v):
        return diode(v, sat, vt) + leak * v

    def voltages(t):
        return np.array([325 * math.sin(100 * math.pi * t - 2 * math.pi * k / 3) for k in range(3)])

    def g(t, x, z):
        v, p, n = z[:3], z[3], z[4]
        up, down = branch(v - p), branch(n - v)
        return [*(v - voltages(t) + r * (up - down)), sum(up) - x[0], sum(down) - x[0]]

    nodes = Warm(g, [0, -281, 281, 281, -281])

    def rhs(t, x):
        z = nodes(t, x)
        return [(z[3] - z[4] - load * x[0]) / ind]

    def out(t, x):
        z = nodes(t, x)
        return {"iL": x[0], "p": z[3], "n": z[4], "is[2]": (voltages(t)[1] - z[1]) / r}

    return Case(grid(0.04), [0], rhs, out, typical=[10], rtol=COSTLY)


@case("rectifiers/StackedDiodes")
def stacked_diodes():
    load, c, sat, vt, leak = 1e3, 1e-4, 1e-12, 0.03, 1e-8

    def branch(v):
        return diode(v, sat, vt) + leak * v

    node = Warm(lambda t, x, z: [(8 * math.sin(300 * t) - z[0]) / 10 - branch((z[0] - x[0]) / 2)], [0])

    def current(t, x):
        return (8 * math.sin(300 * t) - node(t, x)[0]) / 10

    def out(t, x):
        v1 = node(t, x)[0]
        return {"u": x[0], "v1": v1, "v2": (v1 + x[0]) / 2}

    return Case(grid(0.08, 20), [0.5], lambda t, x: [(current(t, x) - x[0] / load) / c], out, rtol=COSTLY)


@case("rectifiers/StackedDoubler")
def stacked_doubler():
    c, sat, vt, leak = 1e-5, 1e-10, 0.05, 1e-8

    def branch(v):
        return diode(v, sat, vt) + leak * v

    def g(t, x, z):
        i = branch((z[0] - x[1]) / 2) - branch(-z[0] / 2)
        return [10 * math.sin(314 * t) + x[0] - 5 * i - z[0]]

    node = Warm(g, [0])

    def rhs(t, x):
        b = node(t, x)[0]
        up, down = branch((b - x[1]) / 2), branch(-b / 2)
        return [-(up - down) / c, (up - x[1] / 1e4) / c]

    def out(t, x):
        b = node(t, x)[0]
        return {"uc": x[0], "uo": x[1], "b": b, "m1": b / 2}

    return Case(grid(0.1, 26), [0, 0], rhs, out, typical=[10, 20], rtol=COSTLY)


@case("rectifiers/EmitterPeak")
def emitter_peak():
    sat, vt, leak, beta = 1e-14, 0.026, 1e-8, 100

    def g(t, x, z):
        vb, ve = z
        drop = vb - ve
        base = diode(drop, sat / beta, vt) + leak * drop
        emitter = diode(drop, sat * (1 + 1 / beta), vt) + leak * drop
        return [
            (5 * math.sin(500 * t) - vb) / 1e4 - base,
            emitter - diode(ve - x[0], 1e-12, 0.03) - leak * (ve - x[0]),
        ]

    nodes = Warm(g, [0, 0])

    def rhs(t, x):
        drop = nodes(t, x)[1] - x[0]
        return [(float(np.real(diode(drop, 1e-12, 0.03))) + leak * drop - x[0] / 1e5) / 1e-6]

    def out(t, x):
        vb, ve = nodes(t, x)
        return {"u": x[0], "vb": vb, "ve": ve}

    return Case(grid(0.05, 26), [0], rhs, out, rtol=COSTLY)
