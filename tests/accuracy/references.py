"""Reference solutions: from formulas, or from computations that share nothing with the library."""

import math


def amplitude(u, k):
    """Jacobi's amplitude am(u, k) by the arithmetic-geometric mean (Abramowitz & Stegun 16.4)."""
    a, b, ratios = [1.0], math.sqrt(1 - k * k), [k]
    while abs(ratios[-1]) > 1e-10:  # the next one is its square
        ratios.append((a[-1] - b) / 2)
        a, b = a + [(a[-1] + b) / 2], math.sqrt(a[-1] * b)
    ratios.append((a[-1] - b) / 2)
    a.append((a[-1] + b) / 2)
    phi = 2 ** (len(a) - 1) * a[-1] * u
    for mean, ratio in zip(reversed(a[1:]), reversed(ratios[1:])):
        phi = (phi + math.asin(ratio * math.sin(phi) / mean)) / 2
    return phi


def quarter_period(k):
    """K(k)."""
    a, b = 1.0, math.sqrt(1 - k * k)
    for _ in range(10):  # quadratic convergence
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def pendulum_state(theta, rate, g=9.81, length=1.0):
    """Cartesian state from the angle to the downward vertical; F is the rod's tension over m L."""
    x, y = length * math.sin(theta), -length * math.cos(theta)
    vx, vy = length * rate * math.cos(theta), length * rate * math.sin(theta)
    return {"x": x, "y": y, "vx": vx, "vy": vy, "F": (vx * vx + vy * vy - g * y) / length ** 2}


def turning_pendulum(t, v=7.0, g=9.81):
    """Started at the bottom with speed v > 2 sqrt(g): theta = 2 am(v t / 2, 2 sqrt(g) / v)."""
    theta = 2 * amplitude(v * t / 2, 2 * math.sqrt(g) / v)
    return pendulum_state(theta, math.sqrt(v * v - 2 * g * (1 - math.cos(theta))))


def swinging_pendulum(t, g=9.81):
    """Released at (-1, 0): sin(theta/2) = -k sn(K - w t, k), k = sin(45 degrees)."""
    k, w = math.sqrt(0.5), math.sqrt(g)
    phi = amplitude(quarter_period(k) - w * t, k)
    theta = -2 * math.asin(k * math.sin(phi))
    return pendulum_state(theta, 2 * k * w * math.cos(phi))


def air_pipe(times, steps=200):
    """Air through a pipe, as two explicit ODEs by hand, with the classical Runge-Kutta method. The air
    is an ideal gas of constant pressure, so U = p V cv/R does not change, and
    M = 2 p V/(R (Ti + To)) gives the outflow mi - M'. Steps of 1/`steps` s."""
    R, cp, p, V, mi, Ti, kA, C = 287, 1005, 1e5, 0.05, 0.05, 373.15, 40, 2000

    def flow(To, Ts):
        return kA * (Ti - To) / math.log((Ti - Ts) / (To - Ts))

    def slope(To, Ts):
        heat = flow(To, Ts)
        mo = (mi * cp * Ti - heat) / (cp * To)
        return (mo - mi) * R * (Ti + To) ** 2 / (2 * p * V), heat / C

    y, found, t = (303.15, 293.15), {}, 0
    for end in times:
        count = round((end - t) * steps)
        h = (end - t) / max(count, 1)
        for _ in range(count):
            a = slope(*y)
            b = slope(*(v + h / 2 * d for v, d in zip(y, a)))
            c = slope(*(v + h / 2 * d for v, d in zip(y, b)))
            d = slope(*(v + h * d for v, d in zip(y, c)))
            y = tuple(v + h / 6 * (k + 2 * l + 2 * m + n)
                      for v, k, l, m, n in zip(y, a, b, c, d))
        t = end
        heat = flow(*y)
        found[end] = {"To": y[0], "Ts": y[1], "Q": heat, "M": 2 * p * V / (R * (Ti + y[0])),
                      "mo": (mi * cp * Ti - heat) / (cp * y[0])}
    return found


