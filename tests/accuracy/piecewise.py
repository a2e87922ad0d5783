"""Solutions of equations that are linear between events, by matrix exponentials and bisection:
nothing of them is computed as daedal does."""

from math import ceil, log2


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def exponential(a):
    """Taylor's series of a / 2^k, squared k times."""
    n = len(a)
    size = max(sum(map(abs, row)) for row in a)
    k = max(0, ceil(log2(size)) + 3) if size > 0 else 0
    scaled = [[x / 2**k for x in row] for row in a]
    term = [[float(i == j) for j in range(n)] for i in range(n)]
    total = [row[:] for row in term]
    for p in range(1, 20):
        term = [[x / p for x in row] for row in product(term, scaled)]
        total = [[x + y for x, y in zip(r, s)] for r, s in zip(total, term)]
    for _ in range(k):
        total = product(total, total)
    return total


def flow(a, b, x, h):
    """x' = a x + b over the time h."""
    n = len(x)
    big = [[v * h for v in a[i]] + [b[i] * h] for i in range(n)] + [[0.0] * (n + 1)]
    return [sum(u * v for u, v in zip(row, list(x) + [1.0])) for row in exponential(big)[:n]]


def root(f, low, high):
    """Where f changes its sign between low and high, to rounding."""
    sign = f(low) > 0
    for _ in range(200):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        if (f(middle) > 0) == sign:
            low = middle
        else:
            high = middle
    return high


def crossing(f, low, high, pieces=400):
    """The first change of sign of f, which it does not have at low itself; None: there is none."""
    before = low + (high - low) * 1e-9
    sign = f(before) > 0
    for k in range(1, pieces + 1):
        t = low + (high - low) * k / pieces
        if (f(t) > 0) != sign:
            return root(f, before, t)
        before = t
    return None
