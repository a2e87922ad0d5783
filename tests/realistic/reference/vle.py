"""Vapour and liquid in equilibrium: bubble points by bisection."""

import math

import numpy as np
from common import Case, case, grid
from scipy.optimize import brentq


def antoine(a, b, c, celsius):
    return 10 ** (a - b / (celsius + c))


def bubble_point(pressure, low, high):
    return brentq(pressure, low, high, xtol=1e-13, rtol=1e-15)


@case("vle/Flash")
def flash():
    a = np.array([6.80896, 6.87632, 6.91058])
    b, c = np.array([935.86, 1075.78, 1189.64]), np.array([238.73, 233.205, 226.28])
    feed = 10 * np.array([0.3, 0.4, 0.3])

    def vapour(x):
        def shares(temp):
            return x * 133.322 * 10 ** (a - b / (temp - 273.15 + c)) / 3e5

        temp = bubble_point(lambda s: math.log(np.sum(shares(s))), 250, 450)
        return temp, shares(temp)

    def boiled(t):
        return (8e4 + 4e4 * math.tanh((t - 60) / 5)) / 2.5e4

    def rhs(t, n):
        n = np.asarray(n)
        total = np.sum(n)
        _, y = vapour(n / total)
        return feed - boiled(t) * y - 1.5e-3 * total**1.4 * n / total

    def out(t, n):
        total = sum(n)
        temp, y = vapour(np.asarray(n) / total)
        return {
            "n[1]": n[0],
            "n[2]": n[1],
            "n[3]": n[2],
            "T": temp,
            "y[1]": y[0],
            "L": 1.5e-3 * total**1.4,
        }

    return Case(grid(300), [120, 200, 180], rhs, out, methods=("DOP853", "Radau"), breaks=[60])


@case("vle/Rayleigh")
def rayleigh():
    def state(x):
        g1 = math.exp((1 - x) ** 2 * (1.6022 + 2 * (0.7947 - 1.6022) * x))
        g2 = math.exp(x**2 * (0.7947 + 2 * (1.6022 - 0.7947) * (1 - x)))

        def parts(temp):
            return (
                x * g1 * antoine(8.20417, 1642.89, 230.3, temp),
                (1 - x) * g2 * antoine(8.07131, 1730.63, 233.426, temp),
            )

        temp = bubble_point(lambda s: math.log(sum(parts(s)) / 760), 20, 150)
        return temp, parts(temp)[0] / 760

    def rhs(t, s):
        return [-0.5, -0.5 * state(s[1] / s[0])[1]]

    def out(t, s):
        temp, y = state(s[1] / s[0])
        return {"n": s[0], "m": s[1], "x": s[1] / s[0], "y": y, "T": temp}

    return Case(grid(1500), [1000, 300], rhs, out, methods=("DOP853", "Radau"))


def benzene(x, unit=1.0, pressure=760.0):
    """Bubble point in degrees Celsius, and the share of benzene in the vapour."""

    def parts(temp):
        return (
            unit * x * antoine(6.90565, 1211.033, 220.79, temp),
            unit * (1 - x) * antoine(6.95464, 1344.8, 219.482, temp),
        )

    temp = bubble_point(lambda s: math.log(sum(parts(s)) / pressure), 20, 200)
    return temp, parts(temp)[0] / pressure


@case("vle/Column")
def column():
    feed, reflux, distillate, m = 100, 130, 48, 12
    below, v = reflux + feed, reflux + distillate

    def rhs(t, x):
        y = np.array([benzene(share)[1] for share in x])
        z = 0.5 - 0.04 * (1 + math.tanh((t - 1) / 0.02))
        dx = np.empty(10)
        dx[0] = v * (y[1] - x[0]) / 10
        for k in range(1, 4):
            dx[k] = (reflux * (x[k - 1] - x[k]) + v * (y[k + 1] - y[k])) / m
        dx[4] = (reflux * x[3] + feed * z - below * x[4] + v * (y[5] - y[4])) / m
        for k in range(5, 9):
            dx[k] = (below * (x[k - 1] - x[k]) + v * (y[k + 1] - y[k])) / m
        dx[9] = (below * x[8] - (below - v) * x[9] - v * y[9]) / 60
        return dx

    def out(t, x):
        return {
            "x[1]": x[0],
            "x[5]": x[4],
            "x[10]": x[9],
            "T[3]": benzene(x[2])[0],
            "y[7]": benzene(x[6])[1],
        }

    return Case(grid(4), [0.5] * 10, rhs, out, methods=("DOP853", "Radau"), breaks=[1])


@case("vle/EnergyStill")
def energy_still():
    c, dh = np.array([135, 160.0]), np.array([3.1e4, 3.5e4])

    def state(n):
        celsius, y = benzene(n[0] / (n[0] + n[1]), 133.322, 101325)
        return celsius + 273.15, np.array([y, 1 - y])

    def boiled(n):
        # the bubble point falls with x: T' = T_x x'; U' by the product rule gives V
        n = np.asarray(n, float)
        temp, y = state(n)
        total, x, s = n[0] + n[1], n[0] / (n[0] + n[1]), temp - 273.15
        p = [
            133.322 * antoine(6.90565, 1211.033, 220.79, s),
            133.322 * antoine(6.95464, 1344.8, 219.482, s),
        ]
        slope = [
            p[0] * math.log(10) * 1211.033 / (s + 220.79) ** 2,
            p[1] * math.log(10) * 1344.8 / (s + 219.482) ** 2,
        ]
        tx = -(p[0] - p[1]) / (x * slope[0] + (1 - x) * slope[1])
        dn = -y  # per unit of V
        dx = (dn[0] - x * (dn[0] + dn[1])) / total
        gained = np.dot(dn, c) * (temp - 298.15) + np.dot(n, c) * tx * dx
        taken = np.dot(y, c * (temp - 298.15) + dh)
        return 2.5e4 / (gained + taken), temp, y

    def rhs(t, n):
        v, _, y = boiled(n)
        return -v * y

    def out(t, n):
        v, temp, y = boiled(n)
        return {
            "n1": n[0],
            "n2": n[1],
            "T": temp,
            "V": v,
            "y": y[0],
            "U": np.dot(n, c) * (temp - 298.15),
        }

    return Case(grid(1000), [400, 600], rhs, out, methods=("DOP853", "Radau"))


@case("vle/Droplet")
def droplet():
    # the surface does not change: the square of the radius falls evenly
    def transfer(ts):
        ps = 610.94 * math.exp(17.625 * (ts - 273.15) / (ts - 30.11))
        y = 0.018 * ps / (0.018 * ps + 0.029 * (101325 - ps))
        return (y - 0.005) / (1 - y)

    def miss(ts):
        grown = (1 + transfer(ts)) ** (0.9 * 3.5e-5 * 1010 / 0.031) - 1
        return 1010 * (400 - ts) - (2.5e6 - 2370 * (ts - 273.15)) * grown

    ts = brentq(miss, 280, 370, xtol=1e-13)
    rate = 0.9 * 3.5e-5 * math.log(1 + transfer(ts))

    def exact(t):
        r2 = 2.5e-9 - 2 * rate / 1000 * t
        r = math.sqrt(r2)
        return {"r2": r2, "Ts": ts, "r": r, "m": 4 * math.pi * r * rate}

    return Case(grid(0.6), exact=exact)
