"""Batteries, fuel cells, solar cells, corrosion."""

import math

import numpy as np
from common import Case, case, grid
from scipy.optimize import brentq


@case("cells/LithiumCell")
def lithium_cell():
    f, gas, temp, q, area, kn, kp, cdl = 96485, 8.314, 298.15, 9000, 0.6, 1.2, 0.8, 0.12
    thermal = gas * temp / f

    def current(t):
        return 2.5 * (1 + math.tanh((t - 20) / 0.1)) - 4 * (1 + math.tanh((t - 600) / 0.1))

    def positive(xp, ep):
        return -20 * area * kp * math.sqrt(xp * (1 - xp)) * math.sinh(ep / (2 * thermal))

    def rhs(t, x):
        xn, xp, ep = x
        ip = positive(xp, ep)
        return [-current(t) / q, ip / (0.85 * q), (ip - current(t)) / (cdl * area)]

    def out(t, x):
        xn, xp, ep = x
        i = current(t)
        en = 2 * thermal * math.asinh(i / (20 * area * kn * math.sqrt(xn * (1 - xn))))
        un = (
            0.1
            + 0.8 * math.exp(-30 * xn)
            - 0.02 * math.tanh((xn - 0.55) / 0.05)
            - thermal * math.log(xn / (1 - xn))
        )
        up = 4.2 - 0.9 * xp + 0.1 * math.exp(-40 * xp) + thermal * math.log((1 - xp) / xp)
        return {
            "xn": xn,
            "xp": xp,
            "ep": ep,
            "en": en,
            "V": up + ep - un - en - 0.012 * i,
            "Ip": positive(xp, ep),
        }

    return Case(
        grid(1200, 12),
        [0.8, 0.42, 0],
        rhs,
        out,
        breaks=[19, 20, 21, 599, 600, 601],
        typical=[0.8, 0.4, 0.1],
    )


@case("cells/Particle")
def particle():
    radius, d, cmax, f = 8e-6, 4e-15, 30555, 96485
    dr = radius / 8
    s = np.arange(9)
    volume, face = dr**3 * np.diff(s**3) / 3, dr**2 * s[1:] ** 2

    def flux(t):
        return 2.5e-5 * (1 + 0.6 * math.sin(2 * math.pi * t / 300))

    def rhs(t, c):
        through = np.append(-d * np.diff(c) / dr, flux(t)) * face
        return -np.diff(np.append(0, through)) / volume

    def out(t, c):
        j = flux(t)
        cs = c[7] - j * dr / 2 / d
        i0 = f * 5e-11 * math.sqrt(1000 * cs * (cmax - cs))
        eta = math.asinh(j * f / (2 * i0)) / (0.5 * 38.92)
        u = 0.13 + 0.7 * math.exp(-60 * cs / cmax) - 0.05 * math.tanh((cs / cmax - 0.5) / 0.03)
        return {"c[1]": c[0], "c[8]": c[7], "cs": cs, "eta": eta, "phi": u + eta}

    return Case(grid(1500), [24000] * 8, rhs, out, methods=("DOP853", "Radau"))


@case("cells/FuelCell")
def fuel_cell():
    f, rt, n = 96485, 8.314 * 343, 48

    def load(t):
        return (
            60
            + 40 * math.tanh((t - 5) / 0.05)
            - 70 * math.tanh((t - 15) / 0.05)
            + 30 * math.tanh((t - 20) / 0.05)
        )

    def activation(po, vd):
        """eta of vd = eta + 0.03 ln(500/(500 - ia(eta)))."""
        scale = 2e-4 * 0.0232 * 1e4 * math.sqrt(po / 101325) * 0.05

        def miss(eta):
            return eta - 0.03 * math.log1p(-scale * math.sinh(eta / 0.058) / 500) - vd

        top = 0.058 * math.asinh(500 / scale * (1 - 1e-12))
        eta = brentq(miss, min(vd, 0) - 1, min(max(vd, 0), top), xtol=1e-16, rtol=1e-15)
        return eta, scale * math.sinh(eta / 0.058)

    def rhs(t, x):
        ph, po, vd = x
        i, ia = load(t), activation(po, vd)[1]
        return [
            (4.2e-6 * (2.2e5 - ph) - n * i / (2 * f)) * rt / 5e-3,
            (7e-6 * (1.1e5 - po) - n * i / (4 * f)) * rt / 1e-2,
            (i - ia) / 8,
        ]

    def out(t, x):
        ph, po, vd = x
        eta, ia = activation(po, vd)
        e = (
            1.229
            - 8.5e-4 * (343 - 298.15)
            + rt / (2 * f) * (math.log(ph / 101325) + 0.5 * math.log(po / 101325))
        )
        return {
            "pH": ph,
            "pO": po,
            "vd": vd,
            "eta": eta,
            "ia": ia,
            "V": n * (e - vd - 2.4e-4 * load(t)),
        }

    edges = [4.5, 5, 5.5, 14.5, 15, 15.5, 19.5, 20, 20.5]
    return Case(grid(30, 15), [1.5e5, 0.6e5, 0.3], rhs, out, breaks=edges)


@case("cells/Photovoltaic")
def photovoltaic():
    sat, nvt, rs, rp = 1.2e-10, 60 * 0.0282, 0.32, 400

    def current(t, v):
        sun = (
            8.6 * (950 - 400 * (math.tanh((t - 0.2) / 0.005) - math.tanh((t - 0.6) / 0.005))) / 1000
        )

        def miss(u):  # u = v + Rs i, the voltage of the cells
            return (u - v) / rs - sun + sat * math.expm1(u / nvt) + u / rp

        u = brentq(miss, v - 60, v + 10, xtol=1e-15, rtol=1e-15)
        return sun - sat * math.expm1(u / nvt) - u / rp

    def rhs(t, x):
        return [(current(t, x[0]) - 0.75 * x[1]) / 220e-6, (0.75 * x[0] - 24 - 0.15 * x[1]) / 1e-3]

    def out(t, x):
        i = current(t, x[0])
        return {"v": x[0], "iL": x[1], "i": i, "P": i * x[0]}

    return Case(
        grid(1),
        [36, 0],
        rhs,
        out,
        methods=("DOP853", "LSODA"),
        breaks=[0.17, 0.2, 0.23, 0.57, 0.6, 0.63],
        typical=[36, 8],
    )


@case("cells/Corrosion")
def corrosion():
    def state(c):
        """E where the iron's current is that of the oxygen that arrives."""

        def oxygen(e):
            # i = g cs and i = K (c - cs)
            g, k = 3e-7 / 0.25 * math.exp(-(e - 0.6) / 0.052), 4 * 96485 * 2e-5
            return g * k * c / (g + k)

        e = brentq(
            lambda e: 2e-4 * math.sinh((e + 0.44) / 0.026) - oxygen(e),
            -0.6,
            0.3,
            xtol=1e-16,
            rtol=1e-15,
        )
        return e, oxygen(e)

    def rhs(t, x):
        i = state(x[0])[1]
        return [(-2 * i / (4 * 96485) + 2e-7 * (0.25 - x[0])) / 0.5, i / (2 * 96485)]

    def out(t, x):
        e, i = state(x[0])
        return {"c": x[0], "m": x[1], "E": e, "i": i, "cs": x[0] - i / (4 * 96485 * 2e-5)}

    return Case(grid(2e6), [0.25, 0], rhs, out, typical=[0.25, 1])
