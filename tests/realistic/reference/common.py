"""What all references share: reduced ordinary differential equations, integrated twice.

Nothing here uses daedal. A case gives its equations by hand as x' = rhs(t, x) with few unknowns, and
the variables of the model as functions of t and x. Two methods of SciPy integrate it; how far they
agree is stored beside the values. Closed forms stand alone."""

import cmath
import math
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp

CASES = {}
FINE, SECOND, COARSE, BETWEEN, KICKS, KICK = 1e-11, 1e-10, 1e-7, 40, 16, 1e-4
COSTLY = 1e-10  # for circuits whose nodes are solved for at each call
KEPT = slice(None, None, BETWEEN)  # of the samples, those at the times that are checked


@dataclass
class Case:
    times: list
    x0: list = None
    rhs: object = None
    out: object = None
    exact: object = None  # a closed form in place of rhs
    methods: tuple = ("Radau", "LSODA")
    breaks: list = field(default_factory=list)  # where steep sources change
    rtol: float = FINE  # of the method whose values are kept
    typical: list = None  # sizes of the states that are 0 all the while in a first run


def case(name):
    def enter(make):
        CASES[name] = make
        return make

    return enter


def grid(stop, parts=10, start=0.0):
    return [start + (stop - start) * k / parts for k in range(parts + 1)]


# Algebraic parts ---------------------------------------------------------------------------------


def jacobian(g, z):
    """By the complex step: exact to round-off."""
    columns = []
    for j in range(len(z)):
        w = np.array(z, complex)
        w[j] += 1e-30j
        columns.append([v.imag / 1e-30 for v in g(w)])
    return np.array(columns).T


def close(dz, size, best):
    """Whether a correction is round-off, of a z of this size."""
    share = abs(dz) / max(size, 1e-6)
    return share < 1e-13 or (share < 1e-9 and abs(dz) >= best / 2)


def solve_one(g, z, iterations):
    """Newton's method for one unknown, in plain numbers."""
    best = math.inf
    for _ in range(iterations):
        dz = float(g([z])[0]) / (g([complex(z, 1e-30)])[0].imag / 1e-30)
        z -= dz
        if close(dz, abs(z), best):
            return [z]
        best = abs(dz)
    raise ArithmeticError(f"Newton's method does not converge: {z}, {dz}")


def solve(g, z, iterations=400):
    """Newton's method from z until the correction stays at round-off."""
    if len(z) == 1:
        return solve_one(g, float(z[0]), iterations)
    z, best = np.array(z, float), math.inf
    for _ in range(iterations):
        dz = np.linalg.solve(jacobian(g, z), np.asarray(g(z), float))
        z = z - dz
        size, largest = float(np.max(np.abs(dz))), float(np.max(np.abs(z)))
        if close(size, largest * 1e-2, best):
            return z
        best = size
    raise ArithmeticError(f"Newton's method does not converge: {z}, {dz}")


class Warm:
    """solve(g(t, x, .)) from the last solution."""

    def __init__(self, g, z):
        self.g, self.z, self.z0 = g, z, z

    def __call__(self, t, x):
        def here(z):
            return self.g(t, x, z)

        try:
            self.z = solve(here, self.z)
        except (ArithmeticError, OverflowError, np.linalg.LinAlgError):
            self.z = solve(here, self.z0)
        return self.z


LIMIT = 34.0  # of the exponent of a diode: 1e15 times the saturation current
TOP = math.exp(LIMIT)


def limited_exp(x):
    """exp, continued by its tangent above the limit, where no solution lies."""
    if isinstance(x, np.ndarray):
        return np.array([limited_exp(v) for v in x.tolist()])
    if x.real > LIMIT:
        return TOP * (1 + x - LIMIT)
    return cmath.exp(x) if isinstance(x, complex) else math.exp(x)


def diode(v, saturation, vt):
    return saturation * (limited_exp(v / vt) - 1)


# Integration -------------------------------------------------------------------------------------


def sample_times(times):
    fine = []
    for a, b in zip(times, times[1:]):
        fine.extend(a + (b - a) * k / BETWEEN for k in range(BETWEEN))
    return np.array(fine + [times[-1]])


