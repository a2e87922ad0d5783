"""The models with constraints, each with its constraints and the derivatives of what they bind.

`derivatives` of a row of the trajectory: for each bound variable its value and derivatives, as the
equations of motion give them from the other columns. `constraints` of these variables and time:
what is zero. Differentiated as often as there are derivatives, the constraints give the hidden
levels. The numbers are the models' own parameters, written here once more."""

import math
from collections import namedtuple

import andrews
from jets import cos, exp, sin, sqrt
from simulation import CORPUS, example

Case = namedtuple("Case", "model derivatives constraints options", defaults=({},))
G = 9.81


def pendulum_case(path, force, g=G, mass=1.0):
    """A point on the unit circle, the multiplier named `force`."""

    def derivatives(r):
        tension = r[force] / mass
        return [[r["x"], r["vx"], -tension * r["x"]], [r["y"], r["vy"], -tension * r["y"] - g]]

    return Case(path, derivatives, lambda t, x, y: [x * x + y * y - 1])


def pendulum_velocity(r):
    ax, ay = -r["T"] * r["x"], -r["T"] * r["y"] - G
    return [[r["x"], r["vx"]], [r["y"], r["vy"]], [r["vx"], ax], [r["vy"], ay]]


def pendulum_stabilised(r):
    x, y, vx, vy = pendulum_velocity(r)
    return [[x[0], x[1] - r["mu"] * x[0]], [y[0], y[1] - r["mu"] * y[0]], vx, vy]


def moving_pivot(r):
    ax = -r["T"] * (r["x"] - 0.3 * math.sin(4 * r["time"]))
    return [[r["x"], r["vx"], ax], [r["y"], r["vy"], -r["T"] * r["y"] - G]]


def driven_pendulum(r):
    s, c = math.sin(r["time"]), math.cos(r["time"])
    return [
        [r["x"], r["xd"] + s, -r["x"] * r["F"] + c],
        [r["y"], r["yd"] + s, -r["y"] * r["F"] + c],
    ]


def spherical_pendulum(r):
    found = []
    for k in "123":
        x = r[f"r[{k}]"]
        found.append([x, r[f"v[{k}]"], -r["T"] * x - (G if k == "3" else 0)])
    return found


def double_pendulum(r):
    dx, dy, f1, f2 = r["x2"] - r["x1"], r["y2"] - r["y1"], r["F1"], r["F2"]
    return [
        [r["x1"], r["u1"], -f1 * r["x1"] + f2 * dx],
        [r["y1"], r["v1"], -f1 * r["y1"] + f2 * dy - G],
        [r["x2"], r["u2"], -f2 * dx],
        [r["y2"], r["v2"], -f2 * dy - G],
    ]


def slider_crank(r):
    xc, yc = 0.5 * math.cos(r["phi"]), 0.5 * math.sin(r["phi"])
    a = (-r["F"] * (r["xs"] - xc) - 0.8 * r["vs"]) / 1.5
    turn = (-r["F"] * (r["xs"] - xc) * yc - r["F"] * yc * xc) / 0.4
    return [[r["phi"], r["w"], turn], [r["xs"], r["vs"], a]]


def slider_crank_loop(t, phi, xs):
    dx, dy = xs - 0.5 * cos(phi), 0.5 * sin(phi)
    return [dx * dx + dy * dy - 1.44]


def car_axis(r):
    yb = 0.1 * math.sin(10 * r["time"])
    xb = math.sqrt(1 - yb * yb)
    xl, yl, xr, yr, lam1, lam2 = (r[name] for name in ("xl", "yl", "xr", "yr", "lam1", "lam2"))
    left, right = 0.5 / math.hypot(xl, yl) - 1, 0.5 / math.hypot(xr - xb, yr - yb) - 1
    k = 10 * 0.01**2 / 2
    return [
        [xl, r["ul"], (left * xl + lam1 * xb + 2 * lam2 * (xl - xr)) / k],
        [yl, r["vl"], (left * yl + lam1 * yb + 2 * lam2 * (yl - yr)) / k - 1],
        [xr, r["ur"], (right * (xr - xb) - 2 * lam2 * (xl - xr)) / k],
        [yr, r["vr"], (right * (yr - yb) - 2 * lam2 * (yl - yr)) / k - 1],
    ]


def car_axis_rods(t, xl, yl, xr, yr):
    yb = 0.1 * sin(10 * t)
    dx, dy = xl - xr, yl - yr
    return [sqrt(1 - yb * yb) * xl + yb * yl, dx * dx + dy * dy - 1]


def gear_train(r):
    first, second = (2 - r["t1"]) / 0.1, (r["t2"] - 0.8 * r["w2"]) / 1.6
    return [[r["phi1"], r["w1"], first], [r["phi2"], r["w2"], second]]


