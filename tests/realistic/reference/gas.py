"""Gas vessels and pneumatics."""

import math

import numpy as np
from common import Case, case, grid
from hydraulics import flow
from scipy.optimize import brentq


@case("gas/VesselFill")
def vessel_fill():
    def temperature(x):
        return x[1] / (x[0] * 718)

    def entering(x):
        p = x[0] * 287 * temperature(x) / 0.05
        return p, flow((8e5 - p) * (8e5 + p), 1.6e14, 1e-4)

    def rhs(t, x):
        m, q = entering(x)[1], 3 * (temperature(x) - x[2])
        return [m, m * 1005 * 293 - q, q / 4000]

    def out(t, x):
        p, m = entering(x)
        return {"M": x[0], "U": x[1], "Tw": x[2], "p": p, "T": temperature(x), "m": m}

    return Case(grid(30), [0.0595, 12500, 293], rhs, out)


@case("gas/AirCylinder")
def air_cylinder():
    a1, a2, s, v0, c, rt, m, n = 8.04e-4, 6.9e-4, 0.2, 5e-6, 1.2e-8, 287 * 293, 8, 1.3

    def valve(high, low):
        dp = high - low
        return c * 1e5 * dp * math.sqrt((high + low) / (math.sqrt(dp**2 + 0.01) + 0.5)) / 4

    def force(p1, p2, x):
        stop = 30 * (np.logaddexp(0, (x - s) / 1e-4) - np.logaddexp(0, -x / 1e-4))
        return 1e5 * (p1 * a1 - p2 * a2 - (a1 - a2)), stop

    def rhs(t, y):
        p1, p2, x, v = y
        drive, stop = force(p1, p2, x)
        return [
            n * (rt * valve(6, p1) / 1e5 - p1 * a1 * v) / (v0 + a1 * x),
            n * (-rt * valve(p2, 1) / 1e5 + p2 * a2 * v) / (v0 + a2 * (s - x)),
            v,
            (drive - stop - 60 * v) / m,
        ]

    def out(t, y):
        drive, stop = force(*y[:3])
        return {
            "p1": y[0],
            "p2": y[1],
            "x": y[2],
            "v": y[3],
            "F": drive,
            "Fs": stop,
            "m1": valve(6, y[0]),
        }

    return Case(grid(0.8, 16), [1, 6, 0, 0], rhs, out, typical=[6, 6, 0.2, 0.5])


@case("gas/Pipeline")
def pipeline():
    k, volume = [0.9, 1.7, 2.6, 1.1], np.array([600, 450, 800.0])

    def through(square, resistance):
        """m of a difference of squares of pressure; odd and monotone."""
        size = abs(square) / resistance
        guess = max(size ** (1 / 1.85), size / 1e-4**0.425) + 1
        return math.copysign(
            brentq(lambda m: m * (m * m + 1e-4) ** 0.425 - size, 0, guess, xtol=1e-16, rtol=1e-15),
            square,
        )

    def flows(p):
        pairs = [(60, p[0]), (p[0], p[1]), (p[1], p[2]), (60, p[2])]
        return [through(a * a - b * b, r) for (a, b), r in zip(pairs, k)]

    def rhs(t, p):
        m = flows(p)
        d = 6 + 4 * math.tanh((t - 1) / 0.05) - 3 * math.tanh((t - 3) / 0.05)
        return (
            3600 * np.array([m[0] - m[1] - 4, m[1] - m[2] - d, m[2] + m[3] - 7]) / (0.68 * volume)
        )

    def out(t, p):
        m = flows(p)
        return {"p[1]": p[0], "p[2]": p[1], "p[3]": p[2], "m[1]": m[0], "m[3]": m[2], "m[4]": m[3]}

    return Case(grid(5), [58, 55, 54], rhs, out, breaks=[1, 3])


@case("gas/AirSpring")
def air_spring():
    m, area, n, rt = 400, 0.012, 1.35, 84000
    om = 2.4 * math.pi

    def orifice(p1, p2):
        return 5e-6 * (p1 - p2) / ((p1 - p2) ** 2 + 1e6) ** 0.25

    def rhs(t, y):
        z, v, p1, p2 = y
        volume = 1.5e-3 + area * (z - 0.02 * math.sin(om * t))
        rate = area * (v - 0.02 * om * math.cos(om * t))
        q = orifice(p1, p2)
        return [
            v,
            area * (p1 - 1e5) / m - 9.81,
            n * (-rt * q - p1 * rate) / volume,
            n * rt * q / 2e-3,
        ]

    def out(t, y):
        return {
            "z": y[0],
            "v": y[1],
            "p1": y[2],
            "p2": y[3],
            "w": y[0] - 0.02 * math.sin(om * t),
            "a": area * (y[2] - 1e5) / m - 9.81,
            "q": orifice(y[2], y[3]),
        }

    return Case(
        grid(5),
        [0, 0, 4.27e5, 4.27e5],
        rhs,
        out,
        methods=("DOP853", "Radau"),
        typical=[0.05, 0.3, 4e5, 4e5],
    )


@case("gas/Blowdown")
def blowdown():
    g, gas, volume, area, p0, t0 = 1.4, 287, 0.05, 2e-6, 200e5, 300
    choked = math.sqrt(g / gas) * (2 / (g + 1)) ** ((g + 1) / (2 * (g - 1)))
    m0 = area * p0 * choked / math.sqrt(t0)
    mass = p0 * volume / (gas * t0)

    def exact(t):
        # T = T0/s^2 with s = 1 + (gamma - 1)/2 m0/M0 t, and p, M isentropic
        s = 1 + (g - 1) / 2 * m0 / mass * t
        p, temp = p0 * s ** (-2 * g / (g - 1)), t0 / s**2
        return {
            "p": p,
            "T": temp,
            "M": mass * s ** (-2 / (g - 1)),
            "U": p * volume / (g - 1),
            "m": area * p * choked / math.sqrt(temp),
        }

    return Case(grid(300), exact=exact)
