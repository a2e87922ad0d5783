"""Mechanisms by their independent coordinates; reactions from the accelerations."""

import math

import numpy as np
from common import Case, case, grid


def driven(power):
    """w' of one driving coordinate: where power(a, w, w'), the power of the forces less that of
    inertia per unit of w, vanishes; it is linear in w'."""

    def slope(a, w):
        at_0, at_1 = power(a, w, 0.0), power(a, w, 1.0)
        return at_0 / (at_0 - at_1)

    return slope


@case("mechanisms/SliderCrank")
def slider_crank():
    l1, l2, i1, j2, ma, mb, mp, tau, area = 0.045, 0.145, 0.018, 4e-4, 0.32, 0.14, 0.42, 6, 5.7e-3

    def motion(a, w, dw):
        """b, s, their speeds and accelerations."""
        b = -math.asin(l1 * math.sin(a) / l2)
        s = l1 * math.cos(a) + l2 * math.cos(b)
        wb = -l1 * math.cos(a) * w / (l2 * math.cos(b))
        v = -l1 * math.sin(a) * w - l2 * math.sin(b) * wb
        bb = (l1 * math.sin(a) * w**2 - l1 * math.cos(a) * dw + l2 * math.sin(b) * wb**2) / (
            l2 * math.cos(b)
        )
        vv = (
            -l1 * math.cos(a) * w**2
            - l1 * math.sin(a) * dw
            - l2 * math.cos(b) * wb**2
            - l2 * math.sin(b) * bb
        )
        return b, s, wb, v, bb, vv

    def force(s):
        return -area * (1.5e5 * (0.12 / (0.215 - s)) ** 1.3 - 1e5)

    def power(a, w, dw):
        # velocities per unit of w
        _, s, _, _, bb, vv = motion(a, w, dw)
        _, _, rb, rv, _, _ = motion(a, 1.0, 0.0)
        return tau + force(s) * rv - (i1 + ma * l1**2) * dw - j2 * bb * rb - (mb + mp) * vv * rv

    slope = driven(power)

    def rhs(t, x):
        return [x[1], slope(*x)]

    def out(t, x):
        a, w = x
        b, s, wb, v, bb, vv = motion(a, w, slope(a, w))
        f1 = force(s) - (mb + mp) * vv
        f2 = (j2 * bb + l2 * math.sin(b) * f1) / (l2 * math.cos(b))
        return {"a": a, "b": b, "s": s, "wa": w, "wb": wb, "v": v, "f1": f1, "f2": f2}

    return Case(grid(0.2), [0.6, 150], rhs, out, methods=("DOP853", "Radau"))


@case("mechanisms/FourBar")
def four_bar():
    l0, l1, l2, l3, i1, j2, i3, m2, g, k = 0.4, 0.1, 0.35, 0.25, 6e-3, 8e-3, 1.2e-2, 0.9, 9.81, 8

    def angles(a):
        # the rocker's pin from two circles, the solution above the base
        px, py = l0 - l1 * math.cos(a), -l1 * math.sin(a)  # from the crank's pin to the base pin
        d2 = px * px + py * py
        along = (l2**2 - l3**2 + d2) / (2 * d2)
        off = math.sqrt(l2**2 / d2 - along**2)
        x, y = along * px - off * py, along * py + off * px
        return math.atan2(y, x), math.atan2(y - py, x - px)

    def motion(a, w, dw):
        b, c = angles(a)
        matrix = np.array(
            [[-l2 * math.sin(b), l3 * math.sin(c)], [l2 * math.cos(b), -l3 * math.cos(c)]]
        )
        speeds = np.linalg.solve(matrix, [l1 * math.sin(a) * w, -l1 * math.cos(a) * w])
        rest = (
            l1 * w**2 * np.array([math.cos(a), math.sin(a)])
            + l1 * dw * np.array([math.sin(a), -math.cos(a)])
            + l2 * speeds[0] ** 2 * np.array([math.cos(b), math.sin(b)])
            - l3 * speeds[1] ** 2 * np.array([math.cos(c), math.sin(c)])
        )
        return b, c, speeds, np.linalg.solve(matrix, rest)

    def moments(a, w, c):
        return (
            0.15 - 0.012 * w - m2 * g * l1 * math.cos(a) / 2,
            -k * (c - 1.5) - m2 * g * l3 * math.cos(c) / 2,
        )

    def power(a, w, dw):
        _, c, _, acc = motion(a, w, dw)
        _, _, ratio, _ = motion(a, 1.0, 0.0)
        ma, mc = moments(a, w, c)
        return ma - i1 * dw - j2 * acc[0] * ratio[0] + (mc - i3 * acc[1]) * ratio[1]

    slope = driven(power)

    def out(t, x):
        a, w = x
        b, c, speeds, acc = motion(a, w, slope(a, w))
        mc = moments(a, w, c)[1]
        matrix = np.array(
            [[-l2 * math.sin(b), l2 * math.cos(b)], [l3 * math.sin(c), -l3 * math.cos(c)]]
        )
        f = np.linalg.solve(matrix, [j2 * acc[0], i3 * acc[1] - mc])
        return {"a": a, "b": b, "c": c, "wa": w, "wc": speeds[1], "f1": f[0], "f2": f[1]}

    def rhs(t, x):
        return [x[1], slope(*x)]

    return Case(grid(2), [0.5, 8], rhs, out, methods=("DOP853", "Radau"))


