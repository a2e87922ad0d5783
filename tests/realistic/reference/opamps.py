"""Circuits of operational amplifiers."""

import cmath
import math

from common import COSTLY, Case, Warm, case, diode, grid, limited_exp


@case("opamps/Wien")
def wien():
    r, c, rg, rf, rd, sat, vt, wt = 15.9e3, 10e-9, 10e3, 18.5e3, 3e3, 2.5e-9, 0.047, 6.283e6

    def g(t, x, z):
        vd = z[0]
        i = sat * (limited_exp(vd / vt) - limited_exp(-vd / vt)) + vd / rd
        return [(12 * math.tanh(x[2] / 12) - i * rg - vd) / rf - i]

    feedback = Warm(g, [0.0])

    def inverting(t, x):
        vd = feedback(t, x)[0]
        return rg * (2 * sat * math.sinh(vd / vt) + vd / rd)

    def rhs(t, x):
        i = (12 * math.tanh(x[2] / 12) - x[0] - x[1]) / r
        return [i / c, (i - x[1] / r) / c, wt * (x[1] - inverting(t, x)) - 62.83 * x[2]]

    def out(t, x):
        return {"x": x[0], "y": x[1], "vo": 12 * math.tanh(x[2] / 12), "vn": inverting(t, x)}

    return Case(grid(5e-3), [0, 0.5, 0], rhs, out, typical=[5, 5, 10], rtol=COSTLY)


@case("opamps/SallenKey")
def sallen_key():
    r1, r2, c1, c2, ra, rb = 8.2e3, 12e3, 4.7e-9, 2.2e-9, 10e3, 5.9e3
    gain = 1 + rb / ra

    def rhs(t, x):
        u1, p = x
        a = u1 + gain * p
        vin = 1 + math.tanh((t - 5e-5) / 1e-6)
        through = (a - p) / r2
        return [((vin - a) / r1 - through) / c1, through / c2]

    def out(t, x):
        i1 = rhs(t, x)[0] * c1
        return {
            "u1": x[0],
            "u2": x[1],
            "vo": gain * x[1],
            "io": x[1] / ra - i1,
            "a": x[0] + gain * x[1],
        }

    return Case(
        grid(5e-4),
        [0, 0],
        rhs,
        out,
        methods=("DOP853", "Radau"),
        breaks=[4.5e-5, 5e-5, 5.5e-5],
        typical=[2, 2],
    )


@case("opamps/Differentiator")
def differentiator():
    # w: a first-order filter of two sinusoids, by its closed form
    tau, rc = 10e3 * 47e-9, 100e3 * 10e-9
    waves = [(2, 100 * math.pi, -1j), (0.3, 1500 * math.pi, 1)]  # a Re(phase exp(i w t))

    def exact(t):
        u = i = vo = w = 0.0
        for a, om, phase in waves:
            z = a * phase * cmath.exp(1j * om * t)
            slope = 1j * om * z
            u, i, vo = u + z.real, i + 10e-9 * slope.real, vo - rc * slope.real
            forced = -rc * slope / (1 + 1j * om * tau)
            start = -rc * 1j * om * a * phase / (1 + 1j * om * tau)
            w += forced.real - start.real * math.exp(-t / tau)
        return {"u": u, "i": i, "vo": vo, "w": w}

    return Case(grid(0.02), exact=exact)


@case("opamps/AbsoluteValue")
def absolute_value():
    r, sat, vt, gain, wt = 10e3, 2.5e-9, 0.047, 1e5, 2e6 * math.pi

    def g(t, x, z):
        vm, vo = z
        i2 = -diode(x[0] - vm, sat, vt)
        return [
            0.5 * math.sin(2e3 * math.pi * t) - vm - (vm - vo) - r * i2,
            vm - vo - r * diode(vo - x[0], sat, vt),
        ]

    nodes = Warm(g, [0, 0])

    def rhs(t, x):
        return [-wt * nodes(t, x)[0] - wt / gain * x[0]]

    def out(t, x):
        vm, vo = nodes(t, x)
        return {"va": x[0], "vm": vm, "vo": vo}

    return Case(grid(2e-3), [0], rhs, out, typical=[0.7], rtol=COSTLY)


@case("opamps/LogAmp")
def log_amp():
    # vm = uc/(1 + A), vo = -A vm
    def current(t, uc):
        vin = 10 ** (-4 + 5 * (1 - math.cos(100 * math.pi * t)) / 2)
        return (vin - uc / (1 + 2e5)) / 100e3 - diode(uc, 1e-14, 0.02585)

    def out(t, x):
        return {"uc": x[0], "vo": -x[0] * 2e5 / (1 + 2e5), "ic": diode(x[0], 1e-14, 0.02585)}

    return Case(grid(0.04), [0.05], lambda t, x: [current(t, x[0]) / 100e-12], out, rtol=COSTLY)


@case("opamps/Gyrator")
def gyrator():
    # v3 = v5 = v: v2 - v = R2 (v - v4)/R3 = -R2 u4/R3, so i1 = (v - v2)/R1 = R2 u4/(R1 R3)
    def rhs(t, x):
        u4, v = x
        i1 = 1e3 * u4 / (1e3 * 2.2e3)
        source = 5 * math.sin(8e3 * math.pi * t)
        return [v / 4.7e3 / 10e-9, ((source - v) / 33e3 - i1) / 22e-9]

    def out(t, x):
        return {"u4": x[0], "v": x[1], "v4": x[0] + x[1], "i1": x[0] / 2.2e3}

    return Case(grid(2e-3), [0, 0], rhs, out, methods=("DOP853", "Radau"), typical=[1, 1])
