"""Inverse models: what is prescribed is differentiated by hand, or by series where that is long."""

import math

from common import Case, case, grid
from mpmath import mp, mpf, taylor
import mpmath


@case("inverse/TankInverse")
def tank_inverse():
    area, k = 0.5, 0.02

    def exact(t):
        th = math.tanh((t - 100) / 30)
        s = 1 - th * th
        r, dr, ddr = 1 + 0.3 * (1 + th), 0.3 * s / 30, -0.6 * th * s / 900
        root = math.sqrt(r) + area * dr / k  # sqrt(h1)
        slope = 2 * root * (dr / (2 * math.sqrt(r)) + area * ddr / k)
        return {"h2": r, "h1": root**2, "u": area * slope + k * root}

    return Case(grid(300), exact=exact)


@case("inverse/ReactorInverse")
def reactor_inverse():
    heat, ua, tank = 239 * 100, 5e4, 20 * 4180

    def path(t):
        return 350 + 10 * math.sin(0.8 * t), 8 * math.cos(0.8 * t), -6.4 * math.sin(0.8 * t)

    def rate(temp, c):
        return 7.2e10 * math.exp(-8750 / temp) * c

    def rhs(t, x):
        return [1 - x[0] - rate(path(t)[0], x[0])]

    def out(t, x):
        temp, slope, bend = path(t)
        r, dc = rate(temp, x[0]), rhs(t, x)[0]
        dr = rate(temp, dc) + r * 8750 / temp**2 * slope
        tj = temp + (heat * slope - heat * (350 - temp) - 5e6 * r) / ua
        dtj = slope + (heat * bend + heat * slope - 5e6 * dr) / ua
        tin = tj + (tank * dtj - ua * (temp - tj)) / (60 * 4180)
        return {"c": x[0], "T": temp, "Tj": tj, "Tin": tin}

    return Case(grid(10), [0.5], rhs, out, methods=("DOP853", "Radau"))


@case("inverse/CraneInverse")
def crane_inverse():
    mp.dps = 40

    def trolley(t):
        x, y = 5 + 3 * mpmath.sin(t / 2), -8 + mpf(3) / 2 * mpmath.cos(3 * t / 10)
        ax, ay = -mpf(3) / 4 * mpmath.sin(t / 2), -mpf(27) / 200 * mpmath.cos(3 * t / 10)
        force = -800 * (ay + mpf("9.81")) / y
        return x + 800 * ax / force, force, x, y

    def exact(t):
        t = mpf(t)
        xt, ut, half = taylor(lambda s: trolley(s)[0], t, 2)
        _, force, x, y = trolley(t)
        drive = 300 * 2 * half - force * (x - xt)
        length = mpmath.sqrt((x - xt) ** 2 + y**2)
        return {
            "x": x,
            "y": y,
            "xt": xt,
            "ut": ut,
            "L": length,
            "S": force,
            "F": drive,
            "a": 2 * half,
        }

    return Case(grid(12), exact=exact)


@case("inverse/JointInverse")
def joint_inverse():
    mp.dps = 40

    def motor(t):
        q, w = mpf("1.2") * mpmath.sin(1.5 * t), mpf("1.8") * mpmath.cos(1.5 * t)
        moment = (
            mpf("3.2") * mpf("-2.7") * mpmath.sin(1.5 * t)
            + 12 * w
            + 6 * mpf("9.81") * mpf("0.45") * mpmath.sin(q)
        )
        # k3 e^3 + k e = M by Cardano's formula in sinh
        e = (
            2
            * mpmath.sqrt(mpf(9000) / (3 * 4e6))
            * mpmath.sinh(
                mpmath.asinh(3 * moment / (2 * 9000) * mpmath.sqrt(3 * mpf(4e6) / 9000)) / 3
            )
        )
        return 80 * (q + e), moment, q, w

    def exact(t):
        t = mpf(t)
        qm, wm, half = taylor(lambda s: motor(s)[0], t, 2)
        _, moment, q, w = motor(t)
        return {
            "q": q,
            "w": w,
            "qm": qm,
            "wm": wm,
            "M": moment,
            "tau": mpf("0.012") * 2 * half + moment / 80,
        }

    return Case(grid(5), exact=exact)


@case("inverse/FlightInverse")
def flight_inverse():
    m, s, g = 54000, 105, 9.81

    def path(t):
        th = math.tanh((t - 60) / 25)
        v, dv = 150 + 20 * th, 20 / 25 * (1 - th * th)
        e, c, si = math.exp(-t / 15), math.cos(0.02 * t), math.sin(0.02 * t)
        return v, dv, 0.06 * (1 - e) * c, 0.06 * (e / 15 * c - (1 - e) * 0.02 * si)

    def rhs(t, x):
        v, _, gamma, _ = path(t)
        return [v * math.sin(gamma), v * math.cos(gamma)]

    def out(t, x):
        v, dv, gamma, dgamma = path(t)
        q = 0.5 * 1.225 * (1 - 2.2558e-5 * x[0]) ** 4.2559 * v * v * s
        lift = m * v * dgamma + m * g * math.cos(gamma)
        drag = q * (0.021 + 0.045 * (lift / q) ** 2)
        return {
            "h": x[0],
            "x": x[1],
            "cl": lift / q,
            "T": m * dv + drag + m * g * math.sin(gamma),
            "D": drag,
        }

    return Case(grid(200), [3000, 0], rhs, out, methods=("DOP853", "Radau"), typical=[3000, 3e4])
