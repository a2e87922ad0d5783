"""Andrews' squeezing mechanism: loops and equations of motion, M(q) q'' = f(q, q') - G(q)' lambda.

Test Set for IVP Solvers, release 2.4 (Mazzia & Magherini 2008); angles in its order."""

import math

from jets import sine_and_cosine

NAMES = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")
RR, D, SS, E, ZT, ZF, U = 0.007, 0.028, 0.035, 0.02, 0.04, 0.02, 0.04
XA, YA, XB, YB = -0.06934, -0.00227, -0.03635, 0.03273
DA, RA, SA, SB, SC, SD = 0.0115, 0.00092, 0.01874, 0.01043, 0.018, 0.02
EA, FA, TA, TB, UA, UB = 0.01421, 0.01421, 0.02308, 0.00916, 0.01228, 0.00449
M = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
I = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)


def loops(t, beta, theta, gamma, phi, delta, omega, epsilon):
    (sb, cb), (sbt, cbt) = sine_and_cosine(beta), sine_and_cosine(beta + theta)
    (sg, cg), (sd, cd) = sine_and_cosine(gamma), sine_and_cosine(delta)
    (spd, cpd), (se, ce) = sine_and_cosine(phi + delta), sine_and_cosine(epsilon)
    soe, coe = sine_and_cosine(omega + epsilon)
    x, y = RR * cb - D * cbt, RR * sb - D * sbt
    return [
        x - SS * sg - XB,
        y + SS * cg - YB,
        x - E * spd - ZT * cd - XA,
        y + E * cpd - ZT * sd - YA,
        x - ZF * coe - U * se - XA,
        y - ZF * soe + U * ce - YA,
    ]


def constraint_forces(q, pull):
    """G' lambda."""
    b, bt, g, pd, d, oe, e = q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]
    along, across = pull[0] + pull[2] + pull[4], pull[1] + pull[3] + pull[5]
    sin, cos = math.sin, math.cos
    crank = D * sin(bt) * along - D * cos(bt) * across
    left = -E * cos(pd) * pull[2] - E * sin(pd) * pull[3]
    right = ZF * sin(oe) * pull[4] - ZF * cos(oe) * pull[5]
    return [
        crank - RR * sin(b) * along + RR * cos(b) * across,
        crank,
        -SS * cos(g) * pull[0] - SS * sin(g) * pull[1],
        left,
        left + ZT * sin(d) * pull[2] - ZT * cos(d) * pull[3],
        right,
        right - U * cos(e) * pull[4] - U * sin(e) * pull[5],
    ]


def applied_forces(q, v):
    sin, cos = math.sin, math.cos
    s, c = sin(q[2]), cos(q[2])
    dx, dy = SD * c + SC * s + XB - 0.014, SD * s - SC * c + YB - 0.072
    length = math.hypot(dx, dy)
    spring = -4530 * (length - 0.07785) / length
    crank, left, right = M[1] * DA * RR, M[3] * ZT * (E - EA), M[5] * U * (ZF - FA)
    return [
        0.033 - crank * v[1] * (v[1] + 2 * v[0]) * sin(q[1]),
        crank * v[0] ** 2 * sin(q[1]),
        spring * (dx * (SC * c - SD * s) + dy * (SD * c + SC * s)),
        left * v[4] ** 2 * cos(q[3]),
        -left * v[3] * (v[3] + 2 * v[4]) * cos(q[3]),
        -right * v[6] ** 2 * cos(q[5]),
        right * v[5] * (v[5] + 2 * v[6]) * cos(q[5]),
    ]


def solve_pair(a, b, d, f, g):
    """a x + b y = f, b x + d y = g."""
    determinant = a * d - b * b
    return [(d * f - b * g) / determinant, (a * g - b * f) / determinant]


def accelerations(q, f):
    """The mass matrix couples crank, left and right pairs of angles."""
    crank = DA * RR * math.cos(q[1])
    a22 = M[1] * DA**2 + I[1]
    a12 = a22 - M[1] * crank
    a11 = M[0] * RA**2 + M[1] * (RR**2 - 2 * crank + DA**2) + I[0] + I[1]
    a33 = M[2] * (SA**2 + SB**2) + I[2]
    left, right = E - EA, ZF - FA
    lift, turn = ZT * left * math.sin(q[3]), U * right * math.sin(q[5])
    a44 = M[3] * left**2 + I[3]
    a55 = a44 + M[3] * (ZT**2 + 2 * lift) + M[4] * (TA**2 + TB**2) + I[4]
    a66 = M[5] * right**2 + I[5]
    a77 = a66 + M[5] * (U**2 - 2 * turn) + M[6] * (UA**2 + UB**2) + I[6]
    return (
        solve_pair(a11, a12, a22, f[0], f[1])
        + [f[2] / a33]
        + solve_pair(a44, a44 + M[3] * lift, a55, f[3], f[4])
        + solve_pair(a66, a66 - M[5] * turn, a77, f[5], f[6])
    )


def derivatives(r):
    """Of a row of the trajectory: each angle with its velocity and acceleration."""
    q, v = [r[name] for name in NAMES], [r["v" + name] for name in NAMES]
    pull = [r[f"lambda[{k}]"] for k in range(1, 7)]
    forces = zip(applied_forces(q, v), constraint_forces(q, pull))
    return [list(one) for one in zip(q, v, accelerations(q, [f - g for f, g in forces]))]