def attemperator(times, step=0.02):
    """Steam that is cooled, as three explicit ODEs by hand, with the classical Runge-Kutta method: M = p V/(R To),
    and the enthalpy of the steam gives To'. The step at whose end more is asked for than the valve can give is
    halved until the instant is met. The states at the times, and that instant."""
    ms, Ti, TSP, cp, R, p, V, dh = 10, 793.15, 753.15, 2300, 440, 6e6, 2, 2.4e6
    pw, v1, Cv, kA, C, Kp, KI = 8e6, 1.2e-3, 6e-6, 4000, 8e5, 0.02, 1.8e-4

    def asked_for(y):
        return Kp * (y[0] - TSP) + y[2]

    def slope(y, is_open):
        To, Tm, _ = y
        water = Cv * (1 if is_open else asked_for(y)) * math.sqrt((pw - p) / v1)
        heat = ms * cp * (Ti - To) - water * (dh + cp * (To - TSP)) - kA * (To - Tm)
        return heat * R * To / (p * V * cp), kA * (To - Tm) / C, KI * (To - TSP)

    def after(y, h, is_open):
        a = slope(y, is_open)
        b = slope([v + h / 2 * d for v, d in zip(y, a)], is_open)
        c = slope([v + h / 2 * d for v, d in zip(y, b)], is_open)
        d = slope([v + h * d for v, d in zip(y, c)], is_open)
        return [v + h / 6 * (k + 2 * l + 2 * m + n) for v, k, l, m, n in zip(y, a, b, c, d)]

    t, y, instant, found = 0.0, [753.15, 753.15, 0.0], None, {}
    for end in times:
        h = step
        while t < end:
            h = min(h, end - t)
            tried = after(y, h, instant is not None)
            if instant is None and asked_for(tried) > 1:
                if h < 1e-12:
                    instant, h = t, step
                else:
                    h /= 2
                continue
            t, y = t + h, tried
        found[end] = {"To": y[0], "Tm": y[1], "mI": y[2], "za": asked_for(y)}
    return found, instant


def rectifier(times):
    """A bridge of diodes by hand: what is asked for is C v' = max(0, |u| - v (1 + G Rs))/Rs - (1/R + G) v, with
    u = U sin(w t). Between the instants at which it begins and ceases to conduct, which are bisected, it is linear.
    The capacitor's voltage at the times (ascending), and those instants."""
    U, w, Rs, R, C, G = 24.0, 100 * math.pi, 0.5, 50.0, 1e-3, 1e-5
    a, b, c = ((1 + G * Rs) / Rs + 1 / R + G) / C, 1 / (Rs * C), (1 / R + G) / C
    sine, cosine = b * U * a / (a * a + w * w), -b * U * w / (a * a + w * w)

    def after(v, t, h, conducts):
        """t: since the last zero of u."""
        if not conducts:
            return v * math.exp(-c * h)
        forced = [sine * math.sin(w * x) + cosine * math.cos(w * x) for x in (t, t + h)]
        return (v - forced[0]) * math.exp(-a * h) + forced[1]

    def excess(v, t):
        return U * abs(math.sin(w * t)) - v * (1 + G * Rs)

    t, v, conducts, half, instants, found = 0.0, 0.0, True, 0.01, [], []
    for end in times:
        while t < end:
            begun = math.floor(t / half + 1e-9) * half
            stop = min(end, begun + half)
            parts, low = 64, t
            for k in range(1, parts + 1):
                high = t + (stop - t) * k / parts
                if (excess(after(v, t - begun, high - t, conducts), high) > 0) != conducts and high > t + 1e-9:
                    while high - low > 1e-16:
                        middle = (low + high) / 2
                        if middle in (low, high):
                            break
                        value = after(v, t - begun, middle - t, conducts)
                        low, high = (low, middle) if (excess(value, middle) > 0) != conducts else (middle, high)
                    v, t, conducts = after(v, t - begun, high - t, conducts), high, not conducts
                    instants.append(t)
                    break
                low = high
            else:
                v, t = after(v, t - begun, stop - t, conducts), stop
        found.append(v)
    return found, instants


def taylor_pendulum(times, theta, rate, g=9.81, order=30, step=1 / 128):
    """theta'' = -g sin(theta) by its Taylor series: the second source of the elliptic functions."""
    t, states = 0.0, {}
    for end in times:
        while t < end - 1e-15:
            h = min(step, end - t)
            a, s, c = [theta, rate], [math.sin(theta)], [math.cos(theta)]
            for n in range(order):
                a.append(-g * s[n] / ((n + 1) * (n + 2)))
                s.append(sum((i + 1) * a[i + 1] * c[n - i] for i in range(n + 1)) / (n + 1))
                c.append(-sum((i + 1) * a[i + 1] * s[n - i] for i in range(n + 1)) / (n + 1))
            theta = sum(a[i] * h ** i for i in range(order))
            rate = sum(i * a[i] * h ** (i - 1) for i in range(1, order))
            t += h
        states[end] = pendulum_state(theta, rate, g)
    return states


def rc_ladder(n, t, nodes, u=1.0):
    """Charging of n sections with R = C = 1: eigenmodes of the tridiagonal matrix whose last
    diagonal entry is -1; v_i = u (1 - sum_k c_k sin(i w_k) exp(-4 sin^2(w_k/2) t)),
    w_k = (2 k - 1) pi / (2 n + 1)."""
    values = {i: u for i in nodes}
    for k in range(1, n + 1):
        w = (2 * k - 1) * math.pi / (2 * n + 1)
        decay = 4 * math.sin(w / 2) ** 2 * t
        if decay > 745:
            continue
        # share of the constant 1: sum_i sin(i w) = cot(w/2)/2, norm^2 = (2 n + 1)/4
        share = 2 / (2 * n + 1) / math.tan(w / 2) * math.exp(-decay)
        for i in nodes:
            values[i] -= u * share * math.sin(i * w)
    return {f"v[{i}]": value for i, value in values.items()}


