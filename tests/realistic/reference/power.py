"""Electrical machines and power systems."""

import math

import numpy as np
from common import Case, case, grid


@case("power/DcMotor")
def dc_motor():
    def supply(t):
        return 110 * (1 + math.tanh((t - 0.05) / 1e-3))

    def rhs(t, x):
        i, w = x
        friction = 0.9 * math.tanh(w / 0.5) + 2e-3 * w + 9e-5 * w * w
        return [(supply(t) - 0.35 * i - 0.62 * w) / 1.2e-3, (0.62 * i - friction) / 0.018]

    def out(t, x):
        return {"i": x[0], "w": x[1], "P": supply(t) * x[0]}

    return Case(grid(0.6), [0, 0], rhs, out, breaks=[0.05], typical=[100, 300])


@case("power/Swing")
def swing():
    e, x, h = np.array([1.06, 1.02, 1.04]), np.array([0.15, 0.25, 0.31]), np.array([23.6, 6.4, 3.0])
    power = np.array([0.9, 0.75, 0.55])

    def network(t, d):
        fault = 5 * (math.tanh((t - 0.5) / 1e-3) - math.tanh((t - 0.6) / 1e-3))
        inner = e * np.exp(1j * d)
        bus = np.sum(inner / (1j * x)) / (np.sum(1 / (1j * x)) + 2.1 + fault - 0.35j)
        current = (inner - bus) / (1j * x)
        return bus, current, np.real(inner * np.conj(current))

    def rhs(t, y):
        d, w = y[:3], y[3:]
        _, _, p = network(t, d)
        return np.concatenate([376.991118 * (w - 1), (power - p - 2 * (w - 1)) / (2 * h)])

    def out(t, y):
        bus, current, p = network(t, y[:3])
        found = {f"d[{k + 1}]": y[k] for k in range(3)}
        return {
            **found,
            "w[3]": y[5],
            "vr": bus.real,
            "vi": bus.imag,
            "Pe[2]": p[1],
            "ii[1]": current[0].imag,
        }

    start = [0.12, 0.17, 0.15, 1, 1, 1]
    return Case(
        grid(3, 12),
        start,
        rhs,
        out,
        methods=("DOP853", "Radau"),
        breaks=[0.49, 0.5, 0.51, 0.59, 0.6, 0.61],
    )


@case("power/Induction")
def induction():
    lm, l = 69.31e-3, 71.31e-3
    det = l * l - lm * lm

    def currents(stator, rotor):
        return (l * stator - lm * rotor) / det, (l * rotor - lm * stator) / det

    def rhs(t, y):
        stator, rotor, w = complex(y[0], y[1]), complex(y[2], y[3]), y[4]
        i, j = currents(stator, rotor)
        ds = 180 * np.exp(120j * math.pi * t) - 0.435 * i
        dr = -0.816 * j + 2j * w * rotor
        moment = 3 * (stator.conjugate() * i).imag
        return [ds.real, ds.imag, dr.real, dr.imag, (moment - 3e-4 * w * w) / 0.089]

    def out(t, y):
        stator, rotor = complex(y[0], y[1]), complex(y[2], y[3])
        i, _ = currents(stator, rotor)
        return {
            "psd": y[0],
            "prq": y[3],
            "isd": i.real,
            "w": y[4],
            "M": 3 * (stator.conjugate() * i).imag,
        }

    return Case(
        grid(0.5), [0] * 5, rhs, out, methods=("DOP853", "Radau"), typical=[0.5, 0.5, 0.5, 0.5, 180]
    )


@case("power/Inrush")
def inrush():
    def magnetising(psi):
        return 0.25 * (psi / 1.1 + 8 * (psi / 1.1) ** 11)

    def rhs(t, y):
        # u = R (im + psi'/Rfe) + psi'
        return [(325 * math.sin(100 * math.pi * t) - 0.4 * magnetising(y[0])) / (1 + 0.4 / 2000)]

    def out(t, y):
        return {"psi": y[0], "im": magnetising(y[0]), "i": magnetising(y[0]) + rhs(t, y)[0] / 2000}

    return Case(grid(0.1), [0.45], rhs, out, methods=("DOP853", "Radau"))


@case("power/Avr")
def avr():
    def network(d, eq):
        iq = math.sin(d) / (1.7 + 0.45)
        i = (eq - math.cos(d)) / (0.3 + 0.45)
        vd, vq = 1.7 * iq, eq - 0.3 * i
        return i, vd, vq, math.hypot(vd, vq), vd * i + vq * iq

    def rhs(t, y):
        d, w, eq, ef = y
        i, _, _, v, p = network(d, eq)
        goal = 1.02 + 0.01 * math.tanh((t - 2) / 0.05)
        return [
            314.159265 * w,
            (0.8 - p - 8 * w) / 7,
            (ef - eq - 1.5 * i) / 8,
            (200 * (goal - v) + 2 - ef) / 0.02,
        ]

    def out(t, y):
        i, _, _, v, p = network(y[0], y[2])
        return {"d": y[0], "w": y[1], "Eq": y[2], "Ef": y[3], "V": v, "P": p, "id": i}

    return Case(grid(6), [0.9, 0, 1, 2], rhs, out, breaks=[2], typical=[1, 0.01, 1, 2])


@case("power/PowerBus")
def power_bus():
    def power(t):
        return 4000 + 8000 * (1 + math.tanh((t - 0.02) / 5e-4))

    def rhs(t, x):
        return [(380 - 0.12 * x[0] - x[1]) / 180e-6, (x[0] - power(t) / x[1]) / 2.2e-3]

    def out(t, x):
        return {"iL": x[0], "u": x[1], "i": power(t) / x[1]}

    return Case(
        grid(0.06),
        [0, 380],
        rhs,
        out,
        methods=("DOP853", "Radau"),
        breaks=[0.02],
        typical=[50, 380],
    )
