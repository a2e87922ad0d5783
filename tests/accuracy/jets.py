"""Derivatives in time of a formula: truncated Taylor series, multiplied as series are."""

import math


class Jet:
    """The Taylor coefficients of a quantity at a time."""

    __slots__ = ("c",)

    def __init__(self, coefficients):
        self.c = coefficients

    @staticmethod
    def of(derivatives):
        """From value, first derivative, second, ..."""
        return Jet([value / math.factorial(k) for k, value in enumerate(derivatives)])

    def derivatives(self):
        return [value * math.factorial(k) for k, value in enumerate(self.c)]

    def lifted(self, other):
        return other.c if isinstance(other, Jet) else [other] + [0.0] * (len(self.c) - 1)

    def __add__(self, other):
        return Jet([a + b for a, b in zip(self.c, self.lifted(other))])

    def __neg__(self):
        return Jet([-a for a in self.c])

    def __sub__(self, other):
        return Jet([a - b for a, b in zip(self.c, self.lifted(other))])

    def __mul__(self, other):
        if not isinstance(other, Jet):
            return Jet([a * other for a in self.c])
        a, b = self.c, other.c
        return Jet([sum(a[i] * b[k - i] for i in range(k + 1)) for k in range(len(a))])

    def __rsub__(self, other):
        return -self + other

    __radd__, __rmul__ = __add__, __mul__


def sine_and_cosine(x):
    """sin' = cos x', cos' = -sin x', coefficient by coefficient; of a number too."""
    if not isinstance(x, Jet):
        return math.sin(x), math.cos(x)
    s, c = [math.sin(x.c[0])], [math.cos(x.c[0])]
    for n in range(1, len(x.c)):
        s.append(sum(k * x.c[k] * c[n - k] for k in range(1, n + 1)) / n)
        c.append(-sum(k * x.c[k] * s[n - k] for k in range(1, n + 1)) / n)
    return Jet(s), Jet(c)


def sin(x):
    return sine_and_cosine(x)[0]


def cos(x):
    return sine_and_cosine(x)[1]


def sqrt(x):
    """r r = x, coefficient by coefficient; of a number too."""
    if not isinstance(x, Jet):
        return math.sqrt(x)
    r = [math.sqrt(x.c[0])]
    for n in range(1, len(x.c)):
        r.append((x.c[n] - sum(r[k] * r[n - k] for k in range(1, n))) / (2 * r[0]))
    return Jet(r)


def exp(x):
    """e' = e x', coefficient by coefficient; of a number too."""
    if not isinstance(x, Jet):
        return math.exp(x)
    e = [math.exp(x.c[0])]
    for n in range(1, len(x.c)):
        e.append(sum(k * x.c[k] * e[n - k] for k in range(1, n + 1)) / n)
    return Jet(e)