def integrate(case, method, rtol, scale, kicks=()):
    """States at the sample times; at each time of `kicks` the state is changed by what stands there;
    no step is longer than the distance of two samples, or a pulse after rest would be jumped."""
    wanted, x = sample_times(case.times), np.array(case.x0, float)
    stops = sorted({*case.times, *case.breaks, *(t for t, _ in kicks)})
    changes, states = dict(kicks), np.empty((len(wanted), len(x)))
    states[0] = x
    for a, b in zip(stops, stops[1:]):
        if a in changes:
            x = x + changes[a]
        inside = (wanted > a) & (wanted <= b)
        ends = np.unique(np.append(wanted[inside], b))
        run = solve_ivp(
            case.rhs,
            (a, b),
            x,
            method=method,
            rtol=rtol,
            atol=rtol * scale * 1e-2 + 1e-300,
            t_eval=ends,
            first_step=(b - a) * (1e-6 if case.breaks else 1e-3),
            max_step=(b - a) / BETWEEN,
        )
        if not run.success:
            raise ArithmeticError(f"{method}: {run.message}")
        states[inside] = run.y.T[: np.count_nonzero(inside)]
        x = run.y[:, -1]
    return states


def outputs(case, states):
    """Variables at the sample times: a dictionary of columns."""
    rows = [case.out(t, x) for t, x in zip(sample_times(case.times), states)]
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def condition(case, scale, largest):
    """By how much relative errors of the states show in each variable, in units of its largest value:
    those made on the way, by kicks of the states at random, over kick and root of their number; and
    those of the moment."""
    random = np.random.default_rng(1)
    states = integrate(case, case.methods[0], COARSE, scale)
    sizes = np.array([running(column) for column in states.T]).T
    plain, worst = outputs(case, states), at_the_moment(case, states, sizes, largest)
    span, samples = case.times[-1] - case.times[0], sample_times(case.times)
    for _ in range(2):
        times = [case.times[0] + span * (k + 0.37) / KICKS for k in range(KICKS)]
        now = [sizes[np.searchsorted(samples, t) - 1] for t in times]
        kicks = [
            (t, KICK * size * random.choice([-1, 1], len(size))) for t, size in zip(times, now)
        ]
        kicked = outputs(case, integrate(case, case.methods[0], COARSE, scale, kicks))
        for name in plain:
            grown = np.abs(kicked[name] - plain[name]) / (KICK * math.sqrt(KICKS) * largest[name])
            worst[name] = np.maximum(worst[name], grown)
    return worst


def at_the_moment(case, states, sizes, largest):
    """The sum over the states of what a small error of each does at once."""
    size, plain = 1e-6, outputs(case, states)
    grown = {name: np.zeros(len(states)) for name in plain}
    for j in range(states.shape[1]):
        moved = states.copy()
        moved[:, j] += size * sizes[:, j]
        for name, column in outputs(case, moved).items():
            grown[name] += np.abs(column - plain[name]) / (size * largest[name])
    return grown


def running(values):
    """The largest value so far, but no less than a thousandth of the largest of all."""
    size = np.abs(values)
    return np.maximum(np.maximum.accumulate(size), max(1e-3 * np.max(size), 1e-300))


def record(case, columns, miss, grown):
    """What the file keeps, at the times that are checked."""
    return {
        "times": [float(t) for t in case.times],
        "variables": {
            name: {
                "values": [float(v) for v in column[KEPT]],
                "largest": [float(v) for v in running(column)[KEPT]],
                "condition": [float(f"{v:.2g}") for v in grown[name][KEPT]],
                "digits": round(-math.log10(max(miss[name], 1e-16)), 1),
            }
            for name, column in columns.items()
        },
    }


def second_run(case, scale):
    """Another method; where LSODA gives up at so small a tolerance, BDF."""
    try:
        return integrate(case, case.methods[1], max(case.rtol, SECOND), scale)
    except ArithmeticError:
        return integrate(case, "BDF", max(case.rtol, SECOND), scale)


def make(case):
    if case.exact:
        rows = [case.exact(t) for t in sample_times(case.times)]
        columns = {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}
        nothing = {name: np.zeros(len(rows)) for name in columns}
        return record(case, columns, {name: 1e-15 for name in columns}, nothing)
    unit = np.array(case.typical or [abs(v) or 1.0 for v in case.x0])
    first = integrate(case, case.methods[0], 1e-6, unit)
    scale = np.maximum(np.max(np.abs(first), axis=0), 1e-300)
    if case.typical:
        scale = np.maximum(scale, unit * 1e-3)
    columns = outputs(case, integrate(case, case.methods[0], case.rtol, scale))
    second = outputs(case, second_run(case, scale))
    largest = {name: running(column) for name, column in columns.items()}
    miss = {
        name: float(np.max((np.abs(columns[name] - second[name]) / largest[name])[KEPT][1:]))
        for name in columns
    }
    return record(case, columns, miss, condition(case, scale, largest))