@case("mechanisms/DoublePendulum")
def double_pendulum():
    l1, l2, m1, m2, g = 300, 200, 250, 120, 9810

    def accelerations(x):
        a, b, wa, wb = x
        # from the Lagrangian of two angles to the downward vertical
        mass = np.array([[(m1 + m2) * l1, m2 * l2 * math.cos(a - b)], [l1 * math.cos(a - b), l2]])
        force = [
            -m2 * l2 * wb**2 * math.sin(a - b) - (m1 + m2) * g * math.sin(a),
            l1 * wa**2 * math.sin(a - b) - g * math.sin(b),
        ]
        return np.linalg.solve(mass, force)

    def rhs(t, x):
        return [x[2], x[3], *accelerations(x)]

    def out(t, x):
        a, b, wa, wb = x
        aa, bb = accelerations(x)
        x1, y1 = l1 * math.sin(a), -l1 * math.cos(a)
        dx, dy = l2 * math.sin(b), -l2 * math.cos(b)
        # along the second string: m2 times the acceleration of the lower mass
        ax = l1 * (aa * math.cos(a) - wa**2 * math.sin(a)) + l2 * (
            bb * math.cos(b) - wb**2 * math.sin(b)
        )
        ay = l1 * (aa * math.sin(a) + wa**2 * math.cos(a)) + l2 * (
            bb * math.sin(b) + wb**2 * math.cos(b)
        )
        t2 = -m2 * (ax * dx + (ay + g) * dy) / l2**2
        v1 = wa * l1 * math.sin(a)
        return {
            "x1": x1,
            "y1": y1,
            "x2": x1 + dx,
            "y2": y1 + dy,
            "u1": wa * l1 * math.cos(a),
            "v1": v1,
            "T2": t2,
        }

    x1, x2 = 260, 390
    start = [math.asin(x1 / l1), math.asin((x2 - x1) / l2), 0, 0]
    return Case(grid(2), start, rhs, out, methods=("DOP853", "Radau"), typical=[1, 1, 8, 10])


@case("mechanisms/Hoist")
def hoist():
    big, small, g, d = 1200, 4500, 9.81, 900

    def rope(t):
        th = math.tanh((t - 6) / 2)
        s = 1 - th * th
        return 12 - 2 * (1 + th), -s, th * s  # L, L', L''

    def solved(t, x):
        """Accelerations of trolley and angle, and the rope's force: x = xt + L sin q, y = -L cos q."""
        _, vt, q, w = x
        length, dl, ddl = rope(t)
        force = 2500 * (math.tanh((t - 1) / 0.1) - math.tanh((t - 4) / 0.1))
        s, c = math.sin(q), math.cos(q)
        # unknowns: vt', w', S L
        matrix = np.array(
            [[big, 0, -s], [small, small * length * c, s], [0, small * length * s, -c]]
        )
        right = [
            force - d * vt,
            -small * (ddl * s + 2 * dl * w * c - length * w * w * s),
            -small * (-ddl * c + 2 * dl * w * s + length * w * w * c) - small * g,
        ]
        return np.linalg.solve(matrix, right)

    def rhs(t, x):
        vt, w, _ = solved(t, x)
        return [x[1], vt, x[3], w]

    def out(t, x):
        length, dl, _ = rope(t)
        s, c = math.sin(x[2]), math.cos(x[2])
        vy = -dl * c + length * x[3] * s
        return {
            "xt": x[0],
            "vt": x[1],
            "x": x[0] + length * s,
            "y": -length * c,
            "vy": vy,
            "S": solved(t, x)[2] / length,
        }

    # vx = 0 at the start: the angle is 0, and so is its speed
    return Case(
        grid(15, 15),
        [0, 0, 0, 0],
        rhs,
        out,
        methods=("DOP853", "Radau"),
        breaks=[1, 4],
        typical=[5, 2, 0.2, 0.2],
    )


@case("mechanisms/Knife")
def knife():
    m, al, g, w = 2.5, 0.4, 9.81, 1.7

    def exact(t):
        # speed along the blade: s' = g sin(al) cos(p), so s = g sin(al) sin(p)/w
        p, k = w * t, g * math.sin(al) / w
        x = k / (2 * w) * math.sin(p) ** 2
        y = k / (2 * w) * (p - 0.5 * math.sin(2 * p))
        u, v = k * math.sin(p) * math.cos(p), k * math.sin(p) ** 2
        return {"x": x, "y": y, "p": p, "u": u, "v": v, "f": -2 * m * k * w * math.sin(p)}

    return Case(grid(4), exact=exact)


@case("mechanisms/StickSlip")
def stick_slip():
    def force(v):
        r = 0.08 - v
        return 25 * (0.25 + 0.2 * math.exp(-((r / 0.02) ** 2))) * math.tanh(r / 1e-3)

    def rhs(t, x):
        return [x[1], (force(x[1]) - 900 * x[0] - 0.5 * x[1]) / 1.2]

    def out(t, x):
        return {"x": x[0], "v": x[1], "F": force(x[1])}

    return Case(grid(1.5), [0, 0], rhs, out, typical=[0.01, 0.1])