def linear_index3(r):
    t, x, y, u, v, pull = (r[name] for name in ("time", "x", "y", "u", "v", "lambda"))
    fx = -3 * math.cos(2 * t) + 0.5 * (math.cos(t) - 2 * math.sin(2 * t)) - math.exp(-t)
    fy = 2 * math.cos(t) - 0.2 * math.sin(t) - 2 * math.exp(-t)
    return [[x, u, -x - 0.5 * u + pull + fx], [y, v, -3 * y - 0.2 * v + 2 * pull + fy]]


def crane(r):
    return [
        [r["x"], r["vx"], -r["T"] * (r["x"] - r["s"]) / 10],
        [r["y"], r["vy"], G - r["T"] * r["y"] / 10],
    ]


def flexible_joint(r):
    link, motor = 40 * (r["th"] - r["q"]), r["u"] - 40 * (r["th"] - r["q"])
    third = 40 * (r["wth"] - r["wq"]) / 0.5
    fourth = 40 * (motor / 0.1 - link / 0.5) / 0.5
    return [[r["q"], r["wq"], link / 0.5, third, fourth]]


def prescribed_motion(r):
    """The path of the last mass, whose sixth derivative is the force that is sought."""
    m, k, b = 0.5, 20, 5
    d1, d2 = r["q[2]"] - r["q[1]"], r["q[3]"] - r["q[2]"]
    e1, e2 = r["v[2]"] - r["v[1]"], r["v[3]"] - r["v[2]"]
    s1, s2 = r["s[1]"], r["s[2]"]
    stiff1, stiff2 = k + 3 * b * d1 * d1, k + 3 * b * d2 * d2
    a3, a2, a1 = -s2 / m, (s2 - s1) / m, (r["F"] + s1) / m
    s2_1 = stiff2 * e2
    s2_2 = stiff2 * (a3 - a2) + 6 * b * d2 * e2 * e2
    s1_1 = stiff1 * e1
    s1_2 = stiff1 * (a2 - a1) + 6 * b * d1 * e1 * e1
    jerk3, jerk2 = -s2_1 / m, (s2_1 - s1_1) / m
    snap = -s2_2 / m - (s2_2 - s1_2) / m  # of q3 - q2
    s2_3 = stiff2 * (jerk3 - jerk2) + 6 * b * (3 * d2 * e2 * (a3 - a2) + e2**3)
    s2_4 = stiff2 * snap + 6 * b * (
        d2 * (4 * e2 * (jerk3 - jerk2) + 3 * (a3 - a2) ** 2) + 6 * e2 * e2 * (a3 - a2)
    )
    return [[r["q[3]"], r["v[3]"], a3, jerk3, -s2_2 / m, -s2_3 / m, -s2_4 / m]]


def diode(u):
    return 1e-6 * (math.exp(u / 0.026) - 1)


def transistor_amplifier(t, y1, y2, y3, y4, y5, y6, y7, y8):
    """The pairs of equations that share a capacitor, added: no derivative is left."""
    source = 0.1 * math.sin(200 * math.pi * t)
    return [
        (y1 - source) / 1000 + (2 * y2 - 6) / 9000 + 0.01 * diode(y2 - y3),
        (y4 - 6) / 9000 + (2 * y5 - 6) / 9000 + 0.99 * diode(y2 - y3) + 0.01 * diode(y5 - y6),
        (y7 - 6) / 9000 + y8 / 9000 + 0.99 * diode(y5 - y6),
    ]


def chain6(t, x1, x2, x3, x4, x5, u):
    e = exp(-1 * t)
    return [
        x1 - e,
        x2 + e + e * e,
        x3 - e - 2 * e * e,
        x4 + 2 * e * e,
        x5 - 4 * e * e,
        u + 8 * e * e - 4 * e * e * e,
    ]


def values(*names):
    """Variables without derivatives: only the constraints as given are looked at."""
    return lambda r: [[r[name]] for name in names]


def corpus(name, *rest, stop):
    return Case(CORPUS / f"{name}.mo", *rest, {"stop": stop})


def stokes(r):
    """u' = -A u - B p + f, with B u = 0."""
    u = [0.0] + [r[f"u[{k}]"] for k in (1, 2, 3)] + [0.0]
    f = [math.sin(r["time"]), 0, 1]
    return [[u[k], u[k - 1] - 2 * u[k] + u[k + 1] - r["p"] + f[k - 1]] for k in (1, 2, 3)]