def linear_index2(t):
    x3 = t**3 + math.cos(t) - math.sin(t)
    x1 = (-math.cos(t) - t - x3) / 2
    return {"x1": x1, "x2": -math.cos(t) - t**3 - x1, "x3": x3}


def linear_index3(t):
    return {
        "x": math.sin(t) + math.cos(2 * t),
        "y": math.cos(t),
        "u": math.cos(t) - 2 * math.sin(2 * t),
        "v": -math.sin(t),
        "lambda": math.exp(-t),
    }


def elongation(jet, k=20.0, b=5.0):
    """Derivatives of d where k d + b d^3 = s, from those of s: orders as many as s gives."""
    s = jet[0]
    d = s / k
    for _ in range(50):
        d -= (k * d + b * d**3 - s) / (k + 3 * b * d * d)
    series = [d]  # Taylor coefficients, the linear one of each order solved for
    slope = k + 3 * b * d * d
    for n in range(1, len(jet)):
        series.append(0.0)
        square = [sum(series[i] * series[m - i] for i in range(m + 1)) for m in range(n + 1)]
        cube = sum(square[i] * series[n - i] for i in range(n + 1))
        series[n] = (jet[n] / math.factorial(n) - b * cube) / slope
    return [value * math.factorial(n) for n, value in enumerate(series)]


def prescribed_motion(t, m=0.5):
    """Backwards from the last mass: each spring's force moves what is behind it."""
    jet = [math.sin(t + n * math.pi / 2) for n in range(7)]
    forces, path = [0.0] * len(jet), {"q[3]": jet[0], "v[3]": jet[1]}
    for body in 2, 1:
        forces = [force - m * q for force, q in zip(forces, jet[2:])]
        path[f"s[{body}]"] = forces[0]
        jet = [q - d for q, d in zip(jet, elongation(forces))]
        path[f"q[{body}]"], path[f"v[{body}]"] = jet[:2]
    return path | {"F": m * jet[2] - forces[0]}


def singular_perturbation_limit(times, n=2000):
    """(y, z) of y' = -y + z, z (1 + z^2) = 2 cos(y), y(0) = 1, by the classical Runge-Kutta method
    with n steps a unit."""

    def algebraic(y):
        z = 0.8
        for _ in range(30):
            z -= (z * (1 + z * z) - 2 * math.cos(y)) / (1 + 3 * z * z)
        return z

    def rate(y):
        return algebraic(y) - y

    values, y, t, h = [], 1.0, 0, 1 / n
    for end in times:
        for _ in range(round((end - t) * n)):
            k1 = rate(y)
            k2 = rate(y + h / 2 * k1)
            k3 = rate(y + h / 2 * k2)
            k4 = rate(y + h * k3)
            y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        values.append((y, algebraic(y)))
        t = end
    return values


# Test Set for IVP Solvers, release 2.4 (Mazzia & Magherini 2008): the problems as defined there,
# integrated again by Radau IIA in quadruple precision; van der Pol as published.
TRANSISTOR_AMPLIFIER = {
    "y1": -5.56214501226200e-03, "y2": 3.006522471903042, "y3": 2.849958788608125,
    "y4": 2.926422536206108, "y5": 2.704617865010420, "y6": 2.761837778393153,
    "y7": 4.770927631616772, "y8": 1.236995868091552}
CHEMICAL_AKZO_NOBEL = {
    "y1": 1.150794920661702e-01, "y2": 1.203831471567705e-03, "y3": 1.611562887407974e-01,
    "y4": 3.656156421249288e-04, "y5": 1.708010885264404e-02, "y6": 4.873531310307461e-03}
CAR_AXIS = {
    "xl": 4.934557842752409e-02, "yl": 4.969894602300081e-01, "xr": 1.041742524885426,
    "yr": 3.739110272653658e-01, "ul": -7.705836840359208e-02, "vl": 7.446866592068417e-03,
    "ur": 1.755681575354174e-02, "vr": 7.703410437796011e-01, "lam1": -4.736886590853326e-03,
    "lam2": -1.104680331259566e-03}
ANDREWS = {
    "beta": 1.581077119515371e+01, "Theta": -1.575637105841184e+01, "gamma": 4.082224011964580e-02,
    "Phi": -5.347301163420796e-01, "delta": 5.244099658799540e-01, "Omega": 5.347301163420796e-01,
    "epsilon": 1.048080741041938}
VAN_DER_POL = {"y": 1.706167732170483, "z": -0.8928097010247975}
