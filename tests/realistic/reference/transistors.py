"""Transistor stages: Ebers and Moll, Enz-Krummenacher-Vittoz."""

import math

import numpy as np
from common import COSTLY, Case, Warm, case, diode, grid, limited_exp


@case("transistors/CommonEmitter")
def common_emitter():
    r1, r2, rc, re, rs, rl = 47e3, 10e3, 2.2e3, 470, 600, 10e3
    c1, c2, ce, sat, bf, br, vt = 1e-6, 1e-6, 20e-6, 1e-14, 200, 4, 0.02585

    def currents(vb, vc, ve):
        f, r = diode(vb - ve, sat, vt), diode(vb - vc, sat, vt)
        return f / bf + r / br, f - r - r / br

    def supply(t):
        return 12 * (1 - math.exp(-t / 1e-3)), 0.02 * math.sin(2e3 * math.pi * t)

    def g(t, x, z):
        vcc, vin = supply(t)
        vb, vc = z
        ib, ic = currents(vb, vc, x[2])
        i1, i2 = (vin - x[0] - vb) / rs, (vc - x[1]) / rl
        return [i1 - (vb - vcc) / r1 - vb / r2 - ib, (vcc - vc) / rc - ic - i2]

    nodes = Warm(g, [0, 0])

    def rhs(t, x):
        vb, vc = nodes(t, x)
        ib, ic = currents(vb, vc, x[2])
        return [
            (supply(t)[1] - x[0] - vb) / rs / c1,
            (vc - x[1]) / rl / c2,
            (ib + ic - x[2] / re) / ce,
        ]

    def out(t, x):
        vb, vc = nodes(t, x)
        return {"u1": x[0], "u2": x[1], "ve": x[2], "vb": vb, "vc": vc, "vo": vc - x[1]}

    return Case(grid(0.01), [0, 0, 0], rhs, out, typical=[2, 7, 1], rtol=COSTLY)


@case("transistors/Inverter")
def inverter():
    rb, rc, cl, cje, cjc, tf, tr = 4.7e3, 1e3, 20e-12, 5e-12, 2e-12, 0.4e-9, 40e-9
    sat, bf, br, vt = 1e-15, 120, 3, 0.02585

    def rhs(t, x):
        vb, vc = x
        vin = 2.5 * (math.tanh((t - 0.2e-6) / 5e-9) - math.tanh((t - 2.2e-6) / 5e-9))
        f, r = diode(vb, sat, vt), diode(vb - vc, sat, vt)
        ce = tf * (f + sat) / vt + cje
        cc = tr * (r + sat) / vt + cjc
        left = (vin - vb) / rb - f / bf - r / br
        right = (5 - vc) / rc - (f - r - r / br)
        # (ce + cc) vb' - cc vc' = left, -cc vb' + (cc + cl) vc' = right
        det = (ce + cc) * (cc + cl) - cc * cc
        return [((cc + cl) * left + cc * right) / det, (cc * left + (ce + cc) * right) / det]

    def out(t, x):
        return {
            "vb": x[0],
            "vc": x[1],
            "qc": tr * diode(x[0] - x[1], sat, vt) + cjc * (x[0] - x[1]),
        }

    edges = [0.17e-6, 0.2e-6, 0.25e-6, 2.17e-6, 2.2e-6, 2.25e-6]
    return Case(grid(4e-6, 16), [0, 5], rhs, out, breaks=edges, typical=[0.7, 5], rtol=COSTLY)


@case("transistors/Darlington")
def darlington():
    sat, bf, vt = 1e-14, 100, 0.026

    def g(t, x, z):
        vb, vm = z
        vg = 3 + 2 * math.tanh((t - 2e-6) / 1e-8) - 4 * math.tanh((t - 20e-6) / 1e-8)
        i1, i2 = (diode(v, sat * (bf + 1) / bf, vt) for v in (vb - vm, vm - x[0]))
        return [(vg - vb) / 1e4 - i1 / (bf + 1), i1 - vm / 1e3 - i2 / (bf + 1)]

    nodes = Warm(g, [0, 0])

    def rhs(t, x):
        vm = nodes(t, x)[1]
        return [(diode(vm - x[0], sat * (bf + 1) / bf, vt) - x[0] / 100) / 100e-9]

    def out(t, x):
        vb, vm = nodes(t, x)
        return {"vo": x[0], "vb": vb, "vm": vm, "i2": diode(vm - x[0], sat * (bf + 1) / bf, vt)}

    edges = [1.9e-6, 2e-6, 2.1e-6, 19.9e-6, 20e-6, 20.1e-6]
    return Case(grid(40e-6, 16), [0], rhs, out, breaks=edges, typical=[5], rtol=COSTLY)


@case("transistors/DiffPair")
def diff_pair():
    sat, b, vt, rs = 1e-15, 150, 0.02585, 1e3

    def collector(vb, e, vc):
        return sat * (limited_exp((vb - e) / vt) - limited_exp((vb - vc) / vt))

    def g(t, x, z):
        b1, b2, e = z
        i1, i2 = collector(b1, e, x[0]), collector(b2, e, x[1])
        return [
            b1 - 0.2 * math.sin(2e6 * math.pi * t) + rs * i1 / b,
            b2 + rs * i2 / b,
            ((i1 + i2) * (1 + 1 / b) - (e + 10) / 9.3e3) * 1e3,
        ]

    nodes = Warm(g, [0, 0, -0.7])

    def rhs(t, x):
        b1, b2, e = nodes(t, x)
        i = np.array([collector(b1, e, x[0]), collector(b2, e, x[1])])
        return ((10 - np.asarray(x)) / 5e3 - i) / 10e-12

    def out(t, x):
        b1, b2, e = nodes(t, x)
        return {"c1": x[0], "c2": x[1], "e": e, "i1": collector(b1, e, x[0])}

    return Case(grid(3e-6), [10, 10], rhs, out, rtol=COSTLY)


@case("transistors/PushPull")
def push_pull():
    sat, b, vt = 1e-12, 60, 0.026

    def both(v):
        return 2 * sat * (limited_exp(v / vt) - limited_exp(-v / vt)) / 2

    def g(t, x, z):
        vb, vo = z
        i = both(vb - vo)
        return [10 * math.sin(2e3 * math.pi * t) - vb - 100 * i / b, vo - x[1] - 10 * (i - x[0])]

    nodes = Warm(g, [0, 0])

    def rhs(t, x):
        vo = nodes(t, x)[1]
        return [(vo - 7 * x[0]) / 0.6e-3, (vo - x[1]) / 10 / 100e-9]

    def out(t, x):
        vb, vo = nodes(t, x)
        return {"iL": x[0], "vz": x[1], "vo": vo, "vb": vb}

    return Case(grid(2e-3), [0, 0], rhs, out, typical=[1, 9], rtol=COSTLY)


@case("transistors/Ring")
def ring():
    ut, n = 0.0259, 1.3

    def part(v):
        return np.logaddexp(0, v / (2 * n * ut)) ** 2

    def rhs(t, v):
        v = np.asarray(v)
        g = np.roll(v, 1)
        down = 2 * n * 300 * ut**2 * (part(g - 0.45) - part(g - 0.45 - n * v))
        up = 2 * n * 120 * ut**2 * (part(1.2 - g - 0.42) - part(1.2 - g - 0.42 - n * (1.2 - v)))
        return (up - down) / 12

    def out(t, v):
        return {f"v[{k + 1}]": v[k] for k in range(3)}

    return Case(grid(1), [0.1, 0.9, 0.3], rhs, out, methods=("DOP853", "LSODA"))