CASES = {
    "pendulum": pendulum_case(example("pendulum"), "F"),
    "turning pendulum": pendulum_case(example("turning_pendulum"), "F"),
    "Andrews": Case(example("andrews"), andrews.derivatives, andrews.loops),
    "car axis": Case(example("car_axis"), car_axis, car_axis_rods),
    "linear index 2": Case(
        example("linear_index2"),
        values("x1", "x2", "x3"),
        lambda t, x, y, z: [x + y + z + sin(t), x - y + z + t - t**3, 2 * x + z + t + cos(t)],
    ),
    "linear index 3": Case(
        example("linear_index3"),
        linear_index3,
        lambda t, x, y: [x + 2 * y - sin(t) - cos(2 * t) - 2 * cos(t)],
    ),
    "prescribed motion": Case(
        example("prescribed_motion"), prescribed_motion, lambda t, q: [q - sin(t)]
    ),
    "transistor amplifier": Case(
        example("transistor_amplifier"),
        values(*(f"y{k}" for k in range(1, 9))),
        transistor_amplifier,
    ),
    "chemical Akzo Nobel": Case(
        example("chemical_akzo_nobel"),
        values("y1", "y4", "y6"),
        lambda t, y1, y4, y6: [115.83 * y1 * y4 - y6],
    ),
    "pendulum, 100 s": pendulum_case(CORPUS / "PendulumLong.mo", "T")._replace(
        options={"stop": 100}
    ),
    "pendulum by velocity": corpus(
        "PendulumVelocity",
        pendulum_velocity,
        lambda t, x, y, vx, vy: [x * vx + y * vy],
        stop=5,
    ),
    "pendulum, stabilised": corpus(
        "PendulumGGL",
        pendulum_stabilised,
        lambda t, x, y, vx, vy: [x * x + y * y - 1, x * vx + y * vy],
        stop=5,
    ),
    "moving pivot": corpus(
        "MovingPivot",
        moving_pivot,
        lambda t, x, y: [(x - 0.3 * sin(4 * t)) * (x - 0.3 * sin(4 * t)) + y * y - 1],
        stop=5,
    ),
    "driven pendulum": corpus(
        "DrivenPendulum", driven_pendulum, lambda t, x, y: [x * x + y * y - 1], stop=10
    ),
    "spherical pendulum": corpus(
        "SphericalPendulum",
        spherical_pendulum,
        lambda t, x, y, z: [x * x + y * y + z * z - 1],
        stop=3,
    ),
    "double pendulum": corpus(
        "DoublePendulum",
        double_pendulum,
        lambda t, x1, y1, x2, y2: [
            x1 * x1 + y1 * y1 - 1,
            (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) - 1,
        ],
        stop=3,
    ),
    "slider crank": corpus("SliderCrank", slider_crank, slider_crank_loop, stop=4),
    "bead on a parabola": corpus(
        "BeadOnParabola",
        lambda r: [
            [r["x"], r["vx"], -2 * r["x"] * r["lam"]],
            [r["y"], r["vy"], r["lam"] - G],
        ],
        lambda t, x, y: [y - x * x],
        stop=5,
    ),
    "gear train": corpus("GearTrain", gear_train, lambda t, p1, p2: [p1 - 4 * p2], stop=10),
    "Atwood": corpus(
        "Atwood",
        lambda r: [
            [r["y1"], r["v1"], r["F"] / 2 - G],
            [r["y2"], r["v2"], r["F"] / 3 - G],
        ],
        lambda t, y1, y2: [y1 + y2 - 4],
        stop=1,
    ),
    "rolling disk": corpus(
        "RollingDisk",
        lambda r: [[r["v"], G * math.sin(0.5) - r["F"] / 2], [r["w"], r["F"] * 0.3 / 0.09]],
        lambda t, v, w: [v - 0.3 * w],
        stop=2,
    ),
    "parallel capacitors": corpus(
        "ParallelCapacitors",
        lambda r: [[r["v1"], r["i1"] / 1e-3], [r["v2"], r["i2"] / 3e-3]],
        lambda t, v1, v2: [v1 - v2],
        stop=0.5,
    ),
    "series inductors": corpus(
        "SeriesInductors",
        lambda r: [[r["i1"], r["u1"] / 0.1], [r["i2"], r["u2"] / 0.3]],
        lambda t, i1, i2: [i1 - i2],
        stop=1,
    ),
    "discrete Stokes": corpus(
        "DiscreteStokes", stokes, lambda t, u1, u2, u3: [u1 + u2 + u3], stop=5
    ),
    "crane": corpus(
        "CraneInverse",
        crane,
        lambda t, x, y: [x - 2 * sin(0.5 * t) * sin(0.5 * t), y - 3 + 0.5 * sin(t)],
        stop=3,
    ),
    "flexible joint": corpus(
        "FlexibleJointInverse", flexible_joint, lambda t, q: [q - 1 + cos(3 * t)], stop=2
    ),
    "chain of 4": corpus(
        "DerivativeChain4",
        lambda r: [[r["x1"], r["x2"], r["x3"], r["x4"]]],
        lambda t, x: [x - sin(2 * t)],
        stop=1,
    ),
    "chain of 6": corpus(
        "DerivativeChain6", values("x1", "x2", "x3", "x4", "x5", "u"), chain6, stop=1
    ),
}
