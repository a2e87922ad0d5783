"""Ionic equilibria: one charge balance in pH, solved by bisection and Newton's method."""

import math

from common import Case, case, grid
from scipy.optimize import brentq


def ph_of(balance, low=-1.0, high=15.0):
    return brentq(balance, low, high, xtol=1e-15, rtol=1e-15, maxiter=300)


@case("ions/Acetic")
def acetic():
    ka, kw = 1.75e-5, 1e-14

    def ph(x):
        volume, sodium = x

        def balance(p):
            h = 10**-p
            return h + sodium / volume - kw / h - 0.0025 / volume * ka / (ka + h)

        return ph_of(balance)

    def out(t, x):
        p = ph(x)
        return {"V": x[0], "nNa": x[1], "pH": p, "H": 10**-p}

    return Case(
        grid(100), [0.025, 0], lambda t, x: [0.5e-3, 0.5e-4], out, methods=("DOP853", "Radau")
    )


@case("ions/Phosphoric")
def phosphoric():
    def ph(x):
        def balance(p):
            h = 10**-p
            a, b, c = (10 ** (p - k) for k in (2.148, 7.199, 12.35))
            charge = (a + 2 * a * b + 3 * a * b * c) / (1 + a + a * b + a * b * c)
            return x[1] / x[0] + h - 10 ** (p - 13.995) - 0.005 / x[0] * charge

        return ph_of(balance)

    def out(t, x):
        return {"V": x[0], "nNa": x[1], "pH": ph(x)}

    return Case(
        grid(200, 20), [0.1, 0], lambda t, x: [1e-4, 1e-4], out, methods=("DOP853", "Radau")
    )


@case("ions/Carbonate")
def carbonate():
    k1, k2, kw, sodium = 4.45e-4, 4.69e-8, 1e-8, 10

    def shares(total, p):
        h = 10.0 ** (3 - p)
        d = h * h + k1 * h + k1 * k2
        return total * h * h / d, total * k1 * h / d, total * k1 * k2 / d

    def ph(total):
        def balance(p):
            _, one, two = shares(total, p)
            h = 10.0 ** (3 - p)
            return sodium + h - kw / h - one - 2 * two

        return ph_of(balance)

    def rhs(t, x):
        return [0.1 * (1.36e-2 - shares(x[0], ph(x[0]))[0])]

    def out(t, x):
        p = ph(x[0])
        co2, one, two = shares(x[0], p)
        return {"C": x[0], "pH": p, "CO2": co2, "HCO3": one, "CO3": two}

    return Case(grid(20000), [1e-3], rhs, out)


@case("ions/Neutralisation")
def neutralisation():
    def ph(x):
        def balance(p):
            part = (1 + 2 * 10 ** (p - 10.25)) / (1 + 10 ** (6.35 - p) + 10 ** (p - 10.25))
            return x[1] + 10 ** (p - 14) + x[2] * part - 10**-p

        return ph_of(balance)

    def rhs(t, x):
        h, wa, wb = x
        q3 = 15.6 + 2 * math.tanh((t - 100) / 10) - 4 * math.tanh((t - 600) / 10)
        return [
            (16.6 + 0.55 + q3 - 8.75 * math.sqrt(h)) / 207,
            (16.6 * (3e-3 - wa) + 0.55 * (-3e-2 - wa) + q3 * (-3.05e-3 - wa)) / (207 * h),
            (-16.6 * wb + 0.55 * (3e-2 - wb) + q3 * (5e-5 - wb)) / (207 * h),
        ]

    def out(t, x):
        return {"h": x[0], "Wa": x[1], "Wb": x[2], "pH": ph(x)}

    return Case(
        grid(1200, 12),
        [14, -4.32e-4, 5.28e-4],
        rhs,
        out,
        methods=("DOP853", "Radau"),
        breaks=[100, 600],
    )


@case("ions/Silver")
def silver():
    b1, b2 = 10**3.31, 10**7.23

    def free(ammonia, given):
        """What is left over of the ammonia balance at this NH3, with pH from the charges."""
        silver_ion = 0.01 / (1 + b1 * ammonia + b2 * ammonia**2)
        h = math.sqrt(1e-14 / (1 + ammonia / 10**-9.24))  # NH4 + H = OH
        bound = silver_ion * (b1 * ammonia + 2 * b2 * ammonia**2)
        return ammonia + ammonia * h / 10**-9.24 + bound - given, silver_ion, h

    def out(t, x):
        given = 1e-3 * t
        if given == 0:
            return {"nN": 0.0, "pAg": 2.0, "pH": 7.0, "NH3": 0.0}
        logarithm = brentq(lambda s: free(math.exp(s), given)[0], -60, 1, xtol=1e-15, rtol=1e-15)
        _, ion, h = free(math.exp(logarithm), given)
        return {
            "nN": given,
            "pAg": -math.log10(ion),
            "pH": -math.log10(h),
            "NH3": math.exp(logarithm),
        }

    return Case(grid(100), exact=lambda t: out(t, None))


@case("ions/Sweep")
def sweep():
    def share(x):
        return 1 / (1 + math.exp(-x))

    def exact(t):
        x = 18 * math.cos(t)
        ox, red = share(x), share(-x)
        return {
            "ox": ox,
            "red": red,
            "i": -18 * math.sin(t) * ox * red,
            "q": ox - share(18),
            "E": 0.0257 * x,
        }

    return Case(grid(6), exact=exact)


@case("ions/Dosing")
def dosing():
    ka, kw, a = 1.8e-5, 1e-14, 0.01

    def exact(t):
        h = 10 ** -(7 + 4 * math.sin(t))
        rate = -4 * math.cos(t) * math.log(10) * h
        acid, oh = a * ka / (ka + h), kw / h
        by_h = -oh / h - acid / (ka + h) - 1
        return {"H": h, "OH": oh, "Ac": acid, "Na": oh + acid - h, "u": 1000 * by_h * rate}

    return Case(grid(7), exact=exact)
