"""Circuits of inductors and capacitors, of index 2 where they form loops or cutsets."""

import math

import numpy as np
from common import COSTLY, Case, case, diode, grid
from rectifiers import series


@case("lc/CapacitorLoop")
def capacitor_loop():
    c1, c2, cg, cl, r, r3 = 3.2, 7.5, 12, 1.4, 4e-3, 9e-3

    def source(t):
        p, q = math.tanh((t - 0.1) / 0.002), math.tanh((t - 0.6) / 0.002)
        return 0.6 * (p - q), 300 * ((1 - p * p) - (1 - q * q))

    def rhs(t, x):
        a, c = x
        return [(c1 * source(t)[1] - a / r - (a - c) / r3) / (c1 + c2), (a - c) / r3 / cl]

    def out(t, x):
        slope = source(t)[1]
        i1 = c1 * (slope - rhs(t, x)[0])
        return {"a": x[0], "c": x[1], "i1": i1, "is": cg * slope + i1}

    edges = [0.08, 0.1, 0.12, 0.58, 0.6, 0.62]
    return Case(grid(1, 20), [0, 0], rhs, out, breaks=edges, typical=[0.3, 0.3])


@case("lc/InductorCutset")
def inductor_cutset():
    l1, l2, l3, r1, r2, r3, c = 1.1, 2.3, 0.7, 12, 50, 4, 0.9

    def solved(t, x):
        i2, i3, vc = x
        u = 500 * (1 + math.tanh((t - 2) / 0.05))
        # i2' = (v - R2 i2)/L2, i3' = (v - R3 i3 - vc)/L3, u = R1 i1 + L1 (i2' + i3') + v
        rest = u - r1 * (i2 + i3) + l1 * (r2 * i2 / l2 + (r3 * i3 + vc) / l3)
        v = rest / (1 + l1 / l2 + l1 / l3)
        return v, [(v - r2 * i2) / l2, (v - r3 * i3 - vc) / l3, i3 / c]

    def out(t, x):
        return {"i1": x[0] + x[1], "i2": x[0], "i3": x[1], "vc": x[2], "v": solved(t, x)[0]}

    return Case(
        grid(20, 20),
        [0, 0, 0],
        lambda t, x: solved(t, x)[1],
        out,
        methods=("DOP853", "Radau"),
        breaks=[1.5, 2, 2.5],
        typical=[10, 50, 500],
    )


@case("lc/Line")
def line():
    ind, c, rs, rl, cl = 0.5e-9, 0.2e-12, 25, 120, 0.5e-12
    capacities = np.array([c] * 11 + [cl])

    def rhs(t, x):
        v, i = x[:12], x[12:]
        u = 0.5 * (1 + math.tanh((t - 0.1e-9) / 20e-12))
        before = np.append(u - rs * i[0], v[:-1])
        behind = np.append(i[1:], v[11] / rl)
        return np.concatenate([(i - behind) / capacities, (before - v) / ind])

    def out(t, x):
        return {"v[1]": x[0], "v[6]": x[5], "v[12]": x[11], "i[1]": x[12], "i[9]": x[20]}

    typical = [1.0] * 12 + [0.02] * 12
    return Case(grid(2e-9), [0] * 24, rhs, out, methods=("DOP853", "Radau"), typical=typical)


@case("lc/Colpitts")
def colpitts():
    ind, c1, c2, re, rl, sat, b, vt = 1e-6, 470e-12, 470e-12, 1e3, 8, 1e-14, 100, 0.02585

    def rhs(t, x):
        i, ve, u1 = x
        vcc = 6 * (1 - math.exp(-t / 2e-7))
        f, r = diode(vcc / 3 - ve, sat, vt), diode(vcc / 3 - ve - u1, sat, vt)
        into = i - f + r
        return [
            (vcc - ve - u1 - rl * i) / ind,
            (into + f * (1 + 1 / b) - r - ve / re) / c2,
            into / c1,
        ]

    def out(t, x):
        return {"iL": x[0], "ve": x[1], "u1": x[2], "vc": x[1] + x[2]}

    return Case(grid(3e-6), [0, 0, 0], rhs, out, typical=[0.01, 1, 6], rtol=COSTLY)


@case("lc/TunnelDiode")
def tunnel_diode():
    def current(v):
        return 10e-3 * v / 0.065 * math.exp(1 - v / 0.065) + 1e-10 * math.expm1(v / 0.026)

    def rhs(t, x):
        return [(0.2 - 5 * x[0] - x[1]) / 20e-9, (x[0] - current(x[1])) / 5e-12]

    def out(t, x):
        return {"i": x[0], "v": x[1], "id": current(x[1])}

    return Case(grid(6e-9), [0, 0], rhs, out, methods=("DOP853", "LSODA"), typical=[0.01, 0.4])


@case("lc/Pulse")
def pulse():
    def rhs(t, x):
        v, i, q = x
        u = 5 * math.exp(-(((t - 7) / 0.03) ** 2))
        return [(i - v / 50) / 1e-6, (u - v) / 1e-3, v / 50 - 0.1 * q]

    def out(t, x):
        return dict(zip(("v", "i", "q"), x))

    return Case(
        grid(10, 20),
        [0, 0, 0],
        rhs,
        out,
        breaks=[6.7, 6.8, 6.9, 7, 7.1, 7.2],
        typical=[5, 0.1, 5e-3],
    )


@case("lc/SourceJumps")
def source_jumps():
    jumps = [(6, 0.1e-3), (-9, 0.4e-3), (4, 0.7e-3)]

    def source(t):
        return sum(a * math.tanh((t - at) / 1e-8) for a, at in jumps)

    def current(t, v):
        return series(source(t) - v, 15, 1e-12, 0.03)

    def out(t, x):
        return {"vo": x[0], "id": current(t, x[0]), "n1": source(t)}

    edges = [at + d for _, at in jumps for d in (-2e-7, 0, 2e-7)]
    return Case(
        grid(1e-3),
        [0],
        lambda t, x: [(current(t, x[0]) - x[0] / 1e3) / 4.7e-6],
        out,
        breaks=edges,
        typical=[5],
        rtol=COSTLY,
    )


@case("lc/IdealTransformer")
def ideal_transformer():
    l1, m, rs, rl, n = 4e-3, 2e-3, 1.5, 8, 0.5

    def voltage(t, x):
        # flux L1 i1 + M i2 with i1 = (u - v1)/Rs, i2 = (vc - n v1)/RL
        u = 24 * math.sin(800 * math.pi * t)
        return u, (l1 * u / rs + m * x[1] / rl - x[0]) / (l1 / rs + m * n / rl)

    def rhs(t, x):
        v1 = voltage(t, x)[1]
        return [v1, (-(x[1] - n * v1) / rl - x[1] / 100) / 33e-6]

    def out(t, x):
        u, v1 = voltage(t, x)
        return {"v1": v1, "vc": x[1], "i1": (u - v1) / rs, "i2": (x[1] - n * v1) / rl}

    return Case(grid(0.01), [0, 0], rhs, out, methods=("DOP853", "Radau"), typical=[0.01, 10])
