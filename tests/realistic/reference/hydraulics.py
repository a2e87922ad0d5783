"""Hydraulic networks."""

import math

import numpy as np
from common import Case, Warm, case, grid


def flow(dp, k, m0):
    """m of k m sqrt(m^2 + m0^2) = dp: a quadratic equation in m^2."""
    s = (dp / k) ** 2
    square = 2 * s / (m0**2 + math.sqrt(m0**4 + 4 * s))
    return math.copysign(math.sqrt(square), dp)


@case("hydraulics/PipeLoop")
def pipe_loop():
    rho, g = 998, 9.81

    def flows(x):
        dp = rho * g * (x[0] - x[1])
        return flow(dp, 850 + 2200, 0.05), flow(dp, 430, 0.05)

    def rhs(t, x):
        a, b = flows(x)
        return [-(a + b) / (rho * 2.5), (a + b) / (rho * 4.0)]

    def out(t, x):
        a, b = flows(x)
        p = rho * g * x[0] - 850 * a * math.sqrt(a**2 + 0.05**2)
        return {"h1": x[0], "h2": x[1], "m1": a, "m3": b, "p": p}

    return Case(grid(2000), [6, 1], rhs, out)


@case("hydraulics/SurgeTank")
def surge_tank():
    length, g, f, head, d = 4300, 9.81, 0.018, 160, 4.2
    area = math.pi * d**2 / 4

    def loss(q):
        v = q / area
        return f * length / d * v * math.sqrt(v**2 + 1e-6) / (2 * g)

    def turbine(t, z):
        return 32 * 0.5 * (1 - math.tanh((t - 60) / 5)) * math.sqrt(z / 140)

    def rhs(t, x):
        q, z = x
        return [(head - z - loss(q)) * g * area / length, (q - turbine(t, z)) / 95]

    def out(t, x):
        return {"q": x[0], "z": x[1], "qt": turbine(t, x[1]), "loss": loss(x[0])}

    return Case(
        grid(900), [32, head - loss(32)], rhs, out, methods=("DOP853", "Radau"), breaks=[60]
    )


@case("hydraulics/ThreeTanks")
def three_tanks():
    area, s, g, cd = 0.0154, 5e-5, 9.81, 0.6

    def orifice(dh):
        w = 2 * g * dh
        return cd * s * w / (w**2 + 1e-4) ** 0.25

    def rhs(t, h):
        a, b, c = orifice(h[0] - h[1]), orifice(h[1] - h[2]), cd * s * math.sqrt(2 * g * h[2])
        return np.array([-a, a - b + 4e-5 * (1 + math.sin(0.05 * t)), b - c]) / area

    def out(t, h):
        return {"h[1]": h[0], "h[2]": h[1], "h[3]": h[2], "q12": orifice(h[0] - h[1])}

    return Case(grid(400), [0.55, 0.05, 0.3], rhs, out)


@case("hydraulics/Cylinder")
def cylinder():
    ps, beta, a1, a2, v0, stroke, m, b, kv = (
        210e5,
        1.4e9,
        1.9635e-3,
        1.2566e-3,
        2e-4,
        0.5,
        250,
        4000,
        4e-8,
    )

    def valve(t):
        return 0.5 * (math.tanh((t - 0.1) / 0.01) - math.tanh((t - 0.5) / 0.01))

    def rhs(t, s):
        pa, pb, x, v = s
        qa, qb = kv * valve(t) * math.sqrt(ps - pa), kv * valve(t) * math.sqrt(pb)
        return [
            beta * (qa - a1 * v) / (v0 + a1 * x),
            beta * (a2 * v - qb) / (v0 + a2 * (stroke - x)),
            v,
            (a1 * pa - a2 * pb - b * v) / m,
        ]

    def out(t, s):
        return {"pA": s[0], "pB": s[1], "x": s[2], "v": s[3], "F": a1 * s[0] - a2 * s[1]}

    return Case(
        grid(0.8),
        [60e5, 93.75e5, 0.1, 0],
        rhs,
        out,
        breaks=[0.1, 0.5],
        typical=[60e5, 90e5, 0.1, 0.5],
        methods=("DOP853", "Radau"),
    )


@case("hydraulics/Cooling")
def cooling():
    # both branches: ma = (dpn/ka)^(4/7), so dpn = m^1.75/(ka^(-4/7) + kb^(-4/7))^1.75
    ka, kb, kr = 2.1e4, 5.6e4, 9e3
    both = (ka ** (-4 / 7) + kb ** (-4 / 7)) ** -1.75

    def pump(w, m):
        return 2.4 * w**2 - 18 * w * m - 2500 * m**2

    def rhs(t, x):
        w, m = x
        dp = pump(w, m)
        return [
            (12 * (1 - w / 300) - dp * m / (1000 * 0.7 * w)) / 0.02,
            (dp - (both + kr) * m**1.75) / 4e4,
        ]

    def out(t, x):
        drop = both * x[1] ** 1.75
        return {"w": x[0], "m": x[1], "dp": pump(*x), "dpn": drop, "mb": (drop / kb) ** (4 / 7)}

    return Case(grid(20), [20, 0.5], rhs, out)


@case("hydraulics/Accumulator")
def accumulator():
    def valve(pp, p):
        dp = pp - p
        # the sum is written without cancellation for dp < 0
        root = math.sqrt(dp**2 + 1e8)
        both = dp + root if dp > 0 else 1e8 / (root - dp)
        return 1.5e-8 * math.sqrt(both / 2)

    def rhs(t, x):
        p = 90e5 * (1e-3 / x[0]) ** 1.4
        qc = valve(x[1], p)
        q = 1e-4 * (1 + math.cos(50 * math.pi * t))
        return [3e-12 * p - qc, (q - qc) * 1.2e9 / 2e-5]

    def out(t, x):
        p = 90e5 * (1e-3 / x[0]) ** 1.4
        return {"V": x[0], "pp": x[1], "p": p, "qc": valve(x[1], p)}

    return Case(grid(1), [1e-3, 90e5], rhs, out)


@case("hydraulics/Drained")
def drained():
    def rhs(t, x):
        flow = 9 * math.sqrt(max(x[0], 0))
        return [1e-4 + 1.7 * math.exp(-(((t - 1) / 0.08) ** 2)) - flow, flow]

    def out(t, x):
        return {"h": x[0], "q": 9 * math.sqrt(max(x[0], 0)), "y": x[1]}

    return Case(grid(4), [0.05, 0], rhs, out, breaks=[0.7, 1, 1.3])
