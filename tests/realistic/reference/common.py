"""What all references share: reduced ordinary differential equations, integrated twice.

Nothing here uses daedal. A case gives its equations by hand as x' = rhs(t, x) with few unknowns, and
the variables of the model as functions of t and x. Two methods of SciPy integrate it; how far they
agree is stored beside the values. Closed forms stand alone."""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp

CASES = {}
FINE, SECOND, COARSE, BETWEEN, KICKS, KICK = 1e-12, 1e-11, 1e-7, 40, 16, 1e-4
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
    n, columns = len(z), []
    for j in range(n):
        w = np.array(z, complex)
        w[j] += 1e-30j
        columns.append(np.imag(np.asarray(g(w), complex)) / 1e-30)
    return np.array(columns).T


def solve(g, z, largest=np.inf, iterations=400):
    """Newton's method from z until the correction stays at round-off; `largest` bounds a step."""
    z, best = np.array(z, float), math.inf
    for _ in range(iterations):
        with np.errstate(over="ignore"):
            dg, g0 = jacobian(g, z), np.asarray(g(z), float)
            dz = g0 / dg[0] if len(z) == 1 else np.linalg.solve(dg, g0)
        factor = min(1.0, float(np.min(largest / np.maximum(np.abs(dz), 1e-300))))
        z = z - factor * dz
        size = float(np.max(np.abs(dz) / (np.abs(z) + 1e-12)))
        if size < 1e-13 or (size < 1e-9 and size >= best / 2):
            return z
        best = size
    raise ArithmeticError(f"Newton's method does not converge: {z}, {dz}")


class Warm:
    """solve(g(t, x, .)) from the last solution."""

    def __init__(self, g, z, largest=np.inf):
        self.g, self.z, self.largest = g, np.array(z, float), largest
        self.z0 = self.z.copy()

    def __call__(self, t, x):
        def here(z):
            return self.g(t, x, z)

        try:
            self.z = solve(here, self.z, self.largest)
        except (ArithmeticError, np.linalg.LinAlgError):
            self.z = solve(here, self.z0, self.largest)
        return self.z


def limited_exp(x):
    """exp, continued by its tangent above 60, where no solution lies."""
    low = np.minimum(np.real(x), 60.0)
    return np.where(np.real(x) > 60, np.exp(low) * (1 + x - low), np.exp(low + x - np.real(x)))


def diode(v, saturation, vt):
    return saturation * (limited_exp(v / vt) - 1)


# Integration -------------------------------------------------------------------------------------


def sample_times(times):
    fine = []
    for a, b in zip(times, times[1:]):
        fine.extend(a + (b - a) * k / BETWEEN for k in range(BETWEEN))
    return np.array(fine + [times[-1]])


def integrate(case, method, rtol, scale, kicks=()):
    """States at the sample times; at each time of `kicks` the state is changed by what stands there."""
    wanted, x = sample_times(case.times), np.array(case.x0, float)
    stops = sorted({case.times[0], case.times[-1], *case.breaks, *(t for t, _ in kicks)})
    changes, states = dict(kicks), np.empty((len(wanted), len(x)))
    states[0] = x
    for a, b in zip(stops, stops[1:]):
        if a in changes:
            x = x + changes[a]
        inside = (wanted > a) & (wanted <= b)
        ends = np.unique(np.append(wanted[inside], b))
        run = solve_ivp(
            case.rhs, (a, b), x, method=method, rtol=rtol, atol=rtol * scale * 1e-2 + 1e-300,
            t_eval=ends, first_step=min((b - a) * 1e-3, (b - a)) * (1e-3 if case.breaks else 1),
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
        kicks = [(t, KICK * size * random.choice([-1, 1], len(size))) for t, size in zip(times, now)]
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
